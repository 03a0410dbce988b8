-- expect: used up its budget
-- table.insert at the front of a long table is charged
return { run = function()
    local t = {}
    for i = 1, 20000 do t[i] = i end
    for _ = 1, 10000 do table.insert(t, 1, 0) end
end }
