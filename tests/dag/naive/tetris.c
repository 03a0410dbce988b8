/* The naive dag model: tetris, one node after the other (DG23). */
#include "model.h"

/* Alignment of what a pair demands with what the node has free. */
static wide alignment(const model *m, const node *n, const stage *s)
{
    wide sum = 0;
    for (uint32_t r = 0; r < m->resources; r++) {
        wide capacity = n->given->capacity[r];
        if (capacity > 0)
            sum += s->given->demand[r] * (wide)1000000 / capacity *
                   (n->free[r] * 1000000 / capacity);
    }
    return sum;
}

/* The offered pairs that fit on the node, by job id and stage index. */
static size_t find_pairs(const model *m, const node *n)
{
    size_t count = 0;
    for (uint32_t i = 0; i < m->job_count; i++) {
        job *j = &m->jobs[i];
        for (uint32_t s = 0; s < j->stage_count && naive_dag_is_present(j); s++) {
            stage *of = &j->stages[s];
            if (naive_dag_is_offered(m, j, of) && naive_dag_fits(m, n, of))
                m->pairs[count++] = (pair){.job = j,
                                           .stage = of,
                                           .stage_key = naive_dag_stage_key(m, of),
                                           .alignment = alignment(m, n, of),
                                           .volume = naive_dag_left_volume(j)};
        }
    }
    return count;
}

typedef struct means {
    wide alignment, volume;
} means;

static means means_of(const model *m, size_t count)
{
    means sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        sum.alignment += m->pairs[i].alignment;
        sum.volume += m->pairs[i].volume;
    }
    return (means){sum.alignment / (wide)count, wide_most(1, sum.volume / (wide)count)};
}

static wide score(const model *m, const pair *p, means mean)
{
    return 1000 * p->alignment -
           m->params->tetris_m_permille * (mean.alignment * p->volume / mean.volume);
}

static bool is_better(const model *m, const pair *a, const pair *b, means mean)
{
    wide x = score(m, a, mean);
    wide y = score(m, b, mean);
    if (x != y)
        return x > y;
    return a->job == b->job && a->stage_key < b->stage_key;
}

static bool launch_on(model *m, uint32_t n)
{
    size_t count = find_pairs(m, &m->nodes[n]);
    size_t best = 0;
    if (count == 0)
        return false;
    means mean = means_of(m, count);
    for (size_t i = 1; i < count; i++)
        if (is_better(m, &m->pairs[i], &m->pairs[best], mean))
            best = i;
    naive_dag_launch(m, m->pairs[best].job, m->pairs[best].stage, n);
    return true;
}

void naive_dag_dispatch_tetris(model *m)
{
    for (uint32_t n = 0; n < m->node_count; n++)
        while (launch_on(m, n))
            continue;
}
