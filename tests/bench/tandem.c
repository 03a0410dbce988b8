/* Speed and memory of the tandem model, beside bare loops in the same run (bare_tandem.h).
 * Times are the best of several rounds, in nanoseconds; what a machine's noise cannot change
 * (instants and heap levels per job, bytes) stands beside them. */
#define _DEFAULT_SOURCE
#include "bench.h"
#include "bare_tandem.h"

/* How much to run: the whole benchmark, or next to nothing, so that the tests can see it still
 * works. */
typedef struct extent {
    size_t jobs;
    int rounds;
    uint32_t backlog_max;
    uint64_t backlog_instants;
    uint64_t long_jobs;
} extent;

enum {
    JOBS_MAX = 16384,         /* in the system: the tails are heavy */
    QUEUE_JOBS_MAX = 1 << 17, /* of fcfs, whose queue is far longer */
    LONG_JOBS_MAX = 4096,     /* of maxsrpt at load .75, with the chunk handed over */
    CHUNK = 512               /* jobs handed over at a time */
};

/* ---- the workload of section 5.3 (TA22): map log-normal of mean 1, sd 3.65, shuffle = map *
 * log-normal of mean 1, sd 3.28 ---- */

typedef struct generator {
    pn_stream stream;
    double gap;                                    /* mean time between arrivals */
    double map_sd, map_mean, ratio_sd, ratio_mean; /* of the logarithms */
} generator;

static generator generator_of(double load, uint32_t replica)
{
    double map = pn_log(1 + 3.65 * 3.65);
    double ratio = pn_log(1 + 3.28 * 3.28);
    generator g = {.gap = 1 / load, pn_sqrt(map), -map / 2, pn_sqrt(ratio), -ratio / 2};
    pn_stream_init(&g.stream, 1, replica, 0);
    return g;
}

/* The arrival is the gap to the one before. */
static void draw(generator *g, tandem_bare_job *job)
{
    job->arrival = pn_exponential(&g->stream, g->gap);
    job->map = pn_exp(pn_normal(&g->stream, g->map_mean, g->map_sd));
    job->shuffle = job->map * pn_exp(pn_normal(&g->stream, g->ratio_mean, g->ratio_sd));
}

/* In memory, as the references and as the kernel read it; absolute arrivals. */
typedef struct workload {
    tandem_bare_job *bare;
    pn_tandem_job *jobs;
    size_t count;
    double drawing; /* ns a job */
} workload;

static workload workload_of(double load, size_t count)
{
    workload w = {checked(malloc(count * sizeof *w.bare)), checked(calloc(count, sizeof *w.jobs)),
                  count, 0};
    memset(w.bare, 0, count * sizeof *w.bare); /* the memory is there before the clock starts */
    generator g = generator_of(load, 0);
    double time = 0;
    double start = now();
    for (size_t i = 0; i < count; i++) {
        draw(&g, &w.bare[i]);
        time = w.bare[i].arrival += time;
    }
    w.drawing = 1e9 * (now() - start) / (double)count;
    for (size_t i = 0; i < count; i++)
        w.jobs[i] = (pn_tandem_job){
            .arrival = w.bare[i].arrival, .map = w.bare[i].map, .shuffle = w.bare[i].shuffle};
    return w;
}

static void workload_free(workload *w)
{
    free(w->bare);
    free(w->jobs);
}

/* ---- running the kernel ---- */

typedef struct bench_run {
    pn_tandem *sim;
    size_t size;
    pn_tandem_hooks hooks;
} bench_run;

static bench_run run_start(const pn_tandem_policy *policy, const pn_tandem_config *given)
{
    pn_tandem_config config = *given;
    config.policy = policy;
    bench_run run = {.size = pn_tandem_size(&config), .hooks = {.policy = policy}};
    must(pn_tandem_init(&run.sim, block_alloc(run.size), run.size, &config));
    return run;
}

static pn_tandem_config bare_config(void)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = JOBS_MAX;
    config.no_digest = 1;
    return config;
}

static pn_tandem_config full_config(uint32_t bounds)
{
    pn_tandem_config config = bare_config();
    config.no_digest = 0;
    config.statistics = 1;
    config.bounds = bounds;
    return config;
}

/* Per job. */
typedef struct outcome {
    double ns, instants, moves;
    double total; /* response time of all jobs */
} outcome;

