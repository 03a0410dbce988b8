-- How long it takes to gather a million units, and how much memory: a sweep of 5,000 cells, two
-- policies and 100 replicas, all of it in a store. The values are all the same real one. The first
-- argument is another number of replicas.

local cli = require "pinion.cli"
local core = require "pinion.core"
local store_of = require "pinion.base.store"

local REPLICAS = math.tointeger(arg[1] or 100)
local PROGRAM = os.getenv "PINION" or "build/pinion"

local base = os.tmpname()
local machines, rates = {}, {}
for i = 1, 50 do machines[i] = tostring(10 + i) end
for i = 1, 100 do rates[i] = string.format("%g", 1 + i / 100) end
local function words(folder, ...)
    return { "sweep", "--workload", "zheng:0,slots=10", "--policies", "fifo,srpt", "--bounds",
        "none", "--quiet", "--over", "machines=" .. table.concat(machines, ","), "--over",
        "workload.rate=" .. table.concat(rates, ","), "--replicas", tostring(REPLICAS), "--store",
        folder, ... }
end

-- A real unit.
cli.main { "compare", "--workload", "zheng:0,slots=10", "--policies", "fifo", "--replicas", "2",
    "--quiet", "--bounds", "none", "--store", base .. ".one", "--output", base .. ".json" }
local value
store_of.open(base .. ".one").index:each(function(_, text)
    value = text
    return false
end)

-- The keys of all units, as whoever looks for them asks for them.
local open, asked, count = store_of.open, {}, 0
os.execute("mkdir " .. base .. ".all")
local writer = assert(core.store_writer(base .. ".all/made" .. store_of.ENDING))
assert(writer:append(store_of.ABOUT, '{"store":1,"host":"nobody"}'))
store_of.open = function()
    return {
        state = function(_, key)
            if asked[key] then return nil end
            asked[key], count = true, count + 1
            assert(writer:append(key, value))
            return nil
        end,
        get = function() end,
    }
end
local began = core.clock()
local planned = words(base .. ".all", "--dry-run", "--format", "json")
io.stdout:setvbuf "full"
cli.main(planned)
writer:close()
store_of.open = open
print(string.format("\n%d units of %d bytes made up in %.1f s", count, #value,
    core.clock() - began))
io.stdout:flush()

local quoted = words(base .. ".all", "--only-stored", "--output", base .. ".csv")
for i, word in ipairs(quoted) do quoted[i] = "'" .. word .. "'" end
began = core.clock()
local command = PROGRAM .. " " .. table.concat(quoted, " ")
os.execute("if command -v time >/dev/null; then "
    .. "exec time -f '%M kB, %U s of processor time' " .. command .. "; fi; exec " .. command)
local seconds = core.clock() - began
print(string.format("gathered in %.1f s, %.1f us a unit", seconds, seconds / count * 1e6))
os.execute("rm -rf " .. base .. "*")
