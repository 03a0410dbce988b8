-- expect: used up its budget
-- the length of a table is charged by the places that are looked at
return { run = function()
    local t = {}
    for i = 0, 62 do t[1 << i] = true end
    for i = 1, 20000 do local n = #t end
end }
