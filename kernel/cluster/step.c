/* The virtual cluster advances from instant to instant: nodes fail and recover, tasks end, jobs
 * arrive, ticks, heartbeats (CL3-CL7). */
#include "base/config.h"
#include "state.h"

/* ---- what the scheduler says ---- */

static void on_wake_at(void *user, uint64_t time)
{
    pn_cluster_view *view = user;
    view->sim->wake = pn_min(view->sim->wake, time);
}

static void cluster_on_event(void *user, const pn_scheduler_event *event)
{
    pn_cluster_view *view = user;
    if (event->event == PN_SCHEDULER_KILL || event->event == PN_SCHEDULER_LOSE ||
        event->event == PN_SCHEDULER_DROP || event->event == PN_SCHEDULER_CANCEL)
        pn_cluster_forget(view, event->place, event->node);
    if (event->event == PN_SCHEDULER_LAUNCH || event->event == PN_SCHEDULER_KILL ||
        event->event == PN_SCHEDULER_SUSPEND || event->event == PN_SCHEDULER_RESUME)
        view->sim->stuck_since = PN_SCHEDULER_NEVER;
    if (event->event == PN_SCHEDULER_RERUN) {
        view->lost = true;
        view->jobs[event->tag].lost = 1;
    }
    if (!view->hooks->on_event)
        return;
    pn_scheduler_event copy = *event;
    copy.tag = event->id == 0 ? 0 : view->jobs[event->tag].tag;
    view->hooks->on_event(view->hooks->user, &copy);
}

static void cluster_on_input(void *user, const pn_scheduler_input *input)
{
    pn_cluster_view *view = user;
    view->hooks->on_input(view->hooks->user, input);
}

static void cluster_report(pn_cluster_view *view, pn_scheduler_record *record, uint32_t job)
{
    record->tag = view->jobs[job].tag;
    if (view->hooks->on_finish)
        view->hooks->on_finish(view->hooks->user, record);
}

static void cluster_on_finish(void *user, const pn_scheduler_record *record)
{
    pn_cluster_view *view = user;
    pn_scheduler_record copy = *record;
    uint32_t job = (uint32_t)record->tag;
    copy.tag = view->jobs[job].tag;
    pn_cluster_release(view, job);
    if (view->hooks->on_finish)
        view->hooks->on_finish(view->hooks->user, &copy);
}

/* ---- what happens at an instant, in order of class (CL3) ---- */

static int cluster_outages(pn_cluster_view *view)
{
    int status = PN_OK;
    while (status >= 0 && view->outages.state->count > 0 &&
           view->outages.entry[0].word[0] == view->now) {
        uint32_t place = view->outages.entry[0].item;
        bool recovers = view->outages.entry[0].word[1] >> 32 == 0;
        pn_cluster_outage *outage = &view->failures[place];
        pn_heap_pop(&view->outages);
        if (recovers) {
            view->sim->recoveries--;
            status = pn_scheduler_node_up(view->core, &view->core_hooks, view->now, outage->node);
        } else {
            status = pn_scheduler_node_down(view->core, &view->core_hooks, view->now, outage->node);
            pn_cluster_forget_savings(view, outage->node);
        }
        if (view->lost)
            pn_cluster_unsettle(view);
        view->lost = false;
        if (!recovers && outage->recover != PN_SCHEDULER_NEVER) {
            const uint64_t word[2] = {outage->recover, outage->node};
            pn_heap_push(&view->outages, place, word);
        } else {
            pn_place_free(&view->sim->failure_places, PN_LINKS(view->failures, next), place);
        }
    }
    return status;
}

/* Settles all after the last of a job's maps has ended: the reduces that wait for it go on.
 * `reduce` is one that runs. */
static void settle_all(pn_cluster_view *view, uint32_t reduce)
{
    for (uint32_t place = pn_scheduler_first_reduce(view->core, reduce);
         place != PN_SCHEDULER_NO_ATTEMPT; place = pn_scheduler_next_reduce(view->core, place))
        if (view->attempts[place].shuffle_end == PN_SCHEDULER_NEVER)
            pn_cluster_settle(view, place);
}

