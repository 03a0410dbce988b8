-- expect: setmetatable: '__name' is not available in a policy
-- a metatable with __name
return { run = function()
    setmetatable({}, { __name = function() end })
end }
