/* The kernel alone, in static memory: every policy on a small generated workload. Even stdio gets
 * its buffer from here, so that a count of allocations made by the whole process is a count of the
 * kernel's. Run by scripts/check/noalloc.sh. */
#include <stdio.h>

#include "pinion.h"

enum { JOBS = 200, TASKS = 5 };

static _Alignas(8) unsigned char block[1 << 18];
static _Alignas(8) unsigned char checker[1 << 16];
static _Alignas(8) unsigned char workspace[1 << 14];
static char output[1 << 12];

static uint64_t reduces[JOBS][TASKS];
static pn_slotted_job jobs[JOBS];

static void make_jobs(void)
{
    pn_stream stream;
    pn_stream_init(&stream, 1, 0, 0);
    uint64_t arrival = 1;
    for (int i = 0; i < JOBS; i++) {
        arrival += pn_poisson(&stream, 2.0);
        jobs[i] = (pn_slotted_job){
            .arrival = arrival, .reduces = reduces[i], .reduce_count = TASKS};
        jobs[i].maps = 1 + (uint64_t)pn_exponential(&stream, 5.0);
        for (int k = 0; k < TASKS; k++)
            reduces[i][k] = pn_uniform(&stream, 0, 6);
    }
}

static void see_decision(void *user, const pn_slotted_decision *decision)
{
    pn_slotted_verifier_feed(user, decision);
}

static void see_finish(void *user, const pn_slotted_finish *finish)
{
    pn_slotted_decision entry = {
        .slot = finish->finish, .id = finish->id, .kind = PN_SLOTTED_FINISH};
    pn_slotted_verifier_feed(user, &entry);
}

/* Simulates, checks and bounds; PN_OK or what went wrong. */
static int run(const pn_slotted_policy *policy, uint32_t reduce)
{
    pn_slotted_claim claim = {
        .machines = 10, reduce, policy->relaxed, policy->work_conserving, jobs, JOBS};
    pn_slotted_verifier *verifier;
    int status = pn_slotted_verifier_init(&verifier, checker, sizeof checker, &claim);
    if (status != PN_OK)
        return status;
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 10;
    config.jobs_max = JOBS;
    config.stretches_max = JOBS * TASKS;
    config.reduce = reduce;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    config.statistics = 1;
    config.policy = policy;
    pn_slotted *sim;
    status = pn_slotted_init(&sim, block, sizeof block, &config);
    for (int i = 0; i < JOBS && status == PN_OK; i++)
        status = pn_slotted_submit(sim, &jobs[i], NULL);
    pn_slotted_hooks hooks = {
        .policy = policy, .on_decision = see_decision, .on_finish = see_finish, .user = verifier};
    if (status == PN_OK)
        status = pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER);
    if (status != PN_DONE)
        return status;
    pn_slotted_totals totals;
    pn_slotted_totals_get(sim, &totals);
    status = pn_slotted_verifier_end(verifier, totals.last_finish, pn_slotted_digest(sim));
    uint64_t bound = 0;
    if (status == PN_OK)
        status = pn_slotted_bound_tight(workspace, sizeof workspace, 10, reduce, jobs, JOBS, NULL,
                                        NULL, &bound);
    printf("%-10s %8llu %8llu %8llu %6.1f\n", policy->name, (unsigned long long)totals.lower_bound,
           (unsigned long long)bound, (unsigned long long)totals.total_flow_time,
           pn_stats_quantile(pn_slotted_flow_times(sim, PN_ALL_GROUPS), 0.9));
    return status;
}

/* ---- the same in the tandem model ---- */

static pn_tandem_job tandem_jobs[JOBS];

static void make_tandem_jobs(void)
{
    pn_stream stream;
    pn_stream_init(&stream, 2, 0, 0);
    double arrival = 0;
    for (int i = 0; i < JOBS; i++) {
        arrival += pn_exponential(&stream, 1.4);
        tandem_jobs[i] = (pn_tandem_job){.arrival = arrival, .map = pn_lognormal(&stream, 1, 3.65)};
        tandem_jobs[i].shuffle = tandem_jobs[i].map * pn_lognormal(&stream, 1, 3.28);
    }
}

static void see_tandem_decision(void *user, const pn_tandem_decision *decision)
{
    pn_tandem_verifier_feed(user, decision);
}

static void see_tandem_finish(void *user, const pn_tandem_finish *finish)
{
    pn_tandem_decision entry = {.time = finish->finish, .id = finish->id, .kind = PN_TANDEM_FINISH};
    pn_tandem_verifier_feed(user, &entry);
}

