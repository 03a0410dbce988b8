/* What a policy may see and do. */
#include "base/config.h"
#include "state.h"

/* ---- the policy itself ---- */

uint64_t pn_dispatch_now(const pn_dispatch_view *view)
{
    return view->now;
}

double pn_dispatch_param_value(const pn_dispatch_view *view, uint32_t index)
{
    PN_ASSERT(index < view->s->fleet.binding.param_count);
    return view->s->fleet.binding.params[index];
}

void *pn_dispatch_state(const pn_dispatch_view *view)
{
    return pn_at(view->s, view->s->fleet.policy_state);
}

pn_stream *pn_dispatch_stream(const pn_dispatch_view *view)
{
    return &view->s->fleet.stream;
}

const pn_dispatch_policy *pn_dispatch_policy_of(const pn_dispatch_view *view)
{
    return view->policy;
}

void *pn_dispatch_user(const pn_dispatch_view *view)
{
    return view->hooks->policy_user;
}

uint32_t pn_dispatch_jobs_max(const pn_dispatch_view *view)
{
    return view->s->config.jobs_max;
}

uint32_t pn_dispatch_active(const pn_dispatch_view *view)
{
    return view->s->totals.in_system;
}

int pn_dispatch_set_order(pn_dispatch_view *view, const pn_dispatch_order *order)
{
    if (view->phase != PN_DISPATCH_PHASE_INIT || !pn_dispatch_order_sane(order, view->policy) ||
        (order->virtual_run && !view->s->virtual_run))
        return PN_ERR_ARGUMENT;
    view->s->order = *order;
    return PN_OK;
}

pn_dispatch_order pn_dispatch_order_get(const pn_dispatch_view *view)
{
    return view->s->order;
}

int pn_dispatch_exchange(pn_dispatch_view *view, uint32_t permille)
{
    if (view->phase != PN_DISPATCH_PHASE_INIT || permille > 1000000)
        return PN_ERR_ARGUMENT;
    view->s->exchange = permille;
    return PN_OK;
}

void pn_dispatch_give_up(const pn_dispatch_view *view, int status)
{
    pn_fleet_note_failure(&view->s->fleet, status);
}

/* ---- the cluster ---- */

uint32_t pn_dispatch_resources(const pn_dispatch_view *view)
{
    return view->s->config.resources;
}

uint64_t pn_dispatch_total(const pn_dispatch_view *view, uint32_t resource)
{
    PN_ASSERT(resource < PN_DISPATCH_RESOURCES_MAX);
    return view->s->capacity[resource];
}

uint64_t pn_dispatch_largest(const pn_dispatch_view *view, uint32_t resource)
{
    PN_ASSERT(resource < PN_DISPATCH_RESOURCES_MAX);
    return view->s->largest[resource];
}

uint32_t pn_dispatch_nodes_all(const pn_dispatch_view *view)
{
    return view->s->nodes_count;
}

static const pn_dispatch_node *dispatch_node_of(const pn_dispatch_view *view, uint32_t node)
{
    PN_ASSERT(node < view->s->nodes_count);
    return &view->nodes[node];
}

uint64_t pn_dispatch_node_capacity(const pn_dispatch_view *view, uint32_t node, uint32_t resource)
{
    PN_ASSERT(resource < PN_DISPATCH_RESOURCES_MAX);
    return dispatch_node_of(view, node)->capacity[resource];
}

uint64_t pn_dispatch_node_free(const pn_dispatch_view *view, uint32_t node, uint32_t resource)
{
    PN_ASSERT(node < view->s->nodes_count && resource < PN_DISPATCH_RESOURCES_MAX);
    return resource < view->s->config.resources ? pn_dispatch_free_of(view, node)[resource] : 0;
}

uint64_t pn_dispatch_node_used(const pn_dispatch_view *view, uint32_t node, uint32_t resource)
{
    PN_ASSERT(resource < PN_DISPATCH_RESOURCES_MAX);
    return dispatch_node_of(view, node)->used[resource];
}

int pn_dispatch_node_is_up(const pn_dispatch_view *view, uint32_t node)
{
    return dispatch_node_of(view, node)->up != 0;
}

