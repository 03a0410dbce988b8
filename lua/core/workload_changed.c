/* Workloads made of others, in Lua: other arrivals, samples, scaled jobs. */
#include <math.h>
#include <string.h>

#include "workload.h"
#include "workload/changed.h"

/* Returns the source in field "workload", which the new workload keeps alive. */
static source *check_truth(lua_State *L, const changed_model **model)
{
    source *truth = field_any_workload(L, 1);
    *model = core_models[truth->model]->workload->changes;
    luaL_argcheck(L, *model, 1, "workload: its jobs do not arrive");
    return truth;
}

static workload *push_beside(lua_State *L)
{
    workload *self = workload_push(L);
    lua_getfield(L, 1, "workload");
    lua_setiuservalue(L, -2, 1);
    return self;
}

static uint64_t field_seed(lua_State *L)
{
    return (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
}

static uint32_t field_replica(lua_State *L)
{
    return (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
}

/* { workload, process, seed, replica }: the same jobs at the times of the process. */
static int make_arrivals(lua_State *L)
{
    const changed_model *model;
    source *truth = check_truth(L, &model);
    const char *text = field_string(L, 1, "process");
    uint64_t seed = field_seed(L);
    uint32_t replica = field_replica(L);
    workload *self = push_beside(L);
    char message[DISTRIBUTION_MESSAGE_SIZE];
    arrival_process process;
    if (!arrival_process_parse(text, strlen(text), &process, message))
        return push_failure(L, message);
    self->work = changed_arrivals_new(model, truth, &process, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

static void push_indices(lua_State *L, const source *sample)
{
    lua_createtable(L, (int)sample->count, 0);
    for (uint64_t i = 0; i < sample->count; i++) {
        lua_pushinteger(L, (lua_Integer)changed_resample_index(sample, i) + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* { workload, form, jobs, length, windows, seed, replica, indices }: some of its jobs as the form
 * says; nil, or with indices an array of the numbers that they had; how many windows have jobs. */
static int make_resample(lua_State *L)
{
    static const char *const forms[] = {"jobs", "keep", "blocks", "windows", NULL};
    const changed_model *model;
    source *truth = check_truth(L, &model);
    resample_plan plan = {
        .jobs = (uint64_t)field_integer_or(L, 1, "jobs", 0, (lua_Integer)PN_INTEGER_MAX, 0),
        .windows = (uint64_t)field_integer_or(L, 1, "windows", 1, UINT32_MAX, 1),
        .length = field_number_or(L, 1, "length", 1.0),
        .seed = field_seed(L),
        .replica = field_replica(L),
    };
    int indices = field_boolean(L, 1, "indices");
    workload *self;
    char message[DISTRIBUTION_MESSAGE_SIZE];
    if (!(plan.length > 0.0 && plan.length < HUGE_VAL))
        return luaL_error(L, "length must be a number > 0");
    self = push_beside(L);
    lua_getfield(L, 1, "form");
    plan.form = (enum resample_form)luaL_checkoption(L, -1, NULL, forms);
    lua_pop(L, 1);
    self->work = changed_resample_new(model, truth, &plan, message);
    if (!self->work)
        return push_failure(L, message);
    if (indices)
        push_indices(L, self->work);
    else
        lua_pushnil(L);
    lua_pushinteger(L, (lua_Integer)changed_resample_windows(self->work));
    return 3;
}

static double field_scale(lua_State *L, const char *name)
{
    double factor = 1.0;
    if (lua_getfield(L, 1, name) != LUA_TNIL) {
        factor = luaL_checknumber(L, -1);
        luaL_argcheck(L, factor >= 0.0 && factor - factor == 0.0, 1,
                      lua_pushfstring(L, "%s: must be a finite number >= 0", name));
    }
    lua_pop(L, 1);
    return factor;
}

/* { workload, arrivals, sizes }: factors on distances between arrivals, and on sizes. */
static int make_scaled(lua_State *L)
{
    const changed_model *model;
    source *truth = check_truth(L, &model);
    double arrivals = field_scale(L, "arrivals"), sizes = field_scale(L, "sizes");
    workload *self = push_beside(L);
    self->work = changed_scale_new(model, truth, arrivals, sizes);
    return self->work ? 1 : workload_out_of_memory(L);
}

/* { workload, bounds }: the same jobs in groups by size. */
static int make_sized(lua_State *L)
{
    const changed_model *model;
    source *truth = check_truth(L, &model);
    double bounds[CHANGED_BOUNDS_MAX];
    workload *self = push_beside(L);
    uint32_t count;
    count = (uint32_t)field_list(L, 1, "bounds", CHANGED_BOUNDS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        lua_geti(L, -1, (lua_Integer)i + 1);
        bounds[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    self->work = changed_sized_new(model, truth, bounds, count);
    return self->work ? 1 : workload_out_of_memory(L);
}

/* (text): true, or nil and what is wrong with the process of arrivals. */
static int check_arrivals(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    char message[DISTRIBUTION_MESSAGE_SIZE];
    arrival_process process;
    if (!arrival_process_parse(text, size, &process, message))
        return push_failure(L, message);
    arrival_process_release(&process);
    lua_pushboolean(L, 1);
    return 1;
}

void lchanged_open(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"workload_arrivals", make_arrivals}, {"workload_resample", make_resample},
        {"workload_scaled", make_scaled},     {"workload_sized", make_sized},
        {"check_arrivals", check_arrivals},   {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
