-- The models of this version by name, what a model consists of, and the settings that all of them
-- have.

local lazy = require "pinion.base.lazy"
local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local distribution = lazy.module "pinion.base.distribution"
local quantity = require "pinion.base.quantity"
local suggest = require "pinion.base.suggest"

local M = {}

-- ---- what a model is ----------------------------------------------------------------------------

---@class pinion.Model
---@field name string
---@field settings pinion.ModelSettings what a run is asked for
---@field jobs pinion.ModelJobs what a job may hold
---@field core pinion.ModelCore how it is run
---@field results pinion.ModelResults what comes out
---@field words pinion.ModelWords how people read it
---@field log pinion.ModelLog|nil how its decision logs are read; nil: it has none
---@field recorded (fun(inputs: table[], decisions: table[]): table, string|nil)|nil makes a scenario of an input log and the decisions of its replay; also what it leaves out; nil: input logs are no scenarios

---@class pinion.ModelSettings
---@field scalars string[] top-level fields of a scenario that hold one value each, in the order in which they are checked
---@field fields table<string, fun(value: any, json: boolean|nil): any, string?> checks of these fields but policy and seed
---@field texts table<string, fun(value: any): string?, string?>|nil of fields that are lists: as titles and tables have them
---@field defaults table<string, any> what a scenario without the field means
---@field required table<string, string> fields that a scenario must have, and what messages say then
---@field beside_workload table<string, any>|nil fields that a workload has with it where there is no scenario
---@field default_policies string[] that a comparison shows when none are named
---@field options table<string, fun(value: any): any, string?> further options of runs by name, with their checks
---@field until_option string which of these ends a run
---@field limit (fun(params: table<string, any>): number?, string)|nil a parameter's time that ends runs too, and its name
---@field axes table<string, fun(value: any): table?, string?>|nil what sweeps can vary besides fields: to several of them
---@field prover string|nil the policy that finds tight bounds, whose parameters mean something beside any other
---@field lacks table<string, string>|nil what other models have, with the reason why there is none here: bounds, error, warmup,
---checkpoint, log (and verification), policy_files, export
---@field settle (fun(settings: pinion.Settings))|nil checks settings against each other
---@field read_every (fun(value: any): number?, string?)|nil from one checkpoint to the next; nil where they are lacking
---@field unit string of times: in it a warm-up can be given beside jobs, as a field of warm-ups and the end of their texts
---@field read_warmup_amount (fun(value: any): number?, string?)|nil nil where warm-ups are lacking
---@field heads string[] settings that results repeat
---@field head (fun(settings: pinion.Settings, name: string): any)|nil what they say of such a setting, where that is not its value
---@field head_of table<string, string>|nil by name: the setting that it belongs to, where that is called otherwise
---@field rules pinion.Rules|nil parameters of the model itself, beside those of its policies
---@field shows_rules boolean|nil whether results name the parameters that are not their defaults
---@field shows_params boolean|nil whether results have the policy's parameters

---@class pinion.Rules
---@field params pinion.PolicyParameter[] in the order in which they are shown
---@field own table<string, boolean>|nil whose default is the policy's own
---@field without table<string, table<string, boolean>>|nil those that mean nothing to a policy of the kernel, by its name

