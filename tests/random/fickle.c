/* Callbacks that answer otherwise each time they are asked: keys, weights, memberships, wake-ups,
 * progress, whether a reduce has fetched, replicas, picks, orders. The kernel may refuse or decide
 * anything; it may not read or write outside its block, which lies in memory of exactly its size,
 * nor abort, nor go on for ever. Of use with sanitizers.
 *
 *   random_fickle [SECONDS [COUNT [SEED[:FIRST]]]]     see random.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pinion.h"
#include "support/random.h"

enum { JOBS = 12, TASKS = 40, NODES = 5, STEPS = 400 };

static pn_stream answers;
static unsigned long valid, done_steps;

static uint64_t any(uint64_t low, uint64_t high)
{
    return pn_uniform(&answers, low, high);
}

/* Small numbers mostly, now and then the largest. */
static uint64_t wild(uint64_t most)
{
    return any(0, 15) == 0 ? UINT64_MAX - any(0, 1) : any(0, most);
}

/* Null where what was drawn is no valid policy or configuration, which must not happen often. */
static void *exact_room(size_t size)
{
    valid += size > 0;
    return size > 0 ? malloc(size) : NULL;
}

static void draw_key(pn_key *key)
{
    key->word[0] = wild(3);
    key->word[1] = wild(3);
}

/* ---- slotted ---- */

static void slotted_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    (void)view;
    (void)job;
    draw_key(key);
}

static uint64_t slotted_weight(const pn_slotted_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    return wild(9);
}

static int slotted_act(pn_slotted_view *view)
{
    const pn_slotted_policy *policy = pn_slotted_policy_of(view);
    int status = PN_OK;
    for (uint64_t calls = any(0, 4); calls > 0 && status == PN_OK; calls--) {
        uint32_t order = (uint32_t)any(0, policy->order_count - 1u);
        uint32_t after = pn_slotted_next_at_least(view, policy->order_count - 1u, PN_NO_JOB,
                                                  wild(4));
        if (after != PN_NO_JOB)
            status = pn_slotted_give(view, after, wild(3));
        else
            status = pn_slotted_fill(view, order, wild(9));
    }
    return status;
}

static int slotted_tick(pn_slotted_view *view)
{
    (void)view;
    return PN_OK;
}

static void run_slotted(void)
{
    pn_slotted_policy policy = {.name = "fickle",
                                .preemptive = 1,
                                .nonpreemptive = 1,
                                .order_count = 2,
                                .tick = slotted_tick,
                                .tick_slots = any(0, 3),
                                .act = any(0, 2) > 0 ? slotted_act : NULL,
                                .weight = slotted_weight};
    for (uint32_t i = 0; i < 2; i++)
        policy.orders[i] = (pn_slotted_order){
            .key = slotted_key,
            .changes = (uint8_t)any(0, policy.tick_slots > 0 ? 3 : 2),
            .members = (uint8_t)any(1, 7),
            .fit = i == 1};
    if (!policy.act && any(0, 1)) {
        policy.orders[0] = (pn_slotted_order){pn_slotted_share_key, PN_SLOTTED_CHANGES_WHEN_SERVED,
                                              PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES, 0};
        policy.order_count = 1;
    }
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = (uint32_t)any(1, 8);
    config.jobs_max = JOBS;
    config.stretches_max = TASKS;
    config.reduce = any(0, 1) ? PN_SLOTTED_NONPREEMPTIVE : PN_SLOTTED_PREEMPTIVE;
    config.policy = &policy;
    size_t size = pn_slotted_size(&config);
    void *block = exact_room(size);
    if (!block)
        return;
    pn_slotted *sim;
    pn_slotted_hooks hooks = {.policy = &policy};
    bool good = pn_slotted_init(&sim, block, size, &config) == PN_OK;
    for (int i = 0; i < STEPS && good; i++) {
        const uint64_t reduces[] = {any(1, 5), any(1, 5)};
        pn_slotted_totals totals;
        pn_slotted_totals_get(sim, &totals);
        const pn_slotted_job job = {.arrival = totals.slot + any(1, 3),
                                    .maps = any(0, 9),
                                    .reduces = reduces,
                                    .reduce_count = (uint32_t)any(0, 2)};
        if (any(0, 2) == 0)
            pn_slotted_submit(sim, &job, NULL);
        done_steps += pn_slotted_step(sim, &hooks) == PN_OK;
    }
    free(block);
}

/* ---- tandem ---- */

static void tandem_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    (void)view;
    (void)job;
    draw_key(key);
}

