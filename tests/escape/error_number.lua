-- expect: error_number.lua:4: 42
-- error(42)
return { run = function()
    error(42)
end }
