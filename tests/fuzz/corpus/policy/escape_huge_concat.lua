-- expect: 1000000 bytes
-- table.concat of 10^7 bytes
return { name="a", model="slotted", slot = function(s)
    local t, s = {}, ("x"):rep(100000)
    for i = 1, 100 do t[i] = s end
    return table.concat(t)
end }
