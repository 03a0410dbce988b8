/* The naive cluster: what no policy can beat (CL45). Every period and every column is computed on
 * its own. */
#include <stdlib.h>

#include "model.h"

static const wide WORK_MOST = (wide)1 << 62;

/* The tasks of a kind of one job. */
typedef struct phase {
    wide longest, work, alone;
} phase;

/* All jobs. */
typedef struct table {
    const model *m;
    phase (*phases)[2];
} table;

typedef struct release {
    wide time, left;
} release;

/* ---- one job ---- */

static wide station_speed(const model *m, int kind, bool fastest)
{
    wide found = 0;
    for (uint32_t n = 0; n < m->node_count; n++)
        if (m->nodes[n].slots[kind] > 0 && (found == 0 || (m->nodes[n].speed > found) == fastest))
            found = m->nodes[n].speed;
    return found;
}

static wide station_rate(const model *m, int kind)
{
    wide rate = 0;
    for (uint32_t n = 0; n < m->node_count; n++)
        rate += (wide)m->nodes[n].slots[kind] * m->nodes[n].speed;
    return rate;
}

/* CL8 */
static wide factor_drawn(const pn_cluster_config *c, const job *j, int kind, uint32_t index,
                         uint32_t attempt)
{
    const uint64_t words[] = {c->seed, 1, j->index, (uint64_t)kind, index, attempt};
    return c->factor_lo + naive_mix(6, words) % ((uint64_t)c->factor_hi - c->factor_lo + 1);
}

static wide factor_of_task(const model *m, const job *j, int kind, uint32_t index)
{
    const pn_cluster_config *c = &m->scenario->config;
    const uint32_t *listed = kind == MAP ? j->given->map_factor : j->given->reduce_factor;
    uint32_t kills = c->scheduler.max_kills;
    if (listed)
        return listed[index];
    if (kills == 0 || kills > 14 || c->attempt_fail_permille > 0 || m->scenario->failure_count > 0)
        return c->factor_lo;
    wide factor = factor_drawn(c, j, kind, index, 0);
    for (uint32_t attempt = 1; attempt <= kills + 1; attempt++)
        factor = wide_least(factor, factor_drawn(c, j, kind, index, attempt));
    return factor;
}

static wide base_of_task(const job *j, int kind, uint32_t index)
{
    const pn_cluster_job *g = j->given;
    if (kind == REDUCE)
        return g->reduce_times ? g->reduce_times[index] : g->reduce_ms;
    wide base = g->map_times ? g->map_times[index] : g->map_ms;
    return j->replica_count[index] == 0 ? base + g->remote_ms : base;
}

static phase phase_of(const model *m, const job *j, int kind)
{
    phase p = {0, 0, 0};
    for (uint32_t i = 0; i < j->count[kind]; i++) {
        wide nominal = base_of_task(j, kind, i) * factor_of_task(m, j, kind, i);
        wide length = wide_divide_up(nominal, station_speed(m, kind, true));
        length = wide_least(wide_most(1, length), ((wide)1 << 53) + 1);
        p.longest = wide_most(p.longest, length);
        p.work += wide_most(nominal, length * station_speed(m, kind, false));
        p.work = wide_least(p.work, WORK_MOST);
    }
    if (p.work > 0)
        p.alone = wide_most(p.longest, wide_divide_up(p.work, station_rate(m, kind)));
    return p;
}

/* The first heartbeat of any node from then on. */
static wide first_beat(const model *m, uint64_t time)
{
    uint64_t period = m->scenario->config.heartbeat_ms;
    wide first = -1;
    for (uint32_t n = 0; n < m->node_count && period > 0; n++) {
        wide beat = (wide)n * period / m->node_count;
        while (beat < time)
            beat += wide_most(1, (time - beat) / period) * period;
        first = first < 0 ? beat : wide_least(first, beat);
    }
    return period > 0 ? first : time;
}

/* ---- a column ---- */

/* Serves the least work that is there until `end`, or until nothing is left where it is below 0.
 * Returns the sum of the times in the system, in units of which a ms has `rate`. */
static wide serve(release *of, size_t count, wide end)
{
    wide flow = 0;
    for (wide now = 0; end < 0 || now < end;) {
        size_t best = count;
        wide next = end;
        for (size_t i = 0; i < count; i++)
            if (of[i].left > 0 && of[i].time > now)
                next = next < 0 ? of[i].time : wide_least(next, of[i].time);
            else if (of[i].left > 0 && (best == count || of[i].left < of[best].left))
                best = i;
        if (best == count && next < 0)
            return flow;
        if (best < count) {
            wide until = now + of[best].left;
            next = next < 0 ? until : wide_least(next, until);
            of[best].left -= next - now;
            flow += of[best].left == 0 ? next - of[best].time : 0;
        }
        now = next;
    }
    return flow;
}

/* The column of a kind and a share in 32nds, of the jobs from `first` to the one before `behind`,
 * until a time: false when work is left then; below 0: to the end. *total is their response
 * time. */
static bool column_of(const table *t, int kind, wide share, size_t first, size_t behind, wide until,
                      wide *total)
{
    const model *m = t->m;
    wide rate = station_rate(m, kind);
    release *releases = naive_zeroed(behind - first, sizeof *releases);
    bool empty = true;
    *total = 0;
    for (size_t i = first; i < behind; i++) {
        const job *j = &m->jobs[i];
        phase own = t->phases[i][kind];
        phase other = t->phases[i][kind == MAP ? REDUCE : MAP];
        wide beat = first_beat(m, j->given->submit);
        *total += beat - j->given->submit + other.alone;
        if (32 * own.work <= share * wide_least(rate * own.longest, WORK_MOST))
            *total += own.longest;
        else
            releases[i - first] = (release){rate * (kind == MAP ? beat : beat + other.alone),
                                            own.work};
    }
    wide flow = serve(releases, behind - first, until < 0 ? until : until * rate);
    *total += rate > 0 ? wide_divide_up(flow, rate) : 0;
    for (size_t i = 0; i < behind - first; i++)
        empty = empty && releases[i].left == 0;
    free(releases);
    return empty;
}

/* The largest of the columns; false when work is left in one. */
static bool period_of(const table *t, size_t first, size_t behind, wide until, wide *bound)
{
    static const int shares[] = {0, 1, 8, 32};
    bool over = true;
    *bound = 0;
    for (int kind = MAP; kind <= REDUCE; kind++)
        for (int s = 0; s < 4; s++) {
            wide total = 0;
            over = column_of(t, kind, shares[s], first, behind, until, &total) && over;
            *bound = wide_most(*bound, total);
        }
    return over;
}

uint64_t naive_total_bound(const model *m)
{
    wide sum = 0;
    wide bound = 0;
    size_t first = 0;
    table t = {m, naive_zeroed(m->job_count, sizeof *t.phases)};
    for (size_t i = 0; i < m->job_count; i++)
        for (int kind = MAP; kind <= REDUCE; kind++)
            t.phases[i][kind] = phase_of(m, &m->jobs[i], kind);
    for (size_t i = 1; i < m->job_count; i++)
        if (period_of(&t, first, i, m->jobs[i].given->submit, &bound)) {
            sum += bound;
            first = i;
        }
    if (m->job_count > 0)
        period_of(&t, first, m->job_count, -1, &bound);
    free(t.phases);
    return (uint64_t)wide_least(sum + bound, (wide)1 << 53);
}
