-- Replicas of listed jobs: resample=blocks and jobs, arrivals=keep, replicas=windows. Each job of
-- these lists tells its place by its size.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local function failure(...)
    local ok, problem = pcall(...)
    return ok and "nothing" or tostring(problem)
end

-- Makes jobs that arrive in bursts; a place beyond the model's own numbers is its size.
local TIMES = { 1, 2, 2, 3, 20, 21, 22, 60, 61, 61, 62, 63, 98, 99, 100 }
local LISTS = {
    slotted = { arrival = "arrival", size = "maps", from = 0, job = function(i)
        return { arrival = TIMES[i], maps = i, name = "n" .. i, user = i % 2 == 0 and "a" or "b" }
    end },
    tandem = { arrival = "arrival", size = "map", from = 0, job = function(i)
        return { arrival = TIMES[i], map = i, shuffle = 1, user = i % 2 == 0 and "a" or "b" }
    end },
    cluster = { arrival = "submit", size = "maps", from = 0, job = function(i)
        return { submit = TIMES[i], maps = i, map_ms = 1, user = i % 2 == 0 and "a" or "b" }
    end },
    dag = { arrival = "arrival", size = "tasks", from = 0, job = function(i)
        return { arrival = TIMES[i], stages = { { tasks = i, duration = 1, demand = { 1 } } },
            user = i % 2 == 0 and "a" or "b" }
    end },
}

local function size_of(job, of)
    return math.tointeger(of.size == "tasks" and job.stages[1].tasks or job[of.size])
end

local function jobs_of(model, options, replica, seed)
    local list, given = {}, { attributes = { user = { "a", "b" } } }
    for name, value in pairs(options) do given[name] = value end
    for i = 1, #TIMES do list[i] = LISTS[model].job(i) end
    return pinion.workload.jobs(list, given):jobs { model = model, replica = replica, seed = seed,
        machines = model == "slotted" and 10 or nil }
end

local PERIOD = 100 - 1 + 99 / 14 -- a mean gap beyond the span; rounded up where times are integers

-- ---- blocks -------------------------------------------------------------------------------------

-- Cuts jobs of a sample where a block begins, and checks that distances in it are the list's.
local function check_blocks(model, jobs, length, period)
    local of, block, offset = LISTS[model], nil, nil
    for id, job in ipairs(jobs) do
        local i = size_of(job, of)
        local at = job[of.arrival] - TIMES[1]
        check.equal(model .. ": what it carries", job.user, i % 2 == 0 and "a" or "b")
        local now = math.floor(at / length + 1e-9)
        -- Where the block begins in the list, on the circle.
        local begin = (TIMES[i] - TIMES[1] - (at - now * length)) % period
        if now == block then
            local far = math.abs(begin - offset)
            check.is_true(model .. ": a block keeps distances", math.min(far, period - far) < 1e-6)
        end
        block, offset = now, begin
        check.is_true(model .. ": in order", id == 1 or jobs[id - 1][of.arrival] <= job[of.arrival])
    end
end

