-- The Quick Example of Zheng, Shroff, Sinha (2013), Section IV: on one machine, no on-line
-- scheduler has a constant competitive ratio when reduces cannot be interrupted. Every policy is
-- met by the jobs that the paper's adversary chooses for it.

local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "zheng.reference"
local runs = require "zheng.runs"
local text = require "shared.text"

local M = {}

local function run(policy, reduce, jobs)
    return pinion.run { machines = 1, reduce = reduce, policy = policy, workload = jobs,
        quiet = true }
end

---One map, one reduce task of 2Q + 1.
function M.first_job(small)
    return { arrival = 1, maps = 1, reduces = { 2 * small + 1 } }
end

---What a policy does with the first job alone: H idle slots before its map, L slots from there to
---its reduce.
local function delays(policy, small)
    local job = run(policy, "nonpreemptive", { M.first_job(small) }).jobs[1]
    local reduce_start = job.finish - 2 * small
    return job.map_finish - 1, reduce_start - job.map_finish
end

---The adversary's answer: nothing more in Case I; in Case II, Q jobs of one map and one reduce, in
---slots H + L + 2, H + L + 4, …
function M.adversary(h, l, c0, small)
    local jobs = { M.first_job(small) }
    if h + l > 2 * (c0 - 1) * (small + 1) + 1 then return jobs, "I" end
    for k = 1, small do jobs[k + 1] = { arrival = h + l + 2 * k, maps = 1, reduces = { 1 } } end
    return jobs, "II"
end

---The paper's clairvoyant schedule, slot by slot on the one machine: S1 runs the first job at once;
---S2 runs its map in slot H + 1, then the small jobs as they come, and its reduce at last.
---@return integer total flow time, integer finish of the first job
function M.clairvoyant(jobs, h, case)
    local free, total = case == "I" and 1 or h + 1, 0 -- the next free slot
    local map_of_first = free
    free = free + 1
    for i = 2, #jobs do
        local map = math.max(free, jobs[i].arrival)
        free = map + 2 -- its reduce in the slot behind
        total = total + map + 1 - jobs[i].arrival + 1
    end
    local start = math.max(free, map_of_first + 1)
    local finish = start + jobs[1].reduces[1] - 1
    return total + finish - jobs[1].arrival + 1, finish
end

