/* What pn_slotted_ranking says is what the policy does next: in every slot the jobs that get
 * machines are the first of its order, and keys are those of a host that keeps books of its own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/kept.h"
#include "slotted/support/workload.h"

enum { JOBS = 60, MACHINES = 12 };

static const slotted_shape crowded = {.rate = 0.6, .maps = 12, .reduces = 10, .tasks = 6};

typedef struct watch {
    pn_slotted *sim;
    const pn_slotted_policy *policy;
    uint64_t slot; /* at hand; 0 = none yet */
    uint64_t ranked[3 * JOBS];
    uint32_t count;
    bool served[JOBS + 1];
    uint64_t left[JOBS + 1]; /* units, by preemptive decisions */
    bool preemptive;
    unsigned slots;
} watch;

static bool is_ranked(const watch *w, uint64_t id)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->ranked[i] == id)
            return true;
    return false;
}

/* Those that were served stand first. */
static void settle(watch *w)
{
    uint32_t served = 0;
    for (uint32_t id = 1; id <= JOBS; id++)
        served += w->served[id];
    assert_true(served <= w->count);
    for (uint32_t i = 0; i < served; i++)
        assert_true(w->served[w->ranked[i]]);
    memset(w->served, 0, sizeof w->served);
    w->slots++;
}

static void add_order(watch *w, uint32_t order)
{
    pn_ranked ranked[JOBS], first[2];
    uint32_t count = pn_slotted_ranking(w->sim, order, ranked, JOBS);
    bool remaining = w->policy->orders[order].key == pn_slotted_key_remaining && w->preemptive;
    bool by_id = !w->policy->orders[order].key;
    assert_int_equal(pn_slotted_ranking(w->sim, order, NULL, 0), count);
    assert_int_equal(pn_slotted_ranking(w->sim, order, first, 2), count);
    for (uint32_t i = 0; i < count; i++) {
        if (i < 2)
            assert_memory_equal(&first[i], &ranked[i], sizeof first[i]);
        if (remaining)
            assert_int_equal(ranked[i].key.word[0], w->left[ranked[i].id]);
        if (by_id)
            assert_true(ranked[i].key.word[0] == ranked[i].id &&
                        ranked[i].key.word[1] == ranked[i].id);
        if (!is_ranked(w, ranked[i].id))
            w->ranked[w->count++] = ranked[i].id;
    }
}

static void on_decision(void *user, const pn_slotted_decision *decision)
{
    watch *w = user;
    if (decision->slot != w->slot) {
        kept before = keep(w->sim, pn_slotted_block_size(w->sim));
        if (w->slot > 0)
            settle(w);
        w->slot = decision->slot;
        w->count = 0;
        /* asrpt goes through its orders from the last one on; the others have one */
        for (uint32_t order = w->policy->order_count; order-- > 0;)
            add_order(w, order);
        assert_int_equal(pn_slotted_ranking(w->sim, PN_SLOTTED_ORDERS_MAX, NULL, 0), 0);
        check_unchanged(&before);
    }
    w->served[decision->id] = true;
    if (w->preemptive)
        w->left[decision->id] -= decision->amount;
}

/* Of the policies that act, those with a virtual run of the estimates, such as asrpt, go through
 * whole orders. */
static bool follows_its_orders(const pn_slotted_policy *policy)
{
    return !policy->relaxed && (!policy->act || policy->shadow == PN_SLOTTED_SHADOW_ESTIMATES);
}

/* Runs a policy: in each of its slots what it ranks is compared with what it does. */
static void check_policy(const pn_slotted_policy *policy, uint64_t seed, uint32_t reduce)
{
    slotted_workload work = slotted_new(JOBS, seed, crowded);
    pn_slotted_config config = slotted_config(&work, MACHINES, reduce);
    config.policy = policy;
    watch w = {.sim = slotted_sim(&config),
               .policy = policy,
               .preemptive = reduce == PN_SLOTTED_PREEMPTIVE};
    for (uint32_t i = 0; i < JOBS; i++) {
        w.left[i + 1] = work.jobs[i].maps;
        for (size_t k = 0; k < work.jobs[i].reduce_count; k++)
            w.left[i + 1] += work.jobs[i].reduces[k];
    }
    assert_int_equal(pn_slotted_ranking(w.sim, 0, NULL, 0), 0);
    assert_int_equal(slotted_submit(w.sim, &work, 0, work.count), PN_OK);
    const pn_slotted_hooks hooks = {.policy = policy, .on_decision = on_decision, .user = &w};
    assert_int_equal(pn_slotted_run(w.sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    settle(&w);
    assert_true(w.slots > 50);
    assert_int_equal(pn_slotted_ranking(w.sim, 0, NULL, 0), 0);
    free(w.sim);
    slotted_free(&work);
}

/* Orders are heaps, or trees where a policy searches them; those of one that is given machines from
 * the first job on may be either, but not of shares. */
static void who_gets_machines_stands_first(void **unused)
{
    const pn_slotted_policy *policy;
    (void)unused;
    for (size_t p = 0; (policy = pn_slotted_policy_at(p)); p++)
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES && follows_its_orders(policy); reduce++) {
            pn_slotted_policy searched = *policy;
            for (uint32_t k = 0; k < policy->order_count; k++)
                searched.orders[k].fit = 1;
            check_policy(policy, 3 + p, reduce);
            if (!policy->act && policy->orders[0].key != pn_slotted_share_key)
                check_policy(&searched, 3 + p, reduce);
        }
}

/* psrpt keeps jobs in its order of which nothing is left but running tasks. */
static void jobs_that_can_use_nothing_are_not_ranked(void **unused)
{
    static const uint64_t task[] = {9};
    const pn_slotted_job job = {.arrival = 1, .maps = 1, .reduces = task, .reduce_count = 1};
    const pn_slotted_job over = {.arrival = 1, .maps = 1};
    const pn_slotted_hooks hooks = {.policy = pn_slotted_psrpt()};
    slotted_workload work = {.count = 2};
    pn_slotted_config config = slotted_config(&work, 2, PN_SLOTTED_NONPREEMPTIVE);
    pn_ranked ranked;
    (void)unused;
    config.policy = pn_slotted_psrpt();
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_slotted_submit(sim, &over, NULL), PN_OK);
    assert_int_equal(pn_slotted_run(sim, &hooks, 1), PN_OK);
    assert_int_equal(pn_slotted_ranking(sim, 0, &ranked, 1), 1);
    assert_true(ranked.id == 1 && ranked.key.word[0] == 9);
    assert_int_equal(pn_slotted_run(sim, &hooks, 2), PN_OK);
    assert_int_equal(pn_slotted_ranking(sim, 0, &ranked, 1), 0);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_gets_machines_stands_first),
        cmocka_unit_test(jobs_that_can_use_nothing_are_not_ranked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
