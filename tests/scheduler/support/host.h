/* A host of the scheduler core, with machines made up by the test: it keeps the log and what was
 * launched and reported last. A job that comes has always asked before. For tests with cmocka. */
#ifndef SCHEDULER_HOST_H
#define SCHEDULER_HOST_H

#include "cluster/support/workload.h"
#include "support/kept.h"

/* Two map slots and one reduce slot; one map slot; two nodes with a slot of each kind; three. */
static const pn_scheduler_nodes wide[] = {{1, 2, 1, 0}}, narrow[] = {{1, 1, 0, 0}},
                                two[] = {{2, 1, 1, 0}}, three[] = {{3, 1, 1, 0}};

enum { MAP = PN_SCHEDULER_MAP, REDUCE = PN_SCHEDULER_REDUCE };
#define NEVER PN_SCHEDULER_NEVER

typedef struct host {
    cluster_log log;
    pn_scheduler_hooks hooks;
    pn_scheduler *s;
    uint64_t wake;
    unsigned launches, ends;
    pn_scheduler_task launched;
    pn_scheduler_record last; /* that ended */
} host;

static inline void on_launch(void *user, const pn_scheduler_task *task)
{
    host *h = user;
    h->launched = *task;
    h->launches++;
}

static inline void on_wake(void *user, uint64_t time)
{
    host *h = user;
    h->wake = time;
}

static inline void on_finish(void *user, const pn_scheduler_record *job)
{
    host *h = user;
    h->last = *job;
    h->ends++;
}

static inline void on_event(void *user, const pn_scheduler_event *event)
{
    host *h = user;
    cluster_log_add(&h->log, event);
}

static inline pn_scheduler_config config_for(const pn_scheduler_policy *policy,
                                             const pn_scheduler_nodes *nodes)
{
    pn_scheduler_config config = pn_scheduler_defaults();
    config.nodes = nodes;
    config.nodes_count = 1;
    config.jobs_max = 8;
    config.policy = policy;
    return config;
}

static inline pn_scheduler *new_core(const pn_scheduler_config *config)
{
    size_t size = pn_scheduler_size(config);
    pn_scheduler *core = NULL;
    assert_int_equal(pn_scheduler_init(&core, workload_room(size), size, config), PN_OK);
    return core;
}

static inline void set_up(host *h, const pn_scheduler_policy *policy,
                          const pn_scheduler_config *config)
{
    *h = (host){.wake = NEVER};
    h->hooks = (pn_scheduler_hooks){.policy = policy,
                                    .launch = on_launch,
                                    .wake_at = on_wake,
                                    .on_finish = on_finish,
                                    .on_event = on_event,
                                    .user = h};
    h->s = new_core(config);
}

static inline void start(host *h, const pn_scheduler_policy *policy,
                         const pn_scheduler_nodes *nodes)
{
    const pn_scheduler_config config = config_for(policy, nodes);
    set_up(h, policy, &config);
}

static inline void stop(host *h)
{
    assert_true(pn_scheduler_digest(h->s) == cluster_log_digest(&h->log));
    cluster_log_free(&h->log);
    free(h->s);
}

static inline pn_scheduler_totals totals_of(const host *h)
{
    pn_scheduler_totals totals;
    pn_scheduler_totals_get(h->s, &totals);
    return totals;
}

static inline pn_scheduler_job job_of(uint32_t maps, uint64_t map_ms, uint32_t reduces,
                                      uint64_t reduce_ms, uint64_t deadline)
{
    return (pn_scheduler_job){.maps = maps,
                              .reduces = reduces,
                              .deadline = deadline,
                              .est_ms = {map_ms, reduce_ms},
                              .tag = 7};
}

/* A job comes, and is told what it had been told when it asked before. */
static inline pn_scheduler_answer come(host *h, uint64_t now, pn_scheduler_job job)
{
    pn_scheduler_answer asked, answer;
    size_t told = h->log.count;
    assert_int_equal(pn_scheduler_ask(h->s, &h->hooks, now, &job, &asked), PN_OK);
    assert_int_equal(h->log.count, told);
    assert_int_equal(pn_scheduler_submit(h->s, &h->hooks, now, &job, &answer), PN_OK);
    assert_memory_equal(&asked, &answer, sizeof answer);
    return answer;
}

static inline void check_answer(pn_scheduler_answer answer, uint64_t id, uint32_t accepted,
                                uint64_t estimate, uint64_t deadline, uint64_t blocker)
{
    if (answer.id != id || answer.accepted != accepted || answer.estimate != estimate ||
        answer.deadline != deadline || answer.blocker != blocker)
        fail_msg("job %llu: accepted %u, estimate %llu, deadline %llu, blocker %llu",
                 (unsigned long long)answer.id, answer.accepted,
                 (unsigned long long)answer.estimate, (unsigned long long)answer.deadline,
                 (unsigned long long)answer.blocker);
}

/* The place of a running attempt of the job. */
static inline uint32_t run_of(const host *h, uint64_t id, uint32_t kind, uint32_t index)
{
    pn_scheduler_task task;
    for (uint32_t run = 0; run < pn_scheduler_places_max(h->s); run++)
        if (pn_scheduler_task_get(h->s, run, &task) == PN_OK && task.id == id &&
            task.kind == kind && task.task == index)
            return run;
    return PN_SCHEDULER_NO_ATTEMPT;
}

static inline uint64_t token_of(const host *h, uint64_t id, uint32_t kind, uint32_t index)
{
    return token_at(h->s, run_of(h, id, kind, index));
}

static inline void finish(host *h, uint64_t now, uint64_t id, uint32_t kind, uint32_t index)
{
    assert_int_equal(pn_scheduler_finished(h->s, &h->hooks, now, token_of(h, id, kind, index)),
                     PN_OK);
}

static inline void offer(host *h, uint64_t now, uint32_t node, int expected)
{
    assert_int_equal(pn_scheduler_offer(h->s, &h->hooks, now, node), expected);
}

/* The last entry. */
static inline void check_last(const host *h, uint64_t time, uint32_t event, uint64_t id,
                              uint64_t estimate, uint64_t deadline)
{
    assert_true(h->log.count > 0);
    const pn_scheduler_event *e = &h->log.entry[h->log.count - 1];
    if (e->time != time || e->event != event || e->id != id || e->estimate != estimate ||
        e->deadline != deadline)
        fail_msg("event %u of job %llu at %llu: estimate %llu, deadline %llu", e->event,
                 (unsigned long long)e->id, (unsigned long long)e->time,
                 (unsigned long long)e->estimate, (unsigned long long)e->deadline);
}

/* Whether a block made for one policy takes a first job with another. */
static inline void check_policy(const pn_scheduler_policy *made_for,
                                const pn_scheduler_policy *policy, int expected)
{
    const pn_scheduler_config config = config_for(made_for, two);
    const pn_scheduler_job job = job_of(1, 1, 0, 0, 10);
    pn_scheduler_answer answer;
    host h;
    set_up(&h, policy, &config);
    kept before = keep(h.s, pn_scheduler_block_size(h.s));
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, &answer), expected);
    if (expected != PN_OK) {
        assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 0, &job, &answer), expected);
        check_unchanged(&before);
    } else {
        free(before.bytes);
    }
    stop(&h);
}

#endif
