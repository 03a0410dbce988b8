-- Judges one scenario text for tests/fuzz_json.c: either it is refused with a message that says where and what, or it runs, if it is small,
-- and what is printed of the run can be read again.

local core = require "pinion.core"
local fault = require "pinion.fault"
local models = require "pinion.models"
local report = require "pinion.report"
local scenario = require "pinion.scenario"

local NAME = "input.json"
local UNITS_MOST, JOBS_MOST, MACHINES_MOST = 3000, 60, 200
local POLICIES = { "asrpt", "psrpt" }

local function check_message(problem)
    if not fault.is(problem) then error("not a message but a defect: " .. tostring(problem), 0) end
    if #problem.text < 6 then error("the message says nothing: " .. problem.text, 0) end
    if problem.text:find("%c") then error("the message is not one line of text: " .. problem.text, 0) end
end

local function check_refusal(problem)
    check_message(problem)
    if problem.code ~= 2 then error("bad input must be told by exit code 2", 0) end
    if problem.text:sub(1, #NAME + 1) ~= NAME .. ":" then error("the message does not name the file: " .. problem.text, 0) end
end

local function is_small(given)
    local list = given.workload.list.jobs
    if #list > JOBS_MOST or (given.machines or 1) > MACHINES_MOST then return false end
    local units = 0
    for _, job in ipairs(list) do
        units = units + job.maps
        for _, length in ipairs(job.reduces) do
            if length > UNITS_MOST then return false end
            units = units + length
        end
        if units > UNITS_MOST or (job.estimate_maps or 0) + (job.estimate_reduces or 0) > UNITS_MOST then return false end
    end
    return true
end

local function run(given, policy)
    local pieces = {}
    local ok, result = pcall(given.model.run, {
        model = given.model.name, machines = given.machines or 3, reduce = given.reduce or given.model.defaults.reduce,
        policy = policy, params = given.params or {}, params_where = NAME, workload = given.workload,
        replica = 0, bounds = "tight", quiet = true,
    })
    -- A parameter may be out of its policy's range, the policy not defined in this mode, or time run out at 2^53.
    if not ok then return check_message(result) end
    if result.finished ~= #given.workload.list.jobs then error("not all jobs finished", 0) end
    if result.lower_bound > result.total_flow_time then error("the bound is above the total", 0) end
    report.result_json(result, function(text) pieces[#pieces + 1] = text end, true)
    local _, why = core.json_decode(table.concat(pieces), "result")
    if why then error("the result is not JSON: " .. why, 0) end
end

---@param text string
return function(text)
    local ok, given = pcall(scenario.decode, text, NAME)
    if not ok then return check_refusal(given) end
    if not models.find(given.model.name) then error("a model that nobody knows", 0) end
    if not is_small(given) then return end
    for _, policy in ipairs(POLICIES) do run(given, policy) end
    if given.policy then run(given, given.policy) end
end
