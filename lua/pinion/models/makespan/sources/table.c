/* A table of jobs of the makespan model in memory: scenario files, traces and generators all fill
 * one. Tasks are kept as stretches of equal ones, because most jobs have a thousand tasks of few
 * lengths. */
#include <stdlib.h>
#include <string.h>

#include "jobs.h"

typedef struct table_stage {
    size_t first; /* its stretches */
    uint64_t time;
    uint32_t count; /* of stretches */
    uint32_t requested, has_time, empty;
} table_stage;

typedef struct table_job {
    table_stage stage[2];
    uint32_t group;
} table_job;

typedef struct makespan_table {
    makespan_source head;
    table_job *jobs;
    size_t room, position;
    pn_makespan_stretch *stretches;
    size_t stretch_count, stretch_room;
} makespan_table;

void makespan_table_at(const source *table, uint64_t index, pn_makespan_job *job)
{
    const makespan_table *self = (const makespan_table *)table;
    const table_job *stored = &self->jobs[index];
    *job = (pn_makespan_job){.group = stored->group,
                             .attributes = source_attributes_at(table, index)};
    for (int s = 0; s < 2; s++) {
        const table_stage *stage = &stored->stage[s];
        job->stage[s] = (pn_makespan_stage_of_job){
            .stretches = stage->count > 0 ? &self->stretches[stage->first] : NULL,
            .stretch_count = stage->count,
            .requested = stage->requested,
            .time = stage->time,
            .has_time = stage->has_time,
            .empty = stage->empty};
    }
}

static int makespan_table_next(source *base, void *into)
{
    pn_makespan_job *job = into;
    makespan_table *self = (makespan_table *)base;
    if (self->position >= base->count)
        return SOURCE_END;
    makespan_table_at(base, self->position++, job);
    return SOURCE_JOB;
}

static void makespan_table_rewind(source *base)
{
    ((makespan_table *)base)->position = 0;
}

static void makespan_table_destroy(source *base)
{
    makespan_table *self = (makespan_table *)base;
    free(self->jobs);
    free(self->stretches);
    free(self);
}

source *makespan_table_new(uint64_t ticks)
{
    makespan_table *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_MAKESPAN;
    self->head.base.next = makespan_table_next;
    self->head.base.rewind = makespan_table_rewind;
    self->head.base.destroy = makespan_table_destroy;
    self->head.ticks = ticks;
    return &self->head.base;
}

int makespan_table_begin(source *table, const pn_makespan_job *job)
{
    makespan_table *self = (makespan_table *)table;
    void *jobs = self->jobs;
    int grown = source_grow(&jobs, (size_t)table->count, &self->room, sizeof *self->jobs);
    table_job *added;
    self->jobs = jobs;
    if (!grown)
        return 0;
    added = &self->jobs[table->count++];
    *added = (table_job){.group = job->group};
    for (int s = 0; s < 2; s++) {
        const pn_makespan_stage_of_job *stage = &job->stage[s];
        added->stage[s] = (table_stage){.requested = stage->requested,
                                        .time = stage->time,
                                        .has_time = stage->has_time,
                                        .empty = stage->empty};
        self->head.stretches += stage->has_time && stage->time > 0;
    }
    return 1;
}

int makespan_table_tasks(source *table, enum pn_makespan_stage stage, uint64_t duration,
                         uint32_t count)
{
    makespan_table *self = (makespan_table *)table;
    table_stage *to = &self->jobs[table->count - 1].stage[stage];
    pn_makespan_stretch *last = to->count > 0 ? &self->stretches[self->stretch_count - 1] : NULL;
    void *stretches = self->stretches;
    int grown;
    if (count == 0)
        return 1;
    if (last && last->duration == duration && last->count <= UINT32_MAX - count) {
        last->count += count;
        return 1;
    }
    grown = source_grow(&stretches, self->stretch_count, &self->stretch_room,
                        sizeof *self->stretches);
    self->stretches = stretches;
    if (!grown)
        return 0;
    if (to->count++ == 0)
        to->first = self->stretch_count;
    self->stretches[self->stretch_count++] = (pn_makespan_stretch){.duration = duration,
                                                                   .count = count};
    self->head.stretches++;
    return 1;
}

pn_makespan_job *makespan_table_jobs(const source *table)
{
    size_t count = (size_t)table->count;
    pn_makespan_job *jobs = malloc((count ? count : 1) * sizeof *jobs);
    for (size_t i = 0; jobs && i < count; i++)
        makespan_table_at(table, i, &jobs[i]);
    return jobs;
}
