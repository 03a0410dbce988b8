#include "scenarios.h"

#include "pn_strict.h"

enum { JOBS = 24, PLANNED = 5 };

/* A block laid out for this configuration, with room for the one policy. */
#define BEGIN(model, config)                                             \
    pn_##model *sim;                                                     \
    *size = pn_##model##_size(config);                                   \
    int status = pn_##model##_init(&sim, block, SCENARIO_BLOCK, config); \
    pn_stream stream;                                                    \
    pn_stream_init(&stream, 2026, 0, 1);                                 \
    (void)sim

/* Where the block lies now, or back with the status. */
#define OPEN(model, type)                              \
    pn_##model *sim;                                   \
    int status = pn_##model##_open(&sim, block, size); \
    if (status != PN_OK)                               \
    return (type)status

static uint64_t bits_of(double value)
{
    return pn_key_double(value);
}

/* ---- slotted ---- */

static int slotted_begin(void *block, size_t *size)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 6;
    config.jobs_max = JOBS;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    config.policy = pn_slotted_policy_find("asrpt");
    BEGIN(slotted, &config);
    uint64_t arrival = 1;
    for (int i = 0; i < JOBS && status == PN_OK; i++) {
        uint64_t tasks[2] = {1 + pn_poisson(&stream, 3), 0};
        tasks[1] = 1 + (uint64_t)pn_exponential(&stream, 4);
        pn_slotted_job job = {.arrival = arrival, .reduces = tasks, .reduce_count = 2};
        job.maps = pn_uniform(&stream, 1, 9);
        arrival += pn_poisson(&stream, 2);
        status = pn_slotted_submit(sim, &job, NULL);
    }
    return status;
}

static int slotted_step(void *block, size_t size)
{
    const pn_slotted_hooks hooks = {.policy = pn_slotted_policy_find("asrpt")};
    OPEN(slotted, int);
    return pn_slotted_step(sim, &hooks);
}

static uint64_t slotted_digest(void *block, size_t size)
{
    pn_slotted_totals totals;
    OPEN(slotted, uint64_t);
    pn_slotted_totals_get(sim, &totals);
    return pn_mix(pn_mix(pn_slotted_digest(sim), totals.total_flow_time), totals.lower_bound);
}

/* ---- tandem ---- */

static int tandem_begin(void *block, size_t *size)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = JOBS;
    config.bounds = PN_TANDEM_BOUNDS_TIGHT;
    config.policy = pn_tandem_policy_find("bsrpt");
    BEGIN(tandem, &config);
    double arrival = 0;
    for (int i = 0; i < JOBS && status == PN_OK; i++) {
        pn_tandem_job job = {.arrival = arrival, .map = pn_lognormal(&stream, 1, 3)};
        job.shuffle = pn_exponential(&stream, 1);
        arrival += pn_exponential(&stream, 1.3);
        status = pn_tandem_submit(sim, &job, NULL);
    }
    return status;
}

static int tandem_step(void *block, size_t size)
{
    const pn_tandem_hooks hooks = {.policy = pn_tandem_policy_find("bsrpt")};
    OPEN(tandem, int);
    return pn_tandem_step(sim, &hooks);
}

static uint64_t tandem_digest(void *block, size_t size)
{
    pn_tandem_totals totals;
    OPEN(tandem, uint64_t);
    pn_tandem_totals_get(sim, &totals);
    uint64_t digest = pn_mix(pn_tandem_digest(sim), bits_of(totals.total_response_time));
    return pn_mix(digest, bits_of(totals.lower_bound_tight));
}

/* ---- makespan: a search by the order of jobs, and the exact planner of tasks ---- */

static int makespan_begin_by(void *block, size_t *size, const char *policy, uint32_t level,
                             uint32_t jobs)
{
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = 3;
    config.reduce_slots = 2;
    config.level = level;
    config.jobs_max = jobs;
    config.policy = pn_makespan_policy_find(policy);
    BEGIN(makespan, &config);
    for (uint32_t i = 0; i < jobs && status == PN_OK; i++) {
        pn_makespan_stretch map = {.duration = pn_uniform(&stream, 1, 9), .count = 1 + i % 2};
        pn_makespan_stretch reduce = {.duration = pn_uniform(&stream, 1, 9), .count = 1};
        const pn_makespan_job job = {.stage = {{.stretches = &map, .stretch_count = 1},
                                               {.stretches = &reduce, .stretch_count = 1}}};
        status = pn_makespan_submit(sim, &job, NULL);
    }
    return status;
}

static int makespan_begin(void *block, size_t *size)
{
    return makespan_begin_by(block, size, "local_search", PN_MAKESPAN_STAGES, JOBS / 2);
}

static int exact_begin(void *block, size_t *size)
{
    return makespan_begin_by(block, size, "exact", PN_MAKESPAN_TASKS, PLANNED);
}

static int makespan_step_by(void *block, size_t size, const char *policy)
{
    const pn_makespan_hooks hooks = {.policy = pn_makespan_policy_find(policy)};
    OPEN(makespan, int);
    status = pn_makespan_plan(sim, &hooks);
    return status == PN_OK ? pn_makespan_step(sim, &hooks) : status;
}

