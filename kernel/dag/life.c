/* Life of a simulation of the dag model: carving, opening a copy, queries. */
#include "base/config.h"
#include "state.h"

const char pn_dag_magic[8] = {'p', 'n', 'd', 'a', 'g', 's', 'i', 'm'};

/* ---- carving ---- */

/* Returns the words for the lists of all jobs; 0 on overflow. */
static size_t dag_words_for(const pn_dag *sim)
{
    uint64_t words = (uint64_t)(PN_DAG_STAGE_WORDS + PN_DAG_TRUTH_WORDS) *
                         sim->config.dispatch.stages_max +
                     sim->config.dispatch.edges_max / 2 + sim->config.dispatch.jobs_max +
                     sim->config.durations_max;
    return pn_lists_room((size_t)pn_min(words, SIZE_MAX), sim->config.dispatch.jobs_max);
}

static void carve_bounds(pn_arena *arena, pn_dag *sim)
{
    size_t parts = sim->config.bounds_max;
    for (uint32_t r = 0; r < sim->config.dispatch.resources; r++) {
        sim->parts[r] = pn_arena_take(arena, parts, sizeof(pn_dag_part));
        sim->part_entries[r] = pn_arena_take(arena, parts, sizeof(pn_heap_entry));
        sim->machines[r].left.capacity = sim->config.bounds_max;
    }
    sim->walk = pn_arena_take(arena, parts > 0 ? pn_heap_walk_room(parts) : 0, sizeof(uint32_t));
}

/* Lays out the tables, whose numbers are noted already: the one place that knows the block's
 * shape. */
size_t pn_dag_carve(pn_dag *sim, size_t core)
{
    pn_arena arena = {0, false};
    size_t words = dag_words_for(sim);
    pn_arena_take(&arena, 1, sizeof *sim);
    sim->jobs = pn_arena_take(&arena, sim->config.dispatch.jobs_max, sizeof(pn_dag_entry));
    sim->attempts = pn_arena_take(&arena, sim->config.dispatch.attempts_max,
                                  sizeof(pn_dag_attempt));
    sim->speeds = pn_arena_take(&arena, sim->nodes_count, sizeof(uint32_t));
    sim->kinds = pn_arena_take(&arena, sim->kinds_count, sizeof(pn_dag_kind));
    sim->executors = pn_arena_take(&arena, sim->config.dispatch.executors ? sim->nodes_count : 0,
                                   sizeof(pn_dag_executor));
    sim->outages = pn_arena_take(&arena, 2 * (size_t)sim->config.failures_max,
                                 sizeof(pn_dag_outage));
    sim->end_entries = pn_arena_take(&arena, sim->config.dispatch.attempts_max,
                                     sizeof(pn_heap_entry));
    sim->outage_entries = pn_arena_take(&arena, 2 * (size_t)sim->config.failures_max,
                                        sizeof(pn_heap_entry));
    sim->ends.capacity = sim->config.dispatch.attempts_max;
    sim->failures.capacity = 2 * sim->config.failures_max;
    sim->notes = pn_arena_take(&arena, sim->config.dispatch.stages_max, sizeof(pn_paths_note));
    sim->times = pn_arena_take(&arena, sim->config.dispatch.stages_max, sizeof(pn_dispatch_times));
    sim->lengths = pn_arena_take(&arena, sim->config.dispatch.stages_max, sizeof(uint64_t));
    sim->store.capacity = words;
    sim->words = pn_arena_take(&arena, words, sizeof(uint64_t));
    carve_bounds(&arena, sim);
    sim->groups = pn_arena_take(&arena, (size_t)sim->config.groups_max + 1, sizeof(pn_dag_group));
    if (sim->config.statistics)
        pn_fleet_samples_carve(&sim->samples, &arena, sim->config.groups_max);
    pn_attributes_carve(&arena, sim->config.dispatch.jobs_max, sim->config.dispatch.attributes);
    sim->core = pn_arena_take(&arena, core, 1);
    arena.overflow |= words == 0;
    arena.overflow |= core == 0;
    sim->head.size = arena.used;
    return pn_arena_size(&arena, 0);
}

static void note_nodes(pn_dag *sim, const pn_dispatch_config *core)
{
    sim->nodes_count = pn_dag_count_of_nodes(core);
    sim->kinds_count = core->nodes_count;
    sim->queues_count = core->queues_count > 0 ? core->queues_count : 1;
    for (uint32_t i = 0; i < core->nodes_count; i++)
        for (uint32_t r = 0; r < core->resources; r++)
            sim->capacity[r] += core->nodes[i].count * core->nodes[i].capacity[r];
}

/* Lays the block out. Returns its size, 0 when that does not fit a size_t. */
static size_t dag_carve(const pn_dag_config *config, const pn_dispatch_config *core, pn_dag *sim)
{
    memset(sim, 0, sizeof *sim); /* padding too: equal histories make equal blocks */
    memcpy(sim->head.magic, pn_dag_magic, sizeof pn_dag_magic);
    sim->head.layout = sizeof *sim;
    pn_dag_keep_config(&sim->config, config);
    pn_dispatch_keep_config(&sim->config.dispatch, core);
    sim->totals.first_arrival = PN_DISPATCH_NEVER;
    note_nodes(sim, core);
    return pn_dag_carve(sim, pn_dispatch_size(core));
}

size_t pn_dag_size(const pn_dag_config *given)
{
    pn_dag_config config;
    pn_dag layout;
    if (pn_dag_read_config(&config, given))
        return 0;
    pn_dispatch_config core = pn_dag_core_config(&config);
    return dag_carve(&config, &core, &layout);
}

static uint32_t speed_of(const pn_dispatch_nodes *nodes)
{
    return nodes->speed > 0 ? nodes->speed : 1000;
}

