-- A nightly batch: when is it done, in which order, with which pools, and with how many map and
-- reduce slots?
--   build/pinion run examples/lua/makespan.lua [DIRECTORY]
local pinion = require "pinion"

local directory = arg[1] or "build/demo"
os.execute("mkdir -p '" .. directory:gsub("'", "'\\''") .. "'")

-- Minutes. Stages are lists of tasks, so many equal ones, or just the time on the slots that the
-- job asks for.
local batch = {
    { name = "logs", maps = { count = 40, duration = 6 }, reduces = { count = 8, duration = 15 } },
    { name = "index", maps = { count = 24, duration = 12 },
        reduces = { count = 16, duration = 20 } },
    { name = "report", maps = { 3, 3, 4, 9 }, reduces = { 2 } },
    { name = "train", maps = { count = 12, duration = 30 },
        reduces = { count = 2, duration = 45 } },
    { name = "archive", map_time = 20, map_slots = 10, reduce_time = 5, reduce_slots = 4 },
    { name = "mail", maps = { count = 30, duration = "7/2" },
        reduces = { count = 12, duration = 0.5 } },
}
local cluster = { model = "makespan", level = "task", map_slots = 16, reduce_slots = 8,
    workload = batch }

local function with(more)
    local made = {}
    for _, options in ipairs { cluster, more } do
        for name, value in pairs(options) do made[name] = value end
    end
    return made
end

-- Every policy on the same batch. The gap says how far from the best any schedule could be.
print(pinion.compare(
    with { policies = { "fifo", "mk_jr", "uaas", "balanced_pools", "portfolio", "neh" } }))

local function names_of(ids)
    local names = {}
    for i, id in ipairs(ids) do names[i] = batch[id].name end
    return table.concat(names, ", ")
end

local function say(what, result)
    print(string.format("%-24s done after %s, at most %.1f %% above the best: %s", what,
        result.makespan_exact or result.makespan,
        100 * result.gap, names_of(result.order)))
end

local log = directory .. "/batch.log"
say("one order:", pinion.run(with { policy = "optimal", log = log }))
pinion.gantt(log, directory .. "/batch.svg", { title = "The nightly batch in its best order" })
pinion.gantt(log, directory .. "/batch.json") -- for https://ui.perfetto.dev

-- Pools: the same nodes in two parts that do not disturb one another.
local pools =
    pinion.run(with { policy = "balanced_pools", params = { bp_partition = "exhaustive" } })
say("pools:", pools)
for i, pool in ipairs(pools.pools or {}) do
    print(string.format("  pool %d: %d map and %d reduce slots: %s", i, pool.map_slots,
        pool.reduce_slots, names_of(pool.jobs)))
end

-- No order of whole jobs, but any schedule of their tasks: found by search, as far as so many steps
-- lead.
local found = pinion.run(with { policy = "exact", params = { max_nodes = 200000 } })
print(string.format("%-24s done after %s; no schedule is done before %s", "any schedule:",
    found.makespan, found.lower_bound_tight))

-- The same 24 slots, divided otherwise.
local ratio = pinion.run(with { policy = "neh", params = { search_ratio = true, nodes = 1 } })
say(string.format("%d map, %d reduce slots:", ratio.map_slots, ratio.reduce_slots), ratio)
