-- Groups of the jobs of a trace by what it says of each, such as its user, as they come up.

local fault = require "pinion.base.fault"
local jobs = require "pinion.workload.jobs"

local M = {}

---@class pinion.Labels
---@field names string[] of the groups
---@field word string what the labels are
---@field where string the trace
---@field numbers table<string, integer> of the groups by label
local Labels = {}
Labels.__index = Labels

---@param word string what the labels are; none or size: there are no groups
---@param where string the trace
---@return pinion.Labels
function M.new(word, where)
    return setmetatable({ names = {}, numbers = {}, word = word, where = where }, Labels)
end

---Returns the number of the group of a job.
---@param label string|nil nil: the trace does not say
---@return integer|nil
function Labels:number(label)
    if self.word == "none" or self.word == "size" then return nil end
    label = label or "unknown"
    if not self.numbers[label] then
        if #self.names == jobs.GROUPS_MAX then
            fault.at(self.where, nil, string.format("group=%s: more than %d groups", self.word,
                jobs.GROUPS_MAX))
        end
        self.numbers[label] = #self.names
        self.names[#self.names + 1] = self.word .. " " .. label
    end
    return self.numbers[label]
end

return M
