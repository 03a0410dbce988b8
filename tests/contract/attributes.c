/* Jobs carry numbers for policies. In every model they are seen by the policy as they were handed
 * over, come back with the finished job, go with the block wherever it is copied, and change
 * neither decisions nor digests; without them a block is what it was before there were any. */
#include <math.h>

#include "base/attributes.h"
#include "contract.h"

enum { JOBS = 60, PLACES = 64, GROUPS = 3, COUNTS = PN_ATTRIBUTES_MAX + 1 };

/* Of the job with this number. The third job hands over none, and zero has two signs. */
static double value_of(uint64_t id, uint32_t index)
{
    return id == 3 ? 0.0 : id == 4 ? -0.0 : ldexp((double)(id * 9 + index), (int)(id % 40) - 20);
}

/* What lies behind a job's own attributes is not read. */
static const double *values_of(uint64_t id, uint32_t count, double values[PN_ATTRIBUTES_MAX])
{
    for (uint32_t i = 0; i < PN_ATTRIBUTES_MAX; i++)
        values[i] = i < count ? value_of(id, i) : NAN;
    return id == 3 ? NULL : values;
}

/* How often a policy and a host saw what they should. */
typedef struct witness {
    uint32_t count; /* of attributes */
    uint64_t views, finishes;
} witness;

static void see(witness *w, uint64_t id, uint32_t count, double seen, uint32_t index)
{
    assert_int_equal(count, w->count);
    assert_true(seen == value_of(id, index) && !signbit(seen));
    w->views++;
}

static void see_finish(witness *w, uint64_t id, const double *attributes, uint32_t group)
{
    assert_int_equal(group, id % GROUPS);
    assert_true((attributes != NULL) == (w->count > 0));
    for (uint32_t i = 0; i < w->count; i++)
        assert_true(attributes[i] == value_of(id, i));
    w->finishes++;
}

/* One model: what it is configured with, how a job is handed over, and how it runs on. */
typedef struct carrier {
    const contract_model *model;
    size_t places; /* of jobs in a block */
    bool early;    /* jobs are handed over before anything runs */
    void (*configure)(void *config, uint32_t attributes);
    int (*submit)(void *sim, uint64_t id, const double *attributes);
    int (*step)(void *sim, witness *w);
} carrier;

/* ---- slotted ---- */

static void slotted_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    witness *w = pn_slotted_user(view);
    uint64_t id = pn_slotted_id(view, job);
    assert_int_equal(pn_slotted_group(view, job), id % GROUPS);
    for (uint32_t i = 0; i < pn_slotted_attribute_count(view); i++)
        see(w, id, pn_slotted_attribute_count(view), pn_slotted_attribute(view, job, i), i);
    key->word[0] = id % 7;
}

static const pn_slotted_policy slotted_policy = {
    .name = "attentive",
    .preemptive = 1,
    .order_count = 1,
    .orders = {{slotted_key, PN_SLOTTED_CHANGES_WHEN_SERVED,
                PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0}}};

static void slotted_configure(void *config, uint32_t attributes)
{
    pn_slotted_config own = pn_slotted_defaults();
    own.machines = 3;
    own.jobs_max = PLACES;
    own.groups_max = GROUPS;
    own.policy = &slotted_policy;
    own.attributes = attributes;
    memcpy(config, &own, sizeof own);
}

static int slotted_submit(void *sim, uint64_t id, const double *attributes)
{
    const uint64_t reduces[] = {id % 5};
    const pn_slotted_job job = {.arrival = 1 + id,
                                .maps = 1 + id % 4,
                                .reduces = reduces,
                                .reduce_count = 1,
                                .group = (uint32_t)(id % GROUPS),
                                .attributes = attributes};
    return pn_slotted_submit(sim, &job, NULL);
}

static void slotted_finish(void *user, const pn_slotted_finish *finish)
{
    see_finish(user, finish->id, finish->attributes, finish->group);
}

static int slotted_step(void *sim, witness *w)
{
    const pn_slotted_hooks hooks = {
        .policy = &slotted_policy, .on_finish = slotted_finish, .user = w};
    return pn_slotted_step(sim, &hooks);
}

/* ---- tandem ---- */

