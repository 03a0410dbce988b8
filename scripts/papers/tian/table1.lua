-- Table 1 and Example 1 of Tian, Luo, Tian, Chen: five jobs under MK_JR, UAAS and BalancedPools
-- (Figures 1 and 2), and what the best order, the best pools and the best schedule would give.

local papers = require "shared.papers"
local reference = require "tian.reference"
local runs = require "tian.runs"

local M = {}

local TITLE = "Table 1 and Example 1: five jobs on 30 x 30 slots"

local known = reference.table1

local function given(policy, level, params)
    return { policy = policy, maps = known.slots, jobs = known.jobs, level = level,
        params = params }
end

-- Every rule of sharing under which MK_JR could be meant.
local MODES = {
    { share = "conserving", cap = "requested" }, { share = "conserving", cap = "none" },
    { share = "exclusive",
        cap = "requested" },
    { share = "exclusive", cap = "none" },
}

-- Terms of formula (1)-(2): the sum of the reduce durations, and K_u.
local function formula(order)
    local sum_map, sum_reduce, k = runs.exact(0), runs.exact(0), {}
    for u, id in ipairs(order) do
        local map, reduce = runs.fluid(known.jobs[id], known.slots)
        sum_map = sum_map + map
        k[u] = sum_map - sum_reduce
        sum_reduce = sum_reduce + reduce
    end
    return sum_reduce, k
end

local function largest(values)
    local most = values[1]
    for _, value in ipairs(values) do
        if most < value then most = value end
    end
    return most
end

local function texts(values)
    local parts = {}
    for i, value in ipairs(values) do parts[i] = tostring(value) end
    return table.concat(parts, ", ")
end

