/* What a host or a policy should not do with the scheduler core is refused, and changes nothing:
 * structs of later versions, policies that do not suit a block, answers that change, configurations
 * of other blocks, queries out of range, and what a policy tries at the wrong moment. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "scheduler/state.h"
#include "scheduler/support/host.h"

static void check_policy_is_named(const char *fault)
{
    assert_non_null(fault);
    assert_memory_equal(fault, "policy", 6);
}

static kept keep_core(const host *h)
{
    return keep(h->s, pn_scheduler_block_size(h->s));
}

static int submit(host *h, uint64_t now, uint32_t maps, uint32_t reduces)
{
    const pn_scheduler_job job = job_of(maps, 10, reduces, 10, 0);
    return pn_scheduler_submit(h->s, &h->hooks, now, &job, NULL);
}

static void check_valid(const host *h)
{
    assert_int_equal(pn_scheduler_validate(h->s, pn_scheduler_block_size(h->s)), PN_OK);
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static void later_versions_are_refused(void **unused)
{
    LATER(pn_scheduler_hooks) hooks = {.more = 1};
    LATER(pn_scheduler_policy) policy = {.known = *pn_scheduler_fifo(), .more = 1};
    LATER(pn_scheduler_job) job = {.known = {.maps = 1}, .more = 1};
    LATER(pn_scheduler_input) input = {.known = {.kind = PN_SCHEDULER_IN_TICK}, .more = 1};
    pn_scheduler_config config = config_for(&policy.known, two);
    pn_scheduler_answer answer;
    host h;
    (void)unused;
    start(&h, pn_scheduler_fifo(), two);
    hooks.known = h.hooks;
    hooks.known.struct_size = sizeof hooks;
    policy.known.struct_size = sizeof policy;
    job.known.struct_size = sizeof job;
    input.known.struct_size = sizeof input;
    pn_scheduler_hooks of_later = h.hooks;
    of_later.policy = &policy.known;
    check_policy_is_named(pn_scheduler_check(&config));
    kept before = keep_core(&h);
    assert_int_equal(pn_scheduler_tick(h.s, &hooks.known, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_ready(h.s, &hooks.known), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_tick(h.s, &of_later, 0), PN_ERR_POLICY);
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job.known, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 0, &job.known, &answer), PN_ERR_ARGUMENT);
    assert_int_equal(pn_scheduler_apply(h.s, &h.hooks, &input.known), PN_ERR_ARGUMENT);
    check_unchanged(&before);
    job.more = input.more = 0; /* so it sets nothing that is not known */
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job.known, NULL), PN_OK);
    assert_int_equal(pn_scheduler_apply(h.s, &h.hooks, &input.known), PN_OK);
    stop(&h);
}

static void jobs_out_of_range(void **unused)
{
    static const double numbers[] = {NAN};
    const pn_scheduler_job with_reduce = {.maps = 1, .reduces = 1},
                           numbered = {.maps = 1, .attributes = numbers};
    pn_scheduler_config config = config_for(NULL, narrow);
    host h;
    (void)unused;
    config.attributes = 1;
    set_up(&h, pn_scheduler_fifo(), &config);
    kept before = keep_core(&h);
    /* there are no reduce slots */
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &with_reduce, NULL), PN_ERR_JOB);
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &numbered, NULL), PN_ERR_JOB);
    check_unchanged(&before);
    assert_int_equal(submit(&h, 0, 1, 0), PN_OK);
    stop(&h);
}

/* A reduce cannot be done before the maps of its job, where no host says that it fetched them. */
static void reduces_wait_for_maps(void **unused)
{
    pn_scheduler_config config = config_for(NULL, wide);
    host h;
    (void)unused;
    config.slowstart_permille = 0;
    set_up(&h, pn_scheduler_fifo(), &config);
    assert_int_equal(submit(&h, 0, 1, 1), PN_OK);
    offer(&h, 0, 0, PN_OK);
    uint64_t reduce = token_of(&h, 1, REDUCE, 0);
    kept before = keep_core(&h);
    assert_int_equal(pn_scheduler_finished(h.s, &h.hooks, 5, reduce), PN_ERR_ARGUMENT);
    check_unchanged(&before);
    finish(&h, 5, 1, MAP, 0);
    assert_int_equal(pn_scheduler_finished(h.s, &h.hooks, 5, reduce), PN_OK);
    stop(&h);
}

/* ---- answers about replicas ------------------------------------------------------------------ */

