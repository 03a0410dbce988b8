/* What admitting a job would do to it and to those behind it in the order (RTMR, Algorithms I-III,
 * V, VI; CL22, CL23, CL25, CL29-CL33).
 *
 * Two ways to know when slots become free. Records, as in the paper: with each job is recorded when
 * they do behind it, as computed when it or a job ahead of it arrived; feedback puts that right now
 * and then. Forecasts: what runs now and what is left of all jobs ahead says so anew for each
 * question. The second needs no feedback, knows of nodes that are down, and is never staler than
 * the first.
 *
 * Why no job misses its deadline that was accepted, when no task takes longer than its estimate and
 * nothing fails. Let jobs be numbered in the order; list scheduling gives each task, in this order,
 * the slot that is free first. Maps are launched in exactly this order, so that each starts no
 * later than in the list. For reduces:
 *
 *   (i) Who overtakes does not delay. When a reduce of job l starts, more slots are free than the
 * jobs ahead of it whose maps are not done will need together, and every other job ahead has no
 * reduce to give. Later starts leave it so: one of those jobs lowers both sides, one behind them
 * needs the same again. So each of them finds all its slots when its maps are done. (ii) Take a
 * reduce of job k that the list starts at L, and suppose that it has not started at t >= L though
 * it is ready. The list has fewer than all slots taken beyond t by tasks ahead of it, and by
 * induction each of these that is not over at t - running, ready, or of a job whose maps are not
 * done - is among them. With (i) for what has overtaken, at t more slots are free than jobs ahead
 * will need: it would have been given one.
 *
 * Forecasts start from what runs now, so the same holds from there on, whatever went before; and
 * where nothing fails no estimate grows: what has overtaken since takes slots that are not needed,
 * by (i), and everything else ends no later than it was to. (With heartbeats it may seem to, by
 * less than a task may wait: a slot that is free counts from now. So it is only after a task that
 * took too long that a job which seems late is believed to be, and blocks nobody.)
 *
 * With heartbeats a slot that is free is offered later. A map waits at most P * c, c the beats in
 * which the node with the most map slots offers all of them: let x be a map that the list starts at
 * L. At L fewer tasks ahead of it are not over than there are slots, so more slots are free than
 * tasks ahead wait. Every beat within the next P * c gives as many maps as it may, unless x is
 * launched; by then each node has given all that were free at L, which is more than wait ahead of
 * x. A reduce waits at most P * (reduce slots of the node with the most), as a beat gives one: the
 * same count, with (ii) for the slots kept for others. Estimates that are longer by as much cover
 * it: pn_scheduler_allowance. */
#include "state.h"

static bool forecasts(const pn_scheduler_view *view)
{
    return pn_scheduler_forecasts(view->s);
}

static bool records(const pn_scheduler_view *view)
{
    return pn_scheduler_records(&view->s->admission);
}

void pn_scheduler_allowance(const pn_scheduler_config *config, uint64_t heartbeat_ms,
                            uint64_t extra_ms[2])
{
    uint64_t beats[PN_SCHEDULER_KINDS] = {0, 0};
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_scheduler_nodes *group = &config->nodes[i];
        uint64_t at_once = config->maps_per_offer > 0 ? config->maps_per_offer
                                                      : pn_max(group->map_slots, 1);
        beats[PN_SCHEDULER_MAP] = pn_max(beats[PN_SCHEDULER_MAP],
                                         (group->map_slots + at_once - 1) / at_once);
        beats[PN_SCHEDULER_REDUCE] = pn_max(beats[PN_SCHEDULER_REDUCE], group->reduce_slots);
    }
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        extra_ms[kind] = beats[kind] > 0 && heartbeat_ms > PN_SCHEDULER_EST_MOST / beats[kind]
                             ? PN_SCHEDULER_EST_MOST
                             : heartbeat_ms * beats[kind];
}

/* ---- when slots become free ---- */

static pn_slots forecast(const pn_scheduler_view *view, uint32_t kind)
{
    pn_scheduler *s = view->s;
    return (pn_slots){pn_at(s, s->times[kind]), pn_at(s, s->counts[kind]), 0};
}

