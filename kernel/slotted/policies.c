/* The built-in schedulers, written against the public policy interface and nothing else. */
#include "pinion.h"

#include "base/internal.h"
#include "base/settings.h"

enum { BOTH = PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES };

/* ---- orders ---- */

/* Orders jobs past their maps first; the top bit is free, as no job has more than PN_INTEGER_MAX of
 * work. */
static void by_phase_and_remaining(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_slotted_remaining(view, job) | (uint64_t)pn_slotted_in_maps(view, job) << 63;
}

/* ---- idx: a linear index, 128 bits wide so that no weight can overflow ---- */

typedef struct slotted_wide {
    uint64_t high, low;
} slotted_wide;

/* Adds weight * size, |weight| <= 2^20, size <= 2^54, in two's complement. */
static void slotted_add_product(slotted_wide *sum, int64_t weight, uint64_t size)
{
    uint64_t factor = weight < 0 ? (uint64_t)-weight : (uint64_t)weight;
    uint64_t low = factor * (size & UINT32_MAX);
    uint64_t middle = factor * (size >> 32);
    slotted_wide product = {middle >> 32, low + (middle << 32)};
    product.high += product.low < low;
    if (weight < 0) {
        product.low = ~product.low + 1;
        product.high = ~product.high + (product.low == 0);
    }
    sum->low += product.low;
    sum->high += product.high + (sum->low < product.low);
}

/* Returns a whole number, |weight| <= 2^20. */
static int64_t slotted_weight(const pn_slotted_view *view, uint32_t index)
{
    return (int64_t)pn_slotted_param_value(view, index);
}

/* Orders by SL26. Flipping the sign bit turns the order of signed numbers into that of words. */
static void by_index(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    slotted_wide sum = {0, 0};
    slotted_add_product(&sum, slotted_weight(view, 0), pn_slotted_maps_left(view, job));
    slotted_add_product(&sum, slotted_weight(view, 1), pn_slotted_reduces_left(view, job));
    slotted_add_product(&sum, slotted_weight(view, 2), (uint64_t)pn_slotted_in_maps(view, job));
    slotted_add_product(&sum, slotted_weight(view, 3), pn_slotted_offer(view, job));
    key->word[0] = sum.high ^ (uint64_t)1 << 63;
    key->word[1] = sum.low;
}

/* Orders by SL34: remaining work less aging for each slot waited; the present slot is left out, as
 * it is the same for all jobs, so a key changes only where its job was served. Below 2^74. */
static void by_aged_work(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    slotted_wide sum = {0, pn_slotted_remaining(view, job)};
    slotted_add_product(&sum, slotted_weight(view, 0), pn_slotted_arrival(view, job));
    key->word[0] = sum.high;
    key->word[1] = sum.low;
}

/* ---- ASRPT (Algorithm 1, SL18-SL25) ---- */

enum { ASRPT_MAPS, ASRPT_REDUCES, ASRPT_LOADED };

/* Serves lines 8-26: the maps that SRPT runs; lines 27-39: reduces of jobs whose maps are done;
 * lines 40-52: further maps. All by what remains of the job, as it was at the start of the slot. */
static int asrpt(pn_slotted_view *view)
{
    pn_slotted_fill(view, ASRPT_LOADED, PN_SLOTTED_ALL_IDLE);
    pn_slotted_fill(view, ASRPT_REDUCES, PN_SLOTTED_ALL_IDLE);
    return pn_slotted_fill(view, ASRPT_MAPS, PN_SLOTTED_ALL_IDLE);
}

#define ASRPT_ORDERS                                                                        \
    .order_count = 3,                                                                       \
    .orders = {[ASRPT_LOADED] = {pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED,  \
                                 PN_SLOTTED_WITH_LOAD, 0},                                  \
               [ASRPT_REDUCES] = {pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED, \
                                  PN_SLOTTED_WITH_REDUCES, 0},                              \
               [ASRPT_MAPS] = {pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED,    \
                               PN_SLOTTED_WITH_MAPS, 0}}

/* ---- DSRPT (section VI-B, SL17): SRPT's maps, and its reduces one slot later, first come first
 * served ---- */

typedef struct piece {
    uint64_t units;
    uint32_t job;
    uint32_t unused;
} piece;

/* The queue of pieces, a ring. SRPT leaves a job unfinished only for a smaller one that finishes
 * before it is resumed, so pieces of one job that do not touch are separated by the last piece of
 * another: two per job in the queue and one more are enough. */
