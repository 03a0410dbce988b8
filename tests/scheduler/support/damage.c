/* Damaged blocks of the scheduler core: every policy, with hosts that let attempts end, fail and
 * get lost at random. */
#include "damage.h"

enum { STEPS = 60, NODES = 5 };

typedef struct host {
    pn_scheduler *core;
    pn_scheduler_hooks hooks;
    pn_stream *stream;
    uint64_t now;
} host;

static uint32_t replicas(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    uint32_t count = map % 3 < most ? map % 3 : most;
    (void)where;
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = (map * 2 + i) % NODES;
    return count;
}

static uint32_t progress(void *user, const pn_scheduler_task *task)
{
    (void)user;
    return (uint32_t)(task->token * 7919 % 1000001);
}

static int fetched(void *user, const pn_scheduler_task *task)
{
    (void)user;
    return task->token % 3 == 0;
}

static void stop_or_continue(void *user, const pn_scheduler_task *task)
{
    (void)user, (void)task;
}

static pn_scheduler_hooks hooks_for(const damage_case *at)
{
    return (pn_scheduler_hooks){.policy = at->policy,
                                .params = at->rest,
                                .suspend = stop_or_continue,
                                .progress = progress,
                                .fetched = fetched};
}

static void submit(host *self, bool ask)
{
    pn_scheduler_answer answer;
    pn_scheduler_job job = {
        .maps = (uint32_t)random_uniform(self->stream, 1, 9),
        .reduces = (uint32_t)random_uniform(self->stream, 0, 4),
        .replicas = replicas,
        .deadline = random_uniform(self->stream, 20, 200),
        .est_ms = {random_uniform(self->stream, 1, 20), random_uniform(self->stream, 1, 20)},
        .group = (uint32_t)random_uniform(self->stream, 0, 1)};
    if (ask)
        pn_scheduler_ask(self->core, &self->hooks, self->now, &job, &answer);
    else
        pn_scheduler_submit(self->core, &self->hooks, self->now, &job, &answer);
}

/* Something becomes of an attempt that runs. */
static void attempt(host *self)
{
    uint32_t run = (uint32_t)random_uniform(self->stream, 0,
                                            pn_scheduler_places_max(self->core) - 1);
    pn_scheduler_task task;
    if (pn_scheduler_task_get(self->core, run, &task) != PN_OK)
        return;
    uint64_t kind = random_uniform(self->stream, 0, 9);
    if (kind == 0)
        pn_scheduler_failed(self->core, &self->hooks, self->now, task.token);
    else if (kind == 1)
        pn_scheduler_started(self->core, &self->hooks, self->now, task.token);
    else
        pn_scheduler_finished(self->core, &self->hooks, self->now, task.token);
}

static void step(host *self)
{
    uint32_t node = (uint32_t)random_uniform(self->stream, 0, NODES - 1);
    self->now += random_uniform(self->stream, 0, 3);
    switch (random_uniform(self->stream, 0, 15)) {
    case 0:
    case 1:
        submit(self, false);
        break;
    case 2:
        submit(self, true);
        break;
    case 3:
        pn_scheduler_node_down(self->core, &self->hooks, self->now, node);
        break;
    case 4:
    case 5:
        pn_scheduler_node_up(self->core, &self->hooks, self->now, node);
        break;
    case 6:
        pn_scheduler_tick(self->core, &self->hooks, self->now);
        break;
    case 7:
        pn_scheduler_wake(self->core, &self->hooks, self->now);
        break;
    case 8:
    case 9:
    case 10:
        pn_scheduler_offer(self->core, &self->hooks, self->now, node);
        break;
    default:
        attempt(self);
    }
}

static void ask_all(const pn_scheduler *core)
{
    pn_scheduler_totals totals;
    pn_scheduler_record record;
    pn_scheduler_group group;
    pn_scheduler_task task;
    pn_scheduler_totals_get(core, &totals);
    pn_scheduler_group_get(core, 1, &group);
    for (uint32_t place = PN_NO_JOB; pn_scheduler_next_record(core, &place, &record) == PN_OK;)
        continue;
    for (uint32_t run = 0; run < pn_scheduler_places_max(core); run++)
        if (pn_scheduler_task_get(core, run, &task) == PN_OK) {
            pn_scheduler_progress got;
            pn_scheduler_progress_get(core, run, &got);
            pn_scheduler_first_reduce(core, run);
        }
    for (uint32_t kind = 0; kind < 2; kind++)
        for (uint32_t node = 0; node < pn_scheduler_node_count(core); node++)
            node = pn_scheduler_next_wanted(core, kind, node);
    for (uint32_t sample = 0; sample < 3; sample++)
        if (pn_scheduler_samples(core, sample, PN_ALL_GROUPS))
            pn_stats_quantile(pn_scheduler_samples(core, sample, PN_ALL_GROUPS), 0.5);
    pn_scheduler_wants_ticks(core);
    pn_scheduler_next_opening(core);
    pn_scheduler_digest(core);
}

static void make(damage_case *at, pn_stream *stream, bool *sound)
{
    static const pn_scheduler_nodes nodes[] = {{2, 2, 1, 0}, {1, 1, 0, 0}, {2, 1, 2, 0}};
    const pn_scheduler_policy *policy = damage_policy(stream);
    pn_scheduler_config config = pn_scheduler_defaults();
    pn_scheduler *core;
    config.nodes = nodes;
    config.nodes_count = 3;
    config.jobs_max = (uint32_t)random_uniform(stream, 1, 12);
    config.groups_max = 2;
    config.attributes = 2;
    config.statistics = random_uniform(stream, 0, 7) == 0;
    config.reduce_start = (uint32_t)random_uniform(stream, 0, 1);
    config.locality_delay_ms = random_uniform(stream, 0, 1) * 5;
    config.attempts_max = 2;
    damage_configure(&config, policy, stream);
    size_t size = pn_scheduler_size(&config);
    void *block = workload_room(size);
    if (pn_scheduler_init(&core, block, size, &config) != PN_OK)
        abort();
    *at = (damage_case){
        .block = block, .size = size, .policy = policy, .rest = damage_params(policy, stream)};
    host self = {core, hooks_for(at), stream, 0};
    uint64_t steps = random_uniform(stream, 0, 4 * STEPS);
    steps = steps % 8 == 0 ? 0 : steps; /* of some, a block that no policy has seen */
    for (uint64_t i = 0; i <= steps; i++) {
        *sound &= pn_scheduler_validate(block, size) == PN_OK;
        if (i < steps)
            step(&self);
    }
}

static void use(const damage_case *at, void *block)
{
    pn_stream stream;
    pn_scheduler *core;
    pn_scheduler_totals totals;
    pn_stream_init(&stream, 7, 0, 9);
    if (pn_scheduler_open(&core, block, at->size) != PN_OK)
        abort();
    pn_scheduler_totals_get(core, &totals);
    host self = {core, hooks_for(at), &stream, totals.time};
    ask_all(core);
    for (int i = 0; i < 3 * STEPS; i++)
        step(&self);
    ask_all(core);
}

static void free_case(damage_case *at)
{
    free(at->block);
    free(at->rest);
}

const damage_model damage_scheduler = {pn_scheduler_model, 2048, make, use, free_case};
