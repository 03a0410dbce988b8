/* What all models and cores have in common: the calls of a model, and one table of these functions
 * for each model, in types that all share, for programs that run several. PN_MODELS lists the
 * models, and pn_NAME_model returns the table of one. A host of one model calls that model's
 * functions by their names. Each table lies in an object of its own, so a program that uses one
 * model does not link the others.
 *
 * The calls of a model. NAME stands for the model or core; its header says what differs.
 *
 * Configure. pn_NAME_defaults returns the default configuration: set what differs. Every table of a
 * model has a limit there, and the size of the block depends on these limits only.
 * pn_NAME_defaults_into writes the defaults into a struct of `size` bytes, the size that the host's
 * header gives it; that of a model on a core takes the size of the core's part, too. pn_NAME_check
 * returns null if the configuration is valid, else the name and the range of the first field that
 * is not, as a constant text: "machines: 1..16777216". pn_NAME_setting_at returns the setting with
 * this index, from 0, or null after the last one.
 *
 * Size. pn_NAME_size returns the bytes of the block; 0 if the configuration is invalid or the size
 * overflows. It runs the code that lays out the block, so the two cannot differ. O(policies).
 *
 * Start. pn_NAME_init lays out a fresh simulation in `block` (`size` bytes, aligned to
 * PN_BLOCK_ALIGN), which must outlive it. *sim receives a pointer into the block; nothing has to be
 * freed. PN_OK, PN_ERR_ARGUMENT, PN_ERR_CONFIG, PN_ERR_SIZE or PN_ERR_ALIGN. O(size).
 *
 * Copy. A block is data without pointers. Copy its first pn_NAME_block_size bytes with memcpy, to
 * another address or to a file and back on the same ABI, and open the copy with pn_NAME_open: it
 * continues with the same decisions and the same digest. This is checkpoint, resume and fork. A
 * copy made inside a hook is half a step: opening it returns PN_ERR_BUSY. Otherwise pn_NAME_open
 * returns PN_OK, PN_ERR_ARGUMENT, PN_ERR_ALIGN, PN_ERR_SIZE or PN_ERR_BLOCK. It detects bytes that
 * are no block of this model, but not malice. A seal (pn_seal.h) detects accidental changes of a
 * block that was stored.
 *
 * Validate. Call pn_NAME_validate before pn_NAME_open if others may have changed the block. It
 * returns PN_OK, what pn_NAME_open returns, or PN_ERR_DAMAGED. After PN_OK no call with this block
 * reads or writes outside it, has undefined behaviour, breaks an invariant, or runs for ever: it
 * compares layout, counts, links, heaps, trees and lists with the fields of the jobs. It does not
 * promise that a run can reach this state, so results may mean nothing; that a policy's own memory
 * is consistent (built-in policies check theirs when they use it); or that a run ends soon, as jobs
 * may be as large as PN_INTEGER_MAX. It only reads. Each block between two calls passes.
 *
 * Resume. pn_NAME_configured returns 1 if the block was made for this configuration: fields and
 * layout are the same. The makespan model does not have it. O(policies).
 *
 * Hooks. The host passes its functions with each call, so the block contains only data. Leave the
 * fields at 0 that you do not use. `policy` is required: the first call binds it, and later calls
 * must pass the same one (pn_param in pn_base.h). `params` has policy->param_count values in the
 * policy's order; null = the policy's defaults. A call from inside a hook that the model's header
 * does not allow there returns PN_ERR_BUSY.
 *
 * Policies. pn_NAME_policy_at returns the built-in policy with this index, from 0, or null after
 * the last one; PN_NAME_POLICIES, if defined when the kernel is compiled, names the policies to
 * keep. pn_NAME_policy_find returns the policy of this name, in which - and _ are the same letter,
 * or null. O(policies). pn_NAME_policy_name returns the name of the bound policy, "" before one is
 * bound. The policies of the cluster model are those of the scheduler core, and the policies of the
 * dag model those of the dispatch core.
 *
 * Queries. pn_NAME_totals_get returns counters since the start, pn_NAME_levels_get what is in use
 * now, the values of a timeline (pn_timeline.h), and pn_NAME_digest a digest of all decisions:
 * equal schedules have equal digests. The function with _into at the end of its name takes the size
 * of the struct, which hosts that do not compile the header need. O(1).
 *
 * Verifiers. A verifier replays a decision log against the workload; it shares no code with the
 * engine. pn_NAME_verifier_size returns the bytes of its block, 0 if the claim is invalid, and
 * _init lays it out. _feed takes the entries of the log in order, _stop says that the run was
 * stopped, and _end compares the end. They return PN_OK or PN_ERR_REJECTED; once rejected, a log
 * stays rejected. _fault returns the reason as a constant text, with the time and the job (0 = no
 * job), or "" if no rule is broken. */
#ifndef PN_MODEL_H
#define PN_MODEL_H

#include "pn_base.h"

/* Models and cores; a new one is added behind the others. */
#define PN_MODELS(EACH) \
    EACH(slotted) EACH(tandem) EACH(scheduler) EACH(cluster) EACH(makespan) EACH(dag) EACH(dispatch)

/* What all policies have, whatever the model. */
typedef struct pn_policy_about {
    const char *name, *summary, *source;
    const pn_param *params;
    const pn_key_part *keys; /* null: its order says nothing of itself */
    uint8_t param_count;
} pn_policy_about;

/* `config`, `sim`, `job`, `hooks`, `totals` and `policy` are pn_NAME_config, pn_NAME, pn_NAME_job,
 * pn_NAME_hooks, pn_NAME_totals and the policy that the model's hooks take. Functions do what those
 * of their names do, pn_NAME_check and so on, unless they say otherwise. Null is what a model does
 * not have; a core has nothing that runs, as its host's machines do. */
typedef struct pn_model {
    const char *name;
    size_t config_size, totals_size;

    /* of blocks */
    const pn_setting *(*setting_at)(size_t index);
    void (*defaults)(void *config);
    const char *(*check)(const void *config);
    size_t (*size)(const void *config);
    int (*init)(void **sim, void *block, size_t size, const void *config);
    int (*open)(void **sim, void *block, size_t size);
    size_t (*block_size)(const void *sim);
    int (*validate)(const void *block, size_t size);
    int (*configured)(const void *sim, const void *config);
    uint64_t (*digest)(const void *sim);
    void (*totals)(const void *sim, void *totals);

    /* of policies; the cluster model's are those of the scheduler core, the dag model's those of
     * the dispatch core */
    const char *(*policy_name)(const void *sim);
    const void *(*policy_at)(size_t index);
    const void *(*policy_find)(const char *name);
    pn_policy_about (*policy_about)(const void *policy);

    /* of runs */
    int (*submit)(void *sim, const void *job, uint64_t *id);
    int (*step)(void *sim, const void *hooks); /* the first one of a batch plans, too */
    /* Executes all that can happen. */
    int (*finish)(void *sim, const void *hooks);
    /* Returns the times of finished jobs, of a group or PN_ALL_GROUPS; null without statistics. */
    const pn_stats *(*statistics)(const void *sim, uint32_t group);
} pn_model;

#endif
