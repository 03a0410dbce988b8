/* A Lua policy of the slotted model: its life, and the functions that the kernel calls. Each of these makes one protected call of
 * the script; when that fails the simulation is told to give up, and the message stays with the policy. */
#include "slotted_policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- from kernel to script -------------------------------------------------------------------------- */

static pn_lua_policy *enter(const pn_slotted_view *view, enum policy_moment moment, uint32_t job)
{
    pn_lua_policy *policy = (pn_lua_policy *)(uintptr_t)pn_slotted_policy_of(view);
    policy->view = (pn_slotted_view *)(uintptr_t)view; /* scripts can only give in their slot, where the kernel's is not const */
    policy->moment = moment;
    policy->job = job;
    return policy;
}

static void leave(pn_lua_policy *policy)
{
    policy->view = NULL;
    policy->moment = MOMENT_NONE;
}

/* Length of the "FILE: " or "FILE:LINE: " that a message begins with; 0 when it begins with neither. */
static size_t place_of(const pn_lua_policy *policy, const char *message)
{
    size_t size = strlen(policy->chunk), digits;
    if (strncmp(message, policy->chunk, size) != 0 || message[size] != ':')
        return 0;
    digits = strspn(message + size + 1, "0123456789");
    if (digits > 0 && message[size + 1 + digits] == ':')
        size += 1 + digits;
    return message[size + 1] == ' ' ? size + 2 : size + 1;
}

/* Whether a text begins with "job 12 at slot 40" or "slot 40". */
static bool says_where(const char *text)
{
    static const char digits[] = "0123456789";
    if (strncmp(text, "slot ", 5) == 0)
        return strspn(text + 5, digits) > 0;
    if (strncmp(text, "job ", 4) != 0)
        return false;
    size_t id = strspn(text + 4, digits);
    return id > 0 && strncmp(text + 4 + id, " at slot ", 9) == 0;
}

/* "job 12 at slot 40: ", or "slot 40: " of a call that is about no job; "" outside of calls. */
static void write_context(const void *owner, char *text, size_t size)
{
    const pn_lua_policy *policy = owner;
    unsigned long long slot = policy->view ? pn_slotted_slot(policy->view) : 0;
    if (!policy->view)
        text[0] = '\0';
    else if (policy->job == PN_NO_JOB)
        snprintf(text, size, "slot %llu: ", slot);
    else
        snprintf(text, size, "job %llu at slot %llu: ", (unsigned long long)pn_slotted_id(policy->view, policy->job), slot);
}

/* Says in the message which slot and job it is about, after "FILE:LINE: ", unless it says so already. */
static void locate(pn_lua_policy *policy)
{
    char *message = policy->box->message, context[96], text[SANDBOX_MESSAGE_SIZE];
    size_t prefix = place_of(policy, message);
    if (says_where(message + prefix))
        return;
    write_context(policy, context, sizeof context);
    size_t size = strlen(message), added = strlen(context);
    size_t kept = size - prefix + added < sizeof text - prefix ? size - prefix : sizeof text - prefix - added - 1;
    memcpy(text, message + prefix, kept);
    memcpy(message + prefix, context, added);
    memcpy(message + prefix + added, text, kept);
    message[prefix + added + kept] = '\0';
}

static int give_up(pn_lua_policy *policy)
{
    locate(policy);
    pn_slotted_fail(policy->view, PN_ERR_POLICY);
    leave(policy);
    return PN_ERR_POLICY;
}

/* The parameters are the simulation's; s.params shows those of the one that is asking. */
static bool show_params(pn_lua_policy *policy)
{
    bool same = policy->params_shown;
    for (uint32_t i = 0; i < policy->table.param_count; i++) {
        int64_t value = pn_slotted_param_value(policy->view, i);
        same = same && value == policy->param_values[i];
        policy->param_values[i] = value;
    }
    if (!same)
        policy->params_shown = sandbox_protect(policy->box, policy_show_params, policy) == 0;
    return policy->params_shown;
}

/* Calls the script's function with the view and, if there is one, the job. 0, or -1. */
static int call(pn_lua_policy *policy, int function, int results)
{
    lua_State *L = policy->box->L;
    if (!show_params(policy))
        return -1;
    lua_pushvalue(L, STACK_FUNCTIONS + function);
    lua_pushvalue(L, STACK_VIEW);
    if (policy->job == PN_NO_JOB)
        return sandbox_call(policy->box, 1, results);
    policy->number = policy_number(policy->view, policy->job);
    lua_pushinteger(L, policy->number);
    return sandbox_call(policy->box, 2, results);
}

