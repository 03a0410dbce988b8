-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- clears a field
local t = { 1, 2, 3 }
return { t = t, run = function() t[1] = nil end }
