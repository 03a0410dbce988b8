/* Policies in Lua of the tandem model: the functions that the kernel calls, and what the shared
 * files know of the model. */
#include "policy.h"

_Static_assert(PN_TANDEM_ORDERS_MAX <= POLICY_ORDERS_MAX, "room for the orders");

POLICY_KERNEL(tandem)
POLICY_CARRIED(tandem, group, attribute)

/* ---- keys and members ------------------------------------------------------------------------ */

#define KEY_RULE                                                                                \
    "a key must be one or two finite numbers; a boolean may stand before the second, which is " \
    "then >= 0"

/* Packs a word. A boolean takes the sign's place in the second word: true goes before false,
 * whatever the number >= 0 behind it. */
static bool packed_word(lua_State *L, bool goes_first, int index, uint64_t *word)
{
    *word = pn_key_double(0.0);
    if (!lua_isnil(L, index) && (!policy_key_word(L, index, word) || *word < pn_key_double(0.0)))
        return false;
    *word &= goes_first ? UINT64_MAX >> 1 : UINT64_MAX;
    return true;
}

/* Reads the three values on top of the stack. 0, or the index of the one that is wrong. */
static int read_key(lua_State *L, pn_key *key)
{
    int second = lua_type(L, -2);
    if (!policy_key_word(L, -3, &key->word[0]))
        return -3;
    if (second == LUA_TBOOLEAN)
        return packed_word(L, lua_toboolean(L, -2), -1, &key->word[1]) ? 0 : -1;
    if (second != LUA_TNIL && !policy_key_word(L, -2, &key->word[1]))
        return -2;
    return lua_isnil(L, -1) ? 0 : -1;
}

static void scripted_key(const pn_tandem_view *view, uint32_t job, pn_key *key, int order)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_tandem_policy_of(view), view, MOMENT_KEY, job, &outer);
    lua_State *L = policy->box->L;
    policy->counts.keys++;
    int arguments = policy_push_call(policy, FUNCTION_KEY + order);
    if (arguments > 0 && policy->sized_keys[order]) { /* cheaper than the script's asking */
        lua_pushnumber(L, pn_tandem_map_left(view, job));
        lua_pushnumber(L, pn_tandem_shuffle_left(view, job));
        arguments += 2;
    }
    if (policy_call_with(policy, FUNCTION_KEY + order, arguments, 3) != 0) {
        policy_give_up(policy, &outer);
        return;
    }
    int wrong = read_key(L, key);
    if (wrong != 0)
        policy_complain(policy, FUNCTION_KEY + order, KEY_RULE, wrong);
    lua_pop(L, 3);
    if (wrong != 0)
        policy_give_up(policy, &outer);
    else
        policy_leave(policy, &outer);
}

static int scripted_member(const pn_tandem_view *view, uint32_t job, int order)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_tandem_policy_of(view), view, MOMENT_KEY, job, &outer);
    lua_State *L = policy->box->L;
    policy->counts.hooks++;
    if (policy_call(policy, FUNCTION_MEMBER + order, 1) != 0) {
        policy_give_up(policy, &outer);
        return 0;
    }
    bool legal = lua_isboolean(L, -1), member = lua_toboolean(L, -1);
    if (!legal)
        policy_complain(policy, FUNCTION_MEMBER + order, "member must return true or false", -1);
    lua_pop(L, 1);
    if (legal)
        policy_leave(policy, &outer);
    else
        policy_give_up(policy, &outer);
    return legal && member;
}

/* The kernel does not tell its functions for which order they are called. */
#define FUNCTIONS_OF(order)                                                                 \
    static void scripted_key_##order(const pn_tandem_view *view, uint32_t job, pn_key *key) \
    {                                                                                       \
        scripted_key(view, job, key, order);                                                \
    }                                                                                       \
    static int scripted_member_##order(const pn_tandem_view *view, uint32_t job)            \
    {                                                                                       \
        return scripted_member(view, job, order);                                           \
    }
FUNCTIONS_OF(0)
FUNCTIONS_OF(1)
FUNCTIONS_OF(2)
FUNCTIONS_OF(3)
FUNCTIONS_OF(4)
FUNCTIONS_OF(5)

/* ---- wake ------------------------------------------------------------------------------------ */

static double scripted_wake(const pn_tandem_view *view)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_tandem_policy_of(view), view, MOMENT_TIME, PN_NO_JOB,
                                         &outer);
    lua_State *L = policy->box->L;
    double delay = PN_TANDEM_NEVER;
    policy->counts.hooks++;
    if (policy_call(policy, FUNCTION_TIME, 1) != 0) {
        policy_give_up(policy, &outer);
        return delay;
    }
    bool legal = lua_isnil(L, -1);
    if (lua_type(L, -1) == LUA_TNUMBER) {
        delay = lua_tonumber(L, -1);
        legal = delay >= 0;
        delay = delay < PN_TANDEM_NEVER ? delay : PN_TANDEM_NEVER;
    }
    if (!legal)
        policy_complain(policy, FUNCTION_TIME,
                        "wake must return in what time, >= 0, or nil for never", -1);
    lua_pop(L, 1);
    if (legal)
        policy_leave(policy, &outer);
    else
        policy_give_up(policy, &outer);
    return legal ? delay : PN_TANDEM_NEVER;
}

#define ORDER(k)                                               \
    {                                                          \
        .key = scripted_key_##k, .member = scripted_member_##k \
    }

const pn_tandem_policy tandem_scripted = {
    .orders = {ORDER(0), ORDER(1), ORDER(2), ORDER(3), ORDER(4), ORDER(5)},
    .act = tandem_act,
    .wake = scripted_wake,
    .init = tandem_init,
    .arrive = tandem_arrive,
    .finish = tandem_finish,
};

/* ---- the model ------------------------------------------------------------------------------- */

static void write_time(const pn_lua_policy *policy, const void *view, char *text, size_t size)
{
    policy_write_double(policy, pn_tandem_time(view), text, size);
}

const policy_model policy_tandem_model = {
    .name = "tandem",
    .time_word = "time",
    .world = "the stations",
    .asking = "a key or member",
    .drawing = "draw in arrive, and keep it in per_job",
    .ordering = "rates and wake",
    .writing = "rates, wake, arrive, finish or init",
    .fields = tandem_fields,
    .methods = tandem_methods,
    .step = tandem_step,
    .chooses = true,
    .remembers = true,
    .define = tandem_define,
    .write_time = write_time,
    POLICY_KERNEL_OF(tandem),
    POLICY_CARRIED_OF(tandem),
};

POLICY_PUBLIC(tandem, pn_tandem_policy, pn_lua_policy_behind_tandem)

int pn_lua_policy_ranks(const pn_lua_policy *policy)
{
    return policy->ranks;
}
