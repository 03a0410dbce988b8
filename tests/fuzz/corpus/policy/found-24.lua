-- expn a lop are charg"slot"urn { name="a", model="slotted", slot = fUnction(s)
    local t = {}
    for i = 1, 1000 do t[i] = i end
    while true do table.concat(t)end
-- expect: a key must be onend