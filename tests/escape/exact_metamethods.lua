-- expect: bad argument #1 to 'setmetatable' (table expected, got pinion.Exact)
-- other arithmetic for exact numbers
return { run = function() setmetatable(exact(1), { __add = function() return 0 end }) end }
