/* Blocks of the dispatch core that no run has made: entries that lead to what is not theirs, trees
 * that share nodes, counts that fit together and say more than there is. Validation refuses them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dispatch/state.h"
#include "support/forged.h"

/* A run in which nothing happens by itself. */
typedef struct run {
    forgery f;
    pn_dispatch *s;
    pn_dispatch_view view;
    pn_dispatch_hooks hooks;
} run;

static void ignore(void *user, const pn_dispatch_task *task)
{
    (void)user, (void)task;
}

static pn_dispatch_config config_for(const pn_dispatch_nodes *nodes, uint32_t count)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = nodes;
    config.nodes_count = count;
    config.jobs_max = 8;
    config.stages_max = 8;
    config.placement = PN_DISPATCH_FIRST;
    return config;
}

static run start(const pn_dispatch_config *config, const pn_dispatch_policy *policy)
{
    run made = {.hooks = {.policy = policy, .launch = ignore, .kill = ignore}};
    size_t size = pn_dispatch_size(config);
    assert_int_equal(pn_dispatch_init(&made.s, workload_room(size), size, config), PN_OK);
    return made;
}

/* Submits a job of so many stages alike without parents. */
static void submit(run *r, uint64_t demand, uint32_t tasks, uint32_t count)
{
    const pn_dispatch_stage stage = {.demand = {demand}, .estimate = 10, .tasks = tasks},
                            stages[] = {stage, stage};
    const pn_dispatch_job job = {.stages = stages, .stage_count = count};
    assert_int_equal(pn_dispatch_submit(r->s, &r->hooks, 0, &job, NULL), PN_OK);
}

static void launch(run *r, uint64_t most)
{
    assert_true(pn_dispatch_run(r->s, &r->hooks, 0, most) >= 0);
}

static uint64_t token_at(const run *r, uint32_t place)
{
    pn_dispatch_task task;
    assert_int_equal(pn_dispatch_task_get(r->s, place, &task), PN_OK);
    return task.token;
}

static void finish(run *r, uint32_t place)
{
    assert_int_equal(pn_dispatch_finished(r->s, &r->hooks, 0, token_at(r, place)), PN_OK);
}

/* Begins to forge what has come about. */
static void stop(run *r)
{
    pn_dispatch_view_build(&r->view, r->s, NULL);
    r->f = forgery_of(r->s, pn_dispatch_block_size(r->s), pn_dispatch_validate);
}

static const pn_dispatch_nodes one[] = {{{4}, 1, 0}}, alike[] = {{{4}, 2, 0}},
                               unlike[] = {{{4}, 1, 0}, {{6}, 1, 0}};

/* Takes an item out of its tree and puts it into another one, whose count stays as it is: the item
 * is a root of its own and a child in the other tree. */
static void move_to(const pn_tree *from, const pn_tree *to, uint32_t item)
{
    const pn_tree_node node = from->node[item];
    const pn_tree_state before = *from->state;
    pn_tree_remove(from, item);
    pn_tree_insert(to, item, node.word, node.offer);
    from->state->count = before.count;
    if (before.count == 1)
        from->state->root = before.root;
    to->state->count--;
}

/* ---- policies -------------------------------------------------------------------------------- */

static const pn_dispatch_policy *policy_that(bool packs)
{
    for (uint32_t i = 0;; i++) {
        const pn_dispatch_policy *policy = pn_dispatch_policy_at(i);
        if (packs ? policy->order.packs : policy->order.by_queue)
            return policy;
    }
}

static void sticky_executors_suit_the_order(void **unused)
{
    pn_dispatch_config config = config_for(one, 1);
    (void)unused;
    config.executors = PN_DISPATCH_EXECUTORS_FREE;
    run r = start(&config, policy_that(false));
    submit(&r, 4, 1, 1);
    stop(&r);
    REFUSED(r.f, r.s->config.executors = PN_DISPATCH_EXECUTORS_STICKY);
    ACCEPTED(r.f, r.s->config.executors = PN_DISPATCH_EXECUTORS_STICKY,
             r.s->fleet.failure = PN_ERR_INFEASIBLE);
    forgery_end(&r.f);
}

