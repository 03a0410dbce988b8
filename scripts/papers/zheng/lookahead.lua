-- The Quick Example of Zheng, Shroff, Sinha (2013), Section IV, continued: schedulers that see some
-- slots ahead, and the efficiency ratio when such jobs arrive at random.

local example = require "zheng.example"
local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local runs = require "zheng.runs"
local text = require "shared.text"

local M = {}

local TITLE = "The Quick Example with look-ahead, and its efficiency ratio"

-- ---- schedulers that see k slots ahead ----------------------------------------------------------

-- First come, first served, except that the reduce of job 1 starts only when no other job waits,
-- `wait` slots after its map at the earliest, and no job arrives in the next k slots.
local SOURCE = [[
local ARRIVALS = { %s }
return {
  name = "ahead", model = "slotted",
  params = {
    k = { default = 0, min = 0, doc = "slots that it sees ahead" },
    wait = { default = 0, min = 0, doc = "slots that the reduce of job 1 waits after its map" },
  },
  state = { "next", "mapped" },
  orders = { first = { by = "arrival", jobs = "unfinished", walk = true } },
  slot = function(s)
    local now, waiting = s:slot(), false
    while ARRIVALS[s.state.next + 1] and ARRIVALS[s.state.next + 1] <= now do s.state.next = s.state.next + 1 end
    for job in s:by "first" do waiting = waiting or s:id(job) > 1 end
    local seen = ARRIVALS[s.state.next + 1] and ARRIVALS[s.state.next + 1] <= now + s.params.k
    for job in s:by "first" do
      local is_first, maps = s:id(job) == 1, s:in_maps(job)
      if is_first and maps then s.state.mapped = now end
      local held = is_first and not maps
          and (waiting or seen or now <= s.state.mapped + s.params.wait)
      if not held then s:give(job, math.min(s:offer(job), s:idle())) end
    end
  end,
}]]

local function run(jobs, k, wait)
    local arrivals = {}
    for i, job in ipairs(jobs) do arrivals[i] = job.arrival end
    return papers.run { machines = 1, reduce = "nonpreemptive", workload = jobs, bounds = "none",
        policy = pinion.policy(string.format(SOURCE, table.concat(arrivals, ", "))),
        params = { k = k, wait = wait } }
end

---Runs the adversary against a scheduler that sees k slots ahead. The small jobs arrive k slots
---later than the paper's, so that the reduce starts before the scheduler sees the first of them.
---@return integer total, integer best total flow time of the paper's clairvoyant schedule
---@return string case
---@return string digest
function M.duel(c0, small, k, wait)
    local alone = run({ example.first_job(small) }, k, wait).jobs[1]
    local h, l = alone.map_finish - 1, alone.finish - 2 * small - alone.map_finish
    local jobs, case = example.adversary(h, l, c0, small)
    for i = 2, #jobs do jobs[i].arrival = jobs[i].arrival + k end
    local result = run(jobs, k, wait)
    return result.total_flow_time, example.clairvoyant(jobs, h, case), case, result.digest
end

local C0, AHEAD = { 2, 3, 5 }, { 0, 10, 100 }

-- Slots that the reduce waits: none, as many as are seen, and more than Case II allows.
local function waits(c0, small, k)
    return { 0, k + small, 2 * (c0 - 1) * (small + 1) + 2 }
end

local function duel_rows()
    local rows = {}
    for _, k in ipairs(AHEAD) do
        for _, c0 in ipairs(C0) do
            local small = c0 * c0 + 2 * c0 + 1 + k
            for _, wait in ipairs(waits(c0, small, k)) do
                local total, best, case, digest = M.duel(c0, small, k, wait)
                rows[#rows + 1] = { k = k, c0 = c0, jobs = small, wait = wait, case = case,
                    total = total, best = best, ratio = total / best, digest = digest }
            end
        end
    end
    return rows
end

local DUEL_COLUMNS = {
    { key = "k", title = "k", right = true }, { key = "c0", title = "c0", right = true },
    { key = "jobs", title = "Q", right = true }, { key = "wait", title = "waits", right = true },
    { key = "case", title = "case" }, { key = "total", title = "total", right = true },
    { key = "best", title = "S1 or S2", right = true },
    { key = "ratio", title = "ratio", right = true,
        show = function(value) return text.number(value, 2) end },
    { key = "digest", title = "digest" },
}

