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
    source *table; /* of a sample: its own */
    double arrivals, sizes, first;
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

uint64_t changed_resample_pick(source *sample)
{
    changed_source *self = (changed_source *)sample;
    return pn_uniform(&self->stream, 0, self->table->count - 1);
}

static int resample_next(source *base, void *job)
{
    changed_source *self = (changed_source *)base;
    if (self->made >= base->count)
        return SOURCE_END;
    self->made++;
    self->model->at(self->table, changed_resample_pick(base), job);
    return self->model->move(job, self->first) ? SOURCE_JOB : too_late(self);
}

static void resample_rewind(source *base)
{
    changed_source *self = (changed_source *)base;
    pn_stream_init(&self->stream, self->seed, self->replica, SOURCE_RESAMPLE_STREAM);
    self->made = 0;
}

/* Collects the attributes of all jobs, read once more, into the table of these jobs. 0 when memory
 * is short. */
static int collect_attributes(source *table, source *truth)
{
    size_t count = truth->attribute_count;
    double *values;
    source_any_job job;
    if (count == 0)
        return 1;
    if (!source_carry(table, truth->attribute_names, truth->attribute_count, NULL, 0) ||
        !(values = source_attributes_room(table)))
        return 0;
    truth->rewind(truth);
    for (uint64_t i = 0; i < table->count && source_next(truth, &job) == SOURCE_JOB; i++) {
        const double *attributes = source_attributes_of(truth, &job);
        if (attributes)
            memcpy(values + (size_t)i * count, attributes, count * sizeof *values);
    }
    return 1;
}

/* Collects all jobs in a table; 0 with a message. */
static int collect(changed_source *self, char message[DISTRIBUTION_MESSAGE_SIZE])
{
    int answer = SOURCE_END;
    source_any_job first;
    self->truth->rewind(self->truth);
    self->table = self->model->copy(self->truth, &answer);
    if (!self->table || answer != SOURCE_END || self->table->count == 0) {
        snprintf(message, DISTRIBUTION_MESSAGE_SIZE, "%s",
                 !self->table           ? "not enough memory to hold all jobs at once"
                 : answer != SOURCE_END ? source_stopped(self->truth, answer)
                                        : "there are no jobs to draw from");
        return 0;
    }
    if (!collect_attributes(self->table, self->truth)) {
        snprintf(message, DISTRIBUTION_MESSAGE_SIZE, "not enough memory to hold all jobs at once");
        return 0;
    }
    self->model->at(self->table, 0, &first);
    self->first = self->model->time(&first);
    return 1;
}

source *changed_resample_new(const changed_model *model, source *truth, uint64_t jobs,
                             uint64_t seed, uint32_t replica,
                             char message[DISTRIBUTION_MESSAGE_SIZE])
{
    changed_source *self = begin(model, truth, 1);
    if (!self) {
        snprintf(message, DISTRIBUTION_MESSAGE_SIZE, "not enough memory for the workload");
        return NULL;
    }
    self->head.base.next = resample_next;
    self->head.base.rewind = resample_rewind;
    self->head.base.count = jobs;
    self->seed = seed;
    self->replica = replica;
    if (!collect(self, message)) {
        destroy(&self->head.base);
        return NULL;
    }
    resample_rewind(&self->head.base);
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
