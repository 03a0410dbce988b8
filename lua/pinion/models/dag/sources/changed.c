/* Changes of jobs of the dag model. What is scaled are durations and their estimates; demands,
 * start times and deadlines stay. */
#include "base/interrupt.h"
#include "workload/changed.h"
#include "jobs.h"

static double time_of(const void *job)
{
    return (double)((const pn_dag_job *)job)->arrival;
}

static int move(void *any, double time)
{
    pn_dag_job *job = any;
    if (!(time < (double)PN_INTEGER_MAX))
        return 0;
    job->arrival = (uint64_t)time;
    return 1;
}

/* Scales a stage. Its durations go into the next of the values, where it lists any. */
static int scale_stage(pn_dag_stage *stage, double factor, uint64_t **values)
{
    uint64_t *scaled = *values;
    if (!changed_size(&stage->duration, factor, PN_DAG_MOST_MS) ||
        !changed_size(&stage->estimate, factor, PN_DAG_MOST_MS))
        return 0;
    if (!stage->durations)
        return 1;
    for (uint32_t i = 0; i < stage->tasks; i++) {
        scaled[i] = stage->durations[i];
        if (!changed_size(&scaled[i], factor, PN_DAG_MOST_MS))
            return 0;
    }
    stage->durations = scaled;
    *values += stage->tasks;
    return 1;
}

static size_t durations_of(const pn_dag_job *job)
{
    size_t durations = 0;
    for (uint32_t i = 0; i < job->stage_count; i++)
        durations += job->stages[i].durations ? job->stages[i].tasks : 0;
    return durations;
}

static enum changed_answer scale(void *any, double factor, changed_lists *lists)
{
    _Static_assert(sizeof(pn_dag_stage) % sizeof(uint64_t) == 0, "stages are lists of words");
    pn_dag_job *job = any;
    size_t words = job->stage_count * (sizeof *job->stages / sizeof(uint64_t));
    uint64_t *values = changed_room(lists, words + durations_of(job));
    pn_dag_stage *stages = (pn_dag_stage *)(void *)values;
    if (!values)
        return CHANGED_NO_MEMORY;
    values += words;
    for (uint32_t i = 0; i < job->stage_count; i++) {
        stages[i] = job->stages[i];
        if (!scale_stage(&stages[i], factor, &values))
            return CHANGED_TOO_LARGE;
    }
    job->stages = stages;
    return CHANGED;
}

static source *copy(source *truth, int *answer)
{
    source *table = dag_table_new(dag_source_of(truth)->resources);
    pn_dag_job job;
    int added = table != NULL;
    while (added && (*answer = source_next(truth, &job)) == SOURCE_JOB) {
        added = dag_table_add(table, &job);
        if (interrupt_pending()) { /* a job may list a million durations */
            *answer = SOURCE_INTERRUPTED;
            return table;
        }
    }
    if (added)
        return table;
    source_free(table);
    return NULL;
}

static void at(source *table, uint64_t index, void *job)
{
    dag_table_at(table, index, job);
}

static double size_of(const void *any)
{
    const pn_dag_job *job = any;
    double size = 0.0;
    for (uint32_t i = 0; i < job->stage_count; i++)
        size += (double)job->stages[i].tasks;
    return size;
}

static uint32_t *group_of(void *job)
{
    return &((pn_dag_job *)job)->group;
}

const changed_model changed_dag = {.head_bytes = sizeof(dag_source),
                                   .whole = 1,
                                   .latest = "2^53 ms",
                                   .largest = "2^40 ms",
                                   .time = time_of,
                                   .move = move,
                                   .scale = scale,
                                   .copy = copy,
                                   .at = at,
                                   .size = size_of,
                                   .group = group_of};
