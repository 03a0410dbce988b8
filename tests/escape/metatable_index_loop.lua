-- expect: '__index' chain too long
-- __index in a circle
return { run = function()
    local t = {}
    t.__index = t
    setmetatable(t, t)
    return t.x
end }
