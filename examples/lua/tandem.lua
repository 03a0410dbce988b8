-- Overlapping map and shuffle in continuous time: how far from the best any scheduler could be, and
-- who pays for it.
--   build/pinion run examples/lua/tandem.lua [DIRECTORY]
local pinion = require "pinion"

local directory = arg[1] or "build/demo"
os.execute("mkdir -p '" .. directory:gsub("'", "'\\''") .. "'")

-- The synthetic workload of Lin, Zhang, Wierman and Tan: log-normal map sizes, a log-normal ratio
-- of shuffle to map.
local work = pinion.workload.lin { load = 0.75, jobs = 20000, seed = 1 }
local comparison = pinion.compare {
    model = "tandem",
    workload = work,
    policies = { "klps", "maxsrpt", "splitsrpt", "bsrpt" },
    bounds = "tight",
    replicas = 4,
}
print(comparison)
comparison:csv(directory .. "/tandem.csv")

-- Mean slowdown by size: does favouring small jobs starve the large ones?
local result = pinion.run {
    model = "tandem", policy = "maxsrpt", workload = work,
    slowdown_by_size = { buckets = 5, width = 2 },
}
print()
for _, bucket in ipairs(result.slowdown_by_size) do
    print(string.format("size %g to %s: %d jobs, mean slowdown %.2f", bucket.from,
        bucket.to or "any", bucket.count, bucket.mean))
end
