/* What runs share: checkpoints, the log, and the block.
 *
 * The number of jobs that will be in the system at once is not known beforehand, so a run begins
 * with a small block and, when that is full, starts again from the first job with twice the room:
 * at most twice the work, and the same decisions. */
#include "common.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"

#define JOBS_START 1024
#define ROOM_MOST  ((uint32_t)1 << 28)

/* ---- what went wrong, in words --------------------------------------------------------------- */

enum run_outcome run_refuse(run_base *run, enum run_outcome outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->message, sizeof run->message, format, arguments);
    va_end(arguments);
    return outcome;
}

static enum run_outcome refuse_log(run_base *run)
{
    if (run->log.unwipeable)
        return run_refuse(run, RUN_FAILED,
                          "cannot write %s again from its first line: %s (expected a plain file)",
                          run->log_path, strerror(run->log.unwipeable));
    return run_refuse(run, RUN_FAILED, "cannot write %s: %s", run->log_path,
                      strerror(run->log.broken));
}

static enum run_outcome refuse_checkpoint(run_base *run)
{
    return run_refuse(run, RUN_FAILED, "cannot write %s: %s", run->checkpoint.path,
                      strerror(run->unsaved));
}

enum run_outcome run_refuse_source(run_base *run)
{
    return run_refuse(run, RUN_FAILED, "%s", run->work->fault);
}

