/* The input log of the dispatch core: who hears what and when, what lines look like, and that an
 * input applied to another core does there what it did here. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "dispatch/state.h"
#include "support/workload.h"

enum { HEARD = 64, LINE = 2048 };

static const pn_dispatch_nodes two[] = {{{4, 8}, 2, 0}};

static const uint32_t parents[] = {0, 1};
static const pn_dispatch_stage stages[] = {
    {.demand = {1, 2}, .estimate = 5, .tasks = 1},
    {.demand = {0, 1}, .estimate = 5, .tasks = 2},
    {.demand = {4}, .estimate = 6, .tasks = 1, .parent_count = 2},
};
static const pn_dispatch_job job = {
    .stages = stages, .parents = parents, .stage_count = 3, .parents_count = 2, .weight = 3};

typedef struct listener {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    pn_dispatch_input heard[HEARD];
    uint32_t count;
    int busy; /* what an event from inside returned */
    pn_dispatch_task launched;
    uint32_t decisions, decided[HEARD]; /* that there were when each was heard */
    char line[LINE];
} listener;

static void on_input(void *user, const pn_dispatch_input *input)
{
    listener *l = user;
    uint64_t check = 0;
    assert_true(l->count < HEARD && input->struct_size == sizeof *input);
    assert_true(pn_dispatch_input_line(input, &check, l->line, LINE) <= LINE);
    l->busy = pn_dispatch_tick(l->core, &l->hooks, input->now);
    l->decided[l->count] = l->decisions;
    l->heard[l->count++] = *input;
}

static void on_launch(void *user, const pn_dispatch_task *task)
{
    ((listener *)user)->launched = *task;
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    (void)event;
    ((listener *)user)->decisions++;
}

static pn_dispatch_config config_for(const pn_dispatch_policy *policy)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = two;
    config.nodes_count = 1;
    config.resources = 2;
    config.jobs_max = 4;
    config.policy = policy;
    return config;
}

static void listen(listener *l, const pn_dispatch_policy *policy)
{
    const pn_dispatch_config config = config_for(policy);
    size_t size = pn_dispatch_size(&config);
    *l = (listener){
        .hooks = {
            .policy = policy, .launch = on_launch, .on_event = on_event, .on_input = on_input}};
    l->hooks.user = l;
    assert_int_equal(pn_dispatch_init(&l->core, workload_room(size), size, &config), PN_OK);
}

/* The line, with its check, is the first of a log. */
static void assert_first_line(const char *line, const char *text)
{
    char end[32];
    size_t size = strlen(text);
    uint64_t check = pn_input_check(0, text, size);
    snprintf(end, sizeof end, ",\"check\":\"%08x\"}\n", (unsigned)(check & UINT32_MAX));
    assert_memory_equal(line, text, size);
    assert_string_equal(line + size, end);
}

static void heard(const listener *l, uint32_t index, uint32_t kind)
{
    assert_true(index < l->count);
    assert_int_equal(l->heard[index].kind, kind);
}

static void events_are_heard_before_their_decisions(void **state)
{
    (void)state;
    listener l;
    listen(&l, pn_dispatch_fifo());
    assert_int_equal(pn_dispatch_submit(l.core, &l.hooks, 5, &job, NULL), PN_OK);
    heard(&l, 0, PN_DISPATCH_IN_SUBMIT);
    assert_true(l.heard[0].now == 5 && l.decided[0] == 0 && l.decisions == 1);
    assert_int_equal(l.busy, PN_ERR_BUSY);
    assert_first_line(l.line, "{\"time\":5,\"event\":\"submit\",\"job\":{\"weight\":3,\"stages\":"
                              "[{\"demand\":[1,2,0,0],\"estimate\":5,\"tasks\":1},"
                              "{\"demand\":[0,1,0,0],\"estimate\":5,\"tasks\":2},"
                              "{\"demand\":[4,0,0,0],\"estimate\":6,\"tasks\":1,"
                              "\"parents\":[0,1]}]},"
                              "\"digest\":\"0000000000000000\"");
    assert_int_equal(pn_dispatch_run(l.core, &l.hooks, 5, 1), PN_PAUSED);
    assert_non_null(strstr(l.line, "{\"time\":5,\"event\":\"run\",\"most\":1,"));
    assert_int_equal(pn_dispatch_run(l.core, &l.hooks, 5, UINT64_MAX), PN_OK);
    assert_non_null(strstr(l.line, "{\"time\":5,\"event\":\"run\",\"digest\""));
    uint64_t token = l.launched.token, digest = pn_dispatch_digest(l.core);
    assert_int_equal(pn_dispatch_failed(l.core, &l.hooks, 6, token), PN_OK);
    heard(&l, 3, PN_DISPATCH_IN_FAILED);
    assert_true(l.heard[3].token == token && l.heard[3].digest == digest);
    assert_int_equal(pn_dispatch_node_down(l.core, &l.hooks, 7, 1), PN_OK);
    assert_int_equal(pn_dispatch_node_up(l.core, &l.hooks, 8, 1), PN_OK);
    assert_int_equal(pn_dispatch_tick(l.core, &l.hooks, 9), PN_OK);
    assert_int_equal(pn_dispatch_cancel(l.core, &l.hooks, 9, 1), PN_OK);
    heard(&l, 4, PN_DISPATCH_IN_NODE_DOWN);
    heard(&l, 5, PN_DISPATCH_IN_NODE_UP);
    heard(&l, 6, PN_DISPATCH_IN_TICK);
    heard(&l, 7, PN_DISPATCH_IN_CANCEL);
    assert_true(l.heard[4].node == 1 && l.heard[7].id == 1 && l.count == 8);
    assert_int_equal(pn_dispatch_resize(l.core, &l.hooks, 9, 1, (const uint64_t[4]){1}), PN_OK);
    heard(&l, 8, PN_DISPATCH_IN_RESIZE);
    assert_true(l.heard[8].node == 1 && l.heard[8].capacity[0] == 1 && l.count == 9);
    free(l.core);
}

