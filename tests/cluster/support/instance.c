/* See instance.h. */
#include "instance.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- scenarios ---- */

void cluster_instance_clear(cluster_instance *instance)
{
    instance->lists_used = 0;
    instance->scenario = (naive_cluster_scenario){
        .policy = "fifo",
        .colocate = true,
        .starvation = true,
        .work_conserving = true,
        .deadlines = {.feedback = true, .theta_ms = 30000},
        .config = pn_cluster_defaults(),
        .jobs = instance->jobs,
        .failures = instance->failures};
    instance->scenario.config.scheduler.nodes = instance->nodes;
}

uint64_t *cluster_instance_times(cluster_instance *instance, size_t count)
{
    uint64_t *list = &instance->lists[instance->lists_used];
    instance->lists_used += count;
    if (instance->lists_used > CLUSTER_LISTS)
        abort();
    return list;
}

uint32_t *cluster_instance_words(cluster_instance *instance, size_t count)
{
    return (uint32_t *)cluster_instance_times(instance, (count + 1) / 2);
}

uint32_t cluster_instance_nodes(const cluster_instance *instance)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < instance->scenario.config.scheduler.nodes_count; g++)
        count += instance->nodes[g].count;
    return count;
}

uint64_t cluster_instance_slots(const cluster_instance *instance, int kind)
{
    uint64_t slots = 0;
    for (uint32_t g = 0; g < instance->scenario.config.scheduler.nodes_count; g++) {
        const pn_scheduler_nodes *n = &instance->nodes[g];
        slots += (uint64_t)n->count * (kind == PN_SCHEDULER_MAP ? n->map_slots : n->reduce_slots);
    }
    return slots;
}

/* ---- drawing ---- */

static uint32_t draw(pn_stream *stream, uint32_t low, uint32_t high)
{
    return (uint32_t)random_uniform(stream, low, high);
}

static bool one_in(pn_stream *stream, uint32_t n)
{
    return draw(stream, 1, n) == 1;
}

/* Numbers up to which all are drawn. */
typedef struct sizes {
    uint32_t nodes, map_slots, reduce_slots; /* of a group, of a node */
    uint32_t maps, many_maps, reduces, many_reduces;
} sizes;

static const sizes small = {3, 3, 2, 5, 14, 3, 12};
static const sizes large = {6, 9, 4, 20, 60, 6, 40};

static void draw_nodes(cluster_instance *drawn, pn_stream *stream, const sizes *most)
{
    static const uint32_t speeds[] = {0, 1000, 1000, 1000, 500, 700, 1500};
    pn_scheduler_config *c = &drawn->scenario.config.scheduler;
    do {
        c->nodes_count = draw(stream, 1, 3);
        for (uint32_t g = 0; g < c->nodes_count; g++)
            drawn->nodes[g] = (pn_scheduler_nodes){
                .count = draw(stream, 1, most->nodes),
                .map_slots = draw(stream, 0, most->map_slots),
                .reduce_slots = draw(stream, 0, most->reduce_slots),
                .speed = speeds[draw(stream, 0, 6)]};
    } while (cluster_instance_slots(drawn, PN_SCHEDULER_MAP) == 0);
}

/* Times are small multiples of a unit, so that events coincide, and now and then anything. */
typedef struct scale {
    uint64_t unit;
    bool rough; /* every time is off its multiple by something */
} scale;

static uint64_t draw_time(pn_stream *stream, const scale *of, uint32_t low, uint32_t high)
{
    uint64_t time = of->unit * draw(stream, low, high);
    return of->rough && of->unit > 1 ? time + random_uniform(stream, 0, of->unit - 1) : time;
}

