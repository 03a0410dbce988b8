/* Promises of the policies that admit jobs: where the papers' rules break one or refuse a job
 * without need, and what ours make of the same scenario. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cluster/support/instance.h"

enum { S = 1000, JOBS_MOST = 4 };

static cluster_instance scene;

static void nodes(uint32_t group, uint32_t count, uint32_t map_slots, uint32_t reduce_slots)
{
    if (group == 0)
        cluster_instance_clear(&scene);
    scene.nodes[group] = (pn_scheduler_nodes){
        .count = count, .map_slots = map_slots, .reduce_slots = reduce_slots};
    scene.scenario.config.scheduler.nodes_count = group + 1;
}

static pn_cluster_job *job(pn_cluster_job given)
{
    given.tag = scene.scenario.job_count;
    scene.jobs[scene.scenario.job_count] = given;
    return &scene.jobs[scene.scenario.job_count++];
}

static void failure(uint64_t time, uint32_t node, uint64_t recover)
{
    scene.failures[scene.scenario.failure_count++] = (pn_cluster_failure){
        .time = time, .node = node, .recover = recover};
}

/* The paper's literal rules, and ours. */
static naive_cluster_deadlines papers(void)
{
    return (naive_cluster_deadlines){
        .feedback = true, .theta_ms = 30 * S, .reserve_less = true, .keep = true};
}

static naive_cluster_deadlines ours(void)
{
    return (naive_cluster_deadlines){.feedback = true, .theta_ms = 30 * S};
}

enum { REFUSED = 0 };

/* Runs it, and compares each job's finish, REFUSED for one that was not taken. How many miss their
 * deadlines, and how many were told so. */
typedef struct outcome {
    unsigned missed, told;
    uint64_t promises[JOBS_MOST];
} outcome;

static outcome expect(const char *policy, naive_cluster_deadlines rules, const uint64_t *finishes)
{
    cluster_outcome out;
    outcome found = {0, 0, {0}};
    scene.scenario.policy = policy;
    scene.scenario.deadlines = rules;
    cluster_instance_run(&scene, (cluster_manner){.stepping = false}, &out);
    if (out.status != PN_DONE || out.fault[0] != '\0')
        fail_msg("%s: %s %s", policy, pn_status_name(out.status), out.fault);
    for (size_t i = 0; i < scene.scenario.job_count; i++) {
        const pn_scheduler_record *r = &out.result.records[i];
        assert_int_equal(r->state,
                         finishes[i] == REFUSED ? PN_SCHEDULER_REJECTED : PN_SCHEDULER_FINISHED);
        if (finishes[i] != REFUSED)
            assert_int_equal(r->finish, finishes[i]);
        found.missed += finishes[i] != REFUSED && r->finish > r->submit + r->deadline;
        found.promises[i] = r->promise;
    }
    found.told = (unsigned)out.result.totals.late;
    naive_cluster_free(&out.result);
    return found;
}

#define FINISHES(...) ((const uint64_t[]){__VA_ARGS__})

/* ---- the paper's dispatcher ---- */

/* At 10 s the short job's reduce takes the only slot, which the long one was promised for 100 s. */
static void the_dispatcher_is_off_by_one(void **unused)
{
    (void)unused;
    nodes(0, 1, 2, 1);
    job((pn_cluster_job){
        .maps = 1, .reduces = 1, .map_ms = 100 * S, .reduce_ms = 10 * S, .deadline = 110 * S});
    job((pn_cluster_job){
        .maps = 1, .reduces = 1, .map_ms = 10 * S, .reduce_ms = 200 * S, .deadline = 1000 * S});
    assert_int_equal(expect("rtmr", papers(), FINISHES(220 * S, 210 * S)).missed, 1);
    assert_int_equal(expect("rtmr", ours(), FINISHES(110 * S, 310 * S)).missed, 0);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(110 * S, 310 * S)).missed, 0);
}

/* ---- feedback ---- */

/* The second job ran before the first on the same slot, so what feedback makes of its end is wrong,
 * and the third is promised a slot that is busy. */
