/* The run of the makespan model: submits the batch, lets the policy plan, and executes the plan.
 *
 * A policy may search for long. While it does, the loop looks at Ctrl-C and shows how many orders
 * were tried. */
#include "run.h"

#include <stddef.h>
#include <stdio.h>

#include "base/interrupt.h"

/* Returns the makespan_run that begins with this run. */
static makespan_run *makespan(run_base *run)
{
    return (makespan_run *)run;
}

enum row_places { MAP_START, MAP_FINISH, REDUCE_START, FINISH };

static const char *const row_names[] = {"map_start", "map_finish", "reduce_start", "finish", NULL};
const row_shape makespan_rows = {.names = row_names, .count = 4, .main = FINISH};

static void on_finish(void *user, const pn_makespan_finish *finish)
{
    makespan_run *self = user;
    if (self->run.rows) {
        row *cell = rows_at(self->run.rows, (size_t)finish->id - 1);
        cell->finished = 1;
        cell->values[MAP_START].integer = finish->map_start;
        cell->values[MAP_FINISH].integer = finish->map_finish;
        cell->values[REDUCE_START].integer = finish->reduce_start;
        cell->values[FINISH].integer = finish->finish;
    }
    if (self->run.log.file)
        makespan_log_finish(&self->run.log, finish, self->ticks);
    if (run_weighs(&self->run))
        run_count_finish(&self->run, finish->attributes,
                         pn_exact_double((pn_exact){(int64_t)finish->finish,
                                                    (int64_t)pn_makespan_ticks(self->run.sim)}));
}

static int needs_finishes(const run_base *run)
{
    return run->rows || run->log.file || run_weighs(run);
}

static void on_decision(void *user, const pn_makespan_decision *decision)
{
    makespan_run *self = user;
    makespan_log_decision(&self->run.log, decision, self->ticks);
}

/* ---- what went wrong, in words --------------------------------------------------------------- */

#define TOO_FINE "times as fine as these do not fit: more than 2^62 equal parts"

/* Refuses a job that the kernel did not take. */
static enum run_outcome refuse_job(makespan_run *self, int status)
{
    unsigned long long id = self->state.fed + 1;
    run_base *run = &self->run;
    switch (status) {
    case PN_ERR_JOB:
        return run_refuse(run, RUN_USAGE,
                          "job %llu: has no work (expected a task that lasts longer than 0)", id);
    case PN_ERR_OVERFLOW:
        return run_refuse(run, RUN_USAGE, "job %llu: its work does not fit: " TOO_FINE, id);
    default:
        return run_refuse(run, RUN_FAILED, "job %llu: the kernel refuses it with %s", id,
                          pn_status_name(status));
    }
}

/* Returns why balanced_pools found none, when it may not put all jobs into one. */
static const char *missing_pools(const makespan_run *self)
{
    const pn_makespan_config *config = &self->config;
    uint32_t nodes = config->nodes, rest = config->reduce_slots;
    if (nodes == 0) {
        nodes = config->map_slots;
        while (rest > 0) {
            uint32_t next = nodes % rest;
            nodes = rest;
            rest = next;
        }
    }
    if (self->state.fed < 2)
        return "finds no pools: two need two jobs, there is one";
    if (nodes < 2)
        return "finds no pools: two need two nodes, there is one (nodes divide both numbers of "
               "slots)";
    return "finds no pools: an exhaustive partition takes at most 30 jobs";
}

/* Returns what a policy could not do without. */
static const char *missing(const makespan_run *self)
{
    if (self->policy == pn_makespan_given_order())
        return "needs the parameter order (job ids)";
    if (self->policy == pn_makespan_fixed_pools())
        return "needs the parameter pools (such as [{\"nodes\": 1, \"jobs\": [1, 2]}])";
    if (self->policy == pn_makespan_optimal())
        return "tries all orders of at most 8 jobs";
    if (self->policy == pn_makespan_balanced_pools())
        return missing_pools(self);
    return "does not accept this batch, or a parameter is out of range";
}

/* Refuses where the policy could not plan, or the kernel did not execute an instant. */
static enum run_outcome refuse(run_base *run, int status)
{
    const makespan_run *self = makespan(run);
    const pn_lua_policy *script = pn_lua_policy_behind_makespan(self->policy);
    const char *name = run->label;
    if (script && pn_lua_policy_message(script)[0] != '\0')
        return run_refuse_policy(run, script);
    switch (status) {
    case PN_ERR_MODE:
        return run_refuse(run, RUN_USAGE, "policy %s is not defined at level %s", name,
                          makespan_names("level")[self->config.level]);
    case PN_ERR_ARGUMENT:
        return run_refuse(run, RUN_USAGE, "policy %s: %s", name, missing(self));
    case PN_ERR_OVERFLOW:
        return run_refuse(run, RUN_USAGE, "policy %s: " TOO_FINE, name);
    default:
        return run_refuse(run, RUN_FAILED, "policy %s: the kernel stops with %s", name,
                          pn_status_name(status));
    }
}

