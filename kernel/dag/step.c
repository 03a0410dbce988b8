/* The simulated world advances from instant to instant: nodes recover and fail, tasks end, jobs
 * arrive, ticks; then the core decides (DG3, DG4). */
#include "base/config.h"
#include "state.h"

/* ---- what the core says ---- */

/* Notes that an executor moves to another job (DG36). */
static void depart(const pn_dag_view *view, uint32_t node)
{
    view->executors[node] = (pn_dag_executor){view->now + view->sim->config.move_ms, 1};
}

/* Returns the ms before the executor works on a task launched now: until it is there, and what the
 * first task of a job takes longer. */
static uint64_t delay(const pn_dag_view *view, uint32_t node)
{
    pn_dag_executor *executor = &view->executors[node];
    if (!view->sim->config.dispatch.executors)
        return 0;
    uint64_t ms = executor->arrives > view->now ? executor->arrives - view->now : 0;
    ms += executor->fresh * view->sim->config.fresh_ms;
    executor->fresh = 0;
    return ms;
}

static void on_launch(void *user, const pn_dispatch_task *task)
{
    pn_dag_view *view = user;
    uint32_t job = (uint32_t)task->tag;
    pn_dag_attempt *attempt = &view->attempts[task->place];
    attempt->order = (uint64_t)task->stage << 32 | task->task;
    attempt->token = task->token;
    const uint64_t ms = delay(view, task->node) + pn_dag_task_ms(view, job, task);
    const uint64_t word[2] = {view->now + ms, task->id};
    pn_heap_push(&view->ends, task->place, word);
}

static void dag_on_event(void *user, const pn_dispatch_event *event)
{
    pn_dag_view *view = user;
    if (event->event == PN_DISPATCH_KILL || event->event == PN_DISPATCH_LOSE)
        pn_heap_remove(&view->ends, event->place);
    if (event->event == PN_DISPATCH_MOVE)
        depart(view, event->node);
    if (!view->hooks->on_event)
        return;
    pn_dispatch_event copy = *event;
    copy.tag = event->id == 0 ? 0 : view->jobs[event->tag].tag;
    view->hooks->on_event(view->hooks->user, &copy);
}

static void dag_on_input(void *user, const pn_dispatch_input *input)
{
    pn_dag_view *view = user;
    view->hooks->on_input(view->hooks->user, input);
}

static void dag_on_finish(void *user, const pn_dispatch_record *job)
{
    pn_dag_report(user, job, (uint32_t)job->tag);
}

/* ---- what happens at an instant, in order of class (DG3) ---- */

/* Executes outages. Of those at one time the class comes first, recoveries before failures, then
 * the node. */
static int dag_outages(pn_dag_view *view)
{
    int status = PN_OK;
    while (status >= 0 && view->failures.state->count > 0 &&
           view->failures.entry[0].word[0] == view->now) {
        uint32_t place = view->failures.entry[0].item, node = view->outages[place].node;
        bool fails = view->failures.entry[0].word[1] >> 32 != 0;
        pn_heap_pop(&view->failures);
        view->outages[place] = (pn_dag_outage){.id = 0};
        pn_place_free(&view->sim->outage_places, PN_LINKS(view->outages, next), place);
        status = fails ? pn_dispatch_node_down(view->core, &view->core_hooks, view->now, node)
                       : pn_dispatch_node_up(view->core, &view->core_hooks, view->now, node);
    }
    return status;
}

static int dag_ends(pn_dag_view *view)
{
    int status = PN_OK;
    while (status >= 0 && view->ends.state->count > 0 && view->ends.entry[0].word[0] == view->now) {
        uint32_t place = view->ends.entry[0].item;
        pn_heap_pop(&view->ends);
        status = pn_dispatch_finished(view->core, &view->core_hooks, view->now,
                                      view->attempts[place].token);
    }
    return status;
}

static int dag_arrivals(pn_dag_view *view)
{
    pn_dag *sim = view->sim;
    int status = PN_OK;
    while (status >= 0 && sim->future_first != 0 &&
           view->jobs[sim->future_first - 1].arrival == view->now) {
        uint32_t place = sim->future_first - 1, last = sim->future_last;
        pn_dispatch_job job;
        pn_dag_core_job(view, place, &job);
        sim->future_first = view->jobs[place].next;
        if (sim->future_first == 0)
            sim->future_last = 0;
        status = pn_dispatch_submit(view->core, &view->core_hooks, view->now, &job, NULL);
        if (status == PN_ERR_FULL) { /* it stays where it is */
            sim->future_first = place + 1;
            sim->future_last = last;
        }
    }
    return status;
}

