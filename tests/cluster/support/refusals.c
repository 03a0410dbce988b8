/* Changed logs of the cluster model, see support/refusals.h. */
#include "support/refusals.h"

#include "cluster/support/instance.h"
#include "cluster/support/log.h"
#include "support/workload.h"

typedef struct claim {
    pn_cluster_claim claim;
    uint64_t end, unfinished, digest;
} claim;

/* Ends the log; where the run stopped, with the end and the digest of what there is. */
static int end_log(pn_cluster_verifier *it, const refusals_case *of)
{
    const claim *told = of->claim;
    cluster_log log = {(pn_scheduler_event *)(uintptr_t)of->log.rows, of->log.count, 0};
    if (!of->stops)
        return pn_cluster_verifier_end(it, told->end, told->unfinished, told->digest);
    pn_cluster_verifier_stop(it, log.entry[log.count].time);
    return pn_cluster_verifier_end(it, cluster_log_end(&log),
                                   cluster_log_unfinished(&log, told->claim.job_count),
                                   cluster_log_digest(&log));
}

REFUSALS_JUDGE(cluster, pn_scheduler_event, pn_cluster_verifier_feed, uint64_t)

static const refusals_field entries[] = {REFUSALS_FIELD(WHOLE, pn_scheduler_event, time),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, id),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, event),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, kind),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, task),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, node),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, attempt),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, estimate),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, deadline),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, slots[0]),
                                         REFUSALS_FIELD(WHOLE, pn_scheduler_event, slots[1]),
                                         {0}};
static const refusals_field claims[] = {REFUSALS_FIELD(WHOLE, claim, claim.measured),
                                        REFUSALS_FIELD(WHOLE, claim, claim.preempts),
                                        REFUSALS_FIELD(WHOLE, claim, claim.maps_first),
                                        REFUSALS_FIELD(WHOLE, claim, claim.holds),
                                        REFUSALS_FIELD(WHOLE, claim, claim.deals),
                                        REFUSALS_FIELD(WHOLE, claim, claim.promises),
                                        REFUSALS_FIELD(WHOLE, claim, claim.copies),
                                        REFUSALS_FIELD(LESSER, claim, claim.job_count),
                                        REFUSALS_FIELD(LESSER, claim, claim.failure_count),
                                        REFUSALS_FIELD(WHOLE, claim, end),
                                        REFUSALS_FIELD(WHOLE, claim, unfinished),
                                        REFUSALS_FIELD(WHOLE, claim, digest),
                                        {0}};
static const refusals_field rules[] = {
    REFUSALS_FIELD(LESSER, pn_cluster_config, scheduler.nodes_count),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.nodes_down),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.replicas_of_map),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.reduce_start),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.slowstart_permille),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.attempts_max),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.max_kills),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.locality_delay_ms),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.running_most),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.suspended_max),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, scheduler.nodes_absent),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, seed),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, heartbeat_ms),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, maps_per_heartbeat),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, replication),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, factor_lo),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, factor_hi),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, attempt_fail_permille),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, max_time_ms),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, restore_permille),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, save_permille),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, restore_ms),
    REFUSALS_FIELD(WHOLE, pn_cluster_config, save_ms),
    {0}};
static const refusals_field jobs[] = {REFUSALS_FIELD(WHOLE, pn_cluster_job, submit),
                                      REFUSALS_FIELD(LESSER, pn_cluster_job, maps),
                                      REFUSALS_FIELD(LESSER, pn_cluster_job, reduces),
                                      REFUSALS_FIELD(WHOLE, pn_cluster_job, map_ms),
                                      REFUSALS_FIELD(WHOLE, pn_cluster_job, remote_ms),
                                      REFUSALS_FIELD(WHOLE, pn_cluster_job, reduce_ms),
                                      REFUSALS_FIELD(WHOLE, pn_cluster_job, shuffle_ms),
                                      REFUSALS_FIELD(WHOLE, pn_cluster_job, deadline),
                                      REFUSALS_FIELD(WHOLE, pn_cluster_job, est_map_ms),
                                      REFUSALS_FIELD(WHOLE, pn_cluster_job, est_reduce_ms),
                                      {0}};
static const refusals_field failures[] = {REFUSALS_FIELD(WHOLE, pn_cluster_failure, time),
                                          REFUSALS_FIELD(WHOLE, pn_cluster_failure, recover),
                                          REFUSALS_FIELD(WHOLE, pn_cluster_failure, node),
                                          {0}};
static const refusals_field nodes[] = {REFUSALS_FIELD(WHOLE, pn_scheduler_nodes, count),
                                       REFUSALS_FIELD(WHOLE, pn_scheduler_nodes, map_slots),
                                       REFUSALS_FIELD(WHOLE, pn_scheduler_nodes, reduce_slots),
                                       REFUSALS_FIELD(WHOLE, pn_scheduler_nodes, speed),
                                       {0}};

void cluster_refusals(const pn_cluster_claim *claimed, const cluster_outcome *out)
{
    const pn_cluster_config *config = claimed->config;
    claim told = {*claimed, out->totals.scheduler.last_finish, out->totals.unfinished,
                  out->result.digest};
    refusals_judge(&(refusals_case){
        .log = {out->result.events, sizeof *out->result.events, out->result.event_count, entries},
        .tables = {{&told, sizeof told, 1, claims},
                   {config, sizeof *config, 1, rules},
                   {config->scheduler.nodes, sizeof *config->scheduler.nodes,
                    config->scheduler.nodes_count, nodes},
                   {claimed->jobs, sizeof *claimed->jobs, claimed->job_count, jobs},
                   {claimed->failures, sizeof *claimed->failures, claimed->failure_count,
                    failures}},
        .claim = &told,
        .judge = judge});
}
