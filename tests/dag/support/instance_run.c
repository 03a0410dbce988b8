/* See instance.h: a scenario of the naive model through the kernel, and its results beside the
 * naive model's. */
#include "instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/workload.h"

/* ---- the scenario as the kernel wants it ---- */

/* A scenario in the kernel's terms, jobs in order of id. */
typedef struct world {
    pn_dag_config config;
    pn_dag_job *jobs;
    pn_dag_failure *failures;
    double params[PN_PARAMS_MAX];
    const pn_dispatch_policy *policy;
} world;

static void set_nodes(world *to, const naive_dag_scenario *s)
{
    pn_dispatch_nodes *nodes = workload_room(s->group_count * sizeof *nodes);
    for (uint32_t i = 0; i < s->group_count; i++) {
        nodes[i] = (pn_dispatch_nodes){.count = s->nodes[i].count, .speed = s->nodes[i].speed};
        memcpy(nodes[i].capacity, s->nodes[i].capacity, sizeof nodes[i].capacity);
    }
    to->config.dispatch.nodes = nodes;
    to->config.dispatch.nodes_count = s->group_count;
    to->config.dispatch.resources = s->resource_count;
}

/* Without queues those of DG2, which the naive model has found. */
static void set_queues(world *to, const naive_dag_scenario *s, const naive_dag_result *want)
{
    uint32_t count = want->queue_count;
    pn_dispatch_queue *queues = workload_room(count * sizeof *queues);
    for (uint32_t i = 0; i < count; i++)
        queues[i] = s->queue_count > 0
                        ? (pn_dispatch_queue){s->queues[i].weight, s->queues[i].guaranteed,
                                              s->queues[i].maximum, 0}
                        : (pn_dispatch_queue){1, 1000 / count, 1000, 0};
    to->config.dispatch.queues = queues;
    to->config.dispatch.queues_count = count;
}

static pn_dag_job job_of(const naive_dag_job *given, uint32_t queue, uint64_t tag)
{
    pn_dag_stage *stages = workload_room(given->stage_count * sizeof *stages);
    for (uint32_t i = 0; i < given->stage_count; i++) {
        const naive_dag_stage *it = &given->stages[i];
        stages[i] = (pn_dag_stage){.duration = it->durations ? 0 : it->duration,
                                   .durations = it->durations,
                                   .parents = it->parents,
                                   .parent_count = it->parent_count,
                                   .tasks = it->tasks,
                                   .estimate = it->estimate,
                                   .start_ms = it->start_ms};
        memcpy(stages[i].demand, it->demand, sizeof stages[i].demand);
    }
    return (pn_dag_job){.arrival = given->arrival,
                        .stages = stages,
                        .stage_count = given->stage_count,
                        .weight = given->weight,
                        .priority = given->priority,
                        .queue = queue,
                        .deadline = given->deadline == NAIVE_DAG_NEVER ? 0 : given->deadline,
                        .tag = tag};
}

static void set_tables(world *to, const naive_dag_scenario *s)
{
    pn_dag_config *config = &to->config;
    uint64_t tasks = 0, stages = 0, edges = 0, durations = 0;
    for (uint32_t j = 0; j < s->job_count; j++) {
        pn_dag_needs needs = pn_dag_needs_of(config, &to->jobs[j]);
        tasks += needs.attempts;
        stages += needs.stages;
        edges += needs.edges;
        durations += needs.durations;
        for (uint32_t i = 0; i < to->jobs[j].stage_count; i++)
            tasks += to->jobs[j].stages[i].tasks;
    }
    config->dispatch.jobs_max = s->job_count;
    config->dispatch.stages_max = (uint32_t)stages;
    config->dispatch.edges_max = (uint32_t)(edges + 1);
    config->dispatch.attempts_max = (uint32_t)tasks;
    config->durations_max = (uint32_t)durations;
    config->failures_max = s->failure_count;
    config->bounds_max = s->job_count;
    config->statistics = 1;
}

