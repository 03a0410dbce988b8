/* See makespan.h: orders (MK7-MK9), policies (MK22-MK28), the search for a ratio (MK29) and the
 * results (MK30, MK31). */
#include "model.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

/* The word at place i of `words` is the value i + 1; none: it is a number. */
static const struct parameter {
    const char *name;
    size_t offset;
    const char *words[6];
} parameters[] = {
    {"level", offsetof(naive_makespan_config, level), {"stage", "task"}},
    {"estimate",
     offsetof(naive_makespan_config, estimate),
     {"given", "waves_req", "waves", "capped", "fluid"}},
    {"stage_time",
     offsetof(naive_makespan_config, stage_time),
     {"given", "waves_req", "waves", "capped", "fluid"}},
    {"tie", offsetof(naive_makespan_config, tie), {"alg21", "mkjr"}},
    {"share", offsetof(naive_makespan_config, share), {"conserving", "exclusive"}},
    {"cap", offsetof(naive_makespan_config, cap), {"none", "requested"}},
    {"task_order", offsetof(naive_makespan_config, task_order), {"listed", "lpt"}},
    {"start", offsetof(naive_makespan_config, start), {"johnson", "portfolio", "neh", "best"}},
    {"bp_partition", offsetof(naive_makespan_config, bp_partition), {"prefix", "exhaustive"}},
    {"bp_size", offsetof(naive_makespan_config, bp_size), {"scan", "binary"}},
    {"bp_sort", offsetof(naive_makespan_config, bp_sort), {"map_tasks", "work", "index"}},
    {"bp_allow_single", offsetof(naive_makespan_config, bp_single), {"true", "false"}},
    {"resplit", offsetof(naive_makespan_config, resplit), {NULL}},
    {"nodes", offsetof(naive_makespan_config, nodes), {NULL}},
    {"max_evals", offsetof(naive_makespan_config, max_evals), {NULL}},
};

static const struct parameter *find_parameter(const char *name)
{
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
        if (strcmp(parameters[i].name, name) == 0)
            return &parameters[i];
    return NULL;
}

bool naive_makespan_set(naive_makespan_config *config, const char *name, const char *value)
{
    const struct parameter *found = find_parameter(name);
    if (!found)
        return false;
    unsigned *field = (unsigned *)(void *)((char *)config + found->offset);
    if (!found->words[0])
        *field = (unsigned)strtoul(value, NULL, 10);
    for (unsigned w = 0; found->words[w]; w++) {
        if (strcmp(found->words[w], value) == 0) {
            *field = w + 1;
            return true;
        }
    }
    return !found->words[0];
}

unsigned naive_makespan_get(const naive_makespan_config *config, const char *name)
{
    const struct parameter *found = find_parameter(name);
    return found ? *(const unsigned *)(const void *)((const char *)config + found->offset) : 0;
}

typedef bool decide(model *m, naive_makespan_result *result);
static decide by_index, by_given_order, by_johnson, by_pools_found, by_pools_given, by_all_orders,
    by_neh, by_portfolio, by_search;

