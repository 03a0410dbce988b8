return { name = "x", model = "slotted", generate = function(g) local t = {} for i = 1, 1e9 do t[i] = g:arrivals("poisson(" .. i .. ")") end end }
