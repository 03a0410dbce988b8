/* Changed logs of the dag model, see support/refusals.h. */
#include "support/refusals.h"

#include "dag/support/instance.h"
#include "support/workload.h"

typedef struct claim {
    pn_dag_claim claim;
    pn_dag_totals totals;
    uint64_t unfinished, digest;
} claim;

static int feed(pn_dag_verifier *it, const dag_log_entry *entry)
{
    pn_dispatch_record job = entry->job;
    pn_dag_record row = entry->row;
    if (!entry->is_row)
        return pn_dag_verifier_feed(it, &entry->event);
    job.stages = entry->stages;
    row.job = &job;
    return pn_dag_verifier_row(it, &row);
}

static int end_log(pn_dag_verifier *it, const refusals_case *of)
{
    const claim *told = of->claim;
    const dag_log_entry *entry = of->log.rows;
    if (of->stops)
        pn_dag_verifier_stop(it, entry[of->log.count].event.time);
    else if (told->claim.config->max_time_ms > 0)
        pn_dag_verifier_stop(it, told->claim.config->max_time_ms);
    return pn_dag_verifier_end(it, told->unfinished, &told->totals, told->digest);
}

REFUSALS_JUDGE(dag, dag_log_entry, feed, uint64_t)

static const refusals_field entries[] = {
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.time),
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.id),
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.event),
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.stage),
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.task),
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.node),
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.attempt),
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.capacity[0]),
    REFUSALS_FIELD(WHOLE, dag_log_entry, event.capacity[1]),
    REFUSALS_FIELD(WHOLE, dag_log_entry, row.path),
    REFUSALS_FIELD(WHOLE, dag_log_entry, row.alone),
    REFUSALS_FIELD(WHOLE, dag_log_entry, row.slowdown_permille),
    REFUSALS_FIELD(WHOLE, dag_log_entry, row.deadline_met),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.id),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.arrival),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.first_start),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.finish),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.deadline),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.kills),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.lost),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.weight),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.queue),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.group),
    REFUSALS_FIELD(WHOLE, dag_log_entry, job.state),
    REFUSALS_FIELD(LESSER, dag_log_entry, job.stage_count),
    REFUSALS_FIELD(WHOLE, dag_log_entry, stages[0].ready),
    REFUSALS_FIELD(WHOLE, dag_log_entry, stages[0].start),
    REFUSALS_FIELD(WHOLE, dag_log_entry, stages[0].finish),
    REFUSALS_FIELD(WHOLE, dag_log_entry, stages[1].ready),
    REFUSALS_FIELD(WHOLE, dag_log_entry, stages[1].start),
    REFUSALS_FIELD(WHOLE, dag_log_entry, stages[1].finish),
    {0}};
static const refusals_field claims[] = {
    REFUSALS_FIELD(WHOLE, claim, claim.preempts),
    REFUSALS_FIELD(WHOLE, claim, claim.limits),
    REFUSALS_FIELD(LESSER, claim, claim.job_count),
    REFUSALS_FIELD(LESSER, claim, claim.failure_count),
    REFUSALS_FIELD(WHOLE, claim, unfinished),
    REFUSALS_FIELD(WHOLE, claim, digest),
    REFUSALS_FIELD(WHOLE, claim, totals.submitted),
    REFUSALS_FIELD(WHOLE, claim, totals.unfinished),
    REFUSALS_FIELD(WHOLE, claim, totals.first_arrival),
    REFUSALS_FIELD(WHOLE, claim, totals.makespan),
    REFUSALS_FIELD(WHOLE, claim, totals.slowdown_sum.low),
    REFUSALS_FIELD(WHOLE, claim, totals.slowdown_sum.high),
    REFUSALS_FIELD(WHOLE, claim, totals.jain_permille),
    REFUSALS_FIELD(WHOLE, claim, totals.utilisation_permille[0]),
    REFUSALS_FIELD(WHOLE, claim, totals.utilisation_permille[1]),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.submitted),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.finished),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.cancelled),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.first_arrival),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.last_finish),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.last_logged),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.launches),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.ends),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.kills),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.failures),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.lost),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.used[0].low),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.used[1].low),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.wasted[0].low),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.wasted[1].high),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.total_jct.low),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.total_jct.high),
    REFUSALS_FIELD(WHOLE, claim, totals.dispatch.in_system_max),
    {0}};
