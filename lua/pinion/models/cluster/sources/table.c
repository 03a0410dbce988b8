/* A table of jobs of the cluster model in memory, for scenario files and traces, and the list of
 * all jobs for the verifier. Lists of tasks are kept as stretches of equal values, because
 * most jobs have a thousand tasks of two lengths; `next` spreads them out again into one buffer. */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "jobs.h"

enum list {
    MAP_TIMES,
    REDUCE_TIMES,
    SHUFFLE_TIMES,
    MAP_FACTOR,
    REDUCE_FACTOR,
    BLOCK_COUNTS,
    LISTS
};

typedef struct stretch {
    uint64_t value;
    uint32_t count;
} stretch;

/* The lists of a job that has any. */
typedef struct job_lists {
    size_t first_stretch, first_block; /* stretches list after list */
    uint32_t stretches[LISTS];         /* of each; 0: the job has no such list */
} job_lists;

typedef struct table_job {
    pn_cluster_job job; /* without its lists */
    uint32_t lists;     /* 1 + index; 0: none */
} table_job;

typedef struct cluster_table {
    cluster_source head;
    table_job *jobs;
    size_t room, position;
    job_lists *lists;
    size_t list_count, list_room;
    stretch *stretches;
    size_t stretch_count, stretch_room;
    uint32_t *blocks;
    size_t block_count, block_room;
    uint64_t *times; /* the lists of the last job that was read: times, and everything else */
    uint32_t *values;
    size_t time_room, value_room;
} cluster_table;

static int is_time(enum list list)
{
    return list <= SHUFFLE_TIMES;
}

/* Returns the number of values of such a list, where the job has one. */
static size_t length_of(uint32_t maps, uint32_t reduces, enum list list)
{
    return list == MAP_TIMES || list == MAP_FACTOR || list == BLOCK_COUNTS ? maps : reduces;
}

static const uint64_t *times_of(const pn_cluster_job *job, enum list list)
{
    return list == MAP_TIMES      ? job->map_times
           : list == REDUCE_TIMES ? job->reduce_times
                                  : job->shuffle_times;
}

static const uint32_t *values_of(const pn_cluster_job *job, enum list list)
{
    return list == MAP_FACTOR      ? job->map_factor
           : list == REDUCE_FACTOR ? job->reduce_factor
                                   : job->block_counts;
}

static int has_list(const pn_cluster_job *job, enum list list)
{
    return is_time(list) ? times_of(job, list) != NULL : values_of(job, list) != NULL;
}

static void set_times(pn_cluster_job *job, enum list list, const uint64_t *times)
{
    if (list == MAP_TIMES)
        job->map_times = times;
    else if (list == REDUCE_TIMES)
        job->reduce_times = times;
    else
        job->shuffle_times = times;
}

static void set_values(pn_cluster_job *job, enum list list, const uint32_t *values)
{
    if (list == MAP_FACTOR)
        job->map_factor = values;
    else if (list == REDUCE_FACTOR)
        job->reduce_factor = values;
    else
        job->block_counts = values;
}

/* Returns the number of nodes in all of the job's blocks. */
static size_t blocks_of(const pn_cluster_job *job)
{
    size_t blocks = 0;
    for (uint32_t i = 0; job->block_counts && i < job->maps; i++)
        blocks += job->block_counts[i];
    return blocks;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void spread_times(const stretch *stretches, uint32_t count, uint64_t *times)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < stretches[i].count; k++)
            *times++ = stretches[i].value;
}

static void spread_values(const stretch *stretches, uint32_t count, uint32_t *values)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < stretches[i].count; k++)
            *values++ = (uint32_t)stretches[i].value;
}

static void spread_lists(cluster_table *self, const job_lists *lists, pn_cluster_job *job)
{
    static const stretch none; /* where no job has a list */
    const stretch *stretches = self->stretches ? self->stretches + lists->first_stretch : &none;
    uint64_t *times = self->times;
    uint32_t *values = self->values;
    for (enum list list = 0; list < LISTS; list++) {
        uint32_t count = lists->stretches[list];
        size_t length = length_of(job->maps, job->reduces, list);
        if (count > 0 && is_time(list)) {
            spread_times(stretches, count, times);
            set_times(job, list, times);
            times += length;
        } else if (count > 0) {
            spread_values(stretches, count, values);
            set_values(job, list, values);
            values += length;
        }
        stretches += count;
    }
    if (job->block_counts)
        job->blocks = self->blocks + lists->first_block;
}

