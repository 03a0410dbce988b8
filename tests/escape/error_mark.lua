-- expect: error_mark.lua:4:
-- a message that pretends to have a position
return { run = function()
    error("\1:0: x", 0)
end }
