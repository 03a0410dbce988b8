-- expect: setmetatable: '__close' is not available in a policy
-- a metatable with __close
return { run = function()
    setmetatable({}, { __close = function() end })
end }
