-- Why a job took the time that it took, from a decision log: its phases, who held what it waited
-- for, and when it would have run at the latest, had it been the first.

local check = require "pinion.base.check"
local explain_text = require "pinion.output.explain.text"
local fault = require "pinion.base.fault"
local lines = require "pinion.models.log_line"
local lives = require "pinion.output.explain.lives"
local log = require "pinion.output.log"
local models = require "pinion.models"
local phases = require "pinion.output.explain.phases"

local M = {}

---@class pinion.Explanation as text, what `pinion explain` prints
---@field job integer
---@field model string
---@field policy string
---@field state "finished"|"unfinished"|"failed"|"rejected"|"cancelled"
---@field arrival pinion.LoggedTime
---@field finish pinion.LoggedTime|nil nil: it has not finished
---@field time number from its arrival to its finish, or to the end of the log
---@field phases pinion.ExplainedPhase[] end to end
---@field unordered string|nil why nothing is said of the policy's order, where something waits

---@class pinion.ExplainedPhase: pinion.Phase
---@field time number
---@field held { job: integer, share: number, idle: boolean|nil }[]|nil of a wait: jobs that held what it waited for, by their shares of what there was, or where that is not known of what was held; idle: the share of its executors that have no task
---@field others integer|nil how many more
---@field nobody number|nil the share that nobody held, where what there was is known
---@field down number|nil the share of nodes that were down
---@field first_chance { time: pinion.LoggedTime, job: integer }|nil when another job got what would have done, and which
---@field orders pinion.OrderAt[]|nil of a wait, where the run was made again: how the policy has the jobs when it begins, and at the first chance

local Explanation = { __tostring = fault.plain(explain_text.text) }
local Instant = { __tostring = fault.plain(explain_text.instant_text) }

-- So many jobs are named.
local NAMED_MOST = 5

-- ---- the job ------------------------------------------------------------------------------------

-- Returns a listener for what the log says of the job.
local function listener_of(life, chart, id)
    return {
        bar = function(bar)
            if bar.job ~= id then return end
            table.insert(life.bars, lives.kept(chart, bar))
        end,
        job = function(number, arrival, finish, state)
            if number ~= id then return end
            life.arrival, life.finish, life.state = arrival, finish, state
        end,
        again = function(number, kind, task, time)
            if number ~= id then return end
            table.insert(life.again, { kind = kind, task = task, time = time })
        end,
    }
end

-- Reads what is unfinished: what runs to the end of the log ends with it: all of it is read.
local function read_unfinished(path, chart, id)
    local life, last = { bars = {}, again = {} }, 0
    local listener = listener_of(life, chart, id)
    local hear = listener.bar
    listener.bar = function(bar)
        if lines.double(bar.to) > lines.double(last) then last = bar.to end
        hear(bar)
    end
    local outcome = log.each(path, chart, listener)
    life.last = outcome.now or last
    return life
end

local function read_life(path, chart, id, kinds, name)
    local life = { bars = {}, again = {} }
    log.each_of(path, chart, id, listener_of(life, chart, id))
    if not life.finish then life = read_unfinished(path, chart, id) end
    if not life.arrival then
        fault.usage("there is no job %d in %s", id, name)
    end
    life.last = life.finish or life.last
    if lines.double(life.last) < lines.double(life.arrival) then life.last = life.arrival end
    life.work = lives.work(chart, id, kinds[1])
    return life
end

-- ---- others -------------------------------------------------------------------------------------

---@class pinion.Wait: pinion.ExplainedPhase a phase while it is filled
---@field by_job table<integer, number>
---@field sum number
---@field wanted integer[]|nil what the task that ends the wait holds

local function fits(demand, other)
    for r, amount in ipairs(demand or {}) do
        if amount > (other[r] or 0) then return false end
    end
    return true
end

-- Notes a chance: another job got what would have done for the waiting one.
local function note_chance(wait, job, time, exact)
    local best = wait.best
    if not best or time < best or time == best and job < wait.first_chance.job then
        wait.best, wait.first_chance = time, { time = exact, job = job }
    end
