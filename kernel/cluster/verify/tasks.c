/* The checker's books of tasks: which are pending, where the others are, when each attempt has to
 * end by the rules. */
#include "state.h"

/* ---- pending tasks: bits, and above them words of bits for words that are not empty ---- */

enum { LEVELS = 5 }; /* 64^5 > 2^24 tasks of a job */

size_t pn_cluster_check_words(uint32_t count)
{
    size_t words = 0;
    size_t level = count;
    do {
        level = (level + 63) / 64;
        words += level;
    } while (level > 1);
    return words;
}

static void set_bit(uint64_t *word, size_t count, size_t bit)
{
    for (size_t size = (count + 63) / 64;; size = (size + 63) / 64) {
        bool there = word[bit / 64] != 0;
        word[bit / 64] |= (uint64_t)1 << bit % 64;
        if (there || size <= 1)
            return;
        word += size;
        bit /= 64;
    }
}

static void clear_bit(uint64_t *word, size_t count, size_t bit)
{
    for (size_t size = (count + 63) / 64;; size = (size + 63) / 64) {
        word[bit / 64] &= ~((uint64_t)1 << bit % 64);
        if (word[bit / 64] != 0 || size <= 1)
            return;
        word += size;
        bit /= 64;
    }
}

static uint32_t lowest(uint64_t word)
{
    uint32_t bit = 0;
    for (uint32_t half = 32; half > 0; half /= 2)
        if ((word & (((uint64_t)1 << half) - 1)) == 0) {
            word >>= half;
            bit += half;
        }
    return bit;
}

static uint32_t first_bit(const uint64_t *word, size_t count)
{
    const uint64_t *level[LEVELS];
    int depth = 0;
    size_t size = (count + 63) / 64;
    for (level[0] = word; size > 1; size = (size + 63) / 64, depth++)
        level[depth + 1] = level[depth] + size;
    if (count == 0 || level[depth][0] == 0)
        return PN_CLUSTER_NOBODY;
    uint32_t at = lowest(level[depth][0]);
    for (; depth > 0; depth--)
        at = 64 * at + lowest(level[depth - 1][at]);
    return at;
}

uint32_t pn_cluster_check_kind(const pn_cluster_verifier *v, uint32_t task)
{
    return task >= v->job[v->task[task].job].first[PN_SCHEDULER_REDUCE];
}

static uint64_t *bits_of(const pn_cluster_verifier *v, uint32_t task, uint32_t *index)
{
    const pn_cluster_check_job *job = &v->job[v->task[task].job];
    uint32_t kind = pn_cluster_check_kind(v, task);
    *index = task - job->first[kind];
    return v->bits + job->first_word[kind];
}

void pn_cluster_check_pend(pn_cluster_verifier *v, uint32_t task)
{
    uint32_t index;
    uint64_t *bits = bits_of(v, task, &index);
    set_bit(bits, pn_cluster_check_count(v, v->task[task].job, pn_cluster_check_kind(v, task)),
            index);
    v->task[task].state = PN_CLUSTER_CHECK_PENDING;
}

uint32_t pn_cluster_check_first(const pn_cluster_verifier *v, uint32_t job, uint32_t kind)
{
    uint32_t index = first_bit(v->bits + v->job[job].first_word[kind],
                               pn_cluster_check_count(v, job, kind));
    return index == PN_CLUSTER_NOBODY ? PN_CLUSTER_NOBODY : v->job[job].first[kind] + index;
}

/* ---- lists ---- */

static void link_task(pn_cluster_verifier *v, uint32_t *first, uint32_t task)
{
    v->task[task].previous = PN_CLUSTER_NOBODY;
    v->task[task].next = *first;
    if (*first != PN_CLUSTER_NOBODY)
        v->task[*first].previous = task;
    *first = task;
}

