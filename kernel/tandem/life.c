/* Life of a tandem simulation: carving, opening a copy, submitting jobs, answering
 * queries. */
#include "base/config.h"
#include "state.h"

const char pn_tandem_magic[8] = {'p', 'n', 't', 'a', 'n', 'd', 'e', 'm'};

/* ---- engines ---- */

/* Returns whether the engine of priorities can run the policy. It keeps the two orders of the
 * stations; a policy that wakes up may ask for others. */
bool pn_tandem_firsts(const pn_tandem_policy *policy, const pn_tandem_service services[2])
{
    return !policy->act && (!policy->wake || policy->order_count <= 2) &&
           services[PN_TANDEM_MAP_STATION].way == PN_TANDEM_FIRST &&
           services[PN_TANDEM_SHUFFLE_STATION].way == PN_TANDEM_FIRST;
}

uint64_t pn_tandem_engines_of(const pn_tandem_policy *policy)
{
    const uint64_t one = 1, lists = one << PN_TANDEM_ENGINE_LIST,
                   shares = one << PN_TANDEM_ENGINE_SHARE,
                   firsts = one << PN_TANDEM_ENGINE_FIRST | one << PN_TANDEM_ENGINE_LINES;
    if (!policy || policy->init)
        return lists | shares | firsts;
    const pn_tandem_service services[2] = {
        [PN_TANDEM_MAP_STATION] = policy->map, [PN_TANDEM_SHUFFLE_STATION] = policy->shuffle};
    return pn_tandem_firsts(policy, services)   ? firsts
           : pn_tandem_shares(policy, services) ? shares
                                                : lists;
}

/* ---- carving ---- */

/* Carves the sets of the sharing engine, which are those of the engine of lines, too. */
static void carve_sets(pn_arena *arena, pn_tandem *sim, size_t jobs)
{
    for (int i = 0; i < PN_TANDEM_SETS; i++) {
        sim->set_entries[i] = pn_arena_take(arena, jobs, sizeof(pn_heap_entry));
        sim->sets[i].capacity = (uint32_t)jobs;
    }
}

static void tandem_carve_statistics(pn_arena *arena, const pn_tandem_config *config, pn_tandem *sim)
{
    size_t groups = (size_t)config->groups_max + 1;
    sim->stats_stride = pn_stats_size(PN_TANDEM_RESPONSE_OCTAVE, PN_TANDEM_RESPONSE_OCTAVES);
    sim->slowdowns_stride = pn_stats_size(PN_TANDEM_SLOWDOWN_OCTAVE, PN_TANDEM_SLOWDOWN_OCTAVES);
    sim->stats = pn_arena_take(arena, groups, sim->stats_stride);
    sim->slowdowns = pn_arena_take(arena, groups, sim->slowdowns_stride);
    sim->batches = pn_arena_take(arena, 1, sizeof(pn_batches));
}

