-- A shared Hadoop cluster: small jobs behind large ones. Who waits, and for what?
--   build/pinion run examples/lua/cluster.lua [DIRECTORY]
local pinion = require "pinion"

local directory, here = arg[1] or "build/demo", arg[0]:match("^(.*/)") or ""
os.execute("mkdir -p '" .. directory:gsub("'", "'\\''") .. "'")

-- The workload of the paper on hSRTF: 3 large, 8 medium and 20 small jobs, one every 10 seconds. It
-- suggests the paper's 57 nodes and its rules: a task takes between half its time and all of it
-- (each seed draws that anew, and where the inputs lie), and may be killed any number of times.
-- What stands beside the workload goes over that: nodes = "80x8x2", params = { factor_lo = 1000 }.
local cluster = { workload = pinion.workload.hsrtf() }

local function with(more)
    local made = {}
    for _, options in ipairs { cluster, more } do
        for name, value in pairs(options) do made[name] = value end
    end
    return made
end

-- First in first out, equal shares, shortest remaining time first with shares: the same work, the
-- same seeds.
local comparison = pinion.compare(with { policies = { "fifo", "fair", "hsrtf-pr" }, replicas = 5 })
print(comparison)
comparison:csv(directory .. "/cluster.csv")
comparison:plot(directory .. "/cluster.svg", { kind = "cdf", of = "makespan" })

-- Where the makespan of each group goes, in seconds, and how many maps run beside their input.
-- Under fifo small jobs are blocked: their map is done, and long reduces hold all slots. The last
-- policy is a file: it kills as hsrtf-pup does, but only where it pays.
local sparing = here .. "../policies/sparing.lua"
local line = "%-10s %-7s %8s %8s %8s %8s %8s %8s\n"
io.write("\n", line:format("policy", "jobs", "waiting", "maps", "blocked", "reduces", "makespan",
    "local"))
for _, policy in ipairs { "fifo", "fair", "hsrtf-pr", "hsrtf-pup", sparing } do
    local result = pinion.run(with { policy = policy })
    for _, group in ipairs(result.groups) do
        local cells = {}
        for i, ms in ipairs { group.in_wait, group.in_maps, group.in_blocked, group.in_reduces,
                group.makespan.mean } do
            cells[i] = string.format("%.1f", ms / 1000)
        end
        cells[#cells + 1] = string.format("%.0f %%", 100 * group.locality)
        io.write(line:format(policy == sparing and "sparing" or policy, group.group,
            table.unpack(cells)))
    end
    if result.kills > 0 then
        io.write(string.format("%-10s %d tasks were killed\n", "", result.kills))
    end
end
