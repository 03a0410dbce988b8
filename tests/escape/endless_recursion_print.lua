-- expect: C stack overflow
-- recursion through print
return { run = function()
    print(setmetatable({}, { __tostring = function(self) print(self) return '' end }))
end }
