/* Reads the table that a workload file returned, and refuses whatever it does not understand. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "sandbox/internal.h"
#include "state.h"

enum { DEFINITION = 1, DEFINITION_GENERATOR };

#define MODEL_ADDRESS(MODEL, JOB) &generator_##MODEL,
static const generator_model *const MODELS[] = {GENERATOR_MODELS(MODEL_ADDRESS)};

static void read_names(lua_State *L, pn_lua_workload *self)
{
    const char *names[GENERATOR_MODELS_COUNT + 1] = {NULL};
    for (int i = 0; i < GENERATOR_MODELS_COUNT; i++)
        names[i] = MODELS[i]->name;
    if (define_get(L, DEFINITION, "name") != LUA_TNIL)
        define_name(L, -1, self->name, "name", true);
    else if (self->box)
        define_refuse(L, "name: is required (1 to %d letters, digits, _, - and dots)",
                      DEFINE_NAME_SIZE - 1);
    if (define_get(L, DEFINITION, "model") == LUA_TNIL)
        define_refuse(L, "model: is required (%s)", define_push_choice(L, names));
    self->model = MODELS[define_word_at(L, lua_gettop(L), "", "model", names)];
    define_summary(L, DEFINITION, self->text, self->text_size, self->summary);
    lua_settop(L, DEFINITION_GENERATOR);
}

/* Reads the texts of the list on top of the stack, for the attribute with this number; the array of
 * them for C lies behind their numbers. */
static void read_labels(lua_State *L, pn_lua_workload *self, uint32_t attribute)
{
    const char *name = self->attribute_names[attribute];
    int list = lua_gettop(L);
    lua_Integer count = sandbox_length(L, list);
    const char **texts;
    bool is_number = strcmp(name, "weight") == 0 || strcmp(name, "deadline") == 0;
    if (is_number || count == 0 || count > GENERATOR_GROUPS_MAX || define_has_others(L, list))
        define_refuse(L, "attributes.%s: must be a finite number%s", name,
                      is_number ? "" : ", or a list of 1 to 4096 texts");
    texts = lua_newuserdatauv(L, (size_t)count * sizeof *texts, 0);
    lua_createtable(L, 0, (int)count + 1);
    lua_insert(L, -2);
    lua_rawseti(L, -2, 0); /* as long as there are the numbers */
    for (lua_Integer i = 1; i <= count; i++) {
        if (lua_rawgeti(L, list, i) != LUA_TSTRING || generator_odd_group(L, -1))
            define_refuse(L, "attributes.%s: element %d must be UTF-8 text", name, (int)i);
        texts[i - 1] = lua_tostring(L, -1);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) != LUA_TNIL)
            define_refuse(L, "attributes.%s: '%s' is named twice", name, texts[i - 1]);
        lua_pop(L, 1);
        lua_pushinteger(L, i - 1);
        lua_rawset(L, -3);
    }
    generator_push_kept(L, self, KEPT_LABELS);
    lua_insert(L, -2);
    lua_rawseti(L, -2, (lua_Integer)attribute + 1);
    self->labels[attribute] = (generator_labels){texts, (uint32_t)count};
}

/* Reads attributes = { weight = 1, queue = { "prod", "dev" } }: their defaults, by name, or
 * texts. */
