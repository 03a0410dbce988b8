-- The runs behind the sections on Zheng, Shroff, Sinha (2013). A cell is one setting in one mode
-- under several policies over many seeds, always on common random numbers; cells are made once and
-- shared, as Figures 5 to 8, Figures 10 to 13, Lemma 1 and Corollary 2 look at the same runs.

local papers = require "shared.papers"
local pinion = require "pinion"

local M = {}

-- Section VII-A of the paper.
M.MACHINES, M.RATE, M.SLOTS = 100, 2, 500

M.MODES = { "preemptive", "nonpreemptive" }

---The workloads of Figures 5 to 8 by the number of the generator's setting, in the paper's
---notation, and as distributions. Exponential sizes alone are unbounded; they are light-tailed, and
---Remark 1 extends Theorems 2 and 3 to such.
M.SETTINGS = {
    [0] = { maps = "Exp(5)", reduces = "Exp(40)", draws = { "exp(5)", "exp(40)" },
        title = "exponential, large reduces", is_exponential = true },
    { maps = "Exp(30)", reduces = "Exp(15)", draws = { "exp(30)", "exp(15)" },
        title = "exponential, small reduces", is_exponential = true },
    { maps = "U[1,9]", reduces = "U[10,70]", draws = { "uniform(1,9)", "uniform(10,70)" },
        title = "uniform, large reduces" },
    { maps = "U[10,50]", reduces = "U[10,20]", draws = { "uniform(10,50)", "uniform(10,20)" },
        title = "uniform, small reduces" },
}

---@return string such as "Exp(5) + Exp(40)"
function M.work_of(setting)
    return M.SETTINGS[setting].maps .. " + " .. M.SETTINGS[setting].reduces
end

M.NAMES = { fifo = "FIFO", fair = "FAIR", lrpt = "LRPT", asrpt = "ASRPT", asrpt_cu = "ASRPT_CU",
    dsrpt = "DSRPT", psrpt = "PSRPT",
            dspt = "DSPT", dsptf = "DSPTF", rfirst = "RFIRST", idx = "IDX", srpt = "SRPT" }

---Schedulers that the paper compares.
M.PAPERS_OWN = { "fifo", "fair", "lrpt", "asrpt" }

---@return string[] policies of Figures 5 to 8: the paper's four, its DSRPT where it is defined, and ours
function M.policies(mode)
    if mode == "preemptive" then return { "fifo", "fair", "lrpt", "asrpt", "dsrpt", "psrpt" } end
    return { "fifo", "fair", "lrpt", "asrpt", "psrpt" }
end

