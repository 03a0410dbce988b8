/* The loop between processes and the scheduler core. What happens - a job is due, a process has
 * ended, time has passed - goes to the core as an event. Its hooks only take notes of what it
 * decides; the loop acts on them when the event is over. */
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mapreduce.h"

typedef struct mr_host {
    mr_plan *plan;
    void *block;
    pn_scheduler *core;
    pn_scheduler_hooks hooks;
    const pn_scheduler_hooks *log;
    mr_attempt *attempts;     /* by `run` of their tasks */
    uint32_t places, working; /* processes that are not suspended */
    /* of the plan's jobs: the first that is not submitted; how many have ended */
    uint32_t next_job, ended_jobs;
    uint32_t next_outage; /* … that has not happened */
    /* ms: of the clock at the start; since then, as of the last event */
    uint64_t origin, now;
    uint64_t next_tick, wake;
    int idle_tick; /* nothing has happened since the last one */
    int failed;    /* a job has */
    int refused;   /* a job was rejected, or has missed its deadline */
} mr_host;

/* ---- the core ---------------------------------------------------------------------------------
 */

static pn_scheduler_config config_of(const mr_plan *plan)
{
    const mr_setting *settings = plan->settings;
    pn_scheduler_config config = pn_scheduler_defaults();
    uint32_t tasks = 0, maps = 0;
    for (uint32_t i = 0; i < plan->job_count; i++) {
        maps += plan->jobs[i].maps;
        tasks += plan->jobs[i].maps + plan->jobs[i].reduces;
    }
    config.nodes = &plan->nodes;
    config.nodes_count = 1;
    config.jobs_max = plan->job_count;
    config.tasks_max = tasks;
    config.replicas_max = maps * plan->copies;
    config.replicas_of_map = plan->copies;
    config.suspended_max = tasks;
    config.copies = plan->policy->copy != NULL;
    config.seed = plan->seed;
    config.policy = plan->policy;
    config.maps_per_offer = 1; /* in turn, so that the maps of a job are spread over the nodes */
    config.slowstart_permille = (uint32_t)settings[SLOWSTART_PERMILLE].value;
    config.input_ratio_permille = (uint32_t)settings[INPUT_RATIO_PERMILLE].value;
    config.max_kills = (uint32_t)settings[MAX_KILLS].value;
    config.attempts_max = (uint32_t)settings[ATTEMPTS_MAX].value;
    config.locality_delay_ms = settings[LOCALITY_DELAY_MS].value;
    config.default_task_ms = settings[DEFAULT_TASK_MS].value;
    config.extra_ms[MAP] = config.extra_ms[REDUCE] = settings[EST_EXTRA_MS].value;
    return config;
}

/* ---- time ------------------------------------------------------------------------------------ */

static uint64_t now(mr_host *self)
{
    self->now = clock_ms() - self->origin;
    return self->now;
}

/* ---- the input log --------------------------------------------------------------------------- */

static size_t input_line_of(const void *from, uint64_t *check, char *line, size_t size)
{
    return pn_scheduler_input_line(from, check, line, size);
}

static size_t input_head_of(const void *from, uint64_t *check, char *line, size_t size)
{
    const mr_host *self = from;
    const pn_scheduler_config config = config_of(self->plan);
    const pn_input_about about = {.text = self->plan->lua.text, .text_size = self->plan->lua.size};
    return pn_scheduler_input_head(&config, &self->hooks, &about, check, line, size);
}

static void end_inputs(mr_host *self)
{
    const pn_scheduler_input end = {
        .kind = PN_SCHEDULER_IN_END, .now = self->now, .digest = pn_scheduler_digest(self->core)};
    put_input(&self->plan->inputs, input_line_of, &end);
}

/* ---- hooks: notes ---------------------------------------------------------------------------- */

static void on_launch(void *user, const pn_scheduler_task *task)
{
    mr_host *self = user;
    self->attempts[task->place] = (mr_attempt){
        .task = *task, .state = HOLDS, .fetched = -1, .input = -1};
}

/* The group is gone at once, even though it is waited for later; nothing that it may still write is
 * ever read. */
