/* What a host should not do with the dispatch core is refused, and changes nothing: wrong hooks and
 * arguments, events from inside a hook, jobs with faults, full tables, policies whose fields do not
 * go together, configurations of other blocks, queries out of range. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "base/config.h"
#include "dispatch/state.h"
#include "support/kept.h"
#include "support/workload.h"

static const pn_dispatch_nodes nodes[] = {{{4, 8}, 1, 0}, {{6, 3}, 1, 500}};
static const pn_dispatch_queue queues[] = {{2, 500, 800, 0}, {1, 300, 0, 0}};

typedef struct host {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    uint64_t token;  /* of the last launch */
    uint32_t inside; /* events from inside a hook, all of them refused as busy */
} host;

static pn_dispatch_config standard(const pn_dispatch_policy *policy)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = nodes;
    config.nodes_count = 2;
    config.resources = 2;
    config.queues = queues;
    config.queues_count = 2;
    config.jobs_max = 4;
    config.attributes = 1;
    config.policy = policy;
    return config;
}

static void on_launch(void *user, const pn_dispatch_task *task)
{
    ((host *)user)->token = task->token;
}

static void start_with(host *h, const pn_dispatch_config *config, const pn_dispatch_policy *policy)
{
    size_t size = pn_dispatch_size(config);
    assert_true(size > 0);
    *h = (host){.hooks = {.policy = policy, .launch = on_launch}};
    h->hooks.user = h->hooks.policy_user = h;
    assert_int_equal(pn_dispatch_init(&h->core, workload_room(size), size, config), PN_OK);
}

static void start(host *h, const pn_dispatch_policy *policy)
{
    const pn_dispatch_config config = standard(NULL);
    start_with(h, &config, policy);
}

static const pn_dispatch_stage plain_stages[] = {{.demand = {1, 1}, .estimate = 10, .tasks = 2}};
static const pn_dispatch_job plain = {.stages = plain_stages, .stage_count = 1};

