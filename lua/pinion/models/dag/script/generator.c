/* Jobs of the dag model. Times are in milliseconds. */
#include <string.h>

#include "base/nearest.h"
#include "sandbox/internal.h"
#include "generator/state.h"

enum { STAGES, QUEUE };

static const char *const fields[] = {"stages", "queue", NULL};

/* Of a stage. */
enum { TASKS, DURATION, DURATIONS, DEMAND, PARENTS, ESTIMATE, START_MS, STAGE_FIELDS };

static const char *const stage_fields[] = {"tasks",   "duration", "durations", "demand",
                                           "parents", "estimate", "start_ms",  NULL};

enum { LIST_STAGES, LIST_DURATIONS, LIST_PARENTS };

/* A stage that is being read. */
typedef struct reader {
    lua_State *L;
    pn_lua_workload *self;
    uint32_t stage;
    int at; /* the values of its fields in the stack, in their order */
} reader;

/* ---- a stage's table ------------------------------------------------------------------------- */

static int refuse(const reader *r, const char *path, const char *what)
{
    return generator_refuse(r->L, r->self, -1, "stages[%d].%s: %s", (int)r->stage, path, what);
}

static int field_of(const reader *r, int key)
{
    const char *name = lua_type(r->L, key) == LUA_TSTRING ? lua_tostring(r->L, key) : NULL;
    for (int i = 0; name && i < STAGE_FIELDS; i++)
        if (strcmp(stage_fields[i], name) == 0)
            return i;
    if (!name)
        return generator_refuse(r->L, r->self, -1,
                                "stages[%d]: has an entry under a %s (expected named fields)",
                                (int)r->stage, luaL_typename(r->L, key));
    const char *near = nearest_name(name, stage_fields);
    return generator_refuse(r->L, r->self, -1, "stages[%d]: unknown field '%s'%s%s%s",
                            (int)r->stage, name, near ? " (did you mean '" : "", near ? near : "",
                            near ? "'?)" : "");
}

/* Lays the values of its fields on the stack. */
static reader open_stage(lua_State *L, pn_lua_workload *self, uint32_t stage)
{
    reader r = {.L = L, .self = self, .stage = stage};
    luaL_checkstack(L, STAGE_FIELDS + LUA_MINSTACK, NULL);
    lua_rawgeti(L, JOB_FIELDS + STAGES, (lua_Integer)stage + 1);
    int table = lua_gettop(L);
    if (!lua_istable(L, table))
        generator_refuse(L, self, -1, "stages[%d]: must be a table, got %s", (int)stage,
                         generator_shown(L, table));
    if (self->box)
        sandbox_reads(L, table);
    r.at = table + 1;
    for (int i = 0; i < STAGE_FIELDS; i++)
        lua_pushnil(L);
    for (lua_pushnil(L); lua_next(L, table);)
        lua_replace(L, r.at + field_of(&r, lua_gettop(L) - 1));
    sandbox_charge(L, STAGE_FIELDS);
    return r;
}

static void close_stage(const reader *r)
{
    lua_settop(r->L, r->at - 2);
}

/* ---- its values ------------------------------------------------------------------------------ */

static bool has(const reader *r, int field)
{
    return !lua_isnil(r->L, r->at + field);
}

/* Returns the number at `index`, of the field, or (k > 0) the element k of its list. */
static uint64_t number(const reader *r, int index, int field, size_t k, uint64_t low, uint64_t high)
{
    const char *path = stage_fields[field];
    uint64_t value;
    if (generator_integer_at(r->L, index, low, high, &value))
        return value;
    if (k > 0)
        path = lua_pushfstring(r->L, "%s[%I]", path, (LUAI_UACINT)k);
    refuse(r, path,
           lua_pushfstring(r->L, "must be an integer in %I..%I, got %s", (LUAI_UACINT)low,
                           (LUAI_UACINT)high, generator_shown(r->L, index)));
    return 0;
}

static uint64_t integer(const reader *r, int field, uint64_t low, uint64_t high, uint64_t missing)
{
    return has(r, field) ? number(r, r->at + field, field, 0, low, high) : missing;
}

/* Returns how many values the list has; 0 when it is not there. */
static size_t length(const reader *r, int field, size_t most)
{
    int index = r->at + field;
    if (!has(r, field))
        return 0;
    if (!lua_istable(r->L, index))
        refuse(r, stage_fields[field],
               lua_pushfstring(r->L, "must be a list of integers, got %s",
                               generator_shown(r->L, index)));
    if (r->self->box)
        sandbox_reads(r->L, index);
    lua_Integer count = sandbox_length(r->L, index);
    if ((uint64_t)count > most)
        refuse(r, stage_fields[field],
               lua_pushfstring(r->L, "has %I elements (expected at most %I)", (LUAI_UACINT)count,
                               (LUAI_UACINT)most));
    sandbox_charge(r->L, (uint64_t)count);
    return (size_t)count;
}

