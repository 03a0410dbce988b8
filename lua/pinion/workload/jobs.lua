-- Checks a list of jobs from a scenario file, a csv file or a Lua table, sorts it by arrival and
-- numbers its groups. Durations of the makespan model become whole numbers of a common tick.
-- Messages count jobs from 1 in the order of the list; ids are given after the sorting.

local lazy = require "pinion.base.lazy"
local check = require "pinion.base.check"
local cluster = lazy.module "pinion.workload.jobs_cluster"
local core = require "pinion.core"
local exact = lazy.module "pinion.base.exact"
local quantity = require "pinion.base.quantity"

local math_type = math.type -- asked once per task of a batch

local M = {}

-- Statistics are kept per group, at 28 KB each in the slotted model and 90 KB in the tandem model.
M.GROUPS_MAX = 4096

---@class pinion.Place says where a job of the list stands
---@field lua boolean whether the list is made of Lua tables, which are not marked as arrays
---@field fail fun(index: integer|nil, field: string|nil, reason: string) raises; index nil: the list itself
---@field inexact table<number, integer>|nil floats that the file gives by longer literals, with their lines

---@class pinion.JobList
---@field model string whose jobs they are
---@field jobs table[] as core.workload_table, …_tandem_table, …_makespan_table or …_cluster_table takes them, by arrival
---@field ticks integer|nil makespan: of its durations, to the unit of time
---@field names table<integer, string> by job id
---@field groups any[] names of the groups in order of first appearance; false stands for jobs without a group
---@field estimates boolean
---@field place pinion.Place|nil cluster: where the list stands
---@field order integer[]|nil cluster: places in the list by job id, where they differ

local function read_reduces(value, index, place)
    if value == nil then return {}, 0 end
    if not check.is_array(value, place.lua) then
        place.fail(index, "reduces", "must be an array of integers >= 0, got " .. check.show(value))
    end
    local tasks, sum = {}, 0
    for k = 1, #value do
        local units, why = check.integer(value[k], 0, check.INTEGER_MAX)
        if not units then place.fail(index, string.format("reduces[%d]", k), why) end
        tasks[k] = units
        sum = sum + units
        -- Checked after each addition, so that the sum itself cannot wrap.
        if sum > check.INTEGER_MAX then
            place.fail(index, "reduces", "must sum up to at most 2^53")
        end
    end
    return tasks, sum
end

local function optional_integer(job, field, index, place)
    if job[field] == nil then return nil end
    local value, why = check.integer(job[field], 0, check.INTEGER_MAX)
    if not value then place.fail(index, field, why) end
    return value
end

-- What a scenario file may hold: names are written to results, which are JSON.
local function check_text(text, field, index, place)
    if not utf8.len(text) or text:find("\0", 1, true) then
        place.fail(index, field, "must be UTF-8 text without null characters, got "
            .. check.show(text))
    end
end

