-- expect ok
-- tables made in a call can be written
return { run = function()
    local t = {}
    t.x = 1
    table.insert(t, 2)
    assert(t.x == 1 and t[1] == 2)
end }
