-- expect ok
-- a forward declis no memory
local odd
local function even(n) return n == 1 or odd(n - 1) end
odd = function(n) return n ~= 0 and even(n - 1) end
return { name="a", model="slotted", slot = function(s) assert(even(10) and odd(7)) end }
