/* Life of a simulation of the dag model: configuration, carving, opening a copy, queries. */
#include "base/config.h"
#include "state.h"

const char pn_dag_magic[8] = {'p', 'n', 'd', 'a', 'g', 's', 'i', 'm'};

/* ---- configuration ---- */

/* The core's part is of a version of its own, and what follows it begins where it ends. */
enum {
    DAG_CORE = offsetof(pn_dag_config, dispatch),
    DAG_REST = DAG_CORE + sizeof(pn_dispatch_config)
};

static const pn_dag_config dag_defaults = {.seed = 1,
                                           .factor_lo = 1000,
                                           .factor_hi = 1000,
                                           .est_lo = 1000,
                                           .est_hi = 1000,
                                           .tick_ms = 3000};

void pn_dag_defaults_into(pn_dag_config *config, size_t size, size_t dispatch_size)
{
    const unsigned char *own = (const unsigned char *)&dag_defaults;
    unsigned char *to = (unsigned char *)config;
    pn_config_give(to, DAG_CORE, &size, sizeof size);
    pn_dispatch_defaults_into((pn_dispatch_config *)(void *)(to + DAG_CORE), dispatch_size);
    size_t rest = size - DAG_CORE - dispatch_size, own_rest = sizeof dag_defaults - DAG_REST;
    memset(to + DAG_CORE + dispatch_size, 0, rest);
    memcpy(to + DAG_CORE + dispatch_size, own + DAG_REST, rest < own_rest ? rest : own_rest);
    memcpy(to, &size, sizeof size);
}

static uint32_t dag_count_of_nodes(const pn_dispatch_config *config)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++)
        count += config->nodes[i].count;
    return count;
}

static uint32_t dag_or_default(uint32_t given, uint64_t otherwise)
{
    return given > 0 ? given : (uint32_t)pn_min(otherwise, (uint32_t)1 << 28);
}

/* The core's configuration as it is really used. */
pn_dispatch_config pn_dag_core_config(const pn_dag_config *config)
{
    pn_dispatch_config core = config->dispatch;
    core.stages_max = dag_or_default(core.stages_max, (uint64_t)16 * core.jobs_max);
    core.edges_max = dag_or_default(core.edges_max, (uint64_t)4 * core.stages_max);
    core.attempts_max = dag_or_default(core.attempts_max, (uint64_t)64 * dag_count_of_nodes(&core));
    core.seed = config->seed;
    return core;
}

static bool factors_in_range(uint32_t lo, uint32_t hi)
{
    return 1 <= lo && lo <= hi && hi <= PN_DAG_FACTOR_MOST;
}

static const char *check_world(const pn_dag_config *config)
{
    if (config->seed > PN_INTEGER_MAX)
        return "seed: 0..2^53";
    if (!factors_in_range(config->factor_lo, config->factor_hi))
        return "factor_lo, factor_hi: 1 <= factor_lo <= factor_hi <= 10^6";
    if (!factors_in_range(config->est_lo, config->est_hi))
        return "est_lo, est_hi: 1 <= est_lo <= est_hi <= 10^6";
    if (config->start_ms > PN_DAG_MOST_MS)
        return "start_ms: 0..2^40";
    if (config->tick_ms < 1 || config->tick_ms > PN_DAG_MOST_MS)
        return "tick_ms: 1..2^40";
    if (config->max_time_ms > PN_INTEGER_MAX)
        return "max_time_ms: 0..2^53";
    return NULL;
}

static const char *dag_fault_of(const pn_dag_config *config)
{
    const char *wrong = pn_dispatch_check(&config->dispatch);
    if (!wrong)
        wrong = check_world(config);
    if (wrong)
        return wrong;
    if (config->dispatch.nodes_down)
        return "nodes_down: 0";
    if (config->durations_max > (uint32_t)1 << 30)
        return "durations_max: 0..1073741824";
    if (config->failures_max > (uint32_t)1 << 26)
        return "failures_max: 0..67108864";
    if (config->bounds_max > (uint32_t)1 << 26)
        return "bounds_max: 0..67108864";
    if (config->groups_max > (uint32_t)1 << 20)
        return "groups_max: 0..1048576";
    if (config->statistics > 1)
        return "statistics: 0 or 1";
    return config->unused != 0 ? "unused: 0" : NULL;
}