static const refusals_field rules[] = {REFUSALS_FIELD(LESSER, pn_dag_config, dispatch.nodes_count),
                                       REFUSALS_FIELD(LESSER, pn_dag_config, dispatch.queues_count),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, dispatch.resources),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, dispatch.nodes_down),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, dispatch.attempts_max),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, dispatch.max_kills),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, dispatch.nodes_absent),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, dispatch.running_most),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, dispatch.executors),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, seed),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, factor_lo),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, factor_hi),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, est_lo),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, est_hi),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, start_ms),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, max_time_ms),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, move_ms),
                                       REFUSALS_FIELD(WHOLE, pn_dag_config, fresh_ms),
                                       {0}};
static const refusals_field jobs[] = {REFUSALS_FIELD(WHOLE, pn_dag_job, arrival),
                                      REFUSALS_FIELD(LESSER, pn_dag_job, stage_count),
                                      REFUSALS_FIELD(WHOLE, pn_dag_job, weight),
                                      REFUSALS_FIELD(WHOLE, pn_dag_job, queue),
                                      REFUSALS_FIELD(WHOLE, pn_dag_job, group),
                                      REFUSALS_FIELD(WHOLE, pn_dag_job, deadline),
                                      {0}};
static const refusals_field failures[] = {REFUSALS_FIELD(WHOLE, pn_dag_failure, time),
                                          REFUSALS_FIELD(WHOLE, pn_dag_failure, recover),
                                          REFUSALS_FIELD(WHOLE, pn_dag_failure, node),
                                          {0}};
static const refusals_field nodes[] = {REFUSALS_FIELD(WHOLE, pn_dispatch_nodes, capacity[0]),
                                       REFUSALS_FIELD(WHOLE, pn_dispatch_nodes, capacity[1]),
                                       REFUSALS_FIELD(WHOLE, pn_dispatch_nodes, count),
                                       REFUSALS_FIELD(WHOLE, pn_dispatch_nodes, speed),
                                       {0}};
static const refusals_field queues[] = {REFUSALS_FIELD(WHOLE, pn_dispatch_queue, weight),
                                        REFUSALS_FIELD(WHOLE, pn_dispatch_queue, guaranteed),
                                        REFUSALS_FIELD(WHOLE, pn_dispatch_queue, maximum),
                                        {0}};
static const refusals_field stages[] = {REFUSALS_FIELD(WHOLE, pn_dag_stage, demand[0]),
                                        REFUSALS_FIELD(WHOLE, pn_dag_stage, demand[1]),
                                        REFUSALS_FIELD(WHOLE, pn_dag_stage, duration),
                                        REFUSALS_FIELD(LESSER, pn_dag_stage, parent_count),
                                        REFUSALS_FIELD(LESSER, pn_dag_stage, tasks),
                                        REFUSALS_FIELD(WHOLE, pn_dag_stage, estimate),
                                        REFUSALS_FIELD(WHOLE, pn_dag_stage, start_ms),
                                        {0}};

void dag_refusals(const pn_dag_claim *claimed, const refusals_table *log, uint64_t unfinished,
                  const dag_outcome *out)
{
    const pn_dag_config *config = claimed->config;
    const pn_dispatch_config *core = &config->dispatch;
    claim told = {*claimed, out->totals, unfinished, out->digest};
    refusals_judge(&(refusals_case){
        .log = {log->rows, sizeof(dag_log_entry), log->count, entries},
        .tables = {{&told, sizeof told, 1, claims},
                   {config, sizeof *config, 1, rules},
                   {core->nodes, sizeof *core->nodes, core->nodes_count, nodes},
                   {core->queues, sizeof *core->queues, core->queues_count, queues},
                   {claimed->jobs, sizeof *claimed->jobs, claimed->job_count, jobs},
                   {claimed->jobs[0].stages, sizeof(pn_dag_stage), claimed->jobs[0].stage_count,
                    stages},
                   {claimed->failures, sizeof *claimed->failures, claimed->failure_count,
                    failures}},
        .claim = &told,
        .judge = judge});
}
