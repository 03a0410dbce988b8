-- expect: returned function (expected a table)
-- returns a function
return function() end
