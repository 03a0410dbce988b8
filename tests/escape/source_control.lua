-- expect: source_control.lua:3:
-- terminal codes in a syntax error
local x = 1 [31m
