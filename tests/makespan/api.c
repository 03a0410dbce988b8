/* Blocks, plans, runs and policies of the makespan model: every status that is documented, and that
 * a refusal changes nothing: the whole block is compared before and after. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/kept.h"
#include "makespan/support/workload.h"

/* the plainest hooks */
#define FIFO                         \
    (pn_makespan_hooks)              \
    {                                \
        .policy = pn_makespan_fifo() \
    }

/* ---- configuration and blocks ---- */

static void check_wrong(const pn_makespan_config *config, const char *field)
{
    pn_makespan *sim = NULL;
    uint64_t block[8] = {0};
    const char *told = pn_makespan_check(config);
    assert_non_null(told);
    if (strncmp(told, field, strlen(field)) != 0 || told[strlen(field)] != ':')
        fail_msg("\"%s\" instead of %s", told, field);
    assert_int_equal(pn_makespan_size(config), 0);
    assert_int_equal(pn_makespan_init(&sim, block, SIZE_MAX, config), PN_ERR_CONFIG);
    assert_null(sim);
}

static void the_check_names_the_field(void **unused)
{
    (void)unused;
#define WRONG(field, value)                           \
    do {                                              \
        pn_makespan_config config = makespan_small(); \
        config.field = value;                         \
        check_wrong(&config, #field);                 \
    } while (0)
    WRONG(struct_size, 0);
    WRONG(struct_size, offsetof(pn_makespan_config, attributes) - 1);
    WRONG(map_slots, 0);
    WRONG(map_slots, ((uint32_t)1 << 24) + 1);
    WRONG(reduce_slots, 0);
    WRONG(reduce_slots, UINT32_MAX);
    WRONG(base_map_slots, ((uint32_t)1 << 24) + 1);
    WRONG(base_reduce_slots, UINT32_MAX);
    WRONG(level, 2);
    WRONG(jobs_max, 0);
    WRONG(jobs_max, ((uint32_t)1 << 26) + 1);
    WRONG(stretches_max, ((uint32_t)1 << 31) + 1);
    WRONG(groups_max, ((uint32_t)1 << 20) + 1);
    WRONG(attributes, PN_ATTRIBUTES_MAX + 1);
    WRONG(statistics, 2);
    WRONG(ticks, 0);
    WRONG(ticks, PN_INTEGER_MAX + 1);
    WRONG(nodes, 2); /* does not divide the reduce slots */
    WRONG(nodes, UINT32_MAX);
    WRONG(stage_time, PN_MAKESPAN_FLUID + 1);
    WRONG(share, PN_MAKESPAN_EXCLUSIVE + 1);
    WRONG(cap, PN_MAKESPAN_CAP_REQUESTED + 1);
    WRONG(task_order, PN_MAKESPAN_LPT + 1);
    WRONG(resplit, ((uint32_t)1 << 16) + 1);
#undef WRONG
    pn_makespan_config config = pn_makespan_defaults(); /* no default where there cannot be one */
    check_wrong(&config, "map_slots");
    assert_non_null(pn_makespan_check(NULL));
    assert_int_equal(pn_makespan_size(NULL), 0);
}

static void the_limits_themselves_are_fine(void **unused)
{
    pn_makespan_config config = makespan_small();
    (void)unused;
    assert_null(pn_makespan_check(&config));
    config.map_slots = config.reduce_slots = config.nodes = (uint32_t)1 << 24;
    config.base_map_slots = config.base_reduce_slots = (uint32_t)1 << 24;
    config.jobs_max = (uint32_t)1 << 26;
    config.stretches_max = (uint32_t)1 << 31;
    config.groups_max = (uint32_t)1 << 20;
    config.statistics = 1;
    config.replica = UINT32_MAX;
    config.seed = UINT64_MAX;
    config.ticks = PN_INTEGER_MAX;
    config.stage_time = PN_MAKESPAN_FLUID;
    config.share = PN_MAKESPAN_EXCLUSIVE;
    config.cap = PN_MAKESPAN_CAP_REQUESTED;
    config.task_order = PN_MAKESPAN_LPT;
    config.resplit = 128; /* times slots at most 2^31 */
    assert_null(pn_makespan_check(&config));
    config.resplit = 129;
    check_wrong(&config, "resplit");
    config.map_slots = config.reduce_slots = config.nodes = (uint32_t)1 << 15;
    config.resplit = (uint32_t)1 << 16;
    assert_null(pn_makespan_check(&config));
    config = pn_makespan_defaults();
    assert_true(config.struct_size == sizeof config && config.level == PN_MAKESPAN_STAGES &&
                config.ticks == 1);
    assert_true(config.stretches_max == 0 && config.nodes == 0 && config.resplit == 0 &&
                !config.policy);
    config.map_slots = config.reduce_slots = config.jobs_max = 1;
    assert_null(pn_makespan_check(&config));
    assert_in_range(pn_makespan_size(&config), sizeof config, 1 << 16);
}

/* A policy whose table makes no sense has no room anywhere. */
static void the_check_looks_at_the_policy(void **unused)
{
    static const pn_param fussy = {"fussy", 2, 3, 4, NULL, 0, ""};
    (void)unused;
#define WRONG(change)                                                   \
    do {                                                                \
        pn_makespan_policy policy = *pn_makespan_uaas();                \
        pn_makespan_config config = makespan_small();                   \
        pn_makespan_hooks hooks = {.policy = &policy};                  \
        policy.name = "changed";                                        \
        config.policy = &policy;                                        \
        assert_null(pn_makespan_check(&config));                        \
        pn_makespan *sim = makespan_sim(&config);                       \
        change;                                                         \
        check_wrong(&config, "policy");                                 \
        assert_int_equal(pn_makespan_plan(sim, &hooks), PN_ERR_POLICY); \
        assert_string_equal(pn_makespan_policy_name(sim), "");          \
        free(sim);                                                      \
    } while (0)
    WRONG(policy.struct_size = 9);
    WRONG(policy.name = NULL);
    WRONG(policy.name = "");
    WRONG(policy.name = "0123456789abcdef0123456789abcdef"); /* 32 bytes */
    WRONG(policy.decide = NULL);
    WRONG(policy.stage_time = PN_MAKESPAN_FLUID + 1);
    WRONG(policy.share = PN_MAKESPAN_EXCLUSIVE + 1);
    WRONG(policy.cap = PN_MAKESPAN_CAP_REQUESTED + 1);
    WRONG(policy.task_order = PN_MAKESPAN_LPT + 1);
    WRONG(policy.level = 3);
    WRONG(policy.param_count = PN_PARAMS_MAX + 1);
    WRONG((policy.param_count = 1, policy.params[0] = fussy));
    WRONG((policy.param_count = 1, policy.params[0] = (pn_param){.high = 1}));
#undef WRONG
}

/* ---- the plan and what follows ---- */

static void check_plan_refused(pn_makespan *sim, const pn_makespan_hooks *hooks, int expected)
{
    kept before = keep(sim, pn_makespan_block_size(sim));
    assert_int_equal(pn_makespan_plan(sim, hooks), expected);
    assert_int_equal(pn_makespan_step(sim, hooks), expected);
    assert_int_equal(pn_makespan_run(sim, hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), expected);
    check_unchanged(&before);
}

static void before_the_plan_there_is_none(void **unused)
{
    pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_with_pair(&config);
    pn_makespan_totals totals = makespan_totals(sim);
    (void)unused;
    assert_true(pn_makespan_ticks(sim) == 0 && pn_makespan_pools(sim) == 0 &&
                pn_makespan_order(sim, 0) == 0);
    assert_true(pn_makespan_digest(sim) == 0 && pn_makespan_jobs(sim) == 2);
    assert_string_equal(pn_makespan_policy_name(sim), "");
    assert_true(totals.stage_time == 0 && totals.share == 0 && totals.cap == 0 &&
                totals.task_order == 0);
    assert_true(totals.submitted == 2 && totals.finished == 0 && totals.makespan == 0 &&
                totals.instants == 0);
    assert_null(pn_makespan_completions(sim, PN_ALL_GROUPS));
    assert_int_equal(pn_makespan_step(NULL, &FIFO), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_run(NULL, &FIFO, 1, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_plan(NULL, &FIFO), PN_ERR_ARGUMENT);
    check_plan_refused(sim, NULL, PN_ERR_ARGUMENT);
    check_plan_refused(sim, &(pn_makespan_hooks){.struct_size = 9}, PN_ERR_ARGUMENT);
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = NULL}, PN_ERR_POLICY);
    free(sim);
}

