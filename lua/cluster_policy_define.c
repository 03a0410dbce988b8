/* Reads the definition of a policy of the cluster model: its order or its picks, its plans, and what it makes use of. */
#include "cluster_policy.h"
#include "policy_define.h"
#include "sandbox_internal.h"

/* ---- what it makes use of ------------------------------------------------------------------------------- */

static const char *const USES[] = {"estimates", "shares", "delays", "colocates", "strict", "elapses", "memoryless", NULL};
static const uint32_t USES_KERNEL[] = {PN_SCHEDULER_ESTIMATES, PN_SCHEDULER_SHARES, PN_SCHEDULER_DELAYS,
                                       PN_SCHEDULER_COLOCATES, PN_SCHEDULER_STRICT, PN_SCHEDULER_ELAPSES,
                                       PN_SCHEDULER_MEMORYLESS};

static const char *const CHANGES[] = {"arrival", "served", "planned", "timed", NULL};
static const uint32_t CHANGES_KERNEL[] = {0, PN_SCHEDULER_KEYS_SERVED, PN_SCHEDULER_KEYS_PLANNED, PN_SCHEDULER_KEYS_TIMED};

enum { USES_MOST = 16 };

uint32_t cluster_read_uses(lua_State *L, int index, const char *where)
{
    uint32_t uses = 0;
    if (lua_type(L, index) != LUA_TTABLE)
        define_refuse(L, "%suses: must be a list of words such as { \"estimates\" }, got %s%s", where,
                      lua_isnil(L, index) ? "" : "a ", luaL_typename(L, index));
    sandbox_reads(L, index);
    lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    if (count > USES_MOST || define_sorted_keys(L, index, "uses", true) > 0)
        define_refuse(L, "%suses: must be a list of at most %d words, without names", where, USES_MOST);
    for (lua_Integer i = 1; i <= count; i++) {
        bool skipped = lua_rawgeti(L, index, i) == LUA_TBOOLEAN && !lua_toboolean(L, -1);
        uses |= skipped ? 0 : USES_KERNEL[define_word_at(L, lua_gettop(L), where, "uses", USES)];
        lua_pop(L, 1);
    }
    lua_pop(L, 1); /* the sorted keys */
    return uses;
}

uint32_t cluster_read_changes(lua_State *L, int index, const char *where)
{
    return CHANGES_KERNEL[define_word_at(L, index, where, "changes", CHANGES)];
}

void cluster_check_uses(lua_State *L, const pn_lua_policy *policy, const char *where, uint32_t uses)
{
    const pn_scheduler_policy *table = &policy->table.cluster;
    if ((uses & PN_SCHEDULER_SHARES) && !table->plan)
        define_refuse(L, "%suses: \"shares\" need a function plan (it weighs the jobs)", where);
    if ((uses & PN_SCHEDULER_STRICT) && !(uses & PN_SCHEDULER_SHARES))
        define_refuse(L, "%suses: \"strict\" goes with \"shares\" (no job gets slots above its share)", where);
    if ((uses & PN_SCHEDULER_ELAPSES) && !table->elapse)
        define_refuse(L, "%suses: \"elapses\" needs a function elapse", where);
    if (table->pick && (uses & (PN_SCHEDULER_DELAYS | PN_SCHEDULER_COLOCATES | PN_SCHEDULER_STRICT)))
        define_refuse(L, "%suses: \"delays\", \"colocates\" and \"strict\" go with an order (pick decides by itself)", where);
    if (!table->key && !table->pick && !(uses & PN_SCHEDULER_SHARES))
        define_refuse(L, "%smust have key (an order of the jobs), pick (code that gives out slots) or \"shares\" in uses", where);
}

/* A list says it at once, a function when the parameters are known. */
static uint32_t read_uses(lua_State *L, pn_lua_policy *policy)
{
    uint32_t uses = policy->table.cluster.elapse ? PN_SCHEDULER_ELAPSES : 0;
    int type = define_get(L, DEFINITION, "uses");
    policy->asks_uses = type == LUA_TFUNCTION;
    if (policy->asks_uses)
        define_function(L, DEFINITION, "", "uses", FUNCTION_USES);
    else if (type != LUA_TNIL)
        uses |= cluster_read_uses(L, lua_gettop(L), "");
    lua_settop(L, DEFINITION_FUNCTIONS);
    return uses;
}

/* ---- the order ---------------------------------------------------------------------------------------------- */

static uint32_t read_key(lua_State *L, pn_lua_policy *policy)
{
    static const char *const fields[] = {"changes", "of", NULL};
    uint32_t changes = 0;
    int type = define_get(L, DEFINITION, "key"), key = lua_gettop(L);
    if (type == LUA_TNIL)
        return 0;
    if (type != LUA_TTABLE)
        define_refuse(L, "key: must be a table such as { changes = \"served\", of = function(s, job, kind) ... end }, got a %s",
                      lua_typename(L, type));
    define_only_fields(L, key, "key.", fields);
    if (!define_function(L, key, "key.", "of", FUNCTION_KEY))
        define_refuse(L, "key.of: is required (a function of s, job and kind that returns the key)");
    policy->table.cluster.key = cluster_scripted.key;
    type = define_get(L, key, "changes");
    policy->asks_changes = type == LUA_TFUNCTION;
    if (type == LUA_TNIL)
        define_refuse(L, "key.changes: is required (when the key may change: arrival, served, planned or timed)");
    if (policy->asks_changes)
        define_function(L, key, "key.", "changes", FUNCTION_CHANGES);
    else
        changes = cluster_read_changes(L, lua_gettop(L), "key.");
    lua_settop(L, DEFINITION_FUNCTIONS);
    return changes;
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

static void read_functions(lua_State *L, pn_lua_policy *policy)
{
    pn_scheduler_policy *table = &policy->table.cluster;
    if (define_function(L, DEFINITION, "", "elapse", FUNCTION_TIME))
        table->elapse = cluster_scripted.elapse;
    if (define_function(L, DEFINITION, "", "plan", FUNCTION_PLAN))
        table->plan = cluster_scripted.plan;
    if (define_function(L, DEFINITION, "", "preempt", FUNCTION_PREEMPT))
        table->preempt = cluster_scripted.preempt;
    if (define_function(L, DEFINITION, "", "pick", FUNCTION_ACT))
        table->pick = cluster_scripted.pick;
}

const char *const cluster_fields[] = {"arrive",  "elapse", "init", "key",     "leave", "model",   "name", "params",
                                      "per_job", "pick",   "plan", "preempt", "state", "summary", "uses", NULL};

void cluster_define(lua_State *L, pn_lua_policy *policy)
{
    pn_scheduler_policy *table = &policy->table.cluster;
    define_params(L, policy);
    table->param_count = (uint8_t)policy->param_count;
    read_functions(L, policy);
    table->uses = read_key(L, policy) | read_uses(L, policy);
    define_memory(L, policy);
    policy->own_words = CLUSTER_OWN_WORDS;
    policy_size_memory(policy, &table->state_bytes, &table->state_bytes_per_job);
    policy->begins = define_hooks(L, policy, "leave");
    if (policy->begins || policy->asks_uses || policy->asks_changes)
        table->init = cluster_scripted.init;
    table->arrive = cluster_scripted.arrive;
    table->leave = cluster_scripted.leave;
    if (!policy->asks_uses)
        cluster_check_uses(L, policy, "", table->uses);
}
