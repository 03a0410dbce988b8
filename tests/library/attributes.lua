-- What jobs carry besides: attributes and named groups, through every door, in every model. A
-- policy sees what the jobs were given; rows, means by weight and hashes go by it; and groups have
-- their numbers by their names, whatever the order of the jobs.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local pinion = require "pinion"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
math.randomseed(seed)
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats the jobs)")

local function message_of(f, ...)
    local ok, why = pcall(f, ...)
    return ok and "" or tostring(why)
end

local function run(arguments)
    local output, messages, code = program.run(arguments)
    check.equal("exit code, " .. messages, code, 0)
    return output
end

local with = check.with

-- Of each model: settings, a job like any other, and how a policy hears of one.
local MODELS = {
    slotted = {
        settings = { machines = 4 }, options = { "--set", "machines=4" },
        job = function(i) return { arrival = i, maps = 1 + i % 4, reduces = { i % 3 } } end,
        time = "flow_time", mean = "weighted_mean_flow_time",
        body = 'key = "arrival", arrive = HEAR',
    },
    tandem = {
        settings = {}, options = {},
        job = function(i) return { arrival = i / 2, map = i % 5 / 4, shuffle = 0.25 } end,
        time = "response_time", mean = "weighted_mean_response_time",
        body = 'map = {}, shuffle = {}, arrive = HEAR',
    },
    makespan = {
        settings = { map_slots = 3, reduce_slots = 2, level = "task" },
        options = { "--set", "map_slots=3", "--set", "reduce_slots=2" },
        job = function(i)
            return { name = "j" .. i, maps = { 1 + i % 4, 2 }, reduces = { 1 + i % 3 } }
        end,
        time = "finish", mean = "weighted_mean_completion_time",
        body = [[order = function(s)
            local order = {}
            for job = 1, s:jobs() do
                hear(s, job, job)
                order[job] = job
            end
            return order
        end]],
    },
    cluster = {
        settings = { nodes = "2x2x1" }, options = { "--set", "nodes=2x2x1" },
        job = function(i)
            return { submit = 900 * i, maps = 1 + i % 3, reduces = i % 2, map_ms = 700 }
        end,
        time = "makespan", mean = "weighted_mean_makespan",
        body = 'key = { changes = "arrival", of = function(s, job) return s:id(job) end }, '
            .. "arrive = HEAR",
    },
}
local NAMES = { "slotted", "tandem", "makespan", "cluster" }

-- A policy that fails unless it sees these values, by id and name, and these groups.
local function witness(model, values, groups)
    local lines = {}
    for id, one in ipairs(values) do
        local fields = {}
        for name, value in next, one do
            fields[#fields + 1] = string.format(type(value) == "string" and "%s = %q"
                or "%s = %.17g", name, value)
        end
        lines[id] = string.format("{ values = { %s }, group = %s }", table.concat(fields, ", "),
            groups[id] and string.format("%q", groups[id]) or "false")
    end
    local body = MODELS[model].body:gsub("HEAR",
        "function(s, job) hear(s, job, s:id(job)) end")
    return pinion.policy(string.format([[
-- Sees what it should, or fails.
local jobs = { %s }
local function hear(s, job, id)
    local want = jobs[id]
    local names = s:attributes()
    for _, name in ipairs(names) do
        if s:attribute(job, name) ~= want.values[name] then
            error(name .. " of job " .. id .. " is " .. s:attribute(job, name))
        end
    end
    if s:attribute(job, "not_there", 77) ~= 77 then error "no default" end
    local group = s:group(job)
    if want.group and (s:groups()[group] ~= want.group or s:group_name(job) ~= want.group) then
        error("group of job " .. id .. " is " .. group)
    end
    if not want.group and (group ~= 0 or s:group_name(job)) then error("a group, of none") end
end
return { name = "witness", model = %q, %s }]], table.concat(lines, ",\n"), model, body))
end

local GROUPS = { "etl", "adhoc", "Zoo", "10", "9", false }
local CARRIED = { "a", "priority", "weight", "x_9", "deadline_of_mine", "b", "c", "d" }

