-- expect: index out of range
-- select with the least integer
return { run = function()
    return select(math.mininteger, 1, 2)
end }
