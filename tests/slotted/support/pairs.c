/* See pairs.h. Each rule is that of tests/slotted/pairs/NAME.lua, told again with
 * nothing but the kernel's interface. */
#include "pairs.h"

#include "served.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFFERING (PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES)

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A word ordered as the numbers are: that of the smallest double is the smallest. */
static uint64_t word_of(double x)
{
    uint64_t bits;
    if (x == 0)
        return (uint64_t)1 << 63; /* -0 too */
    memcpy(&bits, &x, sizeof bits);
    return x < 0 ? UINT64_MAX - bits : bits + ((uint64_t)1 << 63);
}

/* ---- credit ---------------------------------------------------------------------------------- */

typedef struct credit {
    int64_t finished, chosen[3];
    double spread;
} credit;

typedef struct credit_of_job {
    int64_t credit;
    double drawn;
} credit_of_job;

static credit_of_job *credits(const pn_slotted_view *view)
{
    return (credit_of_job *)(void *)((credit *)pn_slotted_state(view) + 1);
}

static int credit_init(pn_slotted_view *view)
{
    credit *own = pn_slotted_state(view);
    own->spread = 0.5 + pn_uniform01(pn_slotted_stream(view));
    return PN_OK;
}

static int credit_arrive(pn_slotted_view *view, uint32_t job)
{
    const credit *own = pn_slotted_state(view);
    credits(view)[job].credit = (int64_t)pn_uniform(pn_slotted_stream(view), 0, 4) - 1;
    credits(view)[job].drawn = pn_uniform01(pn_slotted_stream(view)) * own->spread;
    return PN_OK;
}

static void credit_finish(pn_slotted_view *view, uint32_t job)
{
    credit *own = pn_slotted_state(view);
    own->chosen[pn_slotted_id(view, job) % 3]++;
    own->finished++;
}

static int credit_tick(pn_slotted_view *view)
{
    const credit *own = pn_slotted_state(view);
    uint64_t lucky = pn_uniform(pn_slotted_stream(view), 0, 2);
    for (uint32_t job = 0; job < pn_slotted_jobs_max(view); job++)
        if (pn_slotted_active(view, job) && pn_slotted_id(view, job) % 3 == lucky)
            credits(view)[job].credit += 1 + own->chosen[lucky] + own->finished;
    return PN_OK;
}

static void credit_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    const credit_of_job *own = &credits(view)[job];
    key->word[0] = word_of((double)pn_slotted_remaining(view, job) / (double)(2 + own->credit));
    key->word[1] = word_of(-own->drawn);
}

static const pn_slotted_policy credit_policy = {
    .name = "credit",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{credit_key, PN_SLOTTED_CHANGES_ON_TICK, OFFERING, 0}},
    .state_bytes = sizeof(credit),
    .state_bytes_per_job = sizeof(credit_of_job),
    .init = credit_init,
    .arrive = credit_arrive,
    .finish = credit_finish,
    .tick = credit_tick,
    .tick_slots = 5,
};

/* ---- aging ----------------------------------------------------------------------------------- */

static void aging_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    double age = (double)(pn_slotted_slot(view) - pn_slotted_arrival(view, job));
    key->word[0] = word_of(-pn_log(1 + age) /
                           pn_pow(1 + (double)pn_slotted_remaining(view, job), 0.7));
    key->word[1] = word_of(pn_exp(-age / 9));
}

static const pn_slotted_policy aging_policy = {
    .name = "aging",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{aging_key, PN_SLOTTED_CHANGES_WITH_TIME, OFFERING, 1}},
};

/* ---- rounds ---------------------------------------------------------------------------------- */

enum { MANY_TURNS = 8 };

/* Turns go by numbers that jobs get on arrival and give back at their finish, the last one first,
 * as scripts know them. Numbers are counted from 0 here; where one is stored + 1, 0 is none. */
typedef struct rounds {
    /* the number to begin with; how many were ever given out; one that came back, + 1 */
    uint32_t cursor, used, free, unused;
    uint64_t passed;
} rounds;

typedef struct turn {
    uint64_t taken;  /* by the job of this number */
    uint32_t number; /* of the job in this place, + 1 */
    uint32_t place;  /* of the job of this number; of a free one, the next free one + 1 */
} turn;

static turn *turns_of(const pn_slotted_view *view)
{
    return (turn *)(void *)((rounds *)pn_slotted_state(view) + 1);
}

