/* The sharing engine, for policies that share at both stations (TA11-TA13): everybody is served all
 * the time, so nothing is advanced job by job. Two virtual times run instead: V, what each job in
 * the map share has been mapped so far, and W, what each job with B > 0 has been shuffled so far. A
 * job keeps what was left of it at some moment, and V or W of that moment:
 *
 *   mapping    in the map share; X = map_left - (V - joined); heap by the V of its end
 *   draining   B > 0 and nothing is generated; B = backlog - (W - drained); heap by the W of its
 *              end
 *   flowing    generates less than its share of the shuffle station, B stays 0; heap by ratio,
 *              largest first
 *   growing    generates with B > 0; B = backlog + ratio * (V - grown) - (W - drained); heap by
 *              ratio, smallest first
 *
 * Small jobs and large ratios live beside large virtual times, so these carry their rounding errors
 * along; the heaps' keys need not.
 *
 * As all in the map share are mapped at one rate, the caps of TA11's water-filling are in order of
 * ratio: who exceeds the water level is found at the top of the heap of the flowing jobs and begins
 * to grow. Among the growing jobs those of small ratio may generate less than they are shuffled by
 * now: their backlog falls, and these alone are looked at. An instant costs O(log n), and O(1) for
 * each job whose backlog falls while it is mapped. */
#include "state.h"

#include "base/sort.h"

enum { MAPPING_PLACE, CLASS_PLACE, LAST_PLACE };

/* Returns whether this engine can run the policy: the map share is a fixed set but for arrivals and
 * ends. */
bool pn_tandem_shares(const pn_tandem_policy *policy, const pn_tandem_service services[2])
{
    const pn_tandem_service *map = &services[PN_TANDEM_MAP_STATION];
    const pn_tandem_service *shuffle = &services[PN_TANDEM_SHUFFLE_STATION];
    if (policy->act || (shuffle->way != PN_TANDEM_SHARE && shuffle->way != PN_TANDEM_RIGID))
        return false;
    const pn_tandem_order *order = &policy->orders[map->order];
    return !order->key || order->changes == PN_TANDEM_ON_ARRIVAL;
}

void pn_tandem_share_start(pn_tandem *sim)
{
    pn_tandem_share_state *share = &sim->share;
    const pn_tandem_service *map = &sim->services[PN_TANDEM_MAP_STATION];
    share->limit = map->way == PN_TANDEM_FIRST ? 1 : map->limit == 0 ? UINT32_MAX : map->limit;
    share->rigid = sim->services[PN_TANDEM_SHUFFLE_STATION].way == PN_TANDEM_RIGID;
}

/* Restarts the virtual times, which is possible while no job is present. */
void pn_tandem_share_restart(pn_tandem *sim)
{
    sim->share.map_time = (pn_tandem_sum){0.0, 0.0};
    sim->share.shuffle_time = (pn_tandem_sum){0.0, 0.0};
    sim->share.flowing = (pn_tandem_sum){0.0, 0.0};
}

/* ---- what is left of a job ---- */

static bool mapping(const pn_tandem_view *view, const pn_tandem_entry *job)
{
    return pn_tandem_shared_of(view, job)->places[MAPPING_PLACE] != 0;
}

/* Returns the map work left, which may be a little below 0 at an end. */
static double map_left_of(const pn_tandem_view *view, const pn_tandem_entry *job)
{
    return job->map_left -
           pn_tandem_sum_since(&view->sim->share.map_time, &pn_tandem_shared_of(view, job)->joined);
}

static double drain_left_of(const pn_tandem_view *view, const pn_tandem_entry *job)
{
    return job->backlog - pn_tandem_sum_since(&view->sim->share.shuffle_time,
                                              &pn_tandem_shared_of(view, job)->drained);
}

static double growth_of(const pn_tandem_view *view, const pn_tandem_entry *job)
{
    const pn_tandem_share_state *share = &view->sim->share;
    const pn_tandem_shared *shared = pn_tandem_shared_of(view, job);
    return (job->backlog + job->ratio * pn_tandem_sum_since(&share->map_time, &shared->grown)) -
           pn_tandem_sum_since(&share->shuffle_time, &shared->drained);
}

