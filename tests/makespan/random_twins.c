/* Policies of the makespan model in Lua against the same rule in C on random instances: every
 * built-in policy but the exact search and its twin in policies/makespan/, and the pairs made for
 * the tests (pairs.h). Equal plans, times and digests, or an instance that both refuse;
 * each Lua state serves many instances, and is loaded anew now and then.
 * See random.h for its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "makespan/support/instance.h"
#include "makespan/support/pairs.h"

static struct {
    unsigned long runs, refusals;
} done;

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
    const pn_lua_policy *turn = side_relieve(s);
    const pn_makespan_policy *policy = s->of->native;
    pair_params params;
    char what[200];
    pair_draw(s->of, turn, stream, makespan_pairs_draw, &params);
    makespan_manner plain = {.policy = policy, .params = params.native};
    makespan_manner moving = {.policy = pn_lua_policy_makespan(turn), .params = params.script};
    plain.scale = moving.scale = pn_uniform(stream, 1, 3);
    moving.stepping = pn_uniform(stream, 0, 1);
    moving.planned = pn_uniform(stream, 0, 1);
    moving.move_every = (uint32_t)pn_uniform(stream, 0, 4);
    run->config.policy = policy->name;
    makespan_instance_run(run, plain, &native);
    makespan_instance_run(run, moving, &script);
    if (both_refuse(&native, &script)) {
        done.refusals++;
        return true;
    }
    done.runs++;
    if (native.status != PN_DONE || script.status != PN_DONE)
        return side_fail(s, params.native,
                         native.status != PN_DONE ? pn_status_name(native.status)
                                                  : pn_status_name(script.status));
    /* What the kernel makes of a policy in C, random_makespan watches. */
    if (script.fault[0] != '\0' && strcmp(native.fault, script.fault) != 0)
        return side_fail(s, params.native, script.fault);
    /* the twin of balanced_pools goes through all splits */
    script.result.evaluations = native.result.evaluations;
    if (!makespan_instance_agree(run, &script.result, &native.result, what, sizeof what))
        return side_fail(s, params.native, what);
    if (script.digest != native.digest)
        return side_fail(s, params.native, "the digests of C and Lua differ");
    return true;
}

static bool check_instance(side *sides, int count, pn_stream *stream, uint32_t number)
{
    static const uint32_t sizes[] = {3, 5, 8, 11};
    static makespan_instance run;
    bool good = true;
    makespan_instance_draw(&run, stream, sizes[number % 4]);
    for (int i = 0; i < count && good; i++)
        good = check_pair(&sides[i], &run, stream);
    if (!good)
        makespan_instance_print(&run);
    return good;
}

static void report(void)
{
    printf("%lu runs agree, %lu are refused by both\n", done.runs, done.refusals);
}

int main(int argc, char **argv)
{
    return pairs_main(
        argc, argv,
        &(pair_check){"makespan", 10 * PN_LUA_BUDGET, makespan_pairs_read, check_instance, report});
}
