-- expect: C stack overflow
-- recursion through __index
return { run = function()
    local t
    t = setmetatable({}, { __index = function(_, key) return t[key .. 'x'] end })
    return t.x
end }
