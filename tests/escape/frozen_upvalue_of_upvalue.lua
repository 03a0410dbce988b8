-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- a table that is an upvalue of an upvalue
local hidden, t = {}, {}
local function remember(x) hidden[1] = x end
return { t = t, run = function() remember(1) end }
