/* The run loop of the slotted model: runs to the slot before each arrival, submits, and at the end runs until every job is done.
 *
 * Long stretches are cut into chunks, between which the loop looks at the clock, at Ctrl-C and at the log; never once a slot. The
 * number of jobs that will be in the system at once is not known beforehand, so the run begins with a small block and, when that
 * is full, starts again from the first job with twice the room: at most twice the work, and the same decisions. */
#include "slotted_run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"

#define JOBS_START       1024
#define JOBS_START_MOST  65536 /* of a workload whose size is known */
#define ROOM_MOST        ((uint32_t)1 << 28)
#define POLL_EVERY_FIRST 64
#define POLL_EVERY_MOST  65536

#define RESTART (-1000) /* no pn_status: room was too small, go again */
#define STOPPED (-1001) /* the outcome is settled */
#define IDLED   (-1002) /* the policy gives nothing any more */

/* So many slots without a gift, and a policy is taken for one that never ends. */
#define WITHHELD_MOST 1000000

static void on_finish(void *user, const pn_slotted_finish *finish)
{
    slotted_run *run = user;
    if (run->rows) {
        row *cell = &run->rows->cells[finish->id - 1];
        cell->map_finish = finish->map_finish;
        cell->finish = finish->finish;
    }
    if (run->log.file)
        slotted_log_finish(&run->log, finish);
}

static void on_decision(void *user, const pn_slotted_decision *decision)
{
    slotted_run *run = user;
    slotted_log_decision(&run->log, decision);
}

/* ---- what went wrong, in words ---------------------------------------------------------------------- */

static enum run_outcome refuse(slotted_run *run, enum run_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum run_outcome refuse(slotted_run *run, enum run_outcome outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->message, sizeof run->message, format, arguments);
    va_end(arguments);
    return outcome;
}

static enum run_outcome refuse_log(slotted_run *run)
{
    if (run->log.unwipeable)
        return refuse(run, RUN_FAILED, "cannot write %s again from its first line: %s (expected a plain file)", run->log_path,
                      strerror(run->log.unwipeable));
    return refuse(run, RUN_FAILED, "cannot write %s: %s", run->log_path, strerror(run->log.broken));
}

/* The kernel did not take a job. */
static enum run_outcome refuse_job(slotted_run *run, int status, const pn_slotted_job *job)
{
    unsigned long long id = run->totals.submitted + 1, arrival = job->arrival;
    switch (status) {
    case PN_ERR_JOB: {
        uint64_t units = job->maps;
        for (size_t i = 0; i < job->reduce_count && units == 0; i++)
            units = job->reduces[i];
        return refuse(run, RUN_USAGE, "job %llu, arrival %llu: has %s", id, arrival,
                      units == 0 ? "no work (expected map or reduce units)" : "more than 2^53 units of work or estimated work");
    }
    case PN_ERR_ORDER:
    case PN_ERR_LATE:
        return refuse(run, RUN_USAGE, "job %llu: arrives in slot %llu, before the job ahead of it", id, arrival);
    case PN_ERR_OVERFLOW:
        return refuse(run, RUN_FAILED, "job %llu, arrival %llu: with its work the totals would pass 2^53", id, arrival);
    case PN_ERR_ARGUMENT:
        return refuse(run, RUN_USAGE, "job %llu, arrival %llu: its group or an estimate is out of range", id, arrival);
    default:
        return refuse(run, RUN_FAILED, "job %llu, arrival %llu: the kernel refuses it with %s", id, arrival,
                      pn_status_name(status));
    }
}