/* What a host answers about two maps each time that it is asked, of three nodes: the number of
 * nodes of each map, and the first one. */
typedef struct answers {
    struct {
        uint32_t count[2], first[2];
    } at[3];
    uint32_t asked; /* calls so far */
} answers;

static uint32_t fickle(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    answers *a = (answers *)(uintptr_t)where;
    uint32_t time = a->asked++ / 2, count = a->at[time].count[map];
    for (uint32_t i = 0; i < count && i < most; i++)
        nodes[i] = (a->at[time].first[map] + i) % 4;
    return count;
}

static void listen_to_line(void *user, const pn_scheduler_input *input)
{
    char *line = user;
    uint64_t check = 0;
    assert_true(pn_scheduler_input_line(input, &check, line, 1024) <= 1024);
}

static void answers_about_replicas_stay_the_same(void **unused)
{
    static const answers bad[] = {
        {.at = {{{1, 1}, {0, 0}}, {{2, 1}, {0, 0}}}}, /* more */
        {.at = {{{1, 1}, {0, 0}}, {{1, 2}, {0, 0}}}}, /* more, of the last map */
        {.at = {{{1, 1}, {0, 0}}, {{1, 0}, {0, 0}}}}, /* fewer */
        {.at = {{{2, 1}, {0, 0}}, {{0, 0}, {0, 0}}}}, /* none */
        {.at = {{{1, 1}, {0, 0}}, {{1, 1}, {0, 3}}}}, /* a node that there is not */
        {.at = {{{2, 2}, {0, 0}}, {{4, 0}, {0, 0}}}}, /* more than a map may have */
    };
    answers good = {.at = {{{2, 1}, {0, 2}}, {{1, 2}, {1, 0}}, {{1, 2}, {0, 1}}}}, late = good;
    char line[1024];
    pn_scheduler_job job = {.maps = 2, .replicas = fickle};
    host h;
    (void)unused;
    start(&h, pn_scheduler_fifo(), three);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        answers once = bad[i], again = bad[i];
        pn_scheduler_answer answer;
        job.where = &once;
        uint64_t digest = pn_scheduler_digest(h.s);
        assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_ERR_JOB);
        job.where = &again;
        assert_int_equal(pn_scheduler_ask(h.s, &h.hooks, 0, &job, &answer), PN_ERR_JOB);
        assert_true(pn_scheduler_jobs(h.s) == 0 && pn_scheduler_digest(h.s) == digest);
        assert_int_equal(totals_of(&h).replicas_held, 0);
        check_valid(&h);
    }
    /* as many in all: the second answer counts */
    job.where = &good;
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_OK);
    assert_int_equal(totals_of(&h).replicas_held, 3);
    offer(&h, 0, 1, PN_OK);
    assert_true(h.launched.task == 0 && h.launched.local == 1);
    check_valid(&h);
    stop(&h);
    /* the writer of the log asks once more, and leaves out what a map may not have */
    late.at[1] = late.at[0];
    late.at[2].count[0] = 4;
    job.where = &late;
    start(&h, pn_scheduler_fifo(), three);
    h.hooks.on_input = listen_to_line;
    h.hooks.launch = NULL;
    h.hooks.on_event = NULL;
    h.hooks.user = line;
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_OK);
    assert_non_null(strstr(line, "\"replicas\":[[0,1,2],[1,2]]"));
    cluster_log_free(&h.log);
    free(h.s);
}

/* ---- policies and blocks --------------------------------------------------------------------- */

static int no_init(pn_scheduler_view *view)
{
    (void)view;
    return PN_OK;
}

static int no_copy(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    (void)view, (void)node, (void)kind, (void)place;
    return PN_OK;
}

static void blocks_do_not_suit_every_policy(void **unused)
{
    const pn_scheduler_policy policies[] = {
        {.name = "any", .order = {.shares = PN_SCHEDULER_SHARES_CONSERVING}},
        {.name = "any", .order = {.estimates = 1}},
        {.name = "any", .order = {.started_first = 1}},
        {.name = "any", .state_bytes = 8},
        {.name = "any", .copy = no_copy},
        /* its init does not set other rules */
        {.name = "any", .order = {.started_first = 1, .delays = 1}},
    };
    const pn_scheduler_policy ordering = {.name = "ordering", .order = {.started_first = 1}};
    (void)unused;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        check_policy(pn_scheduler_fifo(), &policies[i], PN_ERR_POLICY);
    check_policy(&ordering, &policies[0], PN_ERR_POLICY);
    check_policy(&ordering, &policies[1], PN_ERR_POLICY);
    check_policy(NULL, &policies[4], PN_ERR_POLICY);
}

