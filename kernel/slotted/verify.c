/* The checker. It shares no code with the engine: it counts units per job as a log tells them and
 * holds every entry against the workload. Work of a slot is summed up when the log reaches a
 * later one. */
#include "pn_slotted.h"

#include "base/arena.h"
#include "base/config.h"

/* What the log has told of one job. */
typedef struct slotted_logged {
    /* units; reduces_left counts tasks' units until they start (non-preemptive) */
    uint64_t maps_left, reduces_left;
    uint64_t ready_from; /* first slot in which its reduces may run */
    uint64_t last_slot;  /* of its last unit, known once all work has run or started */
    /* slot of the last PN_SLOTTED_MAP, PN_SLOTTED_REDUCE, PN_SLOTTED_START entry */
    uint64_t last_entry[3];
    size_t next_task; /* index into reduces of the first task not started */
    uint32_t tasks_left;
    uint32_t tasks_started;
    uint32_t finished;
    uint32_t unused;
} slotted_logged;

/* Tasks that end in the same slot. */
typedef struct ending {
    uint64_t slot;
    uint64_t count;
} ending;

struct pn_slotted_verifier {
    pn_slotted_claim claim;
    slotted_logged *job;
    ending *endings; /* running tasks by last slot, a heap with the soonest first */
    size_t ending_count;
    size_t arrived;
    uint64_t slot;    /* being summed up; 0 before the first */
    uint64_t held;    /* machines of running tasks at the start of the slot */
    uint64_t used;    /* machines given in it */
    uint64_t offered; /* machines that the jobs in the system could use at its start */
    uint64_t change;  /* of `offered` when the slot ends, modulo 2^64 */
    uint64_t fold, digest, last_finish;
    uint64_t until; /* the slot after which the run was stopped; 0: it was not */
    const char *fault;
    uint64_t fault_slot, fault_id;
};

PN_CLAIMED(slotted, attributes)

static bool slotted_claim_valid(const pn_slotted_claim *claim)
{
    return claim && PN_GIVEN(claim, pn_slotted_claim, job_count) && claim->machines >= 1 &&
           claim->machines <= PN_SLOTTED_MACHINES_MOST &&
           claim->reduce <= PN_SLOTTED_NONPREEMPTIVE &&
           (claim->job_count == 0 ||
            (claim->jobs && PN_GIVEN(claim->jobs, pn_slotted_job, attributes)));
}

/* Checks the jobs: what submit would refuse is no workload to hold a log against. */
static int slotted_check_jobs(const pn_slotted_claim *claim)
{
    for (size_t i = 0; i < claim->job_count; i++) {
        const pn_slotted_job *job = pn_slotted_claimed(claim, i);
        uint64_t work = job->maps;
        if (job->reduce_count > 0 && !job->reduces)
            return PN_ERR_ARGUMENT;
        if (job->arrival < 1 || job->arrival > PN_INTEGER_MAX || job->reduce_count > UINT32_MAX)
            return PN_ERR_JOB;
        if (i > 0 && job->arrival < pn_slotted_claimed(claim, i - 1)->arrival)
            return PN_ERR_ORDER;
        for (size_t k = 0; k < job->reduce_count && work <= PN_INTEGER_MAX; k++)
            work = job->reduces[k] > PN_INTEGER_MAX ? UINT64_MAX : work + job->reduces[k];
        if (work == 0 || work > PN_INTEGER_MAX)
            return PN_ERR_JOB;
    }
    return PN_OK;
}

static size_t slotted_verify_carve(const pn_slotted_claim *claim, pn_slotted_verifier *v)
{
    pn_arena arena = {0, false};
    pn_arena_take(&arena, 1, sizeof(pn_slotted_verifier));
    size_t job = pn_arena_take(&arena, claim->job_count, sizeof(slotted_logged));
    size_t endings = pn_arena_take(&arena, claim->machines, sizeof(ending));
    if (v) {
        v->job = pn_at(v, job);
        v->endings = pn_at(v, endings);
    }
    return pn_arena_size(&arena, 0);
}

size_t pn_slotted_verifier_size(const pn_slotted_claim *claim)
{
    return slotted_claim_valid(claim) ? slotted_verify_carve(claim, NULL) : 0;
}

