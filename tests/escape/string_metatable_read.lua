-- expect ok
-- the metatable of strings does not get out
return { run = function()
    assert(getmetatable("") == false)
    assert(getmetatable(1) == nil)
end }
