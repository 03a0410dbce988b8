-- Jobs that matter more than others, and jobs that are due: weighted processor sharing, which
-- Section 5.1 of Lin, Zhang, Wierman, Tan (2013) names for Hadoop's Fair Scheduler, and deadlines
-- met, which its conclusion names as a next step.

local page = require "shared.page"
local papers = require "shared.papers"
local reference = require "lin.reference"
local runs = require "lin.runs"

local M = {}

local LOADS = { .3, .5, .75, .9 }

-- Jobs of a replica, as a share of those of Section 5.3: policies in Lua are slower.
local SHARE = 0.02

-- The jobs of Section 5.3 with one attribute more.
local function workload(load, jobs, attribute, draw)
    local sizes = reference.sizes
    return {
        model = "tandem", attributes = { [attribute] = 1 },
        generate = function(g)
            local time, more = 0.0, g:stream(1)
            for _ = 1, jobs do
                time = time + g:exponential(1 / load)
                local map = g:lognormal(1, sizes.map_sd)
                local job = { arrival = time, map = map,
                    shuffle = map * g:lognormal(1, sizes.ratio_sd) }
                job[attribute] = draw(more, job)
                g:job(job)
            end
        end,
    }
end

-- One run of each policy on the same jobs: the number that is asked for, by policy, and digests.
local function measure(context, policies, jobs, replica, options)
    local made, folded = {}, papers.DIGEST_START
    for _, policy in ipairs(policies) do
        local result = papers.run {
            model = "tandem", policy = policy, workload = jobs, seed = context.seed,
            replica = replica - 1, bounds = "none", metrics = options.metrics,
            keep_jobs = options.metrics ~= nil,
        }
        made[policy], folded = result[options.of], papers.fold(folded, result.digest)
    end
    made.digest = papers.digest_text(folded)
    return made
end

-- Points of several curves over the loads: each compares two policies, replica by replica.
local function points_of(context, options)
    local jobs = runs.scaled(context, SHARE)
    local values = papers.each(context, options.name, #LOADS * context.seeds, function(task)
        local l, replica = (task - 1) // context.seeds + 1, (task - 1) % context.seeds + 1
        return measure(context, options.policies, options.workload(LOADS[l], jobs), replica,
            options)
    end, "replica", { jobs = jobs, policies = options.policies, of = options.of })
    local points = {}
    for _, curve in ipairs(options.curves) do
        for l, load in ipairs(LOADS) do
            points[#points + 1] = page.fill({
                curve = curve.name, x = load, at = string.format("%g", load),
            }, context.seeds, function(replica)
                local value = values[(l - 1) * context.seeds + replica]
                return options.compare(value[curve[1]], value[curve[2]]), value.digest
            end)
        end
    end
    return points
end

-- ---- weights ------------------------------------------------------------------------------------

-- A quarter of the jobs counts so many times as much.
local HEAVY, CHANCE = 4, 0.25

M.weighted = page.page {
    name = "weighted", title = "Weighted processor sharing",
    label = "MaxSRPT and SplitSRPT beat weighted PS by weight",
    claim = "MaxSRPT and SplitSRPT, which know no weights, have a smaller mean response time by "
        .. "weight than weighted processor sharing; equal shares have a larger one.",
    method = {
        string.format("The jobs of section 5.3 of the paper; %.0f %% of them weigh %d times as "
            .. "much as the others. Ratios of means by weight on the same jobs, replica by "
            .. "replica.",
            100 * CHANCE, HEAVY),
        "Section 5.1 calls Hadoop's Fair Scheduler \"roughly a discrete version of Weighted "
            .. "Processor Sharing\"; its experiments take k-LPS. With equal weights it is ps.",
    },
    quantity = "mean by weight over the other's", axis = "load", limit = 1, less = true,
    decimals = 3,
    points = function(context)
        return points_of(context, {
            name = "weighted", policies = { "wps", "ps", "maxsrpt", "splitsrpt" },
            of = "weighted_mean_response_time",
            curves = {
                { "maxsrpt", "wps", name = "MaxSRPT over weighted PS" },
                { "splitsrpt", "wps", name = "SplitSRPT over weighted PS" },
                { "wps", "ps", name = "weighted PS over PS" },
            },
            compare = function(a, b) return a / b end,
            workload = function(load, jobs)
                return workload(load, jobs, "weight",
                    function(g) return g:chance(CHANCE) and HEAVY or 1 end)
            end,
        })
    end,
}

-- ---- deadlines ----------------------------------------------------------------------------------

-- A job is due so many times its time alone after it arrived.
local LEAST, MOST = 1.5, 6

M.deadlines = page.page {
    name = "deadlines", title = "Deadlines met",
    label = "MaxSRPT and SplitSRPT meet more deadlines",
    claim = "MaxSRPT and SplitSRPT, which know no deadlines, meet more of them than k-LPS and than "
        .. "earliest deadline first.",
    method = {
        string.format("The jobs of section 5.3 of the paper; each is due %g to %g times max(map, "
            .. "shuffle) after it arrived. Differences of the shares of jobs that are in time, in "
            .. "points, on the same jobs, replica by replica.", LEAST, MOST),
        "The paper asks \"how to schedule in order to minimize other performance metrics, e.g., "
            .. "the number of deadlines met\".",
    },
    quantity = "deadlines met less the other's, points", axis = "load", limit = 0, less = false,
    decimals = 2,
    points = function(context)
        return points_of(context, {
            name = "deadlines", policies = { "edf", "klps", "maxsrpt", "splitsrpt" },
            of = "mean_deadlines_met", metrics = { "deadlines_met" },
            curves = {
                { "maxsrpt", "klps", name = "MaxSRPT less k-LPS" },
                { "splitsrpt", "klps", name = "SplitSRPT less k-LPS" },
                { "maxsrpt", "edf", name = "MaxSRPT less EDF" },
                { "splitsrpt", "edf", name = "SplitSRPT less EDF" },
            },
            compare = function(a, b) return 100 * (a - b) end,
            workload = function(load, jobs)
                return workload(load, jobs, "deadline", function(g, job)
                    return math.max(job.map, job.shuffle)
                        * (LEAST + (MOST - LEAST) * g:uniform())
                end)
            end,
        })
    end,
}

return M
