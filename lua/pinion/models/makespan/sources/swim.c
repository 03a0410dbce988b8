/* SWIM traces as jobs of the makespan model. They have as many tasks as in the slotted model,
 * with a cap of their own, and a task lasts `start` seconds and those that its
 * share of the job's bytes takes at `rate` bytes a second: scale * map_input for maps, scale *
 * shuffle for reduces, rounded up. */
#include <string.h>

#include "jobs.h"

/* Returns seconds of each of so many tasks that share the bytes; 0 when all of them together pass
 * 2^53. */
static uint64_t task_seconds(const swim_speed *speed, uint64_t bytes, uint64_t tasks)
{
    uint64_t share = (bytes + tasks - 1) / tasks,
             seconds = speed->start + (share + speed->rate - 1) / speed->rate;
    seconds = seconds > 0 ? seconds : 1;
    return seconds <= PN_INTEGER_MAX / tasks ? seconds : 0;
}

static int add_batch_job(gz_lines *reader, const void *how, source *table,
                         const uint64_t values[SWIM_FIELDS])
{
    const swim_batch *batch = how;
    uint64_t read = 0, shuffled = 0, tasks[2] = {0, 0}, seconds[2] = {1, 1};
    if (reader->line < batch->first || table->count >= batch->jobs)
        return 1;
    if (!swim_scaled(&batch->mapping, values[3], 1, 1, &read) ||
        !swim_scaled(&batch->mapping, values[4], 1, 1, &shuffled))
        return gz_lines_fail(reader, "the job has more than 2^53 bytes (expected a smaller scale)");
    swim_scaled(&batch->mapping, values[3], batch->mapping.unit, 1, &tasks[0]);
    tasks[0] = tasks[0] > 0 ? tasks[0] : 1;
    if (tasks[0] > UINT32_MAX)
        return gz_lines_fail(
            reader,
            "the job has more than 2^32 map tasks (expected a smaller scale or a larger unit)");
    seconds[0] = task_seconds(&batch->map, read, tasks[0]);
    if (values[4] > 0) {
        tasks[1] = swim_reduce_tasks(&batch->mapping, values[4], values[5], batch->tasks_most);
        seconds[1] = task_seconds(&batch->reduce, shuffled, tasks[1]);
    }
    if (seconds[0] == 0 || seconds[1] == 0)
        return gz_lines_fail(reader, "the job's tasks last more than 2^53 seconds (expected a "
                                     "smaller scale or a higher rate)");
    if (!makespan_table_begin(table, &(pn_makespan_job){.group = 0}) ||
        !makespan_table_tasks(table, PN_MAKESPAN_MAP, seconds[0], (uint32_t)tasks[0]) ||
        !makespan_table_tasks(table, PN_MAKESPAN_REDUCE, seconds[1], (uint32_t)tasks[1]))
        return swim_out_of_memory(reader);
    return 1;
}

int swim_read_batch(const char *path, const swim_batch *batch, source *table, swim_summary *summary,
                    char message[SWIM_MESSAGE_SIZE])
{
    gz_lines reader = {.path = path, .message = message};
    memset(summary, 0, sizeof *summary);
    return swim_check_scale(&reader, &batch->mapping) &&
           swim_read_part(&reader, add_batch_job, batch, batch->first, table, summary);
}
