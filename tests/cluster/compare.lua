-- Comparisons, sweeps and figures of the cluster model.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local directory = program.directory

local with = check.with

local JOBS = {
    { submit = 0, maps = 20, reduces = 6, map_ms = 1000, remote_ms = 300, reduce_ms = 3000,
        shuffle_ms = 500, group = "large" },
    { submit = 100, maps = 3, reduces = 1, map_ms = 500, remote_ms = 300, reduce_ms = 800,
        group = "small" },
    { submit = 200, maps = 2, reduces = 1, map_ms = 500, remote_ms = 300, reduce_ms = 800,
        group = "small" },
}
local BASE = { model = "cluster", nodes = "4x2x1", workload = JOBS,
    params = { factor_lo = 600, heartbeat_ms = 300 }, quiet = true }

-- ---- what a workload suggests -------------------------------------------------------------------

-- The library takes it as the command line does, and only where nothing else is given.
local SUGGESTS = "hsrtf,large=1,medium=2,small_sort=2,small_wc=2"
local of_library = pinion.compare { workload = SUGGESTS, policies = { "fifo", "hsrtf-prp" },
    params = { factor_lo = 700 }, quiet = true }
local of_program =
    core.json_decode(program.succeed("the same on the command line",
    { "compare", "--workload", SUGGESTS, "--policies",
    "fifo,hsrtf-prp", "--param", "factor_lo=700", "--format", "json", "--quiet" }), "json")
for i, row in ipairs(of_library.rows) do
    check.equal("… decides the same: " .. row.policy, row.digest, of_program.rows[i].digest)
end
check.equal("nodes of the workload", of_library.map_slots, 456)
local alone = pinion.run { workload = SUGGESTS, policy = "fifo", params = { factor_lo = 700 },
    quiet = true }
check.equal("a run takes them too", alone.digest, of_library.rows[1].digest)
check.equal("what is given goes over them",
    pinion.run { workload = SUGGESTS, policy = "fifo", nodes = "9x2x1", quiet = true,
    params = { heartbeat_ms = 0 } }.nodes, 9)
local by_factor = pinion.sweep { workload = SUGGESTS, policies = { "fifo" },
    over = { ["params.factor_lo"] = { 500, 700 } }, quiet = true }
check.equal("a sweep", by_factor.rows[2].mean_makespan, alone.mean_makespan)
-- What nobody said is called a default; in the library it has to be said.
local short = "csv:" .. program.file("short.csv", "submit,maps,map_ms\n0,3,10\n")
for _, command in ipairs { { "simulate", "--policy", "fifo" }, { "compare", "--policies", "fifo" },
        { "workload", short } } do
    local from = command[1] == "workload" and {} or { "--workload", short }
    local function title(more)
        return program.succeed(command[1],
            program.joined(command, from, { "--format", "table" }, more))
    end
    check.contains(command[1] .. ": nodes by default", title {}, "nodes by default")
    if #from > 0 then
        check.is_true(command[1] .. ": those that are named",
            not title { "--set", "nodes=57x8x2" }:find("by default", 1, true))
    end
end
check.is_true("nor those that a workload suggests",
    not program.succeed("title", { "compare", "--workload", SUGGESTS, "--policies", "fifo",
    "--format", "table" }):find("by default", 1, true))
check.raises("what suggests nothing",
    "nodes: is required (an array of { count, map_slots, reduce_slots, speed })", pinion.run,
    { model = "cluster", policy = "fifo", workload = JOBS })

-- ---- one run of each policy ---------------------------------------------------------------------