static void draw_rules(cluster_instance *drawn, pn_stream *stream, const scale *of)
{
    static const uint32_t slowstarts[] = {50, 50, 0, 500, 1000};
    static const uint32_t ratios[] = {1000, 1000, 300, 0, 2500};
    pn_cluster_config *c = &drawn->scenario.config;
    pn_scheduler_config *rules = &c->scheduler;
    c->seed = draw(stream, 1, 1000);
    c->heartbeat_ms = one_in(stream, 2) ? 0 : draw_time(stream, of, 1, 4);
    c->maps_per_heartbeat = one_in(stream, 3) ? draw(stream, 1, 3) : 0;
    c->replication = draw(stream, 1, 4);
    if (one_in(stream, 2)) {
        c->factor_lo = draw(stream, 300, 1000);
        c->factor_hi = c->factor_lo + draw(stream, 0, 700);
    }
    c->attempt_fail_permille = one_in(stream, 3) ? draw(stream, 30, 400) : 0;
    c->tick_ms = draw_time(stream, of, 2, 10);
    rules->reduce_start = one_in(stream, 5) ? PN_SCHEDULER_AFTER_MAPS : PN_SCHEDULER_SLOWSTART;
    rules->slowstart_permille = slowstarts[draw(stream, 0, 4)];
    rules->attempts_max = one_in(stream, 3) ? draw(stream, 1, 3) : 4;
    rules->max_kills = draw(stream, 0, 3);
    if (one_in(stream, 8)) { /* tasks that go around the whole cluster */
        c->attempt_fail_permille = draw(stream, 400, 850);
        rules->attempts_max = 40;
        rules->max_kills = draw(stream, 5, 15);
    }
    rules->locality_delay_ms = one_in(stream, 2) ? 0 : draw_time(stream, of, 1, 9);
    rules->default_task_ms = draw_time(stream, of, 1, 12);
    rules->input_ratio_permille = ratios[draw(stream, 0, 4)];
}

/* From a stream of its own: what else is drawn stays as it was. */
static void draw_running_most(cluster_instance *drawn, pn_stream stream)
{
    bool few = !one_in(&stream, 3);
    drawn->scenario.config.scheduler.running_most = one_in(&stream, 4)
                                                        ? draw(&stream, 1, few ? 3 : 8)
                                                        : 0;
}

static void draw_blocks(cluster_instance *drawn, pn_stream *stream, pn_cluster_job *job)
{
    uint32_t nodes = cluster_instance_nodes(drawn);
    uint32_t most = nodes < 4 ? nodes : 4;
    uint32_t *counts = cluster_instance_words(drawn, job->maps);
    uint32_t *blocks = cluster_instance_words(drawn, (size_t)job->maps * most);
    job->block_counts = counts;
    job->blocks = blocks;
    for (uint32_t map = 0; map < job->maps; map++) {
        counts[map] = draw(stream, 0, most);
        for (uint32_t c = 0; c < counts[map];) {
            uint32_t before = 0;
            blocks[c] = draw(stream, 0, nodes - 1);
            while (blocks[before] != blocks[c])
                before++;
            c += before == c;
        }
        blocks += counts[map];
    }
}

static const uint32_t *draw_factors(cluster_instance *drawn, pn_stream *stream, uint32_t count)
{
    uint32_t *factors = cluster_instance_words(drawn, count);
    for (uint32_t i = 0; i < count; i++)
        factors[i] = one_in(stream, 3) ? draw(stream, 1, 4000) : 500 * draw(stream, 1, 3);
    return factors;
}

static const uint64_t *draw_times(cluster_instance *drawn, pn_stream *stream, const scale *of,
                                  uint32_t count)
{
    uint64_t *times = cluster_instance_times(drawn, count);
    for (uint32_t i = 0; i < count; i++)
        times[i] = draw_time(stream, of, 0, 15);
    return times;
}

/* Mostly close to the truth, and often off. */
static void draw_estimates(pn_stream *stream, const scale *of, pn_cluster_job *job)
{
    static const uint64_t amounts[] = {10, 1000, 1000000000, PN_INTEGER_MAX};
    if (one_in(stream, 3))
        job->est_map_ms = 1 + draw_time(stream, of, 0, 20);
    if (one_in(stream, 3))
        job->est_reduce_ms = 1 + draw_time(stream, of, 0, 30);
    if (one_in(stream, 3))
        job->input = random_uniform(stream, 1, amounts[draw(stream, 0, 3)]);
    if (one_in(stream, 4))
        job->intermediate = random_uniform(stream, 1, amounts[draw(stream, 0, 3)]);
}

static void draw_lists(cluster_instance *drawn, pn_stream *stream, const scale *of,
                       pn_cluster_job *job)
{
    if (one_in(stream, 3))
        draw_blocks(drawn, stream, job);
    if (one_in(stream, 5))
        job->map_factor = draw_factors(drawn, stream, job->maps);
    if (one_in(stream, 5))
        job->map_times = draw_times(drawn, stream, of, job->maps);
    if (job->reduces > 0 && one_in(stream, 5))
        job->reduce_factor = draw_factors(drawn, stream, job->reduces);
    if (job->reduces > 0 && one_in(stream, 5))
        job->reduce_times = draw_times(drawn, stream, of, job->reduces);
    if (job->reduces > 0 && one_in(stream, 5))
        job->shuffle_times = draw_times(drawn, stream, of, job->reduces);
}

