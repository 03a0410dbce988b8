-- expect ok
-- an iterator kept from loading has no memory
local step = pairs({ a = 1, b = 2 })
return { run = function()
    assert(step() == "a" and step() == "a" and step(nil, "a") == "b" and step(nil, "b") == nil)
end }
