/* What a policy may ask of the batch, and Johnson's orders. */
#include "state.h"
#include "base/sort.h"

/* ---- the batch ---- */

uint32_t pn_makespan_job_count(const pn_makespan_view *view)
{
    return view->sim->job_count;
}

uint32_t pn_makespan_slots(const pn_makespan_view *view, uint32_t stage)
{
    PN_ASSERT(stage < PN_MAKESPAN_STAGE_COUNT);
    return view->sim->slots[stage];
}

uint32_t pn_makespan_nodes(const pn_makespan_view *view)
{
    return view->sim->nodes;
}

uint32_t pn_makespan_level_of(const pn_makespan_view *view)
{
    return view->sim->config.level;
}

uint32_t pn_makespan_resplit_of(const pn_makespan_view *view)
{
    return view->sim->config.level == PN_MAKESPAN_TASKS ? view->rules.resplit : 0;
}

uint64_t pn_makespan_unit(const pn_makespan_view *view)
{
    return view->sim->config.ticks;
}

double pn_makespan_param_value(const pn_makespan_view *view, uint32_t index)
{
    PN_ASSERT(index < view->policy->param_count);
    return view->binding.params[index];
}

void *pn_makespan_state(const pn_makespan_view *view)
{
    return pn_at(view->sim, view->sim->policy_memory);
}

pn_stream *pn_makespan_stream(const pn_makespan_view *view)
{
    return &view->sim->stream;
}

const pn_makespan_policy *pn_makespan_policy_of(const pn_makespan_view *view)
{
    return view->policy;
}

void *pn_makespan_user(const pn_makespan_view *view)
{
    return view->hooks->user;
}

/* ---- jobs ---- */

static const pn_makespan_stage_entry *stage_at(const pn_makespan_view *view, uint32_t job,
                                               uint32_t stage)
{
    PN_ASSERT(job < view->sim->job_count);
    PN_ASSERT(stage < PN_MAKESPAN_STAGE_COUNT);
    return pn_makespan_stage_of(view->sim, job, stage);
}

uint32_t pn_makespan_group(const pn_makespan_view *view, uint32_t job)
{
    PN_ASSERT(job < view->sim->job_count);
    return pn_makespan_entries(view->sim)[job].group;
}

uint32_t pn_makespan_attribute_count(const pn_makespan_view *view)
{
    return (uint32_t)view->sim->config.attributes;
}

double pn_makespan_attribute(const pn_makespan_view *view, uint32_t job, uint32_t index)
{
    PN_ASSERT(job < view->sim->job_count);
    return pn_attributes_get(pn_makespan_attributes_of(view->sim), job, index);
}

uint32_t pn_makespan_tasks(const pn_makespan_view *view, uint32_t job, uint32_t stage)
{
    return stage_at(view, job, stage)->tasks;
}

uint64_t pn_makespan_work(const pn_makespan_view *view, uint32_t job, uint32_t stage)
{
    return stage_at(view, job, stage)->work;
}

uint64_t pn_makespan_longest(const pn_makespan_view *view, uint32_t job, uint32_t stage)
{
    return stage_at(view, job, stage)->longest;
}

uint32_t pn_makespan_requested(const pn_makespan_view *view, uint32_t job, uint32_t stage)
{
    return stage_at(view, job, stage)->requested;
}

uint32_t pn_makespan_stretch_count(const pn_makespan_view *view, uint32_t job, uint32_t stage)
{
    return stage_at(view, job, stage)->stretch_count;
}

pn_makespan_stretch pn_makespan_stretch_of(const pn_makespan_view *view, uint32_t job,
                                           uint32_t stage, uint32_t index)
{
    const pn_makespan_stage_entry *entry = stage_at(view, job, stage);
    PN_ASSERT(index < entry->stretch_count);
    const pn_makespan_stretch_entry *stretch = pn_makespan_stretches(view->sim) + entry->stretches +
                                               index;
    return (pn_makespan_stretch){stretch->duration, stretch->count};
}

const uint32_t *pn_makespan_order_set(const pn_makespan_view *view)
{
    return view->sim->has_order ? pn_at(view->sim, view->sim->set_order) : NULL;
}

uint32_t pn_makespan_pools_set(const pn_makespan_view *view)
{
    return view->sim->set_pool_count;
}

const uint32_t *pn_makespan_pool_set(const pn_makespan_view *view, uint32_t index, uint32_t *nodes,
                                     uint32_t *count)
{
    PN_ASSERT(index < view->sim->set_pool_count);
    const pn_makespan_pool_entry *pool = (const pn_makespan_pool_entry *)pn_at(
                                             view->sim, view->sim->set_pools) +
                                         index;
    *nodes = pool->nodes;
    *count = pool->end - pool->begin;
    return (const uint32_t *)pn_at(view->sim, view->sim->set_jobs) + pool->begin;
}

pn_exact pn_makespan_estimate(const pn_makespan_view *view, uint32_t job, uint32_t stage,
                              uint32_t time, uint32_t slots)
{
    PN_ASSERT(job < view->sim->job_count && stage < PN_MAKESPAN_STAGE_COUNT);
    PN_ASSERT(slots > 0 && slots <= view->sim->slots[stage]);
    pn_makespan_span span = pn_makespan_stage_span(view->sim, job, stage, time, slots);
    return (pn_exact){(int64_t)span.num, (int64_t)span.den};
}

