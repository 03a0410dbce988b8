/* Life of a scheduler: carving, opening a copy, answering queries. */
#include "base/config.h"
#include "state.h"

const char pn_scheduler_magic[8] = {'p', 'n', 's', 'c', 'h', 'e', 'd', 'u'};

const pn_scheduler_terms pn_scheduler_no_terms = {.promise = PN_SCHEDULER_NEVER,
                                                  .estimate = PN_SCHEDULER_NEVER,
                                                  .limit = {UINT32_MAX, UINT32_MAX}};

/* ---- carving ---- */

size_t pn_scheduler_policy_bytes(const pn_scheduler_policy *policy, uint32_t jobs_max)
{
    return pn_fleet_policy_bytes(policy->state_bytes, policy->state_bytes_per_job, jobs_max);
}

/* Places of jobs: one more where a job that is over may be remembered, so that it never keeps out
 * the only one. */
static uint32_t places_for(const pn_scheduler_config *config)
{
    return config->jobs_max +
           (config->policy && pn_scheduler_records(&config->policy->admission) ? 1 : 0);
}

static size_t scheduler_policy_bytes_for(const pn_scheduler_config *config)
{
    size_t room = 0;
    const pn_scheduler_policy *policy;
    if (config->policy)
        return pn_scheduler_policy_bytes(config->policy, places_for(config));
    for (size_t i = 0; (policy = pn_scheduler_policy_at(i)); i++) {
        if (pn_scheduler_records(&policy->admission))
            continue;
        size_t bytes = pn_scheduler_policy_bytes(policy, config->jobs_max);
        room = bytes > room ? bytes : room;
    }
    return room;
}

static bool may_share(const pn_scheduler_config *config)
{
    const pn_scheduler_policy *policy = config->policy;
    return !policy || policy->order.shares != PN_SCHEDULER_SHARES_NONE || policy->init;
}

static bool may_order(const pn_scheduler_config *config)
{
    return may_share(config) || config->policy->order.started_first;
}

static bool may_estimate(const pn_scheduler_config *config)
{
    return !config->policy || config->policy->order.estimates || config->policy->init;
}

static bool may_agree(const pn_scheduler_config *config)
{
    return !config->policy || pn_scheduler_may_agree(pn_scheduler_functions_of(config->policy));
}

/* Returns the words for the lists of all jobs. A job's own are pn_scheduler_shape_of; here is what
 * many jobs can need together. */
static size_t scheduler_words_for(const pn_scheduler *s)
{
    uint64_t tasks = s->config.tasks_max, jobs = s->jobs_max;
    uint64_t bits = pn_bits_words_most(tasks, PN_SCHEDULER_KINDS * jobs);
    uint64_t hosts = (tasks + tasks / 2) * (s->config.copies ? 2 : 1) + 2 * jobs;
    uint64_t words = PN_SCHEDULER_TASK_WORDS * tasks + bits +
                     PN_SCHEDULER_REPLICA_WORDS * (uint64_t)s->config.replicas_max + hosts;
    return pn_lists_room((size_t)pn_min(words, SIZE_MAX), (size_t)jobs);
}

/* Lays out the slots of each kind: when they become free, in the forecast at hand, and as recorded
 * with each job. */
static void carve_slots(pn_arena *arena, pn_scheduler *s)
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        size_t forecast = s->orders ? s->capacity[kind] : 0,
               recorded = s->records ? s->capacity[kind] : 0;
        s->times[kind] = pn_arena_take(arena, forecast, sizeof(uint64_t));
        s->counts[kind] = pn_arena_take(arena, forecast, sizeof(uint32_t));
        s->record_times[kind] = pn_arena_take(arena, s->jobs_max, recorded * sizeof(uint64_t));
        s->record_counts[kind] = pn_arena_take(arena, s->jobs_max, recorded * sizeof(uint32_t));
    }
}

/* Lays out the tables, whose numbers are noted already: the one place that knows the block's
 * shape. */
