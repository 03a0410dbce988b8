-- Ghodsi, Zaharia, Hindman, Konwinski, Shenker, Stoica: Dominant Resource Fairness: Fair Allocation
-- of Multiple Resource Types (2011). Its sections, in its order, then what goes beyond it.

local example = require "drf.example"
local properties = require "drf.properties"
local slots = require "drf.slots"

---@type pinion.Paper
return {
    name = "drf",
    title = "Dominant Resource Fairness: Fair Allocation of Multiple Resource Types",
    authors = "A. Ghodsi, M. Zaharia, B. Hindman, A. Konwinski, S. Shenker, I. Stoica",
    venue = "USENIX NSDI 2011",
    reproduces = "the example of Section 4.1, Figure 3, Table 1, and Table 2 but for CEEI",
    seeds = 20, seed_least = 1, seed_most = 1000000000,
    sections = { example.example, properties.properties, slots },
    left_out = {
        { what = "CEEI", why = "it is no order of jobs: it solves a program over all users" },
        { what = "Figures 4 to 10, the cluster of 48 nodes and the simulated Facebook trace",
          why = "their jobs and logs are not public" },
        { what = "the proofs", why = "the section properties tries what they prove" },
    },
}
