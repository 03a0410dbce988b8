/* Policies for the front end: the list of those built in, the library of those written in Lua, and
 * the userdata "pinion.LuaPolicy", a loaded policy file for one run. */
#include <math.h>
#include <string.h>

#include "embedded.h"
#include "base/interrupt.h"
#include "model.h"
#include "sandboxes.h"
#include "policy/state.h"

#define POLICY "pinion.LuaPolicy"

/* A ceiling that no machine of this kind reaches. */
#define MEMORY_MOST ((lua_Integer)(SIZE_MAX / 2 < LUA_MAXINTEGER ? SIZE_MAX / 2 : LUA_MAXINTEGER))

typedef struct lua_policy {
    pn_lua_policy *loaded;
} lua_policy;

static int policy_gc(lua_State *L)
{
    lua_policy *self = luaL_checkudata(L, 1, POLICY);
    pn_lua_policy_free(self->loaded);
    self->loaded = NULL;
    return 0;
}

/* Returns the policy of a field, null when the field is missing. */
static const pn_lua_policy *field_policy(lua_State *L, int table, const char *name)
{
    const lua_policy *self = NULL;
    if (lua_getfield(L, table, name) != LUA_TNIL) {
        self = luaL_checkudata(L, -1, POLICY);
        luaL_argcheck(L, self->loaded, table, "the policy is closed");
    }
    lua_pop(L, 1);
    return self ? self->loaded : NULL;
}

sandbox *volatile sandbox_running;

/* Interrupts a policy at Ctrl-C: a call that does not end would keep the run from looking at the
 * flag. */
static void interrupt_policy(void)
{
    sandbox *box = sandbox_running;
    if (box)
        sandbox_interrupt(box);
}