static void tandem_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    witness *w = pn_tandem_user(view);
    uint64_t id = pn_tandem_id(view, job);
    assert_int_equal(pn_tandem_group(view, job), id % GROUPS);
    for (uint32_t i = 0; i < pn_tandem_attribute_count(view); i++)
        see(w, id, pn_tandem_attribute_count(view), pn_tandem_attribute(view, job, i), i);
    key->word[0] = id % 7;
}

static const pn_tandem_policy tandem_policy = {
    .name = "attentive",
    .order_count = 2,
    .orders = {{.key = tandem_key, .members = PN_TANDEM_MAPPING},
               {.key = tandem_key, .members = PN_TANDEM_BACKLOG}},
    .map = {.way = PN_TANDEM_FIRST, .order = 0},
    .shuffle = {.way = PN_TANDEM_FIRST, .order = 1}};

static void tandem_configure(void *config, uint32_t attributes)
{
    pn_tandem_config own = pn_tandem_defaults();
    own.jobs_max = PLACES;
    own.groups_max = GROUPS;
    own.policy = &tandem_policy;
    own.attributes = attributes;
    memcpy(config, &own, sizeof own);
}

static int tandem_submit(void *sim, uint64_t id, const double *attributes)
{
    const pn_tandem_job job = {.arrival = (double)id,
                               .map = (double)(1 + id % 3) / 2,
                               .shuffle = (double)(id % 4) / 2,
                               .group = (uint32_t)(id % GROUPS),
                               .attributes = attributes};
    return pn_tandem_submit(sim, &job, NULL);
}

static void tandem_finish(void *user, const pn_tandem_finish *finish)
{
    see_finish(user, finish->id, finish->attributes, finish->group);
}

static int tandem_step(void *sim, witness *w)
{
    const pn_tandem_hooks hooks = {.policy = &tandem_policy, .on_finish = tandem_finish, .user = w};
    return pn_tandem_step(sim, &hooks);
}

/* ---- makespan ---- */

static int makespan_decide(pn_makespan_view *view)
{
    witness *w = pn_makespan_user(view);
    uint32_t order[PLACES], count = pn_makespan_job_count(view);
    for (uint32_t job = 0; job < count; job++) {
        order[job] = count - 1 - job;
        assert_int_equal(pn_makespan_group(view, job), (job + 1) % GROUPS);
        for (uint32_t i = 0; i < pn_makespan_attribute_count(view); i++)
            see(w, job + 1, pn_makespan_attribute_count(view), pn_makespan_attribute(view, job, i),
                i);
    }
    return pn_makespan_give_order(view, order, count);
}

static const pn_makespan_policy makespan_policy = {.name = "attentive", .decide = makespan_decide};

static void makespan_configure(void *config, uint32_t attributes)
{
    pn_makespan_config own = pn_makespan_defaults();
    own.map_slots = own.reduce_slots = 2;
    own.jobs_max = PLACES;
    own.groups_max = GROUPS;
    own.policy = &makespan_policy;
    own.attributes = attributes;
    memcpy(config, &own, sizeof own);
}

static int makespan_submit(void *sim, uint64_t id, const double *attributes)
{
    const pn_makespan_job job = {
        .stage = {{.time = 1 + id % 5, .has_time = 1}, {.time = id % 3, .has_time = 1}},
        .group = (uint32_t)(id % GROUPS),
        .attributes = attributes};
    return pn_makespan_submit(sim, &job, NULL);
}

static void makespan_finish(void *user, const pn_makespan_finish *finish)
{
    see_finish(user, finish->id, finish->attributes, finish->group);
}

static int makespan_step(void *sim, witness *w)
{
    const pn_makespan_hooks hooks = {
        .policy = &makespan_policy, .on_finish = makespan_finish, .user = w};
    return pn_makespan_step(sim, &hooks);
}

/* ---- cluster, and with it the scheduler ---- */

static void cluster_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    witness *w = pn_scheduler_user(view);
    uint64_t id = pn_scheduler_id(view, job);
    (void)kind;
    assert_int_equal(pn_scheduler_group_of(view, job), id % GROUPS);
    for (uint32_t i = 0; i < pn_scheduler_attribute_count(view); i++)
        see(w, id, pn_scheduler_attribute_count(view), pn_scheduler_attribute_of(view, job, i), i);
    key->word[0] = id % 7;
}

