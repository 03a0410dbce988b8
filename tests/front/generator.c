/* Workloads in Lua as a C host has them: one job after the other from a fixed memory, again from
 * the first as often as wanted, and a message for whatever goes wrong. The corpus of escapes is
 * tried from inside a workload, too. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "pinion_lua.h"

#define HEAD "return { name = 'x', model = 'slotted', "

static const char steady[] = HEAD
    "groups = { 'small', 'large' }, attributes = { weight = 2 },"
    "params = { n = { default = 5, min = 0 }, mean = { default = 3.5 }, mode = { default = 'a',"
    "choices = { 'a', 'b' } }, sizes = { default = 'exp(4)' } },"
    "generate = function(g)\n"
    "  local t = 0\n"
    "  for i = 1, g.params.n do\n"
    "    t = t + g:exponential(g.params.mean)\n"
    "    g:job { arrival = t, maps = g:draw(g.params.sizes), reduces = { i, 1 },\n"
    "      group = i % 2 == 0 and 'small' or 'large', weight = g.params.mode == 'b' and i or nil"
    " }\n"
    "  end\n"
    "end }";

/* Its groups are those of its jobs. */
static const char found[] = HEAD
    "generate = function(g) for _, name in ipairs { 'b', 'c', 'a', 'c' } do\n"
    "g:job { arrival = 1, maps = 1, group = name } end end }";

static pn_lua_workload *load(const char *text, const pn_lua_options *options)
{
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_workload *made;
    if (pn_lua_workload_load(&made, "mine.lua", text, strlen(text), options, message,
                             sizeof message) != PN_OK)
        fail_msg("%s", message);
    return made;
}

static void check_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' does not contain '%s'", text, part);
}

/* A digest of all jobs from the start on, and their number. */
static uint64_t digest_of(pn_lua_workload *jobs, uint64_t seed, uint32_t replica, uint64_t *count)
{
    uint64_t digest = PN_MIX_START;
    pn_slotted_job job;
    int status = pn_lua_workload_start(jobs, seed, replica);
    *count = 0;
    for (; status >= 0 && (status = pn_lua_workload_next_slotted(jobs, &job)) == 1; ++*count) {
        digest = pn_mix(pn_mix(digest, job.arrival), job.maps);
        for (size_t k = 0; k < job.reduce_count; k++)
            digest = pn_mix(digest, job.reduces[k]);
        digest = pn_mix(digest, job.group);
    }
    if (status < 0)
        fail_msg("%s", pn_lua_workload_message(jobs));
    return digest;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void jobs_follow_from_seed_and_replica(void **state)
{
    pn_lua_workload *jobs = load(steady, NULL), *other = load(steady, NULL);
    uint64_t count, first = digest_of(jobs, 7, 0, &count);
    (void)state;
    assert_int_equal(count, 5);
    assert_true(digest_of(jobs, 7, 1, &count) != first);
    assert_true(digest_of(jobs, 8, 0, &count) != first);
    assert_true(digest_of(jobs, 7, 0, &count) == first);
    assert_true(digest_of(other, 7, 0, &count) == first);
    pn_lua_workload_free(jobs);
    pn_lua_workload_free(other);
}

static void a_start_in_the_middle_begins_anew(void **state)
{
    pn_lua_workload *jobs = load(steady, NULL);
    uint64_t count, whole = digest_of(jobs, 3, 3, &count);
    pn_slotted_job job;
    (void)state;
    assert_int_equal(pn_lua_workload_start(jobs, 3, 3), PN_OK);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
    assert_true(digest_of(jobs, 3, 3, &count) == whole);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 0);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 0);
    pn_lua_workload_free(jobs);
}

