/* See cluster.h: the log, and what becomes of it: digest, records and totals. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* ---- the log ---- */

static void log_event(model *m, pn_scheduler_event entry)
{
    naive_cluster_result *r = m->result;
    if (r->event_count == r->event_room) {
        r->event_room = r->event_room > 0 ? 2 * r->event_room : 256;
        r->events = realloc(r->events, r->event_room * sizeof *r->events);
        if (!r->events)
            abort();
    }
    entry.time = m->now;
    r->totals.saturated_ms = m->saturated;
    r->events[r->event_count++] = entry;
}

void naive_log_node(model *m, uint32_t event, uint32_t n)
{
    log_event(m, (pn_scheduler_event){.event = event, .node = n});
}

void naive_log_job(model *m, uint32_t event, const job *j)
{
    log_event(m, (pn_scheduler_event){.event = event, .id = j->index + 1, .tag = j->given->tag});
}

void naive_log_prospect(model *m, uint32_t event, const job *j, uint64_t estimate)
{
    log_event(m, (pn_scheduler_event){.event = event,
                                      .id = j->index + 1,
                                      .tag = j->given->tag,
                                      .estimate = estimate,
                                      .deadline = j->given->deadline});
}

void naive_log_task(model *m, uint32_t event, const job *j, int kind, uint32_t index)
{
    const task *t = &j->tasks[kind][index];
    log_event(m, (pn_scheduler_event){.event = event,
                                      .id = j->index + 1,
                                      .tag = j->given->tag,
                                      .kind = (uint32_t)kind,
                                      .task = task_of(j, kind, index),
                                      .node = t->node,
                                      .attempt = t->attempt});
}

uint64_t naive_cluster_digest(const pn_scheduler_event *events, size_t count)
{
    uint64_t digest = 0;
    for (size_t i = 0; i < count;) {
        uint64_t time = events[i].time;
        uint64_t sum = 0;
        for (; i < count && events[i].time == time; i++) {
            const pn_scheduler_event *e = &events[i];
            const uint64_t words[] = {e->time, e->event,   e->id,       e->kind,    e->task,
                                      e->node, e->attempt, e->estimate, e->deadline};
            bool promise = e->event != PN_SCHEDULER_REJECT && e->estimate > 0 &&
                           e->estimate < NEVER;
            sum += naive_mix(promise ? 9 : 7, words);
        }
        const uint64_t words[] = {digest, time, sum};
        digest = naive_mix(3, words);
    }
    return digest;
}

/* ---- results (CL14) ---- */

static pn_scheduler_record record_of(const job *j)
{
    pn_scheduler_record r = {.id = j->index + 1,
                             .tag = j->given->tag,
                             .submit = j->given->submit,
                             .first_map_start = j->first_start[MAP],
                             .map_finish = j->map_finish,
                             .first_reduce_start = j->first_start[REDUCE],
                             .finish = j->finish,
                             .deadline = j->given->deadline,
                             .promise = j->promise,
                             .slot_ms = j->slot_ms,
                             .maps = j->count[MAP],
                             .reduces = j->count[REDUCE],
                             .kills = (uint32_t)j->kills,
                             .suspensions = (uint32_t)j->suspensions,
                             .copies = (uint32_t)j->copies,
                             .copies_won = (uint32_t)j->copies_won,
                             .state = j->state,
                             .group = j->given->group};
    for (uint32_t i = 0; i < j->count[MAP]; i++)
        r.local_maps += j->tasks[MAP][i].state == DONE && j->tasks[MAP][i].local;
    for (uint32_t i = 0; i < j->count[REDUCE]; i++)
        r.colocated_reduces += j->tasks[REDUCE][i].state == DONE && j->tasks[REDUCE][i].outputs > 0;
    return r;
}

