/* LB2, the tight lower bound: K(t) = the most jobs that any schedule can have completed by the end
 * of slot t. A job counts only from the earliest slot e in which its own shape lets it finish; of
 * the jobs with e <= t, SRPT on one machine of speed N completes the most, and how many that is
 * follows by Moore and Hodgson's rule without running it: take the jobs by arrival, latest first,
 * and whenever more work is taken than fits between an arrival and t, drop the largest. LB2 = sum
 * over t >= 1 of (arrived by t) - K(t - 1). */
#include "pn_slotted.h"

#include "base/config.h"
#include "base/arena.h"
#include "base/sort.h"

typedef struct bound_job {
    uint64_t arrival, size, earliest;
} bound_job;

typedef struct slotted_bound {
    bound_job *job;
    uint32_t *by_earliest;
    uint64_t *taken; /* sizes of the jobs taken, a heap with the largest first */
    size_t taken_count;
    uint64_t machines;
    int (*stop)(void *user);
    void *user;
} slotted_bound;

static size_t slotted_bound_carve(slotted_bound *b, size_t job_count, void *workspace)
{
    pn_arena arena = {0, false};
    size_t job = pn_arena_take(&arena, job_count, sizeof(bound_job));
    size_t by_earliest = pn_arena_take(&arena, job_count, sizeof(uint32_t));
    size_t taken = pn_arena_take(&arena, job_count, sizeof(uint64_t));
    if (job_count > UINT32_MAX)
        return 0;
    if (b)
        *b = (slotted_bound){.job = pn_at(workspace, job),
                             .by_earliest = pn_at(workspace, by_earliest),
                             .taken = pn_at(workspace, taken)};
    return job_count > 0 ? pn_arena_size(&arena, 0) : 8;
}

size_t pn_slotted_bound_size(size_t job_count)
{
    return slotted_bound_carve(NULL, job_count, NULL);
}

/* ---- reading the jobs ---- */

static uint64_t slots_for(uint64_t units, uint64_t machines)
{
    return units / machines + (units % machines != 0);
}

static int read_job(slotted_bound *b, uint32_t reduce, const pn_slotted_job *job, size_t i)
{
    uint64_t reduces = 0;
    uint64_t longest = 0;
    if (job->reduce_count > 0 && !job->reduces)
        return PN_ERR_ARGUMENT;
    if (job->maps > PN_INTEGER_MAX)
        return PN_ERR_JOB;
    for (size_t k = 0; k < job->reduce_count; k++) {
        if (job->reduces[k] > PN_INTEGER_MAX - reduces)
            return PN_ERR_JOB;
        reduces += job->reduces[k];
        longest = pn_max(longest, job->reduces[k]);
    }
    if (job->maps + reduces == 0 || job->maps + reduces > PN_INTEGER_MAX)
        return PN_ERR_JOB;
    if (job->arrival < 1 || job->arrival > PN_INTEGER_MAX)
        return PN_ERR_OVERFLOW;
    if (i > 0 && job->arrival < b->job[i - 1].arrival)
        return PN_ERR_ORDER;
    uint64_t last = slots_for(reduces, b->machines);
    if (reduce == PN_SLOTTED_NONPREEMPTIVE)
        last = pn_max(last, longest);
    b->job[i] = (bound_job){job->arrival, job->maps + reduces,
                            job->arrival + slots_for(job->maps, b->machines) + last - 1};
    b->by_earliest[i] = (uint32_t)i;
    return PN_OK;
}

/* ---- Moore and Hodgson's rule ---- */