static void parameters_are_checked(void **state)
{
    pn_lua_workload *jobs = load(steady, NULL);
    uint64_t count;
    char too_long[129]; /* a value has room for 127 bytes */
    pn_slotted_job job;
    (void)state;
    memset(too_long, '1', sizeof too_long - 1);
    too_long[sizeof too_long - 1] = '\0';
    assert_int_equal(pn_lua_workload_params(jobs), 4);
    assert_string_equal(pn_lua_workload_param(jobs, 2)->name, "n");
    assert_string_equal(pn_lua_workload_param_text(jobs, 3), "exp(4)");
    assert_null(pn_lua_workload_param_text(jobs, 2));
    assert_int_equal(pn_lua_workload_set(jobs, "n", 2), PN_OK);
    assert_int_equal(pn_lua_workload_set(jobs, "n", 2.5), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set(jobs, "n", -1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set(jobs, "m", 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set(jobs, "sizes", 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set(jobs, "mode", 2), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set_text(jobs, "mode", "c"), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set_text(jobs, "n", "1"), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set_text(jobs, "m", "c"), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set_text(jobs, "sizes", too_long), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set_text(jobs, NULL, "b"), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set_text(jobs, "mode", NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set_text(NULL, "mode", "b"), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set(jobs, NULL, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set(NULL, "n", 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set(jobs, "mean", NAN), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_set_text(jobs, "mode", "b"), PN_OK);
    assert_int_equal(pn_lua_workload_set_text(jobs, "sizes", "constant(9)"), PN_OK);
    digest_of(jobs, 1, 0, &count);
    assert_int_equal(count, 2);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
    assert_int_equal(job.maps, 9);
    assert_true(job.attributes[0] == 1.0);
    assert_int_equal(job.group, 1); /* large sorts first */
    pn_lua_workload_free(jobs);
}

static void groups_and_attributes_have_names(void **state)
{
    pn_lua_workload *jobs = load(steady, NULL);
    const char *const *names;
    uint32_t count;
    pn_slotted_job job;
    (void)state;
    names = pn_lua_workload_attributes(jobs, &count);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "weight");
    assert_null(pn_lua_workload_labels(jobs, 0, &count)); /* a number */
    assert_int_equal(count, 0);
    count = 1;
    assert_null(pn_lua_workload_labels(jobs, 1, &count)); /* there is no second one */
    assert_int_equal(count, 0);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    names = pn_lua_workload_groups(jobs, &count);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "large");
    assert_string_equal(names[1], "small");
    pn_lua_workload_free(jobs);
    jobs = load(found, NULL);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    names = pn_lua_workload_groups(jobs, &count);
    assert_int_equal(count, 3);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(names[i][0], "abc"[i]);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
        assert_int_equal(job.group, (int)("2313"[i] - '0'));
    }
    pn_lua_workload_free(jobs);
}

static void every_model_has_its_jobs(void **state)
{
    static const char *const texts[] = {
        "return { name = 'x', model = 'tandem', generate = function(g)\n"
        "g:job { gap = 1.5, map = 2, shuffle = 3, estimate_map = 0 } end }",
        "return { name = 'x', model = 'makespan', ticks = 10, generate = function(g)\n"
        "g:job { maps = { 1, 1, 2.5 }, reduces = { count = 4, duration = 0.1 }, map_slots = 2 }"
        "end }",
        "return { name = 'x', model = 'cluster', generate = function(g)\n"
        "g:job { submit = 1.2, maps = 2, map_times = { 5, 6 }, deadline = 9 } end }"};
    pn_lua_workload *jobs = load(texts[0], NULL);
    pn_slotted_job slotted;
    pn_tandem_job tandem;
    pn_makespan_job makespan;
    pn_cluster_job cluster;
    (void)state;
    assert_int_equal(pn_lua_workload_next_tandem(jobs, &tandem), PN_ERR_ARGUMENT); /* no start */
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &slotted), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_next_tandem(jobs, &tandem), 1);
    assert_true(tandem.arrival == 1.5 && tandem.map == 2.0 && tandem.shuffle == 3.0);
    assert_true(tandem.estimate_map == PN_TANDEM_ESTIMATE_ZERO && tandem.estimate_shuffle == 0.0);
    assert_true(pn_lua_workload_gaps(jobs) && pn_lua_workload_estimates(jobs));
    pn_lua_workload_free(jobs);
    jobs = load(texts[1], NULL);
    assert_int_equal(pn_lua_workload_ticks(jobs), 10);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_next_makespan(jobs, &makespan), 1);
    assert_int_equal(makespan.stage[0].stretch_count, 2);
    assert_int_equal(makespan.stage[0].stretches[0].count, 2);
    assert_int_equal(makespan.stage[0].stretches[1].duration, 25);
    assert_int_equal(makespan.stage[0].requested, 2);
    assert_int_equal(makespan.stage[1].stretches[0].count, 4);
    assert_int_equal(makespan.stage[1].stretches[0].duration, 1);
    pn_lua_workload_free(jobs);
    jobs = load(texts[2], NULL);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_next_cluster(jobs, &cluster), 1);
    assert_int_equal(cluster.submit, 2);
    assert_int_equal(cluster.map_times[1], 6);
    assert_int_equal(cluster.deadline, 9);
    pn_lua_workload_free(jobs);
}

