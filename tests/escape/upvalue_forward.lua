-- expect ok
-- a forward declaration is no memory
local odd
local function even(n) return n == 0 or odd(n - 1) end
odd = function(n) return n ~= 0 and even(n - 1) end
return { run = function() assert(even(10) and odd(7)) end }
