-- What the test front/memory does while C has no memory: workloads of all models, read to the end,
-- and commands that run them, verify their logs and replay their inputs. Each case returns true, or
-- nil and why; or it raises an error.

local cli = require "pinion.cli"
local core = require "pinion.core"
local pinion = require "pinion"

---@class hungry.Case
---@field name string
---@field act fun(): any, string|nil
---@field leaks boolean|nil what jansson has read until a refusal is not given back

---@type hungry.Case[]
local M = {}

local function case(name, act, leaks)
    M[#M + 1] = { name = name, act = act, leaks = leaks }
end

-- Returns nil and why unless all jobs can be had, both ways.
local function read(work, why)
    if not work then return nil, why end
    local totals, reason = work:totals()
    if not totals then return nil, reason end
    return work:jobs(1 << 40, function() end)
end

-- Files that are removed when the state is closed.
local paths = setmetatable({}, { __gc = function(self)
    for _, path in ipairs(self) do os.remove(path) end
end })
M.paths = paths

local function file(text)
    local path = os.tmpname()
    paths[#paths + 1] = path
    local handle <close> = assert(io.open(path, "w"))
    handle:write(text or "")
    return path
end

-- ---- workloads ----------------------------------------------------------------------------------

local SWIM <const> = file("job\t1\t0\t900000000\t0\t0\n"
    .. ("job\t1\t0\t900000000\t8900000000\t5\n"):rep(70))
local SWF <const> = file("3 1 1 9 2 -1 -1 2 10 -1 1 5 6 -1 -1 -1 -1 -1\n")

local SPECS <const> = {
    slotted = { "zheng:0,slots=3", "bursts,slots=3", "facebook,jobs=3",
        "swim:" .. SWIM .. ",scale=1", "swf:" .. SWF },
    tandem = { "lin,jobs=3", "theorem2:3,case=1", "swim:" .. SWIM },
    makespan = { "rand_few", "facebook,jobs=3", "t1_like", "swim:" .. SWIM },
    cluster = { "rtmr:I,jobs=3", "facebook,jobs=3", "hsrtf", "swf:" .. SWF,
        "swim:" .. SWIM .. ",scale=1" },
    dag = { "dag:fork-join,jobs=1,width=100,depth=1",
        "dag:chains,jobs=1,width=1,depth=100", "dag,jobs=70,shape=series-parallel,stages=90" },
}
for model, specs in next, SPECS do
    for _, spec in ipairs(specs) do
        case(model .. ": " .. spec, function()
            return read(pinion.workload.spec(spec):open { model = model, machines = 10 }.core)
        end)
    end
end

-- ---- tables -------------------------------------------------------------------------------------

local function list(count, from)
    local made = {}
    for i = 1, count do made[i] = from + i % 3 end
    return made
end

-- More jobs, and more of each list, than there is room for at first.
local MANY <const> = 70
local JOBS <const> = {
    slotted = { arrival = 1, maps = 1, reduces = list(MANY, 1) },
    tandem = { arrival = 0.0, map = 1.0, shuffle = 1.0 },
    makespan = { map = list(MANY, 1), reduce = list(MANY, 1) },
    cluster = { submit = 0, maps = MANY, reduces = MANY, map_times = list(MANY, 1),
        reduce_times = list(MANY, 1), shuffle_times = list(MANY, 0), blocks = {} },
    dag = { arrival = 0, queue = "q", stages = {} },
}
for i = 1, MANY do
    JOBS.cluster.blocks[i] = { i % 3 }
    JOBS.dag.stages[i] = { tasks = 2, durations = { 5, 6 }, demand = { 1 },
        parents = i > 1 and { i - 2 } or nil }
end

-- Returns a table of a model that has its job often.
local function table_of(model)
    local jobs = {}
    for i = 1, MANY do jobs[i] = JOBS[model] end
    return core["workload_" .. model .. "_table"](jobs, 1)
end

for model in next, JOBS do
    case(model .. ": a table", function() return read(table_of(model)) end)
end

case("makespan: a table of Lua's jobs", function()
    return read(pinion.workload.script [[return { name = "x", model = "makespan",
      generate = function(g) for _ = 1, 70 do g:job { maps = { 1, 2 }, reduces = { 3 } } end end
    }]]:open { model = "makespan" }.core)
end)

-- What wraps a source, by the models that have it.
local WRAPPERS <const> = {
    { "errors", { "slotted", "tandem" }, function(work)
        return core.workload_error { workload = work, seed = 1,
            factor = "lognormal(1,1)" }
    end },
    { "other arrivals", { "slotted", "tandem", "cluster", "dag" }, function(work)
        return core.workload_arrivals { workload = work, seed = 1, process = "poisson(1)" }
    end },
    { "a sample", { "slotted", "tandem", "cluster", "dag" }, function(work)
        return core.workload_resample { workload = work, form = "jobs", jobs = 3, seed = 1 }
    end },
    { "ranks", { "tandem" }, function(work)
        return core.workload_ranks { workload = work, count = 3, map = { 3, 2, 1 } }
    end },
    { "scaled sizes", { "slotted", "tandem", "cluster", "dag" }, function(work)
        return core.workload_scaled { workload = work, sizes = 2 }
    end },
    { "deadlines", { "cluster" }, function(work)
        return core.workload_deadlines { workload = work, seed = 1, draw = "uniform(1,2)",
            relative = true, map_slots = 2, reduce_slots = 2, slowest = 1000 }
    end },
}
for _, wrapper in ipairs(WRAPPERS) do
    for _, model in ipairs(wrapper[2]) do
        case(model .. ": " .. wrapper[1], function()
            local truth, reason = table_of(model)
            if not truth then return nil, reason end
            return read(wrapper[3](truth))
        end)
    end
end

-- ---- commands -----------------------------------------------------------------------------------

-- Returns what a command writes to standard error, unless it succeeds.
local function command(words)
    local print_output, output, errors, messages = print, io.stdout, io.stderr, {}
    local sink = { flush = function() return true end, setvbuf = function() return true end,
        write = function(self, ...)
            messages[#messages + 1] = table.concat({ ... })
            return self
        end }
    io.stdout, io.stderr, print = sink, sink, function() end
    local code = cli.main(words)
    io.stdout, io.stderr, print = output, errors, print_output
    return code == 0, table.concat(messages)
end

local function words_of(text)
    local words = {}
    for word in text:gmatch "%S+" do words[#words + 1] = word end
    return words
end

local LOG <const>, RESULT <const> = file(), file()
local RUNS <const> = {
    { "fifo", "zheng:0,slots=3 --set machines=9", " --bounds tight --timeline 2" },
    { "fcfs", "csv:" .. file "arrival,map,shuffle\n0,1,2\n3,4,5\n" .. " --model tandem" },
    { "johnson", "t1_like,jobs=3 --set map_slots=9 --set reduce_slots=9" },
    { "fixed_pools", "t1_like,jobs=3 --set map_slots=9 --set reduce_slots=9",
        " --param pools=1:1;2:2,3 --param nodes=3" },
    { "fifo", "facebook,jobs=3 --model cluster --set nodes=1x2x2+1x2x2" },
    { "fifo", "dag,jobs=3 --set nodes=9x4000/16384", " --jobs-detail --until 9000" },
}
for _, run in ipairs(RUNS) do
    for _, text in ipairs {
        "simulate --workload " .. run[2] .. " --policy " .. run[1] .. (run[3] or "")
            .. " --quiet --format json --log " .. LOG .. " --output " .. RESULT,
        "verify --workload " .. run[2] .. " " .. LOG,
    } do
        case(text, function() return command(words_of(text)) end, true)
    end
end

-- The first lines of an input log: it may be cut off anywhere.
for _, core_name in ipairs { "dispatch", "scheduler" } do
    local lines = {}
    for line in io.lines("tests/cli/0.8.0/" .. core_name .. ".inputs", "L") do
        lines[#lines + 1] = line
        if #lines == 20 then break end
    end
    local path = file(table.concat(lines))
    case("verify " .. core_name, function() return command { "verify", path } end, true)
end

return M