static bool divisible(const pn_slotted_verifier *v)
{
    return v->claim.relaxed || v->claim.reduce == PN_SLOTTED_PREEMPTIVE;
}

static void skip_empty_tasks(const pn_slotted_job *job, slotted_logged *t)
{
    while (t->next_task < job->reduce_count && job->reduces[t->next_task] == 0)
        t->next_task++;
}

int pn_slotted_verifier_init(pn_slotted_verifier **verifier, void *block, size_t size,
                             const pn_slotted_claim *claim)
{
    if (!verifier || !block || !slotted_claim_valid(claim))
        return PN_ERR_ARGUMENT;
    int status = pn_block_fits(block, size, slotted_verify_carve(claim, NULL));
    if (status == PN_OK)
        status = slotted_check_jobs(claim);
    if (status != PN_OK)
        return status;
    pn_slotted_verifier *v = block;
    *v = (pn_slotted_verifier){.fault = ""};
    PN_TAKE(&v->claim, claim, pn_slotted_claim, job_count);
    slotted_verify_carve(claim, v);
    for (size_t i = 0; i < claim->job_count; i++) {
        const pn_slotted_job *job = pn_slotted_claimed(claim, i);
        slotted_logged *t = &v->job[i];
        *t = (slotted_logged){
            .maps_left = job->maps, .ready_from = job->arrival, .last_slot = job->arrival - 1};
        for (size_t k = 0; k < job->reduce_count; k++) {
            t->reduces_left += job->reduces[k];
            t->tasks_left += job->reduces[k] > 0;
        }
        skip_empty_tasks(job, t);
    }
    *verifier = v;
    return PN_OK;
}

static int slotted_reject(pn_slotted_verifier *v, const char *fault, uint64_t slot, uint64_t id)
{
    v->fault = fault;
    v->fault_slot = slot;
    v->fault_id = id;
    return PN_ERR_REJECTED;
}

/* ---- time ---- */

static void ending_add(pn_slotted_verifier *v, uint64_t slot, uint64_t count)
{
    size_t at = v->ending_count++;
    while (at > 0 && v->endings[(at - 1) / 2].slot > slot) {
        v->endings[at] = v->endings[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    v->endings[at] = (ending){slot, count};
}

static void ending_drop(pn_slotted_verifier *v)
{
    ending moved = v->endings[--v->ending_count];
    size_t at = 0;
    for (size_t child = 1; child < v->ending_count; child = 2 * at + 1) {
        if (child + 1 < v->ending_count && v->endings[child + 1].slot < v->endings[child].slot)
            child++;
        if (v->endings[child].slot >= moved.slot)
            break;
        v->endings[at] = v->endings[child];
        at = child;
    }
    v->endings[at] = moved;
}

/* Returns what a job could use at the start of a slot: map units, else reduce units or unstarted
 * tasks. */
static uint64_t could_use(const pn_slotted_verifier *v, const slotted_logged *t)
{
    return t->maps_left > 0 ? t->maps_left : divisible(v) ? t->reduces_left : t->tasks_left;
}

static void slotted_arrive(pn_slotted_verifier *v, uint64_t slot)
{
    while (v->arrived < v->claim.job_count &&
           pn_slotted_claimed(&v->claim, v->arrived)->arrival <= slot)
        v->offered += could_use(v, &v->job[v->arrived++]);
}

/* Judges the slot at hand now that all its entries are known, and leaves it. */
static int close_slot(pn_slotted_verifier *v)
{
    uint64_t idle = v->claim.machines - v->held - v->used;
    if (v->claim.work_conserving && !v->claim.relaxed && idle > 0 && v->used < v->offered)
        return slotted_reject(v, "a machine idles while a job offers work", v->slot, 0);
    v->offered += v->change;
    v->held += divisible(v) ? 0 : v->used;
    /* Maps hold a machine for this slot only; they were counted as endings of this very slot. */
    while (v->ending_count > 0 && v->endings[0].slot == v->slot) {
        v->held -= v->endings[0].count;
        ending_drop(v);
    }
    if (v->fold != 0)
        v->digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, v->digest), v->slot), v->fold);
    v->fold = 0;
    v->used = 0;
    v->change = 0;
    return PN_OK;
}

/* Goes on to `slot`, looking at every slot between in which tasks end or jobs arrive: nothing ran
 * in them. */
