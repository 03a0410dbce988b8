/* Changed logs of the slotted model, see support/refusals.h. */
#include "support/refusals.h"

#include "slotted/support/instance.h"
#include "slotted/support/workload.h"

typedef struct claim {
    pn_slotted_claim claim;
    uint64_t end, digest;
} claim;

/* Ends the log; where the run stopped, with the end and the digest of what there is. */
static int end_log(pn_slotted_verifier *it, const refusals_case *of)
{
    const claim *told = of->claim;
    const pn_slotted_decision *entry = of->log.rows;
    size_t count = of->log.count;
    if (!of->stops)
        return pn_slotted_verifier_end(it, told->end, told->digest);
    pn_slotted_verifier_stop(it, entry[count].slot);
    return pn_slotted_verifier_end(it, slotted_log_end(entry, count),
                                   slotted_log_digest(entry, count));
}

REFUSALS_JUDGE(slotted, pn_slotted_decision, pn_slotted_verifier_feed, uint64_t)

static const refusals_field entries[] = {REFUSALS_FIELD(WHOLE, pn_slotted_decision, slot),
                                         REFUSALS_FIELD(WHOLE, pn_slotted_decision, id),
                                         REFUSALS_FIELD(WHOLE, pn_slotted_decision, amount),
                                         REFUSALS_FIELD(WHOLE, pn_slotted_decision, kind),
                                         REFUSALS_FIELD(WHOLE, pn_slotted_decision, first_task),
                                         {0}};
static const refusals_field claims[] = {REFUSALS_FIELD(WHOLE, claim, claim.machines),
                                        REFUSALS_FIELD(WHOLE, claim, claim.reduce),
                                        REFUSALS_FIELD(WHOLE, claim, claim.relaxed),
                                        REFUSALS_FIELD(WHOLE, claim, claim.work_conserving),
                                        REFUSALS_FIELD(LESSER, claim, claim.job_count),
                                        REFUSALS_FIELD(WHOLE, claim, end),
                                        REFUSALS_FIELD(WHOLE, claim, digest),
                                        {0}};
static const refusals_field jobs[] = {REFUSALS_FIELD(WHOLE, pn_slotted_job, arrival),
                                      REFUSALS_FIELD(WHOLE, pn_slotted_job, maps),
                                      REFUSALS_FIELD(LESSER, pn_slotted_job, reduce_count),
                                      {0}};

void slotted_refusals(const pn_slotted_claim *claimed, const refusals_table *log, uint64_t end,
                      uint64_t digest)
{
    claim told = {*claimed, end, digest};
    refusals_judge(&(refusals_case){
        .log = {log->rows, sizeof(pn_slotted_decision), log->count, entries},
        .tables = {{&told, sizeof told, 1, claims},
                   {claimed->jobs, sizeof *claimed->jobs, claimed->job_count, jobs}},
        .claim = &told,
        .judge = judge});
}
