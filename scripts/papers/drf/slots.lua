-- DRF against fairness by tasks: the paper's comparison with a slot scheduler, which shares tasks
-- and not what they hold.

local page = require "shared.page"
local papers = require "shared.papers"

local LOADS = { 0.5, 0.7, 0.9 }
local NODES = { { count = 20, capacity = { 16000, 64000 } } }
local JOBS, SMALL, LARGE, EVERY = 120, { 2, 20 }, { 100, 300 }, 10
local DURATION = { 5000, 20000 }
-- Of jobs that need CPUs most, and of those that need memory most: least and most.
local DEMANDS = {
    { { 2000, 2000 }, { 500, 2000 } },
    { { 500, 500 }, { 4000, 16000 } },
}

local function mean(range) return (range[1] + range[2]) / 2 end

-- ms between arrivals that keep the busier resource at the load.
local function gap(load)
    local tasks = ((EVERY - 1) * mean(SMALL) + mean(LARGE)) / EVERY
    local most = 0.0
    for r, capacity in ipairs(NODES[1].capacity) do
        local demand = (mean(DEMANDS[1][r]) + mean(DEMANDS[2][r])) / 2
        most = math.max(most, demand / capacity)
    end
    return tasks * mean(DURATION) * most / NODES[1].count / load
end

local function workload(load)
    return {
        name = "users", model = "dag",
        generate = function(g)
            local time = 0.0
            for i = 1, JOBS do
                local range = i % EVERY == 0 and LARGE or SMALL
                local cpu, memory = table.unpack(DEMANDS[i % 2 + 1])
                g:job { arrival = time // 1, stages = { {
                    tasks = g:random(range[1], range[2]),
                    duration = g:random(DURATION[1], DURATION[2]),
                    demand = { g:random(cpu[1], cpu[2]), g:random(memory[1], memory[2]) },
                } } }
                time = time + g:exponential(gap(load))
            end
        end,
    }
end

local function run(policy, load, seed)
    return papers.run {
        model = "dag", policy = policy, nodes = NODES, resources = { "cpu", "memory" },
        workload = workload(load), seed = seed, bounds = "none",
    }
end

return page.page {
    name = "slots", title = "DRF against fairness by tasks",
    label = "DRF finishes jobs sooner than fairness by tasks",
    claim = "Where jobs need different resources, sharing by dominant resource makes the mean "
        .. "completion time smaller than sharing by numbers of tasks.",
    method = {
        "120 jobs of one stage on 20 nodes of 16 CPUs and 64 GB; half of them need CPUs most, half "
            .. "memory, one in ten has 100 to 300 tasks. Changes of the mean completion time of "
            .. "drf against fair on the same jobs, seed by seed, at loads of the busier resource.",
        "The paper measures slots on machines of its own, with jobs of Facebook, Taobao and "
            .. "others that are not public.",
    },
    quantity = "change against fair, %", axis = "load", limit = 0, less = true, decimals = 2,
    points = function(context)
        local values = papers.each(context, "slots", #LOADS * context.seeds, function(task)
            local l, seed = (task - 1) // context.seeds + 1, (task - 1) % context.seeds + 1
            local drf = run("drf", LOADS[l], 100 * context.seed + seed)
            local fair = run("fair", LOADS[l], 100 * context.seed + seed)
            return { change = 100 * (drf.mean_jct / fair.mean_jct - 1),
                digest = papers.digest_text(papers.fold(papers.fold(papers.DIGEST_START,
                    drf.digest), fair.digest)) }
        end)
        local points = {}
        for l, load in ipairs(LOADS) do
            points[l] = page.fill({ curve = "drf", x = load, at = string.format("%g", load) },
                context.seeds, function(seed)
                    local value = values[(l - 1) * context.seeds + seed]
                    return value.change, value.digest
                end)
        end
        return points
    end,
}
