/* Parameters of a model itself, in Lua. */
#include <string.h>

#include "model.h"

/* The value on top of the stack; 0 when it is none. */
static int rule_value(lua_State *L, const model_rule *of, uint64_t *value)
{
    int is_integer;
    lua_Integer number;
    if (lua_isboolean(L, -1))
        return rule_find(of, lua_toboolean(L, -1) ? "true" : "false", value);
    if (lua_type(L, -1) == LUA_TSTRING)
        return rule_find(of, lua_tostring(L, -1), value);
    number = lua_tointegerx(L, -1, &is_integer);
    *value = (uint64_t)number;
    return is_integer && number >= 0 && !of->words;
}

const char *rules_read(lua_State *L, int table, const model_rule *list, void *config)
{
    for (const model_rule *it = list; it->name; it++) {
        if (lua_getfield(L, table, it->name) != LUA_TNIL) {
            uint64_t value;
            if (!rule_value(L, it, &value) || !rule_set(config, it, value))
                return lua_pushfstring(L, "params.%s: is none of the values of this parameter: %s",
                                       it->name, luaL_tolstring(L, -1, NULL));
        }
        lua_pop(L, 1);
    }
    return NULL;
}

static void push_value(lua_State *L, const model_rule *of, uint64_t value)
{
    const char *word = rule_word(of, value);
    if (!word)
        lua_pushinteger(L, (lua_Integer)value);
    else if (of->words && strcmp(of->words[0], "false") == 0)
        lua_pushboolean(L, value > 0);
    else
        lua_pushstring(L, word);
}

void rules_push(lua_State *L, const model_rule *list, const void *config)
{
    lua_newtable(L);
    for (const model_rule *it = list; it->name; it++) {
        push_value(L, it, rule_get(config, it));
        lua_setfield(L, -2, it->name);
    }
}

void rules_push_others(lua_State *L, int table, const model_rule *list)
{
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    for (const model_rule *it = list; it->name; it++) {
        lua_pushnil(L);
        lua_setfield(L, -2, it->name);
    }
}
