/* The run of the cluster model: advances to the millisecond before each submission, submits, and
 * at the end runs until every job has ended or nothing can happen any more.
 *
 * Four tables of the kernel may be too small. Which of them a job does not fit into follows from
 * what it needs and what is held, so each grows when it has to, and only then. Places of jobs may
 * also be short because some that have ended keep theirs: then a job that was submitted ahead has
 * none when it arrives. */
#include "run.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The first room for tasks, and for replicas and values, at most: a job may have millions. */
#define ROOM_FIRST_MOST ((uint64_t)1 << 18)

/* The first room for the slots' times that are recorded with jobs, in all. */
#define RECORDS_FIRST_MOST ((uint64_t)1 << 22)

/* So many attempts that were killed or failed without one that ended well, and a policy is taken
 * for one that never ends. */
#define UNDONE_MOST 1000000

/* Returns the cluster_run that begins with this run. */
static cluster_run *cluster(run_base *run)
{
    return (cluster_run *)run;
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum row_places {
    SUBMIT,
    FIRST_MAP_START,
    MAP_FINISH,
    FIRST_REDUCE_START,
    FINISH,
    WAITING_TIME,
    EXECUTION_TIME,
    MAKESPAN,
    LOCAL_MAPS,
    COLOCATED_REDUCES,
    KILLS,
    SLOT_MS,
    STATE,
    DEADLINE,
    DEADLINE_MET,
    PROMISE,
    ESTIMATE,
    ROW_PLACES
};

static const char *const row_names[] = {
    "submit",       "first_map_start", "map_finish", "first_reduce_start", "finish",
    "waiting_time", "execution_time",  "makespan",   "local_maps",         "colocated_reduces",
    "kills",        "slot_ms",         "state",      "deadline",           "deadline_met",
    "promise",      "estimate",        NULL};
/* as enum pn_scheduler_state */
static const char *const states[] = {"unfinished", "finished", "failed", "rejected", NULL};
static const char *const booleans[] = {"false", "true", NULL};
static const char *const *const row_words[ROW_PLACES] = {
    [STATE] = states, [DEADLINE_MET] = booleans};

const row_shape cluster_rows = {.names = row_names,
                                .known = 1,
                                .count = ROW_PLACES,
                                .main = MAKESPAN,
                                .partial = 1,
                                .words = row_words};

_Static_assert(ROW_PLACES <= ROW_VALUES_MAX, "rows have room for these values");
_Static_assert(PN_SCHEDULER_NEVER == ROW_NONE,
               "moments that have not come are values that are not there");

/* Returns the time from one moment to another, when both have been reached. */
static uint64_t between(uint64_t from, uint64_t to)
{
    return from == PN_SCHEDULER_NEVER || to == PN_SCHEDULER_NEVER ? ROW_NONE : to - from;
}

/* Returns whether a job that was taken has met its deadline; nothing where it has none, or may yet
 * do so: the run executed the instants before `end`. */
static uint64_t is_met(const pn_scheduler_record *job, uint64_t done, uint64_t end)
{
    if (job->deadline == 0 || job->state == PN_SCHEDULER_REJECTED)
        return ROW_NONE;
    if (job->state == PN_SCHEDULER_UNFINISHED && job->submit + job->deadline >= end)
        return ROW_NONE;
    return done != PN_SCHEDULER_NEVER && done - job->submit <= job->deadline;
}

/* Fills in what is known of a job: all that has happened so far. Only a job that is finished has a
 * makespan. */
static void fill_row(row *cell, const pn_scheduler_record *job, uint64_t end)
{
    uint64_t estimate = job->promise <= PN_INTEGER_MAX ? job->promise : ROW_NONE;
    uint64_t done = job->state == PN_SCHEDULER_FINISHED ? job->finish : PN_SCHEDULER_NEVER;
    const uint64_t values[ROW_PLACES] = {
        [SUBMIT] = job->submit,
        [FIRST_MAP_START] = job->first_map_start,
        [MAP_FINISH] = job->map_finish,
        [FIRST_REDUCE_START] = job->first_reduce_start,
        [FINISH] = job->finish,
        [WAITING_TIME] = between(job->submit, job->first_map_start),
        [EXECUTION_TIME] = between(job->first_map_start, done),
        [MAKESPAN] = between(job->submit, done),
        [LOCAL_MAPS] = job->local_maps,
        [COLOCATED_REDUCES] = job->colocated_reduces,
        [KILLS] = job->kills,
        [SLOT_MS] = job->slot_ms,
        [STATE] = job->state,
        [DEADLINE] = job->deadline > 0 ? job->deadline : ROW_NONE,
        [DEADLINE_MET] = is_met(job, done, end),
        [PROMISE] = job->state != PN_SCHEDULER_REJECTED ? estimate : ROW_NONE,
        [ESTIMATE] = estimate,
    };
    cell->finished = job->state == PN_SCHEDULER_FINISHED;
    for (int i = 0; i < ROW_PLACES; i++)
        cell->values[i].integer = values[i];
}

static void on_finish(void *user, const pn_scheduler_record *job)
{
    cluster_run *self = user;
    const pn_scheduler_config *config = &self->config.scheduler;
    if (self->run.rows)
        fill_row(rows_at(self->run.rows, (size_t)job->id - 1), job, PN_SCHEDULER_NEVER);
    if (job->state == PN_SCHEDULER_FINISHED && job->id > config->warmup_jobs &&
        job->submit >= config->warmup_ms)
        run_count_finish(&self->run, job->attributes, (double)(job->finish - job->submit));
}

/* Returns the time before which the run ends: no job of that time or later is submitted. */
static double end_of_run(const cluster_run *self)
{
    uint64_t most = self->config.max_time_ms;
    return most > 0 && (double)most < self->run.until ? (double)most : self->run.until;
}

/* Fills in the rows so far of jobs in the system. Those that were submitted ahead of their time
 * have nothing but their submission. */
static void fill_unfinished(cluster_run *self)
{
    const pn_scheduler *scheduler = pn_cluster_scheduler(self->run.sim);
    uint64_t end = self->run.interrupted ? self->totals.time : run_integer(end_of_run(self));
    pn_scheduler_record job;
    uint32_t place = PN_NO_JOB;
    for (size_t i = 0; i < self->run.rows->count; i++) {
        row *cell = rows_at(self->run.rows, i);
        if (cell->values[STATE].integer == ROW_NONE)
            cell->values[STATE].integer = PN_SCHEDULER_UNFINISHED;
    }
    while (pn_scheduler_next_record(scheduler, &place, &job) == PN_OK)
        fill_row(rows_at(self->run.rows, (size_t)job.id - 1), &job, end);
}

static void on_order(void *user, uint64_t time)
{
    cluster_run *self = user;
    run_ask(&self->run, (double)time);
}

static void on_event(void *user, const pn_scheduler_event *event)
{
    cluster_run *self = user;
    cluster_log_event(&self->run.log, event);
}

/* ---- what went wrong, in words --------------------------------------------------------------- */

/* Refuses a job that the kernel did not take. */
static enum run_outcome refuse_job(cluster_run *self, int status, uint64_t submit)
{
    unsigned long long id = self->state.shared.fed + 1, at = submit;
    run_base *run = &self->run;
    switch (status) {
    case PN_ERR_JOB:
        return run_refuse(run, RUN_USAGE,
                          "job %llu, submit %llu: a number is out of range, a block lies on a node "
                          "that does not exist or twice on "
                          "one, or it has reduces and the cluster no slot for them",
                          id, at);
    case PN_ERR_ARGUMENT:
        return run_refuse(run, RUN_USAGE, "job %llu, submit %llu: its group is out of range", id,
                          at);
    default:
        return run_refuse(run, RUN_FAILED, "job %llu, submit %llu: the kernel refuses it with %s",
                          id, at, pn_status_name(status));
    }
}

/* Refuses an instant that the kernel did not execute. */
static enum run_outcome refuse_instant(run_base *run, int status)
{
    const cluster_run *self = cluster(run);
    const pn_lua_policy *script = pn_lua_policy_behind_cluster(self->policy);
    const char *name = run->label;
    unsigned long long time = self->totals.time;
    if (status == PN_ERR_POLICY || status == PN_ERR_ARGUMENT ||
        (script && pn_lua_policy_message(script)[0] != '\0'))
        return run_refuse_policy(run, script);
    switch (status) {
    case PN_ERR_JOB: /* of a policy that says only when it begins that it needs deadlines */
        return run_refuse(run, RUN_USAGE, "job %llu has no deadline, and policy %s needs one",
                          (unsigned long long)self->totals.scheduler.submitted + 1, name);
    case RUN_IDLED:
        return run_refuse(run, RUN_FAILED,
                          "policy %s: the last %d attempts up to time %llu were killed or failed, "
                          "none ended well "
                          "(params: max_kills_per_task, attempt_fail_permille, max_time_ms)",
                          name, UNDONE_MOST, time);
    case PN_ERR_OVERFLOW:
        return run_refuse(run, RUN_FAILED, "after time %llu: a time or a total would pass 2^53",
                          time);
    default:
        return run_refuse(run, RUN_FAILED, "policy %s, after time %llu: the kernel stops with %s",
                          name, time, pn_status_name(status));
    }
}

/* ---- room ------------------------------------------------------------------------------------ */

/* Counts what the kernel will hold of the job; the machines of the bound hold it, too. */
static void count_needs(const cluster_run *self, const pn_cluster_job *job,
                        uint64_t needs[CLUSTER_TABLES])
{
    pn_cluster_needs job_needs = pn_cluster_needs_of(&self->config, job);
    needs[CLUSTER_JOBS] = 1;
    needs[CLUSTER_TASKS] = job_needs.tasks;
    needs[CLUSTER_REPLICAS] = job_needs.replicas;
    needs[CLUSTER_VALUES] = job_needs.values;
    needs[CLUSTER_BOUNDS] = (uint64_t)(self->bounds != 0);
}

static uint32_t *room_of(cluster_run *self, enum cluster_table table)
{
    return table == CLUSTER_JOBS ? &self->state.shared.jobs_max : &self->state.room[table];
}

/* Guesses as many places as the first jobs need, up to the first room for jobs: a small workload
 * never starts again. */
static void guess_rooms(cluster_run *self)
{
    source *work = self->run.work;
    uint64_t sums[CLUSTER_TABLES] = {0}, needs[CLUSTER_TABLES];
    pn_cluster_job job;
    work->rewind(work);
    while (sums[CLUSTER_JOBS] < self->state.shared.jobs_max &&
           source_next(work, &job) == SOURCE_JOB) {
        count_needs(self, &job, needs);
        for (enum cluster_table table = 0; table < CLUSTER_TABLES; table++)
            sums[table] += needs[table];
    }
    for (enum cluster_table table = CLUSTER_TASKS; table < CLUSTER_TABLES; table++) {
        uint64_t room = sums[table] < ROOM_FIRST_MOST ? sums[table] : ROOM_FIRST_MOST;
        self->state.room[table] = room > 0 || table >= CLUSTER_VALUES ? (uint32_t)room : 1;
    }
}

/* Places of jobs whose slots are recorded with them are large: fewer will do at first. */
static void limit_room(cluster_run *self)
{
    const pn_scheduler_config *config = &self->config.scheduler;
    uint32_t *jobs = &self->state.shared.jobs_max;
    uint64_t slots = 1, most;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_scheduler_nodes *group = &config->nodes[i];
        slots += (uint64_t)group->count * ((uint64_t)group->map_slots + group->reduce_slots);
    }
    most = RECORDS_FIRST_MOST / slots > 16 ? RECORDS_FIRST_MOST / slots : 16;
    if (*jobs > most)
        *jobs = (uint32_t)most;
}

