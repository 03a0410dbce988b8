/* Changed logs of the makespan model, see support/refusals.h. */
#include "support/refusals.h"

#include "makespan/support/instance.h"
#include "support/workload.h"

typedef struct claim {
    pn_makespan_claim claim;
    uint64_t end, digest;
} claim;

static int end_log(pn_makespan_verifier *it, const refusals_case *of)
{
    const claim *told = of->claim;
    return pn_makespan_verifier_end(it, told->end, told->digest);
}

REFUSALS_JUDGE(makespan, pn_makespan_decision, pn_makespan_verifier_feed, uint64_t)

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
