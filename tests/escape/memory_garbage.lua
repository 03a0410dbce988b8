-- expect ok
-- garbage is no memory
return { run = function()
    local t
    for i = 1, 50000 do t = { i, i, i, i } end
    local s = ('x'):rep(100000)
    for i = 1, 100 do local x = s .. i end
end }
