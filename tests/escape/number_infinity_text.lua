-- expect ok
-- infinity is spelt one way
return { run = function()
    assert(tostring(math.huge) == "inf" and tostring(-math.huge) == "-inf")
    assert(string.format("%f %G %+e %5g|", math.huge, -math.huge, math.huge, math.huge) == "inf -inf +inf   inf|")
end }
