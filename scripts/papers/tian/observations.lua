-- Observations 1 to 3 of Tian, Luo, Tian, Chen: when Johnson's rule is optimal, and that
-- BalancedPools and MK_JR are heuristics that order by it. What the second one says of time is
-- measured.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local runs = require "tian.runs"
local text = require "shared.text"
local tiny = require "tian.tiny"

local M = {}

local TITLE = "Observations 1 to 3: Johnson's rule, and heuristics that order by it"

-- Instances of the tiny kind, in portions for a process; orders of all jobs are tried on each.
local MOST, PORTION = 2000, 100

-- ---- tiny instances -----------------------------------------------------------------------------

-- Whether jobs are in the order of Johnson's rule for these times: any two neighbours pass his test
-- min(Tm of the first, Tr of the second) <= min(Tm of the second, Tr of the first).
---@param order integer[]
---@param times table<integer, { [1]: any, [2]: any }> map and reduce time by job, exact
function M.obeys_johnson(order, times)
    local function least(a, b)
        if b < a then return b end
        return a
    end
    for i = 1, #order - 1 do
        local first, second = times[order[i]], times[order[i + 1]]
        if least(second[1], first[2]) < least(first[1], second[2]) then return false end
    end
    return true
end

-- When tasks in listed order end, each on the slot that is free first. A stage of a tiny instance
-- requests as many slots as it has tasks (MK6, waves_req).
local function stage_time(tasks, slots)
    local free = {}
    for s = 1, math.min(slots, #tasks) do free[s] = 0 end
    for _, duration in ipairs(tasks) do
        free[1] = free[1] + duration
        table.sort(free)
    end
    return runs.exact(free[#free])
end

local function times_of(instance)
    local times = {}
    for id, job in ipairs(instance.jobs) do
        times[id] = { stage_time(job.maps, instance.maps), stage_time(job.reduces,
            instance.reduces) }
    end
    return times
end

local COUNTS = { "instances", "johnson_optimal", "pools_optimal", "mk_jr_optimal", "mk_jr_johnson" }

local function note(found, seed, number)
    local instance = tiny.instance(seed, number)
    local function run(policy, level, params)
        return runs.run { policy = policy, maps = instance.maps, reduces = instance.reduces,
            jobs = instance.jobs, level = level, params = params, bounds = "none" }
    end
    local function count(name, holds)
        found[name] = found[name] + (holds and 1 or 0)
    end
    local best = runs.makespan(run("exact", "task"))
    local mk_jr = run("mk_jr", "task", { estimate = "waves_req" })
    count("instances", true)
    count("johnson_optimal", runs.makespan(run("uaas", "stage"))
        == runs.makespan(run("optimal", "stage", { stage_time = "fluid" })))
    count("pools_optimal", runs.makespan(run("balanced_pools", "task")) == best)
    count("mk_jr_optimal", runs.makespan(mk_jr) == best)
    count("mk_jr_johnson", M.obeys_johnson(mk_jr.order, times_of(instance)))
    found.digest = papers.fold(found.digest, mk_jr.digest)
end

local function sweep(context)
    local count = math.min(context.jobs, MOST)
    local parts = papers.each(context, "observations", (count + PORTION - 1) // PORTION,
            function(part)
        local found = { digest = papers.DIGEST_START }
        for _, name in ipairs(COUNTS) do found[name] = 0 end
        for number = (part - 1) * PORTION + 1, math.min(part * PORTION, count) do
            note(found, context.seed, number)
        end
        return found
    end)
    local all, folded = {}, papers.DIGEST_START
    for _, name in ipairs(COUNTS) do
        all[name] = 0
        for _, part in ipairs(parts) do all[name] = all[name] + part[name] end
    end
    for _, part in ipairs(parts) do
        folded = papers.fold(folded, papers.digest_text(part.digest))
    end
    all.digest = papers.digest_text(folded)
    return all
end

local function percent(count, found)
    return string.format("%.1f %%", 100 * count / found.instances)
end

-- ---- time ---------------------------------------------------------------------------------------

-- Jobs of a batch, each of one map and one reduce task, on as many nodes of one slot of each kind.
local SIZES, NODES, REPEATS = { 100, 200, 400, 800 }, 64, 5

local function batch_of(draw, count)
    local jobs = {}
    for id = 1, count do
        jobs[id] = { maps = { draw(1, 1000) }, reduces = { draw(1, 1000) } }
    end
    return jobs
end

-- Seconds of a search over two pools with sizes by bisection, by number of jobs.
local function times_by_size(seed, place)
    local seconds = {}
    for i, count in ipairs(SIZES) do
        local jobs = batch_of(papers.draws(seed, 1000 * place + i), count)
        local start = experiment.clock()
        runs.run { policy = "balanced_pools", maps = NODES, jobs = jobs, level = "task",
            params = { bp_size = "binary", nodes = NODES }, bounds = "none" }
        seconds[i] = experiment.clock() - start
    end
    return seconds
end

---The slope of the line through points by least squares.
---@param xs number[]
---@param ys number[]
---@return number
function M.slope(xs, ys)
    local x, y, xy, xx = 0.0, 0.0, 0.0, 0.0
    for i = 1, #xs do x, y = x + xs[i] / #xs, y + ys[i] / #ys end
    for i = 1, #xs do
        xy, xx = xy + (xs[i] - x) * (ys[i] - y), xx + (xs[i] - x) ^ 2
    end
    return xy / xx
end

-- The exponent of n that n^2 log n has over these sizes.
local function expected_exponent()
    local xs, ys = {}, {}
    for i, count in ipairs(SIZES) do
        xs[i], ys[i] = math.log(count), math.log(count ^ 2 * math.log(count))
    end
    return M.slope(xs, ys)
end

local function measure(context)
    local rows, slopes = {}, {}
    for place = 1, REPEATS do
        local seconds = times_by_size(context.seed, place)
        local xs, ys = {}, {}
        for i, count in ipairs(SIZES) do
            xs[i], ys[i] = math.log(count), math.log(math.max(seconds[i], 1e-9))
            rows[i] = rows[i] or { jobs = count, values = {} }
            rows[i].values[place] = seconds[i]
        end
        slopes[place] = M.slope(xs, ys)
    end
    for _, row in ipairs(rows) do row.seconds = experiment.summary(row.values).min end
    return rows, experiment.summary(slopes)
end

-- ---- claims -------------------------------------------------------------------------------------

local function judge_first(section, found)
    section:claim {
        label = "Observation 1: Johnson's rule is optimal", where = "Observation 1",
        claim = "\"If each job utilizes either all map or all reduce slots during its "
            .. "processing, [...] Johnson's algorithm can be applied to find optimal solution for "
            .. "minimizing the makespan.\"",
        paper = "stated, after Johnson",
        ours = string.format("the best of all orders in %d of %d instances, each stage on all "
            .. "slots of its kind", found.johnson_optimal, found.instances),
        verdict = papers.universal(found.instances - found.johnson_optimal),
        because = "exact, instance by instance, for stages that can be divided at will",
    }
end

-- A program that takes other steps, or a machine that is busy, may need some more.
local ALLOWED = 0.25

local function judge_second(section, found, slope)
    local expected = expected_exponent()
    local slower = experiment.above(slope, expected + ALLOWED)
    section:claim {
        label = "Observation 2: BalancedPools is a heuristic", where = "Observation 2",
        claim = "\"BalancedPool Algorithm does not meet the requirement of Johnson model but just "
            .. "order the job by Johnson rule and is a heuristic algorithm\".",
        paper = "stated",
        ours = string.format("optimal in %s of %s: each pool is in Johnson's order, and its jobs "
            .. "do not use the slots of the other", percent(found.pools_optimal, found),
            text.count(found.instances, "tiny instance")),
        verdict = runs.verdict(found.pools_optimal < found.instances),
        because = "an instance where it is not optimal is enough",
    }
    section:claim {
        label = "Observation 2: its complexity", where = "Observation 2",
        claim = "\"[C]omputational complexity of O(n2lognlogP ) where n is the number of jobs and "
            .. "P is the number of MapReduce slots.\"",
        paper = string.format("n^2 log n has the exponent %.2f over these sizes", expected),
        ours = string.format("time grows as n to the power of %.2f ± %.2f from %d to %d jobs",
            slope.mean, slope.half, SIZES[1], SIZES[#SIZES]),
        verdict = papers.universal(slower and 1 or 0, slower == nil and 1 or 0),
        because = string.format("measured: with sizes of pools by bisection, %d repetitions; at "
            .. "most %.2f above that exponent counts as it", REPEATS, ALLOWED),
    }
end

local function judge_third(section, found)
    section:claim {
        label = "Observation 3: MK_JR orders by Johnson's rule", where = "Observation 3",
        claim = "\"MK JR algorithm does not meet the requirement of Johnson model but just order "
            .. "the job by Johnson rule after estimating the map and reduce durations of each "
            .. "job.\"",
        paper = "stated",
        ours = string.format("in Johnson's order of its estimates in %d of %d instances, optimal "
            .. "in %s", found.mk_jr_johnson, found.instances, percent(found.mk_jr_optimal, found)),
        verdict = papers.universal(found.instances - found.mk_jr_johnson,
            found.mk_jr_optimal < found.instances and 0 or 1),
        because = "both halves: always in that order, and not always optimal",
    }
end

-- ---- the section --------------------------------------------------------------------------------

local function draw(context, section, rows)
    if not context.directory then return end
    local lines = { "# jobs, seconds, the last of them scaled as n^2 log n" }
    local last = rows[#rows]
    for _, row in ipairs(rows) do
        lines[#lines + 1] = figure.row(row.jobs, row.seconds, last.seconds
            * row.jobs ^ 2 * math.log(row.jobs) / (last.jobs ^ 2 * math.log(last.jobs)))
    end
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/observations", 640,
        400, [[
set logscale xy
set xlabel 'jobs, n'
set ylabel 'seconds'
set key top left reverse Left
plot data index 0 using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb '#0072B2' title 'BalancedPools', \
     data index 0 using 1:3 with lines linewidth 1.5 dashtype 2 linecolor rgb '#808080' title 'n^2 log n'
]], { lines })
end

local function run_observations(context)
    local found, section = sweep(context), papers.section("observations", TITLE,
        "Sections 2 and 3", {
        string.format("%d tiny instances, as for Theorem 1. Johnson's rule is held to the best of "
            .. "all orders with stages on all slots; BalancedPools and MK_JR to the best schedule "
            .. "of whole tasks.", math.min(context.jobs, MOST)),
        string.format("Time: batches of %d to %d jobs of one map and one reduce task on %d nodes, "
            .. "the least of %d repetitions. It depends on the machine.", SIZES[1], SIZES[#SIZES],
            NODES, REPEATS),
    })
    local rows, slope = measure(context)
    section:table("observations", nil, {
        { key = "instances", title = "instances", right = true },
        { key = "johnson_optimal", title = "Johnson's rule optimal", right = true },
        { key = "pools_optimal", title = "BalancedPools optimal", right = true },
        { key = "mk_jr_optimal", title = "MK_JR optimal", right = true },
        { key = "mk_jr_johnson", title = "MK_JR in Johnson's order", right = true },
        { key = "digest", title = "digest of MK_JR" },
    }, { found })
    section:table("observations_time", "How long BalancedPools searches:", {
        { key = "jobs", title = "jobs", right = true },
        { key = "seconds", title = "s", right = true,
            show = function(value) return text.number(value, 4) end },
    }, rows)
    judge_first(section, found)
    judge_second(section, found, slope)
    judge_third(section, found)
    draw(context, section, rows)
    return section
end

M.observations = { name = "observations", title = TITLE, run = run_observations }

return M
