/* Life of a dispatch core: carving, opening a copy, answering queries. */
#include "base/config.h"
#include "state.h"

const char pn_dispatch_magic[8] = {'p', 'n', 'd', 's', 'p', 't', 'c', 'h'};

/* ---- carving ---- */

size_t pn_dispatch_policy_bytes(const pn_dispatch_policy *policy, uint32_t jobs_max)
{
    return pn_fleet_policy_bytes(policy->state_bytes, policy->state_bytes_per_job, jobs_max);
}

static size_t dispatch_policy_bytes_for(const pn_dispatch_config *config)
{
    size_t room = 0;
    const pn_dispatch_policy *policy;
    if (config->policy)
        return pn_dispatch_policy_bytes(config->policy, config->jobs_max);
    for (size_t i = 0; (policy = pn_dispatch_policy_at(i)); i++)
        room = (size_t)pn_max(room, pn_dispatch_policy_bytes(policy, config->jobs_max));
    return room;
}

/* Measures the levels of the room tree: each has an entry for every eight of the one below. */
static size_t measure_room(pn_dispatch *s)
{
    uint32_t count = s->nodes_count, start = 0, level = 0;
    for (;; level++) {
        s->room_start[level] = start;
        s->room_count[level] = count;
        start += count;
        if (count == 1)
            break;
        count = (count + PN_DISPATCH_ROOM_ARITY - 1) / PN_DISPATCH_ROOM_ARITY;
    }
    s->room_levels = level + 1;
    return start;
}

static void carve_graphs(pn_arena *arena, pn_dispatch *s)
{
    size_t stages = s->config.stages_max, classes = s->config.classes_max;
    s->stages = pn_arena_take(arena, stages, sizeof(pn_dispatch_stage_entry));
    s->stage_nodes = pn_arena_take(arena, stages, sizeof(pn_tree_node));
    s->edges = pn_arena_take(arena, s->config.edges_max, sizeof(pn_dispatch_edge));
    s->bundles = pn_arena_take(arena, stages, sizeof(pn_dispatch_bundle));
    s->bundle_nodes = pn_arena_take(arena, stages, sizeof(pn_tree_node));
    s->classes = pn_arena_take(arena, classes, sizeof(pn_dispatch_class));
    s->class_nodes = pn_arena_take(arena, classes, sizeof(pn_tree_node));
    for (s->buckets_count = 1; s->buckets_count < s->config.classes_max;)
        s->buckets_count *= 2;
    s->buckets = pn_arena_take(arena, s->buckets_count, sizeof(uint32_t));
    s->notes = pn_arena_take(arena, stages, sizeof(pn_paths_note));
    s->times = pn_arena_take(arena, stages, sizeof(pn_dispatch_times));
    s->sorted = pn_arena_take(arena, stages, sizeof(uint32_t));
}

static void carve_spots(pn_arena *arena, pn_dispatch *s)
{
    size_t nodes = s->config.placement == PN_DISPATCH_FIRST ? 0 : s->nodes_count;
    s->spot_buckets_count = nodes > 0;
    while (s->spot_buckets_count < nodes)
        s->spot_buckets_count *= 2;
    s->spots = pn_arena_take(arena, nodes, sizeof(pn_dispatch_spot));
    s->spot_nodes = pn_arena_take(arena, nodes, sizeof(pn_tree_node));
    s->node_spots = pn_arena_take(arena, nodes, sizeof(uint32_t));
    s->spot_list = pn_arena_take(arena, nodes, sizeof(uint32_t));
    s->spot_buckets = pn_arena_take(arena, s->spot_buckets_count, sizeof(uint32_t));
}

/* Lays out the tables, whose numbers are noted already: the one place that knows the block's
 * shape. */
