/* What pn_tandem_ranking says behind an instant is what the policy does: the map station works for
 * the first of its order and for nobody else, whichever engine runs; keys of jobs that were never
 * served are made of their sizes; who waits for a share gets it in order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/kept.h"
#include "tandem/state.h"
#include "tandem/support/workload.h"

enum { JOBS = 80, MAPS = 0 };

static const tandem_shape shapes[] = {
    {.rate = 0.9, .map = 1, .shuffle = 1, .odd = 1},
    {.rate = 0.9, .map = 1.2, .shuffle = 1, .grain = 2, .odd = 1}, /* many ties */
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

typedef struct watch {
    double map_rate[JOBS + 1];
    bool served[JOBS + 1];
    uint64_t joined; /* who was given a map rate in the instant at hand, the lowest id; 0 = none */
} watch;

static void on_decision(void *user, const pn_tandem_decision *decision)
{
    watch *w = user;
    if (decision->map_rate > 0.0 && w->map_rate[decision->id] == 0.0 && w->joined == 0)
        w->joined = decision->id;
    w->map_rate[decision->id] = decision->map_rate;
    w->served[decision->id] |= decision->map_rate > 0.0 || decision->shuffle_rate > 0.0;
}

/* Of the rates that end with a job nothing else is told. */
static void on_finish(void *user, const pn_tandem_finish *finish)
{
    watch *w = user;
    w->map_rate[finish->id] = 0.0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Of a job that was never served; false: the policy's key is more than that. */
static bool key_of(const pn_tandem_policy *policy, const pn_tandem_job *job, uint64_t id,
                   uint64_t *key)
{
    if (policy == pn_tandem_fcfs())
        *key = id;
    else if (policy == pn_tandem_srptmap() || policy == pn_tandem_xmax())
        *key = pn_key_double(job->map);
    else if (policy == pn_tandem_srptsum())
        *key = pn_key_double(job->map + job->shuffle);
    else if (policy == pn_tandem_srptshuffle())
        *key = pn_key_double(job->shuffle);
    else if (policy == pn_tandem_maxsrpt())
        *key = pn_key_double(larger(job->map, job->shuffle));
    else if (policy == pn_tandem_johnson())
        *key = job->shuffle < job->map;
    else
        return false;
    return true;
}

static void check_order(pn_tandem *sim, const watch *w, const pn_tandem_policy *policy,
                        const tandem_workload *work)
{
    kept before = keep(sim, pn_tandem_block_size(sim));
    pn_ranked ranked[JOBS];
    uint32_t count = pn_tandem_ranking(sim, MAPS, ranked, JOBS), mapped = 0;
    assert_int_equal(pn_tandem_ranking(sim, MAPS, NULL, 0), count);
    for (uint64_t id = 1; id <= JOBS; id++)
        mapped += w->map_rate[id] > 0.0;
    assert_int_equal(mapped, count > 0);
    if (count > 0)
        assert_true(w->map_rate[ranked[0].id] > 0.0);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t id = ranked[i].id, key;
        if (!w->served[id] && key_of(policy, &work->jobs[id - 1], id, &key))
            assert_int_equal(ranked[i].key.word[0], key);
    }
    assert_int_equal(pn_tandem_ranking(sim, PN_TANDEM_ORDERS_MAX, NULL, 0), 0);
    check_unchanged(&before);
}

static void the_map_station_works_for_the_first(void **unused)
{
    const pn_tandem_policy *const policies[] = {
        pn_tandem_fcfs(),        pn_tandem_srptmap(), pn_tandem_srptsum(), pn_tandem_maxsrpt(),
        pn_tandem_srptshuffle(), pn_tandem_johnson(), pn_tandem_bsrpt(),   pn_tandem_xmax()};
    (void)unused;
    for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++)
        for (int s = 0; s < SHAPES; s++) {
            tandem_workload work = tandem_new(JOBS, 40 + p, shapes[s]);
            pn_tandem_config config = tandem_config(&work, 0);
            watch w = {.joined = 0};
            const pn_tandem_hooks hooks = {.policy = policies[p],
                                           .on_finish = on_finish,
                                           .on_decision = on_decision,
                                           .user = &w};
            config.policy = policies[p];
            pn_tandem *sim = tandem_sim(&config);
            assert_int_equal(tandem_submit(sim, &work, 0, work.count), PN_OK);
            unsigned instants = 0;
            for (; pn_tandem_step(sim, &hooks) == PN_OK; instants++)
                check_order(sim, &w, policies[p], &work);
            assert_true(instants > 100);
            free(sim);
            tandem_free(&work);
        }
}

