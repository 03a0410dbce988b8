-- expect: used up its budget
-- every second assignment makes Lua move a table of 4096 keys
return { run = function()
    local t, n = {}, 4096
    for i = 1, n do t[i + 0.5] = true end
    local k = 1
    while true do t[k + 0.5] = nil t[k + 0.25] = true k = k + 1 end
end }