/* Launches and kills so far. */
static uint64_t decisions(const pn_dag_view *view)
{
    pn_dispatch_totals totals;
    pn_dispatch_totals_get(view->core, &totals);
    return totals.launches + totals.kills;
}

static int tick(pn_dag_view *view, bool *acted)
{
    uint64_t before = decisions(view);
    if (view->now == 0 || view->now % view->sim->config.tick_ms != 0 ||
        !pn_dispatch_wants_ticks(view->core))
        return PN_OK;
    int status = pn_dispatch_tick(view->core, &view->core_hooks, view->now);
    *acted = decisions(view) != before;
    view->sim->totals.ticks += *acted;
    return status;
}

/* Executes an instant; `lone`: nothing but a tick. One that does nothing does not count: whether it
 * is executed depends on where runs are cut. */
static int dag_execute(pn_dag_view *view, uint64_t time, bool lone)
{
    pn_dag *sim = view->sim;
    bool acted = false;
    view->now = time;
    sim->passed = pn_max(sim->passed, time + 1);
    int status = dag_outages(view);
    if (status >= 0)
        status = dag_ends(view);
    if (status >= 0)
        status = dag_arrivals(view);
    if (status >= 0)
        status = tick(view, &acted);
    if (status >= 0 && view->hooks->on_order)
        view->hooks->on_order(view->hooks->user, time);
    if (status >= 0)
        status = pn_dispatch_run(view->core, &view->core_hooks, time, UINT64_MAX);
    if (!lone || acted) {
        sim->totals.time = time;
        sim->totals.instants++;
    }
    if (status == PN_ERR_FULL)
        sim->failed = status;
    return status < 0 ? status : PN_OK;
}

/* ---- when something happens next ---- */

/* Ticks aside; PN_DISPATCH_NEVER when nothing does. */
static uint64_t dag_next_event(const pn_dag_view *view)
{
    const pn_dag *sim = view->sim;
    uint64_t next = PN_DISPATCH_NEVER;
    if (sim->failures.count > 0)
        next = pn_min(next, view->failures.entry[0].word[0]);
    if (sim->ends.count > 0)
        next = pn_min(next, view->ends.entry[0].word[0]);
    if (sim->future_first != 0)
        next = pn_min(next, view->jobs[sim->future_first - 1].arrival);
    return next;
}

/* Returns the next tick that matters, if it is before `next`; else `next`. */
static uint64_t dag_next_tick(const pn_dag_view *view, uint64_t next)
{
    const pn_dag *sim = view->sim;
    if (!pn_dispatch_wants_ticks(view->core))
        return next;
    uint64_t number = (sim->passed + sim->config.tick_ms - 1) / sim->config.tick_ms;
    return pn_min(next, pn_max(number, 1) * sim->config.tick_ms);
}

/* Returns the first instant that is not executed any more. */
static uint64_t horizon_of(const pn_dag *sim)
{
    return sim->config.max_time_ms > 0 ? pn_min(sim->config.max_time_ms, PN_INTEGER_MAX)
                                       : PN_INTEGER_MAX;
}

/* Returns whether no instant is executed any more if no further job comes: ticks are, though only
 * while there is an event behind them, which may be beyond the horizon. */
static bool nothing_comes(const pn_dag_view *view, uint64_t event)
{
    return event == PN_DISPATCH_NEVER || dag_next_tick(view, event) >= horizon_of(view->sim);
}

static bool has_jobs(const pn_dag_view *view)
{
    return view->sim->future_first != 0 || pn_dispatch_jobs(view->core) > 0;
}

int pn_dag_over(const pn_dag *sim)
{
    pn_dag_view view;
    pn_dag_view_build(&view, sim, NULL);
    return sim->over || !has_jobs(&view) || nothing_comes(&view, dag_next_event(&view));
}

/* ---- runs ---- */

static int dag_end_unfinished(pn_dag_view *view)
{
    pn_dag *sim = view->sim;
    pn_dispatch_record record;
    sim->over = 1;
    for (uint32_t place = PN_NO_JOB; pn_dispatch_next_record(view->core, &place, &record) == PN_OK;)
        pn_dag_report_left(view, &record, place);
    for (uint32_t job = sim->future_first; job != 0; job = view->jobs[job - 1].next)
        pn_dag_report_future(view, job - 1);
    return PN_DONE;
}

