return { name = "x", model = "makespan", ticks = 3, generate = function(g) g:job { maps = { 1/3, 2/3, 1 }, reduces = { count = 7, duration = 2/3 }, reduce_time = 0 } end }
