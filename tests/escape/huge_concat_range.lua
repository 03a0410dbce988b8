-- expect: used up its budget
-- table.concat over 2^63 elements
return { run = function()
    return table.concat({}, "", 1, math.maxinteger)
end }
