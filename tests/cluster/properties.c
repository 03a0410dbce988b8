/* What must hold in the cluster model whatever the policy decides, and the livelock of preemption
 * with the guard against it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/support/instance.h"

enum { RANDOM = 300, SEED = 2011, JOBS = 8, TASKS = 64 };

/* ---- running ---- */

static pn_stream stream_of(uint32_t number)
{
    pn_stream stream;
    pn_stream_init(&stream, SEED, number, 1);
    return stream;
}

/* The outcome is to be freed. */
static cluster_outcome run(const cluster_instance *given)
{
    cluster_outcome out;
    cluster_instance_run(given, (cluster_manner){.roomy = false}, &out);
    if (out.status != PN_DONE || out.fault[0] != '\0') {
        cluster_instance_print(given);
        fail_msg("%s: %s %s", given->scenario.policy, pn_status_name(out.status), out.fault);
    }
    return out;
}

static void done_with(cluster_outcome *out)
{
    naive_cluster_free(&out->result);
}

/* `what` must hold. */
static void require(bool what, const char *text, const cluster_instance *on)
{
    if (what)
        return;
    cluster_instance_print(on);
    fail_msg("%s: %s", on->scenario.policy, text);
}

/* Random scenarios, each with every policy. */
static void for_all(void (*prepare)(cluster_instance *drawn, pn_stream *stream),
                    void (*check)(cluster_instance *drawn))
{
    static cluster_instance drawn;
    for (uint32_t number = 0; number < RANDOM; number++) {
        pn_stream stream = stream_of(number);
        cluster_instance_draw(&drawn, &stream, JOBS);
        for (size_t i = 0; pn_scheduler_policy_at(i); i++) {
            cluster_instance_choose(&drawn, &stream, pn_scheduler_policy_at(i)->name);
            if (prepare)
                prepare(&drawn, &stream);
            check(&drawn);
        }
    }
}

/* Nodes that fail come back, the guard is on, and nothing ends the run early. */
static void make_finite(cluster_instance *drawn, pn_stream *stream)
{
    naive_cluster_scenario *s = &drawn->scenario;
    s->config.max_time_ms = 0;
    s->config.scheduler.max_kills = (uint32_t)pn_uniform(stream, 1, 3);
    for (size_t i = 0; i < s->failure_count; i++)
        if (drawn->failures[i].recover == PN_SCHEDULER_NEVER)
            drawn->failures[i].recover = drawn->failures[i].time + 50 * s->config.tick_ms;
}

static bool admits(const cluster_instance *run)
{
    return pn_scheduler_policy_find(run->scenario.policy)->admit != NULL;
}

static cluster_instance *cluster(uint32_t nodes, uint32_t map_slots, uint32_t reduce_slots)
{
    static cluster_instance instance;
    cluster_instance_clear(&instance);
    instance.nodes[0] = (pn_scheduler_nodes){
        .count = nodes, .map_slots = map_slots, .reduce_slots = reduce_slots};
    instance.scenario.config.scheduler.nodes_count = 1;
    return &instance;
}

static void add_job(cluster_instance *to, pn_cluster_job job)
{
    job.tag = to->scenario.job_count;
    to->jobs[to->scenario.job_count++] = job;
}

/* ---- the livelock (H1) ---- */

/* A waiting reduce is believed to be shorter than a running one is, so at every tick the two jobs
 * change places. */
static cluster_instance *two_jobs_that_kill_each_other(const char *policy)
{
    cluster_instance *two = cluster(1, 2, 1);
    add_job(two, (pn_cluster_job){.maps = 1, .reduces = 1, .map_ms = 10000, .reduce_ms = 15000});
    add_job(two, (pn_cluster_job){.maps = 1, .reduces = 1, .map_ms = 12000, .reduce_ms = 15000});
    two->scenario.policy = policy;
    return two;
}

