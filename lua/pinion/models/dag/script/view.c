/* The view `s` of a policy of the dag model: what the script may ask of nodes, queues, jobs and
 * their stages. */
#include "policy.h"
#include "policy/view.h"

/* ---- arguments ------------------------------------------------------------------------------- */

/* Returns an integer below `count`, of things that are numbered from 0. */
static uint32_t below(lua_State *L, int argument, uint32_t count, const char *what)
{
    lua_Integer index = view_amount(L, argument);
    if (index >= (lua_Integer)count)
        luaL_error(L, "%s: there is no %s %I (there are %d, from 0)",
                   view_where_call(L, policy_of(L)->now.job), what, (LUAI_UACINT)index, (int)count);
    return (uint32_t)index;
}

uint32_t dag_node_at(lua_State *L, const pn_dispatch_view *view, int argument)
{
    return below(L, argument, pn_dispatch_nodes_all(view), "node");
}

uint32_t dag_queue_at(lua_State *L, const pn_dispatch_view *view, int argument)
{
    return below(L, argument, pn_dispatch_queues_all(view), "queue");
}

/* Returns resources are numbered from 1, as the entries of a list are. */
static uint32_t resource_at(lua_State *L, const pn_dispatch_view *view, int argument)
{
    lua_Integer index = view_amount(L, argument);
    if (index < 1 || index > (lua_Integer)pn_dispatch_resources(view))
        luaL_error(L, "%s: there is no resource %I (there are %d, from 1)",
                   view_where_call(L, policy_of(L)->now.job), (LUAI_UACINT)index,
                   (int)pn_dispatch_resources(view));
    return (uint32_t)index - 1;
}

/* Returns the stage at an argument, nearly always the one that the call is about. */
uint32_t dag_stage_at(lua_State *L, const pn_dispatch_view *view, int argument)
{
    uint32_t job = view_job(L, argument), known = policy_of(L)->now.stage;
    uint32_t index = below(L, argument + 1, pn_dispatch_stage_count(view, job), "stage");
    if (known != 0 && pn_dispatch_stage_job(view, known - 1) == job &&
        pn_dispatch_stage_index(view, known - 1) == index)
        return known - 1;
    sandbox_charge(L, index / 8);
    uint32_t stage = pn_dispatch_next_stage(view, job, PN_DISPATCH_NO_STAGE);
    for (; index > 0; index--)
        stage = pn_dispatch_next_stage(view, job, stage);
    return stage;
}

