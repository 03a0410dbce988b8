/* Policies of the makespan model in Lua against the same rule in C on random instances: every
 * built-in policy but the exact search and its twin in policies/makespan/, and the pairs made for
 * the tests (pairs.h). Equal plans, times and digests, or an instance that both refuse;
 * each Lua state serves many instances, and is loaded anew now and then.
 *
 *   random_makespan_twins [SECONDS [COUNT [SEED]]]     see random.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "makespan/support/instance.h"
#include "makespan/support/pairs.h"
#include "support/random.h"

enum { STATES = 3, FRESH_EVERY = 32 };

/* A pair, and Lua states that relieve each other. */
typedef struct side {
    const makespan_twin *of;
    pn_lua_policy *scripts[STATES];
} side;

typedef struct all_sides {
    side *sides;
    int count;
} all_sides;

typedef struct counts {
    unsigned long instances, runs, refusals, loads;
} counts;

static counts done;

static void load(side *s, unsigned which)
{
    pn_lua_options options = pn_lua_defaults();
    options.budget = which == 0 ? 0 : 10 * PN_LUA_BUDGET; /* the budget changes nothing */
    pn_lua_policy_free(s->scripts[which]);
    s->scripts[which] = makespan_pairs_load(s->of, &options);
    done.loads++;
}

static bool fail(const side *s, const pn_lua_policy *script, const double *params, const char *what)
{
    printf("FAILED: %s (%s", what, s->of->path);
    for (int i = 0; i < s->of->native->param_count; i++)
        printf(", %s = %g", s->of->native->params[i].name, params[i]);
    printf(")\n  %s\n", pn_lua_policy_message(script));
    return false;
}

/* What a policy in C refuses with a status of its own, one in Lua refuses with a message. */
static bool both_refuse(const makespan_outcome *native, const makespan_outcome *script)
{
    return native->status < 0 &&
           (script->status == native->status ||
            (native->status == PN_ERR_ARGUMENT && script->status == PN_ERR_POLICY));
}

static bool check_pair(side *s, makespan_instance *run, pn_stream *stream)
{
    static makespan_outcome native, script;
    double params[PN_PARAMS_MAX], scripted[PN_PARAMS_MAX];
    char what[200];
    pn_lua_policy *with = s->scripts[pn_uniform(stream, 0, STATES - 1)];
    makespan_pairs_params(s->of, with, stream, params, scripted);
    makespan_manner plain = {.policy = s->of->native, .params = params};
    makespan_manner moving = {.policy = pn_lua_policy_makespan(with), .params = scripted};
    plain.scale = moving.scale = pn_uniform(stream, 1, 3);
    moving.stepping = pn_uniform(stream, 0, 1);
    moving.planned = pn_uniform(stream, 0, 1);
    moving.move_every = (uint32_t)pn_uniform(stream, 0, 4);
    run->config.policy = s->of->native->name;
    makespan_instance_run(run, plain, &native);
    makespan_instance_run(run, moving, &script);
    if (both_refuse(&native, &script)) {
        done.refusals++;
        return true;
    }
    done.runs++;
    if (native.status != PN_DONE || script.status != PN_DONE)
        return fail(s, with, params,
                    native.status != PN_DONE ? pn_status_name(native.status)
                                             : pn_status_name(script.status));
    /* What the kernel makes of a policy in C, random_makespan watches. */
    if (script.fault[0] != '\0' && strcmp(native.fault, script.fault) != 0)
        return fail(s, with, params, script.fault);
    /* the twin of balanced_pools goes through all splits */
    script.result.evaluations = native.result.evaluations;
    if (!makespan_instance_agree(run, &script.result, &native.result, what, sizeof what))
        return fail(s, with, params, what);
    if (script.digest != native.digest)
        return fail(s, with, params, "the digests of C and Lua differ");
    return true;
}

static bool check_instance(void *user, uint64_t seed, uint32_t number)
{
    const all_sides *all = user;
    side *sides = all->sides;
    int count = all->count;
    static const uint32_t sizes[] = {3, 5, 8, 11};
    static makespan_instance run;
    pn_stream stream;
    bool good = true;
    pn_stream_init(&stream, seed, number, 3);
    makespan_instance_draw(&run, &stream, sizes[number % 4]);
    for (int i = 0; i < count && good; i++) {
        if ((number + (uint32_t)i) % FRESH_EVERY == 0)
            load(&sides[i], number / FRESH_EVERY % STATES);
        good = check_pair(&sides[i], &run, &stream);
    }
    done.instances++;
    if (!good)
        makespan_instance_print(&run);
    return good;
}

int main(int argc, char **argv)
{
    random_plan plan = random_read(argc, argv);
    static makespan_twin pairs[MAKESPAN_PAIRS_MAX];
    static side sides[MAKESPAN_PAIRS_MAX];
    int count = makespan_pairs_read(pairs);
    for (int i = 0; i < count; i++) {
        sides[i].of = &pairs[i];
        for (unsigned k = 0; k < STATES; k++)
            load(&sides[i], k);
    }
    bool good = random_run(&plan, check_instance, &(all_sides){sides, count});
    for (int i = 0; i < count; i++)
        for (int k = 0; k < STATES; k++)
            pn_lua_policy_free(sides[i].scripts[k]);
    makespan_pairs_free(pairs, count);
    if (good)
        printf("random_makespan_twins: seed %llu: %lu instances, %d policies in C and Lua: %lu "
               "runs agree, %lu are refused by "
               "both, %lu states loaded\n",
               (unsigned long long)plan.seed, done.instances, count, done.runs, done.refusals,
               done.loads);
    return good ? 0 : 1;
}