/* Rejects every fifth. */
static int cluster_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    answer->accepted = pn_scheduler_id(view, job) % 5 != 0;
    return PN_OK;
}

static const pn_scheduler_policy cluster_policy = {
    .name = "attentive", .key = cluster_key, .admit = cluster_admit};

static const pn_scheduler_nodes nodes = {2, 2, 1, 1000};

static void cluster_configure(void *config, uint32_t attributes)
{
    pn_cluster_config own = pn_cluster_defaults();
    own.scheduler.nodes = &nodes;
    own.scheduler.nodes_count = 1;
    own.scheduler.jobs_max = PLACES;
    own.scheduler.groups_max = GROUPS;
    own.scheduler.policy = &cluster_policy;
    own.scheduler.attributes = attributes;
    memcpy(config, &own, sizeof own);
}

static int cluster_submit(void *sim, uint64_t id, const double *attributes)
{
    const pn_cluster_job job = {.submit = 700 * id,
                                .maps = 1 + (uint32_t)id % 3,
                                .reduces = id % 2,
                                .map_ms = 900,
                                .reduce_ms = 800,
                                .group = (uint32_t)(id % GROUPS),
                                .attributes = attributes};
    return pn_cluster_submit(sim, &job, NULL);
}

static void cluster_finish(void *user, const pn_scheduler_record *record)
{
    see_finish(user, record->id, record->attributes, record->group);
}

/* The core's own list of jobs tells them too. */
static int cluster_step(void *sim, witness *w)
{
    const pn_cluster_hooks hooks = {
        .policy = &cluster_policy, .on_finish = cluster_finish, .user = w};
    int status = pn_cluster_step(sim, &hooks);
    pn_scheduler_record record;
    for (uint32_t place = PN_NO_JOB;
         pn_scheduler_next_record(pn_cluster_scheduler(sim), &place, &record) == PN_OK;)
        for (uint32_t i = 0; i < w->count; i++)
            assert_true(record.attributes[i] == value_of(record.id, i));
    return status;
}

/* ---- dag, and with it the dispatch core ---- */

static void dag_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    witness *w = pn_dispatch_user(view);
    uint64_t id = pn_dispatch_id(view, job);
    assert_int_equal(pn_dispatch_group_of(view, job), id % GROUPS);
    for (uint32_t i = 0; i < pn_dispatch_attribute_count(view); i++)
        see(w, id, pn_dispatch_attribute_count(view), pn_dispatch_attribute_of(view, job, i), i);
    key->word[0] = id % 7;
}

static const pn_dispatch_policy dag_policy = {.name = "attentive", .key = dag_key};

static const pn_dispatch_nodes dag_nodes = {.capacity = {2}, .count = 2};

static void dag_configure(void *config, uint32_t attributes)
{
    pn_dag_config own = pn_dag_defaults();
    own.dispatch.nodes = &dag_nodes;
    own.dispatch.nodes_count = 1;
    own.dispatch.jobs_max = PLACES;
    own.dispatch.policy = &dag_policy;
    own.dispatch.attributes = attributes;
    own.groups_max = GROUPS;
    memcpy(config, &own, sizeof own);
}

static int dag_submit(void *sim, uint64_t id, const double *attributes)
{
    static const uint32_t first[] = {0};
    const pn_dag_stage stages[] = {
        {.demand = {1}, .duration = 900, .tasks = 1 + (uint32_t)id % 3},
        {.demand = {2}, .duration = 300, .tasks = 1, .parents = first, .parent_count = 1}};
    const pn_dag_job job = {.arrival = 700 * id,
                            .stages = stages,
                            .stage_count = 1 + id % 2,
                            .group = (uint32_t)(id % GROUPS),
                            .attributes = attributes};
    return pn_dag_submit(sim, &job, NULL);
}

static void dag_finish(void *user, const pn_dag_record *record)
{
    see_finish(user, record->job->id, record->job->attributes, record->job->group);
}

