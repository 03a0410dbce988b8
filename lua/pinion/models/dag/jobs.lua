-- Jobs of the dag model: stages of equal or listed tasks, with a demand for each resource and the
-- stages that must be finished before. What depends on the cluster - the resources that there are,
-- nodes with room, the queues - is checked against it when a run begins; what depends on all of a
-- job's stages - cycles, sums that are too large - the kernel says when it is handed over.
--
-- Paths in messages count stages from 0, as parents name them, and all else from 1.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fields = require "pinion.models.fields"
local job_rows = require "pinion.models.job_rows"
local nodes = require "pinion.models.dag.nodes"

local math_type = math.type -- asked once per task

-- As in the kernel.
local STAGES_MOST, TASKS_MOST, TIME_MOST, EDGES_MOST = 1 << 16, 1 << 20, 1 << 40, 1 << 20

local M = job_rows.add("dag", { example = "arrival,stages" })

M.make = core.workload_dag_table

function M.settle(list, place)
    list.place = place
end

function M.binding(settings)
    return { resources = settings.resources, nodes = settings.nodes, queues = settings.queues }
end

-- ---- stages -------------------------------------------------------------------------------------

-- A stage while it is read.
---@class pinion.StageReader
---@field stage table
---@field index integer of the job
---@field path string
---@field place pinion.Place
---@field count integer stages of the job
---@field list pinion.JobList

local STAGE_FIELDS = { tasks = true, duration = true, durations = true, demand = true,
    parents = true, estimate = true, start_ms = true, name = true }

local function fail(of, field, reason)
    of.place.fail(of.index, of.path .. field, reason)
end

local function integer(of, field, low, high)
    local value, why = check.integer(of.stage[field], low, high)
    if not value then fail(of, "." .. field, why) end
    return value
end

local function optional(of, field, low, high)
    return of.stage[field] ~= nil and integer(of, field, low, high) or nil
end