uint32_t pn_dispatch_node_speed(const pn_dispatch_view *view, uint32_t node)
{
    return dispatch_node_of(view, node)->speed;
}

/* ---- queues ---- */

uint32_t pn_dispatch_queues_all(const pn_dispatch_view *view)
{
    return view->s->queues_count;
}

static const pn_dispatch_lane *lane_of(const pn_dispatch_view *view, uint32_t queue)
{
    PN_ASSERT(queue < view->s->queues_count);
    return &view->queues[queue];
}

uint32_t pn_dispatch_queue_weight(const pn_dispatch_view *view, uint32_t queue)
{
    return lane_of(view, queue)->weight;
}

uint32_t pn_dispatch_queue_guaranteed(const pn_dispatch_view *view, uint32_t queue)
{
    return lane_of(view, queue)->guaranteed;
}

uint32_t pn_dispatch_queue_maximum(const pn_dispatch_view *view, uint32_t queue)
{
    return lane_of(view, queue)->maximum;
}

uint32_t pn_dispatch_queue_running(const pn_dispatch_view *view, uint32_t queue)
{
    return lane_of(view, queue)->running;
}

uint64_t pn_dispatch_queue_use(const pn_dispatch_view *view, uint32_t queue, uint32_t resource)
{
    PN_ASSERT(resource < PN_DISPATCH_RESOURCES_MAX);
    return lane_of(view, queue)->use[resource];
}

/* ---- jobs ---- */

static const pn_dispatch_entry *dispatch_view_job_of(const pn_dispatch_view *view, uint32_t job)
{
    PN_ASSERT(job < view->s->config.jobs_max && view->jobs[job].id != 0);
    return &view->jobs[job];
}

uint32_t pn_dispatch_next(const pn_dispatch_view *view, uint32_t after)
{
    uint32_t link = after == PN_NO_JOB ? view->s->fleet.first_job
                                       : dispatch_view_job_of(view, after)->after;
    return link == 0 ? PN_NO_JOB : link - 1;
}

uint64_t pn_dispatch_id(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->id;
}

uint64_t pn_dispatch_arrival_of(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->arrival;
}

uint64_t pn_dispatch_deadline_of(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->deadline;
}

int32_t pn_dispatch_priority_of(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->priority;
}

uint32_t pn_dispatch_weight_of(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->weight;
}

uint32_t pn_dispatch_queue_of(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->queue;
}

uint32_t pn_dispatch_group_of(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->group;
}

uint32_t pn_dispatch_attribute_count(const pn_dispatch_view *view)
{
    return (uint32_t)view->s->config.attributes;
}

double pn_dispatch_attribute_of(const pn_dispatch_view *view, uint32_t job, uint32_t index)
{
    (void)dispatch_view_job_of(view, job);
    return pn_attributes_get(pn_dispatch_attributes_of(view->s), job, index);
}

uint32_t pn_dispatch_stage_count(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->stages;
}

uint32_t pn_dispatch_stages_left(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->stages_left;
}

uint32_t pn_dispatch_running(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->running;
}

uint32_t pn_dispatch_executors_of(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->executors;
}

uint32_t pn_dispatch_holds(const pn_dispatch_view *view, uint32_t job)
{
    const pn_dispatch_entry *entry = dispatch_view_job_of(view, job);
    return pn_dispatch_sticky(view->s) ? entry->executors : entry->running;
}

uint64_t pn_dispatch_use(const pn_dispatch_view *view, uint32_t job, uint32_t resource)
{
    PN_ASSERT(resource < PN_DISPATCH_RESOURCES_MAX);
    return dispatch_view_job_of(view, job)->use[resource];
}

uint64_t pn_dispatch_work(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->work;
}

uint64_t pn_dispatch_left(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->left;
}

uint64_t pn_dispatch_left_area(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->left_area;
}

uint64_t pn_dispatch_path(const pn_dispatch_view *view, uint32_t job)
{
    uint32_t highest = dispatch_view_job_of(view, job)->highest;
    return highest == 0 ? 0 : view->stages[highest - 1].depth;
}

pn_wide pn_dispatch_service(const pn_dispatch_view *view, uint32_t job)
{
    const pn_dispatch_entry *entry = dispatch_view_job_of(view, job);
    return pn_wide_sum(entry->base, pn_wide_product(entry->rate, view->now));
}

