-- expect ok
-- a far index takes no memory
return { run = function()
    local t = {}
    t[math.maxinteger] = 1
    t[1 << 40] = 2
end }
