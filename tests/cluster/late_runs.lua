-- LATE, from its decision log: an independent reckoning of every attempt's progress says which
-- task ends last and which nodes are slow; each copy is of the one and not on the other, copies
-- stay below their cap, none is missing, and the attempt that ends first ends its task.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"
local books = require "attempts"

local POLICY <const> = "policies/cluster/late.lua"

local function run(nodes, jobs, params, more)
    local options = { model = "cluster", policy = POLICY, nodes = nodes, workload = jobs,
        quiet = true, params = params }
    for name, value in pairs(more or {}) do options[name] = value end
    return pinion.run(options)
end

-- ---- by hand ------------------------------------------------------------------------------------

-- Three nodes do their map in 100 s and one would take 1000 s, as it is slow.
local NODES = "3x1x0+1x1x0x100"
local JOB = { { submit = 0, maps = 4, map_ms = 100000 } }
local plain = run(NODES, JOB, nil, { policy = "fifo" })
check.equal("in order of submission a slow node holds up the job", plain.jobs[1].finish, 1000000)
local late = run(NODES, JOB)
check.equal("a node that is done copies its task", late.jobs[1].finish, 200000)
check.equal("once", late.copies, 1)
check.equal("and the copy ends first", late.copies_won, 1)
check.equal("the time of both attempts counts", late.slot_ms, 3 * 100000 + 200000 + 100000)
check.equal("it waits until the task has run for a while",
    run(NODES, JOB, { min_ms = 150000 }).jobs[1].finish, 250000)
check.equal("no cap, no copies", run(NODES, JOB, { cap_permille = 0 }).jobs[1].finish, 1000000)

-- Two maps that are as far, the second one launched first.
local function copied_of(jobs, nodes, params)
    local log = check.temporary_file ""
    run(nodes, jobs, params, { log = log })
    local book = books.new(nodes, jobs, params, 1)
    for _, entry in ipairs(books.read(log)) do
        if book:is_copy(entry) then return entry end
        book:take(entry)
    end
end
local tied = copied_of({ { submit = 0, maps = 2, map_ms = 100000, blocks = { { 1 }, { 0 } } } },
    "3x1x0", { min_ms = 1 })
check.equal("the first of equal tasks", tied.task .. " at " .. tied.time, "1 at 10000")

local even_jobs = { { submit = 0, maps = 1, map_ms = 100000 },
    { submit = 0, maps = 1, map_ms = 100000, priority = 1 } }
check.equal("of equal tasks that of the job with the higher priority",
    copied_of(even_jobs, "3x1x0", { min_ms = 1 }).job, 2)
check.equal("jobs in the order of their priorities, as fifo has them",
    run("1x1x0", even_jobs).digest, run("1x1x0", even_jobs, nil, { policy = "fifo" }).digest)

-- At 200 s node 1 runs a map of 600 s, nodes 2 to 4 have done two maps, and node 0, which is slow,
-- has done one: it asks first, and gets the copy only if that does not count.
local UNEVEN = { { submit = 0, maps = 8,
    map_times = { 20000, 600000, 100000, 100000, 100000, 100000, 100000, 100000 } } }
local function node_of_copy(permille)
    local copy = copied_of(UNEVEN, "1x1x0x100+4x1x0",
        { slow_node_permille = permille, replication = 5 })
    check.equal("when it is launched", copy.task .. " at " .. copy.time, "2 at 200000")
    return copy.node
end
check.equal("where slow nodes do not count", node_of_copy(0), 0)
check.equal("where half of the nodes are slow", node_of_copy(500), 2)

local even = run("1x1x0x100+4x1x0", UNEVEN, { replication = 5 })
check.equal("a copy that is no faster does not win", even.copies .. " " .. even.copies_won, "1 0")
check.equal("and changes nothing", even.jobs[1].finish, 600000)

-- ---- at every instant ---------------------------------------------------------------------------

local function draw(stream)
    local jobs, time = {}, 0
    for i = 1, 25 do
        time = time + stream:random(0, 40000)
        jobs[i] = { submit = time, maps = stream:random(1, 9), reduces = stream:random(0, 3),
            map_ms = stream:random(1000, 60000), reduce_ms = stream:random(1000, 60000) }
    end
    return jobs
end

-- The smallest value such that so many of a thousand are not above it.
local function percentile(values, permille)
    local best
    for _, value in ipairs(values) do
        local count = 0
        for _, other in ipairs(values) do count = count + (other <= value and 1 or 0) end
        if count * 1000 >= #values * permille and (not best or value < best) then best = value end
    end
    return best
end

local function slow_nodes(book, permille)
    local values, slow = {}, {}
    for node, state in pairs(book.nodes) do
        state.progress = state.ended * 1000000
        for it in pairs(book.running) do
            if it.node == node then state.progress = state.progress + book:progress(it) end
        end
        if state.up then values[#values + 1] = state.progress end
    end
    local limit = percentile(values, permille)
    for node, state in pairs(book.nodes) do slow[node] = state.progress < limit end
    return slow
end

-- What the paper ranks: slow tasks of one attempt, the one that ends last first.
local function ranked(book, kind, params)
    local rates, list = {}, {}
    for it in pairs(book.running) do
        local ms, progress = book.now - it.start, book:progress(it)
        if it.kind == kind and ms > 0 and progress > 0 then
            rates[#rates + 1] = progress * 1000000 // ms
            it.rate, it.left = rates[#rates], (1000000 - progress) * ms // progress
            if ms >= params.min_ms and not book:twin(it) then list[#list + 1] = it end
        end
    end
    local limit, eligible = percentile(rates, params.slow_task_permille), {}
    for _, it in ipairs(list) do
        if it.rate <= limit then eligible[#eligible + 1] = it end
    end
    table.sort(eligible, function(a, b)
        if a.left ~= b.left then return a.left > b.left end
        if a.job ~= b.job then return a.job < b.job end
        return a.task < b.task
    end)
    return eligible
end

local seen = { copies = 0, won = 0, slow = 0, choices = 0 }

-- The attempt that should be copied on the node, if any.
local function expected(book, node, kind, params)
    local cap = math.ceil(book.slots[kind] * params.cap_permille / 1000)
    if book:copied(kind) >= cap then return nil end
    local best
    for _, it in ipairs(ranked(book, kind, params)) do
        seen.choices = seen.choices + (best and 1 or 0)
        if it.node ~= node and not best then best = it end
    end
    if best and slow_nodes(book, params.slow_node_permille)[node] then
        seen.slow, best = seen.slow + 1, nil
    end
    return best
end

local NODES_APART <const> = "5x2x1+1x2x1x250+1x1x1x600"

local function hold(seed)
    local jobs, log = draw(pinion.random(seed)), check.temporary_file ""
    local rules = { min_ms = 20000, cap_permille = 250, slow_task_permille = 300,
        slow_node_permille = seed % 4 == 0 and 0 or 250, factor_lo = 500, factor_hi = 2500,
        reduce_start = "after_maps", attempt_fail_permille = seed % 3 == 0 and 60 or 0,
        attempts_max = 9 }
    local result = run(NODES_APART, jobs, rules, { seed = seed, log = log,
        failures = seed % 2 == 0 and "100003:2:300007+200003:0" or nil })
    local copies, won = books.follow(books.new(NODES_APART, jobs, rules, seed), log, result,
        function(book, node, kind) return expected(book, node, kind, rules) end)
    seen.copies, seen.won = seen.copies + copies, seen.won + won
end

for seed = 1, 24 do hold(seed) end
print "seeds 1..24"
for name, count in pairs(seen) do check.is_true(name .. " " .. count, count > 20) end

check.done()