/* The kernel did not execute a slot. */
static enum run_outcome refuse_slot(slotted_run *run, int status)
{
    const char *name = run->label;
    unsigned long long slot = run->totals.slot;
    switch (status) {
    case PN_ERR_MODE:
        return refuse(run, RUN_USAGE, "policy %s is defined for %s reduces only", name,
                      run->policy->preemptive ? "preemptive" : "nonpreemptive");
    case PN_ERR_INFEASIBLE:
        return refuse(run, RUN_FAILED,
                      "policy %s, after slot %llu: asked for more machines than are idle, or more than a job offers", name, slot);
    case IDLED:
        return refuse(
            run, RUN_FAILED,
            "policy %s: gave no machine in the %d slots after slot %llu, although machines were idle and jobs offered work", name,
            WITHHELD_MOST, (unsigned long long)(run->totals.withheld_slot - run->totals.withheld));
    case PN_ERR_OVERFLOW:
        return refuse(run, RUN_FAILED, "after slot %llu: a time or a total would pass 2^53", slot);
    case PN_ERR_POLICY:
        if (pn_lua_policy_behind(run->policy) && pn_lua_policy_message(pn_lua_policy_behind(run->policy))[0] != '\0')
            return refuse(run, RUN_FAILED, "%s", pn_lua_policy_message(pn_lua_policy_behind(run->policy)));
        return refuse(run, RUN_FAILED, "policy %s: refused by the kernel, a parameter may be out of range", name);
    default:
        return refuse(run, RUN_FAILED, "policy %s, after slot %llu: the kernel stops with %s", name, slot,
                      pn_status_name(status));
    }
}

static enum run_outcome refuse_checkpoint(slotted_run *run)
{
    return refuse(run, RUN_FAILED, "cannot write %s: %s", run->checkpoint.path, strerror(run->unsaved));
}

static enum run_outcome refuse_source(slotted_run *run)
{
    return refuse(run, RUN_FAILED, "%s", run->work->fault);
}

/* ---- checkpoints ------------------------------------------------------------------------------------ */

/* A run whose log could not be begun, as it was interrupted, is not to be gone on with. */
static int keeps_checkpoints(const slotted_run *run)
{
    return run->checkpoint.path && (!run->log_path || run->log.file);
}

static void plan_checkpoint(slotted_run *run)
{
    uint64_t every = run->checkpoint.every;
    run->save_at = keeps_checkpoints(run) ? (run->state.clock / every + 1) * every : UINT64_MAX;
}

/* Writes the state as it stands; 0 with run->unsaved when that fails. */
static int write_checkpoint(slotted_run *run)
{
    checkpoint_bytes parts[CHECKPOINT_PARTS] = {
        [CHECKPOINT_STATE] = {&run->state, sizeof run->state}, [CHECKPOINT_BLOCK] = {run->block, run->block_bytes}};
    size_t room = strlen(run->checkpoint.about) + 160;
    char *fields = malloc(room);
    pn_slotted_totals totals;
    if (run->rows)
        parts[CHECKPOINT_ROWS] = (checkpoint_bytes){run->rows->cells, run->rows->count * sizeof(row)};
    pn_slotted_totals_get(run->sim, &totals);
    if (fields) {
        snprintf(fields, room, "\"pinion\":\"%s\",\"slot\":%llu,\"jobs\":%llu,\"finished\":%llu,%s", pn_version(),
                 (unsigned long long)totals.slot, (unsigned long long)run->state.fed, (unsigned long long)totals.finished,
                 run->checkpoint.about);
        run->unsaved = checkpoint_write(run->checkpoint.path, fields, parts);
        free(fields);
    } else {
        run->unsaved = ENOMEM;
    }
    plan_checkpoint(run);
    return !run->unsaved;
}

/* The log first: a checkpoint must never count on lines that did not reach the disk. */
static int save(slotted_run *run)
{
    if (run->log.file && !slotted_log_sync(&run->log, &run->state.log_bytes))
        return 0;
    return write_checkpoint(run);
}

/* Takes the loop's state from the checkpoint to go on from. */
static enum run_outcome take_state(slotted_run *run)
{
    const checkpoint *from = run->checkpoint.resume;
    if (from->sizes[CHECKPOINT_STATE] != sizeof run->state)
        return refuse(run, RUN_USAGE, "the checkpoint is one of another build of this program");
    memcpy(&run->state, from->parts[CHECKPOINT_STATE], sizeof run->state);
    return RUN_DONE;
}

