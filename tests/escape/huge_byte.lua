-- expect: too many values
-- string.byte of a long string
return { run = function()
    return ("x"):rep(100000):byte(1, -1)
end }
