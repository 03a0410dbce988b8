/* Policies of the tandem model in Lua against the same rule in C on random instances: every
 * built-in policy and its twin in policies/tandem/, and the pairs made for the tests
 * (pairs.h). Equal times and digests, or times equal but for rounding where a script sets
 * the rates by itself; the Lua side submits as jobs arrive, moves the block about, and hands it to
 * another Lua state every few instants, so that nothing may be remembered outside of the block;
 * forks are continued by a third.
 * See random.h for its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tandem/support/instance.h"
#include "tandem/support/pairs.h"
#include "tandem/support/workload.h"

enum { LARGE_EVERY = 16 };

/* Of times between C and a script that sets the rates itself, relative to max(1, the time). */
#define TOLERANCE 1e-9

static struct {
    unsigned long runs, forks;
    double worst; /* relative error so far */
} done;

static const pn_tandem_policy *relieve(void *user)
{
    return pn_lua_policy_tandem(side_relieve(user));
}

/* ---- small instances, everything watched ----------------------------------------------------- */

static bool near(double got, double want)
{
    double size = want > 1 ? want : 1, error = (got > want ? got - want : want - got) / size;
    done.worst = error > done.worst ? error : done.worst;
    return error <= TOLERANCE;
}

static bool same(const tandem_instance *run, const tandem_outcome *a, const tandem_outcome *b,
                 bool nearly)
{
    size_t bytes = run->job_count * sizeof a->finish[0];
    if (!nearly)
        return a->digest == b->digest &&
               a->totals.total_response_time == b->totals.total_response_time &&
               memcmp(a->finish, b->finish, bytes) == 0 &&
               memcmp(a->map_finish, b->map_finish, bytes) == 0;
    for (uint32_t i = 0; i < run->job_count; i++)
        if (!near(b->finish[i], a->finish[i]) || !near(b->map_finish[i], a->map_finish[i]))
            return false;
    return true;
}

static bool check_small(side *s, const tandem_instance *run, pn_stream *stream)
{
    /* Misjudged, many jobs seem to have nothing left, and the order of such depends on how often
     * one looks. */
    if (s->of->nearly && ((const pn_tandem_policy *)s->of->native)->wake && run->estimates)
        return true;
    pair_params params;
    pair_draw(s->of, s->scripts[0], stream, tandem_pairs_draw, &params);
    tandem_outcome native, script;
    tandem_manner plain = {.one_by_one = pn_uniform(stream, 0, 1),
                           .params = params.given_native,
                           .seed = pn_random64(stream)};
    tandem_manner moving = plain;
    moving.params = params.given_script;
    moving.one_by_one = pn_uniform(stream, 0, 1);
    moving.stepping = pn_uniform(stream, 0, 1);
    moving.move_every = (uint32_t)pn_uniform(stream, 1, 5);
    moving.relieve = relieve;
    moving.user = s;
    tandem_instance_run(run, s->of->native, plain, &native);
    tandem_instance_run(run, pn_lua_policy_tandem(s->scripts[s->turn]), moving, &script);
    /* What the kernel makes of a policy in C, random_tandem watches: splitsrpt that lends nothing
     * may starve a job, for one. */
    if (native.status != script.status)
        return side_fail(s, params.given_native, pn_status_name(script.status));
    if (script.fault[0] != '\0' && strcmp(native.fault, script.fault) != 0)
        return side_fail(s, params.given_native, script.fault);
    done.runs++;
    return same(run, &native, &script, s->of->nearly) ||
           side_fail(s, params.given_native, "the schedules of C and Lua differ");
}

/* ---- larger ones, forked --------------------------------------------------------------------- */

static pn_tandem *copied(const pn_tandem *sim)
{
    size_t size = pn_tandem_block_size(sim);
    void *block = workload_room(size);
    pn_tandem *opened = NULL;
    memcpy(block, sim, size);
    if (pn_tandem_open(&opened, block, size) != PN_OK)
        abort();
    return opened;
}

/* How a run ended. */
typedef struct ending {
    int status;
    uint64_t digest;
    pn_tandem_totals totals;
} ending;

static ending ending_of(const pn_tandem *sim, int status)
{
    ending e = {.status = status, .digest = pn_tandem_digest(sim)};
    pn_tandem_totals_get(sim, &e.totals);
    e.totals.heap_moves = 0; /* a script has other orders, or more of them */
    return e;
}