static int cluster_end_attempt(pn_cluster_view *view, uint32_t place)
{
    pn_scheduler_task task = {0}; /* compilers cannot see that there is one */
    pn_scheduler_progress job;
    pn_scheduler_task_get(view->core, place, &task);
    pn_scheduler_progress_get(view->core, place, &job);
    bool last_map = task.kind == PN_SCHEDULER_MAP && job.maps_done + 1 == job.maps;
    uint32_t reduce = last_map ? pn_scheduler_first_reduce(view->core, place)
                               : PN_SCHEDULER_NO_ATTEMPT;
    view->attempts[place].busy = 0;
    if (pn_cluster_fails(view, &task))
        return pn_scheduler_failed(view->core, &view->core_hooks, view->now, task.token);
    int status = pn_scheduler_finished(view->core, &view->core_hooks, view->now, task.token);
    if (reduce != PN_SCHEDULER_NO_ATTEMPT && status >= 0)
        settle_all(view, reduce);
    return status;
}

static int cluster_ends(pn_cluster_view *view)
{
    int status = PN_OK;
    while (status >= 0 && view->ends.state->count > 0 && view->ends.entry[0].word[0] == view->now) {
        uint32_t place = view->ends.entry[0].item;
        pn_heap_pop(&view->ends);
        status = cluster_end_attempt(view, place);
    }
    return status;
}

static int cluster_arrivals(pn_cluster_view *view)
{
    pn_cluster *sim = view->sim;
    int status = PN_OK;
    while (status >= 0 && sim->future_first != 0 &&
           view->jobs[sim->future_first - 1].submit == view->now) {
        uint32_t place = sim->future_first - 1, last = sim->future_last;
        pn_cluster_entry *entry = &view->jobs[place];
        pn_cluster_where where = {view, place};
        pn_scheduler_job job = {
            .maps = entry->maps,
            .reduces = entry->reduces,
            .replicas = pn_cluster_replicas_of,
            .where = &where,
            .deadline = entry->deadline,
            .est_ms = {entry->est_ms[PN_SCHEDULER_MAP], entry->est_ms[PN_SCHEDULER_REDUCE]},
            .input = entry->input,
            .intermediate = entry->intermediate,
            .tag = place,
            .group = entry->group,
            .weight = entry->weight,
            .priority = entry->priority,
            .attributes = sim->config.scheduler.attributes > 0
                              ? pn_attributes_of(pn_cluster_attributes_of(sim), place)
                              : NULL};
        sim->future_first = entry->next;
        if (sim->future_first == 0)
            sim->future_last = 0;
        status = pn_scheduler_submit(view->core, &view->core_hooks, view->now, &job, NULL);
        /* The policy knows too little of it, or jobs that are over and remembered leave no place:
         * it stays where it is. */
        if (status == PN_ERR_FULL || status == PN_ERR_JOB) {
            sim->future_first = place + 1;
            sim->future_last = last;
        }
    }
    return status;
}

/* ---- heartbeats ---- */

/* Returns the first node >= from whose free slots some job wants; nodes_count when there is none.
 * Offers of all others launch nothing. */
static uint32_t next_wanted(const pn_cluster_view *view, uint32_t from)
{
    return (uint32_t)pn_min(pn_scheduler_next_wanted(view->core, PN_SCHEDULER_MAP, from),
                            pn_scheduler_next_wanted(view->core, PN_SCHEDULER_REDUCE, from));
}

