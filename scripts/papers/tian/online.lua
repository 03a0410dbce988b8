-- Jobs that come over time, and the total of their flow times, which Tian, Luo, Tian and Chen name
-- as next steps. A batch has no arrivals, so the runs are those of the cluster model on one node:
-- typed slots, whole tasks, reduces after all maps. That is the level of tasks of their model, but
-- that policies decide whenever a slot is free, and know of a job when it has come.

local page = require "shared.page"
local papers = require "shared.papers"
local pinion = require "pinion"
local runs = require "tian.runs"

local M = {}

local FAMILIES = { "rand_many", "rand_few", "one_wave", "t1_like", "straggler" }
local LOAD, JOBS = 0.9, 60
local MS = 1000 -- of a unit of the families' durations

-- The order that is best for the makespan of two machines, and the shortest job first; works are
-- those of all slots of a kind together.
local ORDERS = {
    { "fifo", "FIFO" },
    { "johnson", "Johnson's order", [[
        local map, reduce = s:attribute(job, "map"), s:attribute(job, "reduce")
        if map <= reduce then return 0, map end
        return 1, -reduce ]] },
    { "shortest", "shortest first",
        [[ return s:attribute(job, "map") + s:attribute(job, "reduce") ]] },
}

local function policy_of(order)
    if not order[3] then return order[1] end
    return pinion.policy(string.format([[
return { name = "%s", model = "cluster",
  key = { changes = "arrival", of = function(s, job) %s end } }]], order[1], order[3]))
end

-- ---- jobs ---------------------------------------------------------------------------------------

