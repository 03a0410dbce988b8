/* Stepping, running and jumping; hooks and what they may do; which policies a block takes;
 * capacities that are just large enough. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "slotted/support/served.h"
#include "slotted/support/workload.h"

static pn_slotted_totals totals_of(const pn_slotted *sim)
{
    pn_slotted_totals totals;
    pn_slotted_totals_get(sim, &totals);
    return totals;
}

static pn_slotted *new_sim(uint32_t machines, uint32_t jobs_max, uint32_t reduce)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = machines;
    config.jobs_max = jobs_max;
    config.reduce = reduce;
    return slotted_sim(&config);
}

static void submit(pn_slotted *sim, uint64_t arrival, uint64_t maps, const uint64_t *reduces,
                   size_t reduce_count)
{
    pn_slotted_job job = {
        .arrival = arrival, .maps = maps, .reduces = reduces, .reduce_count = reduce_count};
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
}

/* A refused step leaves every byte as it was. */
static void check_refused(pn_slotted *sim, const pn_slotted_hooks *hooks, uint64_t until,
                          int expected)
{
    size_t size = pn_slotted_block_size(sim);
    void *before = workload_room(size);
    memcpy(before, sim, size);
    if (until == PN_SLOTTED_FOREVER)
        assert_int_equal(pn_slotted_step(sim, hooks), expected);
    assert_int_equal(pn_slotted_run(sim, hooks, until), expected);
    assert_memory_equal(sim, before, size);
    free(before);
}

/* ---- binding a policy ---- */

static void steps_refuse_what_is_no_policy_for_the_block(void **unused)
{
    pn_slotted_policy broken = *pn_slotted_fifo();
    pn_slotted_policy load_alone = *pn_slotted_fifo();
    pn_slotted_policy load_in_tree = *pn_slotted_asrpt();
    double beyond[] = {1, 1, 0, (1 << 20) + 1};
    pn_slotted_hooks none = {.policy = NULL};
    pn_slotted_hooks fifo = {.policy = pn_slotted_fifo()};
    (void)unused;
    broken.order_count = PN_SLOTTED_ORDERS_MAX + 1;
    /* without a virtual run there is no load */
    load_alone.orders[0].members = PN_SLOTTED_WITH_LOAD;
    load_in_tree.orders[0].fit = 1;
    pn_slotted *sim = new_sim(2, 2, PN_SLOTTED_NONPREEMPTIVE);
    assert_int_equal(pn_slotted_step(NULL, &fifo), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_run(NULL, &fifo, 5), PN_ERR_ARGUMENT);
    check_refused(sim, NULL, PN_SLOTTED_FOREVER, PN_ERR_ARGUMENT);
    check_refused(sim, &none, PN_SLOTTED_FOREVER, PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = &broken}, PN_SLOTTED_FOREVER, PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = &load_alone}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = &load_in_tree}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_dsrpt()}, PN_SLOTTED_FOREVER,
                  PN_ERR_MODE);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_idx(), .params = beyond},
                  PN_SLOTTED_FOREVER, PN_ERR_ARGUMENT);
    free(sim);
}

static void a_bound_policy_stays(void **unused)
{
    const double given[] = {1, 2, 3, 4};
    const double others[] = {1, 2, 3, 5};
    pn_slotted_hooks idx = {.policy = pn_slotted_idx(), .params = given};
    pn_slotted *sim = new_sim(2, 2, PN_SLOTTED_NONPREEMPTIVE);
    (void)unused;
    submit(sim, 1, 9, NULL, 0);
    assert_int_equal(pn_slotted_step(sim, &idx), PN_OK);
    assert_string_equal(pn_slotted_policy_name(sim), "idx");
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_fifo()}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_dsrpt()}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_idx(), .params = others},
                  PN_SLOTTED_FOREVER, PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_idx()}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = NULL}, PN_SLOTTED_FOREVER, PN_ERR_POLICY);
    assert_int_equal(pn_slotted_run(sim, &idx, PN_SLOTTED_FOREVER), PN_DONE);
    free(sim);
}

