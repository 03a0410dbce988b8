/* The run of the dag model: advances to the millisecond before each arrival, hands over the job,
 * and at the end runs until every job has finished or nothing can happen any more.
 *
 * Several tables of the kernel may be too small. Which of them a job does not fit into follows from
 * what it needs and what is held, and which a decision does not from what is held, so each grows
 * when it has to, and only then. */
#include "run.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first room of a table, at most: a job may have millions of tasks. */
#define ROOM_FIRST_MOST ((uint64_t)1 << 18)

/* So many attempts that were killed or lost without one that ended well, and a policy is taken for
 * one that never ends. */
#define UNDONE_MOST 1000000

/* Returns the dag_run that begins with this run. */
static dag_run *dag(run_base *run)
{
    return (dag_run *)run;
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum row_places {
    ARRIVAL,
    FIRST_START,
    FINISH,
    JCT,
    WAITING,
    ALONE,
    SLOWDOWN,
    DEADLINE,
    DEADLINE_MET,
    KILLS,
    LOST,
    STATE,
    ROW_PLACES
};

static const char *const row_names[] = {
    "arrival",  "first_start",  "finish", "jct",  "waiting", "alone", "slowdown_permille",
    "deadline", "deadline_met", "kills",  "lost", "state",   NULL};
/* as enum pn_dispatch_state */
static const char *const states[] = {"unfinished", "finished", NULL};
static const char *const booleans[] = {"false", "true", NULL};
static const char *const *const row_words[ROW_PLACES] = {
    [DEADLINE_MET] = booleans, [STATE] = states};
static const char *const entry[] = {"ready", "start", "finish", NULL};

const row_shape dag_rows = {.names = row_names,
                            .known = 1,
                            .count = ROW_PLACES,
                            .main = JCT,
                            .partial = 1,
                            .words = row_words,
                            .list = "stages",
                            .entry = entry};

_Static_assert(ROW_PLACES <= ROW_VALUES_MAX, "rows have room for these values");
_Static_assert(PN_DISPATCH_NEVER == ROW_NONE,
               "moments that have not come are values that are not there");

/* Returns the time from one moment to another, when both have been reached. */
static uint64_t between(uint64_t from, uint64_t to)
{
    return from == PN_DISPATCH_NEVER || to == PN_DISPATCH_NEVER ? ROW_NONE : to - from;
}

static void fill_row(row *cell, const pn_dag_record *record)
{
    const pn_dispatch_record *job = record->job;
    int finished = job->state == PN_DISPATCH_FINISHED, timed = finished && job->deadline > 0;
    const uint64_t values[ROW_PLACES] = {
        [ARRIVAL] = job->arrival,
        [FIRST_START] = job->first_start,
        [FINISH] = job->finish,
        [JCT] = between(job->arrival, job->finish),
        [WAITING] = between(job->arrival, job->first_start),
        [ALONE] = record->alone,
        [SLOWDOWN] = record->slowdown_permille,
        [DEADLINE] = job->deadline > 0 ? job->deadline : ROW_NONE,
        [DEADLINE_MET] = timed ? record->deadline_met : ROW_NONE,
        [KILLS] = job->kills,
        [LOST] = job->lost,
        [STATE] = job->state,
    };
    cell->finished = (uint32_t)finished;
    for (int i = 0; i < ROW_PLACES; i++)
        cell->values[i].integer = values[i];
}

/* Makes room for the times of so many stages; 0 when memory is short. */
static int has_times(dag_run *self, uint32_t stages)
{
    size_t wanted = 3 * (size_t)stages;
    if (wanted <= self->times_room)
        return 1;
    uint64_t *larger = realloc(self->times, wanted * sizeof *larger);
    if (!larger)
        return 0;
    self->times = larger;
    self->times_room = wanted;
    return 1;
}

static void list_stages(dag_run *self, size_t index, const pn_dispatch_times *stages,
                        uint32_t count)
{
    uint64_t *time = self->times;
    if (!has_times(self, count)) {
        self->short_of_memory = 1;
        return;
    }
    time = self->times;
    for (uint32_t i = 0; i < count; i++) {
        *time++ = stages[i].ready;
        *time++ = stages[i].start;
        *time++ = stages[i].finish;
    }
    if (!rows_add_list(self->run.rows, index, self->times, count))
        self->short_of_memory = 1;
}

static void on_finish(void *user, const pn_dag_record *record)
{
    dag_run *self = user;
    const pn_dispatch_record *job = record->job;
    if (self->run.rows) {
        fill_row(rows_at(self->run.rows, (size_t)job->id - 1), record);
        list_stages(self, (size_t)job->id - 1, job->stages, job->stage_count);
    }
    if (job->state == PN_DISPATCH_FINISHED && job->id > self->settings.config.warmup_jobs &&
        job->arrival >= self->settings.config.warmup_ms)
        run_count_finish(&self->run, job->attributes, (double)(job->finish - job->arrival));
}

/* Fills in the row so far of a job that has arrived; what it would take alone is not told before
 * its end. */
static int fill_held(dag_run *self, uint32_t place, const pn_dispatch_record *job)
{
    pn_dag_record record = {
        .job = job, .alone = PN_DISPATCH_NEVER, .slowdown_permille = PN_DISPATCH_NEVER};
    pn_dispatch_times *times = malloc(job->stage_count * sizeof *times);
    if (!times)
        return 0;
    fill_row(rows_at(self->run.rows, (size_t)job->id - 1), &record);
    if (pn_dispatch_times_get(pn_dag_dispatch(self->run.sim), place, times) == PN_OK)
        list_stages(self, (size_t)job->id - 1, times, job->stage_count);
    free(times);
    return 1;
}

/* Fills in the rows of a run that was ended before nothing could happen any more: jobs that were
 * handed over ahead of their time have nothing but their arrival. */
static void fill_unfinished(dag_run *self)
{
    const pn_dispatch *core = pn_dag_dispatch(self->run.sim);
    pn_dispatch_record job;
    uint32_t place = PN_NO_JOB;
    for (size_t i = 0; i < self->run.rows->count; i++) {
        row *cell = rows_at(self->run.rows, i);
        if (cell->values[STATE].integer == ROW_NONE)
            cell->values[STATE].integer = PN_DISPATCH_UNFINISHED;
    }
    while (self->totals.unfinished == 0 && pn_dispatch_next_record(core, &place, &job) == PN_OK)
        if (!fill_held(self, place, &job))
            self->short_of_memory = 1;
}

/* Begins the log. The first line waits for the first event: a policy in Lua may choose its order by
 * its parameters when it is bound. */
static void begin_log(dag_run *self)
{
    const pn_dispatch_order *order = pn_dispatch_order_of(pn_dag_dispatch(self->run.sim));
    if (self->unbegun)
        dag_log_start(&self->run.log, &self->settings, self->policy,
                      order ? order : &self->policy->order, self->params,
                      self->state.shared.scenario);
    self->unbegun = 0;
}

static void on_order(void *user, uint64_t time)
{
    dag_run *self = user;
    run_ask(&self->run, (double)time);
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    dag_run *self = user;
    begin_log(self);
    if (event->event == PN_DISPATCH_ARRIVE)
        dag_log_arrival(&self->run.log, pn_dag_dispatch(self->run.sim), event,
                        self->settings.config.dispatch.resources);
    else
        dag_log_event(&self->run.log, event);
}

/* ---- what went wrong, in words --------------------------------------------------------------- */

/* Returns how many numbers the demand has, without zeros behind the last resource. */
static uint32_t length_of(const uint64_t demand[PN_DISPATCH_RESOURCES_MAX], uint32_t resources)
{
    uint32_t length = PN_DISPATCH_RESOURCES_MAX;
    while (length > resources && demand[length - 1] == 0)
        length--;
    return length;
}

/* Refuses with what the kernel says is wrong with a job. That its demands are those of another
 * cluster is said first. */
static enum run_outcome refuse_fault(dag_run *self, const pn_dag_job *job)
{
    unsigned long long id = self->state.shared.fed + 1;
    uint32_t stage = UINT32_MAX, resources = self->settings.config.dispatch.resources;
    for (uint32_t i = 0; i < job->stage_count; i++) {
        uint32_t length = length_of(job->stages[i].demand, resources);
        if (length > resources)
            return run_refuse(&self->run, RUN_USAGE,
                              "job %llu, stage %lu: demand: has %lu values (expected %lu, one for "
                              "each resource: the settings resources and nodes say which)",
                              id, (unsigned long)i, (unsigned long)length,
                              (unsigned long)resources);
    }
    const char *fault = pn_dag_fault(self->run.sim, job, &stage);
    if (stage != UINT32_MAX)
        return run_refuse(&self->run, RUN_USAGE, "job %llu, stage %lu: %s", id,
                          (unsigned long)stage, fault ? fault : "is refused");
    return run_refuse(&self->run, RUN_USAGE, "job %llu: %s", id, fault ? fault : "is refused");
}

/* Refuses a job that the kernel did not take. */
static enum run_outcome refuse_job(dag_run *self, int status, const pn_dag_job *job)
{
    unsigned long long id = self->state.shared.fed + 1, at = job->arrival;
    run_base *run = &self->run;
    switch (status) {
    case PN_ERR_JOB:
        return refuse_fault(self, job);
    case PN_ERR_ORDER:
    case PN_ERR_LATE:
        return run_refuse(run, RUN_USAGE, "job %llu: arrives at %llu, before the job ahead of it",
                          id, at);
    case PN_ERR_OVERFLOW:
        return run_refuse(run, RUN_FAILED, "job %llu, arrival %llu: a time would pass 2^53", id,
                          at);
    case PN_ERR_ARGUMENT:
        return run_refuse(run, RUN_USAGE,
                          "job %llu, arrival %llu: its queue or its group is out of range", id, at);
    default:
        return run_refuse(run, RUN_FAILED, "job %llu, arrival %llu: the kernel refuses it with %s",
                          id, at, pn_status_name(status));
    }
}

/* Refuses an instant that the kernel did not execute. */
static enum run_outcome refuse_instant(run_base *run, int status)
{
    const dag_run *self = dag(run);
    const pn_lua_policy *script = pn_lua_policy_behind_dag(self->policy);
    const char *name = run->label;
    unsigned long long time = self->totals.time;
    if (status == PN_ERR_POLICY &&
        self->settings.config.dispatch.executors == PN_DISPATCH_EXECUTORS_STICKY)
        return run_refuse(run, RUN_FAILED,
                          "policy %s: executors=sticky needs a policy that orders jobs, such as "
                          "fifo, fair or sjf-cp: not queues, not nodes, and without kills",
                          name);
    if (status == PN_ERR_POLICY || status == PN_ERR_ARGUMENT ||
        (script && pn_lua_policy_message(script)[0] != '\0'))
        return run_refuse_policy(run, script);
    switch (status) {
    case PN_ERR_INFEASIBLE:
        return run_refuse(run, RUN_FAILED,
                          "policy %s, at time %llu: launched or killed what it cannot", name, time);
    case RUN_IDLED:
        return run_refuse(run, RUN_FAILED,
                          "policy %s: the last %d attempts up to time %llu were killed or lost, "
                          "none ended well (params: max_kills_per_task, max_time_ms)",
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

/* Counts what the kernel will hold of the job; the machines of the bounds hold it, too. */
static void count_needs(const dag_run *self, const pn_dag_job *job, uint64_t needs[DAG_TABLES])
{
    pn_dag_needs job_needs = pn_dag_needs_of(&self->settings.config, job);
    memset(needs, 0, DAG_TABLES * sizeof *needs);
    needs[DAG_JOBS] = 1;
    needs[DAG_STAGES] = job_needs.stages;
    needs[DAG_EDGES] = job_needs.edges;
    needs[DAG_DURATIONS] = job_needs.durations;
    needs[DAG_ATTEMPTS] = job_needs.attempts;
    needs[DAG_BOUNDS] = (uint64_t)(self->bounds != 0);
}

static uint32_t *room_of(dag_run *self, enum dag_table table)
{
    return table == DAG_JOBS ? &self->state.shared.jobs_max : &self->state.room[table];
}

/* Guesses as many places as the first jobs need, up to the first room for jobs: a small workload
 * never starts again. */
static void guess_rooms(dag_run *self)
{
    source *work = self->run.work;
    uint64_t sums[DAG_TABLES] = {0}, needs[DAG_TABLES];
    pn_dag_job job;
    work->rewind(work);
    while (sums[DAG_JOBS] < self->state.shared.jobs_max && source_next(work, &job) == SOURCE_JOB) {
        count_needs(self, &job, needs);
        for (enum dag_table table = 0; table < DAG_TABLES; table++)
            sums[table] += needs[table];
    }
    for (enum dag_table table = DAG_STAGES; table < DAG_TABLES; table++)
        self->state.room[table] = (uint32_t)(sums[table] < ROOM_FIRST_MOST ? sums[table]
                                                                           : ROOM_FIRST_MOST);
    for (enum dag_table table = DAG_STAGES; table <= DAG_ATTEMPTS; table++)
        if (self->state.room[table] == 0)
            self->state.room[table] = 1;
}

/* Makes room when a job was refused, or an instant: then attempts have no place, or the demands of
 * a job that was taken, or the job itself in the virtual cluster. */
static int make_room(run_base *run, enum run_outcome *outcome)
{
    dag_run *self = dag(run);
    int status = PN_ERR_FULL, refused = self->wanted[DAG_JOBS] > 0;
    const char *const what[DAG_TABLES] = {refused ? "jobs" : "jobs, for the virtual cluster,",
                                          "stages",
                                          "parents of stages",
                                          "durations in lists of jobs",
                                          "attempts",
                                          "pairs of queue and demand",
                                          "jobs, for the bounds,"};
    pn_dag_totals_get(self->run.sim, &self->totals);
    const pn_dispatch_totals *core = &self->totals.dispatch;
    const uint64_t held[DAG_TABLES] = {refused ? self->totals.jobs_held
                                               : (uint64_t)core->virtual_held + 1,
                                       self->totals.stages_held,
                                       self->totals.edges_held,
                                       self->totals.durations_held,
                                       (uint64_t)core->attempts_held + 1,
                                       (uint64_t)core->classes_held + 1};
    self->wanted[DAG_ATTEMPTS] = 0;
    self->state.room[DAG_CLASSES] = core->classes_max;
    for (enum dag_table table = 0; table < DAG_BOUNDS && status != RUN_STOPPED; table++)
        if (held[table] + self->wanted[table] > *room_of(self, table))
            status = run_make_room_for(run, room_of(self, table), held[table] + self->wanted[table],
                                       what[table], outcome);
    /* The machines of the bounds do not say what they hold, nor an instant how many pairs a job
     * would have added. */
    enum dag_table last = refused ? DAG_BOUNDS : DAG_CLASSES;
    if (status == PN_ERR_FULL)
        status = run_make_room_for(run, room_of(self, last), 0, what[last], outcome);
    return status;
}

/* ---- the block ------------------------------------------------------------------------------- */

static void prepare(run_base *run)
{
    dag_run *self = dag(run);
    pn_dag_config *config = &self->settings.config;
    const uint32_t *room = self->state.room;
    config->dispatch.jobs_max = self->state.shared.jobs_max;
    config->dispatch.stages_max = room[DAG_STAGES];
    config->dispatch.edges_max = room[DAG_EDGES];
    config->dispatch.attempts_max = room[DAG_ATTEMPTS];
    config->dispatch.classes_max = room[DAG_CLASSES];
    config->durations_max = room[DAG_DURATIONS];
    config->bounds_max = self->bounds ? room[DAG_BOUNDS] : 0;
}

static int start(run_base *run, int fresh)
{
    dag_run *self = dag(run);
    const dag_settings *settings = &self->settings;
    int status = PN_OK;
    memset(self->wanted, 0, sizeof self->wanted);
    self->done = self->undone = 0;
    for (size_t i = 0; fresh && status == PN_OK && i < settings->failure_count; i++) {
        const pn_dag_failure *failure = &settings->failures[i];
        status = pn_dag_fail(run->sim, failure->time, failure->node, failure->recover);
    }
    return status;
}

static enum run_outcome begin(run_base *run)
{
    dag_run *self = dag(run);
    self->hooks = (pn_dag_hooks){.policy = self->policy,
                                 .params = self->params,
                                 .on_finish = run->rows || run_weighs(run) ? on_finish : NULL,
                                 .on_event = run->log.file ? on_event : NULL,
                                 .on_order = run->questions.deciding ? on_order : NULL,
                                 .user = self};
    self->settings.config.dispatch.policy = self->policy;
    self->settings.config.failures_max = (uint32_t)self->settings.failure_count;
    if (!run->checkpoint.resume)
        guess_rooms(self);
    return RUN_DONE;
}

static void look(run_base *run, run_place *place)
{
    dag_run *self = dag(run);
    pn_dag_totals_get(self->run.sim, &self->totals);
    snprintf(place->time, sizeof place->time, "\"time\":%llu",
             (unsigned long long)self->totals.time);
    place->at = (double)self->totals.time;
    place->submitted = self->totals.submitted;
    place->finished = place->done = self->totals.dispatch.finished;
    place->total = run->work->count != SOURCE_UNKNOWN ? run->work->count : 0;
    place->unit = "jobs";
}

static void release(run_base *run)
{
    free(dag(run)->times);
    dag(run)->times = NULL;
}

/* ---- the timeline ---------------------------------------------------------------------------- */

/* Before those of the resources. */
enum { SERIES_FIXED = 3, SERIES = SERIES_FIXED + PN_DISPATCH_RESOURCES_MAX };

static uint32_t timeline_series(const run_base *run)
{
    return SERIES_FIXED + ((const dag_run *)run)->settings.config.dispatch.resources;
}

/* Records what holds since the last instant, at this time where that is later. */
static void record(run_base *run, double time)
{
    dag_run *self = dag(run);
    uint64_t at = run_integer(time);
    pn_timeline_about info;
    pn_dispatch_levels levels;
    pn_dag_levels_get(self->run.sim, &levels);
    uint64_t values[SERIES] = {levels.jobs, levels.queue, levels.tasks};
    memcpy(&values[SERIES_FIXED], levels.in_use, sizeof levels.in_use);
    pn_timeline_about_get(self->run.timeline, &info);
    if (!info.started && levels.jobs == 0)
        return; /* time begins with the first job */
    pn_timeline_record(self->run.timeline, levels.time > at ? levels.time : at, values);
}

/* ---- instants -------------------------------------------------------------------------------- */

static int execute(run_base *run, double until, uint64_t instants)
{
    return pn_dag_run(run->sim, &dag(run)->hooks, run_integer(until), instants);
}

static int idles(run_base *run)
{
    dag_run *self = dag(run);
    const pn_dispatch_totals *totals = &self->totals.dispatch;
    uint64_t undone = totals->kills + totals->lost;
    if (totals->ends != self->done) {
        self->done = totals->ends;
        self->undone = undone;
    }
    return undone - self->undone >= UNDONE_MOST;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int submit(dag_run *self, pn_dag_job *job, enum run_outcome *outcome)
{
    uint32_t group = job->group;
    int status;
    if (self->settings.config.groups_max == 0)
        job->group = 0; /* groups were not asked for */
    job->queue = self->queue_of[job->queue];
    status = pn_dag_submit(self->run.sim, job, NULL);
    if (status == PN_ERR_FULL) {
        count_needs(self, job, self->wanted);
        return status;
    }
    if (status < 0) {
        *outcome = refuse_job(self, status, job);
        return RUN_STOPPED;
    }
    pn_batches_add(&self->state.shared.in_system,
                   (double)pn_dispatch_jobs(pn_dag_dispatch(self->run.sim)));
    status = run_count_job(&self->run, job, (row_value){.integer = job->arrival}, group, outcome);
    /* The kernel takes a job in one piece: a large one counts as many. */
    self->run.unpolled += 1 + job->stage_count / 64;
    if (status == PN_OK && self->run.unpolled >= self->run.poll_every)
        status = run_poll(&self->run);
    return status;
}

static int skip(run_base *run)
{
    pn_dag_job job;
    return source_next(run->work, &job);
}

/* Finds what stalls at the end of a run that nothing but what is left in it has ended: no task
 * runs. */
static enum dag_stall find_stall(const dag_run *self)
{
    const pn_dispatch *core = pn_dag_dispatch(self->run.sim);
    pn_dispatch_totals totals;
    pn_dispatch_totals_get(core, &totals);
    if (totals.in_system == 0 || pn_dispatch_running_tasks(core) > 0)
        return DAG_NOT_STALLED;
    return totals.nodes_up == 0 ? DAG_NO_NODE : DAG_NO_ROOM;
}

/* Returns the first time that the run does not come to: by its own end, or the scenario's. */
static double end_of_run(const dag_run *self)
{
    uint64_t most = self->settings.config.max_time_ms;
    return most > 0 && (double)most < self->run.until ? (double)most : self->run.until;
}

/* Runs to each arrival before `end`, and hands over the job. PN_OK with the source's last answer,
 * SOURCE_JOB with the job that comes later, or what else ended it. */
static int feed_until(dag_run *self, double end, int *answer, pn_dag_job *job,
                      enum run_outcome *outcome)
{
    source *work = self->run.work;
    while ((*answer = source_next(work, job)) == SOURCE_JOB && (double)job->arrival < end) {
        int status = job->arrival > 0 ? run_advance(&self->run, (double)(job->arrival - 1)) : PN_OK;
        if (status >= 0)
            status = submit(self, job, outcome);
        if (status < 0)
            return status;
    }
    return PN_OK;
}

/* Feeds jobs that are known, and arrive when the scenario has ended; they count as unfinished, and
 * in bounds and queues (DG27). */
static int feed_rest(dag_run *self, int *answer, pn_dag_job *job, enum run_outcome *outcome)
{
    source *work = self->run.work;
    int status = PN_OK;
    while (status >= 0 && *answer == SOURCE_JOB) {
        status = submit(self, job, outcome);
        if (status >= 0)
            *answer = source_next(work, job);
    }
    return status;
}

static int feed(run_base *run, enum run_outcome *outcome)
{
    dag_run *self = dag(run);
    double end = end_of_run(self);
    pn_dag_job job;
    int answer, status = feed_until(self, end, &answer, &job, outcome);
    if (status >= 0 && answer == SOURCE_JOB && end < run->until &&
        run->work->count != SOURCE_UNKNOWN)
        status = feed_rest(self, &answer, &job, outcome);
    if (status < 0)
        return status;
    /* While jobs have still to arrive, what nodes do until the end happens, also when no job is
     * there (DG4). */
    if (answer == SOURCE_JOB) {
        status = run_advance(run, end - 1.0);
        if (status >= 0)
            status = pn_dag_wait(self->run.sim, &self->hooks, run_integer(end - 1.0), UINT64_MAX);
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

/* Settles jobs of the workload that have not finished; those of a source without a number count
 * when they are handed over. */
static void settle(dag_run *self)
{
    uint64_t jobs = self->run.work->count != SOURCE_UNKNOWN ? self->run.work->count
                                                            : self->totals.submitted;
    pn_dag_totals_get(self->run.sim, &self->totals);
    self->unfinished = jobs - self->totals.dispatch.finished;
}

/* ---- the log --------------------------------------------------------------------------------- */

static int hash(run_base *run, uint64_t *hash)
{
    const dag_run *self = dag(run);
    hash_policy policy = {self->policy->name, self->policy->params, self->params,
                          self->policy->param_count};
    *hash = dag_hash_settings(&self->settings);
    return hash_scenario(hash, &dag_hash, &policy, run->work);
}

static void start_log(run_base *run)
{
    dag(run)->unbegun = 1;
}

/* Ends the log, after Ctrl-C as if the run had been asked to end behind its last instant; nothing
 * is said of one that had none. */
static void end_log(run_base *run)
{
    dag_run *self = dag(run);
    settle(self);
    if (run->interrupted && self->totals.instants == 0)
        return;
    const pn_dispatch_totals *core = &self->totals.dispatch;
    uint64_t until = run->interrupted ? core->last_logged + 1 : run_integer(run->until);
    int whole = self->unfinished == 0 && run->fed_all;
    begin_log(self);
    dag_log_end(&run->log, &(dag_log_last){.end = core->last_finish,
                                           .unfinished = self->unfinished,
                                           .until = whole ? PN_DISPATCH_NEVER : until,
                                           .digest = pn_dag_digest(self->run.sim)});
}

static enum run_outcome conclude(run_base *run)
{
    dag_run *self = dag(run);
    if (!self->run.sim)
        return RUN_DONE;
    settle(self);
    if (run->rows)
        fill_unfinished(self);
    return self->short_of_memory
               ? run_refuse(run, RUN_FAILED,
                            "not enough memory for the stages of the rows: ask for a result "
                            "without rows")
               : RUN_DONE;
}

/* ---- all of it ------------------------------------------------------------------------------- */

const run_model dag_model = {
    .kernel = pn_dag_model,
    .run_bytes = sizeof(dag_run),
    .config_at = offsetof(dag_run, settings.config),
    .state_at = offsetof(dag_run, state),
    .state_bytes = sizeof(dag_run_state),
    .servers = "nodes",
    .room_most = 4096,
    .begin = begin,
    .prepare = prepare,
    .start = start,
    .feed = feed,
    .execute = execute,
    .idles = idles,
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
    .free = release,
};
