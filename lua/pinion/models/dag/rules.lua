-- Parameters of the dag model itself, which every policy of it takes beside its own.

local check = require "pinion.base.check"

local MS_MOST = 1 << 40
local FACTOR_MOST = 1000000

-- In the order in which they are shown.
local PARAMS = {
    { name = "placement", value = "first", choices = { "first", "best", "spread" },
        doc = "node of a task, where several have room: the first, the tightest or the emptiest" },
    { name = "order", value = "depth", choices = { "depth", "index", "work" },
        doc = "of a job's stages: the longest path, the lowest index, the most pending work" },
    { name = "backfill", value = true, choices = { true, false },
        doc = "go on behind a stage that has no room; false: wait for it" },
    { name = "seed", low = 0, high = check.INTEGER_MAX, value = 1,
        doc = "of factors and misjudged estimates; the scenario's own seed" },
    { name = "factor_lo", low = 1, high = FACTOR_MOST, value = 1000,
        doc = "permille: a task lasts its duration times a factor from here" },
    { name = "factor_hi", low = 1, high = FACTOR_MOST, value = 1000, doc = "... to here" },
    { name = "est_lo", low = 1, high = FACTOR_MOST, value = 1000,
        doc = "permille: policies see a stage's estimate times a factor from here" },
    { name = "est_hi", low = 1, high = FACTOR_MOST, value = 1000, doc = "... to here" },
    { name = "start_ms", low = 0, high = MS_MOST, value = 0,
        doc = "from a launch until the task's work begins, where the stage does not say" },
    { name = "max_kills_per_task", low = 0, high = 1000000, value = 3,
        doc = "policies that kill: none of a task tried so often; 0: no limit" },
    { name = "tick_ms", low = 1, high = MS_MOST, value = 3000,
        doc = "policies that kill: from one time to the next" },
    { name = "max_time_ms", low = 0, high = check.INTEGER_MAX, value = 0,
        doc = "nothing happens from then on; 0: no limit" },
}

return { params = PARAMS }
