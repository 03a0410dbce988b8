-- expect ok
-- string.find where a naive search takes the product of the lengths
return { run = function()
    assert(not ("a"):rep(500000):find(("a"):rep(250000) .. "b", 1, true))
end }
