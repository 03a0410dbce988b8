-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- table.move within it
local t = { 1, 2, 3 }
return { t = t, run = function() table.move(t, 1, 2, 2) end }
