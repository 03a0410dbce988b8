-- Runs once more with their decision logs, as exact repeatability allows: what a result says can be
-- explained, compared and shown over time after the fact.

local check = require "pinion.base.check"
local diff = require "pinion.output.diff"
local explain = require "pinion.output.explain"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local gantt = require "pinion.output.gantt"
local keys = require "pinion.models.keys"
local log = require "pinion.output.log"
local models = require "pinion.models"
local order = require "pinion.output.explain.order"
local policies = require "pinion.policy"
local single = require "pinion.run.single"
local timeline = require "pinion.output.timeline"

local M = {}

-- More jobs are not kept to understand a log.
M.JOBS_MOST = 1000000

-- Removes a file when it goes out of scope.
local Removed = { __close = function(self) os.remove(self.path) end }

---Returns the jobs of a workload by id, if the logs of its model need them.
---@param settings pinion.Settings
---@param opened pinion.Opened|nil
---@return table[]|nil
function M.jobs(settings, opened)
    if not models.find(settings.model).log.needs_jobs then return nil end
    opened = opened or single.open(settings)
    local list, why = opened.core:jobs(M.JOBS_MOST)
    if not list then fault.run("%s", why) end
    return list
end

---Returns the group of each job by its number; nil where jobs have none.
---@param opened pinion.Opened
---@return (fun(id: integer): string|nil)|nil
function M.groups(opened)
    if #opened.groups == 0 then return nil end
    local by_job = {}
    for id, job in ipairs(opened.core:jobs(M.JOBS_MOST) or {}) do
        by_job[id] = job.group and opened.groups[job.group + 1]
    end
    return function(id) return by_job[id] end
end

---Returns what a log does not say of the run that it is of: the jobs, their groups, and what there
---is to run them.
---@param settings pinion.Settings
---@param opened pinion.Opened
---@param jobs table[]|nil as with_log and jobs_beside give them
---@param options pinion.GanttOptions|nil added to these
---@return pinion.GanttOptions
function M.beside(settings, opened, jobs, options)
    local capacity, made = models.find(settings.model).log.capacity, {}
    for name, value in next, options or {} do made[name] = value end
    made.jobs, made.capacity = jobs, capacity and capacity(settings)
    made.group_of = M.groups(opened)
    return made
end

-- Returns the settings of a run of which nothing is wanted but its log, or answers.
local function bare(settings, log)
    return setmetatable({ log = log, quiet = true, bounds = "none", keep_jobs = false,
        metrics = false, checkpoint = false, resume = false }, { __index = settings })
end

---Runs what the settings say, and uses the log of it.
---@param settings pinion.Settings
---@param opened pinion.Opened|nil
---@param use fun(path: string, jobs: table[]|nil, result: pinion.Result): any
---@param with_rows boolean|nil whether the result has its rows
---@return any what it gives
function M.with_log(settings, opened, use, with_rows)
    local file <close> = setmetatable({ path = files.temporary() }, Removed)
    local logged = bare(settings, file.path)
    if with_rows then logged.keep_jobs = nil end
    local opened_again = opened or single.open(settings)
    local result = single.run(logged, opened_again)
    return use(file.path, M.jobs(settings, opened_again), result)
end

---Runs several runs of the same jobs likewise, whose logs are all there when they are used.
---@param list pinion.Settings[]
---@param opened pinion.Opened
---@param use fun(paths: string[], jobs: table[]|nil, results: pinion.Result[]): any
---@param with_rows boolean|nil
---@return any
function M.with_logs(list, opened, use, with_rows)
    local paths, results = {}, {}
    local function from(i, jobs)
        if i > #list then return use(paths, jobs, results) end
        return M.with_log(list[i], opened, function(path, of_workload, result)
            paths[i], results[i] = path, result
            return from(i + 1, of_workload)
        end, with_rows)
    end
    return from(1)
end

-- Makes the run another time, for the order in which the policy has the jobs at the moments that an
-- explanation is about.
local function with_order(settings, opened, made)
    local log_of = models.find(settings.model).log
    local policy = policies.require(settings.policy, settings.model, settings.reduce)
    local list = keys.orders(policy, log_of.key, settings.params)
    if type(list) == "string" then
        order.leave_out(made, list)
        return made
    end
    local questions = order.questions(made, list, log_of.apart)
    if #questions.times > 0 then
        local raw = single.ask(bare(settings, false), opened, questions)
        order.fill(made, raw.answers, list, log_of.apart)
    end
    return made
