/* `pinion.core`: the C side of the front end, gathered from its files. */
#include "model.h"
#include "sandbox/host.h"

#include <string.h>

#include "sandbox/exact.h"
#include "base/bounds.h"
#include "workload.h"

#define ENTRY(SOURCE, NAME, JOB) [SOURCE] = &core_##NAME,
/* A null stands behind them. */
const core_model *const core_models[SOURCE_MODELS + 1] = {SOURCE_OF_MODELS(ENTRY)};

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

static void push_limits(lua_State *L)
{
    lua_createtable(L, 0, 9);
    set_integer(L, "line", LIMIT_LINE);
    set_integer(L, "value", LIMIT_VALUE);
    set_integer(L, "attributes", PN_ATTRIBUTES_MAX);
    set_integer(L, "file", LIMIT_FILE);
    set_integer(L, "core", LIMIT_CORE);
    set_integer(L, "jobs", LIMIT_JOBS);
    set_integer(L, "listed_tasks", LIMIT_LISTED_TASKS);
    set_integer(L, "job_tasks", LIMIT_JOB_TASKS);
    set_integer(L, "batch_tasks", LIMIT_BATCH_TASKS);
}

__attribute__((visibility("default"))) int luaopen_pinion_core(lua_State *L)
{
    luaL_checkversion(L);
    lua_newtable(L);
    lua_pushstring(L, pn_version());
    lua_setfield(L, -2, "version");
    exact_open(L);
    lua_setfield(L, -2, "exact");
    ljson_open(L);
    ljson_lines_open(L);
    lfiles_open(L);
    llog_events_open(L);
    lterminal_open(L);
    lplain_open(L);
    push_limits(L);
    lua_setfield(L, -2, "limits");
    lua_pushlstring(L, (const char[]){SANDBOX_FILE}, 1);
    lua_setfield(L, -2, "file_mark");
    lworkload_open(L);
    lscript_open(L);
    lrows_open(L);
    lcheckpoint_open(L);
    lprocess_open(L);
    lstore_open(L);
    ldatabase_open(L);
    lrun_open(L);
    lpolicy_open(L);
    lverify_open(L);
    lreplay_open(L);
    open_models(L);
    lua_pushcfunction(L, core_settings);
    lua_setfield(L, -2, "settings");
    lua_pushcfunction(L, core_job_fields);
    lua_setfield(L, -2, "job_fields");
    lua_pushcfunction(L, core_job_checker);
    lua_setfield(L, -2, "job_checker");
    return 1;
}
