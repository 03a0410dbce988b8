-- ethout sense does no harm
return { name="a", model="slotted", slot = function(s)
    local t, flip = {}, false
    for i = 2, 200 do t[i] = i end
    table.sort(t, function() flip = not flip return flip end)
    local seen = {}
    for _, v in ipairs(t) do seen[v] = true end
    assert(#t == 199 and #seen == 200)
    table.sort(t, function() return true end)
    table.sort(t, function() return 0/0 < 1 end)
    assert(#t == 200)
end }
