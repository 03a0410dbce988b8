/* The table of a policy of the cluster model in C. */
#include <stdio.h>
#include <string.h>

#include "policy.h"

static void write_admission(const pn_scheduler_admission *admission, luaL_Buffer *out)
{
    static const char *const finishes[] = {
        [PN_SCHEDULER_FINISHES_NONE] = "",
        [PN_SCHEDULER_FINISHES_FORECAST] = ", .finishes = PN_SCHEDULER_FINISHES_FORECAST",
        [PN_SCHEDULER_FINISHES_RECORDED] = ", .finishes = PN_SCHEDULER_FINISHES_RECORDED"};
    static const char *const reserves[] = {
        [PN_SCHEDULER_RESERVE_NONE] = "",
        [PN_SCHEDULER_RESERVE_ALL] = ", .reserve = PN_SCHEDULER_RESERVE_ALL",
        [PN_SCHEDULER_RESERVE_LESS] = ", .reserve = PN_SCHEDULER_RESERVE_LESS",
        [PN_SCHEDULER_RESERVE_STRICT] = ", .reserve = PN_SCHEDULER_RESERVE_STRICT"};
    char text[256];
    snprintf(text, sizeof text, "{.deadlines = %d%s%s%s%s%s}", admission->deadlines,
             finishes[admission->finishes], admission->maps_first ? ", .maps_first = 1" : "",
             reserves[admission->reserve],
             admission->ended_predecessors ? ", .ended_predecessors = 1" : "",
             admission->ended_feedback ? ", .ended_feedback = 1" : "");
    if (strcmp(text, "{.deadlines = 0}") != 0)
        export_word(out, "admission", text);
}

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
    char text[256];
    snprintf(text, sizeof text, "{.keys = %s%s%s%s%s%s%s%s}", keys[order->keys],
             shares[order->shares], order->started_first ? ", .started_first = 1" : "",
             order->delays ? ", .delays = 1" : "", order->colocates ? ", .colocates = 1" : "",
             order->estimates ? ", .estimates = 1" : "", order->elapses ? ", .elapses = 1" : "",
             order->memoryless ? ", .memoryless = 1" : "");
    export_word(out, "order", text);
    write_admission(&policy->table.cluster.admission, out);
}
