/* Reads the definition of a policy of the tandem model: its orders, and either how the stations
 * serve or that code sets the rates. */
#include <string.h>

#include "policy/define.h"
#include "policy/view.h"
#include "policy.h"

/* ---- orders ---------------------------------------------------------------------------------- */

const char *const tandem_stations[] = {"map", "shuffle", NULL};

const char *const tandem_members[] = {"mapping", "backlog", "present", NULL};
static const uint8_t MEMBERS[] = {PN_TANDEM_MAPPING, PN_TANDEM_BACKLOG, PN_TANDEM_PRESENT};

/* Keys of the kernel's own. All but ids change when the job is served. */
static const char *const KEYS[] = {"id", "longest", "map", "sum", "shuffle", NULL};
static void (*const KEYS_KERNEL[])(const pn_tandem_view *, uint32_t, pn_key *) = {
    NULL, pn_tandem_key_longest, pn_tandem_key_map, pn_tandem_key_sum, pn_tandem_key_shuffle};

static const char *const CHANGES[] = {"arrival", "served", "instants", NULL};
static const uint8_t CHANGES_KERNEL[] = {PN_TANDEM_ON_ARRIVAL, PN_TANDEM_WHEN_SERVED,
                                         PN_TANDEM_AT_INSTANTS};

const char *tandem_members_word(uint8_t members)
{
    int i = 0;
    while (MEMBERS[i] != members)
        i++;
    return tandem_members[i];
}

/* Orders with the same function for a key share it in the kernel's table too, which then computes
 * it once for both. */
