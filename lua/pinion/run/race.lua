-- Iterated racing: finds a good configuration by runs on common random numbers (Lopez-Ibanez et al.
-- 2016, irace; Birattari 2009). A race runs its configurations on the same seeds, a few at a time;
-- those that are worse than the best, by a paired t test, drop out. The next race draws new ones
-- around the survivors, nearer each time, and these stay until the new ones have had as many seeds.
-- Nothing here knows of simulations: costs come from a function.

local statistics = require "pinion.base.statistics"

local M = {}

-- Seeds before the first test, and between two tests.
M.FIRST, M.STEP = 5, 2

---@class pinion.Entrant a configuration in the races
---@field values pinion.Configuration
---@field costs number[] by seed from 0; infinite where the run came to nothing
---@field excess number[][] by limit and seed: how far a limited measure is above its limit
---@field race integer in which it came
---@field dropped integer|nil the race in which it dropped out
---@field number integer in the order in which they came
---@field mean number|nil over the seeds that all of its race have
---@field over number|nil by how much limits are exceeded, on average
---@field standing integer|nil 3: it is beyond a limit, on average; 1: it keeps to all for certain

---@class pinion.RaceOptions
---@field space pinion.Space
---@field first pinion.Configuration[] that run in any case, such as the defaults
---@field runs integer that may be spent; a configuration on a seed is one
---@field seeds integer that there are: 1 where nothing is random
---@field limits integer number of limited measures
---@field random pinion.RandomStream
---@field evaluate fun(list: pinion.Configuration[], first: integer, count: integer): { costs: number[], excess: number[][] }[]|nil on these seeds; nil: interrupted
---@field note (fun(race: integer, races: integer, entrants: pinion.Entrant[], seeds: integer))|nil called after each step

-- ---- judging ------------------------------------------------------------------------------------

local function mean_of(values, count)
    local sum = 0.0
    for i = 1, count do sum = sum + values[i] end
    return sum / count
end

-- Returns whether values are above 0 with 97.5 % confidence, by a t test.
local function are_above(value_at, seeds)
    local values = {}
    for i = 1, seeds do
        values[i] = value_at(i)
        if values[i] == math.huge then return true end
        if values[i] ~= values[i] or values[i] == -math.huge then return false end
    end
    if seeds == 1 then return values[1] > 0 end -- nothing is random
    local mean, half = statistics.interval(values)
    return mean - half > 0
end

-- How an entrant stands to the limits.
local SAFE <const>, WITHIN <const>, BEYOND <const> = 1, 2, 3

-- Returns whether limits are kept to for certain, on average so far, or not.
local function standing_of(entrant, seeds)
    local standing = SAFE
    for _, list in ipairs(entrant.excess) do
        if mean_of(list, seeds) > 0 then return BEYOND end
        if not are_above(function(i) return -list[i] end, seeds) then standing = WITHIN end
    end
    return standing
end

-- Settles mean and standing over the seeds that all of the entrants have, and their order.
local function judge(entrants, seeds)
    for _, entrant in ipairs(entrants) do
        entrant.mean, entrant.over = mean_of(entrant.costs, seeds), 0.0
        entrant.standing = standing_of(entrant, seeds)
        for _, list in ipairs(entrant.excess) do
            entrant.over = entrant.over + math.max(0.0, mean_of(list, seeds))
        end
    end
    table.sort(entrants, function(a, b)
        if a.standing ~= b.standing then return a.standing < b.standing end
        if a.over ~= b.over then return a.over < b.over end
        if a.mean ~= b.mean then return a.mean < b.mean end
        return a.number < b.number
    end)
end

-- Returns whether an entrant is worse than the best: it is beyond limits for certain that the best
-- keeps to, or its costs are higher than those of a best one that keeps to them for certain.
local function is_worse(entrant, best, seeds)
    if best.standing == BEYOND then return false end
    for _, list in ipairs(entrant.excess) do
        if are_above(function(i) return list[i] end, seeds) then return true end
    end
    return best.standing == SAFE and are_above(function(i)
        local own, other = entrant.costs[i], best.costs[i]
        return own == other and 0.0 or own - other
    end, seeds)
end

-- ---- one race -----------------------------------------------------------------------------------

