/* What proves that a path leads nowhere: reasons why the jobs that remain cannot all end by the
 * deadline, given what the slots are loaded with. All of them are necessary conditions, so that no
 * schedule which meets the deadline is ever left out.
 *
 * Known of a path: the first stage of a job that remains ends, and its second stage starts, not
 * before the fullest slot of the first stage is free (see policy.c), call that moment `now`. */
#include "state.h"

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Returns what is not placed of a job's stage. */
static const pn_makespan_exact_stage *left_of(const pn_makespan_exact_search *s, uint32_t job,
                                              uint32_t stage)
{
    static const pn_makespan_exact_stage nothing;
    return stage == 0 && job + 1 == s->placing ? &nothing
                                               : pn_makespan_exact_stage_of(s, job, stage);
}

static uint64_t now_of(const pn_makespan_exact_search *s)
{
    return s->load[0][pn_makespan_exact_slots_of(s, 0) - 1];
}

uint64_t pn_makespan_exact_room(const uint64_t *load, uint32_t count, uint64_t from, uint64_t to,
                                uint64_t least)
{
    uint64_t room = 0;
    for (uint32_t m = 0; m < count; m++) {
        uint64_t free = pn_max(load[m], from);
        if (free >= to || to - free < least)
            break;
        room += to - free;
    }
    return room;
}

/* ---- one stage of one job ---- */

/* Returns whether so many tasks of this length or longer have their places between two times. */
static bool has_places(const uint64_t *load, uint32_t slots, uint64_t from, uint64_t to,
                       const pn_makespan_exact_stage *entry)
{
    uint64_t places = 0;
    for (uint32_t m = 0; m < slots && places < entry->count; m++) {
        uint64_t free = pn_max(load[m], from);
        if (free + entry->shortest > to)
            break;
        places += (to - free) / entry->shortest;
    }
    return places >= entry->count;
}

/* Returns when a stage by itself ends at the earliest. Of its i + 1 longest tasks one is on slot i
 * or above, or two share a slot. */
static uint64_t earliest(const pn_makespan_exact_search *s, uint32_t job, uint32_t stage,
                         uint64_t from)
{
    const pn_makespan_exact_stage *entry = left_of(s, job, stage);
    const uint64_t *load = s->load[stage];
    uint32_t slots = pn_makespan_exact_slots_of(s, stage);
    if (entry->count == 0)
        return from;
    uint64_t end = pn_max(load[0], from) + entry->alone;
    for (uint32_t i = 1; i < slots && i < entry->count; i++) {
        uint64_t time = pn_makespan_exact_task_of(s, job, stage, i)->time,
                 longer = pn_makespan_exact_task_of(s, job, stage, i - 1)->time;
        end = pn_max(end, pn_min(pn_max(load[i], from), pn_max(load[0], from) + longer) + time);
    }
    return end;
}

bool pn_makespan_exact_latest(const pn_makespan_exact_search *s, uint32_t job, uint64_t *release)
{
    const pn_makespan_exact_stage *entry = pn_makespan_exact_stage_of(s, job, 1);
    const uint64_t *load = s->load[1];
    uint32_t slots = pn_makespan_exact_slots_of(s, 1);
    uint64_t deadline = pn_makespan_exact_deadline(s), room;
    if (entry->alone > deadline || load[0] + entry->longest > deadline ||
        pn_makespan_exact_room(load, slots, 0, deadline, 0) < entry->work)
        return false;
    *release = deadline - entry->alone;
    /* Towards the past room grows by the number of slots that are free then, which only shrinks:
     * the steps end at the latest moment with enough of it. Each step but the last passes the load
     * of a slot. Before it some slots are free, as there is room enough at 0, but not all: in the
     * time of the stage alone all of them have room for its work. */
    while ((room = pn_makespan_exact_room(load, slots, *release, deadline, 0)) < entry->work) {
        uint32_t free = 0;
        while (load[free] <= *release)
            free++;
        *release -= divide_up(entry->work - room, free);
    }
    return true;
}

bool pn_makespan_exact_second_fits(const pn_makespan_exact_search *s, uint32_t job,
                                   uint64_t release)
{
    const pn_makespan_exact_stage *entry = pn_makespan_exact_stage_of(s, job, 1);
    uint64_t deadline = pn_makespan_exact_deadline(s);
    return entry->count == 0 ||
           (earliest(s, job, 1, release) <= deadline &&
            has_places(s->load[1], pn_makespan_exact_slots_of(s, 1), release, deadline, entry));
}

