/* What a slotted simulation holds in its block, and the view of it that lives on the stack during a
 * call.
 *
 * The block starts with struct pn_slotted; everything else is found by offsets stored there. A call
 * from outside builds a view (pointers into this very block), works, and leaves no pointer behind.
 * Links between jobs are place + 1, 0 is none. */
#ifndef PN_SLOTTED_STATE_H
#define PN_SLOTTED_STATE_H

#include "base/attributes.h"
#include "base/binding.h"
#include "base/heap.h"
#include "pn_slotted.h"
#include "base/tree.h"

/* Where a job stands: the bit of pn_slotted_members that describes it, or none of them. */
enum pn_slotted_phase {
    PN_SLOTTED_PHASE_NONE = 0,
    PN_SLOTTED_PHASE_MAPS = PN_SLOTTED_WITH_MAPS,
    PN_SLOTTED_PHASE_REDUCES = PN_SLOTTED_WITH_REDUCES,
    PN_SLOTTED_PHASE_RUNNING = PN_SLOTTED_WITH_RUNNING
};

typedef struct pn_slotted_shadow_work {
    uint64_t maps, reduces;
} pn_slotted_shadow_work;

/* All that concerns one job lies together: beside a large backlog it is the number of cache lines
 * per job that costs. The lines are full: what only some runs need has a table of its own, such as
 * that of pn_slotted_misjudgement. */
typedef struct pn_slotted_entry {
    PN_WORD_ALIGN uint64_t id;
    uint64_t arrival;
    uint64_t tag;
    uint64_t maps; /* map units left */
    /* reduce units not run (preemptive) or in tasks not started (non-preemptive) */
    uint64_t reduces;
    /* sum of (last slot + 1) over the running tasks, modulo 2^64: units left in them = running_end
     * - held * slot */
    uint64_t running_end;
    uint64_t map_finish;
    /* what the virtual run of the true sizes has left of it */
    pn_slotted_shadow_work truth;
    uint32_t places[PN_SLOTTED_ORDERS_MAX]; /* where the heaps of the policy's orders hold it */
    uint32_t tasks;                         /* reduce tasks not started */
    uint32_t tasks_done;                    /* reduce tasks started so far */
    uint32_t held;                          /* machines that running tasks hold */
    uint32_t given;                         /* machines given in the slot at hand */
    /* map units that the policy's virtual run served in the slot at hand (SL12) */
    uint32_t load;
    uint32_t stretch;       /* first stretch of equal tasks not started, + 1 */
    uint32_t next;          /* in the list of future jobs, or of free places */
    uint32_t running_place; /* in the list of jobs whose keys move by themselves, + 1 */
    uint32_t group;
    uint8_t phase;   /* enum pn_slotted_phase */
    uint8_t touched; /* stands in the list of jobs that this slot changed */
    uint8_t active;  /* arrived and not finished */
    uint8_t holders; /* runs that still need this place: the real one and the virtual ones */
} pn_slotted_entry;

_Static_assert(sizeof(pn_slotted_entry) == 128, "two cache lines");
PN_WHOLE_WORDS(pn_slotted_entry, id);

enum {
    PN_SLOTTED_JOB_WORDS = sizeof(pn_slotted_entry) / sizeof(uint64_t),
    PN_SLOTTED_JOB_PLACES = sizeof(pn_slotted_entry) / sizeof(uint32_t)
};

/* A stretch of equal reduce tasks. */
typedef struct pn_slotted_stretch {
    uint64_t length; /* units of each */
    uint32_t count;
    uint32_t next; /* the job's next stretch, or the next free one, + 1 */
} pn_slotted_stretch;

/* What a policy is told differs from the truth by these, modulo 2^64 (estimate - truth). */
typedef struct pn_slotted_misjudgement {
    int64_t maps, reduces;
} pn_slotted_misjudgement;

/* A virtual SRPT run (SL10-SL12) in the block. */
typedef struct pn_slotted_shadow_state {
    pn_heap_state heap;
    uint64_t slot; /* it has passed through this one */
    uint64_t total_flow_time;
    size_t work;              /* offset of the first job's work */
    size_t work_stride;       /* bytes from the work of a job to that of the next */
    size_t entries, served;   /* offsets */
    uint32_t served_count;    /* jobs served in the last slot stepped through */
    uint32_t completed_count; /* the first so many of these are complete */
    uint32_t carved;          /* 1: this block has memory for it */
    uint32_t active;          /* 1: it runs */
    uint32_t estimates;       /* 1: it runs the sizes that policies see */
} pn_slotted_shadow_state;

enum { PN_SLOTTED_SHADOW_OF_TRUTH, PN_SLOTTED_SHADOW_OF_ESTIMATES, PN_SLOTTED_SHADOWS };

/* One order of the bound policy: a heap or a tree. */
typedef struct pn_slotted_order_state {
    pn_heap_state heap;
    pn_tree_state tree;
    size_t entries, nodes; /* offsets */
} pn_slotted_order_state;

