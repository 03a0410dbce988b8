-- expect ok
-- the metatable is changed after setmetatable, without effect
return { run = function()
    local meta = { __index = { x = 1 } }
    local t = setmetatable({}, meta)
    meta.__index = { x = 2 }
    meta.__newindex = error
    meta.__gc = error
    t.y = 3
    assert(t.x == 1 and t.y == 3)
end }