static void without_the_guard_nobody_ever_finishes(void **unused)
{
    (void)unused;
    for (uint64_t limit = 600000; limit <= 60000000; limit *= 10) {
        cluster_instance *two = two_jobs_that_kill_each_other("hsrtf-pup");
        two->scenario.config.scheduler.max_kills = 0;
        two->scenario.config.max_time_ms = limit;
        cluster_outcome out = run(two);
        assert_int_equal(out.result.totals.finished, 0);
        assert_int_equal(out.result.unfinished, 2);
        /* one at each tick from 20 s on */
        assert_int_equal(out.result.totals.kills, limit / 10000 - 2);
        done_with(&out);
    }
}

static void with_the_guard_everybody_finishes(void **unused)
{
    (void)unused;
    for (uint32_t guard = 1; guard <= 5; guard++) {
        cluster_instance *two = two_jobs_that_kill_each_other("hsrtf-pup");
        if (guard != 3) /* which is the default */
            two->scenario.config.scheduler.max_kills = guard;
        cluster_outcome out = run(two);
        assert_int_equal(out.result.totals.finished, 2);
        assert_in_range(out.result.totals.kills, 1, 2 * guard);
        done_with(&out);
    }
}

static void check_all_end(cluster_instance *drawn)
{
    cluster_outcome out = run(drawn);
    const pn_scheduler_totals *t = &out.result.totals;
    require(out.result.unfinished == 0, "a job is left", drawn);
    require(t->accepted + t->rejected == drawn->scenario.job_count, "a job was not answered",
            drawn);
    require(t->rejected == 0 || admits(drawn), "a job was not taken", drawn);
    require(t->finished + t->failed == t->accepted, "a job is lost", drawn);
    require(t->failed == 0 || drawn->scenario.config.attempt_fail_permille > 0,
            "a job failed of itself", drawn);
    for (size_t i = 0; i < out.result.event_count; i++)
        require(out.result.events[i].event != PN_SCHEDULER_KILL ||
                    out.result.events[i].attempt < drawn->scenario.config.scheduler.max_kills,
                "a protected task was killed", drawn);
    done_with(&out);
}

static void every_job_ends_when_its_nodes_come_back(void **unused)
{
    (void)unused;
    for_all(make_finite, check_all_end);
}

/* ---- the lower bound ---- */

static void check_bound(cluster_instance *drawn)
{
    cluster_outcome out = run(drawn);
    if (out.result.totals.finished == drawn->scenario.job_count)
        require(out.result.lower_bound <= out.result.totals.total_makespan,
                "the lower bound is above the run", drawn);
    done_with(&out);
}

static void no_policy_is_below_the_bound(void **unused)
{
    (void)unused;
    for_all(make_finite, check_bound);
}

/* ---- the books ---- */

typedef struct
try {
    bool here, suspended;
    uint32_t number, node;
    uint64_t since; /* it has its slot */
}
try;

/* What the events say of each task. */
typedef struct history {
    bool done;
    uint32_t used, node; /* numbers of attempts; done: where */
    try tries[2];
} history;

static bool is_tried(const history *h)
{
    return h->tries[0].here || h->tries[1].here;
}

/* The attempt that an event is about; null when there is none. */
static try *try_of(history *h, const pn_scheduler_event *e)
{
    for (int i = 0; i < 2; i++)
        if (h->tries[i].here && h->tries[i].number == e->attempt && h->tries[i].node == e->node)
            return &h->tries[i];
    return NULL;
}

/* A replay of events: what runs where, what is done. */
typedef struct books {
    const cluster_instance *of;
    uint32_t nodes;
    bool up[64];
    uint32_t running[64][2];
    history tasks[JOBS][2][TASKS];
    uint32_t maps_done[JOBS];
    bool active[JOBS], ended[JOBS];
    uint64_t slot_ms;
} books;

static void open_books(books *b, const cluster_instance *of)
{
    memset(b, 0, sizeof *b);
    b->of = of;
    b->nodes = cluster_instance_nodes(of);
    for (uint32_t n = 0; n < b->nodes; n++)
        b->up[n] = true;
}

static uint32_t slots_of(const books *b, uint32_t node, uint32_t kind)
{
    const pn_scheduler_nodes *group = b->of->nodes;
    for (; node >= group->count; group++)
        node -= group->count;
    return kind == PN_SCHEDULER_MAP ? group->map_slots : group->reduce_slots;
}