local function makespans(section, context)
    local expected = known.makespan
    local found, rows = {}, {}
    local function add(key, what, result, value)
        found[key] = { result = result, makespan = value or runs.makespan(result) }
        rows[#rows + 1] = runs.line(section, what, found[key].makespan, expected[key], result)
    end
    add("mk_jr", "MK_JR, stage level", runs.run(given("mk_jr")))
    for _, mode in ipairs(MODES) do
        local result = runs.run(given("mk_jr", "task", mode))
        rows[#rows + 1] = runs.line(section,
            string.format("MK_JR, tasks, %s, %s", mode.share, mode.cap == "none" and "no cap"
            or "requested slots at most"), runs.makespan(result), { exact = expected.mk_jr.exact },
                result)
    end
    -- The figure has a stage wait for those before it.
    runs.drawn(context, section, "fig1", "Fig. 1: five jobs by MK_JR",
        given("mk_jr", "task", { share = "exclusive" }))
    add("uaas", "UAAS, fluid stages", runs.run(given("uaas")))
    local split = runs.drawn(context, section, "fig2", "Fig. 2: five jobs by UAAS",
        given("uaas", "task", { resplit = 1 }))
    rows[#rows + 1] = runs.line(section, "UAAS, every stage split into 30 tasks",
        runs.makespan(split),
        { exact = expected.uaas.exact }, split)
    add("as_is", "UAAS's order, tasks as they are", runs.run(given("uaas", "task")))
    local pools = runs.drawn(context, section, "balanced-pools",
        "BalancedPools: the paper's two pools",
        given("fixed_pools", "task", { pools = known.pools }))
    for i, pool in ipairs(known.pools) do
        local key = "pool" .. i
        add(key, string.format("BalancedPools, the paper's pool %d (%s)", i,
            runs.order_text(pool.jobs)), pools,
            runs.finish(pools, pool.jobs))
    end
    add("partition", "best of all partitions into two pools",
        runs.run(given("balanced_pools", "task",
        { bp_partition = "exhaustive" })))
    add("order", "best order", runs.run(given("optimal", "task")))
    add("optimum", "best schedule",
        runs.drawn(context, section, "optimum", "Example 1: a schedule that no other beats",
        given("exact", "task")))
    section:table("table1", "Makespan:", runs.LINE_COLUMNS, rows)
    return found
end

local function judge_numbers(section, found)
    local mk_jr, uaas = found.mk_jr, found.uaas
    section:claim {
        label = "47 by MK_JR", where = "Section 3, Example 1, Fig. 1",
        claim = "The total makespan by MK_JR is 47 units.",
        paper = known.makespan.mk_jr.paper, reference = known.makespan.mk_jr.exact
            .. " at the stage level and in all four modes "
            .. "of the task level",
        ours = string.format("%s, order %s", runs.show(mk_jr.makespan),
            runs.order_text(mk_jr.result.order)),
        verdict = runs.verdict(mk_jr.makespan == runs.exact(known.makespan.mk_jr.paper)),
        because = "exact",
    }
    local sum_reduce, k = formula(uaas.result.order)
    section:compare_exact("sum of reduce durations", sum_reduce, known.sum_reduce)
    for u, value in ipairs(k) do section:compare_exact("K_" .. u, value, known.k[u]) end
    local fluid, right = {}, true
    for i, printed in ipairs(known.paper_fluid) do
        local map, reduce = runs.fluid(known.jobs[printed.job], known.slots)
        right = right and map == runs.exact(printed.map) and reduce == runs.exact(printed.reduce)
        fluid[i] = string.format("J%d (%s, %s)", printed.job, map, reduce)
    end
    section:claim {
        label = "35 2/3 by UAAS", where = "Section 3, Example 1, Fig. 2",
        claim = "With all slots, J3 takes (20, 8/3) and J4 (4, 20); the total makespan is 35 "
            .. "2/3, with X1 = 1.",
        paper = known.makespan.uaas.printed, reference = known.makespan.uaas.exact
            .. ", of fluid stages or tasks split anew only",
        ours = string.format(
            "%s; %s; order %s; sum of reduce durations %s, K = (%s), X1 = %s; with the tasks as "
            .. "they are %s",
            runs.show(uaas.makespan), table.concat(fluid, ", "), runs.order_text(uaas.result.order),
            sum_reduce, texts(k),
                largest(k), runs.show(found.as_is.makespan)),
        verdict = runs.verdict(right and uaas.makespan == runs.exact(known.makespan.uaas.paper)
            and largest(k) == runs.exact(known.paper_x1)),
        because = string.format(
            "exact; it takes other tasks: those that J3 and J4 have gain %s over MK_JR",
            found.as_is.makespan == mk_jr.makespan and "nothing" or "something"),
    }
    section:claim {
        label = "39 and 40 by BalancedPools", where = "Section 3, Example 1",
        claim = "The makespan of Pool1 and Pool2 is 39 and "
            .. "40.",
        paper = known.makespan.pool1.paper .. " and " .. known.makespan.pool2.paper,
        reference = string.format("the same; best partition %s", known.makespan.partition.exact),
        ours = string.format("%s and %s; best of all partitions and sizes: %s",
            runs.show(found.pool1.makespan),
            runs.show(found.pool2.makespan), runs.show(found.partition.makespan)),
        verdict = runs.verdict(found.pool1.makespan == runs.exact(known.makespan.pool1.paper)
            and found.pool2.makespan == runs.exact(known.makespan.pool2.paper)), because = "exact",
    }
end

-- How much smaller UAAS's makespan is, and how much larger the other: what the paper prints is the
-- second, of a rounded 35 2/3.
local function judge_percentages(section, found)
    local uaas = found.uaas.makespan
    for _, entry in ipairs(known.smaller) do
        local other = found[entry.than].makespan
        local smaller, larger = (other - uaas) / other, (other - uaas) / uaas
        local rounded = runs.exact(known.paper_rounded)
        local printed = (other - rounded) / rounded
        section:claim {
            label = entry.printed .. " % smaller", where = "Section 3, Example 1",
            claim = string.format("UAAS's result is about %s %% smaller than %s.", entry.printed,
                other), paper = entry.printed
                .. " %",
            reference = "smaller by less; by so much the other is larger, with a makespan "
                .. "rounded to 35.67",
            ours = string.format(
                "smaller by %s; %s is larger by %s; with %s it is larger by %.2f %%",
                runs.percent(smaller),
                other, runs.percent(larger), known.paper_rounded, 100 * printed:number()),
            verdict = runs.verdict(runs.rounds_to(smaller, entry.printed)), because = "exact",
        }
    end
end

local function judge_optimality(section, found)
    local optimum, pools = found.optimum, found.pool2
    section:claim {
        label = "BalancedPools is suboptimal here", where = "Observation 4, Example 1",
        claim = "BalancedPools and MK_JR are suboptimal; UAAS has the optimal makespan.",
        paper = "40 against 35 2/3",
        reference = "with whole tasks 40 is optimal",
        ours = string.format(
            "no schedule of the tasks as they are ends before %s%s; BalancedPools ends at %s, "
            .. "the best order of "
            .. "all jobs (%s) at %s, UAAS's order at %s", runs.show(optimum.makespan),
            optimum.result.optimal
            and ", proved by search"
            or "", runs.show(pools.makespan), runs.order_text(found.order.result.order),
            runs.show(found.order.makespan),
            runs.show(found.as_is.makespan)),
        verdict = runs.verdict(optimum.makespan < pools.makespan),
        because = "of whole tasks BalancedPools' schedule is the best "
            .. "there is",
    }
end

local function run_table1(context)
    local section = papers.section("table1", TITLE,
            "Section 3, Example 1, Table 1, Figures 1 and 2", {
        "A job requests slots and gives the durations of its stages on these. With whole tasks "
            .. "a stage is as many tasks of that "
            .. "duration as it requests slots; UAAS's stages take their work divided by all slots.",
        "All numbers are exact. The decision log of each figure is beside it.",
    })
    local found = makespans(section, context)
    for _, entry in ipairs { { "mk_jr", known.order }, { "uaas", known.order },
            { "order", known.best_order } } do
        section:compare("order of " .. entry[1],
            runs.same_order(found[entry[1]].result.order, entry[2]) and 1 or 0, 1, 0)
    end
    judge_numbers(section, found)
    judge_percentages(section, found)
    judge_optimality(section, found)
    return section
end

M.table1 = { name = "table1", title = TITLE, run = run_table1 }

return M
