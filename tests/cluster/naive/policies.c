/* See cluster.h: the policies. Jobs are sorted anew for each slot. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

bool naive_find_policy(model *m)
{
    static const char *const names[] = {"fifo",      "fair", "hsrtf-pu",  "hsrtf-pup", "hsrtf-pr",
                                        "hsrtf-prp", "rtmr", "rtmr-live", "dc"};
    for (int i = FIFO; i <= DC; i++) {
        if (strcmp(m->scenario->policy, names[i]) == 0) {
            m->policy = (enum policy)i;
            return true;
        }
    }
    return false;
}

bool naive_is_hsrtf(const model *m)
{
    return m->policy >= PU && m->policy <= PRP;
}

bool naive_has_shares(const model *m)
{
    return m->policy == PR || m->policy == PRP;
}

bool naive_admits(const model *m)
{
    return m->policy >= RTMR;
}

bool naive_has_ticks(const model *m)
{
    return naive_is_hsrtf(m) || m->scenario->copies;
}

/* ---- orders of jobs ---- */

/* What a policy sorts by, smaller first; ties in order of (submit, id), which is that of the
 * indices. */
static wide key_of(const model *m, const job *j, int kind)
{
    if (m->policy == FIFO)
        return 0;
    if (m->policy == FAIR)
        return m->scenario->deficit ? -j->deficit[kind]
                                    : (wide)j->in_state[kind][RUNNING] * 1000000 / naive_weight(j);
    return j->remaining;
}

static bool comes_before(const model *m, const job *a, const job *b, int kind)
{
    if (a->given->priority != b->given->priority) /* CL41 */
        return a->given->priority > b->given->priority;
    wide ka = key_of(m, a, kind);
    wide kb = key_of(m, b, kind);
    return ka != kb ? ka < kb : a->index < b->index;
}

/* The jobs in the system, sorted into m->order. */
uint32_t naive_sort_jobs(model *m, int kind)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < m->job_count; k++) {
        uint32_t at = count;
        if (!naive_is_active(&m->jobs[k]))
            continue;
        for (; at > 0 && comes_before(m, &m->jobs[k], m->order[at - 1], kind); at--)
            m->order[at] = m->order[at - 1];
        m->order[at] = &m->jobs[k];
        count++;
    }
    return count;
}

/* ---- fair (CL15, CL16) ---- */

/* Water-filling. */
static void add_deficits(model *m, int kind, wide ms)
{
    wide rest = 1000 * m->slots[kind];
    wide left = 0;
    bool *served = calloc(m->job_count + 1, sizeof *served);
    for (uint32_t k = 0; k < m->job_count; k++) {
        job *j = &m->jobs[k];
        if (!naive_is_active(j))
            continue;
        j->deficit[kind] -= 1000 * (wide)j->in_state[kind][RUNNING] * ms;
        left += naive_need(m, j, kind) > 0 ? naive_weight(j) : 0;
    }
    while (left > 0) {
        uint32_t first = UINT32_MAX; /* that needs least for its weight */
        for (uint32_t k = 0; k < m->job_count; k++) {
            const job *j = &m->jobs[k], *than = first == UINT32_MAX ? NULL : &m->jobs[first];
            if (!naive_is_active(j) || naive_need(m, j, kind) == 0 || served[k])
                continue;
            if (!than || naive_need(m, j, kind) * naive_weight(than) <
                             naive_need(m, than, kind) * naive_weight(j))
                first = k;
        }
        job *j = &m->jobs[first];
        wide share = wide_least(1000 * naive_need(m, j, kind), rest * naive_weight(j) / left);
        served[first] = true;
        j->deficit[kind] += share * ms;
        rest -= share;
        left -= naive_weight(j);
    }
    free(served);
}

void naive_elapse(model *m, uint64_t ms)
{
    for (int kind = MAP; kind <= REDUCE && m->policy == FAIR; kind++)
        add_deficits(m, kind, (wide)ms);
}

static bool has_local(const job *j, uint32_t n)
{
    for (uint32_t i = 0; i < j->count[MAP]; i++)
        if (j->tasks[MAP][i].state == PENDING && naive_holds_input(j, i, n))
            return true;
    return false;
}

static bool waits_for_locality(const model *m, job *j, uint32_t n)
{
    uint64_t delay = m->scenario->config.scheduler.locality_delay_ms;
    if (has_local(j, n)) {
        j->skip_since = NEVER;
        return false;
    }
    if (delay == 0)
        return false;
    if (j->skip_since == NEVER)
        j->skip_since = m->now;
    return m->now - j->skip_since < delay;
}

uint64_t naive_next_wake(const model *m)
{
    uint64_t next = NEVER;
    for (uint32_t k = 0; k < m->job_count; k++) {
        const job *j = &m->jobs[k];
        uint64_t wake = j->skip_since + m->scenario->config.scheduler.locality_delay_ms;
        if (naive_is_active(j) && j->skip_since != NEVER && wake >= m->from && wake < next)
            next = wake;
    }
    return next;
}

/* ---- picking ---- */

/* CL19: aff > 0 */
static bool has_affinity(const job *j, uint32_t n)
{
    for (uint32_t i = 0; i < j->count[MAP]; i++) {
        const task *t = &j->tasks[MAP][i];
        if (t->state == PENDING ? naive_holds_input(j, i, n) : t->node == n)
            return true;
        if (has_copy(j, MAP, i) && j->tasks[MAP][i + j->count[MAP]].node == n)
            return true;
    }
    return false;
}

static bool belongs_elsewhere(const model *m, const job *j, uint32_t n)
{
    if (!m->scenario->colocate || has_affinity(j, n))
        return false;
    for (uint32_t other = 0; other < m->node_count; other++)
        if (naive_free(m, &m->nodes[other], REDUCE) > 0 && has_affinity(j, other))
            return true;
    return false;
}

/* Who is tried, sorted into m->order. */
static uint32_t candidates(model *m, int kind, uint32_t n)
{
    uint32_t jobs = naive_sort_jobs(m, kind);
    uint32_t count = 0;
    bool any_below = false;
    for (uint32_t i = 0; i < jobs; i++)
        if (naive_has_task_for(m, m->order[i], kind, n))
            m->order[count++] = m->order[i];
    if (!naive_has_shares(m))
        return count;
    for (uint32_t i = 0; i < count; i++)
        any_below = any_below || m->order[i]->in_state[kind][RUNNING] < m->order[i]->share[kind];
    if (!any_below)
        return m->scenario->work_conserving ? count : 0;
    jobs = count;
    count = 0;
    for (uint32_t i = 0; i < jobs; i++)
        if (m->order[i]->in_state[kind][RUNNING] < m->order[i]->share[kind])
            m->order[count++] = m->order[i];
    return count;
}

job *naive_pick(model *m, uint32_t n, int kind)
{
    if (naive_admits(m))
        return naive_pick_in_order(m, kind);
    uint32_t count = candidates(m, kind, n);
    for (uint32_t i = 0; i < count; i++) {
        job *j = m->order[i];
        if (naive_suspended_on(j, kind, n) != UINT32_MAX) /* CL35 */
            return j;
        bool refused = (m->policy == FAIR && kind == MAP && waits_for_locality(m, j, n)) ||
                       (naive_is_hsrtf(m) && kind == REDUCE && belongs_elsewhere(m, j, n));
        if (!refused)
            return j;
    }
    return NULL;
}
