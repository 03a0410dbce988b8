/* Reads the definition of a policy of the dag model: its order of jobs or queues, its placement,
 * and what it makes use of. */
#include "policy.h"
#include "policy/define.h"
#include "sandbox/internal.h"

/* ---- what it makes use of -------------------------------------------------------------------- */

/* In the order of their bits. */
static const char *const USES[] = {"queues", "limits", "virtual", "preempts", NULL};
/* By enum pn_dispatch_keys. */
static const char *const CHANGES[] = {"arrival", "stage",   "served", "used",
                                      "timed",   "growing", NULL};

enum { USES_MOST = 8 };

uint32_t dag_read_uses(lua_State *L, int index, const char *where)
{
    uint32_t uses = 0;
    if (lua_type(L, index) != LUA_TTABLE)
        define_refuse(L, "%suses: must be a list of words such as { \"queues\" }, got %s%s", where,
                      lua_isnil(L, index) ? "" : "a ", luaL_typename(L, index));
    sandbox_reads(L, index);
    lua_Integer count = sandbox_length(L, index);
    if (count > USES_MOST || define_sorted_keys(L, index, "uses", true) > 0)
        define_refuse(L, "%suses: must be a list of at most %d words, without names", where,
                      USES_MOST);
    for (lua_Integer i = 1; i <= count; i++) {
        bool skipped = lua_rawgeti(L, index, i) == LUA_TBOOLEAN && !lua_toboolean(L, -1);
        uses |= skipped ? 0 : (uint32_t)1 << define_word_at(L, lua_gettop(L), where, "uses", USES);
        lua_pop(L, 1);
    }
    lua_pop(L, 1); /* the sorted keys */
    return uses;
}

/* The functions of a policy, beside the bits of its uses. */
enum {
    HAS_KEY = 1 << 16,
    HAS_QUEUE_KEY = 1 << 17,
    HAS_SCORE = 1 << 18,
    HAS_ALIGN = 1 << 19,
    HAS_PREEMPT = 1 << 20
};

/* What has any of `bits` needs all of `needs`, and none of `excludes`. */
static const struct {
    uint32_t bits, needs, excludes;
    const char *message;
} USES_RULES[] = {
    {USES_QUEUES, HAS_QUEUE_KEY, HAS_ALIGN,
     "\"queues\" needs a function queue_key (an order of the queues), and excludes align"},
    {USES_LIMITS, USES_QUEUES, 0, "\"limits\" goes with \"queues\" (these keep to their maxima)"},
    {USES_PREEMPTS, HAS_PREEMPT, 0, "\"preempts\" needs a function preempt"},
    {HAS_ALIGN, HAS_KEY, HAS_SCORE | (4 << USES_CHANGES_SHIFT),
     "align needs a key that does not change with time (what alignment is exchanged for), and "
     "excludes score"},
};

void dag_check_uses(lua_State *L, const pn_lua_policy *policy, const char *where, uint32_t uses)
{
    const pn_dispatch_policy *table = &policy->table.dag;
    uint32_t has = uses | (table->key ? HAS_KEY : 0) | (table->queue_key ? HAS_QUEUE_KEY : 0) |
                   (table->score ? HAS_SCORE : 0) | (table->align ? HAS_ALIGN : 0) |
                   (table->preempt ? HAS_PREEMPT : 0);
    for (size_t i = 0; i < sizeof USES_RULES / sizeof USES_RULES[0]; i++) {
        uint32_t needs = USES_RULES[i].needs;
        if ((has & USES_RULES[i].bits) &&
            ((has & needs) != needs || (has & USES_RULES[i].excludes)))
            define_refuse(L, "%suses: %s", where, USES_RULES[i].message);
    }
}

