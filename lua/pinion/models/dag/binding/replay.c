/* Input logs of the dispatch core. */
#include "core/replay.h"

#include <string.h>

#include "pinion/models/dag/run/log.h"

typedef struct dag_replay {
    replay replay;
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    dag_settings settings;
    pn_dispatch_input input;
    pn_dispatch_job job;
    int is_begun; /* 1: the log has its first line */
} dag_replay;

/* ---- hooks ----------------------------------------------------------------------------------- */

static size_t write_line(const void *input, uint64_t *check, char *line, size_t size)
{
    return pn_dispatch_input_line(input, check, line, size);
}

static void on_input(void *user, const pn_dispatch_input *input)
{
    replay_hear(user, input);
}

/* Begins the log. The first line waits for the first event: a policy may choose its order when it
 * is bound. */
static void begin_log(dag_replay *self)
{
    const pn_dispatch_policy *policy = self->replay.policy;
    const pn_dispatch_order *order = pn_dispatch_order_of(self->core);
    if (!self->is_begun)
        dag_log_start(&self->replay.log, &self->settings, policy, order ? order : &policy->order,
                      self->replay.params, 0);
    self->is_begun = 1;
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    dag_replay *self = user;
    run_log *log = &self->replay.log;
    uint32_t resources = self->settings.config.dispatch.resources;
    if (!replay_logs(&self->replay))
        return;
    begin_log(self);
    if (event->event == PN_DISPATCH_ARRIVE)
        dag_log_arrival(log, self->core, event, resources);
    else if (event->event == PN_DISPATCH_NODE_RESIZE)
        dag_log_resize(log, event, resources);
    else
        dag_log_event(log, event);
}

/* ---- the head -------------------------------------------------------------------------------- */

/* Bounds sizes. Those that are 0 follow from others, which must be as they were configured.
 * attempts_max stays: tokens follow from it; the memory of the core is bounded. */
static void bound(lua_State *L, pn_dispatch_config *core)
{
    uint64_t stages = core->stages_max ? core->stages_max : (uint64_t)16 * core->jobs_max,
             edges = core->edges_max ? core->edges_max : 4 * stages;
    core->jobs_max = replay_size(L, "lines", core->jobs_max);
    core->stages_max = replay_size(L, "bytes", stages);
    core->edges_max = replay_size(L, "bytes", edges);
    core->classes_max = replay_size(L, "bytes", core->classes_max);
}

static const char *start(lua_State *L, replay *base, int head, int config)
{
    static const char *const others[] = {"nodes", "queues", NULL};
    dag_replay *self = (dag_replay *)base;
    pn_dispatch_config *core = &self->settings.config.dispatch;
    void *nodes = NULL, *queues = NULL;
    (void)head;
    self->hooks = (pn_dispatch_hooks){.policy = base->policy,
                                      .params = base->params,
                                      .on_event = on_event,
                                      .on_input = on_input,
                                      .user = self,
                                      .policy_user = self};
    self->settings.config = pn_dag_defaults();
    core->policy = base->policy;
    const char *fault = replay_fields(L, config, "config.",
                                      pn_dispatch_fields(PN_DISPATCH_PART_CONFIG), others, core);
    if (!fault)
        fault = replay_groups(L, config, "nodes", pn_dispatch_fields(PN_DISPATCH_PART_NODES),
                              sizeof *core->nodes, &nodes, &core->nodes_count);
    if (!fault)
        fault = replay_groups(L, config, "queues", pn_dispatch_fields(PN_DISPATCH_PART_QUEUE),
                              sizeof *core->queues, &queues, &core->queues_count);
    if (fault)
        return fault;
    core->nodes = nodes;
    core->queues = queues;
    fault = pn_dispatch_check(core);
    if (fault)
        return lua_pushfstring(L, "config: %s", fault);
    bound(L, core);
    self->settings.resource_names = field_string(L, 1, "resource_names");
    size_t size = pn_dispatch_size(core);
    fault = replay_block(L, base, size);
    if (fault)
        return fault;
    if (pn_dispatch_init(&self->core, base->block, size, core) != PN_OK)
        return lua_pushstring(L, "not enough memory for the core");
    return NULL;
}

/* ---- events ---------------------------------------------------------------------------------- */

static const pn_field *input_fields(void)
{
    return pn_dispatch_fields(PN_DISPATCH_PART_INPUT);
}

/* Makes the inputs. A run has no limit unless its line says one. */
static void *input(replay *base, uint64_t now, uint32_t kind)
{
    dag_replay *self = (dag_replay *)base;
    self->input = (pn_dispatch_input){.now = now,
                                      .kind = kind,
                                      .most = kind == PN_DISPATCH_IN_RUN ? UINT64_MAX : 0,
                                      .digest = pn_dispatch_digest(self->core)};
    return &self->input;
}