end

local function overlap(wait, start, finish)
    return math.max(0.0, math.min(finish, wait.finish) - math.max(start, wait.start))
end

local function add_bar(wait, bar)
    local amount = bar.amount or bar.last - bar.first + 1
    local held = amount * overlap(wait, bar.start, bar.finish)
    wait.by_job[bar.job] = (wait.by_job[bar.job] or 0.0) + held
    wait.sum = wait.sum + held
    -- With resources, what a node has free says more: see below.
    if bar.demand then return end
    if bar.start >= wait.start then note_chance(wait, bar.job, bar.start, bar.from) end
    if bar.preemptive then note_chance(wait, bar.job, wait.start, wait.from) end
end

-- Returns the first wait that ends behind a time, by halving.
local function first_behind(waits, time)
    local low, high = 1, #waits + 1
    while low < high do
        local middle = (low + high) // 2
        if waits[middle].finish > time then high = middle else low = middle + 1 end
    end
    return low
end

local function watch_others(path, chart, id, waits, words)
    local function competes(wait, kind)
        local competing = words.competing and words.competing[wait.waits_for]
        return competing and competing[kind] or not competing and kind == wait.waits_for
    end
    local pool_of = chart.pool_of or {}
    return log.each_before(path, chart, waits[#waits].finish, {
        bar = function(bar)
            if bar.job == id or pool_of[bar.job] ~= pool_of[id] then return end
            for i = first_behind(waits, bar.start), #waits do
                local wait = waits[i]
                if wait.start >= bar.finish then break end
                if competes(wait, chart.panels[bar.panel].category) then add_bar(wait, bar) end
            end
        end,
        idle = function(job, start, finish)
            for i = job == id and #waits + 1 or first_behind(waits, start), #waits do
                local wait = waits[i]
                if wait.start >= finish then break end
                local held = overlap(wait, start, finish)
                wait.idle[job] = (wait.idle[job] or 0.0) + held
                wait.sum = wait.sum + held
            end
        end,
        launch = function(job, _, free, time)
            local wait = job ~= id and waits[first_behind(waits, time)]
            if wait and wait.start <= time and fits(wait.wanted, free) then
                note_chance(wait, job, time + 0.0, time)
            end
        end,
    })
end