static void refused_events_are_not_heard(void **state)
{
    (void)state;
    listener l;
    listen(&l, pn_dispatch_fifo());
    assert_int_equal(pn_dispatch_submit(l.core, &l.hooks, 5, &(pn_dispatch_job){0}, NULL),
                     PN_ERR_JOB);
    assert_int_equal(pn_dispatch_finished(l.core, &l.hooks, 5, 3), PN_ERR_STALE);
    assert_int_equal(pn_dispatch_cancel(l.core, &l.hooks, 5, 3), PN_ERR_STALE);
    assert_int_equal(pn_dispatch_node_up(l.core, &l.hooks, 5, 2), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_run(l.core, &l.hooks, PN_INTEGER_MAX + 1, 1), PN_ERR_OVERFLOW);
    assert_int_equal(l.count, 0);
    free(l.core);
}

static int give_up(pn_dispatch_view *view)
{
    (void)view;
    return PN_ERR_INFEASIBLE;
}

static int give_up_later(pn_dispatch_view *view, uint32_t place)
{
    (void)place;
    return give_up(view);
}

/* The event in which the policy gives up is heard, and the last one. */
static void the_last_event_of_a_policy_that_gives_up_is_heard(void **state)
{
    (void)state;
    static const pn_dispatch_policy at_once = {.name = "at-once", .init = give_up},
                                    later = {.name = "later", .arrive = give_up_later};
    const pn_dispatch_policy *const policies[] = {&at_once, &later};
    for (int i = 0; i < 2; i++) {
        listener l, again;
        listen(&l, policies[i]);
        listen(&again, policies[i]);
        const pn_dispatch_input input = {.kind = PN_DISPATCH_IN_SUBMIT, .now = 4, .job = &job};
        assert_int_equal(pn_dispatch_submit(l.core, &l.hooks, 4, &job, NULL), PN_ERR_INFEASIBLE);
        assert_int_equal(pn_dispatch_tick(l.core, &l.hooks, 5), PN_ERR_INFEASIBLE);
        assert_int_equal(l.count, 1);
        heard(&l, 0, PN_DISPATCH_IN_SUBMIT);
        assert_int_equal(pn_dispatch_apply(again.core, &again.hooks, &input), PN_ERR_INFEASIBLE);
        assert_true(again.count == 1 &&
                    pn_dispatch_digest(again.core) == pn_dispatch_digest(l.core));
        free(l.core);
        free(again.core);
    }
}

static void heads_need_a_configuration_and_a_policy(void **state)
{
    (void)state;
    static const pn_dispatch_queue queues[] = {{.weight = 2, .guaranteed = 300}, {.maximum = 500}};
    static const char *const resources[] = {"cpu", "memory"};
    pn_dispatch_config config = config_for(pn_dispatch_hfsp()), none = {0};
    config.queues = queues;
    config.queues_count = 2;
    const pn_dispatch_hooks hooks = {.policy = pn_dispatch_hfsp()};
    const pn_input_about about = {.resources = resources};
    const struct {
        pn_input_about about;
        uint64_t more; /* of a later version */
    } later = {{.struct_size = sizeof later}, 1};
    char line[LINE];
    uint64_t check = 0;
    assert_true(pn_dispatch_input_head(&none, &hooks, NULL, &check, line, LINE) == 0);
    assert_true(
        pn_dispatch_input_head(&config, &(pn_dispatch_hooks){0}, NULL, &check, line, LINE) == 0);
    assert_true(pn_dispatch_input_head(&config, NULL, NULL, &check, line, LINE) == 0);
    assert_true(pn_dispatch_input_head(&config, &hooks, &later.about, &check, line, LINE) == 0);
    size_t size = pn_dispatch_input_head(&config, &hooks, &about, &check, line, LINE);
    assert_true(0 < size && size < LINE && strlen(line) == size - 1);
    assert_non_null(strstr(line, "\"resource_names\":[\"cpu\",\"memory\"],\"config\":{"));
    assert_non_null(strstr(line, "\"nodes\":[{\"count\":2,\"capacity\":[4,8,0,0]}],\"queues\":"
                                 "[{\"weight\":2,\"guaranteed\":300},{\"maximum\":500}]}"));
}

