-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- writes a field that exists
local t = { 1, 2, 3 }
return { t = t, run = function() t[1] = 5 end }