static void count_job(pn_scheduler_totals *t, const pn_scheduler_record *r)
{
    bool finished = r->state == PN_SCHEDULER_FINISHED;
    bool successful = finished && (r->deadline == 0 || r->finish <= r->submit + r->deadline);
    t->slot_ms += r->slot_ms;
    t->copies += r->copies;
    t->copies_won += r->copies_won;
    if (finished || r->state == PN_SCHEDULER_FAILED) {
        t->last_end = most(t->last_end, r->finish);
        t->ended_slot_ms += r->slot_ms;
    }
    t->failed += r->state == PN_SCHEDULER_FAILED;
    t->rejected += r->state == PN_SCHEDULER_REJECTED;
    t->finished += finished;
    t->successful += successful;
    t->successful_slot_ms += successful ? r->slot_ms : 0;
    if (!finished)
        return;
    t->last_finish = most(t->last_finish, r->finish);
    t->finished_maps += r->maps;
    t->local_maps += r->local_maps;
    t->finished_reduces += r->reduces;
    t->colocated_reduces += r->colocated_reduces;
    t->total_waiting += r->first_map_start - r->submit;
    t->total_execution += r->finish - r->first_map_start;
    t->total_makespan += r->finish - r->submit;
}

static void count_event(pn_scheduler_totals *t, const pn_scheduler_event *e)
{
    t->launches += e->event == PN_SCHEDULER_LAUNCH;
    t->kills += e->event == PN_SCHEDULER_KILL;
    t->failures += e->event == PN_SCHEDULER_FAIL;
    t->lost += e->event == PN_SCHEDULER_LOSE;
    t->reruns += e->event == PN_SCHEDULER_RERUN;
    t->late += e->event == PN_SCHEDULER_LATE;
    t->suspensions += e->event == PN_SCHEDULER_SUSPEND;
    t->resumptions += e->event == PN_SCHEDULER_RESUME;
}

void naive_conclude(const model *m)
{
    naive_cluster_result *r = m->result;
    pn_scheduler_totals *t = &r->totals;
    t->time = m->now;
    t->map_slots = (uint64_t)m->slots[MAP];
    t->reduce_slots = (uint64_t)m->slots[REDUCE];
    t->feedback_fired = m->fired;
    t->first_submit = NEVER;
    r->record_count = m->job_count;
    r->records = naive_zeroed(m->job_count, sizeof *r->records);
    for (uint32_t k = 0; k < m->job_count; k++) {
        r->records[k] = record_of(&m->jobs[k]);
        r->unfinished += m->jobs[k].state == PN_SCHEDULER_UNFINISHED;
        if (m->jobs[k].arrived) {
            t->submitted++;
            t->accepted += m->jobs[k].state != PN_SCHEDULER_REJECTED;
            t->first_submit = least(t->first_submit, m->jobs[k].given->submit);
        }
        count_job(t, &r->records[k]);
    }
    for (size_t i = 0; i < r->event_count; i++)
        count_event(t, &r->events[i]);
    r->digest = naive_cluster_digest(r->events, r->event_count);
    r->lower_bound = naive_total_bound(m);
}

pn_scheduler_group naive_cluster_group(const naive_cluster_result *result, uint32_t group)
{
    pn_scheduler_group g = {0};
    for (size_t i = 0; i < result->record_count; i++) {
        const pn_scheduler_record *r = &result->records[i];
        if (r->state != PN_SCHEDULER_FINISHED || (group != PN_ALL_GROUPS && r->group != group))
            continue;
        uint64_t reduced = r->reduces > 0 ? most(r->map_finish, r->first_reduce_start)
                                          : r->map_finish;
        g.jobs++;
        g.maps += r->maps;
        g.local_maps += r->local_maps;
        g.reduces += r->reduces;
        g.colocated_reduces += r->colocated_reduces;
        g.kills += r->kills;
        g.suspensions += r->suspensions;
        g.copies += r->copies;
        g.copies_won += r->copies_won;
        g.slot_ms += r->slot_ms;
        g.waiting += r->first_map_start - r->submit;
        g.execution += r->finish - r->first_map_start;
        g.makespan += r->finish - r->submit;
        g.in_wait += r->first_map_start - r->submit;
        g.in_maps += r->map_finish - r->first_map_start;
        g.in_blocked += reduced - r->map_finish;
        g.in_reduces += r->finish - reduced;
    }
    return g;
}

void naive_cluster_free(naive_cluster_result *result)
{
    free(result->events);
    free(result->records);
}
