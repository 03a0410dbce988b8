-- expect: exact: expected an integer, a decimal or "p/q", got table
-- an address by way of a message
return { run = function() return exact({}) end }
