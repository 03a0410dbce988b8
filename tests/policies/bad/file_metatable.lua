-- expect: name: is required
return setmetatable({}, { __index = { name = "bad", model = "slotted", key = "remaining" } })
