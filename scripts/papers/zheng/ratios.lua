-- What an efficiency ratio is a ratio of, in Zheng, Shroff, Sinha (2013): flow times instead of
-- completion times (Section II), and a lower bound instead of the optimum (Section VII-B).

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local runs = require "zheng.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Efficiency ratios: of completion times, and to other bounds"

-- ---- completion times ---------------------------------------------------------------------------

local SLOTS, MUCH = { 50, 500 }, 10

-- Figures 5 to 8 are runs of 500 slots.
local function cell_of(context, setting, mode, slots)
    if slots == runs.SLOTS then return runs.figure_cell(context, setting, mode) end
    return runs.cell(context, {
        label = string.format("ratios setting %d %s, T = %d", setting, mode, slots),
        workload = pinion.workload.zheng { setting = setting, rate = runs.RATE, slots = slots },
        machines = runs.MACHINES, reduce = mode, policies = runs.PAPERS_OWN,
        seeds = context.seeds,
    })
end

-- Sums the slots before the arrivals: total completion time minus total flow time, by seed.
local function before_arrivals(context, setting, slots)
    return papers.each(context, string.format("arrivals %d, T = %d", setting, slots),
            context.seeds, function(seed)
        local workload = pinion.workload.zheng { setting = setting, rate = runs.RATE,
            slots = slots }
        local sum = 0
        for _, job in ipairs(workload:jobs { seed = context.seed, replica = seed - 1 }) do
            sum = sum + job.arrival - 1
        end
        return sum
    end, "seed", { setting, slots })
end

---Returns how much looser the ratio of flow times is than the ratio of completion times: the part
---of the first ratio above 1, divided by that of the second. All policies have the same value.
---@param lower number total flow time at least
---@param before number slots before the arrivals
---@return number
function M.looseness(lower, before)
    return 1 + before / lower
end

local function completion_row(context, setting, mode, slots, before)
    local cell, factors = cell_of(context, setting, mode, slots), {}
    local row = { setting = setting, mode = mode, slots = slots, seeds = cell.seeds,
        seed = context.seed }
    for seed = 1, cell.seeds do
        factors[seed] = M.looseness(cell.lower[seed], before[seed])
    end
    for _, policy in ipairs(runs.PAPERS_OWN) do
        local flow, completion = {}, {}
        for seed = 1, cell.seeds do
            flow[seed] = cell.total[policy][seed] / cell.lower[seed]
            completion[seed] = (cell.total[policy][seed] + before[seed])
                / (cell.lower[seed] + before[seed])
        end
        row[policy .. "_flow"] = experiment.summary(flow).mean
        row[policy .. "_completion"] = experiment.summary(completion).mean
    end
    row.digest, row.factor = cell.digest.asrpt, experiment.summary(factors)
    row.mean, row.half = row.factor.mean, row.factor.half
    return row
end

