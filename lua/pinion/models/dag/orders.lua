-- The orders of the dag model's policies, and what their keys are.

local keys = require "pinion.models.keys"

local function one(key, read)
    return { keys.order(0, key, read, "task") }
end

-- So many words of a key, and the job's priority ahead of them.
local function ranked_one(key, read, words)
    return one(key, keys.behind_priority(read, words))
end

-- The kernel's parts: shares in 10^-12, work in 10^-9 of the cluster.
local SHARES, WORK = 1e12, 1e9

-- The second word is a share of a guarantee; queues without one come last.
local function use_of_guarantee(ranked)
    local use = ranked.low / SHARES
    if ranked.rank == 1 then return nil, "no task of its queue fits" end
    return use, ranked.high == 1 and "no guarantee" or nil
end

-- The longest path goes first, or the shortest.
local function path(ranked)
    return ranked.high < 0 and ~ranked.high or ranked.high
end

-- The second word is a logarithm in 1/65536, with an offset.
local function logarithm(ranked)
    if ranked.high == 0 then return nil, "holds nothing" end
    return (ranked.low - (1 << 62)) / 65536
end

local PER_WEIGHT = "%s for its weight, of the job or of its queue"

return {
    policies = {
        fifo = ranked_one(keys.ARRIVAL, keys.none, 1),
        fair = ranked_one(PER_WEIGHT:format "running tasks", keys.wide(SHARES), 2),
        drf = ranked_one(PER_WEIGHT:format "dominant share", keys.parts(SHARES), 1),
        capacity = one("share of the guarantee that its queue uses", use_of_guarantee),
        ["sjf-cp"] = ranked_one("work of the job, ms of the whole cluster", keys.parts(WORK), 1),
        cp = ranked_one("critical path, ms", path, 1),
        srpt = ranked_one("pending work, ms of the whole cluster", keys.parts(WORK), 1),
        wfair = ranked_one("log2 of its share against what it should be", logarithm, 2),
        tetris = "nodes are filled one by one with the tasks that suit them",
        hfsp = ranked_one("end in the virtual cluster, ms of a job of weight 1", keys.wide(WORK),
            2),
        las = ranked_one("attained service, ms of the whole cluster", keys.wide(WORK), 2),
    },
    others = one(keys.SCRIPTED, keys.scripted_or_number),
}
