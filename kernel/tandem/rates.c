/* The general engine: a list of the jobs being served, each with its rates. It advances them to the
 * next instant, and sets the rates anew by the services of the policy, or by what its act gives. */
#include "state.h"

/* ---- advancing ---- */

/* Returns in what time the first X or B of those served ends. */
double pn_tandem_next_end(const pn_tandem_view *view)
{
    double span = PN_TANDEM_NEVER;
    for (uint32_t i = 0; i < view->sim->served_count; i++) {
        const pn_tandem_served *entry = &view->served[i];
        const pn_tandem_entry *job = &view->jobs[entry->job];
        if (entry->map_rate > 0.0) {
            double end = job->map_left / entry->map_rate;
            span = end < span ? end : span;
        }
        if (entry->growth < 0.0) {
            double end = job->backlog / -entry->growth;
            span = end < span ? end : span;
        }
    }
    return span;
}

/* Lists a job whose B is > 0 now, or removes from the list one that it no longer is of. */
void pn_tandem_backlog_list(pn_tandem_view *view, uint32_t job, bool wanted)
{
    pn_tandem *sim = view->sim;
    uint32_t *at = &view->jobs[job].backlog_place;
    PN_ASSERT(wanted == (*at == 0));
    if (wanted) {
        view->backlogs[sim->backlog_count++] = job;
        *at = sim->backlog_count;
    } else {
        uint32_t last = view->backlogs[--sim->backlog_count];
        view->backlogs[*at - 1] = last;
        view->jobs[last].backlog_place = *at;
        *at = 0;
    }
}

static double grown(const pn_tandem_served *entry, double backlog, double span, double tolerance)
{
    if (entry->growth == 0.0)
        return backlog;
    backlog += entry->growth * span;
    if (entry->growth < 0.0 && backlog <= -entry->growth * tolerance)
        return 0.0;
    return backlog;
}

/* Ends the map when the last map work is done: without overlap all shuffle work is there now (TA4).
 * With it all is generated, whatever the rounding of the instant's time leaves out or counts twice,
 * and what is left is backlog, unless it ends within the tolerance (TA21). */
static void tandem_end_map(pn_tandem_view *view, const pn_tandem_served *entry, double span,
                           double tolerance)
{
    pn_tandem_entry *job = &view->jobs[entry->job];
    double backlog = job->backlog + (job->map_left * job->ratio - entry->shuffle_rate * span);
    bool flows = entry->growth == 0.0 && job->backlog == 0.0;
    backlog = flows || backlog <= entry->shuffle_rate * tolerance ? 0.0 : backlog;
    pn_tandem_leave(view, PN_TANDEM_MAPPING, entry->job);
    job->map_left = 0.0;
    job->mapped = view->sim->time;
    job->backlog = view->sim->config.traditional ? job->shuffle : backlog;
    job->shuffle_left = job->backlog;
}

/* Serves a job whose map does not end in this interval, or has ended before. */
static void serve_on(pn_tandem_entry *job, const pn_tandem_served *entry, double span,
                     double tolerance)
{
    job->map_left -= entry->map_rate * span;
    job->backlog = grown(entry, job->backlog, span, tolerance);
    if (entry->shuffle_rate > 0.0)
        job->shuffle_left = pn_tandem_positive(job->shuffle_left - entry->shuffle_rate * span);
}

static void advance_one(pn_tandem_view *view, const pn_tandem_served *entry, double span,
                        double tolerance)
{
    pn_tandem_entry *job = &view->jobs[entry->job];
    bool had = job->backlog > 0.0;
    if (entry->map_rate > 0.0 &&
        job->map_left - entry->map_rate * span <= entry->map_rate * tolerance)
        tandem_end_map(view, entry, span, tolerance);
    else
        serve_on(job, entry, span, tolerance);
    view->sim->backlog_summed = 0;
    bool has = job->backlog > 0.0;
    if (had != has)
        pn_tandem_backlog_list(view, entry->job, has);
    if (had && !has)
        pn_tandem_leave(view, PN_TANDEM_BACKLOG, entry->job);
    if (!has && job->map_left == 0.0) {
        pn_tandem_done(view, entry->job);
        return;
    }
    pn_tandem_rekey(view, entry->job);
    if (!had && has)
        pn_tandem_enter(view, PN_TANDEM_BACKLOG, entry->job);
}

/* Serves for `span` up to the instant that sim->now has become. */
void pn_tandem_advance(pn_tandem_view *view, double span, double tolerance)
{
    for (uint32_t i = 0; i < view->sim->served_count; i++)
        advance_one(view, &view->served[i], span, tolerance);
}