static void unlink_task(pn_cluster_verifier *v, uint32_t *first, uint32_t task)
{
    const pn_cluster_check_task *t = &v->task[task];
    if (t->previous != PN_CLUSTER_NOBODY)
        v->task[t->previous].next = t->next;
    else
        *first = t->next;
    if (t->next != PN_CLUSTER_NOBODY)
        v->task[t->next].previous = t->previous;
}

/* ---- ends to come ---- */

static bool sooner(const pn_cluster_check_end *a, const pn_cluster_check_end *b)
{
    return a->time != b->time ? a->time < b->time : a->task < b->task;
}

static void put(pn_cluster_verifier *v, size_t at, const pn_cluster_check_end *end)
{
    v->end[at] = *end;
    v->task[end->task].place = (uint32_t)at + 1;
}

static void rise(pn_cluster_verifier *v, size_t at, pn_cluster_check_end end)
{
    for (; at > 0 && sooner(&end, &v->end[(at - 1) / 2]); at = (at - 1) / 2)
        put(v, at, &v->end[(at - 1) / 2]);
    put(v, at, &end);
}

static void sink(pn_cluster_verifier *v, size_t at, pn_cluster_check_end end)
{
    for (size_t child = 2 * at + 1; child < v->end_count; child = 2 * at + 1) {
        if (child + 1 < v->end_count && sooner(&v->end[child + 1], &v->end[child]))
            child++;
        if (!sooner(&v->end[child], &end))
            break;
        put(v, at, &v->end[child]);
        at = child;
    }
    put(v, at, &end);
}

static void expect_end(pn_cluster_verifier *v, uint32_t task, uint64_t time)
{
    rise(v, v->end_count++, (pn_cluster_check_end){time, task, 0});
}

static void expect_no_end(pn_cluster_verifier *v, uint32_t task)
{
    size_t at = v->task[task].place;
    if (at == 0)
        return;
    v->task[task].place = 0;
    pn_cluster_check_end moved = v->end[--v->end_count];
    if (--at == v->end_count)
        return;
    if (at > 0 && sooner(&moved, &v->end[(at - 1) / 2]))
        rise(v, at, moved);
    else
        sink(v, at, moved);
}

/* ---- what the model draws (CL8) ---- */

enum draw { DRAW_FACTOR = 1, DRAW_REPLICA = 2, DRAW_FAILURE = 3, DRAW_MOMENT = 4 };

static uint64_t draw(const pn_cluster_verifier *v, enum draw purpose, uint32_t task)
{
    const pn_cluster_check_task *t = &v->task[task];
    uint32_t kind = pn_cluster_check_kind(v, task);
    uint64_t hash = pn_mix(pn_mix(PN_MIX_START, v->config.seed), purpose);
    hash = pn_mix(pn_mix(pn_mix(hash, t->job), kind), task - v->job[t->job].first[kind]);
    return pn_mix(hash, t->attempt);
}

static uint64_t factor_of(const pn_cluster_verifier *v, uint32_t task)
{
    const pn_cluster_config *config = &v->config;
    const pn_cluster_check_job *job = &v->job[v->task[task].job];
    const pn_cluster_job *claim = pn_cluster_check_claim(v, v->task[task].job);
    uint32_t kind = pn_cluster_check_kind(v, task);
    const uint32_t *listed = kind == PN_SCHEDULER_MAP ? claim->map_factor : claim->reduce_factor;
    if (listed)
        return listed[task - job->first[kind]];
    return config->factor_lo +
           draw(v, DRAW_FACTOR, task) % ((uint64_t)config->factor_hi - config->factor_lo + 1);
}

static bool drawn_local(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    const pn_cluster_check_task *t = &v->task[task];
    uint64_t input = pn_mix(pn_mix(pn_mix(PN_MIX_START, v->config.seed), DRAW_REPLICA), t->job);
    input = pn_mix(input, task - v->job[t->job].first[PN_SCHEDULER_MAP]);
    if (v->replication >= v->node_count)
        return true;
    v->draws++;
    uint32_t found = 0;
    for (uint64_t candidate = 0; found < v->replication; candidate++) {
        uint32_t holder = (uint32_t)(pn_mix(input, candidate) % v->node_count);
        if (holder == node)
            return true;
        found += v->node[holder].stamp != v->draws;
        v->node[holder].stamp = v->draws;
    }
    return false;
}

