-- expect: chain too long
-- __newindex in a circle
return { run = function()
    local t = {}
    t.__newindex = t
    setmetatable(t, t)
    t.x = 1
end }
