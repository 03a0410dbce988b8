-- Workloads written in Lua: files, texts and functions. Two of the built-in generators are written
-- once more in examples/workloads/ and make the same jobs, number by number.

local here = arg[0]:match("^(.*/)") or "./"
local root = here .. "../../"
package.path = root .. "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"

local EXAMPLES = root .. "examples/workloads/"
local directory = check.directory()

-- ---- the same jobs ------------------------------------------------------------------------------

local function hash_of(workload, binding)
    local hash, why = core.jobs_hash { workload = workload:open(binding).core }
    return hash or why
end

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
local random = pinion.random(seed)
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats it)")

local SIZES = { "exp(%d)", "uniform(1,%d)", "lognormal(%d,7)", "normal(%d,4)", "constant(%d)",
    "poisson(%d)", "weibull(0.7,%d)", "mixture(0.5,exp(3),0.5,constant(%d))" }
local FACTORS = { "exp(%d)", "lognormal(%d,3.5)", "constant(%d)", "gamma(2,%d)" }

local function size(list)
    return (list[random:random(1, #list)]:gsub("%%d", tostring(random:random(1, 30))))
end

local TWINS = {
    zheng = function()
        return { slots = random:random(1, 8), rate = random:uniform() * 4, maps = size(SIZES),
            reduces = size(SIZES), tasks = random:random(1, 12) }
    end,
    lin = function()
        return { jobs = random:random(1, 20), load = 0.01 + random:uniform(), map = size(FACTORS),
            ratio = size(FACTORS) }
    end,
}

-- With sanitizers, which look for other things, a tenth of them.
local SETTINGS = program.path:find "asan" and 500 or 5000

for name, draw in next, TWINS do
    local differing
    for _ = 1, SETTINGS do
        local options = draw()
        local binding = { seed = random:random(0, 1 << 40), replica = random:random(0, 1 << 20) }
        local own = pinion.workload.script(EXAMPLES .. name .. ".lua", options)
        if hash_of(pinion.workload[name](options), binding) ~= hash_of(own, binding) then
            differing = differing or own.text .. string.format(", seed %d, replica %d",
                binding.seed, binding.replica)
        end
    end
    check.equal(name .. " in Lua and in C", differing, nil)
end

-- Whole runs, with every part of a comparison.
local function compared(workload)
    return pinion.compare { workload = workload, machines = 50, policies = { "fifo", "asrpt" },
        replicas = 3, quiet = true }
end
local built_in = compared(pinion.workload.zheng { slots = 200 })
local own = compared(EXAMPLES .. "zheng.lua,slots=200")
check.equal("policies", #built_in.rows, 2)
for i, row in ipairs(built_in.rows) do
    check.is_true("a mean", row.mean_flow_time > 1)
    check.equal("the mean of " .. row.policy, own.rows[i].mean_flow_time, row.mean_flow_time)
    check.equal("the percentiles", own.rows[i].p99, row.p99)
end

-- ---- jobs that were made, stored and read again -------------------------------------------------

local MODELS = {
    slotted = [[
return { name = "all", model = "slotted", estimates = true, params = { n = { default = 9 } },
  generate = function(g)
    local t = 0
    for _ = 1, g.params.n do
      t = t + g:exponential(1.5)
      local job = { arrival = t, maps = g:random(0, 9), reduces = { g:random(1, 5) } }
      for k = 2, g:random(1, 4) do job.reduces[k] = g:random(0, 5) end
      if g:chance(.5) then job.estimate_maps = g:random(0, 20) end
      g:job(job)
    end
  end }]],
    tandem = [[
return { name = "all", model = "tandem", params = { n = { default = 9 } },
  generate = function(g)
    local t = 0
    for _ = 1, g.params.n do
      t = t + g:exponential(1.5)
      g:job { arrival = t, map = g:real "weibull(0.5,2)", shuffle = g:real "exp(1)" }
    end
  end }]],
    makespan = [[
return { name = "all", model = "makespan", ticks = 4, params = { n = { default = 9 } },
  generate = function(g)
    for _ = 1, g.params.n do
      local maps = {}
      for k = 1, g:random(0, 4) do maps[k] = g:random(1, 12) / 4 end
      g:job { maps = maps, reduces = { count = g:random(1, 5), duration = g:random(1, 9) },
        map_slots = g:chance(.5) and 2 or nil, reduce_time = g:chance(.3) and 2.5 or nil }
    end
  end }]],
    cluster = [[
return { name = "all", model = "cluster",
  params = { n = { default = 9 }, lists = { default = true } },
  generate = function(g)
    local t = 0
    for _ = 1, g.params.n do
      t = t + g:exponential(2000)
      local maps, times = g:random(1, 4)
      if g.params.lists and g:chance(.3) then
        times = {}
        for k = 1, maps do times[k] = g:random(0, 5000) end
      end
      g:job { submit = t, maps = maps, map_ms = not times and g:draw "exp(3000)" or nil,
        map_times = times, reduces = g:random(0, 2), reduce_ms = 2000, shuffle_ms = 100,
        deadline = g:chance(.5) and g:random(1000, 90000) or nil }
    end
  end }]],
}

for model, text in next, MODELS do
    local made = pinion.workload.script(text, { n = 40 })
    for replica = 0, 20 do
        local binding = { seed = seed, replica = replica }
        local opened = made:open(binding)
        local hash, options = core.jobs_hash { workload = opened.core }, { seed = seed,
            replica = replica }
        check.equal(model .. ": a second pass", core.jobs_hash { workload = opened.core }, hash)
        check.equal(model .. ": opened again", hash_of(made, binding), hash)
        local list = made:jobs(options)
        check.equal(model .. ": stored in a table", hash_of(pinion.workload.jobs(list), {}),
            hash)
    end
end

for model in next, MODELS do
    local path = directory .. "/" .. model .. ".lua"
    check.write_file(path, MODELS[model])
    for _, format in ipairs { "json", "csv" } do
        local stored = directory .. "/stored." .. format
        -- Files of this form hold no lists of times.
        local spec = path .. ",n=40"
        if model == "cluster" then spec = spec .. ",lists=" .. tostring(format == "json") end
        local _, errors, status = program.run { "workload", spec, "--jobs", "--seed",
            "5", "--format", format, "--output", stored }
        check.equal(model .. " to " .. format, tostring(status) .. errors, "0")
        local again = format == "csv" and pinion.trace.csv(stored) or pinion.trace.scenario(stored)
        check.equal(model .. " from " .. format, hash_of(again, {}),
            hash_of(pinion.workload.spec(spec), { seed = 5 }))
    end
end

-- ---- parameters ---------------------------------------------------------------------------------

local PARAMS = [[
return { name = "p", model = "slotted", params = {
    whole = { default = 3, min = 1, max = 9 }, any = { default = 0.5, min = 0 },
    yes = { default = true }, word = { default = "b", choices = { "a", "b" } },
    text = { default = "exp(3)" }, real = { default = 7, integer = false } },
  generate = function(g)
    local p = g.params
    g:job { arrival = 1, maps = p.whole, group = string.format("%s %s %s %s %s %s", p.whole, p.any,
        p.yes, p.word, p.text, p.real) }
  end }]]

local function group_with(options)
    return pinion.workload.script(PARAMS, options):jobs()[1].group
end
check.equal("defaults", group_with {}, "3 0.5 true b exp(3) 7.0")
check.equal("values", group_with { whole = 9, any = 2, yes = false, word = "a", text = "x",
    real = 1.5 }, "9 2.0 false a x 1.5")
check.equal("values as text", group_with { whole = "9", any = ".25", yes = "false", word = "a" },
    "9 0.25 false a exp(3) 7.0")
for _, case in ipairs {
    { { whole = 10 }, "workload: whole: must be an integer in 1..9, got 10" },
    { { whole = 1.5 }, "workload: whole: must be an integer" },
    { { any = -1 }, "workload: any: must be" },
    { { word = "c" }, "workload: word: must be a or b, got 'c'" },
    { { yes = 3 }, "workload: yes: must be true or false, got 3" },
    { { whol = 3 }, "workload: whol: unknown option (did you mean 'whole'?)" },
} do
    check.raises(case[2], case[2], group_with, case[1])
end

-- ---- definitions that are refused ---------------------------------------------------------------

local OF, NONE = "return { name = 'x', model = 'slotted', ", "generate = function() end }"
local DEFINITIONS = {
    { "", "workload: returned nothing (expected a table)" },
    { "return 3", "workload: returned number (expected a table)" },
    { "return {", "workload:2: unexpected symbol near <eof>" },
    { "return { name = 'x' }", "workload: model: is required (slotted, tandem, makespan" },
    { "return { name = 'x', model = 'sloted' }", "workload: model: must be one of" },
    { "return { model = 'slotted' }", "workload: name: is required" },
    { "return { name = 'x', model = 'slotted' }", "workload: generate: is required" },
    { OF .. "generate = 3 }",
        "workload: generate: must be a function of g" },
    { OF .. "generat = 3 }",
        "workload: generat: unknown field (did you mean 'generate'?)" },
    { OF .. "ticks = 3, " .. NONE,
        "workload: ticks: is not an option of the slotted model" },
    { "return { name = 'x', model = 'cluster', estimates = true, generate = function() end }",
        "workload: estimates: is not an option of the cluster model" },
    { OF .. "groups = { 'a', 'a' }, " .. NONE,
        "workload: groups: 'a' is named twice" },
    { OF .. "groups = { 3 }, " .. NONE,
        "workload: groups: element 1 must be a name, got a number" },
    { OF .. "groups = 'a', " .. NONE,
        "workload: groups: must be a list of 1 to 4096 names" },
    { OF .. "attributes = { maps = 1 }, " .. NONE,
        "workload: attributes.maps: is a field of every job of the slotted model" },
    { OF .. "attributes = { w = 'a' }, " .. NONE,
        "workload: attributes.w: must be a finite number, its default" },
    { OF .. "attributes = { w = 1 / 0 }, " .. NONE,
        "workload: attributes.w: must be a finite number, its default, or a list of texts" },
    { OF .. "attributes = { weight = { 'a' } }, " .. NONE,
        "workload: attributes.weight: must be a finite number" },
    { OF .. "attributes = { deadline = { 'a' } }, " .. NONE,
        "workload: attributes.deadline: must be a finite number" },
    { "local many = {} for i = 1, 4097 do many[i] = 'g' .. i end\n"
        .. OF .. "attributes = { w = many }, " .. NONE,
        "workload: attributes.w: must be a finite number, or a list of 1 to 4096 texts" },
    { "local many = {} for i = 1, 4097 do many[i] = 'g' .. i end\n"
        .. OF .. "groups = many, " .. NONE, "workload: groups: must be a list of 1 to 4096 names" },
    { "local many = {} for i = 1, 4097 do many[i] = 'q' .. i end\n"
        .. "return { name = 'x', model = 'dag', queues = many, " .. NONE,
        "workload: queues: must be a list of 1 to" },
    { "local many = {} for i = 1, 64 do many['a' .. i] = i end\n"
        .. OF .. "attributes = many, " .. NONE, "workload: attributes: must be 1 to" },
    { OF .. "attributes = { w = { 'a', 'b', 'a' } }, " .. NONE,
        "workload: attributes.w: 'a' is named twice" },
    { OF .. "generate = math.abs }", "workload: generate: must be a function of g" },
    { OF .. "params = { p = { } }, " .. NONE,
        "workload: params.p.default: is required" },
    { OF .. "params = { p = { default = ('x'):rep(128) } }, " .. NONE,
        "workload: params.p.default: must be a text of at most 127 bytes" },
    { OF .. "params = { p = { default = 'a', choices = { 'a', 'true' } } }, " .. NONE,
        "workload: params.p.choices: must be words (a boolean is declared by default = true or "
            .. "false alone)" },
    { OF .. "params = { p = { default = 'a', choices = { 'false', 'a' } } }, " .. NONE,
        "workload: params.p.choices: must be words (a boolean is declared by default = true or "
            .. "false alone)" },
    { OF .. "groups = { 'a\\0b' }, " .. NONE,
        "workload: groups: element 1 must be UTF-8 text without null characters" },
    { OF .. "groups = { 'a\\xff' }, " .. NONE,
        "workload: groups: element 1 must be UTF-8 text without null characters" },
    { OF .. "params = { seed = { default = 0.5 } }, " .. NONE,
        "workload: params.seed: must be an integer (it is the seed of the run)" },
    { "local n = 0 " .. OF .. "generate = function(g) n = n + 1 end }",
        "workload:1: assigns to 'n', a local of the file, from inside a function (declare it "
            .. "inside generate" },
}
table.insert(DEFINITIONS, {
    "return { name = 'x', model = 'cluster', params = { deadline_ms = { default = 1 } }, " .. NONE,
    "workload: params.deadline_ms: is an option of all workloads of the cluster model" })
for _, case in ipairs(DEFINITIONS) do
    -- A text is told from a file's name by a line break.
    check.raises(case[2], case[2], pinion.workload.script, case[1] .. "\n")
end
check.raises("no such file",
    "nosuch.lua: No such file or directory (expected the file of a workload)",
    pinion.workload.script, "nosuch.lua")

-- ---- scripts that fail --------------------------------------------------------------------------

-- Each in a file and as a function: file, line and job are named.
local FAULTS = {
    { "g:job { maps = 3 }", "job 1: arrival: is required" },
    { "g:job { arrival = 1, mapss = 3 }", "job 1: unknown field 'mapss' (did you mean 'maps'?)" },
    { "g:job { arrival = 1, zz = 3 }",
        "job 1: unknown field 'zz' (known: reduces, tasks, arrival, maps, group, "
            .. "estimate_maps, estimate_reduces)" },
    { "g:job { 1, 2 }", "job 1: has an entry under a number (expected named fields)" },
    { "g:job { arrival = 1, maps = 1.5 }", "job 1: maps: must be an integer in 0.." },
    { "g:job { arrival = 1, maps = '3' }", "job 1: maps: must be an integer in 0.." },
    { "g:job { arrival = 1, maps = -3 }", "job 1: maps: must be an integer in 0.." },
    { "g:job { arrival = 0/0, maps = 3 }", "job 1: arrival: must be a number in 1..2^53, got NaN" },
    { "g:job { arrival = -1, maps = 3 }", "job 1: arrival: must be a number in 1..2^53, got -1" },
    { "g:job { arrival = 1/0, maps = 3 }", "job 1: arrival: must be a number in 1..2^53" },
    { "g:job { arrival = 1 }", "job 1: has no work (expected maps or reduces)" },
    { "g:job { arrival = 1, maps = 1 << 53, reduces = 1 }", "job 1: has more than 2^53 units" },
    { "g:job { arrival = 1, reduces = { 1, 'x' } }",
        "job 1: reduces: element 2 must be an integer in 0.." },
    { "g:job { arrival = 1, reduces = true }", "job 1: reduces: must be an integer in 0.." },
    { "g:job { arrival = 1, reduces = { 1 }, tasks = 2 }",
        "job 1: tasks: goes with a number of reduces" },
    { "g:job { arrival = 1, maps = 1, group = 7 }", "job 1: group: must be a name, got a number" },
    { "g:job { arrival = 1, maps = 1, group = 'a\\0b' }",
        "job 1: group: must be UTF-8 text without null characters" },
    { "g:job { arrival = 5, maps = 1 } g:job { arrival = 4, maps = 1 }",
        "job 2: arrival: is 4, before the job ahead of it" },
    { "g:job { arrival = 5, maps = 1 } g:job { arrival = 6, maps = 1, group = 'a' }",
        "job 2: group: 'a' is none of the groups that were found" },
    { "g:job { arrival = 5, maps = 1 } g:job { arrival = 6, maps = 1, estimate_maps = 2 }",
        "job 2: estimate_maps: the first job has no estimate" },
    { "g:job { arrival = 1, maps = 1 } error 'mine'", "job 2: mine" },
    { "error { }", "job 1: error value of type table" },
    { "local x = nil + 1", "job 1: attempt to perform arithmetic on a nil value" },
    { "g:jobb { }", "job 1: the generator has no 'jobb'" },
    { "g.x = 3", "job 1: the generator is read-only" },
    { "g:job()", "job 1: g:job takes a job, such as { maps = 3 }, got no value" },
    { "g.job({}, {})", "job 1: the generator comes first: call it as g:name(...)" },
    { "g.uniform({})", "job 1: what draws comes first: call it as g:name(...)" },
    { "g.uniform(g:stream(1))", "job 1: what draws comes first: call it as g:name(...)" },
    { "g:stream(32)", "job 1: stream(purpose): must be an integer in 0..31, got 32" },
    { "g:stream(-1)", "job 1: stream(purpose): must be an integer in 0..31, got -1" },
    { "g:random(3, 1)", "job 1: random(low, high) needs low <= high, got 3 and 1" },
    { "g:exponential(-1)", "job 1: exponential(mean): the mean must be >= 0" },
    { "g:exponential('a')", "job 1: exponential(mean): must be a finite number, got string" },
    { "g:exponential(1 / 0)", "job 1: exponential(mean): must be a finite number, got another" },
    { "g:poisson(1e9)", "job 1: poisson(mean): the mean must be in 0..1000000" },
    { "g:poisson(-1)", "job 1: poisson(mean): the mean must be in 0..1000000" },
    { "g:normal(1, -1)", "job 1: normal(mean, sd): sd >= 0 is needed" },
    { "g:lognormal(0, 1)", "job 1: lognormal(mean, sd): mean > 0 and sd >= 0 are needed" },
    { "g:lognormal(1, -1)", "job 1: lognormal(mean, sd): mean > 0 and sd >= 0 are needed" },
    { "g:lognormal(1, 1e300)", "job 1: lognormal(mean, sd): mean > 0 and sd >= 0 are needed" },
    { "g:pareto(0, 1)", "job 1: pareto(shape, scale): both must be > 0" },
    { "g:pareto(1, 0)", "job 1: pareto(shape, scale): both must be > 0" },
    { "g:chance(2)", "job 1: chance(p): p must be in 0..1" },
    { "g:chance(-1)", "job 1: chance(p): p must be in 0..1" },
    { "g:draw(('1'):rep(4097))", "job 1: a text of 4097 bytes (expected at most 4096)" },
    { "g:mean 'truncated(uniform(1,9),20,30)'",
        "job 1: the mean of truncated(uniform(1,9),20,30) is not known" },
    { "g:draw 'expp(3)'", "job 1: unknown distribution 'expp' (did you mean 'exp'?)" },
    { "g:draw {}", "job 1: must be a distribution such as \"exp(5)\"" },
    { "g:draw 'pareto(0.01,1e15)'", "job 1: what was drawn of pareto(0.01,1e15) passes 2^53" },
    { "table.sort({ 1, 2, 3 }, function(a, b) g:job { arrival = 1, maps = 1 } return a < b end)",
        "job 1: g:job can be called in generate alone, outside of what sorts" },
}

local function run(workload)
    return pinion.run { workload = workload, machines = 3, policy = "fifo", quiet = true }
end

for _, case in ipairs(FAULTS) do
    local code, part = case[1], case[2]
    local path = directory .. "/fault.lua"
    check.write_file(path, OF .. "\n  generate = function(g)\n" .. code .. "\n  end }\n")
    check.raises(code .. " in a file", path .. ":3: " .. part, run, path)
    local f = load("return function(g)\n" .. code .. "\nend", "=mine.lua")()
    local ok, message = pcall(run, f)
    check.equal(code .. " in a function fails", ok, false)
    check.contains(code .. " in a function", message, part)
    if not code:find "^error {" then
        check.contains(code .. " in a function has a line", message, "mine.lua:2: ")
    end
end

-- What other models and attributes refuse.
for _, case in ipairs {
    { "tandem", "", "map = 1e300", "job 1: map: must be at most 2^256" },
    { "cluster", "", "submit = 0, maps = 1, map_ms = 2, map_times = { 3 }",
        "job 1: map_times: cannot be given together with map_ms" },
    { "slotted", "attributes = { weight = 1 },", "arrival = 1, maps = 1, weight = -1",
        "job 1: weight: must be a number >= 0" },
    { "slotted", "attributes = { rank = 1 },", "arrival = 1, maps = 1, rank = 1 / 0",
        "job 1: rank: must be a finite number" },
} do
    check.raises(case[4], case[4], function()
        pinion.workload.script(string.format("return { name = 'x', model = '%s', %s\n"
            .. "generate = function(g) g:job { %s } end }", case[1], case[2], case[3])):jobs()
    end)
end
check.equal("factors of tasks", pinion.workload.script("return { name = 'x', model = 'cluster',\n"
    .. "generate = function(g) g:job { submit = 0, maps = 2, map_ms = 5, "
    .. "map_factor = { 1000, 2500 } } end }"):jobs()[1].map_factor[2], 2500)
check.raises("too many groups", "job 4097: group: more than 4096 groups", run, function(g)
    for i = 1, 4097 do g:job { arrival = 1, maps = 1, group = "g" .. i } end
end)
-- The job is named behind the place, which only "FILE:LINE: " is.
for text, want in next, {
    ["see x:7 and y.lua:8"] = "job 1: see x:7 and y.lua:8",
    ["x:7 y.lua:8: no"] = "x:7 y.lua:8: job 1: no",
    ["y.lua:8:"] = "job 1: y.lua:8:",
} do
    local ok, message = pcall(run, function() error(text, 0) end)
    check.equal("an error without a place", ok, false)
    check.contains(text, message, want)
end
check.raises("a job from another coroutine", "g:job can be called in generate alone", run,
    function(g) coroutine.wrap(g.job)(g, { arrival = 1, maps = 1 }) end)

check.raises("tasks of a batch that are a number",
    "job 1: maps: must be a list of durations or { count = N, duration = T }, got a number",
    pinion.run, { model = "makespan", map_slots = 1, reduce_slots = 1, policy = "fifo",
        quiet = true, workload = function(g) g:job { maps = 3 } end })

-- What never ends, ends with a message.
for name, body in next, {
    ["used up its budget"] = "while true do end",
    ["needs more than 64 MiB of memory"] = "local t = {} for i = 1, 1e9 do t[i] = { i } end",
    ["makes a string of more than"] = "local s = 'x' while true do s = s .. s end",
} do
    check.raises(name, name, run, pinion.workload.script(
        "return { name = 'x', model = 'slotted', generate = function(g)\n" .. body .. "\nend }"))
end

check.raises("work of several tasks", "has more than 2^53 units of work", run,
    function(g) g:job { arrival = 1, reduces = { 1 << 53, 1 << 53, 1 << 53 } } end)

-- ---- functions ----------------------------------------------------------------------------------

local calls = 0
local result = run(function(g)
    calls = calls + 1
    for i = 1, 10 do g:job { arrival = i, maps = g:random(1, 3) } end
end)
check.equal("jobs of a function", result.finished, 10)
check.is_true("the function was called", calls > 0)

local replicated = pinion.compare {
    machines = 3, policies = { "fifo", "asrpt" }, replicas = 6, quiet = true,
    workload = { name = "mine", params = { mean = { default = 2.0 } }, attributes = { weight = 1 },
        generate = function(g)
            for i = 1, 50 do
                g:job { arrival = 2 * i, maps = g:draw("exp(" .. g.params.mean .. ")"),
                    group = i % 2 == 0 and "even" or "odd", weight = i }
            end
        end },
}
check.equal("replicas of a function", replicated.replicas, 6)

local kept
run(function(g)
    kept = g
    g:job { arrival = 1, maps = 1 }
end)
check.raises("g after the run", "g:job can be called in generate alone", kept.job, kept,
    { arrival = 1, maps = 1 })
check.raises("a draw after the run", "a generator draws while it makes jobs only", kept.uniform,
    kept)

-- The same when nothing of the run is left, which ended in the middle.
local process, thread
pinion.run { machines = 3, policy = "fifo", quiet = true, until_slot = 3, workload = function(g)
    kept, process, thread = g, g:arrivals "poisson(1)", coroutine.running()
    for i = 1, 9 do g:job { arrival = i, maps = 1 } end
end }
collectgarbage()
collectgarbage()
check.raises("a job of what is gone", "g:job can be called in generate alone", kept.job, kept,
    { arrival = 1, maps = 1 })
check.raises("a draw", "a generator draws while it makes jobs only", kept.uniform, kept)
check.raises("a stream", "the run of this generator is over", kept.stream, kept, 1)
check.raises("an arrival", "a generator draws while it makes jobs only", process.next, process)
check.contains("its coroutine", select(2, coroutine.resume(thread)),
    "g:job can be called in generate alone")

check.raises("a function that yields by itself", "job 2: generate yields by itself", run,
    function(g)
        g:job { arrival = 1, maps = 1 }
        coroutine.yield()
    end)

-- Without an end, it ends with a message.
local function endless(g)
    run(endless)
    g:job { arrival = 1, maps = 1 }
end
check.raises("a workload that runs itself", "run workloads inside one another without an end", run,
    endless)
check.equal("a run after it", run(function(g) g:job { arrival = 1, maps = 1 } end).finished, 1)

-- What is UTF-8 is what Lua says it is.
local PARTS = { "a", "é", "€", "😀", "\x80", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8",
    "\xe2\x82", "\xc3", "\0" }
for _ = 1, 500 do
    local name = "a"
    for _ = 1, random:random(0, 3) do name = name .. PARTS[random:random(1, #PARTS)] end
    local fits = utf8.len(name) ~= nil and not name:find "\0"
    local ok, why = pcall(run, function(g) g:job { arrival = 1, maps = 1, group = name } end)
    check.equal(string.format("group %q: %s", name, ok or why), ok, fits)
end

-- A value that is a text has room for so much of it.
local TEXT = "return { name = 'x', model = 'slotted', params = { size = { default = 'exp(5)' } },\n"
    .. "generate = function(g) g:job { arrival = 1, maps = g:draw(g.params.size) } end }"
check.raises("a text that is too long", "size: must be a text of at most 127 bytes, got one of 232",
    pinion.workload.script, TEXT, { size = "empirical(" .. ("1,"):rep(110) .. "9)" })
check.raises("a zero byte", "size: must be a text of at most 127 bytes, got a zero byte in it",
    pinion.workload.script, TEXT, { size = "exp(5)\0x" })

check.raises("a function in a checkpoint",
    "checkpoint: the workload is a function of this script, which no checkpoint can hold",
    pinion.run, { workload = function(g) g:job { arrival = 1, maps = 1 } end, machines = 3,
        policy = "fifo", quiet = true, checkpoint = directory .. "/state", every = 10 })

-- Two at once, in one state: each has its own place.
local function counted(n)
    return function(g) for i = 1, n do g:job { arrival = i, maps = g:random(1, 1000) } end end
end
local inner
run(function(g)
    g:job { arrival = 1, maps = 1 }
    inner = inner or run(counted(9))
    g:job { arrival = 2, maps = 1 }
end)
check.equal("a run inside a function", inner.finished, 9)

-- ---- streams ------------------------------------------------------------------------------------

local a, b = pinion.random(7, 2, 3), pinion.random(7, 2, 3)
for _ = 1, 100 do check.equal("the same stream", a:uniform(), b:uniform()) end
check.is_true("another purpose",
    pinion.random(7, 2, 4):uniform() ~= pinion.random(7, 2, 3):uniform())
check.raises("no seed", "random: seed must be an integer, got nothing", pinion.random)
check.raises("a purpose out of range", "random: purpose must be", pinion.random, 1, 0, -1)
check.equal("a stream of a generator",
    pinion.workload.script("return { name = 'x', model = 'slotted', generate = function(g)\n"
        .. "g:job { arrival = 1, maps = g:stream(5):random(1, 1 << 40) } end }"):jobs { seed = 9,
        replica = 3 }[1].maps, pinion.random(9, 3, 5):random(1, 1 << 40))

-- A draw by a method and one by a text are the same draw.
for name, draw in next, {
    ["lognormal(10,4)"] = function(stream) return stream:lognormal(10, 4) end,
    ["pareto(1.5,2)"] = function(stream) return stream:pareto(1.5, 2) end,
    ["exp(3)"] = function(stream) return stream:exponential(3) end,
    ["7"] = function() return 7.0 end,
} do
    local by_method, by_text = pinion.random(7), pinion.random(7)
    for _ = 1, 10 do check.equal(name, draw(by_method), by_text:real(name)) end
end
check.equal("a number is a constant", pinion.random(7):draw(7), 7)
-- More texts than are kept: those that were forgotten are read again.
a, b = pinion.random(7), pinion.random(7)
for i = 1, 600 do
    check.equal("text " .. i, a:real("exp(" .. 1 + i % 300 .. ")"), b:exponential(1 + i % 300))
end
for name, method in next, { ["what draws comes first: call it as g:name(...)"] = a.uniform,
    ["the process comes first: call it as arrivals:next()"] = a:arrivals("poisson(1)").next } do
    for _, value in ipairs { {}, io.stdout, core.null } do
        check.raises("a method of " .. type(value), name, method, value)
    end
end

-- ---- groups -------------------------------------------------------------------------------------

-- Jobs that all have a group leave no row for those without one, whatever is written.
for _, format in ipairs {
    { "--format", "table" }, { "--format", "csv" }, { "--format", "csv", "--long" },
    { "--format", "json" },
} do
    local output, errors = program.run { "compare", "--workload",
        EXAMPLES .. "diurnal.lua,jobs=100", "--set", "machines=40", "--policies", "fifo",
        "--replicas", "3", "--quiet",
        table.unpack(format) }
    check.equal("groups: " .. errors, output:find "(none)", nil)
    check.equal("a group without a name", output:find '"group": null', nil)
    check.contains(table.concat(format, " "), output, "interactive")
end

-- ---- templates ----------------------------------------------------------------------------------

for model in next, MODELS do
    local path = directory .. "/new-" .. model .. ".lua"
    local output, errors, status = program.run { "new-workload", "my-first_1", "--model", model,
        "--output", path }
    check.equal("new-workload " .. model, tostring(status) .. errors, "0")
    local trial = output:match "try: pinion (.-)\n"
    check.is_true("it says how to try it", trial ~= nil)
    local arguments = { "--quiet", "--format", "csv", "--replicas", "2" }
    for word in trial:gsub(" %-%-replicas %d+", ""):gmatch "%S+" do
        table.insert(arguments, #arguments - 4, word)
    end
    local table_of, why, failed = program.run(arguments)
    check.equal(model .. ": " .. trial, tostring(failed) .. why, "0")
    check.is_true("it compares", #table_of > 0)
    check.equal("a file that is there", select(3, program.run { "new-workload", "x", "--model",
        model, "--output", path }), 2)
end
check.contains("a name that is a path", select(2, program.run { "new-workload", "../x" }),
    "NAME: must be 1 to 31 letters")

-- ---- times of arrival ---------------------------------------------------------------------------

-- A process of a stream is the process of the option, which draws from purpose 34.
local PROCESS = "mmpp(0.5,20,3,10)"
local process, last = pinion.random(9, 2, 34):arrivals(PROCESS), 0
for _, job in ipairs(pinion.workload.lin { jobs = 50, arrivals = PROCESS }:jobs { seed = 9,
    replica = 2 }) do
    last = process:next()
    check.equal("an arrival", job.arrival, last)
end
check.is_true("time passes", last > 1)
check.raises("an unknown process", "unknown process", pinion.random(1).arrivals, pinion.random(1),
    "poison(2)")
check.raises("no process", "the process comes first", process.next, {})
local arrived = pinion.workload.script(OF .. "generate = function(g)\n"
    .. "local a = g:arrivals 'batches(0.5,constant(3))' for i = 1, 9 do\n"
    .. "g:job { arrival = a:next(), maps = 1 } end end }"):jobs()
for i = 1, 9, 3 do check.equal("three at once", arrived[i].arrival, arrived[i + 2].arrival) end

-- ---- fields that yield to attributes ------------------------------------------------------------

local CLUSTER = "return { name = 'c', model = 'cluster', %s generate = function(g)\n"
    .. "g:job { submit = 0, maps = 1, map_ms = 5, weight = %s, priority = -2 } end }"
local weighed = pinion.workload.script(CLUSTER:format("", "3")):jobs()[1]
check.equal("a weight", math.type(weighed.weight) .. weighed.weight, "integer3")
check.equal("a priority", weighed.priority, -2)
check.raises("a weight out of range", "job 1: weight: must be an integer in 1..1000000, got 0.5",
    function() pinion.workload.script(CLUSTER:format("", "0.5")):jobs() end)
weighed = pinion.workload.script(CLUSTER:format("attributes = { weight = 1 },", "0.5")):jobs()[1]
check.equal("an attribute", weighed.weight, 0.5)

-- ---- checkpoints --------------------------------------------------------------------------------

local state = directory .. "/state"
local function digest_of(arguments)
    local output, errors, status = program.run(arguments)
    check.equal(table.concat(arguments, " "), tostring(status) .. errors, "0")
    return output:match '"digest": "(%x+)"'
end
local RUN = { "simulate", "--workload", EXAMPLES .. "diurnal.lua,jobs=3000", "--set", "machines=40",
    "--policy", "asrpt", "--no-jobs", "--quiet" }
local function with(...)
    local arguments = table.move(RUN, 1, #RUN, 1, {})
    return table.move({ ... }, 1, select("#", ...), #arguments + 1, arguments)
end
local whole = digest_of(with())
local part = digest_of(with("--checkpoint", state, "--every", "100", "--until", "500"))
check.is_true("a part is not the whole", part ~= whole)
check.equal("a run that was resumed", digest_of { "resume", state, "--until", "1000000", "--quiet",
    "--format", "json" }, whole)

-- ---- memory -------------------------------------------------------------------------------------

-- A block of the system's jobs, whatever their number: the generator's state does not grow.
local long = pinion.workload.script(OF .. "generate = function(g)\n"
    .. "for i = 1, 300000 do g:job { arrival = i, maps = 1, reduces = { 1, 2 } } end end }")
local limited = pinion.run { workload = long, machines = 9, policy = "fifo", quiet = true,
    keep_jobs = false, memory = 400000 }
check.equal("300000 jobs in 400 kB of Lua", limited.finished, 300000)

check.done()
