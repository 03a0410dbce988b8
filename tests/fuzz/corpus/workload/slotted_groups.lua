return { name = "x", model = "slotted", attributes = { w = 1 }, generate = function(g) for i = 1, 9 do g:job { arrival = i, reduces = { i, 0, 2 }, group = "g" .. i % 3, w = -i } end end }
