/* The engine of priorities (TA7, TA8): the map station serves the first job of its order, and the
 * shuffle station serves that job as it generates, the first job with backlog, or both. So two jobs
 * at most are served, and only their keys move. Most policies run on this and spend most of their
 * time here; step.c alone includes it, so that all of an instant is one function. */
#ifndef PN_TANDEM_FIRST_H
#define PN_TANDEM_FIRST_H

#include "state.h"

/* What one instant of a run does is one function, whatever the compiler thinks of its size. */
#if defined(__GNUC__)
#define INLINE inline __attribute__((always_inline))
#else
#define INLINE inline
#endif

static INLINE const pn_heap *first_maps(const pn_tandem_view *view)
{
    return &view->heaps[view->map_order];
}

static INLINE const pn_heap *first_backlogs(const pn_tandem_view *view)
{
    return &view->heaps[view->shuffle_order];
}

static INLINE void first_push(const pn_tandem_view *view, uint32_t order, uint32_t place)
{
    uint64_t word[2];
    pn_tandem_words(view, order, place, word);
    pn_heap_push(&view->heaps[order], place, word);
}

/* ---- advancing ---- */

static INLINE double first_next_end(const pn_tandem_view *view, const pn_tandem_first_state *first)
{
    double span = PN_TANDEM_NEVER;
    if (first->mapped != PN_NO_JOB) {
        const pn_tandem_entry *job = &view->jobs[first->mapped];
        /* the usual speed costs no division */
        span = view->sim->config.speed == 1.0 ? job->map_left
                                              : job->map_left / view->sim->config.speed;
        if (first->growth < 0.0) {
            double end = job->backlog / -first->growth;
            span = end < span ? end : span;
        }
    }
    if (first->drain > 0.0) {
        double end = view->jobs[first->drained].backlog / first->drain;
        span = end < span ? end : span;
    }
    return span;
}

static INLINE void first_rekey(const pn_tandem_view *view, uint32_t order, uint32_t place)
{
    uint64_t word[2];
    if (!view->served_keys[order])
        return;
    pn_tandem_words(view, order, place, word);
    pn_heap_update(&view->heaps[order], place, word);
}

/* Renews the key of the first of an order likewise. Served work only shrinks, so with a key the
 * kernel knows it stays the first. */
static INLINE void first_rekey_top(const pn_tandem_view *view, uint32_t order, uint32_t place)
{
    pn_heap_entry *top = &view->heaps[order].entry[0];
    if (view->kinds[order] == PN_TANDEM_KEY_OTHER)
        first_rekey(view, order, place);
    else
        pn_tandem_words(view, order, place, top->word);
}

static INLINE void first_lose_shuffle(pn_tandem_entry *job, double amount)
{
    job->shuffle_left = pn_tandem_positive(job->shuffle_left - amount);
}

/* Serves the first with backlog, when it is not being mapped. */
static INLINE void first_drain(pn_tandem_view *view, const pn_tandem_first_state *first,
                               double span, double tolerance)
{
    pn_tandem_entry *job = &view->jobs[first->drained];
    double left = job->backlog - first->drain * span;
    first_lose_shuffle(job, first->drain * span);
    job->backlog = left > first->drain * tolerance ? left : 0.0;
}

/* Ends the map when the last map work is done: without overlap all shuffle work is there now (TA4).
 * With it all is generated, whatever the rounding of the instant's time leaves out or counts twice,
 * and what is left is backlog, unless it ends within the tolerance (TA21). */
static INLINE void first_end_map(pn_tandem_view *view, const pn_tandem_first_state *first,
                                 pn_tandem_entry *job, double span, double tolerance)
{
    double backlog = job->backlog + (job->map_left * job->ratio - first->flow * span);
    bool flows = first->growth == 0.0 && job->backlog == 0.0;
    backlog = flows || backlog <= first->flow * tolerance ? 0.0 : backlog;
    job->map_left = 0.0;
    job->mapped = view->sim->time;
    job->backlog = view->sim->config.traditional ? job->shuffle : backlog;
    job->shuffle_left = job->backlog;
}

/* Serves the first of the map order, at both stations. */
static INLINE void first_map(pn_tandem_view *view, const pn_tandem_first_state *first, double span,
                             double tolerance)
{
    double speed = view->sim->config.speed;
    pn_tandem_entry *job = &view->jobs[first->mapped];
    double left = job->map_left - speed * span;
    if (left <= speed * tolerance) {
        first_end_map(view, first, job, span, tolerance);
        return;
    }
    job->map_left = left;
    job->backlog += first->growth * span; /* exactly nothing when it does not grow */
    if (first->growth < 0.0 && job->backlog <= -first->growth * tolerance)
        job->backlog = 0.0;
    first_lose_shuffle(job, first->flow * span);
}

