/* See makespan.h: stages, estimates, and the simulation of one order. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- stages (N, E) ---- */

fraction naive_makespan_work(const naive_makespan_stage *stage)
{
    fraction sum = fraction_whole(0);
    for (size_t i = 0; i < stage->count; i++)
        sum = fraction_add(sum, stage->tasks[i]);
    return sum;
}

fraction naive_makespan_longest(const naive_makespan_stage *stage)
{
    fraction longest = fraction_whole(0);
    for (size_t i = 0; i < stage->count; i++)
        longest = fraction_most(longest, stage->tasks[i]);
    return longest;
}

static void too_many_tasks(void)
{
    fprintf(stderr, "naive_makespan: too many tasks\n");
    abort();
}

void naive_makespan_normalise(const naive_makespan_config *config, naive_makespan_job *jobs,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            naive_makespan_stage *stage = &jobs[i].stage[k];
            if (!stage->listed && stage->has_time && stage->time.num > 0) { /* MK2 */
                unsigned base = config->base_slots[k] > 0 ? config->base_slots[k]
                                                          : config->slots[k];
                unsigned tasks = stage->requested > 0 ? stage->requested : base;
                if (tasks > NAIVE_MAKESPAN_TASKS)
                    too_many_tasks();
                while (stage->count < tasks)
                    stage->tasks[stage->count++] = stage->time;
            }
            if (stage->requested == 0) /* MK3 */
                stage->requested = stage->count > 0 ? (unsigned)stage->count : 1;
        }
    }
}

/* The tasks as listed, each on the slot that is free first; returns when the last one ends. */
static fraction waves(const naive_makespan_stage *stage, unsigned slots)
{
    fraction *free_at = calloc(slots, sizeof *free_at);
    fraction last = fraction_whole(0);
    for (unsigned s = 0; s < slots; s++)
        free_at[s] = fraction_whole(0);
    for (size_t i = 0; i < stage->count; i++) {
        unsigned first = 0;
        for (unsigned s = 1; s < slots; s++)
            if (fraction_less(free_at[s], free_at[first]))
                first = s;
        free_at[first] = fraction_add(free_at[first], stage->tasks[i]);
        last = fraction_most(last, free_at[first]);
    }
    free(free_at);
    return last;
}

fraction naive_makespan_estimate(const naive_makespan_stage *stage, unsigned time, unsigned slots)
{
    unsigned used = stage->requested < slots ? stage->requested : slots;
    if (time == NAIVE_GIVEN && stage->has_time)
        return stage->time;
    if (stage->count == 0)
        return fraction_whole(0);
    if (time == NAIVE_WAVES)
        return waves(stage, slots);
    if (time == NAIVE_CAPPED)
        return fraction_divide(naive_makespan_work(stage), fraction_whole(used));
    if (time == NAIVE_FLUID)
        return fraction_divide(naive_makespan_work(stage), fraction_whole(slots));
    return waves(stage, used);
}

/* ---- the stage level (S) ---- */

fraction naive_makespan_formula(const size_t *order, size_t count, const fraction *map,
                                const fraction *reduce)
{
    fraction most = fraction_whole(0);
    for (size_t u = 0; u < count; u++) {
        fraction sum = fraction_whole(0);
        for (size_t i = 0; i <= u; i++)
            sum = fraction_add(sum, map[order[i]]);
        for (size_t i = u; i < count; i++)
            sum = fraction_add(sum, reduce[order[i]]);
        most = fraction_most(most, sum);
    }
    return most;
}

fraction naive_makespan_formula_split(const size_t *order, size_t count, const fraction *map,
                                      const fraction *reduce)
{
    fraction most = fraction_whole(0);
    fraction all = fraction_whole(0);
    for (size_t u = 0; u < count; u++) {
        fraction waited = fraction_whole(0);
        for (size_t i = 0; i <= u; i++)
            waited = fraction_add(waited, map[order[i]]);
        for (size_t i = 0; i < u; i++)
            waited = fraction_subtract(waited, reduce[order[i]]);
        most = u == 0 ? waited : fraction_most(most, waited);
        all = fraction_add(all, reduce[order[u]]);
    }
    return fraction_add(all, most);
}

/* Every map stage takes its turn, whatever its length (MK10); a reduce stage of no length does not
 * (MK13). */
static void note_stage(naive_makespan_times *times, int k, fraction start, fraction length)
{
    times->started[k] = k == NAIVE_MAP || length.num > 0;
    times->task_start[k][0] = start;
    times->task_length[k][0] = length;
}