static size_t tandem_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Lays the block out: the one place that knows its shape. */
size_t pn_tandem_carve(const pn_tandem_config *config, uint64_t engines, size_t room_size,
                       pn_tandem *sim)
{
    size_t jobs = config->jobs_max;
    pn_arena arena = {0, false};
    memset(sim, 0, sizeof *sim); /* padding too: equal histories make equal blocks */
    memcpy(sim->head.magic, pn_tandem_magic, sizeof pn_tandem_magic);
    sim->head.layout = sizeof *sim;
    pn_tandem_keep_config(&sim->config, config);
    sim->engines = engines;
    size_t shared = pn_tandem_has(sim, PN_TANDEM_ENGINE_SHARE) ? jobs : 0,
           listed = pn_tandem_has(sim, PN_TANDEM_ENGINE_LIST) ? jobs : 0,
           either = tandem_larger(shared, listed),
           lined = pn_tandem_has(sim, PN_TANDEM_ENGINE_LINES) ? jobs : shared;
    sim->wake = PN_TANDEM_NEVER;
    pn_arena_take(&arena, 1, sizeof(pn_tandem));
    sim->jobs = pn_arena_take(&arena, jobs, sizeof(pn_tandem_entry));
    sim->shared = pn_arena_take(&arena, shared, sizeof(pn_tandem_shared));
    sim->misjudged = pn_arena_take(&arena, config->estimates ? jobs : 0,
                                   sizeof(pn_tandem_misjudgement));
    sim->served = pn_arena_take(&arena, listed, sizeof(pn_tandem_served));
    sim->was_served = pn_arena_take(&arena, either, sizeof(uint32_t));
    sim->backlogs = pn_arena_take(&arena, either, sizeof(uint32_t));
    sim->done = pn_arena_take(&arena, jobs, sizeof(uint32_t));
    sim->scratch = pn_arena_take(&arena, listed, sizeof(pn_heap_entry));
    sim->scratch_heap.capacity = (uint32_t)listed;
    carve_sets(&arena, sim, lined);
    if (config->statistics)
        tandem_carve_statistics(&arena, config, sim);
    if (config->buckets_max > 0)
        sim->buckets = pn_arena_take(&arena, (size_t)config->buckets_max + 1,
                                     sizeof(pn_tandem_bucket));
    pn_tandem_bound_carve(&sim->bound, &arena, config);
    pn_attributes_carve(&arena, jobs, sim->config.attributes);
    sim->policy_memory = pn_arena_take(&arena, room_size, 1);
    sim->policy_memory_size = room_size;
    sim->head.size = arena.used;
    return pn_arena_size(&arena, 0);
}

static size_t tandem_carve(const pn_tandem_config *config, pn_tandem *sim)
{
    size_t room_end = 0;
    const pn_tandem_policy *policy;
    if (config->policy)
        room_end = pn_tandem_room(config->policy, config, NULL, 0);
    else
        for (size_t i = 0; (policy = pn_tandem_policy_at(i)); i++)
            room_end = tandem_larger(room_end, pn_tandem_room(policy, config, NULL, 0));
    uint64_t engines = pn_tandem_engines_of(config->policy);
    return room_end == SIZE_MAX ? 0 : pn_tandem_carve(config, engines, room_end, sim);
}

size_t pn_tandem_size(const pn_tandem_config *config)
{
    pn_tandem_config copy;
    pn_tandem layout;
    return pn_tandem_read_config(&copy, config) ? 0 : tandem_carve(&copy, &layout);
}

int pn_tandem_init(pn_tandem **sim, void *block, size_t size, const pn_tandem_config *given)
{
    pn_tandem_config copy, *config = &copy;
    pn_tandem layout;
    if (!sim || !block || !given)
        return PN_ERR_ARGUMENT;
    if (pn_tandem_read_config(&copy, given))
        return PN_ERR_CONFIG;
    size_t needed = tandem_carve(config, &layout);
    int status = pn_block_fits(block, size, needed);
    if (status != PN_OK)
        return status;
    memset(block, 0, needed);
    memcpy(block, &layout, sizeof layout);
    for (uint32_t k = 0; config->statistics && k <= config->groups_max; k++) {
        pn_stats_init(pn_at(block, layout.stats + k * layout.stats_stride),
                      PN_TANDEM_RESPONSE_OCTAVE, PN_TANDEM_RESPONSE_OCTAVES, 0);
        pn_stats_init(pn_at(block, layout.slowdowns + k * layout.slowdowns_stride),
                      PN_TANDEM_SLOWDOWN_OCTAVE, PN_TANDEM_SLOWDOWN_OCTAVES, 0);
    }
    if (config->statistics)
        pn_batches_init(pn_at(block, layout.batches));
    *sim = block;
    pn_stream_init(&(*sim)->stream, config->seed, config->replica, PN_POLICY_STREAM);
    return PN_OK;
}

