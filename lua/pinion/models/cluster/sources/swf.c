/* Traces in the Standard Workload Format as jobs of the cluster model: a map on each processor,
 * which lasts as long as the job ran. */
#include "jobs.h"

source *cluster_swf_new(const swf_trace *trace)
{
    source *table = cluster_table_new();
    int added = table != NULL;
    for (size_t i = 0; added && i < trace->count; i++) {
        const swf_job *from = &trace->jobs[i];
        pn_cluster_job job = {.submit = from->submit_ms,
                              .maps = from->processors,
                              .map_ms = from->run_ms,
                              .est_map_ms = from->asked_ms,
                              .group = swf_group(trace, from)};
        added = cluster_table_add(table, &job);
    }
    if (added)
        return table;
    source_free(table);
    return NULL;
}
