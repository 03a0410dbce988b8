/* Jobs come and leave, stages become ready and finish (DG7). */
#include "base/config.h"
#include "base/sort.h"
#include "state.h"

/* ---- submission ---- */

/* Drops the classes of the first so many stages again: all is as it was. */
static void drop_classes(const pn_dispatch_view *view, const pn_dispatch_job *job, uint32_t count)
{
    while (count-- > 0)
        pn_dispatch_class_drop(view,
                               pn_dispatch_class_find(view, job->stages[count].demand, job->queue));
}

/* Puts every stage of the job into its class; false, and none has, when there are too many
 * classes. */
static bool take_classes(const pn_dispatch_view *view, const pn_dispatch_job *job)
{
    for (uint32_t i = 0; i < job->stage_count; i++) {
        if (pn_dispatch_class_take(view, job->stages[i].demand, job->queue))
            continue;
        drop_classes(view, job, i);
        return false;
    }
    return true;
}

/* Returns what is wrong with it, or does not fit, whatever the policy. */
static int dispatch_job_refused(pn_dispatch *s, const pn_dispatch_job *job)
{
    const pn_dispatch_totals *totals = &s->totals;
    uint32_t stage;
    if (job->queue >= s->queues_count)
        return PN_ERR_ARGUMENT;
    if (pn_dispatch_graph_fault(s, job, &stage))
        return PN_ERR_JOB;
    if (pn_dispatch_ids_end(totals->submitted))
        return PN_ERR_OVERFLOW;
    return totals->in_system == s->config.jobs_max ||
                   job->stage_count > s->config.stages_max - totals->stages_held ||
                   pn_dispatch_edges_of(job) > s->config.edges_max - totals->edges_held
               ? PN_ERR_FULL
               : PN_OK;
}

/* Returns whether what depends on the order of the policy has places for it; if so, its stages have
 * joined their classes. */
static bool joins(const pn_dispatch_view *view, const pn_dispatch_job *job)
{
    bool full = view->s->order.virtual_run && pn_dispatch_virtual_full(view);
    return !full && take_classes(view, job);
}

static void dispatch_store_stage(pn_dispatch_view *view, uint32_t place, uint32_t job,
                                 const pn_dispatch_stage *given, uint32_t index)
{
    const pn_paths_note *notes = pn_at(view->s, view->s->notes);
    pn_dispatch_entry *owner = &view->jobs[job];
    view->stages[place] = (pn_dispatch_stage_entry){
        .number = owner->id,
        .estimate = given->estimate,
        .depth = notes[index].length,
        .times = {PN_DISPATCH_NEVER, PN_DISPATCH_NEVER, PN_DISPATCH_NEVER},
        .job = job,
        .index = index,
        .tasks = given->tasks,
        .parents_left = given->parent_count,
        .class = pn_dispatch_class_find(view, given->demand, owner->queue)};
    const pn_dispatch_class *class = &view->classes[view->stages[place].class];
    owner->work += given->tasks * given->estimate * class->sigma;
    owner->left_area += given->tasks * given->estimate * class->omega;
    owner->later += given->tasks;
}

/* Links the stages by index, their places being in `sorted`. */
static void store_stages(pn_dispatch_view *view, uint32_t job, const pn_dispatch_job *given,
                         uint32_t *sorted)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < given->stage_count; i++)
        sorted[i] = pn_place_take(&view->s->stage_places, PN_LINKS(view->stages, next));
    for (uint32_t i = given->stage_count; i-- > 0;) {
        dispatch_store_stage(view, sorted[i], job, &given->stages[i], i);
        view->stages[sorted[i]].next = next;
        next = sorted[i] + 1;
    }
    view->jobs[job].first_stage = next;
}

static void store_edges(pn_dispatch_view *view, const pn_dispatch_job *given,
                        const uint32_t *sorted)
{
    for (uint32_t i = 0; i < given->stage_count; i++)
        for (uint32_t k = 0; k < given->stages[i].parent_count; k++) {
            uint32_t parent = given->parents[given->stages[i].first_parent + k];
            uint32_t edge = pn_place_take(&view->s->edge_places, PN_LINKS(view->edges, next));
            pn_dispatch_stage_entry *entry = &view->stages[sorted[parent]];
            view->edges[edge] = (pn_dispatch_edge){sorted[i], entry->first_edge};
            entry->first_edge = edge + 1;
            view->s->totals.edges_held++;
        }
}

/* Links the stages by depth, the deepest first. */
static void link_by_depth(pn_dispatch_view *view, uint32_t job, uint32_t *sorted)
{
    uint32_t count = view->jobs[job].stages, next = 0;
    pn_sort(sorted, count, &view->stages[0].depth, sizeof *view->stages);
    for (uint32_t i = 0; i < count; i++) {
        view->stages[sorted[i]].lower = next;
        next = sorted[i] + 1;
    }
    view->jobs[job].highest = next;
}

