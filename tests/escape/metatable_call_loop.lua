-- expect: '__call' must be a function
-- __call in a circle
return { run = function()
    local t = {}
    t.__call = t
    setmetatable(t, t)
    return t()
end }
