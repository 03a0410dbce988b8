/* Life of a makespan simulation: carving, opening a copy, submitting jobs, answering
 * queries. */
#include "base/config.h"
#include "state.h"

const char pn_makespan_magic[8] = {'p', 'n', 'm', 'a', 'k', 'e', 's', 'p'};

/* ---- carving ---- */

size_t pn_makespan_policy_bytes(const pn_makespan_policy *policy, uint32_t jobs)
{
    pn_arena arena = {0, false};
    pn_arena_take(&arena, 1, policy->state_bytes);
    pn_arena_take(&arena, jobs, policy->state_bytes_per_job);
    return pn_arena_size(&arena, SIZE_MAX);
}

/* Returns whether a policy may ask for the longest tasks first. */
static bool may_sort(const pn_makespan_config *config)
{
    bool by_default = config->policy && config->policy->task_order == PN_MAKESPAN_LPT;
    return config->task_order == PN_MAKESPAN_LPT || (config->task_order == 0 && by_default);
}

static void carve_run(pn_arena *arena, pn_makespan *sim)
{
    size_t jobs = sim->config.jobs_max, slots = (size_t)sim->slots[0] + sim->slots[1];
    sim->run_tables = arena->used;
    sim->flows = pn_arena_take(arena, PN_MAKESPAN_STAGE_COUNT * jobs, sizeof(pn_makespan_flow));
    sim->events = pn_arena_take(arena, slots, sizeof(pn_makespan_event));
    sim->kept_events = pn_arena_take(arena, slots, sizeof(pn_makespan_event));
    sim->times = pn_arena_take(arena, jobs, sizeof(pn_makespan_job_times));
    sim->done = pn_arena_take(arena, jobs, sizeof(uint32_t));
    sim->sort_room = pn_arena_take(arena, jobs, sizeof(uint32_t));
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        sim->eligible[k] = pn_arena_take(arena, pn_bits_words(jobs), sizeof(uint64_t));
        sim->free_slots[k] = pn_arena_take(arena, pn_bits_words(sim->slots[k]), sizeof(uint64_t));
        sim->slot_next[k] = pn_arena_take(arena, sim->slots[k], sizeof(uint32_t));
    }
    sim->run_tables_size = arena->used - sim->run_tables;
}

/* Lays out the tables of the batch and of what policies work with. */
static void carve_tables(pn_arena *arena, pn_makespan *sim, bool sorts)
{
    size_t jobs = sim->config.jobs_max,
           timed = sim->config.level == PN_MAKESPAN_STAGES || sim->asked.resplit > 0 ? jobs : 0;
    sim->jobs = pn_arena_take(arena, jobs, sizeof(pn_makespan_entry));
    sim->stretches = pn_arena_take(arena, sim->config.stretches_max,
                                   sizeof(pn_makespan_stretch_entry));
    if (sorts)
        sim->longest_first = pn_arena_take(arena, sim->config.stretches_max,
                                           sizeof(pn_makespan_stretch_entry));
    sim->stretch_room = pn_arena_take(arena, 2 * (size_t)sim->config.stretches_max,
                                      sizeof(uint32_t));
    sim->set_order = pn_arena_take(arena, jobs, sizeof(uint32_t));
    sim->set_jobs = pn_arena_take(arena, jobs, sizeof(uint32_t));
    sim->set_pools = pn_arena_take(arena, sim->pools_max, sizeof(pn_makespan_pool_entry));
    sim->order = pn_arena_take(arena, jobs, sizeof(uint32_t));
    sim->position = pn_arena_take(arena, jobs, sizeof(uint32_t));
    sim->pools = pn_arena_take(arena, sim->pools_max, sizeof(pn_makespan_pool_entry));
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        sim->spans[k] = pn_arena_take(arena, jobs, sizeof(pn_makespan_span));
        sim->duration[k] = pn_arena_take(arena, timed, sizeof(uint64_t));
        for (uint32_t i = 0; i < PN_MAKESPAN_TIMINGS; i++)
            sim->timing[i].duration[k] = pn_arena_take(arena, timed, sizeof(uint64_t));
        size_t tasks = sim->config.level == PN_MAKESPAN_TASKS ? PN_MAKESPAN_SEQUENCE_MAX : 0;
        sim->sequence[k] = pn_arena_take(arena, tasks, sizeof(pn_makespan_task));
    }
}

