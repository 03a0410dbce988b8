/* Speed of admission: how many jobs a second are told whether their deadlines can be promised,
 * beside a bare program that does what the paper's listings say - a vector of all slots with each
 * job, task by task - in the same run; and a run of the paper's workload II with 10,000 jobs. */
#define _DEFAULT_SOURCE
#include "bench.h"

enum { MAP = PN_SCHEDULER_MAP, REDUCE = PN_SCHEDULER_REDUCE };

/* As wide as the jobs of the paper's workloads; deadlines so far away that none is missed: every
 * question goes through all jobs behind. */
static pn_scheduler_job draw_job(pn_stream *stream)
{
    return (pn_scheduler_job){
        .maps = (uint32_t)pn_uniform(stream, 1, 200),
        .reduces = (uint32_t)pn_uniform(stream, 1, 50),
        .deadline = pn_uniform(stream, (uint64_t)1 << 40, (uint64_t)1 << 41),
        .est_ms = {pn_uniform(stream, 10000, 30000), pn_uniform(stream, 10000, 100000)}};
}

/* ---- the listings as they are ---- */

typedef struct bare_job {
    pn_scheduler_job job;
    uint64_t *vector[2]; /* heaps, the earliest first */
} bare_job;

typedef struct bare {
    bare_job *jobs; /* by deadline */
    uint32_t count, slots[2];
    uint64_t *vector[2];
} bare;

static uint64_t bare_stage(uint64_t *heap, uint32_t slots, uint32_t tasks, uint64_t from,
                           uint64_t ms)
{
    uint64_t end = 0;
    while (tasks-- > 0) {
        uint32_t at = 0, child;
        end = (heap[0] > from ? heap[0] : from) + ms;
        for (; (child = 2 * at + 1) < slots; at = child) {
            child += child + 1 < slots && heap[child + 1] < heap[child];
            if (end <= heap[child])
                break;
            heap[at] = heap[child];
        }
        heap[at] = end;
    }
    return end;
}

static bool bare_fits(bare *it, const pn_scheduler_job *job)
{
    uint64_t maps = bare_stage(it->vector[MAP], it->slots[MAP], job->maps, 0, job->est_ms[MAP]);
    return bare_stage(it->vector[REDUCE], it->slots[REDUCE], job->reduces, maps,
                      job->est_ms[REDUCE]) <= job->deadline;
}

static void bare_copy(bare *it, uint64_t *const from[2], uint64_t *const to[2])
{
    for (int kind = 0; kind < 2; kind++)
        memcpy(to[kind], from[kind], it->slots[kind] * sizeof(uint64_t));
}

static uint32_t bare_place(const bare *it, const pn_scheduler_job *job)
{
    uint32_t place = it->count;
    while (place > 0 && it->jobs[place - 1].job.deadline > job->deadline)
        place--;
    return place;
}

/* The vectors ahead of a place. */
static void bare_start(bare *it, uint32_t place)
{
    if (place > 0)
        bare_copy(it, it->jobs[place - 1].vector, it->vector);
    else
        for (int kind = 0; kind < 2; kind++)
            memset(it->vector[kind], 0, it->slots[kind] * sizeof(uint64_t));
}

static bool bare_ask(bare *it, const pn_scheduler_job *job)
{
    uint32_t place = bare_place(it, job);
    bare_start(it, place);
    bool fits = bare_fits(it, job);
    for (; fits && place < it->count; place++)
        fits = bare_fits(it, &it->jobs[place].job);
    return fits;
}

static void bare_add(bare *it, const pn_scheduler_job *job)
{
    uint32_t place = bare_place(it, job);
    memmove(&it->jobs[place + 1], &it->jobs[place], (it->count++ - place) * sizeof *it->jobs);
    it->jobs[place].job = *job;
    for (int kind = 0; kind < 2; kind++)
        it->jobs[place].vector[kind] = checked(malloc(it->slots[kind] * sizeof(uint64_t)));
}

static void bare_record(bare *it)
{
    bare_start(it, 0);
    for (uint32_t i = 0; i < it->count; i++) {
        bare_fits(it, &it->jobs[i].job);
        bare_copy(it, it->vector, it->jobs[i].vector);
    }
}

