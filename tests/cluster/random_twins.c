/* Policies of the cluster model in Lua against the same rule in C on random scenarios: every
 * built-in policy and its twin in policies/cluster/, and the pairs made for the tests
 * (pairs.h). Equal events, records, totals and digests; the Lua side moves the block about
 * and hands it to another Lua state every few instants, so that nothing may be remembered outside
 * of the block.
 * See random.h for its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/support/instance.h"
#include "cluster/support/pairs.h"

static struct {
    unsigned long runs, jobs, kills, suspensions, copies, rejected, late, fired;
} done;

static const pn_scheduler_policy *relieve(void *user)
{
    return pn_lua_policy_cluster(side_relieve(user));
}

static bool check_outcomes(const side *s, const double *params, cluster_outcome *native,
                           cluster_outcome *script)
{
    char what[256];
    if (native->status != PN_DONE || script->status != PN_DONE)
        return side_fail(s, params,
                         native->status != PN_DONE ? pn_status_name(native->status)
                                                   : pn_status_name(script->status));
    /* What the kernel makes of a policy in C, random_cluster watches. */
    if (script->fault[0] != '\0' && strcmp(native->fault, script->fault) != 0)
        return side_fail(s, params, script->fault);
    if (!cluster_instance_agree(&script->result, &native->result, what, sizeof what))
        return side_fail(s, params, what);
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
    const pn_scheduler_policy *policy = s->of->native;
    pair_params params;
    cluster_outcome native, script;
    pair_draw(s->of, s->scripts[s->turn], stream, cluster_pairs_draw, &params);
    cluster_instance_choose(run, stream, policy->name);
    run->scenario.copies = false; /* what both policies do is up to them */
    cluster_manner plain = {.policy = policy, .params = params.native};
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

static bool check_instance(side *sides, int count, pn_stream *stream, uint32_t number)
{
    static const uint32_t sizes[] = {3, 6, 12, 24};
    static cluster_instance run;
    bool good = true;
    cluster_instance_draw(&run, stream, sizes[number % 4]);
    for (int i = 0; i < count && good; i++)
        good = check_pair(&sides[i], &run, stream);
    if (!good)
        cluster_instance_print(&run);
    return good;
}

static void report(void)
{
    printf("%lu runs of %lu jobs agree, %lu kills, %lu suspensions, %lu copies, %lu jobs rejected, "
           "%lu late, %lu feedbacks\n",
           done.runs, done.jobs, done.kills, done.suspensions, done.copies, done.rejected,
           done.late, done.fired);
}

int main(int argc, char **argv)
{
    return pairs_main(
        argc, argv,
        &(pair_check){"cluster", PN_LUA_BUDGET, cluster_pairs_read, check_instance, report});
}
