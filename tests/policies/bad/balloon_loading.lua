-- expect: needs more than 64 MiB of memory
local t = {}
for i = 1, math.maxinteger do t[i] = { i } end