/* Its lists are the workload's until the next job. */
static void jobs_have_stages(void **state)
{
    static const char text[] =
        "return { name = 'x', model = 'dag', queues = { 'prod', 'dev' }, generate = function(g)\n"
        "g:job { arrival = 1.2, queue = 'dev', deadline = 9, stages = {\n"
        "  { tasks = 2, duration = 5, demand = { 1, 2 }, estimate = 4 },\n"
        "  { durations = { 7, 8, 9 }, demand = { 3, 0 }, parents = { 0, 2 }, start_ms = 6 },\n"
        "  { tasks = 1, duration = 0, demand = { 0, 1 } } } } end }";
    pn_lua_workload *jobs = load(text, NULL);
    pn_dag_job job;
    uint32_t count;
    (void)state;
    assert_string_equal(pn_lua_workload_queues(jobs, &count)[1], "dev");
    assert_int_equal(count, 2);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_resources(jobs), 2);
    assert_int_equal(pn_lua_workload_next_dag(jobs, &job), 1);
    assert_true(job.arrival == 2 && job.queue == 1 && job.deadline == 9 && job.weight == 1);
    assert_true(job.stage_count == 3 && job.stages[0].tasks == 2 && job.stages[0].duration == 5);
    assert_true(job.stages[0].demand[1] == 2 && job.stages[0].estimate == 4 &&
                job.stages[0].start_ms == PN_DAG_AUTO && !job.stages[0].durations);
    assert_true(job.stages[1].tasks == 3 && job.stages[1].durations[2] == 9 &&
                job.stages[1].start_ms == 6 && job.stages[1].estimate == 0);
    assert_true(job.stages[1].parent_count == 2 && job.stages[1].parents[1] == 2);
    assert_true(job.stages[2].parent_count == 0 && job.stages[2].demand[0] == 0);
    assert_int_equal(pn_lua_workload_next_dag(jobs, &job), 0);
    pn_lua_workload_free(jobs);
}

/* Its first comment, or what it says, cut before a character that does not fit. */
static void a_workload_has_a_summary(void **state)
{
    static const struct {
        const char *head, *said, *summary;
    } cases[] = {{"-- An idea.\n", "", "An idea"},
                 {"#!/usr/bin/pinion\n--- An idea. . \r\n-- More.\n", "", "An idea"},
                 {"--\n", "", ""},
                 {"", "", ""},
                 {"-- An idea.\n", "summary = 'Another\\tone', ", "Another one"},
                 {"", "summary = ('é'):rep(100),", NULL},
                 {"", "summary = ('\\x80'):rep(200),", ""}};
    char text[300], whole[130] = "";
    (void)state;
    for (int i = 0; i < 63; i++)
        strcat(whole, "é");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s%s generate = function() end }", cases[i].head, HEAD,
                 cases[i].said);
        pn_lua_workload *jobs = load(text, NULL);
        assert_string_equal(pn_lua_workload_summary(jobs),
                            cases[i].summary ? cases[i].summary : whole);
        pn_lua_workload_free(jobs);
    }
}

