-- Parameters of the cluster model itself, which every policy of it takes beside its own.

local check = require "pinion.base.check"
local core = require "pinion.core"

local MS_MOST = 1 << 40
local FACTOR_MOST = 1 << 30

-- Null says what leaving it out says.
local function read_maps_per_heartbeat(value)
    if value == core.null then return value end
    return check.integer(value, 1, 0xFFFFFFFF)
end

local function read_extra(value)
    if value == "auto" then return value end
    local extra = check.integer(value, 0, MS_MOST)
    if extra then return extra end
    return nil, string.format("must be auto or an integer in 0..%d, got %s", MS_MOST,
        check.show(value))
end

-- In the order in which they are shown. `form` and `absent` stand where others show a range and a
-- default.
local PARAMS = {
    { name = "seed", low = 0, high = check.INTEGER_MAX, value = 1,
        doc = "seed of factors and of the nodes of inputs; the same as the scenario's seed" },
    { name = "heartbeat_ms", low = 0, high = MS_MOST, value = 0,
        doc = "time between two offers of a node's slots; 0: slots are offered at once" },
    { name = "maps_per_heartbeat", read = read_maps_per_heartbeat, form = "an integer >= 1",
        absent = "1 at once, else no limit",
      doc = "most maps that a node gets in one heartbeat" },
    { name = "replication", low = 1, high = 65536, value = 3,
        doc = "number of nodes that hold an input whose nodes are not listed" },
    { name = "factor_lo", low = 1, high = FACTOR_MOST, value = 1000,
        doc = "permille: smallest factor on the duration of an attempt" },
    { name = "factor_hi", low = 1, high = FACTOR_MOST, value = 1000,
        doc = "permille: largest factor" },
    { name = "reduce_start", value = "slowstart", choices = { "slowstart", "after_maps" },
        doc = "when reduces may take slots" },
    { name = "slowstart_permille", low = 0, high = 1000, value = 50,
        doc = "permille of the job's maps that must be done before, with slowstart" },
    { name = "locality_delay_ms", low = 0, high = MS_MOST, value = 0,
        doc = "policies that delay: how long a job waits for a local map" },
    { name = "tick_ms", low = 1, high = MS_MOST, value = 10000,
        doc = "policies that estimate: time between two estimates" },
    { name = "default_task_ms", low = 1, high = MS_MOST, value = 10000,
        doc = "policies that estimate: duration of a task while nothing is known" },
    { name = "input_ratio_permille", low = 0, high = 1 << 20, value = 1000,
        doc = "policies that estimate: input of the reduces over input of the maps" },
    { name = "max_kills_per_task", low = 0, high = 0xFFFFFFFF, value = 3,
      doc = "policies that kill: no kill after so many attempts of a task; 0: no limit" },
    { name = "attempt_fail_permille", low = 0, high = 1000, value = 0,
        doc = "permille of the attempts that fail" },
    { name = "attempts_max", low = 1, high = 65535, value = 4,
        doc = "number of failed attempts of one task after which its job fails" },
    { name = "est_extra_ms", read = read_extra, form = "auto, 0..2^40", value = 0,
      doc = "policies with deadlines: time added to the estimate of a task; auto: enough for the "
          .. "heartbeats" },
    { name = "max_time_ms", low = 0, high = check.INTEGER_MAX, value = 0,
        doc = "time at which the run stops; 0: no limit" },
}

return { params = PARAMS }
