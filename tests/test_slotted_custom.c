/* Policies of one's own in all three forms, against a simulator that looks at every job in every slot and asks a rule whom to
 * serve. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "workload.h"

enum { JOBS = 60, MACHINES = 9 };

/* ---- the simulator ---- */

typedef struct plain_job {
    uint64_t id, arrival, maps, reduces; /* reduces: units not run, those of running tasks too */
    uint64_t ends[WORKLOAD_TASKS];       /* last slots of the running tasks */
    size_t held, next_task;              /* tasks running; first task not started */
    uint64_t given, offer, weight;
    bool finished;
} plain_job;

typedef struct plain_rule {
    /* Whether a machine goes to `a` rather than to `b`, given what they hold and were given so far. */
    bool (*before)(const plain_job *a, const plain_job *b, uint64_t slot);
    bool one_by_one; /* a machine at a time; else as many as the job can use */
} plain_rule;

static uint64_t plain_offer(const plain_job *job, const pn_slotted_job *spec, uint32_t reduce)
{
    if (job->maps > 0)
        return job->maps;
    return reduce == PN_PREEMPTIVE ? job->reduces : spec->reduce_count - job->next_task;
}

static void plain_decide(plain_job *jobs, size_t count, uint64_t slot, uint64_t idle, const plain_rule *rule)
{
    while (idle > 0) {
        plain_job *best = NULL;
        for (size_t i = 0; i < count; i++)
            if (jobs[i].arrival <= slot && jobs[i].given < jobs[i].offer && (!best || rule->before(&jobs[i], best, slot)))
                best = &jobs[i];
        if (!best)
            return;
        uint64_t gift = rule->one_by_one ? 1 : best->offer - best->given;
        gift = gift < idle ? gift : idle;
        best->given += gift;
        idle -= gift;
    }
}

static uint64_t entry(uint64_t slot, uint64_t kind, uint64_t id, uint64_t amount)
{
    return pn_mix(pn_mix(pn_mix(pn_mix(PN_MIX_START, slot), kind), id), amount);
}

/* Makes a job's gift true; returns what the digest sums up. */
static uint64_t plain_apply(plain_job *job, const pn_slotted_job *spec, uint64_t slot, uint32_t reduce)
{
    uint64_t given = job->given;
    uint64_t sum = 0;
    if (given > 0 && job->maps > 0) {
        job->maps -= given;
        sum = entry(slot, PN_MAP, job->id, given);
    } else if (given > 0 && reduce == PN_PREEMPTIVE) {
        job->reduces -= given;
        sum = entry(slot, PN_REDUCE, job->id, given);
    } else if (given > 0) {
        sum = entry(slot, PN_START, job->id, given);
        for (uint64_t i = 0; i < given; i++)
            job->ends[job->held++] = slot + spec->reduces[job->next_task++] - 1;
    }
    for (size_t k = job->held; reduce == PN_NONPREEMPTIVE && k-- > 0;) {
        job->reduces--;
        if (job->ends[k] == slot)
            job->ends[k] = job->ends[--job->held];
    }
    if (job->maps + job->reduces == 0 && job->arrival <= slot && !job->finished) {
        job->finished = true;
        sum += entry(slot, PN_FINISH, job->id, 0);
    }
    job->given = 0;
    return sum;
}

static uint64_t plain_run(const workload *work, uint32_t reduce, const plain_rule *rule)
{
    plain_job jobs[JOBS] = {0};
    uint64_t digest = 0;
    size_t left = work->count;
    for (size_t i = 0; i < work->count; i++) {
        jobs[i] =
            (plain_job){.id = i + 1, .arrival = work->jobs[i].arrival, .maps = work->jobs[i].maps, .weight = 1 + (i + 1) % 4};
        for (size_t k = 0; k < work->jobs[i].reduce_count; k++)
            jobs[i].reduces += work->jobs[i].reduces[k];
    }
    for (uint64_t slot = 1; left > 0; slot++) {
        uint64_t idle = MACHINES;
        uint64_t sum = 0;
        for (size_t i = 0; i < work->count; i++) {
            jobs[i].offer = plain_offer(&jobs[i], &work->jobs[i], reduce);
            idle -= jobs[i].held;
        }
        plain_decide(jobs, work->count, slot, idle, rule);
        left = 0;
        for (size_t i = 0; i < work->count; i++) {
            sum += plain_apply(&jobs[i], &work->jobs[i], slot, reduce);
            left += !jobs[i].finished;
        }
        if (sum != 0)
            digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), slot), sum);
    }
    return digest;
}