static void feed(bench_run *run, const workload *w)
{
    for (size_t i = 0; i < w->count;) {
        for (size_t end = i + CHUNK; i < end && i < w->count; i++)
            must(pn_tandem_submit(run->sim, &w->jobs[i], NULL));
        must(pn_tandem_run(run->sim, &run->hooks, PN_TANDEM_ARRIVAL, UINT64_MAX));
    }
    must(pn_tandem_run(run->sim, &run->hooks, PN_TANDEM_FOREVER, UINT64_MAX));
}

static void keep_best(double *best, double ns)
{
    if (*best == 0 || ns < *best)
        *best = ns;
}

static void engine_round(const pn_tandem_policy *policy, const pn_tandem_config *config,
                         const workload *w, outcome *result)
{
    bench_run run = run_start(policy, config);
    double start = now();
    feed(&run, w);
    double jobs = (double)w->count;
    keep_best(&result->ns, 1e9 * (now() - start) / jobs);
    pn_tandem_totals totals;
    pn_tandem_totals_get(run.sim, &totals);
    result->instants = (double)totals.instants / jobs;
    result->moves = (double)totals.heap_moves / jobs;
    result->total = totals.total_response_time;
    free(run.sim);
}

/* The references look for events in another order and time than TA21's: enough for the last
 * digits. */
static void must_agree(const outcome *result, double reference)
{
    if (!(fabs(result->total - reference) <= 1e-9 * reference)) {
        fprintf(stderr, "bench: the reference disagrees: total response time %.17g, not %.17g\n",
                reference, result->total);
        exit(1);
    }
}

/* ---- 1. the workload itself ---- */

static void bench_generation(const extent *scale)
{
    double ours = 0;
    double theirs = 0;
    tandem_bare_job *jobs = checked(calloc(scale->jobs, sizeof *jobs));
    for (int round = 0; round < scale->rounds; round++) {
        workload w = workload_of(0.75, scale->jobs);
        keep_best(&ours, w.drawing);
        workload_free(&w);
        tandem_bare_stream stream;
        tandem_bare_seed(&stream, 1);
        double start = now();
        tandem_bare_draw(&stream, jobs, scale->jobs, 0.75);
        keep_best(&theirs, 1e9 * (now() - start) / (double)scale->jobs);
    }
    free(jobs);
    printf("1. Drawing the workload of section 5.3 (Poisson arrivals, two log-normals): %.0f ns a "
           "job by the kernel's Philox and "
           "inverse CDFs, %.0f by\n   xoshiro256++ and the C library (x %.2f); not part of the "
           "times below, but for section 7\n\n",
           ours, theirs, ours / theirs);
}

/* ---- 2. MaxSRPT ---- */

enum { VARIANTS = 4 };

static void bench_maxsrpt(const extent *scale)
{
    static const double loads[] = {0.1, 0.5, 0.75, 0.9};
    static const char *const titles[VARIANTS] = {"bare engine", "+statistics, digest",
                                                 "+fast bound", "+tight bound"};
    pn_tandem_config configs[VARIANTS] = {bare_config(), full_config(PN_TANDEM_BOUNDS_NONE),
                                          full_config(PN_TANDEM_BOUNDS_FAST),
                                          full_config(PN_TANDEM_BOUNDS_TIGHT)};
    printf("2. MaxSRPT, %zu jobs in memory, ns a job, best of %d rounds; in brackets times the "
           "bare loop of three heaps\n",
           scale->jobs, scale->rounds);
    printf("   load  bare loop");
    for (int v = 0; v < VARIANTS; v++)
        printf(" %20s", titles[v]);
    printf("  instants/job  moves/job\n");
    for (size_t l = 0; l < sizeof loads / sizeof loads[0]; l++) {
        workload w = workload_of(loads[l], scale->jobs);
        outcome engine[VARIANTS] = {{0, 0, 0, 0}};
        double reference = 0;
        for (int round = 0; round < scale->rounds; round++) {
            double start = now();
            double total = tandem_bare_maxsrpt(w.bare, w.count);
            keep_best(&reference, 1e9 * (now() - start) / (double)w.count);
            for (int v = 0; v < VARIANTS; v++) {
                engine_round(pn_tandem_maxsrpt(), &configs[v], &w, &engine[v]);
                must_agree(&engine[v], total);
            }
        }
        printf("   %.2f %10.1f", loads[l], reference);
        for (int v = 0; v < VARIANTS; v++)
            printf(" %11.1f (x%5.2f)", engine[v].ns, engine[v].ns / reference);
        printf(" %13.2f %10.2f\n", engine[0].instants, engine[0].moves);
        workload_free(&w);
    }
    printf("\n");
}

