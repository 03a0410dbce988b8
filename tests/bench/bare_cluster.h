/* What the cluster model is measured against: a program that only wants to know when jobs end under
 * first come, first served, with slots that are all alike - no nodes, no locality, no heartbeats,
 * no decisions, no digest, nothing but a heap of running tasks and a line of waiting jobs. */
#ifndef BARE_CLUSTER_H
#define BARE_CLUSTER_H

#include "cluster_month.h"

typedef struct cluster_bare_task {
    uint64_t end;
    uint32_t job, kind;
} cluster_bare_task;

typedef struct cluster_bare_job {
    uint64_t submit, ms[2];
    uint32_t waiting[2], unfinished[2];
    uint32_t next[2]; /* in the line for this kind of slot, + 1 */
} cluster_bare_job;

typedef struct cluster_bare {
    cluster_bare_task *heap; /* of the running tasks, by end */
    size_t running;
    uint32_t free[2];
    cluster_bare_job *jobs; /* of a fixed number of places, used in turn */
    uint32_t room, count;
    uint32_t first[2], last[2]; /* of the lines, + 1 */
    uint64_t total, finished;   /* sum of makespans, jobs */
} cluster_bare;

static inline void cluster_bare_push(cluster_bare *it, cluster_bare_task task)
{
    size_t at = it->running++;
    for (; at > 0 && it->heap[(at - 1) / 2].end > task.end; at = (at - 1) / 2)
        it->heap[at] = it->heap[(at - 1) / 2];
    it->heap[at] = task;
}

static inline cluster_bare_task cluster_bare_pop(cluster_bare *it)
{
    cluster_bare_task top = it->heap[0], last = it->heap[--it->running];
    size_t at = 0;
    for (size_t child = 1; child < it->running; child = 2 * at + 1) {
        child += child + 1 < it->running && it->heap[child + 1].end < it->heap[child].end;
        if (it->heap[child].end >= last.end)
            break;
        it->heap[at] = it->heap[child];
        at = child;
    }
    it->heap[at] = last;
    return top;
}

/* Gives the free slots of a kind to the jobs at the head of the line. */
static inline void cluster_bare_start(cluster_bare *it, uint32_t kind, uint64_t time)
{
    while (it->free[kind] > 0 && it->first[kind] != 0) {
        cluster_bare_job *job = &it->jobs[it->first[kind] - 1];
        cluster_bare_push(it, (cluster_bare_task){time + job->ms[kind], it->first[kind] - 1, kind});
        it->free[kind]--;
        if (--job->waiting[kind] > 0)
            continue;
        it->first[kind] = job->next[kind];
        if (it->first[kind] == 0)
            it->last[kind] = 0;
    }
}

static inline void cluster_bare_line_up(cluster_bare *it, uint32_t place, uint32_t kind)
{
    if (it->jobs[place].waiting[kind] == 0)
        return;
    it->jobs[place].next[kind] = 0;
    if (it->last[kind] != 0)
        it->jobs[it->last[kind] - 1].next[kind] = place + 1;
    else
        it->first[kind] = place + 1;
    it->last[kind] = place + 1;
}

/* Everything that ends up to `until`. */
static inline void cluster_bare_advance(cluster_bare *it, uint64_t until)
{
    while (it->running > 0 && it->heap[0].end <= until) {
        cluster_bare_task task = cluster_bare_pop(it);
        cluster_bare_job *job = &it->jobs[task.job];
        it->free[task.kind]++;
        if (--job->unfinished[task.kind] == 0 && task.kind == 0)
            cluster_bare_line_up(it, task.job, 1);
        if (job->unfinished[0] + job->unfinished[1] == 0) {
            it->total += task.end - job->submit;
            it->finished++;
        }
        cluster_bare_start(it, task.kind, task.end);
        cluster_bare_start(it, 1, task.end);
    }
}

/* The month on so many slots; `room`: jobs that overlap at most. */
static inline void cluster_bare_month(cluster_bare *it, uint32_t scale)
{
    month source = month_begin(scale);
    pn_cluster_job next;
    while (month_next(&source, &next)) {
        cluster_bare_advance(it, next.submit);
        uint32_t place = it->count++ % it->room;
        it->jobs[place] = (cluster_bare_job){next.submit,
                                             {next.map_ms, next.shuffle_ms + next.reduce_ms},
                                             {next.maps, next.reduces},
                                             {next.maps, next.reduces},
                                             {0, 0}};
        cluster_bare_line_up(it, place, 0);
        cluster_bare_start(it, 0, next.submit);
    }
    cluster_bare_advance(it, UINT64_MAX);
}

#endif
