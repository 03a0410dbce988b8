/* The naive dag model: what is told, and what comes out (DG26, DG27). */
#include <stdlib.h>

#include "model.h"

void naive_dag_tell(model *m, naive_dag_event event)
{
    naive_dag_result *r = m->result;
    r->events = naive_dag_grown(r->events, r->event_count, &r->event_room, sizeof event);
    event.time = m->now;
    r->events[r->event_count++] = event;
    r->totals.saturated_ms = m->saturated;
}

void naive_dag_keep(model *m, const attempt *a, enum naive_dag_outcome outcome)
{
    naive_dag_result *r = m->result;
    r->attempts = naive_dag_grown(r->attempts, r->attempt_count, &r->attempt_room,
                                  sizeof *r->attempts);
    r->attempts[r->attempt_count++] = (naive_dag_attempt){
        .job = a->job->id,
        .stage = a->stage->index,
        .task = a->task,
        .attempt = a->stage->tasks[a->task].attempt,
        .node = a->node,
        .start = a->start,
        .end = outcome == NAIVE_DAG_RUNNING ? NEVER : m->now,
        .outcome = outcome};
}

static int by_name(const void *a, const void *b)
{
    const naive_dag_attempt *x = a;
    const naive_dag_attempt *y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    if (x->stage != y->stage)
        return x->stage < y->stage ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->attempt < y->attempt ? -1 : 1;
}

/* ---- jobs (DG26) ---- */

static uint64_t lasting(uint64_t from, uint64_t to)
{
    return to == NEVER ? NEVER : to - from;
}

static naive_dag_record record_of(const model *m, const job *j)
{
    uint64_t arrival = j->given->arrival;
    uint64_t deadline = j->given->deadline;
    naive_dag_record r = {.given = j->file,
                          .queue = j->queue,
                          .finished = j->finish != NEVER,
                          .arrival = arrival,
                          .first_start = j->first_start,
                          .finish = j->finish,
                          .jct = lasting(arrival, j->finish),
                          .waiting = lasting(arrival, j->first_start),
                          .alone = (uint64_t)naive_dag_alone(m, j),
                          .kills = j->kills,
                          .lost = j->lost,
                          .stage_count = j->stage_count};
    r.slowdown = r.finished ? (naive_dag_wide)r.jct * 1000 / r.alone : 0;
    r.judged = r.finished && deadline != NEVER;
    r.met = r.judged && r.jct <= deadline;
    r.stages = naive_dag_zeroed(r.stage_count, sizeof *r.stages);
    for (uint32_t s = 0; s < r.stage_count; s++)
        r.stages[s] = (naive_dag_stage_record){j->stages[s].ready, j->stages[s].start,
                                               j->stages[s].finish};
    return r;
}

/* ---- sums (DG27) ---- */

static void add_jobs(const model *m)
{
    naive_dag_totals *t = &m->result->totals;
    uint64_t last = m->jobs[0].given->arrival;
    for (uint32_t i = 0; i < m->job_count; i++) {
        const naive_dag_record *r = &m->result->records[i];
        naive_dag_queue_totals *q = &m->result->queues[r->queue];
        t->jobs++;
        q->jobs++;
        if (!r->finished)
            continue;
        t->finished++;
        q->finished++;
        t->total_jct += r->jct;
        q->total_jct += r->jct;
        t->slowdown_sum += r->slowdown;
        last = r->finish > last ? r->finish : last;
    }
    t->makespan = last - m->jobs[0].given->arrival;
}

static void add_attempts(const model *m)
{
    naive_dag_totals *t = &m->result->totals;
    for (size_t i = 0; i < m->result->attempt_count; i++) {
        const naive_dag_attempt *a = &m->result->attempts[i];
        const job *j = &m->jobs[a->job];
        t->launches++;
        t->kills += a->outcome == NAIVE_DAG_KILLED;
        t->lost_attempts += a->outcome == NAIVE_DAG_LOST;
        for (uint32_t r = 0; r < m->resources && a->outcome != NAIVE_DAG_RUNNING; r++) {
            naive_dag_wide area = (naive_dag_wide)(a->end - a->start) *
                                  j->stages[a->stage].given->demand[r];
            t->used[r] += area;
            t->lost[r] += a->outcome == NAIVE_DAG_DONE ? 0 : area;
            m->result->queues[j->queue].used[r] += area;
        }
    }
}

/* NEVER without a finished job */
static uint64_t jain(const naive_dag_result *of)
{
    naive_dag_wide sum = 0;
    naive_dag_wide squares = 0;
    for (uint32_t i = 0; i < of->record_count; i++) {
        naive_dag_wide x = of->records[i].slowdown;
        x = x > UINT32_MAX ? UINT32_MAX : x;
        sum += x;
        squares += x * x;
    }
    return squares == 0 ? NEVER : (uint64_t)(1000 * sum * sum / (of->totals.finished * squares));
}

static void add_up(const model *m)
{
    naive_dag_totals *t = &m->result->totals;
    add_jobs(m);
    add_attempts(m);
    for (uint32_t r = 0; r < m->resources && t->makespan > 0; r++)
        t->utilisation[r] = (uint64_t)(1000 * t->used[r] /
                                       ((naive_dag_wide)m->cap[r] * t->makespan));
    t->jain = jain(m->result);
    t->bound_makespan = (naive_dag_wide)naive_dag_makespan_bound(m);
    t->bound_total_jct = (naive_dag_wide)naive_dag_total_bound(m);
}

void naive_dag_conclude(model *m)
{
    naive_dag_result *r = m->result;
    for (size_t i = 0; i < m->running_count; i++)
        naive_dag_keep(m, &m->running[i], NAIVE_DAG_RUNNING);
    if (r->attempt_count > 0)
        qsort(r->attempts, r->attempt_count, sizeof *r->attempts, by_name);
    r->record_count = m->job_count;
    r->records = naive_dag_zeroed(m->job_count, sizeof *r->records);
    for (uint32_t i = 0; i < m->job_count; i++)
        r->records[i] = record_of(m, &m->jobs[i]);
    r->queue_count = m->queue_count;
    r->queues = naive_dag_zeroed(m->queue_count, sizeof *r->queues);
    for (uint32_t q = 0; q < m->queue_count; q++)
        r->queues[q].label = m->queues[q].label;
    add_up(m);
}

void naive_dag_free(naive_dag_result *result)
{
    for (uint32_t i = 0; i < result->record_count; i++)
        free(result->records[i].stages);
    free(result->records);
    free(result->attempts);
    free(result->events);
    free(result->queues);
}