/* Lays the block out: the one place that knows its shape. */
size_t pn_makespan_carve(const pn_makespan_config *config, bool sorts, size_t room,
                         pn_makespan *sim)
{
    pn_arena arena = {0, false};
    memset(sim, 0, sizeof *sim); /* padding too: equal histories make equal blocks */
    memcpy(sim->head.magic, pn_makespan_magic, sizeof pn_makespan_magic);
    sim->head.layout = sizeof *sim;
    pn_makespan_keep_config(&sim->config, config);
    sim->slots[0] = config->map_slots;
    sim->slots[1] = config->reduce_slots;
    sim->base_slots[0] = config->base_map_slots ? config->base_map_slots : config->map_slots;
    sim->base_slots[1] = config->base_reduce_slots ? config->base_reduce_slots
                                                   : config->reduce_slots;
    sim->nodes = config->nodes ? config->nodes
                               : (uint32_t)pn_gcd(config->map_slots, config->reduce_slots);
    sim->pools_max = sim->nodes <= sim->config.jobs_max ? sim->nodes : sim->config.jobs_max + 1;
    sim->asked = (pn_makespan_rules){config->stage_time, config->share, config->cap,
                                     config->task_order, config->resplit};
    pn_arena_take(&arena, 1, sizeof *sim);
    carve_tables(&arena, sim, sorts);
    carve_run(&arena, sim);
    if (config->statistics) {
        sim->stats_stride = pn_stats_size(PN_MAKESPAN_COMPLETION_OCTAVE,
                                          PN_MAKESPAN_COMPLETION_OCTAVES);
        sim->stats = pn_arena_take(&arena, (size_t)config->groups_max + 1, sim->stats_stride);
    }
    pn_attributes_carve(&arena, sim->config.jobs_max, sim->config.attributes);
    sim->policy_memory = pn_arena_take(&arena, room, 1);
    sim->policy_memory_size = room;
    sim->head.size = arena.used;
    return pn_arena_size(&arena, 0);
}

static size_t makespan_carve(const pn_makespan_config *config, pn_makespan *sim)
{
    size_t room = config->policy ? pn_makespan_policy_bytes(config->policy, config->jobs_max) : 0;
    const pn_makespan_policy *policy;
    for (size_t i = 0; !config->policy && (policy = pn_makespan_policy_at(i)); i++) {
        size_t needed = pn_makespan_policy_bytes(policy, config->jobs_max);
        room = room > needed ? room : needed;
    }
    return room == SIZE_MAX ? 0 : pn_makespan_carve(config, may_sort(config), room, sim);
}

size_t pn_makespan_size(const pn_makespan_config *config)
{
    pn_makespan_config copy;
    pn_makespan layout;
    return pn_makespan_read_config(&copy, config) ? 0 : makespan_carve(&copy, &layout);
}

int pn_makespan_init(pn_makespan **sim, void *block, size_t size, const pn_makespan_config *given)
{
    pn_makespan_config copy, *config = &copy;
    pn_makespan layout;
    if (!sim || !block || !given)
        return PN_ERR_ARGUMENT;
    if (pn_makespan_read_config(&copy, given))
        return PN_ERR_CONFIG;
    size_t needed = makespan_carve(config, &layout);
    int status = pn_block_fits(block, size, needed);
    if (status != PN_OK)
        return status;
    memset(block, 0, needed);
    memcpy(block, &layout, sizeof layout);
    for (uint32_t k = 0; config->statistics && k <= config->groups_max; k++)
        pn_stats_init(pn_at(block, layout.stats + k * layout.stats_stride),
                      PN_MAKESPAN_COMPLETION_OCTAVE, PN_MAKESPAN_COMPLETION_OCTAVES, 0);
    *sim = block;
    return PN_OK;
}

