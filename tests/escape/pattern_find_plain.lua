-- expect ok
-- string.find finds what is there
return { run = function()
    local a, b = ("one.two"):find(".", 1, true)
    assert(a == 4 and b == 4)
    assert(("aabaab"):find("aab", 2, true) == 4 and ("abc"):find("", 10, true) == nil and ("abc"):find("", 4, true) == 4)
    assert(("abc"):find("c", -1, true) == 3 and not ("abc"):find("b", -1, true))
end }
