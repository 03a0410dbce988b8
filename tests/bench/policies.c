/* The price of writing a policy in Lua: built-in policies beside their twins of policies/, in the
 * same run, with the instruction budget on and off. Slotted: exp(5) maps, exp(40) reduces, 100
 * machines, 2 jobs a slot, 500 slots; tandem: log-normal sizes at load .75 (TA22); cluster: a
 * hundredth of a month in a data centre (cluster_month.h). Best of several rounds; the schedules
 * must be the same. What noise cannot change (keys per job, calls per slot) stands beside the
 * times. */
#include <time.h>

#include "cluster_month.h"
#include "pinion_lua.h"
#include "slotted/support/workload.h"
#include "tandem/support/workload.h"

enum { MACHINES = 100, ROOM = 2048 };

typedef struct extent {
    uint32_t seeds, rounds;
    size_t jobs; /* of a seed */
    size_t tandem_jobs;
} extent;

/* Processor time: what else the machine does matters less. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "bench: %s\n", what);
        exit(1);
    }
}

/* ---- one schedule ---- */

typedef struct outcome {
    double seconds;
    uint64_t slots, digest;
} outcome;

static outcome run(const slotted_workload *work, const pn_slotted_policy *policy, uint32_t reduce)
{
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_hooks hooks = {.policy = policy};
    pn_slotted_totals totals;
    pn_slotted *sim;
    config.machines = MACHINES;
    config.jobs_max = ROOM;
    config.stretches_max = 2 * ROOM;
    config.reduce = reduce;
    config.policy = policy;
    size_t size = pn_slotted_size(&config);
    void *block = workload_room(size);
    must(pn_slotted_init(&sim, block, size, &config) == PN_OK, "no simulation");
    double start = now();
    for (size_t i = 0; i < work->count; i++) {
        must(pn_slotted_run(sim, &hooks, work->jobs[i].arrival - 1) >= 0, "the run failed");
        must(pn_slotted_submit(sim, &work->jobs[i], NULL) == PN_OK, "a job is refused");
    }
    must(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER) == PN_DONE, "the run failed");
    outcome made = {.seconds = now() - start, .digest = pn_slotted_digest(sim)};
    pn_slotted_totals_get(sim, &totals);
    made.slots = totals.slots_run;
    free(block);
    return made;
}

/* ---- native, twin, twin without budget ---- */

static pn_lua_policy *load(const char *model, const char *name, uint64_t budget)
{
    char path[96], message[PN_LUA_MESSAGE_SIZE];
    static char text[1 << 16];
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    options.budget = budget;
    snprintf(path, sizeof path, "policies/%s/%s.lua", model, name);
    FILE *file = fopen(path, "rb");
    must(file != NULL, path);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    must(pn_lua_policy_load(&policy, path, text, size, &options, message, sizeof message) == PN_OK,
         message);
    return policy;
}

enum { NATIVE, METERED, FREE, KINDS };

static void bench_policy(const char *name, const slotted_workload *works, const extent *scale,
                         uint32_t reduce)
{
    pn_lua_policy *twins[KINDS] = {NULL, load("slotted", name, PN_LUA_BUDGET),
                                   load("slotted", name, 0)};
    double ns[KINDS] = {0};
    uint64_t slots = 0, jobs = 0;
    for (uint32_t round = 0; round < scale->rounds; round++) {
        double seconds[KINDS] = {0};
        slots = jobs = 0;
        for (uint32_t seed = 0; seed < scale->seeds; seed++) {
            uint64_t digest = 0;
            for (int kind = 0; kind < KINDS; kind++) {
                const pn_slotted_policy *policy = kind == NATIVE
                                                      ? pn_slotted_policy_find(name)
                                                      : pn_lua_policy_slotted(twins[kind]);
                outcome made = run(&works[seed], policy, reduce);
                must(kind == NATIVE || made.digest == digest, "the twin's schedule is another one");
                digest = made.digest;
                seconds[kind] += made.seconds;
                slots += kind == NATIVE ? made.slots : 0;
            }
            jobs += works[seed].count;
        }
        for (int kind = 0; kind < KINDS; kind++)
            if (round == 0 || seconds[kind] * 1e9 < ns[kind])
                ns[kind] = seconds[kind] * 1e9;
    }
    pn_lua_counts counts = pn_lua_policy_counts(twins[METERED]);
    double keys = (double)counts.keys / scale->rounds;
    printf("  %-9s %-14s %7.0f %8.0f %8.0f %9.2fx %9.2fx %9.1f", name,
           reduce == PN_SLOTTED_PREEMPTIVE ? "preemptive" : "nonpreemptive",
           ns[NATIVE] / (double)slots, ns[METERED] / (double)slots, ns[FREE] / (double)slots,
           ns[METERED] / ns[NATIVE], ns[FREE] / ns[NATIVE], keys / (double)jobs);
    if (keys > 0)
        printf(" %10.0f %8.0f", (ns[METERED] - ns[NATIVE]) / keys, (ns[FREE] - ns[NATIVE]) / keys);
    else
        printf(" %10s %8s", "-", "-");
    printf(" %8.2f\n", (double)counts.slots / scale->rounds / (double)slots);
    for (int kind = METERED; kind < KINDS; kind++)
        pn_lua_policy_free(twins[kind]);
}

