-- expect: assigns to 'count', a local of the file
-- a counter in a local of the file, two functions deep
local count = 0
return { run = function() local function bump() return function() count = count + 1 end end bump()() end }
