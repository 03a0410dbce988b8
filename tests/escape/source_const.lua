-- expect: attempt to assign to const variable 'x'
-- assigns a constant
local x <const> = 1
return { run = function() x = 2 end }
