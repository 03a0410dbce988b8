/* The run of the slotted model: advances to the slot before each arrival, submits, and at the end
 * advances until every job is done. */
#include "run.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"

#define STRETCHES_MOST ((uint32_t)1 << 28)

/* So many slots without a gift, and a policy is taken for one that never ends. */
#define WITHHELD_MOST 1000000

/* Returns the slotted_run that begins with this run. */
static slotted_run *slotted(run_base *run)
{
    return (slotted_run *)run;
}

enum row_places { MAP_FINISH = 1, FINISH, FLOW_TIME };

static const char *const row_names[] = {"arrival", "map_finish", "finish", "flow_time", NULL};
const row_shape slotted_rows = {.names = row_names, .known = 1, .count = 4, .main = FLOW_TIME};

static void on_finish(void *user, const pn_slotted_finish *finish)
{
    slotted_run *self = user;
    if (self->run.rows) {
        row *cell = rows_at(self->run.rows, (size_t)finish->id - 1);
        cell->finished = 1;
        cell->values[MAP_FINISH].integer = finish->map_finish;
        cell->values[FINISH].integer = finish->finish;
        cell->values[FLOW_TIME].integer = finish->finish - cell->values[0].integer + 1;
    }
    if (self->run.log.file)
        slotted_log_finish(&self->run.log, finish);
    if (finish->id > self->config.warmup_jobs && finish->arrival > self->config.warmup_slots)
        run_count_finish(&self->run, finish->attributes, (double)finish->flow_time);
}

static int needs_finishes(const run_base *run)
{
    return run->rows || run->log.file || run_weighs(run);
}

static void on_decision(void *user, const pn_slotted_decision *decision)
{
    slotted_run *self = user;
    if (self->run.questions.deciding)
        run_ask(&self->run, (double)decision->slot);
    if (self->run.log.file)
        slotted_log_decision(&self->run.log, decision);
}

/* ---- what went wrong, in words --------------------------------------------------------------- */

/* Refuses a job that the kernel did not take. */
static enum run_outcome refuse_job(slotted_run *self, int status, const pn_slotted_job *job)
{
    unsigned long long id = self->totals.submitted + 1, arrival = job->arrival;
    run_base *run = &self->run;
    switch (status) {
    case PN_ERR_JOB: {
        uint64_t units = job->maps;
        for (size_t i = 0; i < job->reduce_count && units == 0; i++)
            units = job->reduces[i];
        return run_refuse(run, RUN_USAGE, "job %llu, arrival %llu: has %s", id, arrival,
                          units == 0 ? "no work (expected map or reduce units)"
                                     : "more than 2^53 units of work or estimated work");
    }
    case PN_ERR_ORDER:
    case PN_ERR_LATE:
        return run_refuse(run, RUN_USAGE,
                          "job %llu: arrives in slot %llu, before the job ahead of it", id,
                          arrival);
    case PN_ERR_OVERFLOW:
        return run_refuse(run, RUN_FAILED,
                          "job %llu, arrival %llu: with its work the totals would pass 2^53", id,
                          arrival);
    case PN_ERR_ARGUMENT:
        return run_refuse(run, RUN_USAGE,
                          "job %llu, arrival %llu: its group or an estimate is out of range", id,
                          arrival);
    default:
        return run_refuse(run, RUN_FAILED, "job %llu, arrival %llu: the kernel refuses it with %s",
                          id, arrival, pn_status_name(status));
    }
}

/* Refuses a slot that the kernel did not execute. */
static enum run_outcome refuse_slot(run_base *run, int status)
{
    const slotted_run *self = slotted(run);
    const char *name = run->label;
    unsigned long long slot = self->totals.slot;
    switch (status) {
    case PN_ERR_MODE:
        return run_refuse(run, RUN_USAGE, "policy %s is defined for %s reduces only", name,
                          self->policy->preemptive ? "preemptive" : "nonpreemptive");
    case RUN_IDLED:
        return run_refuse(run, RUN_FAILED,
                          "policy %s: gave no machine in the %d slots after slot %llu, although "
                          "machines were idle and jobs offered work",
                          name, WITHHELD_MOST,
                          (unsigned long long)(self->totals.withheld_slot - self->totals.withheld));
    case PN_ERR_OVERFLOW:
        return run_refuse(run, RUN_FAILED, "after slot %llu: a time or a total would pass 2^53",
                          slot);
    case PN_ERR_POLICY:
        return run_refuse_policy(run, pn_lua_policy_behind(self->policy));
    default:
        return run_refuse(run, RUN_FAILED, "policy %s, after slot %llu: the kernel stops with %s",
                          name, slot, pn_status_name(status));
    }
}

/* ---- the block ------------------------------------------------------------------------------- */

static void prepare(run_base *run)
{
    slotted_run *self = slotted(run);
    self->config.jobs_max = self->state.shared.jobs_max;
    self->config.stretches_max = self->state.stretches_max;
}

static int start(run_base *run, int fresh)
{
    slotted_run *self = slotted(run);
    if (fresh)
        self->state.seen_slot = self->state.seen = 0;
    return PN_OK;
}

