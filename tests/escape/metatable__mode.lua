-- expect: setmetatable: '__mode' is not available in a policy
-- a metatable with __mode
return { run = function()
    setmetatable({}, { __mode = function() end })
end }
