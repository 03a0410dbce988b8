-- Sticky executors (DG35, DG36) against decima-sim, the simulator of Mao et al. 2019: TPC-H queries
-- alone and in batches of 20 on 50 executors. What decima-sim gives, and how far that depends on
-- the order of its lists, is in executors/decima_sim.tsv, which executors/decima_sim.py makes.
-- PINION_TRACES=FOLDER build/pinion run tests/dag/decima_sim.lua, with FOLDER/dag/tpch.json.

package.path = "tests/support/?.lua;" .. package.path
local folder = require("traces").folder "dag/ holds the traces"
local check = require "check"
local columns = require "columns"
local pinion = require "pinion"

local queries = pinion.trace.tpch(folder .. "/dag/tpch.json"):jobs()
local by_name = {}
for _, query in ipairs(queries) do by_name[query.name] = query end

-- The mean completion time of queries that are all there at time 0.
local function completion(jobs, policy, delays)
    local move, fresh = delays:match "^(%d+)%+(%d+)$"
    return pinion.run { model = "dag", policy = policy, workload = jobs, quiet = true,
        resources = { "executor" }, nodes = { { count = 50, capacity = { 1 } } }, bounds = "none",
        params = { executors = "sticky", order = "ready", move_ms = math.tointeger(move or 0),
            fresh_ms = math.tointeger(fresh or 0) } }.mean_jct
end

-- The batch of a row: 20 of the queries, all different.
local function batch(number)
    local jobs = {}
    for i = 0, 19 do jobs[i + 1] = queries[(37 * number + 53 * i) % #queries + 1] end
    return jobs
end

-- Of each kind of case: how many are outside of decima-sim's range, how far below it at most, and
-- how far the mean is from that of decima-sim as published, %.
local MOST = {
    ["single fifo 0"] = { count = 154, outside = 1, below = 0.25, mean = 0.1 },
    ["single fifo 2000+1000"] = { count = 154, outside = 3, below = 1.0, mean = 0.5 },
    ["batch fifo 0"] = { count = 8, outside = 8, below = 0.2, mean = 0.1 },
    ["batch fifo 2000+1000"] = { count = 8, outside = 8, below = 0.6, mean = 0.1 },
    ["batch partition 0"] = { count = 8, outside = 0, below = 0.0, mean = 0.1 },
    ["batch partition 2000+1000"] = { count = 8, outside = 0, below = 0.0, mean = 0.2 },
}

local seen = {}
for name in next, MOST do
    seen[name] = { count = 0, outside = 0, below = 0.0, above = 0.0, sum = 0.0 }
end

-- A row's numbers are rounded to 0.01 ms.
local function compare(tally, ours, row)
    local least, most = tonumber(row.least) - 0.01, tonumber(row.most) + 0.01
    tally.count = tally.count + 1
    tally.sum = tally.sum + 100 * (ours / tonumber(row.completion) - 1)
    if least <= ours and ours <= most then return end
    tally.outside = tally.outside + 1
    tally.below = math.max(tally.below, 100 * (1 - ours / least))
    tally.above = math.max(tally.above, 100 * (ours / most - 1))
end

for _, row in ipairs(columns.rows "tests/dag/executors/decima_sim.tsv") do
    local jobs = row.kind == "single" and { by_name[row.name] } or batch(tonumber(row.name))
    compare(seen[table.concat({ row.kind, row.policy, row.delays }, " ")],
        completion(jobs, row.policy, row.delays), row)
end

for name, most in next, MOST do
    local tally = seen[name]
    check.equal(name .. ": cases", tally.count, most.count)
    for _, what in ipairs { "outside", "below" } do
        check.is_true(string.format("%s: %s is %.3f", name, what, tally[what]),
            tally[what] <= most[what])
    end
    check.equal(name .. ": above", tally.above, 0.0)
    check.is_true(name .. ": mean", math.abs(tally.sum / tally.count) <= most.mean)
end

check.done()
