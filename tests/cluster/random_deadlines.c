/* Whether promises are kept: no job that is accepted misses its deadline while tasks take no longer
 * than estimated and no node fails, though most deadlines are what the scheduler itself said that
 * it can do. Scenarios are random and adversarial; one that breaks a promise is made as small as it
 * gets and printed. Settings that are known to break promises must be caught at it.
 *
 *   random_deadlines [SECONDS [COUNT [SEED]]]     see random.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/support/instance.h"
#include "support/random.h"

enum { JOBS_MOST = 8, JOBS_SOMETIMES = 14 };

/* ---- settings ---- */

typedef struct setting {
    const char *name, *policy;
    bool beats;     /* nodes offer their slots at heartbeats; else at once */
    bool allowance; /* est_extra_ms is auto */
    bool less;      /* reserve gt, as the paper has it */
    bool strict;    /* reserve strict */
    bool failures;  /* of nodes and attempts: jobs may be late, but not without a word */
    bool sound;     /* promises are kept; else the fuzzer must find one that is not */
} setting;

static const setting settings[] = {
    {.name = "rtmr, ge", .policy = "rtmr", .sound = true},
    {.name = "rtmr-live", .policy = "rtmr-live", .sound = true},
    {.name = "rtmr, ge, heartbeats, auto",
     .policy = "rtmr",
     .beats = true,
     .allowance = true,
     .sound = true},
    {.name = "rtmr-live, heartbeats, auto",
     .policy = "rtmr-live",
     .beats = true,
     .allowance = true,
     .sound = true},
    {.name = "rtmr-live, failures", .policy = "rtmr-live", .failures = true, .sound = true},
    {.name = "rtmr-live, failures, heartbeats, auto",
     .policy = "rtmr-live",
     .beats = true,
     .allowance = true,
     .failures = true,
     .sound = true},
    {.name = "rtmr, gt", .policy = "rtmr", .less = true},
    {.name = "rtmr, gt, heartbeats, auto",
     .policy = "rtmr",
     .beats = true,
     .allowance = true,
     .less = true},
    {.name = "rtmr, ge, heartbeats", .policy = "rtmr", .beats = true},
    {.name = "rtmr-live, heartbeats", .policy = "rtmr-live", .beats = true},
    {.name = "rtmr, strict", .policy = "rtmr", .strict = true, .sound = true},
    {.name = "rtmr, strict, heartbeats, auto",
     .policy = "rtmr",
     .beats = true,
     .allowance = true,
     .strict = true,
     .sound = true},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

/* ---- scenarios ---- */

static uint32_t draw(pn_stream *stream, uint32_t low, uint32_t high)
{
    return (uint32_t)pn_uniform(stream, low, high);
}

static bool one_in(pn_stream *stream, uint32_t n)
{
    return draw(stream, 1, n) == 1;
}

static void draw_nodes(cluster_instance *drawn, pn_stream *stream)
{
    static const uint32_t speeds[] = {1000, 1000, 1000, 500, 700, 1300};
    bool even = !one_in(stream, 3);
    drawn->scenario.config.scheduler.nodes_count = draw(stream, 1, 3);
    for (uint32_t g = 0; g < drawn->scenario.config.scheduler.nodes_count; g++)
        drawn->nodes[g] = (pn_scheduler_nodes){.count = draw(stream, 1, 2),
                                               .map_slots = draw(stream, g == 0, 3),
                                               .reduce_slots = draw(stream, g == 0, 3),
                                               .speed = even ? 1000 : speeds[draw(stream, 0, 5)]};
}

/* Attempts take what is listed or less: factors are 1000 at most. */
static const uint32_t *draw_factors(cluster_instance *drawn, pn_stream *stream, uint32_t count)
{
    uint32_t *factors = cluster_instance_words(drawn, count);
    for (uint32_t i = 0; i < count; i++)
        factors[i] = one_in(stream, 2) ? 1000 : draw(stream, 1, 1000);
    return factors;
}

static const uint64_t *draw_times(cluster_instance *drawn, pn_stream *stream, uint32_t unit,
                                  uint32_t count)
{
    uint64_t *times = cluster_instance_times(drawn, count);
    for (uint32_t i = 0; i < count; i++)
        times[i] = (uint64_t)unit * draw(stream, 0, 12);
    return times;
}

static void draw_lists(cluster_instance *drawn, pn_stream *stream, uint32_t unit,
                       pn_cluster_job *job)
{
    if (one_in(stream, 3))
        job->map_factor = draw_factors(drawn, stream, job->maps);
    if (one_in(stream, 3))
        job->reduce_factor = draw_factors(drawn, stream, job->reduces);
    if (one_in(stream, 6))
        job->map_times = draw_times(drawn, stream, unit, job->maps);
    if (one_in(stream, 6))
        job->reduce_times = draw_times(drawn, stream, unit, job->reduces);
    if (one_in(stream, 6))
        job->shuffle_times = draw_times(drawn, stream, unit, job->reduces);
}

static void draw_job(cluster_instance *drawn, pn_stream *stream, uint32_t unit, pn_cluster_job *job)
{
    *job = (pn_cluster_job){
        .maps = draw(stream, 1, one_in(stream, 4) ? 8 : 3),
        .reduces = draw(stream, 0, one_in(stream, 4) ? 7 : 3),
        .map_ms = (uint64_t)unit * draw(stream, 0, one_in(stream, 3) ? 30 : 8),
        .remote_ms = one_in(stream, 2) ? 0 : (uint64_t)unit * draw(stream, 1, 4),
        .reduce_ms = (uint64_t)unit * draw(stream, 0, one_in(stream, 3) ? 40 : 10),
        .shuffle_ms = one_in(stream, 2) ? 0 : (uint64_t)unit * draw(stream, 1, 6),
        .deadline = (uint64_t)unit * draw(stream, 1, 100)};
    draw_lists(drawn, stream, unit, job);
}

/* An estimate may be longer than the truth on the slowest node, which is what it is by default. */
static void draw_estimates(pn_stream *stream, uint32_t unit, pn_cluster_job *job)
{
    if (!job->map_times && one_in(stream, 4))
        job->est_map_ms = 2 + 2 * (job->map_ms + job->remote_ms) +
                          (uint64_t)unit * draw(stream, 0, 10);
    if (!job->reduce_times && !job->shuffle_times && one_in(stream, 4))
        job->est_reduce_ms = 2 + 2 * job->reduce_ms + job->shuffle_ms +
                             (uint64_t)unit * draw(stream, 0, 20);
}

static void draw_failures(cluster_instance *drawn, pn_stream *stream, uint32_t unit)
{
    naive_cluster_scenario *s = &drawn->scenario;
    s->failure_count = draw(stream, 0, 3);
    s->config.attempt_fail_permille = one_in(stream, 2) ? 0 : draw(stream, 20, 300);
    s->config.scheduler.attempts_max = draw(stream, 1, 4);
    for (size_t i = 0; i < s->failure_count; i++) {
        pn_cluster_failure *f = &drawn->failures[i];
        f->node = draw(stream, 0, cluster_instance_nodes(drawn) - 1);
        f->time = (uint64_t)unit * draw(stream, 0, 50);
        f->recover = one_in(stream, 4) ? PN_SCHEDULER_NEVER
                                       : f->time + 1 + (uint64_t)unit * draw(stream, 0, 40);
    }
}

static void draw_scenario(cluster_instance *drawn, pn_stream *stream, const setting *of)
{
    uint32_t unit = one_in(stream, 2) ? 1 : 10;
    uint64_t submit = 0;
    naive_cluster_scenario *s = &drawn->scenario;
    cluster_instance_clear(drawn);
    draw_nodes(drawn, stream);
    s->policy = of->policy;
    s->config.seed = draw(stream, 1, 1000);
    s->config.replication = draw(stream, 1, 3);
    s->config.factor_lo = one_in(stream, 2) ? 1000 : draw(stream, 1, 1000);
    s->config.heartbeat_ms = of->beats ? unit * draw(stream, 1, 6) : 0;
    s->config.maps_per_heartbeat = one_in(stream, 2) ? draw(stream, 1, 3) : 0;
    s->config.est_extra_ms = of->allowance                    ? PN_CLUSTER_AUTO
                             : of->beats || one_in(stream, 2) ? 0
                                                              : unit * draw(stream, 0, 5);
    s->deadlines = (naive_cluster_deadlines){
        .by_submission = one_in(stream, 2),
        .feedback = !one_in(stream, 4),
        .theta_ms = one_in(stream, 2) ? 0 : (uint64_t)unit * draw(stream, 0, 40),
        .reserve_less = of->less,
        .reserve_strict = of->strict,
        .recompute = one_in(stream, 3),
        .satu = one_in(stream, 2),
        .keep = one_in(stream, 3)};
    s->job_count = draw(stream, 2, one_in(stream, 10) ? JOBS_SOMETIMES : JOBS_MOST);
    for (size_t i = 0; i < s->job_count; i++) {
        draw_job(drawn, stream, unit, &drawn->jobs[i]);
        draw_estimates(stream, unit, &drawn->jobs[i]);
        submit += one_in(stream, 2) ? 0
                                    : (uint64_t)unit * draw(stream, 1, one_in(stream, 4) ? 40 : 8);
        drawn->jobs[i].submit = submit;
        drawn->jobs[i].tag = i;
    }
    if (of->failures)
        draw_failures(drawn, stream, unit);
}

/* ---- running one ---- */

/* Without the checker of logs: many runs are needed, and random_cluster has it. */
static void simulate(const cluster_instance *run, cluster_outcome *out)
{
    cluster_instance_run(run, (cluster_manner){.unchecked = true}, out);
    if (out->status != PN_DONE || out->fault[0] != '\0') {
        printf("FAILED: %s %s\n", pn_status_name(out->status), out->fault);
        cluster_instance_print(run);
        exit(1);
    }
}

static void promises_of_all(const cluster_instance *run, naive_cluster_result *result)
{
    cluster_outcome out;
    simulate(run, &out);
    *result = out.result;
}

/* ---- promises ---- */

static bool was_told(const naive_cluster_result *r, uint64_t id, uint64_t due)
{
    bool told = false;
    uint64_t failure = 0; /* the last one before */
    for (size_t i = 0; i < r->event_count; i++) {
        const pn_scheduler_event *e = &r->events[i];
        if (e->event == PN_SCHEDULER_NODE_DOWN || e->event == PN_SCHEDULER_FAIL)
            failure = e->time;
        if (e->event == PN_SCHEDULER_LATE && e->id == id && (e->time <= due || e->time == failure))
            told = true;
    }
    return told;
}

static char difference[240]; /* from what the naive model decided; "" if there was none */

/* Here most deadlines are tight, so the naive model is asked once more. */
static bool is_right(const cluster_instance *run, naive_cluster_result *r)
{
    naive_cluster_result want;
    naive_cluster_run(&run->scenario, &want);
    bool right = cluster_instance_agree(r, &want, difference, sizeof difference);
    if (right)
        difference[0] = '\0';
    naive_cluster_free(&want);
    return right;
}

/* What is wrong with the run, "" if nothing is. */
static const char *broken(const setting *of, const cluster_instance *run, naive_cluster_result *r)
{
    if (!is_right(run, r))
        return "the naive model decides otherwise";
    for (size_t i = 0; i < r->record_count; i++) {
        const pn_scheduler_record *job = &r->records[i];
        uint64_t due = run->jobs[i].submit + run->jobs[i].deadline;
        bool missed = job->state == PN_SCHEDULER_UNFINISHED ||
                      (job->state == PN_SCHEDULER_FINISHED && job->finish > due);
        if (missed && !of->failures)
            return "a job misses its deadline";
        if (missed && !was_told(r, job->id, due))
            return "a job is late and was never told";
    }
    if (r->totals.late > 0 && !of->failures)
        return "a job is told that it will be late though nothing failed";
    return "";
}

/* Whether given estimates are upper bounds. */
static bool is_honest(const cluster_instance *run)
{
    bool honest = true;
    for (size_t i = 0; i < run->scenario.job_count; i++) {
        const pn_cluster_job *job = &run->jobs[i];
        uint64_t map_ms = 2 + 2 * (job->map_ms + job->remote_ms);
        uint64_t reduce_ms = 2 + 2 * job->reduce_ms + job->shuffle_ms;
        honest = honest && (job->est_map_ms == 0 || job->est_map_ms >= map_ms) &&
                 (job->est_reduce_ms == 0 || job->est_reduce_ms >= reduce_ms);
    }
    return honest;
}

static bool still_broken(const cluster_instance *run, void *user)
{
    const setting *of = user;
    cluster_outcome out;
    if (!is_honest(run))
        return false;
    simulate(run, &out);
    bool breaks = broken(of, run, &out.result)[0] != '\0';
    naive_cluster_free(&out.result);
    return breaks;
}

/* ---- all of them ---- */

static void show(const setting *of, cluster_instance *run)
{
    cluster_outcome out;
    cluster_instance_shrink(run, still_broken, (void *)(uintptr_t)of);
    simulate(run, &out);
    const char *what = broken(of, run, &out.result);
    printf("%s: %s: %s\n", of->name, what, difference);
    cluster_instance_print(run);
    cluster_instance_print_events(&out.result);
    naive_cluster_free(&out.result);
}

typedef struct counts {
    unsigned long scenarios, jobs, accepted;
} counts;

static bool try_one(const setting *of, cluster_instance *run, uint64_t seed, uint32_t number,
                    counts *done)
{
    cluster_outcome out;
    pn_stream stream;
    pn_stream_init(&stream, seed, number, 1 + (uint32_t)(of - settings));
    draw_scenario(run, &stream, of);
    cluster_instance_tighten(run, &stream, promises_of_all);
    simulate(run, &out);
    bool good = broken(of, run, &out.result)[0] == '\0';
    done->scenarios++;
    done->jobs += run->scenario.job_count;
    done->accepted += out.result.totals.accepted;
    naive_cluster_free(&out.result);
    return good;
}

static bool check_instance(void *user, uint64_t seed, uint32_t number)
{
    static cluster_instance run;
    for (size_t i = 0; i < SETTINGS; i++) {
        if (!settings[i].sound || try_one(&settings[i], &run, seed, number, user))
            continue;
        printf("FAILED: seed %llu:%u: ", (unsigned long long)seed, number);
        fflush(stdout); /* the rest may take a while */
        show(&settings[i], &run);
        return false;
    }
    return true;
}

/* A fuzzer that finds nothing where there is something proves nothing. */
static bool find_what_is_known(uint64_t seed)
{
    static cluster_instance run;
    for (size_t i = 0; i < SETTINGS; i++) {
        counts done = {0, 0, 0};
        uint32_t number = 0;
        if (settings[i].sound)
            continue;
        while (number < 100000 && try_one(&settings[i], &run, seed, number, &done))
            number++;
        if (number == 100000) {
            printf("FAILED: %s: no broken promise is found\n", settings[i].name);
            return false;
        }
        printf("%s: a broken promise after %u scenarios\n", settings[i].name, number);
    }
    return true;
}

int main(int argc, char **argv)
{
    random_plan plan = random_read(argc, argv);
    counts done = {0, 0, 0};
    if (plan.count > 1 && !find_what_is_known(plan.seed))
        return 1;
    if (!random_run(&plan, check_instance, &done))
        return 1;
    printf("random_deadlines: seed %llu: no promise broken in %lu scenarios; %lu of %lu jobs "
           "accepted\n",
           (unsigned long long)plan.seed, done.scenarios, done.accepted, done.jobs);
    return 0;
}
