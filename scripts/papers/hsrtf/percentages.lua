-- The percentages of the abstract and of Section 5: by how much hSRTF changes the mean makespan of
-- small and large jobs. The paper gives no task durations, so these were fitted to five of the
-- percentages; what fresh seeds and one node more make of them says which agreement means anything.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"

local M = {}

local TITLE = "The abstract's percentages: small and large jobs against Fifo and Fair"

-- ---- held to the reference ----------------------------------------------------------------------

-- The changes on the reference's own fresh seeds; nil when they are not all among these.
local function on_their_seeds(cell, seeds)
    local chosen = {}
    for i, seed in ipairs(cell.seeds) do
        if seed >= reference.fresh.first and seed <= reference.fresh.last then
            chosen[#chosen + 1] = seeds[i]
        end
    end
    return #chosen == reference.fresh.last - reference.fresh.first + 1
        and experiment.summary(chosen) or nil
end

local function compare_fresh(section, cell, label, known, seeds)
    local sample = known and on_their_seeds(cell, seeds)
    if not sample then return nil end
    local agrees = section:compare(label .. ", their fresh seeds", sample.mean, known[1],
        runs.ROUNDING)
    if known[2] then
        agrees = section:compare(label .. ", their fresh seeds, standard deviation", sample.sd,
            known[2], runs.ROUNDING)
            and agrees
    end
    if known.least then
        agrees = section:compare(label .. ", least of their seeds", sample.min, known.least,
            runs.rounding(known.least))
            and agrees
        agrees = section:compare(label .. ", most of their seeds", sample.max, known.most,
            runs.rounding(known.most)) and agrees
    end
    return agrees
end

-- ---- rows ---------------------------------------------------------------------------------------

-- One change on one number of nodes: the paper's, on the seeds of the fit, and on fresh ones.
local function row_of(section, main, change, nodes)
    local label = string.format("%s jobs, %s, %d nodes", change.group, runs.pair(change), nodes)
    local fitted, fresh = runs.changes(main.fitted[nodes], change),
        runs.changes(main.fresh[nodes], change)
    local known, theirs = change.fitted[nodes], change.fresh and change.fresh[nodes]
    local sample = experiment.summary(fresh.seeds)
    local row = {
        nodes = nodes, group = change.group, pair = runs.pair(change), paper = change.paper,
        reference = known,
        fitted = fitted.all, fitted_jobs = fitted.jobs, mean = sample.mean, sd = sample.sd,
        half = sample.half,
            least = sample.min, most = sample.max,
        mean_jobs = fresh.jobs, fresh_reference = theirs and theirs[1], sample = sample,
    }
    if known then
        row.agrees = section:compare(label .. ", seeds of the fit", fitted.all, known,
            runs.rounding(known))
    end
    if nodes == reference.fitted.nodes and change.jobs then
        row.agrees = section:compare(label .. ", mean change of a job", fitted.jobs, change.jobs,
            runs.ROUNDING) and row.agrees
    end
    row.fresh_agrees = compare_fresh(section, main.fresh[nodes], label, theirs, fresh.seeds)
    return row
end

local COLUMNS = {
    { key = "nodes", title = "nodes", right = true }, { key = "group", title = "jobs" },
    { key = "pair", title = "" },
    runs.change_column("paper", "paper"), runs.change_column("reference", "reference"),
    runs.change_column("fitted", "ours, fitted"), papers.AGREES_COLUMN,
    { key = "mean", title = "fresh seeds", right = true,
        show = function(_, row) return runs.spread(row.sample) end },
    { key = "sd" }, { key = "half" },
    { key = "least", title = "from … to", right = true,
      show = function(value, row) return runs.signed(value) .. " … " .. runs.signed(row.most) end },
    { key = "most" },
    runs.change_column("fresh_reference", "reference"),
    { key = "fresh_agrees", title = "", show = papers.AGREES_COLUMN.show },
    { key = "fitted_jobs" }, { key = "mean_jobs" },
}

-- ---- judging ------------------------------------------------------------------------------------

-- The paper's numbers are those of a single run.
local function judge(row)
    if row.sample.count < runs.ENOUGH then return papers.UNDECIDED, runs.TOO_FEW end
    local half = experiment.range(row.sample.count, row.sd)
    local low, high = row.mean - half, row.mean + half
    local range = string.format("by these %d seeds 95 %% of single runs lie between %s and %s",
        row.sample.count,
        runs.signed(low), runs.signed(high))
    if row.paper < low or row.paper > high then return papers.NOT_REPRODUCED, range end
    if low < 0 and high > 0 then
        return papers.UNDECIDED, range .. ", on both sides of 0: such an agreement is no evidence"
    end
    return papers.FITTED,
        range .. "; but the durations were fitted to it: it can be so, not that it must (the "
            .. "section identified samples other durations)"
end

local function claim_of(section, change, row, other)
    local verdict, because = judge(row)
    section:claim {
        where = change.where,
        label = string.format("%s jobs, %s: %s %%", change.group, runs.pair(change),
            runs.signed(change.paper)),
        claim = string.format("The %s jobs' makespans change by %s %% on average, %s.",
            change.group, runs.signed(change.paper),
            runs.pair(change)),
        paper = runs.signed(change.paper) .. " %",
        reference = string.format("%s %% on the seeds of the fit, %s %% on ten fresh ones",
            runs.signed(row.reference),
            runs.signed(row.fresh_reference)),
        ours = string.format(
            "%s %% on the seeds of the fit; fresh seeds: %s %%, with %d nodes %s %%",
            runs.signed(row.fitted),
            runs.spread(row.sample), other.nodes, runs.spread(other.sample)),
        verdict = verdict, because = because,
    }
end

-- "Speeds up by 45 %" might also mean that the old makespan is 45 % above the new one.
local function note_ratio(section, row)
    section:note(
        "The fit reads the paper's %d %% as a change of the mean makespan. Read as old over new "
        .. "makespan ours would be %s %% for %s, fresh seeds.", math.abs(row.paper),
        runs.signed(100 * (100 / (100 + row.mean) - 1)), row.pair)
end

-- Which of the paper's five percentages a single run can tell.
local function note_spread(section, rows)
    local spread = {}
    for c, row in ipairs(rows) do
        if row.paper then
            spread[#spread + 1] = string.format("%.1f (%s jobs, %s)", row.sd,
                reference.changes[c].group, row.pair)
        end
    end
    section:note(
        "There are few large jobs in a run. From seed to seed the changes stray by so "
        .. "many points: %s.",
        table.concat(spread, ", "))
end

local function run_percentages(context)
    local main = runs.main(context)
    local few, many = reference.nodes[1], reference.nodes[2]
    local fitted, fresh = main.fitted[runs.NODES], main.fresh[runs.NODES]
    local section = papers.section("percentages", TITLE, "Abstract and Section 5", {
        string.format("Table 2: %d jobs, one every %d s, on nodes of %d map and %d reduce slots.",
            #runs.ROWS,
            reference.gap_ms // 1000, reference.map_slots, reference.reduce_slots),
        string.format(
            "The paper gives no task durations. These are fitted: about %d settings were tried "
            .. "on few seeds until five "
            .. "of its percentages came out with %d nodes (sort maps %g s, wordcount maps %g s, "
                .. "%g s more without local input, "
            .. "reduces %g s and %g s a block, shuffles %g s a block, each times a factor in "
                .. "0.5..1; heartbeats of %g s, Fair's "
            .. "locality delay %g s). \"Fitted\" is on those seeds (%s): agreement there was "
                .. "made, not found. Fresh seeds are "
            .. "%s.", reference.fitted.settings, reference.fitted.nodes,
            reference.fitted.sort_map_ms / 1000,
            reference.fitted.wc_map_ms / 1000, reference.fitted.remote_ms / 1000,
            reference.fitted.reduce_start_ms / 1000,
            reference.fitted.reduce_block_ms / 1000, reference.fitted.shuffle_block_ms / 1000,
            reference.fitted.params.heartbeat_ms / 1000, reference.fitted.params.locality_delay_ms
                / 1000,
            runs.seeds_text(fitted.seeds), runs.seeds_text(fresh.seeds)),
        "Changes of the mean makespan in percent; of fresh seeds the mean and the standard "
            .. "deviation of a single run.",
    })
    local rows, by_change = {}, {}
    for _, nodes in ipairs(reference.nodes) do
        for c, change in ipairs(reference.changes) do
            local row = row_of(section, main, change, nodes)
            rows[#rows + 1] = row
            by_change[c] = by_change[c] or {}
            by_change[c][nodes] = row
        end
    end
    section:table("percentages", nil, COLUMNS, rows)
    local ours = {}
    for c, change in ipairs(reference.changes) do
        ours[c] = by_change[c][few]
        if change.paper then claim_of(section, change, ours[c], by_change[c][many]) end
    end
    note_ratio(section, ours[1])
    note_spread(section, ours)
    section:note(
        "The mean change of a job is another number than the change of the mean: %s, %s and %s %% "
        .. "for the small jobs, on the seeds of the fit.", runs.signed(ours[1].fitted_jobs),
        runs.signed(ours[2].fitted_jobs),
        runs.signed(ours[3].fitted_jobs))
    return section
end

M.percentages = { name = "percentages", title = TITLE, run = run_percentages }

return M