static void jobs_may_be_passed_over(void **state)
{
    pn_lua_workload *jobs = load(steady, NULL);
    pn_slotted_job job;
    (void)state;
    assert_int_equal(pn_lua_workload_start(jobs, 7, 0), PN_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pn_lua_workload_next_slotted(jobs, NULL), 1);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
    assert_int_equal(job.reduces[0], 5);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 0);
    pn_lua_workload_free(jobs);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void a_failure_stays_until_the_next_start(void **state)
{
    static const char text[] = HEAD "params = { n = { default = 3 } }, generate = function(g)\n"
                                    "for i = 1, 5 do\n"
                                    "if i == g.params.n then error('enough') end\n"
                                    "g:job { arrival = i, maps = 1 } end end }";
    pn_lua_workload *jobs = load(text, NULL);
    pn_slotted_job job;
    (void)state;
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), PN_ERR_POLICY);
        assert_string_equal(pn_lua_workload_message(jobs), "mine.lua:3: job 3: enough");
    }
    assert_int_equal(pn_lua_workload_set(jobs, "n", 1), PN_OK);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_ERR_POLICY);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), PN_ERR_POLICY);
    assert_string_equal(pn_lua_workload_message(jobs), "mine.lua:3: job 1: enough");
    assert_int_equal(pn_lua_workload_set(jobs, "n", 9), PN_OK);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
    pn_lua_workload_free(jobs);
}

static void arguments_are_checked(void **state)
{
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_workload *jobs = (pn_lua_workload *)(void *)message;
    (void)state;
    assert_int_equal(pn_lua_workload_load(NULL, "x", "", 0, NULL, NULL, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_load(&jobs, "x", NULL, 1, NULL, NULL, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_load(&jobs, NULL, "", 0, NULL, NULL, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_load(&jobs, "x", "", 0, NULL, message, sizeof message),
                     PN_ERR_POLICY);
    assert_null(jobs);
    assert_string_equal(message, "x: returned nothing (expected a table)");
    assert_int_equal(pn_lua_workload_load(&jobs, "a\nb\x7f", NULL, 0, NULL, message, 0),
                     PN_ERR_POLICY);
    assert_string_equal(message, "x: returned nothing (expected a table)"); /* as it was */
    assert_int_equal(
        pn_lua_workload_load(&jobs, "a\nb\x7f", NULL, 0, NULL, message, sizeof message),
        PN_ERR_POLICY);
    assert_string_equal(message, "a?b?: returned nothing (expected a table)");
    assert_int_equal(pn_lua_workload_start(NULL, 1, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_workload_next_slotted(NULL, NULL), PN_ERR_ARGUMENT);
    pn_lua_workload_free(NULL);
}

static void keep_line(void *user, const char *line)
{
    char *kept = user;
    assert_true(strlen(kept) + strlen(line) + 2 < 200);
    strcat(strcat(kept, line), "\n");
}

/* What a script prints while it makes jobs says which one it is about. */
static void lines_name_the_job(void **state)
{
    static const char text[] = "print('loading')\n" HEAD
                               "generate = function(g)\ng:job { arrival = 1, maps = 1 }\n"
                               "print('on')\ng:job { arrival = 1, maps = 1 } end }";
    char lines[200] = "";
    pn_lua_options options = pn_lua_defaults();
    pn_lua_workload *jobs;
    (void)state;
    options.print = keep_line;
    options.user = lines;
    jobs = load(text, &options);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, NULL), 1);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, NULL), 1);
    assert_string_equal(lines, "mine.lua:1: loading\nmine.lua:4: job 2: on\n");
    pn_lua_workload_free(jobs);
}

static void an_interrupt_ends_a_call(void **state)
{
    static const char text[] = HEAD "generate = function(g)\ng:job { arrival = 1, maps = 1 }\n"
                                    "while true do end end }";
    pn_slotted_job job;
    pn_lua_options options = pn_lua_defaults();
    pn_lua_workload *jobs;
    (void)state;
    options.budget = 0;
    jobs = load(text, &options);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_OK);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), 1);
    pn_lua_workload_interrupt(jobs);
    assert_int_equal(pn_lua_workload_next_slotted(jobs, &job), PN_ERR_POLICY);
    assert_true(pn_lua_workload_interrupted(jobs));
    check_text(pn_lua_workload_message(jobs), ": job 2: interrupted");
    pn_lua_workload_free(jobs);
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct failing_heap {
    long calls, fail_from; /* the first allocation that fails, as do all after it; 0: none */
    long live;             /* blocks that are not freed */
    long loaded, started;  /* calls at the end of the load and of the start */
    size_t bytes, most;
} failing_heap;