size_t pn_makespan_block_size(const pn_makespan *sim)
{
    return sim ? (size_t)sim->head.size : 0;
}

int pn_makespan_open(pn_makespan **sim, void *block, size_t size)
{
    int status = sim ? pn_block_check(block, size, pn_makespan_magic, sizeof(pn_makespan))
                     : PN_ERR_ARGUMENT;
    if (status == PN_OK)
        *sim = block;
    return status;
}

/* ---- submitting ---- */

/* Measures what a stage comes to; PN_ERR_ARGUMENT or PN_ERR_OVERFLOW. Only T: a full wave on the
 * requested slots (MK2). */
static int makespan_measure(const pn_makespan *sim, const pn_makespan_stage_of_job *given,
                            uint32_t k, pn_makespan_stage_entry *stage)
{
    uint64_t tasks = 0;
    *stage = (pn_makespan_stage_entry){.given = given->time, .has_given = given->has_time != 0};
    if ((given->stretch_count > 0 && (!given->stretches || given->empty)) || given->empty > 1)
        return PN_ERR_ARGUMENT;
    if (given->has_time > 1 || (given->has_time && given->time > PN_MAKESPAN_MOST))
        return given->has_time > 1 ? PN_ERR_ARGUMENT : PN_ERR_OVERFLOW;
    for (uint32_t i = 0; i < given->stretch_count; i++) {
        const pn_makespan_stretch *stretch = &given->stretches[i];
        uint64_t work;
        if (stretch->count == 0)
            return PN_ERR_ARGUMENT;
        if (!pn_multiply(stretch->duration, stretch->count, PN_MAKESPAN_MOST - stage->work, &work))
            return PN_ERR_OVERFLOW;
        tasks += stretch->count;
        stage->work += work;
        stage->longest = pn_max(stage->longest, stretch->duration);
    }
    stage->stretch_count = given->stretch_count;
    stage->requested = given->requested;
    if (given->stretch_count == 0 && given->has_time && !given->empty && given->time > 0) {
        stage->requested = given->requested ? given->requested : sim->base_slots[k];
        stage->stretch_count = 1;
        stage->longest = given->time;
        tasks = stage->requested;
        if (!pn_multiply(given->time, tasks, PN_MAKESPAN_MOST, &stage->work))
            return PN_ERR_OVERFLOW;
    }
    if (tasks > UINT32_MAX)
        return PN_ERR_OVERFLOW;
    stage->tasks = (uint32_t)tasks;
    if (stage->requested == 0)
        stage->requested = tasks > 0 ? (uint32_t)tasks : 1; /* MK3 */
    return PN_OK;
}

/* Copies the stretches, those that follow one another with equal durations as one. */
static void put_stretches(pn_makespan *sim, const pn_makespan_stage_of_job *given,
                          pn_makespan_stage_entry *stage)
{
    pn_makespan_stretch_entry *table = pn_at(sim, sim->stretches);
    uint32_t first = 0, last = sim->stretch_count;
    stage->stretches = sim->stretch_count;
    for (uint32_t i = 0; i < given->stretch_count; i++) {
        const pn_makespan_stretch *stretch = &given->stretches[i];
        if (last > stage->stretches && table[last - 1].duration == stretch->duration)
            table[last - 1].count += stretch->count;
        else
            table[last++] = (pn_makespan_stretch_entry){stretch->duration, stretch->count, first};
        first += stretch->count;
    }
    if (given->stretch_count == 0 && stage->tasks > 0)
        table[last++] = (pn_makespan_stretch_entry){stage->longest, stage->tasks, 0};
    stage->stretch_count = last - stage->stretches;
    sim->stretch_count = last;
}