/* Returns the time of the first beat from `time` on that may launch something. */
static uint64_t next_beat(const pn_cluster_view *view, uint64_t time)
{
    const pn_cluster *sim = view->sim;
    uint64_t cycle = time / sim->config.heartbeat_ms * sim->config.heartbeat_ms;
    uint32_t node = next_wanted(view, pn_cluster_beat_from(sim, time - cycle));
    if (node < sim->nodes_count)
        return cycle + pn_cluster_beat_offset(sim, node);
    node = next_wanted(view, 0);
    return node < sim->nodes_count
               ? cycle + sim->config.heartbeat_ms + pn_cluster_beat_offset(sim, node)
               : PN_SCHEDULER_NEVER;
}

static int offer(pn_cluster_view *view, uint32_t node)
{
    view->sim->totals.beats++;
    return pn_scheduler_offer(view->core, &view->core_hooks, view->now, node);
}

/* Executes the beats of this instant, all of one cycle, in order of node. */
static int beats(pn_cluster_view *view)
{
    const pn_cluster *sim = view->sim;
    uint64_t offset = view->now % sim->config.heartbeat_ms;
    int status = PN_OK;
    for (uint32_t node = next_wanted(view, pn_cluster_beat_from(sim, offset));
         status >= 0 && node < sim->nodes_count && pn_cluster_beat_offset(sim, node) == offset;
         node = next_wanted(view, node + 1))
        status = offer(view, node);
    return status;
}

/* Offers in turn until nothing is launched, as nodes do without heartbeats (CL6). */
static int offers_at_once(pn_cluster_view *view)
{
    bool given = true;
    view->sim->wake = PN_SCHEDULER_NEVER;
    while (given) {
        given = false;
        for (uint32_t node = next_wanted(view, 0); node < view->sim->nodes_count;
             node = next_wanted(view, node + 1)) {
            int status = offer(view, node);
            if (status < 0)
                return status;
            given |= status == PN_OK;
        }
    }
    return PN_OK;
}

/* Returns whether no attempt will end, and no job, recovery or release of a hold is to come. A
 * reduce may run and wait for maps that will never run. */
static bool stuck(const pn_cluster *sim)
{
    return sim->ends.count == 0 && sim->future_first == 0 && sim->recoveries == 0 &&
           pn_scheduler_next_opening(pn_cluster_scheduler(sim)) == PN_SCHEDULER_NEVER;
}

/* Returns whether that has lasted so long that every node, tick and delayed job has had its turn
 * (CL4). */
static bool stuck_until(const pn_cluster *sim, uint64_t time)
{
    return stuck(sim) && sim->stuck_since < time && time - sim->stuck_since > sim->patience;
}

int pn_cluster_over(const pn_cluster *sim)
{
    return sim->over || stuck_until(sim, sim->passed) ||
           (sim->future_first == 0 && pn_scheduler_jobs(pn_cluster_scheduler(sim)) == 0);
}

/* ---- one instant ---- */

/* Executes an instant and adds `counted` to the instants: 1, more if it is the last of several
 * ticks that are not all executed, 0 if it does not count. */
static int cluster_execute(pn_cluster_view *view, uint64_t time, uint64_t counted)
{
    pn_cluster *sim = view->sim;
    view->now = time;
    if (counted > 0)
        sim->totals.time = time;
    sim->totals.instants += counted;
    sim->passed = pn_max(sim->passed, time + 1);
    int status = cluster_outages(view);
    if (status >= 0)
        status = cluster_ends(view);
    if (status >= 0)
        status = cluster_arrivals(view);
    if (status >= 0 && time % sim->config.tick_ms == 0 &&
        pn_scheduler_wants_ticks(view->core) != PN_SCHEDULER_NO_TICKS) {
        sim->totals.ticks += counted;
        status = pn_scheduler_tick(view->core, &view->core_hooks, time);
    }
    if (status >= 0 && pn_scheduler_next_opening(view->core) <= time)
        status = pn_scheduler_wake(view->core, &view->core_hooks, time);
    if (status >= 0 && view->hooks->on_order)
        view->hooks->on_order(view->hooks->user, time);
    if (status >= 0)
        status = sim->config.heartbeat_ms > 0 ? beats(view) : offers_at_once(view);
    sim->stuck_since = stuck(sim) ? pn_min(sim->stuck_since, time) : PN_SCHEDULER_NEVER;
    return status < 0 ? status : PN_OK;
}