static void take_slot(books *b, try *a, const pn_scheduler_event *e)
{
    require(b->active[e->id - 1], "a job not in the system", b->of);
    require(b->up[e->node], "a launch on a node that is down", b->of);
    b->running[e->node][e->kind]++;
    require(b->running[e->node][e->kind] <= slots_of(b, e->node, e->kind), "more tasks than slots",
            b->of);
    a->suspended = false;
    a->since = e->time;
}

static void leave_slot(books *b, const try *a, const pn_scheduler_event *e)
{
    if (a->suspended)
        return;
    b->running[e->node][e->kind]--;
    b->slot_ms += e->time - a->since;
}

static void enter_launch(books *b, history *h, const pn_scheduler_event *e)
{
    const try *other = h->tries[0].here ? &h->tries[0] : &h->tries[1];
    require(!h->done && h->used == e->attempt, "a launch out of turn", b->of);
    require(!other->here || (b->of->scenario.copies && !other->suspended && other->node != e->node),
            "a launch of what runs", b->of);
    try *a = h->tries[0].here ? &h->tries[1] : &h->tries[0];
    require(!a->here, "a third attempt", b->of);
    *a = (try){.here = true, .number = h->used++, .node = e->node};
    take_slot(b, a, e);
}

static void enter_pause(books *b, history *h, const pn_scheduler_event *e)
{
    try *a = try_of(h, e);
    bool resumes = e->event == PN_SCHEDULER_RESUME;
    require(a && a->suspended == resumes && !(h->tries[0].here && h->tries[1].here),
            "a pause of what does not run, or its end", b->of);
    if (resumes) {
        take_slot(b, a, e);
    } else {
        leave_slot(b, a, e);
        a->suspended = true;
    }
}

static void enter_end(books *b, history *h, const pn_scheduler_event *e)
{
    try *a = try_of(h, e);
    require(a != NULL, "the end of what does not run", b->of);
    require(h->done == (e->event == PN_SCHEDULER_CANCEL), "an end after the end", b->of);
    leave_slot(b, a, e);
    a->here = false;
    if (e->event != PN_SCHEDULER_END)
        return;
    require(!a->suspended, "an end of what is suspended", b->of);
    h->done = true;
    h->node = e->node;
    b->maps_done[e->id - 1] += e->kind == PN_SCHEDULER_MAP;
}

static void enter_rerun(books *b, history *h, const pn_scheduler_event *e)
{
    require(h->done && e->kind == PN_SCHEDULER_MAP && h->node == e->node &&
                h->used == e->attempt + 1,
            "a rerun of what is not done", b->of);
    require(!b->up[e->node], "an output lost on a node that is up", b->of);
    h->done = false;
    b->maps_done[e->id - 1]--;
}

static void enter_job(books *b, const pn_scheduler_event *e)
{
    uint64_t job = e->id - 1;
    if (e->event == PN_SCHEDULER_ACCEPT) {
        require(!b->active[job] && !b->ended[job] && e->time == b->of->jobs[job].submit,
                "a job comes twice, or late", b->of);
        b->active[job] = true;
        return;
    }
    if (e->event == PN_SCHEDULER_REJECT) {
        require(!b->active[job] && !b->ended[job] && e->time == b->of->jobs[job].submit,
                "a job is refused twice, or late", b->of);
        b->ended[job] = true;
        return;
    }
    require(b->active[job], "the end of a job not in the system", b->of);
    if (e->event == PN_SCHEDULER_LATE)
        return;
    b->active[job] = false;
    b->ended[job] = true;
    for (uint32_t kind = 0; kind < 2; kind++) {
        uint32_t count = kind == PN_SCHEDULER_MAP ? b->of->jobs[job].maps
                                                  : b->of->jobs[job].reduces;
        for (uint32_t i = 0; i < count; i++) {
            const history *h = &b->tasks[job][kind][i];
            require(!is_tried(h), "a task outlives its job", b->of);
            require(h->done || e->event == PN_SCHEDULER_JOB_FAIL, "a job finishes without a task",
                    b->of);
        }
    }
}