/* Weights and priorities, from a stream of their own: what else is drawn stays as it was. */
static void draw_rank(pn_stream stream, pn_cluster_job *job)
{
    if (one_in(&stream, 2))
        job->weight = draw(&stream, 0, one_in(&stream, 5) ? 1000 : 4);
    if (one_in(&stream, 3))
        job->priority = (int32_t)draw(&stream, 0, 4) - 2;
}

static void draw_job(cluster_instance *drawn, pn_stream *stream, const scale *of, const sizes *most,
                     pn_cluster_job *job)
{
    bool has_reduce_slots = cluster_instance_slots(drawn, PN_SCHEDULER_REDUCE) > 0;
    *job = (pn_cluster_job){
        .maps = draw(stream, 1, one_in(stream, 4) ? most->many_maps : most->maps),
        .map_ms = draw_time(stream, of, one_in(stream, 8) ? 0 : 1, 16),
        .remote_ms = one_in(stream, 3) ? 0 : draw_time(stream, of, 1, 4),
        .reduce_ms = draw_time(stream, of, one_in(stream, 8) ? 0 : 1, 20),
        .shuffle_ms = one_in(stream, 3) ? 0 : draw_time(stream, of, 1, 8),
        .deadline = one_in(stream, 3) ? draw_time(stream, of, 20, 80) : 0,
        .group = draw(stream, 0, 1)};
    if (has_reduce_slots)
        job->reduces = draw(stream, 0, one_in(stream, 6) ? most->many_reduces : most->reduces);
    draw_estimates(stream, of, job);
    draw_lists(drawn, stream, of, job);
    draw_rank(*stream, job);
}

/* All nodes go down one after the other, and most come back. */
static void draw_disaster(cluster_instance *drawn, pn_stream *stream, const scale *of)
{
    naive_cluster_scenario *s = &drawn->scenario;
    uint64_t time = draw_time(stream, of, 1, 30);
    uint32_t nodes = cluster_instance_nodes(drawn);
    for (s->failure_count = 0; s->failure_count < nodes && s->failure_count < CLUSTER_FAILURES;
         s->failure_count++) {
        pn_cluster_failure *f = &drawn->failures[s->failure_count];
        f->node = (uint32_t)s->failure_count;
        f->time = time += one_in(stream, 3) ? draw_time(stream, of, 0, 3) : 0;
        f->recover = one_in(stream, 4) ? PN_SCHEDULER_NEVER
                                       : f->time + 1 + draw_time(stream, of, 0, 30);
    }
}

static void draw_failures(cluster_instance *drawn, pn_stream *stream, const scale *of)
{
    naive_cluster_scenario *s = &drawn->scenario;
    if (one_in(stream, 8)) {
        draw_disaster(drawn, stream, of);
        return;
    }
    s->failure_count = one_in(stream, 2) ? 0 : draw(stream, 1, 5);
    for (size_t i = 0; i < s->failure_count; i++) {
        pn_cluster_failure *f = &drawn->failures[i];
        f->node = draw(stream, 0, cluster_instance_nodes(drawn) - 1);
        f->time = draw_time(stream, of, 0, 60);
        f->recover = one_in(stream, 6) ? PN_SCHEDULER_NEVER
                                       : f->time + 1 + draw_time(stream, of, 0, 30);
    }
}

void cluster_instance_draw(cluster_instance *drawn, pn_stream *stream, uint32_t jobs_max)
{
    static const uint64_t units[] = {1000, 1000, 1000, 1, 1, 7, (uint64_t)1 << 33};
    scale of = {units[draw(stream, 0, 6)], one_in(stream, 3)};
    const sizes *most = one_in(stream, 10) ? &large : &small;
    uint64_t submit = 0;
    cluster_instance_clear(drawn);
    draw_nodes(drawn, stream, most);
    draw_rules(drawn, stream, &of);
    drawn->scenario.job_count = draw(stream, 1, jobs_max);
    for (size_t i = 0; i < drawn->scenario.job_count; i++) {
        draw_job(drawn, stream, &of, most, &drawn->jobs[i]);
        submit += one_in(stream, 2) ? 0 : draw_time(stream, &of, 1, one_in(stream, 8) ? 60 : 12);
        drawn->jobs[i].submit = submit;
        drawn->jobs[i].tag = 1000 + i;
    }
    draw_failures(drawn, stream, &of);
    if (one_in(stream, 5))
        drawn->scenario.config.max_time_ms = draw_time(stream, &of, 1, 150);
    draw_running_most(drawn, *stream);
}

