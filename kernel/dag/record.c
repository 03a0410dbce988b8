/* What is reported of jobs, and summed up over them (DG26, DG27). */
#include "base/config.h"
#include "state.h"

/* Slowdowns of Jain's index stop here, and so many of them are summed. */
enum { JAIN_BITS = 32, JAIN_JOBS_MOST = 1 << 24 };

/* Returns floor(a / b), at most 2^64 - 1; by shifting. b > 0, and twice b fits. */
static uint64_t quotient_of(pn_wide a, pn_wide b)
{
    pn_wide rest = {0, 0};
    uint64_t quotient = 0;
    for (int bit = 127; bit >= 0; bit--) {
        uint64_t word = bit >= 64 ? a.high : a.low;
        rest = pn_wide_sum(rest, rest);
        rest.low |= word >> bit % 64 & 1;
        if (pn_wide_compare(rest, b) < 0)
            continue;
        if (bit >= 64)
            return UINT64_MAX;
        rest = pn_wide_difference(rest, b);
        quotient |= (uint64_t)1 << bit;
    }
    return quotient;
}

static pn_wide dag_times(pn_wide a, uint64_t by)
{
    pn_wide product = pn_wide_product(a.low, by);
    product.high += a.high * by;
    return product;
}

/* ---- sums ---- */

static void dag_add(pn_wide *sum, uint64_t value)
{
    *sum = pn_wide_sum(*sum, (pn_wide){0, value});
}

static void dag_add_to_group(pn_dag_group *sums, const pn_dag_record *record)
{
    const pn_dispatch_record *job = record->job;
    sums->jobs++;
    sums->kills += job->kills;
    sums->lost += job->lost;
    sums->deadlines += job->deadline > 0;
    sums->deadlines_met += record->deadline_met;
    dag_add(&sums->jct, job->finish - job->arrival);
    dag_add(&sums->waiting, job->first_start - job->arrival);
    dag_add(&sums->slowdown, record->slowdown_permille);
}

static void dag_add_to_statistics(pn_dag *sim, const pn_dag_record *record)
{
    const pn_dispatch_record *job = record->job;
    pn_dag_group *groups = pn_at(sim, sim->groups);
    bool grouped = job->group < sim->config.groups_max;
    const uint64_t sample[PN_FLEET_SAMPLES] = {[PN_DAG_JCTS] = job->finish - job->arrival,
                                               [PN_DAG_WAITINGS] = job->first_start - job->arrival,
                                               [PN_DAG_SLOWDOWNS] = record->slowdown_permille};
    if (job->id <= sim->config.warmup_jobs || job->arrival < sim->config.warmup_ms)
        return;
    dag_add_to_group(&groups[0], record);
    if (grouped)
        dag_add_to_group(&groups[(size_t)job->group + 1], record);
    pn_fleet_samples_add(&sim->samples, sim, sim->config.groups_max, job->group, sample);
}

static void dag_add_to_totals(pn_dag *sim, const pn_dag_record *record)
{
    uint64_t capped = pn_min(record->slowdown_permille, ((uint64_t)1 << JAIN_BITS) - 1);
    dag_add(&sim->totals.slowdown_sum, record->slowdown_permille);
    sim->slowdowns++;
    dag_add(&sim->slowdown_capped, capped);
    sim->slowdown_squares = pn_wide_sum(sim->slowdown_squares, pn_wide_product(capped, capped));
}

static uint64_t jain_of(const pn_dag *sim)
{
    uint64_t sum = sim->slowdown_capped.low;
    if (sim->slowdowns == 0 || sim->slowdowns > JAIN_JOBS_MOST)
        return PN_DISPATCH_NEVER;
    return quotient_of(dag_times(pn_wide_product(sum, sum), 1000),
                       dag_times(sim->slowdown_squares, sim->slowdowns));
}

void pn_dag_levels_into(const pn_dag *sim, pn_dispatch_levels *levels, size_t size)
{
    pn_dispatch_levels_into(pn_dag_core(sim), levels, size);
    levels->time = sim->totals.time;
}