/* A block sized for one policy refuses those that need more, and takes those that do not. */
static void a_small_block_refuses_larger_policies(void **unused)
{
    pn_slotted_config config = pn_slotted_defaults();
    (void)unused;
    config.machines = 3;
    config.jobs_max = 10;
    config.reduce = PN_SLOTTED_PREEMPTIVE;
    config.policy = pn_slotted_fifo();
    pn_slotted *sim = slotted_sim(&config);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_asrpt()}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_srpt()}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_psrpt()}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = pn_slotted_dsrpt()}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    check_refused(sim, &(pn_slotted_hooks){.policy = &served_policy}, PN_SLOTTED_FOREVER,
                  PN_ERR_POLICY);
    submit(sim, 1, 1, NULL, 0);
    assert_int_equal(
        pn_slotted_run(sim, &(pn_slotted_hooks){.policy = pn_slotted_rfirst()}, PN_SLOTTED_FOREVER),
        PN_DONE);
    free(sim);
    config.policy = NULL;
    for (size_t i = 0; pn_slotted_policy_at(i); i++) {
        sim = slotted_sim(&config);
        submit(sim, 1, 1, NULL, 0);
        assert_int_equal(pn_slotted_run(sim, &(pn_slotted_hooks){.policy = pn_slotted_policy_at(i)},
                                        PN_SLOTTED_FOREVER),
                         PN_DONE);
        assert_int_equal(totals_of(sim).relaxed, pn_slotted_policy_at(i)->relaxed);
        free(sim);
    }
}

/* ---- time ---- */

static void idle_time_costs_nothing(void **unused)
{
    const uint64_t gap = 1000000000000u;
    const uint64_t length[] = {gap / 2};
    pn_slotted_hooks hooks = {.policy = pn_slotted_fair()};
    (void)unused;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        pn_slotted *sim = new_sim(2, 100, reduce);
        for (uint64_t i = 1; i <= 100; i++)
            submit(sim, i * gap, 3, length, reduce == PN_SLOTTED_NONPREEMPTIVE);
        assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
        /* Two slots of maps each; one in which the task starts and one in which it ends. */
        assert_int_equal(totals_of(sim).slots_run, reduce == PN_SLOTTED_PREEMPTIVE ? 200 : 400);
        assert_int_equal(totals_of(sim).last_finish,
                         100 * gap + (reduce == PN_SLOTTED_PREEMPTIVE ? 1 : 1 + gap / 2));
        free(sim);
    }
}

static void run_goes_to_the_slot_asked_for(void **unused)
{
    pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    pn_slotted *sim = new_sim(1, 4, PN_SLOTTED_PREEMPTIVE);
    (void)unused;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_DONE);
    assert_int_equal(pn_slotted_run(sim, &hooks, 3), PN_DONE);
    assert_int_equal(totals_of(sim).slot, 3);
    assert_int_equal(pn_slotted_submit(sim, &(pn_slotted_job){.arrival = 3, .maps = 1}, NULL),
                     PN_ERR_LATE);
    submit(sim, 4, 3, NULL, 0);
    submit(sim, 20, 1, NULL, 0);
    assert_int_equal(pn_slotted_run(sim, &hooks, 2), PN_OK); /* the past: nothing happens */
    assert_int_equal(totals_of(sim).slot, 3);
    assert_int_equal(pn_slotted_run(sim, &hooks, 5), PN_OK);
    assert_int_equal(totals_of(sim).slot, 5);
    assert_int_equal(totals_of(sim).units_run, 2);
    assert_int_equal(totals_of(sim).in_system, 1);
    assert_int_equal(pn_slotted_run(sim, &hooks, 10), PN_OK);
    assert_int_equal(totals_of(sim).slot, 10);
    assert_int_equal(totals_of(sim).finished, 1);
    assert_int_equal(totals_of(sim).in_system, 0);
    assert_int_equal(totals_of(sim).last_finish, 6);
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(totals_of(sim).slot, 20);
    assert_int_equal(totals_of(sim).total_flow_time, 3 + 1);
    assert_int_equal(totals_of(sim).slots_run, 4);
    assert_int_equal(totals_of(sim).decisions, 4);
    assert_int_equal(totals_of(sim).submitted, 2);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_DONE);
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(totals_of(sim).slot, 20);
    free(sim);
}

/* Slot by slot the same; the areas of its levels are the totals, and its backlog runs out. */
static void check_levels(pn_slotted *sim, const pn_slotted_hooks *hooks, uint64_t digest,
                         const pn_slotted_totals *whole)
{
    pn_slotted_levels slot, after = {0};
    uint64_t jobs = 0, units = 0;
    int status = PN_PAUSED;
    while (status == PN_PAUSED) {
        uint64_t before = after.slot, quiet_jobs = after.jobs, quiet = after.map + after.reduce;
        status = pn_slotted_run_some(sim, hooks, PN_SLOTTED_FOREVER, 1);
        pn_slotted_levels_get(sim, &slot, &after);
        if (slot.slot + 1 == before)
            continue;
        assert_true(slot.queue <= slot.jobs && after.queue <= after.jobs);
        assert_true(slot.map + slot.reduce == 0 || slot.queue < slot.jobs);
        assert_true(after.jobs <= slot.jobs && after.map == 0 && after.backlog == slot.backlog);
        jobs += (slot.slot - before) * quiet_jobs + slot.jobs;
        units += (slot.slot - before) * quiet + slot.map + slot.reduce;
    }
    assert_int_equal(status, PN_DONE);
    assert_int_equal(pn_slotted_digest(sim), digest);
    assert_int_equal(jobs, whole->total_flow_time);
    assert_int_equal(units, whole->units_run);
    assert_int_equal(after.jobs + after.queue + after.reduce + after.backlog, 0);
    pn_slotted_levels either = {0}, other = {0};
    pn_slotted_levels_get(sim, &either, NULL);
    pn_slotted_levels_get(sim, NULL, &other);
    assert_memory_equal(&either, &slot, sizeof slot);
    assert_memory_equal(&other, &after, sizeof after);
}