pn_wide pn_dispatch_virtual_tag(const pn_dispatch_view *view, uint32_t job)
{
    return dispatch_view_job_of(view, job)->tag_virtual;
}

/* ---- stages ---- */

static const pn_dispatch_stage_entry *stage_of(const pn_dispatch_view *view, uint32_t stage)
{
    PN_ASSERT(stage < view->s->config.stages_max && view->stages[stage].number != 0);
    return &view->stages[stage];
}

static const pn_dispatch_class *class_of(const pn_dispatch_view *view, uint32_t stage)
{
    return &view->classes[stage_of(view, stage)->class];
}

uint32_t pn_dispatch_next_stage(const pn_dispatch_view *view, uint32_t job, uint32_t after)
{
    uint32_t link = after == PN_DISPATCH_NO_STAGE ? dispatch_view_job_of(view, job)->first_stage
                                                  : stage_of(view, after)->next;
    return link == 0 ? PN_DISPATCH_NO_STAGE : link - 1;
}

uint32_t pn_dispatch_stage_index(const pn_dispatch_view *view, uint32_t stage)
{
    return stage_of(view, stage)->index;
}

uint32_t pn_dispatch_stage_job(const pn_dispatch_view *view, uint32_t stage)
{
    return stage_of(view, stage)->job;
}

uint64_t pn_dispatch_demand(const pn_dispatch_view *view, uint32_t stage, uint32_t resource)
{
    PN_ASSERT(resource < PN_DISPATCH_RESOURCES_MAX);
    return class_of(view, stage)->demand[resource];
}

uint64_t pn_dispatch_estimate(const pn_dispatch_view *view, uint32_t stage)
{
    return stage_of(view, stage)->estimate;
}

uint64_t pn_dispatch_depth(const pn_dispatch_view *view, uint32_t stage)
{
    return stage_of(view, stage)->depth;
}

uint64_t pn_dispatch_dominant(const pn_dispatch_view *view, uint32_t stage)
{
    return class_of(view, stage)->sigma;
}

uint32_t pn_dispatch_tasks(const pn_dispatch_view *view, uint32_t stage)
{
    return stage_of(view, stage)->tasks;
}

uint32_t pn_dispatch_stage_running(const pn_dispatch_view *view, uint32_t stage)
{
    return stage_of(view, stage)->running;
}

uint32_t pn_dispatch_done(const pn_dispatch_view *view, uint32_t stage)
{
    return stage_of(view, stage)->done;
}

uint32_t pn_dispatch_pending(const pn_dispatch_view *view, uint32_t stage)
{
    return pn_dispatch_pending_of(stage_of(view, stage));
}

int pn_dispatch_is_ready(const pn_dispatch_view *view, uint32_t stage)
{
    return pn_dispatch_stage_ready(stage_of(view, stage));
}

/* ---- arithmetic ---- */

/* Divides twice, so that every divisor has 64 bits (DG16). */
static uint64_t share_of(uint64_t use, uint64_t capacity, uint32_t weight)
{
    uint64_t rest;
    return pn_wide_divide(pn_wide_product(use, PN_DISPATCH_SHARES), capacity, &rest).low / weight;
}

uint64_t pn_dispatch_share(const pn_dispatch_view *view, uint32_t job, uint32_t weight)
{
    const pn_dispatch_entry *entry = dispatch_view_job_of(view, job);
    uint64_t share = 0;
    for (uint32_t r = 0; r < view->s->config.resources; r++) {
        uint64_t use = pn_dispatch_sticky(view->s) ? entry->executors * view->s->largest[r]
                                                   : entry->use[r];
        share = pn_max(share, share_of(use, view->s->capacity[r], weight));
    }
    return share;
}

uint64_t pn_dispatch_queue_share(const pn_dispatch_view *view, uint32_t queue, uint32_t stage,
                                 uint32_t weight)
{
    const pn_dispatch_lane *lane = lane_of(view, queue);
    uint64_t share = 0;
    for (uint32_t r = 0; r < view->s->config.resources; r++) {
        uint64_t more = stage == PN_DISPATCH_NO_STAGE ? 0 : class_of(view, stage)->demand[r];
        uint64_t use = lane->use[r] - lane->supposed[r] + more;
        share = pn_max(share, share_of(use, view->s->capacity[r], weight));
    }
    return share;
}

