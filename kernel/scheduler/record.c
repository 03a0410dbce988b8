/* What is reported: events with the digest, jobs with their statistics. */
#include "state.h"

/* ---- the digest ---- */

static void scheduler_fold(pn_fleet *fleet, const pn_scheduler_event *event)
{
    uint64_t start = pn_fleet_fold(fleet, event->time);
    uint64_t mixed = pn_mix(pn_mix(pn_mix(start, event->event), event->id), event->kind);
    mixed = pn_mix(pn_mix(pn_mix(mixed, event->task), event->node), event->attempt);
    /* A promise. */
    if (event->event != PN_SCHEDULER_REJECT && event->estimate != 0 &&
        event->estimate != PN_SCHEDULER_NEVER)
        mixed = pn_mix(pn_mix(mixed, event->estimate), event->deadline);
    if (event->event == PN_SCHEDULER_NODE_RESIZE)
        mixed = pn_mix(pn_mix(mixed, event->slots[0]), event->slots[1]);
    fleet->fold += mixed;
}

uint64_t pn_scheduler_digest(const pn_scheduler *scheduler)
{
    return pn_fleet_digest(&scheduler->fleet);
}

static void report(pn_scheduler_view *view, const pn_scheduler_event *event)
{
    scheduler_fold(&view->s->fleet, event);
    view->s->totals.last_logged = view->now;
    view->s->totals.saturated_ms = view->s->fleet.saturated_ms;
    if (view->hooks->on_event)
        view->hooks->on_event(view->hooks->user, event);
}

void pn_scheduler_report(pn_scheduler_view *view, uint32_t event, uint32_t job, uint32_t kind,
                         uint32_t task, uint32_t node, uint32_t attempt, uint32_t place)
{
    uint64_t id = job == PN_NO_JOB ? 0 : view->jobs[job].id,
             tag = job == PN_NO_JOB ? 0 : view->jobs[job].tag;
    pn_scheduler_event e = {.struct_size = sizeof e,
                            .time = view->now,
                            .id = id,
                            .tag = tag,
                            .event = event,
                            .kind = kind,
                            .task = task,
                            .node = node,
                            .attempt = attempt,
                            .place = place};
    if (event == PN_SCHEDULER_ACCEPT || event == PN_SCHEDULER_REJECT ||
        event == PN_SCHEDULER_LATE) {
        const pn_scheduler_terms *terms = pn_scheduler_terms_of(view, job);
        e.estimate = terms->estimate <= PN_INTEGER_MAX ? terms->estimate : PN_SCHEDULER_NEVER;
        e.deadline = view->jobs[job].deadline;
        e.blocker = event == PN_SCHEDULER_REJECT ? terms->blocker : 0;
    }
    report(view, &e);
}

void pn_scheduler_report_resize(pn_scheduler_view *view, uint32_t node)
{
    pn_scheduler_event e = {.struct_size = sizeof e,
                            .time = view->now,
                            .event = PN_SCHEDULER_NODE_RESIZE,
                            .node = node};
    memcpy(e.slots, view->nodes[node].slots, sizeof e.slots);
    report(view, &e);
}

/* ---- jobs ---- */

void pn_scheduler_record_of(const pn_scheduler_view *view, uint32_t place, uint32_t state,
                            uint64_t finish, pn_scheduler_record *record)
{
    const pn_scheduler_entry *job = &view->jobs[place];
    *record = (pn_scheduler_record){.struct_size = sizeof *record,
                                    .id = job->id,
                                    .tag = job->tag,
                                    .submit = job->submit,
                                    .first_map_start = job->first_start[PN_SCHEDULER_MAP],
                                    .map_finish = job->map_finish,
                                    .first_reduce_start = job->first_start[PN_SCHEDULER_REDUCE],
                                    .finish = finish,
                                    .deadline = job->deadline,
                                    .promise = pn_scheduler_terms_of(view, place)->promise,
                                    .slot_ms = job->slot_ms,
                                    .maps = job->tasks[PN_SCHEDULER_MAP],
                                    .reduces = job->tasks[PN_SCHEDULER_REDUCE],
                                    .local_maps = job->local_maps,
                                    .colocated_reduces = job->colocated_reduces,
                                    .kills = job->kills,
                                    .state = state,
                                    .group = job->group,
                                    .suspensions = job->suspensions,
                                    .copies = job->copies,
                                    .copies_won = job->copies_won};
}

static void scheduler_add_to_group(pn_scheduler_group *sums, const pn_scheduler_record *job)
{
    uint64_t reducing = job->map_finish;
    if (job->reduces > 0 && job->first_reduce_start > reducing)
        reducing = job->first_reduce_start;
    sums->jobs++;
    sums->maps += job->maps;
    sums->local_maps += job->local_maps;
    sums->reduces += job->reduces;
    sums->colocated_reduces += job->colocated_reduces;
    sums->kills += job->kills;
    sums->suspensions += job->suspensions;
    sums->copies += job->copies;
    sums->copies_won += job->copies_won;
    sums->slot_ms += job->slot_ms;
    sums->waiting += job->first_map_start - job->submit;
    sums->execution += job->finish - job->first_map_start;
    sums->makespan += job->finish - job->submit;
    sums->in_wait += job->first_map_start - job->submit;
    sums->in_maps += job->map_finish - job->first_map_start;
    sums->in_blocked += reducing - job->map_finish;
    sums->in_reduces += job->finish - reducing;
}

