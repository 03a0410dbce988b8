-- Total completion time, which is the total flow time of a batch: the next step that Tian, Luo,
-- Tian and Chen name. What is optimal, a bound, and policies beside it.
--
-- Two stages and the sum of completions: NP-hard even with one machine for each (Garey, Johnson,
-- Sethi 1976); with one stage alone, the shortest job first is optimal (Smith 1956).

local page = require "shared.page"
local papers = require "shared.papers"
local pinion = require "pinion"
local runs = require "tian.runs"
local text = require "shared.text"
local tiny = require "tian.tiny"

local M = {}

local FAMILIES = { "rand_many", "rand_few", "one_wave", "t1_like", "straggler" }
local POLICIES = { { "uaas", "UAAS" }, { "portfolio", "portfolio" }, { "spt", "shortest first" },
    { "insertion", "insertion" } }

-- ---- the bound ----------------------------------------------------------------------------------

-- Work and longest task of a stage: durations and numbers of tasks of one, or such an entry alone.
local function stage_of(tasks)
    local work, most = 0, 0
    for _, task in ipairs(tasks and tasks.count and { tasks } or tasks or {}) do
        local count, duration = 1, task
        if type(task) == "table" then count, duration = task.count, task.duration end
        duration = runs.exact(duration):number()
        work, most = work + count * duration, math.max(most, duration)
    end
    return work, most
end

---No schedule has a smaller total of completions. Let all slots of a kind be one machine: the maps
---of the k jobs that are mapped first end after the k smallest map works together, and each job
---then needs its longest reduce, and its reduce work over all slots; the same with reduces, of
---which none starts before the shortest map stage is over. And no job ends before it could alone.
---@param jobs table[]
---@param maps integer slots
---@param reduces integer
---@return number
function M.bound(jobs, maps, reduces)
    local mapped, reduced, alone, tail, head = {}, {}, 0.0, 0.0, math.huge
    for i, job in ipairs(jobs) do
        local map, longest_map = stage_of(job.maps)
        local reduce, longest_reduce = stage_of(job.reduces)
        mapped[i], reduced[i] = map / maps, reduce / reduces
        local first = math.max(mapped[i], longest_map)
        local second = math.max(reduced[i], longest_reduce)
        alone, tail, head = alone + first + second, tail + second, math.min(head, first)
    end
    local function total_of(times)
        table.sort(times)
        local sum, total = 0.0, 0.0
        for _, time in ipairs(times) do
            sum = sum + time
            total = total + sum
        end
        return total
    end
    return math.max(total_of(mapped) + tail, total_of(reduced) + #jobs * head, alone)
end

-- ---- random batches -----------------------------------------------------------------------------

local function total(policy, jobs, maps, reduces, params)
    local result = runs.run { policy = policy, maps = maps, reduces = reduces,
        jobs = jobs, level = "task", params = params, bounds = "none" }
    return runs.value(result, "total_completion_time"):number(), result.digest
end

local function measure(context, family, seed)
    local workload = pinion.workload.spec(family)
    local slots = workload:default_settings()
    local jobs = workload:jobs { seed = 1000 * context.seed + seed }
    local made, folded = {}, papers.DIGEST_START
    local bound = M.bound(jobs, slots.map_slots, slots.reduce_slots)
    for _, policy in ipairs(POLICIES) do
        local sum, digest = total(policy[1], jobs, slots.map_slots, slots.reduce_slots)
        made[policy[1]], folded = sum / bound, papers.fold(folded, digest)
    end
    made.digest = papers.digest_text(folded)
    return made
end

local function points_of(context)
    local values = papers.each(context, "completion", #FAMILIES * context.seeds, function(task)
        local f, seed = (task - 1) // context.seeds + 1, (task - 1) % context.seeds + 1
        return measure(context, FAMILIES[f], seed)
    end, "batch")
    local points = {}
    for _, policy in ipairs(POLICIES) do
        for f, family in ipairs(FAMILIES) do
            points[#points + 1] = page.fill({
                curve = policy[2], policy = policy[1], x = f, at = family,
            }, context.seeds, function(seed)
                local value = values[(f - 1) * context.seeds + seed]
                return value[policy[1]], value.digest
            end)
        end
    end
    return points
end

