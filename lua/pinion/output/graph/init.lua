-- Pictures of the stages of a job of the dag model.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local layout = require "pinion.output.graph.layout"
local models = require "pinion.models"
local svg = require "pinion.output.graph.svg"
local workload = require "pinion.workload"

local M = {}

local STAGES_MOST = 2000

-- ---- a job --------------------------------------------------------------------------------------

-- Returns the longest task of a stage, and whether all are as long.
local function longest_of(stage)
    local durations = stage.durations
    if not durations then return stage.duration, stage.duration * stage.tasks, true end
    local longest, sum, even = 0, 0, true
    for _, ms in ipairs(durations) do
        longest, sum, even = math.max(longest, ms), sum + ms, even and ms == durations[1]
    end
    return longest, sum, even
end

-- Returns stages as they are drawn, and what all of them have. Names stand in the record of the
-- job, where there is one.
local function drawn_stages(job, record)
    local made = { stages = {}, parents = {}, tasks = 0, work = 0 }
    for s, stage in ipairs(job.stages) do
        local ms, sum, even = longest_of(stage)
        local tasks = stage.tasks or #stage.durations
        made.stages[s] = { name = record and record.stages[s].name or "S" .. s - 1, tasks = tasks,
            ms = math.max(1, ms) + (stage.start_ms or 0), even = even,
            demand = table.concat(stage.demand, ", ") }
        made.parents[s] = {}
        for i, parent in ipairs(stage.parents or {}) do made.parents[s][i] = parent + 1 end
        made.tasks, made.work = made.tasks + tasks, made.work + sum
    end
    return made
end

-- Returns the one of these stages from which the longest path begins; of equal ones the first.
local function longest_from(list, down)
    local best
    for _, s in ipairs(list) do
        if not best or down[s] > down[best] then best = s end
    end
    return best
end

-- Marks the path of the longest tasks; nil where stages wait for each other in a circle.
local function mark_critical(made)
    local children = layout.children(made.parents)
    local order, down, roots = layout.order(made.parents, children), {}, {}
    if #order < #made.stages then return nil end
    for i = #order, 1, -1 do
        local s = order[i]
        local next_one = longest_from(children[s], down)
        down[s] = made.stages[s].ms + (next_one and down[next_one] or 0)
    end
    for s, list in ipairs(made.parents) do
        if #list == 0 then roots[#roots + 1] = s end
    end
    made.critical, made.next_critical, made.path_stages = {}, {}, 0
    local at = longest_from(roots, down)
    made.path = down[at]
    while at do
        local following = longest_from(children[at], down)
        made.critical[at], made.next_critical[at] = true, following
        made.path_stages, at = made.path_stages + 1, following
    end
    return made
end

-- ---- the job of a workload ----------------------------------------------------------------------

-- Returns the job with this number; nil when there are fewer.
local function find_job(source, number)
    local found, count = nil, 0
    local done, why = source:jobs(number, function(job)
        count = count + 1
        found = count == number and job or nil
        return count < number
    end)
    if not done and core.interrupted() then fault.interrupted() end
    if not done then fault.run("graph: %s", why) end
    return found, count
end

---Returns a job that was opened, as the picture has it.
---@param opened pinion.Opened
---@param number integer
---@return pinion.GraphJob
local function job_of(opened, number)
    local job, count = find_job(opened.core, number)
    if not job then
        fault.usage("graph: job: must be at most %d, as there are no more jobs, got %d", count,
            number)
    end
    if #job.stages > STAGES_MOST then
        fault.usage("graph: job %d has %d stages (expected at most %d to be drawn)", number,
            #job.stages, STAGES_MOST)
    end
    local made = mark_critical(drawn_stages(job, opened.records[number]))
    if not made then
        fault.usage("graph: stages of job %d wait for each other in a circle", number)
    end
    local name = opened.names[number]
    made.name = name and string.format("%s, job %d", name, number) or "job " .. number
    return made
end

---@param model pinion.Model
---@return boolean whether its jobs have stages
function M.draws(model)
    for _, list in ipairs(model.jobs.lists) do
        if list == "stages" then return true end
    end
    return false
end

---Writes the picture of a job of a workload that was opened.
---@param opened pinion.Opened of a model whose jobs have stages
---@param output string
---@param options { job: integer|nil, title: string|nil }
function M.write(opened, output, options)
    local job = job_of(opened, options.job or 1)
    files.write(output, function(sink) svg.write(job, options.title, sink) end)
end

local OPTIONS = {
    job = function(value) return check.integer(value, 1, check.INTEGER_MAX) end,
    seed = function(value) return check.integer(value, 0, check.INTEGER_MAX) end,
    replica = function(value) return check.integer(value, 0, 0xFFFFFFFF) end,
    title = check.text,
}

local function read_options(options)
    if type(options) ~= "table" then
        fault.usage("graph: expected a table of options, got %s", check.show(options))
    end
    local key, unknown = check.unknown_key(options, OPTIONS, "option")
    if key ~= nil then fault.usage("graph: %s: %s", key, unknown) end
    for _, name in ipairs(check.sorted_keys(options)) do
        local value, why = OPTIONS[name](options[name])
        if value == nil then fault.usage("graph: %s: %s", name, why) end
    end
    return options
end

---@param work pinion.Workload
---@param output string ending in .svg
---@param options { job: integer|nil, seed: integer|nil, replica: integer|nil, title: string|nil }|nil
function M.draw(work, output, options)
    options = read_options(options or {})
    if not workload.is(work) then
        fault.usage("graph: expected a workload, got %s", check.show(work))
    end
    local name, why = check.text(output)
    if not name then fault.usage("graph: file name %s", why) end
    if not name:find "%.svg$" then
        fault.usage("graph: file name must end in .svg, got %s", check.show(name))
    end
    local opened = work:open { seed = options.seed, replica = options.replica }
    if not M.draws(models.find(opened.model)) then
        fault.usage("graph: jobs of the %s model have no stages to draw", opened.model)
    end
    files.check_writable(output)
    M.write(opened, output, options)
end

return M
