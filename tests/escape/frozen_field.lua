-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- writes a new field
local t = { 1, 2, 3 }
return { t = t, run = function() t.x = 1 end }