static int run_tandem(const pn_tandem_policy *policy, uint32_t traditional)
{
    pn_tandem_claim claim = {.speed = 1,
                             traditional,
                             policy->work_conserving != PN_TANDEM_NO_PROMISE,
                             tandem_jobs,
                             JOBS};
    pn_tandem_verifier *verifier;
    int status = pn_tandem_verifier_init(&verifier, checker, sizeof checker, &claim);
    if (status != PN_OK)
        return status;
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = JOBS;
    config.traditional = traditional;
    config.bounds = PN_TANDEM_BOUNDS_TIGHT;
    config.statistics = 1;
    config.policy = policy;
    pn_tandem *sim;
    status = pn_tandem_init(&sim, block, sizeof block, &config);
    for (int i = 0; i < JOBS && status == PN_OK; i++)
        status = pn_tandem_submit(sim, &tandem_jobs[i], NULL);
    pn_tandem_hooks hooks = {.policy = policy,
                             .on_decision = see_tandem_decision,
                             .on_finish = see_tandem_finish,
                             .user = verifier};
    if (status == PN_OK)
        status = pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX);
    if (status != PN_DONE)
        return status;
    pn_tandem_totals totals;
    pn_tandem_totals_get(sim, &totals);
    status = pn_tandem_verifier_end(verifier, totals.last_finish, pn_tandem_digest(sim));
    printf("%-11s %8.1f %8.1f %8.1f %6.1f\n", policy->name, totals.lower_bound,
           totals.lower_bound_tight, totals.total_response_time,
           pn_stats_quantile(pn_tandem_response_times(sim, PN_ALL_GROUPS), 0.9));
    return status;
}

/* ---- the same in the makespan model ---- */

enum { BATCH = 7 };

static pn_makespan_job makespan_jobs[BATCH];
static pn_makespan_stretch makespan_tasks[BATCH][2][2];

static void make_makespan_jobs(void)
{
    pn_stream stream;
    pn_stream_init(&stream, 3, 0, 0);
    for (int i = 0; i < BATCH; i++)
        for (int k = 0; k < 2; k++) {
            for (int run = 0; run < 2; run++) {
                makespan_tasks[i][k][run].duration = pn_uniform(&stream, 1, 9);
                makespan_tasks[i][k][run].count = (uint32_t)pn_uniform(&stream, 1, 4);
            }
            makespan_jobs[i].stage[k].stretches = makespan_tasks[i][k];
            makespan_jobs[i].stage[k].stretch_count = 2;
        }
}

static void see_makespan_decision(void *user, const pn_makespan_decision *decision)
{
    pn_makespan_verifier_feed(user, decision);
}

static void see_makespan_finish(void *user, const pn_makespan_finish *finish)
{
    pn_makespan_decision entry = {.start = finish->finish,
                                  .end = finish->finish,
                                  .id = finish->id,
                                  .kind = PN_MAKESPAN_FINISH};
    pn_makespan_verifier_feed(user, &entry);
}

/* Whole tasks: the checker needs no pools then, if it is not told of any. */
static int run_makespan(const pn_makespan_policy *policy)
{
    static const uint64_t order[BATCH] = {3, 1, 2, 7, 6, 5, 4};
    static const pn_makespan_pool pool = {1, 3, order};
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = 4;
    config.reduce_slots = 2;
    config.jobs_max = BATCH;
    config.level = PN_MAKESPAN_TASKS;
    config.statistics = 1;
    config.task_order = PN_MAKESPAN_LPT;
    config.policy = policy;
    pn_makespan *sim;
    config.stretches_max = 4 * BATCH;
    int status = pn_makespan_init(&sim, block, sizeof block, &config);
    for (int i = 0; i < BATCH && status == PN_OK; i++)
        status = pn_makespan_submit(sim, &makespan_jobs[i], NULL);
    if (status == PN_OK)
        status = pn_makespan_set_order(sim, order, BATCH);
    if (status == PN_OK)
        status = pn_makespan_set_pools(sim, &pool, 1);
    pn_makespan_hooks hooks = {
        .policy = policy, .on_decision = see_makespan_decision, .on_finish = see_makespan_finish};
    if (status == PN_OK)
        status = pn_makespan_plan(sim, &hooks);
    if (status != PN_OK)
        return status;
    pn_makespan_totals totals;
    pn_makespan_totals_get(sim, &totals);
    pn_makespan_claim claim = {.map_slots = 4,
                               .reduce_slots = 2,
                               .level = PN_MAKESPAN_TASKS,
                               .stage_time = totals.stage_time,
                               .share = totals.share,
                               .cap = totals.cap,
                               .ticks = 1,
                               .jobs = makespan_jobs,
                               .job_count = BATCH};
    pn_makespan_verifier *verifier;
    status = pn_makespan_verifier_init(&verifier, checker, sizeof checker, &claim);
    hooks.user = verifier;
    if (status == PN_OK)
        status = pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX);
    if (status != PN_DONE)
        return status;
    pn_exact bound;
    status = pn_makespan_bound(sim, &bound);
    pn_makespan_totals_get(sim, &totals);
    if (status == PN_OK)
        status = pn_makespan_verifier_end(verifier, totals.makespan, pn_makespan_digest(sim));
    printf("%-14s %8.2f %8llu %6.1f\n", policy->name, pn_exact_double(bound),
           (unsigned long long)totals.makespan,
           pn_stats_quantile(pn_makespan_completions(sim, PN_ALL_GROUPS), 0.5));
    return status;
}

