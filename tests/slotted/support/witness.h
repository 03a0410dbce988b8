/* A policy that uses everything there is and notes what it was called for, and ways to drive a run
 * that it must not notice. For tests with cmocka. */
#ifndef WITNESS_H
#define WITNESS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "workload.h"

enum { JOBS = 60, MACHINES = 9, TICK_SLOTS = 7, EVENTS = 40 * JOBS, POLICY_PURPOSE = 64 };

static const slotted_shape crowded = {.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5};

/* ---- a witness: what a policy was called for, and where it is to fail ---- */

enum call { INIT, ARRIVE, TICK, ACT, FINISH, KEY, WEIGHT, TOLD, CALLS };

typedef struct event {
    uint64_t call, slot, id;
} event;

typedef struct witness {
    const slotted_workload *work;
    event events[EVENTS];
    size_t count;
    unsigned called[CALLS]; /* how often, failed calls too */
    enum call fail_call;
    unsigned fail_at; /* this call of fail_call fails; 0 = none */
    int status;       /* with this */
    bool gives_up;    /* by pn_slotted_fail and not by what it returns */
    bool failed;
} witness;

static inline void note(witness *w, enum call call, uint64_t slot, uint64_t id)
{
    assert_in_range(w->count, 0, EVENTS - 1);
    w->events[w->count++] = (event){call, slot, id};
}

/* Counts a call of the policy; true when it is to do nothing but return *status. */
static inline bool fails(const pn_slotted_view *view, enum call call, int *status)
{
    witness *w = pn_slotted_user(view);
    *status = PN_OK;
    if (call != WEIGHT)
        /* who has given up is asked no more, but a share that is under way is finished */
        assert_false(w->failed && w->gives_up);
    if (++w->called[call] != w->fail_at || call != w->fail_call)
        return false;
    w->failed = true;
    if (w->gives_up)
        pn_slotted_fail(view, w->status);
    else
        *status = w->status;
    return true;
}

/* ---- a policy that uses everything ---- */

typedef struct own {
    uint64_t arrived, finished, inits;
} own;

static inline own *own_of(const pn_slotted_view *view)
{
    return pn_slotted_state(view);
}

static inline uint64_t *credit_of(const pn_slotted_view *view, uint32_t job)
{
    return (uint64_t *)(void *)(own_of(view) + 1) + job;
}

/* In all hooks but act. */
static inline void check_view(pn_slotted_view *view)
{
    assert_int_equal(pn_slotted_in_system(view), own_of(view)->arrived - own_of(view)->finished);
    assert_int_equal(pn_slotted_idle(view), 0);
    assert_int_equal(pn_slotted_machines(view), MACHINES);
    assert_string_equal(pn_slotted_policy_of(view)->name, "witnessed");
    assert_false(pn_slotted_active(view, pn_slotted_jobs_max(view)));
    assert_false(pn_slotted_active(view, PN_NO_JOB));
}

static inline void check_job(pn_slotted_view *view, uint32_t job)
{
    assert_true(pn_slotted_active(view, job));
    assert_false(pn_slotted_member(view, 0, job));
    assert_int_equal(pn_slotted_give(view, job, 1), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE), PN_OK);
    assert_int_equal(pn_slotted_given(view, job), 0);
}

static inline int see_init(pn_slotted_view *view)
{
    int status;
    if (fails(view, INIT, &status))
        return status;
    check_view(view);
    assert_int_equal(own_of(view)->inits++, 0);
    for (uint32_t job = 0; job < pn_slotted_jobs_max(view); job++) {
        assert_false(pn_slotted_active(view, job));
        assert_int_equal(*credit_of(view, job), 0);
    }
    note(pn_slotted_user(view), INIT, pn_slotted_slot(view), 0);
    return PN_OK;
}

