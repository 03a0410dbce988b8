/* Reads the definition of a policy of the cluster model: its order or its picks, its plans,
 * admission, and what it makes use of. */
#include <string.h>

#include "policy.h"
#include "policy/define.h"
#include "sandbox/internal.h"

/* ---- what it makes use of -------------------------------------------------------------------- */

/* In the order of their bits. */
static const char *const USES[] = {
    "estimates",  "shares",   "delays",     "colocates", "strict",          "elapses",
    "memoryless", "in_order", "maps_first", "reserves",  "reserves_less",   "deadlines",
    "forecasts",  "keep",     "satu",       "suspends",  "reserves_strict", NULL};
/* By enum pn_scheduler_keys. */
static const char *const CHANGES[] = {"arrival", "served", "planned", "timed", NULL};

enum { USES_MOST = 24 };

uint32_t cluster_read_uses(lua_State *L, int index, const char *where)
{
    uint32_t uses = 0;
    if (lua_type(L, index) != LUA_TTABLE)
        define_refuse(L, "%suses: must be a list of words such as { \"estimates\" }, got %s%s",
                      where, lua_isnil(L, index) ? "" : "a ", luaL_typename(L, index));
    sandbox_reads(L, index);
    lua_Integer count = sandbox_length(L, index);
    if (count > USES_MOST || define_sorted_keys(L, index, "uses", true) > 0)
        define_refuse(L, "%suses: must be a list of at most %d words, without names", where,
                      USES_MOST);
    for (lua_Integer i = 1; i <= count; i++) {
        bool skipped = lua_rawgeti(L, index, i) == LUA_TBOOLEAN && !lua_toboolean(L, -1);
        if (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "records") == 0)
            define_refuse(L, "%suses: records is a separate field (expected records = true)",
                          where);
        uses |= skipped ? 0 : (uint32_t)1 << define_word_at(L, lua_gettop(L), where, "uses", USES);
        lua_pop(L, 1);
    }
    lua_pop(L, 1); /* the sorted keys */
    return uses;
}

uint32_t cluster_read_changes(lua_State *L, int index, const char *where)
{
    return (uint32_t)define_word_at(L, index, where, "key.changes", CHANGES) << USES_CHANGES_SHIFT;
}

/* The functions of a policy, beside the bits of its uses. */
enum {
    HAS_KEY = 1 << 24,
    HAS_PICK = 1 << 25,
    HAS_PLAN = 1 << 26,
    HAS_ELAPSE = 1 << 27,
    HAS_ADMIT = 1 << 28,
    HAS_PREEMPT = 1 << 29,
    HAS_COPY = 1 << 30
};

/* What has any of `bits` needs all of `needs`, and none of `excludes`. */
static const struct {
    uint32_t bits, needs, excludes;
    const char *message;
} USES_RULES[] = {
    {USES_SHARES, HAS_PLAN, 0, "\"shares\" need a function plan (it weighs the jobs)"},
    {USES_STRICT, USES_SHARES, 0,
     "\"strict\" goes with \"shares\" (no job gets slots above its share)"},
    {USES_ELAPSES, HAS_ELAPSE, 0, "\"elapses\" needs a function elapse"},
    {USES_IN_ORDER, 0, HAS_PICK | USES_SHARES | USES_DELAYS | USES_COLOCATES,
     "\"in_order\" excludes \"shares\", \"delays\", \"colocates\" and pick (slots go to jobs in "
     "their order)"},
    {HAS_PICK, 0, USES_DELAYS | USES_COLOCATES | USES_STRICT,
     "\"delays\", \"colocates\" and \"strict\" go with an order (pick decides by itself)"},
    {USES_IN_ORDER, HAS_KEY, USES_CHANGES,
     "\"in_order\" needs a key with changes = \"arrival\" (a job that waits keeps its place)"},
    {USES_RESERVES, USES_IN_ORDER | USES_MAPS_FIRST, 0,
     "\"reserves\" goes with \"in_order\" and \"maps_first\" (slots are kept for reduces of jobs "
     "ahead)"},
    {USES_RESERVES_LESS, USES_RESERVES, 0,
     "\"reserves_less\" goes with \"reserves\" (it keeps one slot less)"},
    {USES_RESERVES_STRICT, USES_RESERVES, USES_RESERVES_LESS | USES_FORECASTS,
     "\"reserves_strict\" goes with \"reserves\" (it keeps all slots), and excludes "
     "\"reserves_less\" and \"forecasts\""},
    {USES_RECORDS, USES_IN_ORDER | HAS_ADMIT, 0,
     "records = true needs \"in_order\" and a function admit (it asks s:foresee)"},
    {USES_FORECASTS, USES_IN_ORDER | HAS_ADMIT, 0,
     "\"forecasts\" need \"in_order\" and a function admit (it asks s:foresee)"},
    {USES_FORECASTS, 0, USES_RECORDS, "\"forecasts\" and records = true exclude each other"},
    {USES_SUSPENDS, HAS_PREEMPT, USES_IN_ORDER,
     "\"suspends\" needs a function preempt, and excludes \"in_order\" (which counts on tasks that "
     "run)"},
    {HAS_COPY, 0, USES_IN_ORDER, "\"in_order\" excludes copy (which gives a task two attempts)"},
    {HAS_COPY, 0, USES_DELAYS,
     "\"delays\" excludes copy (which is asked whenever slots are offered)"},
    {USES_KEEP | USES_SATU, USES_RECORDS, 0,
     "\"keep\" and \"satu\" go with records = true (they say how records are used)"},
};

