/* Damaged blocks of the tandem model: every policy and engine, both ways of giving arrivals, with
 * bounds and statistics. */
#include "tandem/support/workload.h"

#include "support/damage.h"

enum { STEPS = 60 };

static double wake(const pn_tandem_view *view)
{
    return pn_tandem_in_system(view) > 2 ? 0.25 : 0.0;
}

static void by_age(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(-pn_tandem_age(view, job));
}

static int some_jobs(const pn_tandem_view *view, uint32_t job)
{
    return pn_tandem_id(view, job) % 2 == 0;
}

/* The general engine, with every kind of order. */
static const pn_tandem_policy own_list = {
    .name = "own_list",
    .order_count = 5,
    .orders = {{by_age, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_MAPPING},
               {pn_tandem_key_sum, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_PRESENT},
               {pn_tandem_key_shuffle, some_jobs, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG},
               {pn_tandem_key_map, some_jobs, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
               {NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_BACKLOG}},
    .map = {PN_TANDEM_FIRST, 0, 0},
    .shuffle = {PN_TANDEM_SHARE, 0, 0},
    .wake = wake,
    .state_bytes = 24,
    .state_bytes_per_job = 8,
};

static const pn_tandem_policy own_first = {
    .name = "own_first",
    .order_count = 3,
    .orders = {{pn_tandem_key_sum, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
               {pn_tandem_key_shuffle, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG},
               {pn_tandem_key_sum, some_jobs, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_PRESENT}},
    .map = {PN_TANDEM_FIRST, 0, 0},
    .shuffle = {PN_TANDEM_FIRST, 1, 0},
    .wake = wake,
};

/* So many jobs share, those by another key. */
static const pn_tandem_policy own_share = {
    .name = "own_share",
    .order_count = 1,
    .orders = {{pn_tandem_key_sum, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}},
    .map = {PN_TANDEM_SHARE, 0, 2},
    .shuffle = {PN_TANDEM_SHARE, 0, 0},
};

static const pn_tandem_policy *const own[] = {&own_list, &own_first, &own_share};

static const pn_tandem_policy *some_policy(pn_stream *stream)
{
    uint32_t count = 0;
    while (pn_tandem_policy_at(count))
        count++;
    uint64_t pick = random_uniform(stream, 0, count + 2);
    return pick >= count ? own[pick - count] : pn_tandem_policy_at(pick);
}

static void make(damage_case *at, pn_stream *stream, bool *sound)
{
    const pn_tandem_policy *policy = some_policy(stream);
    pn_tandem_hooks hooks = {.policy = policy};
    tandem_shape shape = {.rate = 1, .map = 1, .shuffle = 1, .odd = 1, .groups = 2};
    shape.estimates = random_uniform(stream, 0, 2) == 0;
    shape.grain = random_uniform(stream, 0, 1) ? 4 : 0;
    tandem_workload work = tandem_new(100, pn_random64(stream), shape);
    pn_tandem_config config = tandem_config(&work, (uint32_t)random_uniform(stream, 0, 1));
    config.jobs_max = (uint32_t)random_uniform(stream, 1, 50);
    config.estimates = shape.estimates;
    config.groups_max = 2;
    config.attributes = 2;
    config.bounds = (uint32_t)random_uniform(stream, 0, 2);
    config.statistics = random_uniform(stream, 0, 9) == 0;
    config.gaps = random_uniform(stream, 0, 3) == 0;
    config.buckets_max = (uint32_t)random_uniform(stream, 0, 3);
    config.bucket_width = 0.5;
    config.policy = random_uniform(stream, 0, 2) == 0 && policy != &own_list ? NULL : policy;
    if (policy == &own_first || policy == &own_share)
        config.policy = policy;
    for (size_t i = work.count; config.gaps && i-- > 1;)
        work.jobs[i].arrival -= work.jobs[i - 1].arrival;
    pn_tandem *sim = tandem_sim(&config);
    uint64_t steps = random_uniform(stream, 0, STEPS);
    steps = steps % 8 == 0 ? 0 : steps; /* of some, a block that no policy has seen */
    size_t fed = 0;
    for (uint64_t i = 0; i <= steps; i++) {
        while (fed < work.count && pn_tandem_submit(sim, &work.jobs[fed], NULL) == PN_OK)
            fed++;
        *sound &= pn_tandem_validate(sim, pn_tandem_block_size(sim)) == PN_OK;
        if (i < steps)
            pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, 1);
        *sound &= pn_tandem_validate(sim, pn_tandem_block_size(sim)) == PN_OK;
    }
    *at = (damage_case){.block = sim, .size = pn_tandem_block_size(sim), .policy = policy};
    tandem_free(&work);
}

static void ask(const pn_tandem *sim)
{
    pn_tandem_totals totals;
    pn_tandem_totals_get(sim, &totals);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t group = i == 2 ? PN_ALL_GROUPS : i;
        if (!pn_tandem_response_times(sim, group))
            break;
        pn_stats_quantile(pn_tandem_response_times(sim, group), 0.5);
        pn_stats_quantile(pn_tandem_slowdowns(sim, group), 0.9);
    }
    pn_tandem_digest(sim);
    pn_tandem_slowdown_bucket(sim, 1);
    pn_tandem_policy_name(sim);
}

static void on_finish(void *user, const pn_tandem_finish *finish)
{
    *(double *)user += finish->response_time;
}

static void on_decision(void *user, const pn_tandem_decision *decision)
{
    *(double *)user += decision->map_rate;
}

static void use(const damage_case *at, void *block)
{
    double sum = 0;
    pn_tandem_hooks hooks = {
        .policy = at->policy, .on_finish = on_finish, .on_decision = on_decision, .user = &sum};
    pn_tandem_totals totals;
    pn_tandem *sim;
    if (pn_tandem_open(&sim, block, at->size) != PN_OK)
        abort();
    ask(sim);
    int status = PN_OK;
    for (int i = 0; i < 3 * STEPS && status == PN_OK; i++) {
        status = pn_tandem_step(sim, &hooks);
        if (i % 4 == 0) {
            pn_tandem_totals_get(sim, &totals);
            pn_tandem_job job = {.arrival = totals.time + 1, .map = i % 3, .shuffle = 1};
            pn_tandem_submit(sim, &job, NULL);
        }
    }
    /* It ends, however large the numbers: each job costs a few instants. */
    if (status == PN_OK && !((const pn_tandem_policy *)at->policy)->wake)
        status = pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 100000);
    if (status == PN_PAUSED)
        abort();
    pn_tandem_run(sim, &hooks, totals.time + 20, 100);
    ask(sim);
}

static void free_case(damage_case *at)
{
    free(at->block);
}

const damage_model damage_tandem = {pn_tandem_model, 2600, make, use, free_case};
