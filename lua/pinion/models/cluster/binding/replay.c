/* Input logs of the scheduler core. */
#include "core/replay.h"

#include <string.h>

#include "pinion/models/cluster/run/log.h"

typedef struct cluster_replay {
    replay replay;
    pn_scheduler *core;
    pn_scheduler_hooks hooks;
    pn_scheduler_input input;
    pn_scheduler_job job;
    uint32_t attributes; /* of each */
    /* its replicas, one map after the other; those of map i end before ends[i] */
    uint32_t *nodes, *ends;
} cluster_replay;

/* ---- hooks ----------------------------------------------------------------------------------- */

static size_t write_line(const void *input, uint64_t *check, char *line, size_t size)
{
    return pn_scheduler_input_line(input, check, line, size);
}

static void on_input(void *user, const pn_scheduler_input *input)
{
    if (input->kind != PN_SCHEDULER_IN_PROGRESS && input->kind != PN_SCHEDULER_IN_FETCHED)
        replay_hear(user, input);
}

static uint32_t on_progress(void *user, const pn_scheduler_task *task)
{
    return replay_answer_of(user, PN_SCHEDULER_IN_PROGRESS, task->token);
}

static int on_fetched(void *user, const pn_scheduler_task *task)
{
    return replay_answer_of(user, PN_SCHEDULER_IN_FETCHED, task->token) != 0;
}

static void on_suspend(void *user, const pn_scheduler_task *task)
{
    (void)user;
    (void)task;
}

static void on_event(void *user, const pn_scheduler_event *event)
{
    replay *self = user;
    if (replay_logs(self))
        cluster_log_event(&self->log, event);
}

/* ---- the head -------------------------------------------------------------------------------- */

/* Reads which questions the host answers, and whether it suspends. */
static const char *read_hooks(lua_State *L, cluster_replay *self, int head)
{
    if (lua_getfield(L, head, "hooks") != LUA_TTABLE)
        return lua_pushstring(L, "hooks: expected an array of texts");
    int list = lua_gettop(L);
    for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; i++) {
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?";
        if (strcmp(name, "progress") == 0)
            self->hooks.progress = on_progress;
        else if (strcmp(name, "fetched") == 0)
            self->hooks.fetched = on_fetched;
        else if (strcmp(name, "suspend") == 0)
            self->hooks.suspend = on_suspend;
        else
            return lua_pushfstring(L, "hooks: unknown: %s", name);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return NULL;
}

/* Bounds sizes. Those that are 0 follow from others, which must be as they were configured.
 * suspended_max stays: tokens follow from it; the memory of the core is bounded. */
static void bound(lua_State *L, pn_scheduler_config *config)
{
    uint64_t tasks = config->tasks_max ? config->tasks_max : (uint64_t)64 * config->jobs_max,
             replicas = config->replicas_max ? config->replicas_max : 3 * tasks;
    config->jobs_max = replay_size(L, "lines", config->jobs_max);
    config->tasks_max = replay_size(L, "tasks", tasks);
    config->replicas_max = replay_size(L, "bytes", replicas);
}

static const char *start(lua_State *L, replay *base, int head, int config)
{
    static const char *const others[] = {"nodes", NULL};
    cluster_replay *self = (cluster_replay *)base;
    pn_cluster_config given = pn_cluster_defaults();
    void *nodes;
    self->hooks = (pn_scheduler_hooks){.policy = base->policy,
                                       .params = base->params,
                                       .on_event = on_event,
                                       .on_input = on_input,
                                       .user = self,
                                       .policy_user = self};
    given.scheduler.policy = base->policy;
    const char *fault = read_hooks(L, self, head);
    if (!fault)
        fault = replay_fields(L, config, "config.", pn_scheduler_fields(PN_SCHEDULER_PART_CONFIG),
                              others, &given.scheduler);
    if (!fault)
        fault = replay_groups(L, config, "nodes", pn_scheduler_fields(PN_SCHEDULER_PART_NODES),
                              sizeof *given.scheduler.nodes, &nodes, &given.scheduler.nodes_count);
    if (fault)
        return fault;
    given.scheduler.nodes = nodes;
    self->attributes = (uint32_t)given.scheduler.attributes;
    fault = pn_scheduler_check(&given.scheduler);
    if (fault)
        return lua_pushfstring(L, "config: %s", fault);
    bound(L, &given.scheduler);
    size_t size = pn_scheduler_size(&given.scheduler);
    fault = replay_block(L, base, size);
    if (fault)
        return fault;
    if (pn_scheduler_init(&self->core, base->block, size, &given.scheduler) != 0)
        return lua_pushstring(L, "not enough memory for the core");
    if (base->log.file)
        cluster_log_start(&base->log, &given, NULL, 0, base->policy, base->params, 0);
    return NULL;
}

