/* The workloads with which He, Lu, Swanson (2012) measure RTMR: Table III (workload I) has the job
 * sizes of the first six bins of the Facebook benchmark, Table IV (workload II) larger ones. A bin
 * has a fixed number of jobs; maps, reduces and deadlines are uniform between its bounds, and the
 * order of the jobs is random. Gaps between submissions are exponential, and all of them together
 * last as long as the paper says: 21 minutes.
 *
 * The paper measured the times of tasks and learnt estimates from bytes, but prints neither: both
 * are fitted to its Tables V and VI, as the defaults of the front end are. */
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "jobs.h"

#define BINS_MOST 6
/* 21 minutes in mean gaps of 14 s. */
#define PAPER_GAPS 90
/* What the fitted estimates have on top, ms. */
#define EST_MORE 2

typedef struct range {
    uint64_t least, most;
} range;

typedef struct bin {
    uint32_t jobs;                 /* of the paper's workload */
    range maps, reduces, deadline; /* deadline: seconds */
} bin;

static const struct {
    uint32_t bin_count, jobs;
    bin bins[BINS_MOST];
} papers[] = {{6,
               88,
               {{38, {1, 1}, {1, 5}, {200, 300}},
                {16, {2, 2}, {1, 5}, {200, 300}},
                {14, {10, 10}, {5, 10}, {300, 400}},
                {8, {50, 50}, {10, 20}, {500, 800}},
                {6, {100, 100}, {20, 30}, {1000, 1500}},
                {6, {200, 200}, {30, 30}, {2000, 2500}}}},
              {5,
               89,
               {{9, {1, 10}, {1, 5}, {200, 300}},
                {24, {10, 50}, {5, 10}, {300, 500}},
                {25, {50, 100}, {15, 30}, {1000, 1500}},
                {18, {100, 200}, {25, 50}, {1500, 2500}},
                {13, {200, 300}, {35, 70}, {2500, 3500}}}}};

/* A job before its times: drawn for those that are left out too, so that they do not shift the
 * others. */
typedef struct drawn_job {
    double at; /* submission in mean gaps */
    uint32_t bin, maps, reduces, deadline;
} drawn_job;

/* Fills the bins of all jobs in order: as many of each as the proportions say, rounded down; what
 * that leaves goes to the largest remainders, one each, the first bin first among equal ones. */
static void fill_bins(const rtmr_shape *shape, drawn_job *jobs)
{
    uint64_t paper = papers[shape->workload].jobs, filled = 0, left[BINS_MOST];
    for (uint32_t b = 0; b < papers[shape->workload].bin_count; b++) {
        uint64_t share = shape->jobs * papers[shape->workload].bins[b].jobs;
        left[b] = share % paper;
        for (uint64_t i = 0; i < share / paper; i++)
            jobs[filled++].bin = b;
    }
    while (filled < shape->jobs) {
        uint32_t largest = 0;
        for (uint32_t b = 1; b < papers[shape->workload].bin_count; b++)
            largest = left[b] > left[largest] ? b : largest;
        left[largest] = 0;
        jobs[filled++].bin = largest;
    }
}

static uint32_t draw(pn_stream *stream, const range *limits)
{
    return (uint32_t)pn_uniform(stream, limits->least, limits->most);
}

