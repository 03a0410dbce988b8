/* Changes of jobs of the cluster model. What is scaled are the times of tasks, with their
 * estimates; deadlines and bytes stay. */
#include "base/interrupt.h"
#include "workload/changed.h"
#include "jobs.h"

static double time_of(const void *job)
{
    return (double)((const pn_cluster_job *)job)->submit;
}

static int move(void *any, double time)
{
    pn_cluster_job *job = any;
    if (!(time < (double)PN_INTEGER_MAX))
        return 0;
    job->submit = (uint64_t)time;
    return 1;
}

/* Scales into the next of the values, where there is a list. */
static int scale_list(const uint64_t **list, uint32_t count, double factor, uint64_t **values)
{
    uint64_t *scaled = *values;
    if (!*list)
        return 1;
    for (uint32_t i = 0; i < count; i++) {
        scaled[i] = (*list)[i];
        if (!changed_size(&scaled[i], factor, PN_CLUSTER_MOST_MS))
            return 0;
    }
    *list = scaled;
    *values += count;
    return 1;
}

static enum changed_answer scale(void *any, double factor, changed_lists *lists)
{
    pn_cluster_job *job = any;
    uint64_t *const times[] = {&job->map_ms,     &job->remote_ms,  &job->reduce_ms,
                               &job->shuffle_ms, &job->est_map_ms, &job->est_reduce_ms};
    size_t listed = (job->map_times ? job->maps : 0) + (job->reduce_times ? job->reduces : 0) +
                    (size_t)(job->shuffle_times ? job->reduces : 0);
    uint64_t *values = changed_room(lists, listed);
    if (!values && listed > 0)
        return CHANGED_NO_MEMORY;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (!changed_size(times[i], factor, PN_CLUSTER_MOST_MS))
            return CHANGED_TOO_LARGE;
    return scale_list(&job->map_times, job->maps, factor, &values) &&
                   scale_list(&job->reduce_times, job->reduces, factor, &values) &&
                   scale_list(&job->shuffle_times, job->reduces, factor, &values)
               ? CHANGED
               : CHANGED_TOO_LARGE;
}

static source *copy(source *truth, int *answer)
{
    source *table = cluster_table_new();
    pn_cluster_job job;
    int added = table != NULL;
    while (added && (*answer = source_next(truth, &job)) == SOURCE_JOB) {
        added = cluster_table_add(table, &job);
        if (interrupt_pending()) { /* a job may list a million values */
            *answer = SOURCE_INTERRUPTED;
            return table;
        }
    }
    if (added)
        return table;
    if (table)
        table->destroy(table);
    return NULL;
}

static void at(source *table, uint64_t index, void *job)
{
    cluster_table_at(table, index, job);
}

static double size_of(const void *any)
{
    const pn_cluster_job *job = any;
    return (double)job->maps + (double)job->reduces;
}

static uint32_t *group_of(void *job)
{
    return &((pn_cluster_job *)job)->group;
}

const changed_model changed_cluster = {.head_bytes = sizeof(cluster_source),
                                       .whole = 1,
                                       .latest = "2^53 ms",
                                       .largest = "2^40 ms",
                                       .time = time_of,
                                       .move = move,
                                       .scale = scale,
                                       .copy = copy,
                                       .at = at,
                                       .size = size_of,
                                       .group = group_of};