/* The core's own list of jobs tells them too. */
static int dag_step(void *sim, witness *w)
{
    const pn_dag_hooks hooks = {.policy = &dag_policy, .on_finish = dag_finish, .user = w};
    int status = pn_dag_step(sim, &hooks);
    pn_dispatch_record record;
    for (uint32_t place = PN_NO_JOB;
         pn_dispatch_next_record(pn_dag_dispatch(sim), &place, &record) == PN_OK;)
        for (uint32_t i = 0; i < w->count; i++)
            assert_true(record.attributes[i] == value_of(record.id, i));
    return status;
}

static const carrier carriers[] = {
    {&contract_slotted, PLACES, false, slotted_configure, slotted_submit, slotted_step},
    {&contract_tandem, PLACES, false, tandem_configure, tandem_submit, tandem_step},
    {&contract_makespan, PLACES, true, makespan_configure, makespan_submit, makespan_step},
    /* twice: the core has its own of the jobs that have come */
    {&contract_cluster, 2 * PLACES, false, cluster_configure, cluster_submit, cluster_step},
    {&contract_dag, 2 * PLACES, false, dag_configure, dag_submit, dag_step},
};
enum { CARRIERS = sizeof carriers / sizeof carriers[0] };

/* ---- runs ---- */

typedef struct block {
    void *sim;
    size_t size;
} block;

static block block_of(const carrier *c, uint32_t attributes)
{
    _Alignas(8) unsigned char config[CONTRACT_CONFIG];
    c->configure(config, attributes);
    block b = {NULL, c->model->kernel()->size(config)};
    void *room = contract_room(b.size);
    assert_int_equal(c->model->kernel()->init(&b.sim, room, b.size, config), PN_OK);
    return b;
}

static void hand_over(const carrier *c, const block *b, uint64_t id, uint32_t count)
{
    double values[PN_ATTRIBUTES_MAX];
    assert_int_equal(c->submit(b->sim, id, values_of(id, count, values)), PN_OK);
}

/* To other bytes; nothing of the old ones is left. */
static void move(const carrier *c, block *b)
{
    unsigned char *next = contract_room(b->size);
    memcpy(next, b->sim, b->size);
    memset(b->sim, 0xA5, b->size);
    free(b->sim);
    assert_int_equal(c->model->kernel()->validate(next, b->size), PN_OK);
    assert_int_equal(c->model->kernel()->open(&b->sim, next, b->size), PN_OK);
}

/* Runs on to the end; jobs come a few at a time, where they may, so that places are used again. */
static uint64_t run(const carrier *c, block *b, uint64_t from, witness *w, bool moving)
{
    int status = PN_OK;
    for (uint64_t id = from; status == PN_OK || id <= JOBS;) {
        for (uint64_t last = c->early ? JOBS : id; id <= last && id <= JOBS; id++)
            hand_over(c, b, id, w->count);
        status = c->step(b->sim, w);
        assert_true(status >= 0);
        if (moving)
            move(c, b);
    }
    return c->model->kernel()->digest(b->sim);
}

static void policies_and_hosts_see_what_was_handed_over(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < CARRIERS; i++) {
        uint64_t digest = 0;
        for (uint32_t count = 0; count < COUNTS; count++)
            for (int moving = 0; moving < 2; moving++) {
                witness w = {count, 0, 0};
                block b = block_of(&carriers[i], count);
                uint64_t got = run(&carriers[i], &b, 1, &w, moving);
                assert_true(w.finishes == JOBS && (w.views > 0) == (count > 0));
                assert_true(digest == 0 || got == digest);
                digest = got;
                free(b.sim);
            }
    }
}

static void forks_carry_them_too(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < CARRIERS; i++) {
        const carrier *c = &carriers[i];
        const uint64_t half = c->early ? JOBS : JOBS / 2;
        witness w = {PN_ATTRIBUTES_MAX, 0, 0}, forked;
        block b = block_of(c, w.count), fork;
        for (uint64_t id = 1; id <= half; id++)
            hand_over(c, &b, id, w.count);
        for (int steps = 0; steps < 5; steps++)
            assert_int_equal(c->step(b.sim, &w), PN_OK);
        fork = (block){contract_room(b.size), b.size};
        memcpy(fork.sim, b.sim, b.size);
        assert_int_equal(c->model->kernel()->open(&fork.sim, fork.sim, b.size), PN_OK);
        forked = w;
        uint64_t first = run(c, &fork, half + 1, &forked, true);
        assert_true(first == run(c, &b, half + 1, &w, false));
        assert_true(forked.views == w.views && forked.finishes == w.finishes);
        free(fork.sim);
        free(b.sim);
    }
}

