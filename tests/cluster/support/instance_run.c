/* See instance.h: through the kernel, and whether two results are the same. */
#include "instance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the kernel is given ---- */

/* Numbers in the lists of a job, as the model counts them: replicas of all maps, listed or drawn,
 * and what is listed. */
static uint32_t replicas_of(const cluster_instance *run, const pn_cluster_job *job)
{
    uint32_t nodes = cluster_instance_nodes(run);
    uint32_t replication = run->scenario.config.replication;
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->maps; i++)
        count += job->blocks ? job->block_counts[i] : replication < nodes ? replication : nodes;
    return count;
}

static uint32_t values_of(const cluster_instance *run, const pn_cluster_job *job)
{
    const bool of_maps[] = {job->map_factor != NULL, job->map_times != NULL};
    const bool of_reduces[] = {job->reduce_factor != NULL, job->reduce_times != NULL,
                               job->shuffle_times != NULL};
    uint32_t count = job->blocks ? job->maps + 1 + replicas_of(run, job) : 0;
    for (size_t i = 0; i < sizeof of_maps; i++)
        count += of_maps[i] ? job->maps : 0;
    for (size_t i = 0; i < sizeof of_reduces; i++)
        count += of_reduces[i] ? job->reduces : 0;
    return count;
}

static void fit(pn_cluster_config *c, const pn_cluster_totals *held)
{
    c->scheduler.jobs_max = held->jobs_held_max;
    c->scheduler.tasks_max = held->tasks_held_max;
    c->scheduler.replicas_max = held->replicas_held_max > 0 ? held->replicas_held_max : 1;
    c->values_max = held->values_held_max;
}

static pn_cluster_config configure(const cluster_instance *run, const cluster_manner *how,
                                   const pn_scheduler_policy *policy)
{
    const naive_cluster_scenario *s = &run->scenario;
    pn_cluster_config c = s->config;
    uint32_t more = how->roomy ? 7 : 0;
    c.scheduler.jobs_max = (uint32_t)s->job_count + more;
    c.scheduler.tasks_max = c.scheduler.replicas_max = 1 + more;
    c.values_max = more;
    for (size_t i = 0; i < s->job_count; i++) {
        c.scheduler.tasks_max += run->jobs[i].maps + run->jobs[i].reduces;
        c.scheduler.replicas_max += replicas_of(run, &run->jobs[i]);
        c.values_max += values_of(run, &run->jobs[i]);
        for (uint32_t m = 0; run->jobs[i].blocks && m < run->jobs[i].maps; m++)
            if (c.scheduler.replicas_of_map < run->jobs[i].block_counts[m])
                c.scheduler.replicas_of_map = run->jobs[i].block_counts[m];
    }
    if (how->fitting)
        fit(&c, how->fitting);
    if (policy->admission.finishes ==
        PN_SCHEDULER_FINISHES_RECORDED) /* jobs that are over may keep their places */
        c.scheduler.jobs_max = (uint32_t)s->job_count + more;
    c.failures_max = (uint32_t)s->failure_count + (s->failure_count > 0 ? more : 0);
    c.bounds_max = s->job_count;
    c.scheduler.suspended_max = policy->preempt ? c.scheduler.tasks_max : more;
    c.scheduler.copies = policy->copy || how->roomy;
    c.scheduler.groups_max = 2;
    c.scheduler.statistics = 1;
    bool for_any = how->roomy && policy == pn_scheduler_policy_find(s->policy) &&
                   policy->admission.finishes != PN_SCHEDULER_FINISHES_RECORDED;
    c.scheduler.policy = for_any ? NULL : policy;
    return c;
}

static void choose_params(const naive_cluster_scenario *s, const pn_scheduler_policy *policy,
                          double *params)
{
    const struct {
        const char *name;
        double value;
    } known[] = {{"fair_mode", s->deficit},
                 {"colocate", s->colocate},
                 {"starvation", s->starvation},
                 {"work_conserving", s->work_conserving},
                 {"preemption", s->suspend},
                 {"copy_after_ms", (double)s->copy_after_ms},
                 {"order", s->deadlines.by_submission},
                 {"feedback", s->deadlines.feedback},
                 {"theta_ms", (double)s->deadlines.theta_ms},
                 {"reserve", s->deadlines.reserve_strict ? 2 : s->deadlines.reserve_less},
                 {"fc_estimate", s->deadlines.recompute},
                 {"fc_completed", s->deadlines.satu},
                 {"pred", s->deadlines.keep},
                 {"estimates", s->deadlines.learnt ? 1 + s->deadlines.by_speed : 0},
                 {"dc_reduce_start", s->deadlines.wait_for_the_latest}};
    for (int i = 0; i < policy->param_count; i++) {
        params[i] = policy->params[i].value;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
            if (strcmp(policy->params[i].name, known[k].name) == 0)
                params[i] = known[k].value;
    }
}

