/* Jobs of another source, changed one by one as they are handed out. A sample alone holds all of
 * them. */
#include "changed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int changed_size(uint64_t *size, double factor, uint64_t most)
{
    double scaled = (double)*size * factor + 0.5;
    if (*size == 0)
        return 1;
    if (!(scaled < (double)most))
        return 0;
    *size = scaled < 1.0 ? 1 : (uint64_t)scaled;
    return 1;
}

uint64_t *changed_room(changed_lists *lists, size_t count)
{
    uint64_t *begin;
    if (count == 0)
        return lists->values;
    if (lists->used + count > lists->room) {
        uint64_t *larger = realloc(lists->values, (lists->used + count) * sizeof *larger);
        if (!larger)
            return NULL;
        lists->values = larger;
        lists->room = lists->used + count;
    }
    begin = lists->values + lists->used;
    lists->used += count;
    return begin;
}

/* ---- what they share ------------------------------------------------------------------------- */

typedef struct changed_source {
    source_head head;
    const changed_model *model;
    source *truth; /* not owned: the caller keeps it alive */
    uint64_t seed, made;
    uint32_t replica;
    pn_stream stream;
    arrival_process process;
    source *table;             /* of a sample: its own */
    struct sample_pick *picks; /* of a sample: so many as it has jobs */
    uint64_t windows;          /* of a sample: the windows that have jobs */
    double arrivals, sizes, first;
    double bounds[CHANGED_BOUNDS_MAX]; /* of groups by size */
    uint32_t bound_count;
    gap_sum sum; /* of gaps of the truth */
    changed_lists lists;
} changed_source;

static int has_gaps(const changed_source *self)
{
    return self->model->has_gaps && self->model->has_gaps(self->truth);
}

static void destroy(source *base)
{
    changed_source *self = (changed_source *)base;
    source_free(self->table);
    free(self->picks);
    arrival_process_release(&self->process);
    free(self->lists.values);
    free(self);
}

static changed_source *begin(const changed_model *model, source *truth, int moved)
{
    changed_source *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    memcpy(&self->head, truth, model->head_bytes);
    if (moved && model->forget)
        model->forget(&self->head.base);
    self->head.base.carried = NULL; /* what it names is the truth's */
    self->head.base.destroy = destroy;
    self->head.base.fault[0] = '\0';
    self->model = model;
    self->truth = truth;
    return self;
}

static int next_of_truth(changed_source *self, void *job)
{
    int answer = source_next(self->truth, job);
    if (answer == SOURCE_FAULT)
        memcpy(self->head.base.fault, self->truth->fault, sizeof self->head.base.fault);
    self->made += answer == SOURCE_JOB;
    return answer;
}

static int too_late(changed_source *self)
{
    snprintf(self->head.base.fault, sizeof self->head.base.fault, "job %llu: its arrival passes %s",
             (unsigned long long)self->made, self->model->latest);
    return SOURCE_FAULT;
}

/* ---- other arrivals -------------------------------------------------------------------------- */

static int arrivals_next(source *base, void *job)
{
    changed_source *self = (changed_source *)base;
    int answer = next_of_truth(self, job);
    if (answer != SOURCE_JOB)
        return answer;
    if (!self->model->move(job, arrival_process_next(&self->process, &self->stream)))
        return too_late(self);
    return SOURCE_JOB;
}

static void arrivals_rewind(source *base)
{
    changed_source *self = (changed_source *)base;
    self->truth->rewind(self->truth);
    pn_stream_init(&self->stream, self->seed, self->replica, SOURCE_ARRIVAL_STREAM);
    arrival_process_start(&self->process, &self->stream);
    self->made = 0;
}

source *changed_arrivals_new(const changed_model *model, source *truth,
                             const arrival_process *process, uint64_t seed, uint32_t replica)
{
    changed_source *self = begin(model, truth, 1);
    if (!self) {
        arrival_process unused = *process;
        arrival_process_release(&unused);
        return NULL;
    }
    self->head.base.next = arrivals_next;
    self->head.base.rewind = arrivals_rewind;
    self->process = *process;
    self->seed = seed;
    self->replica = replica;
    arrivals_rewind(&self->head.base);
    return &self->head.base;
}

/* ---- a sample -------------------------------------------------------------------------------- */

/* A job of a sample: its index in the table, and when it arrives. */
typedef struct sample_pick {
    double time;
    uint64_t index;
} sample_pick;

uint64_t changed_resample_index(const source *sample, uint64_t i)
{
    return ((const changed_source *)sample)->picks[i].index;
}

