-- What Tian, Luo, Tian, Chen print, and what an independent simulator under the rules of the
-- makespan model found ("reference", computed exactly). Every number here is a literal of one of
-- the two; none is ours. Exact values are texts such as "107/3".

return {
    ---Table 1, on 30 x 30 slots: requested slots and stage durations of J1 to J5.
    table1 = {
        slots = 30,
        jobs = {
            { map_slots = 30, reduce_slots = 30, map_time = 4, reduce_time = 5 },
            { map_slots = 30, reduce_slots = 30, map_time = 1, reduce_time = 4 },
            { map_slots = 20, reduce_slots = 20, map_time = 30, reduce_time = 4 },
            { map_slots = 20, reduce_slots = 20, map_time = 6, reduce_time = 30 },
            { map_slots = 30, reduce_slots = 30, map_time = 2, reduce_time = 3 },
        },
        order = { 2, 5, 1, 4, 3 },
        ---UAAS's durations of the two jobs that request 20 slots, and the time that its reduce
        ---slots wait, as printed.
        paper_fluid = { { job = 3, map = "20", reduce = "8/3" },
            { job = 4, map = "4", reduce = "20" } }, paper_x1 = "1",
        ---Terms of formula (1)-(2) in UAAS's order.
        sum_reduce = "104/3", k = { "1", "-1", "0", "-1", "-1" },
        ---Makespans, and the paper's where it prints one.
        makespan = {
            mk_jr = { paper = "47", exact = "47" },
            uaas = { paper = "107/3", printed = "35 2/3", exact = "107/3" },
            as_is = { exact = "47" }, pool1 = { paper = "39", exact = "39" },
            pool2 = { paper = "40", exact = "40" },
            partition = { exact = "40" }, order = { exact = "41" }, optimum = { exact = "40" },
        },
        best_order = { 2, 4, 3, 5, 1 },
        ---The paper's pools: jobs as Table 1 has it, and as the text does.
        pools = { { nodes = 10, jobs = { 1, 2, 5 } }, { nodes = 20, jobs = { 3, 4 } } },
        paper_pool2 = "J2 and J3",
        ---"Smaller" by so much, as printed, in percent; and with which rounded makespan that comes
        ---about.
        smaller = { { than = "mk_jr", printed = "31.76" }, { than = "pool2", printed = "12.14" } },
        paper_rounded = "35.67",
    },

    ---The example with 5 and 4 nodes of 2 map and 2 reduce slots.
    nodes = {
        slots = 2,
        jobs = {
            { map_slots = 10, reduce_slots = 1, map_time = 9, reduce_time = 10 },
            { map_slots = 8, reduce_slots = 1, map_time = 11, reduce_time = 15 },
        },
        [5] = {
            uaas = { order = { 2, 1 }, paper = "94/5", printed = "18.8", exact = "94/5" },
            ---By job: map and reduce.
            fluid = { { "9", "1" }, { "44/5", "3/2" } },
            printed_fluid = "(8.8,1.5) and (9,1), after \"J2-J1\"",
            as_is = "30", optimum = "30", best_order = "30",
            mk_jr = { order = { 1, 2 }, paper = "35", exact = "35" },
            reestimated = { order = { 1, 2 }, exact = "35" },
            larger = { printed = "86.17" },
            ---14.67 is 44/3 rounded.
            pools = { 2, 3 }, printed_pools = "(22.5,10) and (14.67,15)",
            paper_pools = { { "45/2", "10" }, { "44/3", "15" } },
            ---Capped fluid stages: durations and ends by job. Whole tasks: map stages and ends.
            pool_durations = { { "45/2", "10" }, { "44/3", "15" } }, pool_ends = { "65/2", "89/3" },
            whole_durations = { { "27", "10" }, { "22", "15" } }, whole_ends = { "37", "37" },
        },
        [4] = {
            uaas = { order = { 2, 1 }, paper = "47/2", printed = "23.5", exact = "47/2" },
            fluid = { { "45/4", "5/4" }, { "11", "15/8" } },
            printed_fluid = "(11.25,1.25) and (11,1.875), after \"J2-J1\"",
            as_is = "39", optimum = "37", best_order = "39",
            mk_jr = { order = { 1, 2 }, paper = "43", exact = "44" },
            reestimated = { order = { 2, 1 }, exact = "39" },
            capped = { { order = { 1, 2 }, exact = "149/4" }, { order = { 2, 1 }, exact = "36" } },
            larger = { printed = "82.97" },
            pools = { 2, 2 }, printed_pools = "(32.5,10) and (37,10)",
            paper_pools = { { "65/2", "10" }, { "37", "10" } },
            pool_durations = { { "45/2", "10" }, { "22", "15" } }, pool_ends = { "65/2", "37" },
            whole_durations = { { "27", "10" }, { "22", "15" } }, whole_ends = { "37", "37" },
        },
    },

    ---Theorem 1 on 20,000 tiny instances: the reference's own, so shares differ a little.
    tiny = {
        instances = 20000, slots = { 1, 3 }, jobs = { 2, 4 },
        uaas_optimal = 68.9, uaas_worst = "16/11", order_optimal = 79.4, order_worst = "11/8",
    },

    ---Theorem 2: sizes of its instance, and slots of ours against its algorithm.
    theorem2 = {
        c0 = { 10, 100, 1000 }, paper_ratio = "3",
        slots = { 2, 3, 4, 6, 12 }, worst_slots = 6, worst_exclusive = "7/2",
    },

    ---Theorem 3: two jobs whose order depends on the ratio of the slots.
    theorem3 = {
        jobs = { { maps = { count = 10, duration = 1 }, reduces = { count = 20, duration = 1 } },
                 { maps = { count = 10, duration = 3 }, reduces = { count = 10, duration = 4 } } },
        ---Scaled by one factor, as the proof has it.
        scaled = { { 10, 10 }, { 20, 20 }, { 40, 40 } },
        orders = { { 10, 10, { 1, 2 } }, { 10, 40, { 2, 1 } } },
    },

    ---Theorem 4: the best division of so many slots, on Table 1.
    theorem4 = {
        best = { { total = 6, maps = 3 }, { total = 12, maps = 6 }, { total = 24, maps = 12 },
            { total = 60, maps = 29 },
                 { total = 120, maps = 58 }, { total = 600, maps = 290 } },
        ---Slots times makespan, from 60 slots on.
        scaled_from = 60, scaled = 2078.98,
        ---More slots, larger makespan: jobs, order, slots.
        anomaly = {
            jobs = { { maps = { 2, 1, 1 }, reduces = { 3 } }, { maps = { 5 }, reduces = { 2, 5 } },
                { maps = { 5 }, reduces = { 6, 5,
                1 } } },
            order = { 3, 2, 1 }, slots = { { 2, 3, "13" }, { 3, 3, "15" } },
        },
    },

    ---Our bound: the instance on which pM + pR does not do.
    bound = {
        jobs = { { reduces = { 4, 4, 4 } },
            { maps = { count = 20, duration = "1/10" }, reduces = { 2, 2, 2, 4 } } },
        order = { 1, 2 }, maps = 1, reduces = 6, makespan = "8", fluid = "11/3",
    },

    ---Section 5 of the rules: mean gap over the lower bound in percent, by family; the reference
    ---drew its own jobs.
    families = {
        names = { "rand_many", "rand_few", "one_wave", "t1_like", "straggler", "fb_mild",
            "fb_lognorm" },
        columns = { "random", "uaas", "uaas_lpt", "waves", "pools", "portfolio", "neh", "search" },
        rand_many = { 13.20, 2.08, 1.80, 1.11, 0.68, 0.51, 0.36, 0.24 },
        rand_few = { 18.50, 7.60, 6.72, 3.83, 2.70, 1.91, 1.40, 1.08 },
        one_wave = { 17.82, 3.40, 3.40, 3.15, 2.94, 2.09, 1.96, 1.10 },
        t1_like = { 30.93, 20.36, 20.36, 20.40, 17.05, 15.77, 13.01, 11.23 },
        straggler = { 23.61, 11.46, 7.59, 11.44, 2.93, 5.34, 2.70, 2.36 },
        fb_mild = { 20.53, 2.51, 2.59, 2.16, 1.09, 1.73, 0.26, 0.21 },
        fb_lognorm = { 28.87, 5.45, 4.87, 4.01, 2.79, 2.44, 1.81, 1.39 },
        ---Where waves estimates order better than fluid ones.
        waves_better = { "rand_many", "rand_few", "one_wave", "fb_mild", "fb_lognorm" },
        ---UAAS's order with exclusive stages, from and to over the families.
        exclusive = { 35, 162 },
    },
}