/* Draws order and gaps, then sizes and deadlines, from a stream each. */
static void draw_jobs(const rtmr_shape *shape, drawn_job *jobs, uint64_t seed, uint32_t replica)
{
    pn_stream order, sizes;
    double at = 0.0;
    pn_stream_init(&order, seed, replica, 0);
    pn_stream_init(&sizes, seed, replica, 1);
    for (uint64_t i = shape->jobs - 1; i > 0; i--) {
        uint64_t other = pn_uniform(&order, 0, i);
        uint32_t moved = jobs[i].bin;
        jobs[i].bin = jobs[other].bin;
        jobs[other].bin = moved;
    }
    for (uint64_t i = 0; i < shape->jobs; i++) {
        const bin *ranges = &papers[shape->workload].bins[jobs[i].bin];
        jobs[i].at = at;
        at += pn_exponential(&order, 1.0);
        jobs[i].maps = draw(&sizes, &ranges->maps);
        jobs[i].reduces = draw(&sizes, &ranges->reduces);
        jobs[i].deadline = draw(&sizes, &ranges->deadline);
    }
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Returns the work of all reduces of the job together. */
static uint64_t reduce_work(const rtmr_shape *shape, const drawn_job *job)
{
    return shape->reduce_ms * job->reduces + shape->reduce_block_ms * job->maps;
}

static uint64_t estimate(uint64_t work, uint64_t permille, uint64_t tasks)
{
    return (work * permille + 1000 * tasks - 1) / (1000 * tasks) + EST_MORE;
}

static pn_cluster_job timed(const rtmr_shape *shape, const drawn_job *job)
{
    uint64_t work = reduce_work(shape, job);
    return (pn_cluster_job){.maps = job->maps,
                            .reduces = job->reduces,
                            .map_ms = shape->map_ms,
                            .reduce_ms = work / job->reduces,
                            .deadline = 1000 * (uint64_t)job->deadline,
                            .est_map_ms = estimate(shape->map_ms, shape->est_permille[0], 1),
                            .est_reduce_ms = estimate(work, shape->est_permille[1], job->reduces),
                            .group = job->bin};
}

/* Returns the time from the first submission to the last, ms. */
static double span_of(const rtmr_shape *shape, const drawn_job *jobs)
{
    double maps = 0.0, reduces = 0.0, map_busy, reduce_busy;
    pn_cluster_job job;
    if (!(shape->load > 0.0))
        return (double)(shape->gap_ms * PAPER_GAPS * shape->jobs / papers[shape->workload].jobs);
    for (uint64_t i = 0; i < shape->jobs; i++) {
        if (jobs[i].reduces > shape->reduces_most)
            continue;
        job = timed(shape, &jobs[i]);
        maps += (double)(job.map_ms * job.maps);
        reduces += (double)(job.reduce_ms * job.reduces);
    }
    map_busy = maps / (double)shape->map_slots;
    reduce_busy = shape->reduce_slots > 0 ? reduces / (double)shape->reduce_slots : 0.0;
    return (map_busy > reduce_busy ? map_busy : reduce_busy) / shape->load;
}

static int add_jobs(source *table, const rtmr_shape *shape, const drawn_job *jobs)
{
    double span = span_of(shape, jobs), last = jobs[shape->jobs - 1].at;
    if (!(span <= (double)PN_INTEGER_MAX)) {
        snprintf(table->fault, sizeof table->fault,
                 "submissions pass 2^53 ms (expected a higher load)");
        return SOURCE_FAULT;
    }
    for (uint64_t i = 0; i < shape->jobs; i++) {
        pn_cluster_job job = timed(shape, &jobs[i]);
        if (jobs[i].reduces > shape->reduces_most)
            continue;
        if ((i & 0xFFFF) == 0xFFFF && interrupt_pending())
            return SOURCE_INTERRUPTED;
        job.submit = last > 0.0 ? (uint64_t)(span * (jobs[i].at / last)) : 0;
        if (job.est_map_ms > PN_CLUSTER_MOST_MS || job.est_reduce_ms > PN_CLUSTER_MOST_MS) {
            snprintf(table->fault, sizeof table->fault, "job %llu: its estimates pass 2^40 ms",
                     (unsigned long long)table->count + 1);
            return SOURCE_FAULT;
        }
        if (!cluster_table_add(table, &job))
            return source_out_of_memory(table);
    }
    if (table->count > 0)
        return SOURCE_END;
    snprintf(table->fault, sizeof table->fault, "no job is left: all have more than %llu reduces",
             (unsigned long long)shape->reduces_most);
    return SOURCE_FAULT;
}

int cluster_rtmr_fill(source *table, const rtmr_shape *shape, uint64_t seed, uint32_t replica)
{
    drawn_job *jobs = calloc((size_t)shape->jobs, sizeof *jobs);
    int answer;
    if (!jobs)
        return source_out_of_memory(table);
    fill_bins(shape, jobs);
    draw_jobs(shape, jobs, seed, replica);
    answer = add_jobs(table, shape, jobs);
    free(jobs);
    return answer;
}
