return { name = "kills-too-soon", model = "cluster", key = { changes = "arrival", of = function(s, job) return 1 end }, plan = function(s, reason) if s:now() > 100 then s:kill(1, "map", 1) end end }