/* Runs; `more`: further jobs will arrive, so that nodes fail and recover also while there is
 * none. */
static int dag_run(pn_dag_view *view, uint64_t until, uint64_t instants, bool more)
{
    pn_dag *sim = view->sim;
    bool last = until == PN_DAG_FOREVER;
    for (uint64_t done = 0;; done++) {
        if (sim->over || (!more && !has_jobs(view))) {
            if (!last)
                sim->passed = pn_max(sim->passed, until + 1);
            return PN_DONE;
        }
        uint64_t event = dag_next_event(view), next = dag_next_tick(view, event);
        if (last && nothing_comes(view, event))
            return dag_end_unfinished(view);
        if (!last && (next > until || next >= horizon_of(sim))) {
            sim->passed = pn_max(sim->passed, until + 1);
            return PN_OK;
        }
        if (done == instants)
            return PN_PAUSED;
        int status = dag_execute(view, next, next < event);
        if (status != PN_OK)
            return status;
    }
}

static int dag_start(pn_dag_view *view, pn_dag *sim, const pn_dag_hooks *hooks)
{
    if (!sim || !hooks || !PN_GIVEN(hooks, pn_dag_hooks, on_input))
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    pn_dag_view_build(view, sim, hooks);
    view->core_hooks = (pn_dispatch_hooks){.policy = hooks->policy,
                                           .params = hooks->params,
                                           .launch = on_launch,
                                           .on_finish = dag_on_finish,
                                           .on_event = dag_on_event,
                                           .user = view,
                                           .policy_user = hooks->user,
                                           .on_input = hooks->on_input ? dag_on_input : NULL};
    int status = pn_dispatch_ready(view->core, &view->core_hooks);
    return status == PN_OK ? sim->failed : status;
}

static int dag_start_and_run(pn_dag *sim, const pn_dag_hooks *hooks, uint64_t until,
                             uint64_t instants, bool more)
{
    pn_dag_view view;
    int status = dag_start(&view, sim, hooks);
    if (status != PN_OK)
        return status;
    if (until > PN_INTEGER_MAX && (more || until != PN_DAG_FOREVER))
        return PN_ERR_OVERFLOW;
    sim->head.busy = 1;
    status = dag_run(&view, until, instants, more);
    sim->head.busy = 0;
    return status;
}

int pn_dag_run(pn_dag *sim, const pn_dag_hooks *hooks, uint64_t until, uint64_t instants)
{
    return dag_start_and_run(sim, hooks, until, instants, false);
}

int pn_dag_wait(pn_dag *sim, const pn_dag_hooks *hooks, uint64_t until, uint64_t instants)
{
    return dag_start_and_run(sim, hooks, until, instants, true);
}

int pn_dag_step(pn_dag *sim, const pn_dag_hooks *hooks)
{
    int status = pn_dag_run(sim, hooks, PN_DAG_FOREVER, 1);
    return status == PN_PAUSED ? PN_OK : status;
}

/* ---- failures ---- */

static void announce(pn_dag_view *view, uint64_t time, uint32_t node, bool fails)
{
    uint32_t place = pn_place_take(&view->sim->outage_places, PN_LINKS(view->outages, next));
    view->outages[place] = (pn_dag_outage){.id = (uint64_t)place + 1, .node = node};
    const uint64_t word[2] = {time, (uint64_t)fails << 32 | node};
    pn_heap_push(&view->failures, place, word);
}

int pn_dag_fail(pn_dag *sim, uint64_t time, uint32_t node, uint64_t recover)
{
    pn_dag_view view;
    if (!sim || node >= sim->nodes_count || recover <= time)
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    if (time > PN_INTEGER_MAX || (recover > PN_INTEGER_MAX && recover != PN_DISPATCH_NEVER))
        return PN_ERR_OVERFLOW;
    if (time < sim->passed || sim->over)
        return PN_ERR_LATE;
    if (sim->failures.count + 2 > sim->failures.capacity)
        return PN_ERR_FULL;
    pn_dag_view_build(&view, sim, NULL);
    announce(&view, time, node, true);
    if (recover != PN_DISPATCH_NEVER)
        announce(&view, recover, node, false);
    return PN_OK;
}
