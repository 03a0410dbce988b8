-- What a store costs: the same sweep without and with one, of units of 5 milliseconds, by turns.
-- Processor time does not see the disk, elapsed time does not see a quiet machine: both are shown.

local core = require "pinion.core"

local PROGRAM = os.getenv "PINION" or "build/pinion"
local TURNS = 5

local base = os.tmpname()
local sweep = PROGRAM .. " sweep --workload zheng:0,slots=3500 --over machines=100,120 --policies "
    .. "fifo,srpt --replicas 60 --bounds none --quiet -j 1 --output " .. base .. ".json"
local UNITS = 2 * 2 * 60

-- Elapsed and processor time of a command, in seconds.
local function times(command)
    local began = core.clock()
    os.execute(string.format("bash -c 'TIMEFORMAT=\"%%U %%S\"; time %s' 2>%s.time", command, base))
    local elapsed = core.clock() - began
    local user, system = io.open(base .. ".time"):read "a":match "([%d.]+) ([%d.]+)"
    return elapsed, tonumber(user) + tonumber(system)
end

local least = { plain = {}, stored = {} }
for _ = 1, TURNS do
    for name, more in next, { plain = "", stored = " --store " .. base .. ".store" } do
        os.execute("rm -rf " .. base .. ".store")
        for i, seconds in ipairs { times(sweep .. more) } do
            least[name][i] = math.min(least[name][i] or seconds, seconds)
        end
    end
end
for i, what in ipairs { "elapsed", "processor" } do
    local plain, stored = least.plain[i], least.stored[i]
    print(string.format("store, %s time: %d units of %.2f ms, with a store %.2f ms (%+.1f %%)",
        what, UNITS, plain / UNITS * 1000, stored / UNITS * 1000, 100 * (stored / plain - 1)))
end
os.execute("rm -rf " .. base .. "*")