/* The table of MK32. */
static const struct policy {
    const char *name;
    unsigned estimate, tie, stage_time, cap;
    decide *decide;
} policies[] = {
    {"fifo", NAIVE_WAVES_REQUESTED, NAIVE_ALG21, NAIVE_WAVES_REQUESTED, NAIVE_CAP_NONE, by_index},
    {"given_order", NAIVE_WAVES_REQUESTED, NAIVE_ALG21, NAIVE_WAVES_REQUESTED, NAIVE_CAP_NONE,
     by_given_order},
    {"johnson", NAIVE_GIVEN, NAIVE_ALG21, NAIVE_GIVEN, NAIVE_CAP_NONE, by_johnson},
    {"mk_jr", NAIVE_GIVEN, NAIVE_MKJR, NAIVE_WAVES_REQUESTED, NAIVE_CAP_REQUESTED, by_johnson},
    {"uaas", NAIVE_FLUID, NAIVE_ALG21, NAIVE_FLUID, NAIVE_CAP_NONE, by_johnson},
    {"balanced_pools", NAIVE_WAVES_REQUESTED, NAIVE_ALG21, NAIVE_WAVES_REQUESTED, NAIVE_CAP_NONE,
     by_pools_found},
    {"fixed_pools", NAIVE_WAVES_REQUESTED, NAIVE_ALG21, NAIVE_WAVES_REQUESTED, NAIVE_CAP_NONE,
     by_pools_given},
    {"optimal", NAIVE_WAVES_REQUESTED, NAIVE_ALG21, NAIVE_WAVES_REQUESTED, NAIVE_CAP_NONE,
     by_all_orders},
    {"neh", NAIVE_WAVES_REQUESTED, NAIVE_ALG21, NAIVE_WAVES_REQUESTED, NAIVE_CAP_NONE, by_neh},
    {"portfolio", NAIVE_WAVES_REQUESTED, NAIVE_ALG21, NAIVE_WAVES_REQUESTED, NAIVE_CAP_NONE,
     by_portfolio},
    {"local_search", NAIVE_FLUID, NAIVE_ALG21, NAIVE_WAVES_REQUESTED, NAIVE_CAP_NONE, by_search},
};

static const struct policy *find_policy(const char *name)
{
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        if (strcmp(policies[i].name, name) == 0)
            return &policies[i];
    return NULL;
}

static unsigned greatest_common(unsigned a, unsigned b)
{
    return b == 0 ? a : greatest_common(b, a % b);
}

static void fill(unsigned *field, unsigned value)
{
    if (*field == 0)
        *field = value;
}

static void fill_defaults(naive_makespan_config *config, const struct policy *policy)
{
    fill(&config->level, NAIVE_STAGES);
    fill(&config->estimate, policy->estimate);
    fill(&config->tie, policy->tie);
    fill(&config->stage_time, policy->stage_time);
    fill(&config->cap, policy->cap);
    fill(&config->share, NAIVE_CONSERVING);
    fill(&config->task_order, NAIVE_LISTED);
    fill(&config->start, NAIVE_START_JOHNSON);
    fill(&config->bp_partition, NAIVE_PREFIX);
    fill(&config->bp_size, NAIVE_SCAN);
    fill(&config->bp_sort, NAIVE_BY_MAP_TASKS);
    fill(&config->bp_single, NAIVE_SINGLE_ALLOWED);
    fill(&config->max_evals, 2000);
    fill(&config->nodes, greatest_common(config->slots[0], config->slots[1]));
}

/* ---- Johnson (J) ---- */

static void sort_by_index(size_t *jobs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = i; k > 0 && jobs[k - 1] > jobs[k]; k--) {
            size_t job = jobs[k];
            jobs[k] = jobs[k - 1];
            jobs[k - 1] = job;
        }
    }
}

/* MK7: repeatedly the smallest of all durations left. */
static void algorithm_21(size_t *jobs, size_t count, const fraction *map, const fraction *reduce)
{
    size_t order[NAIVE_MAKESPAN_JOBS];
    bool placed[NAIVE_MAKESPAN_JOBS] = {false};
    size_t front = 0;    /* jobs of the front block */
    size_t back = count; /* where the back block begins */
    while (front < back) {
        size_t smallest = count;
        bool is_map = false;
        fraction least = fraction_whole(0);
        for (size_t i = 0; i < count; i++) {
            if (placed[i])
                continue;
            if (smallest == count || fraction_less(map[jobs[i]], least)) {
                smallest = i;
                is_map = true;
                least = map[jobs[i]];
            }
            if (fraction_less(reduce[jobs[i]], least)) {
                smallest = i;
                is_map = false;
                least = reduce[jobs[i]];
            }
        }
        placed[smallest] = true;
        if (is_map)
            order[front++] = jobs[smallest];
        else
            order[--back] = jobs[smallest];
    }
    memcpy(jobs, order, count * sizeof *jobs);
}

