/* Changed logs of the makespan model, see support/refusals.h. */
#include "support/refusals.h"

#include "makespan/support/instance.h"
#include "support/workload.h"

typedef struct claim {
    pn_makespan_claim claim;
    uint64_t end, digest;
} claim;

static refusals_verdict judge(const refusals_case *of)
{
    const claim *told = of->claim;
    const pn_makespan_decision *entry = of->log.rows;
    size_t size = pn_makespan_verifier_size(&told->claim);
    void *block = refusals_block(size);
    pn_makespan_verifier *it = NULL;
    refusals_verdict verdict = {.size = size, .fault = "claim", .status = PN_ERR_SIZE};
    if (block)
        verdict.status = pn_makespan_verifier_init(&it, block, size, &told->claim);
    if (verdict.status == PN_OK) {
        for (size_t i = 0; i < of->log.count && verdict.status == PN_OK; i++)
            verdict.status = pn_makespan_verifier_feed(it, &entry[i]);
        verdict.status = pn_makespan_verifier_end(it, told->end, told->digest);
        verdict.fault = pn_makespan_verifier_fault(it, &verdict.time, &verdict.id);
    }
    free(block);
    return verdict;
}

static const refusals_field entries[] = {REFUSALS_FIELD(WHOLE, pn_makespan_decision, start),
                                         REFUSALS_FIELD(WHOLE, pn_makespan_decision, end),
                                         REFUSALS_FIELD(WHOLE, pn_makespan_decision, id),
                                         REFUSALS_FIELD(WHOLE, pn_makespan_decision, kind),
                                         REFUSALS_FIELD(WHOLE, pn_makespan_decision, task),
                                         REFUSALS_FIELD(WHOLE, pn_makespan_decision, slot),
                                         {0}};
static const refusals_field claims[] = {REFUSALS_FIELD(WHOLE, claim, claim.map_slots),
                                        REFUSALS_FIELD(WHOLE, claim, claim.reduce_slots),
                                        REFUSALS_FIELD(WHOLE, claim, claim.base_map_slots),
                                        REFUSALS_FIELD(WHOLE, claim, claim.base_reduce_slots),
                                        REFUSALS_FIELD(WHOLE, claim, claim.nodes),
                                        REFUSALS_FIELD(WHOLE, claim, claim.level),
                                        REFUSALS_FIELD(WHOLE, claim, claim.stage_time),
                                        REFUSALS_FIELD(WHOLE, claim, claim.share),
                                        REFUSALS_FIELD(WHOLE, claim, claim.cap),
                                        REFUSALS_FIELD(WHOLE, claim, claim.resplit),
                                        REFUSALS_FIELD(WHOLE, claim, claim.ticks),
                                        REFUSALS_FIELD(LESSER, claim, claim.job_count),
                                        REFUSALS_FIELD(LESSER, claim, claim.pool_count),
                                        REFUSALS_FIELD(WHOLE, claim, end),
                                        REFUSALS_FIELD(WHOLE, claim, digest),
                                        {0}};
static const refusals_field jobs[] = {

    {0}};
static const refusals_field pools[] = {REFUSALS_FIELD(WHOLE, pn_makespan_pool, nodes),
                                       REFUSALS_FIELD(LESSER, pn_makespan_pool, count),
                                       {0}};

void makespan_refusals(const pn_makespan_claim *claimed, const refusals_table *log, uint64_t end,
                       uint64_t digest)
{
    claim told = {*claimed, end, digest};
    refusals_judge(&(refusals_case){
        .log = {log->rows, sizeof(pn_makespan_decision), log->count, entries},
        .tables = {{&told, sizeof told, 1, claims},
                   {claimed->jobs, sizeof *claimed->jobs, claimed->job_count, jobs},
                   {claimed->pools, sizeof *claimed->pools, claimed->pool_count, pools}},
        .claim = &told,
        .judge = judge});
}