/* ---- second attempts ---- */

/* As naive/cluster.c has it: the running task that is the first by job and index of those with one
 * attempt, on another node, that has run long enough. */
static int copy_first(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    const pn_scheduler_policy *policy = pn_scheduler_policy_of(view);
    double after = pn_scheduler_param_value(view, policy->param_count - 1u);
    uint32_t best = UINT32_MAX;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
         job != PN_NO_JOB && *place == PN_SCHEDULER_NO_ATTEMPT; job = pn_scheduler_next(view, job))
        for (uint32_t at = PN_SCHEDULER_NO_ATTEMPT;
             (at = pn_scheduler_next_attempt(view, job, kind, at)) != PN_SCHEDULER_NO_ATTEMPT;) {
            pn_scheduler_task task = pn_scheduler_attempt_task(view, at);
            if (pn_scheduler_attempt_twin(view, at) != PN_SCHEDULER_NO_ATTEMPT ||
                task.node == node || task.task >= best || !pn_scheduler_may_run(view, job, kind) ||
                (double)(pn_scheduler_now(view) - task.start) < after)
                continue;
            best = task.task;
            *place = at;
        }
    return PN_OK;
}

/* The policy with second attempts where the scenario has them; its parameters are one more. */
static const pn_scheduler_policy *with_copies(const naive_cluster_scenario *s,
                                              const pn_scheduler_policy *policy,
                                              pn_scheduler_policy *room)
{
    if (!s->copies || policy->copy)
        return policy;
    *room = *policy;
    room->copy = copy_first;
    room->params[room->param_count++] = (pn_param){
        "copy_after_ms", 0, 0, (double)PN_INTEGER_MAX, NULL, 1, "before a second attempt"};
    return room;
}

/* ---- what it reports ---- */

typedef struct watch {
    const cluster_instance *run;
    cluster_outcome *out;
    pn_cluster *sim;
    pn_cluster_verifier *verifier;
    uint64_t finished, last_finish, last_id; /* reported */
    bool left_over;                          /* the unfinished ones are being reported */
    uint64_t in_slots[2], jobs;              /* in use by the events so far */
    const cluster_listener *listener;
} watch;

static void complain(cluster_outcome *out, const char *format, ...)
{
    va_list arguments;
    if (out->fault[0] != '\0')
        return;
    va_start(arguments, format);
    vsnprintf(out->fault, sizeof out->fault, format, arguments);
    va_end(arguments);
}

/* Whether the attempt of the last event stood still before it, without a slot. */
static bool was_suspended(const naive_cluster_result *r)
{
    const pn_scheduler_event *last = &r->events[r->event_count - 1];
    for (const pn_scheduler_event *it = last; it > r->events;)
        if ((--it)->id == last->id && it->kind == last->kind && it->task == last->task &&
            it->attempt == last->attempt && it->node == last->node)
            return it->event == PN_SCHEDULER_SUSPEND;
    return false;
}

/* Counts the last event. */
static void count_level(watch *w, const pn_scheduler_event *event)
{
    static const int slots[] = {
        [PN_SCHEDULER_LAUNCH] = 1, [PN_SCHEDULER_RESUME] = 1,   [PN_SCHEDULER_END] = -1,
        [PN_SCHEDULER_KILL] = -1,  [PN_SCHEDULER_FAIL] = -1,    [PN_SCHEDULER_LOSE] = -1,
        [PN_SCHEDULER_DROP] = -1,  [PN_SCHEDULER_SUSPEND] = -1, [PN_SCHEDULER_CANCEL] = -1};
    static const int jobs[] = {
        [PN_SCHEDULER_ACCEPT] = 1, [PN_SCHEDULER_JOB_FINISH] = -1, [PN_SCHEDULER_JOB_FAIL] = -1};
    int change = event->event < sizeof slots / sizeof slots[0] ? slots[event->event] : 0;
    if (change > 0 || (change < 0 && !was_suspended(&w->out->result)))
        w->in_slots[event->kind] += (uint64_t)change;
    if (event->event < sizeof jobs / sizeof jobs[0])
        w->jobs += (uint64_t)jobs[event->event];
}

