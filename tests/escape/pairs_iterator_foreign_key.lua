-- expect: pairs: the loop's variable is not a key of the table
-- calls the iterator by hand with a wrong key
return { run = function()
    local step = pairs({ a = 1 })
    return step(nil, "b")
end }