static void set_rules(world *to, const naive_dag_params *p)
{
    pn_dag_config *config = &to->config;
    config->dispatch.placement = (uint32_t)p->placement;
    config->dispatch.order = (uint32_t)p->order;
    config->dispatch.backfill = p->backfill;
    config->dispatch.max_kills = p->max_kills_per_task;
    config->dispatch.running_most = p->running_most;
    config->dispatch.executors = (uint32_t)p->executors;
    config->move_ms = p->move_ms;
    config->fresh_ms = p->fresh_ms;
    config->seed = p->seed;
    config->factor_lo = p->factor_lo;
    config->factor_hi = p->factor_hi;
    config->est_lo = p->est_lo;
    config->est_hi = p->est_hi;
    config->start_ms = p->start_ms;
    config->tick_ms = p->tick_ms;
    config->max_time_ms = p->max_time_ms;
}

/* Returns whether the policy orders jobs by their keys only (DG35). */
static bool suits_sticky(const world *to)
{
    const pn_dispatch_order *order = &to->policy->order;
    bool by_queue = order->by_queue || strcmp(to->policy->name, "capacity") == 0 ||
                    strcmp(to->policy->name, "tetris") == 0; /* scripts choose when they begin */
    for (uint32_t i = 0; i < to->policy->param_count; i++)
        by_queue |= strcmp(to->policy->params[i].name, "share_by") == 0 && to->params[i] > 0;
    return !(by_queue || order->packs || order->preempts);
}

static void set_params(world *to, const naive_dag_scenario *s, dag_manner how)
{
    const naive_dag_params *p = &s->params;
    const struct {
        const char *name;
        double value;
    } known[] = {
        {"share_by", p->share_by_queue},
        {"preempt", p->preempt},
        {"cp_first", p->shortest_first},
        {"alpha_permille", p->alpha_permille},
        {"tetris_m_permille", p->tetris_m_permille},
    };
    to->policy = how.policy ? how.policy : pn_dispatch_policy_find(s->policy);
    to->config.dispatch.policy = how.policy; /* the block has memory for it */
    for (uint32_t i = 0; i < to->policy->param_count; i++) {
        to->params[i] = how.params ? how.params[i] : to->policy->params[i].value;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
            if (!how.params && strcmp(known[k].name, to->policy->params[i].name) == 0)
                to->params[i] = known[k].value;
    }
    if (to->config.dispatch.executors == PN_DISPATCH_EXECUTORS_STICKY && !suits_sticky(to))
        to->config.dispatch.executors = PN_DISPATCH_EXECUTORS_FREE;
}

static void make_world(world *to, const naive_dag_scenario *s, const naive_dag_result *want,
                       dag_manner how)
{
    *to = (world){.config = pn_dag_defaults()};
    set_nodes(to, s);
    set_queues(to, s, want);
    set_rules(to, &s->params);
    set_params(to, s, how);
    to->jobs = workload_room(s->job_count * sizeof *to->jobs);
    for (uint32_t id = 0; id < s->job_count; id++)
        to->jobs[id] = job_of(&s->jobs[want->records[id].given], want->records[id].queue,
                              want->records[id].given);
    to->failures = workload_room(s->failure_count * sizeof *to->failures);
    for (uint32_t i = 0; i < s->failure_count; i++)
        to->failures[i] = (pn_dag_failure){.time = s->failures[i].time,
                                           .recover = s->failures[i].recover,
                                           .node = s->failures[i].node};
    set_tables(to, s);
}

static void drop_world(world *of, const naive_dag_scenario *s)
{
    for (uint32_t i = 0; i < s->job_count; i++)
        free((void *)(uintptr_t)of->jobs[i].stages);
    free(of->jobs);
    free(of->failures);
    free((void *)(uintptr_t)of->config.dispatch.nodes);
    free((void *)(uintptr_t)of->config.dispatch.queues);
}

/* ---- what the kernel reports ---- */

typedef struct watch {
    dag_outcome *out;
    pn_dag_verifier *verifier;
    const naive_dag_scenario *run;
    uint64_t unfinished;
    pn_dispatch_levels levels; /* by the events so far */
    const dag_listener *listener;
    refusals_table log; /* of dag_log_entry */
} watch;

static void blame(watch *to, const char *fault, uint64_t time, uint64_t id)
{
    if (to->out->fault[0] == '\0')
        snprintf(to->out->fault, sizeof to->out->fault, "%s (time %llu, job %llu)", fault,
                 (unsigned long long)time, (unsigned long long)id);
}

static void check_fed(watch *to, int status)
{
    uint64_t time, id;
    if (status == PN_OK)
        return;
    char text[160];
    snprintf(text, sizeof text, "the checker: %s", pn_dag_verifier_fault(to->verifier, &time, &id));
    blame(to, text, time, id);
}