/* Returns element k, from 1 on. */
static uint64_t element(const reader *r, int field, size_t k, uint64_t high)
{
    lua_rawgeti(r->L, r->at + field, (lua_Integer)k);
    uint64_t value = number(r, lua_gettop(r->L), field, k, 0, high);
    lua_pop(r->L, 1);
    return value;
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* What the lists of all stages hold, to make room for them before they are read. */
typedef struct lists {
    size_t durations, parents;
} lists;

static lists count_lists(lua_State *L, pn_lua_workload *self, uint32_t count)
{
    lists all = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        reader r = open_stage(L, self, i);
        all.durations += length(&r, DURATIONS, PN_DISPATCH_TASKS_MOST);
        all.parents += length(&r, PARENTS, PN_DISPATCH_EDGES_MOST);
        close_stage(&r);
    }
    return all;
}

/* Reads demands. All are as long as the first one. */
static void read_demand(const reader *r, pn_dag_stage *stage)
{
    if (!has(r, DEMAND))
        refuse(r, "demand", "is required (a number for each resource)");
    size_t count = length(r, DEMAND, PN_DISPATCH_RESOURCES_MAX);
    if (r->self->resources == 0)
        r->self->resources = (uint32_t)count;
    if (count == 0 || count != r->self->resources)
        refuse(r, "demand",
               lua_pushfstring(r->L, "has %d elements (expected %s)", (int)count,
                               count == 0 ? "1 to 4, one for each resource"
                                          : "as many as the first one"));
    for (size_t i = 0; i < count; i++)
        stage->demand[i] = element(r, DEMAND, i + 1, PN_DISPATCH_DEMAND_MOST);
}

/* Reads tasks and duration, or a list. */
static void read_work(const reader *r, pn_dag_stage *stage, uint64_t **durations)
{
    if (!has(r, DURATIONS)) {
        if (!has(r, TASKS) || !has(r, DURATION))
            refuse(r, has(r, TASKS) ? "duration" : "tasks",
                   "is required (tasks and duration, or durations)");
        stage->tasks = (uint32_t)integer(r, TASKS, 1, PN_DISPATCH_TASKS_MOST, 0);
        stage->duration = integer(r, DURATION, 0, PN_DAG_MOST_MS, 0);
        return;
    }
    if (has(r, TASKS) || has(r, DURATION))
        refuse(r, "durations", "cannot be given together with tasks and duration");
    stage->tasks = (uint32_t)length(r, DURATIONS, PN_DISPATCH_TASKS_MOST);
    stage->durations = *durations;
    for (uint32_t i = 0; i < stage->tasks; i++)
        *(*durations)++ = element(r, DURATIONS, i + 1, PN_DAG_MOST_MS);
}

static void read_parents(const reader *r, pn_dag_stage *stage, uint32_t count, uint32_t **parents)
{
    stage->parent_count = (uint32_t)length(r, PARENTS, PN_DISPATCH_EDGES_MOST);
    stage->parents = *parents;
    for (uint32_t i = 0; i < stage->parent_count; i++)
        *(*parents)++ = (uint32_t)element(r, PARENTS, i + 1, count - 1);
}

static void read_stages(lua_State *L, pn_lua_workload *self, pn_dag_job *job)
{
    if (!lua_istable(L, JOB_FIELDS + STAGES))
        generator_refuse(L, self, STAGES, "is required (a list of stages)");
    uint32_t count = (uint32_t)generator_list_length(L, self, STAGES, PN_DISPATCH_STAGES_MOST);
    lists all = count_lists(L, self, count);
    pn_dag_stage *stages = generator_list_room(L, self, LIST_STAGES, count, sizeof *stages);
    uint64_t *durations = generator_list_room(L, self, LIST_DURATIONS, all.durations,
                                              sizeof *durations);
    uint32_t *parents = generator_list_room(L, self, LIST_PARENTS, all.parents, sizeof *parents);
    job->stages = stages;
    job->stage_count = count;
    for (uint32_t i = 0; i < count; i++) {
        reader r = open_stage(L, self, i);
        stages[i] = (pn_dag_stage){
            .estimate = integer(&r, ESTIMATE, 1, PN_DAG_MOST_MS, 0),
            .start_ms = integer(&r, START_MS, 0, PN_DAG_MOST_MS, PN_DAG_AUTO)};
        read_demand(&r, &stages[i]);
        read_work(&r, &stages[i], &durations);
        read_parents(&r, &stages[i], count, &parents);
        close_stage(&r);
    }
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* Returns the number of its queue among those of the definition. */
static uint32_t read_queue(lua_State *L, const pn_lua_workload *self)
{
    const char *name = "default";
    if (generator_has(L, QUEUE)) {
        if (lua_type(L, JOB_FIELDS + QUEUE) != LUA_TSTRING)
            generator_refuse(L, self, QUEUE, "must be the name of a queue, got %s",
                             generator_shown(L, JOB_FIELDS + QUEUE));
        name = lua_tostring(L, JOB_FIELDS + QUEUE);
    }
    for (uint32_t i = 0; i < self->queue_count; i++)
        if (strcmp(self->queue_names[i], name) == 0)
            return i;
    if (self->queue_count > 0 || generator_has(L, QUEUE))
        generator_refuse(L, self, QUEUE,
                         "'%s' is no queue of the definition (expected queues = { \"%s\" } there)",
                         name, name);
    return 0;
}

static void read(lua_State *L, pn_lua_workload *self)
{
    pn_dag_job *job = &self->job.dag;
    job->queue = read_queue(L, self);
    read_stages(L, self, job);
}

const generator_model generator_dag = {
    .name = "dag", .job = &dag_job, .fields = fields, .queues = true, .read = read};
