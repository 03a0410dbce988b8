-- What Section 5 of the paper on hSRTF says of Figure 2, group by group, held to our runs.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local runs = require "hsrtf.runs"

local M = {}

-- ---- paired comparisons -------------------------------------------------------------------------

-- A group's mean under one policy minus that under another, over the seeds.
local function difference(cell, field, group, policy, against)
    local ours, theirs = runs.means(cell, policy, field, group),
        runs.means(cell, against, field, group)
    for i = 1, #ours do ours[i] = ours[i] - theirs[i] end
    return experiment.summary(ours)
end

-- Whether it is less beyond doubt; nil: the interval covers 0.
local function is_less(cell, field, group, policy, against)
    local sample = difference(cell, field, group, policy, against)
    if sample.mean + sample.half < 0 then return true end
    if sample.mean - sample.half > 0 or sample.sd == 0 then return false end
    return nil
end

-- A comparison for each policy of a list, against each of others; and the verdict on all of them.
local function all_less(cell, field, groups, lower, higher)
    if #cell.seeds < runs.ENOUGH then return papers.UNDECIDED, runs.TOO_FEW end
    local held, against, all, exceptions = 0, 0, 0, {}
    for _, group in ipairs(groups) do
        for _, policy in ipairs(lower) do
            for _, other in ipairs(higher) do
                local less = is_less(cell, field, group, policy, other)
                all, held, against = all + 1, held + (less and 1 or 0),
                    against + (less == false and 1 or 0)
                if not less then
                    exceptions[#exceptions + 1] = string.format("%s and %s, %s%s",
                        runs.NAMES[policy], runs.NAMES[other], group,
                        less == nil and " (undecided)" or "")
                end
            end
        end
    end
    local verdict = held == 0 and against < all and papers.UNDECIDED
        or experiment.verdict(held, all)
    if held == all then return verdict, "beyond doubt" end
    if all == 1 then return verdict, against == 1 and "it is not less, beyond doubt"
        or "the interval of the difference covers "
        .. "0" end
    return verdict, string.format("%d of %d comparisons hold beyond doubt; not those of %s", held,
        all, table.concat(exceptions,
        "; "))
end

-- The verdict on two claims together.
local function both(first, second)
    if first == second then return first end
    if first == papers.HOLDS or second == papers.HOLDS or first == papers.PARTLY
            or second == papers.PARTLY then
        return papers.PARTLY
    end
    return papers.FAILS
end

-- "Fifo 2.6, Pu 0.0 s"
local function times(cell, field, group, policies)
    local parts = {}
    for i, policy in ipairs(policies) do parts[i] = string.format("%s %.1f", runs.NAMES[policy],
        runs.grand(cell, policy, field,
        group)) end
    return table.concat(parts, ", ") .. " s"
end

-- Of a group's jobs of all runs, how many finish sooner under a policy, and of how many; in how
-- many runs all of them do.
local function sooner(cell, group, policy, against)
    local count, all, unanimous = 0, 0, 0
    for i = 1, #cell.seeds do
        local before, jobs = count, 0
        for id, row in ipairs(runs.ROWS) do
            if row.group == group then
                jobs = jobs + 1
                if cell.runs[policy][i].makespan[id] < cell.runs[against][i].makespan[id] then
                    count = count + 1
                end
            end
        end
        all = all + jobs
        if count - before == jobs then unanimous = unanimous + 1 end
    end
    return count, all, unanimous
end

-- What the paper sees in its one run is to be seen in most of ours.
local MOST = 0.5