bool pn_dag_config_read(pn_dag_config *own, const pn_dag_config *given)
{
    const size_t least = PN_CONFIG_LEAST(pn_dag_config, warmup_ms) - DAG_REST;
    if (!given || given->struct_size < DAG_CORE + sizeof(size_t))
        return false;
    size_t core = given->dispatch.struct_size, size = given->struct_size - DAG_CORE;
    *own = pn_dag_defaults();
    if (core > size || !pn_dispatch_config_read(&own->dispatch, &given->dispatch))
        return false;
    return pn_config_read((unsigned char *)own + DAG_REST, sizeof *own - DAG_REST, least,
                          (const unsigned char *)given + DAG_CORE + core, size - core);
}

/* What is wrong with the host's configuration, or null. */
static const char *dag_read_config(pn_dag_config *own, const pn_dag_config *given)
{
    if (!pn_dag_config_read(own, given))
        return "struct_size: get the configuration from pn_dag_defaults(), and set no field that "
               "this version does not know";
    return dag_fault_of(own);
}

const char *pn_dag_check(const pn_dag_config *config)
{
    pn_dag_config own;
    return dag_read_config(&own, config);
}

/* ---- carving ---- */

/* Words for the lists of all jobs; 0 on overflow. */
static size_t dag_words_for(const pn_dag *sim)
{
    uint64_t words = (uint64_t)(PN_DAG_STAGE_WORDS + PN_DAG_TRUTH_WORDS) * sim->stages_max +
                     sim->edges_max / 2 + sim->jobs_max + sim->durations_max;
    return words > SIZE_MAX / 8 ? 0 : pn_lists_room((size_t)words, sim->jobs_max);
}

static void carve_bounds(pn_arena *arena, pn_dag *sim)
{
    size_t parts = sim->bounds_max;
    for (uint32_t r = 0; r < sim->resources; r++) {
        sim->parts[r] = pn_arena_take(arena, parts, sizeof(pn_dag_part));
        sim->part_entries[r] = pn_arena_take(arena, parts, sizeof(pn_heap_entry));
        sim->machines[r].left.capacity = sim->bounds_max;
    }
    sim->walk = pn_arena_take(arena, parts > 0 ? pn_heap_walk_room(parts) : 0, sizeof(uint32_t));
}

static void dag_carve_statistics(pn_arena *arena, pn_dag *sim)
{
    size_t groups = (size_t)sim->groups_max + 1;
    sim->groups = pn_arena_take(arena, groups, sizeof(pn_dag_group));
    if (!sim->statistics)
        return;
    sim->stats_stride = pn_stats_size(-1, PN_DAG_OCTAVES);
    sim->stats = pn_arena_take(arena, PN_DAG_SAMPLES * groups, sim->stats_stride);
    sim->batches = pn_arena_take(arena, 1, sizeof(pn_batches));
}

/* The tables, whose numbers are noted already: the one place that knows the block's shape. */
size_t pn_dag_carve(pn_dag *sim, size_t core)
{
    pn_arena arena = {0, false};
    size_t words = dag_words_for(sim);
    pn_arena_take(&arena, 1, sizeof *sim);
    sim->jobs = pn_arena_take(&arena, sim->jobs_max, sizeof(pn_dag_own));
    sim->attempts = pn_arena_take(&arena, sim->places_max, sizeof(pn_dag_attempt));
    sim->speeds = pn_arena_take(&arena, sim->nodes_count, sizeof(uint32_t));
    sim->kinds = pn_arena_take(&arena, sim->kinds_count, sizeof(pn_dag_kind));
    sim->outages = pn_arena_take(&arena, 2 * (size_t)sim->failures_max, sizeof(pn_dag_outage));
    sim->end_entries = pn_arena_take(&arena, sim->places_max, sizeof(pn_heap_entry));
    sim->outage_entries = pn_arena_take(&arena, 2 * (size_t)sim->failures_max,
                                        sizeof(pn_heap_entry));
    sim->ends.capacity = sim->places_max;
    sim->failures.capacity = 2 * sim->failures_max;
    sim->notes = pn_arena_take(&arena, sim->stages_max, sizeof(pn_paths_note));
    sim->times = pn_arena_take(&arena, sim->stages_max, sizeof(pn_dispatch_times));
    sim->lengths = pn_arena_take(&arena, sim->stages_max, sizeof(uint64_t));
    sim->store.capacity = words;
    sim->words = pn_arena_take(&arena, words, sizeof(uint64_t));
    carve_bounds(&arena, sim);
    dag_carve_statistics(&arena, sim);
    pn_attributes_carve(&arena, sim->jobs_max, sim->attributes);
    sim->core = pn_arena_take(&arena, core, 1);
    sim->head.size = arena.used;
    return arena.overflow || core == 0 || words == 0 ? 0 : arena.used;
}

