return { name = "picks-wrong", model = "cluster", pick = function(s, node, kind) return s:now() > 200 and 2 or s:first(kind) end }
