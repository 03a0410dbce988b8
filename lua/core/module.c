/* `pinion.core`: the C side of the front end, gathered from its files. */
#define _POSIX_C_SOURCE 200809L
#include "model.h"

#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "sandbox/exact.h"
#include "base/bounds.h"

const core_model *const core_models[SOURCE_MODELS + 1] = {[SOURCE_SLOTTED] = &core_slotted,
                                                          [SOURCE_TANDEM] = &core_tandem,
                                                          [SOURCE_MAKESPAN] = &core_makespan,
                                                          [SOURCE_CLUSTER] = &core_cluster};

const core_model *core_model_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

const core_model *core_model_find(const char *name)
{
    const core_model *const *model = core_models;
    while (*model && strcmp((*model)->name, name) != 0)
        model++;
    return *model;
}

/* Adds the functions of every model to the table on top of the stack. */
static void open_models(lua_State *L)
{
    for (const core_model *const *model = core_models; *model; model++) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)*model);
        luaL_setfuncs(L, (*model)->functions, 1);
    }
}

static int core_is_terminal(lua_State *L)
{
    lua_pushboolean(L, isatty((int)luaL_checkinteger(L, 1)));
    return 1;
}

static int core_interrupted(lua_State *L)
{
    lua_pushboolean(L, interrupt_pending());
    return 1;
}

static void push_limits(lua_State *L)
{
    lua_createtable(L, 0, 7);
    set_integer(L, "line", LIMIT_LINE);
    set_integer(L, "value", LIMIT_VALUE);
    set_integer(L, "file", LIMIT_FILE);
    set_integer(L, "jobs", LIMIT_JOBS);
    set_integer(L, "listed_tasks", LIMIT_LISTED_TASKS);
    set_integer(L, "job_tasks", LIMIT_JOB_TASKS);
    set_integer(L, "batch_tasks", LIMIT_BATCH_TASKS);
}

__attribute__((visibility("default"))) int luaopen_pinion_core(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"is_terminal", core_is_terminal}, {"interrupted", core_interrupted}, {NULL, NULL}};
    luaL_checkversion(L);
    luaL_newlib(L, functions);
    lua_pushstring(L, pn_version());
    lua_setfield(L, -2, "version");
    exact_open(L);
    lua_setfield(L, -2, "exact");
    ljson_open(L);
    lgz_lines_open(L);
    loutput_open(L);
    linterrupt_open(L);
    push_limits(L);
    lua_setfield(L, -2, "limits");
    lworkload_open(L);
    lrows_open(L);
    lcheckpoint_open(L);
    lprogress_open(L);
    lprocess_open(L);
    lrun_open(L);
    lpolicy_open(L);
    lverify_open(L);
    open_models(L);
    return 1;
}