/* Says what is wrong with a result, as an error of the script would be said: with the line on which the function begins. */
static void complain(pn_lua_policy *policy, int function, const char *what, int index)
{
    lua_State *L = policy->box->L;
    lua_Debug begin;
    char got[64];
    if (lua_type(L, index) == LUA_TNUMBER && !lua_isinteger(L, index) && lua_tonumber(L, index) != lua_tonumber(L, index))
        snprintf(got, sizeof got, "NaN");
    else if (lua_type(L, index) == LUA_TNUMBER && lua_isinteger(L, index))
        snprintf(got, sizeof got, "%lld", (long long)lua_tointeger(L, index));
    else if (lua_type(L, index) == LUA_TNUMBER)
        snprintf(got, sizeof got, "%.17g", lua_tonumber(L, index));
    else
        snprintf(got, sizeof got, "%s", lua_typename(L, lua_type(L, index)));
    lua_pushvalue(L, STACK_FUNCTIONS + function);
    lua_getinfo(L, ">S", &begin);
    snprintf(policy->box->message, SANDBOX_MESSAGE_SIZE, "%s:%d: %s, got %s", policy->chunk, begin.linedefined, what, got);
}

static int hook(const pn_slotted_view *view, int function, enum policy_moment moment, uint32_t job)
{
    pn_lua_policy *policy = enter(view, moment, job);
    policy->counts.hooks++;
    if (call(policy, function, 0) != 0)
        return give_up(policy);
    leave(policy);
    return PN_OK;
}

int policy_init(pn_slotted_view *view)
{
    return hook(view, FUNCTION_INIT, MOMENT_INIT, PN_NO_JOB);
}

/* These two are also called for policies without the hook. */
int policy_arrive(pn_slotted_view *view, uint32_t job)
{
    const pn_lua_policy *policy = (const pn_lua_policy *)pn_slotted_policy_of(view);
    policy_enter_job(policy, view, job);
    if (!policy->arrives)
        return PN_OK;
    return hook(view, FUNCTION_ARRIVE, MOMENT_ARRIVE, job);
}

void policy_finish(pn_slotted_view *view, uint32_t job)
{
    const pn_lua_policy *policy = (const pn_lua_policy *)pn_slotted_policy_of(view);
    if (policy->finishes)
        hook(view, FUNCTION_FINISH, MOMENT_FINISH, job);
    policy_leave_job(view, job);
}

int policy_tick(pn_slotted_view *view)
{
    return hook(view, FUNCTION_TICK, MOMENT_TICK, PN_NO_JOB);
}

int policy_slot(pn_slotted_view *view)
{
    pn_lua_policy *policy = enter(view, MOMENT_SLOT, PN_NO_JOB);
    policy->counts.slots++;
    if (call(policy, FUNCTION_SLOT, 0) != 0)
        return give_up(policy);
    leave(policy);
    return PN_OK;
}

/* ---- keys and weights ------------------------------------------------------------------------------- */

/* Maps a number to a word so that words are ordered as the numbers are: a double's bits, with the sign turned round. Integers are
 * exact as doubles up to 2^53. */
static bool word_of(lua_State *L, int index, uint64_t *word)
{
    const lua_Integer most = (lua_Integer)PN_INTEGER_MAX;
    double number;
    if (lua_isinteger(L, index)) {
        lua_Integer integer = lua_tointeger(L, index);
        if (integer > most || integer < -most)
            return false;
        number = (double)integer;
    } else {
        number = lua_tonumber(L, index) + 0.0; /* -0 and 0 are one number */
        if (lua_type(L, index) != LUA_TNUMBER || !isfinite(number))
            return false;
    }
    memcpy(word, &number, sizeof *word);
    *word = *word >> 63 ? ~*word : *word | (uint64_t)1 << 63;
    return true;
}

static void scripted_key(const pn_slotted_view *view, uint32_t job, pn_key *key, int order)
{
    pn_lua_policy *policy = enter(view, MOMENT_KEY, job);
    lua_State *L = policy->box->L;
    policy->counts.keys++;
    if (call(policy, FUNCTION_KEY + order, 2) != 0) {
        give_up(policy);
        return;
    }
    bool first = word_of(L, -2, &key->word[0]);
    if (!first || (!lua_isnil(L, -1) && !word_of(L, -1, &key->word[1]))) {
        complain(policy, FUNCTION_KEY + order, "a key must be one or two numbers, integers up to 2^53 or finite floats",
                 first ? -1 : -2);
        lua_pop(L, 2);
        give_up(policy);
        return;
    }
    lua_pop(L, 2);
    leave(policy);
}

/* The kernel's key functions are not told of which order they are. */
static void scripted_key_0(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    scripted_key(view, job, key, 0);
}

static void scripted_key_1(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    scripted_key(view, job, key, 1);
}

static void scripted_key_2(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    scripted_key(view, job, key, 2);
}

static void scripted_key_3(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    scripted_key(view, job, key, 3);
}

void (*const policy_scripted_keys[PN_ORDERS_MAX])(const pn_slotted_view *, uint32_t, pn_key *) = {scripted_key_0, scripted_key_1,
                                                                                                  scripted_key_2, scripted_key_3};

enum { WEIGHT_MOST = 1 << 20 };

