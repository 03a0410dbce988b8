/* What the views `s` of all models share: arguments, jobs, random numbers, and the userdata
 * itself. */
#include <string.h>

#include "base/nearest.h"
#include "view.h"
#include "sandbox/internal.h"

#define VIEW "pinion.View"

/* ---- arguments ------------------------------------------------------------------------------- */

void *view_refuse_self(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TUSERDATA)
        luaL_error(L, "the view comes first: call it as s:name(...)");
    return policy_view(L);
}

const char *view_where_job(lua_State *L, uint32_t job)
{
    const pn_lua_policy *policy = policy_of(L);
    const policy_model *model = policy->model;
    char time[32];
    if (!model->write_time)
        return model->time_word;
    model->write_time(policy, policy_view(L), time, sizeof time);
    if (job == PN_NO_JOB)
        return lua_pushfstring(L, "%s %s", model->time_word, time);
    return lua_pushfstring(L, "job %I at %s %s", (LUAI_UACINT)model->id(policy->now.view, job),
                           model->time_word, time);
}

const char *view_where(lua_State *L)
{
    return view_where_job(L, policy_of(L)->now.job);
}

const char *view_where_call(lua_State *L, uint32_t job)
{
    lua_Debug call;
    const char *where = view_where_job(L, job);
    lua_getstack(L, 0, &call);
    lua_getinfo(L, "n", &call);
    return strcmp(call.namewhat, "method") == 0 ? lua_pushfstring(L, "%s: %s", where, call.name)
                                                : where;
}

const char *view_function_place(lua_State *L, int index, const char *what)
{
    lua_Debug begin;
    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", &begin);
    return lua_pushfstring(L, SANDBOX_MARK "%s:%d: %s", sandbox_file_of(begin.source),
                           begin.linedefined, what);
}

const char *view_shown(lua_State *L, int argument)
{
    if (lua_type(L, argument) == LUA_TNUMBER &&
        lua_tonumber(L, argument) != lua_tonumber(L, argument))
        return "NaN";
    return lua_isstring(L, argument) ? lua_tostring(L, argument) : luaL_typename(L, argument);
}

/* Returns what is expected. What was got is read before the place is pushed: there an argument that
 * is missing would find it. */
int view_expected(lua_State *L, int argument, uint32_t job, const char *expected)
{
    const char *got = view_shown(L, argument);
    return luaL_error(L, "%s: %s, got %s", view_where_call(L, job), expected, got);
}

static int view_expected_type(lua_State *L, int argument, uint32_t job, const char *expected)
{
    const char *got = luaL_typename(L, argument);
    return luaL_error(L, "%s: %s, got %s", view_where_call(L, job), expected, got);
}

/* Returns the job of a number. A float that is an integer names a job too. */
static uint32_t job_of_number(lua_State *L, int argument)
{
    int integer;
    lua_Integer job = lua_tointegerx(L, argument, &integer);
    if (!integer || lua_type(L, argument) != LUA_TNUMBER)
        view_expected_type(L, argument, policy_of(L)->now.job, "a job is expected");
    lua_pushinteger(L, job);
    lua_replace(L, argument);
    return view_job(L, argument);
}

uint32_t view_other_job(lua_State *L, int argument)
{
    const pn_lua_policy *policy = policy_of(L);
    const void *view = policy_view(L);
    if (!lua_isinteger(L, argument))
        return job_of_number(L, argument);
    lua_Integer job = lua_tointeger(L, argument);
    uint32_t place = policy_place(policy, view, job);
    if (place == PN_NO_JOB || !policy->model->active(view, place))
        luaL_error(L, "%s: there is no job %I in the system (it may have finished)", view_where(L),
                   (LUAI_UACINT)job);
    return place;
}

uint32_t view_job_or_none(lua_State *L, int argument)
{
    return lua_isnoneornil(L, argument) ? PN_NO_JOB : view_job(L, argument);
}

