/* Life of a slotted simulation: carving, opening a copy, submitting jobs, answering
 * queries. */
#include "base/config.h"
#include "state.h"

const char pn_slotted_magic[8] = {'p', 'n', 's', 'l', 'o', 't', 't', 'd'};

/* Jobs start on a cache line when the block does. */
enum { CACHE_LINE = 64 };

/* ---- carving ---- */

static bool in_mode(const pn_slotted_config *config, const pn_slotted_policy *policy)
{
    return config->reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive;
}

/* Returns the bytes for one policy after another at the same place: the largest counts. */
static size_t room_for(const pn_slotted_config *config, const pn_slotted_policy *policy,
                       size_t offset, uint32_t needs[PN_SLOTTED_SHADOWS])
{
    if (!in_mode(config, policy))
        return offset;
    int followed = pn_slotted_followed_shadow(policy, config->estimates);
    if (followed != PN_SLOTTED_SHADOWS)
        needs[followed] = 1;
    return pn_slotted_room(policy, config, NULL, offset);
}

/* Lays out the tables of a virtual run; the run of the true sizes keeps its work with the jobs. */
static void carve_virtual(pn_arena *arena, const pn_slotted_config *config, pn_slotted *sim, int k)
{
    pn_slotted_shadow_state *shadow = &sim->shadows[k];
    size_t jobs = config->jobs_max;
    shadow->estimates = k == PN_SLOTTED_SHADOW_OF_ESTIMATES;
    shadow->work = shadow->estimates ? pn_arena_take(arena, jobs, sizeof(pn_slotted_shadow_work))
                                     : sim->jobs + offsetof(pn_slotted_entry, truth);
    shadow->work_stride = shadow->estimates ? sizeof(pn_slotted_shadow_work)
                                            : sizeof(pn_slotted_entry);
    shadow->entries = pn_arena_take(arena, jobs, sizeof(pn_heap_entry));
    shadow->served = pn_arena_take(arena, jobs < config->machines ? jobs : config->machines,
                                   sizeof(pn_slotted_served));
    shadow->heap.capacity = config->jobs_max;
    shadow->carved = 1;
}

