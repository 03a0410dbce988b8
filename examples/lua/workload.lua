-- A workload of your own: jobs in a table, from any program that can write a csv file, or drawn by
-- a few lines of Lua.
--   build/pinion run examples/lua/workload.lua [DIRECTORY]
local pinion = require "pinion"

local directory = arg[1] or "build/demo"
os.execute("mkdir -p '" .. directory:gsub("'", "'\\''") .. "'")

local function report(title, workload)
    local result = pinion.run { machines = 10, policy = "psrpt", workload = workload, quiet = true }
    print(string.format("%-9s %3d jobs, mean flow time %6.2f slots", title, result.finished,
        result.mean_flow_time))
    for _, group in ipairs(result.groups or {}) do
        print(string.format("          %3d %s jobs, mean %.2f", group.finished, group.group,
            group.flow_time.mean))
    end
end

-- Jobs one by one. All but the arrival may be left out; statistics are also kept per group. With
-- estimates, policies see these in place of the true sizes: the last job looks small and is not.
report("listed", {
    { arrival = 1, maps = 40, reduces = { 12, 12, 12 }, name = "nightly", group = "batch" },
    { arrival = 2, maps = 4, reduces = { 3 }, group = "interactive" },
    { arrival = 3, maps = 4, reduces = { 3 }, group = "interactive" },
    { arrival = 3, maps = 60, reduces = { 20 }, group = "batch", estimate_maps = 6,
        estimate_reduces = 2 },
})

-- The same from a file. A SWIM trace goes this way too: pinion.trace.swim "FILE.tsv.gz".
local path = directory .. "/jobs.csv"
local file = assert(io.open(path, "w"))
file:write("arrival,maps,reduces,group\n", "1,40,12 12 12,batch\n", "2,4,3,interactive\n",
    "3,4,3,interactive\n")
file:close()
report("csv", pinion.trace.csv(path))

-- A generator of your own is a loop: here every tenth slot brings a batch job, and of the others
-- every second one a small job. With math.randomseed the sizes are the same in every run.
math.randomseed(1)
local jobs = {}
for slot = 1, 200 do
    if slot % 10 == 0 then
        jobs[#jobs + 1] = { arrival = slot, maps = math.random(20, 60), reduces = { 8, 8 },
            group = "batch" }
    elseif slot % 2 == 0 then
        jobs[#jobs + 1] = { arrival = slot, maps = math.random(1, 4), reduces = { 1 },
            group = "interactive" }
    end
end
report("drawn", pinion.workload.jobs(jobs)) -- checked once, for any number of runs
