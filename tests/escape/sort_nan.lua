-- expect ok
-- NaN among numbers
return { run = function()
    local t = { 3, 0/0, 1, 2 }
    table.sort(t)
    assert(#t == 4)
end }
