/* The view: what a policy sees at an instant. */
#include "state.h"

/* ---- building it ---- */

/* Makes a heap of jobs; `place` is the first job's place in it, `id` its tie-break, or null for
 * both. */
static pn_heap tandem_heap_build(pn_tandem *sim, pn_heap_state *state, size_t entries,
                                 uint32_t *place, uint64_t *id)
{
    return (pn_heap){state, pn_at(sim, entries),  place, PN_TANDEM_ENTRY_PLACES,
                     id,    PN_TANDEM_ENTRY_WORDS};
}

uint8_t pn_tandem_kind_of(const pn_tandem_order *order)
{
    return !order->key                           ? PN_TANDEM_KEY_ID
           : order->key == pn_tandem_key_longest ? PN_TANDEM_KEY_LONGEST
           : order->key == pn_tandem_key_map     ? PN_TANDEM_KEY_MAP
           : order->key == pn_tandem_key_sum     ? PN_TANDEM_KEY_SUM
                                                 : PN_TANDEM_KEY_OTHER;
}

/* Returns the kind of a key. The kernel computes keys from the truth; where policies see something
 * else, or where a job's state is not at hand, it asks. */
static uint8_t kind_here(const pn_tandem_view *view, const pn_tandem_order *order)
{
    uint8_t kind = pn_tandem_kind_of(order);
    bool other = kind != PN_TANDEM_KEY_ID &&
                 (view->misjudged || view->sim->engine == PN_TANDEM_ENGINE_SHARE);
    return other ? PN_TANDEM_KEY_OTHER : kind;
}

static void list_orders(pn_tandem_view *view)
{
    const pn_tandem_policy *policy = view->policy;
    memset(view->order_count, 0, sizeof view->order_count);
    view->renewed_count = 0;
    view->selective = 0;
    view->renews = 0;
    for (int k = 0; k < policy->order_count; k++) {
        const pn_tandem_order *order = &policy->orders[k];
        view->kinds[k] = kind_here(view, order);
        view->served_keys[k] = order->key && order->changes == PN_TANDEM_WHEN_SERVED;
        view->selective |= order->member != NULL;
        view->renews |= view->sim->used[k] && order->key && order->changes == PN_TANDEM_AT_INSTANTS;
        if (!view->sim->used[k])
            continue;
        view->order_list[order->members][view->order_count[order->members]++] = (uint8_t)k;
        if (view->served_keys[k])
            view->renewed[view->renewed_count++] = (uint8_t)k;
    }
    view->map_order = view->sim->services[PN_TANDEM_MAP_STATION].order;
    view->shuffle_order = view->sim->services[PN_TANDEM_SHUFFLE_STATION].order;
    const pn_tandem_order *map = &policy->orders[view->map_order];
    const pn_tandem_order *shuffle = &policy->orders[view->shuffle_order];
    view->same_keys = !policy->act && map->key == shuffle->key && map->changes == shuffle->changes;
}

/* Makes the heaps of the sharing engine. A job stands in one of three classes at most, which share
 * its place. */
static void build_shared(pn_tandem_view *view)
{
    enum { PLACES = sizeof(pn_tandem_shared) / sizeof(uint32_t) };
    pn_tandem *sim = view->sim;
    pn_heap *const heaps[PN_TANDEM_SETS] = {[PN_TANDEM_SET_MAPPING] = &view->mapping,
                                            [PN_TANDEM_SET_FLOWING] = &view->flowing,
                                            [PN_TANDEM_SET_GROWING] = &view->growing,
                                            [PN_TANDEM_SET_DRAINING] = &view->draining,
                                            [PN_TANDEM_SET_LAST] = &view->last};
    for (int set = 0; set < PN_TANDEM_SETS; set++) {
        int place = set == PN_TANDEM_SET_MAPPING ? 0 : set == PN_TANDEM_SET_LAST ? 2 : 1;
        *heaps[set] = (pn_heap){&sim->sets[set],
                                pn_at(sim, sim->set_entries[set]),
                                &view->shared[0].places[place],
                                PLACES,
                                &view->jobs[0].id,
                                PN_TANDEM_ENTRY_WORDS};
    }
    view->last.id = &view->shared[0].last;
    view->last.id_stride = sizeof(pn_tandem_shared) / sizeof(uint64_t);
}

