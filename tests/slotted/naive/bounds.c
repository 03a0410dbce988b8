/* Two bounds for the reference model: LB2 straight from its definition, with a whole SRPT run for
 * every slot, and the true optimum of tiny instances by trying every feasible decision and
 * remembering solved states. */
#include "naive.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_LIMIT = 1000000, TRANSITION_LIMIT = 100000000 };

static int64_t sum_of_reduces(const naive_job *job)
{
    int64_t sum = 0;
    for (int k = 0; k < job->reduce_count; k++) {
        sum += job->reduces[k];
    }
    return sum;
}

/* e_i of section 7: the earliest slot in which the job could end if it had all machines to
 * itself. */
static int64_t earliest_finish(int64_t machines, bool nonpreemptive, const naive_job *job)
{
    int64_t map_slots = (job->maps + machines - 1) / machines;
    int64_t reduce_slots = (sum_of_reduces(job) + machines - 1) / machines;
    for (int k = 0; nonpreemptive && k < job->reduce_count; k++) {
        if (job->reduces[k] > reduce_slots) {
            reduce_slots = job->reduces[k];
        }
    }
    return job->arrival + map_slots + reduce_slots - 1;
}

/* K(end): the jobs that SRPT completes by the end of slot `end` when only those with e_i <= end
 * exist. */
static int64_t completed_by(int64_t end, int64_t machines, const naive_job *jobs,
                            const int64_t *earliest, int job_count, int64_t *left)
{
    for (int i = 0; i < job_count; i++) {
        left[i] = earliest[i] <= end ? jobs[i].maps + sum_of_reduces(&jobs[i]) : 0;
    }
    int64_t completed = 0;
    for (int64_t slot = 1; slot <= end; slot++) {
        int64_t free_machines = machines;
        while (free_machines > 0) {
            /* A job that got machines and is not done has taken them all, so a fresh minimum after
             * each gift walks the jobs in the order of the slot's start. */
            int best = -1;
            for (int i = 0; i < job_count; i++) {
                if (jobs[i].arrival <= slot && left[i] > 0 && (best < 0 || left[i] < left[best])) {
                    best = i;
                }
            }
            if (best < 0) {
                break;
            }
            int64_t amount = left[best] < free_machines ? left[best] : free_machines;
            left[best] -= amount;
            free_machines -= amount;
            completed += left[best] == 0;
        }
    }
    return completed;
}

int64_t naive_slotted_lb2(int64_t machines, bool nonpreemptive, const naive_job *jobs,
                          int job_count)
{
    int64_t *earliest = calloc((size_t)job_count + 1, sizeof *earliest);
    int64_t *left = calloc((size_t)job_count + 1, sizeof *left);
    if (earliest == NULL || left == NULL) {
        abort();
    }
    for (int i = 0; i < job_count; i++) {
        earliest[i] = earliest_finish(machines, nonpreemptive, &jobs[i]);
    }
    int64_t bound = 0;
    int64_t completed = 0; /* K(t-1), with K(0) = 0 */
    for (int64_t t = 1; completed < job_count; t++) {
        for (int i = 0; i < job_count; i++) {
            bound += jobs[i].arrival <= t;
        }
        bound -= completed;
        completed = completed_by(t, machines, jobs, earliest, job_count, left);
    }
    free(left);
    free(earliest);
    return bound;
}

/* A state is a vector: the slot, the maps left per job, then parts. Preemptive: one part per job,
 * its reduce units left, because the split into tasks is irrelevant (SL6). Non-preemptive: one part
 * per task, twice the units left, plus one if the task runs. Any unstarted task may be started,
 * whatever its index. */
