/* Policies that split the cluster: balanced_pools, fixed_pools. */
#include "policies.h"

/* ---- fixed_pools ---- */

static uint32_t slots_of(const pn_makespan_view *view, uint32_t stage, uint32_t nodes)
{
    return pn_makespan_slots(view, stage) / pn_makespan_nodes(view) * nodes;
}

static int give_in_order(pn_makespan_view *view, uint32_t nodes, uint32_t *jobs, uint32_t count)
{
    int status = pn_makespan_order_johnson(view, jobs, count, slots_of(view, 0, nodes),
                                           slots_of(view, 1, nodes));
    return status == PN_OK ? pn_makespan_give_pool(view, nodes, jobs, count) : status;
}

/* Decides by MK25. */
int pn_makespan_decide_fixed_pools(pn_makespan_view *view)
{
    uint32_t *jobs = pn_makespan_state(view);
    if (pn_makespan_pools_set(view) == 0)
        return PN_ERR_ARGUMENT;
    for (uint32_t i = 0; i < pn_makespan_pools_set(view); i++) {
        uint32_t nodes, count;
        const uint32_t *set = pn_makespan_pool_set(view, i, &nodes, &count);
        memcpy(jobs, set, count * sizeof *jobs);
        int status = give_in_order(view, nodes, jobs, count);
        if (status != PN_OK)
            return status;
    }
    return PN_OK;
}

/* ---- balanced_pools ---- */

enum { PREFIX, EXHAUSTIVE };
enum { SCAN, BINARY };
enum { BY_MAP_TASKS, BY_WORK, BY_INDEX };

/* Of the 2^n partitions none beyond these is tried. */
enum { EXHAUSTIVE_JOBS = 30 };

/* A split: which jobs, and how many nodes they have. */
typedef struct split {
    uint64_t jobs; /* prefix: so many of the sorted ones; exhaustive: bits */
    uint32_t nodes;
} split;

typedef struct balance {
    pn_makespan_view *view;
    uint32_t count, nodes;
    bool exhaustive;
    uint32_t *sorted;     /* jobs, by bp_sort */
    uint32_t *rank;       /* of a job among them */
    uint32_t *order[2];   /* all jobs in Johnson's order, for the slots of each of two pools */
    uint32_t *pool;       /* jobs of a pool in its order */
    uint32_t ordered_for; /* nodes of the first pool; 0 = none */
    bool found, single;   /* the best so far: one pool with all */
    split best;
    pn_makespan_score score; /* its */
} balance;

static bool in_first(const balance *b, const split *s, uint32_t job)
{
    return b->exhaustive ? (s->jobs >> job & 1) != 0 : b->rank[job] < s->jobs;
}

/* Picks a subset. A subset of jobs in Johnson's order is the order of all, with the others left
 * out. */
static uint32_t pick(const balance *b, const split *s, int which)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->count; i++)
        if (in_first(b, s, b->order[which][i]) == (which == 0))
            b->pool[count++] = b->order[which][i];
    return count;
}

static uint32_t makespan_pools_nodes_of(const balance *b, const split *s, int which)
{
    return which == 0 ? s->nodes : b->nodes - s->nodes;
}

static int order_for(balance *b, const split *s)
{
    if (b->ordered_for == s->nodes)
        return PN_OK;
    for (int which = 0; which < 2; which++) {
        uint32_t nodes = makespan_pools_nodes_of(b, s, which);
        pn_makespan_order_by_index(b->view, b->order[which]);
        int status = pn_makespan_order_johnson(b->view, b->order[which], b->count,
                                               slots_of(b->view, 0, nodes),
                                               slots_of(b->view, 1, nodes));
        if (status != PN_OK)
            return status;
    }
    b->ordered_for = s->nodes;
    return PN_OK;
}

/* Returns the score of a pool: PN_DONE when it is not better than `best`. */
static int score_pool(balance *b, const split *s, int which, const pn_makespan_score *best,
                      pn_makespan_score *score)
{
    uint32_t nodes = makespan_pools_nodes_of(b, s, which), count = pick(b, s, which);
    return pn_makespan_evaluate(b->view, b->pool, count, slots_of(b->view, 0, nodes),
                                slots_of(b->view, 1, nodes), best, 0, score);
}

/* Splits are tried pool size by pool size, as the orders depend on that; MK23 has the sizes inside.
 * So of equal ones that with fewer jobs, then with fewer nodes counts as found first; one pool
 * before all. */
static bool makespan_earlier(const split *a, const split *b)
{
    return a->jobs != b->jobs ? a->jobs < b->jobs : a->nodes < b->nodes;
}

static int try_split(balance *b, const split *s)
{
    /* Whatever is as good and would have been found earlier takes its place: then equal is not too
     * much. */
    bool equal = b->found && !b->single && makespan_earlier(s, &b->best);
    pn_makespan_score score[2];
    int status = order_for(b, s);
    for (int which = 0; which < 2 && status == PN_OK; which++)
        status = score_pool(b, s, which, b->found && !equal ? &b->score : NULL, &score[which]);
    if (status != PN_OK)
        return status == PN_DONE ? PN_OK : status;
    const pn_makespan_score *longer = pn_makespan_score_compare(&score[0], &score[1], 0) >= 0
                                          ? &score[0]
                                          : &score[1];
    if (!b->found || pn_makespan_score_compare(longer, &b->score, 0) <= 0) {
        b->score = *longer;
        b->best = *s;
        b->found = true;
        b->single = false;
    }
    return PN_OK;
}

