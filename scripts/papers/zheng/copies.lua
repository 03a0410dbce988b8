-- Second attempts of tasks, which no model of the paper has: speculative copies of tasks that seem
-- slow, as LATE launches them, and clones of all tasks of small jobs, on a cluster where each
-- attempt takes a time of its own.

local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"

local M = {}

-- Runs of LATE look at every running task: so many seeds at most.
local SEEDS_MOST = 40

local NODES = { { count = 20, map_slots = 4, reduce_slots = 2 } }
local JOBS, MAPS, REDUCES = 60, 20, 4
local MAP_MS, REDUCE_MS = 60000, 90000

-- Of the time of an attempt, in permille of that of its task: all equally likely.
local SPREADS = { { 1000, 1000 }, { 500, 1500 }, { 100, 10000 } }
local NAMES = { "none", "0.5 to 1.5", "0.1 to 10" }
local LOADS = { 0.4, 0.8 }
local POLICIES = { "late", "cloning" }

-- Of the work of a job in the map slots.
local function gap_ms(load)
    return (1 + MAPS) / 2 * MAP_MS / (NODES[1].count * NODES[1].map_slots) / load
end

-- Jobs whose attempts take so long in the mean whatever the spread is.
local function workload(spread, load)
    local mean = (spread[1] + spread[2]) / 2000
    return {
        name = "copies", model = "cluster",
        generate = function(g)
            local time = 0
            for _ = 1, JOBS do
                time = time + g:exponential(gap_ms(load))
                g:job { submit = time // 1, maps = g:random(1, MAPS),
                    reduces = g:random(1, REDUCES), map_ms = MAP_MS / mean // 1,
                    reduce_ms = REDUCE_MS / mean // 1 }
            end
        end,
    }
end

local function run(policy, spread, load, seed)
    return papers.run {
        model = "cluster", policy = policy, nodes = NODES, seed = seed, bounds = "none",
        params = { factor_lo = spread[1], factor_hi = spread[2], reduce_start = "after_maps" },
        workload = workload(spread, load),
    }
end

-- Changes against fifo in percent.
local function measure(spread, load, seed)
    local fifo, made = run("fifo", spread, load, seed), {}
    for _, policy in ipairs(POLICIES) do
        local result = run(policy, spread, load, seed)
        made[policy] = { change = 100 * (result.mean_makespan / fifo.mean_makespan - 1),
            slots = 100 * (result.slot_ms / fifo.slot_ms - 1), copies = result.copies,
            won = result.copies_won,
            digest = papers.digest_text(papers.fold(papers.fold(papers.DIGEST_START, fifo.digest),
                result.digest)) }
    end
    return made
end

-- Of each policy and load, over the spreads.
local function points_of(context)
    local seeds, points = math.min(context.seeds, SEEDS_MOST), {}
    local values = papers.each(context, "copies", #SPREADS * #LOADS * seeds, function(task)
        local place, seed = (task - 1) // seeds, (task - 1) % seeds + 1
        return measure(SPREADS[place // #LOADS + 1], LOADS[place % #LOADS + 1],
            10 * context.seed + seed)
    end)
    for _, policy in ipairs(POLICIES) do
        for l, load in ipairs(LOADS) do
            for s, name in ipairs(NAMES) do
                local point = { policy = policy, x = s, at = name,
                    curve = string.format("%s, load %g", policy, load), all = {} }
                points[#points + 1] = page.fill(point, seeds, function(seed)
                    local value = values[((s - 1) * #LOADS + l - 1) * seeds + seed][policy]
                    point.all[seed] = value
                    return value.change, value.digest
                end)
            end
        end
    end
    return points
end

local function sum(point, field)
    local all = 0
    for _, value in ipairs(point.all) do all = all + value[field] end
    return all
end

M.copies = page.page {
    name = "copies", title = "Second attempts: speculative copies and clones",
    label = "second attempts shorten jobs of random tasks",
    claim = "Where the time of each attempt is random, copies of slow tasks (LATE) and clones of "
        .. "the tasks of small jobs, both on slots that no task waits for, make the mean makespan "
        .. "smaller; where all attempts of a task take the same time, they do not.",
    method = {
        string.format("%d jobs of 1 to %d maps and 1 to %d reduces, which take %d and %d s in the "
            .. "mean, on %d nodes of %d map and %d reduce slots, with Poisson arrivals. The time "
            .. "of an attempt is that of its task times a factor of its own, uniform between the "
            .. "two that are shown. Changes of the mean makespan against fifo on the same jobs, "
            .. "seed by seed, with %d seeds at most.", JOBS, MAPS, REDUCES, MAP_MS // 1000,
            REDUCE_MS // 1000, NODES[1].count, NODES[1].map_slots, NODES[1].reduce_slots,
            SEEDS_MOST),
        "A copy is launched after the tasks that wait, on another node, and the first of the two "
            .. "to end counts (CL37 and CL38).",
    },
    quantity = "change against fifo, %", axis = "factors", limit = 0, less = true, decimals = 2,
    categories = true, points = points_of,
    judge = function(votes, points)
        for _, point in ipairs(points) do
            local less = papers.is_less(experiment.summary(point.values))
            if point.x == 1 and less ~= nil then less = not less end
            papers.vote(votes, less)
        end
        return string.format("as claimed at %d of %d points, and not at %d", votes.held, #points,
            votes.failed)
    end,
    note = function(section, points)
        for _, point in ipairs(points) do
            if point.x == #NAMES then
                section:note("%s, factors %s: %.0f copies in a run, of which %.0f %% end their "
                    .. "task; slots are held for %.1f %% more time than under fifo.", point.curve,
                    point.at, sum(point, "copies") / #point.all,
                    100 * sum(point, "won") / math.max(1, sum(point, "copies")),
                    sum(point, "slots") / #point.all)
            end
        end
    end,
}

return M
