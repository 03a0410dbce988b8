-- Random jobs of the dag model.

local check = require "pinion.base.check"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"

local SHAPES = { "layered", "fork-join", "chains", "series-parallel" }
local RESOURCES_MOST = 4 -- as in the kernel

local function read_gap(value)
    return quantity.number(value, 0, 1e12)
end

-- ---- demands ------------------------------------------------------------------------------------

local DEMAND_FORM = "must be resources with distributions such as "
    .. "cpu:uniform(500,2000);memory:exp(2048), got "

---@class pinion.DagDemand
---@field name string of the resource
---@field draw table a distribution

-- Reads "cpu:exp(2);memory:4": resources and their distributions, between semicolons.
---@return pinion.DagDemand[]|nil demands, string|nil reason
local function read_demand(value)
    if type(value) ~= "string" then return nil, DEMAND_FORM .. check.show(value) end
    local demands, seen = {}, {}
    for piece in (value .. ";"):gmatch "([^;]*);" do
        local name, text = piece:match "^%s*([%a_][%w_-]*)%s*:%s*(.-)%s*$"
        if not name then return nil, DEMAND_FORM .. check.show(value) end
        local draw, why = distribution.read_factor(text)
        if not draw then return nil, name .. ": " .. why end
        if seen[name] then return nil, "names " .. name .. " twice" end
        demands[#demands + 1], seen[name] = { name = name, draw = draw }, true
    end
    if #demands > RESOURCES_MOST then
        return nil, string.format("must be at most %d resources, got %d", RESOURCES_MOST, #demands)
    end
    return demands
end

-- Returns ten nodes that each have eight times what a task takes, or what it takes at most where
-- the distribution is uniform.
local function around(o)
    local names, capacity = {}, {}
    for i, demand in ipairs(o.demand) do
        local draw = demand.draw
        local size = draw.kind == "uniform" and draw.b or core.random(1, 0, 0):mean(draw.text)
        local room = size > 0 and size < 1 << 37 and math.ceil(8 * size) or 1 << 40
        names[i], capacity[i] = demand.name, math.tointeger(room)
    end
    return { resources = names, nodes = { { count = 10, capacity = capacity, speed = 1000 } } }
end

-- ---- the generator ------------------------------------------------------------------------------

local function open(o, binding)
    local asked = {
        jobs = o.jobs, gap_ms = o.gap_ms, shape = o.shape, edges = o.edges, depth = o.depth,
        width = o.width, stages = o.stages, tasks = o.tasks, duration = o.duration,
        spread = o.spread, resources = #o.demand, seed = binding.seed or o.seed,
        replica = binding.replica,
    }
    for i, demand in ipairs(o.demand) do asked["demand_" .. i] = demand.draw end
    local made, why = core.workload_dag_random(asked)
    if not made then fault.from_core("usage", why) end
    return made
end

-- What a job is, as `pinion workload` prints it. Those without shapes are of all of them.
local FACTS = {
    { "depth", "layers, rounds, or length of chains", { layered = true, ["fork-join"] = true,
        chains = true, mixed = true } },
    { "width", "parallel stages", { layered = true, ["fork-join"] = true, chains = true,
        mixed = true } },
    { "edges", "probability of a parent beyond the first", { layered = true, mixed = true } },
    { "stages", "stages of a job", { ["series-parallel"] = true, mixed = true } },
    { "tasks", "tasks of a stage" }, { "duration", "ms of its tasks" },
    { "spread", "a task lasts longer by" },
}

local function facts(o)
    local list = { { "shape", o.shape, "shape" } }
    local function add(name, value, words)
        list[#list + 1] = { name, type(value) == "table" and distribution.text(value) or value,
            words }
    end
    for _, fact in ipairs(FACTS) do
        if not fact[3] or fact[3][o.shape] then add(fact[1], o[fact[1]], fact[2]) end
    end
    for _, demand in ipairs(o.demand) do
        add("demand_" .. demand.name, demand.draw, demand.name .. " of each task of a stage")
    end
    return list
end

local kind = {
    doc = "random graphs of stages: layers, forks and joins, chains, series and parallel parts, "
        .. "or all of them mixed",
    random = true, models = { dag = true }, subject = "shape",
    fields = {
        { name = "shape", read = readers.choice("layered", "fork-join", "chains",
            "series-parallel", "mixed"), default = "layered",
          doc = "layered, fork-join, chains or series-parallel; mixed: drawn for each job, whose "
              .. "group it is" },
        { name = "jobs", read = readers.integer(1), default = 100, doc = "number of jobs" },
        { name = "gap_ms", read = read_gap, default = 4000,
            doc = "mean ms between arrivals; 0: all at once" },
        { name = "depth", read = distribution.read, default = "uniform(2,5)",
            doc = "layers of a job, rounds of forks, or stages of a chain" },
        { name = "width", read = distribution.read, default = "uniform(1,4)",
            doc = "stages of a layer or of a fork, or chains" },
        { name = "edges", read = readers.chance, default = 0.2,
            doc = "layered: probability of each parent beyond the first" },
        { name = "stages", read = distribution.read, default = "uniform(3,15)",
            doc = "series-parallel: stages of a job" },
        { name = "tasks", read = distribution.read, default = "uniform(1,20)",
            doc = "tasks of a stage" },
        { name = "duration", read = distribution.read, default = "lognormal(4000,4000)",
            doc = "ms of each task of a stage" },
        { name = "spread", read = distribution.read_factor, default = 1,
            doc = "factor of each task on it" },
        { name = "demand", read = read_demand,
            default = "cpu:uniform(500,2000);memory:uniform(512,4096)",
            doc = "resources and the demand of each task of a stage, rounded" },
        readers.SEED,
    },
    open = open,
    expected_jobs = function(o) return o.jobs end,
    groups = function(o)
        return o.shape == "mixed" and table.move(SHAPES, 1, #SHAPES, 1, {}) or {}
    end,
    facts = facts,
    beside = { dag = around },
}

return { dag = kind }
