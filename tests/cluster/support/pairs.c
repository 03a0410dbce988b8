/* See pairs.h. Each rule is that of tests/cluster/pairs/NAME.lua, told again with
 * nothing but the core's interface. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const TRUTH[] = {"false", "true", NULL};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t draw(const pn_scheduler_view *view, int64_t low, int64_t high)
{
    return low + (int64_t)pn_uniform(pn_scheduler_stream(view), 0, (uint64_t)(high - low));
}

/* ---- wander: picks by credits, locality and chance ------------------------------------------- */

typedef struct wander {
    int64_t turns, left;
} wander;

static int64_t *credit_of(const pn_scheduler_view *view, uint32_t job)
{
    return (int64_t *)(void *)((wander *)pn_scheduler_state(view) + 1) + job;
}

static int wander_arrive(pn_scheduler_view *view, uint32_t job)
{
    *credit_of(view, job) = draw(view, 0, 3) + (int64_t)(pn_scheduler_deadline_of(view, job) % 2);
    return PN_OK;
}

static void wander_leave(pn_scheduler_view *view, uint32_t job)
{
    wander *all = pn_scheduler_state(view);
    all->left += (int64_t)pn_scheduler_id(view, job) +
                 pn_scheduler_done(view, job, PN_SCHEDULER_MAP);
}

static int64_t score_of(pn_scheduler_view *view, uint32_t job, uint32_t node, uint32_t kind)
{
    int64_t score = 1000 * *credit_of(view, job) - pn_scheduler_running(view, job, kind);
    if (kind == PN_SCHEDULER_MAP)
        score += pn_scheduler_has_local(view, job, node) ? 500 : 0;
    else
        score += pn_scheduler_has_affinity(view, job, node) ? 300 : 0;
    return score + (pn_scheduler_unfinished(view, job, kind) * 7 +
                    pn_scheduler_node_free(view, node, kind)) %
                       5;
}

static int wander_pick(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    wander *all = pn_scheduler_state(view);
    int64_t best = 0, score;
    all->turns++;
    if (all->turns % 7 == all->left % 7 &&
        pn_scheduler_free(view, kind) < pn_scheduler_capacity_up(view, kind))
        return PN_OK;
    if (all->turns % 5 == 0) {
        *job = pn_scheduler_first(view, kind);
        return PN_OK;
    }
    for (uint32_t it = pn_scheduler_next(view, PN_NO_JOB); it != PN_NO_JOB;
         it = pn_scheduler_next(view, it)) {
        if (pn_scheduler_pending(view, it, kind) == 0)
            continue;
        score = score_of(view, it, node, kind);
        if (*job == PN_NO_JOB || score > best) {
            *job = it;
            best = score;
        }
    }
    if (*job != PN_NO_JOB)
        --*credit_of(view, *job);
    return PN_OK;
}

static const pn_scheduler_policy wander_policy = {
    .name = "wander",
    .state_bytes = sizeof(wander),
    .state_bytes_per_job = sizeof(int64_t),
    .arrive = wander_arrive,
    .leave = wander_leave,
    .pick = wander_pick,
};

/* ---- culler: shares by chance, kills one by one ---------------------------------------------- */

typedef struct culler {
    int64_t plans, age, reasons, killed;
} culler;

static void culler_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    int64_t running = pn_scheduler_running(view, job, kind),
            done = pn_scheduler_done(view, job, kind);
    key->word[0] = pn_key_double((double)((3 * running + done) % 5));
    key->word[1] = pn_key_double(-(double)pn_scheduler_id(view, job));
}

static int culler_elapse(pn_scheduler_view *view, uint64_t ms)
{
    culler *all = pn_scheduler_state(view);
    all->age += (int64_t)ms * pn_scheduler_active(view) % 1000;
    return PN_OK;
}

static int culler_plan(pn_scheduler_view *view, uint32_t reason)
{
    culler *all = pn_scheduler_state(view);
    all->plans++;
    all->reasons = (3 * all->reasons + (int64_t)reason) % 1000;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        int64_t weight = draw(view, 0, 1 << 20) + all->age + all->reasons;
        if (pn_scheduler_param_value(view, 0) > 0) /* by estimates */
            weight = (int64_t)pn_scheduler_scale(
                (uint64_t)weight, pn_scheduler_average(view, job, PN_SCHEDULER_REDUCE),
                1 + pn_scheduler_remaining(view, job));
        pn_scheduler_weigh(view, job, (uint64_t)weight);
    }
    return PN_OK;
}