size_t pn_tandem_block_size(const pn_tandem *sim)
{
    return sim ? (size_t)sim->head.size : 0;
}

int pn_tandem_open(pn_tandem **sim, void *block, size_t size)
{
    int status = sim ? pn_block_check(block, size, pn_tandem_magic, sizeof(pn_tandem))
                     : PN_ERR_ARGUMENT;
    if (status == PN_OK)
        *sim = block;
    return status;
}

int pn_tandem_configured(const pn_tandem *sim, const pn_tandem_config *config)
{
    const size_t from = offsetof(pn_tandem, head.size), to = offsetof(pn_tandem, binding);
    pn_tandem layout;
    if (!sim || pn_tandem_check(config) || tandem_carve(config, &layout) == 0)
        return 0;
    /* The size of the block is among these bytes, and depends on that of the policy's memory. */
    return pn_same_bytes((const unsigned char *)sim + from, (const unsigned char *)&layout + from,
                         to - from);
}

/* ---- submitting ---- */

static double tandem_estimate(double given, double truth)
{
    return given == 0.0 ? truth : given == PN_TANDEM_ESTIMATE_ZERO ? 0.0 : given;
}

static bool estimate_sane(double given)
{
    return given == PN_TANDEM_ESTIMATE_ZERO || pn_tandem_amount_sane(given);
}

/* Returns when the job arrives, since the start of the simulation. */
static pn_tandem_sum arrival_of(const pn_tandem *sim, const pn_tandem_job *job)
{
    pn_tandem_sum arrival = sim->last_arrival;
    if (!sim->config.gaps)
        return (pn_tandem_sum){job->arrival, 0.0};
    pn_tandem_sum_add(&arrival, job->arrival);
    double high = arrival.high + arrival.low;
    arrival.low -= high - arrival.high;
    arrival.high = high;
    return arrival;
}

/* Returns the offset of a job that is the next to arrive. */
static double offset_of(const pn_tandem *sim, double submitted)
{
    double offset = sim->config.gaps ? sim->last_arrived + submitted
                                     : pn_tandem_offset(sim, submitted);
    return offset > sim->now ? offset : sim->now;
}

static bool late(const pn_tandem *sim, const pn_tandem_job *job, const pn_tandem_sum *arrival)
{
    if (sim->future_first != 0)
        return false; /* it is no earlier than one that is not late */
    if (sim->config.gaps)
        return sim->last_arrived + job->arrival < sim->now || arrival->high < sim->promised;
    return arrival->high < sim->time || arrival->high < sim->promised;
}

static int tandem_submit_refuses(const pn_tandem *sim, const pn_tandem_job *job,
                                 const pn_tandem_sum *arrival)
{
    if (job->group != 0 && job->group >= sim->config.groups_max)
        return PN_ERR_ARGUMENT;
    if (!pn_tandem_amount_sane(job->arrival) || !pn_tandem_amount_sane(job->map) ||
        !pn_tandem_amount_sane(job->shuffle))
        return PN_ERR_JOB;
    if (sim->config.estimates &&
        (!estimate_sane(job->estimate_map) || !estimate_sane(job->estimate_shuffle)))
        return PN_ERR_JOB;
    if (!pn_attributes_sane(job->attributes, sim->config.attributes))
        return PN_ERR_JOB;
    if (arrival->high > PN_TANDEM_MOST || sim->submitted == PN_INTEGER_MAX)
        return PN_ERR_OVERFLOW;
    if (arrival->high < sim->last_arrival.high)
        return PN_ERR_ORDER;
    if (late(sim, job, arrival))
        return PN_ERR_LATE;
    if (sim->jobs_held == sim->config.jobs_max)
        return PN_ERR_FULL;
    return PN_OK;
}

