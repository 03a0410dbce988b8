/* See cluster.h: when jobs will finish, by the slots' times that rtmr keeps with each job (CL22,
 * CL23, CL25) and by those that rtmr-live reads off what runs (CL29-CL33). Task by task, as the
 * algorithms are written. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* ---- the algorithms ---- */

/* So far in the future that it never comes (CL33). */
static const wide far = (wide)1 << 60;

/* When slots become available. */
typedef struct vector {
    wide *at;
    size_t count;
} vector;

static wide *first_of(vector v)
{
    wide *first = &v.at[0];
    for (size_t i = 0; i < v.count; i++)
        if (v.at[i] < *first)
            first = &v.at[i];
    return first;
}

/* Algorithms II and III: so many tasks from this time on, each on the slot that is available first.
 * When the last one ends. */
static wide add_tasks(vector v, uint32_t count, wide from, wide task_ms)
{
    wide end = from;
    for (uint32_t k = 0; k < count && v.count == 0; k++)
        end = far;
    for (uint32_t k = 0; k < count && v.count > 0; k++) {
        wide *first = first_of(v);
        *first = wide_most(*first, from);
        *first = wide_least(far, *first + task_ms);
        end = *first;
    }
    return end;
}

/* ---- rtmr ---- */

/* A job's slots, map and reduce. */
typedef struct record {
    vector of[2];
} record;

static record new_record(const model *m)
{
    record r;
    for (int kind = MAP; kind <= REDUCE; kind++) {
        r.of[kind].count = (size_t)m->slots[kind];
        r.of[kind].at = naive_zeroed(r.of[kind].count, sizeof(wide));
    }
    return r;
}

static void free_record(record r)
{
    free(r.of[MAP].at);
    free(r.of[REDUCE].at);
}

static void load(record r, const job *j)
{
    for (int kind = MAP; kind <= REDUCE; kind++)
        memcpy(r.of[kind].at, j->slots_at[kind], r.of[kind].count * sizeof(wide));
}

static void store(record r, job *j)
{
    for (int kind = MAP; kind <= REDUCE; kind++)
        memcpy(j->slots_at[kind], r.of[kind].at, r.of[kind].count * sizeof(wide));
}

/* CL22 */
static void load_predecessor(const model *m, record r, uint32_t place)
{
    for (uint32_t i = place; i > 0; i--) {
        if (m->scenario->deadlines.keep || m->taken[i - 1]->state == PN_SCHEDULER_UNFINISHED) {
            load(r, m->taken[i - 1]);
            return;
        }
    }
}

/* Algorithms II and III for all its tasks: e. */
static wide add_job(const model *m, record r, const job *j)
{
    wide maps_end = add_tasks(r.of[MAP], j->count[MAP], (wide)m->now, j->est[MAP]);
    for (size_t i = 0; i < r.of[MAP].count && m->scenario->deadlines.reserve_strict; i++)
        if (j->count[REDUCE] > 0) /* which wait for all maps ahead */
            maps_end = wide_most(maps_end, r.of[MAP].at[i]);
    return add_tasks(r.of[REDUCE], j->count[REDUCE], maps_end, j->est[REDUCE]);
}

/* Algorithm I from this place on: whether all of them make their deadlines. */
static bool chain_holds(model *m, uint32_t place, bool keep)
{
    bool holds = true;
    record r = new_record(m);
    load_predecessor(m, r, place);
    for (uint32_t i = place; i < m->taken_count; i++) {
        job *j = m->taken[i];
        wide end = add_job(m, r, j);
        holds = holds && naive_comes_true(j, end);
        if (i == place)
            j->promise = (uint64_t)end;
        if (keep) {
            store(r, j);
            j->finish_at = end;
        }
    }
    free_record(r);
    return holds;
}

bool naive_rtmr_takes(model *m, uint32_t place)
{
    return chain_holds(m, place, false) && chain_holds(m, place, true);
}

