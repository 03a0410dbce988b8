-- What the models have in common: readers of settings, making the jobs, one run, one verification.
-- A model is a table that says what its own settings, results and words are; M.complete adds the
-- rest.

local check = require "pinion.base.check"
local checkpoint = require "pinion.run.checkpoint"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local inputs = require "pinion.run.inputs"
local orders = require "pinion.workload.orders"
local policies = require "pinion.policy"
local quantity = require "pinion.base.quantity"
local result = require "pinion.run.result"

local M = {}

---@class pinion.Sample what a run measures of every job
---@field name string a field of results with its statistics; of the rows a column too
---@field column string|nil of the rows, where that is called otherwise
---@field words string
---@field title string of a column that holds its mean
---@field stats string the statistics in what the core returns
---@field group_stats string … of each group
---@field total string|nil field of results: the sum over the finished jobs
---@field mean string field of results

---@class pinion.Measure a number that a run has, and of which replicas have a mean, …_sd and …_half
---@field name string
---@field title string|nil of its column; nil: the first sample's
---@field bounds string|nil "tight": it is known with tight bounds only
---@field write (fun(value: number|nil, half: number|nil): string)|nil in tables; nil: as ratios, or model.mean
---@field beside number|nil tables leave its column out where it is this in every row
---@field hidden boolean|nil true: files have it, and no table
---@field admission boolean|nil what there is to see first where policies reject jobs
---@field settling string what the running mean of it is called in figures, besides "mean"

---@class pinion.Model
---@field name string
---@field batch boolean|nil true: all jobs are there at once. Nothing arrives, grows or warms up, a policy plans before the first
---task starts, and the bounds are the run's own.
---@field scalars string[] top-level fields of a scenario that hold one value each, in the order in which they are checked
---@field fields table<string, fun(value: any, json: boolean|nil): any, string?> checks of these fields
---@field defaults table<string, any> what a scenario without the field means
---@field required table<string, string> fields that a scenario must have, and what messages say then
---@field beside_workload table<string, any>|nil fields that a workload has with it where there is no scenario
---@field default_policies string[] that a comparison shows when none are named
---@field options table<string, fun(value: any): any, string?> further options of runs by name, with their checks
---@field until_option string which of these ends a run
---@field limit (fun(params: table<string, any>): number?, string)|nil a parameter's time that ends runs too, and its name
---@field stop_words fun(time: number): string when such a time ended a run
---@field axes table<string, fun(value: any): table?, string?>|nil what sweeps can vary besides fields: to several of them
---@field prover string|nil the policy that finds tight bounds, whose parameters mean something beside any other
---@field lacks table<string, string>|nil options of other models, with the reason why there are none here; bounds: there are none
---@field settle (fun(settings: pinion.Settings))|nil checks settings against each other
---@field check_jobs (fun(settings: pinion.Settings, policy: pinion.Policy, opened: pinion.Opened))|nil … and the jobs against a policy
---@field draws (fun(settings: pinion.Settings): boolean)|nil whether runs of fixed jobs draw anything, so that replicas differ
---@field explain (fun(settings: pinion.Settings, policy: pinion.Policy, opened: pinion.Opened, message: string))|nil raises a better one
---@field read_every fun(value: any): number?, string?
---@field unit string of times: in it a warm-up can be given beside jobs, as a field of warm-ups and the end of their texts
---@field read_warmup_amount fun(value: any): number?, string?
---@field has_orders boolean|nil whether parameters may be lists of job ids, see orders.lua
---@field read_jobs fun(value: any, place: pinion.Place): pinion.JobList
---@field heads string[] settings that results repeat
---@field head fun(settings: pinion.Settings, name: string): any what they say of such a setting
---@field head_of table<string, string>|nil by name: the setting that it belongs to, where that is called otherwise
---@field binding fun(settings: pinion.Settings): table what its workloads depend on
---@field request fun(settings: pinion.Settings, params: table|nil, opened: pinion.Opened|nil): table its settings as the core takes them
---@field run_core fun(request: table): table?, string?, string?
---@field verify_core fun(request: table): table?, string?, string?
---@field hash_core fun(request: table): string?, string?
---@field shows_params boolean|nil whether results have the policy's parameters
---@field integer boolean whether times are integers
---@field columns string[] of the rows of jobs
---@field table_columns string[]|nil those that tables show; nil: all
---@field table_meanings table<string, string>|nil what stands below a table that has the column
---@field table_optional table<string, boolean>|nil those that tables show only where some row has them
---@field sums { name: string, of: string, over: string|nil }[]|nil what groups have by sums over their jobs
---@field parts string[]|nil those of them that all jobs have too
---@field samples pinion.Sample[]
---@field measures pinion.Measure[] the first is what comparisons go by: unless it is a batch, the mean of the first sample
---@field rules_of (fun(settings: pinion.Settings, chosen: pinion.Policy[]): { [1]: string, [2]: any }[])|nil its parameters, and those
---of the policies, that are not their defaults
---@field facts string[]|nil of a batch: settings of a run that rows have
---@field exact string[]|nil fields of results that have their exact form beside them, as NAME_exact, where they are no integers
---@field result_columns string[]|nil of csv files of results; nil: those of streams
---@field kinds string[]|nil of figures of a comparison; nil: those of streams
---@field ratio string its total over the lower bound
---@field ratio_tight string
---@field totals string[] what results have of a run beside these
---@field tail string[] those of them that JSON has at its end
---@field last string the field that says how long it all took
---@field clock string what checkpoints call the time
---@field title fun(it: table): string[] what titles say of the settings
---@field time_unit string of samples and means, with a blank in front, or ""
---@field ratio_words string
---@field legend string what stands below a comparison
---@field ratio_legend string
---@field amount fun(value: number|nil): string a length of time or a total
---@field moment fun(time: number|nil): string what rows have of a job
---@field number fun(value: number|nil): string a mean
---@field mean fun(value: number|nil, half: number|nil): string … in a comparison, with the half width of its interval
---@field difference fun(value: number|nil, half: number|nil): string between two means, signed
---@field last_words fun(result: pinion.Result): string, string what it is, how much
---@field interrupted_words fun(result: pinion.Result): string
---@field end_words fun(summary: table): string of a verification: the end of the log
---@field labels table<string, string> what axes of figures say
---@field axis_labels table<string, string> of what a sweep varies

