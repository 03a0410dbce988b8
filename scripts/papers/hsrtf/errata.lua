-- Gaps and slips of the paper on hSRTF, each with what a run or a computation here shows of it.

local experiment = require "pinion".experiment
local livelock = require "hsrtf.livelock"
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Errata and unclear points"

-- ---- H1: kills for ever -------------------------------------------------------------------------

local function kills_forever()
    local literal, guarded = livelock.pair()
    return string.format(
        "two jobs, one reduce slot: %s in %d s and %s done; with at most 3 kills of a "
        .. "task %d of 2 done",
        text.count(literal.kills, "kill"), reference.livelock.max_time_ms // 1000,
        text.count(literal.finished, "job"),
        guarded.finished), literal.finished == 0 and guarded.finished == 2
end

-- ---- H2: progress -------------------------------------------------------------------------------

-- A map of 91 s is a second from its end when the tick at 90 s finds three maps of 10 s that came
-- at 85 s: 20 s of work in waves.
local PROGRESS = {
    nodes = { { count = 2, map_slots = 1, reduce_slots = 0 } },
    jobs = { { submit = 0, maps = 1, map_ms = 91000 },
        { submit = 85000, maps = 3, map_ms = 10000 } },
}

local function progress_ignored()
    local killed = runs.run("hsrtf-pup", {}, PROGRESS.nodes, PROGRESS.jobs)
    local calm = runs.run("hsrtf-pu", {}, PROGRESS.nodes, PROGRESS.jobs)
    local function finishes(result)
        return result.jobs[1].finish / 1000, result.jobs[2].finish / 1000
    end
    local with_1, with_2 = finishes(killed)
    local without_1, without_2 = finishes(calm)
    return string.format(
        "a map of 91 s is killed after 90 s (%s) for a job with 20 s left: done at %g s instead of "
        .. "%g, and the other one at %g instead of %g",
        text.count(killed.jobs[1].kills, "kill"), with_1,
        without_1, with_2, without_2),
        killed.jobs[1].kills == 1 and with_1 > without_1 and with_2 >= without_2
end

-- ---- H3: reduces by map input -------------------------------------------------------------------

-- A job that holds the map slot for 30 s; then one of three maps, and a wordcount of two maps whose
-- reduce takes 3 s.
local WORDCOUNT = {
    nodes = { { map_slots = 1, reduce_slots = 1 } },
    jobs = { { submit = 0, maps = 1, map_ms = 30000 }, { submit = 1000, maps = 3, map_ms = 30000 },
             { submit = 2000, maps = 2, reduces = 1, map_ms = 30000, reduce_ms = 3000 } },
}

local function reduce_by_input()
    local printed = runs.run("hsrtf-pu", {}, WORDCOUNT.nodes, WORDCOUNT.jobs)
    local by_output = runs.run("hsrtf-pu", { input_ratio_permille = 100 }, WORDCOUNT.nodes,
        WORDCOUNT.jobs)
    local function wordcount(result) return result.jobs[3].makespan / 1000 end
    return string.format(
        "a wordcount with 63 s of work goes behind 90 s of maps, as its reduce of 3 s is taken for "
        .. "60: makespan %g s, mean of all %.1f s; by a tenth of the input %g s and %.1f s",
        wordcount(printed),
        printed.mean_makespan / 1000,
        wordcount(by_output), by_output.mean_makespan / 1000),
        wordcount(printed) > wordcount(by_output) and printed.mean_makespan
            > by_output.mean_makespan
end

-- ---- H4: shares and starvation ratios -----------------------------------------------------------

-- Jobs of so many maps of 10 s on so many slots.
local SHARES = { slots = 100, maps = { 10, 1000 }, map_s = 10 }