/* Compares what is in use between two instants with what the events say. */
static void check_levels(watch *w)
{
    pn_scheduler_levels levels;
    pn_cluster_totals totals;
    pn_cluster_levels_get(w->sim, &levels);
    pn_cluster_totals_get(w->sim, &totals);
    if (levels.time != totals.time || levels.jobs != w->jobs || levels.map != w->in_slots[0] ||
        levels.reduce != w->in_slots[1] || levels.queue > levels.jobs)
        complain(w->out, "the levels at %llu are not those of the events",
                 (unsigned long long)totals.time);
}

static void see_event(void *user, const pn_scheduler_event *event)
{
    watch *w = user;
    naive_cluster_result *r = &w->out->result;
    if (r->event_count > 0 && r->events[r->event_count - 1].time > event->time)
        complain(w->out, "events out of order");
    if (event->id > w->run->scenario.job_count ||
        (event->id > 0 && event->tag != w->run->jobs[event->id - 1].tag))
        complain(w->out, "an event with another job's tag");
    if (r->event_count == r->event_room) {
        r->event_room = r->event_room > 0 ? 2 * r->event_room : 256;
        r->events = realloc(r->events, r->event_room * sizeof *r->events);
        if (!r->events)
            abort();
    }
    r->events[r->event_count] = *event;
    r->events[r->event_count++].place = 0;
    count_level(w, event);
    if (w->verifier)
        pn_cluster_verifier_feed(w->verifier, event);
}

static void see_finish(void *user, const pn_scheduler_record *job)
{
    watch *w = user;
    bool unfinished = job->state == PN_SCHEDULER_UNFINISHED;
    bool rejected = job->state == PN_SCHEDULER_REJECTED;
    uint64_t over = rejected ? job->submit : job->finish;
    if (job->id < 1 || job->id > w->run->scenario.job_count ||
        w->out->result.records[job->id - 1].id != 0) {
        complain(w->out, "job %llu is reported twice, or is none", (unsigned long long)job->id);
        return;
    }
    if (w->left_over && !unfinished)
        complain(w->out, "job %llu finished after all", (unsigned long long)job->id);
    bool ordered = unfinished ? !w->left_over || job->id > w->last_id
                              : over > w->last_finish ||
                                    (over == w->last_finish && (rejected || job->id > w->last_id));
    if (w->finished > 0 && !ordered)
        complain(w->out, "finishes out of order");
    w->finished++;
    w->left_over = unfinished;
    w->last_finish = over;
    w->last_id = rejected ? 0 : job->id; /* those that are rejected come last in an instant */
    w->out->result.records[job->id - 1] = *job;
}

/* ---- driving it ---- */

static void hear(void *user, const pn_scheduler_input *input)
{
    const watch *w = user;
    w->listener->input(w->listener->user, input);
}

static pn_cluster *moved(pn_cluster *sim)
{
    size_t size = pn_cluster_block_size(sim);
    void *copy = malloc(size);
    pn_cluster *opened = NULL;
    if (!copy)
        abort();
    memcpy(copy, sim, size);
    memset(sim, 0xA5, size);
    free(sim);
    if (pn_cluster_open(&opened, copy, size) != PN_OK)
        abort();
    return opened;
}

static int run_on(watch *w, pn_cluster_hooks *hooks, uint64_t until, cluster_manner how)
{
    for (;;) {
        bool by_steps = how.stepping && until == PN_CLUSTER_FOREVER;
        int status = by_steps ? pn_cluster_step(w->sim, hooks)
                              : pn_cluster_run(w->sim, hooks, until,
                                               how.move_every > 0 ? how.move_every : UINT64_MAX);
        if (by_steps && status >= 0)
            check_levels(w);
        if (how.move_every > 0)
            w->sim = moved(w->sim);
        if (how.move_every > 0 && how.relieve)
            hooks->policy = how.relieve(how.user);
        if (status != PN_PAUSED && !(by_steps && status == PN_OK))
            return status;
    }
}

