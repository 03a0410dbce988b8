/* Changed logs of the tandem model, see support/refusals.h. */
#include "support/refusals.h"

#include "tandem/support/instance.h"
#include "tandem/support/workload.h"

typedef struct claim {
    pn_tandem_claim claim;
    double end;
    uint64_t digest;
} claim;

/* Ends the log; where the run stopped, with the end and the digest of what there is. */
static int end_log(pn_tandem_verifier *it, const refusals_case *of)
{
    const claim *told = of->claim;
    tandem_log log = {(pn_tandem_decision *)(uintptr_t)of->log.rows, of->log.count, 0};
    if (!of->stops)
        return pn_tandem_verifier_end(it, told->end, told->digest);
    pn_tandem_verifier_stop(it, log.entry[log.count].time);
    return pn_tandem_verifier_end(it, tandem_log_end(&log), tandem_log_digest(&log));
}

REFUSALS_JUDGE(tandem, pn_tandem_decision, pn_tandem_verifier_feed, double)

static const refusals_field entries[] = {REFUSALS_FIELD(REAL, pn_tandem_decision, time),
                                         REFUSALS_FIELD(WHOLE, pn_tandem_decision, id),
                                         REFUSALS_FIELD(REAL, pn_tandem_decision, map_rate),
                                         REFUSALS_FIELD(REAL, pn_tandem_decision, shuffle_rate),
                                         REFUSALS_FIELD(WHOLE, pn_tandem_decision, kind),
                                         {0}};
static const refusals_field claims[] = {REFUSALS_FIELD(REAL, claim, claim.speed),
                                        REFUSALS_FIELD(WHOLE, claim, claim.traditional),
                                        REFUSALS_FIELD(WHOLE, claim, claim.work_conserving),
                                        REFUSALS_FIELD(LESSER, claim, claim.job_count),
                                        REFUSALS_FIELD(REAL, claim, end),
                                        REFUSALS_FIELD(WHOLE, claim, digest),
                                        {0}};
static const refusals_field jobs[] = {REFUSALS_FIELD(REAL, pn_tandem_job, arrival),
                                      REFUSALS_FIELD(REAL, pn_tandem_job, map),
                                      REFUSALS_FIELD(REAL, pn_tandem_job, shuffle),
                                      {0}};

void tandem_refusals(const pn_tandem_claim *claimed, const refusals_table *log, double end,
                     uint64_t digest)
{
    claim told = {*claimed, end, digest};
    refusals_judge(&(refusals_case){
        .log = {log->rows, sizeof(pn_tandem_decision), log->count, entries},
        .tables = {{&told, sizeof told, 1, claims},
                   {claimed->jobs, sizeof *claimed->jobs, claimed->job_count, jobs}},
        .claim = &told,
        .judge = judge});
}
