/* Nodes that are executors: each belongs to a job, and, where they are sticky, stays with it while
 * it can use it (DG35).
 *
 * An executor is idle if it is live and runs no task. A task demands more than half of the largest
 * capacity of the first resource, so the idle executors are the nodes with room for so much, which
 * the room tree finds. */
#include "state.h"

bool pn_dispatch_executors_suit(const pn_dispatch *s, const pn_dispatch_order *order)
{
    return !pn_dispatch_sticky(s) || (!order->by_queue && !order->packs && !order->preempts);
}

/* ---- to whom they belong ---- */

uint32_t pn_dispatch_owner_of(const pn_dispatch_view *view, uint32_t node)
{
    const pn_dispatch_executor *executor = &view->executors[node];
    return executor->id != 0 && view->jobs[executor->job].id == executor->id ? executor->job
                                                                             : PN_NO_JOB;
}

void pn_dispatch_executor_leaves(const pn_dispatch_view *view, uint32_t node)
{
    if (!view->executors)
        return;
    uint32_t job = pn_dispatch_owner_of(view, node);
    if (job != PN_NO_JOB)
        view->jobs[job].executors--;
    view->executors[node] = (pn_dispatch_executor){.id = 0};
}

static void executor_move(pn_dispatch_view *view, uint32_t node, uint32_t job)
{
    pn_dispatch_executor_leaves(view, node);
    view->executors[node] = (pn_dispatch_executor){.id = view->jobs[job].id, .job = job};
    view->jobs[job].executors++;
    view->s->stirred = 1;
    pn_dispatch_report(view, PN_DISPATCH_MOVE, job, node);
}

void pn_dispatch_executor_serves(pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    uint32_t job = view->stages[stage].job;
    if (!view->executors)
        return;
    if (pn_dispatch_owner_of(view, node) != job)
        executor_move(view, node, job);
    view->executors[node].stage = stage + 1;
}

/* ---- what jobs can use ---- */

static uint32_t idle_of(const pn_dispatch_entry *job)
{
    return job->executors - job->running;
}

/* Returns whether the job can use another executor: at once, or for a task of a stage that is not
 * ready. */
static bool wants_executor(const pn_dispatch_view *view, const pn_dispatch_entry *job)
{
    return job->first_bundle != 0 ||
           (job->later > idle_of(job) && pn_dispatch_may_run(view->s, job));
}

uint32_t pn_dispatch_wanting(const pn_dispatch_view *view)
{
    uint32_t count = view->wanting;
    if (count > 0 || !pn_dispatch_sticky(view->s))
        return count;
    for (uint32_t link = view->s->fleet.first_job; link != 0; link = view->jobs[link - 1].after)
        count += wants_executor(view, &view->jobs[link - 1]);
    return count;
}

/* Returns the first job by its key that wants another executor; PN_NO_JOB. O(jobs). */
static uint32_t first_that_wants(pn_dispatch_view *view)
{
    uint32_t first = PN_NO_JOB;
    pn_key least = {{0, 0}};
    view->wanting = pn_dispatch_wanting(view);
    for (uint32_t link = view->s->fleet.first_job; link != 0; link = view->jobs[link - 1].after) {
        if (!wants_executor(view, &view->jobs[link - 1]))
            continue;
        pn_key key = pn_dispatch_key_now(view, link - 1);
        if (first == PN_NO_JOB || pn_words_before(key.word, least.word)) {
            first = link - 1;
            least = key;
        }
    }
    view->wanting = 0;
    return first;
}

/* ---- the dispatch ---- */

/* Returns the first idle executor >= from; PN_DISPATCH_NONE. */
static uint32_t next_idle(const pn_dispatch_view *view, uint32_t from)
{
    const uint64_t most_of_one[PN_DISPATCH_RESOURCES_MAX] = {view->s->largest[0] / 2 + 1};
    return pn_dispatch_next_room(view, most_of_one, from);
}

/* Returns the stage of its job that the executor serves next: the one that it served last, or else,
 * where any will do, the first; PN_DISPATCH_NO_STAGE. */
static uint32_t own_stage(const pn_dispatch_view *view, uint32_t node, bool any)
{
    uint32_t job = pn_dispatch_owner_of(view, node), last = view->executors[node].stage;
    if (job == PN_NO_JOB)
        return PN_DISPATCH_NO_STAGE;
    if (any)
        return pn_dispatch_first_of_job(view, job);
    return last != 0 && view->stages[last - 1].bundle != 0 ? last - 1 : PN_DISPATCH_NO_STAGE;
}

/* Gives idle executors tasks of the jobs to which they belong. */
static int serve_own(pn_dispatch_view *view, bool any, uint64_t *most)
{
    int status = PN_OK;
    for (uint32_t node = next_idle(view, 0);
         node != PN_DISPATCH_NONE && status == PN_OK && view->s->fleet.failure == 0;
         node = next_idle(view, node + 1)) {
        uint32_t stage = own_stage(view, node, any);
        if (stage != PN_DISPATCH_NO_STAGE)
            status = pn_dispatch_give(view, stage, node, most);
    }
    return status;
}

/* Moves executors that their jobs cannot use to jobs that can. */
static int serve_others(pn_dispatch_view *view, uint64_t *most)
{
    int status = PN_OK;
    for (uint32_t node = next_idle(view, 0);
         node != PN_DISPATCH_NONE && status == PN_OK && view->s->fleet.failure == 0;
         node = next_idle(view, node + 1)) {
        uint32_t owner = pn_dispatch_owner_of(view, node);
        if (owner != PN_NO_JOB && idle_of(&view->jobs[owner]) <= view->jobs[owner].later)
            continue;
        uint32_t job = first_that_wants(view);
        if (job == PN_NO_JOB)
            return PN_OK;
        uint32_t stage = pn_dispatch_first_of_job(view, job);
        if (stage != PN_DISPATCH_NO_STAGE)
            status = pn_dispatch_give(view, stage, node, most);
        else
            executor_move(view, node, job);
    }
    return status;
}

int pn_dispatch_serve_executors(pn_dispatch_view *view, uint64_t *most)
{
    int status = serve_own(view, false, most);
    if (status == PN_OK)
        status = serve_own(view, true, most);
    return status == PN_OK ? serve_others(view, most) : status;
}
