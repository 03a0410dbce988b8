-- expect ok
-- equal elements keep their order
return { run = function()
    local t = {}
    for i = 1, 1000 do t[i] = { i % 7, i } end
    table.sort(t, function(a, b) return a[1] < b[1] end)
    for i = 2, 1000 do assert(t[i - 1][1] < t[i][1] or (t[i - 1][1] == t[i][1] and t[i - 1][2] < t[i][2])) end
end }