/* ---- giving ---- */

static uint32_t tandem_first_of(const pn_heap *heap)
{
    return heap->state->count > 0 ? heap->entry[0].item : PN_NO_JOB;
}

static pn_tandem_served *tandem_entry_of(pn_tandem_view *view, uint32_t place)
{
    pn_tandem *sim = view->sim;
    pn_tandem_entry *job = &view->jobs[place];
    if (job->served == 0) {
        view->served[sim->served_count++] = (pn_tandem_served){.job = place};
        job->served = sim->served_count;
    }
    return &view->served[job->served - 1];
}

static void map_at(pn_tandem_view *view, uint32_t place, double rate)
{
    pn_tandem_served *entry = tandem_entry_of(view, place);
    entry->map_rate += rate;
    entry->generation = entry->map_rate * view->jobs[place].ratio;
    view->sim->map_used += rate;
}

static void shuffle_at(pn_tandem_view *view, pn_tandem_served *entry, double rate)
{
    entry->shuffle_rate += rate;
    view->sim->shuffle_used += rate;
}

/* Returns what a job without backlog can still be shuffled at. */
static double tandem_spare(const pn_tandem_served *entry)
{
    return entry->generation - entry->shuffle_rate;
}

/* Returns the rate of a job without backlog, at most its generation rate, exactly that if there is
 * enough (TA8). Shares that are equal to it in exact arithmetic, as splitsrpt's are, may fall short
 * by their rounding: that must not leave a backlog of 1e-16. */
static double shuffle_generated(pn_tandem_view *view, pn_tandem_served *entry, double capacity)
{
    double room = tandem_spare(entry);
    if (room - capacity > pn_tandem_tolerance(entry->generation)) {
        shuffle_at(view, entry, capacity);
        return 0.0;
    }
    view->sim->shuffle_used += room;
    entry->shuffle_rate = entry->generation;
    return pn_tandem_positive(capacity - room);
}

static double shuffle_backlog(pn_tandem_view *view, uint32_t place, double capacity)
{
    if (capacity > 0.0)
        shuffle_at(view, tandem_entry_of(view, place), capacity);
    return 0.0;
}

static bool flows(const pn_tandem_view *view, const pn_tandem_served *entry)
{
    return entry->generation > 0.0 && view->jobs[entry->job].backlog == 0.0;
}

static bool stands_before(const pn_tandem_view *view, uint32_t order, uint32_t place,
                          const pn_heap_entry *first)
{
    pn_heap_entry entry = {.item = place};
    pn_tandem_words(view, order, place, entry.word);
    return pn_heap_before(&view->heaps[order], &entry, first);
}

/* Walks the order with several jobs that generate without backlog: those before the first with
 * backlog, in order. */
static double walk_many(pn_tandem_view *view, uint32_t order, double capacity)
{
    const pn_heap *heap = &view->heaps[order];
    pn_heap_clear(&view->scratch);
    for (uint32_t i = 0; i < view->sim->served_count; i++) {
        const pn_tandem_served *entry = &view->served[i];
        if (!flows(view, entry) || !(view->jobs[entry->job].accepted >> order & 1))
            continue;
        if (heap->state->count == 0 || stands_before(view, order, entry->job, &heap->entry[0])) {
            uint64_t word[2];
            pn_tandem_words(view, order, entry->job, word);
            pn_heap_push(&view->scratch, entry->job, word);
        }
    }
    while (view->scratch.state->count > 0 && capacity > 0.0) {
        capacity = shuffle_generated(view, tandem_entry_of(view, tandem_first_of(&view->scratch)),
                                     capacity);
        pn_heap_pop(&view->scratch);
    }
    return heap->state->count > 0 ? shuffle_backlog(view, tandem_first_of(heap), capacity)
                                  : capacity;
}

/* Walks the jobs by TA8. Returns what is left of the capacity. */
static double walk(pn_tandem_view *view, uint32_t order, double capacity)
{
    const pn_heap *heap = &view->heaps[order];
    uint32_t first = tandem_first_of(heap);
    if (view->sim->served_count > 1)
        return walk_many(view, order, capacity);
    if (view->sim->served_count == 1) {
        pn_tandem_served *mapped = &view->served[0];
        if (flows(view, mapped) &&
            (first == PN_NO_JOB || stands_before(view, order, mapped->job, &heap->entry[0])))
            capacity = shuffle_generated(view, mapped, capacity);
    }
    return first == PN_NO_JOB ? capacity : shuffle_backlog(view, first, capacity);
}

