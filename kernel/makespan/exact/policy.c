/* The policy `exact`: the least makespan of all non-preemptive schedules of tasks, whatever their
 * order of jobs and with slots left idle on purpose, by branch and bound. Lists of jobs do not
 * reach it in general (pools can beat every list, see MK32); this does.
 *
 * Why it is enough to look at what the walk looks at. Let C_j be the end of job j's maps and T the
 * makespan.
 *
 * 1. Starts follow from sequences. Take any schedule, its maps in order of start, and put each on
 *    the slot that is free first: when the k-th one starts, the tasks before it keep at most
 *    S_M - 1 slots busy, and by induction none of them ends later than it did, so it can start at
 *    its old time or earlier. The same holds for reduces, which wait for C_j besides, no longer
 *    than they did. So the policy may answer with two sequences, without times.
 * 2. On each slot, maps can go in order of C_j: seen as due dates the C_j are kept on that slot,
 *    and where any order keeps due dates, the earliest due date first does (Jackson). Reduces can
 *    go in order of C_j too: seen as release dates, the earliest first ends soonest. So an optimum
 *    is made by taking jobs in one order pi, by C_j: put each map task of the job on top of what
 *    some slot holds, never idle; release its reduces when all slots are done with what was put
 *    there so far (that is C_j, since no job before it ends later); put each reduce on top of a
 *    slot, not before the release. A walk over all pi and all ways to put tasks on slots sees an
 *    optimum. Jobs without maps are released at 0 and come first, all as one; jobs without reduces
 *    have T as their due date and come last, as one.
 * 3. Read backwards in time a schedule is one of the batch with maps and reduces exchanged. So the
 *    walk has two sides, and what is hard on one is often easy on the other: they take turns, each
 *    time for longer and from the beginning.
 *
 * What the walk leaves out besides what cannot meet the deadline T - 1 (fit.c). Let Q be the sum of
 * squares of the slots' map loads, R the sum of releases (jobs without reduces do not count). Of
 * all optimal paths, take the one with the least Q, then the least R, then the first one of the
 * walk. It is not left out:
 *    rule 1  equal jobs in order of index: exchanging them changes neither Q nor R, and gives a
 *            path that is walked before.
 *    rule 2  a job whose maps end before those of one ahead of it: sorting by C_j changes no load
 *            and lowers R.
 *    rule 3  a map task that starts when some slot has done its last one: moved there it ends
 *            earlier, as does all that was above it; sorted by C_j again nothing is later, and Q
 *            is lower.
 *    rule 4  after the same jobs, the same map loads, reduce loads at least as high and R at least
 *            as large as on a path seen before: continuing both alike gives the same Q,
 *            no larger R, and is walked before.
 *    rule 5  the last job of a path, its maps ending no earlier than on a path that differs in
 *            these alone, and that was walked to all its ends: nothing better can follow.
 *
 * A batch that is too large for the memory (see the limits in state.h), and one whose tasks are not
 * those given (resplit), gets the order of the policy `portfolio`, and nothing is proven. */
#include "base/settings.h"
#include "state.h"
#include "makespan/policies.h"
#include "base/wide.h"

/* ---- reading the batch ---- */

static bool has_stage(const pn_makespan_view *view, uint32_t job, uint32_t stage)
{
    return pn_makespan_longest(view, job, stage) > 0;
}

static bool few_tasks(const pn_makespan_view *view)
{
    uint64_t tasks[2] = {0, 0};
    for (uint32_t job = 0; job < pn_makespan_job_count(view); job++)
        for (uint32_t k = 0; k < 2; k++) {
            tasks[k] += pn_makespan_tasks(view, job, k);
            if (tasks[k] > PN_MAKESPAN_EXACT_TASKS)
                return false;
        }
    return true;
}

static void add_task(pn_makespan_exact_search *s, uint32_t stage, pn_makespan_exact_stage *entry,
                     pn_makespan_exact_task added)
{
    pn_makespan_exact_task *task = s->task[stage];
    uint32_t at = s->tasks[stage]++;
    for (; at > entry->begin && task[at - 1].time < added.time; at--)
        task[at] = task[at - 1];
    task[at] = added;
    entry->count++;
    entry->work += added.time;
    s->unit = pn_gcd(s->unit, added.time);
}

/* Adds a stage. Tasks that take no time are left to the answer. */
static void exact_add_stage(pn_makespan_exact_search *s, uint32_t job, uint32_t stage,
                            pn_makespan_exact_stage *entry)
{
    uint32_t index = 0;
    for (uint32_t i = 0; i < pn_makespan_stretch_count(s->view, job, stage); i++) {
        pn_makespan_stretch stretch = pn_makespan_stretch_of(s->view, job, stage, i);
        for (uint32_t n = 0; n < stretch.count && stretch.duration > 0; n++)
            add_task(s, stage, entry, (pn_makespan_exact_task){stretch.duration, job, index + n});
        index += stretch.count;
    }
}

