/* How long attempts take: maps (CL9), reduces (CL11), those that fail (CL27); and what the
 * scheduler may ask of them (CL12, CL13). */
#include "state.h"
#include "base/wide.h"

enum { DRAW_FAILS = 3, DRAW_FAILS_AFTER = 4, NOMINAL = 1000, CLUSTER_PPM = 1000000 };

/* Returns ceil(a * b / c), at most one more than the largest time: then the run overflows when its
 * end would come. */
uint64_t pn_cluster_ceil_scale(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t rest, product;
    if (pn_multiply(a, b, PN_INTEGER_MAX, &product))
        return product / c + (product % c != 0);
    pn_wide quotient = pn_wide_divide(pn_wide_product(a, b), c, &rest);
    return quotient.high != 0 ? PN_INTEGER_MAX + 1
                              : pn_min(quotient.low + (rest != 0), PN_INTEGER_MAX + 1);
}

/* ---- durations ---- */

static uint64_t base_of(const pn_cluster_view *view, uint32_t job, enum pn_cluster_list list,
                        uint32_t task, uint64_t common)
{
    const uint64_t *times = pn_cluster_times(view, job, list);
    return times ? times[task] : common;
}

static uint32_t cluster_tasks_factor_of(const pn_cluster_view *view, uint32_t job,
                                        const pn_scheduler_task *task)
{
    const pn_cluster *sim = view->sim;
    enum pn_cluster_list list = task->kind == PN_SCHEDULER_MAP ? PN_CLUSTER_LIST_MAP_FACTORS
                                                               : PN_CLUSTER_LIST_REDUCE_FACTORS;
    const uint32_t *factors = pn_cluster_numbers(view, job, list);
    if (factors)
        return factors[task->task];
    return pn_cluster_factor(sim->config.seed, sim->config.factor_lo, sim->config.factor_hi,
                             task->id - 1, task->kind, task->task, task->attempt);
}

static uint64_t cluster_work_of(const pn_cluster_view *view, uint32_t job,
                                const pn_scheduler_task *task, uint32_t factor)
{
    const pn_cluster_entry *entry = &view->jobs[job];
    uint64_t base;
    if (task->kind == PN_SCHEDULER_MAP)
        base = base_of(view, job, PN_CLUSTER_LIST_MAP_TIMES, task->task, entry->map_ms) +
               (task->local ? 0 : entry->remote_ms);
    else
        base = base_of(view, job, PN_CLUSTER_LIST_REDUCE_TIMES, task->task, entry->reduce_ms);
    return pn_max(1, pn_cluster_ceil_scale(base, factor, view->speeds[task->node]));
}

bool pn_cluster_fails(const pn_cluster_view *view, const pn_scheduler_task *task)
{
    const pn_cluster *sim = view->sim;
    if (sim->config.attempt_fail_permille == 0)
        return false;
    return pn_cluster_draw(sim->config.seed, DRAW_FAILS, task->id - 1, task->kind, task->task,
                           task->attempt) %
               1000 <
           sim->config.attempt_fail_permille;
}

/* Returns how long it works: until its end, or until it fails. */
static uint64_t working(const pn_cluster_view *view, const pn_scheduler_task *task, uint64_t work)
{
    if (!pn_cluster_fails(view, task))
        return work;
    uint64_t part = pn_cluster_draw(view->sim->config.seed, DRAW_FAILS_AFTER, task->id - 1,
                                    task->kind, task->task, task->attempt) %
                    1000;
    return pn_max(1, pn_scheduler_scale(work, part, 1000));
}

static void end_at(pn_cluster_view *view, uint32_t place, uint64_t id, uint64_t time)
{
    const uint64_t word[2] = {time, id};
    pn_heap_push(&view->ends, place, word);
}

/* Returns the time up to which the attempt has worked, or from which on it works again. */
static uint64_t works_at(const pn_cluster_view *view, const pn_cluster_attempt *attempt)
{
    return attempt->suspended ? attempt->since : pn_max(view->now, attempt->since);
}

/* Settles a reduce whose maps are all done, now or when it was launched, or were while it was
 * suspended: it knows what it has to fetch and when it ends. */
