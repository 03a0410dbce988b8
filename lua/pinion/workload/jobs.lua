-- Checks a list of jobs from a scenario file, a csv file or a Lua table, sorts it by arrival and
-- numbers its groups. What a job holds is the model's affair. Messages count jobs from 1 in the
-- order of the list; ids are given after the sorting.

local attributes = require "pinion.workload.attributes"
local check = require "pinion.base.check"
local core = require "pinion.core"
local job_rows = require "pinion.models.job_rows"
local models = require "pinion.models"
local suggest = require "pinion.base.suggest"

local M = {}

-- Statistics are kept per group, at up to 90 KB each.
M.GROUPS_MAX = 4096

---@class pinion.JobList
---@field model string whose jobs they are
---@field jobs table[] as the model's jobs.make takes them, by arrival
---@field ticks integer|nil makespan: of its durations, to the unit of time
---@field names table<integer, string> by job id
---@field groups any[] names of the groups in order of first appearance; false stands for jobs without a group
---@field estimates boolean
---@field attributes pinion.Attributes|nil that every job has, as a list of its own
---@field resources integer|nil dag: entries of each demand
---@field place pinion.Place|nil cluster, dag: where the list stands
---@field order integer[]|nil cluster, dag: places in the list by job id, where they differ

-- Checks what a scenario file may hold: names are written to results, which are JSON.
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

-- ---- the model of a list ------------------------------------------------------------------------

local known_fields = {} -- by model

---@param name string a model's
---@return table<string, boolean> every field that a job of it may have
function M.known(name)
    local known, of = known_fields[name], models.find(name).jobs
    if known then return known end
    known = {}
    for _, column in ipairs(of.columns) do known[column] = true end
    for _, field in ipairs(of.lists) do known[field] = true end
    known_fields[name] = known
    return known
end

-- Narrows the models to those that know the field; all of them when none does.
local function narrow(names, field)
    local left = {}
    for _, name in ipairs(names) do
        if M.known(name)[field] then left[#left + 1] = name end
    end
    return #left > 0 and left or names
end

-- Returns whether a field that no model knows is likely to be one of theirs, mistyped.
local function is_near(field)
    for _, name in ipairs(models.names()) do
        if suggest.nearest(field, models.find(name).jobs.columns) then return true end
    end
    return false
end

-- Returns whether some model knows the field, or it may be an attribute.
local function is_plausible(field)
    for _, name in ipairs(models.names()) do
        if M.known(name)[field] then return true end
    end
    return not is_near(field)
end

---Returns the model that these columns speak of: the first that knows them, one without arrivals
---only where there is no such column.
---@param fields string[]
---@return string
function M.model_of_fields(fields)
    local names, arrival, known = {}, false, true
    for _, name in ipairs(models.names()) do
        if not models.find(name).jobs.nested then names[#names + 1] = name end
    end
    for _, field in ipairs(fields) do
        local left = narrow(names, field)
        known = known and is_plausible(field)
        names, arrival = left, arrival or field == models.find(left[1]).jobs.arrival
    end
    for _, name in ipairs(names) do
        if known and not arrival and not models.find(name).jobs.arrival then return name end
    end
    return names[1]
end

-- Returns the model of a job, nil when it could be of several. Where its fields leave several
-- models, maps tell: they are a list of tasks or a number.
local function model_of_job(job)
    local names = models.names()
    for _, field in ipairs(check.sorted_keys(job)) do
        names = narrow(names, field)
        if #names == 1 then return names[1] end
    end
    if job.maps == nil then return nil end
    for _, name in ipairs(type(job.maps) == "table" and models.names() or {}) do
        if models.find(name).jobs.tasks_listed then return name end
    end
    return names[1]
end

---Returns the model of a list of jobs, by the fields of the first that tells.
---@param value any
---@return string
function M.model_of(value)
    if type(value) ~= "table" then return models.default end
    for _, job in ipairs(value) do
        local model = type(job) == "table" and model_of_job(job)
        if model then return model end
    end
    return models.default
end

local function read_job(job, index, place, list, index_of)
    local model = models.find(list.model).jobs
    if not check.is_object(job, place.lua) then
        place.fail(index, nil, "must be an object, got " .. check.show(job))
    end
    local key, unknown = check.unknown_key(job, list.known)
    if key ~= nil then place.fail(index, key, unknown) end
    local record = job_rows.read(model, job, index, place, list.attributes)
    if model.own then model.own(record, job, index, place, list) end
    if job.name ~= nil then
        if type(job.name) ~= "string" then
            place.fail(index, "name", "must be a string, got " .. check.show(job.name))
        end
        check_text(job.name, "name", index, place)
    end
    record.group = read_group(job, index, place, list, index_of)
    if list.attributes then
        record.attributes = attributes.read_job(job, list.attributes, index, place)
    end
    return record, job.name
end

-- Checks that names are distinct. A job without a name is called J and its number.
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

-- Makes a stable order by arrival, which is this field; nil when the jobs are in order already.
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

-- Settles groups. Jobs that are all without a group need no statistics per group.
local function settle_groups(list)
    if #list.groups > 1 or list.groups[1] then return end
    list.groups = {}
    for _, job in ipairs(list.jobs) do job.group = nil end
end

-- Returns fields that a job of the list may have.
local function known_with(model, carried)
    local known, more = {}, models.find(model).jobs.more
    if not carried and #more == 0 then return M.known(model) end
    for name in next, M.known(model) do known[name] = true end
    for _, name in ipairs(more) do known[name] = true end
    for _, name in ipairs(carried and carried.names or {}) do known[name] = true end
    return known
end

---@param value any the list as read
---@param place pinion.Place
---@param model string|nil whose jobs they are; nil: the default one's
---@param carried pinion.Attributes|nil what they carry besides
---@return pinion.JobList
function M.read(value, place, model, carried)
    if not check.is_array(value, place.lua) then
        place.fail(nil, nil, "must be an array of jobs, got " .. check.show(value))
    end
    if #value == 0 then place.fail(nil, nil, "must not be empty") end
    if #value > core.limits.jobs then
        place.fail(nil, nil, string.format("must be at most %d jobs, got %d", core.limits.jobs,
            #value))
    end
    local list = { model = model or models.default, jobs = {}, names = {}, groups = {},
        estimates = false, attributes = carried }
    list.known = known_with(list.model, carried)
    local of, index_of = models.find(list.model).jobs, {}
    if of.begin then of.begin(list) end
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
    if order then reorder(list, order) end
    settle_groups(list)
    list.known = nil
    return list
end

return M
