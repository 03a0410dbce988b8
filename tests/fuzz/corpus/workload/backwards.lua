return { name = "x", model = "slotted", generate = function(g) for i = 9, 1, -1 do g:job { arrival = i, maps = 1 } end end }