/* Instants of the pair: 0, 3, 5, 9, 10, 11. */
static void run_stops_where_it_is_told(void **unused)
{
    pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_with_pair(&config);
    pn_makespan_totals totals;
    (void)unused;
    assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, 0), PN_PAUSED);
    assert_int_equal(pn_makespan_run(sim, &FIFO, 0, UINT64_MAX), PN_OK); /* only what is before 0 */
    totals = makespan_totals(sim);
    assert_true(totals.instants == 0 && totals.time == 0 && totals.tasks_started == 0);
    assert_int_equal(pn_makespan_run(sim, &FIFO, 3, UINT64_MAX), PN_OK);
    totals = makespan_totals(sim);
    assert_true(totals.instants == 1 && totals.time == 0 && totals.tasks_started == 2);
    assert_int_equal(pn_makespan_step(sim, &FIFO), PN_OK);
    totals = makespan_totals(sim);
    assert_true(totals.instants == 2 && totals.time == 3 && totals.tasks_started == 4);
    assert_int_equal(pn_makespan_run(sim, &FIFO, 10, 1), PN_PAUSED);
    totals = makespan_totals(sim);
    assert_true(totals.time == 5 && totals.finished == 0 && totals.makespan == 0);
    assert_int_equal(pn_makespan_run(sim, &FIFO, 10, UINT64_MAX), PN_OK);
    totals = makespan_totals(sim);
    assert_true(totals.time == 9 && totals.finished == 1 && totals.makespan == 9);
    assert_true(totals.total_completion.num == 9 && totals.total_completion.den == 1);
    assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, 1), PN_PAUSED);
    assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, 1), PN_DONE);
    kept before = keep(sim, pn_makespan_block_size(sim));
    assert_int_equal(pn_makespan_step(sim, &FIFO), PN_DONE);
    assert_int_equal(pn_makespan_plan(sim, &FIFO), PN_OK);
    assert_int_equal(pn_makespan_run(sim, &FIFO, 5, 0), PN_DONE);
    check_unchanged(&before);
    totals = makespan_totals(sim);
    assert_true(totals.instants == 6 && totals.time == 11 && totals.makespan == 11 &&
                totals.finished == 2);
    assert_true(totals.tasks_started == 7 && totals.total_completion.num == 20 &&
                totals.total_completion.den == 1);
    free(sim);
}

