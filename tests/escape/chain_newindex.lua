-- expect: '__newindex' leads through more than 100 tables
-- an assignment through a thousand tables
return { run = function()
    local t = {}
    for i = 1, 990 do t = setmetatable({}, { __newindex = t }) end
end }