static void feedback_of_a_job_that_overtook_promises_too_much(void **unused)
{
    static const uint32_t early[] = {350};
    (void)unused;
    nodes(0, 1, 3, 2);
    job((pn_cluster_job){.maps = 1,
                         .reduces = 2,
                         .map_ms = 100 * S,
                         .reduce_ms = 50 * S,
                         .deadline = 1000 * S,
                         .map_factor = early});
    job((pn_cluster_job){
        .maps = 1, .reduces = 1, .map_ms = 10 * S, .reduce_ms = 20 * S, .deadline = 1000 * S});
    job((pn_cluster_job){.submit = 31 * S,
                         .maps = 1,
                         .reduces = 1,
                         .map_ms = 10 * S,
                         .reduce_ms = 20 * S,
                         .deadline = 30 * S});
    assert_int_equal(expect("rtmr", papers(), FINISHES(85 * S, 30 * S, 105 * S)).missed, 1);
    assert_int_equal(expect("rtmr", ours(), FINISHES(85 * S, 105 * S, REFUSED)).missed, 0);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(85 * S, 105 * S, REFUSED)).missed, 0);
}

/* Feedback takes it that the running second job starts only now, so the third, which would make it,
 * is refused. */
static void feedback_may_cause_a_refusal(void **unused)
{
    static const uint32_t early[] = {500};
    (void)unused;
    nodes(0, 1, 2, 2);
    job((pn_cluster_job){.maps = 1,
                         .reduces = 1,
                         .map_ms = 10 * S,
                         .reduce_ms = 10 * S,
                         .deadline = 1000 * S,
                         .reduce_factor = early});
    job((pn_cluster_job){
        .maps = 1, .reduces = 1, .map_ms = 100 * S, .reduce_ms = 50 * S, .deadline = 2000 * S});
    job((pn_cluster_job){.submit = 16 * S,
                         .maps = 1,
                         .reduces = 3,
                         .map_ms = 10 * S,
                         .reduce_ms = 120 * S,
                         .deadline = 254 * S});
    naive_cluster_deadlines with = ours();
    naive_cluster_deadlines without = ours();
    with.theta_ms = 1 * S;
    without.feedback = false;
    expect("rtmr", with, FINISHES(15 * S, 150 * S, REFUSED));
    assert_int_equal(expect("rtmr", without, FINISHES(15 * S, 150 * S, 270 * S)).missed, 0);
    assert_int_equal(expect("rtmr-live", with, FINISHES(15 * S, 150 * S, 270 * S)).missed, 0);
}

/* ---- heartbeats ---- */

/* Waiting for beats is in no estimate of the paper. */
static void heartbeats_break_promises_unless_they_are_allowed_for(void **unused)
{
    (void)unused;
    nodes(0, 1, 1, 1);
    pn_cluster_job *one = job((pn_cluster_job){.submit = 1 * S,
                                               .maps = 1,
                                               .reduces = 1,
                                               .map_ms = 10 * S,
                                               .reduce_ms = 10 * S,
                                               .deadline = 20 * S});
    scene.scenario.config.heartbeat_ms = 3 * S;
    assert_int_equal(expect("rtmr", ours(), FINISHES(25 * S)).missed, 1);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(25 * S)).missed, 1);
    scene.scenario.config.est_extra_ms = PN_CLUSTER_AUTO;
    assert_int_equal(expect("rtmr", ours(), FINISHES(REFUSED)).promises[0], 27 * S);
    expect("rtmr-live", ours(), FINISHES(REFUSED));
    one->deadline = 26 * S;
    assert_int_equal(expect("rtmr", ours(), FINISHES(25 * S)).missed, 0);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(25 * S)).missed, 0);
}

/* A beat gives one reduce, so the second of two slots waits for another one. */
static void a_beat_for_each_reduce_slot_must_be_allowed_for(void **unused)
{
    (void)unused;
    nodes(0, 1, 1, 2);
    pn_cluster_job *one = job((pn_cluster_job){.submit = 1 * S,
                                               .maps = 1,
                                               .reduces = 2,
                                               .map_ms = 10 * S,
                                               .reduce_ms = 10 * S,
                                               .deadline = 26 * S});
    scene.scenario.config.heartbeat_ms = 3 * S;
    scene.scenario.config.est_extra_ms = 3 * S;
    assert_int_equal(expect("rtmr", ours(), FINISHES(28 * S)).missed, 1);
    scene.scenario.config.est_extra_ms = PN_CLUSTER_AUTO;
    assert_int_equal(expect("rtmr", ours(), FINISHES(REFUSED)).promises[0], 30 * S);
    one->deadline = 29 * S;
    assert_int_equal(expect("rtmr", ours(), FINISHES(28 * S)).missed, 0);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(28 * S)).missed, 0);
}