static int tandem_member(const pn_tandem_view *view, uint32_t job)
{
    (void)view;
    (void)job;
    return (int)any(0, 3);
}

static double tandem_wake(const pn_tandem_view *view)
{
    static const double delays[] = {0, 1e-14, 5e-324, 0.25, 1, 1e300, -1};
    (void)view;
    return delays[any(0, 6)];
}

static int tandem_act(pn_tandem_view *view)
{
    int status = PN_OK;
    for (uint64_t calls = any(0, 4); calls > 0 && status == PN_OK; calls--) {
        double capacity = (double)wild(2), left;
        status = any(0, 1) ? pn_tandem_fill_map(view, 0, capacity, &left)
                           : pn_tandem_fill_shuffle(view, 1, capacity, NULL);
    }
    return status;
}

static void run_tandem(void)
{
    pn_tandem_policy policy = {
        .name = "fickle",
        .order_count = 2,
        .map = {.way = PN_TANDEM_FIRST, .order = 0},
        .shuffle = {.way = PN_TANDEM_FIRST, .order = 1},
        .act = any(0, 1) ? tandem_act : NULL,
        .wake = any(0, 1) ? tandem_wake : NULL,
        .orders = {{tandem_key, NULL, (uint8_t)any(0, 2), PN_TANDEM_MAPPING},
                   {tandem_key, NULL, (uint8_t)any(0, 2), PN_TANDEM_BACKLOG}}};
    if (policy.act)
        policy.orders[0].member = policy.orders[1].member = tandem_member;
    else if (any(0, 2) == 0)
        policy.map = (pn_tandem_service){
            .way = PN_TANDEM_SHARE, .order = 0, .limit = (uint32_t)any(0, 3)};
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = JOBS;
    config.policy = &policy;
    config.traditional = any(0, 1) ? 1 : 0;
    size_t size = pn_tandem_size(&config);
    void *block = exact_room(size);
    if (!block)
        return;
    pn_tandem *sim;
    pn_tandem_hooks hooks = {.policy = &policy};
    bool good = pn_tandem_init(&sim, block, size, &config) == PN_OK;
    for (int i = 0; i < STEPS && good; i++) {
        pn_tandem_totals totals;
        pn_tandem_totals_get(sim, &totals);
        const pn_tandem_job job = {.arrival = totals.time + (double)any(0, 3),
                                   .map = (double)any(0, 9) / 8,
                                   .shuffle = (double)any(0, 9) / 8};
        if (any(0, 2) == 0)
            pn_tandem_submit(sim, &job, NULL);
        done_steps += pn_tandem_step(sim, &hooks) == PN_OK;
    }
    free(block);
}

/* ---- makespan ---- */

static int makespan_decide(pn_makespan_view *view)
{
    uint32_t jobs[JOBS + 1], count = (uint32_t)any(0, JOBS + 1);
    int status = PN_OK;
    for (uint32_t i = 0; i <= JOBS; i++)
        jobs[i] = any(0, 9) == 0 ? (uint32_t)wild(JOBS) : i;
    for (uint64_t calls = any(1, 3); calls > 0 && status == PN_OK; calls--)
        status = any(0, 1) ? pn_makespan_give_order(view, jobs, count)
                           : pn_makespan_give_pool(view, (uint32_t)wild(3), jobs,
                                                   (uint32_t)any(0, count));
    return status;
}

static int makespan_stop(void *user)
{
    (void)user;
    return any(0, 30) == 0;
}

static void run_makespan(void)
{
    const pn_makespan_policy own = {.name = "fickle", .decide = makespan_decide};
    uint32_t builtin = 0;
    while (pn_makespan_policy_at(builtin))
        builtin++;
    const pn_makespan_policy *policy = any(0, 1) ? &own
                                                 : pn_makespan_policy_at(any(0, builtin - 1));
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = (uint32_t)any(1, 4);
    config.reduce_slots = (uint32_t)any(1, 4);
    config.jobs_max = JOBS;
    config.stretches_max = TASKS;
    config.level = any(0, 1) ? PN_MAKESPAN_TASKS : PN_MAKESPAN_STAGES;
    config.policy = policy;
    size_t size = pn_makespan_size(&config);
    void *block = exact_room(size);
    if (!block)
        return;
    pn_makespan *sim;
    pn_makespan_hooks hooks = {.policy = policy, .stop = makespan_stop};
    int status = pn_makespan_init(&sim, block, size, &config);
    for (uint64_t jobs = any(1, JOBS); jobs > 0 && status >= 0; jobs--) {
        const pn_makespan_stretch maps = {any(1, 5), (uint32_t)any(1, 3)},
                                  reduces = {any(1, 5), (uint32_t)any(1, 3)};
        const pn_makespan_job job = {.stage = {{.stretches = &maps, .stretch_count = 1},
                                               {.stretches = &reduces, .stretch_count = 1}}};
        pn_makespan_submit(sim, &job, NULL);
    }
    for (int i = 0; i < STEPS && status >= 0; i++)
        status = pn_makespan_step(sim, &hooks);
    free(block);
}

