-- expect: length_of_boolean.lua:5: attempt to get length of a boolean value
-- the length of what has none
local missing
return { run = function()
    return #(1 == 1)
end }