static void enter(books *b, const pn_scheduler_event *e)
{
    history *h = e->id > 0 ? &b->tasks[e->id - 1][e->kind][e->task] : NULL;
    switch ((enum pn_scheduler_event_kind)e->event) {
    case PN_SCHEDULER_LAUNCH:
        enter_launch(b, h, e);
        break;
    case PN_SCHEDULER_SUSPEND:
    case PN_SCHEDULER_RESUME:
        enter_pause(b, h, e);
        break;
    case PN_SCHEDULER_RERUN:
        enter_rerun(b, h, e);
        break;
    case PN_SCHEDULER_END:
    case PN_SCHEDULER_KILL:
    case PN_SCHEDULER_FAIL:
    case PN_SCHEDULER_LOSE:
    case PN_SCHEDULER_DROP:
    case PN_SCHEDULER_CANCEL:
        enter_end(b, h, e);
        break;
    case PN_SCHEDULER_NODE_DOWN:
    case PN_SCHEDULER_NODE_UP:
        require(b->up[e->node] == (e->event == PN_SCHEDULER_NODE_DOWN),
                "a node that was so already", b->of);
        b->up[e->node] = e->event == PN_SCHEDULER_NODE_UP;
        break;
    default:
        enter_job(b, e);
    }
}

/* At the end of an instant. */
static void close_instant(const books *b)
{
    for (uint32_t n = 0; n < b->nodes; n++)
        require(b->up[n] || b->running[n][0] + b->running[n][1] == 0,
                "a task on a node that is down", b->of);
}

/* Whether event i is the last one of its instant. */
static bool ends_instant(const naive_cluster_result *r, size_t i)
{
    return i + 1 == r->event_count || r->events[i + 1].time != r->events[i].time;
}

static void check_books(cluster_instance *drawn)
{
    static books b;
    cluster_outcome out = run(drawn);
    const pn_scheduler_totals *t = &out.result.totals;
    uint64_t makespans = 0;
    open_books(&b, drawn);
    for (size_t i = 0; i < out.result.event_count; i++) {
        enter(&b, &out.result.events[i]);
        if (ends_instant(&out.result, i))
            close_instant(&b);
    }
    require(b.slot_ms == t->slot_ms, "slot time", drawn);
    for (size_t i = 0; i < drawn->scenario.job_count; i++) {
        const pn_scheduler_record *r = &out.result.records[i];
        bool ended = r->state != PN_SCHEDULER_UNFINISHED;
        require(b.ended[i] == ended, "whether a job has ended", drawn);
        makespans += r->state == PN_SCHEDULER_FINISHED ? r->finish - r->submit : 0;
    }
    pn_scheduler_group g = naive_cluster_group(&out.result, PN_ALL_GROUPS);
    require(makespans == t->total_makespan && t->total_waiting + t->total_execution == makespans,
            "the sum of makespans", drawn);
    require(g.in_wait + g.in_maps + g.in_blocked + g.in_reduces == makespans,
            "the parts of the makespans", drawn);
    done_with(&out);
}

static void nothing_is_lost_and_nothing_runs_twice(void **unused)
{
    (void)unused;
    for_all(NULL, check_books);
}

/* ---- work conservation ---- */

/* Assignment is immediate, and no rule holds a task back. */
static void make_eager(cluster_instance *drawn, pn_stream *stream)
{
    (void)stream;
    drawn->scenario.config.heartbeat_ms = 0;
    drawn->scenario.config.scheduler.locality_delay_ms = 0;
    drawn->scenario.work_conserving = true;
}

static bool is_ready(const books *b, size_t job, uint32_t kind)
{
    const pn_scheduler_config *c = &b->of->scenario.config.scheduler;
    uint32_t maps = b->of->jobs[job].maps;
    uint32_t needed = c->reduce_start == PN_SCHEDULER_AFTER_MAPS
                          ? maps
                          : (maps * c->slowstart_permille + 999) / 1000;
    return kind == PN_SCHEDULER_MAP || b->maps_done[job] >= needed;
}

