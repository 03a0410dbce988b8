-- Preemption that suspends: by hand, when attempts stop and resume; in random runs, that twins
-- decide as the built-in policies do, nothing is killed and no work is lost, and that suspended
-- tasks resume on their nodes before others of their job start there.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"
local books = require "attempts"

local PAIRS <const> = {
    ["hsrtf-pup"] = "policies/cluster/hsrtf_pup.lua",
    ["hsrtf-prp"] = "policies/cluster/hsrtf_prp.lua",
}

local function run(policy, nodes, jobs, params, more)
    local options = { model = "cluster", policy = policy, nodes = nodes, workload = jobs,
        quiet = true, params = params }
    for name, value in pairs(more or {}) do options[name] = value end
    return pinion.run(options)
end

-- The events of a job as text, "time event kind task" each.
local function story(log, job, events)
    local lines = {}
    for _, entry in ipairs(books.read(log)) do
        if entry.job == job and events[entry.event] then
            lines[#lines + 1] = string.format("%d %s %s %d", entry.time, entry.event, entry.kind,
                entry.task)
        end
    end
    return table.concat(lines, ", ")
end
local STOPS <const> = { suspend = true, resume = true, kill = true }

-- ---- by hand ------------------------------------------------------------------------------------

-- Two of four maps of 100 s have both nodes when a map of 5 s comes. At the tick of 10 s one of
-- them loses its slot; as both are as far, it is the one with the higher number.
local LONG_MAPS = {
    { submit = 0, maps = 4, map_ms = 100000 },
    { submit = 1000, maps = 1, map_ms = 5000 },
}
local log = check.temporary_file ""
local stopped = run("hsrtf-pup", "2x1x0", LONG_MAPS, { preemption = "suspend" }, { log = log })
check.equal("the short map starts at once", stopped.jobs[2].finish, 15000)
check.equal("and the other one goes on where it was", story(log, 1, STOPS),
    "10000 suspend map 2, 15000 resume map 2")
check.equal("the long job is late by the time of the short one", stopped.jobs[1].finish, 205000)
check.equal("no slot time is lost", stopped.jobs[1].slot_ms, 400000)
check.equal("one suspension, no kill", stopped.suspensions .. " " .. stopped.kills, "1 0")

-- Restoring takes 14 s: the map that resumes at 15 s does not work before 29 s. The short map that
-- comes at 16 s stops it; it has still worked for 10 s, and works again 14 s after it resumes. A
-- limit of one suspension protects it.
local TWICE <const> = table.move(LONG_MAPS, 1, 2, 1, { [3] = { submit = 16000, maps = 1,
    map_ms = 5000 } })
for _, case in ipairs {
    { 2, "10000 suspend map 2, 15000 resume map 2, 16000 suspend map 2, 21000 resume map 2",
        125000 },
    { 1, "10000 suspend map 2, 15000 resume map 2, 16000 suspend map 1, 21000 resume map 1",
        119000 },
} do
    local most, stops, ends = table.unpack(case)
    local paid = run("hsrtf-pup", "2x1x0", TWICE, { preemption = "suspend", restore_ms = 14000,
        max_kills_per_task = most }, { log = log })
    check.equal("stops", story(log, 1, STOPS), stops)
    check.equal("the third job", paid.jobs[3].finish, 21000)
    check.matches("its end", story(log, 1, { ["end"] = true }), ends .. " end map 2")
end
-- Saving takes 3 s: the short map gets the slot at 10 s and works from 13 s on. Its slot saves
-- nothing when the long map resumes.
local saving = run("hsrtf-pup", "2x1x0", LONG_MAPS, { preemption = "suspend", save_ms = 3000 },
    { log = log })
check.equal("the short map waits for the saving", saving.jobs[2].finish, 18000)
check.equal("and holds its slot", saving.jobs[2].slot_ms, 8000)
check.equal("the other map resumes then", story(log, 1, STOPS),
    "10000 suspend map 2, 18000 resume map 2")
check.equal("and works at once", saving.jobs[1].finish, 208000)
check.equal("a permille of the 10 s that it has worked", run("hsrtf-pup", "2x1x0", LONG_MAPS,
    { preemption = "suspend", save_permille = 251 }).jobs[2].finish, 10000 + 2510 + 5000)