/* ---- the block ------------------------------------------------------------------------------- */

/* Asks whether to stop while a policy searches. */
static int stop(void *user)
{
    makespan_run *self = user;
    pn_makespan_totals_get(self->run.sim, &self->totals);
    if (self->totals.nodes_searched > 0)
        progress_show(&self->run.progress, self->totals.nodes_searched, 0, "schedules searched",
                      progress_clock());
    else
        progress_show(&self->run.progress, self->totals.evaluations, 0, "orders tried",
                      progress_clock());
    return interrupt_pending();
}

/* Begins when all jobs are known, and so is the room that they need. */
static enum run_outcome begin(run_base *run)
{
    makespan_run *self = makespan(run);
    const source *work = run->work;
    if (work->count > UINT32_MAX || makespan_source_of(work)->stretches > UINT32_MAX)
        return run_refuse(run, RUN_USAGE,
                          "more jobs, or more different tasks, than a batch can have");
    self->state.jobs_max = (uint32_t)work->count;
    self->config.jobs_max = (uint32_t)work->count;
    self->config.stretches_max = (uint32_t)makespan_source_of(work)->stretches;
    self->config.ticks = makespan_source_of(work)->ticks;
    self->config.policy = self->policy;
    if (self->until.den > 0)
        run->until = pn_exact_double(self->until);
    self->hooks = (pn_makespan_hooks){.policy = self->policy,
                                      .params = self->params,
                                      .stop = stop,
                                      .on_finish = needs_finishes(run) ? on_finish : NULL,
                                      .on_decision = run->log.file ? on_decision : NULL,
                                      .user = self};
    return RUN_DONE;
}

static int start(run_base *run, int fresh)
{
    (void)fresh;
    makespan(run)->ticks = 0;
    return PN_OK;
}

static void look(run_base *run, run_place *place)
{
    makespan_run *self = makespan(run);
    pn_makespan_totals_get(self->run.sim, &self->totals);
    place->finished = place->done = self->totals.finished;
    place->total = self->totals.submitted;
    place->unit = "jobs";
}

/* ---- the batch ------------------------------------------------------------------------------- */

static int submit_all(makespan_run *self, enum run_outcome *outcome)
{
    run_base *run = &self->run;
    pn_makespan_job job;
    int answer, status = PN_OK;
    while (status == PN_OK && (answer = source_next(run->work, &job)) == SOURCE_JOB) {
        uint32_t group = job.group;
        if (self->config.groups_max == 0)
            job.group = 0; /* groups were not asked for */
        status = pn_makespan_submit(self->run.sim, &job, NULL);
        if (status < 0) {
            *outcome = refuse_job(self, status);
            return RUN_STOPPED;
        }
        status = run_count_job(run, &job, (row_value){.integer = 0}, group, outcome);
    }
    return status == PN_OK ? run_source_ended(run, answer, outcome) : status;
}

