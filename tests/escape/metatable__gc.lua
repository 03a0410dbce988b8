-- expect: setmetatable: '__gc' is not available in a policy
-- a metatable with __gc
return { run = function()
    setmetatable({}, { __gc = function() end })
end }
