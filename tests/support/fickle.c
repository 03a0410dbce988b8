/* Hosts and policies that answer otherwise each time they are asked: keys, weights, memberships,
 * wake-ups, progress, whether a reduce has fetched, replicas, picks, orders; policies that give up
 * in the midst of a call; hooks that submit jobs. The kernel may refuse or decide anything, but the
 * block, which lies in memory of exactly its size, is valid after each call and may move between
 * two of them, a refused submission changes nothing, a policy that has given up is not asked again,
 * and the checkers accept every run that ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/support/instance.h"
#include "dag/support/instance.h"
#include "random.h"
#include "slotted/support/instance.h"
#include "tandem/support/instance.h"

enum { JOBS = 12, TASKS = 40, NODES = 5, STEPS = 400 };

static pn_stream *answers;

static struct {
    unsigned long instances, valid, steps;
} done;

static uint64_t any(uint64_t low, uint64_t high)
{
    return random_uniform(answers, low, high);
}

/* Small numbers mostly, now and then the largest. */
static uint64_t wild(uint64_t most)
{
    return any(0, 15) == 0 ? UINT64_MAX - any(0, 1) : any(0, most);
}

/* ---- what is run ---- */

static struct {
    const pn_model *model;
    void *sim; /* null: what was drawn is no valid configuration, which must not happen often */
    size_t size;
    uint64_t give_up_in; /* calls of the policy from now; 0: never */
    bool gave_up;
    const char *wrong; /* null: nothing yet */
} run;

static void must(bool holds, const char *what)
{
    if (!holds && !run.wrong)
        run.wrong = what;
}

/* Counts a call of the policy; returns true if it gives up in this one. */
static bool gives_up(void)
{
    must(!run.gave_up, "a policy that has given up is asked again");
    if (run.give_up_in == 0 || --run.give_up_in > 0)
        return false;
    return run.gave_up = true;
}

static int gives_up_or_not(void)
{
    return gives_up() ? PN_ERR_STOPPED : PN_OK;
}

static bool start(const pn_model *model, const void *config)
{
    run.model = model;
    run.size = model->size(config);
    done.valid += run.size > 0;
    void *block = run.size > 0 ? malloc(run.size) : NULL;
    if (block && model->init(&run.sim, block, run.size, config) == PN_OK)
        return true;
    free(block);
    return false;
}

static void move(void)
{
    void *block = memcpy(malloc(run.size), run.sim, run.size);
    memset(run.sim, 0xA5, run.size);
    free(run.sim);
    must(run.model->open(&run.sim, block, run.size) == PN_OK, "a copy does not open");
}

/* Checks what holds after each call. */
static bool goes_on(int status)
{
    must(run.model->validate(run.sim, run.size) == PN_OK, "the block is not valid");
    must(status != PN_ERR_STOPPED || run.gave_up, "stopped, but the policy did not give up");
    must(!run.gave_up || status < 0, "no error, but the policy gave up");
    done.steps += status == PN_OK;
    if (any(0, 15) == 0)
        move();
    return !run.wrong && !run.gave_up;
}

static void submit(const void *job)
{
    void *before = memcpy(malloc(run.size), run.sim, run.size);
    must(run.model->submit(run.sim, job, NULL) == PN_OK || memcmp(before, run.sim, run.size) == 0,
         "a refused submission changes the block");
    free(before);
}

static void draw_key(pn_key *key)
{
    key->word[0] = wild(3);
    key->word[1] = wild(3);
}

/* ---- slotted ---- */

static void slotted_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    if (pn_slotted_policy_of(view)->sizes)
        must(pn_slotted_attained(view, job) <= PN_INTEGER_MAX &&
                 pn_slotted_job_size(view, job) <= PN_INTEGER_MAX,
             "attained service or a size is out of range");
    draw_key(key);
    if (gives_up())
        pn_slotted_fail(view, PN_ERR_STOPPED);
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
    return gives_up_or_not();
}