/* ---- the border ---- */

static void they_take_their_room_and_no_more(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < CARRIERS; i++) {
        _Alignas(8) unsigned char config[CONTRACT_CONFIG];
        carriers[i].configure(config, 0);
        size_t none = carriers[i].model->kernel()->size(config);
        for (uint32_t count = 0; count <= PN_ATTRIBUTES_MAX; count++) {
            carriers[i].configure(config, count);
            assert_null(carriers[i].model->kernel()->check(config));
            assert_int_equal(carriers[i].model->kernel()->size(config),
                             none + count * sizeof(double) * carriers[i].places);
        }
        carriers[i].configure(config, PN_ATTRIBUTES_MAX + 1);
        assert_string_equal(carriers[i].model->kernel()->check(config), "attributes: 0..8");
        assert_int_equal(carriers[i].model->kernel()->size(config), 0);
    }
}

static void a_copy_has_those_of_one_job(void **unused)
{
    double values[] = {1.0, 2.0, 3.0, 4.0}, copy[PN_ATTRIBUTES_MAX] = {0.0};
    const pn_attributes two = {values, 2}, none = {values, 0};
    (void)unused;
    assert_null(pn_attributes_copy(none, 1, copy));
    assert_ptr_equal(pn_attributes_copy(two, 1, copy), copy);
    assert_true(copy[0] == 3.0 && copy[1] == 4.0 && copy[2] == 0.0);
}

static void infinite_ones_are_refused_and_change_nothing(void **unused)
{
    const double wrong[] = {INFINITY, -INFINITY, NAN};
    (void)unused;
    for (size_t i = 0; i < CARRIERS; i++) {
        block b = block_of(&carriers[i], 2);
        unsigned char *before = contract_room(b.size);
        hand_over(&carriers[i], &b, 1, 2);
        memcpy(before, b.sim, b.size);
        for (int k = 0; k < 6; k++) {
            double values[] = {1.5, 2.5, NAN}; /* the third is not looked at */
            values[k % 2] = wrong[k / 2];
            assert_int_equal(carriers[i].submit(b.sim, 2, values), PN_ERR_JOB);
            assert_memory_equal(before, b.sim, b.size);
        }
        hand_over(&carriers[i], &b, 2, 2);
        free(before);
        free(b.sim);
    }
}

/* Every place where the block holds this number is made another one. */
static size_t spoil(block *b, double number, double other)
{
    size_t found = 0;
    for (size_t at = 0; at + sizeof number <= b->size; at += sizeof number) {
        unsigned char *here = (unsigned char *)b->sim + at;
        if (memcmp(here, &number, sizeof number) != 0)
            continue;
        memcpy(here, &other, sizeof other);
        found++;
    }
    return found;
}

static void damaged_ones_are_found(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < CARRIERS; i++) {
        block b = block_of(&carriers[i], 3);
        for (uint64_t id = 1; id <= 9; id++)
            hand_over(&carriers[i], &b, id, 3);
        assert_int_equal(carriers[i].model->kernel()->validate(b.sim, b.size), PN_OK);
        assert_int_equal(spoil(&b, value_of(7, 2), -12.5), 1);
        assert_int_equal(carriers[i].model->kernel()->validate(b.sim, b.size), PN_OK);
        assert_int_equal(spoil(&b, -12.5, INFINITY), 1);
        assert_int_equal(carriers[i].model->kernel()->validate(b.sim, b.size), PN_ERR_DAMAGED);
        free(b.sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_and_hosts_see_what_was_handed_over),
        cmocka_unit_test(forks_carry_them_too),
        cmocka_unit_test(they_take_their_room_and_no_more),
        cmocka_unit_test(a_copy_has_those_of_one_job),
        cmocka_unit_test(infinite_ones_are_refused_and_change_nothing),
        cmocka_unit_test(damaged_ones_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
