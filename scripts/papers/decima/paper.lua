-- Mao, Schwarzkopf, Venkatakrishnan, Meng, Alizadeh: Learning Scheduling Algorithms for Data
-- Processing Clusters (2019), called Decima: its baselines.

local baselines = require "decima.baselines"
local executors = require "decima.executors"

---@type pinion.Paper
return {
    name = "decima", title = "Learning Scheduling Algorithms for Data Processing Clusters",
    authors = "H. Mao, M. Schwarzkopf, S. B. Venkatakrishnan, Z. Meng, M. Alizadeh",
    venue = "ACM SIGCOMM 2019",
    reproduces = "the ranking of the baselines of Section 7.2 on TPC-H queries, in a batch and "
        .. "over time",
    seeds = 20, seed_least = 1, seed_most = 1000000000,
    trace = "all sections: profiles of TPC-H queries",
    sections = { baselines.batch, baselines.poisson, executors.section },
    left_out = {
        { what = "the learnt policy", why = "it is a neural network that is trained in a simulator "
            .. "of its own" },
        { what = "Graphene", why = "it plans whole graphs offline; it is no order of jobs" },
        { what = "the tuning of alpha", why = "the best value that the paper names is taken" },
        { what = "waves that start slowly, and tasks that take longer beside others",
          why = "the profiles are of one number of executors" },
    },
}