double pn_tandem_share_map_left(const pn_tandem_view *view, const pn_tandem_entry *job)
{
    return mapping(view, job) ? pn_tandem_positive(map_left_of(view, job)) : job->map_left;
}

double pn_tandem_share_backlog(const pn_tandem_view *view, const pn_tandem_entry *job)
{
    if (job->class == PN_TANDEM_ENTRY_GROWING)
        return pn_tandem_positive(growth_of(view, job));
    if (job->class == PN_TANDEM_ENTRY_DRAINING)
        return pn_tandem_positive(drain_left_of(view, job));
    return job == view->joining ? job->backlog : 0.0;
}

void pn_tandem_share_rates(const pn_tandem_view *view, const pn_tandem_entry *job, double rates[2])
{
    const pn_tandem_share_state *share = &view->sim->share;
    rates[PN_TANDEM_MAP_STATION] = mapping(view, job) ? share->map_rate : 0.0;
    rates[PN_TANDEM_SHUFFLE_STATION] = job->class == PN_TANDEM_ENTRY_FLOWING
                                           ? share->map_rate * job->ratio
                                       : job->class == PN_TANDEM_ENTRY_NONE ? 0.0
                                                                            : share->level;
}

/* ---- classes ---- */

static void tandem_push(const pn_heap *heap, pn_tandem_entry *job, uint32_t place, uint64_t word)
{
    const uint64_t words[2] = {word, job->id};
    pn_heap_push(heap, place, words);
}

static void drain(pn_tandem_view *view, uint32_t place, double backlog)
{
    const pn_tandem_share_state *share = &view->sim->share;
    pn_tandem_entry *job = &view->jobs[place];
    job->class = PN_TANDEM_ENTRY_DRAINING;
    job->backlog = backlog;
    view->shared[place].drained = share->shuffle_time;
    tandem_push(&view->draining, job, place,
                pn_key_double(pn_tandem_sum_value(&share->shuffle_time) + backlog));
}

static void grow(pn_tandem_view *view, uint32_t place, double backlog)
{
    const pn_tandem_share_state *share = &view->sim->share;
    pn_tandem_entry *job = &view->jobs[place];
    job->class = PN_TANDEM_ENTRY_GROWING;
    job->backlog = backlog;
    view->shared[place].grown = share->map_time;
    view->shared[place].drained = share->shuffle_time;
    tandem_push(&view->growing, job, place, pn_key_double(job->ratio));
}

static void stop_growing(pn_tandem_view *view, uint32_t place)
{
    pn_heap_remove(&view->growing, place);
    view->jobs[place].class = PN_TANDEM_ENTRY_NONE;
}

static void flow(pn_tandem_view *view, uint32_t place)
{
    pn_tandem_entry *job = &view->jobs[place];
    job->class = PN_TANDEM_ENTRY_FLOWING;
    pn_tandem_sum_add(&view->sim->share.flowing, job->ratio);
    tandem_push(&view->flowing, job, place, ~pn_key_double(job->ratio));
}

/* Takes a ratio out of the sum; one that was most of it takes the others' digits along, and they
 * are added up again. */
static void stop_flowing(pn_tandem_view *view, uint32_t place)
{
    pn_tandem_sum *sum = &view->sim->share.flowing;
    pn_tandem_entry *job = &view->jobs[place];
    pn_heap_remove(&view->flowing, place);
    job->class = PN_TANDEM_ENTRY_NONE;
    pn_tandem_sum_add(sum, -job->ratio);
    if (job->ratio < 0x1p20 * pn_tandem_sum_value(sum))
        return;
    *sum = (pn_tandem_sum){0.0, 0.0};
    for (uint32_t i = 0; i < view->flowing.state->count; i++)
        pn_tandem_sum_add(sum, view->jobs[view->flowing.entry[i].item].ratio);
}

/* ---- the map share ---- */

static bool limited(const pn_tandem_view *view)
{
    const pn_tandem_share_state *share = &view->sim->share;
    return share->limit != UINT32_MAX &&
           view->policy->orders[view->sim->services[PN_TANDEM_MAP_STATION].order].key != NULL;
}