local function feasible_policies()
    local names = {}
    for _, policy in ipairs(pinion.policies "slotted") do
        if policy.nonpreemptive and not policy.relaxed then names[#names + 1] = policy.name end
    end
    return names
end

local TITLE = "The Quick Example: no constant competitive ratio without preemption"

local function run_section(_)
    local section = papers.section("example", TITLE, "Section IV, Eqs. 5 and 6, Fig. 1", {
        "N = 1. A job of 1 map and one reduce task of 2Q + 1 arrives in slot 1; a scheduler "
            .. "runs the map after H slots and "
            .. "starts the reduce L slots later. Case I, H + L > 2 (c0 - 1)(Q + 1) + 1: nothing "
                .. "else arrives. Case II: Q jobs "
            .. "of 1 map and 1 reduce arrive in slots H + L + 2, H + L + 4, ...",
        "Q is the smallest integer above c0^2 + 2 c0. H and L are measured on each policy, "
            .. "which then meets the jobs chosen for "
            .. "it. S2 is the paper's clairvoyant schedule, which lets the small jobs go first. "
                .. "All numbers are exact.",
    })
    local columns = {
        { key = "policy", title = "policy",
            show = function(value) return runs.NAMES[value] or value:upper() end },
        { key = "h", title = "H", right = true, show = text.amount },
        { key = "l", title = "L", right = true,
            show = text.amount },
        { key = "case", title = "case" },
    }
    local rows, beaten, cases, least = {}, 0, 0, math.huge
    for i, policy in ipairs(feasible_policies()) do
        local row = { policy = policy }
        for _, known in ipairs(reference.example) do
            local c0, small = known.c0, known.jobs
            local h, l = delays(policy, small)
            local jobs, case = M.adversary(h, l, c0, small)
            local result = run(policy, "nonpreemptive", jobs)
            local best = M.clairvoyant(jobs, h, case)
            local prefix = "c" .. c0 .. "_"
            row.h, row.l, row.case = h, l, case
            row[prefix .. "jobs"], row[prefix .. "total"], row[prefix .. "best"] = small,
                result.total_flow_time, best
            row[prefix .. "ratio"], row[prefix .. "digest"] = result.total_flow_time / best,
                result.digest
            cases = cases + 1
            if result.total_flow_time > c0 * best then beaten = beaten + 1 end
            least = math.min(least, result.total_flow_time / best / c0)
            if policy == "fifo" then
                section:compare(string.format("c0 = %d, FIFO", c0), result.total_flow_time,
                    known.total, 0)
                section:compare(string.format("c0 = %d, S2", c0), best, known.best, 0)
            elseif policy == "lrpt" and known.lrpt_ratio then
                section:compare(string.format("c0 = %d, LRPT over S2", c0),
                    result.total_flow_time / best, known.lrpt_ratio,
                    0.005)
            end
        end
        rows[i] = row
    end
    for _, known in ipairs(reference.example) do
        local prefix = "c" .. known.c0 .. "_"
        columns[#columns + 1] = { key = prefix .. "jobs" }
        columns[#columns + 1] = { key = prefix .. "total",
            title = string.format("c0=%d, Q=%d: total", known.c0, known.jobs),
            right = true, show = text.amount }
        columns[#columns + 1] = { key = prefix .. "best", title = "S2", right = true,
            show = text.amount }
        columns[#columns + 1] = { key = prefix .. "ratio", title = "ratio", right = true,
            show = function(value) return text.number(value, 2) end }
        columns[#columns + 1] = { key = prefix .. "digest" }
    end
    section:table("example", nil, columns, rows)
    local first = reference.example[1]
    local jobs = M.adversary(0, 1, first.c0, first.jobs)
    local preemptive = run("asrpt", "preemptive", jobs)
    section:compare("preemptive ASRPT, c0 = 2", preemptive.total_flow_time, first.srpt, 0)
    section:compare("SRPT bound, c0 = 2", preemptive.lower_bound, first.srpt, 0)
    local theirs, ours = {}, {}
    for i, known in ipairs(reference.example) do
        theirs[i] = string.format("c0 = %d: %d over %d = %.2f", known.c0, known.total, known.best,
            known.total / known.best)
        local prefix = "c" .. known.c0 .. "_"
        local low, high = math.huge, 0
        for _, row in ipairs(rows) do low, high = math.min(low, row[prefix .. "ratio"]),
            math.max(high, row[prefix
            .. "ratio"]) end
        ours[i] = string.format("c0 = %d: %.2f to %.2f", known.c0, low, high)
    end
    section:claim {
        label = "no constant competitive ratio", where = "Section IV",
        claim = "For any c0 and any scheduler there are jobs for which its total flow time is "
            .. "more than c0 times the best.",
        paper = "a ratio above Q / (c0 + 2) > c0",
        reference = table.concat(theirs, "; ") .. string.format("; LRPT %.2f for c0 = %d",
            first.lrpt_ratio, first.c0),
        ours = string.format("ratio to S2 over %d policies: %s", #rows, table.concat(ours, "; ")),
        verdict = papers.universal(cases - beaten),
        because = string.format(
            "%d of %d totals are more than c0 times that of S2, at least %.2f c0", beaten, cases,
            least),
    }
    section:note(
        "A work-conserving policy has H = 0 and L = 1, so that it always meets Case II. With "
        .. "preemption the example is harmless: ASRPT takes %d for c0 = %d, "
        .. "which is the SRPT bound (%d).",
        preemptive.total_flow_time, first.c0,
        preemptive.lower_bound)
    return section
end

M.example = { name = "example", title = TITLE, run = run_section }

return M
