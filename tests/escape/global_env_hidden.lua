-- expect: global_env_hidden.lua:8: '_ENV' is not available in a policy
-- _ENV behind strings and comments that end late
local a = "--[["
local b = [==[ ]] ]=] ]==]
local c = 'it\'s \\'
--[=[ ]] ]=] local d = "\z

    " local e = _ENV
return {}