static int drive(watch *w, pn_cluster_hooks *hooks, cluster_manner how)
{
    const naive_cluster_scenario *s = &w->run->scenario;
    for (size_t i = 0; i < s->failure_count; i++) {
        int status = pn_cluster_fail(w->sim, s->failures[i].time, s->failures[i].node,
                                     s->failures[i].recover);
        if (status != PN_OK)
            return status;
    }
    for (size_t i = 0; i < s->job_count; i++) {
        int status = PN_OK;
        uint64_t id = 0;
        if (how.one_by_one && s->jobs[i].submit > 0)
            status = run_on(w, hooks, s->jobs[i].submit - 1, how);
        if (status >= 0)
            status = pn_cluster_submit(w->sim, &s->jobs[i], &id);
        if (status < 0)
            return status;
        if (id != i + 1)
            complain(w->out, "job %zu was given number %llu", i + 1, (unsigned long long)id);
    }
    return run_on(w, hooks, PN_CLUSTER_FOREVER, how);
}

static void begin_check(watch *w, const pn_cluster_claim *claim)
{
    size_t size = pn_cluster_verifier_size(claim);
    void *block = malloc(size > 0 ? size : 1);
    if (pn_cluster_verifier_init(&w->verifier, block, size, claim) != PN_OK) {
        complain(w->out, "the checker refuses the claim");
        free(block);
        w->verifier = NULL;
    }
}

static void end_check(watch *w)
{
    uint64_t time = 0;
    uint64_t id = 0;
    const naive_cluster_result *r = &w->out->result;
    if (!w->verifier)
        return;
    if (pn_cluster_verifier_end(w->verifier, r->totals.last_finish, r->unfinished, r->digest) !=
        PN_OK) {
        const char *fault = pn_cluster_verifier_fault(w->verifier, &time, &id);
        complain(w->out, "the checker: %s (job %llu at %llu)", fault, (unsigned long long)id,
                 (unsigned long long)time);
    }
    free(w->verifier);
}

/* The sums of a group are those of the records. */
static void check_groups(watch *w)
{
    static const uint32_t groups[] = {PN_ALL_GROUPS, 0, 1};
    const pn_scheduler *core = pn_cluster_scheduler(w->sim);
    for (int i = 0; i < 3; i++) {
        pn_scheduler_group got;
        pn_scheduler_group want = naive_cluster_group(&w->out->result, groups[i]);
        want.struct_size = sizeof want;
        const pn_stats *makespans = pn_scheduler_samples(core, PN_SCHEDULER_MAKESPANS, groups[i]);
        if (pn_scheduler_group_get(core, groups[i], &got) != PN_OK ||
            memcmp(&got, &want, sizeof got) != 0)
            complain(w->out, "the sums of group %d", i - 1);
        if (!makespans || makespans->count != want.jobs)
            complain(w->out, "the makespans of group %d", i - 1);
    }
}

