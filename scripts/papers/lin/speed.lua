-- Theorems 3 and 5 of Lin, Zhang, Wierman, Tan (2013): how much faster the stations have to be for
-- a policy to take no longer than any schedule at speed 1. Measured against a lower bound on every
-- schedule (ours), which asks for more than the theorems claim.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local reference = require "lin.reference"
local runs = require "lin.runs"
local tightness = require "lin.tightness"
local text = require "shared.text"

local M = {}

local TITLE = "Theorems 3 and 5: the speed at which a policy meets the bound"

local POLICIES = { "maxsrpt", "maxsrpt_strict", "splitsrpt", "split_empty", "split_none", "bsrpt",
    "xmax", "srptmap", "klps",
    "fcfs" }
local MAX, SPLIT = { maxsrpt = true, maxsrpt_strict = true },
    { splitsrpt = true, split_empty = true, split_none = true }

---Families of random instances: imbalances max(x/y, y/x) of all jobs from `low` to `high`.
---@type { low: number, high: number }[]
local FAMILIES = { { low = 1, high = 1.5 }, { low = 1, high = 5 }, { low = 1.5, high = 10 },
    { low = 5, high = 10 } }
local JOBS_LEAST, JOBS_MOST = 2, 12

-- Totals that should be equal may differ by rounding.
local SLACK = 1 + 1e-12
-- Speeds are found to this share; where they are nearly known, to more.
local PRECISION, TIGHT_PRECISION = 1e-3, 1e-4
-- No policy here needs more; the search would go on for ever with one that never meets the bound.
local SPEED_MOST = 64

local function exponential(mean)
    return -mean * math.log(1 - math.random())
end

-- Jobs that come while others are there, of very different sizes; half of them map-heavy.
local function random_instance(family)
    local jobs, time = {}, 0.0
    for i = 1, math.random(JOBS_LEAST, JOBS_MOST) do
        local imbalance = family.low * (family.high / family.low) ^ math.random()
        local longest = exponential(1) ^ 2 + 0.01
        local map_heavy = math.random(2) == 1
        jobs[i] = { arrival = time, map = map_heavy and longest or longest / imbalance,
                    shuffle = map_heavy and longest / imbalance or longest }
        time = time + exponential(0.5)
    end
    return jobs
end

local function total(label, jobs, speed, bounds)
    return runs.run(label, { workload = jobs, speed = speed, bounds = bounds or "none",
        keep_jobs = false })
end

---The smallest speed from `least` on at which a run takes at most `bound`, by bisection.
---@param takes fun(speed: number): number
---@param bound number
---@param least number
---@param precision number
---@param guess number|nil a speed that will do; default: twice the least
---@return number
local function smallest_speed(takes, bound, least, precision, guess)
    if takes(least) <= bound * SLACK then return least end
    local low, high = least, guess or 2 * least
    while takes(high) > bound * SLACK do
        low, high = high, 2 * high
        if high > SPEED_MOST then return high end
    end
    while high - low > precision * high do
        local middle = (low + high) / 2
        if takes(middle) <= bound * SLACK then high = middle else low = middle end
    end
    return high
end

-- Instances of a family: the smallest speed that suffices for all of them, by policy, and how the
-- theorems' speeds do.
local function family_facts(context, task, instances)
    local family = FAMILIES[task]
    math.randomseed(context.seed, 1000 + task)
    local facts = { needed = {}, worst = {}, exceeded = 0 }
    for i in ipairs(POLICIES) do facts.needed[i], facts.worst[i] = 1.0, 0.0 end
    local alpha_speed, beta_speed = 2 * family.high / (1 + family.high), 1 + 1 / family.low
    for _ = 1, instances do
        local jobs = random_instance(family)
        local bound = total("maxsrpt", jobs, 1, "tight").lower_bound_tight
        for i, label in ipairs(POLICIES) do
            local function takes(speed) return total(label, jobs, speed).total_response_time end
            facts.needed[i] = smallest_speed(takes, bound, facts.needed[i], PRECISION)
            local claimed = MAX[label] and alpha_speed or SPLIT[label] and beta_speed or 2
            local ratio = takes(claimed) / bound
            facts.worst[i] = math.max(facts.worst[i], ratio)
            if (MAX[label] or SPLIT[label]) and ratio > SLACK then
                facts.exceeded = facts.exceeded + 1
            end
        end
    end
    return facts
