-- expect: absent_while_loading.lua:3: 'os' is not available in a policy
-- reads a forbidden global while loading
local clock = os.clock
return {}
