-- expect: needs more than 4 MiB of memory
-- strings
return { run = function()
    local t, s = {}, ('x'):rep(10000)
    for i = 1, math.huge do t[i] = s .. i end
end }