/* Rules that do not go together are not refused where an init may set others. */
static void rules_go_together_after_init(void **unused)
{
    const pn_scheduler_policy policy = {
        .name = "any", .order = {.started_first = 1, .delays = 1}, .init = no_init};
    host h;
    (void)unused;
    start(&h, &policy, two);
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 0), PN_ERR_POLICY);
    assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 0), PN_ERR_POLICY);
    stop(&h);
}

/* ---- configurations -------------------------------------------------------------------------- */

static const pn_scheduler_policy huge = {.name = "huge", .state_bytes = SIZE_MAX / 4 + 1},
                                 large = {.name = "large", .state_bytes = SIZE_MAX / 4 - 64},
                                 per_job = {.name = "per_job", .state_bytes_per_job = 1},
                                 at_once = {.name = "at_once", .state_bytes = 16};

static void ranges_of_configurations(void **unused)
{
    const pn_scheduler_nodes most = {1024, 32768, 32768, 0}, more = {1025, 32768, 32768, 0};
    const uint64_t most_ms = (uint64_t)1 << 40;
    pn_scheduler_config config = config_for(NULL, &more);
    pn_scheduler *core;
    uint64_t block[64];
    (void)unused;
    assert_memory_equal(pn_scheduler_check(&config), "nodes:", 6);
    config.nodes = &most;
    assert_null(pn_scheduler_check(&config));
    for (int kind = MAP; kind <= REDUCE; kind++) {
        config.extra_ms[kind] = most_ms + 1;
        assert_memory_equal(pn_scheduler_check(&config), "extra_ms:", 9);
        config.extra_ms[kind] = most_ms;
        assert_null(pn_scheduler_check(&config));
    }
    config = config_for(&huge, two);
    assert_null(pn_scheduler_check(&config));
    assert_int_equal(pn_scheduler_size(&config), 0);
    assert_true(pn_scheduler_init(&core, block, sizeof block, &config) < 0);
    config.policy = &large;
    assert_true(pn_scheduler_size(&config) > SIZE_MAX / 4 - 64);
}

static void blocks_know_their_configuration(void **unused)
{
    const pn_scheduler_nodes nodes[] = {{1, 2, 1, 0}, {1, 1, 2, 500}};
    const pn_scheduler_nodes others[][2] = {{{1, 1, 1, 0}, {1, 2, 2, 500}},
                                            {{1, 2, 2, 0}, {1, 1, 1, 500}},
                                            {{1, 2, 1, 500}, {1, 1, 2, 500}},
                                            {{1, 2, 1, 0}, {1, 1, 2, 0}}};
    pn_scheduler_config config = config_for(&per_job, nodes), rows[7];
    host h;
    (void)unused;
    config.nodes_count = 2;
    config.jobs_max = 9;
    for (int i = 0; i < 7; i++)
        rows[i] = config;
    for (int i = 0; i < 4; i++)
        rows[i].nodes = others[i];
    rows[4].tasks_max = 7;
    rows[5].policy = &at_once; /* rounded, as much memory */
    rows[6].policy = &huge;
    set_up(&h, &per_job, &config);
    for (int moment = 0; moment < 2; moment++) {
        assert_int_equal(pn_scheduler_configured(h.s, &config), 1);
        for (int i = 0; i < 7; i++)
            assert_int_equal(pn_scheduler_configured(h.s, &rows[i]), 0);
        assert_int_equal(pn_scheduler_configured(NULL, &config), 0);
        assert_int_equal(pn_scheduler_configured(h.s, NULL), 0);
        assert_int_equal(submit(&h, 0, 4, 1), PN_OK);
        offer(&h, 0, (uint32_t)moment, PN_OK);
        assert_int_equal(pn_scheduler_resize(h.s, &h.hooks, 0, 0, 0, 0), PN_OK);
    }
    stop(&h);
}