static void nothing_is_in_a_virtual_run_that_is_none(void **unused)
{
    pn_dispatch_config config = config_for(one, 1);
    (void)unused;
    config.policy = pn_dispatch_fifo();
    run r = start(&config, config.policy);
    submit(&r, 1, 1, 1);
    stop(&r);
    assert_int_equal(r.s->virtual_run, 0);
    REFUSED(r.f, r.s->virtual.order.count = 1, r.s->totals.virtual_held = 1);
    forgery_end(&r.f);
}

/* ---- jobs and stages ------------------------------------------------------------------------- */

static void jobs_have_work_that_can_be_counted(void **unused)
{
    const uint64_t most = PN_DISPATCH_ESTIMATE_MOST;
    const pn_dispatch_config config = config_for(one, 1);
    run r = start(&config, pn_dispatch_fifo());
    (void)unused;
    submit(&r, 4, 3, 1);
    stop(&r);
    pn_dispatch_stage_entry *stage = &r.view.stages[0];
    REFUSED(r.f, stage->estimate = stage->depth = most);
    REFUSED(r.f, stage->estimate = stage->depth = PN_DISPATCH_WORK_END / PN_DISPATCH_PPB);
    /* a job without stages, in a place of its own */
    REFUSED(r.f, r.s->fleet.job_places.used = 2, r.s->totals.submitted = 2,
            r.view.jobs[1] = (pn_dispatch_entry){.id = 2, .weight = 1});
    forgery_end(&r.f);
}

/* The first stage, of which a task runs, is in the list of no job. */
static void stages_are_in_the_lists_of_their_jobs(void **unused)
{
    const pn_dispatch_config config = config_for(one, 1);
    run r = start(&config, pn_dispatch_fifo());
    (void)unused;
    submit(&r, 1, 1, 2);
    launch(&r, 1);
    stop(&r);
    pn_dispatch_entry *job = &r.view.jobs[0];
    pn_dispatch_lane *lane = &r.view.queues[0];
    assert_int_equal(r.view.stages[0].running, 1);
    REFUSED(r.f, job->stages = job->stages_left = 1, job->first_stage = job->highest = 2,
            r.view.stages[1].index = r.view.stages[1].lower = 0, job->work /= 2, job->running = 0,
            job->rate = job->use[0] = 0, lane->use[0] = lane->running = 0,
            r.s->totals.running = r.s->holding = r.s->first_running = 0, r.s->in_use[0] = 0);
    forgery_end(&r.f);
}

static void stages_are_in_bundles_of_their_own(void **unused)
{
    const pn_dispatch_config config = config_for(one, 1);
    run r = start(&config, pn_dispatch_fifo());
    (void)unused;
    submit(&r, 1, 1, 2);
    submit(&r, 1, 1, 1);
    submit(&r, 1, 1, 1);
    assert_int_equal(pn_dispatch_cancel(r.s, &r.hooks, 0, 3), PN_OK);
    stop(&r);
    pn_dispatch_stage_entry *stages = r.view.stages;
    uint32_t root = r.view.bundles[0].stages.root - 1, child = 1 - root;
    assert_true(stages[0].bundle == 1 && stages[1].bundle == 1 && stages[2].bundle == 2);
    REFUSED(r.f, stages[child].bundle = r.s->bundle_places.used + 1);
    REFUSED(r.f, stages[child].bundle = 3);
    REFUSED(r.f, stages[child].bundle = 2);
    const pn_tree own = pn_dispatch_stages_of(&r.view, 0),
                  other = pn_dispatch_stages_of(&r.view, 1);
    REFUSED(r.f, move_to(&own, &other, child));
    forgery_end(&r.f);
}

