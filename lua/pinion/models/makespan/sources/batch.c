/* Batches of random jobs for the makespan model: what the families of `pinion workload` differ in
 * are only numbers. */
#include <stdio.h>

#include "base/interrupt.h"
#include "base/bounds.h"
#include "jobs.h"

static int too_large(source *table, const char *what)
{
    snprintf(table->fault, sizeof table->fault, "job %llu: %s, drawn at random, pass 2^53 units",
             (unsigned long long)table->count, what);
    return SOURCE_FAULT;
}

/* Draws a task with two draws, whatever the shape says. 0 when the duration passes
 * PN_INTEGER_MAX. */
static uint64_t draw_task(const batch_shape *shape, uint64_t length, pn_stream *stream)
{
    double factor = distribution_factor(&shape->spread, stream);
    double chance = pn_uniform01(stream);
    double lasts = (double)length * (chance < shape->stragglers ? factor * shape->times : factor) +
                   0.5;
    if (!(lasts <= (double)PN_INTEGER_MAX))
        return 0;
    return lasts < 1.0 ? 1 : (uint64_t)lasts;
}

static int draw_stage(source *table, const batch_shape *shape, enum pn_makespan_stage stage,
                      pn_stream *stream)
{
    static const char *const names[] = {"its map tasks", "its reduce tasks"};
    uint64_t tasks = distribution_draw(&shape->tasks[stage], stream), work = 0;
    uint64_t length = distribution_draw(&shape->length[stage], stream);
    if (tasks == 0 || tasks > shape->tasks_most)
        tasks = shape->tasks_most;
    for (uint64_t i = 0; i < tasks; i++) {
        uint64_t duration = length > 0 ? draw_task(shape, length, stream) : 0;
        if (duration == 0 || duration > PN_INTEGER_MAX - work)
            return too_large(table, names[stage]);
        work += duration;
        if (!makespan_table_tasks(table, stage, duration, 1))
            return source_out_of_memory(table);
    }
    return SOURCE_JOB;
}

int makespan_batch_fill(source *table, const batch_shape *shape, uint64_t seed, uint32_t replica)
{
    pn_stream stream;
    int answer = SOURCE_JOB;
    pn_stream_init(&stream, seed, replica, 0);
    while (answer == SOURCE_JOB && table->count < shape->jobs) {
        if (interrupt_pending())
            return SOURCE_INTERRUPTED;
        if (makespan_source_of(table)->stretches > LIMIT_LISTED_TASKS) {
            snprintf(table->fault, sizeof table->fault,
                     "job %llu: its tasks are too many (expected a batch of at most %d tasks that "
                     "differ)",
                     (unsigned long long)table->count, LIMIT_LISTED_TASKS);
            return SOURCE_FAULT;
        }
        if (!makespan_table_begin(table, &(pn_makespan_job){.group = 0}))
            return source_out_of_memory(table);
        answer = draw_stage(table, shape, PN_MAKESPAN_MAP, &stream);
        if (answer == SOURCE_JOB)
            answer = draw_stage(table, shape, PN_MAKESPAN_REDUCE, &stream);
    }
    return answer == SOURCE_JOB ? SOURCE_END : answer;
}
