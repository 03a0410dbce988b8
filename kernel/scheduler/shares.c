/* Shares of the slots: in proportion to weights (CL18), and by water-filling (CL15). */
#include "state.h"
#include "base/sort.h"

/* ---- jobs in order ---- */

typedef struct by_key {
    const pn_scheduler_entry *jobs;
    uint32_t kind;
} by_key;

static bool scheduler_key_before(const void *context, uint32_t a, uint32_t b)
{
    const by_key *order = context;
    const pn_key *left = &order->jobs[a].key[order->kind],
                 *right = &order->jobs[b].key[order->kind];
    if (left->word[0] != right->word[0])
        return left->word[0] < right->word[0];
    if (left->word[1] != right->word[1])
        return left->word[1] < right->word[1];
    return order->jobs[a].id < order->jobs[b].id;
}

const uint32_t *pn_scheduler_by_key(pn_scheduler_view *view, uint32_t kind, uint32_t *count)
{
    uint32_t *jobs = pn_at(view->s, view->s->scratch_jobs);
    by_key order = {view->jobs, kind};
    *count = 0;
    for (uint32_t job = view->s->fleet.first_job; job != 0; job = view->jobs[job - 1].after)
        jobs[(*count)++] = job - 1;
    pn_sort_by(jobs, *count, jobs + view->s->jobs_max, scheduler_key_before, &order);
    return jobs;
}

/* ---- in proportion to weights (CL18) ---- */

typedef struct division {
    pn_scheduler_view *view;
    uint32_t kind;
    uint32_t *jobs; /* that need slots and have no share yet, in order of key */
    uint32_t count;
    uint32_t left;  /* slots */
    pn_wide sum;    /* of the weights of these jobs */
    pn_wide *rests; /* what is left of a division, by place of the job */
} division;

static pn_wide scheduler_wide(uint64_t value)
{
    return (pn_wide){0, value};
}

/* Multiplies a number below 2^100 and one below 2^27. */
static pn_wide wide_times(pn_wide a, uint32_t b)
{
    pn_wide product = pn_wide_product(a.low, b);
    product.high += a.high * b;
    return product;
}

static void sum_weights(division *split)
{
    split->sum = scheduler_wide(0);
    for (uint32_t i = 0; i < split->count; i++)
        split->sum = pn_wide_sum(split->sum,
                                 scheduler_wide(split->view->jobs[split->jobs[i]].weight));
}

/* Satisfies jobs whose part is as large as what they need, all at once; true when there were
 * such. */
static bool satisfy(division *split)
{
    const pn_scheduler *s = split->view->s;
    uint32_t unmet = 0, given = 0;
    for (uint32_t i = 0; i < split->count; i++) {
        pn_scheduler_entry *job = &split->view->jobs[split->jobs[i]];
        uint32_t need = pn_scheduler_need_of(s, job, split->kind);
        if (pn_wide_compare(pn_wide_product(split->left, job->weight),
                            wide_times(split->sum, need)) >= 0) {
            job->share[split->kind] = need;
            given += need;
        } else {
            split->jobs[unmet++] = split->jobs[i];
        }
    }
    bool any = unmet < split->count;
    split->count = unmet;
    split->left -= given;
    return any;
}

/* Returns floor(a / b), which is below 2^27, and the rest. */
static uint32_t wide_quotient(pn_wide a, pn_wide b, pn_wide *rest)
{
    uint32_t quotient = 0;
    for (uint32_t bit = (uint32_t)1 << 26; bit > 0; bit /= 2) {
        pn_wide part = wide_times(b, bit);
        if (pn_wide_compare(part, a) > 0)
            continue;
        a = pn_wide_difference(a, part);
        quotient += bit;
    }
    *rest = a;
    return quotient;
}

static bool scheduler_rest_before(const void *context, uint32_t a, uint32_t b)
{
    const pn_wide *rests = context;
    return pn_wide_compare(rests[a], rests[b]) > 0;
}

/* Gives the others whole slots in proportion; what is left over goes one each by largest remainder,
 * ties in order of key. */
static void apportion(division *split)
{
    uint32_t given = 0;
    for (uint32_t i = 0; i < split->count; i++) {
        pn_scheduler_entry *job = &split->view->jobs[split->jobs[i]];
        job->share[split->kind] = wide_quotient(pn_wide_product(split->left, job->weight),
                                                split->sum, &split->rests[split->jobs[i]]);
        given += job->share[split->kind];
    }
    PN_ASSERT(given <= split->left && (split->count == 0 || split->left - given < split->count));
    pn_sort_by(split->jobs, split->count, split->jobs + split->view->s->jobs_max,
               scheduler_rest_before, split->rests);
    for (uint32_t i = 0; i < split->count && given < split->left; i++, given++)
        split->view->jobs[split->jobs[i]].share[split->kind]++;
}

/* Returns whether the job at index a of the order has the larger share; the later one where they
 * are equal. */
static bool richer(const division *split, uint32_t a, uint32_t b)
{
    uint32_t left = split->view->jobs[split->jobs[a]].share[split->kind],
             right = split->view->jobs[split->jobs[b]].share[split->kind];
    return left != right ? left > right : a > b;
}

