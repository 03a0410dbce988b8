/* What the scheduler core and the dispatch core hold and do alike: the policy that a core is bound
 * to, its jobs in order of submission, its attempts and their tokens, and the digest of its events.
 * Both embed a pn_fleet in their blocks; what they decide is their own. */
#ifndef PN_FLEET_H
#define PN_FLEET_H

#include "base/attributes.h"
#include "base/binding.h"
#include "base/places.h"
#include "base/validate.h"

typedef struct pn_fleet {
    pn_binding binding;
    pn_stream stream;                 /* random numbers of the policy */
    size_t policy_state, policy_size; /* memory of the policy */
    pn_places job_places, attempt_places;
    uint32_t first_job, last_job; /* in the system, as places + 1 */
    int32_t failure;              /* the policy's; it ends the core */
    uint32_t unused;
    uint64_t saturated_ms; /* up to the last event */
    /* of events before fold_time; the sum of those at that time, and what each of them starts with
     */
    uint64_t digest, fold, fold_time, fold_start;
} pn_fleet;

/* ---- memory of the policy ---- */

/* Returns the bytes for a policy's own memory and that of each job; SIZE_MAX when they do not
 * fit. */
static inline size_t pn_fleet_policy_bytes(size_t policy_size, size_t per_job, uint32_t jobs)
{
    size_t bytes = (policy_size + 7) & ~(size_t)7;
    if (policy_size > SIZE_MAX / 4 || per_job > (SIZE_MAX / 4 - bytes) / jobs)
        return SIZE_MAX;
    return bytes + per_job * jobs;
}

/* Carves the attributes of jobs, and behind them so many bytes for the policy. */
static inline void pn_fleet_carve(pn_fleet *fleet, pn_arena *arena, size_t jobs,
                                  uint64_t attributes, size_t policy_bytes)
{
    pn_attributes_carve(arena, jobs, attributes);
    arena->overflow |= policy_bytes > SIZE_MAX / 2;
    fleet->policy_size = policy_bytes;
    fleet->policy_state = pn_arena_take(arena, arena->overflow ? 0 : policy_bytes, 1);
}

/* Returns what a policy's shape says of its memory. */
static inline uint64_t pn_fleet_memory_shape(size_t policy_size, size_t per_job)
{
    return pn_mix(pn_mix(PN_MIX_START, policy_size), per_job);
}

/* ---- around events ---- */

static inline void pn_fleet_note_failure(pn_fleet *fleet, int status)
{
    if (status < 0 && fleet->failure == 0)
        fleet->failure = status;
}

/* Returns why an event cannot happen now, after the one at `last`; or PN_OK. */
static inline int pn_fleet_time_refused(uint64_t last, uint64_t now)
{
    if (now > PN_INTEGER_MAX)
        return PN_ERR_OVERFLOW;
    return now < last ? PN_ERR_ORDER : PN_OK;
}

/* Ends an event that has begun. Returns its status, or that of the policy's failure. */
static inline int pn_fleet_conclude(const pn_fleet *fleet, pn_block_head *head, int status)
{
    head->busy = 0;
    return fleet->failure != 0 ? fleet->failure : status;
}

/* ---- jobs and attempts ---- */

/* Returns the place of the job in the system with this id, whose table has ids and links `after`;
 * PN_NO_JOB. O(jobs in the system). */
static inline uint32_t pn_fleet_job_of(const pn_fleet *fleet, const uint64_t *ids, size_t words,
                                       pn_links after, uint64_t id)
{
    uint32_t link = fleet->first_job;
    while (link != 0 && ids[(link - 1) * words] != id)
        link = *pn_link_of(after, link - 1);
    return link == 0 ? PN_NO_JOB : link - 1;
}

/* Returns the token of the attempt after the one with the last token of a place, 0 = none: launches
 * there * places + the place. Never 0, never twice: 2^64 / places launches at one place do not
 * happen. */
static inline uint64_t pn_fleet_next_token(uint64_t last, uint32_t place, uint32_t places)
{
    return places + (last > 0 ? last : place);
}

/* ---- the digest ---- */

static inline uint64_t pn_fleet_digest(const pn_fleet *fleet)
{
    return fleet->fold == 0
               ? fleet->digest
               : pn_mix(pn_mix(pn_mix(PN_MIX_START, fleet->digest), fleet->fold_time), fleet->fold);
}

/* Begins an event of this time: those of one time are summed in `fold`, and folded when a later
 * time is reached. Returns the hash that the event's numbers are mixed into. */
static inline uint64_t pn_fleet_fold(pn_fleet *fleet, uint64_t time)
{
    if (fleet->fold_time != time || fleet->fold == 0) {
        fleet->digest = pn_fleet_digest(fleet);
        fleet->fold = 0;
        fleet->fold_time = time;
        fleet->fold_start = pn_mix(PN_MIX_START, time);
    }
    return fleet->fold_start;
}

/* ---- validation ---- */

/* Returns whether a block from outside holds what a core may have noted by `time`, of which it has
 * reported so many saturated ms. */
static inline bool pn_fleet_sound(const pn_fleet *fleet, uint64_t time, uint64_t reported_ms)
{
    return pn_binding_sound(&fleet->binding) && pn_validate_stream(&fleet->stream) &&
           fleet->failure <= 0 && time <= PN_INTEGER_MAX && reported_ms <= fleet->saturated_ms &&
           fleet->saturated_ms <= time;
}

#endif
