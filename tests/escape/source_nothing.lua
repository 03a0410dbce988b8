-- expect: returned nothing (expected a table)
-- returns nothing
local x = 1
