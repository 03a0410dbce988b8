/* Policies in Lua of the cluster model: the functions that the scheduler core calls, and what the
 * shared files know of the model. */
#include "policy.h"

#include <stdio.h>
#include <string.h>

#include "policy/view.h"

POLICY_KERNEL_JOBS(scheduler)
POLICY_CARRIED(scheduler, group_of, attribute_of)

const char *const cluster_kinds[] = {"map", "reduce", NULL};

/* Kinds first, then why it plans. */
static const char *const WORDS[] = {"map", "reduce", "arrival", "tick", "finish", NULL};
enum { WORD_KIND = 0, WORD_REASON = 2 };

/* Returns whether the job has a number, which it has from its arrival until it leaves. */
static int active(const void *view, uint32_t job)
{
    (void)view;
    (void)job;
    return 1;
}

static void fail(const void *view, int status)
{
    pn_scheduler_give_up(view, status);
}

/* ---- what parameters decide ------------------------------------------------------------------ */

/* Calls the function with the parameters and pushes its result; the words that go before messages
 * about it. */
static const char *ask_once(lua_State *L, int function)
{
    if (policy_push_call(policy_of(L), function) < 0)
        sandbox_raise_again(L);
    const char *where = view_function_place(L, -2, "");
    lua_insert(L, -3);
    lua_getfield(L, -1, "params");
    lua_replace(L, -2);
    lua_call(L, 1, 2);
    if (!lua_isnil(L, -1))
        luaL_error(L, "%sreturns a second value (expected one)", where);
    lua_pop(L, 1);
    return where;
}

/* Returns a lua_CFunction: all bits of what the policy makes use of. */
static int choose_uses(lua_State *L)
{
    const pn_lua_policy *policy = policy_of(L);
    uint32_t uses = policy->uses;
    const char *where = "";
    if (policy->asks_changes) {
        where = ask_once(L, FUNCTION_CHANGES);
        uses |= cluster_read_changes(L, lua_gettop(L), where);
    }
    if (policy->asks_uses) {
        where = ask_once(L, FUNCTION_USES);
        uses &= ~(uint32_t)(USES_ELAPSES | USES_IN_ORDER);
        uses |= cluster_read_uses(L, lua_gettop(L), where);
    }
    cluster_check_uses(L, policy, where, uses);
    lua_pushinteger(L, uses);
    return 1;
}

static int use_chosen(pn_scheduler_view *view)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_scheduler_policy_of(view), view, MOMENT_INIT, PN_NO_JOB,
                                         &outer);
    lua_pushcfunction(policy->box->L, choose_uses);
    if (sandbox_call(policy->box, 0, 1) != 0)
        return policy_give_up(policy, &outer);
    pn_scheduler_order order;
    pn_scheduler_admission admission;
    cluster_describe((uint32_t)lua_tointeger(policy->box->L, -1), &order, &admission);
    lua_pop(policy->box->L, 1);
    policy_leave(policy, &outer);
    return pn_scheduler_set_rules(view, &order, &admission);
}

static int scripted_init(pn_scheduler_view *view)
{
    const pn_lua_policy *policy = pn_lua_policy_behind_cluster(pn_scheduler_policy_of(view));
    int status = policy->asks_uses || policy->asks_changes ? use_chosen(view) : PN_OK;
    if (status == PN_OK && policy->begins)
        status = policy_act(policy, view, FUNCTION_INIT, MOMENT_INIT, PN_NO_JOB);
    return status;
}

/* ---- admission ------------------------------------------------------------------------------- */

/* Gives the job its number unless it has one: where jobs are admitted, the first call about a job
 * is for its key. */
static bool give_number(const pn_lua_policy *policy, const pn_scheduler_view *view, uint32_t job)
{
    if (policy_number(policy, view, job) != 0)
        return true;
    policy_clear_job(policy, view, job);
    return policy_enter_job(policy, view, job);
}

/* Asks the script. False after a complaint. A rejected job whose blocker was not named is its own
 * blocker. */
static bool ask_answer(pn_lua_policy *policy, const pn_scheduler_view *view, uint32_t job,
                       pn_scheduler_answer *answer)
{
    policy_value said;
    if (policy_ask_for(policy, FUNCTION_ADMIT, NULL, 0, &said, 1) != 0)
        return false;
    bool good = said.type == VALUE_TRUE || said.type == VALUE_FALSE;
    if (good)
        answer->accepted = said.type == VALUE_TRUE;
    else
        policy_complain(policy, FUNCTION_ADMIT,
                        "admit must return true (the job is taken) or false", &said);
    if (!answer->accepted && answer->blocker == 0)
        answer->blocker = pn_scheduler_id(view, job);
    return good;
}

