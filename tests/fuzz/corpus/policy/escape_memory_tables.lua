-- expect: needs more than 4 MiB of memory
-- tables
return { name="a", model="slotted", slot = function(s)
    local t = {}
    while true do t = { t } end
end }
