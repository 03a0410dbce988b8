/* The checker. It shares no code with the engine: it works out by itself what every stage or task
 * takes and holds each entry of a log against that. A stage of the stage level is treated as one
 * task on a slot of its own, the pool's machine, so that one set of checks serves both levels.
 *
 * Nobody tells it the order of the jobs. Where the rules need one (stages one at a time), it is the
 * order in which maps begin, and reduces have to follow it. */
#include "base/config.h"
#include "verify.h"

static int makespan_reject(pn_makespan_verifier *v, const char *fault, uint64_t time, uint64_t id)
{
    v->fault = fault;
    v->fault_time = time;
    v->fault_id = id;
    return PN_ERR_REJECTED;
}

/* ---- tasks under way, for the cap ---- */

static void running_add(pn_makespan_verifier *v, uint64_t end, pn_makespan_logged *stage)
{
    size_t at = v->running_count++;
    for (; at > 0 && v->running[(at - 1) / 2].end > end; at = (at - 1) / 2)
        v->running[at] = v->running[(at - 1) / 2];
    v->running[at] = (pn_makespan_running){end, stage};
    stage->running++;
}

static void running_drop(pn_makespan_verifier *v)
{
    v->running[0].stage->running--;
    pn_makespan_running moved = v->running[--v->running_count];
    size_t at = 0;
    for (size_t child = 1; child < v->running_count; child = 2 * at + 1) {
        if (child + 1 < v->running_count && v->running[child + 1].end < v->running[child].end)
            child++;
        if (v->running[child].end >= moved.end)
            break;
        v->running[at] = v->running[child];
        at = child;
    }
    v->running[at] = moved;
}

/* ---- entries ---- */

/* Leaves the time at hand. */
static void close_time(pn_makespan_verifier *v)
{
    if (v->entries > 0)
        v->digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, v->digest), v->time), v->fold);
    v->entries = 0;
    v->fold = 0;
}

static void makespan_go_to(pn_makespan_verifier *v, uint64_t time)
{
    if (time == v->time)
        return;
    close_time(v);
    v->time = time;
    while (v->running_count > 0 && v->running[0].end <= time)
        running_drop(v);
}

/* Checks that there is such a task, to be started on such a slot, for as long as is told. */
static int check_task(pn_makespan_verifier *v, const pn_makespan_decision *d, int stage,
                      const pn_makespan_logged *t)
{
    const pn_makespan_logged_pool *pool = &v->pool[v->job[d->id - 1].pool];
    if (d->task >= t->tasks)
        return makespan_reject(v, "no such task", d->start, d->id);
    if (v->started[(t->first_bit + d->task) / 64] >> (t->first_bit + d->task) % 64 & 1)
        return makespan_reject(v, "the task starts twice", d->start, d->id);
    if (d->slot >= v->slot_count[stage])
        return makespan_reject(v, "no such slot", d->start, d->id);
    if (d->slot < pool->first_slot[stage] ||
        d->slot - pool->first_slot[stage] >= pool->slots[stage])
        return makespan_reject(v, "the slot belongs to another pool", d->start, d->id);
    uint64_t length = pn_makespan_verifier_length(v, (size_t)d->id - 1, stage, d->task);
    if (length == PN_MAKESPAN_NO_TIME)
        return makespan_reject(v, "what takes so long is no whole number of ticks", d->start,
                               d->id);
    if (d->end < d->start || d->end - d->start != length)
        return makespan_reject(v, "it takes another time than it should", d->start, d->id);
    return PN_OK;
}

/* Begins a stage where stages begin one by one: each when the last one is complete, reduces in the
 * order of maps. */
static int begin_stage(pn_makespan_verifier *v, const pn_makespan_decision *d, int stage)
{
    pn_makespan_logged_job *job = &v->job[d->id - 1];
    pn_makespan_logged_pool *pool = &v->pool[job->pool];
    if (pool->begun[stage] > 0) {
        const pn_makespan_logged *last = &v->job[pool->begun[stage] - 1].stage[stage];
        if (last->left > 0 || last->end > d->start)
            return makespan_reject(v, "the stage begins before another job's is complete", d->start,
                                   d->id);
    }
    if (stage == PN_MAKESPAN_REDUCE && job->rank > 0) {
        if (job->rank < pool->reduced)
            return makespan_reject(v, "reduces come in another order than maps", d->start, d->id);
        pool->reduced = job->rank;
    }
    if (stage == PN_MAKESPAN_MAP)
        job->rank = ++pool->map_ranks;
    pool->begun[stage] = (size_t)d->id;
    return PN_OK;
}

