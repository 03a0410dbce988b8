-- expect: returned number (expected a table)
-- returns a number
return 42