static uint32_t tandem_take_job(pn_tandem *sim, const pn_tandem_entry *jobs)
{
    uint32_t place = sim->jobs_used;
    if (sim->free_job != 0) {
        place = sim->free_job - 1;
        sim->free_job = jobs[place].next;
    } else {
        sim->jobs_used++;
    }
    sim->jobs_held++;
    if (sim->jobs_held > sim->jobs_held_max)
        sim->jobs_held_max = sim->jobs_held;
    return place;
}

int pn_tandem_submit(pn_tandem *sim, const pn_tandem_job *job, uint64_t *id)
{
    if (!sim || !job || !PN_GIVEN(job, pn_tandem_job, attributes))
        return PN_ERR_ARGUMENT;
    pn_tandem_sum arrival = arrival_of(sim, job);
    int status = tandem_submit_refuses(sim, job, &arrival);
    if (status != PN_OK)
        return status;
    pn_tandem_entry *jobs = pn_at(sim, sim->jobs);
    uint32_t place = tandem_take_job(sim, jobs);
    pn_tandem_entry *taken = &jobs[place];
    uint64_t number = ++sim->submitted;
    /* What is not set here is 0: nobody has used the place, or the job before was taken out of
     * every set. */
    PN_ASSERT(taken->served == 0 && !taken->active);
    taken->backlog = taken->ratio = 0.0;
    taken->map_rate = taken->shuffle_rate = 0.0;
    taken->next = 0;
    taken->id = number;
    if (pn_tandem_has(sim, PN_TANDEM_ENGINE_SHARE))
        ((pn_tandem_shared *)pn_at(sim, sim->shared))[place].last = ~number;
    /* + 0.0: -0 becomes 0. Until the job arrives `mapped`, free so long, keeps its arrival as it
     * was given. */
    taken->arrived = arrival.high + 0.0;
    taken->mapped = job->arrival + 0.0;
    taken->map = taken->map_left = job->map + 0.0;
    taken->shuffle = taken->shuffle_left = job->shuffle + 0.0;
    taken->tag = job->tag;
    taken->group = job->group;
    if (sim->config.ranks)
        memcpy(taken->rank, job->rank, sizeof taken->rank);
    if (!sim->config.traditional && job->map > 0.0)
        taken->ratio = taken->shuffle / taken->map;
    if (sim->config.estimates) {
        pn_tandem_misjudgement *misjudged = pn_at(sim, sim->misjudged);
        misjudged[place] = (pn_tandem_misjudgement){
            tandem_estimate(job->estimate_map, taken->map),
            tandem_estimate(job->estimate_shuffle, taken->shuffle)};
    }
    if (sim->config.attributes > 0)
        pn_attributes_put(pn_tandem_attributes_of(sim), place, job->attributes);
    if (sim->future_last != 0) {
        jobs[sim->future_last - 1].next = place + 1;
    } else {
        sim->future_first = place + 1;
        sim->next_arrival = offset_of(sim, taken->mapped);
    }
    sim->future_last = place + 1;
    sim->last_arrival = arrival;
    if (id)
        *id = number;
    return PN_OK;
}

/* ---- queries ---- */

/* Counts jobs with a rate, and the sums of the rates, by engine. */
static uint32_t served_jobs(const pn_tandem *sim, double *map, double *shuffle)
{
    const pn_tandem_first_state *first = &sim->first;
    *map = sim->map_used;
    *shuffle = sim->shuffle_used;
    if (sim->engine == PN_TANDEM_ENGINE_SHARE) {
        uint32_t draining = sim->sets[PN_TANDEM_SET_DRAINING].count;
        return sim->sets[PN_TANDEM_SET_MAPPING].count + (sim->share.level > 0.0 ? draining : 0);
    }
    if (sim->engine != PN_TANDEM_ENGINE_LIST) {
        *map = first->map_rate;
        *shuffle = first->flow + first->drain;
        return (uint32_t)(first->map_rate > 0.0) + (first->drain > 0.0);
    }
    return sim->served_count;
}