size_t pn_dispatch_carve(pn_dispatch *s, size_t policy_bytes)
{
    pn_arena arena = {0, false};
    size_t shades = s->virtual_run ? s->config.jobs_max : 0;
    pn_arena_take(&arena, 1, sizeof *s);
    s->nodes = pn_arena_take(&arena, s->nodes_count, sizeof(pn_dispatch_node));
    s->kinds = pn_arena_take(&arena, s->kinds_count, sizeof(pn_dispatch_kind));
    s->room = pn_arena_take(&arena, measure_room(s), s->config.resources * sizeof(uint64_t));
    s->queues = pn_arena_take(&arena, s->queues_count, sizeof(pn_dispatch_lane));
    s->lane_entries = pn_arena_take(&arena, s->queues_count, sizeof(pn_heap_entry));
    s->jobs = pn_arena_take(&arena, s->config.jobs_max, sizeof(pn_dispatch_entry));
    carve_spots(&arena, s);
    s->executors = pn_arena_take(&arena, s->config.executors ? s->nodes_count : 0,
                                 sizeof(pn_dispatch_executor));
    carve_graphs(&arena, s);
    s->attempts = pn_arena_take(&arena, s->config.attempts_max, sizeof(pn_dispatch_attempt));
    s->attempt_nodes = pn_arena_take(&arena, s->config.attempts_max, sizeof(pn_tree_node));
    s->shades = pn_arena_take(&arena, shades, sizeof(pn_dispatch_shade));
    s->shade_entries = pn_arena_take(&arena, shades, sizeof(pn_heap_entry));
    s->lanes.capacity = s->queues_count;
    s->virtual.order.capacity = (uint32_t)shades;
    pn_fleet_carve(&s->fleet, &arena, s->config.jobs_max, s->config.attributes, policy_bytes);
    s->head.size = arena.used;
    return pn_arena_size(&arena, 0);
}

/* Lays the block out. Returns its size, 0 when that does not fit a size_t. */
static size_t dispatch_carve(const pn_dispatch_config *config, pn_dispatch *s)
{
    memset(s, 0, sizeof *s); /* padding too: equal histories make equal blocks */
    memcpy(s->head.magic, pn_dispatch_magic, sizeof pn_dispatch_magic);
    s->head.layout = sizeof *s;
    (void)pn_dispatch_count_nodes(config, &s->nodes_count, s->capacity);
    for (uint32_t i = 0; i < config->nodes_count; i++)
        for (uint32_t r = 0; r < config->resources; r++)
            s->largest[r] = pn_max(s->largest[r], config->nodes[i].capacity[r]);
    s->kinds_count = config->nodes_count;
    s->queues_count = config->queues_count > 0 ? config->queues_count : 1;
    pn_dispatch_keep_config(&s->config, config);
    s->virtual_run = !config->policy || config->policy->order.virtual_run || config->policy->init;
    s->exchange = 1000;
    s->totals.first_arrival = PN_DISPATCH_NEVER;
    s->totals.stages_max = s->config.stages_max;
    s->totals.edges_max = s->config.edges_max;
    s->totals.attempts_max = s->config.attempts_max;
    s->totals.classes_max = s->config.classes_max;
    return pn_dispatch_carve(s, dispatch_policy_bytes_for(config));
}

size_t pn_dispatch_size(const pn_dispatch_config *config)
{
    pn_dispatch_config copy;
    pn_dispatch layout;
    return pn_dispatch_read_config(&copy, config) ? 0 : dispatch_carve(&copy, &layout);
}

static void dispatch_lay_nodes(const pn_dispatch_view *view, const pn_dispatch_config *config)
{
    pn_dispatch *s = view->s;
    pn_dispatch_kind *kinds = pn_at(s, s->kinds);
    uint32_t node = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_dispatch_nodes *given = &config->nodes[i];
        memcpy(kinds[i].capacity, given->capacity, sizeof kinds[i].capacity);
        for (uint32_t k = 0; k < given->count; k++, node++) {
            pn_dispatch_node *entry = &view->nodes[node];
            memcpy(entry->most, given->capacity, sizeof entry->most);
            if (node < s->nodes_count - s->config.nodes_absent)
                memcpy(entry->capacity, given->capacity, sizeof entry->capacity);
            entry->speed = given->speed > 0 ? given->speed : 1000;
            entry->up = !config->nodes_down;
            s->totals.nodes_up += entry->up;
            pn_dispatch_room_changed(view, node);
        }
    }
}

