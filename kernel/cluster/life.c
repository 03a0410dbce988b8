/* Life of a simulated cluster: carving, opening a copy, submitting jobs, announcing
 * failures, answering queries. */
#include "base/config.h"
#include "state.h"

const char pn_cluster_magic[8] = {'p', 'n', 'c', 'l', 'u', 's', 't', 'r'};

/* ---- carving ---- */

/* Lays out the tables, whose numbers are noted already: the one place that knows the block's
 * shape. */
size_t pn_cluster_carve(pn_cluster *sim, size_t scheduler)
{
    pn_arena arena = {0, false};
    /* No value takes more than a word. */
    size_t words = pn_lists_room((size_t)sim->config.values_max, sim->config.scheduler.jobs_max);
    pn_arena_take(&arena, 1, sizeof *sim);
    sim->jobs = pn_arena_take(&arena, sim->config.scheduler.jobs_max, sizeof(pn_cluster_entry));
    sim->attempts = pn_arena_take(&arena, sim->places_max, sizeof(pn_cluster_attempt));
    sim->speeds = pn_arena_take(&arena, sim->nodes_count, sizeof(uint32_t));
    sim->failures = pn_arena_take(&arena, sim->config.failures_max, sizeof(pn_cluster_outage));
    sim->end_entries = pn_arena_take(&arena, sim->places_max, sizeof(pn_heap_entry));
    sim->failure_entries = pn_arena_take(&arena, sim->config.failures_max, sizeof(pn_heap_entry));
    sim->ends.capacity = sim->places_max;
    sim->outages.capacity = sim->config.failures_max;
    sim->store.capacity = sim->config.values_max > 0 ? words : 0;
    sim->words = pn_arena_take(&arena, (size_t)sim->store.capacity, sizeof(uint64_t));
    sim->columns = pn_arena_take(&arena, sim->config.bounds_max > 0 ? PN_CLUSTER_COLUMNS : 0,
                                 sizeof(pn_cluster_column));
    sim->column_entries = pn_arena_take(&arena, (size_t)sim->config.bounds_max,
                                        2 * PN_CLUSTER_COLUMNS * sizeof(pn_heap_entry));
    bool saves = pn_cluster_saves(&sim->config);
    sim->savings = pn_arena_take(&arena, saves ? (size_t)2 * sim->nodes_count : 0,
                                 sizeof(pn_cluster_savings));
    sim->saving_entries = pn_arena_take(
        &arena, saves ? sim->places_max - sim->config.scheduler.suspended_max : 0,
        sizeof(pn_heap_entry));
    pn_attributes_carve(&arena, sim->config.scheduler.jobs_max, sim->config.scheduler.attributes);
    sim->scheduler = pn_arena_take(&arena, scheduler, 1);
    arena.overflow |= words == 0;
    arena.overflow |= scheduler == 0;
    sim->head.size = arena.used;
    return pn_arena_size(&arena, 0);
}

static void add_station(pn_cluster_station *station, uint32_t speed, uint32_t slots)
{
    if (slots == 0)
        return;
    bool first = station->rate == 0;
    station->rate += (uint64_t)speed * slots;
    station->fastest = (uint32_t)pn_max(station->fastest, speed);
    station->slowest = first ? speed : (uint32_t)pn_min(station->slowest, speed);
}

/* Lays the block out. Returns its size, 0 when that does not fit a size_t. */
static size_t cluster_carve(const pn_cluster_config *config, const pn_scheduler_config *core,
                            pn_cluster *sim)
{
    const pn_scheduler_config *tables = &config->scheduler;
    memset(sim, 0, sizeof *sim); /* padding too: equal histories make equal blocks */
    memcpy(sim->head.magic, pn_cluster_magic, sizeof pn_cluster_magic);
    sim->head.layout = sizeof *sim;
    pn_cluster_keep_config(&sim->config, config);
    pn_scheduler_keep_config(&sim->config.scheduler, core);
    /* Within so long every node has a beat, every policy a tick, and every job that waits for a
     * local map its turn (CL4, CL16). */
    sim->patience = config->heartbeat_ms + config->tick_ms + tables->locality_delay_ms;
    sim->nodes_count = pn_cluster_count_of_nodes(tables);
    sim->slowest = UINT32_MAX;
    for (uint32_t i = 0; i < tables->nodes_count; i++) {
        uint32_t speed = tables->nodes[i].speed > 0 ? tables->nodes[i].speed : 1000;
        sim->slowest = (uint32_t)pn_min(sim->slowest, speed);
        uint32_t slots[2] = {tables->nodes[i].count * tables->nodes[i].map_slots,
                             tables->nodes[i].count * tables->nodes[i].reduce_slots};
        for (int kind = 0; kind < 2; kind++)
            add_station(&sim->stations[kind], speed, slots[kind]);
        sim->places_max += slots[0] + slots[1];
        sim->reduce_slots += slots[1];
    }
    sim->places_max += tables->suspended_max;
    sim->wake = PN_SCHEDULER_NEVER;
    sim->stuck_since = PN_SCHEDULER_NEVER;
    sim->totals.first_submit = PN_SCHEDULER_NEVER;

    return pn_cluster_carve(sim, pn_scheduler_size(core));
}