void pn_tandem_levels_into(const pn_tandem *sim, pn_tandem_levels *to, size_t size)
{
    pn_tandem_levels levels = {.time = sim->time, .jobs = sim->in_system};
    if (sim->in_system > 0)
        levels.queue = levels.jobs - served_jobs(sim, &levels.map, &levels.shuffle);
    pn_config_fill(to, size, &levels, sizeof levels);
}

void pn_tandem_totals_into(const pn_tandem *sim, pn_tandem_totals *to, size_t size)
{
    pn_tandem_totals totals = {.time = sim->time,
                               .submitted = sim->submitted,
                               .finished = sim->finished,
                               .total_response_time = pn_tandem_sum_value(&sim->response_time),
                               .first_arrival = sim->first_arrival,
                               .last_finish = sim->last_finish,
                               .map_busy = sim->map_busy,
                               .shuffle_busy = sim->shuffle_busy,
                               .instants = sim->instants,
                               .decisions = sim->decisions,
                               .in_system = sim->in_system,
                               .in_system_max = sim->in_system_max,
                               .jobs_held = sim->jobs_held,
                               .jobs_held_max = sim->jobs_held_max};
    pn_tandem_bound_get(sim, &totals.lower_bound, &totals.lower_bound_tight);
    /* The area under the number of jobs present is what the finished ones stayed and what the
     * present ones have stayed so far. */
    double stayed = totals.total_response_time +
                    (sim->in_system * sim->now - sim->present_arrivals);
    double span = sim->time - sim->first_arrival;
    totals.mean_in_system = span > 0.0 ? stayed / span : 0.0;
    totals.heap_moves = sim->scratch_heap.moves;
    for (int k = 0; k < PN_TANDEM_SETS; k++)
        totals.heap_moves += sim->sets[k].moves;
    for (int k = 0; k < PN_TANDEM_ORDERS_MAX; k++)
        totals.heap_moves += sim->orders[k].moves;
    pn_config_fill(to, size, &totals, sizeof totals);
}

/* Returns the digest. What was decided at the last time is folded when a later one comes. */
uint64_t pn_tandem_digest(const pn_tandem *sim)
{
    uint64_t time;
    if (sim->fold == 0)
        return sim->digest;
    memcpy(&time, &sim->fold_time, sizeof time);
    return pn_mix(pn_mix(pn_mix(PN_MIX_START, sim->digest), time), sim->fold);
}

static const pn_stats *tandem_stats_of(const pn_tandem *sim, size_t first, size_t stride,
                                       uint32_t group)
{
    if (!sim->config.statistics || (group != PN_ALL_GROUPS && group >= sim->config.groups_max))
        return NULL;
    size_t index = group == PN_ALL_GROUPS ? 0 : (size_t)group + 1;
    return (const pn_stats *)(const void *)((const unsigned char *)sim + first + index * stride);
}

const pn_stats *pn_tandem_response_times(const pn_tandem *sim, uint32_t group)
{
    return tandem_stats_of(sim, sim->stats, sim->stats_stride, group);
}

const pn_stats *pn_tandem_slowdowns(const pn_tandem *sim, uint32_t group)
{
    return tandem_stats_of(sim, sim->slowdowns, sim->slowdowns_stride, group);
}

const pn_batches *pn_tandem_batches(const pn_tandem *sim)
{
    return sim->config.statistics
               ? (const pn_batches *)(const void *)((const unsigned char *)sim + sim->batches)
               : NULL;
}

const pn_tandem_bucket *pn_tandem_slowdown_bucket(const pn_tandem *sim, uint32_t index)
{
    if (sim->config.buckets_max == 0 || index > sim->config.buckets_max)
        return NULL;
    return (const pn_tandem_bucket *)(const void *)((const unsigned char *)sim + sim->buckets) +
           index;
}

const char *pn_tandem_policy_name(const pn_tandem *sim)
{
    return sim->binding.name;
}
