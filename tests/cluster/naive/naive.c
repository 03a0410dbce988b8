/* See cluster.h: the cluster and what happens in it. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

static uint64_t mix_of_attempt(const model *m, uint64_t purpose, const job *j, int kind,
                               uint32_t index)
{
    const uint64_t words[] = {
        m->scenario->config.seed,     purpose, j->index, (uint64_t)kind, task_of(j, kind, index),
        j->tasks[kind][index].attempt};
    return naive_mix(6, words);
}

static uint64_t divide_up(wide a, wide b)
{
    return (uint64_t)((a + b - 1) / b);
}

/* ---- what the policies ask too ---- */

bool naive_is_active(const job *j)
{
    return j->arrived && j->state == PN_SCHEDULER_UNFINISHED;
}

bool naive_may_run(const model *m, const job *j, int kind, uint32_t more)
{
    uint64_t limit = m->scenario->config.scheduler.running_most;
    uint32_t maps = j->in_state[MAP][RUNNING], reduces = j->in_state[REDUCE][RUNNING];
    if (kind == MAP)
        maps += more;
    else
        reduces += more;
    bool first_map = kind == MAP && maps == 0,
         waits = kind == REDUCE && j->in_state[MAP][DONE] < j->count[MAP];
    uint64_t kept = waits && maps == 0 ? 1 : 0;
    return limit == 0 || first_map || (uint64_t)maps + reduces + kept + 1 <= limit;
}

/* The most of these tasks that may be in slots, beside those that are. */
static uint32_t bounded(const model *m, const job *j, int kind, uint32_t tasks)
{
    uint32_t count = 0;
    while (count < tasks && naive_may_run(m, j, kind, count))
        count++;
    return count;
}

/* CL11 */
static uint32_t waiting(const model *m, const job *j, int kind)
{
    const pn_scheduler_config *rules = &m->scenario->config.scheduler;
    uint64_t needed = rules->reduce_start == PN_SCHEDULER_AFTER_MAPS || naive_admits(m)
                          ? j->count[MAP]
                          : divide_up((wide)j->count[MAP] * rules->slowstart_permille, 1000);
    return kind == REDUCE && j->in_state[MAP][DONE] < needed ? 0 : j->in_state[kind][PENDING];
}

uint32_t naive_ready(const model *m, const job *j, int kind)
{
    return bounded(m, j, kind, waiting(m, j, kind));
}

/* CL15 */
wide naive_need(const model *m, const job *j, int kind)
{
    return (wide)j->in_state[kind][RUNNING] +
           bounded(m, j, kind, waiting(m, j, kind) + j->in_state[kind][SUSPENDED]);
}

uint32_t naive_free(const model *m, const node_state *n, int kind)
{
    (void)m;
    return n->up ? n->slots[kind] - n->running[kind] : 0;
}

wide naive_all_free(const model *m, int kind)
{
    wide all = 0;
    for (uint32_t n = 0; n < m->node_count; n++)
        all += naive_free(m, &m->nodes[n], kind);
    return all;
}

bool naive_holds_input(const job *j, uint32_t map, uint32_t node)
{
    for (uint32_t c = 0; c < j->replica_count[map]; c++)
        if (j->replicas[map][c] == node)
            return true;
    return false;
}

uint64_t naive_shuffle_ms(const job *j, uint32_t index)
{
    return j->given->shuffle_times ? j->given->shuffle_times[index] : j->given->shuffle_ms;
}

/* ---- attempts ---- */

static void set_state(model *m, job *j, int kind, uint32_t index, int state)
{
    task *t = &j->tasks[kind][index];
    m->nodes[t->node].running[kind] -= t->state == RUNNING;
    m->nodes[t->node].running[kind] += state == RUNNING;
    if (t->state == RUNNING || state == RUNNING)
        m->nodes[t->node].slot[kind][t->slot].used = state == RUNNING;
    j->in_state[kind][t->state]--;
    j->in_state[kind][state]++;
    t->state = state;
}