uint64_t pn_dispatch_share_without(const pn_dispatch_view *view, uint32_t place)
{
    uint32_t stage = pn_dispatch_attempt_stage(view, place);
    const pn_dispatch_lane *lane = &view->queues[view->jobs[view->stages[stage].job].queue];
    uint64_t share = 0;
    for (uint32_t r = 0; r < view->s->config.resources; r++) {
        uint64_t use = lane->use[r] - lane->supposed[r] - class_of(view, stage)->demand[r];
        share = pn_max(share, share_of(use, view->s->capacity[r], 1));
    }
    return share;
}

pn_wide pn_dispatch_scale(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t rest;
    return pn_wide_divide(pn_wide_product(a, b), c, &rest);
}

uint64_t pn_dispatch_log2(uint64_t x)
{
    uint32_t whole = 0;
    for (uint32_t step = 32; step > 0; step /= 2)
        if (x >> whole >> step != 0)
            whole += step;
    uint64_t log = whole, y = whole > 31 ? x >> (whole - 31) : x << (31 - whole);
    for (int bit = 0; bit < 16; bit++) {
        y = y * y >> 31;
        log *= 2;
        if (y >> 32 != 0) {
            y /= 2;
            log++;
        }
    }
    return log;
}

/* ---- preemption (DG18) ---- */

uint32_t pn_dispatch_first_offered(const pn_dispatch_view *view, uint32_t queue)
{
    PN_ASSERT(queue < view->s->queues_count && view->s->order.by_queue);
    return pn_dispatch_first_of_queue(view, queue);
}

int pn_dispatch_in_maximum(const pn_dispatch_view *view, uint32_t stage)
{
    return pn_dispatch_within_maximum(view, stage_of(view, stage)->class);
}

uint32_t pn_dispatch_room(const pn_dispatch_view *view, uint32_t stage)
{
    return (uint32_t)pn_min(pn_dispatch_next_room(view, class_of(view, stage)->demand, 0),
                            view->s->nodes_count);
}

static bool runs(const pn_dispatch_view *view, uint32_t place)
{
    return place < view->s->config.attempts_max &&
           view->attempts[place].state == PN_DISPATCH_RUNNING;
}

uint32_t pn_dispatch_next_on_node(const pn_dispatch_view *view, uint32_t node, uint32_t after)
{
    PN_ASSERT(after == PN_DISPATCH_NO_ATTEMPT ||
              (runs(view, after) && view->attempts[after].node == node));
    const pn_dispatch_node *entry = dispatch_node_of(view, node);
    pn_dispatch_order_attempts(view, node);
    uint32_t link = after == PN_DISPATCH_NO_ATTEMPT ? entry->first_attempt
                                                    : view->attempts[after].after;
    return link == 0 ? PN_DISPATCH_NO_ATTEMPT : link - 1;
}

void pn_dispatch_attempt_task_into(const pn_dispatch_view *view, uint32_t place,
                                   pn_dispatch_task *to, size_t size)
{
    PN_ASSERT(runs(view, place));
    pn_dispatch_task task = pn_dispatch_task_of(view, place);
    pn_config_fill(to, size, &task, sizeof task);
}

uint32_t pn_dispatch_attempt_stage(const pn_dispatch_view *view, uint32_t place)
{
    PN_ASSERT(runs(view, place));
    return view->attempts[place].stage;
}

/* Returns whether the attempt may be killed (DG13). */
int pn_dispatch_may_kill(const pn_dispatch_view *view, uint32_t place)
{
    PN_ASSERT(runs(view, place));
    return view->s->config.max_kills == 0 ||
           view->attempts[place].attempt < view->s->config.max_kills;
}

/* Adds to, or takes from, what the attempts of its queue that are supposed to be killed hold. */
static void count_supposed(const pn_dispatch_view *view, uint32_t place, bool more)
{
    const pn_dispatch_stage_entry *stage = &view->stages[view->attempts[place].stage];
    uint64_t *supposed = view->queues[view->jobs[stage->job].queue].supposed;
    const uint64_t *demand = view->classes[stage->class].demand;
    for (uint32_t r = 0; r < view->s->config.resources; r++)
        supposed[r] = more ? supposed[r] + demand[r] : supposed[r] - demand[r];
}

