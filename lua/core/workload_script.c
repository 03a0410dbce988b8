/* Workloads written in Lua: a generator in a sandbox, or a function of the script that runs, as a
 * source of jobs like the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "generator/draws.h"
#include "generator/state.h"
#include "sandboxes.h"
#include "workload.h"

#define DESCRIBED "pinion.DescribedWorkload"

/* ---- the source ------------------------------------------------------------------------------ */

typedef struct script_source {
    source_head head;
    pn_lua_workload *script;
    uint64_t seed;
    uint32_t replica;
    int started; /* what the last start returned */
} script_source;

static script_source *script(source *base)
{
    return (script_source *)base;
}

/* Returns why there is no job, in the source's words. */
static int stopped(script_source *self, int status)
{
    if (status == 0)
        return SOURCE_END;
    snprintf(self->head.base.fault, sizeof self->head.base.fault, "%s",
             pn_lua_workload_message(self->script));
    return pn_lua_workload_interrupted(self->script) ? SOURCE_INTERRUPTED : SOURCE_FAULT;
}

static void rewind_script(source *base)
{
    script_source *self = script(base);
    const workload_model *model = core_models[base->model]->workload;
    self->started = pn_lua_workload_start(self->script, self->seed, self->replica);
    if (model->scripted)
        model->scripted(base, self->script);
}

#define SCRIPT_NEXT(MODEL, JOB)                                       \
    static int next_##MODEL(source *base, void *job)                  \
    {                                                                 \
        script_source *self = script(base);                           \
        int status = self->started;                                   \
        if (status == PN_OK)                                          \
            status = pn_lua_workload_next_##MODEL(self->script, job); \
        return status == 1 ? SOURCE_JOB : stopped(self, status);      \
    }
GENERATOR_MODELS(SCRIPT_NEXT)

static void destroy_script(source *base)
{
    pn_lua_workload_free(script(base)->script);
    free(base);
}

#define SCRIPT_MODEL(MODEL, JOB) {#MODEL, next_##MODEL},

/* How the jobs of a model are read. */
static const struct script_model {
    const char *name;
    int (*next)(source *base, void *job);
} script_models[] = {GENERATOR_MODELS(SCRIPT_MODEL)};

static uint8_t number_of(const char *model)
{
    uint8_t number = 0;
    while (strcmp(core_models[number]->name, model) != 0)
        number++;
    return number;
}

/* Takes the script over, unless memory is short: then null. */
static source *script_source_new(pn_lua_workload *from, uint64_t seed, uint32_t replica)
{
    script_source *self = calloc(1, sizeof *self);
    const struct script_model *model = script_models;
    if (!self)
        return NULL;
    while (strcmp(model->name, pn_lua_workload_model(from)) != 0)
        model++;
    self->head.base.model = number_of(model->name);
    self->head.base.next = model->next;
    self->head.base.rewind = rewind_script;
    self->head.base.destroy = destroy_script;
    self->head.base.count = SOURCE_UNKNOWN;
    self->script = from;
    self->seed = seed;
    self->replica = replica;
    return &self->head.base;
}

/* Returns the names of its groups, of which group 0 has none; an array that the caller frees, or
 * null. */
static const char **group_names(const pn_lua_workload *script, uint32_t *count)
{
    const char *const *names = pn_lua_workload_groups(script, count);
    const char **all = calloc((size_t)*count + 1, sizeof *all);
    for (uint32_t i = 0; all && i < *count; i++)
        all[i + 1] = names[i];
    *count += *count > 0;
    return all;
}

/* Returns the labels of an attribute as groups; "" is none. */
static const char **labels_as_groups(const pn_lua_workload *script, uint32_t *count)
{
    const char *const *texts = pn_lua_workload_labels(script, (uint32_t)script->group_by, count);
    const char **all = calloc((size_t)*count + 1, sizeof *all);
    for (uint32_t i = 0; all && i < *count; i++)
        all[i] = texts[i][0] ? texts[i] : NULL;
    return all;
}

static int carry_labels(source *self, const pn_lua_workload *script)
{
    int done = 1;
    for (uint32_t i = 0; done && i < self->attribute_count; i++) {
        uint32_t count;
        const char *const *texts = pn_lua_workload_labels(script, i, &count);
        done = count == 0 || source_label(self, i, texts, count);
    }
    return done;
}