int dag_push_saturated(lua_State *L, uint64_t value)
{
    lua_pushinteger(L, value < LUA_MAXINTEGER ? (lua_Integer)value : LUA_MAXINTEGER);
    return 1;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Returns the stage at an argument of a program: only the one that the call is about. */
static bool find_stage(const pn_lua_policy *policy, const pn_dispatch_view *view,
                       const policy_value *given, uint32_t *stage)
{
    *stage = policy->now.stage - 1;
    return policy->now.stage != 0 && given[0].type == VALUE_JOB && given[1].type == VALUE_INTEGER &&
           given[0].as.integer == pn_dispatch_stage_job(view, *stage) &&
           given[1].as.integer == pn_dispatch_stage_index(view, *stage);
}

/* Reads an integer from `least` on, below `least` + `count`. */
static bool find(const policy_value *given, uint32_t least, uint32_t count, uint32_t *index)
{
    if (given->type != VALUE_INTEGER || given->as.integer < (int64_t)least ||
        given->as.integer - (int64_t)least >= (int64_t)count)
        return false;
    *index = (uint32_t)given->as.integer - least;
    return true;
}

/* Questions about something else than a job: DECLARE names what they are about, READ sets it from
 * Lua's arguments, FIND from those of a program. */
#define ASK_OF(name, DECLARE, READ, FIND, answer) \
    VIEW_QUESTION(pn_dispatch_view, name, view_self, DECLARE, FIND, READ, policy_saturated(answer))
#define RESOURCE_AT(argument) resource = resource_at(L, view, argument)
#define FIND_RESOURCE(index)  find(&given[index], 1, pn_dispatch_resources(view), &resource)
#define FIND_QUEUE            find(&given[0], 0, pn_dispatch_queues_all(view), &queue)
#define FIND_NODE             find(&given[0], 0, pn_dispatch_nodes_all(view), &node)
#define FIND_STAGE            find_stage(policy, view, given, &stage)

#define ASK(name, expression)     VIEW_ASK(pn_dispatch_view, name, policy_saturated(expression))
#define ASK_JOB(name, expression) VIEW_ASK_JOB(pn_dispatch_view, name, policy_saturated(expression))
#define ASK_RESOURCE(name)                                            \
    ASK_OF(name, uint32_t resource, RESOURCE_AT(2), FIND_RESOURCE(0), \
           pn_dispatch_##name(view, resource))
#define ASK_NODE(name)                                                          \
    ASK_OF(name, uint32_t node;                                                 \
           uint32_t resource, (node = dag_node_at(L, view, 2), RESOURCE_AT(3)), \
           FIND_RESOURCE(1) && FIND_NODE, pn_dispatch_##name(view, node, resource))
#define ASK_QUEUE(name)                                                        \
    ASK_OF(name, uint32_t queue, queue = dag_queue_at(L, view, 2), FIND_QUEUE, \
           pn_dispatch_##name(view, queue))
#define ASK_STAGE(name, function)                                              \
    ASK_OF(name, uint32_t stage, stage = dag_stage_at(L, view, 2), FIND_STAGE, \
           function(view, stage))

ASK(now, pn_dispatch_now(view))
ASK(in_system, pn_dispatch_active(view))
ASK(wanting, pn_dispatch_wanting(view))
ASK(resources, pn_dispatch_resources(view))
ASK(nodes, pn_dispatch_nodes_all(view))
ASK(queues, pn_dispatch_queues_all(view))
ASK_RESOURCE(total)
ASK_RESOURCE(largest)
ASK_NODE(node_capacity)
ASK_NODE(node_free)
ASK_QUEUE(queue_weight)
ASK_QUEUE(queue_guaranteed)
ASK_QUEUE(queue_maximum)
ASK_QUEUE(queue_running)
ASK_OF(queue_use, uint32_t queue;
       uint32_t resource, (queue = dag_queue_at(L, view, 2), RESOURCE_AT(3)),
       FIND_RESOURCE(1) && FIND_QUEUE, pn_dispatch_queue_use(view, queue, resource))
ASK_JOB(arrival, pn_dispatch_arrival_of(view, job))
ASK_JOB(deadline, pn_dispatch_deadline_of(view, job))
ASK_JOB(weight, pn_dispatch_weight_of(view, job))
ASK_JOB(queue, pn_dispatch_queue_of(view, job))
ASK_JOB(stages, pn_dispatch_stage_count(view, job))
ASK_JOB(stages_left, pn_dispatch_stages_left(view, job))
ASK_JOB(running, pn_dispatch_running(view, job))
ASK_JOB(executors, pn_dispatch_executors_of(view, job))
ASK_JOB(holds, pn_dispatch_holds(view, job))
ASK_JOB(work, pn_dispatch_work(view, job))
ASK_JOB(left, pn_dispatch_left(view, job))
ASK_JOB(left_area, pn_dispatch_left_area(view, job))
ASK_JOB(path, pn_dispatch_path(view, job))
VIEW_ASK_JOB(pn_dispatch_view, priority, policy_integer(pn_dispatch_priority_of(view, job)))
ASK_STAGE(tasks, pn_dispatch_tasks)
ASK_STAGE(running_in, pn_dispatch_stage_running)
ASK_STAGE(done_in, pn_dispatch_done)
ASK_STAGE(pending_in, pn_dispatch_pending)
ASK_STAGE(estimate, pn_dispatch_estimate)
ASK_STAGE(depth, pn_dispatch_depth)
ASK_STAGE(dominant, pn_dispatch_dominant)
ASK_OF(demand, uint32_t stage;
       uint32_t resource, (stage = dag_stage_at(L, view, 2), RESOURCE_AT(4)),
       FIND_RESOURCE(2) && FIND_STAGE, pn_dispatch_demand(view, stage, resource))
ASK_OF(node_speed, uint32_t node, node = dag_node_at(L, view, 2), FIND_NODE,
       pn_dispatch_node_speed(view, node))

static int view_is_ready(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    lua_pushboolean(L, pn_dispatch_is_ready(view, dag_stage_at(L, view, 2)));
    return 1;
}

static int view_node_up(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    lua_pushboolean(L, pn_dispatch_node_is_up(view, dag_node_at(L, view, 2)));
    return 1;
}

ASK_OF(use, uint32_t job; uint32_t resource, (job = view_job(L, 2), RESOURCE_AT(3)),
                          view_find_job(policy, given, &job) && FIND_RESOURCE(1),
                          pn_dispatch_use(view, job, resource))

/* Makes a number of any size two for a key: multiples of 2^53, and the rest. */
static void split(pn_wide value, policy_value got[2])
{
    const uint64_t rest = ((uint64_t)1 << 53) - 1;
    uint64_t high = value.high << 11 | value.low >> 53;
    got[0] = policy_saturated(value.high >> 42 ? rest : high);
    got[1] = policy_saturated(value.low & rest);
}

#define ASK_WIDE(name, value)                                                          \
    static bool ask_##name(pn_lua_policy *policy, void *at, const policy_value *given, \
                           policy_value *got)                                          \
    {                                                                                  \
        const pn_dispatch_view *view = at;                                             \
        uint32_t job;                                                                  \
        if (!view_find_job(policy, given, &job))                                       \
            return false;                                                              \
        split(value, got);                                                             \
        return true;                                                                   \
    }                                                                                  \
    static int view_##name(lua_State *L)                                               \
    {                                                                                  \
        const pn_dispatch_view *view = view_self(L);                                   \
        uint32_t job = view_job(L, 2);                                                 \
        policy_value got[2];                                                           \
        split(value, got);                                                             \
        view_push(L, got[0]);                                                          \
        return 1 + view_push(L, got[1]);                                               \
    }
ASK_WIDE(service, pn_dispatch_service(view, job))
ASK_WIDE(virtual_tag, pn_dispatch_virtual_tag(view, job))

/* ---- shares and numbers ---------------------------------------------------------------------- */

/* Returns a weight of shares, 1 where it is left out. */
static uint32_t weight_at(lua_State *L, int argument)
{
    lua_Integer weight = lua_isnoneornil(L, argument) ? 1 : view_amount(L, argument);
    if (weight < 1 || weight > PN_DISPATCH_WEIGHT_MOST)
        luaL_error(L, "%s: a weight from 1 to %d is expected, got %I",
                   view_where_call(L, policy_of(L)->now.job), PN_DISPATCH_WEIGHT_MOST,
                   (LUAI_UACINT)weight);
    return (uint32_t)weight;
}

/* Reads a weight from a program's argument, 1 where it is left out. */
static bool find_weight(const policy_value *given, uint32_t *weight)
{
    *weight = 1;
    if (given->type == VALUE_NIL)
        return true;
    return find(given, 0, PN_DISPATCH_WEIGHT_MOST + 1, weight) && *weight >= 1;
}

static bool ask_share(pn_lua_policy *policy, void *view, const policy_value *given,
                      policy_value *got)
{
    uint32_t weight;
    (void)policy;
    if (given[0].type != VALUE_JOB || !find_weight(&given[1], &weight))
        return false;
    *got = policy_saturated(pn_dispatch_share(view, (uint32_t)given[0].as.integer, weight));
    return true;
}

static int view_share(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    uint32_t job = view_job(L, 2);
    return dag_push_saturated(L, pn_dispatch_share(view, job, weight_at(L, 3)));
}

static bool ask_queue_share(pn_lua_policy *policy, void *at, const policy_value *given,
                            policy_value *got)
{
    const pn_dispatch_view *view = at;
    uint32_t queue, weight;
    (void)policy;
    if (!find(&given[0], 0, pn_dispatch_queues_all(view), &queue) ||
        !find_weight(&given[1], &weight))
        return false;
    *got = policy_saturated(pn_dispatch_queue_share(view, queue, PN_DISPATCH_NO_STAGE, weight));
    return true;
}

static int view_queue_share(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    uint32_t queue = dag_queue_at(L, view, 2);
    return dag_push_saturated(
        L, pn_dispatch_queue_share(view, queue, PN_DISPATCH_NO_STAGE, weight_at(L, 3)));
}

/* Returns a share with one more task of a stage. */
static int view_queue_share_with(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    uint32_t queue = dag_queue_at(L, view, 2);
    return dag_push_saturated(L, pn_dispatch_queue_share(view, queue, dag_stage_at(L, view, 3), 1));
}

static uint64_t scale(const policy_value *given)
{
    pn_wide value = pn_dispatch_scale((uint64_t)given[0].as.integer, (uint64_t)given[1].as.integer,
                                      (uint64_t)given[2].as.integer);
    return value.high > 0 ? UINT64_MAX : value.low;
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
    return dag_push_saturated(L, scale(given));
}

static bool ask_log2(pn_lua_policy *policy, void *view, const policy_value *given,
                     policy_value *got)
{
    (void)policy, (void)view;
    if (given[0].type != VALUE_INTEGER || given[0].as.integer < 1)
        return false;
    *got = policy_saturated(pn_dispatch_log2((uint64_t)given[0].as.integer));
    return true;
}

static int view_log2(lua_State *L)
{
    view_self(L);
    lua_Integer x = view_amount(L, 2);
    if (x == 0)
        luaL_error(L, "%s: log2(x) is of x >= 1, got 0", view_where(L));
    return dag_push_saturated(L, pn_dispatch_log2((uint64_t)x));
}

/* Makes an integer of up to 2^63 a key that is exact. */
static bool ask_exact(pn_lua_policy *policy, void *view, const policy_value *given,
                      policy_value *got)
{
    (void)policy, (void)view;
    uint64_t amount;
    if (!view_find_amount(given, &amount))
        return false;
    split((pn_wide){0, amount}, got);
    return true;
}

static int view_exact(lua_State *L)
{
    policy_value got[2];
    view_self(L);
    split((pn_wide){0, (uint64_t)view_amount(L, 2)}, got);
    view_push(L, got[0]);
    return 1 + view_push(L, got[1]);
}

/* Sets, in init, what an alignment is exchanged for. */
static int view_exchange(lua_State *L)
{
    pn_dispatch_view *view = view_self(L);
    lua_Integer permille = view_amount(L, 2);
    if (policy_of(L)->now.moment != MOMENT_INIT)
        luaL_error(L, "%s: alignments are exchanged as init says, and no other", view_where(L));
    if (permille > 1000000)
        luaL_error(L, "%s: exchange: expected 0 to 1000000 permille, got %I", view_where(L),
                   (LUAI_UACINT)permille);
    pn_dispatch_exchange(view, (uint32_t)permille);
    return 0;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int jobs_step(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    return view_push_job(L, pn_dispatch_next(view, view_job_or_none(L, 2)));
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
    *got = policy_job(pn_dispatch_next(view, after));
    return true;
}

const policy_question dag_questions[] = {
    VIEW_ASKED(now, 0, 1),
    VIEW_ASKED(in_system, 0, 1),
    VIEW_ASKED(wanting, 0, 1),
    VIEW_ASKED(resources, 0, 1),
    VIEW_ASKED(nodes, 0, 1),
    VIEW_ASKED(queues, 0, 1),
    VIEW_ASKED(total, 1, 1),
    VIEW_ASKED(largest, 1, 1),
    VIEW_ASKED(node_capacity, 2, 1),
    VIEW_ASKED(node_free, 2, 1),
    VIEW_ASKED(node_speed, 1, 1),
    VIEW_ASKED(queue_weight, 1, 1),
    VIEW_ASKED(queue_guaranteed, 1, 1),
    VIEW_ASKED(queue_maximum, 1, 1),
    VIEW_ASKED(queue_running, 1, 1),
    VIEW_ASKED(queue_use, 2, 1),
    VIEW_ASKED_BY_HAND(queue_share, 2, 1),
    VIEW_ASKED(arrival, 1, 1),
    VIEW_ASKED(deadline, 1, 1),
    VIEW_ASKED(weight, 1, 1),
    VIEW_ASKED(priority, 1, 1),
    VIEW_ASKED(queue, 1, 1),
    VIEW_ASKED(stages, 1, 1),
    VIEW_ASKED(stages_left, 1, 1),
    VIEW_ASKED(running, 1, 1),
    VIEW_ASKED(executors, 1, 1),
    VIEW_ASKED(holds, 1, 1),
    VIEW_ASKED(use, 2, 1),
    VIEW_ASKED_BY_HAND(share, 2, 1),
    VIEW_ASKED(work, 1, 1),
    VIEW_ASKED(left, 1, 1),
    VIEW_ASKED(left_area, 1, 1),
    VIEW_ASKED(path, 1, 1),
    VIEW_ASKED_BY_HAND(service, 1, 2),
    VIEW_ASKED_BY_HAND(virtual_tag, 1, 2),
    VIEW_ASKED(tasks, 2, 1),
    VIEW_ASKED(running_in, 2, 1),
    VIEW_ASKED(done_in, 2, 1),
    VIEW_ASKED(pending_in, 2, 1),
    VIEW_ASKED(demand, 3, 1),
    VIEW_ASKED(estimate, 2, 1),
    VIEW_ASKED(depth, 2, 1),
    VIEW_ASKED(dominant, 2, 1),
    VIEW_ASKED_BY_HAND(scale, 3, 1),
    VIEW_ASKED_BY_HAND(log2, 1, 1),
    VIEW_ASKED_BY_HAND(exact, 1, 2),
    VIEW_WALKS(jobs, 0, "(void)0", "pn_dispatch_next(view, after)"),
    VIEW_ASKED_END,
};

const luaL_Reg dag_methods[] = {
    {"node_up", view_node_up},
    {"queue_share_with", view_queue_share_with},
    {"is_ready", view_is_ready},
    {"exchange", view_exchange},
    {NULL, NULL},
};
