-- HFSP against Fair and FIFO, and what errors of estimated sizes do to it.

local dags = require "shared.dags"
local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"

local LOAD, JOBS = 0.8, 120
-- Estimates are off by a factor between one over this and this, all equally likely.
local FACTORS = { 1, 2, 4, 8 }
local AGAINST = { "fair", "fifo", "srpt" }

local function run(policy, factor, seed)
    return papers.run { model = "dag", policy = policy, nodes = dags.NODES, seed = seed,
        resources = dags.RESOURCES, workload = dags.workload(JOBS, LOAD), bounds = "none",
        params = { est_lo = 1000 // factor, est_hi = 1000 * factor } }
end

local function points_of(context)
    local values = papers.each(context, "errors", #FACTORS * context.seeds, function(task)
        local f, seed = (task - 1) // context.seeds + 1, (task - 1) % context.seeds + 1
        local hfsp, made = run("hfsp", FACTORS[f], 100 * context.seed + seed), {}
        for _, policy in ipairs(AGAINST) do
            local other = run(policy, FACTORS[f], 100 * context.seed + seed)
            made[policy] = { change = 100 * (hfsp.mean_jct / other.mean_jct - 1),
                digest = papers.digest_text(papers.fold(papers.fold(papers.DIGEST_START,
                    hfsp.digest), other.digest)) }
        end
        return made
    end)
    local points = {}
    for _, policy in ipairs(AGAINST) do
        for f, factor in ipairs(FACTORS) do
            points[#points + 1] = page.fill({ curve = "against " .. policy, policy = policy, x = f,
                at = factor == 1 and "exact" or "1/" .. factor .. " to " .. factor },
                context.seeds, function(seed)
                    local value = values[(f - 1) * context.seeds + seed][policy]
                    return value.change, value.digest
                end)
        end
    end
    return points
end

return page.page {
    name = "errors", title = "HFSP against Fair and FIFO, with errors of estimates",
    label = "HFSP beats Fair and FIFO whatever the error",
    claim = "HFSP makes the mean completion time smaller than Fair and FIFO do, and still does "
        .. "with sizes that are wrong by large factors.",
    method = {
        JOBS .. " " .. dags.TEXT .. string.format(", at a load of %g. Each stage's estimate is "
            .. "multiplied by a factor of its own. Changes of the mean completion time on the "
            .. "same jobs, seed by seed; srpt, which knows the same estimates, is ours beside the "
            .. "paper's two.", LOAD),
        "The paper's jobs are SWIM's on a cluster of 36 machines; here they are made up, so its "
            .. "percentages are not compared. Neither its training of sizes nor its preemption is "
            .. "modelled: tags come from estimates that are there on arrival.",
    },
    quantity = "change of the mean completion time, %", axis = "error", limit = 0, less = true,
    decimals = 2, categories = true, points = points_of,
    judge = function(votes, points)
        for _, point in ipairs(points) do
            if point.policy ~= "srpt" then
                papers.vote(votes, papers.is_less(experiment.summary(point.values)))
            end
        end
        return string.format("against Fair and FIFO smaller beyond doubt at %d of %d points",
            votes.held, 2 * #FACTORS)
    end,
}