/* Stopping on the way, wherever, does not show in the schedule. */
static void runs_in_pieces_are_one_run(void **unused)
{
    slotted_workload work = slotted_new(
        120, 31,
        (slotted_shape){.rate = 0.3, .maps = 6, .reduces = 30, .tasks = 4, .estimates = 1});
    (void)unused;
    for (size_t i = 0; pn_slotted_policy_at(i); i++) {
        const pn_slotted_policy *policy = pn_slotted_policy_at(i);
        pn_slotted_hooks hooks = {.policy = policy};
        pn_slotted_config config = slotted_config(
            &work, 10, policy->nonpreemptive ? PN_SLOTTED_NONPREEMPTIVE : PN_SLOTTED_PREEMPTIVE);
        config.estimates = 1;
        pn_slotted_totals whole, pieces;
        uint64_t digest = slotted_digest(&work, &config, &hooks, &whole);
        pn_slotted *sim = slotted_sim(&config);
        assert_int_equal(slotted_submit(sim, &work, 0, work.count), PN_OK);
        uint64_t until = 0;
        while (pn_slotted_run(sim, &hooks, until) == PN_OK)
            until += 1 + until % 7;
        pieces = totals_of(sim);
        assert_int_equal(pn_slotted_digest(sim), digest);
        assert_int_equal(pieces.total_flow_time, whole.total_flow_time);
        assert_int_equal(pieces.units_run, whole.units_run);
        free(sim);
        sim = slotted_sim(&config);
        assert_int_equal(slotted_submit(sim, &work, 0, work.count), PN_OK);
        check_levels(sim, &hooks, digest, &whole);
        free(sim);
    }
    slotted_free(&work);
}

static void time_ends_at_the_largest_integer(void **unused)
{
    pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    pn_slotted *sim = new_sim(1, 2, PN_SLOTTED_PREEMPTIVE);
    (void)unused;
    submit(sim, 1, 1, NULL, 0);
    /* no slot of it was executed either */
    check_refused(sim, &hooks, PN_INTEGER_MAX + 1, PN_ERR_OVERFLOW);
    submit(sim, PN_INTEGER_MAX, 2, NULL, 0);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    assert_int_equal(totals_of(sim).slot, PN_INTEGER_MAX);
    check_refused(sim, &hooks, PN_SLOTTED_FOREVER, PN_ERR_OVERFLOW);
    free(sim);
}

/* ---- hooks ---- */

typedef struct watch {
    pn_slotted *sim;
    const pn_slotted_hooks *hooks;
    uint64_t last_slot, last_id, finish_slot, finish_id;
    unsigned decisions, finishes, busy;
    uint64_t to_submit;
} watch;

static void try_to_step(watch *w)
{
    w->busy += pn_slotted_step(w->sim, w->hooks) == PN_ERR_BUSY;
    w->busy += pn_slotted_run(w->sim, w->hooks, PN_SLOTTED_FOREVER) == PN_ERR_BUSY;
}

static void see_decision(void *user, const pn_slotted_decision *decision)
{
    watch *w = user;
    assert_true(decision->slot > w->last_slot ||
                (decision->slot == w->last_slot && decision->id >= w->last_id));
    /* a slot's finishes come after all its decisions */
    assert_true(decision->slot > w->finish_slot);
    assert_in_range(decision->kind, PN_SLOTTED_MAP, PN_SLOTTED_START);
    assert_in_range(decision->amount, 1, UINT32_MAX);
    assert_int_equal(totals_of(w->sim).slot, decision->slot);
    w->last_slot = decision->slot;
    w->last_id = decision->id;
    w->decisions++;
    try_to_step(w);
}

static void see_finish(void *user, const pn_slotted_finish *finish)
{
    watch *w = user;
    assert_true(finish->finish > w->finish_slot ||
                (finish->finish == w->finish_slot && finish->id > w->finish_id));
    assert_int_equal(finish->tag, finish->id - 1);
    assert_int_equal(finish->flow_time, finish->finish - finish->arrival + 1);
    w->finish_slot = finish->finish;
    w->finish_id = finish->id;
    w->finishes++;
    assert_int_equal(totals_of(w->sim).finished, w->finishes);
    try_to_step(w);
}

