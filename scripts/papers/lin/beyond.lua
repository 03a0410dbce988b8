-- What Lin, Zhang, Wierman, Tan (2013) do not have: policies of ours against MaxSRPT on the same
-- jobs, and how far from optimal all of them can be by a closer lower bound.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local reference = require "lin.reference"
local runs = require "lin.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Beyond the paper: bsrpt and xmax, and two lower bounds"

-- Sums of many response times, by rounding.
local SLACK = 1 + 1e-12

-- Jobs of the further cells, as a share of those of Section 5.3.
local SHARE, HEAVY_SHARE = 0.2, 0.5

local POLICIES = { "maxsrpt", "splitsrpt", "bsrpt", "xmax" }

-- Loads at which sizes are balanced.
local BALANCED_LOADS = { .2, .4, .6 }

---@return { title: string, load: number, key: string, cell: pinion.LinCell }[]
local function all_cells(context)
    local made, given = {}, {}
    for position, cell in ipairs(runs.main_cells(context)) do
        made[position] = { title = runs.WORKLOADS.pair.short, load = reference.loads[position],
            key = "pair", cell = cell }
    end
    local function add(key, load, share)
        made[#made + 1] = { title = runs.WORKLOADS[key].short, load = load, key = key }
        given[#given + 1] = { label = string.format("%s at %.2f", key, load), policies = POLICIES,
                              workload = runs.workload(key, load, runs.scaled(context, share)) }
    end
    -- The heavier the load, the longer it takes to settle.
    add("pair", reference.heavy.load, HEAVY_SHARE)
    for _, load in ipairs(BALANCED_LOADS) do add("balanced", load, SHARE) end
    for _, load in ipairs(reference.loads) do add("independent", load, SHARE) end
    add("constant", reference.boundaries.constant.load, SHARE)
    for i, cell in ipairs(runs.cells(context, "beyond the paper", given)) do
        made[#made - #given + i].cell = cell
    end
    return made
end

local function best_of(cell)
    local best, least = nil, math.huge
    for _, label in ipairs(POLICIES) do
        local mean = experiment.summary(cell.mean[label]).mean
        if mean < least then best, least = label, mean end
    end
    return best
end

local function policy_rows(context, all)
    local rows = {}
    for i, entry in ipairs(all) do
        local row = { workload = entry.title, load = entry.load, jobs = entry.cell.jobs,
            seeds = entry.cell.seeds,
            seed = context.seed,
                      best = best_of(entry.cell) }
        for _, label in ipairs(POLICIES) do
            row[label], row[label .. "_digest"] = experiment.summary(entry.cell.mean[label]).mean,
                entry.cell.digest[label]
            if label ~= "maxsrpt" then
                local sample = experiment.summary(runs.ratios(entry.cell, label, "maxsrpt"))
                row[label .. "_ratio"], row[label .. "_half"] = sample.mean, sample.half
            end
        end
        rows[i] = row
    end
    return rows
end

local function ratio_column(label)
    return { key = label .. "_shown", title = runs.name(label) .. "/MaxSRPT", right = true,
            words = true, show = function(_, row)
        return runs.interval_text({ mean = row[label .. "_ratio"], half = row[label .. "_half"] },
            4)
    end }
end

local LOAD_COLUMN = { key = "load", title = "load", right = true,
    show = function(value) return text.number(value, 2) end }

local function policy_columns()
    local columns = { { key = "workload", title = "workload" }, LOAD_COLUMN,
        runs.column("maxsrpt", "MaxSRPT") }
    for _, label in ipairs { "splitsrpt", "bsrpt", "xmax" } do
        columns[#columns + 1] = ratio_column(label)
    end
    columns[#columns + 1] = { key = "best", title = "best", show = runs.name }
    for _, label in ipairs(POLICIES) do
        if label ~= "maxsrpt" then
            columns[#columns + 1] = { key = label }
            columns[#columns + 1] = { key = label .. "_ratio" }
            columns[#columns + 1] = { key = label .. "_half" }
        end
        columns[#columns + 1] = { key = label .. "_digest" }
    end
    for _, key in ipairs { "jobs", "seeds", "seed" } do columns[#columns + 1] = { key = key } end
    return columns
end

-- By replica, how much less a policy takes of our bound than of the paper's.
local function slack_of(cell, label)
    local closer, paper = runs.ratios(cell, label, "tight"), runs.ratios(cell, label, "lower")
    for replica = 1, #closer do closer[replica] = closer[replica] - paper[replica] end
    return experiment.summary(closer)
end

-- How far above an optimal schedule the policies can be at most.
local function bound_rows(section, context, all)
    local rows = {}
    for position, load in ipairs(reference.loads) do
        local cell = all[position].cell
        for _, label in ipairs { "maxsrpt", "splitsrpt", "bsrpt", "xmax" } do
            local row = { load = load, policy = label, jobs = cell.jobs, seeds = cell.seeds,
                seed = context.seed }
            row.slack = slack_of(cell, label)
            local known = reference.above_optimal[label]
            for _, bound in ipairs { "lower", "tight" } do
                local values = runs.ratios(cell, label, bound)
                local sample = experiment.summary(values)
                row[bound], row[bound .. "_half"] = sample.mean - 1, sample.half
                local theirs = known and known[bound] and known[bound][position]
                row[bound .. "_reference"] = theirs
                if theirs then
                    -- Whole per cents were noted, some rounded up.
                    local agrees =
                        section:compare(string.format("load %.2f, %s over the %s bound", load,
                        runs.name(label),
                        bound == "lower" and "paper's" or "tight"), sample.mean - 1, theirs,
                            runs.tolerance(values, cell.jobs, reference.JOBS,
                        0.01))
                    row.agrees = row.agrees ~= false and agrees
                end
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

local function percent(value)
    return value and string.format("%.1f %%", 100 * value) or "-"
end

local function find(all, key, load)
    for _, entry in ipairs(all) do
        if entry.key == key and entry.load == load then return entry.cell end
    end
end

local function compare_boundaries(section, all)
    local known = reference.boundaries.constant
    local cell = find(all, "constant", known.load)
    for _, label in ipairs { "splitsrpt", "bsrpt", "xmax" } do
        section:compare(string.format("%s, load %.2f, %s", runs.WORKLOADS.constant.title,
            known.load, runs.name(label)),
            experiment.summary(cell.mean[label]).mean, known[label],
            runs.tolerance(cell.mean[label], cell.jobs, cell.jobs))
    end
end

local function judge(section, all)
    local parts, votes = {}, papers.votes()
    for position, load in ipairs(reference.loads) do
        local sample = experiment.summary(runs.ratios(all[position].cell, "bsrpt", "maxsrpt"))
        papers.vote(votes, papers.is_less { mean = sample.mean - 1, half = sample.half,
            count = sample.count })
        parts[position] = string.format("%.2f: %s", load, runs.interval_text(sample, 4))
    end
    local known = reference.ratios[2]
    section:claim {
        label = "ours: bsrpt below MaxSRPT", where = "not in the paper",
        claim = "On the workload of Section 5.3, bsrpt takes less "
            .. "than MaxSRPT on average.",
        paper = "asks for better algorithms in its conclusion",
        reference = string.format("ratio %.4f ± %.4f and %.4f ± %.4f", known.reference[1],
            known.half[1], known.reference[2],
            known.half[2]),
        ours = "ratio on the same jobs: " .. table.concat(parts, ", "),
        verdict = papers.verdict(votes),
        because = "the whole interval lies below 1",
    }
    local wins, losses = {}, {}
    for _, entry in ipairs(all) do
        local sample = experiment.summary(runs.ratios(entry.cell, "bsrpt", best_of(entry.cell)))
        local name = string.format("%s at %.2f", entry.title, entry.load)
        if best_of(entry.cell) == "bsrpt" or sample.mean - sample.half <= 1 then
            wins[#wins + 1] = name else losses[#losses + 1] =
            string.format("%s (%s, by %.1f %%)", name, runs.name(best_of(entry.cell)),
                100 * (sample.mean - 1)) end
    end
    section:note(
        "No policy is the best everywhere. Cases in which another one is below bsrpt "
        .. "beyond doubt: %s.",
        #losses > 0 and table.concat(losses, "; ") or "none here")
    local worst = -math.huge
    for _, load in ipairs(BALANCED_LOADS) do
        worst = math.max(worst,
            experiment.summary(runs.ratios(find(all, "balanced", load), "bsrpt", "maxsrpt")).mean
            - 1)
    end
    section:note(
        "Balanced sizes, loads up to %.1f: bsrpt over MaxSRPT at most %+.2f %% "
        .. "(reference: up to %.1f %%).",
        reference.boundaries.balanced.load,
        100 * worst, 100 * reference.boundaries.balanced.most)
    local heavy = reference.heavy
    local cell = find(all, "pair", heavy.load)
    section:note(
        "Load %.2f, %s: bsrpt %s, MaxSRPT %s, SplitSRPT %s (reference, jobs not noted: %.2f, %.2f, "
        .. "%.2f). Most short runs lack the few large jobs that decide, so that "
        .. "their means lie low.", heavy.load,
        text.count(cell.jobs, "job"),
        runs.interval_text(experiment.summary(cell.mean.bsrpt), 2),
        runs.interval_text(experiment.summary(cell.mean.maxsrpt), 2),
        runs.interval_text(experiment.summary(cell.mean.splitsrpt), 2), heavy.bsrpt, heavy.maxsrpt,
        heavy.splitsrpt)
end

-- Both bounds lie below every policy, and ours above the paper's, replica by replica.
local function note_order(section, all)
    local held, count = 0, 0
    for _, entry in ipairs(all) do
        for replica = 1, entry.cell.seeds do
            local lower, tight = entry.cell.mean.lower[replica], entry.cell.mean.tight[replica]
            local below = lower <= tight * SLACK
            for _, label in ipairs(POLICIES) do
                below = below and tight <= entry.cell.mean[label][replica] * SLACK
            end
            held, count = held + (below and 1 or 0), count + 1
        end
    end
    section:compare("replicas with the paper's bound <= ours <= every policy", held, count, 0)
    section:note("The paper's bound <= ours <= every policy in %d of %d replicas.", held, count)
end

local function judge_bounds(section, rows)
    local parts, theirs, votes, known = {}, {}, papers.votes(), reference.above_optimal.maxsrpt
    for position, load in ipairs(reference.loads) do
        theirs[position] = string.format("%.2f: %s by a closer bound, %s by the paper's", load,
            percent(known.tight[position]),
            percent(known.lower[position]))
    end
    for _, row in ipairs(rows) do
        if row.policy == "maxsrpt" then
            parts[#parts + 1] =
                string.format("%.2f: at most %s above optimal by our bound, %s by the paper's",
                row.load,
                percent(row.tight),
                percent(row.lower))
            papers.vote(votes, papers.is_less(row.slack))
        end
    end
    section:claim {
        label = "the lower bound is very loose", where = "Section 5.2",
        claim = "\"Given the fact that the lower bound comes from the single station models, "
            .. "which is very loose, we can "
            .. "conclude that both our algorithm are near-optimal for a wide range of loads.\"",
        paper = "stated", reference = table.concat(theirs, "; "),
        ours = table.concat(parts, "; "), verdict = papers.verdict(votes),
        because = "a closer valid bound shows how much of the distance is slack; what remains "
            .. "at the higher load is no small "
            .. "distance",
    }
end

local function run_beyond(context)
    local section = papers.section("beyond", TITLE, "not in the paper", {
        string.format(
            "bsrpt maps by X L when the available shuffle work exceeds theta L, else by X^2, "
            .. "and shuffles by L = "
            .. "max(X, Y); xmax is bsrpt with theta infinite. Ratios of means on the same jobs: "
                .. "%d replicas of %s (Section 5.3) "
            .. "or %s (the other workloads).",
            context.seeds, text.count(context.jobs, "job"),
            text.amount(runs.scaled(context, SHARE))),
        "Our lower bound is the integral over time of the largest of six numbers of jobs, each "
            .. "of which no schedule can be "
            .. "below.",
    })
    local all = all_cells(context)
    section:table("beyond", nil, policy_columns(), policy_rows(context, all))
    local rows = bound_rows(section, context, all)
    local function column(key, title)
        return { key = key, title = title, right = true, show = percent }
    end
    section:table("beyond_bounds", "How far above an optimal schedule a policy can be at most:", {
        LOAD_COLUMN, runs.POLICY_COLUMN, column("tight", "by our bound"), column("tight_half", "±"),
            column("tight_reference", "reference"),
        column("lower", "by the paper's"), column("lower_half", "±"),
        column("lower_reference", "reference"), papers.AGREES_COLUMN,
        { key = "jobs" }, { key = "seeds" }, { key = "seed" },
    }, rows)
    compare_boundaries(section, all)
    judge(section, all)
    note_order(section, all)
    judge_bounds(section, rows)
    return section
end

M.beyond = { name = "beyond", title = TITLE, run = run_beyond }

return M
