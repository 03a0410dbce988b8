-- expect: source_syntax.lua:3: unexpected symbol near ']'
-- a syntax error has its line
local x = ]
