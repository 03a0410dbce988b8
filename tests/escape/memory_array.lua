-- expect: needs more than 4 MiB of memory
-- one array
return { run = function()
    local t = {}
    for i = 1, math.huge do t[i] = i end
end }
