/* The engine of priorities once more, for the policies that need least: one order for both
 * stations, sorted by a key that the kernel knows, and nobody who could ask for the order
 * meanwhile. Known keys only fall while a job is served. So three lines of jobs, each job in one of
 * them, are enough instead of two overlapping orders, and only their first jobs are ever touched:
 *
 *   generating   X > 0, B = 0      the map station serves the first of these two lines,
 *   both         X > 0, B > 0
 *   backlog      X = 0, B > 0      the shuffle station the first of these two, and the mapped job
 *                                  as it generates
 *
 * By id alone jobs come and go in order of arrival: then the lines are rings. Jobs without map work
 * have a line of their own, as they would come between those that are mapped.
 *
 * The arithmetic is that of first.h: both engines make the same schedules, bit by bit. */
#ifndef PN_TANDEM_LINES_H
#define PN_TANDEM_LINES_H

#include "first.h"

/* What an instant is compiled for: any policy, or lines sorted by one key. */
typedef enum run_mode {
    RUN_ANY = PN_TANDEM_KEY_OTHER,
    RUN_BY_ID = PN_TANDEM_KEY_ID,
    RUN_BY_LONGEST,
    RUN_BY_MAP,
    RUN_BY_SUM
} run_mode;

_Static_assert((int)RUN_BY_LONGEST == PN_TANDEM_KEY_LONGEST && (int)RUN_BY_SUM == PN_TANDEM_KEY_SUM,
               "a mode for each key");

/* ---- lines ---- */

static INLINE uint32_t line_count(const pn_tandem_view *view, int line)
{
    return view->lines[line].state->count;
}

static INLINE const pn_heap_entry *line_first(const pn_tandem_view *view, int line, run_mode mode)
{
    const pn_heap *heap = &view->lines[line];
    return &heap->entry[mode == RUN_BY_ID ? heap->state->head : 0];
}

static INLINE void line_pop(const pn_tandem_view *view, int line, run_mode mode)
{
    const pn_heap *heap = &view->lines[line];
    pn_heap_state *state = heap->state;
    if (mode != RUN_BY_ID) {
        pn_heap_pop(heap);
        return;
    }
    PN_ASSERT(state->count > 0);
    state->head = state->head + 1 == state->capacity ? 0 : state->head + 1;
    state->count--;
}

/* Puts a job back by id: one that has been served goes back to the front it came from, one that has
 * not been goes to the end. */
static INLINE void line_push(const pn_tandem_view *view, int line, uint32_t place, bool front,
                             run_mode mode)
{
    const pn_heap *heap = &view->lines[line];
    pn_heap_state *state = heap->state;
    view->jobs[place].line = (uint8_t)line;
    if (mode != RUN_BY_ID) {
        uint64_t word[2] = {0, view->jobs[place].id};
        pn_tandem_known_key(&view->jobs[place], (enum pn_tandem_key_kind)mode, word);
        pn_heap_push(heap, place, word);
        return;
    }
    PN_ASSERT(state->count < state->capacity);
    uint32_t at = state->head + state->count;
    if (front)
        at = state->head = state->head == 0 ? state->capacity - 1 : state->head - 1;
    else
        at = at >= state->capacity ? at - state->capacity : at;
    state->count++;
    heap->entry[at].item = place;
}

/* Returns whether the first job of one line precedes that of another; neither is empty. */
static INLINE bool line_before(const pn_tandem_view *view, int a, int b, run_mode mode)
{
    const pn_heap_entry *first = line_first(view, a, mode);
    const pn_heap_entry *second = line_first(view, b, mode);
    if (mode == RUN_BY_ID)
        return view->jobs[first->item].id < view->jobs[second->item].id;
    return pn_heap_before(&view->lines[a], first, second);
}

/* Returns, of two lines, the one whose first job comes first; either may be empty, the first one
 * also none (LINES). */