/* MK8: A by map time up, then B by reduce time down. */
static void mkjr(size_t *jobs, size_t count, const fraction *map, const fraction *reduce)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = i; k > 0; k--) {
            size_t a = jobs[k - 1];
            size_t b = jobs[k];
            bool a_first = fraction_less(map[a], reduce[a]);
            bool b_first = fraction_less(map[b], reduce[b]);
            bool swap = a_first != b_first ? b_first
                        : a_first          ? fraction_less(map[b], map[a])
                                           : fraction_less(reduce[a], reduce[b]);
            if (!swap)
                break;
            jobs[k - 1] = b;
            jobs[k] = a;
        }
    }
}

void naive_makespan_johnson(size_t *jobs, size_t count, const fraction *map, const fraction *reduce,
                            unsigned tie)
{
    sort_by_index(jobs, count);
    if (tie == NAIVE_MKJR)
        mkjr(jobs, count, map, reduce);
    else
        algorithm_21(jobs, count, map, reduce);
}

static void johnson_by_estimate(const model *m, size_t *jobs, size_t count, const unsigned slots[2],
                                unsigned estimate, unsigned tie)
{
    fraction time[2][NAIVE_MAKESPAN_JOBS];
    for (size_t i = 0; i < m->count; i++)
        for (int k = 0; k < 2; k++)
            time[k][i] = naive_makespan_estimate(&m->jobs[i].stage[k], estimate, slots[k]);
    naive_makespan_johnson(jobs, count, time[NAIVE_MAP], time[NAIVE_REDUCE], tie);
}

/* ---- answers ---- */

static size_t all_jobs(const model *m, size_t jobs[NAIVE_MAKESPAN_JOBS])
{
    for (size_t i = 0; i < m->count; i++)
        jobs[i] = i;
    return m->count;
}

static naive_makespan_pool whole_cluster(const model *m)
{
    naive_makespan_pool pool = {.nodes = m->config.nodes,
                                .slots = {m->config.slots[0], m->config.slots[1]}};
    pool.count = all_jobs(m, pool.jobs);
    return pool;
}

/* One pool: all jobs in this order. */
static bool answer(const model *m, naive_makespan_result *result, const size_t *order)
{
    naive_makespan_pool pool = whole_cluster(m);
    memcpy(pool.jobs, order, m->count * sizeof *order);
    result->pool_count = 1;
    result->pools[0] = pool;
    return true;
}

static score evaluate_all(const model *m, const size_t *order)
{
    return naive_makespan_evaluate(m, order, m->count, m->config.slots);
}

static bool by_index(model *m, naive_makespan_result *result)
{
    return answer(m, result, whole_cluster(m).jobs);
}

static bool by_given_order(model *m, naive_makespan_result *result)
{
    return answer(m, result, m->config.order);
}

static void order_by_johnson(const model *m, size_t *order)
{
    all_jobs(m, order);
    johnson_by_estimate(m, order, m->count, m->config.slots, m->config.estimate, m->config.tie);
}

static bool by_johnson(model *m, naive_makespan_result *result)
{
    size_t order[NAIVE_MAKESPAN_JOBS];
    order_by_johnson(m, order);
    return answer(m, result, order);
}

/* ---- all orders ---- */

/* The next permutation in lexicographic order; false after the last. */
static bool next_order(size_t *order, size_t count)
{
    size_t i = count - 1;
    size_t k = count - 1;
    while (i > 0 && order[i - 1] > order[i])
        i--;
    if (i == 0)
        return false;
    while (order[k] < order[i - 1])
        k--;
    size_t job = order[k];
    order[k] = order[i - 1];
    order[i - 1] = job;
    sort_by_index(order + i, count - i);
    return true;
}

