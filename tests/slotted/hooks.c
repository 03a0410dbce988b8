/* Hooks of policies: who is called when, with what to be seen; ticks; memory and random numbers in
 * the block. However a run is driven, its policy must not notice. */
#include "slotted/support/plain.h"
#include "slotted/support/witness.h"

/* ---- the order of calls ---- */

/* What must have been called, derived from the workload, the slots of the acts and what the host
 * was told. */
static void check_events(const witness *w)
{
    uint64_t arrived = 0;
    uint64_t stretch = 0;
    uint64_t slot = 0;
    unsigned seen[CALLS] = {0};
    for (size_t i = 0; i < w->count; i++) {
        const event *e = &w->events[i];
        const event *next = &w->events[i + 1 < w->count ? i + 1 : i];
        assert_true(e->slot >= slot);
        slot = e->slot;
        seen[e->call]++;
        if (e->call == INIT)
            assert_true(i == 0 && slot == w->work->jobs[0].arrival);
        if (e->call == ARRIVE) {
            assert_int_equal(e->id, ++arrived);
            assert_int_equal(slot, w->work->jobs[arrived - 1].arrival);
        }
        if (e->call == TICK)
            assert_true(next->call == ACT && next->slot == slot);
        if (e->call == ACT) {
            bool ticked = i > 0 && w->events[i - 1].call == TICK;
            assert_int_equal(ticked, (slot - 1) / TICK_SLOTS + 1 != stretch);
            stretch = (slot - 1) / TICK_SLOTS + 1;
        }
        if (e->call == FINISH)
            assert_true(next->call == TOLD && next->slot == slot && next->id == e->id);
    }
    assert_int_equal(seen[INIT], 1);
    assert_int_equal(seen[ARRIVE], w->work->count);
    assert_int_equal(seen[FINISH], w->work->count);
    assert_in_range(seen[TICK], 5, slot);
    assert_in_range(seen[ACT], seen[TICK] + 20, slot);
}

static void hooks_are_called_in_order_however_a_run_is_driven(void **unused)
{
    static witness first, again;
    (void)unused;
    for (uint64_t seed = 71; seed < 75; seed++) {
        slotted_workload work = slotted_new(JOBS, seed, crowded);
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            uint64_t digest = digest_in(&work, &witnessed, reduce, &manners[0], &first);
            check_events(&first);
            for (int i = 1; i < MANNERS; i++) {
                assert_int_equal(digest_in(&work, &witnessed, reduce, &manners[i], &again), digest);
                check_same_events(&first, &again);
            }
        }
        slotted_free(&work);
    }
}

/* ---- against the plain simulator ---- */

typedef struct plain_memory {
    pn_stream stream;
    uint64_t arrived, stretch;
} plain_memory;

static bool more_credit(const plain_job *a, const plain_job *b, uint64_t slot)
{
    uint64_t x = ((a->maps + a->reduces) << 8) / (1 + a->own);
    uint64_t y = ((b->maps + b->reduces) << 8) / (1 + b->own);
    (void)slot;
    return x != y ? x < y : a->id < b->id;
}

static void decide_by_credit(plain_slot *at)
{
    plain_memory *memory = at->user;
    uint64_t stretch = (at->slot - 1) / TICK_SLOTS + 1;
    for (; memory->arrived < at->count && at->jobs[memory->arrived].arrival <= at->slot;
         memory->arrived++)
        at->jobs[memory->arrived].own = pn_uniform(&memory->stream, 0, 3);
    if (stretch != memory->stretch) {
        uint64_t chosen = pn_uniform(&memory->stream, 0, 2);
        for (size_t i = 0; i < memory->arrived; i++)
            at->jobs[i].own += at->jobs[i].id % 3 == chosen;
        memory->stretch = stretch;
    }
    plain_give(at, more_credit, false, PN_SLOTTED_ALL_IDLE);
}

/* Random numbers, memory that is handed from job to job, keys that age: all of it as in a plain
 * loop over all jobs. */
