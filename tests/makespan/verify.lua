-- The checker on logs of the makespan model: those of every policy pass, and no field of a line can
-- be altered unnoticed.

package.path = "tests/support/?.lua;" .. package.path
local altered = require "altered"
local check = require "check"
local program = require "program"
local pinion = require "pinion"

local with = check.with

-- ---- every policy -------------------------------------------------------------------------------

local log = program.file "run.log"
local verified = 0
local function passes(name, options, arguments)
    local set = { "--set", "map_slots=6", "--set", "reduce_slots=4", "--set",
        "level=" .. (options.level or "stage") }
    verified = verified + 1
    return altered.passes(name, with({ model = "makespan", bounds = "none", map_slots = 6,
        reduce_slots = 4 }, options), program.joined(arguments, set), function(result)
        return "%d+ decisions, " .. result.finished .. " jobs, makespan "
            .. (result.makespan_exact or result.makespan)
    end)
end

local WORK = "t1_like,jobs=6,maps=uniform(1,9),reduces=uniform(1,9),seed=3"
local GIVEN = { given_order = { order = { 6, 5, 4, 3, 2, 1 } },
    fixed_pools = { pools = { { nodes = 1, jobs = { 2, 4 } } } } }
for _, policy in ipairs(pinion.policies "makespan") do
    for _, level in ipairs { "stage", "task" } do
        if not policy.level or policy.level == level then
            passes(policy.name .. " " .. level,
                { policy = policy.name, workload = WORK, level = level,
                params = GIVEN[policy.name] },
                { "--workload", WORK })
        end
    end
end
check.is_true("all policies", verified >= 23)

for name, params in next, {
    ["exclusive stages"] = { share = "exclusive" }, ["a cap"] = { cap = "requested" },
    ["long tasks first"] = { task_order = "lpt" },
    ["stages cut anew"] = { resplit = 3 },
    ["other parameters of the policy"] = { estimate = "waves", tie = "mkjr" },
    ["the best ratio"] = { search_ratio = true, total_slots = 7 }, ["more nodes"] = { nodes = 1 },
} do
    passes(name, { policy = "uaas", workload = WORK, level = "task", params = params },
        { "--workload", WORK })
end
for _, time in ipairs { "given", "waves_req", "waves", "capped", "fluid" } do
    passes("stage time " .. time,
        { policy = "uaas", workload = WORK, params = { stage_time = time } },
        { "--workload", WORK })
