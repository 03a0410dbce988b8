-- expect: setmetatable: '__pairs' is not available
-- an order of one's own
return { run = function()
    return setmetatable({}, { __pairs = print })
end }
