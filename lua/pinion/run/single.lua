-- One run of one policy, and the verification of a log: from checked settings to a result.

local batch_means = require "pinion.base.batch_means"
local bundle = require "pinion.base.bundle"
local lazy = require "pinion.base.lazy"
local checkpoint = lazy.module "pinion.run.checkpoint"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local fields = require "pinion.models.fields"
local inputs = require "pinion.run.inputs"
local metrics = lazy.module "pinion.run.metrics"
local models = require "pinion.models"
local orders = lazy.module "pinion.base.orders"
local params_of = require "pinion.policy.params"
local policies = require "pinion.policy"
local result = require "pinion.run.result"
local text = require "pinion.base.text"
local workload = require "pinion.workload"

local M = {}

---Rows are kept up to this many jobs.
M.ROWS_MAX = 1000000

---@class pinion.Settings of one run, all checked; beside these, what settings.scalars and settings.options of the model name
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
---@field metrics pinion.Metric[]|nil that are measured beside the model's own
---@field extended pinion.Model|nil the model with these
---@field windows integer|nil how many replicas there are, where the jobs are cut into windows
---@field keep_jobs boolean|nil nil: up to ROWS_MAX jobs
---@field log string|nil
---@field quiet boolean
---@field error table|nil distribution of the factor by which policies see sizes
---@field warmup { jobs: integer?, slots: integer?, time: number?, auto: boolean? }|nil
---@field warmup_found "whole"|"half"|nil the warm-up was found by MSER; "half": it may be longer than that half of the run
---@field timeline integer|nil buckets of the timeline that is recorded
---@field checkpoint string|nil
---@field every number|nil slots, or time, between two checkpoints
---@field resume boolean|pinion.Checkpoint|nil true: resume from `checkpoint` when that file is there
---@field arguments string[]|nil the command line, for the checkpoint
---@field inputs pinion.Input[]|nil files that the run reads, for the checkpoint

---Opens the jobs of the settings, with errors in their sizes when asked for. They serve any number
---of runs.
---@param settings pinion.Settings
---@return pinion.Opened
function M.open(settings)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local model = models.find(settings.model)
    local binding = model.jobs.binding(settings)
    binding.model, binding.seed, binding.replica = model.name, settings.seed, settings.replica
    local opened = settings.workload:open(binding)
    if settings.error then
        opened.core = core.workload_error {
            workload = opened.core, factor = settings.error, seed = settings.seed or opened.seed
                or 1, replica = settings.replica,
        }
        opened.estimates = true
    end
    if model.jobs.has_orders and settings.params then
        opened.core = orders.apply(opened.core, settings.params)
    end
    return opened
end

---Returns how many replicas there are, where the jobs are cut into windows; nil: any number.
---@param settings pinion.Settings
---@return integer|nil
function M.windows(settings)
    if not (settings.workload.options or {}).replicas then return nil end
    return M.open(setmetatable({ replica = 0 }, { __index = settings })).replicas
end

---Checks the jobs against a policy that is going to run.
---@param settings pinion.Settings
---@param policy pinion.Policy
---@param opened pinion.Opened
function M.check_jobs(settings, policy, opened)
    local check = models.find(settings.model).jobs.check
    if check then check(settings, policy, opened) end
end

local function own_params(policy, settings)
    return params_of.values(policy, settings.params, function(path, reason)
        fault.at(fields.where_of(settings, path), "params." .. path, reason)
    end)
end

-- Raises a fault for what could not be run, at its place where that is known: a line of the policy,
-- a parameter, a job, or the policy that the file names.
local function fail(settings, policy, opened, kind, message)
    if policy.text and bundle.is_about(message, policy.chunk, policy.text) then
        local hint = message:find "attempt to index a number value"
            and " (a job is a number; use s:arrival(job))" or ""
        fault.located(kind, message .. hint)
    end
    local path, reason = message:match("^params%.([%w_%[%].]+): (.*)$")
    if path and kind == "usage" then
        fault.at(fields.where_of(settings, path), "params." .. path, reason)
    end
    if settings.policy_where and kind == "usage" and message:find("^policy ") then
        fault.at(settings.policy_where, nil, message)
    end
    local explain = models.find(settings.model).jobs.explain
    if explain then explain(settings, policy, opened, message) end
    fault.from_core(kind, message)
end

-- Returns the run as the core takes it.
local function request_of(model, settings, policy, opened, params)
    local keep = settings.keep_jobs
    if keep == nil or settings.metrics then keep = opened.expected <= M.ROWS_MAX end
    local until_option = model.settings.until_option
    local request = {
        workload = opened.core, policy = policy.base or policy.label, params = params,
        bounds = settings.bounds,
        keep_jobs = keep, groups = #opened.groups, estimates = opened.estimates,
        seed = settings.seed or opened.seed or 1, replica = settings.replica,
        log = settings.log or nil, quiet = settings.quiet, label = text.visible(policy.label),
        timeline = settings.timeline or nil,
        [until_option] = settings[until_option],
    }
    for unit, amount in next, settings.warmup or {} do request["warmup_" .. unit] = amount end
    for name, value in next, model.core.request(settings, params, opened) do
        request[name] = value
    end
    return request