lua_Integer view_amount(lua_State *L, int argument)
{
    return view_amount_for(L, argument, policy_of(L)->now.job);
}

lua_Integer view_amount_for(lua_State *L, int argument, uint32_t job)
{
    int integer;
    lua_Integer value = lua_tointegerx(L, argument, &integer);
    if (!integer || lua_type(L, argument) != LUA_TNUMBER || value < 0)
        view_expected(L, argument, job, "an integer >= 0 is expected");
    return value;
}

bool view_find_number(const pn_lua_policy *policy, const policy_value *given, uint32_t *job)
{
    const void *view = policy->now.view;
    if (given->type != VALUE_INTEGER)
        return false;
    *job = policy_place(policy, view, given->as.integer);
    return *job != PN_NO_JOB && policy->model->active(view, *job);
}

void view_read_scale(lua_State *L, policy_value given[3])
{
    for (int i = 0; i < 3; i++)
        given[i] = policy_integer(view_amount(L, 2 + i));
    if (given[2].as.integer == 0)
        luaL_error(L, "%s: scale(a, b, c) divides by c >= 1, got 0", view_where(L));
}

bool view_find_scale(const policy_value given[3])
{
    for (int i = 0; i < 3; i++)
        if (given[i].type != VALUE_INTEGER || given[i].as.integer < (i == 2))
            return false;
    return true;
}

bool policy_find_order(const pn_lua_policy *policy, const char *name, uint32_t *order)
{
    /* the order's own name, as programs have it */
    uintptr_t offset = (uintptr_t)name - (uintptr_t)policy->order_names;
    if (offset < policy->order_count * sizeof policy->order_names[0]) {
        *order = (uint32_t)(offset / sizeof policy->order_names[0]);
        return true;
    }
    *order = 0;
    while (*order < policy->order_count && strcmp(policy->order_names[*order], name) != 0)
        ++*order;
    return *order < policy->order_count;
}

bool view_uses_orders(const pn_lua_policy *policy)
{
    return policy->now.moment == MOMENT_ACT || policy->now.moment == MOMENT_TIME;
}

uint32_t view_order(lua_State *L, int argument)
{
    const pn_lua_policy *policy = policy_of(L);
    uint32_t order = 0;
    if (!view_uses_orders(policy))
        luaL_error(L, "%s: orders can only be used in %s", view_where(L), policy->model->ordering);
    if (lua_isnoneornil(L, argument))
        view_expected_type(L, argument, policy->now.job, "the name of an order is expected");
    if (lua_type(L, argument) != LUA_TSTRING ||
        !policy_find_order(policy, lua_tostring(L, argument), &order))
        luaL_error(L, "%s: there is no order '%s' (declare it in orders = { ... })", view_where(L),
                   view_shown(L, argument));
    return order;
}

void view_need_member(lua_State *L, int member, uint32_t order, uint32_t job)
{
    if (!member)
        luaL_error(L, "%s: does not stand in the order '%s'", view_where_job(L, job),
                   policy_of(L)->order_names[order]);
}

/* ---- asking ---------------------------------------------------------------------------------- */

int view_push_job(lua_State *L, uint32_t job)
{
    const void *view = policy_view(L);
    if (job == PN_NO_JOB)
        lua_pushnil(L);
    else
        lua_pushinteger(L, policy_number(policy_of(L), view, job));
    return 1;
}

/* Pushes a walk. The steps of all orders are made once: upvalue 1 holds them by number. */
int view_push_walk(lua_State *L, uint32_t order)
{
    lua_rawgeti(L, lua_upvalueindex(1), (lua_Integer)order + 1);
    lua_pushvalue(L, 1);
    return 2;
}

VIEW_ASK(void, jobs_max, policy_integer(policy->model->jobs_max(view)))
VIEW_ASK_JOB(void, id, policy_integer((int64_t)policy->model->id(view, job)))

