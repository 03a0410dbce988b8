-- Gaps and slips of the paper on RTMR, each with what a run or a computation here shows of it.

local experiment = require "pinion".experiment
local cases = require "rtmr.cases"
local papers = require "shared.papers"
local reference = require "rtmr.reference"
local runs = require "rtmr.runs"
local tables = require "rtmr.tables"
local text = require "shared.text"

local M = {}

local TITLE = "Errata and unclear points"

local function seconds(ms)
    return ms / 1000
end

-- ---- E1, E5, E6, E9: counterexamples ------------------------------------------------------------

local function off_by_one()
    local printed, corrected = cases.result("cex1", "paper").jobs, cases.result("cex1", "ge").jobs
    local late, right = printed[1].finish, corrected[1].finish
    return string.format("counterexample 1: H, promised %g s, ends at %g s; with >= at %g s",
        seconds(printed[1].promise),
        seconds(late), seconds(right)), late > printed[1].promise and right <= corrected[1].promise
end

local function restarted()
    local with, without = cases.result("cex5", "ge").jobs, cases.result("cex5", "no feedback").jobs
    local state, finish = with[3].state, without[3].finish
    return string.format(
        "counterexample 5: with feedback C is %s (estimate %g s, %g s allowed); "
        .. "without it ends at %g s", state,
        seconds(with[3].estimate), seconds(270000), seconds(finish)), state == "rejected"
            and finish <= 270000
end

local function beats()
    local row = cases.result("cex3", "ge").jobs[1]
    local promise, finish = row.promise, row.finish
    local told = cases.result("cex3", "ge, allowance").jobs[1]
    return string.format(
        "counterexample 3: promised %g s, ends at %g s; with the allowance it is %s, as %g s is "
        .. "all that can be promised",
        seconds(promise), seconds(finish), told.state, seconds(told.estimate)),
        finish > promise and told.state == "rejected"
end

local function dead_slots()
    local late, live = cases.result("cex6", "ge"), cases.result("cex6", "rtmr-live")
    local missed = late.accepted - late.successful
    return string.format(
        "counterexample 6: %s accepted after the failure, %d missed; rtmr-live, which counts slots "
        .. "that are up, rejects %d and misses %d", text.count(late.accepted - 1, "job"), missed,
        live.rejected,
        live.accepted - live.successful), missed > 0 and live.accepted == live.successful
end

-- ---- E2, E3, E4, E8: scenarios of their own -----------------------------------------------------

-- H, ahead, has long maps: L's reduce takes one of two slots before it.
local OVERTAKING = {
    nodes = { { map_slots = 2, reduce_slots = 2 } },
    jobs = { { submit = 0, maps = 1, reduces = 1, map_ms = 100000, reduce_ms = 10000,
        deadline = 1000000 },
             { submit = 0, maps = 1, reduces = 1, map_ms = 10000, reduce_ms = 50000,
                 deadline = 2000000 } },
}

local function overtaking()
    local jobs = runs.run("rtmr", {}, OVERTAKING.nodes, OVERTAKING.jobs).jobs
    local ahead, behind, mapped = jobs[1].first_reduce_start, jobs[2].first_reduce_start,
        jobs[1].map_finish
    return string.format(
        "H is ahead of L, but L's reduce starts at %g s and H's at %g s; the proof's vector of H "
        .. "has no slot before %g s, when H's maps are done",
        seconds(behind), seconds(ahead), seconds(mapped)),
            behind < ahead and behind < mapped
end

local MAPS_ONLY = {
    nodes = { { map_slots = 2, reduce_slots = 1 } },
    jobs = { { submit = 0, maps = 1, map_ms = 100000, deadline = 1000000 },
             { submit = 0, maps = 1, map_ms = 10000, deadline = 2000000 } },
}

local function largest_item()
    local jobs = runs.run("rtmr", {}, MAPS_ONLY.nodes, MAPS_ONLY.jobs).jobs
    local first, second = jobs[1].promise, jobs[2].promise
    return string.format(
        "behind a map of %g s one of %g s is estimated to end at %g s: that is "
        .. "m_e, and not the largest item",
        seconds(first), 10, seconds(second)), first == 100000 and second == 10000
end