void pn_cluster_settle(pn_cluster_view *view, uint32_t place)
{
    pn_cluster_attempt *attempt = &view->attempts[place];
    pn_scheduler_progress job;
    pn_scheduler_task task;
    int status = pn_scheduler_task_get(view->core, place, &task);
    PN_ASSERT(status == PN_OK && attempt->shuffle_end == PN_SCHEDULER_NEVER);
    (void)status;
    pn_scheduler_progress_get(view->core, place, &job);
    uint64_t shuffle = base_of(view, attempt->job, PN_CLUSTER_LIST_SHUFFLE_TIMES, task.task,
                               view->jobs[attempt->job].shuffle_ms);
    shuffle = pn_scheduler_scale(shuffle, job.maps - job.outputs, job.maps);
    attempt->shuffle_end = pn_max(works_at(view, attempt),
                                  attempt->start +
                                      pn_cluster_ceil_scale(shuffle, attempt->factor, NOMINAL));
    end_at(view, place, task.id, attempt->shuffle_end + working(view, &task, attempt->work));
}

void pn_cluster_launch(void *user, const pn_scheduler_task *task)
{
    pn_cluster_view *view = user;
    uint32_t job = (uint32_t)task->tag, factor = cluster_tasks_factor_of(view, job, task);
    uint64_t begin = pn_cluster_enter_slot(view, task->node, task->kind);
    pn_cluster_attempt *attempt = &view->attempts[task->place];
    *attempt = (pn_cluster_attempt){.order = pn_cluster_order_of(task),
                                    .start = begin,
                                    .since = begin,
                                    .saved = begin,
                                    .work = cluster_work_of(view, job, task, factor),
                                    .shuffle_end = PN_SCHEDULER_NEVER,
                                    .job = job,
                                    .factor = factor,
                                    .busy = 1,
                                    .kind = (uint16_t)task->kind};
    if (task->kind == PN_SCHEDULER_MAP) {
        end_at(view, task->place, task->id, begin + working(view, task, attempt->work));
        return;
    }
    pn_scheduler_progress progress;
    pn_scheduler_progress_get(view->core, task->place, &progress);
    if (progress.map_finish != PN_SCHEDULER_NEVER)
        pn_cluster_settle(view, task->place);
}

/* Lets what is fixed happen later by `late`, or sooner, as 2^64 - 1 is -1. */
static void shift(pn_cluster_attempt *attempt, uint64_t late)
{
    attempt->start += late;
    if (attempt->shuffle_end != PN_SCHEDULER_NEVER)
        attempt->shuffle_end += late;
}

/* Returns the time that it takes to save or to restore the state of a suspended attempt. */
static uint64_t price(const pn_cluster_attempt *attempt, uint64_t ms, uint32_t permille)
{
    uint64_t worked = attempt->since - attempt->start;
    return ms + pn_cluster_ceil_scale(worked, permille, NOMINAL);
}

/* Suspends by CL34 and CL46. An attempt that does not work yet has worked as long as before, and
 * has nothing to save. */
void pn_cluster_suspend(void *user, const pn_scheduler_task *task)
{
    pn_cluster_view *view = user;
    const pn_cluster_config *config = &view->sim->config;
    pn_cluster_attempt *attempt = &view->attempts[task->place];
    bool works = attempt->since < view->now;
    attempt->progress = pn_cluster_progress(view, task);
    shift(attempt, view->now - works_at(view, attempt));
    attempt->since = view->now;
    attempt->suspended = 1;
    if (works)
        attempt->saved = view->now + price(attempt, config->save_ms, config->save_permille);
    pn_cluster_leave_slot(view, task->node, task->kind, attempt->saved);
    attempt->saved = 0;
    if (pn_heap_has(&view->ends, task->place))
        pn_heap_remove(&view->ends, task->place);
}

/* Resumes by CL35: what is fixed happens later by the time that it was suspended, and by those of
 * CL44 and CL46. */
void pn_cluster_resume(void *user, const pn_scheduler_task *task)
{
    pn_cluster_view *view = user;
    pn_cluster_attempt *attempt = &view->attempts[task->place];
    const pn_cluster_config *config = &view->sim->config;
    uint64_t saved = pn_cluster_enter_slot(view, task->node, task->kind);
    uint64_t again = saved + price(attempt, config->restore_ms, config->restore_permille);
    pn_scheduler_progress job;
    shift(attempt, again - attempt->since);
    attempt->since = again;
    attempt->saved = saved;
    attempt->suspended = 0;
    pn_scheduler_progress_get(view->core, task->place, &job);
    if (task->kind == PN_SCHEDULER_MAP) {
        end_at(view, task->place, task->id, attempt->start + working(view, task, attempt->work));
    } else if (attempt->shuffle_end != PN_SCHEDULER_NEVER) {
        end_at(view, task->place, task->id,
               attempt->shuffle_end + working(view, task, attempt->work));
    } else if (job.map_finish != PN_SCHEDULER_NEVER) {
        pn_cluster_settle(view, task->place);
    }
}