static void lay_queues(const pn_dispatch_view *view, const pn_dispatch_config *config)
{
    static const pn_dispatch_queue only = {.guaranteed = 1000};
    for (uint32_t q = 0; q < view->s->queues_count; q++) {
        const pn_dispatch_queue *given = config->queues ? &config->queues[q] : &only;
        view->queues[q].number = q;
        view->queues[q].weight = given->weight > 0 ? given->weight : 1;
        view->queues[q].guaranteed = given->guaranteed;
        view->queues[q].maximum = pn_dispatch_maximum_of(given);
    }
}

int pn_dispatch_init(pn_dispatch **core, void *block, size_t size, const pn_dispatch_config *given)
{
    pn_dispatch_config copy;
    pn_dispatch layout;
    pn_dispatch_view view;
    if (!core || !block || !given)
        return PN_ERR_ARGUMENT;
    if (pn_dispatch_read_config(&copy, given))
        return PN_ERR_CONFIG;
    size_t needed = dispatch_carve(&copy, &layout);
    int status = pn_block_fits(block, size, needed);
    if (status != PN_OK)
        return status;
    memset(block, 0, needed);
    memcpy(block, &layout, sizeof layout);
    pn_stream_init(&((pn_dispatch *)block)->fleet.stream, copy.seed, copy.replica,
                   PN_POLICY_STREAM);
    pn_dispatch_view_build(&view, block, NULL);
    dispatch_lay_nodes(&view, &copy);
    lay_queues(&view, &copy);
    *core = block;
    return PN_OK;
}

size_t pn_dispatch_block_size(const pn_dispatch *core)
{
    return core ? (size_t)core->head.size : 0;
}

int pn_dispatch_open(pn_dispatch **core, void *block, size_t size)
{
    if (!core)
        return PN_ERR_ARGUMENT;
    int status = pn_block_check(block, size, pn_dispatch_magic, sizeof(pn_dispatch));
    if (status == PN_OK)
        *core = block;
    return status;
}

static bool dispatch_nodes_configured(const pn_dispatch_view *view,
                                      const pn_dispatch_config *config)
{
    uint32_t node = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++)
        for (uint32_t k = 0; k < config->nodes[i].count; k++, node++) {
            const pn_dispatch_nodes *given = &config->nodes[i];
            uint32_t speed = given->speed > 0 ? given->speed : 1000;
            if (!pn_same_bytes(view->nodes[node].most, given->capacity, sizeof given->capacity) ||
                view->nodes[node].speed != speed)
                return false;
        }
    return true;
}

static bool queues_configured(const pn_dispatch_view *view, const pn_dispatch_config *config)
{
    for (uint32_t q = 0; q < config->queues_count; q++) {
        const pn_dispatch_lane *lane = &view->queues[q];
        const pn_dispatch_queue *given = &config->queues[q];
        if (lane->weight != (given->weight > 0 ? given->weight : 1) ||
            lane->guaranteed != given->guaranteed || lane->maximum != pn_dispatch_maximum_of(given))
            return false;
    }
    return true;
}

/* Compares what the tables are laid out from: the numbers before the fleet, the policy's memory. */
int pn_dispatch_configured(const pn_dispatch *core, const pn_dispatch_config *config)
{
    const size_t from = offsetof(pn_dispatch, head.size), to = offsetof(pn_dispatch, fleet);
    pn_dispatch_config copy;
    pn_dispatch layout;
    pn_dispatch_view view;
    if (!core || pn_dispatch_read_config(&copy, config) || dispatch_carve(&copy, &layout) == 0)
        return 0;
    pn_dispatch_view_build(&view, core, NULL);
    return pn_same_bytes((const unsigned char *)core + from, (const unsigned char *)&layout + from,
                         to - from) &&
           core->fleet.policy_size == layout.fleet.policy_size &&
           dispatch_nodes_configured(&view, &copy) && queues_configured(&view, &copy);
}

