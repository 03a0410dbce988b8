-- What explains hSRTF's gain: reduce slots are few and of their own kind, and long reduces hold
-- them.

local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"

-- Map and reduce slots of a node. In the last every slot is there for both kinds: no task waits for
-- one that only the other kind may have. That is more capacity, too; 8 + 10 gives it to reduces
-- alone, 10 + 2 to maps alone, and 5 + 5 gives none.
local NODES = { { 8, 2 }, { 5, 5 }, { 8, 10 }, { 10, 2 }, { 10, 10 } }
local AGAINST = { "fifo", "fair" }

-- As much of a gain may remain as this share of it, where the cause is gone.
local LEFT = 0.25

local function makespan(policy, slots, seed)
    local params = { max_time_ms = 24 * 3600 * 1000 }
    for name, value in pairs(reference.fitted.params) do params[name] = value end
    local result = runs.run(policy, params,
        { { count = runs.NODES, map_slots = slots[1], reduce_slots = slots[2] } },
        runs.workload(), seed)
    local sum, count = 0, 0
    for id, row in ipairs(runs.ROWS) do
        if row.group == "small" then sum, count = sum + result.jobs[id].makespan, count + 1 end
    end
    return sum / count, result.digest
end

local function measure(context, slots, seed)
    local made, folded = {}, papers.DIGEST_START
    local ours, digest = makespan("hsrtf-pr", slots, seed)
    folded = papers.fold(folded, digest)
    for _, policy in ipairs(AGAINST) do
        local theirs, of_theirs = makespan(policy, slots, seed)
        made[policy], folded = 100 * (ours / theirs - 1), papers.fold(folded, of_theirs)
    end
    made.digest = papers.digest_text(folded)
    return made
end

-- Of a policy, whether less than that share of the gain on the first nodes is left on the last.
local function is_gone(points, policy)
    local first, last
    for _, point in ipairs(points) do
        if point.policy == policy then first, last = first or point, point end
    end
    local left = {}
    for i, change in ipairs(last.values) do left[i] = change - LEFT * first.values[i] end
    return experiment.above(experiment.summary(left), 0)
end

return page.page {
    name = "reduce_slots", title = "Typed reduce slots: what explains hSRTF's gain",
    label = "typed reduce slots explain hSRTF's gain",
    claim = "Where every slot may take a map or a reduce, next to nothing is left of what small "
        .. "jobs gain under hSRTF-Pr: the gain is that of the two typed reduce slots of a node, "
        .. "which long reduces hold.",
    method = {
        string.format("The workload of Table 2 of Cheriere et al. on %d nodes of 8 map and 2 "
            .. "reduce slots, as in the paper; with 5 and 5; with all 10 slots given to reduces, "
            .. "too; with all given to maps, too; and to both. Changes of the small jobs' mean "
            .. "makespan, seed by seed.", runs.NODES),
        "The durations are the fitted ones of the paper's section percentages.",
    },
    quantity = "change of small jobs' makespan under Pr, %",
    axis = "map and reduce slots of a node", limit = 0, less = true, decimals = 1,
    categories = true,
    points = function(context)
        local values = papers.each(context, "reduce slots", #NODES * context.seeds, function(task)
            local n, seed = (task - 1) // context.seeds + 1, (task - 1) % context.seeds + 1
            return measure(context, NODES[n], 100 * context.seed + seed)
        end)
        local points = {}
        for _, policy in ipairs(AGAINST) do
            for n, slots in ipairs(NODES) do
                points[#points + 1] = page.fill({
                    curve = "against " .. runs.NAMES[policy], x = n, policy = policy,
                    at = string.format("%d + %d", slots[1], slots[2]),
                }, context.seeds, function(seed)
                    local value = values[(n - 1) * context.seeds + seed]
                    return value[policy], value.digest
                end)
            end
        end
        return points
    end,
    judge = function(votes, points)
        for _, policy in ipairs(AGAINST) do papers.vote(votes, is_gone(points, policy)) end
        return string.format("less than %.0f %% of the gain is left beyond doubt against %d of %d",
            100 * LEFT, votes.held, #AGAINST)
    end,
}
