/* Hooks of policies and the view: who is called when, what is to be seen then, memory and random
 * numbers in the block. However a run is driven, its policy must not notice. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tandem/support/workload.h"

enum { JOBS = 80 };

static const double SPEED = 1.5;

static const tandem_shape shapes[] = {
    {.rate = 0.8, .map = 1, .shuffle = 1, .odd = 1},
    {.rate = 0.8, .map = 0.8, .shuffle = 1.1, .odd = 1, .estimates = 1},
    {.rate = 0.8, .map = 1.2, .shuffle = 1, .grain = 2, .odd = 1}, /* many ties */
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static pn_tandem_config config_for(const tandem_workload *work, const tandem_shape *shape,
                                   const pn_tandem_policy *policy, uint32_t traditional)
{
    pn_tandem_config config = tandem_config(work, traditional);
    config.estimates = shape->estimates;
    config.policy = policy;
    config.speed = SPEED;
    return config;
}

/* ---- what is to be seen ---- */

typedef struct watch {
    const tandem_workload *work;
    bool estimates, traditional;
    uint64_t events; /* mixed: every call with its time and job */
    unsigned acts, inits, arrived, finished, told;
} watch;

/* In the block: what was done for each job, by the rates that were set. */
typedef struct effort {
    double mapped, shuffled, map_rate, shuffle_rate;
} effort;

typedef struct memory {
    double time;
    uint64_t arrived, finished;
} memory;

static effort *effort_of(const pn_tandem_view *view, uint32_t job)
{
    return (effort *)(void *)((memory *)pn_tandem_state(view) + 1) + job;
}

static void note(watch *w, uint64_t call, double time, uint64_t id)
{
    w->events = pn_mix(pn_mix(pn_mix(w->events, call), tandem_bits(time)), id);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9;
}

/* Work is done between calls. */
static void catch_up(pn_tandem_view *view)
{
    memory *own = pn_tandem_state(view);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        effort *e = effort_of(view, job);
        e->mapped += e->map_rate * (pn_tandem_time(view) - own->time);
        e->shuffled += e->shuffle_rate * (pn_tandem_time(view) - own->time);
    }
    own->time = pn_tandem_time(view);
}

static double left_of(double size, double done)
{
    return size > done ? size - done : 0;
}

static double estimate_of(double estimate, double truth)
{
    return estimate == 0 ? truth : estimate == PN_TANDEM_ESTIMATE_ZERO ? 0 : estimate;
}

static void check_job(const pn_tandem_view *view, uint32_t job)
{
    const watch *w = pn_tandem_user(view);
    const pn_tandem_job *told = &w->work->jobs[pn_tandem_id(view, job) - 1];
    const effort *e = effort_of(view, job);
    double x = w->estimates ? estimate_of(told->estimate_map, told->map) : told->map;
    double y = w->estimates ? estimate_of(told->estimate_shuffle, told->shuffle) : told->shuffle;
    double map_left = left_of(x, e->mapped), shuffle_left = left_of(y, e->shuffled);
    bool mapped = !pn_tandem_mapping(view, job);
    double generated = mapped           ? told->shuffle
                       : w->traditional ? 0
                                        : told->shuffle * (e->mapped / told->map);
    assert_true(pn_tandem_active(view, job));
    assert_true(pn_tandem_arrival(view, job) == told->arrival);
    assert_true(near(pn_tandem_age(view, job), pn_tandem_time(view) - told->arrival));
    assert_true(pn_tandem_map_size(view, job) == x && pn_tandem_shuffle_size(view, job) == y);
    assert_true(near(pn_tandem_map_left(view, job), map_left) &&
                near(pn_tandem_shuffle_left(view, job), shuffle_left));
    assert_true(
        near(pn_tandem_longest_left(view, job), map_left > shuffle_left ? map_left : shuffle_left));
    assert_true(near(pn_tandem_backlog(view, job), generated - e->shuffled) &&
                pn_tandem_backlog(view, job) >= 0);
    assert_true(mapped ? near(e->mapped, told->map) : e->mapped < told->map);
    assert_true(pn_tandem_rank(view, job, 0) == told->rank[0] &&
                pn_tandem_rank(view, job, 1) == told->rank[1]);
}

