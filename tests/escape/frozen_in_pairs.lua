-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- a table handed out by pairs
local t = { {} }
return { t = t, run = function() for _, v in pairs(t) do v.x = 1 end end }