/* Seconds of a question. */
static double bench_bare(uint32_t waiting, const uint32_t slots[2], uint32_t questions)
{
    bare it = {.slots = {slots[0], slots[1]},
               .jobs = checked(malloc((waiting + 1) * sizeof(bare_job)))};
    pn_stream stream;
    uint32_t fit = 0;
    pn_stream_init(&stream, 7, 0, 0);
    for (int kind = 0; kind < 2; kind++)
        it.vector[kind] = checked(malloc(slots[kind] * sizeof(uint64_t)));
    for (uint32_t i = 0; i < waiting; i++) {
        pn_scheduler_job job = draw_job(&stream);
        bare_add(&it, &job);
    }
    bare_record(&it);
    double start = now();
    for (uint32_t i = 0; i < questions; i++) {
        pn_scheduler_job job = draw_job(&stream);
        fit += bare_ask(&it, &job);
    }
    double seconds = now() - start;
    for (uint32_t i = 0; i < it.count; i++)
        for (int kind = 0; kind < 2; kind++)
            free(it.jobs[i].vector[kind]);
    for (int kind = 0; kind < 2; kind++)
        free(it.vector[kind]);
    free(it.jobs);
    if (fit != questions) {
        fprintf(stderr, "bench: the bare program refused a job\n");
        exit(1);
    }
    return seconds / questions;
}

/* ---- ours ---- */

static double bench_ours(const pn_scheduler_policy *policy, uint32_t waiting,
                         const uint32_t slots[2], uint32_t questions, double *block_mib)
{
    pn_scheduler_nodes nodes[] = {{slots[REDUCE], slots[MAP] / slots[REDUCE], 1, 0}};
    pn_scheduler_config config = pn_scheduler_defaults();
    pn_scheduler_hooks hooks = {.policy = policy};
    pn_scheduler_answer answer;
    pn_scheduler *it;
    pn_stream stream;
    uint32_t accepted = 0;
    config.nodes = nodes;
    config.nodes_count = 1;
    config.nodes_down = 0;
    config.jobs_max = waiting + 1;
    config.tasks_max = 250 * config.jobs_max;
    config.policy = policy;
    size_t size = pn_scheduler_size(&config);
    void *block = block_alloc(size);
    must(pn_scheduler_init(&it, block, size, &config));
    pn_stream_init(&stream, 7, 0, 0);
    for (uint32_t i = 0; i < waiting; i++) {
        pn_scheduler_job job = draw_job(&stream);
        must(pn_scheduler_submit(it, &hooks, 0, &job, &answer));
        accepted += answer.accepted;
    }
    double start = now();
    for (uint32_t i = 0; i < questions; i++) {
        pn_scheduler_job job = draw_job(&stream);
        must(pn_scheduler_ask(it, &hooks, 0, &job, &answer));
        accepted += answer.accepted;
    }
    double seconds = now() - start;
    if (accepted != waiting + questions) {
        fprintf(stderr, "bench: %s refused a job\n", policy->name);
        exit(1);
    }
    *block_mib = (double)size / (1 << 20);
    free(block);
    return seconds / questions;
}

static void bench_admission(uint32_t waiting, uint32_t all_slots)
{
    const uint32_t slots[2] = {all_slots / 4 * 3, all_slots / 4};
    uint32_t questions = 200000 / waiting + 20;
    double mib[2], listings = bench_bare(waiting, slots, questions);
    double records = bench_ours(pn_scheduler_rtmr(), waiting, slots, questions, &mib[0]);
    double live = bench_ours(pn_scheduler_rtmr_live(), waiting, slots, questions, &mib[1]);
    printf("  %7u %7u %11.0f %11.0f %6.1fx %7.0f %11.0f %6.1fx %7.0f\n", waiting, all_slots,
           1 / listings, 1 / records, listings / records, mib[0], 1 / live, listings / live,
           mib[1]);
}

/* ---- the paper's workload II ---- */

static const struct {
    uint32_t jobs, maps[2], reduces[2];
    uint64_t deadline_s[2];
} BINS[] = {{9, {1, 10}, {1, 5}, {200, 300}},
            {24, {10, 50}, {5, 10}, {300, 500}},
            {25, {50, 100}, {15, 30}, {1000, 1500}},
            {18, {100, 200}, {25, 50}, {1500, 2500}},
            {13, {200, 300}, {35, 70}, {2500, 3500}}};
enum { BIN_COUNT = sizeof BINS / sizeof *BINS, WORKLOAD_JOBS = 89 };

