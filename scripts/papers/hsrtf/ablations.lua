-- Beyond the paper: one setting differs at a time. Which of them carry the gain of small jobs, and
-- which do not matter.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"

local M = {}

local TITLE = "Beyond the paper: what the gain depends on"

-- In the reference's order.
local SMALL = { "pr_fifo", "pr_fair", "pu_fifo" }

local CHANGES = {
    { key = "pr_fifo", group = "small", policy = "hsrtf-pr", against = "fifo",
        title = "small: Pr-Fifo" },
    { key = "pr_fair", group = "small", policy = "hsrtf-pr", against = "fair", title = "Pr-Fair" },
    { key = "pu_fifo", group = "small", policy = "hsrtf-pu", against = "fifo", title = "Pu-Fifo" },
    { key = "large_pr_fifo", group = "large", policy = "hsrtf-pr", against = "fifo",
        title = "large: Pr-Fifo" },
    { key = "large_pr_fair", group = "large", policy = "hsrtf-pr", against = "fair",
        title = "Pr-Fair" },
}

-- ---- runs ---------------------------------------------------------------------------------------

-- As the paper has it, then every ablation: on the seeds of the fit, then on fresh ones.
local function settings_of(main)
    local settings = {}
    for _, seeds in ipairs { main.fitted[runs.NODES].seeds, main.fresh[runs.NODES].seeds } do
        for _, entry in ipairs(reference.ablations) do
            settings[#settings + 1] = { policies = runs.CALM, seeds = seeds, params = entry.params,
                durations = entry.durations }
        end
    end
    return settings
end

local function row_of(cell, name, whose)
    local row, folded = { name = name, whose = whose, by_seed = {} }, papers.DIGEST_START
    for _, change in ipairs(CHANGES) do
        local made = runs.changes(cell, change)
        row.by_seed[change.key] = made.seeds
        local sample = experiment.summary(made.seeds)
        -- The reference's changes are those of the means over the seeds.
        row[change.key], row[change.key .. "_sd"] = whose == runs.FITTED and made.all
            or sample.mean, sample.sd
    end
    for _, policy in ipairs(runs.CALM) do
        row[policy] = runs.grand(cell, policy, "makespan", "small")
        row[policy .. "_waiting"] = runs.grand(cell, policy, "waiting", "small")
        folded = papers.fold(folded, cell.digest[policy])
    end
    row.digest = papers.digest_text(folded)
    return row
end

-- ---- held to the reference ----------------------------------------------------------------------

-- How far a number may be from one that words describe.
local WORDS = 0.25

-- The reference's row; nil when it says nothing of a percentage. `base`: ours as fitted.
local function compare(section, entry, row, base)
    local theirs = entry.small and { name = entry.name, whose = runs.REFERENCE }
    local function held(label, ours, known, tolerance)
        local agrees = section:compare(entry.name .. ", " .. label, ours, known, tolerance)
        row.agrees = agrees and row.agrees ~= false
    end
    for i, key in ipairs(SMALL) do
        local known = entry.small and entry.small[i]
        if known then
            theirs[key] = known
            held(key, row[key], known, runs.rounding(known))
        end
    end
    for _, group in ipairs(reference.GROUPS) do
        local most, key = entry.points and entry.points[group], group == "small" and "pr_fifo"
            or "large_pr_fifo"
        if most then held(group .. " jobs, points", math.abs(row[key] - base[key]), most, WORDS) end
    end
    return theirs
end