static int make_room(run_base *run, enum run_outcome *outcome)
{
    static const char *const what[CLUSTER_TABLES] = {"jobs", "tasks", "replicas of inputs",
                                                     "numbers in lists of jobs",
                                                     "jobs, for the lower bound,"};
    cluster_run *self = cluster(run);
    int status = PN_ERR_FULL, refused = self->wanted[CLUSTER_JOBS] > 0;
    pn_cluster_totals_get(self->run.sim, &self->totals);
    const uint64_t held[CLUSTER_TABLES] = {self->totals.jobs_held, self->totals.tasks_held,
                                           self->totals.replicas_held, self->totals.values_held};
    for (enum cluster_table table = 0; table < CLUSTER_BOUNDS && status != RUN_STOPPED; table++)
        if (held[table] + self->wanted[table] > *room_of(self, table))
            status = run_make_room_for(run, room_of(self, table), held[table] + self->wanted[table],
                                       what[table], outcome);
    /* The machines of the bound do not say what they hold, nor an instant what jobs that are over
     * hold. */
    if (status == PN_ERR_FULL)
        status = refused ? run_make_room_for(run, room_of(self, CLUSTER_BOUNDS), 0,
                                             what[CLUSTER_BOUNDS], outcome)
                         : run_make_room_for(run, room_of(self, CLUSTER_JOBS), 0,
                                             "jobs, also such as are over,", outcome);
    return status;
}