static uint64_t factor(const model *m, const job *j, int kind, uint32_t index)
{
    const uint32_t *listed = kind == MAP ? j->given->map_factor : j->given->reduce_factor;
    const pn_cluster_config *c = &m->scenario->config;
    if (listed)
        return listed[task_of(j, kind, index)];
    return c->factor_lo + mix_of_attempt(m, 1, j, kind, index) % (c->factor_hi - c->factor_lo + 1);
}

/* CL9, CL11: of a map all of it, of a reduce what comes after the shuffle. */
static uint64_t work_ms(const model *m, const job *j, int kind, uint32_t index)
{
    const pn_cluster_job *g = j->given;
    const task *t = &j->tasks[kind][index];
    const uint64_t *times = kind == REDUCE ? g->reduce_times : g->map_times;
    wide ms = times ? times[task_of(j, kind, index)] : kind == REDUCE ? g->reduce_ms : g->map_ms;
    if (kind == MAP && !t->local)
        ms += g->remote_ms;
    return most(1, divide_up(ms * (wide)factor(m, j, kind, index), m->nodes[t->node].speed));
}

/* When the attempt ends whose work begins now or then: maybe early, by failing (CL27). */
static void end_after(model *m, job *j, int kind, uint32_t index, uint64_t begin)
{
    task *t = &j->tasks[kind][index];
    uint64_t ms = t->work;
    t->fails = mix_of_attempt(m, 3, j, kind, index) % 1000 <
               m->scenario->config.attempt_fail_permille;
    if (t->fails)
        ms = most(1, (uint64_t)((wide)t->work *
                                (wide)(mix_of_attempt(m, 4, j, kind, index) % 1000) / 1000));
    t->ends = begin + ms;
}

/* CL11, at max(F, s), or when it resumes: all maps are done, now or since some time. */
static void fix_reduce(model *m, job *j, uint32_t index)
{
    task *t = &j->tasks[REDUCE][index];
    uint64_t maps = j->count[MAP];
    t->outputs = 0;
    for (uint32_t i = 0; i < maps; i++)
        t->outputs += j->tasks[MAP][i].state == DONE && j->tasks[MAP][i].node == t->node;
    wide moved = (wide)naive_shuffle_ms(j, task_of(j, REDUCE, index)) * (wide)(maps - t->outputs) /
                 (wide)maps;
    uint64_t shuffle = divide_up(moved * (wide)factor(m, j, REDUCE, index), 1000);
    t->shuffle_end = most(most(j->map_finish, most(t->in_slot, t->works)),
                          t->start + t->paid + shuffle);
    end_after(m, j, REDUCE, index, t->shuffle_end);
}

/* CL46: the slot in which an attempt works first. */
static uint32_t choose_slot(const model *m, uint32_t n, int kind)
{
    const slot *slots = m->nodes[n].slot[kind];
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < m->nodes[n].slots[kind]; i++)
        if (!slots[i].used &&
            (best == UINT32_MAX || most(slots[i].saves, m->now) < most(slots[best].saves, m->now)))
            best = i;
    return best;
}

/* Gives the attempt a slot of its node; when the slot is ready. */
static uint64_t enter_slot(model *m, job *j, int kind, uint32_t index)
{
    task *t = &j->tasks[kind][index];
    t->in_slot = m->now;
    t->slot = choose_slot(m, t->node, kind);
    set_state(m, j, kind, index, RUNNING);
    return most(m->now, m->nodes[t->node].slot[kind][t->slot].saves);
}

static void launch(model *m, job *j, int kind, uint32_t index, uint32_t n)
{
    task *t = &j->tasks[kind][index];
    uint32_t of = task_of(j, kind, index);
    t->node = n;
    t->works = enter_slot(m, j, kind, index);
    t->attempt = j->tasks[kind][of].used++;
    t->start = m->now;
    t->paid = t->works - m->now;
    t->suspensions = 0;
    t->progress = 0;
    t->copy = index != of;
    t->local = kind == MAP && naive_holds_input(j, of, n);
    t->work = work_ms(m, j, kind, index);
    t->shuffle_end = NEVER;
    t->ends = NEVER;
    t->outputs = 0;
    if (j->first_start[kind] == NEVER)
        j->first_start[kind] = m->now;
    naive_log_task(m, PN_SCHEDULER_LAUNCH, j, kind, index);
    if (kind == MAP)
        end_after(m, j, kind, index, t->works);
    else if (j->map_finish != NEVER)
        fix_reduce(m, j, index);
}

