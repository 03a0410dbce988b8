/* One instant after another: when the next one is, who arrives, who is complete, and what the
 * policy makes of it (TA6). */
#include "base/config.h"
#include "lines.h"

/* ---- binding the policy ---- */

static uint64_t service_bits(const pn_tandem_service *service)
{
    return service->way | (uint64_t)service->order << 8 | (uint64_t)service->limit << 16;
}

/* Fills in the shape: all of a policy's table that the block's layout and lists depend on. */
static void tandem_shape_of(const pn_tandem_policy *policy, uint64_t shape[PN_SHAPE_WORDS])
{
    shape[0] = policy->order_count | (uint64_t)(policy->act != NULL) << 16 |
               (uint64_t)(policy->wake != NULL) << 17;
    shape[1] = 0;
    for (int k = 0; k < policy->order_count; k++) {
        const pn_tandem_order *order = &policy->orders[k];
        shape[0] |= (uint64_t)pn_tandem_kind_of(order) << (24 + 4 * k);
        uint64_t bits = order->members | (uint64_t)order->changes << 4 |
                        (uint64_t)(order->key != NULL) << 6 |
                        (uint64_t)(order->member != NULL) << 7;
        shape[1] |= bits << (8 * k);
    }
    shape[2] = pn_mix(pn_mix(PN_MIX_START, policy->state_bytes), policy->state_bytes_per_job);
    if (!policy->act)
        shape[2] = pn_mix(pn_mix(shape[2], service_bits(&policy->map)),
                          service_bits(&policy->shuffle));
}

/* Fills in what the policy is bound by; false when its table makes no sense. */
static bool tandem_bindable_of(const pn_tandem_hooks *hooks, pn_bindable *bindable)
{
    const pn_tandem_policy *policy = hooks->policy;
    if (!PN_GIVEN(policy, pn_tandem_policy, finish) || policy->order_count > PN_TANDEM_ORDERS_MAX)
        return false;
    *bindable = (pn_bindable){
        policy->name, policy->params, hooks->params, policy->param_count, {0}};
    tandem_shape_of(policy, bindable->shape);
    return true;
}

static int tandem_check_bound(const pn_tandem *sim, const pn_tandem_hooks *hooks)
{
    const pn_tandem_policy *policy = hooks->policy;
    pn_bindable bindable;
    if (!tandem_bindable_of(hooks, &bindable) || !pn_binding_is_of(&sim->binding, &bindable))
        return PN_ERR_POLICY;
    /* The shape holds a hash only of the policy's memory: a block whose shape is false may have too
     * little of it. */
    size_t room = sim->policy_memory_size - (sim->policy_state - sim->policy_memory);
    if (policy->state_bytes > room ||
        policy->state_bytes_per_job > (room - policy->state_bytes) / sim->config.jobs_max)
        return PN_ERR_DAMAGED;
    return PN_OK;
}

static int tandem_bind(pn_tandem *sim, const pn_tandem_hooks *hooks)
{
    const pn_tandem_policy *policy = hooks->policy;
    pn_tandem_config config = sim->config;
    config.policy = policy;
    pn_bindable bindable;
    pn_binding binding;
    if (!tandem_bindable_of(hooks, &bindable) || pn_tandem_check(&config))
        return PN_ERR_POLICY;
    if (!pn_binding_make(&binding, &bindable))
        return PN_ERR_ARGUMENT;
    size_t end = pn_tandem_room(policy, &config, NULL, 0);
    if (end > sim->policy_memory_size || (pn_tandem_engines_of(policy) & ~sim->engines) != 0)
        return PN_ERR_POLICY;

    pn_tandem_room(policy, &config, sim, sim->policy_memory);
    sim->binding = binding;
    sim->services[PN_TANDEM_MAP_STATION] = policy->map;
    sim->services[PN_TANDEM_SHUFFLE_STATION] = policy->shuffle;
    return PN_OK;
}

/* Returns whether the lines of lines.h are enough for this policy. */
static bool lines_serve(const pn_tandem_view *view)
{
    const pn_tandem_policy *policy = view->policy;
    return pn_tandem_firsts(policy, view->sim->services) && view->same_keys &&
           view->kinds[view->map_order] != PN_TANDEM_KEY_OTHER && !policy->wake &&
           !policy->arrive && !policy->finish && !view->selective;
}

