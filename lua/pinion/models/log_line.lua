-- What readers of decision logs share: lines and times, and how a log is refused that cannot be.

local fault = require "pinion.base.fault"
local text = require "pinion.base.text"

local M = {}

---@alias pinion.LoggedTime number|string an integer, "p/q" in lowest terms, or a float, as the model has times: equal times are equal values

---What phases of a job are called where maps and reduces have slots of their own, see
---output/explain.
M.PHASES_IN_SLOTS = {
    kinds = { "map", "reduce" },
    running = { map = "mapping", reduce = "reducing", both = "mapping, reduces have started" },
    waiting = { map = "waiting for a map slot", reduce = "waiting for a reduce slot" },
    unknown = "waiting for a slot", holds_early = true,
}

---Returns a logged time as a double; nil when it is none.
---@param value any
---@return number|nil
function M.number(value)
    if math.type(value) == "integer" then return value >= 0 and value + 0.0 or nil end
    if type(value) ~= "string" then return nil end
    local num, den = value:match "^(%d+)/(%d+)$"
    num, den = math.tointeger(tonumber(num)), math.tointeger(tonumber(den))
    if not num or not den or den <= 0 then return nil end
    -- The whole part apart, as it may have more digits than a double.
    return num // den + num % den / den
end

---Returns a time of any model as a double; nil when it is none.
---@param value any
---@return number|nil
function M.double(value)
    if math.type(value) ~= "float" then return M.number(value) end
    return value >= 0 and value < math.huge and value or nil
end

---Returns the time from one logged time to a later one: an integer where both are.
---@param to pinion.LoggedTime
---@param from pinion.LoggedTime
---@return number
function M.difference(to, from)
    if math.type(to) == "integer" and math.type(from) == "integer" then return to - from end
    return M.double(to) - M.double(from)
end

-- Fails with what a log says that cannot be: the run of this command failed, as that of `verify`
-- does.
function M.fail(path, line, format, ...)
    fault.located("run", string.format("%s:%d: %s", path, line, string.format(format, ...)))
end

---Writes a time as people read it: "47", "107/3 (35.667)".
---@param value pinion.LoggedTime
---@return string
function M.time_text(value)
    if type(value) == "string" then
        return string.format("%s (%s)", value, text.number(M.number(value), 3))
    end
    return tostring(value)
end

return M