static bool same_ending(const ending *a, const ending *b)
{
    return a->status == b->status && a->digest == b->digest &&
           memcmp(&a->totals, &b->totals, sizeof a->totals) == 0;
}

/* Both go on by turns, each with the Lua states of the other in between. */
static void run_fork(side *s, pn_tandem *sims[2], const double *params, ending endings[2])
{
    int status[2] = {PN_OK, PN_OK};
    while (status[0] == PN_OK || status[1] == PN_OK) {
        for (int i = 0; i < 2; i++) {
            pn_tandem_hooks hooks = {.policy = relieve(s), .params = params};
            if (status[i] == PN_OK)
                status[i] = pn_tandem_step(sims[i], &hooks);
        }
    }
    for (int i = 0; i < 2; i++)
        endings[i] = ending_of(sims[i], status[i]);
}

static pn_tandem *submitted(const tandem_workload *work, const pn_tandem_config *config)
{
    pn_tandem *sim = tandem_sim(config);
    if (tandem_submit(sim, work, 0, work->count) != PN_OK)
        abort();
    return sim;
}

static bool check_large(side *s, const tandem_workload *work, pn_tandem_config config,
                        pn_stream *stream)
{
    pair_params params;
    pair_draw(s->of, s->scripts[0], stream, tandem_pairs_draw, &params);
    uint64_t before = pn_uniform(stream, 0, 3 * work->count);
    pn_tandem_hooks hooks = {.policy = s->of->native, .params = params.given_native};
    pn_tandem *sims[2];
    ending forked[2];
    config.policy = s->of->native;
    pn_tandem *sim = submitted(work, &config);
    ending native = ending_of(sim, pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX));
    free(sim);
    hooks.policy = config.policy = relieve(s);
    hooks.params = params.given_script;
    sims[0] = submitted(work, &config);
    pn_tandem_run(sims[0], &hooks, PN_TANDEM_FOREVER, before);
    sims[1] = copied(sims[0]);
    run_fork(s, sims, hooks.params, forked);
    free(sims[0]);
    free(sims[1]);
    done.forks++;
    if (!same_ending(&forked[0], &forked[1]) ||
        (!s->of->nearly && !same_ending(&native, &forked[0])))
        return side_fail(s, params.given_native, "forked, the runs of C and Lua differ");
    return true;
}

static bool check_forks(side sides[], int count, pn_stream *stream)
{
    tandem_shape shape = {.rate = 0.2 + 0.7 * pn_uniform01(stream),
                          .map = 0.5 + pn_uniform01(stream),
                          .shuffle = 0.5 + pn_uniform01(stream),
                          .odd = (uint32_t)pn_uniform(stream, 0, 1),
                          .estimates = pn_uniform(stream, 0, 2) == 0};
    tandem_workload work = tandem_new((size_t)pn_uniform(stream, 20, 120), pn_random64(stream),
                                      shape);
    pn_tandem_config config = tandem_config(&work, (uint32_t)pn_uniform(stream, 0, 1));
    bool good = true;
    config.estimates = shape.estimates;
    config.bounds = (uint32_t)pn_uniform(stream, PN_TANDEM_BOUNDS_NONE, PN_TANDEM_BOUNDS_FAST);
    config.seed = pn_random64(stream);
    config.replica = pn_random32(stream);
    for (int i = 0; i < count && good; i++)
        good = check_large(&sides[i], &work, config, stream);
    tandem_free(&work);
    return good;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool check_instance(side *sides, int count, pn_stream *stream, uint32_t number)
{
    static const uint32_t sizes[] = {3, 6, 14, TANDEM_JOBS};
    tandem_instance run;
    bool good = true;
    tandem_instance_draw(&run, stream, sizes[number % 4]);
    for (int i = 0; i < count && good; i++)
        good = check_small(&sides[i], &run, stream);
    if (!good)
        tandem_instance_print(&run);
    if (good && number % LARGE_EVERY == 0)
        good = check_forks(sides, count, stream);
    return good;
}

static void report(void)
{
    printf("%lu runs and %lu forks agree, worst relative error %.1e\n", done.runs, done.forks,
           done.worst);
}

int main(int argc, char **argv)
{
    return pairs_main(
        argc, argv,
        &(pair_check){"tandem", PN_LUA_BUDGET, tandem_pairs_read, check_instance, report});
}
