/* Policies that search for a good order: optimal, portfolio, neh, local_search. */
#include "policies.h"

/* What they work with, in the policy's memory. */
typedef struct search {
    pn_makespan_view *view;
    uint32_t count;
    uint32_t *best, *trial, *other, *sorted;   /* orders */
    pn_exact *map_value, *reduce_value, *size; /* by job */
} search;

static search open_search(pn_makespan_view *view)
{
    uint32_t count = pn_makespan_job_count(view);
    pn_exact *values = pn_makespan_state(view);
    uint32_t *orders = (uint32_t *)(void *)(values + 3 * (size_t)count);
    return (search){view,
                    count,
                    orders,
                    orders + count,
                    orders + 2 * (size_t)count,
                    orders + 3 * (size_t)count,
                    values,
                    values + count,
                    values + 2 * (size_t)count};
}

/* Evaluates on the whole cluster. */
static int evaluate(const search *s, const uint32_t *order, uint32_t count,
                    const pn_makespan_score *best, int total, pn_makespan_score *score)
{
    pn_makespan_view *view = s->view;
    return pn_makespan_evaluate(view, order, count, pn_makespan_slots(view, 0),
                                pn_makespan_slots(view, 1), best, total, score);
}

/* Keeps the trial if it is the first or better than the best; a status below 0 ends the search. */
static int makespan_try_order(search *s, pn_makespan_score *score, bool first)
{
    pn_makespan_score found;
    int status = evaluate(s, s->trial, s->count, first ? NULL : score, 0, &found);
    if (status != PN_OK)
        return status == PN_DONE ? PN_OK : status;
    memcpy(s->best, s->trial, s->count * sizeof *s->best);
    *score = found;
    return PN_OK;
}

static int makespan_give(const search *s, int status)
{
    return status == PN_OK ? pn_makespan_give_order(s->view, s->best, s->count) : status;
}

/* ---- optimal ---- */

enum { OPTIMAL_JOBS = 8 };

/* Makes the next permutation in lexicographic order; false after the last. */
static bool next_permutation(uint32_t *order, uint32_t count)
{
    uint32_t rise = count - 1, swap = rise;
    while (rise > 0 && order[rise - 1] > order[rise])
        rise--;
    if (rise == 0)
        return false;
    while (order[swap] < order[rise - 1])
        swap--;
    uint32_t moved = order[rise - 1];
    order[rise - 1] = order[swap];
    order[swap] = moved;
    for (uint32_t left = rise, right = count - 1; left < right; left++, right--) {
        moved = order[left];
        order[left] = order[right];
        order[right] = moved;
    }
    return true;
}

int pn_makespan_decide_optimal(pn_makespan_view *view)
{
    search s = open_search(view);
    pn_makespan_score score;
    if (s.count > OPTIMAL_JOBS)
        return PN_ERR_ARGUMENT;
    pn_makespan_order_by_index(view, s.trial);
    int status = makespan_try_order(&s, &score, true);
    while (status == PN_OK && next_permutation(s.trial, s.count))
        status = makespan_try_order(&s, &score, false);
    return makespan_give(&s, status);
}

/* ---- portfolio ---- */

/* Weighs by work / slots + quarters / 4 * longest; false when that is too much for exact numbers.
 */
static bool weigh(const pn_makespan_view *view, uint32_t job, uint32_t stage, uint32_t quarters,
                  pn_exact *value)
{
    pn_exact share = {(int64_t)pn_makespan_work(view, job, stage),
                      (int64_t)pn_makespan_slots(view, stage)};
    pn_exact weight = {(int64_t)quarters, 4},
             longest = {(int64_t)pn_makespan_longest(view, job, stage), 1};
    return pn_exact_multiply(&weight, weight, longest) == PN_OK &&
           pn_exact_add(value, share, weight) == PN_OK;
}

static int try_weights(search *s, uint32_t map_quarters, uint32_t reduce_quarters,
                       pn_makespan_score *score, bool first)
{
    for (uint32_t job = 0; job < s->count; job++)
        if (!weigh(s->view, job, 0, map_quarters, &s->map_value[job]) ||
            !weigh(s->view, job, 1, reduce_quarters, &s->reduce_value[job]))
            return PN_ERR_OVERFLOW;
    pn_makespan_order_by_index(s->view, s->trial);
    pn_makespan_johnson_by(s->view, s->trial, s->count, s->map_value, s->reduce_value,
                           PN_MAKESPAN_ALG21);
    return makespan_try_order(s, score, first);
}

/* Searches by MK28: 25 weights of the longest tasks, then waves. */
static int search_portfolio(search *s, pn_makespan_score *score)
{
    static const uint32_t QUARTERS[] = {0, 1, 2, 4, 8};
    int status = PN_OK;
    for (uint32_t i = 0; i < 25 && status == PN_OK; i++)
        status = try_weights(s, QUARTERS[i / 5], QUARTERS[i % 5], score, i == 0);
    if (status != PN_OK)
        return status;
    pn_makespan_order_by_index(s->view, s->trial);
    pn_makespan_johnson_order(s->view, s->trial, s->count, PN_MAKESPAN_WAVES, PN_MAKESPAN_ALG21,
                              pn_makespan_slots(s->view, 0), pn_makespan_slots(s->view, 1));
    return makespan_try_order(s, score, false);
}