/* Tasks are looked at before any is killed. */
static int64_t cull(pn_scheduler_view *view, uint32_t job, uint32_t kind, int64_t most)
{
    uint32_t count = 0, runs[256];
    int64_t killed = 0;
    for (uint32_t run = pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
         run != PN_SCHEDULER_NO_ATTEMPT && count < 256;
         run = pn_scheduler_next_attempt(view, job, kind, run)) {
        pn_scheduler_task task = pn_scheduler_attempt_task(view, run);
        uint64_t progress = pn_scheduler_attempt_progress(view, run) + 10 * task.task + task.node +
                            task.start % 3;
        if (progress < 500000 && task.attempt < 2)
            runs[count++] = run;
    }
    for (uint32_t i = 0; i < count && killed < most; i++)
        killed += pn_scheduler_kill_attempt(view, runs[i]) == PN_OK;
    return killed;
}

static int culler_preempt(pn_scheduler_view *view, uint32_t kind)
{
    culler *all = pn_scheduler_state(view);
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        int64_t above = (int64_t)pn_scheduler_running(view, job, kind) -
                        pn_scheduler_share(view, job, kind);
        uint32_t killed = 0;
        if (above > 0 && all->plans % 3 > 0)
            all->killed += cull(view, job, kind, above);
        else if (above > 0) {
            pn_scheduler_kill(view, job, kind, 1, &killed);
            all->killed += killed;
        }
    }
    return PN_OK;
}

static int culler_init(pn_scheduler_view *view)
{
    pn_scheduler_order order = pn_scheduler_order_get(view);
    order.estimates = pn_scheduler_param_value(view, 0) > 0;
    return pn_scheduler_set_rules(view, &order, NULL);
}

static const pn_scheduler_policy culler_policy = {
    .name = "culler",
    .order = {.keys = PN_SCHEDULER_KEYS_SERVED,
              .shares = PN_SCHEDULER_SHARES_STRICT,
              .estimates = 1,
              .elapses = 1},
    .param_count = 1,
    .params = {{"estimates", 1, 0, 1, TRUTH, 1, ""}},
    .state_bytes = sizeof(culler),
    .key = culler_key,
    .init = culler_init,
    .elapse = culler_elapse,
    .plan = culler_plan,
    .preempt = culler_preempt,
};

/* ---- clock: keys that move with time, delays ------------------------------------------------- */

static int64_t *hand_of(const pn_scheduler_view *view, uint32_t job)
{
    return (int64_t *)pn_scheduler_state(view) + job;
}

static void clock_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    int64_t age = (int64_t)(pn_scheduler_now(view) - pn_scheduler_submit_of(view, job));
    int64_t slots = (int64_t)pn_scheduler_capacity(view, kind),
            scale = (int64_t)pn_scheduler_param_value(view, 0);
    key->word[0] = pn_key_double((double)((scale * age + *hand_of(view, job)) % 977) / 8);
    key->word[1] = pn_key_double((double)(kind == PN_SCHEDULER_MAP
                                              ? slots - (int64_t)pn_scheduler_tasks(view, job, kind)
                                              : (int64_t)pn_scheduler_need(view, job, kind)));
}

static int clock_arrive(pn_scheduler_view *view, uint32_t job)
{
    *hand_of(view, job) = pn_scheduler_group_of(view, job);
    return PN_OK;
}

static int clock_elapse(pn_scheduler_view *view, uint64_t ms)
{
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job))
        *hand_of(view, job) += least((int64_t)ms, 1000) *
                                   pn_scheduler_unfinished(view, job, PN_SCHEDULER_REDUCE) +
                               pn_scheduler_free(view, PN_SCHEDULER_MAP);
    return PN_OK;
}

static const pn_scheduler_policy clock_policy = {
    .name = "clock",
    .order = {.keys = PN_SCHEDULER_KEYS_TIMED, .delays = 1, .elapses = 1},
    .param_count = 1,
    .params = {{"scale", 3, 0, 1000, NULL, 1, ""}},
    .state_bytes_per_job = sizeof(int64_t),
    .key = clock_key,
    .arrive = clock_arrive,
    .elapse = clock_elapse,
};