static bool by_all_orders(model *m, naive_makespan_result *result)
{
    size_t order[NAIVE_MAKESPAN_JOBS];
    all_jobs(m, order);
    answer(m, result, order);
    fraction best = evaluate_all(m, order).makespan;
    while (m->count <= 8 && next_order(order, m->count)) {
        fraction found = evaluate_all(m, order).makespan;
        if (fraction_less(found, best)) {
            best = found;
            answer(m, result, order);
        }
    }
    return m->count <= 8; /* MK1 */
}

/* ---- searches (MK26, MK27, MK28) ---- */

/* The sum of work over slots, for the order in which jobs are inserted. */
static fraction load(const model *m, size_t job)
{
    fraction sum = fraction_whole(0);
    for (int k = 0; k < 2; k++)
        sum = fraction_add(
            sum, naive_makespan_estimate(&m->jobs[job].stage[k], NAIVE_FLUID, m->config.slots[k]));
    return sum;
}

/* A copy of the order with the job inserted at this place. */
static void insert(size_t *longer, const size_t *order, size_t count, size_t place, size_t job)
{
    for (size_t i = 0; i < place; i++)
        longer[i] = order[i];
    longer[place] = job;
    for (size_t i = place; i < count; i++)
        longer[i + 1] = order[i];
}

static void order_by_neh(const model *m, size_t *order)
{
    size_t jobs[NAIVE_MAKESPAN_JOBS];
    all_jobs(m, jobs);
    for (size_t i = 1; i < m->count; i++) {
        for (size_t k = i; k > 0 && fraction_less(load(m, jobs[k - 1]), load(m, jobs[k])); k--) {
            size_t job = jobs[k];
            jobs[k] = jobs[k - 1];
            jobs[k - 1] = job;
        }
    }
    for (size_t i = 0; i < m->count; i++) {
        size_t best_order[NAIVE_MAKESPAN_JOBS];
        fraction best = fraction_whole(0);
        for (size_t place = 0; place <= i; place++) {
            size_t longer[NAIVE_MAKESPAN_JOBS];
            insert(longer, order, i, place, jobs[i]);
            fraction found = naive_makespan_evaluate(m, longer, i + 1, m->config.slots).makespan;
            if (place == 0 || fraction_less(found, best)) {
                best = found;
                memcpy(best_order, longer, sizeof longer);
            }
        }
        memcpy(order, best_order, (i + 1) * sizeof *order);
    }
}

static bool by_neh(model *m, naive_makespan_result *result)
{
    size_t order[NAIVE_MAKESPAN_JOBS];
    order_by_neh(m, order);
    return answer(m, result, order);
}

/* Keeps the better of two orders; the first one on ties. */
static void keep_better(const model *m, size_t *order, fraction *best, const size_t *other)
{
    fraction found = evaluate_all(m, other).makespan;
    if (fraction_less(found, *best)) {
        *best = found;
        memcpy(order, other, m->count * sizeof *order);
    }
}

static void order_by_portfolio(const model *m, size_t *order)
{
    const fraction weights[] = {{0, 1}, {1, 4}, {1, 2}, {1, 1}, {2, 1}};
    size_t other[NAIVE_MAKESPAN_JOBS];
    fraction best = fraction_whole(0);
    for (int bm = 0; bm < 5; bm++) {
        for (int br = 0; br < 5; br++) {
            const fraction weight[2] = {weights[bm], weights[br]};
            fraction time[2][NAIVE_MAKESPAN_JOBS];
            for (size_t i = 0; i < m->count; i++) {
                for (int k = 0; k < 2; k++) {
                    const naive_makespan_stage *stage = &m->jobs[i].stage[k];
                    time[k][i] = fraction_add(
                        naive_makespan_estimate(stage, NAIVE_FLUID, m->config.slots[k]),
                        fraction_multiply(weight[k], naive_makespan_longest(stage)));
                }
            }
            all_jobs(m, other);
            naive_makespan_johnson(other, m->count, time[NAIVE_MAP], time[NAIVE_REDUCE],
                                   NAIVE_ALG21);
            if (bm == 0 && br == 0) {
                memcpy(order, other, sizeof other);
                best = evaluate_all(m, order).makespan;
            }
            keep_better(m, order, &best, other);
        }
    }
    all_jobs(m, other);
    johnson_by_estimate(m, other, m->count, m->config.slots, NAIVE_WAVES, NAIVE_ALG21);
    keep_better(m, order, &best, other);
}

