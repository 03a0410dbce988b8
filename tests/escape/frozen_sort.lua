-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- table.sort
local t = { 1, 2, 3 }
return { t = t, run = function() table.sort(t) end }
