/* Input logs of random scenarios of the cluster and the dag model, under every built-in policy and
 * every policy in Lua: what the core was told replays to the same decisions and the same digest. A
 * log that was cut off anywhere replays as far as it goes, one with any byte changed is refused.
 *
 *   random_replays [SECONDS [COUNT [SEED]]]     see random.h */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lualib.h>

#include "cluster/state.h"
#include "core/embedded.h"
#include "core/binding.h"
#include "dag/state.h"
#include "pinion/models/cluster/run/log.h"
#include "cluster/support/instance.h"
#include "cluster/support/pairs.h"
#include "dag/support/instance.h"
#include "dag/support/pairs.h"
#include "support/random.h"

/* A log as it is written. */
typedef struct record {
    char *text;
    size_t size, room;
    uint64_t check;
    unsigned long events, answers;
    const char *lua; /* the text of the policy; null: it is built in */
    size_t lua_size;
} record;

enum { PATH_SIZE = 4096 };

typedef struct counts {
    unsigned long instances, runs, events, answers, cut, changed, edited;
} counts;

static struct {
    lua_State *L;
    char inputs[PATH_SIZE], decisions[PATH_SIZE], own[PATH_SIZE];
    counts done;
    pairs clusters, dags;
} all;

/* ---- writing --------------------------------------------------------------------------------- */

typedef size_t line_of(const void *from, uint64_t *check, char *line, size_t size);

/* With no room at first, as a host may begin. */
static void add_line(record *to, line_of *line, const void *from)
{
    uint64_t before = to->check;
    size_t size = line(from, &to->check, to->text + to->size, to->room - to->size);
    if (size > to->room - to->size) {
        if (to->check != before)
            abort();
        to->room = 2 * to->room + size;
        to->text = realloc(to->text, to->room);
        if (!to->text || line(from, &to->check, to->text + to->size, to->room - to->size) != size)
            abort();
    }
    if (size == 0 || strlen(to->text + to->size) != size - 1)
        abort();
    to->size += size - 1;
}

static void clear(record *to, const char *lua, size_t lua_size)
{
    to->size = to->check = to->events = to->answers = 0;
    to->lua = lua;
    to->lua_size = lua_size;
}

static size_t scheduler_line(const void *from, uint64_t *check, char *line, size_t size)
{
    return pn_scheduler_input_line(from, check, line, size);
}

static size_t dispatch_line(const void *from, uint64_t *check, char *line, size_t size)
{
    return pn_dispatch_input_line(from, check, line, size);
}

static uint32_t no_progress(void *user, const pn_scheduler_task *task)
{
    (void)user, (void)task;
    return 0;
}

static int no_fetch(void *user, const pn_scheduler_task *task)
{
    (void)user, (void)task;
    return 0;
}

static void no_suspension(void *user, const pn_scheduler_task *task)
{
    (void)user, (void)task;
}

typedef struct scheduler_head {
    pn_scheduler_config config;
    pn_scheduler_hooks hooks;
    pn_input_about about;
} scheduler_head;

static size_t scheduler_head_line(const void *from, uint64_t *check, char *line, size_t size)
{
    const scheduler_head *it = from;
    return pn_scheduler_input_head(&it->config, &it->hooks, &it->about, check, line, size);
}

static void begin_cluster(void *user, const pn_cluster_config *config,
                          const pn_scheduler_policy *policy, const double *params)
{
    record *to = user;
    const scheduler_head head = {.config = pn_cluster_core_config(config),
                                 .hooks = {.policy = policy,
                                           .params = params,
                                           .progress = no_progress,
                                           .fetched = no_fetch,
                                           .suspend = no_suspension},
                                 .about = {.text = to->lua, .text_size = to->lua_size}};
    add_line(to, scheduler_head_line, &head);
}

static void hear_cluster(void *user, const pn_scheduler_input *input)
{
    record *to = user;
    if (input->kind == PN_SCHEDULER_IN_PROGRESS || input->kind == PN_SCHEDULER_IN_FETCHED)
        to->answers++;
    else
        to->events++;
    add_line(to, scheduler_line, input);
}

typedef struct dispatch_head {
    pn_dispatch_config config;
    pn_dispatch_hooks hooks;
    pn_input_about about;
} dispatch_head;

static size_t dispatch_head_line(const void *from, uint64_t *check, char *line, size_t size)
{
    const dispatch_head *it = from;
    return pn_dispatch_input_head(&it->config, &it->hooks, &it->about, check, line, size);
}

