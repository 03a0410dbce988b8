-- Fields of jobs by the rows of the core (core.job_fields): what readers, csv files and messages
-- need of them, and the reader of numbers and lists.

local check = require "pinion.base.check"
local core = require "pinion.core"
local quantity = require "pinion.base.quantity"

local math_type = math.type -- asked once per number

local M = {}

---@class pinion.JobField
---@field name string
---@field kind "integer"|"amount"|"list"|"name"|"group"|"own"
---@field low integer
---@field high integer
---@field doc string
---@field absent string|nil what a missing field means, where low excludes 0
---@field of string|nil of a list: the field that counts its values
---@field instead string|nil of a list: the field that it replaces
---@field type string|nil of a field of kind own, in annotations
---@field cell "integers"|"tasks"|"text"|nil how csv files write it; nil: a number
---@field required boolean|nil
---@field always boolean|nil whether csv files always have the column
---@field arrival boolean|nil
---@field estimate boolean|nil
---@field yields boolean|nil whether an attribute of this name takes its place; csv files do not have it
---@field nested boolean|nil whether no csv file can have it
---@field distinct boolean|nil

-- ---- what models say of their jobs --------------------------------------------------------------

---Adds to a model's jobs what its rows say.
---@param model string
---@param jobs table
---@return pinion.ModelJobs
function M.add(model, jobs)
    jobs.checked = core.job_checker(model)
    jobs.rows, jobs.columns, jobs.lists, jobs.more = core.job_fields(model), {}, {}, {}
    jobs.cells, jobs.always, jobs.estimates = {}, {}, {}
    for _, row in ipairs(jobs.rows) do
        local to = row.nested and jobs.lists or row.yields and jobs.more or jobs.columns
        to[#to + 1] = row.name
        jobs.cells[row.name], jobs.always[row.name] = row.cell, row.always
        if row.estimate then jobs.estimates[#jobs.estimates + 1] = row.name end
        if row.arrival then jobs.arrival = row.name end
        jobs.nested = jobs.nested or row.nested and row.required
        jobs.distinct = jobs.distinct or row.distinct
    end
    return jobs
end

-- ---- reading ------------------------------------------------------------------------------------

local function read_integer(value, row, index, place)
    local number, why = check.integer(value, row.low, row.high)
    if number then return number end
    if value == 0 and row.absent then
        why = string.format("%s (leave it out for %s)", why, row.absent)
    end
    place.fail(index, row.name, why)
end

local function read_amount(value, row, index, place)
    local amount, why = quantity.amount(value)
    if amount then return amount end
    place.fail(index, row.name, why)
end

---Checks that a list is one, of so many values where `count` is given.
---@param list any
---@param row { name: string, of: string|nil, low: integer|nil }
---@param count integer|nil
---@param index integer
---@param place pinion.Place
function M.check_list(list, row, count, index, place)
    if not check.is_array(list, place.lua) then
        place.fail(index, row.name, string.format("must be an array%s, got %s",
            row.of and "" or " of integers >= " .. row.low, check.show(list)))
    end
    if count and #list ~= count then
        place.fail(index, row.name,
            string.format("has %d value%s (expected one for each of the %d %s)", #list,
            #list == 1 and "" or "s", count, row.of))
    end
end

local function read_list(list, row, index, place, record, job)
    M.check_list(list, row, row.of and (record[row.of] or 0), index, place)
    if row.instead and job[row.instead] ~= nil then
        place.fail(index, row.name, string.format("cannot be given together with %s", row.instead))
    end
    local values, low, high = {}, row.low, row.high
    for k = 1, #list do
        local value, why = list[k], nil
        if math_type(value) ~= "integer" or value < low or value > high then
            value, why = check.integer(value, low, high)
            if not value then place.fail(index, string.format("%s[%d]", row.name, k), why) end
        end
        values[k] = value
    end
    return values
end

local READERS = { integer = read_integer, amount = read_amount, list = read_list }

-- Reads the fields that the core leaves: those of the rows with these numbers.
local function read_rest(of, job, index, place, carried, record, number, ...)
    local row = of.rows[number]
    if not row then return record end
    local value = job[row.name]
    if value == nil then
        place.fail(index, row.name, "is required (" .. row.doc .. ")")
    elseif not (row.yields and carried and carried.defaults[row.name]) then
        record[row.name] = READERS[row.kind](value, row, index, place, record, job)
    end
    return read_rest(of, job, index, place, carried, record, ...)
end

---Reads the numbers and the lists of numbers of a job.
---@param of pinion.ModelJobs
---@param job table
---@param index integer
---@param place pinion.Place
---@param carried pinion.Attributes|nil
---@return table
function M.read(of, job, index, place, carried)
    return read_rest(of, job, index, place, carried, of.checked(job))
end

return M
