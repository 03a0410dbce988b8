-- What an independent simulator found in the settings of Zheng, Shroff, Sinha (2013), under the
-- rules of the slotted model. The paper's figures print no numbers, so these are what our runs are
-- held to. Every number here is a literal of that simulator; none is ours.

return {
    SEEDS = 200,

    ---Figures 5 to 8: mean ratio of the total flow time to the SRPT bound over 200 seeds and its
    ---standard deviation, where it was noted.
    efficiency = {
        [0] = {
            preemptive = { fifo = { 2.942, .27 }, fair = { 2.628, .33 }, lrpt = { 7.03, 2.6 },
                asrpt = { 1.418, .075 },
                dsrpt = { 1.449 },
                           psrpt = { 1.414 }, lb2 = { 1.256 } },
            nonpreemptive = { fifo = { 3.565, .18 }, fair = { 3.968, .22 }, lrpt = { 7.23, 2.4 },
                asrpt = { 2.948, .26 },
                psrpt = { 2.856 },
                              lb2 = { 2.372 } },
        },
        {
            preemptive = { fifo = { 2.213, .22 }, fair = { 2.530, .32 }, lrpt = { 8.11, 3.0 },
                asrpt = { 1.497, .097 },
                dsrpt = { 1.844 },
                           psrpt = { 1.393 }, lb2 = { 1.229 } },
            nonpreemptive = { fifo = { 2.598, .16 }, fair = { 2.804, .25 }, lrpt = { 8.10, 2.8 },
                asrpt = { 1.992, .19 },
                psrpt = { 1.813 },
                              lb2 = { 1.507 } },
        },
        {
            preemptive = { fifo = { 2.162, .12 }, fair = { 2.258, .08 }, lrpt = { 3.24, .57 },
                asrpt = { 1.396, .074 },
                dsrpt = { 1.429 },
                           psrpt = { 1.395 }, lb2 = { 1.178 } },
            nonpreemptive = { fifo = { 2.835, .25 }, fair = { 3.373, .16 }, lrpt = { 3.86, .31 },
                asrpt = { 2.661, .31 },
                psrpt = { 2.650 },
                              lb2 = { 2.254 } },
        },
        {
            preemptive = { fifo = { 1.524, .03 }, fair = { 2.099, .07 }, lrpt = { 3.58, .64 },
                asrpt = { 1.410, .068 },
                dsrpt = { 1.573 },
                           psrpt = { 1.350 }, lb2 = { 1.157 } },
            nonpreemptive = { fifo = { 1.878, .09 }, fair = { 2.296, .03 }, lrpt = { 3.76, .57 },
                asrpt = { 1.751, .13 },
                psrpt = { 1.706 },
                              lb2 = { 1.385 } },
        },
    },

    ---Figures 5 to 8 without preemption by the number of reduce tasks, in place of 10 at most:
    ---ASRPT's ratio to the SRPT bound, and FIFO's to ASRPT's.
    tasks = {
        uniform = { [0] = { 6.19, 1.06 }, { 3.36, 1.14 }, { 5.73, 1.02 }, { 2.93, 1.03 } },
        one = { [0] = { 17.9, 1.00 }, { 7.9, 1.05 }, { 16.9, 1.00 }, { 7.1, 1.01 } },
    },
    ---Figure 5 with preemption, exponential sizes rounded to the nearest integer and down: ASRPT's
    ---and LRPT's ratio to the SRPT bound.
    rounding = { nearest = { 1.451, 6.3 }, down = { 1.486, 5.7 } },

    ---Figure 9: the same ratio in setting 3 by the number of slots, over 40 seeds; two decimals but
    ---for preemptive ASRPT.
    convergence = {
        seeds = 40,
        slots = { 25, 100, 200, 500, 800, 1600, 3200 },
        preemptive = {
            asrpt = { 1.527, 1.457, 1.435, 1.416, 1.409, 1.378, 1.376 },
            fifo = { 1.57, 1.54, 1.54, 1.53, 1.52, 1.52, 1.52 },
            fair = { 1.90, 2.04, 2.07, 2.09, 2.10, 2.13, 2.14 },
            lrpt = { 2.36, 3.06, 3.29, 3.50, 3.57, 3.95, 3.98 },
        },
        nonpreemptive = {
            asrpt = { 2.00, 1.84, 1.80, 1.77, 1.75, 1.69, 1.69 },
            lrpt = { 2.70, 3.28, 3.48, 3.68, 3.74, 4.08, 4.11 },
        },
    },

    ---Figures 10 to 13: flow times at `levels` over the jobs of 100 seeds.
    levels = { .5, .9, .99, .999, 1 },
    quantiles = {
        seeds = 100,
        [0] = {
            preemptive = { fifo = { 6, 14, 22, 28, 31 }, fair = { 4, 14, 36, 63, 140 },
                lrpt = { 5, 50, 180, 342, 451 },
                           asrpt = { 2, 5, 27, 107, 334 }, psrpt = { 2, 5, 27, 107, 334 } },
            nonpreemptive = { fifo = { 7, 17, 27, 36, 59 }, fair = { 7, 21, 45, 73, 154 },
                lrpt = { 8, 44, 178, 358, 445 },
                              asrpt = { 5, 14, 39, 97, 297 }, psrpt = { 5, 14, 37, 98, 266 } },
        },
        {
            preemptive = { fifo = { 4, 11, 23, 34, 39 }, fair = { 4, 14, 37, 68, 125 },
                lrpt = { 7, 59, 197, 343, 404 },
                           asrpt = { 2, 5, 28, 115, 373 }, psrpt = { 2, 5, 28, 113, 373 } },
            nonpreemptive = { fifo = { 5, 12, 24, 35, 42 }, fair = { 5, 15, 38, 69, 124 },
                lrpt = { 7, 56, 194, 343, 404 },
                              asrpt = { 3, 8, 31, 116, 381 }, psrpt = { 3, 7, 30, 115, 381 } },
        },
        {
            preemptive = { fifo = { 5, 9, 14, 20, 25 }, fair = { 4, 12, 22, 34, 45 },
                lrpt = { 3, 20, 89, 188, 297 },
                           asrpt = { 2, 5, 27, 80, 218 }, psrpt = { 2, 5, 27, 79, 218 } },
            nonpreemptive = { fifo = { 7, 11, 16, 22, 29 }, fair = { 7, 15, 26, 37, 48 },
                lrpt = { 7, 15, 83, 176, 298 },
                              asrpt = { 6, 10, 28, 71, 224 }, psrpt = { 6, 10, 28, 71, 198 } },
        },
        {
            preemptive = { fifo = { 4, 7, 12, 15, 18 }, fair = { 4, 10, 20, 27, 35 },
                lrpt = { 4, 23, 89, 186, 316 },
                           asrpt = { 2, 5, 26, 76, 220 }, psrpt = { 2, 5, 25, 74, 220 } },
            nonpreemptive = { fifo = { 4, 8, 13, 16, 19 }, fair = { 5, 11, 20, 27, 35 },
                lrpt = { 4, 22, 87, 185, 338 },
                              asrpt = { 3, 6, 27, 77, 221 }, psrpt = { 3, 6, 26, 75, 221 } },
        },
    },
    ---Share of the jobs with a flow time of at most 100, what Figures 10 to 13 show: least and
    ---largest of the eight cells.
    within_100 = { asrpt = { .9985, 1 }, lrpt = { .953, .994 } },

    ---The Quick Example: constant c0, small jobs Q, total flow time of a work-conserving scheduler
    ---(of LRPT for c0 = 2) and of the paper's S2.
    example = {
        { c0 = 2, jobs = 9, total = 200, best = 57, lrpt_ratio = 4.14, srpt = 56 },
        { c0 = 3, jobs = 16, total = 578, best = 99 },
        { c0 = 5, jobs = 36, total = 2738, best = 219 },
    },

    ---Theorems 2 and 3 by setting and arrival rate, with the decimals that were noted.
    bounds = {
        { setting = 2, rate = 2, b1 = 2.13e4, epsilon = 1.04, decay = .0083, b2 = 1.77e7,
            denominator = 2, theorem2 = 2.35e8,
            theorem3 = 2.36e8 },
        { setting = 3, rate = 2, theorem2 = 9.6e7 },
        { setting = 2, rate = 1, theorem2 = 6.9e4 },
        { setting = 3, rate = 1, theorem2 = 9.2e3 },
    },

    ---Theorem 4: mean flow time of DSRPT beyond SRPT's by setting, in slots, over T = 10,000 slots.
    delay = { slots = 10000, up = { [0] = 1.07, 2.14, 1.06, 1.46 }, nearest = { 2.05 },
        down = { 1.98 } },

    ---Theorem 4: bursts inside the model, T = 60,000 slots; ratios of total flow times.
    bursts = {
        slots = 60000,
        { machines = 40, burst = 20, chance = .01, giant = .05, giant_maps = 2000, load = .51,
          ratios = { { "dsrpt", "psrpt", 6.5 }, { "asrpt", "psrpt", 3.6 },
              { "dsrpt", "lower", 7.3 }, { "asrpt", "lower", 4.1 },
                     { "fair", "psrpt" }, { "dspt", "tight", 1.006, most = true },
                     { "psrpt", "tight", 1.006, most = true } } },
        { machines = 100, burst = 49, chance = .005, giant = .02, giant_maps = 10000,
          ratios = { { "dsrpt", "psrpt", 13.8 }, { "asrpt", "psrpt", 6.7 }, { "dsrpt", "lower" },
              { "asrpt", "lower" },
                     { "fair", "psrpt", 1.45 }, { "dspt", "tight", 1.006, most = true },
                     { "psrpt", "tight", 1.006, most = true } } },
    },

    ---Theorem 4: fixed jobs, all in slot 1: small ones (1 map, 1 reduce) and one giant; total flow
    ---times.
    fixed = {
        { machines = 2, small = 1, giant_maps = 200, asrpt = 203, best = 104 },
        { machines = 20, small = 10, giant_maps = 2000, asrpt = 1112, best = 122 },
    },

    ---LB2: ASRPT's mean ratio to it, least and largest of the four settings.
    over_lb2 = { preemptive = { 1.13, 1.22 }, nonpreemptive = { 1.19, 1.32 } },
}
