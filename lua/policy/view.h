/* What the views of all models share: reading arguments, and saying what is wrong with them.
 * Infeasible decisions are refused at once, where the script made them. `argument` is an index of
 * the stack; methods have the view at 1. */
#ifndef PINION_POLICY_VIEW_H
#define PINION_POLICY_VIEW_H

#include "state.h"

/* Pushes the view of a policy whose definition has been read. */
void policy_push_view(lua_State *L, pn_lua_policy *policy);

/* Lists the questions of the model's view; a list may be empty. */
enum { POLICY_QUESTION_LISTS = 3 };
void policy_list_questions(const policy_model *model,
                           const policy_question *lists[POLICY_QUESTION_LISTS]);
/* Finds a question of the model's view; null: it has none of that name. */
const policy_question *policy_find_question(const policy_model *model, const char *name,
                                            size_t size);

/* Returns the view of the running call, of a method's arguments (s, …). */
void *view_refuse_self(lua_State *L);
static inline void *view_self(lua_State *L)
{
    void *view = policy_of(L)->now.view;
    return view && lua_type(L, 1) == LUA_TUSERDATA ? view : view_refuse_self(L);
}

/* Writes "job 12 at slot 40" or "slot 40", of the call; the same about some job. On the stack. */
const char *view_where(lua_State *L);
const char *view_where_job(lua_State *L, uint32_t job);
/* Writes the same about some job or PN_NO_JOB, with the name of the method that runs: "job 12 at
 * slot 40: give". On the stack. */
const char *view_where_call(lua_State *L, uint32_t job);
/* Returns what precedes a message about what the function at `index` returned: the line on which it
 * begins, and these words. On the stack. */
const char *view_function_place(lua_State *L, int index, const char *what);
/* Shows a value in a message: never an address, nor the sign of a NaN, which is the machine's. */
const char *view_shown(lua_State *L, int argument);
/* Raises "WHERE: EXPECTED, got …" about an argument. */
int view_expected(lua_State *L, int argument, uint32_t job, const char *expected);

/* Returns the job at this argument as a place, which must be there; PN_NO_JOB for nil, where that
 * is allowed. */
uint32_t view_other_job(lua_State *L, int argument);
static inline uint32_t view_job(lua_State *L, int argument)
{
    const pn_lua_policy *policy = policy_of(L);
    int integer;
    if (policy->now.job == PN_NO_JOB || !lua_isinteger(L, argument) ||
        policy->now.number != lua_tointegerx(L, argument, &integer))
        return view_other_job(L, argument);
    return policy->now.job; /* nearly always, in keys */
}
uint32_t view_job_or_none(lua_State *L, int argument);
/* Returns an integer >= 0. */
lua_Integer view_amount(lua_State *L, int argument);
lua_Integer view_amount_for(lua_State *L, int argument, uint32_t job); /* that the message names */
/* Reads a, b, c of scale(a, b, c), a * b / c: Lua's arguments; whether those of a program are such
 * numbers. */
void view_read_scale(lua_State *L, policy_value given[3]);
bool view_find_scale(const policy_value given[3]);
/* Finds the order of a name. */
bool policy_find_order(const pn_lua_policy *policy, const char *name, uint32_t *order);
/* Returns whether the function that runs may use orders. */
bool view_uses_orders(const pn_lua_policy *policy);
/* Returns the number of the order that an argument names: one of Lua's, where other values raise,
 * or one of a program, where they are false. */
uint32_t view_order(lua_State *L, int argument);
static inline bool view_find_order(const pn_lua_policy *policy, const policy_value *given,
                                   uint32_t *order)
{
    return view_uses_orders(policy) && given->type == VALUE_TEXT &&
           policy_find_order(policy, given->as.text, order);
}
/* Raises unless a job stands in the order (`member` is what the kernel said). */
void view_need_member(lua_State *L, int member, uint32_t order, uint32_t job);

/* Pushes the number that scripts know the job by, nil for PN_NO_JOB; 1. */
int view_push_job(lua_State *L, uint32_t job);
/* Pushes an answer; 1. */
static inline int view_push(lua_State *L, policy_value answer)
{
    if (answer.type == VALUE_INTEGER)
        lua_pushinteger(L, answer.as.integer);
    else if (answer.type == VALUE_FLOAT)
        lua_pushnumber(L, answer.as.number);
    else if (answer.type == VALUE_NIL)
        lua_pushnil(L);
    else if (answer.type == VALUE_JOB)
        return view_push_job(L, (uint32_t)answer.as.integer);
    else
        lua_pushboolean(L, answer.type == VALUE_TRUE);
    return 1;
}

