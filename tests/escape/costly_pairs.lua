-- expect: used up its budget
-- pairs looks through all places of a table that was emptied
return { run = function()
    local t = {}
    for i = 1, 10000 do t[i + 0.5] = true end
    for i = 1, 10000 do t[i + 0.5] = nil end
    while true do for _ in pairs(t) do end end
end }
