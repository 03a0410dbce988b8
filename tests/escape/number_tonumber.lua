-- expect ok
-- tonumber
return { run = function()
    assert(tonumber("0x10") == 16 and tonumber("ff", 16) == 255 and tonumber("-zz", 36) == -1295 and tonumber("8", 8) == nil)
    assert(tonumber("1e1") == 10.0 and tonumber("") == nil and tonumber(" 5 ") == 5 and tonumber("5\0") == nil and tonumber({}) == nil)
    assert(tonumber("nan") == nil and tonumber("inf") == nil)
end }
