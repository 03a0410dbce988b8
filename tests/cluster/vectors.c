/* Every vector of the cluster model, exactly, each task included: first by the naive model, so that
 * the judge is judged, then by the kernel, which must agree with it in every event besides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "cluster/support/instance.h"

enum { VECTORS = 85, RUNS = 94 };

/* ---- reading ---- */

static uint32_t whole(const json_t *object, const char *name, uint32_t otherwise)
{
    const json_t *value = json_object_get(object, name);
    return value ? (uint32_t)json_integer_value(value) : otherwise;
}

static uint64_t number(const json_t *object, const char *name, uint64_t otherwise)
{
    const json_t *value = json_object_get(object, name);
    return value ? (uint64_t)json_integer_value(value) : otherwise;
}

static bool truth(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return !value || json_is_true(value);
}

static bool is_word(const json_t *object, const char *name, const char *word)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value && strcmp(value, word) == 0;
}

static void read_deadline_params(naive_cluster_scenario *s, const json_t *params)
{
    s->config.est_extra_ms = number(params, "est_extra_ms", 0);
    s->deadlines = (naive_cluster_deadlines){
        .by_submission = is_word(params, "order", "FIFO"),
        .feedback = truth(params, "feedback"),
        .theta_ms = number(params, "theta_ms", 30000),
        .reserve_less = is_word(params, "reserve", "gt"),
        .reserve_strict = is_word(params, "reserve", "strict"),
        .recompute = is_word(params, "fc_estimate", "recompute"),
        .satu = is_word(params, "fc_completed", "satu"),
        .keep = is_word(params, "pred", "keep"),
        .wait_for_the_latest = is_word(params, "dc_reduce_start", "srmax")};
}

static void read_params(naive_cluster_scenario *s, const json_t *params)
{
    pn_cluster_config *c = &s->config;
    pn_scheduler_config *r = &c->scheduler;
    c->seed = number(params, "seed", c->seed);
    c->heartbeat_ms = number(params, "heartbeat_ms", 0);
    c->maps_per_heartbeat = whole(params, "maps_per_heartbeat", 0);
    c->replication = whole(params, "replication", 3);
    c->factor_lo = whole(params, "factor_lo", 1000);
    c->factor_hi = whole(params, "factor_hi", 1000);
    c->attempt_fail_permille = whole(params, "attempt_fail_permille", 0);
    c->restore_ms = number(params, "restore_ms", 0);
    c->restore_permille = whole(params, "restore_permille", 0);
    c->save_ms = number(params, "save_ms", 0);
    c->save_permille = whole(params, "save_permille", 0);
    c->tick_ms = number(params, "tick_ms", 10000);
    c->max_time_ms = number(params, "max_time_ms", 0);
    r->reduce_start = is_word(params, "reduce_start", "after_maps") ? PN_SCHEDULER_AFTER_MAPS
                                                                    : PN_SCHEDULER_SLOWSTART;
    r->slowstart_permille = whole(params, "slowstart_permille", 50);
    r->attempts_max = whole(params, "attempts_max", 4);
    r->max_kills = whole(params, "max_kills_per_task", 3);
    r->running_most = number(params, "running_most", 0);
    r->locality_delay_ms = number(params, "locality_delay_ms", 0);
    r->default_task_ms = number(params, "default_task_ms", 10000);
    r->input_ratio_permille = whole(params, "input_ratio_permille", 1000);
    s->deficit = is_word(params, "fair_mode", "deficit");
    s->colocate = truth(params, "colocate");
    s->starvation = truth(params, "starvation");
    s->work_conserving = truth(params, "work_conserving");
    s->suspend = is_word(params, "preemption", "suspend");
    read_deadline_params(s, params);
}

static void read_nodes(cluster_instance *into, const json_t *nodes)
{
    json_t *group;
    size_t g;
    assert_in_range(json_array_size(nodes), 1, CLUSTER_GROUPS);
    into->scenario.config.scheduler.nodes_count = (uint32_t)json_array_size(nodes);
    json_array_foreach(nodes, g, group)
    {
        into->nodes[g] = (pn_scheduler_nodes){.count = whole(group, "count", 1),
                                              .map_slots = whole(group, "map_slots", 0),
                                              .reduce_slots = whole(group, "reduce_slots", 0),
                                              .speed = whole(group, "speed", 1000)};
    }
}

static const uint32_t *read_factors(cluster_instance *into, const json_t *list)
{
    uint32_t *factors = list ? cluster_instance_words(into, json_array_size(list)) : NULL;
    for (size_t i = 0; i < json_array_size(list); i++)
        factors[i] = (uint32_t)json_integer_value(json_array_get(list, i));
    return factors;
}

static void read_blocks(cluster_instance *into, pn_cluster_job *job, const json_t *blocks)
{
    size_t all = 0;
    if (!blocks)
        return;
    uint32_t *counts = cluster_instance_words(into, json_array_size(blocks));
    for (size_t i = 0; i < json_array_size(blocks); i++)
        all += counts[i] = (uint32_t)json_array_size(json_array_get(blocks, i));
    uint32_t *nodes = cluster_instance_words(into, all);
    job->block_counts = counts;
    job->blocks = nodes;
    for (size_t i = 0; i < json_array_size(blocks); i++)
        for (size_t c = 0; c < counts[i]; c++)
            *nodes++ = (uint32_t)json_integer_value(json_array_get(json_array_get(blocks, i), c));
}

