-- Real traces, which are no part of the project: every row is read and counted, and all policies
-- run on them under load, checked by the checker. PINION_TRACES=FOLDER build/pinion run
-- tests/library/traces.lua, with FOLDER/swim-facebook holding the files.

package.path = "tests/support/?.lua;" .. package.path
local folder = require("traces").folder "swim-facebook/ holds the SWIM traces"
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

-- What an independent reader counted, and a number of machines that the trace, its bytes divided by
-- `divisor`, keeps busy.
local TRACES = {
    { file = "FB-2009_samples_24_times_1hr_0.tsv", divisor = 5, machines = 10, rows = 5894,
        replicated = true, map_only = 4448, all_zero = 33, no_input = 0,
      expanding = 914, no_output = 1, map_input_bytes = 26886497357605,
      shuffle_bytes = 22216712306762 },
    { file = "FB-2009_samples_24_times_1hr_1.tsv", divisor = 5, machines = 10, rows = 6638,
        all_zero = 48, no_input = 0,
      expanding = 919, no_output = 2, map_input_bytes = 33568168368654,
      shuffle_bytes = 14096041626028 },
    { file = "FB-2010_samples_24_times_1hr_0.tsv", divisor = 100, machines = 20, rows = 24442,
        map_only = 8324, all_zero = 127, no_input = 9,
      expanding = 5105, no_output = 748, map_input_bytes = 1082621755403831,
      shuffle_bytes = 437891230970678 },
    { file = "FB-2010_samples_24_times_1hr_withInputPaths_0.tsv.gz", divisor = 100, machines = 20,
        rows = 25428, map_only = 8489, all_zero = 199,
      no_input = 3, expanding = 5979, no_output = 773, map_input_bytes = 1205910635046222,
      shuffle_bytes = 413132647980993 },
}
local COUNTS = { "rows", "map_only", "all_zero", "no_input", "expanding", "no_output",
    "map_input_bytes", "shuffle_bytes" }

-- Submit time and bytes of every row.
local function rows_of(path)
    local pipe = assert(io.popen((path:find "%.gz$" and "gzip -dc '" or "cat '") .. path .. "'"))
    return function()
        local line = pipe:read "l"
        if not line then return pipe:close() and nil end
        local submit, input, shuffle, output = line:match "^[^\t]+\t(%d+)\t%d+\t(%d+)\t(%d+)\t(%d+)"
        return math.tointeger(submit), math.tointeger(input), math.tointeger(shuffle),
            math.tointeger(output)
    end
end

