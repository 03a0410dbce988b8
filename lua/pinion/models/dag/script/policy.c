/* Policies in Lua of the dag model: the functions that the dispatch core calls, and what the shared
 * files know of the model. */
#include "policy.h"

#include <stdio.h>

#include "policy/view.h"

POLICY_KERNEL_JOBS(dispatch)
POLICY_CARRIED(dispatch, group_of, attribute_of)

/* An alignment is at most this (pn_dispatch_policy.align). */
#define ALIGN_MOST ((int64_t)1 << 42)

/* Returns whether the job has a number, which it has from its arrival until it leaves. */
static int active(const void *view, uint32_t job)
{
    (void)view;
    (void)job;
    return 1;
}

static void fail(const void *view, int status)
{
    pn_dispatch_give_up(view, status);
}

/* ---- what parameters decide ------------------------------------------------------------------ */

/* Returns a lua_CFunction: all bits of what the policy makes use of with these parameters. */
static int choose_uses(lua_State *L)
{
    const pn_lua_policy *policy = policy_of(L);
    if (policy_push_call(policy_of(L), FUNCTION_USES) < 0)
        sandbox_raise_again(L);
    const char *where = view_function_place(L, -2, "");
    lua_insert(L, -3);
    lua_getfield(L, -1, "params");
    lua_replace(L, -2);
    lua_call(L, 1, 2);
    if (!lua_isnil(L, -1))
        luaL_error(L, "%sreturns a second value (expected one)", where);
    lua_pop(L, 1);
    uint32_t uses = (policy->uses & USES_CHANGES) | dag_read_uses(L, lua_gettop(L), where);
    dag_check_uses(L, policy, where, uses);
    lua_pushinteger(L, uses);
    return 1;
}

static int use_chosen(pn_dispatch_view *view)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_dispatch_policy_of(view), view, MOMENT_INIT, PN_NO_JOB,
                                         &outer);
    lua_pushcfunction(policy->box->L, choose_uses);
    if (sandbox_call(policy->box, 0, 1) != 0)
        return policy_give_up(policy, &outer);
    pn_dispatch_order order = dag_describe(policy, (uint32_t)lua_tointeger(policy->box->L, -1));
    lua_pop(policy->box->L, 1);
    policy_leave(policy, &outer);
    return pn_dispatch_set_order(view, &order);
}

static int scripted_init(pn_dispatch_view *view)
{
    const pn_lua_policy *policy = pn_lua_policy_behind_dag(pn_dispatch_policy_of(view));
    int status = policy->asks_uses ? use_chosen(view) : PN_OK;
    if (status == PN_OK && policy->begins)
        status = policy_act(policy, view, FUNCTION_INIT, MOMENT_INIT, PN_NO_JOB);
    return status;
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* Asks for an amount. With align, the key is the amount that an alignment is exchanged for; 0 while
 * the job has no pending task. */
static int ask_amount(pn_lua_policy *policy, pn_key *key)
{
    int64_t amount = 0;
    int status = policy_ask_integer(
        policy, FUNCTION_KEY, NULL, 0, 0, INT64_MAX,
        "with align, a key must be an integer >= 0 (what alignment is exchanged for)", &amount);
    *key = (pn_key){{0, (uint64_t)amount}};
    return status;
}

static void scripted_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_dispatch_policy_of(view), view, MOMENT_KEY, job,
                                         &outer);
    bool packs = policy->table.dag.align != NULL;
    policy->counts.keys++;
    int status = packs ? ask_amount(policy, key)
                       : policy_ask_key(policy, FUNCTION_KEY, NULL, 0, key);
    policy_end(policy, &outer, status == 0);
}

static void scripted_queue_key(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_dispatch_policy_of(view), view, MOMENT_KEY, PN_NO_JOB,
                                         &outer);
    const policy_value given = policy_integer(queue);
    policy->counts.keys++;
    policy_end(policy, &outer, policy_ask_key(policy, FUNCTION_WEIGHT, &given, 1, key) == 0);
}

/* ---- placement ------------------------------------------------------------------------------- */

/* Prepares a call (s, job, stage, node): its values behind the job. */
static void tell_place(pn_lua_policy *policy, const pn_dispatch_view *view, uint32_t stage,
                       uint32_t node, policy_value given[2])
{
    policy->counts.slots++;
    policy->now.stage = stage + 1;
    given[0] = policy_integer(pn_dispatch_stage_index(view, stage));
    given[1] = policy_integer(node);
}

static uint64_t scripted_score(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    policy_frame outer;
    policy_value given[2], value;
    uint64_t score = 0;
    pn_lua_policy *policy = policy_enter(pn_dispatch_policy_of(view), view, MOMENT_KEY,
                                         pn_dispatch_stage_job(view, stage), &outer);
    tell_place(policy, view, stage, node, given);
    bool good = policy_ask_for(policy, FUNCTION_ACT, given, 2, &value, 1) == 0;
    if (good && !policy_key_word(&value, &score)) {
        policy_complain(policy, FUNCTION_ACT,
                        "score must return a number, an integer up to 2^53 or a finite float "
                        "(the smallest score gets the task)",
                        &value);
        good = false;
    }
    policy_end(policy, &outer, good);
    return score;
}

static uint64_t scripted_align(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    policy_frame outer;
    policy_value given[2];
    int64_t value;
    pn_lua_policy *policy = policy_enter(pn_dispatch_policy_of(view), view, MOMENT_KEY,
                                         pn_dispatch_stage_job(view, stage), &outer);
    tell_place(policy, view, stage, node, given);
    bool good = policy_ask_integer(policy, FUNCTION_PLAN, given, 2, 0, ALIGN_MOST,
                                   "align must return an integer from 0 to 2^42", &value) == 0;
    policy_end(policy, &outer, good);
    return good ? (uint64_t)value : 0;
}

/* ---- ticks ----------------------------------------------------------------------------------- */

static int scripted_preempt(pn_dispatch_view *view)
{
    return policy_act(pn_dispatch_policy_of(view), view, FUNCTION_PREEMPT, MOMENT_PREEMPT,
                      PN_NO_JOB);
}

const pn_dispatch_policy dag_scripted = {
    .key = scripted_key,
    .queue_key = scripted_queue_key,
    .init = scripted_init,
    .arrive = dispatch_arrive,
    .leave = dispatch_finish,
    .score = scripted_score,
    .align = scripted_align,
    .preempt = scripted_preempt,
};

/* ---- the model ------------------------------------------------------------------------------- */

static void write_time(const pn_lua_policy *policy, const void *view, char *text, size_t size)
{
    (void)policy;
    snprintf(text, size, "%llu", (unsigned long long)pn_dispatch_now(view));
}

const policy_model policy_dag_model = {
    .name = "dag",
    .time_word = "time",
    .world = "the cluster",
    .asking = "a key or a score",
    .drawing = "draw in arrive, and keep it in per_job",
    .writing = "preempt, arrive, leave or init",
    .fields = dag_fields,
    .questions = dag_questions,
    .methods = dag_methods,
    .more_methods = dag_preempt_methods,
    .chooses = true,
    .remembers = true,
    .define = dag_define,
    .params = offsetof(pn_dispatch_policy, params),
    .param_value = dispatch_param,
    .stream = dispatch_stream,
    .write_time = write_time,
    .write_c = dag_write_c,
    .id = dispatch_id,
    .jobs_max = dispatch_jobs_max,
    .active = active,
    .state = dispatch_state,
    .fail = fail,
    POLICY_CARRIED_OF(dispatch),
};

POLICY_PUBLIC(dag, pn_dispatch_policy, pn_lua_policy_behind_dag)
