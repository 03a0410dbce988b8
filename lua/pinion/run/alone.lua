-- The only replica of a comparison, whose rows have results: in this process, with a process for
-- each policy, or out of a store.

local core = require "pinion.core"
local parallel = require "pinion.base.parallel"
local plan_of = require "pinion.run.plan"
local result_of = require "pinion.run.result"
local row_of = require "pinion.run.row"
local single = require "pinion.run.single"
local summary = require "pinion.run.summary"

local M = {}

-- Adds the only replica. A row without a result is one that was interrupted before it had any.
local function add_results(plan, results, summaries)
    local names, rows = plan:group_names(), {}
    for i, row in ipairs(plan.rows) do
        local result = results[i]
        if result then
            row_of.add(plan.model, row, summaries[i], names)
            row.result, result.counts = result, row.pooled
            rows[#rows + 1] = row
            plan.submitted, plan.seed = result.submitted, result.seed
            if i == 1 then plan:add_busy(summaries[i]) end
        end
    end
    plan.rows, plan.completed = rows, 1
end

-- Shares what policies share of the bounds, in all results and what these left behind.
local function share(plan, results, summaries, bounds)
    if not plan:shares_bounds() then return end
    for i, result in next, results do
        result_of.set_bounds(plan.model, result, bounds)
        summary.set_bounds(plan.model, summaries[i], bounds)
    end
end

---Runs in this process. What was interrupted keeps what it has.
---@param plan pinion.Plan
---@return pinion.Result|nil first, boolean interrupted
function M.here(plan)
    local results, summaries = {}, {}
    local settings = setmetatable({ replica = plan.settings.replica }, { __index = plan.settings })
    local opened = plan:open(settings)
    for i in ipairs(plan.given) do
        local bounds = i > 1 and plan:shares_bounds() and "none" or settings.bounds
        local result = single.run(plan:own_settings(settings, i, bounds), opened)
        results[i] = result
        summaries[i] = summary.of_run(plan.model, result)
        if not plan.options.keep_rows then plan_of.let_go(result) end
        if result.interrupted then break end
    end
    share(plan, results, summaries, summary.bounds_of(plan.model, results[1]))
    add_results(plan, results, summaries)
    return results[1], results[#results].interrupted
end

-- Restores the result of a value { result, summary }.
local function restore(plan, i, value)
    local counts = {}
    for _, sample in ipairs(plan.model.results.samples) do
        counts[sample.name] = {}
        local of_run = value.summary[sample.name]
        core.pool(counts[sample.name], of_run.values, of_run.times)
    end
    local made = result_of.restore(value.result, counts, plan.settings)
    single.note(made, plan:own_settings(plan.settings, i, plan.settings.bounds))
    return made
end

---Runs with a process for each policy, as far as there are any. The workload is made once, before
---them.
---@param plan pinion.Plan
---@param processes integer
---@return pinion.Result|nil first, boolean interrupted
function M.apart(plan, processes)
    local settings, model = plan.settings, plan.model
    local opened = plan:open(settings)
    local results, summaries, done = {}, {}, 0
    local progress <close> = core.progress("comparison", settings.quiet)
    local complete = parallel.run(#plan.given, processes, {
        run = function(i, tick)
            local bounds = i > 1 and plan:shares_bounds() and "none" or settings.bounds
            local own = plan:own_settings(settings, i, bounds)
            own.quiet = true
            local result = single.run(own, opened)
            if result.interrupted then return nil end
            tick()
            return { result = result:portable(), summary = summary.of_run(model, result) }
        end,
        deliver = function(i, value)
            results[i], summaries[i] = restore(plan, i, value), value.summary
        end,
        tick = function(part)
            done = done + (part and 1 or 0)
            progress:show(done, #plan.given, "runs")
        end,
        name = function(i) return "policy " .. plan.rows[i].policy end,
    })
    if results[1] then share(plan, results, summaries, summary.bounds_of(model, results[1])) end
    add_results(plan, results, summaries)
    return results[1], not complete
end

---Reads out of a store.
---@param plan pinion.Plan
---@param made pinion.ReplicaMade of values { result, summary }
---@return pinion.Result first
function M.stored(plan, made)
    local results, summaries = {}, {}
    for i, value in ipairs(made.rows) do
        results[i], summaries[i] = restore(plan, i, value), value.summary
        results[i].bounds = i > 1 and plan:shares_bounds() and "none" or plan.settings.bounds
    end
    share(plan, results, summaries, made.bounds)
    add_results(plan, results, summaries)
    return results[1]
end

return M