/* ---- events ---------------------------------------------------------------------------------- */

static const pn_field *input_fields(void)
{
    return pn_scheduler_fields(PN_SCHEDULER_PART_INPUT);
}

static void *input(replay *base, uint64_t now, uint32_t kind)
{
    cluster_replay *self = (cluster_replay *)base;
    self->input = (pn_scheduler_input){
        .now = now, .kind = kind, .digest = pn_scheduler_digest(self->core)};
    return &self->input;
}

static uint32_t replicas(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    const cluster_replay *self = where;
    uint32_t from = map > 0 ? self->ends[map - 1] : 0, count = self->ends[map] - from;
    memcpy(nodes, self->nodes + from, (count < most ? count : most) * sizeof *nodes);
    return count;
}

static const char *read_replicas(lua_State *L, cluster_replay *self, int job)
{
    uint32_t maps = self->job.maps, count, *nodes;
    uint64_t used = 0, total = 0;
    int type = lua_getfield(L, job, "replicas"), list = lua_gettop(L);
    if (type == LUA_TNIL)
        return NULL;
    if (type != LUA_TTABLE || lua_rawlen(L, list) != maps)
        return lua_pushstring(L, "job.replicas: expected an array of nodes for each map");
    for (uint32_t i = 0; i < maps; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        total += lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
        lua_pop(L, 1);
    }
    if (total > UINT32_MAX)
        return lua_pushstring(L, "job.replicas: too many");
    self->ends = lua_newuserdatauv(L, ((size_t)maps + 1) * sizeof *self->ends, 0);
    self->nodes = lua_newuserdatauv(L, ((size_t)total + 1) * sizeof *self->nodes, 0);
    for (uint32_t i = 0; i < maps; i++) {
        int top = lua_gettop(L);
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        const char *fault = replay_numbers(L, top + 1, &nodes, &count);
        if (fault)
            return lua_pushfstring(L, "job.replicas[%d]: %s", (int)i + 1, fault);
        memcpy(self->nodes + used, nodes, count * sizeof *nodes);
        used += count;
        self->ends[i] = (uint32_t)used;
        lua_settop(L, top);
    }
    self->job.replicas = replicas;
    self->job.where = self;
    return NULL;
}

static const char *read_job(lua_State *L, replay *base, int job)
{
    cluster_replay *self = (cluster_replay *)base;
    self->job = (pn_scheduler_job){0};
    self->input.job = &self->job;
    const char *fault = replay_fields(L, job, "job.", pn_scheduler_fields(PN_SCHEDULER_PART_JOB),
                                      NULL, &self->job);
    if (!fault && self->job.maps > (1 << 24))
        fault = lua_pushstring(L, "job.maps: expected at most 2^24");
    if (!fault)
        fault = replay_reals(L, job, "attributes", self->attributes, &self->job.attributes);
    return fault ? fault : read_replicas(L, self, job);
}

static int apply(replay *base)
{
    cluster_replay *self = (cluster_replay *)base;
    return pn_scheduler_apply(self->core, &self->hooks, &self->input);
}

static uint64_t digest(const replay *base)
{
    return pn_scheduler_digest(((const cluster_replay *)base)->core);
}

static void log_end(replay *base)
{
    const cluster_replay *self = (const cluster_replay *)base;
    pn_scheduler_totals totals;
    pn_scheduler_totals_get(self->core, &totals);
    cluster_log_end(&base->log, &(cluster_log_last){.end = totals.last_finish,
                                                    .unfinished = totals.in_system,
                                                    .until = PN_SCHEDULER_NEVER,
                                                    .digest = digest(base)});
}

int core_cluster_replay(lua_State *L)
{
    static const replay_model model = {.size = sizeof(cluster_replay),
                                       .start = start,
                                       .kind_name = pn_scheduler_input_name,
                                       .input_fields = input_fields,
                                       .input = input,
                                       .read_job = read_job,
                                       .write = write_line,
                                       .apply = apply,
                                       .digest = digest,
                                       .log_end = log_end};
    return core_replay(L, &model);
}