void pn_tandem_view_build(pn_tandem_view *view, pn_tandem *sim, const pn_tandem_hooks *hooks)
{
    view->joining = NULL;
    view->sim = sim;
    view->hooks = hooks;
    view->policy = hooks->policy;
    view->jobs = pn_at(sim, sim->jobs);
    view->shared = pn_at(sim, sim->shared);
    view->misjudged = sim->config.estimates ? pn_at(sim, sim->misjudged) : NULL;
    view->served = pn_at(sim, sim->served);
    view->was_served = pn_at(sim, sim->was_served);
    view->backlogs = pn_at(sim, sim->backlogs);
    view->done = pn_at(sim, sim->done);
    pn_tandem_entry *first = &view->jobs[0];
    for (int k = 0; k < hooks->policy->order_count; k++)
        view->heaps[k] = tandem_heap_build(sim, &sim->orders[k], sim->order_entries[k],
                                           &first->places[k], &first->id);
    view->scratch = tandem_heap_build(sim, &sim->scratch_heap, sim->scratch, NULL, &first->id);
    for (int line = 0; line < PN_TANDEM_LINES; line++)
        view->lines[line] = tandem_heap_build(sim, &sim->sets[line], sim->set_entries[line], NULL,
                                              &first->id);
    build_shared(view);
    list_orders(view);
    view->deciding = 0;
    view->rated = 0;
    view->starting = 0;
    view->recording = !sim->config.no_digest || hooks->on_decision;
    view->was_count = 0;
    view->was_mapped = PN_NO_JOB;
    view->was_drained = PN_NO_JOB;
    view->changed = 0;
}

/* ---- asking ---- */

double pn_tandem_time(const pn_tandem_view *view)
{
    return view->sim->time;
}

double pn_tandem_speed(const pn_tandem_view *view)
{
    return view->sim->config.speed;
}

int pn_tandem_overlap(const pn_tandem_view *view)
{
    return !view->sim->config.traditional;
}

uint32_t pn_tandem_jobs_max(const pn_tandem_view *view)
{
    return view->sim->config.jobs_max;
}

uint32_t pn_tandem_in_system(const pn_tandem_view *view)
{
    return view->sim->in_system;
}

int pn_tandem_active(const pn_tandem_view *view, uint32_t job)
{
    return job < view->sim->jobs_used && view->jobs[job].active;
}

double pn_tandem_param_value(const pn_tandem_view *view, uint32_t index)
{
    PN_ASSERT(index < PN_PARAMS_MAX);
    return view->sim->binding.params[index];
}

void *pn_tandem_state(const pn_tandem_view *view)
{
    return pn_at(view->sim, view->sim->policy_state);
}

pn_stream *pn_tandem_stream(const pn_tandem_view *view)
{
    return &view->sim->stream;
}

const pn_tandem_policy *pn_tandem_policy_of(const pn_tandem_view *view)
{
    return view->policy;
}

void *pn_tandem_user(const pn_tandem_view *view)
{
    return view->hooks->user;
}

static const pn_tandem_entry *job_at(const pn_tandem_view *view, uint32_t job)
{
    PN_ASSERT(job < view->sim->jobs_used);
    return &view->jobs[job];
}

uint64_t pn_tandem_id(const pn_tandem_view *view, uint32_t job)
{
    return job_at(view, job)->id;
}

uint32_t pn_tandem_group(const pn_tandem_view *view, uint32_t job)
{
    return job_at(view, job)->group;
}

uint32_t pn_tandem_attribute_count(const pn_tandem_view *view)
{
    return (uint32_t)view->sim->config.attributes;
}

double pn_tandem_attribute(const pn_tandem_view *view, uint32_t job, uint32_t index)
{
    return pn_attributes_get(pn_tandem_attributes_of(view->sim), job, index);
}

double pn_tandem_arrival(const pn_tandem_view *view, uint32_t job)
{
    return job_at(view, job)->arrived;
}

double pn_tandem_age(const pn_tandem_view *view, uint32_t job)
{
    return view->sim->now - job_at(view, job)->arrival;
}

double pn_tandem_map_size(const pn_tandem_view *view, uint32_t job)
{
    return view->misjudged ? view->misjudged[job].map : job_at(view, job)->map;
}

double pn_tandem_shuffle_size(const pn_tandem_view *view, uint32_t job)
{
    return view->misjudged ? view->misjudged[job].shuffle : job_at(view, job)->shuffle;
}

/* Returns what an estimate leaves after so much of the truth is done. A right one leaves what is
 * left, which is rounded less. */
static double seen(double estimate, double size, double left)
{
    if (estimate == size)
        return left;
    double rest = left < size ? estimate - (size - left) : estimate;
    return rest > 0.0 ? rest : 0.0;
}

