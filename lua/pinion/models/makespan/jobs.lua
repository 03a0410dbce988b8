-- Jobs of the makespan model: lists of tasks, or the times of whole stages. Durations become whole
-- numbers of a common tick.

local check = require "pinion.base.check"
local core = require "pinion.core"
local exact = require "pinion.base.exact"
local fields = require "pinion.models.fields"
local job_rows = require "pinion.models.job_rows"

local math_type = math.type -- asked once per task of a batch

-- Tasks of a stage, slots of a job.
local COUNT_MOST = 0xFFFFFFFF

local STAGES = {
    { name = "map", tasks = "maps", time = "map_time", slots = "map_slots" },
    { name = "reduce", tasks = "reduces", time = "reduce_time", slots = "reduce_slots" },
}

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

-- Returns the path of a field, or one of a list; made where it is needed only.
local function path_of(field, k)
    return k and string.format("%s[%d]", field, k) or field
end

-- Reads a duration in lowest terms. The ticks of the list become such that all durations are whole
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

-- Reads { count = 20, duration = 30 }
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

-- Reads a list, which may hold repeated tasks too, as a cell of a csv file does. Runs of one
-- integer are the common case of long lists.
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

-- Reads a stage's tasks: none when the list is empty.
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

-- Reads tasks and times. Durations stay as they are until the ticks of the whole list are known.
local function read_tasks_and_times(record, job, index, place, list)
    local work = false
    for _, stage in ipairs(STAGES) do
        local tasks, time = nil, nil
        if job[stage.tasks] ~= nil then
            tasks = read_tasks(job[stage.tasks], index, stage.tasks, place, list)
        end
        if job[stage.time] ~= nil then
            time = { read_duration(job[stage.time], index, stage.time, nil, place, list) }
        end
        -- An empty list matters beside a time only: then the stage has no tasks, and the time is
        -- what it was said to take (MK4).
        if tasks and tasks.size == 0 and not time then tasks = nil end
        record[stage.name], record[stage.time] = tasks, time
        if tasks then work = work or tasks.work else work = work or time ~= nil and time[1] > 0 end
    end
    if not work then
        place.fail(index, nil, "has no work" .. fields.label(job)
            .. ": no map or reduce task lasts longer than 0")
    end
end

-- Returns `count` tasks of a duration in ticks; nil when they pass the largest sum.
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

-- Settles the jobs: the work of all together fits: so do all times.
local function settle(list, place)
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
    list.room, list.tasks = nil, nil
end

-- Describes the work: no schedule ends before all of it is done; `slots` may be unknown.
local function describe(totals, opened, base)
    local function least(work, slots) return slots and work.sum / slots end
    local function whole(count) return math.tointeger(count) or count end
    return {
        { "jobs", totals.jobs, "jobs" }, { "map_only", totals.map_only, "map-only jobs" },
        { "reduce_only", totals.reduce_only, "reduce-only jobs" },
        { "all_map_tasks", whole(totals.map_tasks.sum), "map tasks of all jobs" },
        { "all_reduce_tasks", whole(totals.reduce_tasks.sum), "reduce tasks of all jobs" },
        { "ticks", totals.ticks, "ticks to the unit of time" },
        { "map_slots", base.map_slots, "map slots" },
        { "reduce_slots", base.reduce_slots, "reduce slots" },
        { "map_busy", least(totals.map_work, base.map_slots), "map work / map slots", 2 },
        { "reduce_busy", least(totals.reduce_work, base.reduce_slots), "reduce work / reduce slots",
            2 },
        { "groups", fields.named(opened.groups), "groups" },
        { "map_tasks", totals.map_tasks, "map tasks" }, { "map_work", totals.map_work, "map work" },
        { "longest_map", totals.longest_map, "longest map task" },
        { "reduce_tasks", totals.reduce_tasks, "reduce tasks" },
        { "reduce_work", totals.reduce_work, "reduce work" },
        { "longest_reduce", totals.longest_reduce, "longest reduce task" },
    }
end

return job_rows.add("makespan", {
    tasks_listed = true,
    example = "name,maps,reduces",
    begin = function(list) list.ticks, list.tasks = 1, 0 end,
    own = read_tasks_and_times,
    settle = settle,
    make = core.workload_makespan_table,
    binding = function(settings)
        return { map_slots = settings.map_slots, reduce_slots = settings.reduce_slots }
    end,
    describe = describe,
})
