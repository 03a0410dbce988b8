-- expect: used up its budget
-- lists of arguments that grow by themselves
local function f(...) return f(1, 2, 3, 4, 5, 6, 7, 8, 9, ...) end
return { run = f }
