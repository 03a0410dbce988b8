-- expect: setmetatable: '__pairs' is not available in a policy
-- a metatable with __pairs
return { run = function()
    setmetatable({}, { __pairs = function() end })
end }
