/* The naive dag model: what no schedule can beat (DG28). */
#include <stdlib.h>

#include "model.h"

/* len* */
static wide shortest_length(const model *m, const job *j, const stage *s, uint32_t index)
{
    uint32_t speed = 0;
    for (uint32_t n = 0; n < m->node_count; n++)
        if (naive_dag_holds(m, &m->nodes[n], s) && m->nodes[n].given->speed > speed)
            speed = m->nodes[n].given->speed;
    return naive_dag_length(m, j, s, index, speed);
}

/* ---- one job alone ---- */

static wide longest_task(const model *m, const job *j, const stage *s)
{
    wide longest = 0;
    for (uint32_t i = 0; i < s->given->tasks; i++)
        longest = wide_most(longest, shortest_length(m, j, s, i));
    return longest;
}

/* Longer paths are looked for until there is none. */
wide naive_dag_longest_path(const model *m, const job *j)
{
    wide *own = naive_dag_zeroed(j->stage_count, sizeof *own);
    wide *end = naive_dag_zeroed(j->stage_count, sizeof *end);
    wide longest = 0;
    bool changed = true;
    for (uint32_t s = 0; s < j->stage_count; s++)
        own[s] = end[s] = longest_task(m, j, &j->stages[s]);
    while (changed) {
        changed = false;
        for (uint32_t s = 0; s < j->stage_count; s++) {
            const naive_dag_stage *given = j->stages[s].given;
            for (uint32_t p = 0; p < given->parent_count; p++) {
                wide later = end[given->parents[p]] + own[s];
                changed = changed || later > end[s];
                end[s] = wide_most(end[s], later);
            }
        }
    }
    for (uint32_t s = 0; s < j->stage_count; s++)
        longest = wide_most(longest, end[s]);
    free(own);
    free(end);
    return longest;
}

wide naive_dag_area(const model *m, const job *j, uint32_t r)
{
    const wide most = (wide)1 << 62; /* a sum of much larger parts could pass 2^127 */
    wide area = 0;
    for (uint32_t s = 0; s < j->stage_count; s++)
        for (uint32_t i = 0; i < j->stages[s].given->tasks; i++) {
            wide length = shortest_length(m, j, &j->stages[s], i);
            area = wide_least(most, area + length * j->stages[s].given->demand[r]);
        }
    return area;
}

wide naive_dag_alone(const model *m, const job *j)
{
    wide alone = naive_dag_longest_path(m, j);
    for (uint32_t r = 0; r < m->resources; r++)
        alone = wide_most(alone, wide_divide_up(naive_dag_area(m, j, r), m->cap[r]));
    return alone;
}

/* ---- all jobs ---- */

wide naive_dag_makespan_bound(const model *m)
{
    wide bound = 0;
    wide area[R] = {0};
    for (uint32_t i = m->job_count; i-- > 0;) {
        const job *j = &m->jobs[i];
        bound = wide_most(bound, j->given->arrival + naive_dag_alone(m, j));
        for (uint32_t r = 0; r < m->resources; r++) {
            area[r] += naive_dag_area(m, j, r);
            bound = wide_most(bound, j->given->arrival + wide_divide_up(area[r], m->cap[r]));
        }
    }
    return bound - m->jobs[0].given->arrival;
}

typedef struct release {
    wide time, left;
} release;

/* The one with the least left of those that are there; count when there is none. */
static uint32_t shortest(const release *of, uint32_t count, wide now)
{
    uint32_t found = count;
    for (uint32_t i = 0; i < count; i++)
        if (of[i].time <= now && of[i].left > 0 && (found == count || of[i].left < of[found].left))
            found = i;
    return found;
}

/* The next release after now; -1 when there is none. */
static wide next_release(const release *of, uint32_t count, wide now)
{
    wide next = -1;
    for (uint32_t i = 0; i < count; i++)
        if (of[i].time > now && (next < 0 || of[i].time < next))
            next = of[i].time;
    return next;
}

/* Total flow time of preemptive SRPT on one machine. */
static wide srpt_flow(release *of, uint32_t count)
{
    wide flow = 0;
    wide now = 0;
    for (;;) {
        uint32_t i = shortest(of, count, now);
        wide next = next_release(of, count, now);
        if (i == count && next < 0)
            return flow;
        if (i == count) {
            now = next;
        } else if (next >= 0 && next - now < of[i].left) {
            of[i].left -= next - now;
            now = next;
        } else {
            now += of[i].left;
            of[i].left = 0;
            flow += now - of[i].time;
        }
    }
}

static wide flow_bound(const model *m, uint32_t r)
{
    release *releases = naive_dag_zeroed(m->job_count, sizeof *releases);
    for (uint32_t i = 0; i < m->job_count; i++)
        releases[i] = (release){m->jobs[i].given->arrival * m->cap[r],
                                naive_dag_area(m, &m->jobs[i], r)};
    wide flow = srpt_flow(releases, m->job_count);
    free(releases);
    return wide_divide_up(flow, m->cap[r]);
}

wide naive_dag_total_bound(const model *m)
{
    wide bound = 0;
    for (uint32_t i = 0; i < m->job_count; i++)
        bound += naive_dag_alone(m, &m->jobs[i]);
    for (uint32_t r = 0; r < m->resources; r++)
        bound = wide_most(bound, flow_bound(m, r));
    return bound;
}