/* ---- all jobs as fluids ---- */

/* Computes Johnson's makespan of the work that remains, shared over all slots (the F* of MK31, of a
 * path): no order does better. A job whose first stage is placed is the first in Johnson's order,
 * whatever it was before. */
static bool fluid_fits(const pn_makespan_exact_search *s)
{
    uint64_t p = pn_makespan_exact_slots_of(s, 0), q = pn_makespan_exact_slots_of(s, 1);
    uint64_t most = pn_makespan_exact_deadline(s) * p * q, first = s->mapped, second = s->left[1];
    if (first * q + second * p > most)
        return false;
    if (s->placing > 0)
        second -= pn_makespan_exact_stage_of(s, s->placing - 1, 1)->work;
    for (uint32_t i = 0; i < s->jobs; i++) {
        uint32_t job = s->order[i];
        if (!pn_makespan_exact_remains(s, job) || job + 1 == s->placing)
            continue;
        first += pn_makespan_exact_stage_of(s, job, 0)->work;
        if (first * q + second * p > most)
            return false;
        second -= pn_makespan_exact_stage_of(s, job, 1)->work;
    }
    return true;
}

/* ---- windows: each job's first stage ends between two times ---- */

typedef struct windows {
    uint32_t count;
    /* jobs: latest head first, earliest due first */
    uint32_t by_head[PN_MAKESPAN_EXACT_JOBS], by_due[PN_MAKESPAN_EXACT_JOBS];
    uint64_t head[PN_MAKESPAN_EXACT_JOBS], due[PN_MAKESPAN_EXACT_JOBS]; /* by job */
} windows;

static bool open_window(const pn_makespan_exact_search *s, uint32_t job, uint64_t *head,
                        uint64_t *due)
{
    const pn_makespan_exact_stage *first = left_of(s, job, 0);
    uint32_t slots = pn_makespan_exact_slots_of(s, 0);
    /* all that is placed ends before it does */
    uint64_t fluid = divide_up(s->mapped + first->work, slots);
    *head = pn_max(now_of(s), pn_max(earliest(s, job, 0, 0), fluid));
    return pn_makespan_exact_latest(s, job, due) && *head <= *due &&
           pn_makespan_exact_second_fits(s, job, *head) &&
           (first->count == 0 || has_places(s->load[0], slots, 0, *due, first));
}

static void add_window(windows *w, uint32_t job)
{
    uint32_t i = w->count, j = w->count++;
    for (; i > 0 && w->head[w->by_head[i - 1]] < w->head[job]; i--)
        w->by_head[i] = w->by_head[i - 1];
    w->by_head[i] = job;
    for (; j > 0 && w->due[w->by_due[j - 1]] > w->due[job]; j--)
        w->by_due[j] = w->by_due[j - 1];
    w->by_due[j] = job;
}

/* Tasks of several jobs, the longest first. */
typedef struct crowd {
    uint64_t *time; /* room for PN_MAKESPAN_EXACT_TASKS */
    uint32_t count;
    uint64_t work;
} crowd;

static void exact_join(crowd *c, const pn_makespan_exact_search *s, uint32_t job, uint32_t stage)
{
    const pn_makespan_exact_stage *entry = left_of(s, job, stage);
    uint32_t old = c->count, more = entry->count;
    c->count += more;
    c->work += entry->work;
    while (more > 0) {
        uint64_t time = pn_makespan_exact_task_of(s, job, stage, more - 1)->time;
        bool shorter = old > 0 && c->time[old - 1] < time;
        c->time[old + more - 1] = shorter ? c->time[old - 1] : time;
        if (shorter)
            old--;
        else
            more--;
    }
}

/* Returns whether the k longest tasks have places, each slot taking as many as it can of the
 * shortest of them. */
static bool longest_fit(const crowd *c, uint32_t k, const uint64_t *load, uint32_t slots,
                        uint64_t from, uint64_t to)
{
    uint32_t places = 0;
    for (uint32_t m = 0; m < slots && places < k; m++) {
        uint64_t free = pn_max(load[m], from), room = free < to ? to - free : 0;
        uint32_t next = k;
        while (next > 0 && c->time[next - 1] <= room)
            room -= c->time[--next];
        if (next == k)
            break;
        places += k - next;
    }
    return places >= k;
}

