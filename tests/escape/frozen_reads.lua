-- expect ok
-- reads of a frozen table go on as before
local t = setmetatable({ 10, 20, 30, x = { y = 1 } }, { __index = { z = 26 }, __call = function(_, a) return a end })
return { t = t, run = function()
    assert(#t == 3 and rawlen(t) == 3 and t[2] == 20 and t.x.y == 1 and t.z == 26 and t.none == nil and t(5) == 5)
    assert(table.concat({ table.unpack(t) }, " ") == "10 20 30" and table.concat(t, "-", 2) == "20-30")
    local keys = {}
    for key in pairs(t) do keys[#keys + 1] = key end
    assert(table.concat(keys, " ") == "1 2 3 x")
    local sum = 0
    for _, v in ipairs(t) do sum = sum + v end
    assert(sum == 60)
    local copy = table.move(t, 1, 3, 1, {})
    copy[1] = 11
    assert(copy[1] == 11 and t[1] == 10)
end }