/* The orders whose members are the jobs in one phase, as a list and as bits. */
typedef struct pn_slotted_phase_orders {
    uint8_t count, bits;
    uint8_t order[PN_SLOTTED_ORDERS_MAX];
} pn_slotted_phase_orders;

struct pn_slotted {
    pn_block_head head;
    /* as configured, with what is derived from it where 0 was given; without pointers */
    pn_slotted_config config;

    /* the bound policy */
    pn_binding binding;
    uint32_t relaxed;
    uint32_t rekeys;      /* running jobs' keys change from slot to slot */
    uint32_t renews;      /* some order's keys change with time or on ticks */
    uint32_t initialised; /* its init hook has been called */
    int32_t failure;      /* it gave up with this status */
    uint32_t unused;
    uint64_t ticked; /* 1 + the number of the stretch of slots for which it was ticked */
    pn_stream stream;
    pn_slotted_order_state orders[PN_SLOTTED_ORDERS_MAX];
    pn_slotted_phase_orders phase_orders[PN_SLOTTED_PHASE_RUNNING + 1];
    uint32_t load_order; /* the order of jobs with load; PN_SLOTTED_ORDERS_MAX = none */
    uint32_t overdue;    /* load stays from slot to slot (SL25) */
    /* offset and bytes of what a policy needs for itself */
    size_t policy_memory, policy_memory_size;
    size_t share_entries, policy_state;
    size_t sizes; /* offset, see pn_slotted_sizes_of; 0 = there are none */
    pn_heap_state share;

    /* tables, as offsets */
    size_t jobs, misjudged, stretches, touched, candidates, completions, running, stats, batches;
    size_t stats_stride;
    pn_heap_state completion_heap;
    pn_slotted_shadow_state shadows[PN_SLOTTED_SHADOWS];

    uint32_t free_job, free_stretch;    /* + 1 */
    uint32_t jobs_used, stretches_used; /* places ever used */
    uint32_t jobs_held, jobs_held_max;
    uint32_t stretches_held;
    uint32_t future_first, future_last; /* jobs submitted and not arrived, + 1 */
    uint32_t active_count, offering_count;
    uint32_t running_count; /* jobs in `running` */
    uint32_t held_total;    /* machines that running tasks hold */
    uint32_t touched_count;
    uint32_t candidates_max;

    uint64_t slot; /* last executed */
    /* the policy is being asked about this one, its jobs have arrived; 0 = it is not */
    uint64_t deciding_slot;
    uint64_t failed_slot; /* whose policy failed and which is to be tried again; 0 = none */
    uint64_t last_arrival, submitted, finished, total_flow_time, last_finish;
    uint64_t units_run, slots_run, decisions;
    uint64_t first_arrival, slots_saturated; /* SL35 */
    uint64_t withholding;                    /* slots in a row without a gift, up to now */
    uint64_t withheld, withheld_slot;        /* the most so far, and the last of these slots */
    uint64_t digest;

    /* of the last slot with jobs; units of all jobs that have arrived */
    uint64_t level_slot, level_map, level_reduce, units_arrived;
    uint32_t level_jobs, level_served;
    uint32_t holding_count;   /* jobs that hold machines from slot to slot */
    uint32_t level_saturated; /* 1: the slots after it are, until one is executed (SL35) */
};

static inline bool pn_slotted_cuts_reduces(const pn_slotted *sim)
{
    return sim->config.reduce == PN_SLOTTED_PREEMPTIVE;
}

typedef struct pn_slotted_shadow {
    pn_slotted_shadow_state *state;
    pn_heap heap;
    unsigned char *work;
    pn_slotted_served *served;
} pn_slotted_shadow;

static inline pn_slotted_shadow_work *pn_slotted_work(const pn_slotted_shadow *shadow, uint32_t job)
{
    return (pn_slotted_shadow_work *)(void *)(shadow->work + job * shadow->state->work_stride);
}

struct pn_slotted_view {
    pn_slotted *sim;
    const pn_slotted_hooks *hooks;
    const pn_slotted_policy *policy;
    pn_slotted_entry *jobs;
    pn_slotted_misjudgement *misjudged; /* null without estimates */
    pn_slotted_stretch *stretches;
    uint32_t *touched;
    uint32_t *candidates;
    uint32_t *running;
    pn_heap completions;
    pn_heap heaps[PN_SLOTTED_ORDERS_MAX];
    pn_tree trees[PN_SLOTTED_ORDERS_MAX];
    pn_heap share;
    pn_slotted_shadow shadows[PN_SLOTTED_SHADOWS];
    pn_slotted_shadow *policy_shadow; /* the one the policy follows, or null */
    uint64_t slot;                    /* whose decisions are being made */
    uint32_t idle;                    /* 0 whenever nothing can be given */
    uint32_t ticked;                  /* 1: the policy was ticked in this slot */
    uint64_t fold;                    /* sum of the mixed decisions of this slot */
    uint64_t mixed;                   /* the slot mixed alone, where each of them starts */
};

/* Returns what jobs carry for policies: right before the memory of the policy. */
static inline pn_attributes pn_slotted_attributes_of(const pn_slotted *sim)
{
    return pn_attributes_before(sim, sim->policy_memory, sim->config.jobs_max,
                                sim->config.attributes);
}