static bool by_portfolio(model *m, naive_makespan_result *result)
{
    size_t order[NAIVE_MAKESPAN_JOBS];
    order_by_portfolio(m, order);
    return answer(m, result, order);
}

static void order_to_start_from(const model *m, size_t *order)
{
    size_t neh[NAIVE_MAKESPAN_JOBS];
    fraction best;
    switch (m->config.start) {
    case NAIVE_START_PORTFOLIO:
        order_by_portfolio(m, order);
        return;
    case NAIVE_START_NEH:
        order_by_neh(m, order);
        return;
    case NAIVE_START_BEST:
        order_by_portfolio(m, order);
        order_by_neh(m, neh);
        best = evaluate_all(m, order).makespan;
        keep_better(m, order, &best, neh);
        return;
    default:
        order_by_johnson(m, order);
    }
}

static bool better(score a, score b)
{
    int makespan = fraction_compare(a.makespan, b.makespan);
    return makespan < 0 || (makespan == 0 && fraction_less(a.total, b.total));
}

/* Takes the first move that is better than the order; false when there is none, or no evaluation is
 * left. */
static bool improve(model *m, size_t *order, score *best)
{
    for (size_t a = 0; a < m->count; a++) {
        for (size_t b = 0; b < m->count; b++) {
            size_t rest[NAIVE_MAKESPAN_JOBS];
            size_t other[NAIVE_MAKESPAN_JOBS];
            if (b == a)
                continue;
            if (m->evaluations >= m->config.max_evals)
                return false;
            for (size_t i = 0; i + 1 < m->count; i++)
                rest[i] = order[i < a ? i : i + 1];
            insert(other, rest, m->count - 1, b, order[a]);
            score found = evaluate_all(m, other);
            m->evaluations++;
            if (better(found, *best)) {
                *best = found;
                memcpy(order, other, m->count * sizeof *order);
                return true;
            }
        }
    }
    return false;
}

static bool by_search(model *m, naive_makespan_result *result)
{
    size_t order[NAIVE_MAKESPAN_JOBS];
    order_to_start_from(m, order);
    score best = evaluate_all(m, order);
    m->evaluations = 1;
    while (improve(m, order, &best))
        continue;
    return answer(m, result, order);
}

/* ---- pools (MK22-MK25) ---- */

static void set_slots(const model *m, naive_makespan_pool *pool)
{
    for (int k = 0; k < 2; k++)
        pool->slots[k] = pool->nodes * m->config.slots[k] / m->config.nodes;
}

static bool nodes_divide(const model *m)
{
    return m->config.slots[0] % m->config.nodes == 0 && m->config.slots[1] % m->config.nodes == 0;
}

/* MK22: Johnson in the pool with its own slots. Returns the pool's makespan. */
static fraction solve_pool(const model *m, naive_makespan_pool *pool)
{
    set_slots(m, pool);
    johnson_by_estimate(m, pool->jobs, pool->count, pool->slots, m->config.estimate, m->config.tie);
    return naive_makespan_evaluate(m, pool->jobs, pool->count, pool->slots).makespan;
}

typedef struct split {
    naive_makespan_pool pools[2];
    fraction makespans[2];
} split;

/* The first pool gets so many nodes. */
static void solve_split(const model *m, split *s, unsigned nodes)
{
    s->pools[0].nodes = nodes;
    s->pools[1].nodes = m->config.nodes - nodes;
    for (int i = 0; i < 2; i++)
        s->makespans[i] = solve_pool(m, &s->pools[i]);
}