static void slotted_take(slotted_bound *b, uint64_t size)
{
    size_t at = b->taken_count++;
    while (at > 0 && b->taken[(at - 1) / 2] < size) {
        b->taken[at] = b->taken[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    b->taken[at] = size;
}

static uint64_t drop_largest(slotted_bound *b)
{
    uint64_t largest = b->taken[0];
    uint64_t moved = b->taken[--b->taken_count];
    size_t at = 0;
    for (size_t child = 1; child < b->taken_count; child = 2 * at + 1) {
        if (child + 1 < b->taken_count && b->taken[child + 1] > b->taken[child])
            child++;
        if (b->taken[child] <= moved)
            break;
        b->taken[at] = b->taken[child];
        at = child;
    }
    b->taken[at] = moved;
    return largest;
}

/* Returns how many of the jobs first .. end - 1 with earliest <= slot cannot be complete by its
 * end. *same receives for how many slots more the rule drops the same jobs if no other becomes
 * eligible: until the smallest lack of room is made up. */
static size_t dropped_by(slotted_bound *b, size_t first, size_t end, uint64_t slot, uint64_t *same)
{
    uint64_t sum = 0;
    size_t dropped = 0;
    b->taken_count = 0;
    *same = UINT64_MAX;
    for (size_t i = end; i-- > first;) {
        if (b->job[i].earliest > slot)
            continue;
        uint64_t slots = slot - b->job[i].arrival + 1;
        slotted_take(b, b->job[i].size);
        sum += b->job[i].size;
        /* slots * machines < 2^54 * 2^24 may not fit, so divide the other side. */
        if (slots_for(sum, b->machines) > slots) {
            *same = pn_min(*same, slots_for(sum, b->machines) - slots);
            sum -= drop_largest(b);
            dropped++;
        }
    }
    return dropped;
}

/* ---- the sum over time ---- */

/* Adds jobs * slots to a total, jobs > 0. */
static int slotted_bound_add_product(uint64_t *total, uint64_t jobs, uint64_t slots)
{
    if (slots > ((uint64_t)INT64_MAX - *total) / jobs)
        return PN_ERR_OVERFLOW;
    *total += jobs * slots;
    return PN_OK;
}

/* Adds up, over slots t from the one before the first arrival on, the jobs not complete at the end
 * of t, by K above. Jobs of busy periods that ended before the current one are complete from their
 * earliest slot on, since all work that arrived before the current period is done; so only the
 * current period can drop jobs. */
static int incomplete_slots(slotted_bound *b, size_t job_count, uint64_t *total)
{
    size_t eligible = 0; /* jobs with earliest <= slot */
    size_t arrived = 0;  /* jobs with arrival <= slot */
    size_t period = 0;   /* first job of the current busy period */
    /* work left at the start of the slot of the last arrival, all jobs counted */
    uint64_t backlog = 0;
    uint64_t slot = b->job[0].arrival - 1;
    for (;;) {
        while (arrived < job_count && b->job[arrived].arrival <= slot) {
            uint64_t gap = arrived > 0 ? b->job[arrived].arrival - b->job[arrived - 1].arrival : 0;
            if (slots_for(backlog, b->machines) <= gap) {
                backlog = 0;
                if (gap > 0)
                    period = arrived;
            } else {
                backlog -= gap * b->machines;
            }
            backlog += b->job[arrived++].size;
        }
        while (eligible < job_count && b->job[b->by_earliest[eligible]].earliest <= slot)
            eligible++;
        uint64_t same;
        if (b->stop && b->stop(b->user))
            return PN_ERR_STOPPED;
        size_t dropped = dropped_by(b, period, arrived, slot, &same);
        uint64_t complete = eligible - dropped;
        if (complete == job_count)
            return PN_OK;
        uint64_t next = dropped > 0 ? slot + same : UINT64_MAX;
        if (eligible < job_count)
            next = pn_min(next, b->job[b->by_earliest[eligible]].earliest);
        int status = slotted_bound_add_product(total, job_count - complete, next - slot);
        if (status != PN_OK)
            return status;
        slot = next;
    }
}

int pn_slotted_bound_tight(void *workspace, size_t size, uint32_t machines, uint32_t reduce,
                           const pn_slotted_job *jobs, size_t job_count, int (*stop)(void *user),
                           void *user, uint64_t *total)
{
    slotted_bound b;
    if (!workspace || !total ||
        (job_count > 0 && (!jobs || !PN_GIVEN(jobs, pn_slotted_job, attributes))) || machines < 1 ||
        machines > PN_SLOTTED_MACHINES_MOST || reduce > PN_SLOTTED_NONPREEMPTIVE)
        return PN_ERR_ARGUMENT;
    if (!pn_aligned(workspace))
        return PN_ERR_ALIGN;
    size_t needed = slotted_bound_carve(&b, job_count, workspace);
    if (needed == 0 || size < needed)
        return PN_ERR_SIZE;
    b.machines = machines;
    b.stop = stop;
    b.user = user;
    uint64_t work = 0;
    uint64_t before_arrival = 0;
    for (size_t i = 0; i < job_count; i++) {
        const pn_slotted_job *job = pn_given_at(jobs, i,
                                                PN_CONFIG_LEAST(pn_slotted_job, attributes));
        int status = read_job(&b, reduce, job, i);
        if (status != PN_OK)
            return status;
        work += b.job[i].size;
        if (work > PN_INTEGER_MAX)
            return PN_ERR_OVERFLOW;
        /* Slots before its arrival are counted below for every job, but a job not arrived is not in
         * the system. */
        status = slotted_bound_add_product(&before_arrival, 1, job->arrival - jobs->arrival);
        if (status != PN_OK)
            return status;
    }
    pn_sort(b.by_earliest, job_count, &b.job->earliest, sizeof(bound_job));
    uint64_t sum = 0;
    int status = job_count > 0 ? incomplete_slots(&b, job_count, &sum) : PN_OK;
    if (status == PN_OK)
        *total = sum - before_arrival;
    return status;
}
