-- Random walks in settings, towards the numbers that a paper prints. Each walk starts at the fit or
-- at the best of some random settings, and takes random steps until its setting agrees; those that
-- arrive are a sample of the settings that agree.

local papers = require "shared.papers"
local text = require "shared.text"

local M = {}

---@class pinion.WalkRange an integer that is drawn uniformly
---@field name string
---@field least integer
---@field most integer

---@class pinion.WalkStage
---@field seeds integer at most so many
---@field steps integer at most so many
---@field passes boolean|nil the walk goes on to the next stage even if it does not agree

---@class pinion.Walks
---@field label string of the progress line, and of the store
---@field count integer
---@field ranges pinion.WalkRange[]
---@field fitted integer[] values of the fit, in the order of the ranges
---@field starts integer|nil random settings of which the best is a start
---@field shares number[]|nil of the ranges: widths of steps
---@field stages pinion.WalkStage[] the last one judges
---Further steps of a walk that has arrived, each undone if it leaves the settings that agree.
---@field within integer|nil
---@field seeds fun(context: pinion.PaperContext, most: integer): integer[]
---@field measure fun(values: integer[], seeds: integer[]): any
---@field distance fun(measured: any): number from what the paper prints
---@field agree fun(measured: any): boolean
---@field judge (fun(values: integer[], seeds: integer[]): table)|nil of a setting that agrees

-- A step changes this many values, each by at most one of these shares of its range, unless the
-- walks have shares of their own.
local CHANGED, SHARES = 3, { 0.3, 0.1, 0.03 }

-- Every third walk starts at the fit, the others at the best of so many random settings.
local FROM_FIT, STARTS = 3, 10

local function draw_values(about, draw)
    local values = {}
    for i, range in ipairs(about.ranges) do values[i] = draw(range.least, range.most) end
    return values
end

local function step_from(about, values, draw)
    local made = table.move(values, 1, #values, 1, {})
    local shares = about.shares or SHARES
    local share = shares[draw(1, #shares)]
    for _ = 1, CHANGED do
        local i = draw(1, #about.ranges)
        local range = about.ranges[i]
        local width = math.floor(share * (range.most - range.least))
        made[i] = math.max(range.least, math.min(range.most, values[i] + draw(-width, width)))
    end
    return made
end

local function start_of(about, draw, seeds)
    local best, least
    for _ = 1, about.starts or STARTS do
        local values = draw_values(about, draw)
        local apart = about.distance(about.measure(values, seeds))
        if not best or apart < least then best, least = values, apart end
    end
    return best
end

-- Takes steps that do not lead away until the values agree. Returns the last ones, what was
-- measured of them, and whether they agree.
local function approach(about, values, draw, seeds, steps)
    local measured = about.measure(values, seeds)
    while not about.agree(measured) and steps > 0 do
        local stepped = step_from(about, values, draw)
        local found = about.measure(stepped, seeds)
        if about.distance(found) <= about.distance(measured) then
            values, measured = stepped, found
        end
        steps = steps - 1
    end
    return values, measured, about.agree(measured)
end

-- Takes steps that stay among the settings that agree.
local function wander(about, values, measured, draw, seeds)
    for _ = 1, about.within or 0 do
        local stepped = step_from(about, values, draw)
        local found = about.measure(stepped, seeds)
        if about.agree(found) then values, measured = stepped, found end
    end
    return values, measured
end

---@class pinion.WalkEnd
---@field walk integer
---@field arrived boolean
---@field values integer[] in the order of the ranges
---@field measured any of them
---@field stage integer the last one
---@field judged table|nil nil: it has not arrived, or nothing is judged

local function walk(context, about, number)
    local draw, stages = papers.draws(context.seed, number), about.stages
    local made, seeds = { walk = number, stage = 0, arrived = true }, nil
    made.values = number % FROM_FIT == 0 and about.fitted
        or start_of(about, draw, about.seeds(context, stages[1].seeds))
    while made.stage < #stages and (made.arrived or stages[made.stage].passes) do
        made.stage = made.stage + 1
        seeds = about.seeds(context, stages[made.stage].seeds)
        made.values, made.measured, made.arrived = approach(about, made.values, draw, seeds,
            stages[made.stage].steps)
    end
    if made.arrived then
        made.values, made.measured = wander(about, made.values, made.measured, draw, seeds)
        made.judged = about.judge and about.judge(made.values, seeds)
    end
    return made
end

---Walks, in parallel.
---@param context pinion.PaperContext
---@param about pinion.Walks
---@return pinion.WalkEnd[] accepted, pinion.WalkEnd[] all
function M.sample(context, about)
    local accepted = {}
    local all = papers.each(context, about.label, about.count,
        function(number) return walk(context, about, number) end, "walk")
    for _, made in ipairs(all) do
        if made.arrived then accepted[#accepted + 1] = made end
    end
    return accepted, all
end

---Returns those from walks that start at the fit.
---@param accepted pinion.WalkEnd[]
---@return pinion.WalkEnd[]
function M.from_fit(accepted)
    local near = {}
    for _, made in ipairs(accepted) do
        if made.walk % FROM_FIT == 0 then near[#near + 1] = made end
    end
    return near
end

---Describes a walk for a section's setup.
---@param about pinion.Walks
---@param seeds integer[] of the last stage
---@return string
function M.text(about, seeds)
    local parts = {}
    for i, stage in ipairs(about.stages) do
        parts[i] = string.format("%d%s on %s", stage.steps, i == 1 and " random steps" or "",
            text.count(math.min(stage.seeds, #seeds), "seed"))
    end
    return string.format("every third starts at the fit, the others at the best of %d random "
        .. "settings. Each takes up to %s; a step that leads away is undone.",
        about.starts or STARTS, table.concat(parts, " and "))
end

return M