size_t pn_scheduler_carve(pn_scheduler *s, size_t policy_bytes)
{
    pn_arena arena = {0, false};
    size_t jobs = s->jobs_max, words = scheduler_words_for(s);
    pn_arena_take(&arena, 1, sizeof *s);
    s->nodes = pn_arena_take(&arena, s->nodes_count, sizeof(pn_scheduler_node));
    s->attempts = pn_arena_take(&arena, s->places_max, sizeof(pn_scheduler_attempt));
    s->jobs = pn_arena_take(&arena, jobs, sizeof(pn_scheduler_entry));
    s->turns = pn_arena_take(&arena, s->orders ? jobs : 0, sizeof(pn_scheduler_turn));
    s->estimated = pn_arena_take(&arena, s->estimates ? jobs : 0, sizeof(pn_scheduler_estimates));
    s->terms = pn_arena_take(&arena, s->agrees ? jobs : 0, sizeof(pn_scheduler_terms));
    arena.overflow |= words == 0;
    s->words = pn_arena_take(&arena, words, sizeof(uint64_t));
    s->store.capacity = words;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        s->free_nodes[kind] = pn_arena_take(&arena, pn_bits_words(s->nodes_count),
                                            sizeof(uint64_t));
        for (uint32_t rank = 0; rank < PN_SCHEDULER_RANKS; rank++) {
            s->candidates[kind][rank].capacity = rank == PN_SCHEDULER_BELOW_SHARE || s->orders
                                                     ? s->jobs_max
                                                     : 0;
            s->entries[kind][rank] = pn_arena_take(&arena, s->candidates[kind][rank].capacity,
                                                   sizeof(pn_heap_entry));
        }
        s->held[kind].capacity = s->agrees ? s->jobs_max : 0;
        s->held_entries[kind] = pn_arena_take(&arena, s->held[kind].capacity,
                                              sizeof(pn_heap_entry));
    }
    s->scratch_jobs = pn_arena_take(&arena, 2 * jobs, sizeof(uint32_t));
    s->scratch_attempts = pn_arena_take(&arena, 3 * (size_t)s->places_max, sizeof(uint32_t));
    s->walk = pn_arena_take(&arena, jobs, sizeof(uint32_t));
    s->rests = pn_arena_take(&arena, s->shares ? jobs : 0, sizeof(pn_wide));
    s->replica_nodes = pn_arena_take(&arena, s->config.replicas_of_map, sizeof(uint32_t));
    carve_slots(&arena, s);
    s->groups = pn_arena_take(&arena, (size_t)s->config.groups_max + 1, sizeof(pn_scheduler_group));
    if (s->config.statistics)
        pn_fleet_samples_carve(&s->samples, &arena, s->config.groups_max);
    pn_fleet_carve(&s->fleet, &arena, jobs, s->config.attributes, policy_bytes);
    s->head.size = arena.used;
    return pn_arena_size(&arena, 0);
}

/* Lays the block out. Returns its size, 0 when that does not fit a size_t. */
static size_t scheduler_carve(const pn_scheduler_config *config, pn_scheduler *s)
{
    uint64_t nodes, slots[PN_SCHEDULER_KINDS];
    pn_scheduler_count_nodes(config, &nodes, slots);
    memset(s, 0, sizeof *s); /* padding too: equal histories make equal blocks */
    memcpy(s->head.magic, pn_scheduler_magic, sizeof pn_scheduler_magic);
    s->head.layout = sizeof *s;
    s->nodes_count = (uint32_t)nodes;
    s->capacity[PN_SCHEDULER_MAP] = (uint32_t)slots[PN_SCHEDULER_MAP];
    s->capacity[PN_SCHEDULER_REDUCE] = (uint32_t)slots[PN_SCHEDULER_REDUCE];
    pn_scheduler_keep_config(&s->config, config);
    s->places_max = (uint32_t)(slots[PN_SCHEDULER_MAP] + slots[PN_SCHEDULER_REDUCE]) +
                    config->suspended_max;
    s->jobs_max = places_for(config);
    s->totals.first_submit = PN_SCHEDULER_NEVER;

    s->records = config->policy && pn_scheduler_records(&config->policy->admission);
    s->shares = may_share(config);
    s->orders = may_order(config);
    s->estimates = may_estimate(config);
    s->agrees = may_agree(config);
    return pn_scheduler_carve(s, scheduler_policy_bytes_for(config));
}

