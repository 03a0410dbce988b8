-- expect: used up its budget
-- a string of many bytes for each instruction
return { run = function()
    local s = ("x"):rep(50000)
    while true do local t = s .. s end
end }
