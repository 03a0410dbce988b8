-- expect: needs more than 4 MiB of memory
-- tables
return { run = function()
    local t = {}
    while true do t = { t } end
end }