/* Returns when something happens next, ticks aside; PN_SCHEDULER_NEVER when nothing does. */
static uint64_t cluster_next_event(const pn_cluster_view *view)
{
    const pn_cluster *sim = view->sim;
    uint64_t next = pn_scheduler_next_opening(view->core);
    if (view->outages.state->count > 0)
        next = pn_min(next, view->outages.entry[0].word[0]);
    if (view->ends.state->count > 0)
        next = pn_min(next, view->ends.entry[0].word[0]);
    if (sim->future_first != 0)
        next = pn_min(next, view->jobs[sim->future_first - 1].submit);
    if (sim->config.heartbeat_ms > 0)
        next = pn_min(next, next_beat(view, sim->passed));
    else
        next = pn_min(next, sim->wake);
    return next;
}

/* Returns the time of the next tick that matters, if it is before `next`; else `next`. Where only
 * the last one does, jobs may be handed over after `until`: it counts as something that happens.
 * *counted becomes the number of instants that count with it, at most `instants`. Ticks while no
 * task waits do not count: which of them are executed depends on where runs are cut. */
static uint64_t cluster_next_tick(const pn_cluster_view *view, uint64_t next, uint64_t until,
                                  uint64_t instants, uint64_t *counted)
{
    const pn_cluster *sim = view->sim;
    const pn_cluster_hooks *hooks = view->hooks;
    int wanted = pn_scheduler_wants_ticks(view->core);
    *counted = 1;
    if (wanted == PN_SCHEDULER_NO_TICKS)
        return next;
    bool waits = pn_scheduler_wants(view->core, PN_SCHEDULER_MAP) ||
                 pn_scheduler_wants(view->core, PN_SCHEDULER_REDUCE);
    uint64_t tick = sim->config.tick_ms, first = (sim->passed + tick - 1) / tick * tick;
    uint64_t event = pn_min(next, until == PN_CLUSTER_FOREVER ? until : until + 1);
    if (sim->config.max_time_ms > 0)
        event = pn_min(event, sim->config.max_time_ms);
    /* A run that is stuck may end at each tick. */
    if (wanted == PN_SCHEDULER_EVERY_TICK ||
        (waits && (stuck(sim) || hooks->on_order || hooks->on_input)))
        return pn_min(next, first);
    if (event == PN_SCHEDULER_NEVER || event <= first)
        return next;
    uint64_t last = (event - 1) / tick * tick;
    if (!waits) {
        *counted = 0;
        return last;
    }
    *counted = pn_min((last - first) / tick + 1, instants);
    return first + (*counted - 1) * tick;
}

/* ---- the end ---- */

static int cluster_end_unfinished(pn_cluster_view *view)
{
    pn_cluster *sim = view->sim;
    pn_scheduler_record record;
    sim->over = 1;
    for (uint32_t place = PN_NO_JOB;
         pn_scheduler_next_record(view->core, &place, &record) == PN_OK;) {
        sim->totals.unfinished++;
        cluster_report(view, &record, (uint32_t)record.tag);
    }
    for (uint32_t job = sim->future_first; job != 0; job = view->jobs[job - 1].next) {
        const pn_cluster_entry *entry = &view->jobs[job - 1];
        record = (pn_scheduler_record){.struct_size = sizeof record,
                                       .id = entry->id,
                                       .submit = entry->submit,
                                       .first_map_start = PN_SCHEDULER_NEVER,
                                       .map_finish = PN_SCHEDULER_NEVER,
                                       .first_reduce_start = PN_SCHEDULER_NEVER,
                                       .finish = PN_SCHEDULER_NEVER,
                                       .deadline = entry->deadline,
                                       .promise = PN_SCHEDULER_NEVER,
                                       .maps = entry->maps,
                                       .reduces = entry->reduces,
                                       .state = PN_SCHEDULER_UNFINISHED,
                                       .group = entry->group};
        sim->totals.unfinished++;
        cluster_report(view, &record, job - 1);
    }
    return PN_DONE;
}