static void count_slot_time(const model *m, job *j, int kind, uint32_t index)
{
    const task *t = &j->tasks[kind][index];
    j->slot_ms += t->state == RUNNING ? m->now - t->in_slot : 0;
}

/* One of two attempts is no more; the other one is in the place of the task. */
static void leave_the_other(model *m, job *j, int kind, uint32_t index)
{
    uint32_t of = task_of(j, kind, index), second = of + j->count[kind];
    task gone = j->tasks[kind][index];
    if (index == of) {
        task *base = &j->tasks[kind][of];
        uint32_t used = base->used, failures = base->failures;
        *base = j->tasks[kind][second];
        base->used = used;
        base->failures = failures;
    }
    /* Both were running, so the counts of the task itself stay. */
    j->tasks[kind][second] = gone;
    set_state(m, j, kind, second, ABSENT);
}

void naive_give_up(model *m, job *j, int kind, uint32_t index, uint32_t event)
{
    count_slot_time(m, j, kind, index);
    j->kills += event == PN_SCHEDULER_KILL;
    naive_log_task(m, event, j, kind, index);
    if (has_copy(j, kind, index)) { /* CL38 */
        leave_the_other(m, j, kind, index);
        return;
    }
    set_state(m, j, kind, index, PENDING);
}

/* ---- suspending (CL34, CL35, CL44, CL46) ---- */

static uint64_t delayed(uint64_t time, uint64_t by)
{
    return time == NEVER ? NEVER : time + by;
}

/* What it costs to save or to restore what the attempt has worked. */
static uint64_t price(const model *m, const task *t, uint64_t ms, uint32_t permille)
{
    return ms + divide_up((wide)worked(m, t) * (wide)permille, 1000);
}

void naive_suspend(model *m, job *j, int kind, uint32_t index)
{
    task *t = &j->tasks[kind][index];
    count_slot_time(m, j, kind, index);
    naive_log_task(m, PN_SCHEDULER_SUSPEND, j, kind, index);
    j->suspensions++;
    t->progress = naive_progress(m, j, kind, index);
    t->since = m->now;
    t->suspensions++;
    const pn_cluster_config *rules = &m->scenario->config;
    if (t->works < m->now)
        m->nodes[t->node].slot[kind][t->slot].saves = m->now + price(m, t, rules->save_ms,
                                                                     rules->save_permille);
    if (t->works > m->now) { /* the rest of the restoration will not take place */
        uint64_t rest = t->works - m->now;
        t->paid -= rest;
        t->shuffle_end = delayed(t->shuffle_end, 0 - rest);
        t->ends = delayed(t->ends, 0 - rest);
        t->works = m->now;
    }
    set_state(m, j, kind, index, SUSPENDED);
}

static void resume(model *m, job *j, int kind, uint32_t index)
{
    task *t = &j->tasks[kind][index];
    const pn_cluster_config *rules = &m->scenario->config;
    uint64_t d = m->now - t->since;
    uint64_t c = price(m, t, rules->restore_ms, rules->restore_permille);
    t->works = enter_slot(m, j, kind, index) + c;
    c = t->works - m->now;
    t->start += d;
    t->paid += c;
    t->shuffle_end = delayed(t->shuffle_end, d + c);
    t->ends = delayed(t->ends, d + c);
    naive_log_task(m, PN_SCHEDULER_RESUME, j, kind, index);
    if (kind == REDUCE && t->shuffle_end == NEVER && j->map_finish != NEVER)
        fix_reduce(m, j, index);
}

uint32_t naive_suspended_on(const job *j, int kind, uint32_t node)
{
    for (uint32_t i = 0; i < j->count[kind]; i++)
        if (j->tasks[kind][i].state == SUSPENDED && j->tasks[kind][i].node == node)
            return i;
    return UINT32_MAX;
}

