/* Which job gets the slot: the candidates for each kind of slot, kept in the order of the policy's
 * keys, in two sets when there are shares - those below theirs, and the others. */
#include "state.h"

/* ---- membership ---- */

/* Computes the key of a job. Jobs that have started are ordered by when they did. */
static void scheduler_compute_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    uint64_t started = pn_scheduler_start_number(view, job);
    entry->key[kind] = (pn_key){{started, entry->id}};
    if (view->policy->key && view->s->fleet.failure == 0 && started == 0)
        view->policy->key(view, job, kind, &entry->key[kind]);
}

void pn_scheduler_compute_keys(const pn_scheduler_view *view, uint32_t job)
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        scheduler_compute_key(view, job, kind);
}

uint32_t pn_scheduler_rank_of(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    if (view->s->order.started_first)
        return pn_scheduler_start_number(view, job) > 0 ? PN_SCHEDULER_HAS_STARTED
                                                        : PN_SCHEDULER_HAS_NOT_STARTED;
    bool shares = view->s->order.shares != PN_SCHEDULER_SHARES_NONE;
    return shares && entry->running[kind] >= entry->share[kind] ? PN_SCHEDULER_AT_SHARE
                                                                : PN_SCHEDULER_BELOW_SHARE;
}

/* Puts the job where it belongs after anything about its tasks of this kind, its share or its key
 * has changed. */
void pn_scheduler_settle(pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    bool candidate = pn_scheduler_is_open(view, job, kind) &&
                     (pn_scheduler_waiting_of(view->s, entry, kind) > 0 ||
                      entry->suspended[kind] > 0),
         present = entry->place[kind] != 0;
    uint32_t rank = pn_scheduler_rank_of(view, job, kind);
    if (present && (!candidate || entry->ranked[kind] != rank)) {
        pn_heap_remove(&view->candidates[kind][entry->ranked[kind]], job);
        present = false;
    }
    entry->ranked[kind] = (uint8_t)rank;
    if (candidate && present)
        pn_heap_update(&view->candidates[kind][rank], job, entry->key[kind].word);
    else if (candidate)
        pn_heap_push(&view->candidates[kind][rank], job, entry->key[kind].word);
}

void pn_scheduler_reorder(pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    uint32_t keys = view->s->order.keys;
    if (keys == PN_SCHEDULER_KEYS_SERVED || keys == PN_SCHEDULER_KEYS_TIMED)
        scheduler_compute_key(view, job, kind);
    pn_scheduler_settle(view, job, kind);
    /* What runs of one kind counts for the other one, too. */
    uint32_t other = PN_SCHEDULER_REDUCE - kind;
    if (view->s->config.running_most == 0)
        return;
    if (keys == PN_SCHEDULER_KEYS_TIMED)
        scheduler_compute_key(view, job, other);
    pn_scheduler_settle(view, job, other);
}

void pn_scheduler_unorder(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        if (entry->place[kind] != 0)
            pn_heap_remove(&view->candidates[kind][entry->ranked[kind]], job);
        if (view->s->restrains && view->terms[job].held[kind] != 0)
            pn_heap_remove(&view->held[kind], job);
    }
}

/* Releases jobs that were held back until now, which may have slots. */
void pn_scheduler_release(pn_scheduler_view *view)
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        while (view->held[kind].state->count > 0 &&
               view->held[kind].entry[0].word[0] <= view->now) {
            uint32_t job = view->held[kind].entry[0].item;
            pn_heap_pop(&view->held[kind]);
            view->terms[job].opens[kind] = 0;
            pn_scheduler_settle(view, job, kind);
        }
}

void pn_scheduler_key(pn_scheduler_view *view, uint32_t job)
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        scheduler_compute_key(view, job, kind);
        pn_scheduler_settle(view, job, kind);
    }
}