/* A host of an earlier version has a shorter struct; what lies behind it is something else. */
static void blocks_know_configurations_of_earlier_versions(void **unused)
{
    const size_t size = offsetof(pn_scheduler_config, attributes);
    pn_scheduler_config config = config_for(NULL, two), earlier;
    host h;
    (void)unused;
    set_up(&h, pn_scheduler_fifo(), &config);
    memset(&earlier, 0x55, sizeof earlier);
    memcpy(&earlier, &config, size);
    earlier.struct_size = size;
    assert_null(pn_scheduler_check(&earlier));
    assert_int_equal(pn_scheduler_configured(h.s, &earlier), 1);
    stop(&h);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void queries_out_of_range(void **unused)
{
    host h;
    pn_scheduler_task task;
    (void)unused;
    start(&h, pn_scheduler_fifo(), two);
    assert_int_equal(submit(&h, 0, 1, 0), PN_OK);
    assert_true(pn_scheduler_is_up(h.s, 1) && !pn_scheduler_is_up(h.s, 2));
    assert_int_equal(pn_scheduler_free_slots(h.s, 1, REDUCE), 1);
    assert_int_equal(pn_scheduler_free_slots(h.s, 2, REDUCE), 0);
    assert_int_equal(pn_scheduler_free_slots(h.s, 1, 2), 0);
    assert_int_equal(pn_scheduler_next_free(h.s, MAP, 1), 1);
    assert_int_equal(pn_scheduler_next_free(h.s, MAP, 2), 2);
    assert_int_equal(pn_scheduler_next_free(h.s, 2, 0), 2);
    assert_true(pn_scheduler_wants(h.s, MAP) && !pn_scheduler_wants(h.s, 2));
    assert_false(pn_scheduler_is_suspended(h.s, pn_scheduler_places_max(h.s)));
    assert_int_equal(pn_scheduler_task_get(h.s, pn_scheduler_places_max(h.s), &task),
                     PN_ERR_ARGUMENT);
    stop(&h);
}

static void names_and_heads(void **unused)
{
    const struct {
        pn_input_about about;
        uint64_t more;
    } later = {{.struct_size = sizeof later}, 1};
    const pn_scheduler_config config = config_for(NULL, two);
    const pn_scheduler_hooks hooks = {.policy = pn_scheduler_fifo()};
    char line[2048];
    uint64_t check = 0;
    (void)unused;
    assert_string_equal(pn_scheduler_input_name(PN_SCHEDULER_IN_RESIZE, NULL), "resize");
    assert_null(pn_scheduler_input_name(PN_SCHEDULER_IN_RESIZE + 1, NULL));
    assert_int_equal(pn_scheduler_input_head(&config, NULL, NULL, &check, line, sizeof line), 0);
    assert_int_equal(
        pn_scheduler_input_head(&config, &hooks, &later.about, &check, line, sizeof line), 0);
    assert_true(pn_scheduler_input_head(&config, &hooks, NULL, &check, line, sizeof line) > 0);
    assert_non_null(strstr(line, "\"policy\":\"fifo\""));
}

/* ---- what policies try ----------------------------------------------------------------------- */

static int try(pn_scheduler_view *view, uint32_t job, uint32_t kind, bool suspends)
{
    uint32_t taken = 77;
    int status = suspends ? pn_scheduler_suspend(view, job, kind, 1, &taken)
                          : pn_scheduler_kill(view, job, kind, 1, &taken);
    assert_int_equal(taken, status == PN_OK ? 1 : 0);
    return status;
}

static int try_place(pn_scheduler_view *view, uint32_t place, bool suspends)
{
    return suspends ? pn_scheduler_suspend_attempt(view, place)
                    : pn_scheduler_kill_attempt(view, place);
}

/* An attempt of the first job runs, and may not be ended now. */
static void check_no_preemption(pn_scheduler_view *view)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    uint32_t place = pn_scheduler_next_attempt(view, job, MAP, PN_SCHEDULER_NO_ATTEMPT);
    assert_true(job != PN_NO_JOB && place != PN_SCHEDULER_NO_ATTEMPT);
    for (int suspends = 0; suspends < 2; suspends++) {
        assert_int_equal(try(view, job, MAP, suspends), PN_ERR_INFEASIBLE);
        assert_int_equal(try_place(view, place, suspends), PN_ERR_INFEASIBLE);
    }
    assert_int_equal(pn_scheduler_set_rules(view, NULL, NULL), PN_ERR_ARGUMENT);
}

static int arrive_out_of_turn(pn_scheduler_view *view, uint32_t job)
{
    if (job != pn_scheduler_next(view, PN_NO_JOB))
        check_no_preemption(view);
    pn_scheduler_feed_back(view, job); /* it has not left */
    return PN_OK;
}