/* Reads the stage in the table on top of the stack; its parents go behind those before them. */
static const char *read_stage(lua_State *L, pn_dispatch_stage *stage, uint32_t *parents,
                              uint64_t *used)
{
    uint32_t *list, count;
    int table = lua_gettop(L);
    const char *fault = replay_fields(L, table, "job.stages.",
                                      pn_dispatch_fields(PN_DISPATCH_PART_STAGE), NULL, stage);
    if (fault || lua_getfield(L, table, "parents") == LUA_TNIL)
        return fault;
    fault = replay_numbers(L, table + 1, &list, &count);
    if (fault)
        return fault;
    memcpy(parents + *used, list, count * sizeof *list);
    stage->first_parent = (uint32_t)*used;
    stage->parent_count = count;
    *used += count;
    return NULL;
}

static uint64_t count_parents(lua_State *L, int list, uint32_t stages)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < stages; i++) {
        int top = lua_gettop(L);
        if (lua_rawgeti(L, list, (lua_Integer)i + 1) == LUA_TTABLE &&
            lua_getfield(L, top + 1, "parents") == LUA_TTABLE)
            count += lua_rawlen(L, -1);
        lua_settop(L, top);
    }
    return count;
}

static const char *read_stages(lua_State *L, dag_replay *self, int job)
{
    int type = lua_getfield(L, job, "stages"), list = lua_gettop(L);
    lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(L, list) : 0;
    if (count == 0 || count > PN_DISPATCH_STAGES_MOST)
        return lua_pushfstring(L, "job.stages: expected an array of 1 to %d objects",
                               (int)PN_DISPATCH_STAGES_MOST);
    uint64_t used = 0, room = count_parents(L, list, (uint32_t)count);
    if (room > PN_DISPATCH_EDGES_MOST)
        return lua_pushstring(L, "job.stages: too many parents");
    pn_dispatch_stage *stages = lua_newuserdatauv(L, (size_t)count * sizeof *stages, 0);
    uint32_t *parents = lua_newuserdatauv(L, ((size_t)room + 1) * sizeof *parents, 0);
    memset(stages, 0, (size_t)count * sizeof *stages);
    for (uint32_t i = 0; i < count; i++) {
        int top = lua_gettop(L);
        if (lua_rawgeti(L, list, (lua_Integer)i + 1) != LUA_TTABLE)
            return lua_pushstring(L, "job.stages: expected an array of objects");
        const char *fault = read_stage(L, &stages[i], parents, &used);
        if (fault)
            return fault;
        lua_settop(L, top);
    }
    self->job.stages = stages;
    self->job.parents = parents;
    self->job.stage_count = (uint32_t)count;
    self->job.parents_count = (uint32_t)used;
    return NULL;
}

static const char *read_job(lua_State *L, replay *base, int job)
{
    dag_replay *self = (dag_replay *)base;
    self->job = (pn_dispatch_job){0};
    self->input.job = &self->job;
    const char *fault = replay_fields(L, job, "job.", pn_dispatch_fields(PN_DISPATCH_PART_JOB),
                                      NULL, &self->job);
    if (!fault)
        fault = replay_reals(L, job, "attributes",
                             (uint32_t)self->settings.config.dispatch.attributes,
                             &self->job.attributes);
    return fault ? fault : read_stages(L, self, job);
}

static int apply(replay *base)
{
    dag_replay *self = (dag_replay *)base;
    return pn_dispatch_apply(self->core, &self->hooks, &self->input);
}

static uint64_t digest(const replay *base)
{
    return pn_dispatch_digest(((const dag_replay *)base)->core);
}

static void log_end(replay *base)
{
    dag_replay *self = (dag_replay *)base;
    pn_dispatch_totals totals;
    begin_log(self);
    pn_dispatch_totals_get(self->core, &totals);
    dag_log_end(&base->log, &(dag_log_last){.end = totals.last_finish,
                                            .unfinished = totals.submitted - totals.finished,
                                            .until = PN_DISPATCH_NEVER,
                                            .digest = digest(base)});
}

int core_dag_replay(lua_State *L)
{
    static const replay_model model = {.size = sizeof(dag_replay),
                                       .start = start,
                                       .kind_name = pn_dispatch_input_name,
                                       .input_fields = input_fields,
                                       .input = input,
                                       .read_job = read_job,
                                       .write = write_line,
                                       .apply = apply,
                                       .digest = digest,
                                       .log_end = log_end};
    return core_replay(L, &model);
}
