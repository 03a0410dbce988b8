-- expect ok
-- a list 50000 deep
local list
for _ = 1, 50000 do list = { list } end
return { list = list, run = function() assert(list[1][1][1]) end }
