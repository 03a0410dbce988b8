/* Making a slot's decisions true: work is done, tasks start and end, jobs change phase or finish,
 * hooks hear of it, the digest is folded. Nothing here can fail: whatever could be refused was
 * refused before. */
#include "state.h"
#include "base/sort.h"

/* ---- telling ---- */

static void slotted_fold(pn_slotted_view *view, uint32_t kind, uint64_t id, uint64_t amount)
{
    view->fold += pn_mix(pn_mix(pn_mix(view->mixed, kind), id), amount);
}

static void slotted_report(pn_slotted_view *view, uint32_t place, uint32_t kind, uint64_t amount,
                           uint32_t first_task)
{
    uint64_t id = view->jobs[place].id;
    slotted_fold(view, kind, id, amount);
    view->sim->decisions++;
    if (view->hooks->on_decision) {
        pn_slotted_decision decision = {sizeof decision, view->slot, id, amount, kind, first_task};
        view->hooks->on_decision(view->hooks->user, &decision);
    }
}

static void sort_by_id(const pn_slotted_view *view, uint32_t *places, uint32_t count)
{
    if (count > 1)
        pn_sort(places, count, &view->jobs->id, sizeof(pn_slotted_entry));
}

/* ---- finishing ---- */

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    uint64_t limit = (uint64_t)INT64_MAX;
    return a > limit - b ? limit : a + b;
}

static void count_flow_time(pn_slotted *sim, const pn_slotted_finish *finish)
{
    double flow_time = (double)finish->flow_time;
    sim->finished++;
    sim->last_finish = sim->slot;
    sim->total_flow_time = add_saturating(sim->total_flow_time, finish->flow_time);
    if (!sim->config.statistics || finish->id <= sim->config.warmup_jobs ||
        finish->arrival <= sim->config.warmup_slots)
        return;
    pn_stats_add(pn_at(sim, sim->stats), flow_time);
    pn_batches_add(pn_at(sim, sim->batches), flow_time);
    if (sim->config.groups_max > 0)
        pn_stats_add(pn_at(sim, sim->stats + ((size_t)finish->group + 1) * sim->stats_stride),
                     flow_time);
}

static void tell_policy(pn_slotted_view *view, uint32_t place)
{
    if (!view->policy->finish || view->sim->relaxed || view->sim->failure != 0)
        return;
    view->jobs[place].active = 1; /* for questions about it */
    view->policy->finish(view, place);
    view->jobs[place].active = 0;
}

/* Folds the slot, then lets the finished jobs (sorted by id) leave one by one; a hook may submit
 * into the places they free. */
static void finish_jobs(pn_slotted_view *view, uint32_t *list, uint32_t count)
{
    pn_slotted *sim = view->sim;
    sort_by_id(view, list, count);
    for (uint32_t i = 0; i < count; i++)
        slotted_fold(view, PN_SLOTTED_FINISH, view->jobs[list[i]].id, 0);
    if (view->fold != 0)
        sim->digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, sim->digest), sim->slot), view->fold);
    for (uint32_t i = 0; i < count; i++) {
        const pn_slotted_entry *job = &view->jobs[list[i]];
        double attributes[PN_ATTRIBUTES_MAX];
        pn_slotted_finish finish = {
            .struct_size = sizeof finish,
            .id = view->jobs[list[i]].id,
            .tag = job->tag,
            .arrival = job->arrival,
            .map_finish = job->map_finish,
            .finish = sim->slot,
            .flow_time = sim->slot - job->arrival + 1,
            .group = job->group,
            .attributes = pn_attributes_copy(pn_slotted_attributes_of(sim), list[i], attributes)};
        sim->active_count--;
        count_flow_time(sim, &finish);
        tell_policy(view, list[i]);
        pn_slotted_release(view, list[i]);
        if (view->hooks->on_finish)
            view->hooks->on_finish(view->hooks->user, &finish);
    }
}

/* Releases the places of jobs that a virtual run finished in this slot. SRPT leaves at most the
 * last one it serves unfinished. */