void cluster_instance_run(const cluster_instance *run, cluster_manner how, cluster_outcome *out)
{
    const naive_cluster_scenario *s = &run->scenario;
    const pn_scheduler_policy *policy = how.policy ? how.policy
                                                   : pn_scheduler_policy_find(s->policy);
    pn_scheduler_policy room;
    policy = with_copies(s, policy, &room);
    pn_cluster_config config = configure(run, &how, policy);
    double params[PN_PARAMS_MAX];
    watch w = {.run = run, .out = out, .listener = how.listener};
    memset(out, 0, sizeof *out);
    out->result.records = calloc(s->job_count + 1, sizeof *out->result.records);
    out->result.record_count = s->job_count;
    choose_params(s, policy, params);
    pn_cluster_claim claim = {.config = &config,
                              .preempts = policy->preempt != NULL,
                              .copies = policy->copy != NULL,
                              .maps_first = policy->admission.maps_first,
                              .deals = pn_scheduler_policy_find(policy->name) != policy,
                              .promises = pn_scheduler_policy_find(policy->name) == policy &&
                                          policy->admission.finishes != PN_SCHEDULER_FINISHES_NONE,
                              .holds = policy == pn_scheduler_dc() ||
                                       pn_scheduler_policy_find(policy->name) != policy,
                              .jobs = s->jobs,
                              .job_count = s->job_count,
                              .failures = s->failures,
                              .failure_count = s->failure_count};
    if (!how.unchecked)
        begin_check(&w, &claim);
    size_t size = pn_cluster_size(&config);
    if (size == 0 || pn_cluster_init(&w.sim, malloc(size), size, &config) != PN_OK)
        abort();
    pn_cluster_hooks hooks = {.policy = policy,
                              .params = how.params ? how.params : params,
                              .on_finish = see_finish,
                              .on_event = see_event,
                              .user = &w,
                              .on_input = how.listener ? hear : NULL};
    if (how.listener)
        how.listener->begin(how.listener->user, &config, policy, hooks.params);
    out->status = drive(&w, &hooks, how);
    pn_cluster_totals_get(w.sim, &out->totals);
    out->result.totals = out->totals.scheduler;
    out->result.unfinished = out->totals.unfinished;
    out->result.digest = pn_cluster_digest(w.sim);
    out->result.lower_bound = pn_cluster_bound(w.sim);
    if (w.finished != s->job_count)
        complain(out, "%llu of %zu jobs are reported", (unsigned long long)w.finished,
                 s->job_count);
    if (out->totals.submitted != s->job_count)
        complain(out, "%llu jobs were handed over", (unsigned long long)out->totals.submitted);
    check_groups(&w);
    end_check(&w);
    if (refusals_collecting() && !how.unchecked)
        cluster_refusals(&claim, out);
    free(w.sim);
}

/* ---- comparing ---- */

static int compare_words(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_events(const void *left, const void *right)
{
    const pn_scheduler_event *a = left;
    const pn_scheduler_event *b = right;
    const uint64_t pairs[][2] = {{a->time, b->time},         {a->id, b->id},
                                 {a->kind, b->kind},         {a->task, b->task},
                                 {a->node, b->node},         {a->event, b->event},
                                 {a->attempt, b->attempt},   {a->tag, b->tag},
                                 {a->estimate, b->estimate}, {a->deadline, b->deadline}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][0] != pairs[i][1])
            return compare_words(pairs[i][0], pairs[i][1]);
    return 0;
}

static const char *const event_names[] = {"",          "accept",  "reject",     "launch",   "end",
                                          "kill",      "fail",    "lose",       "drop",     "rerun",
                                          "node_down", "node_up", "job_finish", "job_fail", "late",
                                          "suspend",   "resume",  "cancel"};

/* As a word and its numbers. */
static void describe(char *text, size_t size, const naive_cluster_result *of, size_t i)
{
    if (i >= of->event_count) {
        snprintf(text, size, "nothing");
        return;
    }
    const pn_scheduler_event *e = &of->events[i];
    if (e->event <= PN_SCHEDULER_REJECT || e->event == PN_SCHEDULER_LATE) {
        snprintf(text, size, "%s at %llu: job %llu estimate %lld deadline %llu",
                 event_names[e->event], (unsigned long long)e->time, (unsigned long long)e->id,
                 (long long)e->estimate, (unsigned long long)e->deadline);
        return;
    }
    snprintf(text, size, "%s at %llu: job %llu %s %u node %u attempt %u",
             event_names[e->event <= PN_SCHEDULER_CANCEL ? e->event : 0],
             (unsigned long long)e->time, (unsigned long long)e->id,
             e->kind == PN_SCHEDULER_MAP ? "map" : "reduce", e->task + 1, e->node, e->attempt);
}

void cluster_instance_print_events(const naive_cluster_result *result)
{
    char text[120];
    for (size_t i = 0; i < result->event_count; i++) {
        describe(text, sizeof text, result, i);
        printf("  %s\n", text);
    }
}

/* The order in which attempts go down with a node or with a job is not for the rules to say. */
static bool goes_down(const pn_scheduler_event *e)
{
    return e->event == PN_SCHEDULER_LOSE || e->event == PN_SCHEDULER_DROP ||
           e->event == PN_SCHEDULER_NODE_DOWN;
}