/* { text, chunk, budget, memory } -> policy, or nil and what is wrong with the text */
static int policy_load(lua_State *L)
{
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_options options = pn_lua_defaults();
    size_t size;
    luaL_checktype(L, 1, LUA_TTABLE);
    options.budget = (uint64_t)field_integer_or(L, 1, "budget", 0, LUA_MAXINTEGER,
                                                (lua_Integer)PN_LUA_BUDGET);
    options.memory = (size_t)field_integer_or(L, 1, "memory", 1, MEMORY_MOST,
                                              (lua_Integer)PN_LUA_MEMORY);
    lua_getfield(L, 1, "compile"); /* left out: yes */
    if (lua_isboolean(L, -1) && !lua_toboolean(L, -1))
        options.compile = PN_LUA_INTERPRETED;
    lua_pop(L, 1);
    const char *chunk = field_string(L, 1, "chunk");
    field_string(L, 1, "text"); /* the table keeps it alive */
    lua_getfield(L, 1, "text");
    const char *text = lua_tolstring(L, -1, &size);
    lua_policy *self = lua_newuserdatauv(L, sizeof *self, 0);
    self->loaded = NULL;
    luaL_setmetatable(L, POLICY);
    if (policy_load_watched(&self->loaded, chunk, text, size, &options, &sandbox_running, message,
                            sizeof message) != PN_OK)
        return push_failure(L, message);
    return 1;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static int is_boolean(const char *const names[])
{
    return strcmp(names[0], "false") == 0;
}

/* Returns the index of the value on top of the stack among the names of a choice; -1 when it is
 * none of them. */
static int choice_of(lua_State *L, const char *const names[])
{
    const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (is_boolean(names))
        return lua_isboolean(L, -1) ? lua_toboolean(L, -1) : -1;
    for (int i = 0; word && names[i]; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    return -1;
}

/* Returns whether the number on top of the stack is an integer that no double is exactly. */
static int inexact(lua_State *L)
{
    lua_Integer back;
    return lua_isinteger(L, -1) &&
           !(lua_numbertointeger(lua_tonumber(L, -1), &back) && back == lua_tointeger(L, -1));
}

/* Returns whether the parameter takes what is on top of the stack, and as which value. */
static int takes(lua_State *L, const pn_param *param, double *value)
{
    if (param->names) {
        *value = choice_of(L, param->names);
    } else if (lua_type(L, -1) != LUA_TNUMBER) {
        return 0;
    } else {
        *value = lua_tonumber(L, -1);
        if (param->integer && (*value != floor(*value) || inexact(L)))
            return 0;
    }
    return isfinite(*value) && param->low <= *value && *value <= param->high;
}

/* Pushes why the parameter does not take the value on top of the stack. */
static const char *push_refusal(lua_State *L, const pn_param *param, int says_range)
{
    const char *got = luaL_tolstring(L, -1, NULL);
    if (!says_range)
        return lua_pushfstring(L, "params.%s: is none of the values of this parameter: %s",
                               param->name, got);
    if (!param->integer)
        return lua_pushfstring(L, "params.%s: must be a number in %f..%f, got %s", param->name,
                               param->low, param->high, got);
    return lua_pushfstring(L, "params.%s: must be an integer in %I..%I, got %s", param->name,
                           (LUAI_UACINT)param->low, (LUAI_UACINT)param->high, got);
}

const char *core_read_params(lua_State *L, int table, const core_model *model, const void *policy,
                             double values[])
{
    pn_policy_about info = model->kernel()->policy_about(policy);
    for (uint8_t i = 0; i < info.param_count; i++) {
        const pn_param *param = &info.params[i];
        values[i] = param->value;
        if (lua_isnoneornil(L, table))
            continue;
        if (lua_getfield(L, table, param->name) != LUA_TNIL && !takes(L, param, &values[i]))
            return push_refusal(L, param, model->policies->says_range);
        lua_pop(L, 1);
    }
    return NULL;
}

/* ---- the policy of a run --------------------------------------------------------------------- */

const void *core_policy_find(const core_model *model, const char *name)
{
    const void *policy;
    for (size_t i = 0; (policy = model->kernel()->policy_at(i)); i++)
        if (strcmp(model->kernel()->policy_about(policy).name, name) == 0)
            return policy;
    return NULL;
}

/* Returns the kernel's table of the Lua policy in field "lua_policy" of argument 1; null when it is
 * missing. */
static const void *field_lua_policy(lua_State *L, const core_model *model)
{
    const pn_lua_policy *policy = field_policy(L, 1, "lua_policy");
    if (policy && strcmp(policy->model->name, model->name) != 0)
        luaL_argerror(L, 1,
                      lua_pushfstring(L, "the policy is of another model than %s", model->name));
    return policy ? &policy->table : NULL;
}

const void *core_read_policy(lua_State *L, const core_model *model, double values[],
                             const char **fault)
{
    const char *name = field_string(L, 1, "policy");
    const void *policy = field_lua_policy(L, model);
    policy = policy ? policy : core_policy_find(model, name);
    *fault = NULL;
    if (!policy) {
        *fault = lua_pushfstring(L, "no policy is called %s", name);
        return NULL;
    }
    luaL_argcheck(L, lua_getfield(L, 1, "params") == LUA_TNIL || lua_istable(L, -1), 1,
                  "params: must be a table");
    *fault = core_read_params(L, lua_gettop(L), model, policy, values);
    return policy;
}

const pn_lua_policy *core_lua_policy(lua_State *L)
{
    return field_policy(L, 1, "lua_policy");
}

void core_name_jobs(lua_State *L, const source *work)
{
    pn_lua_policy *policy = (pn_lua_policy *)(uintptr_t)field_policy(L, 1, "lua_policy");
    if (!policy)
        return;
    if (pn_lua_policy_attributes(policy, work->attribute_names, work->attribute_count) != PN_OK ||
        pn_lua_policy_groups(policy, work->group_names, work->group_count) != PN_OK)
        luaL_error(L, "not enough memory for the names of attributes and groups");
    for (uint32_t i = 0; work->labels && i < work->attribute_count; i++)
        if (pn_lua_policy_labels(policy, i, work->labels[i].texts, work->labels[i].count) != PN_OK)
            luaL_error(L, "not enough memory for the texts of attributes");
}

/* ---- descriptions ---------------------------------------------------------------------------- */

static void push_number(lua_State *L, const pn_param *param, double value)
{
    if (param->integer)
        lua_pushinteger(L, (lua_Integer)value);
    else
        lua_pushnumber(L, value);
}

static void push_choice(lua_State *L, const pn_param *param, int value)
{
    if (is_boolean(param->names))
        lua_pushboolean(L, value);
    else
        lua_pushstring(L, param->names[value]);
}

/* Sets values as a number, or as a choice, in the table on top of the stack. */
static void set_values(lua_State *L, const pn_param *param)
{
    if (!param->names) {
        set_boolean(L, "float", !param->integer);
        const struct {
            const char *name;
            double value;
        } fields[] = {{"value", param->value}, {"low", param->low}, {"high", param->high}};
        for (int i = 0; i < 3; i++) {
            push_number(L, param, fields[i].value);
            lua_setfield(L, -2, fields[i].name);
        }
        return;
    }
    push_choice(L, param, (int)param->value);
    lua_setfield(L, -2, "value");
    lua_newtable(L);
    for (int i = 0; param->names[i]; i++) {
        push_choice(L, param, i);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "choices");
}

/* Adds a parameter to the list on top of the stack. */
static void add_param(lua_State *L, const pn_param *param)
{
    lua_createtable(L, 0, 6);
    set_string(L, "name", param->name);
    set_string(L, "doc", param->doc);
    set_values(L, param);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

static void set_names(lua_State *L, const char *const names[])
{
    lua_newtable(L);
    for (int i = 0; names[i]; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "names");
}

/* Pushes a part of keys: see pn_key_part. `shift` and `bits` are those of its word. */
static void push_part(lua_State *L, const pn_key_part *part)
{
    static const char *const forms[] = {"order",  "none", "whole", "falling",  "wide",
                                        "signed", "real", "share", "priority", "rank"};
    lua_createtable(L, 0, 11);
    set_string(L, "form", forms[part->form]);
    if (part->name)
        set_string(L, "name", part->name);
    if (part->names)
        set_names(L, part->names);
    if (part->orders)
        set_string(L, "orders", part->orders);
    if (part->unit != 0.0) {
        lua_pushnumber(L, part->unit);
        lua_setfield(L, -2, "unit");
    }
    set_integer(L, "base", part->base);
    set_integer(L, "word", part->word);
    set_integer(L, "shift", part->shift);
    set_integer(L, "bits", part->bits > 0 ? part->bits : 64 - part->shift);
    set_boolean(L, "alone", part->alone);
    set_integer(L, "choice", part->choice);
}

/* Sets "keys", the parts of the policy's keys, where it says what they are, and "orders", what jobs
 * in each of its orders wait for. */
static void set_keys(lua_State *L, const core_model *model, const void *policy)
{
    const pn_key_part *part = model->kernel()->policy_about(policy).keys;
    const char *order;
    if (part) {
        lua_newtable(L);
        for (int i = 1; part->name || part->names || part->form; i++, part++) {
            push_part(L, part);
            lua_rawseti(L, -2, i);
        }
        lua_setfield(L, -2, "keys");
    }
    lua_newtable(L);
    for (uint32_t i = 0; (order = model->policies->order(policy, i)); i++) {
        lua_pushstring(L, order);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "orders");
}

static void push_policy(lua_State *L, const core_model *model, const void *policy)
{
    pn_policy_about info = model->kernel()->policy_about(policy);
    lua_createtable(L, 0, 13);
    set_string(L, "model", model->name);
    set_string(L, "name", info.name);
    set_string(L, "summary", info.summary);
    set_string(L, "source", info.source);
    if (model->policies->set)
        model->policies->set(L, policy);
    set_keys(L, model, policy);
    lua_createtable(L, info.param_count, 0);
    for (uint8_t i = 0; i < info.param_count; i++)
        add_param(L, &info.params[i]);
    lua_setfield(L, -2, "params");
}

/* Pushes all that are built in. */
static int core_policies(lua_State *L)
{
    lua_newtable(L);
    for (const core_model *const *model = core_models; *model; model++) {
        const void *policy;
        for (size_t i = 0; (policy = (*model)->kernel()->policy_at(i)); i++) {
            push_policy(L, *model, policy);
            lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
        }
    }
    return 1;
}

/* Pushes the description that built-in policies have too; a parameter that is a table says so. */
static int policy_describe(lua_State *L)
{
    const lua_policy *self = luaL_checkudata(L, 1, POLICY);
    luaL_argcheck(L, self->loaded, 1, "the policy is closed");
    push_policy(L, core_model_find(self->loaded->model->name), &self->loaded->table);
    if (self->loaded->key_name[0] != '\0')
        set_string(L, "key_name", self->loaded->key_name);
    lua_getfield(L, -1, "params");
    for (uint32_t i = 0; i < self->loaded->param_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        set_boolean(L, "table", self->loaded->param_texts[i].is_table);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return 1;
}

/* Returns of a policy { { line =, file = of a carried file, unfit = why not, left out when it is
 * compiled }, … } */
static int policy_functions(lua_State *L)
{
    const lua_policy *self = luaL_checkudata(L, 1, POLICY);
    const char *unfit, *file;
    int line;
    luaL_argcheck(L, self->loaded, 1, "the policy is closed");
    lua_newtable(L);
    for (uint32_t i = 0;; i++) {
        if (!(unfit = pn_lua_policy_unfit(self->loaded, i, &file, &line)))
            return 1;
        lua_createtable(L, 0, 2);
        set_integer(L, "line", (uint64_t)line);
        if (file[0] != '\0')
            set_string(L, "file", file);
        if (unfit[0] != '\0')
            set_string(L, "unfit", unfit);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Returns what pinion/export makes C of; nil where policies of the model are not exported. */
static int policy_export(lua_State *L)
{
    const lua_policy *self = luaL_checkudata(L, 1, POLICY);
    luaL_argcheck(L, self->loaded, 1, "the policy is closed");
    return policy_push_export(L, self->loaded);
}

/* (name, text of a table): the number that stands for it among the parameters of a run; or nil and
 * what is wrong with it. */
static int policy_set_table(lua_State *L)
{
    char message[PN_LUA_MESSAGE_SIZE];
    double params[PN_PARAMS_MAX];
    lua_policy *self = luaL_checkudata(L, 1, POLICY);
    const char *name = luaL_checkstring(L, 2);
    size_t size;
    const char *text = luaL_checklstring(L, 3, &size);
    luaL_argcheck(L, self->loaded, 1, "the policy is closed");
    int status = pn_lua_policy_set_table(self->loaded, params, name, text, size, message,
                                         sizeof message);
    luaL_argcheck(L, status != PN_ERR_ARGUMENT, 2, "no parameter of this name is a table");
    if (status != PN_OK)
        return push_failure(L, message);
    for (uint32_t i = 0; i < self->loaded->param_count; i++)
        if (strcmp(self->loaded->params[i].name, name) == 0)
            lua_pushinteger(L, (lua_Integer)params[i]);
    return 1;
}

/* Pushes the policies that come with Pinion: { { model, name, path, text }, ... } by path. */
static int policy_files(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; embedded_policies[i].name; i++) {
        const embedded_file *file = &embedded_policies[i];
        const char *model = strchr(file->name, '.') + 1, *name = strchr(model, '.') + 1;
        lua_createtable(L, 0, 4);
        lua_pushlstring(L, model, (size_t)(name - model - 1));
        lua_setfield(L, -2, "model");
        lua_pushstring(L, name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, file->chunk + 1);
        lua_setfield(L, -2, "path");
        lua_pushlstring(L, (const char *)file->bytes, file->size);
        lua_setfield(L, -2, "text");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

void lpolicy_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"describe", policy_describe},
                                       {"set_table", policy_set_table},
                                       {"functions", policy_functions},
                                       {"export", policy_export},
                                       {"close", policy_gc},
                                       {NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", policy_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"policies", core_policies},
                                         {"policy_load", policy_load},
                                         {"policy_files", policy_files},
                                         {NULL, NULL}};
    lpinion_type(L, POLICY, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
    interrupt_also(interrupt_policy);
}
