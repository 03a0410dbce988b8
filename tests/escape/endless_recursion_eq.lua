-- expect: C stack overflow
-- recursion through __eq
return { run = function()
    local m = { __eq = function(a, b) return a == b end }
    return setmetatable({}, m) == setmetatable({}, m)
end }
