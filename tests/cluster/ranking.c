/* What pn_scheduler_ranking says at an instant is what the policy does next: the first task that is
 * launched is one of the first job in the order of its kind; and keys are those of a host that
 * keeps books of its own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/support/workload.h"
#include "support/kept.h"

enum { JOBS = 40 };

static const cluster_shape crowded = {
    .gap_ms = 300, .maps = 6, .reduces = 4, .task_ms = 1000, .nodes = CLUSTER_NODES};

typedef struct watch {
    pn_cluster *sim;
    const pn_scheduler_policy *policy;
    bool asked[2];                 /* and nothing of the kind was launched since */
    uint64_t first[2];             /* in the order of each kind; 0 = nobody */
    uint32_t running[JOBS + 1][2]; /* attempts */
    unsigned checked[2], instants;
    uint32_t most; /* ranked at once */
} watch;

/* Every second job has a weight, and some a priority, which is ahead of keys. */
static uint32_t weight_of(uint64_t id)
{
    return id % 2 ? 1 : 4;
}

static int32_t priority_of(uint64_t id)
{
    return (int32_t)(id % 5) - 2;
}

static uint64_t rank_word(uint64_t id)
{
    return (uint64_t)(1000000 - priority_of(id)) << 43;
}

static void on_order(void *user, uint64_t time)
{
    watch *w = user;
    kept before = keep(w->sim, pn_cluster_block_size(w->sim));
    const pn_scheduler *core = pn_cluster_scheduler(w->sim);
    pn_ranked ranked[JOBS];
    (void)time;
    for (uint32_t kind = 0; kind < 2; kind++) {
        uint32_t count = pn_scheduler_ranking(core, kind, ranked, JOBS);
        assert_int_equal(pn_scheduler_ranking(core, kind, NULL, 0), count);
        w->asked[kind] = true;
        w->first[kind] = count > 0 ? ranked[0].id : 0;
        w->most = count > w->most ? count : w->most;
        for (uint32_t i = 0; i < count; i++) {
            if (w->policy == pn_scheduler_fair())
                assert_true(ranked[i].key.word[0] == rank_word(ranked[i].id) &&
                            ranked[i].key.word[1] ==
                                1000000 / weight_of(ranked[i].id) * w->running[ranked[i].id][kind]);
            if (w->policy == pn_scheduler_fifo() && i > 0)
                assert_true(priority_of(ranked[i - 1].id) > priority_of(ranked[i].id) ||
                            (priority_of(ranked[i - 1].id) == priority_of(ranked[i].id) &&
                             ranked[i - 1].id < ranked[i].id));
        }
    }
    assert_int_equal(pn_scheduler_ranking(core, 2, NULL, 0), 0);
    check_unchanged(&before);
    w->instants++;
}

static void on_event(void *user, const pn_scheduler_event *event)
{
    watch *w = user;
    if (event->event == PN_SCHEDULER_END)
        w->running[event->id][event->kind]--;
    if (event->event != PN_SCHEDULER_LAUNCH)
        return;
    w->running[event->id][event->kind]++;
    if (w->asked[event->kind]) {
        assert_int_equal(event->id, w->first[event->kind]);
        w->checked[event->kind]++;
    }
    w->asked[event->kind] = false;
    /* a job that starts goes first from now on, at both kinds */
    if (w->policy->order.started_first)
        w->asked[0] = w->asked[1] = false;
}

static void who_is_launched_stands_first(void **unused)
{
    static const double nowhere[] = {0, 1, 1, 0};
    const struct {
        const pn_scheduler_policy *policy;
        const double *params;
    } runs[] = {{pn_scheduler_fifo(), NULL},        {pn_scheduler_fair(), NULL},
                {pn_scheduler_hsrtf_pu(), nowhere}, {pn_scheduler_hsrtf_pr(), nowhere},
                {pn_scheduler_rtmr(), NULL},        {pn_scheduler_rtmr_live(), NULL},
                {pn_scheduler_dc(), NULL}};
    (void)unused;
    for (size_t p = 0; p < sizeof runs / sizeof runs[0]; p++) {
        cluster_workload work = cluster_new(JOBS, 20 + p, crowded);
        pn_cluster_config config = cluster_config(&work, &cluster_options[0]);
        config.scheduler.policy = runs[p].policy;
        watch w = {.sim = cluster_sim(&config), .policy = runs[p].policy};
        const pn_cluster_hooks hooks = {.policy = runs[p].policy,
                                        .params = runs[p].params,
                                        .on_event = on_event,
                                        .on_order = on_order,
                                        .user = &w};
        for (size_t i = 0; i < work.count; i++) {
            work.jobs[i].est_map_ms = 1500;
            work.jobs[i].est_reduce_ms = 2500;
            work.jobs[i].weight = weight_of(i + 1);
            work.jobs[i].priority = priority_of(i + 1);
        }
        assert_int_equal(cluster_submit(w.sim, &work, 0, work.count), PN_OK);
        assert_int_equal(pn_cluster_run(w.sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
        assert_true(w.instants > 50 && w.most > 2);
        assert_true(w.checked[0] > 10 &&
                    (runs[p].policy->order.started_first || w.checked[1] > 10));
        free(w.sim);
        cluster_free(&work);
    }
}

/* ---- a policy that picks by itself ---- */

static int pick_last(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    (void)node;
    for (uint32_t it = pn_scheduler_next(view, PN_NO_JOB); it != PN_NO_JOB;
         it = pn_scheduler_next(view, it))
        if (pn_scheduler_pending(view, it, kind) > 0)
            *job = it;
    return PN_OK;
}

static void by_id_backwards(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = UINT64_MAX - pn_scheduler_id(view, job);
}

static void who_picks_has_the_order_of_its_key(void **unused)
{
    const pn_cluster_job job = {.maps = 40, .map_ms = 1000};
    (void)unused;
    for (int keyed = 0; keyed < 2; keyed++) {
        const pn_scheduler_policy policy = {
            .name = "picks", .pick = pick_last, .key = keyed ? by_id_backwards : NULL};
        const pn_cluster_hooks hooks = {.policy = &policy};
        cluster_workload work = {.count = 3, .tasks = 120};
        pn_cluster_config config = cluster_config(&work, &cluster_options[0]);
        pn_ranked first;
        config.scheduler.policy = &policy;
        pn_cluster *sim = cluster_sim(&config);
        for (int i = 0; i < 3; i++)
            assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
        assert_int_equal(pn_cluster_run(sim, &hooks, 10, UINT64_MAX), PN_OK);
        const pn_scheduler *core = pn_cluster_scheduler(sim);
        assert_int_equal(pn_scheduler_ranking(core, PN_SCHEDULER_MAP, &first, 1), keyed ? 3 : 0);
        if (keyed)
            assert_int_equal(first.id, 3);
        free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_launched_stands_first),
        cmocka_unit_test(who_picks_has_the_order_of_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