---Rows are kept up to this many jobs.
M.ROWS_MAX = 1000000

local BOUNDS = { "none", "fast", "tight" }

-- ---- readers ------------------------------------------------------------------------------------

---Reads a policy's name, file or text; what it stands for is looked up later.
function M.read_policy(value)
    if policies.is_reference(value) then return value end
    return nil, (select(2, policies.lookup(value)))
end

function M.read_seed(value)
    return check.integer(value, 0, check.INTEGER_MAX)
end

-- Instructions of one call of a policy written in Lua; 0 or false: no limit.
local function read_budget(value)
    if value == false then return 0 end
    return quantity.integer(value, 0, check.INTEGER_MAX)
end

local function read_bounds(value)
    return check.choice(value, BOUNDS)
end

-- { jobs = n } or { UNIT = amount }
local function read_warmup_table(value, model)
    local unit = model.unit
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
        amount, reason = model.read_warmup_amount(value[unit])
    end
    if not amount then return nil, string.format("%s: %s", unit, reason) end
    return { [unit] = amount }
end

-- What the statistics leave out at the start: a number of jobs, or text such as "500slots", or {
-- slots = 500 }.
local function read_warmup(value, model)
    if type(value) == "table" then return read_warmup_table(value, model) end
    local amount, unit = value, "jobs"
    if type(value) == "string" then
        local digits, word = value:match("^%s*([%d.eE+]-)%s*(%a*)%s*$")
        if word == "jobs" or word == model.unit then amount, unit = digits, word end
    end
    local number
    if unit == "jobs" then
        number = quantity.integer(amount, 0, check.INTEGER_MAX)
    else
        number = model.read_warmup_amount(amount)
    end
    if number then return { [unit] = number } end
    return nil, string.format(
        "must be a number of jobs such as 1000, or of %s such as 500%s, got %s", model.unit,
        model.unit, check.show(value))
