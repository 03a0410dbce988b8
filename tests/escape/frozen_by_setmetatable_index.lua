-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- a table that is an __index
local base = {}
local t = setmetatable({}, { __index = base })
return { t = t, run = function() base.x = 1 end }
