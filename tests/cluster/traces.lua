-- Real traces in the cluster model, which are no part of the project: every job of the Rumen traces
-- against what an independent reader found, counts of Google's events, sums of SWIM; and each of
-- them simulated and checked by the checker. PINION_TRACES=FOLDER build/pinion run
-- tests/cluster/traces.lua, with the traces in FOLDER/rumen-*, FOLDER/google-* and so on.

package.path = "tests/support/?.lua;" .. package.path
local folder = require("traces").folder "rumen-*, google-* and swim-* hold the traces"
local check = require "check"
local program = require "program"
local pinion = require "pinion"
local core = require "pinion.core"

-- ---- Rumen --------------------------------------------------------------------------------------

-- By trace and job.
local function expected()
    local traces, names = {}, nil
    for line in io.lines(folder .. "/rumen_expected_per_job.tsv") do
        local fields = {}
        for field in (line .. "\t"):gmatch "([^\t]*)\t" do fields[#fields + 1] = field end
        if not names then
            names = fields
        else
            local job = {}
            for i, name in ipairs(names) do
                job[name] = math.tointeger(tonumber(fields[i])) or fields[i]
            end
            traces[job.trace] = traces[job.trace] or {}
            traces[job.trace][job.job_id] = job
        end
    end
    return traces
end

local function sum(list)
    local all = 0
    for _, value in ipairs(list or {}) do all = all + value end
    return all
end

local function check_job(where, job, want)
    check.equal(where .. ": submission", job.submit, want.submit_ms_rel)
    check.equal(where .. ": maps", job.maps, want.n_map_ok)
    check.equal(where .. ": reduces", job.reduces, want.n_reduce_ok)
    check.equal(where .. ": map work", sum(job.map_times), want.map_work_ms)
    check.equal(where .. ": reduce work", sum(job.reduce_times) + sum(job.shuffle_times),
        want.reduce_net_ms)
end

local function check_trace(path, name, jobs)
    local all, finished, waiting, dropped = 0, 0, 0, 0
    for _, job in pairs(jobs) do
        all = all + 1
        finished = finished + (job.outcome == "SUCCESS" and 1 or 0)
        waiting = waiting + job.reduce_wait_for_maps_ms
        dropped = dropped + (job.n_map_ok == 0 and 1 or 0)
    end
    local made = pinion.trace.rumen(path, { outcome = "all" }):open {}
    check.equal(name .. ": jobs", made.core:count(), all - dropped)
    check.equal(name .. ": waiting", made.summary.waiting_ms, waiting)
    for id, job in ipairs(made.core:jobs(1000)) do
        check_job(name .. ": " .. made.names[id], job, jobs[made.names[id]])
    end
    local of_success = pinion.trace.rumen(path):open {}
    check.equal(name .. ": jobs that succeeded",
        of_success.core:count() + of_success.summary.failed, all)
    check.equal(name .. ": counted", of_success.core:count(), finished)
    return finished
end

local count = 0
for name, jobs in pairs(expected()) do
    for _, path in ipairs(program.lines_of("ls '" .. folder .. "'/rumen-*/" .. name
            .. " 2>/dev/null")) do
        count = count + check_trace(path, name, jobs)
    end
end
check.is_true("there are traces", count > 0)

local grid = folder .. "/rumen-anonymised-grid/"
local topology = grid .. "19-jobs.topology.json.gz"
local of_grid = pinion.trace.rumen(grid .. "19-jobs.trace.json.gz", { topology = topology })
check.equal("nodes of the topology", of_grid:default_settings().nodes[1].count, 1545)
check.equal("hosts that it lacks", of_grid:open {}.summary.unknown_hosts, 0)

-- ---- Google -------------------------------------------------------------------------------------

local PART = folder .. "/google-clusterdata-2011/google_task_events-part-0000%d-of-00500.csv.gz"
local google = pinion.trace.google { PART:format(3), PART:format(4) }
local made = google:open {}
check.equal("google: jobs", made.core:count(), 1542)
check.equal("google: tasks", made.summary.tasks, 2810)
check.equal("google: events", made.summary.rows, 230955)
check.equal("google: what is left out", made.summary.seen - made.summary.earlier
    - made.summary.unfinished, 1542)
local times = {}
for _, job in ipairs(made.core:jobs(2000)) do
    table.move(job.map_times, 1, #job.map_times, #times + 1, times)
end
table.sort(times)
for q, want in pairs { [0.1] = 25108, [0.5] = 102076, [0.9] = 697446, [0.99] = 3692596 } do
    check.equal("google: quantile " .. q, times[1 + math.floor(#times * q)], want)
end

-- ---- SWIM ---------------------------------------------------------------------------------------

-- The sums of an independent reader, and the map tasks that its rule gives at 128 MiB, unscaled.
local SWIM = {
    { "FB-2009_samples_24_times_1hr_0.tsv", rows = 5894, map_input_bytes = 26886497357605,
        shuffle_bytes = 22216712306762, maps = "0.206" },
    { "FB-2009_samples_24_times_1hr_1.tsv", rows = 6638, map_input_bytes = 33568168368654,
        shuffle_bytes = 14096041626028, maps = "0.256" },
    { "FB-2010_samples_24_times_1hr_0.tsv", rows = 24442, map_input_bytes = 1082621755403831,
        shuffle_bytes = 437891230970678, maps = "8.08" },
    { "FB-2010_samples_24_times_1hr_withInputPaths_0.tsv.gz", rows = 25428,
        map_input_bytes = 1205910635046222, shuffle_bytes = 413132647980993,
      maps = "9" },
}
for _, trace in ipairs(SWIM) do
    local path = folder .. "/swim-facebook/" .. trace[1]
    local file = io.open(path)
    if not file then
        print("SKIPPED " .. trace[1] .. ": it is not there")
    else
        file:close()
        local opened = pinion.trace.swim(path, { scale = 1 }):open { model = "cluster" }
        for _, name in ipairs { "rows", "map_input_bytes", "shuffle_bytes" } do
            check.equal(trace[1] .. ": " .. name, opened.summary[name], trace[name])
        end
        check.equal(trace[1] .. ": millions of maps",
            string.format("%.3g", opened.core:totals().map_tasks.sum / 1e6), trace.maps)
    end
end

-- ---- runs ---------------------------------------------------------------------------------------

local function verified(name, spec, policy, more)
    local log = program.directory .. "/cluster.log"
    local base = program.joined({ "--model", "cluster", "--workload", spec, "--quiet" }, more or {})
    local output, messages,
        code = program.run(program.joined({ "simulate" }, base,
        { "--policy", policy, "--no-jobs", "--format", "json", "--log", log }))
    check.equal(name .. " runs: " .. messages, code, 0)
    local result = code == 0 and core.json_decode(output, name)
    if not result then return end
    check.equal(name .. ": all finish", result.unfinished, 0)
    local scenario = program.directory .. "/cluster.json"
    program.run { "workload", "--model", "cluster", spec, "--jobs", "--output", scenario }
    local words, why, status = program.run { "verify", scenario, log }
    check.equal(name .. " is verified: " .. why .. words, status, 0)
end

local small = "rumen:" .. grid .. "folder-input-trace.json.gz"
for _, policy in ipairs { "fifo", "fair", "hsrtf-pr" } do
    verified("folder-input under " .. policy, small, policy)
end
verified("19 jobs", string.format("rumen:%s19-jobs.trace.json.gz,topology=%s", grid, topology),
    "fifo")
verified("google", string.format("google:%s+%s", PART:format(3), PART:format(4)), "fair")

check.done()
