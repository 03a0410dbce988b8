-- Preemption: what kills do to small and large jobs, and what becomes of it when a task can be
-- killed only so many times.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"

local M = {}

local TITLE = "Preemption: kills, and a guard against them"

-- So many kills of a task at most, 0: any number.
local GUARDS, DEFAULT = { 0, 1, 3 }, 3
local PREEMPTIVE = { "hsrtf-pup", "hsrtf-prp" }
local CALM = { ["hsrtf-pup"] = "hsrtf-pu", ["hsrtf-prp"] = "hsrtf-pr", [runs.SPARING] = "hsrtf-pu" }

-- ---- rows ---------------------------------------------------------------------------------------

-- Without a guard, and against others, the runs of the percentages serve.
local function cells_of(context, main)
    local settings, cells = {},
        { fitted = { [0] = main.fitted[runs.NODES] }, fresh = { [0] = main.fresh[runs.NODES] } }
    for _, guard in ipairs(GUARDS) do
        if guard > 0 then
            for _, which in ipairs { "fitted", "fresh" } do
                settings[#settings + 1] = { policies = PREEMPTIVE,
                    seeds = main[which][runs.NODES].seeds, guard = guard,
                    which = which,
                                            params = { max_kills_per_task = guard } }
            end
        end
    end
    for i, cell in ipairs(runs.cells(context, "guards", settings)) do
        -- The other policies kill nothing: a guard means nothing to them.
        for policy, made in next, main[settings[i].which][runs.NODES].runs do
            cell.runs[policy] = cell.runs[policy] or made
        end
        cells[settings[i].which][settings[i].guard] = cell
    end
    return cells
end

local function changes_of(cell, policy, against, group)
    return runs.changes(cell, { group = group, policy = policy, against = against })
end

local function row_of(cell, known, whose)
    local policy = known.policy
    local row = {
        policy = policy, guard = known.guard, whose = whose, digest = cell.digest[policy],
        kills = runs.kills(cell, policy),
        unfinished = runs.unfinished(cell, policy),
    }
    for _, group in ipairs { "small", "large" } do
        local sample = experiment.summary(changes_of(cell, policy, "fifo", group).seeds)
        row[group], row[group .. "_sd"] = sample.mean, sample.sd
        row[group .. "_by_seed"] = changes_of(cell, policy, "fifo", group).seeds
        row[group .. "_calm"] =
            experiment.summary(changes_of(cell, policy, CALM[policy], group).seeds).mean
    end
    return row
end

-- How far a number may be from a whole one that was cut or rounded.
local WHOLE = 1

-- The reference's, ours on the same seeds, and ours on fresh ones.
local function rows_of(section, known, cells)
    local theirs = { policy = known.policy, guard = known.guard, whose = runs.REFERENCE,
        small = known.small, large = known.large,
                     kills = known.kills }
    local fitted = row_of(cells.fitted[known.guard], known, runs.FITTED)
    local fresh = row_of(cells.fresh[known.guard], known, runs.FRESH)
    -- The reference's changes are those of the means over the seeds.
    for _, group in ipairs { "small", "large" } do
        fitted[group] = changes_of(cells.fitted[known.guard], known.policy, "fifo", group).all
    end
    fitted.agrees = true
    for _, key in ipairs { "kills", "small", "large" } do
        local label = string.format("%s, guard %d, %s", runs.NAMES[known.policy], known.guard, key)
        local tolerance = math.type(known[key]) == "integer" and WHOLE or runs.ROUNDING
        local agrees = section:compare(label, fitted[key], known[key], tolerance)
        fitted.agrees = fitted.agrees and agrees
    end
    return theirs, fitted, fresh
end

-- A policy of ours that kills only where it pays, without a guard and with the default one, on
-- fresh seeds.
local function sparing_rows(context, main)
    local guards, settings, rows = { 0, DEFAULT }, {}, {}
    for i, guard in ipairs(guards) do
        settings[i] = { policies = { runs.SPARING }, seeds = main.fresh[runs.NODES].seeds,
            params = { max_kills_per_task = guard } }
    end
    for i, cell in ipairs(runs.cells(context, "sparing", settings)) do
        for policy, made in next, main.fresh[runs.NODES].runs do cell.runs[policy] = made end
        rows[i] = row_of(cell, { policy = runs.SPARING, guard = guards[i] }, runs.FRESH)
    end
    return rows