/* … and the block and the rows; the source is to be brought up by catch_up. */
static enum run_outcome take_block(slotted_run *run)
{
    checkpoint *from = run->checkpoint.resume;
    size_t row_bytes = from->sizes[CHECKPOINT_ROWS];
    int status;
    if (row_bytes != (run->rows ? run->state.fed * sizeof(row) : 0))
        return refuse(run, RUN_USAGE, "the checkpoint's rows are not those of its jobs");
    if (from->sizes[CHECKPOINT_BLOCK] != run->block_bytes)
        return refuse(run, RUN_USAGE, "the checkpoint's block has %zu bytes (expected %zu for this run)",
                      from->sizes[CHECKPOINT_BLOCK], run->block_bytes);
    run->block = from->parts[CHECKPOINT_BLOCK];
    from->parts[CHECKPOINT_BLOCK] = NULL;
    /* Idle slots may have been jumped over that lie behind an end which is asked for only now. */
    run->state.clock = run->state.clock < run->until ? run->state.clock : run->until;
    status = pn_slotted_open(&run->sim, run->block, run->block_bytes);
    if (status != PN_OK)
        return refuse(run, RUN_USAGE, "the kernel refuses the checkpoint's block with %s", pn_status_name(status));
    if (run->rows) {
        rows_take(run->rows, from->parts[CHECKPOINT_ROWS], (size_t)run->state.fed);
        from->parts[CHECKPOINT_ROWS] = NULL;
    }
    return RUN_DONE;
}

/* Passes over the jobs that were submitted before the checkpoint. PN_OK, or STOPPED with *outcome. */
static int catch_up(slotted_run *run, enum run_outcome *outcome)
{
    pn_slotted_job job;
    for (uint64_t i = 0; i < run->state.fed; i++) {
        int answer = run->work->next(run->work, &job);
        run->interrupted = answer == SOURCE_INTERRUPTED || ((i & 0xFFFF) == 0xFFFF && interrupt_pending());
        if (answer == SOURCE_FAULT)
            *outcome = refuse_source(run);
        else if (answer == SOURCE_END)
            *outcome = refuse(run, RUN_USAGE, "the workload ends after %llu jobs, the checkpoint has had %llu",
                              (unsigned long long)i, (unsigned long long)run->state.fed);
        if (answer != SOURCE_JOB || run->interrupted)
            return STOPPED;
    }
    return PN_OK;
}

/* ---- chunks ----------------------------------------------------------------------------------------- */

/* Looks around: 0, or STOPPED. */
static int poll(slotted_run *run)
{
    double now = progress_clock(), spent = now - run->polled;
    pn_slotted_totals_get(run->sim, &run->totals);
    if (run->work->count != SOURCE_UNKNOWN)
        progress_show(&run->progress, run->totals.finished, run->work->count, "jobs", now);
    else
        progress_show(&run->progress, run->state.clock, run->until < run->work->slots ? run->until : run->work->slots, "slots",
                      now);
    if (spent < 0.02 && run->poll_every < POLL_EVERY_MOST)
        run->poll_every *= 2;
    else if (spent > 0.1 && run->poll_every > 1)
        run->poll_every /= 2;
    run->polled = now;
    run->unpolled = 0;
    run->slots_polled = run->totals.slots_run;
    run->interrupted = interrupt_pending();
    return run->interrupted || run->log.broken ? STOPPED : 0;
}

/* Executes the slots up to `target`, or until no job is left. PN_OK, PN_DONE, STOPPED, or the kernel's error. */
static int advance(slotted_run *run, uint64_t target)
{
    uint64_t chunk = run->poll_every;
    while (run->state.clock < target) {
        uint64_t step = target - run->state.clock < chunk ? target - run->state.clock : chunk;
        int status;
        step = step < run->save_at - run->state.clock ? step : run->save_at - run->state.clock;
        status = pn_slotted_run(run->sim, &run->hooks, run->state.clock + step);
        if (status < 0)
            return status;
        run->state.clock += step;
        run->unpolled += step;
        if (status == PN_DONE) {
            /* The rest is idle. Only a virtual run of misjudged sizes may go on, and hold places: up to the next job, not as far
             * as this chunk happens to reach. */
            if (target < PN_INTEGER_MAX)
                pn_slotted_run(run->sim, &run->hooks, target);
            run->state.clock = target;
        }
        if (run->state.clock >= run->save_at && !save(run))
            return STOPPED;
        if (status == PN_DONE)
            return PN_DONE;
        if (run->unpolled >= run->poll_every) {
            uint64_t executed = run->slots_polled;
            if (poll(run))
                return STOPPED;
            if (run->totals.withheld >= WITHHELD_MOST)
                return IDLED;
            /* Slots in which nothing happens cost nothing: where they are the rule, the chunk may grow without limit. */
            executed = run->slots_polled - executed;
            chunk = executed < run->poll_every / 16 && chunk < PN_INTEGER_MAX ? 2 * chunk : run->poll_every;
        }
    }
    return PN_OK;
}

