/* The checker's books of tasks and attempts: where they are, when each attempt has to end by the
 * rules, what is lost with a node. */
#include "state.h"

/* ---- lists: maps that are done on a node, attempts of a job ---- */

static void link_map(pn_cluster_verifier *v, uint32_t *first, uint32_t task)
{
    v->task[task].previous = PN_CLUSTER_NOBODY;
    v->task[task].next = *first;
    if (*first != PN_CLUSTER_NOBODY)
        v->task[*first].previous = task;
    *first = task;
}

static void unlink_map(pn_cluster_verifier *v, uint32_t *first, uint32_t task)
{
    const pn_cluster_check_task *t = &v->task[task];
    *(t->previous != PN_CLUSTER_NOBODY ? &v->task[t->previous].next : first) = t->next;
    if (t->next != PN_CLUSTER_NOBODY)
        v->task[t->next].previous = t->previous;
}

static void cluster_link_attempt(pn_cluster_verifier *v, uint32_t *first, uint32_t attempt)
{
    v->attempt[attempt].previous = PN_CLUSTER_NOBODY;
    v->attempt[attempt].next = *first;
    if (*first != PN_CLUSTER_NOBODY)
        v->attempt[*first].previous = attempt;
    *first = attempt;
}

static void cluster_unlink_attempt(pn_cluster_verifier *v, uint32_t *first, uint32_t attempt)
{
    const pn_cluster_check_attempt *a = &v->attempt[attempt];
    *(a->previous != PN_CLUSTER_NOBODY ? &v->attempt[a->previous].next : first) = a->next;
    if (a->next != PN_CLUSTER_NOBODY)
        v->attempt[a->next].previous = a->previous;
}

/* ---- ends to come ---- */

/* Returns which of two attempts that end at one time ends first (CL3). */
static bool cluster_before(const pn_cluster_verifier *v, uint32_t a, uint32_t b)
{
    const pn_cluster_check_attempt *left = &v->attempt[a], *right = &v->attempt[b];
    return left->task != right->task ? left->task < right->task : left->number < right->number;
}

static bool sooner(const pn_cluster_verifier *v, const pn_cluster_check_end *a,
                   const pn_cluster_check_end *b)
{
    return a->time != b->time ? a->time < b->time : cluster_before(v, a->attempt, b->attempt);
}

static void put(pn_cluster_verifier *v, size_t at, const pn_cluster_check_end *end)
{
    v->end[at] = *end;
    v->attempt[end->attempt].place = (uint32_t)at + 1;
}

static void cluster_rise(pn_cluster_verifier *v, size_t at, pn_cluster_check_end end)
{
    for (; at > 0 && sooner(v, &end, &v->end[(at - 1) / 2]); at = (at - 1) / 2)
        put(v, at, &v->end[(at - 1) / 2]);
    put(v, at, &end);
}

static void cluster_sink(pn_cluster_verifier *v, size_t at, pn_cluster_check_end end)
{
    for (size_t child = 2 * at + 1; child < v->end_count; child = 2 * at + 1) {
        if (child + 1 < v->end_count && sooner(v, &v->end[child + 1], &v->end[child]))
            child++;
        if (!sooner(v, &v->end[child], &end))
            break;
        put(v, at, &v->end[child]);
        at = child;
    }
    put(v, at, &end);
}

static void expect_end(pn_cluster_verifier *v, uint32_t attempt, uint64_t time)
{
    cluster_rise(v, v->end_count++, (pn_cluster_check_end){time, attempt, 0});
}

static void expect_no_end(pn_cluster_verifier *v, uint32_t attempt)
{
    size_t at = v->attempt[attempt].place;
    if (at == 0)
        return;
    v->attempt[attempt].place = 0;
    pn_cluster_check_end moved = v->end[--v->end_count];
    if (--at == v->end_count)
        return;
    if (at > 0 && sooner(v, &moved, &v->end[(at - 1) / 2]))
        cluster_rise(v, at, moved);
    else
        cluster_sink(v, at, moved);
}