-- Insertion against UAAS and against the shortest first, batch by batch.
local function judge(votes, points)
    local by = {}
    for _, point in ipairs(points) do by[point.policy .. point.at] = point end
    for _, family in ipairs(FAMILIES) do
        for _, other in ipairs { "uaas", "spt" } do
            local apart = {}
            for seed, ratio in ipairs(by["insertion" .. family].values) do
                apart[seed] = ratio - by[other .. family].values[seed]
            end
            papers.vote(votes, papers.is_less(pinion.experiment.summary(apart)))
        end
    end
    return string.format("smaller beyond doubt than UAAS's and than the shortest first's in %d of "
        .. "%d cases, larger in %d", votes.held, 2 * #FAMILIES, votes.failed)
end

-- ---- against the optimum ------------------------------------------------------------------------

-- All orders of so many jobs at most are tried.
local JOBS_MOST, INSTANCES = 4, 400

-- Calls `found` with every order of 1..count.
local function each_order(count, found)
    local order, used = {}, {}
    local function extend()
        if #order == count then return found(order) end
        for id = 1, count do
            if not used[id] then
                used[id] = true
                order[#order + 1] = id
                extend()
                order[#order], used[id] = nil, nil
            end
        end
    end
    extend()
end

local function try_orders(instance)
    local best = math.huge
    each_order(#instance.jobs, function(order)
        local sum = total("given_order", instance.jobs, instance.maps, instance.reduces,
            { order = table.move(order, 1, #order, 1, {}) })
        best = math.min(best, sum)
    end)
    return best
end

local COUNTED = { "spt", "insertion", "uaas" }

local function try_instances(context)
    local parts = papers.each(context, "optimum", INSTANCES, function(number)
        local instance = tiny.instance(context.seed, number)
        while #instance.jobs > JOBS_MOST do table.remove(instance.jobs) end
        local best = try_orders(instance)
        local bound = M.bound(instance.jobs, instance.maps, instance.reduces)
        local made = { below = best < bound - 1e-9, bound = bound / best }
        for _, policy in ipairs(COUNTED) do
            made[policy] = total(policy, instance.jobs, instance.maps, instance.reduces) / best
        end
        return made
    end, "instance")
    local found = { below = 0, bound = 0.0 }
    for _, policy in ipairs(COUNTED) do found[policy] = { optimal = 0, worst = 1.0 } end
    for _, part in ipairs(parts) do
        found.below = found.below + (part.below and 1 or 0)
        found.bound = found.bound + part.bound / #parts
        for _, policy in ipairs(COUNTED) do
            local of = found[policy]
            of.optimal = of.optimal + (part[policy] <= 1 + 1e-9 and 1 or 0)
            of.worst = math.max(of.worst, part[policy])
        end
    end
    return found
end

local function add_optimum(section, context)
    local found, rows = try_instances(context), {}
    for i, policy in ipairs(COUNTED) do
        local of = found[policy]
        rows[i] = { policy = policy, optimal = 100 * of.optimal / INSTANCES, worst = of.worst }
    end
    section:table("completion_tiny", string.format(
        "%d tiny instances of at most %d jobs, against the best of all orders:", INSTANCES,
        JOBS_MOST), {
        { key = "policy", title = "policy" },
        { key = "optimal", title = "optimal %", right = true,
            show = function(value) return text.number(value, 1) end },
        { key = "worst", title = "worst ratio", right = true,
            show = function(value) return text.number(value, 3) end },
    }, rows)
    section:compare("instances whose best order is below the bound", found.below, 0, 0)
    section:claim {
        label = "ours: the bound on completions", where = "not in the paper",
        claim = "No schedule's total of completions is below the bound.", paper = "-",
        reference = "proved",
        ours = string.format("below it in %d of %d tiny instances; it is %.1f %% of the best "
            .. "order's total on average", found.below, INSTANCES, 100 * found.bound),
        verdict = papers.universal(found.below), because = "every order of every instance",
    }
    section:claim {
        label = "ours: shortest first need not be optimal", where = "not in the paper",
        claim = "With two stages the shortest job first is not always optimal, nor is insertion.",
        paper = "-", reference = "NP-hard: Garey, Johnson, Sethi 1976",
        ours = string.format("optimal among all orders: shortest first %.1f %%, insertion %.1f %%, "
            .. "UAAS %.1f %%; at worst %.3f, %.3f and %.3f times the best", rows[1].optimal,
            rows[2].optimal, rows[3].optimal, rows[1].worst, rows[2].worst, rows[3].worst),
        verdict = runs.verdict(found.spt.optimal < INSTANCES
            and found.insertion.optimal < INSTANCES),
        because = "counterexamples",
    }
end

local inner = page.page {
    name = "completion", title = "Beyond the paper: total completion time",
    label = "insertion beats UAAS and the shortest first",
    claim = "Inserting each job where the total of completions is least makes it smaller than "
        .. "UAAS's order does, and smaller than the shortest job first does.",
    method = {
        "All jobs are there at time 0, so that total completion and total flow time are the same; "
            .. "whole tasks; five families of random batches. Totals are over a bound: maps as one "
            .. "machine, shortest work first, and then each job's own reduces; or reduces so, "
            .. "after the shortest map stage; or every job alone.",
    },
    quantity = "total of completions over the bound", axis = "family", limit = 1, less = false,
    decimals = 3, categories = true, points = points_of, judge = judge,
}

M.completion = { name = inner.name, title = inner.title, run = function(context)
    local section = inner.run(context)
    add_optimum(section, context)
    return section
end }

return M
