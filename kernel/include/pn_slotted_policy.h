/* Policies of the slotted model, for their authors: the table of a policy, its orders, hooks and
 * memory, and the functions by which it reads the simulation and gives machines. Hosts that use
 * the built-in policies need pn_slotted.h alone.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 196/288 (see docs/embedding.md). */
#ifndef PN_SLOTTED_POLICY_H
#define PN_SLOTTED_POLICY_H

#include "pn_slotted.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* What a policy sees of the simulation, valid during the call only. */
typedef struct pn_slotted_view pn_slotted_view;

/* A policy is a constant table. It takes one of three forms, the first of these that is given:
 *   act     code that hands out amounts in a slot with the loops below;
 *   share   orders[0].key is pn_slotted_share_key: machines go one by one to the job with the
 *           smallest (machines held / weight), ties by id; a null weight is equal shares;
 *   else    a key: jobs are served greedily in the order of orders[0].
 * The kernel asks it only in slots in which a machine is idle and some job offers work. A policy of
 * any form may have the hooks init, arrive, finish and tick, and memory in the block.
 *
 * An order is a set of jobs that the kernel keeps sorted by (key, id). Jobs that wait cost nothing:
 * a key is computed again only as declared. */
enum pn_slotted_changes {
    /* the key depends on the job's own state: again after slots in which it ran */
    PN_SLOTTED_CHANGES_WHEN_SERVED = 0,
    /* the key never changes: computed when the job enters the set */
    PN_SLOTTED_CHANGES_ON_ARRIVAL = 1,
    /* the key of every member changes: all again in each slot in which the policy is asked,
     * O(members), of a tree O(places log members) */
    PN_SLOTTED_CHANGES_WITH_TIME = 2,
    /* all again after each tick of the policy, and a job's own after slots in which it ran */
    PN_SLOTTED_CHANGES_ON_TICK = 3
};

/* Which jobs are members; a job offers its map units while it has any, and only then its reduces
 * (SL6). */
enum pn_slotted_members {
    PN_SLOTTED_WITH_MAPS = 1, /* jobs with map units left */
    /* maps done, and reduce units (preemptive) or unstarted tasks (non-preemptive) left */
    PN_SLOTTED_WITH_REDUCES = 2,
    /* nothing left to offer, reduce tasks still running (non-preemptive) */
    PN_SLOTTED_WITH_RUNNING = 4,
    /* jobs with maps that the policy's virtual SRPT run has served and the real one has not;
     * alone, see `load` */
    PN_SLOTTED_WITH_LOAD = 8
};

/* During a policy's call a job is its place in the job table; PN_NO_JOB is no job. A place depends
 * on the size of the table and on the bounds, so decisions must not depend on places: use
 * pn_slotted_id. */

typedef struct pn_slotted_order {
    void (*key)(const pn_slotted_view *view, uint32_t job, pn_key *key); /* null: by id */
    /* enum pn_slotted_changes */
    uint8_t changes;
    /* enum pn_slotted_members, or-ed */
    uint8_t members;
    /* 1: a search tree that also finds the next job with an offer of at most or at least x, O(log
     * n) each (pn_slotted_next_*, pn_slotted_fill); 0: a heap, faster (pn_slotted_fill,
     * pn_slotted_share) */
    uint8_t fit;
} pn_slotted_order;

enum pn_slotted_shadow_kind {
    PN_SLOTTED_SHADOW_NONE = 0,
    /* a virtual SRPT run of the sizes that the policy sees, SL10-SL12 */
    PN_SLOTTED_SHADOW_ESTIMATES = 1,
    PN_SLOTTED_SHADOW_TRUTH = 2 /* a virtual SRPT run of the true sizes */
};

enum pn_slotted_load {
    /* what virtual SRPT serves in this slot (Algorithm 1's MapLoad, SL12) */
    PN_SLOTTED_LOAD_SLOT = 0,
    /* what it has served so far and the real run has not (SL25); may be asked for between executed
     * slots, so keys of such an order must not depend on the slot */
    PN_SLOTTED_LOAD_CUMULATIVE = 1
};

#define PN_SLOTTED_ORDERS_MAX 4

