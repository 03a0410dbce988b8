-- Beyond the paper: how far the schedules of several policies are from the lower bound on random
-- batches. The batches are ours, and so are the numbers; what is held to the reference is who is
-- better than whom.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "tian.reference"
local runs = require "tian.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Beyond the paper: gaps over the lower bound on random batches"

local known = reference.families

-- Large batches take longer and differ less.
local LARGE = { fb_mild = true, fb_lognorm = true }
local LARGE_SHARE, SEEDS_LEAST = 5, 2

---@class pinion.TianContender
---@field key string
---@field title string
---@field policy string
---@field params table

---@type pinion.TianContender[]
local CONTENDERS = {
    -- Jobs are drawn independently, so the order in which they are listed is a random one.
    { key = "random", title = "random", policy = "fifo", params = {} },
    { key = "uaas", title = "UAAS", policy = "uaas", params = {} },
    { key = "uaas_lpt", title = "+LPT", policy = "uaas", params = { task_order = "lpt" } },
    { key = "waves", title = "waves", policy = "johnson", params = { estimate = "waves" } },
    { key = "pools", title = "BalPools", policy = "balanced_pools",
        params = { task_order = "lpt" } },
    { key = "portfolio", title = "portfolio", policy = "portfolio",
        params = { task_order = "lpt" } },
    { key = "neh", title = "NEH", policy = "neh", params = { task_order = "lpt" } },
    { key = "search", title = "local search", policy = "local_search",
        params = { task_order = "lpt", start = "best" } },
    { key = "exclusive", title = "UAAS excl.", policy = "uaas", params = { share = "exclusive" } },
}

-- ---- runs ---------------------------------------------------------------------------------------