/* Something runs, something waits; the time is 5. */
static void get_going(host *h)
{
    for (int i = 0; i < 3; i++)
        assert_int_equal(pn_dispatch_submit(h->core, &h->hooks, 5, &plain, NULL), PN_OK);
    assert_int_equal(pn_dispatch_run(h->core, &h->hooks, 5, 4), PN_PAUSED);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* An event of each kind that would be accepted. */
static pn_dispatch_input event_of(const host *h, uint32_t kind)
{
    return (pn_dispatch_input){.kind = kind,
                               .now = 6,
                               .token = h->token,
                               .id = 1,
                               .most = 1,
                               .job = &plain,
                               .capacity = {4, 8}};
}

static int apply(host *h, const pn_dispatch_hooks *hooks, uint32_t kind)
{
    const pn_dispatch_input input = event_of(h, kind);
    return pn_dispatch_apply(h->core, hooks, &input);
}

/* The event is accepted by a copy of the block. */
static void check_accepted(const host *h, uint32_t kind)
{
    size_t size = pn_dispatch_block_size(h->core);
    host other = *h;
    void *copy = workload_room(size);
    memcpy(copy, h->core, size);
    assert_int_equal(pn_dispatch_open(&other.core, copy, size), PN_OK);
    other.hooks.user = other.hooks.policy_user = &other;
    assert_true(apply(&other, &other.hooks, kind) >= 0);
    free(copy);
}

enum wrong { NO_HOOKS, LATER_HOOKS, NO_POLICY, LATER_POLICY, OTHER_POLICY, OTHER_PARAMS, WRONGS };

static void hooks_are_checked_by_every_event(void **unused)
{
    static const double params[] = {1};
    static const int wanted[WRONGS] = {
        [NO_HOOKS] = PN_ERR_ARGUMENT,   [LATER_HOOKS] = PN_ERR_ARGUMENT,
        [NO_POLICY] = PN_ERR_POLICY,    [LATER_POLICY] = PN_ERR_POLICY,
        [OTHER_POLICY] = PN_ERR_POLICY, [OTHER_PARAMS] = PN_ERR_POLICY};
    host h;
    LATER(pn_dispatch_hooks) later;
    LATER(pn_dispatch_policy) policy = {.known = *pn_dispatch_capacity_queues(), .more = 1};
    (void)unused;
    start(&h, pn_dispatch_capacity_queues());
    policy.known.struct_size = sizeof policy;
    later.known = h.hooks;
    later.known.struct_size = sizeof later;
    later.more = 1;
    for (int bound = 0; bound < 2; bound++) {
        kept before = keep(h.core, pn_dispatch_block_size(h.core));
        for (uint32_t kind = 1; kind <= PN_DISPATCH_IN_RESIZE; kind++) {
            bool stale = kind >= PN_DISPATCH_IN_FINISHED && kind <= PN_DISPATCH_IN_CANCEL;
            if (!bound && stale)
                continue;
            for (uint32_t wrong = 0; wrong < (bound ? WRONGS : OTHER_POLICY); wrong++) {
                pn_dispatch_hooks hooks = h.hooks;
                hooks.policy = wrong == NO_POLICY      ? NULL
                               : wrong == LATER_POLICY ? &policy.known
                               : wrong == OTHER_POLICY ? pn_dispatch_fifo()
                                                       : h.hooks.policy;
                hooks.params = wrong == OTHER_PARAMS ? params : NULL;
                const pn_dispatch_hooks *given = wrong == NO_HOOKS      ? NULL
                                                 : wrong == LATER_HOOKS ? &later.known
                                                                        : &hooks;
                assert_int_equal(apply(&h, given, kind), wanted[wrong]);
            }
            host none = h;
            none.core = NULL;
            assert_int_equal(apply(&none, &h.hooks, kind), PN_ERR_ARGUMENT);
            check_accepted(&h, kind);
        }
        check_unchanged(&before);
        if (!bound)
            get_going(&h);
    }
    free(h.core);
}

static void try_all(void *user, const pn_dispatch_input *input)
{
    host *h = user;
    (void)input;
    for (uint32_t kind = 1; kind <= PN_DISPATCH_IN_RESIZE; kind++, h->inside++)
        assert_int_equal(apply(h, &h->hooks, kind), PN_ERR_BUSY);
}

static void events_come_one_at_a_time_and_in_order(void **unused)
{
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo());
    get_going(&h);
    h.hooks.on_input = try_all;
    assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 5), PN_OK);
    assert_int_equal(h.inside, 9);
    h.hooks.on_input = NULL;
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    for (uint32_t kind = 1; kind <= PN_DISPATCH_IN_RESIZE; kind++) {
        pn_dispatch_input input = event_of(&h, kind);
        input.now = 4;
        assert_int_equal(pn_dispatch_apply(h.core, &h.hooks, &input), PN_ERR_ORDER);
        input.now = PN_INTEGER_MAX + 1;
        assert_int_equal(pn_dispatch_apply(h.core, &h.hooks, &input), PN_ERR_OVERFLOW);
        check_accepted(&h, kind);
    }
    check_unchanged(&before);
    free(h.core);
}

static void arguments_are_in_range(void **unused)
{
    LATER(pn_dispatch_job) job = {.known = plain, .more = 1};
    pn_dispatch_job elsewhere = plain;
    job.known.struct_size = sizeof job;
    elsewhere.queue = 2;
    const struct {
        pn_dispatch_input input;
        int status;
    } rows[] = {
        {{.kind = PN_DISPATCH_IN_END}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_RESIZE + 1}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_SUBMIT}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_SUBMIT, .job = &job.known}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_SUBMIT, .job = &elsewhere}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_NODE_UP, .node = 2}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_NODE_DOWN, .node = 2}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_RESIZE, .node = 2}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_RESIZE, .capacity = {4, 9}}, PN_ERR_ARGUMENT},
        {{.kind = PN_DISPATCH_IN_FINISHED}, PN_ERR_STALE},
        {{.kind = PN_DISPATCH_IN_FAILED, .token = UINT64_MAX}, PN_ERR_STALE},
        {{.kind = PN_DISPATCH_IN_CANCEL, .id = 4}, PN_ERR_STALE},
    };
    LATER(pn_dispatch_input) input = {.more = 1};
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo());
    get_going(&h);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pn_dispatch_input given = rows[i].input;
        given.now = 6;
        assert_int_equal(pn_dispatch_apply(h.core, &h.hooks, &given), rows[i].status);
    }
    input.known = event_of(&h, PN_DISPATCH_IN_TICK);
    input.known.struct_size = sizeof input;
    assert_int_equal(pn_dispatch_apply(h.core, &h.hooks, &input.known), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_apply(h.core, &h.hooks, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_resize(h.core, &h.hooks, 6, 0, NULL), PN_ERR_ARGUMENT);
    assert_string_equal(pn_dispatch_fault(h.core, &job.known, NULL), PN_UNKNOWN_FIELDS);
    check_unchanged(&before);
    free(h.core);
}