static int decide_in_order(pn_makespan_view *view)
{
    static const uint32_t places[] = {0, 1, 2};
    return pn_makespan_give_order(view, places, pn_makespan_job_count(view));
}

/* What a host may ask in vain: nothing changes. */
static void wrong_questions_are_refused(void **unused)
{
    static const uint64_t ids[] = {1, 2};
    static const pn_makespan_pool pools[] = {{1, 1, ids}, {1, 1, ids + 1}};
    pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_sim(&config);
    pn_makespan_job newer = makespan_pair[0];
    pn_ranked ranked;
    pn_exact bound = {7, 7};
    (void)unused;
    newer.struct_size = 9;
    assert_int_equal(pn_makespan_submit(sim, &newer, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_set_order(sim, ids, 0), PN_ERR_ARGUMENT); /* of no jobs */
    assert_int_equal(pn_makespan_bound(sim, &bound), PN_ERR_ARGUMENT);     /* no plan */
    assert_int_equal(pn_makespan_plan(sim, &FIFO), PN_OK);
    assert_int_equal(pn_makespan_bound(sim, &bound), PN_ERR_ARGUMENT); /* no jobs */
    free(sim);
    sim = makespan_with_pair(&config);
    assert_int_equal(pn_makespan_set_pools(sim, pools, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_set_pools(sim, pools, 2), PN_ERR_ARGUMENT); /* one node */
    assert_int_equal(pn_makespan_plan(sim, &FIFO), PN_OK);
    assert_int_equal(pn_makespan_bound(NULL, &bound), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_bound(sim, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_order(sim, 1), 2);
    assert_int_equal(pn_makespan_order(sim, 2), 0);
    assert_int_equal(pn_makespan_ranking(sim, 0, &ranked, 1), 0); /* not begun */
    assert_int_equal(pn_makespan_ranking(sim, 2, &ranked, 1), 0);
    assert_true(bound.num == 7 && bound.den == 7);
    pn_makespan_levels levels;
    pn_makespan_levels_get(sim, &levels);
    assert_true(levels.map + levels.reduce == 0);
    free(sim);
}

static int decide_many_pools(pn_makespan_view *view)
{
    static const uint32_t places[] = {0, 1};
    const uint32_t *most = pn_makespan_user(view);
    assert_int_equal(pn_makespan_give_pool(view, 1, places, 2), PN_OK);
    for (uint32_t i = 1; i < *most; i++)
        assert_int_equal(pn_makespan_give_pool(view, 1, places, 0), PN_OK);
    assert_int_equal(pn_makespan_give_pool(view, 1, places, 0), PN_ERR_INFEASIBLE);
    return PN_OK;
}

/* There are as many pools as jobs, and one, where nodes are more: hosts and policies that give more
 * of them are refused, and so are hosts that leave no pool for the jobs that they do not name. */
static void pools_are_one_more_than_jobs_at_most(void **unused)
{
    static const uint64_t ids[] = {1, 2};
    static const pn_makespan_pool pools[] = {{1, 0, NULL}, {1, 1, ids}, {1, 0, NULL}, {1, 0, NULL}};
    const pn_makespan_policy policy = {.name = "many", .decide = decide_many_pools};
    pn_makespan_config config = makespan_small();
    uint32_t most = 4;
    pn_makespan_hooks hooks = {.policy = &policy, .user = &most};
    (void)unused;
    config.map_slots = config.reduce_slots = config.nodes = 6;
    pn_makespan *sim = makespan_with_pair(&config);
    kept before = keep(sim, pn_makespan_block_size(sim));
    assert_int_equal(pn_makespan_set_pools(sim, pools, 4), PN_ERR_ARGUMENT);
    check_unchanged(&before);
    assert_int_equal(pn_makespan_set_pools(sim, pools, 3), PN_OK);
    assert_int_equal(
        pn_makespan_plan(sim, &(pn_makespan_hooks){.policy = pn_makespan_fixed_pools()}), PN_OK);
    assert_int_equal(pn_makespan_pools(sim), 4); /* job 2 has the last one */
    free(sim);
    sim = makespan_with_pair(&config);
    assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    assert_int_equal(pn_makespan_pools(sim), most);
    free(sim);
}

/* A block that was made for tasks in the order of their list has no room to sort them. */
static void a_policy_that_sorts_needs_room(void **unused)
{
    pn_makespan_policy longest_first = {
        .name = "longest_first", .decide = decide_in_order, .task_order = PN_MAKESPAN_LPT};
    pn_makespan_config config = makespan_small();
    pn_makespan_hooks hooks = {.policy = &longest_first};
    (void)unused;
    config.policy = pn_makespan_fifo();
    pn_makespan *sim = makespan_with_pair(&config);
    check_plan_refused(sim, &hooks, PN_ERR_POLICY);
    free(sim);
    config.policy = &longest_first;
    sim = makespan_with_pair(&config);
    assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    free(sim);
}

static void a_batch_of_nothing_is_done(void **unused)
{
    (void)unused;
    for (size_t i = 0; pn_makespan_policy_at(i); i++)
        for (uint32_t level = 0; level <= PN_MAKESPAN_TASKS; level++) {
            pn_makespan_config config = makespan_small();
            pn_makespan_hooks hooks = {.policy = pn_makespan_policy_at(i)};
            config.level = level;
            pn_makespan *sim = makespan_sim(&config);
            if (hooks.policy->level == 0 || hooks.policy->level == 1 + level) {
                assert_int_equal(pn_makespan_step(sim, &hooks), PN_DONE);
                assert_true(makespan_totals(sim).makespan == 0 && pn_makespan_digest(sim) == 0);
                assert_int_equal(pn_makespan_submit(sim, &makespan_pair[0], NULL), PN_ERR_LATE);
            } else {
                check_plan_refused(sim, &hooks, PN_ERR_MODE);
            }
            free(sim);
        }
}

/* Fractions: the fluid stages of the pair on 3 map slots, in a unit of 5 ticks. */
static void times_are_told_in_fine_ticks(void **unused)
{
    pn_makespan_config config = makespan_small();
    pn_makespan_hooks hooks = {.policy = pn_makespan_uaas()};
    pn_makespan_totals totals;
    pn_exact bound;
    config.map_slots = 3;
    config.level = PN_MAKESPAN_STAGES;
    config.ticks = 5;
    pn_makespan *sim = makespan_with_pair(&config);
    (void)unused;
    assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    totals = makespan_totals(sim);
    assert_int_equal(pn_makespan_ticks(sim), 15);
    assert_int_equal(pn_makespan_order(sim, 0), 2); /* 2/3, 2 before 8/3, 4 */
    assert_int_equal(totals.makespan, 22);
    /* (8 + 22) / 15 */
    assert_true(totals.total_completion.num == 2 && totals.total_completion.den == 1);
    assert_int_equal(pn_makespan_bound(sim, &bound), PN_OK);
    assert_true(bound.num == 22 && bound.den == 15);
    assert_true(totals.stage_time == PN_MAKESPAN_FLUID && totals.share == PN_MAKESPAN_CONSERVING);
    assert_true(totals.cap == PN_MAKESPAN_CAP_NONE && totals.task_order == PN_MAKESPAN_LISTED &&
                totals.resplit == 0);
    free(sim);
}

/* ---- policies ---- */

static void the_plan_binds_the_parameters(void **unused)
{
    const double few = 7, more = 8, half = 7.5, usual = pn_makespan_exact()->params[0].value;
    pn_makespan_config config = makespan_small();
    pn_makespan *sim = makespan_with_pair(&config);
    pn_makespan_hooks hooks = {.policy = pn_makespan_exact(), .params = &few};
    (void)unused;
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = pn_makespan_exact(), .params = &more},
                       PN_ERR_POLICY);
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = pn_makespan_exact(), .params = &half},
                       PN_ERR_ARGUMENT);
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = pn_makespan_exact()}, PN_ERR_POLICY);
    assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    free(sim);
    sim = makespan_with_pair(&config);
    hooks.params = NULL; /* the defaults */
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
    hooks.params = &usual;
    assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    free(sim);
}