/* While machines are handed out the weight is the one that the job's key was made with: the script is not asked per machine. */
uint64_t policy_weight(const pn_slotted_view *view, uint32_t job)
{
    int integer;
    if (pn_slotted_idle(view) > 0)
        return policy_kept_weight(view, job);
    pn_lua_policy *policy = enter(view, MOMENT_KEY, job);
    lua_State *L = policy->box->L;
    policy_keep_weight(view, job, 1);
    policy->counts.keys++;
    if (call(policy, FUNCTION_WEIGHT, 1) != 0) {
        give_up(policy);
        return 1;
    }
    lua_Integer weight = lua_tointegerx(L, -1, &integer);
    if (!integer || lua_type(L, -1) != LUA_TNUMBER || weight < 1 || weight > WEIGHT_MOST) {
        complain(policy, FUNCTION_WEIGHT, "a share's weight must be an integer in 1..1048576", -1);
        lua_pop(L, 1);
        give_up(policy);
        return 1;
    }
    lua_pop(L, 1);
    policy_keep_weight(view, job, (uint64_t)weight);
    leave(policy);
    return (uint64_t)weight;
}

/* ---- for the files beside this one -------------------------------------------------------------------- */

pn_lua_policy *policy_of(lua_State *L)
{
    return sandbox_of(L)->owner;
}

pn_slotted_view *policy_view(lua_State *L)
{
    pn_slotted_view *view = policy_of(L)->view;
    if (!view)
        luaL_error(L, "the cluster can only be asked from inside the policy's functions");
    return view;
}

/* ---- life --------------------------------------------------------------------------------------------- */

pn_lua_options pn_lua_defaults(void)
{
    return (pn_lua_options){.memory = PN_LUA_MEMORY, .budget = PN_LUA_BUDGET};
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
    sandbox_free(policy->box);
    options.allocate(options.user, policy, sizeof *policy, 0);
}

/* From text to table: what is left on the stack is the view and the functions, at STACK_VIEW and STACK_FUNCTIONS. */
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
    for (uint32_t i = 0; i < policy->table.param_count; i++)
        policy->param_values[i] = policy->table.params[i].value;
    if (sandbox_protect(box, policy_show_params, policy) != 0)
        return -1;
    policy->params_shown = true;
    lua_pushvalue(box->L, SANDBOX_TABLE);
    if (sandbox_freeze(box) != 0)
        return -1;
    lua_pop(box->L, 1);
    return 0;
}

static void say(char *message, size_t message_size, const char *text)
{
    if (message && message_size > 0)
        snprintf(message, message_size, "%s", text);
}

int pn_lua_policy_load(pn_lua_policy **policy, const char *name, const char *text, size_t size, const pn_lua_options *options,
                       char *message, size_t message_size)
{
    pn_lua_options chosen = options ? *options : pn_lua_defaults();
    if (!policy || !name || (!text && size > 0))
        return PN_ERR_ARGUMENT;
    *policy = NULL;
    say(message, message_size, "");
    chosen.allocate = chosen.allocate ? chosen.allocate : allocate_by_libc;
    sandbox_limits limits = {chosen.memory, chosen.budget, chosen.allocate, chosen.print, chosen.user};
    pn_lua_policy *made = chosen.allocate(chosen.user, NULL, 0, sizeof *made);
    if (made) {
        memset(made, 0, sizeof *made);
        made->options = chosen;
        made->job = PN_NO_JOB;
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
    for (char *c = made->chunk; *c; c++) /* as in the sandbox's messages, so that these can be taken apart again */
        *c = (unsigned char)*c < ' ' || *c == 0x7F ? '?' : *c;
    if (load(made, text, size) != 0) {
        say(message, message_size, made->box->message);
        pn_lua_policy_free(made);
        return PN_ERR_POLICY;
    }
    *policy = made;
    return PN_OK;
}

const pn_slotted_policy *pn_lua_policy_slotted(const pn_lua_policy *policy)
{
    return policy ? &policy->table : NULL;
}

/* Tables that come from here name as their source a text inside themselves. */
const pn_lua_policy *pn_lua_policy_behind(const pn_slotted_policy *table)
{
    const pn_lua_policy *policy = (const pn_lua_policy *)table;
    return table && table->order_count > 0 && table->name == policy->name ? policy : NULL;
}

const char *pn_lua_policy_message(const pn_lua_policy *policy)
{
    return policy->box->message;
}

pn_lua_param pn_lua_policy_param(const pn_lua_policy *policy, uint32_t index)
{
    return policy->params[index];
}

int64_t pn_lua_float(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void pn_lua_policy_defaults(const pn_lua_policy *policy, int64_t params[PN_PARAMS_MAX])
{
    for (uint8_t i = 0; i < policy->table.param_count; i++)
        params[i] = policy->table.params[i].value;
}

int pn_lua_policy_set(const pn_lua_policy *policy, int64_t params[PN_PARAMS_MAX], const char *name, double value)
{
    for (uint8_t i = 0; i < policy->table.param_count; i++) {
        const pn_lua_param *param = &policy->params[i];
        if (strcmp(param->name, name) != 0)
            continue;
        if (!isfinite(value) || value < param->low || value > param->high || (!param->is_float && value != floor(value)))
            return PN_ERR_ARGUMENT;
        params[i] = param->is_float ? pn_lua_float(value) : (int64_t)value;
        return PN_OK;
    }
    return PN_ERR_ARGUMENT;
}

pn_lua_counts pn_lua_policy_counts(const pn_lua_policy *policy)
{
    return policy->counts;
}