/* While a task waits for its beat, what it is expected to end by moves with the clock; were the job
 * then thought to be late, the next one could pass it and make it late indeed. */
static void waiting_for_a_beat_is_no_reason_to_give_a_job_up(void **unused)
{
    (void)unused;
    nodes(0, 1, 1, 1);
    nodes(1, 2, 1, 0);
    scene.scenario.config.replication = 1;
    scene.scenario.config.seed = 157;
    scene.scenario.config.heartbeat_ms = 58;
    scene.scenario.config.est_extra_ms = PN_CLUSTER_AUTO;
    job((pn_cluster_job){.submit = 78,
                         .maps = 5,
                         .reduces = 1,
                         .map_ms = 60,
                         .remote_ms = 39,
                         .reduce_ms = 297,
                         .deadline = 669});
    job((pn_cluster_job){.submit = 79, .maps = 1, .map_ms = 233, .deadline = 291});
    outcome found = expect("rtmr-live", ours(), FINISHES(645, REFUSED));
    assert_int_equal(found.promises[0], 78 + 669);
    assert_int_equal(found.missed + found.told, 0);
}

/* ---- failures ---- */

/* Records never lose the slots of a node that is gone. */
static void records_do_not_know_of_failures(void **unused)
{
    (void)unused;
    nodes(0, 2, 1, 1);
    job((pn_cluster_job){
        .maps = 1, .reduces = 1, .map_ms = 10 * S, .reduce_ms = 10 * S, .deadline = 1000 * S});
    job((pn_cluster_job){.submit = 30 * S,
                         .maps = 2,
                         .reduces = 2,
                         .map_ms = 10 * S,
                         .reduce_ms = 10 * S,
                         .deadline = 20 * S});
    job((pn_cluster_job){.submit = 100 * S,
                         .maps = 2,
                         .reduces = 2,
                         .map_ms = 10 * S,
                         .reduce_ms = 10 * S,
                         .deadline = 20 * S});
    failure(1 * S, 1, PN_SCHEDULER_NEVER);
    assert_int_equal(expect("rtmr", ours(), FINISHES(20 * S, 70 * S, 140 * S)).missed, 2);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(20 * S, REFUSED, REFUSED)).missed, 0);
}

/* A reduce that runs while a map is run again ends after that, not when it would have. */
static void a_reduce_whose_maps_run_again_is_late_in_time(void **unused)
{
    (void)unused;
    nodes(0, 2, 1, 1);
    nodes(1, 2, 1, 0);
    scene.scenario.config.replication = 1;
    scene.scenario.config.seed = 344;
    failure(83, 3, 491);
    job((pn_cluster_job){.submit = 40, .maps = 2, .deadline = 1});
    job((pn_cluster_job){.submit = 40,
                         .maps = 2,
                         .reduces = 1,
                         .map_ms = 30,
                         .remote_ms = 12,
                         .shuffle_ms = 2,
                         .deadline = 85});
    outcome found = expect("rtmr-live", ours(), FINISHES(41, 126));
    assert_int_equal(found.missed, 1);
    assert_int_equal(found.told, 1);
}

/* Slots are kept free for reduces that wait, not for those that run while a map is run again. */
static void running_reduces_need_no_slots_kept_free(void **unused)
{
    (void)unused;
    nodes(0, 1, 1, 1);
    nodes(1, 1, 0, 0);
    nodes(2, 2, 1, 2);
    scene.scenario.config.replication = 1;
    scene.scenario.config.seed = 378;
    failure(5, 0, 27);
    job((pn_cluster_job){.maps = 1, .reduces = 2, .map_ms = 4, .shuffle_ms = 2, .deadline = 7});
    job((pn_cluster_job){.maps = 1, .reduces = 1, .reduce_ms = 4, .deadline = 9});
    outcome found = expect("rtmr-live", ours(), FINISHES(10, 9));
    assert_int_equal(found.missed, 1);
    assert_int_equal(found.told, 1);
}

/* ---- estimates ---- */

