-- The orders of the cluster model's policies, one for each kind of slot, and what their keys are.

local keys = require "pinion.models.keys"

-- One word of a key, and the job's priority ahead of it.
local function ranked_slots(key, read)
    read = keys.behind_priority(read, 1)
    return { keys.order(0, key, read, "map"), keys.order(1, key, read, "reduce") }
end

local function slots(key, read)
    return { keys.order(0, key, read, "map"), keys.order(1, key, read, "reduce") }
end

-- Tasks, or the distance from the largest deficit that there can be.
local DEFICITS = 1 << 61
local function fair(ranked)
    if math.ult(ranked.high, DEFICITS) then return ranked.high / 1000000 end
    return ((1 << 62) - ranked.high) / 1000, "short of"
end

local LEFT = "estimated time left, ms"

-- Jobs at their share go behind all others.
local function shared(ranked)
    return ranked.high, ranked.rank == 1 and "at its share" or nil
end

local PROPORTIONAL = ranked_slots(LEFT .. "; jobs below their share go first", shared)

-- Jobs that have started go by when they did.
local function due(ranked)
    if ranked.rank == 0 then return nil, "has started" end
    return ranked.high
end

local DUE = slots("deadline, or submission, ms; jobs that have started go first, in that order",
    due)

return {
    policies = {
        fifo = ranked_slots(keys.ARRIVAL, keys.none),
        fair = ranked_slots("tasks that run for its weight, or slot-ms short of the share", fair),
        ["hsrtf-pu"] = ranked_slots(LEFT, keys.whole),
        ["hsrtf-pup"] = ranked_slots(LEFT, keys.whole),
        ["hsrtf-pr"] = PROPORTIONAL, ["hsrtf-prp"] = PROPORTIONAL,
        rtmr = DUE, ["rtmr-live"] = DUE,
        dc = slots("deadline, ms", keys.whole),
    },
    others = slots(keys.SCRIPTED, keys.scripted_or_number),
}
