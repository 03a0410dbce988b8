/* Reads the table that a policy file returned, and refuses whatever it does not understand: what is
 * the same in every model. Runs inside a protected call, which puts the file's name before every
 * fault: "field: what is wrong (what was expected)". Fields are read in a fixed order, so the first
 * fault is always the same one. */
#include <string.h>

#include "define.h"
#include "view.h"

bool define_function(lua_State *L, int table, const char *where, const char *field, int which)
{
    int type = define_get(L, table, field);
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (type != LUA_TFUNCTION || lua_iscfunction(L, -1))
        define_refuse(L, "%s%s: must be a function, got a %s", where, field,
                      type == LUA_TFUNCTION ? "C function" : lua_typename(L, type));
    lua_rawseti(L, DEFINITION_FUNCTIONS, which + 1);
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

#define MODEL_ADDRESS(MODEL, TABLE) &policy_##MODEL##_model,
static const policy_model *const MODELS[] = {POLICY_MODELS(MODEL_ADDRESS)};

/* Returns the model that the definition names; null when it names none that is known. */
static const policy_model *peek_model(lua_State *L)
{
    const char *name = define_get(L, DEFINITION, "model") == LUA_TSTRING ? lua_tostring(L, -1)
                                                                         : NULL;
    const policy_model *model = NULL;
    for (int i = 0; name && i < POLICY_MODELS_COUNT; i++)
        if (strcmp(name, MODELS[i]->name) == 0)
            model = MODELS[i];
    lua_pop(L, 1);
    return model;
}

static void read_model(lua_State *L)
{
    const char *names[POLICY_MODELS_COUNT + 1] = {NULL};
    for (int i = 0; i < POLICY_MODELS_COUNT; i++)
        names[i] = MODELS[i]->name;
    if (define_get(L, DEFINITION, "model") == LUA_TNIL)
        define_refuse(L, "model: is required (%s)", define_push_choice(L, names));
    define_word_at(L, lua_gettop(L), "", "model", names);
    lua_pop(L, 1);
}

static void read_names(lua_State *L, pn_lua_policy *policy)
{
    if (define_get(L, DEFINITION, "name") == LUA_TNIL)
        define_refuse(L, "name: is required (1 to %d letters, digits, _, - and dots)",
                      DEFINE_NAME_SIZE - 1);
    define_name(L, -1, policy->name, "name", true);
    read_model(L);
    define_summary(L, DEFINITION, policy->text, policy->text_size, policy->summary);
    policy->table.names.name = policy->name;
    policy->table.names.summary = policy->summary;
    policy->table.names.source = policy->chunk;
    lua_pop(L, 1);
}

/* Reads the optional "key_name": what the keys are, for people. */
static void read_key_name(lua_State *L, pn_lua_policy *policy)
{
    int type = define_get(L, DEFINITION, "key_name");
    size_t size;
    if (type != LUA_TNIL && type != LUA_TSTRING)
        define_refuse(L, "key_name: must be a text (what the key is, with its unit), got a %s",
                      lua_typename(L, type));
    if (type == LUA_TSTRING) {
        const char *text = lua_tolstring(L, -1, &size);
        define_copy_text(policy->key_name, sizeof policy->key_name, text, size);
    }
    lua_pop(L, 1);
}

/* ---- parameters ------------------------------------------------------------------------------ */

void define_own_params(lua_State *L, pn_lua_policy *policy)
{
    policy->params = (pn_param *)(void *)((char *)&policy->table + policy->model->params);
    policy->param_count = define_params(
        L, DEFINITION, policy->param_texts, policy->params, POLICY_PARAMS_MAX,
        DEFINE_TABLES | (policy->model->chooses ? DEFINE_CHOOSES : 0));
    for (uint32_t i = 0; i < policy->param_count; i++)
        policy->param_values[i] = policy->params[i].value;
}

/* ---- declared memory ------------------------------------------------------------------------- */

static void add_cells(lua_State *L, pn_lua_policy *policy, const char *field, enum cell_kind kind,
                      uint32_t per_job, uint32_t more)
{
    policy_cells *cells = &policy->cells[policy->cell_count];
    if (policy->cell_count == POLICY_CELLS_MAX)
        define_refuse(L, "%s: more than %d names in state and per_job together", field,
                      POLICY_CELLS_MAX);
    define_name(L, -1, cells->name, field, false);
    for (uint32_t i = 0; i < policy->cell_count; i++)
        if ((policy->cells[i].kind == CELL_PER_JOB) == (kind == CELL_PER_JOB) &&
            strcmp(policy->cells[i].name, cells->name) == 0)
            define_refuse(L, "%s: %s is named twice", field, cells->name);
    cells->kind = kind;
    cells->per_job = per_job;
    cells->more = more;
    policy->cell_count++;
    lua_pop(L, 1);
}

/* Reads the names in the array part of the table at `table`. */
static void read_name_list(lua_State *L, pn_lua_policy *policy, int table, const char *field,
                           enum cell_kind kind)
{
    lua_Integer count = sandbox_length(L, table);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, table, i);
        add_cells(L, policy, field, kind, 0, 0);
    }
}

