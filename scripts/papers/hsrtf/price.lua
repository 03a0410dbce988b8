-- The price of suspensions: from which time to save and read a state again on are kills better?

local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"
local runs = require "hsrtf.runs"

local M = {}

-- Policies that preempt.
local POLICIES = { "hsrtf-pup", "hsrtf-prp" }

-- Seconds, or percent of the time that the attempt had worked, to save and to read a state
-- together.
local PRICES = { 0, 2, 5, 10, 20, 40, 80, 160 }

-- Who pays: the suspended attempt, which reads its state when it resumes (CL44), or the attempt
-- that gets its slot, which waits until the state is saved (CL46).
local WAYS = {
    { name = "both", title = "half each", unit = "s", params = function(price)
        return { save_ms = 500 * price, restore_ms = 500 * price }
    end },
    { name = "saving", title = "all to save", unit = "s", params = function(price)
        return { save_ms = 1000 * price }
    end },
    { name = "reading", title = "all to read", unit = "s", params = function(price)
        return { restore_ms = 1000 * price }
    end },
    { name = "work", title = "half each, of the work", unit = "%", params = function(price)
        return { save_permille = 5 * price, restore_permille = 5 * price }
    end },
}

local function makespans(group)
    return { name = group .. " jobs", of = function(cell, policy)
        return runs.means(cell, policy, "makespan", group)
    end }
end

local SLOTS <const>, SMALL <const> = { name = "slot time", of = runs.held }, makespans "small"
local MEASURES = { SLOTS, SMALL, makespans "large" }