bool naive_has_task_for(const model *m, const job *j, int kind, uint32_t node)
{
    return naive_ready(m, j, kind) > 0 ||
           (naive_may_run(m, j, kind, 0) && naive_suspended_on(j, kind, node) != UINT32_MAX);
}

/* ---- how attempts end ---- */

static void fail_job(model *m, job *j)
{
    for (int kind = MAP; kind <= REDUCE; kind++)
        for (uint32_t i = 0; i < j->count[kind]; i++)
            while (j->tasks[kind][i].state == RUNNING || j->tasks[kind][i].state == SUSPENDED)
                naive_give_up(m, j, kind, i, PN_SCHEDULER_DROP);
    j->state = PN_SCHEDULER_FAILED;
    j->finish = m->now;
    naive_log_job(m, PN_SCHEDULER_JOB_FAIL, j);
    naive_on_end_of_job(m, j);
}

static void attempt_ended_well(model *m, job *j, int kind, uint32_t index)
{
    count_slot_time(m, j, kind, index);
    naive_log_task(m, PN_SCHEDULER_END, j, kind, index);
    if (has_copy(j, kind, index)) { /* CL38 */
        uint32_t of = task_of(j, kind, index);
        uint32_t other = index == of ? of + j->count[kind] : of;
        count_slot_time(m, j, kind, other);
        naive_log_task(m, PN_SCHEDULER_CANCEL, j, kind, other);
        leave_the_other(m, j, kind, other);
        index = of;
    }
    task *t = &j->tasks[kind][index];
    t->end = m->now;
    m->overrun = m->overrun || naive_overruns(m, j, kind, index);
    j->longest[kind] = most(j->longest[kind], m->now - t->start);
    j->copies_won += t->copy;
    set_state(m, j, kind, index, DONE);
    if (kind == MAP && j->in_state[MAP][DONE] == j->count[MAP]) {
        j->map_finish = m->now;
        for (uint32_t i = 0; i < 2 * j->count[REDUCE]; i++)
            if (j->tasks[REDUCE][i].state == RUNNING && j->tasks[REDUCE][i].shuffle_end == NEVER)
                fix_reduce(m, j, i);
    }
    if (j->in_state[MAP][DONE] == j->count[MAP] && j->in_state[REDUCE][DONE] == j->count[REDUCE]) {
        j->state = PN_SCHEDULER_FINISHED;
        j->finish = m->now;
        if (j->promise != NEVER && j->given->deadline > 0 &&
            m->now - j->given->submit > j->given->deadline && !j->late)
            naive_log_prospect(m, PN_SCHEDULER_LATE, j, m->now);
        naive_log_job(m, PN_SCHEDULER_JOB_FINISH, j);
        naive_on_end_of_job(m, j);
    }
}

static void attempt_ends(model *m, job *j, int kind, uint32_t index)
{
    if (!j->tasks[kind][index].fails) {
        attempt_ended_well(m, j, kind, index);
        return;
    }
    uint32_t failures = ++j->tasks[kind][task_of(j, kind, index)].failures;
    naive_give_up(m, j, kind, index, PN_SCHEDULER_FAIL);
    if (failures == m->scenario->config.scheduler.attempts_max)
        fail_job(m, j);
    naive_look_again(m);
}

/* ---- nodes ---- */

static void node_up(model *m, uint32_t n)
{
    if (m->nodes[n].up)
        return;
    m->nodes[n].up = true;
    naive_log_node(m, PN_SCHEDULER_NODE_UP, n);
    naive_look_again(m);
}

/* Running or suspended, and it has not got everything. */
static bool is_fetching(const model *m, const task *t)
{
    uint64_t at = t->state == SUSPENDED ? t->since : most(m->now, t->works);
    return (t->state == RUNNING || t->state == SUSPENDED) && t->shuffle_end > at;
}

static bool still_needs_outputs(const model *m, const job *j)
{
    for (uint32_t i = 0; i < 2 * j->count[REDUCE]; i++)
        if (j->tasks[REDUCE][i].state == PENDING || is_fetching(m, &j->tasks[REDUCE][i]))
            return true;
    return false;
}

