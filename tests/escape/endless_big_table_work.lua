-- expect: used up its budget
-- costly library calls in a loop are charged
return { run = function()
    local t = {}
    for i = 1, 1000 do t[i] = i end
    while true do table.concat(t) end
end }
