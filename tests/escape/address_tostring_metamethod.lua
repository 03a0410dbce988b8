-- expect: '__tostring' must return a string
-- __tostring that returns a table
return { run = function()
    return tostring(setmetatable({}, { __tostring = function() return {} end }))
end }