/* ---- Johnson's orders ---- */

/* The keys of a job: which block it belongs to, and its place there. In the back block the order is
 * reversed, so that one comparison of values serves both. */
typedef struct johnson {
    const pn_makespan_span *span[PN_MAKESPAN_STAGE_COUNT]; /* by job */
    uint32_t tie;
} johnson;

static int compare_spans(pn_makespan_span a, pn_makespan_span b)
{
    return pn_compare_fractions(a.num, a.den, b.num, b.den);
}

/* Applies MK7: the front block holds the jobs with map <= reduce; MK8: with map < reduce. */
static bool in_back(const johnson *order, uint32_t job)
{
    int which = compare_spans(order->span[0][job], order->span[1][job]);
    return order->tie == PN_MAKESPAN_ALG21 ? which > 0 : which >= 0;
}

/* Compares in the front by map up, then index up. Back: by reduce down, then index, which MK7 takes
 * down and MK8 up. */
static bool makespan_before(const void *context, uint32_t a, uint32_t b)
{
    const johnson *order = context;
    bool back = in_back(order, a);
    if (back != in_back(order, b))
        return !back;
    int which = back ? compare_spans(order->span[1][b], order->span[1][a])
                     : compare_spans(order->span[0][a], order->span[0][b]);
    if (which != 0)
        return which < 0;
    return back && order->tie == PN_MAKESPAN_ALG21 ? a > b : a < b;
}

static int johnson_sort(pn_makespan_view *view, uint32_t *jobs, uint32_t count, uint32_t tie)
{
    pn_makespan *sim = view->sim;
    johnson order = {{pn_at(sim, sim->spans[0]), pn_at(sim, sim->spans[1])}, tie};
    pn_sort_by(jobs, count, pn_at(sim, sim->sort_room), makespan_before, &order);
    return PN_OK;
}

static bool jobs_sane(const pn_makespan_view *view, const uint32_t *jobs, uint32_t count,
                      uint32_t tie)
{
    bool sane = count <= view->sim->job_count && tie <= PN_MAKESPAN_MKJR;
    for (uint32_t i = 0; i < count && sane; i++)
        sane = jobs[i] < view->sim->job_count;
    return sane;
}

int pn_makespan_johnson_order(pn_makespan_view *view, uint32_t *jobs, uint32_t count, uint32_t time,
                              uint32_t tie, uint32_t map_slots, uint32_t reduce_slots)
{
    pn_makespan *sim = view->sim;
    const uint32_t slots[PN_MAKESPAN_STAGE_COUNT] = {map_slots, reduce_slots};
    if (!jobs_sane(view, jobs, count, tie) || time < PN_MAKESPAN_GIVEN ||
        time > PN_MAKESPAN_FLUID || map_slots < 1 || reduce_slots < 1 ||
        map_slots > sim->slots[0] || reduce_slots > sim->slots[1])
        return PN_ERR_ARGUMENT;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        pn_makespan_span *spans = pn_at(sim, sim->spans[k]);
        for (uint32_t i = 0; i < count; i++)
            spans[jobs[i]] = pn_makespan_stage_span(sim, jobs[i], k, time, slots[k]);
    }
    return johnson_sort(view, jobs, count, tie);
}

int pn_makespan_johnson_by(pn_makespan_view *view, uint32_t *jobs, uint32_t count,
                           const pn_exact *map, const pn_exact *reduce, uint32_t tie)
{
    pn_makespan *sim = view->sim;
    const pn_exact *values[PN_MAKESPAN_STAGE_COUNT] = {map, reduce};
    if (!jobs_sane(view, jobs, count, tie))
        return PN_ERR_ARGUMENT;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        pn_makespan_span *spans = pn_at(sim, sim->spans[k]);
        for (uint32_t i = 0; i < count; i++) {
            pn_exact value = values[k][jobs[i]];
            if (value.num < 0 || value.den < 1)
                return PN_ERR_ARGUMENT;
            spans[jobs[i]] = (pn_makespan_span){(uint64_t)value.num, (uint64_t)value.den};
        }
    }
    return johnson_sort(view, jobs, count, tie);
}

/* ---- scores ---- */

int pn_makespan_score_compare(const pn_makespan_score *a, const pn_makespan_score *b, int total)
{
    int which = pn_compare_fractions(a->makespan, a->ticks, b->makespan, b->ticks);
    if (which != 0 || !total)
        return which;
    /* The totals of two orders on the same slots: they have the same ticks. */
    PN_ASSERT(a->ticks == b->ticks);
    return pn_wide_compare((pn_wide){a->total[0], a->total[1]},
                           (pn_wide){b->total[0], b->total[1]});
}

int pn_makespan_evaluate(pn_makespan_view *view, const uint32_t *jobs, uint32_t count,
                         uint32_t map_slots, uint32_t reduce_slots, const pn_makespan_score *best,
                         int total, pn_makespan_score *score)
{
    const uint32_t slots[PN_MAKESPAN_STAGE_COUNT] = {map_slots, reduce_slots};
    if (!jobs_sane(view, jobs, count, PN_MAKESPAN_ALG21) || map_slots < 1 || reduce_slots < 1 ||
        map_slots > view->sim->slots[0] || reduce_slots > view->sim->slots[1])
        return PN_ERR_ARGUMENT;
    return pn_makespan_score_order(view, jobs, count, slots, best, total, score);
}