size_t pn_cluster_size(const pn_cluster_config *config)
{
    pn_cluster_config copy;
    pn_cluster layout;
    if (pn_cluster_read_config(&copy, config))
        return 0;
    pn_scheduler_config core = pn_cluster_core_config(&copy);
    return cluster_carve(&copy, &core, &layout);
}

static void init_savings(pn_cluster *sim, const pn_scheduler_config *core)
{
    uint64_t first = 0;
    uint32_t node = 0;
    for (uint32_t i = 0; i < core->nodes_count; i++)
        for (uint32_t k = 0; k < core->nodes[i].count; k++, node++) {
            const uint32_t slots[2] = {core->nodes[i].map_slots, core->nodes[i].reduce_slots};
            for (uint32_t kind = 0; kind < 2; kind++) {
                pn_cluster_savings *savings = pn_cluster_savings_of(sim, node, kind);
                savings->ends.capacity = slots[kind];
                savings->first = first;
                first += slots[kind];
            }
        }
}

int pn_cluster_init(pn_cluster **sim, void *block, size_t size, const pn_cluster_config *given)
{
    pn_cluster_config copy, *config = &copy;
    pn_cluster layout;
    pn_scheduler *scheduler;
    if (!sim || !block || !given)
        return PN_ERR_ARGUMENT;
    if (pn_cluster_read_config(&copy, given))
        return PN_ERR_CONFIG;
    pn_scheduler_config core = pn_cluster_core_config(config);
    size_t needed = cluster_carve(config, &core, &layout);
    int status = pn_block_fits(block, size, needed);
    if (status != PN_OK)
        return status;
    memset(block, 0, layout.scheduler);
    status = pn_scheduler_init(&scheduler, pn_at(block, layout.scheduler),
                               needed - layout.scheduler, &core);
    PN_ASSERT(status == PN_OK);
    pn_scheduler_totals totals;
    uint32_t *speeds = pn_at(block, layout.speeds);
    for (uint32_t i = 0; i < core.nodes_count; i++)
        for (uint32_t k = 0; k < core.nodes[i].count; k++)
            *speeds++ = core.nodes[i].speed > 0 ? core.nodes[i].speed : 1000;
    pn_scheduler_totals_get(scheduler, &totals);
    memcpy(block, &layout, sizeof layout);
    *sim = block;
    for (int k = 0; k < PN_CLUSTER_COLUMNS && config->bounds_max > 0; k++)
        pn_cluster_columns(*sim)[k].due.capacity = pn_cluster_columns(*sim)[k].queue.capacity =
            (uint32_t)config->bounds_max;
    if (pn_cluster_saves(config))
        init_savings(*sim, &core);
    return PN_OK;
}

size_t pn_cluster_block_size(const pn_cluster *sim)
{
    return sim ? (size_t)sim->head.size : 0;
}

int pn_cluster_open(pn_cluster **sim, void *block, size_t size)
{
    pn_scheduler *core;
    int status = sim ? pn_block_check(block, size, pn_cluster_magic, sizeof(pn_cluster))
                     : PN_ERR_ARGUMENT;
    if (status != PN_OK)
        return status;
    size_t before = ((const pn_cluster *)block)->scheduler;
    if (before >= size)
        return PN_ERR_BLOCK;
    status = pn_scheduler_open(&core, pn_at(block, before), size - before);
    if (status == PN_OK)
        *sim = block;
    return status;
}