uint64_t changed_resample_windows(const source *sample)
{
    return ((const changed_source *)sample)->windows;
}

static int resample_next(source *base, void *job)
{
    changed_source *self = (changed_source *)base;
    const sample_pick *pick = &self->picks[self->made];
    if (self->made >= base->count)
        return SOURCE_END;
    self->made++;
    self->model->at(self->table, pick->index, job);
    return self->model->move(job, pick->time) ? SOURCE_JOB : too_late(self);
}

static void resample_rewind(source *base)
{
    ((changed_source *)base)->made = 0;
}

static int fail(char message[DISTRIBUTION_MESSAGE_SIZE], const char *reason)
{
    snprintf(message, DISTRIBUTION_MESSAGE_SIZE, "%s", reason);
    return 0;
}

static int short_of_memory(char message[DISTRIBUTION_MESSAGE_SIZE])
{
    return fail(message, "not enough memory to hold all jobs at once");
}

/* Collects the attributes of all jobs, read once more, into the table of these jobs; 0 with a
 * message. */
static int collect_attributes(source *table, source *truth, char message[DISTRIBUTION_MESSAGE_SIZE])
{
    size_t count = truth->attribute_count;
    double *values;
    source_any_job job;
    if (count == 0)
        return 1;
    if (!source_carry(table, truth->attribute_names, truth->attribute_count, NULL, 0) ||
        !(values = source_attributes_room(table)))
        return short_of_memory(message);
    truth->rewind(truth);
    for (uint64_t i = 0; i < table->count; i++) {
        int answer = source_next(truth, &job);
        if (answer != SOURCE_JOB)
            return fail(message, source_stopped(truth, answer));
        memcpy(values + (size_t)i * count, source_attributes_of(truth, &job),
               count * sizeof *values);
    }
    return 1;
}

/* Collects all jobs in a table; 0 with a message. */
static int collect(changed_source *self, char message[DISTRIBUTION_MESSAGE_SIZE])
{
    int answer = SOURCE_END;
    self->truth->rewind(self->truth);
    self->table = self->model->copy(self->truth, &answer);
    if (!self->table)
        return short_of_memory(message);
    if (answer != SOURCE_END)
        return fail(message, source_stopped(self->truth, answer));
    if (self->table->count == 0)
        return fail(message, "there are no jobs to draw from");
    return collect_attributes(self->table, self->truth, message);
}

/* What picks are drawn from, and where they go. */
typedef struct sampling {
    changed_source *self;
    const resample_plan *plan;
    pn_stream stream;
    const double *times; /* since the first arrival */
    double period;       /* of the source: how long it lasts */
    double length;       /* of a block */
    size_t room;
} sampling;

static double time_of(const changed_source *self, uint64_t index)
{
    source_any_job job;
    self->model->at(self->table, index, &job);
    return self->model->time(&job);
}

/* Returns the times of all jobs since the first one's; null when memory is short. */
static double *times_of(const changed_source *self)
{
    double *times = malloc((size_t)self->table->count * sizeof *times);
    for (uint64_t i = 0; times && i < self->table->count; i++)
        times[i] = time_of(self, i) - self->first;
    return times;
}

static double rounded_up(double time)
{
    double whole = (double)(uint64_t)time;
    return whole < time ? whole + 1.0 : whole;
}

/* Returns how long the source lasts: its span, and a mean gap more. 0: all jobs arrive at once. */
static double period_of(const changed_source *self, const double *times)
{
    double count = (double)self->table->count, span = times[self->table->count - 1];
    if (!(span > 0.0))
        return 0.0;
    span += span / (count - 1.0);
    return self->model->whole ? rounded_up(span) : span;
}

static int pick(sampling *of, uint64_t index, double time)
{
    changed_source *self = of->self;
    void *picks = self->picks;
    if (!source_grow(&picks, (size_t)self->head.base.count, &of->room, sizeof *self->picks))
        return 0;
    self->picks = picks;
    self->picks[self->head.base.count++] = (sample_pick){.index = index, .time = time};
    return 1;
}

/* Draws jobs one by one. With kept arrivals, those of the source begin again behind it. */
static int pick_jobs(sampling *of)
{
    uint64_t count = of->self->table->count;
    int keep = of->plan->form == RESAMPLE_KEEP;
    for (uint64_t i = 0; i < of->plan->jobs; i++) {
        double time = keep ? (double)(i / count) * of->period + of->times[i % count] : 0.0;
        if (!pick(of, pn_uniform(&of->stream, 0, count - 1), of->self->first + time))
            return 0;
    }
    return 1;
}