/* ---- one attempt ------------------------------------------------------------------------------------ */

/* Doubles the table that was too small. RESTART, or STOPPED when there is no larger one. */
static int make_room(slotted_run *run, enum run_outcome *outcome)
{
    const char *what = "jobs";
    uint32_t *room = &run->config.jobs_max;
    pn_slotted_totals_get(run->sim, &run->totals);
    progress_clear(&run->progress);
    if (run->totals.jobs_held < *room && run->config.runs_max > 0) {
        what = "stretches of equal reduce tasks";
        room = &run->config.runs_max;
    }
    if (*room >= ROOM_MOST) {
        *outcome =
            refuse(run, RUN_FAILED, "more than %lu %s in the system: the machines cannot keep up", (unsigned long)*room, what);
        return STOPPED;
    }
    if (!run->quiet)
        fprintf(stderr, "pinion: more than %lu %s in the system: starting again with room for %lu\n", (unsigned long)*room, what,
                2 * (unsigned long)*room);
    *room = 2 * *room < ROOM_MOST ? 2 * *room : ROOM_MOST;
    if (run->config.runs_max > 0 && run->config.runs_max / 2 < run->config.jobs_max)
        run->config.runs_max = 2 * run->config.jobs_max < ROOM_MOST ? 2 * run->config.jobs_max : ROOM_MOST;
    return RESTART;
}

/* What an arrival sees: the jobs in the system at the start of its slot, without those that arrive with it, as a batch of jobs is
 * no queue. */
static void look_at_system(slotted_run *run, uint64_t arrival)
{
    if (arrival == run->state.seen_slot)
        return;
    pn_slotted_totals_get(run->sim, &run->totals);
    run->state.seen_slot = arrival;
    run->state.seen = run->totals.submitted - run->totals.finished;
}

static int submit(slotted_run *run, pn_slotted_job *job, enum run_outcome *outcome)
{
    uint32_t group = job->group;
    int status;
    look_at_system(run, job->arrival);
    if (run->config.groups_max == 0)
        job->group = 0; /* groups were not asked for */
    status = pn_slotted_submit(run->sim, job, NULL);
    if (status == PN_ERR_FULL)
        return make_room(run, outcome);
    if (status < 0) {
        pn_slotted_totals_get(run->sim, &run->totals);
        *outcome = refuse_job(run, status, job);
        return STOPPED;
    }
    if (run->rows && !rows_add(run->rows, job->arrival, group)) {
        *outcome = refuse(run, RUN_FAILED, "not enough memory for the rows of %zu jobs: ask for a result without rows",
                          run->rows->count + 1);
        return STOPPED;
    }
    run->state.fed++;
    pn_batches_add(&run->state.in_system, (double)run->state.seen);
    if (++run->unpolled >= run->poll_every && poll(run))
        return STOPPED;
    return PN_OK;
}

/* PN_OK, RESTART, or STOPPED with *outcome. */
static int feed(slotted_run *run, enum run_outcome *outcome)
{
    uint64_t end = run->until < PN_INTEGER_MAX ? run->until : PN_INTEGER_MAX;
    pn_slotted_job job;
    int status, answer;
    for (;;) {
        answer = run->work->next(run->work, &job);
        if (answer != SOURCE_JOB || job.arrival > end)
            break;
        status = advance(run, job.arrival - 1);
        if (status >= 0)
            status = submit(run, &job, outcome);
        if (status < 0)
            return status;
    }
    run->fed_all = answer == SOURCE_END;
    if (answer == SOURCE_FAULT) {
        *outcome = refuse_source(run);
        return STOPPED;
    }
    run->interrupted = answer == SOURCE_INTERRUPTED;
    if (run->interrupted)
        return STOPPED;
    status = advance(run, end);
    /* Jobs of the last slot of all: nothing is left to advance to, but the run may be complete. */
    if (status == PN_OK && run->state.clock == end)
        status = pn_slotted_run(run->sim, &run->hooks, end);
    if (status == PN_OK && run->until > end)
        status = PN_ERR_OVERFLOW; /* work is left, but no time to do it in */
    run->all_done = status == PN_DONE && run->fed_all;
    return status;
}

