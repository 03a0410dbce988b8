-- expect: C stack overflow
-- recursion through __len
return { run = function()
    return #setmetatable({}, { __len = function(self) return #self end })
end }
