-- expect ok
-- the metatable of a frozen table does not get out
local t = {}
return { t = t, run = function() assert(getmetatable(t) == false) end }
