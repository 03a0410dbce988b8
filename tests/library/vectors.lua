-- Every vector of the models: scenario, and the finishes and totals that independent
-- implementations agree on; of the slotted model per mode and policy, of the tandem model within
-- 1e-12, as its times are doubles, of the others exactly.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return assert(core.json_decode(file:read("a"), path))
end

local function run(scenario, reduce, policy, bounds)
    return pinion.run { machines = scenario.machines, reduce = reduce, policy = policy,
        workload = scenario.jobs, bounds = bounds, quiet = true }
end

local function check_runs(name, scenario, reduce, expected)
    local fields = { "map_finish", "finish" }
    for policy, want in pairs(expected) do
        if type(want) == "table" then
            local result = run(scenario, reduce, policy, "fast")
            local label = string.format("%s %s %s ", name, reduce, policy)
            check.equal(label .. "total_flow_time", result.total_flow_time, want.total_flow_time)
            for _, field in ipairs(fields) do
                for i, value in ipairs(want[field]) do
                    check.equal(label .. field .. " of job " .. i, result.jobs[i][field], value)
                end
            end
        end
    end
    local bounds = run(scenario, reduce, "fifo", "tight")
    for _, field in ipairs { "lower_bound", "lower_bound_tight" } do
        if math.type(expected[field]) then
            check.equal(name .. " " .. reduce .. " " .. field, bounds[field], expected[field])
        end
    end
end

local names = io.popen("ls tests/slotted/vectors/*.json")
local seen = 0
for path in names:lines() do
    local vector = read(path)
    for reduce, expected in pairs(vector.expect) do
        check_runs(path, vector.scenario, reduce, expected)
    end
    seen = seen + 1
end
names:close()
check.equal("the vectors are there", seen >= 21, true)

local function check_near(name, got, want)
    local size = math.max(1, math.abs(want))
    check.is_true(string.format("%s: got %s, want %.17g", name, got, want),
        got ~= nil and math.abs(got - want) <= 1e-12 * size)
end

local TANDEM = "tests/tandem/vectors.json"
local vectors = read(TANDEM)
seen = 0
for name, vector in pairs(vectors) do
    local scenario, expected = vector.scenario, vector.expect
    local result = pinion.run {
        model = "tandem", policy = scenario.policy, params = scenario.params,
        speed = scenario.speed, overlap = scenario.overlap,
        workload = scenario.jobs, bounds = "tight", quiet = true,
    }
    for _, field in ipairs { "map_finish", "finish" } do
        for i, want in ipairs(expected[field] or {}) do
            check_near(string.format("%s: %s of job %d", name, field, i), result.jobs[i][field],
                want)
        end
    end
    for _, field in ipairs { "total_response_time", "lower_bound", "lower_bound_tight" } do
        if expected[field] then
            check_near(name .. ": " .. field, result[field], expected[field])
        end
    end
    seen = seen + 1
end
check.equal("the vectors of the tandem model are there", seen >= 171, true)

-- Exact values: integers, decimals or "p/q" in the vectors, NAME and NAME_exact in results.
local function check_exact(name, holder, field, want)
    local got = holder[field .. "_exact"] or holder[field]
    if want == core.null then
        check.equal(name, got, nil)
    else
        check.is_true(string.format("%s: got %s, want %s", name, got, want),
            got ~= nil and core.exact(got) == core.exact(want))
    end
end

local MAKESPAN = "tests/makespan/vectors.json"
seen = 0
for name, vector in pairs(read(MAKESPAN)) do
    local scenario, expected = vector.scenario, vector.expect
    local result = pinion.run {
        model = "makespan", policy = scenario.policy, params = scenario.params,
        map_slots = scenario.map_slots,
        reduce_slots = scenario.reduce_slots, level = scenario.level, workload = scenario.jobs,
        quiet = true,
    }
    for _, field in ipairs { "map_start", "map_finish", "reduce_start", "finish" } do
        for i, want in ipairs(expected[field] or {}) do
            check_exact(string.format("%s: %s of job %d", name, field, i), result.jobs[i], field,
                want)
        end
    end
    for _, field in ipairs { "makespan", "total_completion_time", "lower_bound" } do
        if expected[field] ~= nil then
            check_exact(name .. ": " .. field, result, field, expected[field])
        end
    end
    check.equal(name .. ": order", table.concat(result.order, " "),
        table.concat(expected.order, " "))
    seen = seen + 1
end
check.equal("the vectors of the makespan model are there", seen >= 207, true)

-- Of the policies that are here; what is null in a vector is not said.
local CLUSTER = "tests/cluster/vectors.json"
local here = {}
for _, policy in ipairs(pinion.policies "cluster") do here[policy.name] = true end
seen = 0
for name, vector in pairs(read(CLUSTER)) do
    local scenario = vector.scenario
    for policy, expected in pairs(vector.expect) do
        if here[policy] then
            local result = pinion.run {
                model = "cluster", policy = policy, params = scenario.params,
                nodes = scenario.nodes, failures = scenario.failures,
                workload = scenario.jobs, quiet = true,
            }
            for i, job in ipairs(expected.jobs) do
                for field, want in pairs(job) do
                    if want ~= core.null then
                        check.equal(string.format("%s %s: %s of job %d", name, policy, field, i),
                            result.jobs[i][field], want)
                    end
                end
            end
            for _, field in ipairs { "accepted", "successful", "slot_ms", "span", "kills" } do
                check.equal(string.format("%s %s: %s", name, policy, field), result[field],
                    expected.totals[field])
            end
            seen = seen + 1
        end
    end
end
check.equal("the vectors of the cluster model are there", seen >= 49, true)
check.done()