-- Saving takes 20 s, until 30 s. A shorter job comes at 11 s and gets the slot of the short map,
-- which has not worked: nothing is saved anew. The short map resumes at 32 s.
local SHORTER <const> = table.move(LONG_MAPS, 1, 2, 1, { [3] = { submit = 11000, maps = 1,
    map_ms = 2000, priority = 1 } })
local waiting = run("hsrtf-pup", "1x1x0", SHORTER, { preemption = "suspend", save_ms = 20000 },
    { log = log })
check.equal("stops of the short map", story(log, 2, STOPS),
    "11000 suspend map 1, 32000 resume map 1")
check.equal("the shorter one waits for the first saving", waiting.jobs[3].finish, 32000)
check.equal("the short one works when it resumes", waiting.jobs[2].finish, 37000)
local killed = run("hsrtf-pup", "2x1x0", LONG_MAPS, { preemption = "kill" }, { log = log })
check.equal("a kill begins anew", story(log, 1, STOPS), "10000 kill map 2")
check.equal("and loses 10 s", killed.jobs[1].slot_ms, 410000)
check.equal("killed in place of suspended", killed.suspensions .. " " .. killed.kills, "0 1")

-- A reduce of 50 s runs since 1 s when a job of 1 s and 2 s comes; at the tick of 20 s, with 19 s
-- of its work done, it stops for 2 s. All that is measured from its launch leaves that out.
local REDUCES = {
    { submit = 0, maps = 1, map_ms = 1000, reduces = 1, reduce_ms = 50000 },
    { submit = 12000, maps = 1, map_ms = 1000, reduces = 1, reduce_ms = 2000 },
}
local reduced = run("hsrtf-pup", "1x1x1", REDUCES, { preemption = "suspend" }, { log = log })
check.equal("a reduce stops", story(log, 1, STOPS), "20000 suspend reduce 1, 22000 resume reduce 1")
check.equal("the short job", reduced.jobs[2].finish, 22000)
check.equal("ends later by 2 s", reduced.jobs[1].finish, 1000 + 50000 + 2000)
check.equal("with the slot time of its work", reduced.jobs[1].slot_ms, 1000 + 50000)

-- ---- random runs --------------------------------------------------------------------------------

local function draw(stream)
    local jobs, time = {}, 0
    for i = 1, 30 do
        time = time + stream:random(1, 20000)
        jobs[i] = { submit = time, maps = stream:random(1, 12), reduces = stream:random(0, 4),
            map_ms = stream:random(1000, 60000), reduce_ms = stream:random(1000, 60000) }
    end
    return jobs
end

local function work_of(job) return job.maps * job.map_ms + job.reduces * job.reduce_ms end