static void tandem_join(pn_tandem_view *view, uint32_t place)
{
    pn_tandem_share_state *share = &view->sim->share;
    pn_tandem_entry *job = &view->jobs[place];
    double backlog = pn_tandem_share_backlog(view, job);
    view->shared[place].joined = share->map_time;
    tandem_push(&view->mapping, job, place,
                pn_key_double(pn_tandem_sum_value(&share->map_time) + job->map_left));
    if (limited(view)) {
        pn_key key = pn_tandem_key_of(view, view->sim->services[PN_TANDEM_MAP_STATION].order,
                                      place);
        const uint64_t words[2] = {~key.word[0], ~key.word[1]};
        pn_heap_push(&view->last, place, words);
    }
    if (job->ratio == 0.0)
        return;
    if (job->class == PN_TANDEM_ENTRY_DRAINING) {
        pn_heap_remove(&view->draining, place);
        grow(view, place, backlog);
    } else {
        flow(view, place);
    }
}

static void quit(pn_tandem_view *view, uint32_t place)
{
    pn_heap_remove(&view->mapping, place);
    if (limited(view))
        pn_heap_remove(&view->last, place);
}

/* Puts the job in line. */
static void wait(pn_tandem_view *view, uint32_t place)
{
    pn_tandem_enter(view, PN_TANDEM_MAPPING, place);
}

/* Removes the last of the share for one that comes before it. */
static void displace(pn_tandem_view *view, uint32_t place)
{
    pn_tandem_entry *job = &view->jobs[place];
    double backlog = pn_tandem_share_backlog(view, job);
    job->map_left = pn_tandem_share_map_left(view, job);
    quit(view, place);
    if (job->class == PN_TANDEM_ENTRY_FLOWING)
        stop_flowing(view, place);
    else if (job->class == PN_TANDEM_ENTRY_GROWING)
        stop_growing(view, place);
    if (backlog > 0.0)
        drain(view, place, backlog);
    else
        view->was_served[view->was_count++] = place;
    wait(view, place);
}

static bool precedes_last(const pn_tandem_view *view, uint32_t place)
{
    if (!limited(view))
        return false;
    pn_key key = pn_tandem_key_of(view, view->sim->services[PN_TANDEM_MAP_STATION].order, place);
    const pn_heap_entry entry = {{~key.word[0], ~key.word[1]}, place, 0};
    return pn_heap_before(&view->last, &view->last.entry[0], &entry);
}

/* Enters a job that arrives. */
void pn_tandem_share_enter(pn_tandem_view *view, uint32_t place)
{
    const pn_tandem_share_state *share = &view->sim->share;
    pn_tandem_entry *job = &view->jobs[place];
    if (job->map == 0.0) {
        drain(view, place, job->shuffle);
        return;
    }
    const pn_heap *line = &view->heaps[view->sim->services[PN_TANDEM_MAP_STATION].order];
    bool room = view->mapping.state->count < share->limit;
    if (room && line->state->count == 0) {
        tandem_join(view, place);
    } else if (!room && precedes_last(view, place)) {
        displace(view, view->last.entry[0].item);
        tandem_join(view, place);
    } else {
        wait(view, place);
    }
}

static void call_next(pn_tandem_view *view)
{
    const pn_heap *line = &view->heaps[view->sim->services[PN_TANDEM_MAP_STATION].order];
    while (line->state->count > 0 && view->mapping.state->count < view->sim->share.limit) {
        uint32_t first = line->entry[0].item;
        pn_tandem_leave(view, PN_TANDEM_MAPPING, first);
        tandem_join(view, first);
    }
}

/* ---- advancing ---- */

static double tandem_earlier(double end, double span)
{
    return end < span ? (end > 0.0 ? end : 0.0) : span;
}

/* The growing jobs whose backlog falls: those of small ratio, the top of a heap by ratio, in no
 * particular order. Branches of the heap are followed down to where backlogs no longer fall: at
 * most as many looks for each such job as an entry has children, and no comparisons of jobs. */
typedef struct falling {
    uint32_t *branches; /* places in the heap that fall and were not looked at */
    uint32_t count;
    uint32_t job;
    double fall; /* what its B loses a unit of time */
} falling;

