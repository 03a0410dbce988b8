-- expect: C stack overflow
-- recursion through string.format
return { run = function()
    return ('%s'):format(setmetatable({}, { __tostring = function(self) return ('%s'):format(self) end }))
end }
