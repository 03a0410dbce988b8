/* Policies and workloads written in Lua, for C hosts: the second public header, beside pinion.h.
 * Link with libpinion-lua.a, libpinion.a and liblua5.4.
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

/* How functions of a policy are run. */
enum {
    PN_LUA_INTERPRETED, /* in Lua */
    PN_LUA_COMPILED,    /* compiled when the policy is loaded, where they fit */
    PN_LUA_COMPARED     /* both ways: a call fails where they differ; for tests */
};

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
    int compile; /* default PN_LUA_COMPILED; the decisions are the same */
} pn_lua_options;

pn_lua_options pn_lua_defaults(void);

/* Loads a policy of any model from its source text. `name` is what messages call it, usually the
 * file's name. A text may carry files that it requires: behind it, for each of them, the character
 * \x1c, the file's name without ".lua", an end of line, and the file's text. options may be null.
 * Returns PN_OK; PN_ERR_POLICY with `message` (at most message_size bytes, always ended) when the
 * text is no policy; PN_ERR_SIZE when memory is short; PN_ERR_ARGUMENT. */
int pn_lua_policy_load(pn_lua_policy **policy, const char *name, const char *text, size_t size,
                       const pn_lua_options *options, char *message, size_t message_size);
void pn_lua_policy_free(pn_lua_policy *policy); /* null is fine */

/* Returns the table to hand to the kernel; null when the policy is null or of another model. Lives
 * as long as the policy. It is part of it: a copy of the table is no policy. */
const pn_slotted_policy *pn_lua_policy_slotted(const pn_lua_policy *policy);
const pn_tandem_policy *pn_lua_policy_tandem(const pn_lua_policy *policy);
const pn_makespan_policy *pn_lua_policy_makespan(const pn_lua_policy *policy);
const pn_scheduler_policy *pn_lua_policy_cluster(const pn_lua_policy *policy);
const pn_dispatch_policy *pn_lua_policy_dag(const pn_lua_policy *policy);

/* Returns the pn_lua_policy behind a kernel table that came from here; null for any other. */
const pn_lua_policy *pn_lua_policy_behind(const pn_slotted_policy *table);
const pn_lua_policy *pn_lua_policy_behind_tandem(const pn_tandem_policy *table);
const pn_lua_policy *pn_lua_policy_behind_makespan(const pn_makespan_policy *table);
const pn_lua_policy *pn_lua_policy_behind_cluster(const pn_scheduler_policy *table);
const pn_lua_policy *pn_lua_policy_behind_dag(const pn_dispatch_policy *table);

/* Returns whether it is of the tandem model and asks for the ranks of jobs
 * (pn_tandem_config.ranks). */
int pn_lua_policy_ranks(const pn_lua_policy *policy);

/* Returns whether it is of the cluster model and suspends attempts, or may do so with some
 * parameters (pn_scheduler_config.suspended_max). */
int pn_lua_policy_suspends(const pn_lua_policy *policy);

/* Returns why the last call that failed did so, with file and line, job and slot or time; "" when
 * none has, whichever the simulation. */
const char *pn_lua_policy_message(const pn_lua_policy *policy);

/* Ends the call of the policy that is under way, or else its next one: it fails with the message
 * "FILE:LINE: interrupted", and the kernel's function returns PN_ERR_POLICY. May be called from a
 * signal handler of the thread that runs the simulation. What a model can do after a failed call
 * stands with its step function; its totals can be asked for. */
void pn_lua_interrupt(pn_lua_policy *policy);

/* Returns whether the policy's last call ended because of pn_lua_interrupt. */
int pn_lua_policy_interrupted(const pn_lua_policy *policy);

/* Returns a parameter of the policy, whatever its model: that in its kernel's table, index <
 * param_count. */
const pn_param *pn_lua_policy_param(const pn_lua_policy *policy, uint32_t index);

/* Fills in the values for the params of pn_slotted_hooks and its like in the other models: all
 * defaults, and one of them set by name. An integer parameter takes whole numbers only, a choice
 * its index. PN_OK, or PN_ERR_ARGUMENT with nothing changed: no such parameter, or a value that is
 * out of its range. */