/* A task without work takes 1 ms all the same: with estimates of 0 both of these would be promised
 * for 0 ms. */
static void no_estimate_is_zero(void **unused)
{
    (void)unused;
    nodes(0, 1, 1, 0);
    pn_cluster_job *one = job((pn_cluster_job){.maps = 2, .deadline = 1});
    assert_int_equal(expect("rtmr", ours(), FINISHES(REFUSED)).promises[0], 2);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(REFUSED)).promises[0], 2);
    expect("dc", ours(), FINISHES(REFUSED));
    one->deadline = 2;
    assert_int_equal(expect("rtmr", ours(), FINISHES(2)).missed, 0);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(2)).missed, 0);
    assert_int_equal(expect("dc", ours(), FINISHES(2)).missed, 0);
}

/* ---- dc ---- */

/* It looks at reduce slots at one instant only: the second job's reduce is in the way of the first
 * one's. */
static void dc_forgets_that_reduces_overlap(void **unused)
{
    (void)unused;
    nodes(0, 1, 2, 1);
    job((pn_cluster_job){
        .maps = 1, .reduces = 1, .map_ms = 80 * S, .reduce_ms = 20 * S, .deadline = 100 * S});
    job((pn_cluster_job){.submit = 1 * S,
                         .maps = 1,
                         .reduces = 1,
                         .map_ms = 74 * S,
                         .reduce_ms = 20 * S,
                         .deadline = 94 * S});
    assert_int_equal(expect("dc", ours(), FINISHES(115 * S, 95 * S)).missed, 1);
    assert_int_equal(expect("rtmr", ours(), FINISHES(100 * S, REFUSED)).missed, 0);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(100 * S, REFUSED)).missed, 0);
}

/* No slot is free when the third job comes, though it could wait for long. */
static void dc_refuses_without_need(void **unused)
{
    (void)unused;
    nodes(0, 1, 2, 2);
    job((pn_cluster_job){
        .maps = 2, .reduces = 1, .map_ms = 10 * S, .reduce_ms = 5 * S, .deadline = 100 * S});
    job((pn_cluster_job){
        .maps = 2, .reduces = 1, .map_ms = 10 * S, .reduce_ms = 5 * S, .deadline = 30 * S});
    job((pn_cluster_job){.submit = 1 * S,
                         .maps = 1,
                         .reduces = 1,
                         .map_ms = 10 * S,
                         .reduce_ms = 5 * S,
                         .deadline = 1000 * S});
    expect("dc", ours(), FINISHES(25 * S, 25 * S, REFUSED));
    assert_int_equal(expect("rtmr", ours(), FINISHES(25 * S, 15 * S, 35 * S)).missed, 0);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(25 * S, 15 * S, 35 * S)).missed, 0);
}

static void dc_wants_all_reduces_at_once(void **unused)
{
    (void)unused;
    nodes(0, 1, 1, 1);
    job((pn_cluster_job){
        .maps = 1, .reduces = 2, .map_ms = 10 * S, .reduce_ms = 10 * S, .deadline = 30 * S});
    expect("dc", ours(), FINISHES(REFUSED));
    assert_int_equal(expect("rtmr", ours(), FINISHES(30 * S)).missed, 0);
    assert_int_equal(expect("rtmr-live", ours(), FINISHES(30 * S)).missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dispatcher_is_off_by_one),
        cmocka_unit_test(feedback_of_a_job_that_overtook_promises_too_much),
        cmocka_unit_test(feedback_may_cause_a_refusal),
        cmocka_unit_test(heartbeats_break_promises_unless_they_are_allowed_for),
        cmocka_unit_test(a_beat_for_each_reduce_slot_must_be_allowed_for),
        cmocka_unit_test(waiting_for_a_beat_is_no_reason_to_give_a_job_up),
        cmocka_unit_test(records_do_not_know_of_failures),
        cmocka_unit_test(a_reduce_whose_maps_run_again_is_late_in_time),
        cmocka_unit_test(running_reduces_need_no_slots_kept_free),
        cmocka_unit_test(no_estimate_is_zero),
        cmocka_unit_test(dc_forgets_that_reduces_overlap),
        cmocka_unit_test(dc_refuses_without_need),
        cmocka_unit_test(dc_wants_all_reduces_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
