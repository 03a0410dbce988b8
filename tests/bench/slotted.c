/* Speed and memory of the slotted model, beside reference programs in the same run. Times are the
 * best of several rounds, in nanoseconds; what a machine's noise cannot change (heap levels per
 * decision, bytes per job) stands beside them. */
#define _DEFAULT_SOURCE
#include "bench.h"
#include "bare_slotted.h"

/* How much to run: the whole benchmark, or next to nothing, so that the tests can see it still
 * works. */
typedef struct extent {
    int seeds, rounds;
    uint32_t backlog_max;
    uint64_t backlog_slots;
    size_t large_jobs;
    uint64_t long_slots;
} extent;

/* ---- workloads in memory ---- */

typedef struct workload {
    pn_slotted_job *jobs;
    uint64_t (*reduces)[10];
    size_t count;
} workload;

static uint64_t rounded_up(double x)
{
    uint64_t floor = (uint64_t)x;
    return floor + (x > (double)floor);
}

/* The paper's workload (SL29): Poisson arrivals, exponential sizes, reduces in min(10, R)
 * near-equal tasks. */
static workload paper(uint32_t replica, double rate, double maps, double reduces, uint64_t slots,
                      size_t jobs_max)
{
    pn_stream stream;
    workload w = {checked(malloc(jobs_max * sizeof *w.jobs)),
                  checked(malloc(jobs_max * sizeof *w.reduces)), 0};
    pn_stream_init(&stream, 1, replica, 0);
    for (uint64_t slot = 1; slot <= slots; slot++) {
        uint64_t arrivals = pn_poisson(&stream, rate);
        for (; arrivals > 0 && w.count < jobs_max; arrivals--) {
            uint64_t m = rounded_up(pn_exponential(&stream, maps));
            uint64_t r = rounded_up(pn_exponential(&stream, reduces));
            size_t tasks = r < 10 ? (size_t)r : 10;
            for (size_t k = 0; k < tasks; k++)
                w.reduces[w.count][k] = r / tasks + (k < r % tasks);
            w.jobs[w.count] = (pn_slotted_job){
                .arrival = slot, .maps = m, .reduces = w.reduces[w.count], .reduce_count = tasks};
            w.count++;
        }
    }
    return w;
}

static void workload_free(workload *w)
{
    free(w->jobs);
    free(w->reduces);
}

/* ---- running the kernel ---- */

typedef struct bench_run {
    pn_slotted *sim;
    size_t size;
    pn_slotted_hooks hooks;
} bench_run;

static bench_run run_start(const pn_slotted_policy *policy, const pn_slotted_config *given)
{
    pn_slotted_config config = *given;
    config.policy = policy;
    bench_run run = {.size = pn_slotted_size(&config), .hooks = {.policy = policy}};
    if (pn_slotted_init(&run.sim, block_alloc(run.size), run.size, &config) != PN_OK)
        exit(1);
    return run;
}

/* Hands all jobs over at once, as the references get them, and runs; returns seconds. */
static double run_whole(bench_run *run, const workload *w)
{
    double start = now();
    for (size_t i = 0; i < w->count; i++)
        must(pn_slotted_submit(run->sim, &w->jobs[i], NULL));
    must(pn_slotted_run(run->sim, &run->hooks, PN_SLOTTED_FOREVER));
    return now() - start;
}

/* Streams a workload through; returns seconds. */
static double run_all(bench_run *run, const workload *w)
{
    double start = now();
    for (size_t i = 0; i < w->count; i++) {
        must(pn_slotted_run(run->sim, &run->hooks, w->jobs[i].arrival - 1));
        for (size_t first = i; i < w->count && w->jobs[i].arrival == w->jobs[first].arrival; i++)
            must(pn_slotted_submit(run->sim, &w->jobs[i], NULL));
        i--;
    }
    must(pn_slotted_run(run->sim, &run->hooks, PN_SLOTTED_FOREVER));
    return now() - start;
}