static void *allocate(void *user, void *block, size_t old_size, size_t new_size)
{
    failing_heap *heap = user;
    void *moved;
    if (new_size > 0 && (new_size > old_size || !block) && ++heap->calls >= heap->fail_from &&
        heap->fail_from > 0)
        return NULL;
    if (new_size == 0) {
        heap->live -= block != NULL;
        heap->bytes -= block ? old_size : 0;
        free(block);
        return NULL;
    }
    moved = realloc(block, new_size);
    assert_non_null(moved);
    heap->live += block == NULL;
    heap->bytes += new_size - (block ? old_size : 0);
    heap->most = heap->bytes > heap->most ? heap->bytes : heap->most;
    return moved;
}

/* One whole life of a workload: whether all of it is done, or the failure's status. */
static int live(failing_heap *heap, const char *text)
{
    pn_lua_options options = pn_lua_defaults();
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_workload *jobs;
    int status;
    options.allocate = allocate;
    options.user = heap;
    status = pn_lua_workload_load(&jobs, "mine.lua", text, strlen(text), &options, message,
                                  sizeof message);
    if (status == PN_OK) {
        heap->loaded = heap->calls;
        status = pn_lua_workload_start(jobs, 7, 0);
        heap->started = heap->calls;
        while (status >= 0 && (status = pn_lua_workload_next_slotted(jobs, NULL)) == 1) {
        }
        pn_lua_workload_free(jobs);
    }
    assert_int_equal(heap->live, 0);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    long refused = 0;
    int done = 0;
    (void)state;
    for (long from = 1; !done; from += 1 + from / 64) {
        failing_heap heap = {.fail_from = from};
        refused += live(&heap, steady) < 0;
        done = heap.calls < from; /* nothing was left to fail */
    }
    assert_true(refused > 100);
    /* a start that collects the names of groups, allocation by allocation */
    failing_heap whole = {.fail_from = 0};
    assert_int_equal(live(&whole, found), 0);
    assert_true(whole.started > whole.loaded + 20);
    for (long from = whole.loaded + 1; from <= whole.started; from++) {
        failing_heap heap = {.fail_from = from};
        assert_int_equal(live(&heap, found), PN_ERR_POLICY);
    }
}

/* 10^5 jobs need what 10^3 need. */
static void memory_does_not_grow_with_jobs(void **state)
{
    size_t most[2];
    pn_lua_options options = pn_lua_defaults();
    (void)state;
    options.allocate = allocate;
    for (int i = 0; i < 2; i++) {
        failing_heap heap = {.calls = 0};
        uint64_t count;
        options.user = &heap;
        pn_lua_workload *jobs = load(steady, &options);
        pn_lua_workload_set(jobs, "n", i == 0 ? 1000 : 100000);
        digest_of(jobs, 1, 0, &count);
        assert_int_equal(count, i == 0 ? 1000 : 100000);
        pn_lua_workload_free(jobs);
        most[i] = heap.most;
    }
    assert_true(most[1] <= most[0] + most[0] / 4);
}

/* Texts of distributions have lists beside the state, which the ceiling covers all the same. */
static void texts_meet_the_ceiling(void **state)
{
    static const char text[] = HEAD
        "generate = function(g)\n"
        "local list, keep = {}, {}\n"
        "for i = 1, 1000 do list[i] = i % 10 end\n"
        "for i = 1, 1000000 do list[1] = i\n"
        "g:real('empirical(' .. table.concat(list, ',') .. ')')\n"
        "keep[#keep + 1] = g:arrivals('rates(0:1;' .. i .. ':2)') end end }";
    pn_lua_options options = pn_lua_defaults();
    pn_lua_workload *jobs;
    (void)state;
    options.memory = (size_t)4 << 20;
    options.budget = 0;
    jobs = load(text, &options);
    assert_int_equal(pn_lua_workload_start(jobs, 1, 0), PN_ERR_POLICY);
    check_text(pn_lua_workload_message(jobs), "needs more than 4 MiB of memory");
    pn_lua_workload_free(jobs);
}

/* ---- the escape corpus ----------------------------------------------------------------------- */