bool pn_cluster_check_local(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    const pn_cluster_job *claim = pn_cluster_check_claim(v, v->task[task].job);
    if (!claim->blocks)
        return drawn_local(v, task, node);
    const uint32_t *holder = claim->blocks + v->task[task].mark;
    for (uint32_t left =
             claim->block_counts[task - v->job[v->task[task].job].first[PN_SCHEDULER_MAP]];
         left > 0; left--)
        if (*holder++ == node)
            return true;
    return false;
}

/* How many pending maps are looked at, in how many words, for one whose input is near: enough to
 * notice an engine that goes wrong, and little beside what else an entry costs. */
enum { LOOKED_AT = 64, WORDS_LOOKED_AT = 8 };

uint32_t pn_cluster_check_first_local(pn_cluster_verifier *v, uint32_t index, uint32_t node)
{
    const pn_cluster_check_job *job = &v->job[index];
    const uint64_t *word = v->bits + job->first_word[PN_SCHEDULER_MAP];
    uint32_t words = (v->claim.jobs[index].maps + 63) / 64, looked = 0;
    uint32_t first = first_bit(word, v->claim.jobs[index].maps);
    for (uint32_t at = first / 64;
         first != PN_CLUSTER_NOBODY && at < words && at < first / 64 + WORDS_LOOKED_AT; at++)
        for (uint64_t left = word[at]; left != 0; left &= left - 1) {
            uint32_t task = job->first[PN_SCHEDULER_MAP] + 64 * at + lowest(left);
            if (looked++ == LOOKED_AT)
                return PN_CLUSTER_NOBODY;
            if (pn_cluster_check_local(v, task, node))
                return task;
        }
    return PN_CLUSTER_NOBODY;
}

/* ---- durations ---- */

static uint64_t later(uint64_t time, uint64_t by)
{
    return time > PN_CLUSTER_NEVER_YET - by ? PN_CLUSTER_NEVER_YET : time + by;
}

/* ceil(amount * by / over) with amount <= 2^41, 1 <= by <= 2^30, 1 <= over <= 2^20. Never, where no
 * time is so late. */
static uint64_t scaled(uint64_t amount, uint64_t by, uint64_t over)
{
    uint64_t whole = amount / over;
    if (whole > PN_INTEGER_MAX / by)
        return PN_CLUSTER_NEVER_YET;
    return whole * by + (amount % over * by + over - 1) / over;
}

/* CL27: how much of so much work an attempt does before it ends one way or the other. */
static uint64_t worked(const pn_cluster_verifier *v, uint32_t task, uint64_t work)
{
    if (!v->task[task].fails || work > PN_INTEGER_MAX)
        return work;
    return pn_max(1, work * (draw(v, DRAW_MOMENT, task) % 1000) / 1000);
}

static uint64_t map_length(pn_cluster_verifier *v, uint32_t task)
{
    const pn_cluster_check_task *t = &v->task[task];
    const pn_cluster_job *claim = pn_cluster_check_claim(v, t->job);
    uint64_t length = claim->map_times
                          ? claim->map_times[task - v->job[t->job].first[PN_SCHEDULER_MAP]]
                          : claim->map_ms;
    if (!pn_cluster_check_local(v, task, t->node))
        length += claim->remote_ms;
    return worked(v, task, pn_max(1, scaled(length, factor_of(v, task), v->node[t->node].speed)));
}

/* How many of the sorted are below the bound. */
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

