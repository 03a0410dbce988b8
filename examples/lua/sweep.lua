-- A sweep: the same comparison over a grid of settings, as a table, a CSV file and a figure.
--   build/pinion run examples/lua/sweep.lua [DIRECTORY]
local pinion = require "pinion"

local directory = arg[1] or "build/demo"
os.execute("mkdir -p '" .. directory:gsub("'", "'\\''") .. "'")

-- How much do schedulers that look at sizes lose when they see them wrongly? Each job's sizes are
-- seen times a random factor of mean 1 and growing spread; fifo looks at no sizes. `over` may name
-- machines, reduce, seed, error, warmup, until_slot, options of the generator (workload.rate) and
-- parameters of policies (params.wm). Replicas use all cores; the numbers do not depend on how many
-- there are.
local sweep = pinion.sweep {
    machines = 100, workload = "zheng:0", policies = { "fifo", "dspt", "psrpt" }, baseline = "fifo",
    replicas = 20,
    over = { { "error", { "lognormal(1,0)", "lognormal(1,0.5)", "lognormal(1,1)",
        "lognormal(1,2)" } } },
}
print(sweep)
print()

sweep:csv(directory .. "/error.csv")
print("rows:   " .. directory .. "/error.csv")
local title = "What misjudged sizes cost, 20 replicas"
if sweep:plot(directory .. "/error.svg", { x = "error", of = "mean_flow_time", title = title }) then
    print("figure: " .. directory .. "/error.svg")
end