/* ---- hsrtf-starvation: as hsrtf-pr, with a power of the starvation ratio --------------------- */

enum { STARVATION_COLOCATE, STARVATION_EXPONENT, STARVATION_CONSERVING };

static void starvation_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = (uint64_t)(1000000 - pn_scheduler_priority_of(view, job));
    key->word[1] = pn_scheduler_remaining(view, job);
}

static uint64_t positive(uint64_t value)
{
    return value > 0 ? value : 1;
}

/* What scripts see of numbers that are too large. */
static uint64_t scaled(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t quotient = pn_scheduler_scale(a, b, c);
    return quotient < INT64_MAX ? quotient : INT64_MAX;
}

static uint64_t inverse(const pn_scheduler_view *view, uint32_t job)
{
    return scaled(1000000000000000, pn_scheduler_weight_of(view, job),
                  positive(pn_scheduler_remaining(view, job)));
}

static int starvation_plan(pn_scheduler_view *view, uint32_t reason)
{
    uint64_t sum = 0;
    (void)reason;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job))
        sum += inverse(view, job);
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        uint64_t weight = inverse(view, job), share[2];
        for (uint32_t kind = 0; kind < 2; kind++)
            share[kind] = positive(
                scaled(pn_scheduler_capacity(view, kind), weight, positive(sum)));
        uint64_t time = pn_scheduler_now(view) - pn_scheduler_submit_of(view, job);
        time += pn_scheduler_remaining_on(view, job, share[PN_SCHEDULER_MAP],
                                          share[PN_SCHEDULER_REDUCE]);
        uint64_t ratio = scaled(time, 1000, positive(pn_scheduler_alone(view, job)));
        for (int i = 0; i < (int)pn_scheduler_param_value(view, STARVATION_EXPONENT); i++)
            weight = scaled(weight, ratio, 1000);
        pn_scheduler_weigh(view, job, weight);
    }
    return PN_OK;
}

static int starvation_init(pn_scheduler_view *view)
{
    bool conserving = pn_scheduler_param_value(view, STARVATION_CONSERVING) > 0;
    const pn_scheduler_order order = {
        .keys = PN_SCHEDULER_KEYS_PLANNED,
        .shares = conserving ? PN_SCHEDULER_SHARES_CONSERVING : PN_SCHEDULER_SHARES_STRICT,
        .colocates = pn_scheduler_param_value(view, STARVATION_COLOCATE) > 0,
        .estimates = 1};
    return pn_scheduler_set_rules(view, &order, NULL);
}

static const pn_scheduler_policy starvation_policy = {
    .name = "hsrtf-starvation",
    .param_count = 3,
    .params = {{"colocate", 1, 0, 1, TRUTH, 1, ""},
               {"exponent", 2, 0, 4, NULL, 1, ""},
               {"work_conserving", 1, 0, 1, TRUTH, 1, ""}},
    .key = starvation_key,
    .init = starvation_init,
    .plan = starvation_plan,
};

/* ---- haggler: agrees on other deadlines, limits and holds jobs back by chance ---------------- */

typedef struct haggler {
    int64_t agreed, left;
} haggler;

static int64_t *mood_of(const pn_scheduler_view *view, uint32_t job)
{
    return (int64_t *)(void *)((haggler *)pn_scheduler_state(view) + 1) + job;
}

static void haggler_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = pn_key_double((double)(pn_scheduler_deadline_of(view, job) / 1000 % 64));
    key->word[1] = pn_key_double((double)(pn_scheduler_est_ms(view, job, PN_SCHEDULER_MAP) % 8));
}

/* Moods: 0 works faster than it says, 1 and 2 have patience, 3 is taken whatever it does to
 * others. */
