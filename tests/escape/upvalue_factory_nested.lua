-- expect: assigns to 'n', which outlives the call
-- the same, assigned by a function inside
local function counter()
    local n = 0
    return function() local function bump() n = n + 1 end bump() return n end
end
return { run = counter() }
