/* Policies of the cluster model in Lua against the same rule in C on random scenarios: every
 * built-in policy and its twin in policies/cluster/, and the pairs made for the tests
 * (pairs.h). Equal events, records, totals and digests; the Lua side moves the block about
 * and hands it to another Lua state every few instants, so that nothing may be remembered outside
 * of the block.
 *
 *   random_cluster_twins [SECONDS [COUNT [SEED]]]     see random.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/support/instance.h"
#include "cluster/support/pairs.h"
#include "support/random.h"

enum { STATES = 3, FRESH_EVERY = 32 };

/* A pair, and Lua states that relieve each other. */
typedef struct side {
    const cluster_twin *of;
    pn_lua_policy *scripts[STATES];
    unsigned turn;
    bool fresh; /* the one that comes on is loaded anew */
} side;

typedef struct all_sides {
    side *sides;
    int count;
} all_sides;

typedef struct counts {
    unsigned long instances, runs, jobs, kills, suspensions, copies, rejected, late, fired, loads;
} counts;

static counts done;

static void load(side *s, unsigned which)
{
    pn_lua_options options = pn_lua_defaults();
    options.budget = which == 0 ? 0 : PN_LUA_BUDGET; /* the budget changes nothing */
    pn_lua_policy_free(s->scripts[which]);
    s->scripts[which] = cluster_pairs_load(s->of, &options);
    done.loads++;
}

static const pn_scheduler_policy *relieve(void *user)
{
    side *s = user;
    s->turn = (s->turn + 1) % STATES;
    if (s->fresh)
        load(s, s->turn);
    return pn_lua_policy_cluster(s->scripts[s->turn]);
}

static bool fail(const side *s, const double *params, const char *what)
{
    printf("FAILED: %s (%s", what, s->of->path);
    for (int i = 0; i < s->of->native->param_count; i++)
        printf(", %s = %g", s->of->native->params[i].name, params[i]);
    printf(")\n");
    for (int i = 0; i < STATES; i++)
        if (pn_lua_policy_message(s->scripts[i])[0] != '\0')
            printf("  %s\n", pn_lua_policy_message(s->scripts[i]));
    return false;
}

static bool check_outcomes(const side *s, const double *params, cluster_outcome *native,
                           cluster_outcome *script)
{
    char what[256];
    if (native->status != PN_DONE || script->status != PN_DONE)
        return fail(s, params,
                    native->status != PN_DONE ? pn_status_name(native->status)
                                              : pn_status_name(script->status));
    /* What the kernel makes of a policy in C, random_cluster watches. */
    if (script->fault[0] != '\0' && strcmp(native->fault, script->fault) != 0)
        return fail(s, params, script->fault);
    if (!cluster_instance_agree(&script->result, &native->result, what, sizeof what))
        return fail(s, params, what);
    done.runs++;
    done.jobs += native->result.record_count;
    done.kills += native->result.totals.kills;
    done.suspensions += native->result.totals.suspensions;
    done.copies += native->result.totals.copies;
    done.rejected += native->result.totals.rejected;
    done.late += native->result.totals.late;
    done.fired += native->result.totals.feedback_fired;
    return true;
}

static bool check_pair(side *s, cluster_instance *run, pn_stream *stream)
{
    cluster_twin_params params = cluster_pairs_params(s->of, s->scripts[s->turn], stream);
    cluster_outcome native, script;
    cluster_instance_choose(run, stream, s->of->native->name);
    run->scenario.copies = false; /* what both policies do is up to them */
    cluster_manner plain = {.policy = s->of->native, .params = params.native};
    cluster_manner moving = {
        .policy = pn_lua_policy_cluster(s->scripts[s->turn]), .params = params.script, .user = s};
    plain.one_by_one = pn_uniform(stream, 0, 1);
    moving.one_by_one = pn_uniform(stream, 0, 1);
    moving.stepping = pn_uniform(stream, 0, 1);
    moving.move_every = (uint32_t)pn_uniform(stream, 1, 9);
    moving.relieve = relieve;
    cluster_instance_run(run, plain, &native);
    cluster_instance_run(run, moving, &script);
    bool good = check_outcomes(s, params.native, &native, &script);
    naive_cluster_free(&native.result);
    naive_cluster_free(&script.result);
    return good;
}

static bool check_instance(void *user, uint64_t seed, uint32_t number)
{
    const all_sides *all = user;
    static const uint32_t sizes[] = {3, 6, 12, 24};
    static cluster_instance run;
    pn_stream stream;
    bool good = true;
    pn_stream_init(&stream, seed, number, 4);
    cluster_instance_draw(&run, &stream, sizes[number % 4]);
    for (int i = 0; i < all->count && good; i++) {
        all->sides[i].fresh = (number + (uint32_t)i) % FRESH_EVERY == 0;
        good = check_pair(&all->sides[i], &run, &stream);
    }
    done.instances++;
    if (!good)
        cluster_instance_print(&run);
    return good;
}

int main(int argc, char **argv)
{
    random_plan plan = random_read(argc, argv);
    static cluster_twin pairs[CLUSTER_PAIRS_MAX];
    static side sides[CLUSTER_PAIRS_MAX];
    int count = cluster_pairs_read(pairs);
    for (int i = 0; i < count; i++) {
        sides[i].of = &pairs[i];
        for (unsigned k = 0; k < STATES; k++)
            load(&sides[i], k);
    }
    bool good = random_run(&plan, check_instance, &(all_sides){sides, count});
    for (int i = 0; i < count; i++)
        for (int k = 0; k < STATES; k++)
            pn_lua_policy_free(sides[i].scripts[k]);
    cluster_pairs_free(pairs, count);
    if (good)
        printf("random_cluster_twins: seed %llu: %lu instances, %d policies in C and Lua: %lu runs "
               "of %lu jobs agree, %lu kills, %lu suspensions, %lu copies, "
               "%lu jobs rejected, %lu late, %lu feedbacks, %lu states loaded\n",
               (unsigned long long)plan.seed, done.instances, count, done.runs, done.jobs,
               done.kills, done.suspensions, done.copies, done.rejected, done.late, done.fired,
               done.loads);
    return good ? 0 : 1;
}
