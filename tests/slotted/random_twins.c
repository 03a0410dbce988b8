/* Policies in Lua against the same rule in C on random instances: every built-in policy and its
 * twin in policies/, and the pairs made for the tests (support/pairs.c). Equal times
 * and digests; the Lua side submits as jobs arrive, moves the block about, and hands it to another
 * Lua state every few steps, so that nothing may be remembered outside of the block; forks are
 * continued by a third.
 * See random.h for its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slotted/support/instance.h"
#include "slotted/support/pairs.h"
#include "slotted/support/workload.h"

enum { LARGE_EVERY = 16 };

static struct {
    unsigned long runs, forks;
} done;

static bool fail(const side *s, uint32_t reduce, const double *params, const char *what)
{
    char text[300];
    snprintf(text, sizeof text, "%s reduces: %s",
             reduce == PN_SLOTTED_PREEMPTIVE ? "preemptive" : "nonpreemptive", what);
    return side_fail(s, params, text);
}

static const pn_slotted_policy *relieve(void *user)
{
    return pn_lua_policy_slotted(side_relieve(user));
}

/* ---- small instances, everything watched ----------------------------------------------------- */

static bool same(const slotted_instance *run, const slotted_outcome *a, const slotted_outcome *b)
{
    size_t bytes = run->job_count * sizeof a->finish[0];
    return a->total == b->total && a->digest == b->digest && a->decisions == b->decisions &&
           memcmp(a->finish, b->finish, bytes) == 0 &&
           memcmp(a->map_finish, b->map_finish, bytes) == 0;
}

/* Returns what is wrong, null when nothing is. */
static const char *fault_of(const slotted_instance *run, const slotted_outcome *native,
                            const slotted_outcome *script)
{
    if (native->status != script->status)
        return pn_status_name(script->status);
    if (native->status == PN_ERR_MODE)
        return NULL;
    if (native->status != PN_DONE)
        return pn_status_name(native->status);
    if (script->fault[0] != '\0')
        return script->fault;
    return same(run, native, script) ? NULL : "the schedules of C and Lua differ";
}

static bool check_small(side *s, const slotted_instance *run, uint32_t reduce, pn_stream *stream)
{
    pair_params params;
    pair_draw(s->of, s->scripts[0], stream, slotted_pairs_draw, &params);
    bool streaming = pn_uniform(stream, 0, 1);
    slotted_outcome native, script;
    slotted_manner plain = {
        .streaming = streaming, .params = params.given_native, .seed = pn_random64(stream)};
    slotted_manner moving = plain;
    moving.params = params.given_script;
    moving.move_every = (uint32_t)pn_uniform(stream, 1, 5);
    moving.relieve = relieve;
    moving.user = s;
    slotted_instance_run(run, s->of->native, reduce, plain, &native);
    slotted_instance_run(run, pn_lua_policy_slotted(s->scripts[s->turn]), reduce, moving, &script);
    const char *what = fault_of(run, &native, &script);
    done.runs += native.status == PN_DONE;
    return !what || fail(s, reduce, params.given_native, what);
}

/* ---- larger ones, forked --------------------------------------------------------------------- */

static pn_slotted *copied(const pn_slotted *sim)
{
    size_t size = pn_slotted_block_size(sim);
    void *block = workload_room(size);
    pn_slotted *opened = NULL;
    memcpy(block, sim, size);
    if (pn_slotted_open(&opened, block, size) != PN_OK)
        abort();
    return opened;
}

/* How a run ended. */
typedef struct ending {
    int status;
    uint64_t digest;
    pn_slotted_totals totals;
} ending;

static ending ending_of(const pn_slotted *sim, int status)
{
    ending e = {.status = status, .digest = pn_slotted_digest(sim)};
    pn_slotted_totals_get(sim, &e.totals);
    e.totals.heap_moves = 0; /* a script has no cheaper way to say "by id" */
    return e;
}

static bool same_ending(const ending *a, const ending *b)
{
    return a->status == b->status && a->digest == b->digest &&
           memcmp(&a->totals, &b->totals, sizeof a->totals) == 0;
}

static ending run_native(const slotted_workload *work, const pn_slotted_config *config,
                         const pn_slotted_hooks *hooks)
{
    pn_slotted *sim = slotted_sim(config);
    int status = slotted_submit(sim, work, 0, work->count);
    if (status == PN_OK)
        status = pn_slotted_run(sim, hooks, PN_SLOTTED_FOREVER);
    ending e = ending_of(sim, status);
    free(sim);
    return e;
}