/* Policies that admit jobs need one of each. */
static void draw_missing_deadlines(cluster_instance *drawn, pn_stream *stream)
{
    uint64_t unit = 1 + drawn->jobs[0].map_ms;
    for (size_t i = 0; i < drawn->scenario.job_count; i++)
        if (drawn->jobs[i].deadline == 0)
            drawn->jobs[i].deadline = 1 + random_uniform(stream, 0,
                                                         unit * (one_in(stream, 3) ? 50 : 8));
}

static void draw_admission(cluster_instance *drawn, pn_stream *stream)
{
    naive_cluster_deadlines *d = &drawn->scenario.deadlines;
    pn_cluster_config *c = &drawn->scenario.config;
    draw_missing_deadlines(drawn, stream);
    c->est_extra_ms = one_in(stream, 3)   ? PN_CLUSTER_AUTO
                      : one_in(stream, 2) ? 0
                                          : random_uniform(stream, 1, drawn->jobs[0].map_ms + 1);
    *d = (naive_cluster_deadlines){
        .by_submission = one_in(stream, 2),
        .feedback = !one_in(stream, 5),
        .theta_ms = one_in(stream, 2) ? 0 : random_uniform(stream, 0, 4 * drawn->jobs[0].map_ms),
        .reserve_less = one_in(stream, 3),
        .recompute = one_in(stream, 3),
        .satu = one_in(stream, 2),
        .keep = one_in(stream, 3),
        .wait_for_the_latest = one_in(stream, 2),
        .learnt = one_in(stream, 3),
        .by_speed = one_in(stream, 2)};
}

/* Drawn from a stream of their own, so that what else is drawn stays as it was. */
static void draw_attempts(cluster_instance *drawn, const pn_stream *stream,
                          const pn_scheduler_policy *policy)
{
    naive_cluster_scenario *s = &drawn->scenario;
    pn_stream own = *stream;
    bool preempts = policy && policy->preempt,
         copies = policy && !policy->order.started_first && !policy->order.delays;
    s->suspend = preempts && one_in(&own, 2);
    s->copies = copies && one_in(&own, 4);
    s->copy_after_ms = s->copies && one_in(&own, 2)
                           ? random_uniform(&own, 0, 2 * drawn->jobs[0].map_ms)
                           : 0;
    s->deadlines.reserve_strict = (!policy || policy->admit) && one_in(&own, 4);
    if (preempts && one_in(&own, 2)) /* every test suspends by policies of its own, too */
        s->config.restore_ms = random_uniform(&own, 0, 2 * drawn->jobs[0].map_ms);
    if (preempts && one_in(&own, 3))
        s->config.restore_permille = draw(&own, 0, 1500);
    if (preempts && one_in(&own, 2))
        s->config.save_ms = random_uniform(&own, 0, 2 * drawn->jobs[0].map_ms);
    if (preempts && one_in(&own, 3))
        s->config.save_permille = draw(&own, 0, 1500);
}

void cluster_instance_choose(cluster_instance *drawn, pn_stream *stream, const char *policy)
{
    naive_cluster_scenario *s = &drawn->scenario;
    const pn_scheduler_policy *known = pn_scheduler_policy_find(policy);
    s->policy = policy;
    if (!known || known->admit)
        draw_admission(drawn, stream);
    s->deficit = one_in(stream, 2);
    s->colocate = !one_in(stream, 3);
    s->starvation = !one_in(stream, 3);
    s->work_conserving = !one_in(stream, 3);
    draw_attempts(drawn, stream, known);
    if (s->config.scheduler.max_kills == 0 && s->config.max_time_ms == 0)
        s->config.max_time_ms = 100 * s->config.tick_ms;
}

/* When the last job is said to finish, if its deadline were this; `otherwise` when nothing is
 * said. */