static pn_slotted_config config_of(uint32_t machines, uint32_t jobs_max, uint32_t reduce,
                                   int watched)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = machines;
    config.jobs_max = jobs_max;
    config.stretches_max = 2 * jobs_max;
    config.reduce = reduce;
    config.statistics = watched != 0;
    config.bounds = watched ? PN_SLOTTED_BOUNDS_FAST : PN_SLOTTED_BOUNDS_NONE;
    return config;
}

/* ---- 1. the paper's setting ---- */

enum { SEEDS_MAX = 40 };

typedef struct setting_result {
    double kernel, qsorted, inserted; /* ns per slot */
} setting_result;

static void setting_round(const workload *works, int seeds, uint32_t reduce, setting_result *result)
{
    double kernel = 0;
    double reference[2] = {0, 0};
    uint64_t slots = 0;
    for (int s = 0; s < seeds; s++) {
        pn_slotted_config config = config_of(100, 2048, reduce, 1);
        bench_run run = run_start(pn_slotted_asrpt(), &config);
        kernel += run_whole(&run, &works[s]);
        pn_slotted_totals totals;
        pn_slotted_totals_get(run.sim, &totals);
        slots += totals.last_finish;
        for (int sorting = 0; sorting < 2; sorting++) {
            double start = now();
            slotted_bare_result ours = slotted_bare_run(
                works[s].jobs, works[s].count, 100, reduce == PN_SLOTTED_PREEMPTIVE, sorting == 1);
            reference[sorting] += now() - start;
            uint64_t flow = ours.total;
            if (flow != totals.total_flow_time) {
                fprintf(stderr, "bench: the reference disagrees: %llu, not %llu\n",
                        (unsigned long long)flow, (unsigned long long)totals.total_flow_time);
                exit(1);
            }
        }
        free(run.sim);
    }
    result->kernel = best(result->kernel, 1e9 * kernel / (double)slots);
    result->qsorted = best(result->qsorted, 1e9 * reference[0] / (double)slots);
    result->inserted = best(result->inserted, 1e9 * reference[1] / (double)slots);
}

static void bench_setting(const extent *scale)
{
    static const double sizes[4][2] = {{5, 40}, {30, 15}};
    printf("1. The paper's setting: N = 100, lambda = 2, T = 500, native asrpt with statistics and "
           "the fast bound, best of %d "
           "rounds of %d seeds\n",
           scale->rounds, scale->seeds);
    printf("   %-22s %-14s %10s %14s %14s %12s %12s\n", "sizes", "reduces", "ns/slot", "qsort ref",
           "insertion ref", "x qsort", "x insertion");
    for (int set = 0; set < 2; set++) {
        workload works[SEEDS_MAX];
        for (int s = 0; s < scale->seeds; s++)
            works[s] = paper((uint32_t)s, 2, sizes[set][0], sizes[set][1], 500, 2048);
        for (uint32_t reduce = 0; reduce < 2; reduce++) {
            setting_result result = {0, 0, 0};
            for (int round = 0; round < scale->rounds; round++)
                setting_round(works, scale->seeds, reduce, &result);
            printf("   exp(%2.0f) / exp(%2.0f)      %-14s %10.0f %14.0f %14.0f %12.2f %12.2f\n",
                   sizes[set][0], sizes[set][1],
                   reduce == PN_SLOTTED_PREEMPTIVE ? "preemptive" : "nonpreemptive", result.kernel,
                   result.qsorted, result.inserted, result.kernel / result.qsorted,
                   result.kernel / result.inserted);
        }
        for (int s = 0; s < scale->seeds; s++)
            workload_free(&works[s]);
    }
    printf("   (the references keep arrays of active jobs and sort them every slot: with the C "
           "library's qsort, or by insertion; "
           "total\n"
           "   and quantiles from a sorted copy at the end; no log, no digest, no bound)\n\n");
}

/* ---- 2. a backlog of waiting jobs ---- */

typedef struct backlog_result {
    double slot_ns, decisions, moves, log2;
} backlog_result;

/* Keeps `backlog` jobs waiting: whenever a job has finished, another arrives. Sizes lie close
 * together (maps and reduces 35..45 each), so that a slot makes as many decisions beside a large
 * backlog as beside a small one: with exponential sizes the shortest of 10^6 jobs have one unit
 * each, and a slot of dspt would serve fifty of them. */