/* Returns the first job that arrives at this time or later. */
static uint64_t first_from(const sampling *of, double time)
{
    uint64_t low = 0, high = of->self->table->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (of->times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double drawn_time(sampling *of)
{
    if (of->self->model->whole)
        return (double)pn_uniform(&of->stream, 0, (uint64_t)of->period - 1);
    return pn_uniform01(&of->stream) * of->period;
}

/* Picks the jobs of the block of the source from `start` on, to stand at `at`, unless there are
 * enough. */
static int pick_block(sampling *of, double start, double length, double at)
{
    uint64_t count = of->self->table->count, from = first_from(of, start);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t index = from + i < count ? from + i : from + i - count;
        double time = of->times[index] - start + (from + i < count ? 0.0 : of->period);
        if (time >= length || (of->plan->jobs > 0 && of->self->head.base.count == of->plan->jobs))
            return 1;
        if (!pick(of, index, at + time))
            return 0;
    }
    return 1;
}

/* Draws blocks one behind the other until there are enough jobs, or for as long as the source
 * lasts; once more if none of them has a job. */
static int pick_blocks(sampling *of)
{
    uint64_t jobs = of->plan->jobs;
    const uint64_t *count = &of->self->head.base.count;
    do {
        double at = 0.0;
        while (jobs > 0 ? *count < jobs : at < of->period) {
            double rest = jobs > 0 ? of->length : of->period - at;
            if (!pick_block(of, drawn_time(of), of->length < rest ? of->length : rest,
                            of->self->first + at))
                return 0;
            at += of->length;
        }
    } while (*count == 0);
    return 1;
}

static double window_begin(const sampling *of, uint64_t window)
{
    double begin = of->period * (double)window / (double)of->plan->windows;
    return of->self->model->whole ? rounded_up(begin) : begin;
}

/* Returns the jobs of a window, from the first of them on. */
static uint64_t window_jobs(const sampling *of, uint64_t window, uint64_t *first)
{
    *first = first_from(of, window_begin(of, window));
    return first_from(of, window_begin(of, window + 1)) - *first;
}

/* Counts the windows that have jobs, and finds the replica's among them: else the number of all. */
static uint64_t find_window(const sampling *of, uint64_t *window)
{
    uint64_t count = 0, first;
    *window = of->plan->windows;
    for (uint64_t w = 0; w < of->plan->windows; w++)
        if (window_jobs(of, w, &first) > 0 && count++ == of->plan->replica)
            *window = w;
    return count;
}

static int pick_window(sampling *of)
{
    uint64_t window, first, count;
    of->self->windows = find_window(of, &window);
    count = window_jobs(of, window, &first);
    for (uint64_t i = 0; i < count; i++)
        if (!pick(of, first + i, of->times[first + i] - window_begin(of, window)))
            return 0;
    return 1;
}

/* More blocks than these for the jobs of a sample are a mistake. */
#define BLOCKS_MOST 1e7

static int check_blocks(const sampling *of, char message[DISTRIBUTION_MESSAGE_SIZE])
{
    double length = of->length, rounds = 1.0;
    if (of->plan->jobs > 0)
        rounds = (double)of->plan->jobs / (double)of->self->table->count;
    if (of->period == 0.0)
        return fail(message, "the jobs all arrive at once (expected jobs)");
    if (length > of->period) {
        snprintf(message, DISTRIBUTION_MESSAGE_SIZE,
                 "blocks of %.10g are longer than the jobs, whose arrivals last %.10g", length,
                 of->period);
        return 0;
    }
    if (rounds * of->period / length <= BLOCKS_MOST)
        return 1;
    return fail(message, "blocks are so short that there would be more than 10^7 of them");
}

static int check_windows(const sampling *of, char message[DISTRIBUTION_MESSAGE_SIZE])
{
    uint64_t window, count = find_window(of, &window);
    if (of->period == 0.0)
        return fail(message, "the jobs all arrive at once");
    if (window < of->plan->windows)
        return 1;
    snprintf(message, DISTRIBUTION_MESSAGE_SIZE,
             "%llu of %llu windows have jobs: the replicas 0..%llu, got %llu",
             (unsigned long long)count, (unsigned long long)of->plan->windows,
             (unsigned long long)count - 1, (unsigned long long)of->plan->replica);
    return 0;
}

/* Picks the jobs of the sample; 0 with a message. */
static int sample(changed_source *self, const resample_plan *plan,
                  char message[DISTRIBUTION_MESSAGE_SIZE])
{
    static int (*const pickers[])(sampling *) = {[RESAMPLE_JOBS] = pick_jobs,
                                                 [RESAMPLE_KEEP] = pick_jobs,
                                                 [RESAMPLE_BLOCKS] = pick_blocks,
                                                 [RESAMPLE_WINDOWS] = pick_window};
    sampling of = {.self = self, .plan = plan};
    double *times = NULL;
    int done;
    self->first = time_of(self, 0);
    times = times_of(self);
    if (!times)
        return short_of_memory(message);
    of.times = times;
    of.period = period_of(self, times);
    of.length = self->model->whole ? rounded_up(plan->length) : plan->length;
    pn_stream_init(&of.stream, plan->seed, plan->replica, SOURCE_RESAMPLE_STREAM);
    done = (plan->form != RESAMPLE_BLOCKS || check_blocks(&of, message)) &&
           (plan->form != RESAMPLE_WINDOWS || check_windows(&of, message));
    if (done && !pickers[plan->form](&of))
        done = short_of_memory(message);
    free(times);
    return done;
}

source *changed_resample_new(const changed_model *model, source *truth, const resample_plan *plan,
                             char message[DISTRIBUTION_MESSAGE_SIZE])
{
    changed_source *self = begin(model, truth, 1);
    if (!self) {
        snprintf(message, DISTRIBUTION_MESSAGE_SIZE, "not enough memory for the workload");
        return NULL;
    }
    self->head.base.next = resample_next;
    self->head.base.rewind = resample_rewind;
    self->head.base.count = 0;
    if (!collect(self, message) || !sample(self, plan, message)) {
        destroy(&self->head.base);
        return NULL;
    }
    return &self->head.base;
}

/* ---- the same jobs, scaled ------------------------------------------------------------------- */

static int scale_arrival(changed_source *self, void *job)
{
    double time = self->model->time(job);
    if (has_gaps(self))
        time = gap_sum_add(&self->sum, time);
    if (self->made == 1)
        self->first = time;
    time = self->first + (time - self->first) * self->arrivals;
    return self->model->move(job, self->model->whole ? time + 0.5 : time);
}

static int scale_next(source *base, void *job)
{
    changed_source *self = (changed_source *)base;
    enum changed_answer answer = CHANGED;
    int next = next_of_truth(self, job);
    if (next != SOURCE_JOB)
        return next;
    if (self->arrivals != 1.0 && !scale_arrival(self, job))
        return too_late(self);
    self->lists.used = 0;
    if (self->sizes != 1.0)
        answer = self->model->scale(job, self->sizes, &self->lists);
    if (answer == CHANGED)
        return SOURCE_JOB;
    if (answer == CHANGED_NO_MEMORY)
        return source_out_of_memory(base);
    snprintf(base->fault, sizeof base->fault, "job %llu: its sizes, scaled, pass %s",
             (unsigned long long)self->made, self->model->largest);
    return SOURCE_FAULT;
}

static void scale_rewind(source *base)
{
    changed_source *self = (changed_source *)base;
    self->truth->rewind(self->truth);
    self->made = 0;
    self->sum = (gap_sum){0};
}

source *changed_scale_new(const changed_model *model, source *truth, double arrivals, double sizes)
{
    changed_source *self = begin(model, truth, arrivals != 1.0);
    if (!self)
        return NULL;
    self->head.base.next = scale_next;
    self->head.base.rewind = scale_rewind;
    self->arrivals = arrivals;
    self->sizes = sizes;
    scale_rewind(&self->head.base);
    return &self->head.base;
}

/* ---- groups by size -------------------------------------------------------------------------- */

static int sized_next(source *base, void *job)
{
    changed_source *self = (changed_source *)base;
    int answer = next_of_truth(self, job);
    if (answer == SOURCE_JOB) {
        double size = self->model->size(job);
        uint32_t group = 0;
        while (group < self->bound_count && size >= self->bounds[group])
            group++;
        *self->model->group(job) = group;
    }
    return answer;
}

static void sized_rewind(source *base)
{
    changed_source *self = (changed_source *)base;
    self->truth->rewind(self->truth);
    self->made = 0;
}

source *changed_sized_new(const changed_model *model, source *truth, const double *bounds,
                          uint32_t count)
{
    changed_source *self = begin(model, truth, 0);
    if (!self)
        return NULL;
    self->head.base.next = sized_next;
    self->head.base.rewind = sized_rewind;
    memcpy(self->bounds, bounds, count * sizeof *bounds);
    self->bound_count = count;
    sized_rewind(&self->head.base);
    return &self->head.base;
}