size_t pn_scheduler_size(const pn_scheduler_config *config)
{
    pn_scheduler_config copy;
    pn_scheduler layout;
    return pn_scheduler_read_config(&copy, config) ? 0 : scheduler_carve(&copy, &layout);
}

static void scheduler_lay_nodes(pn_scheduler *s, const pn_scheduler_config *config)
{
    pn_scheduler_view view;
    uint32_t node = 0;
    pn_scheduler_view_build(&view, s, NULL);
    for (uint32_t i = 0; i < config->nodes_count; i++)
        for (uint32_t k = 0; k < config->nodes[i].count; k++, node++) {
            view.nodes[node].most[PN_SCHEDULER_MAP] = config->nodes[i].map_slots;
            view.nodes[node].most[PN_SCHEDULER_REDUCE] = config->nodes[i].reduce_slots;
            for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
                if (node < s->nodes_count - s->config.nodes_absent)
                    pn_scheduler_node_resize(&view, node, kind, view.nodes[node].most[kind]);
            view.nodes[node].speed = config->nodes[i].speed > 0 ? config->nodes[i].speed : 1000;
            if (!config->nodes_down)
                pn_scheduler_node_raise(&view, node);
        }
}

int pn_scheduler_init(pn_scheduler **scheduler, void *block, size_t size,
                      const pn_scheduler_config *given)
{
    pn_scheduler_config copy, *config = &copy;
    pn_scheduler layout;
    if (!scheduler || !block || !given)
        return PN_ERR_ARGUMENT;
    if (pn_scheduler_read_config(&copy, given))
        return PN_ERR_CONFIG;
    size_t needed = scheduler_carve(config, &layout);
    int status = pn_block_fits(block, size, needed);
    if (status != PN_OK)
        return status;
    memset(block, 0, needed);
    memcpy(block, &layout, sizeof layout);
    pn_fleet_samples_init(&layout.samples, block, layout.config.groups_max);
    *scheduler = block;
    pn_stream_init(&(*scheduler)->fleet.stream, config->seed, config->replica, PN_POLICY_STREAM);
    scheduler_lay_nodes(block, config);
    return PN_OK;
}

size_t pn_scheduler_block_size(const pn_scheduler *scheduler)
{
    return scheduler ? (size_t)scheduler->head.size : 0;
}

int pn_scheduler_open(pn_scheduler **scheduler, void *block, size_t size)
{
    int status = scheduler ? pn_block_check(block, size, pn_scheduler_magic, sizeof(pn_scheduler))
                           : PN_ERR_ARGUMENT;
    if (status == PN_OK)
        *scheduler = block;
    return status;
}

static const pn_scheduler_node *node_at(const pn_scheduler *s, uint32_t node)
{
    return (const pn_scheduler_node *)(const void *)((const unsigned char *)s + s->nodes) + node;
}

static bool scheduler_nodes_configured(const pn_scheduler *s, const pn_scheduler_config *config)
{
    const pn_scheduler_node *node = node_at(s, 0);
    for (uint32_t i = 0; i < config->nodes_count; i++)
        for (uint32_t k = 0; k < config->nodes[i].count; k++, node++) {
            const pn_scheduler_nodes *given = &config->nodes[i];
            if (node->most[PN_SCHEDULER_MAP] != given->map_slots ||
                node->most[PN_SCHEDULER_REDUCE] != given->reduce_slots ||
                node->speed != (given->speed > 0 ? given->speed : 1000))
                return false;
        }
    return true;
}