/* Compares nodes in the core only. */
int pn_cluster_configured(const pn_cluster *sim, const pn_cluster_config *given)
{
    const size_t from = offsetof(pn_cluster, head.size), to = offsetof(pn_cluster, job_places);
    pn_cluster_config config;
    pn_cluster layout;
    if (!sim || pn_cluster_read_config(&config, given))
        return 0;
    pn_scheduler_config core = pn_cluster_core_config(&config);
    if (cluster_carve(&config, &core, &layout) == 0)
        return 0;
    layout.store = sim->store;
    layout.ends = sim->ends;
    layout.outages = sim->outages;
    return pn_same_bytes((const unsigned char *)sim + from, (const unsigned char *)&layout + from,
                         to - from) &&
           pn_scheduler_configured(pn_cluster_scheduler(sim), &core);
}

pn_scheduler *pn_cluster_core(pn_cluster *sim)
{
    return pn_at(sim, sim->scheduler);
}

/* ---- submitting ---- */

/* What a job's lists hold and how they are stored. */
typedef struct lists {
    uint8_t present; /* bits */
    uint32_t at[PN_CLUSTER_LISTS];
    uint64_t words, values, replicas;
} lists;

static bool times_sane(const uint64_t *times, uint32_t count)
{
    for (uint32_t i = 0; times && i < count; i++)
        if (times[i] > PN_CLUSTER_MOST_MS)
            return false;
    return true;
}

static bool factors_sane(const uint32_t *factors, uint32_t count)
{
    for (uint32_t i = 0; factors && i < count; i++)
        if (factors[i] < 1 || factors[i] > PN_CLUSTER_FACTOR_MOST)
            return false;
    return true;
}

static bool blocks_sane(const pn_cluster *sim, const pn_cluster_job *job)
{
    const uint32_t *nodes = job->blocks;
    if (job->blocks && !job->block_counts)
        return false;
    for (uint32_t map = 0; job->blocks && map < job->maps; map++) {
        uint32_t count = job->block_counts[map];
        if (count > sim->config.scheduler.replicas_of_map ||
            !pn_distinct(nodes, count, sim->nodes_count))
            return false;
        nodes += count;
    }
    return true;
}

static uint64_t cluster_count_replicas(const pn_cluster_job *job, uint64_t drawn)
{
    uint64_t listed = 0;
    if (!job->blocks)
        return job->maps * drawn;
    for (uint32_t map = 0; map < job->maps; map++)
        listed += job->block_counts[map];
    return listed;
}

static void add_list(lists *needed, enum pn_cluster_list list, bool present, uint64_t count,
                     uint64_t per_word)
{
    if (!present || count == 0)
        return;
    needed->present |= (uint8_t)(1 << list);
    needed->at[list] = (uint32_t)needed->words;
    needed->words += (count + per_word - 1) / per_word;
    needed->values += count;
}

/* Measures a job; `drawn`: replicas of a map that lists none. */
static void cluster_measure(const pn_cluster_job *job, uint64_t drawn, lists *needed)
{
    needed->replicas = cluster_count_replicas(job, drawn);
    add_list(needed, PN_CLUSTER_LIST_MAP_TIMES, job->map_times, job->maps, 1);
    add_list(needed, PN_CLUSTER_LIST_REDUCE_TIMES, job->reduce_times, job->reduces, 1);
    add_list(needed, PN_CLUSTER_LIST_SHUFFLE_TIMES, job->shuffle_times, job->reduces, 1);
    add_list(needed, PN_CLUSTER_LIST_MAP_FACTORS, job->map_factor, job->maps, 2);
    add_list(needed, PN_CLUSTER_LIST_REDUCE_FACTORS, job->reduce_factor, job->reduces, 2);
    add_list(needed, PN_CLUSTER_LIST_BLOCK_STARTS, job->blocks, (uint64_t)job->maps + 1, 2);
    add_list(needed, PN_CLUSTER_LIST_BLOCKS, job->blocks, needed->replicas, 2);
}

pn_cluster_needs pn_cluster_needs_of(const pn_cluster_config *config, const pn_cluster_job *job)
{
    lists needed = {0, {0}, 0, 0, 0};
    cluster_measure(job, pn_min(config->replication, pn_cluster_count_of_nodes(&config->scheduler)),
                    &needed);
    return (pn_cluster_needs){(uint64_t)job->maps + job->reduces, needed.replicas, needed.values};
}