end
local scripted = program.file("mine.lua", [[
-- Jobs from the last to the first, or as many as the parameter says from the front.
return {
  name = "mine", model = "makespan", params = { front = { default = 0, min = 0, max = 100, doc = "jobs that stay in front" } },
  order = function(s)
    local ids = {}
    for id = 1, s.params.front do ids[id] = id end
    for id = s:jobs(), s.params.front + 1, -1 do ids[#ids + 1] = id end
    return ids
  end,
}]])
passes("a policy in Lua", { policy = scripted, workload = WORK, params = { front = 2 } },
    { "--workload", WORK })
check.contains("what the log says of it", check.read_file(log),
    '"params":{"front":2},"lua":true,"level":"stage"')

-- ---- every field --------------------------------------------------------------------------------

-- Two pools, thirds, and a wait for the slowest map.
local SCENARIO = [[{ "model": "makespan", "map_slots": 2, "reduce_slots": 2, "level": "task", "jobs": [
  { "maps": [1, "5/3"], "reduces": [2] }, { "maps": [1], "reduces": [3, 0.5] }, { "maps": [2], "map_slots": 1 } ] }]]
local scenario = program.file("s.json", SCENARIO)
local work = pinion.trace.scenario(scenario)
local function log_of(policy, params)
    local result = pinion.run { policy = policy, params = params, workload = work, map_slots = 2,
        reduce_slots = 2, level = "task", quiet = true,
        log = log }
    local lines = {}
    for line in io.lines(log) do lines[#lines + 1] = line end
    return lines, result
end
local lines, result = log_of("fifo", { cap = "requested" })
check.matches("the first line", lines[1],
    '^{"pinion_log":1,"model":"makespan","policy":"fifo","scenario":"%x+","level":"task",'
    .. '"map_slots":2,"reduce_slots":2,"ticks":6,"stage_time":"waves_req","share":"conserving",'
    .. '"cap":"requested","task_order":"listed","resplit":0,'
    .. '"settings":{"map_slots":2,"reduce_slots":2},"jobs":{"count":3,"every":1,"marks":"%x+"}}$')
for i, want in ipairs {
    '{"start":0,"end":1,"job":1,"kind":"map","task":1,"slot":1}',
    '{"start":0,"end":"5/3","job":1,"kind":"map","task":2,"slot":2}',
    '{"start":1,"end":2,"job":2,"kind":"map","task":1,"slot":1}',
    '{"start":"5/3","end":"11/3","job":3,"kind":"map","task":1,"slot":2}',
    '{"start":"5/3","end":"11/3","job":1,"kind":"reduce","task":1,"slot":1}',
    '{"start":2,"end":5,"job":2,"kind":"reduce","task":1,"slot":2}',
    '{"start":"11/3","end":"25/6","job":2,"kind":"reduce","task":2,"slot":1}',
    '{"time":"11/3","job":1,"finish":true}',
    '{"time":"11/3","job":3,"finish":true}', '{"time":5,"job":2,"finish":true}',
    '{"end":5,"digest":"' .. result.digest .. '"}',
} do
    check.equal("line " .. i + 1, lines[i + 1], want)
end

local SETTINGS = { model = "makespan", map_slots = 2, reduce_slots = 2, level = "task",
    workload = work, replica = 0 }
local rejects, verdict = altered.log(lines, SETTINGS)
local line_is = altered.line_is
check.equal("the log as it is", verdict(lines), nil)
check.contains("other slots", verdict(lines, with(SETTINGS, { map_slots = 3 })),
    ":1: the log belongs to another scenario: map_slots is 2 there, 3 here")
check.contains("another level", verdict(lines, with(SETTINGS, { level = "stage" })),
    ":1: a log of level task (the scenario's is stage)")
local function changed_in(number, from, to)
    local new, count = lines[number]:gsub(from, to)
    assert(count == 1 and new ~= lines[number], from)
    return line_is(number, new)
end

rejects(2, 'field "start": is no multiple of 1/', changed_in(2, '"start":0', '"start":"1/7"'))
rejects(9, 'field "time": is no multiple of 1/', changed_in(9, '"11/3"', '"11/7"'))

-- Any number, larger or smaller. A slot of its own is no matter, as long as nobody else is on it.
local numbers = 0
for i = 2, #lines do
    for _, field in ipairs { "start", "end", "time", "job", "task" } do
        local before, number, after = lines[i]:match('^(.*"' .. field .. '":)("?[%d/]+"?)(.*)$')
        for _, other in ipairs(number and { "0", "1", "2", "3", "7", '"7/2"', '"1/6"' } or {}) do
            if other ~= number then
                numbers = numbers + 1
                rejects(nil, "", line_is(i, before .. other .. after))
            end
        end
    end
end
check.is_true("numbers were altered", numbers > 100)
for i = 2, #lines do
    rejects(nil, "", function(copy) table.remove(copy, i) end)
    rejects(nil, "", function(copy) table.insert(copy, i, lines[i]) end)
end
check.equal("lines of one instant swapped",
    verdict { lines[1], lines[3], lines[2], table.unpack(lines, 4) }, nil)
rejects(nil, "", function(copy) copy[3], copy[4] = copy[4], copy[3] end)
rejects(3, "", changed_in(3, '"slot":2', '"slot":1'))
rejects(3, "", changed_in(3, '"slot":2', '"slot":3'))
rejects(4, "", changed_in(4, '"kind":"map"', '"kind":"reduce"'))

-- The first line: all that it says is in the scenario's hash, or has to fit the scenario.
for _, change in ipairs {
    { '"policy":"fifo"', '"policy":"uaas"', "belongs to scenario" },
    { '"map_slots":2,"r(%S-)"t', '"map_slots":3,"r%1"t', "belongs to scenario" },
    { '"reduce_slots":2,"t', '"reduce_slots":1,"t', "belongs to scenario" },
    { '"reduce_slots":2}', '"reduce_slots":1}', "reduce_slots is 1 there, 2 here" },
    { '"count":3', '"count":4', 'field "jobs": expected {"count":n' },
    { '"count":3', '"number":3', 'field "jobs": expected {"count":n' },
    { '"every":1', '"every":0', 'field "jobs": expected {"count":n' },
    { '"marks":"%x', '"marks":"g', 'field "jobs": expected {"count":n' },
    { '"marks":"%x', '"marks":"', 'field "jobs": expected {"count":n' },
    { '"settings":{[^}]*}', '"settings":1', 'field "settings": expected an object' },
    { '"settings":{[^}]*},', "", "the map_slots differ; the reduce_slots differ" },
    { '"share":"conserving"', '"share":"exclusive"', "belongs to scenario" },
    { '"stage_time":"waves_req"', '"stage_time":"fluid"', "belongs to scenario" },
    { '"cap":"requested"', '"cap":"none"', "belongs to scenario" },
    { '"task_order":"listed"', '"task_order":"lpt"', "belongs to scenario" },
    { '"resplit":0', '"resplit":1', "belongs to scenario" },
    { '"level":"task"', '"level":"stage"', "a log of level stage (the scenario's is task)" },
    { '"scenario":"%x+"', '"scenario":"0123456789abcdef"', "belongs to scenario 0123456789abcdef" },
    { '"ticks":6', '"ticks":9', "expected a multiple of 6" },
    { '"ticks":6', '"ticks":0', "expected an integer in 1..2^62" },
    { '"model":"makespan"', '"model":"tandem"', "a log of model tandem (expected makespan)" },
    { 'log":1', 'log":2', "a log of version 2" },
    { '"policy":"fifo"', '"policy":"nix"', "policy nix, which does not exist" },
    { '"cap":"requested"', '"cap":"default"', 'field "cap": unknown word "default"' },
    { '"cap":"requested",', "", 'field "cap" is missing' },
    { '"level"', '"pools":[],"level"', "expected an array of pools" },
    { '"level"', '"pools":{"a":1},"level"', "expected an array of pools" },
    { '"level"', '"pools":7,"level"', "expected an array of pools" },
    { '"ticks":%d+', '"ticks":4611686018427387905', "expected an integer in 1..2^62" },
    { '"level"', '"nodes":2,"pools":[{"nodes":1,"jobs":[1]},{"nodes":0,"jobs":[2,3]}],"level"',
        'field "pools[2]": expected {"nodes": n' },
    { '"level"', '"lua":false,"level"', 'field "lua": expected true' },
    { '"level"', '"nodes":2,"level"', 'field "nodes": expected "pools" beside it' },
    { '"level"', '"pools":[{"nodes":1,"jobs":[1,2,3]}],"level"', 'field "nodes" is missing' },
    { '"level"', '"slots":1,"level"', 'unknown field "slots"' },
    { '"level"', '"params":{"tie":[]},"level"', 'field "params.tie": expected a number' },
    { '"policy":"fifo"', '"policy":"uaas","params":{"tie":"nix"}', "params.tie" },
} do
    rejects(1, change[3], changed_in(1, change[1], change[2]))
end
rejects(nil, "", changed_in(1, '"ticks":6', '"ticks":12')) -- the digest is of fine ticks

-- Times are exact and in lowest terms.
for text, message in next, {
    ['"10/6"'] = "in lowest terms", ["1.5"] = "expected an integer >= 0 or",
    ['"5/0"'] = "expected an integer >= 0 or",
    ['"05/3"'] = "expected an integer >= 0 or", ['"5/3x"'] = "expected an integer >= 0 or",
    ['"5"'] = "expected an integer >= 0 or",
    ["-1"] = "expected an integer >= 0 or", ['"5/7"'] = "is no multiple of 1/6",
    ["4611686018427387904"] = "or too large",
    ['"99999999999999999999/3"'] = "expected an integer >= 0 or",
    ["null"] = "expected an integer >= 0 or",
} do
    rejects(3, message, changed_in(3, '"end":"5/3"', '"end":' .. text))
end
rejects(2, "not valid JSON", line_is(2, "{"))
rejects(2, 'expected one of "start", "finish", "end"',
    line_is(2, '{"job":1,"kind":"map","task":1,"slot":1}'))
rejects(2, 'field "task": expected an integer in 1..4294967295',
    changed_in(2, '"task":1', '"task":0'))
rejects(2, 'field "slot": expected an integer in 1..4294967295',
    changed_in(2, '"slot":1', '"slot":5000000000'))
rejects(2, 'field "kind": expected map or reduce, got "fold"',
    changed_in(2, '"kind":"map"', '"kind":"fold"'))
rejects(2, 'unknown field "node"', changed_in(2, '"slot":1', '"slot":1,"node":1'))
rejects(9, 'field "finish": expected true', changed_in(9, "true", "false"))
rejects(12, "digest", changed_in(12, '"digest":"%x', '"digest":"g'))
rejects(nil, "the log ends without its last line", function(copy) copy[#copy] = nil end)

-- Pools: every task stays on its pool's slots.
lines = log_of("fixed_pools",
    { pools = { { nodes = 1, jobs = { 2 } }, { nodes = 1, jobs = { 1, 3 } } } })
check.contains("pools in the first line", lines[1],
    '"nodes":2,"pools":[{"nodes":1,"jobs":[2]},{"nodes":1,"jobs":[')
rejects = altered.log(lines, SETTINGS)
check.equal("the log of pools", verdict(lines), nil)
for i, line in ipairs(lines) do
    local other = i > 1
        and line:gsub('"slot":(%d)', function(slot) return '"slot":' .. 3 - tonumber(slot) end)
    if other and other ~= line then rejects(nil, "", line_is(i, other)) end
end
for _, pool in ipairs { '"nodes":"x","jobs":[2]', '"nodes":16777217,"jobs":[2]',
    '"nodes":1,"jobs":2', '"nodes":1,"jobs":[0]', '"nodes":1,"jobs":["2"]',
    '"nodes":1,"jobs":[2.5]', '"nodes":1,"jobs":[2],"name":"a"', '"nodes":1', '"jobs":[2]' } do
    rejects(1, 'field "pools[1]": expected {"nodes": n, "jobs": [id, …]}',
        changed_in(1, '"nodes":1,"jobs":%[2%]', pool))
end
rejects(1, 'field "pools": they do not share out the jobs', changed_in(1, '%[2%]', "[3]"))
rejects(nil, "", changed_in(1, '"nodes":2,"pools":.*$', '"resplit":0}'))
rejects(1, 'field "pools": they do not share out',
    changed_in(1, '"nodes":2,"pools"', '"nodes":3,"pools"'))
-- A pool that leaves a node to nobody.
lines = log_of("fixed_pools", { pools = { { nodes = 1, jobs = { 1, 2, 3 } } } })
check.contains("one pool", lines[1], '"nodes":2,"pools":[{"nodes":1,"jobs":[')
check.equal("the log of one pool", verdict(lines), nil)

check.done()
