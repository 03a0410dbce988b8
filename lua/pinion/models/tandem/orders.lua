-- The orders of the tandem model's policies, and what their keys are: work is in the workload's
-- units.

local keys = require "pinion.models.keys"

-- The map station goes by order 0, the shuffle station by order 1.
local function both(map, read_map, shuffle, read_shuffle)
    return { keys.order(0, map, read_map, "map"), keys.order(1, shuffle or map,
        read_shuffle or read_map, "shuffle") }
end

local LONGEST = "the larger of map and shuffle work left"
local IN_LINE = { keys.order(0, keys.ARRIVAL .. " among those that wait for a share", keys.none,
    "map") }

local longest = both(LONGEST, keys.real)
-- Where not work conserving, the first of all jobs has the whole shuffle station.
longest[3] = keys.order(2, LONGEST, keys.real, "shuffle")

local CLASSES = { "map work left, among jobs with no less of it than shuffle work",
    "shuffle work left, among jobs with less map work" }
local split = {}
for i, class in ipairs(CLASSES) do
    split[i] = keys.order(i - 1, class, keys.real, "map")
    split[i + 2] = keys.order(i + 1, class, keys.real, "shuffle")
end

local scripted = {}
for order = 0, 5 do
    scripted[order + 1] = keys.order(order, keys.SCRIPTED, keys.scripted_or_number)
end

local SHARES = "all jobs share the stations at once"

return {
    policies = {
        fcfs = both(keys.ARRIVAL, keys.none),
        ps = SHARES,
        klps = IN_LINE, klps_rigid = IN_LINE, fcfs_ps = IN_LINE,
        maxsrpt = longest,
        splitsrpt = split,
        srptmap = both("map work left, then shuffle work left", keys.real),
        srptsum = both("map and shuffle work left", keys.real),
        srptshuffle = both("shuffle work left", keys.real),
        johnson = both("0: shuffle >= map work, 1: less; then by arrival", keys.whole),
        priority = both("rank at the map station", keys.whole, "rank at the shuffle station"),
        bsrpt = both("map work left times itself, or, while there is backlog, times "
            .. LONGEST, keys.real, LONGEST),
        xmax = both("map work left", keys.real, LONGEST),
    },
    others = scripted,
}