void cluster_check_uses(lua_State *L, const pn_lua_policy *policy, const char *where, uint32_t uses)
{
    const pn_scheduler_policy *table = &policy->table.cluster;
    uint32_t has = uses | (table->key ? HAS_KEY : 0) | (table->pick ? HAS_PICK : 0) |
                   (table->plan ? HAS_PLAN : 0) | (table->elapse ? HAS_ELAPSE : 0) |
                   (table->admit ? HAS_ADMIT : 0) | (table->preempt ? HAS_PREEMPT : 0) |
                   (table->copy ? HAS_COPY : 0);
    for (size_t i = 0; i < sizeof USES_RULES / sizeof USES_RULES[0]; i++) {
        uint32_t needs = USES_RULES[i].needs;
        if ((has & USES_RULES[i].bits) &&
            ((has & needs) != needs || (has & USES_RULES[i].excludes)))
            define_refuse(L, "%suses: %s", where, USES_RULES[i].message);
    }
    if (!(has & (HAS_KEY | HAS_PICK | USES_SHARES)))
        define_refuse(L,
                      "%smust have key (an order of the jobs), pick (code that gives out slots) or "
                      "\"shares\" in uses",
                      where);
}

static uint8_t shares_of(uint32_t uses)
{
    if (uses & USES_STRICT)
        return PN_SCHEDULER_SHARES_STRICT;
    return uses & USES_SHARES ? PN_SCHEDULER_SHARES_CONSERVING : PN_SCHEDULER_SHARES_NONE;
}

static uint8_t finishes_of(uint32_t uses)
{
    if (uses & USES_RECORDS)
        return PN_SCHEDULER_FINISHES_RECORDED;
    return uses & USES_FORECASTS ? PN_SCHEDULER_FINISHES_FORECAST : PN_SCHEDULER_FINISHES_NONE;
}

static uint8_t reserve_of(uint32_t uses)
{
    if (uses & USES_RESERVES_STRICT)
        return PN_SCHEDULER_RESERVE_STRICT;
    if (uses & USES_RESERVES_LESS)
        return PN_SCHEDULER_RESERVE_LESS;
    return uses & USES_RESERVES ? PN_SCHEDULER_RESERVE_ALL : PN_SCHEDULER_RESERVE_NONE;
}

void cluster_describe(uint32_t uses, pn_scheduler_order *order, pn_scheduler_admission *admission)
{
    *order = (pn_scheduler_order){.keys = (uint8_t)((uses & USES_CHANGES) >> USES_CHANGES_SHIFT),
                                  .shares = shares_of(uses),
                                  .started_first = (uses & USES_IN_ORDER) != 0,
                                  .delays = (uses & USES_DELAYS) != 0,
                                  .colocates = (uses & USES_COLOCATES) != 0,
                                  .estimates = (uses & USES_ESTIMATES) != 0,
                                  .elapses = (uses & USES_ELAPSES) != 0,
                                  .memoryless = (uses & USES_MEMORYLESS) != 0};
    *admission = (pn_scheduler_admission){.deadlines = (uses & USES_DEADLINES) != 0,
                                          .finishes = finishes_of(uses),
                                          .maps_first = (uses & USES_MAPS_FIRST) != 0,
                                          .reserve = reserve_of(uses),
                                          .ended_predecessors = (uses & USES_KEEP) != 0,
                                          .ended_feedback = (uses & USES_SATU) != 0};
}

