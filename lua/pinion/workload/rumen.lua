-- Reader of Rumen traces: job histories of Hadoop as JSON, one object a job, one after another,
-- plain or gzip'ed.
--
-- A job is released at its submitTime, counted from the first submission of the file. A task lasts
-- as long as its successful attempt, by the clock of the machine that ran it; times of different
-- clocks are not subtracted, but for one: what a reduce does before the job's last map has ended is
-- waiting, which the model makes for itself, so only what comes after it is its work. The hosts
-- that hold a map's input become nodes: those of a topology file, else all that the file names, in
-- order of their names.

local attributes = require "pinion.workload.attributes"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local labels = require "pinion.workload.labels"

local M = {}

local TIME_MOST, TASKS_MOST = 1 << 40, core.limits.job_tasks

-- Slots of a node: Hadoop's defaults.
M.MAP_SLOTS, M.REDUCE_SLOTS = 2, 2

-- Reads the values of a file, with the lines that they begin on.
local function values_of(path)
    local stream, why = core.json_stream(path)
    if not stream then fault.located("usage", why) end
    return function()
        local value, line = stream()
        if value == nil and line then fault.located("usage", line) end
        return value, line
    end, stream
end

local function is_missing(value)
    return value == nil or value == core.null
end

-- Returns a plain name; racks and hosts carry backslashes before their dots.
local function plain_name(name)
    return (name:gsub("\\", ""))
end

-- Returns the name of a host by itself, as one trace writes it with and without its rack.
local function host_name(name)
    return plain_name(name):match("([^/]*)$")
end

-- ---- topology -----------------------------------------------------------------------------------

local function fail_topology(path, reason)
    fault.at(path, nil, reason .. " (expected a topology: an object of name and children)")
end

-- Adds hosts, which are what has no children.
local function add_hosts(object, path, hosts)
    if not check.is_object(object, false) or type(object.name) ~= "string" then
        fail_topology(path, "holds " .. check.show(object))
    end
    if is_missing(object.children) then
        local name = host_name(object.name)
        if hosts.node[name] then
            fault.at(path, nil, string.format("names host %s twice", check.show(name)))
        end
        hosts.node[name], hosts.count = hosts.count, hosts.count + 1
        return
    end
    if not check.is_array(object.children, false) then
        fail_topology(path, "has children that are no array")
    end
    for _, child in ipairs(object.children) do add_hosts(child, path, hosts) end
end

---@class pinion.Hosts
---@field node table<string, integer> ids by name
---@field count integer

---@param path string
---@return pinion.Hosts
function M.read_topology(path)
    local hosts = { node = {}, count = 0 }
    local next_value, stream <close> = values_of(path)
    local root = next_value()
    if root == nil then fail_topology(path, "is empty") end
    if next_value() ~= nil then fail_topology(path, "holds more than one value") end
    add_hosts(root, path, hosts)
    return hosts
end

-- ---- jobs ---------------------------------------------------------------------------------------

---@class pinion.Trace a job while it is read
---@field id string
---@field submit integer
---@field maps table[] { index, time, hosts } of the tasks that succeeded
---@field reduces table[] { index, shuffle, work }

local function integer(object, field, path, fail)
    local value, why = check.integer(object[field], -check.INTEGER_MAX, check.INTEGER_MAX)
    if not value then fail(path .. field, why) end
    return value
end

local function array(object, field, path, fail)
    local value = object[field]
    if is_missing(value) then return {} end
    if not check.is_array(value, false) then
        fail(path .. field, "must be an array, got " .. check.show(value))
    end
    return value
end

-- Returns an object of such an array.
local function element(value, path, fail)
    if not check.is_object(value, false) then
        fail(path, "must be an object, got " .. check.show(value))
    end
    return value
end

-- Returns start and finish of the successful attempt; nil when there is none, or when its times
-- cannot be.
local function successful(task, path, fail)
    for i, attempt in ipairs(array(task, "attempts", path, fail)) do
        local at = string.format("%sattempts[%d]", path, i)
        element(attempt, at, fail)
        if attempt.result == "SUCCESS" then
            local start = integer(attempt, "startTime", at .. ".", fail)
            local finish = integer(attempt, "finishTime", at .. ".", fail)
            if start <= 0 or finish < start then return nil, nil, attempt, at end
            if finish - start > TIME_MOST then fail(at, "lasts more than 2^40 ms") end
            return start, finish, attempt, at
        end
    end
    return nil
end

