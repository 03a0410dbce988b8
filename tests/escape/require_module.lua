-- expect: require: 'io' is not available in a policy
-- asks for a library of Lua
local io = require "io"
return { run = function()
    return io
end }
