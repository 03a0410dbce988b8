/* Policies written in Lua, for C hosts: the second public header, beside pinion.h. Link with
 * libpinion-lua.a, libpinion.a and liblua5.4.
 *
 * A policy runs in a Lua state of its own, in a sandbox: no files, no clock, no addresses, a
 * ceiling on its memory and on the instructions of one call. It is for one model, which its text
 * names; its table is an ordinary pn_slotted_policy, pn_tandem_policy, pn_makespan_policy or
 * pn_scheduler_policy, so everything in pinion.h works with it. What it remembers lives in the
 * simulation's block: a copy of the block may be continued with another pn_lua_policy loaded from
 * the same text.
 *
 *     pn_lua_policy *policy;
 *     if (pn_lua_policy_load(&policy, "mine.lua", text, size, NULL, message, sizeof message) !=
 * PN_OK) … config.policy = pn_lua_policy_slotted(policy); hooks.policy =
 * pn_lua_policy_slotted(policy); … pn_slotted_run(sim, &hooks, …) … PN_ERR_POLICY:
 * pn_lua_policy_message(policy) says why pn_lua_policy_free(policy);
 *
 * One pn_lua_policy serves one thread at a time, and any number of simulations in turn. */
#ifndef PINION_LUA_H
#define PINION_LUA_H

#include "pinion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pn_lua_policy pn_lua_policy;

#define PN_LUA_MEMORY       ((size_t)64 << 20)
#define PN_LUA_BUDGET       ((uint64_t)10000000)
#define PN_LUA_MESSAGE_SIZE 1024

/* Get it from pn_lua_defaults(), then set what differs. */
typedef struct pn_lua_options {
    size_t memory; /* bytes that the policy's Lua state may hold; default PN_LUA_MEMORY */
    /* Lua instructions, and work like theirs, of one call; 0 = no limit, about twice as fast;
     * default PN_LUA_BUDGET */
    uint64_t budget;
    /* Where its memory comes from, as lua_Alloc; null (default) = realloc and free */
    void *(*allocate)(void *user, void *block, size_t old_size, size_t new_size);
    /* A line that the policy printed, "FILE:LINE: job 12 at slot 40: text"; null (default) =
     * standard error. Must not run any simulation with this policy. */
    void (*print)(void *user, const char *line);
    void *user;
} pn_lua_options;

pn_lua_options pn_lua_defaults(void);

/* Loads a policy of any model from its source text. `name` is what messages call it, usually the
 * file's name. options may be null. Returns PN_OK; PN_ERR_POLICY with `message` (at most
 * message_size bytes, always ended) when the text is no policy; PN_ERR_SIZE when memory is short;
 * PN_ERR_ARGUMENT. */
int pn_lua_policy_load(pn_lua_policy **policy, const char *name, const char *text, size_t size,
                       const pn_lua_options *options, char *message, size_t message_size);
void pn_lua_policy_free(pn_lua_policy *policy); /* null is fine */

/* The table to hand to the kernel; null when the policy is null or of another model. Lives as long
 * as the policy. It is part of it: a copy of the table is no policy. */
const pn_slotted_policy *pn_lua_policy_slotted(const pn_lua_policy *policy);
const pn_tandem_policy *pn_lua_policy_tandem(const pn_lua_policy *policy);
const pn_makespan_policy *pn_lua_policy_makespan(const pn_lua_policy *policy);
const pn_scheduler_policy *pn_lua_policy_cluster(const pn_lua_policy *policy);

/* The pn_lua_policy behind a kernel table that came from here; null for any other. */
const pn_lua_policy *pn_lua_policy_behind(const pn_slotted_policy *table);
const pn_lua_policy *pn_lua_policy_behind_tandem(const pn_tandem_policy *table);
const pn_lua_policy *pn_lua_policy_behind_makespan(const pn_makespan_policy *table);
const pn_lua_policy *pn_lua_policy_behind_cluster(const pn_scheduler_policy *table);

/* Whether it is of the tandem model and asks for the ranks of jobs (pn_tandem_config.ranks). */
int pn_lua_policy_ranks(const pn_lua_policy *policy);

/* Why the last call that failed did so, with file and line, job and slot or time; "" when none has,
 * whichever the simulation. */
const char *pn_lua_policy_message(const pn_lua_policy *policy);

/* Ends the call of the policy that is under way, or else its next one: it fails with the message
 * "FILE:LINE: interrupted", and the kernel's function returns PN_ERR_POLICY. May be called from a
 * signal handler of the thread that runs the simulation. What a model can do after a failed call
 * stands with its step function; its totals can be asked for. */
void pn_lua_interrupt(pn_lua_policy *policy);

/* Whether the policy's last call ended because of pn_lua_interrupt. */
int pn_lua_policy_interrupted(const pn_lua_policy *policy);

/* A parameter of the policy, whatever its model: that in its kernel's table, index <
 * param_count. */
const pn_param *pn_lua_policy_param(const pn_lua_policy *policy, uint32_t index);

/* The values for the params of pn_slotted_hooks and its like in the other models: all defaults, and
 * one of them set by name. An integer parameter takes whole numbers only, a choice its index.
 * PN_OK, or PN_ERR_ARGUMENT with nothing changed: no such parameter, or a value that is out of its
 * range. */
void pn_lua_policy_defaults(const pn_lua_policy *policy, double params[PN_PARAMS_MAX]);
int pn_lua_policy_set(const pn_lua_policy *policy, double params[PN_PARAMS_MAX], const char *name,
                      double value);

/* How often the policy's functions were called so far: keys and weights computed; slots, instants
 * or picks decided, batches planned; everything else. */
typedef struct pn_lua_counts {
    uint64_t keys, slots, hooks;
} pn_lua_counts;
pn_lua_counts pn_lua_policy_counts(const pn_lua_policy *policy);

#ifdef __cplusplus
}
#endif

#endif
