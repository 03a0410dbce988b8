-- expect: endless_loop.lua:4: used up its budget of 1000000 instructions in one call
-- while true do end
return { name="a", model="slotted", slot = function(s)
    while true do end
end }