static int slotted_go_to(pn_slotted_verifier *v, uint64_t slot)
{
    while (v->slot < slot) {
        int status = v->slot > 0 ? close_slot(v) : PN_OK;
        if (status != PN_OK)
            return status;
        uint64_t next = slot;
        if (v->ending_count > 0 && v->endings[0].slot < next)
            next = v->endings[0].slot;
        if (v->arrived < v->claim.job_count &&
            pn_slotted_claimed(&v->claim, v->arrived)->arrival < next)
            next = pn_slotted_claimed(&v->claim, v->arrived)->arrival;
        /* A silent slot right here shows idling as well as any later one before something
         * changes. */
        if (next > v->slot + 1 && v->claim.work_conserving && !v->claim.relaxed && v->offered > 0 &&
            v->held < v->claim.machines)
            return slotted_reject(v, "a machine idles while a job offers work", v->slot + 1, 0);
        v->slot = next;
        slotted_arrive(v, v->slot);
    }
    return PN_OK;
}

/* ---- entries ---- */

static int use(pn_slotted_verifier *v, uint64_t machines, const pn_slotted_decision *d)
{
    if (machines > v->claim.machines - v->held - v->used)
        return slotted_reject(v, "more machines in use than there are", d->slot, d->id);
    v->used += machines;
    return PN_OK;
}

static int feed_map(pn_slotted_verifier *v, const pn_slotted_decision *d, slotted_logged *t)
{
    if (d->amount > t->maps_left)
        return slotted_reject(v, "more map units than the job has left", d->slot, d->id);
    int status = use(v, d->amount, d);
    if (status != PN_OK)
        return status;
    uint64_t before = could_use(v, t);
    t->maps_left -= d->amount;
    if (!divisible(v))
        ending_add(v, d->slot, d->amount);
    if (t->maps_left == 0) {
        t->ready_from = v->claim.relaxed ? d->slot : d->slot + 1;
        t->last_slot = d->slot;
    }
    v->change += could_use(v, t) - before;
    return PN_OK;
}

static int ready(pn_slotted_verifier *v, const pn_slotted_decision *d, const slotted_logged *t)
{
    if (t->maps_left > 0 || d->slot < t->ready_from)
        return slotted_reject(v, "reduces before the slot after the last map", d->slot, d->id);
    return PN_OK;
}

static int slotted_feed_reduce(pn_slotted_verifier *v, const pn_slotted_decision *d,
                               slotted_logged *t)
{
    if (!divisible(v))
        return slotted_reject(v, "a divisible reduce in non-preemptive mode", d->slot, d->id);
    int status = ready(v, d, t);
    if (status == PN_OK && d->amount > t->reduces_left)
        return slotted_reject(v, "more reduce units than the job has left", d->slot, d->id);
    if (status == PN_OK)
        status = use(v, d->amount, d);
    if (status != PN_OK)
        return status;
    t->reduces_left -= d->amount;
    v->change -= d->amount;
    if (t->reduces_left == 0)
        t->last_slot = d->slot;
    return PN_OK;
}

static int slotted_feed_start(pn_slotted_verifier *v, const pn_slotted_decision *d,
                              slotted_logged *t)
{
    const pn_slotted_job *job = pn_slotted_claimed(&v->claim, d->id - 1);
    if (divisible(v))
        return slotted_reject(v, "a task start in preemptive mode", d->slot, d->id);
    int status = ready(v, d, t);
    if (status == PN_OK && d->amount > t->tasks_left)
        return slotted_reject(v, "more tasks started than the job has left", d->slot, d->id);
    if (status == PN_OK && d->first_task != t->tasks_started + 1)
        return slotted_reject(v, "tasks must start in order, each once", d->slot, d->id);
    if (status == PN_OK)
        status = use(v, d->amount, d);
    if (status != PN_OK)
        return status;
    for (uint64_t i = 0; i < d->amount; i++) {
        uint64_t length = job->reduces[t->next_task++];
        uint64_t last = d->slot + length - 1;
        ending_add(v, last, 1);
        t->reduces_left -= length;
        t->last_slot = last > t->last_slot ? last : t->last_slot;
        skip_empty_tasks(job, t);
    }
    t->tasks_left -= (uint32_t)d->amount;
    t->tasks_started += (uint32_t)d->amount;
    v->change -= d->amount;
    return PN_OK;
}

