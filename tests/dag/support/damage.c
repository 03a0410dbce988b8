/* Damaged blocks of the dag model: every policy, with listed durations, queues, failing nodes and
 * bounds. */
#include "support/workload.h"

#include "support/damage.h"

enum { STEPS = 60, NODES = 4, JOBS = 30 };

static const uint32_t first[] = {0}, both[] = {0, 1};
static const uint64_t listed[] = {5, 6, 70};

/* Jobs with the same three stages, in other numbers. */
static pn_dag_job job_of(pn_stream *stream, pn_dag_stage stages[3], uint64_t arrival)
{
    for (uint32_t s = 0; s < 3; s++)
        stages[s] = (pn_dag_stage){
            .demand = {random_uniform(stream, 1, 3), random_uniform(stream, 0, 2)},
            .duration = random_uniform(stream, 0, 90),
            .durations = random_uniform(stream, 0, 3) == 0 ? listed : NULL,
            .parents = s == 1 ? first : both,
            .parent_count = s,
            .tasks = (uint32_t)random_uniform(stream, 1, 3),
            .start_ms = PN_DAG_AUTO};
    return (pn_dag_job){.arrival = arrival,
                        .stages = stages,
                        .stage_count = (uint32_t)random_uniform(stream, 1, 3),
                        .weight = (uint32_t)random_uniform(stream, 1, 4),
                        .queue = (uint32_t)random_uniform(stream, 0, 1),
                        .group = (uint32_t)random_uniform(stream, 0, 1)};
}

static const pn_dispatch_policy *some_policy(pn_stream *stream)
{
    uint32_t count = 0;
    while (pn_dispatch_policy_at(count))
        count++;
    return pn_dispatch_policy_at(random_uniform(stream, 0, count - 1));
}

static pn_dag_config config_of(pn_stream *stream, const pn_dispatch_policy *policy)
{
    static const pn_dispatch_nodes nodes[] = {{{4, 4}, 3, 0}, {{3, 2}, 1, 700}};
    static const pn_dispatch_queue queues[] = {{2, 600, 900, 0}, {1, 400, 0, 0}};
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = 2;
    config.dispatch.resources = 2;
    config.dispatch.queues = queues;
    config.dispatch.queues_count = 2;
    config.dispatch.jobs_max = (uint32_t)random_uniform(stream, 1, 12);
    config.dispatch.stages_max = 36;
    config.dispatch.attributes = 2;
    config.dispatch.placement = (uint32_t)random_uniform(stream, 0, 2);
    config.dispatch.order = (uint32_t)random_uniform(stream, 0, 3);
    if (random_uniform(stream, 0, 3) == 0)
        config.dispatch.executors = policy->order.by_queue || policy->order.packs
                                        ? PN_DISPATCH_EXECUTORS_FREE
                                        : PN_DISPATCH_EXECUTORS_STICKY;
    config.fresh_ms = config.dispatch.executors ? 5 : 0;
    config.dispatch.running_most = random_uniform(stream, 0, 2) == 0 ? random_uniform(stream, 1, 4)
                                                                     : 0;
    config.dispatch.backfill = (uint32_t)random_uniform(stream, 0, 1);
    config.dispatch.policy = random_uniform(stream, 0, 1) ? policy : NULL;
    config.factor_lo = 500;
    config.factor_hi = 2000;
    config.tick_ms = 50;
    config.durations_max = 60;
    config.failures_max = 6;
    config.bounds_max = (uint32_t)random_uniform(stream, 0, 1) * 40;
    config.groups_max = 2;
    config.statistics = random_uniform(stream, 0, 7) == 0;
    return config;
}

static void make(damage_case *at, pn_stream *stream, bool *sound)
{
    const pn_dispatch_policy *policy = some_policy(stream);
    const pn_dag_config config = config_of(stream, policy);
    const pn_dag_hooks hooks = {.policy = policy};
    pn_dag_stage stages[3];
    pn_dag *sim;
    size_t size = pn_dag_size(&config);
    void *block = workload_room(size);
    if (pn_dag_init(&sim, block, size, &config) != PN_OK)
        abort();
    pn_dag_fail(sim, random_uniform(stream, 0, 300), 1, 400);
    pn_dag_fail(sim, random_uniform(stream, 0, 300), 3, PN_DISPATCH_NEVER);
    uint64_t steps = random_uniform(stream, 0, 4 * STEPS), arrival = 0;
    steps = steps % 8 == 0 ? 0 : steps; /* of some, a block that no policy has seen */
    uint32_t fed = 0;
    for (uint64_t i = 0; i <= steps; i++) {
        for (bool room = true; room && fed < JOBS; fed += room) {
            pn_dag_job job = job_of(stream, stages, arrival);
            room = pn_dag_submit(sim, &job, NULL) == PN_OK;
            arrival += room ? random_uniform(stream, 0, 40) : 40;
        }
        *sound &= pn_dag_validate(block, size) == PN_OK;
        if (i < steps)
            pn_dag_run(sim, &hooks, random_uniform(stream, 0, 5) == 0 ? 5 * i : PN_INTEGER_MAX, 1);
        *sound &= pn_dag_validate(block, size) == PN_OK;
    }
    *at = (damage_case){.block = block, .size = size, .policy = policy};
}

static void ask(const pn_dag *sim)
{
    pn_dag_totals totals;
    pn_dispatch_record record;
    pn_dispatch_times times[3];
    pn_dispatch_queue_totals queue;
    pn_dag_totals_get(sim, &totals);
    for (uint32_t place = PN_NO_JOB;
         pn_dispatch_next_record(pn_dag_dispatch(sim), &place, &record) == PN_OK;)
        if (record.stage_count <= 3)
            pn_dispatch_times_get(pn_dag_dispatch(sim), place, times);
    pn_dag_queue_get(sim, 0, &queue);
    pn_dag_over(sim);
    pn_dag_digest(sim);
}

static void on_finish(void *user, const pn_dag_record *job)
{
    *(uint64_t *)user += job->alone + job->job->stages[0].ready;
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    *(uint64_t *)user += event->task;
}

static void use(const damage_case *at, void *block)
{
    uint64_t sum = 0;
    const pn_dag_hooks hooks = {
        .policy = at->policy, .on_finish = on_finish, .on_event = on_event, .user = &sum};
    pn_dag_totals totals;
    pn_dag_stage stages[3];
    pn_stream stream;
    pn_dag *sim;
    pn_stream_init(&stream, 3, 0, 0);
    if (pn_dag_open(&sim, block, at->size) != PN_OK)
        abort();
    ask(sim);
    for (int i = 0; i < 3 * STEPS; i++) {
        int status = pn_dag_run(sim, &hooks, PN_INTEGER_MAX, 1);
        if (status != PN_PAUSED && status != PN_OK)
            break;
        pn_dag_totals_get(sim, &totals);
        if (i % 8 == 0) {
            pn_dag_job job = job_of(&stream, stages, totals.time + 20);
            pn_dag_submit(sim, &job, NULL);
            pn_dag_fail(sim, totals.time + 10, (uint32_t)i % NODES, totals.time + 30);
        }
    }
    pn_dag_run(sim, &hooks, PN_DAG_FOREVER, 2000);
    ask(sim);
}

static void free_case(damage_case *at)
{
    free(at->block);
}

const damage_model damage_dag = {pn_dag_model, 6144, make, use, free_case};
