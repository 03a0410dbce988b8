/* Damaged blocks of the makespan model: every policy that decides by itself, all rules, before and
 * after the plan. */
#include "makespan/support/workload.h"

#include "support/damage.h"

static const pn_makespan_policy *some_policy(pn_stream *stream, uint32_t level)
{
    const pn_makespan_policy *policy;
    uint32_t count = 0;
    while (pn_makespan_policy_at(count))
        count++;
    do
        policy = pn_makespan_policy_at(random_uniform(stream, 0, count - 1));
    while (policy->level != 0 && policy->level != 1 + level);
    return policy;
}

/* Long searches end soon. */
static int stop(void *user)
{
    (void)user;
    return 1;
}

static void give(pn_makespan *sim)
{
    uint64_t ids[8];
    pn_makespan_pool pools[2] = {{1, 0, ids}, {1, 0, ids}};
    uint32_t count = pn_makespan_jobs(sim);
    for (uint32_t i = 0; i < 8; i++)
        ids[i] = count - i;
    pools[0].count = count / 2;
    pools[1].ids = ids + count / 2;
    pools[1].count = count - count / 2;
    if (count < 1 || count > 8)
        return;
    pn_makespan_set_order(sim, ids, count);
    pn_makespan_set_pools(sim, pools, 2);
}

static void make(damage_case *at, pn_stream *stream, bool *sound)
{
    makespan_rules rules = makespan_options[random_uniform(stream, 0, MAKESPAN_OPTIONS - 1)];
    const pn_makespan_policy *policy = some_policy(stream, rules.level);
    pn_makespan_hooks hooks = {.policy = policy, .stop = stop};
    makespan_shape shape = {.tasks = 3, .longest = 20, .odd = 1, .groups = 2};
    size_t jobs = (size_t)random_uniform(stream, 1, 8);
    makespan_batch batch = makespan_new(jobs, pn_random64(stream), shape);
    pn_makespan_config config = makespan_config(&batch, rules, 4, 2);
    config.groups_max = 2;
    config.attributes = 2;
    config.statistics = random_uniform(stream, 0, 7) == 0;
    if (rules.task_order == PN_MAKESPAN_LPT || random_uniform(stream, 0, 1))
        config.policy = policy;
    pn_makespan *sim = makespan_sim(&config);
    size_t size = pn_makespan_block_size(sim);
    *sound &= pn_makespan_validate(sim, size) == PN_OK;
    if (makespan_submit(sim, &batch) != PN_OK)
        abort();
    *sound &= pn_makespan_validate(sim, size) == PN_OK;
    if (random_uniform(stream, 0, 1) || !makespan_decides(policy, rules.level))
        give(sim);
    uint64_t steps = random_uniform(stream, 0, 20);
    steps = steps % 8 == 0 ? 0 : steps; /* of some, a block that no policy has seen */
    for (uint64_t i = 0; i <= steps; i++) {
        *sound &= pn_makespan_validate(sim, size) == PN_OK;
        if (i < steps)
            pn_makespan_step(sim, &hooks);
    }
    *sound &= pn_makespan_validate(sim, size) == PN_OK;
    *at = (damage_case){.block = sim, .size = size, .policy = policy};
    makespan_free(&batch);
}

static void on_decision(void *user, const pn_makespan_decision *decision)
{
    *(uint64_t *)user += decision->task;
}

static void on_finish(void *user, const pn_makespan_finish *finish)
{
    *(uint64_t *)user += finish->group;
}

static void ask(const pn_makespan *sim)
{
    pn_makespan_totals totals;
    pn_makespan_pool_plan pool;
    pn_makespan_totals_get(sim, &totals);
    for (uint32_t i = 0; i < pn_makespan_jobs(sim); i++)
        pn_makespan_order(sim, i);
    for (uint32_t i = 0; i < pn_makespan_pools(sim); i++)
        pn_makespan_pool_get(sim, i, &pool);
    if (pn_makespan_completions(sim, PN_ALL_GROUPS))
        pn_stats_quantile(pn_makespan_completions(sim, PN_ALL_GROUPS), 0.5);
}

static void use(const damage_case *at, void *block)
{
    static const pn_makespan_stretch stretch = {3, 2};
    uint64_t sum = 0;
    pn_makespan_hooks hooks = {.policy = at->policy,
                               .stop = stop,
                               .on_decision = on_decision,
                               .on_finish = on_finish,
                               .user = &sum};
    pn_makespan_job job = {.stage = {{.stretches = &stretch, .stretch_count = 1},
                                     {.stretches = &stretch, .stretch_count = 1}}};
    pn_makespan *sim;
    if (pn_makespan_open(&sim, block, at->size) != PN_OK)
        abort();
    ask(sim);
    pn_makespan_submit(sim, &job, NULL);
    /* A block may claim more tasks than anybody can wait for, but it gets on with them. */
    pn_makespan_totals before, after;
    int status = pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, 50000);
    pn_makespan_totals_get(sim, &before);
    if (status == PN_PAUSED)
        status = pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, 50000);
    pn_makespan_totals_get(sim, &after);
    if (status == PN_PAUSED && after.tasks_started == before.tasks_started)
        abort();
    ask(sim);
}

static void free_case(damage_case *at)
{
    free(at->block);
}

const damage_model damage_makespan = {pn_makespan_model, 1400, make, use, free_case};