/* ---- the services ---- */

static void map_first(pn_tandem_view *view, uint32_t order)
{
    uint32_t first = tandem_first_of(&view->heaps[order]);
    if (first != PN_NO_JOB)
        map_at(view, first, view->sim->config.speed);
}

/* Gives equal shares among the first `limit` jobs; their keys stand still, so the walk is over a
 * sorted set mostly. */
static void map_shares(pn_tandem_view *view, const pn_tandem_service *service)
{
    const pn_heap *heap = &view->heaps[service->order];
    uint32_t count = heap->state->count;
    uint32_t sharing = service->limit == 0 || count < service->limit ? count : service->limit;
    double share = sharing > 0 ? view->sim->config.speed / sharing : 0.0;
    if (sharing == count) {
        for (uint32_t i = 0; i < count; i++)
            map_at(view, heap->entry[i].item, share);
        return;
    }
    /* Take the first ones out into another heap's room and put them back: O(sharing log count). */
    pn_heap_clear(&view->scratch);
    for (uint32_t i = 0; i < sharing; i++) {
        pn_heap_entry first = heap->entry[0];
        pn_heap_pop(heap);
        pn_heap_push(&view->scratch, first.item, first.word);
        map_at(view, first.item, share);
    }
    for (uint32_t i = 0; i < sharing; i++)
        pn_heap_push(heap, view->scratch.entry[i].item, view->scratch.entry[i].word);
    pn_heap_clear(&view->scratch);
}

/* Serves, by TA14, the first of all jobs present, and no other. */
static void shuffle_strict(pn_tandem_view *view, uint32_t order)
{
    uint32_t first = view->heaps[order].entry[0].item;
    const pn_tandem_entry *job = &view->jobs[first];
    if (job->backlog > 0.0)
        shuffle_backlog(view, first, view->sim->config.speed);
    else if (job->served != 0 && pn_tandem_generates(&view->served[job->served - 1]))
        shuffle_generated(view, &view->served[job->served - 1], view->sim->config.speed);
}

/* Shares by TA11, TA12. One job at most generates without backlog here: more of them only do so in
 * the sharing engine. */
static void shuffle_shares(pn_tandem_view *view, bool rigid)
{
    pn_tandem *sim = view->sim;
    double rest = sim->config.speed;
    uint32_t sharing = sim->backlog_count;
    pn_tandem_served *flowing = NULL;
    for (uint32_t i = 0; i < sim->served_count; i++) {
        PN_ASSERT(!flowing || !flows(view, &view->served[i]));
        if (flows(view, &view->served[i]))
            flowing = &view->served[i];
    }
    double level = rest / (sharing + (flowing != NULL));
    if (flowing) {
        double taken = flowing->generation <= level ? flowing->generation : level;
        shuffle_generated(view, flowing, taken);
        if (!rigid && sharing > 0)
            level = (rest - taken) / sharing;
    }
    for (uint32_t i = 0; i < sharing; i++)
        shuffle_backlog(view, view->backlogs[i], level);
}

static void serve_shuffle(pn_tandem_view *view, const pn_tandem_service *service)
{
    switch (service->way) {
    case PN_TANDEM_FIRST:
        walk(view, service->order, view->sim->config.speed);
        break;
    case PN_TANDEM_STRICT:
        shuffle_strict(view, service->order);
        break;
    default:
        shuffle_shares(view, service->way == PN_TANDEM_RIGID);
    }
}

/* Settles the growth of B by what is generated and not shuffled; exactly not at all when a job's B
 * = 0 and it is shuffled as fast (TA8). */
static void settle_growth(pn_tandem_view *view)
{
    for (uint32_t i = 0; i < view->sim->served_count; i++)
        view->served[i].growth = view->served[i].generation - view->served[i].shuffle_rate;
}

/* Sets all rates anew. */
int pn_tandem_set_rates(pn_tandem_view *view)
{
    pn_tandem *sim = view->sim;
    int status = PN_OK;
    view->was_count = 0;
    for (uint32_t i = 0; i < sim->served_count; i++) {
        uint32_t job = view->served[i].job;
        if (job == PN_NO_JOB)
            continue;
        view->was_served[view->was_count++] = job;
        view->jobs[job].served = 0;
    }
    sim->served_count = 0;
    pn_tandem_take_back(view);
    if (sim->in_system == 0)
        return PN_OK;
    if (view->policy->act) {
        view->deciding = 1;
        status = view->policy->act(view);
        view->deciding = 0;
    } else {
        const pn_tandem_service *map = &sim->services[PN_TANDEM_MAP_STATION];
        if (map->way == PN_TANDEM_FIRST)
            map_first(view, map->order);
        else
            map_shares(view, map);
        serve_shuffle(view, &sim->services[PN_TANDEM_SHUFFLE_STATION]);
    }
    settle_growth(view);
    return status;
}