enum run_outcome run_refuse_policy(run_base *run, const pn_lua_policy *script)
{
    if (script && pn_lua_policy_interrupted(script)) {
        run->interrupted = run->cut_short = 1;
        return RUN_DONE;
    }
    if (script && pn_lua_policy_message(script)[0] != '\0')
        return run_refuse(run, RUN_FAILED, "%s", pn_lua_policy_message(script));
    return run_refuse(run, RUN_FAILED,
                      "policy %s: refused by the kernel, a parameter may be out of range",
                      run->label);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

int run_keeps_checkpoints(const run_base *run)
{
    return run->checkpoint.path && (!run->log_path || run->log.file);
}

static size_t timeline_bytes(const run_base *run)
{
    return run->timeline_buckets > 0
               ? pn_timeline_size(run->timeline_buckets, run->model->timeline_series(run))
               : 0;
}

/* Writes the state as it stands; 0 with run->unsaved when that fails. */
static int write_checkpoint(run_base *run)
{
    unsigned char seal[PN_SEAL_SIZE];
    checkpoint_bytes parts[CHECKPOINT_PARTS] = {
        [CHECKPOINT_STATE] = {run->state, run->model->state_bytes},
        [CHECKPOINT_BLOCK] = {run->block, run->block_bytes},
        [CHECKPOINT_SEAL] = {seal, sizeof seal}};
    size_t room = strlen(run->checkpoint.about) + 160;
    char *fields = malloc(room);
    run_place place;
    if (run->timeline)
        parts[CHECKPOINT_TIMELINE] = (checkpoint_bytes){run->timeline_block, timeline_bytes(run)};
    if (run->rows) {
        parts[CHECKPOINT_ROWS] = (checkpoint_bytes){run->rows->cells,
                                                    run->rows->count * rows_stride(run->rows)};
        parts[CHECKPOINT_LISTS] = (checkpoint_bytes){
            run->rows->listed, run->rows->listed_count * sizeof *run->rows->listed};
    }
    run->model->look(run, &place);
    if (fields) {
        snprintf(fields, room, "\"pinion\":\"%s\",%s,\"jobs\":%llu,\"finished\":%llu,%s",
                 pn_version(), place.time, (unsigned long long)run->state->fed,
                 (unsigned long long)place.finished, run->checkpoint.about);
        /* between two steps every block can be sealed */
        run->unsaved = pn_seal(run->block, run->block_bytes, seal) == PN_OK
                           ? checkpoint_write(run->checkpoint.path, fields, parts)
                           : EINVAL;
        free(fields);
    } else {
        run->unsaved = ENOMEM;
    }
    run_plan(run);
    return !run->unsaved;
}

/* Saves the log first: a checkpoint must never count on lines that did not reach the disk. */
int run_save(run_base *run)
{
    if (run->log.file && !run_log_sync(&run->log, &run->state->log_bytes))
        return 0;
    return write_checkpoint(run);
}

/* Takes the loop's state from the checkpoint that the run resumes from. */
static enum run_outcome take_state(run_base *run)
{
    const checkpoint *from = run->checkpoint.resume;
    if (from->sizes[CHECKPOINT_STATE] != run->model->state_bytes)
        return run_refuse(run, RUN_USAGE, "the checkpoint is one of another build of this program");
    memcpy(run->state, from->parts[CHECKPOINT_STATE], run->model->state_bytes);
    if (run->state->fed > PN_INTEGER_MAX || run->state->marks.count > SOURCE_MARKS_MAX + 1 ||
        pn_batches_validate(&run->state->in_system) != PN_OK ||
        (run->model->state_sound && !run->model->state_sound(run)))
        return run_refuse(run, RUN_USAGE,
                          "the checkpoint is damaged: what it says of its run contradicts itself");
    return RUN_DONE;
}

/* Takes over the rows with their lists. */
static enum run_outcome take_rows(run_base *run, checkpoint *from)
{
    size_t count = (size_t)run->state->fed;
    uint64_t *listed = from->parts[CHECKPOINT_LISTS];
    size_t listed_count = from->sizes[CHECKPOINT_LISTS] / sizeof *listed;
    if (!rows_sound(run->rows, from->parts[CHECKPOINT_ROWS], count, listed, listed_count))
        return run_refuse(run, RUN_USAGE,
                          "the checkpoint is damaged: a row holds a value that there is not");
    rows_take(run->rows, from->parts[CHECKPOINT_ROWS], count, listed, listed_count);
    from->parts[CHECKPOINT_ROWS] = from->parts[CHECKPOINT_LISTS] = NULL;
    return RUN_DONE;
}

/* Takes over the timeline. */
static enum run_outcome take_timeline(run_base *run, checkpoint *from)
{
    size_t size = timeline_bytes(run);
    pn_timeline_about info;
    if (from->sizes[CHECKPOINT_TIMELINE] != size)
        return run_refuse(run, RUN_USAGE, "the checkpoint's timeline is not that of this run");
    if (size == 0)
        return RUN_DONE;
    run->timeline_block = from->parts[CHECKPOINT_TIMELINE];
    from->parts[CHECKPOINT_TIMELINE] = NULL;
    if (pn_timeline_validate(run->timeline_block, size) != PN_OK)
        return run_refuse(run, RUN_USAGE,
                          "the checkpoint is damaged: its timeline contradicts itself");
    pn_timeline_open(&run->timeline, run->timeline_block, size);
    pn_timeline_about_get(run->timeline, &info);
    if (info.buckets != run->timeline_buckets || info.clock != run->model->timeline_clock)
        return run_refuse(run, RUN_USAGE, "the checkpoint's timeline is not that of this run");
    return RUN_DONE;
}

/* Returns what is wrong with a checkpoint's block before it is looked into; null when nothing. */
static const char *block_wrong(const checkpoint *from)
{
    int status = from->sizes[CHECKPOINT_SEAL] == PN_SEAL_SIZE
                     ? pn_unseal(from->parts[CHECKPOINT_BLOCK], from->sizes[CHECKPOINT_BLOCK],
                                 from->parts[CHECKPOINT_SEAL])
                     : PN_ERR_SEAL;
    if (status == PN_ERR_VERSION)
        return "the checkpoint's block is of another version, or of a machine of another kind";
    return status == PN_OK ? NULL
                           : "the checkpoint is damaged: its block is not the one that was sealed";
}

/* Opens a block that was taken over. PN_OK: it is sound, of this run's configuration, and has had
 * the jobs of the state. */
static int open_block(run_base *run)
{
    const pn_model *kernel = run->kernel;
    run_place place;
    int status = kernel->validate(run->block, run->block_bytes);
    if (status == PN_OK)
        status = kernel->open(&run->sim, run->block, run->block_bytes);
    if (status != PN_OK)
        return status;
    run->model->look(run, &place);
    return kernel->configured(run->sim, run->config) && place.submitted == run->state->fed
               ? run->model->start(run, 0)
               : PN_ERR_DAMAGED;
}

/* Takes over the block, the timeline and the rows; catch_up then skips the jobs that were
 * submitted. */
static enum run_outcome take_block(run_base *run)
{
    checkpoint *from = run->checkpoint.resume;
    size_t row_bytes = from->sizes[CHECKPOINT_ROWS];
    const char *wrong;
    run_place place;
    int status;
    if (row_bytes != (run->rows ? run->state->fed * rows_stride(run->rows) : 0))
        return run_refuse(run, RUN_USAGE, "the checkpoint's rows are not those of its jobs");
    if (from->sizes[CHECKPOINT_BLOCK] != run->block_bytes)
        return run_refuse(run, RUN_USAGE,
                          "the checkpoint's block has %zu bytes (expected %zu for this run)",
                          from->sizes[CHECKPOINT_BLOCK], run->block_bytes);
    wrong = block_wrong(from);
    if (wrong)
        return run_refuse(run, RUN_USAGE, "%s", wrong);
    run->block = from->parts[CHECKPOINT_BLOCK];
    from->parts[CHECKPOINT_BLOCK] = NULL;
    status = open_block(run);
    if (status == PN_ERR_DAMAGED)
        return run_refuse(
            run, RUN_USAGE,
            "the checkpoint is damaged: its block contradicts itself or the run's settings");
    if (status != PN_OK)
        return run_refuse(run, RUN_USAGE, "the kernel refuses the checkpoint's block with %s",
                          pn_status_name(status));
    run->model->look(run, &place);
    run->progress.from = place.done;
    if (take_timeline(run, from) != RUN_DONE)
        return RUN_USAGE;
    return run->rows ? take_rows(run, from) : RUN_DONE;
}

/* Skips the jobs that were submitted before the checkpoint. PN_OK, or RUN_STOPPED with *outcome. */
static int catch_up(run_base *run, enum run_outcome *outcome)
{
    for (uint64_t i = 0; i < run->state->fed; i++) {
        int answer = run->model->skip(run);
        run->interrupted = answer == SOURCE_INTERRUPTED ||
                           ((i & 0xFFFF) == 0xFFFF && interrupt_pending());
        if (answer == SOURCE_FAULT)
            *outcome = run_refuse_source(run);
        else if (answer == SOURCE_END)
            *outcome = run_refuse(run, RUN_USAGE,
                                  "the workload ends after %llu jobs, the checkpoint has had %llu",
                                  (unsigned long long)i, (unsigned long long)run->state->fed);
        if (answer != SOURCE_JOB || run->interrupted)
            return RUN_STOPPED;
    }
    return PN_OK;
}

/* Saves the end, from which a run can also resume: with a later end, or to see the result again. A
 * run that was cut short keeps its last checkpoint. */
static enum run_outcome save_end(run_base *run)
{
    if (!run_keeps_checkpoints(run))
        return RUN_DONE;
    run->saved = run->cut_short || run_save(run);
    return run->saved ? RUN_DONE : run->unsaved ? refuse_checkpoint(run) : refuse_log(run);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int refuse_weight(run_base *run, double weight, enum run_outcome *outcome)
{
    *outcome = run_refuse(run, RUN_USAGE, "job %llu: its weight must be >= 0, got %.17g",
                          (unsigned long long)run->state->fed + 1, weight);
    return RUN_STOPPED;
}

int run_count_job(run_base *run, const void *job, row_value arrival, uint32_t group,
                  enum run_outcome *outcome)
{
    const double *attributes = source_attributes_of(run->work, job);
    if (run->weight >= 0 && attributes[run->weight] < 0.0)
        return refuse_weight(run, attributes[run->weight], outcome);
    if (run->rows && !rows_add(run->rows, arrival, group, attributes)) {
        *outcome = run_refuse(
            run, RUN_FAILED,
            "not enough memory for the rows of %zu jobs: ask for a result without rows",
            run->rows->count + 1);
        return RUN_STOPPED;
    }
    run->state->fed++;
    return PN_OK;
}

/* Sums of values >= 0 keep what rounding loses (Neumaier), so that their order hardly matters. */
static void add_to(double sum[2], double value)
{
    double old = sum[0];
    sum[0] += value;
    sum[1] += old >= value ? (old - sum[0]) + value : (value - sum[0]) + old;
}

void run_count_finish(run_base *run, const double *attributes, double time)
{
    if (run->weight < 0)
        return;
    add_to(run->state->weights, attributes[run->weight]);
    add_to(run->state->weighted, attributes[run->weight] * time);
}

int run_weighted_mean(const run_base *run, double *mean)
{
    double weights = run->state->weights[0] + run->state->weights[1];
    if (run->weight < 0 || !(weights > 0.0))
        return 0;
    *mean = (run->state->weighted[0] + run->state->weighted[1]) / weights;
    return 1;
}

int run_source_ended(run_base *run, int answer, enum run_outcome *outcome)
{
    run->fed_all = answer == SOURCE_END;
    if (answer == SOURCE_FAULT)
        *outcome = run_refuse_source(run);
    run->interrupted = answer == SOURCE_INTERRUPTED;
    return answer == SOURCE_FAULT || run->interrupted ? RUN_STOPPED : PN_OK;
}

/* ---- one attempt ----------------------------------------------------------------------------- */

/* Guesses a number of places. Jobs beyond this start the run again, so the first guess matters
 * little. */
static uint32_t guess_room(const run_base *run)
{
    uint64_t jobs = run->work->count == SOURCE_UNKNOWN ? JOBS_START : run->work->count;
    jobs = jobs < run->model->room_most ? jobs : run->model->room_most;
    return jobs > 0 ? (uint32_t)jobs : 1;
}

int run_make_room_for(run_base *run, uint32_t *room, uint64_t wanted, const char *what,
                      enum run_outcome *outcome)
{
    uint64_t larger = 2 * (uint64_t)*room;
    progress_clear(&run->progress);
    /* The result so far is worth more than a new start. */
    run->interrupted = interrupt_pending();
    if (run->interrupted)
        return RUN_STOPPED;
    if (*room >= ROOM_MOST || wanted > ROOM_MOST) {
        *outcome = run_refuse(
            run, RUN_FAILED, "more than %lu %s in the system: the %s cannot keep up",
            (unsigned long)(*room >= ROOM_MOST ? *room : ROOM_MOST), what, run->model->servers);
        return RUN_STOPPED;
    }
    while (larger < wanted || larger == 0)
        larger = larger ? 2 * larger : 1024;
    if (!run->quiet)
        fprintf(stderr,
                "pinion: more than %lu %s in the system: starting again with room for %llu\n",
                (unsigned long)*room, what, (unsigned long long)larger);
    *room = larger < ROOM_MOST ? (uint32_t)larger : ROOM_MOST;
    return RUN_RESTART;
}

int run_make_room(run_base *run, uint32_t *room, const char *what, enum run_outcome *outcome)
{
    return run_make_room_for(run, room, 0, what, outcome);
}

/* Makes a timeline without records, where one is asked for. */
static enum run_outcome make_timeline(run_base *run)
{
    size_t size = timeline_bytes(run);
    if (size == 0)
        return RUN_DONE;
    run->timeline_block = malloc(size);
    if (!run->timeline_block)
        return run_refuse(run, RUN_FAILED, "not enough memory for a timeline of %lu buckets",
                          (unsigned long)run->timeline_buckets);
    pn_timeline_init(&run->timeline, run->timeline_block, size, run->timeline_buckets,
                     run->model->timeline_series(run), run->model->timeline_clock);
    return RUN_DONE;
}

/* Makes a block in which nothing has happened yet. */
static enum run_outcome make_block(run_base *run)
{
    int status;
    run->block = run->block_bytes ? malloc(run->block_bytes) : NULL;
    if (!run->block)
        return run_refuse(run, RUN_FAILED, "not enough memory for %llu jobs in the system (%zu MB)",
                          (unsigned long long)run->state->jobs_max, run->block_bytes >> 20);
    run->state->fed = run->state->log_bytes = 0;
    for (int i = 0; i < 2; i++)
        run->state->weights[i] = run->state->weighted[i] = 0.0;
    pn_batches_init(&run->state->in_system);
    status = run->kernel->init(&run->sim, run->block, run->block_bytes, run->config);
    if (status == PN_OK)
        status = run->model->start(run, 1);
    if (status != PN_OK)
        return run_refuse(run, RUN_FAILED, "the kernel refuses the configuration with %s",
                          pn_status_name(status));
    if (run->rows)
        rows_clear(run->rows);
    run->progress.from = 0;
    return make_timeline(run);
}

static void free_blocks(run_base *run)
{
    free(run->block);
    free(run->timeline_block);
    run->block = run->timeline_block = NULL;
    run->timeline = NULL;
}

static enum run_outcome prepare(run_base *run)
{
    const char *fault;
    enum run_outcome outcome;
    run->sim = NULL;
    if (run->model->prepare)
        run->model->prepare(run);
    fault = run->kernel->check(run->config);
    free_blocks(run);
    run->fed_all = run->all_done = 0;
    run->questions.asked = 0;
    if (fault)
        return run_refuse(run, RUN_USAGE, "out of range: %s", fault);
    run->block_bytes = run->kernel->size(run->config);
    outcome = run->checkpoint.resume ? take_block(run) : make_block(run);
    if (outcome != RUN_DONE)
        return outcome;
    run->work->rewind(run->work);
    run_loop_start(run);
    return RUN_DONE;
}

static enum run_outcome attempt(run_base *run, int *again)
{
    enum run_outcome outcome = prepare(run);
    run_place place;
    int status = PN_OK;
    *again = 0;
    if (outcome != RUN_DONE)
        return outcome;
    /* Before the log of an earlier attempt is wiped, as that one's checkpoint counts on it. */
    run_plan(run);
    if (run_keeps_checkpoints(run) && !write_checkpoint(run))
        return refuse_checkpoint(run);
    if (run->model->start_log && run->log.file && run->state->log_bytes == 0)
        run->model->start_log(run);
    if (run->checkpoint.resume)
        status = catch_up(run, &outcome);
    run->checkpoint.resume = NULL; /* if it has to start again, then from the first job */
    if (status == PN_OK)
        status = run->model->feed(run, &outcome);
    if (status == PN_ERR_FULL && run->model->make_room)
        status = run->model->make_room(run, &outcome);
    if (status == RUN_RESTART) {
        *again = 1;
        return RUN_DONE;
    }
    run->model->look(run, &place);
    if (run->log.broken)
        return refuse_log(run);
    if (run->unsaved)
        return refuse_checkpoint(run);
    if (status == RUN_STOPPED)
        return outcome;
    return status < 0 ? run->model->refuse(run, status) : RUN_DONE;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static enum run_outcome begin_log(run_base *run)
{
    int answer = run->model->hash ? run->model->hash(run, &run->state->scenario) : SOURCE_END;
    if (answer == SOURCE_FAULT)
        return run_refuse_source(run);
    /* A log without the hash of its scenario would only mislead: a run that was interrupted so
     * early writes none. */
    if (answer == SOURCE_END && !run_log_open(&run->log, run->log_path))
        return refuse_log(run);
    run->state->marks = run->work->marks;
    return RUN_DONE;
}

static enum run_outcome resume_log(run_base *run)
{
    const char *fault = run_log_resume(&run->log, run->log_path, run->state->scenario,
                                       run->state->log_bytes);
    return fault ? run_refuse(run, RUN_USAGE, "%s: %s", run->log_path, fault) : RUN_DONE;
}

static enum run_outcome open_log(run_base *run)
{
    enum run_outcome outcome = run->state->log_bytes > 0 ? resume_log(run) : begin_log(run);
    run->log.jobs = &run->state->marks;
    if (outcome == RUN_DONE && run->checkpoint.path && run->log.file &&
        !run_log_is_plain(&run->log))
        return run_refuse(
            run, RUN_USAGE,
            "%s: is no plain file (expected one that can be cut back when the run resumes)",
            run->log_path);
    return outcome;
}

void run_make(run_base *run, const run_model *model)
{
    run->model = model;
    run->kernel = model->kernel();
    run->state = (run_state *)(void *)((char *)run + model->state_at);
    run->config = (char *)run + model->config_at;
    run->until = (double)INFINITY;
}

/* Runs; the request was accepted. */
static enum run_outcome go(run_base *run)
{
    enum run_outcome outcome = RUN_DONE;
    int again;
    if (run->checkpoint.resume)
        outcome = take_state(run);
    if (outcome == RUN_DONE && run->log_path)
        outcome = open_log(run);
    if (outcome != RUN_DONE)
        return outcome;
    if (!run->checkpoint.resume)
        run->state->jobs_max = guess_room(run);
    progress_start(&run->progress, run->label, run->quiet, progress_clock());
    outcome = run->model->begin(run);
    for (again = outcome == RUN_DONE; again;)
        outcome = attempt(run, &again);
    progress_clear(&run->progress);
    run->interrupted |= interrupt_pending();
    if (outcome == RUN_DONE)
        outcome = save_end(run);
    if (outcome == RUN_DONE && run->log.file && !run->cut_short &&
        (!run->interrupted || run->model->logs_interrupted))
        run->model->end_log(run);
    /* A run that failed leaves no log, unless a checkpoint counts on it. */
    if (outcome == RUN_DONE)
        run_log_commit(&run->log);
    run_log_discard(&run->log);
    if (outcome == RUN_DONE && run->log.broken)
        return refuse_log(run);
    return outcome;
}

enum run_outcome run_go(run_base *run)
{
    run->weight = source_attribute(run->work, "weight");
    enum run_outcome outcome = run->model->accept ? run->model->accept(run) : RUN_DONE;
    if (outcome == RUN_DONE)
        outcome = go(run);
    if (outcome == RUN_DONE && run->model->conclude)
        outcome = run->model->conclude(run);
    return outcome;
}

void run_free(run_base *run)
{
    run_log_discard(&run->log);
    if (run->model->free)
        run->model->free(run);
    free_blocks(run);
}