static int makespan_step(void *block, size_t size)
{
    return makespan_step_by(block, size, "local_search");
}

static int exact_step(void *block, size_t size)
{
    return makespan_step_by(block, size, "exact");
}

static uint64_t makespan_digest(void *block, size_t size)
{
    pn_makespan_totals totals;
    OPEN(makespan, uint64_t);
    pn_makespan_totals_get(sim, &totals);
    return pn_mix(pn_mix(pn_makespan_digest(sim), totals.makespan), totals.evaluations);
}

/* ---- cluster ---- */

static int cluster_begin(void *block, size_t *size)
{
    static const pn_scheduler_nodes nodes[] = {
        {.count = 3, .map_slots = 2, .reduce_slots = 1, .speed = 1000},
        {.count = 1, .map_slots = 2, .reduce_slots = 2, .speed = 1500}};
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 2;
    config.scheduler.jobs_max = JOBS;
    config.scheduler.tasks_max = 12 * JOBS;
    config.scheduler.policy = pn_scheduler_policy_find("rtmr-live");
    config.heartbeat_ms = 700;
    config.factor_lo = 800;
    config.failures_max = 1;
    BEGIN(cluster, &config);
    uint64_t time = 0;
    for (int i = 0; i < JOBS && status == PN_OK; i++) {
        pn_cluster_job job = {.submit = time, .map_ms = pn_uniform(&stream, 500, 3000)};
        job.maps = (uint32_t)pn_uniform(&stream, 1, 8);
        job.reduces = (uint32_t)pn_uniform(&stream, 0, 3);
        job.reduce_ms = pn_uniform(&stream, 500, 3000);
        job.deadline = i % 2 ? 60000 : 20000;
        time += pn_uniform(&stream, 0, 8000);
        status = pn_cluster_submit(sim, &job, NULL);
    }
    return status == PN_OK ? pn_cluster_fail(sim, 9000, 1, 30000) : status;
}

static int cluster_step(void *block, size_t size)
{
    const pn_cluster_hooks hooks = {.policy = pn_scheduler_policy_find("rtmr-live")};
    OPEN(cluster, int);
    return pn_cluster_step(sim, &hooks);
}

static uint64_t cluster_digest(void *block, size_t size)
{
    pn_cluster_totals totals;
    OPEN(cluster, uint64_t);
    pn_cluster_totals_get(sim, &totals);
    return pn_mix(pn_mix(pn_cluster_digest(sim), totals.scheduler.total_makespan),
                  totals.scheduler.slot_ms);
}

/* ---- dag ---- */

static int dag_begin(void *block, size_t *size)
{
    static const pn_dispatch_nodes nodes[] = {{.capacity = {4, 8}, .count = 2},
                                              {.capacity = {6, 3}, .count = 1, .speed = 700}};
    static const uint32_t parents[] = {0};
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = 2;
    config.dispatch.resources = 2;
    config.dispatch.jobs_max = JOBS;
    config.dispatch.stages_max = 2 * JOBS;
    config.dispatch.policy = pn_dispatch_policy_find("hfsp");
    config.factor_lo = 700;
    config.factor_hi = 1300;
    config.failures_max = 1;
    config.bounds_max = JOBS;
    BEGIN(dag, &config);
    uint64_t time = 0;
    for (int i = 0; i < JOBS && status == PN_OK; i++) {
        pn_dag_stage stages[2] = {
            {.demand = {1, 2}, .tasks = 1 + (uint32_t)i % 4},
            {.demand = {2, 1}, .tasks = 1, .parents = parents, .parent_count = 1}};
        stages[0].duration = pn_uniform(&stream, 100, 4000);
        stages[1].duration = pn_uniform(&stream, 100, 4000);
        const pn_dag_job job = {.arrival = time, .stages = stages, .stage_count = 2};
        time += pn_uniform(&stream, 0, 1500);
        status = pn_dag_submit(sim, &job, NULL);
    }
    return status == PN_OK ? pn_dag_fail(sim, 5000, 1, 15000) : status;
}

static int dag_step(void *block, size_t size)
{
    const pn_dag_hooks hooks = {.policy = pn_dispatch_policy_find("hfsp")};
    OPEN(dag, int);
    return pn_dag_step(sim, &hooks);
}

static uint64_t dag_digest(void *block, size_t size)
{
    pn_dag_totals totals;
    OPEN(dag, uint64_t);
    pn_dag_totals_get(sim, &totals);
    return pn_mix(pn_mix(pn_dag_digest(sim), totals.dispatch.total_jct.low),
                  totals.bound_total_jct.low);
}

const scenario scenarios[] = {
    {"slotted", slotted_begin, slotted_step, slotted_digest},
    {"tandem", tandem_begin, tandem_step, tandem_digest},
    {"makespan", makespan_begin, makespan_step, makespan_digest},
    {"exact", exact_begin, exact_step, makespan_digest},
    {"cluster", cluster_begin, cluster_step, cluster_digest},
    {"dag", dag_begin, dag_step, dag_digest},
    {NULL, NULL, NULL, NULL},
};
