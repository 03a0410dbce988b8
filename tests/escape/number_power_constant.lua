-- expect: '^' is not available in a policy (use math.pow)
-- ^ of constants, which the compiler works out
local x = 2^0.5
return {}