static void count_level(watch *to, const pn_dispatch_event *event)
{
    static const int jobs[] = {[PN_DISPATCH_ARRIVE] = 1, [PN_DISPATCH_JOB_FINISH] = -1};
    static const int tasks[] = {[PN_DISPATCH_LAUNCH] = 1,
                                [PN_DISPATCH_END] = -1,
                                [PN_DISPATCH_KILL] = -1,
                                [PN_DISPATCH_LOSE] = -1};
    if (event->event < sizeof jobs / sizeof jobs[0])
        to->levels.jobs += (uint64_t)jobs[event->event];
    if (event->event >= sizeof tasks / sizeof tasks[0] || tasks[event->event] == 0)
        return;
    to->levels.tasks += (uint64_t)tasks[event->event];
    for (uint32_t r = 0; r < to->run->resource_count; r++)
        to->levels.in_use[r] += (uint64_t)tasks[event->event] *
                                to->run->jobs[event->tag].stages[event->stage].demand[r];
}

/* Compares what is in use between two instants with what the events say. */
static void check_levels(watch *to, const pn_dag *sim)
{
    pn_dispatch_levels levels;
    pn_dag_totals totals;
    pn_dag_levels_get(sim, &levels);
    pn_dag_totals_get(sim, &totals);
    if (levels.time != totals.time || levels.jobs != to->levels.jobs ||
        levels.tasks != to->levels.tasks || levels.queue > levels.jobs ||
        memcmp(levels.in_use, to->levels.in_use, sizeof levels.in_use) != 0)
        blame(to, "the levels are not those of the events", totals.time, 0);
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    static const enum naive_dag_kind kinds[] = {
        [PN_DISPATCH_ARRIVE] = NAIVE_DAG_ARRIVE,   [PN_DISPATCH_LAUNCH] = NAIVE_DAG_LAUNCH,
        [PN_DISPATCH_END] = NAIVE_DAG_END,         [PN_DISPATCH_KILL] = NAIVE_DAG_KILL,
        [PN_DISPATCH_LOSE] = NAIVE_DAG_LOSE,       [PN_DISPATCH_NODE_DOWN] = NAIVE_DAG_NODE_DOWN,
        [PN_DISPATCH_NODE_UP] = NAIVE_DAG_NODE_UP, [PN_DISPATCH_JOB_FINISH] = NAIVE_DAG_JOB_FINISH,
        [PN_DISPATCH_MOVE] = NAIVE_DAG_MOVE,
    };
    watch *to = user;
    naive_dag_result *result = &to->out->result;
    if (result->event_count == result->event_room) {
        result->event_room = 2 * result->event_room + 64;
        result->events = realloc(result->events, result->event_room * sizeof *result->events);
        if (!result->events)
            abort();
    }
    result->events[result->event_count++] = (naive_dag_event){
        event->time,  kinds[event->event], event->id > 0 ? (uint32_t)event->id - 1 : 0,
        event->stage, event->task,         event->attempt,
        event->node};
    if (event->id > 0 && event->tag >= to->run->job_count)
        blame(to, "the event's tag is no job's", event->time, event->id);
    else
        count_level(to, event);
    if (to->verifier)
        check_fed(to, pn_dag_verifier_feed(to->verifier, event));
    if (refusals_collecting())
        refusals_keep(&to->log, &(dag_log_entry){.event = *event});
}

static void on_finish(void *user, const pn_dag_record *record)
{
    watch *to = user;
    const pn_dispatch_record *job = record->job;
    naive_dag_record *own = &to->out->result.records[job->id - 1];
    bool finished = job->state == PN_DISPATCH_FINISHED;
    *own = (naive_dag_record){
        .given = (uint32_t)job->tag,
        .queue = job->queue,
        .finished = finished,
        .arrival = job->arrival,
        .first_start = job->first_start,
        .finish = job->finish,
        .jct = finished ? job->finish - job->arrival : NAIVE_DAG_NEVER,
        .waiting = job->first_start == PN_DISPATCH_NEVER ? NAIVE_DAG_NEVER
                                                         : job->first_start - job->arrival,
        .alone = record->alone,
        .slowdown = finished ? record->slowdown_permille : 0,
        .judged = finished && to->run->jobs[job->tag].deadline != NAIVE_DAG_NEVER,
        .met = record->deadline_met,
        .kills = (uint32_t)job->kills,
        .lost = (uint32_t)job->lost,
        .stage_count = job->stage_count};
    own->stages = workload_room(job->stage_count * sizeof *own->stages);
    for (uint32_t i = 0; i < job->stage_count; i++)
        own->stages[i] = (naive_dag_stage_record){job->stages[i].ready, job->stages[i].start,
                                                  job->stages[i].finish};
    to->unfinished += !finished;
    if (to->verifier)
        check_fed(to, pn_dag_verifier_row(to->verifier, record));
    if (refusals_collecting()) {
        dag_log_entry entry = {.is_row = 1, .row = *record, .job = *job};
        memcpy(entry.stages, job->stages, job->stage_count * sizeof entry.stages[0]);
        refusals_keep(&to->log, &entry);
    }
}