local function no_reduces()
    local row = runs.run("rtmr", {}, MAPS_ONLY.nodes, MAPS_ONLY.jobs).jobs[2]
    local promise, finish = row.promise, row.finish
    return string.format(
        "a job without reduces: estimate %g s, the end of its maps; it ends at %g s",
        seconds(promise),
        seconds(finish)), promise == finish
end

-- Jobs one after another, every task as long as its estimate.
local PUNCTUAL = {}
for i = 1, 4 do
    PUNCTUAL[i] = { submit = 100000 * (i - 1), maps = 2, reduces = 1, map_ms = 20000,
        reduce_ms = 20000, deadline = 90000 }
end

local function recomputed()
    local function fired(estimate)
        return runs.run("rtmr", { fc_estimate = estimate }, { { map_slots = 2, reduce_slots = 1 } },
            PUNCTUAL).feedback_fired
    end
    local literal, recorded = fired "recompute", fired "recorded"
    return string.format(
        "%d jobs, all of them punctual: feedback fires %s by line 6, %s by the recorded estimate",
        #PUNCTUAL,
        text.count(literal, "time"), text.count(recorded, "time")), literal == #PUNCTUAL
            and recorded == 0
end

-- ---- E7: the predecessor ------------------------------------------------------------------------

local function predecessor(context)
    local cells, parts, worse = tables.cells(context).ours, {}, true
    for i, workload in ipairs(reference.WORKLOADS) do
        local function accepted(variant) return runs.sample(cells[workload], variant, "accept") end
        local keep, drop = accepted "open_keep", accepted "open"
        parts[i] = string.format("%s: %s %% with records of jobs that have ended, %s %% without",
            workload, runs.interval(keep),
            runs.interval(drop))
        worse = worse and keep.mean < 0.5 * drop.mean
    end
    local missed = runs.total(cells.I, "open", "missed") + runs.total(cells.II, "open", "missed")
    return string.format("accepted without feedback: %s; %d missed", table.concat(parts, "; "),
        missed), worse and missed == 0
end

-- ---- E10, E11: Table VI -------------------------------------------------------------------------

-- Whether so many of so many print as this percentage.
local function prints_as(part, whole, printed)
    return math.abs(100 * part / whole - printed) <= 0.05 + 1e-9
end

