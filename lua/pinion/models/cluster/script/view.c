/* The view `s` of a policy of the cluster model: what the script may ask of the cluster, and in its
 * plans what it may do. */
#include <string.h>

#include "policy.h"
#include "policy/view.h"

/* ---- arguments ------------------------------------------------------------------------------- */

uint32_t cluster_kind_at(lua_State *L, int argument)
{
    for (uint32_t i = 0; lua_type(L, argument) == LUA_TSTRING && cluster_kinds[i]; i++)
        if (strcmp(lua_tostring(L, argument), cluster_kinds[i]) == 0)
            return i;
    return (uint32_t)view_expected(L, argument, policy_of(L)->now.job,
                                   "the kind must be map or reduce");
}

static uint32_t node_at(lua_State *L, const pn_scheduler_view *view, int argument)
{
    lua_Integer node = view_amount(L, argument);
    if (node >= (lua_Integer)pn_scheduler_all_nodes(view))
        luaL_error(L, "%s: there is no node %I (there are %d, from 0)",
                   view_where_call(L, policy_of(L)->now.job), (LUAI_UACINT)node,
                   (int)pn_scheduler_all_nodes(view));
    return (uint32_t)node;
}

static uint64_t slots_at(lua_State *L, int argument, uint32_t job)
{
    lua_Integer slots = view_amount_for(L, argument, job);
    if (slots < 1)
        luaL_error(L, "%s: a number of slots >= 1 is expected, got 0", view_where_call(L, job));
    return (uint64_t)slots;
}

static bool find_slots(const policy_value *given, uint64_t *slots)
{
    return view_find_amount(given, slots) && *slots >= 1;
}

void cluster_only_in(lua_State *L, enum policy_moment moment, const char *what, const char *hook)
{
    if (policy_of(L)->now.moment != moment)
        luaL_error(L, "%s: %s only in %s", view_where(L), what, hook);
}

void cluster_need(lua_State *L, bool has, const char *what, const char *declare)
{
    if (!has)
        luaL_error(L, "%s: there are no %s (declare %s)", view_where(L), what, declare);
}

/* Returns the view, where the core may have to ask for keys. */
static pn_scheduler_view *ordered_self(lua_State *L)
{
    pn_scheduler_view *view = view_self(L);
    if (policy_of(L)->now.moment == MOMENT_KEY)
        luaL_error(L, "%s: a key cannot ask for the order (it makes the order)", view_where(L));
    return view;
}

void cluster_check_broken(lua_State *L)
{
    if (policy_of(L)->broken)
        sandbox_raise_again(L);
}

