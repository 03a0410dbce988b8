-- The runs behind the sections on Lin, Zhang, Wierman, Tan (2013). A cell is one workload under
-- several policies over many replicas, always on common random numbers; cells are made once and
-- shared, as the table of Section 5.3, Figure 9 and the comparisons beyond the paper look at the
-- same runs.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "lin.reference"
local text = require "shared.text"

local M = {}

---@class pinion.PaperPolicy a policy with parameters, as the sections name it
---@field name string as tables show it
---@field policy string
---@field params table|nil

---@type table<string, pinion.PaperPolicy>
M.POLICIES = {
    fcfs = { name = "FCFS", policy = "fcfs" },
    fcfs_ps = { name = "FCFS/PS", policy = "fcfs_ps" },
    ps = { name = "PS", policy = "ps" },
    klps = { name = "k-LPS", policy = "klps" },
    klps_rigid = { name = "k-LPS rigid", policy = "klps_rigid" },
    maxsrpt = { name = "MaxSRPT", policy = "maxsrpt" },
    maxsrpt_strict = { name = "MaxSRPT strict", policy = "maxsrpt",
        params = { work_conserving = false } },
    splitsrpt = { name = "SplitSRPT", policy = "splitsrpt" },
    split_empty = { name = "SplitSRPT empty", policy = "splitsrpt", params = { lend = "empty" } },
    split_none = { name = "SplitSRPT none", policy = "splitsrpt", params = { lend = "none" } },
    srptmap = { name = "SRPT-map", policy = "srptmap" },
    srptsum = { name = "SRPT-sum", policy = "srptsum" },
    johnson = { name = "Johnson", policy = "johnson" },
    bsrpt = { name = "bsrpt", policy = "bsrpt" },
    xmax = { name = "xmax", policy = "xmax" },
}

---@param label string a policy, or a bound: "lower" or "tight"
---@return string
function M.name(label)
    return label == "lower" and "bound, Section 5.1" or label == "tight" and "bound, ours"
        or M.POLICIES[label].name
end

---One run of a policy. Options beyond the policy's are those of pinion.run.
---@param label string
---@param options table
---@return pinion.Result
function M.run(label, options)
    local policy = M.POLICIES[label]
    options.model, options.policy, options.params = "tandem", policy.policy, policy.params
    return papers.run(options)
end

---One run under fixed orders: the same at both stations unless `shuffle` is given.
---@param jobs table[]|pinion.Workload
---@param map integer[] ids
---@param shuffle integer[]|nil ids
---@return pinion.Result
function M.run_orders(jobs, map, shuffle)
    return papers.run {
        model = "tandem", policy = "priority",
        params = { order_map = map, order_shuffle = shuffle or map }, workload = jobs,
        bounds = "none",
    }
end

---One run of the schedule with which a proof compares a policy, on the proof's instance.
---@param workload pinion.Workload
---@return pinion.Result
function M.run_schedule(workload)
    return M.run_orders(workload, workload:schedule())
end

-- ---- workloads ----------------------------------------------------------------------------------

-- The cube root of a log-normal ratio is log-normal with a third of its sigma; the mean does not
-- matter, as it is set to 1.
---@type table<string, { title: string, short: string, options: table }>
M.WORKLOADS = {
    pair = { title = "the workload of Section 5.3", short = "Section 5.3", options = {} },
    balanced = { title = "the same with the cube root of every ratio", short = "balanced",
        options = { balance = true } },
    independent = {
        title = "map and shuffle sizes independent", short = "independent",
        options = {
            map = string.format("lognormal(1,%g)", reference.independent.sd),
            shuffle = string.format("lognormal(1,%g)", reference.independent.sd),
        },
    },
    constant = {
        title = "nearly constant map sizes", short = "constant maps",
        options = { map = "lognormal(1,0.1)",
            ratio = string.format("lognormal(1,%g)", reference.boundaries.constant.sd) },
    },
}

---@param kind string a key of M.WORKLOADS
---@param load number
---@param jobs integer
---@return pinion.Workload
function M.workload(kind, load, jobs)
    local options = { load = load, jobs = jobs }
    for name, value in next, M.WORKLOADS[kind].options do options[name] = value end
    return pinion.workload.lin(options)
end

-- ---- cells --------------------------------------------------------------------------------------

---@class pinion.LinCell
---@field label string
---@field seeds integer
---@field jobs integer of a replica
---@field mean table<string, number[]> mean response time by policy, or by bound ("lower", "tight"), and replica
---@field buckets table<string, table[]> by policy and replica: { counts, sums, squares } by bucket, the last for larger jobs
---@field rate table<string, number[]> work that the shuffle station does in a unit of time, by policy and replica
---@field digest table<string, string> by policy, papers.DIGEST_RULE