static double fall_at(const pn_tandem_view *view, uint32_t index)
{
    const pn_tandem_share_state *share = &view->sim->share;
    return share->level - view->jobs[view->growing.entry[index].item].ratio * share->map_rate;
}

static void add_branches(const pn_tandem_view *view, falling *chosen, uint64_t first, uint64_t end)
{
    end = pn_min(end, view->growing.state->count);
    for (uint64_t i = first; i < end; i++) {
        if (fall_at(view, (uint32_t)i) > 0.0)
            chosen->branches[chosen->count++] = (uint32_t)i;
        else if (view->growing.state->sorted)
            break;
    }
}

static bool next_falling(const pn_tandem_view *view, falling *chosen)
{
    if (chosen->count == 0)
        return false;
    uint32_t index = chosen->branches[--chosen->count];
    uint64_t first = (uint64_t)index * PN_HEAP_ARITY + 1;
    chosen->job = view->growing.entry[index].item;
    chosen->fall = fall_at(view, index);
    add_branches(view, chosen, first, first + PN_HEAP_ARITY);
    return true;
}

/* Makes the falling list in place of the list of backlogs, which is free here: it belongs to
 * another engine. */
static falling all_falling(const pn_tandem_view *view)
{
    falling chosen = {.branches = view->backlogs};
    add_branches(view, &chosen, 0, 1);
    return chosen;
}

double pn_tandem_share_next_end(const pn_tandem_view *view)
{
    const pn_tandem_share_state *share = &view->sim->share;
    double span = PN_TANDEM_NEVER;
    if (view->mapping.state->count > 0) {
        const pn_tandem_entry *first = &view->jobs[view->mapping.entry[0].item];
        span = tandem_earlier(map_left_of(view, first) / share->map_rate, span);
    }
    if (view->draining.state->count > 0 && share->level > 0.0) {
        const pn_tandem_entry *first = &view->jobs[view->draining.entry[0].item];
        span = tandem_earlier(drain_left_of(view, first) / share->level, span);
    }
    falling chosen = all_falling(view);
    while (next_falling(view, &chosen))
        span = tandem_earlier(growth_of(view, &view->jobs[chosen.job]) / chosen.fall, span);
    return span;
}

/* Returns whether what is left is due in the tolerance, or is no more than the rounding of its
 * size. */
static bool tandem_due(double left, double rate, double tolerance, double size)
{
    return left <= rate * tolerance || left <= pn_tandem_tolerance(size) / 16.0;
}

/* Ends a map. A backlog that ends within the tolerance ends with it (TA21). */
static void tandem_share_end_map(pn_tandem_view *view, uint32_t place, double tolerance)
{
    pn_tandem *sim = view->sim;
    pn_tandem_entry *job = &view->jobs[place];
    double backlog = sim->config.traditional ? job->shuffle : 0.0;
    /* All of its work is generated by now, also what the rounding of this instant's time leaves out
     * or counts twice. */
    if (job->class == PN_TANDEM_ENTRY_GROWING)
        backlog = pn_tandem_share_backlog(view, job) + map_left_of(view, job) * job->ratio;
    quit(view, place);
    job->map_left = 0.0;
    job->mapped = sim->time;
    if (job->class == PN_TANDEM_ENTRY_FLOWING)
        stop_flowing(view, place);
    else if (job->class == PN_TANDEM_ENTRY_GROWING)
        stop_growing(view, place);
    if (backlog > (sim->config.traditional ? 0.0 : sim->share.level * tolerance))
        drain(view, place, backlog);
    else
        pn_tandem_done(view, place);
}

static bool has_smaller_ratio(const void *context, uint32_t a, uint32_t b)
{
    const pn_tandem_view *view = context;
    const pn_tandem_entry *left = &view->jobs[a], *right = &view->jobs[b];
    return left->ratio != right->ratio ? left->ratio < right->ratio : left->id < right->id;
}

