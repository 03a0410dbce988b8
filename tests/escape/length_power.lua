-- expect: '^' is not available
-- the operator behind # is out of reach
local t <const> = { "" ^ {} }
return {}