---@class pinion.LinCellOptions
---@field label string
---@field workload pinion.Workload|nil drawn anew for each replica
---@field workloads table[]|nil in its place: the jobs of each replica
---@field policies string[] keys of M.POLICIES
---@field bounds "none"|"fast"|"tight"|nil default "tight"
---@field buckets boolean|nil slowdowns by size are counted

-- What tells the cells apart: a trace's windows lie in its file.
local function key_of(given)
    local key = {}
    for i, options in ipairs(given) do
        key[i] = { options.label, options.policies, options.bounds or "", options.buckets or false,
            options.workload and tostring(options.workload) or false }
    end
    return key
end

-- Counts and sums, which add up over replicas, of the means and deviations in a result.
local function bucket_sums(rows)
    local sums = { counts = {}, sums = {}, squares = {} }
    for i, row in ipairs(rows) do
        sums.counts[i] = row.count
        sums.sums[i] = row.count * (row.mean or 0.0)
        sums.squares[i] = row.count * (row.mean or 0.0) ^ 2 + math.max(row.count - 1, 0) * (row.sd
            or 0.0) ^ 2
    end
    return sums
end

local function run_replica(context, cell, replica)
    local value = { mean = {}, digest = {}, buckets = {}, rate = {} }
    for i, label in ipairs(cell.policies) do
        local result = M.run(label, {
            workload = cell.workload or cell.workloads[replica], seed = context.seed,
            replica = replica - 1, keep_jobs = false,
            -- The bounds belong to the workload: the first run pays for them.
            bounds = i > 1 and "none" or cell.bounds or "tight",
            slowdown_by_size = cell.buckets and { buckets = reference.slowdown.buckets,
                width = reference.slowdown.width } or nil,
        })
        value.mean[i], value.digest[i] = result.mean_response_time, result.digest
        value.rate[i] = result.shuffle_busy / result.makespan
        if cell.buckets then value.buckets[i] = bucket_sums(result.slowdown_by_size) end
        if i == 1 then
            value.jobs = result.finished
            value.lower = result.lower_bound and result.lower_bound / result.finished
            value.tight = result.lower_bound_tight and result.lower_bound_tight / result.finished
        end
    end
    return value
end

local function new_cell(context, given)
    local cell = { label = given.label, seeds = context.seeds, mean = { lower = {}, tight = {} },
        buckets = {}, digest = {}, rate = {} }
    local folded = {}
    for _, label in ipairs(given.policies) do cell.mean[label], cell.buckets[label],
        folded[label] = {}, {},
        papers.DIGEST_START
        cell.rate[label] = {}
    end
    return cell, folded
end

---Makes several cells, all of their replicas side by side.
---@param context pinion.PaperContext
---@param label string for the progress line
---@param given pinion.LinCellOptions[]
---@return pinion.LinCell[]
function M.cells(context, label, given)
    local cells, folded = {}, {}
    for i, options in ipairs(given) do cells[i], folded[i] = new_cell(context, options) end
    -- Neighbouring tasks are replicas of one cell.
    local function place(task)
        return (task - 1) // context.seeds + 1, (task - 1) % context.seeds + 1
    end
    local values = papers.each(context, label, #given * context.seeds, function(task)
        local c, replica = place(task)
        return run_replica(context, given[c], replica)
    end, "replica", key_of(given))
    for task, value in ipairs(values) do
        local c, replica = place(task)
        local cell = cells[c]
        cell.jobs, cell.mean.lower[replica], cell.mean.tight[replica] = value.jobs, value.lower,
            value.tight
        for i, policy in ipairs(given[c].policies) do
            cell.mean[policy][replica] = value.mean[i]
            cell.buckets[policy][replica] = value.buckets[i]
            cell.rate[policy][replica] = value.rate[i]
            folded[c][policy] = papers.fold(folded[c][policy], value.digest[i])
        end
    end
    for c, cell in ipairs(cells) do
        for policy, combined in next, folded[c] do
            cell.digest[policy] = papers.digest_text(combined)
        end
    end
    return cells
end

---Policies of the runs of Section 5.3 and Figure 9, and ours on the same jobs.
M.MAIN = { "klps", "maxsrpt", "splitsrpt", "srptmap", "srptsum", "bsrpt", "xmax" }

---The runs of Section 5.3, by number of the load in reference.loads.
---@param context pinion.PaperContext
---@return pinion.LinCell[]
function M.main_cells(context)
    if not context.cache.main then
        local given = {}
        for i, load in ipairs(reference.loads) do
            given[i] = { label = string.format("load %.2f", load),
                workload = M.workload("pair", load, context.jobs),
                         policies = M.MAIN, buckets = true }
        end
        context.cache.main = M.cells(context, "Section 5.3", given)
    end
    return context.cache.main