/* A core numbers its jobs up to 2^(PN_DISPATCH_ID_BITS - 1). */
static void numbers_of_jobs_end(void **unused)
{
    const uint64_t last = (uint64_t)1 << (PN_DISPATCH_ID_BITS - 1);
    uint64_t id = 0;
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo());
    h.core->totals.submitted = last - 1;
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &plain, &id), PN_OK);
    assert_true(id == last);
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &plain, &id), PN_ERR_OVERFLOW);
    assert_true(id == last);
    free(h.core);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static const double numbers[] = {NAN};
static const uint32_t circle[] = {1, 0}, itself[] = {0, 1}, twice[] = {0, 0}, far[] = {2, 0};

/* A demand, an estimate and a number of tasks that are in range; lists of stages. */
#define D .demand = {1}
#define E .estimate = 10
#define T .tasks = 1
#define STAGES(...)             \
    (const pn_dispatch_stage[]) \
    {                           \
        __VA_ARGS__             \
    }
#define ONE         .stage_count = 1, .stages = plain_stages
#define SECOND(...) .stage_count = 2, .stages = STAGES({D, E, T}, {__VA_ARGS__})
#define PARENTS(l)  .parents = l, .parents_count = 2
#define WHOLE       UINT32_MAX
#define BIG         ((uint64_t)1 << 35)
#define MOST_MS     PN_DISPATCH_ESTIMATE_MOST
#define MOST_TASKS  PN_DISPATCH_TASKS_MOST

