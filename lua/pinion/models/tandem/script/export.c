/* The table of a policy of the tandem model in C. */
#include <stdio.h>

#include "policy.h"

static const char *key_of(const pn_lua_policy *policy, const pn_tandem_order *order, char *text,
                          size_t size)
{
    static const struct {
        void (*key)(const pn_tandem_view *view, uint32_t job, pn_key *key);
        const char *name;
    } known[] = {{NULL, "NULL"},
                 {pn_tandem_key_longest, "pn_tandem_key_longest"},
                 {pn_tandem_key_map, "pn_tandem_key_map"},
                 {pn_tandem_key_sum, "pn_tandem_key_sum"},
                 {pn_tandem_key_shuffle, "pn_tandem_key_shuffle"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].key == order->key)
            return known[i].name;
    uint32_t k = 0; /* an order may have the key of one before it */
    while (tandem_scripted.orders[k].key != order->key)
        k++;
    snprintf(text, size, "key_%s", policy->order_names[k]);
    return text;
}

static void write_orders(const pn_lua_policy *policy, luaL_Buffer *out)
{
    static const char *const changes[] = {[PN_TANDEM_WHEN_SERVED] = "PN_TANDEM_WHEN_SERVED",
                                          [PN_TANDEM_ON_ARRIVAL] = "PN_TANDEM_ON_ARRIVAL",
                                          [PN_TANDEM_AT_INSTANTS] = "PN_TANDEM_AT_INSTANTS"};
    char text[POLICY_NAME_SIZE + 16];
    luaL_addstring(out, "    .orders = {\n");
    for (uint32_t k = 0; k < policy->order_count; k++) {
        const pn_tandem_order *order = &policy->table.tandem.orders[k];
        luaL_addstring(out, "        {.key = ");
        luaL_addstring(out, key_of(policy, order, text, sizeof text));
        if (order->member) {
            snprintf(text, sizeof text, ",\n         .member = member_%s", policy->order_names[k]);
            luaL_addstring(out, text);
        }
        luaL_addstring(out, ",\n         .changes = ");
        luaL_addstring(out, changes[order->changes]);
        luaL_addstring(out, ",\n         .members = ");
        luaL_addstring(out, order->members == PN_TANDEM_MAPPING   ? "PN_TANDEM_MAPPING"
                            : order->members == PN_TANDEM_BACKLOG ? "PN_TANDEM_BACKLOG"
                                                                  : "PN_TANDEM_PRESENT");
        luaL_addstring(out, "},\n");
    }
    luaL_addstring(out, "    },\n");
}

static void write_service(luaL_Buffer *out, const char *name, const pn_tandem_service *service)
{
    static const char *const ways[] = {[PN_TANDEM_FIRST] = "PN_TANDEM_FIRST",
                                       [PN_TANDEM_STRICT] = "PN_TANDEM_STRICT",
                                       [PN_TANDEM_SHARE] = "PN_TANDEM_SHARE",
                                       [PN_TANDEM_RIGID] = "PN_TANDEM_RIGID"};
    char text[96];
    snprintf(text, sizeof text, "{.way = %s, .order = %d, .limit = %lu}", ways[service->way],
             service->order, (unsigned long)service->limit);
    export_word(out, name, text);
}

void tandem_write_c(const pn_lua_policy *policy, luaL_Buffer *out)
{
    static const char *const promises[] = {
        [PN_TANDEM_NO_PROMISE] = "PN_TANDEM_NO_PROMISE",
        [PN_TANDEM_WORK_CONSERVING] = "PN_TANDEM_WORK_CONSERVING",
        [PN_TANDEM_WORK_CONSERVING_BY_DEFAULT] = "PN_TANDEM_WORK_CONSERVING_BY_DEFAULT"};
    const pn_tandem_policy *table = &policy->table.tandem;
    export_word(out, "work_conserving", promises[table->work_conserving]);
    export_number(out, "order_count", table->order_count);
    if (!table->act) {
        write_service(out, "map", &table->map);
        write_service(out, "shuffle", &table->shuffle);
    }
    if (table->order_count > 0)
        write_orders(policy, out);
}
