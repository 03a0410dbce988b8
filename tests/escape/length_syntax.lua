-- expect: length_syntax.lua:4: unexpected symbol near '#'
-- a text that Lua refuses is refused in Lua's own words
local function f() end
local a = f #x
