-- The main job: five schedulers on a Facebook-like workload, as a table, a CSV file, two figures
-- and a page.
--   build/pinion run examples/lua/compare.lua [DIRECTORY]        (make demo)
local pinion = require "pinion"

local directory = arg[1] or "build/demo"
os.execute("mkdir -p '" .. directory:gsub("'", "'\\''") .. "'")

local comparison = pinion.compare {
    model = "slotted",
    machines = 100,
    reduce = "nonpreemptive",
    workload = pinion.workload.facebook { jobs = 1000, seed = 1 },
    policies = { "fifo", "fair", "lrpt", "asrpt", "psrpt" },
}
print(comparison)
print()

comparison:csv(directory .. "/facebook.csv")
print("rows:    " .. directory .. "/facebook.csv")
if comparison:plot(directory .. "/flow_time.svg",
        { kind = "cdf", of = "flow_time", title = "Flow time of 1000 Facebook-like jobs" }) then
    comparison:plot(directory .. "/ratio.svg",
        { kind = "bars", of = "efficiency_ratio", title = "Total flow time over the SRPT bound" })
    print("figures: " .. directory .. "/flow_time.svg, " .. directory .. "/ratio.svg")
end
if comparison:page(directory .. "/facebook.html") then
    print("page:    " .. directory .. "/facebook.html")
end