/* ---- runs ---- */

/* Runs; `more`: further jobs will arrive, so that nodes fail and recover also while there is
 * none. */
static int cluster_run(pn_cluster_view *view, uint64_t until, uint64_t instants, bool more)
{
    pn_cluster *sim = view->sim;
    bool last = until == PN_CLUSTER_FOREVER;
    for (uint64_t done = 0, counted;; done += pn_max(counted, 1)) {
        bool left = more || sim->future_first != 0 || pn_scheduler_jobs(view->core) > 0;
        if (sim->over || !left) {
            if (!last)
                sim->passed = pn_max(sim->passed, until + 1);
            return PN_DONE;
        }
        uint64_t next = cluster_next_tick(view, cluster_next_event(view), until,
                                          pn_max(instants - done, 1), &counted);
        bool never = next == PN_SCHEDULER_NEVER ||
                     (sim->config.max_time_ms > 0 && next >= sim->config.max_time_ms);
        if (last && (never || stuck_until(sim, next)))
            return cluster_end_unfinished(view);
        if (!last && (never || next > until)) {
            sim->passed = pn_max(sim->passed, until + 1);
            return PN_OK;
        }
        if (next > PN_INTEGER_MAX)
            return PN_ERR_OVERFLOW;
        if (done == instants)
            return PN_PAUSED;
        int status = cluster_execute(view, next, counted);
        if (status != PN_OK)
            return status;
    }
}

static int cluster_start(pn_cluster_view *view, pn_cluster *sim, const pn_cluster_hooks *hooks)
{
    if (!sim || !hooks || !PN_GIVEN(hooks, pn_cluster_hooks, on_input))
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    pn_cluster_view_build(view, sim, hooks);
    view->core_hooks = (pn_scheduler_hooks){.policy = hooks->policy,
                                            .params = hooks->params,
                                            .launch = pn_cluster_launch,
                                            .suspend = pn_cluster_suspend,
                                            .resume = pn_cluster_resume,
                                            .wake_at = on_wake_at,
                                            .progress = pn_cluster_progress,
                                            .fetched = pn_cluster_fetched,
                                            .on_finish = cluster_on_finish,
                                            .on_event = cluster_on_event,
                                            .user = view,
                                            .policy_user = hooks->user,
                                            .on_input = hooks->on_input ? cluster_on_input : NULL};
    return pn_scheduler_ready(view->core, &view->core_hooks);
}

static int cluster_start_and_run(pn_cluster *sim, const pn_cluster_hooks *hooks, uint64_t until,
                                 uint64_t instants, bool more)
{
    pn_cluster_view view;
    int status = cluster_start(&view, sim, hooks);
    if (status != PN_OK)
        return status;
    if (until > PN_INTEGER_MAX && (more || until != PN_CLUSTER_FOREVER))
        return PN_ERR_OVERFLOW;
    sim->head.busy = 1;
    status = cluster_run(&view, until, instants, more);
    sim->head.busy = 0;
    return status;
}

int pn_cluster_run(pn_cluster *sim, const pn_cluster_hooks *hooks, uint64_t until,
                   uint64_t instants)
{
    return cluster_start_and_run(sim, hooks, until, instants, false);
}

int pn_cluster_wait(pn_cluster *sim, const pn_cluster_hooks *hooks, uint64_t until,
                    uint64_t instants)
{
    return cluster_start_and_run(sim, hooks, until, instants, true);
}

int pn_cluster_step(pn_cluster *sim, const pn_cluster_hooks *hooks)
{
    int status = pn_cluster_run(sim, hooks, PN_CLUSTER_FOREVER, 1);
    return status == PN_PAUSED ? PN_OK : status;
}