static naive_dag_wide wide(pn_wide value)
{
    return (naive_dag_wide)value.high << 64 | value.low;
}

static void take_totals(const pn_dag *sim, const naive_dag_scenario *run, dag_outcome *out)
{
    naive_dag_result *result = &out->result;
    naive_dag_totals *to = &result->totals;
    const pn_dispatch_totals *core = &out->totals.dispatch;
    pn_dag_totals_get(sim, &out->totals);
    *to = (naive_dag_totals){.jobs = (uint32_t)out->totals.submitted,
                             .finished = (uint32_t)core->finished,
                             .total_jct = wide(core->total_jct),
                             .makespan = out->totals.makespan,
                             .slowdown_sum = wide(out->totals.slowdown_sum),
                             .jain = out->totals.jain_permille,
                             .launches = core->launches,
                             .kills = core->kills,
                             .lost_attempts = core->lost,
                             .saturated_ms = core->saturated_ms,
                             .bound_makespan = out->totals.bound_makespan,
                             .bound_total_jct = wide(out->totals.bound_total_jct)};
    for (uint32_t r = 0; r < run->resource_count; r++) {
        to->used[r] = wide(core->used[r]);
        to->lost[r] = wide(core->wasted[r]);
        to->utilisation[r] = out->totals.utilisation_permille[r];
    }
    for (uint32_t q = 0; q < result->queue_count; q++) {
        pn_dispatch_queue_totals its;
        pn_dag_queue_get(sim, q, &its);
        result->queues[q] = (naive_dag_queue_totals){.jobs = (uint32_t)its.jobs,
                                                     .finished = (uint32_t)its.finished,
                                                     .total_jct = wide(its.total_jct)};
        for (uint32_t r = 0; r < run->resource_count; r++)
            result->queues[q].used[r] = wide(its.used[r]);
    }
    out->digest = pn_dag_digest(sim);
}

/* ---- running ---- */

static void *copy_of(void *block, size_t size)
{
    void *copy = workload_room(size);
    memcpy(copy, block, size);
    memset(block, 0xA5, size);
    free(block);
    return copy;
}

/* Runs up to `until` as `how` says, moving the block now and then. */
static int advance(void **block, pn_dag_hooks *hooks, uint64_t until, dag_manner how)
{
    uint64_t portion = how.stepping ? 1 : how.move_every > 0 ? how.move_every : UINT64_MAX;
    for (;;) {
        pn_dag *sim;
        size_t size = pn_dag_block_size(*block);
        if (pn_dag_open(&sim, *block, size) != PN_OK)
            return PN_ERR_BLOCK;
        int status = pn_dag_run(sim, hooks, until, portion);
        if (how.stepping && status >= 0)
            check_levels(hooks->user, sim);
        if (status != PN_PAUSED)
            return status;
        if (how.move_every > 0) {
            if (pn_dag_validate(*block, size) != PN_OK)
                return PN_ERR_DAMAGED;
            *block = copy_of(*block, size);
            if (how.relieve)
                hooks->policy = how.relieve(how.user);
        }
    }
}

static int submit_all(pn_dag *sim, const world *of, const naive_dag_scenario *run)
{
    int status = PN_OK;
    for (uint32_t i = 0; i < run->job_count && status == PN_OK; i++)
        status = pn_dag_submit(sim, &of->jobs[i], NULL);
    return status;
}

