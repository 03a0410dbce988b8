-- expect: this table is read-only once the file is loaded
-- memory in the table that a metatable points to
local class = {}
class.__index = class
local object = setmetatable({}, class)
return { object = object, run = function() class.count = 1 end }
