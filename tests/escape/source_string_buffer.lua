-- expect: 1000000 bytes
-- a concatenation of constants and calls beyond the limit
return { run = function()
    local s = ('x'):rep(400000)
    return s .. s .. s
end }