-- Equations (1), (3), (4) and (5) at the moment when both jobs come.
local function shares_sum()
    local remaining, inverse, parts, sum, weighted = {}, 0.0, {}, 0.0, 0.0
    for i, maps in ipairs(SHARES.maps) do
        remaining[i] = math.ceil(maps / SHARES.slots) * SHARES.map_s
        inverse = inverse + 1 / remaining[i]
    end
    for i, maps in ipairs(SHARES.maps) do
        local share = SHARES.slots / remaining[i] / inverse
        local starvation = math.ceil(maps / share) * SHARES.map_s / remaining[i]
        sum, weighted = sum + share, weighted + share * starvation
        parts[i] = string.format("%.1f slots times %.1f", share, starvation)
    end
    return string.format(
        "jobs of %d and %d maps on %d slots: shares of %.1f slots in all, but %s makes %.1f",
        SHARES.maps[1],
        SHARES.maps[2], SHARES.slots, sum, table.concat(parts, " and "), weighted),
        math.abs(sum - SHARES.slots) < 1e-9 and math.abs(weighted - SHARES.slots) > 1
end

-- ---- H6: how many nodes -------------------------------------------------------------------------

-- Points of a percentage that make no difference.
local SAME = 2

local function node_count(context)
    local main, parts, same = runs.main(context), {}, true
    local fewer, more = reference.nodes[1], reference.nodes[2]
    for _, change in ipairs(reference.changes) do
        if change.paper then
            local few = experiment.summary(runs.changes(main.fresh[fewer], change).seeds)
            local many = experiment.summary(runs.changes(main.fresh[more], change).seeds)
            parts[#parts + 1] = string.format("%s %s: %s and %s %%", change.group,
                runs.pair(change), runs.signed(few.mean),
                runs.signed(many.mean))
            same = same and experiment.within({ mean = few.mean - many.mean,
                half = few.half + many.half, count = #main.fresh[more].seeds }, SAME)
        end
    end
    return string.format("%d and %d nodes, fresh seeds: %s", fewer, more,
        table.concat(parts, "; ")), same == true
end

-- ---- the list -----------------------------------------------------------------------------------

---@type pinion.Erratum[]
local ERRATA = {
    { label = "H1: kills without end", where = "Section 3.3",
        printed = "tasks of jobs with the longest remaining time are "
        .. "killed",
      meant = "so many times at most: two jobs can kill each other for ever",
      show = kills_forever },
    { label = "H2: progress of running tasks", where = "Eq. (1)",
        printed = "a running task counts as a whole wave",
      meant = "what is left of it: a job a second from its end is killed",
      show = progress_ignored },
    { label = "H3: reduces by map input", where = "Eq. (2)",
        printed = "a reduce takes as long as the maps of its share of the "
        .. "input",
      meant = "of the map output, which is a tenth of it for wordcount; samples of finished "
          .. "reduces also hold their wait for "
          .. "maps",
      show = reduce_by_input },
    { label = "H4: shares times starvation ratios", where = "Eqs. (3) to (5)",
        printed = "a job gets S times ST of the cluster",
      meant = "scaled back to the cluster, for map and reduce slots apart, with a remaining "
          .. "time of at least 1 ms",
          show = shares_sum },
    { label = "H5: numbers of the abstract", where = "abstract, Section 5",
        printed = "45 % against Fifo, and 10 % and 0.2 % for "
        .. "large jobs",
      meant = "the body has 43 % for Pu against Fifo and 26 % for Pr against Fair, and none of "
          .. "these three" },
    { label = "H6: number of workers", where = "Section 4",
        printed = "58 nodes, one of which is the master too",
      meant = "perhaps 57 workers; it decides nothing here beyond noise", show = node_count,
      open = true },
    { label = "H7: \"used resources\"", where = "Section 3.5",
        printed = "if a job receives more than it needs, \"the used "
        .. "resources are redistributed\"", meant = "the unused ones" },
}

local function run_errata(context)
    local section = papers.section("errata", TITLE, "throughout", {
        "What the paper prints and what must be meant. A verdict is on what is printed.",
    })
    papers.errata(section, ERRATA, context)
    return section
end

M.errata = { name = "errata", title = TITLE, run = run_errata }

return M