-- Evaluates the entrants on seeds up to `seeds`, as far as they have not been; false: interrupted.
local function evaluate(race, entrants, seeds)
    local groups, order = {}, {} -- by the seeds that they have
    for _, entrant in ipairs(entrants) do
        local has = #entrant.costs
        if has < seeds then
            if not groups[has] then groups[has], order[#order + 1] = {}, has end
            table.insert(groups[has], entrant)
        end
    end
    table.sort(order)
    for _, has in ipairs(order) do
        local list = {}
        for i, entrant in ipairs(groups[has]) do list[i] = entrant.values end
        local found = race.evaluate(list, has, seeds - has)
        if not found then return false end
        for i, entrant in ipairs(groups[has]) do
            table.move(found[i].costs, 1, seeds - has, has + 1, entrant.costs)
            for k, more in ipairs(found[i].excess) do
                table.move(more, 1, seeds - has, has + 1, entrant.excess[k])
            end
        end
        race.used = race.used + #list * (seeds - has)
    end
    return true
end

local function missing_runs(entrants, seeds)
    local count = 0
    for _, entrant in ipairs(entrants) do count = count + math.max(0, seeds - #entrant.costs) end
    return count
end

-- Runs a race until its budget is spent, or no more than `least` are left; false: interrupted.
local function run_race(race, entrants, budget, least)
    local stop, seeds = math.min(race.used + budget, race.runs), 0
    local step = math.min(M.FIRST, race.seeds)
    while seeds < race.seeds and race.used + missing_runs(entrants, seeds + step) <= stop do
        seeds = seeds + step
        if not evaluate(race, entrants, seeds) then return false end
        judge(entrants, seeds)
        local left = {}
        for i, entrant in ipairs(entrants) do
            -- Who has had more seeds than the new ones stays.
            if i > 1 and #entrant.costs <= seeds and is_worse(entrant, entrants[1], seeds) then
                entrant.dropped = race.number
            else
                left[#left + 1] = entrant
            end
        end
        table.move(left, 1, math.max(#left, #entrants), 1, entrants)
        race.note(race.number, race.races, entrants, seeds)
        local settled = true
        for _, entrant in ipairs(entrants) do settled = settled and #entrant.costs <= seeds end
        if #entrants <= least and settled then break end
        step = M.STEP
    end
    return true
end

-- ---- all races ----------------------------------------------------------------------------------

local function new_entrant(race, values)
    race.count = race.count + 1
    local made = { values = values, costs = {}, excess = {}, race = race.number,
        number = race.count }
    for i = 1, race.limits do made.excess[i] = {} end
    race.all[race.count] = made
    return made
end

-- Adds a configuration unless it has been there.
local function add_new(race, entrants, values)
    local key = race.space:key(values)
    if race.seen[key] then return false end
    race.seen[key] = true
    entrants[#entrants + 1] = new_entrant(race, values)
    return true
end

-- Returns the best survivor that keeps to the limits for certain, and the best other one: somewhere
-- between them limits are just kept to. Nil where there are no two such ones.
local function find_edge(elites)
    local safe, other
    for _, entrant in ipairs(elites) do
        if entrant.standing == SAFE then
            safe = safe or entrant
        else
            other = other or entrant
        end
    end
    return safe, safe and other
end

-- Draws one around a survivor; the better ones are chosen more often. At limits half of them are
-- drawn between those on either side.
local function draw_around(race, elites)
    local total, at = #elites * (#elites + 1) // 2, 1
    local chosen = race.random:random(1, total)
    while chosen > #elites - at + 1 do
        chosen = chosen - (#elites - at + 1)
        at = at + 1
    end
    local keep = math.min(0.9, race.number / (race.number + 2))
    local safe, other = find_edge(elites)
    if other and race.random:chance(0.5) then
        return race.space:draw_between(safe.values, other.values, race.random)
    end
    return race.space:draw_near(elites[at].values, race.spread, keep, race.random)
end

-- Draws that give a configuration which has been there before are repeated so often.
local REPEATS = 50

local function add_drawn(race, entrants, elites, count)
    local repeats = REPEATS
    while count > 0 and repeats > 0 do
        local values = #elites == 0 and race.space:draw(race.random) or draw_around(race, elites)
        if add_new(race, entrants, values) then
            count, repeats = count - 1, REPEATS
        else
            repeats = repeats - 1
        end
    end
end

-- Returns the survivors around whom the next ones are drawn: the best of those that keep to the
-- limits for certain, and of the others.
local function elites_of(race, entrants, least)
    local elites, counts = {}, { 0, 0 }
    for _, entrant in ipairs(entrants) do
        local kind = entrant.standing == SAFE and 1 or 2
        counts[kind] = counts[kind] + 1
        if counts[kind] <= least then
            elites[#elites + 1] = entrant
        else
            entrant.dropped = race.number
        end
    end
    return elites
end

-- Returns how many configurations a race can have.
local function size_of(race, budget)
    local each = math.min(M.FIRST, race.seeds) + (race.seeds > 1 and math.min(5, race.number) or 0)
    return math.max(2, budget // each)
end

-- Returns the spread of the next race: the more configurations there were, the nearer the next ones
-- are. Few digits make it the same with every C library.
local function narrower(spread, count, parameters)
    return tonumber(string.format("%.6g", spread * math.max(2, count) ^ (-1 / parameters)))
end

---@class pinion.RaceResult
---@field best pinion.Entrant[] the survivors, the best first
---@field all pinion.Entrant[] in the order in which they came
---@field used integer runs
---@field seeds integer on which the survivors were compared
---@field races integer

---@param entrant pinion.Entrant
---@return boolean whether it keeps to the limits, as far as its seeds say
function M.is_feasible(entrant)
    return entrant.standing ~= BEYOND
end

---Runs the races. Deterministic by the random stream.
---@param options pinion.RaceOptions
---@return pinion.RaceResult|nil nil: interrupted
function M.run(options)
    local race = setmetatable({ number = 0, count = 0, used = 0, all = {}, seen = {},
        note = options.note or function() end }, { __index = options })
    local wide = math.log(#options.space.parameters, 2)
    local least = math.floor(2 + wide)
    race.races = math.max(2, least)
    race.spread = 0.5
    local entrants = {}
    while true do
        race.number = race.number + 1
        local budget = (race.runs - race.used) // math.max(1, race.races - race.number + 1)
        local elites = elites_of(race, entrants, least)
        entrants = table.move(elites, 1, #elites, 1, {})
        local count = size_of(race, budget)
        if race.number == 1 then
            for _, values in ipairs(options.first) do add_new(race, entrants, values) end
            for _, values in ipairs(options.space:all(count) or {}) do
                add_new(race, entrants, values)
            end
        end
        local before = race.count
        add_drawn(race, entrants, elites, count - #entrants)
        local used = race.used
        local left = race.count > before and least or 1
        if not run_race(race, entrants, budget, left) then return nil end
        if race.used == used then break end -- the budget does not allow another step
        race.spread = narrower(race.spread, race.count - before, #options.space.parameters)
    end
    local seeds = math.huge
    for _, entrant in ipairs(entrants) do seeds = math.min(seeds, #entrant.costs) end
    judge(entrants, seeds)
    return { best = entrants, all = race.all, used = race.used, seeds = seeds,
        races = race.number }
end

return M