static void lose_outputs(model *m, job *j, uint32_t n)
{
    bool lost = false;
    for (uint32_t i = 0; i < j->count[MAP]; i++) {
        task *t = &j->tasks[MAP][i];
        if (t->state != DONE || t->node != n)
            continue;
        t->attempt = t->used - 1; /* of its task */
        naive_log_task(m, PN_SCHEDULER_RERUN, j, MAP, i);
        set_state(m, j, MAP, i, PENDING);
        lost = true;
    }
    if (!lost)
        return;
    j->map_finish = NEVER;
    for (uint32_t i = 0; i < 2 * j->count[REDUCE]; i++) {
        task *t = &j->tasks[REDUCE][i];
        if (is_fetching(m, t))
            t->shuffle_end = t->ends = NEVER;
    }
}

/* CL13 */
static void node_down(model *m, uint32_t n)
{
    if (!m->nodes[n].up)
        return;
    for (uint32_t k = 0; k < m->job_count; k++)
        for (int kind = MAP; kind <= REDUCE; kind++)
            for (uint32_t i = 0; i < 2 * m->jobs[k].count[kind]; i++)
                if ((m->jobs[k].tasks[kind][i].state == RUNNING ||
                     m->jobs[k].tasks[kind][i].state == SUSPENDED) &&
                    m->jobs[k].tasks[kind][i].node == n)
                    naive_give_up(m, &m->jobs[k], kind, i, PN_SCHEDULER_LOSE);
    m->nodes[n].up = false;
    for (int kind = MAP; kind <= REDUCE; kind++)
        for (uint32_t i = 0; i < m->nodes[n].slots[kind]; i++)
            m->nodes[n].slot[kind][i].saves = 0;
    naive_log_node(m, PN_SCHEDULER_NODE_DOWN, n);
    for (uint32_t k = 0; k < m->job_count; k++)
        if (naive_is_active(&m->jobs[k]) && still_needs_outputs(m, &m->jobs[k]))
            lose_outputs(m, &m->jobs[k], n);
    naive_look_again(m);
}

/* ---- heartbeats ---- */

/* CL9, CL10 */
static uint32_t choose_task(const job *j, int kind, uint32_t n)
{
    uint32_t lowest = UINT32_MAX;
    for (uint32_t i = 0; i < j->count[kind]; i++) {
        if (j->tasks[kind][i].state != PENDING)
            continue;
        if (kind == MAP && naive_holds_input(j, i, n))
            return i;
        lowest = (uint32_t)least(lowest, i);
    }
    return lowest;
}

/* CL37, with the choice of the scenario. */
static bool give_copy(model *m, uint32_t n, int kind)
{
    for (uint32_t k = 0; k < m->job_count && m->scenario->copies; k++) {
        job *j = &m->jobs[k];
        bool may = naive_is_active(j) && naive_may_run(m, j, kind, 0);
        for (uint32_t i = 0; i < j->count[kind] && may; i++) {
            const task *t = &j->tasks[kind][i];
            if (t->state != RUNNING || has_copy(j, kind, i) || t->node == n ||
                m->now - t->start < m->scenario->copy_after_ms)
                continue;
            j->copies++;
            launch(m, j, kind, i + j->count[kind], n);
            return true;
        }
    }
    return false;
}

static bool give(model *m, uint32_t n, int kind)
{
    if (naive_free(m, &m->nodes[n], kind) == 0)
        return false;
    job *j = naive_pick(m, n, kind);
    if (!j)
        return give_copy(m, n, kind);
    uint32_t suspended = naive_suspended_on(j, kind, n);
    if (suspended != UINT32_MAX)
        resume(m, j, kind, suspended);
    else
        launch(m, j, kind, choose_task(j, kind, n), n);
    return true;
}

/* CL7; whether it gave anything. A node that is down has no free slots. */
static bool beat(model *m, uint32_t n)
{
    const pn_cluster_config *c = &m->scenario->config;
    uint32_t limit = c->maps_per_heartbeat > 0 ? c->maps_per_heartbeat
                     : c->heartbeat_ms == 0    ? 1
                                               : UINT32_MAX;
    uint32_t maps = 0;
    while (maps < limit && give(m, n, MAP))
        maps++;
    return give(m, n, REDUCE) || maps > 0;
}