static int cluster_job_refused(pn_cluster *sim, const pn_cluster_job *job, lists *needed)
{
    const uint32_t most = (uint32_t)1 << 24;
    const pn_cluster_totals *held = &sim->totals;
    if (job->group != 0 && job->group >= sim->config.scheduler.groups_max)
        return PN_ERR_ARGUMENT;
    if (job->submit > PN_INTEGER_MAX || sim->totals.submitted == PN_INTEGER_MAX)
        return PN_ERR_OVERFLOW;
    if (job->submit < sim->last_submit)
        return PN_ERR_ORDER;
    if (job->submit < sim->passed || sim->over)
        return PN_ERR_LATE;
    if (job->maps < 1 || job->maps > most || job->reduces > most ||
        (job->reduces > 0 && sim->reduce_slots == 0))
        return PN_ERR_JOB;
    if (job->map_ms > PN_CLUSTER_MOST_MS || job->remote_ms > PN_CLUSTER_MOST_MS ||
        job->reduce_ms > PN_CLUSTER_MOST_MS || job->shuffle_ms > PN_CLUSTER_MOST_MS ||
        job->deadline > PN_INTEGER_MAX || job->est_map_ms > PN_CLUSTER_MOST_MS ||
        job->est_reduce_ms > PN_CLUSTER_MOST_MS || job->input > PN_INTEGER_MAX ||
        job->intermediate > PN_INTEGER_MAX || job->weight > PN_SCHEDULER_WEIGHT_MOST ||
        job->priority < -PN_SCHEDULER_PRIORITY_MOST || job->priority > PN_SCHEDULER_PRIORITY_MOST ||
        !pn_attributes_sane(job->attributes, sim->config.scheduler.attributes))
        return PN_ERR_JOB;
    if (!times_sane(job->map_times, job->maps) || !times_sane(job->reduce_times, job->reduces) ||
        !times_sane(job->shuffle_times, job->reduces) ||
        !factors_sane(job->map_factor, job->maps) ||
        !factors_sane(job->reduce_factor, job->reduces) || !blocks_sane(sim, job))
        return PN_ERR_JOB;
    cluster_measure(job, pn_min(sim->config.replication, sim->nodes_count), needed);
    if (held->jobs_held == sim->config.scheduler.jobs_max ||
        job->maps + job->reduces > sim->config.scheduler.tasks_max - held->tasks_held ||
        needed->replicas > sim->config.scheduler.replicas_max - held->replicas_held ||
        needed->values > sim->config.values_max - held->values_held)
        return PN_ERR_FULL;
    return sim->config.bounds_max > 0 && pn_cluster_bound_full(sim, job->submit) ? PN_ERR_FULL
                                                                                 : PN_OK;
}

static void store_lists(pn_cluster_view *view, uint32_t place, const pn_cluster_job *job,
                        const lists *needed)
{
    pn_lists_take(&view->store, place, needed->words);
    uint64_t *words = pn_lists_of(&view->store, place);
    const struct {
        const void *from;
        size_t bytes;
    } copies[PN_CLUSTER_LISTS] = {
        [PN_CLUSTER_LIST_MAP_TIMES] = {job->map_times, job->maps * sizeof(uint64_t)},
        [PN_CLUSTER_LIST_REDUCE_TIMES] = {job->reduce_times, job->reduces * sizeof(uint64_t)},
        [PN_CLUSTER_LIST_SHUFFLE_TIMES] = {job->shuffle_times, job->reduces * sizeof(uint64_t)},
        [PN_CLUSTER_LIST_MAP_FACTORS] = {job->map_factor, job->maps * sizeof(uint32_t)},
        [PN_CLUSTER_LIST_REDUCE_FACTORS] = {job->reduce_factor, job->reduces * sizeof(uint32_t)},
        [PN_CLUSTER_LIST_BLOCKS] = {job->blocks, (size_t)needed->replicas * sizeof(uint32_t)},
    };
    memset(words, 0, (size_t)needed->words * sizeof *words);
    for (int list = 0; list < PN_CLUSTER_LISTS; list++)
        if (needed->present >> list & 1 && copies[list].from)
            memcpy(words + needed->at[list], copies[list].from, copies[list].bytes);
    if (!job->blocks)
        return;
    uint32_t *starts = (uint32_t *)(void *)(words + needed->at[PN_CLUSTER_LIST_BLOCK_STARTS]);
    for (uint32_t map = 0; map < job->maps; map++)
        starts[map + 1] = starts[map] + job->block_counts[map];
}

