/* What generators of random jobs of the slotted model share: one job's sizes. */
#include <stdio.h>

#include "jobs.h"

static int too_large(source *self, uint64_t number, const char *what)
{
    snprintf(self->fault, sizeof self->fault, "job %llu: its %s, drawn at random, pass 2^53 units",
             (unsigned long long)number, what);
    return SOURCE_FAULT;
}

size_t slotted_pieces(const distribution *tasks)
{
    if (tasks->kind == DISTRIBUTION_CONSTANT && tasks->a < (double)SLOTTED_TASKS_MAX)
        return (size_t)tasks->a + 1; /* draws are rounded up */
    return SLOTTED_TASKS_MAX;
}

int slotted_draw(source *self, const slotted_sizes *sizes, pn_stream *stream, uint64_t number,
                 uint64_t *pieces, pn_slotted_job *job)
{
    uint64_t maps = distribution_draw(sizes->maps, stream), reduces, tasks;
    if (maps == 0)
        return too_large(self, number, "maps");
    reduces = distribution_draw(sizes->reduces, stream);
    if (reduces == 0 || reduces > PN_INTEGER_MAX - maps)
        return too_large(self, number, "reduces");
    tasks = distribution_draw(sizes->tasks, stream);
    if (tasks == 0 || tasks > SLOTTED_TASKS_MAX)
        tasks = SLOTTED_TASKS_MAX;
    tasks = tasks < reduces ? tasks : reduces;
    source_split(reduces, tasks, pieces);
    *job = (pn_slotted_job){.maps = maps, .reduces = pieces, .reduce_count = (size_t)tasks};
    return SOURCE_JOB;
}