static size_t slotted_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Lays the block out: the one place that knows its shape. */
size_t pn_slotted_carve(const pn_slotted_config *config, const uint32_t needs[PN_SLOTTED_SHADOWS],
                        size_t room_size, pn_slotted *sim)
{
    size_t jobs = config->jobs_max;
    size_t machines = config->machines;
    bool nonpreemptive = config->reduce == PN_SLOTTED_NONPREEMPTIVE;
    size_t busy_jobs = jobs < machines ? jobs : machines;
    pn_arena arena = {0, false};
    memset(sim, 0, sizeof *sim); /* padding too: equal histories make equal blocks */
    memcpy(sim->head.magic, pn_slotted_magic, sizeof pn_slotted_magic);
    sim->head.layout = sizeof *sim;
    pn_slotted_keep_config(&sim->config, config);
    pn_arena_take(&arena, 1, (sizeof(pn_slotted) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    sim->jobs = pn_arena_take(&arena, jobs, sizeof(pn_slotted_entry));
    sim->misjudged = pn_arena_take(&arena, config->estimates ? jobs : 0,
                                   sizeof(pn_slotted_misjudgement));
    sim->stretches = pn_arena_take(&arena, nonpreemptive ? sim->config.stretches_max : 0,
                                   sizeof(pn_slotted_stretch));
    sim->touched = pn_arena_take(&arena, busy_jobs, sizeof(uint32_t));
    /* A walk visits jobs that are given something in this slot, now or before: at most one per
     * machine. */
    sim->candidates_max = (uint32_t)pn_min(jobs, pn_heap_walk_room(machines));
    sim->candidates = pn_arena_take(&arena, sim->candidates_max, sizeof(uint32_t));
    sim->completions = pn_arena_take(&arena, nonpreemptive ? machines : 0, sizeof(pn_heap_entry));
    sim->completion_heap.capacity = nonpreemptive ? config->machines : 0;
    sim->running = pn_arena_take(&arena, nonpreemptive ? busy_jobs : 0, sizeof(uint32_t));
    if (config->statistics) {
        sim->stats_stride = pn_stats_size(0, PN_SLOTTED_FLOW_OCTAVES);
        sim->stats = pn_arena_take(&arena, (size_t)config->groups_max + 1, sim->stats_stride);
        sim->batches = pn_arena_take(&arena, 1, sizeof(pn_batches));
    }
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        if (needs[k])
            carve_virtual(&arena, config, sim, k);
    pn_attributes_carve(&arena, jobs, sim->config.attributes);
    sim->policy_memory = pn_arena_take(&arena, room_size, 1);
    sim->policy_memory_size = room_size;
    sim->head.size = arena.used;
    return pn_arena_size(&arena, 0);
}

static size_t slotted_carve(const pn_slotted_config *config, pn_slotted *sim)
{
    uint32_t needs[PN_SLOTTED_SHADOWS] = {config->bounds == PN_SLOTTED_BOUNDS_FAST, 0};
    size_t room_end = 0;
    const pn_slotted_policy *policy;
    if (config->policy)
        room_end = room_for(config, config->policy, 0, needs);
    else
        for (size_t i = 0; (policy = pn_slotted_policy_at(i)); i++)
            room_end = slotted_larger(room_end, room_for(config, policy, 0, needs));
    return room_end == SIZE_MAX ? 0 : pn_slotted_carve(config, needs, room_end, sim);
}

size_t pn_slotted_size(const pn_slotted_config *config)
{
    pn_slotted_config copy;
    pn_slotted layout;
    return pn_slotted_read_config(&copy, config) ? 0 : slotted_carve(&copy, &layout);
}

int pn_slotted_init(pn_slotted **sim, void *block, size_t size, const pn_slotted_config *given)
{
    pn_slotted_config copy, *config = &copy;
    pn_slotted layout;
    if (!sim || !block || !given)
        return PN_ERR_ARGUMENT;
    if (pn_slotted_read_config(&copy, given))
        return PN_ERR_CONFIG;
    size_t needed = slotted_carve(config, &layout);
    int status = pn_block_fits(block, size, needed);
    if (status != PN_OK)
        return status;
    memset(block, 0, needed);
    memcpy(block, &layout, sizeof layout);
    for (uint32_t k = 0; config->statistics && k <= config->groups_max; k++)
        pn_stats_init(pn_at(block, layout.stats + k * layout.stats_stride), 0,
                      PN_SLOTTED_FLOW_OCTAVES, 1);
    if (config->statistics)
        pn_batches_init(pn_at(block, layout.batches));
    *sim = block;
    pn_stream_init(&(*sim)->stream, config->seed, config->replica, PN_POLICY_STREAM);
    return PN_OK;
}

size_t pn_slotted_block_size(const pn_slotted *sim)
{
    return sim ? (size_t)sim->head.size : 0;
}

int pn_slotted_open(pn_slotted **sim, void *block, size_t size)
{
    int status = sim ? pn_block_check(block, size, pn_slotted_magic, sizeof(pn_slotted))
                     : PN_ERR_ARGUMENT;
    if (status == PN_OK)
        *sim = block;
    return status;
}

int pn_slotted_configured(const pn_slotted *sim, const pn_slotted_config *config)
{
    const size_t from = offsetof(pn_slotted, head.size), to = offsetof(pn_slotted, binding);
    pn_slotted layout;
    if (!sim || pn_slotted_check(config) || slotted_carve(config, &layout) == 0)
        return 0;
    return pn_same_bytes((const unsigned char *)sim + from, (const unsigned char *)&layout + from,
                         to - from) &&
           sim->policy_memory_size == layout.policy_memory_size;
}

/* ---- submitting ---- */

typedef struct job_sizes {
    uint64_t reduces;
    uint32_t tasks, stretches;
} job_sizes;

/* Adds up the reduce tasks; tasks of length 0 are dropped (SL3). */
static int slotted_measure(const pn_slotted_job *job, job_sizes *sizes)
{
    uint64_t sum = 0;
    uint64_t last = 0;
    uint64_t tasks = 0;
    uint32_t stretches = 0;
    if (job->reduce_count > UINT32_MAX)
        return PN_ERR_JOB;
    for (size_t i = 0; i < job->reduce_count; i++) {
        uint64_t length = job->reduces[i];
        if (length == 0)
            continue;
        sum += length;
        if (length > PN_INTEGER_MAX || sum > PN_INTEGER_MAX)
            return PN_ERR_JOB;
        tasks++;
        stretches += length != last;
        last = length;
    }
    if (job->maps > PN_INTEGER_MAX || job->maps + sum > PN_INTEGER_MAX || job->maps + sum == 0)
        return PN_ERR_JOB;
    *sizes = (job_sizes){sum, (uint32_t)tasks, stretches};
    return PN_OK;
}

static uint64_t slotted_estimate(uint64_t given, uint64_t truth)
{
    return given == 0 ? truth : given == PN_SLOTTED_ESTIMATE_ZERO ? 0 : given;
}

static int slotted_submit_refuses(const pn_slotted *sim, const pn_slotted_job *job,
                                  job_sizes *sizes)
{
    if (job->reduce_count > 0 && !job->reduces)
        return PN_ERR_ARGUMENT;
    if (job->group != 0 && job->group >= sim->config.groups_max)
        return PN_ERR_ARGUMENT;
    if (job->arrival < 1)
        return PN_ERR_ARGUMENT;
    if (job->arrival > PN_INTEGER_MAX || sim->submitted == PN_INTEGER_MAX)
        return PN_ERR_OVERFLOW;
    if (job->arrival < sim->last_arrival)
        return PN_ERR_ORDER;
    if (job->arrival <= sim->slot || job->arrival <= sim->deciding_slot)
        return PN_ERR_LATE;
    int status = slotted_measure(job, sizes);
    if (status != PN_OK)
        return status;
    if (sim->config.estimates) {
        uint64_t maps = slotted_estimate(job->estimate_maps, job->maps);
        uint64_t reduces = slotted_estimate(job->estimate_reduces, sizes->reduces);
        if (maps > PN_INTEGER_MAX || reduces > PN_INTEGER_MAX || maps + reduces > PN_INTEGER_MAX)
            return PN_ERR_JOB;
    }
    if (!pn_attributes_sane(job->attributes, sim->config.attributes))
        return PN_ERR_JOB;
    if (sim->jobs_held == sim->config.jobs_max)
        return PN_ERR_FULL;
    if (!pn_slotted_cuts_reduces(sim) &&
        sizes->stretches > sim->config.stretches_max - sim->stretches_held)
        return PN_ERR_FULL;
    return PN_OK;
}

static uint32_t slotted_take_job(pn_slotted *sim, const pn_slotted_entry *jobs)
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

static uint32_t take_stretch(pn_slotted *sim, const pn_slotted_stretch *stretches)
{
    sim->stretches_held++;
    if (sim->free_stretch == 0)
        return sim->stretches_used++;
    uint32_t stretch = sim->free_stretch - 1;
    sim->free_stretch = stretches[stretch].next;
    return stretch;
}

/* Stores the tasks as stretches of equal length, in the order given. */
static uint32_t store_stretches(pn_slotted *sim, const pn_slotted_job *job)
{
    pn_slotted_stretch *stretches = pn_at(sim, sim->stretches);
    uint32_t first = 0;
    uint32_t last = 0;
    for (size_t i = 0; i < job->reduce_count; i++) {
        uint64_t length = job->reduces[i];
        if (length == 0)
            continue;
        if (last != 0 && stretches[last - 1].length == length) {
            stretches[last - 1].count++;
            continue;
        }
        uint32_t stretch = take_stretch(sim, stretches);
        stretches[stretch] = (pn_slotted_stretch){length, 1, 0};
        if (last != 0)
            stretches[last - 1].next = stretch + 1;
        else
            first = stretch + 1;
        last = stretch + 1;
    }
    return first;
}

int pn_slotted_submit(pn_slotted *sim, const pn_slotted_job *job, uint64_t *id)
{
    job_sizes sizes;
    if (!sim || !job || !PN_GIVEN(job, pn_slotted_job, attributes))
        return PN_ERR_ARGUMENT;
    int status = slotted_submit_refuses(sim, job, &sizes);
    if (status != PN_OK)
        return status;
    pn_slotted_entry *jobs = pn_at(sim, sim->jobs);
    uint32_t place = slotted_take_job(sim, jobs);
    jobs[place] = (pn_slotted_entry){
        .id = ++sim->submitted,
        .arrival = job->arrival,
        .tag = job->tag,
        .maps = job->maps,
        .reduces = sizes.reduces,
        .map_finish = job->arrival - 1,
        .tasks = sizes.tasks,
        .stretch = pn_slotted_cuts_reduces(sim) ? 0 : store_stretches(sim, job),
        .group = job->group,
        .holders = 1};
    if (sim->config.estimates) {
        pn_slotted_misjudgement *misjudged = pn_at(sim, sim->misjudged);
        misjudged[place] = (pn_slotted_misjudgement){
            (int64_t)slotted_estimate(job->estimate_maps, job->maps) - (int64_t)job->maps,
            (int64_t)slotted_estimate(job->estimate_reduces, sizes.reduces) -
                (int64_t)sizes.reduces,
        };
    }
    if (sim->config.attributes > 0)
        pn_attributes_put(pn_slotted_attributes_of(sim), place, job->attributes);
    if (sim->future_last != 0)
        jobs[sim->future_last - 1].next = place + 1;
    else
        sim->future_first = place + 1;
    sim->future_last = place + 1;
    sim->last_arrival = job->arrival;
    if (id)
        *id = sim->submitted;
    return PN_OK;
}

/* Counts one run less that needs the place; the last one frees it. */
void pn_slotted_release(pn_slotted_view *view, uint32_t place)
{
    pn_slotted *sim = view->sim;
    pn_slotted_entry *job = &view->jobs[place];
    PN_ASSERT(job->holders > 0);
    if (--job->holders > 0)
        return;
    PN_ASSERT(job->phase == PN_SLOTTED_PHASE_NONE && job->stretch == 0);
    job->next = sim->free_job;
    sim->free_job = place + 1;
    sim->jobs_held--;
}

/* ---- queries ---- */

void pn_slotted_totals_into(const pn_slotted *sim, pn_slotted_totals *to, size_t size)
{
    pn_slotted_totals totals = {.slot = sim->slot,
                                .submitted = sim->submitted,
                                .finished = sim->finished,
                                .total_flow_time = sim->total_flow_time,
                                .last_finish = sim->last_finish,
                                .units_run = sim->units_run,
                                .slots_run = sim->slots_run,
                                .decisions = sim->decisions,
                                .withheld = sim->withheld,
                                .withheld_slot = sim->withheld_slot,
                                .in_system = sim->active_count,
                                .jobs_held = sim->jobs_held,
                                .jobs_held_max = sim->jobs_held_max,
                                .relaxed = sim->relaxed,
                                .first_arrival = sim->first_arrival,
                                .slots_saturated = sim->slots_saturated};
    if (sim->config.bounds == PN_SLOTTED_BOUNDS_FAST)
        totals.lower_bound = sim->shadows[PN_SLOTTED_SHADOW_OF_TRUTH].total_flow_time;
    totals.heap_moves = sim->share.moves + sim->completion_heap.moves;
    for (int k = 0; k < PN_SLOTTED_SHADOWS; k++)
        totals.heap_moves += sim->shadows[k].heap.moves;
    for (int k = 0; k < PN_SLOTTED_ORDERS_MAX; k++)
        totals.heap_moves += sim->orders[k].heap.moves + sim->orders[k].tree.moves;
    pn_config_fill(to, size, &totals, sizeof totals);
}

void pn_slotted_levels_into(const pn_slotted *sim, pn_slotted_levels *in_slot,
                            pn_slotted_levels *after, size_t size)
{
    uint64_t backlog = sim->units_arrived - sim->units_run;
    pn_slotted_levels in = {.slot = sim->level_slot,
                            .jobs = sim->level_jobs,
                            .queue = sim->level_jobs - sim->level_served,
                            .map = sim->level_map,
                            .reduce = sim->level_reduce,
                            .backlog = backlog};
    pn_slotted_levels end_of_slot = {.slot = sim->level_slot + 1,
                                     .jobs = sim->active_count,
                                     .queue = sim->active_count - sim->holding_count,
                                     .reduce = sim->held_total,
                                     .backlog = backlog};
    if (in_slot)
        pn_config_fill(in_slot, size, &in, sizeof in);
    if (after)
        pn_config_fill(after, size, &end_of_slot, sizeof end_of_slot);
}

uint64_t pn_slotted_digest(const pn_slotted *sim)
{
    return sim->digest;
}

const pn_stats *pn_slotted_flow_times(const pn_slotted *sim, uint32_t group)
{
    if (!sim->config.statistics || (group != PN_ALL_GROUPS && group >= sim->config.groups_max))
        return NULL;
    size_t index = group == PN_ALL_GROUPS ? 0 : (size_t)group + 1;
    return (const pn_stats *)((const unsigned char *)sim + sim->stats + index * sim->stats_stride);
}

const pn_batches *pn_slotted_batches(const pn_slotted *sim)
{
    return sim->config.statistics
               ? (const pn_batches *)(const void *)((const unsigned char *)sim + sim->batches)
               : NULL;
}

const char *pn_slotted_policy_name(const pn_slotted *sim)
{
    return sim->binding.name;
}