static pn_slotted_policy draw_slotted_policy(void)
{
    pn_slotted_policy policy = {.struct_size = sizeof policy,
                                .name = "fickle",
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
    policy.sizes = (uint8_t)any(0, 1);
    return policy;
}

static void submit_slotted(uint64_t arrival)
{
    const uint64_t reduces[] = {any(1, 5), any(1, 5)};
    submit(&(pn_slotted_job){.arrival = arrival,
                             .maps = any(0, 9),
                             .reduces = reduces,
                             .reduce_count = (uint32_t)any(0, 2),
                             .estimate_maps = any(0, 3) > 0 ? 0 : wild(9)});
}

static void follow_slotted(void *user, const pn_slotted_finish *job)
{
    (void)user;
    submit_slotted(job->finish + any(0, 2));
}

static void run_slotted(void)
{
    const pn_slotted_policy policy = draw_slotted_policy();
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = (uint32_t)any(1, 8);
    config.jobs_max = JOBS;
    config.stretches_max = TASKS;
    config.reduce = any(0, 1) ? PN_SLOTTED_NONPREEMPTIVE : PN_SLOTTED_PREEMPTIVE;
    config.policy = &policy;
    config.estimates = (uint32_t)any(0, 1);
    if (!start(pn_slotted_model(), &config))
        return;
    pn_slotted_totals totals;
    pn_slotted_hooks hooks = {.policy = &policy, .on_finish = any(0, 1) ? follow_slotted : NULL};
    bool good = true;
    for (int i = 0; i < STEPS && good; i++) {
        pn_slotted_totals_get(run.sim, &totals);
        if (any(0, 2) == 0)
            submit_slotted(totals.slot + any(0, 3));
        good = goes_on(any(0, 7) > 0 ? pn_slotted_step(run.sim, &hooks)
                                     : pn_slotted_run(run.sim, &hooks, totals.slot + any(0, 9)));
    }
}

static void check_slotted(void)
{
    static slotted_instance instance;
    static slotted_outcome out;
    const pn_slotted_policy policy = draw_slotted_policy();
    pn_slotted_config config = pn_slotted_defaults();
    slotted_instance_draw(&instance, answers, (slotted_instance_limits){JOBS, 8, 20, 30});
    config.jobs_max = JOBS;
    config.reduce = any(0, 1) ? PN_SLOTTED_NONPREEMPTIVE : PN_SLOTTED_PREEMPTIVE;
    config.policy = &policy;
    if (pn_slotted_size(&config) == 0)
        return;
    slotted_instance_run(&instance, &policy, config.reduce,
                         (slotted_manner){.streaming = any(0, 1) != 0,
                                          .move_every = (uint32_t)any(0, 9),
                                          .steps_max = STEPS},
                         &out);
    done.valid++;
    done.steps += out.slots_run;
    must(out.status != PN_DONE || out.fault[0] == '\0', out.fault);
}

/* ---- tandem ---- */

static void tandem_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    (void)job;
    draw_key(key);
    if (gives_up())
        pn_tandem_fail(view, PN_ERR_STOPPED);
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

static pn_tandem_policy draw_tandem_policy(void)
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
    return policy;
}

static void submit_tandem(double arrival)
{
    submit(&(pn_tandem_job){.arrival = arrival,
                            .map = (double)any(0, 9) / 8,
                            .shuffle = (double)wild(9) / 8,
                            .estimate_map = any(0, 3) > 0 ? 0 : (double)any(0, 9) / 4});
}

static void follow_tandem(void *user, const pn_tandem_finish *job)
{
    (void)user;
    submit_tandem(job->finish + (double)any(0, 4) / 4);
}

static void run_tandem(void)
{
    const pn_tandem_policy policy = draw_tandem_policy();
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = JOBS;
    config.policy = &policy;
    config.traditional = any(0, 1) ? 1 : 0;
    config.gaps = any(0, 3) == 0;
    config.estimates = (uint32_t)any(0, 1);
    if (!start(pn_tandem_model(), &config))
        return;
    pn_tandem_totals totals;
    pn_tandem_hooks hooks = {.policy = &policy, .on_finish = any(0, 1) ? follow_tandem : NULL};
    bool good = true;
    for (int i = 0; i < STEPS && good; i++) {
        pn_tandem_totals_get(run.sim, &totals);
        if (any(0, 2) == 0)
            submit_tandem(config.gaps ? (double)any(0, 3) : totals.time + (double)any(0, 3));
        good = goes_on(
            any(0, 7) > 0
                ? pn_tandem_step(run.sim, &hooks)
                : pn_tandem_run(run.sim, &hooks, totals.time + (double)any(0, 9) / 8, any(0, 5)));
    }
}

