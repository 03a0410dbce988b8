-- expect: upvalue_counter_line.lua:7: assigns to 'count'
-- the message names the line of the assignment
local count = 0
return {
    run = function()
        local x = count
        count = x + 1
    end,
}
