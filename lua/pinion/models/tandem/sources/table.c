/* A table of jobs of the tandem model in memory, for scenario files and traces, and the list of all
 * jobs for the verifier. */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "jobs.h"

typedef struct tandem_table {
    tandem_source head;
    pn_tandem_job *jobs;
    size_t room, position;
} tandem_table;

static int tandem_table_next(source *base, void *into)
{
    pn_tandem_job *job = into;
    tandem_table *self = (tandem_table *)base;
    if (self->position >= base->count)
        return SOURCE_END;
    *job = self->jobs[self->position];
    job->attributes = source_attributes_at(base, self->position++);
    return SOURCE_JOB;
}

static void tandem_table_rewind(source *base)
{
    ((tandem_table *)base)->position = 0;
}

static void tandem_table_destroy(source *base)
{
    free(((tandem_table *)base)->jobs);
    free(base);
}

source *tandem_table_new(void)
{
    tandem_table *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_TANDEM;
    self->head.base.next = tandem_table_next;
    self->head.base.rewind = tandem_table_rewind;
    self->head.base.destroy = tandem_table_destroy;
    return &self->head.base;
}

int tandem_is_table(const source *any)
{
    return any->next == tandem_table_next;
}

int tandem_table_add(source *table, const void *any)
{
    const pn_tandem_job *job = any;
    tandem_table *self = (tandem_table *)table;
    void *jobs = self->jobs;
    int grown = source_grow(&jobs, (size_t)table->count, &self->room, sizeof *self->jobs);
    self->jobs = jobs;
    if (grown)
        self->jobs[table->count++] = *job;
    return grown;
}

pn_tandem_job *tandem_table_at(source *table, uint64_t index)
{
    return &((tandem_table *)table)->jobs[index];
}

/* ---- all jobs at once ------------------------------------------------------------------------ */

int tandem_job_list_collect(tandem_job_list *list, source *work)
{
    gap_sum sum = {0};
    int answer;
    memset(list, 0, sizeof *list);
    work->rewind(work);
    for (;;) {
        pn_tandem_job job;
        void *array = list->jobs;
        int grown;
        answer = source_next(work, &job);
        if (answer != SOURCE_JOB)
            return answer;
        if ((list->count & 0xFFFF) == 0xFFFF && interrupt_pending())
            return SOURCE_INTERRUPTED;
        if (tandem_source_of(work)->gaps)
            job.arrival = gap_sum_add(&sum, job.arrival);
        grown = source_grow(&array, list->count, &list->room, sizeof *list->jobs);
        list->jobs = array;
        if (!grown)
            return source_out_of_memory(work);
        job.attributes = NULL;
        list->jobs[list->count++] = job;
    }
}

void tandem_job_list_free(tandem_job_list *list)
{
    free(list->jobs);
    memset(list, 0, sizeof *list);
}
