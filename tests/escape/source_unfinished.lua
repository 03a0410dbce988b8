-- expect: unfinished string
-- a string without an end
local x = "abc
return {}