-- Random jobs with random attributes, some of which they do not say.
local function random_jobs(model, count, carried)
    local jobs, values, groups, defaults = {}, {}, {}, {}
    for k = 1, carried do defaults[CARRIED[k]] = k + 0.5 end
    for i = 1, count do
        local job, own = MODELS[model].job(i), {}
        for name, default in next, defaults do
            local value = math.random(3) == 1 and default or math.random(-8, 8) / 4
            if name == "weight" then value = math.abs(value) end
            if value ~= default or math.random(2) == 1 then job[name] = value end
            own[name] = value
        end
        job.group = GROUPS[math.random(#GROUPS)] or nil
        jobs[i], values[i], groups[i] = job, own, job.group
    end
    return jobs, values, groups, defaults
end

-- ---- every view sees what was given, and so do rows and means ----------------------------------

local function mean_by_weight(result, time)
    local weights, weighted = 0.0, 0.0
    for _, job in ipairs(result.jobs) do
        weights, weighted = weights + job.weight, weighted + job.weight * job[time]
    end
    return weights > 0 and weighted / weights or nil
end

for _, model in ipairs(NAMES) do
    for carried = 0, #CARRIED do
        local it = MODELS[model]
        local jobs, values, groups, defaults = random_jobs(model, 40, carried)
        local name = model .. " with " .. carried
        local result = pinion.run(with(it.settings, {
            model = model, workload = jobs, attributes = defaults, quiet = true,
            policy = witness(model, values, groups),
        }))
        local names = table.move(CARRIED, 1, carried, 1, {})
        table.sort(names)
        check.equal(name .. ": names", table.concat(result.attributes or {}, " "),
            table.concat(names, " "))
        for id, job in ipairs(result.jobs) do
            check.equal(name .. ": group", job.group, groups[id])
            for attribute, value in next, values[id] do
                check.equal(name .. ": " .. attribute .. " of a row", job[attribute], value)
            end
        end
        local mean = carried >= 3 and mean_by_weight(result, it.time) or nil
        local got = result[it.mean]
        check.equal(name .. ": whether there is a mean by weight", got ~= nil, mean ~= nil)
        if mean then
            check.is_true(name .. ": the mean by weight",
                math.abs(got - mean) <= 1e-12 * math.abs(mean))
        end
    end
end

-- ---- sources that pass jobs on pass on what they carry -----------------------------------------

local function carrying(source, groups)
    core.workload_carry { workload = source, attributes = { "a", "weight" },
        values = { 1.5, 2.5, -3.5, 0.5 }, groups = groups }
    return source
end

local function check_carried(name, source)
    check.equal(name .. ": names", table.concat(source:attributes(), " "), "a weight")
    for _ = 1, 2 do -- from the first job again
        local jobs = source:jobs(9)
        check.equal(name .. ": jobs", table.concat({ jobs[1].a, jobs[1].weight, jobs[2].a,
            jobs[2].weight }, " "), "1.5 2.5 -3.5 0.5")
    end
end

local factor = distribution.read_factor "lognormal(1,2)"
local slotted = carrying(core.workload_slotted_table { { arrival = 1, maps = 9 },
    { arrival = 2, maps = 5 } }, { "x" })
check_carried("a slotted table", slotted)
check.equal("a job by its number", slotted:job(2).a, -3.5)
check_carried("errors, slotted", core.workload_error { workload = slotted, factor = factor,
    seed = 1 })
local tandem = carrying(core.workload_tandem_table { { arrival = 0.5, map = 1.5, shuffle = 1 },
    { arrival = 2, map = 5, shuffle = 0 } })
check_carried("a tandem table", tandem)
check_carried("errors, tandem", core.workload_error { workload = tandem, factor = factor,
    seed = 1 })
local cluster = carrying(core.workload_cluster_table { { submit = 1, maps = 9, map_ms = 3 },
    { submit = 2, maps = 5, map_ms = 3 } })
check_carried("a cluster table", cluster)
check_carried("deadlines", core.workload_deadlines { workload = cluster, seed = 1,
    draw = distribution.read "uniform(5,9)", relative = false })
check_carried("a makespan table",
    carrying(core.workload_makespan_table({ { map = { 3, 1 } }, { map = { 2, 1 } } }, 1)))
check.raises("values that are missing", "values: must be one for each attribute of each job",
    core.workload_carry, { workload = core.workload_slotted_table { { arrival = 1, maps = 9 } },
    attributes = { "a" }, values = {} })

-- What was refused leaves jobs whose attributes are 0, or the first label.
local function refused(name, message, given, want)
    given.workload = core.workload_slotted_table { { arrival = 1, maps = 9 } }
    check.raises(name, message, core.workload_carry, given)
    check.equal(name .. ": the weight that is left", given.workload:jobs(9)[1].weight, want)
    return given.workload
end
local left = refused("no values", "values: must be one for each attribute of each job",
    { attributes = { "weight" }, values = {} }, 0.0)
local done = core.slotted_run { workload = left, policy = "fifo", machines = 1,
    reduce = "preemptive", quiet = true }
check.equal("and can run", done.finished, 1)
for _, value in ipairs { -1, 2, 0 / 0 } do
    refused("label " .. value, "values: must be the number of a label",
        { attributes = { "weight" }, labels = { { "a", "b" } }, values = { value } }, "a")
end
refused("a label that is no text", "labels: must be texts",
    { attributes = { "weight" }, labels = { { "a", false } }, values = { 0 } }, 0.0)

for _, case in ipairs { { "slotted", { error = "lognormal(1,1)" } },
        { "tandem", { error = "lognormal(1,1)" } },
        { "tandem", { params = { order_map = { 2, 1 } } } } } do
    local it = MODELS[case[1]]
    local jobs, values, groups, defaults = random_jobs(case[1], 30, 3)
    check.equal("passed on in a run", message_of(pinion.run, with(with(it.settings, case[2]),
        { model = case[1], workload = jobs, attributes = defaults, quiet = true,
        policy = witness(case[1], values, groups) })), "")
end

-- ---- doors: a csv file, a scenario and a table of jobs are the same workload -------------------

for _, model in ipairs(NAMES) do
    local it = MODELS[model]
    local jobs, values, groups, defaults = random_jobs(model, 12, 4)
    local made = pinion.workload.jobs(jobs, { attributes = defaults })
    local scripted = witness(model, values, groups)
    local direct = pinion.run(with(it.settings,
        { model = model, workload = made, policy = scripted, quiet = true }))
    local listed = made:jobs()
    check.equal(model .. ": listed again", listed[3].a, values[3].a)
    local again = pinion.run(with(it.settings,
        { model = model, workload = listed, attributes = defaults, policy = scripted,
        quiet = true }))
    check.equal(model .. ": the same digest", again.digest, direct.digest)
    -- The program writes what it reads.
    local texts = {}
    for i, job in ipairs(listed) do
        local fields = {}
        for key, value in next, job do
            if type(value) ~= "table" then
                fields[#fields + 1] = string.format(
                    type(value) == "string" and "%q: %q" or "%q: %s", key, value)
            elseif key == "maps" or key == "reduces" then
                fields[#fields + 1] = string.format('"%s": [%s]', key, table.concat(value, ","))
            end
        end
        texts[i] = "{" .. table.concat(fields, ",") .. "}"
    end
    if model ~= "makespan" then -- whose lists hold exact numbers
        local head = { slotted = '"machines":4,', tandem = "",
            cluster = '"nodes":[{"count":2,"map_slots":2,"reduce_slots":1}],' }
        local path = program.file(model .. ".json", string.format(
            '{"model":"%s",%s"attributes":{"a":1.5,"priority":2.5,"weight":3.5,"x_9":4.5},'
                .. '"jobs":[%s]}',
            model, head[model], table.concat(texts, ",")))
        local json = run { "workload", path, "--jobs", "--format", "json" }
        local csv = run { "workload", path, "--jobs", "--format", "csv" }
        local csv_path = program.file(model .. ".csv", csv)
        check.equal(model .. ": json once more", run { "workload",
            program.file(model .. "2.json", json), "--jobs", "--format", "json" }, json)
        check.equal(model .. ": csv once more",
            run { "workload", "csv:" .. csv_path, "--model", model, "--jobs", "--format", "csv" },
            csv)
        check.matches(model .. ": columns", csv, "a,priority,weight,x_9\n")
        local rows = run { "simulate", path, "--policy", model == "tandem" and "fcfs" or "fifo",
            "--jobs-detail", "--format", "csv", "--quiet" }
        check.matches(model .. ": columns of rows", rows, "a,priority,weight,x_9\n")
    end
end

-- ---- means by weight are there where there are weights, and nowhere else -----------------------

local plain = program.file("plain.csv", "arrival,maps\n1,3\n2,1\n")
local weighed = program.file("weighed.csv", "arrival,maps,weight\n1,3,\n2,1,3\n")
for _, case in ipairs { { plain, false }, { weighed, true } } do
    for _, format in ipairs { "csv", "json", "table" } do
        for _, command in ipairs { { "simulate", "--policy", "fifo" },
                { "compare", "--policies", "fifo,fair" },
                { "compare", "--policies", "fifo,fair", "--replicas", "2", "--error",
                    "uniform(0.5,2)" },
                { "sweep", "--policies", "fifo", "--over", "machines=1,2" } } do
            local said = run { command[1], "--workload", "csv:" .. case[1], "--set", "machines=1",
                "--format", format, "--quiet", table.unpack(command, 2) }
            local title = format == "table" and (command[1] == "simulate" and "weighted mean"
                or "weighted flow") or "weighted_mean_flow_time"
            -- sweeps show the first measure and the ratios
            if command[1] ~= "sweep" or format ~= "table" then
                check.equal(title .. " of " .. command[1] .. " as " .. format,
                    said:find(title, 1, true) ~= nil, case[2])
            end
        end
    end
end
check.equal("an empty cell is a weight of 1", pinion.run { machines = 1, quiet = true,
    policy = "fifo", workload = "csv:" .. weighed }.weighted_mean_flow_time, (3 + 3 * 3) / 4)
check.equal("weights of 0 have no mean", pinion.run { machines = 1, quiet = true, policy = "fifo",
    attributes = { weight = 0 }, workload = { { arrival = 1, maps = 1 } } }.weighted_mean_flow_time,
    nil)
check.equal("the warm-up is left out", pinion.run { machines = 1, quiet = true, policy = "fifo",
    warmup = 1, workload = "csv:" .. weighed }.weighted_mean_flow_time, 3.0)

-- ---- logs and checkpoints ----------------------------------------------------------------------

local log = program.file "run.log"
local other = program.file("other.csv", "arrival,maps,weight\n1,3,\n2,1,4\n")
run { "simulate", "--workload", "csv:" .. weighed, "--set", "machines=1", "--policy", "fifo",
    "--log", log, "--quiet" }
run { "verify", "--workload", "csv:" .. weighed, "--set", "machines=1", log }
for _, path in ipairs { plain, other } do
    local _, said, code = program.run { "verify", "--workload", "csv:" .. path, "--set",
        "machines=1", log }
    check.equal("a log of other attributes", code ~= 0, true)
    check.contains("a log of other attributes", said, "scenario")
end

for _, model in ipairs { "slotted", "tandem", "cluster" } do
    local it = MODELS[model]
    local jobs, values, groups, defaults = random_jobs(model, 60, 4)
    local checkpoint = program.file(model .. ".checkpoint")
    os.remove(checkpoint)
    local options = with(it.settings, { model = model, workload = jobs, attributes = defaults,
        quiet = true, policy = witness(model, values, groups) })
    local want = pinion.run(options)
    local end_of_run = model == "slotted" and "until_slot" or "until_time"
    local every = model == "cluster" and 5000 or 7
    for _, part in ipairs { 0.3, 0.6, false } do
        local last = model == "cluster" and 54000 or model == "tandem" and 30 or 60
        local got = pinion.run(with(options, {
            checkpoint = checkpoint, every = every, resume = part ~= 0.3 or nil,
            [end_of_run] = part and (model == "tandem" and part * last or part * last // 1 | 0)
                or nil,
        }))
        if not part then
            check.equal(model .. ": resumed, the digest", got.digest, want.digest)
            check.equal(model .. ": resumed, the mean by weight", got[it.mean], want[it.mean])
            for id in ipairs(want.jobs) do
                check.equal(model .. ": resumed, a row", got.jobs[id].priority,
                    want.jobs[id].priority)
            end
        end
    end
    -- Other attributes are another run.
    jobs[5].priority = 99
    check.contains(model .. ": a checkpoint of other attributes",
        message_of(pinion.run, with(options, { checkpoint = checkpoint, every = every,
            resume = true })), "workload")
end

-- ---- groups by name ----------------------------------------------------------------------------

-- Two shuffles of a list give the same numbers; 9 comes before 10, capitals before small letters.
for _, model in ipairs(NAMES) do
    local it, jobs = MODELS[model], {}
    for i = 1, 12 do
        jobs[i] = it.job(1)
        jobs[i].group = ({ "etl", 10, "adhoc", 9, "Zoo" })[1 + i % 5]
        jobs[i].name = "n" .. i
    end
    local policy = pinion.policy(string.format([[
local names = { "9", "10", "Zoo", "adhoc", "etl" }
local function hear(s, job)
    if #s:groups() ~= 5 then error "five groups" end
    for i, name in ipairs(names) do if s:groups()[i] ~= name then error(name) end end
    local group = s:group(job)
    if s:group_name(job) ~= names[group] then error("number " .. group) end
end
return { name = "numbers", model = %q, %s }]], model, (it.body:gsub("HEAR",
        "hear"):gsub("hear%(s, job, job%)", "hear(s, job)"))))
    for _ = 1, 4 do
        for i = #jobs, 2, -1 do
            local k = math.random(i)
            jobs[i], jobs[k] = jobs[k], jobs[i]
        end
        local result = pinion.run(with(it.settings,
            { model = model, workload = jobs, policy = policy, quiet = true }))
        for id, job in ipairs(result.jobs) do
            check.equal(model .. ": a name", job.group, jobs[id].group)
        end
    end
end

-- A generator has a fixed list.
check.equal("groups of a generator", message_of(pinion.run, { machines = 100, quiet = true,
    workload = "bursts,slots=50", policy = pinion.policy [[
return { name = "fixed", model = "slotted", key = "arrival",
    init = function(s)
        local names = s:groups()
        if #names ~= 2 or names[1] ~= "giant" or names[2] ~= "small" then error(names[1]) end
    end,
    arrive = function(s, job) if s:group(job) < 1 then error "none" end end }]] }), "")
check.contains("the list of groups is read-only", message_of(pinion.run, { machines = 1,
    quiet = true, workload = { { arrival = 1, maps = 1, group = "a" } }, policy = pinion.policy [[
return { name = "writes", model = "slotted", key = "arrival",
    init = function(s) s:groups()[1] = "b" end }]] }), "read-only")

-- ---- mistakes ----------------------------------------------------------------------------------

local function asks(call)
    return message_of(pinion.run, { machines = 1, quiet = true,
        attributes = { priority = 0, weight = 1 }, workload = { { arrival = 1, maps = 1 } },
        policy = pinion.policy('return { name = "asks", model = "slotted", key = "arrival", '
            .. "arrive = function(s, job) " .. call .. " end }") })
end
check.contains("a name that is not there", asks 's:attribute(job, "prioritt")',
    "job 1 at slot 1: the jobs have no attribute 'prioritt' (they have priority, weight)")
check.contains("no name", asks "s:attribute(job)", "the name of an attribute is expected, got")
check.contains("a default that is none", asks 's:attribute(job, "x", {})',
    "a number or a text is expected for jobs without the attribute, got table")
check.equal("a text as default", asks 'if s:attribute(job, "x", "y") ~= "y" then error "x" end', "")
check.contains("no number", asks 's:attribute_number(job, "x")', "the jobs have no attribute 'x'")
check.equal("a default", asks 'if s:attribute(job, "x", 3) ~= 3 then error "x" end', "")
check.contains("jobs without any", message_of(pinion.run, { machines = 1, quiet = true,
    workload = { { arrival = 1, maps = 1 } }, policy = pinion.policy [[
return { name = "asks", model = "slotted", key = "arrival",
    arrive = function(s, job) s:attribute(job, "weight") end }]] }),
    "the jobs have no attribute 'weight' (they have none)")

local RUN = { machines = 1, quiet = true, policy = "fifo" }
for _, case in ipairs {
    { { weight = "x" }, "attributes.weight: must be a finite number, got 'x'" },
    { { weight = -1 }, "attributes.weight: must be a number >= 0, got -1" },
    { { maps = 1 }, "attributes.maps: means a field of jobs of the slotted model already" },
    { { finish = 1 }, "attributes.finish: means a column of results of the slotted model" },
    { { id = 1 }, "attributes.id: means a column of results" },
    { { Weight = 1 }, "attributes.Weight: must be a name such as weight" },
    { { [("x"):rep(32)] = 1 }, "must have at most 31 letters, got 32" },
    { { a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1, i = 1 },
        "attributes: are at most 8, got 9" },
    { 3, "attributes: must be an object of names with their defaults" },
} do
    check.contains("a declaration", message_of(pinion.run,
        with(RUN, { attributes = case[1], workload = { { arrival = 1, maps = 1 } } })), case[2])
end
for _, case in ipairs {
    { { arrival = 1, maps = 1, weight = 1 / 0 }, "workload[1].weight: must be a finite number" },
    { { arrival = 1, maps = 1, weight = -2 }, "workload[1].weight: must be a number >= 0, got -2" },
    { { arrival = 1, maps = 1, wight = 2 },
        "workload[1].wight: unknown field (did you mean 'weight'?)" },
} do
    check.contains("a job", message_of(pinion.run,
        with(RUN, { attributes = { weight = 1 }, workload = { case[1] } })), case[2])
end
check.contains("beside a generator",
    message_of(pinion.run, with(RUN, { attributes = { weight = 1 }, workload = "zheng:0" })),
    "attributes: needs a table of jobs")
for text, want in next, {
    ["arrival,maps,priority\n1,1,2\n1,1,high\n"] =
        ":3: priority: must be a finite number, got 'high'",
    ["arrival,maps,weight\n1,1,high\n"] = ":2: weight: must be a finite number, got 'high'",
    ["arrival,maps,weight\n1,1,-1\n"] = ":2: weight: must be a number >= 0, got -1",
    ["arrival,maps,reduce\n1,1,1\n"] = ":1: unknown column 'reduce' (did you mean 'reduces'?)",
    ["arival,maps\n1,1\n"] = ":1: unknown column 'arival' (did you mean 'arrival'?)",
    ["arrival,maps,shuffle\n1,1,1\n"] = ":1: unknown column 'shuffle' (known: arrival, maps,",
    ["arrival,maps,My Weight\n1,1,1\n"] =
        ":1: column 'My Weight' must be a name such as weight",
    ["arrival,maps,finish\n1,1,1\n"] = ":1: column 'finish' means a column of results",
    ["arrival,maps,a,b,c,d,e,f,g,h,i\n"] = ":1: has 9 columns of attributes (expected at most 8)",
} do
    local path = program.file("bad.csv", text)
    check.contains("a csv file", message_of(pinion.run,
        with(RUN, { workload = "csv:" .. path })), path .. want)
end
local bad = program.file("bad.json",
    '{"model":"slotted","machines":1,"attributes":{"weight":1},'
        .. '"jobs":[{"arrival":1,"maps":1,"weight":"x"}]}')
local _, said = program.run { "simulate", bad, "--policy", "fifo" }
check.contains("a scenario", said, bad .. ": jobs[1].weight: must be a finite number, got 'x'")

-- ---- jobs that are changed ----------------------------------------------------------------------

-- A sample, other arrivals, another load: each job keeps what it carries, and its group.
local numbered = {}
for i = 1, 20 do
    numbered[i] = { arrival = i, maps = i, weight = i / 2, group = i % 2 == 0 and "even" or "odd" }
end
for _, options in ipairs {
    { resample = 50 }, { arrivals = "poisson(1)" }, { load = .5 }, { load = .5, load_by = "sizes" },
    { resample = 9, arrivals = "regular(3)", load = .2 },
} do
    options.attributes = { weight = 1 }
    local changed = pinion.workload.jobs(numbered, options):jobs { machines = 3 }
    check.equal("jobs", #changed, options.resample or 20)
    for _, job in ipairs(changed) do
        local number = math.tointeger(job.weight * 2)
        if not options.load_by then check.equal("the job of this weight", job.maps, number) end
        check.equal("its group", job.group, number % 2 == 0 and "even" or "odd")
    end
end

-- ---- texts -------------------------------------------------------------------------------------

-- In every model: users by name in a csv file or a list, what a policy sees of them, rows, groups.
local USERS = { "bob", "ann", "", "bob", "ann", "carl" }
local function with_users(of, model)
    local jobs = {}
    for i, user in ipairs(USERS) do
        jobs[i] = of.job(i)
        jobs[i].user = user ~= "" and user or nil
    end
    return pinion.workload.jobs(jobs, { attributes = { user = "", weight = 1 } }), model
end

for name, of in next, MODELS do
    local work = with_users(of, name)
    local listed = work:jobs()
    for i, user in ipairs(USERS) do check.equal(name .. ": a listed job", listed[i].user, user) end
    local run_of = with(of.settings, { model = name, quiet = true, workload = work,
        policy = name == "tandem" and "fcfs" or "fifo" })
    local seen, groups = {}, {}
    for i, user in ipairs(USERS) do seen[i] = { user = user, weight = 1 } end
    check.equal(name .. ": what a policy sees",
        pinion.run(with(run_of, { policy = witness(name, seen, groups) })).finished, #USERS)
    local result = pinion.run(run_of)
    for i, user in ipairs(USERS) do
        check.equal(name .. ": a row", result.jobs[i].user, user)
        check.equal(name .. ": no group", result.jobs[i].group, nil)
    end
    local jobs = {}
    for i, job in ipairs(listed) do jobs[i] = job end
    local grouped = pinion.run(with(run_of, { workload = pinion.workload.jobs(jobs,
        { attributes = { user = { "", "ann", "carl" }, weight = 1 }, group = "user" }) }))
    local names = {}
    for i, group in ipairs(grouped.groups) do
        names[i] = (group.group or "none") .. group.finished
    end
    check.equal(name .. ": groups", table.concat(names, " "), "none1 ann2 carl1 bob2")
    check.equal(name .. ": the same schedule", grouped.digest, result.digest)
end

-- Numbers count from 0, the default, as texts are declared or first appear.
local ORDER = pinion.policy [[
return { name = "order", model = "slotted", key = { changes = "arrival", of = function(s, job)
    if s:attribute(job, "user") == "carl" then return -1 end
    return s:attribute_number(job, "user") end } }]]
local csv_users = program.file("users.csv",
    "arrival,maps,user\n1,9,bob\n1,9,ann\n1,9,\n1,9,bob\n1,9,7\n1,9,carl\n")
local by_user = pinion.run { machines = 9, quiet = true, workload = "csv:" .. csv_users,
    policy = ORDER }
local served = {}
for i, job in ipairs(by_user.jobs) do served[job.finish] = (job.user .. i) end
check.equal("served by number", table.concat(served, " "), "carl6 3 bob1 bob4 ann2 75")

-- Files and logs: a scenario with the same texts is the same one, with other texts it is not.
local log = program.file("users.log", "")
run { "simulate", "--workload", "csv:" .. csv_users, "--set", "machines=9", "--policy", "fifo",
    "--log", log, "--quiet", "--no-jobs" }
local scenario = run { "workload", "csv:" .. csv_users, "--machines", "9", "--jobs", "--format",
    "json" }
check.contains("declared", scenario, '"attributes": {"user": ["", "bob", "ann", "7", "carl"]}')
run { "verify", program.file("users.json", scenario), log }
local _, refusal = program.run { "verify",
    program.file("others.json", (scenario:gsub("carl", "dora"))), log }
check.contains("other texts", refusal, "the log belongs to another scenario: ")
check.contains("a csv file", run { "workload", "csv:" .. csv_users, "--jobs", "--format", "csv" },
    "\n1,9,,bob\n1,9,,ann\n1,9,,\n")

-- A workload in Lua lists the texts, of which the first is what a job without one has.
local TEXTS = "return { name = 't', model = 'slotted', attributes = { user = %s },\n"
    .. "generate = function(g) for i = 1, 4 do g:job { arrival = i, maps = i, %s } end end }"
local LISTED = "{ 'none', 'ann', 'bob' }"
local made = pinion.workload.script(TEXTS:format(LISTED,
    "user = i == 2 and 'bob' or i == 3 and 'ann' or nil"), { group = "user" })
local of_script = pinion.run { machines = 3, quiet = true, workload = made, policy = "fifo",
    seed = 5 }
check.equal("of a script", of_script.jobs[2].user .. of_script.jobs[3].user
    .. of_script.jobs[4].user, "bobannnone")
check.equal("its groups", of_script.groups[3].group .. of_script.groups[3].finished, "bob1")
for _, case in ipairs {
    { "{}", "", "attributes.user: must be a finite number, or a list of 1 to 4096 texts" },
    { "{ 'a', 'a' }", "", "attributes.user: 'a' is named twice" },
    { "{ 'a', 3 }", "", "attributes.user: element 2 must be UTF-8 text" },
    { "true", "", "attributes.user: must be a finite number, its default, or a list of texts" },
    { LISTED, "user = 'eve'",
        "job 1: user: must be one of the texts that the definition lists, got 'eve'" },
    { LISTED, "user = 1", "job 1: user: must be one of the texts that the definition lists" },
    { "3", "user = 'eve'", "job 1: user: must be a finite number" },
} do
    check.contains("a mistake in a script", message_of(function()
        pinion.workload.script(TEXTS:format(case[1], case[2])):jobs()
    end), case[3])
end
for _, case in ipairs {
    { { user = {} }, nil, "attributes.user: must be a number, a text, or an array of texts" },
    { { user = { "a", "a" } }, nil, "attributes.user: text 2 names 'a' again" },
    { { user = { "a", 3 } }, nil, "attributes.user: text 2 must be a text, got 3" },
    { { user = "\xff" }, nil, "attributes.user: must be UTF-8 text" },
    { { weight = "heavy" }, nil, "attributes.weight: must be a finite number, got 'heavy'" },
    { { user = "" }, nil, "workload[1].user: must be a text, got 7" },
    { { user = 0 }, "user", "group: the jobs have no text attribute 'user' (they have none; size "
        .. "groups the jobs by their size)" },
} do
    check.contains("a mistake in a list", message_of(function()
        pinion.workload.jobs({ { arrival = 1, maps = 1, user = case[3]:find "got 7" and 7 } },
            { attributes = case[1], group = case[2] })
    end), (case[3]:gsub("^workload", "jobs")))
end
check.contains("no such attribute", message_of(function()
    pinion.workload.script(TEXTS:format(LISTED, ""), { group = "usr" }):jobs()
end), "group: the jobs have no text attribute 'usr' (they have user; size "
    .. "groups the jobs by their size)")

-- Replicas, a store and a checkpoint know the texts.
local texts = program.file("texts.lua", TEXTS:format(LISTED, "user = i > 9 and 'ann' or nil"))
local COMPARE = { "compare", "--workload", texts .. ",group=user", "--set", "machines=1",
    "--policies", "fifo", "--replicas", "3", "--quiet", "--format", "csv", "--store",
    texts .. ".store" }
local first = run(COMPARE)
check.equal("from the store", run(COMPARE), first)
local state = texts .. ".state"
run { "simulate", "--workload", texts .. ",group=user", "--set", "machines=1", "--policy", "fifo",
    "--checkpoint", state, "--every", "2", "--until", "3", "--quiet", "--no-jobs" }
check.contains("resumed", run { "resume", state, "--until", "99", "--quiet", "--format", "json" },
    '"group": "none", "finished": 4')

-- ---- rows of several replicas -------------------------------------------------------------------

local rows = run { "compare", "--workload", "examples/workloads/diurnal.lua,jobs=20", "--set",
    "machines=40", "--policies", "fifo", "--replicas", "2", "--jobs-detail", "--format", "csv",
    "--quiet" }
check.equal("columns", rows:match "^[^\n]*",
    "policy,replica,id,arrival,map_finish,finish,flow_time,name,group,weight")
for group, weight in rows:gmatch ",([^,\n]*),([^,\n]*)\n" do
    if weight ~= "weight" then
        check.equal("a weight", weight, group == "batch" and "1.0" or "5.0")
    end
end

check.done()
