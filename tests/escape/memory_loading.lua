-- expect: needs more than 4 MiB of memory
-- while loading
local t = {}
while true do t = { t } end
return {}