static void store_graph(pn_dispatch_view *view, uint32_t job, const pn_dispatch_job *given)
{
    pn_dispatch *s = view->s;
    pn_paths_note *notes = pn_at(s, s->notes);
    uint32_t *sorted = pn_at(s, s->sorted);
    (void)pn_dispatch_paths(given, notes);
    store_stages(view, job, given, sorted);
    store_edges(view, given, sorted);
    link_by_depth(view, job, sorted);
    memset(notes, 0, given->stage_count * sizeof *notes);
    memset(sorted, 0, given->stage_count * sizeof *sorted);
}

static void count_job(pn_dispatch *s, const pn_dispatch_entry *job)
{
    pn_dispatch_totals *totals = &s->totals;
    if (totals->first_arrival == PN_DISPATCH_NEVER)
        totals->first_arrival = job->arrival;
    totals->submitted++;
    totals->in_system++;
    totals->stages_held += job->stages;
    totals->in_system_max = (uint32_t)pn_max(totals->in_system_max, totals->in_system);
    totals->stages_held_max = (uint32_t)pn_max(totals->stages_held_max, totals->stages_held);
    totals->edges_held_max = (uint32_t)pn_max(totals->edges_held_max, totals->edges_held);
    totals->classes_held_max = (uint32_t)pn_max(totals->classes_held_max, totals->classes_held);
}

/* Returns the jobs in the system in order of submission. */
static pn_chain system_of(const pn_dispatch_view *view)
{
    return PN_CHAIN(&view->s->fleet.first_job, &view->s->fleet.last_job, view->jobs, before, after);
}

static uint32_t dispatch_store_job(pn_dispatch_view *view, const pn_dispatch_job *given)
{
    pn_dispatch *s = view->s;
    uint32_t place = pn_place_take(&s->fleet.job_places, PN_LINKS(view->jobs, after));
    pn_dispatch_entry *job = &view->jobs[place];
    *job = (pn_dispatch_entry){.id = s->totals.submitted + 1,
                               .tag = given->tag,
                               .arrival = view->now,
                               .deadline = given->deadline,
                               .first_start = PN_DISPATCH_NEVER,
                               .weight = given->weight > 0 ? given->weight : 1,
                               .priority = given->priority,
                               .queue = given->queue,
                               .group = given->group,
                               .stages = given->stage_count,
                               .stages_left = given->stage_count};
    pn_chain_append(system_of(view), place);
    if (s->config.attributes > 0)
        pn_attributes_put(pn_dispatch_attributes_of(s), place, given->attributes);
    store_graph(view, place, given);
    job->left = job->work;
    view->queues[given->queue].totals.jobs++;
    count_job(s, job);
    return place;
}

static void open_roots(pn_dispatch_view *view, uint32_t job)
{
    for (uint32_t link = view->jobs[job].first_stage; link != 0; link = view->stages[link - 1].next)
        if (view->stages[link - 1].parents_left == 0)
            pn_dispatch_stage_opens(view, link - 1);
}