static bool crowd_fits(const crowd *c, const uint64_t *load, uint32_t slots, uint64_t from,
                       uint64_t to)
{
    if (pn_makespan_exact_room(load, slots, from, to, 0) < c->work)
        return false;
    for (uint32_t k = 1; k <= c->count; k++)
        if ((k == c->count || c->time[k] < c->time[k - 1]) &&
            !longest_fit(c, k, load, slots, from, to))
            return false;
    return true;
}

/* Checks windows: all first stages that are due by a time have to fit before it, and all second
 * stages whose heads are late after these. */
static bool windows_fit(pn_makespan_exact_search *s)
{
    windows w = {.count = 0};
    crowd early = {.time = s->now.crowd[0]}, late = {.time = s->now.crowd[1]};
    for (uint32_t job = 0; job < s->jobs; job++) {
        if (!pn_makespan_exact_remains(s, job))
            continue;
        if (!open_window(s, job, &w.head[job], &w.due[job]))
            return false;
        add_window(&w, job);
    }
    for (uint32_t i = 0; i < w.count; i++) {
        uint32_t due = w.by_due[i], head = w.by_head[i];
        exact_join(&early, s, due, 0);
        exact_join(&late, s, head, 1);
        if (!crowd_fits(&early, s->load[0], pn_makespan_exact_slots_of(s, 0), 0, w.due[due]) ||
            !crowd_fits(&late, s->load[1], pn_makespan_exact_slots_of(s, 1), w.head[head],
                        pn_makespan_exact_deadline(s)))
            return false;
    }
    return true;
}

/* ---- pairs of jobs that want the same slots ---- */

/* How many tasks of b a slot loses for its first, second, … task of a; losses from LOSSES - 1 on
 * count as that. */
enum { LOSSES = 32, FEW = 4 };

typedef struct rival {
    const pn_makespan_exact_stage *stage;
    uint64_t due;
} rival;

/* Returns how many tasks a slot takes by then. */
static uint64_t exact_takes(const rival *of, uint64_t load)
{
    return load < of->due ? pn_min((of->due - load) / of->stage->shortest, of->stage->count) : 0;
}

/* Returns whether the slots have places for all tasks of a (as if these were as short as the
 * shortest one) and then for those of b: the places of a are taken where b loses least. A slot that
 * takes x tasks of a has room for tasks of b until the later due. */
static bool pair_fits(const uint64_t *load, uint32_t slots, const rival *a, const rival *b)
{
    uint32_t losses[LOSSES] = {0};
    uint64_t places_a = 0, places_b = 0, lost = 0, due = pn_max(a->due, b->due);
    for (uint32_t m = 0; m < slots; m++) {
        uint64_t most_a = exact_takes(a, load[m]), most_b = exact_takes(b, load[m]);
        places_a += most_a;
        places_b += most_b;
        for (uint64_t x = 1; x <= most_a; x++) {
            uint64_t rest = pn_min(most_b,
                                   (due - load[m] - x * a->stage->shortest) / b->stage->shortest);
            losses[pn_min(most_b - rest, LOSSES - 1)]++;
            most_b = rest;
        }
    }
    uint64_t wanted = a->stage->count;
    for (uint32_t loss = 0; loss < LOSSES && wanted > 0; loss++) {
        uint64_t count = pn_min(wanted, losses[loss]);
        lost += count * loss;
        wanted -= count;
    }
    return places_a >= a->stage->count && places_b >= lost + b->stage->count;
}

/* Checks pairs of jobs of which a slot takes a few tasks at most: only there do whole tasks differ
 * much from work. */
bool pn_makespan_exact_pairs_fit(const pn_makespan_exact_search *s)
{
    rival rivals[PN_MAKESPAN_EXACT_JOBS];
    uint32_t count = 0;
    for (uint32_t job = 0; job < s->jobs; job++) {
        const pn_makespan_exact_stage *first = left_of(s, job, 0);
        if (pn_makespan_exact_remains(s, job) && first->count > 0)
            rivals[count++] = (rival){first, pn_makespan_exact_deadline(s) -
                                                 pn_makespan_exact_stage_of(s, job, 1)->alone};
    }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count && FEW * rivals[a].stage->shortest >= rivals[a].due; b++)
            if (a != b &&
                !pair_fits(s->load[0], pn_makespan_exact_slots_of(s, 0), &rivals[a], &rivals[b]))
                return false;
    return true;
}

bool pn_makespan_exact_rest_fits(pn_makespan_exact_search *s)
{
    return fluid_fits(s) && windows_fit(s) && pn_makespan_exact_pairs_fit(s);
}
