/* Reads the definition of a policy of the slotted model: modes, the virtual run, orders, and which
 * of the three forms it takes. */
#include <string.h>

#include "policy/define.h"
#include "policy.h"

/* ---- modes, the virtual run ------------------------------------------------------------------ */

static void read_modes(lua_State *L, pn_slotted_policy *table)
{
    static const char *const modes[] = {"preemptive", "nonpreemptive", NULL};
    int type = define_get(L, DEFINITION, "modes");
    table->preemptive = table->nonpreemptive = type == LUA_TNIL;
    if (type != LUA_TNIL && type != LUA_TTABLE)
        define_refuse(L, "modes: must be an array of preemptive, nonpreemptive; got a %s",
                      lua_typename(L, type));
    lua_Integer count = type == LUA_TTABLE ? sandbox_length(L, -1) : 0;
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        if (define_word_at(L, lua_gettop(L), "", "modes", modes) == 0)
            table->preemptive = 1;
        else
            table->nonpreemptive = 1;
        lua_pop(L, 1);
    }
    if (!table->preemptive && !table->nonpreemptive)
        define_refuse(L, "modes: must name at least one of preemptive, nonpreemptive");
    lua_pop(L, 1);
}

static void read_virtual(lua_State *L, pn_slotted_policy *table)
{
    static const char *const runs[] = {"estimates", "truth", NULL};
    static const uint8_t run_kinds[] = {PN_SLOTTED_SHADOW_ESTIMATES, PN_SLOTTED_SHADOW_TRUTH};
    static const char *const loads[] = {"slot", "cumulative", NULL};
    static const uint8_t load_kinds[] = {PN_SLOTTED_LOAD_SLOT, PN_SLOTTED_LOAD_CUMULATIVE};
    int run = define_word(L, DEFINITION, "", "virtual", runs, -1);
    table->shadow = run < 0 ? PN_SLOTTED_SHADOW_NONE : run_kinds[run];
    table->load = load_kinds[define_word(L, DEFINITION, "", "load", loads, 0)];
}

/* ---- orders ---------------------------------------------------------------------------------- */

static const char *const KEYS[] = {"arrival", "remaining", "most_remaining", "share", NULL};
enum { KEY_ARRIVAL, KEY_REMAINING, KEY_MOST_REMAINING, KEY_SHARE };

static const char *const JOBS[] = {"all", "map", "reduce", "load", "unfinished", NULL};
static const uint8_t JOBS_MEMBERS[] = {
    PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, PN_SLOTTED_WITH_MAPS, PN_SLOTTED_WITH_REDUCES,
    PN_SLOTTED_WITH_LOAD, PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES | PN_SLOTTED_WITH_RUNNING};

static const char *const CHANGES[] = {"served", "arrival", "time", "tick", NULL};
static const uint8_t CHANGES_KERNEL[] = {PN_SLOTTED_CHANGES_WHEN_SERVED,
                                         PN_SLOTTED_CHANGES_ON_ARRIVAL,
                                         PN_SLOTTED_CHANGES_WITH_TIME, PN_SLOTTED_CHANGES_ON_TICK};

static void use_key(pn_slotted_order *order, int key)
{
    static void (*const functions[])(const pn_slotted_view *, uint32_t, pn_key *) = {
        [KEY_ARRIVAL] = NULL,
        [KEY_REMAINING] = pn_slotted_key_remaining,
        [KEY_MOST_REMAINING] = pn_slotted_key_most_remaining,
        [KEY_SHARE] = pn_slotted_share_key,
    };
    order->key = functions[key];
    order->changes = key == KEY_ARRIVAL ? PN_SLOTTED_CHANGES_ON_ARRIVAL
                                        : PN_SLOTTED_CHANGES_WHEN_SERVED;
}

/* Reads what orders the jobs: a key by name, a function for the key, or shares with or without a
 * function for the weights. */
