/* The price of writing a policy in Lua: built-in policies beside their twins of policies/slotted/, in the same run, with the
 * instruction budget on and off. Paper's setting (exp(5) maps, exp(40) reduces, 100 machines, 2 jobs a slot, 500 slots); best of
 * several rounds; the schedules must be the same. What noise cannot change (keys per job, calls per slot) stands beside the
 * times. */
#include <time.h>

#include "pinion_lua.h"
#include "workload.h"

enum { MACHINES = 100, ROOM = 2048 };

typedef struct extent {
    uint32_t seeds, rounds;
    size_t jobs; /* of a seed */
} extent;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
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

static outcome run(const workload *work, const pn_slotted_policy *policy, uint32_t reduce)
{
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_hooks hooks = {.policy = policy};
    pn_slotted_totals totals;
    pn_slotted *sim;
    config.machines = MACHINES;
    config.jobs_max = ROOM;
    config.runs_max = 2 * ROOM;
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
    must(pn_slotted_run(sim, &hooks, PN_FOREVER) == PN_DONE, "the run failed");
    outcome made = {.seconds = now() - start, .digest = pn_slotted_digest(sim)};
    pn_slotted_totals_get(sim, &totals);
    made.slots = totals.slots_run;
    free(block);
    return made;
}

/* ---- native, twin, twin without budget ---- */

static pn_lua_policy *load(const char *name, uint64_t budget)
{
    char path[96], message[PN_LUA_MESSAGE_SIZE];
    static char text[1 << 16];
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    options.budget = budget;
    snprintf(path, sizeof path, "policies/slotted/%s.lua", name);
    FILE *file = fopen(path, "rb");
    must(file != NULL, path);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    must(pn_lua_policy_load(&policy, path, text, size, &options, message, sizeof message) == PN_OK, message);
    return policy;
}

enum { NATIVE, METERED, FREE, KINDS };

static void bench_policy(const char *name, const workload *works, const extent *scale, uint32_t reduce)
{
    pn_lua_policy *twins[KINDS] = {NULL, load(name, PN_LUA_BUDGET), load(name, 0)};
    double ns[KINDS] = {0};
    uint64_t slots = 0, jobs = 0;
    for (uint32_t round = 0; round < scale->rounds; round++) {
        double seconds[KINDS] = {0};
        slots = jobs = 0;
        for (uint32_t seed = 0; seed < scale->seeds; seed++) {
            uint64_t digest = 0;
            for (int kind = 0; kind < KINDS; kind++) {
                const pn_slotted_policy *policy =
                    kind == NATIVE ? pn_slotted_policy_find(name) : pn_lua_policy_slotted(twins[kind]);
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
    printf("  %-9s %-14s %7.0f %8.0f %8.0f %9.2fx %9.2fx %9.1f", name, reduce == PN_PREEMPTIVE ? "preemptive" : "nonpreemptive",
           ns[NATIVE] / (double)slots, ns[METERED] / (double)slots, ns[FREE] / (double)slots, ns[METERED] / ns[NATIVE],
           ns[FREE] / ns[NATIVE], keys / (double)jobs);
    if (keys > 0)
        printf(" %10.0f %8.0f", (ns[METERED] - ns[NATIVE]) / keys, (ns[FREE] - ns[NATIVE]) / keys);
    else
        printf(" %10s %8s", "-", "-");
    printf(" %8.2f\n", (double)counts.slots / scale->rounds / (double)slots);
    for (int kind = METERED; kind < KINDS; kind++)
        pn_lua_policy_free(twins[kind]);
}

int main(int count, char **arguments)
{
    static const char *const names[] = {"asrpt", "fifo", "dspt", "rfirst", "idx", "fair", "dsptf", "psrpt"};
    bool small = count > 1 && strcmp(arguments[1], "small") == 0;
    extent scale = small ? (extent){1, 1, 100} : (extent){20, 5, 1000};
    workload *works = workload_room(scale.seeds * sizeof *works);
    for (uint32_t seed = 0; seed < scale.seeds; seed++)
        works[seed] = workload_new(scale.jobs, seed + 1, (workload_shape){.rate = 2, .maps = 5, .reduces = 40, .tasks = 10});
    printf("built-in policies and their twins in Lua, ns per slot (%u seeds of %zu jobs, best of %u)\n", scale.seeds, scale.jobs,
           scale.rounds);
    printf("  %-9s %-14s %7s %8s %8s %10s %10s %9s %10s %8s %8s\n", "policy", "reduces", "native", "Lua", "no limit", "Lua",
           "no limit", "keys/job", "ns/key", "no limit", "calls");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint32_t reduce = 0; reduce < MODES; reduce++)
            bench_policy(names[i], works, &scale, reduce);
    printf("  ns/key: what the twin takes longer per key computed; no limit: without the instruction budget; calls: of slot, per "
           "slot\n");
    for (uint32_t seed = 0; seed < scale.seeds; seed++)
        workload_free(&works[seed]);
    free(works);
    return 0;
}
