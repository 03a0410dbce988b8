-- expect ok
-- a for loop at the largest integer ends
return { run = function()
    local count = 0
    for i = math.maxinteger - 1, math.maxinteger do count = count + 1 end
    for i = math.mininteger + 1, math.mininteger, -1 do count = count + 1 end
    for i = 1, math.mininteger do count = count + 1 end
    assert(count == 4)
end }
