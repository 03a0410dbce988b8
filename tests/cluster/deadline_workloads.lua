-- Jobs with deadlines: the workloads of the paper on RTMR against its tables III and IV, and
-- deadlines for the jobs of any generator or trace of the cluster model.

package.path = "tests/support/?.lua;" .. package.path
local pinion = require "pinion"
local check = require "check"
local program = require "program"
local core = require "pinion.core"

local function show(value)
    if type(value) ~= "table" then return tostring(value) end
    local pieces = {}
    for _, key in ipairs(require "pinion.base.check".sorted_keys(value)) do
        pieces[#pieces + 1] = key .. "=" .. show(value[key])
    end
    return "{" .. table.concat(pieces, " ") .. "}"
end

local function up(a, b) return (a + b - 1) // b end

local function jobs_of(work, binding)
    binding = binding or {}
    binding.model = "cluster"
    return work:open(binding).core:jobs(1000000)
end

local function rtmr(options, binding)
    return jobs_of(pinion.workload.rtmr(options), binding)
end

-- ---- tables III and IV --------------------------------------------------------------------------

-- Jobs, and the bounds of maps, reduces and deadlines, in seconds, of each bin.
local TABLES = {
    I = { { 38, 1, 1, 1, 5, 200, 300 }, { 16, 2, 2, 1, 5, 200, 300 },
        { 14, 10, 10, 5, 10, 300, 400 }, { 8, 50, 50, 10, 20, 500, 800 },
          { 6, 100, 100, 20, 30, 1000, 1500 }, { 6, 200, 200, 30, 30, 2000, 2500 } },
    II = { { 9, 1, 10, 1, 5, 200, 300 }, { 24, 10, 50, 5, 10, 300, 500 },
        { 25, 50, 100, 15, 30, 1000, 1500 },
           { 18, 100, 200, 25, 50, 1500, 2500 }, { 13, 200, 300, 35, 70, 2500, 3500 } },
}
local NUMBERS = { "maps", "reduces", "deadline" }
local JOBS, REPLICAS, SPAN = { I = 88, II = 89 }, 60, 1260000

-- Sums of draws of each number of each bin, and of what is random beside them.
local function new_sums(bins)
    local sums = { square_gaps = 0, places = {} }
    for b = 1, #bins do
        sums[b], sums.places[b] = {}, 0
        for _, name in ipairs(NUMBERS) do
            sums[b][name] = { sum = 0, least = math.huge, most = 0 }
        end
    end
    return sums
end

local function add(drawn, value)
    drawn.sum, drawn.least, drawn.most = drawn.sum + value, math.min(drawn.least, value),
        math.max(drawn.most, value)
end

-- One replica: everything that is certain is checked at once.
local function go_through(jobs, bins, sums, where)
    local counts, wrong, gap = {}, "", SPAN / (#jobs - 1)
    for i, job in ipairs(jobs) do
        local b = job.group + 1
        local reduce_work = 4600 * job.reduces + 7100 * job.maps
        counts[b] = (counts[b] or 0) + 1
        sums.places[b] = sums.places[b] + i / (#jobs + 1)
        for k, name in ipairs(NUMBERS) do
            local value = name == "deadline" and job.deadline / 1000 or job[name]
            add(sums[b][name], value)
            if value < bins[b][2 * k] or value > bins[b][2 * k + 1] then
                wrong = wrong .. " " .. name .. " " .. value
            end
        end
        local times = string.format("%d %d %d %d %d", job.map_ms, job.est_map_ms, job.reduce_ms,
            job.est_reduce_ms, job.deadline % 1000)
        local want = string.format("15500 27127 %d %d 0", reduce_work // job.reduces,
            up(10950 * reduce_work, 1000 * job.reduces) + 2)
        if times ~= want then wrong = wrong .. " times " .. times end
        if i > 1 then
            sums.square_gaps = sums.square_gaps + ((job.submit - jobs[i - 1].submit) / gap) ^ 2
                / (#jobs - 1)
        end
    end
    check.equal(where .. " within bounds", wrong, "")
    for b, bin in ipairs(bins) do check.equal(where .. " jobs of bin " .. b, counts[b], bin[1]) end
    check.equal(where .. " 21 minutes", jobs[1].submit .. ".." .. jobs[#jobs].submit, "0.." .. SPAN)
end

-- The mean of so many draws, which are uniform between integers, is this near with all but 10^-6 of
-- certainty.
local function near(what, mean, low, high, draws)
    local deviation = math.sqrt(((high - low + 1) ^ 2 - 1) / 12 / draws)
    check.is_true(string.format("%s: %g is near %g", what, mean, (low + high) / 2),
        math.abs(mean - (low + high) / 2) <= 4.9 * deviation)
end

for name, bins in pairs(TABLES) do
    local sums, work = new_sums(bins), pinion.workload.rtmr { workload = name }
    for replica = 0, REPLICAS - 1 do
        go_through(jobs_of(work, { replica = replica }), bins, sums,
            string.format("workload %s, replica %d:", name, replica))
    end
    for b, bin in ipairs(bins) do
        local draws = REPLICAS * bin[1]
        for k, number in ipairs(NUMBERS) do
            local drawn, low, high = sums[b][number], bin[2 * k], bin[2 * k + 1]
            near(string.format("workload %s, %s of bin %d", name, number, b), drawn.sum / draws,
                low, high, draws)
            if high - low < 20 then
                check.equal("its bounds", drawn.least .. ".." .. drawn.most, low .. ".." .. high)
            end
        end
        near(string.format("workload %s, places of bin %d", name, b), 1000 * sums.places[b] / draws,
            1, 999, draws)
    end
    -- Of an exponential gap the mean square is twice the squared mean; with a fixed sum of n gaps,
    -- 2n / (n + 1) of it.
    local gaps = JOBS[name] - 1
    local square, want = sums.square_gaps / REPLICAS, 2 * gaps / (gaps + 1)
    check.is_true(string.format("workload %s, gaps: %g is near %g", name, square, want),
        math.abs(square - want) < 4.9 * 2 / math.sqrt(REPLICAS * gaps))
end

-- ---- its options --------------------------------------------------------------------------------

local made = pinion.workload.rtmr {}:open {}
check.equal("groups of I", table.concat(made.groups, ","),
    "1 map,2 maps,10 maps,50 maps,100 maps,200 maps")
check.equal("groups of II", table.concat(pinion.workload.spec "rtmr:II":open {}.groups, ","),
    "1-10 maps,10-50 maps,50-100 maps,100-200 maps,200-300 maps")
check.equal("a seed of its own", made.seed, 1)
check.equal("one by one", show(made.core:job(7)), show(made.core:jobs(100)[7]))
check.equal("the same again", show(rtmr {}),
    show(rtmr { workload = "I", seed = 1, gap_ms = 14000, pessimism = "1/1" }))
check.is_true("another seed", show(rtmr {}) ~= show(rtmr { seed = 2 }))
check.equal("the run's seed", show(rtmr({}, { seed = 2 })), show(rtmr { seed = 2 }))
check.is_true("another replica", show(rtmr {}) ~= show(rtmr({}, { replica = 1 })))

local function counts_of(jobs)
    local counts = {}
    for _, job in ipairs(jobs) do counts[job.group + 1] = (counts[job.group + 1] or 0) + 1 end
    for b = 1, 6 do counts[b] = counts[b] or 0 end
    return table.concat(counts, " ")
end
local many = rtmr { jobs = 10000 }
check.equal("the mix in proportion", counts_of(many), "4318 1818 1591 909 682 682")
check.equal("in the same mean gap", many[#many].submit, 14000 * 90 * 10000 // 88)
check.equal("a small mix", counts_of(rtmr { jobs = 5 }), "2 1 1 1 0 0")
check.equal("of the other table", counts_of(rtmr { jobs = 178, workload = "II" }),
    "18 48 50 36 26 0")
local one = rtmr { jobs = 1 }
check.equal("one job", #one .. " " .. one[1].submit .. " " .. one[1].maps, "1 0 1")
local twice, at_once = rtmr { gap_ms = 28000 }, rtmr { gap_ms = 0 }
check.equal("gaps twice as long", twice[88].submit, 2 * SPAN)
check.equal("no gaps", at_once[88].submit, 0)
for i, job in ipairs(rtmr {}) do
    check.is_true("instants in proportion", math.abs(twice[i].submit - 2 * job.submit) <= 1)
    job.submit, twice[i].submit, at_once[i].submit = nil, nil, nil
    check.equal("gaps change nothing else", show(twice[i]) .. show(at_once[i]), show(job):rep(2))
end

-- Jobs are left out as they are.
local all, kept = rtmr { workload = "II" }, rtmr { workload = "II", drop_reduces_above = 30 }
local left = {}
for _, job in ipairs(all) do
    if job.reduces <= 30 then left[#left + 1] = job end
end
check.is_true("some are left out", #kept < #all and #kept > 50)
check.equal("the others stay", show(kept), show(left))
check.raises("none is left", "workload rtmr: no job is left: all have more than 0 reduces", rtmr,
    { drop_reduces_above = 0 })

-- The busier kind of slots, of the paper's cluster or of the run's.
local function busy(jobs, map_slots, reduce_slots)
    local maps, reduces = 0, 0
    for _, job in ipairs(jobs) do
        maps, reduces = maps + job.maps * job.map_ms, reduces + job.reduces * job.reduce_ms
    end
    local span = jobs[#jobs].submit
    return maps / map_slots / span, reduces / reduce_slots / span
end
local map_load, reduce_load = busy(rtmr { load = 0.8 }, 100, 30)
check.is_true("load of the reduce slots", math.abs(reduce_load - 0.8) < 1e-5 and map_load < 0.8)
map_load, reduce_load =
    busy(rtmr({ load = 0.8, workload = "II" },
    { nodes = { { count = 5, map_slots = 2, reduce_slots = 8, speed = 1000 } } }), 10, 40)
check.is_true("load of the map slots", math.abs(map_load - 0.8) < 1e-5 and reduce_load < 0.8)
check.raises("both", "rtmr: gap_ms: cannot be given together with load", rtmr,
    { load = 0.8, gap_ms = 14000 })
check.raises("hardly any", "workload rtmr: submissions pass 2^53 ms (expected a higher load)", rtmr,
    { load = 1e-12 })

local other = rtmr { map_ms = 1000, reduce_ms = 100, reduce_block_ms = 10, est_map_permille = 1001,
    est_reduce_permille = 500, pessimism = "3/2" }
for i, job in ipairs(rtmr {}) do
    local work = 100 * job.reduces + 10 * job.maps
    check.equal("other times " .. i,
        string.format("%d %d %d %d", other[i].map_ms, other[i].est_map_ms, other[i].reduce_ms,
        other[i].est_reduce_ms),
        string.format("1000 %d %d %d", 1502 + 2, work // job.reduces,
            up(750 * work, 1000 * job.reduces) + 2))
end
check.equal("tasks of no time",
    show(rtmr({ map_ms = 0, reduce_ms = 0, reduce_block_ms = 0, jobs = 1 })[1]),
    show { deadline = one[1].deadline, est_map_ms = 2, est_reduce_ms = 2, group = 0, map_ms = 0,
        maps = 1, reduces = one[1].reduces, submit = 0 })
check.raises("too long", "estimates pass 2^40 ms", rtmr,
    { reduce_ms = (1 << 30) - 1, est_reduce_permille = (1 << 20) - 1 })
check.raises("too long maps", "job 1: its estimates pass 2^40 ms", rtmr,
    { est_map_permille = 1048575, map_ms = (1 << 30) - 1, jobs = 1 })
local loaded = { jobs = 100, load = 0.5, drop_reduces_above = 20 }
local map_work, reduce_work, last = 0, 0, 0
for _, job in ipairs(rtmr(loaded)) do
    check.is_true("few reduces are left", job.reduces <= 20)
    map_work = map_work + job.maps * job.map_ms
    reduce_work = reduce_work + job.reduces * job.reduce_ms
    last = job.submit
end
check.is_true("the load of those that are left", last > 0 and math.abs(math.max(map_work / 100,
    reduce_work / 30) / (0.5 * last) - 1) < 0.2)
local mapped = core.workload_rtmr { workload = "I", jobs = 50, load = 0.5, map_ms = 9,
    reduce_ms = 1000000, reduce_block_ms = 0, est_map_permille = 1, est_reduce_permille = 1,
    drop_reduces_above = 30, map_slots = 1, reduce_slots = 0, seed = 1 }
check.equal("no load of reduces without their slots", mapped:totals().jobs, 50)
check.raises("too pessimistic", "rtmr: pessimism: makes more of est_map_permille than 1048575",
    rtmr, { pessimism = 600 })
check.raises("no such table", "rtmr: workload: must be I or II, got 'III'", rtmr,
    { workload = "III" })
check.raises("no jobs", "rtmr: jobs: must be an integer in 1..10000000, got 0", rtmr, { jobs = 0 })
check.equal("the paper's cluster", show(pinion.workload.rtmr { map_ms = 9 }:default_settings()),
    "{nodes={1={count=20 map_slots=4 reduce_slots=1 speed=1000} "
    .. "2={count=10 map_slots=2 reduce_slots=1 speed=1000}} params={factor_hi=1000 "
        .. "factor_lo=500 theta_ms=9}}")

-- ---- deadlines for others -----------------------------------------------------------------------

local NODES = { { count = 3, map_slots = 2, reduce_slots = 1, speed = 1000 },
    { count = 1, map_slots = 1, reduce_slots = 2, speed = 700 } }

-- What a job is estimated to take on these nodes when nobody else is there.
local function alone(job)
    local function longest(times, every)
        return times and #times > 0 and math.max(table.unpack(times)) or times and 0 or every or 0
    end
    local map = job.est_map_ms
        or math.max(1, up((longest(job.map_times, job.map_ms) + (job.remote_ms or 0)) * 1000, 700))
    local reduce = job.est_reduce_ms
        or longest(job.shuffle_times, job.shuffle_ms) + math.max(1,
            up(longest(job.reduce_times, job.reduce_ms) * 1000, 700))
    return up(job.maps, 7) * map + up(job.reduces, 5) * reduce
end

local RUMEN = "tests/data/rumen.json"
local KINDS = {
    facebook = pinion.workload.facebook, hsrtf = pinion.workload.hsrtf, rtmr = pinion.workload.rtmr,
    rumen = function(options)
        options.blocks = "drawn"
        return pinion.trace.rumen(RUMEN, options)
    end,
    google = function(options) return pinion.trace.google(
        { "tests/data/google_0.csv", "tests/data/google_1.csv" }, options) end,
}
for kind, make in pairs(KINDS) do
    local plain, due = jobs_of(make {}), jobs_of(make { deadline_factor = 1 }, { nodes = NODES })
    local later, between = jobs_of(make { deadline_factor = 2.5 }, { nodes = NODES }),
        jobs_of(make { deadline_factor = "uniform(1.5,4)" }, { nodes = NODES })
    local fixed, drawn = jobs_of(make { deadline_ms = 60000 }),
        jobs_of(make { deadline_ms = "uniform(200,300)" })
    local again = jobs_of(make { deadline_ms = "uniform(200,300)" },
        { replica = kind == "hsrtf" and 1 or 0 })
    local differ = 0
    for i, job in ipairs(plain) do
        local ms = alone(job)
        local what = kind .. " " .. i
        check.equal(what .. ": as estimated", due[i].deadline, ms)
        check.equal(what .. ": longer", later[i].deadline, up(5 * ms, 2))
        check.is_true(what .. ": between", between[i].deadline >= 1.5 * ms and between[i].deadline
            <= 4 * ms + 1)
        check.equal(what .. ": ms", fixed[i].deadline, 60000)
        check.is_true(what .. ": drawn", drawn[i].deadline >= 200 and drawn[i].deadline <= 300)
        if drawn[i].deadline ~= again[i].deadline then differ = differ + 1 end
        job.deadline = 60000
        check.equal(what .. ": nothing else changes", show(fixed[i]), show(job))
    end
    check.equal(kind .. ": another replica has others", differ > 0, kind == "hsrtf")
end

-- All draws of the range, evenly.
local sum, draws, least, most = 0, 5000, math.huge, 0
for _, job in ipairs(
        jobs_of(pinion.workload.facebook { jobs = draws, deadline_ms = "uniform(1,100)" })) do
    sum, least, most = sum + job.deadline, math.min(least, job.deadline),
        math.max(most, job.deadline)
end
near("deadlines of a range", sum / draws, 1, 100, draws)
check.equal("all of it", least .. ".." .. most, "1..100")

local factor = { deadline_factor = 2 }
check.raises("no cluster",
    "workload 'facebook,deadline_factor=2': deadline_factor: needs the nodes of a cluster", jobs_of,
    pinion.workload.facebook(factor))
check.raises("both kinds",
    "hsrtf: deadline_ms: cannot be given together with deadline_factor",
    pinion.workload.hsrtf,
    { deadline_factor = 2, deadline_ms = 3 })
check.raises("no distribution", "hsrtf: deadline_factor: must be a distribution such as exp(5)",
    pinion.workload.hsrtf, { deadline_factor = {} })
check.raises("no time", "hsrtf: deadline_ms: constant: value must be a number > 0",
    pinion.workload.hsrtf, { deadline_ms = 0 })
check.raises("far away", "job 1: its deadline, drawn at random, passes 2^53 ms", function()
    local source = pinion.workload.hsrtf { deadline_factor = 1e15 }:open { nodes = NODES }.core
    check.equal("no job", source:jobs(9), nil)
    error((select(2, source:jobs(9))))
end)
check.raises("in other models", "deadline_ms: is an option of the cluster model",
    function() pinion.workload.facebook { deadline_ms = 3 }:open { model = "slotted" } end)
check.equal("which model", pinion.workload.facebook { deadline_ms = 3 }:only_model(), "cluster")
check.equal("fixed jobs stay so", tostring(pinion.workload.hsrtf(factor).random)
    .. tostring(pinion.workload.hsrtf { deadline_ms = "exp(3)" }.random), "falsetrue")
check.equal("what they need",
    show { pinion.workload.hsrtf(factor):open { nodes = NODES }.core:needs() }, "{1=0 2=true}")

-- A factor of 1 is what admission promises a job where nobody else is: one ms less, and it is
-- rejected.
for kind, make in pairs { facebook = KINDS.facebook, rumen = KINDS.rumen, rtmr = KINDS.rtmr } do
    local due = jobs_of(make { deadline_factor = 1 }, { nodes = NODES })
    for i = 1, math.min(#due, 12) do
        local job, where = due[i], kind .. " " .. i
        local function alone_under(policy)
            return pinion.run { model = "cluster", nodes = NODES, policy = policy,
                workload = { job }, quiet = true }.jobs[1]
        end
        local deadline, submit = job.deadline, job.submit
        for _, policy in ipairs { "rtmr", "rtmr-live" } do
            job.deadline = deadline
            local taken = alone_under(policy)
            check.equal(where .. " is promised by " .. policy, taken.state .. " " .. taken.promise,
                "finished " .. submit + deadline)
            job.deadline = deadline - 1
            if deadline > 1 then
                check.equal(where .. " is not taken by " .. policy, alone_under(policy).state,
                    "rejected")
            end
        end
    end
end

-- ---- the program --------------------------------------------------------------------------------

local described =
    core.json_decode(program.succeed("a description",
    { "workload", "rtmr:II", "--format", "json" }), "description")
for name, want in pairs { jobs = 89, map_only = 0, first_submit = 0, last_submit = SPAN,
    deadlines = 89, placed = 0, nodes = 30, map_slots = 100,
                          reduce_slots = 30, groups = 5 } do
    check.equal("described " .. name, described[name], want)
end
check.equal("deadlines counted", described.deadline.count, 89)
check.matches("in words", program.succeed("a table", { "workload", "rtmr", "--format", "table" }),
    "\ndeadline, ms +%d")
check.is_true("not where there are none",
    not program.succeed("a table without",
    { "workload", "hsrtf", "--format", "table" }):find "\ndeadline, ms")
check.contains("listed", program.succeed("a list", { "workload", "--model", "cluster" }),
    "workloads I and II of He, Lu, Swanson (2012)")

local function digest(text) return text:match '"digest": "(%x+)"' end
local OPTIONS = { "--policy", "fifo", "--no-jobs", "--format", "json", "--quiet" }
local text = program.succeed("a scenario", { "workload", "rtmr", "--jobs", "--format", "json" })
check.contains("parameters in it", text,
    '"params": {"factor_hi": 1000, "factor_lo": 500, "theta_ms": 15500}')
local of_file = program.succeed("a run of it",
    program.joined({ "simulate", check.temporary_file(text) }, OPTIONS))
local of_spec = program.succeed("a run without it",
    program.joined({ "simulate", "--model", "cluster", "--workload", "rtmr" }, OPTIONS))
check.equal("the same result", digest(of_file), digest(of_spec))
check.matches("a result", of_spec, '"finished": 88')
-- The same deadlines for the run, for what checks it, and for a run that is taken up again.
local SPEC = { "--workload", "hsrtf,large=1,deadline_factor=uniform(0.5,3)", "--seed", "5" }
local UNDER = { "--policy", "rtmr-live", "--no-jobs", "--format", "json", "--quiet" }
local log, state = program.directory .. "/due.log", program.directory .. "/due.state"
local whole = program.succeed("a run with deadlines",
    program.joined({ "simulate", "--log", log }, SPEC, UNDER))
check.contains("its log", program.succeed("verified", program.joined({ "verify" }, SPEC, { log })),
    "digest " .. digest(whole))
program.succeed("stopped",
    program.joined({ "simulate", "--checkpoint", state, "--every", "50000", "--until", "120000" },
    SPEC, UNDER))
check.equal("resumed",
    digest(program.succeed("resumed", { "resume", state, "--until", "1000000000", "--quiet" })),
    digest(whole))

local as_csv = program.directory .. "/rtmr.csv"
program.succeed("a csv file", { "workload", "rtmr,deadline_ms=7", "--jobs", "--output", as_csv })
check.matches("its header", check.read_file(as_csv),
    "^submit,maps,reduces,group,map_ms,reduce_ms,deadline,est_map_ms,est_reduce_ms\n0,")
local function without_groups(jobs) return (show(jobs):gsub(" group=%d", "")) end
check.equal("read again", without_groups(jobs_of(pinion.trace.csv(as_csv))),
    without_groups(rtmr { deadline_ms = 7 }))
local swept = pinion.sweep { workload = "hsrtf,large=0,medium=0", policies = { "fifo" },
    quiet = true,
                             over = { ["workload.deadline_factor"] = { 0.1, "uniform(0.5,1.5)",
                                 9 } } }
local ratios = {}
for i, row in ipairs(swept.rows) do ratios[i] = row.success_ratio end
check.equal("deadlines are met as they get longer", show(ratios), "{1=0.0 2=0.8 3=1.0}")

check.done()
