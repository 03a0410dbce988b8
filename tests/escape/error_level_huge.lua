-- expect: error_level_huge.lua:4: far
-- an error level out of all bounds
return { run = function()
    error("far", math.maxinteger)
end }