/* ---- the tandem model ---- */

/* Map work of mean 1 and sd 3.65, shuffle work the same times a factor of mean 1 and sd 3.28. */
static tandem_workload lin_workload(size_t count)
{
    tandem_workload made = {count, workload_room(count * sizeof *made.jobs)};
    pn_stream stream;
    double time = 0;
    pn_stream_init(&stream, 1, 0, 0);
    for (size_t i = 0; i < count; i++) {
        time += pn_exponential(&stream, 1 / 0.75);
        double map = pn_lognormal(&stream, 1, 3.65), factor = pn_lognormal(&stream, 1, 3.28);
        made.jobs[i] = (pn_tandem_job){.arrival = time, .map = map, .shuffle = map * factor};
    }
    return made;
}

static outcome run_tandem(const tandem_workload *work, const pn_tandem_policy *policy)
{
    enum { CHUNK = 256 };
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem_hooks hooks = {.policy = policy};
    config.jobs_max = 1 << 16;
    config.policy = policy;
    pn_tandem *sim = tandem_sim(&config);
    int status = PN_OK;
    double start = now();
    for (size_t i = 0; i < work->count && status >= 0; i += CHUNK) {
        size_t end = i + CHUNK < work->count ? i + CHUNK : work->count;
        status = tandem_submit(sim, work, i, end);
        if (status >= 0)
            status = pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX);
    }
    if (status >= 0)
        status = pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX);
    must(status == PN_DONE, "the run failed");
    outcome made = {.seconds = now() - start, .digest = pn_tandem_digest(sim)};
    free(sim);
    return made;
}

static void bench_tandem_policy(const char *name, const tandem_workload *work, uint32_t rounds)
{
    pn_lua_policy *twins[KINDS] = {NULL, load("tandem", name, PN_LUA_BUDGET),
                                   load("tandem", name, 0)};
    double ns[KINDS] = {0}; /* per job */
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t digest = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            outcome made = run_tandem(work, kind == NATIVE ? pn_tandem_policy_find(name)
                                                           : pn_lua_policy_tandem(twins[kind]));
            must(kind == NATIVE || made.digest == digest, "the twin's schedule is another one");
            digest = made.digest;
            made.seconds *= 1e9 / (double)work->count;
            ns[kind] = round == 0 || made.seconds < ns[kind] ? made.seconds : ns[kind];
        }
    }
    pn_lua_counts counts = pn_lua_policy_counts(twins[METERED]);
    double jobs = (double)work->count * rounds, keys = (double)counts.keys / jobs;
    double others = (double)(counts.slots + counts.hooks) / jobs;
    printf("  %-11s %7.0f %8.0f %8.0f %9.2fx %9.2fx %9.1f", name, ns[NATIVE], ns[METERED], ns[FREE],
           ns[METERED] / ns[NATIVE], ns[FREE] / ns[NATIVE], keys);
    if (keys > 0)
        printf(" %10.0f %8.0f", (ns[METERED] - ns[NATIVE]) / (keys + others),
               (ns[FREE] - ns[NATIVE]) / (keys + others));
    else
        printf(" %10s %8s", "-", "-");
    printf(" %8.2f\n", others);
    for (int kind = METERED; kind < KINDS; kind++)
        pn_lua_policy_free(twins[kind]);
}

static void bench_tandem(const extent *scale)
{
    static const char *const names[] = {"fcfs",    "ps",          "xmax",  "maxsrpt",  "srptmap",
                                        "srptsum", "srptshuffle", "bsrpt", "splitsrpt"};
    tandem_workload work = lin_workload(scale->tandem_jobs);
    printf("the same of the tandem model, ns per job (%zu jobs, load .75, best of %u)\n",
           work.count, scale->rounds);
    printf("  %-11s %7s %8s %8s %10s %10s %9s %10s %8s %8s\n", "policy", "native", "Lua",
           "no limit", "Lua", "no limit", "keys/job", "ns/call", "no limit", "others");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        bench_tandem_policy(names[i], &work, scale->rounds);
    printf("  ns/call: what the twin takes longer per key or other function called; others: so "
           "many per job\n");
    tandem_free(&work);
}