end

-- ---- runs ---------------------------------------------------------------------------------------

---@class pinion.Settings of one run, all checked; beside these, what model.scalars and model.options name
---@field model string
---@field policy string|pinion.PolicyText
---@field budget integer|nil instructions of one call of a policy written in Lua; 0: no limit
---@field memory integer|nil bytes that it may hold
---@field params table<string, any>
---@field policy_where string|nil the file that names the policy
---@field failures_where string|nil the file that names the failures of nodes
---@field params_where string|nil what messages about parameters begin with
---@field params_given table<string, any>|nil those of the command line, which are in no file
---@field chosen any[]|nil policies that are going to run
---@field workload pinion.Workload
---@field seed integer|nil overrides the workload's own
---@field replica integer
---@field bounds "none"|"fast"|"tight"
---@field keep_jobs boolean|nil nil: up to ROWS_MAX jobs
---@field log string|nil
---@field quiet boolean
---@field error table|nil distribution of the factor by which policies see sizes
---@field warmup { jobs: integer?, slots: integer?, time: number? }|nil
---@field checkpoint string|nil
---@field every number|nil slots, or time, between two checkpoints
---@field resume boolean|pinion.Checkpoint|nil true: go on from `checkpoint` when that file is there
---@field arguments string[]|nil the command line, for the checkpoint
---@field inputs pinion.Input[]|nil files that the run reads, for the checkpoint

-- The jobs of the settings, with errors in their sizes when asked for. They serve any number of
-- runs.
local function open(model, settings)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local binding = model.binding(settings)
    binding.model, binding.seed, binding.replica = model.name, settings.seed, settings.replica
    local opened = settings.workload:open(binding)
    if settings.error then
        opened.core = core.workload_error {
            workload = opened.core, factor = settings.error, seed = settings.seed or opened.seed
                or 1, replica = settings.replica,
        }
        opened.estimates = true
    end
    if model.has_orders then opened.core = orders.apply(opened.core, settings.params) end
    return opened
end

---The file that a parameter is in; nil for one of the command line. `path` may go on behind the
---name.
---@param settings pinion.Settings
---@param path string
---@return string|nil
function M.where_of(settings, path)
    local given = settings.params_given and settings.params_given[path:match("^[%w_]+")]
    return given == nil and settings.params_where or nil
end

local function own_params(policy, settings)
    return policies.values(policy, settings.params, function(path, reason)
        fault.at(M.where_of(settings, path), "params." .. path, reason)
    end)
end

-- What a batch could not be run for, at its place: a parameter, or the policy that the file names.
local function fail_batch(settings, kind, message)
    local path, reason = message:match("^params%.([%w_%[%].]+): (.*)$")
    if path then fault.at(M.where_of(settings, path), "params." .. path, reason) end
    if settings.policy_where and message:find("^policy ") then
        fault.at(settings.policy_where, nil, message)
    end
    fault.from_core(kind, message)
end