static void read_key(lua_State *L, pn_lua_policy *policy, int k, int value, const char *where,
                     bool share)
{
    pn_slotted_order *order = &policy->table.slotted.orders[k];
    int key = share ? KEY_SHARE : define_word(L, value, where, "by", KEYS, -1);
    bool scripted = define_function(L, value, where, "of",
                                    key == KEY_SHARE ? FUNCTION_WEIGHT : FUNCTION_KEY + k);
    if (scripted && key >= 0 && key != KEY_SHARE)
        define_refuse(L, "%sof: there is a key already, by = \"%s\" (expected one of the two)",
                      where, KEYS[key]);
    if (!scripted && key < 0)
        define_refuse(L,
                      "%sof: is required (a function of s and job that returns the key), or by = "
                      "\"remaining\" and the like",
                      where);
    if (scripted && key == KEY_SHARE && policy->table.slotted.weight)
        define_refuse(L, "%sof: another order has weights already", where);
    if (scripted && key == KEY_SHARE)
        policy->table.slotted.weight = slotted_scripted.weight;
    if (key >= 0)
        use_key(order, key);
    else
        order->key = slotted_scripted.orders[k].key;
    int changes = define_word(L, value, where, "changes", CHANGES, -1);
    if (scripted && changes < 0)
        define_refuse(L,
                      "%schanges: is required (when the result of `of` may change: arrival, "
                      "served, tick or time)",
                      where);
    if (!scripted && changes >= 0)
        define_refuse(L, "%schanges: goes with `of` (the kernel knows when its own keys change)",
                      where);
    if (scripted)
        order->changes = CHANGES_KERNEL[changes];
    /* weights may stay; the machines held beside them do not */
    if (key == KEY_SHARE && order->changes == PN_SLOTTED_CHANGES_ON_ARRIVAL)
        order->changes = PN_SLOTTED_CHANGES_WHEN_SERVED;
}

/* Reads the order that the value at `value` declares: a word, or a table. `share`: its keys are
 * shares. */
static void read_order(lua_State *L, pn_lua_policy *policy, int k, int value, const char *name,
                       bool share)
{
    static const char *const fields[] = {"by", "changes", "jobs", "of", "walk", NULL};
    static const char *const equal[] = {"equal", NULL};
    pn_slotted_order *order = &policy->table.slotted.orders[k];
    const char *where = lua_pushfstring(L, "%s.", name);
    order->members = JOBS_MEMBERS[0];
    if (lua_type(L, value) == LUA_TSTRING) {
        int word = define_word_at(L, value, "", name, share ? equal : KEYS);
        use_key(order, share ? KEY_SHARE : word);
        return;
    }
    if (lua_type(L, value) != LUA_TTABLE)
        define_refuse(L,
                      "%s: must be a word (%s) or a table such as { changes = \"served\", of = "
                      "function(s, job) ... end }, got a %s",
                      name, share ? "equal" : "arrival, remaining, most_remaining, share",
                      luaL_typename(L, value));
    define_only_fields(L, value, where, share ? fields + 1 : fields);
    read_key(L, policy, k, value, where, share);
    order->members = JOBS_MEMBERS[define_word(L, value, where, "jobs", JOBS, 0)];
    order->fit = define_boolean(L, value, where, "walk", false);
    if (order->fit &&
        (order->key == pn_slotted_share_key || order->members == PN_SLOTTED_WITH_LOAD))
        define_refuse(L, "%swalk: an order of shares or of loads cannot be walked", where);
    if (order->members == PN_SLOTTED_WITH_LOAD &&
        policy->table.slotted.shadow == PN_SLOTTED_SHADOW_NONE)
        define_refuse(L, "%sjobs: \"load\" needs virtual = \"estimates\" or \"truth\"", where);
}

static void read_named_order(lua_State *L, pn_lua_policy *policy, int k, int value,
                             const char *name)
{
    read_order(L, policy, k, value, name, false);
}

static void read_named_orders(lua_State *L, pn_lua_policy *policy)
{
    pn_slotted_policy *table = &policy->table.slotted;
    int type = define_get(L, DEFINITION, "orders");
    lua_pop(L, 1);
    if (type == LUA_TNIL) { /* what a short script expects to find */
        strcpy(policy->order_names[0], "remaining");
        use_key(&table->orders[0], KEY_REMAINING);
        table->orders[0].members = JOBS_MEMBERS[0];
        table->orders[0].fit = 1;
        policy->order_count = 1;
        return;
    }
    define_orders(L, policy, 1, PN_SLOTTED_ORDERS_MAX, read_named_order);
    int shares = 0;
    for (uint32_t k = 0; k < policy->order_count; k++)
        shares += table->orders[k].key == pn_slotted_share_key;
    if (table->weight && shares > 1) /* the kernel weighs a job the same in all of them */
        define_refuse(L, "orders: there are %d of shares (expected one, as it has weights)",
                      shares);
}