/* ---- the cluster model ---- */

static outcome run_cluster(const pn_scheduler_policy *policy, uint32_t scale)
{
    pn_scheduler_nodes nodes = {MONTH_NODES / scale, MONTH_MAP_SLOTS, MONTH_REDUCE_SLOTS, 1000};
    pn_cluster_config config = month_config(&nodes, scale, policy);
    pn_cluster_hooks hooks = {.policy = policy};
    pn_cluster_totals totals;
    pn_cluster *sim;
    size_t size = pn_cluster_size(&config);
    void *block = workload_room(size);
    must(pn_cluster_init(&sim, block, size, &config) == PN_OK, "no simulation");
    double start = now();
    must(month_run(sim, &hooks, scale) == PN_DONE, "the run failed");
    outcome made = {.seconds = now() - start, .digest = pn_cluster_digest(sim)};
    pn_cluster_totals_get(sim, &totals);
    made.slots = totals.scheduler.launches;
    free(block);
    return made;
}

static void bench_cluster_policy(const char *name, uint32_t scale)
{
    char file[32];
    snprintf(file, sizeof file, "%s", name);
    for (char *c = file; *c; c++)
        *c = *c == '-' ? '_' : *c;
    pn_lua_policy *twins[KINDS] = {NULL, load("cluster", file, PN_LUA_BUDGET),
                                   load("cluster", file, 0)};
    outcome made[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        made[kind] = run_cluster(kind == NATIVE ? pn_scheduler_policy_find(name)
                                                : pn_lua_policy_cluster(twins[kind]),
                                 scale);
        must(made[kind].digest == made[NATIVE].digest, "the twin's schedule is another one");
    }
    pn_lua_counts counts = pn_lua_policy_counts(twins[METERED]);
    double tasks = (double)made[NATIVE].slots;
    printf("  %-11s", name);
    for (int kind = 0; kind < KINDS; kind++)
        printf(" %8.0f", 1e9 * made[kind].seconds / tasks);
    printf(" %9.2fx %9.2fx %10.2f %8.2f\n", made[METERED].seconds / made[NATIVE].seconds,
           made[FREE].seconds / made[NATIVE].seconds, (double)counts.keys / tasks,
           (double)(counts.slots + counts.hooks) / tasks);
    for (int kind = METERED; kind < KINDS; kind++)
        pn_lua_policy_free(twins[kind]);
}

static void bench_cluster(uint32_t scale)
{
    static const char *const names[] = {"fifo", "fair", "hsrtf-pu", "hsrtf-pr"};
    printf("the same of the cluster model, ns per task (%d nodes, a month with %d tasks)\n",
           MONTH_NODES / (int)scale, MONTH_TASKS / (int)scale);
    printf("  %-11s %8s %8s %8s %10s %10s %10s %8s\n", "policy", "native", "Lua", "no limit", "Lua",
           "no limit", "keys/task", "others");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        bench_cluster_policy(names[i], scale);
}

/* A lower bound is no policy that could be written. */
static bool has_twin(const pn_slotted_policy *policy, uint32_t reduce)
{
    bool defined = reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive;
    return defined && !policy->relaxed;
}

int main(int count, char **arguments)
{
    const pn_slotted_policy *policy;
    bool small = count > 1 && strcmp(arguments[1], "small") == 0;
    extent scale = small ? (extent){1, 1, 100, 1000} : (extent){20, 5, 1000, 100000};
    slotted_workload *works = workload_room(scale.seeds * sizeof *works);
    for (uint32_t seed = 0; seed < scale.seeds; seed++)
        works[seed] = slotted_new(
            scale.jobs, seed + 1,
            (slotted_shape){.rate = 2, .maps = 5, .reduces = 40, .tasks = 10});
    printf("built-in policies and their twins in Lua, ns per slot (%u seeds of %zu jobs, best of "
           "%u)\n",
           scale.seeds, scale.jobs, scale.rounds);
    printf("  %-9s %-14s %7s %8s %8s %10s %10s %9s %10s %8s %8s\n", "policy", "reduces", "native",
           "Lua", "no limit", "Lua", "no limit", "keys/job", "ns/key", "no limit", "calls");
    for (size_t i = 0; (policy = pn_slotted_policy_at(i)); i++)
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++)
            if (has_twin(policy, reduce))
                bench_policy(policy->name, works, &scale, reduce);
    printf("  ns/key: what the twin takes longer per key computed; no limit: without the "
           "instruction budget; calls: of slot, per "
           "slot\n");
    for (uint32_t seed = 0; seed < scale.seeds; seed++)
        slotted_free(&works[seed]);
    free(works);
    bench_tandem(&scale);
    bench_cluster(small ? 2500 : 100);
    return 0;
}
