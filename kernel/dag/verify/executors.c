/* The checker's books of executors: whose they are, whether they may move, and what delays their
 * tasks (DG35, DG36). */
#include "state.h"

/* Returns the job to which the executor belongs, null if to none. */
static pn_dag_check_job *executor_owner(const pn_dag_verifier *v, uint32_t node)
{
    uint32_t owner = v->node[node].owner;
    return owner != 0 && v->job[owner - 1].life == PN_DAG_CHECK_IN_SYSTEM ? &v->job[owner - 1]
                                                                          : NULL;
}

static bool executor_offers(const pn_dag_verifier *v, const pn_dag_check_job *job)
{
    uint32_t first = job->first_stage,
             count = pn_dag_claimed(&v->claim, (size_t)(job - v->job))->stage_count;
    for (uint32_t s = first; s < first + count && !pn_dag_check_full(v, job); s++)
        if (v->stage[s].ready != PN_DAG_CHECK_NEVER && pn_dag_check_pending(v, s) > 0)
            return true;
    return false;
}

/* Returns whether the job has more executors without a task than it will have use for. */
static bool has_too_many(const pn_dag_check_job *job)
{
    return job->executors - job->running > job->later;
}

void pn_dag_check_executor_leaves(pn_dag_verifier *v, uint32_t node)
{
    pn_dag_check_job *job = executor_owner(v, node);
    if (job)
        job->executors--;
    v->node[node].owner = v->node[node].served = 0;
}

/* ---- moves ---- */

/* Returns what is wrong with a move, or null. */
static const char *executor_move_fault(const pn_dag_verifier *v, const pn_dispatch_event *e)
{
    const pn_dag_check_job *job = &v->job[e->id - 1], *before = executor_owner(v, e->node);
    if (v->config.dispatch.executors == PN_DISPATCH_EXECUTORS_NONE)
        return "nodes are no executors";
    if (!v->node[e->node].up)
        return "the node is down";
    if (v->node[e->node].running > 0)
        return "the executor runs a task";
    if (before == job)
        return "the executor belongs to the job already";
    if (!pn_dag_check_sticky(v))
        return NULL;
    if (before && (executor_offers(v, before) || !has_too_many(before)))
        return "the job to which the executor belongs can use it";
    return executor_offers(v, job) || job->later > job->executors - job->running
               ? NULL
               : "the job cannot use the executor";
}

int pn_dag_check_move(pn_dag_verifier *v, const pn_dispatch_event *e)
{
    pn_dag_check_node *node = &v->node[e->node];
    const char *fault = executor_move_fault(v, e);
    if (fault)
        return pn_dag_check_reject(v, fault, e->time, e->id);
    pn_dag_check_executor_leaves(v, e->node);
    node->owner = (uint32_t)e->id;
    node->arrives = e->time + v->config.move_ms;
    node->fresh = 1;
    v->job[e->id - 1].executors++;
    return PN_OK;
}

/* ---- launches ---- */

const char *pn_dag_check_executor_fault(const pn_dag_verifier *v, const pn_dispatch_event *e,
                                        uint32_t stage)
{
    const pn_dag_check_node *node = &v->node[e->node];
    if (v->config.dispatch.executors == PN_DISPATCH_EXECUTORS_NONE)
        return NULL;
    if (node->running > 0)
        return "the executor runs a task";
    if (executor_owner(v, e->node) != &v->job[e->id - 1])
        return "the executor does not belong to the job";
    return pn_dag_check_sticky(v) && node->served != 0 && node->served != stage + 1 &&
                   pn_dag_check_pending(v, node->served - 1) > 0
               ? "the stage that the executor served last has a task"
               : NULL;
}

void pn_dag_check_executor_serves(pn_dag_verifier *v, const pn_dispatch_event *e, uint32_t stage)
{
    pn_dag_check_node *node = &v->node[e->node];
    if (v->config.dispatch.executors == PN_DISPATCH_EXECUTORS_NONE)
        return;
    node->delay = (node->arrives > e->time ? node->arrives - e->time : 0) +
                  node->fresh * v->config.fresh_ms;
    node->fresh = 0;
    node->served = stage + 1;
}

/* ---- what waits ---- */

bool pn_dag_check_is_one_free(const pn_dag_verifier *v)
{
    for (uint32_t node = 0; node < v->present_count; node++) {
        const pn_dag_check_job *job = executor_owner(v, node);
        if (v->node[node].up && v->node[node].running == 0 &&
            (!job || has_too_many(job) || executor_offers(v, job)))
            return true;
    }
    return false;
}
