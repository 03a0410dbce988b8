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

---@class pinion.HsrtfPair
---@field group string
---@field lower string a policy
---@field higher string another one

-- Each policy of a list beside each of another, in each group.
local function pairs_of(groups, lower, higher)
    local made = {}
    for _, group in ipairs(groups) do
        for _, policy in ipairs(lower) do
            for _, other in ipairs(higher) do
                made[#made + 1] = { group = group, lower = policy, higher = other }
            end
        end
    end
    return made
end

-- That `field` is less under the lower policy of each pair: the verdict, and why.
local function less_in_pairs(cell, field, list)
    local votes, exceptions = papers.votes(), {}
    for _, pair in ipairs(list) do
        local less = papers.is_less(difference(cell, field, pair.group, pair.lower, pair.higher))
        papers.vote(votes, less)
        if not less then
            exceptions[#exceptions + 1] = string.format("%s and %s, %s%s", runs.NAMES[pair.lower],
                runs.NAMES[pair.higher], pair.group, less == nil and " (undecided)" or "")
        end
    end
    local verdict = papers.verdict(votes)
    if votes.held == #list then return verdict, "beyond doubt" end
    if #list == 1 then
        return verdict, votes.failed == 1 and "it is not less, beyond doubt"
            or "the interval of the difference covers 0"
    end
    return verdict, string.format("%d of %d comparisons hold beyond doubt; not those of %s",
        votes.held, #list, table.concat(exceptions, "; "))
end

local function all_less(cell, field, groups, lower, higher)
    return less_in_pairs(cell, field, pairs_of(groups, lower, higher))
end

-- "Fifo 2.6, Pu 0.0 s"
local function times(cell, field, group, policies)
    local parts = {}
    for i, policy in ipairs(policies) do parts[i] = string.format("%s %.1f", runs.NAMES[policy],
        runs.grand(cell, policy, field,
        group)) end
    return table.concat(parts, ", ") .. " s"
end

-- Of a group's jobs, those that are better off under a policy.
---@class pinion.HsrtfBetter
---@field count integer of all runs
---@field all integer
---@field unanimous integer runs in which all are
---@field share pinion.Sample by run
---@field is_unanimous pinion.Sample 1 or 0 by run

local function better(cell, field, group, policy, against)
    local made = { count = 0, all = 0, unanimous = 0 }
    local shares, unanimous = {}, {}
    for i = 1, #cell.seeds do
        local count, jobs = 0, 0
        for id, row in ipairs(runs.ROWS) do
            if row.group == group then
                jobs = jobs + 1
                if cell.runs[policy][i][field][id] < cell.runs[against][i][field][id] then
                    count = count + 1
                end
            end
        end
        made.count, made.all = made.count + count, made.all + jobs
        shares[i], unanimous[i] = count / jobs, count == jobs and 1 or 0
        made.unanimous = made.unanimous + unanimous[i]
    end
    made.share, made.is_unanimous = experiment.summary(shares), experiment.summary(unanimous)
    return made
end

-- "Most" is more than half, of jobs as of runs.
local MOST = 0.5

local VERDICTS = { [true] = papers.HOLDS, [false] = papers.FAILS }

-- Whether a mean over the runs lies above a limit, beyond doubt.
local function judge_above(sample, limit)
    return VERDICTS[experiment.above(sample, limit)] or papers.UNDECIDED
end

-- That all of a group's jobs finish sooner: what is found, the verdict, and why.
local function all_sooner(cell, group, policy, against)
    local found = better(cell, "makespan", group, policy, against)
    local ours = string.format("%d of %d jobs finish sooner under %s, in %d of %d runs all",
        found.count, found.all, runs.NAMES[policy], found.unanimous, #cell.seeds)
    local verdict = judge_above(found.is_unanimous, MOST)
    if verdict == papers.HOLDS then return ours, verdict, "all of them in most runs" end
    if verdict == papers.UNDECIDED then
        return ours, verdict, "these runs do not tell whether all do in most runs"
    end
    verdict = judge_above(found.share, MOST)
    if verdict == papers.HOLDS then
        return ours, papers.PARTLY, "most of them, but not all in most runs"
    end
    return ours, verdict, verdict == papers.FAILS and "not even most of them"
        or "these runs do not tell whether most do"
end

-- That most of a group's jobs are better off, judged on jobs and not on means.
local function most_better(cell, field, group, policy, against)
    local found = better(cell, field, group, policy, against)
    return string.format("%d of %d (%.0f ± %.0f %% of a run's)", found.count, found.all,
        100 * found.share.mean, 100 * found.share.half), experiment.above(found.share, MOST)
end

-- ---- small jobs, Section 5.1 --------------------------------------------------------------------

local function pu_beats_fifo(cell)
    return all_sooner(cell, "small", "hsrtf-pu", "fifo")
end

-- What share counts as the cause.
local CAUSE = 0.5

-- Which share of a gain in makespan is a gain in waiting time, in words, and whether it is the
-- cause: nil when the runs do not tell.
local function waiting_share(cell, policy, against)
    local makespan = difference(cell, "makespan", "small", policy, against)
    local waiting = difference(cell, "waiting", "small", policy, against)
    local execution = difference(cell, "execution", "small", policy, against)
    -- By run, how much more waiting time is gained than that share of the whole.
    local beyond, of_waiting = runs.means(cell, against, "makespan", "small"), {}
    for i = 1, #beyond do
        of_waiting[i] = runs.mean(cell.runs[against][i], "waiting", "small")
            - runs.mean(cell.runs[policy][i], "waiting", "small")
        beyond[i] = of_waiting[i]
            - CAUSE * (beyond[i] - runs.mean(cell.runs[policy][i], "makespan", "small"))
    end
    return string.format("waiting %s s, execution %s s of %s s", runs.signed(waiting.mean),
        runs.signed(execution.mean), runs.signed(makespan.mean)),
        experiment.above(experiment.summary(beyond), 0),
        string.format("%.1f %% of the gain is waiting time", 100 * waiting.mean / makespan.mean)
end

local function pu_gains_in_execution(cell)
    local words, is_cause, because = waiting_share(cell, "hsrtf-pu", "fifo")
    return words, is_cause == nil and papers.UNDECIDED or VERDICTS[not is_cause], because
end

local function pr_beats_fair(cell)
    local words, most = most_better(cell, "makespan", "small", "hsrtf-pr", "fair")
    return words .. " finish sooner under Pr", VERDICTS[most] or papers.UNDECIDED,
        "\"most\" is more than half of a run's small jobs"
end

local function pr_gains_in_waiting(cell)
    local words, is_cause, because = waiting_share(cell, "hsrtf-pr", "fair")
    return words .. "; waiting: " .. times(cell, "waiting", "small", { "fair", "hsrtf-pr" }),
        VERDICTS[is_cause] or papers.UNDECIDED,
        because .. ": with Fair's share of the free map slots a small job hardly waits here"
end

local function pr_executes_faster(cell)
    local verdict, because = all_less(cell, "execution", { "small" }, { "hsrtf-pr" }, { "fair" })
    local near = experiment.summary(runs.shares(cell, "hsrtf-pr", "near", "maps", "small")).mean
    return string.format("%s, with %.1f %% of the maps beside their input under Pr",
        times(cell, "execution", "small",
        { "fair", "hsrtf-pr" }), near), verdict, because
end

-- Each preemptive mode beside the same without preemption.
local CALM = { { "hsrtf-pup", "hsrtf-pu" }, { "hsrtf-prp", "hsrtf-pr" } }

local function preemptive_pairs(group)
    local list = {}
    for i, pair in ipairs(CALM) do
        list[i] = { group = group, lower = pair[1], higher = pair[2] }
    end
    return list
end

local HSRTF = { "hsrtf-pu", "hsrtf-pup", "hsrtf-pr", "hsrtf-prp" }

local function preemption_helps_most(cell)
    local votes, parts = papers.votes(), {}
    for i, pair in ipairs(CALM) do
        local words, most = most_better(cell, "waiting", "small", pair[1], pair[2])
        papers.vote(votes, most)
        parts[i] = string.format("under %s %s", runs.NAMES[pair[1]], words)
    end
    return "small jobs that wait less than without preemption: " .. table.concat(parts, "; "),
        papers.verdict(votes), "\"most\" is more than half of a run's small jobs. Without "
        .. "preemption a map slot is free at once here: nothing is left to gain"
end

local function preemption_cuts_waiting(cell)
    local verdict, because = less_in_pairs(cell, "waiting", preemptive_pairs "small")
    return times(cell, "waiting", "small", HSRTF), verdict, "of the means: " .. because
end

-- A makespan is not reduced if it is shorter by at most this share.
local UNCHANGED = 0.01

local function preemption_gains_nothing(cell)
    local votes = papers.votes()
    for _, pair in ipairs(CALM) do
        papers.vote(votes, experiment.above(difference(cell, "makespan", "small", pair[1], pair[2]),
            -UNCHANGED * runs.grand(cell, pair[2], "makespan", "small")))
    end
    local verdict = papers.verdict(votes)
    return times(cell, "makespan", "small", HSRTF), verdict,
        verdict == papers.FAILS and "they are reduced beyond doubt: a kill frees a reduce slot at "
            .. "once, and a reduce on another node than the map costs the shuffle only"
            or string.format("beyond doubt reduced by at most %g %% in %d of 2 modes",
                100 * UNCHANGED, votes.held)
end

-- ---- medium jobs, Section 5.2 -------------------------------------------------------------------

local function pr_best_for_medium(cell)
    local others = { "fifo", "fair", "hsrtf-pu", "hsrtf-pup", "hsrtf-prp" }
    local verdict, because = all_less(cell, "makespan", { "medium" }, { "hsrtf-pr" }, others)
    return times(cell, "makespan", "medium", runs.POLICIES), verdict, because
end

-- Fair's own numbers beside those of both.
local function fair_is_worse(field)
    return function(cell)
        local verdict, because = all_less(cell, field, { "medium" }, { "hsrtf-pr", "hsrtf-prp" },
            { "fair" })
        return times(cell, field, "medium", { "fair", "hsrtf-pr", "hsrtf-prp" }), verdict, because
    end
end

-- How far apart the same waiting times may be, as a share of the larger.
local SAME = 0.1

local function same_waiting(cell)
    local apart = difference(cell, "waiting", "medium", "fifo", "hsrtf-pu")
    local most = SAME * math.max(runs.grand(cell, "fifo", "waiting", "medium"),
        runs.grand(cell, "hsrtf-pu", "waiting", "medium"))
    return times(cell, "waiting", "medium", { "fifo", "hsrtf-pu" }),
        VERDICTS[experiment.within(apart, most)] or papers.UNDECIDED,
        string.format("\"the same\" is read as within %.0f %%, ±%.1f s: the difference is "
            .. "%.1f ± %.1f s", 100 * SAME, most, apart.mean, apart.half)
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
    local list = {}
    for i, pair in ipairs(CALM) do
        list[i] = { group = "large", lower = pair[2], higher = pair[1] }
    end
    local verdict, because = less_in_pairs(cell, "makespan", list)
    return times(cell, "makespan", "large", HSRTF), verdict,
        string.format("%s; %.0f and %.0f tasks are killed in a run", because,
            runs.kills(cell, "hsrtf-pup"), runs.kills(cell, "hsrtf-prp"))
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
    { label = "most small jobs: preemption reduces waiting", where = "Section 5.1, Fig. 2(d)",
        judge = preemption_helps_most,
      claim = "\"[E]mploying preemption can help in reducing the waiting time for most small "
          .. "jobs.\"" },
    { label = "small jobs: PuP and PrP wait less", where = "Section 5.1, Fig. 2(d)",
        judge = preemption_cuts_waiting,
      claim = "\"hSRTF-PrP and hSRTF-PuP reduce the job waiting times compared to hSRTF-Pr and "
          .. "hSRTF-Pu, respectively.\"" },
    { label = "small jobs: preemption does not help", where = "Section 5.1, Fig. 2(a)",
        judge = preemption_gains_nothing,
      claim = "With preemption small jobs' \"makespans were not reduced\", as reduces came to "
          .. "other nodes than their maps." },
    { label = "medium jobs: Pr is the best", where = "Section 5.2, Fig. 2(b)",
        judge = pr_best_for_medium,
      claim = "\"hSRTF-Pr is superior to all other schedulers.\"" },
    { label = "medium jobs: Fair waits longer", where = "Section 5.2, Fig. 2(e)",
        judge = fair_is_worse "waiting",
      claim = "\"Fair still results in longer waiting time [...] compared to both hSRTF-Pr and "
          .. "hSRTF-PrP.\"" },
    { label = "medium jobs: Fair takes longer", where = "Section 5.2, Fig. 2(b)",
        judge = fair_is_worse "makespan",
      claim = "\"Fair still results in [...] longer makespans compared to both hSRTF-Pr and "
          .. "hSRTF-PrP.\"" },
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

---Judges each statement on the runs of a cell.
---@param cell pinion.HsrtfCell with all policies
---@return pinion.PaperClaim[]
function M.claims(cell)
    local claims = {}
    for i, reading in ipairs(READINGS) do
        local ours, verdict, because = reading.judge(cell)
        if #cell.seeds < runs.ENOUGH then verdict, because = papers.UNDECIDED, runs.TOO_FEW end
        claims[i] = {
            label = reading.label, where = reading.where, claim = reading.claim,
            paper = "stated, without numbers", ours = ours,
            verdict = verdict, because = because,
        }
    end
    return claims
end

return M