int pn_dispatch_submit(pn_dispatch *core, const pn_dispatch_hooks *hooks, uint64_t now,
                       const pn_dispatch_job *job, uint64_t *id)
{
    const pn_dispatch_input input = {.kind = PN_DISPATCH_IN_SUBMIT, .now = now, .job = job};
    pn_dispatch_view view;
    bool given = job && PN_GIVEN(job, pn_dispatch_job, priority);
    int status = given ? pn_dispatch_refused(core, hooks) : PN_ERR_ARGUMENT;
    if (status == PN_OK)
        status = pn_dispatch_ready(core, hooks);
    if (status == PN_OK)
        status = pn_fleet_time_refused(core->totals.time, now);
    if (status == PN_OK)
        status = dispatch_job_refused(core, job);
    if (status != PN_OK)
        return status;
    /* Which classes a job adds is certain only when the policy is bound, which this does, as any
     * event. */
    pn_dispatch_bind(&view, core, hooks);
    view.now = now;
    if (core->fleet.failure != 0) {
        pn_dispatch_pass_input(core, hooks, &input);
        return core->fleet.failure;
    }
    if (!joins(&view, job))
        return PN_ERR_FULL;
    status = pn_dispatch_begin(&view, core, hooks, &input);
    PN_ASSERT(status == PN_OK); /* as it was not refused */
    uint32_t place = dispatch_store_job(&view, job);
    pn_dispatch_report(&view, PN_DISPATCH_ARRIVE, place, 0);
    if (core->order.virtual_run)
        pn_dispatch_virtual_join(&view, place);
    if (view.policy->arrive)
        pn_fleet_note_failure(&view.s->fleet, view.policy->arrive(&view, place));
    pn_dispatch_fix_key(&view, place);
    open_roots(&view, place);
    if (id)
        *id = view.jobs[place].id;
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

/* ---- stages ---- */

void pn_dispatch_stage_opens(pn_dispatch_view *view, uint32_t stage)
{
    pn_dispatch_stage_entry *entry = &view->stages[stage];
    entry->times.ready = view->now;
    view->jobs[entry->job].later -= entry->tasks;
    pn_dispatch_offer(view, stage);
}

/* Drops the edges to the stages that wait for this one, which is over; its edges are free. */
static void drop_edges(pn_dispatch_view *view, uint32_t stage, bool opens)
{
    pn_dispatch *s = view->s;
    uint32_t link = view->stages[stage].first_edge;
    view->stages[stage].first_edge = 0;
    while (link != 0) {
        const pn_dispatch_edge *edge = &view->edges[link - 1];
        uint32_t next = edge->next, child = edge->child;
        pn_place_free(&s->edge_places, PN_LINKS(view->edges, next), link - 1);
        s->totals.edges_held--;
        if (opens && --view->stages[child].parents_left == 0)
            pn_dispatch_stage_opens(view, child);
        link = next;
    }
}

/* Closes a stage whose tasks are all done. */
void pn_dispatch_stage_closes(pn_dispatch_view *view, uint32_t stage)
{
    uint32_t job = view->stages[stage].job;
    pn_dispatch_entry *entry = &view->jobs[job];
    view->stages[stage].times.finish = view->now;
    entry->stages_left--;
    while (entry->highest != 0 &&
           view->stages[entry->highest - 1].times.finish != PN_DISPATCH_NEVER)
        entry->highest = view->stages[entry->highest - 1].lower;
    drop_edges(view, stage, true);
    if (view->s->order.keys == PN_DISPATCH_KEYS_STAGES ||
        view->s->order.keys >= PN_DISPATCH_KEYS_USED)
        pn_dispatch_rekey(view, job);
    if (entry->stages_left == 0)
        pn_dispatch_leave(view, job, PN_DISPATCH_FINISHED);
}

/* ---- leaving ---- */

static void free_returned(pn_dispatch_view *view, uint32_t stage)
{
    pn_tree returned = pn_dispatch_returned_of(view, stage);
    for (uint32_t place = pn_tree_first(&returned); place != PN_TREE_NONE;
         place = pn_tree_first(&returned)) {
        pn_tree_remove(&returned, place);
        pn_dispatch_attempt_free(view, place);
    }
}

static void free_stages(pn_dispatch_view *view, uint32_t job)
{
    pn_dispatch *s = view->s;
    for (uint32_t link = view->jobs[job].first_stage; link != 0;) {
        pn_dispatch_stage_entry *entry = &view->stages[link - 1];
        uint32_t next = entry->next;
        if (entry->bundle != 0)
            pn_dispatch_withdraw(view, link - 1);
        drop_edges(view, link - 1, false);
        free_returned(view, link - 1);
        pn_dispatch_class_drop(view, entry->class);
        entry->number = 0;
        pn_place_free(&s->stage_places, PN_LINKS(view->stages, next), link - 1);
        s->totals.stages_held--;
        link = next;
    }
}

static void count_leave(const pn_dispatch_view *view, uint32_t job, uint32_t state)
{
    pn_dispatch_totals *totals = &view->s->totals;
    pn_dispatch_queue_totals *sums = &view->queues[view->jobs[job].queue].totals;
    pn_wide jct = {0, view->now - view->jobs[job].arrival};
    totals->in_system--;
    totals->cancelled += state == PN_DISPATCH_CANCELLED;
    if (state != PN_DISPATCH_FINISHED)
        return;
    totals->finished++;
    totals->last_finish = view->now;
    totals->total_jct = pn_wide_sum(totals->total_jct, jct);
    sums->finished++;
    sums->total_jct = pn_wide_sum(sums->total_jct, jct);
}

void pn_dispatch_leave(pn_dispatch_view *view, uint32_t job, uint32_t state)
{
    pn_dispatch *s = view->s;
    pn_dispatch_record record;
    double attributes[PN_ATTRIBUTES_MAX];
    bool finished = state == PN_DISPATCH_FINISHED;
    pn_dispatch_report(view, finished ? PN_DISPATCH_JOB_FINISH : PN_DISPATCH_JOB_CANCEL, job, 0);
    if (view->policy->leave && s->fleet.failure == 0)
        view->policy->leave(view, job);
    pn_dispatch_record_of(&view->jobs[job], state, view->now, &record);
    record.attributes = pn_attributes_copy(pn_dispatch_attributes_of(s), job, attributes);
    if (view->hooks->on_finish) {
        pn_dispatch_times *times = pn_at(s, s->times);
        (void)pn_dispatch_times_get(s, job, times);
        record.stages = times;
    }
    count_leave(view, job, state);
    pn_chain_remove(system_of(view), job);
    free_stages(view, job);
    view->jobs[job].id = 0;
    pn_place_free(&s->fleet.job_places, PN_LINKS(view->jobs, after), job);
    if (view->hooks->on_finish)
        view->hooks->on_finish(view->hooks->user, &record);
}
