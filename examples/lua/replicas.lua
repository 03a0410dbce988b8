-- An experiment with many seeds: mean and interval, a claim and its verdict, numbers held to a
-- reference; as a table, a CSV file and a figure.
--   build/pinion run examples/lua/replicas.lua [DIRECTORY]
local pinion = require "pinion"
local experiment = pinion.experiment

local directory, SEEDS = arg[1] or ".", 20

-- Total flow time over the SRPT bound with preemptive reduces, as an independent simulator found it
-- in the settings 0 to 3 of the workload `zheng`: means over 200 seeds.
local REFERENCE, REFERENCE_SEEDS = {
    fifo = { [0] = 2.942, 2.213, 2.162, 1.524 }, asrpt = { [0] = 1.418, 1.497, 1.396, 1.410 },
}, 200

local function ratios_of(setting, policy)
    return experiment.each(SEEDS, function(task)
        return pinion.run {
            machines = 100, reduce = "preemptive", policy = policy,
            workload = pinion.workload.zheng { setting = setting }, replica = task - 1,
            quiet = true,
        }.efficiency_ratio
    end, { label = policy, unit = "replica", quiet = true })
end

local rows, below, lines = {}, 0, {}
for setting = 0, 3 do
    local ratios = { fifo = ratios_of(setting, "fifo"), asrpt = ratios_of(setting, "asrpt") }
    for _, policy in ipairs { "fifo", "asrpt" } do
        local sample, theirs = experiment.summary(ratios[policy]), REFERENCE[policy][setting]
        local tolerance = experiment.tolerance(sample.sd, SEEDS, REFERENCE_SEEDS, true)
        rows[#rows + 1] = {
            setting = setting, policy = policy, ratio = sample.mean, half = sample.half,
            reference = theirs, agrees = experiment.agrees(sample.mean, theirs, tolerance),
        }
    end
    -- Both policies meet the same jobs: of their differences most noise is gone.
    local differences = {}
    for seed = 1, SEEDS do differences[seed] = ratios.fifo[seed] - ratios.asrpt[seed] end
    local sample = experiment.summary(differences)
    if experiment.above(sample, 0) then below = below + 1 end
    lines[#lines + 1] = string.format("%d\t%.6f\t%.6f\n", setting, sample.mean, sample.half)
end

local function decimals(value) return string.format("%.3f", value) end
local made = experiment.table({
    { key = "setting", title = "setting", right = true }, { key = "policy", title = "policy" },
    { key = "ratio", title = "ratio", right = true, show = decimals },
    { key = "half", title = "± 95 %", right = true, show = decimals },
    { key = "reference", title = "reference", right = true, show = decimals },
    { key = "agrees", title = "agrees" },
}, rows)
print(made)
made:csv(directory .. "/replicas.csv")
print("ASRPT is better than FIFO: " .. experiment.verdict(below, 4))

experiment.figure {
    path = directory .. "/replicas.svg", title = "What ASRPT gains over FIFO",
    data = table.concat(lines),
    script = [[
set xlabel 'setting'
set ylabel 'difference of the ratios'
set xrange [-0.5:3.5]
set xtics 1
set yrange [0:*]
plot data using 1:2:3 with yerrorbars pointtype 7 linewidth 2 notitle
]],
}