static void the_plan_binds_the_policy(void **unused)
{
    pn_makespan_config config = makespan_small();
    pn_makespan_policy copy = *pn_makespan_fifo();
    pn_makespan *sim = makespan_with_pair(&config);
    (void)unused;
    assert_int_equal(pn_makespan_step(sim, &FIFO), PN_OK);
    assert_string_equal(pn_makespan_policy_name(sim), "fifo");
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = pn_makespan_uaas()}, PN_ERR_POLICY);
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = NULL}, PN_ERR_POLICY);
    copy.name = "fif";
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = &copy}, PN_ERR_POLICY);
    copy.name = "fifo";
    copy.state_bytes += 8;
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = &copy}, PN_ERR_POLICY);
    copy.state_bytes -= 8;
    copy.task_order = PN_MAKESPAN_LPT;
    check_plan_refused(sim, &(pn_makespan_hooks){.policy = &copy}, PN_ERR_POLICY);
    copy.task_order = pn_makespan_fifo()->task_order; /* another table of the same kind */
    assert_int_equal(pn_makespan_run(sim, &(pn_makespan_hooks){.policy = &copy},
                                     PN_MAKESPAN_FOREVER, UINT64_MAX),
                     PN_DONE);
    free(sim);
}

static void check_params(const pn_makespan_policy *policy, int index, double value, bool good)
{
    pn_makespan_config config = makespan_small();
    double params[PN_PARAMS_MAX];
    pn_makespan_hooks hooks = {.policy = policy, .params = params};
    for (int i = 0; i < policy->param_count; i++)
        params[i] = policy->params[i].value;
    params[index] = value;
    pn_makespan *sim = makespan_with_pair(&config);
    if (good)
        assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
    else
        check_plan_refused(sim, &hooks, PN_ERR_ARGUMENT);
    free(sim);
}