static int haggler_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    haggler *all = pn_scheduler_state(view);
    int64_t mood = *mood_of(view, job) = draw(view, 0, 3);
    uint64_t est = pn_scheduler_est_ms(view, job, PN_SCHEDULER_MAP);
    if (mood == 0)
        pn_scheduler_set_est_ms(view, job, PN_SCHEDULER_MAP,
                                1 + (uint64_t)least((int64_t)est, 1000000000) / 2);
    pn_scheduler_foresee(view, job, answer);
    if (answer->blocker == answer->id && answer->estimate != PN_SCHEDULER_NEVER) {
        uint64_t agreed = answer->estimate - pn_scheduler_submit_of(view, job) + (uint64_t)mood;
        pn_scheduler_set_deadline(view, job, agreed < PN_INTEGER_MAX ? agreed : PN_INTEGER_MAX);
        pn_scheduler_foresee(view, job, answer);
        all->agreed++;
    }
    answer->accepted = answer->blocker == 0 || mood == 3;
    return PN_OK;
}

static int haggler_arrive(pn_scheduler_view *view, uint32_t job)
{
    int64_t mood = *mood_of(view, job);
    if (mood < 3)
        pn_scheduler_limit(view, job, PN_SCHEDULER_MAP, (uint32_t)(1 + 2 * mood));
    if (mood > 0)
        pn_scheduler_hold(view, job, mood == 1 ? PN_SCHEDULER_MAP : PN_SCHEDULER_REDUCE,
                          pn_scheduler_now(view) + 3000 * (uint64_t)mood);
    return PN_OK;
}

static int haggler_plan(pn_scheduler_view *view, uint32_t reason)
{
    haggler *all = pn_scheduler_state(view);
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        uint64_t estimate = pn_scheduler_estimate_of(view, job), now = pn_scheduler_now(view);
        if (reason == PN_SCHEDULER_ON_TICK && (estimate == PN_SCHEDULER_NEVER || estimate < now))
            pn_scheduler_limit(view, job, PN_SCHEDULER_MAP, UINT32_MAX);
        else if (reason == PN_SCHEDULER_ON_FINISH && all->left % 3 == 0)
            pn_scheduler_hold(view, job, PN_SCHEDULER_REDUCE,
                              (int64_t)pn_scheduler_id(view, job) % 2 == 0 ? now + 500 : 0);
    }
    return PN_OK;
}

static void haggler_leave(pn_scheduler_view *view, uint32_t job)
{
    haggler *all = pn_scheduler_state(view);
    uint64_t size = pn_scheduler_input_of(view, job) + pn_scheduler_intermediate_of(view, job);
    all->left += (int64_t)(pn_scheduler_longest(view, job, PN_SCHEDULER_MAP) % 7 + size % 5);
    all->left += pn_scheduler_has_failed(view, job) ? 1 : 0;
}

static const pn_scheduler_policy haggler_policy = {
    .name = "haggler",
    .order = {.started_first = 1},
    .admission = {.deadlines = 1,
                  .finishes = PN_SCHEDULER_FINISHES_FORECAST,
                  .maps_first = 1,
                  .reserve = PN_SCHEDULER_RESERVE_ALL},
    .state_bytes = sizeof(haggler),
    .state_bytes_per_job = sizeof(int64_t),
    .key = haggler_key,
    .admit = haggler_admit,
    .arrive = haggler_arrive,
    .plan = haggler_plan,
    .leave = haggler_leave,
};

/* ---- doubler: suspends by chance, second attempts of what has run longest ---------------------
 */

typedef struct doubler {
    int64_t suspended, seen;
} doubler;

enum { SEEN = 1000003 };

static void doubler_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    uint32_t held = pn_scheduler_suspended(view, job, kind) + pn_scheduler_running(view, job, kind);
    key->word[0] = pn_key_double(held % 3);
}

static int64_t suspend_some(pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    uint32_t count = 0, runs[256];
    int64_t suspended = 0;
    for (uint32_t run = pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
         run != PN_SCHEDULER_NO_ATTEMPT && count < 256;
         run = pn_scheduler_next_attempt(view, job, kind, run)) {
        pn_scheduler_task task = pn_scheduler_attempt_task(view, run);
        uint32_t sum = task.task + 1 + task.node + task.attempt +
                       pn_scheduler_attempt_progress(view, run);
        if (pn_scheduler_attempt_twin(view, run) == PN_SCHEDULER_NO_ATTEMPT && sum % 2 == 0)
            runs[count++] = run;
    }
    for (uint32_t i = 0; i < count; i++)
        suspended += pn_scheduler_suspend_attempt(view, runs[i]) == PN_OK;
    return suspended;
}

