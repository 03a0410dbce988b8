-- Tian, Luo, Tian, Chen: On Dynamic Job Ordering and Slot Configurations for Minimizing the
-- Makespan of Multiple MapReduce Jobs. Its sections, in its order, then what goes beyond it.

local bound = require "tian.bound"
local completion = require "tian.completion"
local errata = require "tian.errata"
local families = require "tian.families"
local nodes = require "tian.nodes"
local observations = require "tian.observations"
local online = require "tian.online"
local slots = require "tian.slots"
local table1 = require "tian.table1"
local tiny = require "tian.tiny"
local unbounded = require "tian.unbounded"
local whole = require "tian.whole"

---@type pinion.Paper
return {
    name = "tian",
    title = "On Dynamic Job Ordering and Slot Configurations for Minimizing the Makespan of "
        .. "Multiple MapReduce Jobs",
    authors = "W. Tian, G. Luo, L. Tian, A. Chen", venue = "a short paper",
    reproduces = "Table 1 and Example 1, Figures 1 and 2, the example of 5 and 4 nodes, Theorems "
        .. "1 to 4, Observations 1 to 5",
    seeds = 40, jobs = 20000, jobs_least = 10, unit = "tiny instance",
    sections = {
        table1.table1, observations.observations, tiny.theorem1, unbounded.theorem2,
        whole.whole, slots.theorem3, nodes.nodes, slots.theorem4, bound.bound, families.families,
        completion.completion, online.online, errata.errata,
    },
    left_out = {
        { what = "tests in a real Hadoop environment",
          why = "the paper says that it ran them and that it does not provide their results" },
        { what = "FLEX, ARIA, Capacity and the other schedulers of the introduction",
          why = "the paper names them and does not compare with them" },
        { what = "shares of slots that move between the jobs that have come",
          why = "the paper names online jobs as future work and has no rule for them; the "
              .. "section online has orders alone" },
    },
}