/* Reads a job from the arguments of a program: by its place, or by its number, as memory holds it;
 * nil too, as PN_NO_JOB. */
bool view_find_number(const pn_lua_policy *policy, const policy_value *given, uint32_t *job);
static inline bool view_find_job(const pn_lua_policy *policy, const policy_value *given,
                                 uint32_t *job)
{
    *job = (uint32_t)given->as.integer;
    return given->type == VALUE_JOB || view_find_number(policy, given, job);
}
static inline bool view_find_job_or_none(const pn_lua_policy *policy, const policy_value *given,
                                         uint32_t *job)
{
    *job = PN_NO_JOB;
    return given->type == VALUE_NIL || view_find_job(policy, given, job);
}
/* Reads an integer >= 0. */
static inline bool view_find_amount(const policy_value *given, uint64_t *amount)
{
    *amount = (uint64_t)given->as.integer;
    return given->type == VALUE_INTEGER && given->as.integer >= 0;
}

/* Defines the two functions of a question with one answer, and both in C as the exporter takes
 * them, an expression of `view`, `policy` and what DECLARE declares: ask_NAME, where FIND reads
 * that from the values `given`, or is false, and view_NAME, where SELF returns the view and READ
 * reads it from Lua's arguments. VIEW_ASKED is the question's row. */
#define VIEW_QUESTION(VIEW, name, SELF, DECLARE, FIND, READ, answer)                   \
    static const char *const c_##name[2] = {#DECLARE, #answer};                        \
    static bool ask_##name(pn_lua_policy *policy, void *at, const policy_value *given, \
                           policy_value *got)                                          \
    {                                                                                  \
        const VIEW *view = at;                                                         \
        DECLARE;                                                                       \
        (void)policy, (void)view, (void)given;                                         \
        if (!(FIND))                                                                   \
            return false;                                                              \
        *got = answer;                                                                 \
        return true;                                                                   \
    }                                                                                  \
    static int view_##name(lua_State *L)                                               \
    {                                                                                  \
        const VIEW *view = SELF(L);                                                    \
        const pn_lua_policy *policy = policy_of(L);                                    \
        DECLARE;                                                                       \
        READ;                                                                          \
        (void)policy, (void)view;                                                      \
        return view_push(L, answer);                                                   \
    }
#define VIEW_ASK(VIEW, name, answer) \
    VIEW_QUESTION(VIEW, name, view_self, (void)0, true, (void)0, answer)
#define VIEW_ASK_JOB(VIEW, name, answer)                                                   \
    VIEW_QUESTION(VIEW, name, view_self, uint32_t job, view_find_job(policy, given, &job), \
                  job = view_job(L, 2), answer)
/* Rows: of such a question; of one whose functions are written by hand; of what changes something,
 * by act_NAME; of a loop over jobs, by walk_NAME, whose arguments are that of the method and the
 * job before, or nil. Of the last two, what they take and do in C. */
#define VIEW_ROW(name, function, takes, gives, way, in_c)     \
    {                                                         \
#name, view_##name, function, takes, gives, way, in_c \
    }
#define VIEW_IN_C(takes, call) ((const char *const[2]){takes, call})
#define VIEW_ASKED(name, takes, gives) \
    VIEW_ROW(name, ask_##name, takes, gives, POLICY_ASKS, c_##name)
#define VIEW_ASKED_BY_HAND(name, takes, gives) \
    VIEW_ROW(name, ask_##name, takes, gives, POLICY_ASKS, NULL)
#define VIEW_ACTS(name, takes, gives, c_takes, c_call) \
    VIEW_ROW(name, act_##name, takes, gives, POLICY_ACTS, VIEW_IN_C(c_takes, c_call))
#define VIEW_WALKS(name, takes, c_takes, c_next) \
    VIEW_ROW(name, walk_##name, takes, 0, POLICY_WALKS, VIEW_IN_C(c_takes, c_next))
#define VIEW_ASKED_END                            \
    {                                             \
        NULL, NULL, NULL, 0, 0, POLICY_ASKS, NULL \
    }

/* Pushes what a `for` loop over the order needs; 2. */
int view_push_walk(lua_State *L, uint32_t order);

#endif