/* The field with which the message begins, and the stage that it is about. */
static void faults_of_jobs_are_named(void **unused)
{
    const struct {
        const char *field;
        pn_dispatch_job job;
        uint32_t stage;
    } rows[] = {
        {"weight:", {.weight = PN_DISPATCH_WEIGHT_MOST + 1, ONE}, WHOLE},
        {"priority:", {.priority = PN_DISPATCH_PRIORITY_MOST + 1, ONE}, WHOLE},
        {"deadline:", {.deadline = PN_INTEGER_MAX + 1, ONE}, WHOLE},
        {"attributes:", {.attributes = numbers, ONE}, WHOLE},
        {"stages:", {.stage_count = 1}, WHOLE},
        {"stages:", {.stages = plain_stages}, WHOLE},
        {"parents:", {.parents_count = 1, ONE}, WHOLE},
        {"parents:",
         {.parents = itself,
          .parents_count = PN_DISPATCH_EDGES_MOST,
          SECOND(D, E, T, .parent_count = PN_DISPATCH_EDGES_MOST + 1)},
         WHOLE},
        {"unused:", {.unused = 1, ONE}, WHOLE},
        {"tasks:", {SECOND(D, E, .tasks = 0)}, 1},
        {"tasks:", {SECOND(D, E, .tasks = MOST_TASKS + 1)}, 1},
        {"demand:", {SECOND(E, T, .demand = {0})}, 1},
        {"demand:", {SECOND(E, T, .demand = {1, 0, 1})}, 1},
        {"demand:", {SECOND(E, T, .demand = {5, 4})}, 1},
        {"estimate:", {SECOND(D, T, .estimate = 0)}, 1},
        {"estimate:", {SECOND(D, T, .estimate = MOST_MS + 1)}, 1},
        {"unused:", {SECOND(D, E, T, .unused = 1)}, 1},
        {"estimate:", {SECOND(D, .estimate = MOST_MS, .tasks = MOST_TASKS)}, 1},
        {"estimate:", {SECOND(D, T, .estimate = MOST_MS)}, 1},
        {"estimate:",
         {.stage_count = 2, .stages = STAGES({D, T, .estimate = BIG}, {D, T, .estimate = BIG})},
         1},
        {"parents:", {SECOND(D, E, T, .parent_count = 1)}, 1},
        {"parents:", {SECOND(D, E, T, .first_parent = 2, .parent_count = 1), PARENTS(itself)}, 1},
        {"parents:", {SECOND(D, E, T, .first_parent = 1, .parent_count = 1), PARENTS(itself)}, 1},
        {"parents:", {SECOND(D, E, T, .parent_count = 2), PARENTS(twice)}, 1},
        {"parents:", {SECOND(D, E, T, .parent_count = 1), PARENTS(far)}, 1},
        {"stages:",
         {.stage_count = 2,
          .stages = STAGES({D, E, T, .parent_count = 1},
                           {D, E, T, .first_parent = 1, .parent_count = 1}),
          PARENTS(circle)},
         WHOLE},
    };
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo());
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t stage = 99;
        const char *fault = pn_dispatch_fault(h.core, &rows[i].job, &stage);
        assert_non_null(fault);
        assert_memory_equal(fault, rows[i].field, strlen(rows[i].field));
        assert_int_equal(stage, rows[i].stage);
        assert_ptr_equal(pn_dispatch_fault(h.core, &rows[i].job, NULL), fault);
        assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &rows[i].job, NULL), PN_ERR_JOB);
    }
    assert_null(pn_dispatch_fault(h.core, &plain, NULL));
    check_unchanged(&before);
    free(h.core);
}

/* The same fault of a job that has more stages than there are places for any is not looked for. */
static void full_tables_refuse_jobs(void **unused)
{
    const pn_dispatch_job two = {SECOND(D, E, T, .parent_count = 1), PARENTS(itself)},
                          free_two = {SECOND(D, E, T)},
                          wide = {.stage_count = 3,
                                  .stages = STAGES({D, E, T}, {D, E, T},
                                                   {D, E, T, .parent_count = 2}),
                                  PARENTS(itself)},
                          long_one = {.stage_count = 5,
                                      .stages = STAGES({D, E, T}, {D, E, T}, {D, E, T}, {D, E, T},
                                                       {D, E, .tasks = 0})};
    pn_dispatch_config config = standard(NULL);
    host h;
    (void)unused;
    config.stages_max = 4;
    config.edges_max = 1;
    start_with(&h, &config, pn_dispatch_fifo());
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    assert_null(pn_dispatch_fault(h.core, &long_one, NULL));
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &long_one, NULL), PN_ERR_FULL);
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &wide, NULL), PN_ERR_FULL);
    check_unchanged(&before);
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &two, NULL), PN_OK);
    before = keep(h.core, pn_dispatch_block_size(h.core));
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &two, NULL), PN_ERR_FULL);
    check_unchanged(&before);
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &free_two, NULL), PN_OK);
    before = keep(h.core, pn_dispatch_block_size(h.core));
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &plain, NULL), PN_ERR_FULL);
    check_unchanged(&before);
    assert_int_equal(pn_dispatch_validate(h.core, pn_dispatch_block_size(h.core)), PN_OK);
    free(h.core);
}

/* The first of the demands has a place among the classes, the second one has none. */
static void too_many_demands_are_full(void **unused)
{
    const pn_dispatch_job job = {.stage_count = 2,
                                 .stages = STAGES({D, E, T}, {.demand = {3, 1}, E, T})};
    pn_dispatch_config config = standard(NULL);
    host h;
    (void)unused;
    config.classes_max = 1;
    start_with(&h, &config, pn_dispatch_fifo());
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &job, NULL), PN_ERR_FULL);
    assert_int_equal(pn_dispatch_validate(h.core, pn_dispatch_block_size(h.core)), PN_OK);
    assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &plain, NULL), PN_OK);
    free(h.core);
}

