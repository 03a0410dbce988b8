-- Ticks that are counted but not executed: results are those of a run that executes each.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

---@return string the run's JSON
local function run(name, scenario, ...)
    return program.succeed(name, { "simulate", program.file("ticks.json", scenario), "--format",
        "json", "--quiet", ... })
end

-- The last node fails for good while tasks wait: the run ends when its patience does (CL4), after a
-- tick in each second, although something else would happen far behind.
local STUCK <const> = [[
{ "model": "cluster", "policy": "hsrtf-pu",
  "params": { "tick_ms": 1000, "max_time_ms": 1000000, "locality_delay_ms": 50000 },
  "nodes": [{ "count": 1, "map_slots": 1, "reduce_slots": 1 }],
  "jobs": [{ "submit": 0, "maps": 4, "map_ms": 20000 }],
  "failures": [{ "time": 5000, "node": 0 }] }]]
local stuck = run("stuck", STUCK)
check.contains("ticks of a run that is stuck", stuck, '"ticks": 57,')
check.equal("when it is cut", run("cut", STUCK, "--checkpoint", program.file "ticks.checkpoint",
    "--every", "20000"):match '"digest": "%x+"', stuck:match '"digest": "%x+"')

-- A job that a policy has limited waits for no slot, but a tick may give it one.
local LIMITS <const> = [[
return { name = "limits", model = "cluster", uses = { "estimates", "shares", "memoryless" },
  key = { changes = "planned", of = function(s, job) return s:remaining(job) end },
  plan = function(s)
    for job in s:jobs() do s:limit(job, "reduce", s:now() >= 40000 and 5 or 0) end
  end }]]
local limited = run("limited", [[
{ "model": "cluster", "params": { "tick_ms": 1000 },
  "nodes": [{ "count": 1, "map_slots": 1, "reduce_slots": 2 }],
  "jobs": [{ "submit": 0, "maps": 1, "reduces": 1, "map_ms": 20000, "reduce_ms": 10000 },
           { "submit": 0, "maps": 4, "map_ms": 100000 }] }]], "--policy",
    program.file("limits.lua", LIMITS))
check.contains("a limit that a tick lifts", limited, '"first_reduce_start": 40000, "finish": 50000')

check.done()
