-- What the paper on DRF says, as far as it is numbers, and its table of properties.

return {
    capacity = { 9, 18 }, -- CPUs, GB
    demands = { { 1, 4 }, { 3, 1 } }, -- of a task of A, of B
    tasks = { 3, 2 },
    order = "B A A B A",
    -- Table 2: what each policy has, of the properties that allocations can show.
    properties = {
        { "sharing_incentive", drf = true, asset = false },
        { "envy_freeness", drf = true, asset = true },
        { "strategy_proofness", drf = true, asset = true },
        { "pareto_efficiency", drf = true, asset = true },
        { "single_resource_fairness", drf = true, asset = true },
        { "bottleneck_fairness", drf = true, asset = false },
        { "population_monotonicity", drf = true, asset = true },
        { "resource_monotonicity", drf = false, asset = false },
    },
}
