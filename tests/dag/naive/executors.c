/* The naive dag model: nodes that are executors and belong to jobs (DG35, DG36). */
#include "model.h"

enum naive_dag_executors naive_dag_executors_of(const model *m)
{
    bool by_queue = m->policy == CAPACITY ||
                    ((m->policy == FAIR || m->policy == DRF) && m->params->share_by_queue);
    bool unfit = by_queue || m->policy == TETRIS;
    return m->params->executors == NAIVE_DAG_STICKY && unfit ? NAIVE_DAG_FREE
                                                             : m->params->executors;
}

void naive_dag_move(model *m, uint32_t n, job *j)
{
    m->nodes[n].owner = j;
    m->nodes[n].served = NULL;
    m->nodes[n].arrives = m->now + m->params->move_ms;
    m->nodes[n].fresh = true;
    m->stirred = true;
    naive_dag_tell(m, (naive_dag_event){.kind = NAIVE_DAG_MOVE, .job = j->id, .node = n});
    naive_dag_look(m);
}

uint64_t naive_dag_delay(model *m, job *j, stage *s, uint32_t n)
{
    node *at = &m->nodes[n];
    if (naive_dag_executors_of(m) == NAIVE_DAG_NONE)
        return 0;
    if (at->owner != j)
        naive_dag_move(m, n, j);
    uint64_t delay = at->arrives > m->now ? at->arrives - m->now : 0;
    delay += at->fresh ? m->params->fresh_ms : 0;
    at->fresh = false;
    at->served = s;
    return delay;
}

/* ---- what jobs can use ---- */

static bool is_idle(const node *n)
{
    return n->up && !n->busy;
}

/* The first stage of those that a job offers (DG11). */
static stage *first_of(const model *m, job *j)
{
    stage *first = NULL;
    for (uint32_t s = 0; s < j->stage_count; s++)
        if (naive_dag_is_offered(m, j, &j->stages[s]) &&
            (!first || naive_dag_stage_key(m, &j->stages[s]) < naive_dag_stage_key(m, first)))
            first = &j->stages[s];
    return first;
}

/* Tasks of stages that are not ready. */
static uint32_t later_of(const job *j)
{
    uint32_t later = 0;
    for (uint32_t s = 0; s < j->stage_count; s++)
        later += j->stages[s].ready == NEVER ? j->stages[s].given->tasks : 0;
    return later;
}

static bool wants(const model *m, job *j)
{
    uint32_t most = m->params->running_most;
    bool full = most > 0 && j->running >= most;
    return naive_dag_is_present(j) &&
           (first_of(m, j) || (!full && later_of(j) > j->executors - j->running));
}

static job *first_that_wants(model *m)
{
    job *first = NULL;
    key least = {{0}};
    for (uint32_t i = 0; i < m->job_count; i++) {
        if (!wants(m, &m->jobs[i]))
            continue;
        key of = naive_dag_key(m, &m->jobs[i]);
        if (!first || naive_dag_compare_keys(&of, &least) < 0) {
            first = &m->jobs[i];
            least = of;
        }
    }
    return first;
}

/* ---- the dispatch ---- */

static void serve_stages(model *m)
{
    for (uint32_t n = 0; n < m->node_count; n++) {
        node *it = &m->nodes[n];
        bool serves = is_idle(it) && it->owner && it->served;
        if (serves && naive_dag_is_offered(m, it->owner, it->served))
            naive_dag_launch(m, it->owner, it->served, n);
    }
}

static void serve_jobs(model *m)
{
    for (uint32_t n = 0; n < m->node_count; n++) {
        node *it = &m->nodes[n];
        stage *s = is_idle(it) && it->owner ? first_of(m, it->owner) : NULL;
        if (s)
            naive_dag_launch(m, it->owner, s, n);
    }
}

void naive_dag_dispatch_sticky(model *m)
{
    serve_stages(m);
    serve_jobs(m);
    for (uint32_t n = 0; n < m->node_count; n++) {
        const job *owner = m->nodes[n].owner;
        if (!is_idle(&m->nodes[n]) ||
            (owner && owner->executors - owner->running <= later_of(owner)))
            continue;
        job *j = first_that_wants(m);
        if (!j)
            return;
        stage *s = first_of(m, j);
        if (s)
            naive_dag_launch(m, j, s, n);
        else
            naive_dag_move(m, n, j);
    }
}
