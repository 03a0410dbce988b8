/* Traces in the Standard Workload Format in Lua: one maker for the models that read them. */
#include <string.h>

#include "base/gz_lines.h"
#include "workload.h"

#define TRACE    "pinion.SwfTrace"
#define SHIFT_MS ((lua_Integer)PN_INTEGER_MAX)

/* Frees what is read, which stays in a userdata, so that no error of Lua's leaks it. */
static int trace_gc(lua_State *L)
{
    swf_free(lua_touserdata(L, 1));
    return 0;
}

static swf_trace *push_trace(lua_State *L)
{
    swf_trace *trace = lua_newuserdatauv(L, sizeof *trace, 0);
    memset(trace, 0, sizeof *trace);
    luaL_setmetatable(L, TRACE);
    return trace;
}

/* Reads { { path, shift_ms }, ... }, which keeps the paths; the parts are in a userdata on the
 * stack. */
static void read_parts(lua_State *L, swf_request *request)
{
    swf_part *parts;
    lua_getfield(L, 1, "parts");
    luaL_argcheck(L, lua_istable(L, -1) && luaL_len(L, -1) > 0, 1, "parts: must be an array");
    request->part_count = (size_t)luaL_len(L, -1);
    parts = lua_newuserdatauv(L, request->part_count * sizeof *parts, 0);
    for (size_t i = 0; i < request->part_count; i++) {
        lua_geti(L, -2, (lua_Integer)i + 1);
        parts[i].path = field_string(L, lua_gettop(L), "path");
        parts[i].shift_ms = field_integer(L, lua_gettop(L), "shift_ms", -SHIFT_MS, SHIFT_MS);
        lua_pop(L, 1);
    }
    request->parts = parts;
}

/* Reads the numbers of fields, in the order of the names of attributes. */
static void read_attribute_fields(lua_State *L, swf_request *request)
{
    lua_getfield(L, 1, "attribute_fields");
    luaL_argcheck(L, lua_istable(L, -1) && luaL_len(L, -1) <= PN_ATTRIBUTES_MAX, 1,
                  "attribute_fields: must be a short array");
    request->attribute_count = (uint32_t)luaL_len(L, -1);
    for (uint32_t i = 0; i < request->attribute_count; i++) {
        lua_geti(L, -1, (lua_Integer)i + 1);
        request->attribute_fields[i] = (int)luaL_checkinteger(L, -1);
        luaL_argcheck(
            L, 1 <= request->attribute_fields[i] && request->attribute_fields[i] <= SWF_FIELDS, 1,
            "attribute_fields: no such field");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Reads strings of the array on top of the stack, which keeps them. */
static const char *const *read_names(lua_State *L)
{
    lua_Integer count = luaL_len(L, -1);
    const char **names = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, -2, i + 1);
        names[i] = luaL_checkstring(L, -1);
        lua_pop(L, 1); /* the array keeps it */
    }
    return names;
}

/* Pushes an array of the groups' names: what the function `group_name` makes of their values. */
static void push_group_names(lua_State *L, const swf_trace *trace)
{
    lua_createtable(L, (int)trace->group_count, 0);
    for (size_t i = 0; i < trace->group_count; i++) {
        lua_getfield(L, 1, "group_name");
        lua_pushinteger(L, (lua_Integer)trace->groups[i]);
        lua_call(L, 1, 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_summary(lua_State *L, const swf_trace *trace)
{
    const swf_summary *summary = &trace->summary;
    lua_createtable(L, 0, 12);
    set_integer(L, "rows", summary->rows);
    set_integer(L, "jobs", trace->count);
    set_integer(L, "executions", summary->executions);
    set_integer(L, "other_status", summary->other_status);
    set_integer(L, "unplaced", summary->unplaced);
    set_integer(L, "no_run", summary->no_run);
    set_integer(L, "no_processors", summary->no_processors);
    set_integer(L, "requested", summary->requested);
    set_integer(L, "unsorted", summary->unsorted);
    set_number(L, "processor_s", (double)summary->processor_ms / 1000.0);
}

/* Reads the request. What holds its arrays is left on the stack. */
static void read_request(lua_State *L, swf_request *request)
{
    lua_Integer most = (lua_Integer)PN_INTEGER_MAX;
    memset(request, 0, sizeof *request);
    request->first = (uint64_t)field_integer_or(L, 1, "first", 1, most, 1);
    request->jobs = (uint64_t)field_integer_or(L, 1, "jobs", 1, most, most);
    request->statuses = (uint32_t)field_integer(L, 1, "statuses", 0, UINT32_MAX);
    request->group_field = (int)field_integer(L, 1, "group_field", 0, SWF_FIELDS);
    read_parts(L, request);
    read_attribute_fields(L, request);
}

/* { model, parts, first, jobs, statuses, group_field, group_name, attributes, attribute_fields,
 * slot_ms, estimates }: the jobs, which carry their groups and attributes already, what was
 * counted, and the names of the groups. */
static int make_swf(lua_State *L)
{
    const core_model *model = core_model_find(field_string(L, 1, "model"));
    int names;
    char message[GZ_MESSAGE_SIZE];
    const char *const *attributes, *const *groups;
    swf_request request;
    swf_trace *trace;
    workload *self;
    luaL_argcheck(L, model && model->workload->of_swf, 1, "model: must be one that reads traces");
    read_request(L, &request);
    lua_getfield(L, 1, "attributes");
    luaL_argcheck(L, luaL_len(L, -1) == (lua_Integer)request.attribute_count, 1,
                  "attributes: must be as many as their fields");
    attributes = read_names(L);
    trace = push_trace(L);
    if (!swf_read(&request, trace, message))
        return push_failure(L, message);
    push_group_names(L, trace);
    names = lua_gettop(L);
    groups = read_names(L);
    self = workload_push(L);
    self->work = model->workload->of_swf(L, trace);
    if (!self->work || !swf_carry(trace, self->work, attributes, groups))
        return workload_out_of_memory(L);
    push_summary(L, trace);
    swf_free(trace); /* it may be large, and Lua knows nothing of that */
    lua_pushvalue(L, names);
    return 3;
}

void lswf_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", trace_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"workload_swf", make_swf}, {NULL, NULL}};
    lpinion_type(L, TRACE, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
