-- expect: '__index' leads through more than 100 tables
-- a long circle in which one key ends the look-up
return { run = function()
    local first = { x = 1 }
    local t = first
    for i = 1, 990 do t = setmetatable({}, { __index = t }) end
    setmetatable(first, { __index = t })
end }