static void read_jobs(cluster_instance *into, const json_t *jobs)
{
    json_t *entry;
    size_t i;
    assert_in_range(json_array_size(jobs), 1, CLUSTER_JOBS);
    into->scenario.job_count = json_array_size(jobs);
    json_array_foreach(jobs, i, entry)
    {
        into->jobs[i] = (pn_cluster_job){
            .submit = number(entry, "submit", 0),
            .maps = whole(entry, "maps", 0),
            .reduces = whole(entry, "reduces", 0),
            .map_ms = number(entry, "map_ms", 0),
            .remote_ms = number(entry, "remote_ms", 0),
            .reduce_ms = number(entry, "reduce_ms", 0),
            .shuffle_ms = number(entry, "shuffle_ms", 0),
            .deadline = number(entry, "deadline", 0),
            .priority = (int32_t)whole(entry, "priority", 0),
            .map_factor = read_factors(into, json_object_get(entry, "map_factor")),
            .reduce_factor = read_factors(into, json_object_get(entry, "reduce_factor")),
            .est_map_ms = number(entry, "est_map_ms", 0),
            .est_reduce_ms = number(entry, "est_reduce_ms", 0)};
        read_blocks(into, &into->jobs[i], json_object_get(entry, "blocks"));
    }
}

static void read_failures(cluster_instance *into, const json_t *failures)
{
    json_t *entry;
    size_t i;
    assert_in_range(json_array_size(failures), 0, CLUSTER_FAILURES);
    into->scenario.failure_count = json_array_size(failures);
    json_array_foreach(failures, i, entry)
    {
        into->failures[i] = (pn_cluster_failure){
            .time = number(entry, "time", 0),
            .node = whole(entry, "node", 0),
            .recover = number(entry, "recover", PN_SCHEDULER_NEVER)};
    }
}

static void read_scenario(cluster_instance *into, const json_t *scenario)
{
    cluster_instance_clear(into);
    read_params(&into->scenario, json_object_get(scenario, "params"));
    read_nodes(into, json_object_get(scenario, "nodes"));
    read_jobs(into, json_object_get(scenario, "jobs"));
    read_failures(into, json_object_get(scenario, "failures"));
}

/* ---- checking ---- */

/* What is being checked, for the report of a failure. */
typedef struct trial {
    const char *by, *vector, *policy;
    size_t id; /* of the job; 0 = totals */
} trial;

/* Against a number or null; what is not expected may be anything. */
static void expect(const trial *at, const char *field, uint64_t got, const json_t *want)
{
    uint64_t wanted = json_is_integer(want) ? (uint64_t)json_integer_value(want)
                                            : PN_SCHEDULER_NEVER;
    if (want && got != wanted)
        fail_msg("%s: %s of %s: %s of job %zu: got %lld, want %lld", at->by, at->policy, at->vector,
                 field, at->id, (long long)got, (long long)wanted);
}

static uint64_t lasting(uint64_t from, uint64_t to)
{
    return from == PN_SCHEDULER_NEVER || to == PN_SCHEDULER_NEVER ? PN_SCHEDULER_NEVER : to - from;
}

static void check_record(const trial *at, const pn_scheduler_record *r, const json_t *want)
{
    static const char *const states[] = {"unfinished", "finished", "failed", "rejected"};
    const json_t *met = json_object_get(want, "deadline_met");
    const struct {
        const char *name;
        uint64_t got;
    } fields[] = {{"submit", r->submit},
                  {"first_map_start", r->first_map_start},
                  {"map_finish", r->map_finish},
                  {"finish", r->finish},
                  {"waiting_time", lasting(r->submit, r->first_map_start)},
                  {"execution_time", lasting(r->first_map_start, r->finish)},
                  {"makespan", lasting(r->submit, r->finish)},
                  {"local_maps", r->local_maps},
                  {"colocated_reduces", r->colocated_reduces},
                  {"kills", r->kills}};
    if (!is_word(want, "state", states[r->state]))
        fail_msg("%s: %s of %s: job %zu is %s", at->by, at->policy, at->vector, at->id,
                 states[r->state]);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        expect(at, fields[i].name, fields[i].got, json_object_get(want, fields[i].name));
    if (json_is_boolean(met) && json_is_true(met) != (r->finish <= r->submit + r->deadline))
        fail_msg("%s: %s of %s: whether job %zu met its deadline", at->by, at->policy, at->vector,
                 at->id);
}

/* The last attempt of each task, as the events tell it: of one that is pending there is no node,
 * only when it was launched. */