void pn_scheduler_announce_opening(const pn_scheduler_view *view)
{
    uint64_t next = pn_scheduler_next_opening(view->s);
    if (next != PN_SCHEDULER_NEVER && view->hooks->wake_at && !view->s->asking)
        view->hooks->wake_at(view->hooks->user, next);
}

/* Renews the keys after a plan: shares have changed, keys may have. */
void pn_scheduler_key_all(pn_scheduler_view *view)
{
    bool keys = view->s->order.keys == PN_SCHEDULER_KEYS_PLANNED;
    for (uint32_t job = view->s->fleet.first_job; job != 0; job = view->jobs[job - 1].after)
        for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
            if (keys)
                scheduler_compute_key(view, job - 1, kind);
            pn_scheduler_settle(view, job - 1, kind);
        }
}

/* Renews keys that move with time: those of all candidates, once an instant. O(candidates). */
static void scheduler_renew(pn_scheduler_view *view, uint32_t kind)
{
    if (view->s->order.keys != PN_SCHEDULER_KEYS_TIMED || view->s->timed[kind] == view->now + 1)
        return;
    view->s->timed[kind] = view->now + 1;
    for (uint32_t rank = 0; rank < PN_SCHEDULER_RANKS; rank++) {
        const pn_heap *heap = &view->candidates[kind][rank];
        for (uint32_t i = 0; i < heap->state->count; i++) {
            scheduler_compute_key(view, heap->entry[i].item, kind);
            heap->entry[i].word[0] = view->jobs[heap->entry[i].item].key[kind].word[0];
            heap->entry[i].word[1] = view->jobs[heap->entry[i].item].key[kind].word[1];
        }
        pn_heap_rebuild(heap);
    }
}

/* ---- picking ---- */

/* Returns whether CL16 delays a job. The time at which a job was first delayed is remembered: its
 * waiting is counted from it. */
static bool delayed(pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    if (pn_scheduler_local_map(view, job, node) != UINT32_MAX) {
        entry->skip_since = PN_SCHEDULER_NEVER;
        return false;
    }
    if (entry->skip_since == PN_SCHEDULER_NEVER)
        entry->skip_since = view->now;
    uint64_t until = entry->skip_since + view->s->config.locality_delay_ms;
    if (view->now >= until)
        return false;
    if (view->hooks->wake_at)
        view->hooks->wake_at(view->hooks->user, until);
    return true;
}

/* Returns the first node >= from with a free reduce slot near the job's maps, nodes when there is
 * none. */
static uint32_t next_affine(const pn_scheduler_view *view, uint32_t job, uint32_t from)
{
    const pn_scheduler *s = view->s;
    if (pn_scheduler_nodes_known(view, job) < s->free_nodes_count[PN_SCHEDULER_REDUCE])
        return pn_scheduler_next_affine(view, job, from);
    uint32_t node = pn_scheduler_next_free(s, PN_SCHEDULER_REDUCE, from);
    while (node < s->nodes_count && !pn_scheduler_has_affinity(view, job, node))
        node = pn_scheduler_next_free(s, PN_SCHEDULER_REDUCE, node + 1);
    return node;
}

/* Returns whether the node is far from the job's maps while a reduce slot near them is free
 * (CL19). */
static bool misplaced(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    return !pn_scheduler_has_affinity(view, job, node) &&
           next_affine(view, job, 0) < view->s->nodes_count;
}

static bool refused(pn_scheduler_view *view, uint32_t job, uint32_t node, uint32_t kind)
{
    if (kind == PN_SCHEDULER_MAP)
        return view->s->order.delays && view->s->config.locality_delay_ms > 0 &&
               delayed(view, job, node);
    return view->s->order.colocates && misplaced(view, job, node);
}

/* Returns the first job of the set that is not refused; *asked becomes true when there is any with
 * a task for this node. */
