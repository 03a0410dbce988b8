/* The run of the tandem model: submits some jobs, advances to the arrival of the last of them,
 * submits more, and at the end advances until every job is done. */
#include "run.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

/* The number in the system is looked at when jobs are submitted, so many at a time: one by one at
 * first, and never more than 1/256 of those that came before. */
#define AT_A_TIME_MOST 64
#define ONE_BY_ONE     256

/* When no job finishes in so many instants, and less than this part of the work left is done in
 * them, the policy is taken for one that never ends: at this pace it would need more than 10^13
 * instants. */
#define IDLE_MOST  1000000
#define WORK_LEAST 1e-7

/* Returns the tandem_run that begins with this run. */
static tandem_run *tandem(run_base *run)
{
    return (tandem_run *)run;
}

enum row_places { MAP_FINISH = 1, FINISH, RESPONSE_TIME, SLOWDOWN };

static const char *const row_names[] = {"arrival",       "map_finish", "finish",
                                        "response_time", "slowdown",   NULL};
const row_shape tandem_rows = {
    .names = row_names, .known = 1, .count = 5, .main = RESPONSE_TIME, .real = 1};

static void on_finish(void *user, const pn_tandem_finish *finish)
{
    tandem_run *self = user;
    if (self->run.rows) {
        row *cell = rows_at(self->run.rows, (size_t)finish->id - 1);
        int sized = finish->map > 0.0 || finish->shuffle > 0.0;
        cell->finished = 1;
        cell->values[0].real = finish->arrival;
        cell->values[MAP_FINISH].real = finish->map_finish;
        cell->values[FINISH].real = finish->finish;
        cell->values[RESPONSE_TIME].real = finish->response_time;
        cell->values[SLOWDOWN].real = sized ? finish->slowdown : (double)NAN;
    }
    if (self->run.log.file)
        tandem_log_finish(&self->run.log, &self->logged, finish);
    if (finish->id > self->config.warmup_jobs && finish->arrival >= self->config.warmup_time)
        run_count_finish(&self->run, finish->attributes, finish->response_time);
}

static int needs_finishes(const run_base *run)
{
    return run->rows || run->log.file || run_weighs(run);
}

static void on_decision(void *user, const pn_tandem_decision *decision)
{
    tandem_run *self = user;
    tandem_log_decision(&self->run.log, &self->logged, decision);
}

/* ---- what went wrong, in words --------------------------------------------------------------- */

#define RANGE "0 or 2^-256..2^256"

/* Refuses a job that the kernel did not take. */
static enum run_outcome refuse_job(tandem_run *self, int status, double arrival)
{
    unsigned long long id = self->state.shared.fed + 1;
    run_base *run = &self->run;
    switch (status) {
    case PN_ERR_JOB:
        return run_refuse(run, RUN_USAGE,
                          "job %llu, arrival %.17g: a time, a size or an estimate is out of range "
                          "(expected " RANGE ")",
                          id, arrival);
    case PN_ERR_ORDER:
    case PN_ERR_LATE:
        return run_refuse(run, RUN_USAGE, "job %llu: arrives at %.17g, before the job ahead of it",
                          id, arrival);
    case PN_ERR_OVERFLOW:
        return run_refuse(run, RUN_FAILED, "job %llu: arrives after 2^256", id);
    case PN_ERR_ARGUMENT:
        return run_refuse(run, RUN_USAGE, "job %llu, arrival %.17g: its group is out of range", id,
                          arrival);
    default:
        return run_refuse(run, RUN_FAILED, "job %llu, arrival %.17g: the kernel refuses it with %s",
                          id, arrival, pn_status_name(status));
    }
}

/* Returns whether jobs wait and nothing will ever happen: the policy made no mistake, it serves no
 * job. */
static int is_stuck(tandem_run *self)
{
    return pn_tandem_run(self->run.sim, &self->hooks, PN_TANDEM_MOST, 0) == PN_OK;
}

/* Refuses an instant that the kernel did not execute. */
static enum run_outcome refuse_instant(run_base *run, int status)
{
    tandem_run *self = tandem(run);
    const pn_lua_policy *script = pn_lua_policy_behind_tandem(self->policy);
    const char *name = run->label;
    double time = self->totals.time;
    if (status == PN_ERR_POLICY || status == PN_ERR_ARGUMENT ||
        (script && pn_lua_policy_message(script)[0] != '\0'))
        return run_refuse_policy(run, script);
    switch (status) {
    case PN_ERR_INFEASIBLE:
        if (is_stuck(self))
            return run_refuse(run, RUN_FAILED,
                              "policy %s, after time %.17g: serves none of the %lu jobs present, "
                              "and no job is to come",
                              name, time, (unsigned long)self->totals.in_system);
        return run_refuse(run, RUN_FAILED,
                          "policy %s, at time %.17g: gave a rate that is more than a station or a "
                          "job can use, or asked to be woken "
                          "in the past",
                          name, time);
    case RUN_IDLED:
        if (self->totals.map_busy + self->totals.shuffle_busy != self->work_done)
            return run_refuse(
                run, RUN_FAILED,
                "policy %s: wakes up for next to nothing: in the %d instants up to time %.17g no "
                "job finished, and "
                "less than 10^-7 of the work left was done (expected longer times from wake)",
                name, IDLE_MOST, time);
        return run_refuse(run, RUN_FAILED,
                          "policy %s: no work was done in the %d instants up to time %.17g, "
                          "although %lu jobs were present",
                          name, IDLE_MOST, time, (unsigned long)self->totals.in_system);
    case PN_ERR_OVERFLOW:
        return run_refuse(run, RUN_FAILED, "after time %.17g: a time or a total would pass 2^256",
                          time);
    default:
        return run_refuse(run, RUN_FAILED, "policy %s, after time %.17g: the kernel stops with %s",
                          name, time, pn_status_name(status));
    }
}

