/* See tandem.h: from one instant to the next. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

long double naive_tandem_tolerance(long double time)
{
    double now = (double)time;
    double next;
    uint64_t bits;
    memcpy(&bits, &now, sizeof bits);
    bits++;
    memcpy(&next, &bits, sizeof next);
    return 64 * ((long double)next - now);
}

/* At an offset of the busy period. Arrivals that are given as times are rounded as such, whatever
 * their offset. */
static long double tolerance(const model *m, long double offset)
{
    return naive_tandem_tolerance(m->config->gaps ? offset : m->base + offset);
}

/* Times from now to a job's own events (TA6). */
static long double map_ends(const job_state *s)
{
    return s->x > 0 && s->p > 0 ? s->x / s->p : NEVER;
}

static long double backlog_ends(const job_state *s)
{
    return s->b > 0 && s->q > s->g ? s->b / (s->q - s->g) : NEVER;
}

/* In what time two amounts meet that shrink at these rates, as far as that is not now. */
static long double meeting(const model *m, const long double a[2], const long double b[2])
{
    long double in = a[1] != b[1] ? (a[0] - b[0]) / (a[1] - b[1]) : -1;
    return in > 4 * tolerance(m, m->time) ? in : NEVER;
}

/* The next meeting of X and Y of any one or two jobs, or of X + Y of two, and a little later. */
static long double next_meeting(const model *m)
{
    long double first = NEVER;
    for (size_t i = 0; i < m->present; i++) {
        for (size_t k = 0; k <= i; k++) {
            const job_state *a = m->order[i];
            const job_state *b = m->order[k];
            const long double left_of[2][3][2] = {
                {{a->x, a->p},
                 {naive_tandem_true_y(m, a), a->q},
                 {a->x + naive_tandem_true_y(m, a), a->p + a->q}},
                {{b->x, b->p},
                 {naive_tandem_true_y(m, b), b->q},
                 {b->x + naive_tandem_true_y(m, b), b->p + b->q}},
            };
            for (int of_a = 0; of_a < 2; of_a++)
                for (int of_b = 0; of_b < 2; of_b++)
                    first = least(first, meeting(m, left_of[0][of_a], left_of[1][of_b]));
            first = least(first, meeting(m, left_of[0][2], left_of[1][2]));
        }
    }
    return first == NEVER ? NEVER : first + 2 * tolerance(m, m->time + first);
}

/* Moves on by `in`; what is due by `due` ends exactly. A backlog that is all but shuffled when the
 * map work ends is due as well: generation has stopped (TA21). */
static void advance_job(const model *m, job_state *s, long double in, long double due)
{
    bool mapped = map_ends(s) <= due;
    long double ratio = m->config->traditional || s->job->map == 0 ? 0
                                                                   : s->job->shuffle / s->job->map;
    /* never more than y, even if an arrival delays the instant */
    long double generated = (mapped ? s->x : s->p * in) * ratio;
    s->mapped = mapped ? s->job->map : s->mapped + s->p * in;
    s->shuffled += s->q * in;
    if (backlog_ends(s) <= due)
        s->b = 0;
    else if (s->b > 0 || s->q != s->g) /* TA8: at q = g an empty backlog stays empty */
        s->b = most(0, s->b + generated - s->q * in);
    s->x = mapped ? 0 : s->x - s->p * in;
    if (!mapped)
        return;
    s->times->map_finish = m->base + m->time;
    if (s->q > 0 && s->b / s->q <= tolerance(m, m->time))
        s->b = 0;
    if (m->config->traditional)
        s->b = s->job->shuffle; /* TA4 */
}

static void mark_crossings(model *m, long double due)
{
    if (strcmp(m->config->policy, "srptshuffle") != 0)
        return;
    for (size_t i = 0; i < m->present; i++)
        for (size_t k = i + 1; k < m->present; k++)
            if (naive_tandem_catching(m, m->order[i], m->order[k]) <= due && !m->order[k]->caught)
                m->order[k]->caught = m->order[i];
}

/* TA5, TA6. */
static void admit(model *m)
{
    for (size_t i = 0; i < m->count; i++) {
        job_state *s = &m->jobs[i];
        if (s->arrived || s->arrival > m->time)
            continue;
        s->arrived = true;
        s->x = s->job->map;
        s->b = 0;
        if (s->x == 0) {
            s->b = s->job->shuffle;
            s->times->map_finish = s->job->arrival;
        }
    }
}

static void remove_complete(model *m)
{
    m->present = 0;
    for (size_t i = 0; i < m->count; i++) {
        job_state *s = &m->jobs[i];
        if (!s->arrived || s->complete)
            continue;
        if (s->x == 0 && s->b == 0) {
            s->complete = true;
            s->times->finish = m->base + m->time;
            s->times->response = m->time - s->arrival;
        } else {
            m->order[m->present++] = s;
        }
    }
    if (m->present == 0) { /* TA23 */
        m->base += m->time;
        m->time = 0;
        for (size_t i = 0; i < m->count; i++)
            m->jobs[i].arrival = m->jobs[i].job->arrival - m->base;
    }
}

static long double next_event(const model *m)
{
    long double in = m->crossing;
    for (size_t i = 0; i < m->present; i++)
        in = least(in, least(map_ends(m->order[i]), backlog_ends(m->order[i])));
    for (size_t i = 0; i < m->count; i++)
        if (!m->jobs[i].arrived)
            in = least(in, most(0, m->jobs[i].arrival - m->time));
    return in;
}

/* TA21: the earliest event sets the time, those due within 64 ulp happen with it, and the last
 * arrival among these sets the time anew. False when no event is left. */
static bool step(model *m)
{
    long double before = m->time;
    long double in = next_event(m);
    if (in == NEVER)
        return false;
    long double due = in + tolerance(m, before + in);
    m->time = before + in;
    for (size_t i = 0; i < m->count; i++)
        if (!m->jobs[i].arrived && m->jobs[i].arrival - before <= due)
            m->time = m->jobs[i].arrival;
    mark_crossings(m, due);
    for (size_t i = 0; i < m->present; i++)
        advance_job(m, m->order[i], m->time - before, due);
    admit(m);
    remove_complete(m);
    return true;
}

static bool all_complete(const model *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (!m->jobs[i].complete)
            return false;
    return true;
}

enum naive_tandem_result naive_tandem_run(const naive_tandem_config *config,
                                          const naive_tandem_job *jobs, size_t count,
                                          naive_tandem_times *times)
{
    model m = {.config = config, .count = count, .c = config->speed};
    m.jobs = calloc(count + 1, sizeof *m.jobs);
    m.order = calloc(count + 1, sizeof(job_state *));
    for (size_t i = 0; i < count; i++)
        m.jobs[i] = (job_state){.job = &jobs[i], .times = &times[i], .arrival = jobs[i].arrival};
    bool known = naive_tandem_set_rates(&m);
    bool moving = known;
    while (moving && !all_complete(&m)) {
        naive_tandem_set_rates(&m);
        if (config->meetings)
            m.crossing = least(m.crossing, next_meeting(&m));
        moving = step(&m);
    }
    free(m.order);
    free(m.jobs);
    return moving ? NAIVE_TANDEM_DONE : known ? NAIVE_TANDEM_STUCK : NAIVE_TANDEM_UNKNOWN;
}
