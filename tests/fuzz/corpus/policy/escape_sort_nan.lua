-- expect ok
-- NaN among numbers
return { name="a", model="slotted", slot = function(s)
    local t = { 3, 0/0, 1, 2 }
    table.sort(t)
    assert(#t == 4)
end }