static int slotted_feed_finish(pn_slotted_verifier *v, const pn_slotted_decision *d,
                               slotted_logged *t)
{
    if (t->finished)
        return slotted_reject(v, "the job finishes twice", d->slot, d->id);
    if (d->amount != 0)
        return slotted_reject(v, "a finish has no amount", d->slot, d->id);
    if (t->maps_left > 0 || t->reduces_left > 0 || t->last_slot != d->slot)
        return slotted_reject(v, "the finish is not in the slot of the job's last unit", d->slot,
                              d->id);
    t->finished = 1;
    v->last_finish = d->slot;
    return PN_OK;
}

static int feed_entry(pn_slotted_verifier *v, const pn_slotted_decision *d)
{
    slotted_logged *t = &v->job[d->id - 1];
    if (d->kind == PN_SLOTTED_FINISH)
        return slotted_feed_finish(v, d, t);
    if (d->amount == 0)
        return slotted_reject(v, "an entry without amount", d->slot, d->id);
    if (t->last_entry[d->kind - 1] == d->slot)
        return slotted_reject(v, "two entries of one kind for one job in one slot", d->slot, d->id);
    t->last_entry[d->kind - 1] = d->slot;
    switch (d->kind) {
    case PN_SLOTTED_MAP:
        return feed_map(v, d, t);
    case PN_SLOTTED_REDUCE:
        return slotted_feed_reduce(v, d, t);
    default:
        return slotted_feed_start(v, d, t);
    }
}

int pn_slotted_verifier_feed(pn_slotted_verifier *v, const pn_slotted_decision *d)
{
    if (!v || !d || !PN_GIVEN(d, pn_slotted_decision, first_task))
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (d->id < 1 || d->id > v->claim.job_count)
        return slotted_reject(v, "no such job", d->slot, d->id);
    if (d->kind < PN_SLOTTED_MAP || d->kind > PN_SLOTTED_FINISH)
        return slotted_reject(v, "no such kind of entry", d->slot, d->id);
    if (d->slot < v->slot || d->slot > PN_INTEGER_MAX)
        return slotted_reject(v, "entries must be in order of slot", d->slot, d->id);
    if (d->slot < pn_slotted_claimed(&v->claim, d->id - 1)->arrival)
        return slotted_reject(v, "the job has not arrived", d->slot, d->id);
    int status = slotted_go_to(v, d->slot);
    if (status == PN_OK)
        status = feed_entry(v, d);
    v->fold += pn_mix(pn_mix(pn_mix(pn_mix(PN_MIX_START, d->slot), d->kind), d->id), d->amount);
    return status;
}

int pn_slotted_verifier_stop(pn_slotted_verifier *v, uint64_t until)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (until < 1 || until < v->slot || until > PN_INTEGER_MAX)
        return slotted_reject(v, "the run continues after it was stopped", v->slot, 0);
    v->until = until;
    return slotted_go_to(v, until);
}

/* Returns whether the job may be unfinished, as work of it was left when the run was stopped. */
static bool slotted_was_stopped(const pn_slotted_verifier *v, const slotted_logged *t)
{
    return v->until > 0 && (t->maps_left > 0 || t->reduces_left > 0 || t->last_slot > v->until);
}

int pn_slotted_verifier_end(pn_slotted_verifier *v, uint64_t end, uint64_t digest)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    int status = v->slot > 0 ? close_slot(v) : PN_OK;
    if (status != PN_OK)
        return status;
    for (size_t i = 0; i < v->claim.job_count; i++)
        if (!v->job[i].finished && !slotted_was_stopped(v, &v->job[i]))
            return slotted_reject(v, "the job does not finish", v->slot, i + 1);
    if (end != v->last_finish)
        return slotted_reject(v, "the end is not the last finish", end, 0);
    if (digest != v->digest)
        return slotted_reject(v, "the digest does not match the entries", end, 0);
    return PN_OK;
}

const char *pn_slotted_verifier_fault(const pn_slotted_verifier *v, uint64_t *slot, uint64_t *id)
{
    if (slot)
        *slot = v->fault_slot;
    if (id)
        *id = v->fault_id;
    return v->fault;
}
