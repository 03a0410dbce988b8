-- expect: used up its budget
-- repeat until false
return { run = function()
    repeat until false
end }