local comparison = pinion.compare(BASE)
check.equal("the usual policies", #comparison.rows, 5)
check.equal("the baseline", comparison.baseline, "fifo")
for i, row in ipairs(comparison.rows) do
    local result = pinion.run(with(BASE, { policy = row.policy }))
    for _, name in ipairs { "mean_makespan", "mean_waiting_time", "mean_execution_time", "locality",
            "utilisation", "digest" } do
        check.equal(row.policy .. ": " .. name, row[name], result[name])
    end
    check.equal(row.policy .. ": kills", row.kills, result.kills + 0.0)
    check.equal(row.policy .. ": median", row.p50, result.makespan.p50)
    check.equal(row.policy .. ": waiting", row.waiting_time.p90, result.waiting_time.p90)
    check.equal(row.policy .. ": a group", row.groups[2].makespan.mean,
        result.groups[2].makespan.mean)
    check.equal(row.policy .. ": where a group's time went", row.groups[2].in_blocked,
        result.groups[2].in_blocked)
    local difference = i > 1 and row.mean_makespan - comparison.rows[1].mean_makespan or nil
    check.equal(row.policy .. ": difference", row.difference, difference)
end
local text = tostring(comparison)
check.contains("title", text, "4 nodes, 8 map and 4 reduce slots, table\n")
check.matches("columns", text,
    "\npolicy +mean response +vs fifo +/ fifo +p50 +p90 +p99 +p999 +max +ratio +waiting "
    .. "+execution +local %%\n.*\npolicy +use %% +kills\n")
check.contains("the rules that it ran under", text, "\nrules: heartbeat_ms 300, factor_lo 600\n")
check.is_true("rules as they are by default",
    not tostring(pinion.compare(with(BASE, { params = {} }))):find "rules")
local counted = tostring(pinion.compare { workload = JOBS, model = "cluster", nodes = "1x1x1",
    policies = { "fifo" }, until_time = 5, quiet = true })
check.is_true("counts of one run have no fraction", counted:find "unfinished\n.* 3\n"
    and not counted:find "3%.0")
check.contains("rules beside what varies",
    tostring(pinion.sweep(
    with(BASE, { policies = { "fifo" }, over = { ["params.factor_lo"] = { 500, 700 } } }))),
    "\nrules: heartbeat_ms 300\n")
check.contains("rules of one run", tostring(pinion.run(with(BASE, { policy = "fifo" }))),
    "\nrules                   heartbeat_ms 300, factor_lo 600\n")
check.contains("nothing behind the warm-up",
    tostring(pinion.run(with(BASE, { policy = "fifo", warmup = 4 }))),
    "\nwarning: no job is left after the warm-up\n")
check.is_true("nothing was accepted or not", not text:find "accepted %"
    and not text:find "success %" and not text:find "unfinished")
local output = program.succeed("compare", { "compare", program.file("s.json", (function()
    local jobs = {}
    for i, job in ipairs(JOBS) do
        jobs[i] = string.format(
            '{"submit":%d,"maps":%d,"reduces":%d,"map_ms":%d,"remote_ms":%d,"reduce_ms":%d,'
            .. '"shuffle_ms":%d,"group":"%s"}', job.submit,
            job.maps, job.reduces, job.map_ms, job.remote_ms, job.reduce_ms, job.shuffle_ms or 0,
            job.group)
    end
    return '{"model":"cluster","nodes":[{"count":4,"map_slots":2,"reduce_slots":1}],'
        .. '"params":{"factor_lo":600,"heartbeat_ms":300},"jobs":['
        .. table.concat(jobs, ",") .. "]}"
end)()), "--format", "table" })
check.contains("a table of groups", output, "policy, group")
check.matches("with where the time went", output,
    "\npolicy, group +jobs +mean response +waiting +execution +local %% +colocated %% +in wait +in "
    .. "maps +blocked +in reduces\n")
check.contains("and what that means", output, "no slot for the first reduce) + in reduces\n")
check.matches("a group of a policy", output, "\nhsrtf%-pr, small +2 ")

local late = tostring(pinion.compare(with(BASE, { until_time = 3000, policies = { "fifo" } })))
check.matches("unfinished jobs show", late, "unfinished\n")
local hurried = { with(JOBS[2], { deadline = 1 }), with(JOBS[3], { deadline = 100000 }) }
check.matches("deadlines show",
    tostring(pinion.compare(with(BASE, { workload = hurried, policies = { "fifo" } }))),
    "\npolicy .* success %% ")

-- ---- replicas -----------------------------------------------------------------------------------

local three =
    pinion.compare(
    with(BASE, { replicas = 3, policies = { "fifo", "hsrtf-pr" }, baseline = "hsrtf-pr" }))
for i, policy in ipairs { "fifo", "hsrtf-pr" } do
    local sum, waits, blocked, jobs = 0.0, {}, 0, 0
    for replica = 0, 2 do
        local result = pinion.run(with(BASE, { policy = policy, replica = replica }))
        sum = sum + result.mean_makespan
        check.equal(policy .. ": replica " .. replica,
            three.rows[i].samples.mean_makespan[replica + 1], result.mean_makespan)
        for _, job in pairs(result.jobs) do waits[#waits + 1] = job.waiting_time end
        blocked, jobs = blocked + result.groups[2].in_blocked * result.groups[2].finished,
            jobs + result.groups[2].finished
    end
    table.sort(waits)
    check.is_true(policy .. ": mean", math.abs(three.rows[i].mean_makespan - sum / 3) < 1e-9 * sum)
    check.equal(policy .. ": longest wait", three.rows[i].waiting_time.max, waits[#waits])
    check.equal(policy .. ": median wait", three.rows[i].waiting_time.p50, waits[(#waits + 1) // 2])
    check.is_true(policy .. ": blocked",
        math.abs(three.rows[i].groups[2].in_blocked - blocked / jobs) < 1e-9)
end
check.equal("processes do not matter",
    pinion.compare(with(BASE, { replicas = 3, processes = 2, policies = { "fifo" } })).rows[
    1].digest,
    pinion.compare(with(BASE, { replicas = 3, processes = 1, policies = { "fifo" } })).rows[
        1].digest)
check.raises("nothing is drawn",
    "replicas must be 1 for a fixed workload (nothing is drawn: no factors, failing attempts or "
    .. "nodes of inputs",
    pinion.compare, with(BASE, { replicas = 2, params = { replication = 4 } }))
check.raises("blocks are listed", "nothing is drawn", pinion.compare,
    with(BASE, { replicas = 2, params = {},
        workload = { { submit = 0, maps = 1, map_ms = 5, blocks = { { 0 } } } } }))
for name, params in next,
        { factors = { factor_lo = 999 }, failures = { attempt_fail_permille = 1 } } do
    check.equal(name .. " are drawn",
        pinion.compare(
        with(BASE, { replicas = 2, policies = { "fifo" },
        params = with({ replication = 4 }, params) })).completed, 2)
end
local csv = program.succeed("csv",
    { "compare", program.file "s.json", "--replicas", "2", "--policies", "fifo,fair", "--format",
    "csv" })
check.contains("csv of replicas", csv,
    "policy,group,replicas,finished,mean_makespan,mean_makespan_sd,mean_makespan_half,"
    .. "p50,p90,p99,p999,max,p50_half,p90_half,p99_half,p999_half,relative_makespan,")
local object =
    core.json_decode(
    program.succeed("json", { "compare", program.file "s.json", "--replicas", "2", "--policies",
    "fifo,fair", "--format", "json" }), "")
check.equal("json: nodes", object.nodes, 4)
check.equal("json: samples", #object.rows[1].samples.mean_waiting_time, 2)
check.is_true("json: a group's share", object.rows[1].groups[1].locality > 0.5)
check.is_true("json: a group's part", object.rows[2].groups[1].in_maps > 0)
check.equal("json: no bound", object.lower_bound, nil)

-- ---- sweeps -------------------------------------------------------------------------------------

local sweep =
    pinion.sweep(
    with(BASE, { over = { { "nodes", { "4x2x1", "8x2x1" } },
    { "params.heartbeat_ms", { 0, 3000 } } }, policies = { "fifo", "fair" } }))
check.equal("rows", #sweep.rows, 8)
for _, row in ipairs(sweep.rows) do
    local result =
        pinion.run(with(BASE,
        { policy = row.policy, nodes = row.nodes,
        params = with(BASE.params, { heartbeat_ms = row["params.heartbeat_ms"] }) }))
    check.equal(row.policy .. " on " .. row.nodes, row.mean_makespan, result.mean_makespan)
end
check.matches("a sweep as text", tostring(sweep),
    "^table\n\nnodes +params.heartbeat_ms +policy +mean response +vs fifo +/ fifo +p99 +ratio"
    .. "\n4x2x1 +0 +fifo ")
local groups = { { count = 4, map_slots = 2, reduce_slots = 1 },
    { map_slots = 1, reduce_slots = 1, speed = 500 } }
local listed = pinion.sweep(with(BASE, { policies = { "fifo" },
    over = { { "nodes", { "4x2x1", groups } },
        { "failures", { {}, { { time = 100, node = 0, recover = 900 } } } } } }))
check.equal("nodes as a list", listed.rows[3].nodes, "4x2x1+1x1x1x500")
check.equal("failures as a list", listed.rows[4].failures, "100:0:900")
check.equal("no failures", listed.rows[3].failures, "none")
check.equal("… are run", listed.rows[4].mean_makespan,
    pinion.run(with(BASE,
    { policy = "fifo", nodes = groups, failures = "100:0:900" })).mean_makespan)
check.raises("a list with a mistake", "over.nodes[2][1].speed: must be", pinion.sweep,
    with(BASE, { over =
        { nodes = { "4x2x1", { { map_slots = 1, reduce_slots = 1, speed = 0 } } } } }))
check.raises("the same twice", "over.nodes: has the value '4x2x1' twice", pinion.sweep,
    with(BASE, { over = { nodes = { "4x2x1", { groups[1] } } } }))
check.contains("nodes in the title",
    tostring(pinion.sweep(with(BASE, { over = { seed = { 1, 2 } }, policies = { "fifo" } }))),
    "4 nodes, 8 map and 4 reduce slots, table\n")
local seeds = pinion.sweep(with(BASE, { over = { seed = { 5, 6 } }, policies = { "fifo" } }))
check.equal("over seeds", seeds.rows[2].mean_makespan,
    pinion.run(with(BASE, { policy = "fifo", seed = 6 })).mean_makespan)
seeds = pinion.sweep(
    with(BASE, { over = { ["params.seed"] = { 5, 6 } }, policies = { "fifo" }, seed = 9 }))
check.equal("over seeds among the parameters", seeds.rows[2].mean_makespan,
    pinion.run(with(BASE, { policy = "fifo", seed = 6 })).mean_makespan)
local failing =
    pinion.sweep(
    with(BASE, { over = { failures = { "100:0", "100:0:2000+500:1" } }, policies = { "fifo" } }))
check.equal("over failures", failing.rows[2].mean_makespan,
    pinion.run(with(BASE, { policy = "fifo", failures = "100:0:2000+500:1" })).mean_makespan)
local ends = pinion.sweep(
    with(BASE, { over = { until_time = { 1000, 2000 }, warmup = { 1, "50ms" } },
    policies = { "fifo" } }))
check.equal("over ends and warm-ups", #ends.rows, 4)
local program_sweep = program.succeed("sweep",
    { "sweep", program.file "s.json", "--over", "nodes=4x2x1,8x2x1+1x1x1x500", "--policies", "fifo",
    "--format", "csv" })
check.contains("csv of a sweep", program_sweep, "\n8x2x1+1x1x1x500,fifo,,1,3,")
for _, case in ipairs {
    { { nodes = { "4x2" } },
        "over.nodes: must be an array of { count, map_slots, reduce_slots, speed }, or text "
        .. "such as " },
    { { nodes = { "4x0x1" } }, "over.nodes: have no map slot" },
    { { failures = { "1:9" } }, "failures[1].node: there is no node 9 (expected 0..3" },
    { { ["params.factor_hi"] = { 1000, 300 } },
        "params.factor_hi: must be >= factor_lo, which is 600, got 300" },
    { { map_slots = { 1 } }, "over.map_slots: cannot be varied" },
    { { error = { "constant(2)" } }, "over.error: policies of the cluster model do not see job "
        .. "sizes" },
    { { machines = { 1 } }, "over.machines: cannot be varied" },
} do
    check.raises(case[2], case[2], pinion.sweep,
        with(BASE, { over = case[1], policies = { "fifo" } }))
end

-- ---- figures ------------------------------------------------------------------------------------

-- The data behind a figure, which is left beside it also where gnuplot is missing.
local function data_of(object, options)
    os.remove(directory .. "/figure.dat")
    object:plot(directory .. "/figure.svg", options)
    return check.read_file(directory .. "/figure.dat")
end
-- Returns a length of time as a figure has it: in s, as those here are.
local function seconds(ms) return require("pinion.base.check").float_text(ms / 1000) end
local kept = pinion.compare(with(BASE, { policies = { "fifo", "hsrtf-pr" } }))
for _, of in ipairs { "makespan", "waiting_time", "execution_time" } do
    local largest = kept.rows[1].result[of].max
    check.contains("distribution of " .. of, data_of(kept, { of = of }),
        seconds(largest) .. "\t1.0")
    local small = kept.rows[1].groups[2][of].max
    check.contains("… of a group", data_of(kept, { of = of, group = "small" }),
        seconds(small) .. "\t1.0")
end
check.contains("a group over replicas", data_of(three, { of = "waiting_time", group = "large" }),
    "# hsrtf-pr\n")
check.contains("bars", data_of(kept, { kind = "bars", of = "locality" }), "\tfifo\n")
check.contains("bars of the usual", data_of(kept, { kind = "bars" }),
    "\t" .. string.format("%.17g", kept.rows[1].relative_makespan):sub(1, 6))
check.contains("convergence", data_of(three, { kind = "convergence", of = "mean_waiting_time" }),
    "# fifo\n")
check.contains("lines",
    data_of(sweep, { of = "mean_execution_time", where = { nodes = "8x2x1" },
    x = "params.heartbeat_ms" }), "# fifo\n")
local result = pinion.run(with(BASE, { policy = "fifo" }))
check.contains("one result", data_of(result, { of = "execution_time", group = "small" }),
    seconds(result.groups[2].execution_time.max) .. "\t1.0")
for _, case in ipairs {
    { { of = "kills" },
        "plot: of must be makespan or waiting_time or execution_time, got 'kills'" },
    { { group = "smal" }, "plot: group: unknown group 'smal' (did you mean 'small'?)" },
    { { kind = "bars", group = "small" },
        "plot: group has no effect with kind bars (expected cdf)" },
    { { kind = "slowdown" }, "plot: kind must be cdf or bars or convergence, got 'slowdown'" },
    { { group = 7 }, "plot: group must be a string, got 7" },
} do
    check.raises(case[2], case[2], kept.plot, kept, directory .. "/figure.svg", case[1])
end
check.raises("no groups", "plot: group: the jobs have no groups", function()
    pinion.compare(with(BASE, { workload = { { submit = 0, maps = 2, map_ms = 4 } } })):plot(
        directory .. "/figure.svg", { group = "a" })
end)
local function compare_fails(name, options, message)
    program.fails(name, program.joined({ "compare", program.file "s.json" }, options), 2, message)
end
compare_fails("group without a figure", { "--group", "small" },
    "pinion: --group: needs --plot FILE")
compare_fails("no such group", { "--plot", directory .. "/p.svg", "--group", "big" },
    "pinion: plot: group: unknown group 'big' (known: large, small)")

check.done()
