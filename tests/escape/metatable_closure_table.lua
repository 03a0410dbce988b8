-- expect: this table is read-only once the file is loaded
-- memory in an upvalue of a metamethod
local hidden = {}
local t = setmetatable({}, { __call = function() hidden.x = 1 end })
return { t = t, run = function() t() end }
