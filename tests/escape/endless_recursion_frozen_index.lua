-- expect: C stack overflow
-- recursion through __index of a frozen table
local t
t = setmetatable({}, { __index = function(self, key) return t[key .. 'x'] end })
return { t = t, run = function() return t.x end }