static int state_sound(const run_base *run)
{
    const slotted_run_state *state = (const slotted_run_state *)run->state;
    return state->seen_slot <= PN_INTEGER_MAX && state->seen <= state->shared.fed;
}

static enum run_outcome begin(run_base *run)
{
    slotted_run *self = slotted(run);
    self->hooks = (pn_slotted_hooks){
        .policy = self->policy,
        .params = self->params,
        .on_finish = needs_finishes(run) ? on_finish : NULL,
        .on_decision = run->log.file || run->questions.deciding ? on_decision : NULL,
        .user = self};
    self->config.policy = self->policy;
    /* Near-equal tasks of one job are at most two stretches. */
    if (!run->checkpoint.resume)
        self->state.stretches_max = self->config.reduce == PN_SLOTTED_NONPREEMPTIVE
                                        ? 2 * self->state.shared.jobs_max
                                        : 0;
    return RUN_DONE;
}

static int make_room(run_base *run, enum run_outcome *outcome)
{
    slotted_run *self = slotted(run);
    uint32_t *jobs = &self->state.shared.jobs_max, *runs = &self->state.stretches_max;
    int status;
    pn_slotted_totals_get(self->run.sim, &self->totals);
    if (*jobs > self->totals.jobs_held && *runs > 0)
        status = run_make_room(run, runs, "stretches of equal reduce tasks", outcome);
    else
        status = run_make_room(run, jobs, "jobs", outcome);
    if (*runs > 0 && *runs / 2 < *jobs)
        *runs = 2 * *jobs < STRETCHES_MOST ? 2 * *jobs : STRETCHES_MOST;
    return status;
}

static void look(run_base *run, run_place *place)
{
    slotted_run *self = slotted(run);
    pn_slotted_totals_get(self->run.sim, &self->totals);
    snprintf(place->time, sizeof place->time, "\"slot\":%llu",
             (unsigned long long)self->totals.slot);
    place->at = (double)self->totals.slot;
    place->submitted = self->totals.submitted;
    place->finished = self->totals.finished;
    if (run->work->count != SOURCE_UNKNOWN) {
        place->done = self->totals.finished;
        place->total = run->work->count;
        place->unit = "jobs";
    } else {
        uint64_t until = run_integer(run->until), slots = slotted_source_of(run->work)->slots;
        place->done = self->totals.slot;
        place->total = until < slots ? until : slots;
        place->unit = "slots";
    }
}

/* ---- the timeline ---------------------------------------------------------------------------- */

enum { SERIES = 5 };

static uint32_t timeline_series(const run_base *run)
{
    (void)run;
    return SERIES;
}

static int record_levels(slotted_run *self, const pn_slotted_levels *levels)
{
    const uint64_t values[SERIES] = {levels->jobs, levels->queue, levels->map, levels->reduce,
                                     levels->backlog};
    return pn_timeline_record(self->run.timeline, levels->slot, values);
}

/* Records the last slot executed, unless it was recorded before, and what follows from it; or with
 * a time what holds at that time. */
static void record(run_base *run, double time)
{
    slotted_run *self = slotted(run);
    pn_slotted_levels in_slot, after;
    pn_slotted_levels_get(run->sim, &in_slot, &after);
    if (time > 0.0) {
        after.slot = run_integer(time);
        record_levels(self, &after);
    } else if (in_slot.slot > 0 && record_levels(self, &in_slot) == PN_OK) {
        record_levels(self, &after);
    }
}

/* ---- slots ----------------------------------------------------------------------------------- */

static int execute(run_base *run, double until, uint64_t slots)
{
    return pn_slotted_run_some(run->sim, &slotted(run)->hooks, run_integer(until), slots);
}

static int idles(run_base *run)
{
    return slotted(run)->totals.withheld >= WITHHELD_MOST;
}

/* Looks at what an arrival sees: the jobs in the system at the start of its slot, without those
 * that arrive with it, as a batch of jobs is no queue. */
static void look_at_system(slotted_run *self, uint64_t arrival)
{
    if (arrival == self->state.seen_slot)
        return;
    pn_slotted_totals_get(self->run.sim, &self->totals);
    self->state.seen_slot = arrival;
    self->state.seen = self->totals.submitted - self->totals.finished;
}

static int submit(slotted_run *self, pn_slotted_job *job, enum run_outcome *outcome)
{
    uint32_t group = job->group;
    int status;
    look_at_system(self, job->arrival);
    if (self->config.groups_max == 0)
        job->group = 0; /* groups were not asked for */
    status = pn_slotted_submit(self->run.sim, job, NULL);
    if (status == PN_ERR_FULL)
        return status;
    if (status < 0) {
        pn_slotted_totals_get(self->run.sim, &self->totals);
        *outcome = refuse_job(self, status, job);
        return RUN_STOPPED;
    }
    status = run_count_job(&self->run, job, (row_value){.integer = job->arrival}, group, outcome);
    if (status < 0)
        return status;
    pn_batches_add(&self->state.shared.in_system, (double)self->state.seen);
    return ++self->run.unpolled >= self->run.poll_every ? run_poll(&self->run) : PN_OK;
}