/* Suspends the first attempt, and then asks for what there is not. */
static int preempt_what_there_is_not(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB), none = 7;
    uint32_t *tried = pn_scheduler_user(view);
    if (kind == REDUCE || pn_scheduler_now(view) == 0)
        return PN_OK;
    uint32_t place = pn_scheduler_next_attempt(view, job, MAP, PN_SCHEDULER_NO_ATTEMPT);
    uint32_t task = pn_scheduler_attempt_task(view, place).task;
    for (int suspends = 0; suspends < 2; suspends++) {
        assert_int_equal(try(view, pn_scheduler_jobs_max(view), MAP, suspends), PN_ERR_INFEASIBLE);
        assert_int_equal(try(view, none, MAP, suspends), PN_ERR_INFEASIBLE);
        assert_int_equal(try(view, job, 2, suspends), PN_ERR_INFEASIBLE);
        assert_int_equal(try_place(view, view->s->places_max, suspends), PN_ERR_INFEASIBLE);
        assert_int_equal(try_place(view, view->s->places_max - 1, suspends), PN_ERR_INFEASIBLE);
    }
    assert_int_equal(pn_scheduler_task_attempt(view, job, MAP, task), place);
    assert_int_equal(try_place(view, place, true), PN_OK);
    assert_int_equal(pn_scheduler_task_attempt(view, job, MAP, task), place);
    for (int suspends = 0; suspends < 2; suspends++)
        assert_int_equal(try_place(view, place, suspends), PN_ERR_INFEASIBLE);
    assert_int_equal(pn_scheduler_task_attempt(view, job, MAP, 9), PN_SCHEDULER_NO_ATTEMPT);
    assert_int_equal(pn_scheduler_task_attempt(view, job, MAP, 3), PN_SCHEDULER_NO_ATTEMPT);
    ++*tried;
    return PN_OK;
}

/* No order that counts on tasks that run, and no host that cannot, suspends. */
static int preempt_but_do_not_suspend(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    uint32_t *tried = pn_scheduler_user(view);
    if (kind == REDUCE || pn_scheduler_now(view) == 0)
        return PN_OK;
    uint32_t place = pn_scheduler_next_attempt(view, job, MAP, PN_SCHEDULER_NO_ATTEMPT);
    assert_int_equal(try(view, job, MAP, true), PN_ERR_INFEASIBLE);
    assert_int_equal(try_place(view, place, true), PN_ERR_INFEASIBLE);
    assert_int_equal(try_place(view, place, false), PN_OK);
    ++*tried;
    return PN_OK;
}

static void on_suspend(void *user, const pn_scheduler_task *task)
{
    (void)user, (void)task;
}

static void preemption_has_its_moment(void **unused)
{
    const pn_scheduler_policy policies[] = {
        {.name = "any", .arrive = arrive_out_of_turn, .preempt = preempt_what_there_is_not},
        {.name = "any", .preempt = preempt_but_do_not_suspend},
        {.name = "any", .order = {.started_first = 1}, .preempt = preempt_but_do_not_suspend},
    };
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        pn_scheduler_config config = config_for(&policies[i], wide);
        uint32_t tried = 0;
        host h;
        config.suspended_max = 4;
        set_up(&h, &policies[i], &config);
        h.hooks.policy_user = &tried;
        h.hooks.suspend = i == 1 ? NULL : on_suspend;
        assert_int_equal(submit(&h, 0, 4, 0), PN_OK);
        offer(&h, 0, 0, PN_OK);
        assert_int_equal(submit(&h, 0, 1, 0), PN_OK);
        assert_int_equal(pn_scheduler_tick(h.s, &h.hooks, 5), PN_OK);
        assert_int_equal(tried, 1);
        assert_int_equal(pn_scheduler_running_tasks(h.s), 1);
        check_valid(&h);
        stop(&h);
    }
}

/* ---- what policies ask for without the memory for it ----------------------------------------- */

static int ask_for_nothing(pn_scheduler_view *view, uint32_t reason)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    (void)reason;
    for (uint32_t kind = MAP; kind <= REDUCE && job != PN_NO_JOB; kind++) {
        assert_int_equal(pn_scheduler_average(view, job, kind), 0);
        assert_int_equal(pn_scheduler_share(view, job, kind), PN_SCHEDULER_NO_SHARE);
        assert_int_equal(pn_scheduler_est_ms(view, job, kind), kind == MAP ? 12 : 0);
    }
    return PN_OK;
}