static int makespan_submit_refuses(const pn_makespan *sim, const pn_makespan_job *job,
                                   const pn_makespan_stage_entry stage[PN_MAKESPAN_STAGE_COUNT])
{
    if (job->group != 0 && job->group >= sim->config.groups_max)
        return PN_ERR_ARGUMENT;
    if (sim->planned)
        return PN_ERR_LATE;
    if ((stage[0].work == 0 && stage[1].work == 0) ||
        !pn_attributes_sane(job->attributes, sim->config.attributes))
        return PN_ERR_JOB;
    /* No schedule is longer than all work, one task after another. */
    uint64_t before = sim->work[0] + sim->work[1];
    if (stage[0].work > PN_MAKESPAN_MOST - before ||
        stage[1].work > PN_MAKESPAN_MOST - before - stage[0].work)
        return PN_ERR_OVERFLOW;
    uint64_t stretches = (uint64_t)sim->stretch_count + stage[0].stretch_count +
                         stage[1].stretch_count;
    return sim->job_count == sim->config.jobs_max || stretches > sim->config.stretches_max
               ? PN_ERR_FULL
               : PN_OK;
}

int pn_makespan_submit(pn_makespan *sim, const pn_makespan_job *job, uint64_t *id)
{
    pn_makespan_stage_entry stage[PN_MAKESPAN_STAGE_COUNT];
    if (!sim || !job || !PN_GIVEN(job, pn_makespan_job, attributes))
        return PN_ERR_ARGUMENT;
    int status = sim->head.busy ? PN_ERR_BUSY : PN_OK;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT && status == PN_OK; k++)
        status = makespan_measure(sim, &job->stage[k], k, &stage[k]);
    if (status == PN_OK)
        status = makespan_submit_refuses(sim, job, stage);
    if (status != PN_OK)
        return status;
    if (sim->config.attributes > 0)
        pn_attributes_put(pn_makespan_attributes_of(sim), sim->job_count, job->attributes);
    pn_makespan_entry *taken = (pn_makespan_entry *)pn_at(sim, sim->jobs) + sim->job_count++;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        put_stretches(sim, &job->stage[k], &stage[k]);
        sim->work[k] += stage[k].work;
        taken->stage[k] = stage[k];
    }
    taken->tag = job->tag;
    taken->group = job->group;
    sim->has_order = 0; /* those were of a smaller batch */
    sim->set_pool_count = 0;
    if (id)
        *id = sim->job_count;
    return PN_OK;
}

/* ---- orders and pools that the host gives ---- */

/* Copies ids as places; false when one is no job or was there before. */
static bool take_ids(const pn_makespan *sim, const uint64_t *ids, size_t count, uint32_t *places,
                     const pn_bits *seen)
{
    for (size_t i = 0; i < count; i++) {
        if (ids[i] < 1 || ids[i] > sim->job_count ||
            pn_bits_next(seen, (uint32_t)(ids[i] - 1)) == ids[i] - 1)
            return false;
        places[i] = (uint32_t)(ids[i] - 1);
        pn_bits_set(seen, places[i]);
    }
    return true;
}

static int set_refuses(const pn_makespan *sim, const void *list)
{
    if (!sim || !list || sim->job_count == 0)
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    return sim->planned ? PN_ERR_LATE : PN_OK;
}

/* Opens tables that nothing uses before the plan to read what is given; then they are as they
 * were. */
static pn_bits open_scratch(pn_makespan *sim)
{
    return pn_bits_at(pn_at(sim, sim->eligible[0]), sim->job_count);
}

static void close_scratch(pn_makespan *sim, const pn_bits *seen)
{
    pn_bits_empty(seen, sim->job_count);
    memset(pn_at(sim, sim->sort_room), 0, sim->job_count * sizeof(uint32_t));
}

