-- expect: '__index' leads through more than 100 tables
-- two chains that are allowed, joined
local function chain(length)
    local last = {}
    local first = last
    for i = 2, length do first = setmetatable({}, { __index = first }) end
    return first, last
end
return { run = function()
    for length = 1, 99 do
        local first, last = chain(length)
        setmetatable(last, { __index = chain(100 - length) })
        assert(first.x == nil)
    end
    local _, last = chain(60)
    setmetatable({}, { __index = chain(99) })
    setmetatable(last, { __index = chain(41) })
end }