static void cluster_count_held(pn_cluster *sim, const pn_cluster_entry *job)
{
    pn_cluster_totals *totals = &sim->totals;
    totals->jobs_held++;
    totals->tasks_held += job->maps + job->reduces;
    totals->replicas_held += job->replicas;
    totals->values_held += job->values;
    totals->jobs_held_max = (uint32_t)pn_max(totals->jobs_held_max, totals->jobs_held);
    totals->tasks_held_max = (uint32_t)pn_max(totals->tasks_held_max, totals->tasks_held);
    totals->replicas_held_max = (uint32_t)pn_max(totals->replicas_held_max, totals->replicas_held);
    totals->values_held_max = (uint32_t)pn_max(totals->values_held_max, totals->values_held);
}

/* Returns the longest of the list, or what stands for all of its tasks. */
static uint64_t cluster_longest(const uint64_t *times, uint32_t count, uint64_t all)
{
    for (uint32_t i = 0; times && i < count; i++)
        all = i == 0 ? times[i] : pn_max(all, times[i]);
    return all;
}

/* Returns what a scheduler would take a task for that works so long on a node of speed 1000 (CL20):
 * as long as on the slowest, and at least 1 ms, as no task takes less (CL9). */
static uint64_t on_slowest(const pn_cluster *sim, uint64_t ms)
{
    return pn_max(1, (ms * 1000 + sim->slowest - 1) / sim->slowest);
}

static void store_estimates(const pn_cluster *sim, const pn_cluster_job *job, uint64_t est_ms[2])
{
    uint64_t map = cluster_longest(job->map_times, job->maps, job->map_ms) + job->remote_ms;
    uint64_t reduce = cluster_longest(job->reduce_times, job->reduces, job->reduce_ms);
    uint64_t shuffle = cluster_longest(job->shuffle_times, job->reduces, job->shuffle_ms);
    est_ms[PN_SCHEDULER_MAP] = job->est_map_ms > 0 ? job->est_map_ms : on_slowest(sim, map);
    est_ms[PN_SCHEDULER_REDUCE] = job->est_reduce_ms > 0 ? job->est_reduce_ms
                                                         : shuffle + on_slowest(sim, reduce);
    for (int kind = 0; kind < 2; kind++)
        est_ms[kind] = pn_min(est_ms[kind], PN_CLUSTER_MOST_MS);
}

int pn_cluster_submit(pn_cluster *sim, const pn_cluster_job *job, uint64_t *id)
{
    pn_cluster_view view;
    lists needed = {0, {0}, 0, 0, 0};
    if (!sim || !job || !PN_GIVEN(job, pn_cluster_job, priority))
        return PN_ERR_ARGUMENT;
    int status = cluster_job_refused(sim, job, &needed);
    if (status != PN_OK)
        return status;
    pn_cluster_view_build(&view, sim, NULL);
    uint32_t place = pn_place_take(&sim->job_places, PN_LINKS(view.jobs, next));
    pn_cluster_entry *entry = &view.jobs[place];
    *entry = (pn_cluster_entry){.id = ++sim->totals.submitted,
                                .submit = job->submit,
                                .map_ms = job->map_ms,
                                .remote_ms = job->remote_ms,
                                .reduce_ms = job->reduce_ms,
                                .shuffle_ms = job->shuffle_ms,
                                .deadline = job->deadline,
                                .input = job->input,
                                .intermediate = job->intermediate,
                                .tag = job->tag,
                                .maps = job->maps,
                                .reduces = job->reduces,
                                .replicas = (uint32_t)needed.replicas,
                                .values = (uint32_t)needed.values,
                                .lists = needed.present,
                                .group = job->group,
                                .weight = (uint32_t)pn_max(job->weight, 1),
                                .priority = job->priority};
    memcpy(entry->at, needed.at, sizeof entry->at);
    store_estimates(sim, job, entry->est_ms);
    if (sim->config.scheduler.attributes > 0)
        pn_attributes_put(pn_cluster_attributes_of(sim), place, job->attributes);
    if (needed.present)
        store_lists(&view, place, job, &needed);
    cluster_count_held(sim, entry);
    if (sim->config.bounds_max > 0)
        pn_cluster_bound_add(sim, job, entry->id - 1);
    if (sim->future_last != 0)
        view.jobs[sim->future_last - 1].next = place + 1;
    else
        sim->future_first = place + 1;
    sim->future_last = place + 1;
    sim->stuck_since = PN_SCHEDULER_NEVER;
    sim->last_submit = job->submit;
    if (sim->totals.first_submit == PN_SCHEDULER_NEVER)
        sim->totals.first_submit = job->submit;
    if (id)
        *id = entry->id;
    return PN_OK;
}