/* Each job is handed over as late as can be; the run never knows whether it is the last one. */
static int run_one_by_one(void **block, const world *of, const naive_dag_scenario *run,
                          pn_dag_hooks *hooks, dag_manner how)
{
    int status = PN_OK;
    for (uint32_t i = 0; i < run->job_count && status >= 0; i++) {
        if (of->jobs[i].arrival > 0)
            status = advance(block, hooks, of->jobs[i].arrival - 1, how);
        if (status >= 0)
            status = pn_dag_submit(*block, &of->jobs[i], NULL);
    }
    return status < 0 ? status : advance(block, hooks, PN_DAG_FOREVER, how);
}

/* Tables of just the sizes that were needed; a virtual cluster may lag behind the real one. */
static void fit(pn_dag_config *config, const pn_dag_totals *held)
{
    config->dispatch.jobs_max = held->jobs_held_max > held->dispatch.virtual_held_max
                                    ? held->jobs_held_max
                                    : held->dispatch.virtual_held_max;
    config->dispatch.stages_max = held->stages_held_max;
    config->dispatch.edges_max = held->edges_held_max + (held->edges_held_max == 0);
    config->dispatch.attempts_max = held->dispatch.attempts_held_max +
                                    (held->dispatch.attempts_held_max == 0);
    config->dispatch.classes_max = held->dispatch.classes_held_max +
                                   (held->dispatch.classes_held_max == 0);
    config->durations_max = held->durations_held_max;
}

static void hear(void *user, const pn_dispatch_input *input)
{
    const watch *to = user;
    to->listener->input(to->listener->user, input);
}

static int run_world(world *of, const naive_dag_scenario *run, dag_manner how, watch *to)
{
    pn_dag_hooks hooks = {.policy = of->policy,
                          .params = of->params,
                          .on_finish = on_finish,
                          .on_event = on_event,
                          .user = to,
                          .on_input = how.listener ? hear : NULL};
    if (how.fitting)
        fit(&of->config, how.fitting);
    to->listener = how.listener;
    if (how.listener)
        how.listener->begin(how.listener->user, &of->config, of->policy, of->params);
    size_t size = pn_dag_size(&of->config);
    if (size == 0)
        return PN_ERR_CONFIG;
    void *block = workload_room(size);
    pn_dag *sim;
    int status = pn_dag_init(&sim, block, size, &of->config);
    for (uint32_t i = 0; i < run->failure_count && status == PN_OK; i++)
        status = pn_dag_fail(sim, of->failures[i].time, of->failures[i].node,
                             of->failures[i].recover);
    if (status == PN_OK && !how.one_by_one)
        status = submit_all(sim, of, run);
    if (status == PN_OK)
        status = how.one_by_one ? run_one_by_one(&block, of, run, &hooks, how)
                                : advance(&block, &hooks, PN_DAG_FOREVER, how);
    if (status >= 0 && pn_dag_validate(block, size) != PN_OK)
        status = PN_ERR_DAMAGED;
    if (status >= 0)
        take_totals(block, run, to->out);
    free(block);
    return status;
}

static pn_dag_claim claim_of(const world *of, const naive_dag_scenario *run)
{
    const pn_dispatch_policy *policy = of->policy;
    bool capacity = strcmp(policy->name, "capacity") == 0;
    return (pn_dag_claim){.config = &of->config,
                          .preempts = capacity ? of->params[0] != 0.0 : policy->preempt != NULL,
                          .limits = capacity || policy->order.limits,
                          .jobs = of->jobs,
                          .job_count = run->job_count,
                          .failures = of->failures,
                          .failure_count = run->failure_count};
}

static void *start_verifier(watch *to, const world *of, const naive_dag_scenario *run)
{
    const pn_dag_claim claim = claim_of(of, run);
    size_t size = pn_dag_verifier_size(&claim);
    void *block = workload_room(size);
    if (pn_dag_verifier_init(&to->verifier, block, size, &claim) != PN_OK)
        blame(to, "the checker does not take the claim", 0, 0);
    return block;
}

static void end_verifier(watch *to, const naive_dag_scenario *run)
{
    if (run->params.max_time_ms > 0)
        check_fed(to, pn_dag_verifier_stop(to->verifier, run->params.max_time_ms));
    check_fed(to,
              pn_dag_verifier_end(to->verifier, to->unfinished, &to->out->totals, to->out->digest));
}