/* ---- 3. FCFS, and SRPT at a single station ---- */

static void bench_queues(const extent *scale)
{
    enum { FCFS, SRPT, QUEUES, QUEUE_VARIANTS = 3 };
    const pn_tandem_policy *const policies[QUEUES] = {pn_tandem_fcfs(), pn_tandem_srptmap()};
    static const char *const titles[QUEUES] = {"fcfs", "srptmap, shuffle sizes 0"};
    pn_tandem_config configs[QUEUE_VARIANTS] = {bare_config(), full_config(PN_TANDEM_BOUNDS_NONE),
                                                full_config(PN_TANDEM_BOUNDS_NONE)};
    configs[1].no_digest = 1;
    printf("3. Load .75, ns a job; the bare loops are the closed form of FCFS and SRPT with one "
           "heap\n");
    printf("   %-26s %10s %12s %12s %12s %13s %10s\n", "", "bare loop", "bare engine",
           "+statistics", "+digest", "instants/job", "moves/job");
    workload w = workload_of(0.75, scale->jobs);
    for (int q = 0; q < QUEUES; q++) {
        outcome engine[QUEUE_VARIANTS] = {{0, 0, 0, 0}};
        double reference = 0;
        for (size_t i = 0; q == SRPT && i < w.count; i++)
            w.jobs[i].shuffle = 0; /* one station left */
        for (int round = 0; round < scale->rounds; round++) {
            double start = now();
            double total = q == FCFS ? tandem_bare_fcfs(w.bare, w.count)
                                     : tandem_bare_srpt(w.bare, w.count);
            keep_best(&reference, 1e9 * (now() - start) / (double)w.count);
            for (int v = 0; v < QUEUE_VARIANTS; v++) {
                configs[v].jobs_max = q == FCFS ? QUEUE_JOBS_MAX : JOBS_MAX;
                engine_round(policies[q], &configs[v], &w, &engine[v]);
                must_agree(&engine[v], total);
            }
        }
        printf("   %-26s %10.1f %12.1f %12.1f %12.1f %13.2f %10.2f\n", titles[q], reference,
               engine[0].ns, engine[1].ns, engine[2].ns, engine[0].instants, engine[0].moves);
    }
    workload_free(&w);
    printf("\n");
}

/* ---- 4. processor sharing ---- */

static void bench_sharing(const extent *scale)
{
    static const double loads[] = {0.75, 0.9};
    const pn_tandem_policy *const policies[] = {pn_tandem_ps(), pn_tandem_klps()};
    pn_tandem_config plain = bare_config();
    pn_tandem_config watched = full_config(PN_TANDEM_BOUNDS_NONE);
    printf("4. Processor sharing, ns a job; the bare loop sets all rates anew at every event, "
           "O(jobs present); in brackets how many "
           "times as fast\n");
    printf("   load  %-6s %10s %20s %20s %13s %10s\n", "policy", "bare loop", "bare engine",
           "+statistics, digest", "instants/job", "moves/job");
    for (size_t l = 0; l < sizeof loads / sizeof loads[0]; l++) {
        workload w = workload_of(loads[l], scale->jobs);
        for (size_t p = 0; p < 2; p++) {
            outcome engine[2] = {{0, 0, 0, 0}};
            double reference = 0;
            for (int round = 0; round < (scale->rounds + 1) / 2; round++) {
                double start = now();
                double total = tandem_bare_sharing(
                    w.bare, w.count, p == 0 ? SIZE_MAX : (size_t)policies[p]->params[0].value);
                keep_best(&reference, 1e9 * (now() - start) / (double)w.count);
                engine_round(policies[p], &plain, &w, &engine[0]);
                engine_round(policies[p], &watched, &w, &engine[1]);
                must_agree(&engine[0], total);
                must_agree(&engine[1], total);
            }
            printf("   %.2f  %-6s %10.1f %11.1f (x%5.2f) %11.1f (x%5.2f) %13.2f %10.2f\n", loads[l],
                   policies[p]->name, reference, engine[0].ns, reference / engine[0].ns,
                   engine[1].ns, reference / engine[1].ns, engine[0].instants, engine[0].moves);
        }
        workload_free(&w);
    }
    printf("\n");
}

/* ---- 5. the other policies ---- */

