-- expect: used up its budget
-- long lists of arguments, copied in every call
local function f(...) return f(...) end
local values = {}
for i = 1, 8000 do values[i] = i end
return { run = function() return f(table.unpack(values)) end }