/* Both go on by turns, each with the Lua states of the other in between. */
static void run_fork(side *s, pn_slotted *sims[2], const double *params, ending endings[2])
{
    int status[2] = {PN_OK, PN_OK};
    while (status[0] == PN_OK || status[1] == PN_OK) {
        for (int i = 0; i < 2; i++) {
            pn_slotted_hooks hooks = {.policy = relieve(s), .params = params};
            if (status[i] == PN_OK)
                status[i] = pn_slotted_step(sims[i], &hooks);
        }
    }
    for (int i = 0; i < 2; i++)
        endings[i] = ending_of(sims[i], status[i]);
}

static bool check_large(side *s, const slotted_workload *work, pn_slotted_config config,
                        pn_stream *stream)
{
    pair_params params;
    pair_draw(s->of, s->scripts[0], stream, slotted_pairs_draw, &params);
    pn_slotted_hooks hooks = {.policy = s->of->native, .params = params.given_native};
    uint64_t before = pn_uniform(stream, 0, 3 * work->count);
    pn_slotted *sims[2];
    ending forked[2];
    int status = PN_OK;
    config.policy = s->of->native;
    ending native = run_native(work, &config, &hooks);
    if (native.status == PN_ERR_MODE)
        return true;
    if (native.status != PN_DONE)
        return fail(s, config.reduce, params.given_native, pn_status_name(native.status));
    hooks.policy = config.policy = relieve(s);
    hooks.params = params.given_script;
    sims[0] = slotted_sim(&config);
    if (slotted_submit(sims[0], work, 0, work->count) != PN_OK)
        abort();
    for (uint64_t i = 0; i < before && status == PN_OK; i++)
        status = pn_slotted_step(sims[0], &hooks);
    sims[1] = copied(sims[0]);
    run_fork(s, sims, hooks.params, forked);
    free(sims[0]);
    free(sims[1]);
    done.forks++;
    if (!same_ending(&native, &forked[0]) || !same_ending(&native, &forked[1]))
        return fail(s, config.reduce, params.given_native, "forked, the runs of C and Lua differ");
    return true;
}

static bool check_forks(side sides[], int count, pn_stream *stream)
{
    slotted_shape shape = {.rate = 0.1 + pn_uniform01(stream),
                           .maps = 1 + 9 * pn_uniform01(stream),
                           .reduces = 1 + 15 * pn_uniform01(stream),
                           .tasks = (uint32_t)pn_uniform(stream, 1, SLOTTED_WORKLOAD_TASKS)};
    shape.estimates = pn_uniform(stream, 0, 2) == 0;
    slotted_workload work = slotted_new((size_t)pn_uniform(stream, 20, 120), pn_random64(stream),
                                        shape);
    uint32_t machines = (uint32_t)pn_uniform(stream, 3, 60);
    bool good = true;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES && good; reduce++) {
        pn_slotted_config config = slotted_config(&work, machines, reduce);
        config.stretches_max = (uint32_t)work.count * SLOTTED_WORKLOAD_TASKS;
        config.estimates = shape.estimates;
        config.bounds = (uint32_t)pn_uniform(stream, PN_SLOTTED_BOUNDS_NONE,
                                             PN_SLOTTED_BOUNDS_FAST);
        config.seed = pn_random64(stream);
        config.replica = pn_random32(stream);
        for (int i = 0; i < count && good; i++)
            good = check_large(&sides[i], &work, config, stream);
    }
    slotted_free(&work);
    return good;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool check_instance(side *sides, int count, pn_stream *stream, uint32_t number)
{
    static const slotted_instance_limits limits[] = {
        {3, 2, 6, 6}, {6, 4, 20, 10}, {12, 8, 40, 20}, {16, 24, 120, 30}};
    slotted_instance run;
    bool good = true;
    slotted_instance_draw(&run, stream, limits[number % 4]);
    for (int i = 0; i < count && good; i++)
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES && good; reduce++)
            good = check_small(&sides[i], &run, reduce, stream);
    if (!good)
        slotted_instance_print(&run);
    if (good && number % LARGE_EVERY == 0)
        good = check_forks(sides, count, stream);
    return good;
}

static void report(void)
{
    printf("%lu runs and %lu forks agree\n", done.runs, done.forks);
}

int main(int argc, char **argv)
{
    return pairs_main(
        argc, argv,
        &(pair_check){"slotted", PN_LUA_BUDGET, slotted_pairs_read, check_instance, report});
}
