/* The walk through all schedules of one side, without recursion: a path of choices, each of which
 * knows the next alternative. Job by job: which one, where each task of its first stage goes, where
 * each task of its second. Slots are alike, so that a choice is the load of a slot, not its number;
 * and equal tasks of a stage go in order of their starts, so that no two paths differ only in their
 * names. What else is left out, and why an optimum remains, is said in policy.c. */
#include "state.h"

enum { UNTRIED_PICK = 0 };
static const uint64_t UNTRIED = UINT64_MAX; /* a task's choice has no start yet */

/* ---- beginning ---- */

/* Applies Johnson's rule on fluid stages, jobs without the first stage before all others and those
 * without the second after them. `a` is behind `b` in the table, where such jobs are the last. */
static bool exact_precedes(const pn_makespan_exact_search *s, uint32_t a, uint32_t b)
{
    if (pn_makespan_exact_is_without(s, a, 0))
        return true;
    if (pn_makespan_exact_is_without(s, b, 0) || pn_makespan_exact_is_without(s, a, 1))
        return false;
    uint64_t p = pn_makespan_exact_slots_of(s, 0), q = pn_makespan_exact_slots_of(s, 1);
    uint64_t first_a = pn_makespan_exact_stage_of(s, a, 0)->work * q,
             second_a = pn_makespan_exact_stage_of(s, a, 1)->work * p;
    uint64_t first_b = pn_makespan_exact_stage_of(s, b, 0)->work * q,
             second_b = pn_makespan_exact_stage_of(s, b, 1)->work * p;
    bool front_a = first_a <= second_a, front_b = first_b <= second_b;
    if (front_a != front_b)
        return front_a;
    return front_a ? first_a < first_b : second_a > second_b;
}