static void bench_others(const extent *scale)
{
    static const double loads[] = {0.75, 0.9};
    const pn_tandem_policy *const policies[] = {pn_tandem_splitsrpt(), pn_tandem_bsrpt(),
                                                pn_tandem_xmax(),      pn_tandem_srptshuffle(),
                                                pn_tandem_srptsum(),   pn_tandem_srptmap()};
    pn_tandem_config plain = bare_config();
    pn_tandem_config watched = full_config(PN_TANDEM_BOUNDS_NONE);
    printf("5. Other policies, ns a job\n");
    printf("   load  %-12s %12s %20s %13s %10s %14s\n", "policy", "bare engine",
           "+statistics, digest", "instants/job", "moves/job", "mean response");
    for (size_t l = 0; l < sizeof loads / sizeof loads[0]; l++) {
        workload w = workload_of(loads[l], scale->jobs);
        for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++) {
            outcome engine[2] = {{0, 0, 0, 0}};
            for (int round = 0; round < (scale->rounds + 1) / 2; round++) {
                engine_round(policies[p], &plain, &w, &engine[0]);
                engine_round(policies[p], &watched, &w, &engine[1]);
            }
            printf("   %.2f  %-12s %12.1f %20.1f %13.2f %10.2f %14.3f\n", loads[l],
                   policies[p]->name, engine[0].ns, engine[1].ns, engine[0].instants,
                   engine[0].moves, engine[0].total / (double)w.count);
        }
        workload_free(&w);
    }
    printf("\n");
}

/* ---- 6. a backlog of waiting jobs ---- */

typedef struct backlog_result {
    double ns, moves; /* an instant */
} backlog_result;

/* Keeps `backlog` jobs present: after every few instants as many arrive as have finished. */
static backlog_result backlog_run(const pn_tandem_policy *policy, uint32_t backlog,
                                  uint64_t instants)
{
    enum { FEW = 16, LONG_ENOUGH = 2 /* seconds, for what does not scale */ };
    pn_stream stream;
    pn_tandem_config config = bare_config();
    config.jobs_max = backlog;
    bench_run run = run_start(policy, &config);
    pn_tandem_totals before;
    pn_tandem_totals after;
    pn_stream_init(&stream, 7, backlog, 0);
    pn_tandem_totals_get(run.sim, &after);
    double spent = 0;
    for (int phase = 0; phase < 2; phase++) { /* fill and warm up, then measure */
        before = after;
        uint64_t end = before.instants + (phase == 0 ? 2 * FEW : instants);
        double start = now();
        while (after.instants < end && now() - start < LONG_ENOUGH) {
            for (uint64_t held = after.submitted - after.finished; held < backlog; held++) {
                pn_tandem_job job = {.arrival = after.time, .map = 0.5 + pn_uniform01(&stream)};
                job.shuffle = 0.5 + pn_uniform01(&stream);
                must(pn_tandem_submit(run.sim, &job, NULL));
            }
            must(pn_tandem_run(run.sim, &run.hooks, PN_TANDEM_FOREVER, FEW));
            pn_tandem_totals_get(run.sim, &after);
        }
        spent = now() - start;
    }
    double executed = (double)(after.instants - before.instants);
    free(run.sim);
    return (backlog_result){1e9 * spent / executed,
                            (double)(after.heap_moves - before.heap_moves) / executed};
}

static void bench_backlog(const extent *scale)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_fcfs(),    pn_tandem_maxsrpt(),
                                                pn_tandem_srptmap(), pn_tandem_splitsrpt(),
                                                pn_tandem_ps(),      pn_tandem_klps()};
    printf("6. Cost of an instant beside a backlog of jobs present (map and shuffle sizes uniform "
           "in .5..1.5; submitting and "
           "drawing "
           "the next jobs included):\n   ns and, in brackets, heap levels moved\n");
    printf("   %-9s", "policy");
    for (uint32_t n = 100; n <= scale->backlog_max; n *= 10)
        printf(" %15u", n);
    printf(" %12s\n", "last/first");
    for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++) {
        double first = 0;
        double last = 0;
        printf("   %-9s", policies[p]->name);
        for (uint32_t n = 100; n <= scale->backlog_max; n *= 10) {
            backlog_result result = {0, 0};
            for (int round = 0; round < 3; round++) {
                backlog_result again = backlog_run(policies[p], n, scale->backlog_instants);
                if (round == 0 || again.ns < result.ns)
                    result = again;
            }
            printf(" %7.0f (%5.1f)", result.ns, result.moves);
            fflush(stdout);
            first = n == 100 ? result.ns : first;
            last = result.ns;
        }
        printf(" %12.1f\n", last / first);
    }
    printf("\n");
}