/* ---- bundles --------------------------------------------------------------------------------- */

static void bundles_are_of_classes_in_use(void **unused)
{
    const pn_dispatch_config config = config_for(one, 1);
    run r = start(&config, pn_dispatch_fifo());
    (void)unused;
    submit(&r, 1, 1, 1);
    submit(&r, 2, 1, 1);
    submit(&r, 2, 1, 1);
    assert_int_equal(pn_dispatch_cancel(r.s, &r.hooks, 0, 1), PN_OK);
    stop(&r);
    assert_int_equal(r.view.classes[0].stages, 0);
    REFUSED(r.f, r.view.bundles[2 - (r.view.classes[1].bundles.root == 3)].class = 0);
    forgery_end(&r.f);
}

static void parents_of_bundles_are_in_use(void **unused)
{
    const pn_dispatch_config config = config_for(one, 1);
    run r = start(&config, pn_dispatch_fifo());
    (void)unused;
    for (int i = 0; i < 7; i++)
        submit(&r, 1, 1, 1);
    stop(&r);
    assert_true(r.view.bundle_nodes[0].parent == 2 && r.view.classes[0].bundles.root == 4);
    REFUSED(r.f, r.view.bundles[1].id = 0);
    forgery_end(&r.f);
}

static void bundles_of_packs_offer_something(void **unused)
{
    const pn_dispatch_policy *packs = policy_that(true);
    pn_dispatch_config config = config_for(one, 1);
    (void)unused;
    config.policy = packs;
    run r = start(&config, packs);
    submit(&r, 1, 1, 1);
    stop(&r);
    pn_tree_node *node = &r.view.bundle_nodes[0];
    REFUSED(r.f, node->offer = node->most = 0, node->least = UINT64_MAX,
            r.view.jobs[0].key.word[1] = 0);
    forgery_end(&r.f);
}

/* ---- attempts -------------------------------------------------------------------------------- */

/* Of the first job's tasks one is done, one runs and one waits to run again; of the second job's
 * one is done. */
