/* The table of a policy of the slotted model in C. */
#include <stdio.h>

#include "policy.h"

static void write_key(const pn_lua_policy *policy, const pn_slotted_order *order, luaL_Buffer *out)
{
    char text[POLICY_NAME_SIZE + 16];
    const char *key = order->key == pn_slotted_key_remaining ? "pn_slotted_key_remaining"
                      : order->key == pn_slotted_key_most_remaining
                          ? "pn_slotted_key_most_remaining"
                      : order->key == pn_slotted_share_key ? "pn_slotted_share_key"
                      : !order->key                        ? "NULL"
                                                           : NULL;
    snprintf(text, sizeof text, "key_%s",
             policy->order_names[order - policy->table.slotted.orders]);
    luaL_addstring(out, "        {.key = ");
    luaL_addstring(out, key ? key : text);
}

static void write_orders(const pn_lua_policy *policy, luaL_Buffer *out)
{
    static const char *const changes[] = {
        [PN_SLOTTED_CHANGES_WHEN_SERVED] = "PN_SLOTTED_CHANGES_WHEN_SERVED",
        [PN_SLOTTED_CHANGES_ON_ARRIVAL] = "PN_SLOTTED_CHANGES_ON_ARRIVAL",
        [PN_SLOTTED_CHANGES_WITH_TIME] = "PN_SLOTTED_CHANGES_WITH_TIME",
        [PN_SLOTTED_CHANGES_ON_TICK] = "PN_SLOTTED_CHANGES_ON_TICK"};
    static const char *const members[] = {"PN_SLOTTED_WITH_MAPS", "PN_SLOTTED_WITH_REDUCES",
                                          "PN_SLOTTED_WITH_RUNNING", "PN_SLOTTED_WITH_LOAD"};
    for (uint32_t k = 0; k < policy->order_count; k++) {
        const pn_slotted_order *order = &policy->table.slotted.orders[k];
        write_key(policy, order, out);
        luaL_addstring(out, ",\n         .changes = ");
        luaL_addstring(out, changes[order->changes]);
        luaL_addstring(out, ",\n         .members = ");
        for (unsigned bit = 0, rest = order->members; rest; bit++, rest >>= 1) {
            if (!(rest & 1))
                continue;
            luaL_addstring(out, members[bit]);
            luaL_addstring(out, rest > 1 ? " | " : "");
        }
        luaL_addstring(out, order->fit ? ",\n         .fit = 1},\n" : "},\n");
    }
}

void slotted_write_c(const pn_lua_policy *policy, luaL_Buffer *out)
{
    static const char *const shadows[] = {
        [PN_SLOTTED_SHADOW_ESTIMATES] = "PN_SLOTTED_SHADOW_ESTIMATES",
        [PN_SLOTTED_SHADOW_TRUTH] = "PN_SLOTTED_SHADOW_TRUTH"};
    const pn_slotted_policy *table = &policy->table.slotted;
    export_number(out, "preemptive", table->preemptive);
    export_number(out, "nonpreemptive", table->nonpreemptive);
    export_number(out, "work_conserving", table->work_conserving);
    if (table->shadow != PN_SLOTTED_SHADOW_NONE)
        export_word(out, "shadow", shadows[table->shadow]);
    if (table->load == PN_SLOTTED_LOAD_CUMULATIVE)
        export_word(out, "load", "PN_SLOTTED_LOAD_CUMULATIVE");
    export_number(out, "order_count", table->order_count);
    luaL_addstring(out, "    .orders = {\n");
    write_orders(policy, out);
    luaL_addstring(out, "    },\n");
    if (table->weight) {
        char text[POLICY_NAME_SIZE + 16];
        uint32_t k = 0;
        while (table->orders[k].key != pn_slotted_share_key)
            k++;
        snprintf(text, sizeof text, "weight_%s", policy->order_names[k]);
        export_word(out, "weight", text);
    }
    export_number(out, "tick_slots", table->tick_slots);
}