static void parameters_have_their_ranges(void **unused)
{
    (void)unused;
    for (size_t i = 0; pn_makespan_policy_at(i); i++) {
        const pn_makespan_policy *policy = pn_makespan_policy_at(i);
        for (int k = 0; k < policy->param_count; k++) {
            const pn_param *param = &policy->params[k];
            bool needs_host = policy == pn_makespan_given_order() ||
                              policy == pn_makespan_fixed_pools();
            bool special = strcmp(param->name, "bp_allow_single") == 0; /* there is but one node */
            assert_true(param->name && param->doc && param->low <= param->value &&
                        param->value <= param->high);
            if (!needs_host && !special) {
                check_params(policy, k, param->low, true);
                check_params(policy, k, param->high, true);
            }
            check_params(policy, k, param->low - 1, false);
            check_params(policy, k, param->high * 2 + 1, false);
            check_params(policy, k, NAN, false);
            check_params(policy, k, INFINITY, false);
            if (param->integer || param->names)
                check_params(policy, k, param->low + 0.5, false);
        }
    }
}

/* A table made of a built-in one may allow parameters that mean nothing to its function. */
static void parameters_that_mean_nothing_are_refused(void **unused)
{
    static const struct {
        const pn_makespan_policy *(*policy)(void);
        double single; /* balanced_pools: whether one pool is a candidate */
    } cases[] = {{pn_makespan_johnson, 0},       {pn_makespan_mk_jr, 0},
                 {pn_makespan_uaas, 0},          {pn_makespan_fixed_pools, 0},
                 {pn_makespan_local_search, 0},  {pn_makespan_balanced_pools, 0},
                 {pn_makespan_balanced_pools, 1}};
    static const uint64_t ids[] = {1, 2};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pn_makespan_policy wide = *cases[i].policy();
        pn_makespan_config config = makespan_small();
        double params[PN_PARAMS_MAX];
        pn_makespan_hooks hooks = {.policy = &wide, .params = params};
        for (int k = 0; k < wide.param_count; k++)
            params[k] = strcmp(wide.params[k].name, "bp_allow_single") == 0 ? cases[i].single
                                                                            : wide.params[k].value;
        assert_string_equal(wide.params[0].name, "estimate");
        wide.params[0].names = NULL;
        wide.params[0].high = params[0] = 9;
        config.reduce_slots = config.nodes = 2;
        pn_makespan *sim = makespan_with_pair(&config);
        assert_int_equal(pn_makespan_set_pools(sim, &(pn_makespan_pool){2, 2, ids}, 1), PN_OK);
        assert_int_equal(pn_makespan_plan(sim, &hooks), PN_ERR_ARGUMENT);
        assert_string_equal(pn_makespan_policy_name(sim), "");
        params[0] = PN_MAKESPAN_FLUID - 1;
        assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
        free(sim);
    }
}