void pn_lua_policy_defaults(const pn_lua_policy *policy, double params[PN_PARAMS_MAX]);
int pn_lua_policy_set(const pn_lua_policy *policy, double params[PN_PARAMS_MAX], const char *name,
                      double value);

/* Tells why a function of the policy is not compiled, "" when it is. `index` counts the functions
 * that it has, from 0, but for those that run once, as init; *line is that on which the function
 * begins, as in messages, and *file the name of the carried file that it is in, "" = the policy's
 * own. Null: it has no such function. */
const char *pn_lua_policy_unfit(const pn_lua_policy *policy, uint32_t index, const char **file,
                                int *line);

/* Tells what the jobs of the simulations that come carry, so that the policy can ask for it by
 * name; the names are copied. A block knows numbers only: a host that continues one says the names
 * again. PN_OK, PN_ERR_ARGUMENT (a null name, more than PN_ATTRIBUTES_MAX), or PN_ERR_SIZE when
 * memory is short: there are then none.
 *
 * attributes: the names of the numbers in a job's `attributes`, in their order, for
 * s:attribute(job, "weight"). groups: names by the number of a job's group, a null for jobs without
 * one, for s:group_name(job); s:group(job) is then not the kernel's number but that of the name
 * among all in their order: whole numbers by value, then the others by bytes. Without names (count
 * 0, as at first) it is the kernel's number, and no group has a name. */
int pn_lua_policy_attributes(pn_lua_policy *policy, const char *const names[], uint32_t count);
int pn_lua_policy_groups(pn_lua_policy *policy, const char *const names[], uint32_t count);
/* Tells the texts that the numbers 0, 1, … of this attribute stand for, none of them null, for
 * s:attribute(job, name), which then is the text. pn_lua_policy_attributes forgets them. PN_OK,
 * PN_ERR_ARGUMENT (there is no such attribute, or a null label) or PN_ERR_SIZE. */
int pn_lua_policy_labels(pn_lua_policy *policy, uint32_t attribute, const char *const labels[],
                         uint32_t count);

/* Sets a parameter that is a table, for the simulations that start from now on: `text` is a table
 * as Lua writes it, such as "{ prod = { share = 0.6 } }", which must be of the shape that the
 * policy declares; a copy of it is kept. params, unless null, gets the hash that stands for it, as
 * pn_lua_policy_defaults gives it from now on; a simulation with another hash fails. PN_OK;
 * PN_ERR_POLICY with `message` and nothing changed; PN_ERR_ARGUMENT: no such parameter, or called
 * from inside a call of the policy. */
int pn_lua_policy_set_table(pn_lua_policy *policy, double params[PN_PARAMS_MAX], const char *name,
                            const char *text, size_t size, char *message, size_t message_size);

/* How often the policy's functions were called so far: keys and weights computed; slots, instants
 * or picks decided, batches planned; everything else. */
typedef struct pn_lua_counts {
    uint64_t keys, slots, hooks;
} pn_lua_counts;
pn_lua_counts pn_lua_policy_counts(const pn_lua_policy *policy);

/* ---- workloads ------------------------------------------------------------------------------- */

/* A generator of jobs written in Lua: a file that returns a table with a function, which makes one
 * job after the other. It runs in a sandbox as a policy does, and hands out one job at a time: its
 * memory does not grow with their number. What it makes follows from its text, its parameters, the
 * seed and the replica.
 *
 *     pn_lua_workload *jobs;
 *     if (pn_lua_workload_load(&jobs, "mine.lua", text, size, NULL, message, sizeof message) !=
 * PN_OK) … pn_lua_workload_set(jobs, "load", 0.8); status = pn_lua_workload_start(jobs, seed,
 * replica); while (status >= 0 && (status = pn_lua_workload_next_slotted(jobs, &job)) == 1)
 *         pn_slotted_submit(sim, &job, NULL);
 *     if (status < 0) … pn_lua_workload_message(jobs) says why
 *     pn_lua_workload_free(jobs);
 *
 * One thread at a time. A job's lists are the workload's, valid until the next call. */
typedef struct pn_lua_workload pn_lua_workload;

/* Loads as pn_lua_policy_load. The budget is that of the way from one job to the next. */
int pn_lua_workload_load(pn_lua_workload **workload, const char *name, const char *text,
                         size_t size, const pn_lua_options *options, char *message,
                         size_t message_size);
