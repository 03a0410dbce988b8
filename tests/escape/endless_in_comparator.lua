-- expect: used up its budget
-- a loop in a comparator
return { run = function()
    table.sort({ 3, 2, 1 }, function() while true do end end)
end }
