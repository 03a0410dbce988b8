-- Misprints and unclear points of Tian, Luo, Tian, Chen beside those that the other sections meet,
-- each with what a run or a computation here shows of it.

local papers = require "shared.papers"
local reference = require "tian.reference"
local runs = require "tian.runs"

local M = {}

local TITLE = "Errata and unclear points"

-- Both kinds of job as the text defines them.
local function kinds()
    local maps, reduces = 0, 0
    for _, job in ipairs(reference.table1.jobs) do
        if job.map_time < job.reduce_time then maps = maps + 1 end
        if job.map_time > job.reduce_time then reduces = reduces + 1 end
    end
    return string.format(
        "of Table 1's jobs %d have shorter maps and %d shorter reduces; as printed no job is of "
        .. "reduce type alone", maps, reduces), reduces > 0
end

-- Which jobs the second pool must hold for its 40.
local function second_pool()
    local function finish(jobs)
        local others = {}
        for id = 1, #reference.table1.jobs do
            local here = false
            for _, job in ipairs(jobs) do here = here or job == id end
            if not here then others[#others + 1] = id end
        end
        local result = runs.run { policy = "fixed_pools", maps = reference.table1.slots,
            jobs = reference.table1.jobs,
            level = "task",
                                  params = { pools = { { nodes = 10, jobs = others },
                                      { nodes = 20, jobs = jobs } } } }
        return runs.finish(result, jobs)
    end
    local printed, meant = finish { 2, 3 }, finish { 3, 4 }
    return string.format("with J2 and J3 pool 2 ends at %s, with J3 and J4 at %s", printed, meant),
        meant == runs.exact(reference.table1.makespan.pool2.paper) and meant ~= printed
end

-- Durations on 4 nodes by job.
local function order_of_pairs()
    local slots, parts, right = 4 * reference.nodes.slots, {}, true
    for job, given in ipairs(reference.nodes.jobs) do
        local map, reduce = runs.fluid(given, slots)
        parts[job] = string.format("J%d (%s, %s)", job, map, reduce)
        right = right and map == runs.exact(reference.nodes[4].fluid[job][1])
    end
    return table.concat(parts, ", "), right
end

-- The makespan of an order by formula (7) as printed, a sum of two maxima, and as it must be.
local function formulas(jobs, order)
    local maps, reduces, most, sum_map, rest = runs.exact(0), runs.exact(0), nil, runs.exact(0),
        runs.exact(0)
    for _, id in ipairs(order) do
        maps, reduces = maps + jobs[id].map_time, reduces + jobs[id].reduce_time
    end
    rest = reduces
    for _, id in ipairs(order) do
        sum_map = sum_map + jobs[id].map_time
        local value = sum_map + rest
        if not most or most < value then most = value end
        rest = rest - jobs[id].reduce_time
    end
    return maps + reduces, most
end

local function two_maxima()
    local jobs = reference.table1.jobs
    local result = runs.run { policy = "mk_jr", maps = reference.table1.slots, jobs = jobs }
    local printed, meant = formulas(jobs, result.order)
    local makespan = runs.makespan(result)
    return string.format("Table 1 by MK_JR: printed %s, with one maximum over k %s, makespan %s",
        printed, meant, makespan),
        meant == makespan and printed ~= makespan
end

-- Jobs on which the two rules for ties differ.
local TIES = { { map_time = 5, reduce_time = 1 }, { map_time = 4, reduce_time = 1 },
    { map_time = 3, reduce_time = 3 } }

local function ties()
    local function order(tie)
        local result = runs.run { policy = "johnson", maps = 1, jobs = TIES,
            params = { tie = tie } }
        return runs.order_text(result.order), runs.makespan(result),
            runs.value(result, "total_completion_time")
    end
    local alg, alg_end, alg_total = order "alg21"
    local mk, mk_end, mk_total = order "mkjr"
    return string.format(
        "jobs (5,1), (4,1), (3,3): Algorithm 2.1 %s, MK_JR %s; makespan %s and %s, total "
        .. "completion time %s and %s",
        alg, mk, alg_end, mk_end, alg_total, mk_total), alg ~= mk and alg_end == mk_end
end

-- With stage times of work / slots, as (7) gives for the other work, MK_JR is UAAS.
local function attribution()
    local params = { estimate = "fluid", stage_time = "fluid" }
    local mk_jr = runs.run { policy = "mk_jr", maps = reference.table1.slots,
        jobs = reference.table1.jobs, params = params }
    local uaas = runs.run { policy = "uaas", maps = reference.table1.slots,
        jobs = reference.table1.jobs }
    return string.format("with such times MK_JR gives %s and %s, UAAS %s and %s",
        runs.order_text(mk_jr.order),
        runs.makespan(mk_jr), runs.order_text(uaas.order), runs.makespan(uaas)),
        runs.same_order(mk_jr.order, uaas.order) and runs.makespan(mk_jr) == runs.makespan(uaas)
end

-- `show` gives what is found and whether it confirms the erratum.
---@type pinion.Erratum[]
local ERRATA = {
    { label = "E1: reduce type jobs", where = "Section 2",
      printed = "reduce type jobs have longer reduce durations than map durations",
      meant = "shorter: as printed both classes are the same", show = kinds },
    { label = "E2: jobs of pool 2", where = "Section 3, Example 1",
        printed = "J2 and J3 (longer jobs) are with Pool2",
      meant = "J3 and J4", show = second_pool },
    { label = "E3: order of the pairs", where = "Section 3, 4 nodes",
      printed = "J2-J1 have (11.25,1.25) and (11,1.875) respectively",
      meant = "the pairs are those of J1, then of J2", show = order_of_pairs },
    { label = "E4: two maxima", where = "Formulas (3) and (7)",
        printed = "max_k sum_{i<=k} T^M_i + max_k sum_{i>=k} T^R_i",
      meant = "max_k (sum_{i<=k} T^M_i + sum_{i>=k} T^R_i)", show = two_maxima },
    { label = "E5: ties", where = "Algorithm 2.1, MK_JR",
        printed = "both order jobs by Johnson's rule",
      meant = "true of the makespan of stages; of equal durations they make different orders",
      show = ties, stands = true },
    { label = "E6: whose estimate", where = "Formula (7)",
        printed = "stage time = work / slots is taken from the work on MK_JR",
      meant = "then MK_JR and UAAS are the same rule; Table 1 gives MK_JR other times: open "
          .. "without that work",
      show = attribution, open = true },
    { label = "E7: citations", where = "throughout",
      printed = "Table 1 is from [2], or [1]; \"MK_JR in [1]\"; two works are [15]; \"USSA\"; "
          .. "J_i requests S^M x S^R",
      meant = "[17] for MK_JR; UAAS; slots of a job, not of the cluster" },
}

local function run_errata(context)
    local section = papers.section("errata", TITLE, "throughout", {
        "What the paper prints and what must be meant. A verdict is on what is printed. Numbers "
            .. "that are wrong are in the "
            .. "sections on Table 1, on the nodes, and on Theorem 2.",
    })
    papers.errata(section, ERRATA, context)
    return section
end

M.errata = { name = "errata", title = TITLE, run = run_errata }

return M