static backlog_result backlog_run(const pn_slotted_policy *policy, uint32_t backlog, uint64_t slots)
{
    pn_stream stream;
    pn_slotted_config config = config_of(100, 2 * backlog + 4096, PN_SLOTTED_PREEMPTIVE, 0);
    bench_run run = run_start(policy, &config);
    uint64_t slot = 0;
    uint64_t reduces;
    pn_slotted_totals before, after;
    pn_stream_init(&stream, 7, backlog, 0);
    pn_slotted_totals_get(run.sim, &after);
    double spent = 0;
    for (int phase = 0; phase < 2; phase++) { /* fill and warm up, then measure */
        uint64_t end = slot + (phase == 0 ? 200 : slots);
        before = after;
        double start = now();
        while (slot < end) {
            while (after.submitted - after.finished < backlog) {
                uint64_t maps = pn_uniform(&stream, 35, 45);
                reduces = pn_uniform(&stream, 35, 45);
                pn_slotted_job job = {
                    .arrival = slot + 1, .maps = maps, .reduces = &reduces, .reduce_count = 1};
                must(pn_slotted_submit(run.sim, &job, NULL));
                after.submitted++;
            }
            must(pn_slotted_run(run.sim, &run.hooks, ++slot));
            pn_slotted_totals_get(run.sim, &after);
        }
        spent = now() - start;
    }
    double decisions = (double)(after.decisions - before.decisions);
    double log2 = 0;
    for (uint32_t n = backlog; n > 1; n /= 2)
        log2++;
    free(run.sim);
    return (backlog_result){1e9 * spent / (double)slots, decisions / (double)slots,
                            (double)(after.heap_moves - before.heap_moves) / decisions, log2};
}

static void bench_backlog(const extent *scale)
{
    const pn_slotted_policy *policy;
    printf("2. Cost of a slot beside a backlog of waiting jobs (N = 100, preemptive; submitting "
           "and drawing the next jobs "
           "included): ns/slot and,\n"
           "   in brackets, decisions per slot and heap levels moved per decision as a share of 2 "
           "log2 n\n");
    printf("   %-8s", "policy");
    for (uint32_t n = 100; n <= scale->backlog_max; n *= 10)
        printf(" %19u", n);
    printf(" %12s\n", "last/first");
    for (size_t p = 0; (policy = pn_slotted_policy_at(p)); p++) {
        double first = 0;
        double last = 0;
        printf("   %-8s", policy->name);
        for (uint32_t n = 100; n <= scale->backlog_max; n *= 10) {
            backlog_result result = {0, 0, 0, 0};
            for (int round = 0; round < 3; round++) {
                backlog_result again = backlog_run(policy, n, scale->backlog_slots);
                if (round == 0 || again.slot_ns < result.slot_ns)
                    result = again;
            }
            printf(" %7.0f (%4.1f, %.2f)", result.slot_ns, result.decisions,
                   result.moves / (2 * result.log2));
            fflush(stdout);
            first = n == 100 ? result.slot_ns : first;
            last = result.slot_ns;
        }
        printf(" %12.1f\n", last / first);
    }
    printf("\n");
}

/* ---- 3. a large cluster ---- */

static void bench_large(const extent *scale)
{
    printf("3. N = 10,000 machines, %zu jobs of exp(5) maps and exp(40) reduces at load .92, run "
           "to the end (seconds; best of 2)\n",
           scale->large_jobs);
    workload w = paper(0, 200, 5, 40, 6000, scale->large_jobs);
    for (uint32_t reduce = 0; reduce < 2; reduce++) {
        printf("   %-14s", reduce == PN_SLOTTED_PREEMPTIVE ? "preemptive" : "nonpreemptive");
        for (size_t i = 0; pn_slotted_policy_at(i); i++) {
            const pn_slotted_policy *policy = pn_slotted_policy_at(i);
            if (!(reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive))
                continue;
            double seconds = 0;
            for (int round = 0; round < 2; round++) {
                pn_slotted_config config = config_of(10000, 200000, reduce, 1);
                bench_run run = run_start(policy, &config);
                seconds = best(seconds, run_all(&run, &w));
                free(run.sim);
            }
            printf(" %s %.1f", policy->name, seconds);
            fflush(stdout);
        }
        printf("\n");
    }
    workload_free(&w);
    printf("\n");
}