static void read_attributes(lua_State *L, pn_lua_workload *self)
{
    int top = lua_gettop(L), type = define_get(L, DEFINITION, "attributes");
    lua_Integer count = type == LUA_TTABLE ? define_sorted_keys(L, top + 1, "attributes", false)
                                           : 0;
    if (type != LUA_TNIL && (type != LUA_TTABLE || count < 1 || count > PN_ATTRIBUTES_MAX))
        define_refuse(L,
                      "attributes: must be 1 to %d numbers by name, their defaults, such as "
                      "{ weight = 1 }",
                      PN_ATTRIBUTES_MAX);
    for (lua_Integer i = 0; i < count; i++) {
        char *name = self->attributes[i];
        lua_rawgeti(L, top + 2, i + 1);
        define_name(L, -1, name, "attributes", false);
        int value = define_get(L, top + 1, name);
        self->attribute_names[i] = name;
        if (value == LUA_TTABLE)
            read_labels(L, self, (uint32_t)i);
        else if (value != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
            define_refuse(
                L, "attributes.%s: must be a finite number, its default, or a list of texts", name);
        else
            self->attribute_defaults[i] = lua_tonumber(L, -1);
        lua_settop(L, top + 2);
    }
    self->attribute_count = (uint32_t)count;
    lua_settop(L, top);
}

/* Adds the name of a field to the table on top of the stack, which keeps its address. */
static void add_key(lua_State *L, pn_lua_workload *self, const char *name)
{
    for (int i = 0; i < self->key_count; i++)
        if (strcmp(self->keys[i], name) == 0)
            define_refuse(L,
                          "attributes.%s: is a field of every job of the %s model (expected "
                          "another name)",
                          name, self->model->name);
    self->keys[self->key_count++] = lua_pushstring(L, name);
    lua_rawseti(L, -2, self->key_count);
}

/* Returns whether the row is taken: not one that the model reads itself, or in whose place there is
 * an attribute. */
static bool takes_row(const pn_lua_workload *self, const job_field *row)
{
    if (row->kind == JOB_NAME || row->kind == JOB_OWN)
        return false;
    for (int i = 0; i < self->key_count; i++)
        if (strcmp(self->keys[i], row->name) == 0)
            return false;
    for (uint32_t i = 0; i < self->attribute_count && row->flags & JOB_YIELDS; i++)
        if (strcmp(self->attributes[i], row->name) == 0)
            return false;
    return true;
}

static void read_keys(lua_State *L, pn_lua_workload *self)
{
    lua_newtable(L);
    for (int i = 0; self->model->fields && self->model->fields[i]; i++)
        add_key(L, self, self->model->fields[i]);
    for (const job_field *row = self->model->job->fields; row->name; row++)
        if (takes_row(self, row)) {
            if (row->kind == JOB_GROUP)
                self->group_key = self->key_count;
            self->rows[self->key_count] = row;
            add_key(L, self, row->name);
        }
    self->attribute_key = self->key_count;
    for (uint32_t i = 0; i < self->attribute_count; i++)
        add_key(L, self, self->attributes[i]);
    generator_keep(L, self, KEPT_KEYS);
}

bool generator_odd_group(lua_State *L, int index)
{
    size_t size, at = 0, step = 1;
    const char *name = lua_tolstring(L, index, &size);
    for (; at < size && name[at] && step > 0; at += step)
        step = utf8_size((const unsigned char *)name + at, size - at);
    return at < size;
}

/* Reads a list of names. */
static void read_groups(lua_State *L, pn_lua_workload *self)
{
    int type = define_get(L, DEFINITION, "groups");
    lua_newtable(L); /* their numbers */
    if (type == LUA_TNIL) {
        generator_keep(L, self, KEPT_GROUPS);
        lua_pop(L, 1);
        return;
    }
    lua_Integer count = type == LUA_TTABLE ? sandbox_length(L, -2) : 0;
    if (count == 0 || count > GENERATOR_GROUPS_MAX || define_has_others(L, lua_gettop(L) - 1))
        define_refuse(L, "groups: must be a list of 1 to %d names", GENERATOR_GROUPS_MAX);
    for (lua_Integer i = 1; i <= count; i++) {
        if (lua_rawgeti(L, -2, i) != LUA_TSTRING)
            define_refuse(L, "groups: element %d must be a name, got a %s", (int)i,
                          luaL_typename(L, -1));
        if (generator_odd_group(L, -1))
            define_refuse(L, "groups: element %d must be UTF-8 text without null characters",
                          (int)i);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) != LUA_TNIL)
            define_refuse(L, "groups: '%s' is named twice", lua_tostring(L, -2));
        lua_pop(L, 1);
        lua_pushinteger(L, i);
        lua_rawset(L, -3);
    }
    self->group_count = (uint32_t)count;
    self->groups_declared = true;
    generator_keep(L, self, KEPT_GROUPS);
    lua_pop(L, 1);
}