-- All numbers of accepted jobs, of successful ones and of jobs that print as these two percentages.
local function fractions(accept, success, most)
    local found = {}
    for jobs = 1, most do
        for accepted = 1, jobs do
            for successful = 0, prints_as(accepted, jobs, accept) and accepted or -1 do
                if prints_as(successful, accepted, success) then
                    found[#found + 1] = { jobs, accepted, successful }
                end
            end
        end
    end
    return found
end

-- Jobs of workload II with more reduces than slots, over the seeds.
local function large_jobs(context)
    local counts = {}
    for i, seed in ipairs(runs.seeds(context)) do
        counts[i] = 0
        for _, job in ipairs(runs.jobs(context, "II", seed)) do
            if job.reduces > reference.reduce_slots then counts[i] = counts[i] + 1 end
        end
    end
    return experiment.summary(counts)
end

-- Bin 5 has 35 reduces and more.
local SURE = 13

local function whose_percent(context)
    local found, parts = fractions(49.4, 22.5, reference.jobs.II), {}
    for i, numbers in ipairs(found) do parts[i] = string.format("%d of %d accepted, %d successful",
        numbers[2], numbers[1],
        numbers[3]) end
    local large = large_jobs(context)
    return string.format(
        "49.4 %% with 22.5 %% of these can only be %s; but %d jobs at least have more than %d "
        .. "reduces, which leaves %d at most (in our seeds %.1f have)",
        table.concat(parts, " or "), SURE,
        reference.reduce_slots,
        reference.jobs.II - SURE,
        large.mean), #found == 1 and found[1][1] > reference.jobs.II - SURE
end

-- Slot time of a job, in ms before the factor.
local function work(job)
    return job.maps * job.map_ms + job.reduces * job.reduce_ms
end

-- What share of the work the 22 largest jobs have, and how much work workload II has for each of
-- I's: means over the seeds.
local ACCEPTED = 22

local function shares_of_work(context)
    local shares, ratios = {}, {}
    for i, seed in ipairs(runs.seeds(context)) do
        local sizes, sum, small, largest = {}, 0, 0, 0
        for k, job in ipairs(runs.jobs(context, "II", seed)) do sizes[k] = work(job) end
        for _, job in ipairs(runs.jobs(context, "I", seed)) do small = small + work(job) end
        table.sort(sizes, function(a, b) return a > b end)
        for k, size in ipairs(sizes) do
            sum, largest = sum + size, largest + (k <= ACCEPTED and size or 0)
        end
        shares[i], ratios[i] = largest / sum, sum / small
    end
    return experiment.summary(shares).mean, experiment.summary(ratios).mean
end

local function turnaround(context)
    local share, ratio = shares_of_work(context)
    local rtmr, fifo, fifo_small = 64.6, 69.7, 21.3
    local most, minutes = share * fifo / rtmr, reference.span_ms / 60000
    local least = minutes / most
    local small = least * fifo / ratio / fifo_small
    return string.format(
        "the %d largest jobs have %.0f %% of the work, so RTMR's run is at most %.2f times FIFO's; "
        .. "jobs come for %g minutes, so FIFO's takes %.0f at least, and that of workload I, with "
        .. "1/%.1f of the work at 21.3 %%, %.0f, though jobs come for %g minutes only",
        ACCEPTED, 100 * share, most, minutes, least,
        ratio, small, minutes),
        least > 1.3 * minutes and small > 1.1 * minutes
end

-- ---- the list -----------------------------------------------------------------------------------

---@type pinion.Erratum[]
local ERRATA = {
    {
        label = "E1: off by one", where = "Algorithm IV, line 10", printed = "reservedSlot > Ra",
        meant = "reservedSlot >= Ra",
        show = off_by_one,
    },
    {
        label = "E2: no proof of the dispatcher", where = "Section IV.C, Proof-2",
        show = overtaking,
        printed = "V of a job is made from V of the one before it, as if no reduce overtook",
        meant = "reduces overtake, which is what the reservation allows; another proof is needed",
    },
    {
        label = "E3: m_e as the largest item", where = "Proof-2", show = largest_item,
        printed = "the latest estimated end of a job's maps is the largest item of its T^m",
        meant = "not behind a job with longer maps; that no map ends after m_e is "
            .. "true all the same",
    },
    {
        label = "E4: which estimate", where = "Algorithm V, line 6", show = recomputed,
        printed = "e is computed at the job's end, with the current time",
        meant = "the recorded e: the other one is always later by a map and a reduce",
    },
    {
        label = "E5: started jobs estimated anew", where = "Algorithm V, lines 14-19",
        show = restarted,
        printed = "Algorithm II for all successors, from the current time",
        meant = "for those that wait: one that runs since long is taken to start now",
    },
    {
        label = "E6: heartbeats", where = "Section II, Algorithms II, III", show = beats,
        printed = "a task starts when its slot is free",
        meant = "at the node's next heartbeat: an allowance for it must be in every estimate",
    },
    {
        label = "E7: a predecessor that has ended", where = "Section IV.B", show = predecessor,
        printed = "J_p is the job that has been \"started latest by the dispatcher\"",
        meant = "the latest that has not ended: records of ended jobs shut the door, and "
            .. "dropping them is safe",
    },
    {
        label = "E8: jobs without reduces", where = "Algorithm III", show = no_reduces,
        printed = "e is set in the loop over the reduces", meant = "e = m_e without reduces",
    },
    {
        label = "E9: slots that are gone", where = "Sections IV.A, IV.D", show = dead_slots,
        printed = "T^m and T^r have all slots of the cluster, and feedback "
            .. "deals with node failures",
        meant = "those that are up: a dead slot is promised again and again",
    },
    {
        label = "E10: percentages of DC", where = "Table VI", show = whose_percent,
        printed = "49.4 % accepted, 22.5 % of these successful, without jobs of more than 30 "
            .. "reduces",
        meant = "percentages of another number of jobs than Table IV leaves",
    },
    {
        label = "E11: RTMR's utilisation", where = "Table VI", show = turnaround,
        printed = "22 of 89 jobs use 64.6 %, all of them 69.7 % under FIFO",
        meant = "only if FIFO ran far longer than jobs come, and then its 21.3 % for workload I "
            .. "is too much; the section identified looks for settings that give both tables",
    },
    {
        label = "E12: line numbers, and what D is", where = "Algorithm VI, Section III",
        printed = "line 15 is followed by 21; [s_r^max, D] is an interval",
        meant = "line 16; [s_r^max, A + D], as D is relative everywhere else",
    },
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
