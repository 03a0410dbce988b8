-- expect: has a metatable already, or is read-only
-- replaces the metatable of a frozen table
local t = {}
return { t = t, run = function() setmetatable(t, { __newindex = function() end }) end }