static void end_attempt(mr_host *self, mr_attempt *attempt)
{
    char path[PATH_ROOM];
    if (attempt->state == WORKS || attempt->state == EXITED) {
        kill(-attempt->pid, SIGKILL);
        self->working -= !attempt->stopped;
        remove_all(attempt_path(path, self->plan, &attempt->task));
    }
    task_close(attempt);
}

static void on_kill(void *user, const pn_scheduler_task *task)
{
    mr_host *self = user;
    end_attempt(self, &self->attempts[task->place]);
}

/* Its process is stopped, if it has one already. */
static void on_suspend(void *user, const pn_scheduler_task *task)
{
    mr_host *self = user;
    mr_attempt *attempt = &self->attempts[task->place];
    if (attempt->state != WORKS)
        return;
    kill(-attempt->pid, SIGSTOP);
    attempt->stopped = 1;
    attempt->stop_start = self->now;
    self->working--;
}

static void on_resume(void *user, const pn_scheduler_task *task)
{
    mr_host *self = user;
    mr_attempt *attempt = &self->attempts[task->place];
    if (!attempt->stopped)
        return;
    attempt->stopped = 0;
    attempt->work_start += self->now - attempt->stop_start;
    kill(-attempt->pid, SIGCONT);
    self->working++;
}

static void on_wake(void *user, uint64_t time)
{
    mr_host *self = user;
    if (time < self->wake)
        self->wake = time;
}

static uint64_t offset_of(int file)
{
    off_t at = lseek(file, 0, SEEK_CUR);
    return at > 0 ? (uint64_t)at : 0;
}

/* Of the input, what is fetched and what the command has read count alike; what it does after that
 * shows nowhere. */
static uint64_t ppm_of_work(const mr_attempt *attempt)
{
    uint64_t of = attempt->bytes, done = offset_of(attempt->input);
    if (attempt->fetched >= 0) {
        done += offset_of(attempt->fetched);
        of *= 2;
    }
    return of == 0 ? 0 : done < of ? done * 1000000 / of : 1000000;
}

/* Nothing before the process works: the wait of a reduce for the maps is none of its own time,
 * either (pn_scheduler_started). */
static uint32_t on_progress(void *user, const pn_scheduler_task *task)
{
    const mr_host *self = user;
    const mr_attempt *attempt = &self->attempts[task->place];
    return attempt->state == WORKS || attempt->state == EXITED ? (uint32_t)ppm_of_work(attempt) : 0;
}

static int on_fetched(void *user, const pn_scheduler_task *task)
{
    const mr_host *self = user;
    const mr_attempt *attempt = &self->attempts[task->place];
    return (attempt->state == WORKS || attempt->state == EXITED) &&
           offset_of(attempt->fetched) == attempt->bytes;
}

static void on_finish(void *user, const pn_scheduler_record *record)
{
    mr_host *self = user;
    mr_job *job = &self->plan->jobs[record->tag];
    char path[PATH_ROOM];
    job->record = *record;
    job->ended = 1;
    self->ended_jobs++;
    self->failed |= record->state == PN_SCHEDULER_FAILED;
    self->refused |= !is_successful(record);
    for (uint32_t map = 0; map < job->maps; map++)
        remove_all(done_path(path, self->plan, job->home[map], record->id, map));
}

/* What a node had of outputs is gone with it, as far as it is still needed; its blocks it has again
 * when it comes back. */
static void on_event(void *user, const pn_scheduler_event *event)
{
    mr_host *self = user;
    char path[PATH_ROOM];
    self->idle_tick = 0;
    if (event->event == PN_SCHEDULER_RERUN)
        remove_all(done_path(path, self->plan, event->node, event->id, event->task));
    if (event->event == PN_SCHEDULER_LATE)
        say_late(self->plan, event);
    if (self->log->on_event)
        self->log->on_event(self->log->user, event);
}

static void on_input(void *user, const pn_scheduler_input *input)
{
    mr_host *self = user;
    put_input(&self->plan->inputs, input_line_of, input);
}

/* ---- processes ------------------------------------------------------------------------------- */

static mr_attempt *attempt_of(mr_host *self, pid_t pid)
{
    for (uint32_t i = 0; i < self->places; i++) {
        if (self->attempts[i].state == WORKS && self->attempts[i].pid == pid)
            return &self->attempts[i];
    }
    return NULL;
}