/* Describes the order. Jobs of a queue keep the order of their arrival. */
pn_dispatch_order dag_describe(const pn_lua_policy *policy, uint32_t uses)
{
    bool queues = (uses & USES_QUEUES) != 0;
    return (pn_dispatch_order){.keys = queues
                                           ? PN_DISPATCH_KEYS_FIXED
                                           : (uint8_t)((uses & USES_CHANGES) >> USES_CHANGES_SHIFT),
                               .by_queue = queues,
                               .limits = (uses & USES_LIMITS) != 0,
                               .packs = policy->table.dag.align != NULL,
                               .virtual_run = (uses & USES_VIRTUAL) != 0,
                               .preempts = (uses & USES_PREEMPTS) != 0};
}

/* Reads the uses: a list says them at once, a function when the parameters are known. */
static uint32_t read_uses(lua_State *L, pn_lua_policy *policy)
{
    uint32_t uses = 0;
    int type = define_get(L, DEFINITION, "uses");
    policy->asks_uses = type == LUA_TFUNCTION;
    if (policy->asks_uses)
        define_function(L, DEFINITION, "", "uses", FUNCTION_USES);
    else if (type != LUA_TNIL)
        uses = dag_read_uses(L, lua_gettop(L), "");
    lua_settop(L, DEFINITION_FUNCTIONS);
    return uses;
}

/* ---- the order ------------------------------------------------------------------------------- */

static uint32_t read_key(lua_State *L, pn_lua_policy *policy)
{
    static const char *const fields[] = {"changes", "of", NULL};
    int type = define_get(L, DEFINITION, "key"), key = lua_gettop(L);
    if (type == LUA_TNIL)
        return 0;
    if (type != LUA_TTABLE)
        define_refuse(L,
                      "key: must be a table such as { changes = \"served\", of = function(s, job) "
                      "... end }, got a %s",
                      lua_typename(L, type));
    define_only_fields(L, key, "key.", fields);
    if (!define_function(L, key, "key.", "of", FUNCTION_KEY))
        define_refuse(L, "key.of: is required (a function of s and job that returns the key)");
    policy->table.dag.key = dag_scripted.key;
    if (define_get(L, key, "changes") == LUA_TNIL)
        define_refuse(L, "key.changes: is required (when the key may change: arrival, stage, "
                         "served, used, timed or growing)");
    uint32_t changes = (uint32_t)define_word_at(L, lua_gettop(L), "", "key.changes", CHANGES)
                       << USES_CHANGES_SHIFT;
    lua_settop(L, DEFINITION_FUNCTIONS);
    return changes;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void read_functions(lua_State *L, pn_lua_policy *policy)
{
    pn_dispatch_policy *table = &policy->table.dag;
    if (define_function(L, DEFINITION, "", "queue_key", FUNCTION_WEIGHT))
        table->queue_key = dag_scripted.queue_key;
    if (define_function(L, DEFINITION, "", "score", FUNCTION_ACT))
        table->score = dag_scripted.score;
    if (define_function(L, DEFINITION, "", "align", FUNCTION_PLAN))
        table->align = dag_scripted.align;
    if (define_function(L, DEFINITION, "", "preempt", FUNCTION_PREEMPT))
        table->preempt = dag_scripted.preempt;
}

const char *const dag_fields[] = {"align", "arrive", "init",    "key",     "key_name", "leave",
                                  "model", "name",   "params",  "per_job", "preempt",  "queue_key",
                                  "score", "state",  "summary", "uses",    NULL};

void dag_define(lua_State *L, pn_lua_policy *policy)
{
    pn_dispatch_policy *table = &policy->table.dag;
    define_own_params(L, policy);
    table->param_count = (uint8_t)policy->param_count;
    read_functions(L, policy);
    policy->uses = read_key(L, policy);
    policy->uses |= read_uses(L, policy);
    table->order = dag_describe(policy, policy->uses);
    define_memory(L, policy);
    policy_size_memory(policy, &table->state_bytes, &table->state_bytes_per_job);
    policy->begins = define_hooks(L, policy, "leave");
    if (policy->begins || policy->asks_uses)
        table->init = dag_scripted.init;
    table->arrive = dag_scripted.arrive;
    table->leave = dag_scripted.leave;
    dag_check_uses(L, policy, "", policy->uses);
}
