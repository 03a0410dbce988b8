/* What one would write for a single experiment: ASRPT and the SRPT it follows, on arrays of active
 * jobs that are sorted in every slot, and (non-preemptive) an array of running tasks that lose a
 * unit each. It keeps every flow time and reports the total and, from a sorted copy at the end,
 * quantiles. The yardstick of the benchmark. */
#ifndef BARE_SLOTTED_H
#define BARE_SLOTTED_H

#include <stdlib.h>

#include "pinion.h"

typedef struct slotted_bare_job {
    uint64_t maps, reduces, arrival, load;
    size_t id;
    const uint64_t *tasks; /* non-preemptive: the unstarted ones */
    size_t task_count;
} slotted_bare_job;

typedef struct slotted_bare_task {
    slotted_bare_job *job;
    uint64_t left;
} slotted_bare_task;

static inline int slotted_bare_order(const void *a, const void *b)
{
    const slotted_bare_job *x = *(slotted_bare_job *const *)a;
    const slotted_bare_job *y = *(slotted_bare_job *const *)b;
    uint64_t left = x->maps + x->reduces;
    uint64_t right = y->maps + y->reduces;
    return left != right ? (left < right ? -1 : 1) : (x->id < y->id ? -1 : 1);
}

static inline void slotted_bare_sort(slotted_bare_job **list, size_t count, int by_insertion)
{
    if (!by_insertion) {
        qsort(list, count, sizeof *list, slotted_bare_order);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        slotted_bare_job *moved = list[i];
        size_t k = i;
        for (; k > 0 && slotted_bare_order(&moved, &list[k - 1]) < 0; k--)
            list[k] = list[k - 1];
        list[k] = moved;
    }
}

static inline uint64_t slotted_bare_give(uint64_t *left, uint64_t wanted, uint64_t *idle)
{
    uint64_t given = *left < wanted ? *left : wanted;
    if (given > *idle)
        given = *idle;
    *left -= given;
    *idle -= given;
    return given;
}

static inline int slotted_bare_smaller(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;
    return (*x > *y) - (*x < *y);
}

typedef struct slotted_bare_result {
    uint64_t total, median, p90, p99, max;
    uint64_t last; /* slot */
} slotted_bare_result;

/* A task started in this slot runs in it, so it joins before all running tasks lose their unit. */
static inline uint64_t slotted_bare_start(slotted_bare_job *job, slotted_bare_task *running,
                                          size_t *runnings, uint64_t idle)
{
    while (idle > 0 && job->task_count > 0) {
        running[(*runnings)++] = (slotted_bare_task){job, *job->tasks++};
        job->task_count--;
        idle--;
    }
    return idle;
}

static inline size_t slotted_bare_tick(slotted_bare_task *running, size_t runnings)
{
    size_t kept = 0;
    for (size_t i = 0; i < runnings; i++) {
        running[i].job->reduces--;
        if (--running[i].left > 0)
            running[kept++] = running[i];
    }
    return kept;
}

static inline slotted_bare_result slotted_bare_run(const pn_slotted_job *jobs, size_t count,
                                                   uint64_t machines, int preemptive,
                                                   int by_insertion)
{
    slotted_bare_task *running = malloc(machines * sizeof *running);
    size_t runnings = 0;
    uint64_t *flows = malloc(count * sizeof *flows);
    size_t finished = 0;
    slotted_bare_job *real = malloc(count * sizeof *real);
    slotted_bare_job *virt = malloc(count * sizeof *virt);
    slotted_bare_job **active = malloc(count * sizeof *active);
    slotted_bare_job **waiting = malloc(count * sizeof *waiting);
    unsigned char *ready = malloc(count);
    size_t actives = 0;
    size_t waitings = 0;
    size_t arrived = 0;
    uint64_t flow = 0, last = 0;
    for (uint64_t slot = 1; actives > 0 || arrived < count; slot++) {
        for (; arrived < count && jobs[arrived].arrival == slot; arrived++) {
            uint64_t reduces = 0;
            for (size_t k = 0; k < jobs[arrived].reduce_count; k++)
                reduces += jobs[arrived].reduces[k];
            real[arrived] = virt[arrived] = (slotted_bare_job){
                jobs[arrived].maps,        reduces, slot, 0, arrived, jobs[arrived].reduces,
                jobs[arrived].reduce_count};
            active[actives++] = &real[arrived];
            waiting[waitings++] = &virt[arrived];
        }
        uint64_t idle = machines;
        size_t kept = 0;
        slotted_bare_sort(waiting, waitings, by_insertion);
        for (size_t i = 0; i < waitings; i++) {
            slotted_bare_job *job = waiting[i];
            uint64_t load = slotted_bare_give(&job->maps, machines, &idle);
            real[job->id].load = load;
            if (job->maps == 0)
                slotted_bare_give(&job->reduces, machines, &idle);
            if (job->maps + job->reduces > 0)
                waiting[kept++] = job;
        }
        waitings = kept;
        idle = machines - runnings;
        slotted_bare_sort(active, actives, by_insertion);
        for (size_t i = 0; i < actives; i++)
            ready[i] = active[i]->maps == 0;
        for (size_t i = 0; i < actives; i++) {
            slotted_bare_give(&active[i]->maps, active[i]->load, &idle);
            active[i]->load = 0;
        }
        for (size_t i = 0; i < actives && idle > 0; i++)
            if (ready[i] && preemptive)
                slotted_bare_give(&active[i]->reduces, machines, &idle);
            else if (ready[i])
                idle = slotted_bare_start(active[i], running, &runnings, idle);
        for (size_t i = 0; i < actives && idle > 0; i++)
            slotted_bare_give(&active[i]->maps, machines, &idle);
        runnings = slotted_bare_tick(running, runnings);
        kept = 0;
        for (size_t i = 0; i < actives; i++) {
            if (active[i]->maps + active[i]->reduces > 0)
                active[kept++] = active[i];
            else
                flow += flows[finished++] = slot - active[i]->arrival + 1;
        }
        actives = kept;
        last = slot;
    }
    qsort(flows, finished, sizeof *flows, slotted_bare_smaller);
    slotted_bare_result result = {flow,
                                  flows[finished / 2],
                                  flows[finished * 9 / 10],
                                  flows[finished * 99 / 100],
                                  flows[finished - 1],
                                  last};
    free(flows);
    free(running);
    free(real);
    free(virt);
    free(active);
    free(waiting);
    free(ready);
    return result;
}

#endif
