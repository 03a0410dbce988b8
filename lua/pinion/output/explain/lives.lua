-- The lives of all jobs of a log in one pass, with their work: what pages show and explain.

local phases = require "pinion.output.explain.phases"
local lines = require "pinion.models.log_line"
local log = require "pinion.output.log"
local models = require "pinion.models"

local M = {}

---@class pinion.Lives
---@field jobs table<integer, pinion.Life> by id
---@field ids integer[] in rising order
---@field outcome pinion.LogEnd

local function life_of(lives, id)
    local life = lives.jobs[id]
    if not life then
        life = { bars = {}, again = {} }
        lives.jobs[id] = life
    end
    return life
end

---Returns all of a job's work of a kind, as the workload has it; nil: that is not known.
---@param chart pinion.LogChart
---@param id integer
---@param kind string
---@return number|nil
function M.work(chart, id, kind)
    local job = chart.jobs and chart.jobs[id]
    return job and (job[kind] or job[kind .. "s"])
end

---Returns what is kept of a bar, which the log's reader fills anew.
---@param chart pinion.LogChart
---@param bar pinion.LogBar
---@return pinion.LifeBar
function M.kept(chart, bar)
    return { kind = chart.panels[bar.panel].category, from = bar.from, to = bar.to,
        start = bar.start, finish = bar.finish, task = bar.task, fate = bar.fate,
        amount = bar.amount or bar.last - bar.first + 1, demand = bar.demand }
end

---@param path string
---@param chart pinion.LogChart
---@param most integer bars
---@param visit fun(bar: pinion.LogBar, kept: pinion.LifeBar) called with each bar, and with what is kept of it
---@return pinion.Lives|nil nil: there are more bars
function M.read(path, chart, most, visit)
    local lives, count = { jobs = {}, ids = {} }, 0
    lives.outcome = log.each(path, chart, {
        bar = function(bar)
            count = count + 1
            if count > most then return end
            local kept = M.kept(chart, bar)
            table.insert(life_of(lives, bar.job).bars, kept)
            visit(bar, kept)
        end,
        job = function(id, arrival, finish, state)
            local life = life_of(lives, id)
            life.arrival, life.finish, life.state = arrival, finish, state
        end,
        again = function(id, kind, task, time)
            table.insert(life_of(lives, id).again, { kind = kind, task = task, time = time })
        end,
    })
    if count > most then return nil end
    for id, life in next, lives.jobs do
        -- Of a job that bars alone name, no arrival is known.
        if life.arrival then lives.ids[#lives.ids + 1] = id end
    end
    table.sort(lives.ids)
    return lives
end

---Lists the phases of each job, in the order of their ids.
---@param lives pinion.Lives
---@param chart pinion.LogChart
---@param last pinion.LoggedTime of the log
---@return pinion.Phase[][]
function M.phases(lives, chart, last)
    local words, made = models.find(chart.model).log.phases, {}
    for i, id in ipairs(lives.ids) do
        local life = lives.jobs[id]
        life.last = life.finish or last
        if lines.double(life.last) < lines.double(life.arrival) then life.last = life.arrival end
        life.work = M.work(chart, id, words.kinds[1])
        made[i] = phases.of(life, words)
    end
    return made
end

return M
