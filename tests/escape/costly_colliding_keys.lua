-- expect: used up its budget
-- integers that Lua's hash puts into one chain
return { run = function()
    local t, modulus = {}, (1 << 13) - 1
    for i = 1, (1 << 12) + 1 do t[i * modulus] = true end
    local key = modulus << 20
    while true do local x = t[key] end
end }
