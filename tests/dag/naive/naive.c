/* The naive dag model: what happens, instant by instant (DG3, DG4, DG7, DG12). */
#include <stdlib.h>

#include "model.h"

static const uint64_t HORIZON = UINT64_C(1) << 53;

/* ---- what is running ---- */

bool naive_dag_holds(const model *m, const node *n, const stage *s)
{
    for (uint32_t r = 0; r < m->resources; r++)
        if (s->given->demand[r] > n->given->capacity[r])
            return false;
    return true;
}

bool naive_dag_fits(const model *m, const node *n, const stage *s)
{
    for (uint32_t r = 0; r < m->resources; r++)
        if (s->given->demand[r] > n->free[r])
            return false;
    return n->up;
}

static void forget(model *m)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        m->nodes[i].busy = false;
        for (uint32_t r = 0; r < m->resources; r++)
            m->nodes[i].free[r] = m->nodes[i].given->capacity[r];
    }
    for (uint32_t q = 0; q < m->queue_count; q++) {
        m->queues[q].running = 0;
        for (uint32_t r = 0; r < m->resources; r++)
            m->queues[q].use[r] = 0;
    }
    for (uint32_t i = 0; i < m->job_count; i++) {
        m->jobs[i].running = m->jobs[i].executors = 0;
        for (uint32_t r = 0; r < m->resources; r++)
            m->jobs[i].use[r] = 0;
    }
}

void naive_dag_look(model *m)
{
    forget(m);
    for (size_t i = 0; i < m->running_count; i++) {
        const attempt *a = &m->running[i];
        queue *q = &m->queues[a->job->queue];
        a->job->running++;
        q->running++;
        m->nodes[a->node].busy = true;
        for (uint32_t r = 0; r < m->resources; r++) {
            wide demand = a->stage->given->demand[r];
            m->nodes[a->node].free[r] -= demand;
            a->job->use[r] += demand;
            q->use[r] += demand;
        }
    }
    for (uint32_t n = 0; n < m->node_count; n++)
        if (m->nodes[n].owner)
            m->nodes[n].owner->executors++;
}

static void set_state(stage *s, uint32_t index, enum state state)
{
    s->in_state[s->tasks[index].state]--;
    s->in_state[state]++;
    s->tasks[index].state = state;
}

static void tell_of(model *m, enum naive_dag_kind kind, const attempt *a)
{
    naive_dag_tell(m, (naive_dag_event){.kind = kind,
                                        .job = a->job->id,
                                        .stage = a->stage->index,
                                        .task = a->task,
                                        .attempt = a->stage->tasks[a->task].attempt,
                                        .node = a->node});
}

void naive_dag_launch(model *m, job *j, stage *s, uint32_t n)
{
    attempt a = {.job = j, .stage = s, .node = n, .start = m->now};
    while (s->tasks[a.task].state != PENDING)
        a.task++;
    a.ends = m->now + naive_dag_delay(m, j, s, n);
    a.ends += (uint64_t)naive_dag_length(m, j, s, a.task, m->nodes[n].given->speed);
    m->running = naive_dag_grown(m->running, m->running_count, &m->running_room, sizeof a);
    m->running[m->running_count++] = a;
    set_state(s, a.task, RUNNING);
    if (s->start == NEVER)
        s->start = m->now;
    if (j->first_start == NEVER)
        j->first_start = m->now;
    tell_of(m, NAIVE_DAG_LAUNCH, &a);
    m->stirred = true;
    naive_dag_look(m);
}

void naive_dag_end(model *m, size_t place, enum naive_dag_outcome outcome)
{
    static const enum naive_dag_kind kinds[] = {[NAIVE_DAG_DONE] = NAIVE_DAG_END,
                                                [NAIVE_DAG_KILLED] = NAIVE_DAG_KILL,
                                                [NAIVE_DAG_LOST] = NAIVE_DAG_LOSE};
    attempt a = m->running[place];
    m->running[place] = m->running[--m->running_count];
    naive_dag_keep(m, &a, outcome);
    tell_of(m, kinds[outcome], &a);
    a.job->served += a.stage->sigma * (m->now - a.start);
    a.job->kills += outcome == NAIVE_DAG_KILLED;
    a.job->lost += outcome == NAIVE_DAG_LOST;
    set_state(a.stage, a.task, outcome == NAIVE_DAG_DONE ? DONE : PENDING);
    if (outcome != NAIVE_DAG_DONE)
        a.stage->tasks[a.task].attempt++;
    naive_dag_look(m);
}

/* ---- events ---- */

static bool are_parents_finished(const job *j, const stage *s)
{
    for (uint32_t p = 0; p < s->given->parent_count; p++)
        if (j->stages[s->given->parents[p]].finish == NEVER)
            return false;
    return true;
}

/* DG7 */
static void open_stages(const model *m, job *j)
{
    for (uint32_t s = 0; s < j->stage_count; s++)
        if (j->stages[s].ready == NEVER && are_parents_finished(j, &j->stages[s]))
            j->stages[s].ready = m->now;
}

static bool comes_first(const attempt *a, const attempt *b)
{
    if (a->job->id != b->job->id)
        return a->job->id < b->job->id;
    if (a->stage->index != b->stage->index)
        return a->stage->index < b->stage->index;
    return a->task < b->task;
}

/* The first, by job, stage and task, of the running attempts that end now or, given a node, are on
 * it; running_count when there is none. */
static size_t find_running(const model *m, uint32_t on)
{
    size_t found = m->running_count;
    for (size_t i = 0; i < m->running_count; i++) {
        const attempt *a = &m->running[i];
        bool is_meant = on == NOWHERE ? a->ends == m->now : a->node == on;
        if (is_meant && (found == m->running_count || comes_first(a, &m->running[found])))
            found = i;
    }
    return found;
}

