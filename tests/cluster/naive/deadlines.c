/* See cluster.h: policies that take jobs with deadlines or do not. Estimates of tasks, the order of
 * jobs, who gets a slot, and dc; what rtmr and rtmr-live foresee is in cluster_forecast.c. */
#include "model.h"

#include <stdlib.h>

bool naive_comes_true(const job *j, wide estimate)
{
    return estimate <= (wide)j->given->submit + (wide)j->given->deadline;
}

/* ---- how long a task takes at most ---- */

/* What a slot may have to wait for the beats of its node. */
static void allow_for_beats(model *m)
{
    const pn_cluster_config *c = &m->scenario->config;
    for (uint32_t n = 0; n < m->node_count; n++) {
        wide map_beats = c->maps_per_heartbeat > 0
                             ? wide_divide_up(m->nodes[n].slots[MAP], c->maps_per_heartbeat)
                             : 1;
        m->extra[MAP] = wide_most(m->extra[MAP], (wide)c->heartbeat_ms * map_beats);
        m->extra[REDUCE] = wide_most(m->extra[REDUCE],
                                     (wide)c->heartbeat_ms * m->nodes[n].slots[REDUCE]);
    }
}

static wide longest_of(const uint64_t *list, uint32_t count, uint64_t otherwise)
{
    wide longest = 0;
    if (!list)
        return (wide)otherwise;
    for (uint32_t i = 0; i < count; i++)
        longest = wide_most(longest, (wide)list[i]);
    return longest;
}

/* CL20. A task takes 1 ms at least (CL9, CL11), so no estimate is less. */
static void estimate_from_the_truth(const model *m, job *j)
{
    const pn_cluster_job *g = j->given;
    wide slowest = m->nodes[0].speed;
    for (uint32_t n = 0; n < m->node_count; n++)
        slowest = wide_least(slowest, m->nodes[n].speed);
    wide map = longest_of(g->map_times, g->maps, g->map_ms) + (wide)g->remote_ms;
    wide reduce = longest_of(g->reduce_times, g->reduces, g->reduce_ms);
    wide shuffle = longest_of(g->shuffle_times, g->reduces, g->shuffle_ms);
    j->est[MAP] = wide_most(1, wide_divide_up(map * 1000, slowest));
    j->est[REDUCE] = shuffle + wide_most(1, wide_divide_up(reduce * 1000, slowest));
}

void naive_prepare_deadlines(model *m)
{
    if (m->scenario->config.est_extra_ms == PN_CLUSTER_AUTO)
        allow_for_beats(m);
    else
        m->extra[MAP] = m->extra[REDUCE] = (wide)m->scenario->config.est_extra_ms;
    for (uint32_t k = 0; k < m->job_count; k++) {
        job *j = &m->jobs[k];
        estimate_from_the_truth(m, j);
        if (j->given->est_map_ms > 0)
            j->est[MAP] = (wide)j->given->est_map_ms;
        if (j->given->est_reduce_ms > 0)
            j->est[REDUCE] = (wide)j->given->est_reduce_ms;
    }
}

/* ---- learnt ---- */

/* One more than a share of a number, within limits. */
static wide next_above(wide a, wide b, wide c)
{
    return wide_least(a * b / c, (wide)1 << 62) + 1;
}

static wide input_of(const job *j)
{
    return j->given->input > 0 ? (wide)j->given->input : (wide)j->count[MAP];
}

static wide intermediate_of(const job *j)
{
    return j->given->intermediate > 0 ? (wide)j->given->intermediate : input_of(j);
}

static const wide million = 1000000;

/* The longest task as it is, or as it would be on the slowest node if the fastest one ran it. */
static wide longest_learnt(const model *m, const job *j, int kind)
{
    wide fastest = m->nodes[0].speed, slowest = m->nodes[0].speed;
    if (!m->scenario->deadlines.by_speed)
        return (wide)j->longest[kind];
    for (uint32_t n = 1; n < m->node_count; n++) {
        fastest = wide_most(fastest, m->nodes[n].speed);
        slowest = wide_least(slowest, m->nodes[n].speed);
    }
    return wide_divide_up((wide)j->longest[kind] * fastest, slowest);
}

void naive_learn(model *m, const job *j)
{
    if (!m->scenario->deadlines.learnt)
        return;
    wide cost = next_above(longest_learnt(m, j, MAP), (wide)j->count[MAP] * million, input_of(j));
    m->map_cost = wide_most(m->map_cost, cost);
    m->expansion = wide_most(m->expansion, next_above(intermediate_of(j), million, input_of(j)));
    if (j->count[REDUCE] == 0)
        return;
    cost = next_above(longest_learnt(m, j, REDUCE), (wide)j->count[REDUCE] * million,
                      intermediate_of(j));
    m->reduce_cost = wide_most(m->reduce_cost, cost);
}

static wide in_range(wide ms)
{
    return wide_least(wide_most(ms, 1), (wide)PN_CLUSTER_MOST_MS);
}

static void estimate_from_experience(const model *m, job *j)
{
    wide maps = (wide)j->count[MAP] * million;
    wide reduces = (wide)j->count[REDUCE] * million;
    if (m->map_cost > 0)
        j->est[MAP] = in_range(next_above(m->map_cost, input_of(j), maps));
    if (reduces > 0 && m->reduce_cost > 0)
        j->est[REDUCE] = in_range(
            next_above(next_above(m->reduce_cost, m->expansion, million), input_of(j), reduces));
}