typedef struct pools_found {
    naive_makespan_result *result;
    bool any;
    fraction best;
} pools_found;

static void offer_split(const model *m, pools_found *found, split s, unsigned nodes)
{
    solve_split(m, &s, nodes);
    fraction makespan = fraction_most(s.makespans[0], s.makespans[1]);
    if (found->any && !fraction_less(makespan, found->best))
        return;
    found->any = true;
    found->best = makespan;
    found->result->pool_count = 2;
    memcpy(found->result->pools, s.pools, sizeof s.pools);
}

static void offer_sizes(const model *m, pools_found *found, split s)
{
    unsigned low = 1;
    unsigned high = m->config.nodes - 1;
    if (m->config.bp_size == NAIVE_SCAN) {
        for (unsigned p = low; p <= high; p++)
            offer_split(m, found, s, p);
        return;
    }
    while (low < high) { /* MK24 */
        unsigned middle = (low + high) / 2;
        solve_split(m, &s, middle);
        if (!fraction_less(s.makespans[1], s.makespans[0]))
            high = middle;
        else
            low = middle + 1;
    }
    if (low > 1)
        offer_split(m, found, s, low - 1);
    offer_split(m, found, s, low);
}

static fraction sort_value(const model *m, size_t job)
{
    const naive_makespan_stage *stage = m->jobs[job].stage;
    switch (m->config.bp_sort) {
    case NAIVE_BY_WORK:
        return fraction_add(naive_makespan_work(&stage[NAIVE_MAP]),
                            naive_makespan_work(&stage[NAIVE_REDUCE]));
    case NAIVE_BY_INDEX:
        return fraction_whole((long long)job);
    default:
        return fraction_whole((long long)stage[NAIVE_MAP].count);
    }
}

static void offer_prefixes(const model *m, pools_found *found)
{
    size_t jobs[NAIVE_MAKESPAN_JOBS];
    all_jobs(m, jobs);
    for (size_t i = 1; i < m->count; i++) {
        for (size_t k = i;
             k > 0 && fraction_less(sort_value(m, jobs[k]), sort_value(m, jobs[k - 1])); k--) {
            size_t job = jobs[k];
            jobs[k] = jobs[k - 1];
            jobs[k - 1] = job;
        }
    }
    for (size_t s = 1; s < m->count; s++) {
        split parts = {.pools = {{.count = s}, {.count = m->count - s}}};
        memcpy(parts.pools[0].jobs, jobs, s * sizeof *jobs);
        memcpy(parts.pools[1].jobs, jobs + s, (m->count - s) * sizeof *jobs);
        offer_sizes(m, found, parts);
    }
}

static void offer_subsets(const model *m, pools_found *found)
{
    for (size_t mask = 1; mask + 1 < (size_t)1 << m->count; mask++) {
        split parts = {.pools = {{.count = 0}, {.count = 0}}};
        for (size_t job = 0; job < m->count; job++) {
            naive_makespan_pool *pool = &parts.pools[mask >> job & 1 ? 0 : 1];
            pool->jobs[pool->count++] = job;
        }
        offer_sizes(m, found, parts);
    }
}

static bool by_pools_found(model *m, naive_makespan_result *result)
{
    pools_found found = {.result = result};
    if (!nodes_divide(m))
        return false;
    if (m->config.bp_single != NAIVE_SINGLE_REFUSED) {
        naive_makespan_pool whole = whole_cluster(m);
        found.best = solve_pool(m, &whole);
        found.any = true;
        answer(m, result, whole.jobs);
    }
    if (m->config.nodes > 1 && m->count > 1) {
        if (m->config.bp_partition == NAIVE_EXHAUSTIVE)
            offer_subsets(m, &found);
        else
            offer_prefixes(m, &found);
    }
    return found.any;
}

