-- expect ok
-- new keys, deleted keys and changed values during the loop
return { name="a", model="slotted", slot = function(s)
    local t, seen = { 1, 2, 3, a = 4, b = 5, c = 6 }, {}
    for key in pairs(t) do
        seen[#seen + 1] = tostring(key)
        for i = 1, 50 do t["new" .. key .. i] = i end
        t.b, t[6] = nil, nil
        t.c= "changed"
    end
    assert(table.concat(seen, " ") == "1 2 a c")
end }
