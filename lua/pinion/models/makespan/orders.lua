-- The order of the makespan model's policies: they decide once, and their plan is the order.

local keys = require "pinion.models.keys"

local PLAN = {}
for stage, kind in ipairs { "map", "reduce" } do
    PLAN[stage] = keys.order(stage - 1, "place in the plan", keys.whole, kind)
end

local policies = { exact = "its plan says of each task when its turn is" }
for _, name in ipairs { "fifo", "given_order", "johnson", "mk_jr", "uaas", "balanced_pools",
    "fixed_pools", "optimal", "portfolio", "neh", "local_search" } do
    policies[name] = PLAN
end

return {
    policies = policies,
    others = PLAN,
    apart = true, -- pools
}
