/* A host that asks, before a batch is handed to a cluster, which policy would have it done first,
 * and then plays that plan.
 *   cc -Ikernel/include examples/c/makespan.c build/libpinion.a -o host && ./host */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "pinion.h"

enum { JOBS = 5, SLOTS = 30 };

static _Alignas(max_align_t) unsigned char block[1 << 18];

/* Five jobs that ask for slots and say how long each stage takes on these. */
static const struct {
    uint32_t slots;
    uint64_t map, reduce;
} batch[JOBS] = {{30, 4, 5}, {30, 1, 4}, {20, 30, 4}, {20, 6, 30}, {30, 2, 3}};

/* A stage is as many tasks as it has slots. */
static int submit(pn_makespan *sim)
{
    for (size_t i = 0; i < JOBS; i++) {
        const pn_makespan_stretch map = {.duration = batch[i].map, .count = batch[i].slots};
        const pn_makespan_stretch reduce = {.duration = batch[i].reduce, .count = batch[i].slots};
        const pn_makespan_job job = {.stage = {{.stretches = &map, .stretch_count = 1},
                                               {.stretches = &reduce, .stretch_count = 1}}};
        int status = pn_makespan_submit(sim, &job, NULL);
        if (status != PN_OK)
            return status;
    }
    return PN_OK;
}

static int start(pn_makespan **sim, const pn_makespan_policy *policy)
{
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = config.reduce_slots = SLOTS;
    config.level = PN_MAKESPAN_TASKS;
    config.jobs_max = JOBS;
    config.policy = policy; /* room for this one alone */
    int status = pn_makespan_init(sim, block, sizeof block, &config);
    if (status != PN_OK) {
        const char *field = pn_makespan_check(&config);
        fprintf(stderr, "%s: %s; %zu bytes needed\n", pn_status_name(status), field ? field : "",
                pn_makespan_size(&config));
        return status;
    }
    return submit(*sim);
}

static void finished(void *user, const pn_makespan_finish *finish)
{
    double ticks = *(const double *)user;
    printf("  job %" PRIu64 ": maps until %g, done at %g\n", finish->id,
           (double)finish->map_finish / ticks, (double)finish->finish / ticks);
}

/* The makespan in units of time, or a status below 0. */
static double makespan_of(const pn_makespan_policy *policy, int report)
{
    pn_makespan *sim;
    double ticks = 1.0;
    pn_makespan_hooks hooks = {
        .policy = policy, .on_finish = report ? finished : NULL, .user = &ticks};
    int status = start(&sim, policy);
    if (status == PN_OK)
        /* from here on the order is known, and in which ticks times are told */
        status = pn_makespan_plan(sim, &hooks);
    if (status == PN_OK) {
        ticks = (double)pn_makespan_ticks(sim);
        status = pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX);
    }
    if (status != PN_DONE)
        return status;
    pn_makespan_totals totals;
    pn_exact bound = {0, 1};
    pn_makespan_totals_get(sim, &totals);
    if (pn_makespan_bound(sim, &bound) == PN_OK && report)
        printf("  no schedule ends before %g; digest %016" PRIx64 "\n",
               (double)bound.num / (double)bound.den, pn_makespan_digest(sim));
    return (double)totals.makespan / ticks;
}

int main(void)
{
    static const char *const names[] = {"fifo",           "mk_jr",   "uaas",
                                        "balanced_pools", "optimal", "neh"};
    const pn_makespan_policy *best = NULL;
    double least = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const pn_makespan_policy *policy = pn_makespan_policy_find(names[i]);
        double makespan = policy ? makespan_of(policy, 0) : PN_ERR_ARGUMENT;
        if (makespan < 0) {
            fprintf(stderr, "%s: %s\n", names[i], pn_status_name((int)makespan));
            return 1;
        }
        printf("%-15s %g\n", names[i], makespan);
        if (!best || makespan < least) {
            best = policy;
            least = makespan;
        }
    }
    printf("%s:\n", best->name);
    return makespan_of(best, 1) == least ? 0 : 1;
}