/* ---- the view ---- */

void pn_dispatch_view_build(pn_dispatch_view *view, const pn_dispatch *core,
                            const pn_dispatch_hooks *hooks)
{
    pn_dispatch *s = (pn_dispatch *)(uintptr_t)core;
    *view = (pn_dispatch_view){.s = s, .hooks = hooks, .policy = hooks ? hooks->policy : NULL};
    view->nodes = pn_at(s, s->nodes);
    view->room = pn_at(s, s->room);
    view->queues = pn_at(s, s->queues);
    view->jobs = pn_at(s, s->jobs);
    view->stages = pn_at(s, s->stages);
    view->edges = pn_at(s, s->edges);
    view->bundles = pn_at(s, s->bundles);
    view->classes = pn_at(s, s->classes);
    view->buckets = pn_at(s, s->buckets);
    view->attempts = pn_at(s, s->attempts);
    view->stage_nodes = pn_at(s, s->stage_nodes);
    view->bundle_nodes = pn_at(s, s->bundle_nodes);
    view->class_nodes = pn_at(s, s->class_nodes);
    view->attempt_nodes = pn_at(s, s->attempt_nodes);
    view->lanes = (pn_heap){&s->lanes,
                            pn_at(s, s->lane_entries),
                            &view->queues[0].place,
                            PN_DISPATCH_LANE_PLACES,
                            &view->queues[0].number,
                            PN_DISPATCH_LANE_WORDS};
    if (s->config.placement != PN_DISPATCH_FIRST)
        view->spots = pn_at(s, s->spots);
    view->spot_nodes = pn_at(s, s->spot_nodes);
    view->node_spots = pn_at(s, s->node_spots);
    view->spot_buckets = pn_at(s, s->spot_buckets);
    view->spot_list = pn_at(s, s->spot_list);
    if (s->config.executors != PN_DISPATCH_EXECUTORS_NONE)
        view->executors = pn_at(s, s->executors);
    view->now = s->totals.time;
}

/* ---- queries ---- */

int pn_dispatch_wants_ticks(const pn_dispatch *core)
{
    return core->order.preempts && core->stirred && core->totals.in_system > 0;
}

uint32_t pn_dispatch_jobs(const pn_dispatch *core)
{
    return core->totals.in_system;
}

uint32_t pn_dispatch_node_count(const pn_dispatch *core)
{
    return core->nodes_count;
}

uint32_t pn_dispatch_queue_count(const pn_dispatch *core)
{
    return core->queues_count;
}

uint32_t pn_dispatch_places_max(const pn_dispatch *core)
{
    return core->config.attempts_max;
}

uint32_t pn_dispatch_running_tasks(const pn_dispatch *core)
{
    return core->totals.running;
}

int pn_dispatch_is_up(const pn_dispatch *core, uint32_t node)
{
    const pn_dispatch_node *nodes = pn_at((void *)(uintptr_t)core, core->nodes);
    return node < core->nodes_count && nodes[node].up;
}

uint64_t pn_dispatch_free(const pn_dispatch *core, uint32_t node, uint32_t resource)
{
    pn_dispatch_view view;
    if (node >= core->nodes_count || resource >= core->config.resources)
        return 0;
    pn_dispatch_view_build(&view, core, NULL);
    return pn_dispatch_free_of(&view, node)[resource];
}

uint64_t pn_dispatch_capacity(const pn_dispatch *core, uint32_t resource)
{
    return resource < core->config.resources ? core->capacity[resource] : 0;
}

int pn_dispatch_task_into(const pn_dispatch *core, uint32_t place, pn_dispatch_task *to,
                          size_t size)
{
    pn_dispatch_view view;
    pn_dispatch_view_build(&view, core, NULL);
    if (!to || place >= core->config.attempts_max ||
        view.attempts[place].state != PN_DISPATCH_RUNNING)
        return PN_ERR_ARGUMENT;
    pn_dispatch_task task = pn_dispatch_task_of(&view, place);
    pn_config_fill(to, size, &task, sizeof task);
    return PN_OK;
}