static int check_rules(pn_makespan_verifier *v, const pn_makespan_decision *d, int stage,
                       uint64_t slot_free)
{
    const pn_makespan_logged *maps = &v->job[d->id - 1].stage[PN_MAKESPAN_MAP];
    const pn_makespan_logged *t = &v->job[d->id - 1].stage[stage];
    uint64_t ready = stage == PN_MAKESPAN_REDUCE ? maps->end : 0;
    if (stage == PN_MAKESPAN_REDUCE && (maps->left > 0 || d->start < ready))
        return makespan_reject(v, "a reduce starts before the job's maps have ended", d->start,
                               d->id);
    if (d->start < slot_free)
        return makespan_reject(v, "the slot is taken", d->start, d->id);
    if (pn_makespan_claim_caps(&v->claim) && t->running >= t->cap)
        return makespan_reject(v, "more tasks at once than the job requests slots", d->start,
                               d->id);
    if (pn_makespan_claim_one_by_one(&v->claim) && t->left == t->tasks) {
        int status = begin_stage(v, d, stage);
        if (status != PN_OK)
            return status;
    }
    if (pn_makespan_claim_at_stages(&v->claim) && d->start != pn_max(slot_free, ready))
        return makespan_reject(v, "the stage starts later than it can", d->start, d->id);
    return PN_OK;
}

static int makespan_feed_start(pn_makespan_verifier *v, const pn_makespan_decision *d, int stage)
{
    pn_makespan_logged *t = &v->job[d->id - 1].stage[stage];
    int status = check_task(v, d, stage, t);
    if (status != PN_OK)
        return status;
    uint64_t *slot_free =
        &v->slot_free[(stage == PN_MAKESPAN_MAP ? 0 : v->slot_count[0]) + d->slot];
    status = check_rules(v, d, stage, *slot_free);
    if (status != PN_OK)
        return status;
    v->started[(t->first_bit + d->task) / 64] |= (uint64_t)1 << (t->first_bit + d->task) % 64;
    t->left--;
    t->end = pn_max(t->end, d->end);
    *slot_free = d->end;
    if (pn_makespan_claim_caps(&v->claim) && d->end > d->start)
        running_add(v, d->end, t);
    return PN_OK;
}

static int makespan_feed_finish(pn_makespan_verifier *v, const pn_makespan_decision *d)
{
    pn_makespan_logged_job *job = &v->job[d->id - 1];
    uint64_t due = pn_max(job->stage[0].end, job->stage[1].end);
    if (job->finished)
        return makespan_reject(v, "the job finishes twice", d->start, d->id);
    if (d->end != d->start || d->task != 0 || d->slot != 0)
        return makespan_reject(v, "a finish has no length, task or slot", d->start, d->id);
    if (job->stage[0].left > 0 || job->stage[1].left > 0 || d->start < due)
        return makespan_reject(v, "the job finishes before its work is done", d->start, d->id);
    if (d->start > due)
        return makespan_reject(v, "the job finishes after its work is done", d->start, d->id);
    job->finished = 1;
    v->last_finish = d->start;
    return PN_OK;
}

int pn_makespan_verifier_feed(pn_makespan_verifier *v, const pn_makespan_decision *d)
{
    if (!v || !d || !PN_GIVEN(d, pn_makespan_decision, slot))
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (d->id < 1 || d->id > v->claim.job_count)
        return makespan_reject(v, "no such job", d->start, d->id);
    if (d->kind < PN_MAKESPAN_START_MAP || d->kind > PN_MAKESPAN_FINISH)
        return makespan_reject(v, "no such kind of entry", d->start, d->id);
    if (d->start < v->time)
        return makespan_reject(v, "entries must be in order of start", d->start, d->id);
    if (d->start > PN_MAKESPAN_MOST || d->end > PN_MAKESPAN_MOST)
        return makespan_reject(v, "no time is so late", d->start, d->id);
    makespan_go_to(v, d->start);
    int status = d->kind == PN_MAKESPAN_FINISH
                     ? makespan_feed_finish(v, d)
                     : makespan_feed_start(v, d, d->kind == PN_MAKESPAN_START_REDUCE);
    if (status != PN_OK)
        return status;
    v->fold += pn_mix(pn_mix(pn_mix(pn_mix(PN_MIX_START, d->start), d->kind), d->id),
                      d->end - d->start);
    v->entries++;
    return PN_OK;
}

int pn_makespan_verifier_end(pn_makespan_verifier *v, uint64_t end, uint64_t digest)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    close_time(v);
    for (size_t i = 0; i < v->claim.job_count; i++)
        if (!v->job[i].finished)
            return makespan_reject(v, "the job does not finish", v->time, i + 1);
    if (end != v->last_finish)
        return makespan_reject(v, "the end is not the last finish", end, 0);
    if (digest != v->digest)
        return makespan_reject(v, "the digest does not match the entries", end, 0);
    return PN_OK;
}

const char *pn_makespan_verifier_fault(const pn_makespan_verifier *v, uint64_t *time, uint64_t *id)
{
    if (time)
        *time = v->fault_time;
    if (id)
        *id = v->fault_id;
    return v->fault;
}