static void sort_what_goes_down(naive_cluster_result *result)
{
    for (size_t i = 0, k = 0; i < result->event_count; i = k + 1) {
        for (k = i; k < result->event_count && goes_down(&result->events[k]); k++)
            ;
        if (k > i)
            qsort(&result->events[i], k - i, sizeof *result->events, compare_events);
    }
}

static bool same_events(naive_cluster_result *got, naive_cluster_result *want, char *what,
                        size_t size)
{
    char texts[2][90];
    sort_what_goes_down(got);
    sort_what_goes_down(want);
    for (size_t i = 0; i < got->event_count || i < want->event_count; i++) {
        if (i < got->event_count && i < want->event_count &&
            compare_events(&got->events[i], &want->events[i]) == 0)
            continue;
        describe(texts[0], sizeof texts[0], got, i);
        describe(texts[1], sizeof texts[1], want, i);
        snprintf(what, size, "got %s; want %s", texts[0], texts[1]);
        return false;
    }
    return true;
}

typedef struct number {
    const char *name;
    uint64_t got, want;
} number;

static bool same_numbers(const number *numbers, size_t count, uint64_t id, char *what, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i].got == numbers[i].want)
            continue;
        snprintf(what, size, "%s of job %llu: got %llu, want %llu", numbers[i].name,
                 (unsigned long long)id, (unsigned long long)numbers[i].got,
                 (unsigned long long)numbers[i].want);
        return false;
    }
    return true;
}

#define NUMBER(field)              \
    {                              \
#field, g->field, w->field \
    }

static bool same_record(const pn_scheduler_record *g, const pn_scheduler_record *w, char *what,
                        size_t size)
{
    const number numbers[] = {
        NUMBER(id),         NUMBER(tag),         NUMBER(submit),     NUMBER(first_map_start),
        NUMBER(map_finish), NUMBER(finish),      NUMBER(deadline),   NUMBER(first_reduce_start),
        NUMBER(slot_ms),    NUMBER(maps),        NUMBER(local_maps), NUMBER(colocated_reduces),
        NUMBER(kills),      NUMBER(reduces),     NUMBER(state),      NUMBER(group),
        NUMBER(promise),    NUMBER(suspensions), NUMBER(copies),     NUMBER(copies_won)};
    return same_numbers(numbers, sizeof numbers / sizeof numbers[0], w->id, what, size);
}

static bool same_totals(const pn_scheduler_totals *g, const pn_scheduler_totals *w, char *what,
                        size_t size)
{
    const number numbers[] = {NUMBER(submitted),
                              NUMBER(accepted),
                              NUMBER(rejected),
                              NUMBER(finished),
                              NUMBER(failed),
                              NUMBER(successful),
                              NUMBER(first_submit),
                              NUMBER(last_finish),
                              NUMBER(last_end),
                              NUMBER(slot_ms),
                              NUMBER(ended_slot_ms),
                              NUMBER(successful_slot_ms),
                              NUMBER(finished_maps),
                              NUMBER(local_maps),
                              NUMBER(finished_reduces),
                              NUMBER(colocated_reduces),
                              NUMBER(total_waiting),
                              NUMBER(total_execution),
                              NUMBER(total_makespan),
                              NUMBER(launches),
                              NUMBER(kills),
                              NUMBER(failures),
                              NUMBER(lost),
                              NUMBER(reruns),
                              NUMBER(map_slots),
                              NUMBER(reduce_slots),
                              NUMBER(feedback_fired),
                              NUMBER(late),
                              NUMBER(suspensions),
                              NUMBER(resumptions),
                              NUMBER(copies),
                              NUMBER(copies_won),
                              NUMBER(saturated_ms)};
    return same_numbers(numbers, sizeof numbers / sizeof numbers[0], 0, what, size);
}

bool cluster_instance_agree(naive_cluster_result *got, naive_cluster_result *want, char *what,
                            size_t size)
{
    const number rest[] = {{"unfinished", got->unfinished, want->unfinished},
                           {"digest", got->digest, want->digest},
                           {"lower_bound", got->lower_bound, want->lower_bound}};
    if (!same_events(got, want, what, size))
        return false;
    for (size_t i = 0; i < want->record_count; i++)
        if (!same_record(&got->records[i], &want->records[i], what, size))
            return false;
    return same_totals(&got->totals, &want->totals, what, size) &&
           same_numbers(rest, 3, 0, what, size);
}
