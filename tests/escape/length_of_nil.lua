-- expect: length_of_nil.lua:5: attempt to get length of a nil value
-- the length of what has none
local missing
return { run = function()
    return #nil
end }