int pn_makespan_decide_portfolio(pn_makespan_view *view)
{
    search s = open_search(view);
    pn_makespan_score score;
    return makespan_give(&s, search_portfolio(&s, &score));
}

/* ---- neh ---- */

/* Sorts by work on all slots, most first: Johnson's back block, where ties under mkjr go by index
 * up. */
static int sort_by_size(search *s)
{
    for (uint32_t job = 0; job < s->count; job++) {
        pn_exact map = {(int64_t)pn_makespan_work(s->view, job, 0),
                        (int64_t)pn_makespan_slots(s->view, 0)};
        pn_exact reduce = {(int64_t)pn_makespan_work(s->view, job, 1),
                           (int64_t)pn_makespan_slots(s->view, 1)};
        int status = pn_exact_add(&s->size[job], map, reduce);
        if (status != PN_OK)
            return status;
    }
    pn_makespan_order_by_index(s->view, s->sorted);
    return pn_makespan_johnson_by(s->view, s->sorted, s->count, s->size, s->size, PN_MAKESPAN_MKJR);
}

static void makespan_insert(uint32_t *order, const uint32_t *from, uint32_t count, uint32_t at,
                            uint32_t job)
{
    memcpy(order, from, at * sizeof *order);
    order[at] = job;
    memcpy(order + at + 1, from + at, (count - at) * sizeof *order);
}

/* Puts one more job where the makespan is least, at the earliest of such places; *score is that of
 * the order made. */
static int insert_best(search *s, uint32_t *order, uint32_t count, uint32_t job,
                       pn_makespan_score *score)
{
    uint32_t best_at = 0;
    pn_makespan_score found;
    for (uint32_t at = 0; at <= count; at++) {
        makespan_insert(s->trial, order, count, at, job);
        int status = evaluate(s, s->trial, count + 1, at == 0 ? NULL : score, 0, &found);
        if (status < 0)
            return status;
        if (status == PN_OK) {
            *score = found;
            best_at = at;
        }
    }
    memmove(order + best_at + 1, order + best_at, (count - best_at) * sizeof *order);
    order[best_at] = job;
    return PN_OK;
}

/* Searches by MK26, into `order`. */
static int search_neh(search *s, uint32_t *order, pn_makespan_score *score)
{
    int status = sort_by_size(s);
    for (uint32_t i = 0; i < s->count && status == PN_OK; i++)
        status = insert_best(s, order, i, s->sorted[i], score);
    return status;
}

int pn_makespan_decide_neh(pn_makespan_view *view)
{
    search s = open_search(view);
    pn_makespan_score score;
    return makespan_give(&s, search_neh(&s, s.best, &score));
}

/* ---- local search ---- */

enum { START_JOHNSON, START_PORTFOLIO, START_NEH, START_BEST };

/* Makes the order to begin with, in s->best. */
static int makespan_search_begin(search *s, uint32_t start)
{
    pn_makespan_score score, other;
    if (start == START_JOHNSON) {
        pn_makespan_order_by_index(s->view, s->best);
        return pn_makespan_order_johnson(s->view, s->best, s->count, pn_makespan_slots(s->view, 0),
                                         pn_makespan_slots(s->view, 1));
    }
    if (start == START_NEH)
        return search_neh(s, s->best, &score);
    int status = search_portfolio(s, &score);
    if (start == START_PORTFOLIO || status != PN_OK)
        return status;
    status = search_neh(s, s->other, &other);
    if (status == PN_OK && pn_makespan_score_compare(&other, &score, 0) < 0)
        memcpy(s->best, s->other, s->count * sizeof *s->best);
    return status;
}

/* Makes the order with the job at `from` taken out and put in at `to` of the rest. */
static void move(const search *s, uint32_t from, uint32_t to)
{
    uint32_t job = s->best[from];
    memcpy(s->other, s->best, from * sizeof *s->other);
    memcpy(s->other + from, s->best + from + 1, (s->count - from - 1) * sizeof *s->other);
    makespan_insert(s->trial, s->other, s->count - 1, to, job);
}

/* Improves by MK27: the first better order is taken, and all begins again. */
static int improve(search *s, pn_makespan_score *score, uint64_t left)
{
    pn_makespan_score found;
    for (uint64_t i = 0; i < (uint64_t)s->count * s->count && left > 0; i++) {
        uint32_t from = (uint32_t)(i / s->count), to = (uint32_t)(i % s->count);
        if (from == to)
            continue;
        move(s, from, to);
        int status = evaluate(s, s->trial, s->count, score, 1, &found);
        if (status < 0)
            return status;
        left--;
        if (status == PN_OK) {
            memcpy(s->best, s->trial, s->count * sizeof *s->best);
            *score = found;
            i = UINT64_MAX; /* the next i is 0 */
        }
    }
    return PN_OK;
}

int pn_makespan_decide_local_search(pn_makespan_view *view)
{
    search s = open_search(view);
    pn_makespan_score score;
    int status = makespan_search_begin(
        &s, (uint32_t)pn_makespan_param_value(view, PN_MAKESPAN_PARAM_START));
    if (status == PN_OK)
        status = evaluate(&s, s.best, s.count, NULL, 0, &score);
    if (status == PN_OK)
        status = improve(&s, &score,
                         (uint64_t)pn_makespan_param_value(view, PN_MAKESPAN_PARAM_MAX_EVALS) - 1);
    return makespan_give(&s, status);
}
