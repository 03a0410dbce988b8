/* The loop of runs, by the slotted model: sources that stop, checkpoints that contradict themselves
 * or the run, logs that cannot be written, room that is too small, and models that end or fail. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/interrupt.h"
#include "pinion/models/slotted/run/run.h"
#include "pinion_lua.h"
#include "support/store_folder.h"

static char folder[FOLDER_PATH_SIZE];

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Jobs of one map unit in the slots 1, 2, …, which have weights if asked for. In reading `reading`,
 * from 1, the source has no job behind the first `stop` but this answer. */
typedef struct listed {
    slotted_source head;
    uint64_t jobs, made, stop, units;
    int answer, reading, readings;
    double weight, every_weight;
} listed;

static int listed_next(source *base, void *any)
{
    listed *self = (listed *)base;
    pn_slotted_job *job = any;
    if (self->readings == self->reading && self->made == self->stop) {
        strcpy(base->fault, self->answer == SOURCE_FAULT ? "the disk is gone" : "");
        return self->answer;
    }
    if (self->made == self->jobs)
        return SOURCE_END;
    self->weight = self->every_weight;
    *job = (pn_slotted_job){.arrival = ++self->made,
                            .maps = self->units,
                            .attributes = base->attribute_count > 0 ? &self->weight : NULL};
    return SOURCE_JOB;
}

static void listed_rewind(source *base)
{
    listed *self = (listed *)base;
    self->made = 0;
    self->readings++;
}

static listed listed_new(uint64_t jobs, uint64_t units)
{
    return (listed){.head.base = {.model = SOURCE_SLOTTED,
                                  .next = listed_next,
                                  .rewind = listed_rewind,
                                  .count = SOURCE_UNKNOWN},
                    .jobs = jobs,
                    .units = units};
}

static listed stopping(int reading, uint64_t stop, int answer)
{
    listed made = listed_new(10, 2);
    made.reading = reading;
    made.stop = stop;
    made.answer = answer;
    return made;
}

