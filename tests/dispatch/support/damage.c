/* Damaged blocks of the dispatch core: every policy, with queues, and hosts that let attempts end,
 * fail and get lost at random. */
#include "support/damage.h"

enum { STEPS = 60, NODES = 4 };

typedef struct host {
    pn_dispatch *core;
    pn_dispatch_hooks hooks;
    pn_stream *stream;
    uint64_t now, submitted;
} host;

static void launch_or_kill(void *user, const pn_dispatch_task *task)
{
    (void)user, (void)task;
}

static void on_finish(void *user, const pn_dispatch_record *job)
{
    uint64_t *sum = user;
    for (uint32_t s = 0; s < job->stage_count; s++)
        *sum += job->stages[s].ready;
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    *(uint64_t *)user += event->task;
}

static void submit(host *self)
{
    static const uint32_t parents[] = {0, 0, 1};
    pn_dispatch_stage stages[3];
    for (uint32_t s = 0; s < 3; s++)
        stages[s] = (pn_dispatch_stage){
            .demand = {random_uniform(self->stream, 1, 3), random_uniform(self->stream, 0, 2)},
            .estimate = random_uniform(self->stream, 1, 90),
            .tasks = (uint32_t)random_uniform(self->stream, 1, 3),
            .first_parent = s == 2,
            .parent_count = s};
    const pn_dispatch_job job = {.stages = stages,
                                 .parents = parents,
                                 .stage_count = (uint32_t)random_uniform(self->stream, 1, 3),
                                 .parents_count = 3,
                                 .weight = (uint32_t)random_uniform(self->stream, 1, 4),
                                 .queue = (uint32_t)random_uniform(self->stream, 0, 1),
                                 .deadline = random_uniform(self->stream, 0, 200)};
    pn_dispatch_submit(self->core, &self->hooks, self->now, &job, &self->submitted);
}

/* Something becomes of an attempt that runs. */
static void attempt(host *self)
{
    uint32_t place = (uint32_t)random_uniform(self->stream, 0,
                                              pn_dispatch_places_max(self->core) - 1);
    pn_dispatch_task task;
    if (pn_dispatch_task_get(self->core, place, &task) != PN_OK)
        return;
    if (random_uniform(self->stream, 0, 9) == 0)
        pn_dispatch_failed(self->core, &self->hooks, self->now, task.token);
    else
        pn_dispatch_finished(self->core, &self->hooks, self->now, task.token);
}

static void step(host *self)
{
    uint32_t node = (uint32_t)random_uniform(self->stream, 0, NODES - 1);
    self->now += random_uniform(self->stream, 0, 3);
    switch (random_uniform(self->stream, 0, 15)) {
    case 0:
    case 1:
        submit(self);
        break;
    case 2:
        pn_dispatch_node_down(self->core, &self->hooks, self->now, node);
        break;
    case 3:
    case 4:
        pn_dispatch_node_up(self->core, &self->hooks, self->now, node);
        break;
    case 5:
        pn_dispatch_tick(self->core, &self->hooks, self->now);
        break;
    case 6:
        pn_dispatch_cancel(self->core, &self->hooks, self->now,
                           random_uniform(self->stream, 0, self->submitted));
        break;
    case 7:
    case 8:
    case 9:
        pn_dispatch_run(self->core, &self->hooks, self->now, random_uniform(self->stream, 1, 40));
        break;
    default:
        attempt(self);
    }
}

static void ask(const pn_dispatch *core)
{
    pn_dispatch_totals totals;
    pn_dispatch_record record;
    pn_dispatch_queue_totals queue;
    pn_dispatch_times times[3];
    pn_ranked ranked[12];
    pn_dispatch_totals_get(core, &totals);
    pn_dispatch_queue_get(core, 1, &queue);
    for (uint32_t place = PN_NO_JOB; pn_dispatch_next_record(core, &place, &record) == PN_OK;)
        if (record.stage_count <= 3)
            pn_dispatch_times_get(core, place, times);
    pn_dispatch_ranking(core, ranked, 12);
    pn_dispatch_wants_ticks(core);
    pn_dispatch_digest(core);
}