/* ---- the block ------------------------------------------------------------------------------- */

static void prepare(run_base *run)
{
    tandem(run)->config.jobs_max = run->state->jobs_max;
}

static int start(run_base *run, int fresh)
{
    tandem_run *self = tandem(run);
    if (fresh) {
        self->state.arrivals = (gap_sum){0.0, 0.0};
        self->state.arrival = 0.0;
        self->state.seen = 0;
    }
    self->work_done = -1.0;
    self->work_submitted = 0.0;
    self->work_finished = self->work_instants = 0;
    return PN_OK;
}

static int state_sound(const run_base *run)
{
    const tandem_run_state *state = (const tandem_run_state *)run->state;
    return isfinite(state->arrivals.high) && isfinite(state->arrivals.low) &&
           isfinite(state->arrival) && state->seen <= state->shared.fed;
}

static enum run_outcome begin(run_base *run)
{
    tandem_run *self = tandem(run);
    self->hooks = (pn_tandem_hooks){.policy = self->policy,
                                    .params = self->params,
                                    .on_finish = needs_finishes(run) ? on_finish : NULL,
                                    .on_decision = run->log.file ? on_decision : NULL,
                                    .user = self};
    self->config.policy = self->policy;
    self->config.gaps = tandem_source_of(run->work)->gaps;
    return RUN_DONE;
}

static int make_room(run_base *run, enum run_outcome *outcome)
{
    return run_make_room(run, &tandem(run)->state.shared.jobs_max, "jobs", outcome);
}

static void look(run_base *run, run_place *place)
{
    tandem_run *self = tandem(run);
    pn_tandem_totals_get(self->run.sim, &self->totals);
    snprintf(place->time, sizeof place->time, "\"time\":%.17g", self->totals.time);
    place->at = self->totals.time;
    place->submitted = self->totals.submitted;
    place->finished = place->done = self->totals.finished;
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
    tandem_run *self = tandem(run);
    pn_timeline_about info;
    pn_tandem_levels levels;
    pn_tandem_levels_get(self->run.sim, &levels);
    const double values[SERIES] = {levels.jobs, levels.queue, levels.map, levels.shuffle};
    pn_timeline_about_get(self->run.timeline, &info);
    if (!info.started)
        pn_tandem_totals_get(self->run.sim, &self->totals);
    if (!info.started && self->totals.instants == 0)
        return; /* time begins with the first job */
    pn_timeline_record_real(self->run.timeline, levels.time > time ? levels.time : time, values);
}

/* ---- instants -------------------------------------------------------------------------------- */

/* Executes. The arrival of the last job is the kernel's, not the rounded one that is kept here. */
static int execute(run_base *run, double until, uint64_t instants)
{
    tandem_run *self = tandem(run);
    double target = until == self->state.arrival ? PN_TANDEM_ARRIVAL
                    : until == (double)INFINITY  ? PN_TANDEM_FOREVER
                                                 : until;
    return pn_tandem_run(run->sim, &self->hooks, target, instants);
}

/* Returns the time behind which instants are executed; one that coincides with an end is not
 * (TA21): 2^-44 are more than the 64 last places that this takes. */
static double next_time(const run_base *run, double time)
{
    (void)run;
    return nextafter(time + time * 0x1p-44, INFINITY);
}