/* Initialises. The init hook may change the services; from then on they stay. */
static int initialise(pn_tandem_view *view)
{
    pn_tandem *sim = view->sim;
    int status = PN_OK;
    if (view->policy->init) {
        view->starting = 1;
        sim->head.busy = 1;
        status = view->policy->init(view);
        sim->head.busy = 0;
        view->starting = 0;
        status = sim->failure != 0 ? sim->failure : status;
    }
    if (status < 0) {
        sim->failure = status;
        return status;
    }
    sim->initialised = 1;
    pn_tandem_orders_use(sim, view->policy);
    sim->engine = lines_serve(view)                               ? PN_TANDEM_ENGINE_LINES
                  : pn_tandem_firsts(view->policy, sim->services) ? PN_TANDEM_ENGINE_FIRST
                  : pn_tandem_shares(view->policy, sim->services) ? PN_TANDEM_ENGINE_SHARE
                                                                  : PN_TANDEM_ENGINE_LIST;
    sim->first = (pn_tandem_first_state){PN_NO_JOB, PN_NO_JOB, 0.0, 0.0, 0.0, 0.0};
    if (sim->engine == PN_TANDEM_ENGINE_SHARE)
        pn_tandem_share_start(sim);
    pn_tandem_view_build(view, sim, view->hooks);
    return PN_OK;
}

/* ---- the next instant ---- */

/* The functions of an instant are inline and take the mode as a constant: one text is compiled for
 * the runs of most policies and for all others. */

/* How far a call goes, in offsets. */
typedef struct horizon {
    double until; /* a time since the start, PN_TANDEM_FOREVER or PN_TANDEM_ARRIVAL */
    double end;   /* instants that coincide with this or come after it are not executed */
} horizon;

typedef struct next_instant {
    double time; /* offset */
    double span; /* since the last one */
    double tolerance;
} next_instant;

/* Nothing is due that the call may execute. */
enum { NOTHING_DUE = 3 };

static bool is_time(double until)
{
    return until != PN_TANDEM_FOREVER && until != PN_TANDEM_ARRIVAL;
}

/* Sets the end after the base has moved. */
static void set_end(horizon *far, const pn_tandem *sim)
{
    const pn_tandem_sum *last = &sim->last_arrival;
    far->end = far->until == PN_TANDEM_FOREVER ? PN_TANDEM_NEVER
               : far->until == PN_TANDEM_ARRIVAL
                   ? (last->high - sim->base.high) + (last->low - sim->base.low)
                   : pn_tandem_offset(sim, far->until);
}

static INLINE double tandem_next_end(const pn_tandem_view *view, const pn_tandem_first_state *first,
                                     run_mode mode)
{
    const pn_tandem *sim = view->sim;
    if (mode != RUN_ANY)
        return first_next_end(view, first);
    double span = sim->engine == PN_TANDEM_ENGINE_FIRST   ? first_next_end(view, first)
                  : sim->engine == PN_TANDEM_ENGINE_SHARE ? pn_tandem_share_next_end(view)
                                                          : pn_tandem_next_end(view);
    if (sim->wake != PN_TANDEM_NEVER) {
        double rest = sim->wake - sim->now;
        span = rest < span ? rest : span;
    }
    return span;
}

/* Returns what find_next answers when no job is to come. */
static int none_coming(const pn_tandem *sim, double span, double until)
{
    if (sim->in_system == 0)
        return PN_DONE;
    if (until == PN_TANDEM_ARRIVAL)
        return NOTHING_DUE;
    if (span == PN_TANDEM_NEVER)
        return until == PN_TANDEM_FOREVER ? PN_ERR_INFEASIBLE : NOTHING_DUE;
    return PN_OK;
}

