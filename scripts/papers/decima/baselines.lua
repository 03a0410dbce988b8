-- The baselines that Decima is measured against, on profiles of TPC-H queries on Spark: a batch of
-- queries, and queries that come over time; and what serving by remaining work and packing gain.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local ranking = require "decima.ranking"
local reference = require "decima.reference"
local text = require "shared.text"

local M = {}

-- fifo first: changes are against it. wfair is the paper's tuned weighted fair sharing, with its
-- alpha; drf is Spark's fair scheduler where tasks are alike.
local POLICIES = { "fifo", "fair", "sjf-cp", "wfair", "srpt", "tetris", "hfsp", "las", "cp" }
local NODES = { { count = 10, capacity = { 5 } } } -- 50 executors

local function workload(context, setting, seed)
    return pinion.trace.tpch(context.trace, { jobs = setting.jobs, arrivals = setting.arrivals,
        seed = seed })
end

local function run(context, setting, policy, seed)
    return papers.run { model = "dag", policy = policy, nodes = NODES, resources = { "executor" },
        workload = workload(context, setting, seed), seed = seed, bounds = "fast" }
end

local function measure(context, setting, seed)
    local made = {}
    for _, policy in ipairs(POLICIES) do
        local result = run(context, setting, policy, 100 * context.seed + seed)
        made[policy] = { jct = result.mean_jct / 1000, ratio = result.relative_jct,
            digest = result.digest }
    end
    return made
end

local function rows_of(context, setting)
    local values = papers.each(context, setting.name, context.seeds, function(seed)
        return measure(context, setting, seed)
    end, "part", setting)
    local rows = {}
    for i, policy in ipairs(POLICIES) do
        local jct, change, ratio, folded = {}, {}, {}, papers.DIGEST_START
        for seed, value in ipairs(values) do
            jct[seed], ratio[seed] = value[policy].jct, value[policy].ratio
            change[seed] = 100 * (value[policy].jct / value.fifo.jct - 1)
            folded = papers.fold(folded, value[policy].digest)
        end
        rows[i] = { policy = policy, jct = experiment.summary(jct),
            change = experiment.summary(change), ratio = experiment.summary(ratio).mean,
            values = jct, digest = papers.digest_text(folded) }
    end
    return rows
end

local function spread(digits)
    return function(sample)
        return string.format("%s ± %s", text.number(sample.mean, digits),
            text.number(sample.half, digits))
    end
end

local COLUMNS = {
    { key = "policy", title = "policy" },
    { key = "jct", title = "mean completion time, s", right = true, show = spread(1) },
    { key = "change", title = "against fifo, %", right = true, show = spread(1) },
    { key = "ratio", title = "over the bound", right = true,
        show = function(value) return text.number(value, 2) end },
    { key = "digest", title = "digest" },
}

local function find(rows, policy)
    for _, row in ipairs(rows) do
        if row.policy == policy then return row end
    end
end

-- By seed, the mean under one policy less that under another, in percent of the latter.
local function less(rows, policy, other)
    local made = {}
    for seed, value in ipairs(find(rows, policy).values) do
        made[seed] = 100 * (value / find(rows, other).values[seed] - 1)
    end
    return experiment.summary(made)
end

local function judge_gain(section, rows, setting)
    local best = less(rows, "srpt", "wfair")
    local packs, votes = less(rows, "tetris", "wfair"), papers.votes()
    papers.vote(votes, papers.is_less({ mean = best.mean + reference.gain, half = best.half,
        count = best.count }))
    section:claim {
        label = "ours: what srpt gains over weighted fair, " .. setting.name,
        where = "not in the paper",
        claim = string.format("Serving by remaining work makes the mean completion time at least "
            .. "%d %% smaller than tuned weighted fair sharing does, which is what the paper's "
            .. "learnt policy gained at least.", reference.gain),
        paper = string.format("a learnt policy: at least %d %%", reference.gain),
        ours = string.format("srpt %+.1f ± %.1f %%, tetris %+.1f ± %.1f %%", best.mean, best.half,
            packs.mean, packs.half),
        verdict = papers.verdict(votes),
        because = "seed by seed, on the same queries",
    }
end

-- Nothing to run it on.
local function cannot(section)
    ranking.cannot_rank(section, "")
    ranking.cannot(section, {
        label = "what a learnt policy gains", where = "abstract",
        claim = string.format("Decima improves the average completion time by at least %d %% over "
            .. "hand-tuned heuristics.", reference.gain),
    })
end

local function section_of(setting)
    return { name = setting.name, title = setting.title, run = function(context)
        local section = papers.section(setting.name, setting.title, setting.where, {
            setting.text .. " on 10 nodes of 5 executors; means over seeds with intervals. "
                .. "Estimates are exact, and executors need no time to move. A task takes as long "
                .. "however many run beside it, which is not so in the paper: it makes sjf-cp, "
                .. "which gives one query all executors, better than it is there.",
            context.trace and "The profiles are those of " .. context.trace .. "."
                or "No trace is given.",
        })
        if not context.trace then
            cannot(section)
            return section
        end
        local rows = rows_of(context, setting)
        section:table(setting.name, nil, COLUMNS, rows)
        ranking.judge(section, ", " .. setting.name, { { prefix = "",
            apart = function(better, worse) return less(rows, better, worse) end } })
        judge_gain(section, rows, setting)
        return section
    end }
end

M.batch = section_of {
    name = "batch", title = "A batch of TPC-H queries", where = "Section 7.2, batched arrivals",
    jobs = 20, text = "20 queries drawn from all sizes, all there at time 0,",
}
M.poisson = section_of {
    name = "poisson", title = "TPC-H queries over time", where = "Section 7.2, continuous arrivals",
    jobs = 200, arrivals = "poisson(0.00004)",
    text = "200 queries drawn from all sizes, Poisson arrivals 25 s apart,",
}

return M
