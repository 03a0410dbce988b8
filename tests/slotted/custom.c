/* Policies of one's own in all three forms, against a simulator that looks at every job in every
 * slot and asks a rule whom to serve. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "slotted/support/plain.h"

enum { JOBS = 60, MACHINES = 9 };

/* ---- comparing ---- */

static void check(const pn_slotted_policy *policy, const plain_rule *rule)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        slotted_workload work = slotted_new(
            JOBS, seed, (slotted_shape){.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5});
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            pn_slotted_config config = slotted_config(&work, MACHINES, reduce);
            config.stretches_max = (uint32_t)work.count * SLOTTED_WORKLOAD_TASKS;
            config.policy = policy;
            uint64_t digest = slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = policy},
                                             NULL);
            assert_int_equal(digest, plain_run(&work, MACHINES, reduce, rule));
        }
        slotted_free(&work);
    }
}

/* ---- a key: the last first ---- */

/* The key arrives as {0, id}. */
static void by_id_falling(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    assert_true(key->word[0] == 0 && key->word[1] == pn_slotted_id(view, job));
    key->word[0] = 3;
    key->word[1] = UINT64_MAX - pn_slotted_id(view, job);
}

static bool later(const plain_job *a, const plain_job *b, uint64_t slot)
{
    (void)slot;
    return a->id > b->id;
}

static const pn_slotted_policy lifo = {
    .name = "lifo",
    .preemptive = 1,
    .nonpreemptive = 1,
    .order_count = 1,
    .orders = {{by_id_falling, PN_SLOTTED_CHANGES_ON_ARRIVAL,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0}},
};

static void a_key_policy(void **unused)
{
    (void)unused;
    check(&lifo, &(plain_rule){.before = later});
}

/* ---- shares by weight ---- */

static uint64_t weight_of(const pn_slotted_view *view, uint32_t job)
{
    return 1 + pn_slotted_id(view, job) % 4;
}

static bool smaller_share(const plain_job *a, const plain_job *b, uint64_t slot)
{
    uint64_t x = (a->held + a->given) * b->weight;
    uint64_t y = (b->held + b->given) * a->weight;
    (void)slot;
    return x != y ? x < y : a->id < b->id;
}

static void shares_by_weight(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_fair();
    (void)unused;
    policy.name = "weighted";
    policy.weight = weight_of;
    check(&policy, &(plain_rule){.before = smaller_share, .one_by_one = true});
}

/* The same machines one by one, but said in an act. */
static int act_by_shares(pn_slotted_view *view)
{
    return pn_slotted_share(view, 0, PN_SLOTTED_ALL_IDLE);
}

static void an_act_that_shares(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_fair();
    (void)unused;
    policy.name = "acting";
    policy.weight = weight_of;
    policy.act = act_by_shares;
    check(&policy, &(plain_rule){.before = smaller_share, .one_by_one = true});
}

/* ---- keys that move with time ---- */

enum { SCALE = 1 << 16 };

static uint64_t ratio(uint64_t remaining, uint64_t arrival, uint64_t slot)
{
    return remaining * SCALE / (slot - arrival + 1);
}

/* What remains against how long the job has waited: jobs overtake each other while nobody serves
 * them. */
static void by_ratio(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = ratio(pn_slotted_remaining(view, job), pn_slotted_arrival(view, job),
                         pn_slotted_slot(view));
}

/* The same in the second word alone. */
static void by_second_word(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    pn_key other;
    by_ratio(view, job, &other);
    key->word[1] = other.word[0];
}

static bool smaller_ratio(const plain_job *a, const plain_job *b, uint64_t slot)
{
    uint64_t x = ratio(a->maps + a->reduces, a->arrival, slot);
    uint64_t y = ratio(b->maps + b->reduces, b->arrival, slot);
    return x != y ? x < y : a->id < b->id;
}

static const pn_slotted_policy aging = {
    .name = "aging",
    .preemptive = 1,
    .nonpreemptive = 1,
    .order_count = 1,
    .orders = {{by_ratio, PN_SLOTTED_CHANGES_WITH_TIME,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0}},
};

static int act_along_the_tree(pn_slotted_view *view)
{
    int status = PN_OK;
    uint32_t job = PN_NO_JOB;
    while (status == PN_OK && pn_slotted_idle(view) > 0 &&
           (job = pn_slotted_next_at_least(view, 0, job, 1)) != PN_NO_JOB) {
        uint64_t offer = pn_slotted_offer(view, job);
        status = pn_slotted_give(view, job,
                                 offer < pn_slotted_idle(view) ? offer : pn_slotted_idle(view));
    }
    return status;
}