static inline uint8_t pn_slotted_asks_sizes(const pn_slotted_policy *policy)
{
    return PN_HAS(policy, sizes) ? policy->sizes : 0;
}

/* Returns the units of each job that has arrived; null if the policy does not ask. */
static inline uint64_t *pn_slotted_sizes_of(pn_slotted *sim)
{
    return sim->sizes != 0 ? pn_at(sim, sim->sizes) : NULL;
}

/* Returns the virtual run that a policy follows, or PN_SLOTTED_SHADOWS. */
static inline int pn_slotted_followed_shadow(const pn_slotted_policy *policy, bool estimates)
{
    if (policy->relaxed)
        return PN_SLOTTED_SHADOW_OF_TRUTH;
    if (policy->shadow == PN_SLOTTED_SHADOW_NONE)
        return PN_SLOTTED_SHADOWS;
    return policy->shadow == PN_SLOTTED_SHADOW_ESTIMATES && estimates
               ? PN_SLOTTED_SHADOW_OF_ESTIMATES
               : PN_SLOTTED_SHADOW_OF_TRUTH;
}

/* view.c */
void pn_slotted_view_build(pn_slotted_view *view, pn_slotted *sim, const pn_slotted_hooks *hooks);

/* orders.c: what a policy needs in the block, and the membership of its orders */
size_t pn_slotted_room(const pn_slotted_policy *policy, const pn_slotted_config *config,
                       pn_slotted *sim, size_t offset);
void pn_slotted_orders_bind(pn_slotted *sim, const pn_slotted_policy *policy);
void pn_slotted_order_job(pn_slotted_view *view, uint32_t job);
void pn_slotted_order_loads(pn_slotted_view *view);
void pn_slotted_order_overdue(pn_slotted_view *view, uint32_t job);
void pn_slotted_order_unload(pn_slotted_view *view);
void pn_slotted_order_slot(pn_slotted_view *view);

/* srpt.c */
void pn_slotted_shadow_enter(pn_slotted_view *view, pn_slotted_shadow *shadow, uint32_t job);
uint64_t pn_slotted_virtual_quiet(const pn_slotted_view *view, const pn_slotted_shadow *shadow);
void pn_slotted_shadow_pass(pn_slotted_view *view, pn_slotted_shadow *shadow, uint64_t slot);
void pn_slotted_shadow_step(pn_slotted_view *view, pn_slotted_shadow *shadow);
void pn_slotted_shadow_undo(pn_slotted_view *view, pn_slotted_shadow *shadow);

/* Reads a host's configuration over the defaults. Returns what is wrong with it, or null. */
const char *pn_slotted_read_config(pn_slotted_config *own, const pn_slotted_config *given);
/* Copies to zeros what a block keeps: no pointers, no padding, and what the kernel chooses where 0
 * is given. */
void pn_slotted_keep_config(pn_slotted_config *stored, const pn_slotted_config *config);

/* commit.c */
void pn_slotted_pass_saturated(pn_slotted *sim, uint64_t slot);

/* life.c: the layout of a block with these virtual runs and so many bytes for a policy; its
 * size, 0 when that does not fit a size_t */
size_t pn_slotted_carve(const pn_slotted_config *config, const uint32_t needs[PN_SLOTTED_SHADOWS],
                        size_t room_size, pn_slotted *sim);
/* of flow times, integers from 1 on: 53 octaves reach PN_INTEGER_MAX */
enum { PN_SLOTTED_FLOW_OCTAVES = 53 };
extern const char pn_slotted_magic[8];

/* step.c: the configuration that a block was made for, without warm-up and seed;
 * which virtual runs a policy needs */
bool pn_slotted_choose_shadows(const pn_slotted *sim, const pn_slotted_policy *policy,
                               bool active[PN_SLOTTED_SHADOWS]);

/* life.c */
void pn_slotted_release(pn_slotted_view *view, uint32_t job);

/* commit.c: makes the slot's decisions true */
void pn_slotted_commit(pn_slotted_view *view);
void pn_slotted_commit_relaxed(pn_slotted_view *view);

static inline uint64_t pn_slotted_entry_offer(const pn_slotted_view *view,
                                              const pn_slotted_entry *job)
{
    if (job->maps > 0)
        return job->maps;
    return pn_slotted_cuts_reduces(view->sim) ? job->reduces : job->tasks;
}

/* Returns the unrun reduce units at the start of view->slot, running tasks included (SL7). */
static inline uint64_t pn_slotted_entry_reduces(const pn_slotted_view *view,
                                                const pn_slotted_entry *job)
{
    return job->reduces + job->running_end - (uint64_t)job->held * view->slot;
}

/* Marks a job as touched. It holds or is given a machine in the slot, so there are never more than
 * machines. */
static inline void pn_slotted_touch(pn_slotted_view *view, uint32_t place)
{
    if (!view->jobs[place].touched) {
        PN_ASSERT(view->sim->touched_count < view->sim->config.machines);
        view->jobs[place].touched = 1;
        view->touched[view->sim->touched_count++] = place;
    }
}

#endif
