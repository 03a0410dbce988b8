/* What a recorded timeline costs: the same run plain; instant by instant, as a recorder needs it;
 * and recorded into 1000 buckets. Schedules are the same, which is checked. The best of several
 * rounds, in turn. */
#define _DEFAULT_SOURCE
#include "bench.h"
#include "cluster_month.h"

enum { BUCKETS = 1000, SERIES = 5, ROUNDS = 5 };

enum way { PLAIN, STEPPED, RECORDED, WAYS };

static const char *const way_names[WAYS] = {"plain", "stepped", "recorded"};

typedef struct outcome {
    double seconds;
    uint64_t digest, instants;
} outcome;

static pn_timeline *timeline_of(uint32_t clock)
{
    size_t size = pn_timeline_size(BUCKETS, SERIES);
    pn_timeline *timeline = NULL;
    must(pn_timeline_init(&timeline, block_alloc(size), size, BUCKETS, SERIES, clock));
    return timeline;
}

/* ---- slotted: Poisson arrivals, exponential sizes, load .9 ---- */

static int slotted_to(pn_slotted *sim, const pn_slotted_hooks *hooks, uint64_t until, enum way way,
                      pn_timeline *timeline)
{
    pn_slotted_levels levels[2];
    int status = PN_PAUSED;
    if (way == PLAIN)
        return pn_slotted_run(sim, hooks, until);
    while (status == PN_PAUSED) {
        status = pn_slotted_run_some(sim, hooks, until, 1);
        pn_slotted_levels_get(sim, &levels[0], &levels[1]);
        for (int i = 0; i < 2 && way == RECORDED && levels[0].slot > 0; i++) {
            const uint64_t values[SERIES] = {levels[i].jobs, levels[i].queue, levels[i].map,
                                             levels[i].reduce, levels[i].backlog};
            pn_timeline_record(timeline, levels[i].slot, values);
        }
    }
    return status;
}

static outcome run_slotted(const void *policy, uint64_t jobs, enum way way)
{
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_hooks hooks = {.policy = policy};
    pn_slotted_totals totals;
    pn_stream stream;
    pn_slotted *sim;
    double time = 1;
    config.machines = 100;
    config.jobs_max = 4096;
    config.stretches_max = 8192;
    config.reduce = PN_SLOTTED_NONPREEMPTIVE;
    config.policy = policy;
    size_t size = pn_slotted_size(&config);
    void *block = block_alloc(size);
    must(pn_slotted_init(&sim, block, size, &config));
    pn_timeline *timeline = timeline_of(PN_TIMELINE_INTEGER);
    pn_stream_init(&stream, 1, 0, 0);
    double start = now();
    for (uint64_t i = 0; i < jobs; i++) {
        time += pn_exponential(&stream, 0.55);
        uint64_t maps = 1 + (uint64_t)pn_exponential(&stream, 5);
        uint64_t tasks[4], each = 1 + (uint64_t)pn_exponential(&stream, 10);
        for (int k = 0; k < 4; k++)
            tasks[k] = each;
        pn_slotted_job job = {
            .arrival = (uint64_t)time, .maps = maps, .reduces = tasks, .reduce_count = 4};
        must(slotted_to(sim, &hooks, job.arrival - 1, way, timeline));
        must(pn_slotted_submit(sim, &job, NULL));
    }
    must(slotted_to(sim, &hooks, PN_SLOTTED_FOREVER, way, timeline));
    double seconds = now() - start;
    pn_slotted_totals_get(sim, &totals);
    outcome made = {seconds, pn_slotted_digest(sim), totals.slots_run};
    free(timeline);
    free(block);
    return made;
}

/* ---- tandem: log-normal sizes, load .8 ---- */

static int tandem_to(pn_tandem *sim, const pn_tandem_hooks *hooks, double until, enum way way,
                     pn_timeline *timeline)
{
    pn_tandem_levels levels;
    int status = PN_PAUSED;
    if (way == PLAIN)
        return pn_tandem_run(sim, hooks, until, UINT64_MAX);
    while (status == PN_PAUSED) {
        status = pn_tandem_run(sim, hooks, until, 1);
        pn_tandem_levels_get(sim, &levels);
        const double values[SERIES] = {levels.jobs, levels.queue, levels.map, levels.shuffle, 0.0};
        if (way == RECORDED)
            pn_timeline_record_real(timeline, levels.time, values);
    }
    return status;
}