/* Gives the kernel what the policies given_order and fixed_pools answer. */
static int set_answers(makespan_run *self, enum run_outcome *outcome)
{
    int status = self->order ? pn_makespan_set_order(self->run.sim, self->order, self->order_count)
                             : PN_OK;
    if (status != PN_OK) {
        *outcome = run_refuse(&self->run, RUN_USAGE, "params.order: is no order of all %llu jobs",
                              (unsigned long long)self->state.fed);
        return RUN_STOPPED;
    }
    status = self->pools ? pn_makespan_set_pools(self->run.sim, self->pools, self->pool_count)
                         : PN_OK;
    if (status != PN_OK) {
        *outcome = run_refuse(&self->run, RUN_USAGE,
                              "params.pools: do not share out the %llu jobs and the nodes",
                              (unsigned long long)self->state.fed);
        return RUN_STOPPED;
    }
    return PN_OK;
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* Starts the log. The rules are known with the plan; so is what the log begins with. PN_OK, or
 * RUN_STOPPED with *outcome. */
static int start_log(makespan_run *self, enum run_outcome *outcome)
{
    run_base *run = &self->run;
    makespan_log_about header = {.policy = self->policy,
                                 .params = self->params,
                                 .level = self->config.level,
                                 .map_slots = self->config.map_slots,
                                 .reduce_slots = self->config.reduce_slots};
    makespan_rules rules = makespan_rules_of(&self->config, &self->totals);
    hash_policy policy = {self->policy->name, self->policy->params, self->params,
                          self->policy->param_count};
    int answer;
    header.rules = &rules;
    header.scenario = makespan_hash_settings(&rules);
    answer = hash_scenario(&header.scenario, &makespan_hash, &policy, run->work);
    if (answer != SOURCE_END)
        return run_source_ended(run, answer, outcome);
    self->state.scenario = header.scenario;
    self->state.marks = run->work->marks;
    makespan_log_start(&run->log, self->run.sim, &header);
    return PN_OK;
}

static int bound(makespan_run *self)
{
    int status = pn_makespan_bound(self->run.sim, &self->lower_bound);
    if (status == PN_DONE)
        self->lower_bound = (pn_exact){0, 0};
    return status == PN_DONE ? PN_OK : status;
}

static int make_plan(makespan_run *self, enum run_outcome *outcome)
{
    int status = pn_makespan_plan(self->run.sim, &self->hooks);
    if (status == PN_ERR_STOPPED) {
        self->run.interrupted = 1;
        *outcome = RUN_DONE;
        return RUN_STOPPED;
    }
    if (status != PN_OK)
        return status;
    self->ticks = pn_makespan_ticks(self->run.sim);
    pn_makespan_totals_get(self->run.sim, &self->totals);
    if (self->run.rows)
        self->run.rows->ticks = self->ticks;
    if (self->bound)
        status = bound(self);
    return status == PN_OK && self->run.log.file ? start_log(self, outcome) : status;
}

/* ---- the timeline ---------------------------------------------------------------------------- */

enum { SERIES = 4 };

static uint32_t timeline_series(const run_base *run)
{
    (void)run;
    return SERIES;
}

/* Returns the first fine tick that is not before the end. */
static uint64_t end_of(const makespan_run *self)
{
    pn_exact end, ticks = {(int64_t)self->ticks, 1};
    if (self->until.den == 0 || pn_exact_multiply(&end, self->until, ticks) != PN_OK)
        return PN_MAKESPAN_FOREVER;
    return (uint64_t)(end.num / end.den) + (end.num % end.den > 0);
}

/* Records what holds since the last instant, or at the end of the run. */
static void record(run_base *run, double time)
{
    uint64_t at = time > 0.0 ? end_of(makespan(run)) : 0;
    pn_makespan_levels levels;
    pn_makespan_levels_get(run->sim, &levels);
    const uint64_t values[SERIES] = {levels.jobs, levels.queue, levels.map, levels.reduce};
    pn_timeline_record(run->timeline, levels.time > at ? levels.time : at, values);
}

/* ---- instants -------------------------------------------------------------------------------- */

/* Returns the first fine tick behind a time. */
static uint64_t next_tick(const makespan_run *self, double time)
{
    double ticks = (double)self->ticks;
    if (time * ticks >= 0x1p63)
        return PN_MAKESPAN_FOREVER;
    uint64_t tick = (uint64_t)(time * ticks);
    while (tick > 0 && (double)(tick - 1) / ticks > time)
        tick--;
    while ((double)tick / ticks <= time)
        tick++;
    return tick;
}

static int execute(run_base *run, double until, uint64_t instants)
{
    makespan_run *self = makespan(run);
    uint64_t end = end_of(self);
    uint64_t tick = until < run->until ? next_tick(self, until) : end;
    return pn_makespan_run(run->sim, &self->hooks, tick < end ? tick : end, instants);
}

static int feed(run_base *run, enum run_outcome *outcome)
{
    makespan_run *self = makespan(run);
    int status = submit_all(self, outcome);
    if (status == PN_OK)
        status = set_answers(self, outcome);
    if (status == PN_OK)
        status = make_plan(self, outcome);
    if (status == PN_OK)
        status = run_advance(run, run->until);
    if (status == PN_OK && run->timeline)
        record(run, run->until);
    run->all_done = status == PN_DONE;
    return status;
}

static void end_log(run_base *run)
{
    const makespan_run *self = makespan(run);
    makespan_log_end(&run->log, self->totals.makespan, self->ticks,
                     pn_makespan_digest(self->run.sim));
}

/* ---- all of it ------------------------------------------------------------------------------- */

const run_model makespan_model = {
    .kernel = pn_makespan_model,
    .run_bytes = sizeof(makespan_run),
    .config_at = offsetof(makespan_run, config),
    .state_at = offsetof(makespan_run, state),
    .state_bytes = sizeof(run_state),
    .begin = begin,
    .start = start,
    .feed = feed,
    .execute = execute,
    .look = look,
    .refuse = refuse,
    .timeline_clock = PN_TIMELINE_INTEGER,
    .timeline_series = timeline_series,
    .record = record,
    .end_log = end_log,
};
