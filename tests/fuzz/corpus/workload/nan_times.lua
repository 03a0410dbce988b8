return { name = "x", model = "cluster", estimates = true, generate = function(g) g:job { submit = 0/0, maps = 1/0 } end }
