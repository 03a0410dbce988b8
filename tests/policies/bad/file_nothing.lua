-- expect: returned nothing (expected a table)
local x = 1