static void keys_that_change_with_time(void **unused)
{
    pn_slotted_policy in_tree = aging;
    pn_slotted_policy below = aging;
    pn_slotted_policy frozen = aging;
    plain_rule rule = {.before = smaller_ratio};
    (void)unused;
    check(&aging, &rule);
    below.orders[0].key = by_second_word;
    check(&below, &rule);
    in_tree.name = "aging_tree";
    in_tree.orders[0].fit = 1;
    in_tree.act = act_along_the_tree;
    check(&in_tree, &rule);
    in_tree.orders[0].key = by_second_word;
    check(&in_tree, &rule);

    /* The test is only worth something if time really changes the order. */
    slotted_workload work = slotted_new(
        JOBS, 1, (slotted_shape){.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5});
    pn_slotted_config config = slotted_config(&work, MACHINES, PN_SLOTTED_PREEMPTIVE);
    frozen.orders[0].changes = PN_SLOTTED_CHANGES_WHEN_SERVED;
    assert_int_not_equal(
        slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = &frozen}, NULL),
        plain_run(&work, MACHINES, PN_SLOTTED_PREEMPTIVE, &rule));
    slotted_free(&work);
}

/* ---- an act with parameters, state and several orders ---- */

typedef struct memory {
    uint64_t slots;
} memory;

/* Every `period`-th slot belongs to the jobs in their reduces first, the others to those in their
 * maps. */
static int act_by_turns(pn_slotted_view *view)
{
    memory *own = pn_slotted_state(view);
    uint32_t first = own->slots++ % (uint64_t)pn_slotted_param_value(view, 0) == 0;
    assert_int_equal(pn_slotted_machines(view), MACHINES);
    int status = pn_slotted_fill(view, first, PN_SLOTTED_ALL_IDLE);
    return status == PN_OK ? pn_slotted_fill(view, 1 - first, PN_SLOTTED_ALL_IDLE) : status;
}

static uint64_t turns;

static bool by_turns(const plain_job *a, const plain_job *b, uint64_t slot)
{
    (void)slot;
    bool reduces_first = turns == 0;
    if ((a->maps == 0) != (b->maps == 0))
        return (a->maps == 0) == reduces_first;
    return a->id < b->id;
}

static void an_act_with_state_and_parameters(void **unused)
{
    const double one[] = {1};
    pn_slotted_policy policy = {
        .name = "turns",
        .preemptive = 1,
        .order_count = 2,
        .orders = {{NULL, PN_SLOTTED_CHANGES_ON_ARRIVAL, PN_SLOTTED_WITH_MAPS, 0},
                   {NULL, PN_SLOTTED_CHANGES_ON_ARRIVAL, PN_SLOTTED_WITH_REDUCES, 0}},
        .param_count = 1,
        .params = {{"period", 1000000, 1, 1000000, NULL, 1, ""}},
        .act = act_by_turns,
        .state_bytes = sizeof(memory),
    };
    (void)unused;
    slotted_workload work = slotted_new(
        JOBS, 5, (slotted_shape){.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5});
    pn_slotted_config config = slotted_config(&work, MACHINES, PN_SLOTTED_PREEMPTIVE);
    config.policy = &policy;
    turns = 0; /* as with period 1: reduces first in all slots */
    assert_int_equal(
        slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy, .params = one}, NULL),
        plain_run(&work, MACHINES, PN_SLOTTED_PREEMPTIVE, &(plain_rule){.before = by_turns}));
    turns = 1; /* maps first in all slots but one: the first, in which there are no reduces yet */
    work.jobs[0].maps += work.jobs[0].maps == 0;
    assert_int_equal(
        slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy}, NULL),
        plain_run(&work, MACHINES, PN_SLOTTED_PREEMPTIVE, &(plain_rule){.before = by_turns}));
    slotted_free(&work);
}