static int idles(run_base *run)
{
    tandem_run *self = tandem(run);
    double done = self->totals.map_busy + self->totals.shuffle_busy;
    double left = self->work_submitted - done;
    if (self->work_done < 0.0 || self->totals.finished != self->work_finished ||
        done - self->work_done > WORK_LEAST * (left > 0.0 ? left : 0.0)) {
        self->work_done = done;
        self->work_finished = self->totals.finished;
        self->work_instants = self->totals.instants;
    }
    return self->totals.instants - self->work_instants >= IDLE_MOST;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int submit(tandem_run *self, pn_tandem_job *job, double arrival, enum run_outcome *outcome)
{
    uint32_t group = job->group;
    int status;
    if (self->config.groups_max == 0)
        job->group = 0; /* groups were not asked for */
    status = pn_tandem_submit(self->run.sim, job, NULL);
    if (status == PN_ERR_FULL)
        return status;
    if (status < 0) {
        *outcome = refuse_job(self, status, arrival);
        return RUN_STOPPED;
    }
    self->state.arrival = arrival;
    self->work_submitted += job->map + job->shuffle;
    return run_count_job(&self->run, job, (row_value){.real = arrival}, group, outcome);
}

/* Returns how many jobs have been submitted when the number in the system is looked at next. It
 * depends on nothing else, so that a run that was stopped and resumed looks at the same moments. */
static uint64_t next_look(uint64_t seen)
{
    uint64_t step = 1;
    while (step < AT_A_TIME_MOST && seen >= 2 * step * ONE_BY_ONE)
        step *= 2;
    return (seen / step + 1) * step;
}

/* Submits jobs up to number `last`; *answer is the source's, SOURCE_JOB also where a job comes too
 * late to be submitted. */
static int submit_up_to(tandem_run *self, uint64_t last, int *answer, enum run_outcome *outcome)
{
    run_base *run = &self->run;
    int status = PN_OK;
    *answer = SOURCE_JOB;
    while (status == PN_OK && self->state.shared.fed < last) {
        gap_sum arrivals = self->state.arrivals;
        pn_tandem_job job;
        double arrival;
        *answer = source_next(run->work, &job);
        if (*answer != SOURCE_JOB)
            return PN_OK;
        arrival = tandem_source_of(run->work)->gaps ? gap_sum_add(&arrivals, job.arrival)
                                                    : job.arrival;
        if (arrival >= run->until)
            return PN_OK;
        status = submit(self, &job, arrival, outcome);
        self->state.arrivals = arrivals;
    }
    return status;
}

/* Looks at the system: what the last job submitted sees at its arrival stands for those submitted
 * with it. */
static int look_at_system(tandem_run *self)
{
    uint64_t jobs = self->state.shared.fed - self->state.seen;
    pn_tandem_totals_get(self->run.sim, &self->totals);
    self->state.seen = self->state.shared.fed;
    for (uint64_t i = 0; i < jobs; i++)
        pn_batches_add(&self->state.shared.in_system, (double)self->totals.in_system);
    self->run.unpolled += jobs;
    return self->run.unpolled >= self->run.poll_every ? run_poll(&self->run) : PN_OK;
}

static int skip(run_base *run)
{
    pn_tandem_job job;
    int answer = source_next(run->work, &job);
    if (answer == SOURCE_JOB)
        tandem(run)->work_submitted += job.map + job.shuffle;
    return answer;
}

static int feed(run_base *run, enum run_outcome *outcome)
{
    tandem_run *self = tandem(run);
    int status, answer;
    for (;;) {
        uint64_t last = next_look(self->state.seen);
        status = submit_up_to(self, last, &answer, outcome);
        if (status == PN_OK && self->state.shared.fed < last)
            break;
        if (status == PN_OK)
            status = run_advance(run, self->state.arrival);
        if (status >= 0)
            status = look_at_system(self);
        if (status < 0)
            return status;
    }
    status = answer == SOURCE_JOB ? PN_OK : run_source_ended(run, answer, outcome);
    if (status == PN_OK)
        status = run_advance(run, run->until);
    if (status == PN_OK && run->timeline)
        record(run, run->until);
    run->all_done = status == PN_DONE && run->fed_all;
    return status;
}

/* ---- the log --------------------------------------------------------------------------------- */

static int hash(run_base *run, uint64_t *hash)
{
    const tandem_run *self = tandem(run);
    hash_policy policy = {self->policy->name, self->policy->params, self->params,
                          self->policy->param_count};
    *hash = tandem_hash_settings(self->config.speed, self->config.traditional);
    return hash_scenario(hash, &tandem_hash, &policy, run->work);
}

static void start_log(run_base *run)
{
    const tandem_run *self = tandem(run);
    tandem_log_start(&run->log, &self->config, self->policy, self->params,
                     self->state.shared.scenario);
}

static void end_log(run_base *run)
{
    const tandem_run *self = tandem(run);
    int complete = run->fed_all && self->totals.finished == self->totals.submitted;
    tandem_log_end(&run->log, self->totals.last_finish, complete ? 0.0 : run->until,
                   pn_tandem_digest(self->run.sim));
}

/* ---- all of it ------------------------------------------------------------------------------- */

const run_model tandem_model = {
    .kernel = pn_tandem_model,
    .run_bytes = sizeof(tandem_run),
    .config_at = offsetof(tandem_run, config),
    .state_at = offsetof(tandem_run, state),
    .state_bytes = sizeof(tandem_run_state),
    .servers = "stations",
    .room_most = 4096,
    .begin = begin,
    .prepare = prepare,
    .start = start,
    .feed = feed,
    .execute = execute,
    .next_time = next_time,
    .idles = idles,
    .look = look,
    .refuse = refuse_instant,
    .timeline_clock = PN_TIMELINE_REAL,
    .timeline_series = timeline_series,
    .record = record,
    .hash = hash,
    .start_log = start_log,
    .end_log = end_log,
    .state_sound = state_sound,
    .skip = skip,
    .make_room = make_room,
};
