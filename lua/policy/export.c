/* A policy in C: what pinion/export, which makes C of its functions, takes from here. */
#include <stdio.h>

#include "view.h"

void export_word(luaL_Buffer *out, const char *name, const char *word)
{
    luaL_addstring(out, "    .");
    luaL_addstring(out, name);
    luaL_addstring(out, " = ");
    luaL_addstring(out, word);
    luaL_addstring(out, ",\n");
}

void export_number(luaL_Buffer *out, const char *name, uint64_t value)
{
    char text[24];
    if (value == 0)
        return;
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    export_word(out, name, text);
}

/* Pushes the methods by name. */
static void push_methods(lua_State *L, const policy_model *model)
{
    const policy_question *lists[POLICY_QUESTION_LISTS];
    policy_list_questions(model, lists);
    lua_newtable(L);
    for (int i = 0; i < POLICY_QUESTION_LISTS; i++) {
        for (const policy_question *asked = lists[i]; asked->name; asked++) {
            if (!asked->in_c || !asked->in_c[1])
                continue;
            lua_createtable(L, 0, 3);
            lua_pushstring(L, asked->in_c[0]);
            lua_setfield(L, -2, "takes");
            lua_pushstring(L, asked->in_c[1]);
            lua_setfield(L, -2, "answer");
            lua_pushinteger(L, asked->way);
            lua_setfield(L, -2, "way");
            lua_setfield(L, -2, asked->name);
        }
    }
}

/* Pushes what is remembered, in the order in which it lies in memory. */
static void push_cells(lua_State *L, const pn_lua_policy *policy)
{
    static const char *const kinds[] = {"single", "array", "per_job"};
    lua_newtable(L);
    for (uint32_t i = 0; i < policy->cell_count; i++) {
        const policy_cells *cells = &policy->cells[i];
        lua_createtable(L, 0, 4);
        lua_pushstring(L, cells->name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, kinds[cells->kind]);
        lua_setfield(L, -2, "kind");
        lua_pushinteger(L, cells->per_job);
        lua_setfield(L, -2, "each");
        lua_pushinteger(L, cells->more);
        lua_setfield(L, -2, "more");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

int policy_push_export(lua_State *L, const pn_lua_policy *policy)
{
    luaL_Buffer out;
    if (!policy->model->write_c) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, 0, 5);
    lua_pushinteger(L, policy->param_count);
    lua_setfield(L, -2, "param_count");
    luaL_buffinit(L, &out);
    policy->model->write_c(policy, &out);
    luaL_pushresult(&out);
    lua_setfield(L, -2, "fields");
    push_methods(L, policy->model);
    lua_setfield(L, -2, "methods");
    push_cells(L, policy);
    lua_setfield(L, -2, "cells");
    lua_newtable(L);
    for (uint32_t i = 0; i < policy->order_count; i++) {
        lua_pushstring(L, policy->order_names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "orders");
    return 1;
}