/* ---- scheduler ---- */

static uint32_t replicas(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    uint32_t count = *(const int *)where ? (uint32_t)any(0, 3) : (map + 1) % 4;
    for (uint32_t i = 0; i < count && i < most; i++)
        nodes[i] = *(const int *)where ? (uint32_t)(any(0, 9) > 0 ? (map + i) % NODES : wild(NODES))
                                       : (map + i) % NODES;
    return *(const int *)where && any(0, 40) == 0 ? (uint32_t)wild(9) : count;
}

static uint32_t progress(void *user, const pn_scheduler_task *task)
{
    (void)user;
    (void)task;
    return (uint32_t)wild(1000000);
}

static int fetched(void *user, const pn_scheduler_task *task)
{
    (void)user;
    (void)task;
    return (int)any(0, 2) - 1;
}

static void stop_or_continue(void *user, const pn_scheduler_task *task)
{
    (void)user;
    (void)task;
}

static void scheduler_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)view;
    (void)job;
    (void)kind;
    draw_key(key);
}

static int scheduler_plan(pn_scheduler_view *view, uint32_t reason)
{
    (void)reason;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job))
        pn_scheduler_weigh(view, job, wild(9));
    return PN_OK;
}

static int scheduler_preempt(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    return job != PN_NO_JOB && any(0, 3) == 0
               ? pn_scheduler_kill(view, job, kind, (uint32_t)wild(2), NULL)
               : PN_OK;
}

static int scheduler_preempt_or_suspend(pn_scheduler_view *view, uint32_t kind)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    if (job == PN_NO_JOB || any(0, 1) == 0)
        return scheduler_preempt(view, kind);
    return any(0, 1) == 0 ? pn_scheduler_suspend(view, job, kind, (uint32_t)wild(2), NULL)
                          : pn_scheduler_suspend_attempt(view, (uint32_t)wild(3 * NODES));
}

static int scheduler_copy(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    (void)node;
    if (any(0, 20) == 0)
        *place = (uint32_t)wild(3 * NODES);
    else if (job != PN_NO_JOB)
        *place = pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
    return any(0, 3) > 0 ? PN_OK : (*place = PN_SCHEDULER_NO_ATTEMPT, PN_OK);
}

static int scheduler_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    int status = any(0, 1) ? pn_scheduler_foresee(view, job, answer) : PN_OK;
    *answer = (pn_scheduler_answer){
        wild(3), (uint32_t)wild(1), (uint32_t)wild(1), wild(99), wild(99), wild(3), {0, 0}};
    return status;
}

static int scheduler_pick(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    (void)node;
    *job = any(0, 30) == 0 ? (uint32_t)wild(JOBS) : pn_scheduler_first(view, kind);
    return PN_OK;
}

static pn_scheduler_policy draw_policy(void)
{
    pn_scheduler_policy policy = {.name = "fickle",
                                  .key = scheduler_key,
                                  .order = {.keys = (uint8_t)any(0, PN_SCHEDULER_KEYS_TIMED)}};
    switch (any(0, 4)) {
    case 0:
        policy.order.shares = PN_SCHEDULER_SHARES_CONSERVING;
        policy.order.estimates = 1;
        policy.order.colocates = any(0, 1) != 0;
        policy.order.delays = !policy.order.colocates;
        policy.plan = scheduler_plan;
        policy.preempt = scheduler_preempt_or_suspend;
        break;
    case 1:
        policy.order = (pn_scheduler_order){.started_first = 1};
        policy.admission = (pn_scheduler_admission){.finishes = PN_SCHEDULER_FINISHES_FORECAST,
                                                    .maps_first = 1,
                                                    .reserve = PN_SCHEDULER_RESERVE_ALL};
        policy.admit = scheduler_admit;
        break;
    case 2:
        policy.pick = scheduler_pick;
        break;
    case 3:
        policy.copy = scheduler_copy;
        policy.preempt = scheduler_preempt_or_suspend;
        break;
    default:
        break;
    }
    return policy;
}