/* Carries on the attributes of its jobs and the names of their groups; the names are copied, as
 * those of the script change when it starts. */
static int carry(source *self, const pn_lua_workload *script)
{
    uint32_t attributes, groups;
    const char *const *names = pn_lua_workload_attributes(script, &attributes);
    const char **of_groups = script->group_by < 0 ? group_names(script, &groups)
                                                  : labels_as_groups(script, &groups);
    int done = of_groups && source_carry(self, names, attributes, of_groups, groups) &&
               carry_labels(self, script);
    free(of_groups);
    return done;
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* The attributes of all jobs, while they are made. */
typedef struct batch_attributes {
    double *values;
    size_t count, room;
} batch_attributes;

static int add_attributes(batch_attributes *to, const double *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        void *array = to->values;
        int grown = source_grow(&array, to->count, &to->room, sizeof *to->values);
        to->values = array;
        if (!grown)
            return 0;
        to->values[to->count++] = values[i];
    }
    return 1;
}

/* Fills all jobs of `jobs` into an empty table. SOURCE_END, or why not. */
static int fill_table(source *table, source *jobs, batch_attributes *attributes)
{
    const workload_model *model = core_models[jobs->model]->workload;
    generator_job job;
    int answer;
    while ((answer = source_next(jobs, &job)) == SOURCE_JOB) {
        if ((table->count & 0xFF) == 0xFF && interrupt_pending())
            return SOURCE_INTERRUPTED;
        if (!model->add(table, &job) ||
            !add_attributes(attributes, job_attributes(model->job, &job), jobs->attribute_count))
            return source_out_of_memory(jobs);
    }
    return answer;
}

static int take_attributes(source *table, const pn_lua_workload *script,
                           const batch_attributes *attributes)
{
    double *room = carry(table, script) ? source_attributes_room(table) : NULL;
    if (room && attributes->count > 0)
        memcpy(room, attributes->values, attributes->count * sizeof *room);
    return room != NULL;
}

/* Fills a batch, which is planned with all its jobs known: they are made at once, into a table that
 * takes the place of the script. SOURCE_END, or why not, with the fault in the source that was
 * there. */
static int fill_batch(workload *self, const pn_lua_workload *from)
{
    source *jobs = self->work;
    source *table = core_models[jobs->model]->workload->batch(pn_lua_workload_ticks(from));
    batch_attributes attributes = {NULL, 0, 0};
    int answer = table ? fill_table(table, jobs, &attributes) : source_out_of_memory(jobs);
    if (answer == SOURCE_END && !take_attributes(table, from, &attributes))
        answer = source_out_of_memory(jobs);
    free(attributes.values);
    if (answer == SOURCE_END)
        self->work = table;
    source_free(answer == SOURCE_END ? jobs : table);
    return answer;
}

/* ---- makers ---------------------------------------------------------------------------------- */

#define MEMORY_MOST ((lua_Integer)(SIZE_MAX / 2 < LUA_MAXINTEGER ? SIZE_MAX / 2 : LUA_MAXINTEGER))

/* Reads the generator of { text, chunk, budget, memory }, in a sandbox, or of { definition, chunk
 * }, whose function runs in this state. Null, with the reason on top of the stack. */
static pn_lua_workload *read_script(lua_State *L)
{
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_options options = pn_lua_defaults();
    pn_lua_workload *made;
    const char *chunk = field_string(L, 1, "chunk"), *text;
    size_t size;
    if (lua_getfield(L, 1, "definition") == LUA_TTABLE)
        return generator_of_state(L, chunk);
    options.budget = (uint64_t)field_integer_or(L, 1, "budget", 0, LUA_MAXINTEGER,
                                                (lua_Integer)PN_LUA_BUDGET);
    options.memory = (size_t)field_integer_or(L, 1, "memory", 1, MEMORY_MOST,
                                              (lua_Integer)PN_LUA_MEMORY);
    field_string(L, 1, "text"); /* the table keeps it alive */
    lua_getfield(L, 1, "text");
    text = lua_tolstring(L, -1, &size);
    if (generator_load_watched(&made, chunk, text, size, &options, &sandbox_running, message,
                               sizeof message) == PN_OK)
        return made;
    lua_pushstring(L, message);
    return NULL;
}