/* Returns the slots recorded with a job. */
static pn_slots recorded(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    pn_scheduler *s = view->s;
    size_t first = (size_t)job * s->capacity[kind];
    uint64_t *times = pn_at(s, s->record_times[kind]);
    uint32_t *counts = pn_at(s, s->record_counts[kind]);
    return (pn_slots){times + first, counts + first, view->turns[job].groups[kind]};
}

static void record(const pn_scheduler_view *view, uint32_t job, const pn_slots slots[])
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        pn_slots to = recorded(view, job, kind);
        pn_slots_copy(&to, &slots[kind]);
        view->turns[job].groups[kind] = to.groups;
    }
}

/* Returns the predecessor whose vectors a place behind `ahead` begins with (CL22), as a link. */
static uint32_t predecessor(const pn_scheduler_view *view, uint32_t ahead)
{
    while (ahead != 0 && view->jobs[ahead - 1].ended && !view->s->admission.ended_predecessors)
        ahead = view->turns[ahead - 1].ahead;
    return ahead;
}

/* Starts from the slots as they are recorded with the job of the link; free from the beginning of
 * time where there is none. */
static void start_behind(const pn_scheduler_view *view, uint32_t link, pn_slots slots[])
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        slots[kind] = forecast(view, kind);
        if (link == 0) {
            pn_slots_clear(&slots[kind], 0, view->s->capacity[kind]);
            continue;
        }
        pn_slots from = recorded(view, link - 1, kind);
        pn_slots_copy(&slots[kind], &from);
    }
}

/* Returns since when it works, or would: a reduce not before its job's maps are done, which they
 * are no more where an output was lost. */
static uint64_t works_since(const pn_scheduler_view *view, const pn_scheduler_attempt *attempt)
{
    const pn_scheduler_entry *job = &view->jobs[attempt->job];
    if (attempt->kind == PN_SCHEDULER_MAP)
        return attempt->start;
    return pn_max(attempt->start, job->map_finish != PN_SCHEDULER_NEVER
                                      ? job->map_finish
                                      : view->turns[attempt->job].maps_end);
}

/* Returns when a running attempt ends at the latest, if its job's estimate holds; if it has not
 * held, now (CL29). */
static uint64_t end_of(const pn_scheduler_view *view, const pn_scheduler_attempt *attempt)
{
    uint64_t since = works_since(view, attempt);
    return since == PN_SCHEDULER_NEVER
               ? since
               : pn_max(view->now, since + view->jobs[attempt->job].est_ms[attempt->kind]);
}

/* Returns whether the attempt works longer than it was to. */
bool pn_scheduler_overruns(const pn_scheduler_view *view, uint32_t place)
{
    const pn_scheduler_attempt *attempt = &view->attempts[place];
    bool waits = attempt->kind == PN_SCHEDULER_REDUCE &&
                 view->jobs[attempt->job].map_finish == PN_SCHEDULER_NEVER;
    return forecasts(view) && !waits &&
           view->now > works_since(view, attempt) + view->jobs[attempt->job].est_ms[attempt->kind];
}

/* Returns whether the end of the attempt frees no slot: more run on its node than that has, and
 * others end later than this one (CL40). O(attempts there) on such nodes. */
static bool ends_above_slots(const pn_scheduler_view *view, uint32_t place)
{
    const pn_scheduler_attempt *attempt = &view->attempts[place];
    const pn_scheduler_node *node = &view->nodes[attempt->node];
    uint64_t end = end_of(view, attempt);
    uint32_t sooner = 0;
    if (node->over[attempt->kind] == 0)
        return false;
    for (uint32_t link = node->first_attempt[0]; link != 0;
         link = view->attempts[link - 1].node_after) {
        const pn_scheduler_attempt *other = &view->attempts[link - 1];
        uint64_t its = other->kind == attempt->kind ? end_of(view, other) : PN_SCHEDULER_NEVER;
        sooner += other->kind == attempt->kind && (its != end ? its < end : link - 1 < place);
    }
    return sooner < node->over[attempt->kind];
}

