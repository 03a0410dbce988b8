-- expect: attempt to index a boolean value
-- poisons the methods of all strings
getmetatable("").__index = function() return 42 end
return {}