/* Names of queues, and an array of them for C. */
static void read_queues(lua_State *L, pn_lua_workload *self)
{
    int top = lua_gettop(L), type = define_get(L, DEFINITION, "queues");
    lua_Integer count = type == LUA_TTABLE ? sandbox_length(L, -1) : 0;
    if (type != LUA_TNIL && !self->model->queues)
        define_refuse(L, "queues: is not an option of the %s model", self->model->name);
    if (type != LUA_TNIL &&
        (count == 0 || count > GENERATOR_QUEUES_MAX || define_has_others(L, top + 1)))
        define_refuse(L, "queues: must be a list of 1 to %d names", GENERATOR_QUEUES_MAX);
    lua_createtable(L, (int)count + 1, 0);
    const char **names = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
    lua_rawseti(L, top + 2, count + 1);
    for (lua_Integer i = 0; i < count; i++) {
        if (lua_rawgeti(L, top + 1, i + 1) != LUA_TSTRING || generator_odd_group(L, -1) ||
            lua_rawlen(L, -1) == 0)
            define_refuse(L, "queues: element %d must be a name", (int)i + 1);
        names[i] = lua_tostring(L, -1);
        for (lua_Integer k = 0; k < i; k++)
            if (strcmp(names[k], names[i]) == 0)
                define_refuse(L, "queues: '%s' is named twice", names[i]);
        lua_rawseti(L, top + 2, i + 1);
    }
    self->queue_names = names;
    self->queue_count = (uint32_t)count;
    generator_keep(L, self, KEPT_QUEUES);
    lua_settop(L, top);
}

static void read_function(lua_State *L, pn_lua_workload *self)
{
    int type = define_get(L, DEFINITION, "generate");
    if (type != LUA_TFUNCTION || lua_iscfunction(L, -1))
        define_refuse(L, "generate: %s",
                      type == LUA_TNIL
                          ? "is required (a function of g that makes the jobs, each by "
                            "g:job { ... })"
                          : "must be a function of g");
    generator_keep(L, self, KEPT_GENERATE);
}

int generator_define(lua_State *L)
{
    static const char *const fields[] = {"attributes", "estimates", "generate", "groups",
                                         "model",      "name",      "params",   "queues",
                                         "summary",    "ticks",     NULL};
    pn_lua_workload *self = lua_touserdata(L, DEFINITION_GENERATOR);
    define_only_fields(L, DEFINITION, "", fields);
    self->group_by = -1;
    read_names(L, self);
    lua_newtable(L);
    generator_keep(L, self, KEPT_LABELS);
    read_attributes(L, self);
    read_keys(L, self);
    self->param_count = define_params(L, DEFINITION, self->param_texts, self->params,
                                      GENERATOR_PARAMS_MAX, DEFINE_CHOOSES | DEFINE_TEXTS);
    for (uint32_t i = 0; i < self->param_count; i++)
        self->param_values[i] = self->params[i].value;
    read_groups(L, self);
    read_queues(L, self);
    self->ticks = (uint64_t)define_integer(L, DEFINITION, "", "ticks", 1, (lua_Integer)1 << 30, 1);
    if (self->ticks > 1 && !self->model->ticks)
        define_refuse(L, "ticks: is not an option of the %s model", self->model->name);
    self->estimates_declared = define_boolean(L, DEFINITION, "", "estimates", false);
    if (self->estimates_declared && !self->model->estimates)
        define_refuse(L, "estimates: is not an option of the %s model", self->model->name);
    read_function(L, self);
    generator_make_self(L, self);
    return 0;
}
