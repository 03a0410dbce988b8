/* A table of jobs of the dag model in memory, for scenario files and traces, and the list of all
 * jobs for the verifier. Stages, durations and parents of all jobs lie one behind the other;
 * pointers to them are made when a job is handed out, as the arrays move while they grow. */
#include "jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"

#define NONE SIZE_MAX

typedef struct table_stage {
    pn_dag_stage stage;
    size_t durations, parents; /* where they begin; NONE: there are none */
} table_stage;

typedef struct table_job {
    pn_dag_job job; /* without its stages, of which there are stage_count */
    size_t first_stage;
} table_job;

typedef struct dag_table {
    dag_source head;
    char **names; /* of queues */
    size_t name_room;
    table_job *jobs;
    size_t room, position;
    table_stage *stages;
    size_t stage_count, stage_room;
    uint64_t *durations;
    size_t duration_count, duration_room;
    uint32_t *parents;
    size_t parent_count, parent_room;
    pn_dag_stage *spread; /* those of the last job that was read */
    size_t spread_room;
} dag_table;

/* ---- reading --------------------------------------------------------------------------------- */

static void spread_stages(const dag_table *self, const table_job *stored, pn_dag_stage *into)
{
    for (uint32_t i = 0; i < stored->job.stage_count; i++) {
        const table_stage *stage = &self->stages[stored->first_stage + i];
        into[i] = stage->stage;
        into[i].durations = stage->durations == NONE ? NULL : self->durations + stage->durations;
        into[i].parents = stage->parents == NONE ? NULL : self->parents + stage->parents;
    }
}

static void give_job(const dag_table *self, uint64_t index, pn_dag_stage *stages, pn_dag_job *job)
{
    const table_job *stored = &self->jobs[index];
    spread_stages(self, stored, stages);
    *job = stored->job;
    job->stages = stages;
    job->attributes = source_attributes_at(&self->head.base, index);
}

void dag_table_at(source *table, uint64_t index, pn_dag_job *job)
{
    dag_table *self = (dag_table *)table;
    give_job(self, index, self->spread, job);
}

static int dag_table_next(source *base, void *into)
{
    dag_table *self = (dag_table *)base;
    if (self->position >= base->count)
        return SOURCE_END;
    dag_table_at(base, self->position++, into);
    return SOURCE_JOB;
}

static void dag_table_rewind(source *base)
{
    ((dag_table *)base)->position = 0;
}

static void dag_table_destroy(source *base)
{
    dag_table *self = (dag_table *)base;
    for (uint32_t i = 0; i < self->head.queue_count; i++)
        free(self->names[i]);
    free(self->names);
    free(self->jobs);
    free(self->stages);
    free(self->durations);
    free(self->parents);
    free(self->spread);
    free(self);
}

source *dag_table_new(uint32_t resources)
{
    dag_table *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.resources = resources;
    self->head.base.model = SOURCE_DAG;
    self->head.base.next = dag_table_next;
    self->head.base.rewind = dag_table_rewind;
    self->head.base.destroy = dag_table_destroy;
    return &self->head.base;
}

int dag_is_table(const source *any)
{
    return any->next == dag_table_next;
}

/* ---- filling --------------------------------------------------------------------------------- */

/* Makes room for `more` elements behind `count` of them; 0 when memory is short. */
static int grow_by(void **array, size_t count, size_t more, size_t *room, size_t element)
{
    while (*room - count < more)
        if (!source_grow(array, *room, room, element))
            return 0;
    return 1;
}

int dag_table_queue(source *table, const char *name, uint32_t *number)
{
    dag_table *self = (dag_table *)table;
    void *names = self->names;
    uint32_t count = self->head.queue_count;
    for (*number = 0; *number < count; ++*number)
        if (strcmp(self->names[*number], name) == 0)
            return 1;
    int grown = source_grow(&names, count, &self->name_room, sizeof *self->names);
    self->names = names;
    self->head.queue_names = names;
    if (!grown || !(self->names[count] = malloc(strlen(name) + 1)))
        return 0;
    strcpy(self->names[count], name);
    self->head.queue_count++;
    return 1;
}