/* Some message about an attempt: of one that runs, or with any token at all. */
static int report(pn_scheduler *s, const pn_scheduler_hooks *hooks, uint64_t now)
{
    int (*const events[])(pn_scheduler *, const pn_scheduler_hooks *, uint64_t, uint64_t) = {
        pn_scheduler_finished, pn_scheduler_finished, pn_scheduler_finished, pn_scheduler_failed,
        pn_scheduler_started};
    pn_scheduler_task task;
    uint64_t token = wild(99);
    if (pn_scheduler_task_get(s, (uint32_t)any(0, pn_scheduler_places_max(s)), &task) == PN_OK)
        token = task.token;
    return events[any(0, 4)](s, hooks, now, token);
}

static int some_event(pn_scheduler *s, const pn_scheduler_hooks *hooks, uint64_t now)
{
    int fickle = any(0, 1) == 0;
    const pn_scheduler_job job = {.maps = (uint32_t)any(1, 6),
                                  .reduces = (uint32_t)any(0, 3),
                                  .replicas = replicas,
                                  .where = &fickle,
                                  .deadline = any(1, 99),
                                  .est_ms = {any(1, 9), any(1, 9)},
                                  .weight = (uint32_t)any(0, 3),
                                  .priority = (int32_t)any(0, 2) - 1};
    uint32_t node = (uint32_t)any(0, NODES);
    pn_scheduler_answer answer;
    switch (any(0, 13)) {
    case 13:
        if (any(0, 1) == 0)
            return pn_scheduler_resize(s, hooks, now, node, (uint32_t)wild(2), (uint32_t)any(0, 1));
        return any(0, 2) == 0 ? pn_scheduler_cancel(s, hooks, now, wild(20)) : PN_DONE;
    case 0:
        return pn_scheduler_submit(s, hooks, now, &job, NULL);
    case 1:
        return pn_scheduler_ask(s, hooks, now, &job, &answer);
    case 2:
        return pn_scheduler_node_down(s, hooks, now, node);
    case 3:
        return pn_scheduler_node_up(s, hooks, now, node);
    case 4:
        return pn_scheduler_tick(s, hooks, now);
    case 5:
    case 6:
    case 7:
    case 8:
        return report(s, hooks, now);
    default:
        return pn_scheduler_offer(s, hooks, now, node);
    }
}

static void run_scheduler(void)
{
    const pn_scheduler_policy policy = draw_policy();
    const pn_scheduler_nodes nodes = {.count = NODES, .map_slots = 2, .reduce_slots = 1};
    pn_scheduler_config config = pn_scheduler_defaults();
    config.nodes = &nodes;
    config.nodes_count = 1;
    config.jobs_max = JOBS;
    config.tasks_max = TASKS;
    config.replicas_max = TASKS;
    config.replicas_of_map = 3;
    config.policy = &policy;
    config.suspended_max = (uint32_t)any(0, 4);
    config.copies = policy.copy != NULL;
    size_t size = pn_scheduler_size(&config);
    void *block = exact_room(size);
    if (!block)
        return;
    pn_scheduler *s;
    pn_scheduler_hooks hooks = {.policy = &policy,
                                .suspend = any(0, 9) > 0 ? stop_or_continue : NULL,
                                .progress = progress,
                                .fetched = fetched};
    uint64_t now = 0;
    int status = pn_scheduler_init(&s, block, size, &config);
    for (int i = 0; i < STEPS && status == PN_OK && pn_scheduler_ready(s, &hooks) == PN_OK; i++) {
        now += any(0, 3);
        done_steps += some_event(s, &hooks, now) == PN_OK;
    }
    free(block);
}

/* ---- all ---- */

static void check(uint64_t seed, uint32_t instance)
{
    static void (*const models[])(void) = {run_slotted, run_tandem, run_makespan, run_scheduler};
    pn_stream_init(&answers, seed, instance, 1);
    models[instance % 4]();
}

int main(int argc, char **argv)
{
    const random_plan plan = random_read(argc, argv);
    unsigned long done = 0;
    clock_t end = clock() + (clock_t)(plan.seconds * CLOCKS_PER_SEC);
    printf("random_fickle: seed %llu", (unsigned long long)plan.seed);
    fflush(stdout); /* before anything goes wrong */
    for (; done < plan.count && (done < 4 || plan.seconds <= 0 || clock() < end); done++) {
        check(plan.seed, plan.first + (uint32_t)done);
    }
    printf(", %lu instances, %lu of them valid, %lu steps, nothing outside a block\n", done, valid,
           done_steps);
    return valid > done / 2 && done_steps > 10 * done ? 0 : 1;
}