-- Returns what there was of a kind in a wait, and which part of it was of nodes that were down.
local function room_of(chart, wait, id, downs)
    local index = chart.index_of[wait.waits_for]
    local panel, rows = chart.panels[index], chart.capacity[wait.waits_for]
    local pool = chart.pool_of and chart.pool_of[id]
    if pool then rows = panel.bands[pool].last - panel.bands[pool].first + 1 end
    local all, down = (rows or chart.nodes and #chart.nodes or 0) * wait.time, 0.0
    for _, one in ipairs(downs) do
        if one.panel == index then
            local weight = rows and one.band.last - one.band.first + 1 or 1
            down = down + weight * overlap(wait, one.start, one.finish or math.huge)
        end
    end
    return rows and all, all > 0 and down / all or nil
end

-- Names the jobs with the largest parts, and how many more there are.
local function name_holders(wait, whole)
    local held = {}
    for job, part in next, wait.by_job do
        if part > 0 then held[#held + 1] = { job = job, share = part / whole } end
    end
    for job, part in next, wait.idle do
        if part > 0 then held[#held + 1] = { job = job, share = part / whole, idle = true } end
    end
    table.sort(held, function(a, b)
        if a.share ~= b.share then return a.share > b.share end
        if a.job ~= b.job then return a.job < b.job end
        return not a.idle and b.idle
    end)
    wait.others = math.max(0, #held - NAMED_MOST)
    wait.held = table.move(held, 1, math.min(#held, NAMED_MOST), 1, {})
end

local function fill_waits(path, chart, id, life, list, words)
    local waits, starts = {}, {}
    for _, bar in ipairs(life.bars) do starts[bar.start] = starts[bar.start] or bar end
    for _, phase in ipairs(list) do
        if phase.waits_for then
            phase.by_job, phase.idle, phase.sum = {}, {}, 0.0
            phase.wanted = starts[phase.finish] and starts[phase.finish].demand
            waits[#waits + 1] = phase
        end
    end
    if #waits == 0 then return end
    local outcome = watch_others(path, chart, id, waits, words)
    for _, wait in ipairs(waits) do
        local there, down = room_of(chart, wait, id, outcome.downs or {})
        name_holders(wait, there or wait.sum)
        wait.down = down
        wait.nobody = there and 1 - wait.sum / there - down or nil
        wait.by_job, wait.idle, wait.sum, wait.best, wait.wanted = nil, nil, nil, nil, nil
    end
end

-- ---- the door -----------------------------------------------------------------------------------

-- Returns what there is of each kind, where rows are slots, or machines are known.
local function capacity_of(chart, machines)
    local capacity, index_of = {}, {}
    for i, panel in ipairs(chart.panels) do
        local rows = panel.slots ~= false and panel.rows or nil
        capacity[panel.category], index_of[panel.category] = rows or machines, i
    end
    return capacity, index_of
end

---@param path string a decision log
---@param id integer
---@param jobs table[]|nil those of the workload by id, of models whose logs need them
---@param machines integer|nil of the slotted model
---@param name string|nil of the log in messages
---@return pinion.Explanation
function M.job(path, id, jobs, machines, name)
    local chart = log.chart(path, jobs, true)
    local words = models.find(chart.model).log.phases
    chart.capacity, chart.index_of = capacity_of(chart, machines)
    local life = read_life(path, chart, id, words.kinds, name or path)
    local list = phases.of(life, words)
    for _, phase in ipairs(list) do phase.time = lines.difference(phase.to, phase.from) end
    fill_waits(path, chart, id, life, list, words)
    return setmetatable({ job = id, model = chart.model, policy = chart.policy,
        state = life.state, arrival = life.arrival,
        finish = life.finish and (words.slots and life.finish - 1 or life.finish),
        time = lines.difference(life.last, life.arrival), phases = list }, Explanation)
end

---@class pinion.Instant
---@field time number
---@field running { job: integer, arrival: pinion.LoggedTime, holds: table<string, number> }[] by id
---@field waiting { job: integer, arrival: pinion.LoggedTime }[] in the policy's order, each with its key; where that is not known in the order in which they came
---@field ordered boolean|nil whether it is known
---@field unordered string|nil why it is not

---Returns which jobs ran and which waited at a time; between two slots nothing changes.
---@param path string a decision log
---@param time number
---@param jobs table[]|nil
---@return pinion.Instant
function M.instant(path, time, jobs)
    local chart = log.chart(path, jobs, true)
    local holds, present = {}, {}
    local outcome = log.each(path, chart, {
        bar = function(bar)
            if bar.start > time or bar.finish <= time then return end
            local kind, mine = chart.panels[bar.panel].category, holds[bar.job] or {}
            holds[bar.job] = mine
            mine[kind] = (mine[kind] or 0) + (bar.amount or bar.last - bar.first + 1)
        end,
        job = function(id, arrival, finish)
            local came = lines.double(arrival) <= time
            if came and (not finish or lines.double(finish) > time) then
                present[#present + 1] = { job = id, arrival = arrival }
            end
        end,
    }, time)
    local made = setmetatable({ time = time, model = chart.model, policy = chart.policy,
        running = {}, waiting = {} }, Instant)
    if outcome.unfinished > 0 and outcome.now and time >= outcome.now then
        fault.usage("the log ends at %s, before this time", lines.time_text(outcome.now))
    end
    table.sort(present, function(a, b)
        local left, right = lines.double(a.arrival), lines.double(b.arrival)
        if left ~= right then return left < right end
        return a.job < b.job
    end)
    for _, job in ipairs(present) do
        job.holds = holds[job.job]
        table.insert(job.holds and made.running or made.waiting, job)
    end
    return made
end

return M