static void check_view(pn_tandem_view *view)
{
    const memory *own = pn_tandem_state(view);
    const watch *w = pn_tandem_user(view);
    double backlog = 0;
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++)
        if (pn_tandem_active(view, job))
            backlog += pn_tandem_backlog(view, job);
    assert_true(near(pn_tandem_backlog_total(view), backlog));
    assert_true(pn_tandem_speed(view) == SPEED && pn_tandem_overlap(view) == !w->traditional);
    assert_int_equal(pn_tandem_in_system(view), own->arrived - own->finished);
    assert_string_equal(pn_tandem_policy_of(view)->name, "watching");
    assert_false(pn_tandem_active(view, pn_tandem_jobs_max(view)));
    assert_false(pn_tandem_active(view, PN_NO_JOB));
}

static int watch_init(pn_tandem_view *view)
{
    watch *w = pn_tandem_user(view);
    const memory *own = pn_tandem_state(view);
    assert_int_equal(w->arrived + w->acts, 0);
    assert_int_equal(w->inits++, 0);
    assert_true((uintptr_t)own % 8 == 0 && own->time == 0 && own->arrived == 0 &&
                own->finished == 0);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        const effort *e = effort_of(view, job);
        assert_true(e->mapped == 0 && e->shuffled == 0 && e->map_rate == 0 && e->shuffle_rate == 0);
        assert_false(pn_tandem_active(view, job));
    }
    check_view(view);
    note(w, 1, 0, 0);
    return PN_OK;
}

/* Hooks of an instant come before its rates: those until now are still to be counted. */
static int watch_arrive(pn_tandem_view *view, uint32_t job)
{
    watch *w = pn_tandem_user(view);
    memory *own = pn_tandem_state(view);
    catch_up(view);
    *effort_of(view, job) = (effort){0, 0, 0, 0};
    own->arrived++;
    w->arrived++;
    assert_int_equal(pn_tandem_id(view, job), own->arrived);
    assert_true(pn_tandem_arrival(view, job) <= pn_tandem_time(view) &&
                near(pn_tandem_age(view, job), 0));
    check_job(view, job);
    assert_true(pn_tandem_map_rate(view, job) == 0 && pn_tandem_generation_rate(view, job) == 0);
    for (uint32_t order = 0; order < 3; order++)
        assert_false(pn_tandem_member(view, order, job)); /* it is about to join */
    note(w, 2, pn_tandem_time(view), pn_tandem_id(view, job) ^ pn_random64(pn_tandem_stream(view)));
    return PN_OK;
}

static void watch_finish(pn_tandem_view *view, uint32_t job)
{
    watch *w = pn_tandem_user(view);
    memory *own = pn_tandem_state(view);
    const pn_tandem_job *told = &w->work->jobs[pn_tandem_id(view, job) - 1];
    catch_up(view);
    effort *e = effort_of(view, job);
    assert_true(near(e->mapped, told->map) && near(e->shuffled, told->shuffle));
    assert_true(pn_tandem_backlog(view, job) == 0 && !pn_tandem_mapping(view, job));
    assert_int_equal(w->finished++, w->told);
    own->finished++;
    *e = (effort){0, 0, 0, 0};
    for (uint32_t order = 0; order < 3; order++)
        assert_false(pn_tandem_member(view, order, job)); /* it has left */
    note(w, 3, pn_tandem_time(view), pn_tandem_id(view, job));
}

static int odd_ids(const pn_tandem_view *view, uint32_t job)
{
    return pn_tandem_id(view, job) % 2;
}

/* An order holds whom it should, sorted. */
static void check_order(pn_tandem_view *view, uint32_t order)
{
    const pn_tandem_order *o = &pn_tandem_policy_of(view)->orders[order];
    uint32_t count = 0, listed = 0;
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        bool belongs = pn_tandem_active(view, job) && (!o->member || o->member(view, job)) &&
                       (o->members == PN_TANDEM_MAPPING   ? pn_tandem_mapping(view, job)
                        : o->members == PN_TANDEM_BACKLOG ? pn_tandem_backlog(view, job) > 0
                                                          : 1);
        assert_int_equal(pn_tandem_member(view, order, job), belongs);
        count += belongs;
    }
    pn_key last = {{0, 0}};
    for (uint32_t job = pn_tandem_first(view, order); job != PN_NO_JOB;
         job = pn_tandem_next(view, order, job)) {
        pn_key key = {{0, pn_tandem_id(view, job)}};
        if (o->key)
            o->key(view, job, &key);
        else
            key.word[0] = key.word[1];
        assert_true(listed == 0 || key.word[0] > last.word[0] ||
                    (key.word[0] == last.word[0] && key.word[1] >= last.word[1]));
        assert_true(pn_tandem_member(view, order, job));
        last = key;
        listed++;
    }
    assert_int_equal(listed, count);
}

