-- expect: used up its budget
-- ipairs over an endless __index
return { run = function()
    for _ in ipairs(setmetatable({}, { __index = function() return 1 end })) do end
end }