typedef struct exhaustive {
    int64_t machines;
    bool nonpreemptive;
    const naive_job *jobs;
    int job_count;
    int width;
    int *owner;        /* per position of the vector: its job */
    int64_t last_slot; /* the slot of the last arrival; later slots are all alike */
    int64_t *keys;     /* open addressing; a slot number of 0 marks a free place */
    int64_t *values;
    size_t capacity;
    long states, transitions;
    bool gave_up;
} exhaustive;

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static size_t find_place(const exhaustive *search, const int64_t *state)
{
    uint64_t hash = 1469598103934665603U;
    for (int p = 0; p < search->width; p++) {
        hash = (hash ^ (uint64_t)state[p]) * 1099511628211U;
        hash ^= hash >> 29;
    }
    size_t place = (size_t)hash & (search->capacity - 1);
    size_t width = (size_t)search->width;
    while (search->keys[place * width] != 0 &&
           memcmp(&search->keys[place * width], state, width * sizeof *state) != 0) {
        place = (place + 1) & (search->capacity - 1);
    }
    return place;
}

static void remember(exhaustive *search, const int64_t *state, int64_t value)
{
    size_t width = (size_t)search->width;
    if (2 * (size_t)search->states >= search->capacity) {
        int64_t *old_keys = search->keys;
        int64_t *old_values = search->values;
        size_t old_capacity = search->capacity;
        search->capacity *= 2;
        search->keys = zeroed(search->capacity * width, sizeof *search->keys);
        search->values = zeroed(search->capacity, sizeof *search->values);
        for (size_t i = 0; i < old_capacity; i++) {
            if (old_keys[i * width] != 0) {
                size_t place = find_place(search, &old_keys[i * width]);
                memcpy(&search->keys[place * width], &old_keys[i * width],
                       width * sizeof *old_keys);
                search->values[place] = old_values[i];
            }
        }
        free(old_keys);
        free(old_values);
    }
    size_t place = find_place(search, state);
    memcpy(&search->keys[place * width], state, width * sizeof *state);
    search->values[place] = value;
    search->states++;
    search->gave_up = search->gave_up || search->states > STATE_LIMIT;
}