void cluster_table_at(source *table, uint64_t index, pn_cluster_job *job)
{
    cluster_table *self = (cluster_table *)table;
    const table_job *stored = &self->jobs[index];
    *job = stored->job;
    job->attributes = source_attributes_at(table, index);
    if (stored->lists > 0)
        spread_lists(self, &self->lists[stored->lists - 1], job);
}

static int cluster_table_next(source *base, void *into)
{
    pn_cluster_job *job = into;
    cluster_table *self = (cluster_table *)base;
    if (self->position >= base->count)
        return SOURCE_END;
    cluster_table_at(base, self->position++, job);
    return SOURCE_JOB;
}

static void cluster_table_rewind(source *base)
{
    ((cluster_table *)base)->position = 0;
}

static void cluster_table_destroy(source *base)
{
    cluster_table *self = (cluster_table *)base;
    free(self->jobs);
    free(self->lists);
    free(self->stretches);
    free(self->blocks);
    free(self->times);
    free(self->values);
    free(self);
}

source *cluster_table_new(void)
{
    cluster_table *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_CLUSTER;
    self->head.base.next = cluster_table_next;
    self->head.base.rewind = cluster_table_rewind;
    self->head.base.destroy = cluster_table_destroy;
    return &self->head.base;
}

int cluster_is_table(const source *any)
{
    return any->next == cluster_table_next;
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

static int add_value(cluster_table *self, uint64_t value, uint32_t *stretches)
{
    void *array = self->stretches;
    int grown;
    if (*stretches > 0 && self->stretches[self->stretch_count - 1].value == value) {
        self->stretches[self->stretch_count - 1].count++;
        return 1;
    }
    grown = source_grow(&array, self->stretch_count, &self->stretch_room, sizeof *self->stretches);
    self->stretches = array;
    if (grown) {
        self->stretches[self->stretch_count++] = (stretch){value, 1};
        ++*stretches;
    }
    return grown;
}

static int add_list(cluster_table *self, const pn_cluster_job *job, enum list list,
                    uint32_t *stretches)
{
    size_t length = length_of(job->maps, job->reduces, list);
    int added = 1;
    for (size_t i = 0; has_list(job, list) && added && i < length; i++)
        added = add_value(self, is_time(list) ? times_of(job, list)[i] : values_of(job, list)[i],
                          stretches);
    return added;
}

static int add_blocks(cluster_table *self, const pn_cluster_job *job)
{
    size_t count = blocks_of(job);
    void *array = self->blocks;
    /* One more, so that the array is there even for jobs whose blocks lie nowhere. */
    int grown = grow_by(&array, self->block_count, count + 1, &self->block_room,
                        sizeof *self->blocks);
    self->blocks = array;
    if (!grown)
        return 0;
    for (size_t i = 0; i < count; i++) {
        self->blocks[self->block_count++] = job->blocks[i];
        if (job->blocks[i] >= self->head.nodes)
            self->head.nodes = job->blocks[i] + 1;
    }
    for (uint32_t i = 0; i < job->maps; i++)
        if (job->block_counts[i] > self->head.replicas)
            self->head.replicas = job->block_counts[i];
    return 1;
}

/* Makes room in the buffers for the lists of any job. */
static int make_room(cluster_table *self, const pn_cluster_job *job)
{
    size_t times = 0, values = 0;
    void *time_array = self->times, *value_array = self->values;
    int grown;
    for (enum list list = 0; list < LISTS; list++)
        if (has_list(job, list))
            *(is_time(list) ? &times : &values) += length_of(job->maps, job->reduces, list);
    grown = grow_by(&time_array, 0, times, &self->time_room, sizeof *self->times);
    self->times = time_array;
    if (grown)
        grown = grow_by(&value_array, 0, values, &self->value_room, sizeof *self->values);
    self->values = value_array;
    return grown;
}

static int add_lists(cluster_table *self, const pn_cluster_job *job)
{
    job_lists added = {.first_stretch = self->stretch_count, .first_block = self->block_count};
    void *array = self->lists;
    int grown = make_room(self, job) &&
                source_grow(&array, self->list_count, &self->list_room, sizeof *self->lists);
    self->lists = array;
    for (enum list list = 0; grown && list < LISTS; list++)
        grown = add_list(self, job, list, &added.stretches[list]);
    if (grown && job->block_counts)
        grown = add_blocks(self, job);
    if (grown)
        self->lists[self->list_count++] = added;
    return grown;
}

int cluster_table_add(source *table, const void *any)
{
    const pn_cluster_job *job = any;
    table_job *added;
    cluster_table *self = (cluster_table *)table;
    void *jobs = self->jobs;
    int listed = 0,
        grown = source_grow(&jobs, (size_t)table->count, &self->room, sizeof *self->jobs);
    self->jobs = jobs;
    for (enum list list = 0; list < LISTS; list++)
        listed |= has_list(job, list);
    if (!grown || (listed && (self->list_count >= UINT32_MAX || !add_lists(self, job))))
        return 0;
    added = &self->jobs[table->count++];
    *added = (table_job){.job = *job, .lists = listed ? (uint32_t)self->list_count : 0};
    for (enum list list = 0; list < LISTS; list++)
        is_time(list) ? set_times(&added->job, list, NULL) : set_values(&added->job, list, NULL);
    added->job.blocks = NULL;
    self->head.reduces |= job->reduces > 0;
    return 1;
}

/* ---- all jobs at once ------------------------------------------------------------------------ */

/* So many values are in the lists of all jobs. */
typedef struct list_sizes {
    size_t jobs, times, values;
} list_sizes;

static void add_sizes(list_sizes *sizes, const pn_cluster_job *job)
{
    sizes->jobs++;
    for (enum list list = 0; list < LISTS; list++)
        if (has_list(job, list))
            *(is_time(list) ? &sizes->times : &sizes->values) += length_of(job->maps, job->reduces,
                                                                           list);
    sizes->values += blocks_of(job);
}

static void copy_job(cluster_job_list *list, list_sizes *filled, const pn_cluster_job *job)
{
    pn_cluster_job *copy = &list->jobs[filled->jobs++];
    *copy = *job;
    for (enum list kind = 0; kind < LISTS; kind++) {
        size_t length = length_of(job->maps, job->reduces, kind);
        if (!has_list(job, kind))
            continue;
        if (is_time(kind)) {
            memcpy(list->times + filled->times, times_of(job, kind), length * sizeof *list->times);
            set_times(copy, kind, list->times + filled->times);
            filled->times += length;
        } else {
            memcpy(list->values + filled->values, values_of(job, kind),
                   length * sizeof *list->values);
            set_values(copy, kind, list->values + filled->values);
            filled->values += length;
        }
    }
    if (job->block_counts) {
        size_t blocks = blocks_of(job);
        memcpy(list->values + filled->values, job->blocks, blocks * sizeof *list->values);
        copy->blocks = list->values + filled->values;
        filled->values += blocks;
    }
}

static int allocate(cluster_job_list *list, const list_sizes *sizes)
{
    list->jobs = calloc(sizes->jobs + 1, sizeof *list->jobs);
    list->times = calloc(sizes->times + 1, sizeof *list->times);
    list->values = calloc(sizes->values + 1, sizeof *list->values);
    return list->jobs && list->times && list->values;
}

/* Collects in two passes through the jobs: once to count what they need, then to copy them, so that
 * no array moves under its pointers. */
int cluster_job_list_collect(cluster_job_list *list, source *work)
{
    list_sizes sizes = {0, 0, 0}, filled = {0, 0, 0};
    pn_cluster_job job;
    int answer;
    memset(list, 0, sizeof *list);
    work->rewind(work);
    while ((answer = source_next(work, &job)) == SOURCE_JOB) {
        add_sizes(&sizes, &job);
        if (interrupt_pending()) /* a job may list a million values */
            return SOURCE_INTERRUPTED;
    }
    if (answer != SOURCE_END)
        return answer;
    if (!allocate(list, &sizes))
        return source_out_of_memory(work);
    work->rewind(work);
    while ((answer = source_next(work, &job)) == SOURCE_JOB) {
        if (interrupt_pending())
            return SOURCE_INTERRUPTED;
        job.attributes = NULL;
        copy_job(list, &filled, &job);
    }
    list->count = filled.jobs;
    return answer;
}

void cluster_job_list_free(cluster_job_list *list)
{
    free(list->jobs);
    free(list->times);
    free(list->values);
    memset(list, 0, sizeof *list);
}
