-- Pastorelli, Barbuzzi, Carra, Dell'Amico, Michiardi: HFSP: Size-based Scheduling for Hadoop
-- (2013).

local errors = require "hfsp.errors"

---@type pinion.Paper
return {
    name = "hfsp", title = "HFSP: Size-based Scheduling for Hadoop",
    authors = "M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi",
    venue = "IEEE BigData 2013",
    reproduces = "what its policy does to completion times against Fair and FIFO, and with errors "
        .. "of sizes",
    seeds = 20, seed_least = 1, seed_most = 1000000000,
    sections = { errors },
    left_out = {
        { what = "the experiments on 36 and 100 machines",
          why = "their logs are not public; the workload is made up here" },
        { what = "training of sizes, and preemption by suspending tasks",
          why = "this model has estimates on arrival, and does not suspend tasks" },
    },
}