/* A block in which nothing has happened yet. */
static enum run_outcome make_block(slotted_run *run)
{
    int status;
    run->block = run->block_bytes ? malloc(run->block_bytes) : NULL;
    if (!run->block)
        return refuse(run, RUN_FAILED, "not enough memory for %llu jobs in the system (%zu MB)",
                      (unsigned long long)run->config.jobs_max, run->block_bytes >> 20);
    status = pn_slotted_init(&run->sim, run->block, run->block_bytes, &run->config);
    if (status != PN_OK)
        return refuse(run, RUN_FAILED, "the kernel refuses the configuration with %s", pn_status_name(status));
    if (run->rows)
        rows_clear(run->rows);
    run->state.clock = run->state.fed = run->state.log_bytes = run->state.seen_slot = 0;
    pn_batches_init(&run->state.in_system);
    run->state.jobs_max = run->config.jobs_max;
    run->state.runs_max = run->config.runs_max;
    run->progress.from = 0;
    return RUN_DONE;
}

static enum run_outcome prepare(slotted_run *run)
{
    const char *fault = pn_slotted_check(&run->config);
    enum run_outcome outcome;
    free(run->block);
    run->block = NULL;
    run->sim = NULL;
    if (fault)
        return refuse(run, RUN_USAGE, "out of range: %s", fault);
    run->block_bytes = pn_slotted_size(&run->config);
    outcome = run->checkpoint.resume ? take_block(run) : make_block(run);
    if (outcome != RUN_DONE)
        return outcome;
    run->work->rewind(run->work);
    run->unpolled = run->slots_polled = 0;
    run->poll_every = POLL_EVERY_FIRST;
    run->polled = progress_clock();
    return RUN_DONE;
}

