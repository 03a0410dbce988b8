-- expect ok
-- many closures
local t = {}
for i = 1, 5000 do t[i] = function() return i end end
return { t = t, run = function() assert(t[5000]() == 5000) end }