/* ---- what an act may call ---- */

static bool may_give(const pn_tandem_view *view, uint32_t job, double rate)
{
    return view->deciding && pn_tandem_active(view, job) && 0.0 <= rate && rate <= PN_TANDEM_MOST;
}

/* Returns what is left of a station's capacity, never below 0; rates that should add up to it may
 * miss it by their rounding. */
static double tandem_idle(const pn_tandem *sim, double used)
{
    return pn_tandem_positive(sim->config.speed - used);
}

static bool tandem_fits(const pn_tandem *sim, double rate, double used)
{
    return rate <= tandem_idle(sim, used) + pn_tandem_tolerance(sim->config.speed);
}

/* Returns what of a capacity is there to give. Shares that add up to the speed are given as they
 * are, whatever their rounding leaves. */
static double within_idle(const pn_tandem *sim, double capacity, double used)
{
    return tandem_fits(sim, capacity, used) ? capacity : tandem_idle(sim, used);
}

double pn_tandem_map_idle(const pn_tandem_view *view)
{
    return tandem_idle(view->sim, view->sim->map_used);
}

double pn_tandem_shuffle_idle(const pn_tandem_view *view)
{
    return tandem_idle(view->sim, view->sim->shuffle_used);
}

int pn_tandem_give_map(pn_tandem_view *view, uint32_t job, double rate)
{
    if (!may_give(view, job, rate) || !tandem_fits(view->sim, rate, view->sim->map_used))
        return PN_ERR_INFEASIBLE;
    if (view->jobs[job].map_left == 0.0 && rate > 0.0)
        return PN_ERR_INFEASIBLE;
    if (rate > 0.0)
        map_at(view, job, rate);
    return PN_OK;
}

int pn_tandem_give_shuffle(pn_tandem_view *view, uint32_t job, double rate)
{
    if (!may_give(view, job, rate) || !tandem_fits(view->sim, rate, view->sim->shuffle_used))
        return PN_ERR_INFEASIBLE;
    if (rate == 0.0)
        return PN_OK;
    if (view->jobs[job].backlog > 0.0) {
        shuffle_backlog(view, job, rate);
        return PN_OK;
    }
    const pn_tandem_entry *fluid = &view->jobs[job];
    pn_tandem_served *entry = fluid->served == 0 ? NULL : &view->served[fluid->served - 1];
    if (!entry || rate > tandem_spare(entry) + pn_tandem_tolerance(entry->generation))
        return PN_ERR_INFEASIBLE;
    shuffle_generated(view, entry, rate);
    return PN_OK;
}

void pn_tandem_take_back(pn_tandem_view *view)
{
    for (uint32_t i = 0; i < view->sim->served_count; i++)
        view->jobs[view->served[i].job].served = 0;
    view->sim->served_count = 0;
    view->sim->map_used = 0.0;
    view->sim->shuffle_used = 0.0;
}

static bool may_fill(const pn_tandem_view *view, uint32_t order, uint8_t members, double capacity)
{
    return view->deciding && order < view->policy->order_count &&
           view->policy->orders[order].members == members && 0.0 <= capacity &&
           capacity <= PN_TANDEM_MOST;
}

int pn_tandem_fill_map(pn_tandem_view *view, uint32_t order, double capacity, double *left)
{
    if (!may_fill(view, order, PN_TANDEM_MAPPING, capacity))
        return PN_ERR_INFEASIBLE;
    double given = within_idle(view->sim, capacity, view->sim->map_used);
    uint32_t first = tandem_first_of(&view->heaps[order]);
    if (first != PN_NO_JOB && given > 0.0)
        map_at(view, first, given);
    if (left)
        *left = first == PN_NO_JOB ? capacity : capacity - given;
    return PN_OK;
}

int pn_tandem_fill_shuffle(pn_tandem_view *view, uint32_t order, double capacity, double *left)
{
    if (!may_fill(view, order, PN_TANDEM_BACKLOG, capacity))
        return PN_ERR_INFEASIBLE;
    double given = within_idle(view->sim, capacity, view->sim->shuffle_used);
    double rest = walk_many(view, order, given);
    if (left)
        *left = rest + (capacity - given);
    return view->sim->failure; /* a key may have given up */
}