local function completion_rows(context)
    local rows = {}
    papers.over({ 0, 1, 2, 3 }, function(setting)
        papers.over(SLOTS, function(slots)
            local before = before_arrivals(context, setting, slots)
            papers.over(runs.MODES, function(mode)
                rows[#rows + 1] = completion_row(context, setting, mode, slots, before)
            end)
        end)
    end)
    return rows
end

local function both(policy)
    return function(value, row)
        return string.format("%.2f, %.3f", value, row[policy .. "_completion"])
    end
end

local function completion_columns()
    local columns = {
        { key = "setting", title = "work of a job", show = runs.work_of },
        { key = "mode", title = "reduces" }, { key = "slots", title = "T", right = true },
    }
    for _, policy in ipairs(runs.PAPERS_OWN) do
        columns[#columns + 1] = { key = policy .. "_flow", title = runs.NAMES[policy],
            right = true, show = both(policy) }
        columns[#columns + 1] = { key = policy .. "_completion" }
    end
    columns[#columns + 1] = { key = "mean", title = "looser", right = true,
        show = function(value, row)
        return string.format("%s ± %s", text.number(value, 1), text.number(row.half, 1))
    end }
    for _, key in ipairs { "half", "seeds", "seed", "digest" } do
        columns[#columns + 1] = { key = key }
    end
    return columns
end

local function judge_completion(section, rows)
    local votes, least, most = papers.votes(), math.huge, 0
    local asrpt_flow, asrpt_completion = 0, 0
    for _, row in ipairs(rows) do
        papers.vote(votes, experiment.above(row.factor, MUCH))
        if row.slots == runs.SLOTS then
            least, most = math.min(least, row.mean), math.max(most, row.mean)
            asrpt_flow = math.max(asrpt_flow, row.asrpt_flow)
            asrpt_completion = math.max(asrpt_completion, row.asrpt_completion)
        end
    end
    section:claim {
        label = "flow times give a much looser ratio", where = "Section II",
        claim = "\"[T]he efficiency ratio obtained from minimizing the total flow-time will be "
            .. "much looser than the efficiency ratio obtained from minimizing the total "
            .. "completion time\".",
        paper = "shown in a technical report",
        ours = string.format("at T = %d the part above 1 is %.0f to %.0f times as large; ASRPT is "
            .. "within %.2f times the bound on flow times and %.3f times that on completion times",
            runs.SLOTS, least, most, asrpt_flow, asrpt_completion),
        verdict = papers.verdict(votes),
        because = string.format("more than %d times beyond doubt in %d of %d cases, less in %d; "
            .. "the factor is 1 plus the slots before arrivals over the bound, whatever the "
            .. "policy, and grows with T", MUCH, votes.held, #rows, votes.failed),
    }
end

-- ---- proportions --------------------------------------------------------------------------------

local MARGIN = 0.01
-- The optimum is at least LB2 and at most the best of our policies, seed by seed.
local BELOW = { "lower", "tight", "best" }

local function with_best(cell, mode)
    cell.best = {}
    for seed = 1, cell.seeds do
        cell.best[seed] = math.huge
        for _, policy in ipairs(runs.policies(mode)) do
            cell.best[seed] = math.min(cell.best[seed], cell.total[policy][seed])
        end
    end
    return cell
end

-- Returns the mean ratio of a policy over the mean ratio of ASRPT, and linearized values by seed
-- with this mean.
local function proportion(cell, policy, below)
    local over, under = runs.ratios(cell, policy, below), runs.ratios(cell, "asrpt", below)
    local mean = experiment.summary(under).mean
    local value, parts = experiment.summary(over).mean / mean, {}
    for seed = 1, cell.seeds do
        parts[seed] = value + (over[seed] - value * under[seed]) / mean
    end
    return value, parts
end

local function proportion_row(context, setting, mode, policy)
    local cell = with_best(runs.figure_cell(context, setting, mode), mode)
    local row = { setting = setting, mode = mode, policy = policy, seeds = cell.seeds,
        seed = context.seed, digest = cell.digest[policy], changes = {} }
    local first, first_parts = proportion(cell, policy, BELOW[1])
    row.lower = first
    for i = 2, #BELOW do
        local value, parts = proportion(cell, policy, BELOW[i])
        local changes = {}
        for seed = 1, cell.seeds do changes[seed] = (parts[seed] - first_parts[seed]) / first end
        row[BELOW[i]], row.changes[i - 1] = value, experiment.summary(changes)
    end
    return row
end

local function proportion_rows(context)
    local rows = {}
    papers.over({ 0, 1, 2, 3 }, function(setting)
        papers.over(runs.MODES, function(mode)
            papers.over({ "fifo", "fair", "lrpt" }, function(policy)
                rows[#rows + 1] = proportion_row(context, setting, mode, policy)
            end)
        end)
    end)
    return rows
end

local function show(value) return text.number(value, 3) end

local PROPORTION_COLUMNS = {
    { key = "setting", title = "work of a job", show = runs.work_of },
    { key = "mode", title = "reduces" },
    { key = "policy", title = "policy / ASRPT", show = function(value) return runs.NAMES[value]
        end },
    { key = "lower", title = "to the SRPT bound", right = true, show = show },
    { key = "tight", title = "to LB2", right = true, show = show },
    { key = "best", title = "to the best policy", right = true, show = show },
    { key = "seeds" }, { key = "seed" }, { key = "digest" },
}

-- One job of one map and one reduce task of three slots on three machines. In both modes nothing
-- can be sooner than FIFO, so its real efficiency ratio is 1 in both.
local function across_modes()
    local totals = {}
    for i, mode in ipairs(runs.MODES) do
        local result = papers.run { machines = 3, reduce = mode, policy = "fifo",
            workload = { { arrival = 1, maps = 1, reduces = { 3 } } } }
        totals[i] = result.total_flow_time / result.lower_bound
    end
    return totals[2] / totals[1]
end

local function judge_proportion(section, rows)
    local votes, most = papers.votes(), 0
    for _, row in ipairs(rows) do
        for _, change in ipairs(row.changes) do
            papers.vote(votes, experiment.within(change, MARGIN))
            most = math.max(most, math.abs(change.mean))
        end
    end
    local because = string.format("the same in one run of a mode, by arithmetic; of means over "
        .. "seeds, with LB2 or the best policy in place of the SRPT bound, at most %g %% of change "
        .. "beyond doubt in %d of %d cases, more in %d; a job of 1 map and a reduce of 3 slots, "
        .. "N = 3, has one bound in both modes, but not one optimum", 100 * MARGIN, votes.held,
        2 * #rows, votes.failed)
    local across = across_modes()
    papers.vote(votes, across == 1)
    section:claim {
        label = "the proportions would remain the same", where = "Section VII-B",
        claim = "\"[T]he proportion of all schedulers would remain the same\" with the real "
            .. "efficiency ratio, which is smaller.",
        paper = "stated",
        ours = string.format("within a mode, mean ratios over those of ASRPT change by up to "
            .. "%.1f %%; between the modes the proportion of two optimal schedules is %.2f "
            .. "instead of 1", 100 * most, across),
        verdict = papers.verdict(votes), because = because,
    }
end

-- ---- the section --------------------------------------------------------------------------------

local function run_section(context)
    local section = papers.section("ratios", TITLE, "Sections II and VII-B", {
        "Completion times: those of the runs of Figures 5 to 8, and of runs of 50 slots. A "
            .. "completion time is a flow time plus the slots before the arrival, so the same "
            .. "schedules are optimal; the bound on flow times plus these slots is a bound.",
        "Proportions: the mean ratios of FIFO, FAIR and LRPT over that of ASRPT, with three "
            .. "denominators. The optimum lies between LB2 and the best of our policies, seed by "
            .. "seed.",
    })
    local completion, proportions = completion_rows(context), proportion_rows(context)
    section:table("ratios_completion", "Mean ratio of flow times, of completion times:",
        completion_columns(), completion)
    section:table("ratios_proportion", "Proportions, by denominator:", PROPORTION_COLUMNS,
        proportions)
    judge_completion(section, completion)
    judge_proportion(section, proportions)
    return section
end

M.ratios = { name = "ratios", title = TITLE, run = run_section }

return M
