-- expect: assigns to 'n', which outlives the call
-- a counter in a closure that was made while loading
local function counter()
    local n = 0
    return function() n = n + 1 return n end
end
return { run = counter() }
