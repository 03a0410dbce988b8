-- expect: used up its budget
-- table.unpack of 10^8 values
return { run = function()
    return table.unpack({}, 1, 100000000)
end }
