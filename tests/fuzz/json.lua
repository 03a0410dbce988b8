-- Judges one scenario text for tests/fuzz/json.c: either it is refused with a message that says
-- where and what, or it runs, if it is small, and what is printed of the run can be read again.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local models = require "pinion.models"
local report = require "pinion.output.result"
local scenario = require "pinion.run.scenario"
local single = require "pinion.run.single"

local NAME = "input.json"
local UNITS_MOST, JOBS_MOST, SLOTS_MOST = 3000, 60, 200

local function check_message(problem)
    if not fault.is(problem) then error("not a message but a defect: " .. tostring(problem), 0) end
    if #problem.text < 6 then error("the message says nothing: " .. problem.text, 0) end
    if problem.text:find("%c") then
        error("the message is not one line of text: " .. problem.text, 0)
    end
end

local function check_refusal(problem)
    check_message(problem)
    if problem.code ~= 2 then error("bad input must be told by exit code 2", 0) end
    if problem.text:sub(1, #NAME + 1) ~= NAME .. ":" then
        error("the message does not name the file: " .. problem.text, 0)
    end
end

-- Of each model: whether a scenario is small enough to be run, its settings where the text says
-- nothing, policies, and what must hold.
local MODELS = {}

MODELS.slotted = { settings = { machines = 3 }, policies = { "asrpt", "psrpt" }, bounds = "tight",
    total = "total_flow_time" }

function MODELS.slotted.is_small(given)
    if (given.machines or 1) > SLOTS_MOST then return false end
    local units = 0
    for _, job in ipairs(given.workload.list.jobs) do
        units = units + (job.maps or 0)
        for _, length in ipairs(job.reduces or {}) do
            if length > UNITS_MOST then return false end
            units = units + length
        end
        if units > UNITS_MOST
                or (job.estimate_maps or 0) + (job.estimate_reduces or 0) > UNITS_MOST then
            return false
        end
    end
    return true
end

MODELS.tandem = { settings = {}, policies = { "fcfs", "maxsrpt" }, bounds = "fast",
    total = "total_response_time" }

-- Sizes may differ by more than a double can tell apart.
function MODELS.tandem.is_small(given)
    for _, job in ipairs(given.workload.list.jobs) do
        for _, name in ipairs { "arrival", "map", "shuffle" } do
            local value = job[name] or 0
            if value ~= 0 and (value < 0.001 or value > UNITS_MOST) then
                return false
            end
        end
    end
    return true
end

MODELS.makespan = { settings = { map_slots = 3, reduce_slots = 2 }, policies = { "uaas", "neh" },
    bounds = "fast", total = "makespan" }

-- What makes the work larger than the jobs, and the policies that search.
local LONG = { resplit = true, search_ratio = true, max_evals = true, optimal = true, exact = true,
    local_search = true }

function MODELS.makespan.is_small(given)
    if (given.map_slots or 1) > SLOTS_MOST or (given.reduce_slots or 1) > SLOTS_MOST
            or LONG[given.policy] then
        return false
    end
    for name in next, given.params or {} do
        if LONG[name] then return false end
    end
    local tasks = 0
    for _, job in ipairs(given.workload.list.jobs) do
        for _, stretches in ipairs { job.map or {}, job.reduce or {} } do
            for k = 2, #stretches, 2 do tasks = tasks + stretches[k] end
        end
        tasks = tasks + (job.map_slots or 0) + (job.reduce_slots or 0)
        if tasks > UNITS_MOST then return false end
    end
    return true
end

local function run(given, policy, of)
    local pieces = {}
    local settings = {
        model = given.model.name, policy = policy, params = given.params or {}, params_where = NAME,
        workload = given.workload,
        replica = 0, bounds = of.bounds, quiet = true,
    }
    for _, name in ipairs(given.model.settings.scalars) do
        if settings[name] == nil then settings[name] = given[name] end
        if settings[name] == nil then settings[name] = of.settings[name] end
        if settings[name] == nil then settings[name] = given.model.settings.defaults[name] end
    end
    local ok, result = pcall(single.run, settings)
    -- A parameter may be out of its policy's range, the policy not defined in this mode, or time
    -- run out.
    if not ok then return check_message(result) end
    if result.finished ~= #given.workload.list.jobs then error("not all jobs finished", 0) end
    if result.lower_bound and result.lower_bound > result[of.total] * (1 + 1e-9) then
        error("the bound is above the total", 0)
    end
    report.json(result, function(text) pieces[#pieces + 1] = text end, true)
    local _, why = core.json_decode(table.concat(pieces), "result")
    if why then error("the result is not JSON: " .. why, 0) end
end

---@param text string
return function(text)
    local ok, given = pcall(scenario.decode, text, NAME)
    if not ok then return check_refusal(given) end
    if not models.find(given.model.name) then error("a model that nobody knows", 0) end
    local of = MODELS[given.model.name]
    if #given.workload.list.jobs > JOBS_MOST or not of.is_small(given) then return end
    for _, policy in ipairs(of.policies) do run(given, policy, of) end
    if given.policy then run(given, given.policy, of) end
end