-- That all of a group's jobs finish sooner: what is found, the verdict, and why.
local function all_sooner(cell, group, policy, against)
    local count, all, unanimous = sooner(cell, group, policy, against)
    local ours = string.format("%d of %d jobs finish sooner under %s, in %d of %d runs all", count,
        all, runs.NAMES[policy],
        unanimous, #cell.seeds)
    if unanimous > MOST * #cell.seeds then return ours, papers.HOLDS, "all of them in most runs" end
    if count > MOST * all then
        return ours, papers.PARTLY, "most of them, but not all in most runs"
    end
    return ours, papers.FAILS, "not even most of them"
end

-- ---- small jobs, Section 5.1 --------------------------------------------------------------------

local function pu_beats_fifo(cell)
    return all_sooner(cell, "small", "hsrtf-pu", "fifo")
end

-- Which share of a gain in makespan is a gain in waiting time.
local function waiting_share(cell, policy, against)
    local gained = difference(cell, "makespan", "small", policy, against).mean
    local waiting, execution = difference(cell, "waiting", "small", policy, against).mean,
        difference(cell, "execution", "small", policy, against).mean
    return waiting / gained,
        string.format("waiting %s s, execution %s s of %s s", runs.signed(waiting),
        runs.signed(execution),
        runs.signed(gained))
end

-- What share counts as the cause.
local CAUSE = 0.5

local function pu_gains_in_execution(cell)
    local share, words = waiting_share(cell, "hsrtf-pu", "fifo")
    return words, share < CAUSE and papers.HOLDS or papers.FAILS,
        string.format("%.1f %% of the gain is waiting time",
        100 * share)
end

local function pr_beats_fair(cell)
    local count, all = sooner(cell, "small", "hsrtf-pr", "fair")
    return string.format("%d of %d jobs finish sooner under Pr", count, all), count > MOST * all
        and papers.HOLDS or papers.FAILS,
        "\"most\" is more than half of the small jobs of all runs"
end

local function pr_gains_in_waiting(cell)
    local share, words = waiting_share(cell, "hsrtf-pr", "fair")
    return words .. "; waiting: " .. times(cell, "waiting", "small", { "fair", "hsrtf-pr" }),
        share >= CAUSE and papers.HOLDS or papers.FAILS,
        string.format(
            "%.1f %% of the gain is waiting time: with %s's share of the free map slots a small "
            .. "job hardly waits here",
            100 * share, runs.NAMES.fair)
end

local function pr_executes_faster(cell)
    local verdict, because = all_less(cell, "execution", { "small" }, { "hsrtf-pr" }, { "fair" })
    local near = experiment.summary(runs.shares(cell, "hsrtf-pr", "near", "maps", "small")).mean
    return string.format("%s, with %.1f %% of the maps beside their input under Pr",
        times(cell, "execution", "small",
        { "fair", "hsrtf-pr" }), near), verdict, because
end

local function preemption_cuts_waiting(cell)
    local first, because_first = all_less(cell, "waiting", { "small" }, { "hsrtf-pup" },
        { "hsrtf-pu" })
    local second, because_second = all_less(cell, "waiting", { "small" }, { "hsrtf-prp" },
        { "hsrtf-pr" })
    return times(cell, "waiting", "small", { "hsrtf-pu", "hsrtf-pup", "hsrtf-pr", "hsrtf-prp" }),
        both(first, second),
        "PuP: " .. because_first .. "; PrP: " .. because_second
            .. ". Without preemption a map slot is free at once here: "
            .. "nothing is left to gain"
end

local function preemption_gains_nothing(cell)
    local verdict = all_less(cell, "makespan", { "small" }, { "hsrtf-pup" }, { "hsrtf-pu" })
    local other = all_less(cell, "makespan", { "small" }, { "hsrtf-prp" }, { "hsrtf-pr" })
    local reduced = verdict == papers.HOLDS and other == papers.HOLDS
    local unknown = verdict == papers.UNDECIDED or other == papers.UNDECIDED
    return times(cell, "makespan", "small", { "hsrtf-pu", "hsrtf-pup", "hsrtf-pr", "hsrtf-prp" }),
        reduced and papers.FAILS or unknown and papers.UNDECIDED or verdict == other
            and papers.HOLDS or papers.PARTLY,
        reduced and "both are reduced beyond doubt: a kill frees a reduce slot at once, and a "
            .. "reduce on another node than the "
            .. "map costs the shuffle only" or "not both are reduced beyond doubt"
end

-- ---- medium jobs, Section 5.2 -------------------------------------------------------------------

local function pr_best_for_medium(cell)
    local others = { "fifo", "fair", "hsrtf-pu", "hsrtf-pup", "hsrtf-prp" }
    local verdict, because = all_less(cell, "makespan", { "medium" }, { "hsrtf-pr" }, others)
    return times(cell, "makespan", "medium", runs.POLICIES), verdict, because
end

local function fair_worse_for_medium(cell)
    local verdict, because = all_less(cell, "waiting", { "medium" }, { "hsrtf-pr", "hsrtf-prp" },
        { "fair" })
    local other, because_other = all_less(cell, "makespan", { "medium" },
        { "hsrtf-pr", "hsrtf-prp" }, { "fair" })
    local policies = { "fair", "hsrtf-pr", "hsrtf-prp" }
    return "waiting: " .. times(cell, "waiting", "medium", policies) .. "; makespan: "
        .. times(cell, "makespan", "medium",
        policies),
        both(verdict, other), "waiting: " .. because .. "; makespan: " .. because_other
end

-- How far apart the same waiting times may be, as a share of the larger.
local SAME = 0.1

local function same_waiting(cell)
    local fifo, pu = runs.grand(cell, "fifo", "waiting", "medium"),
        runs.grand(cell, "hsrtf-pu", "waiting", "medium")
    return times(cell, "waiting", "medium", { "fifo", "hsrtf-pu" }),
        math.abs(fifo - pu) <= SAME * math.max(fifo, pu) and papers.HOLDS or papers.FAILS,
        string.format("\"the same\" is read as within %.0f %%", 100 * SAME)
end

local function pu_prolongs_medium(cell)
    local verdict, because = all_less(cell, "execution", { "medium" }, { "fifo" }, { "hsrtf-pu" })
    return times(cell, "execution", "medium", { "fifo", "hsrtf-pu" }), verdict, because
end

local function pup_waits_longer(cell)
    local verdict, because = all_less(cell, "waiting", { "medium" }, { "hsrtf-pu" },
        { "hsrtf-pup" })
    return times(cell, "waiting", "medium", { "hsrtf-pu", "hsrtf-pup" }), verdict, because
end

-- ---- large jobs and all, Sections 5.3 and 5.4 ---------------------------------------------------

local HSRTF = { "hsrtf-pu", "hsrtf-pup", "hsrtf-pr", "hsrtf-prp" }

local function large_pay(cell)
    local verdict, because = all_less(cell, "makespan", { "large" }, { "fifo", "fair" }, HSRTF)
    return times(cell, "makespan", "large", runs.POLICIES), verdict, because
end

local function prp_worse(cell)
    local ours, verdict, because = all_sooner(cell, "large", "hsrtf-pr", "hsrtf-prp")
    return ours .. "; " .. times(cell, "makespan", "large", { "hsrtf-pr", "hsrtf-prp" }), verdict,
        because
end

local function preemption_costs_large(cell)
    local first = all_less(cell, "makespan", { "large" }, { "hsrtf-pu" }, { "hsrtf-pup" })
    local second = all_less(cell, "makespan", { "large" }, { "hsrtf-pr" }, { "hsrtf-prp" })
    return times(cell, "makespan", "large", HSRTF), both(first, second),
        string.format("%.0f and %.0f tasks are killed in a run", runs.kills(cell, "hsrtf-pup"),
            runs.kills(cell, "hsrtf-prp"))
end

local function waiting_regardless(cell)
    local verdict, because = all_less(cell, "waiting", { "small", "medium", "large" }, HSRTF,
        { "fifo", "fair" })
    local parts = {}
    for i, group in ipairs { "small", "medium", "large" } do parts[i] = group .. ": "
        .. times(cell, "waiting", group,
        runs.POLICIES) end
    return table.concat(parts, "; "), verdict, because
end

-- ---- the list -----------------------------------------------------------------------------------

---@class pinion.HsrtfReading
---@field label string
---@field where string
---@field claim string
---@field judge fun(cell: pinion.HsrtfCell): string, string, string what is found, the verdict, and why

---@type pinion.HsrtfReading[]
local READINGS = {
    { label = "Pu outperforms Fifo for all small jobs", where = "Section 5.1, Fig. 2(a)",
        judge = pu_beats_fifo,
      claim = "\"hSRTF-Pu outperforms Fifo for all small jobs.\"" },
    { label = "small jobs: Pu gains in execution time", where = "Section 5.1, Fig. 2(d)",
        judge = pu_gains_in_execution,
      claim = "The gain of Pu over Fifo \"is not due to the reduction in job waiting times\" "
          .. "but to execution times." },
    { label = "Pr outperforms Fair for most small jobs", where = "Section 5.1, Fig. 2(a)",
        judge = pr_beats_fair,
      claim = "\"hSRTF-Pr reduces the makespan of (most) small jobs.\"" },
    { label = "small jobs: Pr gains in waiting time", where = "Section 5.1, Fig. 2(d)",
        judge = pr_gains_in_waiting,
      claim = "The gain of Pr over Fair \"is obviously due to the huge reduction in waiting "
          .. "times\"." },
    { label = "small jobs: Pr executes them faster", where = "Section 5.1, Fig. 2(g)",
        judge = pr_executes_faster,
      claim = "Pr \"slightly improves job execution times, although Fair achieves perfect "
          .. "locality\"." },
    { label = "small jobs: preemption reduces waiting", where = "Section 5.1, Fig. 2(d)",
        judge = preemption_cuts_waiting,
      claim = "PuP and PrP reduce waiting times compared to Pu and Pr." },
    { label = "small jobs: preemption does not help", where = "Section 5.1, Fig. 2(a)",
        judge = preemption_gains_nothing,
      claim = "With preemption small jobs' \"makespans were not reduced\", as reduces came to "
          .. "other nodes than their maps." },
    { label = "medium jobs: Pr is the best", where = "Section 5.2, Fig. 2(b)",
        judge = pr_best_for_medium,
      claim = "\"hSRTF-Pr is superior to all other schedulers.\"" },
    { label = "medium jobs: Fair waits and takes longer", where = "Section 5.2, Fig. 2(e)",
        judge = fair_worse_for_medium,
      claim = "\"Fair still results in longer waiting time and therefore in longer makespans "
          .. "compared to both hSRTF-Pr and "
          .. "hSRTF-PrP\"." },
    { label = "medium jobs: Fifo and Pu wait the same", where = "Section 5.2, Fig. 2(e)",
        judge = same_waiting,
      claim = "\"Medium jobs suffer the same waiting times under both Fifo and hSRTF-Pu.\"" },
    { label = "medium jobs: Pu prolongs execution", where = "Section 5.2, Fig. 2(h)",
        judge = pu_prolongs_medium,
      claim = "Pu \"prolongs the execution time of medium jobs\" compared to Fifo." },
    { label = "medium jobs: PuP waits longer than Pu", where = "Section 5.2, Fig. 2(e)",
        judge = pup_waits_longer,
      claim = "PuP \"results in more waiting time compared to hSRTF-Pu\"." },
    { label = "large jobs pay", where = "Section 5.3, Fig. 2(c)", judge = large_pay,
      claim = "hSRTF \"increases the execution time of large jobs and therefore increases job "
          .. "makespans\"." },
    { label = "PrP is worse than Pr for all large jobs", where = "Section 5.3", judge = prp_worse,
      claim = "\"hSRTF-Pr outperforms hSRTF-PrP for all large jobs.\"" },
    { label = "preemption makes large jobs pay more", where = "Sections 5.3, 5.4",
        judge = preemption_costs_large,
      claim = "\"This increase in job makespans is higher when employing the preemption "
          .. "technique.\"" },
    { label = "hSRTF waits less, whatever the size", where = "Section 5.4, Fig. 2(d)-(f)",
        judge = waiting_regardless,
      claim = "hSRTF \"significantly reduces job waiting times compared to Fifo and Fair "
          .. "schedulers, regardless of the job "
          .. "sizes\"." },
}

---@param section pinion.PaperSection
---@param cell pinion.HsrtfCell
function M.judge(section, cell)
    for _, reading in ipairs(READINGS) do
        local ours, verdict, because = reading.judge(cell)
        section:claim {
            label = reading.label, where = reading.where, claim = reading.claim,
            paper = "stated, without numbers", ours = ours,
            verdict = verdict, because = because,
        }
    end
end

return M