void pn_dispatch_suppose(pn_dispatch_view *view, uint32_t place)
{
    if (view->phase != PN_DISPATCH_PHASE_PREEMPT || !runs(view, place) ||
        view->attempts[place].supposed != 0)
        return;
    count_supposed(view, place, true);
    view->attempts[place].supposed = PN_DISPATCH_NO_ATTEMPT;
    if (view->supposed_last != 0)
        view->attempts[view->supposed_last - 1].supposed = place + 1;
    else
        view->supposed_first = place + 1;
    view->supposed_last = place + 1;
}

static uint32_t queue_of_attempt(const pn_dispatch_view *view, uint32_t place)
{
    return view->jobs[view->stages[view->attempts[place].stage].job].queue;
}

/* Forgets that the attempt behind `before` (0 = the first, else its place + 1) is supposed to be
 * killed. A key of its queue may have been computed as if it were. */
static void forget_supposed(pn_dispatch_view *view, uint32_t before, uint32_t place)
{
    uint32_t link = view->attempts[place].supposed;
    uint32_t next = link == PN_DISPATCH_NO_ATTEMPT ? 0 : link;
    if (before == 0)
        view->supposed_first = next;
    else
        view->attempts[before - 1].supposed = next == 0 ? PN_DISPATCH_NO_ATTEMPT : next;
    if (next == 0)
        view->supposed_last = before;
    view->attempts[place].supposed = 0;
    count_supposed(view, place, false);
    pn_dispatch_rekey_queue(view, queue_of_attempt(view, place));
}

/* Takes the first attempt that is supposed to be killed; PN_DISPATCH_NO_ATTEMPT when there is
 * none. */
static uint32_t take_supposed(pn_dispatch_view *view)
{
    if (view->supposed_first == 0)
        return PN_DISPATCH_NO_ATTEMPT;
    uint32_t place = view->supposed_first - 1;
    forget_supposed(view, 0, place);
    return place;
}

/* Takes one that is killed apart from the others out of their chain. */
static void leave_supposed(pn_dispatch_view *view, uint32_t place)
{
    uint32_t before = 0;
    if (view->attempts[place].supposed == 0)
        return;
    for (uint32_t link = view->supposed_first; link != place + 1;
         link = view->attempts[link - 1].supposed)
        before = link;
    forget_supposed(view, before, place);
}

void pn_dispatch_kill_supposed(pn_dispatch_view *view)
{
    for (uint32_t place = take_supposed(view); place != PN_DISPATCH_NO_ATTEMPT;
         place = take_supposed(view))
        (void)pn_dispatch_kill(view, place);
}

void pn_dispatch_spare_supposed(pn_dispatch_view *view)
{
    while (take_supposed(view) != PN_DISPATCH_NO_ATTEMPT) {
    }
}

int pn_dispatch_kill(pn_dispatch_view *view, uint32_t place)
{
    if (view->phase != PN_DISPATCH_PHASE_PREEMPT || !runs(view, place))
        return PN_ERR_INFEASIBLE;
    if (!pn_dispatch_may_kill(view, place))
        return PN_DONE;
    leave_supposed(view, place);
    pn_dispatch_task task = pn_dispatch_task_of(view, place);
    pn_dispatch_end(view, place, PN_DISPATCH_KILL);
    if (view->hooks->kill)
        view->hooks->kill(view->hooks->user, &task);
    return PN_OK;
}

int pn_dispatch_launch(pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    const pn_dispatch_stage_entry *entry = stage_of(view, stage);
    if (view->phase != PN_DISPATCH_PHASE_PREEMPT || entry->bundle == 0 ||
        node >= view->s->nodes_count || !pn_dispatch_in_maximum(view, stage) ||
        !pn_dispatch_fits(view, view->classes[entry->class].demand, node))
        return PN_ERR_INFEASIBLE;
    if (!pn_dispatch_launchable(view, stage))
        return PN_ERR_FULL;
    pn_dispatch_start(view, stage, node);
    return PN_OK;
}
