-- expect: endless_loop.lua:4: used up its budget of 2000000 instructions in one call
-- while true do end
return { run = function()
    while true do end
end }