/* Tries sizes by MK24: where the first pool becomes faster than the second, the best size is there
 * or just below. */
static int try_sizes_by_halving(balance *b, split s)
{
    uint32_t low = 1, high = b->nodes - 1;
    while (low < high) {
        pn_makespan_score score[2];
        s.nodes = low + (high - low) / 2;
        int status = order_for(b, &s);
        for (int which = 0; which < 2 && status == PN_OK; which++)
            status = score_pool(b, &s, which, NULL, &score[which]);
        if (status != PN_OK)
            return status;
        if (pn_makespan_score_compare(&score[0], &score[1], 0) <= 0)
            high = s.nodes;
        else
            low = s.nodes + 1;
    }
    int status = PN_OK;
    for (s.nodes = low > 1 ? low - 1 : 1; s.nodes <= low && status == PN_OK; s.nodes++)
        status = try_split(b, &s);
    return status;
}

static int try_splits(balance *b, bool halving)
{
    uint64_t last = b->exhaustive ? ((uint64_t)1 << b->count) - 2 : b->count - 1;
    int status = PN_OK;
    for (uint64_t jobs = 1; halving && jobs <= last && status == PN_OK; jobs++)
        status = try_sizes_by_halving(b, (split){jobs, 0});
    for (uint32_t nodes = 1; !halving && nodes < b->nodes; nodes++)
        for (uint64_t jobs = 1; jobs <= last && status == PN_OK; jobs++)
            status = try_split(b, &(split){jobs, nodes});
    return status;
}

/* Tries candidate 0 of MK23. */
static int try_single(balance *b)
{
    uint32_t map_slots = pn_makespan_slots(b->view, 0),
             reduce_slots = pn_makespan_slots(b->view, 1);
    pn_makespan_order_by_index(b->view, b->pool);
    int status = pn_makespan_order_johnson(b->view, b->pool, b->count, map_slots, reduce_slots);
    if (status == PN_OK)
        status = pn_makespan_evaluate(b->view, b->pool, b->count, map_slots, reduce_slots, NULL, 0,
                                      &b->score);
    b->found = b->single = status == PN_OK;
    return status;
}

/* Sorts by what bp_sort says, ascending, then by index: the front block of Johnson's order with
 * reduces that are longer than any map. */
static void sort_jobs(balance *b, pn_exact *key, pn_exact *most, uint32_t by)
{
    for (uint32_t job = 0; job < b->count; job++) {
        uint64_t value = pn_makespan_tasks(b->view, job, 0);
        if (by == BY_WORK)
            value = pn_makespan_work(b->view, job, 0) + pn_makespan_work(b->view, job, 1);
        key[job] = (pn_exact){(int64_t)(by == BY_INDEX ? job : value), 1};
        most[job] = (pn_exact){INT64_MAX, 1};
    }
    pn_makespan_order_by_index(b->view, b->sorted);
    pn_makespan_johnson_by(b->view, b->sorted, b->count, key, most, PN_MAKESPAN_ALG21);
    for (uint32_t i = 0; i < b->count; i++)
        b->rank[b->sorted[i]] = i;
}

static int give_best(balance *b)
{
    if (b->single) {
        pn_makespan_order_by_index(b->view, b->pool);
        return give_in_order(b->view, b->nodes, b->pool, b->count);
    }
    int status = order_for(b, &b->best);
    for (int which = 0; which < 2; which++) {
        uint32_t count = pick(b, &b->best, which);
        PN_ASSERT(status == PN_OK); /* the orders were made before, and pools of all nodes fit */
        status = pn_makespan_give_pool(b->view, makespan_pools_nodes_of(b, &b->best, which),
                                       b->pool, count);
    }
    return status;
}

int pn_makespan_decide_balanced_pools(pn_makespan_view *view)
{
    uint32_t count = pn_makespan_job_count(view);
    pn_exact *values = pn_makespan_state(view);
    uint32_t *room = (uint32_t *)(void *)(values + 2 * (size_t)count);
    balance b = {.view = view,
                 .count = count,
                 .nodes = pn_makespan_nodes(view),
                 .exhaustive = pn_makespan_param_value(view, PN_MAKESPAN_PARAM_PARTITION) ==
                               EXHAUSTIVE,
                 .sorted = room,
                 .rank = room + count,
                 .order = {room + 2 * (size_t)count, room + 3 * (size_t)count},
                 .pool = room + 4 * (size_t)count};
    bool splits = count > 1 && b.nodes > 1,
         single = pn_makespan_param_value(view, PN_MAKESPAN_PARAM_SINGLE) != 0.0;
    if (splits ? b.exhaustive && count > EXHAUSTIVE_JOBS : !single)
        return PN_ERR_ARGUMENT;
    sort_jobs(&b, values, values + count,
              (uint32_t)pn_makespan_param_value(view, PN_MAKESPAN_PARAM_SORT));
    int status = single ? try_single(&b) : PN_OK;
    if (status == PN_OK && splits)
        status = try_splits(&b, pn_makespan_param_value(view, PN_MAKESPAN_PARAM_SIZE) == BINARY);
    return status == PN_OK ? give_best(&b) : status;
}