static int stop_at_once(void *unused)
{
    (void)unused;
    return 1;
}

/* All partitions of more than 30 jobs are too many, where the cluster can be split at all; those of
 * 30 are tried until the host stops that. */
static void partitions_can_be_too_many(void **unused)
{
    static const struct {
        int jobs;
        uint32_t nodes;
        double exhaustive;
        int expected;
    } cases[] = {{31, 2, 1, PN_ERR_ARGUMENT},
                 {31, 1, 1, PN_OK},
                 {31, 2, 0, PN_OK},
                 {30, 2, 1, PN_ERR_STOPPED}};
    const pn_makespan_policy *policy = pn_makespan_balanced_pools();
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pn_makespan_config config = makespan_small();
        double params[PN_PARAMS_MAX];
        pn_makespan_hooks hooks = {.policy = policy, .params = params};
        for (int k = 0; k < policy->param_count; k++)
            params[k] = strcmp(policy->params[k].name, "bp_partition") == 0
                            ? cases[i].exhaustive
                            : policy->params[k].value;
        config.reduce_slots = 2;
        config.nodes = cases[i].nodes;
        config.jobs_max = 31;
        config.stretches_max = 4 * config.jobs_max;
        pn_makespan *sim = makespan_sim(&config);
        for (int job = 0; job < cases[i].jobs; job++)
            assert_int_equal(pn_makespan_submit(sim, &makespan_pair[job % 2], NULL), PN_OK);
        if (cases[i].expected == PN_ERR_STOPPED)
            hooks.stop = stop_at_once;
        assert_int_equal(pn_makespan_plan(sim, &hooks), cases[i].expected);
        free(sim);
    }
}

