/* A policy in Lua: its life, the calls of the script, and their messages on failure. Each is a
 * protected call; when it fails the simulation stops, and the message stays with the policy. */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "view.h"

/* ---- what messages say ----------------------------------------------------------------------- */

void policy_write_double(const pn_lua_policy *policy, double value, char *text, size_t size)
{
    locale_t outside = uselocale(policy->box->plain);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    uselocale(outside);
}

/* Returns whether a text begins with "job 12 at slot 40" or "slot 40". */
static bool says_where(const pn_lua_policy *policy, const char *text)
{
    static const char digits[] = "0123456789";
    const char *word = policy->model->time_word;
    size_t size = strlen(word);
    if (!policy->model->write_time)
        return true;
    if (strncmp(text, "job ", 4) == 0) {
        size_t id = strspn(text + 4, digits);
        if (id == 0 || strncmp(text + 4 + id, " at ", 4) != 0)
            return false;
        text += 4 + id + 4;
    }
    return strncmp(text, word, size) == 0 && text[size] == ' ' &&
           strspn(text + size + 1, digits) > 0;
}

/* Writes "job 12 at slot 40: ", or "slot 40: " of a call that is about no job; "" outside of calls,
 * and in models without times. */
static void write_context(const void *owner, char *text, size_t size)
{
    const pn_lua_policy *policy = owner;
    char time[32];
    if (!policy->now.view || !policy->model->write_time) {
        text[0] = '\0';
        return;
    }
    policy->model->write_time(policy, policy->now.view, time, sizeof time);
    if (policy->now.job == PN_NO_JOB)
        snprintf(text, size, "%s %s: ", policy->model->time_word, time);
    else
        snprintf(text, size, "job %llu at %s %s: ",
                 (unsigned long long)policy->model->id(policy->now.view, policy->now.job),
                 policy->model->time_word, time);
}

/* Says in the message which time and job it is about, after "FILE:LINE: ", unless it says so
 * already. */
static void locate(pn_lua_policy *policy)
{
    char *message = policy->box->message, context[96], text[SANDBOX_MESSAGE_SIZE];
    size_t prefix = policy->box->place;
    if (says_where(policy, message + prefix))
        return;
    write_context(policy, context, sizeof context);
    size_t size = strlen(message), added = strlen(context);
    size_t kept = size - prefix + added < sizeof text - prefix ? size - prefix
                                                               : sizeof text - prefix - added - 1;
    memcpy(text, message + prefix, kept);
    memcpy(message + prefix, context, added);
    memcpy(message + prefix + added, text, kept);
    message[prefix + added + kept] = '\0';
}

int policy_give_up(pn_lua_policy *policy, const policy_frame *outer)
{
    locate(policy);
    if (policy->model->fail)
        policy->model->fail(policy->now.view, PN_ERR_POLICY);
    policy->broken = outer->view != NULL;
    policy_leave(policy, outer);
    return PN_ERR_POLICY;
}

/* Pushes what is kept. Inside another call the stack's first indices are an inner function's; the
 * same values lie in the registry too. */
static void push_kept(const pn_lua_policy *policy, int index)
{
    lua_rawgetp(policy->box->L, LUA_REGISTRYINDEX, policy->cells);
    lua_rawgeti(policy->box->L, -1, index);
    lua_remove(policy->box->L, -2);
}

static inline void push_function(const pn_lua_policy *policy, int function)
{
    if (policy->box->depth > 0)
        push_kept(policy, function + 1);
    else
        lua_pushvalue(policy->box->L, STACK_FUNCTIONS + function);
}

static inline void push_view(const pn_lua_policy *policy)
{
    if (policy->box->depth > 0)
        push_kept(policy, FUNCTION_COUNT + 1);
    else
        lua_pushvalue(policy->box->L, STACK_VIEW);
}

/* Pushes one of the model's words, by its number: outside of protected calls nothing may be
 * allocated. */
static void push_word(const pn_lua_policy *policy, int word)
{
    push_kept(policy, FUNCTION_COUNT + 2 + word);
}

/* Reads a result of a function. */
static policy_value value_at(lua_State *L, int index)
{
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return policy_nil();
    case LUA_TBOOLEAN:
        return policy_boolean(lua_toboolean(L, index));
    case LUA_TNUMBER:
        return lua_isinteger(L, index) ? policy_integer(lua_tointeger(L, index))
                                       : policy_float(lua_tonumber(L, index));
    default:
        return (policy_value){.as.integer = lua_type(L, index), .type = VALUE_OTHER};
    }
}