local function judge_duels(section, rows)
    local beaten, least = 0, math.huge
    for _, row in ipairs(rows) do
        beaten = beaten + (row.total > row.c0 * row.best and 1 or 0)
        least = math.min(least, row.ratio / row.c0)
    end
    section:claim {
        label = "no constant ratio with look-ahead", where = "Section IV",
        claim = "\"[E]ven if the scheduler only knows a limited amount of future information, it "
            .. "can still be shown that no constant competitive ratio will hold by increasing the "
            .. "value of Q.\"",
        paper = "stated",
        ours = string.format("more than c0 times S1 or S2 in %d of %d cases, at least %.3f c0",
            beaten, #rows, least),
        verdict = papers.universal(#rows - beaten),
        because = "exact: k = 0, 10 and 100 slots, Q = c0^2 + 2 c0 + 1 + k, and three waits",
    }
end

-- ---- a fixed Q ----------------------------------------------------------------------------------

local FIXED, FIXED_AHEAD = 36, { 0, 18, 36, 54, 72, 144 }

local function fixed_rows()
    local rows = {}
    for i, k in ipairs(FIXED_AHEAD) do
        local total, best, _, digest = M.duel(5, FIXED, k, 0)
        rows[i] = { k = k, total = total, best = best, ratio = total / best, digest = digest }
    end
    return rows
end

local function judge_fixed(section, rows)
    local first, enough, falls = rows[1], true, true
    for i, row in ipairs(rows) do
        if row.k >= 2 * FIXED then enough = enough and row.total <= row.best end
        falls = falls and (i == 1 or row.ratio < rows[i - 1].ratio)
    end
    section:claim {
        label = "ours: Q must grow with the look-ahead", where = "not in the paper",
        claim = "For a fixed Q this adversary is harmless to a scheduler that sees the 2Q slots "
            .. "in which the reduce runs.",
        paper = "-",
        ours = string.format("Q = %d: %.2f times S2 without look-ahead, and %.2f, %.2f, %.2f, "
            .. "%.2f and %.2f times with 18, 36, 54, 72 and 144 slots", FIXED, first.ratio,
            rows[2].ratio, rows[3].ratio, rows[4].ratio, rows[5].ratio, rows[6].ratio),
        verdict = experiment.verdict((enough and 1 or 0) + (falls and 1 or 0), 2),
        because = "exact: the ratio falls with k, and from k = 2Q on the total is not above that "
            .. "of S2, which waits for the small jobs",
    }
end

-- ---- the efficiency ratio -----------------------------------------------------------------------

local LOAD, SEEDS, MARGIN = 0.5, 40, 0.05
local SLOTS = { 50000, 200000 }
-- FAIR is FIFO here: one machine serves one job at a time.
local POLICIES = { "fifo", "lrpt", "asrpt" }

-- Half of the load is of jobs such as the small ones, half of jobs such as the first.
local WORKS = {
    { title = "2Q + 1, Q = 9", small = 9 }, { title = "2Q + 1, Q = 36", small = 36 },
    { title = "Exp(2Q + 1), Q = 9", small = 9, is_random = true },
}

local function workload(work, slots)
    local large = 2 * work.small + 1
    return { model = "slotted", generate = function(g)
        for slot = 1, slots do
            for _ = 1, g:poisson(LOAD / 4) do
                g:job { arrival = slot, maps = 1, reduces = { 1 } }
            end
            for _ = 1, g:poisson(LOAD / 2 / (large + 1)) do
                local size = work.is_random and g:draw(string.format("exp(%d)", large)) or large
                g:job { arrival = slot, maps = 1, reduces = { size } }
            end
        end
    end }
end

local function cells_of(context, work)
    local cells = {}
    papers.over(SLOTS, function(slots)
        cells[slots] = runs.cell(context, {
            label = string.format("lookahead %s, T = %d", work.title, slots),
            workload = workload(work, slots), machines = 1, reduce = "nonpreemptive",
            policies = POLICIES, seeds = runs.scaled(context, SEEDS),
        })
    end)
    return cells
end

local function ratio_row(context, work, policy, cells)
    local short, long = cells[SLOTS[1]], cells[SLOTS[2]]
    local before, after = runs.ratios(short, policy, "lower"), runs.ratios(long, policy, "lower")
    local changes = {}
    for seed = 1, long.seeds do changes[seed] = after[seed] / before[seed] - 1 end
    local mean, change = experiment.summary(after), experiment.summary(changes)
    return { work = work.title, policy = policy, before = experiment.summary(before).mean,
        mean = mean.mean, half = mean.half, change = 100 * change.mean,
        change_half = 100 * change.half, same = experiment.within(change, MARGIN),
        seeds = long.seeds, seed = context.seed, digest = long.digest[policy] }
end

local function ratio_rows(context)
    local rows = {}
    papers.over(WORKS, function(work)
        local cells = cells_of(context, work)
        for _, policy in ipairs(POLICIES) do
            rows[#rows + 1] = ratio_row(context, work, policy, cells)
        end
    end)
    return rows
end

local RATIO_COLUMNS = {
    { key = "work", title = "reduce of a large job" },
    { key = "policy", title = "policy", show = function(value) return runs.NAMES[value] end },
    { key = "before", title = "T = " .. SLOTS[1], right = true,
        show = function(value) return text.number(value, 2) end },
    { key = "mean", title = "T = " .. SLOTS[2], right = true, show = function(value, row)
        return string.format("%.2f ± %.2f", value, row.half)
    end },
    { key = "half" },
    { key = "change", title = "change, %", right = true, show = function(value, row)
        return string.format("%+.1f ± %.1f", value, row.change_half)
    end },
    { key = "change_half" }, { key = "same" }, { key = "seeds" }, { key = "seed" },
    { key = "digest", title = "digest" },
}

-- A constant exists where one policy has one; the paper's are all that are work-conserving.
local function vote_of(rows, work)
    local unlike = true
    for _, row in ipairs(rows) do
        if row.work == work.title then
            if row.same then return true end
            unlike = unlike and row.same == false
        end
    end
    if unlike then return false end
end

local function judge_ratios(section, rows)
    local votes, same, changed, least, most = papers.votes(), 0, 0, math.huge, 0
    for _, work in ipairs(WORKS) do papers.vote(votes, vote_of(rows, work)) end
    for _, row in ipairs(rows) do
        same, changed = same + (row.same and 1 or 0), changed + (row.same == false and 1 or 0)
        least, most = math.min(least, row.mean), math.max(most, row.mean)
    end
    section:claim {
        label = "a constant efficiency ratio exists", where = "Section IV, after Definition 2",
        claim = "\"[F]or the quick example, a constant efficiency ratio γ still can exist (e.g., "
            .. "the non-preemptive scenario with light-tailed distributed Reduce workload\".",
        paper = "by Theorem 3",
        ours = string.format("mean ratios of %.2f to %.2f to the SRPT bound at T = %d", least,
            most, SLOTS[2]),
        verdict = papers.verdict(votes),
        because = string.format("some policy's ratio is the same up to %g %% at T = %d and %d "
            .. "beyond doubt with %d of %d kinds of reduces; so are %d of all %d ratios, and %d "
            .. "are not", 100 * MARGIN, SLOTS[1], SLOTS[2], votes.held, #WORKS, same, #rows,
            changed),
    }
end

-- ---- the section --------------------------------------------------------------------------------

local function run_section(context)
    local section = papers.section("lookahead", TITLE, "Section IV", {
        "The jobs of the Quick Example, against schedulers that see k slots ahead: they start the "
            .. "reduce of job 1 when no other job waits, the wait after its map is over, and no "
            .. "job arrives in the next k slots. The adversary delays the small jobs by k slots.",
        string.format("Efficiency ratio: jobs of 1 map and 1 reduce, and jobs of 1 map and a "
            .. "reduce of 2Q + 1 or of an exponential size with this mean, rounded up, each with "
            .. "half of a load of %g; Poisson arrivals, N = 1, not preemptive.", LOAD),
    })
    local duels, fixed, ratios = duel_rows(), fixed_rows(), ratio_rows(context)
    section:table("lookahead", "Against a scheduler that sees k slots ahead:", DUEL_COLUMNS, duels)
    section:table("lookahead_fixed", string.format("Q = %d:", FIXED), {
        DUEL_COLUMNS[1], DUEL_COLUMNS[6], DUEL_COLUMNS[7], DUEL_COLUMNS[8], DUEL_COLUMNS[9],
    }, fixed)
    section:table("lookahead_ratios", "Ratios to the SRPT bound, jobs at random:", RATIO_COLUMNS,
        ratios)
    judge_duels(section, duels)
    judge_fixed(section, fixed)
    judge_ratios(section, ratios)
    return section
end

M.lookahead = { name = "lookahead", title = TITLE, run = run_section }

return M