/* ---- the block ------------------------------------------------------------------------------- */

/* Returns whether the policy may suspend attempts: at most all tasks are. */
static int may_suspend(const cluster_run *self)
{
    const pn_lua_policy *script = pn_lua_policy_behind_cluster(self->policy);
    if (script)
        return pn_lua_policy_suspends(script);
    for (int i = 0; i < self->policy->param_count; i++)
        if (strcmp(self->policy->params[i].name, "preemption") == 0)
            return self->params[i] != 0.0;
    return 0;
}

static void prepare(run_base *run)
{
    cluster_run *self = cluster(run);
    pn_scheduler_config *scheduler = &self->config.scheduler;
    scheduler->jobs_max = self->state.shared.jobs_max;
    scheduler->tasks_max = self->state.room[CLUSTER_TASKS];
    scheduler->replicas_max = self->state.room[CLUSTER_REPLICAS];
    scheduler->suspended_max = may_suspend(self) ? scheduler->tasks_max : 0;
    scheduler->copies = self->policy->copy != NULL;
    self->config.values_max = self->state.room[CLUSTER_VALUES];
    self->config.bounds_max = self->bounds ? self->state.room[CLUSTER_BOUNDS] : 0;
}

static int start(run_base *run, int fresh)
{
    cluster_run *self = cluster(run);
    int status = PN_OK;
    memset(self->wanted, 0, sizeof self->wanted);
    self->done = self->undone = 0;
    for (size_t i = 0; fresh && status == PN_OK && i < self->failure_count; i++) {
        const pn_cluster_failure *failure = &self->failures[i];
        status = pn_cluster_fail(run->sim, failure->time, failure->node, failure->recover);
    }
    return status;
}

