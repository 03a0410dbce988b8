-- expect: position out of bounds
-- no place is left behind the last one
return { run = function()
    local t = { [math.maxinteger] = true }
    for i = 0, 62 do t[1 << i] = true end
    table.insert(t, 5, "x")
end }