/* Counts how many of the sorted are below the bound. */
static uint32_t below(const uint32_t *sorted, uint32_t count, uint64_t bound)
{
    uint32_t low = 0;
    for (uint32_t high = count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (sorted[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the time up to which the attempt has worked, or from which on it works (CL44, CL46). */
static uint64_t cluster_works_at(const pn_cluster_verifier *v, const pn_cluster_check_attempt *a)
{
    return a->suspended ? a->since : pn_max(v->time, a->since);
}

static void expect_reduce_end(pn_cluster_verifier *v, uint32_t attempt)
{
    expect_end(
        v, attempt,
        pn_cluster_check_later(v->attempt[attempt].mark, pn_cluster_check_reduce_ms(v, attempt)));
}

/* Feeds a reduce of a job whose maps are all done, now or since before it began or resumed: it is
 * settled when this reduce ends (CL11, CL35). */
static void cluster_feed_reduce(pn_cluster_verifier *v, uint32_t attempt)
{
    pn_cluster_check_attempt *a = &v->attempt[attempt];
    uint32_t job = v->task[a->task].job, maps = pn_cluster_claimed(&v->claim, job)->maps;
    a->fed = 1;
    if (v->claim.measured)
        return;
    const uint32_t *sorted = v->sorted + v->job[job].first_sorted;
    uint32_t here = below(sorted, maps, (uint64_t)a->node + 1) - below(sorted, maps, a->node);
    uint64_t shuffle = pn_cluster_check_shuffle_ms(v, attempt, here);
    a->mark = pn_max(cluster_works_at(v, a), pn_cluster_check_later(a->start, shuffle));
    expect_reduce_end(v, attempt);
}

/* ---- slots that save states (CL46) ---- */

/* Gives the attempt the slot of its node in which it works first. Returns when that is. */
static uint64_t cluster_enter_slot(pn_cluster_verifier *v, uint32_t attempt)
{
    pn_cluster_check_attempt *a = &v->attempt[attempt];
    uint32_t kind = pn_cluster_check_kind(v, a->task);
    const pn_cluster_check_node *node = &v->node[a->node];
    uint32_t first = node->first_slot[kind], best = PN_CLUSTER_NOBODY;
    if (!pn_cluster_check_saves(v))
        return v->time;
    for (uint32_t at = first; at < first + node->most[kind]; at++)
        if (!v->slot[at].used &&
            (best == PN_CLUSTER_NOBODY || v->slot[at].saved < v->slot[best].saved))
            best = at;
    PN_ASSERT(best != PN_CLUSTER_NOBODY);
    a->slot = best;
    v->slot[best].used = 1;
    return pn_max(v->time, v->slot[best].saved);
}

static void cluster_leave_slot(pn_cluster_verifier *v, uint32_t attempt)
{
    if (pn_cluster_check_saves(v))
        v->slot[v->attempt[attempt].slot].used = 0;
}

void pn_cluster_check_forget_savings(pn_cluster_verifier *v, uint32_t node)
{
    const pn_cluster_check_node *n = &v->node[node];
    uint32_t first = n->first_slot[PN_SCHEDULER_MAP];
    uint32_t slots = n->most[PN_SCHEDULER_MAP] + n->most[PN_SCHEDULER_REDUCE];
    for (uint32_t at = first; at < first + slots && pn_cluster_check_saves(v); at++)
        v->slot[at].saved = 0;
}

/* ---- the life of an attempt ---- */

uint32_t pn_cluster_check_attempt_of(const pn_cluster_verifier *v, uint32_t task, uint32_t node,
                                     uint32_t number)
{
    if (v->task[task].state != PN_CLUSTER_CHECK_HELD)
        return PN_CLUSTER_NOBODY;
    uint32_t at = v->task[task].attempt;
    if (v->attempt[at].node != node || v->attempt[at].number != number)
        at = v->attempt[at].twin;
    return at != PN_CLUSTER_NOBODY && v->attempt[at].node == node && v->attempt[at].number == number
               ? at
               : PN_CLUSTER_NOBODY;
}

uint32_t pn_cluster_check_suspended_on(const pn_cluster_verifier *v, uint32_t job, uint32_t kind,
                                       uint32_t node)
{
    uint32_t found = PN_CLUSTER_NOBODY;
    if (v->node[node].suspended[kind] == 0)
        return found;
    for (uint32_t at = v->job[job].attempts[kind]; at != PN_CLUSTER_NOBODY;
         at = v->attempt[at].next)
        if (v->attempt[at].suspended && v->attempt[at].node == node &&
            (found == PN_CLUSTER_NOBODY || v->attempt[at].task < v->attempt[found].task))
            found = at;
    return found;
}

/* Counts the attempt's slot of its node, taken or left (-1). */
static void count_slot(pn_cluster_verifier *v, uint32_t attempt, int32_t by)
{
    const pn_cluster_check_attempt *a = &v->attempt[attempt];
    uint32_t kind = pn_cluster_check_kind(v, a->task);
    v->node[a->node].free[kind] -= by;
    v->job[v->task[a->task].job].in_slots[kind] += (uint32_t)by;
}

static uint32_t cluster_take_attempt(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    pn_cluster_check_task *t = &v->task[task];
    bool held = t->state == PN_CLUSTER_CHECK_HELD;
    uint32_t at = v->attempt_free;
    PN_ASSERT(at != PN_CLUSTER_NOBODY);
    v->attempt_free = v->attempt[at].next;
    v->attempt[at] = (pn_cluster_check_attempt){.mark = PN_CLUSTER_NEVER_YET,
                                                .task = task,
                                                .node = node,
                                                .number = t->used++,
                                                .twin = held ? t->attempt : PN_CLUSTER_NOBODY};
    if (held)
        v->attempt[t->attempt].twin = at;
    else
        t->attempt = at;
    return at;
}

void pn_cluster_check_launch(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    pn_cluster_check_task *t = &v->task[task];
    pn_cluster_check_job *job = &v->job[t->job];
    uint32_t kind = pn_cluster_check_kind(v, task), at = cluster_take_attempt(v, task, node);
    if (t->state == PN_CLUSTER_CHECK_PENDING) {
        pn_cluster_check_unpend(v, task);
        t->state = PN_CLUSTER_CHECK_HELD;
        job->held[kind]++;
    }
    cluster_link_attempt(v, &job->attempts[kind], at);
    count_slot(v, at, 1);
    v->node[node].attempts++;
    v->attempt[at].start = v->attempt[at].since = cluster_enter_slot(v, at);
    v->attempt[at].fails = !v->claim.measured && pn_cluster_check_will_fail(v, at);
    if (kind == PN_SCHEDULER_MAP && !v->claim.measured)
        expect_end(v, at,
                   pn_cluster_check_later(v->attempt[at].start, pn_cluster_check_map_ms(v, at)));
    if (kind == PN_SCHEDULER_REDUCE && job->map_finish != PN_CLUSTER_NEVER_YET)
        cluster_feed_reduce(v, at);
}

void pn_cluster_check_suspend(pn_cluster_verifier *v, uint32_t attempt)
{
    pn_cluster_check_attempt *a = &v->attempt[attempt];
    uint32_t kind = pn_cluster_check_kind(v, a->task);
    uint64_t early = cluster_works_at(v, a) - v->time;
    bool worked = a->since < v->time;
    expect_no_end(v, attempt);
    a->start -= early;
    if (a->mark != PN_CLUSTER_NEVER_YET)
        a->mark -= early;
    a->suspended = 1;
    a->suspensions++;
    a->since = v->time;
    if (worked && pn_cluster_check_saves(v))
        v->slot[a->slot].saved = v->time + pn_cluster_check_save_ms(v, attempt);
    cluster_leave_slot(v, attempt);
    count_slot(v, attempt, -1);
    v->node[a->node].suspended[kind]++;
}

static void cluster_leave_suspension(pn_cluster_verifier *v, uint32_t attempt)
{
    pn_cluster_check_attempt *a = &v->attempt[attempt];
    uint32_t kind = pn_cluster_check_kind(v, a->task);
    a->suspended = 0;
    count_slot(v, attempt, 1);
    v->node[a->node].suspended[kind]--;
}

/* Resumes by CL35: what is fixed happens later by the time that it was suspended, and by those for
 * which its slot saves a state (CL46) and it restores its own (CL44). */
void pn_cluster_check_resume(pn_cluster_verifier *v, uint32_t attempt)
{
    pn_cluster_check_attempt *a = &v->attempt[attempt];
    uint64_t again = cluster_enter_slot(v, attempt) + pn_cluster_check_restore_ms(v, attempt);
    uint64_t pause = again - a->since;
    cluster_leave_suspension(v, attempt);
    a->since = again;
    a->start += pause;
    if (pn_cluster_check_kind(v, a->task) == PN_SCHEDULER_MAP) {
        if (!v->claim.measured)
            expect_end(v, attempt,
                       pn_cluster_check_later(a->start, pn_cluster_check_map_ms(v, attempt)));
    } else if (a->mark != PN_CLUSTER_NEVER_YET) {
        a->mark += pause;
        expect_reduce_end(v, attempt);
    } else if (v->job[v->task[a->task].job].map_finish != PN_CLUSTER_NEVER_YET) {
        cluster_feed_reduce(v, attempt);
    }
}

void pn_cluster_check_stop(pn_cluster_verifier *v, uint32_t attempt)
{
    const pn_cluster_check_attempt *a = &v->attempt[attempt];
    pn_cluster_check_task *t = &v->task[a->task];
    uint32_t kind = pn_cluster_check_kind(v, a->task);
    expect_no_end(v, attempt);
    if (a->suspended)
        cluster_leave_suspension(v, attempt);
    else
        cluster_leave_slot(v, attempt);
    count_slot(v, attempt, -1);
    v->node[a->node].attempts--;
    cluster_unlink_attempt(v, &v->job[t->job].attempts[kind], attempt);
    t->attempt = a->twin;
    if (a->twin != PN_CLUSTER_NOBODY)
        v->attempt[a->twin].twin = PN_CLUSTER_NOBODY;
    else
        v->job[t->job].held[kind]--;
    v->attempt[attempt].next = v->attempt_free;
    v->attempt_free = attempt;
}

/* ---- the life of a task ---- */

static void cluster_sift(uint32_t *items, size_t at, size_t count)
{
    uint32_t moved = items[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && items[child + 1] > items[child])
            child++;
        if (items[child] <= moved)
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = moved;
}

static void cluster_sort(uint32_t *items, size_t count)
{
    for (size_t i = count / 2; i > 0; i--)
        cluster_sift(items, i - 1, count);
    for (size_t left = count; left > 1; left--) {
        uint32_t largest = items[0];
        items[0] = items[left - 1];
        items[left - 1] = largest;
        cluster_sift(items, 0, left - 1);
    }
}

/* Completes the maps: where their outputs are, and what that means for reduces that wait for
 * them. */
static void maps_complete(pn_cluster_verifier *v, uint32_t index)
{
    pn_cluster_check_job *job = &v->job[index];
    uint32_t maps = pn_cluster_claimed(&v->claim, index)->maps;
    uint32_t *sorted = v->sorted + job->first_sorted;
    job->map_finish = v->time;
    if (pn_cluster_claimed(&v->claim, index)->reduces == 0)
        return;
    for (uint32_t i = 0; i < maps && !v->claim.measured; i++)
        sorted[i] = v->task[job->first[PN_SCHEDULER_MAP] + i].node;
    if (!v->claim.measured)
        cluster_sort(sorted, maps);
    for (uint32_t at = job->attempts[PN_SCHEDULER_REDUCE]; at != PN_CLUSTER_NOBODY;
         at = v->attempt[at].next)
        if (!v->attempt[at].fed && !v->attempt[at].suspended)
            cluster_feed_reduce(v, at);
}

void pn_cluster_check_done(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    pn_cluster_check_task *t = &v->task[task];
    pn_cluster_check_job *job = &v->job[t->job];
    uint32_t kind = pn_cluster_check_kind(v, task);
    t->state = PN_CLUSTER_CHECK_DONE;
    t->node = node;
    job->done[kind]++;
    if (kind == PN_SCHEDULER_REDUCE)
        return;
    if (pn_cluster_claimed(&v->claim, t->job)->reduces > 0)
        link_map(v, &v->node[node].maps_done, task);
    if (job->done[PN_SCHEDULER_MAP] == pn_cluster_claimed(&v->claim, t->job)->maps)
        maps_complete(v, t->job);
}

/* ---- what is lost with a node (CL13) ---- */

static bool is_fetching(const pn_cluster_verifier *v, const pn_cluster_check_attempt *a)
{
    return a->mark > cluster_works_at(v, a);
}

/* Returns whether reduces of the job still need outputs. Who is fed in a measured log may have
 * fetched them all or not. */
static enum pn_cluster_check_loss loss_of(const pn_cluster_verifier *v, uint32_t index)
{
    const pn_cluster_check_job *job = &v->job[index];
    uint32_t first = job->attempts[PN_SCHEDULER_REDUCE];
    if (job->done[PN_SCHEDULER_REDUCE] + job->held[PN_SCHEDULER_REDUCE] <
        pn_cluster_claimed(&v->claim, index)->reduces)
        return PN_CLUSTER_CHECK_LOST;
    for (uint32_t at = first; at != PN_CLUSTER_NOBODY; at = v->attempt[at].next)
        if (v->claim.measured ? !v->attempt[at].fed : is_fetching(v, &v->attempt[at]))
            return PN_CLUSTER_CHECK_LOST;
    return v->claim.measured && first != PN_CLUSTER_NOBODY ? PN_CLUSTER_CHECK_EITHER
                                                           : PN_CLUSTER_CHECK_KEPT;
}

void pn_cluster_check_node_down(pn_cluster_verifier *v)
{
    v->node_failures++;
    v->owed_lost = 0;
    for (uint32_t task = v->node[v->owed_node].maps_done; task != PN_CLUSTER_NOBODY;
         task = v->task[task].next) {
        pn_cluster_check_job *job = &v->job[v->task[task].job];
        if (job->node_failure != v->node_failures) {
            job->node_failure = v->node_failures;
            job->lost = 0;
            job->loss = (uint8_t)loss_of(v, v->task[task].job);
        }
        job->lost++;
        v->owed_lost += job->loss == PN_CLUSTER_CHECK_LOST;
    }
}

/* Starves reduces of the first output lost: reduces that have not got everything wait for the last
 * map again. */
static void starve_reduces(pn_cluster_verifier *v, pn_cluster_check_job *job)
{
    job->map_finish = PN_CLUSTER_NEVER_YET;
    if (v->claim.measured)
        return;
    for (uint32_t at = job->attempts[PN_SCHEDULER_REDUCE]; at != PN_CLUSTER_NOBODY;
         at = v->attempt[at].next) {
        pn_cluster_check_attempt *a = &v->attempt[at];
        if (!is_fetching(v, a))
            continue;
        expect_no_end(v, at);
        a->fed = 0;
        a->mark = PN_CLUSTER_NEVER_YET;
    }
}

void pn_cluster_check_rerun(pn_cluster_verifier *v, uint32_t task)
{
    pn_cluster_check_task *t = &v->task[task];
    pn_cluster_check_job *job = &v->job[t->job];
    unlink_map(v, &v->node[t->node].maps_done, task);
    job->done[PN_SCHEDULER_MAP]--;
    if (job->map_finish != PN_CLUSTER_NEVER_YET)
        starve_reduces(v, job);
    pn_cluster_check_pend(v, task);
}

void pn_cluster_check_forget(pn_cluster_verifier *v, uint32_t index)
{
    const pn_cluster_check_job *job = &v->job[index];
    if (pn_cluster_claimed(&v->claim, index)->reduces == 0)
        return;
    for (uint32_t task = job->first[PN_SCHEDULER_MAP]; task < job->first[PN_SCHEDULER_REDUCE];
         task++)
        if (v->task[task].state == PN_CLUSTER_CHECK_DONE)
            unlink_map(v, &v->node[v->task[task].node].maps_done, task);
}
