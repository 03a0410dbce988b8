-- Jobs of the cluster model: what scenario files, csv files and Lua tables may hold, what fits
-- which cluster, and the workloads that are made of a paper's jobs, of the Facebook benchmark and
-- of SWIM traces.

package.path = "tests/support/?.lua;" .. package.path
local pinion = require "pinion"
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local scenario = require "pinion.run.scenario"

local function show(value)
    if type(value) ~= "table" then return tostring(value) end
    local pieces = {}
    if #value == 0 then
        for _, key in ipairs(require "pinion.base.check".sorted_keys(value)) do
            pieces[#pieces + 1] = key .. "=" .. show(value[key])
        end
        return "{" .. table.concat(pieces, " ") .. "}"
    end
    for i, element in ipairs(value) do pieces[i] = show(element) end
    return "[" .. table.concat(pieces, " ") .. "]"
end

local function nodes(count, map_slots, reduce_slots)
    return { { count = count, map_slots = map_slots, reduce_slots = reduce_slots, speed = 1000 } }
end

-- ---- scenario files -----------------------------------------------------------------------------

local function decode(jobs)
    return scenario.decode(
        '{"model":"cluster","nodes":[{"count":4,"map_slots":1,"reduce_slots":1}],"jobs":[' .. jobs
        .. "]}", "s.json")
end

local function opened(jobs)
    local base = decode(jobs)
    return base.workload:open { model = "cluster", nodes = base.nodes }
end

local made = opened [=[
    {"submit": 7, "maps": 3, "map_ms": 5, "name": "late"},
    {"submit": 3, "maps": 2, "reduces": 2, "map_times": [4, 4], "reduce_times": [1, 1099511627776], "shuffle_times": [0, 0], "group": "g",
     "blocks": [[3, 0], []], "map_factor": [1, 1073741824], "reduce_factor": [500, 500], "deadline": 1, "remote_ms": 6},
    {"submit": 3, "maps": 1, "map_ms": 0.0, "reduces": 1, "reduce_ms": 2e3, "shuffle_ms": 8, "est_map_ms": 9, "est_reduce_ms": 10,
     "input": 9007199254740992, "intermediate": 1e3},
    {"submit": 0, "maps": 1048576, "map_ms": 1099511627776, "group": 5}]=]
local jobs = made.core:jobs(9)
check.equal("by submission, in their order", show(jobs[1].submit) .. show(jobs[2].submit)
    .. show(jobs[3].submit) .. show(jobs[4].submit), "0337")
check.equal("names follow", made.names[4], "late")
check.equal("groups", show(made.groups) .. jobs[1].group .. jobs[2].group .. jobs[3].group
    .. jobs[4].group, "[false g 5]2100")
check.equal("lists", show(jobs[2]),
    "{blocks=[[3 0] {}] deadline=1 group=1 map_factor=[1 1073741824] map_times=[4 4] maps=2 "
    .. "reduce_factor=[500 500] reduce_times=[1 1099511627776] reduces=2 remote_ms=6 "
        .. "shuffle_times=[0 0] submit=3}")
check.equal("numbers", show(jobs[3]),
    "{est_map_ms=9 est_reduce_ms=10 group=0 input=9007199254740992 intermediate=1000 map_ms=0 "
    .. "maps=1 reduce_ms=2000 reduces=1 shuffle_ms=8 submit=3}")
check.equal("at the limits", show(jobs[1]),
    "{group=2 map_ms=1099511627776 maps=1048576 reduces=0 submit=0}")
check.equal("one by one", show(made.core:job(2)), show(jobs[2]))
check.equal("needs", show { made.core:needs() }, "[4 true]")

local function bad(jobs_text, wanted)
    check.raises(jobs_text, "s.json: " .. wanted, opened, jobs_text)
end
local FINE = '{"submit": 0, "maps": 1, "map_ms": 1}'
bad("", "jobs: must not be empty")
bad("7", "jobs[1]: must be an object, got 7")
bad(FINE .. ', {"maps": 1, "map_ms": 1}',
    "jobs[2].submit: is required (the time of the job's submission in ms, >= 0)")
bad('{"submit": -1, "maps": 1, "map_ms": 1}', "jobs[1].submit: must be an integer >= 0, got -1")
bad('{"submit": 0.5, "maps": 1, "map_ms": 1}', "jobs[1].submit: must be an integer >= 0, got 0.5")
bad('{"submit": 0, "map_ms": 1}', "jobs[1].maps: is required (the number of map tasks, >= 1)")
bad('{"submit": 0, "maps": 0, "map_ms": 1}',
    "jobs[1].maps: must be an integer in 1..1048576, got 0")
bad('{"submit": 0, "maps": [1], "map_ms": 1}',
    "jobs[1].maps: must be an integer in 1..1048576, got an array")
bad('{"submit": 0, "maps": 1}',
    "jobs[1].map_ms: is required (the time of a map task in ms), or map_times")
bad('{"submit": 0, "maps": 1, "map_ms": null}',
    "jobs[1].map_ms: must be an integer in 0..1099511627776, got null")
bad('{"submit": 0, "maps": 1, "map_ms": 1099511627777}',
    "jobs[1].map_ms: must be an integer in 0..1099511627776, got 1099511627777")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "reduces": [1]}',
    "jobs[1].reduces: must be an integer in 0..1048576, got an array")
