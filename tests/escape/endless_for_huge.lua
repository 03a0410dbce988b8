-- expect: used up its budget
-- a for loop to infinity
return { run = function()
    for i = 1, math.huge do end
end }