/* Half of the capacity in one order, the rest in another. */
static int watch_act(pn_tandem_view *view)
{
    watch *w = pn_tandem_user(view);
    double half = pn_tandem_speed(view) / 2, left = -1, rates[2] = {0, 0};
    w->acts++;
    catch_up(view);
    check_view(view);
    assert_true(pn_tandem_in_system(view) > 0 && pn_tandem_map_idle(view) == SPEED &&
                pn_tandem_shuffle_idle(view) == SPEED);
    for (uint32_t order = 0; order < 4; order++)
        check_order(view, order);
    assert_int_equal(pn_tandem_fill_map(view, 0, half, &left), PN_OK);
    assert_true(left == (pn_tandem_first(view, 0) == PN_NO_JOB ? half : 0));
    assert_int_equal(pn_tandem_fill_map(view, 1, PN_TANDEM_MOST, NULL), PN_OK);
    assert_int_equal(pn_tandem_fill_shuffle(view, 2, half, &left), PN_OK);
    assert_true(left >= 0 && near(half - left, SPEED - pn_tandem_shuffle_idle(view)));
    assert_int_equal(pn_tandem_fill_shuffle(view, 3, PN_TANDEM_MOST, NULL), PN_OK);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        if (!pn_tandem_active(view, job))
            continue;
        check_job(view, job);
        effort *e = effort_of(view, job);
        e->map_rate = pn_tandem_map_rate(view, job);
        e->shuffle_rate = pn_tandem_shuffle_rate(view, job);
        rates[0] += e->map_rate;
        rates[1] += e->shuffle_rate;
        const pn_tandem_job *told = &w->work->jobs[pn_tandem_id(view, job) - 1];
        double generated = e->map_rate == 0 || w->traditional
                               ? 0
                               : e->map_rate * (told->shuffle / told->map);
        assert_true(near(pn_tandem_generation_rate(view, job), generated));
        assert_true(pn_tandem_backlog(view, job) > 0 ||
                    e->shuffle_rate <= pn_tandem_generation_rate(view, job));
    }
    assert_true(near(rates[0], SPEED - pn_tandem_map_idle(view)) &&
                near(rates[1], SPEED - pn_tandem_shuffle_idle(view)));
    assert_true(pn_tandem_map_idle(view) == 0 || pn_tandem_first(view, 1) == PN_NO_JOB);
    note(w, 4, pn_tandem_time(view), w->acts);
    return PN_OK;
}

static double watch_wake(const pn_tandem_view *view)
{
    watch *w = pn_tandem_user(view);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++)
        if (pn_tandem_active(view, job))
            assert_true(pn_tandem_map_rate(view, job) == effort_of(view, job)->map_rate &&
                        pn_tandem_shuffle_rate(view, job) == effort_of(view, job)->shuffle_rate);
    note(w, 5, pn_tandem_time(view), 0);
    return w->acts % 4 == 0 ? 0.125 : PN_TANDEM_NEVER;
}

static void watch_told(void *user, const pn_tandem_finish *finish)
{
    watch *w = user;
    assert_int_equal(++w->told, w->finished);
    note(w, 6, finish->finish, finish->id);
}

