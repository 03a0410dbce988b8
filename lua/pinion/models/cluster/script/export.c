/* The table of a policy of the cluster model in C. */
#include <stdio.h>

#include "policy.h"

void cluster_write_c(const pn_lua_policy *policy, luaL_Buffer *out)
{
    static const char *const keys[] = {
        [PN_SCHEDULER_KEYS_ON_ARRIVAL] = "PN_SCHEDULER_KEYS_ON_ARRIVAL",
        [PN_SCHEDULER_KEYS_SERVED] = "PN_SCHEDULER_KEYS_SERVED",
        [PN_SCHEDULER_KEYS_PLANNED] = "PN_SCHEDULER_KEYS_PLANNED",
        [PN_SCHEDULER_KEYS_TIMED] = "PN_SCHEDULER_KEYS_TIMED"};
    static const char *const shares[] = {
        [PN_SCHEDULER_SHARES_NONE] = "",
        [PN_SCHEDULER_SHARES_CONSERVING] = ", .shares = PN_SCHEDULER_SHARES_CONSERVING",
        [PN_SCHEDULER_SHARES_STRICT] = ", .shares = PN_SCHEDULER_SHARES_STRICT"};
    const pn_scheduler_order *order = &policy->table.cluster.order;
    const pn_scheduler_admission *admission = &policy->table.cluster.admission;
    char text[256];
    snprintf(text, sizeof text, "{.keys = %s%s%s%s%s%s%s%s}", keys[order->keys],
             shares[order->shares], order->started_first ? ", .started_first = 1" : "",
             order->delays ? ", .delays = 1" : "", order->colocates ? ", .colocates = 1" : "",
             order->estimates ? ", .estimates = 1" : "", order->elapses ? ", .elapses = 1" : "",
             order->memoryless ? ", .memoryless = 1" : "");
    export_word(out, "order", text);
    if (!admission->deadlines && !admission->maps_first)
        return;
    snprintf(text, sizeof text, "{.deadlines = %d, .maps_first = %d}", admission->deadlines,
             admission->maps_first);
    export_word(out, "admission", text);
}