static uint32_t attempts_in_slots(const books *b, size_t job, uint32_t kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < TASKS; i++)
        for (int k = 0; k < 2; k++)
            count += b->tasks[job][kind][i].tries[k].here &&
                     !b->tasks[job][kind][i].tries[k].suspended;
    return count;
}

/* CL42 */
static bool may_run_more(const books *b, size_t job, uint32_t kind)
{
    uint64_t most = b->of->scenario.config.scheduler.running_most;
    if (most == 0)
        return true;
    uint32_t maps = attempts_in_slots(b, job, PN_SCHEDULER_MAP),
             reduces = attempts_in_slots(b, job, PN_SCHEDULER_REDUCE);
    if (kind == PN_SCHEDULER_MAP && maps == 0)
        return true;
    if (kind == PN_SCHEDULER_REDUCE && maps == 0 && b->maps_done[job] < b->of->jobs[job].maps)
        maps = 1;
    return maps + reduces < most;
}

static bool someone_waits(const books *b, uint32_t kind)
{
    for (size_t job = 0; job < b->of->scenario.job_count; job++) {
        uint32_t count = kind == PN_SCHEDULER_MAP ? b->of->jobs[job].maps
                                                  : b->of->jobs[job].reduces;
        bool may = b->active[job] && is_ready(b, job, kind) && may_run_more(b, job, kind);
        for (uint32_t i = 0; may && i < count; i++)
            if (!is_tried(&b->tasks[job][kind][i]) && !b->tasks[job][kind][i].done)
                return true;
    }
    return false;
}

static bool has_idle_slot(const books *b, uint32_t node, uint32_t kind)
{
    return b->up[node] && b->running[node][kind] < slots_of(b, node, kind);
}

static bool a_slot_is_idle(const books *b, uint32_t kind)
{
    for (uint32_t n = 0; n < b->nodes; n++)
        if (has_idle_slot(b, n, kind))
            return true;
    return false;
}

/* CL35: whatever shares and readiness say. */
static bool someone_could_resume(const books *b, uint32_t kind)
{
    for (size_t job = 0; job < b->of->scenario.job_count; job++)
        for (uint32_t i = 0; b->active[job] && may_run_more(b, job, kind) && i < TASKS; i++)
            for (int k = 0; k < 2; k++) {
                const try *a = &b->tasks[job][kind][i].tries[k];
                if (a->here && a->suspended && has_idle_slot(b, a->node, kind))
                    return true;
            }
    return false;
}

static void check_no_idle_slots(cluster_instance *drawn)
{
    static books b;
    cluster_outcome out = run(drawn);
    const naive_cluster_result *r = &out.result;
    bool dc = strcmp(drawn->scenario.policy, "dc") == 0; /* takes no more slots than it needs */
    /* reduce slots may be kept for jobs that come first */
    uint32_t kinds = dc ? 0 : admits(drawn) ? 1 : 2;
    open_books(&b, drawn);
    for (size_t i = 0; i < r->event_count; i++) {
        enter(&b, &r->events[i]);
        for (uint32_t kind = 0; kind < kinds && ends_instant(r, i); kind++)
            require(!someone_waits(&b, kind) || !a_slot_is_idle(&b, kind),
                    "a slot is idle while a task waits", drawn);
        for (uint32_t kind = 0; kind < kinds && ends_instant(r, i); kind++)
            require(!someone_could_resume(&b, kind), "a slot is idle for what it could resume",
                    drawn);
    }
    done_with(&out);
}

static void no_slot_is_idle_while_a_task_waits(void **unused)
{
    (void)unused;
    for_all(make_eager, check_no_idle_slots);
}

/* ---- waves ---- */