static enum run_outcome begin(run_base *run)
{
    cluster_run *self = cluster(run);
    pn_scheduler_config *scheduler = &self->config.scheduler;
    self->hooks = (pn_cluster_hooks){.policy = self->policy,
                                     .params = self->params,
                                     .on_finish = run->rows || run_weighs(run) ? on_finish : NULL,
                                     .on_event = run->log.file ? on_event : NULL,
                                     .on_order = run->questions.deciding ? on_order : NULL,
                                     .user = self};
    scheduler->policy = self->policy;
    scheduler->replicas_of_map = cluster_source_of(run->work)->replicas > 1
                                     ? cluster_source_of(run->work)->replicas
                                     : 1;
    self->config.failures_max = (uint32_t)self->failure_count;
    if (run->checkpoint.resume)
        return RUN_DONE;
    if (self->policy->admission.finishes == PN_SCHEDULER_FINISHES_RECORDED)
        limit_room(self);
    guess_rooms(self);
    return RUN_DONE;
}

static void look(run_base *run, run_place *place)
{
    cluster_run *self = cluster(run);
    pn_cluster_totals_get(self->run.sim, &self->totals);
    const pn_scheduler_totals *jobs = &self->totals.scheduler;
    snprintf(place->time, sizeof place->time, "\"time\":%llu",
             (unsigned long long)self->totals.time);
    place->at = (double)self->totals.time;
    place->submitted = self->totals.submitted;
    place->finished = jobs->finished;
    place->done = jobs->finished + jobs->failed + jobs->rejected;
    place->total = run->work->count != SOURCE_UNKNOWN ? run->work->count : 0;
    place->unit = "jobs";
}

/* ---- the timeline ---------------------------------------------------------------------------- */

enum { SERIES = 4 };

static uint32_t timeline_series(const run_base *run)
{
    (void)run;
    return SERIES;
}

