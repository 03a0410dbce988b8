-- expect: '__index' leads through more than 100 tables
-- a look-up in a thousand tables within one instruction
return { run = function()
    local t = {}
    for i = 1, 990 do t = setmetatable({}, { __index = t }) end
    while true do local x = t.x end
end }
