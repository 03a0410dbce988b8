/* Sources of jobs of the cluster model. */
#ifndef PINION_CLUSTER_SOURCES_JOBS_H
#define PINION_CLUSTER_SOURCES_JOBS_H

#include "workload/distribution.h"
#include "workload/source.h"
#include "workload/swf.h"
#include "workload/swim.h"

/* Every source of jobs of the cluster model begins with it. */
typedef struct cluster_source {
    source base;
    uint32_t replicas, nodes; /* most nodes of a map's list; 1 + the largest node of all */
    uint8_t reduces;          /* 1: there may be a job with reduces */
} cluster_source;

static inline const cluster_source *cluster_source_of(const source *work)
{
    return (const cluster_source *)work;
}

/* ---- a table of jobs in memory --------------------------------------------------------------- */

/* Makes a table of the cluster model. Jobs are added in order of submission, and copied with their
 * lists, of which equal neighbours are kept once. */
source *cluster_table_new(void);
int cluster_table_add(source *table, const void *job); /* a pn_cluster_job */
/* Gives the job with this index, 0 <= index < count, as `next` gives it; its lists are valid until
 * the next call of either. */
void cluster_table_at(source *table, uint64_t index, pn_cluster_job *job);
int cluster_is_table(const source *any);

/* ---- generators ------------------------------------------------------------------------------ */

/* The same jobs in the cluster model. Times are drawn from streams of their own, so that arrivals
 * and sizes do not depend on them. */
typedef struct facebook_times {
    double gap_ms;                  /* mean, between submissions; 0: all at once */
    distribution map_ms, reduce_ms; /* of a job's tasks, one draw for all */
    /* at most PN_CLUSTER_MOST_MS, as the next two are for 4800 blocks */
    uint64_t remote_ms;
    /* added for each block of input, which the job's reduces share */
    uint64_t reduce_block_ms, shuffle_block_ms;
} facebook_times;

source *cluster_facebook_new(uint64_t jobs, uint32_t bins, const facebook_times *times,
                             uint64_t seed, uint32_t replica);

#define RTMR_JOBS_MAX 10000000

enum rtmr_workload { RTMR_I, RTMR_II };

/* The jobs of He, Lu, Swanson (2012), Tables III and IV. The paper gives numbers of tasks and
 * deadlines; times and estimates are the caller's. */
typedef struct rtmr_shape {
    enum rtmr_workload workload;
    uint64_t jobs; /* 1..RTMR_JOBS_MAX, in the paper's proportions */
    /* a reduce takes its blocks' time more; < 2^30, < 2^30, < 2^24 */
    uint64_t map_ms, reduce_ms, reduce_block_ms;
    uint64_t est_permille[2]; /* of a map's and a reduce's time, < 2^20 */
    uint64_t reduces_most;    /* jobs with more reduces are left out */
    uint64_t gap_ms;          /* between submissions, < 2^28 */
    /* > 0: of the slots that are busier, and gap_ms means nothing */
    double load;
    /* of which that is the load; reduce_slots may be 0 */
    uint64_t map_slots, reduce_slots;
} rtmr_shape;

/* Fills an empty table: SOURCE_END, or SOURCE_FAULT or SOURCE_INTERRUPTED. */
int cluster_rtmr_fill(source *table, const rtmr_shape *shape, uint64_t seed, uint32_t replica);

/* ---- SWIM traces ----------------------------------------------------------------------------- */

/* mapping.slot_seconds and mapping.machines mean nothing. */
typedef struct swim_cluster {
    swim_mapping mapping;
    uint64_t tasks_most;                               /* reduce tasks of a job, 1..2^24 */
    uint64_t map_start_ms, reduce_start_ms, remote_ms; /* at most 2^40 */
    uint64_t map_rate, shuffle_rate, write_rate;       /* bytes per second, >= 1 */
    uint64_t first, jobs;                              /* so many rows from this one on, from 1 */
} swim_cluster;

/* Reads a whole trace into the empty `table`. 1, or 0 with a message. */
int swim_read_cluster(const char *path, const swim_cluster *cluster, source *table,
                      swim_summary *summary, char message[SWIM_MESSAGE_SIZE]);

/* ---- the Standard Workload Format ------------------------------------------------------------ */

/* Makes a table of a trace's jobs; null when memory is short. */
source *cluster_swf_new(const swf_trace *trace);

/* ---- deadlines ------------------------------------------------------------------------------- */

#define SOURCE_DEADLINE_STREAM 33

typedef struct deadline_rule {
    distribution draw;
    /* 1: a factor on what the job is estimated to take alone on an idle cluster; 0: ms */
    uint8_t relative;
    /* relative: of this cluster; the speed of its slowest node, permille */
    uint64_t map_slots, reduce_slots, slowest;
} deadline_rule;

/* Makes the jobs of `truth`, of the cluster model, which must outlive it and is read along with it,
 * with other deadlines. */
source *cluster_deadlines_new(source *truth, const deadline_rule *rule, uint64_t seed,
                              uint32_t replica);

/* ---- all jobs at once ------------------------------------------------------------------------ */

/* A copy of every job of a source, with its lists. */
typedef struct cluster_job_list {
    pn_cluster_job *jobs;
    size_t count;
    uint64_t *times;
    uint32_t *values;
} cluster_job_list;

int cluster_job_list_collect(cluster_job_list *list, source *work);
void cluster_job_list_free(cluster_job_list *list);

/* ---- jobs that are changed ------------------------------------------------------------------- */

extern const struct changed_model changed_cluster; /* changed.h */

#endif
