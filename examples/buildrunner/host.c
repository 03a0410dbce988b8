/* The loop between processes and the dispatch core. All that happened since the last look -
 * commands that have ended, targets whose turn it is - is told to the core as one instant, then it
 * decides. Its hooks take notes; the loop acts on them when the decision is over. */
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buildrunner.h"

/* An attempt to run a rule's commands. */
typedef struct attempt {
    pn_dispatch_task task;
    enum { NONE, LAUNCHED, WORKS, ENDED } state;
    pid_t pid;              /* leader of a process group of its own */
    int status;             /* ENDED: as waitpid gives it */
    struct timespec before; /* when the target had changed last */
} attempt;

typedef struct host {
    br_plan *plan;
    void *block;
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    attempt *attempts; /* by place */
    uint32_t places;
    uint64_t origin, now;     /* ms: of the clock at the start; since then, of the last instant */
    int has_log;              /* its first line */
    int stops;                /* no more targets are begun, as one has failed */
    uint32_t started, stages; /* commands, and what there is of them */
} host;

enum { TICK_MS = 200 };

br_result result;

/* ---- the core -------------------------------------------------------------------------------- */

static size_t input_line_of(const void *from, uint64_t *check, char *line, size_t size)
{
    return pn_dispatch_input_line(from, check, line, size);
}

typedef struct head {
    const host *self;
    const pn_dispatch_config *config;
} head;

static size_t input_head_of(const void *from, uint64_t *check, char *line, size_t size)
{
    static const char *const resources[] = {"slots"};
    const head *of = from;
    const lua_file *lua = &of->self->plan->lua;
    const pn_input_about about = {
        .text = lua->text, .text_size = lua->size, .resources = resources};
    return pn_dispatch_input_head(of->config, &of->self->hooks, &about, check, line, size);
}

static int open_core(host *self)
{
    const br_plan *plan = self->plan;
    const pn_dispatch_nodes nodes = {.capacity = {plan->slots}, .count = 1};
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = &nodes;
    config.nodes_count = 1;
    config.jobs_max = plan->job_count;
    config.stages_max = plan->file_count;
    config.edges_max = (uint32_t)PN_DISPATCH_EDGES_MOST;
    config.attempts_max = plan->slots + plan->file_count;
    config.policy = plan->policy;
    size_t size = pn_dispatch_size(&config);
    if (size == 0)
        return complain("%s", pn_dispatch_check(&config));
    self->block = malloc(size);
    self->places = config.attempts_max;
    self->attempts = calloc(self->places, sizeof *self->attempts);
    if (!self->block || !self->attempts ||
        pn_dispatch_init(&self->core, self->block, size, &config) != PN_OK)
        return complain("not enough memory");
    put_input(&self->plan->inputs, input_head_of, &(head){self, &config});
    return 0;
}

static void end_inputs(host *self)
{
    const pn_dispatch_input end = {
        .kind = PN_DISPATCH_IN_END, .now = self->now, .digest = pn_dispatch_digest(self->core)};
    put_input(&self->plan->inputs, input_line_of, &end);
}

/* ---- processes ------------------------------------------------------------------------------- */

static br_file *rule_of(const host *self, const pn_dispatch_task *task)
{
    return &self->plan->files[self->plan->jobs[task->tag].stages[task->stage]];
}

static struct timespec change_of(const char *name)
{
    struct stat about;
    return stat(name, &about) == 0 ? about.st_mtim : (struct timespec){0};
}

/* What commands leave behind that did not end well is no target. */
static void drop_target(const host *self, const attempt *it)
{
    const char *name = rule_of(self, &it->task)->name;
    const struct timespec now = change_of(name);
    if (now.tv_sec != it->before.tv_sec || now.tv_nsec != it->before.tv_nsec)
        unlink(name);
}

static void start_process(host *self, attempt *it)
{
    const br_file *rule = rule_of(self, &it->task);
    printf("[%u/%u] %s\n", ++self->started, self->stages, rule->name);
    fflush(stdout);
    it->before = change_of(rule->name);
    it->pid = start_shell(rule->command, NULL, NULL);
    it->state = it->pid > 0 ? WORKS : ENDED;
    it->status = 127 << 8;
}

static void end_process(host *self, attempt *it)
{
    if (it->state == WORKS) {
        kill(-it->pid, SIGKILL);
        waitpid(it->pid, NULL, 0);
        drop_target(self, it);
    }
    it->state = NONE;
}

/* The log's first line says what order the policy has chosen, which is known when it is bound:
 * before the first event, or the end. */