static void check_tasks(const trial *at, const naive_cluster_result *result, const json_t *tasks)
{
    json_t *task;
    size_t i;
    json_array_foreach(tasks, i, task)
    {
        uint64_t node = PN_SCHEDULER_NEVER;
        uint64_t start = PN_SCHEDULER_NEVER;
        uint64_t end = PN_SCHEDULER_NEVER;
        uint32_t kind = strcmp(json_string_value(json_array_get(task, 1)), "map") == 0
                            ? PN_SCHEDULER_MAP
                            : PN_SCHEDULER_REDUCE;
        trial of = {at->by, at->vector, at->policy,
                    (size_t)json_integer_value(json_array_get(task, 0))};
        for (size_t e = 0; e < result->event_count; e++) {
            const pn_scheduler_event *event = &result->events[e];
            if (event->id != of.id || event->kind != kind ||
                event->task + 1 != json_integer_value(json_array_get(task, 2)))
                continue;
            if (event->event == PN_SCHEDULER_LAUNCH)
                start = event->time;
            if (event->event >= PN_SCHEDULER_LAUNCH && event->event <= PN_SCHEDULER_RERUN) {
                node = event->event <= PN_SCHEDULER_END ? event->node : PN_SCHEDULER_NEVER;
                end = event->event == PN_SCHEDULER_END ? event->time : PN_SCHEDULER_NEVER;
            }
        }
        expect(&of, "the node of a task", node, json_array_get(task, 3));
        expect(&of, "the start of a task", start, json_array_get(task, 4));
        expect(&of, "the end of a task", end, json_array_get(task, 5));
    }
}

static void check_result(trial at, const naive_cluster_result *result, const json_t *want)
{
    const pn_scheduler_totals *t = &result->totals;
    const json_t *totals = json_object_get(want, "totals");
    const json_t *jobs = json_object_get(want, "jobs");
    /* CL14: what goes into utilisation */
    bool of_successful = strcmp(at.policy, "rtmr") == 0 || strcmp(at.policy, "dc") == 0;
    assert_int_equal(result->record_count, json_array_size(jobs));
    for (at.id = 1; at.id <= result->record_count; at.id++)
        check_record(&at, &result->records[at.id - 1], json_array_get(jobs, at.id - 1));
    at.id = 0;
    check_tasks(&at, result, json_object_get(want, "tasks"));
    expect(&at, "accepted", t->accepted, json_object_get(totals, "accepted"));
    expect(&at, "successful", t->successful, json_object_get(totals, "successful"));
    expect(&at, "slot_ms", of_successful ? t->successful_slot_ms : t->slot_ms,
           json_object_get(totals, "slot_ms"));
    expect(&at, "saturated_ms", t->saturated_ms, json_object_get(totals, "saturated_ms"));
    expect(&at, "kills", t->kills, json_object_get(totals, "kills"));
    expect(&at, "feedback_fired", t->feedback_fired, json_object_get(totals, "feedback_fired"));
    expect(&at, "span", t->finished > 0 ? t->last_finish - t->first_submit : 0,
           json_object_get(totals, "span"));
}

static void check_naive(const trial *at, const cluster_instance *run, const json_t *want)
{
    naive_cluster_result result;
    assert_true(naive_cluster_run(&run->scenario, &result));
    check_result(*at, &result, want);
    naive_cluster_free(&result);
}

static void check_kernel(const trial *at, const cluster_instance *run, const json_t *want)
{
    char what[200];
    cluster_outcome out;
    naive_cluster_result naive;
    cluster_instance_run(run, (cluster_manner){.roomy = false}, &out);
    if (out.status != PN_DONE || out.fault[0] != '\0')
        fail_msg("kernel: %s of %s: %s %s", at->policy, at->vector, pn_status_name(out.status),
                 out.fault);
    check_result(*at, &out.result, want);
    assert_true(naive_cluster_run(&run->scenario, &naive));
    if (!cluster_instance_agree(&out.result, &naive, what, sizeof what))
        fail_msg("kernel: %s of %s: %s", at->policy, at->vector, what);
    naive_cluster_free(&naive);
    naive_cluster_free(&out.result);
}

static void for_all(const char *by,
                    void (*check)(const trial *at, const cluster_instance *run, const json_t *want))
{
    static cluster_instance instance;
    json_error_t problem;
    json_t *all = json_load_file("tests/cluster/vectors.json", JSON_REJECT_DUPLICATES, &problem);
    json_t *entry, *want;
    trial at = {.by = by};
    size_t runs = 0;
    if (!all)
        fail_msg("line %d: %s", problem.line, problem.text);
    assert_int_equal(json_object_size(all), VECTORS);
    json_object_foreach(all, at.vector, entry)
    {
        read_scenario(&instance, json_object_get(entry, "scenario"));
        json_object_foreach(json_object_get(entry, "expect"), at.policy, want)
        {
            instance.scenario.policy = at.policy;
            check(&at, &instance, want);
            runs++;
        }
    }
    assert_int_equal(runs, RUNS);
    json_decref(all);
}

static void the_naive_model_meets_every_vector(void **unused)
{
    (void)unused;
    for_all("naive", check_naive);
}

static void the_kernel_meets_every_vector(void **unused)
{
    (void)unused;
    for_all("kernel", check_kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_naive_model_meets_every_vector),
                                       cmocka_unit_test(the_kernel_meets_every_vector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