-- The times of a stage's tasks in ms, their sum and their longest.
local function times_of(tasks)
    local times, sum, most = {}, 0, 0
    for _, task in ipairs(tasks and tasks.count and { tasks } or tasks or {}) do
        local count, duration = 1, task
        if type(task) == "table" then count, duration = task.count, task.duration end
        local ms = math.max(1, runs.exact(duration):number() * MS // 1 | 0)
        for _ = 1, count do times[#times + 1] = ms end
        sum, most = sum + count * ms, math.max(most, ms)
    end
    return times, sum, most
end

-- Of the family's batches as many jobs as are asked for, with Poisson arrivals that keep the slots
-- of the busier kind at the load.
local function jobs_of(family, seed)
    local workload, jobs, work = pinion.workload.spec(family), {}, { 0.0, 0.0 }
    local slots, batch = workload:default_settings(), 0
    while #jobs < JOBS do
        batch = batch + 1
        for _, job in ipairs(workload:jobs { seed = 1000 * seed + batch }) do
            local maps, map_sum, map_most = times_of(job.maps)
            local reduces, reduce_sum, reduce_most = times_of(job.reduces)
            if #maps > 0 and #jobs < JOBS then
                local mapped, reduced = map_sum / slots.map_slots, reduce_sum / slots.reduce_slots
                jobs[#jobs + 1] = { maps = #maps, map_times = maps, reduces = #reduces,
                    reduce_times = #reduces > 0 and reduces or nil, map = mapped,
                    reduce = reduced, head = math.max(mapped, map_most),
                    tail = math.max(reduced, reduce_most) }
                work[1], work[2] = work[1] + mapped, work[2] + reduced
            end
        end
    end
    local stream, time = pinion.random(seed, 0, 0), 0.0
    for _, job in ipairs(jobs) do
        job.submit = time // 1 | 0
        time = time + stream:exponential(math.max(work[1], work[2]) / #jobs / LOAD)
    end
    return jobs, slots
end

-- ---- the bound ----------------------------------------------------------------------------------

-- The smallest total of completions on one machine that can be interrupted: shortest remaining time
-- first (Schrage 1968). Jobs come in order of their releases.
local function srpt(releases, sizes)
    local order, left, time, total = {}, {}, 0.0, 0.0
    for i = 1, #releases do order[i] = i end
    table.sort(order, function(a, b)
        if releases[a] ~= releases[b] then return releases[a] < releases[b] end
        return a < b
    end)
    local next_job, waiting = 1, {}
    while next_job <= #order or #waiting > 0 do
        if #waiting == 0 then time = math.max(time, releases[order[next_job]]) end
        while next_job <= #order and releases[order[next_job]] <= time do
            waiting[#waiting + 1] = order[next_job]
            left[order[next_job]] = sizes[order[next_job]]
            next_job = next_job + 1
        end
        local best = 1
        for i = 2, #waiting do
            if left[waiting[i]] < left[waiting[best]] then best = i end
        end
        local job = waiting[best]
        local until_next = next_job <= #order and releases[order[next_job]] - time or math.huge
        local step = math.min(left[job], until_next)
        time, left[job] = time + step, left[job] - step
        if left[job] <= 0 then
            total = total + time
            table.remove(waiting, best)
        end
    end
    return total
end

---No schedule has a smaller total of flow times. Let all slots of a kind be one machine that can be
---interrupted: the maps end no earlier, all together, than under shortest remaining time first, and
---each job then needs its reduces alone; or each job its maps alone first, and then the reduces
---share their machine. And no job ends before it could alone.
---@param jobs table[] with `submit`, works over all slots `map` and `reduce`, and `head` and `tail`, the least times of its stages
---@return number
function M.bound(jobs)
    local submits, maps, heads, reduces = {}, {}, {}, {}
    local submitted, tails, alone = 0.0, 0.0, 0.0
    for i, job in ipairs(jobs) do
        submits[i], maps[i], reduces[i] = job.submit, job.map, job.reduce
        heads[i] = job.submit + job.head
        submitted, tails = submitted + job.submit, tails + job.tail
        alone = alone + job.head + job.tail
    end
    return math.max(srpt(submits, maps) + tails - submitted, srpt(heads, reduces) - submitted,
        alone)
end

-- ---- the page -----------------------------------------------------------------------------------

local function measure(context, family, seed)
    local jobs, slots = jobs_of(family, 100 * context.seed + seed)
    local bound, made = M.bound(jobs), {}
    for _, order in ipairs(ORDERS) do
        local given = {}
        for i, job in ipairs(jobs) do
            given[i] = { submit = job.submit, maps = job.maps, map_times = job.map_times,
                reduces = job.reduces, reduce_times = job.reduce_times, map = job.map,
                reduce = job.reduce }
        end
        local result = papers.run {
            model = "cluster", policy = policy_of(order), workload = given,
            attributes = { map = 0, reduce = 0 }, bounds = "none",
            nodes = { { count = 1, map_slots = slots.map_slots,
                reduce_slots = slots.reduce_slots } },
            params = { reduce_start = "after_maps" },
        }
        made[order[1]] = { ratio = result.total_makespan / bound, digest = result.digest }
    end
    return made
end

local function points_of(context)
    local values = papers.each(context, "online", #FAMILIES * context.seeds, function(task)
        local f, seed = (task - 1) // context.seeds + 1, (task - 1) % context.seeds + 1
        return measure(context, FAMILIES[f], seed)
    end)
    local points = {}
    for _, order in ipairs(ORDERS) do
        for f, family in ipairs(FAMILIES) do
            points[#points + 1] = page.fill({ curve = order[2], order = order[1], x = f,
                at = family }, context.seeds, function(seed)
                local value = values[(f - 1) * context.seeds + seed][order[1]]
                return value.ratio, value.digest
            end)
        end
    end
    return points
end

-- The shortest first against the others, on the same jobs.
local function judge(votes, points)
    local by = {}
    for _, point in ipairs(points) do by[point.order .. point.at] = point end
    for _, family in ipairs(FAMILIES) do
        for _, other in ipairs { "fifo", "johnson" } do
            local apart = {}
            for seed, ratio in ipairs(by["shortest" .. family].values) do
                apart[seed] = ratio - by[other .. family].values[seed]
            end
            papers.vote(votes, papers.is_less(pinion.experiment.summary(apart)))
        end
    end
    return string.format("smaller beyond doubt than FIFO's and than that of Johnson's order in %d "
        .. "of %d cases, larger in %d", votes.held, 2 * #FAMILIES, votes.failed)
end

M.online = page.page {
    name = "online", title = "Beyond the paper: jobs over time and total flow time",
    label = "over time, the shortest first beats Johnson's order",
    claim = "For jobs that come over time, and the total of their flow times, the shortest job "
        .. "first does better than Johnson's order, which is best for the makespan, and than FIFO.",
    method = {
        string.format("%d jobs of each family, with Poisson arrivals that keep the busier kind of "
            .. "slots at a load of %g. The total of flow times is over a bound: maps on one "
            .. "machine under SRPT and then each job's reduces alone, or reduces so after each "
            .. "job's maps alone, or every job alone. With one stage on one machine SRPT is "
            .. "optimal (Schrage 1968); with two stages even the total of completions of jobs "
            .. "that are all there is NP-hard (Garey, Johnson, Sethi 1976).", JOBS, LOAD),
        "Orders are kept among the jobs that have come, and tasks that run are not interrupted.",
    },
    quantity = "total flow time over the bound", axis = "family", limit = 1, less = false,
    decimals = 3, categories = true, points = points_of, judge = judge,
}

return M
