/* Jobs of the dag model. Times are in milliseconds. */
#include <string.h>

#include "base/nearest.h"
#include "sandbox/internal.h"
#include "generator/state.h"

enum { STAGES, QUEUE };

static const char *const own[] = {"stages", "queue", NULL};

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

static int refuse(const reader *of, const char *path, const char *what)
{
    return generator_refuse(of->L, of->self, -1, "stages[%d].%s: %s", (int)of->stage, path, what);
}

static int field_of(const reader *of, int key)
{
    const char *name = lua_type(of->L, key) == LUA_TSTRING ? lua_tostring(of->L, key) : NULL;
    for (int i = 0; name && i < STAGE_FIELDS; i++)
        if (strcmp(stage_fields[i], name) == 0)
            return i;
    if (!name)
        return generator_refuse(of->L, of->self, -1,
                                "stages[%d]: has an entry under a %s (expected named fields)",
                                (int)of->stage, luaL_typename(of->L, key));
    const char *near = nearest_name(name, stage_fields);
    return generator_refuse(of->L, of->self, -1, "stages[%d]: unknown field '%s'%s%s%s",
                            (int)of->stage, name, near ? " (did you mean '" : "", near ? near : "",
                            near ? "'?)" : "");
}

/* Lays the values of its fields on the stack. */
static reader open_stage(lua_State *L, pn_lua_workload *self, uint32_t stage)
{
    reader of = {.L = L, .self = self, .stage = stage};
    luaL_checkstack(L, STAGE_FIELDS + LUA_MINSTACK, NULL);
    lua_rawgeti(L, JOB_FIELDS + STAGES, (lua_Integer)stage + 1);
    int table = lua_gettop(L);
    if (!lua_istable(L, table))
        generator_refuse(L, self, -1, "stages[%d]: must be a table, got %s", (int)stage,
                         generator_shown(L, table));
    if (self->box)
        sandbox_reads(L, table);
    of.at = table + 1;
    for (int i = 0; i < STAGE_FIELDS; i++)
        lua_pushnil(L);
    for (lua_pushnil(L); lua_next(L, table);)
        lua_replace(L, of.at + field_of(&of, lua_gettop(L) - 1));
    sandbox_charge(L, STAGE_FIELDS);
    return of;
}

static void close_stage(const reader *of)
{
    lua_settop(of->L, of->at - 2);
}

/* ---- its values ------------------------------------------------------------------------------ */

static bool has(const reader *of, int field)
{
    return !lua_isnil(of->L, of->at + field);
}

/* Returns the number at `index`, of the field, or (k > 0) the element k of its list. */
static uint64_t number(const reader *of, int index, int field, size_t k, uint64_t low,
                       uint64_t high)
{
    const char *path = stage_fields[field];
    uint64_t value;
    if (generator_integer_at(of->L, index, low, high, &value))
        return value;
    if (k > 0)
        path = lua_pushfstring(of->L, "%s[%I]", path, (LUAI_UACINT)k);
    refuse(of, path,
           lua_pushfstring(of->L, "must be an integer in %I..%I, got %s", (LUAI_UACINT)low,
                           (LUAI_UACINT)high, generator_shown(of->L, index)));
    return 0;
}

static uint64_t integer(const reader *of, int field, uint64_t low, uint64_t high, uint64_t missing)
{
    return has(of, field) ? number(of, of->at + field, field, 0, low, high) : missing;
}

/* Returns how many values the list has; 0 when it is not there. */
static size_t length(const reader *of, int field, size_t most)
{
    int index = of->at + field;
    if (!has(of, field))
        return 0;
    if (!lua_istable(of->L, index))
        refuse(of, stage_fields[field],
               lua_pushfstring(of->L, "must be a list of integers, got %s",
                               generator_shown(of->L, index)));
    if (of->self->box)
        sandbox_reads(of->L, index);
    lua_Integer count = sandbox_length(of->L, index);
    if ((uint64_t)count > most)
        refuse(of, stage_fields[field],
               lua_pushfstring(of->L, "has %I elements (expected at most %I)", (LUAI_UACINT)count,
                               (LUAI_UACINT)most));
    sandbox_charge(of->L, (uint64_t)count);
    return (size_t)count;
}

/* Returns element k, from 1 on. */
static uint64_t element(const reader *of, int field, size_t k, uint64_t high)
{
    lua_rawgeti(of->L, of->at + field, (lua_Integer)k);
    uint64_t value = number(of, lua_gettop(of->L), field, k, 0, high);
    lua_pop(of->L, 1);
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
        reader of = open_stage(L, self, i);
        all.durations += length(&of, DURATIONS, PN_DISPATCH_TASKS_MOST);
        all.parents += length(&of, PARENTS, PN_DISPATCH_EDGES_MOST);
        close_stage(&of);
    }
    return all;
}

/* Reads demands. All are as long as the first one. */
static void read_demand(const reader *of, pn_dag_stage *stage)
{
    if (!has(of, DEMAND))
        refuse(of, "demand", "is required (a number for each resource)");
    size_t count = length(of, DEMAND, PN_DISPATCH_RESOURCES_MAX);
    if (of->self->resources == 0)
        of->self->resources = (uint32_t)count;
    if (count == 0 || count != of->self->resources)
        refuse(of, "demand",
               lua_pushfstring(of->L, "has %d elements (expected %s)", (int)count,
                               count == 0 ? "1 to 4, one for each resource"
                                          : "as many as the first one"));
    for (size_t r = 0; r < count; r++)
        stage->demand[r] = element(of, DEMAND, r + 1, PN_DISPATCH_DEMAND_MOST);
}

/* Reads tasks and duration, or a list. */
static void read_work(const reader *of, pn_dag_stage *stage, uint64_t **durations)
{
    if (!has(of, DURATIONS)) {
        if (!has(of, TASKS) || !has(of, DURATION))
            refuse(of, has(of, TASKS) ? "duration" : "tasks",
                   "is required (tasks and duration, or durations)");
        stage->tasks = (uint32_t)integer(of, TASKS, 1, PN_DISPATCH_TASKS_MOST, 0);
        stage->duration = integer(of, DURATION, 0, PN_DAG_MOST_MS, 0);
        return;
    }
    if (has(of, TASKS) || has(of, DURATION))
        refuse(of, "durations", "cannot be given together with tasks and duration");
    stage->tasks = (uint32_t)length(of, DURATIONS, PN_DISPATCH_TASKS_MOST);
    stage->durations = *durations;
    for (uint32_t i = 0; i < stage->tasks; i++)
        *(*durations)++ = element(of, DURATIONS, i + 1, PN_DAG_MOST_MS);
}

static void read_parents(const reader *of, pn_dag_stage *stage, uint32_t count, uint32_t **parents)
{
    stage->parent_count = (uint32_t)length(of, PARENTS, PN_DISPATCH_EDGES_MOST);
    stage->parents = *parents;
    for (uint32_t i = 0; i < stage->parent_count; i++)
        *(*parents)++ = (uint32_t)element(of, PARENTS, i + 1, count - 1);
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
        reader of = open_stage(L, self, i);
        stages[i] = (pn_dag_stage){
            .estimate = integer(&of, ESTIMATE, 1, PN_DAG_MOST_MS, 0),
            .start_ms = integer(&of, START_MS, 0, PN_DAG_MOST_MS, PN_DAG_AUTO)};
        read_demand(&of, &stages[i]);
        read_work(&of, &stages[i], &durations);
        read_parents(&of, &stages[i], count, &parents);
        close_stage(&of);
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
    .name = "dag", .job = &dag_job, .own = own, .queues = true, .read = read};
