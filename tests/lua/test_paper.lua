-- Figures 5-8 of Zheng, Shroff and Sinha (2013): the mean ratio of total flow time to the SRPT bound over seeds, beside an independent
-- simulator's means and standard deviations over 200 seeds. Ours must lie within four standard errors of the difference.

package.path = "tests/lua/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local SEEDS, THEIR_SEEDS = 60, 200

-- setting, reduce, policy -> mean, sd
local TABLE = {
    [0] = { preemptive = { fifo = { 2.942, .27 }, fair = { 2.628, .33 }, lrpt = { 7.03, 2.6 }, asrpt = { 1.418, .075 } },
            nonpreemptive = { fifo = { 3.565, .18 }, fair = { 3.968, .22 }, lrpt = { 7.23, 2.4 }, asrpt = { 2.948, .26 } } },
    { preemptive = { fifo = { 2.213, .22 }, fair = { 2.530, .32 }, lrpt = { 8.11, 3.0 }, asrpt = { 1.497, .097 } },
      nonpreemptive = { fifo = { 2.598, .16 }, fair = { 2.804, .25 }, lrpt = { 8.10, 2.8 }, asrpt = { 1.992, .19 } } },
    { preemptive = { fifo = { 2.162, .12 }, fair = { 2.258, .08 }, lrpt = { 3.24, .57 }, asrpt = { 1.396, .074 } },
      nonpreemptive = { fifo = { 2.835, .25 }, fair = { 3.373, .16 }, lrpt = { 3.86, .31 }, asrpt = { 2.661, .31 } } },
    { preemptive = { fifo = { 1.524, .03 }, fair = { 2.099, .07 }, lrpt = { 3.58, .64 }, asrpt = { 1.410, .068 } },
      nonpreemptive = { fifo = { 1.878, .09 }, fair = { 2.296, .03 }, lrpt = { 3.76, .57 }, asrpt = { 1.751, .13 } } },
}

for setting = 0, 3 do
    for _, reduce in ipairs { "preemptive", "nonpreemptive" } do
        local comparison = pinion.compare {
            machines = 100, reduce = reduce, policies = { "asrpt", "fifo", "fair", "lrpt" }, replicas = SEEDS,
            workload = pinion.workload.spec("zheng:" .. setting), quiet = true,
        }
        local label = string.format("setting %d %s ", setting, reduce)
        local ratio = {}
        for _, row in ipairs(comparison.rows) do
            local mean, sd = table.unpack(TABLE[setting][reduce][row.policy])
            local distance = math.abs(row.efficiency_ratio - mean) / (sd * math.sqrt(1 / SEEDS + 1 / THEIR_SEEDS))
            check.is_true(string.format("%s%s: %.3f lies %.1f standard errors from %.3f", label, row.policy, row.efficiency_ratio, distance, mean),
                          distance <= 4)
            ratio[row.policy] = row.efficiency_ratio
        end
        check.is_true(label .. "asrpt is the best of the paper's four", ratio.asrpt < math.min(ratio.fifo, ratio.fair, ratio.lrpt))
        check.is_true(label .. "lrpt is the worst", ratio.lrpt > math.max(ratio.fifo, ratio.fair, ratio.asrpt))
    end
end
check.done()
