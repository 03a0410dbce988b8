-- expect: attempt to compare
-- numbers and strings
return { run = function()
    table.sort({ 1, "a", 2 })
end }