/* ---- the order (CL21) ---- */

static uint64_t due(const job *j)
{
    return j->given->submit + j->given->deadline;
}

/* Behind every job that comes before it in any case: it is the last of those with its key. */
static bool goes_before(const model *m, const job *j, const job *other)
{
    if (m->policy != DC &&
        (m->scenario->deadlines.by_submission || other->first_start[MAP] != NEVER))
        return false;
    return due(j) < due(other);
}

static uint32_t put_in_order(model *m, job *j)
{
    uint32_t place = m->taken_count++;
    for (; place > 0 && goes_before(m, j, m->taken[place - 1]); place--)
        m->taken[place] = m->taken[place - 1];
    m->taken[place] = j;
    return place;
}

static void take_out(model *m, uint32_t place)
{
    m->taken_count--;
    for (uint32_t i = place; i < m->taken_count; i++)
        m->taken[i] = m->taken[i + 1];
}

/* ---- dc (CL26) ---- */

static wide maps_owed(const model *m)
{
    wide owed = 0;
    for (uint32_t i = 0; i < m->taken_count; i++) {
        const job *k = m->taken[i];
        wide running = k->in_state[MAP][RUNNING];
        wide wanted = wide_least(k->fewest_maps, naive_need(m, k, MAP));
        owed += naive_is_active(k) ? wide_most(0, wanted - running) : 0;
    }
    return owed;
}

static wide reduces_at(const model *m, wide time)
{
    wide reduces = 0;
    for (uint32_t i = 0; i < m->taken_count; i++) {
        const job *k = m->taken[i];
        if (naive_is_active(k) && k->latest_reduces <= time && time < (wide)due(k))
            reduces += k->count[REDUCE];
    }
    return reduces;
}

static bool dc_takes(model *m, job *j)
{
    wide window = (wide)j->given->deadline - (j->count[REDUCE] > 0 ? j->est[REDUCE] : 0);
    if (window <= 0 || j->count[REDUCE] > m->slots[REDUCE])
        return false;
    j->fewest_maps = wide_divide_up(j->count[MAP] * j->est[MAP], window);
    j->latest_reduces = (wide)j->given->submit + window;
    return naive_all_free(m, MAP) - maps_owed(m) >= j->fewest_maps &&
           m->slots[REDUCE] - reduces_at(m, j->latest_reduces) >= j->count[REDUCE];
}

/* Whether its reduces are held back. */
static bool is_held(const model *m, const job *j)
{
    return m->policy == DC && m->scenario->deadlines.wait_for_the_latest &&
           (wide)m->now < j->latest_reduces;
}

uint64_t naive_next_opening(const model *m)
{
    uint64_t next = NEVER;
    for (uint32_t i = 0;
         i < m->taken_count && m->policy == DC && m->scenario->deadlines.wait_for_the_latest; i++) {
        const job *j = m->taken[i];
        if (naive_is_active(j) && j->count[REDUCE] > 0 && j->latest_reduces >= (wide)m->from)
            next = least(next, (uint64_t)j->latest_reduces);
    }
    return next;
}

/* ---- who is taken, and who gets a slot ---- */

bool naive_is_taken(model *m, job *j)
{
    if (m->scenario->deadlines.learnt)
        estimate_from_experience(m, j);
    for (int kind = MAP; kind <= REDUCE; kind++)
        j->est[kind] += m->extra[kind];
    bool taken = m->policy == DC ? dc_takes(m, j) : true;
    uint32_t place = put_in_order(m, j);
    if (m->policy == RTMR)
        taken = naive_rtmr_takes(m, place);
    if (m->policy == LIVE)
        taken = naive_live_takes(m, place);
    if (!taken)
        take_out(m, place);
    return taken;
}

bool naive_is_restrained(const model *m, const job *j, int kind)
{
    if (kind == REDUCE)
        return is_held(m, j);
    return m->policy == DC && j->in_state[MAP][RUNNING] >= j->fewest_maps;
}

static job *pick_for_map(const model *m)
{
    for (uint32_t i = 0; i < m->taken_count; i++) {
        job *j = m->taken[i];
        if (naive_is_active(j) && naive_ready(m, j, MAP) > 0 && !naive_is_restrained(m, j, MAP))
            return j;
    }
    return NULL;
}

/* CL24; dc reserves nothing. */
static job *pick_for_reduce(const model *m)
{
    wide free = naive_all_free(m, REDUCE);
    wide reserved = 0;
    bool strict = m->policy == RTMR && m->scenario->deadlines.reserve_strict,
         less = m->policy == RTMR && m->scenario->deadlines.reserve_less && !strict;
    for (uint32_t i = 0; i < m->taken_count; i++) {
        job *j = m->taken[i];
        if (!naive_is_active(j))
            continue;
        if (less ? reserved > free : reserved >= free)
            return NULL;
        if (naive_ready(m, j, REDUCE) > 0 && !is_held(m, j))
            return j;
        if (j->in_state[MAP][DONE] < j->count[MAP] && strict)
            return NULL;
        if (j->in_state[MAP][DONE] < j->count[MAP] && m->policy != DC)
            reserved += m->policy == LIVE ? j->in_state[REDUCE][PENDING] : j->count[REDUCE];
    }
    return NULL;
}

job *naive_pick_in_order(model *m, int kind)
{
    return kind == MAP ? pick_for_map(m) : pick_for_reduce(m);
}
