/* Policies of the dag model in Lua against the same rule in C on random scenarios: every built-in
 * policy and its twin in policies/dag/, and the pairs made for the tests (pairs.h). Equal
 * events, records, totals and digests; the Lua side moves the block about and hands it to another
 * Lua state every few instants, so that nothing may be remembered outside of the block.
 * See random.h for its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dag/support/instance.h"
#include "dag/support/pairs.h"

static struct {
    unsigned long runs, jobs, kills;
} done;

static const pn_dispatch_policy *relieve(void *user)
{
    return pn_lua_policy_dag(side_relieve(user));
}

static bool check_outcomes(const side *s, const double *params, dag_outcome *native,
                           dag_outcome *script)
{
    char what[300];
    if (native->status != PN_DONE || script->status != PN_DONE)
        return side_fail(
            s, params, pn_status_name(native->status != PN_DONE ? native->status : script->status));
    if (script->fault[0] != '\0' || native->fault[0] != '\0')
        return side_fail(s, params, script->fault[0] != '\0' ? script->fault : native->fault);
    if (script->digest != native->digest)
        return side_fail(s, params, "another digest");
    if (!dag_instance_agree(script, &native->result, what, sizeof what))
        return side_fail(s, params, what);
    done.runs++;
    done.jobs += native->result.record_count;
    done.kills += native->totals.dispatch.kills;
    return true;
}

static bool check_pair(side *s, dag_instance *run, pn_stream *stream)
{
    naive_dag_result ids; /* of jobs and queues, which the naive model gives */
    dag_outcome native, script;
    const pn_dispatch_policy *policy = s->of->native;
    pair_params params;
    pair_draw(s->of, s->scripts[s->turn], stream, dag_pairs_draw, &params);
    bool one_by_one = pn_uniform(stream, 0, 1);
    dag_manner plain = {.policy = policy, .params = params.native, .one_by_one = one_by_one};
    dag_manner moving = {.policy = pn_lua_policy_dag(s->scripts[s->turn]),
                         .params = params.script,
                         .relieve = relieve,
                         .user = s,
                         .one_by_one = one_by_one,
                         .move_every = (uint32_t)pn_uniform(stream, 1, 9)};
    bool known = pn_dispatch_policy_find(policy->name) == policy;
    run->scenario.policy = known ? policy->name : "fifo";
    naive_dag_run(&run->scenario, &ids);
    dag_instance_run(&run->scenario, &ids, plain, &native);
    dag_instance_run(&run->scenario, &ids, moving, &script);
    bool good = check_outcomes(s, params.native, &native, &script);
    naive_dag_free(&ids);
    naive_dag_free(&native.result);
    naive_dag_free(&script.result);
    return good;
}

static bool check_instance(side *sides, int count, pn_stream *stream, uint32_t number)
{
    static const uint32_t jobs_most[] = {2, 4, 7, DAG_JOBS};
    static dag_instance run;
    bool good = true;
    dag_instance_draw(&run, stream, jobs_most[number % 4]);
    if (naive_dag_too_large(&run.scenario) != run.scenario.job_count)
        return true;
    for (int i = 0; i < count && good; i++)
        good = check_pair(&sides[i], &run, stream);
    if (!good)
        dag_instance_print(&run.scenario);
    return good;
}

static void report(void)
{
    printf("%lu runs of %lu jobs agree, %lu kills\n", done.runs, done.jobs, done.kills);
}

int main(int argc, char **argv)
{
    return pairs_main(argc, argv,
                      &(pair_check){"dag", PN_LUA_BUDGET, dag_pairs_read, check_instance, report});
}