typedef struct dsrpt_state {
    uint64_t first, count, capacity;
    piece pieces[];
} dsrpt_state;

/* Appends a piece. Only a block that was tampered with runs out of pieces: pn_slotted_validate does
 * not know a policy's own memory. */
static int dsrpt_append(dsrpt_state *queue, uint32_t job, uint64_t units)
{
    if (queue->count > 0) {
        piece *last = &queue->pieces[(queue->first + queue->count - 1) % queue->capacity];
        if (last->job == job) {
            last->units += units;
            return PN_OK;
        }
    }
    if (queue->count == queue->capacity)
        return PN_ERR_DAMAGED;
    queue->pieces[(queue->first + queue->count++) % queue->capacity] = (piece){units, job, 0};
    return PN_OK;
}

static int dsrpt(pn_slotted_view *view)
{
    dsrpt_state *queue = pn_slotted_state(view);
    uint32_t served = pn_slotted_served_count(view);
    int status = PN_OK;
    queue->capacity = 2 * (uint64_t)pn_slotted_jobs_max(view) + 2;
    if (queue->first >= queue->capacity || queue->count > queue->capacity)
        return PN_ERR_DAMAGED;
    for (uint32_t i = 0; i < served && status == PN_OK; i++) {
        pn_slotted_served part = pn_slotted_served_at(view, i);
        status = pn_slotted_give(view, part.job, part.maps);
    }
    while (queue->count > 0 && pn_slotted_idle(view) > 0 && status == PN_OK) {
        piece *head = &queue->pieces[queue->first];
        uint64_t units = pn_min(head->units, pn_slotted_idle(view));
        status = pn_slotted_give(view, head->job, units);
        head->units -= units;
        if (head->units == 0) {
            queue->first = (queue->first + 1) % queue->capacity;
            queue->count--;
        }
    }
    for (uint32_t i = 0; i < served && status == PN_OK; i++) {
        pn_slotted_served part = pn_slotted_served_at(view, i);
        if (part.reduces > 0)
            status = dsrpt_append(queue, part.job, part.reduces);
    }
    return status;
}

/* ---- DSPTF (SL27): whole offers that fit, then the rest ---- */

/* Gives all that is idle to the first job that has nothing yet and wants something. */
static int give_rest(pn_slotted_view *view)
{
    uint32_t job = pn_slotted_next_at_least(view, 0, PN_NO_JOB, 1);
    while (job != PN_NO_JOB && pn_slotted_given(view, job) > 0)
        job = pn_slotted_next_at_least(view, 0, job, 1);
    return job == PN_NO_JOB ? PN_OK : pn_slotted_give(view, job, pn_slotted_idle(view));
}

static int dsptf(pn_slotted_view *view)
{
    uint32_t job = pn_slotted_next_at_most(view, 0, PN_NO_JOB, pn_slotted_idle(view));
    while (job != PN_NO_JOB) {
        pn_slotted_give(view, job, pn_slotted_offer(view, job));
        job = pn_slotted_next_at_most(view, 0, job, pn_slotted_idle(view));
    }
    /* Every job that was skipped asks for more than is left, so the first of them takes it all. */
    return give_rest(view);
}

/* ---- PSRPT (SL28): DSPT with the cheap maps of the jobs that SRPT would reach within two slots
 * first  */

static bool psrpt_cheap(const pn_slotted_view *view, uint32_t job)
{
    uint64_t maps = pn_slotted_maps_left(view, job);
    return pn_slotted_in_maps(view, job) && 2 * maps <= pn_slotted_reduces_left(view, job) &&
           4 * maps <= pn_slotted_machines(view);
}

/* The budget's walk: the jobs of the next two slots' work, in order. Visits at most 2 * idle
 * jobs. */
typedef struct psrpt_walk {
    uint32_t job;
    int64_t budget;
} psrpt_walk;

static bool psrpt_next(const pn_slotted_view *view, psrpt_walk *walk)
{
    if (walk->job != PN_NO_JOB)
        walk->budget -= (int64_t)pn_max(1, pn_slotted_remaining(view, walk->job));
    if (walk->budget <= 0)
        return false;
    uint32_t next = pn_slotted_next_at_least(view, 0, walk->job, 0);
    if (next == PN_NO_JOB)
        return false;
    walk->job = next;
    return true;
}