static int64_t weigh_suspended(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    int64_t sum = pn_scheduler_suspended(view, job, kind);
    for (uint32_t run = PN_SCHEDULER_NO_ATTEMPT;
         (run = pn_scheduler_next_suspended(view, job, kind, run)) != PN_SCHEDULER_NO_ATTEMPT;) {
        pn_scheduler_task task = pn_scheduler_attempt_task(view, run);
        sum += (int64_t)(task.task + 1) * (task.node + 1) + (int64_t)(task.start % 5) +
               task.attempt + pn_scheduler_attempt_progress(view, run) % 7;
        sum += pn_scheduler_resumes(view, job, kind, task.node) ? 1 : 0;
        sum += pn_scheduler_resumes(view, job, kind, 0) ? 3 : 0;
    }
    return sum;
}

static int doubler_preempt(pn_scheduler_view *view, uint32_t kind)
{
    doubler *all = pn_scheduler_state(view);
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        int64_t turn = draw(view, 0, 5);
        uint32_t taken = 0;
        int status = PN_OK;
        all->seen = (all->seen + weigh_suspended(view, job, kind)) % SEEN;
        if (turn == 0)
            status = pn_scheduler_suspend(view, job, kind, 1 + (uint32_t)(all->seen % 3), &taken);
        else if (turn == 1)
            all->suspended += suspend_some(view, job, kind);
        else if (turn == 2 && all->seen % 4 == 0)
            status = pn_scheduler_kill(view, job, kind, 1, &taken);
        if (status < 0)
            return status;
        all->suspended += (turn == 2 ? 100 : 1) * (int64_t)taken;
    }
    return PN_OK;
}

static int doubler_copy(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    doubler *all = pn_scheduler_state(view);
    uint64_t oldest = PN_SCHEDULER_NEVER;
    all->seen = (all->seen + pn_scheduler_copied(view, kind)) % SEEN;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); all->seen % 5 != 0 && job != PN_NO_JOB;
         job = pn_scheduler_next(view, job))
        for (uint32_t run = PN_SCHEDULER_NO_ATTEMPT;
             (run = pn_scheduler_next_attempt(view, job, kind, run)) != PN_SCHEDULER_NO_ATTEMPT;) {
            pn_scheduler_task task = pn_scheduler_attempt_task(view, run);
            if (pn_scheduler_attempt_twin(view, run) != PN_SCHEDULER_NO_ATTEMPT ||
                task.node == node || task.attempt >= 4 || task.start >= oldest ||
                !pn_scheduler_may_run(view, job, kind))
                continue;
            oldest = task.start;
            *place = run;
        }
    return PN_OK;
}

static const pn_scheduler_policy doubler_policy = {
    .name = "doubler",
    .order = {.keys = PN_SCHEDULER_KEYS_SERVED},
    .state_bytes = sizeof(doubler),
    .key = doubler_key,
    .preempt = doubler_preempt,
    .copy = doubler_copy,
};

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct {
    const char *folder;
    const pn_scheduler_policy *native;
} MADE[] = {
    {"tests/cluster/pairs", &wander_policy},  {"tests/cluster/pairs", &culler_policy},
    {"tests/cluster/pairs", &clock_policy},   {"tests/cluster/pairs", &haggler_policy},
    {"tests/cluster/pairs", &doubler_policy}, {"policies/cluster", &starvation_policy},
};

void cluster_pairs_read(pairs *all)
{
    for (size_t i = 0; pn_scheduler_policy_at(i); i++)
        PAIRS_ADD(all, "policies/cluster", pn_scheduler_policy_at(i));
    for (size_t i = 0; i < sizeof MADE / sizeof MADE[0]; i++)
        PAIRS_ADD(all, MADE[i].folder, MADE[i].native);
}

/* Of a wide range mostly small ones. */
double cluster_pairs_draw(const pn_param *param, pn_stream *stream)
{
    uint64_t width = (uint64_t)(param->high - param->low);
    if (width > 1000)
        width = (uint64_t)least((int64_t)width, (int64_t)1 << pn_uniform(stream, 0, 53));
    return param->low + (double)pn_uniform(stream, 0, width);
}
