-- Results that were stored as JSON, as comparisons and sweeps again: with all that a page shows of
-- them but what needs the runs themselves.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local models = require "pinion.models"
local parts = require "pinion.output.parts"

local M = {}

-- Without the nulls of JSON, at most as deep as results are.
local DEPTH_MOST = 8

local function plain(value, depth)
    if value == core.null then return nil end
    if type(value) ~= "table" then return value end
    if depth == 0 then return nil end
    local made = {}
    for key, one in next, value do made[key] = plain(one, depth - 1) end
    return made
end

local function refuse(path, what)
    fault.at(path, nil, what .. " (expected what simulate, compare or sweep wrote as .json, or a "
        .. "decision log)")
end

-- ---- rows ---------------------------------------------------------------------------------------

-- Counts how often each value of a sample occurs among the stored jobs.
local function counts_of(jobs, sample)
    local counts = {}
    for _, job in ipairs(jobs) do
        local value = job[sample.column or sample.name]
        if type(value) == "number" then counts[value] = (counts[value] or 0) + 1 end
    end
    return counts
end

-- Returns what a row of a comparison has: the quantiles of the first sample stand in it.
local function row_of(model, stored, path)
    if not check.is_object(stored) or type(stored.policy) ~= "string" then
        refuse(path, "a result without its policy")
    end
    local first, row = stored[model.results.samples[1].name], { pooled = {} }
    for name, value in next, type(first) == "table" and first or {} do row[name] = value end
    for name, value in next, stored do row[name] = value end
    row.finished, row.measured = row.finished or 0, row.measured or row.finished or 0
    for _, sample in ipairs(model.results.samples) do
        if type(stored[sample.name]) ~= "table" then
            refuse(path, string.format("a result without its %s", sample.name))
        end
        if type(stored.jobs) == "table" then
            row.pooled[sample.name] = counts_of(stored.jobs, sample)
        end
    end
    row.samples = row.samples or {}
    return row
end

-- ---- all of it ----------------------------------------------------------------------------------

-- Completes what is not stored, as the rows tell it.
local function complete(model, made)
    made.bounds = "none"
    for _, row in ipairs(made.rows) do
        for _, bound in ipairs { "fast", "tight" } do
            local ratio = parts.ratio_of(model, bound)
            if ratio and row[ratio.name] ~= nil and made.bounds ~= "tight" then
                made.bounds = bound
            end
        end
        made.admits = made.admits or (row.rejected or 0) > 0
    end
    made.replicas = made.replicas or 1
    made.completed = made.completed or made.replicas
    made.interrupted, made.growing = made.interrupted or false, made.growing or false
    return made
end

---Loads a file's object; nil when it is not a result, but may be a scenario.
---@param path string
---@return table|nil
function M.load(path)
    local text, name = files.input(path)
    local decoded, problem = core.json_decode(text, name)
    if decoded == nil and problem then fault.located("usage", tostring(problem)) end
    if not check.is_object(decoded) then refuse(path, "not a result") end
    decoded.rows = decoded.rows or decoded.results -- as version 0.8 had it
    if not (decoded.digest or decoded.rows) then return nil end
    return plain(decoded, DEPTH_MOST)
end

---@class pinion.Stored
---@field kind "comparison"|"sweep"|"result"
---@field value pinion.Comparison|pinion.Sweep|pinion.ComparisonRow
---@field heads table|nil of a result: all that is stored

---@param path string
---@param stored table of M.load
---@return pinion.Stored, pinion.Model
function M.read(path, stored)
    local model = type(stored.model) == "string" and models.find(stored.model)
    if not model then refuse(path, "a result of no known model") end
    if stored.policy then
        return { kind = "result", value = row_of(model, stored, path), heads = stored }, model
    end
    local kind = stored.over and "sweep" or "comparison"
    local list = stored.rows
    if type(list) ~= "table" or #list == 0 then refuse(path, "a result without rows") end
    local rows = {}
    for i, row in ipairs(list) do rows[i] = row_of(model, row, path) end
    stored.rows, stored.baseline = rows, stored.baseline or rows[1].policy
    if kind == "sweep" then stored.title = { model = stored.model, workload = stored.workload } end
    return { kind = kind, value = complete(model, stored) }, model
end

---Joins stored results of single runs as one comparison.
---@param model pinion.Model
---@param list { path: string, stored: pinion.Stored }[]
---@return pinion.Comparison
function M.join(model, list)
    local made, seen = { model = model.name, rows = {} }, {}
    for _, name in ipairs(model.settings.heads) do made[name] = list[1].stored.heads[name] end
    for i, entry in ipairs(list) do
        local row = entry.stored.value
        if seen[row.policy] then
            row.policy = string.format("%s (%s)", row.policy, entry.path)
        end
        seen[row.policy] = true
        made.rows[i] = row
    end
    made.baseline = made.rows[1].policy
    if #list == 1 then made.seed, made.submitted = list[1].stored.heads.seed,
        list[1].stored.heads.submitted end
    return complete(model, made)
end

return M