/* Steps both to the end, and compares what they rank. */
static void check_same_rankings(pn_slotted *const sims[2], const pn_slotted_policy policies[2])
{
    pn_ranked ranked[2][JOBS];
    int status[2] = {PN_OK, PN_OK};
    while (status[0] == PN_OK) {
        uint32_t count[2];
        for (int i = 0; i < 2; i++) {
            status[i] = pn_slotted_step(sims[i], &(pn_slotted_hooks){.policy = &policies[i]});
            count[i] = pn_slotted_ranking(sims[i], 0, ranked[i], JOBS);
        }
        assert_int_equal(status[0], status[1]);
        assert_int_equal(count[0], count[1]);
        for (uint32_t i = 0; i < count[0]; i++)
            assert_memory_equal(&ranked[0][i], &ranked[1][i], sizeof ranked[0][i]);
    }
    assert_int_equal(status[0], PN_DONE);
}

static void heaps_and_trees_rank_alike(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        slotted_workload work = slotted_new(
            JOBS, seed, (slotted_shape){.rate = 0.9, .maps = 5, .reduces = 14, .tasks = 5});
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            pn_slotted_policy policies[2] = {aging, aging};
            pn_slotted_config config = slotted_config(&work, MACHINES, reduce);
            pn_slotted *sims[2];
            policies[1].orders[0].fit = 1;
            config.stretches_max = (uint32_t)work.count * SLOTTED_WORKLOAD_TASKS;
            for (int i = 0; i < 2; i++) {
                config.policy = &policies[i];
                sims[i] = slotted_sim(&config);
                assert_int_equal(slotted_submit(sims[i], &work, 0, work.count), PN_OK);
            }
            check_same_rankings(sims, policies);
            free(sims[0]);
            free(sims[1]);
        }
        slotted_free(&work);
    }
}

/* ---- loads ---- */

/* Has the loads of all jobs compared with what the virtual run serves, whose maps they are. */
static int act_by_loads(pn_slotted_view *view)
{
    uint64_t loads = 0, served = 0;
    for (uint32_t job = 0; job < pn_slotted_jobs_max(view); job++)
        loads += pn_slotted_active(view, job) ? pn_slotted_load(view, job) : 0;
    for (uint32_t i = 0; i < pn_slotted_served_count(view); i++) {
        pn_slotted_served one = pn_slotted_served_at(view, i);
        uint64_t left = pn_slotted_active(view, one.job) ? pn_slotted_maps_left(view, one.job) : 0;
        served += one.maps < left ? one.maps : left;
    }
    assert_int_equal(loads, served);
    return pn_slotted_asrpt()->act(view);
}

static void loads_are_those_of_the_slot(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_asrpt();
    slotted_workload work = slotted_new(
        JOBS, 6, (slotted_shape){.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5});
    pn_slotted_config config = slotted_config(&work, MACHINES, PN_SLOTTED_NONPREEMPTIVE);
    (void)unused;
    uint64_t digest = slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy}, NULL);
    policy.act = act_by_loads;
    assert_int_equal(slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy}, NULL),
                     digest);
    slotted_free(&work);
}

/* ---- without an act along a tree, and loops with limits ---- */

static void a_tree_without_an_act(void **unused)
{
    pn_slotted_policy policy = lifo;
    (void)unused;
    policy.name = "lifo_tree";
    policy.orders[0].fit = 1;
    check(&policy, &(plain_rule){.before = later});
}

enum { REMAINING, FALLING, SHARES, ROUNDS };

/* The limit of one loop in one slot: none, everything, or anything between. */
static uint64_t limit_of(uint64_t slot, uint64_t round)
{
    uint64_t drawn = pn_mix(pn_mix(PN_MIX_START, slot), round) % (2 * MACHINES);
    return drawn <= MACHINES ? drawn : PN_SLOTTED_ALL_IDLE - drawn % 2;
}

static void give_with_limit(pn_slotted_view *view, uint32_t order, uint64_t round)
{
    uint32_t idle = pn_slotted_idle(view);
    uint64_t limit = limit_of(pn_slotted_slot(view), round);
    int status = order == SHARES ? pn_slotted_share(view, order, limit)
                                 : pn_slotted_fill(view, order, limit);
    assert_int_equal(status, PN_OK);
    assert_true(idle - pn_slotted_idle(view) <= limit);
}

/* Shares come twice, so that the second time finds jobs that have been given something. */
static int act_with_limits(pn_slotted_view *view)
{
    assert_int_equal(pn_slotted_fill(view, ROUNDS, PN_SLOTTED_ALL_IDLE), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_share(view, ROUNDS, PN_SLOTTED_ALL_IDLE), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_share(view, REMAINING, PN_SLOTTED_ALL_IDLE), PN_ERR_ARGUMENT);
    give_with_limit(view, REMAINING, 0);
    give_with_limit(view, SHARES, 1);
    give_with_limit(view, FALLING, 2);
    give_with_limit(view, SHARES, 3);
    return PN_OK;
}

