/* See cluster.h: what hsrtf estimates, shares and kills. */
#include "model.h"

#include <stdlib.h>

/* ---- hsrtf: estimates (CL12, CL17) ---- */

wide naive_progress(const model *m, const job *j, int kind, uint32_t index)
{
    const task *t = &j->tasks[kind][index];
    uint64_t now = m->now;
    if (t->state == SUSPENDED || now < t->works)
        return t->progress;
    wide elapsed = (wide)worked(m, t);
    wide maps_done = (wide)j->in_state[MAP][DONE] * 1000000 / j->count[MAP];
    wide shuffle = (wide)naive_shuffle_ms(j, task_of(j, kind, index));
    if (kind == MAP)
        return elapsed * 1000000 / (wide)t->work;
    if (t->shuffle_end != NEVER && now >= t->shuffle_end)
        return 333333 + (wide)(now - t->shuffle_end) * 666666 / (wide)t->work;
    return (shuffle > 0 ? wide_least(maps_done, elapsed * 1000000 / shuffle) : maps_done) / 3;
}

typedef struct samples {
    wide sum, count;
} samples;

static void add_samples(const model *m, const job *j, int kind, samples *of)
{
    for (uint32_t i = 0; i < 2 * j->count[kind]; i++) {
        const task *t = &j->tasks[kind][i];
        bool begun = t->state == RUNNING || t->state == SUSPENDED;
        wide done = begun ? naive_progress(m, j, kind, i) : 0;
        if (t->state == DONE)
            of->sum += (wide)(t->end - t->start);
        else if (done > 0)
            of->sum += (wide)(held_until(m, t) - t->start) * 1000000 / done;
        of->count += t->state == DONE || done > 0;
    }
}

static samples samples_of(const model *m, const job *j, int kind)
{
    samples of = {0, 0};
    add_samples(m, j, kind, &of);
    return of;
}

static samples samples_of_all(const model *m, int kind)
{
    samples of = {0, 0};
    for (uint32_t k = 0; k < m->job_count; k++)
        if (naive_is_active(&m->jobs[k]))
            add_samples(m, &m->jobs[k], kind, &of);
    return of;
}

static wide average_of(samples of, wide otherwise)
{
    return of.count > 0 ? of.sum / of.count : otherwise;
}

/* eq. (1) with the job's averages. */
static wide time_for(const job *j, wide maps, wide reduces, wide map_slots, wide reduce_slots)
{
    return wide_divide_up(maps, map_slots) * j->average[MAP] +
           wide_divide_up(reduces, reduce_slots) * j->average[REDUCE];
}

static wide unfinished(const job *j, int kind)
{
    return j->count[kind] - j->in_state[kind][DONE];
}

static void estimate(const model *m, job *j)
{
    const pn_scheduler_config *c = &m->scenario->config.scheduler;
    samples maps = samples_of(m, j, MAP);
    samples reduces = samples_of(m, j, REDUCE);
    bool all_maps_done = j->in_state[MAP][DONE] == j->count[MAP];
    if (maps.count > 0 && !all_maps_done)
        reduces = (samples){0, 0};
    if (maps.count == 0) {
        maps = samples_of_all(m, MAP);
        reduces = samples_of_all(m, REDUCE);
    }
    j->average[MAP] = average_of(maps, (wide)c->default_task_ms);
    wide by_input = j->count[REDUCE] == 0
                        ? 0
                        : j->average[MAP] * j->count[MAP] * (wide)c->input_ratio_permille /
                              (1000 * (wide)j->count[REDUCE]); /* eq. (2) */
    j->average[REDUCE] = average_of(reduces, by_input);
    j->remaining = time_for(j, unfinished(j, MAP), unfinished(j, REDUCE), m->slots[MAP],
                            m->slots[REDUCE]);
}

/* ---- hsrtf: shares (CL18) ---- */

typedef struct claim {
    job *of;
    wide weight, need, share, remainder;
    bool settled;
} claim;

static wide plain_weight(const job *j)
{
    return (wide)1000000000000000 * naive_weight(j) / wide_most(1, j->remaining);
}

