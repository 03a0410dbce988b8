return { name = "x", model = "cluster", generate = function(g) while true do g:job { submit = 3, maps = 1, map_ms = 0 } end end }