static INLINE int line_of_first(const pn_tandem_view *view, int a, int b, run_mode mode)
{
    if (line_count(view, b) == 0)
        return a == PN_TANDEM_LINES || line_count(view, a) == 0 ? PN_TANDEM_LINES : a;
    if (a == PN_TANDEM_LINES || line_count(view, a) == 0)
        return b;
    return line_before(view, a, b, mode) ? a : b;
}

/* Returns where a job belongs: nowhere (PN_TANDEM_LINES) when it is complete. */
static INLINE int line_of(const pn_tandem_entry *job, run_mode mode)
{
    int backlogs = mode == RUN_BY_ID && job->map == 0.0 ? PN_TANDEM_LINE_MAPLESS
                                                        : PN_TANDEM_LINE_BACKLOG;
    if (job->map_left > 0.0)
        return job->backlog > 0.0 ? PN_TANDEM_LINE_BOTH : PN_TANDEM_LINE_GENERATING;
    return job->backlog > 0.0 ? backlogs : PN_TANDEM_LINES;
}

/* ---- an instant ---- */

static INLINE void lines_enter(pn_tandem_view *view, uint32_t place, run_mode mode)
{
    line_push(view, line_of(&view->jobs[place], mode), place, false, mode);
}

/* Takes the first job, which was served, out of a line: it has another key now, or leaves for the
 * line that is returned. */
static INLINE int leave_line(pn_tandem_view *view, uint32_t place, run_mode mode)
{
    const pn_tandem_entry *job = &view->jobs[place];
    int line = line_of(job, mode);
    if (line != job->line)
        line_pop(view, job->line, mode);
    else if (mode != RUN_BY_ID)
        pn_tandem_known_key(job, (enum pn_tandem_key_kind)mode, view->lines[line].entry[0].word);
    return line;
}

static INLINE void join_line(pn_tandem_view *view, uint32_t place, int line, run_mode mode)
{
    if (line == PN_TANDEM_LINES)
        pn_tandem_done(view, place);
    else if (line != view->jobs[place].line)
        line_push(view, line, place, line != PN_TANDEM_LINE_BACKLOG, mode);
}

/* Serves for `span` up to the instant that sim->now has become. */
static INLINE void lines_advance(pn_tandem_view *view, const pn_tandem_first_state *first,
                                 double span, double tolerance, run_mode mode)
{
    uint32_t mapped = first->mapped;
    uint32_t drained = first->drained;
    int mapped_line = PN_TANDEM_LINES;
    int drained_line = PN_TANDEM_LINES;
    if (drained != PN_NO_JOB) {
        first_drain(view, first, span, tolerance);
        drained_line = leave_line(view, drained, mode);
    }
    if (mapped != PN_NO_JOB) {
        first_map(view, first, span, tolerance);
        mapped_line = leave_line(view, mapped, mode);
        join_line(view, mapped, mapped_line, mode);
    }
    if (drained != PN_NO_JOB)
        join_line(view, drained, drained_line, mode);
}

/* Sets all rates anew. */
static INLINE void lines_set_rates(pn_tandem_view *view, pn_tandem_first_state *first,
                                   run_mode mode)
{
    int maps = line_of_first(view, PN_TANDEM_LINE_GENERATING, PN_TANDEM_LINE_BOTH, mode);
    int drains = line_of_first(view, PN_TANDEM_LINE_BOTH, PN_TANDEM_LINE_BACKLOG, mode);
    if (mode == RUN_BY_ID)
        drains = line_of_first(view, drains, PN_TANDEM_LINE_MAPLESS, mode);
    uint32_t mapped = maps == PN_TANDEM_LINES ? PN_NO_JOB : line_first(view, maps, mode)->item;
    uint32_t drained = drains == PN_TANDEM_LINES ? PN_NO_JOB : line_first(view, drains, mode)->item;
    bool before = maps == PN_TANDEM_LINE_GENERATING &&
                  (drains == PN_TANDEM_LINES || line_before(view, maps, drains, mode));
    first_share_out(view, first, mapped, drained, before);
}

#endif
