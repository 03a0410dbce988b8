/* Policies of the dag model in Lua against the same rule in C on random scenarios: every built-in
 * policy and its twin in policies/dag/, and the pairs made for the tests (pairs.h). Equal
 * events, records, totals and digests; the Lua side moves the block about and hands it to another
 * Lua state every few instants, so that nothing may be remembered outside of the block.
 *
 *   random_dag_twins [SECONDS [COUNT [SEED]]]     see random.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dag/support/instance.h"
#include "dag/support/pairs.h"
#include "support/random.h"

enum { STATES = 3 };

/* A pair, and Lua states that relieve each other. */
typedef struct side {
    const dag_pair *of;
    pn_lua_policy *scripts[STATES];
    unsigned turn;
} side;

typedef struct all_sides {
    side *sides;
    int count;
} all_sides;

typedef struct counts {
    unsigned long instances, runs, jobs, kills;
} counts;

static counts done;

static const pn_dispatch_policy *relieve(void *user)
{
    side *s = user;
    s->turn = (s->turn + 1) % STATES;
    return pn_lua_policy_dag(s->scripts[s->turn]);
}

static bool fail(const side *s, const double *params, const char *what)
{
    printf("FAILED: %s (%s", what, s->of->path);
    for (uint32_t i = 0; i < s->of->native->param_count; i++)
        printf(", %s = %g", s->of->native->params[i].name, params[i]);
    printf(")\n");
    for (int i = 0; i < STATES; i++)
        if (pn_lua_policy_message(s->scripts[i])[0] != '\0')
            printf("  %s\n", pn_lua_policy_message(s->scripts[i]));
    return false;
}

static bool check_outcomes(const side *s, const double *params, dag_outcome *native,
                           dag_outcome *script)
{
    char what[300];
    if (native->status != PN_DONE || script->status != PN_DONE)
        return fail(s, params,
                    pn_status_name(native->status != PN_DONE ? native->status : script->status));
    if (script->fault[0] != '\0' || native->fault[0] != '\0')
        return fail(s, params, script->fault[0] != '\0' ? script->fault : native->fault);
    if (script->digest != native->digest)
        return fail(s, params, "another digest");
    if (!dag_instance_agree(script, &native->result, what, sizeof what))
        return fail(s, params, what);
    done.runs++;
    done.jobs += native->result.record_count;
    done.kills += native->totals.dispatch.kills;
    return true;
}

static bool check_pair(side *s, dag_instance *run, pn_stream *stream)
{
    naive_dag_result ids; /* of jobs and queues, which the naive model gives */
    dag_outcome native, script;
    dag_pair_params params = dag_pairs_params(s->of, s->scripts[s->turn], stream);
    bool one_by_one = pn_uniform(stream, 0, 1);
    dag_manner plain = {.policy = s->of->native, .params = params.native, .one_by_one = one_by_one};
    dag_manner moving = {.policy = pn_lua_policy_dag(s->scripts[s->turn]),
                         .params = params.script,
                         .relieve = relieve,
                         .user = s,
                         .one_by_one = one_by_one,
                         .move_every = (uint32_t)pn_uniform(stream, 1, 9)};
    bool known = pn_dispatch_policy_find(s->of->native->name) == s->of->native;
    run->scenario.policy = known ? s->of->native->name : "fifo";
    naive_dag_run(&run->scenario, &ids);
    dag_instance_run(&run->scenario, &ids, plain, &native);
    dag_instance_run(&run->scenario, &ids, moving, &script);
    bool good = check_outcomes(s, params.native, &native, &script);
    naive_dag_free(&ids);
    naive_dag_free(&native.result);
    naive_dag_free(&script.result);
    return good;
}

static bool check_instance(void *user, uint64_t seed, uint32_t number)
{
    const all_sides *all = user;
    static const uint32_t jobs_most[] = {2, 4, 7, DAG_JOBS};
    static dag_instance run;
    pn_stream stream;
    bool good = true;
    pn_stream_init(&stream, seed, number, 4);
    dag_instance_draw(&run, &stream, jobs_most[number % 4]);
    if (naive_dag_too_large(&run.scenario) != run.scenario.job_count)
        return true;
    for (int i = 0; i < all->count && good; i++)
        good = check_pair(&all->sides[i], &run, &stream);
    done.instances++;
    if (!good)
        dag_instance_print(&run.scenario);
    return good;
}

int main(int argc, char **argv)
{
    random_plan plan = random_read(argc, argv);
    static dag_pair pairs[DAG_PAIRS_MAX];
    static side sides[DAG_PAIRS_MAX];
    int count = dag_pairs_read(pairs);
    for (int i = 0; i < count; i++) {
        sides[i].of = &pairs[i];
        for (unsigned k = 0; k < STATES; k++) {
            pn_lua_options options = pn_lua_defaults();
            options.budget = k == 0 ? 0 : PN_LUA_BUDGET; /* the budget changes nothing */
            sides[i].scripts[k] = dag_pairs_load(&pairs[i], &options);
        }
    }
    bool good = random_run(&plan, check_instance, &(all_sides){sides, count});
    for (int i = 0; i < count; i++)
        for (int k = 0; k < STATES; k++)
            pn_lua_policy_free(sides[i].scripts[k]);
    dag_pairs_free(pairs, count);
    if (good)
        printf("random_dag_twins: seed %llu: %lu instances, %d policies in C and Lua: %lu runs of "
               "%lu jobs agree, %lu kills\n",
               (unsigned long long)plan.seed, done.instances, count, done.runs, done.jobs,
               done.kills);
    return good ? 0 : 1;
}