static void note_tables(pn_dag *sim, const pn_dag_config *config, const pn_dispatch_config *core)
{
    sim->nodes_count = dag_count_of_nodes(core);
    sim->kinds_count = core->nodes_count;
    sim->queues_count = core->queues_count > 0 ? core->queues_count : 1;
    sim->resources = core->resources;
    sim->places_max = core->attempts_max;
    sim->jobs_max = core->jobs_max;
    sim->stages_max = core->stages_max;
    sim->edges_max = core->edges_max;
    sim->attributes = (uint32_t)core->attributes;
    sim->durations_max = config->durations_max;
    sim->failures_max = config->failures_max;
    sim->bounds_max = config->bounds_max;
    sim->groups_max = config->groups_max;
    sim->statistics = config->statistics;
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
    sim->seed = config->seed;
    sim->start_ms = config->start_ms;
    sim->tick_ms = config->tick_ms;
    sim->max_time_ms = config->max_time_ms;
    sim->factor_lo = config->factor_lo;
    sim->factor_hi = config->factor_hi;
    sim->est_lo = config->est_lo;
    sim->est_hi = config->est_hi;
    sim->warmup_jobs = config->warmup_jobs;
    sim->warmup_ms = config->warmup_ms;
    sim->totals.first_arrival = PN_DISPATCH_NEVER;
    note_tables(sim, config, core);
    return pn_dag_carve(sim, pn_dispatch_size(core));
}

size_t pn_dag_size(const pn_dag_config *given)
{
    pn_dag_config config;
    pn_dag layout;
    if (dag_read_config(&config, given))
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

static void lay_statistics(pn_dag *sim)
{
    size_t count = PN_DAG_SAMPLES * ((size_t)sim->groups_max + 1);
    for (size_t i = 0; sim->statistics && i < count; i++) {
        pn_stats *stats = pn_at(sim, sim->stats + i * sim->stats_stride);
        pn_stats_init(stats, -1, PN_DAG_OCTAVES, 1);
    }
    if (sim->statistics)
        pn_batches_init(pn_at(sim, sim->batches));
}

int pn_dag_init(pn_dag **sim, void *block, size_t size, const pn_dag_config *given)
{
    pn_dag_config config;
    pn_dag layout;
    pn_dispatch *dispatch;
    if (!sim || !block || !given)
        return PN_ERR_ARGUMENT;
    if (dag_read_config(&config, given))
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
    lay_statistics(block);
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

static bool dag_nodes_configured(const pn_dag *sim, const pn_dispatch_config *core)
{
    const uint32_t *speeds = pn_at((void *)(uintptr_t)sim, sim->speeds);
    for (uint32_t i = 0; i < core->nodes_count; i++)
        for (uint32_t k = 0; k < core->nodes[i].count; k++)
            if (*speeds++ != speed_of(&core->nodes[i]))
                return false;
    return true;
}

int pn_dag_configured(const pn_dag *sim, const pn_dag_config *given)
{
    const size_t from = offsetof(pn_dag, head.size), to = offsetof(pn_dag, store);
    pn_dag_config config;
    pn_dag layout;
    if (!sim || dag_read_config(&config, given))
        return 0;
    pn_dispatch_config core = pn_dag_core_config(&config);
    return dag_carve(&config, &core, &layout) != 0 &&
           pn_same_bytes((const unsigned char *)sim + from, (const unsigned char *)&layout + from,
                         to - from) &&
           dag_nodes_configured(sim, &core) && pn_dispatch_configured(pn_dag_dispatch(sim), &core);
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
    view->outages = pn_at(sim, sim->outages);
    view->store = (pn_lists){&sim->store, pn_at(sim, sim->words), &view->jobs[0].list,
                             PN_DAG_OWN_WORDS};
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
    if (!to || (group != PN_ALL_GROUPS && group >= sim->groups_max))
        return PN_ERR_ARGUMENT;
    pn_tell(to, size, &groups[group == PN_ALL_GROUPS ? 0 : (size_t)group + 1], sizeof *groups);
    return PN_OK;
}

const pn_stats *pn_dag_samples(const pn_dag *sim, uint32_t sample, uint32_t group)
{
    if (!sim->statistics || sample >= PN_DAG_SAMPLES ||
        (group != PN_ALL_GROUPS && group >= sim->groups_max))
        return NULL;
    size_t index = PN_DAG_SAMPLES * (group == PN_ALL_GROUPS ? 0 : (size_t)group + 1) + sample;
    return pn_at((void *)(uintptr_t)sim, sim->stats + index * sim->stats_stride);
}

const pn_batches *pn_dag_batches(const pn_dag *sim)
{
    return sim->statistics ? pn_at((void *)(uintptr_t)sim, sim->batches) : NULL;
}
