-- expect: error_level_0.lua:4: plain
-- an error without position gets one
return { run = function()
    error("plain", 0)
end }
