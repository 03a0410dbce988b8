/* Damaged blocks of the slotted model: every policy, both modes, with and without estimates, bounds
 * and statistics. */
#include "support/damage.h"

enum { STEPS = 40 };

/* Some policy of the host's own that has what no built-in one has. */
static int tick(pn_slotted_view *view)
{
    (void)view;
    return PN_OK;
}

static uint64_t weight(const pn_slotted_view *view, uint32_t job)
{
    return 1 + pn_slotted_id(view, job) % 3;
}

static int sometimes(pn_slotted_view *view)
{
    if (pn_random32(pn_slotted_stream(view)) % 3 == 0)
        return PN_ERR_INFEASIBLE;
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static const pn_slotted_policy own_share = {
    .name = "own_share",
    .preemptive = 1,
    .nonpreemptive = 1,
    .order_count = 1,
    .orders = {{pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0}},
    .weight = weight,
    .tick = tick,
    .tick_slots = 3,
    .state_bytes = 16,
    .state_bytes_per_job = 8,
};

static void by_service(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_slotted_attained(view, job);
    key->word[1] = pn_slotted_job_size(view, job);
}

static const pn_slotted_policy own_failing = {
    .struct_size = sizeof own_failing,
    .name = "own_failing",
    .preemptive = 1,
    .nonpreemptive = 1,
    .shadow = PN_SLOTTED_SHADOW_ESTIMATES,
    .load = PN_SLOTTED_LOAD_CUMULATIVE,
    .order_count = 3,
    .orders = {{by_service, PN_SLOTTED_CHANGES_WITH_TIME,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES | PN_SLOTTED_WITH_RUNNING, 1},
               {pn_slotted_key_most_remaining, PN_SLOTTED_CHANGES_ON_TICK,
                PN_SLOTTED_WITH_REDUCES | PN_SLOTTED_WITH_RUNNING, 0},
               {pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED, PN_SLOTTED_WITH_LOAD, 0}},
    .act = sometimes,
    .tick = tick,
    .tick_slots = 2,
    .sizes = 1,
};

static const pn_slotted_policy *some_policy(pn_stream *stream)
{
    uint32_t count = 0;
    while (pn_slotted_policy_at(count))
        count++;
    uint64_t pick = random_uniform(stream, 0, count + 1);
    return pick == count ? &own_share : pick > count ? &own_failing : pn_slotted_policy_at(pick);
}

static void make(damage_case *at, pn_stream *stream, bool *sound)
{
    const pn_slotted_policy *policy = some_policy(stream);
    pn_slotted_hooks hooks = {.policy = policy};
    pn_slotted_config config = pn_slotted_defaults();
    slotted_shape shape = {.rate = 1.5, .maps = 4, .reduces = 6, .tasks = 4, .groups = 2};
    shape.estimates = config.estimates = (uint32_t)random_uniform(stream, 0, 1);
    config.jobs_max = (uint32_t)random_uniform(stream, 1, 60);
    config.stretches_max = 2 * config.jobs_max;
    config.machines = (uint32_t)random_uniform(stream, 1, 12);
    config.reduce = policy->preemptive && policy->nonpreemptive
                        ? (uint32_t)random_uniform(stream, 0, 1)
                        : !policy->preemptive;
    config.bounds = (uint32_t)random_uniform(stream, 0, 1);
    config.statistics = random_uniform(stream, 0, 7) == 0;
    config.groups_max = 2;
    config.attributes = 2;
    config.policy = random_uniform(stream, 0, 2) == 0 && policy != &own_share &&
                            policy != &own_failing
                        ? NULL
                        : policy;
    slotted_workload work = slotted_new(config.jobs_max + 20, pn_random64(stream), shape);
    pn_slotted *sim = slotted_sim(&config);
    uint64_t steps = random_uniform(stream, 0, STEPS);
    steps = steps % 8 == 0 ? 0 : steps; /* of some, a block that no policy has seen */
    size_t fed = 0;
    for (uint64_t i = 0; i <= steps; i++) {
        while (fed < work.count && pn_slotted_submit(sim, &work.jobs[fed], NULL) == PN_OK)
            fed++;
        *sound &= pn_slotted_validate(sim, pn_slotted_block_size(sim)) == PN_OK;
        if (i < steps)
            pn_slotted_step(sim, &hooks);
        *sound &= pn_slotted_validate(sim, pn_slotted_block_size(sim)) == PN_OK;
    }
    *at = (damage_case){.block = sim, .size = pn_slotted_block_size(sim), .policy = policy};
    slotted_free(&work);
}

static void ask(const pn_slotted *sim)
{
    pn_slotted_totals totals;
    pn_slotted_totals_get(sim, &totals);
    for (uint32_t group = 0; group < 3; group++) {
        const pn_stats *stats = pn_slotted_flow_times(sim, group == 2 ? PN_ALL_GROUPS : group);
        if (stats)
            pn_stats_quantile(stats, 0.5);
    }
    pn_slotted_digest(sim);
    pn_slotted_batches(sim);
    pn_slotted_policy_name(sim);
}

static void on_finish(void *user, const pn_slotted_finish *finish)
{
    *(uint64_t *)user += finish->flow_time;
}

static void on_decision(void *user, const pn_slotted_decision *decision)
{
    *(uint64_t *)user += decision->amount;
}

static void use(const damage_case *at, void *block)
{
    uint64_t sum = 0;
    pn_slotted_hooks hooks = {
        .policy = at->policy, .on_finish = on_finish, .on_decision = on_decision, .user = &sum};
    const uint64_t tasks[] = {3, 3, 2, 0, 2};
    pn_slotted_totals totals;
    pn_slotted *sim;
    if (pn_slotted_open(&sim, block, at->size) != PN_OK)
        abort();
    ask(sim);
    for (int i = 0; i < 3 * STEPS; i++) {
        int status = pn_slotted_step(sim, &hooks);
        if (status != PN_OK && status != PN_ERR_INFEASIBLE)
            break;
        if (i % 4 == 0) {
            pn_slotted_totals_get(sim, &totals);
            pn_slotted_job job = {.arrival = totals.slot + 2,
                                  .maps = (uint64_t)i,
                                  .reduces = tasks,
                                  .reduce_count = 5};
            pn_slotted_submit(sim, &job, NULL);
        }
    }
    pn_slotted_totals_get(sim, &totals);
    pn_slotted_run(sim, &hooks, totals.slot + 20);
    ask(sim);
}

static void free_case(damage_case *at)
{
    free(at->block);
}

const damage_model damage_slotted = {pn_slotted_model, 2048, make, use, free_case};