-- What has to be left out rather than 0, and numbers that are too large.
local ESTIMATE = "must be an integer in 1..1099511627776, got %s"
for field, reasons in pairs {
    deadline = { "must be an integer >= 1, got %s",
        " (leave it out for a job without a deadline)" },
    est_map_ms = { ESTIMATE, " (leave it out for an estimate derived from the times)" },
    est_reduce_ms = { ESTIMATE, " (leave it out for an estimate derived from the times)" },
    input = { "must be an integer >= 1, got %s", " (leave it out for as much as there are maps)" },
    intermediate = { "must be an integer >= 1, got %s",
        " (leave it out for as much as the input)" },
} do
    local function with(value)
        return string.format('%s, {"submit": 0, "maps": 1, "map_ms": 1, "%s": %s}', FINE, field,
            value)
    end
    bad(with "0", "jobs[2]." .. field .. ": " .. reasons[1]:format "0" .. reasons[2])
    for _, value in ipairs { "-1", "0.5", "'x'", "null" } do
        value = value:gsub("'", '"')
        bad(with(value), "jobs[2]." .. field .. ": " .. reasons[1]:format(value:gsub('"', "'")))
    end
    bad(with "9007199254740993", "jobs[2]." .. field .. ": "
        .. (reasons[1] == ESTIMATE and ESTIMATE:format "9007199254740993"
        or "must be an integer <= 9007199254740992 (2^53), got 9007199254740993"))
end
bad('{"submit": 0, "maps": 1, "map_ms": 1, "reduce_mss": 0}',
    "jobs[1].reduce_mss: unknown field (did you mean 'reduce_ms'?)")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "arrival": 0}', "jobs[1].arrival: unknown field")
bad('{"submit": 0, "maps": 2, "map_times": [1]}',
    "jobs[1].map_times: has 1 value (expected one for each of the 2 maps)")
bad('{"submit": 0, "maps": 2, "map_times": 7}', "jobs[1].map_times: must be an array, got 7")
bad('{"submit": 0, "maps": 2, "map_times": [1, -1]}',
    "jobs[1].map_times[2]: must be an integer in 0..1099511627776, got -1")
bad('{"submit": 0, "maps": 1, "map_times": [1], "map_ms": 1}',
    "jobs[1].map_times: cannot be given together with map_ms")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "reduces": 1, "reduce_ms": 2, "reduce_times": [1]}',
    "jobs[1].reduce_times: cannot be given together with reduce_ms")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "shuffle_times": [1]}',
    "jobs[1].shuffle_times: has 1 value (expected one for each of the 0 reduces)")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "map_factor": [0]}',
    "jobs[1].map_factor[1]: must be an integer in 1..1073741824, got 0")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "blocks": [7]}',
    "jobs[1].blocks[1]: must be an array of node ids, got 7")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "blocks": []}',
    "jobs[1].blocks: has 0 values (expected one for each of the 1 maps)")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "blocks": [[1, 1]]}',
    "jobs[1].blocks[1][2]: names node 1 again")
bad('{"submit": 0, "maps": 1, "map_ms": 1, "blocks": [[-1]]}',
    "jobs[1].blocks[1][1]: must be an integer in 0..4194303, got -1")
-- What the cluster has not got, at its place in the file, whatever the order of submission.
bad('{"submit": 9, "maps": 1, "map_ms": 1, "blocks": [[3, 4]]}, ' .. FINE,
    "jobs[1].blocks[1][2]: there is no node 4 (expected 0..3, as the cluster has)")