static void scheduler_add_to_statistics(pn_scheduler *s, const pn_scheduler_record *job)
{
    pn_scheduler_group *groups = pn_at(s, s->groups);
    const uint64_t sample[PN_FLEET_SAMPLES] = {
        [PN_SCHEDULER_MAKESPANS] = job->finish - job->submit,
        [PN_SCHEDULER_WAITINGS] = job->first_map_start - job->submit,
        [PN_SCHEDULER_EXECUTIONS] = job->finish - job->first_map_start};
    if (job->id <= s->config.warmup_jobs || job->submit < s->config.warmup_ms)
        return;
    scheduler_add_to_group(&groups[0], job);
    if (s->config.groups_max > 0)
        scheduler_add_to_group(&groups[(size_t)job->group + 1], job);
    pn_fleet_samples_add(&s->samples, s, s->config.groups_max, job->group, sample);
}

static void scheduler_add_to_totals(pn_scheduler_totals *totals, const pn_scheduler_record *job)
{
    bool successful = job->deadline == 0 || job->finish - job->submit <= job->deadline;
    totals->finished++;
    totals->last_finish = job->finish;
    totals->finished_maps += job->maps;
    totals->local_maps += job->local_maps;
    totals->finished_reduces += job->reduces;
    totals->colocated_reduces += job->colocated_reduces;
    totals->total_waiting += job->first_map_start - job->submit;
    totals->total_execution += job->finish - job->first_map_start;
    totals->total_makespan += job->finish - job->submit;
    if (successful) {
        totals->successful++;
        totals->successful_slot_ms += job->slot_ms;
    }
}

/* Unlinks a job from the jobs in the system, with all that it takes of the tables but its place. */
void pn_scheduler_unlink(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler *s = view->s;
    const pn_scheduler_entry *entry = &view->jobs[job];
    pn_chain_remove(pn_scheduler_system(view), job);
    s->totals.in_system--;
    s->totals.tasks_held -= entry->tasks[PN_SCHEDULER_MAP] + entry->tasks[PN_SCHEDULER_REDUCE];
    s->totals.replicas_held -= entry->replica_count;
}

void pn_scheduler_free_place(pn_scheduler_view *view, uint32_t job)
{
    view->jobs[job].id = 0;
    pn_place_free(&view->s->fleet.job_places, PN_LINKS(view->jobs, after), job);
}

static uint32_t end_of_state(uint32_t state)
{
    if (state == PN_SCHEDULER_FINISHED)
        return PN_SCHEDULER_JOB_FINISH;
    return state == PN_SCHEDULER_FAILED ? PN_SCHEDULER_JOB_FAIL : PN_SCHEDULER_JOB_CANCEL;
}

/* Removes a job that has ended: it is in no set of candidates and none of its tasks runs. The
 * policy hears of it, its place is free again, then the host hears of it. */
void pn_scheduler_leave(pn_scheduler_view *view, uint32_t job, uint32_t state)
{
    pn_scheduler *s = view->s;
    pn_scheduler_entry *entry = &view->jobs[job];
    pn_scheduler_record record;
    double attributes[PN_ATTRIBUTES_MAX];
    pn_scheduler_record_of(view, job, state, view->now, &record);
    record.attributes = pn_attributes_copy(pn_scheduler_attributes_of(s), job, attributes);
    pn_scheduler_report(view, end_of_state(state), job, 0, 0, 0, 0, 0);
    pn_scheduler_unlink(view, job);
    entry->ended = 1;
    entry->failed = state != PN_SCHEDULER_FINISHED;
    if (view->policy->leave && s->fleet.failure == 0) {
        view->phase = PN_SCHEDULER_PHASE_LEAVE;
        view->subject = job;
        view->policy->leave(view, job);
        view->phase = PN_SCHEDULER_PHASE_OTHER;
    }
    s->totals.last_end = view->now;
    s->totals.ended_slot_ms += record.slot_ms;
    if (state == PN_SCHEDULER_FINISHED) {
        scheduler_add_to_totals(&s->totals, &record);
        scheduler_add_to_statistics(s, &record);
    } else {
        s->totals.failed += state == PN_SCHEDULER_FAILED;
        s->totals.cancelled += state == PN_SCHEDULER_CANCELLED;
    }
    pn_lists_free(&view->store, job);
    if (s->order.started_first)
        pn_scheduler_retire(view, job);
    else
        pn_scheduler_free_place(view, job);
    if (view->hooks->on_finish)
        view->hooks->on_finish(view->hooks->user, &record);
}
