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
static bool packed_word(bool goes_first, const policy_value *value, uint64_t *word)
{
    *word = pn_key_double(0.0);
    if (value->type != VALUE_NIL && (!policy_key_word(value, word) || *word < pn_key_double(0.0)))
        return false;
    *word &= goes_first ? UINT64_MAX >> 1 : UINT64_MAX;
    return true;
}

/* Reads the values that a key consists of. The one that is wrong; null: none is. */
static const policy_value *read_key(const policy_value values[3], pn_key *key)
{
    const policy_value *second = &values[1], *third = &values[2];
    if (!policy_key_word(&values[0], &key->word[0]))
        return &values[0];
    if (second->type == VALUE_TRUE || second->type == VALUE_FALSE)
        return packed_word(second->type == VALUE_TRUE, third, &key->word[1]) ? NULL : third;
    if (second->type != VALUE_NIL && !policy_key_word(second, &key->word[1]))
        return second;
    return third->type == VALUE_NIL ? NULL : third;
}

static void scripted_key(const pn_tandem_view *view, uint32_t job, pn_key *key, int order)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_tandem_policy_of(view), view, MOMENT_KEY, job, &outer);
    policy_value given[2], values[3];
    int count = 0;
    policy->counts.keys++;
    if (policy->sized_keys[order]) { /* cheaper than the script's asking */
        given[0] = policy_float(pn_tandem_map_left(view, job));
        given[1] = policy_float(pn_tandem_shuffle_left(view, job));
        count = 2;
    }
    bool good = policy_ask_for(policy, FUNCTION_KEY + order, given, count, values, 3) == 0;
    const policy_value *wrong = good ? read_key(values, key) : NULL;
    if (wrong)
        policy_complain(policy, FUNCTION_KEY + order, KEY_RULE, wrong);
    policy_end(policy, &outer, good && !wrong);
}

static int scripted_member(const pn_tandem_view *view, uint32_t job, int order)
{
    policy_frame outer;
    pn_lua_policy *policy = policy_enter(pn_tandem_policy_of(view), view, MOMENT_KEY, job, &outer);
    policy_value member;
    policy->counts.hooks++;
    bool good = policy_ask_for(policy, FUNCTION_MEMBER + order, NULL, 0, &member, 1) == 0;
    if (good && member.type != VALUE_TRUE && member.type != VALUE_FALSE) {
        policy_complain(policy, FUNCTION_MEMBER + order, "member must return true or false",
                        &member);
        good = false;
    }
    policy_end(policy, &outer, good);
    return good && member.type == VALUE_TRUE;
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
    policy_value answer = policy_nil();
    double delay = PN_TANDEM_NEVER;
    policy->counts.hooks++;
    bool good = policy_ask_for(policy, FUNCTION_TIME, NULL, 0, &answer, 1) == 0;
    if (good && policy_is_number(&answer))
        delay = answer.type == VALUE_FLOAT ? answer.as.number : (double)answer.as.integer;
    if (good && !(answer.type == VALUE_NIL || (policy_is_number(&answer) && delay >= 0))) {
        policy_complain(policy, FUNCTION_TIME,
                        "wake must return in what time, >= 0, or nil for never", &answer);
        good = false;
    }
    policy_end(policy, &outer, good);
    return good && delay < PN_TANDEM_NEVER ? delay : PN_TANDEM_NEVER;
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

static void take_back(void *view)
{
    pn_tandem_take_back(view);
}

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
    .questions = tandem_questions,
    .methods = tandem_methods,
    .step = tandem_step,
    .chooses = true,
    .remembers = true,
    .define = tandem_define,
    .write_time = write_time,
    .take_back = take_back,
    .write_c = tandem_write_c,
    .use_known = tandem_use_known,
    POLICY_KERNEL_OF(tandem),
    POLICY_CARRIED_OF(tandem),
};

POLICY_PUBLIC(tandem, pn_tandem_policy, pn_lua_policy_behind_tandem)

int pn_lua_policy_ranks(const pn_lua_policy *policy)
{
    return policy->ranks;
}
