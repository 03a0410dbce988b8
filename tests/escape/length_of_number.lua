-- expect: length_of_number.lua:5: attempt to get length of a number value
-- the length of what has none
local missing
return { run = function()
    return #5
end }
