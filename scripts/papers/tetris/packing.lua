-- What packing gains over fair shares and over the order by remaining work, and what it does to
-- fairness.

local dags = require "shared.dags"
local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"

local LOADS, JOBS = { 0.5, 0.7, 0.9 }, 120
-- What an amount of remaining work counts against alignment; 0: alignment alone.
local EXCHANGES = { 0, 1000, 2000 }
local AGAINST = { "drf", "srpt" }

local function run(policy, load, seed, params)
    return papers.run { model = "dag", policy = policy, nodes = dags.NODES, seed = seed,
        resources = dags.RESOURCES, workload = dags.workload(JOBS, load), params = params,
        bounds = "none", keep_jobs = true }
end

local function measure(load, seed)
    local made, others = {}, {}
    for _, policy in ipairs(AGAINST) do others[policy] = run(policy, load, seed) end
    for e, exchange in ipairs(EXCHANGES) do
        local result = run("tetris", load, seed, { tetris_m_permille = exchange })
        made[e] = { jain = result.jain_permille - others.drf.jain_permille }
        for _, policy in ipairs(AGAINST) do
            made[e][policy] = 100 * (result.mean_jct / others[policy].mean_jct - 1)
            made[e][policy .. "_digest"] = papers.digest_text(papers.fold(papers.fold(
                papers.DIGEST_START, result.digest), others[policy].digest))
        end
    end
    return made
end

local function points_of(context)
    local values = papers.each(context, "packing", #LOADS * context.seeds, function(task)
        local l, seed = (task - 1) // context.seeds + 1, (task - 1) % context.seeds + 1
        return measure(LOADS[l], 100 * context.seed + seed)
    end)
    local points = {}
    for _, policy in ipairs(AGAINST) do
        for e, exchange in ipairs(EXCHANGES) do
            for l, load in ipairs(LOADS) do
                local point = { curve = string.format("m = %g, against %s", exchange / 1000,
                    policy), x = load, at = string.format("%g", load), against = policy,
                    exchange = exchange, jain = {} }
                points[#points + 1] = page.fill(point, context.seeds, function(seed)
                    local value = values[(l - 1) * context.seeds + seed][e]
                    point.jain[seed] = value.jain
                    return value[policy], value[policy .. "_digest"]
                end)
            end
        end
    end
    return points
end

return page.page {
    name = "packing", title = "Packing against fair shares and against remaining work alone",
    label = "packing beats fair shares",
    claim = "Tetris makes the mean completion time smaller than DRF does, and, where alignment and "
        .. "remaining work count alike, smaller than the order by remaining work alone.",
    method = {
        JOBS .. " " .. dags.TEXT .. ". Changes of the mean completion time on the same jobs, seed "
            .. "by seed, at loads of the busier resource; m is what remaining work counts against "
            .. "alignment.",
        "The paper's trace of Bing and Facebook is not public, nor are its barrier and fairness "
            .. "knobs modelled.",
    },
    quantity = "change of the mean completion time, %", axis = "load", limit = 0, less = true,
    decimals = 2, points = points_of,
    judge = function(votes, points)
        for _, point in ipairs(points) do
            if point.exchange > 0 then
                papers.vote(votes, papers.is_less(experiment.summary(point.values)))
            end
        end
        return string.format("with m > 0 smaller beyond doubt at %d points, larger at %d",
            votes.held, votes.failed)
    end,
    note = function(section, points)
        for _, point in ipairs(points) do
            if point.against == "drf" and point.exchange == 1000 then
                local jain = experiment.summary(point.jain)
                section:note("Fairness: Jain's index of slowdowns under Tetris less that under "
                    .. "DRF at load %s: %+.0f ± %.0f permille.", point.at, jain.mean, jain.half)
            end
        end
    end,
}