static int compare_int64(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Two tasks of one job with equal length and phase are interchangeable, so sorting them loses
 * nothing. */
static void sort_parts(const exhaustive *search, int64_t *state)
{
    int from = search->job_count + 1;
    while (from < search->width) {
        int to = from;
        while (to < search->width && search->owner[to] == search->owner[from]) {
            to++;
        }
        qsort(&state[from], (size_t)(to - from), sizeof *state, compare_int64);
        from = to;
    }
}

static int64_t solve(exhaustive *search, const int64_t *state);

static int64_t after_one_unit(int64_t part)
{
    int64_t left = part / 2 - 1;
    return left == 0 ? 0 : 2 * left + 1;
}

/* All decisions of one slot have been made in `next`: prices the rest of the schedule. */
static void close_slot(exhaustive *search, const int64_t *state, const int64_t *next, int64_t *best)
{
    size_t size = (size_t)search->width * sizeof *state;
    search->transitions++;
    if (search->transitions > TRANSITION_LIMIT) {
        search->gave_up = true;
        return;
    }
    /* With nothing still to arrive, a slot that runs nothing only delays the jobs; taking it out of
     * a schedule is always better. Before the last arrival such slots are tried like any other
     * decision. */
    if (state[0] == search->last_slot && memcmp(state, next, size) == 0) {
        return;
    }
    int64_t *after = zeroed((size_t)search->width, sizeof *after);
    memcpy(after, next, size);
    after[0] = state[0] < search->last_slot ? state[0] + 1 : state[0];
    sort_parts(search, after);
    int64_t value = solve(search, after);
    if (*best < 0 || value < *best) {
        *best = value;
    }
    free(after);
}

/* Tries every choice for the positions from p on. `next` starts as a copy of `state`. */
static void choose(exhaustive *search, const int64_t *state, int64_t *next, int p, int64_t d,
                   int64_t *best)
{
    if (search->gave_up) {
        return;
    }
    if (p == search->width) {
        close_slot(search, state, next, best);
        return;
    }
    int job = search->owner[p];
    bool is_map = p <= search->job_count;
    bool offered = search->jobs[job].arrival <= state[0] && state[p] > 0 &&
                   (is_map || state[job + 1] == 0);
    /* SL2 and SL6: not arrived, nothing left, or maps left at the start of the slot */
    if (!offered) {
        choose(search, state, next, p + 1, d, best);
    } else if (is_map || !search->nonpreemptive) {
        for (int64_t amount = 0; amount <= d && amount <= state[p]; amount++) {
            next[p] = state[p] - amount;
            choose(search, state, next, p + 1, d - amount, best);
        }
        next[p] = state[p];
        /* SL8: a running task keeps running, its machine is already taken from d */
    } else if (state[p] % 2 == 1) {
        next[p] = after_one_unit(state[p]);
        choose(search, state, next, p + 1, d, best);
        next[p] = state[p];
    } else {
        choose(search, state, next, p + 1, d, best);
        bool has_twin = p - 1 > search->job_count && search->owner[p - 1] == job &&
                        state[p - 1] == state[p];
        bool twin_waits = has_twin && next[p - 1] == state[p - 1];
        if (d > 0 && !twin_waits) { /* of two equal tasks the later one need not start first */
            next[p] = after_one_unit(state[p]);
            choose(search, state, next, p + 1, d - 1, best);
            next[p] = state[p];
        }
    }
}

/* The least sum over the coming slots of the jobs that have arrived and are unfinished, which is
 * the flow time still to be paid (SL4 counts both the arrival slot and the last slot). */
static int64_t solve(exhaustive *search, const int64_t *state)
{
    size_t size = (size_t)search->width * sizeof *state;
    int64_t unfinished = 0;
    int64_t arrived_unfinished = 0;
    int64_t d = search->machines;
    for (int i = 0; i < search->job_count; i++) {
        int64_t left = 0;
        for (int p = 1; p < search->width; p++) {
            left += search->owner[p] == i ? state[p] : 0;
        }
        unfinished += left > 0;
        arrived_unfinished += left > 0 && search->jobs[i].arrival <= state[0];
    }
    if (unfinished == 0 || search->gave_up) {
        return 0;
    }
    size_t place = find_place(search, state);
    if (search->keys[place * (size_t)search->width] != 0) {
        return search->values[place];
    }
    for (int p = search->job_count + 1; search->nonpreemptive && p < search->width; p++) {
        d -= state[p] % 2;
    }
    assert(d >= 0);
    int64_t best = -1;
    int64_t *next = zeroed((size_t)search->width, sizeof *next);
    memcpy(next, state, size);
    choose(search, state, next, 1, d, &best);
    free(next);
    assert(best >= 0 || search->gave_up);
    remember(search, state, arrived_unfinished + best);
    return arrived_unfinished + best;
}

int64_t naive_slotted_optimum(int64_t machines, bool nonpreemptive, const naive_job *jobs,
                              int job_count)
{
    exhaustive search = {.machines = machines, .nonpreemptive = nonpreemptive, .jobs = jobs};
    search.job_count = job_count;
    search.width = 1 + job_count;
    for (int i = 0; i < job_count; i++) {
        search.width += nonpreemptive ? jobs[i].reduce_count : 1;
    }
    search.owner = zeroed((size_t)search.width, sizeof *search.owner);
    search.capacity = 1024;
    search.keys = zeroed(search.capacity * (size_t)search.width, sizeof *search.keys);
    search.values = zeroed(search.capacity, sizeof *search.values);
    int64_t *state = zeroed((size_t)search.width, sizeof *state);
    int part = 1 + job_count;
    state[0] = job_count > 0 ? jobs[0].arrival : 1;
    search.last_slot = job_count > 0 ? jobs[job_count - 1].arrival : 1;
    for (int i = 0; i < job_count; i++) {
        search.owner[i + 1] = i;
        state[i + 1] = jobs[i].maps;
        for (int k = 0; nonpreemptive && k < jobs[i].reduce_count; k++) {
            search.owner[part] = i;
            state[part++] = 2 * jobs[i].reduces[k];
        }
        if (!nonpreemptive) {
            search.owner[part] = i;
            state[part++] = sum_of_reduces(&jobs[i]);
        }
    }
    sort_parts(&search, state);
    int64_t optimum = solve(&search, state);
    free(state);
    free(search.values);
    free(search.keys);
    free(search.owner);
    return search.gave_up ? -1 : optimum;
}