/* With times and estimates as fitted to the paper's tables. */
static pn_cluster_job draw_workload_job(pn_stream *stream, uint64_t submit)
{
    uint64_t which = pn_uniform(stream, 0, WORKLOAD_JOBS - 1), bin = 0;
    while (which >= BINS[bin].jobs)
        which -= BINS[bin++].jobs;
    uint32_t maps = (uint32_t)pn_uniform(stream, BINS[bin].maps[0], BINS[bin].maps[1]);
    uint32_t reduces = (uint32_t)pn_uniform(stream, BINS[bin].reduces[0], BINS[bin].reduces[1]);
    uint64_t reduce_ms = 4600 + 7100 * (uint64_t)maps / reduces;
    return (pn_cluster_job){
        .submit = submit,
        .maps = maps,
        .reduces = reduces,
        .map_ms = 15500,
        .reduce_ms = reduce_ms,
        .deadline = 1000 * pn_uniform(stream, BINS[bin].deadline_s[0], BINS[bin].deadline_s[1]),
        .est_map_ms = 27127,
        .est_reduce_ms = reduce_ms * 10950 / 1000};
}

static double run_workload(const pn_scheduler_policy *policy, uint32_t count,
                           pn_cluster_totals *totals)
{
    pn_scheduler_nodes nodes[] = {{20, 4, 1, 1000}, {10, 2, 1, 1000}};
    pn_cluster_config config = pn_cluster_defaults();
    pn_cluster_hooks hooks = {.policy = policy};
    pn_cluster *sim;
    pn_stream stream;
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 2;
    config.scheduler.jobs_max = count;
    config.scheduler.tasks_max = 400 * count;
    config.scheduler.policy = policy;
    config.factor_lo = 500;
    size_t size = pn_cluster_size(&config);
    void *block = block_alloc(size);
    must(pn_cluster_init(&sim, block, size, &config));
    pn_stream_init(&stream, 11, 0, 0);
    double start = now();
    uint64_t submit = 0;
    for (uint32_t i = 0; i < count; i++) {
        pn_cluster_job job = draw_workload_job(&stream, submit);
        must(submit > 0 ? pn_cluster_run(sim, &hooks, submit - 1, UINT64_MAX) : PN_OK);
        must(pn_cluster_submit(sim, &job, NULL));
        submit += 1 + pn_uniform(&stream, 0, 28000);
    }
    must(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX));
    double seconds = now() - start;
    pn_cluster_totals_get(sim, totals);
    free(block);
    return seconds;
}

static void bench_workload(uint32_t count)
{
    const pn_scheduler_policy *const policies[] = {pn_scheduler_fifo(), pn_scheduler_rtmr(),
                                                   pn_scheduler_rtmr_live(), pn_scheduler_dc()};
    double fifo = 0;
    printf("\nadmission: workload II of the RTMR paper with %u jobs, one every 14 s\n", count);
    printf("  %-10s %8s %8s %12s %9s %10s\n", "", "of fifo", "s", "tasks / s", "accepted",
           "successful");
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        pn_cluster_totals totals;
        double seconds = run_workload(policies[i], count, &totals);
        fifo = i == 0 ? seconds : fifo;
        printf("  %-10s %7.2fx %8.2f %12.0f %9llu %10llu\n", policies[i]->name, seconds / fifo,
               seconds, (double)totals.scheduler.launches / seconds,
               (unsigned long long)totals.scheduler.accepted,
               (unsigned long long)totals.scheduler.successful);
    }
}

int main(int argc, char **argv)
{
    bool small = argc > 1 && strcmp(argv[1], "small") == 0;
    printf("admission: questions a second, by jobs that wait and slots, beside the paper's "
           "listings as they are (MiB: of the "
           "block)\n");
    printf("  %7s %7s %11s %11s %7s %7s %11s %7s %7s\n", "waiting", "slots", "listings", "rtmr", "",
           "MiB", "rtmr-live", "", "MiB");
    bench_admission(small ? 10 : 1000, small ? 100 : 10000);
    for (uint32_t waiting = 10; !small && waiting <= 100; waiting *= 10)
        bench_admission(waiting, 10000);
    for (uint32_t slots = 100; !small && slots <= 1000; slots *= 10)
        bench_admission(1000, slots);
    if (!small) {
        bench_admission(4000, 10000);
        bench_admission(1000, 40000);
    }
    bench_workload(small ? 100 : 10000);
    return 0;
}