/* One unit of work on one node and two on two take as long, though the ticks are others: the
 * pools are compared as numbers. */
static void pools_of_other_ticks_are_compared(void **unused)
{
    const pn_makespan_job jobs[] = {{.stage = {{LISTED({1, 1})}}}, {.stage = {{LISTED({2, 1})}}}};
    pn_makespan_policy policy = *pn_makespan_balanced_pools();
    pn_makespan_config config = makespan_small();
    pn_makespan_pool_plan pool;
    (void)unused;
    policy.params[5].value = 0; /* one pool is no candidate */
    assert_string_equal(policy.params[5].name, "bp_allow_single");
    config.level = PN_MAKESPAN_STAGES;
    config.stage_time = PN_MAKESPAN_FLUID;
    config.map_slots = config.reduce_slots = config.nodes = 3;
    pn_makespan *sim = makespan_sim(&config);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pn_makespan_submit(sim, &jobs[i], NULL), PN_OK);
    assert_int_equal(pn_makespan_run(sim, &(pn_makespan_hooks){.policy = &policy},
                                     PN_MAKESPAN_FOREVER, UINT64_MAX),
                     PN_DONE);
    assert_int_equal(pn_makespan_pools(sim), 2);
    for (uint32_t i = 0; i < 2; i++) {
        pn_makespan_pool_get(sim, i, &pool);
        assert_true(pool.nodes == i + 1 && pool.count == 1);
    }
    assert_int_equal(makespan_totals(sim).makespan, pn_makespan_ticks(sim));
    free(sim);
}