/* Writes a result in a complaint. */
static void write_result(lua_State *L, const policy_value *value, char *text, size_t size)
{
    static const int types[] = {
        [VALUE_FALSE] = LUA_TBOOLEAN, [VALUE_TRUE] = LUA_TBOOLEAN, [VALUE_NIL] = LUA_TNIL};
    if (value->type == VALUE_INTEGER)
        snprintf(text, size, "%lld", (long long)value->as.integer);
    else if (value->type == VALUE_FLOAT && value->as.number != value->as.number)
        snprintf(text, size, "NaN");
    else if (value->type == VALUE_FLOAT)
        snprintf(text, size, "%.17g", value->as.number);
    else
        snprintf(text, size, "%s",
                 lua_typename(L, value->type == VALUE_OTHER ? (int)value->as.integer
                                                            : types[value->type]));
}

void policy_complain(pn_lua_policy *policy, int function, const char *what,
                     const policy_value *value)
{
    lua_State *L = policy->box->L;
    lua_Debug begin;
    char got[64] = "", text[SANDBOX_MESSAGE_SIZE];
    plain locale = plain_begin();
    if (value)
        write_result(L, value, got, sizeof got);
    plain_end(&locale);
    push_function(policy, function);
    lua_getinfo(L, ">S", &begin);
    snprintf(text, sizeof text, "%s%s%s", what, value ? ", got " : "", got);
    sandbox_say(policy->box, sandbox_file_of(begin.source), begin.linedefined, text);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static int push_params(lua_State *L)
{
    pn_lua_policy *policy = lua_touserdata(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, policy); /* what s.params reads */
    for (uint32_t i = 0; i < policy->param_count; i++) {
        const pn_param *param = &policy->params[i];
        if (policy->param_texts[i].is_table && policy->param_values[i] != param->value)
            luaL_error(L, "params.%s: the simulation runs with another table than the policy has",
                       param->name);
        if (policy->param_texts[i].is_table)
            define_push_table(L, policy->param_texts, param->name);
        else
            policy_push_param(L, param, policy->param_values[i]);
        lua_setfield(L, -2, param->name);
    }
    return 0;
}

/* Shows the parameters, which are the simulation's; s.params shows those of the one that is
 * asking. */
static bool show_params(pn_lua_policy *policy)
{
    bool same = policy->params_shown;
    for (uint32_t i = 0; i < policy->param_count; i++) {
        double value = policy->model->param_value(policy->now.view, i);
        /* 0 and -0 are shown apart */
        same = same && memcmp(&value, &policy->param_values[i], sizeof value) == 0;
        policy->param_values[i] = value;
    }
    if (!same)
        policy->params_shown = sandbox_protect(policy->box, push_params, policy) == 0;
    return policy->params_shown;
}

int policy_push_call(pn_lua_policy *policy, int function)
{
    if (policy->param_count > 0 && !show_params(policy))
        return -1;
    push_function(policy, function);
    push_view(policy);
    if (policy->now.job == PN_NO_JOB)
        return 1;
    policy->now.number = policy_number(policy, policy->now.view, policy->now.job);
    lua_pushinteger(policy->box->L, policy->now.number);
    return 2;
}

/* Calls the script's function with its arguments on the stack, or fails when there are fewer than
 * none; a value beyond `results`, at most three, is refused. 0, or -1. */
static int call_with(pn_lua_policy *policy, int function, int arguments, int results)
{
    static const char *const surplus[] = {"returns a value (expected none)",
                                          "returns a second value (expected one)",
                                          "returns a third value (expected at most two)",
                                          "returns a fourth value (expected at most three)"};
    lua_State *L = policy->box->L;
    if (arguments < 0 || sandbox_call(policy->box, arguments, results + 1) != 0)
        return -1;
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return 0;
    }
    policy_value more = value_at(L, -1);
    policy_complain(policy, function, surplus[results], &more);
    lua_pop(L, results + 1);
    return -1;
}

/* Pushes a value as scripts see it: a text is one of the model's words. */
static void push_value(const pn_lua_policy *policy, const policy_value *value)
{
    int word = 0;
    while (value->type == VALUE_TEXT && policy->model->words[word] != value->as.text)
        word++;
    if (value->type == VALUE_TEXT)
        push_word(policy, word);
    else
        view_push(policy->box->L, *value);
}

