/* Changes of jobs of the slotted model: time 0 is the begin of slot 1. */
#include "base/interrupt.h"
#include "workload/changed.h"
#include "jobs.h"

static double time_of(const void *job)
{
    return (double)(((const pn_slotted_job *)job)->arrival - 1);
}

static int move(void *any, double time)
{
    pn_slotted_job *job = any;
    if (!(time < (double)PN_INTEGER_MAX))
        return 0;
    job->arrival = 1 + (uint64_t)time;
    return 1;
}

static int scale_estimate(uint64_t *estimate, double factor)
{
    return *estimate == PN_SLOTTED_ESTIMATE_ZERO || changed_size(estimate, factor, PN_INTEGER_MAX);
}

static enum changed_answer scale(void *any, double factor, changed_lists *lists)
{
    pn_slotted_job *job = any;
    uint64_t *reduces = changed_room(lists, job->reduce_count), work;
    if (!reduces && job->reduce_count > 0)
        return CHANGED_NO_MEMORY;
    if (!changed_size(&job->maps, factor, PN_INTEGER_MAX) ||
        !scale_estimate(&job->estimate_maps, factor) ||
        !scale_estimate(&job->estimate_reduces, factor))
        return CHANGED_TOO_LARGE;
    work = job->maps;
    for (size_t i = 0; i < job->reduce_count; i++) {
        reduces[i] = job->reduces[i];
        if (!changed_size(&reduces[i], factor, PN_INTEGER_MAX) ||
            reduces[i] > PN_INTEGER_MAX - work)
            return CHANGED_TOO_LARGE;
        work += reduces[i];
    }
    job->reduces = reduces;
    return CHANGED;
}

static source *copy(source *truth, int *answer)
{
    source *table = slotted_table_new();
    pn_slotted_job job;
    int added = table != NULL;
    while (added && (*answer = source_next(truth, &job)) == SOURCE_JOB) {
        added = slotted_table_add(table, &job);
        if ((table->count & 0xFFFF) == 0 && interrupt_pending()) {
            *answer = SOURCE_INTERRUPTED;
            return table;
        }
    }
    if (added && slotted_table_seal(table))
        return table;
    if (table)
        table->destroy(table);
    return NULL;
}

static void at(source *table, uint64_t index, void *job)
{
    slotted_table_at(table, index, job);
}

static void forget(source *self)
{
    ((slotted_source *)self)->slots = 0;
}

static double size_of(const void *any)
{
    const pn_slotted_job *job = any;
    uint64_t size = job->maps;
    for (size_t i = 0; i < job->reduce_count; i++)
        size += job->reduces[i];
    return (double)size;
}

static uint32_t *group_of(void *job)
{
    return &((pn_slotted_job *)job)->group;
}

const changed_model changed_slotted = {.head_bytes = sizeof(slotted_source),
                                       .forget = forget,
                                       .whole = 1,
                                       .latest = "slot 2^53",
                                       .largest = "2^53 units",
                                       .time = time_of,
                                       .move = move,
                                       .scale = scale,
                                       .copy = copy,
                                       .at = at,
                                       .size = size_of,
                                       .group = group_of};
