-- Faults: errors that are somebody's to mend, told apart from defects of the program. A fault
-- carries the exit code and a message that is complete as it stands; the program prints it, the
-- library raises it as a string.

local core = require "pinion.core"
local text = require "pinion.base.text"

local M = {}

---@class pinion.Fault
---@field text string the message, without "pinion: " before it
---@field located boolean whether the text starts with a file name already
---@field code integer exit code: 1 the run failed, 2 wrong usage or bad input, 130 interrupted
local Fault = {}
Fault.__index = Fault
Fault.__name = "pinion.Fault"
Fault.__tostring = function(self) return self.text end

local CODES = { run = 1, usage = 2, interrupted = 130 }

---The code of what Ctrl-C ended.
M.INTERRUPTED = CODES.interrupted

-- Raises; messages quote what they were given; whatever that holds, a message stays one line and
-- cannot steer a terminal.
local function raise(kind, message, located)
    error(setmetatable({ text = text.visible(message), located = located, code = CODES[kind]
        or 1 }, Fault), 0)
end

---Raises wrong usage or bad input, with no file to point at.
function M.usage(format, ...)
    raise("usage", string.format(format, ...), false)
end

---Raises bad input at a place: `where` a file (or file:line, or nil), `path` the field in it (or
---nil).
function M.at(where, path, reason)
    local parts = {}
    if where then parts[#parts + 1] = where end
    if path then parts[#parts + 1] = path end
    parts[#parts + 1] = reason
    raise("usage", table.concat(parts, ": "), where ~= nil)
end

---Raises bad input in a field whose reason may begin with the rest of the path to an element, such
---as "[2].speed: must be …".
function M.at_element(where, path, reason)
    local element, rest = reason:match("^(%[%d[^:]*): (.*)$")
    M.at(where, path .. (element or ""), rest or reason)
end

---Raises that the run itself failed.
function M.run(format, ...)
    raise("run", string.format(format, ...), false)
end

---Raises a message of pinion.core that names its file already; kind is "usage" or "run".
function M.located(kind, message)
    raise(kind, message, true)
end

---Raises a message of pinion.core without a file; kind is "usage" or "run".
function M.from_core(kind, message)
    raise(kind, message, false)
end

function M.interrupted()
    raise("interrupted", "interrupted", false)
end

---@return boolean
function M.is(value)
    return getmetatable(value) == Fault
end

---Returns whether the system had no memory left, which tells nothing about what ran then.
---@param problem any
---@return boolean
function M.is_memory(problem)
    return tostring(problem):match "^[^\n]*":find("not enough memory", 1, true) ~= nil
end

---Returns what f(...) returns; or nil and what it raised, a fault or a text with its traceback.
---Ctrl-C and a lack of memory go on.
---@return any value, any problem
function M.attempt(f, ...)
    local ok, value = xpcall(f, function(problem)
        return M.is(problem) and problem or debug.traceback(tostring(problem), 2)
    end, ...)
    if ok then return value, nil end
    local is_interrupted = M.is(value) and value.code == CODES.interrupted
    if is_interrupted or M.is_memory(value) then error(value, 0) end
    return nil, value
end

local calls = 0 -- of functions of the library that run now, one within the other

local function call(f, ...)
    calls = calls + 1
    local results = table.pack(core.plainly(f, ...))
    calls = calls - 1
    return results
end

---Returns whether a script called a function of the library that has not returned yet.
---@return boolean
function M.within_call()
    return calls > 0
end

---Wraps a function of the library that scripts call: it runs in the "C" locale, and its errors pass
---as they are.
function M.plain(f)
    return function(...)
        local results = call(f, ...)
        if not results[1] then error(results[2], 0) end
        return table.unpack(results, 2, results.n)
    end
end

---Makes it public: its faults become plain error messages that point at the caller's line.
function M.public(f)
    return function(...)
        local results = call(f, ...)
        if results[1] then return table.unpack(results, 2, results.n) end
        local problem = results[2]
        if not M.is(problem) or problem.code == CODES.interrupted then error(problem, 0) end
        error(problem.text, 2)
    end
end

return M