end

-- A mean that has not settled yet moves between the first quarter of the jobs and all of them.
local EARLY = 4

---The same with the first jobs alone, by number of the load in reference.loads.
---@param context pinion.PaperContext
---@return pinion.LinCell[]
function M.early_cells(context)
    if not context.cache.early then
        local given = {}
        for i, load in ipairs(reference.loads) do
            given[i] = { label = string.format("a quarter of the jobs, load %.2f", load),
                workload = M.workload("pair", load, context.jobs // EARLY),
                policies = { "klps", "maxsrpt", "splitsrpt" }, bounds = "none" }
        end
        context.cache.early = M.cells(context, "Section 5.3, shorter", given)
    end
    return context.cache.early
end

---Ratios of one mean to another by replica: same jobs, so most of the noise cancels.
---@param cell pinion.LinCell
---@param above string policy or bound
---@param below string policy or bound
---@return number[]
function M.ratios(cell, above, below)
    local ratios = {}
    for replica = 1, cell.seeds do
        ratios[replica] = cell.mean[above][replica] / cell.mean[below][replica]
    end
    return ratios
end

---How many jobs a replica has in an experiment that takes a share of those of Section 5.3.
---@param context pinion.PaperContext
---@param share number
---@return integer
function M.scaled(context, share)
    return math.max(1000, math.floor(context.jobs * share))
end

-- ---- judging ------------------------------------------------------------------------------------

---A mean is the printed number if its interval lies within this share of it.
M.MARGIN = 0.05

---How far apart two printed numbers of one run may be.
M.ROUNDING = 0.005

---Whether a number of ours and one that another run of many jobs gave may be the same: each has its
---own noise, theirs as much as ours scaled to its number of jobs.
---@param values number[] ours by replica
---@param jobs integer of a replica of ours
---@param their_jobs integer
---@param rounding number|nil
---@return number tolerance three standard errors
function M.tolerance(values, jobs, their_jobs, rounding)
    return experiment.tolerance(experiment.summary(values).sd, #values, their_jobs / jobs,
        true) + (rounding or M.ROUNDING)
end

-- How far a mean may still move on the way to the paper's number of jobs: as much again, interval
-- and all, each time that the jobs are so many times as many. Short runs begin empty and lack the
-- largest jobs, so that all of their replicas can lie low together.
local function still_open(values, early, jobs)
    local moved = {}
    for replica, value in ipairs(values) do moved[replica] = value - early[replica] end
    local sample = experiment.summary(moved)
    local times = math.log(reference.PAPER_JOBS / jobs) / math.log(EARLY)
    return math.max(times, 0) * (math.abs(sample.mean) + sample.half)
end

---The verdict on a number that the paper prints.
---@param values number[] ours by replica
---@param early number[] the same of a quarter of the jobs
---@param jobs integer of a replica of ours
---@param paper number
---@return string papers.HOLDS, papers.FAILS or papers.UNDECIDED
function M.beside(values, early, jobs, paper)
    local sample = experiment.summary(values)
    local apart = math.abs(sample.mean - paper)
    -- 95 % of the difference of the two, the paper's run being one of many jobs.
    local noise = sample.half * math.sqrt(1 + #values * jobs / reference.PAPER_JOBS) + M.ROUNDING
    if apart > noise + still_open(values, early, jobs) then return papers.FAILS end
    local is_near = apart <= noise and experiment.within(sample, M.MARGIN * paper, paper)
    return is_near and papers.HOLDS or papers.UNDECIDED
end

---What tables say of such a verdict.
M.BESIDE = { [papers.HOLDS] = "holds", [papers.FAILS] = "differs",
    [papers.UNDECIDED] = "undecided" }

---"3.332 ± 0.013"
---@param sample { mean: number, half: number }
---@param decimals integer|nil default 3
function M.interval_text(sample, decimals)
    return string.format("%s ± %s", text.number(sample.mean, decimals or 3),
        text.number(sample.half, decimals or 3))
end

---A signed percentage with its interval.
function M.percent_text(sample)
    return string.format("%+.1f ± %.1f %%", 100 * sample.mean, 100 * sample.half)
end

-- ---- columns that many tables share -------------------------------------------------------------

---A column of numbers.
function M.column(key, title, decimals)
    return { key = key, title = title, right = true,
        show = function(value) return text.number(value, decimals or 3) end }
end

---A column of policies and bounds.
M.POLICY_COLUMN = { key = "policy", title = "policy", show = M.name }

return M
