/* What pn_dispatch_ranking says at an instant is what the policy does next: where all tasks need
 * the same room, the first task that is launched is one of the first job; and keys are those of a
 * host that keeps books of its own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dag/support/workload.h"
#include "support/kept.h"

enum { JOBS = 40 };

typedef struct watch {
    pn_dag *sim;
    const pn_dag_hooks *hooks;
    const dag_workload *work;
    bool asked;     /* and nothing was launched since */
    uint64_t first; /* 0 = nobody */
    uint32_t running[JOBS + 1], queue_running[DAG_QUEUES];
    unsigned checked;
    uint32_t most;
} watch;

static const pn_dispatch_queue queues[DAG_QUEUES] = {
    {1, 500, 0, 0}, {2, 300, 0, 0}, {1, 200, 0, 0}};

static void on_order(void *user, uint64_t time)
{
    watch *w = user;
    kept before = keep(w->sim, pn_dag_block_size(w->sim));
    const pn_dispatch *core = pn_dag_dispatch(w->sim);
    bool by_queue = w->hooks->params && w->hooks->params[0] == 1;
    pn_ranked ranked[JOBS];
    uint32_t count = pn_dispatch_ranking(core, ranked, JOBS);
    (void)time;
    assert_int_equal(pn_dispatch_ranking(core, NULL, 0), count);
    w->asked = true;
    w->first = count > 0 && ranked[0].rank == 0 ? ranked[0].id : 0;
    w->most = count > w->most ? count : w->most;
    for (uint32_t i = 0; i < count && w->hooks->policy == pn_dispatch_fair(); i++) {
        const pn_dag_job *job = &w->work->jobs[ranked[i].id - 1];
        uint64_t running = by_queue ? w->queue_running[job->queue] : w->running[ranked[i].id];
        uint64_t weight = by_queue ? queues[job->queue].weight : job->weight;
        if (ranked[i].rank == 0)
            assert_true(ranked[i].key.word[0] ==
                            (by_queue ? 0 : (uint64_t)(1000000 - job->priority) << 43) &&
                        ranked[i].key.word[1] == running * 1000000000000 / weight);
        assert_int_equal(ranked[i].queue, by_queue ? job->queue : 0);
    }
    check_unchanged(&before);
}

static void count(watch *w, uint64_t id, int by)
{
    w->running[id] += (uint32_t)by;
    w->queue_running[w->work->jobs[id - 1].queue] += (uint32_t)by;
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    watch *w = user;
    if (event->event == PN_DISPATCH_END)
        count(w, event->id, -1);
    if (event->event != PN_DISPATCH_LAUNCH)
        return;
    count(w, event->id, 1);
    if (w->asked) {
        assert_int_equal(event->id, w->first);
        w->checked++;
    }
    w->asked = false;
}

static pn_dag_config config_for(const dag_workload *work, const pn_dispatch_policy *policy)
{
    static const pn_dispatch_nodes nodes[] = {{{4, 9}, 3, 0}};
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.queues = queues;
    config.dispatch.queues_count = DAG_QUEUES;
    config.dispatch.jobs_max = (uint32_t)work->count;
    config.dispatch.edges_max = (uint32_t)work->count * DAG_STAGES_MOST * DAG_STAGES_MOST;
    config.dispatch.policy = policy;
    return config;
}

/* las computes a key again when its job is about to be first: what is ranked is older. */
static void who_is_launched_stands_first(void **unused)
{
    static const double by_queue[] = {1}, by_job[] = {0}, alpha[] = {-1000}, none[] = {0};
    const struct {
        const pn_dispatch_policy *policy;
        const double *params;
    } runs[] = {{pn_dispatch_fifo(), none},    {pn_dispatch_fair(), by_job},
                {pn_dispatch_drf(), by_job},   {pn_dispatch_fair(), by_queue},
                {pn_dispatch_drf(), by_queue}, {pn_dispatch_capacity_queues(), none},
                {pn_dispatch_sjf_cp(), none},  {pn_dispatch_cp(), by_queue},
                {pn_dispatch_srpt(), none},    {pn_dispatch_wfair(), alpha},
                {pn_dispatch_hfsp(), none}};
    (void)unused;
    for (size_t p = 0; p < sizeof runs / sizeof runs[0]; p++) {
        dag_workload work = dag_new(JOBS, 30 + p, 2000);
        for (size_t i = 0; i < JOBS; i++)
            work.jobs[i].priority = (int32_t)(i % 5) - 2;
        for (size_t i = 0; i < JOBS; i++)
            for (uint32_t k = 0; k < work.jobs[i].stage_count; k++) {
                work.stages[i][k].demand[0] = 2;
                work.stages[i][k].demand[1] = 1;
            }
        pn_dag_config config = config_for(&work, runs[p].policy);
        size_t size = pn_dag_size(&config);
        pn_dag_hooks hooks = {.policy = runs[p].policy,
                              .params = runs[p].params,
                              .on_event = on_event,
                              .on_order = on_order};
        watch w = {.work = &work, .hooks = &hooks};
        hooks.user = &w;
        assert_int_equal(pn_dag_init(&w.sim, workload_room(size), size, &config), PN_OK);
        for (size_t i = 0; i < JOBS; i++)
            assert_int_equal(pn_dag_submit(w.sim, &work.jobs[i], NULL), PN_OK);
        assert_int_equal(pn_dag_run(w.sim, &hooks, PN_DAG_FOREVER, UINT64_MAX), PN_DONE);
        assert_true(w.checked > 50 && w.most > 3);
        assert_int_equal(pn_dispatch_ranking(pn_dag_dispatch(w.sim), NULL, 0), 0);
        free(w.sim);
        dag_free(&work);
    }
}

/* Nodes are filled one by one: nothing to be ranked. */
static void who_packs_has_no_order(void **unused)
{
    static const pn_dag_stage stage = {.demand = {2, 1}, .duration = 10, .tasks = 30};
    const pn_dag_hooks hooks = {.policy = pn_dispatch_tetris()};
    dag_workload work = {.count = 1};
    pn_dag_config config = config_for(&work, pn_dispatch_tetris());
    size_t size = pn_dag_size(&config);
    pn_dag *sim;
    (void)unused;
    assert_int_equal(pn_dag_init(&sim, workload_room(size), size, &config), PN_OK);
    assert_int_equal(pn_dag_submit(sim, &(pn_dag_job){.stages = &stage, .stage_count = 1}, NULL),
                     PN_OK);
    assert_int_equal(pn_dag_run(sim, &hooks, 5, UINT64_MAX), PN_OK);
    assert_int_equal(pn_dispatch_ranking(pn_dag_dispatch(sim), NULL, 0), 0);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_launched_stands_first),
        cmocka_unit_test(who_packs_has_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
