-- Real traces for the dag model, which are no part of the project: counts and sums against those
-- that stand beside them. PINION_TRACES=FOLDER build/pinion run tests/dag/traces.lua, with
-- FOLDER/dag holding tpch.json, wfinstances/ and their EXPECTED.tsv.

package.path = "tests/support/?.lua;" .. package.path
local folder = require("traces").folder "dag/ holds the traces"
local check = require "check"
local columns = require "columns"
local pinion = require "pinion"
local program = require "program"

local WORKFLOWS, QUERIES = folder .. "/dag/wfinstances/", folder .. "/dag/tpch.json"

local function number(cell)
    return math.tointeger(tonumber(cell)) + 0.0
end

-- The largest demand of each resource.
local function largest_demands(jobs)
    local most = { 0, 0 }
    for _, job in ipairs(jobs) do
        for _, stage in ipairs(job.stages) do
            for r, demand in ipairs(stage.demand) do most[r] = math.max(most[r], demand) end
        end
    end
    return most
end

-- ---- WfInstances --------------------------------------------------------------------------------

local files, total = {}, nil
for _, row in ipairs(columns.rows(WORKFLOWS .. "EXPECTED.tsv")) do
    local file = row.file
    if file == "TOTAL" then
        total = row
    else
        local work = pinion.trace.wfcommons(WORKFLOWS .. file .. ".gz")
        local opened = work:open {}
        local totals, most = opened.core:totals(), largest_demands(work:jobs())
        check.equal(file .. ": tasks", totals.tasks.sum, number(row.tasks))
        check.equal(file .. ": stages", totals.stages.sum, number(row.tasks))
        check.equal(file .. ": edges", totals.parents + 0.0, number(row.edges))
        check.equal(file .. ": work", totals.work.sum, number(row.work_ms))
        check.equal(file .. ": critical path", totals.critical_path.sum,
            number(row.critical_path_ms))
        check.equal(file .. ": cpu", most[1] + 0.0, number(row.max_cpu_millicores))
        check.equal(file .. ": memory", most[2] + 0.0, number(row.max_memory_mib))
        files[#files + 1] = WORKFLOWS .. file .. ".gz"
    end
end
local totals = pinion.trace.wfcommons(files):open({}).core:totals()
check.equal("workflows", totals.jobs, 41)
check.equal("their tasks", totals.tasks.sum, number(total.tasks))
check.equal("their edges", totals.parents + 0.0, number(total.edges))
check.equal("their work", totals.work.sum, number(total.work_ms))

-- ---- TPC-H --------------------------------------------------------------------------------------

for _, row in ipairs(columns.rows(folder .. "/dag/tpch_EXPECTED.tsv")) do
    local sizes = row.size ~= "TOTAL" and row.size or nil
    totals = pinion.trace.tpch(QUERIES, { sizes = sizes }):open({}).core:totals()
    check.equal(row.size .. ": queries", totals.jobs + 0.0, number(row.jobs))
    check.equal(row.size .. ": stages", totals.stages.sum, number(row.stages))
    check.equal(row.size .. ": tasks", totals.tasks.sum, number(row.tasks))
    check.equal(row.size .. ": edges", totals.parents + 0.0, number(row.edges))
    check.equal(row.size .. ": work", totals.work.sum, number(row.work_ms))
    check.equal(row.size .. ": executors", totals.areas[1], number(row.work_ms))
    check.equal(row.size .. ": critical paths", totals.critical_path.sum,
        number(row.sum_of_critical_paths_ms))
end

-- ---- runs ---------------------------------------------------------------------------------------

for name, spec in pairs {
    queries = "tpch:" .. QUERIES .. ",sizes=2,jobs=20,memory=uniform(512,4096),"
        .. "arrivals=renewal(exp(25000))",
    workflows = "wfcommons:" .. files[1] .. "+" .. files[2] .. ",resample=5,load=.5,"
        .. "arrivals=poisson(1)",
} do
    local log = program.directory .. "/" .. name .. ".log"
    program.succeed("run of " .. name, { "simulate", "--workload", spec, "--policy", "tetris",
        "--log", log, "--quiet" })
    check.contains("checked", program.succeed("check of " .. name, { "verify", "--workload", spec,
        log }), "ok: tetris")
end

check.done()