static void check_tandem(void)
{
    static tandem_instance instance;
    static tandem_outcome out;
    const pn_tandem_policy policy = draw_tandem_policy();
    pn_tandem_config config = pn_tandem_defaults();
    tandem_instance_draw(&instance, answers, JOBS);
    config.traditional = instance.traditional;
    config.policy = &policy;
    if (pn_tandem_size(&config) == 0)
        return;
    tandem_instance_run(&instance, &policy,
                        (tandem_manner){.one_by_one = any(0, 1) != 0,
                                        .move_every = (uint32_t)any(1, 9),
                                        .moves_max = STEPS},
                        &out);
    done.valid++;
    done.steps += out.totals.instants;
    must(out.status != PN_DONE || out.fault[0] == '\0', out.fault);
}

/* ---- makespan ---- */

static int makespan_decide(pn_makespan_view *view)
{
    uint32_t jobs[JOBS + 1], count = (uint32_t)any(0, JOBS + 1);
    int status = gives_up_or_not();
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
    const pn_makespan_policy *const policies[] = {&own, pn_makespan_exact(),
                                                  pn_makespan_policy_at(any(0, builtin - 1))};
    const pn_makespan_policy *policy = policies[any(0, 2)];
    const uint64_t longest = any(0, 1) ? 5 : 97;
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = (uint32_t)any(1, 4);
    config.reduce_slots = (uint32_t)any(1, 4);
    config.jobs_max = JOBS;
    config.stretches_max = TASKS;
    config.level = any(0, 1) ? PN_MAKESPAN_TASKS : PN_MAKESPAN_STAGES;
    config.policy = policy;
    if (!start(pn_makespan_model(), &config))
        return;
    pn_makespan_hooks hooks = {.policy = policy, .stop = makespan_stop};
    for (uint64_t jobs = any(1, JOBS); jobs > 0; jobs--) {
        const pn_makespan_stretch maps = {any(1, longest), (uint32_t)any(1, 3)},
                                  reduces = {any(1, longest), (uint32_t)any(1, 3)};
        submit(&(pn_makespan_job){.stage = {{.stretches = &maps, .stretch_count = 1},
                                            {.stretches = &reduces, .stretch_count = 1}}});
    }
    int status = PN_OK;
    for (int i = 0; i < STEPS && status >= 0 && goes_on(status); i++)
        status = pn_makespan_step(run.sim, &hooks);
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
    (void)job;
    (void)kind;
    draw_key(key);
    if (gives_up())
        pn_scheduler_give_up(view, PN_ERR_STOPPED);
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

static pn_scheduler_policy draw_scheduler_policy(void)
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
static int report_task(pn_scheduler *s, const pn_scheduler_hooks *hooks, uint64_t now)
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
    const pn_scheduler_job job = {.maps = (uint32_t)any(1, any(0, 3) == 0 ? TASKS : 6),
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
        return report_task(s, hooks, now);
    default:
        return pn_scheduler_offer(s, hooks, now, node);
    }
}

static void run_scheduler(void)
{
    const pn_scheduler_policy policy = draw_scheduler_policy();
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
    if (!start(pn_scheduler_model(), &config))
        return;
    pn_scheduler_hooks hooks = {.policy = &policy,
                                .suspend = any(0, 9) > 0 ? stop_or_continue : NULL,
                                .progress = progress,
                                .fetched = fetched};
    uint64_t now = 0;
    for (int i = 0; i < STEPS && pn_scheduler_ready(run.sim, &hooks) == PN_OK; i++) {
        now += any(0, 3);
        if (!goes_on(some_event(run.sim, &hooks, now)))
            break;
    }
}

static void check_cluster(void)
{
    static cluster_instance instance;
    static cluster_outcome out;
    pn_scheduler_policy policy = draw_scheduler_policy();
    if (policy.admit) /* the checker refuses promises that are not kept */
        policy = (pn_scheduler_policy){.name = "fickle", .key = scheduler_key};
    cluster_instance_draw(&instance, answers, JOBS / 2);
    cluster_instance_choose(&instance, answers, "fifo");
    if (instance.scenario.config.max_time_ms == 0) /* kills without end */
        instance.scenario.config.max_time_ms = 100 * instance.scenario.config.tick_ms;
    pn_scheduler_config config = instance.scenario.config.scheduler;
    config.policy = &policy;
    config.copies = policy.copy != NULL;
    if (pn_scheduler_check(&config) != NULL)
        return;
    cluster_instance_run(&instance,
                         (cluster_manner){.roomy = true,
                                          .one_by_one = any(0, 1) != 0,
                                          .move_every = (uint32_t)any(0, 9),
                                          .policy = &policy},
                         &out);
    naive_cluster_free(&out.result);
    done.valid++;
    done.steps += out.totals.instants;
    must(out.status != PN_DONE || out.fault[0] == '\0', out.fault);
}

