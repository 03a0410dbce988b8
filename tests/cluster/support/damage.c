/* Damaged blocks of the cluster model: every policy, with and without heartbeats, lists and failing
 * nodes. */
#include "cluster/support/workload.h"

#include "scheduler/support/damage.h"

enum { STEPS = 60, NODES = 5 };

static void make(damage_case *at, pn_stream *stream, bool *sound)
{
    static const pn_scheduler_nodes nodes[] = {{2, 2, 1, 0}, {1, 1, 0, 500}, {2, 1, 2, 2000}};
    const pn_scheduler_policy *policy = damage_policy(stream);
    double *params = damage_params(policy, stream);
    pn_cluster_hooks hooks = {.policy = policy, .params = params};
    pn_cluster_config config = pn_cluster_defaults();
    cluster_shape shape = {.gap_ms = 300,
                           .maps = 5,
                           .reduces = 3,
                           .task_ms = 400,
                           .listed = 1,
                           .nodes = NODES,
                           .groups = 2};
    pn_cluster *sim;
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 3;
    config.scheduler.jobs_max = (uint32_t)random_uniform(stream, 1, 12);
    config.scheduler.groups_max = 2;
    config.scheduler.attributes = 2;
    config.scheduler.statistics = random_uniform(stream, 0, 7) == 0;
    config.scheduler.locality_delay_ms = random_uniform(stream, 0, 1) * 50;
    damage_configure(&config.scheduler, policy, stream);
    config.heartbeat_ms = random_uniform(stream, 0, 1) * 100;
    config.tick_ms = 500;
    config.factor_lo = 500;
    config.factor_hi = 2000;
    config.attempt_fail_permille = (uint32_t)random_uniform(stream, 0, 1) * 50;
    config.scheduler.tasks_max = 100;
    config.values_max = 400;
    config.failures_max = 4;
    config.bounds_max = random_uniform(stream, 0, 1) * 40;
    config.save_ms = random_uniform(stream, 0, 1) * 300;
    cluster_workload work = cluster_new(30, pn_random64(stream), shape);
    size_t size = pn_cluster_size(&config);
    void *block = workload_room(size);
    if (pn_cluster_init(&sim, block, size, &config) != PN_OK)
        abort();
    pn_cluster_fail(sim, random_uniform(stream, 0, 3000), 1, 4000);
    pn_cluster_fail(sim, random_uniform(stream, 0, 3000), 4, PN_SCHEDULER_NEVER);
    uint64_t steps = random_uniform(stream, 0, 4 * STEPS);
    steps = steps % 8 == 0 ? 0 : steps; /* of some, a block that no policy has seen */
    size_t fed = 0;
    for (uint64_t i = 0; i <= steps; i++) {
        while (fed < work.count && pn_cluster_submit(sim, &work.jobs[fed], NULL) == PN_OK)
            fed++;
        *sound &= pn_cluster_validate(block, size) == PN_OK;
        if (i < steps)
            pn_cluster_run(sim, &hooks, random_uniform(stream, 0, 5) == 0 ? 20 * i : PN_INTEGER_MAX,
                           1);
        *sound &= pn_cluster_validate(block, size) == PN_OK;
    }
    *at = (damage_case){.block = block, .size = size, .policy = policy, .rest = params};
    cluster_free(&work);
}

static void ask(const pn_cluster *sim)
{
    pn_cluster_totals totals;
    pn_scheduler_record record;
    pn_cluster_totals_get(sim, &totals);
    for (uint32_t place = PN_NO_JOB;
         pn_scheduler_next_record(pn_cluster_scheduler(sim), &place, &record) == PN_OK;)
        continue;
    pn_cluster_over(sim);
    pn_cluster_digest(sim);
}

static void on_finish(void *user, const pn_scheduler_record *job)
{
    *(uint64_t *)user += job->slot_ms;
}

static void on_event(void *user, const pn_scheduler_event *event)
{
    *(uint64_t *)user += event->task;
}

static void use(const damage_case *at, void *block)
{
    static const uint64_t times[] = {5, 6, 7};
    uint64_t sum = 0;
    pn_cluster_hooks hooks = {.policy = at->policy,
                              .params = at->rest,
                              .on_finish = on_finish,
                              .on_event = on_event,
                              .user = &sum};
    pn_cluster_totals totals;
    pn_cluster *sim;
    if (pn_cluster_open(&sim, block, at->size) != PN_OK)
        abort();
    ask(sim);
    for (int i = 0; i < 3 * STEPS; i++) {
        int status = pn_cluster_run(sim, &hooks, PN_INTEGER_MAX, 1);
        if (status != PN_PAUSED && status != PN_OK)
            break;
        pn_cluster_totals_get(sim, &totals);
        if (i % 8 == 0) {
            pn_cluster_job job = {.submit = totals.time + 100,
                                  .maps = 3,
                                  .reduces = 1,
                                  .map_ms = 10,
                                  .map_times = times};
            pn_cluster_submit(sim, &job, NULL);
            pn_cluster_fail(sim, totals.time + 50, (uint32_t)i % NODES, totals.time + 90);
        }
    }
    pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, 2000);
    ask(sim);
}

static void free_case(damage_case *at)
{
    free(at->block);
    free(at->rest);
}

const damage_model damage_cluster = {pn_cluster_model, 4096, make, use, free_case};