static bool at_or_before(const pn_slotted_view *view, uint32_t job, uint32_t last)
{
    uint64_t a = pn_slotted_remaining(view, job);
    uint64_t b = pn_slotted_remaining(view, last);
    return a < b || (a == b && pn_slotted_id(view, job) <= pn_slotted_id(view, last));
}

/* Makes one visit of pass 1: gives all or nothing or, when the job asks for more than is idle but
 * is too large to wait, what is left. Preemptive mode is greedy. */
static void psrpt_visit(pn_slotted_view *view, uint32_t job)
{
    uint64_t offer = pn_slotted_offer(view, job);
    uint64_t idle = pn_slotted_idle(view);
    if (offer <= idle || pn_slotted_preemptive(view) || 4 * offer > pn_slotted_machines(view))
        pn_slotted_give(view, job, pn_min(offer, idle));
}

/* Returns the first job after `job` that a visit would give something: one whose whole offer fits,
 * or one too large to be skipped. */
static uint32_t psrpt_taker(const pn_slotted_view *view, uint32_t job)
{
    if (pn_slotted_preemptive(view))
        return pn_slotted_next_at_least(view, 0, job, 1);
    uint32_t fitting = pn_slotted_next_at_most(view, 0, job, pn_slotted_idle(view));
    uint32_t large = pn_slotted_next_at_least(view, 0, job, pn_slotted_machines(view) / 4 + 1);
    if (fitting == PN_NO_JOB || large == PN_NO_JOB)
        return fitting == PN_NO_JOB ? large : fitting;
    return at_or_before(view, fitting, large) ? fitting : large;
}

/* Makes pass 2, which serves the skipped greedily; each asks for more than is left, so the first of
 * them takes it all. */
static int psrpt_rest(pn_slotted_view *view, psrpt_walk walk)
{
    while (psrpt_next(view, &walk))
        if (psrpt_cheap(view, walk.job) && pn_slotted_given(view, walk.job) == 0)
            return pn_slotted_give(view, walk.job, pn_slotted_idle(view));
    return give_rest(view);
}

static int psrpt(pn_slotted_view *view)
{
    const psrpt_walk start = {PN_NO_JOB, 2 * (int64_t)pn_slotted_idle(view)};
    psrpt_walk walk = start;
    while (pn_slotted_idle(view) > 0 && psrpt_next(view, &walk))
        if (psrpt_cheap(view, walk.job))
            psrpt_visit(view, walk.job);
    /* `walk.job` is now the last job within the budget, unless the machines ran out before: flagged
     * are the cheap ones up to it. */
    uint32_t job = PN_NO_JOB;
    while (pn_slotted_idle(view) > 0 && (job = psrpt_taker(view, job)) != PN_NO_JOB)
        if (!psrpt_cheap(view, job) || !at_or_before(view, job, walk.job))
            psrpt_visit(view, job);
    return pn_slotted_idle(view) > 0 ? psrpt_rest(view, start) : PN_OK;
}

/* ---- what the keys are ---- */

#define WORK "remaining work, machine slots"

static const pn_key_part slotted_arrival[] = {{.name = "order of arrival"}, {0}};
static const pn_key_part slotted_held[] = {{.name = "machines held", .form = PN_KEY_SHARE}, {0}};
static const pn_key_part slotted_work[] = {{.name = WORK, .form = PN_KEY_WHOLE}, {0}};
static const pn_key_part slotted_most_work[] = {
    {.name = WORK ", the most first", .form = PN_KEY_FALLING, .base = UINT64_MAX}, {0}};
static const pn_key_part slotted_virtual[] = {
    {.name = "a virtual run decides, in which jobs need no machines of their own",
     .form = PN_KEY_NONE},
    {0}};
static const pn_key_part slotted_delayed[] = {
    {.name = "a virtual run decides on maps, and pieces of reduces stand in line",
     .form = PN_KEY_NONE},
    {0}};
/* ASRPT_LOADED, ASRPT_REDUCES, ASRPT_MAPS; the first has jobs only while it decides */
static const pn_key_part slotted_phases[] = {
    {.name = WORK "; maps that virtual SRPT runs go first, then reduces, then other maps",
     .form = PN_KEY_WHOLE,
     .orders = "210"},
    {0}};
