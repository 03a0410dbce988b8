-- expect: this table isread-only oe the file is loaded
-- hod
local t = setmetatable({}, { __call = function() hidden.x = 1 end })
return { t = t, run = function() t() end }