/* Asks whether to admit. A job that is rejected, or was only asked about, gives its number back. */
static int scripted_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_scheduler_policy_of(view), view, MOMENT_ADMIT, job,
                                         &outer);
    policy->counts.hooks++;
    policy->answer = answer;
    bool answered = give_number(policy, view, job) && ask_answer(policy, view, job, answer);
    policy->answer = NULL;
    if (!answered || !answer->accepted || pn_scheduler_asked(view))
        policy_leave_job(policy, view, job);
    if (!answered)
        return policy_give_up(policy, &outer);
    policy_leave(policy, &outer);
    return PN_OK;
}

/* ---- order and plans ------------------------------------------------------------------------- */

static void scripted_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_scheduler_policy_of(view), view, MOMENT_KEY, job,
                                         &outer);
    policy->counts.keys++;
    const policy_value given = policy_text(WORDS[WORD_KIND + (int)kind]);
    bool met = !policy->admits || give_number(policy, view, job);
    policy_end(policy, &outer, met && policy_ask_key(policy, FUNCTION_KEY, &given, 1, key) == 0);
}

/* Makes a call of (s, value), without results. */
static int tell(pn_scheduler_view *view, int function, enum policy_moment moment,
                policy_value given)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_scheduler_policy_of(view), view, moment, PN_NO_JOB,
                                         &outer);
    policy->counts.hooks++;
    if (policy_ask_for(policy, function, &given, 1, NULL, 0) != 0)
        return policy_give_up(policy, &outer);
    policy_leave(policy, &outer);
    return PN_OK;
}

static int scripted_elapse(pn_scheduler_view *view, uint64_t ms)
{
    return tell(view, FUNCTION_TIME, MOMENT_TIME, policy_integer((int64_t)ms));
}

static int scripted_plan(pn_scheduler_view *view, uint32_t reason)
{
    return tell(view, FUNCTION_PLAN, MOMENT_PLAN, policy_text(WORDS[WORD_REASON + (int)reason]));
}

static int scripted_preempt(pn_scheduler_view *view, uint32_t kind)
{
    return tell(view, FUNCTION_PREEMPT, MOMENT_PREEMPT, policy_text(WORDS[WORD_KIND + (int)kind]));
}

/* ---- picks ----------------------------------------------------------------------------------- */

/* Makes a call of (s, node, kind). */
static int ask_for_slot(pn_lua_policy *policy, int function, uint32_t node, uint32_t kind,
                        policy_value *values, int results)
{
    const policy_value given[] = {policy_integer(node), policy_text(WORDS[WORD_KIND + (int)kind])};
    policy->counts.slots++;
    return policy_ask_for(policy, function, given, 2, values, results);
}

/* Takes the job that the script returned. 0, or -1 after a complaint. */
static int take_pick(pn_lua_policy *policy, const pn_scheduler_view *view, uint32_t node,
                     uint32_t kind, const policy_value *picked, uint32_t *job)
{
    char message[96];
    lua_Integer number = picked->as.integer;
    *job = PN_NO_JOB;
    if (picked->type == VALUE_NIL)
        return 0;
    if (picked->type != VALUE_INTEGER &&
        !(picked->type == VALUE_FLOAT && lua_numbertointeger(picked->as.number, &number) &&
          (lua_Number)number == picked->as.number)) {
        policy_complain(policy, FUNCTION_ACT, "pick must return a job, or nil", picked);
        return -1;
    }
    *job = policy_place(policy, view, number);
    if (*job == PN_NO_JOB) {
        snprintf(message, sizeof message,
                 "pick: there is no job %lld in the system (it may have finished)",
                 (long long)number);
    } else if (pn_scheduler_pending(view, *job, kind) == 0 &&
               !pn_scheduler_resumes(view, *job, kind, node)) {
        snprintf(message, sizeof message, "pick: job %llu has no %s task that may start",
                 (unsigned long long)pn_scheduler_id(view, *job), cluster_kinds[kind]);
        *job = PN_NO_JOB;
    }
    if (*job != PN_NO_JOB)
        return 0;
    policy_complain(policy, FUNCTION_ACT, message, NULL);
    return -1;
}