static bool is_active(const pn_lua_policy *policy, const void *view, uint64_t number)
{
    uint32_t job = policy_place(policy, view, (lua_Integer)number);
    return job != PN_NO_JOB && policy->model->active(view, job);
}

VIEW_QUESTION(void, active, view_self, uint64_t number, view_find_amount(given, &number),
              number = (uint64_t)view_amount(L, 2), policy_boolean(is_active(policy, view, number)))

/* ---- random numbers -------------------------------------------------------------------------- */

static pn_stream *stream(lua_State *L)
{
    const void *view = view_self(L);
    const pn_lua_policy *policy = policy_of(L);
    if (policy->now.moment == MOMENT_KEY)
        luaL_error(L, "%s: %s cannot be random (%s)", view_where(L), policy->model->asking,
                   policy->model->drawing);
    return policy->model->stream(view);
}

static int view_random(lua_State *L)
{
    pn_stream *from = stream(L);
    lua_Integer low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
    if (low > high)
        luaL_error(L, "%s: random(low, high) needs low <= high, got %I and %I", view_where(L),
                   (LUAI_UACINT)low, (LUAI_UACINT)high);
    /* The width of the range fits a word, whatever the signs. */
    uint64_t drawn = pn_uniform(from, 0, (uint64_t)high - (uint64_t)low);
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + drawn));
    return 1;
}

static int view_uniform(lua_State *L)
{
    lua_pushnumber(L, pn_uniform01(stream(L)));
    return 1;
}

/* ---- the userdata ---------------------------------------------------------------------------- */

static const luaL_Reg METHODS[] = {
    {"random", view_random}, {"uniform", view_uniform}, {NULL, NULL}};
static const policy_question STREAM_QUESTIONS[] = {VIEW_ASKED(jobs_max, 0, 1), VIEW_ASKED(id, 1, 1),
                                                   VIEW_ASKED(active, 1, 1), VIEW_ASKED_END};

enum { LISTS = 4 };

/* Lists the methods that the model's view has; one may be empty. */
static void lists_of(const policy_model *model, const luaL_Reg *lists[LISTS])
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    lists[0] = METHODS;
    lists[1] = model->methods ? model->methods : none;
    lists[2] = model->more_methods ? model->more_methods : none;
    lists[3] = policy_label_methods;
}

void policy_list_questions(const policy_model *model,
                           const policy_question *lists[POLICY_QUESTION_LISTS])
{
    static const policy_question none[] = {VIEW_ASKED_END};
    lists[0] = model->remembers ? STREAM_QUESTIONS : none;
    lists[1] = model->questions ? model->questions : none;
    lists[2] = policy_label_questions;
}

const policy_question *policy_find_question(const policy_model *model, const char *name,
                                            size_t size)
{
    const policy_question *lists[POLICY_QUESTION_LISTS];
    policy_list_questions(model, lists);
    for (int list = 0; list < POLICY_QUESTION_LISTS; list++)
        for (const policy_question *question = lists[list]; question->name; question++)
            if (strlen(question->name) == size && memcmp(question->name, name, size) == 0)
                return question;
    return NULL;
}

static int refuse_write(lua_State *L)
{
    return luaL_error(L, "the view is read-only%s",
                      policy_of(L)->model->remembers
                          ? " (declare memory in state = { ... } and write s.state.name)"
                          : "");
}

static int refuse_unknown_param(lua_State *L)
{
    return luaL_error(L, "there is no parameter '%s' (declare it in params = { ... })",
                      view_shown(L, 2));
}

enum { KNOWN_MOST = 128 };

/* Returns the model's own one of `words` where `name` is another one of them; null: it is not, or
 * the model has none. */
static const char *find_word(const char *name, const char *const words[], const char *const known[])
{
    const char *word = NULL;
    bool asked = false;
    for (int i = 0; words[i]; i++) {
        asked = asked || strcmp(name, words[i]) == 0;
        for (int k = 0; known[k] && !word; k++)
            word = strcmp(known[k], words[i]) == 0 ? known[k] : NULL;
    }
    return asked ? word : NULL;
}