double pn_tandem_map_left(const pn_tandem_view *view, uint32_t job)
{
    const pn_tandem_entry *fluid = job_at(view, job);
    double left = view->sim->engine == PN_TANDEM_ENGINE_SHARE
                      ? pn_tandem_share_map_left(view, fluid)
                      : fluid->map_left;
    return view->misjudged ? seen(view->misjudged[job].map, fluid->map, left) : left;
}

static double true_shuffle_left(const pn_tandem_view *view, const pn_tandem_entry *fluid)
{
    if (view->sim->engine != PN_TANDEM_ENGINE_SHARE)
        return fluid->shuffle_left;
    double map_left = pn_tandem_share_map_left(view, fluid);
    if (map_left > 0.0 && view->sim->config.traditional)
        return fluid->shuffle;
    return pn_tandem_share_backlog(view, fluid) + map_left * fluid->ratio;
}

double pn_tandem_shuffle_left(const pn_tandem_view *view, uint32_t job)
{
    const pn_tandem_entry *fluid = job_at(view, job);
    double left = true_shuffle_left(view, fluid);
    return view->misjudged ? seen(view->misjudged[job].shuffle, fluid->shuffle, left) : left;
}

double pn_tandem_longest_left(const pn_tandem_view *view, uint32_t job)
{
    double map = pn_tandem_map_left(view, job);
    double shuffle = pn_tandem_shuffle_left(view, job);
    return map > shuffle ? map : shuffle;
}

double pn_tandem_backlog(const pn_tandem_view *view, uint32_t job)
{
    const pn_tandem_entry *fluid = job_at(view, job);
    return view->sim->engine == PN_TANDEM_ENGINE_SHARE ? pn_tandem_share_backlog(view, fluid)
                                                       : fluid->backlog;
}

static double backlog_of_heap(const pn_tandem_view *view, const pn_heap *heap)
{
    double total = 0.0;
    for (uint32_t i = 0; i < heap->state->count; i++)
        total += pn_tandem_backlog(view, heap->entry[i].item);
    return total;
}

/* Returns the backlog of a job that joins the orders and that the sums do not have yet. */
static double joining_backlog(const pn_tandem_view *view)
{
    const pn_tandem_entry *job = view->joining;
    bool listed = !job || job->backlog_place != 0 ||
                  (view->sim->engine == PN_TANDEM_ENGINE_FIRST &&
                   pn_heap_has(&view->heaps[view->shuffle_order], (uint32_t)(job - view->jobs)));
    return listed ? 0.0 : job->backlog;
}

/* Adds up the backlog anew for each instant at which it is asked for, and after each arrival: a
 * running sum would carry the rounding of all instants along. */
double pn_tandem_backlog_total(const pn_tandem_view *view)
{
    pn_tandem *sim = view->sim;
    double total = joining_backlog(view);
    if (sim->engine == PN_TANDEM_ENGINE_SHARE)
        return total + backlog_of_heap(view, &view->growing) +
               backlog_of_heap(view, &view->draining);
    if (sim->backlog_summed == sim->instants + 1)
        return sim->backlog_total;
    if (sim->engine == PN_TANDEM_ENGINE_FIRST) /* all jobs with backlog stand in the order */
        total += backlog_of_heap(view, &view->heaps[view->shuffle_order]);
    for (uint32_t i = 0; i < sim->backlog_count; i++)
        total += view->jobs[view->backlogs[i]].backlog;
    sim->backlog_total = total;
    sim->backlog_summed = sim->instants + 1;
    return total;
}

int pn_tandem_mapping(const pn_tandem_view *view, uint32_t job)
{
    const pn_tandem_entry *fluid = job_at(view, job);
    return (view->sim->engine == PN_TANDEM_ENGINE_SHARE ? pn_tandem_share_map_left(view, fluid)
                                                        : fluid->map_left) > 0.0;
}

uint32_t pn_tandem_rank(const pn_tandem_view *view, uint32_t job, uint32_t station)
{
    PN_ASSERT(station <= PN_TANDEM_SHUFFLE_STATION);
    return job_at(view, job)->rank[station];
}

/* ---- shared keys ---- */

void pn_tandem_key_longest(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_longest_left(view, job));
}

void pn_tandem_key_map(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_map_left(view, job));
    key->word[1] = pn_key_double(pn_tandem_shuffle_left(view, job));
}

void pn_tandem_key_sum(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_map_left(view, job) + pn_tandem_shuffle_left(view, job));
}

/* Makes the key. What is left is never negative, so the top bit of X's word is free to tell the
 * jobs with backlog. */