/* Asks the function in Lua. */
static int ask_lua(pn_lua_policy *policy, int function, const policy_value *given, int count,
                   policy_value *values, int results)
{
    lua_State *L = policy->box->L;
    int arguments = policy_push_call(policy, function);
    for (int i = 0; i < count && arguments > 0; i++, arguments++)
        push_value(policy, &given[i]);
    if (call_with(policy, function, arguments, results) != 0)
        return -1;
    for (int i = 0; i < results; i++)
        values[i] = value_at(L, i - results);
    lua_pop(L, results);
    return 0;
}

static bool are_same(const policy_value *value, const policy_value *other)
{
    bool is_nan = value->type == VALUE_FLOAT && value->as.number != value->as.number;
    return value->type == other->type &&
           (!policy_is_number(value) || value->as.integer == other->as.integer ||
            (is_nan && other->as.number != other->as.number));
}

/* Undoes what the program did, asks in Lua too, and compares what it returns and leaves in memory
 * with what the program did. */
static int compare_with_lua(pn_lua_policy *policy, int function, const policy_value *given,
                            int count, const policy_value *values, int results, uint32_t kept)
{
    policy_value expected[PROGRAM_RESULTS];
    uint64_t sum = 0;
    bool acts = policy->programs[function]->acts;
    if (acts) {
        sum = policy_sum_memory(policy);
        policy_undo_program(policy, kept);
    }
    if (ask_lua(policy, function, given, count, expected, results) != 0)
        return -1;
    for (int i = 0; i < results; i++) {
        if (are_same(&values[i], &expected[i]))
            continue;
        policy_complain(policy, function, "compiled, it returns another value than in Lua",
                        &values[i]);
        return -1;
    }
    if (!acts || sum == policy_sum_memory(policy))
        return 0;
    policy_complain(policy, function, "compiled, it leaves other memory than in Lua", NULL);
    return -1;
}

int policy_ask_for(pn_lua_policy *policy, int function, const policy_value *given, int count,
                   policy_value *values, int results)
{
    uint32_t kept = policy->change_count;
    enum program_end end = policy->programs[function]
                               ? policy_run_program(policy, function, given, count, values, results)
                               : PROGRAM_GAVE_UP;
    if (end == PROGRAM_GAVE_UP)
        return ask_lua(policy, function, given, count, values, results);
    if (end == PROGRAM_DONE && policy->options.compile == PN_LUA_COMPARED)
        return compare_with_lua(policy, function, given, count, values, results, kept);
    policy->change_count = kept;
    return end == PROGRAM_DONE ? 0 : -1;
}

int policy_act(const void *table, const void *view, int function, enum policy_moment moment,
               uint32_t job)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(table, view, moment, job, &outer);
    if (function == FUNCTION_ACT)
        policy->counts.slots++;
    else
        policy->counts.hooks++;
    if (policy_ask_for(policy, function, NULL, 0, NULL, 0) != 0)
        return policy_give_up(policy, &outer);
    policy_leave(policy, &outer);
    return PN_OK;
}

/* Takes an arrival. These two are also called for policies without the hook. */
int policy_arrive(const void *table, const void *view, uint32_t job)
{
    const pn_lua_policy *policy = table;
    if (!policy->admits) {
        policy_clear_job(policy, view, job);
        if (!policy_enter_job(policy, view, job)) {
            policy_frame outer;
            return policy_give_up(policy_enter(table, view, MOMENT_ARRIVE, job, &outer), &outer);
        }
    }
    if (!policy->arrives)
        return PN_OK;
    return policy_act(table, view, FUNCTION_ARRIVE, MOMENT_ARRIVE, job);
}

void policy_finish(const void *table, const void *view, uint32_t job)
{
    const pn_lua_policy *policy = table;
    if (policy->finishes)
        policy_act(table, view, FUNCTION_FINISH, MOMENT_FINISH, job);
    policy_leave_job(policy, view, job);
}

/* Makes the word of a key. Integers are exact as doubles up to 2^53. */
bool policy_key_word(const policy_value *value, uint64_t *word)
{
    int64_t most = (int64_t)PN_INTEGER_MAX;
    if (value->type == VALUE_INTEGER && value->as.integer <= most && value->as.integer >= -most)
        *word = pn_key_double((double)value->as.integer);
    else if (value->type == VALUE_FLOAT && isfinite(value->as.number))
        *word = pn_key_double(value->as.number);
    else
        return false;
    return true;
}

