-- expect: C stack overflow
-- recursion through a comparator
local function f() table.sort({ 1, 2 }, f) return true end
return { run = f }
