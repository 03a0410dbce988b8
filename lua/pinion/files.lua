-- Reading whole files and writing results, with every error noticed: a full disk must not look like success.

local fault = require "pinion.fault"

local M = {}

---Reads a whole file; nil and the system's reason when it cannot.
---@param path string
---@return string|nil text, string|nil reason
function M.read(path)
    local file, why = io.open(path, "rb")
    if not file then return nil, why:sub(1, #path + 2) == path .. ": " and why:sub(#path + 3) or why end
    local text, reason = file:read("a")
    file:close()
    return text, reason
end

---Reads a whole file, or standard input for "-"; raises a fault when it cannot.
---@param path string
---@return string text, string name what messages call it
function M.input(path)
    local name, text, why = path, nil, nil
    if path == "-" then
        name = "<stdin>"
        text, why = io.stdin:read("a")
    else
        text, why = M.read(path)
    end
    if not text then fault.at(name, nil, why or "cannot be read") end
    return text, name
end

---@class pinion.Sink
---@field write fun(text: string)
---@field close fun()

-- The program itself looks at standard output before it ends (a full disk, a closed descriptor) and says so once.
local STANDARD_OUTPUT = {
    write = function(text) io.stdout:write(text) end,
    close = function() end,
}

---Fails early, before a long run, when a file cannot be written. What the file holds stays as it is.
---@param path string|nil
function M.check_writable(path)
    if not path then return end
    local file, why = io.open(path, "ab")
    if not file then fault.located("run", why) end
    file:close()
end

---A file as a sink, or standard output when there is no path.
---@param path string|nil
---@return pinion.Sink
function M.output(path)
    if not path then return STANDARD_OUTPUT end
    local file, why = io.open(path, "wb")
    if not file then fault.located("run", why) end
    local function checked(ok, reason)
        if not ok then fault.located("run", path .. ": " .. (reason or "cannot be written")) end
    end
    return {
        write = function(text) checked(file:write(text)) end,
        close = function()
            local ok, reason = file:flush()
            file:close()
            checked(ok, reason)
        end,
    }
end

return M
