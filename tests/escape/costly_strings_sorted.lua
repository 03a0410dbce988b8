-- expect: used up its budget
-- the same in a library function
return { run = function()
    local t = {}
    for i = 1, 50 do t[i] = ("\0"):rep(4000) .. i % 7 end
    while true do table.sort(t) end
end }