/* Opens a job here, or with `lacks` < 2 the one for all jobs that lack this stage. */
static bool open_job(pn_makespan_exact_search *s, uint32_t lacks)
{
    if (lacks < 2 && s->without[lacks] > 0)
        return true;
    if (s->jobs == PN_MAKESPAN_EXACT_JOBS)
        return false;
    for (uint32_t k = 0; k < 2; k++)
        s->job[s->jobs].stage[k].begin = s->tasks[k];
    s->jobs++;
    if (lacks < 2)
        s->without[lacks] = s->jobs;
    return true;
}

/* Reads jobs that have both stages first, so that the tasks of the others are together. */
static bool read_jobs(pn_makespan_exact_search *s)
{
    static const uint32_t kinds[] = {2, 0, 1}; /* what is lacking */
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t job = 0; job < pn_makespan_job_count(s->view); job++) {
            uint32_t lacks = !has_stage(s->view, job, 0) ? 0 : !has_stage(s->view, job, 1) ? 1 : 2;
            if (lacks != kinds[i])
                continue;
            if (!open_job(s, lacks))
                return false;
            for (uint32_t k = 0; k < 2; k++)
                exact_add_stage(s, job, k, &s->job[s->jobs - 1].stage[k]);
        }
    return true;
}

/* Measures the stage by itself: its longest task, its share of work, and k + 1 of its k * slots + 1
 * longest tasks one after another, for any k. */
static void exact_measure(const pn_makespan_exact_search *s, uint32_t stage,
                          pn_makespan_exact_stage *entry)
{
    const pn_makespan_exact_task *task = s->task[stage] + entry->begin;
    uint32_t slots = s->slots[stage];
    if (entry->count == 0)
        return;
    entry->longest = task[0].time;
    entry->shortest = task[entry->count - 1].time;
    entry->alone = pn_max(entry->longest, (entry->work + slots - 1) / slots);
    for (uint32_t k = 1; k * slots < entry->count; k++) {
        uint64_t sum = 0;
        for (uint32_t i = k * slots - k; i <= k * slots; i++)
            sum += task[i].time;
        entry->alone = pn_max(entry->alone, sum);
    }
}

static bool equal_stages(const pn_makespan_exact_search *s, uint32_t a, uint32_t b, uint32_t stage)
{
    const pn_makespan_exact_stage *of_a = &s->job[a].stage[stage], *of_b = &s->job[b].stage[stage];
    bool equal = of_a->count == of_b->count;
    for (uint32_t i = 0; i < of_a->count && equal; i++)
        equal = s->task[stage][of_a->begin + i].time == s->task[stage][of_b->begin + i].time;
    return equal;
}

static void find_twins(pn_makespan_exact_search *s)
{
    for (uint32_t b = 1; b < s->jobs; b++)
        for (uint32_t a = 0; a < b; a++)
            if (equal_stages(s, a, b, 0) && equal_stages(s, a, b, 1))
                s->job[b].twin = a + 1;
}

/* Reads the batch in ticks of the common divisor. False when the batch is too large. */
static bool read_batch(pn_makespan_exact_search *s)
{
    uint64_t work[2] = {0, 0};
    if (!few_tasks(s->view) || !read_jobs(s))
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        s->slots[k] = (uint32_t)pn_max(1, pn_min(pn_makespan_slots(s->view, k), s->tasks[k]));
        if (s->slots[k] > PN_MAKESPAN_EXACT_SLOTS)
            return false;
        for (uint32_t i = 0; i < s->tasks[k]; i++)
            s->task[k][i].time /= s->unit;
        for (uint32_t job = 0; job < s->jobs; job++) {
            s->job[job].stage[k].work /= s->unit;
            work[k] += s->job[job].stage[k].work;
            exact_measure(s, k, &s->job[job].stage[k]);
        }
    }
    find_twins(s);
    return work[0] < PN_MAKESPAN_EXACT_WORK && work[1] < PN_MAKESPAN_EXACT_WORK;
}

/* ---- the search ---- */

static bool deadline_fits(pn_makespan_exact_search *s, uint64_t deadline)
{
    uint64_t upper = s->upper;
    bool fits = true;
    s->upper = deadline + 1;
    for (uint32_t side = 0; side < 2 && fits; side++) {
        pn_makespan_exact_take_side(s, side);
        fits = pn_makespan_exact_rest_fits(s);
    }
    s->upper = upper;
    return fits;
}