-- Reads a list of integers.
local function read_list(of, field, low, high, most)
    local given, values = of.stage[field], {}
    if not check.is_array(given, of.place.lua) then
        fail(of, "." .. field, "must be an array of integers, got " .. check.show(given))
    end
    if #given > most then
        fail(of, "." .. field, string.format("has %d values (expected at most %d)", #given, most))
    end
    for k, value in ipairs(given) do
        if math_type(value) ~= "integer" or value < low or value > high then
            local number, why = check.integer(value, low, high)
            if not number then fail(of, string.format(".%s[%d]", field, k), why) end
            value = number
        end
        values[k] = value
    end
    return values
end

local function read_durations(of)
    for _, other in ipairs { "tasks", "duration" } do
        if of.stage[other] ~= nil then
            fail(of, ".durations",
                string.format("cannot be given together with %s", other))
        end
    end
    local durations = read_list(of, "durations", 0, TIME_MOST, TASKS_MOST)
    if #durations == 0 then fail(of, ".durations", "must not be empty") end
    return durations
end

local function require_field(of, field, what)
    if of.stage[field] == nil then fail(of, "." .. field, "is required (" .. what .. ")") end
end

local function read_demand(of)
    require_field(of, "demand", "an integer for each resource")
    local demand, why = nodes.read_vector(of.stage.demand, not of.place.lua)
    if not demand then
        local element, rest = why:match "^(%[%d+%]): (.*)$"
        fail(of, ".demand" .. (element or ""), rest or why)
    end
    of.list.resources = of.list.resources or #demand
    if #demand ~= of.list.resources then
        fail(of, ".demand", string.format("has %d value%s (expected %d, as the first one has)",
            #demand, #demand == 1 and "" or "s", of.list.resources))
    end
    return demand
end

-- Reads the parents, each of them once, and not the stage itself.
local function read_parents(of, number)
    if of.count == 1 and of.stage.parents[1] ~= nil then
        fail(of, ".parents", "must be empty in the only stage of a job (stages count from 0)")
    end
    local parents, seen = read_list(of, "parents", 0, of.count - 1, EDGES_MOST), {}
    for k, parent in ipairs(parents) do
        local path = string.format(".parents[%d]", k)
        if parent == number then fail(of, path, "is the stage itself") end
        if seen[parent] then fail(of, path, string.format("names stage %d again", parent)) end
        seen[parent] = true
    end
    return parents
end

local function read_stage(of, number)
    local stage = of.stage
    if not check.is_object(stage, of.place.lua) then
        fail(of, "", "must be an object, got " .. check.show(stage))
    end
    local key, unknown = check.unknown_key(stage, STAGE_FIELDS)
    if key ~= nil then fail(of, "." .. key, unknown) end
    local record = { demand = read_demand(of), estimate = optional(of, "estimate", 1, TIME_MOST),
        start_ms = optional(of, "start_ms", 0, TIME_MOST) }
    if stage.durations ~= nil then
        record.durations = read_durations(of)
    else
        require_field(of, "tasks", "the number of tasks, >= 1; or durations")
        require_field(of, "duration", "ms of each task; or durations")
        record.tasks = integer(of, "tasks", 1, TASKS_MOST)
        record.duration = integer(of, "duration", 0, TIME_MOST)
    end
    if stage.parents ~= nil then record.parents = read_parents(of, number) end
    if stage.name ~= nil and type(stage.name) ~= "string" then
        fail(of, ".name", "must be a string, got " .. check.show(stage.name))
    end
    record.name = stage.name
    return record
end

local function read_stages(job, index, place, list)
    local given, stages, edges = job.stages, {}, 0
    if not check.is_array(given, place.lua) then
        place.fail(index, "stages", "must be an array of stages, got " .. check.show(given))
    end
    if #given < 1 or #given > STAGES_MOST then
        place.fail(index, "stages", string.format("must be 1 to %d stages, got %d", STAGES_MOST,
            #given))
    end
    for k, stage in ipairs(given) do
        local path = string.format("stages[%d]", k - 1)
        stages[k] = read_stage({ stage = stage, index = index, path = path, place = place,
            count = #given, list = list }, k - 1)
        edges = edges + #(stages[k].parents or {})
    end
    if edges > EDGES_MOST then
        place.fail(index, "stages", string.format("have more than %d parents", EDGES_MOST))
    end
    return stages
end

-- ---- jobs ---------------------------------------------------------------------------------------

---Reads the queue and the stages of a job.
---@param record table what the rows say of the job
---@param job table
---@param index integer
---@param place pinion.Place
---@param list pinion.JobList
function M.own(record, job, index, place, list)
    if job.queue ~= nil and (type(job.queue) ~= "string" or job.queue == "") then
        place.fail(index, "queue", "must be the name of a queue, got " .. check.show(job.queue))
    end
    record.queue, record.stages = job.queue, read_stages(job, index, place, list)
end

-- ---- jobs against a cluster ---------------------------------------------------------------------

local function check_stage(stage, path, index, binding, place)
    local why = nodes.check_length(stage.demand, binding.resources)
    if not why and not nodes.has_room(binding.nodes, stage.demand) then
        why = "is more than any node has"
    end
    if why then place.fail(index, path .. ".demand", why) end
end

local function check_job(job, index, binding, names, place)
    local queue = job.queue or "default"
    if names and not names[queue] then
        place.fail(index, job.queue and "queue", string.format(
            "there is no queue %s (expected one of the scenario's%s)", check.show(queue),
            job.queue and "" or ", since a job that names none is in this one"))
    end
    for k, stage in ipairs(job.stages) do
        check_stage(stage, string.format("stages[%d]", k - 1), index, binding, place)
    end
end

-- Raises at the first job of a list that does not suit the cluster. What other workloads make, the
-- kernel looks at job by job.
function M.fits(work, _, binding)
    local list, names = work.list, binding.queues and {}
    if not list or not binding.nodes or not binding.resources then return end
    for _, queue in ipairs(binding.queues or {}) do names[queue.name] = true end
    for id, job in ipairs(list.jobs) do
        check_job(job, list.order and list.order[id] or id, binding, names, list.place)
    end
end

-- Names of settings of a scenario that were not given, and do not suit a job; or nil.
function M.unsuited(job, settings)
    if settings.resources or #job.stages[1].demand == 1 then return nil end
    return { resources = true, nodes = nodes.is_default(settings.nodes) }
end

-- Raises a fault for what the kernel says of a job, where its place is known.
function M.explain(settings, _, _, message)
    local list = settings.workload.list
    local id, rest = message:match "^job (%d+)(.*)$"
    if not list or not id then return end
    local stage, field, reason = rest:match "^, stage (%d+): (%w+): (.*)$"
    if not stage then field, reason = rest:match "^: (%w+): (.*)$" end
    if not field then return end
    id = math.tointeger(tonumber(id))
    list.place.fail(list.order and list.order[id] or id,
        (stage and string.format("stages[%d].", stage) or "") .. field, reason)
end

-- Returns whether a run draws anything, so that replicas of fixed jobs differ.
function M.draws(settings)
    local params = settings.params or {}
    local function value(name) return math.tointeger(params[name]) or 1000 end
    return value "factor_lo" < value "factor_hi" or value "est_lo" < value "est_hi"
end

-- ---- load ---------------------------------------------------------------------------------------

-- Returns the ms that the resource with more work for it is busy, and those of the arrivals.
function M.offered(totals, binding)
    if not binding.nodes then return nil, "the nodes of a cluster" end
    local busy = 0
    for r, capacity in ipairs(nodes.capacity(binding.nodes)) do
        busy = math.max(busy, (totals.areas[r] or 0) / capacity)
    end
    return { busy = busy, first = totals.first_arrival, last = totals.last_arrival, more = 0 }
end

-- ---- description --------------------------------------------------------------------------------

-- Adds what the tasks hold of each resource, times how long.
local function add_areas(lines, totals, resources)
    for r, area in ipairs(totals.areas) do
        local name = resources and resources[r] or "resource " .. r
        lines[#lines + 1] = { "work_" .. name:gsub("%s", "_"), math.tointeger(area) or area,
            name .. " times ms of all tasks" }
    end
end

-- Describes the share of the cluster that the work takes in the time of the arrivals, where it is
-- known.
function M.describe(totals, opened, base)
    local span = totals.jobs > 0 and totals.last_arrival - totals.first_arrival or 0
    local busy = base.nodes and M.offered(totals, base).busy
    local function whole(count) return math.tointeger(count) or count end
    local lines = {
        { "jobs", totals.jobs, "jobs" },
        { "all_stages", whole(totals.stages.sum), "stages of all jobs" },
        { "all_tasks", whole(totals.tasks.sum), "tasks of all jobs" },
        { "parents", totals.parents, "parents of stages" },
        { "first_arrival", totals.first_arrival, "first arrival, ms" },
        { "last_arrival", totals.last_arrival, "last arrival, ms" },
        { "span", span, "span in ms" }, { "deadlines", totals.deadlines, "jobs with a deadline" },
        { "nodes", base.nodes and nodes.count(base.nodes),
            nodes.is_default(base.nodes) and "nodes by default" or "nodes" },
        { "load", busy and span > 0 and busy / span or nil, "load of the busiest resource", 3 },
        { "groups", fields.named(opened.groups), "groups" },
        { "stages", totals.stages, "stages" },
        { "tasks", totals.tasks, "tasks" },
        { "work", totals.work, "work, ms" },
        { "longest_task", totals.longest_task, "longest task, ms" },
        { "critical_path", totals.critical_path, "critical path, ms" },
    }
    add_areas(lines, totals, base.resources)
    if totals.deadlines > 0 then
        lines[#lines + 1] = { "deadline", totals.deadline, "deadline, ms" }
    end
    return lines
end

return M