end

local function family_row(task, facts, instances)
    local family = FAMILIES[task]
    local row = { family = string.format("imbalance %g to %g", family.low, family.high),
        instances = instances,
                  alpha = 2 * family.high / (1 + family.high), beta = 1 + 1 / family.low,
                  exceeded = facts.exceeded }
    for i, label in ipairs(POLICIES) do
        row[label], row[label .. "_worst"] = facts.needed[i], facts.worst[i]
    end
    return row
end

-- The paper's tight instances are batches, where a speed only scales time: what is needed is about
-- the ratio to the paper's schedule. An optimal one takes no longer, so that no smaller speed meets
-- the optimum.
local function tight_row(instance, value, n)
    local workload = instance.workload(value, n)
    local theirs = runs.run_schedule(workload).total_response_time
    local row = { family = string.format("%s, %s = %g, n = %d", instance.name, instance.parameter,
        value, n), instances = 1 }
    row[instance.name == "corollary4" and "alpha" or "beta"] = instance.limit(value)
    for _, label in ipairs(POLICIES) do
        local function takes(speed) return total(label, workload, speed).total_response_time end
        local near = takes(1) / theirs
        row[label] = smallest_speed(takes, theirs, near * (1 - 2 * TIGHT_PRECISION),
            TIGHT_PRECISION,
            near * (1 + 2 * TIGHT_PRECISION))
    end
    return row
end

local TIGHT_N = 500

