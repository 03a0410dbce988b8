-- expect ok
-- a table with few places far apart is frozen without room for those between
local t = {}
for i = 0, 62 do t[1 << i] = true end
return { t = t, run = function() assert(#t == 1 << 62) end }
