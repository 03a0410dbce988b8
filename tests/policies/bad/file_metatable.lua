-- expect: name: must be a name
return setmetatable({}, { __index = { name = "bad", model = "slotted", key = "remaining" } })
