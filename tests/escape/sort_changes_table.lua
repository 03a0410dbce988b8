-- expect ok
-- a comparator that changes the table
return { run = function()
    local t = { 5, 4, 3, 2, 1 }
    table.sort(t, function(a, b) for i = 1, 50 do t[i] = nil end return a < b end)
    assert(table.concat(t, " ") == "1 2 3 4 5")
end }
