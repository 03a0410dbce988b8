/* The input log of the scheduler core: who hears what and when, what lines look like, and that an
 * input applied to another core does there what it did here. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

enum { HEARD = 64, LINE = 1024 };

typedef struct listener {
    host host;
    pn_scheduler_input heard[HEARD];
    uint32_t count, progress;
    int fetched, busy;      /* the answer; what an event from inside returned */
    uint64_t logged[HEARD]; /* decisions that there were when each was heard */
    char line[LINE];
} listener;

static void on_input(void *user, const pn_scheduler_input *input)
{
    listener *l = user;
    uint64_t check = 0;
    assert_true(l->count < HEARD && input->struct_size == sizeof *input);
    if (input->job)
        assert_true(pn_scheduler_input_line(input, &check, l->line, LINE) <= LINE);
    l->busy = pn_scheduler_tick(l->host.s, &l->host.hooks, input->now);
    l->logged[l->count] = l->host.log.count;
    l->heard[l->count] = *input;
    l->heard[l->count].job = NULL;
    l->heard[l->count++].nodes = NULL;
}

static uint32_t on_progress(void *user, const pn_scheduler_task *task)
{
    (void)task;
    return ((listener *)user)->progress;
}

static int on_fetched(void *user, const pn_scheduler_task *task)
{
    (void)task;
    return ((listener *)user)->fetched;
}

