-- expect: assigns to 'count', a local of the file
-- a counter in a block of the file
local bump
do
    local count = 0
    bump = function() count = count + 1 return count end
end
return { run = bump }