int policy_ask_key(pn_lua_policy *policy, int function, const policy_value *given, int count,
                   pn_key *key)
{
    policy_value values[2];
    if (policy_ask_for(policy, function, given, count, values, 2) != 0)
        return -1;
    bool first = policy_key_word(&values[0], &key->word[0]);
    if (first && (values[1].type == VALUE_NIL || policy_key_word(&values[1], &key->word[1])))
        return 0;
    policy_complain(policy, function,
                    "a key must be one or two numbers, integers up to 2^53 or finite floats",
                    &values[first]);
    return -1;
}

int policy_ask_integer(pn_lua_policy *policy, int function, const policy_value *given, int count,
                       int64_t least, int64_t most, const char *rule, int64_t *integer)
{
    policy_value value;
    if (policy_ask_for(policy, function, given, count, &value, 1) != 0)
        return -1;
    lua_Integer whole;
    if (value.type == VALUE_FLOAT && value.as.number == floor(value.as.number) &&
        lua_numbertointeger(value.as.number, &whole))
        value = policy_integer(whole);
    *integer = value.as.integer;
    if (value.type == VALUE_INTEGER && least <= value.as.integer && value.as.integer <= most)
        return 0;
    policy_complain(policy, function, rule, &value);
    return -1;
}

/* ---- for the files beside this one ----------------------------------------------------------- */

void *policy_view(lua_State *L)
{
    const pn_lua_policy *policy = policy_of(L);
    if (!policy->now.view)
        luaL_error(L, "%s can only be asked from inside the policy's functions",
                   policy->model->world);
    return policy->now.view;
}

/* ---- life ------------------------------------------------------------------------------------ */

pn_lua_options pn_lua_defaults(void)
{
    return (pn_lua_options){
        .memory = PN_LUA_MEMORY, .budget = PN_LUA_BUDGET, .compile = PN_LUA_COMPILED};
}