/* ---- comparing ---- */

static void check(const pn_slotted_policy *policy, const plain_rule *rule)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        workload work = workload_new(JOBS, seed, (workload_shape){.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5});
        for (uint32_t reduce = 0; reduce < MODES; reduce++) {
            pn_slotted_config config = workload_config(&work, MACHINES, reduce);
            config.runs_max = (uint32_t)work.count * WORKLOAD_TASKS;
            config.policy = policy;
            uint64_t digest = workload_digest(&work, &config, &(pn_slotted_hooks){.policy = policy}, NULL);
            assert_int_equal(digest, plain_run(&work, reduce, rule));
        }
        workload_free(&work);
    }
}

/* ---- a key: the last first ---- */

static void by_id_falling(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = 3;
    key->word[1] = UINT64_MAX - pn_slotted_id(view, job);
}

static bool later(const plain_job *a, const plain_job *b, uint64_t slot)
{
    (void)slot;
    return a->id > b->id;
}

static const pn_slotted_policy lifo = {
    .name = "lifo",
    .preemptive = 1,
    .nonpreemptive = 1,
    .order_count = 1,
    .orders = {{by_id_falling, PN_CHANGES_ON_ARRIVAL, PN_WITH_MAPS | PN_WITH_REDUCES, 0}},
};

static void a_key_policy(void **unused)
{
    (void)unused;
    check(&lifo, &(plain_rule){later, false});
}

/* ---- shares by weight ---- */

static uint64_t weight_of(const pn_slotted_view *view, uint32_t job)
{
    return 1 + pn_slotted_id(view, job) % 4;
}

static bool smaller_share(const plain_job *a, const plain_job *b, uint64_t slot)
{
    uint64_t x = (a->held + a->given) * b->weight;
    uint64_t y = (b->held + b->given) * a->weight;
    (void)slot;
    return x != y ? x < y : a->id < b->id;
}

static void shares_by_weight(void **unused)
{
    pn_slotted_policy policy = pn_slotted_fair;
    (void)unused;
    policy.name = "weighted";
    policy.weight = weight_of;
    check(&policy, &(plain_rule){smaller_share, true});
}

/* The same machines one by one, but said in an act. */
static int act_by_shares(pn_slotted_view *view)
{
    return pn_slotted_share(view, 0, PN_ALL_IDLE);
}

static void an_act_that_shares(void **unused)
{
    pn_slotted_policy policy = pn_slotted_fair;
    (void)unused;
    policy.name = "acting";
    policy.weight = weight_of;
    policy.act = act_by_shares;
    check(&policy, &(plain_rule){smaller_share, true});
}

/* ---- keys that move with time ---- */

enum { SCALE = 1 << 16 };

static uint64_t ratio(uint64_t remaining, uint64_t arrival, uint64_t slot)
{
    return remaining * SCALE / (slot - arrival + 1);
}

/* What remains against how long the job has waited: jobs overtake each other while nobody serves them. */
static void by_ratio(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = ratio(pn_slotted_remaining(view, job), pn_slotted_arrival(view, job), pn_slotted_slot(view));
}

static bool smaller_ratio(const plain_job *a, const plain_job *b, uint64_t slot)
{
    uint64_t x = ratio(a->maps + a->reduces, a->arrival, slot);
    uint64_t y = ratio(b->maps + b->reduces, b->arrival, slot);
    return x != y ? x < y : a->id < b->id;
}

static const pn_slotted_policy aging = {
    .name = "aging",
    .preemptive = 1,
    .nonpreemptive = 1,
    .order_count = 1,
    .orders = {{by_ratio, PN_CHANGES_WITH_TIME, PN_WITH_MAPS | PN_WITH_REDUCES, 0}},
};

