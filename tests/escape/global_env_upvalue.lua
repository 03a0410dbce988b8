-- expect: '_ENV' is not available in a policy
-- assigns _ENV from a function
return { run = function() _ENV = {} end }
