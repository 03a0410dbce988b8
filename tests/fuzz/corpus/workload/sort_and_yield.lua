return { name = "x", model = "slotted", generate = function(g) table.sort({ 3, 2, 1 }, function(a, b) g:job { arrival = 1, maps = 1 } return a < b end) end }