static void who_waits_for_a_share_gets_it_in_order(void **unused)
{
    static const double two[] = {2};
    const pn_tandem_policy *const policies[] = {pn_tandem_fcfs_ps(), pn_tandem_klps(),
                                                pn_tandem_klps_rigid()};
    (void)unused;
    for (int p = 0; p < 3; p++) {
        tandem_workload work = tandem_new(JOBS, 50, shapes[0]);
        pn_tandem_config config = tandem_config(&work, 0);
        watch w = {.joined = 0};
        const pn_tandem_hooks hooks = {.policy = policies[p],
                                       .params = p > 0 ? two : NULL,
                                       .on_finish = on_finish,
                                       .on_decision = on_decision,
                                       .user = &w};
        config.policy = policies[p];
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(tandem_submit(sim, &work, 0, work.count), PN_OK);
        unsigned joined = 0;
        pn_ranked first;
        for (uint32_t waiting = 0; pn_tandem_step(sim, &hooks) == PN_OK; w.joined = 0) {
            if (waiting > 0 && w.joined != 0) {
                assert_int_equal(w.joined, first.id);
                joined++;
            }
            waiting = pn_tandem_ranking(sim, MAPS, &first, 1);
        }
        assert_true(joined > 20);
        free(sim);
        tandem_free(&work);
    }
}

/* The orders of the stations hold the jobs at hand, each once, and no others; orders that the
 * policy does not have are empty. */
static void check_members(pn_tandem *sim, bool by_id)
{
    const pn_tandem_entry *jobs = pn_at(sim, sim->jobs);
    for (uint32_t order = 0; order <= PN_TANDEM_ORDERS_MAX; order++) {
        pn_ranked ranked[JOBS];
        uint32_t count = pn_tandem_ranking(sim, order, ranked, JOBS), expected = 0;
        for (uint32_t place = 0; place < sim->jobs_used && order < 2; place++) {
            double left = order == MAPS ? jobs[place].map_left : jobs[place].backlog;
            bool member = jobs[place].active && left > 0.0;
            uint32_t found = 0;
            for (uint32_t i = 0; i < count; i++)
                found += ranked[i].id == jobs[place].id;
            assert_int_equal(found, member);
            expected += member;
        }
        assert_int_equal(count, expected);
        for (uint32_t i = 0; i < count && by_id; i++)
            assert_true(ranked[i].key.word[0] == ranked[i].id &&
                        ranked[i].key.word[1] == ranked[i].id);
    }
}

static void orders_hold_the_jobs_at_hand(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_fcfs(), pn_tandem_srptmap(),
                                                pn_tandem_srptsum(), pn_tandem_bsrpt()};
    (void)unused;
    for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++) {
        tandem_workload work = tandem_new(JOBS, 60 + p, shapes[0]);
        pn_tandem_config config = tandem_config(&work, 0);
        const pn_tandem_hooks hooks = {.policy = policies[p]};
        config.policy = policies[p];
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(tandem_submit(sim, &work, 0, work.count), PN_OK);
        while (pn_tandem_step(sim, &hooks) == PN_OK)
            check_members(sim, policies[p] == pn_tandem_fcfs());
        free(sim);
        tandem_free(&work);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_map_station_works_for_the_first),
        cmocka_unit_test(who_waits_for_a_share_gets_it_in_order),
        cmocka_unit_test(orders_hold_the_jobs_at_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
