-- expect ok
-- __len is asked by #, not by rawlen, and may return anything
return { run = function()
    local t = setmetatable({ 1, 2 }, { __len = function(self, again) return rawequal(self, again) and "long" end })
    assert(#t == "long" and rawlen(t) == 2)
    local none = setmetatable({ 1 }, { __len = function() end, __pow = function() return "power" end })
    assert(#none == nil)
    assert(#setmetatable({ 1 }, { __pow = function() return "power" end }) == 1)
    assert(#setmetatable({}, { __index = { 1, 2, 3 } }) == 0)
end }
