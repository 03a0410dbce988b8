-- expect ok
-- __index of a frozen table is called with the table itself, not with what is behind it
local seen = {}
local t = setmetatable({}, { __index = function(self, key) return self end })
return { t = t, run = function()
    assert(rawequal(t.anything, t))
end }
