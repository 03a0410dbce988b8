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

---@class pinion.LifeBar
---@field kind string
---@field from pinion.LoggedTime
---@field to pinion.LoggedTime
---@field start number
---@field finish number
---@field amount number
---@field fate string|nil
---@field demand integer[]|nil

---@class pinion.Phase
---@field phase string
---@field waits_for string|nil a kind
---@field from pinion.LoggedTime
---@field to pinion.LoggedTime
---@field start number `from` as a double
---@field finish number

-- ---- what is running ----------------------------------------------------------------------------

local function changes_of(bars)
    local changes = {}
    for _, bar in ipairs(bars) do
        changes[#changes + 1] = { time = bar.start, exact = bar.from, kind = bar.kind, by = 1 }
        changes[#changes + 1] = { time = bar.finish, exact = bar.to, kind = bar.kind, by = -1 }
    end
    table.sort(changes, function(a, b) return a.time < b.time end)
    return changes
end

-- Work of this kind that was not in vain, and when the last of it ended.
local function done_of(bars, kind)
    local work, last = 0.0, -math.huge
    for _, bar in ipairs(bars) do
        if bar.kind == kind and not bar.fate then
            work, last = work + bar.amount * (bar.finish - bar.start), math.max(last, bar.finish)
        end
    end
    return work, last
end

-- Rates are rounded.
local NEARLY_ALL = 1 - 1e-9

---From when on the job needs no more of the first kind; true when that is only supposed.
local function first_done(life, kinds)
    if #kinds == 1 then return math.huge, false end
    local work, last = done_of(life.bars, kinds[1])
    if life.finish then return last, false end
    if life.work then return work >= life.work * NEARLY_ALL and last or math.huge, false end
    local _, later = done_of(life.bars, kinds[2])
    if later > -math.huge then return last, false end
    return math.huge, true
end

-- ---- phases -------------------------------------------------------------------------------------

-- What the job does from `now` on, and what it waits for.
local function phase_at(now, running, words, done, supposed)
    local first, second = words.kinds[1], words.kinds[2]
    local one, other = (running[first] or 0) > 0, second and (running[second] or 0) > 0
    if one and other then return words.running.both end
    if one then return words.running[first] end
    if other and (now >= done or not words.holds_early) then return words.running[second] end
    if supposed then return words.unknown or words.waiting[first], first end
    local kind = now >= done and second or first
    return words.waiting[kind], kind
end

---@param life pinion.Life
---@param words pinion.LogPhases
---@return pinion.Phase[]
function M.of(life, words)
    local phases, running = {}, {}
    local done, supposed = first_done(life, words.kinds)
    local at, now, last = life.arrival, lines.double(life.arrival), lines.double(life.last)
    local function add(to, finish)
        local phase, waits_for = phase_at(now, running, words, done, supposed)
        local before = phases[#phases]
        if before and before.phase == phase then
            before.to, before.finish = to, finish
        else
            phases[#phases + 1] = { phase = phase, waits_for = waits_for, from = at, to = to,
                start = now, finish = finish }
        end
    end
    for _, change in ipairs(changes_of(life.bars)) do
        if change.time > now then
            add(change.exact, change.time)
            at, now = change.exact, change.time
        end
        running[change.kind] = (running[change.kind] or 0) + change.by
    end
    if last > now then add(life.last, last) end
    return phases
end

return M