void pn_tandem_key_shuffle(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    const uint64_t top = (uint64_t)1 << 63;
    uint64_t map = pn_key_double(pn_tandem_map_left(view, job)) & ~top;
    key->word[0] = pn_key_double(pn_tandem_shuffle_left(view, job));
    key->word[1] = pn_tandem_backlog(view, job) > 0.0 ? map : map | top;
}

/* ---- rates ---- */

static void first_rates(const pn_tandem_view *view, uint32_t job, double rates[2])
{
    const pn_tandem_first_state *first = &view->sim->first;
    rates[PN_TANDEM_MAP_STATION] = job == first->mapped ? view->sim->config.speed : 0.0;
    rates[PN_TANDEM_SHUFFLE_STATION] = job == first->mapped    ? first->flow
                                       : job == first->drained ? first->drain
                                                               : 0.0;
}

void pn_tandem_rates_of(const pn_tandem_view *view, uint32_t job, double rates[2])
{
    const pn_tandem_entry *fluid = &view->jobs[job];
    rates[PN_TANDEM_MAP_STATION] = 0.0;
    rates[PN_TANDEM_SHUFFLE_STATION] = 0.0;
    if (view->sim->engine == PN_TANDEM_ENGINE_FIRST) {
        first_rates(view, job, rates);
    } else if (view->sim->engine == PN_TANDEM_ENGINE_SHARE) {
        pn_tandem_share_rates(view, fluid, rates);
    } else if (fluid->served != 0) {
        rates[PN_TANDEM_MAP_STATION] = view->served[fluid->served - 1].map_rate;
        rates[PN_TANDEM_SHUFFLE_STATION] = view->served[fluid->served - 1].shuffle_rate;
    }
}

static double rate_of(const pn_tandem_view *view, uint32_t job, int station)
{
    double rates[2];
    PN_ASSERT(job < view->sim->jobs_used);
    if (!view->deciding && !view->rated)
        return 0.0;
    pn_tandem_rates_of(view, job, rates);
    return rates[station];
}

double pn_tandem_map_rate(const pn_tandem_view *view, uint32_t job)
{
    return rate_of(view, job, PN_TANDEM_MAP_STATION);
}

double pn_tandem_shuffle_rate(const pn_tandem_view *view, uint32_t job)
{
    return rate_of(view, job, PN_TANDEM_SHUFFLE_STATION);
}

double pn_tandem_generation_rate(const pn_tandem_view *view, uint32_t job)
{
    return pn_tandem_map_rate(view, job) * job_at(view, job)->ratio;
}

/* ---- orders ---- */

uint32_t pn_tandem_first(const pn_tandem_view *view, uint32_t order)
{
    PN_ASSERT(order < view->policy->order_count);
    const pn_heap *heap = &view->heaps[order];
    return heap->state->count > 0 ? heap->entry[0].item : PN_NO_JOB;
}

int pn_tandem_member(const pn_tandem_view *view, uint32_t order, uint32_t job)
{
    PN_ASSERT(order < view->policy->order_count);
    return pn_tandem_active(view, job) && pn_heap_has(&view->heaps[order], job);
}

uint32_t pn_tandem_next(const pn_tandem_view *view, uint32_t order, uint32_t job)
{
    PN_ASSERT(pn_tandem_member(view, order, job));
    const pn_heap *heap = &view->heaps[order];
    uint32_t at = *pn_heap_place(heap, job) - 1;
    const pn_heap_entry *from = &heap->entry[at];
    const pn_heap_entry *next = NULL;
    if (heap->state->sorted)
        return at + 1 < heap->state->count ? heap->entry[at + 1].item : PN_NO_JOB;
    for (uint32_t i = 0; i < heap->state->count; i++) {
        const pn_heap_entry *entry = &heap->entry[i];
        if (pn_heap_before(heap, from, entry) && (!next || pn_heap_before(heap, entry, next)))
            next = entry;
    }
    return next ? next->item : PN_NO_JOB;
}

/* ---- changing ---- */

int pn_tandem_serve(pn_tandem_view *view, uint32_t station, pn_tandem_service service)
{
    if (!view->starting || view->policy->act || station > PN_TANDEM_SHUFFLE_STATION ||
        !pn_tandem_service_sane(view->policy, station, service))
        return PN_ERR_ARGUMENT;
    view->sim->services[station] = service;
    return PN_OK;
}

void pn_tandem_fail(const pn_tandem_view *view, int status)
{
    PN_ASSERT(status < 0);
    if (view->sim->failure == 0)
        view->sim->failure = status;
}
