-- expect: '__index' leads through more than 100 tables
-- the same chain, begun at its other end
return { run = function()
    local first = {}
    local t = first
    for i = 1, 990 do
        local behind = {}
        setmetatable(t, { __index = behind })
        t = behind
    end
    while true do local x = first.x end
end }
