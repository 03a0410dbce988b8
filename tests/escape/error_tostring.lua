-- expect: error value of type table
-- an error value whose __tostring would run in the handler
return { run = function()
    error(setmetatable({}, { __tostring = function() while true do end end }))
end }
