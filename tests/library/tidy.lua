-- Long csv and the jobs of replicas: each number is that of a run on its own, and each interval is
-- computed here once more, in another way.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local succeed, joined = program.succeed, program.joined

-- The rows of a csv text as records; no cell here holds a comma or a quote.
local function records(text)
    local list, header = {}, nil
    for line in text:gmatch "[^\n]+" do
        local cells = {}
        for cell in (line .. ","):gmatch "([^,]*)," do cells[#cells + 1] = cell end
        if header then
            local record = {}
            check.equal("cells of a row", #cells, #header)
            for i, name in ipairs(header) do record[name] = cells[i] ~= "" and cells[i] or nil end
            list[#list + 1] = record
        else
            header = cells
        end
    end
    return list, table.concat(header, ",")
end

local function find(list, wanted)
    local found = {}
    for _, record in ipairs(list) do
        local fits = true
        for name, value in next, wanted do
            fits = fits and record[name] == (value or nil)
        end
        if fits then found[#found + 1] = record end
    end
    return found
end

local function close(name, got, want)
    check.is_true(string.format("%s: %s is %s", name, got, want),
        got and math.abs(tonumber(got) - want) <= 1e-9 * math.max(1, math.abs(want)))
end

-- Student's t at 97.5 % by number of replicas, from a table of it.
local STUDENT = { [3] = 4.30265, [4] = 3.18245, [5] = 2.77645 }

local function mean_and_error(values)
    local sum, squares = 0, 0
    for _, value in ipairs(values) do sum = sum + value end
    for _, value in ipairs(values) do squares = squares + (value - sum / #values) ^ 2 end
    return sum / #values, math.sqrt(squares / (#values - 1) / #values)
end

local function numbers(list, field)
    local values = {}
    for i, record in ipairs(list) do values[i] = tonumber(record[field]) end
    return values
end

-- ---- compare ------------------------------------------------------------------------------------

local REPLICAS = 5
local CASES = {
    { { "--workload", "zheng:0,slots=120" }, "fifo", "asrpt",
        { "mean_flow_time", "efficiency_ratio" }, "flow_time" },
    { { "--workload", "bursts,slots=400", "--set", "machines=40" }, "fifo", "fair",
        { "mean_flow_time", "efficiency_ratio" }, "flow_time" },
    { { "--workload", "lin,jobs=300" }, "fcfs", "ps",
        { "mean_response_time", "mean_slowdown", "mean_in_system" }, "response_time", "slowdown" },
    { { "--workload", "rand_few" }, "fifo", "uaas", { "makespan", "gap", "map_utilisation" },
        "completion_time" },
    { { "--workload", "hsrtf" }, "fifo", "fair",
        { "mean_makespan", "mean_waiting_time", "locality", "kills" }, "makespan",
        "waiting_time" },
}
for _, case in ipairs(CASES) do
    local options, first, second, measures = table.unpack(case, 1, 4)
    local what = options[2]
    local text = succeed("long " .. what, joined({ "compare", "-q", "--format", "csv", "--long",
        "--replicas", tostring(REPLICAS), "--policies", first .. "," .. second }, options))
    local list, header = records(text)
    check.equal("columns of " .. what, header, "policy,replica,group,metric,value,low,high")
    local seen = {}
    for _, record in ipairs(list) do
        local key = table.concat({ record.policy, record.replica or "", record.group or "",
            record.metric }, ",")
        check.is_true("one row of " .. key, not seen[key])
        seen[key] = true
        check.equal("an interval has two ends: " .. key, record.low == nil, record.high == nil)
    end
    -- Replica k is the run of that replica.
    local run = core.json_decode(succeed("run of " .. what, joined({ "simulate", "-q",
        "--format", "json", "--policy", second, "--bounds", what:find "^hsrtf" and "none"
        or "fast" }, options)), "run")
    for _, measure in ipairs(measures) do
        local of_run = find(list, { policy = second, replica = "0", group = false,
            metric = measure })
        check.equal("one row of " .. measure, #of_run, 1)
        close(what .. " " .. measure, of_run[1].value, run[measure])
    end
    for _, sample in ipairs { table.unpack(case, 5) } do
        for _, quantile in ipairs { "p50", "p90", "p99", "p999", "max" } do
            local row = find(list, { policy = second, replica = "0", group = false,
                metric = sample .. "_" .. quantile })[1]
            close(what .. " " .. sample .. " " .. quantile, row and row.value,
                run[sample][quantile])
        end
        for _, group in ipairs(run.groups or {}) do
            local row = find(list, { policy = second, replica = "0", group = group.group
                == core.null and "(none)" or group.group, metric = sample .. "_p90" })[1]
            close(what .. " group " .. tostring(group.group), row and row.value,
                group[sample].p90)
        end
    end
    -- Means, differences and ratios over the replicas.
    for _, measure in ipairs(measures) do
        local values = {}
        for i, policy in ipairs { first, second } do
            local rows = {}
            for _, record in ipairs(find(list, { policy = policy, group = false,
                    metric = measure })) do
                if record.replica then rows[#rows + 1] = record end
            end
            values[i] = numbers(rows, "value")
            check.equal("replicas of " .. measure, #values[i], REPLICAS)
            local row = find(list, { policy = policy, replica = false, group = false,
                metric = measure })[1]
            local mean, err = mean_and_error(values[i])
            close("mean of " .. measure, row.value, mean)
            check.is_true("interval of " .. measure, math.abs(tonumber(row.high) - mean
                - STUDENT[REPLICAS] * err) <= 0.01 * STUDENT[REPLICAS] * err + 1e-9)
        end
        local differences = {}
        for i, value in ipairs(values[2]) do differences[i] = value - values[1][i] end
        local mean, err = mean_and_error(differences)
        local row = find(list, { policy = second, replica = false, group = false,
            metric = measure .. "_difference" })[1]
        close("difference of " .. measure, row.value, mean)
        check.is_true("interval of the difference of " .. measure, math.abs(tonumber(row.low)
            - (mean - STUDENT[REPLICAS] * err)) <= 0.01 * STUDENT[REPLICAS] * err + 1e-9)
        local ratio = find(list, { policy = second, replica = false, group = false,
            metric = measure .. "_relative" })[1]
        local above, below = mean_and_error(values[2]), mean_and_error(values[1])
        if ratio then close("ratio of " .. measure, ratio.value, above / below) end
        check.equal("a ratio to 0 is none: " .. measure, ratio == nil, below == 0)
    end
    check.equal("nothing is compared with itself",
        #find(list, { policy = first, metric = measures[1] .. "_difference" }), 0)
    -- The same however many processes share the runs, and from a script.
    check.equal("processes of " .. what, succeed("long " .. what, joined({ "compare", "-q",
        "--format", "csv", "--long", "-j3", "--replicas", tostring(REPLICAS), "--policies",
        first .. "," .. second }, options)), text)
end

local comparison = pinion.compare { machines = 100, workload = "zheng:0,slots=120", quiet = true,
    policies = { "fifo", "asrpt" }, replicas = REPLICAS }
comparison:long(program.file "script.csv")
check.equal("a script writes the same", check.read_file(program.file "script.csv"),
    succeed("program", { "compare", "-q", "--format", "csv", "--long", "--replicas",
        tostring(REPLICAS), "--policies", "fifo,asrpt", "--workload", "zheng:0,slots=120" }))

-- A pooled quantile has an interval by the replicas' own around it.
for _, name in ipairs { "p50", "p90", "p99", "p999" } do
    local row, squares = comparison.rows[2], 0
    for replica = 0, REPLICAS - 1 do
        local own = pinion.run { machines = 100, workload = "zheng:0,slots=120", quiet = true,
            policy = "asrpt", replica = replica }.flow_time[name]
        squares = squares + (own - row[name]) ^ 2
    end
    local half = STUDENT[REPLICAS] * math.sqrt(squares / (REPLICAS - 1) / REPLICAS)
    check.is_true("interval of " .. name, math.abs(row[name .. "_half"] - half) <= 0.01 * half)
end

-- ---- one run ------------------------------------------------------------------------------------

local list = records(succeed("simulate", { "simulate", "-q", "--workload", "zheng:0,slots=3000",
    "--set", "machines=150", "--policy", "fifo", "--format", "csv", "--long" }))
local run = pinion.run { workload = "zheng:0,slots=3000", machines = 150, policy = "fifo",
    quiet = true }
local mean = find(list, { metric = "mean_flow_time", group = false })[1]
close("mean of a run", mean.value, run.mean_flow_time)
close("… with the interval of its batches", mean.high, run.mean_flow_time + run.batches.half)
check.equal("its replica", mean.replica, "0")
run:long(program.file "run.csv")
check.equal("a run in a script", #records(check.read_file(program.file "run.csv")), #list)

-- ---- sweeps -------------------------------------------------------------------------------------

local sweep = { "sweep", "-q", "--workload", "zheng:0,slots=60", "--over", "machines=90,120",
    "--over", "workload.rate=1,2", "--policies", "fifo,asrpt", "--replicas", "3", "--format",
    "csv" }
local swept, header = records(succeed("sweep", joined(sweep, { "--long" })))
check.equal("columns of a sweep", header,
    "machines,workload.rate,policy,replica,group,metric,value,low,high")
local cell, cell_header = records(succeed("cell", { "compare", "-q", "--workload",
    "zheng:0,slots=60,rate=2", "--set", "machines=90", "--policies", "fifo,asrpt", "--replicas",
    "3", "--format", "csv", "--long" }))
local own = find(swept, { machines = "90", ["workload.rate"] = "2" })
check.equal("rows of a cell", #own, #cell)
for i, record in ipairs(cell) do
    for name in cell_header:gmatch "[^,]+" do
        check.equal("a cell is a comparison: " .. name, own[i] and own[i][name], record[name])
    end
end

-- ---- groups in wide csv -------------------------------------------------------------------------

local groups = records(succeed("groups", { "compare", "-q", "--workload", "hsrtf", "--policies",
    "fifo,fair", "--replicas", "3", "--format", "csv" }))
check.equal("policies and their groups", #groups, 2 * 4)
check.equal("all jobs have no group", groups[1].group, nil)
check.equal("the first group", groups[2].group, "large")
check.is_true("its mean", tonumber(groups[2].mean_makespan) > 0)
check.is_true("its interval", tonumber(groups[2].p90_half) >= 0)
local in_cells = records(succeed("groups of cells", { "sweep", "-q", "--workload", "hsrtf",
    "--over", "params.heartbeat_ms=1000,3000", "--policies", "fifo", "--format", "csv" }))
check.equal("cells and their groups", #in_cells, 2 * 4)
check.equal("groups have the cell", in_cells[8]["params.heartbeat_ms"], "3000")

-- ---- jobs of replicas ---------------------------------------------------------------------------

local BASE = { "--workload", "facebook,jobs=40", "-q", "--format", "csv", "--jobs-detail" }
local jobs, jobs_header = records(succeed("jobs of replicas", joined({ "compare", "--policies",
    "fifo,asrpt", "--replicas", "3", "-j2" }, BASE)))
check.equal("columns of jobs", jobs_header,
    "policy,replica,id,arrival,map_finish,finish,flow_time,name,group")
check.equal("jobs of all runs", #jobs, 3 * 2 * 40)
for replica = 0, 2 do
    local alone = pinion.run { workload = "facebook,jobs=40", machines = 100, quiet = true,
        policy = "asrpt", replica = replica }.jobs
    local of_replica = find(jobs, { policy = "asrpt", replica = tostring(replica) })
    check.equal("jobs of a replica", #of_replica, #alone)
    for i = 1, #alone do
        for _, name in ipairs { "id", "arrival", "finish", "flow_time", "group" } do
            check.equal("job " .. i .. ": " .. name, of_replica[i][name], tostring(alone[i][name]))
        end
    end
end
local of_cells = records(succeed("jobs of cells", joined({ "sweep", "--over", "machines=40,80",
    "--policies", "fifo", "--replicas", "2" }, BASE)))
check.equal("jobs of all cells", #of_cells, 2 * 2 * 40)
check.equal("jobs of a cell", #find(of_cells, { machines = "80", replica = "1" }), 40)

check.done()