---@class pinion.ModelJobs
---@field rows pinion.JobField[] its fields; what follows up to `distinct` is made from them
---@field checked fun(job: table): table, integer?, ... see core.job_checker
---@field columns string[] as csv files are written
---@field cells table<string, "integers"|"tasks"|"text"> how cells of csv files are read where they are no numbers
---@field lists string[] fields that csv files cannot have
---@field more string[] optional fields that csv files do not have, and whose names attributes may have, too: then they are these
---@field nested boolean|nil whether every job has one of these lists, so that no csv file has its jobs
---@field always table<string, boolean> columns that are written even when no job uses them
---@field arrival string|nil the field that says when a job comes; nil: all are there at the start
---@field size_bounds number[]|nil where classes of sizes begin; nil: sizes are integers
---@field estimates string[]
---@field distinct boolean|nil whether no two jobs may have one name
---@field tasks_listed boolean|nil whether maps and reduces are lists of tasks, where others have a number
---@field unsuited (fun(job: table, settings: pinion.Settings): table<string, boolean>|nil)|nil settings that were not given and do not fit the job
---@field example string of a csv file's header
---@field begin (fun(list: pinion.JobList))|nil before the first is read
---@field own (fun(record: table, job: table, index: integer, place: pinion.Place, list: pinion.JobList))|nil reads what the rows leave to the model into the record, and checks fields against each other
---@field settle (fun(list: pinion.JobList, place: pinion.Place))|nil when all are read
---@field make fun(jobs: table[], ticks: integer|nil): any the core's side of them
---@field has_orders boolean|nil whether parameters may be lists of job ids, see base/orders.lua
---@field binding fun(settings: pinion.Settings): table what workloads depend on
---@field draws (fun(settings: pinion.Settings): boolean)|nil whether runs of fixed jobs draw anything, so that replicas differ
---@field check (fun(settings: pinion.Settings, policy: pinion.Policy, opened: pinion.Opened))|nil checks the jobs against a policy
---@field explain (fun(settings: pinion.Settings, policy: pinion.Policy, opened: pinion.Opened, message: string))|nil raises a better message than the core's
---@field offered (fun(totals: table, binding: table): table?, string?)|nil how much time the work of all jobs takes; nil, and what must be known for it; none: jobs do not arrive
---@field fits (fun(work: pinion.Workload, source: any, binding: pinion.Binding))|nil checks the jobs against the cluster
---@field describe fun(totals: table, opened: pinion.Opened, base: table): any[][] { name in JSON, value, label, decimals or nil for an amount }; a value may be a table of statistics

---@class pinion.ModelCore
---@field request fun(settings: pinion.Settings, params: table|nil, opened: pinion.Opened|nil): table its settings as the core takes them
---@field run fun(request: table): table?, string?, string?
---@field verify fun(request: table): table?, string?, string?
---@field hash fun(request: table): string?, string?
---@field replay (fun(request: table): userdata?, string?)|nil of an input log, where hosts drive the core of the model

---@class pinion.ModelResults
---@field kind "stream"|"batch" whether jobs come one by one; of a batch all are there at once: nothing arrives, grows or warms up
---@field integer boolean whether times are integers
---@field exact boolean|nil whether values have their exact form beside them, as NAME_exact, where they are no integers
---@field rows string[] columns of the rows of jobs
---@field row_lists table<string, string[]>|nil lists that each row has besides, with the fields of their entries; JSON and scripts have them
---@field shown_rows string[]|nil those that tables show; nil: all
---@field optional_rows table<string, boolean>|nil those that tables show only where some row has them
---@field row_meanings table<string, string>|nil what stands below a table that has the column
---@field samples pinion.Sample[]
---@field columns pinion.ResultColumn[] numbers of a run, see models/columns.lua
---@field facts string[]|nil of a batch: settings of a run that rows have
---@field slowdown { column: string }|{ time: string, alone: fun(result: pinion.Result, settings: pinion.Settings): fun(job: table): number } the column that rows have it in, or a job's time in the system, and what gives its time alone at full capacity
---@field busy (fun(result: pinion.Result): number|nil)|nil the share of their time that machines, stations or slots worked; nil: not known
---@field isolating table<string, boolean>|nil where stations serve one job at a time: policies under which a large job does not hold up all others, whose jobs need a variance only; nil: no job holds up all
---@field clock string what checkpoints call the time
---@field figures string[] kinds of figures of a comparison; the first is what is drawn when none is named

---@class pinion.Sample what a run measures of every job
---@field name string a field of results with its statistics; of the rows a column too
---@field column string|nil of the rows, where that is called otherwise
---@field words string
---@field title string of a column that holds its mean
---@field label string of an axis
---@field metric boolean|nil true: it is measured after the run, see run/metrics.lua; then the core has none of it
---@field stats string the statistics in what the core returns
---@field group_stats string the same of each group
---@field total string|nil field of results: the sum over the finished jobs
---@field mean string field of results
---@field write (fun(value: number|nil, half: number|nil): string)|nil a value of it as people read it; nil: as the model's words have it

