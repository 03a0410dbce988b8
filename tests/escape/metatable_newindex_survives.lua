-- expect: this table is read-only once the file is loaded
-- a __newindex that would let writes through
local hidden = {}
local t = setmetatable({}, { __newindex = hidden })
return { t = t, run = function() t.x = 1 end }