static int rounds_arrive(pn_slotted_view *view, uint32_t job)
{
    rounds *own = pn_slotted_state(view);
    turn *turns = turns_of(view);
    uint32_t number = own->free > 0 ? own->free - 1 : own->used++;
    if (own->free > 0)
        own->free = turns[number].place;
    turns[number].place = job;
    turns[number].taken = 0;
    turns[job].number = number + 1;
    return PN_OK;
}

static void rounds_finish(pn_slotted_view *view, uint32_t job)
{
    rounds *own = pn_slotted_state(view);
    turn *turns = turns_of(view);
    turns[turns[job].number - 1].place = own->free;
    own->free = turns[job].number;
    turns[job].number = 0;
}

/* One turn; whether it gave anything. */
static bool rounds_turn(pn_slotted_view *view, uint32_t number)
{
    rounds *own = pn_slotted_state(view);
    turn *turns = turns_of(view);
    uint32_t job = turns[number].place;
    if (job >= pn_slotted_jobs_max(view) || turns[job].number != number + 1)
        return false;
    if (pn_slotted_offer(view, job) == pn_slotted_given(view, job))
        return false;
    if (turns[number].taken >= MANY_TURNS) {
        turns[number].taken = 0;
        own->passed++;
        return false;
    }
    uint64_t machines = least(pn_uniform(pn_slotted_stream(view), 1, 3), pn_slotted_idle(view));
    machines = least(machines, pn_slotted_offer(view, job) - pn_slotted_given(view, job));
    pn_slotted_give(view, job, machines);
    turns[number].taken += machines + own->passed % 2;
    return true;
}

static int rounds_act(pn_slotted_view *view)
{
    rounds *own = pn_slotted_state(view);
    uint32_t fruitless = 0;
    while (pn_slotted_idle(view) > 0 && fruitless < 2 * pn_slotted_jobs_max(view)) {
        uint32_t number = own->cursor;
        own->cursor = (own->cursor + 1) % pn_slotted_jobs_max(view);
        fruitless = rounds_turn(view, number) ? 0 : fruitless + 1;
    }
    return PN_OK;
}

static const pn_slotted_policy rounds_policy = {
    .name = "rounds",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{NULL, PN_SLOTTED_CHANGES_ON_ARRIVAL, OFFERING, 0}},
    .state_bytes = sizeof(rounds),
    .state_bytes_per_job = sizeof(turn),
    .arrive = rounds_arrive,
    .finish = rounds_finish,
    .act = rounds_act,
};

/* ---- phases ---------------------------------------------------------------------------------- */

static void phases_maps_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_slotted_maps_left(view, job);
    key->word[1] = UINT64_MAX - pn_slotted_id(view, job);
}

static uint64_t ready(const pn_slotted_view *view, uint32_t job)
{
    return least(pn_slotted_offer(view, job) - pn_slotted_given(view, job), pn_slotted_idle(view));
}

/* Up to `limit` machines to the jobs in one phase, least work first; how many. */
static uint64_t phases_fill(pn_slotted_view *view, int maps, uint64_t limit)
{
    uint64_t given = 0;
    for (uint32_t job = PN_NO_JOB;
         (job = pn_slotted_next_at_least(view, 0, job, 0)) != PN_NO_JOB;) {
        uint64_t machines = pn_slotted_in_maps(view, job) == maps
                                ? least(ready(view, job), limit - given)
                                : 0;
        pn_slotted_give(view, job, machines);
        given += machines;
    }
    return given;
}