static int compare_times(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;
    return (*a > *b) - (*a < *b);
}

/* Algorithm VI */
static void update_slots(record r, const job *j)
{
    for (int kind = MAP; kind <= REDUCE; kind++) {
        uint64_t *ends = naive_zeroed(j->count[kind], sizeof *ends);
        for (uint32_t i = 0; i < j->count[kind]; i++)
            ends[i] = j->tasks[kind][i].end;
        qsort(ends, j->count[kind], sizeof *ends, compare_times);
        for (uint32_t i = 0; i < j->count[kind]; i++)
            *first_of(r.of[kind]) = (wide)ends[i];
        free(ends);
    }
}

static uint32_t place_of(const model *m, const job *j)
{
    uint32_t place = 0;
    while (m->taken[place] != j)
        place++;
    return place;
}

/* Algorithm V: the job's record as it really was, and what follows from it for those behind it. */
static void correct_records(model *m, uint32_t place)
{
    record r = new_record(m);
    load_predecessor(m, r, place);
    update_slots(r, m->taken[place]);
    store(r, m->taken[place]);
    for (uint32_t i = place + 1; i < m->taken_count; i++) {
        job *j = m->taken[i];
        if (j->state == PN_SCHEDULER_UNFINISHED)
            j->finish_at = add_job(m, r, j);
        else if (j->state == PN_SCHEDULER_FINISHED && m->scenario->deadlines.satu)
            update_slots(r, j);
        else
            continue;
        store(r, j);
    }
    free_record(r);
}

void naive_feed_back(model *m, job *j)
{
    uint32_t place = place_of(m, j);
    wide expected = j->finish_at;
    if (!m->scenario->deadlines.feedback)
        return;
    if (m->scenario->deadlines.recompute) {
        record r = new_record(m);
        load_predecessor(m, r, place);
        expected = add_job(m, r, j);
        free_record(r);
    }
    wide off = expected > (wide)m->now ? expected - (wide)m->now : (wide)m->now - expected;
    if (off <= (wide)m->scenario->deadlines.theta_ms && naive_comes_true(j, (wide)m->now))
        return;
    m->fired++;
    correct_records(m, place);
}

/* ---- rtmr-live ---- */

bool naive_overruns(const model *m, const job *j, int kind, uint32_t index)
{
    wide begin = (wide)j->tasks[kind][index].start;
    if (kind == REDUCE && j->map_finish == NEVER)
        return false;
    if (kind == REDUCE)
        begin = wide_most(begin, (wide)j->map_finish);
    return (wide)m->now > begin + j->est[kind] - m->extra[kind];
}

/* CL29: of an attempt that runs. A reduce that waits for maps to be run again works after them
 * only. */
static wide available_after(const model *m, const job *j, int kind, uint32_t index, wide maps_end)
{
    wide begin = (wide)j->tasks[kind][index].start;
    if (kind == REDUCE)
        begin = wide_most(begin, j->map_finish != NEVER ? (wide)j->map_finish : maps_end);
    return wide_least(far, wide_most((wide)m->now, begin + j->est[kind] - m->extra[kind]));
}

/* `maps_end`: of each job in the order. */
static vector slots_now(const model *m, int kind, const wide *maps_end)
{
    vector v = {naive_zeroed((size_t)m->slots[kind], sizeof(wide)), 0};
    for (uint32_t n = 0; n < m->node_count; n++)
        for (uint32_t i = 0; i < naive_free(m, &m->nodes[n], kind); i++)
            v.at[v.count++] = (wide)m->now;
    for (uint32_t k = 0; k < m->taken_count; k++)
        for (uint32_t i = 0; i < m->taken[k]->count[kind]; i++)
            if (m->taken[k]->tasks[kind][i].state == RUNNING)
                v.at[v.count++] = available_after(m, m->taken[k], kind, i, maps_end[k]);
    return v;
}