static void read_arrays(lua_State *L, pn_lua_policy *policy, int table)
{
    static const char *const fields[] = {"more", "per_job", NULL};
    lua_Integer count = define_sorted_keys(L, table, "state", true);
    int keys = lua_gettop(L);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, keys, i);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, table) != LUA_TTABLE)
            define_refuse(L,
                          "state.%s: must be a table such as { per_job = 2, more = 1 } (an array), "
                          "or a plain name in the list",
                          lua_tostring(L, -2));
        int array = lua_gettop(L);
        const char *where = lua_pushfstring(L, "state.%s.", lua_tostring(L, -2));
        define_only_fields(L, array, where, fields);
        uint32_t per_job = (uint32_t)define_integer(L, array, where, "per_job", 0, 16, 0);
        uint32_t more = (uint32_t)define_integer(L, array, where, "more", 0, 1 << 16, 0);
        if (per_job + more == 0)
            define_refuse(L, "%sper_job: an array needs per_job or more to be at least 1", where);
        lua_settop(L, array - 1);
        add_cells(L, policy, "state", CELL_ARRAY, per_job, more);
    }
    lua_settop(L, keys - 1);
}

void define_memory(lua_State *L, pn_lua_policy *policy)
{
    static const char *const fields[] = {"state", "per_job"};
    for (int i = 0; i < 2; i++) {
        int type = define_get(L, DEFINITION, fields[i]), table = lua_gettop(L);
        if (type != LUA_TNIL && type != LUA_TTABLE)
            define_refuse(L, "%s: must be a list of names such as { \"last\" }, got a %s",
                          fields[i], lua_typename(L, type));
        if (type == LUA_TTABLE)
            read_name_list(L, policy, table, fields[i], i == 0 ? CELL_SINGLE : CELL_PER_JOB);
        if (type == LUA_TTABLE && i == 0)
            read_arrays(L, policy, table);
        if (type == LUA_TTABLE && i == 1 && define_sorted_keys(L, table, "per_job", true) > 0)
            define_refuse(
                L, "per_job: must be a list of names such as { \"credit\" }, got a named entry");
        lua_settop(L, table - 1);
    }
}

/* ---- hooks, orders, all of it ---------------------------------------------------------------- */

bool define_hooks(lua_State *L, pn_lua_policy *policy, const char *finish)
{
    bool begins = define_function(L, DEFINITION, "", "init", FUNCTION_INIT);
    policy->arrives = define_function(L, DEFINITION, "", "arrive", FUNCTION_ARRIVE);
    policy->finishes = define_function(L, DEFINITION, "", finish, FUNCTION_FINISH);
    return begins;
}

void define_orders(lua_State *L, pn_lua_policy *policy, int least, int most, define_order *read)
{
    int type = define_get(L, DEFINITION, "orders"), table = lua_gettop(L);
    if (type != LUA_TTABLE)
        define_refuse(L, "orders: must be a table of orders by name, got a %s",
                      lua_typename(L, type));
    lua_Integer count = define_sorted_keys(L, table, "orders", false);
    if (count < least || count > most)
        define_refuse(L, "orders: there are %d (expected %d to %d)", (int)count, least, most);
    for (int k = 0; k < count; k++) {
        lua_rawgeti(L, table + 1, k + 1);
        define_name(L, -1, policy->order_names[k], "orders", false);
        define_get(L, table, policy->order_names[k]);
        int value = lua_gettop(L);
        read(L, policy, k, value, lua_pushfstring(L, "orders.%s", policy->order_names[k]));
        lua_settop(L, table + 1);
    }
    policy->order_count = (uint32_t)count;
    lua_settop(L, table - 1);
}

/* Refuses memory. A model that asks a policy once has no later call for which to remember
 * anything. */
static void refuse_memory(lua_State *L)
{
    static const char *const fields[] = {"state", "per_job"};
    for (int i = 0; i < 2; i++)
        if (define_get(L, DEFINITION, fields[i]) != LUA_TNIL)
            define_refuse(
                L, "%s: a policy of this model is asked once (expected locals inside the function)",
                fields[i]);
    lua_pop(L, 2);
}

int policy_define(lua_State *L)
{
    pn_lua_policy *policy = lua_touserdata(L, DEFINITION_POLICY);
    lua_createtable(L, FUNCTION_COUNT + 1, 0); /* and a few words, in some models */
    policy->model = peek_model(L);
    if (policy->model && !policy->model->remembers)
        refuse_memory(L);
    if (policy->model)
        define_only_fields(L, DEFINITION, "", policy->model->fields);
    read_names(L, policy);
    read_key_name(L, policy);
    policy->model->define(L, policy);
    policy_push_view(L, policy);
    lua_pushvalue(L, -1);
    lua_rawseti(L, DEFINITION_FUNCTIONS, FUNCTION_COUNT + 1);
    for (int i = 0; policy->model->words && policy->model->words[i]; i++) {
        lua_pushstring(L, policy->model->words[i]);
        lua_rawseti(L, DEFINITION_FUNCTIONS, FUNCTION_COUNT + 2 + i);
    }
    lua_pushvalue(L, DEFINITION_FUNCTIONS);
    lua_rawsetp(L, LUA_REGISTRYINDEX, policy->cells); /* for calls inside of others */
    for (int i = 0; i < FUNCTION_COUNT; i++)
        lua_rawgeti(L, DEFINITION_FUNCTIONS, i + 1);
    return 1 + FUNCTION_COUNT;
}
