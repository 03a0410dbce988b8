-- expect: 1000000 bytes
-- s .. s
return { run = function()
    local s = "x"
    while true do s = s .. s end
end }
