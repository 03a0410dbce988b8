/* The dag model under the contract: every policy with other parameters each time, listed durations,
 * groups, queues, failing nodes and bounds. */
#include "contract/contract.h"
#include "support/workload.h"

enum { JOBS = 14, GROUPS = 3, STAGES = 4, TASKS = 4 };

typedef struct workload {
    pn_dag_job jobs[JOBS];
    pn_dag_stage stages[JOBS][STAGES];
    uint64_t durations[TASKS];
    double params[PN_PARAMS_MAX];
} workload;

static const pn_dispatch_nodes nodes[] = {
    {{4, 8}, 2, 0},
    {{6, 3}, 1, 1500},
};
static const pn_dispatch_queue queues[] = {{2, 600, 800, 0}, {1, 400, 0, 0}};
static const uint32_t first[] = {0}, first_two[] = {0, 1};

static pn_dag_stage stage_of(workload *work, pn_stream *stream, uint32_t index)
{
    pn_dag_stage made = {.demand = {pn_uniform(stream, 1, 3), pn_uniform(stream, 0, 3)},
                         .duration = pn_uniform(stream, 0, 30),
                         .tasks = (uint32_t)pn_uniform(stream, 1, TASKS),
                         .start_ms = PN_DAG_AUTO};
    if (index == 1 || index == 2) {
        made.parents = index == 1 ? first : first_two;
        made.parent_count = index;
    }
    if (index == 3)
        made.durations = work->durations;
    return made;
}

static workload *workload_of(uint64_t seed)
{
    workload *work = workload_room(sizeof *work);
    pn_stream stream;
    pn_stream_init(&stream, seed, 0, 0);
    memset(work, 0, sizeof *work);
    for (uint32_t i = 0; i < TASKS; i++)
        work->durations[i] = pn_uniform(&stream, 1, 40);
    for (uint32_t j = 0; j < JOBS; j++) {
        uint32_t count = (uint32_t)pn_uniform(&stream, 1, STAGES);
        for (uint32_t s = 0; s < count; s++)
            work->stages[j][s] = stage_of(work, &stream, s);
        work->jobs[j] = (pn_dag_job){.arrival = 5 * j + pn_uniform(&stream, 0, 4),
                                     .stages = work->stages[j],
                                     .stage_count = count,
                                     .weight = 1 + j % 3,
                                     .queue = j % 2,
                                     .group = j % GROUPS,
                                     .deadline = j % 4 ? 60 : 0};
    }
    return work;
}

static pn_dag_config config_of(uint32_t option)
{
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = 2;
    config.dispatch.resources = 2;
    config.dispatch.queues = queues;
    config.dispatch.queues_count = 2;
    config.dispatch.jobs_max = JOBS;
    config.dispatch.placement = option % 3;
    config.dispatch.order = (option + 1) % 3;
    config.dispatch.backfill = option != 1;
    config.factor_lo = config.est_lo = 700;
    config.factor_hi = config.est_hi = 1600;
    config.start_ms = option;
    config.tick_ms = 7;
    config.durations_max = JOBS * TASKS;
    config.failures_max = 3;
    config.bounds_max = JOBS;
    config.groups_max = GROUPS;
    config.statistics = 1;
    return config;
}

/* Each policy with its defaults, and with other values of its parameters. */
static bool make(size_t index, contract_case *made)
{
    static pn_dag_hooks hooks;
    size_t policy = index / 6;
    for (size_t p = 0; p <= policy; p++)
        if (!pn_dispatch_policy_at(p))
            return false;
    workload *work = workload_of(51 + index);
    pn_dag_config config = config_of((uint32_t)index % 3);
    const pn_dispatch_policy *it = config.dispatch.policy = pn_dispatch_policy_at(policy);
    for (uint32_t i = 0; i < it->param_count; i++)
        work->params[i] = index % 2 ? it->params[i].value : it->params[i].high;
    hooks = (pn_dag_hooks){.policy = it, .params = work->params};
    *made = (contract_case){.jobs = work, .hooks = &hooks};
    memcpy(made->config, &config, sizeof config);
    return true;
}

static void drop(contract_case *made)
{
    free(made->jobs);
}

static int feed(void *sim, const contract_case *of)
{
    const workload *work = of->jobs;
    int status = PN_OK;
    for (uint32_t j = 0; j < JOBS && status == PN_OK; j++)
        status = pn_dag_submit(sim, &work->jobs[j], NULL);
    if (status == PN_OK)
        status = pn_dag_fail(sim, 20, 1, 45);
    return status == PN_OK ? pn_dag_fail(sim, 60, 2, PN_DISPATCH_NEVER) : status;
}

const contract_model contract_dag = {pn_dag_model, make, drop, feed};