/* ---- dispatch ---- */

static void dispatch_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    const pn_dispatch_policy *policy = pn_dispatch_policy_of(view);
    (void)job;
    draw_key(key);
    if (policy->order.packs)
        *key = (pn_key){{0, 1 + key->word[1] % 9}};
    if (gives_up())
        pn_dispatch_give_up(view, PN_ERR_STOPPED);
}

static int dispatch_arrive(pn_dispatch_view *view, uint32_t job)
{
    uint64_t *last = pn_dispatch_state(view);
    must(pn_dispatch_id(view, job) == ++*last, "jobs arrive in another order than that of ids");
    return gives_up_or_not();
}

static uint64_t dispatch_score(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    for (uint32_t r = 0; r < pn_dispatch_resources(view); r++)
        must(pn_dispatch_demand(view, stage, r) <= pn_dispatch_node_free(view, node, r),
             "a node without room is scored");
    return wild(9);
}

static uint64_t dispatch_align(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    return (pn_dispatch_demand(view, stage, 0) + pn_dispatch_node_free(view, node, 0)) % 1000;
}

/* Kills, supposes and launches, be it possible or not. */
static int dispatch_preempt(pn_dispatch_view *view)
{
    for (uint32_t node = 0; node < pn_dispatch_nodes_all(view) && !run.gave_up; node++) {
        uint32_t at = pn_dispatch_next_on_node(view, node, PN_DISPATCH_NO_ATTEMPT);
        uint64_t how = any(0, 7);
        if (at == PN_DISPATCH_NO_ATTEMPT || how > 3)
            continue;
        uint32_t stage = pn_dispatch_attempt_stage(view, at);
        if (how < 2) {
            pn_dispatch_suppose(view, at);
            (how == 0 ? pn_dispatch_kill_supposed : pn_dispatch_spare_supposed)(view);
            continue;
        }
        int status = pn_dispatch_may_kill(view, at) ? PN_OK : PN_DONE;
        must(pn_dispatch_kill(view, at) == status, "a kill does not say what it did");
        pn_dispatch_launch(view, stage, (uint32_t)any(0, pn_dispatch_nodes_all(view) - 1));
    }
    return run.gave_up ? PN_ERR_STOPPED : gives_up_or_not();
}

static pn_dispatch_policy draw_dispatch_policy(void)
{
    pn_dispatch_policy policy = {
        .name = "fickle", .state_bytes = 8, .key = dispatch_key, .arrive = dispatch_arrive};
    switch (any(0, 2)) {
    case 0:
        policy.order.keys = (uint8_t)any(0, 3);
        policy.score = dispatch_score;
        break;
    case 1:
        policy.order = (pn_dispatch_order){
            .keys = PN_DISPATCH_KEYS_SERVED, .packs = 1, .virtual_run = any(0, 1) != 0};
        policy.align = dispatch_align;
        break;
    default:
        policy.order = (pn_dispatch_order){.by_queue = 1, .limits = any(0, 1) != 0};
        policy.queue_key = dispatch_key;
        policy.key = NULL;
    }
    policy.order.preempts = any(0, 1) != 0;
    policy.preempt = policy.order.preempts ? dispatch_preempt : NULL;
    return policy;
}

static void launch_or_kill(void *user, const pn_dispatch_task *task)
{
    (void)user, (void)task;
}

static int submit_dispatch(const pn_dispatch_hooks *hooks, uint64_t now)
{
    static const uint32_t parents[] = {0, 0, 1};
    pn_dispatch_stage stages[3];
    for (uint32_t s = 0; s < 3; s++)
        stages[s] = (pn_dispatch_stage){.demand = {any(0, 4), any(0, 2)},
                                        .estimate = wild(90),
                                        .tasks = (uint32_t)any(0, 3),
                                        .first_parent = s == 2,
                                        .parent_count = s};
    const pn_dispatch_job job = {.stages = stages,
                                 .parents = parents,
                                 .stage_count = (uint32_t)any(0, 3),
                                 .parents_count = 3,
                                 .weight = (uint32_t)any(0, 4),
                                 .queue = (uint32_t)any(0, 2),
                                 .deadline = wild(99)};
    return pn_dispatch_submit(run.sim, hooks, now, &job, NULL);
}

