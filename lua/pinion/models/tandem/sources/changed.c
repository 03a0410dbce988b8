/* Changes of jobs of the tandem model, whose times and sizes are real numbers. */
#include "base/interrupt.h"
#include "workload/changed.h"
#include "jobs.h"

static double time_of(const void *job)
{
    return ((const pn_tandem_job *)job)->arrival;
}

static int move(void *any, double time)
{
    pn_tandem_job *job = any;
    job->arrival = time;
    return source_amount(&job->arrival);
}

/* Scales: 0 stays 0, and nothing else becomes 0: the smallest size is the model's. */
static int scale_amount(double *amount, double factor)
{
    if (*amount == 0.0 || *amount == PN_TANDEM_ESTIMATE_ZERO)
        return 1;
    *amount *= factor;
    if (*amount < PN_TANDEM_LEAST)
        *amount = PN_TANDEM_LEAST;
    return *amount <= PN_TANDEM_MOST;
}

static enum changed_answer scale(void *any, double factor, changed_lists *lists)
{
    pn_tandem_job *job = any;
    (void)lists;
    return scale_amount(&job->map, factor) && scale_amount(&job->shuffle, factor) &&
                   scale_amount(&job->estimate_map, factor) &&
                   scale_amount(&job->estimate_shuffle, factor)
               ? CHANGED
               : CHANGED_TOO_LARGE;
}

/* Makes a copy. Arrivals are times there, whatever the source gives. */
static source *copy(source *truth, int *answer)
{
    source *table = tandem_table_new();
    gap_sum sum = {0};
    pn_tandem_job job;
    int added = table != NULL;
    while (added && (*answer = source_next(truth, &job)) == SOURCE_JOB) {
        if (tandem_source_of(truth)->gaps)
            job.arrival = gap_sum_add(&sum, job.arrival);
        job.attributes = NULL; /* which the table would not copy */
        added = tandem_table_add(table, &job);
        if ((table->count & 0xFFFF) == 0 && interrupt_pending()) {
            *answer = SOURCE_INTERRUPTED;
            return table;
        }
    }
    if (added)
        return table;
    if (table)
        table->destroy(table);
    return NULL;
}

static void at(source *table, uint64_t index, void *any)
{
    pn_tandem_job *job = any;
    *job = *tandem_table_at(table, index);
    job->attributes = source_attributes_at(table, index);
}

static void forget(source *self)
{
    ((tandem_source *)self)->gaps = 0;
}

static int has_gaps(const source *self)
{
    return tandem_source_of(self)->gaps;
}

static double size_of(const void *any)
{
    const pn_tandem_job *job = any;
    return job->map + job->shuffle;
}

static uint32_t *group_of(void *job)
{
    return &((pn_tandem_job *)job)->group;
}

const changed_model changed_tandem = {.head_bytes = sizeof(tandem_source),
                                      .forget = forget,
                                      .has_gaps = has_gaps,
                                      .whole = 0,
                                      .latest = "2^256",
                                      .largest = "2^256",
                                      .time = time_of,
                                      .move = move,
                                      .scale = scale,
                                      .copy = copy,
                                      .at = at,
                                      .size = size_of,
                                      .group = group_of};