static void tasks_that_wait_again_are_attempts(void **unused)
{
    const pn_dispatch_config config = config_for(one, 1);
    run r = start(&config, pn_dispatch_fifo());
    (void)unused;
    submit(&r, 1, 3, 1);
    submit(&r, 1, 2, 1);
    launch(&r, 4);
    finish(&r, 0);
    finish(&r, 3);
    assert_int_equal(pn_dispatch_failed(r.s, &r.hooks, 0, token_at(&r, 1)), PN_OK);
    stop(&r);
    pn_dispatch_stage_entry *stages = r.view.stages;
    const pn_dispatch_class *class = &r.view.classes[0];
    assert_true(stages[0].returned.root == 2 && stages[1].done == 1);
    const struct {
        uint32_t stage, root;
    } rows[] = {{0, 2}, {1, r.s->fleet.attempt_places.used + 1}, {1, 1}, {1, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pn_dispatch_stage_entry *stage = &stages[rows[i].stage];
        pn_dispatch_entry *job = &r.view.jobs[stage->job];
        REFUSED(r.f, stage->done = 0, stage->returned.count++, stage->returned.root = rows[i].root,
                job->left += stage->estimate * class->sigma,
                job->left_area += stage->estimate * class->omega);
    }
    /* more of the node is in use than its attempts hold */
    REFUSED(r.f, r.view.nodes[0].used[0]++, r.view.room[0]--);
    forgery_end(&r.f);
}

/* ---- spots ----------------------------------------------------------------------------------- */

static void nodes_are_in_the_trees_of_their_spots(void **unused)
{
    pn_dispatch_config config = config_for(unlike, 2);
    (void)unused;
    config.placement = PN_DISPATCH_BEST;
    run r = start(&config, pn_dispatch_fifo());
    stop(&r);
    const pn_tree own = pn_dispatch_nodes_of(&r.view, r.view.node_spots[1] - 1),
                  other = pn_dispatch_nodes_of(&r.view, r.view.node_spots[0] - 1);
    assert_true(own.state != other.state);
    REFUSED(r.f, move_to(&own, &other, 1));
    forgery_end(&r.f);
}

/* The only spot is in two chains, and so counts twice. */
static void spots_are_found_once(void **unused)
{
    pn_dispatch_config config = config_for(alike, 1);
    (void)unused;
    config.placement = PN_DISPATCH_BEST;
    run r = start(&config, pn_dispatch_fifo());
    stop(&r);
    assert_true(r.s->spots_count == 1 && r.s->spot_buckets_count == 2);
    REFUSED(r.f, r.s->spot_places.used = r.s->spots_count = 2,
            r.view.spot_buckets[0] = r.view.spot_buckets[1] = 1);
    forgery_end(&r.f);
}

/* ---- executors ------------------------------------------------------------------------------- */

static void executors_that_run_a_task_belong_to_its_job(void **unused)
{
    pn_dispatch_config config = config_for(one, 1);
    (void)unused;
    config.executors = PN_DISPATCH_EXECUTORS_FREE;
    run r = start(&config, pn_dispatch_fifo());
    submit(&r, 4, 2, 1);
    launch(&r, 1);
    stop(&r);
    REFUSED(r.f, r.view.executors[0] = (pn_dispatch_executor){0});
    forgery_end(&r.f);
}

static void idle_executors_have_capacity(void **unused)
{
    pn_dispatch_config config = config_for(one, 1);
    (void)unused;
    config.executors = PN_DISPATCH_EXECUTORS_FREE;
    run r = start(&config, pn_dispatch_fifo());
    submit(&r, 4, 2, 1);
    launch(&r, 1);
    finish(&r, 0);
    stop(&r);
    assert_int_equal(r.view.executors[0].id, 1);
    REFUSED(r.f, r.view.nodes[0].capacity[0] = r.view.room[0] = 0);
    forgery_end(&r.f);
}

/* Two tasks that run on a node become those of an executor. */
static void executors_run_one_task(void **unused)
{
    pn_dispatch_config config = config_for(one, 1);
    (void)unused;
    config.executors = PN_DISPATCH_EXECUTORS_FREE;
    run r = start(&config, pn_dispatch_fifo());
    r.s->config.executors = PN_DISPATCH_EXECUTORS_NONE;
    submit(&r, 1, 2, 1);
    launch(&r, 2);
    pn_dispatch_view_build(&r.view, r.s, NULL);
    r.s->config.executors = PN_DISPATCH_EXECUTORS_FREE;
    r.view.executors = pn_at(r.s, r.s->executors);
    r.view.executors[0] = (pn_dispatch_executor){.id = 1, .stage = 1};
    r.view.jobs[0].executors = 1;
    assert_int_equal(pn_dispatch_validate(r.s, pn_dispatch_block_size(r.s)), PN_ERR_DAMAGED);
    free(r.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticky_executors_suit_the_order),
        cmocka_unit_test(nothing_is_in_a_virtual_run_that_is_none),
        cmocka_unit_test(jobs_have_work_that_can_be_counted),
        cmocka_unit_test(stages_are_in_the_lists_of_their_jobs),
        cmocka_unit_test(stages_are_in_bundles_of_their_own),
        cmocka_unit_test(bundles_are_of_classes_in_use),
        cmocka_unit_test(parents_of_bundles_are_in_use),
        cmocka_unit_test(bundles_of_packs_offer_something),
        cmocka_unit_test(tasks_that_wait_again_are_attempts),
        cmocka_unit_test(nodes_are_in_the_trees_of_their_spots),
        cmocka_unit_test(spots_are_found_once),
        cmocka_unit_test(executors_that_run_a_task_belong_to_its_job),
        cmocka_unit_test(idle_executors_have_capacity),
        cmocka_unit_test(executors_run_one_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
