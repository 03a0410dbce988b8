-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- a table that is only an upvalue
local hidden, t = {}, {}
return { t = t, run = function() hidden.x = 1 end }
