-- The life of a job in phases: when it ran, when it waited, and for what. The pieces lie end to end
-- from its arrival to its finish, so they make up its whole time.

local lines = require "pinion.models.log_line"

local M = {}

---@class pinion.Life what a log says of one job
---@field arrival pinion.LoggedTime
---@field finish pinion.LoggedTime|nil nil: it has not finished
---@field last pinion.LoggedTime the finish, or the last time of the log
---@field state string
---@field bars pinion.LifeBar[]
---@field work number|nil all of its work of the first kind, where that is known

---@field again { kind: string, task: integer, time: integer }[] tasks that were done and were pending again

---@class pinion.LifeBar
---@field kind string
---@field from pinion.LoggedTime
---@field to pinion.LoggedTime
---@field start number
---@field finish number
---@field amount number
---@field task integer|nil
---@field fate string|nil
---@field demand integer[]|nil

---@class pinion.Phase
---@field phase string
---@field waits_for string|nil a kind
---@field from pinion.LoggedTime
---@field to pinion.LoggedTime
---@field start number `from` as a double
---@field finish number

-- ---- when the first kind is done ----------------------------------------------------------------

-- Rates are rounded.
local NEARLY_ALL = 1 - 1e-9

local function succeeded(bar, kind) return bar.kind == kind and not bar.fate end

-- Returns when jobs are done whose work has no tasks: when the last of it ended, if that was all.
local function done_by_work(life, kind)
    local work, last, exact = 0.0, lines.double(life.arrival), life.arrival
    for _, bar in ipairs(life.bars) do
        if succeeded(bar, kind) then
            work = work + bar.amount * (bar.finish - bar.start)
            if bar.finish > last then last, exact = bar.finish, bar.to end
        end
    end
    local all = life.finish or work >= (life.work or math.huge) * NEARLY_ALL
    return all and { { time = last, exact = exact, done = true } } or {}
end

-- Returns when jobs with tasks are done: while each of them is. Which there are is known when one
-- of the second kind has ended well, or the job has.
local function done_by_tasks(life, kinds)
    local changes, tasks, known = {}, 0, life.state == "finished"
    local seen = {}
    for _, bar in ipairs(life.bars) do
        if succeeded(bar, kinds[1]) then
            changes[#changes + 1] = { time = bar.finish, exact = bar.to, by = 1 }
            if not seen[bar.task] then seen[bar.task], tasks = true, tasks + 1 end
        end
        known = known or succeeded(bar, kinds[2])
    end
    if not known then return {}, true end
    for _, again in ipairs(life.again) do
        if again.kind == kinds[1] then
            changes[#changes + 1] = { time = again.time + 0.0, exact = again.time, by = -1 }
        end
    end
    table.sort(changes, function(a, b) return a.time < b.time end)
    local toggles, count = { { time = lines.double(life.arrival), exact = life.arrival,
        done = tasks == 0 } }, 0
    for _, change in ipairs(changes) do
        count = count + change.by
        toggles[#toggles + 1] = { time = change.time, exact = change.exact, done = count == tasks }
    end
    return toggles, false
end

-- Returns when it is and is not done, and whether that is not known.
local function toggles_of(life, kinds)
    if #kinds == 1 then return {}, false end
    if life.bars[1] and not life.bars[1].task then return done_by_work(life, kinds[1]), false end
    return done_by_tasks(life, kinds)
end

-- ---- what is running ----------------------------------------------------------------------------

local function changes_of(life, toggles)
    local changes = table.move(toggles, 1, #toggles, 1, {})
    for _, bar in ipairs(life.bars) do
        changes[#changes + 1] = { time = bar.start, exact = bar.from, kind = bar.kind, by = 1 }
        changes[#changes + 1] = { time = bar.finish, exact = bar.to, kind = bar.kind, by = -1 }
    end
    -- Of one time, whether all are done is last known last.
    for i, change in ipairs(changes) do change.place = i end
    table.sort(changes, function(a, b)
        if a.time ~= b.time then return a.time < b.time end
        return a.place < b.place
    end)
    return changes
end

-- ---- phases -------------------------------------------------------------------------------------

-- Returns what the job does, and what it waits for.
local function phase_at(running, words, done, unknown)
    local first, second = words.kinds[1], words.kinds[2]
    local one, other = (running[first] or 0) > 0, second and (running[second] or 0) > 0
    if one and other then return words.running.both end
    if one then return words.running[first] end
    if other and (done or not words.holds_early) then return words.running[second] end
    if unknown then return words.unknown or words.waiting[first], first end
    local kind = done and second or first
    return words.waiting[kind], kind
end

---@param life pinion.Life
---@param words pinion.LogPhases
---@return pinion.Phase[]
function M.of(life, words)
    local phases, running, done = {}, {}, false
    local toggles, unknown = toggles_of(life, words.kinds)
    local at, now, last = life.arrival, lines.double(life.arrival), lines.double(life.last)
    local function add(to, finish)
        local phase, waits_for = phase_at(running, words, done, unknown)
        local before = phases[#phases]
        if before and before.phase == phase then
            before.to, before.finish = to, finish
        else
            phases[#phases + 1] = { phase = phase, waits_for = waits_for, from = at, to = to,
                start = now, finish = finish }
        end
    end
    for _, change in ipairs(changes_of(life, toggles)) do
        if change.time >= last then break end
        if change.time > now then
            add(change.exact, change.time)
            at, now = change.exact, change.time
        end
        if change.kind then
            running[change.kind] = (running[change.kind] or 0) + change.by
        else
            done = change.done
        end
    end
    if last > now then add(life.last, last) end
    return phases
end

return M