/* Releases the place of a job that has left. */
void pn_cluster_release(pn_cluster_view *view, uint32_t place)
{
    pn_cluster *sim = view->sim;
    pn_cluster_entry *job = &view->jobs[place];
    PN_ASSERT(job->id != 0);
    if (job->lists)
        pn_lists_free(&view->store, place);
    sim->totals.jobs_held--;
    sim->totals.tasks_held -= job->maps + job->reduces;
    sim->totals.replicas_held -= job->replicas;
    sim->totals.values_held -= job->values;
    job->id = 0;
    pn_place_free(&sim->job_places, PN_LINKS(view->jobs, next), place);
}

/* ---- failures ---- */

int pn_cluster_fail(pn_cluster *sim, uint64_t time, uint32_t node, uint64_t recover)
{
    pn_cluster_view view;
    if (!sim || node >= sim->nodes_count || recover <= time)
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    if (time > PN_INTEGER_MAX || (recover > PN_INTEGER_MAX && recover != PN_SCHEDULER_NEVER))
        return PN_ERR_OVERFLOW;
    if (time < sim->passed || sim->over)
        return PN_ERR_LATE;
    if (sim->outages.count == sim->config.failures_max)
        return PN_ERR_FULL;
    pn_cluster_view_build(&view, sim, NULL);
    uint32_t place = pn_place_take(&sim->failure_places, PN_LINKS(view.failures, next));
    view.failures[place] = (pn_cluster_outage){(uint64_t)place + 1, recover, node, 0};
    const uint64_t word[2] = {time, (uint64_t)1 << 32 | node};
    pn_heap_push(&view.outages, place, word);
    sim->recoveries += recover != PN_SCHEDULER_NEVER;
    sim->stuck_since = PN_SCHEDULER_NEVER;
    return PN_OK;
}

/* ---- the view ---- */

void pn_cluster_view_build(pn_cluster_view *view, pn_cluster *sim, const pn_cluster_hooks *hooks)
{
    *view = (pn_cluster_view){.sim = sim, .hooks = hooks, .core = pn_cluster_core(sim)};
    view->jobs = pn_at(sim, sim->jobs);
    view->attempts = pn_at(sim, sim->attempts);
    view->speeds = pn_at(sim, sim->speeds);
    view->failures = pn_at(sim, sim->failures);
    view->store = (pn_lists){&sim->store, pn_at(sim, sim->words), &view->jobs[0].list,
                             PN_CLUSTER_ENTRY_WORDS};
    view->ends = (pn_heap){&sim->ends,
                           pn_at(sim, sim->end_entries),
                           &view->attempts[0].place,
                           PN_CLUSTER_ATTEMPT_PLACES,
                           &view->attempts[0].order,
                           PN_CLUSTER_ATTEMPT_WORDS};
    view->outages = (pn_heap){&sim->outages,         pn_at(sim, sim->failure_entries), NULL, 0,
                              &view->failures[0].id, PN_CLUSTER_OUTAGE_WORDS};
    view->now = sim->totals.time;
}

/* ---- queries ---- */

void pn_cluster_totals_into(const pn_cluster *sim, pn_cluster_totals *to, size_t size,
                            size_t scheduler_size)
{
    pn_cluster_totals totals = sim->totals;
    pn_scheduler_totals_get(pn_cluster_scheduler(sim), &totals.scheduler);
    pn_config_fill_nested(to, size, scheduler_size, &totals,
                          PN_NESTED(pn_cluster_totals, scheduler));
}

void pn_cluster_levels_into(const pn_cluster *sim, pn_scheduler_levels *levels, size_t size)
{
    pn_scheduler_levels_into(pn_cluster_scheduler(sim), levels, size);
    levels->time = sim->totals.time;
}

const pn_scheduler *pn_cluster_scheduler(const pn_cluster *sim)
{
    return (const pn_scheduler *)(const void *)((const unsigned char *)sim + sim->scheduler);
}

uint64_t pn_cluster_digest(const pn_cluster *sim)
{
    return pn_scheduler_digest(pn_cluster_scheduler(sim));
}