static const pn_dispatch_policy *some_policy(pn_stream *stream)
{
    uint32_t count = 0;
    while (pn_dispatch_policy_at(count))
        count++;
    return pn_dispatch_policy_at(random_uniform(stream, 0, count - 1));
}

static pn_dispatch_config config_of(pn_stream *stream, const pn_dispatch_policy *policy)
{
    static const pn_dispatch_nodes nodes[] = {{{4, 4}, 3, 0}, {{3, 2}, 1, 700}};
    static const pn_dispatch_queue queues[] = {{2, 600, 900, 0}, {1, 400, 0, 0}};
    pn_dispatch_config config = pn_dispatch_defaults();
    config.nodes = nodes;
    config.nodes_count = 2;
    config.resources = 2;
    config.queues = queues;
    config.queues_count = 2;
    config.jobs_max = (uint32_t)random_uniform(stream, 1, 12);
    config.stages_max = 36;
    config.attempts_max = 40;
    config.placement = (uint32_t)random_uniform(stream, 0, 2);
    config.order = (uint32_t)random_uniform(stream, 0, 3);
    if (random_uniform(stream, 0, 3) == 0)
        config.executors = policy->order.by_queue || policy->order.packs
                               ? PN_DISPATCH_EXECUTORS_FREE
                               : PN_DISPATCH_EXECUTORS_STICKY;
    config.backfill = (uint32_t)random_uniform(stream, 0, 1);
    config.running_most = random_uniform(stream, 0, 2) == 0 ? random_uniform(stream, 1, 4) : 0;
    config.policy = random_uniform(stream, 0, 1) ? policy : NULL;
    return config;
}

static host host_of(const damage_case *at, pn_dispatch *core, pn_stream *stream, uint64_t *sum)
{
    return (host){.core = core,
                  .hooks = {.policy = at->policy,
                            .launch = launch_or_kill,
                            .kill = launch_or_kill,
                            .on_finish = on_finish,
                            .on_event = on_event,
                            .user = sum},
                  .stream = stream};
}

static void make(damage_case *at, pn_stream *stream, bool *sound)
{
    const pn_dispatch_policy *policy = some_policy(stream);
    const pn_dispatch_config config = config_of(stream, policy);
    pn_dispatch *core;
    uint64_t sum = 0;
    size_t size = pn_dispatch_size(&config);
    void *block = workload_room(size);
    if (pn_dispatch_init(&core, block, size, &config) != PN_OK)
        abort();
    *at = (damage_case){.block = block, .size = size, .policy = policy};
    host self = host_of(at, core, stream, &sum);
    uint64_t steps = random_uniform(stream, 0, 4 * STEPS);
    steps = steps % 8 == 0 ? 0 : steps; /* of some, a block that no policy has seen */
    for (uint64_t i = 0; i <= steps; i++) {
        *sound &= pn_dispatch_validate(block, size) == PN_OK;
        if (i < steps)
            step(&self);
    }
}

static void use(const damage_case *at, void *block)
{
    uint64_t sum = 0;
    pn_stream stream;
    pn_dispatch *core;
    pn_dispatch_totals totals;
    pn_stream_init(&stream, 7, 0, 9);
    if (pn_dispatch_open(&core, block, at->size) != PN_OK)
        abort();
    pn_dispatch_totals_get(core, &totals);
    host self = host_of(at, core, &stream, &sum);
    self.now = totals.time;
    self.submitted = totals.submitted;
    ask(core);
    for (int i = 0; i < 3 * STEPS; i++)
        step(&self);
    ask(core);
}

static void free_case(damage_case *at)
{
    free(at->block);
}

const damage_model damage_dispatch = {pn_dispatch_model, 6144, make, use, free_case};
