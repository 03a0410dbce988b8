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
    policy_end(policy, &outer, policy_ask_key(policy, FUNCTION_KEY + order, NULL, 0, key) == 0);
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
    int64_t weight;
    uint64_t *kept = policy_own_words((const pn_lua_policy *)pn_slotted_policy_of(view), view, job);
    if (pn_slotted_idle(view) > 0)
        /* a block from outside may hold anything here */
        return 1 <= *kept && *kept <= WEIGHT_MOST ? *kept : 1;
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_slotted_policy_of(view), view, MOMENT_KEY, job, &outer);
    policy->counts.keys++;
    bool good = policy_ask_integer(policy, FUNCTION_WEIGHT, NULL, 0, 1, WEIGHT_MOST,
                                   "a share's weight must be an integer in 1..1048576",
                                   &weight) == 0;
    policy_end(policy, &outer, good);
    return *kept = good ? (uint64_t)weight : 1;
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

static void take_back(void *view)
{
    pn_slotted_take_back(view);
}

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
    .questions = slotted_questions,
    .step = slotted_step,
    .remembers = true,
    .define = slotted_define,
    .write_time = write_time,
    .take_back = take_back,
    .write_c = slotted_write_c,
    POLICY_KERNEL_OF(slotted),
    POLICY_CARRIED_OF(slotted),
};

POLICY_PUBLIC(slotted, pn_slotted_policy, pn_lua_policy_behind)
