-- expect: exact: expected an integer, a decimal or "p/q", got NaN
-- the sign of NaN, which is the machine's
return { run = function() return exact(0 / 0) end }
