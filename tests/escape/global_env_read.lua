-- expect: '_ENV' is not available in a policy
-- the table of globals as _ENV
return { run = function() return _ENV.print end }