local function columns()
    local made = { { key = "name", title = "" }, runs.WHOSE_COLUMN }
    for _, change in ipairs(CHANGES) do
        table.move({ runs.change_column(change.key, change.title), { key = change.key .. "_sd" } },
            1, 2, #made + 1, made)
    end
    made[#made + 1] = papers.AGREES_COLUMN
    for _, policy in ipairs(runs.CALM) do
        table.move({ { key = policy }, { key = policy .. "_waiting" } }, 1, 2, #made + 1, made)
    end
    made[#made + 1] = runs.DIGEST_COLUMN
    return made
end

-- ---- claims -------------------------------------------------------------------------------------

-- Nothing is left of a gain that is a quarter of what it was.
local NOTHING = 0.25

-- What the reference notes of the small jobs under a setting.
local function known_of(name)
    for _, entry in ipairs(reference.ablations) do
        if entry.name == name then return entry end
    end
end

-- By seed, what `of` makes of a change under a setting and of the same as fitted.
local function by_seed(row, base, key, of)
    local made = {}
    for i, change in ipairs(row.by_seed[key]) do made[i] = of(change, base.by_seed[key][i]) end
    return experiment.summary(made)
end

local function judge_gain(section, by_name, base)
    local parts, theirs, votes = {}, {}, papers.votes()
    local names = { "noise off", "short reduces" }
    for i, name in ipairs(names) do
        local row = by_name[name]
        parts[i] = string.format("%s: %s %%", name, runs.signed(row.pr_fifo))
        theirs[i] = string.format("%s: %s %%", name, runs.signed(known_of(name).small[1]))
        -- Gains are negative changes.
        papers.vote(votes, experiment.above(by_seed(row, base, "pr_fifo",
            function(change, fitted) return change - NOTHING * fitted end), 0))
    end
    section:claim {
        label = "ours: the gain needs long reduces that end one by one", where = "not in the paper",
        claim = "Small jobs gain by taking the next free reduce slot: without noise all slots "
            .. "free together, with short reduces "
            .. "they free soon, and little is left to gain.",
        paper = "-", reference = table.concat(theirs, "; "),
        ours = string.format("as fitted: %s %%; %s", runs.signed(base.pr_fifo),
            table.concat(parts, "; ")),
        verdict = papers.verdict(votes),
        because = string.format("less than %.0f %% of the gain is left in %d of %d, beyond doubt",
            100 * NOTHING, votes.held, #names),
    }
end

-- Points of a percentage that hardly matter.
local LITTLE = 1

local function judge_colocation(section, by_name, base)
    local name = "no co-location"
    local points = by_seed(by_name[name], base, "pr_fifo",
        function(change, fitted) return change - fitted end)
    local votes = papers.votes()
    papers.vote(votes, experiment.within(points, LITTLE))
    section:claim {
        label = "ours: co-location hardly matters", where = "not in the paper",
        claim = "Without co-location the small jobs' gain of Pr over Fifo stays what it is.",
        paper = "named as a cause of the gain",
        reference = string.format("%g points", known_of(name).points.small),
        ours = string.format("%s ± %.2f points", runs.signed(points.mean, 2), points.half),
        verdict = papers.verdict(votes),
        because = string.format("by whether the interval lies within ±%g point, on the same fresh "
            .. "seeds", LITTLE),
    }
end

local function judge_fair(section, by_name, base)
    local name, change = "deficit Fair", reference.changes[2]
    local deficit = by_name[name].pr_fair
    local nearer = papers.is_less(by_seed(by_name[name], base, "pr_fair",
        function(by_deficit, by_tasks)
            return math.abs(by_tasks - change.paper) - math.abs(by_deficit - change.paper)
        end))
    section:claim {
        label = "ours: Fair of Hadoop 1.0", where = "Section 4",
        claim = "\"Fair\" orders jobs by running tasks, as Hadoop 1.0.4 does, and not by "
            .. "deficits, as versions before did.",
        paper = string.format("%s %% for Pr against Fair", runs.signed(change.paper)),
        reference = string.format("%s %% by running tasks, %s %% by deficits",
            runs.signed(change.fitted[runs.NODES]),
            runs.signed(known_of(name).small[2])),
        ours = string.format("%s %% by running tasks, %s %% by deficits", runs.signed(base.pr_fair),
            runs.signed(deficit)),
        verdict = nearer == nil and papers.UNDECIDED or nearer and papers.FITTED or papers.FAILS,
        because = "by which one is nearer; but the durations were fitted under the former",
    }
end

local function run_ablations(context)
    local main = runs.main(context)
    local section = papers.section("ablations", TITLE, "Not in the paper", {
        string.format(
            "Changes of mean makespans in percent, %s, when one setting differs from the fitted "
            .. "ones. %s", runs.ON,
            runs.whose_text(main)),
    })
    local cells, count = runs.cells(context, "ablations", settings_of(main)), #reference.ablations
    local base = {
        fitted = row_of(main.fitted[runs.NODES], "as fitted", runs.FITTED),
        fresh = row_of(main.fresh[runs.NODES], "as fitted", runs.FRESH),
    }
    local all, fresh = { base.fitted, base.fresh }, {}
    for i, entry in ipairs(reference.ablations) do
        local fitted = row_of(cells[i], entry.name, runs.FITTED)
        all[#all + 1] = compare(section, entry, fitted, base.fitted)
        fresh[i] = row_of(cells[count + i], entry.name, runs.FRESH)
        table.move({ fitted, fresh[i] }, 1, 2, #all + 1, all)
    end
    section:table("ablations", nil, columns(), all)
    local by_name = {}
    for _, row in ipairs(fresh) do by_name[row.name] = row end
    judge_gain(section, by_name, base.fresh)
    judge_colocation(section, by_name, base.fresh)
    judge_fair(section, by_name, base.fresh)
    section:note(
        "Changes of large jobs stray by %.1f and %.1f points from seed to seed as fitted: on the "
        .. "three seeds of the fit what a setting does to them is mostly noise.",
        base.fresh.large_pr_fifo_sd,
        base.fresh.large_pr_fair_sd)
    return section
end

M.ablations = { name = "ablations", title = TITLE, run = run_ablations }

return M