/* Copies them behind the others, if there are any; *place is where they begin. */
static int add_durations(dag_table *self, const uint64_t *durations, uint32_t count, size_t *place)
{
    void *array = self->durations;
    *place = NONE;
    if (!durations)
        return 1;
    int grown = grow_by(&array, self->duration_count, count, &self->duration_room,
                        sizeof *durations);
    self->durations = array;
    if (!grown)
        return 0;
    *place = self->duration_count;
    memcpy(self->durations + *place, durations, count * sizeof *durations);
    self->duration_count += count;
    return 1;
}

static int add_parents(dag_table *self, const uint32_t *parents, uint32_t count, size_t *place)
{
    void *array = self->parents;
    *place = NONE;
    if (count == 0)
        return 1;
    int grown = grow_by(&array, self->parent_count, count, &self->parent_room, sizeof *parents);
    self->parents = array;
    if (!grown)
        return 0;
    *place = self->parent_count;
    memcpy(self->parents + *place, parents, count * sizeof *parents);
    self->parent_count += count;
    return 1;
}

static int add_stage(dag_table *self, const pn_dag_stage *stage)
{
    table_stage *added = &self->stages[self->stage_count];
    added->stage = *stage;
    if (!add_durations(self, stage->durations, stage->tasks, &added->durations) ||
        !add_parents(self, stage->parents, stage->parent_count, &added->parents))
        return 0;
    self->stage_count++;
    return 1;
}

/* Makes room for one more job, and its stages, to be stored and read. */
static int make_room(dag_table *self, uint32_t stages)
{
    void *jobs = self->jobs, *stored = self->stages, *spread = self->spread;
    int grown = source_grow(&jobs, (size_t)self->head.base.count, &self->room, sizeof *self->jobs);
    self->jobs = jobs;
    if (grown)
        grown = grow_by(&stored, self->stage_count, stages, &self->stage_room,
                        sizeof *self->stages);
    self->stages = stored;
    if (grown)
        grown = grow_by(&spread, 0, stages, &self->spread_room, sizeof *self->spread);
    self->spread = spread;
    return grown;
}

int dag_table_add(source *table, const void *any)
{
    const pn_dag_job *job = any;
    dag_table *self = (dag_table *)table;
    size_t first = self->stage_count;
    int added = make_room(self, job->stage_count);
    for (uint32_t i = 0; added && i < job->stage_count; i++)
        added = add_stage(self, &job->stages[i]);
    if (!added)
        return 0;
    self->jobs[table->count] = (table_job){.job = *job, .first_stage = first};
    self->jobs[table->count++].job.stages = NULL;
    return 1;
}

/* ---- all jobs at once ------------------------------------------------------------------------ */

static int copy_jobs(dag_job_list *list, source *work)
{
    pn_dag_job job;
    int answer;
    work->rewind(work);
    while ((answer = source_next(work, &job)) == SOURCE_JOB) {
        if (interrupt_pending()) /* a job may list a million durations */
            return SOURCE_INTERRUPTED;
        if (!dag_table_add(list->table, &job))
            return source_out_of_memory(work);
    }
    return answer;
}

int dag_job_list_collect(dag_job_list *list, source *work)
{
    memset(list, 0, sizeof *list);
    list->table = dag_table_new(dag_source_of(work)->resources);
    int answer = list->table ? copy_jobs(list, work) : source_out_of_memory(work);
    if (answer != SOURCE_END)
        return answer;
    const dag_table *table = (const dag_table *)list->table;
    size_t count = (size_t)table->head.base.count;
    list->jobs = calloc(count + 1, sizeof *list->jobs);
    list->stages = calloc(table->stage_count + 1, sizeof *list->stages);
    if (!list->jobs || !list->stages)
        return source_out_of_memory(work);
    for (size_t i = 0; i < count; i++)
        give_job(table, i, list->stages + table->jobs[i].first_stage, &list->jobs[i]);
    list->count = count;
    return answer;
}

void dag_job_list_free(dag_job_list *list)
{
    source_free(list->table);
    free(list->jobs);
    free(list->stages);
    memset(list, 0, sizeof *list);
}
