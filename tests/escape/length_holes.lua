-- expect ok
-- the length of a table with holes follows from what is in it alone
local function check(t, length)
    assert(#t == length and rawlen(t) == length, #t)
end
return { run = function()
    check({ 1, 2, nil, 4 }, 4)
    check({ nil, nil, 3 }, 0)
    check({ 1, nil, 3 }, 1)
    check({ 1, 2, nil, 4, 5, 6, nil, 8 }, 8)
    local t = {}
    for i = 0, 62 do t[1 << i] = true end
    check(t, 1 << 62)
    t[math.maxinteger] = true
    check(t, math.maxinteger)
    for key in pairs(t) do t[key] = nil end
    check(t, 0)
    -- Removing names makes room that depends on the hash seed, so the same places end up in the array or beside it.
    for i = 1, 40 do t["name" .. i] = true end
    for i = 1, 12 do t[i] = true end
    for i = 1, 40 do t["name" .. i] = nil end
    t[4], t[9] = nil, nil
    check(t, 3)
end }
