-- Starts the program under test and collects what it prints. Its path comes from the environment: PINION, default build/pinion.

local check = require "check"

local M = { path = os.getenv "PINION" or "build/pinion", directory = check.directory() }

local function quote(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

---@param arguments string[]
---@param input string|nil standard input; nil: none
---@param redirect string|nil where standard output goes instead of being collected
---@return string output, string messages, integer exit_code
function M.run(arguments, input, redirect)
    local base = M.directory .. "/run"
    check.write_file(base .. ".in", input or "")
    local words = { quote(M.path) }
    for i, argument in ipairs(arguments) do words[i + 1] = quote(argument) end
    local command = string.format("%s <%s.in >%s 2>%s.err", table.concat(words, " "), base, redirect or base .. ".out", base)
    local _, _, code = os.execute(command)
    return redirect and "" or check.read_file(base .. ".out"), check.read_file(base .. ".err"), code
end

---A file in the test's directory.
---@return string path
function M.file(name, text)
    local path = M.directory .. "/" .. name
    if text then check.write_file(path, text) end
    return path
end

return M