static int skip(run_base *run)
{
    pn_slotted_job job;
    return source_next(run->work, &job);
}

static int feed(run_base *run, enum run_outcome *outcome)
{
    slotted_run *self = slotted(run);
    uint64_t arrived = 0; /* the slot before it was reached */
    pn_slotted_job job;
    int status, answer;
    for (;;) {
        answer = source_next(run->work, &job);
        if (answer != SOURCE_JOB || (double)job.arrival > run->until)
            break;
        status = job.arrival > arrived ? run_advance(run, (double)(job.arrival - 1)) : PN_OK;
        arrived = job.arrival;
        if (status >= 0)
            status = submit(self, &job, outcome);
        if (status < 0)
            return status;
    }
    status = answer == SOURCE_JOB ? PN_OK : run_source_ended(run, answer, outcome);
    if (status == PN_OK)
        status = run_advance(run, run->until);
    if (status == PN_OK && run->timeline)
        record(run, run->until + 1.0);
    run->all_done = status == PN_DONE && run->fed_all;
    pn_slotted_totals_get(run->sim, &self->totals);
    /* since the last call of look */
    return status >= 0 && idles(run) ? RUN_IDLED : status;
}

/* ---- the log --------------------------------------------------------------------------------- */

static int hash(run_base *run, uint64_t *hash)
{
    const slotted_run *self = slotted(run);
    hash_policy policy = {self->policy->name, self->policy->params, self->params,
                          self->policy->param_count};
    *hash = slotted_hash_settings(self->config.machines, self->config.reduce);
    return hash_scenario(hash, &slotted_hash, &policy, run->work);
}

static void start_log(run_base *run)
{
    const slotted_run *self = slotted(run);
    slotted_log_start(&run->log, &self->config, self->policy, self->params,
                      self->state.shared.scenario);
}

static void end_log(run_base *run)
{
    const slotted_run *self = slotted(run);
    int complete = run->fed_all && self->totals.finished == self->totals.submitted;
    slotted_log_end(&run->log, self->totals.last_finish, complete ? 0 : run_integer(run->until),
                    pn_slotted_digest(self->run.sim));
}

/* ---- the tight bound ------------------------------------------------------------------------- */

static int stop_bound(void *unused)
{
    (void)unused;
    return interrupt_pending();
}

static enum run_outcome bound_tightly(slotted_run *self)
{
    run_base *run = &self->run;
    size_t size;
    int status, answer = job_list_collect(&self->jobs, run->work);
    if (answer == SOURCE_FAULT)
        return run_refuse_source(run);
    if (answer == SOURCE_INTERRUPTED) {
        run->interrupted = 1;
        return RUN_DONE;
    }
    size = pn_slotted_bound_size(self->jobs.count);
    self->workspace = malloc(size);
    if (!self->workspace)
        return run_refuse(run, RUN_FAILED, "not enough memory for the tight bound of %zu jobs",
                          self->jobs.count);
    status = pn_slotted_bound_tight(self->workspace, size, self->config.machines,
                                    self->config.reduce, self->jobs.jobs, self->jobs.count,
                                    stop_bound, NULL, &self->lower_bound_tight);
    if (status == PN_ERR_STOPPED) {
        run->interrupted = 1;
        return RUN_DONE;
    }
    if (status != PN_OK)
        return run_refuse(run, RUN_FAILED, "the tight bound cannot be computed: %s",
                          pn_status_name(status));
    return RUN_DONE;
}

static void free_bound(run_base *run)
{
    slotted_run *self = slotted(run);
    job_list_free(&self->jobs);
    free(self->workspace);
    self->workspace = NULL;
}

static enum run_outcome accept(run_base *run)
{
    const slotted_run *self = slotted(run);
    uint32_t mode = self->config.reduce == PN_SLOTTED_PREEMPTIVE ? self->policy->preemptive
                                                                 : self->policy->nonpreemptive;
    return mode ? RUN_DONE : refuse_slot(run, PN_ERR_MODE);
}

static enum run_outcome conclude(run_base *run)
{
    slotted_run *self = slotted(run);
    int wanted = self->tight && run->all_done && !run->interrupted && self->totals.submitted > 0;
    return wanted ? bound_tightly(self) : RUN_DONE;
}

/* ---- all of it ------------------------------------------------------------------------------- */

const run_model slotted_model = {
    .kernel = pn_slotted_model,
    .run_bytes = sizeof(slotted_run),
    .config_at = offsetof(slotted_run, config),
    .state_at = offsetof(slotted_run, state),
    .state_bytes = sizeof(slotted_run_state),
    .servers = "machines",
    .room_most = 65536,
    .accept = accept,
    .begin = begin,
    .prepare = prepare,
    .start = start,
    .feed = feed,
    .execute = execute,
    .idles = idles,
    .look = look,
    .refuse = refuse_slot,
    .timeline_clock = PN_TIMELINE_INTEGER,
    .timeline_series = timeline_series,
    .record = record,
    .hash = hash,
    .start_log = start_log,
    .end_log = end_log,
    .state_sound = state_sound,
    .skip = skip,
    .make_room = make_room,
    .conclude = conclude,
    .free = free_bound,
};