static uint64_t promised(cluster_instance *of, uint64_t deadline, uint64_t otherwise,
                         void (*run)(const cluster_instance *instance,
                                     naive_cluster_result *result))
{
    naive_cluster_result result;
    size_t last = of->scenario.job_count - 1;
    of->jobs[last].deadline = deadline;
    run(of, &result);
    uint64_t promise = result.records[last].promise;
    naive_cluster_free(&result);
    return promise < PN_INTEGER_MAX && promise > of->jobs[last].submit
               ? promise - of->jobs[last].submit
               : otherwise;
}

void cluster_instance_tighten(cluster_instance *drawn, pn_stream *stream,
                              void (*run)(const cluster_instance *instance,
                                          naive_cluster_result *result))
{
    size_t jobs = drawn->scenario.job_count;
    for (size_t i = 0; i < jobs; i++) {
        drawn->scenario.job_count = i + 1;
        uint64_t before = drawn->jobs[i].deadline;
        uint64_t deadline = promised(drawn, (uint64_t)1 << 44, before, run);
        if (one_in(stream, 3)) /* asked for less, it may come before others */
            deadline = promised(drawn, deadline, deadline, run);
        if (draw(stream, 1, 100) > 85)
            deadline = random_uniform(stream, 1, 2 * deadline);
        drawn->jobs[i].deadline = deadline;
    }
}

/* ---- printing ---- */

static void print_words(const char *name, const uint32_t *list, uint32_t count)
{
    if (!list)
        return;
    printf(", \"%s\": [", name);
    for (uint32_t i = 0; i < count; i++)
        printf(i > 0 ? ", %u" : "%u", list[i]);
    printf("]");
}

static void print_times(const char *name, const uint64_t *list, uint32_t count)
{
    if (!list)
        return;
    printf(", \"%s\": [", name);
    for (uint32_t i = 0; i < count; i++)
        printf(i > 0 ? ", %llu" : "%llu", (unsigned long long)list[i]);
    printf("]");
}

static void print_blocks(const pn_cluster_job *job)
{
    const uint32_t *next = job->blocks;
    printf(", \"blocks\": [");
    for (uint32_t map = 0; map < job->maps; map++) {
        printf(map > 0 ? ", [" : "[");
        for (uint32_t c = 0; c < job->block_counts[map]; c++)
            printf(c > 0 ? ", %u" : "%u", *next++);
        printf("]");
    }
    printf("]");
}

static void print_if_any(const char *name, uint64_t value)
{
    if (value > 0)
        printf(", \"%s\": %llu", name, (unsigned long long)value);
}

