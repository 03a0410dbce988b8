-- expect ok
-- __len of a frozen table is called with the table itself
local t
t = setmetatable({ 1 }, { __len = function(self) assert(rawequal(self, t)) return 7 end })
return { t = t, run = function() assert(#t == 7) end }