/* ---- 4. memory ---- */

static void bench_memory(void)
{
    printf("4. Memory (N = 100; bytes per job in the system from blocks for 10^4 and 2 * 10^4 "
           "jobs; block for 256 jobs)\n");
    for (uint32_t reduce = 0; reduce < 2; reduce++)
        for (size_t i = 0; i == 0 || pn_slotted_policy_at(i - 1); i++) {
            const pn_slotted_policy *policy = i == 0 ? NULL : pn_slotted_policy_at(i - 1);
            if (policy &&
                !(reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive))
                continue;
            pn_slotted_config config = config_of(100, 10000, reduce, 0);
            config.stretches_max = 0;
            config.policy = policy;
            size_t small = pn_slotted_size(&config);
            config.jobs_max = 20000;
            double per_job = (double)(pn_slotted_size(&config) - small) / 10000;
            config.jobs_max = 256;
            printf("   %-14s %-12s %6.0f bytes/job %8zu bytes\n",
                   reduce == PN_SLOTTED_PREEMPTIVE ? "preemptive" : "nonpreemptive",
                   policy ? policy->name : "any built-in", per_job, pn_slotted_size(&config));
        }
    printf("\n");
}

/* ---- 5. a long run ---- */

static void bench_long(uint64_t slots)
{
    pn_stream stream;
    pn_slotted_config config = config_of(100, 4096, PN_SLOTTED_PREEMPTIVE, 1);
    bench_run run = run_start(pn_slotted_asrpt(), &config);
    double start = now();
    pn_stream_init(&stream, 3, 0, 0);
    for (uint64_t slot = 1; slot <= slots; slot++) {
        uint64_t arrivals = pn_poisson(&stream, 1.9);
        for (; arrivals > 0; arrivals--) {
            uint64_t maps = rounded_up(pn_exponential(&stream, 5));
            uint64_t reduces = rounded_up(pn_exponential(&stream, 40));
            pn_slotted_job job = {
                .arrival = slot, .maps = maps, .reduces = &reduces, .reduce_count = 1};
            must(pn_slotted_submit(run.sim, &job, NULL));
        }
        must(pn_slotted_run(run.sim, &run.hooks, slot));
    }
    must(pn_slotted_run(run.sim, &run.hooks, PN_SLOTTED_FOREVER));
    double seconds = now() - start;
    pn_slotted_totals totals;
    pn_slotted_totals_get(run.sim, &totals);
    printf("5. A long run: %.0e slots of asrpt at load .87 with statistics and bound: %.0f s, %llu "
           "jobs, %u in the system at "
           "most, %zu bytes of block from\n"
           "   first to last slot, efficiency ratio %.4f, digest %016llx\n",
           (double)slots, seconds, (unsigned long long)totals.finished, totals.jobs_held_max,
           run.size, (double)totals.total_flow_time / (double)totals.lower_bound,
           (unsigned long long)pn_slotted_digest(run.sim));
    free(run.sim);
}

/* bench_slotted [SECTIONS | small]: sections are digits of 1 to 5 */
int main(int argc, char **argv)
{
    static const extent whole = {SEEDS_MAX, 7, 1000000, 100000, 1000000, 100000000};
    static const extent small = {2, 1, 1000, 200, 2000, 2000};
    bool tiny = argc > 1 && strcmp(argv[1], "small") == 0;
    const extent *scale = tiny ? &small : &whole;
    const char *sections = argc > 1 && !tiny ? argv[1] : "12345";
    if (strchr(sections, '1'))
        bench_setting(scale);
    if (strchr(sections, '2'))
        bench_backlog(scale);
    if (strchr(sections, '3'))
        bench_large(scale);
    if (strchr(sections, '4'))
        bench_memory();
    if (strchr(sections, '5'))
        bench_long(scale->long_slots);
    return 0;
}
