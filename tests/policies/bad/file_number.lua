-- expect: returned number (expected a table)
return 1
