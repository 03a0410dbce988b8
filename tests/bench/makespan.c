/* Speed and memory of the makespan model, beside bare programs in the same run
 * (bare_makespan.h). Times are the best of several rounds; counts that a machine's noise
 * cannot change stand beside them. */
#define _DEFAULT_SOURCE
#include "bench.h"
#include "bare_makespan.h"

/* How much to run: the whole benchmark, or next to nothing, so that the tests can see it still
 * works. */
typedef struct extent {
    uint32_t ordered;                  /* jobs to be put into order */
    uint32_t jobs, tasks, slots;       /* of the long schedule: tasks of a job, slots in all */
    uint32_t searched, tasks_searched; /* jobs of the search, tasks of a job */
    int rounds;
    int proofs;
} extent;

/* ---- batches ---- */

/* Jobs with so many tasks in all, three of four of them maps. `equal`: tasks in stretches of so
 * many. */
typedef struct batch {
    makespan_bare_batch bare;
    uint64_t *durations;
    pn_makespan_stretch *stretches;
    pn_makespan_job *jobs;
    uint32_t count, stretch_count;
} batch;

static batch batch_of(uint32_t jobs, uint32_t tasks, uint32_t equal)
{
    uint32_t maps = tasks > 3 ? tasks / 4 * 3 : 1;
    batch b = {.count = jobs};
    b.durations = checked(malloc((size_t)jobs * tasks * sizeof *b.durations));
    b.stretches = checked(malloc((size_t)jobs * tasks * sizeof *b.stretches));
    b.jobs = checked(calloc(jobs, sizeof *b.jobs));
    b.bare.first = checked(malloc(jobs * sizeof *b.bare.first));
    b.bare.tasks = b.durations;
    b.bare.jobs = jobs;
    pn_stream stream;
    pn_stream_init(&stream, 1, 0, 0);
    size_t at = 0;
    for (uint32_t i = 0; i < jobs; i++) {
        uint32_t ends[2] = {maps, tasks};
        for (uint32_t k = 0, done = 0; k < 2; k++) {
            b.bare.first[i][k] = at;
            pn_makespan_stage_of_job *stage = &b.jobs[i].stage[k];
            stage->stretches = &b.stretches[b.stretch_count];
            for (; done < ends[k]; stage->stretch_count++) {
                uint32_t count = equal < ends[k] - done ? equal : ends[k] - done;
                uint64_t duration = pn_uniform(&stream, 1000, 100000);
                b.stretches[b.stretch_count++] = (pn_makespan_stretch){duration, count};
                for (uint32_t t = 0; t < count; t++)
                    b.durations[at++] = duration;
                done += count;
            }
        }
        b.bare.first[i][2] = at;
    }
    return b;
}

static void batch_free(batch *b)
{
    free(b->durations);
    free(b->stretches);
    free(b->jobs);
    free(b->bare.first);
}

/* ---- running the kernel ---- */

typedef struct bench_run {
    pn_makespan *sim;
    size_t size;
    pn_makespan_hooks hooks;
    double planned, ran; /* seconds */
    pn_makespan_totals totals;
} bench_run;

static bench_run run_batch(const batch *b, const pn_makespan_policy *policy, uint32_t slots,
                           uint32_t level)
{
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = config.reduce_slots = slots / 2;
    config.jobs_max = b->count;
    config.stretches_max = b->stretch_count;
    config.level = level;
    config.policy = policy;
    bench_run run = {.size = pn_makespan_size(&config), .hooks = {.policy = policy}};
    must(pn_makespan_init(&run.sim, block_alloc(run.size), run.size, &config));
    for (uint32_t i = 0; i < b->count; i++)
        must(pn_makespan_submit(run.sim, &b->jobs[i], NULL));
    double start = now();
    must(pn_makespan_plan(run.sim, &run.hooks));
    run.planned = now() - start;
    must(pn_makespan_run(run.sim, &run.hooks, PN_MAKESPAN_FOREVER, UINT64_MAX));
    run.ran = now() - start - run.planned;
    pn_makespan_totals_get(run.sim, &run.totals);
    return run;
}

/* ---- 1. orders ---- */

static double qsort_seconds(const batch *b)
{
    makespan_bare_stages *stages = checked(malloc(b->count * sizeof *stages));
    for (uint32_t i = 0; i < b->count; i++) {
        stages[i] = (makespan_bare_stages){0, 0, i};
        for (uint64_t t = b->bare.first[i][0]; t < b->bare.first[i][1]; t++)
            stages[i].map += (double)b->durations[t];
        for (uint64_t t = b->bare.first[i][1]; t < b->bare.first[i][2]; t++)
            stages[i].reduce += (double)b->durations[t];
    }
    double start = now();
    makespan_bare_johnson(stages, b->count);
    double seconds = now() - start;
    free(stages);
    return seconds;
}

