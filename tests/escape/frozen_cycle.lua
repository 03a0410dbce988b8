-- expect ok
-- tables in a circle
local a, b = {}, {}
a.b, b.a = b, a
return { a = a, run = function() assert(a.b.a == a) end }