static void aging_by_ticks_is_that_of_a_plain_loop(void **unused)
{
    static witness w;
    pn_slotted_policy in_tree = witnessed;
    pn_slotted_policy by_key = witnessed;
    pn_slotted_policy always = witnessed;
    pn_slotted_policy never = witnessed;
    (void)unused;
    in_tree.orders[0].fit = 1;
    by_key.act = NULL;
    always.orders[0].changes = PN_SLOTTED_CHANGES_WITH_TIME;
    never.tick_slots = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        slotted_workload work = slotted_new(JOBS, seed, crowded);
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            plain_memory memory = {.arrived = 0};
            pn_stream_init(&memory.stream, 99, 3, POLICY_PURPOSE);
            uint64_t digest = plain_run(&work, MACHINES, reduce,
                                        &(plain_rule){.decide = decide_by_credit, .user = &memory});
            assert_int_equal(digest_in(&work, &witnessed, reduce, &manners[seed % MANNERS], &w),
                             digest);
            assert_int_equal(digest_in(&work, &in_tree, reduce, &manners[3], &w), digest);
            assert_int_equal(digest_in(&work, &by_key, reduce, &manners[4], &w), digest);
            unsigned keys = w.called[KEY];
            assert_int_equal(digest_in(&work, &always, reduce, &manners[4], &w), digest);
            assert_true(w.called[KEY] > keys); /* between ticks those who wait cost nothing */
            assert_int_not_equal(digest_in(&work, &never, reduce, &manners[0], &w),
                                 digest); /* or the test would be worth nothing */
            assert_int_equal(w.called[TICK], 0);
        }
        slotted_free(&work);
    }
}

/* ---- random numbers and memory ---- */

static void by_lot(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    (void)job;
    key->word[0] = pn_random32(pn_slotted_stream(view));
}

/* Keys are drawn anew where something is to be decided, and nowhere else. */
static void drawing_lots_does_not_show_how_a_run_is_driven(void **unused)
{
    static witness w;
    slotted_workload work = slotted_new(JOBS, 76, crowded);
    pn_slotted_policy policy = *pn_slotted_fifo();
    (void)unused;
    policy.name = "lots";
    policy.orders[0].key = by_lot;
    policy.orders[0].changes = PN_SLOTTED_CHANGES_WITH_TIME;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        uint64_t digest = digest_in(&work, &policy, reduce, &manners[0], &w);
        for (int i = 1; i < MANNERS; i++)
            assert_int_equal(digest_in(&work, &policy, reduce, &manners[i], &w), digest);
    }
    slotted_free(&work);
}

static int see_stream(pn_slotted_view *view)
{
    uint64_t *drawn = pn_slotted_user(view);
    *drawn = pn_random64(pn_slotted_stream(view));
    return PN_OK;
}

static void random_numbers_come_from_seed_and_replica(void **unused)
{
    const uint64_t seeds[] = {0, 1, 99, UINT64_MAX};
    pn_slotted_job job = {.arrival = 1, .maps = 1};
    pn_slotted_policy policy = *pn_slotted_fifo();
    (void)unused;
    policy.name = "drawing";
    policy.init = see_stream;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        for (uint32_t replica = 0; replica < 3; replica++) {
            uint64_t drawn = 0;
            pn_stream stream;
            pn_slotted_config config = slotted_config(&(slotted_workload){.count = 1}, 1,
                                                      PN_SLOTTED_PREEMPTIVE);
            config.seed = seeds[i];
            config.replica = replica;
            pn_slotted *sim = slotted_sim(&config);
            assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
            assert_int_equal(pn_slotted_run(sim,
                                            &(pn_slotted_hooks){.policy = &policy, .user = &drawn},
                                            PN_SLOTTED_FOREVER),
                             PN_DONE);
            pn_stream_init(&stream, seeds[i], replica, POLICY_PURPOSE);
            assert_int_equal(drawn, pn_random64(&stream));
            free(sim);
        }
    }
}

/* Every byte of the memory may be written, and nobody else minds. */
static int fill_memory(pn_slotted_view *view)
{
    const pn_slotted_policy *policy = pn_slotted_policy_of(view);
    size_t size = policy->state_bytes + pn_slotted_jobs_max(view) * policy->state_bytes_per_job;
    assert_int_equal((uintptr_t)pn_slotted_state(view) % 8, 0);
    memset(pn_slotted_state(view), 0x5A, size);
    return pn_slotted_fill(view, 0, PN_SLOTTED_ALL_IDLE);
}

