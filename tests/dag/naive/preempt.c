/* The naive dag model: kills for the queues below their guarantees (DG18). */
#include <stdlib.h>
#include <string.h>

#include "model.h"

static wide guarantee(const queue *q)
{
    return q->given.guaranteed * TRILLION / 1000;
}

/* ---- who kills ---- */

typedef struct place_of_queue {
    const queue *queue;
    key key;
} place_of_queue;

static int compare_places(const void *a, const void *b)
{
    const place_of_queue *x = a;
    const place_of_queue *y = b;
    return naive_dag_compare_keys(&x->key, &y->key);
}

/* The first offered pair of the queue: its highest priority, then its lowest job id, then DG11.
 * False when there is none. */
static bool find_pair(const model *m, const queue *q, job **of, stage **found)
{
    *of = NULL;
    *found = NULL;
    for (uint32_t i = 0; i < m->job_count; i++) {
        job *j = &m->jobs[i];
        if (j->queue != q->index || (*found && (*of)->given->priority >= j->given->priority))
            continue;
        stage *first = NULL;
        for (uint32_t s = 0; s < j->stage_count; s++) {
            stage *other = &j->stages[s];
            if (naive_dag_is_offered(m, j, other) &&
                (!first || naive_dag_stage_key(m, other) < naive_dag_stage_key(m, first)))
                first = other;
        }
        if (first) {
            *of = j;
            *found = first;
        }
    }
    return *found != NULL;
}

static bool fits_somewhere(const model *m, const stage *s)
{
    for (uint32_t n = 0; n < m->node_count; n++)
        if (naive_dag_fits(m, &m->nodes[n], s))
            return true;
    return false;
}

static bool may_kill(const model *m, const queue *q, const job *j, const stage *s)
{
    wide use[R];
    for (uint32_t r = 0; r < m->resources; r++)
        use[r] = q->use[r] + s->given->demand[r];
    return !naive_dag_is_over_maximum(m, j, s) && naive_dag_share(m, use, 1) <= guarantee(q) &&
           !fits_somewhere(m, s);
}

/* ---- who is killed: the walk over a node ---- */

typedef struct walk {
    wide free[R];             /* on the node, with what is taken */
    wide (*use)[R];           /* by every queue, without what is taken */
    bool *is_seen, *is_taken; /* of every running attempt */
} walk;

static bool dies_before(const attempt *a, const attempt *b)
{
    if (a->start != b->start)
        return a->start > b->start;
    if (a->job->id != b->job->id)
        return a->job->id > b->job->id;
    if (a->stage->index != b->stage->index)
        return a->stage->index > b->stage->index;
    return a->task > b->task;
}

/* The next of the node's tasks; running_count at the end of the walk. */
static size_t next_of_walk(const model *m, const walk *w, uint32_t n)
{
    size_t found = m->running_count;
    for (size_t i = 0; i < m->running_count; i++)
        if (m->running[i].node == n && !w->is_seen[i] &&
            (found == m->running_count || dies_before(&m->running[i], &m->running[found])))
            found = i;
    return found;
}

static void take(const model *m, walk *w, size_t i, wide sign)
{
    const attempt *a = &m->running[i];
    for (uint32_t r = 0; r < m->resources; r++) {
        w->free[r] += sign * a->stage->given->demand[r];
        w->use[a->job->queue][r] -= sign * a->stage->given->demand[r];
    }
    w->is_taken[i] = sign > 0;
}

static void take_if_allowed(const model *m, walk *w, size_t i, const queue *killer)
{
    const attempt *a = &m->running[i];
    const queue *q = &m->queues[a->job->queue];
    uint32_t most = m->params->max_kills_per_task;
    if (q == killer || (most > 0 && a->stage->tasks[a->task].attempt >= most) ||
        naive_dag_share(m, w->use[q->index], 1) <= guarantee(q))
        return;
    take(m, w, i, 1);
    if (naive_dag_share(m, w->use[q->index], 1) < guarantee(q))
        take(m, w, i, -1);
}

static bool has_room(const model *m, const walk *w, const stage *s)
{
    for (uint32_t r = 0; r < m->resources; r++)
        if (s->given->demand[r] > w->free[r])
            return false;
    return true;
}

static walk begin_walk(const model *m, uint32_t n)
{
    walk w = {.use = naive_dag_zeroed(m->queue_count, sizeof *w.use),
              .is_seen = naive_dag_zeroed(m->running_count, sizeof *w.is_seen),
              .is_taken = naive_dag_zeroed(m->running_count, sizeof *w.is_taken)};
    memcpy(w.free, m->nodes[n].free, sizeof w.free);
    for (uint32_t q = 0; q < m->queue_count; q++)
        memcpy(w.use[q], m->queues[q].use, sizeof w.use[q]);
    return w;
}

static void end_walk(const walk *w)
{
    free(w->use);
    free(w->is_seen);
    free(w->is_taken);
}

/* What ends takes the place of the last one: hence from the last one down. */
static void kill_taken(model *m, const walk *w)
{
    for (size_t i = m->running_count; i-- > 0;)
        if (w->is_taken[i])
            naive_dag_end(m, i, NAIVE_DAG_KILLED);
}

static bool kill_on(model *m, uint32_t n, const queue *killer, const stage *s)
{
    walk w = begin_walk(m, n);
    while (!has_room(m, &w, s)) {
        size_t i = next_of_walk(m, &w, n);
        if (i == m->running_count)
            break;
        w.is_seen[i] = true;
        take_if_allowed(m, &w, i, killer);
    }
    bool is_enough = has_room(m, &w, s);
    if (is_enough)
        kill_taken(m, &w);
    end_walk(&w);
    return is_enough;
}

/* ---- the tick ---- */

static bool launch_by_kills(model *m, const queue *q)
{
    job *j;
    stage *s;
    if (!find_pair(m, q, &j, &s) || !may_kill(m, q, j, s))
        return false;
    for (uint32_t n = 0; n < m->node_count; n++)
        if (m->nodes[n].up && naive_dag_holds(m, &m->nodes[n], s) && kill_on(m, n, q, s)) {
            naive_dag_launch(m, j, s, n);
            return true;
        }
    return false;
}

static bool serve_one_queue(model *m)
{
    bool is_served = false;
    place_of_queue *places = naive_dag_zeroed(m->queue_count, sizeof *places);
    for (uint32_t q = 0; q < m->queue_count; q++)
        places[q] = (place_of_queue){&m->queues[q], naive_dag_queue_key(m, &m->queues[q])};
    qsort(places, m->queue_count, sizeof *places, compare_places);
    for (uint32_t q = 0; q < m->queue_count && !is_served; q++)
        is_served = launch_by_kills(m, places[q].queue);
    free(places);
    return is_served;
}

void naive_dag_preempt(model *m)
{
    while (serve_one_queue(m))
        continue;
}
