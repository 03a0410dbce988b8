/* The naive dag model: the keys of jobs, smaller first (DG14-DG25). */
#include "model.h"

wide naive_dag_share(const model *m, const wide *use, wide weight)
{
    wide share = 0;
    for (uint32_t r = 0; r < m->resources; r++)
        share = wide_most(share, use[r] * TRILLION / (m->cap[r] * weight));
    return share;
}

/* What a job holds: with sticky executors all of each that it has (DG16). */
static void use_of(const model *m, const job *j, wide *use)
{
    bool sticky = naive_dag_executors_of(m) == NAIVE_DAG_STICKY;
    for (uint32_t r = 0; r < m->resources; r++)
        use[r] = sticky ? j->executors * m->largest[r] : j->use[r];
}

/* ---- capacity (DG17) ---- */

key naive_dag_queue_key(const model *m, const queue *q)
{
    wide share = naive_dag_share(m, q->use, 1);
    wide guaranteed = q->given.guaranteed;
    if (guaranteed == 0)
        return (key){{1, share, q->index}};
    return (key){{0, share * 1000 / guaranteed, q->index}};
}

bool naive_dag_is_over_maximum(const model *m, const job *j, const stage *s)
{
    const queue *q = &m->queues[j->queue];
    for (uint32_t r = 0; r < m->resources; r++)
        if (q->use[r] + s->given->demand[r] > q->given.maximum * m->cap[r] / 1000)
            return true;
    return false;
}

/* ---- cp (DG20) ---- */

static wide longest_path_left(const job *j)
{
    wide longest = 0;
    for (uint32_t s = 0; s < j->stage_count; s++)
        if (j->stages[s].finish == NEVER)
            longest = wide_most(longest, j->stages[s].down);
    return longest;
}

/* ---- wfair (DG22) ---- */

/* 65536 times the logarithm to base 2, bit by bit; x >= 1 */
static wide lg(wide x)
{
    int n = 0;
    while (x >> (n + 1) > 0)
        n++;
    wide y = n > 31 ? x >> (n - 31) : x << (31 - n);
    wide r = n;
    for (int i = 0; i < 16; i++) {
        y = y * y >> 31;
        r = 2 * r;
        if (y >> 32 > 0) {
            y = y >> 1;
            r = r + 1;
        }
    }
    return r;
}

static wide divide_down(wide a, wide b)
{
    return a >= 0 ? a / b : -wide_divide_up(-a, b);
}

static key weighted_key(const model *m, const job *j)
{
    wide use[R];
    use_of(m, j, use);
    wide share = naive_dag_share(m, use, 1);
    wide of_work = m->params->alpha_permille * lg(naive_dag_work(j));
    if (share == 0)
        return (key){{0}};
    return (key){{1, lg(share) - lg(j->given->weight) - divide_down(of_work, 1000)}};
}

/* ---- hfsp (DG24) ---- */

/* Sum of the weights of the virtual jobs, and the smallest of their tags. */
static wide find_virtual(const model *m, wide *tag)
{
    wide weights = 0;
    for (uint32_t i = 0; i < m->job_count; i++)
        if (m->jobs[i].is_served) {
            *tag = weights == 0 ? m->jobs[i].tag : wide_least(*tag, m->jobs[i].tag);
            weights += m->jobs[i].given->weight;
        }
    return weights;
}

static void drop_finished(model *m)
{
    for (uint32_t i = 0; i < m->job_count; i++)
        if (m->jobs[i].tag <= m->virtual_time)
            m->jobs[i].is_served = false;
}

static void advance(model *m)
{
    wide tag = 0;
    wide weights = find_virtual(m, &tag);
    while (weights > 0) {
        wide wait = wide_divide_up((tag - m->virtual_time) * weights, PPB);
        if (m->virtual_now + wait > m->now) {
            m->virtual_time += (m->now - m->virtual_now) * PPB / weights;
            break;
        }
        m->virtual_time += wait * PPB / weights;
        m->virtual_now += (uint64_t)wait;
        drop_finished(m);
        weights = find_virtual(m, &tag);
    }
    m->virtual_now = m->now;
}

void naive_dag_enter(model *m, job *j)
{
    if (m->policy != HFSP)
        return;
    advance(m);
    j->tag = m->virtual_time + wide_divide_up(naive_dag_work(j), j->given->weight);
    j->is_served = true;
}

/* ---- las (DG25) ---- */

static wide service(const model *m, const job *j)
{
    wide sum = j->served;
    for (size_t i = 0; i < m->running_count; i++)
        if (m->running[i].job == j)
            sum += m->running[i].stage->sigma * (m->now - m->running[i].start);
    return sum;
}

/* ---- every policy ---- */

/* DG15, DG16 */
static key fair_key(const model *m, const job *j)
{
    const queue *q = &m->queues[j->queue];
    bool by_queue = m->params->share_by_queue;
    wide weight = by_queue ? q->given.weight : j->given->weight;
    bool sticky = naive_dag_executors_of(m) == NAIVE_DAG_STICKY;
    wide running = by_queue ? q->running : sticky ? j->executors : j->running;
    wide use[R];
    use_of(m, j, use);
    wide share = m->policy == DRF ? naive_dag_share(m, by_queue ? q->use : use, weight)
                                  : running * TRILLION / weight;
    return (key){{share, by_queue ? q->index : 0}};
}

static key plain_key(const model *m, const job *j)
{
    switch (m->policy) {
    case FAIR:
    case DRF:
        return fair_key(m, j);
    case CAPACITY:
        return naive_dag_queue_key(m, &m->queues[j->queue]);
    case SJF_CP:
        return (key){{naive_dag_work(j)}};
    case CP:
        return (key){{m->params->shortest_first ? longest_path_left(j) : -longest_path_left(j)}};
    case SRPT:
        return (key){{naive_dag_left_work(j)}};
    case WFAIR:
        return weighted_key(m, j);
    case HFSP:
        return (key){{j->tag}};
    case LAS:
        return (key){{service(m, j)}};
    default:
        return (key){{0}};
    }
}

/* DG32: jobs of a higher priority first; where queues are ordered, within their queue. */
key naive_dag_key(const model *m, const job *j)
{
    key of = plain_key(m, j);
    bool shares = m->policy == FAIR || m->policy == DRF;
    wide priority = m->policy == TETRIS ? 0 : -j->given->priority;
    if (m->policy == CAPACITY || (shares && m->params->share_by_queue))
        return (key){{of.part[0], of.part[1], of.part[2], priority}};
    return (key){{priority, of.part[0], of.part[1], of.part[2]}};
}
