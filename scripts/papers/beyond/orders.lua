-- Portfolio and NEH against UAAS: the makespan of whole tasks.

local page = require "shared.page"
local papers = require "shared.papers"
local pinion = require "pinion"
local runs = require "tian.runs"

local FAMILIES = { "rand_many", "rand_few", "one_wave", "t1_like", "straggler" }
local POLICIES = { { "portfolio", "portfolio" }, { "neh", "NEH" } }

local function run(context, family, policy, replica)
    local workload = pinion.workload.spec(family)
    local slots = workload:default_settings()
    return runs.run {
        policy = policy, maps = slots.map_slots, reduces = slots.reduce_slots, jobs = workload,
        level = "task", seed = context.seed, replica = replica, bounds = "none",
    }
end

return page.page {
    name = "orders", title = "Portfolio and NEH against UAAS: makespan of whole tasks",
    label = "portfolio and NEH end before UAAS",
    claim = "On whole tasks, the best of 26 Johnson orders and the insertion of NEH end before "
        .. "UAAS's order.",
    method = {
        "Random batches of five families (`pinion help workloads`), each a seed; ratios of "
            .. "makespans of the same batch.",
    },
    quantity = "makespan over UAAS's", axis = "family", limit = 1, less = true, decimals = 4,
    categories = true,
    points = function(context)
        local points = {}
        papers.over(POLICIES, function(policy)
            local f = 0
            papers.over(FAMILIES, function(family)
                f = f + 1
                local values = papers.each(context, policy[1] .. " " .. family, context.seeds,
                        function(task)
                    local ours, theirs = run(context, family, policy[1], task - 1),
                        run(context, family, "uaas", task - 1)
                    return { ratio = (runs.makespan(ours) / runs.makespan(theirs)):number(),
                        digest = ours.digest }
                end)
                points[#points + 1] = page.fill({ curve = policy[2], x = f, at = family },
                    context.seeds,
                    function(seed) return values[seed].ratio, values[seed].digest end)
            end)
        end)
        return points
    end,
}
