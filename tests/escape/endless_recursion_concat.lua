-- expect: C stack overflow
-- recursion through __concat
return { run = function()
    local t
    t = setmetatable({}, { __concat = function(a, b) return a .. b end })
    return t .. t
end }