static void begin_dag(void *user, const pn_dag_config *config, const pn_dispatch_policy *policy,
                      const double *params)
{
    static const char *const resources[] = {"cpu", "\"memory\"", "disk\\", "net"};
    record *to = user;
    const dispatch_head head = {
        .config = pn_dag_core_config(config),
        .hooks = {.policy = policy, .params = params},
        .about = {.text = to->lua, .text_size = to->lua_size, .resources = resources}};
    add_line(to, dispatch_head_line, &head);
}

static void hear_dag(void *user, const pn_dispatch_input *input)
{
    record *to = user;
    to->events++;
    add_line(to, dispatch_line, input);
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0)
        abort();
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Calls replay.run(inputs, { policy, log }): 1 with its table on the stack, 0 with a message. */
static int replay(const char *policy, int logs)
{
    lua_State *L = all.L;
    lua_settop(L, 1);
    lua_getfield(L, 1, "run");
    lua_pushstring(L, all.inputs);
    lua_newtable(L);
    if (policy) {
        lua_pushstring(L, policy);
        lua_setfield(L, -2, "policy");
    }
    if (logs) {
        lua_pushstring(L, all.own);
        lua_setfield(L, -2, "log");
    }
    if (lua_pcall(L, 2, 1, 0) == LUA_OK)
        return 1;
    luaL_tolstring(L, -1, NULL);
    return 0;
}

static int fail(const char *policy, const char *what)
{
    printf("\nFAILED: %s: %s\n", policy, what);
    return 0;
}

static int fail_with(const char *policy, const char *what)
{
    printf("\nFAILED: %s: %s: %s\n", policy, what, lua_tostring(all.L, -1));
    return 0;
}

static lua_Integer number_of(const char *name)
{
    lua_Integer number;
    lua_getfield(all.L, 2, name);
    number = lua_isboolean(all.L, -1) ? lua_toboolean(all.L, -1) : lua_tointeger(all.L, -1);
    lua_pop(all.L, 1);
    return number;
}

static int has_digest(uint64_t digest)
{
    char text[DIGEST_SIZE];
    int same;
    format_digest(text, digest);
    lua_getfield(all.L, 2, "digest");
    same = strcmp(text, lua_tostring(all.L, -1)) == 0;
    lua_pop(all.L, 1);
    return same;
}

/* replay.compare of the decisions that the run wrote. */
static int same_decisions(void)
{
    lua_State *L = all.L;
    lua_getfield(L, 1, "compare");
    lua_pushstring(L, all.decisions);
    lua_pushstring(L, all.own);
    lua_pushvalue(L, 2);
    if (lua_pcall(L, 3, 0, 0) == LUA_OK)
        return 1;
    luaL_tolstring(L, -1, NULL);
    return 0;
}

/* The log as somebody who edits it has to make it. */
static size_t without_checks(const record *of, char *text)
{
    static const char check[] = ",\"check\":\"";
    size_t used = 0;
    for (size_t i = 0; i < of->size;) {
        if (strncmp(of->text + i, check, sizeof check - 1) == 0) {
            i += sizeof check + 8; /* with its digits and a quote */
            continue;
        }
        text[used++] = of->text[i++];
    }
    return used;
}

/* Without checks a changed byte is refused, or changes no decision. */
static int check_edited(const record *of, const char *policy, const char *file, pn_stream *stream,
                        uint64_t digest)
{
    char *text = malloc(of->size);
    if (!text)
        abort();
    size_t size = without_checks(of, text);
    write_file(all.inputs, text, size);
    int good = (replay(file, 0) && has_digest(digest)) || fail_with(policy, "without checks");
    for (int i = 0; i < 3 && good; i++) {
        size_t at = (size_t)pn_uniform(stream, 0, size - 2);
        char was = text[at];
        text[at] = (char)(was ^ (1 << pn_uniform(stream, 0, 6)));
        write_file(all.inputs, text, size);
        text[at] = was;
        int taken = replay(file, 0);
        all.done.edited += !taken;
        good = !taken || has_digest(digest) || fail(policy, "an edited log has another digest");
    }
    free(text);
    return good;
}

/* Behind any byte the log is a shorter one; and no byte can be another one. */
static int check_damage(record *of, const char *policy, const char *file, pn_stream *stream,
                        lua_Integer events)
{
    size_t head = (size_t)(strchr(of->text, '\n') - of->text) + 1;
    size_t cut = (size_t)pn_uniform(stream, head, of->size);
    write_file(all.inputs, of->text, cut);
    if (!replay(file, 0))
        return fail_with(policy, "cut off");
    if (number_of("events") > events || (cut < of->size && number_of("ended")))
        return fail(policy, "a log that was cut off has more in it");
    size_t at = (size_t)pn_uniform(stream, 0, of->size - 1);
    char was = of->text[at];
    of->text[at] = (char)(was ^ (1 << pn_uniform(stream, 0, 6)));
    write_file(all.inputs, of->text, of->size);
    of->text[at] = was;
    /* Without the end of its last line nothing is cut off but the end. */
    if (replay(file, 0) && at + 1 < of->size)
        return fail(policy, "a changed log is not refused");
    all.done.cut++;
    all.done.changed++;
    return 1;
}

