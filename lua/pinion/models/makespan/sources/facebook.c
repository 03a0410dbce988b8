/* The Facebook benchmark of the slotted model as a batch: the same jobs, with
 * lengths of map tasks from a stream of their own. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "jobs.h"
#include "pinion/models/slotted/sources/jobs.h"

/* Adds a job with tasks of one length each: what the slotted model cuts into slots. */
static int add_batch_job(source *table, const pn_slotted_job *job, uint64_t map_length)
{
    return makespan_table_begin(table, &(pn_makespan_job){.group = job->group}) &&
           makespan_table_tasks(table, PN_MAKESPAN_MAP, map_length, (uint32_t)job->maps) &&
           makespan_table_tasks(table, PN_MAKESPAN_REDUCE, job->reduces[0],
                                (uint32_t)job->reduce_count);
}

static int fill(source *table, source *drawn, const distribution *map_length, pn_stream *stream)
{
    pn_slotted_job job;
    int answer;
    while ((answer = source_next(drawn, &job)) == SOURCE_JOB) {
        uint64_t length = distribution_draw(map_length, stream);
        if ((table->count & 0xFFFF) == 0xFFFF && interrupt_pending())
            return SOURCE_INTERRUPTED;
        if (length == 0 || length > PN_INTEGER_MAX / job.maps) {
            snprintf(table->fault, sizeof table->fault,
                     "job %llu: its maps, drawn at random, pass 2^53 units",
                     (unsigned long long)table->count + 1);
            return SOURCE_FAULT;
        }
        if (!add_batch_job(table, &job, length))
            return source_out_of_memory(table);
    }
    if (answer == SOURCE_FAULT)
        memcpy(table->fault, drawn->fault, sizeof table->fault);
    return answer;
}

int makespan_facebook_fill(source *table, uint64_t jobs, uint32_t bin_count,
                           const distribution *map_length, const distribution *reduce_length,
                           uint64_t seed, uint32_t replica)
{
    source *drawn = slotted_facebook_new(jobs, 0.0, bin_count, reduce_length, seed, replica);
    pn_stream stream;
    int answer;
    if (!drawn)
        return source_out_of_memory(table);
    pn_stream_init(&stream, seed, replica, 1);
    answer = fill(table, drawn, map_length, &stream);
    source_free(drawn);
    return answer;
}
