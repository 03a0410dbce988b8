-- expect: assigns to 'n', which outlives the call
-- the same, in a metamethod
local function object()
    local n = 0
    return setmetatable({}, { __call = function() n = n + 1 return n end })
end
local o = object()
return { o = o, run = function() return o() end }