local function run(model, settings, opened)
    inputs.keep_from(inputs.of(settings), { log = settings.log, checkpoint = settings.checkpoint },
        "")
    local from = checkpoint.open(settings)
    local policy = checkpoint.policy(from, settings)
        or policies.require(settings.policy, model.name, settings.reduce)
    local params = own_params(policy, settings)
    opened = opened or model.open(settings)
    model.check_jobs(settings, policy, opened)
    local keep = settings.keep_jobs
    if keep == nil then keep = opened.expected <= M.ROWS_MAX end
    local saving = checkpoint.plan(settings, opened,
        { policy = policy, params = params, keep_jobs = keep }, from)
    local scripted = policy.text and policies.instantiate(policy, settings)
    local request = {
        lua_policy = scripted or nil,
        workload = opened.core, policy = policy.label, params = params, bounds = settings.bounds,
        keep_jobs = keep, groups = #opened.groups, estimates = opened.estimates,
        seed = settings.seed or opened.seed or 1, replica = settings.replica,
        log = settings.log, quiet = settings.quiet, label = policy.label,
        checkpoint = saving.path, every = saving.every, about = saving.about,
        resume = saving.resume,
        [model.until_option] = settings[model.until_option],
    }
    for unit, amount in next, settings.warmup or {} do request["warmup_" .. unit] = amount end
    for name, value in next, model.request(settings, params, opened) do request[name] = value end
    local raw, kind, message = model.run_core(request)
    if scripted then scripted:close() end
    if not raw then
        local located = scripted and message:sub(1, #policy.chunk + 1) == policy.chunk .. ":"
        if model.batch and kind == "usage" and not located then
            fail_batch(settings, kind, message)
        end
        if model.explain then model.explain(settings, policy, opened, message) end
        local raise = located and fault.located or fault.from_core
        raise(kind, message)
    end
    local made = result.new(model, settings, policy, opened, raw, params)
    made.continue_from = raw.saved and settings.checkpoint or from and from.path
    return made
end

local function verify(model, settings, log)
    local opened = model.open(settings)
    local source, request = opened.core, model.request(settings, nil, opened)
    request.workload, request.log = source, log
    function request.hash_of(policy, params, scripted, rules)
        local question = model.request(settings, nil, opened)
        for name, value in next, rules or {} do question[name] = value end
        question.workload, question.policy, question.params, question.lua = source, policy, params,
            scripted
        return model.hash_core(question)
    end
    local summary, message, kind = model.verify_core(request)
    if not summary then fault.located(kind or "run", message) end
    return summary
end

---Adds to a model what it has in common with the others.
---@param model pinion.Model
---@return pinion.Model
function M.complete(model)
    model.interrupted_words = model.interrupted_words or function(made)
        return string.format("%d jobs finished with policy %s", made.finished, made.policy)
    end
    model.stop_words = model.stop_words
        or function(time) return "before " .. model.amount(time) .. model.time_unit end
    model.read_budget = read_budget
    ---Bytes that a policy written in Lua may hold: a number, or text such as "64MiB".
    model.read_memory = quantity.bytes
    local lacks = model.lacks or {}
    model.default_bounds = lacks.bounds and "none" or "fast"
    function model.read_bounds(value)
        local bounds, why = read_bounds(value)
        if bounds and bounds ~= "none" and lacks.bounds then return nil, lacks.bounds end
        return bounds, why
    end
    model.settle = model.settle or function() end
    model.check_jobs = model.check_jobs or function() end
    model.head = model.head or function(settings, name) return settings[name] end
    ---A distribution of factors by which policies see the sizes of jobs wrongly.
    model.read_error = distribution.read_factor
    if lacks.error then model.read_error = function() return nil, lacks.error end end

    ---@return table|nil warmup, string|nil reason
    function model.read_warmup(value)
        if lacks.warmup then return nil, lacks.warmup end
        return read_warmup(value, model)
    end

    ---@param settings pinion.Settings
    ---@return pinion.Opened
    function model.open(settings) return open(model, settings) end

    ---Runs one policy. Raises a fault when the run fails; an interrupted run returns what there is.
    ---@param settings pinion.Settings
    ---@param opened pinion.Opened|nil from model.open
    ---@return pinion.Result
    function model.run(settings, opened) return run(model, settings, opened) end

    ---Replays a decision log through the checker.
    ---@param settings pinion.Settings
    ---@param log string path
    ---@return table summary decisions, jobs, policy, digest, and the end
    function model.verify(settings, log) return verify(model, settings, log) end

    return model
end

return M
