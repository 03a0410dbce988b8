/* The table of a policy of the dag model in C. */
#include <stdio.h>

#include "policy.h"

void dag_write_c(const pn_lua_policy *policy, luaL_Buffer *out)
{
    static const char *const keys[] = {[PN_DISPATCH_KEYS_FIXED] = "PN_DISPATCH_KEYS_FIXED",
                                       [PN_DISPATCH_KEYS_STAGES] = "PN_DISPATCH_KEYS_STAGES",
                                       [PN_DISPATCH_KEYS_SERVED] = "PN_DISPATCH_KEYS_SERVED",
                                       [PN_DISPATCH_KEYS_USED] = "PN_DISPATCH_KEYS_USED",
                                       [PN_DISPATCH_KEYS_TIMED] = "PN_DISPATCH_KEYS_TIMED",
                                       [PN_DISPATCH_KEYS_GROWING] = "PN_DISPATCH_KEYS_GROWING"};
    const pn_dispatch_order *order = &policy->table.dag.order;
    char text[160];
    snprintf(text, sizeof text, "{.keys = %s%s%s%s%s%s}", keys[order->keys],
             order->by_queue ? ", .by_queue = 1" : "", order->limits ? ", .limits = 1" : "",
             order->packs ? ", .packs = 1" : "", order->virtual_run ? ", .virtual_run = 1" : "",
             order->preempts ? ", .preempts = 1" : "");
    export_word(out, "order", text);
}
