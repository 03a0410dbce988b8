/* SWIM traces as jobs of the cluster model, in milliseconds. Maps read `unit` bytes each and the
 * last one the rest; a reduce shuffles its share of scale * shuffle and writes its share of scale *
 * output. A job's sizes are scale * map_input and scale * shuffle. */
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "jobs.h"

/* Returns the milliseconds that so many bytes take, rounded up. */
static uint64_t byte_ms(uint64_t bytes, uint64_t rate)
{
    return (bytes * 1000 + rate - 1) / rate;
}

/* Adds a job; all maps but the last read as much as the first; the list is needed when the last
 * reads less. */
static int add_with_last(gz_lines *reader, source *table, pn_cluster_job *job, uint64_t last_ms)
{
    uint64_t *times = malloc(job->maps * sizeof *times);
    int added;
    for (uint32_t i = 0; times && i < job->maps; i++)
        times[i] = i + 1 < job->maps ? job->map_ms : last_ms;
    job->map_times = times;
    added = times && cluster_table_add(table, job);
    free(times);
    return added ? 1 : swim_out_of_memory(reader);
}

static int add_cluster_job(gz_lines *reader, const void *how, source *table,
                           const uint64_t values[SWIM_FIELDS])
{
    const swim_cluster *cluster = how;
    uint64_t unit = cluster->mapping.unit, bytes[3], maps, last;
    pn_cluster_job job = {.submit = values[1] * 1000, .remote_ms = cluster->remote_ms};
    if (reader->line < cluster->first || table->count >= cluster->jobs)
        return 1;
    for (int i = 0; i < 3; i++)
        if (!swim_scaled(&cluster->mapping, values[3 + i], 1, 1, &bytes[i]))
            return gz_lines_fail(reader,
                                 "the job has more than 2^53 bytes (expected a smaller scale)");
    maps = bytes[0] > 0 ? (bytes[0] - 1) / unit + 1 : 1;
    if (maps > LIMIT_JOB_TASKS)
        return gz_lines_fail(
            reader,
            "the job has more than 2^20 map tasks (expected a smaller scale or a larger unit)");
    job.maps = (uint32_t)maps;
    job.input = bytes[0];
    job.intermediate = bytes[1];
    last = cluster->map_start_ms + byte_ms(bytes[0] - (maps - 1) * unit, cluster->map_rate);
    job.map_ms = maps > 1 ? cluster->map_start_ms + byte_ms(unit, cluster->map_rate) : last;
    if (values[4] > 0) {
        job.reduces = (uint32_t)swim_reduce_tasks(&cluster->mapping, values[4], values[5],
                                                  cluster->tasks_most);
        job.shuffle_ms = byte_ms((bytes[1] + job.reduces - 1) / job.reduces, cluster->shuffle_rate);
        job.reduce_ms = cluster->reduce_start_ms +
                        byte_ms((bytes[2] + job.reduces - 1) / job.reduces, cluster->write_rate);
    }
    if (job.submit > PN_INTEGER_MAX || job.map_ms > PN_CLUSTER_MOST_MS ||
        job.reduce_ms > PN_CLUSTER_MOST_MS || job.shuffle_ms > PN_CLUSTER_MOST_MS)
        return gz_lines_fail(
            reader, "the job's times pass 2^40 ms (expected a smaller scale or higher rates)");
    if (last < job.map_ms)
        return add_with_last(reader, table, &job, last);
    return cluster_table_add(table, &job) ? 1 : swim_out_of_memory(reader);
}

int swim_read_cluster(const char *path, const swim_cluster *cluster, source *table,
                      swim_summary *summary, char message[SWIM_MESSAGE_SIZE])
{
    gz_lines reader = {.path = path, .message = message};
    memset(summary, 0, sizeof *summary);
    return swim_check_scale(&reader, &cluster->mapping) &&
           swim_read_part(&reader, add_cluster_job, cluster, cluster->first, table, summary);
}