---@class pinion.ModelWords
---@field summary string what it simulates, in the list of models
---@field title fun(it: table): string[] what titles say of the settings
---@field time_unit string of samples and means, with a blank in front, or ""
---@field legend string what stands below a comparison
---@field ratio string|nil what the total over the lower bound is called
---@field groups_legend string|nil what stands below a table of groups
---@field amount fun(value: number|nil): string a length of time or a total
---@field moment fun(value: any): string what rows have of a job
---@field number fun(value: number|nil): string a mean
---@field mean fun(value: number|nil, half: number|nil): string a mean in a comparison, with the half width of its interval
---@field quantile (fun(value: number|nil, half: number|nil): string)|nil a quantile in a comparison; nil: as an amount
---@field difference fun(value: number|nil, half: number|nil): string between two means, signed
---@field describe (fun(result: pinion.Result, add: fun(label: string, format: string, ...)))|nil what the text of a result says besides
---@field last (fun(result: pinion.Result): string, string)|nil what its last line is about, how much
---@field interrupted (fun(result: pinion.Result): string)|nil what an interrupted run has come to
---@field stopped (fun(time: number): string)|nil when such a time ended a run
---@field ended fun(summary: table): string of a verification: the end of the log
---@field labels table<string, string> of axes: difference, relative, p50 and the other quantiles, max
---@field axes table<string, string> of what a sweep varies

---@class pinion.ModelLog
---@field draws boolean|nil whether `pinion gantt` draws it
---@field needs_jobs boolean|nil whether it is understood beside the jobs of its workload only
---@field capacity (fun(settings: pinion.Settings): number)|nil what each panel of a chart has, where the log does not say it
---@field work string[] the kinds of lines about a job's work
---@field events table<string, fun(reader: pinion.LogReader, ...: any)> by kind of line: takes its fields, in the order of the rows in lua/run
---@field phases pinion.LogPhases
---@field key pinion.KeyPart what the keys of a policy are that does not say it, see models/keys.lua
---@field apart boolean|nil whether jobs compete with those of their own rank only
---@field time { unit: number, axis: string } of times on axes, and what stands there
---@field levels fun(settings: pinion.Settings): { [1]: string, [2]: number|nil }[] the series of timelines that runs record, in the core's order, and what there is of each where that is known
---@field describe fun(header: table, jobs: table[]|nil): pinion.LogChart|nil, string? from the first line
---@field survey (fun(chart: pinion.LogChart): table<string, fun(...: any)>, fun()?)|nil a look at the lines of these kinds, by their fields; and what is done behind them
---@field reader fun(path: string, chart: pinion.LogChart, listener: pinion.LogListener): pinion.LogReader

---@class pinion.LogPhases
---@field kinds string[] categories of bars, in the order in which a job needs them
---@field running table<string, string> by kind, and "both"
---@field waiting table<string, string> by the kind that a job waits for
---@field slots boolean|nil whether times are slots: a stretch ends before a slot in which nothing of it happens
---@field holds_early boolean|nil whether a job that holds what the second kind needs may still wait for the first
---@field unknown string|nil of a job that has not finished, where nothing says which that is
---@field competing table<string, table<string, boolean>>|nil by kind: bars of which kinds take what it waits for; nil: of its own

-- ---- all of them --------------------------------------------------------------------------------

local NAMES = { "slotted", "tandem", "makespan", "cluster", "dag" }
local BATCHES = { makespan = true }
local MODELS = {}
for _, name in ipairs(NAMES) do MODELS[name] = "pinion.models." .. name end
MODELS = lazy.modules(MODELS)

M.default = "slotted"

---@return string[]
function M.names()
    return NAMES
end