/* Forgets an attempt of the node that is over before its end. */
void pn_cluster_forget(pn_cluster_view *view, uint32_t place, uint32_t node)
{
    const pn_cluster_attempt *attempt = &view->attempts[place];
    pn_cluster_leave_slot(view, node, attempt->kind, attempt->saved);
    if (pn_heap_has(&view->ends, place))
        pn_heap_remove(&view->ends, place);
    view->attempts[place].busy = 0;
}

/* Makes reduces that are still fetching from jobs whose map outputs were lost wait for these maps
 * once more (CL13). */
void pn_cluster_unsettle(pn_cluster_view *view)
{
    for (uint32_t place = 0; place < view->sim->places_max; place++) {
        pn_cluster_attempt *attempt = &view->attempts[place];
        bool fetching = attempt->busy && attempt->kind == PN_SCHEDULER_REDUCE &&
                        attempt->shuffle_end != PN_SCHEDULER_NEVER &&
                        attempt->shuffle_end > works_at(view, attempt);
        if (!fetching || !view->jobs[attempt->job].lost)
            continue;
        attempt->shuffle_end = PN_SCHEDULER_NEVER;
        if (pn_heap_has(&view->ends, place))
            pn_heap_remove(&view->ends, place);
    }
    for (uint32_t job = 0; job < view->sim->job_places.used; job++)
        view->jobs[job].lost = 0;
}

/* ---- what the scheduler asks ---- */

/* Returns the progress by CL12; a suspended attempt keeps its progress (CL34), also until it works
 * again (CL44, CL46). */
uint32_t pn_cluster_progress(void *user, const pn_scheduler_task *task)
{
    const pn_cluster_view *view = user;
    const pn_cluster_attempt *attempt = &view->attempts[task->place];
    uint64_t now = view->now, elapsed = now - attempt->start;
    if (attempt->suspended || now < attempt->since)
        return attempt->progress;
    if (task->kind == PN_SCHEDULER_MAP)
        return (uint32_t)pn_scheduler_scale(elapsed, CLUSTER_PPM, attempt->work);
    /* A shuffle that has ended stays ended, also when map outputs of its job are lost
     * afterwards. */
    if (now >= attempt->shuffle_end)
        return (uint32_t)(333333 +
                          pn_scheduler_scale(now - attempt->shuffle_end, 666666, attempt->work));
    pn_scheduler_progress job;
    pn_scheduler_progress_get(view->core, task->place, &job);
    uint64_t progress = (uint64_t)job.maps_done * CLUSTER_PPM / job.maps;
    uint64_t shuffle = base_of(view, attempt->job, PN_CLUSTER_LIST_SHUFFLE_TIMES, task->task,
                               view->jobs[attempt->job].shuffle_ms);
    if (shuffle > 0)
        progress = pn_min(progress, pn_scheduler_scale(elapsed, CLUSTER_PPM, shuffle));
    return (uint32_t)(progress / 3);
}

int pn_cluster_fetched(void *user, const pn_scheduler_task *task)
{
    const pn_cluster_view *view = user;
    const pn_cluster_attempt *attempt = &view->attempts[task->place];
    return attempt->shuffle_end != PN_SCHEDULER_NEVER &&
           attempt->shuffle_end <= works_at(view, attempt);
}

/* Returns where a map's input lies: as listed, or as drawn. */
uint32_t pn_cluster_replicas_of(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    const pn_cluster_view *view = ((const pn_cluster_where *)where)->view;
    uint32_t job = ((const pn_cluster_where *)where)->job;
    const uint32_t *starts = pn_cluster_numbers(view, job, PN_CLUSTER_LIST_BLOCK_STARTS);
    const pn_cluster *sim = view->sim;
    uint32_t count = (uint32_t)pn_min(sim->config.replication, sim->nodes_count);
    if (starts) {
        const uint32_t *blocks = pn_cluster_numbers(view, job, PN_CLUSTER_LIST_BLOCKS);
        count = starts[map + 1] - starts[map];
        for (uint32_t i = 0; i < count; i++)
            nodes[i] = blocks[starts[map] + i];
    } else {
        pn_cluster_replicas(sim->config.seed, view->jobs[job].id - 1, map, count, sim->nodes_count,
                            nodes);
    }
    PN_ASSERT(count <= most);
    return count;
}
