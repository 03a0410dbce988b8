-- expect: used up its budget
-- a few names beside a long list: Lua counts the list whenever it makes room for a name
return { run = function()
    local t = {}
    for i = 1, 20000 do t[i] = i end
    local k = 0
    while true do
        k = k + 1
        t["a" .. k] = true
        t["a" .. k - 4] = nil
    end
end }
