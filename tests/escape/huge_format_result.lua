-- expect: 1000000 bytes
-- a format with a long result
return { run = function()
    local s = ("x"):rep(600000)
    return string.format("%s%s", s, s)
end }
