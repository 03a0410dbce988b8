-- expect: C stack overflow
-- recursion through __tostring
return { run = function()
    return tostring(setmetatable({}, { __tostring = function(self) return tostring(self) end }))
end }