static int push_saturated(lua_State *L, uint64_t value)
{
    lua_pushinteger(L, value < LUA_MAXINTEGER ? (lua_Integer)value : LUA_MAXINTEGER);
    return 1;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Reads the kind from a program's argument: its texts for kinds are the model's first words. */
static bool find_kind(const pn_lua_policy *policy, const policy_value *given, uint32_t *kind)
{
    const char *const *words = policy->model->words;
    *kind = given->as.text == words[0] ? 0 : 1;
    return given->type == VALUE_TEXT && given->as.text == words[*kind];
}

static bool find_node(const pn_scheduler_view *view, const policy_value *given, uint32_t *node)
{
    *node = (uint32_t)given->as.integer;
    return given->type == VALUE_INTEGER && given->as.integer >= 0 &&
           given->as.integer < (int64_t)pn_scheduler_all_nodes(view);
}

/* Questions with a kind, of the cluster or of a job. */
#define ASK_KIND(name)                                                               \
    VIEW_QUESTION(pn_scheduler_view, name, view_self, uint32_t kind,                 \
                  find_kind(policy, &given[0], &kind), kind = cluster_kind_at(L, 2), \
                  policy_integer(pn_scheduler_##name(view, kind)))
#define ASK_TASKS(name, answer)                                                              \
    VIEW_QUESTION(pn_scheduler_view, name, view_self, uint32_t job;                          \
                  uint32_t kind,                                                             \
                  view_find_job(policy, given, &job) && find_kind(policy, &given[1], &kind), \
                  (job = view_job(L, 2), kind = cluster_kind_at(L, 3)), answer)
#define ASK_COUNT(name) ASK_TASKS(name, policy_integer(pn_scheduler_##name(view, job, kind)))

#define ASK(name, expression)     VIEW_ASK(pn_scheduler_view, name, policy_integer(expression))
#define ASK_JOB(name, expression) VIEW_ASK_JOB(pn_scheduler_view, name, policy_integer(expression))
#define ASK_JOB_AT(name)                                                                   \
    VIEW_QUESTION(pn_scheduler_view, name, view_self, uint32_t job;                        \
                  uint32_t node,                                                           \
                  view_find_job(policy, given, &job) && find_node(view, &given[1], &node), \
                  (job = view_job(L, 2), node = node_at(L, view, 3)),                      \
                  policy_boolean(pn_scheduler_##name(view, job, node)))
#define ASK_NODE(name, answer)                                       \
    VIEW_QUESTION(pn_scheduler_view, name, view_self, uint32_t node, \
                  find_node(view, given, &node), node = node_at(L, view, 2), answer)
#define ASK_NODE_KIND(name)                                                             \
    VIEW_QUESTION(pn_scheduler_view, name, view_self, uint32_t node;                    \
                  uint32_t kind,                                                        \
                  find_node(view, given, &node) && find_kind(policy, &given[1], &kind), \
                  (node = node_at(L, view, 2), kind = cluster_kind_at(L, 3)),           \
                  policy_integer(pn_scheduler_##name(view, node, kind)))

ASK(now, (int64_t)pn_scheduler_now(view))
ASK(in_system, pn_scheduler_active(view))
ASK(nodes, pn_scheduler_all_nodes(view))
ASK_KIND(capacity)
ASK_KIND(capacity_up)
ASK_KIND(free)
ASK_KIND(copied)
ASK_JOB(submit, (int64_t)pn_scheduler_submit_of(view, job))
ASK_JOB(deadline, (int64_t)pn_scheduler_deadline_of(view, job))
ASK_JOB(weight, (int64_t)pn_scheduler_weight_of(view, job))
ASK_JOB(priority, pn_scheduler_priority_of(view, job))
ASK_COUNT(tasks)
ASK_COUNT(running)
ASK_COUNT(suspended)
ASK_COUNT(done)
ASK_COUNT(unfinished)
ASK_COUNT(pending)
ASK_COUNT(need)
ASK_TASKS(may_run, policy_boolean(pn_scheduler_may_run(view, job, kind)))
ASK_JOB_AT(has_local)
ASK_JOB_AT(has_affinity)
ASK_NODE_KIND(node_free)
ASK_NODE_KIND(node_slots)
ASK_NODE(node_up, policy_boolean(pn_scheduler_node_is_up(view, node)))
ASK_NODE(node_speed, policy_integer(pn_scheduler_node_speed(view, node)))

static int view_resumes(lua_State *L)
{
    const pn_scheduler_view *view = view_self(L);
    uint32_t job = view_job(L, 2), kind = cluster_kind_at(L, 3);
    sandbox_charge(L, pn_scheduler_suspended(view, job, kind) / 4);
    lua_pushboolean(L, pn_scheduler_resumes(view, job, kind, node_at(L, view, 4)));
    return 1;
}

static uint64_t scale(const policy_value *given)
{
    return pn_scheduler_scale((uint64_t)given[0].as.integer, (uint64_t)given[1].as.integer,
                              (uint64_t)given[2].as.integer);
}

static bool ask_scale(pn_lua_policy *policy, void *view, const policy_value *given,
                      policy_value *got)
{
    (void)policy, (void)view;
    if (!view_find_scale(given))
        return false;
    *got = policy_saturated(scale(given));
    return true;
}

static int view_scale(lua_State *L)
{
    policy_value given[3];
    view_self(L);
    view_read_scale(L, given);
    return push_saturated(L, scale(given));
}

/* ---- estimates ------------------------------------------------------------------------------- */

static bool has_estimates(const pn_scheduler_view *view)
{
    return pn_scheduler_order_get(view).estimates != 0;
}

static const pn_scheduler_view *estimating_self(lua_State *L)
{
    const pn_scheduler_view *view = view_self(L);
    cluster_need(L, has_estimates(view), "estimates", "uses = { \"estimates\" }");
    return view;
}

#define ASK_ESTIMATE(name)                                                                         \
    VIEW_QUESTION(pn_scheduler_view, name, estimating_self, uint32_t job,                          \
                  has_estimates(view) && view_find_job(policy, given, &job), job = view_job(L, 2), \
                  policy_saturated(pn_scheduler_##name(view, job)))
ASK_ESTIMATE(remaining)
ASK_ESTIMATE(alone)

VIEW_QUESTION(pn_scheduler_view, average, estimating_self, uint32_t job;
              uint32_t kind,
              has_estimates(view) && view_find_job(policy, given, &job) &&
                  find_kind(policy, &given[1], &kind),
              (job = view_job(L, 2), kind = cluster_kind_at(L, 3)),
              policy_saturated(pn_scheduler_average(view, job, kind)))
VIEW_QUESTION(pn_scheduler_view, remaining_on, estimating_self, uint32_t job;
              uint64_t slots[2],
              has_estimates(view) && view_find_job(policy, given, &job) &&
                  find_slots(given + 1, &slots[0]) && find_slots(given + 2, &slots[1]),
              (job = view_job(L, 2), slots[0] = slots_at(L, 3, job),
               slots[1] = slots_at(L, 4, job)),
              policy_saturated(pn_scheduler_remaining_on(view, job, slots[0], slots[1])))

/* ---- jobs in some order ---------------------------------------------------------------------- */

static int jobs_step(lua_State *L)
{
    const pn_scheduler_view *view = view_self(L);
    return view_push_job(L, pn_scheduler_next(view, view_job_or_none(L, 2)));
}

static int view_jobs(lua_State *L)
{
    view_self(L);
    lua_pushcfunction(L, jobs_step);
    lua_pushvalue(L, 1);
    return 2;
}

static bool walk_jobs(pn_lua_policy *policy, void *view, const policy_value *given,
                      policy_value *got)
{
    uint32_t after;
    if (!view_find_job_or_none(policy, given + 1, &after))
        return false;
    *got = policy_job(pn_scheduler_next(view, after));
    return true;
}

static int view_first(lua_State *L)
{
    pn_scheduler_view *view = ordered_self(L);
    uint32_t job = pn_scheduler_first(view, cluster_kind_at(L, 2));
    cluster_check_broken(L);
    return view_push_job(L, job);
}

/* A copy of a list for a loop: the core's own is valid until its next call, which the loop may
 * make. */
typedef struct walk {
    uint32_t count, next;
    uint32_t numbers[]; /* of jobs */
} walk;

/* Steps; upvalue 1 is the walk. */
static int walk_step(lua_State *L)
{
    walk *list = lua_touserdata(L, lua_upvalueindex(1));
    if (list->next == list->count)
        lua_pushnil(L);
    else
        lua_pushinteger(L, list->numbers[list->next++]);
    return 1;
}

static int view_by_key(lua_State *L)
{
    pn_scheduler_view *view = ordered_self(L);
    uint32_t kind = cluster_kind_at(L, 2), jobs = pn_scheduler_active(view), count;
    sandbox_charge(L, jobs);
    walk *list = lua_newuserdatauv(L, sizeof *list + jobs * sizeof list->numbers[0], 0);
    const uint32_t *places = pn_scheduler_by_key(view, kind, &count);
    cluster_check_broken(L);
    for (uint32_t i = 0; i < count; i++)
        list->numbers[i] = (uint32_t)policy_number(policy_of(L), view, places[i]);
    list->count = count;
    list->next = 0;
    lua_pushcclosure(L, walk_step, 1);
    return 1;
}

/* ---- shares ---------------------------------------------------------------------------------- */

#define WEIGHT_MOST (1LL << 62)

static bool has_shares(const pn_scheduler_view *view)
{
    return pn_scheduler_order_get(view).shares != PN_SCHEDULER_SHARES_NONE;
}

static pn_scheduler_view *sharing_self(lua_State *L)
{
    pn_scheduler_view *view = view_self(L);
    cluster_need(L, has_shares(view), "shares", "uses = { \"shares\" }");
    return view;
}

static int view_weigh(lua_State *L)
{
    cluster_only_in(L, MOMENT_PLAN, "jobs are weighed", "plan");
    pn_scheduler_view *view = sharing_self(L);
    uint32_t job = view_job(L, 2);
    lua_Integer weight = view_amount_for(L, 3, job);
    pn_scheduler_weigh(view, job, (uint64_t)(weight < WEIGHT_MOST ? weight : WEIGHT_MOST));
    return 0;
}

/* Weighs a job. Nothing reads weights before the plan has ended, so it may do so again. */
static bool act_weigh(pn_lua_policy *policy, void *view, const policy_value *given,
                      policy_value *got)
{
    uint32_t job;
    uint64_t weight;
    (void)got;
    if (policy->now.moment != MOMENT_PLAN || !has_shares(view) ||
        !view_find_job(policy, given, &job) || !view_find_amount(given + 1, &weight))
        return false;
    pn_scheduler_weigh(view, job, weight < WEIGHT_MOST ? weight : WEIGHT_MOST);
    return true;
}

VIEW_QUESTION(pn_scheduler_view, share, sharing_self, uint32_t job;
              uint32_t kind,
              has_shares(view) && view_find_job(policy, given, &job) &&
                  find_kind(policy, &given[1], &kind),
              (job = view_job(L, 2), kind = cluster_kind_at(L, 3)),
              policy_integer(pn_scheduler_share(view, job, kind)))

/* Fills a table by job: milli-slots. The core writes to room in the policy's own memory. */
static int view_fill(lua_State *L)
{
    pn_scheduler_view *view = ordered_self(L);
    const pn_lua_policy *policy = policy_of(L);
    uint32_t kind = cluster_kind_at(L, 2), jobs = pn_scheduler_active(view);
    uint64_t *milli = policy_own_words(policy, view, 0);
    sandbox_charge(L, jobs);
    pn_scheduler_fill(view, kind, milli);
    lua_createtable(L, (int)jobs, 0);
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        push_saturated(L, milli[job]);
        lua_rawseti(L, -2, policy_number(policy, view, job));
    }
    return 1;
}

/* ---- tasks, killing and suspending them ------------------------------------------------------ */

typedef struct seen_task {
    uint64_t start;
    uint32_t task, node, attempt, progress;
    bool copied;
} seen_task;

typedef struct task_walk {
    uint32_t count, next;
    seen_task tasks[];
} task_walk;

static seen_task see(const pn_scheduler_view *view, uint32_t run)
{
    pn_scheduler_task task = pn_scheduler_attempt_task(view, run);
    return (seen_task){task.start,
                       task.task,
                       task.node,
                       task.attempt,
                       pn_scheduler_attempt_progress(view, run),
                       pn_scheduler_attempt_twin(view, run) != PN_SCHEDULER_NO_ATTEMPT};
}

/* Steps; upvalue 1 is the walk. */
static int tasks_step(lua_State *L)
{
    task_walk *list = lua_touserdata(L, lua_upvalueindex(1));
    if (list->next == list->count)
        return 0;
    const seen_task *seen = &list->tasks[list->next++];
    lua_pushinteger(L, (lua_Integer)seen->task + 1);
    lua_pushinteger(L, seen->node);
    lua_pushinteger(L, (lua_Integer)seen->start);
    lua_pushinteger(L, seen->attempt);
    lua_pushinteger(L, seen->progress);
    lua_pushboolean(L, seen->copied);
    return 6;
}

/* Pushes the tasks, which are looked at before the loop begins, which may kill them. */
static int push_tasks(lua_State *L,
                      uint32_t count_of(const pn_scheduler_view *, uint32_t, uint32_t),
                      uint32_t next_of(const pn_scheduler_view *, uint32_t, uint32_t, uint32_t))
{
    const pn_scheduler_view *view = view_self(L);
    uint32_t job = view_job(L, 2), kind = cluster_kind_at(L, 3), run = PN_SCHEDULER_NO_ATTEMPT;
    uint32_t count = count_of(view, job, kind);
    sandbox_charge(L, count);
    task_walk *list = lua_newuserdatauv(L, sizeof *list + count * sizeof list->tasks[0], 0);
    *list = (task_walk){0, 0};
    while (list->count < count && (run = next_of(view, job, kind, run)) != PN_SCHEDULER_NO_ATTEMPT)
        list->tasks[list->count++] = see(view, run);
    lua_pushcclosure(L, tasks_step, 1);
    return 1;
}

static int view_tasks_running(lua_State *L)
{
    return push_tasks(L, pn_scheduler_running, pn_scheduler_next_attempt);
}

static int view_tasks_suspended(lua_State *L)
{
    return push_tasks(L, pn_scheduler_suspended, pn_scheduler_next_suspended);
}

typedef struct node_walk {
    uint32_t count, next;
    struct node_attempt {
        uint32_t number; /* of the job */
        uint32_t kind;
        seen_task task;
    } attempts[];
} node_walk;

/* Steps; upvalue 1 is the walk. */
static int node_step(lua_State *L)
{
    node_walk *list = lua_touserdata(L, lua_upvalueindex(1));
    if (list->next == list->count)
        return 0;
    const struct node_attempt *attempt = &list->attempts[list->next++];
    lua_pushinteger(L, attempt->number);
    lua_pushstring(L, cluster_kinds[attempt->kind]);
    lua_pushinteger(L, (lua_Integer)attempt->task.task + 1);
    lua_pushinteger(L, (lua_Integer)attempt->task.start);
    lua_pushinteger(L, attempt->task.attempt);
    lua_pushinteger(L, attempt->task.progress);
    lua_pushboolean(L, attempt->task.copied);
    return 7;
}

static uint32_t slots_taken(const pn_scheduler_view *view, uint32_t node)
{
    uint32_t count = 0, run = PN_SCHEDULER_NO_ATTEMPT;
    while ((run = pn_scheduler_next_on_node(view, node, run)) != PN_SCHEDULER_NO_ATTEMPT)
        count++;
    return count;
}

/* Lists what runs on a node, the last launched first; looked at before the loop begins. */
static int view_attempts_on(lua_State *L)
{
    const pn_scheduler_view *view = view_self(L);
    uint32_t node = node_at(L, view, 2), count = slots_taken(view, node);
    uint32_t run = PN_SCHEDULER_NO_ATTEMPT;
    sandbox_charge(L, 2 * (uint64_t)count);
    node_walk *list = lua_newuserdatauv(L, sizeof *list + count * sizeof list->attempts[0], 0);
    *list = (node_walk){0, 0};
    while (list->count < count) {
        run = pn_scheduler_next_on_node(view, node, run);
        list->attempts[list->count++] = (struct node_attempt){
            (uint32_t)policy_number(policy_of(L), view, pn_scheduler_attempt_job(view, run)),
            pn_scheduler_attempt_task(view, run).kind, see(view, run)};
    }
    lua_pushcclosure(L, node_step, 1);
    return 1;
}

/* Kills, or suspends, so many tasks of a job. */
static int take_back(lua_State *L, pn_scheduler_view *view,
                     int take(pn_scheduler_view *, uint32_t, uint32_t, uint32_t, uint32_t *))
{
    uint32_t job = view_job(L, 2), kind = cluster_kind_at(L, 3), taken = 0;
    lua_Integer most = view_amount_for(L, 4, job);
    sandbox_charge(L, pn_scheduler_running(view, job, kind));
    take(view, job, kind, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX, &taken);
    cluster_check_broken(L);
    lua_pushinteger(L, taken);
    return 1;
}

/* Takes back one task likewise, of two attempts the older one: whether it was taken, not when it is
 * protected. */
static int take_back_task(lua_State *L, pn_scheduler_view *view,
                          int take(pn_scheduler_view *, uint32_t))
{
    uint32_t job = view_job(L, 2), kind = cluster_kind_at(L, 3), run = PN_SCHEDULER_NO_ATTEMPT;
    lua_Integer task = view_amount_for(L, 4, job);
    if (task >= 1 && task <= UINT32_MAX)
        run = pn_scheduler_task_attempt(view, job, kind, (uint32_t)task - 1);
    if (run == PN_SCHEDULER_NO_ATTEMPT || pn_scheduler_attempt_suspended(view, run))
        luaL_error(L, "%s: its %s task %I does not run", view_where_job(L, job),
                   cluster_kinds[kind], (LUAI_UACINT)task);
    int status = take(view, run);
    cluster_check_broken(L);
    lua_pushboolean(L, status == PN_OK);
    return 1;
}

static pn_scheduler_view *killing_self(lua_State *L)
{
    pn_scheduler_view *view = view_self(L);
    cluster_only_in(L, MOMENT_PREEMPT, "tasks are killed", "preempt");
    return view;
}

static int view_kill(lua_State *L)
{
    return take_back(L, killing_self(L), pn_scheduler_kill);
}

static int view_kill_task(lua_State *L)
{
    return take_back_task(L, killing_self(L), pn_scheduler_kill_attempt);
}

/* Returns the view where there is room for suspended attempts, as the policy says, or may say, that
 * it suspends. */
static pn_scheduler_view *suspending_self(lua_State *L)
{
    pn_scheduler_view *view = view_self(L);
    cluster_only_in(L, MOMENT_PREEMPT, "tasks are suspended", "preempt");
    cluster_need(L, pn_lua_policy_suspends(policy_of(L)), "suspensions", "uses = { \"suspends\" }");
    return view;
}

static int view_suspend(lua_State *L)
{
    return take_back(L, suspending_self(L), pn_scheduler_suspend);
}

static int view_suspend_task(lua_State *L)
{
    return take_back_task(L, suspending_self(L), pn_scheduler_suspend_attempt);
}

const policy_question cluster_questions[] = {
    VIEW_ASKED(now, 0, 1),
    VIEW_ASKED(in_system, 0, 1),
    VIEW_ASKED(nodes, 0, 1),
    VIEW_ASKED(capacity, 1, 1),
    VIEW_ASKED(capacity_up, 1, 1),
    VIEW_ASKED(free, 1, 1),
    VIEW_ASKED(copied, 1, 1),
    VIEW_ASKED(submit, 1, 1),
    VIEW_ASKED(deadline, 1, 1),
    VIEW_ASKED(weight, 1, 1),
    VIEW_ASKED(priority, 1, 1),
    VIEW_ASKED(tasks, 2, 1),
    VIEW_ASKED(running, 2, 1),
    VIEW_ASKED(suspended, 2, 1),
    VIEW_ASKED(done, 2, 1),
    VIEW_ASKED(unfinished, 2, 1),
    VIEW_ASKED(pending, 2, 1),
    VIEW_ASKED(need, 2, 1),
    VIEW_ASKED(may_run, 2, 1),
    VIEW_ASKED_BY_HAND(scale, 3, 1),
    VIEW_ASKED(remaining, 1, 1),
    VIEW_ASKED(alone, 1, 1),
    VIEW_ASKED(average, 2, 1),
    VIEW_ASKED(remaining_on, 3, 1),
    VIEW_ASKED(has_local, 2, 1),
    VIEW_ASKED(has_affinity, 2, 1),
    VIEW_ASKED(node_free, 2, 1),
    VIEW_ASKED(node_slots, 2, 1),
    VIEW_ASKED(node_up, 1, 1),
    VIEW_ASKED(node_speed, 1, 1),
    VIEW_ASKED(share, 2, 1),
    VIEW_WALKS(jobs, 0, "(void)0", "pn_scheduler_next(view, after)"),
    VIEW_ACTS(weigh, 2, 0, "uint32_t job; uint64_t weight",
              "pn_scheduler_weigh(view, job, weight)"),
    VIEW_ASKED_END,
};

const luaL_Reg cluster_methods[] = {
    {"attempts_on", view_attempts_on},
    {"by_key", view_by_key},
    {"first", view_first},
    {"fill", view_fill},
    {"kill", view_kill},
    {"tasks_running", view_tasks_running},
    {"kill_task", view_kill_task},
    {"suspend", view_suspend},
    {"suspend_task", view_suspend_task},
    {"tasks_suspended", view_tasks_suspended},
    {"resumes", view_resumes},
    {NULL, NULL},
};
