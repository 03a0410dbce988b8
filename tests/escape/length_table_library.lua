-- expect ok
-- the table library takes the same length
return { run = function()
    local function holes() return { 1, 2, nil, 4, nil, nil, nil, nil, 9 } end
    assert(#holes() == 4)
    assert(select("#", table.unpack(holes())) == 4)
    local t = holes()
    table.insert(t, "end")
    assert(t[5] == "end" and #t == 5)
    t = holes()
    assert(table.remove(t) == 4 and t[4] == nil and #t == 2)
    assert(table.concat({ "a", "b", nil, "d", "e", [7] = "g" }, "", 4) == "de")
    t = { 3, 1, 2, nil, 0 }
    table.sort(t)
    assert(t[1] == 1 and t[3] == 3 and t[5] == 0)
    t = {}
    for i = 0, 62 do t[1 << i] = i end
    for key, value in pairs(t) do assert(key == 1 << value) end
    t[math.maxinteger] = true
    assert(#t == math.maxinteger and table.remove(t) == true and #t == 1 << 62)
end }