/* Reads which of the three forms it takes. */
static void read_form(lua_State *L, pn_lua_policy *policy)
{
    pn_slotted_policy *table = &policy->table.slotted;
    bool acts = define_function(L, DEFINITION, "", "slot", FUNCTION_ACT);
    int key = define_get(L, DEFINITION, "key"), at = lua_gettop(L),
        share = define_get(L, DEFINITION, "share");
    if (acts + (key != LUA_TNIL) + (share != LUA_TNIL) != 1)
        define_refuse(L, "must have exactly one of key, share and slot (an order, shares, or code "
                         "that hands out machines)");
    if (acts) {
        read_named_orders(L, policy);
    } else {
        char *name = policy->order_names[0];
        if (define_get(L, DEFINITION, "orders") != LUA_TNIL)
            define_refuse(L, "orders: go with slot (a key or a share is the only order)");
        strcpy(name, key != LUA_TNIL ? "key" : "share");
        read_order(L, policy, 0, key != LUA_TNIL ? at : at + 1, name, key == LUA_TNIL);
        if (table->orders[0].key == pn_slotted_share_key && key != LUA_TNIL)
            define_refuse(L,
                          "key: shares are declared by share = \"equal\" or share = { of = ... }");
        if ((table->orders[0].members & JOBS_MEMBERS[0]) != JOBS_MEMBERS[0])
            define_refuse(L,
                          "%s.jobs: must be all or unfinished (other jobs would never be "
                          "served)",
                          name);
        policy->order_count = 1;
    }
    table->order_count = (uint8_t)policy->order_count;
    table->act = acts ? slotted_scripted.act : NULL;
    table->work_conserving = define_boolean(L, DEFINITION, "", "work_conserving", !acts);
    lua_settop(L, DEFINITION_FUNCTIONS);
}

static void read_hooks(lua_State *L, pn_lua_policy *policy)
{
    pn_slotted_policy *table = &policy->table.slotted;
    table->init = define_hooks(L, policy, "finish") ? slotted_scripted.init : NULL;
    table->arrive = slotted_scripted.arrive;
    table->finish = slotted_scripted.finish;
    table->tick = define_function(L, DEFINITION, "", "tick", FUNCTION_TIME) ? slotted_scripted.tick
                                                                            : NULL;
    table->tick_slots = (uint64_t)define_integer(L, DEFINITION, "", "tick_slots", 0,
                                                 (lua_Integer)PN_INTEGER_MAX, 0);
    bool ticks = table->tick != NULL;
    for (int k = 0; k < table->order_count; k++)
        ticks = ticks || table->orders[k].changes == PN_SLOTTED_CHANGES_ON_TICK;
    if (ticks && table->tick_slots == 0)
        define_refuse(L, "tick_slots: is required with tick or changes = \"tick\" (slots between "
                         "two ticks, >= 1)");
    if (!ticks && table->tick_slots > 0)
        define_refuse(L, "tick_slots: nothing happens on a tick (expected a function tick, or an "
                         "order with changes = \"tick\")");
}

const char *const slotted_fields[] = {"arrive",   "finish",     "init",    "key",
                                      "key_name", "load",       "model",   "modes",
                                      "name",     "orders",     "params",  "per_job",
                                      "share",    "slot",       "state",   "summary",
                                      "tick",     "tick_slots", "virtual", "work_conserving",
                                      NULL};

void slotted_define(lua_State *L, pn_lua_policy *policy)
{
    pn_slotted_policy *table = &policy->table.slotted;
    table->struct_size = sizeof *table;
    table->sizes = 1; /* any function may ask for them */
    read_modes(L, table);
    read_virtual(L, table);
    define_own_params(L, policy);
    table->param_count = (uint8_t)policy->param_count;
    read_form(L, policy);
    define_memory(L, policy);
    policy->own_words = table->weight ? SLOTTED_OWN_WORDS : 0;
    policy_size_memory(policy, &table->state_bytes, &table->state_bytes_per_job);
    read_hooks(L, policy);
}