/* CL5 */
static uint64_t beat_offset(const model *m, uint32_t n)
{
    return (uint64_t)((wide)n * (wide)m->scenario->config.heartbeat_ms / m->node_count);
}

static uint64_t next_beat(const model *m, uint32_t n)
{
    uint64_t first = beat_offset(m, n);
    uint64_t period = m->scenario->config.heartbeat_ms;
    return m->from <= first ? first : first + divide_up(m->from - first, (wide)period) * period;
}

static void beats(model *m)
{
    uint64_t period = m->scenario->config.heartbeat_ms;
    if (period > 0) {
        for (uint32_t n = 0; n < m->node_count; n++)
            if (m->now >= beat_offset(m, n) && (m->now - beat_offset(m, n)) % period == 0)
                beat(m, n);
        return;
    }
    bool assigned = true;
    while (assigned) { /* CL6 */
        assigned = false;
        for (uint32_t n = 0; n < m->node_count; n++)
            assigned = beat(m, n) || assigned;
    }
}

/* ---- instants ---- */

static uint64_t if_left(const model *m, uint64_t time)
{
    return time >= m->from ? time : NEVER;
}

static uint64_t next_end(const model *m)
{
    uint64_t next = NEVER;
    for (uint32_t k = 0; k < m->job_count; k++)
        for (int kind = MAP; kind <= REDUCE && naive_is_active(&m->jobs[k]); kind++)
            for (uint32_t i = 0; i < 2 * m->jobs[k].count[kind]; i++)
                if (m->jobs[k].tasks[kind][i].state == RUNNING)
                    next = least(next, m->jobs[k].tasks[kind][i].ends);
    return next;
}

static uint64_t next_arrival(const model *m)
{
    uint64_t next = NEVER;
    for (uint32_t k = 0; k < m->job_count; k++)
        next = least(next, if_left(m, m->jobs[k].given->submit));
    return next;
}

static uint64_t next_recovery(const model *m)
{
    uint64_t next = NEVER;
    for (size_t i = 0; i < m->scenario->failure_count; i++)
        next = least(next, if_left(m, m->scenario->failures[i].recover));
    return next;
}

static uint64_t next_failure(const model *m)
{
    uint64_t next = NEVER;
    for (size_t i = 0; i < m->scenario->failure_count; i++)
        next = least(next, if_left(m, m->scenario->failures[i].time));
    return next;
}

/* What will happen whatever the scheduler does. */
static uint64_t next_of_itself(const model *m)
{
    return least(least(next_end(m), naive_next_opening(m)),
                 least(next_arrival(m), next_recovery(m)));
}

static uint64_t next_instant(const model *m)
{
    uint64_t tick = m->scenario->config.tick_ms;
    uint64_t next = least(next_of_itself(m), next_failure(m));
    if (naive_has_ticks(m))
        next = least(next, divide_up(m->from, (wide)tick) * tick);
    if (m->scenario->config.heartbeat_ms == 0)
        return least(next, naive_next_wake(m));
    for (uint32_t n = 0; n < m->node_count; n++)
        next = least(next, next_beat(m, n));
    return next;
}

/* The attempt of the task that ends now, of two the older one; UINT32_MAX = none. */
static uint32_t ending(const model *m, const job *j, int kind, uint32_t of)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = of; i <= of + j->count[kind]; i += j->count[kind]) {
        const task *t = &j->tasks[kind][i];
        if (t->state == RUNNING && t->ends == m->now &&
            (found == UINT32_MAX || t->attempt < j->tasks[kind][found].attempt))
            found = i;
    }
    return found;
}

/* One after the other: one may take others back (CL27). */
static bool next_task_ends(model *m)
{
    for (uint32_t k = 0; k < m->job_count; k++) {
        job *j = &m->jobs[k];
        for (int kind = MAP; kind <= REDUCE && naive_is_active(j); kind++) {
            for (uint32_t i = 0; i < j->count[kind]; i++) {
                uint32_t index = ending(m, j, kind, i);
                if (index != UINT32_MAX) {
                    attempt_ends(m, j, kind, index);
                    return true;
                }
            }
        }
    }
    return false;
}