/* ---- the same in the cluster model ---- */

enum { CLUSTER_JOBS = 12 };

static pn_cluster_job cluster_jobs[CLUSTER_JOBS];

static void make_cluster_jobs(void)
{
    pn_stream stream;
    pn_stream_init(&stream, 4, 0, 0);
    for (uint64_t i = 0; i < CLUSTER_JOBS; i++)
        cluster_jobs[i] = (pn_cluster_job){.submit = 700 * i,
                                           .maps = (uint32_t)pn_uniform(&stream, 1, 6),
                                           .reduces = (uint32_t)(i % 3),
                                           .map_ms = pn_uniform(&stream, 500, 4000),
                                           .remote_ms = 300,
                                           .shuffle_ms = 400,
                                           .reduce_ms = pn_uniform(&stream, 500, 9000),
                                           .deadline = 40000};
}

static void see_event(void *user, const pn_scheduler_event *event)
{
    pn_cluster_verifier_feed(user, event);
}

static int run_cluster(const pn_scheduler_policy *policy)
{
    static const pn_scheduler_nodes nodes = {4, 2, 1, 1000};
    static const pn_cluster_failure failure = {5000, 9000, 2};
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = &nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.jobs_max = CLUSTER_JOBS;
    config.scheduler.statistics = 1;
    config.scheduler.policy = policy;
    config.heartbeat_ms = 300;
    config.tick_ms = 1000;
    config.factor_lo = 500;
    config.attempt_fail_permille = 20;
    config.failures_max = 1;
    config.bounds_max = CLUSTER_JOBS;
    pn_cluster_claim claim = {.config = &config,
                              .preempts = policy->preempt != NULL,
                              .maps_first = policy->admission.maps_first,
                              .deals = pn_scheduler_policy_find(policy->name) != policy,
                              .promises = pn_scheduler_policy_find(policy->name) == policy &&
                                          policy->admission.finishes != PN_SCHEDULER_FINISHES_NONE,
                              .holds = policy == pn_scheduler_dc(),
                              .jobs = cluster_jobs,
                              .job_count = CLUSTER_JOBS,
                              .failures = &failure,
                              .failure_count = 1};
    pn_cluster_verifier *verifier;
    int status = pn_cluster_verifier_init(&verifier, checker, sizeof checker, &claim);
    pn_cluster *sim;
    if (status == PN_OK)
        status = pn_cluster_init(&sim, block, sizeof block, &config);
    if (status == PN_OK)
        status = pn_cluster_fail(sim, failure.time, failure.node, failure.recover);
    for (int i = 0; i < CLUSTER_JOBS && status == PN_OK; i++)
        status = pn_cluster_submit(sim, &cluster_jobs[i], NULL);
    pn_cluster_hooks hooks = {.policy = policy, .on_event = see_event, .user = verifier};
    if (status == PN_OK)
        status = pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
    if (status != PN_DONE)
        return status;
    pn_cluster_totals totals;
    pn_cluster_totals_get(sim, &totals);
    status = pn_cluster_verifier_end(verifier, totals.scheduler.last_finish, totals.unfinished,
                                     pn_cluster_digest(sim));
    printf("%-14s %8llu %8llu %6.1f\n", policy->name,
           (unsigned long long)totals.scheduler.total_makespan,
           (unsigned long long)totals.scheduler.kills,
           pn_stats_quantile(pn_scheduler_samples(pn_cluster_scheduler(sim), PN_SCHEDULER_MAKESPANS,
                                                  PN_ALL_GROUPS),
                             0.5));
    return status;
}

int main(void)
{
    int failed = 0;
    setvbuf(stdout, output, _IOFBF, sizeof output);
    make_jobs();
    make_tandem_jobs();
    make_makespan_jobs();
    make_cluster_jobs();
    for (size_t i = 0; pn_scheduler_policy_at(i); i++)
        failed |= run_cluster(pn_scheduler_policy_at(i)) != PN_OK;
    for (size_t i = 0; pn_makespan_policy_at(i); i++)
        failed |= run_makespan(pn_makespan_policy_at(i)) != PN_OK;
    for (size_t i = 0; pn_tandem_policy_at(i); i++)
        for (uint32_t traditional = 0; traditional <= 1; traditional++)
            failed |= run_tandem(pn_tandem_policy_at(i), traditional) != PN_OK;
    for (size_t i = 0; pn_slotted_policy_at(i); i++) {
        const pn_slotted_policy *policy = pn_slotted_policy_at(i);
        if (policy->preemptive)
            failed |= run(policy, PN_SLOTTED_PREEMPTIVE) != PN_OK;
        if (policy->nonpreemptive)
            failed |= run(policy, PN_SLOTTED_NONPREEMPTIVE) != PN_OK;
    }
    return failed;
}