/* Starts from the slots of a kind as they are, of the nodes that are up (CL29). */
static void start_now(const pn_scheduler_view *view, uint32_t kind, pn_slots *slots)
{
    const pn_scheduler *s = view->s;
    *slots = forecast(view, kind);
    pn_slots_clear(slots, view->now, s->free_slots[kind]);
    for (uint32_t place = 0; place < s->fleet.attempt_places.used; place++)
        if (view->attempts[place].busy && view->attempts[place].kind == kind &&
            !ends_above_slots(view, place))
            pn_slots_append(slots, end_of(view, &view->attempts[place]));
    pn_slots_heap(slots);
}

/* ---- estimated finishes ---- */

/* Executes algorithms II and III: all tasks of the job, behind what the slots have (CL23). With
 * RESERVE_STRICT its reduces start when all maps ahead are done, too: the last end on any slot. */
static uint64_t execute_all(const pn_scheduler_view *view, uint32_t job, pn_slots slots[])
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    pn_slots *maps = &slots[PN_SCHEDULER_MAP], *reduces = &slots[PN_SCHEDULER_REDUCE];
    pn_slots_pass(maps, view->now);
    pn_slots_pass(reduces, view->now);
    uint64_t end = pn_slots_execute(maps, view->now, entry->tasks[PN_SCHEDULER_MAP],
                                    pn_scheduler_est_ms(view, job, PN_SCHEDULER_MAP));
    if (entry->tasks[PN_SCHEDULER_REDUCE] == 0)
        return end;
    if (view->s->admission.reserve == PN_SCHEDULER_RESERVE_STRICT)
        end = pn_slots_last(maps);
    return pn_slots_execute(reduces, end, entry->tasks[PN_SCHEDULER_REDUCE],
                            pn_scheduler_est_ms(view, job, PN_SCHEDULER_REDUCE));
}

/* Returns the end of what is running of the job, and of what is pending, none of it before `from`
 * (CL30). */
static uint64_t execute_rest(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                             uint64_t from, pn_slots *slots)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    uint64_t end = from;
    for (uint32_t link = entry->first_attempt[0][kind]; link != 0;
         link = view->attempts[link - 1].after)
        end = pn_max(end, end_of(view, &view->attempts[link - 1]));
    /* Slots are kept for its reduces though its maps may never end. */
    if (entry->waiting[kind] > 0)
        end = pn_max(end, pn_slots_execute(slots, pn_min(from, PN_SLOTS_LAST), entry->waiting[kind],
                                           pn_scheduler_est_ms(view, job, kind)));
    return end >= PN_SLOTS_LAST ? PN_SCHEDULER_NEVER : end;
}

static void end_maps(const pn_scheduler_view *view, uint32_t job, pn_slots slots[])
{
    view->turns[job].maps_end = execute_rest(view, job, PN_SCHEDULER_MAP, view->now,
                                             &slots[PN_SCHEDULER_MAP]);
}

static uint64_t end_reduces(const pn_scheduler_view *view, uint32_t job, pn_slots slots[])
{
    return execute_rest(view, job, PN_SCHEDULER_REDUCE, view->turns[job].maps_end,
                        &slots[PN_SCHEDULER_REDUCE]);
}

/* Estimates a job of which nothing runs, or any where that does not matter. */
static uint64_t estimate_behind(const pn_scheduler_view *view, uint32_t job, pn_slots slots[])
{
    if (!forecasts(view))
        return execute_all(view, job, slots);
    end_maps(view, job, slots);
    return end_reduces(view, job, slots);
}

static bool misses(const pn_scheduler_view *view, uint32_t job)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    return entry->deadline > 0 && view->turns[job].expected > entry->submit + entry->deadline;
}

/* Forecasts the slots behind all that is ahead of a place, and what is expected of these. All that
 * runs is of them; and all maps go first, as a reduce that runs may wait for some. */