static void a_block_for_one_policy_has_no_room_for_a_larger_one(void **unused)
{
    pn_makespan_policy larger = {
        .name = "larger", .decide = decide_in_order, .state_bytes_per_job = 1 << 20};
    pn_makespan_config config = makespan_small();
    pn_makespan_hooks hooks = {.policy = &larger};
    (void)unused;
    size_t size = pn_makespan_size(&config);
    config.policy = pn_makespan_fifo();
    assert_true(pn_makespan_size(&config) <= size);
    pn_makespan *sim = makespan_with_pair(&config);
    check_plan_refused(sim, &hooks, PN_ERR_POLICY);
    assert_int_equal(pn_makespan_run(sim, &FIFO, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    free(sim);
    config.policy = &larger;
    assert_true(pn_makespan_size(&config) > size);
    sim = makespan_with_pair(&config);
    assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    free(sim);
    larger.state_bytes_per_job = SIZE_MAX / 2;
    assert_int_equal(pn_makespan_size(&config), 0);
    assert_int_equal(pn_makespan_init(&sim, &config, SIZE_MAX, &config), PN_ERR_CONFIG);
}

static void names(void **unused)
{
    static const char *const all[] = {
        "fifo",        "given_order", "johnson",   "mk_jr", "uaas",         "balanced_pools",
        "fixed_pools", "optimal",     "portfolio", "neh",   "local_search", "exact"};
    size_t count = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        assert_non_null(pn_makespan_policy_find(all[i]));
    for (; pn_makespan_policy_at(count); count++) {
        const pn_makespan_policy *policy = pn_makespan_policy_at(count);
        assert_ptr_equal(pn_makespan_policy_find(policy->name), policy);
        assert_non_null(policy->summary);
        assert_non_null(policy->source);
        assert_non_null(policy->decide);
    }
    assert_int_equal(count, sizeof all / sizeof all[0]);
    assert_null(pn_makespan_policy_find(NULL));
    assert_null(pn_makespan_policy_find(""));
    assert_null(pn_makespan_policy_find("fif"));
    assert_null(pn_makespan_policy_find("fifo_"));
}

/* ---- from inside of hooks ---- */

typedef struct inside {
    pn_makespan *sim;
    const pn_makespan_hooks *hooks;
    unsigned finishes, decisions, decided;
} inside;

/* What is forbidden is refused, what is allowed works. */
static void try_everything(const inside *in)
{
    static const uint64_t ids[] = {1, 2};
    pn_makespan *opened = NULL;
    uint64_t id = 77;
    assert_int_equal(pn_makespan_step(in->sim, in->hooks), PN_ERR_BUSY);
    assert_int_equal(pn_makespan_plan(in->sim, in->hooks), PN_ERR_BUSY);
    assert_int_equal(pn_makespan_run(in->sim, in->hooks, PN_MAKESPAN_FOREVER, 1), PN_ERR_BUSY);
    assert_int_equal(pn_makespan_submit(in->sim, &makespan_pair[0], &id), PN_ERR_BUSY);
    assert_int_equal(pn_makespan_set_order(in->sim, ids, 2), PN_ERR_BUSY);
    assert_int_equal(pn_makespan_set_pools(in->sim, &(pn_makespan_pool){1, 2, ids}, 1),
                     PN_ERR_BUSY);
    assert_int_equal(pn_makespan_open(&opened, in->sim, pn_makespan_block_size(in->sim)),
                     PN_ERR_BUSY);
    pn_exact bound;
    int status = pn_makespan_bound(in->sim, &bound);
    assert_true(status == PN_ERR_BUSY || (status == PN_ERR_ARGUMENT && in->decisions == 0));
    assert_true(!opened && id == 77);
    assert_int_equal(makespan_totals(in->sim).submitted, 2);
    assert_int_equal(pn_makespan_jobs(in->sim), 2);
    pn_makespan_digest(in->sim);
}

static void from_finish(void *user, const pn_makespan_finish *finish)
{
    inside *in = user;
    in->finishes++;
    assert_int_equal(finish->tag, 10 + finish->id);
    assert_int_equal(finish->group, finish->id - 1);
    try_everything(in);
}

static void from_decision(void *user, const pn_makespan_decision *decision)
{
    inside *in = user;
    in->decisions++;
    assert_in_range(decision->kind, PN_MAKESPAN_START_MAP, PN_MAKESPAN_START_REDUCE);
    try_everything(in);
    assert_string_equal(pn_makespan_policy_name(in->sim), "inside");
}

static int from_decide(pn_makespan_view *view)
{
    inside *in = pn_makespan_user(view);
    in->decided++;
    try_everything(in);
    return decide_in_order(view);
}

static void hooks_may_ask_and_nothing_else(void **unused)
{
    const pn_makespan_policy policy = {.name = "inside", .decide = from_decide};
    pn_makespan_config config = makespan_small();
    inside in = {.decided = 0};
    pn_makespan_hooks hooks = {.policy = &policy, NULL, NULL, from_finish, from_decision, &in};
    (void)unused;
    in.sim = makespan_with_pair(&config);
    in.hooks = &hooks;
    assert_int_equal(pn_makespan_run(in.sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    assert_true(in.finishes == 2 && in.decisions == 7 && in.decided == 1);
    assert_int_equal(pn_makespan_step(in.sim, &hooks), PN_DONE);
    free(in.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_check_names_the_field),
        cmocka_unit_test(the_limits_themselves_are_fine),
        cmocka_unit_test(the_check_looks_at_the_policy),
        cmocka_unit_test(before_the_plan_there_is_none),
        cmocka_unit_test(run_stops_where_it_is_told),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(pools_are_one_more_than_jobs_at_most),
        cmocka_unit_test(a_policy_that_sorts_needs_room),
        cmocka_unit_test(a_batch_of_nothing_is_done),
        cmocka_unit_test(times_are_told_in_fine_ticks),
        cmocka_unit_test(the_plan_binds_the_parameters),
        cmocka_unit_test(the_plan_binds_the_policy),
        cmocka_unit_test(parameters_have_their_ranges),
        cmocka_unit_test(parameters_that_mean_nothing_are_refused),
        cmocka_unit_test(partitions_can_be_too_many),
        cmocka_unit_test(pools_of_other_ticks_are_compared),
        cmocka_unit_test(a_block_for_one_policy_has_no_room_for_a_larger_one),
        cmocka_unit_test(names),
        cmocka_unit_test(hooks_may_ask_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