for model in pairs(LISTS) do
    local period = model == "tandem" and PERIOD or math.ceil(PERIOD)
    local orders = {}
    for replica = 0, 20 do
        local jobs = jobs_of(model, { resample = "blocks(25)" }, replica)
        check_blocks(model, jobs, 25, period)
        check.is_true(model .. ": as long as the list",
            jobs[#jobs][LISTS[model].arrival] - TIMES[1] < period)
        local order = {}
        for i, job in ipairs(jobs) do order[i] = size_of(job, LISTS[model]) end
        orders[table.concat(order, " ")] = true
        if replica == 3 then
            local again = jobs_of(model, { resample = "blocks(25)" }, replica)
            for i, job in ipairs(again) do
                check.equal(model .. ": the same again", size_of(job, LISTS[model]), order[i])
            end
        end
    end
    local count = 0
    for _ in pairs(orders) do count = count + 1 end
    check.is_true(model .. ": replicas differ", count > 15)
    local many = jobs_of(model, { resample = "blocks(25,200)" })
    check.equal(model .. ": so many jobs", #many, 200)
    check_blocks(model, many, 25, period)
end

-- One block as long as the list turns it round.
local round = jobs_of("slotted", { resample = "blocks(107)" }, 4)
check.equal("each job once", #round, #TIMES)
for i = 2, #round do
    check.equal("one behind the other", (round[i].maps - round[i - 1].maps - 1) % #TIMES, 0)
end

-- In the long run each job is drawn equally often, those at the ends too.
local drawn = {}
for replica = 0, 399 do
    for _, job in ipairs(jobs_of("slotted", { resample = "blocks(10)" }, replica)) do
        drawn[job.maps] = (drawn[job.maps] or 0) + 1
    end
end
for i = 1, #TIMES do
    check.is_true("job " .. i .. " about 400 times", math.abs(drawn[i] - 400) < 110)
end

-- Without a form the jobs of a list come in blocks, of at least the cube root of their number.
local usual = jobs_of("slotted", { resample = 15 }, 2)
local gap = 99 / 14
local same = jobs_of("slotted", {
    resample = string.format("blocks(%.17g,15)", gap * 15 ^ (1 / 3)) }, 2)
for i, job in ipairs(usual) do
    check.equal("usual blocks", job.maps .. " at " .. job.arrival,
        same[i].maps .. " at " .. same[i].arrival)
end
check.equal("their number", #usual, 15)

-- ---- jobs one by one ----------------------------------------------------------------------------

local kept = jobs_of("slotted", { resample = "jobs", arrivals = "keep" })
check.equal("as many as there are", #kept, #TIMES)
for i, job in ipairs(kept) do check.equal("arrivals are kept", job.arrival, TIMES[i]) end
local twice = jobs_of("slotted", { resample = "jobs(20)", arrivals = "keep" })
check.equal("so many", #twice, 20)
for i = 16, 20 do check.equal("they begin again", twice[i].arrival, TIMES[i - 15] + 107) end
local poisson = jobs_of("slotted", { resample = "jobs", seed = nil })
check.equal("as many, with new arrivals", #poisson, #TIMES)
for _, job in ipairs(poisson) do check.equal("its name", job.name, "n" .. job.maps) end

-- A generator's jobs are independent, and are drawn one by one.
local function generated(resample)
    local text = ""
    for _, job in ipairs(pinion.workload.zheng { slots = 20, resample = resample }:jobs()) do
        text = text .. job.arrival .. ":" .. job.maps .. " "
    end
    return text
end
check.equal("jobs of a generator", generated(40), generated("jobs(40)"))

-- ---- windows ------------------------------------------------------------------------------------

for model in pairs(LISTS) do
    local seen, of = 0, LISTS[model]
    for replica = 0, 2 do
        for _, job in ipairs(jobs_of(model, { replicas = "windows(3)" }, replica)) do
            seen = seen + 1
            check.equal(model .. ": every job once, in order", size_of(job, of), seen)
        end
    end
    check.equal(model .. ": windows cover the list", seen, #TIMES)
end
-- [0, 36), [36, 72), [72, 107) behind slot 1; each begins at slot 1
local second = jobs_of("slotted", { replicas = "windows(3)" }, 1)
check.equal("begins at 0", second[1].arrival, 60 - 36)
check.equal("… its names", second[1].name, "n8")

-- Windows without jobs are left out. Of ten these are all but 0, 1, 5 and 9.
local function list_of(options)
    local list = {}
    for i = 1, #TIMES do list[i] = LISTS.slotted.job(i) end
    options.attributes = { user = "" }
    return pinion.workload.jobs(list, options)
end
local function compared(options, replicas, more)
    local settings = { workload = list_of(options), machines = 4, policies = { "fifo", "srpt" },
        replicas = replicas, quiet = true }
    for name, value in pairs(more or {}) do settings[name] = value end
    return pinion.compare(settings)
end
check.equal("a replica for each window", compared({ replicas = "windows(10)" }).completed, 4)
check.equal("fewer where fewer are asked for", compared({ replicas = "windows(10)" }, 2).completed,
    2)
check.contains("no more than there are", failure(compared, { replicas = "windows(10)" }, 5),
    "replicas: must be at most 4, the windows of the workload that have jobs, got 5")
check.equal("until they are used up", compared({ replicas = "windows(10)" }, nil,
    { until_half = "1%" }).completed, 4)
check.contains("a replica that is none", failure(pinion.run, { replica = 4, machines = 4,
    workload = list_of { replicas = "windows(10)" }, policy = "fifo" }),
    "replicas: 4 of 10 windows have jobs: the replicas 0..3, got 4")

-- All windows together have the load.
local busy, last = 0, 0
for replica = 0, 2 do
    for _, job in ipairs(jobs_of("slotted", { replicas = "windows(3)", load = 0.1 }, replica)) do
        busy = busy + job.maps
    end
end
for replica = 0, 2 do
    local whole = jobs_of("slotted", { load = 0.1 })
    last = whole[#whole].arrival
    local jobs = jobs_of("slotted", { replicas = "windows(3)", load = 0.1 }, replica)
    local plain = jobs_of("slotted", { replicas = "windows(3)" }, replica)
    local factor = (last - 1) / (TIMES[#TIMES] - 1)
    for i = 2, #jobs do
        check.is_true("one factor for all", math.abs((jobs[i].arrival - jobs[1].arrival)
            - factor * (plain[i].arrival - plain[1].arrival)) <= 1)
    end
end
check.equal("all of the work", busy, 120)

-- ---- units --------------------------------------------------------------------------------------

local function as_text(jobs)
    local text = ""
    for _, job in ipairs(jobs) do text = text .. (job.arrival or job.submit) .. " " end
    return text
end
check.equal("ms", as_text(jobs_of("cluster", { resample = "blocks(0.025s)" })),
    as_text(jobs_of("cluster", { resample = "blocks(25)" })))
check.equal("the model's own unit", as_text(jobs_of("slotted", { resample = "blocks(25slots)" })),
    as_text(jobs_of("slotted", { resample = "blocks(25)" })))
local swf = check.temporary_file((function()
    local lines = {}
    for i, time in ipairs(TIMES) do
        lines[i] = string.format("%d %d 0 %d 1 -1 -1 1 60 -1 1 %d 1 -1 1 -1 -1 -1", i, time * 60,
            60 * i, i % 3)
    end
    return table.concat(lines, "\n") .. "\n"
end)())
local function of_swf(text)
    return as_text(pinion.workload.spec("swf:" .. swf .. ",slot=30,resample=" .. text):jobs {
        model = "slotted", machines = 4 })
end
check.equal("slots of a trace have a length", of_swf "blocks(10min)", of_swf "blocks(20)")

-- ---- mistakes -----------------------------------------------------------------------------------

for resample, wanted in pairs {
    ["blocks(0)"] = "blocks: must be a time > 0 such as 500, 90min or 1h, got '0'",
    ["blocks(1h)"] = "the jobs do not say how long a unit of their time is (expected a number "
        .. "without a unit)",
    ["blocks(3parsecs)"] = "times of the slotted model are in slots, got parsecs",
    ["blocks(108)"] = "blocks of 108 are longer than the jobs, whose arrivals last 107",
    ["blocks(5,0)"] = "number of jobs: must be an integer in 1..",
    ["blocks(5,6,7)"] = "must be a number of jobs, jobs, jobs(N), blocks, blocks(1h) or blocks(",
    ["block(5)"] = "must be a number of jobs, jobs, jobs(N)",
    ["jobs("] = "must be a number of jobs, jobs, jobs(N)",
} do
    check.contains(resample, failure(jobs_of, "slotted", { resample = resample }), wanted)
end
check.contains("short blocks", failure(function()
    local list = { { submit = 0, maps = 1, map_ms = 1 } }
    list[2] = { submit = 1 << 40, maps = 1, map_ms = 1 }
    return pinion.workload.jobs(list, { resample = "blocks(1)" }):jobs()
end), "blocks are so short that there would be more than 10^7 of them")
local AT_ONCE = { { arrival = 1, maps = 1 }, { arrival = 1, maps = 2 } }
for name, option in pairs { resample = "blocks", replicas = "windows(2)" } do
    check.contains(name .. " of jobs that arrive at once", failure(function()
        return pinion.workload.jobs(AT_ONCE, { [name] = option }):jobs()
    end), "the jobs all arrive at once")
end
check.equal("… which are drawn one by one", #pinion.workload.jobs(AT_ONCE, { resample = 9 }):jobs(),
    9)
for options, wanted in pairs {
    [{ arrivals = "keep" }] = "arrivals: keep needs resample=jobs",
    [{ arrivals = "keep", resample = "blocks" }] = "keep needs resample=jobs (blocks keep their",
    [{ resample = "jobs", replicas = "windows(2)" }] = "replicas: contradicts resample",
    [{ replicas = "24" }] = "replicas: must be windows(N) such as windows(24), got '24'",
    [{ replicas = "windows(0)" }] = "replicas: number of windows: must be an integer in 1..",
} do
    check.contains(wanted, failure(jobs_of, "slotted", options), wanted)
end
check.contains("generators have no windows", failure(pinion.workload.spec,
    "zheng:0,replicas=windows(3)"), "replicas: unknown option")

check.done()