/* Sinks in `heap`, which holds indices of split->jobs, the richest first. */
static void scheduler_sink(const division *split, uint32_t *heap, uint32_t at)
{
    uint32_t moved = heap[at];
    for (uint64_t child = 2 * (uint64_t)at + 1; child < split->count;
         child = 2 * (uint64_t)at + 1) {
        if (child + 1 < split->count && richer(split, heap[child + 1], heap[child]))
            child++;
        if (!richer(split, heap[child], moved))
            break;
        heap[at] = heap[child];
        at = (uint32_t)child;
    }
    heap[at] = moved;
}

/* Spares slots: every job that needs one and got none takes one from the richest, while that one
 * has more than one. */
static void scheduler_spare(division *split)
{
    uint32_t *heap = split->jobs + split->view->s->jobs_max;
    for (uint32_t i = 0; i < split->count; i++)
        heap[i] = i;
    for (uint32_t i = split->count / 2; i-- > 0;)
        scheduler_sink(split, heap, i);
    for (uint32_t i = 0; i < split->count; i++) {
        pn_scheduler_entry *job = &split->view->jobs[split->jobs[i]],
                           *richest = &split->view->jobs[split->jobs[heap[0]]];
        if (job->share[split->kind] > 0)
            continue;
        if (richest->share[split->kind] <= 1)
            break;
        richest->share[split->kind]--;
        job->share[split->kind] = 1;
        scheduler_sink(split, heap, 0);
    }
}

/* Lists the jobs that need slots of this kind, in order of key. */
static void list_needy(division *split)
{
    uint32_t listed;
    pn_scheduler_by_key(split->view, split->kind, &listed);
    split->jobs = pn_at(split->view->s, split->view->s->scratch_jobs);
    split->count = 0;
    for (uint32_t i = 0; i < listed; i++)
        if (pn_scheduler_need_of(split->view->s, &split->view->jobs[split->jobs[i]], split->kind) >
            0)
            split->jobs[split->count++] = split->jobs[i];
}

static void divide(pn_scheduler_view *view, uint32_t kind)
{
    pn_scheduler *s = view->s;
    division split = {view, kind, NULL, 0, s->present[kind], {0, 0}, pn_at(s, s->rests)};
    for (uint32_t job = s->fleet.first_job; job != 0; job = view->jobs[job - 1].after)
        view->jobs[job - 1].share[kind] = 0;
    list_needy(&split);
    uint32_t needy = split.count, *in_order = pn_at(s, s->walk);
    memcpy(in_order, split.jobs, needy * sizeof *in_order);
    do
        sum_weights(&split);
    while (satisfy(&split));
    apportion(&split);
    memcpy(split.jobs, in_order, needy * sizeof *in_order);
    split.count = needy;
    scheduler_spare(&split);
    for (uint32_t job = s->fleet.first_job; job != 0; job = view->jobs[job - 1].after)
        pn_scheduler_reorder(view, job - 1, kind);
}

void pn_scheduler_divide(pn_scheduler_view *view)
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        divide(view, kind);
}

void pn_scheduler_weigh(pn_scheduler_view *view, uint32_t job, uint64_t weight)
{
    view->jobs[job].weight = pn_min(pn_max(weight, 1), (uint64_t)1 << 62);
}

uint32_t pn_scheduler_share(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return view->s->order.shares != PN_SCHEDULER_SHARES_NONE ? view->jobs[job].share[kind]
                                                             : PN_SCHEDULER_NO_SHARE;
}

/* ---- water-filling (CL15) ---- */

typedef struct by_need {
    const pn_scheduler_view *view;
    uint32_t kind;
} by_need;

static bool need_before(const void *context, uint32_t a, uint32_t b)
{
    const by_need *order = context;
    const pn_scheduler_entry *left = &order->view->jobs[a], *right = &order->view->jobs[b];
    return (uint64_t)pn_scheduler_need_of(order->view->s, left, order->kind) * right->own_weight <
           (uint64_t)pn_scheduler_need_of(order->view->s, right, order->kind) * left->own_weight;
}

void pn_scheduler_fill(pn_scheduler_view *view, uint32_t kind, uint64_t *milli)
{
    pn_scheduler *s = view->s;
    uint32_t *jobs = pn_at(s, s->scratch_jobs), count = 0;
    uint64_t weights = 0;
    by_need order = {view, kind};
    uint64_t rest = (uint64_t)1000 * s->present[kind];
    for (uint32_t job = s->fleet.first_job; job != 0; job = view->jobs[job - 1].after) {
        milli[job - 1] = 0;
        if (pn_scheduler_need_of(s, &view->jobs[job - 1], kind) == 0)
            continue;
        jobs[count++] = job - 1;
        weights += view->jobs[job - 1].own_weight;
    }
    pn_sort_by(jobs, count, jobs + s->jobs_max, need_before, &order); /* stable: then by id */
    for (uint32_t i = 0; i < count; i++) {
        const pn_scheduler_entry *entry = &view->jobs[jobs[i]];
        uint64_t need = (uint64_t)1000 * pn_scheduler_need_of(s, entry, kind);
        milli[jobs[i]] = pn_min(need, rest * entry->own_weight / weights);
        rest -= milli[jobs[i]];
        weights -= entry->own_weight;
    }
}
