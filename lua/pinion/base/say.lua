-- Notices on standard error.

local text = require "pinion.base.text"

---Writes a notice, with what it quotes escaped.
---@param format string
return function(format, ...)
    io.stderr:write("pinion: ", text.line(format, ...))
end