int pn_makespan_set_order(pn_makespan *sim, const uint64_t *ids, size_t count)
{
    int status = set_refuses(sim, ids);
    if (status != PN_OK)
        return status;
    pn_bits seen = open_scratch(sim);
    uint32_t *places = pn_at(sim, sim->sort_room);
    if (count != sim->job_count || !take_ids(sim, ids, count, places, &seen)) {
        status = PN_ERR_ARGUMENT;
    } else {
        memcpy(pn_at(sim, sim->set_order), places, count * sizeof *places);
        sim->has_order = 1;
    }
    close_scratch(sim, &seen);
    return status;
}

/* Pools as read: how many jobs they name, how many there are with those that no pool names, and how
 * many nodes they take. */
typedef struct pools_read {
    uint32_t named, jobs, nodes;
} pools_read;

static bool take_pools(const pn_makespan *sim, const pn_makespan_pool *pools, size_t count,
                       uint32_t *places, const pn_bits *seen, pools_read *read)
{
    *read = (pools_read){0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        if (pools[i].nodes < 1 || pools[i].nodes > sim->nodes - read->nodes ||
            (pools[i].count > 0 && !pools[i].ids) ||
            pools[i].count > sim->job_count - read->named ||
            !take_ids(sim, pools[i].ids, pools[i].count, places + read->named, seen))
            return false;
        read->nodes += pools[i].nodes;
        read->named += pools[i].count;
    }
    read->jobs = read->named;
    for (uint32_t job = 0; job < sim->job_count; job++)
        if (pn_bits_next(seen, job) != job)
            places[read->jobs++] = job;
    return read->jobs == read->named || (read->nodes < sim->nodes && count < sim->pools_max);
}

static void put_pools(pn_makespan *sim, const pn_makespan_pool *pools, size_t count,
                      const pools_read *read)
{
    pn_makespan_pool_entry *set = pn_at(sim, sim->set_pools);
    uint32_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        set[i] = (pn_makespan_pool_entry){
            .nodes = pools[i].nodes, .begin = begin, .end = begin + pools[i].count};
        begin = set[i].end;
    }
    if (read->jobs > read->named)
        set[count++] = (pn_makespan_pool_entry){
            .nodes = sim->nodes - read->nodes, .begin = read->named, .end = read->jobs};
    sim->set_pool_count = (uint32_t)count;
}

int pn_makespan_set_pools(pn_makespan *sim, const pn_makespan_pool *pools, size_t count)
{
    int status = set_refuses(sim, pools);
    if (status != PN_OK)
        return status;
    if (count < 1 || count > sim->pools_max)
        return PN_ERR_ARGUMENT;
    pn_bits seen = open_scratch(sim);
    uint32_t *places = pn_at(sim, sim->sort_room);
    pools_read read;
    if (!take_pools(sim, pools, count, places, &seen, &read)) {
        status = PN_ERR_ARGUMENT;
    } else {
        memcpy(pn_at(sim, sim->set_jobs), places, read.jobs * sizeof *places);
        put_pools(sim, pools, count, &read);
    }
    close_scratch(sim, &seen);
    return status;
}

/* ---- queries ---- */

uint64_t pn_makespan_ticks(const pn_makespan *sim)
{
    return sim->fine * sim->config.ticks;
}

uint32_t pn_makespan_jobs(const pn_makespan *sim)
{
    return sim->job_count;
}

uint64_t pn_makespan_order(const pn_makespan *sim, uint32_t index)
{
    if (!sim->planned || index >= sim->job_count)
        return 0;
    return ((const uint32_t *)(const void *)((const unsigned char *)sim + sim->order))[index] +
           (uint64_t)1;
}

uint32_t pn_makespan_pools(const pn_makespan *sim)
{
    return sim->pool_count;
}

