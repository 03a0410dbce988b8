-- expect: budget
-- string.rep of 10^9 bytes
return { run = function()
    return ("x"):rep(1000000000)
end }
