/* A host of one version beside a library of another one, for scripts/check/versions.sh: runs a few
 * jobs of each model, all that it is told between bytes that nobody may touch, and prints digests
 * and what it was told. LATER is a host whose header has fields, `later`, that the library does not
 * know: it sees that they are unknown, and each that it sets is refused. SIZED is a host that says
 * the sizes of its structs, where others leave 0. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pinion.h"

enum { GUARD = 256 };

static union {
    uint64_t words[1 << 16];
    unsigned char bytes[1 << 19];
} block;

static void must(int holds, const char *what)
{
    if (holds)
        return;
    printf("versions: %s\n", what);
    exit(1);
}

static void is_untouched(const unsigned char *guard)
{
    for (int i = 0; i < GUARD; i++)
        must(guard[i] == 0x5A, "bytes beside the configuration were written");
}

#ifdef SIZED
#define SIZE_OF(type) .struct_size = sizeof(type)
#else
#define SIZE_OF(type) .struct_size = 0
#endif

/* ---- what the library tells ---- */

/* A struct between guards, filled by the call; and what it says of its fields. */
#define TOLD(type, what, call)                      \
    struct {                                        \
        unsigned char before[GUARD];                \
        type told;                                  \
        unsigned char after[GUARD];                 \
    } what##_held;                                  \
    memset(&what##_held, 0x5A, sizeof what##_held); \
    type *what = &what##_held.told;                 \
    call;                                           \
    is_untouched(what##_held.before);               \
    is_untouched(what##_held.after);                \
    KNOWN(what, #type)

#ifdef LATER
#define KNOWN(what, name)                                        \
    must(!PN_HAS(what, later[0]), name ": a field seems known"); \
    must(what->struct_size > sizeof(size_t), name ": nothing known")
#define KNOWN_AND_ZERO(what, name) \
    must(what->later[0] == 0 && what->later[7] == 0, name ": an unknown field is not 0")
#else
#define KNOWN(what, name) must(PN_HAS(what, struct_size), name ": nothing is known")
#define KNOWN_AND_ZERO(what, name) \
    must(what->struct_size >= sizeof *what, name ": a field seems unknown")
#endif

/* A struct that a host fills in is refused when it says what the library does not know, and taken
 * again without it. */
#ifdef LATER
#define UNKNOWN(given, call, status)                           \
    do {                                                       \
        size_t size = (given).struct_size;                     \
        (given).struct_size = sizeof(given);                   \
        (given).later[7] = 1;                                  \
        must((call) == (status), #given ": an unknown field"); \
        (given).later[7] = 0;                                  \
        (given).struct_size = size;                            \
    } while (0)
#else
#define UNKNOWN(given, call, status) (void)(given)
#endif

/* ---- configurations ---- */

/* Between guards, as the library and this header make it. */
#define CONFIG(model)                      \
    struct {                               \
        unsigned char before[GUARD];       \
        pn_##model##_config config;        \
        unsigned char after[GUARD];        \
    } held;                                \
    memset(&held, 0x5A, sizeof held);      \
    held.config = pn_##model##_defaults(); \
    is_untouched(held.before);             \
    is_untouched(held.after);              \
    pn_##model##_config *c = &held.config; \
    must(c->struct_size == sizeof held.config, #model ": struct_size")

#ifdef LATER
#define REFUSED(model, field)                                                              \
    do {                                                                                   \
        const char *fault;                                                                 \
        field = 1;                                                                         \
        fault = pn_##model##_check(c);                                                     \
        must(fault &&strncmp(fault, "struct_size", 11) == 0, #model ": an unknown field"); \
        must(pn_##model##_size(c) == 0, #model ": an unknown field has a size");           \
        field = 0;                                                                         \
    } while (0)
#else
#define REFUSED(model, field) ((void)c)
#endif

#define OPEN(model, sim)                                                                     \
    must(pn_##model##_check(c) == NULL, #model ": refused");                                 \
    must(pn_##model##_size(c) > 0 && pn_##model##_size(c) <= sizeof block, #model ": size"); \
    must(pn_##model##_init(&sim, block.bytes, sizeof block, c) == PN_OK, #model ": init")

/* ---- slotted: also a policy, a bound and a checker of its own, with arrays of jobs ---- */

enum { JOBS = 5 };

static pn_slotted_decision decisions[256];
static size_t decision_count;
static uint64_t finish_sum;

static void slotted_finish(void *user, const pn_slotted_finish *finish)
{
    (void)user;
    KNOWN(finish, "pn_slotted_finish");
    finish_sum += finish->flow_time * finish->id;
    decisions[decision_count++] = (pn_slotted_decision){
        .slot = finish->finish, .id = finish->id, .kind = PN_SLOTTED_FINISH};
}

static void slotted_decision(void *user, const pn_slotted_decision *decision)
{
    (void)user;
    KNOWN(decision, "pn_slotted_decision");
    decisions[decision_count++] = (pn_slotted_decision){
        SIZE_OF(pn_slotted_decision), .slot = decision->slot, .id = decision->id,
        .amount = decision->amount,   .kind = decision->kind, .first_task = decision->first_task};
}

static void key_of(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_slotted_remaining(view, job);
}

static void verify_slotted(pn_slotted_job *jobs, uint64_t end, uint64_t digest)
{
    static union {
        uint64_t words[1 << 12];
        unsigned char bytes[1 << 15];
    } room;
    pn_slotted_claim claim = {SIZE_OF(pn_slotted_claim), .machines = 3, .jobs = jobs,
                              .job_count = JOBS};
    pn_slotted_verifier *verifier;
    uint64_t bound = 0;
    UNKNOWN(claim, pn_slotted_verifier_size(&claim), 0);
    must(pn_slotted_verifier_size(&claim) <= sizeof room, "slotted: room of the checker");
    must(pn_slotted_verifier_init(&verifier, room.bytes, sizeof room, &claim) == PN_OK,
         "slotted: checker");
    for (size_t i = 0; i < decision_count; i++)
        must(pn_slotted_verifier_feed(verifier, &decisions[i]) == PN_OK, "slotted: feed");
    must(pn_slotted_verifier_end(verifier, end, digest) == PN_OK, "slotted: the log is right");
    must(pn_slotted_bound_tight(room.bytes, sizeof room, 3, PN_SLOTTED_PREEMPTIVE, jobs, JOBS, NULL,
                                NULL, &bound) == PN_OK,
         "slotted: bound");
    printf("  bound %" PRIu64 "\n", bound);
}

static void run_slotted(void)
{
    CONFIG(slotted);
    pn_slotted *sim;
    pn_slotted_policy policy = {
        SIZE_OF(pn_slotted_policy), .name = "own", .preemptive = 1, .order_count = 1,
        .orders = {{.key = key_of, .members = PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES}}};
    pn_slotted_hooks hooks = {SIZE_OF(pn_slotted_hooks), .policy = &policy,
                              .on_finish = slotted_finish, .on_decision = slotted_decision};
    const uint64_t reduces[] = {4, 2};
    pn_slotted_job jobs[JOBS];
    c->machines = 3;
    c->jobs_max = 8;
    REFUSED(slotted, c->later[7]);
    OPEN(slotted, sim);
    for (uint64_t i = 0; i < JOBS; i++) {
        jobs[i] = (pn_slotted_job){SIZE_OF(pn_slotted_job), .arrival = i + 1, .maps = 2 * (i + 1),
                                   .reduces = reduces, .reduce_count = 2};
        UNKNOWN(jobs[i], pn_slotted_submit(sim, &jobs[i], NULL), PN_ERR_ARGUMENT);
#if defined(LATER) && !defined(SIZED) /* an array whose elements are longer says so */
        jobs[i].struct_size = sizeof jobs[i];
#endif
        must(pn_slotted_submit(sim, &jobs[i], NULL) == PN_OK, "slotted: submit");
    }
    UNKNOWN(hooks, pn_slotted_step(sim, &hooks), PN_ERR_ARGUMENT);
    UNKNOWN(policy, pn_slotted_step(sim, &hooks), PN_ERR_POLICY);
    must(pn_slotted_run(sim, &hooks, UINT64_MAX) == PN_DONE, "slotted: run");
    TOLD(pn_slotted_totals, totals, pn_slotted_totals_get(sim, totals));
    TOLD(pn_slotted_levels, after, pn_slotted_levels_get(sim, NULL, after));
    KNOWN_AND_ZERO(totals, "pn_slotted_totals");
    printf("slotted %016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
           pn_slotted_digest(sim), totals->total_flow_time, totals->units_run, after->slot,
           finish_sum);
    verify_slotted(jobs, totals->last_finish, pn_slotted_digest(sim));
}

/* ---- tandem, makespan ---- */

static void run_tandem(void)
{
    CONFIG(tandem);
    pn_tandem *sim;
    pn_tandem_hooks hooks = {SIZE_OF(pn_tandem_hooks), .policy = pn_tandem_maxsrpt()};
    c->jobs_max = 8;
    REFUSED(tandem, c->later[0]);
    OPEN(tandem, sim);
    for (int i = 1; i <= JOBS; i++) {
        pn_tandem_job job = {SIZE_OF(pn_tandem_job), .arrival = i, .map = 2.5 / i, .shuffle = i};
        UNKNOWN(job, pn_tandem_submit(sim, &job, NULL), PN_ERR_ARGUMENT);
        must(pn_tandem_submit(sim, &job, NULL) == PN_OK, "tandem: submit");
    }
    UNKNOWN(hooks, pn_tandem_step(sim, &hooks), PN_ERR_ARGUMENT);
    must(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX) == PN_DONE, "tandem: run");
    TOLD(pn_tandem_totals, totals, pn_tandem_totals_get(sim, totals));
    TOLD(pn_tandem_levels, levels, pn_tandem_levels_get(sim, levels));
    KNOWN_AND_ZERO(totals, "pn_tandem_totals");
    printf("tandem %016" PRIx64 " %.17g %.17g %" PRIu32 "\n", pn_tandem_digest(sim),
           totals->total_response_time, levels->time, totals->jobs_held_max);
}

static void run_makespan(void)
{
    CONFIG(makespan);
    pn_makespan *sim;
    pn_makespan_hooks hooks = {SIZE_OF(pn_makespan_hooks), .policy = pn_makespan_uaas()};
    c->map_slots = c->reduce_slots = 2;
    c->jobs_max = 8;
    REFUSED(makespan, c->later[7]);
    OPEN(makespan, sim);
    for (uint64_t i = 1; i <= JOBS; i++) {
        pn_makespan_job job = {SIZE_OF(pn_makespan_job), .stage = {{.time = 7 - i, .has_time = 1},
                                                                   {.time = i, .has_time = 1}}};
        UNKNOWN(job, pn_makespan_submit(sim, &job, NULL), PN_ERR_ARGUMENT);
        must(pn_makespan_submit(sim, &job, NULL) == PN_OK, "makespan: submit");
    }
    UNKNOWN(hooks, pn_makespan_step(sim, &hooks), PN_ERR_ARGUMENT);
    must(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX) == PN_DONE, "makespan: run");
    TOLD(pn_makespan_totals, totals, pn_makespan_totals_get(sim, totals));
    TOLD(pn_makespan_levels, levels, pn_makespan_levels_get(sim, levels));
    KNOWN_AND_ZERO(totals, "pn_makespan_totals");
    printf("makespan %016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n", pn_makespan_digest(sim),
           totals->makespan, levels->jobs, totals->share);
}

/* ---- the scheduler core and the cluster ---- */

static uint64_t heard;

static void scheduler_launch(void *user, const pn_scheduler_task *task)
{
    *(uint64_t *)user = task->token;
    KNOWN(task, "pn_scheduler_task");
    heard += task->start + task->node;
}

static void scheduler_event(void *user, const pn_scheduler_event *event)
{
    (void)user;
    KNOWN(event, "pn_scheduler_event");
    heard += event->event;
}

static void scheduler_finish(void *user, const pn_scheduler_record *job)
{
    (void)user;
    KNOWN(job, "pn_scheduler_record");
    heard += job->finish;
}

static void run_scheduler(void)
{
    const pn_scheduler_nodes nodes = {.count = 2, .map_slots = 1};
    CONFIG(scheduler);
    uint64_t token = 0;
    pn_scheduler *core;
    pn_scheduler_hooks hooks = {SIZE_OF(pn_scheduler_hooks),   .policy = pn_scheduler_fifo(),
                                .launch = scheduler_launch,    .on_event = scheduler_event,
                                .on_finish = scheduler_finish, .user = &token};
    pn_scheduler_job job = {SIZE_OF(pn_scheduler_job), .maps = 2};
    uint32_t place = PN_NO_JOB;
    c->nodes = &nodes;
    c->nodes_count = 1;
    c->jobs_max = 4;
    REFUSED(scheduler, c->later[3]);
    OPEN(scheduler, core);
    UNKNOWN(job, pn_scheduler_submit(core, &hooks, 5, &job, NULL), PN_ERR_ARGUMENT);
    UNKNOWN(hooks, pn_scheduler_submit(core, &hooks, 5, &job, NULL), PN_ERR_ARGUMENT);
    must(pn_scheduler_submit(core, &hooks, 5, &job, NULL) == PN_OK, "scheduler: submit");
    must(pn_scheduler_offer(core, &hooks, 5, 1) == PN_OK, "scheduler: offer");
    TOLD(pn_scheduler_totals, totals, pn_scheduler_totals_get(core, totals));
    TOLD(pn_scheduler_levels, levels, pn_scheduler_levels_get(core, levels));
    TOLD(pn_scheduler_group, group,
         must(pn_scheduler_group_get(core, PN_ALL_GROUPS, group) == PN_OK, "scheduler: group"));
    TOLD(pn_scheduler_record, record,
         must(pn_scheduler_next_record(core, &place, record) == PN_OK, "scheduler: record"));
    TOLD(pn_scheduler_task, task,
         must(pn_scheduler_task_get(core, 0, task) == PN_OK, "scheduler: task"));
    TOLD(pn_scheduler_progress, progress, pn_scheduler_progress_get(core, 0, progress));
    KNOWN_AND_ZERO(record, "pn_scheduler_record");
    must(pn_scheduler_finished(core, &hooks, 9, token) == PN_OK, "scheduler: finished");
    must(pn_scheduler_offer(core, &hooks, 9, 1) == PN_OK, "scheduler: offer");
    must(pn_scheduler_finished(core, &hooks, 12, token) == PN_OK, "scheduler: finished");
    printf("scheduler %016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu64
           " %" PRIu32 " %" PRIu64 "\n",
           pn_scheduler_digest(core), totals->launches, levels->map, group->jobs, record->maps,
           task->token, progress->maps, heard);
}

static void run_cluster(void)
{
    const pn_scheduler_nodes nodes = {.count = 2, .map_slots = 2, .reduce_slots = 1};
    CONFIG(cluster);
    pn_cluster *sim;
    pn_cluster_hooks hooks = {SIZE_OF(pn_cluster_hooks), .policy = pn_scheduler_fair()};
    c->scheduler.nodes = &nodes;
    c->scheduler.nodes_count = 1;
    c->scheduler.jobs_max = 4;
    c->heartbeat_ms = 300;
    c->factor_hi = 1500;
    c->seed = 7;
    REFUSED(cluster, c->later[7]);
    REFUSED(cluster, c->scheduler.later[0]);
    OPEN(cluster, sim);
    for (uint64_t i = 0; i < 4; i++) {
        pn_cluster_job job = {SIZE_OF(pn_cluster_job), .submit = 100 * i, .maps = 4, .reduces = 1,
                              .map_ms = 1000,          .reduce_ms = 2000};
        UNKNOWN(job, pn_cluster_submit(sim, &job, NULL), PN_ERR_ARGUMENT);
        must(pn_cluster_submit(sim, &job, NULL) == PN_OK, "cluster: submit");
    }
    UNKNOWN(hooks, pn_cluster_step(sim, &hooks), PN_ERR_ARGUMENT);
    must(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX) == PN_DONE, "cluster: run");
    TOLD(pn_cluster_totals, totals, pn_cluster_totals_get(sim, totals));
    TOLD(pn_scheduler_levels, levels, pn_cluster_levels_get(sim, levels));
    KNOWN_AND_ZERO(totals, "pn_cluster_totals");
    printf("cluster %016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n",
           pn_cluster_digest(sim), totals->scheduler.total_makespan, totals->beats, levels->time,
           totals->jobs_held_max);
}

/* ---- the dispatch core and the dag model ---- */

static void dispatch_launch(void *user, const pn_dispatch_task *task)
{
    *(uint64_t *)user = task->token;
    KNOWN(task, "pn_dispatch_task");
    heard += task->start;
}

static void dispatch_event(void *user, const pn_dispatch_event *event)
{
    (void)user;
    KNOWN(event, "pn_dispatch_event");
    heard += event->event;
}

static void run_dispatch(void)
{
    const pn_dispatch_nodes nodes = {.count = 1, .capacity = {4}};
    const pn_dispatch_stage stage = {.demand = {4}, .estimate = 10, .tasks = 2};
    CONFIG(dispatch);
    uint64_t token = 0;
    pn_dispatch *core;
    pn_dispatch_hooks hooks = {SIZE_OF(pn_dispatch_hooks), .policy = pn_dispatch_drf(),
                               .launch = dispatch_launch, .on_event = dispatch_event,
                               .user = &token};
    pn_dispatch_job job = {SIZE_OF(pn_dispatch_job), .stages = &stage, .stage_count = 1};
    uint32_t place = PN_NO_JOB;
    c->nodes = &nodes;
    c->nodes_count = 1;
    c->jobs_max = 4;
    REFUSED(dispatch, c->later[3]);
    OPEN(dispatch, core);
    UNKNOWN(job, pn_dispatch_submit(core, &hooks, 5, &job, NULL), PN_ERR_ARGUMENT);
    UNKNOWN(hooks, pn_dispatch_submit(core, &hooks, 5, &job, NULL), PN_ERR_ARGUMENT);
    must(pn_dispatch_submit(core, &hooks, 5, &job, NULL) == PN_OK, "dispatch: submit");
    must(pn_dispatch_run(core, &hooks, 5, 9) == PN_OK, "dispatch: run");
    TOLD(pn_dispatch_totals, totals, pn_dispatch_totals_get(core, totals));
    TOLD(pn_dispatch_levels, levels, pn_dispatch_levels_get(core, levels));
    TOLD(pn_dispatch_queue_totals, queue,
         must(pn_dispatch_queue_get(core, 0, queue) == PN_OK, "dispatch: queue"));
    TOLD(pn_dispatch_record, record,
         must(pn_dispatch_next_record(core, &place, record) == PN_OK, "dispatch: record"));
    TOLD(pn_dispatch_task, task,
         must(pn_dispatch_task_get(core, 0, task) == PN_OK, "dispatch: task"));
    KNOWN_AND_ZERO(totals, "pn_dispatch_totals");
    must(pn_dispatch_finished(core, &hooks, 9, token) == PN_OK, "dispatch: finished");
    printf("dispatch %016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu64
           " %" PRIu64 "\n",
           pn_dispatch_digest(core), totals->launches, levels->in_use[0], queue->jobs,
           record->stage_count, task->token, heard);
}

static void dag_finish(void *user, const pn_dag_record *record)
{
    (void)user;
    KNOWN(record, "pn_dag_record");
    KNOWN(record->job, "pn_dispatch_record");
    heard += record->alone + record->job->finish;
}

static void run_dag(void)
{
    const pn_dispatch_nodes nodes = {.count = 2, .capacity = {2}};
    const pn_dag_stage stage = {.demand = {1}, .duration = 100, .tasks = 3};
    CONFIG(dag);
    pn_dag *sim;
    pn_dag_hooks hooks = {SIZE_OF(pn_dag_hooks), .policy = pn_dispatch_fifo(),
                          .on_finish = dag_finish};
    c->dispatch.nodes = &nodes;
    c->dispatch.nodes_count = 1;
    c->dispatch.jobs_max = 4;
    REFUSED(dag, c->later[7]);
    REFUSED(dag, c->dispatch.later[0]);
    OPEN(dag, sim);
    for (uint64_t i = 0; i < 4; i++) {
        pn_dag_job job = {SIZE_OF(pn_dag_job), .arrival = 30 * i, .stages = &stage,
                          .stage_count = 1};
        UNKNOWN(job, pn_dag_submit(sim, &job, NULL), PN_ERR_ARGUMENT);
        must(pn_dag_submit(sim, &job, NULL) == PN_OK, "dag: submit");
    }
    UNKNOWN(hooks, pn_dag_step(sim, &hooks), PN_ERR_ARGUMENT);
    must(pn_dag_run(sim, &hooks, PN_DAG_FOREVER, UINT64_MAX) == PN_DONE, "dag: run");
    TOLD(pn_dag_totals, totals, pn_dag_totals_get(sim, totals));
    TOLD(pn_dispatch_levels, levels, pn_dag_levels_get(sim, levels));
    TOLD(pn_dag_group, group, must(pn_dag_group_get(sim, PN_ALL_GROUPS, group) == PN_OK, "group"));
    TOLD(pn_dispatch_queue_totals, queue,
         must(pn_dag_queue_get(sim, 0, queue) == PN_OK, "dag: queue"));
    KNOWN_AND_ZERO(totals, "pn_dag_totals");
    printf("dag %016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
           pn_dag_digest(sim), totals->dispatch.total_jct.low, totals->makespan, levels->time,
           group->jobs + queue->jobs, heard);
}

static void run_timeline(void)
{
    pn_timeline *timeline;
    must(pn_timeline_init(&timeline, block.bytes, sizeof block, 4, 1, PN_TIMELINE_INTEGER) == PN_OK,
         "timeline: init");
    must(pn_timeline_record(timeline, 3, (const uint64_t[]){7}) == PN_OK &&
             pn_timeline_record(timeline, 9, (const uint64_t[]){0}) == PN_OK,
         "timeline: record");
    TOLD(pn_timeline_about, about, pn_timeline_about_get(timeline, about));
    KNOWN_AND_ZERO(about, "pn_timeline_about");
    printf("timeline %" PRIu64 " %" PRIu64 " %" PRIu32 "\n", about->now, about->width, about->used);
}

int main(void)
{
    run_slotted();
    run_tandem();
    run_makespan();
    run_scheduler();
    run_cluster();
    run_dispatch();
    run_dag();
    run_timeline();
    return 0;
}
