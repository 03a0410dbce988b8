-- The price of suspensions: from which time to save and read a state again on do kills hold slots
-- for less time?

local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"
local runs = require "hsrtf.runs"

local M = {}

-- Policies that preempt.
local POLICIES = { "hsrtf-pup", "hsrtf-prp" }

-- Seconds for which an attempt that resumes does not work (CL44).
local PRICES = { 0, 2, 5, 10, 20, 40, 80, 160 }

local MEASURES = {
    { name = "slot time", of = runs.held },
    { name = "large jobs", of = function(cell, policy)
        return runs.means(cell, policy, "makespan", "large")
    end },
}

-- Returns the cell of kills, and one of suspensions for each price.
local function cells_of(context)
    local main, settings = runs.main(context).fresh[runs.NODES], {}
    for i, price in ipairs(PRICES) do
        settings[i] = { policies = POLICIES, seeds = main.seeds,
            params = { preemption = "suspend", restore_ms = 1000 * price } }
    end
    context.cache.prices = context.cache.prices or runs.cells(context, "prices", settings)
    return main, context.cache.prices
end

local function points_of(context)
    local main, cells = cells_of(context)
    local points = {}
    for _, policy in ipairs(POLICIES) do
        for _, measure in ipairs(MEASURES) do
            for i, price in ipairs(PRICES) do
                points[#points + 1] = {
                    policy = policy, price = price, measure = measure.name,
                    curve = runs.NAMES[policy] .. " " .. measure.name, x = i,
                    at = string.format("%d s", price),
                    values = runs.percentages(measure.of(cells[i], policy),
                        measure.of(main, policy)),
                    digest = cells[i].digest[policy],
                }
            end
        end
    end
    return points
end

-- Returns the seconds of slot time that a kill loses, in the mean: what kills hold more than
-- suspensions without a price, for each of them.
local function lost_by_kill(context, policy)
    local main, cells = cells_of(context)
    local killing, free = runs.held(main, policy), runs.held(cells[1], policy)
    local lost = 0.0
    for i, run in ipairs(main.runs[policy]) do
        lost = lost + (killing[i] - free[i]) / math.max(1, run.kills) / 1000
    end
    return lost / #killing
end

-- Returns the smallest price at which kills are better beyond doubt; nil: none of them.
local function first_worse(points, policy, measure)
    for _, point in ipairs(points) do
        if point.policy == policy and point.measure == measure
            and papers.is_less(experiment.summary(point.values)) == false then
            return point.price
        end
    end
end

local function judge(votes, points, context)
    local told = {}
    for _, policy in ipairs(POLICIES) do
        local lost = lost_by_kill(context, policy)
        for _, point in ipairs(points) do
            local less = papers.is_less(experiment.summary(point.values))
            if point.policy == policy and point.measure == "slot time" then
                if point.price <= lost / 2 then papers.vote(votes, less) end
                if point.price >= 2 * lost and less ~= nil then papers.vote(votes, not less) end
            end
        end
        local large = first_worse(points, policy, "large jobs")
        told[#told + 1] = string.format("%s: a kill loses %.0f s, kills hold slots for less time "
            .. "from %s s on, and large jobs are slower than with kills from %s on",
            runs.NAMES[policy], lost, first_worse(points, policy, "slot time") or "no price",
            large and large .. " s" or "no price")
    end
    return table.concat(told, "; ")
end

M.price = { name = "price", title = "The price of suspensions", run = function(context)
    return page.page {
        name = "price", title = "The price of suspensions",
        label = "suspensions pay while restoring takes less than a kill loses",
        claim = "Suspensions hold slots for less time than kills if the time to save and read a "
            .. "state is at most half of the slot time that a kill loses, and for more time from "
            .. "twice that time on.",
        method = {
            string.format("PuP and PrP that suspend, where an attempt that resumes does not work "
                .. "for some seconds (CL44), against the same policies that kill, %s. No limit of "
                .. "kills or suspensions. Changes in percent, seed by seed.", runs.ON),
            "The attempt that was suspended pays: the job that gets its slot does not wait until "
                .. "the state is saved, so what small jobs would lose is not measured.",
        },
        quantity = "change against kills, %", axis = "price", limit = 0, less = true,
        decimals = 1, points = points_of,
        judge = function(votes, points) return judge(votes, points, context) end,
    }.run(context)
end }

return M