void pn_lua_workload_free(pn_lua_workload *workload); /* null is fine */

/* Returns what it says of itself: its model ("slotted", "tandem", "makespan", "cluster", "dag"),
 * its name, its idea in one line. */
const char *pn_lua_workload_model(const pn_lua_workload *workload);
const char *pn_lua_workload_name(const pn_lua_workload *workload);
const char *pn_lua_workload_summary(const pn_lua_workload *workload);
/* Returns, of the makespan model: durations are in ticks, so many to the unit of time; else 1. */
uint64_t pn_lua_workload_ticks(const pn_lua_workload *workload);
/* Returns, of the dag model, the names of queues, in the order of their numbers in jobs, as the
 * definition declares them; none: all jobs are in queue 0. */
const char *const *pn_lua_workload_queues(const pn_lua_workload *workload, uint32_t *count);

/* Returns its parameters, by name. The value of a text is from _param_text, null for all others,
 * which are numbers, or choices by index (pn_param.names). */
uint32_t pn_lua_workload_params(const pn_lua_workload *workload);
const pn_param *pn_lua_workload_param(const pn_lua_workload *workload, uint32_t index);
const char *pn_lua_workload_param_text(const pn_lua_workload *workload, uint32_t index);
/* Sets one for the starts from now on: a number, or the index of a choice; a text, or a choice by
 * its word. PN_OK, or PN_ERR_ARGUMENT with nothing changed: no such parameter, or not a value of
 * it. */
int pn_lua_workload_set(pn_lua_workload *workload, const char *name, double value);
int pn_lua_workload_set_text(pn_lua_workload *workload, const char *name, const char *text);

/* Begins with the first job, again as often as wanted. Names of groups that the definition does not
 * declare are collected in one pass over all jobs, where the first job has one; the pass is made
 * once for a seed and a replica. PN_OK, PN_ERR_POLICY or PN_ERR_ARGUMENT. */
int pn_lua_workload_start(pn_lua_workload *workload, uint64_t seed, uint32_t replica);

/* Returns, after a start, the names of groups, sorted; group k of a job is names[k - 1], and group
 * 0 is none. Whether jobs may carry estimates. Tandem: 1 = a job's arrival is the gap to the
 * previous one. */
const char *const *pn_lua_workload_groups(const pn_lua_workload *workload, uint32_t *count);
int pn_lua_workload_estimates(const pn_lua_workload *workload);
int pn_lua_workload_gaps(const pn_lua_workload *workload);
/* Returns, of the dag model, after a start: the entries of each demand; 0 when there is no job. */
uint32_t pn_lua_workload_resources(const pn_lua_workload *workload);
/* Returns the names of the attributes of all jobs, sorted, as the definition declares them:
 * attribute k of a job is names[k]. */
const char *const *pn_lua_workload_attributes(const pn_lua_workload *workload, uint32_t *count);

/* Returns the texts that the numbers 0, 1, … of an attribute stand for; null and 0: it is a
 * number. */
const char *const *pn_lua_workload_labels(const pn_lua_workload *workload, uint32_t attribute,
                                          uint32_t *count);

/* Gives the next job: 1; 0 at the end; PN_ERR_POLICY when the script fails, with a message; or
 * PN_ERR_ARGUMENT: not started, or of another model. Jobs come in the order of their arrival. */
int pn_lua_workload_next_slotted(pn_lua_workload *workload, pn_slotted_job *job);
int pn_lua_workload_next_tandem(pn_lua_workload *workload, pn_tandem_job *job);
int pn_lua_workload_next_makespan(pn_lua_workload *workload, pn_makespan_job *job);
int pn_lua_workload_next_cluster(pn_lua_workload *workload, pn_cluster_job *job);
int pn_lua_workload_next_dag(pn_lua_workload *workload, pn_dag_job *job);

/* Returns why the last call that failed did so, with file, line and job; "" when none has since the
 * start. */
const char *pn_lua_workload_message(const pn_lua_workload *workload);
/* Interrupts as pn_lua_interrupt and pn_lua_policy_interrupted. */
void pn_lua_workload_interrupt(pn_lua_workload *workload);
int pn_lua_workload_interrupted(const pn_lua_workload *workload);

#ifdef __cplusplus
}
#endif

#endif