static int act_along_the_tree(pn_slotted_view *view)
{
    int status = PN_OK;
    uint32_t job = PN_NO_JOB;
    while (status == PN_OK && pn_slotted_idle(view) > 0 && (job = pn_slotted_next_at_least(view, 0, job, 1)) != PN_NO_JOB) {
        uint64_t offer = pn_slotted_offer(view, job);
        status = pn_slotted_give(view, job, offer < pn_slotted_idle(view) ? offer : pn_slotted_idle(view));
    }
    return status;
}

static void keys_that_change_with_time(void **unused)
{
    pn_slotted_policy in_tree = aging;
    pn_slotted_policy frozen = aging;
    plain_rule rule = {smaller_ratio, false};
    (void)unused;
    check(&aging, &rule);
    in_tree.name = "aging_tree";
    in_tree.orders[0].fit = 1;
    in_tree.act = act_along_the_tree;
    check(&in_tree, &rule);

    /* The test is only worth something if time really changes the order. */
    workload work = workload_new(JOBS, 1, (workload_shape){.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5});
    pn_slotted_config config = workload_config(&work, MACHINES, PN_PREEMPTIVE);
    frozen.orders[0].changes = PN_CHANGES_WHEN_SERVED;
    assert_int_not_equal(workload_digest(&work, &config, &(pn_slotted_hooks){.policy = &frozen}, NULL),
                         plain_run(&work, PN_PREEMPTIVE, &rule));
    workload_free(&work);
}

/* ---- an act with parameters, state and several orders ---- */

typedef struct memory {
    uint64_t slots;
} memory;

/* Every `period`-th slot belongs to the jobs in their reduces first, the others to those in their maps. */
static int act_by_turns(pn_slotted_view *view)
{
    memory *own = pn_slotted_state(view);
    uint32_t first = own->slots++ % (uint64_t)pn_slotted_param_value(view, 0) == 0;
    assert_int_equal(pn_slotted_machines(view), MACHINES);
    int status = pn_slotted_fill(view, first, PN_ALL_IDLE);
    return status == PN_OK ? pn_slotted_fill(view, 1 - first, PN_ALL_IDLE) : status;
}

static uint64_t turns;

static bool by_turns(const plain_job *a, const plain_job *b, uint64_t slot)
{
    (void)slot;
    bool reduces_first = turns == 0;
    if ((a->maps == 0) != (b->maps == 0))
        return (a->maps == 0) == reduces_first;
    return a->id < b->id;
}

static void an_act_with_state_and_parameters(void **unused)
{
    const int64_t one[] = {1};
    pn_slotted_policy policy = {
        .name = "turns",
        .preemptive = 1,
        .order_count = 2,
        .orders = {{NULL, PN_CHANGES_ON_ARRIVAL, PN_WITH_MAPS, 0}, {NULL, PN_CHANGES_ON_ARRIVAL, PN_WITH_REDUCES, 0}},
        .param_count = 1,
        .params = {{"period", 1000000, 1, 1000000, ""}},
        .act = act_by_turns,
        .state_bytes = sizeof(memory),
    };
    (void)unused;
    workload work = workload_new(JOBS, 5, (workload_shape){.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5});
    pn_slotted_config config = workload_config(&work, MACHINES, PN_PREEMPTIVE);
    config.policy = &policy;
    turns = 0; /* as with period 1: reduces first in all slots */
    assert_int_equal(workload_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy, .params = one}, NULL),
                     plain_run(&work, PN_PREEMPTIVE, &(plain_rule){by_turns, false}));
    turns = 1; /* maps first in all slots but one: the first, in which there are no reduces yet */
    work.jobs[0].maps += work.jobs[0].maps == 0;
    assert_int_equal(workload_digest(&work, &config, &(pn_slotted_hooks){.policy = &policy}, NULL),
                     plain_run(&work, PN_PREEMPTIVE, &(plain_rule){by_turns, false}));
    workload_free(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_policy),
        cmocka_unit_test(shares_by_weight),
        cmocka_unit_test(an_act_that_shares),
        cmocka_unit_test(keys_that_change_with_time),
        cmocka_unit_test(an_act_with_state_and_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
