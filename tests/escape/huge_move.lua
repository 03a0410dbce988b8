-- expect: used up its budget
-- table.move over 2e8 elements
return { run = function()
    table.move({}, 1, 200000000, 2)
end }