void dag_instance_run(const naive_dag_scenario *run, const naive_dag_result *want, dag_manner how,
                      dag_outcome *out)
{
    world of;
    watch to = {.out = out, .run = run, .log.size = sizeof(dag_log_entry)};
    void *block = NULL;
    *out = (dag_outcome){
        .result = {.record_count = run->job_count, .queue_count = want->queue_count}};
    out->result.records = calloc(run->job_count, sizeof *out->result.records);
    out->result.queues = calloc(want->queue_count, sizeof *out->result.queues);
    if (!out->result.records || !out->result.queues)
        abort();
    make_world(&of, run, want, how);
    if (!how.unchecked)
        block = start_verifier(&to, &of, run);
    out->status = run_world(&of, run, how, &to);
    if (to.verifier && out->status >= 0)
        end_verifier(&to, run);
    if (refusals_collecting() && to.verifier && out->status >= 0) {
        const pn_dag_claim claim = claim_of(&of, run);
        dag_refusals(&claim, &to.log, to.unfinished, out);
    }
    free((void *)(uintptr_t)to.log.rows);
    free(block);
    drop_world(&of, run);
}

/* ---- comparing ---- */

static int by_number(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int order_of(const void *a, const void *b)
{
    const naive_dag_event *l = a, *r = b;
    const uint64_t left[] = {l->time, l->kind, l->job, l->stage, l->task, l->attempt, l->node},
                   right[] = {r->time, r->kind, r->job, r->stage, r->task, r->attempt, r->node};
    int order = 0;
    for (size_t i = 0; i < 7 && order == 0; i++)
        order = by_number(left[i], right[i]);
    return order;
}

/* Attempts lost with a node, and what is said first of a node that fails, are in no order. */
static void put_in_order(naive_dag_result *result)
{
    if (result->event_count > 0)
        qsort(result->events, result->event_count, sizeof *result->events, order_of);
}

static uint64_t digest_of(const naive_dag_result *result)
{
    static const uint32_t kinds[] = {
        [NAIVE_DAG_ARRIVE] = PN_DISPATCH_ARRIVE,   [NAIVE_DAG_LAUNCH] = PN_DISPATCH_LAUNCH,
        [NAIVE_DAG_END] = PN_DISPATCH_END,         [NAIVE_DAG_KILL] = PN_DISPATCH_KILL,
        [NAIVE_DAG_LOSE] = PN_DISPATCH_LOSE,       [NAIVE_DAG_NODE_DOWN] = PN_DISPATCH_NODE_DOWN,
        [NAIVE_DAG_NODE_UP] = PN_DISPATCH_NODE_UP, [NAIVE_DAG_JOB_FINISH] = PN_DISPATCH_JOB_FINISH,
        [NAIVE_DAG_MOVE] = PN_DISPATCH_MOVE,
    };
    uint64_t digest = 0;
    for (size_t i = 0; i < result->event_count;) {
        uint64_t time = result->events[i].time, sum = 0;
        for (; i < result->event_count && result->events[i].time == time; i++) {
            const naive_dag_event *e = &result->events[i];
            bool node = e->kind == NAIVE_DAG_NODE_UP || e->kind == NAIVE_DAG_NODE_DOWN;
            uint64_t mixed = pn_mix(pn_mix(PN_MIX_START, time), kinds[e->kind]);
            mixed = pn_mix(pn_mix(mixed, node ? 0 : e->job + 1), e->stage);
            sum += pn_mix(pn_mix(pn_mix(mixed, e->task), e->node), e->attempt);
        }
        digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), time), sum);
    }
    return digest;
}

static bool events_agree(naive_dag_result *got, naive_dag_result *want, char *what, size_t size)
{
    put_in_order(got);
    put_in_order(want);
    size_t count = got->event_count < want->event_count ? got->event_count : want->event_count;
    for (size_t i = 0; i < count; i++)
        if (order_of(&got->events[i], &want->events[i]) != 0) {
            const naive_dag_event *g = &got->events[i], *w = &want->events[i];
            snprintf(what, size,
                     "event %zu: got %d of %u.%u.%u.%u on %u at %llu, want %d of %u.%u.%u.%u on "
                     "%u at %llu",
                     i, (int)g->kind, g->job, g->stage, g->task, g->attempt, g->node,
                     (unsigned long long)g->time, (int)w->kind, w->job, w->stage, w->task,
                     w->attempt, w->node, (unsigned long long)w->time);
            return false;
        }
    if (got->event_count == want->event_count)
        return true;
    snprintf(what, size, "got %zu events, want %zu", got->event_count, want->event_count);
    return false;
}