/* Records what holds since the last instant, at this time where that is later. */
static void record(run_base *run, double time)
{
    cluster_run *self = cluster(run);
    uint64_t at = run_integer(time);
    pn_timeline_about info;
    pn_scheduler_levels levels;
    pn_cluster_levels_get(self->run.sim, &levels);
    const uint64_t values[SERIES] = {levels.jobs, levels.queue, levels.map, levels.reduce};
    pn_timeline_about_get(self->run.timeline, &info);
    if (!info.started && levels.jobs == 0)
        return; /* time begins with the first job */
    pn_timeline_record(self->run.timeline, levels.time > at ? levels.time : at, values);
}

/* ---- instants -------------------------------------------------------------------------------- */

static int execute(run_base *run, double until, uint64_t instants)
{
    return pn_cluster_run(run->sim, &cluster(run)->hooks, run_integer(until), instants);
}

static int idles(run_base *run)
{
    cluster_run *self = cluster(run);
    const pn_scheduler_totals *totals = &self->totals.scheduler;
    uint64_t undone = totals->kills + totals->failures + totals->lost + totals->suspensions;
    uint64_t running = pn_scheduler_running_tasks(pn_cluster_scheduler(run->sim));
    uint64_t done = totals->launches + totals->resumptions - undone - running;
    if (done != self->done) {
        self->done = done;
        self->undone = undone;
    }
    return undone - self->undone >= UNDONE_MOST;
}

