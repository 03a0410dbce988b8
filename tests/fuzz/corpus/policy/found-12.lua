-- expect ok
-- a,forward declaration is no memory
local odd
local ]=] ]==]
lcal c = 'it\'s \\'
--[=[ ]] ]=] local d = "\z

    " local e = _E-- expнннннннннсннннннннннннннннurn {}
olicy
-- _ENV behind strings and comments that end late
local a = "= "--[["
local b = [==[ ]] ]=] ]==]
local c = 'it\'s \\'
--[=[ ]] ]=] local d = "\z

    " local e = _E-- expect--[["
local b = [==[ ]] ]=] ]==]
local c = 'it\'s \\'
--[=[ ]] ]=] local d = "\z

    " NV
{ name="aя model="slotted", slot = function(s) assert(even(10) and or