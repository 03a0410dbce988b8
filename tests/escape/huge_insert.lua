-- expect: position out of bounds
-- table.insert far away
return { run = function()
    table.insert({}, math.maxinteger, 1)
end }
