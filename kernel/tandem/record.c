/* What is reported of an instant: completions, with their statistics, and changes of rates, with
 * the digest. */
#include "base/sort.h"
#include "state.h"

/* ---- the digest ---- */

static uint64_t tandem_record_bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Folds decisions: those of one time are summed, and folded when a later time is reached. */
static void tandem_fold(pn_tandem *sim, uint32_t kind, uint64_t id, double map_rate,
                        double shuffle_rate)
{
    if (sim->config.no_digest)
        return;
    if (sim->fold_time != sim->time || sim->fold == 0) {
        sim->digest = pn_tandem_digest(sim);
        sim->fold = 0;
        sim->fold_time = sim->time;
        sim->fold_start = pn_mix(PN_MIX_START, tandem_record_bits_of(sim->time));
    }
    uint64_t mixed = pn_mix(pn_mix(sim->fold_start, kind), id);
    sim->fold += pn_mix(pn_mix(mixed, tandem_record_bits_of(map_rate)),
                        tandem_record_bits_of(shuffle_rate));
}

/* ---- completions ---- */

/* Returns the slowdown by TA24. */
static double slowdown_of(const pn_tandem *sim, const pn_tandem_entry *job, double response_time)
{
    double longest = job->map > job->shuffle ? job->map : job->shuffle;
    return longest > 0.0 ? response_time * sim->config.speed / longest : 0.0;
}

static void add_to_bucket(pn_tandem *sim, const pn_tandem_entry *job, double slowdown)
{
    pn_tandem_bucket *buckets = pn_at(sim, sim->buckets);
    double longest = job->map > job->shuffle ? job->map : job->shuffle;
    double index = longest / sim->config.bucket_width;
    pn_tandem_bucket *bucket =
        &buckets[index < sim->config.buckets_max ? (uint32_t)index : sim->config.buckets_max];
    bucket->count++;
    bucket->sum += slowdown;
    bucket->squares += slowdown * slowdown;
}

static void tandem_add_to_statistics(pn_tandem *sim, const pn_tandem_entry *job,
                                     double response_time, double slowdown)
{
    bool sized = job->map > 0.0 || job->shuffle > 0.0;
    if (job->id <= sim->config.warmup_jobs || job->arrived < sim->config.warmup_time)
        return;
    if (sized && sim->config.buckets_max > 0)
        add_to_bucket(sim, job, slowdown);
    if (!sim->config.statistics)
        return;
    pn_batches_add(pn_at(sim, sim->batches), response_time);
    uint32_t places = sim->config.groups_max > 0 ? 2 : 1;
    for (uint32_t k = 0; k < places; k++) {
        size_t index = k == 0 ? 0 : (size_t)job->group + 1;
        pn_stats_add(pn_at(sim, sim->stats + index * sim->stats_stride), response_time);
        if (sized)
            pn_stats_add(pn_at(sim, sim->slowdowns + index * sim->slowdowns_stride), slowdown);
    }
}

static void tandem_release(pn_tandem *sim, pn_tandem_entry *job, uint32_t place)
{
    job->next = sim->free_job;
    sim->free_job = place + 1;
    sim->jobs_held--;
}

static void report_finish(pn_tandem_view *view, uint32_t place, double response_time,
                          double slowdown)
{
    const pn_tandem_entry *job = &view->jobs[place];
    double attributes[PN_ATTRIBUTES_MAX];
    pn_tandem_finish report = {
        .struct_size = sizeof report,
        .id = job->id,
        .tag = job->tag,
        .arrival = job->arrived,
        .map_finish = job->mapped,
        .finish = view->sim->time,
        .response_time = response_time,
        .slowdown = slowdown,
        .map = job->map,
        .shuffle = job->shuffle,
        .group = job->group,
        .attributes = pn_attributes_copy(pn_tandem_attributes_of(view->sim), place, attributes)};
    view->hooks->on_finish(view->hooks->user, &report);
}

/* Finishes a job: the policy hears of it, its place is free again, then the host hears of it and
 * may fill the place. */
static void finish(pn_tandem_view *view, uint32_t place)
{
    pn_tandem *sim = view->sim;
    pn_tandem_entry *job = &view->jobs[place];
    /* It may have arrived within the tolerance after the instant's time. */
    double response_time = sim->now > job->arrival ? sim->now - job->arrival : 0.0;
    bool measured = sim->config.statistics || sim->config.buckets_max > 0;
    double slowdown = measured || view->hooks->on_finish ? slowdown_of(sim, job, response_time)
                                                         : 0.0;
    if (view->order_count[PN_TANDEM_PRESENT] > 0 && (job->map > 0.0 || job->shuffle > 0.0))
        pn_tandem_leave(view, PN_TANDEM_PRESENT, place);
    job->active = 0;
    if (job->served != 0)
        view->served[job->served - 1].job = PN_NO_JOB;
    job->served = 0;
    sim->in_system--;
    sim->finished++;
    sim->present_arrivals -= job->arrival;
    pn_tandem_sum_add(&sim->response_time, response_time);
    tandem_fold(sim, PN_TANDEM_FINISH, job->id, 0.0, 0.0);
    if (measured)
        tandem_add_to_statistics(sim, job, response_time, slowdown);
    if (view->policy->finish && sim->failure == 0)
        view->policy->finish(view, place);
    tandem_release(sim, job, place);
    if (view->hooks->on_finish)
        report_finish(view, place, response_time, slowdown);
}