/* W of CL18: the weight times the starvation ratio. */
static wide weight_of(const model *m, const job *j, wide sum)
{
    wide slots[2];
    wide w = plain_weight(j);
    if (!m->scenario->starvation)
        return wide_most(1, w);
    for (int kind = MAP; kind <= REDUCE; kind++)
        slots[kind] = wide_most(1, m->slots[kind] * w / sum);
    wide waited = (wide)(m->now - j->given->submit);
    wide expected = waited + time_for(j, unfinished(j, MAP), unfinished(j, REDUCE), slots[MAP],
                                      slots[REDUCE]);
    wide alone = time_for(j, j->count[MAP], j->count[REDUCE], m->slots[MAP], m->slots[REDUCE]);
    /* The one thing taken from the kernel: a weight stops at 2^62, which a starvation ratio of
     * thousands passes. */
    return wide_least((wide)1 << 62,
                      wide_most(1, w * (expected * 1000 / wide_most(1, alone)) / 1000));
}

static wide sum_of_weights(const claim *claims, uint32_t count)
{
    wide sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += claims[i].settled ? 0 : claims[i].weight;
    return sum;
}

/* One round: those whose part is as much as they need get that. */
static bool settle(claim *claims, uint32_t count, wide *slots)
{
    wide sum = sum_of_weights(claims, count);
    wide given = 0;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        claim *c = &claims[i];
        if (c->settled || *slots * c->weight < c->need * sum)
            continue;
        c->settled = any = true;
        c->share = c->need;
        given += c->need;
    }
    *slots -= given;
    return any;
}

/* The claims are in order of (RT, submit, id). */
static void share_rest(claim *claims, uint32_t count, wide slots)
{
    wide sum = sum_of_weights(claims, count);
    wide left = slots;
    for (uint32_t i = 0; i < count; i++) {
        if (claims[i].settled)
            continue;
        claims[i].share = slots * claims[i].weight / sum;
        claims[i].remainder = slots * claims[i].weight % sum;
        left -= claims[i].share;
    }
    for (; left > 0; left--) {
        claim *first = NULL;
        for (uint32_t i = 0; i < count; i++)
            if (!claims[i].settled && (!first || claims[i].remainder > first->remainder))
                first = &claims[i];
        if (!first)
            return; /* all have what they need */
        first->share++;
        first->remainder = -1;
    }
}

static void give_everyone_one(claim *claims, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        claim *largest = NULL;
        for (uint32_t k = 0; k < count; k++)
            if (!largest || claims[k].share >= largest->share)
                largest = &claims[k];
        if (claims[i].share == 0 && largest->share > 1) {
            largest->share--;
            claims[i].share = 1;
        }
    }
}

static void share_out(model *m, int kind, const wide *weights)
{
    uint32_t jobs = naive_sort_jobs(m, kind);
    uint32_t count = 0;
    wide slots = m->slots[kind];
    claim *claims = calloc(jobs + 1, sizeof *claims);
    for (uint32_t i = 0; i < jobs; i++) {
        job *j = m->order[i];
        j->share[kind] = 0;
        if (naive_need(m, j, kind) > 0)
            claims[count++] = (claim){
                .of = j, .weight = weights[j->index], .need = naive_need(m, j, kind)};
    }
    while (settle(claims, count, &slots))
        ;
    share_rest(claims, count, slots);
    give_everyone_one(claims, count);
    for (uint32_t i = 0; i < count; i++)
        claims[i].of->share[kind] = claims[i].share;
    free(claims);
}

static void set_shares(model *m)
{
    if (!naive_has_shares(m))
        return;
    wide *weights = calloc(m->job_count + 1, sizeof *weights);
    wide sum = 0;
    for (uint32_t k = 0; k < m->job_count; k++)
        sum += naive_is_active(&m->jobs[k]) ? plain_weight(&m->jobs[k]) : 0;
    for (uint32_t k = 0; k < m->job_count; k++)
        if (naive_is_active(&m->jobs[k]))
            weights[k] = weight_of(m, &m->jobs[k], sum);
    for (int kind = MAP; kind <= REDUCE; kind++)
        share_out(m, kind, weights);
    free(weights);
}

/* ---- hsrtf: preemption (CL19b) ---- */