static int act_that_steps(pn_slotted_view *view)
{
    try_to_step(pn_slotted_user(view));
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static void hooks_hear_in_order_and_may_not_step(void **unused)
{
    pn_slotted_policy stepping = *pn_slotted_dspt();
    slotted_workload work = slotted_new(
        200, 32, (slotted_shape){.rate = 1, .maps = 6, .reduces = 30, .tasks = 4});
    (void)unused;
    stepping.name = "stepping";
    stepping.act = act_that_steps;
    for (size_t i = 0; i < 12; i++) {
        const pn_slotted_policy *policy = i == 0 ? &stepping : pn_slotted_policy_at(i);
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            if (!(reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive))
                continue;
            watch w = {0};
            pn_slotted_config config = slotted_config(&work, 30, reduce);
            pn_slotted_hooks hooks = {.policy = policy, NULL, see_finish, see_decision, &w};
            config.policy = policy;
            uint64_t digest = i == 0 ? 0
                                     : slotted_digest(&work, &config,
                                                      &(pn_slotted_hooks){.policy = policy}, NULL);
            w.hooks = &hooks;
            w.sim = slotted_sim(&config);
            assert_int_equal(slotted_submit(w.sim, &work, 0, work.count), PN_OK);
            assert_int_equal(pn_slotted_run(w.sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
            assert_int_equal(w.finishes, work.count);
            assert_int_equal(w.decisions, totals_of(w.sim).decisions);
            assert_in_range(w.busy, 2 * (w.decisions + w.finishes), 4 * (w.decisions + w.finishes));
            if (i > 0)
                assert_int_equal(pn_slotted_digest(w.sim), digest);
            free(w.sim);
        }
    }
    slotted_free(&work);
}

static void submit_next(void *user, const pn_slotted_finish *finish)
{
    watch *w = user;
    w->finishes++;
    if (w->to_submit == 0)
        return;
    w->to_submit--;
    pn_slotted_job job = {.arrival = finish->finish + 1, .maps = 1 + finish->id % 5};
    assert_int_equal(pn_slotted_submit(w->sim, &job, NULL), PN_OK);
}

/* Three users, each of whom submits the next job when the last has finished: the place that became
 * free is free at once. */
static void a_closed_loop_runs_in_as_many_places_as_users(void **unused)
{
    watch w = {.to_submit = 5000};
    pn_slotted_hooks hooks = {.policy = pn_slotted_dspt(), .on_finish = submit_next, .user = &w};
    (void)unused;
    w.sim = new_sim(2, 3, PN_SLOTTED_NONPREEMPTIVE);
    for (uint64_t i = 1; i <= 3; i++)
        submit(w.sim, 1, i, NULL, 0);
    assert_int_equal(pn_slotted_run(w.sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(w.finishes, 5003);
    assert_int_equal(totals_of(w.sim).jobs_held_max, 3);
    free(w.sim);
}

typedef struct caller {
    pn_slotted *sim;
    int this_slot, next_slot, copy;
    bool called;
} caller;

static int calling_act(pn_slotted_view *view)
{
    caller *c = pn_slotted_user(view);
    pn_slotted_job job = {.arrival = pn_slotted_slot(view), .maps = 1};
    if (!c->called) {
        size_t size = pn_slotted_block_size(c->sim);
        void *copy = workload_room(size);
        pn_slotted *opened;
        memcpy(copy, c->sim, size);
        c->copy = pn_slotted_open(&opened, copy, size);
        free(copy);
        c->this_slot = pn_slotted_submit(c->sim, &job, NULL);
        job.arrival++;
        c->next_slot = pn_slotted_submit(c->sim, &job, NULL);
        c->called = true;
    }
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

/* The jobs of the slot in which a policy is asked have arrived before; and half a slot is no state
 * to go on from. */
static void an_act_may_submit_for_later_slots_only(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_fifo();
    caller c = {.called = false};
    (void)unused;
    policy.act = calling_act;
    c.sim = new_sim(2, 4, PN_SLOTTED_PREEMPTIVE);
    submit(c.sim, 5, 1, NULL, 0);
    assert_int_equal(pn_slotted_run(c.sim, &(pn_slotted_hooks){.policy = &policy, .user = &c},
                                    PN_SLOTTED_FOREVER),
                     PN_DONE);
    assert_int_equal(c.this_slot, PN_ERR_LATE);
    assert_int_equal(c.next_slot, PN_OK);
    assert_int_equal(c.copy, PN_ERR_BUSY);
    assert_int_equal(totals_of(c.sim).finished, 2);
    free(c.sim);
}

/* ---- shapes ---- */

static void by_id_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_slotted_id(view, job);
}

/* The block's tables were laid out for the policy that was bound; its name alone does not make
 * another one the same. */
static void a_policy_that_changed_its_shape_is_another_one(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_fifo();
    pn_slotted_hooks hooks = {.policy = &policy};
    (void)unused;
    policy.act = NULL;
    pn_slotted *sim = new_sim(1, 4, PN_SLOTTED_PREEMPTIVE);
    submit(sim, 1, 3, NULL, 0);
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    pn_slotted_policy changed[7] = {policy, policy, policy, policy, policy, policy, policy};
    changed[0].orders[0].changes = PN_SLOTTED_CHANGES_WHEN_SERVED;
    changed[1].orders[0].key = by_id_key;
    changed[2].order_count = 0;
    changed[3].relaxed = 1;
    changed[4].shadow = PN_SLOTTED_SHADOW_TRUTH;
    changed[5].orders[0].members = PN_SLOTTED_WITH_MAPS;
    changed[6].struct_size = sizeof changed[6];
    changed[6].sizes = 1;
    for (int i = 0; i < 7; i++)
        check_refused(sim, &(pn_slotted_hooks){.policy = &changed[i]}, PN_SLOTTED_FOREVER,
                      PN_ERR_POLICY);
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    free(sim);
}

static void shapes_that_cannot_work_are_refused_by_name(void **unused)
{
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_policy broken[10];
    (void)unused;
    for (int i = 0; i < 10; i++)
        broken[i] = i < 4 ? *pn_slotted_fifo() : *pn_slotted_asrpt();
    broken[0].orders[0] = pn_slotted_fair()->orders[0]; /* shares are a heap's affair */
    broken[0].orders[0].fit = 1;
    broken[1].orders[0].members = 0;
    broken[2].orders[0].members = 16;
    broken[3].orders[0].changes = 4;
    broken[4].orders[0].members = PN_SLOTTED_WITH_LOAD; /* the second one */
    broken[5].shadow = 3;
    broken[6].load = 2;
    broken[7].param_count = 1;
    broken[7].params[0] = (pn_param){"x", 5, 0, 4, NULL, 1, "its default is out of range"};
    broken[8] = *pn_slotted_fair();
    broken[8].orders[0].changes = PN_SLOTTED_CHANGES_ON_ARRIVAL;
    broken[9].struct_size = sizeof broken[9];
    broken[9].sizes = 2;
    config.machines = config.jobs_max = 4;
    for (int i = 0; i < 10; i++) {
        config.policy = &broken[i];
        assert_memory_equal(pn_slotted_check(&config), "policy:", 7);
    }
}

static void a_relaxed_policy_ignores_its_orders(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_asrpt();
    (void)unused;
    policy.name = "relaxed";
    policy.relaxed = 1;
    policy.act = NULL;
    pn_slotted *sim = new_sim(2, 8, PN_SLOTTED_PREEMPTIVE);
    for (uint64_t i = 1; i <= 8; i++)
        submit(sim, i, 5, NULL, 0);
    assert_int_equal(
        pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(totals_of(sim).finished, 8);
    free(sim);
}

/* ---- questions ---- */

static int ask_in_vain(pn_slotted_view *view)
{
    assert_int_equal(pn_slotted_load(view, 0), 0); /* no virtual run loads anything */
    assert_int_equal(pn_slotted_member(view, 0, 0), 1);
    assert_int_equal(pn_slotted_member(view, 0, 7), 0); /* no job was ever there */
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static void what_a_run_lacks_is_nothing(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_fifo();
    (void)unused;
    policy.act = ask_in_vain;
    pn_slotted *sim = new_sim(2, 8, PN_SLOTTED_PREEMPTIVE);
    submit(sim, 1, 5, NULL, 0);
    assert_int_equal(
        pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER), PN_DONE);
    free(sim);
}

/* Where the virtual run has the true sizes, what it has loaded ahead does not depend on the
 * estimates: never more than the true maps. */
static int check_loads(pn_slotted_view *view)
{
    for (uint32_t job = 0; job < 3; job++)
        if (pn_slotted_active(view, job) && pn_slotted_in_maps(view, job))
            assert_true(pn_slotted_load(view, job) <= 3 * pn_slotted_id(view, job));
    return pn_slotted_asrpt_cu()->act(view);
}

static void a_virtual_run_of_the_truth_is_not_misjudged(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_asrpt_cu();
    pn_slotted_config config = pn_slotted_defaults();
    const uint64_t reduces[] = {4};
    (void)unused;
    policy.name = "by_truth";
    policy.shadow = PN_SLOTTED_SHADOW_TRUTH;
    policy.act = check_loads;
    config.machines = 2;
    config.jobs_max = 3;
    config.estimates = 1;
    config.policy = &policy;
    pn_slotted *sim = slotted_sim(&config);
    for (uint64_t i = 1; i <= 3; i++) {
        pn_slotted_job job = {.arrival = i,
                              .maps = 3 * i,
                              .reduces = reduces,
                              .reduce_count = 1,
                              .estimate_maps = 10 - 3 * i,
                              .estimate_reduces = i};
        assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    }
    assert_int_equal(
        pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(totals_of(sim).finished, 3);
    free(sim);
}

/* Gives nothing in two slots, in which the virtual run serves two units each, of three. */
static int wait_for_loads(pn_slotted_view *view)
{
    uint64_t slot = pn_slotted_slot(view);
    if (slot <= 2)
        assert_int_equal(pn_slotted_load(view, 0), slot == 1 ? 2 : 3);
    return slot <= 2 ? PN_OK : pn_slotted_asrpt_cu()->act(view);
}

/* SL25: what a job is behind its virtual run is a number of its maps, whatever was estimated. */
static void load_is_what_the_run_is_behind(void **unused)
{
    static const struct {
        uint8_t shadow;
        uint64_t estimate; /* of 3 maps; 0: none */
    } cases[] = {{PN_SLOTTED_SHADOW_TRUTH, 0},     {PN_SLOTTED_SHADOW_TRUTH, 8},
                 {PN_SLOTTED_SHADOW_TRUTH, 1},     {PN_SLOTTED_SHADOW_ESTIMATES, 0},
                 {PN_SLOTTED_SHADOW_ESTIMATES, 8}, {PN_SLOTTED_SHADOW_ESTIMATES, 3}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pn_slotted_policy policy = *pn_slotted_asrpt_cu();
        pn_slotted_config config = pn_slotted_defaults();
        pn_slotted_job job = {.arrival = 1, .maps = 3, .estimate_maps = cases[i].estimate};
        policy.name = "waiting";
        policy.shadow = cases[i].shadow;
        policy.act = wait_for_loads;
        config.machines = 2;
        config.jobs_max = 1;
        config.estimates = cases[i].estimate > 0;
        config.policy = &policy;
        pn_slotted *sim = slotted_sim(&config);
        assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
        assert_int_equal(
            pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER),
            PN_DONE);
        assert_int_equal(totals_of(sim).slot, 4);
        free(sim);
    }
}

/* ---- functions of the policy ---- */

/* The keys of the kernel write the first word alone. */
static int check_keys(pn_slotted_view *view)
{
    pn_key least = {{7, 8}}, most = {{7, 8}};
    uint64_t left = 6 - pn_slotted_slot(view);
    pn_slotted_key_remaining(view, 0, &least);
    pn_slotted_key_most_remaining(view, 0, &most);
    assert_true(least.word[0] == left && least.word[1] == 8);
    assert_true(most.word[0] == UINT64_MAX - left && most.word[1] == 8);
    return pn_slotted_give(view, 0, 1);
}

static void keys_are_the_work_left(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_dspt();
    pn_slotted *sim = new_sim(1, 4, PN_SLOTTED_PREEMPTIVE);
    (void)unused;
    policy.name = "keys";
    policy.act = check_keys;
    submit(sim, 1, 3, (const uint64_t[]){2}, 1);
    assert_int_equal(
        pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(totals_of(sim).slot, 5);
    free(sim);
}

enum { PLACES = 8 };

static int check_places(pn_slotted_view *view)
{
    static const uint32_t behind[] = {PLACES, PLACES + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        assert_int_equal(pn_slotted_active(view, behind[i]), 0);
        assert_int_equal(pn_slotted_member(view, 0, behind[i]), 0);
        assert_int_equal(pn_slotted_give(view, behind[i], 1), PN_ERR_INFEASIBLE);
    }
    return pn_slotted_fill(view, 0, UINT64_MAX);
}

/* Behind the last place stand errors of estimates, which are no job, though full of bits. */
static void behind_the_last_place_is_no_job(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_dspt();
    pn_slotted_config config = pn_slotted_defaults();
    (void)unused;
    policy.name = "places";
    policy.act = check_places;
    config.machines = 2;
    config.jobs_max = PLACES;
    config.estimates = 1;
    pn_slotted *sim = slotted_sim(&config);
    for (uint64_t i = 0; i < PLACES; i++) {
        pn_slotted_job job = {.arrival = 1,
                              .maps = 2,
                              .reduces = (const uint64_t[]){4},
                              .reduce_count = 1,
                              .estimate_maps = 1,
                              .estimate_reduces = 1};
        assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    }
    assert_int_equal(
        pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER), PN_DONE);
    free(sim);
}

static int check_orders(pn_slotted_view *view)
{
    assert_int_equal(pn_slotted_share(view, 1, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_fill(view, 1, 1), PN_ERR_ARGUMENT);
    return pn_slotted_share(view, 0, UINT64_MAX);
}

/* A policy has as many orders as it states, whatever is written behind them. */
static void orders_behind_the_count_do_not_exist(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_fair();
    pn_slotted *sim = new_sim(2, 4, PN_SLOTTED_PREEMPTIVE);
    (void)unused;
    policy.name = "one order";
    policy.orders[1] = policy.orders[0];
    policy.act = check_orders;
    assert_int_equal(policy.order_count, 1);
    submit(sim, 1, 3, NULL, 0);
    assert_int_equal(
        pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(totals_of(sim).slot, 2);
    free(sim);
}

static uint64_t weight_given;

static uint64_t give_weight(const pn_slotted_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    return weight_given;
}

/* A weight is a number of 1..2^20; any other ends the run. */
static void weights_have_bounds(void **unused)
{
    static const struct {
        uint64_t weight;
        int status;
    } cases[] = {{0, PN_ERR_INFEASIBLE},
                 {1, PN_DONE},
                 {(uint64_t)1 << 20, PN_DONE},
                 {((uint64_t)1 << 20) + 1, PN_ERR_INFEASIBLE},
                 {UINT64_MAX, PN_ERR_INFEASIBLE}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pn_slotted_policy policy = *pn_slotted_fair();
        pn_slotted *sim = new_sim(2, 4, PN_SLOTTED_PREEMPTIVE);
        policy.name = "weighted";
        policy.weight = give_weight;
        weight_given = cases[i].weight;
        submit(sim, 1, 3, NULL, 0);
        assert_int_equal(
            pn_slotted_run(sim, &(pn_slotted_hooks){.policy = &policy}, PN_SLOTTED_FOREVER),
            cases[i].status);
        free(sim);
    }
}

static pn_slotted *key_sim;
static int key_step, key_submit;

static void meddling_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    pn_slotted_job now = {.arrival = pn_slotted_slot(view), .maps = 1};
    (void)job;
    (void)key;
    if (key_step != PN_OK)
        return;
    key_step = pn_slotted_step(key_sim, &hooks);
    key_submit = pn_slotted_submit(key_sim, &now, NULL);
}

static void keys_may_not_step_nor_submit_into_their_slot(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_dspt();
    (void)unused;
    policy.name = "meddling";
    policy.orders[0].key = meddling_key;
    key_sim = new_sim(1, 4, PN_SLOTTED_PREEMPTIVE);
    submit(key_sim, 1, 2, NULL, 0);
    assert_int_equal(pn_slotted_step(key_sim, &(pn_slotted_hooks){.policy = &policy}), PN_OK);
    assert_int_equal(key_step, PN_ERR_BUSY);
    assert_int_equal(key_submit, PN_ERR_LATE);
    free(key_sim);
}

/* A virtual run of an overestimated job outlives it; stepping on frees the place at last. */
static void places_held_by_a_virtual_run_come_free(void **unused)
{
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_hooks hooks = {.policy = pn_slotted_asrpt()};
    pn_slotted *sim;
    (void)unused;
    config.machines = 2;
    config.jobs_max = 1;
    config.estimates = 1;
    size_t size = pn_slotted_size(&config);
    assert_int_equal(pn_slotted_init(&sim, workload_room(size), size, &config), PN_OK);
    pn_slotted_job job = {.arrival = 1, .maps = 1, .estimate_maps = (uint64_t)1 << 40};
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    job.arrival = totals_of(sim).slot + 1;
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    free(sim);
}

static void add_amount(void *user, const pn_slotted_decision *decision)
{
    uint64_t *given = user;
    given[decision->id] += decision->slot == 2 ? decision->amount : 0;
}

/* Four machines are free; the second cheap job, which asks for four when three are left and is not
 * too large to wait, takes the rest in the end (SL28). */
static void psrpt_gives_the_rest_to_a_cheap_job(void **unused)
{
    static const uint64_t long_tasks[] = {50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50},
                          small[] = {1, 1}, large[] = {4, 4};
    uint64_t given[4] = {0};
    const pn_slotted_hooks hooks = {
        .policy = pn_slotted_psrpt(), .on_decision = add_amount, .user = given};
    pn_slotted *sim = new_sim(16, 3, PN_SLOTTED_NONPREEMPTIVE);
    (void)unused;
    submit(sim, 1, 0, long_tasks, 12);
    submit(sim, 2, 1, small, 2);
    submit(sim, 2, 4, large, 2);
    assert_int_equal(pn_slotted_run(sim, &hooks, 2), PN_OK);
    assert_true(given[1] == 0 && given[2] == 1 && given[3] == 3);
    free(sim);
}

/* ---- capacities ---- */

/* Submits as jobs arrive; PN_DONE, or PN_ERR_FULL with everything as before the refused call. */
static int stream(const slotted_workload *work, const pn_slotted_config *config,
                  const pn_slotted_hooks *hooks, uint64_t *digest)
{
    pn_slotted *sim = slotted_sim(config);
    int status = PN_OK;
    for (size_t i = 0; i < work->count && status >= 0; i++) {
        status = pn_slotted_run(sim, hooks, work->jobs[i].arrival - 1);
        if (status < 0)
            break;
        size_t size = pn_slotted_block_size(sim);
        void *before = workload_room(size);
        memcpy(before, sim, size);
        status = pn_slotted_submit(sim, &work->jobs[i], NULL);
        if (status < 0)
            assert_memory_equal(sim, before, size);
        free(before);
    }
    if (status >= 0)
        status = pn_slotted_run(sim, hooks, PN_SLOTTED_FOREVER);
    *digest = pn_slotted_digest(sim);
    free(sim);
    return status;
}

static void capacities_grow_until_they_suffice(void **unused)
{
    slotted_workload work = slotted_new(
        60, 33, (slotted_shape){.rate = 0.5, .maps = 5, .reduces = 20, .tasks = 7});
    (void)unused;
    for (size_t i = 0; pn_slotted_policy_at(i); i++) {
        pn_slotted_hooks hooks = {.policy = pn_slotted_policy_at(i)};
        pn_slotted_config config = slotted_config(&work, 15,
                                                  pn_slotted_policy_at(i)->nonpreemptive
                                                      ? PN_SLOTTED_NONPREEMPTIVE
                                                      : PN_SLOTTED_PREEMPTIVE);
        uint64_t expected, digest;
        assert_int_equal(stream(&work, &config, &hooks, &expected), PN_DONE);
        uint32_t stretches_max = config.stretches_max;
        for (config.jobs_max = 1; stream(&work, &config, &hooks, &digest) != PN_DONE;
             config.jobs_max++)
            assert_in_range(config.jobs_max, 1, work.count - 1);
        assert_int_equal(digest, expected);
        assert_in_range(config.jobs_max, 2, work.count / 2);
        for (config.stretches_max = 1; stream(&work, &config, &hooks, &digest) != PN_DONE;
             config.stretches_max++)
            assert_in_range(config.stretches_max, 1, stretches_max);
        assert_int_equal(digest, expected);
    }
    slotted_free(&work);
}

/* Load that a virtual run has gained in quiet slots is there when the run stops (SL25). */
static void load_grows_in_quiet_slots(void **unused)
{
    const pn_slotted_hooks cumulative = {.policy = pn_slotted_asrpt_cu()};
    (void)unused;
    for (uint64_t slot = 1; slot <= 12; slot++) {
        pn_slotted *sim = new_sim(2, 3, PN_SLOTTED_NONPREEMPTIVE);
        submit(sim, 1, 6, (const uint64_t[]){9}, 1);
        submit(sim, 3, 2, (const uint64_t[]){8}, 1);
        submit(sim, 6, 8, NULL, 0);
        assert_int_equal(pn_slotted_run(sim, &cumulative, slot), PN_OK);
        assert_int_equal(pn_slotted_validate(sim, pn_slotted_block_size(sim)), PN_OK);
        free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_refuse_what_is_no_policy_for_the_block),
        cmocka_unit_test(a_bound_policy_stays),
        cmocka_unit_test(a_small_block_refuses_larger_policies),
        cmocka_unit_test(idle_time_costs_nothing),
        cmocka_unit_test(run_goes_to_the_slot_asked_for),
        cmocka_unit_test(runs_in_pieces_are_one_run),
        cmocka_unit_test(time_ends_at_the_largest_integer),
        cmocka_unit_test(hooks_hear_in_order_and_may_not_step),
        cmocka_unit_test(a_closed_loop_runs_in_as_many_places_as_users),
        cmocka_unit_test(an_act_may_submit_for_later_slots_only),
        cmocka_unit_test(a_policy_that_changed_its_shape_is_another_one),
        cmocka_unit_test(shapes_that_cannot_work_are_refused_by_name),
        cmocka_unit_test(a_relaxed_policy_ignores_its_orders),
        cmocka_unit_test(what_a_run_lacks_is_nothing),
        cmocka_unit_test(a_virtual_run_of_the_truth_is_not_misjudged),
        cmocka_unit_test(load_is_what_the_run_is_behind),
        cmocka_unit_test(load_grows_in_quiet_slots),
        cmocka_unit_test(keys_are_the_work_left),
        cmocka_unit_test(weights_have_bounds),
        cmocka_unit_test(orders_behind_the_count_do_not_exist),
        cmocka_unit_test(behind_the_last_place_is_no_job),
        cmocka_unit_test(keys_may_not_step_nor_submit_into_their_slot),
        cmocka_unit_test(places_held_by_a_virtual_run_come_free),
        cmocka_unit_test(psrpt_gives_the_rest_to_a_cheap_job),
        cmocka_unit_test(capacities_grow_until_they_suffice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