static INLINE int find_next(const pn_tandem_view *view, const pn_tandem_first_state *first,
                            const horizon *far, next_instant *next, run_mode mode)
{
    const pn_tandem *sim = view->sim;
    double span = sim->in_system > 0 ? tandem_next_end(view, first, mode) : PN_TANDEM_NEVER;
    next->span = span;
    next->time = sim->now + span;
    next->tolerance = pn_tandem_coincidence(sim, next->time);
    if (sim->future_first == 0) {
        int status = none_coming(sim, span, far->until);
        if (status != PN_OK)
            return status;
    } else if (sim->next_arrival - next->time <= next->tolerance) {
        /* TA21: an arrival that coincides sets the time. */
        next->time = sim->next_arrival;
        next->span = sim->next_arrival - sim->now;
        next->tolerance = pn_tandem_coincidence(sim, next->time);
        if (sim->future_first == sim->future_last && far->until == PN_TANDEM_ARRIVAL)
            return NOTHING_DUE;
    }
    if (!(next->time <= PN_TANDEM_LAST))
        return PN_ERR_OVERFLOW;
    return far->end - next->time <= next->tolerance ? NOTHING_DUE : PN_OK;
}

/* ---- arrivals ---- */

static INLINE void tandem_enter(pn_tandem_view *view, uint32_t place, run_mode mode)
{
    const pn_tandem *sim = view->sim;
    const pn_tandem_entry *job = &view->jobs[place];
    if (mode != RUN_ANY) {
        lines_enter(view, place, mode);
        return;
    }
    if (view->order_count[PN_TANDEM_PRESENT] > 0)
        pn_tandem_enter(view, PN_TANDEM_PRESENT, place);
    if (sim->engine == PN_TANDEM_ENGINE_SHARE) {
        pn_tandem_share_enter(view, place);
        return;
    }
    if (job->map > 0.0)
        pn_tandem_enter(view, PN_TANDEM_MAPPING, place);
    if (job->backlog > 0.0) {
        if (sim->engine == PN_TANDEM_ENGINE_LIST)
            pn_tandem_backlog_list(view, place, true);
        pn_tandem_enter(view, PN_TANDEM_BACKLOG, place);
    }
}

static INLINE int tandem_arrive(pn_tandem_view *view, run_mode mode)
{
    pn_tandem *sim = view->sim;
    uint32_t place = sim->future_first - 1;
    pn_tandem_entry *job = &view->jobs[place];
    int status = PN_OK;
    sim->future_first = job->next;
    job->arrival = sim->next_arrival;
    job->mapped = job->arrived;
    job->next = 0;
    job->active = 1;
    sim->last_arrived = job->arrival;
    if (sim->future_first != 0) {
        double submitted = view->jobs[sim->future_first - 1].mapped;
        double offset = sim->config.gaps ? sim->last_arrived + submitted
                                         : pn_tandem_offset(sim, submitted);
        sim->next_arrival = offset > sim->now ? offset : sim->now;
    } else {
        sim->future_last = 0;
    }
    if (job->id == 1)
        sim->first_arrival = job->arrived;
    sim->in_system++;
    sim->in_system_max = sim->in_system > sim->in_system_max ? sim->in_system : sim->in_system_max;
    sim->present_arrivals += job->arrival;
    if (sim->config.bounds != PN_TANDEM_BOUNDS_NONE)
        pn_tandem_bound_admit(sim, job);
    /* TA5: without map work all shuffle work is there at once. */
    if (job->map == 0.0)
        job->backlog = job->shuffle;
    view->joining = job;
    sim->backlog_summed = 0;
    if (mode == RUN_ANY && view->policy->arrive && sim->failure == 0)
        status = view->policy->arrive(view, place);
    if (status < 0 && sim->failure == 0)
        sim->failure = status; /* who has failed is asked no more */
    job->accepted = UINT8_MAX;
    if (mode == RUN_ANY && view->selective)
        pn_tandem_accept(view, place);
    if (job->map == 0.0 && job->shuffle == 0.0)
        pn_tandem_done(view, place);
    else
        tandem_enter(view, place, mode);
    view->joining = NULL;
    return status;
}

/* Takes all arrivals that coincide with the instant; its time is that of the first of them. */
static INLINE int arrive_all(pn_tandem_view *view, double tolerance, run_mode mode)
{
    pn_tandem *sim = view->sim;
    int status = PN_OK;
    while (status >= 0 && sim->future_first != 0 && sim->next_arrival - sim->now <= tolerance) {
        double arrived = view->jobs[sim->future_first - 1].arrived;
        sim->time = arrived > sim->time ? arrived : sim->time;
        status = tandem_arrive(view, mode);
    }
    return status;
}