int pn_dispatch_next_record_into(const pn_dispatch *core, uint32_t *place, pn_dispatch_record *to,
                                 size_t size)
{
    pn_dispatch_view view;
    pn_dispatch_view_build(&view, core, NULL);
    if (*place != PN_NO_JOB && (*place >= core->fleet.job_places.used || view.jobs[*place].id == 0))
        return PN_ERR_ARGUMENT;
    uint32_t next = *place == PN_NO_JOB ? core->fleet.first_job : view.jobs[*place].after;
    if (next == 0)
        return PN_DONE;
    *place = next - 1;
    pn_dispatch_record job;
    pn_dispatch_record_of(&view.jobs[next - 1], PN_DISPATCH_UNFINISHED, PN_DISPATCH_NEVER, &job);
    if (core->config.attributes > 0)
        job.attributes = pn_attributes_of(pn_dispatch_attributes_of(core), next - 1);
    pn_config_fill(to, size, &job, sizeof job);
    return PN_OK;
}

int pn_dispatch_times_get(const pn_dispatch *core, uint32_t place, pn_dispatch_times *times)
{
    pn_dispatch_view view;
    pn_dispatch_view_build(&view, core, NULL);
    if (!times || place >= core->fleet.job_places.used || view.jobs[place].id == 0)
        return PN_ERR_ARGUMENT;
    for (uint32_t link = view.jobs[place].first_stage; link != 0; link = view.stages[link - 1].next)
        times[view.stages[link - 1].index] = view.stages[link - 1].times;
    return PN_OK;
}

uint32_t pn_dispatch_demands_get(const pn_dispatch *core, uint32_t place,
                                 uint64_t (*demands)[PN_DISPATCH_RESOURCES_MAX], uint32_t most)
{
    pn_dispatch_view view;
    pn_dispatch_view_build(&view, core, NULL);
    if (place >= core->fleet.job_places.used || view.jobs[place].id == 0)
        return 0;
    for (uint32_t link = view.jobs[place].first_stage; link != 0;) {
        const pn_dispatch_stage_entry *stage = &view.stages[link - 1];
        for (uint32_t r = 0; stage->index < most && r < PN_DISPATCH_RESOURCES_MAX; r++)
            demands[stage->index][r] = view.classes[stage->class].demand[r];
        link = stage->next;
    }
    return view.jobs[place].stages;
}

void pn_dispatch_levels_into(const pn_dispatch *core, pn_dispatch_levels *to, size_t size)
{
    pn_dispatch_levels levels = {.time = core->totals.time,
                                 .jobs = core->totals.in_system,
                                 .queue = core->totals.in_system - core->holding,
                                 .tasks = core->totals.running};
    memcpy(levels.in_use, core->in_use, sizeof levels.in_use);
    pn_config_fill(to, size, &levels, sizeof levels);
}

void pn_dispatch_totals_into(const pn_dispatch *core, pn_dispatch_totals *to, size_t size)
{
    pn_config_fill(to, size, &core->totals, sizeof core->totals);
}

int pn_dispatch_queue_into(const pn_dispatch *core, uint32_t queue, pn_dispatch_queue_totals *to,
                           size_t size)
{
    const pn_dispatch_lane *queues = pn_at((void *)(uintptr_t)core, core->queues);
    if (!to || queue >= core->queues_count)
        return PN_ERR_ARGUMENT;
    pn_config_fill(to, size, &queues[queue].totals, sizeof queues[queue].totals);
    return PN_OK;
}

const char *pn_dispatch_policy_name(const pn_dispatch *core)
{
    return core->fleet.binding.name;
}

const pn_dispatch_order *pn_dispatch_order_of(const pn_dispatch *core)
{
    return core->fleet.binding.name[0] != '\0' ? &core->order : NULL;
}
