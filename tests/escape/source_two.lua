-- expect: returned 2 values (expected one table)
-- returns two values
return {}, {}
