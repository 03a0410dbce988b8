-- expect: used up its budget
-- table.move over all integers
return { run = function()
    table.move({}, math.mininteger, math.maxinteger, 1)
end }
