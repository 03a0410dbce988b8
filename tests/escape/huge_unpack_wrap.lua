-- expect: used up its budget
-- table.unpack over all integers
return { run = function()
    return table.unpack({}, math.mininteger, math.maxinteger)
end }