-- Returns the cell of kills, and for each way one of suspensions for each price.
local function cells_of(context)
    local main, settings = runs.main(context).fresh[runs.NODES], {}
    for _, way in ipairs(WAYS) do
        for _, price in ipairs(PRICES) do
            local params = way.params(price)
            params.preemption = "suspend"
            settings[#settings + 1] = { policies = POLICIES, seeds = main.seeds, params = params }
        end
    end
    if not context.cache.prices then
        local cells, by_way = runs.cells(context, "prices", settings), {}
        for w, way in ipairs(WAYS) do
            by_way[way.name] = table.move(cells, (w - 1) * #PRICES + 1, w * #PRICES, 1, {})
        end
        context.cache.prices = by_way
    end
    return main, context.cache.prices
end

-- Returns the changes from kills to suspensions in percent, by price.
local function changes_of(context, way, policy, measure)
    local main, cells = cells_of(context)
    local killing, changes = measure.of(main, policy), {}
    for i = 1, #PRICES do
        changes[i] = runs.percentages(measure.of(cells[way.name][i], policy), killing)
    end
    return changes
end

local function points_of(context)
    local _, cells = cells_of(context)
    local points, way = {}, WAYS[1]
    for _, policy in ipairs(POLICIES) do
        for _, measure in ipairs(MEASURES) do
            for i, values in ipairs(changes_of(context, way, policy, measure)) do
                points[#points + 1] = {
                    curve = runs.NAMES[policy] .. " " .. measure.name, x = i,
                    at = string.format("%d %s", PRICES[i], way.unit), values = values,
                    digest = cells[way.name][i].digest[policy],
                }
            end
        end
    end
    return points
end

-- ---- from which price on ------------------------------------------------------------------------

-- Returns the largest price up to which suspensions are better beyond doubt, and the smallest one
-- from which on kills are; nil: none.
local function limits_of(changes)
    local better, worse
    for i, values in ipairs(changes) do
        if papers.is_less(experiment.summary(values)) ~= true then break end
        better = PRICES[i]
    end
    for i = #changes, 1, -1 do
        if papers.is_less(experiment.summary(changes[i])) ~= false then break end
        worse = PRICES[i]
    end
    return better, worse
end

local function limit_rows(context)
    local rows = {}
    for _, policy in ipairs(POLICIES) do
        for _, measure in ipairs(MEASURES) do
            for _, way in ipairs(WAYS) do
                local better, worse = limits_of(changes_of(context, way, policy, measure))
                rows[#rows + 1] = { policy = policy, measure = measure.name, way = way.title,
                    unit = way.unit, better = better, worse = worse }
            end
        end
    end
    return rows
end

local function price_column(key, title)
    return { key = key, title = title, right = true, show = function(value, row)
        return value and string.format("%d %s", value, row.unit) or "-"
    end }
end

local LIMIT_COLUMNS = {
    runs.POLICY_COLUMN, { key = "measure", title = "" }, { key = "way", title = "price" },
    price_column("better", "suspensions are better up to"),
    price_column("worse", "kills are better from"), { key = "unit" },
}

-- ---- the verdicts -------------------------------------------------------------------------------

-- Returns the seconds of slot time that a kill loses, in the mean: what kills hold more than
-- suspensions without a price, for each of them.
local function lost_by_kill(context, policy)
    local main, cells = cells_of(context)
    local killing, free = runs.held(main, policy), runs.held(cells.both[1], policy)
    local lost = 0.0
    for i, run in ipairs(main.runs[policy]) do
        lost = lost + (killing[i] - free[i]) / math.max(1, run.kills) / 1000
    end
    return lost / #killing
end

local function from(price)
    return price and string.format("%d s on", price) or "no price on"
end

local function judge(votes, context)
    local told = {}
    for _, policy in ipairs(POLICIES) do
        local lost = lost_by_kill(context, policy)
        local changes = changes_of(context, WAYS[1], policy, SLOTS)
        for i, price in ipairs(PRICES) do
            local less = papers.is_less(experiment.summary(changes[i]))
            if price <= lost / 2 then papers.vote(votes, less) end
            if price >= 2 * lost and less ~= nil then papers.vote(votes, not less) end
        end
        local _, worse = limits_of(changes)
        told[#told + 1] = string.format("%s: a kill loses %.0f s, and kills hold slots for less "
            .. "time from %s", runs.NAMES[policy], lost, from(worse))
    end
    return table.concat(told, "; ")
end

-- Claims that small jobs pay for saving: they are slower than with kills, and than with the same
-- price to read.
local function claim_saving(section, context)
    local main, cells = cells_of(context)
    local votes, told = papers.votes(), {}
    for _, policy in ipairs(POLICIES) do
        local lost, limits = lost_by_kill(context, policy), {}
        for i, price in ipairs(PRICES) do
            local saving = SMALL.of(cells.saving[i], policy)
            for _, other in ipairs { main, cells.reading[i] } do
                if price >= 2 * lost then
                    papers.vote(votes, papers.is_less(experiment.summary(
                        runs.percentages(SMALL.of(other, policy), saving))))
                end
            end
        end
        for w = 2, 3 do
            local _, worse = limits_of(changes_of(context, WAYS[w], policy, SMALL))
            limits[w] = from(worse)
        end
        told[#told + 1] = string.format("%s: small jobs are slower than with kills from %s to "
            .. "save, and from %s to read", runs.NAMES[policy], limits[2], limits[3])
    end
    section:claim {
        label = "ours: small jobs pay for saving", where = section.where,
        claim = "If saving a state takes at least twice the slot time that a kill loses, small "
            .. "jobs are slower than with kills, and than if reading it takes as long.",
        paper = "-", ours = table.concat(told, "; "), verdict = papers.verdict(votes),
        because = string.format("of %d comparisons %d hold beyond doubt, and %d do not",
            votes.held + votes.failed + votes.undecided, votes.held, votes.failed),
    }
end

M.price = { name = "price", title = "The price of suspensions", run = function(context)
    return page.page {
        name = "price", title = "The price of suspensions",
        label = "suspensions pay while their price is less than a kill loses",
        claim = "Suspensions hold slots for less time than kills if the time to save and read a "
            .. "state is at most half of the slot time that a kill loses, and for more time from "
            .. "twice that time on.",
        method = {
            string.format("PuP and PrP that suspend against the same policies that kill, %s. No "
                .. "limit of kills or suspensions. Changes in percent, seed by seed.", runs.ON),
            "The attempt that gets the slot of a suspended one waits until the state is saved "
                .. "(CL46), and an attempt that resumes reads its state before it works (CL44). "
                .. "Each takes half of the price; the second table also has the whole price on one "
                .. "side, and prices in percent of the time that the attempt had worked.",
        },
        quantity = "change against kills, %", axis = "price", limit = 0, less = true,
        decimals = 1, points = points_of,
        judge = function(votes) return judge(votes, context) end,
        note = function(section)
            section:table("price_limits", "From which price on one of them is better beyond doubt:",
                LIMIT_COLUMNS, limit_rows(context))
            claim_saving(section, context)
        end,
    }.run(context)
end }

return M