/* Finishes the jobs that are complete at this instant, in order of id. */
void pn_tandem_finish_all(pn_tandem_view *view)
{
    pn_tandem *sim = view->sim;
    if (sim->done_count > 1)
        pn_sort(view->done, sim->done_count, &view->jobs[0].id, sizeof(pn_tandem_entry));
    for (uint32_t i = 0; i < sim->done_count; i++)
        finish(view, view->done[i]);
    sim->last_finish = sim->time;
    sim->done_count = 0;
}

/* ---- changes of rates ---- */

/* Notes a job's rates; those that differ from what was noted before are decisions, collected in
 * `done`. */
static void note(pn_tandem_view *view, uint32_t place, double map_rate, double shuffle_rate)
{
    pn_tandem *sim = view->sim;
    pn_tandem_entry *job = &view->jobs[place];
    if (job->map_rate == map_rate && job->shuffle_rate == shuffle_rate)
        return;
    job->map_rate = map_rate;
    job->shuffle_rate = shuffle_rate;
    sim->decisions++;
    tandem_fold(sim, PN_TANDEM_RATES, job->id, map_rate, shuffle_rate);
    if (view->hooks->on_decision)
        view->done[sim->done_count++] = place;
}

/* Notes both jobs that are served, and both that were. */
static void note_first(pn_tandem_view *view)
{
    const pn_tandem_first_state *first = &view->sim->first;
    const uint32_t was[] = {view->was_mapped, view->was_drained};
    if (first->mapped != PN_NO_JOB)
        note(view, first->mapped, view->sim->config.speed, first->flow);
    if (first->drained != PN_NO_JOB)
        note(view, first->drained, 0.0, first->drain);
    for (int i = 0; i < 2; i++)
        if (was[i] != PN_NO_JOB && was[i] != first->mapped && was[i] != first->drained &&
            view->jobs[was[i]].active)
            note(view, was[i], 0.0, 0.0);
}

static void note_served(pn_tandem_view *view)
{
    for (uint32_t i = 0; i < view->sim->served_count; i++) {
        const pn_tandem_served *entry = &view->served[i];
        note(view, entry->job, entry->map_rate, entry->shuffle_rate);
    }
    for (uint32_t i = 0; i < view->was_count; i++) {
        if (view->jobs[view->was_served[i]].served == 0)
            note(view, view->was_served[i], 0.0, 0.0);
    }
}

static void note_share(pn_tandem_view *view, uint32_t place)
{
    double rates[2];
    pn_tandem_rates_of(view, place, rates);
    note(view, place, rates[PN_TANDEM_MAP_STATION], rates[PN_TANDEM_SHUFFLE_STATION]);
}

/* Notes every job that has a share, and those that had one and wait to be mapped. */
static void note_sharing(pn_tandem_view *view)
{
    for (uint32_t i = 0; i < view->mapping.state->count; i++)
        note_share(view, view->mapping.entry[i].item);
    for (uint32_t i = 0; i < view->draining.state->count; i++)
        note_share(view, view->draining.entry[i].item);
    for (uint32_t i = 0; i < view->was_count; i++)
        note_share(view, view->was_served[i]);
}

static void tandem_report(pn_tandem_view *view)
{
    pn_tandem *sim = view->sim;
    pn_sort(view->done, sim->done_count, &view->jobs[0].id, sizeof(pn_tandem_entry));
    for (uint32_t i = 0; i < sim->done_count; i++) {
        const pn_tandem_entry *job = &view->jobs[view->done[i]];
        pn_tandem_decision decision = {sizeof decision, sim->time,         job->id,
                                       job->map_rate,   job->shuffle_rate, PN_TANDEM_RATES};
        view->hooks->on_decision(view->hooks->user, &decision);
    }
    sim->done_count = 0;
}

/* Folds and reports what has changed at this instant. */
void pn_tandem_record(pn_tandem_view *view)
{
    bool first = view->sim->engine == PN_TANDEM_ENGINE_FIRST ||
                 view->sim->engine == PN_TANDEM_ENGINE_LINES;
    if (first && !view->changed)
        return;
    if (first)
        note_first(view);
    else if (view->sim->engine == PN_TANDEM_ENGINE_SHARE)
        note_sharing(view);
    else
        note_served(view);
    if (view->hooks->on_decision)
        tandem_report(view);
}
