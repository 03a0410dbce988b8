-- expect: assigns to 'count', a local of the file, from inside a function (declare it in state = { ... }, which checkpoints carry)
-- a counter in a local of the file
local count = 0
return { name="a", model="slotted", slot = function(s) count = count + 1 end }
