/* Changed logs of the slotted model, see support/refusals.h. */
#include "support/refusals.h"

#include "slotted/support/instance.h"
#include "slotted/support/workload.h"

typedef struct claim {
    pn_slotted_claim claim;
    uint64_t end, digest;
} claim;

static refusals_verdict judge(const refusals_case *of)
{
    const claim *told = of->claim;
    const pn_slotted_decision *entry = of->log.rows;
    size_t size = pn_slotted_verifier_size(&told->claim);
    void *block = refusals_block(size);
    pn_slotted_verifier *it = NULL;
    refusals_verdict verdict = {.size = size, .fault = "claim", .status = PN_ERR_SIZE};
    if (block)
        verdict.status = pn_slotted_verifier_init(&it, block, size, &told->claim);
    if (verdict.status == PN_OK) {
        for (size_t i = 0; i < of->log.count && verdict.status == PN_OK; i++)
            verdict.status = pn_slotted_verifier_feed(it, &entry[i]);
        if (of->stops)
            pn_slotted_verifier_stop(it, entry[of->log.count].slot);
        verdict.status = pn_slotted_verifier_end(
            it, of->stops ? slotted_log_end(entry, of->log.count) : told->end,
            of->stops ? slotted_log_digest(entry, of->log.count) : told->digest);
        verdict.fault = pn_slotted_verifier_fault(it, &verdict.time, &verdict.id);
    }
    free(block);
    return verdict;
}

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