static int first_with_key(lua_State *L, const pn_lua_policy *policy, int k)
{
    const pn_tandem_order *orders = policy->table.tandem.orders;
    int first = 0;
    lua_rawgeti(L, DEFINITION_FUNCTIONS, FUNCTION_KEY + k + 1);
    for (bool same = false; first < k && !same; first += !same) {
        lua_rawgeti(L, DEFINITION_FUNCTIONS, FUNCTION_KEY + first + 1);
        same = lua_rawequal(L, -1, -2) && orders[first].changes == orders[k].changes;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return first;
}

/* Returns whether a function takes more than the view and the job. */
static bool takes_sizes(lua_State *L, int which)
{
    lua_Debug key;
    lua_rawgeti(L, DEFINITION_FUNCTIONS, which + 1);
    lua_getinfo(L, ">u", &key);
    return key.nparams > 2 || key.isvararg;
}

/* Reads the key of a named order or of a station's own. */
static void read_key(lua_State *L, pn_lua_policy *policy, int k, int value, const char *where)
{
    pn_tandem_order *order = &policy->table.tandem.orders[k];
    bool scripted = define_get(L, value, "key") != LUA_TNIL && lua_type(L, -1) != LUA_TSTRING;
    int word = 0;
    if (scripted)
        define_function(L, value, where, "key", FUNCTION_KEY + k);
    else
        word = define_word(L, value, where, "key", KEYS, 0);
    int changes = define_word(L, value, where, "changes", CHANGES, -1);
    if (scripted && changes < 0)
        define_refuse(
            L, "%schanges: is required (when the key may change: arrival, served or instants)",
            where);
    if (!scripted && changes >= 0)
        define_refuse(L,
                      "%schanges: goes with a function for the key (the kernel knows when its own "
                      "keys change)",
                      where);
    order->changes = scripted    ? CHANGES_KERNEL[changes]
                     : word == 0 ? PN_TANDEM_ON_ARRIVAL
                                 : PN_TANDEM_WHEN_SERVED;
    order->key = KEYS_KERNEL[word];
    if (scripted) {
        order->key = tandem_scripted.orders[first_with_key(L, policy, k)].key;
        policy->sized_keys[k] = takes_sizes(L, FUNCTION_KEY + k);
        policy->names_jobs = true;
    }
    lua_settop(L, value);
}

static void read_named_order(lua_State *L, pn_lua_policy *policy, int k, int value,
                             const char *name)
{
    static const char *const fields[] = {"changes", "key", "member", "of", NULL};
    const char *where = lua_pushfstring(L, "%s.", name);
    if (lua_type(L, value) != LUA_TTABLE)
        define_refuse(L,
                      "%s: must be a table such as { of = \"mapping\", changes = \"served\", key = "
                      "function(s, job) ... end }, "
                      "got a %s",
                      name, luaL_typename(L, value));
    define_only_fields(L, value, where, fields);
    int members = define_word(L, value, where, "of", tandem_members, -1);
    if (members < 0)
        define_refuse(L, "%sof: is required (which jobs stand in it: mapping, backlog or present)",
                      where);
    pn_tandem_order *order = &policy->table.tandem.orders[k];
    order->members = MEMBERS[members];
    read_key(L, policy, k, value, where);
    if (define_function(L, value, where, "member", FUNCTION_MEMBER + k)) {
        order->member = tandem_scripted.orders[k].member;
        policy->names_jobs = true;
    }
}

/* ---- services -------------------------------------------------------------------------------- */

enum { ANY_ORDER = 0 };

/* The ways in which each station can serve, and what the order it serves by is of. */
static const char *const WAYS[2][5] = {{"first", "share", NULL},
                                       {"first", "strict", "share", "rigid", NULL}};
static const struct {
    uint8_t way, members;
} WAYS_KERNEL[2][4] = {
    {{PN_TANDEM_FIRST, PN_TANDEM_MAPPING}, {PN_TANDEM_SHARE, PN_TANDEM_MAPPING}},
    {{PN_TANDEM_FIRST, PN_TANDEM_BACKLOG},
     {PN_TANDEM_STRICT, PN_TANDEM_PRESENT},
     {PN_TANDEM_SHARE, ANY_ORDER},
     {PN_TANDEM_RIGID, ANY_ORDER}},
};

/* Returns what the order of a service must be of; ANY_ORDER: it needs none. */
static uint8_t members_for(int station, uint8_t way)
{
    int i = 0;
    while (WAYS_KERNEL[station][i].way != way)
        i++;
    return WAYS_KERNEL[station][i].members;
}

static void read_way(lua_State *L, int station, int value, const char *where,
                     pn_tandem_service *service)
{
    int way = define_word(L, value, where, "serve", WAYS[station], -1);
    service->way = way < 0 ? service->way : WAYS_KERNEL[station][way].way;
    bool limits = station == 0 && service->way == PN_TANDEM_SHARE;
    if (define_get(L, value, "limit") != LUA_TNIL && !limits)
        define_refuse(
            L, "%slimit: goes with serve = \"share\" (how many jobs share the station at once)",
            where);
    lua_pop(L, 1);
    service->limit = (uint32_t)define_integer(L, value, where, "limit", 1, UINT32_MAX,
                                              limits ? service->limit : 0);
}

/* Reads the order that the field names; false when it names none. */
static bool read_order_name(lua_State *L, const pn_lua_policy *policy, int value, const char *where,
                            pn_tandem_service *service)
{
    int type = define_get(L, value, "order");
    const char *name = type == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    uint32_t order;
    if (name && policy_find_order(policy, name, &order)) {
        service->order = (uint8_t)order;
        lua_pop(L, 1);
        return true;
    }
    if (type != LUA_TNIL)
        define_refuse(L, "%sorder: must be the name of an order in orders = { ... }, got %s", where,
                      name ? name : lua_typename(L, type));
    lua_pop(L, 1);
    return false;
}

/* Checks whether the order fits the way of serving. */
static void check_service(lua_State *L, const pn_lua_policy *policy, int station, const char *where,
                          const pn_tandem_service *service)
{
    uint8_t members = members_for(station, service->way);
    const pn_tandem_order *order = &policy->table.tandem.orders[service->order];
    if (members == ANY_ORDER)
        return;
    if (order->members != members)
        define_refuse(L, "%sorder: '%s' is of %s (expected an order of %s)", where,
                      policy->order_names[service->order], tandem_members_word(order->members),
                      tandem_members_word(members));
    if (order->member)
        define_refuse(
            L,
            "%sorder: '%s' has a member function (jobs that it leaves out would never be served)",
            where, policy->order_names[service->order]);
    if (service->way == PN_TANDEM_SHARE && order->changes != PN_TANDEM_ON_ARRIVAL)
        define_refuse(L,
                      "%sserve: a share needs an order that never changes (changes = \"arrival\", "
                      "or key = \"id\")",
                      where);
}

void tandem_read_service(lua_State *L, const pn_lua_policy *policy, int station, int value,
                         const char *where, pn_tandem_service *service)
{
    /* limit is the map station's */
    static const char *const fields[] = {"limit", "order", "serve", NULL};
    define_only_fields(L, value, where, fields + station);
    read_way(L, station, value, where, service);
    read_order_name(L, policy, value, where, service);
    check_service(L, policy, station, where, service);
}

/* Gives the station an order of its own, called as it is. */
static void add_own_order(lua_State *L, pn_lua_policy *policy, int station, int value,
                          const char *where, uint8_t members)
{
    const char *name = tandem_stations[station];
    uint32_t k = policy->order_count;
    for (uint32_t i = 0; i < k; i++)
        if (strcmp(policy->order_names[i], name) == 0)
            define_refuse(L,
                          "orders.%s: %s has an order of its own, which is called so (expected "
                          "order = \"%s\" there)",
                          name, name, name);
    if (k == PN_TANDEM_ORDERS_MAX)
        define_refuse(L, "orders: there are more than %d with those of map and shuffle",
                      PN_TANDEM_ORDERS_MAX);
    strcpy(policy->order_names[k], name);
    policy->table.tandem.orders[k].members = members;
    read_key(L, policy, (int)k, value, where);
    policy->order_count++;
}

/* Refuses the first of the fields that say what an order is. */
static void no_key(lua_State *L, int value, const char *where, const char *why)
{
    static const char *const fields[] = {"key", "changes"};
    for (int i = 0; i < 2; i++)
        if (define_get(L, value, fields[i]) != LUA_TNIL)
            define_refuse(L, "%s%s: %s", where, fields[i], why);
    lua_settop(L, value);
}

static void read_station(lua_State *L, pn_lua_policy *policy, int station,
                         pn_tandem_service *service)
{
    static const char *const fields[2][6] = {{"changes", "key", "limit", "order", "serve", NULL},
                                             {"changes", "key", "order", "serve", NULL}};
    const char *name = tandem_stations[station], *where = station == 0 ? "map." : "shuffle.";
    int type = define_get(L, DEFINITION, name), value = lua_gettop(L);
    if (type != LUA_TTABLE)
        define_refuse(L,
                      "%s: must be a table such as { changes = \"served\", key = function(s, job) "
                      "... end } or { serve = "
                      "\"share\" }, got a %s",
                      name, lua_typename(L, type));
    define_only_fields(L, value, where, fields[station]);
    *service = (pn_tandem_service){.way = PN_TANDEM_FIRST};
    read_way(L, station, value, where, service);
    uint8_t members = members_for(station, service->way);
    bool named = read_order_name(L, policy, value, where, service);
    if (named) {
        no_key(L, value, where, "there is an order already, by its name (expected one of the two)");
    } else if (members == ANY_ORDER) {
        no_key(L, value, where,
               "goes with serve = \"first\" or \"strict\" (all jobs share, in no order)");
    } else {
        service->order = (uint8_t)policy->order_count;
        add_own_order(L, policy, station, value, where, members);
    }
    check_service(L, policy, station, where, service);
    lua_settop(L, value - 1);
}

/* ---- which form it takes, and what it promises ----------------------------------------------- */

static bool has(lua_State *L, const char *field)
{
    bool there = define_get(L, DEFINITION, field) != LUA_TNIL;
    lua_pop(L, 1);
    return there;
}

static void read_form(lua_State *L, pn_lua_policy *policy)
{
    pn_tandem_policy *table = &policy->table.tandem;
    bool acts = define_function(L, DEFINITION, "", "rates", FUNCTION_ACT);
    if (has(L, "orders"))
        define_orders(L, policy, 0, PN_TANDEM_ORDERS_MAX, read_named_order);
    if (has(L, "map") == acts || has(L, "shuffle") == acts)
        define_refuse(L, "must have either map and shuffle (how the stations serve) or rates (code "
                         "that sets the rates)");
    if (acts) {
        table->act = tandem_scripted.act;
    } else {
        read_station(L, policy, 0, &table->map);
        read_station(L, policy, 1, &table->shuffle);
    }
    table->order_count = (uint8_t)policy->order_count;
    if (define_function(L, DEFINITION, "", "wake", FUNCTION_TIME))
        table->wake = tandem_scripted.wake;
}

/* Reads the promise. Serving the first and sharing leave no station idle; what code does is its own
 * to promise. */
static void read_promise(lua_State *L, pn_tandem_policy *table)
{
    static const char *const words[] = {"by default", NULL};
    bool works = !table->act && table->shuffle.way != PN_TANDEM_STRICT &&
                 table->shuffle.way != PN_TANDEM_RIGID;
    int type = define_get(L, DEFINITION, "work_conserving");
    if (type == LUA_TSTRING) {
        define_word_at(L, lua_gettop(L), "", "work_conserving", words);
        table->work_conserving = PN_TANDEM_WORK_CONSERVING_BY_DEFAULT;
    } else if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        define_refuse(L, "work_conserving: must be true, false or \"by default\", got a %s",
                      lua_typename(L, type));
    } else {
        works = type == LUA_TNIL ? works : lua_toboolean(L, -1);
        table->work_conserving = works ? PN_TANDEM_WORK_CONSERVING : PN_TANDEM_NO_PROMISE;
    }
    lua_pop(L, 1);
}

const char *const tandem_fields[] = {
    "arrive",          "finish",  "init",  "key_name", "map",     "model", "name",    "orders",
    "params",          "per_job", "ranks", "rates",    "shuffle", "state", "summary", "wake",
    "work_conserving", NULL};

void tandem_define(lua_State *L, pn_lua_policy *policy)
{
    pn_tandem_policy *table = &policy->table.tandem;
    define_own_params(L, policy);
    table->param_count = (uint8_t)policy->param_count;
    read_form(L, policy);
    read_promise(L, table);
    policy->ranks = define_boolean(L, DEFINITION, "", "ranks", false);
    define_memory(L, policy);
    policy_size_memory(policy, &table->state_bytes, &table->state_bytes_per_job);
    table->init = define_hooks(L, policy, "finish") ? tandem_scripted.init : NULL;
    /* A script whose functions get no job needs no numbers for jobs. */
    if (policy->names_jobs || table->act || table->wake || policy->arrives || policy->finishes) {
        table->arrive = tandem_scripted.arrive;
        table->finish = tandem_scripted.finish;
    }
}
