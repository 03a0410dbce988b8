-- expect ok
-- string.sub with extreme positions
return { run = function()
    assert(("abc"):sub(math.mininteger, math.maxinteger) == "abc" and ("abc"):sub(math.maxinteger) == "")
end }
