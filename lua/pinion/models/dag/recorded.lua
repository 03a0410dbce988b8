-- Makes a scenario of an input log of the dispatch core and of its decisions. A task lasts as long
-- as the attempt that ended well; one without such an attempt as long as its last one has run
-- when the log ends, else as the mean of its stage.

local check = require "pinion.base.check"
local rows = require "pinion.models.rows"
local text = require "pinion.base.text"

-- ---- the cluster --------------------------------------------------------------------------------

local function first_of(vector, count)
    return table.move(vector, 1, count, 1, {})
end

local function nodes_of(config)
    local nodes, speeds = {}, {}
    for i, group in ipairs(config.nodes) do
        local speed = group.speed ~= 0 and group.speed or nil
        nodes[i] = { count = group.count, capacity = first_of(group.capacity, config.resources),
            speed = speed }
        for _ = 1, group.count do speeds[#speeds + 1] = speed or 1000 end
    end
    return nodes, speeds
end

-- Returns the queues that jobs are in, named by their numbers.
local function queues_of(config, most)
    if not config.queues or not config.queues[1] then return nil end
    local queues = {}
    for i = 1, most + 1 do
        local queue = config.queues[i]
        queues[i] = { name = tostring(i - 1), guaranteed = queue.guaranteed or 0,
            weight = queue.weight ~= 0 and queue.weight or nil,
            maximum = queue.maximum ~= 0 and queue.maximum or nil }
    end
    return queues
end

-- Names of rules that the core's configuration calls otherwise.
local NAMES <const> = { max_kills_per_task = "max_kills" }

local function params_of(config)
    local params = {}
    for _, rule in ipairs(rows.rules "dag") do
        local value = config[NAMES[rule.name] or rule.name]
        if value and rule.choices then value = rule.choices[value + 1] end
        params[rule.name] = value
    end
    return params
end

-- ---- the jobs -----------------------------------------------------------------------------------

local function stage_of(given, resources)
    return { demand = first_of(given.demand, resources), estimate = given.estimate,
        parents = given.parents, tasks = given.tasks, times = {}, running = {} }
end

local function job_of(input, config, groups)
    local given, stages = input.job, {}
    for i, stage in ipairs(given.stages) do stages[i] = stage_of(stage, config.resources) end
    local group = groups and groups[(given.group or 0) + 1] or given.group
    return { arrival = input.time, stages = stages, group = group and tostring(group),
        weight = given.weight, priority = given.priority, deadline = given.deadline,
        queue = config.queues and config.queues[1] and tostring(given.queue or 0) or nil,
        name = given.tag and tostring(given.tag) or nil }
end

local function jobs_of(inputs)
    local jobs, most, head = {}, 0, inputs[1]
    for _, input in ipairs(inputs) do
        if input.event == "submit" then
            jobs[#jobs + 1] = job_of(input, head.config, head.group_names)
            most = math.max(most, input.job.queue or 0)
        end
    end
    return jobs, most
end

-- ---- what happened ------------------------------------------------------------------------------

-- What no scenario has, by events.
local LEFT_OUT <const> = { node_resize = "resize", fail = "failure", cancel = "cancellation" }

-- Returns the failures without those that ended when they began: of nodes that came at time 0.
local function lasting(failures)
    local kept = {}
    for _, failure in ipairs(failures) do
        if failure.recover ~= failure.time then kept[#kept + 1] = failure end
    end
    return kept
end

local function follow(jobs, decisions, speeds, are_down)
    local failures, downs, counts, last = {}, {}, {}, 0
    for node = 0, are_down and #speeds - 1 or -1 do
        downs[node] = { time = 0, node = node }
        failures[#failures + 1] = downs[node]
    end
    local function stage(event) return jobs[event.job].stages[event.stage + 1] end
    local acts = {
        launch = function(event) stage(event).running[event.task] = event end,
        ["end"] = function(event)
            local of = stage(event)
            local launched = of.running[event.task]
            of.times[event.task] = (event.time - launched.time) * speeds[event.node + 1] // 1000
            of.running[event.task] = nil
        end,
        node_down = function(event)
            downs[event.node] = { time = event.time, node = event.node }
            failures[#failures + 1] = downs[event.node]
        end,
        node_up = function(event)
            if downs[event.node] then downs[event.node].recover = event.time end
        end,
    }
    for _, name in ipairs { "fail", "lose", "drop", "kill" } do
        acts[name] = function(event) stage(event).running[event.task] = nil end
    end
    for _, event in ipairs(decisions) do
        local name = event.event
        if acts[name] then acts[name](event) end
        if name then counts[name] = (counts[name] or 0) + 1 end
        last = event.time or last
    end
    return lasting(failures), counts, last
end

-- Sets the durations of a stage; returns whether some of them are known.
local function set_durations(stage, now)
    local sum, known, durations = 0, 0, {}
    for task, event in next, stage.running do stage.times[task] = now - event.time end
    for _, time in next, stage.times do sum, known = sum + time, known + 1 end
    for task = 1, stage.tasks do
        durations[task] = stage.times[task] or known > 0 and sum // known or stage.estimate
    end
    stage.durations, stage.tasks, stage.times, stage.running = durations, nil, nil, nil
    return known > 0
end

-- Returns the jobs that ran, at least in part.
local function run_of(jobs, now)
    local ran = {}
    for _, job in ipairs(jobs) do
        local some = false
        for _, stage in ipairs(job.stages) do some = set_durations(stage, now) or some end
        if some then ran[#ran + 1] = job end
    end
    return ran
end

-- Returns what happened and is not in the scenario.
local function left_out_of(counts, unstarted)
    local words = {}
    for _, event in ipairs(check.sorted_keys(LEFT_OUT)) do
        if counts[event] then words[#words + 1] = text.count(counts[event], LEFT_OUT[event]) end
    end
    if unstarted > 0 then words[#words + 1] = text.count(unstarted, "unstarted job") end
    return #words > 0 and table.concat(words, ", ") or nil
end

local M = {}

---Makes a scenario.
---@param inputs table[] the lines of an input log
---@param decisions table[] those of the decision log of its replay
---@return table scenario, string|nil left_out what happened and is not in it
function M.scenario(inputs, decisions)
    local config = inputs[1].config
    local nodes, speeds = nodes_of(config)
    local jobs, most = jobs_of(inputs)
    local failures, counts, last = follow(jobs, decisions, speeds,
        config.nodes_down == 1)
    local ran = run_of(jobs, last)
    return { nodes = nodes, queues = queues_of(config, most), resources = inputs[1].resource_names,
        failures = failures, params = params_of(config), jobs = ran },
        left_out_of(counts, #jobs - #ran)
end

return M