static void bench_orders(const extent *scale)
{
    const pn_makespan_policy *const policies[] = {pn_makespan_johnson(), pn_makespan_uaas(),
                                                  pn_makespan_mk_jr()};
    batch b = batch_of(scale->ordered, 4, 1);
    double sorted = 0;
    for (int round = 0; round < scale->rounds; round++)
        sorted = best(sorted, qsort_seconds(&b));
    printf("1. An order of %u jobs by exact stage times (4 tasks each): seconds; the C library's "
           "qsort of doubles: %.3f\n  ",
           scale->ordered, sorted);
    for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++) {
        double planned = 0;
        for (int round = 0; round < scale->rounds; round++) {
            bench_run run = run_batch(&b, policies[p], 1000, PN_MAKESPAN_TASKS);
            planned = best(planned, run.planned);
            free(run.sim);
        }
        printf(" %s %.3f (x %.2f)", policies[p]->name, planned, planned / sorted);
    }
    printf("\n\n");
    batch_free(&b);
}

/* ---- 2. list scheduling ---- */

static void bench_schedule(const extent *scale)
{
    static const uint32_t stretches[] = {1, 10, 100};
    printf("2. List scheduling of %u jobs with %u tasks each on %u slots, with slots, finishes and "
           "digest; ns a task\n",
           scale->jobs, scale->tasks, scale->slots);
    printf("   %-24s %10s %12s %10s %14s\n", "equal tasks in a row", "kernel", "reference", "ratio",
           "instants");
    for (size_t i = 0; i < sizeof stretches / sizeof stretches[0]; i++) {
        batch b = batch_of(scale->jobs, scale->tasks, stretches[i]);
        double tasks = (double)scale->jobs * scale->tasks, ours = 0, theirs = 0;
        uint32_t *order = checked(malloc(scale->jobs * sizeof *order));
        uint64_t instants = 0;
        for (int round = 0; round < scale->rounds; round++) {
            bench_run run = run_batch(&b, pn_makespan_uaas(), scale->slots, PN_MAKESPAN_TASKS);
            for (uint32_t k = 0; k < scale->jobs; k++)
                order[k] = (uint32_t)pn_makespan_order(run.sim, k) - 1;
            ours = best(ours, 1e9 * run.ran / tasks);
            double start = now();
            uint64_t makespan = makespan_bare_schedule(&b.bare, order, scale->slots / 2,
                                                       scale->slots / 2);
            theirs = best(theirs, 1e9 * (now() - start) / tasks);
            instants = run.totals.instants;
            if (makespan != run.totals.makespan) {
                fprintf(stderr, "bench: the reference disagrees: %llu, not %llu\n",
                        (unsigned long long)makespan, (unsigned long long)run.totals.makespan);
                exit(1);
            }
            free(run.sim);
        }
        printf("   %-24u %10.1f %12.1f %10.2f %14llu\n", stretches[i], ours, theirs, ours / theirs,
               (unsigned long long)instants);
        fflush(stdout);
        free(order);
        batch_free(&b);
    }
    printf("   (the reference: a binary heap of running tasks, free slots as numbers, no digest "
           "and nobody told)\n\n");
}

/* ---- 3. searches ---- */

static void bench_searches(const extent *scale)
{
    const pn_makespan_policy *const policies[] = {pn_makespan_uaas(), pn_makespan_portfolio(),
                                                  pn_makespan_neh(), pn_makespan_local_search()};
    batch b = batch_of(scale->searched, scale->tasks_searched, 1);
    printf("3. Searches for an order of %u jobs with %u tasks each on 100 slots. An evaluation "
           "costs O(tasks log slots), less "
           "where\n"
           "   it is given up early or begins like the one before; neh makes n (n + 1) / 2 of them "
           "with a third of\n   the tasks on average\n",
           scale->searched, scale->tasks_searched);
    printf("   %-14s %10s %14s %12s %14s %12s\n", "policy", "seconds", "evaluations", "us each",
           "makespan", "gap");
    for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++) {
        bench_run run = run_batch(&b, policies[p], 100, PN_MAKESPAN_TASKS);
        pn_exact bound;
        must(pn_makespan_bound(run.sim, &bound));
        double evaluations = (double)run.totals.evaluations;
        printf("   %-14s %10.3f %14.0f %12.1f %14llu %11.3f%%\n", policies[p]->name, run.planned,
               evaluations, evaluations > 0 ? 1e6 * run.planned / evaluations : 0,
               (unsigned long long)run.totals.makespan,
               100 * ((double)run.totals.makespan / pn_exact_double(bound) - 1));
        fflush(stdout);
        free(run.sim);
    }
    printf("\n");
    batch_free(&b);
}

/* ---- 4. memory ---- */

