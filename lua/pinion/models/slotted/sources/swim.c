/* SWIM traces as jobs of the slotted model. The trace has bytes, the model units; with scale =
 * scale_num / scale_den, all in exact integers:
 *
 *     arrival = 1 + floor(submit / slot_seconds)
 *     maps    = max(1, ceil(scale * map_input / unit))
 *     tasks   = 0 without shuffle, else round(scale * (shuffle + output) / reduce_bytes) within
 *               1 .. max(1, machines / 5): the rule and the cap of SWIM's own replay
 *     reduces = max(tasks, ceil(scale * shuffle / unit)) units in near-equal tasks */
#include <string.h>

#include "jobs.h"

static int add_job(gz_lines *reader, const void *how, source *table,
                   const uint64_t values[SWIM_FIELDS])
{
    const swim_mapping *mapping = how;
    uint64_t input = values[3], shuffle = values[4], output = values[5], tasks = 0, reduces = 0;
    uint64_t cap = mapping->machines / 5 > 1 ? mapping->machines / 5 : 1;
    pn_slotted_job job = {.arrival = 1 + values[1] / mapping->slot_seconds};
    int fits = swim_scaled(mapping, input, mapping->unit, 1, &job.maps);
    job.maps = job.maps > 0 ? job.maps : 1;
    if (fits && shuffle > 0) {
        tasks = swim_reduce_tasks(mapping, shuffle, output, cap);
        fits = swim_scaled(mapping, shuffle, mapping->unit, 1, &reduces);
        reduces = reduces > tasks ? reduces : tasks;
    }
    if (!fits || job.maps + reduces > PN_INTEGER_MAX)
        return gz_lines_fail(
            reader, "the job has more than 2^53 units (expected a smaller scale or a larger unit)");
    if (!slotted_table_begin(table, &job) ||
        (tasks > 0 && (!slotted_table_reduce(table, reduces / tasks + 1, reduces % tasks) ||
                       !slotted_table_reduce(table, reduces / tasks, tasks - reduces % tasks))))
        return swim_out_of_memory(reader);
    return 1;
}

int swim_read(const char *path, const swim_mapping *mapping, source *table, swim_summary *summary,
              char message[SWIM_MESSAGE_SIZE])
{
    gz_lines reader = {.path = path, .message = message};
    int status;
    memset(summary, 0, sizeof *summary);
    if (!swim_check_scale(&reader, mapping))
        return 0;
    status = swim_read_file(&reader, add_job, mapping, table, summary);
    if (status == 0 && !slotted_table_seal(table))
        status = gz_lines_fail(&reader, "not enough memory for the jobs");
    return status == 0;
}
