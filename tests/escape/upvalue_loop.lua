-- expect: assigns to 'i', a local of the file
-- a counter in the variable of a loop
local t = {}
for i = 1, 2 do t[i] = function() i = i + 1 return i end end
return { run = t[1] }