---@return string "slotted, tandem, … or dag"
function M.listed()
    return table.concat(NAMES, ", ", 1, #NAMES - 1) .. " or " .. NAMES[#NAMES]
end

---@return table<string, boolean> names of those whose jobs arrive, which need not be read for it
function M.arriving()
    local found = {}
    for _, name in ipairs(NAMES) do found[name] = not BATCHES[name] or nil end
    return found
end

---@param name string
---@return pinion.Model|nil model, string|nil reason
function M.find(name)
    local model = MODELS[name]
    if model then return model end
    return nil, string.format("unknown model '%s' %s", name, suggest.hint(name, NAMES))
end

---Returns the model of settings or of a result, with the metrics that were asked for.
---@param it { model: string, extended: pinion.Model|nil }
---@return pinion.Model
function M.of(it)
    return it.extended or M.find(it.model)
end

-- ---- parameters of a model itself ---------------------------------------------------------------

---@param name string
---@return pinion.PolicyParameter[]
function M.params(name)
    local rules = M.find(name).settings.rules
    return rules and rules.params or {}
end

---@param name string
---@return string[] names of these parameters
function M.param_names(name)
    local names = {}
    for i, parameter in ipairs(M.params(name)) do names[i] = parameter.name end
    return names
end

---@param name string
---@param field string
---@return boolean whether an unknown field of a scenario is a parameter of the model
function M.has_param(name, field)
    for _, parameter in ipairs(M.params(name)) do
        if parameter.name == field then return true end
    end
    return false
end

-- ---- settings that all models have --------------------------------------------------------------
-- Readers return the checked value, or nil and the reason.

function M.read_seed(value)
    return check.integer(value, 0, check.INTEGER_MAX)
end

---Reads the buckets of the timeline that a run records.
function M.read_timeline(value)
    return quantity.integer(value, 2, 1 << 20)
end

---Reads the instructions of one call of a policy written in Lua; 0 or false: no limit.
function M.read_budget(value)
    if value == false then return 0 end
    return quantity.integer(value, 0, check.INTEGER_MAX)
end

---Bytes that a policy written in Lua may hold: a number, or text such as "64MiB".
M.read_memory = quantity.bytes

local function lacking(model, option)
    return model.settings.lacks and model.settings.lacks[option]
end

M.lacking = lacking

---Raises a fault for an option that the model lacks.
---@param model pinion.Model
---@param option string
---@param name string what messages call it
function M.refuse(model, option, name)
    local reason = lacking(model, option)
    if reason then fault.at(nil, name, reason) end
end

---Reads the time from one checkpoint to the next.
function M.read_every(model, value)
    if lacking(model, "checkpoint") then return nil, lacking(model, "checkpoint") end
    return model.settings.read_every(value)
end

---@param model pinion.Model
---@return "fast"|"none" where nothing is asked for
function M.default_bounds(model)
    return lacking(model, "bounds") and "none" or "fast"
end

local BOUNDS = { "none", "fast", "tight" }

function M.read_bounds(model, value)
    local bounds, why = check.choice(value, BOUNDS)
    if bounds and bounds ~= "none" and lacking(model, "bounds") then
        return nil, lacking(model, "bounds")
    end
    return bounds, why
end

---Reads a distribution of factors by which policies see the sizes of jobs wrongly.
function M.read_error(model, value)
    if lacking(model, "error") then return nil, lacking(model, "error") end
    return distribution.read_factor(value)
end

-- Reads { jobs = n } or { UNIT = amount }
local function read_warmup_table(settings, value)
    local unit = settings.unit
    local key, why = check.unknown_key(value, { jobs = true, [unit] = true })
    if key ~= nil then return nil, string.format("%s: %s", key, why) end
    if (value.jobs == nil) == (value[unit] == nil) then
        return nil, "must say either jobs or " .. unit
    end
    local amount, reason
    if value.jobs ~= nil then
        unit = "jobs"
        amount, reason = quantity.integer(value.jobs, 0, check.INTEGER_MAX)
    else
        amount, reason = settings.read_warmup_amount(value[unit])
    end
    if not amount then return nil, string.format("%s: %s", unit, reason) end
    return { [unit] = amount }
end

---Reads what the statistics leave out at the start: a number of jobs, or text such as "500slots",
---or { slots = 500 }; "auto": what MSER finds in each run.
function M.read_warmup(model, value)
    local settings = model.settings
    if lacking(model, "warmup") then return nil, lacking(model, "warmup") end
    if type(value) == "table" then return read_warmup_table(settings, value) end
    if value == "auto" then return { auto = true } end
    local amount, unit = value, "jobs"
    if type(value) == "string" then
        local digits, word = value:match("^%s*([%d.eE+]-)%s*(%a*)%s*$")
        if word == "jobs" or word == settings.unit then amount, unit = digits, word end
    end
    local number
    if unit == "jobs" then
        number = quantity.integer(amount, 0, check.INTEGER_MAX)
    else
        number = settings.read_warmup_amount(amount)
    end
    if number then return { [unit] = number } end
    return nil, string.format(
        "must be a number of jobs such as 1000, or of %s such as 500%s, or auto, got %s",
        settings.unit, settings.unit, check.show(value))
end

return M
