-- The checker on logs of the dag model: those of every policy pass, those of Lua too, and no field
-- of a line can be altered unnoticed.

package.path = "tests/support/?.lua;" .. package.path
local altered = require "altered"
local check = require "check"
local program = require "program"
local pinion = require "pinion"

local with = check.with

-- ---- every policy -------------------------------------------------------------------------------

local log = program.file "run.log"
local TEXT = [[
return { name = "small", model = "dag", queues = { "prod", "dev" },
  generate = function(g)
    local time = 0
    for i = 1, 60 do
      time = time + g:exponential(300)
      g:job { arrival = time, queue = g:chance(0.5) and "prod" or "dev", weight = g:random(1, 3),
        stages = {
          { tasks = g:random(1, 9), duration = g:random(0, 900), demand = { g:random(1, 3), 1 } },
          { durations = { 100, g:random(1, 500) }, demand = { 1, g:random(0, 4) }, parents = { 0 },
            start_ms = 20 },
          { tasks = 2, duration = 50, demand = { 2, 2 }, parents = { 0, 1 }, estimate = 500 } } }
    end
  end }]]
local file = program.file("small.lua", TEXT)
local SETTINGS = { resources = "cpu+memory", nodes = "3x4/6+1x8/8x700",
    queues = "prod:2:700+dev:1:300:600", failures = "4000:1:9000+5000:3:5500+8000:1:8500" }
local RUN = with(SETTINGS, { model = "dag", workload = file, quiet = true, log = log })
local FROM = { "--workload", file }
for name, value in next, SETTINGS do
    FROM[#FROM + 1], FROM[#FROM + 2] = "--set", name .. "=" .. value
end

local function passes(name, options)
    return altered.passes(name, with(RUN, options), FROM, function()
        return "%d+ decisions, %d+ jobs, last finish %d+ ms[%w, ]*"
    end)
end

local NOISY = { factor_lo = 300, factor_hi = 2500, est_lo = 500, placement = "spread",
    order = "work", start_ms = 30, backfill = false }
local OWN = { capacity = { preempt = true, tick_ms = 200, max_kills_per_task = 1 },
    fair = { share_by = "queue" }, cp = { cp_first = "shortest" } }
local policies, kills = pinion.policies "dag", 0
for _, policy in ipairs(policies) do
    for _, params in ipairs { {}, NOISY, OWN[policy.name] or {} } do
        kills = kills + passes(policy.name, { policy = policy.name, params = params }).kills
        if policy.twin then
            passes(policy.twin, { policy = policy.twin, params = params })
        end
    end
end
check.is_true("all policies", #policies >= 11)
check.is_true("some of them killed", kills > 0)
local stopped = passes("a run that was stopped", { policy = "drf", until_time = 5000 })
check.is_true("it has jobs left", stopped.unfinished > 0)
passes("one that the scenario ends", { policy = "drf", params = { max_time_ms = 5000 } })

-- What a policy in Lua may do depends on its parameters, and the log says so.
passes("what may be killed", { policy = "policies/dag/capacity.lua", params = OWN.capacity })
check.contains("it is in the log", check.read_file(log), '"lua":{"preempts":true,"limits":true}')

-- ---- nothing can be altered ---------------------------------------------------------------------

passes("the log that is altered", { policy = "capacity", params = OWN.capacity })
local lines = {}
for line in io.lines(log) do lines[#lines + 1] = line end

local function rejected(name, number, changed)
    local kept = lines[number]
    lines[number] = changed
    local damaged = program.file("damaged.log", table.concat(lines, "\n") .. "\n")
    lines[number] = kept
    local output, messages, code = program.run(program.joined({ "verify" }, FROM, { damaged }))
    check.equal("exit code of " .. name, code, 1)
    check.equal("no result of " .. name, output, "")
    check.contains(name, messages, damaged .. ":")
end

-- Every field of the first line of each kind: a number that is one more, a word that is another.
local seen = {}
for number, line in ipairs(lines) do
    local kind = number == 1 and "first" or line:match '"event":"([%w_]+)"'
        or line:match '"(finish)":true' or "last"
    if not seen[kind] and number > 1 then
        for field, digits in line:gmatch '"([%w_]+)":(%d+)' do
            local what = string.format("%s of %s, line %d", field, kind, number)
            rejected(what, number, (line:gsub('"' .. field .. '":' .. digits, string.format(
                '"%s":%d', field, math.tointeger(digits) + 1), 1)))
        end
        rejected("an unknown field of " .. kind, number, (line:gsub("}$", ',"x":1}')))
    end
    seen[kind] = number
end
for _, kind in ipairs { "arrive", "launch", "end", "kill", "lose", "node_down", "node_up",
        "finish", "last" } do
    check.is_true("there is " .. kind, seen[kind] ~= nil)
end
rejected("another word", seen["end"], (lines[seen["end"]]:gsub('"end"', '"ends"')))
rejected("a kill that was an end", seen["end"], (lines[seen["end"]]:gsub('"end"', '"kill"')))
rejected("other nodes", 1, (lines[1]:gsub('"capacity":%[4,6%]', '"capacity":[4,7]')))
rejected("other resources", 1, (lines[1]:gsub('"resources":%["', '"resources":["x')))
local demands = '"demands":%[%[%d+'
rejected("another demand", seen.arrive, (lines[seen.arrive]:gsub(demands, "%09")))
rejected("a demand less", seen.arrive, (lines[seen.arrive]:gsub(demands .. ",", '"demands":[[')))
rejected("no demands", seen.arrive, (lines[seen.arrive]:gsub(',"demands".*$', "}")))
rejected("a stage more", seen.arrive, (lines[seen.arrive]:gsub('"demands":%[', "%0[1,1],")))
rejected("a stage more behind", seen.arrive, (lines[seen.arrive]:gsub("%]%]", "],[1,1]]")))
rejected("another seed", 1, (lines[1]:gsub('"params":{', '"params":{"seed":9,')))
rejected("a parameter that is none", 1, (lines[1]:gsub('"params":{', '"params":{"order":"x",')))
rejected("another digest", #lines, (lines[#lines]:gsub('"digest":"%x', '"digest":"g')))
-- A scenario that is not the log's.
local whole = table.concat(lines, "\n") .. "\n"
for name, value in next, { queues = "prod:3:700+dev:1:300:600", failures = "4000:1:9000" } do
    local words = { "verify", "--workload", file }
    for set, own in next, SETTINGS do
        words[#words + 1], words[#words + 2] = "--set",
            set .. "=" .. (set == name and value or own)
    end
    words[#words + 1] = log
    check.write_file(log, whole)
    local _, messages, code = program.run(words)
    check.equal("exit code with other " .. name, code, 1)
    check.equal("message of other " .. name, messages,
        log .. ":1: the log belongs to another scenario: the " .. name .. " differ\n")
end
for _, number in ipairs { 2, #lines // 2, #lines - 1 } do
    local removed = table.remove(lines, number)
    rejected("a line less", #lines, lines[#lines])
    table.insert(lines, number, removed)
end

check.done()