/* A head without names, without queues; kinds that there are not have no line. */
static void heads_and_lines_leave_out_what_there_is_not(void **state)
{
    (void)state;
    const pn_dispatch_config config = config_for(NULL);
    const pn_dispatch_hooks hooks = {.policy = pn_dispatch_fifo()};
    const pn_input_about about = {.text = NULL};
    const pn_dispatch_input unknown = {.kind = PN_DISPATCH_IN_RESIZE + 1};
    char line[LINE], same[LINE];
    uint64_t check = 0;
    size_t size = pn_dispatch_input_head(&config, &hooks, NULL, &check, line, LINE);
    assert_true(0 < size && size < LINE);
    assert_null(strstr(line, "resource_names"));
    assert_null(strstr(line, "queues"));
    check = 0;
    assert_int_equal(pn_dispatch_input_head(&config, &hooks, &about, &check, same, LINE), size);
    assert_string_equal(line, same);
    assert_int_equal(pn_dispatch_input_line(&unknown, &check, line, LINE), 0);
    assert_null(pn_dispatch_input_name(PN_DISPATCH_IN_RESIZE + 1, NULL));
    assert_string_equal(pn_dispatch_input_name(PN_DISPATCH_IN_RESIZE, NULL), "resize");
}

/* Whatever the event returns here it returns there, and both cores are the same. */
static void inputs_do_the_same_in_another_core(void **state)
{
    (void)state;
    listener here, there;
    listen(&here, pn_dispatch_srpt());
    listen(&there, pn_dispatch_srpt());
    there.hooks.on_input = NULL;
    assert_int_equal(pn_dispatch_submit(here.core, &here.hooks, 1, &job, NULL), PN_OK);
    assert_int_equal(pn_dispatch_run(here.core, &here.hooks, 1, 1), PN_PAUSED);
    assert_int_equal(pn_dispatch_run(here.core, &here.hooks, 2, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dispatch_finished(here.core, &here.hooks, 3, here.launched.token), PN_OK);
    assert_int_equal(pn_dispatch_node_down(here.core, &here.hooks, 4, 0), PN_OK);
    assert_int_equal(pn_dispatch_node_up(here.core, &here.hooks, 5, 0), PN_OK);
    assert_int_equal(pn_dispatch_run(here.core, &here.hooks, 5, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dispatch_failed(here.core, &here.hooks, 6, here.launched.token), PN_OK);
    assert_int_equal(pn_dispatch_tick(here.core, &here.hooks, 7), PN_OK);
    assert_int_equal(pn_dispatch_resize(here.core, &here.hooks, 8, 1, (const uint64_t[4]){1}),
                     PN_OK);
    assert_int_equal(pn_dispatch_cancel(here.core, &here.hooks, 8, 1), PN_OK);
    for (uint32_t i = 0; i < here.count; i++)
        assert_int_equal(pn_dispatch_apply(there.core, &there.hooks, &here.heard[i]),
                         here.heard[i].kind == PN_DISPATCH_IN_RUN && here.heard[i].most == 1
                             ? PN_PAUSED
                             : PN_OK);
    assert_memory_equal(there.core, here.core, pn_dispatch_block_size(here.core));
    assert_int_equal(there.decisions, here.decisions);
    const pn_dispatch_input wrong[] = {{.kind = PN_DISPATCH_IN_END, .now = 9},
                                       {.kind = 99, .now = 9}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(pn_dispatch_apply(there.core, &there.hooks, &wrong[i]), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_apply(there.core, &there.hooks, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(
        pn_dispatch_apply(there.core, &there.hooks,
                          &(pn_dispatch_input){.kind = PN_DISPATCH_IN_CANCEL, .now = 9, .id = 1}),
        PN_ERR_STALE);
    free(here.core);
    free(there.core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_heard_before_their_decisions),
        cmocka_unit_test(refused_events_are_not_heard),
        cmocka_unit_test(the_last_event_of_a_policy_that_gives_up_is_heard),
        cmocka_unit_test(heads_need_a_configuration_and_a_policy),
        cmocka_unit_test(heads_and_lines_leave_out_what_there_is_not),
        cmocka_unit_test(inputs_do_the_same_in_another_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