/* Puts a job that was served, as it was, where it belongs in the shuffle order. */
static INLINE void first_place_backlog(pn_tandem_view *view, uint32_t place, bool had, bool top)
{
    bool has = view->jobs[place].backlog > 0.0;
    if (had && has && top)
        first_rekey_top(view, view->shuffle_order, place);
    else if (had && has)
        first_rekey(view, view->shuffle_order, place);
    else if (had)
        pn_heap_remove(first_backlogs(view), place);
    else if (has)
        first_push(view, view->shuffle_order, place);
}

static INLINE void first_done(pn_tandem_view *view, uint32_t place)
{
    if (view->jobs[place].map_left == 0.0 && view->jobs[place].backlog == 0.0)
        pn_tandem_done(view, place);
}

/* Serves for `span` up to the instant that sim->now has become. Each order's first is advanced
 * before anything else in that order moves, as it is found at the top. */
static INLINE void first_advance(pn_tandem_view *view, double span, double tolerance)
{
    uint32_t mapped = view->sim->first.mapped;
    uint32_t drained = view->sim->first.drained;
    if (drained != PN_NO_JOB) {
        first_drain(view, &view->sim->first, span, tolerance);
        view->sim->backlog_summed = 0;
        first_place_backlog(view, drained, true, true);
    }
    if (mapped != PN_NO_JOB) {
        bool had = view->jobs[mapped].backlog > 0.0;
        first_map(view, &view->sim->first, span, tolerance);
        view->sim->backlog_summed = 0;
        view->joining = &view->jobs[mapped];
        if (view->jobs[mapped].map_left > 0.0)
            first_rekey_top(view, view->map_order, mapped);
        else
            pn_heap_pop(first_maps(view));
        first_place_backlog(view, mapped, had, false);
        view->joining = NULL;
        first_done(view, mapped);
    }
    if (drained != PN_NO_JOB) {
        if (view->jobs[drained].map_left > 0.0)
            first_rekey(view, view->map_order, drained);
        first_done(view, drained);
    }
}

/* ---- rates ---- */

/* Returns whether a job without backlog, the first of the map order, stands before the first with
 * backlog in the shuffle order. */
static INLINE bool first_stands_before(const pn_tandem_view *view, uint32_t place,
                                       const pn_heap *backlogs)
{
    pn_heap_entry entry = {.item = place};
    if (view->same_keys)
        entry = first_maps(view)->entry[0];
    else
        pn_tandem_words(view, view->shuffle_order, place, entry.word);
    return pn_heap_before(backlogs, &entry, &backlogs->entry[0]);
}

/* Shares out what each station gives: to the job mapped, which stands before the one drained or
 * not, and to the first with backlog. */
static INLINE void first_share_out(pn_tandem_view *view, pn_tandem_first_state *first,
                                   uint32_t mapped, uint32_t drained, bool before)
{
    double rest = view->sim->config.speed;
    double flow = 0.0;
    double generation = 0.0;
    if (mapped != PN_NO_JOB) {
        generation = rest * view->jobs[mapped].ratio;
        if (mapped == drained)
            flow = rest;
        else if (before)
            flow = generation < rest ? generation : rest;
        rest -= flow;
    }
    /* Bits, not branches: nobody can predict these. */
    bool drains = (drained != PN_NO_JOB) & (drained != mapped) & (rest > 0.0);
    drained = drains ? drained : PN_NO_JOB;
    double drain = drains ? rest : 0.0;
    double map_rate = mapped != PN_NO_JOB ? view->sim->config.speed : 0.0;
    view->was_mapped = first->mapped;
    view->was_drained = first->drained;
    view->changed = (mapped != first->mapped) | (drained != first->drained) |
                    (flow != first->flow) | (drain != first->drain);
    first->mapped = mapped;
    first->drained = drained;
    first->map_rate = map_rate;
    first->flow = flow;
    first->growth = generation - flow;
    first->drain = drain;
}

/* Sets all rates anew. */
static INLINE void first_set_rates(pn_tandem_view *view, pn_tandem_first_state *first)
{
    const pn_heap *maps = first_maps(view);
    const pn_heap *backlogs = first_backlogs(view);
    uint32_t mapped = maps->state->count > 0 ? maps->entry[0].item : PN_NO_JOB;
    uint32_t drained = backlogs->state->count > 0 ? backlogs->entry[0].item : PN_NO_JOB;
    bool before = mapped != PN_NO_JOB && view->jobs[mapped].backlog == 0.0 &&
                  (drained == PN_NO_JOB || first_stands_before(view, mapped, backlogs));
    first_share_out(view, first, mapped, drained, before);
}

#endif