static void forecast_until(const pn_scheduler_view *view, uint32_t ahead, pn_slots slots[])
{
    uint32_t first = ahead != 0 ? view->s->first_in_order : 0,
             beyond = pn_scheduler_following(view, ahead);
    start_now(view, PN_SCHEDULER_MAP, &slots[PN_SCHEDULER_MAP]);
    for (uint32_t job = first; job != 0 && job != beyond; job = view->turns[job - 1].behind)
        end_maps(view, job - 1, slots);
    start_now(view, PN_SCHEDULER_REDUCE, &slots[PN_SCHEDULER_REDUCE]);
    for (uint32_t job = first; job != 0 && job != beyond; job = view->turns[job - 1].behind)
        view->turns[job - 1].expected = end_reduces(view, job - 1, slots);
}

static void slots_behind(const pn_scheduler_view *view, uint32_t ahead, pn_slots slots[])
{
    if (forecasts(view))
        forecast_until(view, ahead, slots);
    else
        start_behind(view, predecessor(view, ahead), slots);
}

/* Returns the first job to miss its deadline, from what is expected of the job behind `ahead` and
 * of all behind it: the first that would miss its deadline, PN_NO_JOB when none would. Then all are
 * known; else up to that one. Those that are late block nobody; as they are marked, or as was just
 * found. */
static uint32_t first_to_miss(pn_scheduler_view *view, uint32_t job, uint32_t ahead,
                              bool just_found)
{
    pn_slots slots[PN_SCHEDULER_KINDS];
    slots_behind(view, ahead, slots);
    view->turns[job].expected = estimate_behind(view, job, slots);
    if (misses(view, job))
        return job;
    for (uint32_t next = pn_scheduler_following(view, ahead); next != 0;
         next = view->turns[next - 1].behind) {
        pn_scheduler_turn *turn = &view->turns[next - 1];
        turn->expected = estimate_behind(view, next - 1, slots);
        if (misses(view, next - 1) && !(just_found ? turn->doomed : view->jobs[next - 1].late))
            return next - 1;
    }
    return PN_NO_JOB;
}

/* Computes what is expected of all jobs as things are now (CL32). */
static void expect_all(const pn_scheduler_view *view)
{
    pn_slots slots[PN_SCHEDULER_KINDS];
    slots_behind(view, view->s->last_in_order, slots);
    for (uint32_t job = view->s->first_in_order; job != 0; job = view->turns[job - 1].behind)
        view->turns[job - 1].doomed = misses(view, job - 1);
}

void pn_scheduler_estimate_again(pn_scheduler_view *view)
{
    pn_scheduler *s = view->s;
    if (!forecasts(view) || s->fleet.failure != 0)
        return;
    expect_all(view);
    s->overran = 0;
    for (uint32_t job = s->first_in_order; job != 0; job = view->turns[job - 1].behind) {
        pn_scheduler_entry *entry = &view->jobs[job - 1];
        bool doomed = view->turns[job - 1].doomed, news = doomed && !entry->late;
        view->terms[job - 1].estimate = view->turns[job - 1].expected;
        entry->late = doomed;
        s->totals.late += news;
        if (news)
            pn_scheduler_report(view, PN_SCHEDULER_LATE, job - 1, 0, 0, 0, 0, 0);
    }
}

/* ---- admission ---- */

/* Returns whether a task took longer than it was to since all jobs were estimated, began to work
 * only some time after its launch, or was killed, or running_most may delay tasks: nothing but that
 * and failures makes a job late that was not. */
static bool overran(const pn_scheduler_view *view)
{
    bool any = view->s->overran || view->s->config.running_most > 0;
    for (uint32_t place = 0; place < view->s->fleet.attempt_places.used && !any; place++)
        any = view->attempts[place].busy && pn_scheduler_overruns(view, place);
    return any;
}