static void recover(model *m, uint32_t n)
{
    m->stirred = true;
    if (m->nodes[n].up)
        return;
    m->nodes[n].up = true;
    naive_dag_tell(m, (naive_dag_event){.kind = NAIVE_DAG_NODE_UP, .node = n});
}

static void fail(model *m, uint32_t n)
{
    m->stirred = true;
    if (!m->nodes[n].up)
        return;
    for (size_t i = find_running(m, n); i < m->running_count; i = find_running(m, n))
        naive_dag_end(m, i, NAIVE_DAG_LOST);
    m->nodes[n].up = false;
    m->nodes[n].owner = NULL;
    naive_dag_look(m);
    naive_dag_tell(m, (naive_dag_event){.kind = NAIVE_DAG_NODE_DOWN, .node = n});
}

static void finish_task(model *m, size_t place)
{
    job *j = m->running[place].job;
    stage *s = m->running[place].stage;
    m->stirred = true;
    naive_dag_end(m, place, NAIVE_DAG_DONE);
    if (s->in_state[DONE] < s->given->tasks)
        return;
    s->finish = m->now;
    open_stages(m, j);
    if (!naive_dag_is_over(j))
        return;
    j->finish = m->now;
    for (uint32_t n = 0; n < m->node_count; n++)
        if (m->nodes[n].owner == j)
            m->nodes[n].owner = NULL;
    naive_dag_look(m);
    naive_dag_tell(m, (naive_dag_event){.kind = NAIVE_DAG_JOB_FINISH, .job = j->id});
}

static void arrive(model *m, job *j)
{
    m->stirred = true;
    j->arrived = true;
    open_stages(m, j);
    naive_dag_enter(m, j);
    naive_dag_tell(m, (naive_dag_event){.kind = NAIVE_DAG_ARRIVE, .job = j->id});
}

/* All events of this instant but the tick (DG3). */
static void handle_events(model *m)
{
    const naive_dag_scenario *s = m->scenario;
    for (uint32_t n = 0; n < m->node_count; n++)
        for (uint32_t f = 0; f < s->failure_count; f++)
            if (s->failures[f].node == n && s->failures[f].recover == m->now)
                recover(m, n);
    for (uint32_t n = 0; n < m->node_count; n++)
        for (uint32_t f = 0; f < s->failure_count; f++)
            if (s->failures[f].node == n && s->failures[f].time == m->now)
                fail(m, n);
    for (size_t i = find_running(m, NOWHERE); i < m->running_count; i = find_running(m, NOWHERE))
        finish_task(m, i);
    for (uint32_t i = 0; i < m->job_count; i++)
        if (m->jobs[i].given->arrival == m->now)
            arrive(m, &m->jobs[i]);
}

/* ---- instants ---- */

static uint64_t sooner(const model *m, uint64_t next, uint64_t time)
{
    return time >= m->from && time < next ? time : next;
}

/* NEVER when no event is left but ticks */
static uint64_t next_event(const model *m)
{
    const naive_dag_scenario *s = m->scenario;
    uint64_t next = NEVER;
    for (uint32_t f = 0; f < s->failure_count; f++) {
        next = sooner(m, next, s->failures[f].time);
        next = sooner(m, next, s->failures[f].recover);
    }
    for (size_t i = 0; i < m->running_count; i++)
        next = sooner(m, next, m->running[i].ends);
    for (uint32_t i = 0; i < m->job_count; i++)
        next = sooner(m, next, m->jobs[i].given->arrival);
    return next;
}

static bool has_ticks(const model *m)
{
    return m->policy == CAPACITY && m->params->preempt;
}

static bool find_next_instant(model *m)
{
    uint64_t next = next_event(m);
    uint64_t tick = m->params->tick_ms;
    if (next == NEVER)
        return false;
    if (has_ticks(m) && m->stirred)
        next = sooner(m, next, m->from == 0 ? tick : (m->from + tick - 1) / tick * tick);
    m->now = next;
    m->from = next + 1;
    return next < HORIZON && (m->params->max_time_ms == 0 || next < m->params->max_time_ms);
}

static bool is_all_over(const model *m)
{
    for (uint32_t i = 0; i < m->job_count; i++)
        if (m->jobs[i].finish == NEVER)
            return false;
    return true;
}

/* DG34 */
static bool is_any_offered(const model *m)
{
    for (uint32_t i = 0; i < m->job_count; i++)
        for (uint32_t s = 0; s < m->jobs[i].stage_count; s++)
            if (naive_dag_is_offered(m, &m->jobs[i], &m->jobs[i].stages[s]))
                return true;
    return false;
}

static void run(model *m)
{
    naive_dag_look(m);
    while (find_next_instant(m)) {
        m->saturated += is_any_offered(m) ? m->now - m->result->time : 0;
        m->result->time = m->now;
        handle_events(m);
        if (is_all_over(m))
            return;
        if (has_ticks(m) && m->now > 0 && m->now % m->params->tick_ms == 0) {
            m->stirred = false;
            naive_dag_preempt(m);
        }
        naive_dag_dispatch(m);
    }
}

bool naive_dag_run(const naive_dag_scenario *scenario, naive_dag_result *result)
{
    model m;
    enum policy policy;
    if (!naive_dag_find_policy(scenario->policy, &policy))
        return false;
    naive_dag_build(&m, scenario);
    *result = (naive_dag_result){.time = 0};
    m.result = result;
    m.policy = policy;
    run(&m);
    naive_dag_conclude(&m);
    naive_dag_destroy(&m);
    return true;
}
