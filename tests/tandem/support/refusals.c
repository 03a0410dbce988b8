/* Changed logs of the tandem model, see support/refusals.h. */
#include "support/refusals.h"

#include "tandem/support/instance.h"
#include "tandem/support/workload.h"

typedef struct claim {
    pn_tandem_claim claim;
    double end;
    uint64_t digest;
} claim;

/* Tells the checker that the run was stopped at the time of the entry behind the log's last one. */
static int end_stopped(pn_tandem_verifier *it, const refusals_table *log)
{
    tandem_log fed = {(pn_tandem_decision *)(uintptr_t)log->rows, log->count, 0};
    pn_tandem_verifier_stop(it, fed.entry[fed.count].time);
    return pn_tandem_verifier_end(it, tandem_log_end(&fed), tandem_log_digest(&fed));
}

static refusals_verdict judge(const refusals_case *of)
{
    const claim *told = of->claim;
    const pn_tandem_decision *entry = of->log.rows;
    size_t size = pn_tandem_verifier_size(&told->claim);
    void *block = refusals_block(size);
    pn_tandem_verifier *it = NULL;
    double time = 0;
    refusals_verdict verdict = {.size = size, .fault = "claim", .status = PN_ERR_SIZE};
    if (block)
        verdict.status = pn_tandem_verifier_init(&it, block, size, &told->claim);
    if (verdict.status == PN_OK) {
        for (size_t i = 0; i < of->log.count && verdict.status == PN_OK; i++)
            verdict.status = pn_tandem_verifier_feed(it, &entry[i]);
        if (of->stops)
            verdict.status = end_stopped(it, &of->log);
        else
            verdict.status = pn_tandem_verifier_end(it, told->end, told->digest);
        verdict.fault = pn_tandem_verifier_fault(it, &time, &verdict.id);
        memcpy(&verdict.time, &time, sizeof time);
    }
    free(block);
    return verdict;
}

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
