/* The inside of the makespan model's checker, which shares no code with the engine:
 *
 * verify.c         entries: what they must keep to
 * verify_claim.c   before the first of them: what the claim says, and how long everything takes */
#ifndef PN_MAKESPAN_VERIFY_H
#define PN_MAKESPAN_VERIFY_H

#include "pn_makespan.h"

#include "base/arena.h"
#include "base/config.h"

#define PN_MAKESPAN_NO_TIME                                               \
    UINT64_MAX /* a duration that is no number of fine ticks, or too many \
                * \ */

/* What the log has told of one stage of a job. */
typedef struct pn_makespan_logged {
    size_t first_bit;  /* its tasks' bits among all: 1 = started */
    size_t first_mark; /* its marks among all */
    /* of each task in fine ticks, when they are all of one length by the rules */
    uint64_t length;
    uint64_t end; /* the latest of the tasks started */
    uint32_t tasks, left;
    uint32_t running; /* counted only where a cap is in force */
    uint32_t cap;
} pn_makespan_logged;

typedef struct pn_makespan_logged_job {
    pn_makespan_logged stage[2];
    uint64_t rank; /* of its maps among those of the pool, from 1 in order of their begin */
    uint32_t pool;
    uint32_t finished;
} pn_makespan_logged_job;

typedef struct pn_makespan_logged_pool {
    uint32_t first_slot[2], slots[2];
    size_t begun[2];    /* 1 + the job whose stage was the last to begin; 0 = none */
    uint64_t map_ranks; /* given */
    uint64_t reduced;   /* the highest rank of maps among jobs whose reduces have begun */
} pn_makespan_logged_pool;

/* A task under way. */
typedef struct pn_makespan_running {
    uint64_t end;
    pn_makespan_logged *stage;
} pn_makespan_running;

struct pn_makespan_verifier {
    pn_makespan_claim claim;
    pn_makespan_logged_job *job;
    pn_makespan_logged_pool *pool;
    uint64_t *started; /* bits of tasks */
    /* the first task of every so many stretches of a stage, but for its first ones */
    uint32_t *mark;
    uint64_t *slot_free; /* from when on, map slots and then reduce slots */
    /* a heap with the soonest first; empty unless a cap is in force */
    pn_makespan_running *running;
    uint64_t *wave;       /* room for finding out how long waves take */
    size_t slot_count[2]; /* at the stage level one for each pool */
    size_t running_count;
    uint64_t time;    /* of the entries at hand */
    uint64_t entries; /* at that time */
    uint64_t fold, digest;
    uint64_t last_finish;
    const char *fault;
    uint64_t fault_time, fault_id;
};

PN_CLAIMED(makespan, attributes)

static inline bool pn_makespan_claim_at_stages(const pn_makespan_claim *claim)
{
    return claim->level == PN_MAKESPAN_STAGES;
}

/* Claims, of the task level, that stages are cut into tasks anew. */
static inline bool pn_makespan_claim_resplits(const pn_makespan_claim *claim)
{
    return claim->resplit > 0;
}

static inline bool pn_makespan_claim_caps(const pn_makespan_claim *claim)
{
    return !pn_makespan_claim_at_stages(claim) && !pn_makespan_claim_resplits(claim) &&
           claim->cap == PN_MAKESPAN_CAP_REQUESTED;
}

/* Claims stages of a pool that begin when all before them are complete. */
static inline bool pn_makespan_claim_one_by_one(const pn_makespan_claim *claim)
{
    return pn_makespan_claim_at_stages(claim) || claim->share == PN_MAKESPAN_EXCLUSIVE;
}

/* verify_claim.c */
/* Returns how long this task takes, or, at the stage level, this stage: fine ticks or
 * PN_MAKESPAN_NO_TIME. O(log stretches). */
uint64_t pn_makespan_verifier_length(const pn_makespan_verifier *v, size_t job, int stage,
                                     uint32_t task);

#endif
