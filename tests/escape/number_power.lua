-- expect: number_power.lua:4: '^' is not available in a policy (use math.pow)
-- the operator ^
return { run = function()
    return 2 ^ 0.5
end }
