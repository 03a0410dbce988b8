/* Speed and memory of the cluster model: a month in a data centre of the size of Google's in 2011
 * (cluster_month.h) under fifo and fair, with heartbeats of 3 s and three replicas, beside a bare
 * program in the same run (bare_cluster.h); and hsrtf-pr, which estimates every job every ten
 * seconds, on a hundredth of nodes and tasks. */
#define _DEFAULT_SOURCE
#include "bench.h"
#include "bare_cluster.h"

static double bench_reference(uint32_t scale)
{
    uint32_t nodes = MONTH_NODES / scale;
    size_t slots = (size_t)nodes * (MONTH_MAP_SLOTS + MONTH_REDUCE_SLOTS);
    cluster_bare it = {.free = {nodes * MONTH_MAP_SLOTS, nodes * MONTH_REDUCE_SLOTS},
                       .room = 1 << 20};
    it.heap = checked(malloc(slots * sizeof *it.heap));
    it.jobs = checked(malloc(it.room * sizeof *it.jobs));
    double start = now();
    cluster_bare_month(&it, scale);
    double seconds = now() - start;
    if (it.finished != it.count) {
        fprintf(stderr, "bench: the reference left jobs\n");
        exit(1);
    }
    printf("  %-14s %9s %11u %8.1f %12.0f %8s %9.0f\n", "bare reference", "", it.count, seconds,
           MONTH_TASKS / scale / seconds, "", (double)it.total / (double)it.finished / 1000);
    free(it.heap);
    free(it.jobs);
    return seconds;
}

/* Room grows as it does in the front end: what was too small is doubled, and the month begins
 * again. */
static void *run_month(const pn_scheduler_policy *policy, uint32_t scale, pn_cluster **sim,
                       double *seconds)
{
    pn_scheduler_nodes nodes = {MONTH_NODES / scale, MONTH_MAP_SLOTS, MONTH_REDUCE_SLOTS, 1000};
    pn_cluster_config config = month_config(&nodes, scale, policy);
    pn_cluster_hooks hooks = {.policy = policy};
    for (;;) {
        size_t size = pn_cluster_size(&config);
        void *block = block_alloc(size);
        must(pn_cluster_init(sim, block, size, &config));
        double start = now();
        int status = month_run(*sim, &hooks, scale);
        *seconds = now() - start;
        if (status != PN_ERR_FULL) {
            must(status);
            return block;
        }
        free(block);
        config.scheduler.jobs_max *= 2;
        config.scheduler.tasks_max *= 2;
    }
}

static void bench_month(const pn_scheduler_policy *policy, uint32_t scale, double reference)
{
    pn_cluster_totals totals;
    pn_cluster *sim;
    double seconds;
    void *block = run_month(policy, scale, &sim, &seconds);
    pn_cluster_totals_get(sim, &totals);
    const pn_scheduler_totals *of = &totals.scheduler;
    printf("  %-14s %8.2fx %11llu %8.1f %12.0f %8.0f %9.0f   %u jobs, %u tasks at most; %llu "
           "beats, %llu ticks\n",
           policy->name, seconds / reference, (unsigned long long)of->finished, seconds,
           (double)of->launches / seconds, (double)pn_cluster_block_size(sim) / (1 << 20),
           (double)of->total_makespan / (double)of->finished / 1000, totals.jobs_held_max,
           totals.tasks_held_max, (unsigned long long)totals.beats,
           (unsigned long long)totals.ticks);
    free(block);
}

static void table(uint32_t scale)
{
    printf("  %-14s %9s %11s %8s %12s %8s %9s\n", "", "of bare", "jobs", "s", "tasks / s", "MiB",
           "makespan");
    double reference = bench_reference(scale);
    bench_month(pn_scheduler_fifo(), scale, reference);
    bench_month(pn_scheduler_fair(), scale, reference);
    if (scale >= 100)
        bench_month(pn_scheduler_hsrtf_pr(), scale, reference);
}

int main(int argc, char **argv)
{
    bool small = argc > 1 && strcmp(argv[1], "small") == 0;
    printf("cluster: a month, %d tasks on %d nodes (makespan: mean, s)\n", MONTH_TASKS,
           MONTH_NODES);
    if (!small) {
        table(1);
        printf("\n… a hundredth of nodes and tasks\n");
        table(100);
    } else {
        table(2500);
    }
    return 0;
}