static void run_stages(const model *m, const size_t *order, size_t count, const unsigned slots[2],
                       naive_makespan_times *times)
{
    fraction map_free = fraction_whole(0);
    fraction reduce_free = fraction_whole(0);
    for (size_t i = 0; i < count; i++) {
        const naive_makespan_job *job = &m->jobs[order[i]];
        naive_makespan_times *t = &times[order[i]];
        fraction map = naive_makespan_estimate(&job->stage[NAIVE_MAP], m->config.stage_time,
                                               slots[NAIVE_MAP]);
        fraction reduce = naive_makespan_estimate(&job->stage[NAIVE_REDUCE], m->config.stage_time,
                                                  slots[NAIVE_REDUCE]);
        t->map_start = map_free; /* MK10 */
        t->map_finish = fraction_add(t->map_start, map);
        map_free = t->map_finish;
        if (reduce.num == 0) { /* MK13 */
            t->reduce_start = t->map_finish;
            t->finish = t->map_finish;
        } else { /* MK11 */
            t->reduce_start = fraction_most(reduce_free, t->map_finish);
            t->finish = fraction_add(t->reduce_start, reduce);
            reduce_free = t->finish;
        }
        note_stage(t, NAIVE_MAP, t->map_start, map);
        note_stage(t, NAIVE_REDUCE, t->reduce_start, reduce);
    }
}

/* ---- the task level (T) ---- */

/* A stage as it is executed: its tasks in the order in which they start, in ticks. */
typedef struct stage_run {
    size_t count;
    size_t index[NAIVE_MAKESPAN_TASKS]; /* in the list */
    fraction duration[NAIVE_MAKESPAN_TASKS];
    long long ticks[NAIVE_MAKESPAN_TASKS];
    size_t cap; /* 0 = none */
    size_t started, running, done;
    long long first_start, last_end;
} stage_run;

typedef struct slot_run {
    bool busy;
    size_t job, task; /* the task's place in the stage_run */
    long long left;
} slot_run;

typedef struct tasks_run {
    const model *m;
    const size_t *order;
    size_t count;
    stage_run stages[NAIVE_MAKESPAN_JOBS][2];
    unsigned slots[2];
    slot_run *slot[2];
    long long ticks; /* to the unit of time */
    long long now;
    naive_makespan_times *times;
} tasks_run;

/* MK21 */
static void split_anew(stage_run *run, const naive_makespan_stage *stage, size_t pieces)
{
    fraction duration = fraction_divide(naive_makespan_work(stage),
                                        fraction_whole((long long)pieces));
    if (pieces > NAIVE_MAKESPAN_TASKS)
        too_many_tasks();
    run->count = pieces;
    for (size_t i = 0; i < pieces; i++)
        run->duration[i] = duration;
}

/* Longest first; insertion keeps the order of equal ones (MK18). */
static void sort_longest_first(stage_run *run)
{
    for (size_t i = 1; i < run->count; i++) {
        for (size_t k = i; k > 0 && fraction_less(run->duration[k - 1], run->duration[k]); k--) {
            fraction duration = run->duration[k];
            size_t index = run->index[k];
            run->duration[k] = run->duration[k - 1];
            run->index[k] = run->index[k - 1];
            run->duration[k - 1] = duration;
            run->index[k - 1] = index;
        }
    }
}

static void prepare_stage(stage_run *run, const model *m, const naive_makespan_stage *stage,
                          unsigned slots)
{
    run->count = stage->count;
    run->cap = m->config.cap == NAIVE_CAP_REQUESTED ? stage->requested : 0;
    run->started = run->running = run->done = 0;
    run->first_start = run->last_end = 0;
    memcpy(run->duration, stage->tasks, stage->count * sizeof *stage->tasks);
    if (m->config.resplit > 0 && stage->count > 0) {
        split_anew(run, stage, (size_t)m->config.resplit * slots);
        run->cap = 0;
    }
    for (size_t i = 0; i < run->count; i++)
        run->index[i] = i;
    if (m->config.task_order == NAIVE_LPT)
        sort_longest_first(run);
}

/* The ticks to the unit of time that make all durations whole. */
static void choose_ticks(tasks_run *r)
{
    r->ticks = 1;
    for (size_t i = 0; i < r->count; i++)
        for (int k = 0; k < 2; k++)
            for (size_t t = 0; t < r->stages[i][k].count; t++)
                r->ticks = fraction_common(r->ticks, r->stages[i][k].duration[t].den);
    for (size_t i = 0; i < r->count; i++) {
        for (int k = 0; k < 2; k++) {
            stage_run *stage = &r->stages[i][k];
            for (size_t t = 0; t < stage->count; t++)
                stage->ticks[t] = fraction_multiply(stage->duration[t], fraction_whole(r->ticks))
                                      .num;
        }
    }
}

static bool complete(const stage_run *stage)
{
    return stage->done == stage->count;
}

/* MK17, of the job at this place of the order. */
static bool eligible(const tasks_run *r, size_t place, int k)
{
    const stage_run *stage = &r->stages[place][k];
    if (stage->started == stage->count)
        return false;
    if (stage->cap > 0 && stage->running >= stage->cap)
        return false;
    if (k == NAIVE_REDUCE && !complete(&r->stages[place][NAIVE_MAP]))
        return false;
    for (size_t earlier = 0; earlier < place; earlier++)
        if (r->m->config.share == NAIVE_EXCLUSIVE && !complete(&r->stages[earlier][k]))
            return false;
    return true;
}