/* CL30: the ends of one kind of tasks of each job in the order that is not over. Those that wait
 * start after `maps_end`. */
static void look_ahead_at(const model *m, int kind, const wide *maps_end, wide *ends)
{
    vector v = slots_now(m, kind, maps_end);
    for (uint32_t k = 0; k < m->taken_count; k++) {
        const job *j = m->taken[k];
        if (j->state != PN_SCHEDULER_UNFINISHED)
            continue;
        wide end = add_tasks(v, j->in_state[kind][PENDING], maps_end[k], j->est[kind]);
        for (uint32_t i = 0; i < j->count[kind]; i++)
            if (j->tasks[kind][i].state == RUNNING)
                end = wide_most(end, available_after(m, j, kind, i, maps_end[k]));
        ends[k] = wide_most(maps_end[k], end);
    }
    free(v.at);
}

/* The list is to be freed. */
static wide *look_ahead(const model *m)
{
    wide *maps_end = naive_zeroed(m->taken_count, sizeof *maps_end);
    wide *ends = naive_zeroed(m->taken_count, sizeof *ends);
    for (uint32_t k = 0; k < m->taken_count; k++)
        ends[k] = (wide)m->now;
    look_ahead_at(m, MAP, ends, maps_end);
    look_ahead_at(m, REDUCE, maps_end, ends);
    free(maps_end);
    return ends;
}

static uint64_t told(wide end)
{
    return end >= far ? NEVER : (uint64_t)end;
}

/* CL32 */
void naive_look_again(model *m)
{
    if (m->policy != LIVE)
        return;
    wide *ends = look_ahead(m);
    m->overrun = false;
    for (uint32_t i = 0; i < m->taken_count; i++) {
        job *j = m->taken[i];
        if (j->state != PN_SCHEDULER_UNFINISHED)
            continue;
        bool late = !naive_comes_true(j, ends[i]);
        j->finish_at = ends[i];
        if (late && !j->late)
            naive_log_prospect(m, PN_SCHEDULER_LATE, j, told(ends[i]));
        j->late = late;
    }
    free(ends);
}

/* CL31: the place of the first job that would miss its deadline, from this place on; if none, the
 * number of jobs, and the estimates are theirs. */
static uint32_t first_in_danger(model *m, uint32_t place)
{
    wide *ends = look_ahead(m);
    uint32_t first = place;
    while (first < m->taken_count &&
           (m->taken[first]->late || naive_comes_true(m->taken[first], ends[first])))
        first++;
    m->taken[place]->promise = told(ends[place]);
    for (uint32_t i = place; i < m->taken_count && first == m->taken_count; i++)
        m->taken[i]->finish_at = ends[i];
    free(ends);
    return first;
}

/* Whether something has gone against the estimates of tasks since the last time. */
static bool is_overrun(const model *m)
{
    for (uint32_t k = 0; k < m->taken_count; k++)
        for (int kind = MAP; kind <= REDUCE; kind++)
            for (uint32_t i = 0; i < m->taken[k]->count[kind]; i++)
                if (m->taken[k]->tasks[kind][i].state == RUNNING &&
                    naive_overruns(m, m->taken[k], kind, i))
                    return true;
    return m->overrun || m->scenario->config.scheduler.running_most > 0;
}

bool naive_live_takes(model *m, uint32_t place)
{
    uint32_t first = first_in_danger(m, place);
    if (first > place && first < m->taken_count && is_overrun(m)) {
        job *j = m->taken[place];
        memmove(&m->taken[place], &m->taken[place + 1],
                (m->taken_count - 1 - place) * sizeof(job *));
        m->taken_count--;
        naive_look_again(m);
        memmove(&m->taken[place + 1], &m->taken[place], (m->taken_count - place) * sizeof(job *));
        m->taken_count++;
        m->taken[place] = j;
        first = first_in_danger(m, place);
    }
    return first == m->taken_count;
}