/* The job's maps are all done: it is settled when this reduce ends (CL11). */
static void feed_reduce(pn_cluster_verifier *v, uint32_t task)
{
    pn_cluster_check_task *t = &v->task[task];
    const pn_cluster_check_job *job = &v->job[t->job];
    const pn_cluster_job *claim = pn_cluster_check_claim(v, t->job);
    t->fed = 1;
    if (v->claim.measured)
        return;
    const uint32_t *sorted = v->sorted + job->first_sorted;
    uint32_t index = task - job->first[PN_SCHEDULER_REDUCE];
    uint32_t here = below(sorted, claim->maps, (uint64_t)t->node + 1) -
                    below(sorted, claim->maps, t->node);
    uint64_t remote = claim->maps - here;
    uint64_t shuffle = claim->shuffle_times ? claim->shuffle_times[index] : claim->shuffle_ms;
    /* floor(shuffle * remote / maps) without a product of 64 bits */
    shuffle = shuffle / claim->maps * remote + shuffle % claim->maps * remote / claim->maps;
    uint64_t factor = factor_of(v, task);
    uint64_t work = claim->reduce_times ? claim->reduce_times[index] : claim->reduce_ms;
    work = pn_max(1, scaled(work, factor, v->node[t->node].speed));
    t->mark = pn_max(job->map_finish, later(t->start, scaled(shuffle, factor, 1000)));
    expect_end(v, task, later(t->mark, worked(v, task, work)));
}

/* ---- the life of a task ---- */

void pn_cluster_check_launch(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    pn_cluster_check_task *t = &v->task[task];
    pn_cluster_check_job *job = &v->job[t->job];
    uint32_t kind = pn_cluster_check_kind(v, task), index;
    uint64_t *bits = bits_of(v, task, &index);
    clear_bit(bits, pn_cluster_check_count(v, t->job, kind), index);
    t->state = PN_CLUSTER_CHECK_RUNNING;
    t->start = v->time;
    t->node = node;
    t->fails = !v->claim.measured &&
               draw(v, DRAW_FAILURE, task) % 1000 < v->config.attempt_fail_permille;
    v->node[node].free[kind]--;
    v->node[node].running++;
    job->running[kind]++;
    if (kind == PN_SCHEDULER_MAP) {
        if (!v->claim.measured)
            expect_end(v, task, later(v->time, map_length(v, task)));
        return;
    }
    t->fed = 0;
    t->mark = PN_CLUSTER_NEVER_YET;
    link_task(v, &job->reduces_running, task);
    if (job->map_finish != PN_CLUSTER_NEVER_YET)
        feed_reduce(v, task);
}

void pn_cluster_check_stop(pn_cluster_verifier *v, uint32_t task)
{
    pn_cluster_check_job *job = &v->job[v->task[task].job];
    pn_cluster_check_node *node = &v->node[v->task[task].node];
    uint32_t kind = pn_cluster_check_kind(v, task);
    expect_no_end(v, task);
    node->free[kind]++;
    node->running--;
    job->running[kind]--;
    if (kind == PN_SCHEDULER_REDUCE)
        unlink_task(v, &job->reduces_running, task);
}

static void sift(uint32_t *items, size_t at, size_t count)
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

static void sort(uint32_t *items, size_t count)
{
    for (size_t i = count / 2; i > 0; i--)
        sift(items, i - 1, count);
    for (size_t left = count; left > 1; left--) {
        uint32_t largest = items[0];
        items[0] = items[left - 1];
        items[left - 1] = largest;
        sift(items, 0, left - 1);
    }
}

/* All maps are done: where their outputs are, and what that means for reduces that wait for
 * them. */
static void maps_complete(pn_cluster_verifier *v, uint32_t index)
{
    pn_cluster_check_job *job = &v->job[index];
    uint32_t maps = v->claim.jobs[index].maps;
    uint32_t *sorted = v->sorted + job->first_sorted;
    job->map_finish = v->time;
    if (v->claim.jobs[index].reduces == 0)
        return;
    for (uint32_t i = 0; i < maps && !v->claim.measured; i++)
        sorted[i] = v->task[job->first[PN_SCHEDULER_MAP] + i].node;
    if (!v->claim.measured)
        sort(sorted, maps);
    for (uint32_t task = job->reduces_running; task != PN_CLUSTER_NOBODY; task = v->task[task].next)
        if (!v->task[task].fed)
            feed_reduce(v, task);
}

