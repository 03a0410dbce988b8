-- expect: '_ENV' is not available in a policy
-- _ENV as a parameter
return { run = function(_ENV) x = 1 return x end }
