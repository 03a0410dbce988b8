-- Grandl, Ananthanarayanan, Kandula, Rao, Akella: Multi-Resource Packing for Cluster Schedulers
-- (2014). Its sections, in its order, then what goes beyond it.

local example = require "tetris.example"
local packing = require "tetris.packing"

---@type pinion.Paper
return {
    name = "tetris", title = "Multi-Resource Packing for Cluster Schedulers",
    authors = "R. Grandl, G. Ananthanarayanan, S. Kandula, S. Rao, A. Akella",
    venue = "ACM SIGCOMM 2014",
    reproduces = "the motivating example, and the policy of Sections 3.2 and 3.3",
    seeds = 20, seed_least = 1, seed_most = 1000000000,
    sections = { example.example, packing },
    left_out = {
        { what = "the deployment on 250 machines and the simulations of Section 5",
          why = "the trace behind both is not public" },
        { what = "the fairness knob of Section 3.4 and barrier hints",
          why = "they choose among what the policy ranks; the model has the ranking alone" },
        { what = "estimates of demands and what the disks and the network do",
          why = "demands are given here, and a task holds what it asks for" },
    },
}