bad(FINE .. ', {"submit": 9, "maps": 1, "map_ms": 1}, {"submit": 1, "maps": 2, "map_ms": 1, '
    .. '"blocks": [[], [5]]}',
    "jobs[3].blocks[2][1]: there is no node 5")
check.raises("no reduce slot",
        "s.json: jobs[2].reduces: must be 0 where the cluster has no reduce slot, got 3", function()
    decode('{"submit": 9, "maps": 1, "map_ms": 1}, {"submit": 0, "maps": 1, "map_ms": 1, '
            .. '"reduces": 3}').workload:open {
        model = "cluster", nodes = nodes(1, 1, 0) }
end)

-- ---- tables in Lua, csv files -------------------------------------------------------------------

check.raises("an estimate of nothing",
    "jobs[1].est_map_ms: must be an integer in 1..1099511627776, got 0 (leave it out for an "
    .. "estimate derived ",
    pinion.workload.jobs, { { submit = 4, maps = 2, map_ms = 1, est_map_ms = 0 } })
local work = pinion.workload.jobs { { submit = 4, maps = 2, map_times = { 3, 3 } },
    { submit = 1, maps = 1, map_ms = 1, blocks = { { 2 } } } }
check.equal("the model of a table", show(work.models), "{cluster=true}")
check.equal("of a table", show(work:open {}.core:jobs(5)),
    "[{blocks=[[2]] group=0 map_ms=1 maps=1 reduces=0 submit=1} "
    .. "{group=0 map_times=[3 3] maps=2 reduces=0 submit=4}]")
check.raises("its place", "jobs[2].blocks[1][1]: there is no node 2 (expected 0..1", work.open,
    work, { nodes = nodes(2, 1, 1) })
check.equal("the model of a bare job",
    show(pinion.workload.jobs { { submit = 4, maps = 2, map_ms = 3 } }.models), "{cluster=true}")
check.raises("a job without its time", "jobs[1].map_ms: is required", pinion.workload.jobs,
    { { submit = 4, maps = 2 } })
check.equal("other models are known as before",
    show(pinion.workload.jobs { { arrival = 1, maps = 2 } }.models)
    .. show(pinion.workload.jobs { { maps = { 2 } } }.models)
        .. show(pinion.workload.jobs { { arrival = 1, map = 2 } }.models),
    "{slotted=true}{makespan=true}{tandem=true}")

local function csv(text)
    return pinion.trace.csv(check.temporary_file(text))
end
local HEADER = "submit,maps,reduces,map_ms\n"
check.equal("csv",
    show(csv("group,submit,maps,map_ms,reduces,name\nb,5,2,7,1,x y\na, 4 ,1,2,,\n")
        :open {}.core:jobs(5)),
    "[{group=1 map_ms=2 maps=1 reduces=0 submit=4} {group=0 map_ms=7 maps=2 reduces=1 submit=5}]")
check.equal("all columns",
    show(csv("submit,maps,map_ms,remote_ms,reduces,reduce_ms,shuffle_ms,deadline,est_map_ms,"
    .. "est_reduce_ms,"
    .. "input,intermediate\n0,1,2,3,4,5,6,7,8,9,10,11\n"):open {}.core:job(1)),
        "{deadline=7 est_map_ms=8 est_reduce_ms=9 group=0 input=10 "
    .. "intermediate=11 map_ms=2 maps=1 reduce_ms=5 reduces=4 remote_ms=3 shuffle_ms=6 submit=0}")
local function bad_csv(text, wanted)
    check.raises(text, wanted, csv, text)
end
bad_csv(HEADER .. "0,1,0,1\n1,0,0,1\n", ":3: maps: must be an integer in 1..1048576, got 0")
bad_csv(HEADER .. "0,x,0,1\n", ":2: maps: must be an integer in 1..1048576, got 'x'")
bad_csv("submit,maps,map_ms,deadline\n0,1,1,\n1,1,1,0\n",
    ":3: deadline: must be an integer >= 1, got 0 (leave it out for a job without a deadline)")
bad_csv("maps,map_ms\n1,1\n",
    ":1: no column 'submit' (expected a header such as submit,maps,reduces,map_ms,reduce_ms)")
bad_csv("submit,maps,map_times\n1,1,1\n",
    ":1: column 'map_times' would be a list of values (expected a scenario file, "
    .. "csv files have none)")
