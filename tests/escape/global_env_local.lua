-- expect: '_ENV' is not available in a policy
-- a local _ENV
local _ENV = {}
x = 1
return {}
