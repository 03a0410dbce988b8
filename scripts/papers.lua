-- The settings of the papers, run by this build: efficiency ratios of Zheng, Shroff and Sinha (2013), figures 5-8, with 95 % intervals.
--   build/pinion run scripts/papers.lua DIRECTORY [SEEDS]        (make papers)
local pinion = require "pinion"

local directory = arg[1] or "build/papers"
local seeds = tonumber(arg[2]) or 200
os.execute("mkdir -p '" .. directory:gsub("'", "'\\''") .. "'")

local SETTINGS = { [0] = "Exp(5) / Exp(40), figure 5", "Exp(30) / Exp(15), figure 6", "U[1,9] / U[10,70], figure 7", "U[10,50] / U[10,20], figure 8" }
local POLICIES = {
    preemptive = { "fifo", "fair", "lrpt", "dsrpt", "asrpt", "asrpt_cu", "dspt", "psrpt" },
    nonpreemptive = { "fifo", "fair", "lrpt", "asrpt", "asrpt_cu", "dspt", "psrpt" },
}

print(string.format("N = 100 machines, lambda = 2 jobs a slot, T = 500 slots, %d seeds: total flow time over the SRPT bound", seeds))
for setting = 0, 3 do
    for _, reduce in ipairs { "preemptive", "nonpreemptive" } do
        local comparison = pinion.compare {
            model = "slotted", machines = 100, reduce = reduce, policies = POLICIES[reduce], replicas = seeds,
            workload = pinion.workload.spec("zheng:" .. setting),
        }
        local cells = {}
        for _, row in ipairs(comparison.rows) do
            cells[#cells + 1] = string.format("%s %.3f +- %.3f", row.policy, row.efficiency_ratio, row.efficiency_ratio_half)
        end
        print(string.format("\n%s, %s reduces\n  %s", SETTINGS[setting], reduce, table.concat(cells, "   ")))
        comparison:csv(string.format("%s/zheng_%d_%s.csv", directory, setting, reduce))
        comparison:plot(string.format("%s/zheng_%d_%s.svg", directory, setting, reduce),
                        { kind = "cdf", of = "flow_time", title = SETTINGS[setting] .. ", " .. reduce })
    end
end