typedef struct escape {
    char text[65536], wrapped[70000], expected[256];
} escape;

static void read_escape(escape *e, const char *name)
{
    static const char expect[] = "-- expect: ";
    FILE *file = fopen(name, "rb");
    size_t size;
    assert_non_null(file);
    size = fread(e->text, 1, sizeof e->text - 1, file);
    assert_true(feof(file));
    fclose(file);
    e->text[size] = '\0';
    if (strlen(e->text) != size || strncmp(e->text, "-- expect", 9) != 0)
        size = 0; /* bytes that no string of C holds */
    e->text[size] = '\0';
    e->expected[0] = '\0';
    if (strncmp(e->text, expect, sizeof expect - 1) == 0)
        snprintf(e->expected, sizeof e->expected, "%.*s",
                 (int)strcspn(e->text + sizeof expect - 1, "\n"), e->text + sizeof expect - 1);
}

/* The file's table, which a workload around it has for its own: its function is called for every
 * job. Lines keep their numbers. */
static void wrap(escape *e)
{
    int size = snprintf(e->wrapped, sizeof e->wrapped,
                        "local function file(...) %s\nend local all = file()\n"
                        "return { name = 'x', model = 'slotted', generate = function(g)\n"
                        "for i = 1, 3 do all.run() g:job { arrival = i, maps = 1 } end end }\n",
                        strchr(e->text, '\n'));
    assert_in_range(size, 1, sizeof e->wrapped - 1);
}

static void print_nowhere(void *user, const char *line)
{
    (void)user;
    (void)line;
}

/* The message of the failure, or "". */
static void run_escape(escape *e, char message[PN_LUA_MESSAGE_SIZE])
{
    pn_lua_options options = pn_lua_defaults();
    pn_lua_workload *jobs;
    pn_slotted_job job;
    options.budget = 200000;
    options.memory = (size_t)8 << 20;
    options.print = print_nowhere;
    message[0] = '\0';
    if (pn_lua_workload_load(&jobs, "mine.lua", e->wrapped, strlen(e->wrapped), &options, message,
                             PN_LUA_MESSAGE_SIZE) != PN_OK) {
        assert_true(message[0] != '\0');
        return;
    }
    int status = pn_lua_workload_start(jobs, 1, 0);
    while (status >= 0 && (status = pn_lua_workload_next_slotted(jobs, &job)) == 1) {
    }
    strcpy(message, pn_lua_workload_message(jobs));
    assert_int_equal(status < 0, message[0] != '\0');
    pn_lua_workload_free(jobs);
}

/* What a policy may not do, a workload may not do either. The words differ; some tricks need to be
 * the whole file. */
static void no_trick_gets_out_of_a_workload(void **state)
{
    static escape e;
    DIR *directory = opendir("tests/escape");
    unsigned files = 0, silent = 0;
    (void)state;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char name[512], message[PN_LUA_MESSAGE_SIZE];
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".lua") != 0)
            continue;
        snprintf(name, sizeof name, "tests/escape/%s", entry->d_name);
        read_escape(&e, name);
        if (e.text[0] == '\0')
            continue;
        wrap(&e);
        run_escape(&e, message);
        files++;
        if (e.expected[0] && message[0] == '\0') {
            print_error("%s: no message instead of '%s'\n", name, e.expected);
            silent++;
        }
    }
    closedir(directory);
    assert_true(files >= 200);
    assert_int_equal(silent, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_follow_from_seed_and_replica),
        cmocka_unit_test(a_start_in_the_middle_begins_anew),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(groups_and_attributes_have_names),
        cmocka_unit_test(every_model_has_its_jobs),
        cmocka_unit_test(jobs_have_stages),
        cmocka_unit_test(a_workload_has_a_summary),
        cmocka_unit_test(jobs_may_be_passed_over),
        cmocka_unit_test(a_failure_stays_until_the_next_start),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(lines_name_the_job),
        cmocka_unit_test(an_interrupt_ends_a_call),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(memory_does_not_grow_with_jobs),
        cmocka_unit_test(texts_meet_the_ceiling),
        cmocka_unit_test(no_trick_gets_out_of_a_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