/* Compares what the tables are laid out from: the numbers before the fleet, the policy's memory. */
int pn_scheduler_configured(const pn_scheduler *scheduler, const pn_scheduler_config *config)
{
    const size_t from = offsetof(pn_scheduler, head.size), to = offsetof(pn_scheduler, fleet);
    pn_scheduler_config copy;
    pn_scheduler layout;
    if (!scheduler || pn_scheduler_read_config(&copy, config) ||
        scheduler_carve(&copy, &layout) == 0)
        return 0;
    return pn_same_bytes((const unsigned char *)scheduler + from,
                         (const unsigned char *)&layout + from, to - from) &&
           scheduler->fleet.policy_size == layout.fleet.policy_size &&
           scheduler_nodes_configured(scheduler, &copy);
}

/* ---- the view ---- */

/* Fills in the tables alone, which is enough for queries; they change nothing of them. */
static inline void view_tables(pn_scheduler_view *view, const pn_scheduler *scheduler)
{
    pn_scheduler *s = (pn_scheduler *)(uintptr_t)scheduler;
    view->s = s;
    view->nodes = pn_at(s, s->nodes);
    view->attempts = pn_at(s, s->attempts);
    view->jobs = pn_at(s, s->jobs);
    view->store = (pn_lists){&s->store, pn_at(s, s->words), &view->jobs[0].list,
                             PN_SCHEDULER_ENTRY_WORDS};
}

void pn_scheduler_view_build(pn_scheduler_view *view, const pn_scheduler *scheduler,
                             const pn_scheduler_hooks *hooks)
{
    view_tables(view, scheduler);
    pn_scheduler *s = view->s;
    view->hooks = hooks;
    view->policy = hooks ? hooks->policy : NULL;
    view->turns = pn_at(s, s->turns);
    view->estimated = pn_at(s, s->estimated);
    view->terms = pn_at(s, s->terms);
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        for (uint32_t rank = 0; rank < PN_SCHEDULER_RANKS; rank++)
            view->candidates[kind][rank] = (pn_heap){
                &s->candidates[kind][rank], pn_at(s, s->entries[kind][rank]),
                &view->jobs[0].place[kind], PN_SCHEDULER_ENTRY_PLACES,
                &view->jobs[0].id,          PN_SCHEDULER_ENTRY_WORDS};
        view->held[kind] = (pn_heap){&s->held[kind],
                                     pn_at(s, s->held_entries[kind]),
                                     &view->terms[0].held[kind],
                                     PN_SCHEDULER_TERMS_PLACES,
                                     &view->jobs[0].id,
                                     PN_SCHEDULER_ENTRY_WORDS};
    }
    view->subject = PN_NO_JOB;
    view->now = s->totals.time;
    view->phase = PN_SCHEDULER_PHASE_OTHER;
}

/* ---- queries ---- */

uint32_t pn_scheduler_next_free(const pn_scheduler *scheduler, uint32_t kind, uint32_t from)
{
    const pn_scheduler *s = scheduler;
    if (kind >= PN_SCHEDULER_KINDS || from >= s->nodes_count || s->free_nodes_count[kind] == 0)
        return s->nodes_count;
    pn_bits free = pn_bits_at(
        (uint64_t *)(uintptr_t)((const unsigned char *)s + s->free_nodes[kind]), s->nodes_count);
    uint32_t node = pn_bits_next(&free, from);
    return node == PN_BITS_NONE ? s->nodes_count : node;
}

int pn_scheduler_wants_ticks(const pn_scheduler *scheduler)
{
    const pn_scheduler *s = scheduler;
    if (!s->plans || s->totals.in_system == 0)
        return PN_SCHEDULER_NO_TICKS;
    if (s->copier || !s->order.memoryless)
        return PN_SCHEDULER_EVERY_TICK;
    /* A tick may kill, lift a limit or change who gets a free slot; else only what comes after the
     * last of several can depend on it. */
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        for (uint32_t rank = 0; rank < PN_SCHEDULER_RANKS; rank++)
            if (s->candidates[kind][rank].count > 0 &&
                (s->preempts || s->restrains || s->free_slots[kind] > 0 ||
                 !pn_scheduler_wants(s, kind)))
                return PN_SCHEDULER_EVERY_TICK;
    return PN_SCHEDULER_LAST_TICK;
}

