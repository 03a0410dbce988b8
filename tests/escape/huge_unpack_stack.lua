-- expect: too many values
-- table.unpack of more than the stack holds
return { run = function()
    return table.unpack({}, 1, 500000)
end }