static void arrive(model *m, job *j)
{
    bool taken = !naive_admits(m) || naive_is_taken(m, j);
    j->arrived = true;
    j->state = taken ? PN_SCHEDULER_UNFINISHED : PN_SCHEDULER_REJECTED;
    naive_log_prospect(m, taken ? PN_SCHEDULER_ACCEPT : PN_SCHEDULER_REJECT, j, j->promise);
    naive_on_arrival(m, j);
}

/* CL3 */
static void instant(model *m)
{
    const naive_cluster_scenario *s = m->scenario;
    for (uint32_t n = 0; n < m->node_count; n++)
        for (size_t i = 0; i < s->failure_count; i++)
            if (s->failures[i].recover == m->now && s->failures[i].node == n)
                node_up(m, n);
    for (uint32_t n = 0; n < m->node_count; n++)
        for (size_t i = 0; i < s->failure_count; i++)
            if (s->failures[i].time == m->now && s->failures[i].node == n)
                node_down(m, n);
    while (next_task_ends(m))
        ;
    for (uint32_t k = 0; k < m->job_count; k++)
        if (m->jobs[k].given->submit == m->now)
            arrive(m, &m->jobs[k]);
    if (naive_has_ticks(m) && m->now % s->config.tick_ms == 0)
        naive_on_tick(m);
    beats(m);
}

static bool all_over(const model *m)
{
    for (uint32_t k = 0; k < m->job_count; k++)
        if (m->jobs[k].state == PN_SCHEDULER_UNFINISHED)
            return false;
    return true;
}

/* CL4: for so long it may happen that a slot is given although nothing runs and nothing is to come;
 * a beat, a tick, and the delay for locality that some policies have. */
static uint64_t patience(const model *m)
{
    const pn_cluster_config *c = &m->scenario->config;
    return c->heartbeat_ms + c->tick_ms + c->scheduler.locality_delay_ms;
}

static bool any_change(const naive_cluster_result *r, size_t from)
{
    for (size_t i = from; i < r->event_count; i++) {
        uint32_t event = r->events[i].event;
        if (event == PN_SCHEDULER_LAUNCH || event == PN_SCHEDULER_RESUME ||
            event == PN_SCHEDULER_KILL || event == PN_SCHEDULER_SUSPEND)
            return true;
    }
    return false;
}

/* CL43 */
static bool is_saturated(const model *m, int kind)
{
    for (uint32_t k = 0; k < m->job_count && naive_all_free(m, kind) == 0; k++) {
        const job *j = &m->jobs[k];
        bool resumes = j->in_state[kind][SUSPENDED] > 0 && naive_may_run(m, j, kind, 0);
        if (naive_is_active(j) && (naive_ready(m, j, kind) > 0 || resumes) &&
            !naive_is_restrained(m, j, kind))
            return true;
    }
    return false;
}

static void run(model *m)
{
    uint64_t limit = m->scenario->config.max_time_ms > 0 ? m->scenario->config.max_time_ms : NEVER;
    uint64_t busy = 0; /* the last instant that counts for CL4 */
    while (!all_over(m)) {
        uint64_t next = next_instant(m);
        bool more = next_of_itself(m) != NEVER;
        size_t so_far = m->result->event_count;
        if (next >= limit || (!more && next > busy + patience(m)))
            return;
        if (next > m->now)
            naive_elapse(m, next - m->now);
        if (is_saturated(m, MAP) || is_saturated(m, REDUCE))
            m->saturated += next - m->now;
        m->now = next;
        instant(m);
        m->from = next + 1;
        if (more || any_change(m->result, so_far))
            busy = next;
    }
}

bool naive_cluster_run(const naive_cluster_scenario *scenario, naive_cluster_result *result)
{
    model m = {.scenario = scenario, .result = result};
    memset(result, 0, sizeof *result);
    if (!naive_find_policy(&m))
        return false;
    naive_build(&m);
    run(&m);
    naive_conclude(&m);
    naive_destroy(&m);
    return true;
}
