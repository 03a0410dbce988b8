/* A table of jobs in memory, for scenario files and traces. Reduce tasks are kept as stretches of
 * equal ones, because most jobs have a thousand tasks of two lengths and not a thousand lengths;
 * `next` spreads them out again into one buffer. */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "jobs.h"

typedef struct stretch {
    uint64_t units; /* of each task */
    uint64_t tasks;
} stretch;

typedef struct table_job {
    pn_slotted_job job;   /* without its reduces, of which there are reduce_count */
    size_t first_stretch; /* its stretches end where those of the next job begin */
} table_job;

typedef struct table_source {
    slotted_source head;
    table_job *jobs;
    size_t room, position;
    stretch *stretches;
    size_t stretch_count, stretch_room;
    uint64_t *buffer; /* the tasks of the last job that was read */
    uint64_t tasks_max;
} table_source;

void slotted_table_at(source *table, uint64_t index, pn_slotted_job *job)
{
    table_source *self = (table_source *)table;
    const table_job *stored = &self->jobs[index];
    size_t end = index + 1 < table->count ? stored[1].first_stretch : self->stretch_count;
    uint64_t filled = 0;
    for (size_t i = stored->first_stretch; i < end; i++)
        for (uint64_t k = 0; k < self->stretches[i].tasks; k++)
            self->buffer[filled++] = self->stretches[i].units;
    *job = stored->job;
    job->reduces = self->buffer;
    job->attributes = source_attributes_at(table, index);
}

static int table_next(source *base, void *into)
{
    pn_slotted_job *job = into;
    table_source *self = (table_source *)base;
    if (self->position >= base->count)
        return SOURCE_END;
    slotted_table_at(base, self->position++, job);
    return SOURCE_JOB;
}

static void table_rewind(source *base)
{
    ((table_source *)base)->position = 0;
}

static void table_destroy(source *base)
{
    table_source *self = (table_source *)base;
    free(self->jobs);
    free(self->stretches);
    free(self->buffer);
    free(self);
}

source *slotted_table_new(void)
{
    table_source *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_SLOTTED;
    self->head.base.next = table_next;
    self->head.base.rewind = table_rewind;
    self->head.base.destroy = table_destroy;
    return &self->head.base;
}

int slotted_is_table(const source *any)
{
    return any->next == table_next;
}

int slotted_table_begin(source *table, const pn_slotted_job *job)
{
    table_source *self = (table_source *)table;
    void *jobs = self->jobs;
    int grown = source_grow(&jobs, (size_t)table->count, &self->room, sizeof *self->jobs);
    self->jobs = jobs;
    if (!grown)
        return 0;
    self->jobs[table->count] = (table_job){.job = *job, .first_stretch = self->stretch_count};
    self->jobs[table->count++].job.reduce_count = 0;
    self->head.slots = job->arrival;
    return 1;
}

int slotted_table_reduce(source *table, uint64_t units, uint64_t tasks)
{
    table_source *self = (table_source *)table;
    table_job *job = &self->jobs[table->count - 1];
    void *stretches = self->stretches;
    int grown;
    if (tasks == 0)
        return 1;
    if (tasks > SIZE_MAX / sizeof *self->buffer - job->job.reduce_count)
        return 0;
    job->job.reduce_count += (size_t)tasks;
    if (job->job.reduce_count > self->tasks_max)
        self->tasks_max = job->job.reduce_count;
    if (self->stretch_count > job->first_stretch &&
        self->stretches[self->stretch_count - 1].units == units) {
        self->stretches[self->stretch_count - 1].tasks += tasks;
        return 1;
    }
    grown = source_grow(&stretches, self->stretch_count, &self->stretch_room,
                        sizeof *self->stretches);
    self->stretches = stretches;
    if (!grown)
        return 0;
    self->stretches[self->stretch_count++] = (stretch){units, tasks};
    return 1;
}

int slotted_table_add(source *table, const void *any)
{
    const pn_slotted_job *job = any;
    int added = slotted_table_begin(table, job);
    for (size_t i = 0; added && i < job->reduce_count; i++)
        added = slotted_table_reduce(table, job->reduces[i], 1);
    return added;
}

int slotted_table_seal(source *table)
{
    table_source *self = (table_source *)table;
    self->buffer = malloc(self->tasks_max ? (size_t)self->tasks_max * sizeof *self->buffer : 1);
    return self->buffer != NULL;
}

int job_list_collect(job_list *list, source *work)
{
    size_t filled = 0;
    int answer;
    memset(list, 0, sizeof *list);
    work->rewind(work);
    for (;;) {
        pn_slotted_job job;
        void *array = list->jobs;
        int grown;
        answer = source_next(work, &job);
        if (answer != SOURCE_JOB)
            break;
        if ((list->count & 0xFFFF) == 0xFFFF && interrupt_pending())
            return SOURCE_INTERRUPTED;
        grown = source_grow(&array, list->count, &list->room, sizeof *list->jobs);
        list->jobs = array;
        array = list->reduces;
        for (size_t k = 0; grown && k < job.reduce_count; k++) {
            grown = source_grow(&array, list->reduce_count, &list->reduce_room,
                                sizeof *list->reduces);
            list->reduces = array;
            if (grown)
                list->reduces[list->reduce_count++] = job.reduces[k];
        }
        if (!grown)
            return source_out_of_memory(work);
        job.attributes = NULL;
        list->jobs[list->count++] = job;
    }
    /* Only now does the array of reduces stay where it is. */
    for (size_t i = 0; i < list->count; i++) {
        list->jobs[i].reduces = list->reduces ? list->reduces + filled : NULL;
        filled += list->jobs[i].reduce_count;
    }
    return answer;
}

void job_list_free(job_list *list)
{
    free(list->jobs);
    free(list->reduces);
    memset(list, 0, sizeof *list);
}