local function read_group(job, index, place, list, index_of)
    local group = job.group
    if group == nil then
        group = false
    elseif type(group) == "string" then
        check_text(group, "group", index, place)
    else
        local number, why = check.integer(group, 0, check.INTEGER_MAX)
        if not number then
            place.fail(index, "group", (why:gsub("must be", "must be a string or", 1)))
        end
        group = number
    end
    if not index_of[group] then
        if #list.groups == M.GROUPS_MAX then
            place.fail(index, "group", string.format("more than %d groups", M.GROUPS_MAX))
        end
        list.groups[#list.groups + 1] = group
        index_of[group] = #list.groups - 1
    end
    return index_of[group]
end

local function label(job)
    return type(job.name) == "string" and string.format(" (%s)", check.show(job.name)) or ""
end

-- What a job of the slotted model holds beside name and group.
local function read_slotted(job, index, place)
    if job.arrival == nil then
        place.fail(index, "arrival", "is required (the slot of the job's arrival, >= 1)")
    end
    local arrival, why = check.integer(job.arrival, 1, check.INTEGER_MAX)
    if not arrival then place.fail(index, "arrival", why) end
    local maps = optional_integer(job, "maps", index, place) or 0
    local reduces, sum = read_reduces(job.reduces, index, place)
    if maps + sum == 0 then
        place.fail(index, nil, "has no work" .. label(job) .. ": maps and reduces are all 0")
    end
    if maps + sum > check.INTEGER_MAX then
        place.fail(index, nil, "has more than 2^53 units of work" .. label(job))
    end
    return {
        arrival = arrival, maps = maps, reduces = reduces,
        estimate_maps = optional_integer(job, "estimate_maps", index, place),
        estimate_reduces = optional_integer(job, "estimate_reduces", index, place),
    }
end

local function optional_amount(job, field, index, place)
    if job[field] == nil then return nil end
    local value, why = quantity.amount(job[field])
    if not value then place.fail(index, field, why) end
    return value
end

-- … and one of the tandem model. A job without any work is complete when it arrives (TA5).
local function read_tandem(job, index, place)
    if job.arrival == nil then
        place.fail(index, "arrival", "is required (the time of the job's arrival, >= 0)")
    end
    return {
        arrival = optional_amount(job, "arrival", index, place),
        map = optional_amount(job, "map", index, place) or 0.0,
        shuffle = optional_amount(job, "shuffle", index, place) or 0.0,
        estimate_map = optional_amount(job, "estimate_map", index, place),
        estimate_shuffle = optional_amount(job, "estimate_shuffle", index, place),
    }
end

-- ---- the makespan model -------------------------------------------------------------------------

-- Tasks of a stage, slots of a job.
local COUNT_MOST = 0xFFFFFFFF

local STAGES = { { name = "map", tasks = "maps", time = "map_time", slots = "map_slots" },
                 { name = "reduce", tasks = "reduces", time = "reduce_time",
                     slots = "reduce_slots" } }

local function gcd(a, b)
    while b > 0 do a, b = b, a % b end
    return a
end

---@class pinion.Tasks a stage's tasks while they are read
---@field stretches integer[] duration and count of so many equal tasks, one after the other: d1, c1, d2, c2, …
---@field dens table<integer, integer> denominators of the durations by place, where they are not 1
---@field size integer of stretches
---@field count integer tasks
---@field work boolean whether a task lasts longer than 0
---@field repeated boolean|nil whether they are a count and a duration, without a list

-- A field, or one of a list; made where it is needed only.
local function path_of(field, k)
    return k and string.format("%s[%d]", field, k) or field
end

-- A duration in lowest terms. The ticks of the list become such that all durations are whole
-- numbers of them.
local function read_duration(value, index, field, k, place, list)
    local num, den = exact.read(value, place.inexact)
    if not num then place.fail(index, path_of(field, k), den) end
    if list.ticks % den > 0 then
        local factor = den // gcd(list.ticks, den)
        if list.ticks > exact.DEN_MOST // factor then
            place.fail(index, path_of(field, k), string.format(
                "is too fine to be exact (expected all durations to have a common denominator "
                    .. "of at most 2^53): %s", exact.value(num, den)))
        end
        list.ticks = list.ticks * factor
    end
    return num, den
end

local function add_stretch(tasks, num, den, count)
    local size = tasks.size
    tasks.count = tasks.count + count
    if size > 0 and tasks.stretches[size - 1] == num and (tasks.dens[size - 1] or 1) == den then
        tasks.stretches[size] = tasks.stretches[size] + count
        return
    end
    tasks.stretches[size + 1], tasks.stretches[size + 2], tasks.size = num, count, size + 2
    if den > 1 then tasks.dens[size + 1] = den end
    if num > 0 then tasks.work = true end
end

local REPEATED = { count = true, duration = true }

-- { count = 20, duration = 30 }
local function read_repeated(value, index, field, place, list, tasks)
    local key, unknown = check.unknown_key(value, REPEATED)
    if key ~= nil then place.fail(index, field .. "." .. key, unknown) end
    if value.count == nil then
        place.fail(index, field .. ".count", "is required (the number of equal tasks)")
    end
    local count, why = check.integer(value.count, 1, COUNT_MOST)
    if not count then place.fail(index, field .. ".count", why) end
    if value.duration == nil then
        place.fail(index, field .. ".duration", "is required (of each task)")
    end
    local num, den = read_duration(value.duration, index, field .. ".duration", nil, place, list)
    add_stretch(tasks, num, den, count)
end

-- A list may hold repeated tasks too, as a cell of a csv file does. Runs of one integer are the
-- common case of long lists.
local function read_listed(value, index, field, place, list, tasks)
    local most, k, size = exact.MOST, 1, #value
    while k <= size do
        local item, from = value[k], k
        if math_type(item) == "integer" and item >= 0 and item <= most then
            repeat k = k + 1 until value[k] ~= item or math_type(value[k]) ~= "integer"
            add_stretch(tasks, item, 1, k - from)
        else
            if check.is_object(item, place.lua) then
                read_repeated(item, index, path_of(field, k), place, list, tasks)
            else
                local num, den = read_duration(item, index, field, k, place, list)
                add_stretch(tasks, num, den, 1)
            end
            k = k + 1
        end
    end
end

-- A stage's tasks: none when the list is empty.
local function read_tasks(value, index, field, place, list)
    local tasks = { stretches = {}, dens = {}, size = 0, count = 0, work = false }
    if check.is_array(value, place.lua) then
        read_listed(value, index, field, place, list, tasks)
    elseif check.is_object(value, place.lua) then
        read_repeated(value, index, field, place, list, tasks)
        tasks.repeated = true
    else
        place.fail(index, field, "must be an array of durations, or a count and a duration, got "
            .. check.show(value))
    end
    if tasks.count > COUNT_MOST then
        place.fail(index, field, string.format("has more than %d tasks", COUNT_MOST))
    end
    list.tasks = list.tasks + tasks.count
    if list.tasks > core.limits.batch_tasks then
        place.fail(index, field,
            string.format(
            "makes a batch of more than %d tasks (expected at most so many in all jobs)",
            core.limits.batch_tasks))
    end
    return tasks
end

-- … of the makespan model. Durations stay as they are until the ticks of the whole list are known.
local function read_makespan(job, index, place, list)
    local record, work = {}, false
    for _, stage in ipairs(STAGES) do
        local tasks, time = nil, nil
        if job[stage.tasks] ~= nil then
            tasks = read_tasks(job[stage.tasks], index, stage.tasks, place, list)
        end
        if job[stage.time] ~= nil then
            time = { read_duration(job[stage.time], index, stage.time, nil, place, list) }
        end
        if job[stage.slots] ~= nil then
            local slots, why = check.integer(job[stage.slots], 1, COUNT_MOST)
            if not slots then place.fail(index, stage.slots, why) end
            record[stage.slots] = slots
        end
        -- An empty list matters beside a time only: then the stage has no tasks, and the time is
        -- what it was said to take (MK4).
        if tasks and tasks.size == 0 and not time then tasks = nil end
        record[stage.name], record[stage.time] = tasks, time
        if tasks then work = work or tasks.work else work = work or time ~= nil and time[1] > 0 end
    end
    if not work then
        place.fail(index, nil, "has no work" .. label(job)
            .. ": no map or reduce task lasts longer than 0")
    end
    return record
end

-- `count` tasks of a duration in ticks; nil when they pass the largest sum.
local function in_ticks(num, den, count, list)
    local factor, room = list.ticks // den, list.room
    if num > room // factor or num * factor > room // count then return nil end
    num = num * factor
    list.room = room - num * count
    return num
end

local function too_large(list, index, field, place)
    local unit = list.ticks > 1 and string.format(" units of 1/%d, the common denominator",
        list.ticks) or ""
    place.fail(index, field,
        string.format("is too large to be exact (expected all tasks to last at most 2^62%s)", unit))
end

local function settle_tasks(tasks, list, index, field, place)
    local stretches, task = tasks.stretches, 1
    for k = 1, tasks.size, 2 do
        local count = stretches[k + 1]
        local ticks = in_ticks(stretches[k], tasks.dens[k] or 1, count, list)
        if not ticks then
            too_large(list, index, tasks.repeated and field .. ".duration" or path_of(field, task),
                place)
        end
        stretches[k] = ticks
        task = task + count
    end
    return stretches
end

-- The work of all jobs together fits: so do all times.
local function settle_makespan(list, place)
    list.room = exact.MOST
    for index, record in ipairs(list.jobs) do
        for _, stage in ipairs(STAGES) do
            local tasks, time = record[stage.name], record[stage.time]
            record[stage.name] = tasks and settle_tasks(tasks, list, index, stage.tasks, place)
            record[stage.time] = time
                and in_ticks(time[1], time[2], not tasks and record[stage.slots] or 1, list)
            if time and not record[stage.time] then too_large(list, index, stage.time, place) end
        end
    end
    list.room = nil
end

---@class pinion.JobFields what a job may hold in a model
---@field columns string[] as csv files are written
---@field lists string[]|nil fields with a value for each task, which csv files do not have
---@field always table<string, boolean> columns that are written even when no job uses them
---@field example string of a csv file's header
---@field arrival string|nil the field that says when a job comes; nil: all are there at the start
---@field estimates string[]
---@field read fun(job: table, index: integer, place: pinion.Place, list: pinion.JobList): table
---@field settle (fun(list: pinion.JobList, place: pinion.Place))|nil when all are read
---@field distinct boolean whether no two jobs may have one name

---@type table<string, pinion.JobFields>
M.models = {
    slotted = {
        columns = { "arrival", "maps", "reduces", "name", "group", "estimate_maps",
            "estimate_reduces" },
        always = { arrival = true, maps = true, reduces = true },
        example = "arrival,maps,reduces",
        arrival = "arrival",
        estimates = { "estimate_maps", "estimate_reduces" },
        read = read_slotted,
        distinct = false,
    },
    tandem = {
        columns = { "arrival", "map", "shuffle", "name", "group", "estimate_map",
            "estimate_shuffle" },
        always = { arrival = true, map = true, shuffle = true },
        example = "arrival,map,shuffle",
        arrival = "arrival",
        estimates = { "estimate_map", "estimate_shuffle" },
        read = read_tandem,
        distinct = false,
    },
    makespan = {
        columns = { "name", "group", "maps", "reduces", "map_time", "reduce_time", "map_slots",
            "reduce_slots" },
        always = {},
        example = "name,maps,reduces",
        estimates = {},
        read = read_makespan,
        settle = settle_makespan,
        distinct = true,
    },
    cluster = {
        columns = { "submit", "maps", "reduces", "name", "group",
            table.unpack(cluster.columns, 4) },
        lists = cluster.lists,
        always = { submit = true, maps = true, reduces = true, map_ms = true },
        example = "submit,maps,reduces,map_ms,reduce_ms",
        arrival = "submit",
        estimates = {},
        read = cluster.read,
        settle = function(list, place) list.place = place end,
        distinct = false,
    },
}
for _, model in next, M.models do
    model.known = {}
    for _, column in ipairs(model.columns) do model.known[column] = true end
    for _, field in ipairs(model.lists or {}) do model.known[field] = true end
end

local MODELS = { "slotted", "tandem", "makespan", "cluster" }

-- Those of the models that know the field; all of them when none does.
local function narrow(models, field)
    local left = {}
    for _, name in ipairs(models) do
        if M.models[name].known[field] then left[#left + 1] = name end
    end
    return #left > 0 and left or models
end

---The model that these columns speak of: the first that knows them, one without arrivals only where
---there is no such column.
---@param fields string[]
---@return string
function M.model_of_fields(fields)
    local models, arrival, known = MODELS, false, true
    for _, field in ipairs(fields) do
        local left = narrow(models, field)
        known = known and M.models[left[1]].known[field] ~= nil
        models, arrival = left, arrival or field == M.models[left[1]].arrival
    end
    for _, name in ipairs(models) do
        if known and not arrival and not M.models[name].arrival then return name end
    end
    return models[1]
end

-- Nil when the job could be of several. In the makespan model, maps are no number.
local function model_of_job(job)
    local models = MODELS
    for _, field in ipairs(check.sorted_keys(job)) do
        models = narrow(models, field)
        if #models == 1 then return models[1] end
    end
    if job.maps == nil then return nil end
    return type(job.maps) == "table" and "makespan" or models[1]
end

---The model of a list of jobs, by the fields of the first that tells.
---@param value any
---@return string
function M.model_of(value)
    if type(value) ~= "table" then return "slotted" end
    for _, job in ipairs(value) do
        local model = type(job) == "table" and model_of_job(job)
        if model then return model end
    end
    return "slotted"
end

local function read_job(job, index, place, list, index_of)
    local model = M.models[list.model]
    if not check.is_object(job, place.lua) then
        place.fail(index, nil, "must be an object, got " .. check.show(job))
    end
    local key, unknown = check.unknown_key(job, model.known)
    if key ~= nil then place.fail(index, key, unknown) end
    local record = model.read(job, index, place, list)
    if job.name ~= nil then
        if type(job.name) ~= "string" then
            place.fail(index, "name", "must be a string, got " .. check.show(job.name))
        end
        check_text(job.name, "name", index, place)
    end
    record.group = read_group(job, index, place, list, index_of)
    return record, job.name
end

-- A job without a name is called J and its number.
local function check_distinct(list, place)
    local owner = {}
    for index = 1, #list.jobs do
        local name = list.names[index]
        if name and owner[name] then
            place.fail(index, "name",
                string.format("must differ from other jobs' names, got %s, the name of job %d",
                check.show(name), owner[name]))
        end
        if name then owner[name] = index end
    end
    for index = 1, #list.jobs do
        local name = list.names[index]
        local number = name and math.tointeger(tonumber(name:match "^J([1-9]%d*)$"))
        if number and number ~= index and number <= #list.jobs and not list.names[number] then
            place.fail(index, "name",
                string.format(
                "must differ from other jobs' names, got %s, as job %d without a name is called",
                check.show(name), number))
        end
    end
end

-- A stable order by arrival, which is this field; nil when the jobs are in order already.
local function order_by(arrival, jobs)
    local sorted = true
    for i = 2, #jobs do
        if jobs[i][arrival] < jobs[i - 1][arrival] then
            sorted = false
            break
        end
    end
    if sorted then return nil end
    local order = {}
    for i = 1, #jobs do order[i] = i end
    table.sort(order, function(a, b)
        if jobs[a][arrival] ~= jobs[b][arrival] then return jobs[a][arrival] < jobs[b][arrival] end
        return a < b
    end)
    return order
end

local function reorder(list, order)
    local jobs, names = {}, {}
    for id, index in ipairs(order) do
        jobs[id] = list.jobs[index]
        names[id] = list.names[index]
    end
    list.jobs, list.names = jobs, names
    if list.place then list.order = order end
end

-- Jobs that are all without a group need no statistics per group.
local function settle_groups(list)
    if #list.groups > 1 or list.groups[1] then return end
    list.groups = {}
    for _, job in ipairs(list.jobs) do job.group = nil end
end

---@param value any the list as read
---@param place pinion.Place
---@param model string|nil whose jobs they are; default slotted
---@return pinion.JobList
function M.read(value, place, model)
    if not check.is_array(value, place.lua) then
        place.fail(nil, nil, "must be an array of jobs, got " .. check.show(value))
    end
    if #value == 0 then place.fail(nil, nil, "must not be empty") end
    if #value > core.limits.jobs then
        place.fail(nil, nil, string.format("must be at most %d jobs, got %d", core.limits.jobs,
            #value))
    end
    local list = { model = model or "slotted", jobs = {}, names = {}, groups = {},
        estimates = false }
    local of, index_of = M.models[list.model], {}
    if list.model == "makespan" then list.ticks, list.tasks = 1, 0 end
    for i = 1, #value do
        local job, name = read_job(value[i], i, place, list, index_of)
        list.jobs[i], list.names[i] = job, name
        for _, estimate in ipairs(of.estimates) do
            list.estimates = list.estimates or job[estimate] ~= nil
        end
    end
    if of.distinct and next(list.names) then check_distinct(list, place) end
    if of.settle then of.settle(list, place) end
    local order = of.arrival and order_by(of.arrival, list.jobs)
    list.tasks = nil
    if order then reorder(list, order) end
    settle_groups(list)
    return list
end

---The same for jobs of the tandem model.
---@param value any
---@param place pinion.Place
---@return pinion.JobList
function M.read_tandem(value, place)
    return M.read(value, place, "tandem")
end

---… and of the makespan model.
---@param value any
---@param place pinion.Place
---@return pinion.JobList
function M.read_makespan(value, place)
    return M.read(value, place, "makespan")
end

---… and of the cluster model.
---@param value any
---@param place pinion.Place
---@return pinion.JobList
function M.read_cluster(value, place)
    return M.read(value, place, "cluster")
end

return M