static uint32_t scheduler_first_of(pn_scheduler_view *view, const pn_heap *heap, uint32_t node,
                                   uint32_t kind, bool *asked)
{
    pn_heap_walk walk;
    pn_heap_walk_start(&walk, heap, pn_at(view->s, view->s->walk), view->s->jobs_max);
    for (const pn_heap_entry *entry; (entry = pn_heap_walk_peek(&walk)) != NULL;
         pn_heap_walk_next(&walk)) {
        uint32_t job = entry->item;
        bool resumed = pn_scheduler_resumes(view, job, kind, node),
             pending = pn_scheduler_pending_of(view->s, &view->jobs[job], kind) > 0;
        *asked |= resumed || pending;
        if (resumed || (pending && !refused(view, job, node, kind)))
            return job;
    }
    return PN_NO_JOB;
}

/* Returns the first candidate. Those at their share come only when none is below that has a task
 * for this node. */
static uint32_t first_candidate(pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    bool asked = false;
    uint32_t job = scheduler_first_of(view, &view->candidates[kind][PN_SCHEDULER_BELOW_SHARE], node,
                                      kind, &asked);
    if (asked || view->s->order.shares == PN_SCHEDULER_SHARES_STRICT)
        return job;
    return scheduler_first_of(view, &view->candidates[kind][PN_SCHEDULER_AT_SHARE], node, kind,
                              &asked);
}

static bool wants_task(const pn_scheduler *s, uint32_t kind)
{
    bool strict = s->order.shares == PN_SCHEDULER_SHARES_STRICT && !s->picks;
    return s->candidates[kind][PN_SCHEDULER_BELOW_SHARE].count > 0 ||
           (!strict && s->candidates[kind][PN_SCHEDULER_AT_SHARE].count > 0);
}

/* Returns whether some kind has no free slot and a job with a task for one (CL43). */
bool pn_scheduler_is_saturated(const pn_scheduler *s)
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        if (s->free_slots[kind] == 0 && s->candidates[kind][PN_SCHEDULER_BELOW_SHARE].count +
                                                s->candidates[kind][PN_SCHEDULER_AT_SHARE].count >
                                            0)
            return true;
    return false;
}

/* Returns whether there is a task with one running attempt, and a policy that launches second
 * ones. */
static bool wants_copy(const pn_scheduler *s, uint32_t kind)
{
    return s->copier && pn_scheduler_in_slots(s, kind) > 2 * s->copied[kind];
}

static int pick_by_policy(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    *job = PN_NO_JOB;
    int status = view->policy->pick(view, node, kind, job);
    if (status < 0 || *job == PN_NO_JOB)
        return status < 0 ? status : PN_OK;
    if (*job >= view->s->jobs_max || view->jobs[*job].id == 0)
        return PN_ERR_INFEASIBLE;
    const pn_scheduler_entry *entry = &view->jobs[*job];
    bool has_task = pn_scheduler_pending_of(view->s, entry, kind) > 0 ||
                    pn_scheduler_resumes(view, *job, kind, node);
    return has_task && pn_scheduler_is_open(view, *job, kind) ? PN_OK : PN_ERR_INFEASIBLE;
}

/* Returns the set that is tried: those at their share only when none is below. */
static uint32_t first_rank(const pn_scheduler *s, uint32_t kind)
{
    return s->candidates[kind][PN_SCHEDULER_BELOW_SHARE].count > 0 ? PN_SCHEDULER_BELOW_SHARE
                                                                   : PN_SCHEDULER_AT_SHARE;
}

int pn_scheduler_pick(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    *job = PN_NO_JOB;
    if (!wants_task(view->s, kind))
        return PN_OK;
    if (view->policy->pick)
        return pick_by_policy(view, node, kind, job);
    scheduler_renew(view, kind);
    *job = first_candidate(view, node, kind);
    if (*job != PN_NO_JOB && kind == PN_SCHEDULER_REDUCE && !pn_scheduler_may_reduce(view, *job))
        *job = PN_NO_JOB;
    return view->s->fleet.failure;
}