void pn_cluster_check_done(pn_cluster_verifier *v, uint32_t task)
{
    pn_cluster_check_task *t = &v->task[task];
    pn_cluster_check_job *job = &v->job[t->job];
    uint32_t kind = pn_cluster_check_kind(v, task);
    t->state = PN_CLUSTER_CHECK_DONE;
    job->done[kind]++;
    if (kind == PN_SCHEDULER_REDUCE)
        return;
    if (v->claim.jobs[t->job].reduces > 0)
        link_task(v, &v->node[t->node].maps_done, task);
    if (job->done[PN_SCHEDULER_MAP] == v->claim.jobs[t->job].maps)
        maps_complete(v, t->job);
}

void pn_cluster_check_again(pn_cluster_verifier *v, uint32_t task)
{
    v->task[task].attempt++;
    pn_cluster_check_pend(v, task);
}

/* ---- what is lost with a node (CL13) ---- */

/* Whether reduces of the job still need outputs. Who is fed in a measured log may have fetched them
 * all or not. */
static enum pn_cluster_check_loss loss_of(const pn_cluster_verifier *v, uint32_t index)
{
    const pn_cluster_check_job *job = &v->job[index];
    if (job->done[PN_SCHEDULER_REDUCE] + job->running[PN_SCHEDULER_REDUCE] <
        v->claim.jobs[index].reduces)
        return PN_CLUSTER_CHECK_LOST;
    for (uint32_t task = job->reduces_running; task != PN_CLUSTER_NOBODY;
         task = v->task[task].next) {
        const pn_cluster_check_task *t = &v->task[task];
        if (v->claim.measured ? !t->fed : t->mark > v->time)
            return PN_CLUSTER_CHECK_LOST;
    }
    return v->claim.measured && job->reduces_running != PN_CLUSTER_NOBODY ? PN_CLUSTER_CHECK_EITHER
                                                                          : PN_CLUSTER_CHECK_KEPT;
}

void pn_cluster_check_node_down(pn_cluster_verifier *v)
{
    v->node_failures++;
    v->owed_lost = 0;
    v->owed_judged = 1;
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

/* The first output lost: reduces that have not got everything wait for the last map again. */
static void starve_reduces(pn_cluster_verifier *v, pn_cluster_check_job *job)
{
    job->map_finish = PN_CLUSTER_NEVER_YET;
    for (uint32_t task = job->reduces_running; task != PN_CLUSTER_NOBODY && !v->claim.measured;
         task = v->task[task].next) {
        pn_cluster_check_task *t = &v->task[task];
        if (t->mark <= v->time)
            continue;
        expect_no_end(v, task);
        t->fed = 0;
        t->mark = PN_CLUSTER_NEVER_YET;
    }
}

void pn_cluster_check_rerun(pn_cluster_verifier *v, uint32_t task)
{
    pn_cluster_check_task *t = &v->task[task];
    pn_cluster_check_job *job = &v->job[t->job];
    unlink_task(v, &v->node[t->node].maps_done, task);
    job->done[PN_SCHEDULER_MAP]--;
    if (job->map_finish != PN_CLUSTER_NEVER_YET)
        starve_reduces(v, job);
    pn_cluster_check_again(v, task);
}

void pn_cluster_check_forget(pn_cluster_verifier *v, uint32_t index)
{
    const pn_cluster_check_job *job = &v->job[index];
    if (v->claim.jobs[index].reduces == 0)
        return;
    for (uint32_t task = job->first[PN_SCHEDULER_MAP]; task < job->first[PN_SCHEDULER_REDUCE];
         task++)
        if (v->task[task].state == PN_CLUSTER_CHECK_DONE)
            unlink_task(v, &v->node[v->task[task].node].maps_done, task);
}
