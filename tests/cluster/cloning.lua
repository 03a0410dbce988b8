-- Cloning, from its decision log: while the budget has room and a slot is free, each task of a
-- small job has a second attempt, and no other task has; the attempt that ends first ends its task.
-- And what any policy must not copy.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"
local books = require "attempts"

local POLICY <const> = "policies/cluster/cloning.lua"

local function run(nodes, jobs, params, more)
    local options = { model = "cluster", policy = POLICY, nodes = nodes, workload = jobs,
        quiet = true, params = params }
    for name, value in pairs(more or {}) do options[name] = value end
    return pinion.run(options)
end

-- ---- by hand ------------------------------------------------------------------------------------

-- The first node has its map at once, the second one the clone, which is ten times as fast.
local UNEVEN = "1x1x0x100+1x1x0"
local ONE = { { submit = 0, maps = 1, map_ms = 10000 } }
local cloned = run(UNEVEN, ONE)
check.equal("the clone ends first", cloned.jobs[1].finish, 10000)
check.equal("one clone, which ends the task", cloned.copies .. " " .. cloned.copies_won, "1 1")
check.equal("the time of both counts", cloned.slot_ms, 20000)
check.equal("a job that is not small", run(UNEVEN, { { submit = 0, maps = 11, map_ms = 10000 } },
    { tasks_max = 10 }).copies, 0)
check.equal("no budget", run(UNEVEN, ONE, { budget_permille = 0 }).jobs[1].finish, 100000)

-- The clone goes to the job with the higher priority, which has the first slot too.
local ranks = { { submit = 0, maps = 1, map_ms = 10000 },
    { submit = 0, maps = 1, map_ms = 10000, priority = 1 } }
local ranked = run("3x1x0", ranks, { budget_permille = 1 })
check.equal("the clone by priority", ranked.jobs[1].slot_ms .. " " .. ranked.jobs[2].slot_ms,
    "10000 20000")
check.equal("jobs by priority, as fifo has them", run("1x1x0", ranks).digest,
    run("1x1x0", ranks, nil, { policy = "fifo" }).digest)

-- With room for all clones, a job of one wave lasts as long as the better attempts.
for seed = 1, 10 do
    local jobs = { { submit = 0, maps = 5, map_ms = 30000 } }
    local rules = { budget_permille = 1000, factor_lo = 200, factor_hi = 3000 }
    local book, longest = books.new("10x1x0", jobs, rules, seed), 0
    for task = 1, 5 do
        local first = { job = 1, kind = "map", task = task, attempt = 0, node = 0 }
        local second = { job = 1, kind = "map", task = task, attempt = 1, node = 0 }
        longest = math.max(longest, math.min(book:work(first), book:work(second)))
    end
    check.equal("a wave of clones, seed " .. seed,
        run("10x1x0", jobs, rules, { seed = seed }).jobs[1].finish, longest)
end

-- ---- at every instant ---------------------------------------------------------------------------

local function draw(stream)
    local jobs, time = {}, 0
    for i = 1, 25 do
        time = time + stream:random(0, 40000)
        local large = stream:random(1, 4) == 1
        jobs[i] = { submit = time, maps = stream:random(1, large and 20 or 5),
            reduces = stream:random(0, 3), map_ms = stream:random(1000, 40000),
            reduce_ms = stream:random(1000, 40000) }
    end
    return jobs
end

-- The attempt that should be copied on the node, if any: the first of the first small job.
local function expected(book, node, kind, rules)
    local budget, best = math.ceil(book.slots[kind] * rules.budget_permille / 1000), nil
    if book:copied(kind) >= budget then return nil end
    for it in pairs(book.running) do
        local job = book.jobs[it.job]
        local may = it.kind == kind and it.node ~= node and not book:twin(it)
            and job.maps + job.reduces <= rules.tasks_max
        local before = may and (not best or it.job < best.job
            or it.job == best.job and it.task < best.task)
        if before then best = it end
    end
    return best
end

local NODES <const> = "5x2x1+1x2x1x250+1x1x1x600"
local all, all_won = 0, 0
for seed = 1, 24 do
    local jobs, log = draw(pinion.random(seed)), check.temporary_file ""
    local rules = { tasks_max = 6, budget_permille = seed % 2 == 0 and 200 or 500, factor_lo = 500,
        factor_hi = 2500, reduce_start = "after_maps",
        attempt_fail_permille = seed % 3 == 0 and 60 or 0, attempts_max = 9 }
    local result = run(NODES, jobs, rules, { seed = seed, log = log,
        failures = seed % 4 == 0 and "100003:2:300007+200003:0" or nil })
    local copies, won = books.follow(books.new(NODES, jobs, rules, seed), log, result,
        function(book, node, kind) return expected(book, node, kind, rules) end)
    all, all_won = all + copies, all_won + won
end
print "seeds 1..24"
check.is_true("clones: " .. all, all > 300)
check.is_true("clones that end first: " .. all_won, all_won > 100)

-- ---- mistakes of policies -----------------------------------------------------------------------

local function copying(copy, more)
    local policy = pinion.policy([[return { name = "mine", model = "cluster",
  key = { changes = "arrival", of = function(s, job) return s:submit(job) end }, ]] .. (more or "")
        .. "\n  copy = function(s, node, kind) " .. copy .. " end }")
    return run("3x2x0", { { submit = 0, maps = 2, map_ms = 10000 } }, nil, { policy = policy })
end
check.equal("nothing is copied", copying("return nil").copies, 0)
check.equal("one is", copying("if node == 2 and s:copied(kind) < 1 then return 1, 1 end").copies, 1)
check.raises("a job alone", "copy must return a job and a task of it, or nil", copying,
    "return 1, nil")
check.raises("a job that is not there", "copy: map task 1 of job 2 is in no job of the system",
    copying, "return 2, 1")
check.raises("a task that is not there", "copy: map task 3 of job 1 does not run", copying,
    "return 1, 3")
for _, task in ipairs { "0", "1 << 40" } do
    check.raises("task " .. task, string.format("copy: map task %d of job 1 does not run",
        load("return " .. task)()), copying, "return 1, " .. task)
end
check.raises("a name", "copy must return a job and a task of it, or nil, got string", copying,
    "return '1', 1")
check.raises("an error in it", "no copies", copying, "error 'no copies'")
check.raises("on its own node", "copy: map task 1 of job 1 runs on this very node", copying,
    "if node == 0 then return 1, 1 end")
check.raises("a third attempt", "copy: map task 1 of job 1 has two attempts already", copying,
    "if node == 2 then return 1, 1 end")
check.raises("in a fixed order", '"in_order" excludes copy', copying, "return nil",
    'uses = { "in_order" },')

-- The second map ends at 5 s, when the first one is suspended: its node alone can resume it.
check.raises("a suspended task", "time 5000: copy: map task 1 of job 1 does not run", run, "2x1x0",
    { { submit = 0, maps = 1, map_ms = 90000 }, { submit = 0, maps = 1, map_ms = 5000 },
        { submit = 1000, maps = 1, map_ms = 9000 } }, nil, { policy = pinion.policy [[
return { name = "mine", model = "cluster", uses = { "suspends" },
  key = { changes = "arrival", of = function(s, job) return -job end },
  copy = function(s) if s:now() >= 5000 then return 1, 1 end end,
  preempt = function(s, kind)
    for job in s:jobs() do
      if job == 3 and s:pending(job, kind) > 0 then s:suspend(1, kind, 1) end
    end
  end }]] })

check.done()