end

local COLUMNS = {
    runs.POLICY_COLUMN, { key = "guard", title = "kills of a task", right = true,
        show = function(value) return value == 0 and "any number" or "at most " .. value end },
    runs.WHOSE_COLUMN, runs.change_column("small", "small jobs"), { key = "small_sd" },
    runs.change_column("large", "large jobs"), { key = "large_sd" },
    runs.column("kills", "kills in a run", 0),
    papers.AGREES_COLUMN, { key = "small_calm" }, { key = "large_calm" }, { key = "unfinished" },
    runs.DIGEST_COLUMN,
}

-- ---- claims -------------------------------------------------------------------------------------

-- A guard that spares much of the damage: a quarter of it.
local SPARED = 0.25

-- Points of a percentage that make no difference.
local SAME = 2

local function find(rows, policy, guard)
    for _, row in ipairs(rows) do
        if row.policy == policy and row.guard == guard then return row end
    end
end

-- By seed, the change under one row less so many times that under another.
local function beyond(row, other, group, times)
    local made = {}
    for i, change in ipairs(row[group .. "_by_seed"]) do
        made[i] = change - times * other[group .. "_by_seed"][i]
    end
    return experiment.summary(made)
end

local function judge_first(section, rows)
    local parts, theirs, votes = {}, {}, papers.votes()
    for i, policy in ipairs(PREEMPTIVE) do
        local free, once = find(rows, policy, 0), find(rows, policy, 1)
        parts[i] = string.format(
            "%s: large jobs %s %% with any number of kills, %s %% with one of each task (%.0f and "
            .. "%.0f kills in a run)", runs.NAMES[policy], runs.signed(free.large),
            runs.signed(once.large), free.kills, once.kills)
        theirs[i] = string.format("%s: %s and %s %%", runs.NAMES[policy],
            runs.signed(find(reference.guards, policy, 0).large),
            runs.signed(find(reference.guards, policy, 1).large))
        papers.vote(votes, experiment.above(beyond(once, free, "large", 1 - SPARED), 0))
    end
    section:claim {
        label = "ours: first kills do the damage", where = "not in the paper",
        claim = "Large jobs suffer from tasks being killed once; killing none twice hardly "
            .. "helps them.", paper = "-",
        reference = table.concat(theirs, "; "), ours = table.concat(parts, "; "),
        verdict = papers.verdict(votes),
        because = string.format("more than %.0f %% of the increase stays beyond doubt in %d of %d",
            100 * (1 - SPARED), votes.held, #PREEMPTIVE),
    }
end

local function judge_sparing(section, literal, ours)
    local votes = papers.votes()
    papers.vote(votes, papers.is_at_most(beyond(ours, literal, "small", 1), SAME))
    papers.vote(votes, papers.is_less(beyond(ours, literal, "large", 1 - SPARED)))
    section:claim {
        label = "ours: kills only where they pay", where = "not in the paper",
        claim = "If a task is killed only where its job has more time left than the other by "
            .. "more than the task has run, small "
            .. "jobs gain as much, and large ones pay less.",
        paper = "-",
        ours = string.format(
            "small jobs %s %% against Fifo, with PuP %s %%; large jobs %s and %s %%; %.0f and "
            .. "%.0f kills in a "
            .. "run, any number of a task", runs.signed(ours.small), runs.signed(literal.small),
            runs.signed(ours.large),
            runs.signed(literal.large), ours.kills, literal.kills),
        verdict = papers.verdict(votes),
        because = string.format(
            "as much: at most %g points less; less: by more than %.0f %% of the increase", SAME,
            100 * SPARED),
    }
end

-- Returns the ranks of the values, from 1; equal values have the mean of their ranks.
local function ranks_of(values)
    local ranks = {}
    for i, value in ipairs(values) do
        local below, equal = 0, 0
        for _, other in ipairs(values) do
            below = below + (other < value and 1 or 0)
            equal = equal + (other == value and 1 or 0)
        end
        ranks[i] = below + (equal + 1) / 2
    end
    return ranks
end

-- Returns Spearman's rank correlation; 0 where one side has a single value.
local function correlation(left, right)
    local a, b, mean = ranks_of(left), ranks_of(right), (#left + 1) / 2
    local both, of_a, of_b = 0.0, 0.0, 0.0
    for i = 1, #a do
        both = both + (a[i] - mean) * (b[i] - mean)
        of_a, of_b = of_a + (a[i] - mean) ^ 2, of_b + (b[i] - mean) ^ 2
    end
    return of_a * of_b > 0 and both / math.sqrt(of_a * of_b) or 0.0
end

-- Returns by seed how the makespans of larger jobs, against those without preemption, go with the
-- kills of their tasks.
local function by_kills(cell, policy)
    local made = {}
    for i, run in ipairs(cell.runs[policy]) do
        local calm, kills, slower = cell.runs[CALM[policy]][i], {}, {}
        for id, row in ipairs(runs.ROWS) do
            if row.group ~= "small" then
                kills[#kills + 1] = run.killed[id]
                slower[#slower + 1] = run.makespan[id] / calm.makespan[id]
            end
        end
        made[i] = correlation(kills, slower)
    end
    return experiment.summary(made)
end

local function judge_counts(section, cell)
    local votes, told = papers.votes(), {}
    for i, policy in ipairs(PREEMPTIVE) do
        local sample = by_kills(cell, policy)
        papers.vote(votes, experiment.above(sample, 0))
        told[i] = string.format("%s %.2f ± %.2f", runs.NAMES[policy], sample.mean, sample.half)
    end
    section:claim {
        label = "more kills, longer makespans", where = "Section 5.4",
        claim = "The makespans of medium and large jobs \"vary according to\" among others \"the "
            .. "number of preempted tasks\".",
        paper = "stated, without numbers",
        ours = "rank correlation between the kills of a job's tasks and its makespan against that "
            .. "without preemption: " .. table.concat(told, ", "),
        verdict = papers.verdict(votes),
        because = string.format("by seed, over the medium and large jobs, above 0 beyond doubt "
            .. "for %d of %d policies", votes.held, #PREEMPTIVE),
    }
end

-- What the paper found not to be so.
local function note_gain(section, main, rows)
    local best = rows[1]
    for _, row in ipairs(rows) do
        if row.small < best.small then best = row end
    end
    local calm = experiment.summary(changes_of(main.fresh[runs.NODES], CALM[best.policy], "fifo",
        "small").seeds)
    section:note(
        "Small jobs gain more with preemption than without: %s %% under %s against Fifo, %s %% "
        .. "under %s. The paper found no gain: fitted to its other percentages, this model does "
        .. "not reproduce that.",
        runs.signed(best.small),
        runs.NAMES[best.policy], runs.signed(calm.mean), runs.NAMES[CALM[best.policy]])
end

local function run_preemption(context)
    local main = runs.main(context)
    local section = papers.section("preemption", TITLE, "Sections 3.3 and 5, and beyond", {
        string.format(
            "Changes of mean makespans against Fifo in percent, and kills in a run, %s. The "
            .. "paper kills without a "
            .. "limit; this version's default is at most %d kills of a task. %s", runs.ON, DEFAULT,
            runs.whose_text(main)),
    })
    local cells, all, rows = cells_of(context, main), {}, {}
    for i, known in ipairs(reference.guards) do
        local theirs, fitted, fresh = rows_of(section, known, cells)
        table.move({ theirs, fitted, fresh }, 1, 3, #all + 1, all)
        rows[i] = fresh
    end
    local ours = sparing_rows(context, main)
    table.move(ours, 1, #ours, #all + 1, all)
    section:table("preemption", nil, COLUMNS, all)
    judge_first(section, rows)
    judge_sparing(section, rows[1], ours[1])
    judge_counts(section, main.fresh[runs.NODES])
    note_gain(section, main, rows)
    return section
end

M.preemption = { name = "preemption", title = TITLE, run = run_preemption }

return M