static inline int see_arrive(pn_slotted_view *view, uint32_t job)
{
    witness *w = pn_slotted_user(view);
    const pn_slotted_job *spec = &w->work->jobs[pn_slotted_id(view, job) - 1];
    uint64_t reduces = 0;
    int status;
    if (fails(view, ARRIVE, &status))
        return status;
    check_view(view);
    check_job(view, job);
    for (size_t i = 0; i < spec->reduce_count; i++)
        reduces += spec->reduces[i];
    assert_int_equal(pn_slotted_id(view, job), ++own_of(view)->arrived);
    assert_int_equal(pn_slotted_arrival(view, job), pn_slotted_slot(view));
    assert_int_equal(pn_slotted_maps_left(view, job), spec->maps);
    assert_int_equal(pn_slotted_reduces_left(view, job), reduces);
    assert_int_equal(pn_slotted_attained(view, job), 0);
    assert_int_equal(pn_slotted_job_size(view, job), spec->maps + reduces);
    *credit_of(view, job) = pn_uniform(pn_slotted_stream(view), 0, 3);
    note(w, ARRIVE, pn_slotted_slot(view), pn_slotted_id(view, job));
    return PN_OK;
}

static inline void see_finish(pn_slotted_view *view, uint32_t job)
{
    int status;
    own_of(view)->finished++;
    note(pn_slotted_user(view), FINISH, pn_slotted_slot(view), pn_slotted_id(view, job));
    if (fails(view, FINISH, &status))
        return;
    check_view(view);
    check_job(view, job);
    assert_int_equal(pn_slotted_remaining(view, job), 0);
    assert_int_equal(pn_slotted_attained(view, job), pn_slotted_job_size(view, job));
    assert_int_equal(pn_slotted_offer(view, job), 0);
    assert_int_equal(pn_slotted_held(view, job), 0);
}

/* A third of the jobs age. */
static inline int see_tick(pn_slotted_view *view)
{
    int status;
    if (fails(view, TICK, &status))
        return status;
    check_view(view);
    uint64_t chosen = pn_uniform(pn_slotted_stream(view), 0, 2);
    for (uint32_t job = 0; job < pn_slotted_jobs_max(view); job++)
        if (pn_slotted_active(view, job) && pn_slotted_id(view, job) % 3 == chosen)
            ++*credit_of(view, job);
    note(pn_slotted_user(view), TICK, pn_slotted_slot(view), 0);
    return PN_OK;
}