/* ---- policies -------------------------------------------------------------------------------- */

static void any_key(const pn_dispatch_view *view, uint32_t of, pn_key *key)
{
    (void)view, (void)of, (void)key;
}

static uint64_t any_score(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    (void)view, (void)stage, (void)node;
    return 0;
}

static int any_preempt(pn_dispatch_view *view)
{
    (void)view;
    return PN_OK;
}

#define ORDER(...) .name = "any", .order = {__VA_ARGS__}

static void fields_of_policies_go_together(void **unused)
{
    const pn_dispatch_policy good[] = {
        {ORDER(.keys = PN_DISPATCH_KEYS_GROWING)},
        {ORDER(.by_queue = 1, .limits = 1), .queue_key = any_key},
        {ORDER(.preempts = 1, .virtual_run = 1), .preempt = any_preempt},
        {ORDER(.packs = 1, .keys = PN_DISPATCH_KEYS_USED), .align = any_score, .key = any_key},
    };
    const pn_dispatch_policy bad[] = {
        {.name = ""},
        {ORDER(.keys = 0), .param_count = 1},
        {ORDER(.keys = PN_DISPATCH_KEYS_GROWING + 1)},
        {ORDER(.by_queue = 2), .queue_key = any_key},
        {ORDER(.by_queue = 1, .limits = 2), .queue_key = any_key},
        {ORDER(.packs = 2), .align = any_score, .key = any_key},
        {ORDER(.virtual_run = 2)},
        {ORDER(.preempts = 2), .preempt = any_preempt},
        {ORDER(.unused = {1, 0})},
        {ORDER(.unused = {0, 1})},
        {ORDER(.by_queue = 1)},
        {ORDER(.by_queue = 1, .keys = PN_DISPATCH_KEYS_STAGES), .queue_key = any_key},
        {ORDER(.limits = 1), .queue_key = any_key},
        {ORDER(.preempts = 1)},
        {ORDER(.packs = 1), .key = any_key},
        {ORDER(.packs = 1), .align = any_score},
        {ORDER(.packs = 1), .align = any_score, .key = any_key, .score = any_score},
        {ORDER(.packs = 1, .by_queue = 1), .align = any_score, .key = any_key,
         .queue_key = any_key},
        {ORDER(.packs = 1, .keys = PN_DISPATCH_KEYS_TIMED), .align = any_score, .key = any_key},
    };
    LATER(pn_dispatch_policy) later = {.known = good[0], .more = 1};
    pn_dispatch_config of_later = standard(&later.known);
    host h;
    (void)unused;
    later.known.struct_size = sizeof later;
    assert_memory_equal(pn_dispatch_check(&of_later), "policy:", 7);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const pn_dispatch_config config = standard(&good[i]);
        assert_null(pn_dispatch_check(&config));
        start_with(&h, &config, &good[i]);
        get_going(&h);
        free(h.core);
    }
    start(&h, NULL);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const pn_dispatch_config config = standard(&bad[i]);
        assert_memory_equal(pn_dispatch_check(&config), "policy:", 7);
        assert_int_equal(pn_dispatch_size(&config), 0);
        h.hooks.policy = &bad[i];
        assert_int_equal(pn_dispatch_ready(h.core, &h.hooks), PN_ERR_POLICY);
        assert_int_equal(pn_dispatch_submit(h.core, &h.hooks, 0, &plain, NULL), PN_ERR_POLICY);
    }
    check_unchanged(&before);
    h.hooks.policy = pn_dispatch_hfsp();
    get_going(&h);
    free(h.core);
}

/* A block that was made for one policy has no memory for others, and sticky executors go by the
 * keys of jobs only. */
