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

/* Pushes a number of any size as two for a key: multiples of 2^53, and the rest. */
static int push_wide(lua_State *L, pn_wide value)
{
    const uint64_t rest = ((uint64_t)1 << 53) - 1;
    uint64_t high = value.high << 11 | value.low >> 53;
    dag_push_saturated(L, value.high >> 42 ? rest : high);
    dag_push_saturated(L, value.low & rest);
    return 2;
}

/* ---- asking ---------------------------------------------------------------------------------- */

#define ASK(name, expression)                        \
    static int view_##name(lua_State *L)             \
    {                                                \
        const pn_dispatch_view *view = view_self(L); \
        return dag_push_saturated(L, expression);    \
    }
#define ASK_RESOURCE(name)                                                               \
    static int view_##name(lua_State *L)                                                 \
    {                                                                                    \
        const pn_dispatch_view *view = view_self(L);                                     \
        return dag_push_saturated(L, pn_dispatch_##name(view, resource_at(L, view, 2))); \
    }
#define ASK_NODE(name)                                                                         \
    static int view_##name(lua_State *L)                                                       \
    {                                                                                          \
        const pn_dispatch_view *view = view_self(L);                                           \
        uint32_t node = dag_node_at(L, view, 2);                                               \
        return dag_push_saturated(L, pn_dispatch_##name(view, node, resource_at(L, view, 3))); \
    }
#define ASK_QUEUE(name)                                                                   \
    static int view_##name(lua_State *L)                                                  \
    {                                                                                     \
        const pn_dispatch_view *view = view_self(L);                                      \
        return dag_push_saturated(L, pn_dispatch_##name(view, dag_queue_at(L, view, 2))); \
    }
#define ASK_JOB(name, expression)                    \
    static int view_##name(lua_State *L)             \
    {                                                \
        const pn_dispatch_view *view = view_self(L); \
        uint32_t job = view_job(L, 2);               \
        return dag_push_saturated(L, expression);    \
    }
#define ASK_STAGE(name, expression)                  \
    static int view_##name(lua_State *L)             \
    {                                                \
        const pn_dispatch_view *view = view_self(L); \
        uint32_t stage = dag_stage_at(L, view, 2);   \
        return dag_push_saturated(L, expression);    \
    }

ASK(now, pn_dispatch_now(view))
ASK(in_system, pn_dispatch_active(view))
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
ASK_JOB(arrival, pn_dispatch_arrival_of(view, job))
ASK_JOB(deadline, pn_dispatch_deadline_of(view, job))
ASK_JOB(weight, pn_dispatch_weight_of(view, job))
ASK_JOB(queue, pn_dispatch_queue_of(view, job))
ASK_JOB(stages, pn_dispatch_stage_count(view, job))
ASK_JOB(stages_left, pn_dispatch_stages_left(view, job))
ASK_JOB(running, pn_dispatch_running(view, job))
ASK_JOB(work, pn_dispatch_work(view, job))
ASK_JOB(left, pn_dispatch_left(view, job))
ASK_JOB(left_area, pn_dispatch_left_area(view, job))
ASK_JOB(path, pn_dispatch_path(view, job))
ASK_STAGE(tasks, pn_dispatch_tasks(view, stage))
ASK_STAGE(running_in, pn_dispatch_stage_running(view, stage))
ASK_STAGE(done_in, pn_dispatch_done(view, stage))
ASK_STAGE(pending_in, pn_dispatch_pending(view, stage))
ASK_STAGE(estimate, pn_dispatch_estimate(view, stage))
ASK_STAGE(depth, pn_dispatch_depth(view, stage))
ASK_STAGE(dominant, pn_dispatch_dominant(view, stage))

static int view_demand(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    uint32_t stage = dag_stage_at(L, view, 2);
    return dag_push_saturated(L, pn_dispatch_demand(view, stage, resource_at(L, view, 4)));
}

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

static int view_node_speed(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    return dag_push_saturated(L, pn_dispatch_node_speed(view, dag_node_at(L, view, 2)));
}

static int view_use(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    uint32_t job = view_job(L, 2);
    return dag_push_saturated(L, pn_dispatch_use(view, job, resource_at(L, view, 3)));
}

static int view_queue_use(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    uint32_t queue = dag_queue_at(L, view, 2);
    return dag_push_saturated(L, pn_dispatch_queue_use(view, queue, resource_at(L, view, 3)));
}

static int view_service(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    return push_wide(L, pn_dispatch_service(view, view_job(L, 2)));
}

static int view_virtual_tag(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    return push_wide(L, pn_dispatch_virtual_tag(view, view_job(L, 2)));
}

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

static int view_share(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    uint32_t job = view_job(L, 2);
    return dag_push_saturated(L, pn_dispatch_share(view, job, weight_at(L, 3)));
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

static int view_scale(lua_State *L)
{
    view_self(L);
    lua_Integer a = view_amount(L, 2), b = view_amount(L, 3), c = view_amount(L, 4);
    if (c == 0)
        luaL_error(L, "%s: scale(a, b, c) divides by c >= 1, got 0", view_where(L));
    pn_wide value = pn_dispatch_scale((uint64_t)a, (uint64_t)b, (uint64_t)c);
    return dag_push_saturated(L, value.high > 0 ? UINT64_MAX : value.low);
}

static int view_priority(lua_State *L)
{
    const pn_dispatch_view *view = view_self(L);
    lua_pushinteger(L, pn_dispatch_priority_of(view, view_job(L, 2)));
    return 1;
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
static int view_exact(lua_State *L)
{
    view_self(L);
    return push_wide(L, (pn_wide){0, (uint64_t)view_amount(L, 2)});
}

/* Sets, in init, what an alignment is exchanged for. */
static int view_exchange(lua_State *L)
{
    pn_dispatch_view *view = view_self(L);
    lua_Integer permille = view_amount(L, 2);
    if (policy_of(L)->now.moment != MOMENT_INIT)
        luaL_error(L, "%s: alignments are exchanged as init says, and no other", view_where(L));
    if (permille > 1000000 || pn_dispatch_exchange(view, (uint32_t)permille) != PN_OK)
        luaL_error(L, "%s: exchange: expected 0 to 1000000 permille, got %I", view_where(L),
                   (LUAI_UACINT)permille);
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

const luaL_Reg dag_methods[] = {
    {"now", view_now},
    {"in_system", view_in_system},
    {"resources", view_resources},
    {"total", view_total},
    {"largest", view_largest},
    {"nodes", view_nodes},
    {"node_capacity", view_node_capacity},
    {"node_free", view_node_free},
    {"node_up", view_node_up},
    {"node_speed", view_node_speed},
    {"queues", view_queues},
    {"queue_weight", view_queue_weight},
    {"queue_guaranteed", view_queue_guaranteed},
    {"queue_maximum", view_queue_maximum},
    {"queue_running", view_queue_running},
    {"queue_use", view_queue_use},
    {"queue_share", view_queue_share},
    {"queue_share_with", view_queue_share_with},
    {"jobs", view_jobs},
    {"arrival", view_arrival},
    {"deadline", view_deadline},
    {"weight", view_weight},
    {"priority", view_priority},
    {"queue", view_queue},
    {"stages", view_stages},
    {"stages_left", view_stages_left},
    {"running", view_running},
    {"use", view_use},
    {"share", view_share},
    {"work", view_work},
    {"left", view_left},
    {"left_area", view_left_area},
    {"path", view_path},
    {"service", view_service},
    {"virtual_tag", view_virtual_tag},
    {"tasks", view_tasks},
    {"running_in", view_running_in},
    {"done_in", view_done_in},
    {"pending_in", view_pending_in},
    {"is_ready", view_is_ready},
    {"demand", view_demand},
    {"estimate", view_estimate},
    {"depth", view_depth},
    {"dominant", view_dominant},
    {"scale", view_scale},
    {"log2", view_log2},
    {"exact", view_exact},
    {"exchange", view_exchange},
    {NULL, NULL},
};
