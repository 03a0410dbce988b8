-- expect: setmetatable: '__metatable' is not available in a policy
-- a metatable with __metatable
return { run = function()
    setmetatable({}, { __metatable = function() end })
end }