int pn_scheduler_foresee(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    pn_scheduler *s = view->s;
    if (view->phase != PN_SCHEDULER_PHASE_ADMIT || job != view->subject ||
        view->s->admission.finishes == PN_SCHEDULER_FINISHES_NONE)
        return PN_ERR_INFEASIBLE;
    uint32_t ahead = pn_scheduler_place_of(view, job);
    bool known = s->asking == PN_SCHEDULER_ASKING_ESTIMATED;
    uint32_t blocker = first_to_miss(view, job, ahead, known);
    if (blocker != PN_NO_JOB && blocker != job && forecasts(view) && !known && overran(view)) {
        /* Perhaps it would miss its deadline anyhow. Nobody is told so by a mere question. */
        if (s->asking) {
            expect_all(view);
            s->asking = PN_SCHEDULER_ASKING_ESTIMATED;
        } else {
            pn_scheduler_estimate_again(view);
        }
        blocker = first_to_miss(view, job, ahead, true);
    }
    answer->accepted = blocker == PN_NO_JOB;
    answer->estimate = view->turns[job].expected;
    answer->blocker = blocker == PN_NO_JOB ? 0 : view->jobs[blocker].id;
    s->foreseen = blocker == PN_NO_JOB ? job + 1 : 0;
    return PN_OK;
}

/* Ends all tasks of the job (Algorithm VI). */
static void end_all(const pn_scheduler_view *view, uint32_t job, pn_slots slots[])
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        if (view->jobs[job].tasks[kind] > 0)
            pn_slots_ended(&slots[kind], view->now);
}

/* Settles the job and those behind it, with what is recorded of the slots. */
static void settle_behind(pn_scheduler_view *view, uint32_t first, pn_slots slots[])
{
    for (uint32_t job = first; job != 0; job = view->turns[job - 1].behind) {
        pn_scheduler_entry *entry = &view->jobs[job - 1];
        if (!entry->ended) {
            view->terms[job - 1].estimate = estimate_behind(view, job - 1, slots);
            record(view, job - 1, slots);
        } else if (view->s->admission.ended_feedback && !entry->failed) {
            end_all(view, job - 1, slots);
            record(view, job - 1, slots);
        }
    }
}

/* Enters a job that is taken: it has its place in the order from now on, and what was foreseen is
 * what is expected (CL23, Algorithm I, lines 22 and 23). Where the policy took it without asking,
 * or against the answer, others may be late now. */
void pn_scheduler_enter(pn_scheduler_view *view, uint32_t job)
{
    pn_slots slots[PN_SCHEDULER_KINDS];
    pn_scheduler_compute_keys(view, job);
    uint32_t ahead = pn_scheduler_place_of(view, job);
    pn_scheduler_insert(view, job, ahead);
    if (view->s->foreseen != job + 1)
        pn_scheduler_estimate_again(view);
    else if (forecasts(view))
        for (uint32_t next = job + 1; next != 0; next = view->turns[next - 1].behind)
            view->terms[next - 1].estimate = view->turns[next - 1].expected;
    if (records(view)) {
        start_behind(view, predecessor(view, ahead), slots);
        settle_behind(view, job + 1, slots);
    }
}

/* ---- feedback (CL25, Algorithms V and VI) ---- */

uint64_t pn_scheduler_estimate_anew(const pn_scheduler_view *view, uint32_t job)
{
    pn_slots slots[PN_SCHEDULER_KINDS];
    if (view->phase != PN_SCHEDULER_PHASE_LEAVE || job != view->subject || !records(view))
        return PN_SCHEDULER_NEVER;
    start_behind(view, predecessor(view, view->turns[job].ahead), slots);
    return execute_all(view, job, slots);
}

void pn_scheduler_feed_back(pn_scheduler_view *view, uint32_t job)
{
    pn_slots slots[PN_SCHEDULER_KINDS];
    if (view->phase != PN_SCHEDULER_PHASE_LEAVE || job != view->subject || !records(view))
        return;
    view->s->totals.feedback_fired++;
    start_behind(view, predecessor(view, view->turns[job].ahead), slots);
    end_all(view, job, slots);
    record(view, job, slots);
    settle_behind(view, view->turns[job].behind, slots);
}