/* Finds the least deadline that is not refuted before a single choice. */
static void exact_bound(pn_makespan_exact_search *s)
{
    uint64_t high = s->upper;
    while (s->lower < high) {
        uint64_t middle = s->lower + (high - s->lower) / 2;
        if (deadline_fits(s, middle))
            high = middle;
        else
            s->lower = middle + 1;
    }
}

/* Nodes of the first turn of a side; each turn is SLICE_GROWS times as long as the one before. */
enum { SLICE = 1 << 12, SLICE_GROWS = 4 };

static int solve(pn_makespan_exact_search *s)
{
    s->upper = UINT64_MAX;
    for (uint32_t side = 0; side < 2; side++) {
        pn_makespan_exact_take_side(s, side);
        pn_makespan_exact_try_lists(s);
    }
    exact_bound(s);
    uint64_t slice = SLICE;
    for (uint32_t side = 0; s->lower < s->upper && s->nodes < s->nodes_max; side = 1 - side) {
        pn_makespan_exact_take_side(s, side);
        int status = pn_makespan_exact_walk(s, pn_min(slice, s->nodes_max - s->nodes));
        if (status < 0)
            return status;
        if (status == PN_DONE)
            s->lower = s->upper;
        slice = pn_min(slice * SLICE_GROWS, s->nodes_max);
    }
    return PN_OK;
}

/* ---- the answer ---- */

/* Maps that take no time start at once, and reduces that do at the very end. */
static uint32_t add_zeros(pn_makespan_exact_search *s, uint32_t stage, uint32_t count)
{
    for (uint32_t job = 0; job < pn_makespan_job_count(s->view); job++) {
        uint32_t index = 0;
        for (uint32_t i = 0; i < pn_makespan_stretch_count(s->view, job, stage); i++) {
            pn_makespan_stretch stretch = pn_makespan_stretch_of(s->view, job, stage, i);
            for (uint32_t n = 0; n < stretch.count && stretch.duration == 0; n++)
                s->now.answer[stage][count++] = (pn_makespan_task){job, index + n};
            index += stretch.count;
        }
    }
    return count;
}

/* Adds the tasks by start; among equals any order does. */
static uint32_t add_tasks(pn_makespan_exact_search *s, uint32_t stage, uint32_t count)
{
    uint32_t *sorted = s->table; /* whose states nobody needs any more */
    for (uint32_t i = 0; i < s->tasks[stage]; i++) {
        uint32_t at = i;
        for (; at > 0 && s->best[stage][sorted[at - 1]] > s->best[stage][i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = i;
    }
    for (uint32_t i = 0; i < s->tasks[stage]; i++) {
        const pn_makespan_exact_task *task = &s->task[stage][sorted[i]];
        s->now.answer[stage][count++] = (pn_makespan_task){task->job, task->task};
    }
    return count;
}

static int exact_answer(pn_makespan_exact_search *s)
{
    uint32_t maps = add_tasks(s, 0, add_zeros(s, 0, 0));
    uint32_t reduces = add_zeros(s, 1, add_tasks(s, 1, 0));
    pn_makespan_prove(s->view, s->lower * s->unit, s->nodes);
    return pn_makespan_give_tasks(s->view, s->now.answer[0], maps, s->now.answer[1], reduces);
}

static int exact_decide(pn_makespan_view *view)
{
    pn_makespan_exact_search *s = pn_makespan_state(view);
    memset(s, 0, sizeof *s);
    s->view = view;
    s->nodes_max = (uint64_t)pn_makespan_param_value(view, 0);
    bool fits = pn_makespan_resplit_of(view) == 0 && read_batch(s);
    int status = fits ? solve(s) : PN_OK;
    if (fits && status == PN_OK)
        status = exact_answer(s);
    s->view = NULL; /* the block keeps no pointers */
    return fits ? status : pn_makespan_decide_portfolio(view);
}

/* The others' key is the place in the plan. */
static const pn_key_part makespan_sequences[] = {
    {.name = "its plan says of each task when its turn is", .form = PN_KEY_NONE}, {0}};

const pn_makespan_policy *pn_makespan_exact(void)
{
    static const pn_makespan_policy policy = {
        .name = "exact",
        .summary = "the least makespan of all schedules of tasks, for small batches",
        .source = "MK31; branch and bound",
        PN_KEYS(makespan_sequences),
        .level = 1 + PN_MAKESPAN_TASKS,
        .param_count = 1,
        .params = {{"max_nodes", 5000000, 1, 9007199254740992.0, NULL, 1,
                    "nodes searched at most; then the best schedule found stands"}},
        .state_bytes = sizeof(pn_makespan_exact_search),
        .state_bytes_per_job = PN_MAKESPAN_SEARCH_BYTES_PER_JOB,
        .decide = exact_decide,
    };
    return &policy;
}