static outcome run_tandem(const void *policy, uint64_t jobs, enum way way)
{
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem_hooks hooks = {.policy = policy};
    pn_tandem_totals totals;
    pn_stream stream;
    pn_tandem *sim;
    config.jobs_max = 1 << 16;
    config.gaps = 1;
    config.policy = policy;
    size_t size = pn_tandem_size(&config);
    void *block = block_alloc(size);
    must(pn_tandem_init(&sim, block, size, &config));
    pn_timeline *timeline = timeline_of(PN_TIMELINE_REAL);
    pn_stream_init(&stream, 1, 0, 0);
    double start = now();
    for (uint64_t i = 1; i <= jobs; i++) {
        pn_tandem_job job = {.arrival = pn_exponential(&stream, 1.25)};
        job.map = pn_lognormal(&stream, 1, 2);
        job.shuffle = job.map * pn_lognormal(&stream, 1, 2);
        must(pn_tandem_submit(sim, &job, NULL));
        if (i % 512 == 0)
            must(tandem_to(sim, &hooks, PN_TANDEM_ARRIVAL, way, timeline));
    }
    must(tandem_to(sim, &hooks, PN_TANDEM_FOREVER, way, timeline));
    double seconds = now() - start;
    pn_tandem_totals_get(sim, &totals);
    outcome made = {seconds, pn_tandem_digest(sim), totals.instants};
    free(timeline);
    free(block);
    return made;
}

/* ---- cluster: the month of its benchmark, cut down ---- */

static int cluster_to(pn_cluster *sim, const pn_cluster_hooks *hooks, uint64_t until, enum way way,
                      pn_timeline *timeline)
{
    pn_scheduler_levels levels;
    int status = PN_PAUSED;
    if (way == PLAIN)
        return pn_cluster_run(sim, hooks, until, UINT64_MAX);
    while (status == PN_PAUSED) {
        status = pn_cluster_run(sim, hooks, until, 1);
        pn_cluster_levels_get(sim, &levels);
        const uint64_t values[SERIES] = {levels.jobs, levels.queue, levels.map, levels.reduce, 0};
        if (way == RECORDED)
            pn_timeline_record(timeline, levels.time, values);
    }
    return status;
}

static outcome run_cluster(const void *policy, uint64_t scale, enum way way)
{
    pn_scheduler_nodes nodes = {MONTH_NODES / (uint32_t)scale, MONTH_MAP_SLOTS, MONTH_REDUCE_SLOTS,
                                1000};
    pn_cluster_config config = month_config(&nodes, (uint32_t)scale, policy);
    pn_cluster_hooks hooks = {.policy = policy};
    pn_cluster_totals totals;
    pn_cluster_job job;
    pn_cluster *sim;
    config.scheduler.jobs_max *= 4;
    config.scheduler.tasks_max *= 4;
    size_t size = pn_cluster_size(&config);
    void *block = block_alloc(size);
    must(pn_cluster_init(&sim, block, size, &config));
    pn_timeline *timeline = timeline_of(PN_TIMELINE_INTEGER);
    month it = month_begin((uint32_t)scale);
    double start = now();
    while (month_next(&it, &job)) {
        if (job.submit > 0)
            must(cluster_to(sim, &hooks, job.submit - 1, way, timeline));
        must(pn_cluster_submit(sim, &job, NULL));
    }
    must(cluster_to(sim, &hooks, PN_CLUSTER_FOREVER, way, timeline));
    double seconds = now() - start;
    pn_cluster_totals_get(sim, &totals);
    outcome made = {seconds, pn_cluster_digest(sim), totals.instants};
    free(timeline);
    free(block);
    return made;
}

/* ---- all of them ---- */

static void row(const char *name, outcome (*run)(const void *policy, uint64_t size, enum way way),
                const void *policy, uint64_t size, int rounds)
{
    outcome least[WAYS] = {{0, 0, 0}};
    for (int round = 0; round < rounds; round++)
        for (int way = 0; way < WAYS; way++) {
            outcome made = run(policy, size, (enum way)way);
            if (made.digest != least[PLAIN].digest && (round > 0 || way > PLAIN)) {
                fprintf(stderr, "bench: %s is another schedule when %s\n", name, way_names[way]);
                exit(1);
            }
            made.seconds = best(least[way].seconds, made.seconds);
            least[way] = made;
        }
    printf("  %-18s %10llu", name, (unsigned long long)least[PLAIN].instants);
    for (int way = 0; way < WAYS; way++)
        printf(" %10.1f", 1e9 * least[way].seconds / (double)least[PLAIN].instants);
    printf(" %9.2fx\n", least[RECORDED].seconds / least[PLAIN].seconds);
}

int main(int argc, char **argv)
{
    bool small = argc > 1 && strcmp(argv[1], "small") == 0;
    uint64_t jobs = small ? 2000 : 400000, scale = small ? 2500 : 250;
    int rounds = small ? 1 : ROUNDS;
    printf("timeline: ns an instant without and with a timeline of %d buckets (best of %d)\n",
           BUCKETS, rounds);
    printf("  %-18s %10s %10s %10s %10s %10s\n", "", "instants", way_names[PLAIN],
           way_names[STEPPED], way_names[RECORDED], "");
    row("slotted fifo", run_slotted, pn_slotted_fifo(), jobs, rounds);
    row("slotted asrpt", run_slotted, pn_slotted_asrpt(), jobs, rounds);
    row("tandem fcfs", run_tandem, pn_tandem_fcfs(), jobs, rounds);
    row("tandem ps", run_tandem, pn_tandem_ps(), jobs, rounds);
    row("cluster fair", run_cluster, pn_scheduler_fair(), scale, rounds);
    return 0;
}