static void dag_lay_nodes(pn_dag *sim, const pn_dispatch_config *core)
{
    uint32_t *speeds = pn_at(sim, sim->speeds);
    pn_dag_kind *kinds = pn_at(sim, sim->kinds);
    for (uint32_t i = 0; i < core->nodes_count; i++) {
        memcpy(kinds[i].capacity, core->nodes[i].capacity, sizeof kinds[i].capacity);
        kinds[i].speed = speed_of(&core->nodes[i]);
        for (uint32_t k = 0; k < core->nodes[i].count; k++)
            *speeds++ = speed_of(&core->nodes[i]);
    }
}

int pn_dag_init(pn_dag **sim, void *block, size_t size, const pn_dag_config *given)
{
    pn_dag_config config;
    pn_dag layout;
    pn_dispatch *dispatch;
    if (!sim || !block || !given)
        return PN_ERR_ARGUMENT;
    if (pn_dag_read_config(&config, given))
        return PN_ERR_CONFIG;
    pn_dispatch_config core = pn_dag_core_config(&config);
    size_t needed = dag_carve(&config, &core, &layout);
    int status = pn_block_fits(block, size, needed);
    if (status != PN_OK)
        return status;
    memset(block, 0, layout.core);
    status = pn_dispatch_init(&dispatch, pn_at(block, layout.core), needed - layout.core, &core);
    PN_ASSERT(status == PN_OK);
    memcpy(block, &layout, sizeof layout);
    dag_lay_nodes(block, &core);
    pn_fleet_samples_init(&layout.samples, block, layout.config.groups_max);
    *sim = block;
    return PN_OK;
}

size_t pn_dag_block_size(const pn_dag *sim)
{
    return sim ? (size_t)sim->head.size : 0;
}

int pn_dag_open(pn_dag **sim, void *block, size_t size)
{
    pn_dispatch *core;
    int status = sim ? pn_block_check(block, size, pn_dag_magic, sizeof(pn_dag)) : PN_ERR_ARGUMENT;
    if (status != PN_OK)
        return status;
    size_t before = ((const pn_dag *)block)->core;
    if (before >= size)
        return PN_ERR_BLOCK;
    status = pn_dispatch_open(&core, pn_at(block, before), size - before);
    if (status == PN_OK)
        *sim = block;
    return status;
}

/* Compares nodes in the core only. */
int pn_dag_configured(const pn_dag *sim, const pn_dag_config *given)
{
    const size_t from = offsetof(pn_dag, head.size), to = offsetof(pn_dag, store);
    pn_dag_config config;
    pn_dag layout;
    if (!sim || pn_dag_read_config(&config, given))
        return 0;
    pn_dispatch_config core = pn_dag_core_config(&config);
    return dag_carve(&config, &core, &layout) != 0 &&
           pn_same_bytes((const unsigned char *)sim + from, (const unsigned char *)&layout + from,
                         to - from) &&
           pn_dispatch_configured(pn_dag_dispatch(sim), &core);
}

/* ---- the view ---- */

pn_dispatch *pn_dag_core(const pn_dag *sim)
{
    return pn_at((void *)(uintptr_t)sim, sim->core);
}

void pn_dag_view_build(pn_dag_view *view, const pn_dag *given, const pn_dag_hooks *hooks)
{
    pn_dag *sim = (pn_dag *)(uintptr_t)given;
    *view = (pn_dag_view){.sim = sim, .hooks = hooks, .core = pn_dag_core(sim)};
    view->jobs = pn_at(sim, sim->jobs);
    view->attempts = pn_at(sim, sim->attempts);
    view->speeds = pn_at(sim, sim->speeds);
    view->kinds = pn_at(sim, sim->kinds);
    view->executors = pn_at(sim, sim->executors);
    view->outages = pn_at(sim, sim->outages);
    view->store = (pn_lists){&sim->store, pn_at(sim, sim->words), &view->jobs[0].list,
                             PN_DAG_ENTRY_WORDS};
    view->ends = (pn_heap){&sim->ends,
                           pn_at(sim, sim->end_entries),
                           &view->attempts[0].place,
                           PN_DAG_ATTEMPT_PLACES,
                           &view->attempts[0].order,
                           PN_DAG_ATTEMPT_WORDS};
    view->failures = (pn_heap){
        &sim->failures,     pn_at(sim, sim->outage_entries), NULL, 0, &view->outages[0].id,
        PN_DAG_OUTAGE_WORDS};
    view->now = sim->totals.time;
}

/* ---- queries ---- */

const pn_dispatch *pn_dag_dispatch(const pn_dag *sim)
{
    return pn_dag_core(sim);
}

uint64_t pn_dag_digest(const pn_dag *sim)
{
    return pn_dispatch_digest(pn_dag_core(sim));
}

int pn_dag_group_into(const pn_dag *sim, uint32_t group, pn_dag_group *to, size_t size)
{
    const pn_dag_group *groups = pn_at((void *)(uintptr_t)sim, sim->groups);
    if (!to || (group != PN_ALL_GROUPS && group >= sim->config.groups_max))
        return PN_ERR_ARGUMENT;
    pn_config_fill(to, size, &groups[group == PN_ALL_GROUPS ? 0 : (size_t)group + 1],
                   sizeof *groups);
    return PN_OK;
}

const pn_stats *pn_dag_samples(const pn_dag *sim, uint32_t sample, uint32_t group)
{
    return pn_fleet_stats(&sim->samples, sim, sim->config.groups_max, group, sample);
}

const pn_batches *pn_dag_batches(const pn_dag *sim)
{
    return pn_fleet_batches(&sim->samples, sim);
}