static enum run_outcome attempt(slotted_run *run, int *again)
{
    enum run_outcome outcome = prepare(run);
    int status = PN_OK;
    *again = 0;
    if (outcome != RUN_DONE)
        return outcome;
    /* Before the log of an earlier attempt is wiped, as that one's checkpoint counts on it. */
    plan_checkpoint(run);
    if (keeps_checkpoints(run) && !write_checkpoint(run))
        return refuse_checkpoint(run);
    if (run->log.file && run->state.log_bytes == 0)
        slotted_log_start(&run->log, run->policy, run->params, run->state.scenario);
    if (run->checkpoint.resume)
        status = catch_up(run, &outcome);
    run->checkpoint.resume = NULL; /* if it has to start again, then from the first job */
    if (status == PN_OK)
        status = feed(run, &outcome);
    if (status == PN_ERR_FULL)
        status = make_room(run, &outcome);
    if (status == RESTART) {
        *again = 1;
        return RUN_DONE;
    }
    pn_slotted_totals_get(run->sim, &run->totals);
    if (run->log.broken)
        return refuse_log(run);
    if (run->unsaved)
        return refuse_checkpoint(run);
    if (status == STOPPED)
        return outcome;
    if (status >= 0 && run->totals.withheld >= WITHHELD_MOST) /* since the last look around */
        status = IDLED;
    return status < 0 ? refuse_slot(run, status) : RUN_DONE;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static int stop_bound(void *unused)
{
    (void)unused;
    return interrupt_pending();
}

static enum run_outcome bound_tightly(slotted_run *run)
{
    size_t size;
    int status, answer = job_list_collect(&run->jobs, run->work);
    if (answer == SOURCE_FAULT)
        return refuse_source(run);
    if (answer == SOURCE_INTERRUPTED) {
        run->interrupted = 1;
        return RUN_DONE;
    }
    size = pn_slotted_bound_size(run->jobs.count);
    run->workspace = size ? malloc(size) : NULL;
    if (!run->workspace)
        return refuse(run, RUN_FAILED, "not enough memory for the tight bound of %zu jobs", run->jobs.count);
    status = pn_slotted_bound_tight(run->workspace, size, run->config.machines, run->config.reduce, run->jobs.jobs,
                                    run->jobs.count, stop_bound, NULL, &run->lower_bound_tight);
    if (status == PN_ERR_STOPPED) {
        run->interrupted = 1;
        return RUN_DONE;
    }
    if (status != PN_OK)
        return refuse(run, RUN_FAILED, "the tight bound cannot be computed: %s", pn_status_name(status));
    return RUN_DONE;
}

/* Jobs beyond jobs_max start the run again, so the first guess matters little. */
static void guess_room(slotted_run *run)
{
    uint64_t jobs = run->work->count == SOURCE_UNKNOWN ? JOBS_START : run->work->count;
    jobs = jobs < JOBS_START_MOST ? jobs : JOBS_START_MOST;
    run->config.jobs_max = jobs > 0 ? (uint32_t)jobs : 1;
    /* Near-equal tasks of one job are at most two stretches. */
    run->config.runs_max = run->config.reduce == PN_NONPREEMPTIVE ? 2 * run->config.jobs_max : 0;
}

static enum run_outcome begin_log(slotted_run *run)
{
    int answer =
        hash_scenario(&run->state.scenario, run->work, run->config.machines, run->config.reduce, run->policy, run->params);
    if (answer == SOURCE_FAULT)
        return refuse_source(run);
    /* A log without the hash of its scenario would only mislead: a run that was interrupted so early writes none. */
    if (answer == SOURCE_END && !slotted_log_open(&run->log, run->log_path))
        return refuse_log(run);
    return RUN_DONE;
}

static enum run_outcome resume_log(slotted_run *run)
{
    const char *fault = slotted_log_resume(&run->log, run->log_path, run->state.scenario, run->state.log_bytes);
    return fault ? refuse(run, RUN_USAGE, "%s: %s", run->log_path, fault) : RUN_DONE;
}

static enum run_outcome open_log(slotted_run *run)
{
    enum run_outcome outcome = run->state.log_bytes > 0 ? resume_log(run) : begin_log(run);
    if (outcome == RUN_DONE && run->checkpoint.path && run->log.file && !slotted_log_is_plain(&run->log))
        return refuse(run, RUN_USAGE, "%s: is no plain file (expected one that can be cut back when the run goes on)",
                      run->log_path);
    return outcome;
}

/* The end, too, can be gone on from: by a later end of the run, or to see the result again. */
static enum run_outcome save_end(slotted_run *run)
{
    if (!keeps_checkpoints(run))
        return RUN_DONE;
    run->saved = save(run);
    return run->saved ? RUN_DONE : run->unsaved ? refuse_checkpoint(run) : refuse_log(run);
}

enum run_outcome slotted_run_go(slotted_run *run)
{
    enum run_outcome outcome = RUN_DONE;
    int again;
    if (!(run->config.reduce == PN_PREEMPTIVE ? run->policy->preemptive : run->policy->nonpreemptive))
        return refuse_slot(run, PN_ERR_MODE);
    if (run->checkpoint.resume)
        outcome = take_state(run);
    if (outcome == RUN_DONE && run->log_path)
        outcome = open_log(run);
    if (outcome != RUN_DONE)
        return outcome;
    run->hooks = (pn_slotted_hooks){.policy = run->policy,
                                    .params = run->params,
                                    .on_finish = run->rows || run->log.file ? on_finish : NULL,
                                    .on_decision = run->log.file ? on_decision : NULL,
                                    .user = run};
    guess_room(run);
    if (run->checkpoint.resume) {
        run->config.jobs_max = run->state.jobs_max;
        run->config.runs_max = run->state.runs_max;
    }
    run->config.policy = run->policy;
    progress_start(&run->progress, run->label, run->quiet, progress_clock());
    run->progress.from = run->work->count != SOURCE_UNKNOWN ? run->state.fed : run->state.clock;
    do
        outcome = attempt(run, &again);
    while (again);
    progress_clear(&run->progress);
    run->interrupted |= interrupt_pending();
    if (outcome == RUN_DONE)
        outcome = save_end(run);
    if (outcome == RUN_DONE && run->log.file && !run->interrupted)
        slotted_log_end(&run->log, run->totals.last_finish, pn_slotted_digest(run->sim));
    slotted_log_close(&run->log);
    if (outcome == RUN_DONE && run->log.broken)
        return refuse_log(run);
    if (outcome == RUN_DONE && run->tight && run->all_done && !run->interrupted && run->totals.submitted > 0)
        outcome = bound_tightly(run);
    return outcome;
}

void slotted_run_free(slotted_run *run)
{
    slotted_log_close(&run->log);
    job_list_free(&run->jobs);
    free(run->workspace);
    free(run->block);
    run->workspace = run->block = NULL;
    run->sim = NULL;
}