static void release_virtual(pn_slotted_view *view)
{
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++) {
        const pn_slotted_shadow *shadow = &view->shadows[k];
        if (shadow->state->active)
            for (uint32_t i = 0; i < shadow->state->completed_count; i++)
                pn_slotted_release(view, shadow->served[i].job);
    }
}

/* ---- a real slot ---- */

static void free_stretch(pn_slotted_view *view, pn_slotted_entry *job)
{
    uint32_t stretch = job->stretch - 1;
    job->stretch = view->stretches[stretch].next;
    view->stretches[stretch].next = view->sim->free_stretch;
    view->sim->free_stretch = stretch + 1;
    view->sim->stretches_held--;
}

/* Starts, by SL9, the unstarted tasks with the smallest numbers, which hold their machines to the
 * end. */
static void start_tasks(pn_slotted_view *view, uint32_t place)
{
    pn_slotted *sim = view->sim;
    pn_slotted_entry *job = &view->jobs[place];
    uint32_t left = job->given;
    sim->holding_count += job->held == 0;
    job->tasks -= left;
    job->tasks_done += left;
    job->held += left;
    sim->held_total += left;
    while (left > 0) {
        PN_ASSERT(job->stretch != 0);
        pn_slotted_stretch *stretch = &view->stretches[job->stretch - 1];
        uint32_t count = stretch->count < left ? stretch->count : left;
        uint64_t word[2] = {view->slot + stretch->length - 1, count};
        pn_heap_push(&view->completions, place, word);
        job->running_end += count * (view->slot + stretch->length);
        job->reduces -= count * stretch->length;
        sim->units_run += count * stretch->length;
        stretch->count -= count;
        left -= count;
        if (stretch->count == 0)
            free_stretch(view, job);
    }
}

/* Returns how many jobs offer more work than they get in this slot. */
static uint32_t count_waiting(const pn_slotted_view *view)
{
    uint32_t waiting = view->sim->offering_count;
    for (uint32_t i = 0; i < view->sim->touched_count; i++) {
        const pn_slotted_entry *job = &view->jobs[view->touched[i]];
        waiting -= job->given == pn_slotted_entry_offer(view, job);
    }
    return waiting;
}

static void apply(pn_slotted_view *view, uint32_t place)
{
    pn_slotted_entry *job = &view->jobs[place];
    uint32_t given = job->given;
    PN_ASSERT(given > 0 && given <= pn_slotted_entry_offer(view, job));
    if (job->maps > 0) {
        job->maps -= given;
        if (job->maps == 0)
            job->map_finish = view->slot;
        view->sim->units_run += given;
        view->sim->level_map += given;
        view->sim->level_served++;
        slotted_report(view, place, PN_SLOTTED_MAP, given, 0);
    } else if (pn_slotted_cuts_reduces(view->sim)) {
        job->reduces -= given;
        view->sim->units_run += given;
        view->sim->level_reduce += given;
        view->sim->level_served++;
        slotted_report(view, place, PN_SLOTTED_REDUCE, given, 0);
    } else {
        uint32_t first = job->tasks_done + 1;
        start_tasks(view, place);
        slotted_report(view, place, PN_SLOTTED_START, given, first);
    }
    job->given = 0;
}

/* Completes tasks whose last slot this was, and gives their machines back. */
static void complete_tasks(pn_slotted_view *view)
{
    pn_slotted *sim = view->sim;
    while (sim->completion_heap.count > 0 && view->completions.entry[0].word[0] == sim->slot) {
        uint32_t place = view->completions.entry[0].item;
        uint32_t count = (uint32_t)view->completions.entry[0].word[1];
        pn_slotted_entry *job = &view->jobs[place];
        PN_ASSERT(job->held >= count);
        job->held -= count;
        job->running_end -= count * (sim->slot + 1);
        sim->held_total -= count;
        sim->holding_count -= job->held == 0;
        pn_slotted_touch(view, place);
        pn_heap_pop(&view->completions);
    }
}

/* Puts the jobs that the slot changed where they stand at the start of the next one; leaves in
 * `touched` those that are finished. */
