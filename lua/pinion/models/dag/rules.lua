-- Parameters of the dag model itself, which every policy of it takes beside its own.

local check = require "pinion.base.check"

local MS_MOST = 1 << 40
local FACTOR_MOST = 1000000

-- In the order in which they are shown.
local PARAMS = {
    { name = "placement", value = "first", choices = { "first", "best", "spread" },
        doc = "node of a task if several have capacity: the first, the fullest or the emptiest" },
    { name = "order", value = "depth", choices = { "depth", "index", "work" },
        doc = "first stage of a job: the longest path, the lowest index or the most pending work" },
    { name = "backfill", value = true, choices = { true, false },
        doc = "if a stage does not fit, start later ones; false: wait until it fits" },
    { name = "seed", low = 0, high = check.INTEGER_MAX, value = 1,
        doc = "seed of factors and wrong estimates; the same as the scenario's seed" },
    { name = "factor_lo", low = 1, high = FACTOR_MOST, value = 1000,
        doc = "permille: smallest factor on the duration of a task" },
    { name = "factor_hi", low = 1, high = FACTOR_MOST, value = 1000,
        doc = "permille: largest factor" },
    { name = "est_lo", low = 1, high = FACTOR_MOST, value = 1000,
        doc = "permille: smallest factor on the estimates that policies see" },
    { name = "est_hi", low = 1, high = FACTOR_MOST, value = 1000,
        doc = "permille: largest factor" },
    { name = "start_ms", low = 0, high = MS_MOST, value = 0,
        doc = "time from a launch until the task's work begins, unless the stage has its own" },
    { name = "max_kills_per_task", low = 0, high = 1000000, value = 3,
        doc = "policies that kill: no kill after so many attempts of a task; 0: no limit" },
    { name = "tick_ms", low = 1, high = MS_MOST, value = 3000,
        doc = "policies that kill: time between two decisions to kill" },
    { name = "max_time_ms", low = 0, high = check.INTEGER_MAX, value = 0,
        doc = "time at which the run stops; 0: no limit" },
}

return { params = PARAMS }
