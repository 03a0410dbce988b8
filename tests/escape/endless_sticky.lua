-- expect: used up its budget
-- goes on after the budget is used up: nothing in a policy catches it
return { run = function()
    local t = setmetatable({}, { __index = function() while true do end end })
    table.sort({ 1, 2, 3 }, function() return t.x end)
end }