/* Feedback about another job than the one that leaves, or where nothing is recorded. */
static void feed_back_in_vain(pn_scheduler_view *view, uint32_t job)
{
    uint32_t other = job == 0 ? 1 : 0;
    assert_int_equal(pn_scheduler_estimate_anew(view, other), NEVER);
    pn_scheduler_feed_back(view, other);
    if (!pn_scheduler_records(&view->s->admission)) {
        assert_int_equal(pn_scheduler_estimate_anew(view, job), NEVER);
        pn_scheduler_feed_back(view, job);
    }
    assert_int_equal(view->s->totals.feedback_fired, 0);
}

static int accept_all(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    return view->s->order.started_first ? pn_scheduler_foresee(view, job, answer) : PN_OK;
}

static void what_there_is_no_memory_for(void **unused)
{
    const pn_scheduler_policy policies[] = {
        {.name = "any", .plan = ask_for_nothing, .leave = feed_back_in_vain},
        {.name = "any",
         .order = {.started_first = 1},
         .admission = {.finishes = PN_SCHEDULER_FINISHES_RECORDED, .maps_first = 1},
         .admit = accept_all,
         .leave = feed_back_in_vain}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        pn_scheduler_config config = config_for(&policies[i], narrow);
        const pn_scheduler_job job = job_of(1, 10, 0, 0, 0);
        host h;
        config.extra_ms[MAP] = 2;
        set_up(&h, &policies[i], &config);
        for (int k = 0; k < 2; k++)
            assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_OK);
        offer(&h, 0, 0, PN_OK);
        finish(&h, 9, 1, MAP, 0);
        assert_int_equal(h.ends, 1);
        check_valid(&h);
        stop(&h);
    }
}

static int restrain_out_of_range(pn_scheduler_view *view, uint32_t reason)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB), most = pn_scheduler_jobs_max(view);
    (void)reason;
    if (job == PN_NO_JOB)
        return PN_OK;
    pn_scheduler_limit(view, most, MAP, 0);
    pn_scheduler_hold(view, most, MAP, 100);
    pn_scheduler_limit(view, job, 2, 0);
    pn_scheduler_hold(view, job, 2, 100);
    pn_scheduler_limit(view, job + 1, MAP, 0);
    assert_false(view->s->restrains);
    return PN_OK;
}

static int init_restrains(pn_scheduler_view *view)
{
    pn_scheduler_limit(view, 0, MAP, 0);
    pn_scheduler_hold(view, 0, MAP, 100);
    assert_false(view->s->agrees || view->s->restrains);
    return PN_OK;
}

static int hold_for_ever(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_hold(view, job, MAP, PN_INTEGER_MAX + 1);
    return PN_OK;
}

static void restraints_out_of_range(void **unused)
{
    const pn_scheduler_policy strange = {.name = "strange", .plan = restrain_out_of_range},
                              holding = {.name = "holding", .arrive = hold_for_ever},
                              early = {.name = "early", .init = init_restrains};
    host h;
    (void)unused;
    start(&h, &strange, two);
    assert_int_equal(submit(&h, 0, 1, 0), PN_OK);
    assert_true(pn_scheduler_wants(h.s, MAP));
    check_valid(&h);
    stop(&h);
    start(&h, &early, two);
    assert_int_equal(submit(&h, 0, 1, 0), PN_OK);
    offer(&h, 0, 0, PN_OK);
    stop(&h);
    start(&h, &holding, two);
    assert_int_equal(submit(&h, 0, 1, 0), PN_OK);
    assert_true(pn_scheduler_next_opening(h.s) == NEVER);
    assert_int_equal(pn_scheduler_wake(h.s, &h.hooks, PN_INTEGER_MAX), PN_OK);
    assert_false(pn_scheduler_wants(h.s, MAP));
    check_valid(&h);
    stop(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_versions_are_refused),
        cmocka_unit_test(jobs_out_of_range),
        cmocka_unit_test(reduces_wait_for_maps),
        cmocka_unit_test(answers_about_replicas_stay_the_same),
        cmocka_unit_test(blocks_do_not_suit_every_policy),
        cmocka_unit_test(rules_go_together_after_init),
        cmocka_unit_test(ranges_of_configurations),
        cmocka_unit_test(blocks_know_their_configuration),
        cmocka_unit_test(blocks_know_configurations_of_earlier_versions),
        cmocka_unit_test(queries_out_of_range),
        cmocka_unit_test(names_and_heads),
        cmocka_unit_test(preemption_has_its_moment),
        cmocka_unit_test(what_there_is_no_memory_for),
        cmocka_unit_test(restraints_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