local function tight_cases()
    local cases = {}
    for _, name in ipairs { "corollary4", "corollary6" } do
        local instance = tightness.INSTANCES[name]
        for _, value in ipairs(instance.values) do
            cases[#cases + 1] = { instance = instance, value = value }
        end
    end
    return cases
end

-- Every speed tried is a run.
local QUEUE_JOBS_MOST = 200000

-- The queue of Section 5.3 at speed 1 has its bounds; the same jobs at a higher speed.
local LOAD = .75

local function queue_speeds(context, replica, jobs)
    local workload, facts = runs.workload("pair", LOAD, jobs), { lower = {}, tight = {} }
    local function run(label, speed, bounds)
        return runs.run(label, { workload = workload, seed = context.seed, replica = replica - 1,
            keep_jobs = false,
            speed = speed,
                                 bounds = bounds or "none" })
    end
    local bounds = run("maxsrpt", 1, "tight")
    for i, label in ipairs(POLICIES) do
        local cache = {}
        local function takes(speed)
            cache[speed] = cache[speed] or run(label, speed).total_response_time
            return cache[speed]
        end
        facts.tight[i] = smallest_speed(takes, bounds.lower_bound_tight, 1, PRECISION)
        facts.lower[i] = smallest_speed(takes, bounds.lower_bound, facts.tight[i], PRECISION)
    end
    return facts
end

local function columns()
    local made = { { key = "family", title = "instances" } }
    for _, label in ipairs(POLICIES) do
        made[#made + 1] = runs.column(label, runs.name(label), 3)
    end
    made[#made + 1] = runs.column("alpha", "2a/(1+a)")
    made[#made + 1] = runs.column("beta", "1+1/b")
    made[#made + 1] = { key = "instances" }
    made[#made + 1] = { key = "exceeded" }
    for _, label in ipairs(POLICIES) do made[#made + 1] = { key = label .. "_worst" } end
    return made
end

local function judge(section, rows, labels, field, where, claim)
    local exceeded, worst, families, instances, tight = 0, 0, 0, 0, {}
    for _, row in ipairs(rows) do
        if row.exceeded then
            families, instances = families + 1, instances + row.instances
            for _, label in ipairs(labels) do
                worst = math.max(worst, row[label .. "_worst"])
                if row[label] > row[field] * (1 + PRECISION) then exceeded = exceeded + 1 end
            end
        elseif row[field] then
            tight[#tight + 1] = string.format("%.3f of %.3f", row[labels[1]], row[field])
        end
    end
    local theirs = {}
    for _, label in ipairs(labels) do
        if reference.speed.worst[label] then
            theirs[#theirs + 1] = string.format("%s %.3f", runs.name(label),
            reference.speed.worst[label]) end
    end
    section:claim {
        label = runs.name(labels[1]) .. " needs no more speed than claimed", where = where,
        claim = claim, paper = "proved",
        reference = string.format("largest ratio to our bound at that speed, %d instances: %s",
            reference.speed.instances,
            table.concat(theirs, ", ")),
        ours = string.format(
            "largest ratio to our bound at that speed %.4f over %d instances; on the tight "
            .. "instances of n = %d "
            .. "it needs %s",
            worst, instances, TIGHT_N, table.concat(tight, ", ")),
        verdict = papers.universal(exceeded + (worst <= SLACK and 0 or 1)),
        because = string.format(
            "%d of %d families need more than the theorem's speed, in any reading of the policy",
            exceeded,
            families),
    }
end

local function run_speed(context)
    local instances = math.min(reference.speed.instances // #FAMILIES, 6 * context.seeds)
    local jobs = math.min(runs.scaled(context, 0.02), QUEUE_JOBS_MOST)
    local section = papers.section("speed", TITLE, "Theorems 3 and 5, Sections 4.1 and 4.2", {
        string.format(
            "%d random instances of %d to %d jobs a family; a is the largest imbalance max(x/y, "
            .. "y/x) of a job, b the "
            .. "smallest. The number is the smallest speed, from 1 on, at which a policy's "
                .. "total is at most our lower bound for "
            .. "speed 1 on every instance of the family, by bisection to %g.", instances,
            JOBS_LEAST, JOBS_MOST, PRECISION),
        "Below: on the instances that show the corollaries tight, the smallest speed at which "
            .. "the policy's total is at most that "
            .. "of the paper's schedule.",
    })
    local rows, cases = {}, tight_cases()
    local made = papers.each(context, "speed", #FAMILIES + #cases, function(task)
        if task <= #FAMILIES then return family_facts(context, task, instances) end
        local case = cases[task - #FAMILIES]
        return tight_row(case.instance, case.value, TIGHT_N)
    end, "part", instances)
    for task, value in ipairs(made) do
        rows[task] = task <= #FAMILIES and family_row(task, value, instances) or value
    end
    section:table("speed", nil, columns(), rows)
    judge(section, rows, { "maxsrpt", "maxsrpt_strict" }, "alpha", "Theorem 3",
        "MaxSRPT is 2 alpha / (1 + alpha)-speed "
        .. "1-competitive.")
    judge(section, rows, { "splitsrpt", "split_empty", "split_none" }, "beta", "Theorem 5",
        "SplitSRPT is (1 + 1/beta)-speed 1-competitive.")
    local replicas = papers.each(context, "speed of the queue", context.seeds,
        function(replica) return queue_speeds(context, replica, jobs) end, "part", jobs)
    local queue = {}
    for i, label in ipairs(POLICIES) do
        local row = { policy = label, seeds = context.seeds, seed = context.seed, jobs = jobs }
        for _, bound in ipairs { "lower", "tight" } do
            local values = {}
            for replica, facts in ipairs(replicas) do values[replica] = facts[bound][i] end
            local sample = experiment.summary(values)
            row[bound], row[bound .. "_half"] = sample.mean, sample.half
        end
        queue[i] = row
    end
    section:table("speed_queue",
        string.format(
        "Smallest speed at which the mean response time in the queue of Section 5.3 (load "
        .. "%.2f at speed 1, %d jobs, mean of %d replicas) meets a bound for speed 1:", LOAD, jobs,
        context.seeds), {
        runs.POLICY_COLUMN, runs.column("lower", "the paper's bound"),
        runs.column("lower_half", "± 95 %"),
        runs.column("tight", "our bound"), runs.column("tight_half", "± 95 %"), { key = "jobs" },
        { key = "seeds" },
            { key = "seed" },
    }, queue)
    local bsrpt = 0
    for _, row in ipairs(rows) do bsrpt = math.max(bsrpt, row.bsrpt_worst or 0) end
    local known = reference.speed.bsrpt
    section:note(
        "For bsrpt nothing is proved; at speed %d its largest ratio to our bound here is %.3f "
        .. "(reference: %.2f over %s instances).",
        known.speed, bsrpt, known.worst, text.amount(known.instances))
    return section
end

M.speed = { name = "speed", title = TITLE, run = run_speed }

return M
