-- The orders of the slotted model's policies, and what their keys are.

local keys = require "pinion.models.keys"

local WORK = "remaining work, machine slots"
local LEFT = { keys.order(0, WORK, keys.whole) }

-- The top bit is set while the job is in its maps.
local function phased(ranked)
    return ranked.high & math.maxinteger, ranked.high < 0 and "in its maps" or "past its maps"
end

-- 128 bits with a sign, whose bit is flipped.
local function index(ranked)
    local high = ranked.high ~ math.mininteger
    if high == (ranked.low < 0 and -1 or 0) then return ranked.low end
    return high * 2.0 ^ 64 + (ranked.low >= 0 and ranked.low or ranked.low + 2.0 ^ 64)
end

-- Virtual SRPT's maps, which asrpt knows while it decides only; then reduces, then further maps.
local ASRPT = { { orders = { 2, 1, 0 }, read = keys.whole,
    key = WORK .. "; maps that virtual SRPT runs go first, then reduces, then other maps" } }

local scripted = {}
for order = 0, 3 do
    scripted[order + 1] = keys.order(order, keys.SCRIPTED, keys.scripted)
end

return {
    policies = {
        fifo = { keys.order(0, keys.ARRIVAL, keys.none) },
        fair = { keys.order(0, "machines held", keys.whole) },
        lrpt = { keys.order(0, WORK .. ", the most first", keys.most) },
        srpt = "a virtual run decides, in which jobs need no machines of their own",
        dsrpt = "a virtual run decides on maps, and pieces of reduces stand in line",
        asrpt = ASRPT, asrpt_cu = ASRPT, dspt = LEFT, dsptf = LEFT, psrpt = LEFT,
        rfirst = { keys.order(0, WORK .. ", past the maps first", phased) },
        idx = { keys.order(0, "index", index) },
    },
    others = scripted,
}