---The values of a table of counts in ascending order, and the sum of the counts.
---@param counts table<number, number>
---@return number[] values, number total
function M.sorted_values(counts)
    local values, total = {}, 0
    for value, count in next, counts do
        values[#values + 1] = value
        total = total + count
    end
    table.sort(values)
    return values, total
end

local function flow_time_counts(result)
    local counts = {}
    for _, job in ipairs(result.jobs) do
        if job.flow_time then counts[job.flow_time] = (counts[job.flow_time] or 0) + 1 end
    end
    return counts
end

-- Counts of flow times as two sequences, which travel from a worker.
local function pack_counts(counts)
    local values = M.sorted_values(counts)
    local packed = { values = values, counts = {} }
    for i, value in ipairs(values) do packed.counts[i] = counts[value] end
    return packed
end

local function unpack_counts(packed)
    local counts = {}
    for i, value in ipairs(packed.values) do counts[value] = packed.counts[i] end
    return counts
end

---@class pinion.PaperCell
---@field seeds integer
---@field jobs integer over all seeds
---@field lower number[] total flow time of SRPT by seed
---@field tight number[] LB2 by seed; empty when it was not asked for
---@field finished integer[] jobs by seed
---@field total table<string, number[]> by policy: total flow time by seed
---@field counts table<string, table<number, number>[]> by policy: how often each flow time occurred, by seed
---@field digest table<string, string> by policy, papers.DIGEST_RULE

---@class pinion.PaperCellOptions
---@field label string for the progress line
---@field workload pinion.Workload a generator
---@field machines integer
---@field reduce string
---@field policies string[]
---@field seeds integer
---@field tight boolean|nil
---@field counted integer|nil flow times are counted for this many seeds

local function run_seed(context, options, task)
    local value = { total = {}, digest = {}, counts = {} }
    local counted = task <= (options.counted or 0)
    for i, policy in ipairs(options.policies) do
        -- The bounds belong to the workload: the first run pays for them.
        local bounds = i > 1 and "none" or options.tight and "tight" or "fast"
        local result = papers.run {
            machines = options.machines, reduce = options.reduce, policy = policy,
            workload = options.workload,
            seed = context.seed,
            replica = task - 1, bounds = bounds, keep_jobs = counted,
        }
        if i == 1 then value.lower, value.tight, value.finished = result.lower_bound,
            result.lower_bound_tight,
            result.finished end
        value.total[i], value.digest[i] = result.total_flow_time, result.digest
        if counted then value.counts[i] = pack_counts(flow_time_counts(result)) end
    end
    return value
end

-- What tells a cell from others; a workload that is a script is told by the cell's label.
local function key_of(options)
    local is_described = getmetatable(options.workload) ~= nil
    return { options.machines, options.reduce, options.policies, options.tight or false,
        options.counted or 0, is_described and tostring(options.workload) or false }
end

---@param context pinion.PaperContext
---@param options pinion.PaperCellOptions
---@return pinion.PaperCell
function M.cell(context, options)
    local cell = { seeds = options.seeds, jobs = 0, lower = {}, tight = {}, finished = {},
        total = {}, counts = {}, digest = {} }
    local folded = {}
    for _, policy in ipairs(options.policies) do
        cell.total[policy], cell.counts[policy], folded[policy] = {}, {}, papers.DIGEST_START
    end
    local values = papers.each(context, options.label, options.seeds, function(task)
        return run_seed(context, options, task)
    end, "seed", key_of(options))
    for task, value in ipairs(values) do
        cell.lower[task], cell.tight[task], cell.finished[task] = value.lower, value.tight,
            value.finished
        cell.jobs = cell.jobs + value.finished
        for i, policy in ipairs(options.policies) do
            cell.total[policy][task] = value.total[i]
            folded[policy] = papers.fold(folded[policy], value.digest[i])
            if value.counts[i] then cell.counts[policy][task] = unpack_counts(value.counts[i]) end
        end
    end
    for policy, combined in next, folded do cell.digest[policy] = papers.digest_text(combined) end
    return cell
end

---A cell of Figures 5 to 8, with LB2 and with the flow times of Figures 10 to 13.
---@return pinion.PaperCell
function M.figure_cell(context, setting, mode)
    local key = string.format("setting %d %s", setting, mode)
    if not context.cache[key] then
        context.cache[key] = M.cell(context, {
            label = key, workload = pinion.workload.zheng { setting = setting, rate = M.RATE,
                slots = M.SLOTS },
            machines = M.MACHINES,
            reduce = mode, policies = M.policies(mode), seeds = context.seeds, tight = true,
            counted = M.scaled(context, 100),
        })
    end
    return context.cache[key]
end

---The best of the paper's other three schedulers over ASRPT: ratios of total flow times by seed.
---@param cell pinion.PaperCell
---@return number[] ratios
function M.leads(cell)
    local leads = {}
    for seed = 1, cell.seeds do
        local best = math.huge
        for _, policy in ipairs(M.PAPERS_OWN) do
            if policy ~= "asrpt" then best = math.min(best, cell.total[policy][seed]) end
        end
        leads[seed] = best / cell.total.asrpt[seed]
    end
    return leads
end

---How many seeds an experiment takes that the reference made with fewer than its 200: as many in
---proportion, but all of a few.
---@param context pinion.PaperContext
---@param of_200 integer
function M.scaled(context, of_200)
    return math.max(math.min(context.seeds, of_200), context.seeds * of_200 // 200)
end

---Ratios by seed of one policy's total flow time to another's, or to a bound ("lower", "tight").
---@param cell pinion.PaperCell
---@param above string policy or bound
---@param below string policy or bound
---@return number[]
function M.ratios(cell, above, below)
    local over, under = cell.total[above] or cell[above], cell.total[below] or cell[below]
    local ratios = {}
    for seed = 1, cell.seeds do ratios[seed] = over[seed] / under[seed] end
    return ratios
end

return M