static const pn_tandem_policy watching = {
    .name = "watching",
    .order_count = 4,
    .orders = {{tandem_by_map, odd_ids, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
               {NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
               {tandem_by_longest, odd_ids, PN_TANDEM_AT_INSTANTS, PN_TANDEM_BACKLOG},
               {tandem_by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG}},
    .state_bytes = sizeof(memory),
    .state_bytes_per_job = sizeof(effort),
    .act = watch_act,
    .wake = watch_wake,
    .init = watch_init,
    .arrive = watch_arrive,
    .finish = watch_finish,
};

enum { AT_ONCE, STEP_BY_STEP, STREAMED, MOVED, WAYS };

static pn_tandem *moved(pn_tandem *sim)
{
    size_t size = pn_tandem_block_size(sim);
    pn_tandem *opened = NULL;
    void *copy = workload_room(size);
    memcpy(copy, sim, size);
    memset(sim, 0xA5, size);
    free(sim);
    assert_int_equal(pn_tandem_open(&opened, copy, size), PN_OK);
    return opened;
}

static uint64_t watch_run(const tandem_workload *work, const pn_tandem_config *config,
                          const pn_tandem_hooks *hooks, int way)
{
    pn_tandem *sim = tandem_sim(config);
    int status = PN_OK;
    for (size_t i = 0; i < work->count; i++) {
        assert_int_equal(tandem_submit(sim, work, i, i + 1), PN_OK);
        if (way == STREAMED || way == MOVED)
            assert_in_range(pn_tandem_run(sim, hooks, PN_TANDEM_ARRIVAL, UINT64_MAX), PN_OK,
                            PN_DONE);
        if (way == MOVED)
            sim = moved(sim);
    }
    while (status == PN_OK) {
        status = way == AT_ONCE ? pn_tandem_run(sim, hooks, PN_TANDEM_FOREVER, UINT64_MAX)
                                : pn_tandem_step(sim, hooks);
        if (way == MOVED)
            sim = moved(sim);
    }
    assert_int_equal(status, PN_DONE);
    uint64_t digest = pn_tandem_digest(sim);
    free(sim);
    return digest;
}

static void the_view_tells_the_truth_however_a_run_is_driven(void **unused)
{
    (void)unused;
    for (int s = 0; s < SHAPES; s++)
        for (uint32_t traditional = 0; traditional <= 1; traditional++) {
            tandem_workload work = tandem_new(JOBS, 62, shapes[s]);
            pn_tandem_config config = config_for(&work, &shapes[s], &watching, traditional);
            uint64_t digest = 0, events = 0;
            for (int way = 0; way < WAYS; way++) {
                watch w = {
                    .work = &work, .estimates = shapes[s].estimates, .traditional = traditional};
                pn_tandem_hooks hooks = {.policy = &watching, .on_finish = watch_told, .user = &w};
                uint64_t found = watch_run(&work, &config, &hooks, way);
                assert_true(way == 0 || (found == digest && w.events == events));
                assert_true(w.inits == 1 && w.arrived == JOBS && w.finished == JOBS &&
                            w.told == JOBS && w.acts > JOBS);
                digest = found;
                events = w.events;
            }
            tandem_free(&work);
        }
}

/* ---- random numbers ---- */

typedef struct draws {
    uint64_t mixed;
    unsigned count;
} draws;

static int drawing_arrive(pn_tandem_view *view, uint32_t job)
{
    draws *d = pn_tandem_user(view);
    (void)job;
    d->mixed = pn_mix(d->mixed, pn_random64(pn_tandem_stream(view)));
    d->count++;
    return PN_OK;
}

/* Seed and replica name the stream; what purpose a policy's stream has is the kernel's affair, but
 * it is the same everywhere. */
static void the_stream_is_that_of_seed_and_replica(void **unused)
{
    enum { POLICY_PURPOSE = 64 };
    pn_tandem_policy policy = *pn_tandem_fcfs();
    tandem_workload work = tandem_new(JOBS, 63, shapes[0]);
    (void)unused;
    policy.name = "drawing";
    policy.arrive = drawing_arrive;
    for (uint64_t seed = 0; seed <= 2; seed++)
        for (uint32_t replica = 0; replica <= 2; replica++) {
            pn_tandem_config config = config_for(&work, &shapes[0], &policy, 0);
            draws d = {0, 0};
            config.seed = seed;
            config.replica = replica;
            tandem_digest(&work, &config, &(pn_tandem_hooks){.policy = &policy, .user = &d}, NULL);
            pn_stream stream;
            uint64_t expected = 0;
            pn_stream_init(&stream, seed, replica, POLICY_PURPOSE);
            for (unsigned i = 0; i < d.count; i++)
                expected = pn_mix(expected, pn_random64(&stream));
            assert_int_equal(d.count, JOBS);
            assert_true(d.mixed == expected);
        }
    tandem_free(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_view_tells_the_truth_however_a_run_is_driven),
        cmocka_unit_test(the_stream_is_that_of_seed_and_replica),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
