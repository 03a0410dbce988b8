/* The naive dag model: who starts where. Every launch looks at every offered pair anew. */
#include <stdlib.h>

#include "model.h"

/* ---- pairs (DG9) ---- */

bool naive_dag_is_present(const job *j)
{
    return j->arrived && j->finish == NEVER;
}

bool naive_dag_is_offered(const model *m, const job *j, const stage *s)
{
    uint32_t most = m->params->running_most; /* DG33 */
    if (most > 0 && j->running >= most)
        return false;
    return naive_dag_is_present(j) && s->ready != NEVER && s->in_state[PENDING] > 0;
}

wide naive_dag_stage_key(const model *m, const stage *s)
{
    if (m->params->order == NAIVE_DAG_DEPTH)
        return -s->down;
    if (m->params->order == NAIVE_DAG_WORK)
        return -(s->in_state[PENDING] * s->estimate * s->sigma);
    if (m->params->order == NAIVE_DAG_READY)
        return s->ready;
    return 0;
}

int naive_dag_compare_keys(const key *a, const key *b)
{
    for (int i = 0; i < 4; i++)
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i] ? -1 : 1;
    return 0;
}

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a;
    const pair *y = b;
    int by_key = naive_dag_compare_keys(&x->key, &y->key);
    if (by_key != 0)
        return by_key;
    if (x->job->id != y->job->id)
        return x->job->id < y->job->id ? -1 : 1;
    if (x->stage_key != y->stage_key)
        return x->stage_key < y->stage_key ? -1 : 1;
    return x->stage->index < y->stage->index ? -1 : 1;
}

static size_t add_pairs(model *m, size_t count, job *j)
{
    key of_job = {{0}};
    bool is_known = false;
    for (uint32_t s = 0; s < j->stage_count && naive_dag_is_present(j); s++) {
        if (!naive_dag_is_offered(m, j, &j->stages[s]) || j->stages[s].passed_over)
            continue;
        if (!is_known)
            of_job = naive_dag_key(m, j);
        is_known = true;
        m->pairs[count++] = (pair){.job = j,
                                   .stage = &j->stages[s],
                                   .key = of_job,
                                   .stage_key = naive_dag_stage_key(m, &j->stages[s])};
    }
    return count;
}

static size_t sort_pairs(model *m)
{
    size_t count = 0;
    for (uint32_t i = 0; i < m->job_count; i++)
        count = add_pairs(m, count, &m->jobs[i]);
    qsort(m->pairs, count, sizeof *m->pairs, compare_pairs);
    return count;
}

/* ---- placement (DG10) ---- */

static wide leftover(const model *m, const node *n, const stage *s)
{
    wide sum = 0;
    for (uint32_t r = 0; r < m->resources; r++)
        sum += (n->free[r] - s->given->demand[r]) * 1000000 / m->largest[r];
    return sum;
}

static bool is_better_place(const model *m, uint32_t n, uint32_t than, const stage *s)
{
    wide left = leftover(m, &m->nodes[n], s);
    wide other = leftover(m, &m->nodes[than], s);
    return (m->params->placement == NAIVE_DAG_BEST && left < other) ||
           (m->params->placement == NAIVE_DAG_SPREAD && left > other);
}

static uint32_t place(const model *m, const stage *s)
{
    uint32_t found = NOWHERE;
    for (uint32_t n = 0; n < m->node_count; n++)
        if (naive_dag_fits(m, &m->nodes[n], s) &&
            (found == NOWHERE || is_better_place(m, n, found, s)))
            found = n;
    return found;
}

/* ---- the dispatch ---- */

/* The first pair that may start and has room starts, those before it are passed over. */
static bool launch_next(model *m)
{
    size_t count = sort_pairs(m);
    for (size_t i = 0; i < count; i++) {
        job *j = m->pairs[i].job;
        stage *s = m->pairs[i].stage;
        bool is_over = m->policy == CAPACITY && naive_dag_is_over_maximum(m, j, s);
        uint32_t n = is_over ? NOWHERE : place(m, s);
        if (n != NOWHERE) {
            naive_dag_launch(m, j, s, n);
            return true;
        }
        if (!is_over && !m->params->backfill)
            return false;
        s->passed_over = true;
    }
    return false;
}

void naive_dag_dispatch(model *m)
{
    if (m->policy == TETRIS) {
        naive_dag_dispatch_tetris(m);
        return;
    }
    if (naive_dag_executors_of(m) == NAIVE_DAG_STICKY) {
        naive_dag_dispatch_sticky(m);
        return;
    }
    for (uint32_t i = 0; i < m->job_count; i++)
        for (uint32_t s = 0; s < m->jobs[i].stage_count && naive_dag_is_present(&m->jobs[i]); s++)
            m->jobs[i].stages[s].passed_over = false;
    while (launch_next(m))
        continue;
}