/* Ends what has grown, in order of ratio: sums are rounded in this order. */
static void end_growth(pn_tandem_view *view, double tolerance)
{
    pn_tandem *sim = view->sim;
    falling chosen = all_falling(view);
    PN_ASSERT(sim->done_count == 0);
    while (next_falling(view, &chosen)) {
        const pn_tandem_entry *job = &view->jobs[chosen.job];
        if (tandem_due(growth_of(view, job), chosen.fall, tolerance, job->shuffle))
            pn_tandem_done(view, chosen.job); /* noted, not done: the walk ends first */
    }
    pn_sort_by(view->done, sim->done_count, view->backlogs, has_smaller_ratio, view);
    for (uint32_t i = 0; i < sim->done_count; i++) {
        stop_growing(view, view->done[i]);
        flow(view, view->done[i]);
    }
    sim->done_count = 0;
}

static void end_drain(pn_tandem_view *view, uint32_t place)
{
    pn_tandem_entry *job = &view->jobs[place];
    pn_heap_remove(&view->draining, place);
    job->class = PN_TANDEM_ENTRY_NONE;
    if (job->map_left == 0.0)
        pn_tandem_done(view, place);
    else
        view->was_served[view->was_count++] = place;
}

/* Serves for `span` up to the instant that sim->now has become. Backlogs that run out at the very
 * end of the map end with it. */
void pn_tandem_share_advance(pn_tandem_view *view, double span, double tolerance)
{
    pn_tandem_share_state *share = &view->sim->share;
    view->was_count = 0;
    pn_tandem_sum_add(&share->map_time, share->map_rate * span);
    pn_tandem_sum_add(&share->shuffle_time, share->level * span);
    end_growth(view, tolerance);
    while (view->draining.state->count > 0) {
        uint32_t first = view->draining.entry[0].item;
        const pn_tandem_entry *job = &view->jobs[first];
        if (!tandem_due(drain_left_of(view, job), share->level, tolerance, job->shuffle))
            break;
        end_drain(view, first);
    }
    while (view->mapping.state->count > 0) {
        uint32_t first = view->mapping.entry[0].item;
        const pn_tandem_entry *job = &view->jobs[first];
        if (!tandem_due(map_left_of(view, job), share->map_rate, tolerance, job->map))
            break;
        tandem_share_end_map(view, first, tolerance);
    }
}

/* ---- rates ---- */

/* Returns whether the flowing job with the largest ratio generates more than its share of the
 * shuffle station would be; if both are equal in exact arithmetic they may differ by their
 * rounding. */
static bool overflows(const pn_tandem_view *view, double ratio)
{
    const pn_tandem *sim = view->sim;
    const pn_tandem_share_state *share = &sim->share;
    uint32_t backlogs = view->growing.state->count + view->draining.state->count;
    double generation = ratio * share->map_rate;
    double others = pn_tandem_positive(pn_tandem_sum_value(&share->flowing) - ratio);
    double level = share->rigid ? sim->config.speed / (backlogs + view->flowing.state->count)
                                : (sim->config.speed - share->map_rate * others) / (backlogs + 1);
    return generation - level > pn_tandem_tolerance(generation);
}

/* Sets all rates anew. */
void pn_tandem_share_set_rates(pn_tandem_view *view)
{
    pn_tandem *sim = view->sim;
    pn_tandem_share_state *share = &sim->share;
    call_next(view);
    uint32_t sharing = view->mapping.state->count;
    share->map_rate = sharing > 0 ? sim->config.speed / sharing : 0.0;
    while (view->flowing.state->count > 0) {
        uint32_t first = view->flowing.entry[0].item;
        if (!overflows(view, view->jobs[first].ratio))
            break;
        stop_flowing(view, first);
        grow(view, first, 0.0);
    }
    uint32_t backlogs = view->growing.state->count + view->draining.state->count;
    double flowing = share->map_rate * pn_tandem_sum_value(&share->flowing);
    double rest = pn_tandem_positive(sim->config.speed - flowing);
    uint32_t parts = share->rigid ? backlogs + view->flowing.state->count : backlogs;
    share->level = backlogs == 0 ? 0.0 : share->rigid ? sim->config.speed / parts : rest / parts;
    sim->map_used = sharing > 0 ? sim->config.speed : 0.0;
    sim->shuffle_used = flowing + backlogs * share->level;
}