static void begin_log(host *self)
{
    const pn_dispatch_order *order = pn_dispatch_order_of(self->core);
    if (!self->has_log)
        log_start(self->plan, order ? order : &self->plan->policy->order);
    self->has_log = 1;
}

/* ---- hooks ----------------------------------------------------------------------------------- */

static void on_launch(void *user, const pn_dispatch_task *task)
{
    host *self = user;
    self->attempts[task->place] = (attempt){.task = *task, .state = LAUNCHED};
}

static void on_kill(void *user, const pn_dispatch_task *task)
{
    host *self = user;
    end_process(self, &self->attempts[task->place]);
}

static void on_finish(void *user, const pn_dispatch_record *record)
{
    host *self = user;
    br_job *job = &self->plan->jobs[record->tag];
    job->record = *record;
    job->state = record->state == PN_DISPATCH_FINISHED &&
                         self->plan->files[job->target].state != FAILED
                     ? MADE
                     : MISSED;
    /* What is left of it others may do. */
    for (uint32_t i = 0; i < job->stage_count; i++)
        if (self->plan->files[job->stages[i]].state == TAKEN) {
            self->plan->files[job->stages[i]].state = DUE;
            self->stages--;
        }
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    host *self = user;
    begin_log(self);
    log_event(self->plan, event);
}

static void on_input(void *user, const pn_dispatch_input *input)
{
    host *self = user;
    put_input(&self->plan->inputs, input_line_of, input);
}

/* ---- an instant ------------------------------------------------------------------------------ */

/* Later than the last one, so that nothing happens at a time for which it was decided already. */
static void next_instant(host *self)
{
    uint64_t now = clock_ms() - self->origin;
    self->now = now > self->now ? now : self->now + 1;
}

static int cancel_job(host *self, br_job *job)
{
    if (job->state == RUNS)
        return pn_dispatch_cancel(self->core, &self->hooks, self->now, job->record.id);
    job->state = MISSED;
    return PN_OK;
}

/* Notes that commands failed for the last time. */
static void give_up(host *self, br_file *rule, br_job *job)
{
    rule->state = FAILED;
    complain("%s:%u: %s: its commands failed", self->plan->name, rule->line, rule->name);
    job->is_broken = 1;
    self->stops |= !self->plan->keeps_going;
}

/* Cancels the jobs whose rules failed, or all; with -k, what does not need these rules is submitted
 * again. */
static int cancel_broken(host *self)
{
    int status = PN_OK;
    for (uint32_t i = 0; i < self->plan->job_count && status >= 0; i++) {
        br_job *it = &self->plan->jobs[i];
        if (!(it->is_broken || self->stops) || (it->state != RUNS && it->state != WAITS))
            continue;
        status = cancel_job(self, it);
        it->is_broken = 0;
        if (!self->stops)
            it->state = WAITS;
    }
    return status;
}

static int report_end(host *self, attempt *it)
{
    const pn_dispatch_task task = it->task;
    br_file *rule = rule_of(self, &task);
    if (it->status == 0) {
        it->state = NONE;
        rule->state = DONE;
        rule->took = self->now - task.start;
        return pn_dispatch_finished(self->core, &self->hooks, self->now, task.token);
    }
    drop_target(self, it);
    it->state = NONE;
    rule->failures++;
    if (rule->failures > self->plan->retries)
        give_up(self, rule, &self->plan->jobs[task.tag]);
    return pn_dispatch_failed(self->core, &self->hooks, self->now, task.token);
}

/* With -k, a failure for the last time waits until nothing else of its job runs: the end of the job
 * would kill that. */
static int has_to_wait(const host *self, const attempt *it)
{
    if (!self->plan->keeps_going || it->status == 0 ||
        rule_of(self, &it->task)->failures < self->plan->retries)
        return 0;
    for (uint32_t i = 0; i < self->places; i++) {
        const attempt *other = &self->attempts[i];
        if (other->task.id == it->task.id && (other->state == WORKS || other->state == LAUNCHED))
            return 1;
    }
    return 0;
}

/* The attempt that has ended and is the first by job and stage, the order of an instant (DG3). */
static attempt *first_ended(const host *self)
{
    attempt *first = NULL;
    for (uint32_t i = 0; i < self->places; i++) {
        attempt *it = &self->attempts[i];
        if (it->state == ENDED && !has_to_wait(self, it) &&
            (!first || it->task.id < first->task.id ||
             (it->task.id == first->task.id && it->task.stage < first->task.stage)))
            first = it;
    }
    return first;
}