static int is_choice(const pn_param *param)
{
    return param->names && strcmp(param->names[0], "false") != 0;
}

static void push_default(lua_State *L, const pn_lua_workload *from, uint32_t i)
{
    const pn_param *param = pn_lua_workload_param(from, i);
    const char *text = pn_lua_workload_param_text(from, i);
    if (text)
        lua_pushstring(L, text);
    else if (is_choice(param))
        lua_pushstring(L, param->names[(int)param->value]);
    else if (param->names)
        lua_pushboolean(L, param->value > 0);
    else if (param->integer)
        lua_pushinteger(L, (lua_Integer)param->value);
    else
        lua_pushnumber(L, param->value);
}

/* Pushes one parameter as a table: name, doc, kind ("integer", "number", "boolean", "choice",
 * "text"), default; low and high of a number; choices of a choice. */
static void push_param(lua_State *L, const pn_lua_workload *from, uint32_t i)
{
    const pn_param *param = pn_lua_workload_param(from, i);
    const char *kind = pn_lua_workload_param_text(from, i) ? "text"
                       : is_choice(param)                  ? "choice"
                       : param->names                      ? "boolean"
                       : param->integer                    ? "integer"
                                                           : "number";
    lua_createtable(L, 0, 6);
    set_string(L, "name", param->name);
    set_string(L, "doc", param->doc);
    set_string(L, "kind", kind);
    push_default(L, from, i);
    lua_setfield(L, -2, "default");
    set_number(L, "low", param->low);
    set_number(L, "high", param->high);
    if (strcmp(kind, "choice") != 0)
        return;
    lua_newtable(L);
    for (int k = 0; param->names[k]; k++) {
        lua_pushstring(L, param->names[k]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "choices");
}

static void push_names(lua_State *L, const char *const *names, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Sets "labels" in the table on top of the stack: by name, of attributes that are texts. */
static void push_labels(lua_State *L, const pn_lua_workload *from, uint32_t attributes)
{
    uint32_t count;
    const char *const *names = pn_lua_workload_attributes(from, &count);
    for (uint32_t i = 0; i < attributes; i++) {
        const char *const *texts = pn_lua_workload_labels(from, i, &count);
        if (count == 0)
            continue;
        if (lua_getfield(L, -1, "labels") == LUA_TNIL) {
            lua_pop(L, 1);
            lua_newtable(L);
            lua_pushvalue(L, -1);
            lua_setfield(L, -3, "labels");
        }
        push_names(L, texts, count);
        lua_setfield(L, -2, names[i]);
        lua_pop(L, 1);
    }
}

/* Frees the generator that a box holds; describe_script may have raised an error. */
static int described_gc(lua_State *L)
{
    pn_lua_workload **box = luaL_checkudata(L, 1, DESCRIBED);
    pn_lua_workload_free(*box);
    *box = NULL;
    return 0;
}

/* Pushes what a definition says, without a job being made: { model, name, summary, params }; or nil
 * and what is wrong with it. */
static int describe_script(lua_State *L)
{
    pn_lua_workload **box = lua_newuserdatauv(L, sizeof(pn_lua_workload *), 0), *from;
    const char *const *names;
    uint32_t count;
    *box = NULL;
    luaL_setmetatable(L, DESCRIBED);
    from = *box = read_script(L);
    if (!from)
        return push_failure(L, lua_tostring(L, -1));
    lua_createtable(L, 0, 6);
    set_string(L, "model", pn_lua_workload_model(from));
    set_string(L, "name", pn_lua_workload_name(from));
    set_string(L, "summary", pn_lua_workload_summary(from));
    lua_createtable(L, (int)pn_lua_workload_params(from), 0);
    for (uint32_t i = 0; i < pn_lua_workload_params(from); i++) {
        push_param(L, from, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "params");
    set_boolean(L, "groups_declared", from->groups_declared);
    names = pn_lua_workload_attributes(from, &count);
    push_names(L, names, count);
    lua_setfield(L, -2, "attributes");
    push_labels(L, from, count);
    pn_lua_workload_free(from);
    *box = NULL;
    return 1;
}

/* Sets the parameters in field "params", which were checked where the user wrote them. */
static void set_params(lua_State *L, pn_lua_workload *to)
{
    if (lua_getfield(L, 1, "params") != LUA_TTABLE)
        return;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        int status = lua_type(L, -1) == LUA_TSTRING
                         ? pn_lua_workload_set_text(to, name, lua_tostring(L, -1))
                     : lua_isboolean(L, -1) ? pn_lua_workload_set(to, name, lua_toboolean(L, -1))
                                            : pn_lua_workload_set(to, name, lua_tonumber(L, -1));
        if (status != PN_OK)
            luaL_argerror(L, 1, lua_pushfstring(L, "params: %s is out of its range", name));
    }
}

/* Groups that the definition does not declare may be known all the same. */
static int take_groups(lua_State *L, script_source *self)
{
    int status = PN_OK;
    if (lua_getfield(L, 1, "groups") == LUA_TTABLE)
        status = generator_declare_groups(self->script, L);
    lua_pop(L, 1);
    return status;
}

/* Takes the text attribute in field "group_by", which gives the groups. */
static void take_group_by(lua_State *L, pn_lua_workload *to)
{
    const char *name = field_string_or_null(L, 1, "group_by");
    for (uint32_t i = 0; name && i < to->attribute_count; i++)
        if (strcmp(to->attribute_names[i], name) == 0 && to->labels[i].count > 0)
            to->group_by = (int)i;
    luaL_argcheck(L, !name || to->group_by >= 0, 1, "group_by: must be a text attribute");
    to->groups_known = name != NULL;
}

/* { text or definition, chunk, params, groups, seed, replica, budget, memory } -> workload, {
 * groups, estimates }; or nil and why there is none. The first job has been made then,
 * and all of a batch. */
static int make_script(lua_State *L)
{
    workload *self;
    pn_lua_workload *from;
    script_source *made;
    const char *const *names;
    uint32_t count;
    int answer;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    self = workload_push(L);
    from = read_script(L);
    if (!from)
        return push_failure(L, lua_tostring(L, -1));
    self->work = script_source_new(from, seed, replica);
    if (!self->work) {
        pn_lua_workload_free(from);
        return workload_out_of_memory(L);
    }
    made = script(self->work);
    set_params(L, from);
    take_group_by(L, from);
    made->started = take_groups(L, made);
    if (made->started == PN_OK)
        self->work->rewind(self->work);
    answer = made->started == PN_OK ? SOURCE_END : stopped(made, made->started);
    if (answer == SOURCE_END && !carry(self->work, from))
        return workload_out_of_memory(L);
    lua_settop(L, 2);
    lua_createtable(L, 0, 2);
    names = pn_lua_workload_groups(from, &count);
    push_names(L, names, count);
    lua_setfield(L, -2, "groups");
    set_boolean(L, "estimates", pn_lua_workload_estimates(from));
    if (answer == SOURCE_END && core_models[self->work->model]->workload->batch)
        answer = fill_batch(self, from);
    return answer == SOURCE_END ? 2 : push_failure(L, source_stopped(self->work, answer));
}

/* (seed, replica, purpose) -> a stream of random numbers. */
static int make_random(lua_State *L)
{
    lua_Integer replica = luaL_optinteger(L, 2, 0), purpose = luaL_optinteger(L, 3, 0);
    luaL_argcheck(L, 0 <= replica && replica <= (lua_Integer)UINT32_MAX, 2, "must be in 0..2^32-1");
    luaL_argcheck(L, 0 <= purpose && purpose <= (lua_Integer)UINT32_MAX, 3, "must be in 0..2^32-1");
    draws_push_stream(L, (uint64_t)luaL_checkinteger(L, 1), (uint32_t)replica, (uint32_t)purpose,
                      NULL);
    return 1;
}

void lscript_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", described_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"script_describe", describe_script},
                                         {"workload_script", make_script},
                                         {"random", make_random},
                                         {NULL, NULL}};
    lpinion_type(L, DESCRIBED, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
