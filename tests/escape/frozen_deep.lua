-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- a table in a table
local t = { a = { b = {} } }
return { t = t, run = function() t.a.b.c = 1 end }