static void listen(listener *l, const pn_scheduler_policy *policy, const pn_scheduler_nodes *nodes)
{
    const pn_scheduler_config config = config_for(policy, nodes);
    *l = (listener){0};
    set_up(&l->host, policy, &config);
    l->host.hooks.user = l;
    l->host.hooks.on_input = on_input;
    l->host.hooks.progress = on_progress;
    l->host.hooks.fetched = on_fetched;
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

/* ---- what is heard --------------------------------------------------------------------------- */

static void events_are_heard_before_their_decisions(void **state)
{
    (void)state;
    listener l;
    listen(&l, pn_scheduler_fifo(), two);
    const pn_scheduler_hooks *hooks = &l.host.hooks;
    pn_scheduler_answer answer;
    const pn_scheduler_job job = {.maps = 1};
    assert_int_equal(pn_scheduler_ask(l.host.s, hooks, 3, &job, &answer), PN_OK);
    heard(&l, 0, PN_SCHEDULER_IN_ASK);
    assert_int_equal(pn_scheduler_submit(l.host.s, hooks, 5, &job, NULL), PN_OK);
    heard(&l, 1, PN_SCHEDULER_IN_SUBMIT);
    assert_true(l.heard[1].now == 5 && l.logged[1] == 0 && l.heard[1].digest == 0);
    assert_int_equal(l.busy, PN_ERR_BUSY);
    assert_int_equal(pn_scheduler_offer(l.host.s, hooks, 6, 1), PN_OK);
    heard(&l, 2, PN_SCHEDULER_IN_OFFER);
    assert_int_equal(l.heard[2].node, 1);
    assert_true(l.logged[2] == 1 && l.host.log.count == 2);
    uint64_t token = l.host.launched.token, digest = pn_scheduler_digest(l.host.s);
    assert_int_equal(pn_scheduler_started(l.host.s, hooks, 7, token), PN_OK);
    assert_int_equal(pn_scheduler_failed(l.host.s, hooks, 8, token), PN_OK);
    heard(&l, 3, PN_SCHEDULER_IN_STARTED);
    heard(&l, 4, PN_SCHEDULER_IN_FAILED);
    assert_true(l.heard[4].token == token && l.heard[4].digest == digest);
    assert_int_equal(pn_scheduler_node_down(l.host.s, hooks, 9, 1), PN_OK);
    assert_int_equal(pn_scheduler_node_up(l.host.s, hooks, 9, 1), PN_OK);
    assert_int_equal(pn_scheduler_wake(l.host.s, hooks, 9), PN_OK);
    assert_int_equal(pn_scheduler_tick(l.host.s, hooks, 9), PN_OK);
    heard(&l, 5, PN_SCHEDULER_IN_NODE_DOWN);
    heard(&l, 6, PN_SCHEDULER_IN_NODE_UP);
    heard(&l, 7, PN_SCHEDULER_IN_WAKE);
    heard(&l, 8, PN_SCHEDULER_IN_TICK);
    assert_int_equal(pn_scheduler_resize(l.host.s, hooks, 9, 1, 0, 0), PN_OK);
    assert_int_equal(pn_scheduler_cancel(l.host.s, hooks, 10, 1), PN_OK);
    heard(&l, 9, PN_SCHEDULER_IN_RESIZE);
    heard(&l, 10, PN_SCHEDULER_IN_CANCEL);
    assert_true(l.heard[9].node == 1 && l.heard[9].map_slots == 0 && l.heard[10].id == 1);
    assert_int_equal(l.count, 11);
    stop(&l.host);
}

static void refused_events_are_not_heard(void **state)
{
    (void)state;
    listener l;
    listen(&l, pn_scheduler_rtmr_live(), two);
    const pn_scheduler_hooks *hooks = &l.host.hooks;
    const pn_scheduler_job without_deadline = {.maps = 1}, none = {.maps = 0};
    assert_int_equal(pn_scheduler_submit(l.host.s, hooks, 5, &none, NULL), PN_ERR_JOB);
    assert_int_equal(pn_scheduler_submit(l.host.s, hooks, 5, &without_deadline, NULL), PN_ERR_JOB);
    assert_int_equal(pn_scheduler_offer(l.host.s, hooks, 5, 2), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_finished(l.host.s, hooks, 5, 77), PN_ERR_STALE);
    assert_int_equal(pn_scheduler_tick(l.host.s, hooks, PN_INTEGER_MAX + 1), PN_ERR_OVERFLOW);
    assert_int_equal(l.count, 0);
    assert_int_equal(pn_scheduler_tick(l.host.s, hooks, 9), PN_OK);
    assert_int_equal(pn_scheduler_tick(l.host.s, hooks, 8), PN_ERR_ORDER);
    assert_int_equal(l.count, 1);
    stop(&l.host);
}

static void answers_follow_their_event(void **state)
{
    (void)state;
    listener l;
    listen(&l, pn_scheduler_hsrtf_pup(), two);
    const pn_scheduler_hooks *hooks = &l.host.hooks;
    l.progress = 1234567; /* more than all */
    assert_int_equal(pn_scheduler_submit(l.host.s, hooks, 0, &(pn_scheduler_job){.maps = 2}, NULL),
                     PN_OK);
    assert_int_equal(pn_scheduler_offer(l.host.s, hooks, 1, 0), PN_OK);
    uint32_t before = l.count;
    assert_int_equal(pn_scheduler_tick(l.host.s, hooks, 10), PN_OK);
    heard(&l, before, PN_SCHEDULER_IN_TICK);
    heard(&l, before + 1, PN_SCHEDULER_IN_PROGRESS);
    assert_true(l.heard[before + 1].token == l.host.launched.token &&
                l.heard[before + 1].value == 1000000);
    stop(&l.host);
}

/* A reduce that had fetched all may end before a map that runs again: the question comes before the
 * event is accepted, its answer stands behind it. */
static void a_question_before_the_event_is_answered_behind_it(void **state)
{
    (void)state;
    listener l;
    listen(&l, pn_scheduler_fifo(), two);
    const pn_scheduler_hooks *hooks = &l.host.hooks;
    const pn_scheduler_job job = {.maps = 1, .reduces = 2};
    assert_int_equal(pn_scheduler_submit(l.host.s, hooks, 0, &job, NULL), PN_OK);
    assert_int_equal(pn_scheduler_offer(l.host.s, hooks, 0, 0), PN_OK);
    uint64_t map = l.host.launched.token;
    assert_int_equal(pn_scheduler_finished(l.host.s, hooks, 1, map), PN_OK);
    assert_int_equal(pn_scheduler_offer(l.host.s, hooks, 2, 1), PN_OK);
    uint64_t reduce = l.host.launched.token;
    assert_int_equal(pn_scheduler_node_down(l.host.s, hooks, 3, 0), PN_OK); /* the map again */
    uint32_t before = l.count;
    assert_int_equal(pn_scheduler_finished(l.host.s, hooks, 4, reduce), PN_ERR_ARGUMENT);
    assert_int_equal(l.count, before);
    l.fetched = 5;
    assert_int_equal(pn_scheduler_finished(l.host.s, hooks, 4, reduce), PN_OK);
    heard(&l, before, PN_SCHEDULER_IN_FINISHED);
    heard(&l, before + 1, PN_SCHEDULER_IN_FETCHED);
    assert_true(l.heard[before + 1].token == reduce && l.heard[before + 1].value == 1);
    stop(&l.host);
}

static int give_up(pn_scheduler_view *view)
{
    (void)view;
    return PN_ERR_INFEASIBLE;
}

static int give_up_later(pn_scheduler_view *view, uint32_t job)
{
    (void)job;
    return give_up(view);
}

/* The event in which the policy gives up is heard, and the last one. */
static void the_last_event_of_a_policy_that_gives_up_is_heard(void **state)
{
    (void)state;
    static const pn_scheduler_policy at_once = {.name = "at-once", .init = give_up},
                                     later = {.name = "later", .arrive = give_up_later};
    const pn_scheduler_policy *const policies[] = {&at_once, &later};
    for (int i = 0; i < 2; i++) {
        listener l, again;
        listen(&l, policies[i], two);
        listen(&again, policies[i], two);
        const pn_scheduler_job job = {.maps = 1};
        const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_SUBMIT, .now = 4, .job = &job};
        assert_int_equal(pn_scheduler_submit(l.host.s, &l.host.hooks, 4, &job, NULL),
                         PN_ERR_INFEASIBLE);
        assert_int_equal(pn_scheduler_tick(l.host.s, &l.host.hooks, 5), PN_ERR_INFEASIBLE);
        assert_int_equal(l.count, 1);
        heard(&l, 0, PN_SCHEDULER_IN_SUBMIT);
        assert_int_equal(pn_scheduler_apply(again.host.s, &again.host.hooks, &input),
                         PN_ERR_INFEASIBLE);
        assert_true(pn_scheduler_digest(again.host.s) == pn_scheduler_digest(l.host.s));
        assert_int_equal(again.count, 1);
        stop(&l.host);
        stop(&again.host);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static uint32_t replicas(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    (void)where;
    assert_true(most >= 2);
    nodes[0] = 1;
    nodes[1] = 0;
    return map == 1 ? 0 : map == 0 ? 2 : 1;
}

static void lines_say_all_that_was_told(void **state)
{
    (void)state;
    listener l;
    const double attributes[] = {3.0, -0.5};
    pn_scheduler_config config = config_for(pn_scheduler_fifo(), two);
    config.attributes = 2;
    config.groups_max = 3;
    listen(&l, pn_scheduler_fifo(), two);
    free(l.host.s);
    l.host.s = new_core(&config);
    const pn_scheduler_job job = {.maps = 3,
                                  .replicas = replicas,
                                  .deadline = 7,
                                  .est_ms = {0, 9},
                                  .tag = UINT64_MAX,
                                  .group = 2,
                                  .attributes = attributes};
    size_t size = pn_scheduler_block_size(l.host.s);
    pn_scheduler_hooks deaf = l.host.hooks;
    deaf.on_input = NULL;
    deaf.on_event = NULL;
    pn_scheduler *same = new_core(&config);
    assert_int_equal(pn_scheduler_submit(same, &deaf, 5, &job, NULL), PN_OK);
    assert_int_equal(pn_scheduler_submit(l.host.s, &l.host.hooks, 5, &job, NULL), PN_OK);
    assert_memory_equal(l.host.s, same, size); /* whoever hears leaves no trace */
    free(same);
    assert_first_line(l.line,
                      "{\"time\":5,\"event\":\"submit\",\"job\":{\"maps\":3,\"deadline\":7,"
                      "\"est_ms\":[0,9],\"tag\":\"0xffffffffffffffff\",\"group\":2,"
                      "\"attributes\":[3,\"-0x1.0000000000000p-1\"],\"replicas\":[[1,0],[],[1]]},"
                      "\"digest\":\"0000000000000000\"");
    stop(&l.host);
}

static uint32_t too_many(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    (void)where;
    nodes[0] = 4 + map;
    nodes[1] = 7;
    return most + 1;
}

/* What a host says to write and has no room for is not read. */
static void lines_have_the_nodes_that_there_is_room_for(void **state)
{
    (void)state;
    const pn_scheduler_job job = {.maps = 2, .replicas = too_many};
    uint32_t nodes[] = {0, 0, 9};
    const pn_scheduler_input input = {
        .kind = PN_SCHEDULER_IN_ASK, .job = &job, .nodes = nodes, .replicas_most = 2};
    char line[LINE];
    uint64_t check = 0;
    assert_true(pn_scheduler_input_line(&input, &check, line, LINE) <= LINE);
    assert_first_line(line, "{\"time\":0,\"event\":\"ask\",\"job\":{\"maps\":2,"
                            "\"replicas\":[[4,7],[5,7]]},\"digest\":\"0000000000000000\"");
}

/* Of each kind of input, what stands behind its name. */
static void lines_have_what_belongs_to_their_kind(void **state)
{
    (void)state;
    static const char *const told[] = {
        [PN_SCHEDULER_IN_END] = "end\"",
        [PN_SCHEDULER_IN_SUBMIT] = "submit\"",
        [PN_SCHEDULER_IN_ASK] = "ask\"",
        [PN_SCHEDULER_IN_NODE_UP] = "node_up\",\"node\":1",
        [PN_SCHEDULER_IN_NODE_DOWN] = "node_down\",\"node\":1",
        [PN_SCHEDULER_IN_OFFER] = "offer\",\"node\":1",
        [PN_SCHEDULER_IN_STARTED] = "started\",\"token\":2",
        [PN_SCHEDULER_IN_FINISHED] = "finished\",\"token\":2",
        [PN_SCHEDULER_IN_FAILED] = "failed\",\"token\":2",
        [PN_SCHEDULER_IN_WAKE] = "wake\"",
        [PN_SCHEDULER_IN_TICK] = "tick\"",
        [PN_SCHEDULER_IN_PROGRESS] = "progress\",\"token\":2,\"value\":3",
        [PN_SCHEDULER_IN_FETCHED] = "fetched\",\"token\":2,\"value\":3",
        [PN_SCHEDULER_IN_CANCEL] = "cancel\",\"id\":4",
        [PN_SCHEDULER_IN_RESIZE] = "resize\",\"node\":1,\"map_slots\":5,\"reduce_slots\":6",
    };
    const uint32_t count = sizeof told / sizeof *told;
    char line[LINE], text[LINE];
    uint32_t fields = 77;
    for (uint32_t kind = 0; kind < count; kind++) {
        bool answer = kind == PN_SCHEDULER_IN_PROGRESS || kind == PN_SCHEDULER_IN_FETCHED;
        const pn_scheduler_input input = {.kind = kind,
                                          .now = 9,
                                          .digest = 10,
                                          .node = 1,
                                          .token = 2,
                                          .value = 3,
                                          .id = 4,
                                          .map_slots = 5,
                                          .reduce_slots = 6};
        uint64_t check = 0;
        snprintf(text, sizeof text, "{\"time\":9,\"event\":\"%s%s", told[kind],
                 answer ? "" : ",\"digest\":\"000000000000000a\"");
        assert_true(pn_scheduler_input_line(&input, &check, line, LINE) <= LINE);
        assert_first_line(line, text);
        assert_memory_equal(told[kind], pn_scheduler_input_name(kind, NULL),
                            strcspn(told[kind], "\""));
    }
    assert_null(pn_scheduler_input_name(count, &fields));
    assert_int_equal(fields, 77);
}

/* A line is all there or not written at all. */
static void lines_have_the_length_that_is_said(void **state)
{
    (void)state;
    const pn_scheduler_input input = {
        .kind = PN_SCHEDULER_IN_PROGRESS, .now = 12, .token = 34, .value = 56};
    char line[LINE];
    uint64_t check = 0, again = 0;
    size_t needed = pn_scheduler_input_line(&input, &check, NULL, 0);
    assert_true(check == 0);
    assert_true(pn_scheduler_input_line(&input, &check, line, needed - 1) == needed && check == 0);
    memset(line, 'x', sizeof line);
    assert_true(pn_scheduler_input_line(&input, &check, line, needed) == needed && check != 0);
    assert_true(strlen(line) == needed - 1 && line[needed] == 'x');
    /* The check of the next line depends on this one. */
    uint64_t first = check;
    pn_scheduler_input_line(&input, &check, line, sizeof line);
    pn_scheduler_input_line(&input, &again, line, sizeof line);
    assert_true(check != first && again == first);
    assert_true(pn_scheduler_input_line(&(pn_scheduler_input){.kind = 99}, &check, line, LINE) ==
                0);
}

static void heads_need_a_configuration_and_a_policy(void **state)
{
    (void)state;
    static const char *const names[] = {"a \"b\"\n", "c"};
    const pn_scheduler_config config = config_for(pn_scheduler_fair(), three), none = {0};
    const pn_scheduler_hooks hooks = {.policy = pn_scheduler_fair(), .fetched = on_fetched};
    const pn_input_labels labels[] = {{names, 2}, {NULL, 0}};
    pn_input_about about = {.struct_size = sizeof about,
                            .text = "x",
                            .text_size = 1,
                            .groups = names,
                            .groups_count = 2,
                            .attributes = (const char *const[]){"user", "weight"},
                            .attributes_count = 2,
                            .labels = labels};
    char line[2 * LINE];
    uint64_t check = 0;
    assert_true(pn_scheduler_input_head(&none, &hooks, NULL, &check, line, sizeof line) == 0);
    assert_true(pn_scheduler_input_head(&config, &(pn_scheduler_hooks){0}, NULL, &check, line,
                                        sizeof line) == 0);
    size_t size = pn_scheduler_input_head(&config, &hooks, &about, &check, line, sizeof line);
    assert_true(0 < size && size < sizeof line && strlen(line) == size - 1);
    assert_non_null(strstr(line, "\"model\":\"cluster\",\"policy\":\"fair\",\"params\":{"));
    assert_non_null(strstr(line, "\"group_names\":[\"a \\\"b\\\"\\u000a\",\"c\"],"
                                 "\"hooks\":[\"fetched\"],\"config\":{"));
    assert_non_null(strstr(line, "\"nodes\":[{\"count\":3,\"map_slots\":1,\"reduce_slots\":1}]}"));
    assert_non_null(strstr(line, "\"attribute_names\":[\"user\",\"weight\"],"
                                 "\"attribute_texts\":[[\"a \\\"b\\\"\\u000a\",\"c\"],[]],"));
    about.struct_size = offsetof(pn_input_about, labels); /* a host of an earlier version */
    assert_true(pn_scheduler_input_head(&config, &hooks, &about, &check, line, sizeof line) > 0);
    assert_null(strstr(line, "attribute_texts"));
}

static void nothing(void *user, const pn_scheduler_task *task)
{
    (void)user;
    (void)task;
}

/* A log says which answers of the host it has, and all settings. */
static void heads_name_hooks_and_settings(void **state)
{
    (void)state;
    static const char *const lists[] = {"[]",
                                        "[\"progress\"]",
                                        "[\"fetched\"]",
                                        "[\"progress\",\"fetched\"]",
                                        "[\"suspend\"]",
                                        "[\"progress\",\"suspend\"]",
                                        "[\"fetched\",\"suspend\"]",
                                        "[\"progress\",\"fetched\",\"suspend\"]"};
    const pn_scheduler_config config = config_for(pn_scheduler_fifo(), two);
    char line[2 * LINE], text[LINE];
    for (uint32_t has = 0; has < 8; has++) {
        const pn_scheduler_hooks hooks = {.policy = pn_scheduler_fifo(),
                                          .progress = has & 1 ? on_progress : NULL,
                                          .fetched = has & 2 ? on_fetched : NULL,
                                          .suspend = has & 4 ? nothing : NULL};
        uint64_t check = 0;
        assert_true(pn_scheduler_input_head(&config, &hooks, NULL, &check, line, sizeof line) > 0);
        snprintf(text, sizeof text,
                 "{\"pinion_inputs\":1,\"model\":\"cluster\",\"policy\":\"fifo\",\"params\":{},"
                 "\"hooks\":%s,\"config\":{",
                 lists[has]);
        assert_memory_equal(line, text, strlen(text));
    }
    for (const pn_field *field = pn_scheduler_fields(PN_SCHEDULER_PART_CONFIG); field->name;
         field++) {
        snprintf(text, sizeof text, "\"%s\":", field->name);
        assert_non_null(strstr(line, text));
    }
}

/* ---- telling it again ------------------------------------------------------------------------ */

/* Whatever the event returns here it returns there, and both cores are the same. */
static void inputs_do_the_same_in_another_core(void **state)
{
    (void)state;
    host here, there;
    const pn_scheduler_job job = {.maps = 2, .reduces = 1};
    start(&here, pn_scheduler_fifo(), two);
    start(&there, pn_scheduler_fifo(), two);
    const pn_scheduler_input inputs[] = {
        {.kind = PN_SCHEDULER_IN_ASK, .now = 1, .job = &job},
        {.kind = PN_SCHEDULER_IN_SUBMIT, .now = 2, .job = &job},
        {.kind = PN_SCHEDULER_IN_OFFER, .now = 3, .node = 0},
        {.kind = PN_SCHEDULER_IN_OFFER, .now = 3, .node = 9},
        {.kind = PN_SCHEDULER_IN_STARTED, .now = 4, .token = 6},
        {.kind = PN_SCHEDULER_IN_STARTED, .now = 5, .token = 4},
        {.kind = PN_SCHEDULER_IN_FINISHED, .now = 5, .token = 4},
        {.kind = PN_SCHEDULER_IN_OFFER, .now = 5, .node = 1},
        {.kind = PN_SCHEDULER_IN_FAILED, .now = 6, .token = 5},
        {.kind = PN_SCHEDULER_IN_FAILED, .now = 6, .token = 4},
        {.kind = PN_SCHEDULER_IN_NODE_DOWN, .now = 6, .node = 0},
        {.kind = PN_SCHEDULER_IN_NODE_UP, .now = 6, .node = 0},
        {.kind = PN_SCHEDULER_IN_WAKE, .now = 7},
        {.kind = PN_SCHEDULER_IN_TICK, .now = 8},
        {.kind = PN_SCHEDULER_IN_RESIZE, .now = 9, .node = 1},
        {.kind = PN_SCHEDULER_IN_RESIZE, .now = 9, .node = 1, .map_slots = 1},
        {.kind = PN_SCHEDULER_IN_RESIZE, .now = 9, .node = 1, .map_slots = 1 << 20},
        {.kind = PN_SCHEDULER_IN_CANCEL, .now = 10, .id = 1},
        {.kind = PN_SCHEDULER_IN_CANCEL, .now = 10, .id = 1},
    };
    int (*const node[])(pn_scheduler *, const pn_scheduler_hooks *, uint64_t,
                        uint32_t) = {[PN_SCHEDULER_IN_NODE_UP] = pn_scheduler_node_up,
                                     [PN_SCHEDULER_IN_NODE_DOWN] = pn_scheduler_node_down,
                                     [PN_SCHEDULER_IN_OFFER] = pn_scheduler_offer};
    int (*const token[])(pn_scheduler *, const pn_scheduler_hooks *, uint64_t,
                         uint64_t) = {[PN_SCHEDULER_IN_STARTED] = pn_scheduler_started,
                                      [PN_SCHEDULER_IN_FINISHED] = pn_scheduler_finished,
                                      [PN_SCHEDULER_IN_FAILED] = pn_scheduler_failed};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const pn_scheduler_input *it = &inputs[i];
        pn_scheduler_answer answer;
        int status = it->kind == PN_SCHEDULER_IN_ASK
                         ? pn_scheduler_ask(here.s, &here.hooks, it->now, &job, &answer)
                     : it->kind == PN_SCHEDULER_IN_SUBMIT
                         ? pn_scheduler_submit(here.s, &here.hooks, it->now, &job, NULL)
                     : it->kind == PN_SCHEDULER_IN_WAKE
                         ? pn_scheduler_wake(here.s, &here.hooks, it->now)
                     : it->kind == PN_SCHEDULER_IN_TICK
                         ? pn_scheduler_tick(here.s, &here.hooks, it->now)
                     : it->kind == PN_SCHEDULER_IN_RESIZE
                         ? pn_scheduler_resize(here.s, &here.hooks, it->now, it->node,
                                               it->map_slots, it->reduce_slots)
                     : it->kind == PN_SCHEDULER_IN_CANCEL
                         ? pn_scheduler_cancel(here.s, &here.hooks, it->now, it->id)
                     : it->token > 0 ? token[it->kind](here.s, &here.hooks, it->now, it->token)
                                     : node[it->kind](here.s, &here.hooks, it->now, it->node);
        assert_int_equal(pn_scheduler_apply(there.s, &there.hooks, it), status);
        assert_memory_equal(there.s, here.s, pn_scheduler_block_size(here.s));
    }
    assert_int_equal(here.log.count, there.log.count);
    assert_int_equal(pn_scheduler_apply(there.s, &there.hooks, NULL), PN_ERR_ARGUMENT);
    for (uint32_t kind = 0; kind < 16; kind++)
        if (kind == PN_SCHEDULER_IN_END || kind == PN_SCHEDULER_IN_PROGRESS ||
            kind == PN_SCHEDULER_IN_FETCHED || kind > PN_SCHEDULER_IN_RESIZE)
            assert_int_equal(pn_scheduler_apply(there.s, &there.hooks,
                                                &(pn_scheduler_input){.kind = kind, .now = 11}),
                             PN_ERR_ARGUMENT);
    stop(&here);
    stop(&there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_heard_before_their_decisions),
        cmocka_unit_test(refused_events_are_not_heard),
        cmocka_unit_test(answers_follow_their_event),
        cmocka_unit_test(a_question_before_the_event_is_answered_behind_it),
        cmocka_unit_test(the_last_event_of_a_policy_that_gives_up_is_heard),
        cmocka_unit_test(lines_say_all_that_was_told),
        cmocka_unit_test(lines_have_the_nodes_that_there_is_room_for),
        cmocka_unit_test(lines_have_what_belongs_to_their_kind),
        cmocka_unit_test(lines_have_the_length_that_is_said),
        cmocka_unit_test(heads_need_a_configuration_and_a_policy),
        cmocka_unit_test(heads_name_hooks_and_settings),
        cmocka_unit_test(inputs_do_the_same_in_another_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
