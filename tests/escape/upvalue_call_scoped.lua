-- expect ok
-- a counter that ends with its call is fine
local function counter()
    local n = 0
    return function() n = n + 1 return n end
end
return { run = function()
    local next_number = counter()
    next_number()
    assert(next_number() == 2)
end }