void pn_makespan_pool_get(const pn_makespan *sim, uint32_t index, pn_makespan_pool_plan *pool)
{
    PN_ASSERT(index < sim->pool_count);
    const pn_makespan_pool_entry *entry =
        (const pn_makespan_pool_entry *)(const void *)((const unsigned char *)sim + sim->pools) +
        index;
    *pool = (pn_makespan_pool_plan){entry->nodes, entry->slots[0], entry->slots[1],
                                    entry->end - entry->begin};
}

/* Returns the slots of a stage that tasks take. */
static uint64_t busy_slots(const pn_makespan *sim, uint32_t stage)
{
    const pn_makespan_pool_entry *pools = (const void *)((const unsigned char *)sim + sim->pools);
    uint64_t busy = 0;
    for (uint32_t i = 0; i < sim->pool_count && sim->begun; i++)
        busy += sim->config.level == PN_MAKESPAN_STAGES
                    ? (pools[i].free[stage] == 0 ? pools[i].slots[stage] : 0)
                    : pools[i].slots[stage] - pools[i].free[stage];
    return busy;
}

void pn_makespan_levels_into(const pn_makespan *sim, pn_makespan_levels *to, size_t size)
{
    pn_makespan_levels levels = {.time = sim->time,
                                 .jobs = sim->job_count - sim->finished,
                                 .map = busy_slots(sim, PN_MAKESPAN_MAP),
                                 .reduce = busy_slots(sim, PN_MAKESPAN_REDUCE)};
    levels.queue = levels.jobs - sim->holding;
    pn_config_fill(to, size, &levels, sizeof levels);
}

void pn_makespan_totals_into(const pn_makespan *sim, pn_makespan_totals *to, size_t size)
{
    pn_makespan_totals totals = {.time = sim->time,
                                 .makespan = sim->makespan,
                                 .map_work = sim->work[0],
                                 .reduce_work = sim->work[1],
                                 .tasks_started = sim->started,
                                 .submitted = sim->job_count,
                                 .finished = sim->finished,
                                 .instants = sim->instants,
                                 .evaluations = sim->evaluations,
                                 .nodes_searched = sim->searched,
                                 .stage_time = sim->rules.stage_time,
                                 .share = sim->rules.share,
                                 .cap = sim->rules.cap,
                                 .task_order = sim->rules.task_order,
                                 .resplit = sim->rules.resplit};
    if (sim->planned &&
        !pn_exact_of_wide(&totals.total_completion, (pn_wide){sim->total[0], sim->total[1]},
                          pn_makespan_ticks(sim)))
        totals.total_completion = (pn_exact){0, 0};
    if (sim->planned && sim->proven > 0)
        pn_exact_make(&totals.proven, (int64_t)sim->proven, (int64_t)sim->config.ticks);
    pn_config_fill(to, size, &totals, sizeof totals);
}

uint64_t pn_makespan_digest(const pn_makespan *sim)
{
    return sim->digest;
}

static pn_stats *makespan_stats_of(const pn_makespan *sim, size_t index)
{
    return (pn_stats *)(void *)((unsigned char *)(uintptr_t)sim + sim->stats +
                                index * sim->stats_stride);
}

const pn_stats *pn_makespan_completions(const pn_makespan *sim, uint32_t group)
{
    if (!sim->config.statistics || (group != PN_ALL_GROUPS && group >= sim->config.groups_max))
        return NULL;
    return makespan_stats_of(sim, group == PN_ALL_GROUPS ? 0 : (size_t)group + 1);
}

void pn_makespan_count_completion(pn_makespan *sim, uint32_t job, uint64_t time)
{
    if (!sim->config.statistics)
        return;
    double units = pn_exact_double((pn_exact){(int64_t)time, (int64_t)pn_makespan_ticks(sim)});
    pn_stats_add(makespan_stats_of(sim, 0), units);
    if (sim->config.groups_max > 0)
        pn_stats_add(makespan_stats_of(sim, (size_t)pn_makespan_entries(sim)[job].group + 1),
                     units);
}

const char *pn_makespan_policy_name(const pn_makespan *sim)
{
    return sim->binding.name;
}