/* Returns the model's word for what other models or papers call `name`. */
static const char *synonym(const char *name, const char *const known[])
{
    static const char *const clocks[] = {"slot", "time", "now", NULL};
    static const char *const services[] = {"attained", "attained_service", "service", NULL};
    const char *word = find_word(name, clocks, known);
    return word ? word : find_word(name, services, known);
}

static int refuse_unknown(lua_State *L)
{
    const luaL_Reg *lists[LISTS];
    const policy_question *questions[POLICY_QUESTION_LISTS];
    const char *known[KNOWN_MOST] = {"params", "state", "per_job"}, *near = NULL;
    int count = policy_of(L)->model->remembers ? 3 : 1;
    policy_list_questions(policy_of(L)->model, questions);
    for (int list = 0; list < POLICY_QUESTION_LISTS; list++)
        for (const policy_question *asked = questions[list]; asked->name && count < KNOWN_MOST - 1;
             asked++)
            known[count++] = asked->name;
    lists_of(policy_of(L)->model, lists);
    for (int list = 0; list < LISTS; list++)
        for (const luaL_Reg *method = lists[list]; method->name && count < KNOWN_MOST - 1; method++)
            known[count++] = method->name;
    if (lua_type(L, 2) == LUA_TSTRING)
        near = nearest_name(lua_tostring(L, 2), known);
    if (!near && lua_type(L, 2) == LUA_TSTRING)
        near = synonym(lua_tostring(L, 2), known);
    if (near)
        return luaL_error(L, "the view has no '%s' (did you mean '%s'?)", view_shown(L, 2), near);
    return luaL_error(L, "the view has no '%s'", view_shown(L, 2));
}

static void push_order_steps(lua_State *L, const pn_lua_policy *policy)
{
    lua_newtable(L);
    for (uint32_t k = 0; k < policy->order_count; k++) {
        lua_pushinteger(L, k);
        lua_pushcclosure(L, policy->model->step, 1);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* Pushes the methods into the table on top of the stack. */
static void push_methods(lua_State *L, const pn_lua_policy *policy)
{
    const luaL_Reg *lists[LISTS];
    const policy_question *questions[POLICY_QUESTION_LISTS];
    policy_list_questions(policy->model, questions);
    for (int list = 0; list < POLICY_QUESTION_LISTS; list++) {
        for (const policy_question *asked = questions[list]; asked->name; asked++) {
            if (asked->way == POLICY_WALKS)
                push_order_steps(L, policy);
            lua_pushcclosure(L, asked->method, asked->way == POLICY_WALKS);
            lua_setfield(L, -2, asked->name);
        }
    }
    lists_of(policy->model, lists);
    for (int i = 0; i < LISTS; i++) {
        push_order_steps(L, policy);
        luaL_setfuncs(L, lists[i], 1);
    }
}

/* Pushes a table that is empty itself, reads through to the one in the registry under this policy,
 * and cannot be written. */
static void push_params(lua_State *L, pn_lua_policy *policy)
{
    lua_newuserdatauv(L, 0, 0);
    lua_createtable(L, 0, 3);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, policy);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, refuse_unknown_param);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

void policy_push_view(lua_State *L, pn_lua_policy *policy)
{
    lua_newuserdatauv(L, 0, 0);
    lua_createtable(L, 0, 4); /* its metatable */
    lua_newtable(L);          /* the methods */
    push_methods(L, policy);
    push_params(L, policy);
    lua_setfield(L, -2, "params");
    if (policy->model->remembers)
        policy_push_memory(L, policy);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, refuse_unknown);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushstring(L, VIEW);
    lua_setfield(L, -2, "__name");
    lua_setmetatable(L, -2);
}