static void give_weight(listed *self, double weight)
{
    static const char *const names[] = {"weight"};
    self->head.base.attribute_names = names;
    self->head.base.attribute_count = 1;
    self->every_weight = weight;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static slotted_run the_run;

/* A run of fifo on two machines; the same memory each time. */
static run_base *new_run(const run_model *model, listed *work)
{
    run_base *run = &the_run.run;
    memset(&the_run, 0, sizeof the_run);
    run_make(run, model);
    the_run.config = pn_slotted_defaults();
    the_run.config.machines = 2;
    the_run.config.attributes = work->head.base.attribute_count;
    the_run.policy = pn_slotted_fifo();
    run->work = &work->head.base;
    run->label = "fifo";
    run->quiet = 1;
    return run;
}

static void check_run(run_base *run, enum run_outcome outcome, const char *message)
{
    assert_int_equal(run_go(run), outcome);
    assert_string_equal(run->message, message);
}

static char *path_of(const char *name)
{
    static char paths[4][FOLDER_PATH_SIZE + 300];
    static int next;
    return strcpy(paths[next++ % 4], folder_path(folder, name));
}

static void keep_checkpoints(run_base *run, const char *path)
{
    run->checkpoint.path = path;
    run->checkpoint.about = "\"x\":1";
    run->every = 1000.0;
}

/* The text of a file; empty: there is none. */
static const char *text_of(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* ---- sources that stop ----------------------------------------------------------------------- */

static void test_stopped_sources(void **state)
{
    static const struct {
        int answer, interrupted;
        enum run_outcome outcome;
        const char *message;
    } cases[] = {{SOURCE_FAULT, 0, RUN_FAILED, "the disk is gone"},
                 {SOURCE_INTERRUPTED, 1, RUN_DONE, ""},
                 {SOURCE_END, 0, RUN_DONE, ""}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        listed work = stopping(1, 3, cases[i].answer);
        run_base *run = new_run(&slotted_model, &work);
        check_run(run, cases[i].outcome, cases[i].message);
        assert_int_equal(run->interrupted, cases[i].interrupted);
        assert_int_equal(run->state->fed, 3);
        assert_int_equal(run->all_done, cases[i].answer == SOURCE_END);
        run_free(run);
    }
}

/* A log begins with the hash of all jobs: there is none where these cannot be read, and no
 * checkpoint, which would count on it. One that was interrupted later has no last line. */
static void test_stopped_logs(void **state)
{
    listed work = stopping(1, 3, SOURCE_FAULT);
    run_base *run = new_run(&slotted_model, &work);
    (void)state;
    run->log_path = path_of("stopped.log");
    check_run(run, RUN_FAILED, "the disk is gone");
    run_free(run);
    work = stopping(1, 3, SOURCE_INTERRUPTED);
    run = new_run(&slotted_model, &work);
    run->log_path = path_of("stopped.log");
    keep_checkpoints(run, path_of("stopped.state"));
    check_run(run, RUN_DONE, "");
    assert_int_equal(run->state->fed, 10);
    assert_int_equal(run->saved, 0);
    run_free(run);
    assert_string_equal(text_of(path_of("stopped.log")), "");
    assert_string_equal(text_of(path_of("stopped.state")), "");
    run_model telling = slotted_model;
    telling.logs_interrupted = 1; /* a last line that says how far it came */
    for (int i = 0; i < 3; i++) { /* in the run, and not at all */
        const char *log;
        work = stopping(i < 2 ? 2 : 3, 3, SOURCE_INTERRUPTED);
        run = new_run(i == 1 ? &telling : &slotted_model, &work);
        run->log_path = path_of("stopped.log");
        check_run(run, RUN_DONE, "");
        run_free(run);
        log = text_of(path_of("stopped.log"));
        assert_non_null(strstr(log, "{\"slot\":1,\"job\":1,\"map\":2}\n"));
        assert_int_equal(strstr(log, "{\"end\":") != NULL, i > 0);
    }
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

enum { FED = 5, BUCKETS = 20 };

/* Reads the checkpoint of a run that has had five jobs. */
static void read_checkpoint(checkpoint *from, rows *kept, uint32_t buckets)
{
    listed work = listed_new(10, 2);
    run_base *run = new_run(&slotted_model, &work);
    char message[CHECKPOINT_MESSAGE_SIZE];
    keep_checkpoints(run, path_of("state"));
    run->until = FED;
    run->rows = kept;
    run->timeline_buckets = buckets;
    check_run(run, RUN_DONE, "");
    assert_int_equal(run->saved, 1);
    run_free(run);
    assert_true(checkpoint_read(from, path_of("state"), message));
}

/* Resumes; what was not taken over is freed. */
static void check_resumed(run_base *run, checkpoint *from, enum run_outcome outcome,
                          const char *message)
{
    run->checkpoint.resume = from;
    check_run(run, outcome, message);
    run_free(run);
    checkpoint_free(from);
}

/* Jobs that were submitted before are read again. */
static void test_stopped_again(void **state)
{
    static const struct {
        int answer, interrupted;
        enum run_outcome outcome;
        const char *message;
    } cases[] = {
        {SOURCE_FAULT, 0, RUN_FAILED, "the disk is gone"},
        {SOURCE_INTERRUPTED, 1, RUN_DONE, ""},
        {SOURCE_END, 0, RUN_USAGE, "the workload ends after 3 jobs, the checkpoint has had 5"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        listed work = stopping(1, 3, cases[i].answer);
        checkpoint from;
        run_base *run;
        read_checkpoint(&from, NULL, 0);
        run = new_run(&slotted_model, &work);
        check_resumed(run, &from, cases[i].outcome, cases[i].message);
        assert_int_equal(run->interrupted, cases[i].interrupted);
    }
}

static slotted_run_state *state_in(checkpoint *from)
{
    return from->parts[CHECKPOINT_STATE];
}

static void too_many_fed(checkpoint *from)
{
    state_in(from)->shared.fed = PN_INTEGER_MAX + 1;
}

static void too_many_marks(checkpoint *from)
{
    state_in(from)->shared.marks.count = SOURCE_MARKS_MAX + 2;
}

static void more_seen_than_fed(checkpoint *from)
{
    state_in(from)->seen = FED + 1;
}

static void no_batches(checkpoint *from)
{
    memset(&state_in(from)->shared.in_system, 0xFF, sizeof state_in(from)->shared.in_system);
}

static void other_state(checkpoint *from)
{
    from->sizes[CHECKPOINT_STATE] -= 8;
}

static void rows_of_no_run(checkpoint *from)
{
    from->sizes[CHECKPOINT_ROWS] = 8;
}

static void other_block(checkpoint *from)
{
    from->sizes[CHECKPOINT_BLOCK] -= 8;
}

static void no_seal(checkpoint *from)
{
    from->sizes[CHECKPOINT_SEAL] = 0;
}

static void fewer_fed(checkpoint *from)
{
    state_in(from)->shared.fed = FED - 1;
}

/* Whatever a checkpoint with the right sum says, it must agree with itself and with the run. */
static void test_damaged_checkpoints(void **state)
{
    static const char contradicts[] =
        "the checkpoint is damaged: what it says of its run contradicts itself";
    static const struct {
        void (*damage)(checkpoint *from);
        const char *message;
    } cases[] = {{too_many_fed, contradicts},
                 {too_many_marks, contradicts},
                 {more_seen_than_fed, contradicts},
                 {no_batches, contradicts},
                 {other_state, "the checkpoint is one of another build of this program"},
                 {rows_of_no_run, "the checkpoint's rows are not those of its jobs"},
                 {no_seal, "the checkpoint is damaged: its block is not the one that was sealed"},
                 {fewer_fed,
                  "the checkpoint is damaged: its block contradicts itself or the run's settings"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        listed work = listed_new(10, 2);
        checkpoint from;
        read_checkpoint(&from, NULL, 0);
        cases[i].damage(&from);
        check_resumed(new_run(&slotted_model, &work), &from, RUN_USAGE, cases[i].message);
    }
}

/* A model that has nothing to check in its state takes over the same one. */
static void test_other_models(void **state)
{
    run_model model = slotted_model;
    listed work = listed_new(10, 2);
    checkpoint from;
    run_base *run;
    char message[200];
    (void)state;
    read_checkpoint(&from, NULL, 0);
    model.state_sound = NULL;
    more_seen_than_fed(&from);
    check_resumed(new_run(&model, &work), &from, RUN_DONE, "");
    read_checkpoint(&from, NULL, 0);
    snprintf(message, sizeof message,
             "the checkpoint's block has %zu bytes (expected %zu for this run)",
             from.sizes[CHECKPOINT_BLOCK] - 8, from.sizes[CHECKPOINT_BLOCK]);
    other_block(&from);
    check_resumed(new_run(&slotted_model, &work), &from, RUN_USAGE, message);
    read_checkpoint(&from, NULL, 0);
    run = new_run(&slotted_model, &work);
    the_run.config.seed = 9;
    check_resumed(run, &from, RUN_USAGE,
                  "the checkpoint is damaged: its block contradicts itself or the run's settings");
}

/* Rows with words may have no others. */
static void test_damaged_rows(void **state)
{
    static const char *const early[] = {"1", "2", "3", NULL};
    static const char *const *const words[] = {NULL, NULL, early, NULL};
    row_shape shape = slotted_rows;
    listed work = listed_new(10, 2);
    checkpoint from;
    run_base *run;
    rows kept = {.shape = &slotted_rows}, taken = {.shape = &shape};
    (void)state;
    shape.words = words;
    for (int i = 0; i < 2; i++) {
        read_checkpoint(&from, &kept, 0);
        rows_clear(&kept);
        run = new_run(&slotted_model, &work);
        run->rows = i == 0 ? &kept : &taken;
        check_resumed(run, &from, i == 0 ? RUN_DONE : RUN_USAGE,
                      i == 0 ? ""
                             : "the checkpoint is damaged: a row holds a value that there is "
                               "not");
        rows_clear(&kept);
        rows_clear(&taken);
    }
}

static uint32_t four_series(const run_base *run)
{
    (void)run;
    return 4;
}

/* A timeline of other buckets, also where it is as large; of another clock; and none. */
static void test_other_timelines(void **state)
{
    static const char other[] = "the checkpoint's timeline is not that of this run";
    run_model real = slotted_model, narrow = slotted_model;
    const struct {
        const run_model *model;
        uint32_t buckets;
        const char *message;
    } cases[] = {{&slotted_model, BUCKETS, ""},
                 {&slotted_model, 2 * BUCKETS, other},
                 {&slotted_model, 0, other},
                 {&real, BUCKETS, other},
                 {&narrow, BUCKETS / 4 * 5, other}};
    (void)state;
    real.timeline_clock = PN_TIMELINE_REAL;
    narrow.timeline_series = four_series;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        listed work = listed_new(10, 2);
        checkpoint from;
        run_base *run;
        read_checkpoint(&from, NULL, BUCKETS);
        run = new_run(cases[i].model, &work);
        run->timeline_buckets = cases[i].buckets;
        check_resumed(run, &from, i == 0 ? RUN_DONE : RUN_USAGE, cases[i].message);
    }
    listed work = listed_new(10, 2);
    checkpoint from;
    run_base *run;
    read_checkpoint(&from, NULL, BUCKETS);
    memset(from.parts[CHECKPOINT_TIMELINE], 0xFF, 40);
    run = new_run(&slotted_model, &work);
    run->timeline_buckets = BUCKETS;
    check_resumed(run, &from, RUN_USAGE,
                  "the checkpoint is damaged: its timeline contradicts itself");
}

/* ---- weights --------------------------------------------------------------------------------- */

static void test_weights(void **state)
{
    listed work = listed_new(10, 2);
    run_base *run;
    double mean;
    (void)state;
    run = new_run(&slotted_model, &work);
    check_run(run, RUN_DONE, "");
    assert_false(run_weighted_mean(run, &mean)); /* there are none */
    run_free(run);
    give_weight(&work, 0.0);
    run = new_run(&slotted_model, &work);
    check_run(run, RUN_DONE, "");
    assert_false(run_weighted_mean(run, &mean));
    run_free(run);
    give_weight(&work, 2.5);
    run = new_run(&slotted_model, &work);
    check_run(run, RUN_DONE, "");
    assert_true(run_weighted_mean(run, &mean) && mean == 1.0);
    run_free(run);
    give_weight(&work, -1.0);
    run = new_run(&slotted_model, &work);
    check_run(run, RUN_USAGE, "job 1: its weight must be >= 0, got -1");
    run_free(run);
}

/* ---- room ------------------------------------------------------------------------------------ */

static void test_room(void **state)
{
    static const char most[] =
        "more than 268435456 jobs in the system: the machines cannot keep up";
    static const struct {
        uint32_t room;
        uint64_t wanted;
        uint32_t becomes; /* 0: refused */
    } cases[] = {{8, 0, 16},
                 {0, 0, 1024},
                 {0, 3000, 4096},
                 {8, 100, 128},
                 {((uint32_t)1 << 28) - 1, 0, (uint32_t)1 << 28},
                 {(uint32_t)1 << 28, 0, 0},
                 {8, ((uint64_t)1 << 28) + 1, 0},
                 {8, (uint64_t)1 << 28, (uint32_t)1 << 28}};
    listed work = listed_new(10, 2);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run_base *run = new_run(&slotted_model, &work);
        enum run_outcome outcome = RUN_DONE;
        uint32_t room = cases[i].room;
        int refused = cases[i].becomes == 0;
        assert_int_equal(run_make_room_for(run, &room, cases[i].wanted, "jobs", &outcome),
                         refused ? RUN_STOPPED : RUN_RESTART);
        assert_int_equal(room, refused ? cases[i].room : cases[i].becomes);
        assert_int_equal(outcome, refused ? RUN_FAILED : RUN_DONE);
        assert_string_equal(run->message, refused ? most : "");
    }
}

/* A batch has room from the start: to need more is an error of the kernel. */
static void test_no_more_room(void **state)
{
    run_model model = slotted_model;
    listed work = listed_new(10, 9);
    run_base *run;
    (void)state;
    model.room_most = 2;
    run = new_run(&model, &work);
    check_run(run, RUN_DONE, "");
    assert_int_equal(the_run.totals.finished, 10);
    assert_true(run->state->jobs_max > 2);
    run_free(run);
    model.make_room = NULL;
    run = new_run(&model, &work);
    check_run(run, RUN_FAILED, "policy fifo, after slot 2: the kernel stops with PN_ERR_FULL");
    run_free(run);
}

static pn_model kernel;

static const pn_model *other_kernel(void)
{
    return &kernel;
}

static size_t no_size(const void *config)
{
    (void)config;
    return 0;
}

static int no_init(void **sim, void *block, size_t size, const void *config)
{
    (void)sim, (void)block, (void)size, (void)config;
    return PN_ERR_CONFIG;
}

static int no_start(run_base *run, int fresh)
{
    (void)run, (void)fresh;
    return PN_ERR_POLICY;
}

/* A block that is larger than memory, or that the kernel or the model refuses. */
static void test_no_block(void **state)
{
    run_model model = slotted_model;
    listed work = listed_new(10, 2);
    run_base *run;
    (void)state;
    model.kernel = other_kernel;
    kernel = *pn_slotted_model();
    kernel.size = no_size;
    run = new_run(&model, &work);
    check_run(run, RUN_FAILED, "not enough memory for 1024 jobs in the system (0 MB)");
    run_free(run);
    kernel = *pn_slotted_model();
    kernel.init = no_init;
    run = new_run(&model, &work);
    check_run(run, RUN_FAILED, "the kernel refuses the configuration with PN_ERR_CONFIG");
    run_free(run);
    kernel = *pn_slotted_model();
    model.start = no_start;
    run = new_run(&model, &work);
    check_run(run, RUN_FAILED, "the kernel refuses the configuration with PN_ERR_POLICY");
    run_free(run);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static int yes(run_base *run)
{
    (void)run;
    return 1;
}

static int is_over(const run_base *run)
{
    (void)run;
    return 1;
}

static int no_step(run_base *run, double until, uint64_t steps)
{
    (void)run, (void)until, (void)steps;
    return PN_ERR_INFEASIBLE;
}

static void ask(run_base *run, size_t index)
{
    uint64_t *asked = run->questions.user;
    pn_slotted_totals totals;
    pn_slotted_totals_get(run->sim, &totals);
    asked[index] = totals.slot;
}

/* Between two looks at the clock a model may say that its policy idles, or that all is over. */
static void test_ends(void **state)
{
    run_model model = slotted_model;
    listed work = listed_new(1, 400000);
    run_base *run;
    (void)state;
    run = new_run(&model, &work);
    check_run(run, RUN_DONE, "");
    assert_int_equal(the_run.totals.slot, 200000);
    assert_true(run->poll_every > 64);
    run_free(run);
    model.idles = NULL; /* it never does */
    run = new_run(&model, &work);
    check_run(run, RUN_DONE, "");
    run_free(run);
    model.over = is_over;
    run = new_run(&model, &work);
    check_run(run, RUN_DONE, "");
    assert_int_equal(the_run.totals.slot, 64);
    run_free(run);
    model.idles = yes;
    run = new_run(&model, &work);
    assert_int_equal(run_go(run), RUN_FAILED);
    assert_non_null(strstr(run->message, "policy fifo: gave no machine in the 1000000 slots"));
    run_free(run);
}

/* A step that fails ends the run, also between questions, and where a timeline is recorded. */
static void test_failed_steps(void **state)
{
    static const double times[] = {3.0, 7.0}, before[] = {-1.0};
    run_model model = slotted_model;
    listed work = listed_new(10, 2);
    uint64_t asked[2] = {0};
    run_base *run;
    (void)state;
    run = new_run(&model, &work);
    run->questions = (run_questions){.times = times, .count = 2, .ask = ask, .user = asked};
    check_run(run, RUN_DONE, "");
    assert_true(asked[0] == 3 && asked[1] == 7);
    run_free(run);
    model.execute = no_step;
    for (int i = 0; i < 3; i++) {
        run = new_run(&model, &work);
        if (i == 1)
            run->questions = (run_questions){
                .times = before, .count = 1, .ask = ask, .user = asked};
        if (i == 2)
            run->timeline_buckets = BUCKETS;
        check_run(run, RUN_FAILED,
                  "policy fifo, after slot 0: the kernel stops with PN_ERR_INFEASIBLE");
        run_free(run);
    }
}

static enum run_outcome cut_short(run_base *run, int status)
{
    (void)status;
    run->interrupted = run->cut_short = 1;
    return RUN_DONE;
}

/* A run that ended within a policy's call keeps the checkpoint before, and its log has no end. */
static void test_cut_short(void **state)
{
    run_model model = slotted_model;
    listed work = listed_new(10, 2);
    run_base *run;
    checkpoint from;
    char message[CHECKPOINT_MESSAGE_SIZE];
    (void)state;
    model.execute = no_step;
    model.refuse = cut_short;
    run = new_run(&model, &work);
    keep_checkpoints(run, path_of("cut.state"));
    run->log_path = path_of("cut.log");
    check_run(run, RUN_DONE, "");
    assert_int_equal(run->saved, 1);
    run_free(run);
    assert_null(strstr(text_of(path_of("cut.log")), "\"end\""));
    assert_true(checkpoint_read(&from, path_of("cut.state"), message));
    assert_int_equal(state_in(&from)->shared.fed, 0);
    checkpoint_free(&from);
}

static pn_lua_policy *load_mine(const char *text)
{
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policy;
    assert_int_equal(
        pn_lua_policy_load(&policy, "mine.lua", text, strlen(text), NULL, message, sizeof message),
        PN_OK);
    return policy;
}

/* What a policy did not say is the kernel's refusal. */
static void test_silent_policy(void **state)
{
    static const char text[] = "return { model = 'slotted', name = 'mine', key = "
                               "{ changes = 'arrival', of = function() return 1 end } }";
    listed work = listed_new(1, 1);
    run_base *run = new_run(&slotted_model, &work);
    pn_lua_policy *policy = load_mine(text);
    (void)state;
    assert_int_equal(run_refuse_policy(run, policy), RUN_FAILED);
    assert_string_equal(run->message,
                        "policy fifo: refused by the kernel, a parameter may be out of range");
    pn_lua_policy_free(policy);
}

/* ---- logs ------------------------------------------------------------------------------------ */

/* A run that starts again writes its log again, which a pipe does not allow. */
static void test_log_into_a_pipe(void **state)
{
    run_model model = slotted_model;
    listed work = listed_new(10, 9);
    int ends[2];
    char path[40], message[200];
    run_base *run;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    model.room_most = 2;
    run = new_run(&model, &work);
    run->log_path = path;
    snprintf(message, sizeof message,
             "cannot write %s again from its first line: %s (expected a plain file)", path,
             strerror(ESPIPE));
    check_run(run, RUN_FAILED, message);
    run_free(run);
    close(ends[0]);
    close(ends[1]);
}

/* Parameters of a policy in Lua are all in the first line, as numbers that show their kind. */
static void test_log_params(void **state)
{
    static const char text[] =
        "return { model = 'slotted', name = 'mine', params = { count = { default = 2, doc = '' }, "
        "rate = { default = 0.5, doc = '' }, whole = { default = 3.0, doc = '' } }, key = { "
        "changes = 'arrival', of = function(s, job) return s.params.count end } }";
    listed work = listed_new(1, 1);
    run_base *run = new_run(&slotted_model, &work);
    pn_lua_policy *policy = load_mine(text);
    (void)state;
    the_run.policy = pn_lua_policy_slotted(policy);
    pn_lua_policy_defaults(policy, the_run.params);
    run->log_path = path_of("params.log");
    check_run(run, RUN_DONE, "");
    run_free(run);
    pn_lua_policy_free(policy);
    assert_non_null(strstr(text_of(path_of("params.log")),
                           "\"params\":{\"count\":2,\"rate\":0.5,\"whole\":3.0}"));
}

/* A disk that is full ends the run at the next look at the clock. */
static void test_full_disk(void **state)
{
    listed work = listed_new(1, 400000);
    run_base *run = new_run(&slotted_model, &work);
    uint64_t bytes = 7;
    (void)state;
    run->log_path = "/dev/full";
    check_run(run, RUN_FAILED, "cannot write /dev/full: No space left on device");
    assert_true(the_run.totals.slot < 2000);
    run_free(run);
    run_log log = {0};
    assert_true(run_log_open(&log, "/dev/full"));
    run_log_start(&log, "slotted", "fifo", 1);
    assert_false(run_log_sync(&log, &bytes));
    assert_true(log.broken == ENOSPC && bytes == 0);
    bytes = 7;
    assert_false(run_log_sync(&log, &bytes)); /* it stays so */
    assert_true(log.broken == ENOSPC && bytes == 0);
    run_log_discard(&log);
}

/* Only the log that the run began is continued, from where the checkpoint left it. */
static void test_other_logs(void **state)
{
    static const char other[] = "is not the log of this run (expected the one that the run began)";
    static const char shorter[] =
        "is shorter than it was, or another one (expected the log as it was when the checkpoint "
        "was written, or longer)";
    static const char first[] = "{\"pinion_log\":1,\"scenario\":\"00000000000000ab\"}\n";
    static const struct {
        const char *text;
        uint64_t scenario, bytes;
        const char *fault;
    } cases[] = {{first, 0xab, sizeof first - 1, NULL},
                 {first, 0xac, sizeof first - 1, other},
                 {"{\"pinion_jog\":1,\"scenario\":\"00000000000000ab\"}\n", 0xab, 10, other},
                 {"", 0xab, 10, other},
                 {first, 0xab, sizeof first + 5, shorter},
                 {first, 0xab, 10, shorter},
                 {first, 0xab, UINT64_MAX - 5, "Invalid argument"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = path_of("old.log"), *fault;
        run_log log = {0};
        folder_put(folder, "old.log", O_TRUNC, cases[i].text, strlen(cases[i].text));
        fault = run_log_resume(&log, path, cases[i].scenario, cases[i].bytes);
        assert_int_equal(fault == NULL, cases[i].fault == NULL);
        if (fault)
            assert_string_equal(fault, cases[i].fault);
        assert_int_equal(log.file == NULL, fault != NULL);
        run_log_discard(&log);
        assert_string_equal(text_of(path), cases[i].text);
    }
    run_log log = {0};
    assert_string_equal(run_log_resume(&log, "/dev/null", 1, 1), other);
    assert_string_equal(run_log_resume(&log, "/proc/self/mem", 1, 1), "Input/output error");
}

/* ---- Ctrl-C, last, as it cannot be taken back ------------------------------------------------ */

static void test_interrupted(void **state)
{
    listed work = listed_new(70000, 1);
    run_base *run = new_run(&slotted_model, &work);
    enum run_outcome outcome = RUN_DONE;
    char message[CHECKPOINT_MESSAGE_SIZE];
    uint32_t room = 8;
    checkpoint from;
    (void)state;
    keep_checkpoints(run, path_of("long.state"));
    run->every = 1e9;
    check_run(run, RUN_DONE, "");
    run_free(run);
    assert_true(checkpoint_read(&from, path_of("long.state"), message));
    run = new_run(&slotted_model, &work);
    check_resumed(run, &from, RUN_DONE, "");
    assert_int_equal(run->interrupted, 0);
    assert_int_equal(work.made, 70000);
    assert_true(checkpoint_read(&from, path_of("long.state"), message));
    interrupt_install();
    raise(SIGINT);
    /* jobs of a long workload are not all read again */
    run = new_run(&slotted_model, &work);
    check_resumed(run, &from, RUN_DONE, "");
    assert_int_equal(run->interrupted, 1);
    assert_int_equal(work.made, 65536);
    /* the result so far is worth more than a new start */
    run = new_run(&slotted_model, &work);
    assert_int_equal(run_make_room(run, &room, "jobs", &outcome), RUN_STOPPED);
    assert_true(room == 8 && outcome == RUN_DONE && run->interrupted == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stopped_sources),
                                       cmocka_unit_test(test_stopped_logs),
                                       cmocka_unit_test(test_stopped_again),
                                       cmocka_unit_test(test_damaged_checkpoints),
                                       cmocka_unit_test(test_other_models),
                                       cmocka_unit_test(test_damaged_rows),
                                       cmocka_unit_test(test_other_timelines),
                                       cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_room),
                                       cmocka_unit_test(test_no_more_room),
                                       cmocka_unit_test(test_no_block),
                                       cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_failed_steps),
                                       cmocka_unit_test(test_cut_short),
                                       cmocka_unit_test(test_silent_policy),
                                       cmocka_unit_test(test_log_into_a_pipe),
                                       cmocka_unit_test(test_log_params),
                                       cmocka_unit_test(test_full_disk),
                                       cmocka_unit_test(test_other_logs),
                                       cmocka_unit_test(test_interrupted)};
    int failed;
    folder_make(folder);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(folder);
    return failed;
}