static void more_reduces_than_slots_run_in_waves(void **unused)
{
    (void)unused;
    for (size_t i = 0; pn_scheduler_policy_at(i); i++) {
        cluster_instance *one = cluster(3, 2, 1);
        one->scenario.policy = pn_scheduler_policy_at(i)->name;
        add_job(
            one,
            (pn_cluster_job){
                .maps = 13, .reduces = 10, .map_ms = 2000, .reduce_ms = 5000, .deadline = 26000});
        cluster_outcome out = run(one);
        const pn_scheduler_record *r = &out.result.records[0];
        if (strcmp(one->scenario.policy, "dc") == 0) {
            assert_int_equal(r->state, PN_SCHEDULER_REJECTED); /* it wants all reduces at once */
            done_with(&out);
            continue;
        }
        assert_int_equal(r->map_finish, 3 * 2000);          /* 13 maps on 6 slots */
        assert_int_equal(r->finish, r->map_finish + 20000); /* 10 reduces on 3 slots */
        done_with(&out);
    }
}

/* ---- what changes nothing ---- */

/* Events and end of both must be the same, but for `shift` in time. */
static void expect_same(const cluster_instance *on, cluster_outcome *got, cluster_outcome *want,
                        uint64_t shift)
{
    char what[240] = "";
    for (size_t i = 0; i < want->result.event_count; i++) {
        pn_scheduler_event *e = &want->result.events[i];
        bool foreseen = e->event <= PN_SCHEDULER_REJECT || e->event == PN_SCHEDULER_LATE;
        e->time += shift;
        e->estimate += foreseen && e->estimate != PN_SCHEDULER_NEVER ? shift : 0;
    }
    for (size_t i = 0; i < want->result.record_count; i++) {
        pn_scheduler_record *r = &want->result.records[i];
        uint64_t *times[] = {&r->submit,     &r->first_map_start,
                             &r->map_finish, &r->first_reduce_start,
                             &r->finish,     &r->promise};
        for (int t = 0; t < 6; t++)
            *times[t] += *times[t] != PN_SCHEDULER_NEVER ? shift : 0;
    }
    got->result.digest = want->result.digest = 0;
    got->result.totals = want->result.totals;
    require(cluster_instance_agree(&got->result, &want->result, what, sizeof what), what, on);
}

/* As late as beats and ticks allow. */
static void check_later(cluster_instance *drawn)
{
    naive_cluster_scenario *s = &drawn->scenario;
    if (s->config.tick_ms > (uint64_t)1 << 22) /* the shift may be too large */
        return;
    uint64_t shift = s->config.tick_ms * (s->config.heartbeat_ms > 0 ? s->config.heartbeat_ms : 1);
    cluster_outcome want = run(drawn);
    for (size_t i = 0; i < s->job_count; i++)
        drawn->jobs[i].submit += shift;
    for (size_t i = 0; i < s->failure_count; i++) {
        drawn->failures[i].time += shift;
        drawn->failures[i].recover += drawn->failures[i].recover != PN_SCHEDULER_NEVER ? shift : 0;
    }
    s->config.max_time_ms += s->config.max_time_ms > 0 ? shift : 0;
    cluster_outcome got = run(drawn);
    expect_same(drawn, &got, &want, shift);
    done_with(&got);
    done_with(&want);
}

static void a_later_day_is_like_any_other(void **unused)
{
    (void)unused;
    for_all(NULL, check_later);
}

/* Long idle stretches between jobs, and beats by the millisecond: the naive model executes all of
 * them. */
static void idle_heartbeats_may_be_skipped(void **unused)
{
    (void)unused;
    for (size_t i = 0; pn_scheduler_policy_at(i); i++) {
        char what[240];
        naive_cluster_result naive;
        cluster_instance *idle = cluster(5, 1, 1);
        naive_cluster_scenario *s = &idle->scenario;
        s->policy = pn_scheduler_policy_at(i)->name;
        s->config.heartbeat_ms = 3;
        s->config.tick_ms = 7;
        s->config.factor_lo = 500;
        for (uint64_t k = 0; k < 4; k++)
            add_job(idle, (pn_cluster_job){.submit = 30011 * k,
                                           .maps = 7,
                                           .reduces = 2,
                                           .map_ms = 800,
                                           .reduce_ms = 950,
                                           .deadline = 4000});
        idle->failures[0] = (pn_cluster_failure){.time = 10000, .recover = 70000, .node = 2};
        s->failure_count = 1;
        cluster_outcome out = run(idle);
        assert_true(naive_cluster_run(s, &naive));
        require(cluster_instance_agree(&out.result, &naive, what, sizeof what), what, idle);
        assert_in_range(out.totals.beats, 1, 15000); /* of more than 150 000 */
        naive_cluster_free(&naive);
        done_with(&out);
    }
}