static bool worse_victim(const model *m, const job *j, int kind, uint32_t a, uint32_t b)
{
    wide pa = naive_progress(m, j, kind, a);
    wide pb = naive_progress(m, j, kind, b);
    uint64_t sa = j->tasks[kind][a].start;
    uint64_t sb = j->tasks[kind][b].start;
    return pa != pb ? pa > pb : sa != sb ? sa < sb : task_of(j, kind, a) < task_of(j, kind, b);
}

/* Kills or suspends one attempt of the job; false when there is none that may be. */
static bool take_back_one(model *m, job *j, int kind)
{
    const pn_cluster_config *rules = &m->scenario->config;
    bool suspend = m->scenario->suspend, costs = rules->restore_ms > 0 ||
                                                 rules->restore_permille > 0 ||
                                                 rules->save_ms > 0 || rules->save_permille > 0;
    uint32_t guard = suspend && !costs ? 0 : rules->scheduler.max_kills;
    uint32_t victim = UINT32_MAX;
    for (uint32_t i = 0; i < 2 * j->count[kind]; i++) {
        const task *t = &j->tasks[kind][i];
        uint32_t number = suspend ? t->suspensions : j->tasks[kind][task_of(j, kind, i)].used - 1;
        if (t->state != RUNNING || (guard > 0 && number >= guard) ||
            (suspend && has_copy(j, kind, i)))
            continue;
        if (victim == UINT32_MAX || worse_victim(m, j, kind, victim, i))
            victim = i;
    }
    if (victim == UINT32_MAX)
        return false;
    if (suspend)
        naive_suspend(m, j, kind, victim);
    else
        naive_give_up(m, j, kind, victim, PN_SCHEDULER_KILL);
    return true;
}

/* So many slots are wanted; from jobs after the target, or (null) from those above their share,
 * longest first. */
static void kill_for(model *m, int kind, wide wanted, const job *target)
{
    uint32_t count = naive_sort_jobs(m, kind);
    for (uint32_t i = count; i > 0; i--) {
        job *j = m->order[i - 1];
        wide running = j->in_state[kind][RUNNING];
        bool ranks_lower = target && j->given->priority < target->given->priority,
             takes_longer = target && j->given->priority == target->given->priority &&
                            j->remaining > target->remaining;
        wide allowed = target ? (ranks_lower || takes_longer ? running : 0)
                              : running - j->share[kind];
        for (; allowed > 0 && wanted > 0 && take_back_one(m, j, kind); allowed--)
            wanted--;
    }
}

static void preempt_unfairly(model *m, int kind)
{
    uint32_t count = naive_sort_jobs(m, kind);
    for (uint32_t i = 0; i < count; i++) {
        if (naive_ready(m, m->order[i], kind) > 0) {
            const job *target = m->order[i];
            kill_for(m, kind, naive_ready(m, target, kind) - naive_all_free(m, kind), target);
            return;
        }
    }
}

static void preempt_by_shares(model *m, int kind)
{
    wide wanted = -naive_all_free(m, kind);
    for (uint32_t k = 0; k < m->job_count; k++) {
        const job *j = &m->jobs[k];
        if (naive_is_active(j))
            wanted += wide_least(naive_ready(m, j, kind),
                                 wide_most(0, j->share[kind] - j->in_state[kind][RUNNING]));
    }
    kill_for(m, kind, wanted, NULL);
}

static void preempt(model *m)
{
    for (int kind = MAP; kind <= REDUCE; kind++) {
        if (m->policy == PUP)
            preempt_unfairly(m, kind);
        if (m->policy == PRP)
            preempt_by_shares(m, kind);
    }
}

/* ---- hsrtf: when ---- */

void naive_on_arrival(model *m, job *j)
{
    if (!naive_is_hsrtf(m))
        return;
    estimate(m, j);
    set_shares(m);
    preempt(m);
}

void naive_on_tick(model *m)
{
    for (uint32_t k = 0; k < m->job_count; k++)
        if (naive_is_active(&m->jobs[k]))
            estimate(m, &m->jobs[k]);
    set_shares(m);
    preempt(m);
}

void naive_on_end_of_job(model *m, job *j)
{
    set_shares(m);
    if (!naive_admits(m) || j->state != PN_SCHEDULER_FINISHED)
        return;
    naive_learn(m, j);
    if (m->policy == RTMR)
        naive_feed_back(m, j);
}