static int dispatch_event(const pn_dispatch_hooks *hooks, uint64_t now)
{
    uint32_t node = (uint32_t)any(0, NODES);
    pn_dispatch_task task = {.token = wild(99)};
    switch (any(0, 11)) {
    case 0:
    case 1:
        return submit_dispatch(hooks, now);
    case 2:
        return pn_dispatch_node_down(run.sim, hooks, now, node);
    case 3:
    case 4:
        return pn_dispatch_node_up(run.sim, hooks, now, node);
    case 5:
        return pn_dispatch_tick(run.sim, hooks, now);
    case 6:
        return any(0, 2) == 0 ? pn_dispatch_cancel(run.sim, hooks, now, wild(20)) : PN_DONE;
    case 7:
    case 8:
        return pn_dispatch_run(run.sim, hooks, now, any(1, 40));
    default:
        pn_dispatch_task_get(run.sim, (uint32_t)any(0, 30), &task);
        return (any(0, 9) == 0 ? pn_dispatch_failed : pn_dispatch_finished)(run.sim, hooks, now,
                                                                            task.token);
    }
}

static void run_dispatch(void)
{
    static const pn_dispatch_nodes nodes[] = {{{4, 4}, 3, 0}, {{3, 2}, 2, 700}};
    static const pn_dispatch_queue queues[] = {{2, 600, 900, 0}, {1, 400, 0, 0}};
    const pn_dispatch_policy policy = draw_dispatch_policy();
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = nodes;
    config.nodes_count = 2;
    config.resources = 2;
    config.queues = queues;
    config.queues_count = any(0, 1) ? 2 : 0;
    config.jobs_max = JOBS;
    config.stages_max = 3 * JOBS;
    config.attempts_max = (uint32_t)any(4, TASKS);
    config.placement = (uint32_t)any(0, 2);
    config.order = (uint32_t)any(0, 2);
    config.backfill = (uint32_t)any(0, 1);
    config.policy = &policy;
    if (!start(pn_dispatch_model(), &config))
        return;
    const pn_dispatch_hooks hooks = {
        .policy = &policy, .launch = launch_or_kill, .kill = launch_or_kill};
    uint64_t now = 0;
    for (int i = 0; i < STEPS; i++) {
        now += any(0, 3);
        if (!goes_on(dispatch_event(&hooks, now)))
            break;
    }
}

static void check_dag(void)
{
    static dag_instance instance;
    const pn_dispatch_policy policy = draw_dispatch_policy();
    naive_dag_result want;
    static dag_outcome out;
    done.valid++;
    dag_instance_draw(&instance, answers, JOBS / 2);
    if (naive_dag_too_large(&instance.scenario) != instance.scenario.job_count)
        return;
    instance.scenario.policy = "fifo";
    if (instance.scenario.params.max_time_ms == 0) /* kills without end */
        instance.scenario.params.max_time_ms = 1000;
    naive_dag_run(&instance.scenario, &want);
    dag_instance_run(&instance.scenario, &want,
                     (dag_manner){.one_by_one = any(0, 1) != 0,
                                  .move_every = (uint32_t)any(0, 9),
                                  .policy = &policy},
                     &out);
    naive_dag_free(&out.result);
    naive_dag_free(&want);
    done.steps += out.totals.instants;
    must(out.status != PN_DONE || out.fault[0] == '\0', out.fault);
}

/* ---- all ---- */

static bool check_instance(pn_stream *stream, uint32_t number, uint32_t policy)
{
    static void (*const kinds[])(void) = {run_slotted,  run_tandem,    run_makespan, run_scheduler,
                                          run_dispatch, check_cluster, check_dag};
    static void (*const checked[])(void) = {check_slotted, check_tandem};
    uint32_t kind = number % (sizeof kinds / sizeof kinds[0]);
    bool is_checked = kind < 2 && number / (sizeof kinds / sizeof kinds[0]) % 4 == 3;
    (void)policy;
    answers = stream;
    memset(&run, 0, sizeof run);
    if (any(0, 3) == 0)
        run.give_up_in = any(1, 300);
    (is_checked ? checked : kinds)[kind]();
    free(run.sim);
    done.instances++;
    if (run.wrong)
        printf("\nFAILED: %s\n", run.wrong);
    return !run.wrong;
}

static bool report(void)
{
    printf("%lu valid, %lu steps, nothing outside a block\n", done.valid, done.steps);
    return done.valid > done.instances / 2 && done.steps > 10 * done.instances;
}

const random_check random_fickle = {"fickle", check_instance, report};
