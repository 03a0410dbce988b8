-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- table.insert
local t = { 1, 2, 3 }
return { t = t, run = function() table.insert(t, 4) end }