static bool record_agrees(const naive_dag_record *g, const naive_dag_record *w)
{
    bool same = g->given == w->given && g->queue == w->queue && g->finished == w->finished &&
                g->arrival == w->arrival && g->first_start == w->first_start &&
                g->finish == w->finish && g->jct == w->jct && g->waiting == w->waiting &&
                g->alone == w->alone && g->slowdown == w->slowdown && g->judged == w->judged &&
                g->met == w->met && g->kills == w->kills && g->lost == w->lost &&
                g->stage_count == w->stage_count;
    for (uint32_t i = 0; same && i < w->stage_count; i++)
        same = g->stages[i].ready == w->stages[i].ready &&
               g->stages[i].start == w->stages[i].start &&
               g->stages[i].finish == w->stages[i].finish;
    return same;
}

static bool totals_agree(const naive_dag_totals *g, const naive_dag_totals *w, const char **field)
{
    const struct {
        const char *name;
        naive_dag_wide got, want;
    } all[] = {
        {"jobs", g->jobs, w->jobs},
        {"finished", g->finished, w->finished},
        {"total_jct", g->total_jct, w->total_jct},
        {"makespan", g->makespan, w->makespan},
        {"slowdown_sum", g->slowdown_sum, w->slowdown_sum},
        {"jain", g->jain, w->jain},
        {"launches", g->launches, w->launches},
        {"kills", g->kills, w->kills},
        {"lost_attempts", g->lost_attempts, w->lost_attempts},
        {"saturated_ms", g->saturated_ms, w->saturated_ms},
        {"bound_makespan", g->bound_makespan, w->bound_makespan},
        {"bound_total_jct", g->bound_total_jct, w->bound_total_jct},
        {"used", g->used[0], w->used[0]},
        {"used", g->used[1], w->used[1]},
        {"used", g->used[2], w->used[2]},
        {"used", g->used[3], w->used[3]},
        {"lost", g->lost[0], w->lost[0]},
        {"lost", g->lost[1], w->lost[1]},
        {"lost", g->lost[2], w->lost[2]},
        {"lost", g->lost[3], w->lost[3]},
        {"utilisation", g->utilisation[0], w->utilisation[0]},
        {"utilisation", g->utilisation[1], w->utilisation[1]},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].got != all[i].want) {
            *field = all[i].name;
            return false;
        }
    return true;
}

static bool queues_agree(const naive_dag_result *got, const naive_dag_result *want)
{
    for (uint32_t q = 0; q < want->queue_count; q++) {
        const naive_dag_queue_totals *g = &got->queues[q], *w = &want->queues[q];
        bool same = g->jobs == w->jobs && g->finished == w->finished &&
                    g->total_jct == w->total_jct;
        for (uint32_t r = 0; r < NAIVE_DAG_RESOURCES; r++)
            same &= g->used[r] == w->used[r];
        if (!same)
            return false;
    }
    return true;
}

bool dag_instance_agree(dag_outcome *got, naive_dag_result *want, char *what, size_t size)
{
    const char *field;
    if (!events_agree(&got->result, want, what, size))
        return false;
    for (uint32_t i = 0; i < want->record_count; i++)
        if (!record_agrees(&got->result.records[i], &want->records[i])) {
            snprintf(what, size, "the record of job %u", i);
            return false;
        }
    if (!totals_agree(&got->result.totals, &want->totals, &field)) {
        snprintf(what, size, "totals: %s", field);
        return false;
    }
    if (!queues_agree(&got->result, want)) {
        snprintf(what, size, "totals of queues");
        return false;
    }
    if (got->digest == digest_of(want))
        return true;
    snprintf(what, size, "the digest");
    return false;
}

void dag_events_print(const naive_dag_result *result)
{
    static const char *const kinds[] = {"up",     "down", "end",    "lose", "finish",
                                        "arrive", "kill", "launch", "move"};
    for (size_t i = 0; i < result->event_count; i++) {
        const naive_dag_event *e = &result->events[i];
        printf("  %llu %s %u.%u.%u.%u node %u\n", (unsigned long long)e->time, kinds[e->kind],
               e->job, e->stage, e->task, e->attempt, e->node);
    }
}