static int phases_act(pn_slotted_view *view)
{
    pn_slotted_fill(view, 2, pn_slotted_machines(view) / 3);
    pn_slotted_share(view, 1, pn_slotted_machines(view) / 4);
    pn_slotted_fill(view, 3, 2);
    phases_fill(view, 1, 2 * phases_fill(view, 0, 1));
    for (uint32_t job = PN_NO_JOB; (job = pn_slotted_next_at_least(view, 0, job, 0)) != PN_NO_JOB;)
        if (pn_slotted_slot(view) % (pn_slotted_in_maps(view, job) ? 2 : 3) == 0)
            pn_slotted_give(view, job, least(1, ready(view, job)));
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static const pn_slotted_policy phases_policy = {
    .name = "phases",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 4,
    .orders = {{pn_slotted_key_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED, OFFERING, 1},
               {pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED, OFFERING, 0},
               {phases_maps_key, PN_SLOTTED_CHANGES_WHEN_SERVED, PN_SLOTTED_WITH_MAPS, 0},
               {pn_slotted_key_most_remaining, PN_SLOTTED_CHANGES_WHEN_SERVED,
                PN_SLOTTED_WITH_REDUCES, 0}},
    .act = phases_act,
};

/* ---- weights --------------------------------------------------------------------------------- */

enum { HEAVIEST = 1 << 20 };

typedef struct weights {
    uint64_t round;
} weights;

static uint64_t *weights_drawn(const pn_slotted_view *view)
{
    return (uint64_t *)(void *)((weights *)pn_slotted_state(view) + 1);
}

static int weights_arrive(pn_slotted_view *view, uint32_t job)
{
    uint64_t most = pn_uniform(pn_slotted_stream(view), 1, HEAVIEST);
    weights_drawn(view)[job] = pn_uniform(pn_slotted_stream(view), 1, most);
    return PN_OK;
}

static int weights_tick(pn_slotted_view *view)
{
    ((weights *)pn_slotted_state(view))->round++;
    return PN_OK;
}

static uint64_t weights_weight(const pn_slotted_view *view, uint32_t job)
{
    uint64_t round = ((const weights *)pn_slotted_state(view))->round;
    return least(HEAVIEST, weights_drawn(view)[job] * (1 + round % 4));
}

static const pn_slotted_policy weights_policy = {
    .name = "weights",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{pn_slotted_share_key, PN_SLOTTED_CHANGES_ON_TICK, OFFERING, 0}},
    .state_bytes = sizeof(weights),
    .state_bytes_per_job = sizeof(uint64_t),
    .weight = weights_weight,
    .arrive = weights_arrive,
    .tick = weights_tick,
    .tick_slots = 3,
};

/* ---- heavy ----------------------------------------------------------------------------------- */

static uint64_t heavy_weight(const pn_slotted_view *view, uint32_t job)
{
    return 1 + pn_slotted_remaining(view, job);
}

static const pn_slotted_policy heavy_policy = {
    .name = "heavy",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED, OFFERING, 0}},
    .weight = heavy_weight,
};

/* ---- steady ---------------------------------------------------------------------------------- */

static uint64_t steady_weight(const pn_slotted_view *view, uint32_t job)
{
    return 1 + pn_slotted_id(view, job) % 5;
}

static const pn_slotted_policy steady_policy = {
    .name = "steady",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    /* machines held change, though weights do not */
    .orders = {{pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED, OFFERING, 0}},
    .weight = steady_weight,
};

/* ---- fair_starvation, of policies/ ----------------------------------------------------------- */

/* The weight of the last tick, or of the last slot in which the job was served. */
static uint64_t starvation_weight(const pn_slotted_view *view, uint32_t job)
{
    uint64_t *kept = (uint64_t *)pn_slotted_state(view) + job;
    if (pn_slotted_idle(view) > 0)
        return *kept;
    uint64_t age = pn_slotted_slot(view) - pn_slotted_arrival(view, job),
             work = pn_slotted_remaining(view, job);
    double stretch = (double)(age * pn_slotted_machines(view)) / (double)(work > 0 ? work : 1);
    double weight = 1 + pn_slotted_param_value(view, 0) * stretch;
    *kept = weight < HEAVIEST ? (uint64_t)weight : HEAVIEST;
    return *kept;
}

static const pn_slotted_policy starvation_policy = {
    .name = "fair_starvation",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{pn_slotted_share_key, PN_SLOTTED_CHANGES_ON_TICK, OFFERING, 0}},
    .param_count = 1,
    .params = {{"starvation", 1, -HUGE_VAL, HUGE_VAL, NULL, 0, ""}},
    .state_bytes_per_job = sizeof(uint64_t),
    .weight = starvation_weight,
    .tick_slots = 10,
};

/* ---- slopes ---------------------------------------------------------------------------------- */

enum { SLOPE_DOWN, SLOPE_TURN, SLOPE_UP };

static void slopes_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    double maps = (double)pn_slotted_maps_left(view, job);
    int64_t turned = (int64_t)pn_slotted_param_value(view, SLOPE_TURN) *
                     (int64_t)pn_slotted_reduces_left(view, job);
    key->word[0] = word_of(pn_slotted_param_value(view, SLOPE_DOWN) * maps + (double)turned);
    key->word[1] = word_of(pn_slotted_param_value(view, SLOPE_UP) *
                           (double)pn_slotted_arrival(view, job));
}

