/* A host with a cluster in a block: it asks what the jobs would gain from hSRTF if a node went down
 * for a while. A host with a cluster in reality drives the scheduler alone: see examples/mapreduce.
 *   cc -Ikernel/include examples/c/cluster.c build/libpinion.a -o host && ./host */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "pinion.h"

static _Alignas(max_align_t) unsigned char block[1 << 17];

/* Ten nodes with two map slots and a reduce slot, two of them twice as fast. */
static const pn_scheduler_nodes nodes[] = {{8, 2, 1, 1000}, {2, 2, 1, 2000}};

/* A long job and two short ones that come behind it. The long one's maps 0 and 1 have their input
 * on node 0, and so on. */
static const uint32_t replicas[] = {1, 1, 1, 1, 1, 1, 1, 1}, homes[] = {0, 0, 1, 1, 2, 2, 3, 3};
static const pn_cluster_job jobs[] = {
    {.submit = 0,
     .maps = 60,
     .reduces = 14,
     .map_ms = 20000,
     .remote_ms = 2000,
     .reduce_ms = 40000,
     .shuffle_ms = 8000},
    {.submit = 15000,
     .maps = 8,
     .reduces = 1,
     .map_ms = 4000,
     .remote_ms = 2000,
     .reduce_ms = 3000,
     .blocks = homes,
     .block_counts = replicas},
    {.submit = 30000,
     .maps = 2,
     .reduces = 1,
     .map_ms = 4000,
     .remote_ms = 2000,
     .reduce_ms = 3000},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

static void report(void *user, const pn_scheduler_record *job)
{
    (void)user;
    printf("  job %" PRIu64 ": waited %" PRIu64 " ms, makespan %" PRIu64 " ms, %" PRIu32
           " of %" PRIu32 " maps local\n",
           job->id, job->first_map_start - job->submit, job->finish - job->submit, job->local_maps,
           job->maps);
}

static int run(const pn_scheduler_policy *policy)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = sizeof nodes / sizeof *nodes;
    config.scheduler.jobs_max = JOBS;
    config.scheduler.policy = policy; /* room for this one alone */
    config.heartbeat_ms = 1000;
    config.factor_lo = 800; /* a task takes 80 to 100 % of its time */
    /* numbers in the lists of jobs: here 8 replicas and where those of each map begin */
    config.values_max = 64;
    config.failures_max = 1; /* announced and not over */
    pn_cluster *sim;
    int status = pn_cluster_init(&sim, block, sizeof block, &config);
    if (status != PN_OK) {
        const char *field = pn_cluster_check(&config);
        fprintf(stderr, "%s: %s; %zu bytes needed\n", pn_status_name(status), field ? field : "",
                pn_cluster_size(&config));
        return status;
    }
    pn_cluster_hooks hooks = {.policy = policy, .on_finish = report};
    status = pn_cluster_fail(sim, 25000, 4, 90000);
    for (int i = 0; i < JOBS && status == PN_OK; i++)
        status = pn_cluster_submit(sim, &jobs[i], NULL);
    printf("%s\n", policy->name);
    if (status == PN_OK)
        status = pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX);
    if (status != PN_DONE)
        return status;
    pn_cluster_totals totals;
    pn_cluster_totals_get(sim, &totals);
    printf("  %" PRIu64 " attempts, %" PRIu64 " lost with the node, %" PRIu64
           " maps run again; digest %016" PRIx64 "\n",
           totals.scheduler.launches, totals.scheduler.lost, totals.scheduler.reruns,
           pn_cluster_digest(sim));
    return PN_OK;
}

int main(void)
{
    return run(pn_scheduler_fifo()) == PN_OK && run(pn_scheduler_fair()) == PN_OK &&
                   run(pn_scheduler_hsrtf_pr()) == PN_OK
               ? 0
               : 1;
}