static void memory_is_as_declared(void **unused)
{
    slotted_workload work = slotted_new(JOBS, 5, crowded);
    pn_slotted_policy policy = *pn_slotted_dspt();
    (void)unused;
    policy.name = "forgetful";
    policy.act = fill_memory;
    pn_slotted_config config = config_for(&work, &policy, PN_SLOTTED_NONPREEMPTIVE,
                                          PN_SLOTTED_BOUNDS_FAST);
    uint64_t digest = slotted_digest(&work, &config,
                                     &(pn_slotted_hooks){.policy = pn_slotted_dspt()}, NULL);
    size_t without = pn_slotted_size(&config);
    for (size_t bytes = 0; bytes < 20; bytes += 3) {
        for (size_t per_job = 0; per_job < 20; per_job += 3) {
            policy.state_bytes = bytes;
            policy.state_bytes_per_job = per_job;
            assert_in_range(pn_slotted_size(&config) - without, bytes + JOBS * per_job,
                            bytes + JOBS * per_job + 14);
            assert_int_equal(
                slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy}, NULL),
                digest);
        }
    }
    policy.state_bytes = SIZE_MAX;
    assert_int_equal(pn_slotted_size(&config), 0);
    policy.state_bytes = 0;
    policy.state_bytes_per_job = SIZE_MAX / JOBS + 1;
    assert_int_equal(pn_slotted_size(&config), 0);
    slotted_free(&work);
}

/* A block made for a policy has no room for one that wants more, and a policy does not change while
 * it is bound. */
static void a_policy_stays_what_it_was(void **unused)
{
    slotted_workload work = slotted_new(JOBS, 5, crowded);
    pn_slotted_policy policy = *pn_slotted_dspt();
    pn_slotted_hooks hooks = {.policy = &policy};
    pn_slotted_config config = config_for(&work, &policy, PN_SLOTTED_PREEMPTIVE,
                                          PN_SLOTTED_BOUNDS_NONE);
    (void)unused;
    policy.state_bytes_per_job = 8;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(slotted_submit(sim, &work, 0, work.count), PN_OK);
    policy.state_bytes = 8;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_POLICY);
    policy.state_bytes = 0;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_OK);
    policy.state_bytes_per_job = 0;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_POLICY);
    policy.state_bytes_per_job = 8;
    policy.tick_slots = 5;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_POLICY);
    policy.tick_slots = 0;
    policy.order_count = PN_SLOTTED_ORDERS_MAX + 1;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_POLICY);
    policy.order_count = 1;
    policy.struct_size = 9;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_POLICY);
    policy.struct_size = 0;
    hooks.struct_size = 9;
    assert_int_equal(pn_slotted_step(sim, &hooks), PN_ERR_ARGUMENT);
    hooks.struct_size = 0;
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    free(sim);
    slotted_free(&work);
}

/* ---- beside a virtual run ---- */

/* Ahead of its step in this slot the virtual run has served nobody, and knows nothing of who is
 * about to enter. */
static int unserved_arrive(pn_slotted_view *view, uint32_t job)
{
    assert_int_equal(pn_slotted_load(view, job), 0);
    assert_int_equal(pn_slotted_served_count(view), 0);
    return PN_OK;
}

static int unserved_tick(pn_slotted_view *view)
{
    assert_int_equal(pn_slotted_served_count(view), 0);
    return PN_OK;
}

static void served_finish(pn_slotted_view *view, uint32_t job)
{
    assert_int_equal(pn_slotted_load(view, job), 0);
    assert_in_range(pn_slotted_served_count(view), 0, MACHINES);
}

static void hooks_beside_a_virtual_run(void **unused)
{
    static witness w;
    const pn_slotted_policy *const inner[] = {pn_slotted_asrpt(), pn_slotted_asrpt_cu(),
                                              pn_slotted_dsrpt()};
    (void)unused;
    for (uint32_t estimates = 0; estimates <= 1; estimates++) {
        slotted_shape shape = crowded;
        shape.estimates = estimates;
        slotted_workload work = slotted_new(JOBS, 31, shape);
        for (size_t k = 0; k < sizeof inner / sizeof inner[0]; k++) {
            pn_slotted_policy policy = *inner[k];
            policy.name = "hooked";
            policy.arrive = unserved_arrive;
            policy.tick = unserved_tick;
            policy.finish = served_finish;
            policy.tick_slots = 1;
            for (uint32_t reduce = 0; reduce < (policy.nonpreemptive ? SLOTTED_MODES : 1);
                 reduce++) {
                pn_slotted_config config = config_for(&work, inner[k], reduce,
                                                      PN_SLOTTED_BOUNDS_FAST);
                config.estimates = estimates;
                uint64_t digest = slotted_digest(&work, &config,
                                                 &(pn_slotted_hooks){.policy = inner[k]}, NULL);
                for (int i = 0; i < MANNERS; i++) {
                    pn_slotted *sim = slotted_sim(&config);
                    pn_slotted_hooks hooks = hooks_for(&policy, &w);
                    w = (witness){.work = &work};
                    assert_int_equal(drive(&sim, &work, &hooks, &manners[i]), PN_DONE);
                    assert_int_equal(pn_slotted_digest(sim), digest);
                    free(sim);
                }
            }
        }
        slotted_free(&work);
    }
}

