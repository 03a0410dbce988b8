-- expect ok
-- the metatable of exact numbers is out of reach, and numbers compare by what they are
return { run = function()
    local third = exact "1/3"
    assert(getmetatable(third) == false or getmetatable(third) == nil)
    assert(third == exact(2) / 6 and tostring(third) == "1/3" and third < 1 and -third + 1 == exact "2/3")
end }