static uint32_t settle_touched(pn_slotted_view *view)
{
    pn_slotted *sim = view->sim;
    uint32_t finished = 0;
    view->slot++;
    for (uint32_t i = 0; i < sim->touched_count; i++) {
        uint32_t place = view->touched[i];
        pn_slotted_entry *job = &view->jobs[place];
        job->touched = 0;
        job->active = job->maps + job->reduces > 0 || job->held > 0;
        pn_slotted_order_job(view, place);
        if (!job->active)
            view->touched[finished++] = place;
    }
    pn_slotted_order_unload(view);
    view->slot--;
    sim->touched_count = 0;
    return finished;
}

/* Counts the slots after the last executed one up to `slot`, in which nothing happens. */
void pn_slotted_pass_saturated(pn_slotted *sim, uint64_t slot)
{
    if (sim->level_saturated)
        sim->slots_saturated += slot - sim->slot;
}

static void begin_levels(pn_slotted *sim)
{
    if (sim->first_arrival == 0) /* a slot is executed where a job arrives, or later */
        sim->first_arrival = sim->slot;
    sim->level_slot = sim->slot;
    sim->level_jobs = sim->active_count;
    sim->level_served = 0;
    sim->level_map = sim->level_reduce = 0;
}

/* Ends the levels before tasks complete: those that run in this slot join what was given in it
 * alone. */
static void end_levels(pn_slotted *sim)
{
    sim->level_served += sim->holding_count;
    sim->level_reduce += sim->held_total;
}

void pn_slotted_commit(pn_slotted_view *view)
{
    pn_slotted *sim = view->sim;
    pn_slotted_pass_saturated(sim, view->slot - 1);
    sim->slot = view->slot;
    /* Slots without jobs are executed only for a virtual run of misjudged sizes. How many depends
     * on the caller, so they are not counted. */
    sim->slots_run += sim->active_count > 0;
    begin_levels(sim);
    uint32_t waiting = count_waiting(view);
    if (view->hooks->on_decision)
        sort_by_id(view, view->touched, sim->touched_count);
    for (uint32_t i = 0; i < sim->touched_count; i++)
        apply(view, view->touched[i]);
    end_levels(sim);
    sim->slots_saturated += waiting > 0 &&
                            sim->level_map + sim->level_reduce == sim->config.machines;
    complete_tasks(view);
    uint32_t finished = settle_touched(view);
    sim->level_saturated = sim->offering_count > 0 && sim->held_total == sim->config.machines;
    release_virtual(view);
    finish_jobs(view, view->touched, finished);
}

/* ---- a slot of the relaxation ---- */

/* Commits the virtual run as the schedule (SL13): what it served is what is told. `given` notes
 * where a job stands in the list of the served. */
void pn_slotted_commit_relaxed(pn_slotted_view *view)
{
    pn_slotted *sim = view->sim;
    const pn_slotted_shadow *shadow = view->policy_shadow;
    uint32_t count = shadow->state->served_count;
    uint32_t finished = 0;
    sim->slot = view->slot;
    sim->slots_run++;
    begin_levels(sim);
    sim->level_served = count;
    for (uint32_t i = 0; i < count; i++) {
        view->touched[i] = shadow->served[i].job;
        view->jobs[shadow->served[i].job].given = i;
    }
    sort_by_id(view, view->touched, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = view->touched[i];
        const pn_slotted_served *served = &shadow->served[view->jobs[place].given];
        view->jobs[place].given = 0;
        sim->units_run += served->maps + served->reduces;
        sim->level_map += served->maps;
        sim->level_reduce += served->reduces;
        if (served->maps > 0) {
            if (pn_slotted_work(shadow, place)->maps == 0)
                view->jobs[place].map_finish = sim->slot;
            slotted_report(view, place, PN_SLOTTED_MAP, served->maps, 0);
        }
        if (served->reduces > 0)
            slotted_report(view, place, PN_SLOTTED_REDUCE, served->reduces, 0);
    }
    for (uint32_t i = 0; i < shadow->state->completed_count; i++) {
        uint32_t place = shadow->served[i].job;
        view->jobs[place].active = 0;
        while (view->jobs[place].stretch != 0)
            free_stretch(view, &view->jobs[place]);
        view->touched[finished++] = place;
    }
    release_virtual(view);
    finish_jobs(view, view->touched, finished);
}
