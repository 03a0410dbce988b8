-- expect: used up its budget
-- string.rep of nothing, 2^63 times
return { run = function()
    return (""):rep(math.maxinteger)
end }