uint64_t pn_scheduler_next_opening(const pn_scheduler *scheduler)
{
    const pn_scheduler *s = scheduler;
    uint64_t next = PN_SCHEDULER_NEVER;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        const pn_heap_entry *entries = (const void *)((const unsigned char *)s +
                                                      s->held_entries[kind]);
        if (s->held[kind].count > 0)
            next = pn_min(next, entries[0].word[0]);
    }
    return next;
}

uint32_t pn_scheduler_jobs(const pn_scheduler *scheduler)
{
    return scheduler->totals.in_system;
}

uint32_t pn_scheduler_node_count(const pn_scheduler *scheduler)
{
    return scheduler->nodes_count;
}

uint32_t pn_scheduler_places_max(const pn_scheduler *scheduler)
{
    return scheduler->places_max;
}

uint32_t pn_scheduler_running_tasks(const pn_scheduler *scheduler)
{
    return scheduler->running;
}

bool pn_scheduler_slots_fit(const pn_scheduler *s, uint32_t node,
                            const uint32_t slots[PN_SCHEDULER_KINDS])
{
    return node < s->nodes_count && slots[0] <= node_at(s, node)->most[0] &&
           slots[1] <= node_at(s, node)->most[1];
}

int pn_scheduler_is_up(const pn_scheduler *scheduler, uint32_t node)
{
    return node < scheduler->nodes_count && node_at(scheduler, node)->up;
}

uint32_t pn_scheduler_free_slots(const pn_scheduler *scheduler, uint32_t node, uint32_t kind)
{
    return node < scheduler->nodes_count && kind < PN_SCHEDULER_KINDS
               ? node_at(scheduler, node)->free[kind]
               : 0;
}

int pn_scheduler_task_into(const pn_scheduler *scheduler, uint32_t place, pn_scheduler_task *to,
                           size_t size)
{
    pn_scheduler_view view;
    view_tables(&view, scheduler);
    if (place >= scheduler->places_max || !view.attempts[place].busy)
        return PN_ERR_ARGUMENT;
    pn_scheduler_task task = pn_scheduler_task_of(&view, place);
    pn_config_fill(to, size, &task, sizeof task);
    return PN_OK;
}

int pn_scheduler_is_suspended(const pn_scheduler *scheduler, uint32_t place)
{
    pn_scheduler_view view;
    view_tables(&view, scheduler);
    return place < scheduler->places_max && view.attempts[place].suspended;
}

void pn_scheduler_progress_into(const pn_scheduler *scheduler, uint32_t place,
                                pn_scheduler_progress *to, size_t size)
{
    pn_scheduler_view view;
    view_tables(&view, scheduler);
    PN_ASSERT(place < scheduler->places_max && view.attempts[place].busy);
    const pn_scheduler_entry *job = &view.jobs[view.attempts[place].job];
    pn_scheduler_progress progress = {
        .maps = job->tasks[PN_SCHEDULER_MAP],
        .maps_done = job->done[PN_SCHEDULER_MAP],
        .reduces = job->tasks[PN_SCHEDULER_REDUCE],
        .reduces_done = job->done[PN_SCHEDULER_REDUCE],
        .outputs = pn_scheduler_outputs(&view, view.attempts[place].job, view.attempts[place].node),
        .map_finish = job->map_finish};
    pn_config_fill(to, size, &progress, sizeof progress);
}

uint32_t pn_scheduler_first_reduce(const pn_scheduler *scheduler, uint32_t place)
{
    pn_scheduler_view view;
    view_tables(&view, scheduler);
    PN_ASSERT(place < scheduler->places_max && view.attempts[place].busy);
    uint32_t first = view.jobs[view.attempts[place].job].first_attempt[0][PN_SCHEDULER_REDUCE];
    return first == 0 ? PN_SCHEDULER_NO_ATTEMPT : first - 1;
}

