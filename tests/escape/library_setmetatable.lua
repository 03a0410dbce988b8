-- expect: has a metatable already
-- gives a library table another metatable
return { run = function()
    setmetatable(string, { __index = {} })
end }