/* Notes which processes have ended. */
static void reap(host *self)
{
    int status;
    pid_t pid;
    while ((pid = reap_group(&status)) > 0)
        for (uint32_t i = 0; i < self->places; i++)
            if (self->attempts[i].state == WORKS && self->attempts[i].pid == pid) {
                self->attempts[i].state = ENDED;
                self->attempts[i].status = status;
            }
}

static int report_ends(host *self)
{
    int status = PN_OK;
    for (attempt *it = first_ended(self); it && status >= 0; it = first_ended(self))
        status = report_end(self, it);
    return status >= 0 ? cancel_broken(self) : status;
}

static int submit_job(host *self, uint32_t index)
{
    br_job *job = &self->plan->jobs[index];
    const pn_dispatch_job given = {.stages = job->about,
                                   .parents = job->parents,
                                   .stage_count = job->stage_count,
                                   .parents_count = job->parents_count,
                                   .tag = index};
    job->state = RUNS;
    self->stages += job->stage_count;
    return pn_dispatch_submit(self->core, &self->hooks, self->now, &given, &job->record.id);
}

/* Targets none of whose rules another job has. */
static int submit_ready(host *self)
{
    int status = PN_OK;
    for (uint32_t i = 0; i < self->plan->job_count && status >= 0; i++) {
        br_job *job = &self->plan->jobs[i];
        int found = job->state == WAITS ? gather(self->plan, job) : BLOCKED;
        if (found < 0)
            job->state = MISSED;
        else if (found == NOTHING)
            job->state = self->plan->files[job->target].state == FAILED ? MISSED : FRESH;
        else if (found == READY)
            status = submit_job(self, i);
    }
    return status;
}

static void start_launched(host *self)
{
    for (uint32_t i = 0; i < self->places; i++)
        if (self->attempts[i].state == LAUNCHED)
            start_process(self, &self->attempts[i]);
}

/* What the core returns that is no event's affair: there is room for every attempt. */
static int decide(host *self)
{
    int status = report_ends(self);
    if (status >= 0)
        status = submit_ready(self);
    if (status >= 0 && pn_dispatch_wants_ticks(self->core))
        status = pn_dispatch_tick(self->core, &self->hooks, self->now);
    if (status >= 0)
        status = pn_dispatch_run(self->core, &self->hooks, self->now, UINT64_MAX);
    if (status >= 0)
        start_launched(self);
    return status;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static int is_over(const host *self)
{
    for (uint32_t i = 0; i < self->plan->job_count; i++)
        if (self->plan->jobs[i].state == WAITS || self->plan->jobs[i].state == RUNS)
            return 0;
    return 1;
}

/* PN_OK when all is done, 130 after Ctrl-C, or what the core returned. */
static int loop(host *self)
{
    for (;;) {
        next_instant(self);
        int status = decide(self);
        if (status < 0)
            return status;
        if (is_over(self))
            return PN_OK;
        while (!first_ended(self)) {
            if (wait_ms(pn_dispatch_wants_ticks(self->core) ? TICK_MS : NEVER))
                return 130;
            reap(self);
            if (pn_dispatch_wants_ticks(self->core))
                break;
        }
    }
}

static int exit_code(const host *self)
{
    for (uint32_t i = 0; i < self->plan->job_count; i++)
        if (self->plan->jobs[i].state != MADE && self->plan->jobs[i].state != FRESH)
            return 1;
    return 0;
}

static int run(host *self)
{
    self->hooks = (pn_dispatch_hooks){.policy = self->plan->policy,
                                      .params = self->plan->params,
                                      .launch = on_launch,
                                      .kill = on_kill,
                                      .on_finish = on_finish,
                                      .on_event = on_event,
                                      .on_input = on_input,
                                      .user = self};
    if (open_core(self) != 0)
        return -1;
    self->origin = clock_ms();
    int status = loop(self);
    for (uint32_t i = 0; i < self->places; i++)
        end_process(self, &self->attempts[i]);
    wait_all();
    begin_log(self);
    end_inputs(self);
    pn_dispatch_totals_get(self->core, &result.totals);
    result.digest = pn_dispatch_digest(self->core);
    if (status == PN_ERR_POLICY && self->plan->lua.policy)
        complain_of_lua(&self->plan->lua);
    else if (status < 0)
        complain("%s at %llu ms", pn_status_name(status), (unsigned long long)self->now);
    return status == PN_OK ? exit_code(self) : status;
}

int host_run(br_plan *plan)
{
    host self = {.plan = plan};
    int status = run(&self);
    free(self.attempts);
    free(self.block);
    return status;
}