void pn_dag_totals_into(const pn_dag *sim, pn_dag_totals *to, size_t size, size_t dispatch_size)
{
    pn_dag_totals totals = sim->totals;
    pn_dispatch_totals_get(pn_dag_core(sim), &totals.dispatch);
    if (totals.dispatch.finished > 0)
        totals.makespan = totals.dispatch.last_finish - sim->totals.first_arrival;
    for (uint32_t r = 0; r < sim->config.dispatch.resources && totals.makespan > 0; r++)
        totals.utilisation_permille[r] = quotient_of(
            dag_times(totals.dispatch.used[r], 1000),
            pn_wide_product(sim->capacity[r], totals.makespan));
    totals.jain_permille = jain_of(sim);
    pn_dag_bounds_get(sim, &totals);
    pn_config_fill_nested(to, size, dispatch_size, &totals, PN_NESTED(pn_dag_totals, dispatch));
}

int pn_dag_queue_into(const pn_dag *sim, uint32_t queue, pn_dispatch_queue_totals *totals,
                      size_t size)
{
    pn_dag_view view;
    int status = pn_dispatch_queue_into(pn_dag_core(sim), queue, totals, size);
    pn_dag_view_build(&view, sim, NULL);
    for (uint32_t job = sim->future_first; job != 0 && status == PN_OK;
         job = view.jobs[job - 1].next)
        totals->jobs += view.jobs[job - 1].queue == queue;
    return status;
}

/* ---- jobs ---- */

/* Makes a record: what the world adds to a job's record, the host's tag to the core's part of
 * it. */
static pn_dag_record record_of(const pn_dag_view *view, pn_dispatch_record *job, uint32_t place)
{
    const pn_dag_entry *entry = &view->jobs[place];
    pn_dag_record record = {.struct_size = sizeof record,
                            .job = job,
                            .path = entry->path,
                            .alone = entry->alone,
                            .slowdown_permille = PN_DISPATCH_NEVER};
    job->tag = entry->tag;
    if (job->state != PN_DISPATCH_FINISHED)
        return record;
    uint64_t jct = job->finish - job->arrival;
    record.slowdown_permille = jct * 1000 / entry->alone;
    record.deadline_met = job->deadline > 0 && jct <= job->deadline;
    return record;
}

/* Reports a job that has finished. */
void pn_dag_report(pn_dag_view *view, const pn_dispatch_record *job, uint32_t place)
{
    pn_dispatch_record row = *job;
    pn_dag_record record = record_of(view, &row, place);
    dag_add_to_totals(view->sim, &record);
    dag_add_to_statistics(view->sim, &record);
    pn_dag_release(view, place);
    if (view->hooks->on_finish)
        view->hooks->on_finish(view->hooks->user, &record);
}

/* Reports the job at this place of the core's table, which is not finished when the run is over. */
void pn_dag_report_left(pn_dag_view *view, const pn_dispatch_record *job, uint32_t place)
{
    pn_dispatch_record row = *job;
    pn_dag_record record = record_of(view, &row, (uint32_t)job->tag);
    pn_dispatch_times *times = pn_at(view->sim, view->sim->times);
    view->sim->totals.unfinished++;
    if (!view->hooks->on_finish)
        return;
    (void)pn_dispatch_times_get(view->core, place, times);
    row.stages = times;
    view->hooks->on_finish(view->hooks->user, &record);
}

/* Reports a job that has not arrived when the run is over. */
void pn_dag_report_future(pn_dag_view *view, uint32_t place)
{
    const pn_dag_entry *entry = &view->jobs[place];
    const pn_dispatch_times never = {PN_DISPATCH_NEVER, PN_DISPATCH_NEVER, PN_DISPATCH_NEVER};
    pn_dispatch_times *times = pn_at(view->sim, view->sim->times);
    for (uint32_t i = 0; i < entry->stages; i++)
        times[i] = never;
    pn_dispatch_record job = {.struct_size = sizeof job,
                              .id = entry->id,
                              .arrival = entry->arrival,
                              .first_start = PN_DISPATCH_NEVER,
                              .finish = PN_DISPATCH_NEVER,
                              .deadline = entry->deadline,
                              .weight = entry->weight,
                              .queue = entry->queue,
                              .group = entry->group,
                              .state = PN_DISPATCH_UNFINISHED,
                              .stage_count = entry->stages,
                              .stages = times};
    if (view->sim->config.dispatch.attributes > 0)
        job.attributes = pn_attributes_of(pn_dag_attributes_of(view->sim), place);
    pn_dag_record record = record_of(view, &job, place);
    view->sim->totals.unfinished++;
    if (view->hooks->on_finish)
        view->hooks->on_finish(view->hooks->user, &record);
}