static void start_task(tasks_run *r, size_t place, int k, slot_run *slot)
{
    stage_run *stage = &r->stages[place][k];
    naive_makespan_times *times = &r->times[r->order[place]];
    size_t task = stage->started;
    size_t index = stage->index[task];
    if (stage->started == 0)
        stage->first_start = r->now;
    stage->started++;
    stage->running++;
    *slot = (slot_run){true, place, task, stage->ticks[task]};
    times->started[k]++;
    times->task_start[k][index] = fraction_make(r->now, r->ticks);
    times->task_length[k][index] = stage->duration[task];
}

/* MK15: each free slot gets the next task of the first eligible job. */
static void pass(tasks_run *r)
{
    for (int k = 0; k < 2; k++) {
        for (unsigned s = 0; s < r->slots[k]; s++) {
            size_t place = 0;
            if (r->slot[k][s].busy)
                continue;
            while (place < r->count && !eligible(r, place, k))
                place++;
            if (place == r->count)
                break;
            start_task(r, place, k, &r->slot[k][s]);
        }
    }
}

/* All that are due; true if any was. */
static bool complete_due(tasks_run *r)
{
    bool any = false;
    for (int k = 0; k < 2; k++) {
        for (unsigned s = 0; s < r->slots[k]; s++) {
            slot_run *slot = &r->slot[k][s];
            if (!slot->busy || slot->left > 0)
                continue;
            stage_run *stage = &r->stages[slot->job][k];
            stage->running--;
            stage->done++;
            stage->last_end = r->now;
            slot->busy = false;
            any = true;
        }
    }
    return any;
}

static void tick(tasks_run *r)
{
    r->now++;
    for (int k = 0; k < 2; k++)
        for (unsigned s = 0; s < r->slots[k]; s++)
            if (r->slot[k][s].busy)
                r->slot[k][s].left--;
}

static bool all_complete(const tasks_run *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (!complete(&r->stages[i][NAIVE_MAP]) || !complete(&r->stages[i][NAIVE_REDUCE]))
            return false;
    return true;
}

/* MK20 */
static void note_times(const tasks_run *r, size_t place)
{
    const stage_run *map = &r->stages[place][NAIVE_MAP];
    const stage_run *reduce = &r->stages[place][NAIVE_REDUCE];
    naive_makespan_times *times = &r->times[r->order[place]];
    times->map_start = fraction_make(map->first_start, r->ticks);
    times->map_finish = fraction_make(map->last_end, r->ticks);
    times->reduce_start = reduce->count > 0 ? fraction_make(reduce->first_start, r->ticks)
                                            : times->map_finish;
    times->finish = reduce->count > 0 ? fraction_make(reduce->last_end, r->ticks)
                                      : times->map_finish;
}

static void run_tasks(const model *m, const size_t *order, size_t count, const unsigned slots[2],
                      naive_makespan_times *times)
{
    tasks_run *r = malloc(sizeof *r);
    r->m = m;
    r->order = order;
    r->count = count;
    r->times = times;
    r->now = 0;
    for (int k = 0; k < 2; k++) {
        r->slots[k] = slots[k];
        r->slot[k] = calloc(slots[k], sizeof *r->slot[k]);
    }
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            prepare_stage(&r->stages[i][k], m, &m->jobs[order[i]].stage[k], slots[k]);
    choose_ticks(r);
    while (!all_complete(r)) { /* MK16: tasks of length 0 make further rounds of the same tick */
        pass(r);
        if (!complete_due(r))
            do
                tick(r);
            while (!complete_due(r));
    }
    for (size_t i = 0; i < count; i++)
        note_times(r, i);
    for (int k = 0; k < 2; k++)
        free(r->slot[k]);
    free(r);
}

/* ---- one order ---- */

score naive_makespan_simulate(const model *m, const size_t *order, size_t count,
                              const unsigned slots[2], naive_makespan_times *times)
{
    score result = {fraction_whole(0), fraction_whole(0)};
    for (size_t i = 0; i < count; i++)
        memset(times[order[i]].started, 0, sizeof times[order[i]].started);
    if (m->config.level == NAIVE_STAGES)
        run_stages(m, order, count, slots, times);
    else
        run_tasks(m, order, count, slots, times);
    for (size_t i = 0; i < count; i++) {
        result.makespan = fraction_most(result.makespan, times[order[i]].finish);
        result.total = fraction_add(result.total, times[order[i]].finish);
    }
    return result;
}

score naive_makespan_evaluate(const model *m, const size_t *order, size_t count,
                              const unsigned slots[2])
{
    naive_makespan_times *times = malloc(NAIVE_MAKESPAN_JOBS * sizeof *times);
    score result = naive_makespan_simulate(m, order, count, slots, times);
    free(times);
    return result;
}
