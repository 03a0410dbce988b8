-- expect ok
-- integers ascending, then strings bytewise, however they were put in
return { run = function()
    local t = {}
    for _, key in ipairs({ "b", 10, "a\0b", "B", -3, "a", "", 2, "a\0", math.mininteger, "\xC3\xA9", "z" }) do t[key] = true end
    local order = {}
    for key in pairs(t) do order[#order + 1] = key end
    local expected = { math.mininteger, -3, 2, 10, "", "B", "a", "a\0", "a\0b", "b", "z", "\xC3\xA9" }
    assert(#order == #expected)
    for i = 1, #expected do assert(order[i] == expected[i], i) end
end }
