-- The command `run`: an experiment script with the whole of Lua at hand, as plain lua would run it.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local mistaken = require "pinion.base.mistaken"

local M = {}

local function load_script(path)
    local text, name = files.input(path)
    -- A mark of UTF-8 and a first line for the system's loader are not Lua; an empty line keeps the
    -- numbering.
    text = text:gsub("^\xEF\xBB\xBF", "", 1):gsub("^#[^\n]*", "", 1)
    local chunk, problem = load(text, (path == "-" and "=" or "@") .. name)
    if not chunk then fault.located("usage", problem) end
    return chunk, name, text
end

-- Refuses a file that did nothing but return a policy.
local function check_returned(value, text, name)
    if type(value) == "table" and mistaken.is_policy(text, name) then
        fault.at(name, nil, string.format("is a policy (did you mean --policies %s?)", name))
    end
end

-- Returns what is left of an error for a person: the message with its place, no traceback.
local function message_of(problem, name)
    local text = problem
    if type(problem) ~= "string" then
        local meta = getmetatable(problem)
        local has_text = type(problem) == "number" or type(meta) == "table" and meta.__tostring
        text = has_text and tostring(problem) or string.format("raised a %s value", type(problem))
    end
    if text:find("^[^\n]-:%d+: ") then return text end
    return name .. ": " .. text
end

-- Runs of the library look for Ctrl-C themselves; this is for the Lua code around them.
local function stop_when_interrupted()
    if core.interrupted() then fault.interrupted() end
end

---@param arguments string[] script, then its own arguments
---@return integer exit code
function M.run(arguments)
    local chunk, name, text = load_script(arguments[1])
    arg = { [0] = arguments[1], table.unpack(arguments, 2) }
    debug.sethook(stop_when_interrupted, "", 100000)
    local ok, problem = xpcall(chunk, function(problem) return problem
        end, table.unpack(arguments, 2))
    debug.sethook()
    if not ok and fault.is(problem) and problem.code == 130 then error(problem, 0) end
    if not ok then fault.located("run", message_of(problem, name)) end
    check_returned(problem, text, name)
    return 0
end

return M
