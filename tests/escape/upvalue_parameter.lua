-- expect ok
-- assigning to a parameter from a function inside is fine
return { run = function(n) n = 1 local function add() n = n + 1 end add() assert(n == 2) end }
