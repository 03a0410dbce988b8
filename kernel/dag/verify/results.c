/* Rows of jobs and totals: whether they are what the log says (DG26, DG27, DG28). */
#include "base/config.h"
#include "state.h"

static bool times_match(const pn_dag_verifier *v, const pn_dispatch_record *row)
{
    const pn_dag_check_job *job = &v->job[row->id - 1];
    for (uint32_t s = 0; s < row->stage_count && row->stages; s++) {
        const pn_dag_check_stage *stage = &v->stage[job->first_stage + s];
        if (row->stages[s].ready != stage->ready || row->stages[s].start != stage->start ||
            row->stages[s].finish != stage->finish)
            return false;
    }
    return true;
}

/* Returns what is wrong with the row, or null. */
static const char *row_fault(const pn_dag_verifier *v, const pn_dag_record *record)
{
    const pn_dispatch_record *row = record->job;
    const pn_dag_check_job *job = &v->job[row->id - 1];
    const pn_dag_job *given = pn_dag_claimed(&v->claim, row->id - 1);
    bool finished = job->life == PN_DAG_CHECK_FINISHED;
    uint64_t jct = finished ? job->finish - given->arrival : 0;
    if ((row->state == PN_DISPATCH_FINISHED) != finished || row->finish != job->finish)
        return "the row has another finish than the log";
    if (row->arrival != given->arrival || row->stage_count != given->stage_count ||
        row->queue != given->queue || row->deadline != given->deadline)
        return "the row is of another job";
    if (row->first_start != job->first_start || !times_match(v, row))
        return "the row has other times than the log";
    if (row->kills != job->kills || row->lost != job->lost)
        return "the row counts other attempts than the log";
    if (record->path != job->path || record->alone != job->alone)
        return "the row has another time alone than the job";
    if (record->slowdown_permille != (finished ? jct * 1000 / job->alone : PN_DAG_CHECK_NEVER))
        return "the row has another slowdown than the log";
    if (record->deadline_met != (finished && given->deadline > 0 && jct <= given->deadline))
        return "the row judges the deadline otherwise than the log";
    return NULL;
}

int pn_dag_verifier_row(pn_dag_verifier *v, const pn_dag_record *record)
{
    if (!v || !record || !record->job || !PN_GIVEN(record, pn_dag_record, deadline_met) ||
        !PN_GIVEN(record->job, pn_dispatch_record, attributes))
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    uint64_t id = record->job->id;
    if (id < 1 || id > v->claim.job_count || v->job[id - 1].shown)
        return pn_dag_check_reject(v, "the row is of no job, or its second one", v->time, id);
    const char *fault = row_fault(v, record);
    v->job[id - 1].shown = 1;
    return fault ? pn_dag_check_reject(v, fault, v->time, id) : PN_OK;
}

/* ---- totals ---- */

static bool same(pn_wide a, pn_wide b)
{
    return a.high == b.high && a.low == b.low;
}

static bool counts_match(const pn_dag_verifier *v, const pn_dag_totals *totals)
{
    const pn_dispatch_totals *core = &totals->dispatch;
    return totals->submitted == v->claim.job_count && core->submitted == v->arrived &&
           core->finished == v->finished && core->launches == v->launches &&
           core->kills == v->kills && core->lost == v->lost && core->failures == 0 &&
           core->cancelled == 0;
}

static bool times_are(const pn_dag_verifier *v, const pn_dag_totals *totals)
{
    uint64_t first = v->claim.job_count > 0 ? pn_dag_claimed(&v->claim, 0)->arrival
                                            : PN_DAG_CHECK_NEVER;
    uint64_t makespan = v->finished > 0 ? v->last_finish - first : 0;
    return totals->first_arrival == first && totals->makespan == makespan &&
           same(totals->dispatch.total_jct, v->total_jct) &&
           same(totals->slowdown_sum, v->slowdown_sum);
}

static bool usage_matches(const pn_dag_verifier *v, const pn_dispatch_totals *core)
{
    for (uint32_t r = 0; r < v->resources; r++)
        if (!same(core->used[r], v->used[r]) || !same(core->wasted[r], v->wasted[r]))
            return false;
    return true;
}

/* Checks the bounds, which are of all jobs: they hold when all are finished. */
static bool bounds_hold(const pn_dag_verifier *v, const pn_dag_totals *totals)
{
    return v->finished < v->claim.job_count ||
           (totals->bound_makespan <= totals->makespan &&
            pn_wide_compare(totals->bound_total_jct, v->total_jct) <= 0);
}

int pn_dag_check_totals(pn_dag_verifier *v, const pn_dag_totals *totals)
{
    const char *fault = NULL;
    if (!counts_match(v, totals))
        fault = "the totals count otherwise than the log";
    else if (!times_are(v, totals))
        fault = "the totals have other times than the log";
    else if (!usage_matches(v, &totals->dispatch))
        fault = "the totals have other resources used than the log";
    else if (!bounds_hold(v, totals))
        fault = "the run is better than a bound";
    return fault ? pn_dag_check_reject(v, fault, v->time, 0) : PN_OK;
}