/* What is cut off by max_time_ms does not work backwards. */
static void check_prefix(cluster_instance *drawn)
{
    cluster_outcome whole = run(drawn);
    naive_cluster_result *w = &whole.result;
    uint64_t cut = 1 + w->totals.time / 2;
    drawn->scenario.config.max_time_ms = cut;
    cluster_outcome part = run(drawn);
    naive_cluster_result *p = &part.result;
    size_t kept = 0;
    while (kept < w->event_count && w->events[kept].time < cut)
        kept++;
    require(p->event_count == kept, "more or fewer events than before the cut", drawn);
    require(p->digest == naive_cluster_digest(w->events, kept), "other events than before the cut",
            drawn);
    for (size_t i = 0; i < w->record_count; i++) {
        bool rejected = w->records[i].state == PN_SCHEDULER_REJECTED;
        uint64_t end = rejected ? w->records[i].submit : w->records[i].finish;
        bool ends = w->records[i].state != PN_SCHEDULER_UNFINISHED && end < cut;
        require(p->records[i].state == (ends ? w->records[i].state : PN_SCHEDULER_UNFINISHED),
                "a job that ended after the cut", drawn);
    }
    done_with(&part);
    done_with(&whole);
}

static void a_run_that_is_cut_off_is_a_prefix(void **unused)
{
    (void)unused;
    for_all(make_finite, check_prefix);
}

/* The only node with a map slot is gone for good. For a beat, a tick and the delay something might
 * still come of it; what is announced for later is not executed. */
static void a_hopeless_run_ends(void **unused)
{
    (void)unused;
    for (uint64_t beat = 0; beat <= 3000; beat += 3000) {
        uint64_t patience = beat + 10000 + 500;
        for (uint64_t later = patience - 1; later <= patience + 1; later++) {
            cluster_instance *gone = cluster(1, 1, 0);
            naive_cluster_scenario *s = &gone->scenario;
            gone->nodes[1] = (pn_scheduler_nodes){.count = 1, .reduce_slots = 1};
            s->config.scheduler.nodes_count = 2;
            s->config.scheduler.locality_delay_ms = 500;
            s->config.heartbeat_ms = beat;
            add_job(gone, (pn_cluster_job){.maps = 1, .map_ms = 1000});
            gone->failures[0] = (pn_cluster_failure){
                .time = 0, .recover = PN_SCHEDULER_NEVER, .node = 0};
            gone->failures[1] = (pn_cluster_failure){
                .time = later, .recover = PN_SCHEDULER_NEVER, .node = 1};
            s->failure_count = 2;
            cluster_outcome out = run(gone);
            assert_int_equal(out.result.unfinished, 1);
            /* accept, node_down, node_down */
            assert_int_equal(out.result.event_count, later <= patience ? 3 : 2);
            done_with(&out);
        }
    }
}

/* Alone, a job gets what there is, in the order of the nodes' offers: no policy has a choice but
 * where its reduces go. */
static void make_lonely(cluster_instance *drawn, pn_stream *stream)
{
    make_eager(drawn, stream);
    make_finite(drawn, stream);
    drawn->scenario.colocate = false;
    drawn->scenario.job_count = 1;
}

static void check_alone(cluster_instance *drawn)
{
    if (admits(drawn)) /* its reduces start later, or it is not taken */
        return;
    cluster_outcome got = run(drawn);
    drawn->scenario.policy = "fifo";
    cluster_outcome want = run(drawn);
    expect_same(drawn, &got, &want, 0);
    done_with(&got);
    done_with(&want);
}

static void a_job_alone_runs_the_same_under_every_policy(void **unused)
{
    (void)unused;
    for_all(make_lonely, check_alone);
}