static int never_called(pn_slotted_view *view)
{
    (void)view;
    fail();
    return PN_ERR_POLICY;
}

static int never_asked(pn_slotted_view *view, uint32_t job)
{
    (void)job;
    return never_called(view);
}

static void never_told(pn_slotted_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    fail();
}

static void a_relaxation_has_no_hooks(void **unused)
{
    slotted_workload work = slotted_new(JOBS, 5, crowded);
    pn_slotted_policy policy = *pn_slotted_srpt();
    pn_slotted_config config = config_for(&work, &policy, PN_SLOTTED_PREEMPTIVE,
                                          PN_SLOTTED_BOUNDS_NONE);
    (void)unused;
    policy.init = policy.tick = never_called;
    policy.arrive = never_asked;
    policy.finish = never_told;
    policy.tick_slots = 1;
    assert_int_equal(
        slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy}, NULL),
        slotted_digest(&work, &config, &(pn_slotted_hooks){.policy = pn_slotted_srpt()}, NULL));
    slotted_free(&work);
}

/* ---- calls from inside ---- */

typedef struct caller {
    pn_slotted *sim;
    const pn_slotted_hooks *hooks;
    unsigned submitted, calls;
} caller;

/* No step from inside; but a hook may know of another job. */
static void call_from_inside(const pn_slotted_view *view)
{
    caller *c = pn_slotted_user(view);
    pn_slotted_job job = {.arrival = pn_slotted_slot(view), .maps = 2, .tag = c->submitted};
    pn_slotted *opened = NULL;
    c->calls++;
    assert_int_equal(pn_slotted_step(c->sim, c->hooks), PN_ERR_BUSY);
    assert_int_equal(pn_slotted_run(c->sim, c->hooks, 5), PN_ERR_BUSY);
    assert_int_equal(pn_slotted_open(&opened, c->sim, pn_slotted_block_size(c->sim)), PN_ERR_BUSY);
    int status = pn_slotted_submit(c->sim, &job, NULL);
    /* who arrives in this slot has arrived */
    assert_true(status == PN_ERR_LATE || status == PN_ERR_ORDER);
    job.arrival++;
    if (c->submitted < 40 && pn_slotted_submit(c->sim, &job, NULL) == PN_OK)
        c->submitted++;
}

static int calling(pn_slotted_view *view)
{
    call_from_inside(view);
    return PN_OK;
}

static int calling_arrive(pn_slotted_view *view, uint32_t job)
{
    (void)job;
    return calling(view);
}

static void calling_finish(pn_slotted_view *view, uint32_t job)
{
    (void)job;
    call_from_inside(view);
}

static void hooks_may_submit_and_nothing_else(void **unused)
{
    pn_slotted_policy policy = *pn_slotted_dspt();
    pn_slotted_job job = {.arrival = 3, .maps = 5};
    caller c = {.submitted = 0};
    pn_slotted_hooks hooks = {.policy = &policy, .user = &c};
    pn_slotted_config config = slotted_config(&(slotted_workload){.count = 20}, 2,
                                              PN_SLOTTED_PREEMPTIVE);
    pn_slotted_totals totals;
    (void)unused;
    policy.name = "calling";
    policy.init = policy.tick = calling;
    policy.arrive = calling_arrive;
    policy.finish = calling_finish;
    policy.tick_slots = 4;
    c.sim = slotted_sim(&config);
    c.hooks = &hooks;
    assert_int_equal(pn_slotted_submit(c.sim, &job, NULL), PN_OK);
    assert_int_equal(pn_slotted_run(c.sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    pn_slotted_totals_get(c.sim, &totals);
    assert_int_equal(c.submitted, 40);
    assert_int_equal(totals.finished, 41);
    assert_int_equal(totals.units_run, 5 + 2 * 40);
    assert_in_range(c.calls, 1 + 2 * 41 + 10, 1000);
    free(c.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_called_in_order_however_a_run_is_driven),
        cmocka_unit_test(aging_by_ticks_is_that_of_a_plain_loop),
        cmocka_unit_test(drawing_lots_does_not_show_how_a_run_is_driven),
        cmocka_unit_test(random_numbers_come_from_seed_and_replica),
        cmocka_unit_test(memory_is_as_declared),
        cmocka_unit_test(a_policy_stays_what_it_was),
        cmocka_unit_test(hooks_beside_a_virtual_run),
        cmocka_unit_test(a_relaxation_has_no_hooks),
        cmocka_unit_test(hooks_may_submit_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