static int check_log(record *of, const char *policy, const char *file, uint64_t digest,
                     size_t decisions)
{
    write_file(all.inputs, of->text, of->size);
    if (!replay(file, 1))
        return fail_with(policy, "the replay");
    if (number_of("events") != (lua_Integer)of->events || !number_of("ended"))
        return fail(policy, "the replay has other events");
    if (!has_digest(digest))
        return fail(policy, "the replay has another digest");
    if (number_of("decisions") != (lua_Integer)decisions)
        return fail(policy, "the replay has other decisions");
    all.done.runs++;
    all.done.events += of->events;
    all.done.answers += of->answers;
    return 1;
}

/* ---- the cluster model ----------------------------------------------------------------------- */

static void write_decisions(const cluster_outcome *out, const char *policy)
{
    FILE *file = fopen(all.decisions, "wb");
    run_log log = {.file = file};
    if (!file)
        abort();
    fprintf(file, "{\"pinion_log\":1,\"model\":\"cluster\",\"policy\":\"%s\"}\n", policy);
    for (size_t i = 0; i < out->result.event_count; i++)
        cluster_log_event(&log, &out->result.events[i]);
    const pn_scheduler_totals *totals = &out->result.totals;
    cluster_log_end(&log, &(cluster_log_last){.end = totals->last_finish,
                                              .unfinished = totals->in_system,
                                              .until = PN_SCHEDULER_NEVER,
                                              .digest = out->result.digest});
    if (fclose(file) != 0)
        abort();
}

static int check_cluster(record *log, const cluster_instance *run, cluster_manner how,
                         const char *policy, const char *file, pn_stream *stream)
{
    const cluster_listener listener = {begin_cluster, hear_cluster, log};
    cluster_outcome out;
    how.listener = &listener;
    how.unchecked = true;
    how.one_by_one = pn_uniform(stream, 0, 1);
    how.move_every = (uint32_t)pn_uniform(stream, 0, 9);
    cluster_instance_run(run, how, &out);
    int good = out.status == PN_DONE || fail(policy, pn_status_name(out.status));
    const pn_scheduler_input end = {
        .kind = PN_SCHEDULER_IN_END, .now = out.result.totals.time, .digest = out.result.digest};
    add_line(log, scheduler_line, &end);
    write_decisions(&out, policy);
    good = good && check_log(log, policy, file, out.result.digest, out.result.event_count) &&
           (same_decisions() || fail_with(policy, "decisions")) &&
           check_damage(log, policy, file, stream, (lua_Integer)log->events) &&
           check_edited(log, policy, file, stream, out.result.digest);
    naive_cluster_free(&out.result);
    return good;
}

static int check_clusters(pn_stream *stream, uint32_t jobs_most)
{
    static cluster_instance run;
    static record log;
    int good = 1;
    cluster_instance_draw(&run, stream, jobs_most);
    for (size_t i = 0; good && pn_scheduler_policy_at(i); i++) {
        const char *name = pn_scheduler_policy_at(i)->name;
        cluster_instance_choose(&run, stream, name);
        run.scenario.copies = false; /* a policy that the test makes */
        clear(&log, NULL, 0);
        good = check_cluster(&log, &run, (cluster_manner){0}, name, NULL, stream);
    }
    for (int i = 0; good && i < all.clusters.count; i++) {
        const pair *of = &all.clusters.list[i];
        pn_lua_policy *script = pair_load(of, NULL);
        const pn_scheduler_policy *policy = pn_lua_policy_cluster(script), *native = of->native;
        pair_params params;
        pair_draw(of, script, stream, cluster_pairs_draw, &params);
        cluster_instance_choose(&run, stream, native->name);
        run.scenario.copies = false;
        clear(&log, of->text, of->size);
        good = check_cluster(&log, &run,
                             (cluster_manner){.policy = policy, .params = params.script},
                             policy->name, of->path, stream);
        pn_lua_policy_free(script);
    }
    if (!good)
        cluster_instance_print(&run);
    return good;
}

/* ---- the dag model --------------------------------------------------------------------------- */