void pn_makespan_exact_take_side(pn_makespan_exact_search *s, uint32_t side)
{
    s->side = side;
    s->done = s->placing = s->depth = 0;
    s->mapped = 0;
    memset(s->load, 0, sizeof s->load);
    /* its states were reached by paths that will be walked again */
    memset(s->table, 0, sizeof s->table);
    for (uint32_t k = 0; k < 2; k++)
        s->left[k] = 0;
    for (uint32_t job = 0; job < s->jobs; job++) {
        uint32_t at = job;
        for (; at > 0 && exact_precedes(s, job, s->order[at - 1]); at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = job;
        for (uint32_t k = 0; k < 2; k++)
            s->left[k] += pn_makespan_exact_stage_of(s, job, k)->work;
    }
    s->path[0] = (pn_makespan_exact_choice){.start = UNTRIED_PICK, .kind = PN_MAKESPAN_EXACT_PICK};
}

/* ---- the next alternative of a choice, put into effect; false: there is none ---- */

static bool may_pick(const pn_makespan_exact_search *s, uint32_t job)
{
    if (!pn_makespan_exact_remains(s, job))
        return false;
    if (s->job[job].twin > 0 && pn_makespan_exact_remains(s, s->job[job].twin - 1))
        return false;
    uint32_t first = s->without[s->side];
    if (first > 0 && first != job + 1 && pn_makespan_exact_remains(s, first - 1))
        return false;
    return !pn_makespan_exact_is_without(s, job, 1) ||
           (s->done | 1u << job) == ((uint64_t)1 << s->jobs) - 1;
}

static bool pick_next(pn_makespan_exact_search *s, pn_makespan_exact_choice *choice)
{
    while (choice->start < s->jobs) {
        uint32_t job = s->order[choice->start++];
        uint64_t release;
        if (!may_pick(s, job) || !pn_makespan_exact_latest(s, job, &release))
            continue;
        s->level[choice->level].tail = pn_makespan_exact_deadline(s) - release;
        s->level[choice->level].limit = UINT64_MAX;
        choice->job = (uint16_t)job;
        s->done |= 1u << job;
        return true;
    }
    return false;
}

/* Returns whether a start comes after those that were tried, and not before that of an equal task
 * placed before. */
static bool is_next(const pn_makespan_exact_choice *choice, const pn_makespan_exact_task *task,
                    uint64_t start)
{
    if (choice->index > 0 && task[-1].time == task->time && start < choice[-1].start)
        return false;
    return choice->start == UNTRIED || start > choice->start;
}

static bool first_next(pn_makespan_exact_search *s, pn_makespan_exact_choice *choice)
{
    const pn_makespan_exact_task *task = pn_makespan_exact_task_of(s, choice->job, 0,
                                                                   choice->index);
    const pn_makespan_exact_level *level = &s->level[choice->level];
    uint64_t *load = s->load[0], deadline = pn_makespan_exact_deadline(s);
    uint32_t slots = pn_makespan_exact_slots_of(s, 0), m = 0;
    while (m < slots && !is_next(choice, task, load[m]))
        m++;
    if (m == slots)
        return false;
    uint64_t end = load[m] + task->time;
    if (end + level->tail > deadline || pn_max(end, load[slots - 1]) >= level->limit)
        return false;
    choice->start = choice->before = load[m];
    pn_makespan_exact_raise(load, slots, m, end);
    s->mapped += task->time;
    s->left[0] -= task->time;
    return true;
}

/* Chooses the next slot. All slots that are free at the release are alike: of these, the one loaded
 * most is taken. */
static bool second_next(pn_makespan_exact_search *s, pn_makespan_exact_choice *choice)
{
    const pn_makespan_exact_task *task = pn_makespan_exact_task_of(s, choice->job, 1,
                                                                   choice->index);
    uint64_t *load = s->load[1], release = s->level[choice->level].release, start = 0;
    uint32_t slots = pn_makespan_exact_slots_of(s, 1), m = 0;
    for (; m < slots; m++) {
        start = pn_max(load[m], release);
        if ((m + 1 >= slots || load[m + 1] > release) && is_next(choice, task, start))
            break;
    }
    if (m == slots || start + task->time > pn_makespan_exact_deadline(s))
        return false;
    choice->start = start;
    choice->before = load[m];
    pn_makespan_exact_raise(load, slots, m, start + task->time);
    s->left[1] -= task->time;
    return true;
}

static bool take_next(pn_makespan_exact_search *s, pn_makespan_exact_choice *choice)
{
    switch (choice->kind) {
    case PN_MAKESPAN_EXACT_PICK:
        return pick_next(s, choice);
    case PN_MAKESPAN_EXACT_FIRST:
        return first_next(s, choice);
    default:
        return second_next(s, choice);
    }
}

static void undo(pn_makespan_exact_search *s, const pn_makespan_exact_choice *choice)
{
    if (choice->kind == PN_MAKESPAN_EXACT_PICK) {
        s->done &= ~(1u << choice->job);
        return;
    }
    uint32_t stage = choice->kind - PN_MAKESPAN_EXACT_FIRST;
    uint64_t time = pn_makespan_exact_task_of(s, choice->job, stage, choice->index)->time;
    pn_makespan_exact_lower(s->load[stage], pn_makespan_exact_slots_of(s, stage),
                            choice->start + time, choice->before);
    s->left[stage] += time;
    if (stage == 0)
        s->mapped -= time;
}

/* ---- is a choice just made refuted? ---- */

/* Returns the shortest task of a stage that is not placed, of the job being placed too: its second
 * stage is placed after its first. */
static uint64_t shortest_left(const pn_makespan_exact_search *s,
                              const pn_makespan_exact_choice *choice, uint32_t stage)
{
    const pn_makespan_exact_stage *entry = pn_makespan_exact_stage_of(s, choice->job, stage);
    uint32_t placed = choice->kind - PN_MAKESPAN_EXACT_FIRST == (int)stage ? choice->index + 1u : 0;
    uint64_t least = placed < entry->count ? entry->shortest : UINT64_MAX;
    for (uint32_t job = 0; job < s->jobs; job++)
        if (pn_makespan_exact_remains(s, job) &&
            pn_makespan_exact_stage_of(s, job, stage)->count > 0)
            least = pn_min(least, pn_makespan_exact_stage_of(s, job, stage)->shortest);
    return least;
}

/* Returns the time from the end of any task of the first stage that is not placed to the deadline.
 * All jobs that remain have one: who lacks the first stage was picked first. */
static uint64_t least_tail(const pn_makespan_exact_search *s,
                           const pn_makespan_exact_choice *choice)
{
    bool more = choice->index + 1u < pn_makespan_exact_stage_of(s, choice->job, 0)->count;
    uint64_t least = more ? s->level[choice->level].tail : UINT64_MAX;
    for (uint32_t job = 0; job < s->jobs; job++)
        if (pn_makespan_exact_remains(s, job))
            least = pn_min(least, pn_makespan_exact_stage_of(s, job, 1)->alone);
    return least;
}

static bool second_has_room(const pn_makespan_exact_search *s,
                            const pn_makespan_exact_choice *choice, uint64_t from)
{
    return s->left[1] == 0 || pn_makespan_exact_room(s->load[1], pn_makespan_exact_slots_of(s, 1),
                                                     from, pn_makespan_exact_deadline(s),
                                                     shortest_left(s, choice, 1)) >= s->left[1];
}

static bool first_has_room(const pn_makespan_exact_search *s,
                           const pn_makespan_exact_choice *choice)
{
    if (s->left[0] == 0)
        return true;
    uint64_t deadline = pn_makespan_exact_deadline(s), tail = least_tail(s, choice);
    /* The job being placed has met its tail; shorter deadlines than those of the others with theirs
     * were refuted before a single choice. */
    PN_ASSERT(tail < deadline);
    return pn_makespan_exact_room(s->load[0], pn_makespan_exact_slots_of(s, 0), 0, deadline - tail,
                                  shortest_left(s, choice, 0)) >= s->left[0];
}

/* Applies rule 3 of policy.c: what is left must be able to keep every slot busy until the last
 * start. */
static bool slots_stay_busy(const pn_makespan_exact_search *s, uint64_t start)
{
    uint64_t idle = 0;
    for (uint32_t m = 0; s->load[0][m] < start; m++)
        idle += start - s->load[0][m];
    return idle <= s->left[0];
}

static bool promises(const pn_makespan_exact_search *s, const pn_makespan_exact_choice *choice)
{
    switch (choice->kind) {
    case PN_MAKESPAN_EXACT_PICK:
        return true;
    case PN_MAKESPAN_EXACT_FIRST:
        return first_has_room(s, choice) && slots_stay_busy(s, choice->start) &&
               second_has_room(s, choice, s->load[0][pn_makespan_exact_slots_of(s, 0) - 1]) &&
               pn_makespan_exact_pairs_fit(s);
    default:
        return second_has_room(s, choice, s->level[choice->level].release);
    }
}

/* ---- states that were seen ---- */

/* Applies rule 4: whether a path seen before has picked the same jobs and left the slots of the
 * first stage loaded the same, those of the second no more, and its releases sum up to no more. If
 * not, this path is noted, in place of the oldest of a few. An entry: the jobs, both lots of loads,
 * the sum in two words. */
static bool was_seen(pn_makespan_exact_search *s, uint64_t releases)
{
    enum { WAYS = 4, LARGEST = 2 * PN_MAKESPAN_EXACT_SLOTS + 3 };
    _Static_assert(LARGEST * WAYS <= PN_MAKESPAN_EXACT_TABLE, "the table holds a set at least");
    uint32_t p = pn_makespan_exact_slots_of(s, 0), q = pn_makespan_exact_slots_of(s, 1),
             size = p + q + 3;
    uint32_t sets = PN_MAKESPAN_EXACT_TABLE / (size * WAYS), *entry = s->now.entry;
    uint64_t hash = pn_mix(PN_MIX_START, s->done), now = s->load[0][p - 1];
    if (s->upper > UINT32_MAX)
        return false;
    entry[0] = s->done;
    for (uint32_t m = 0; m < p; m++) {
        hash = pn_mix(hash, s->load[0][m]);
        entry[1 + m] = (uint32_t)s->load[0][m];
    }
    for (uint32_t m = 0; m < q; m++)
        entry[1 + p + m] = (uint32_t)pn_max(s->load[1][m], now);
    entry[1 + p + q] = (uint32_t)(releases >> 32);
    entry[2 + p + q] = (uint32_t)releases;
    uint32_t *set = s->table + (size_t)(hash % sets) * WAYS * size;
    for (uint32_t way = 0; way < WAYS; way++) {
        const uint32_t *seen = set + (size_t)way * size;
        bool covers = pn_same_bytes(seen, entry, (1 + p) * sizeof *seen) &&
                      ((uint64_t)seen[1 + p + q] << 32 | seen[2 + p + q]) <= releases;
        for (uint32_t m = 1 + p; m < 1 + p + q && covers; m++)
            covers = seen[m] <= entry[m];
        if (covers)
            return true;
    }
    memmove(set + size, set, (size_t)(WAYS - 1) * size * sizeof *set);
    memcpy(set, entry, size * sizeof *set);
    return false;
}

/* ---- one step down ---- */

/* Returns when the job itself has ended its first stage: the last choices are its tasks. */
static uint64_t own_end(const pn_makespan_exact_search *s, const pn_makespan_exact_choice *last)
{
    uint64_t end = 0;
    for (uint32_t i = pn_makespan_exact_stage_of(s, last->job, 0)->count; i > 0; i--, last--)
        end = pn_max(end, last->start + pn_makespan_exact_task_of(s, last->job, 0, i - 1)->time);
    return end;
}

/* Releases the second stage: the job's first one is placed, which gives the release. False: this
 * path ends here. */
static bool release_second(pn_makespan_exact_search *s, const pn_makespan_exact_choice *last)
{
    pn_makespan_exact_level *level = &s->level[last->level];
    uint32_t job = last->job;
    bool counts = !pn_makespan_exact_is_without(s, job, 1);
    level->release = s->load[0][pn_makespan_exact_slots_of(s, 0) - 1];
    level->releases = (last->level > 0 ? level[-1].releases : 0) + (counts ? level->release : 0);
    if (counts && !pn_makespan_exact_is_without(s, job, 0) && own_end(s, last) < level->release)
        return false; /* rule 2 */
    if (pn_makespan_exact_all_done(s)) {
        level->limit = level->release; /* rule 5 */
        return pn_makespan_exact_second_fits(s, job, level->release);
    }
    s->placing = job + 1;
    s->done &= ~(1u << job);
    bool fits = pn_makespan_exact_rest_fits(s);
    s->done |= 1u << job;
    s->placing = 0;
    return fits;
}

static void keep_path(pn_makespan_exact_search *s)
{
    for (uint32_t i = 0; i < s->depth; i++) {
        const pn_makespan_exact_choice *choice = &s->path[i];
        uint32_t stage = choice->kind - PN_MAKESPAN_EXACT_FIRST;
        if (choice->kind != PN_MAKESPAN_EXACT_PICK)
            s->now.start[stage][pn_makespan_exact_stage_of(s, choice->job, stage)->begin +
                                choice->index] = choice->start;
    }
    pn_makespan_exact_keep(s, s->now.start,
                           pn_max(s->load[0][pn_makespan_exact_slots_of(s, 0) - 1],
                                  s->load[1][pn_makespan_exact_slots_of(s, 1) - 1]));
}

/* Closes a job that is placed. False: this path ends here, at the end of a schedule or because it
 * cannot be a good one. */
static bool close_job(pn_makespan_exact_search *s, const pn_makespan_exact_choice *last)
{
    if (pn_makespan_exact_all_done(s)) {
        keep_path(s);
        return false;
    }
    return pn_makespan_exact_rest_fits(s) && !was_seen(s, s->level[last->level].releases);
}

/* Makes ready the choice after the last one; false: there is none on this path. */
static bool descend(pn_makespan_exact_search *s)
{
    const pn_makespan_exact_choice *last = &s->path[s->depth - 1];
    pn_makespan_exact_choice *next = &s->path[s->depth];
    uint32_t index = last->kind == PN_MAKESPAN_EXACT_PICK ? 0 : last->index + 1u, kind = last->kind;
    if (kind == PN_MAKESPAN_EXACT_PICK)
        kind = PN_MAKESPAN_EXACT_FIRST;
    if (kind == PN_MAKESPAN_EXACT_FIRST &&
        index == pn_makespan_exact_stage_of(s, last->job, 0)->count) {
        if (!release_second(s, last))
            return false;
        kind = PN_MAKESPAN_EXACT_SECOND;
        index = 0;
    }
    *next = (pn_makespan_exact_choice){.start = UNTRIED,
                                       .kind = (uint16_t)kind,
                                       .job = last->job,
                                       .index = (uint16_t)index,
                                       .level = last->level};
    if (kind == PN_MAKESPAN_EXACT_SECOND &&
        index == pn_makespan_exact_stage_of(s, last->job, 1)->count) {
        if (!close_job(s, last))
            return false;
        *next = (pn_makespan_exact_choice){.start = UNTRIED_PICK,
                                           .kind = PN_MAKESPAN_EXACT_PICK,
                                           .level = (uint16_t)(last->level + 1)};
    }
    return true;
}

/* ---- the walk ---- */

enum { ASK_EVERY = 1024 }; /* nodes, of some 100 ns to some microseconds each */

int pn_makespan_exact_walk(pn_makespan_exact_search *s, uint64_t budget)
{
    for (uint64_t until = s->nodes + budget; s->lower < s->upper;) {
        pn_makespan_exact_choice *choice = &s->path[s->depth];
        if (!take_next(s, choice)) {
            if (s->depth == 0)
                return PN_DONE;
            undo(s, &s->path[--s->depth]);
            continue;
        }
        s->depth++;
        s->nodes++;
        if (!promises(s, choice) || !descend(s)) {
            s->depth--;
            undo(s, choice);
        }
        if (s->nodes % ASK_EVERY == 0) {
            pn_makespan_prove(s->view, 0, s->nodes);
            if (pn_makespan_stop_asked(s->view, ASK_EVERY))
                return PN_ERR_STOPPED;
        }
        if (s->nodes == until)
            return PN_PAUSED;
    }
    return PN_DONE;
}