static const char *const PHASES[] = {"past its maps", "in its maps", NULL};
static const pn_key_part slotted_phase_and_work[] = {
    {.name = WORK, .form = PN_KEY_WHOLE, .bits = 63},
    {.name = "jobs past their maps go first", .names = PHASES, .form = PN_KEY_WHOLE, .shift = 63},
    {0}};
static const pn_key_part slotted_aged_work[] = {
    {.name = "remaining work + aging * arrival, machine slots", .form = PN_KEY_WIDE}, {0}};
static const pn_key_part slotted_index[] = {{.name = "index", .form = PN_KEY_SIGNED}, {0}};

/* ---- the table ---- */

#define PAPER      "Zheng, Shroff, Sinha 2013, "
#define EVERYWHERE .preemptive = 1, .nonpreemptive = 1, .work_conserving = 1
#define ONE_ORDER(key, changes, members, fit) \
    .order_count = 1, .orders = {{key, changes, members, fit}}

const pn_slotted_policy *pn_slotted_fifo(void)
{
    static const pn_slotted_policy policy = {
        .name = "fifo",
        .summary = "first in, first out: jobs in order of arrival",
        .source = PAPER "section VII-A; SL14",
        PN_KEYS(slotted_arrival),
        EVERYWHERE,
        ONE_ORDER(NULL, PN_SLOTTED_CHANGES_ON_ARRIVAL, BOTH, 0),
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_fair(void)
{
    static const pn_slotted_policy policy = {
        .name = "fair",
        .summary = "equal shares: machine by machine to the job that holds the fewest",
        .source = PAPER "section VII-A; SL16",
        PN_KEYS(slotted_held),
        EVERYWHERE,
        ONE_ORDER(pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED, BOTH, 0),
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_lrpt(void)
{
    static const pn_slotted_policy policy = {
        .name = "lrpt",
        .summary = "longest remaining processing time first: the worst work-conserving order",
        .source = PAPER "section VII-A; SL15",
        PN_KEYS(slotted_most_work),
        EVERYWHERE,
        ONE_ORDER(pn_slotted_key_most_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED, BOTH, 0),
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_srpt(void)
{
    static const pn_slotted_policy policy = {
        .name = "srpt",
        .summary = "shortest remaining processing time without dependencies: a lower bound, not a "
                   "schedule",
        .source = PAPER "Lemma 1; SL10-SL13",
        PN_KEYS(slotted_virtual),
        .preemptive = 1,
        .nonpreemptive = 1,
        .relaxed = 1,
        .shadow = PN_SLOTTED_SHADOW_TRUTH,
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_dsrpt(void)
{
    static const pn_slotted_policy policy = {
        .name = "dsrpt",
        .summary =
            "delayed SRPT: the maps of SRPT, and its reduces one slot later, first come, first "
            "served",
        .source = PAPER "section VI-B; SL10-SL12, SL17",
        PN_KEYS(slotted_delayed),
        .preemptive = 1,
        .shadow = PN_SLOTTED_SHADOW_TRUTH,
        ONE_ORDER(NULL, PN_SLOTTED_CHANGES_ON_ARRIVAL, BOTH, 0),
        .act = dsrpt,
        .state_bytes = sizeof(dsrpt_state) + 2 * sizeof(piece),
        .state_bytes_per_job = 2 * sizeof(piece),
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_asrpt(void)
{
    static const pn_slotted_policy policy = {
        .name = "asrpt",
        .summary =
            "available SRPT: the maps that virtual SRPT runs, then reduces, then further maps, "
            "shortest first",
        .source = PAPER "Algorithm 1; SL10-SL12, SL18-SL24",
        PN_KEYS(slotted_phases),
        EVERYWHERE,
        .shadow = PN_SLOTTED_SHADOW_ESTIMATES,
        .load = PN_SLOTTED_LOAD_SLOT,
        ASRPT_ORDERS,
        .act = asrpt,
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_asrpt_cu(void)
{
    static const pn_slotted_policy policy = {
        .name = "asrpt_cu",
        .summary = "ASRPT with catch-up: maps that virtual SRPT has run but this schedule has "
                   "not run keep priority",
        .source = "ours; SL25",
        PN_KEYS(slotted_phases),
        EVERYWHERE,
        .shadow = PN_SLOTTED_SHADOW_ESTIMATES,
        .load = PN_SLOTTED_LOAD_CUMULATIVE,
        ASRPT_ORDERS,
        .act = asrpt,
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_dspt(void)
{
    static const pn_slotted_policy policy = {
        .name = "dspt",
        .summary =
            "dependent shortest processing time: least remaining work first, one order for maps "
            "and reduces",
        .source = "ours; SL26",
        PN_KEYS(slotted_work),
        EVERYWHERE,
        ONE_ORDER(pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED, BOTH, 0),
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_dsptf(void)
{
    static const pn_slotted_policy policy = {
        .name = "dsptf",
        .summary = "DSPT that first serves the jobs whose available work fits on the idle machines",
        .source = "ours; SL27",
        PN_KEYS(slotted_work),
        EVERYWHERE,
        ONE_ORDER(pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED, BOTH, 1),
        .act = dsptf,
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_psrpt(void)
{
    static const pn_slotted_policy policy = {
        .name = "psrpt",
        .summary = "prefetching SRPT: DSPT with the cheap maps of the next two slots' jobs first",
        .source = "ours; SL28",
        PN_KEYS(slotted_work),
        EVERYWHERE,
        ONE_ORDER(pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED,
                  BOTH | PN_SLOTTED_WITH_RUNNING, 1),
        .act = psrpt,
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_rfirst(void)
{
    static const pn_slotted_policy policy = {
        .name = "rfirst",
        .summary = "jobs that have finished their maps first; both groups by least remaining work",
        .source = "ours; SL26",
        PN_KEYS(slotted_phase_and_work),
        EVERYWHERE,
        ONE_ORDER(by_phase_and_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED, BOTH, 0),
    };
    return &policy;
}

#define WEIGHT (1 << 20)
const pn_slotted_policy *pn_slotted_idx(void)
{
    static const pn_slotted_policy policy = {
        .name = "idx",
        .summary =
            "a linear index: wm * maps left + wr * reduces left + wc * [in maps] + wn * offer, "
            "smallest first",
        .source = "ours; SL26",
        PN_KEYS(slotted_index),
        EVERYWHERE,
        ONE_ORDER(by_index, PN_SLOTTED_CHANGES_WHEN_SERVED, BOTH, 0),
        .param_count = 4,
        .params = {{"wm", 1, -WEIGHT, WEIGHT, NULL, 1, "weight of a map unit left"},
                   {"wr", 1, -WEIGHT, WEIGHT, NULL, 1, "weight of a reduce unit left"},
                   {"wc", 0, -WEIGHT, WEIGHT, NULL, 1, "added while the job is in its maps"},
                   {"wn", 0, -WEIGHT, WEIGHT, NULL, 1,
                    "weight of a machine the job could use now"}},
    };
    return &policy;
}

const pn_slotted_policy *pn_slotted_srpt_aged(void)
{
    static const pn_slotted_policy policy = {
        .name = "srpt_aged",
        .summary =
            "least remaining work first, less `aging` for each slot since the arrival; 0: as dspt",
        .source = "ours; SL34",
        PN_KEYS(slotted_aged_work),
        EVERYWHERE,
        ONE_ORDER(by_aged_work, PN_SLOTTED_CHANGES_WHEN_SERVED, BOTH, 0),
        .param_count = 1,
        .params = {{"aging", 0, 0, WEIGHT, NULL, 1,
                    "machine slots of work that a slot of waiting counts for"}},
    };
    return &policy;
}

/* in the order in which lists show them */
static const pn_slotted_policy *(*const slotted_policies[])(void) = {
#ifdef PN_SLOTTED_POLICIES
    PN_SLOTTED_POLICIES,
#else
    pn_slotted_fifo,      pn_slotted_fair,  pn_slotted_lrpt,     pn_slotted_srpt,
    pn_slotted_dsrpt,     pn_slotted_asrpt, pn_slotted_asrpt_cu, pn_slotted_dspt,
    pn_slotted_dsptf,     pn_slotted_psrpt, pn_slotted_rfirst,   pn_slotted_idx,
    pn_slotted_srpt_aged,
#endif
};

const pn_slotted_policy *pn_slotted_policy_at(size_t index)
{
    return index < sizeof slotted_policies / sizeof *slotted_policies ? slotted_policies[index]()
                                                                      : NULL;
}

const pn_slotted_policy *pn_slotted_policy_find(const char *name)
{
    const pn_slotted_policy *policy;
    for (size_t i = 0; name && (policy = pn_slotted_policy_at(i)); i++)
        if (pn_means_name(name, policy->name))
            return policy;
    return NULL;
}
