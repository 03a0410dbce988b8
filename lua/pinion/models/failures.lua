-- Failures of nodes, from lists in scenarios and short forms of the command line.

local check = require "pinion.base.check"
local entries = require "pinion.models.entries"

local M = {}

local NODES_MOST = 1 << 22

---@class pinion.Failure
---@field time integer ms
---@field node integer from 0
---@field recover integer|nil ms; nil: it stays down

local FAILURE_FIELDS = {
    { name = "time", low = 0, high = check.INTEGER_MAX, required = "ms, an integer >= 0" },
    { name = "node", low = 0, high = NODES_MOST - 1, required = "the number of a node, from 0" },
    { name = "recover", low = 1, high = check.INTEGER_MAX, null = true },
}

local FAILURES_FORM =
    "must be an array of { time, node, recover }, or text such as 50000:1:90000+70000:4 "
    .. "(time:node:recovery), got "

local function failure_of_text(piece)
    local time, node, recover = piece:match("^%s*(%d+):(%d+):?(%d*)%s*$")
    if not time then return nil end
    return { time = time, node = node, recover = recover ~= "" and recover or nil }
end

---Reads failures of nodes: an array, or text such as "50000:1:90000".
---@param value any
---@param json boolean|nil whether it is from a file, where {} is no array
---@return pinion.Failure[]|nil failures, string|nil reason
function M.read(value, json)
    local list = value
    if type(value) == "string" then list = entries.of_text(value, failure_of_text) end
    if not check.is_array(list, not (json and list == value)) then
        return nil, FAILURES_FORM .. check.show(value)
    end
    local failures, why = entries.read(list, FAILURE_FIELDS, "time and node")
    if not failures then return nil, why end
    for i, failure in ipairs(failures) do
        if failure.recover and failure.recover <= failure.time then
            return nil, string.format("[%d].recover: must be > time (%d), got %d", i, failure.time,
                failure.recover)
        end
    end
    return failures
end

---Writes failures as text has them.
---@param value any
---@return string|nil text, string|nil reason
function M.text(value)
    local failures, why = M.read(value)
    if not failures then return nil, why end
    local pieces = {}
    for i, failure in ipairs(failures) do
        pieces[i] = string.format("%d:%d%s", failure.time, failure.node, failure.recover and ":"
            .. failure.recover or "")
    end
    return #pieces > 0 and table.concat(pieces, "+") or "none"
end

---Checks failures; returns what is wrong with them on so many nodes; nil when nothing is.
---@param failures pinion.Failure[]
---@param count integer nodes
---@return string|nil reason
function M.check(failures, count)
    for i, failure in ipairs(failures) do
        if failure.node >= count then
            return string.format(
                "[%d].node: there is no node %d (expected 0..%d, as the cluster has)", i,
                failure.node, count - 1)
        end
    end
end

return M