struct pn_slotted_policy {
    size_t struct_size;                /* sizeof the struct, or 0: see pn_base.h */
    const char *name;                  /* at most 31 bytes */
    const char *summary;               /* one line */
    const char *source;                /* paper section or rule */
    uint8_t preemptive, nonpreemptive; /* 1: defined in this mode */
    /* 1: promises that no machine idles while a job offers work; the checker holds it to that */
    uint8_t work_conserving;
    /* 1: not a schedule but the virtual SRPT run itself, a lower bound (SL13); all else is
     * ignored */
    uint8_t relaxed;
    uint8_t shadow;      /* enum pn_slotted_shadow_kind */
    uint8_t load;        /* enum pn_slotted_load: what PN_SLOTTED_WITH_LOAD counts */
    uint8_t order_count; /* 1..PN_SLOTTED_ORDERS_MAX (0 only when relaxed) */
    uint8_t param_count; /* 0..PN_PARAMS_MAX */
    pn_slotted_order orders[PN_SLOTTED_ORDERS_MAX];
    pn_param params[PN_PARAMS_MAX];
    /* The policy's own memory in the block, zero at first: so many bytes, and so many more for each
     * place of the job table (jobs_max of them, one after the other). */
    size_t state_bytes, state_bytes_per_job;
    /* hands out machines with the calls below; PN_OK, or an error that the step then returns */
    int (*act)(pn_slotted_view *view);
    /* of a share: 1..2^20, else the policy gives up with PN_ERR_INFEASIBLE; null = 1. Asked again
     * when the key is, and for each machine given while one is idle: in one slot it must always
     * answer the same. */
    uint64_t (*weight)(const pn_slotted_view *view, uint32_t job);

    /* Hooks, each may be null. One that returns an error is called again when the step is tried
     * again. None can give machines. */
    /* once, in the first slot, before anything else */
    int (*init)(pn_slotted_view *view);
    /* the job is about to join the orders, in order of id */
    int (*arrive)(pn_slotted_view *view, uint32_t job);
    /* its last unit ran in this slot; it has left the orders; by id */
    void (*finish)(pn_slotted_view *view, uint32_t job);
    /* after the arrivals of the first slot in each stretch of tick_slots slots in which the policy
     * is asked; none in a stretch without such a slot. 0 = never. */
    int (*tick)(pn_slotted_view *view);
    uint64_t tick_slots;
    /* What its keys are, for people; null: it does not say. Of a library's policies to be read
     * behind PN_HAS. */
    const pn_key_part *keys;
    /* 1: it may call pn_slotted_attained and pn_slotted_job_size; takes 8 bytes for each place of
     * the job table */
    uint8_t sizes;
    uint8_t unused[7]; /* 0 */
};

/* What a policy may ask, O(1) each. Amounts are those at the start of the slot (SL5), with
 * estimates in place of true sizes: units left = max(0, estimate - units run). Phases and offers
 * are true. */

uint64_t pn_slotted_slot(const pn_slotted_view *view);
uint32_t pn_slotted_machines(const pn_slotted_view *view); /* N */
uint32_t pn_slotted_jobs_max(const pn_slotted_view *view); /* places are 0..jobs_max-1 */
/* machines not yet given away in this slot; 0 in the hooks other than act, which cannot give */
uint32_t pn_slotted_idle(const pn_slotted_view *view);
/* jobs arrived and not finished */
uint32_t pn_slotted_in_system(const pn_slotted_view *view);
/* Returns 1 if this place, any number, holds a job that has arrived and not finished. */
int pn_slotted_active(const pn_slotted_view *view, uint32_t job);
/* Returns 1 in preemptive mode. */
int pn_slotted_preemptive(const pn_slotted_view *view);
double pn_slotted_param_value(const pn_slotted_view *view, uint32_t index); /* of policy->params */
/* the policy's own bytes, aligned to 8 */
void *pn_slotted_state(const pn_slotted_view *view);
/* the policy's random numbers, in the block */
pn_stream *pn_slotted_stream(const pn_slotted_view *view);
/* the table that came with the call */
const pn_slotted_policy *pn_slotted_policy_of(const pn_slotted_view *view);
void *pn_slotted_user(const pn_slotted_view *view); /* hooks->user */
uint64_t pn_slotted_id(const pn_slotted_view *view, uint32_t job);
uint64_t pn_slotted_arrival(const pn_slotted_view *view, uint32_t job);
uint32_t pn_slotted_group(const pn_slotted_view *view, uint32_t job);
uint32_t pn_slotted_attribute_count(const pn_slotted_view *view); /* config.attributes */
/* index < pn_slotted_attribute_count */
double pn_slotted_attribute(const pn_slotted_view *view, uint32_t job, uint32_t index);
/* m as seen; 0 once the maps are done */
uint64_t pn_slotted_maps_left(const pn_slotted_view *view, uint32_t job);
/* r as seen: unrun reduce units, running tasks included (SL7) */
uint64_t pn_slotted_reduces_left(const pn_slotted_view *view, uint32_t job);
uint64_t pn_slotted_remaining(const pn_slotted_view *view, uint32_t job); /* m + r as seen */
/* Returns how many units of the job ran before this slot, in the finish hook all: the truth, also
 * with estimates (SL36). Needs policy->sizes. */
