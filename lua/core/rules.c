/* Settings and rules of models, in Lua. */
#include <string.h>

#include "model.h"

/* Reads the value on top of the stack. Returns 0 when it is none. */
static int read_value(lua_State *L, const pn_setting *setting, uint64_t *value)
{
    int is_integer;
    lua_Integer number;
    if (lua_isboolean(L, -1))
        return setting_find(setting, lua_toboolean(L, -1) ? "true" : "false", value);
    if (lua_type(L, -1) == LUA_TSTRING)
        return setting_find(setting, lua_tostring(L, -1), value);
    number = lua_tointegerx(L, -1, &is_integer);
    *value = (uint64_t)number;
    return is_integer && number >= 0 && !setting->rule->names;
}

const char *rules_read(lua_State *L, int table, const model_rules *rules, void *config)
{
    model_rule rule;
    for (uint32_t rank = 1; rule_at(rules, rank, &rule); rank++) {
        if (lua_getfield(L, table, rule.setting->rule->name) != LUA_TNIL) {
            uint64_t value;
            if (!read_value(L, rule.setting, &value) || !rule_set(config, &rule, value))
                return lua_pushfstring(L, "params.%s: is none of the values of this parameter: %s",
                                       rule.setting->rule->name, luaL_tolstring(L, -1, NULL));
        }
        lua_pop(L, 1);
    }
    return NULL;
}

static void push_value(lua_State *L, const pn_setting *setting, uint64_t value)
{
    const char *word = setting_word(setting, value);
    if (!word)
        lua_pushinteger(L, (lua_Integer)value);
    else if (setting_is_boolean(setting))
        lua_pushboolean(L, value > 0);
    else
        lua_pushstring(L, word);
}

void rules_push(lua_State *L, const model_rules *rules, const void *config)
{
    model_rule rule;
    lua_newtable(L);
    for (uint32_t rank = 1; rule_at(rules, rank, &rule); rank++) {
        push_value(L, rule.setting, rule_get(config, &rule));
        lua_setfield(L, -2, rule.setting->rule->name);
    }
}

void rules_push_others(lua_State *L, int table, const model_rules *rules)
{
    model_rule rule;
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    for (uint32_t rank = 1; rule_at(rules, rank, &rule); rank++) {
        lua_pushnil(L);
        lua_setfield(L, -2, rule.setting->rule->name);
    }
}

/* ---- the rows themselves --------------------------------------------------------------------- */

/* Returns whether the first of its names is "default", where the policy has a value of its own. */
static int has_default_name(const pn_setting *setting)
{
    return setting->rule->names && strcmp(setting->rule->names[0], "default") == 0;
}

static void push_choices(lua_State *L, const pn_setting *setting)
{
    uint64_t first = (uint64_t)has_default_name(setting);
    lua_newtable(L);
    for (uint64_t value = first; setting->rule->names[value]; value++) {
        push_value(L, setting, value);
        lua_rawseti(L, -2, (lua_Integer)(value - first) + 1);
    }
    lua_setfield(L, -2, "choices");
}

static void push_setting(lua_State *L, const pn_setting *setting)
{
    lua_newtable(L);
    set_string(L, "name", setting->rule->name);
    set_string(L, "doc", setting->rule->doc);
    set_string(L, "source", setting->rule->source);
    set_string(L, "automatic", setting->rule->automatic);
    set_string(L, "absent", setting->rule->absent);
    if (setting->value >= setting->low && !setting->rule->absent && !has_default_name(setting)) {
        push_value(L, setting, setting->value);
        lua_setfield(L, -2, "value");
    }
    if (setting->rule->names) {
        push_choices(L, setting);
        return;
    }
    set_integer(L, "low", setting->rule->absent ? 1 : setting->low);
    set_integer(L, "high", setting->high);
}

int core_settings(lua_State *L)
{
    const core_model *model = core_model_find(luaL_checkstring(L, 1));
    const pn_setting *setting;
    model_rule rule;
    luaL_argcheck(L, model, 1, "is no model");
    lua_newtable(L);
    for (size_t i = 0; (setting = model->kernel()->setting_at(i)); i++)
        if (setting->rule && setting->rule->rank == 0) {
            push_setting(L, setting);
            lua_setfield(L, -2, setting->rule->name);
        }
    for (uint32_t rank = 1; model->rules && rule_at(model->rules, rank, &rule); rank++) {
        push_setting(L, rule.setting);
        lua_rawseti(L, -2, (lua_Integer)rank);
    }
    return 1;
}

static void push_names(lua_State *L, const pn_setting *setting)
{
    luaL_Buffer names;
    luaL_buffinit(L, &names);
    for (int i = 0; setting->rule->names[i]; i++) {
        luaL_addstring(&names, i > 0 ? " or " : "");
        luaL_addstring(&names, setting->rule->names[i]);
    }
    luaL_pushresult(&names);
}

uint32_t field_setting(lua_State *L, const core_model *model, const char *name)
{
    const pn_setting *setting = setting_called(model->kernel()->setting_at, name);
    const char *word;
    uint64_t value;
    if (!setting->rule->names)
        return (uint32_t)field_integer(L, 1, name, (lua_Integer)setting->low,
                                       (lua_Integer)setting->high);
    word = field_string(L, 1, name);
    if (!setting_find(setting, word, &value)) {
        push_names(L, setting);
        luaL_argerror(
            L, 1, lua_pushfstring(L, "%s: must be %s, got %s", name, lua_tostring(L, -1), word));
    }
    return (uint32_t)value;
}
