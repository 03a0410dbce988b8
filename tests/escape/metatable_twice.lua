-- expect: has a metatable already
-- replaces a metatable
return { run = function()
    setmetatable(setmetatable({}, {}), {})
end }