static int check_dag(record *log, const naive_dag_scenario *run, dag_manner how, const char *policy,
                     const char *file, pn_stream *stream)
{
    const dag_listener listener = {begin_dag, hear_dag, log};
    naive_dag_result ids; /* of jobs and queues, which the naive model gives */
    dag_outcome out;
    how.listener = &listener;
    how.unchecked = true;
    how.one_by_one = pn_uniform(stream, 0, 1);
    how.move_every = (uint32_t)pn_uniform(stream, 0, 9);
    naive_dag_run(run, &ids);
    dag_instance_run(run, &ids, how, &out);
    int good = out.status == PN_DONE || fail(policy, pn_status_name(out.status));
    const pn_dispatch_input end = {.kind = PN_DISPATCH_IN_END, .digest = out.digest};
    add_line(log, dispatch_line, &end);
    good = good && check_log(log, policy, file, out.digest, out.result.event_count) &&
           check_damage(log, policy, file, stream, (lua_Integer)log->events) &&
           check_edited(log, policy, file, stream, out.digest);
    naive_dag_free(&ids);
    naive_dag_free(&out.result);
    return good;
}

static int check_dags(pn_stream *stream, uint32_t jobs_most)
{
    static dag_instance run;
    static record log;
    int good = 1;
    dag_instance_draw(&run, stream, jobs_most);
    if (naive_dag_too_large(&run.scenario) != run.scenario.job_count)
        return 1;
    for (size_t i = 0; good && pn_dispatch_policy_at(i); i++) {
        run.scenario.policy = pn_dispatch_policy_at(i)->name;
        clear(&log, NULL, 0);
        good = check_dag(&log, &run.scenario, (dag_manner){0}, run.scenario.policy, NULL, stream);
    }
    for (int i = 0; good && i < all.dags.count; i++) {
        const pair *of = &all.dags.list[i];
        pn_lua_policy *script = pair_load(of, NULL);
        const pn_dispatch_policy *policy = pn_lua_policy_dag(script), *native = of->native;
        pair_params params;
        pair_draw(of, script, stream, dag_pairs_draw, &params);
        run.scenario.policy = pn_dispatch_policy_find(native->name) == native ? native->name
                                                                              : "fifo";
        clear(&log, of->text, of->size);
        good = check_dag(&log, &run.scenario,
                         (dag_manner){.policy = policy, .params = params.script}, policy->name,
                         of->path, stream);
        pn_lua_policy_free(script);
    }
    if (!good)
        dag_instance_print(&run.scenario);
    return good;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool check_instance(void *user, uint64_t seed, uint32_t number)
{
    static const uint32_t jobs_most[] = {2, 4, 7, DAG_JOBS};
    pn_stream stream;
    (void)user;
    pn_stream_init(&stream, seed, number, 6);
    bool good = check_clusters(&stream, jobs_most[number % 4]) &&
                check_dags(&stream, jobs_most[number % 4]);
    all.done.instances++;
    return good;
}

/* The library's module of replays, at index 1. */
static int open_library(lua_State *L)
{
    luaL_openlibs(L);
    preload_modules(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "pinion.run.replay");
    lua_call(L, 1, 1);
    return 1;
}

static void name_file(char path[PATH_SIZE])
{
    const char *folder = getenv("TMPDIR");
    int length = snprintf(path, PATH_SIZE, "%s/replaysXXXXXX", folder && *folder ? folder : "/tmp");
    int file = length < PATH_SIZE ? mkstemp(path) : -1;
    if (file < 0 || close(file) != 0)
        abort();
}

int main(int argc, char **argv)
{
    random_plan plan = random_read(argc, argv);
    all.L = luaL_newstate();
    lua_pushcfunction(all.L, open_library);
    if (lua_pcall(all.L, 0, 1, 0) != LUA_OK) {
        printf("\nFAILED: %s\n", lua_tostring(all.L, -1));
        return 1;
    }
    name_file(all.inputs);
    name_file(all.decisions);
    name_file(all.own);
    cluster_pairs_read(&all.clusters);
    dag_pairs_read(&all.dags);
    bool good = random_run(&plan, check_instance, NULL);
    remove(all.inputs);
    remove(all.decisions);
    remove(all.own);
    pairs_free(&all.clusters);
    pairs_free(&all.dags);
    lua_close(all.L);
    if (good)
        printf("random_replays: seed %llu: %lu instances, %lu input logs of %lu events and %lu "
               "answers replay, %lu also when cut off, %lu changed ones are refused, and %lu "
               "without checks\n",
               (unsigned long long)plan.seed, all.done.instances, all.done.runs, all.done.events,
               all.done.answers, all.done.cut, all.done.changed, all.done.edited);
    return good ? 0 : 1;
}