static bool by_pools_given(model *m, naive_makespan_result *result)
{
    bool named[NAIVE_MAKESPAN_JOBS] = {false};
    naive_makespan_pool rest = {.nodes = m->config.nodes};
    if (!nodes_divide(m) || m->config.pool_count == 0)
        return false;
    result->pool_count = m->config.pool_count;
    for (size_t p = 0; p < m->config.pool_count; p++) {
        naive_makespan_pool *pool = &result->pools[p];
        *pool = m->config.pools[p];
        if (pool->nodes == 0 || pool->nodes > rest.nodes)
            return false;
        rest.nodes -= pool->nodes;
        for (size_t i = 0; i < pool->count; i++) {
            if (named[pool->jobs[i]])
                return false;
            named[pool->jobs[i]] = true;
        }
        solve_pool(m, pool);
    }
    for (size_t job = 0; job < m->count; job++)
        if (!named[job])
            rest.jobs[rest.count++] = job;
    if (rest.count > 0 && rest.nodes == 0)
        return false;
    if (rest.count > 0) {
        solve_pool(m, &rest);
        result->pools[result->pool_count++] = rest;
    }
    return true;
}

/* ---- runs ---- */

/* The schedule of each pool, by itself. */
static void execute(const model *m, naive_makespan_result *result)
{
    size_t placed = 0;
    result->makespan = fraction_whole(0);
    result->total_completion = fraction_whole(0);
    for (size_t p = 0; p < result->pool_count; p++) {
        const naive_makespan_pool *pool = &result->pools[p];
        score s = naive_makespan_simulate(m, pool->jobs, pool->count, pool->slots, result->times);
        result->makespan = fraction_most(result->makespan, s.makespan);
        result->total_completion = fraction_add(result->total_completion, s.total);
        for (size_t i = 0; i < pool->count; i++)
            result->order[placed++] = pool->jobs[i];
    }
}

bool naive_makespan_run(const naive_makespan_config *config, const naive_makespan_job *jobs,
                        size_t count, naive_makespan_result *result)
{
    const struct policy *policy = find_policy(config->policy);
    if (!policy)
        return false;
    model *m = calloc(1, sizeof *m);
    m->config = *config;
    m->count = count;
    memcpy(m->jobs, jobs, count * sizeof *jobs);
    naive_makespan_normalise(config, m->jobs, count);
    fill_defaults(&m->config, policy);
    memset(result, 0, sizeof *result);
    memcpy(result->slots, config->slots, sizeof result->slots);
    bool decided = policy->decide(m, result);
    if (decided) {
        execute(m, result);
        result->has_bound = naive_makespan_bound(m, &result->bound);
        result->evaluations = m->config.start == NAIVE_START_JOHNSON ? m->evaluations : 0;
    }
    free(m);
    return decided;
}

bool naive_makespan_search_ratio(const naive_makespan_config *config,
                                 const naive_makespan_job *jobs, size_t count, unsigned total,
                                 naive_makespan_result *result)
{
    naive_makespan_result *found = malloc(sizeof *found);
    naive_makespan_config tried = *config;
    bool any = false;
    if (total == 0)
        total = config->slots[NAIVE_MAP] + config->slots[NAIVE_REDUCE];
    for (int k = 0; k < 2; k++)
        if (tried.base_slots[k] == 0)
            tried.base_slots[k] = config->slots[k];
    for (unsigned maps = 1; maps < total; maps++) {
        tried.slots[NAIVE_MAP] = maps;
        tried.slots[NAIVE_REDUCE] = total - maps;
        bool divides = config->nodes == 0 ||
                       (maps % config->nodes == 0 && (total - maps) % config->nodes == 0);
        if (!divides || !naive_makespan_run(&tried, jobs, count, found))
            continue;
        if (!any || fraction_less(found->makespan, result->makespan))
            *result = *found;
        any = true;
    }
    free(found);
    return any;
}