static int over(const run_base *run)
{
    return run->fed_all && pn_cluster_over(run->sim);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int submit(cluster_run *self, pn_cluster_job *job, enum run_outcome *outcome)
{
    uint32_t group = job->group;
    int status;
    if (self->config.scheduler.groups_max == 0)
        job->group = 0; /* groups were not asked for */
    status = pn_cluster_submit(self->run.sim, job, NULL);
    if (status == PN_ERR_FULL) {
        count_needs(self, job, self->wanted);
        return status;
    }
    if (status < 0) {
        *outcome = refuse_job(self, status, job->submit);
        return RUN_STOPPED;
    }
    pn_cluster_totals_get(self->run.sim, &self->totals);
    pn_batches_add(&self->state.shared.in_system, (double)self->totals.scheduler.in_system);
    status = run_count_job(&self->run, job, (row_value){.integer = job->submit}, group, outcome);
    /* The kernel takes a job in one piece: a large one counts as many. */
    self->run.unpolled += 1 + (job->maps + job->reduces) / 1024;
    if (status == PN_OK && self->run.unpolled >= self->run.poll_every)
        status = run_poll(&self->run);
    return status;
}

static int skip(run_base *run)
{
    pn_cluster_job job;
    return source_next(run->work, &job);
}

/* Finds what stalls at the end of a run that nothing but what is left in it has ended: no task
 * runs, so all slots that are up are free. */
static enum cluster_stall find_stall(const cluster_run *self)
{
    const pn_scheduler *scheduler = pn_cluster_scheduler(self->run.sim);
    uint32_t nodes = pn_scheduler_node_count(scheduler), place = PN_NO_JOB;
    int map_slot = pn_scheduler_next_free(scheduler, PN_SCHEDULER_MAP, 0) < nodes;
    int reduce_slot = pn_scheduler_next_free(scheduler, PN_SCHEDULER_REDUCE, 0) < nodes;
    pn_scheduler_record job;
    if (pn_scheduler_jobs(scheduler) == 0 || pn_scheduler_running_tasks(scheduler) > 0)
        return CLUSTER_NOT_STALLED;
    while (pn_scheduler_next_record(scheduler, &place, &job) == PN_OK)
        if (job.map_finish == PN_SCHEDULER_NEVER ? map_slot : reduce_slot)
            return CLUSTER_WITHHELD;
    if (!map_slot && !reduce_slot)
        return CLUSTER_NO_SLOT;
    return map_slot ? CLUSTER_NO_REDUCE_SLOT : CLUSTER_NO_MAP_SLOT;
}

static int feed(run_base *run, enum run_outcome *outcome)
{
    cluster_run *self = cluster(run);
    double end = end_of_run(self);
    pn_cluster_job job;
    int status, answer;
    for (;;) {
        answer = source_next(run->work, &job);
        if (answer != SOURCE_JOB || (double)job.submit >= end)
            break;
        status = job.submit > 0 ? run_advance(run, (double)(job.submit - 1)) : PN_OK;
        if (status >= 0)
            status = submit(self, &job, outcome);
        if (status < 0)
            return status;
    }
    /* While jobs have still to arrive, what nodes do until the end happens, also when no job is
     * there (CL4). */
    status = PN_OK;
    if (answer == SOURCE_JOB) {
        status = run_advance(run, end - 1.0);
        if (status >= 0)
            status = pn_cluster_wait(self->run.sim, &self->hooks, run_integer(end - 1.0),
                                     UINT64_MAX);
    } else {
        status = run_source_ended(run, answer, outcome);
    }
    if (status >= 0)
        status = run_advance(run, run->until - 1.0);
    if (status == PN_OK && run->timeline && end < (double)INFINITY)
        record(run, end);
    run->all_done = status == PN_DONE && run->fed_all;
    if (run->all_done && end == (double)INFINITY)
        self->stall = find_stall(self);
    return status;
}

/* Settles jobs of the workload that have not ended; those of a source without a number count when
 * they are submitted. */
static void settle(cluster_run *self)
{
    const pn_scheduler_totals *totals = &self->totals.scheduler;
    uint64_t jobs = self->run.work->count != SOURCE_UNKNOWN ? self->run.work->count
                                                            : self->totals.submitted;
    pn_cluster_totals_get(self->run.sim, &self->totals);
    self->unfinished = jobs - totals->finished - totals->failed - totals->rejected;
    if (self->run.rows)
        fill_unfinished(self);
}

/* ---- the log --------------------------------------------------------------------------------- */

static int hash(run_base *run, uint64_t *hash)
{
    const cluster_run *self = cluster(run);
    hash_policy policy = {self->policy->name, self->policy->params, self->params,
                          self->policy->param_count};
    *hash = cluster_hash_settings(&self->config, self->failures, self->failure_count);
    return hash_scenario(hash, &cluster_hash, &policy, run->work);
}

static void start_log(run_base *run)
{
    const cluster_run *self = cluster(run);
    cluster_log_start(&run->log, &self->config, self->failures, self->failure_count, self->policy,
                      self->params, self->state.shared.scenario);
}

/* Ends the log, after Ctrl-C as if the run had been asked to end behind its last instant; nothing
 * is said of one that had none. */
static void end_log(run_base *run)
{
    cluster_run *self = cluster(run);
    settle(self);
    if (run->interrupted && self->totals.instants == 0)
        return;
    uint64_t until = run->interrupted ? self->totals.scheduler.last_logged + 1
                                      : run_integer(run->until);
    int whole = self->unfinished == 0 && run->fed_all;
    cluster_log_end(&run->log, &(cluster_log_last){.end = self->totals.scheduler.last_finish,
                                                   .unfinished = self->unfinished,
                                                   .until = whole ? PN_SCHEDULER_NEVER : until,
                                                   .digest = pn_cluster_digest(self->run.sim)});
}

static enum run_outcome conclude(run_base *run)
{
    cluster_run *self = cluster(run);
    if (self->run.sim)
        settle(self);
    if (self->run.sim && self->run.all_done)
        self->lower_bound = pn_cluster_bound(self->run.sim);
    return RUN_DONE;
}

/* ---- all of it ------------------------------------------------------------------------------- */

const run_model cluster_model = {
    .kernel = pn_cluster_model,
    .run_bytes = sizeof(cluster_run),
    .config_at = offsetof(cluster_run, config),
    .state_at = offsetof(cluster_run, state),
    .state_bytes = sizeof(cluster_run_state),
    .servers = "nodes",
    .room_most = 4096,
    .begin = begin,
    .prepare = prepare,
    .start = start,
    .feed = feed,
    .execute = execute,
    .idles = idles,
    .over = over,
    .look = look,
    .refuse = refuse_instant,
    .timeline_clock = PN_TIMELINE_INTEGER,
    .timeline_series = timeline_series,
    .record = record,
    .hash = hash,
    .start_log = start_log,
    .end_log = end_log,
    .logs_interrupted = 1,
    .skip = skip,
    .make_room = make_room,
    .conclude = conclude,
};