static int report_failure(mr_host *self, mr_attempt *attempt)
{
    uint64_t token = attempt->task.token;
    char path[PATH_ROOM];
    task_close(attempt);
    remove_all(attempt_path(path, self->plan, &attempt->task));
    return pn_scheduler_failed(self->core, &self->hooks, now(self), token);
}

static int report_end(mr_host *self, mr_attempt *attempt, int status)
{
    const pn_scheduler_task task = attempt->task;
    mr_job *job = &self->plan->jobs[task.tag];
    self->working--;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || task_commit(self->plan, attempt) != 0)
        return report_failure(self, attempt);
    if (task.kind == MAP)
        job->home[task.task] = task.node;
    job->times[task.kind][task.task] = now(self) - attempt->work_start;
    task_close(attempt);
    return pn_scheduler_finished(self->core, &self->hooks, self->now, task.token);
}

/* Of processes that ended just before they were stopped the core hears when they have resumed. */
static int report_resumed(mr_host *self)
{
    int result = PN_OK;
    for (uint32_t i = 0; i < self->places && result >= 0; i++)
        if (self->attempts[i].state == EXITED && !self->attempts[i].stopped)
            result = report_end(self, &self->attempts[i], self->attempts[i].status);
    return result;
}

/* Processes that have ended. What is not an attempt's was killed, or left behind by one that
 * was. */
static int reap(mr_host *self)
{
    int status, result = report_resumed(self);
    pid_t pid;
    while (result >= 0 && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
        mr_attempt *attempt = attempt_of(self, pid);
        if (attempt && attempt->stopped) {
            attempt->state = EXITED;
            attempt->status = status;
        } else if (attempt) {
            result = report_end(self, attempt, status);
        }
    }
    return result;
}

/* Whether the attempt has all that it needs to work: a reduce, the outputs of all maps. */
static int is_ready(const mr_host *self, const mr_attempt *attempt)
{
    pn_scheduler_progress of_job;
    if (attempt->task.kind == MAP)
        return 1;
    pn_scheduler_progress_get(self->core, attempt->task.place, &of_job);
    return of_job.map_finish != NEVER;
}

/* The node to read the input from: it may lie here, else there should be one that is up. */
static uint32_t source_of(const mr_host *self, const pn_scheduler_task *task)
{
    const mr_plan *plan = self->plan;
    const uint32_t *replicas = plan->jobs[task->tag].replicas + (size_t)task->task * plan->copies;
    if (task->kind == REDUCE || task->local)
        return task->node;
    for (uint32_t i = 0; i < plan->copies; i++) {
        if (pn_scheduler_is_up(self->core, replicas[i]))
            return replicas[i];
    }
    return replicas[0];
}

/* PN_OK when slots may be free again, as something could not be started; PN_DONE when all that is
 * ready works. */