static inline int see_act(pn_slotted_view *view)
{
    int status;
    if (fails(view, ACT, &status))
        return status;
    note(pn_slotted_user(view), ACT, pn_slotted_slot(view), 0);
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static inline void by_credit(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    int status;
    if (!fails(view, KEY, &status))
        key->word[0] = (pn_slotted_remaining(view, job) << 8) / (1 + *credit_of(view, job));
}

static const pn_slotted_policy witnessed = {
    .struct_size = sizeof witnessed,
    .name = "witnessed",
    .preemptive = 1,
    .nonpreemptive = 1,
    .work_conserving = 1,
    .order_count = 1,
    .orders = {{by_credit, PN_SLOTTED_CHANGES_ON_TICK,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0}},
    .state_bytes = sizeof(own),
    .state_bytes_per_job = sizeof(uint64_t),
    .act = see_act,
    .init = see_init,
    .arrive = see_arrive,
    .finish = see_finish,
    .tick = see_tick,
    .tick_slots = TICK_SLOTS,
    .sizes = 1,
};

static inline void told(void *user, const pn_slotted_finish *finish)
{
    note(user, TOLD, finish->finish, finish->id);
}

/* ---- ways to drive a run ---- */

typedef struct manner {
    uint64_t chunk; /* slots of each pn_slotted_run; 0 = steps */
    bool streamed;  /* jobs are submitted as they arrive, into places that others have left */
    bool moved;     /* the block moves between calls */
    /* with a virtual run beside it, slots are executed in which nothing is to be decided */
    uint32_t bounds;
} manner;

static const manner manners[] = {
    {0, false, false, PN_SLOTTED_BOUNDS_NONE}, {0, false, true, PN_SLOTTED_BOUNDS_FAST},
    {1, false, false, PN_SLOTTED_BOUNDS_NONE}, {5, true, true, PN_SLOTTED_BOUNDS_FAST},
    {1, true, false, PN_SLOTTED_BOUNDS_NONE},  {1000000, false, false, PN_SLOTTED_BOUNDS_FAST},
    {0, true, true, PN_SLOTTED_BOUNDS_NONE},   {17, false, true, PN_SLOTTED_BOUNDS_NONE},
};
enum { MANNERS = sizeof manners / sizeof manners[0] };

static inline pn_slotted *moved(pn_slotted *sim)
{
    size_t size = pn_slotted_block_size(sim);
    pn_slotted *opened = NULL;
    void *copy = workload_room(size);
    memcpy(copy, sim, size);
    memset(sim, 0xA5, size);
    free(sim);
    assert_int_equal(pn_slotted_open(&opened, copy, size), PN_OK);
    return opened;
}

static inline uint64_t clock_of(const pn_slotted *sim)
{
    pn_slotted_totals totals;
    pn_slotted_totals_get(sim, &totals);
    return totals.slot;
}

/* One call, a step or a piece on the way to `until`. */
static inline int go_on(pn_slotted **sim, const pn_slotted_hooks *hooks, const manner *how,
                        uint64_t until)
{
    uint64_t next = clock_of(*sim) + how->chunk;
    int status = how->chunk == 0 && until == PN_SLOTTED_FOREVER ? pn_slotted_step(*sim, hooks)
                 : how->chunk == 0                              ? pn_slotted_run(*sim, hooks, until)
                                   : pn_slotted_run(*sim, hooks, next < until ? next : until);
    /* said by the very call in which it happened */
    assert_int_equal(status < 0, ((const witness *)hooks->user)->failed);
    if (how->moved)
        *sim = moved(*sim);
    return status;
}

/* To the end, or to the first call that fails. */
static inline int drive(pn_slotted **sim, const slotted_workload *work,
                        const pn_slotted_hooks *hooks, const manner *how)
{
    int status = PN_OK;
    for (size_t i = 0; i < work->count && status >= 0; i++) {
        while (how->streamed && status >= 0 && clock_of(*sim) < work->jobs[i].arrival - 1)
            status = go_on(sim, hooks, how, work->jobs[i].arrival - 1);
        if (status >= 0)
            assert_int_equal(pn_slotted_submit(*sim, &work->jobs[i], NULL), PN_OK);
    }
    status = status < 0 ? status : PN_OK;
    while (status == PN_OK)
        status = go_on(sim, hooks, how, PN_SLOTTED_FOREVER);
    return status;
}

static inline pn_slotted_config config_for(const slotted_workload *work,
                                           const pn_slotted_policy *policy, uint32_t reduce,
                                           uint32_t bounds)
{
    pn_slotted_config config = slotted_config(work, MACHINES, reduce);
    config.stretches_max = (uint32_t)work->count * SLOTTED_WORKLOAD_TASKS;
    config.bounds = bounds;
    config.policy = policy;
    config.seed = 99;
    config.replica = 3;
    return config;
}

static inline pn_slotted_hooks hooks_for(const pn_slotted_policy *policy, witness *w)
{
    return (pn_slotted_hooks){.policy = policy, .on_finish = told, .user = w};
}

static inline uint64_t digest_in(const slotted_workload *work, const pn_slotted_policy *policy,
                                 uint32_t reduce, const manner *how, witness *w)
{
    pn_slotted_config config = config_for(work, policy, reduce, how->bounds);
    pn_slotted_hooks hooks = hooks_for(policy, w);
    pn_slotted *sim = slotted_sim(&config);
    *w = (witness){.work = work};
    assert_int_equal(drive(&sim, work, &hooks, how), PN_DONE);
    uint64_t digest = pn_slotted_digest(sim);
    free(sim);
    return digest;
}

static inline void check_same_events(const witness *a, const witness *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->events, b->events, a->count * sizeof a->events[0]);
}

#endif
