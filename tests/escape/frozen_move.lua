-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- table.move into it
local t = { 1, 2, 3 }
return { t = t, run = function() table.move({ 9 }, 1, 1, 1, t) end }