/* ---- 7. a long stream, drawn on the way, and memory ---- */

static void bench_long(uint64_t jobs)
{
    pn_tandem_config config = full_config(PN_TANDEM_BOUNDS_FAST);
    config.gaps = 1;
    config.jobs_max = LONG_JOBS_MAX;
    bench_run run = run_start(pn_tandem_maxsrpt(), &config);
    generator g = generator_of(0.75, 1);
    tandem_bare_job drawn;
    double start = now();
    for (uint64_t i = 0; i < jobs;) {
        for (uint64_t end = i + CHUNK; i < end && i < jobs; i++) {
            draw(&g, &drawn);
            pn_tandem_job job = {
                .arrival = drawn.arrival, .map = drawn.map, .shuffle = drawn.shuffle};
            must(pn_tandem_submit(run.sim, &job, NULL));
        }
        must(pn_tandem_run(run.sim, &run.hooks, PN_TANDEM_ARRIVAL, UINT64_MAX));
    }
    must(pn_tandem_run(run.sim, &run.hooks, PN_TANDEM_FOREVER, UINT64_MAX));
    double seconds = now() - start;
    pn_tandem_totals totals;
    pn_tandem_totals_get(run.sim, &totals);
    printf("7. A long stream: %.0e jobs of maxsrpt at load .75, drawn on the way, with statistics, "
           "digest and fast bound: %.1f s, "
           "%.0f ns a job,\n   %zu bytes of block from first to last job (room for %u, %u held at "
           "most), mean response %.4f, %.4f "
           "of "
           "the bound, digest %016llx\n   Neither memory nor the cost of a job depends on how many "
           "there are: 1e+09 jobs would take "
           "%.0f s and the same %zu bytes\n\n",
           (double)jobs, seconds, 1e9 * seconds / (double)jobs, run.size, config.jobs_max,
           totals.jobs_held_max, totals.total_response_time / (double)totals.finished,
           totals.total_response_time / totals.lower_bound,
           (unsigned long long)pn_tandem_digest(run.sim), 1e9 * seconds / (double)jobs, run.size);
    free(run.sim);
}

static void bench_memory(void)
{
    printf("8. Memory: bytes per job in the system (from blocks for 10^4 and 2 * 10^4 jobs), and a "
           "block for 256 jobs\n");
    for (size_t i = 0; i == 0 || pn_tandem_policy_at(i - 1); i++) {
        pn_tandem_config config = bare_config();
        config.policy = i == 0 ? NULL : pn_tandem_policy_at(i - 1);
        config.jobs_max = 10000;
        size_t small = pn_tandem_size(&config);
        config.jobs_max = 20000;
        double per_job = (double)(pn_tandem_size(&config) - small) / 10000;
        config.jobs_max = 256;
        printf("   %-12s %6.0f bytes/job %8zu bytes\n",
               i == 0 ? "any built-in" : pn_tandem_policy_at(i - 1)->name, per_job,
               pn_tandem_size(&config));
    }
    printf("\n");
}

/* bench_tandem [SECTIONS | small | long]: sections are digits of 1 to 8; long: the stream of
 * section 7 ten times as long */
int main(int argc, char **argv)
{
    static const extent whole = {1000000, 7, 1000000, 20000, 10000000};
    static const extent small = {1000, 1, 1000, 100, 1000};
    bool tiny = argc > 1 && strcmp(argv[1], "small") == 0;
    bool longer = argc > 1 && strcmp(argv[1], "long") == 0;
    const extent *scale = tiny ? &small : &whole;
    const char *sections = longer ? "7" : argc > 1 && !tiny ? argv[1] : "12345678";
    if (strchr(sections, '1'))
        bench_generation(scale);
    if (strchr(sections, '2'))
        bench_maxsrpt(scale);
    if (strchr(sections, '3'))
        bench_queues(scale);
    if (strchr(sections, '4'))
        bench_sharing(scale);
    if (strchr(sections, '5'))
        bench_others(scale);
    if (strchr(sections, '6'))
        bench_backlog(scale);
    if (strchr(sections, '7'))
        bench_long(longer ? 10 * scale->long_jobs : scale->long_jobs);
    if (strchr(sections, '8'))
        bench_memory();
    return 0;
}
