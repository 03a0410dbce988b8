/* The order of jobs with deadlines: those that have started, as they did, then the others by key
 * (CL21); which jobs that are over are remembered in it, and which reduces must wait for jobs ahead
 * (CL24). */
#include "state.h"

/* ---- the order ---- */

uint32_t pn_scheduler_following(const pn_scheduler_view *view, uint32_t link)
{
    return link == 0 ? view->s->first_in_order : view->turns[link - 1].behind;
}

static pn_chain chain_of(pn_scheduler_view *view)
{
    return PN_CHAIN(&view->s->first_in_order, &view->s->last_in_order, view->turns, ahead, behind);
}

/* Puts the job behind that of the link, 0 = first of all. */
void pn_scheduler_insert(pn_scheduler_view *view, uint32_t job, uint32_t ahead)
{
    pn_chain_insert(chain_of(view), job, ahead);
}

static void take_out(pn_scheduler_view *view, uint32_t job)
{
    if (view->s->last_started == job + 1)
        view->s->last_started = view->turns[job].ahead;
    pn_chain_remove(chain_of(view), job);
}

/* Returns the job behind which one that arrives now is put, as a link: behind all that have
 * started, and by key behind those that have not (CL21); with the same key the earlier job is
 * ahead. O(jobs behind it). */
uint32_t pn_scheduler_place_of(const pn_scheduler_view *view, uint32_t job)
{
    const uint64_t *word = view->jobs[job].key[PN_SCHEDULER_MAP].word;
    uint32_t ahead = view->s->last_in_order;
    while (ahead != view->s->last_started &&
           pn_words_before(word, view->jobs[ahead - 1].key[PN_SCHEDULER_MAP].word))
        ahead = view->turns[ahead - 1].ahead;
    return ahead;
}

/* Starts a job with its first map: no job is put ahead of it any more. */
void pn_scheduler_start(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler *s = view->s;
    view->turns[job].started = ++s->started;
    take_out(view, job);
    pn_scheduler_insert(view, job, s->last_started);
    s->last_started = job + 1;
    pn_scheduler_key(view, job);
}

/* ---- what is remembered of jobs that are over ---- */

static bool needed(const pn_scheduler_view *view, uint32_t job)
{
    const pn_scheduler_turn *turn = &view->turns[job];
    const pn_scheduler_admission *admission = &view->s->admission;
    if (admission->ended_feedback && turn->ahead != 0)
        return true;
    return admission->ended_predecessors &&
           (turn->behind == 0 || !view->jobs[turn->behind - 1].ended);
}

static void drop_unneeded(pn_scheduler_view *view, uint32_t job)
{
    if (!view->jobs[job].ended || needed(view, job))
        return;
    take_out(view, job);
    pn_scheduler_free_place(view, job);
    view->s->remembered--;
}

/* Retires a job that is over. Those that are remembered may be needed as predecessors (CL22, keep),
 * by their successors, or by feedback that goes through them (CL25, satu), while a job ahead of
 * them is not over. */
void pn_scheduler_retire(pn_scheduler_view *view, uint32_t job)
{
    view->s->remembered++;
    uint32_t ahead = view->turns[job].ahead;
    drop_unneeded(view, job);
    if (ahead != 0)
        drop_unneeded(view, ahead - 1);
    for (uint32_t first; (first = view->s->first_in_order) != 0;) {
        drop_unneeded(view, first - 1);
        if (view->s->first_in_order == first)
            break;
    }
}

/* ---- reserved slots (CL24, Algorithm IV) ---- */

/* Returns what a job ahead whose maps are not done keeps of the free reduce slots. With forecasts
 * only its pending reduces count: where outputs of maps were lost, others run. */
static uint64_t kept_for(const pn_scheduler_view *view, uint32_t job)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    if (view->s->admission.reserve == PN_SCHEDULER_RESERVE_STRICT)
        return UINT32_MAX;
    return pn_scheduler_forecasts(view->s) ? entry->waiting[PN_SCHEDULER_REDUCE]
                                           : entry->tasks[PN_SCHEDULER_REDUCE];
}

/* Returns whether a reduce of this job, the first in the order that has one ready, leaves enough
 * free for the jobs ahead of it. O(jobs ahead of it in the order). */
bool pn_scheduler_may_reduce(const pn_scheduler_view *view, uint32_t job)
{
    uint64_t most = view->s->free_slots[PN_SCHEDULER_REDUCE];
    uint32_t reserve = view->s->admission.reserve;
    if (reserve == PN_SCHEDULER_RESERVE_NONE)
        return true;
    /* The slot of the reduce itself counts, except by RESERVE_LESS. */
    uint64_t reserved = reserve != PN_SCHEDULER_RESERVE_LESS;
    for (uint32_t next = view->s->first_in_order; next != job + 1 && reserved <= most;
         next = view->turns[next - 1].behind) {
        const pn_scheduler_entry *entry = &view->jobs[next - 1];
        if (!entry->ended && entry->done[PN_SCHEDULER_MAP] < entry->tasks[PN_SCHEDULER_MAP])
            reserved += kept_for(view, next - 1);
    }
    return reserved <= most;
}
