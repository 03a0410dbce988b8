-- expect ok
-- sorting needs little memory
return { run = function()
    local t = {}
    for i = 1, 10000 do t[i] = -i end
    table.sort(t)
    assert(t[1] == -10000 and t[10000] == -1)
end }
