-- Files that a run reads, so that none of them is written over by what comes out of it.

local check = require "pinion.base.check"
local core = require "pinion.core"
local files = require "pinion.base.files"
local variant = require "pinion.policy.variant"

local M = {}

local function append(list, more)
    return table.move(more, 1, #more, #list + 1, list)
end

-- The files that a comparison, a sweep, or the workload of a scenario file was made from.
local made_from = setmetatable({}, { __mode = "k" })

---@param made table a comparison, a sweep or a workload
---@param paths string[] that it was made from; "-": standard input
function M.note(made, paths)
    made_from[made] = paths
end

---Returns what a workload is read from.
---@param work pinion.Workload
---@return string[] paths
function M.of_workload(work)
    return append(work:files(), made_from[work] or {})
end

---Returns the files among these policies.
---@param references any[] names, files, texts
---@return string[] paths
function M.of_policies(references)
    local paths = {}
    for _, reference in ipairs(references) do
        reference = variant.base(reference)
        local is_file = check.text(reference) and reference:find("%.lua$")
        if is_file and core.file_exists(reference) then paths[#paths + 1] = reference end
    end
    return paths
end

---@param settings pinion.Settings
---@param references any[]|nil policies that are going to run; nil: that of the settings
---@return string[] paths
function M.of(settings, references)
    local policies = M.of_policies(references or { settings.policy })
    return append(M.of_workload(settings.workload), policies)
end

-- Returns the files that a SPEC names: reading one only to see what it names could take long.
local function of_spec(spec)
    local paths = {}
    for path in (spec:match "^%s*%w+:([^,]*)" or ""):gmatch "[^+]+" do paths[#paths + 1] = path end
    return paths
end

---Returns what a sweep reads: its workload may vary.
---@param settings pinion.Settings
---@param references any[] policies
---@param axes pinion.Axis[]
---@return string[] paths
function M.of_sweep(settings, references, axes)
    local paths = M.of(settings, references)
    for _, axis in ipairs(axes) do
        for _, value in ipairs(axis.name == "workload" and axis.given or {}) do
            append(paths, type(value) == "string" and of_spec(value) or M.of_workload(value))
        end
    end
    return paths
end

---@class pinion.Destinations paths, by the options that name them
---@field output string|nil
---@field log string|nil
---@field checkpoint string|nil
---@field plot string|nil

---Raises a fault when a file that is going to be written is one of those read, or is written twice.
---@param paths string[] that are read
---@param options pinion.Destinations
---@param dashes string|nil what messages put before the options' names; default --
function M.keep_from(paths, options, dashes)
    local written = {}
    local function add(name, path, what)
        if not path then return end
        written[#written + 1] = { path = path, name = (dashes or "--") .. name, what = what }
    end
    add("output", options.output, "the result")
    if not options.output and not dashes then
        written[1] = { name = "standard output", what = "the result" }
    end
    add("log", options.log, "the decision log")
    add("checkpoint", options.checkpoint, "the checkpoint")
    local base = options.plot and options.plot:match "^(.+)%.%a+$"
    add("plot", options.plot, "the figure")
    add("plot", base and base .. ".dat", "the figure's data")
    add("plot", base and base .. ".gp", "the figure's script")
    files.keep_apart(paths, written)
end

---Does as M.keep_from for what a comparison or a sweep is written to.
---@param made table
---@param options pinion.Destinations
function M.keep_from_those_of(made, options)
    -- What is no file name is refused where it is used.
    if not check.text(options.output or options.plot) then return end
    M.keep_from(made_from[made] or {}, options, "")
end

return M