end

---Explains a job of a run that is made for it, with the order in which the policy has the jobs.
---@param settings pinion.Settings
---@param opened pinion.Opened|nil
---@param id integer
---@return pinion.Explanation
function M.explain(settings, opened, id)
    opened = opened or single.open(settings)
    return with_order(settings, opened, M.with_log(settings, opened, function(path, jobs)
        return explain.job(path, id, jobs, settings.machines, "this run")
    end))
end

---Explains an instant likewise.
---@param settings pinion.Settings
---@param opened pinion.Opened|nil
---@param time number
---@return pinion.Instant
function M.explain_instant(settings, opened, time)
    opened = opened or single.open(settings)
    return with_order(settings, opened, M.with_log(settings, opened, function(path, jobs)
        return explain.instant(path, time, jobs)
    end))
end

---Returns the jobs of a workload beside logs that are of it, which the checker is asked.
---@param paths string[]
---@param settings pinion.Settings
---@param opened pinion.Opened|nil
---@return table[]|nil jobs
function M.jobs_beside(paths, settings, opened)
    for _, path in ipairs(paths) do
        local model = log.model(path)
        if model.name ~= settings.model then
            fault.usage("%s: a log of the %s model (the workload's jobs are of %s)", path,
                model.name, settings.model)
        end
        single.verify(settings, path)
    end
    return M.jobs(settings, opened)
end

-- ---- results ------------------------------------------------------------------------------------

local function settings_of(result, what)
    local settings = type(result) == "table" and single.settings_of(result)
    if not settings then
        fault.usage("%s: only results of pinion.run can be made once more", what)
    end
    models.refuse(models.find(settings.model), "log", what)
    return settings
end

---Makes the run of a result once more, to explain a job of it.
---@param result pinion.Result
---@param id any
---@return pinion.Explanation
function M.job(result, id)
    local number, why = check.integer(id, 1, check.INTEGER_MAX)
    if not number then fault.usage("explain: job %s", why) end
    return M.explain(settings_of(result, "explain"), nil, number)
end

---Answers about an instant likewise.
---@param result pinion.Result
---@param time any
---@return pinion.Instant
function M.instant(result, time)
    local number, why = check.number(time, 0, check.INTEGER_MAX)
    if not number then fault.usage("instant: time %s", why) end
    return M.explain_instant(settings_of(result, "instant"), nil, number)
end

---Returns the timelines that runs recorded, as one.
---@param rows { recorded: pinion.Timeline|nil }[]
---@return pinion.Timeline
function M.recorded(rows)
    local found = {}
    for _, row in ipairs(rows) do found[#found + 1] = row.recorded end
    if #found == 0 then
        fault.usage("timeline: none was recorded (expected the setting timeline = N of the runs)")
    end
    return timeline.of_runs(found)
end

---Returns what happened over time: as it was recorded, or from the run made once more.
---@param result pinion.Result
---@param count any buckets; nil: as recorded
---@return pinion.Timeline
function M.timeline(result, count)
    if count == nil and result.recorded then return M.recorded { result } end
    local number, why = check.integer(count or timeline.COUNT, 1, timeline.COUNT_MOST)
    if not number then fault.usage("timeline: buckets %s", why) end
    local settings = settings_of(result, "timeline")
    local opened = single.open(settings)
    return M.with_log(settings, opened, function(path, jobs)
        return timeline.read({ path }, { jobs = jobs, machines = settings.machines,
            count = number, group_of = M.groups(opened) })
    end)
end

---Draws the run of a result.
---@param result pinion.Result
---@param output any
---@param options any
function M.gantt(result, output, options)
    options = options or {}
    gantt.check(output, options)
    files.check_writable(output)
    local settings = settings_of(result, "gantt")
    local opened = single.open(settings)
    M.with_log(settings, opened, function(path, jobs)
        gantt.write(path, output, M.beside(settings, opened, jobs, options))
    end)
end

---Returns where two runs differ, and who gains.
---@param first pinion.Result
---@param second any
---@return pinion.Difference
function M.difference(first, second)
    return M.with_log(settings_of(first, "diff"), nil, function(path, jobs)
        return M.with_log(settings_of(second, "diff"), nil, function(other)
            return diff.logs({ path, other }, jobs)
        end)
    end)
end

return M
