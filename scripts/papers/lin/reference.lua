-- What Lin, Zhang, Wierman, Tan (2013) print, and what an independent simulator under the rules of
-- the tandem model found. Every number here is a literal of one of the two; none is ours. Decimals
-- are those that were noted.

return {
    ---Jobs behind each number of Section 5.3: the paper's run, and the reference's five.
    PAPER_JOBS = 50000000,
    JOBS = 50000000,

    ---Section 2.1, Figures 2 and 3: first come, first served at both stations. The paper gives the
    ---points of Figure 2 only.
    example = {
        jobs = { { arrival = 0, map = 1, shuffle = 2 }, { arrival = 0, map = 3, shuffle = 1 },
            { arrival = 0, map = 2, shuffle = 2 } },
        overlap = { paper_kinks = { 1, 2.5, 4, 6 },
            paper_point = { time = 2.5, job = 2, mapped = 1.5, shuffled = .5 },
                    paper_rate = { from = 2.5, to = 4, rate = 1 / 3 }, finishes = { 2, 4, 6 },
                    total = 12 },
        traditional = { finishes = { 3, 5, 8 }, total = 16 },
        ---The same jobs under other policies: totals.
        others = { { "maxsrpt", 12 }, { "maxsrpt_strict", 12 }, { "split_none", 16 },
            { "split_empty", 15 }, { "splitsrpt", 14 },
                   { "ps", 74 / 5 }, { "srptmap", 12 } },
        lower_bound = 10, lower_bound_tight = 11.5,
    },

    ---Section 2.2, Figure 4: maps first come, first served, shuffles share. As the text calls the
    ---third job (the size of the first), and as it is printed (the size of the second).
    figure4 = {
        { third = { map = 7, shuffle = 11 }, what = "corrected", map_kinks = { 7, 17, 24 },
            backlog_gone = 89 / 7,
          finishes = { 89 / 7, 17, 28 }, traditional = { 19, 21, 35 } },
        { third = { map = 10, shuffle = 3 }, what = "as printed", backlog_gone = 89 / 7,
            finishes = { 89 / 7, 17, 27 } },
        first = { map = 7, shuffle = 11 }, second = { map = 10, shuffle = 3 },
    },

    ---Theorem 2: ratio of the total response time to that of the paper's schedule, by k; with two
    ---decimals unless noted.
    theorem2 = {
        k = { 3, 4, 5, 6, 8, 12 },
        ---Share of k^2 that must be mapped of the large jobs by k^2 for the adversary's case 1.
        share = 1 / 5,
        ---Map work of the large jobs by time k^2, in units of k^2.
        mapped = { maxsrpt = 0, srptmap = 0, fcfs = 0, splitsrpt = 2 / 5 },
        case = { maxsrpt = { 2, 2, 2, 2, 2, 2 }, srptmap = { 2, 2, 2, 2, 2, 2 },
            fcfs = { 2, 2, 2, 2, 2, 2 },
                 splitsrpt = { 1, 1, 1, 1, 1, 1 }, ps = { 1, 1, 2, 2, 2, 2 } },
        ratios = {
            { policy = "maxsrpt", case = 2, values = { 1.18, 1.30, 1.43, 1.57, 1.86, 2.46 } },
            { policy = "splitsrpt", case = 1, values = { 1.87, 2.42, 3.00, 3.61, 4.87, 7.46 } },
            { policy = "split_none", case = 1, decimals = 1,
                values = { 2.6, nil, nil, nil, nil, 26.5 } },
            { policy = "ps", case = 2, values = { 1.57, 1.82, 2.09, 2.38, 2.96, 4.15 } },
            { policy = "splitsrpt", case = 2, values = { .96 } },
            { policy = "bsrpt", case = 2, decimals = 3,
                values = { nil, nil, nil, nil, nil, 2.457 } },
        },
    },

    ---Corollary 4: ratio of MaxSRPT to the paper's schedule by alpha; the limit is 2 alpha / (1 +
    ---alpha).
    corollary4 = {
        epsilon = .01, alpha = { 2, 5, 20 }, n = { 20, 100, 500, 4000 },
        ratios = { [20] = { 1.308, 1.613, 1.825 }, [4000] = { 1.3282, 1.6639, 1.9036 } },
        bsrpt = { alpha = 5, ratio = 1.066 },
    },

    ---Corollary 6: ratio of SplitSRPT to the paper's schedule by beta; the limit is 1 + 1/beta.
    corollary6 = {
        beta = { 1.5, 2, 5 }, n = { 20, 100, 500, 2000 },
        ratios = { [20] = { 1.528, 1.375, 1.100 }, [2000] = { 1.6650, 1.4985, 1.1988 } },
    },

    ---Random batches of up to six jobs against the best common order: worst and mean ratio, where
    ---they were noted. The worst found by hill climbing in brackets. Other instances than ours, so
    ---only the order of magnitude can agree.
    batch = {
        instances = 400, most = 6,
        worst = { maxsrpt = { 1.31, 1.575 }, split_none = { 2.00 }, splitsrpt = { 1.38, 1.60 },
            bsrpt = { 1.18, 1.24 } },
        mean = { maxsrpt = 1.021, bsrpt = 1.007 },
        ---Two orders, one per station, against the best common one.
        two_orders = { instances = 60, better = 4, most = .033 },
    },

    ---Theorems 3 and 5: worst ratio to our bound over random instances at the speeds of the
    ---theorems.
    speed = { instances = 400,
        worst = { maxsrpt = 1.0000, maxsrpt_strict = 1.0000, split_none = 1.0000,
        splitsrpt = .853 },
                bsrpt = { speed = 2, instances = 3359, worst = .59 } },

    ---Standard deviations: of map sizes, of the ratio as Sections 5.3 and 5.1 have it, of shuffle
    ---sizes; all means are 1. The share of map-heavy jobs of the trace.
    sizes = { map_sd = 3.65, ratio_sd = 3.28, ratio_sd_51 = 3.65, shuffle_sd = 12.95,
        map_heavy = .8 },

    ---Section 5.1: jobs of the paper's trace, its days, jobs in a mean hour and in the busiest, and
    ---how many times the capacity this is to be at a load.
    arrivals = { jobs = 80000, days = 29, mean = 110, peak = 300, load = .75, times = 2 },

    ---Section 5.3: mean response times by load. `half` is that of the reference's 95 % interval
    ---over its five runs.
    loads = { .75, .90 },
    response = {
        klps = { paper = { 6.50, 16.28 }, reference = { 6.577, 16.75 }, half = { .048, .47 } },
        maxsrpt = { paper = { 3.32, 5.58 }, reference = { 3.332, 5.543 }, half = { .013, .060 } },
        splitsrpt = { paper = { 3.55, 5.66 }, reference = { 3.535, 5.610 }, half = { .016, .067 } },
        srptmap = { reference = { 3.454, 5.295 } },
        srptsum = { reference = { 3.344, 5.488 } },
        bsrpt = { reference = { 3.185, 4.869 }, half = { .013, .056 } },
        xmax = { reference = { 3.207, 4.896 } },
        lower = { reference = { 2.365, 3.291 } },
        tight = { reference = { 2.790, 3.850 } },
    },
    ---Ratios of two policies on the same jobs.
    ratios = {
        { "splitsrpt", "maxsrpt", paper = { 1.069, 1.014 }, reference = { 1.0610, 1.0120 },
            half = { .0007, .0016 } },
        { "bsrpt", "maxsrpt", reference = { .9560, .8784 }, half = { .0004, .0018 } },
    },

    ---Readings of the paper's text that its experiments rule out: mean response times of one run.
    readings = {
        jobs = 1000000,
        maxsrpt_strict = { 145, 1431 }, split_none = { 2282 }, split_empty = { 2081 },
        klps_rigid = { 9.9, 37 },
    },

    ---Figure 9: slowdowns by size, 400 buckets of .25. Smallest bucket and the sizes from 75 to
    ---100; where SplitSRPT falls below MaxSRPT; how far MaxSRPT takes less than half of k-LPS.
    slowdown = {
        buckets = 400, width = .25, jobs = 30000000,
        ends = { maxsrpt = { { 1.03, 3.18 }, { 1.03, 7.00 } },
            splitsrpt = { { 1.38, 2.84 }, { 1.50, 5.19 } },
                 bsrpt = { { nil, 2.90 }, { nil, 5.43 } },
                 klps = { { 4.24, 4.14 }, { 10.8, 10.6 } } },
        crossing = { 20, 26 },
        half_of_klps = 11,
        ---Share of the jobs up to a size: the paper's rounding, and the reference.
        shares = { { 3, paper = .90, reference = .905 }, { 19, paper = .99, reference = .9895 } },
    },

    ---Figure 7: mean response time over the paper's bound by load, from 2e6 jobs; the same over our
    ---bound.
    relative = {
        jobs = 2000000, loads = { .1, .2, .3, .4, .5, .6, .75 },
        pair = {
            maxsrpt = { 1.035, 1.074, 1.116, 1.162, 1.216, 1.279, 1.407 },
            splitsrpt = { 1.046, 1.097, 1.153, 1.213, 1.279, 1.354, 1.490 },
            klps = { 1.089, 1.197, 1.327, 1.492, 1.705, 1.991, 2.740 },
        },
        pair_tight = { maxsrpt = { 1.005, 1.013, 1.025, 1.041, 1.065, 1.100, 1.196 } },
        -- First and last load.
        balanced = {
            maxsrpt = { 1.012, nil, nil, nil, nil, nil, 1.129 },
            splitsrpt = { 1.034, nil, nil, nil, nil, nil, 1.377 },
            klps = { 1.069, nil, nil, nil, nil, nil, 2.354 },
        },
    },
    ---Map and shuffle sizes drawn independently, log-normal with mean 1 and sd 3.65: mean response
    ---times by load.
    independent = { sd = 3.65, loads = { .2, .4, .6, .75, .9 },
        splitsrpt = { nil, nil, nil, 3.74, 5.74 },
                      maxsrpt = { nil, nil, nil, 3.92, 6.53 } },

    ---How far above an optimal schedule a policy can be at most, by load: by our bound and by the
    ---paper's.
    above_optimal = {
        maxsrpt = { tight = { .19, .44 }, lower = { .41, .68 } },
        bsrpt = { tight = { .14, .26 } },
    },
    ---A heavier load.
    heavy = { load = .95, bsrpt = 7.03, maxsrpt = 9.18, splitsrpt = 8.37 },
    ---Where bsrpt is not the best: nearly constant map sizes and a ratio with sd 10; and by how
    ---much at most it is above MaxSRPT on balanced sizes up to a load.
    boundaries = {
        constant = { load = .90, sd = 10, splitsrpt = 6.235, bsrpt = 6.262, xmax = 5.991 },
        balanced = { load = .6, most = .003 },
    },
}