-- Returns where the input of a map lies.
local function locations(task, path, fail)
    local hosts = {}
    for i, location in ipairs(array(task, "preferredLocations", path, fail)) do
        local at = string.format("%spreferredLocations[%d]", path, i)
        local layers = array(element(location, at, fail), "layers", at .. ".", fail)
        local host = layers[#layers]
        if type(host) ~= "string" then fail(at .. ".layers", "must end with the name of a host") end
        hosts[i] = host_name(host)
    end
    return hosts
end

-- Returns the last number of task_200904211745_0002_m_000010; tasks are not listed in this order.
local function index_of(task, position)
    local id = type(task.taskID) == "string" and task.taskID:match("(%d+)$")
    return math.tointeger(tonumber(id or "")) or position
end

local function in_order(tasks)
    table.sort(tasks, function(a, b)
        if a.index ~= b.index then return a.index < b.index end
        return a.position < b.position
    end)
    return tasks
end

-- Notes the machine that ran a task, which is one of the cluster's where there is no topology.
local function note_host(attempt, seen)
    if type(attempt.hostName) == "string" then
        local name = host_name(attempt.hostName)
        if name ~= "" then seen[name] = true end
    end
end

local function read_maps(object, fail, counts, seen)
    local maps, last = {}, 0
    for position, task in ipairs(array(object, "mapTasks", "", fail)) do
        local path = string.format("mapTasks[%d].", position)
        element(task, path:sub(1, -2), fail)
        local start, finish, attempt = successful(task, path, fail)
        if start then
            maps[#maps + 1] = { index = index_of(task, position), position = position,
                time = finish - start,
                                hosts = locations(task, path, fail) }
            last = math.max(last, finish)
            note_host(attempt, seen)
        else
            counts.lost_tasks = counts.lost_tasks + 1
        end
    end
    return in_order(maps), last
end

-- Reads reduces; `last`: when the last map ended.
local function read_reduces(object, last, fail, counts, seen)
    local reduces = {}
    for position, task in ipairs(array(object, "reduceTasks", "", fail)) do
        local path = string.format("reduceTasks[%d].", position)
        element(task, path:sub(1, -2), fail)
        local start, finish, attempt, at = successful(task, path, fail)
        if start then
            local from = math.min(math.max(start, last), finish)
            local shuffled = is_missing(attempt.shuffleFinished) and from
                or integer(attempt, "shuffleFinished", at .. ".", fail)
            local shuffle = math.min(math.max(shuffled, from), finish) - from
            reduces[#reduces + 1] = { index = index_of(task, position), position = position,
                shuffle = shuffle,
                                      work = finish - from - shuffle }
            counts.waiting_ms = counts.waiting_ms + from - start
            note_host(attempt, seen)
        else
            counts.lost_tasks = counts.lost_tasks + 1
        end
    end
    return in_order(reduces)
end

-- Returns what the job is grouped by; nil when the trace does not say.
local function label_of(object, field, fail)
    local label = object[field]
    if is_missing(label) or label == "" then return nil end
    local why = attributes.fault_of_text(label)
    if why then fail(field, why) end
    return label
end

-- Reads one job object of the file; nil when it is dropped.
local function read_job(object, path, line, options, counts, seen)
    if not check.is_object(object, false) or type(object.jobID) ~= "string" then
        fault.at(path .. ":" .. line, nil, "must be an object with a jobID, got "
            .. check.show(object))
    end
    local function fail(field, reason)
        fault.at(path, string.format("job %s: %s", object.jobID, field), reason)
    end
    local submit = integer(object, "submitTime", "", fail)
    counts.rows = counts.rows + 1
    if submit < 0 then
        counts.unplaced = counts.unplaced + 1
        return nil
    end
    counts.first = math.min(counts.first, submit)
    if options.outcome == "success" and object.outcome ~= "SUCCESS" then
        counts.failed = counts.failed + 1
        return nil
    end
    local own, hosts = { lost_tasks = 0, waiting_ms = 0 }, {}
    local maps, last = read_maps(object, fail, own, hosts)
    local reduces = read_reduces(object, last, fail, own, hosts)
    if #maps == 0 then
        counts.empty = counts.empty + 1
        return nil
    end
    counts.tasks = counts.tasks + #maps + #reduces
    if counts.tasks > core.limits.listed_tasks then
        fault.at(path .. ":" .. line, nil,
            string.format("the trace has more tasks (expected at most %d)",
            core.limits.listed_tasks))
    end
    if #maps > TASKS_MOST or #reduces > TASKS_MOST then fail("mapTasks", "more than 2^20 tasks") end
    for name, count in next, own do counts[name] = counts[name] + count end
    for name in next, hosts do seen[name] = true end
    for _, map in ipairs(maps) do
        for _, name in ipairs(map.hosts) do seen[name] = true end
    end
    return { id = object.jobID, submit = submit, maps = maps, reduces = reduces,
        label = label_of(object, options.group, fail) }
end

-- Returns the key of job_200904211745_0002 and its like: the numbers in it count, as the last one
-- may grow beyond its four digits.
local function id_key(id)
    return (id:gsub("%d+", function(digits) return ("0"):rep(24 - #digits) .. digits end))
end

local function by_submission(jobs)
    for _, job in ipairs(jobs) do job.key = id_key(job.id) end
    table.sort(jobs, function(a, b)
        if a.submit ~= b.submit then return a.submit < b.submit end
        return a.key < b.key
    end)
end

---@return pinion.Hosts
local function hosts_seen(seen)
    local hosts = { node = {}, count = 0 }
    for _, name in ipairs(check.sorted_keys(seen)) do
        hosts.node[name], hosts.count = hosts.count, hosts.count + 1
    end
    return hosts
end

-- Returns nodes of a map's input, each once; hosts that the topology lacks are counted.
local function nodes_of(names, hosts, counts)
    local nodes, listed = {}, {}
    for _, name in ipairs(names) do
        local node = hosts.node[name]
        if not node then
            counts.unknown_hosts = counts.unknown_hosts + 1
        elseif not listed[node] then
            nodes[#nodes + 1], listed[node] = node, true
        end
    end
    return nodes
end

-- Returns nothing when no map of the job says where its input lies.
local function blocks_of(job, hosts, counts)
    local blocks, listed = {}, false
    for i, map in ipairs(job.maps) do
        blocks[i] = nodes_of(map.hosts, hosts, counts)
        listed = listed or #map.hosts > 0
    end
    return listed and blocks or nil
end

local function times_of(tasks, field)
    local times = {}
    for i, task in ipairs(tasks) do times[i] = task[field] end
    return times
end

-- Makes jobs as core.workload_cluster_table takes them.
local function made_of(job, options, hosts, counts)
    return {
        submit = job.submit - counts.first, maps = #job.maps, reduces = #job.reduces,
        remote_ms = options.remote_ms,
        map_times = times_of(job.maps, "time"),
        reduce_times = #job.reduces > 0 and times_of(job.reduces, "work") or nil,
        shuffle_times = #job.reduces > 0 and times_of(job.reduces, "shuffle") or nil,
        blocks = options.blocks == "listed" and blocks_of(job, hosts, counts) or nil,
    }
end

---@class pinion.TraceJobs
---@field jobs table[] as core.workload_cluster_table takes them
---@field names table<integer, string>
---@field groups string[] their names
---@field summary table<string, any> what was counted
---@field nodes integer hosts

---@param options { file: string, topology: string?, outcome: "success"|"all", group: string, blocks: "listed"|"drawn", remote_ms: integer }
---@return pinion.TraceJobs
function M.read(options)
    local counts = { rows = 0, failed = 0, unplaced = 0, empty = 0, lost_tasks = 0, waiting_ms = 0,
        unknown_hosts = 0, tasks = 0,
                     first = math.maxinteger }
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local seen, read = {}, {}
    local hosts = options.topology and M.read_topology(options.topology)
    local next_value, stream <close> = values_of(options.file)
    for object, line in next_value do
        if counts.rows == core.limits.jobs then
            fault.at(options.file .. ":" .. line, nil,
                string.format("the trace has more jobs (expected at most %d)", counts.rows))
        end
        read[#read + 1] = read_job(object, options.file, line, options, counts, seen)
    end
    if counts.rows == 0 then
        fault.at(options.file, nil, "holds no jobs (expected JSON objects, one for each job)")
    end
    if #read == 0 then
        fault.at(options.file, nil,
            string.format("none of its %d jobs is left (expected one that succeeded, with a map)",
            counts.rows))
    end
    hosts = hosts or hosts_seen(seen)
    by_submission(read)
    local groups = labels.new(options.group, options.file)
    local trace = { jobs = {}, names = {}, groups = groups.names, nodes = hosts.count,
        summary = counts }
    for id, job in ipairs(read) do
        trace.jobs[id], trace.names[id] = made_of(job, options, hosts, counts), job.id
        trace.jobs[id].group = groups:number(job.label)
    end
    counts.jobs, counts.hosts, counts.first, counts.tasks, counts.unit = #read, hosts.count, nil,
        nil, "job"
    return trace
end

return M