/* ---- places ---- */

static void make_full_copies(cluster_instance *drawn, pn_stream *stream)
{
    (void)stream;
    drawn->scenario.config.replication = 100;
    for (size_t i = 0; i < drawn->scenario.job_count; i++)
        drawn->jobs[i].blocks = drawn->jobs[i].block_counts = NULL;
}

static void check_all_local(cluster_instance *drawn)
{
    cluster_outcome out = run(drawn);
    require(out.result.totals.local_maps == out.result.totals.finished_maps,
            "a map away from its input", drawn);
    done_with(&out);
}

static void with_copies_everywhere_every_map_is_local(void **unused)
{
    (void)unused;
    for_all(make_full_copies, check_all_local);
}

/* Fair waits for a local slot as long as it takes when it may. */
static void a_patient_job_runs_where_its_input_is(void **unused)
{
    (void)unused;
    for (uint64_t beat = 0; beat <= 1000; beat += 1000) {
        static const uint32_t counts[] = {1, 1, 1, 1, 1, 1};
        static const uint32_t blocks[] = {0, 0, 0, 0, 0, 0};
        cluster_instance *patient = cluster(4, 1, 0);
        patient->scenario.policy = "fair";
        patient->scenario.config.heartbeat_ms = beat;
        add_job(patient, (pn_cluster_job){.maps = 6,
                                          .map_ms = 5000,
                                          .remote_ms = 1,
                                          .block_counts = counts,
                                          .blocks = blocks});
        patient->scenario.config.scheduler.locality_delay_ms = 1000000;
        cluster_outcome out = run(patient);
        assert_int_equal(out.result.records[0].local_maps, 6);
        assert_int_equal(out.result.records[0].finish, 6 * 5000);
        done_with(&out);
        patient->scenario.config.scheduler.locality_delay_ms = 0;
        out = run(patient);
        assert_int_equal(out.result.records[0].local_maps, 2);
        done_with(&out);
    }
}

/* ---- attempts that fail (CL27) ---- */

static void make_hopeless(cluster_instance *drawn, pn_stream *stream)
{
    make_finite(drawn, stream);
    drawn->scenario.failure_count = 0;
    drawn->scenario.config.attempt_fail_permille = 1000;
}

static void check_all_fail(cluster_instance *drawn)
{
    cluster_outcome out = run(drawn);
    const pn_scheduler_totals *t = &out.result.totals;
    require(t->failed + t->rejected == drawn->scenario.job_count, "a job that cannot did not fail",
            drawn);
    require(t->successful == 0 && t->last_finish == 0 && (t->last_end > 0 || t->failed == 0),
            "success without a finish", drawn);
    for (size_t i = 0; i < out.result.event_count; i++)
        require(out.result.events[i].event != PN_SCHEDULER_END, "an attempt ended well", drawn);
    done_with(&out);
}

static void when_every_attempt_fails_so_does_every_job(void **unused)
{
    (void)unused;
    for_all(make_hopeless, check_all_fail);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_guard_nobody_ever_finishes),
        cmocka_unit_test(with_the_guard_everybody_finishes),
        cmocka_unit_test(every_job_ends_when_its_nodes_come_back),
        cmocka_unit_test(no_policy_is_below_the_bound),
        cmocka_unit_test(nothing_is_lost_and_nothing_runs_twice),
        cmocka_unit_test(no_slot_is_idle_while_a_task_waits),
        cmocka_unit_test(more_reduces_than_slots_run_in_waves),
        cmocka_unit_test(a_later_day_is_like_any_other),
        cmocka_unit_test(idle_heartbeats_may_be_skipped),
        cmocka_unit_test(a_run_that_is_cut_off_is_a_prefix),
        cmocka_unit_test(a_hopeless_run_ends),
        cmocka_unit_test(a_job_alone_runs_the_same_under_every_policy),
        cmocka_unit_test(with_copies_everywhere_every_map_is_local),
        cmocka_unit_test(a_patient_job_runs_where_its_input_is),
        cmocka_unit_test(when_every_attempt_fails_so_does_every_job)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
