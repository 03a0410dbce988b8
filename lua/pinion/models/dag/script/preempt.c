/* What a policy of the dag model may do on ticks: suppose that attempts are killed, kill them, and
 * launch tasks. Attempts are named by their node, job, stage and task. */
#include "policy.h"
#include "policy/view.h"

static pn_dispatch_view *preempting_self(lua_State *L)
{
    pn_dispatch_view *view = view_self(L);
    if (policy_of(L)->now.moment != MOMENT_PREEMPT)
        luaL_error(L, "%s: attempts are killed, and tasks launched, only in preempt",
                   view_where(L));
    return view;
}

/* Returns the same view, where queues have an order. */
static pn_dispatch_view *queueing_self(lua_State *L)
{
    pn_dispatch_view *view = preempting_self(L);
    if (!pn_dispatch_order_get(view).by_queue)
        luaL_error(L, "%s: queues have no order (declare uses = { \"queues\" })", view_where(L));
    return view;
}

/* ---- what is offered ------------------------------------------------------------------------- */

static int view_first_offered(lua_State *L)
{
    const pn_dispatch_view *view = queueing_self(L);
    uint32_t stage = pn_dispatch_first_offered(view, dag_queue_at(L, view, 2));
    if (stage == PN_DISPATCH_NO_STAGE)
        return view_push_job(L, PN_NO_JOB);
    view_push_job(L, pn_dispatch_stage_job(view, stage));
    lua_pushinteger(L, pn_dispatch_stage_index(view, stage));
    return 2;
}

static int view_in_maximum(lua_State *L)
{
    const pn_dispatch_view *view = queueing_self(L);
    lua_pushboolean(L, pn_dispatch_in_maximum(view, dag_stage_at(L, view, 2)));
    return 1;
}

static int view_room(lua_State *L)
{
    const pn_dispatch_view *view = preempting_self(L);
    uint32_t node = pn_dispatch_room(view, dag_stage_at(L, view, 2));
    if (node == pn_dispatch_nodes_all(view))
        lua_pushnil(L);
    else
        lua_pushinteger(L, node);
    return 1;
}

/* ---- attempts -------------------------------------------------------------------------------- */

/* A copy for a loop, whose body may kill. */
typedef struct attempt_walk {
    uint32_t count, next;
    struct seen_attempt {
        lua_Integer job;
        uint64_t start;
        uint32_t stage, task, attempt;
    } seen[];
} attempt_walk;

/* Steps; upvalue 1 is the walk. */
static int attempts_step(lua_State *L)
{
    attempt_walk *walk = lua_touserdata(L, lua_upvalueindex(1));
    if (walk->next == walk->count)
        return 0;
    const struct seen_attempt *seen = &walk->seen[walk->next++];
    lua_pushinteger(L, seen->job);
    lua_pushinteger(L, seen->stage);
    lua_pushinteger(L, (lua_Integer)seen->task + 1);
    lua_pushinteger(L, (lua_Integer)seen->start);
    lua_pushinteger(L, seen->attempt);
    return 5;
}

static int view_attempts_on(lua_State *L)
{
    const pn_dispatch_view *view = preempting_self(L);
    uint32_t node = dag_node_at(L, view, 2), count = 0, at = PN_DISPATCH_NO_ATTEMPT;
    while ((at = pn_dispatch_next_on_node(view, node, at)) != PN_DISPATCH_NO_ATTEMPT)
        count++;
    sandbox_charge(L, count);
    attempt_walk *walk = lua_newuserdatauv(L, sizeof *walk + count * sizeof walk->seen[0], 0);
    *walk = (attempt_walk){0, 0};
    while (walk->count < count) {
        at = pn_dispatch_next_on_node(view, node, at);
        pn_dispatch_task task = pn_dispatch_attempt_task(view, at);
        uint32_t job = pn_dispatch_stage_job(view, pn_dispatch_attempt_stage(view, at));
        walk->seen[walk->count++] = (struct seen_attempt){policy_number(policy_of(L), view, job),
                                                          task.start, task.stage, task.task,
                                                          task.attempt};
    }
    lua_pushcclosure(L, attempts_step, 1);
    return 1;
}

/* Reads the attempt (node, job, stage, task) at the argument and those behind it. */
static uint32_t attempt_at(lua_State *L, const pn_dispatch_view *view, int argument)
{
    uint32_t node = dag_node_at(L, view, argument), stage = dag_stage_at(L, view, argument + 1);
    uint32_t at = PN_DISPATCH_NO_ATTEMPT, looked = 0;
    lua_Integer task = view_amount(L, argument + 3);
    while ((at = pn_dispatch_next_on_node(view, node, at)) != PN_DISPATCH_NO_ATTEMPT) {
        looked++;
        if (pn_dispatch_attempt_stage(view, at) == stage &&
            (lua_Integer)pn_dispatch_attempt_task(view, at).task + 1 == task)
            break;
    }
    sandbox_charge(L, looked / 4);
    if (at == PN_DISPATCH_NO_ATTEMPT)
        luaL_error(L, "%s: its task %I of stage %d does not run on node %d",
                   view_where_call(L, pn_dispatch_stage_job(view, stage)), (LUAI_UACINT)task,
                   (int)pn_dispatch_stage_index(view, stage), (int)node);
    return at;
}

static int view_may_kill(lua_State *L)
{
    const pn_dispatch_view *view = preempting_self(L);
    lua_pushboolean(L, pn_dispatch_may_kill(view, attempt_at(L, view, 2)));
    return 1;
}

static int view_share_without(lua_State *L)
{
    const pn_dispatch_view *view = preempting_self(L);
    return dag_push_saturated(L, pn_dispatch_share_without(view, attempt_at(L, view, 2)));
}

static int view_suppose(lua_State *L)
{
    pn_dispatch_view *view = preempting_self(L);
    pn_dispatch_suppose(view, attempt_at(L, view, 2));
    return 0;
}

static int view_kill_supposed(lua_State *L)
{
    pn_dispatch_kill_supposed(preempting_self(L));
    return 0;
}

static int view_spare_supposed(lua_State *L)
{
    pn_dispatch_spare_supposed(preempting_self(L));
    return 0;
}

/* Returns to the script whether it was killed: not when it is protected. */
static int view_kill(lua_State *L)
{
    pn_dispatch_view *view = preempting_self(L);
    lua_pushboolean(L, pn_dispatch_kill(view, attempt_at(L, view, 2)) == PN_OK);
    return 1;
}

static int view_launch(lua_State *L)
{
    pn_dispatch_view *view = preempting_self(L);
    uint32_t stage = dag_stage_at(L, view, 2), node = dag_node_at(L, view, 4);
    int status = pn_dispatch_launch(view, stage, node);
    if (status == PN_ERR_INFEASIBLE)
        luaL_error(L, "%s: stage %d has no task for node %d, or no room there",
                   view_where_call(L, pn_dispatch_stage_job(view, stage)),
                   (int)pn_dispatch_stage_index(view, stage), (int)node);
    if (status < 0)
        pn_dispatch_give_up(view, status);
    return 0;
}

const luaL_Reg dag_preempt_methods[] = {
    {"first_offered", view_first_offered},
    {"in_maximum", view_in_maximum},
    {"room", view_room},
    {"attempts_on", view_attempts_on},
    {"may_kill", view_may_kill},
    {"share_without", view_share_without},
    {"suppose", view_suppose},
    {"kill_supposed", view_kill_supposed},
    {"spare_supposed", view_spare_supposed},
    {"kill", view_kill},
    {"launch", view_launch},
    {NULL, NULL},
};