-- Attempts are on one node, and work as long as their task takes, suspensions aside; a job starts
-- no task where one of its own is suspended.
local function trace(path, jobs)
    local attempts, wrong, here = {}, {}, {}
    for _, entry in ipairs(books.read(path)) do
        local name = string.format("%d %s %d", entry.job, entry.kind or "", entry.task or 0)
        local place = string.format("%d %s on %d", entry.job, entry.kind or "", entry.node or 0)
        local it, suspended = attempts[name], here[place] or 0
        local function expect(fact) if not fact then wrong[#wrong + 1] = entry.time .. name end end
        if entry.event == "launch" then
            expect(not it and suspended == 0)
            attempts[name] = { node = entry.node, since = entry.time, worked = 0 }
        elseif entry.event == "suspend" then
            expect(it.since and it.node == entry.node and entry.attempt == 0)
            it.worked, it.since = it.worked + entry.time - it.since, nil
            here[place] = suspended + 1
        elseif entry.event == "resume" then
            expect(not it.since and it.node == entry.node and entry.attempt == 0)
            it.since, here[place] = entry.time, suspended - 1
        elseif entry.event == "end" then
            local job = jobs[entry.job]
            local work = entry.kind == "map" and job.map_ms or job.reduce_ms
            expect(it.worked + entry.time - it.since == work)
        end
    end
    return table.concat(wrong, ", ")
end

local NODES <const> = "4x2x1"
local sums = { ["hsrtf-pup"] = 0, ["hsrtf-prp"] = 0 }
for seed = 1, 12 do
    local jobs = draw(pinion.random(seed))
    local params = { preemption = "suspend", reduce_start = "after_maps", tick_ms = 5000,
        heartbeat_ms = seed % 3 * 600, colocate = seed % 2 == 0 }
    for policy, twin in pairs(PAIRS) do
        local name = policy .. ", seed " .. seed
        local result = run(policy, NODES, jobs, params, { log = log })
        check.equal("twin of " .. name, run(twin, NODES, jobs, params).digest, result.digest)
        check.equal("finished: " .. name, result.unfinished, 0)
        check.equal("killed: " .. name, result.kills, 0)
        check.equal("attempts: " .. name, trace(log, jobs), "")
        for id, job in ipairs(jobs) do
            check.equal(string.format("slot time of job %d, %s", id, name),
                result.jobs[id].slot_ms, work_of(job))
        end
        sums[policy] = sums[policy] + result.suspensions
    end
end
print "seeds 1..12"
for policy, count in pairs(sums) do
    check.is_true("suspensions of " .. policy .. ": " .. count, count > 100)
end

-- Factors, failures and nodes that go down: the twins still decide alike.
for seed = 1, 12 do
    local jobs = draw(pinion.random(100 + seed))
    for _, job in ipairs(jobs) do job.shuffle_ms, job.remote_ms = 9000, 2000 end
    local params = { preemption = "suspend", tick_ms = 5000, factor_lo = 500, factor_hi = 1500,
        attempt_fail_permille = 30, attempts_max = 9, heartbeat_ms = seed % 3 * 600,
        restore_ms = seed % 2 * 700, restore_permille = seed % 4 * 50,
        save_ms = seed % 5 * 300, save_permille = seed % 3 * 40 }
    local more = { failures = "60000:2:90000+80000:0:200000", seed = seed }
    for policy, twin in pairs(PAIRS) do
        local result = run(policy, NODES, jobs, params, more)
        check.equal("twin of " .. policy .. " in trouble, seed " .. seed,
            run(twin, NODES, jobs, params, more).digest, result.digest)
        check.equal("finished in trouble, seed " .. seed, result.unfinished, 0)
        check.is_true("suspended in trouble, seed " .. seed, result.suspensions > 0)
    end
end

-- ---- what a policy sees -------------------------------------------------------------------------

-- Suspends the map of job 1 when job 2 comes, and tells of it.
local WATCHER <const> = [[return { name = "watcher", model = "cluster", uses = { %s },
  key = { changes = "arrival", of = function(s, job) return -s:submit(job) end },
  preempt = function(s, kind)
    if kind == "reduce" or s:in_system() < 2 or s:suspended(1, "map") > 0 then return end
    if s:done(2, "map") > 0 then return end
    local taken = %s
    for task, node, start, attempt, progress, copied in s:tasks_suspended(1, "map") do
      assert(task == 1 and node == 0 and start == 0 and attempt == 0 and not copied)
      assert(progress == 200000 and s:resumes(1, "map", 0) and not s:resumes(1, "map", 1))
    end
    assert(s:unfinished(1, "map") == 1 and s:need(1, "map") == 1 and s:pending(1, "map") == 0)
    assert(s:running(1, "map") == 0 and s:suspended(1, "map") == 1)
  end }]]
local PAIR <const> = {
    { submit = 0, maps = 1, map_ms = 10000, blocks = { { 0 } } },
    { submit = 2000, maps = 2, map_ms = 3000, blocks = { { 0 }, { 0 } } },
}
local function watch(uses, taken, params)
    return run(pinion.policy(WATCHER:format(uses, taken)), "1x1x0+1x0x1", PAIR, params)
end
for _, taken in ipairs { 's:suspend(1, "map", 1)', 's:suspend_task(1, "map", 1)' } do
    local result = watch('"suspends"', taken)
    check.equal("finishes: " .. taken, result.jobs[2].finish .. " " .. result.jobs[1].finish,
        "8000 16000")
end
-- The map of job 1 resumes at 8000 ms, when it had worked for 2000 (CL44).
for finish, params in pairs { [17000] = { restore_ms = 1000 },
    [16500] = { restore_permille = 250 },
    [17502] = { restore_ms = 1000, restore_permille = 251 },
    [17600] = { save_ms = 1000, save_permille = 300 } } do
    check.equal("price of a suspension", watch('"suspends"', 's:suspend(1, "map", 1)',
        params).jobs[1].finish, finish)
end
-- Job 2 gets the slot of job 1 at 2 s, which saves until 7 s, and loses it to job 3 at 3 s: the
-- slot saves until then all the same.
local killer = pinion.policy [[return { name = "killer", model = "cluster", uses = { "suspends" },
  key = { changes = "arrival", of = function(s, job) return -s:submit(job) end },
  preempt = function(s, kind)
    if kind == "map" and s:in_system() == 2 and s:done(2, "map") == 0 then
      s:suspend(1, "map", 1)
    elseif kind == "map" and s:in_system() == 3 then
      s:kill(2, "map", 1)
    end
  end }]]
local outlived = run(killer, "1x1x0", {
    { submit = 0, maps = 1, map_ms = 10000 }, { submit = 2000, maps = 1, map_ms = 3000 },
    { submit = 3000, maps = 1, map_ms = 1000 },
}, { save_ms = 5000, tick_ms = 100000 })
check.equal("a saving outlives the attempt that waits for it", outlived.jobs[3].finish .. " "
    .. outlived.jobs[2].finish .. " " .. outlived.jobs[1].finish, "8000 11000 19000")
check.raises("a policy that does not say that it suspends",
    'uses = { "suspends" }', watch, "", 's:suspend(1, "map", 1)')
check.raises("a task that does not run", "its map task 2 does not run", watch, '"suspends"',
    's:suspend_task(1, "map", 2)')
check.raises("elsewhere than in preempt", "tasks are suspended only in preempt", run,
    pinion.policy [[return { name = "early", model = "cluster", uses = { "suspends" },
  key = { changes = "arrival", of = function(s, job) return s:submit(job) end },
  preempt = function(s, kind) end, arrive = function(s, job) s:suspend(job, "map", 1) end }]],
    "1x1x0", PAIR)
check.raises("without preempt", '"suspends" needs a function preempt', pinion.policy,
    [[return { name = "none", model = "cluster", uses = { "suspends" },
  key = { changes = "arrival", of = function(s, job) return s:submit(job) end } }]])

-- ---- policies of one's own ----------------------------------------------------------------------

local TWO <const> = { { submit = 0, maps = 1, map_ms = 9000 },
    { submit = 1000, maps = 1, map_ms = 2000 } }
local function own(text, jobs)
    return run(pinion.policy("return { name = 'own', model = 'cluster', uses = { 'suspends' }, "
        .. text .. " }"), "1x1x0", jobs or TWO)
end
local WHEN_TWO <const> = [[preempt = function(s, kind)
  if s:in_system() == 2 and s:pending(2, kind) > 0 then %s end end,]]
local BY_KEY <const> = "key = { changes = 'arrival', of = function(s, job) return -job end }"
local PICK <const> = [[pick = function(s, node, kind)
  local best
  for job in s:jobs() do
    if s:suspended(job, kind) > 0 then best = best or job end
    if s:pending(job, kind) > 0 then best = job end
  end
  return best and best + %s end]]
for _, none in ipairs { "0", "0.0" } do
    local resumed = own(WHEN_TWO:format "s:suspend(1, kind, 1)" .. PICK:format(none))
    check.equal("a picked job resumes", resumed.jobs[1].finish, 11000)
    check.equal("the other one went first", resumed.jobs[2].finish, 3000)
    check.equal("one suspension", resumed.suspensions, 1)
end
check.raises("a task that is suspended", "job 1 at time 1000: its map task 1 does not run", own,
    WHEN_TWO:format "s:suspend(1, kind, 1) s:suspend_task(1, kind, 1)" .. BY_KEY)
check.raises("a task that cannot be", "job 1 at time 1000: its map task 1099511627776 does not run",
    own, WHEN_TWO:format "s:suspend_task(1, kind, 1 << 40)" .. BY_KEY)

check.done()