static void *allocate_by_libc(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

void pn_lua_policy_free(pn_lua_policy *policy)
{
    if (!policy)
        return;
    pn_lua_options options = policy->options;
    policy_forget_groups(policy);
    policy_forget_programs(policy);
    policy_forget_changes(policy);
    sandbox_free(policy->box);
    options.allocate(options.user, policy, sizeof *policy, 0);
}

/* Loads from text to table: what is left on the stack is the view and the functions, at STACK_VIEW
 * and STACK_FUNCTIONS. */
static int load(pn_lua_policy *policy, const char *text, size_t size)
{
    sandbox *box = policy->box;
    if (sandbox_load(box, policy->chunk, text, size) != 0)
        return -1;
    policy->text = text;
    policy->text_size = size;
    lua_pushcfunction(box->L, policy_define);
    lua_pushvalue(box->L, SANDBOX_TABLE);
    lua_pushlightuserdata(box->L, policy);
    if (sandbox_call(box, 2, 1 + FUNCTION_COUNT) != 0)
        return -1;
    policy->text = NULL;
    if (sandbox_protect(box, push_params, policy) != 0)
        return -1;
    policy->params_shown = true;
    lua_pushvalue(box->L, SANDBOX_TABLE);
    if (sandbox_freeze(box) != 0)
        return -1;
    lua_pop(box->L, 1);
    for (uint32_t i = 0; i < policy->param_count; i++)
        policy->has_tables = policy->has_tables || policy->param_texts[i].is_table;
    bool is_interpreted = policy->options.compile == PN_LUA_INTERPRETED;
    if (!is_interpreted || policy->model->use_known)
        policy_compile(policy);
    if (policy->model->use_known) /* always, as a block is bound to the table */
        policy->model->use_known(policy);
    if (is_interpreted)
        policy_forget_programs(policy);
    return 0;
}

static void say(char *message, size_t message_size, const char *text)
{
    if (message && message_size > 0)
        snprintf(message, message_size, "%s", text);
}

int pn_lua_policy_load(pn_lua_policy **policy, const char *name, const char *text, size_t size,
                       const pn_lua_options *options, char *message, size_t message_size)
{
    return policy_load_watched(policy, name, text, size, options, NULL, message, message_size);
}

int policy_load_watched(pn_lua_policy **policy, const char *name, const char *text, size_t size,
                        const pn_lua_options *options, sandbox *volatile *running, char *message,
                        size_t message_size)
{
    pn_lua_options chosen = options ? *options : pn_lua_defaults();
    if (!policy || !name || (!text && size > 0))
        return PN_ERR_ARGUMENT;
    *policy = NULL;
    say(message, message_size, "");
    chosen.allocate = chosen.allocate ? chosen.allocate : allocate_by_libc;
    sandbox_limits limits = {chosen.memory, chosen.budget, chosen.allocate,
                             chosen.print,  chosen.user,   running};
    pn_lua_policy *made = chosen.allocate(chosen.user, NULL, 0, sizeof *made);
    if (made) {
        memset(made, 0, sizeof *made);
        made->options = chosen;
        made->now.job = PN_NO_JOB;
        made->box = sandbox_new(&limits);
    }
    if (!made || !made->box) {
        say(message, message_size, "not enough memory for a Lua state");
        pn_lua_policy_free(made);
        return PN_ERR_SIZE;
    }
    made->box->owner = made;
    made->box->context = write_context;
    snprintf(made->chunk, sizeof made->chunk, "%s", name);
    /* as in the sandbox's messages */
    for (char *c = made->chunk; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7F ? '?' : *c;
    if (load(made, text, size) != 0) {
        say(message, message_size, made->box->message);
        pn_lua_policy_free(made);
        return PN_ERR_POLICY;
    }
    *policy = made;
    return PN_OK;
}

typedef struct new_table {
    pn_lua_policy *policy;
    pn_param *param;
} new_table;

/* lua_CFunction of (new_table, value). */
static int set_table(lua_State *L)
{
    new_table *given = lua_touserdata(L, 1);
    lua_settop(L, 2);
    define_set_table(L, given->policy->param_texts, given->param);
    return 0;
}

/* Refuses a table where no call of the policy has failed: the message is the caller's. */
static int refuse_table(pn_lua_policy *policy, char *message, size_t message_size)
{
    say(message, message_size, policy->box->message);
    policy->box->message[0] = '\0';
    return PN_ERR_POLICY;
}

int pn_lua_policy_set_table(pn_lua_policy *policy, double params[PN_PARAMS_MAX], const char *name,
                            const char *text, size_t size, char *message, size_t message_size)
{
    sandbox *box = policy->box;
    uint32_t i = 0;
    while (i < policy->param_count && strcmp(policy->params[i].name, name) != 0)
        i++;
    say(message, message_size, "");
    if (i == policy->param_count || !policy->param_texts[i].is_table || policy->now.view)
        return PN_ERR_ARGUMENT;
    new_table given = {policy, &policy->params[i]};
    lua_pushcfunction(box->L, set_table);
    lua_pushlightuserdata(box->L, &given);
    if (sandbox_evaluate(box, text, size) != 0) {
        lua_pop(box->L, 2);
        return refuse_table(policy, message, message_size);
    }
    if (sandbox_call(box, 2, 0) != 0)
        return refuse_table(policy, message, message_size);
    policy->params_shown = false;
    policy->param_values[i] = given.param->value;
    if (params)
        params[i] = given.param->value;
    return PN_OK;
}

const char *pn_lua_policy_unfit(const pn_lua_policy *policy, uint32_t index, const char **file,
                                int *line)
{
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        lua_Debug begin;
        push_function(policy, i);
        bool is_asked = lua_isfunction(policy->box->L, -1) && !(POLICY_ONCE >> i & 1);
        if (!is_asked || index-- > 0) {
            lua_pop(policy->box->L, 1);
            continue;
        }
        lua_getinfo(policy->box->L, ">S", &begin);
        *line = begin.linedefined;
        *file = sandbox_file_of(begin.source);
        if (policy->programs[i])
            return "";
        return policy->unfit[i]           ? policy->unfit[i]
               : policy->model->remembers ? "compiling is switched off"
                                          : "it is called once";
    }
    return NULL;
}

void pn_lua_interrupt(pn_lua_policy *policy)
{
    sandbox_interrupt(policy->box);
}

int pn_lua_policy_interrupted(const pn_lua_policy *policy)
{
    return policy->box->was_interrupted;
}

const char *pn_lua_policy_message(const pn_lua_policy *policy)
{
    return policy->box->message;
}

pn_lua_counts pn_lua_policy_counts(const pn_lua_policy *policy)
{
    return policy->counts;
}