static void print_job(const pn_cluster_job *job, bool last)
{
    printf("  { \"submit\": %llu, \"maps\": %u, \"reduces\": %u, \"map_ms\": %llu, \"remote_ms\": "
           "%llu, \"reduce_ms\": %llu, "
           "\"shuffle_ms\": %llu",
           (unsigned long long)job->submit, job->maps, job->reduces,
           (unsigned long long)job->map_ms, (unsigned long long)job->remote_ms,
           (unsigned long long)job->reduce_ms, (unsigned long long)job->shuffle_ms);
    print_if_any("deadline", job->deadline);
    print_if_any("est_map_ms", job->est_map_ms);
    print_if_any("est_reduce_ms", job->est_reduce_ms);
    print_if_any("input", job->input);
    print_if_any("intermediate", job->intermediate);
    print_if_any("weight", job->weight);
    if (job->priority != 0)
        printf(", \"priority\": %d", job->priority);
    if (job->blocks)
        print_blocks(job);
    print_words("map_factor", job->map_factor, job->maps);
    print_words("reduce_factor", job->reduce_factor, job->reduces);
    print_times("map_times", job->map_times, job->maps);
    print_times("reduce_times", job->reduce_times, job->reduces);
    print_times("shuffle_times", job->shuffle_times, job->reduces);
    printf(last ? " }\n" : " },\n");
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void print_admission(const naive_cluster_scenario *s)
{
    const naive_cluster_deadlines *d = &s->deadlines;
    if (s->config.est_extra_ms == PN_CLUSTER_AUTO)
        printf("    \"est_extra_ms\": \"auto\", ");
    else
        printf("    \"est_extra_ms\": %llu, ", (unsigned long long)s->config.est_extra_ms);
    printf("\"order\": \"%s\", \"feedback\": %s, \"theta_ms\": %llu, \"reserve\": \"%s\",\n",
           d->by_submission ? "FIFO" : "EDF", truth(d->feedback), (unsigned long long)d->theta_ms,
           d->reserve_strict ? "strict"
           : d->reserve_less ? "gt"
                             : "ge");
    printf("    \"fc_estimate\": \"%s\", \"fc_completed\": \"%s\", \"pred\": \"%s\", "
           "\"dc_reduce_start\": \"%s\", "
           "\"estimates\": \"%s\" },\n",
           d->recompute ? "recompute" : "recorded", d->satu ? "satu" : "skip",
           d->keep ? "keep" : "drop", d->wait_for_the_latest ? "srmax" : "asap",
           !d->learnt    ? "given"
           : d->by_speed ? "learnt_by_speed"
                         : "learnt");
}

static void print_params(const naive_cluster_scenario *s)
{
    const pn_cluster_config *c = &s->config;
    const pn_scheduler_config *r = &c->scheduler;
    printf("  \"params\": { \"heartbeat_ms\": %llu, ", (unsigned long long)c->heartbeat_ms);
    if (c->maps_per_heartbeat > 0)
        printf("\"maps_per_heartbeat\": %u, ", c->maps_per_heartbeat);
    printf("\"replication\": %u, \"factor_lo\": %u, \"factor_hi\": %u,\n", c->replication,
           c->factor_lo, c->factor_hi);
    printf("    \"attempt_fail_permille\": %u, \"attempts_max\": %u, \"max_kills_per_task\": %u, "
           "\"max_time_ms\": %llu, \"running_most\": %llu,\n"
           "    \"restore_ms\": %llu, \"restore_permille\": %u, \"save_ms\": %llu, "
           "\"save_permille\": %u,\n",
           c->attempt_fail_permille, r->attempts_max, r->max_kills,
           (unsigned long long)c->max_time_ms, (unsigned long long)r->running_most,
           (unsigned long long)c->restore_ms, c->restore_permille, (unsigned long long)c->save_ms,
           c->save_permille);
    printf("    \"tick_ms\": %llu, \"default_task_ms\": %llu, \"input_ratio_permille\": %u, "
           "\"locality_delay_ms\": %llu,\n",
           (unsigned long long)c->tick_ms, (unsigned long long)r->default_task_ms,
           r->input_ratio_permille, (unsigned long long)r->locality_delay_ms);
    printf("    \"reduce_start\": \"%s\", \"slowstart_permille\": %u, \"fair_mode\": \"%s\",\n",
           r->reduce_start == PN_SCHEDULER_AFTER_MAPS ? "after_maps" : "slowstart",
           r->slowstart_permille, s->deficit ? "deficit" : "running");
    printf("    \"colocate\": %s, \"starvation\": %s, \"work_conserving\": %s,\n",
           truth(s->colocate), truth(s->starvation), truth(s->work_conserving));
    print_admission(s);
}

void cluster_instance_print(const cluster_instance *shown)
{
    const naive_cluster_scenario *s = &shown->scenario;
    printf("{ \"model\": \"cluster\", \"policy\": \"%s\", \"seed\": %llu,\n  \"nodes\": [",
           s->policy, (unsigned long long)s->config.seed);
    for (uint32_t g = 0; g < s->config.scheduler.nodes_count; g++) {
        const pn_scheduler_nodes *n = &shown->nodes[g];
        printf("%s { \"count\": %u, \"map_slots\": %u, \"reduce_slots\": %u, \"speed\": %u }",
               g > 0 ? "," : "", n->count, n->map_slots, n->reduce_slots,
               n->speed > 0 ? n->speed : 1000);
    }
    printf(" ],\n");
    print_params(s);
    printf("  \"failures\": [");
    for (size_t i = 0; i < s->failure_count; i++) {
        const pn_cluster_failure *f = &shown->failures[i];
        printf("%s { \"time\": %llu, \"node\": %u", i > 0 ? "," : "", (unsigned long long)f->time,
               f->node);
        if (f->recover != PN_SCHEDULER_NEVER)
            printf(", \"recover\": %llu", (unsigned long long)f->recover);
        printf(" }");
    }
    printf(" ],\n  \"jobs\": [\n");
    for (size_t i = 0; i < s->job_count; i++)
        print_job(&shown->jobs[i], i + 1 == s->job_count);
    printf("  ] }\n");
}