end

local made_with = setmetatable({}, { __mode = "k" })

-- Makes a run with what there is to ask on its way: what the core returns, and what it was made
-- with.
local function make(settings, opened, questions)
    local model = models.find(settings.model)
    inputs.keep_from(inputs.of(settings), { log = settings.log, checkpoint = settings.checkpoint },
        "")
    local from = settings.resume and checkpoint.open(settings) or nil
    local policy = from and checkpoint.policy(from, settings)
        or policies.require(settings.policy, model.name, settings.reduce)
    local params = own_params(policy, settings)
    opened = opened or M.open(settings)
    M.check_jobs(settings, policy, opened)
    local request = request_of(model, settings, policy, opened, params)
    request.questions = questions
    if settings.checkpoint or from then
        local chosen = { policy = policy, params = params, keep_jobs = request.keep_jobs }
        for name, value in next, checkpoint.plan(settings, opened, chosen, from) do
            request[name] = value
        end
    end
    local scripted = nil
    if policy.text then
        scripted, request.params = policies.instantiate(policy, settings, request.params)
    end
    request.lua_policy = scripted
    local raw, kind, message = model.core.run(request)
    if scripted then scripted:close() end
    if not raw then fail(settings, policy, opened, kind, message) end
    if raw.submitted == 0 and raw.complete then
        fault.run("workload %s makes no job", check.show(settings.workload.text))
    end
    return raw, policy, opened, params, from
end

-- Runs for the warm-up alone; returns the settings with as many jobs as MSER finds. The means of
-- batches that every run keeps are its data, so a warm-up has a length of whole batches.
local function find_warmup(settings, opened)
    if settings.checkpoint or settings.resume then
        fault.usage "warmup: auto runs twice, which a checkpoint cannot hold (expected a number)"
    end
    local first = setmetatable({ warmup = false, log = false, timeline = false, metrics = false,
        keep_jobs = false, bounds = "none" }, { __index = settings })
    local raw = make(first, opened)
    if raw.interrupted then fault.interrupted() end
    local means = raw.batches and raw.batches.means or {}
    local cut = batch_means.warmup(means)
    return setmetatable({
        warmup = { jobs = cut > 0 and cut * raw.batches.size or 0 },
        warmup_found = cut > 0 and cut == #means // 2 and "half" or "whole",
    }, { __index = settings })
end

---Runs one policy. Raises a fault when the run fails; an interrupted run returns what there is.
---@param settings pinion.Settings
---@param opened pinion.Opened|nil from M.open
---@return pinion.Result
function M.run(settings, opened)
    if settings.warmup and settings.warmup.auto then
        opened = opened or M.open(settings)
        settings = find_warmup(settings, opened)
    end
    local raw, policy, params, from
    raw, policy, opened, params, from = make(settings, opened, nil)
    local made = result.new(models.find(settings.model), settings, policy, opened, raw, params)
    if settings.metrics and not made.interrupted then
        metrics.measure(made, settings.metrics, opened, settings)
        if settings.keep_jobs == false then made:drop_rows() end
    end
    M.note(made, settings)
    made.continue_from = raw.saved and settings.checkpoint or from and from.path
    return made
end

---Remembers what a run was made with, while its result lives.
---@param made pinion.Result
---@param settings pinion.Settings
function M.note(made, settings)
    made_with[made] = settings
end

---Runs one policy and ranks the jobs, by its order, at some times.
---@param settings pinion.Settings
---@param opened pinion.Opened|nil
---@param questions { times: number[], deciding: boolean|nil, most: integer, job: integer|nil } ascending; as the policy decides then, or when all has happened; at most so many jobs of an order are told, and this one in any case
---@return table raw the result of the run; `answers` for each time that it came to, for each order of the kernel: the first ones, their count, and `own`
function M.ask(settings, opened, questions)
    return (make(settings, opened, questions))
end

---Returns what a run was made with, while its result lives; nil of one that came from another
---process.
---@param made pinion.Result
---@return pinion.Settings|nil
function M.settings_of(made)
    return made_with[made]
end

-- An adversary among the workloads runs the policy that it is made against.
workload.run = M.run

---Replays a decision log through the checker.
---@param settings pinion.Settings
---@param log string path
---@return table summary decisions, jobs, policy, digest, and the end
function M.verify(settings, log)
    local model, opened = models.find(settings.model), M.open(settings)
    local source, request = opened.core, model.core.request(settings, nil, opened)
    request.workload, request.log = source, log
    function request.hash_of(policy, params, scripted, rules)
        local question = model.core.request(settings, nil, opened)
        for name, value in next, rules or {} do question[name] = value end
        question.workload, question.policy, question.params, question.lua = source, policy, params,
            scripted
        return model.core.hash(question)
    end
    local summary, message, kind = model.core.verify(request)
    if not summary then fault.located(kind or "run", message) end
    return summary
end

return M