static int start_ready(mr_host *self)
{
    int status = PN_DONE;
    for (uint32_t i = 0; i < self->places && status >= 0; i++) {
        mr_attempt *attempt = &self->attempts[i];
        if (attempt->state != HOLDS || pn_scheduler_is_suspended(self->core, i) ||
            !is_ready(self, attempt))
            continue;
        attempt->source = source_of(self, &attempt->task);
        if (task_start(self->plan, attempt) != 0) {
            status = report_failure(self, attempt);
            continue;
        }
        self->working++;
        attempt->work_start = now(self);
        int started = pn_scheduler_started(self->core, &self->hooks, self->now,
                                           attempt->task.token);
        status = started < 0 ? started : status;
    }
    return status;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Rounds over the nodes until nobody takes a slot. */
static int offer(mr_host *self)
{
    int given = 1;
    self->wake = NEVER;
    while (given) {
        given = 0;
        for (uint32_t node = 0; node < pn_scheduler_node_count(self->core); node++) {
            if (pn_scheduler_free_slots(self->core, node, MAP) == 0 &&
                pn_scheduler_free_slots(self->core, node, REDUCE) == 0)
                continue;
            int status = pn_scheduler_offer(self->core, &self->hooks, self->now, node);
            if (status < 0)
                return status;
            given |= status == PN_OK;
        }
    }
    return PN_OK;
}

static int submit_due(mr_host *self)
{
    const mr_plan *plan = self->plan;
    if (self->next_job == plan->job_count || plan->jobs[self->next_job].due > self->now)
        return PN_DONE;
    return submit_job(self->plan, self->core, &self->hooks, now(self), self->next_job++);
}

/* The node's attempts are over. A reduce elsewhere whose job has to do maps again starts over when
 * these are done: none may end before the last map. */
static int node_down(mr_host *self, uint32_t node)
{
    for (uint32_t i = 0; i < self->places; i++) {
        if (self->attempts[i].state != NONE && self->attempts[i].task.node == node)
            end_attempt(self, &self->attempts[i]);
    }
    int status = pn_scheduler_node_down(self->core, &self->hooks, self->now, node);
    for (uint32_t i = 0; i < self->places && status >= 0; i++) {
        mr_attempt *attempt = &self->attempts[i];
        if ((attempt->state != WORKS && attempt->state != EXITED) || is_ready(self, attempt))
            continue;
        pid_t pid = attempt->pid;
        end_attempt(self, attempt);
        waitpid(pid, NULL, 0); /* its directory will be made again */
        attempt->state = HOLDS;
    }
    return status;
}

static int outage_due(mr_host *self)
{
    const mr_plan *plan = self->plan;
    if (self->next_outage == plan->outage_count || plan->outages[self->next_outage].due > self->now)
        return PN_DONE;
    mr_outage *outage = &plan->outages[self->next_outage++];
    outage->time = now(self);
    return outage->up ? pn_scheduler_node_up(self->core, &self->hooks, self->now, outage->node)
                      : node_down(self, outage->node);
}

/* Jobs that the policy held back until now may have slots. */
static int opening_due(mr_host *self)
{
    if (pn_scheduler_next_opening(self->core) > self->now)
        return PN_DONE;
    return pn_scheduler_wake(self->core, &self->hooks, self->now);
}

/* A tick that comes late stands for those that were missed. */
static int tick_due(mr_host *self)
{
    uint64_t every = self->plan->settings[TICK_MS].value;
    if (self->next_tick > self->now || !pn_scheduler_wants_ticks(self->core))
        return PN_DONE;
    self->next_tick += (1 + (self->now - self->next_tick) / every) * every;
    self->idle_tick = 1;
    return pn_scheduler_tick(self->core, &self->hooks, self->now);
}

/* After every event the free slots are offered, and what was launched is started. */
static int settle(mr_host *self, int status)
{
    while (status >= 0 && (status = offer(self)) >= 0 && (status = start_ready(self)) == PN_OK) {
    }
    return status;
}

/* The ms until something is due without any process; NEVER: nothing is. */
static uint64_t time_to_sleep(const mr_host *self)
{
    uint64_t next = self->wake, opening = pn_scheduler_next_opening(self->core);
    if (opening < next)
        next = opening;
    if (self->next_job < self->plan->job_count && self->plan->jobs[self->next_job].due < next)
        next = self->plan->jobs[self->next_job].due;
    if (self->next_outage < self->plan->outage_count &&
        self->plan->outages[self->next_outage].due < next)
        next = self->plan->outages[self->next_outage].due;
    /* Without a process and after a tick in vain another one changes nothing. */
    if (self->next_tick < next && (self->working > 0 || !self->idle_tick) &&
        pn_scheduler_wants_ticks(self->core))
        next = self->next_tick;
    if (next == NEVER)
        return NEVER;
    uint64_t time = clock_ms() - self->origin;
    return next > time ? next - time : 0;
}

/* PN_DONE when all jobs have ended, or nothing can happen any more; 130 after Ctrl-C; or what the
 * core returned. */
static int loop(mr_host *self)
{
    for (;;) {
        now(self);
        int status = settle(self, reap(self));
        while (status >= 0 && (status = outage_due(self)) == PN_OK)
            status = settle(self, status);
        while (status >= 0 && (status = submit_due(self)) == PN_OK)
            status = settle(self, status);
        if (status >= 0 && (status = opening_due(self)) == PN_OK)
            status = settle(self, status);
        if (status >= 0 && (status = tick_due(self)) == PN_OK)
            status = settle(self, status);
        if (status < 0)
            return status;
        uint64_t ms = time_to_sleep(self);
        if (self->ended_jobs == self->plan->job_count || (ms == NEVER && self->working == 0))
            return PN_DONE;
        if (wait_ms(ms))
            return 130;
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

static int open_core(mr_host *self)
{
    pn_scheduler_config config = config_of(self->plan);
    size_t size = pn_scheduler_size(&config);
    if (size == 0)
        return complain("%s", pn_scheduler_check(&config));
    self->block = malloc(size);
    if (!self->block || pn_scheduler_init(&self->core, self->block, size, &config) != PN_OK)
        return complain("not enough memory");
    self->places = pn_scheduler_places_max(self->core);
    self->attempts = calloc(self->places, sizeof *self->attempts);
    return self->attempts ? 0 : complain("not enough memory");
}

/* Ends what still runs. */
static void end_all(mr_host *self)
{
    for (uint32_t i = 0; i < self->places; i++)
        end_attempt(self, &self->attempts[i]);
    wait_all();
}

/* Jobs that have not ended, as far as they are. */
static void note_unfinished(mr_host *self)
{
    uint32_t place = PN_NO_JOB;
    pn_scheduler_record record;
    while (pn_scheduler_next_record(self->core, &place, &record) == PN_OK)
        self->plan->jobs[record.tag].record = record;
}

/* Why jobs are left although nothing can happen any more; no task runs, so all slots that are up
 * are free. */
static void explain(const mr_host *self)
{
    uint32_t nodes = pn_scheduler_node_count(self->core), place = PN_NO_JOB,
             left = self->plan->job_count - self->ended_jobs;
    int map_slot = pn_scheduler_next_free(self->core, MAP, 0) < nodes;
    int reduce_slot = pn_scheduler_next_free(self->core, REDUCE, 0) < nodes;
    pn_scheduler_record job;
    while (pn_scheduler_next_record(self->core, &place, &job) == PN_OK) {
        if (job.map_finish == NEVER ? map_slot : reduce_slot) {
            complain("policy %s stopped giving slots although slots were free: %u job%s unfinished",
                     self->plan->policy_name, left, left == 1 ? "" : "s");
            return;
        }
    }
    complain("no %s is up: %u job%s unfinished",
             map_slot      ? "reduce slot"
             : reduce_slot ? "map slot"
                           : "node",
             left, left == 1 ? "" : "s");
}

static int run(mr_host *self)
{
    self->hooks = (pn_scheduler_hooks){.policy = self->plan->policy,
                                       .params = self->plan->params,
                                       .launch = on_launch,
                                       .kill = on_kill,
                                       .suspend = on_suspend,
                                       .resume = on_resume,
                                       .wake_at = on_wake,
                                       .progress = on_progress,
                                       .fetched = on_fetched,
                                       .on_finish = on_finish,
                                       .on_event = on_event,
                                       .on_input = on_input,
                                       .user = self};
    put_input(&self->plan->inputs, input_head_of, self);
    self->origin = clock_ms();
    self->wake = NEVER;
    int status = loop(self);
    /* A policy in Lua says itself what is wrong with it. */
    if (status < 0 && !(status == PN_ERR_POLICY && self->plan->lua.policy))
        complain("%s at %llu ms", pn_status_name(status), (unsigned long long)self->now);
    if (status == PN_DONE && self->ended_jobs < self->plan->job_count)
        explain(self);
    return status;
}

int host_run(mr_plan *plan, const pn_scheduler_hooks *log, mr_result *result)
{
    mr_host self = {.plan = plan, .log = log};
    int status = open_core(&self);
    if (status == 0) {
        status = run(&self);
        end_inputs(&self);
        end_all(&self);
        note_unfinished(&self);
        pn_scheduler_totals_get(self.core, &result->totals);
        pn_scheduler_group_get(self.core, PN_ALL_GROUPS, &result->sums);
        result->digest = pn_scheduler_digest(self.core);
        if (status == PN_DONE)
            status = self.failed || self.ended_jobs < plan->job_count ? 1 : self.refused ? 3 : 0;
    }
    free(self.attempts);
    free(self.block);
    return status;
}
