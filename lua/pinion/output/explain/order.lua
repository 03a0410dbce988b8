-- In which order a policy has the jobs at the moments that an explanation is about: which of them
-- stand ahead of one that waits, and by which key.

local lines = require "pinion.models.log_line"

local M = {}

---@class pinion.OrderAt how the policy has a job as it decides at a time; where it does not decide then, as it stands
---@field time pinion.LoggedTime
---@field key_name string|nil what the key is; nil: the policy does not rank the job then
---@field key number|nil its own; nil: its place says all
---@field second number|nil what decides between jobs with the same key; nil: nothing but the order
---@field note string|nil what there is to say of it besides
---@field ahead { job: integer, key: number|nil, second: number|nil, note: string|nil }[] the first of those ahead of it
---@field more integer how many more

-- So many jobs are named.
local NAMED_MOST = 5

-- Of orders one behind the other, and where jobs compete with others of their own rank only, all
-- jobs must be told to know how many stand ahead.
local ALL = math.maxinteger >> 32

local function needs_all(list, apart)
    for _, one in ipairs(list) do
        if #one.orders > 1 then return true end
    end
    return apart
end

-- ---- what is asked ------------------------------------------------------------------------------

-- Returns the moments at which each wait is looked at: when it begins, and when another job got
-- what would have done.
local function moments_of(phase)
    local first = phase.first_chance and phase.first_chance.time
    if first and lines.double(first) > phase.start then return { phase.from, first } end
    return { phase.from }
end

---@param made pinion.Explanation|pinion.Instant
---@param list pinion.PolicyOrder[]
---@param apart boolean|nil as in pinion.ModelLog
---@return { times: number[], deciding: boolean|nil, most: integer, job: integer|nil }
function M.questions(made, list, apart)
    if not made.phases then return { times = { made.time }, most = ALL } end
    local times = {}
    for _, phase in ipairs(made.phases) do
        for _, moment in ipairs(phase.waits_for and moments_of(phase) or {}) do
            times[#times + 1] = lines.double(moment)
        end
    end
    return { times = times, deciding = true, job = made.job,
        most = needs_all(list, apart) and ALL or NAMED_MOST }
end

-- ---- answers ------------------------------------------------------------------------------------

local function told(one, ranked)
    local key, note, second = one.read(ranked)
    return { job = ranked.job, key = key, second = second, note = note }
end

-- Calls `use` with each job of an order once, as far as they were told.
local function each(one, answer, use)
    local seen = {}
    for _, order in ipairs(one.orders) do
        for _, ranked in ipairs(answer[order + 1] or {}) do
            if not seen[ranked.job] and use(ranked) then return end
            seen[ranked.job] = true
        end
    end
end

-- Finds the order in which the job is, and where.
local function find(list, answer, kind)
    for _, one in ipairs(list) do
        for _, order in ipairs((not one.of or one.of == kind) and one.orders or {}) do
            local own = answer[order + 1] and answer[order + 1].own
            if own then return one, own end
        end
    end
end

local function ahead_of(own, one, answer, apart)
    local ahead, count = {}, 0
    each(one, answer, function(ranked)
        if ranked.job == own.job then return true end
        if apart and ranked.rank ~= own.rank then return false end
        count = count + 1
        if count <= NAMED_MOST then ahead[count] = told(one, ranked) end
        return false
    end)
    -- In a single order its place is more exact than the listed ones.
    if #one.orders == 1 and not apart then count = own.place - 1 end
    return ahead, count - #ahead
end

local function order_at(time, answer, list, kind, apart)
    local one, own = find(list, answer, kind)
    if not one then return { time = time, ahead = {}, more = 0 } end
    local key, note, second = one.read(own)
    local ahead, more = ahead_of(own, one, answer, apart)
    return { time = time, key_name = one.key, key = key, second = second, note = note,
        ahead = ahead, more = more }
end

local function fill_job(made, answers, list, apart)
    local index = 0
    for _, phase in ipairs(made.phases) do
        for _, moment in ipairs(phase.waits_for and moments_of(phase) or {}) do
            index = index + 1
            phase.orders = phase.orders or {}
            table.insert(phase.orders, answers[index]
                and order_at(moment, answers[index], list, phase.waits_for, apart))
        end
    end
end

-- Fills in those that wait by the first order that has them, and behind all these those that none
-- has.
local function fill_instant(made, answer, list)
    local places, told_of, count = {}, {}, 0
    made.ordered = true
    for _, one in ipairs(list) do
        each(one, answer, function(ranked)
            if places[ranked.job] then return false end
            count = count + 1
            places[ranked.job], told_of[ranked.job] = count, told(one, ranked)
            told_of[ranked.job].key_name, told_of[ranked.job].waits_for = one.key, one.of
            return false
        end)
    end
    for i, job in ipairs(made.waiting) do places[job.job] = places[job.job] or count + i end
    table.sort(made.waiting, function(a, b) return places[a.job] < places[b.job] end)
    for _, jobs in ipairs { made.running, made.waiting } do
        for _, job in ipairs(jobs) do
            for name, value in next, told_of[job.job] or {} do job[name] = value end
        end
    end
end

local function waits(made)
    if made.waiting then return #made.waiting > 0 end
    for _, phase in ipairs(made.phases) do
        if phase.waits_for then return true end
    end
    return false
end

---Says of an explanation why it has no order, where something waits.
---@param made pinion.Explanation|pinion.Instant
---@param why string|nil nil: it is from a log
function M.leave_out(made, why)
    why = why or "unknown, because a log contains no keys (to see it, give the scenario or "
        .. "workload with --policy instead of the log)"
    made.unordered = waits(made) and why or nil
end

---Adds to an explanation what the policy's order says.
---@param made pinion.Explanation|pinion.Instant
---@param answers table[] from run/single.lua
---@param list pinion.PolicyOrder[]
---@param apart boolean|nil
function M.fill(made, answers, list, apart)
    if made.phases then
        fill_job(made, answers, list, apart)
    elseif answers[1] then
        fill_instant(made, answers[1], list)
    end
end

return M