/* Picks the attempt of which the policy wants a second one on the node (CL37). */
int pn_scheduler_pick_copy(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    *place = PN_SCHEDULER_NO_ATTEMPT;
    if (view->s->fleet.failure != 0 || !wants_copy(view->s, kind))
        return view->s->fleet.failure;
    int status = view->policy->copy(view, node, kind, place);
    if (status < 0 || *place == PN_SCHEDULER_NO_ATTEMPT)
        return status;
    if (*place >= view->s->places_max)
        return PN_ERR_INFEASIBLE;
    const pn_scheduler_attempt *attempt = &view->attempts[*place];
    bool alone = attempt->busy && !attempt->suspended && attempt->twin == 0;
    return alone && attempt->kind == kind && attempt->node != node &&
                   pn_scheduler_may_run(view, attempt->job, kind)
               ? PN_OK
               : PN_ERR_INFEASIBLE;
}

/* ---- queries ---- */

int pn_scheduler_wants(const pn_scheduler *scheduler, uint32_t kind)
{
    return kind < PN_SCHEDULER_KINDS &&
           (wants_task(scheduler, kind) || wants_copy(scheduler, kind));
}

/* Returns the next node by CL19: a job takes a reduce slot near its maps, or any when there is no
 * free one near them. */
uint32_t pn_scheduler_next_wanted(const pn_scheduler *scheduler, uint32_t kind, uint32_t from)
{
    pn_scheduler_view view;
    bool reserves = scheduler->admission.reserve != PN_SCHEDULER_RESERVE_NONE;
    uint32_t next = scheduler->nodes_count;
    if (!pn_scheduler_wants(scheduler, kind))
        return next;
    bool anywhere = kind == PN_SCHEDULER_MAP || scheduler->picks || scheduler->copier ||
                    scheduler->suspended[kind] > 0;
    if (anywhere || (!scheduler->order.colocates && !reserves))
        return pn_scheduler_next_free(scheduler, kind, from);
    pn_scheduler_view_build(&view, scheduler, NULL);
    const pn_heap *tried = &view.candidates[kind][first_rank(scheduler, kind)];
    if (reserves)
        return pn_scheduler_may_reduce(&view, tried->entry[0].item)
                   ? pn_scheduler_next_free(scheduler, kind, from)
                   : next;
    for (uint32_t i = 0; i < tried->state->count; i++) {
        uint32_t node = next_affine(&view, tried->entry[i].item, from);
        if (node == scheduler->nodes_count &&
            (from == 0 || next_affine(&view, tried->entry[i].item, 0) == node))
            return pn_scheduler_next_free(scheduler, kind, from);
        next = (uint32_t)pn_min(next, node);
    }
    return next;
}

/* Returns the first of the set with a pending task; null when there is none. */
static const pn_heap_entry *first_pending(pn_scheduler_view *view, const pn_heap *heap,
                                          uint32_t kind)
{
    pn_heap_walk walk;
    const pn_heap_entry *entry;
    pn_heap_walk_start(&walk, heap, pn_at(view->s, view->s->walk), view->s->jobs_max);
    while ((entry = pn_heap_walk_peek(&walk)) != NULL &&
           pn_scheduler_pending_of(view->s, &view->jobs[entry->item], kind) == 0)
        pn_heap_walk_next(&walk);
    return entry;
}

uint32_t pn_scheduler_first(pn_scheduler_view *view, uint32_t kind)
{
    const pn_heap *heap = &view->candidates[kind][PN_SCHEDULER_BELOW_SHARE];
    scheduler_renew(view, kind);
    const pn_heap_entry *below = first_pending(view, heap, kind),
                        *at = first_pending(view, &view->candidates[kind][PN_SCHEDULER_AT_SHARE],
                                            kind);
    if (!below || !at)
        return below ? below->item : at ? at->item : PN_NO_JOB;
    return pn_heap_before(heap, below, at) ? below->item : at->item;
}