-- The sums over the jobs, by the importer's rule written down once more. All products fit into 63
-- bits.
local function jobs_of(path, trace)
    local unit, reduce_bytes = trace.divisor << 27, trace.divisor << 30
    local sums = { jobs = 0, map_units = 0, reduce_units = 0, reduce_tasks = 0 }
    for submit, input, shuffle, output in rows_of(path) do
        sums.jobs = sums.jobs + 1
        sums.first_arrival = sums.first_arrival or 1 + submit // 10
        sums.last_arrival = 1 + submit // 10
        sums.map_units = sums.map_units + math.max(1, (input + unit - 1) // unit)
        if shuffle > 0 then
            local rounded = (2 * (shuffle + output) + reduce_bytes) // (2 * reduce_bytes)
            local tasks = math.max(1, math.min(rounded, trace.machines // 5))
            sums.reduce_tasks = sums.reduce_tasks + tasks
            sums.reduce_units = sums.reduce_units + math.max(tasks, (shuffle + unit - 1) // unit)
        end
    end
    return sums
end

local function succeed(...)
    local output, messages, code = program.run { ... }
    check.equal(table.concat({ ... }, " ") .. ": " .. messages, code, 0)
    return output
end

local function check_import(path, trace, spec)
    local described =
        core.json_decode(succeed("workload", spec, "--machines", tostring(trace.machines),
        "--format", "json"), trace.file)
    for _, name in ipairs(COUNTS) do
        if trace[name] then
            check.equal(trace.file .. ": " .. name, described.trace[name], trace[name])
        end
    end
    for name, sum in pairs(jobs_of(path, trace)) do
        check.equal(trace.file .. ": " .. name, described[name], math.tointeger(sum))
    end
    check.is_true(trace.file .. ": the cluster is loaded", described.load > 0.8)
end

local function policies_of(reduce)
    local names = {}
    for _, policy in ipairs(core.policies()) do
        if policy[reduce] then names[#names + 1] = policy.name end
    end
    return names
end

-- All policies side by side; then each by itself with its log, which the checker must accept and
-- find equal.
local function check_runs(trace, spec, reduce)
    local names, log = policies_of(reduce), program.directory .. "/trace.log"
    local common = { "--workload", spec, "--set", "machines=" .. trace.machines, "--set",
        "reduce=" .. reduce }
    local compared = succeed("compare", "--policies", table.concat(names, ","), "--format", "json",
        "--quiet", table.unpack(common))
    local made = core.json_decode(compared, "compare")
    local total = {}
    for i, name in ipairs(names) do
        local result, title = made.rows[i], string.format("%s: %s, %s", trace.file, name, reduce)
        check.equal(title .. ": all jobs finish", result.finished, trace.rows)
        check.is_true(title .. ": the bound holds", result.total_flow_time >= made.lower_bound)
        total[name] = result.total_flow_time
        local alone = succeed("simulate", "--policy", name, "--bounds", "none", "--no-jobs",
            "--quiet", "--log", log, table.unpack(common))
        check.equal(title .. ": alone as beside others", core.json_decode(alone, name).digest,
            result.digest)
        check.matches(title .. ": verified", succeed("verify", log, table.unpack(common)),
            string.format(": ok: %s: %d decisions, %d jobs, %d slots, digest %s\n$", name,
                result.decisions, trace.rows, result.slots, result.digest))
    end
    check.equal(trace.file .. ": the relaxation meets the bound", total.srpt, made.lower_bound)
    if total.dsrpt then
        check.is_true(trace.file .. ": ASRPT is no worse than DSRPT", total.asrpt <= total.dsrpt)
    end
    check.is_true(trace.file .. ": the load tells policies apart", total.fifo > 2 * total.psrpt)
end

-- In the tandem model: a row is a job, and its bytes are seconds at the rates that give the
-- stations their loads.
local function check_tandem(path, trace)
    local spec = string.format("swim:%s,load=.8,shuffle_load=.4", path)
    local function describe(options)
        return core.json_decode(succeed("workload", spec .. options, "--model", "tandem",
            "--format", "json"), trace.file)
    end
    local made = describe ""
    for _, name in ipairs(COUNTS) do
        if trace[name] then
            check.equal(trace.file .. ", tandem: " .. name, made.trace[name], trace[name])
        end
    end
    check.equal(trace.file .. ", tandem: jobs", made.jobs, trace.rows)
    local function near(name, got, want)
        check.is_true(string.format("%s, tandem: %s: %.12g, want %.12g", trace.file, name, got,
            want), math.abs(got - want) <= 1e-9 * want)
    end
    near("map work", made.map.sum, 0.8 * 86400)
    near("shuffle work", made.shuffle.sum, 0.4 * 86400)
    near("map rate", made.trace.map_rate, trace.map_input_bytes / (0.8 * 86400))
    near("shuffle rate", made.trace.shuffle_rate, trace.shuffle_bytes / (0.4 * 86400))
    check.equal(trace.file .. ", tandem: without zeros", describe(",zero=drop").jobs,
        trace.rows - made.empty)
    local balanced = describe ",balance=true"
    near("balanced shuffle work", balanced.shuffle.sum, made.shuffle.sum)
    near("balanced map work", balanced.map.sum, made.map.sum)
    check.is_true(trace.file .. ", tandem: balanced ratios", balanced.ratio.max < made.ratio.max
        and balanced.ratio.sd < made.ratio.sd)
    local result = core.json_decode(succeed("simulate", "--model", "tandem", "--workload", spec,
        "--policy", "maxsrpt", "--bounds", "tight", "--no-jobs",
        "--quiet", "--format", "json"), "maxsrpt")
    check.equal(trace.file .. ", tandem: all jobs finish", result.finished, trace.rows)
    check.is_true(trace.file .. ", tandem: the bounds hold",
        result.lower_bound <= result.lower_bound_tight
        and result.lower_bound_tight <= result.total_response_time)
end

-- In the makespan model: all rows at once, with seconds from measured rates.
local function batch_of(path, trace)
    local unit, reduce_bytes = trace.divisor << 27, trace.divisor << 30
    local sums = { map_tasks = 0, map_work = 0, reduce_tasks = 0, reduce_work = 0 }
    local function up(a, b) return (a + b - 1) // b end
    for _, input, shuffle, output in rows_of(path) do
        local maps = math.max(1, up(input, unit))
        sums.map_tasks = sums.map_tasks + maps
        sums.map_work = sums.map_work + maps * (3 + up(up(up(input, trace.divisor), maps), 4700000))
        if shuffle > 0 then
            local tasks = math.max(1,
                math.min((2 * (shuffle + output) + reduce_bytes) // (2 * reduce_bytes), 100))
            sums.reduce_tasks = sums.reduce_tasks + tasks
            sums.reduce_work = sums.reduce_work + tasks
                * (11 + up(up(up(shuffle, trace.divisor), tasks), 2900000))
        end
    end
    return sums
end

local function check_makespan(path, trace, spec)
    local made = core.json_decode(succeed("workload", spec, "--model", "makespan", "--format",
        "json"), trace.file)
    for _, name in ipairs(COUNTS) do
        if trace[name] then
            check.equal(trace.file .. ", makespan: " .. name, made.trace[name], trace[name])
        end
    end
    check.equal(trace.file .. ", makespan: jobs", made.jobs, trace.rows)
    if trace.map_only then
        check.equal(trace.file .. ", makespan: map-only", made.map_only, trace.map_only)
    end
    for name, sum in pairs(batch_of(path, trace)) do
        check.equal(trace.file .. ", makespan: " .. name, made[name].sum, sum + 0.0)
    end
    -- With sanitizers, which are slow, as many rows as show that all is well.
    local part = check.IS_SHORT and math.min(500, trace.rows) or trace.rows
    local log = program.directory .. "/batch.log"
    local common = { "--model", "makespan", "--workload", spec .. ",jobs=" .. part, "--set",
        "level=task" }
    local result = core.json_decode(succeed("simulate", "--policy", "uaas", "--no-jobs", "--quiet",
        "--format", "json", "--log", log,
        table.unpack(common)), "uaas")
    check.equal(trace.file .. ", makespan: all jobs finish", result.finished, part)
    check.is_true(trace.file .. ", makespan: the bound holds",
        result.lower_bound <= result.makespan)
    check.contains(trace.file .. ", makespan: verified",
        succeed("verify", log, table.unpack(common)), "digest " .. result.digest)
end

-- Checks that replicas are as hard as the trace where they keep its bursts.
local function check_replicas(path, trace)
    local function mean_of(options, replicas)
        options.load = .8
        local compared = pinion.compare { machines = 100, policies = { "fifo" }, quiet = true,
            workload = pinion.trace.swim(path, options), replicas = replicas }
        return compared.rows[1].mean_flow_time, compared.completed
    end
    local whole = mean_of {}
    local jobs, blocks = mean_of({ resample = "jobs" }, 40), mean_of({ resample = "blocks" }, 40)
    check.is_true(trace.file .. ": jobs one by one are easier", jobs < 0.7 * whole)
    check.is_true(trace.file .. ": blocks keep more", blocks > 0.7 * whole and blocks > jobs)
    check.is_true(trace.file .. ": blocks of an hour are slots of the trace",
        mean_of({ resample = "blocks(1h)" }, 2) == mean_of({ resample = "blocks(360)" }, 2))
    check.equal(trace.file .. ": an hour without jobs", select(2, mean_of { replicas =
        "windows(24)" }), 23)
    local groups = pinion.run { machines = 100, policy = "fifo", quiet = true,
        workload = pinion.trace.swim(path, { group = "size" }) }.groups
    check.equal(trace.file .. ": small jobs", groups[1].finished, 5815)
end

local found = 0
for _, trace in ipairs(TRACES) do
    local path = folder .. "/swim-facebook/" .. trace.file
    local file = io.open(path)
    if file then
        file:close()
        found = found + 1
        local spec = string.format("swim:%s,scale=1/%d", path, trace.divisor)
        check_import(path, trace, spec)
        check_runs(trace, spec, "preemptive")
        check_runs(trace, spec, "nonpreemptive")
        check_tandem(path, trace)
        check_makespan(path, trace, spec)
        if trace.replicated then check_replicas(path, trace) end
    else
        print(path .. ": not there, not tested")
    end
end
check.is_true("a trace in " .. folder .. "/swim-facebook", found > 0)

check.done()
