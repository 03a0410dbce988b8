-- Checks a list of jobs from a scenario file, a csv file or a Lua table, sorts it by arrival and numbers its groups.
-- Messages count jobs from 1 in the order of the list; ids are given after the sorting.

local check = require "pinion.check"
local quantity = require "pinion.quantity"

local M = {}

-- Statistics are kept per group, at 28 KB each in the slotted model and 90 KB in the tandem model.
M.GROUPS_MAX = 4096

---@class pinion.Place says where a job of the list stands
---@field lua boolean whether the list is made of Lua tables, which are not marked as arrays
---@field fail fun(index: integer|nil, field: string|nil, reason: string) raises; index nil: the list itself

---@class pinion.JobList
---@field model string whose jobs they are
---@field jobs table[] as core.workload_table or core.workload_tandem_table takes them, sorted by arrival
---@field names table<integer, string> by job id
---@field groups any[] names of the groups in order of first appearance; false stands for jobs without a group
---@field estimates boolean

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
        if sum > check.INTEGER_MAX then place.fail(index, "reduces", "must sum up to at most 2^53") end
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
        place.fail(index, field, "must be UTF-8 text without null characters, got " .. check.show(text))
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
        if not number then place.fail(index, "group", (why:gsub("must be", "must be a string or", 1))) end
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
    if job.arrival == nil then place.fail(index, "arrival", "is required (the slot of the job's arrival, >= 1)") end
    local arrival, why = check.integer(job.arrival, 1, check.INTEGER_MAX)
    if not arrival then place.fail(index, "arrival", why) end
    local maps = optional_integer(job, "maps", index, place) or 0
    local reduces, sum = read_reduces(job.reduces, index, place)
    if maps + sum == 0 then place.fail(index, nil, "has no work" .. label(job) .. ": maps and reduces are all 0") end
    if maps + sum > check.INTEGER_MAX then place.fail(index, nil, "has more than 2^53 units of work" .. label(job)) end
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

-- … and one of the tandem model. A job without any work is complete when it arrives (S5).
local function read_tandem(job, index, place)
    if job.arrival == nil then place.fail(index, "arrival", "is required (the time of the job's arrival, >= 0)") end
    return {
        arrival = optional_amount(job, "arrival", index, place),
        map = optional_amount(job, "map", index, place) or 0.0, shuffle = optional_amount(job, "shuffle", index, place) or 0.0,
        estimate_map = optional_amount(job, "estimate_map", index, place),
        estimate_shuffle = optional_amount(job, "estimate_shuffle", index, place),
    }
end

---@class pinion.JobFields what a job may hold in a model
---@field columns string[] as csv files are written
---@field always table<string, boolean> columns that are written even when no job uses them
---@field estimates string[]
---@field read fun(job: table, index: integer, place: pinion.Place): table

---@type table<string, pinion.JobFields>
M.models = {
    slotted = {
        columns = { "arrival", "maps", "reduces", "name", "group", "estimate_maps", "estimate_reduces" },
        always = { arrival = true, maps = true, reduces = true },
        estimates = { "estimate_maps", "estimate_reduces" },
        read = read_slotted,
    },
    tandem = {
        columns = { "arrival", "map", "shuffle", "name", "group", "estimate_map", "estimate_shuffle" },
        always = { arrival = true, map = true, shuffle = true },
        estimates = { "estimate_map", "estimate_shuffle" },
        read = read_tandem,
    },
}
for _, model in next, M.models do
    model.known = {}
    for _, column in ipairs(model.columns) do model.known[column] = true end
end

---The model that these fields or columns speak of, by the first that only one model knows; slotted when none does.
---@param fields string[]
---@return string
function M.model_of_fields(fields)
    for _, field in ipairs(fields) do
        local slotted, tandem = M.models.slotted.known[field], M.models.tandem.known[field]
        if slotted ~= tandem then return slotted and "slotted" or "tandem" end
    end
    return "slotted"
end

---The model of a list of jobs, by the fields of the first that tells.
---@param value any
---@return string
function M.model_of(value)
    if type(value) ~= "table" then return "slotted" end
    for _, job in ipairs(value) do
        if type(job) == "table" and M.model_of_fields(check.sorted_keys(job)) == "tandem" then return "tandem" end
        if type(job) == "table" and (job.maps ~= nil or job.reduces ~= nil) then return "slotted" end
    end
    return "slotted"
end

local function read_job(job, index, place, list, index_of)
    local model = M.models[list.model]
    if not check.is_object(job, place.lua) then place.fail(index, nil, "must be an object, got " .. check.show(job)) end
    local key, unknown = check.unknown_key(job, model.known)
    if key ~= nil then place.fail(index, key, unknown) end
    local record = model.read(job, index, place)
    if job.name ~= nil then
        if type(job.name) ~= "string" then place.fail(index, "name", "must be a string, got " .. check.show(job.name)) end
        check_text(job.name, "name", index, place)
    end
    record.group = read_group(job, index, place, list, index_of)
    return record, job.name
end

-- A stable order by arrival; nil when the jobs are in order already.
local function order_by_arrival(jobs)
    local sorted = true
    for i = 2, #jobs do
        if jobs[i].arrival < jobs[i - 1].arrival then
            sorted = false
            break
        end
    end
    if sorted then return nil end
    local order = {}
    for i = 1, #jobs do order[i] = i end
    table.sort(order, function(a, b)
        if jobs[a].arrival ~= jobs[b].arrival then return jobs[a].arrival < jobs[b].arrival end
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
    local list = { model = model or "slotted", jobs = {}, names = {}, groups = {}, estimates = false }
    local index_of, estimates = {}, M.models[list.model].estimates
    for i = 1, #value do
        local job, name = read_job(value[i], i, place, list, index_of)
        list.jobs[i], list.names[i] = job, name
        list.estimates = list.estimates or job[estimates[1]] ~= nil or job[estimates[2]] ~= nil
    end
    local order = order_by_arrival(list.jobs)
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

return M