static void blocks_do_not_suit_every_policy(void **unused)
{
    const pn_dispatch_policy policies[] = {
        {ORDER(.virtual_run = 1)},
        {ORDER(.keys = 0), .state_bytes = 8},
        {ORDER(.by_queue = 1), .queue_key = any_key},
        {ORDER(.packs = 1), .align = any_score, .key = any_key},
        {ORDER(.preempts = 1), .preempt = any_preempt},
    };
    pn_dispatch_config config = standard(pn_dispatch_fifo());
    pn_dispatch_nodes alike = {{4, 8}, 2, 0};
    host h;
    (void)unused;
    config.nodes = &alike;
    config.nodes_count = 1;
    config.executors = PN_DISPATCH_EXECUTORS_STICKY;
    start_with(&h, &config, NULL);
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        h.hooks.policy = &policies[i];
        assert_int_equal(pn_dispatch_ready(h.core, &h.hooks), PN_ERR_POLICY);
        assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 0), PN_ERR_POLICY);
    }
    check_unchanged(&before);
    h.hooks.policy = pn_dispatch_fifo();
    assert_int_equal(pn_dispatch_tick(h.core, &h.hooks, 0), PN_OK);
    free(h.core);
}

/* ---- configurations -------------------------------------------------------------------------- */

static void ranges_of_configurations(void **unused)
{
    const pn_dispatch_nodes many[] = {{{4}, 1 << 20, 0}, {{4}, 1, 0}};
    static pn_dispatch_queue lanes[4097];
    pn_dispatch_config config = standard(NULL);
    (void)unused;
    config.nodes_count = 0;
    assert_memory_equal(pn_dispatch_check(&config), "nodes:", 6);
    config.nodes = many;
    config.nodes_count = 2;
    config.resources = 1;
    assert_memory_equal(pn_dispatch_check(&config), "nodes:", 6);
    config.nodes_count = 1;
    assert_null(pn_dispatch_check(&config));
    config.queues = lanes;
    config.queues_count = 4096;
    assert_null(pn_dispatch_check(&config));
    config.queues_count++;
    assert_memory_equal(pn_dispatch_check(&config), "queues:", 7);
}

/* So much memory of a policy as no block can have. */
static const pn_dispatch_policy huge = {ORDER(.keys = 0), .state_bytes = SIZE_MAX / 4 + 1},
                                huge_per_job = {ORDER(.keys = 0),
                                                .state_bytes_per_job = SIZE_MAX / 4},
                                large = {ORDER(.keys = 0), .state_bytes = SIZE_MAX / 4 - 64};

static void sizes_that_no_block_has(void **unused)
{
    const pn_dispatch_policy *const rows[] = {&huge, &huge_per_job};
    pn_dispatch *core;
    uint64_t block[64];
    (void)unused;
    for (int i = 0; i < 2; i++) {
        const pn_dispatch_config config = standard(rows[i]);
        assert_null(pn_dispatch_check(&config));
        assert_int_equal(pn_dispatch_size(&config), 0);
        assert_true(pn_dispatch_init(&core, block, sizeof block, &config) < 0);
    }
    const pn_dispatch_config config = standard(&large);
    assert_true(pn_dispatch_size(&config) > SIZE_MAX / 4 - 64);
}

