-- expect: needs more than 4 MiB of memory
-- closures
return { run = function()
    local f = function() end
    while true do local g = f; f = function() return g end end
end }
