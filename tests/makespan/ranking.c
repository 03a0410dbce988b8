/* What pn_makespan_ranking says behind an instant: the jobs whose tasks run or could start, by the
 * books of a host that was told of every start, in the order of the plan. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/kept.h"
#include "makespan/support/workload.h"

enum { JOBS = 7, MAPS = 6, REDUCES = 4 };

static const makespan_shape shape = {.tasks = 4, .longest = 12};

typedef struct watch {
    uint32_t tasks[JOBS + 1][2], started[JOBS + 1][2];
    uint64_t end[JOBS + 1][2]; /* of the task that runs longest */
} watch;

static void on_decision(void *user, const pn_makespan_decision *decision)
{
    watch *w = user;
    uint32_t stage = decision->kind == PN_MAKESPAN_START_MAP ? 0 : 1;
    w->started[decision->id][stage]++;
    if (decision->end > w->end[decision->id][stage])
        w->end[decision->id][stage] = decision->end;
}

static bool is_done(const watch *w, uint64_t id, uint32_t stage, uint64_t now)
{
    return w->started[id][stage] == w->tasks[id][stage] && w->end[id][stage] <= now;
}

static unsigned check_orders(pn_makespan *sim, const watch *w)
{
    kept before = keep(sim, pn_makespan_block_size(sim));
    pn_makespan_totals totals;
    unsigned seen = 0;
    pn_makespan_totals_get(sim, &totals);
    for (uint32_t stage = 0; stage < 2; stage++) {
        pn_ranked ranked[JOBS];
        uint32_t count = pn_makespan_ranking(sim, stage, ranked, JOBS), at = 0;
        assert_int_equal(pn_makespan_ranking(sim, stage, NULL, 0), count);
        for (uint32_t i = 0; i < JOBS; i++) {
            uint64_t id = pn_makespan_order(sim, i);
            if (is_done(w, id, stage, totals.time) ||
                (stage == 1 && !is_done(w, id, 0, totals.time)))
                continue;
            assert_true(at < count);
            assert_int_equal(ranked[at].id, id);
            assert_true(ranked[at].key.word[0] == i + 1 && ranked[at].key.word[1] == 0);
            at++;
        }
        assert_int_equal(at, count);
        seen += count;
    }
    assert_int_equal(pn_makespan_ranking(sim, 2, NULL, 0), 0);
    check_unchanged(&before);
    return seen;
}

static void the_plan_is_the_order(void **unused)
{
    (void)unused;
    for (size_t p = 0; pn_makespan_policy_at(p); p++)
        for (int option = 5; option < 9; option++) {
            const pn_makespan_policy *policy = pn_makespan_policy_at(p);
            if (!makespan_decides(policy, PN_MAKESPAN_TASKS))
                continue;
            makespan_batch batch = makespan_new(JOBS, 60 + (uint64_t)p, shape);
            pn_makespan_config config = makespan_config(&batch, makespan_options[option], MAPS,
                                                        REDUCES);
            watch w = {{{0}}, {{0}}, {{0}}};
            const pn_makespan_hooks hooks = {
                .policy = policy, .on_decision = on_decision, .user = &w};
            config.policy = policy;
            pn_makespan *sim = makespan_sim(&config);
            for (uint32_t i = 0; i < JOBS; i++) {
                assert_int_equal(pn_makespan_submit(sim, &batch.jobs[i], NULL), PN_OK);
                for (uint32_t stage = 0; stage < 2; stage++)
                    for (uint32_t k = 0; k < batch.jobs[i].stage[stage].stretch_count; k++)
                        w.tasks[i + 1][stage] += batch.jobs[i].stage[stage].stretches[k].count;
            }
            assert_int_equal(pn_makespan_ranking(sim, 0, NULL, 0), 0);
            unsigned seen = 0;
            while (pn_makespan_step(sim, &hooks) == PN_OK)
                seen += check_orders(sim, &w);
            assert_true(seen > 20);
            free(sim);
            makespan_free(&batch);
        }
}

/* Where tasks start in a sequence there is no line of jobs. */
static void sequences_have_no_order(void **unused)
{
    pn_makespan_config config = makespan_small();
    pn_makespan_hooks hooks = {.policy = pn_makespan_exact()};
    pn_makespan *sim = makespan_with_pair(&config);
    (void)unused;
    assert_int_equal(pn_makespan_step(sim, &hooks), PN_OK);
    assert_int_equal(pn_makespan_ranking(sim, PN_MAKESPAN_MAP, NULL, 0), 0);
    free(sim);
    hooks.policy = pn_makespan_fifo();
    sim = makespan_with_pair(&config);
    assert_int_equal(pn_makespan_step(sim, &hooks), PN_OK);
    assert_int_equal(pn_makespan_ranking(sim, PN_MAKESPAN_MAP, NULL, 0), 2);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_is_the_order),
        cmocka_unit_test(sequences_have_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