bad_csv("submit,maps,map_mss\n1,1,1\n", ":1: unknown column 'map_mss' (did you mean 'map_ms'?)")

-- ---- the jobs of the paper on hSRTF -------------------------------------------------------------

local hsrtf = pinion.workload.hsrtf {}
made = hsrtf:open { nodes = hsrtf:default_settings().nodes }
jobs = made.core:jobs(100)
check.equal("jobs", #jobs, 31)
local LARGE = "map_ms=76000 maps=%d reduce_ms=339000 reduces=%d remote_ms=3000 shuffle_ms=96000"
for id, job in ipairs(jobs) do
    local group = id <= 3 and 0 or id <= 11 and 1 or 2
    local app = id <= 21 and "sort" or "wordcount"
    local times = group == 0 and LARGE:format(256, 32) or group == 1 and LARGE:format(64, 8)
        or app == "sort"
        and "map_ms=76000 maps=1 reduce_ms=45000 reduces=1 remote_ms=3000 shuffle_ms=12000"
        or "map_ms=40000 maps=1 reduce_ms=7200 reduces=1 remote_ms=3000 shuffle_ms=1200"
    check.equal("job " .. id, show(job),
        string.format("{group=%d %s submit=%d}", group, times, 10000 * (id - 1)))
    check.equal("name " .. id, made.names[id], app)
end
check.equal("groups of hsrtf", show(made.groups), "[large medium small]")
check.equal("its cluster", show(hsrtf:default_settings()),
    "{nodes=[{count=57 map_slots=8 reduce_slots=2 speed=1000}] "
    .. "params={factor_hi=1000 factor_lo=500 heartbeat_ms=3000 locality_delay_ms=5000 "
        .. "max_kills_per_task=0}}")
check.equal("no seed of its own", made.seed, nil)
local few = pinion.workload.hsrtf { large = 1, medium = 0, small_sort = 0, small_wc = 2, gap_ms = 7,
    large_maps = 5, large_reduces = 2,
                                    reduce_start_ms = 1, reduce_block_ms = 10, shuffle_block_ms = 3,
                                    wc_output_permille = 300, remote_ms = 0,
                                    sort_map_ms = 11, wc_map_ms = 12, small_maps = 3,
                                    small_reduces = 0 }
check.equal("other numbers", show(few:open {}.core:jobs(5)),
    "[{group=0 map_ms=11 maps=5 reduce_ms=26 reduces=2 shuffle_ms=8 submit=0} "
    .. "{group=2 map_ms=12 maps=3 reduces=0 submit=7} {group=2 map_ms=12 maps=3 reduces=0 "
        .. "submit=14}]")
check.raises("none", "hsrtf: large: no job is left", pinion.workload.hsrtf,
    { large = 0, medium = 0, small_sort = 0, small_wc = 0 })
check.raises("too long", "hsrtf: reduce_block_ms: gives reduces of more than 2^40 ms",
    pinion.workload.hsrtf,
    { large_maps = 1 << 20, large_reduces = 1, reduce_block_ms = 1 << 24 })
check.raises("another option",
    "hsrtf: seed: belongs to the run (expected --seed N, in scripts seed = N next to workload)",
    pinion.workload.hsrtf, { seed = 1 })
check.raises("another model", "its jobs are of the cluster model", hsrtf.open, hsrtf,
    { model = "tandem" })

-- ---- facebook -----------------------------------------------------------------------------------

local function facebook(options, binding)
    binding = binding or {}
    binding.model = "cluster"
    return pinion.workload.facebook(options):open(binding)
end
made = facebook { jobs = 300, seed = 5 }
jobs = made.core:jobs(300)
local slotted = pinion.workload.facebook { jobs = 300, seed = 5,
    reduce_length = 1 }:open { model = "slotted" }.core:jobs(300)
for id, job in ipairs(jobs) do
    check.equal("size " .. id, job.maps .. " " .. job.reduces .. " " .. job.group,
        slotted[id].maps .. " " .. #slotted[id].reduces .. " " .. slotted[id].group)
    check.equal("times " .. id, job.map_ms .. " " .. job.reduce_ms,
        "15500 " .. 4600 + (7100 * job.maps + job.reduces - 1) // job.reduces)
end
check.is_true("mean gap", math.abs(jobs[300].submit / 300 - 14000) < 3000)
check.equal("groups of facebook", #made.groups, 9)
check.equal("seed in use", made.seed, 5)
check.equal("the same again", show(facebook { jobs = 9, seed = 5, map_ms = "exp(9)" }.core:jobs(9)),
    show(facebook { jobs = 9, seed = 5, map_ms = "exp(9)" }.core:jobs(9)))
check.is_true("another replica",
    show(facebook { jobs = 9 }.core:jobs(9)) ~= show(
    facebook({ jobs = 9 }, { replica = 1 }).core:jobs(9)))
check.is_true("another seed",
    show(facebook { jobs = 9 }.core:jobs(9)) ~= show(
    facebook({ jobs = 9 }, { seed = 2 }).core:jobs(9)))
local function sizes(options)
    return (show(facebook(options).core:jobs(9)):gsub("%a+_ms=%d+", ""))
end
check.equal("times are drawn aside",
    sizes { jobs = 9, map_ms = "exp(9)", reduce_ms = "uniform(1,9)" }, sizes { jobs = 9 })
check.equal("a stream has no job of a number", pcall(made.core.job, made.core, 1), false)
check.equal("the clusters that it is for",
    show(pinion.workload.facebook {}:default_settings "cluster"),
    "{nodes=[{count=100 map_slots=4 reduce_slots=2 speed=1000}]}")
check.raises("an option of others",
    "gap: is an option of the slotted model (of the cluster model: gap_ms, map_ms, remote_ms, ",
    facebook, { gap = 3 })
check.raises("units elsewhere",
    "reduce_length: is an option of the makespan and the slotted models", facebook,
    { reduce_length = 3 })
check.raises("times elsewhere", "map_ms: is an option of the cluster model",
    function() pinion.workload.facebook { map_ms = 3 }:open { model = "slotted" } end)
check.equal("only one model then", pinion.workload.facebook { map_ms = 3 }:only_model(), "cluster")
check.raises("no reduce slot for facebook", "its jobs have reduces, the cluster has no reduce slot",
    facebook, {}, { nodes = nodes(1, 1, 0) })

-- ---- swim ---------------------------------------------------------------------------------------

local MIB, GIB = 1 << 20, 1 << 30
local function row(submit, input, shuffle, output)
    return string.format("job\t%d\t0\t%d\t%d\t%d\n", submit, input, shuffle, output)
end
local trace = check.temporary_file(table.concat {
    row(0, 0, 0, 0),                                 -- 1: nothing is a map that only starts
    row(5, 128 * MIB, 0, GIB),                       -- 2: one whole block, map-only
    -- 3: the last map reads the rest; 3.5 GiB are 4 reduces
    row(5, 256 * MIB + 1000, 3 * GIB, GIB // 2),
    row(9, 1, 1, 1 << 50),                           -- 4: as many reduces as there may be
})
local function swim(options)
    options = options or {}
    options.scale = options.scale or 1
    return pinion.trace.swim(trace, options):open { model = "cluster" }
end
local function up(a, b) return (a + b - 1) // b end
jobs = swim().core:jobs(9)
local block = 3300 + up(128 * MIB * 1000, 4700000)
check.equal("nothing", show(jobs[1]), "{group=0 map_ms=3300 maps=1 reduces=0 submit=0}")
check.equal("a block", show(jobs[2]),
    string.format("{group=0 input=%d map_ms=%d maps=1 reduces=0 submit=5000}", 128 * MIB, block))
check.equal("the rest of a block", show(jobs[3]),
    string.format(
    "{group=0 input=%d intermediate=%d map_times=[%d %d %d] maps=3 reduce_ms=%d reduces=4 "
    .. "shuffle_ms=%d submit=5000}",
    256 * MIB + 1000, 3 * GIB, block, block, 3301, 10600 + up((GIB // 8) * 1000, 20000000),
    up((3 * GIB // 4) * 1000, 2900000)))
check.equal("at most", jobs[4].reduces .. " " .. jobs[4].shuffle_ms .. " " .. jobs[4].reduce_ms,
    "100 1 " .. 10600 + up(up(1 << 50, 100) * 1000, 20000000))
jobs = swim { scale = "1/2", map_start_ms = 0, map_rate = "1MiB", unit = "64MiB",
    reduce_bytes = "1GiB", reduce_start_ms = 1, shuffle_rate = "1GiB",
              write_rate = "1GiB", remote_ms = 77, tasks = 2, first = 2, jobs = 2 }.core:jobs(9)
check.equal("scaled", show(jobs),
    "[{group=0 input=67108864 map_ms=64000 maps=1 reduces=0 remote_ms=77 submit=5000} "
    .. "{group=0 input=134218228 intermediate=1610612736 map_times=[64000 64000 1] maps=3 "
        .. "reduce_ms=126 reduces=2 remote_ms=77 shuffle_ms=750 submit=5000}]")
check.equal("counted", swim().summary.rows .. " " .. swim().summary.map_only .. " "
    .. swim().summary.jobs, "4 2 4")
check.raises("too many maps",
    ":3: the job has more than 2^20 map tasks (expected a smaller scale or a larger unit)", swim,
    { unit = 1, first = 3 })
check.raises("too slow",
    ":2: the job's times pass 2^40 ms (expected a smaller scale or higher rates)", swim,
    { map_rate = 1, unit = "1TiB", first = 2, scale = 10 })
check.raises("too large", ":4: the job has more than 2^53 bytes", swim, { scale = 1000, first = 4 })
check.raises("behind the end", ": holds 4 jobs (expected at least 5, as `first` says)", swim,
    { first = 5 })
check.raises("seconds elsewhere",
    "map_start: is an option of the makespan model (of the cluster model: scale, unit, "
    .. "reduce_bytes, load, first, jobs, tasks, map_rate, map_start_ms,",
    swim, { map_start = 3 })

for option, times in next, { write_rate = "reduces", shuffle_rate = "shuffles" } do
    check.raises("too slow " .. times, ":3: the job's times pass 2^40 ms", swim,
        { [option] = 1, first = 3, scale = 3, tasks = 1 })
end
check.raises("submitted too late", ":1: the job's times pass 2^40 ms", function()
    pinion.trace.swim(check.temporary_file(row((1 << 53) - 1, 1, 0, 0)), {}):open {
        model = "cluster" }
end)
check.raises("too fine a scale", ": scale 1/1000000000 is too fine for units this large", swim,
    { scale = "1/1000000000", unit = 1 << 53 })

-- ---- bounds, and what only tables have ----------------------------------------------------------

local table_of = core.workload_cluster_table
for _, options in ipairs { { map_ms = "pareto(0.001,1)" }, { reduce_ms = "pareto(0.001,1)" },
    { map_ms = 1 << 41 }, { reduce_ms = 1 << 40 } } do
    check.equal("times of facebook past 2^40", select(2, facebook(options).core:totals()),
        "job 1: its tasks, drawn at random, pass 2^40 ms")
end

-- Factors and times of tasks count in what the jobs are.
local totals = table_of { { submit = 3, maps = 2, map_ms = 10, map_factor = { 500, 3000 },
    reduces = 2, reduce_times = { 10, 20 }, reduce_factor = { 2000, 1000 }, shuffle_ms = 7 },
    { submit = 4, maps = 2, map_ms = 1, map_times = { 4, 5 } } }:totals()
check.equal("map work", totals.map_work.sum, 10 * 0.5 + 10 * 3 + 4 + 5)
check.equal("the longest map", totals.longest_map.max, 30.0)
check.equal("reduce work", totals.reduce_work.sum, 10 * 2 + 20.0)
check.equal("the longest reduce", totals.longest_reduce.max, 20.0)
check.equal("shuffle work", totals.shuffle_work, 7 * 2 + 7.0)
check.equal("the last submission", totals.last_submit, 4)
check.equal("no submission of no job", table_of({}):totals().first_submit, nil)

for _, node in ipairs { "x", -1, 1 << 22, 0.5 } do
    check.raises("a block on " .. node, "blocks[1]: must be an integer in 0..4194303", table_of,
        { { submit = 0, maps = 1, map_ms = 1, blocks = { { node } } } })
end

-- Scaled times, in lists too.
local function scaled(job)
    job.submit, job.maps = 0, 2
    job.map_ms = not job.map_times and 1 or nil
    local made_of, fault = core.workload_scaled { sizes = 2, workload = table_of { job } }:jobs(1)
    return made_of and show(made_of[1]), fault
end
check.equal("lists", scaled { map_times = { 4, 5 }, reduces = 1, reduce_times = { 7 },
    shuffle_times = { 3 } }, "{group=0 map_times=[8 10] maps=2 reduce_times=[14] reduces=1 "
        .. "shuffle_times=[6] submit=0}")
local LONG <const> = 1 << 40
for _, job in ipairs { { est_map_ms = LONG }, { map_times = { 4, LONG } },
    { reduces = 1, reduce_times = { LONG } }, { reduces = 1, shuffle_times = { LONG } } } do
    check.equal("times past 2^40", select(2, scaled(job)), "job 1: its sizes, scaled, pass 2^40 ms")
end
local ONE_MAP <const> = { submit = 0, maps = 1, map_ms = 1 }
check.equal("arrivals past 2^53", select(2, core.workload_arrivals { process = "regular(9e15)",
    workload = table_of { ONE_MAP, ONE_MAP }, seed = 1 }:jobs(2)),
    "job 2: its arrival passes 2^53 ms")

-- Deadlines on a cluster that has no slot for the reduces are those of the maps.
local function first_deadline(reduces)
    return core.workload_deadlines { seed = 1, draw = "constant(1)", relative = true, map_slots = 1,
        reduce_slots = 0, slowest = 1000,
        workload = table_of { { submit = 0, maps = 2, map_ms = 5, reduces = reduces,
            reduce_ms = 9 } } }:jobs(1)[1].deadline
end
check.equal("a deadline without slots for reduces", first_deadline(3), first_deadline(0))

-- ---- the program --------------------------------------------------------------------------------

local described =
    core.json_decode(program.succeed("a description", { "workload", "hsrtf", "--format", "json" }),
    "description")
for name, want in pairs { jobs = 31, map_only = 0, all_map_tasks = 1300, all_reduce_tasks = 180,
    first_submit = 0, last_submit = 300000, span = 300000,
                          deadlines = 0, placed = 0, nodes = 57, map_slots = 456,
                          reduce_slots = 114, groups = 3 } do
    check.equal("described " .. name, described[name], want)
end
check.equal("map work", described.map_work.sum, 1280 * 76000.0 + 10 * 76000 + 10 * 40000)
check.equal("load", described.map_load, described.map_work.sum / (456 * 300000))
check.contains("in words", program.succeed("a table", { "workload", "hsrtf", "--format", "table" }),
    "load of the reduce slots")
check.contains("listed", program.succeed("a list", { "workload", "--model", "cluster" }),
    "the jobs of the paper on hSRTF")

-- Everything that a scenario of it has, and the same digest with it.
local OPTIONS = { "--policy", "hsrtf-prp", "--no-jobs", "--format", "json" }
local text = program.succeed("a scenario", { "workload", "hsrtf", "--jobs", "--format", "json" })
check.contains("nodes in it", text,
    '"nodes": [{"count": 57, "map_slots": 8, "reduce_slots": 2, "speed": 1000}]')
check.contains("params in it", text,
    '"params": {"factor_hi": 1000, "factor_lo": 500, "heartbeat_ms": 3000, '
    .. '"locality_delay_ms": 5000, "max_kills_per_task": 0}')
local of_file = program.succeed("a run of it",
    program.joined({ "simulate", check.temporary_file(text) }, OPTIONS))
local of_spec = program.succeed("a run without it",
    program.joined({ "simulate", "--model", "cluster", "--workload", "hsrtf" }, OPTIONS))
check.equal("the same result", of_file:match '"digest": "(%x+)"', of_spec:match '"digest": "(%x+)"')
check.matches("a result", of_spec, '"finished": 31')
local as_csv = program.directory .. "/hsrtf.csv"
program.succeed("a csv file", { "workload", "hsrtf", "--jobs", "--output", as_csv })
check.matches("its header", check.read_file(as_csv),
    "^submit,maps,reduces,name,group,map_ms,remote_ms,reduce_ms,shuffle_ms\n"
    .. "0,256,32,sort,large,76000,3000,339000,96000\n")
local back = pinion.trace.csv(as_csv):open {}
check.equal("read again", show(back.core:jobs(50)), show(made and hsrtf:open {}.core:jobs(50)))
check.equal("with its groups", show(back.groups), "[large medium small]")
local few_slots =
    '{"model":"cluster","nodes":[{"map_slots":1,"reduce_slots":0}],"jobs":[{"submit":0,"maps":1,'
    .. '"map_ms":1,"reduces":1}]}'
local _, messages, code = program.run({ "workload", "-" }, few_slots)
check.equal("a job without its slot", code, 2)
check.contains("says where", messages,
    ": jobs[1].reduces: must be 0 where the cluster has no reduce slot, got 1")

check.done()
