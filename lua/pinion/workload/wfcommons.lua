-- Reader of scientific workflows in WfFormat 1.5, the JSON of WfCommons, plain or gzip'ed. A file
-- is a workflow and becomes one job: a stage for each task of the specification, in the order of
-- the file, with the one task that was measured.

local check = require "pinion.base.check"
local core = require "pinion.core"
local dag_jobs = require "pinion.workload.dag_jobs"
local fault = require "pinion.base.fault"

local M = {}

M.RESOURCES = { "cpu", "memory" } -- millicores, MiB

-- As in the kernel.
local TIME_MOST, DEMAND_MOST = 1 << 40, 1 << 40
local STAGES_MOST = 1 << 16

local SPECIFICATION, EXECUTION = "workflow.specification.tasks", "workflow.execution.tasks"

-- ---- parts of a file ----------------------------------------------------------------------------

local function is_missing(value)
    return value == nil or value == core.null
end

-- Returns the array of tasks at this path of the file.
local function tasks_at(root, path, where)
    local value = root
    for name in path:gmatch "[^.]+" do
        if not check.is_object(value, false) then break end
        value = value[name]
    end
    if not check.is_array(value, false) then
        fault.at(where, path, "must be an array of tasks, got " .. check.show(value))
    end
    return value
end

-- Returns the id of a task, which is an object, at this path.
local function id_of(task, path, where)
    if not check.is_object(task, false) then
        fault.at(where, path, "must be an object, got " .. check.show(task))
    end
    if type(task.id) ~= "string" or task.id == "" then
        fault.at(where, path .. ".id", "must be a text that is not empty, got "
            .. check.show(task.id))
    end
    return task.id
end

-- Places of tasks by id, from 1.
local function places_of(tasks, path, where)
    local places = {}
    for i, task in ipairs(tasks) do
        local at = string.format("%s[%d]", path, i)
        local id = id_of(task, at, where)
        if places[id] then
            fault.at(where, at .. ".id", string.format("names %s, as %s[%d] does (expected ids "
                .. "that differ)", check.show(id), path, places[id]))
        end
        places[id] = i
    end
    return places
end

local function number(task, field, path, where, high)
    local value, why = check.number(task[field], 0, high)
    if not value then fault.at(where, path .. "." .. field, why) end
    return value
end

-- ---- stages -------------------------------------------------------------------------------------

-- Returns the duration of a task's run: ms to the nearest.
local function duration_of(run, path, where)
    return math.tointeger(math.floor(
        number(run, "runtimeInSeconds", path, where, TIME_MOST // 1000 - 1) * 1000.0 + 0.5))
end

local function demand_of(run, path, where)
    local cores, bytes = 1, 0
    if not is_missing(run.coreCount) then
        cores = number(run, "coreCount", path, where, DEMAND_MOST // 1000 - 1)
    end
    if not is_missing(run.memoryInBytes) then
        bytes = number(run, "memoryInBytes", path, where, (DEMAND_MOST - 1.0) * 1048576.0)
    end
    return { math.max(1, math.tointeger(math.floor(1000.0 * cores + 0.5))),
        math.tointeger(math.ceil(bytes / 1048576.0)) }
end

-- Returns the numbers of tasks, from 1, that a task names in this field, each once.
local function neighbours(task, field, places, path, where)
    local named, repeated, list = {}, 0, {}
    if is_missing(task[field]) then return list, named, repeated end
    if not check.is_array(task[field], false) then
        fault.at(where, path .. "." .. field, "must be an array of ids, got "
            .. check.show(task[field]))
    end
    for i, id in ipairs(task[field]) do
        local place = places[id]
        if not place then
            fault.at(where, string.format("%s.%s[%d]", path, field, i),
                string.format("names %s (expected the id of a task of the workflow)",
                check.show(id)))
        end
        if id == task.id then
            fault.at(where, string.format("%s.%s[%d]", path, field, i), "names the task itself")
        end
        if named[place] then repeated = repeated + 1 else list[#list + 1] = place end
        named[place] = true
    end
    return list, named, repeated
end

-- Counts edges that children and parents do not both name, where a task lists children at all.
local function count_unmatched(tasks, parents_of, children_of)
    local unmatched = 0
    for place, children in next, children_of do
        for child in next, children do
            if not parents_of[child][place] then unmatched = unmatched + 1 end
        end
    end
    for place in ipairs(tasks) do
        for parent in next, parents_of[place] do
            if children_of[parent] and not children_of[parent][place] then
                unmatched = unmatched + 1
            end
        end
    end
    return unmatched
end

-- Returns the parents, zero-based, as a scenario has them.
local function parents_of_stage(list)
    local parents = {}
    for i, place in ipairs(list) do parents[i] = place - 1 end
    return parents
end

local function read_stages(root, where, counts)
    local tasks, runs = tasks_at(root, SPECIFICATION, where), tasks_at(root, EXECUTION, where)
    local places = places_of(tasks, SPECIFICATION, where)
    local run_places = places_of(runs, EXECUTION, where)
    local stages, parents_of, children_of = {}, {}, {}
    for i, task in ipairs(tasks) do
        local path = string.format("%s[%d]", SPECIFICATION, i)
        local run = run_places[task.id]
        if not run then
            fault.at(where, path, string.format("%s has no run (expected its id in %s)",
                check.show(task.id), EXECUTION))
        end
        local run_path = string.format("%s[%d]", EXECUTION, run)
        local list, named, repeated = neighbours(task, "parents", places, path, where)
        parents_of[i] = named
        counts.repeated_parents = counts.repeated_parents + repeated
        if not is_missing(task.children) then
            children_of[i] = select(2, neighbours(task, "children", places, path, where))
        end
        stages[i] = { tasks = 1, duration = duration_of(runs[run], run_path, where),
            demand = demand_of(runs[run], run_path, where), parents = parents_of_stage(list),
            name = type(task.name) == "string" and task.name or task.id }
    end
    counts.unmatched_children = counts.unmatched_children
        + count_unmatched(tasks, parents_of, children_of)
    for id in next, run_places do
        if not places[id] then counts.runs_only = counts.runs_only + 1 end
    end
    return stages
end

-- ---- files --------------------------------------------------------------------------------------

-- Returns the name of a file without its folder and its ending.
local function plain_name(path)
    return (path:match "([^/]*)$":gsub("%.gz$", ""):gsub("%.json$", ""))
end

local function read_workflow(path, counts)
    local root = dag_jobs.read_json(path, "a workflow")
    if not check.is_object(root, false) then
        fault.at(path, nil, "must be an object, got " .. check.show(root))
    end
    if root.schemaVersion ~= "1.5" then
        fault.at(path, "schemaVersion", "must be '1.5', got " .. check.show(root.schemaVersion))
    end
    local stages = read_stages(root, path, counts)
    if #stages == 0 or #stages > STAGES_MOST then
        fault.at(path, SPECIFICATION, string.format("must be 1..%d tasks, got %d", STAGES_MOST,
            #stages))
    end
    return { arrival = 0, name = plain_name(path), stages = stages }
end

---@param options { file: string[] }
---@return pinion.DagTrace
function M.read(options)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local counts = { repeated_parents = 0, unmatched_children = 0, runs_only = 0 }
    local rows = {}
    for i, path in ipairs(options.file) do rows[i] = read_workflow(path, counts) end
    counts.rows, counts.unit = #rows, "workflow"
    return dag_jobs.made(rows, counts, M.RESOURCES, function(index)
        return index and options.file[index] or options.file[1]
    end)
end

return M
