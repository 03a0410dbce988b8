-- expect: used up its budget
-- and a chain that is only built
return { run = function()
    local t, modulus = {}, (1 << 16) - 1
    for i = 1, 1 << 15 do t[i * modulus] = true end
end }