local function seeds_of(context, name)
    return LARGE[name] and math.max(SEEDS_LEAST, context.seeds // LARGE_SHARE) or context.seeds
end

-- Gaps of all contenders, in percent, and a digest of all their decisions.
local function run_replica(context, name, replica)
    local workload = pinion.workload.spec(name)
    local slots, made, folded = workload:default_settings(), { gaps = {} }, papers.DIGEST_START
    for i, contender in ipairs(CONTENDERS) do
        local result = runs.run {
            policy = contender.policy, params = contender.params, maps = slots.map_slots,
            reduces = slots.reduce_slots, jobs = workload,
            level = "task", seed = context.seed, replica = replica,
        }
        made.gaps[i] = 100.0 * result.gap
        folded = papers.fold(folded, result.digest)
    end
    made.digest = papers.digest_text(folded)
    return made
end

---@return table<string, { gaps: table<string, number[]>, digest: string }> by family
local function run_all(context)
    local tasks = {}
    for _, name in ipairs(known.names) do
        for replica = 0, seeds_of(context, name) - 1 do
            tasks[#tasks + 1] = { name = name, replica = replica }
        end
    end
    local values = papers.each(context, "families", #tasks, function(task)
        return run_replica(context, tasks[task].name, tasks[task].replica)
    end)
    local found = {}
    for i, task in ipairs(tasks) do
        local of = found[task.name] or { gaps = {}, digest = papers.DIGEST_START }
        found[task.name] = of
        for c, contender in ipairs(CONTENDERS) do
            of.gaps[contender.key] = of.gaps[contender.key] or {}
            table.insert(of.gaps[contender.key], values[i].gaps[c])
        end
        of.digest = papers.fold(of.digest, values[i].digest)
    end
    for _, of in next, found do of.digest = papers.digest_text(of.digest) end
    return found
end

-- ---- tables -------------------------------------------------------------------------------------

local function percentage(value)
    return text.number(value, 2)
end

local COLUMNS = { { key = "family", title = "family" }, { key = "whose", title = "" },
    { key = "seeds", title = "batches",
    right = true,
                  show = function(value) return value and tostring(value) or "" end } }
for _, contender in ipairs(CONTENDERS) do
    COLUMNS[#COLUMNS + 1] = { key = contender.key, title = contender.title, right = true,
        show = percentage }
    COLUMNS[#COLUMNS + 1] = { key = contender.key .. "_half" }
end
COLUMNS[#COLUMNS + 1] = { key = "digest", title = "digest",
    show = function(value) return value or "" end }

local function rows_of(found)
    local rows, means = {}, {}
    for _, name in ipairs(known.names) do
        local of = found[name]
        local row, theirs = { family = name, whose = "ours", digest = of.digest },
            { family = name, whose = "reference" }
        for _, contender in ipairs(CONTENDERS) do
            local sample = experiment.summary(of.gaps[contender.key])
            row[contender.key], row[contender.key .. "_half"], row.seeds = sample.mean, sample.half,
                sample.count
        end
        for i, key in ipairs(known.columns) do theirs[key] = known[name][i] end
        means[name] = row
        rows[#rows + 1], rows[#rows + 2] = row, theirs
    end
    return rows, means
end

-- ---- judging ------------------------------------------------------------------------------------

local BECAUSE = "differences of gaps, batch by batch"
local CHAIN = { "random", "uaas", "portfolio", "neh", "search" }

local function titles(keys, separator)
    local parts = {}
    for i, key in ipairs(keys) do
        for _, contender in ipairs(CONTENDERS) do
            if contender.key == key then parts[i] = contender.title end
        end
    end
    return table.concat(parts, separator)
end

-- How far the gap of one is above that of another, in points, batch by batch.
local function apart(of, first, second)
    local differences = {}
    for i, gap in ipairs(of.gaps[first]) do differences[i] = gap - of.gaps[second][i] end
    return experiment.summary(differences)
end

-- "NEH 0.7 ± 0.9 points above portfolio in t1_like".
local function exception_text(sample, name, worse, better)
    return string.format("%s %.2f ± %.2f points above %s in %s", titles({ worse }, ""), sample.mean,
        sample.half, titles({ better }, ""), name)
end

local function judge_chain(section, means, found)
    local votes, exceptions, most, least = papers.votes(), {}, 0.0, math.huge
    for _, name in ipairs(known.names) do
        for i = 2, #CHAIN do
            local sample = apart(found[name], CHAIN[i], CHAIN[i - 1])
            local so = papers.is_less(sample)
            papers.vote(votes, so)
            if not so then
                exceptions[#exceptions + 1] = exception_text(sample, name, CHAIN[i], CHAIN[i - 1])
            end
        end
        local better = means[name].uaas - means[name].neh
        most, least = math.max(most, better), math.min(least, better)
    end
    section:claim {
        label = "ours: who is nearer the bound", where = "not in the paper",
        claim = string.format("Mean gaps fall in this order: %s.", titles(CHAIN, ", ")),
        paper = "-", reference = "so in every family",
        ours = string.format("%d of %d steps beyond doubt%s; NEH is better than UAAS's order by "
            .. "%.1f to %.1f points", votes.held, #known.names * (#CHAIN - 1),
            #exceptions > 0 and " (not: " .. table.concat(exceptions, ", ") .. ")" or "", least,
            most),
        verdict = papers.verdict(votes), because = BECAUSE,
    }
end

-- Votes on whether one gap is below another in each of the families; and in which it is.
local function below(found, names, first, second)
    local votes, which = papers.votes(), {}
    for _, name in ipairs(names) do
        local so = papers.is_less(apart(found[name], first, second))
        papers.vote(votes, so)
        if so then which[#which + 1] = name end
    end
    return votes, which
end

local function judge_rest(section, means, found)
    local votes, waves = below(found, known.waves_better, "waves", "uaas")
    section:claim {
        label = "ours: waves estimates", where = "not in the paper",
        claim = "Johnson's order by durations in waves is better than UAAS's by fluid ones "
            .. "where tasks are many, few or "
            .. "heavy-tailed.",
        paper = "-", reference = "better in " .. table.concat(known.waves_better, ", "),
        ours = "better in " .. (#waves > 0 and table.concat(waves, ", ") or "none of these"),
        verdict = papers.verdict(votes), because = BECAUSE,
    }
    local _, pools = below(found, known.names, "pools", "uaas")
    section:claim {
        label = "BalancedPools against UAAS", where = "Observation 4",
        claim = "BalancedPools is suboptimal; UAAS is optimal.",
        paper = "stated",
        reference = "BalancedPools with longest tasks first is nearer the bound in every family",
        ours = string.format("nearer the bound in %d of %d families, beyond doubt", #pools,
            #known.names),
        verdict = papers.universal(#pools),
        because = "of whole tasks; it may decide not to split the cluster",
    }
    local least, most = math.huge, 0.0
    for _, name in ipairs(known.names) do
        least, most = math.min(least, means[name].exclusive), math.max(most, means[name].exclusive)
    end
    local others, worse = below(found, known.names, "random", "exclusive")
    section:claim {
        label = "ours: using idle slots matters more than the order", where = "not in the paper",
        claim = "UAAS's order with exclusive stages is worse than a random order that leaves no "
            .. "slot idle.", paper = "-",
        reference = string.format("exclusive stages are %d to %d %% above the bound",
            known.exclusive[1], known.exclusive[2]),
        ours = string.format(
            "exclusive stages are %.0f to %.0f %% above it; worse than a random order in %d of "
            .. "%d families",
            least, most, #worse, #known.names),
        verdict = papers.verdict(others), because = BECAUSE,
    }
end

local function run_families(context)
    local section = papers.section("families", TITLE, "Not in the paper", {
        "Mean gaps over the lower bound in percent, whole tasks. BalPools and what stands to "
            .. "its right, but for the last column, starts the longest task of a stage first, as "
            .. "+LPT does. The reference drew its own jobs, of the same kinds.",
    })
    local found = run_all(context)
    local rows, means = rows_of(found)
    section:table("families", nil, COLUMNS, rows)
    judge_chain(section, means, found)
    judge_rest(section, means, found)
    return section
end

M.families = { name = "families", title = TITLE, run = run_families }

return M