/* Reads the uses: a list says them at once, a function when the parameters are known; records take
 * their room before that. */
static uint32_t read_uses(lua_State *L, pn_lua_policy *policy)
{
    uint32_t uses = policy->table.cluster.elapse ? USES_ELAPSES : 0;
    bool records = define_boolean(L, DEFINITION, "", "records", false);
    if (records && !policy->table.cluster.admit)
        define_refuse(L, "records: needs a function admit (it asks s:foresee)");
    uses |= records ? USES_RECORDS : 0;
    int type = define_get(L, DEFINITION, "uses");
    policy->asks_uses = type == LUA_TFUNCTION;
    if (policy->asks_uses) {
        define_function(L, DEFINITION, "", "uses", FUNCTION_USES);
        uses |= records ? USES_IN_ORDER : 0; /* which these go with in any case */
    } else if (type != LUA_TNIL) {
        uses |= cluster_read_uses(L, lua_gettop(L), "");
    }
    lua_settop(L, DEFINITION_FUNCTIONS);
    return uses;
}

/* ---- the order ------------------------------------------------------------------------------- */

static uint32_t read_key(lua_State *L, pn_lua_policy *policy)
{
    static const char *const fields[] = {"changes", "of", NULL};
    uint32_t changes = 0;
    int type = define_get(L, DEFINITION, "key"), key = lua_gettop(L);
    if (type == LUA_TNIL)
        return 0;
    if (type != LUA_TTABLE)
        define_refuse(L,
                      "key: must be a table such as { changes = \"served\", of = function(s, job, "
                      "kind) ... end }, got a %s",
                      lua_typename(L, type));
    define_only_fields(L, key, "key.", fields);
    if (!define_function(L, key, "key.", "of", FUNCTION_KEY))
        define_refuse(L,
                      "key.of: is required (a function of s, job and kind that returns the key)");
    policy->table.cluster.key = cluster_scripted.key;
    type = define_get(L, key, "changes");
    policy->asks_changes = type == LUA_TFUNCTION;
    if (type == LUA_TNIL)
        define_refuse(L, "key.changes: is required (when the key may change: arrival, served, "
                         "planned or timed)");
    if (policy->asks_changes)
        define_function(L, key, "key.", "changes", FUNCTION_CHANGES);
    else
        changes = cluster_read_changes(L, lua_gettop(L), "");
    lua_settop(L, DEFINITION_FUNCTIONS);
    return changes;
}

/* ---- all of it ------------------------------------------------------------------------------- */

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
    if (define_function(L, DEFINITION, "", "copy", FUNCTION_COPY))
        table->copy = cluster_scripted.copy;
    policy->admits = define_function(L, DEFINITION, "", "admit", FUNCTION_ADMIT);
    if (policy->admits)
        table->admit = cluster_scripted.admit;
}

const char *const cluster_fields[] = {"admit",   "arrive",   "copy",    "elapse", "init",
                                      "key",     "key_name", "leave",   "model",  "name",
                                      "params",  "per_job",  "pick",    "plan",   "preempt",
                                      "records", "state",    "summary", "uses",   NULL};

void cluster_define(lua_State *L, pn_lua_policy *policy)
{
    pn_scheduler_policy *table = &policy->table.cluster;
    define_own_params(L, policy);
    table->param_count = (uint8_t)policy->param_count;
    read_functions(L, policy);
    policy->uses = read_key(L, policy);
    policy->uses |= read_uses(L, policy);
    cluster_describe(policy->uses, &table->order, &table->admission);
    define_memory(L, policy);
    policy->own_words = CLUSTER_OWN_WORDS;
    policy_size_memory(policy, &table->state_bytes, &table->state_bytes_per_job);
    policy->begins = define_hooks(L, policy, "leave");
    if (policy->begins || policy->asks_uses || policy->asks_changes)
        table->init = cluster_scripted.init;
    table->arrive = cluster_scripted.arrive;
    table->leave = cluster_scripted.leave;
    if (!policy->asks_uses)
        cluster_check_uses(L, policy, "", policy->uses);
}