static const pn_slotted_policy slopes_policy = {
    .name = "slopes",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{slopes_key, PN_SLOTTED_CHANGES_WHEN_SERVED, OFFERING, 0}},
    .param_count = 3,
    .params = {{"down", -0.25, -HUGE_VAL, HUGE_VAL, NULL, 0, ""},
               {"turn", 3, -1000, 1000, NULL, 1, ""},
               {"up", 1.5, -HUGE_VAL, HUGE_VAL, NULL, 0, ""}},
};

/* ---- overdue --------------------------------------------------------------------------------- */

static void overdue_loaded_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = UINT64_MAX - pn_slotted_load(view, job);
    key->word[1] = pn_slotted_arrival(view, job);
}

static void overdue_rest_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = UINT64_MAX - pn_slotted_arrival(view, job);
}

static int overdue_act(pn_slotted_view *view)
{
    pn_slotted_fill(view, 0, pn_slotted_machines(view) / 2 + 1);
    for (uint32_t i = 0; i < pn_slotted_served_count(view); i++) {
        pn_slotted_served served = pn_slotted_served_at(view, i);
        if (pn_slotted_active(view, served.job))
            pn_slotted_give(view, served.job,
                            least((uint64_t)served.maps + served.reduces, ready(view, served.job)));
    }
    return pn_slotted_fill(view, 1, PN_SLOTTED_ALL_IDLE);
}

static const pn_slotted_policy overdue_policy = {
    .name = "overdue",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .shadow = PN_SLOTTED_SHADOW_ESTIMATES,
    .load = PN_SLOTTED_LOAD_CUMULATIVE,
    .order_count = 2,
    .orders = {{overdue_loaded_key, PN_SLOTTED_CHANGES_WHEN_SERVED, PN_SLOTTED_WITH_LOAD, 0},
               {overdue_rest_key, PN_SLOTTED_CHANGES_ON_ARRIVAL, OFFERING, 0}},
    .act = overdue_act,
};

/* ---- holders --------------------------------------------------------------------------------- */

static void holders_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_slotted_held(view, job);
    key->word[1] = pn_slotted_remaining(view, job);
}

static int holders_act(pn_slotted_view *view)
{
    for (uint32_t job = PN_NO_JOB; (job = pn_slotted_next_at_most(view, 0, job, 2)) != PN_NO_JOB;)
        pn_slotted_give(view, job, ready(view, job));
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static const pn_slotted_policy holders_policy = {
    .name = "holders",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{holders_key, PN_SLOTTED_CHANGES_WHEN_SERVED, OFFERING | PN_SLOTTED_WITH_RUNNING,
                1}},
    .act = holders_act,
};

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct {
    const char *folder;
    const pn_slotted_policy *native;
} MADE[] = {
    {"tests/slotted/pairs", &credit_policy},  {"tests/slotted/pairs", &aging_policy},
    {"tests/slotted/pairs", &rounds_policy},  {"tests/slotted/pairs", &phases_policy},
    {"tests/slotted/pairs", &weights_policy}, {"tests/slotted/pairs", &heavy_policy},
    {"tests/slotted/pairs", &steady_policy},  {"tests/slotted/pairs", &slopes_policy},
    {"tests/slotted/pairs", &overdue_policy}, {"tests/slotted/pairs", &holders_policy},
    {"tests/slotted/pairs", &served_policy},  {"policies/slotted", &starvation_policy},
};

void slotted_pairs_read(pairs *all)
{
    for (size_t i = 0; pn_slotted_policy_at(i); i++)
        if (!pn_slotted_policy_at(i)->relaxed)
            PAIRS_ADD(all, "policies/slotted", pn_slotted_policy_at(i));
    for (size_t i = 0; i < sizeof MADE / sizeof MADE[0]; i++)
        PAIRS_ADD(all, MADE[i].folder, MADE[i].native);
}

double slotted_pairs_draw(const pn_param *param, pn_stream *stream)
{
    uint64_t kind = pn_uniform(stream, 0, 9);
    double small = param->integer ? (double)pn_uniform(stream, 0, 20) - 8 : pn_normal(stream, 0, 3);
    double value = kind == 0 ? param->low : kind == 1 ? param->high : small;
    return value < param->low || value > param->high || value * 0 != 0 ? param->value : value;
}
