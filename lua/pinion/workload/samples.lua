-- Samples of the jobs of a workload, so that a trace has replicas: jobs drawn one by one, blocks of
-- its time, or the windows that it is cut into.

local check = require "pinion.base.check"
local core = require "pinion.core"
local models = require "pinion.models"
local quantity = require "pinion.base.quantity"

local M = {}

-- ---- options ------------------------------------------------------------------------------------

---@class pinion.Sample how jobs are sampled
---@field form "jobs"|"blocks"|"windows"|nil nil: as fits the workload
---@field jobs integer|nil nil: as many as there are, or for as long as they arrive
---@field length pinion.Time|nil of a block
---@field windows integer|nil

local FORMS = "must be a number of jobs, jobs, jobs(N), blocks, blocks(1h) or blocks(1h,N), got "

-- Reads what stands between parentheses: a length where the form has one, and a number of jobs.
local function read_arguments(form, text)
    local made, pieces = { form = form }, {}
    for piece in (text .. ","):gmatch "%s*([^,]-)%s*," do pieces[#pieces + 1] = piece end
    local length, jobs = nil, pieces[1]
    if form == "blocks" then length, jobs = pieces[1], pieces[2] end
    if #pieces > (form == "blocks" and 2 or 1) then return nil end
    local why
    if length then
        made.length, why = quantity.time(length)
        if not made.length then return nil, "blocks: " .. why end
    end
    if jobs then
        made.jobs, why = quantity.integer(jobs, 1, core.limits.jobs)
        if not made.jobs then return nil, "number of jobs: " .. why end
    end
    return made
end

---Reads the option resample.
---@param value any
---@return pinion.Sample|nil sample, string|nil reason
function M.read_resample(value)
    if type(quantity.plain(value)) == "number" then
        local jobs, why = quantity.integer(value, 1, core.limits.jobs)
        return jobs and { jobs = jobs }, why
    end
    local text = type(value) == "string" and value or ""
    local form, inner = text:match "^%s*(%a+)%s*%(%s*(.-)%s*%)%s*$"
    form = form or text:match "^%s*(%a+)%s*$"
    local made, why = nil, nil
    if form == "jobs" or form == "blocks" then
        if inner then made, why = read_arguments(form, inner) else made = { form = form } end
    end
    return made, why or FORMS .. check.show(value)
end

---Reads the option replicas.
---@param value any
---@return pinion.Sample|nil sample, string|nil reason
function M.read_replicas(value)
    local count = type(value) == "string" and value:match "^%s*windows%s*%(%s*(.-)%s*%)%s*$"
    if not count then
        return nil, "must be windows(N) such as windows(24), got " .. check.show(value)
    end
    local windows, why = quantity.integer(count, 1, core.limits.jobs)
    if not windows then return nil, "number of windows: " .. why end
    return { form = "windows", windows = windows }
end

-- ---- lengths ------------------------------------------------------------------------------------

-- Returns a time in the model's unit; `unit_ms`: how long that is, nil where nothing says.
local function in_units(time, model, unit_ms)
    local unit = models.find(model).settings.unit
    if time.unit == "" or time.unit == unit then return time.number end
    if not time.ms then
        return nil, string.format("times of the %s model are in %s, got %s", model, unit,
            time.unit)
    end
    if not unit_ms then
        return nil, "the jobs do not say how long a unit of their time is "
            .. "(expected a number without a unit)"
    end
    return time.ms / unit_ms
end

-- A block has a tenth of the jobs on average, and at least the cube root of their number.
-- docs/workloads.md says why.
local SHARE = 1 / 10

local function usual_length(of, wanted)
    local jobs = math.min(wanted or of.jobs, of.jobs)
    return of.distance / (of.jobs - 1) * math.max(jobs * SHARE, jobs ^ (1 / 3))
end

-- ---- samples ------------------------------------------------------------------------------------

-- Returns how many jobs there are and the distance between the first arrival and the last; nil and
-- why there are none.
local function extent_of(source)
    local totals, why = source:totals()
    if not totals then return nil, why end
    local first = totals.first_arrival or totals.first_submit or 0
    return { jobs = totals.jobs,
        distance = (totals.last_arrival or totals.last_submit or 0) - first }
end

-- Makes Poisson arrivals as frequent as those of the jobs; nil when these all arrive at once.
local function own_rate(of)
    if of.jobs < 2 or of.distance <= 0 then return nil end
    return string.format("poisson(%.17g)", (of.jobs - 1) / of.distance)
end

-- Returns the form where none is asked for: blocks, for jobs that are recorded with their times.
local function usual_form(of, options, drawn)
    local timed = drawn.recorded and not options.arrivals and of.jobs > 1 and of.distance > 0
    return timed and "blocks" or "jobs"
end

-- Returns what the core takes of a form; nil and what is wrong.
local function plan_of(sample, of, options, drawn)
    local form = sample.form or usual_form(of, options, drawn)
    if form == "windows" then return { form = form, windows = sample.windows } end
    if form == "jobs" then
        if options.arrivals == "keep" then form = "keep" end
        return { form = form, jobs = sample.jobs or of.jobs }
    end
    if of.jobs < 2 or of.distance <= 0 then
        return nil, "blocks: the jobs all arrive at once (expected jobs)"
    end
    local length, why = usual_length(of, sample.jobs), nil
    if sample.length then length, why = in_units(sample.length, drawn.model, drawn.unit_ms) end
    if not length then return nil, "blocks: " .. why end
    return { form = form, jobs = sample.jobs, length = length }
end

local function renamed(names, indices)
    local of_sample = {}
    for id, index in ipairs(indices or {}) do of_sample[id] = names[index] end
    return of_sample
end

---Draws the sample in place of the jobs, and says which arrivals it has.
---@param opened pinion.Opened
---@param options table<string, any>
---@param drawn { seed: integer, replica: integer, model: string, unit_ms: number|nil, recorded: boolean }
---@return boolean|nil done, string|nil process of arrivals, or what is wrong
function M.draw(opened, options, drawn)
    local of, wrong = extent_of(opened.core)
    if not of then return nil, wrong end
    local name = options.replicas and "replicas" or "resample"
    local plan, why = plan_of(options.replicas or options.resample, of, options, drawn)
    if not plan then return nil, name .. ": " .. why end
    if of.jobs == 0 then return nil, name .. ": there are no jobs to draw from" end
    plan.workload, plan.seed, plan.replica = opened.core, drawn.seed, drawn.replica
    plan.indices = next(opened.names) ~= nil or next(opened.records) ~= nil
    local sample, indices, windows = core.workload_resample(plan)
    if not sample then return nil, name .. ": " .. indices end
    opened.core, opened.expected = sample, sample:count()
    if options.replicas then opened.replicas = windows end
    opened.names, opened.records = renamed(opened.names, indices),
        renamed(opened.records, indices)
    local process = options.arrivals ~= "keep" and options.arrivals or nil
    return true, process or plan.form == "jobs" and own_rate(of) or nil
end

return M