static int scripted_pick(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    policy_frame outer;
    policy_value picked;
    pn_lua_policy *policy = policy_enter(pn_scheduler_policy_of(view), view, MOMENT_ACT, PN_NO_JOB,
                                         &outer);
    if (ask_for_slot(policy, FUNCTION_ACT, node, kind, &picked, 1) != 0 ||
        take_pick(policy, view, node, kind, &picked, job) != 0)
        return policy_give_up(policy, &outer);
    policy_leave(policy, &outer);
    return PN_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Returns what is wrong with a second attempt of this one on the node; null when nothing is. */
static const char *copy_fault(const pn_scheduler_view *view, uint32_t node, uint32_t place)
{
    if (place == PN_SCHEDULER_NO_ATTEMPT || pn_scheduler_attempt_suspended(view, place))
        return "does not run";
    if (pn_scheduler_attempt_twin(view, place) != PN_SCHEDULER_NO_ATTEMPT)
        return "has two attempts already";
    pn_scheduler_task task = pn_scheduler_attempt_task(view, place);
    if (task.node == node)
        return "runs on this very node";
    return pn_scheduler_may_run(view, pn_scheduler_attempt_job(view, place), task.kind)
               ? NULL
               : "is of a job that runs running_most attempts";
}

/* Takes the job and the task that the script returned. 0, or -1 after a complaint. */
static int take_copy(pn_lua_policy *policy, const pn_scheduler_view *view, uint32_t node,
                     uint32_t kind, const policy_value returned[2], uint32_t *place)
{
    char message[128];
    if (returned[0].type == VALUE_NIL)
        return 0;
    lua_Integer number = returned[0].as.integer, task = returned[1].as.integer;
    if (returned[0].type != VALUE_INTEGER || returned[1].type != VALUE_INTEGER) {
        policy_complain(policy, FUNCTION_COPY, "copy must return a job and a task of it, or nil",
                        &returned[returned[0].type == VALUE_INTEGER]);
        return -1;
    }
    uint32_t job = policy_place(policy, view, number);
    if (job != PN_NO_JOB && task >= 1 && task <= UINT32_MAX)
        *place = pn_scheduler_task_attempt(view, job, kind, (uint32_t)task - 1);
    const char *fault = job == PN_NO_JOB ? "is in no job of the system"
                                         : copy_fault(view, node, *place);
    if (!fault)
        return 0;
    *place = PN_SCHEDULER_NO_ATTEMPT;
    snprintf(message, sizeof message, "copy: %s task %lld of job %lld %s", cluster_kinds[kind],
             (long long)task, (long long)number, fault);
    policy_complain(policy, FUNCTION_COPY, message, NULL);
    return -1;
}

static int scripted_copy(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    policy_frame outer;
    policy_value returned[2];
    pn_lua_policy *policy = policy_enter(pn_scheduler_policy_of(view), view, MOMENT_ACT, PN_NO_JOB,
                                         &outer);
    if (ask_for_slot(policy, FUNCTION_COPY, node, kind, returned, 2) != 0 ||
        take_copy(policy, view, node, kind, returned, place) != 0)
        return policy_give_up(policy, &outer);
    policy_leave(policy, &outer);
    return PN_OK;
}

const pn_scheduler_policy cluster_scripted = {
    .key = scripted_key,
    .init = scripted_init,
    .admit = scripted_admit,
    .arrive = scheduler_arrive,
    .leave = scheduler_finish,
    .elapse = scripted_elapse,
    .plan = scripted_plan,
    .preempt = scripted_preempt,
    .pick = scripted_pick,
    .copy = scripted_copy,
};

/* ---- the model ------------------------------------------------------------------------------- */

static void write_time(const pn_lua_policy *policy, const void *view, char *text, size_t size)
{
    (void)policy;
    snprintf(text, size, "%llu", (unsigned long long)pn_scheduler_now(view));
}

const policy_model policy_cluster_model = {
    .name = "cluster",
    .time_word = "time",
    .world = "the cluster",
    .asking = "a key",
    .drawing = "draw in arrive, and keep it in per_job",
    .writing = "admit, plan, preempt, pick, elapse, arrive, leave or init",
    .fields = cluster_fields,
    .questions = cluster_questions,
    .methods = cluster_methods,
    .more_methods = cluster_admission_methods,
    .words = WORDS,
    .chooses = true,
    .remembers = true,
    .define = cluster_define,
    .params = offsetof(pn_scheduler_policy, params),
    .param_value = scheduler_param,
    .stream = scheduler_stream,
    .write_time = write_time,
    .write_c = cluster_write_c,
    .id = scheduler_id,
    .jobs_max = scheduler_jobs_max,
    .active = active,
    .state = scheduler_state,
    .fail = fail,
    POLICY_CARRIED_OF(scheduler),
};

POLICY_PUBLIC(cluster, pn_scheduler_policy, pn_lua_policy_behind_cluster)

int pn_lua_policy_suspends(const pn_lua_policy *policy)
{
    return policy && policy->model == &policy_cluster_model && policy->table.cluster.preempt &&
           ((policy->uses & USES_SUSPENDS) || policy->asks_uses);
}
