/* Policies in Lua of the slotted model: the functions that the kernel calls, and what the shared
 * files know of the model. */
#include "policy.h"

#include <stdio.h>
#include <string.h>

_Static_assert(PN_SLOTTED_ORDERS_MAX <= POLICY_ORDERS_MAX, "room for the orders");

POLICY_KERNEL(slotted)
POLICY_CARRIED(slotted, group, attribute)

static int slotted_tick(pn_slotted_view *view)
{
    return policy_act(pn_slotted_policy_of(view), view, FUNCTION_TIME, MOMENT_TIME, PN_NO_JOB);
}

/* ---- keys and weights ------------------------------------------------------------------------ */

static void scripted_key(const pn_slotted_view *view, uint32_t job, pn_key *key, int order)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_slotted_policy_of(view), view, MOMENT_KEY, job, &outer);
    policy->counts.keys++;
    if (policy_call(policy, FUNCTION_KEY + order, 2) != 0 ||
        policy_take_key(policy, FUNCTION_KEY + order, key) != 0)
        policy_give_up(policy, &outer);
    else
        policy_leave(policy, &outer);
}

/* The kernel does not tell its key functions for which order they are called. */
#define KEY_OF(order)                                                                        \
    static void scripted_key_##order(const pn_slotted_view *view, uint32_t job, pn_key *key) \
    {                                                                                        \
        scripted_key(view, job, key, order);                                                 \
    }
KEY_OF(0)
KEY_OF(1)
KEY_OF(2)
KEY_OF(3)

enum { WEIGHT_MOST = 1 << 20 };

/* Returns the weight. While machines are given it is the one that the job's key was made with: the
 * script is not asked per machine. */
static uint64_t scripted_weight(const pn_slotted_view *view, uint32_t job)
{
    int integer;
    uint64_t *kept = policy_own_words((const pn_lua_policy *)pn_slotted_policy_of(view), view, job);
    if (pn_slotted_idle(view) > 0)
        /* a block from outside may hold anything here */
        return 1 <= *kept && *kept <= WEIGHT_MOST ? *kept : 1;
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_slotted_policy_of(view), view, MOMENT_KEY, job, &outer);
    lua_State *L = policy->box->L;
    *kept = 1;
    policy->counts.keys++;
    if (policy_call(policy, FUNCTION_WEIGHT, 1) != 0) {
        policy_give_up(policy, &outer);
        return 1;
    }
    lua_Integer weight = lua_tointegerx(L, -1, &integer);
    if (!integer || lua_type(L, -1) != LUA_TNUMBER || weight < 1 || weight > WEIGHT_MOST) {
        policy_complain(policy, FUNCTION_WEIGHT,
                        "a share's weight must be an integer in 1..1048576", -1);
        lua_pop(L, 1);
        policy_give_up(policy, &outer);
        return 1;
    }
    lua_pop(L, 1);
    policy_leave(policy, &outer);
    return *kept = (uint64_t)weight;
}

const pn_slotted_policy slotted_scripted = {
    .orders = {{.key = scripted_key_0},
               {.key = scripted_key_1},
               {.key = scripted_key_2},
               {.key = scripted_key_3}},
    .weight = scripted_weight,
    .act = slotted_act,
    .init = slotted_init,
    .arrive = slotted_arrive,
    .finish = slotted_finish,
    .tick = slotted_tick,
};

/* ---- the model ------------------------------------------------------------------------------- */

static void write_time(const pn_lua_policy *policy, const void *view, char *text, size_t size)
{
    (void)policy;
    snprintf(text, size, "%llu", (unsigned long long)pn_slotted_slot(view));
}

const policy_model policy_slotted_model = {
    .name = "slotted",
    .time_word = "slot",
    .world = "the cluster",
    .asking = "a key or share",
    .drawing = "draw in arrive, and keep it in per_job",
    .ordering = "slot and tick",
    .writing = "slot, arrive, finish, tick or init",
    .fields = slotted_fields,
    .methods = slotted_methods,
    .step = slotted_step,
    .remembers = true,
    .define = slotted_define,
    .write_time = write_time,
    POLICY_KERNEL_OF(slotted),
    POLICY_CARRIED_OF(slotted),
};

POLICY_PUBLIC(slotted, pn_slotted_policy, pn_lua_policy_behind)
