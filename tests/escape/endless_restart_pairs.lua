-- expect: used up its budget
-- one pairs after the other over a long table
return { run = function()
    local t = {}
    for i = 1, 5000 do t['k' .. i] = i end
    while true do pairs(t) end
end }
