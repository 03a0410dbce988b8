/* Traces in the Standard Workload Format as jobs of the cluster model: a map on each processor,
 * which lasts as long as the job ran. */
#include "cluster.h"

int swf_cluster_jobs(const swf_trace *trace, source *table)
{
    int added = 1;
    for (size_t i = 0; added && i < trace->count; i++) {
        const swf_job *from = &trace->jobs[i];
        pn_cluster_job job = {.submit = from->submit_ms,
                              .maps = from->processors,
                              .map_ms = from->run_ms,
                              .est_map_ms = from->asked_ms,
                              .group = swf_group(trace, from)};
        added = cluster_table_add(table, &job);
    }
    return added;
}
