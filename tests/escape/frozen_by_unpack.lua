-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- a table handed out by table.unpack
local t = { {} }
return { t = t, run = function() local a = table.unpack(t) a.x = 1 end }