uint32_t pn_scheduler_next_reduce(const pn_scheduler *scheduler, uint32_t place)
{
    const pn_scheduler_attempt *attempts =
        (const pn_scheduler_attempt *)(const void *)((const unsigned char *)scheduler +
                                                     scheduler->attempts);
    PN_ASSERT(place < scheduler->places_max && attempts[place].busy &&
              attempts[place].kind == PN_SCHEDULER_REDUCE);
    return attempts[place].after == 0 ? PN_SCHEDULER_NO_ATTEMPT : attempts[place].after - 1;
}

int pn_scheduler_next_record_into(const pn_scheduler *scheduler, uint32_t *place,
                                  pn_scheduler_record *to, size_t size)
{
    pn_scheduler_view view;
    pn_scheduler_view_build(&view, scheduler, NULL);
    uint32_t next = *place == PN_NO_JOB ? scheduler->fleet.first_job : view.jobs[*place].after;
    if (next == 0)
        return PN_DONE;
    *place = next - 1;
    pn_scheduler_record job;
    pn_scheduler_record_of(&view, next - 1, PN_SCHEDULER_UNFINISHED, PN_SCHEDULER_NEVER, &job);
    if (scheduler->config.attributes > 0)
        job.attributes = pn_attributes_of(pn_scheduler_attributes_of(scheduler), next - 1);
    pn_config_fill(to, size, &job, sizeof job);
    return PN_OK;
}

void pn_scheduler_levels_into(const pn_scheduler *scheduler, pn_scheduler_levels *to, size_t size)
{
    const pn_scheduler *s = scheduler;
    pn_scheduler_levels levels = {.time = s->totals.time,
                                  .jobs = s->totals.in_system,
                                  .queue = s->totals.in_system - s->holding,
                                  .map = pn_scheduler_in_slots(s, PN_SCHEDULER_MAP),
                                  .reduce = pn_scheduler_in_slots(s, PN_SCHEDULER_REDUCE)};
    pn_config_fill(to, size, &levels, sizeof levels);
}

void pn_scheduler_totals_into(const pn_scheduler *scheduler, pn_scheduler_totals *to, size_t size)
{
    pn_scheduler_totals totals = scheduler->totals;
    totals.map_slots = scheduler->present[PN_SCHEDULER_MAP];
    totals.reduce_slots = scheduler->present[PN_SCHEDULER_REDUCE];
    totals.tasks_max = scheduler->config.tasks_max;
    totals.replicas_max = scheduler->config.replicas_max;
    pn_config_fill(to, size, &totals, sizeof totals);
}

int pn_scheduler_group_into(const pn_scheduler *scheduler, uint32_t group, pn_scheduler_group *to,
                            size_t size)
{
    const pn_scheduler *s = scheduler;
    if (group != PN_ALL_GROUPS && group >= s->config.groups_max)
        return PN_ERR_ARGUMENT;
    size_t index = group == PN_ALL_GROUPS ? 0 : (size_t)group + 1;
    const pn_scheduler_group *sums =
        (const pn_scheduler_group *)(const void *)((const unsigned char *)s + s->groups);
    pn_config_fill(to, size, &sums[index], sizeof sums[index]);
    return PN_OK;
}

const pn_stats *pn_scheduler_samples(const pn_scheduler *scheduler, uint32_t sample, uint32_t group)
{
    return pn_fleet_stats(&scheduler->samples, scheduler, scheduler->config.groups_max, group,
                          sample);
}

const pn_batches *pn_scheduler_batches(const pn_scheduler *scheduler)
{
    return pn_fleet_batches(&scheduler->samples, scheduler);
}

const char *pn_scheduler_policy_name(const pn_scheduler *scheduler)
{
    return scheduler->fleet.binding.name;
}