uint64_t pn_slotted_attained(const pn_slotted_view *view, uint32_t job);
/* Returns the map and reduce units of the whole job as seen (SL36). Needs `sizes`, too. */
uint64_t pn_slotted_job_size(const pn_slotted_view *view, uint32_t job);
/* 1 while map units are left */
int pn_slotted_in_maps(const pn_slotted_view *view, uint32_t job);
/* machines it could use now (SL6), this slot's gifts not deducted */
uint64_t pn_slotted_offer(const pn_slotted_view *view, uint32_t job);
/* machines its running reduce tasks hold (SL8) */
uint32_t pn_slotted_held(const pn_slotted_view *view, uint32_t job);
/* machines given in this slot so far */
uint32_t pn_slotted_given(const pn_slotted_view *view, uint32_t job);
/* map units that PN_SLOTTED_WITH_LOAD counts, <= maps left */
uint64_t pn_slotted_load(const pn_slotted_view *view, uint32_t job);

/* Ends the run with `status` (< 0): for functions of the policy that cannot return an error, and
 * for errors after which the policy cannot continue. None of its functions is called again; this
 * step and every later one return `status`, and totals and statistics can still be read. A slot
 * that was decided before (a key after service, a finish) stays executed. */
void pn_slotted_fail(const pn_slotted_view *view, int status);

/* Keys that many policies share; a null key orders by id. */
/* least remaining work first */
void pn_slotted_key_remaining(const pn_slotted_view *view, uint32_t job, pn_key *key);
/* most first */
void pn_slotted_key_most_remaining(const pn_slotted_view *view, uint32_t job, pn_key *key);

/* Gives machines to what the job offers: map units, reduce units or new reduce tasks. Returns
 * PN_OK, or PN_ERR_INFEASIBLE if these are more than are idle or offered. O(1). */
int pn_slotted_give(pn_slotted_view *view, uint32_t job, uint64_t machines);
/* Takes back all machines that were given in this slot. For act only. O(jobs that got some). */
void pn_slotted_take_back(pn_slotted_view *view);

#define PN_SLOTTED_ALL_IDLE UINT64_MAX /* no limit but the idle machines */

/* Walks an order and gives each job as much as it offers (of a PN_SLOTTED_WITH_LOAD order: at most
 * its load) until no machine is idle or `limit` machines are given. O(d log d) for d jobs served in
 * the slot, of a tree O(d log n). */
int pn_slotted_fill(pn_slotted_view *view, uint32_t order, uint64_t limit);

/* Gives machines one by one, at most `limit`, each to the job with the smallest (held / weight, id)
 * in a heap order whose key is pn_slotted_share_key. O(given log given). */
int pn_slotted_share(pn_slotted_view *view, uint32_t order, uint64_t limit);
void pn_slotted_share_key(const pn_slotted_view *view, uint32_t job, pn_key *key);

/* Return the next job after `after`, a member (PN_NO_JOB: from the first), in a `fit` order, whose
 * offer is at least `offer`, or in 1..offer; PN_NO_JOB after the last. Offers are those at the
 * start of the slot; larger ones count as 2^32 - 1. O(log n). */
uint32_t pn_slotted_next_at_least(const pn_slotted_view *view, uint32_t order, uint32_t after,
                                  uint64_t offer);
uint32_t pn_slotted_next_at_most(const pn_slotted_view *view, uint32_t order, uint32_t after,
                                 uint64_t offer);

/* Returns 1 if the job is in this order of the policy. O(1). */
int pn_slotted_member(const pn_slotted_view *view, uint32_t order, uint32_t job);

/* What the policy's virtual SRPT run served in this slot, in order of service: index 0..count - 1.
 * With estimates, the job may have finished in the real run; giving to it is infeasible. */
typedef struct pn_slotted_served {
    uint32_t job;
    uint32_t maps, reduces; /* units */
} pn_slotted_served;
uint32_t pn_slotted_served_count(const pn_slotted_view *view);
pn_slotted_served pn_slotted_served_at(const pn_slotted_view *view, uint32_t index);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