static void bench_memory(void)
{
    printf("4. Memory: bytes a job with 4 tasks of different lengths, on 100 slots, and block for "
           "256 jobs\n");
    for (size_t i = 0; i == 0 || pn_makespan_policy_at(i - 1); i++)
        for (uint32_t level = 0; level < 2; level++) {
            const pn_makespan_policy *policy = i == 0 ? NULL : pn_makespan_policy_at(i - 1);
            pn_makespan_config config = pn_makespan_defaults();
            config.map_slots = config.reduce_slots = 50;
            config.jobs_max = 10000;
            config.stretches_max = 40000;
            config.level = level;
            config.policy = policy;
            double small = (double)pn_makespan_size(&config);
            config.jobs_max *= 2;
            config.stretches_max *= 2;
            double per_job = ((double)pn_makespan_size(&config) - small) / 10000;
            config.jobs_max = 256;
            config.stretches_max = 0;
            printf("   %-6s %-16s %6.0f bytes/job %8zu bytes\n",
                   level == PN_MAKESPAN_STAGES ? "stage" : "task",
                   policy ? policy->name : "any built-in", per_job, pn_makespan_size(&config));
        }
    printf("\n");
}

/* ---- 5. the optimum ---- */

/* So many map and so many reduce tasks of 1..100, dealt to 3 to 6 jobs, on 2 to 4 slots of each
 * kind. */
static bool prove(pn_stream *stream, uint32_t tasks, double *seconds)
{
    enum { JOBS = 6, TASKS = 32 };
    pn_makespan_stretch stretches[JOBS][2][TASKS];
    pn_makespan_job jobs[JOBS] = {0};
    uint32_t count = (uint32_t)pn_uniform(stream, 3, JOBS);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t t = 0; t < tasks; t++) {
            uint32_t job = (uint32_t)pn_uniform(stream, 0, count - 1);
            jobs[job].stage[k].stretches = stretches[job][k];
            stretches[job][k][jobs[job].stage[k].stretch_count++] = (pn_makespan_stretch){
                pn_uniform(stream, 1, 100), 1};
        }
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = (uint32_t)pn_uniform(stream, 2, 4);
    config.reduce_slots = (uint32_t)pn_uniform(stream, 2, 4);
    config.jobs_max = JOBS;
    config.stretches_max = 2 * tasks;
    config.level = PN_MAKESPAN_TASKS;
    config.policy = pn_makespan_exact();
    size_t size = pn_makespan_size(&config);
    pn_makespan *sim;
    must(pn_makespan_init(&sim, block_alloc(size), size, &config));
    for (uint32_t i = 0; i < count; i++)
        if (jobs[i].stage[0].stretch_count + jobs[i].stage[1].stretch_count > 0)
            must(pn_makespan_submit(sim, &jobs[i], NULL));
    pn_makespan_hooks hooks = {.policy = pn_makespan_exact()};
    double start = now();
    must(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX));
    *seconds = now() - start;
    pn_makespan_totals totals;
    pn_makespan_totals_get(sim, &totals);
    free(sim);
    return pn_exact_compare(totals.proven, (pn_exact){(int64_t)totals.makespan, 1}) == 0;
}

static void bench_exact(const extent *scale)
{
    static const uint32_t sizes[] = {6, 10, 14, 20};
    printf("5. The optimum of all schedules, by branch and bound with its default limit of nodes: "
           "%d batches of each size\n",
           scale->proofs);
    printf("   %-22s %10s %12s %14s %14s\n", "map + reduce tasks", "proven", "within 1 s",
           "seconds, mean", "longest");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        pn_stream stream;
        int proven = 0, soon = 0;
        double sum = 0, longest = 0;
        pn_stream_init(&stream, 1, sizes[i], 0);
        for (int n = 0; n < scale->proofs; n++) {
            double seconds;
            bool done = prove(&stream, sizes[i], &seconds);
            proven += done;
            soon += done && seconds <= 1;
            sum += seconds;
            longest = seconds > longest ? seconds : longest;
        }
        printf("   %4u + %-15u %10d %12d %14.4f %14.4f\n", sizes[i], sizes[i], proven, soon,
               sum / scale->proofs, longest);
        fflush(stdout);
    }
    printf("\n");
}

/* bench_makespan [SECTIONS | small]: sections are digits of 1 to 5 */
int main(int argc, char **argv)
{
    static const extent whole = {1000000, 10000, 1000, 10000, 200, 50, 3, 40};
    static const extent small = {1000, 10, 100, 100, 10, 10, 1, 2};
    bool tiny = argc > 1 && strcmp(argv[1], "small") == 0;
    const extent *scale = tiny ? &small : &whole;
    const char *sections = argc > 1 && !tiny ? argv[1] : "12345";
    if (strchr(sections, '1'))
        bench_orders(scale);
    if (strchr(sections, '2'))
        bench_schedule(scale);
    if (strchr(sections, '3'))
        bench_searches(scale);
    if (strchr(sections, '4'))
        bench_memory();
    if (strchr(sections, '5'))
        bench_exact(scale);
    return 0;
}