/* ---- the instant ---- */

/* Restarts the clock: the next job arrives in an empty system: that is offset 0 from now on
 * (TA23). */
static void restart_clock(pn_tandem *sim, next_instant *next)
{
    double step = sim->next_arrival;
    if (sim->engine == PN_TANDEM_ENGINE_SHARE)
        pn_tandem_share_restart(sim);
    pn_tandem_sum_add(&sim->base, step);
    double high = sim->base.high + sim->base.low;
    sim->base.low -= high - sim->base.high;
    sim->base.high = high;
    sim->last_arrived -= step;
    sim->next_arrival = 0.0;
    sim->present_arrivals = 0.0;
    sim->rounded = sim->config.gaps ? 0.0 : sim->base.high;
    *next = (next_instant){0.0, 0.0, pn_tandem_coincidence(sim, 0.0)};
}

/* Asks the policy for a wake-up, which is to be another instant. A short one may find that nothing
 * has changed, the work of large jobs being rounded to more than what is done in it; so of several
 * short ones in a row each is given twice the time. */
static int ask_wake(pn_tandem_view *view, double tolerance)
{
    enum { SHORT = 1024, DOUBLINGS = 40 };
    pn_tandem *sim = view->sim;
    if (sim->in_system == 0)
        return PN_OK;
    view->rated = 1;
    double delay = view->policy->wake(view);
    view->rated = 0;
    if (!(delay > 0.0))
        return delay == 0.0 ? PN_OK : PN_ERR_INFEASIBLE;
    if (delay > PN_TANDEM_MOST)
        return PN_OK;
    if (delay >= SHORT * tolerance)
        sim->short_wakes = 0;
    else if (sim->short_wakes < DOUBLINGS)
        sim->short_wakes++;
    double least = tolerance * (double)((uint64_t)1 << sim->short_wakes);
    sim->wake = sim->now + (delay > least ? delay : least);
    return PN_OK;
}

/* Sets the clock. The absolute time must not go back when the offset is rounded into it. */
static INLINE void set_clock(pn_tandem *sim, double now)
{
    double time = sim->base.high + (sim->base.low + now);
    sim->now = now;
    sim->time = time > sim->time ? time : sim->time;
}

static INLINE void tandem_serve(pn_tandem_view *view, const pn_tandem_first_state *first,
                                const next_instant *next, run_mode mode)
{
    pn_tandem *sim = view->sim;
    if (mode != RUN_ANY || sim->engine == PN_TANDEM_ENGINE_FIRST) {
        double shuffled = first->flow + first->drain;
        sim->map_busy += first->map_rate * next->span;
        sim->shuffle_busy += shuffled * next->span;
        if (mode == RUN_ANY)
            first_advance(view, next->span, next->tolerance);
        else
            lines_advance(view, first, next->span, next->tolerance, mode);
        return;
    }
    sim->map_busy += sim->map_used * next->span;
    sim->shuffle_busy += sim->shuffle_used * next->span;
    if (sim->engine == PN_TANDEM_ENGINE_SHARE)
        pn_tandem_share_advance(view, next->span, next->tolerance);
    else
        pn_tandem_advance(view, next->span, next->tolerance);
}

static INLINE int tandem_set_rates(pn_tandem_view *view, pn_tandem_first_state *first,
                                   run_mode mode)
{
    if (mode != RUN_ANY) {
        lines_set_rates(view, first, mode);
        return PN_OK;
    }
    if (view->renews)
        pn_tandem_renew(view);
    if (view->sim->failure != 0)
        return view->sim->failure;
    if (view->sim->engine == PN_TANDEM_ENGINE_LIST)
        return pn_tandem_set_rates(view);
    if (view->sim->engine == PN_TANDEM_ENGINE_FIRST)
        first_set_rates(view, &view->sim->first);
    else
        pn_tandem_share_set_rates(view);
    return PN_OK;
}