static void blocks_know_their_configuration(void **unused)
{
    const pn_dispatch_policy per_job = {ORDER(.keys = 0), .state_bytes_per_job = 1},
                             at_once = {ORDER(.keys = 0), .state_bytes = 8},
                             other = {ORDER(.preempts = 1), .preempt = any_preempt,
                                      .state_bytes_per_job = 1};
    const pn_dispatch_nodes swapped[] = {nodes[1], nodes[0]};
    const pn_dispatch_queue by_default[] = {queues[0], {0, 300, 0, 0}};
    pn_dispatch_nodes slower[] = {nodes[0], nodes[1]};
    pn_dispatch_queue lanes[3][2];
    pn_dispatch_config config = standard(&per_job), rows[9];
    host h;
    (void)unused;
    slower[0].speed = 999;
    for (int i = 0; i < 3; i++)
        memcpy(lanes[i], queues, sizeof queues);
    lanes[0][0].weight++;
    lanes[1][1].guaranteed++;
    lanes[2][1].maximum = 999;
    for (int i = 0; i < 9; i++)
        rows[i] = config;
    rows[0].jobs_max++;
    rows[1].attributes = 2;
    rows[2].nodes = swapped;
    rows[3].nodes = slower;
    for (int i = 0; i < 3; i++)
        rows[4 + i].queues = lanes[i];
    rows[7].policy = &at_once; /* rounded, as much memory */
    rows[8].policy = &huge;
    start_with(&h, &config, &per_job);
    for (int moment = 0; moment < 2; moment++) {
        assert_int_equal(pn_dispatch_configured(h.core, &config), 1);
        for (int i = 0; i < 9; i++)
            assert_int_equal(pn_dispatch_configured(h.core, &rows[i]), 0);
        assert_int_equal(pn_dispatch_configured(NULL, &config), 0);
        assert_int_equal(pn_dispatch_configured(h.core, NULL), 0);
        if (moment == 0)
            get_going(&h);
    }
    config.policy = &other;
    config.queues = by_default; /* a weight of 1 */
    assert_int_equal(pn_dispatch_configured(h.core, &config), 1);
    free(h.core);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void queries_out_of_range(void **unused)
{
    pn_dispatch_task task;
    pn_dispatch_times times[1];
    pn_dispatch_queue_totals totals;
    uint64_t demands[1][PN_DISPATCH_RESOURCES_MAX];
    host h;
    (void)unused;
    start(&h, pn_dispatch_fifo());
    assert_null(pn_dispatch_order_of(h.core));
    get_going(&h);
    assert_non_null(pn_dispatch_order_of(h.core));
    kept before = keep(h.core, pn_dispatch_block_size(h.core));
    const pn_dispatch *core = h.core;
    assert_int_equal(pn_dispatch_is_up(core, 1), 1);
    assert_int_equal(pn_dispatch_is_up(core, 2), 0);
    assert_int_equal(pn_dispatch_free(core, 1, 0), 6);
    assert_int_equal(pn_dispatch_free(core, 2, 0), 0);
    assert_int_equal(pn_dispatch_free(core, 0, 2), 0);
    assert_int_equal(pn_dispatch_capacity(core, 1), 11);
    assert_int_equal(pn_dispatch_capacity(core, 2), 0);
    assert_int_equal(pn_dispatch_task_into(core, 0, NULL, sizeof task), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_task_get(core, pn_dispatch_places_max(core), &task),
                     PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_task_get(core, 4, &task), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_queue_into(core, 0, NULL, sizeof totals), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_queue_get(core, 2, &totals), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_times_get(core, 0, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_times_get(core, 3, times), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_demands_get(core, 3, demands, 1), 0);
    check_unchanged(&before);
    assert_int_equal(pn_dispatch_cancel(h.core, &h.hooks, 6, 1), PN_OK);
    assert_int_equal(pn_dispatch_times_get(core, 0, times), PN_ERR_ARGUMENT);
    assert_int_equal(pn_dispatch_demands_get(core, 0, demands, 1), 0);
    assert_int_equal(pn_dispatch_times_get(core, 1, times), PN_OK);
    free(h.core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_checked_by_every_event),
        cmocka_unit_test(events_come_one_at_a_time_and_in_order),
        cmocka_unit_test(arguments_are_in_range),
        cmocka_unit_test(numbers_of_jobs_end),
        cmocka_unit_test(faults_of_jobs_are_named),
        cmocka_unit_test(full_tables_refuse_jobs),
        cmocka_unit_test(too_many_demands_are_full),
        cmocka_unit_test(fields_of_policies_go_together),
        cmocka_unit_test(blocks_do_not_suit_every_policy),
        cmocka_unit_test(ranges_of_configurations),
        cmocka_unit_test(sizes_that_no_block_has),
        cmocka_unit_test(blocks_know_their_configuration),
        cmocka_unit_test(queries_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