static bool less_left(const plain_job *a, const plain_job *b, uint64_t slot)
{
    uint64_t x = a->maps + a->reduces;
    uint64_t y = b->maps + b->reduces;
    (void)slot;
    return x != y ? x < y : a->id < b->id;
}

static void decide_with_limits(plain_slot *at)
{
    plain_give(at, less_left, false, limit_of(at->slot, 0));
    plain_give(at, smaller_share, true, limit_of(at->slot, 1));
    plain_give(at, later, false, limit_of(at->slot, 2));
    plain_give(at, smaller_share, true, limit_of(at->slot, 3));
}

/* Jobs that only run stand in the orders too: every loop has to pass them over. */
static void loops_with_limits(void **unused)
{
    const uint8_t all = PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES | PN_SLOTTED_WITH_RUNNING;
    const pn_slotted_policy policy = {
        .name = "limits",
        .preemptive = 1,
        .nonpreemptive = 1,
        .order_count = ROUNDS,
        .orders = {[REMAINING] = {pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED, all, 0},
                   [FALLING] = {by_id_falling, PN_SLOTTED_CHANGES_ON_ARRIVAL, all, 1},
                   [SHARES] = {pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED, all, 0}},
        .act = act_with_limits,
        .weight = weight_of,
    };
    (void)unused;
    check(&policy, &(plain_rule){.decide = decide_with_limits});
}

/* A job with few tasks running and none to start has the smallest share, and no use for more. */
static void shares_pass_over_those_who_only_run(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_fair();
    (void)unused;
    policy.name = "weighted";
    policy.weight = weight_of;
    policy.orders[0].members |= PN_SLOTTED_WITH_RUNNING;
    check(&policy, &(plain_rule){.before = smaller_share, .one_by_one = true});
}

/* ---- a policy that gives nothing ---- */

static int act_in_every_fourth_slot(pn_slotted_view *view)
{
    return pn_slotted_slot(view) % 4 == 0 ? pn_slotted_fill(view, 0, 1) : PN_OK;
}

static void slots_without_a_gift_are_counted(void **unused)
{
    const uint64_t task = 6;
    const pn_slotted_job job = {.arrival = 3, .maps = 1, .reduces = &task, .reduce_count = 1};
    pn_slotted_policy policy = *pn_slotted_fifo();
    pn_slotted_hooks hooks = {.policy = &policy};
    pn_slotted_config config = pn_slotted_defaults();
    (void)unused;
    policy.act = act_in_every_fourth_slot;
    config.machines = 2;
    config.jobs_max = 2;
    config.reduce = PN_SLOTTED_NONPREEMPTIVE;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    /* Slot 3 in vain, 4 the map, 5 to 7 in vain, 8 the reduce: then it runs and offers nothing,
     * which is nobody's fault. */
    const uint64_t expected[] = {0, 0, 0, 1, 1, 1, 2, 3, 3, 3, 3, 3},
                   last[] = {0, 0, 0, 3, 3, 3, 6, 7, 7, 7, 7, 7};
    for (uint64_t slot = 1; slot < sizeof expected / sizeof *expected; slot++) {
        pn_slotted_totals totals;
        assert_in_range(pn_slotted_run(sim, &hooks, slot), PN_OK, PN_DONE);
        pn_slotted_totals_get(sim, &totals);
        assert_int_equal(totals.withheld, expected[slot]);
        assert_int_equal(totals.withheld_slot, last[slot]);
    }
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_policy),
        cmocka_unit_test(shares_by_weight),
        cmocka_unit_test(an_act_that_shares),
        cmocka_unit_test(keys_that_change_with_time),
        cmocka_unit_test(an_act_with_state_and_parameters),
        cmocka_unit_test(slots_without_a_gift_are_counted),
        cmocka_unit_test(heaps_and_trees_rank_alike),
        cmocka_unit_test(loads_are_those_of_the_slot),
        cmocka_unit_test(a_tree_without_an_act),
        cmocka_unit_test(loops_with_limits),
        cmocka_unit_test(shares_pass_over_those_who_only_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