static INLINE int tandem_execute(pn_tandem_view *view, pn_tandem_first_state *first, horizon *far,
                                 next_instant *next, run_mode mode)
{
    pn_tandem *sim = view->sim;
    int status = PN_OK;
    sim->head.busy = 1;
    sim->instants++;
    if (mode == RUN_ANY)
        sim->wake = PN_TANDEM_NEVER; /* asked for anew in each instant that ends well */
    if (sim->in_system == 0) {
        restart_clock(sim, next);
        set_end(far, sim);
    }
    set_clock(sim, next->time);
    tandem_serve(view, first, next, mode);
    if (sim->next_arrival - sim->now <= next->tolerance)
        status = arrive_all(view, next->tolerance, mode);
    if (sim->done_count > 0)
        pn_tandem_finish_all(view);
    if (status >= 0 && sim->failure == 0)
        status = tandem_set_rates(view, first, mode);
    if (status >= 0 && sim->failure == 0) {
        if (view->recording && (mode == RUN_ANY || view->changed)) {
            sim->first = *first;
            pn_tandem_record(view);
        }
        if (mode == RUN_ANY && view->policy->wake)
            status = ask_wake(view, next->tolerance);
    }
    if (sim->in_system == 0 && sim->config.bounds != PN_TANDEM_BOUNDS_NONE)
        pn_tandem_bound_restart(sim);
    sim->head.busy = 0;
    if (status < 0 && sim->failure == 0)
        sim->failure = status;
    return sim->failure;
}

/* ---- the calls ---- */

static int tandem_start(pn_tandem_view *view, pn_tandem *sim, const pn_tandem_hooks *hooks)
{
    if (!sim || !hooks || !PN_GIVEN(hooks, pn_tandem_hooks, user))
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    if (!hooks->policy)
        return PN_ERR_POLICY;
    if (sim->failure != 0)
        return sim->failure;
    int status = pn_binding_is_bound(&sim->binding) ? tandem_check_bound(sim, hooks)
                                                    : tandem_bind(sim, hooks);
    if (status != PN_OK)
        return status;
    pn_tandem_view_build(view, sim, hooks);
    return sim->initialised ? PN_OK : initialise(view);
}

/* Runs. The rates of lines live in a copy that nothing else can see, so that they can stay in
 * registers. */
static INLINE int tandem_run(pn_tandem_view *view, horizon *far, uint64_t instants, run_mode mode)
{
    pn_tandem_first_state own = view->sim->first;
    pn_tandem_first_state *first = mode == RUN_ANY ? &view->sim->first : &own;
    next_instant next;
    int status;
    do {
        status = find_next(view, first, far, &next, mode);
        if (status == PN_OK && instants-- == 0)
            status = PN_PAUSED;
        if (status == PN_OK)
            status = tandem_execute(view, first, far, &next, mode);
    } while (status == PN_OK);
    view->sim->first = *first;
    return status;
}

int pn_tandem_step(pn_tandem *sim, const pn_tandem_hooks *hooks)
{
    int status = pn_tandem_run(sim, hooks, PN_TANDEM_FOREVER, 1);
    return status == PN_PAUSED ? PN_OK : status;
}

int pn_tandem_run(pn_tandem *sim, const pn_tandem_hooks *hooks, double until, uint64_t instants)
{
    pn_tandem_view view;
    horizon far = {until, 0.0};
    bool timed = is_time(until);
    if (timed && (!(0.0 <= until) || until > PN_TANDEM_MOST))
        return PN_ERR_ARGUMENT;
    int status = tandem_start(&view, sim, hooks);
    if (status != PN_OK)
        return status;
    set_end(&far, sim);
    switch (sim->engine == PN_TANDEM_ENGINE_LINES ? (run_mode)view.kinds[view.map_order]
                                                  : RUN_ANY) {
    case RUN_BY_ID:
        status = tandem_run(&view, &far, instants, RUN_BY_ID);
        break;
    case RUN_BY_LONGEST:
        status = tandem_run(&view, &far, instants, RUN_BY_LONGEST);
        break;
    case RUN_BY_MAP:
        status = tandem_run(&view, &far, instants, RUN_BY_MAP);
        break;
    case RUN_BY_SUM:
        status = tandem_run(&view, &far, instants, RUN_BY_SUM);
        break;
    default:
        status = tandem_run(&view, &far, instants, RUN_ANY);
    }
    if (timed && (status == NOTHING_DUE || status == PN_DONE))
        sim->promised = until > sim->promised ? until : sim->promised;
    return status == NOTHING_DUE ? PN_OK : status;
}
