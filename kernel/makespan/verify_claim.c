/* The checker's own reading of a batch: what a claim may say, how much memory the checker needs,
 * how many tasks there are and how long they take, worked out from the rules once more. */
#include "verify.h"

enum {
    JOBS_MOST = 1 << 26,
    RESPLIT_MOST = 1 << 16,
    MARK_EVERY = 32 /* stretches between two marks */
};

/* ---- the claim ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint32_t makespan_verify_claim_nodes_of(const pn_makespan_claim *claim)
{
    return claim->nodes ? claim->nodes
                        : (uint32_t)common_divisor(claim->map_slots, claim->reduce_slots);
}

static bool slots_valid(uint32_t slots, uint32_t base)
{
    return slots >= 1 && slots <= PN_MAKESPAN_SLOTS_MOST && base <= PN_MAKESPAN_SLOTS_MOST;
}

static bool makespan_claim_valid(const pn_makespan_claim *claim)
{
    return claim && PN_GIVEN(claim, pn_makespan_claim, pool_count) &&
           slots_valid(claim->map_slots, claim->base_map_slots) &&
           slots_valid(claim->reduce_slots, claim->base_reduce_slots) &&
           claim->map_slots % makespan_verify_claim_nodes_of(claim) == 0 &&
           claim->reduce_slots % makespan_verify_claim_nodes_of(claim) == 0 &&
           claim->level <= PN_MAKESPAN_TASKS && claim->stage_time >= PN_MAKESPAN_GIVEN &&
           claim->stage_time <= PN_MAKESPAN_FLUID && claim->share >= PN_MAKESPAN_CONSERVING &&
           claim->share <= PN_MAKESPAN_EXCLUSIVE && claim->cap >= PN_MAKESPAN_CAP_NONE &&
           claim->cap <= PN_MAKESPAN_CAP_REQUESTED && claim->resplit <= RESPLIT_MOST &&
           claim->ticks >= 1 && claim->ticks <= PN_MAKESPAN_MOST && claim->job_count <= JOBS_MOST &&
           (claim->job_count == 0 ||
            (claim->jobs && PN_GIVEN(claim->jobs, pn_makespan_job, attributes)));
}

static size_t pools_of(const pn_makespan_claim *claim)
{
    return claim->pools ? claim->pool_count : 1;
}

static size_t jobs_of_pool(const pn_makespan_claim *claim, size_t pool)
{
    return claim->pools ? claim->pools[pool].count : claim->job_count;
}

static size_t job_of_pool(const pn_makespan_claim *claim, size_t pool, size_t index)
{
    return claim->pools ? (size_t)claim->pools[pool].ids[index] - 1 : index;
}

static uint32_t slots_of_pool(const pn_makespan_claim *claim, size_t pool, int stage)
{
    uint32_t slots = stage == PN_MAKESPAN_MAP ? claim->map_slots : claim->reduce_slots;
    return claim->pools ? slots / makespan_verify_claim_nodes_of(claim) * claim->pools[pool].nodes
                        : slots;
}

/* Checks the nodes, which are there, and as many ids as there are jobs; that each is there once is
 * seen when they are dealt out. */
static bool pools_valid(const pn_makespan_claim *claim)
{
    uint32_t nodes = makespan_verify_claim_nodes_of(claim);
    size_t jobs = claim->job_count;
    if (!claim->pools)
        return true;
    for (size_t p = 0; p < claim->pool_count; p++) {
        const pn_makespan_pool *pool = &claim->pools[p];
        if (pool->nodes < 1 || pool->nodes > nodes || pool->count > jobs ||
            (pool->count > 0 && !pool->ids))
            return false;
        for (uint32_t i = 0; i < pool->count; i++)
            if (pool->ids[i] < 1 || pool->ids[i] > claim->job_count)
                return false;
        nodes -= pool->nodes;
        jobs -= pool->count;
    }
    return jobs == 0;
}

/* ---- what a stage consists of ---- */

/* Returns a stage's tasks as given, or the one stretch that its time stands for (MK2). */
static uint32_t stretch_count(const pn_makespan_stage_of_job *stage)
{
    return stage->stretch_count > 0 ? stage->stretch_count
                                    : stage->has_time && stage->time > 0 && !stage->empty;
}

static pn_makespan_stretch stretch_at(const pn_makespan_claim *claim, size_t job, int stage,
                                      uint32_t index)
{
    const pn_makespan_stage_of_job *given = &pn_makespan_claimed(claim, job)->stage[stage];
    uint32_t slots = stage == PN_MAKESPAN_MAP ? claim->map_slots : claim->reduce_slots;
    uint32_t base = stage == PN_MAKESPAN_MAP ? claim->base_map_slots : claim->base_reduce_slots;
    if (given->stretch_count > 0)
        return given->stretches[index];
    return (pn_makespan_stretch){given->time, given->requested ? given->requested
                                              : base           ? base
                                                               : slots};
}

typedef struct facts {
    uint64_t tasks, work, longest;
    uint64_t requested;
    bool alike; /* all tasks are of one length */
} facts;

static int read_facts(const pn_makespan_claim *claim, size_t job, int stage, facts *f)
{
    const pn_makespan_stage_of_job *given = &pn_makespan_claimed(claim, job)->stage[stage];
    *f = (facts){.alike = true};
    if (given->stretch_count > 0 && (!given->stretches || given->empty))
        return PN_ERR_ARGUMENT;
    if (given->has_time > 1 || given->empty > 1)
        return PN_ERR_ARGUMENT;
    if (given->has_time && given->time > PN_MAKESPAN_MOST)
        return PN_ERR_OVERFLOW;
    for (uint32_t i = 0; i < stretch_count(given); i++) {
        pn_makespan_stretch s = stretch_at(claim, job, stage, i);
        if (s.count == 0)
            return PN_ERR_ARGUMENT;
        if (s.duration > (PN_MAKESPAN_MOST - f->work) / s.count || s.count > UINT32_MAX - f->tasks)
            return PN_ERR_OVERFLOW;
        f->alike = f->alike && (f->tasks == 0 || s.duration == f->longest);
        f->tasks += s.count;
        f->work += s.duration * s.count;
        f->longest = pn_max(f->longest, s.duration);
    }
    f->requested = given->requested ? given->requested : pn_max(1, f->tasks);
    return PN_OK;
}

/* ---- how much memory it needs ---- */

typedef struct needs {
    uint64_t tasks, marks, waves; /* at most 2^26 jobs with 2^33 tasks: no sum passes 2^59 */
} needs;

/* Returns the slots to try out waves on: none where a formula says how long they take. */
static uint64_t wave_slots(const facts *f, uint64_t slots)
{
    return f->alike || f->tasks <= slots ? 0 : slots;
}

static bool waves_needed(const pn_makespan_claim *claim, const pn_makespan_stage_of_job *given)
{
    return pn_makespan_claim_at_stages(claim) && claim->stage_time <= PN_MAKESPAN_WAVES &&
           (claim->stage_time != PN_MAKESPAN_GIVEN || !given->has_time);
}

static uint64_t wave_width(const pn_makespan_claim *claim, const facts *f, uint64_t slots)
{
    return claim->stage_time == PN_MAKESPAN_WAVES ? slots : pn_min(slots, f->requested);
}

static uint64_t tasks_run(const pn_makespan_claim *claim, const facts *f, uint64_t slots)
{
    if (pn_makespan_claim_at_stages(claim))
        return 1;
    return pn_makespan_claim_resplits(claim) && f->tasks > 0 ? claim->resplit * slots : f->tasks;
}

static uint32_t marks_of(const pn_makespan_claim *claim, const pn_makespan_stage_of_job *given)
{
    return pn_makespan_claim_at_stages(claim) || pn_makespan_claim_resplits(claim) ||
                   given->stretch_count == 0
               ? 0
               : (given->stretch_count - 1) / MARK_EVERY;
}

static int makespan_measure_job(const pn_makespan_claim *claim, size_t pool, size_t job, needs *n)
{
    uint64_t longest = 0;
    for (int stage = 0; stage < 2; stage++) {
        const pn_makespan_stage_of_job *given = &pn_makespan_claimed(claim, job)->stage[stage];
        uint64_t slots = slots_of_pool(claim, pool, stage);
        facts f;
        int status = read_facts(claim, job, stage, &f);
        if (status != PN_OK)
            return status;
        if (tasks_run(claim, &f, slots) > UINT32_MAX)
            return PN_ERR_OVERFLOW;
        n->tasks += tasks_run(claim, &f, slots);
        n->marks += marks_of(claim, given);
        if (waves_needed(claim, given))
            n->waves = pn_max(n->waves, wave_slots(&f, wave_width(claim, &f, slots)));
        longest = pn_max(longest, f.longest);
    }
    return longest > 0 ? PN_OK : PN_ERR_JOB;
}

/* Measures the batch: what submit would refuse is no batch to hold a log against. */
static int makespan_verify_claim_measure(const pn_makespan_claim *claim, needs *n)
{
    *n = (needs){0, 0, 0};
    if (!makespan_claim_valid(claim) || !pools_valid(claim))
        return PN_ERR_ARGUMENT;
    for (size_t p = 0; p < pools_of(claim); p++)
        for (size_t i = 0; i < jobs_of_pool(claim, p); i++) {
            int status = makespan_measure_job(claim, p, job_of_pool(claim, p, i), n);
            if (status != PN_OK)
                return status;
        }
    return PN_OK;
}

static size_t makespan_verify_claim_carve(const pn_makespan_claim *claim, const needs *n,
                                          pn_makespan_verifier *v)
{
    pn_arena arena = {0, false};
    size_t pools = pools_of(claim);
    size_t map_slots = pn_makespan_claim_at_stages(claim) ? pools : claim->map_slots;
    size_t slots = map_slots + (pn_makespan_claim_at_stages(claim) ? pools : claim->reduce_slots);
    pn_arena_take(&arena, 1, sizeof(pn_makespan_verifier));
    size_t job = pn_arena_take(&arena, claim->job_count, sizeof(pn_makespan_logged_job));
    size_t pool = pn_arena_take(&arena, pools, sizeof(pn_makespan_logged_pool));
    size_t started = pn_arena_take(&arena, (size_t)pn_min((n->tasks + 63) / 64, SIZE_MAX),
                                   sizeof(uint64_t));
    size_t mark = pn_arena_take(&arena, (size_t)pn_min(n->marks, SIZE_MAX), sizeof(uint32_t));
    size_t slot_free = pn_arena_take(&arena, slots, sizeof(uint64_t));
    size_t under_way = pn_arena_take(
        &arena, pn_makespan_claim_caps(claim) ? (size_t)pn_min(slots, n->tasks) : 0,
        sizeof(pn_makespan_running));
    size_t wave = pn_arena_take(&arena, (size_t)n->waves, sizeof(uint64_t));
    if (v) {
        v->job = pn_at(v, job);
        v->pool = pn_at(v, pool);
        v->started = pn_at(v, started);
        v->mark = pn_at(v, mark);
        v->slot_free = pn_at(v, slot_free);
        v->running = pn_at(v, under_way);
        v->wave = pn_at(v, wave);
        v->slot_count[0] = map_slots;
        v->slot_count[1] = slots - map_slots;
        memset(v->job, 0, arena.used - job);
    }
    return pn_arena_size(&arena, 0);
}

size_t pn_makespan_verifier_size(const pn_makespan_claim *claim)
{
    needs n;
    return makespan_verify_claim_measure(claim, &n) == PN_OK
               ? makespan_verify_claim_carve(claim, &n, NULL)
               : 0;
}

/* ---- how long a stage takes (MK6) ---- */

/* Lets the first of the heap sink to where it belongs. */
static void makespan_verify_claim_sink(uint64_t *heap, size_t count)
{
    uint64_t moved = heap[0];
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= moved)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Puts the tasks in listed order, each on the slot that is free first. Once no slot is more than a
 * task ahead of another, equal tasks come in rounds. */
static uint64_t try_waves(pn_makespan_verifier *v, size_t job, int stage, size_t slots)
{
    uint64_t end = 0;
    PN_ASSERT(slots > 0);
    memset(v->wave, 0, slots * sizeof *v->wave);
    for (uint32_t i = 0; i < stretch_count(&pn_makespan_claimed(&v->claim, job)->stage[stage]);
         i++) {
        pn_makespan_stretch s = stretch_at(&v->claim, job, stage, i);
        while (s.count > 0) {
            if (s.count >= slots && end - v->wave[0] <= s.duration) {
                uint64_t rounds = s.count / slots;
                for (size_t k = 0; k < slots; k++)
                    v->wave[k] += rounds * s.duration;
                end += rounds * s.duration;
                s.count %= (uint32_t)slots;
                continue;
            }
            v->wave[0] += s.duration;
            end = pn_max(end, v->wave[0]);
            makespan_verify_claim_sink(v->wave, slots);
            s.count--;
        }
    }
    return end;
}

static uint64_t makespan_verify_claim_waves(pn_makespan_verifier *v, size_t job, int stage,
                                            const facts *f, uint64_t slots)
{
    if (f->tasks <= slots)
        return f->longest;
    if (f->alike)
        return (f->tasks + slots - 1) / slots * f->longest;
    return try_waves(v, job, stage, (size_t)slots);
}

/* Returns amount / parts coarse ticks as fine ones; PN_MAKESPAN_NO_TIME when that is no whole
 * number, or too large. */
static uint64_t fine(const pn_makespan_verifier *v, uint64_t amount, uint64_t parts)
{
    if (amount == 0)
        return 0;
    uint64_t divisor = common_divisor(amount, parts);
    amount /= divisor;
    parts /= divisor;
    if (v->claim.ticks % parts != 0 || amount > PN_MAKESPAN_MOST / (v->claim.ticks / parts))
        return PN_MAKESPAN_NO_TIME;
    return amount * (v->claim.ticks / parts);
}

static uint64_t stage_time(pn_makespan_verifier *v, size_t job, int stage, const facts *f,
                           uint64_t slots)
{
    const pn_makespan_stage_of_job *given = &pn_makespan_claimed(&v->claim, job)->stage[stage];
    if (waves_needed(&v->claim, given))
        return fine(
            v, makespan_verify_claim_waves(v, job, stage, f, wave_width(&v->claim, f, slots)), 1);
    switch (v->claim.stage_time) {
    case PN_MAKESPAN_GIVEN:
        return fine(v, given->time, 1);
    case PN_MAKESPAN_CAPPED:
        return fine(v, f->work, pn_min(slots, f->requested));
    default:
        return fine(v, f->work, slots);
    }
}

/* Returns the length of a task whose stage was not split again: the mark before it is found by
 * halving, its stretch from there. */
static uint64_t listed_time(const pn_makespan_verifier *v, size_t job, int stage, uint32_t task)
{
    const uint32_t *mark = v->mark + v->job[job].stage[stage].first_mark;
    uint32_t low = 0;
    uint32_t high = marks_of(&v->claim, &pn_makespan_claimed(&v->claim, job)->stage[stage]);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (mark[middle] <= task)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t index = low * MARK_EVERY;
    uint32_t first = low > 0 ? mark[low - 1] : 0;
    pn_makespan_stretch s = stretch_at(&v->claim, job, stage, index);
    while (task - first >= s.count) {
        first += s.count;
        s = stretch_at(&v->claim, job, stage, ++index);
    }
    return fine(v, s.duration, 1);
}

uint64_t pn_makespan_verifier_length(const pn_makespan_verifier *v, size_t job, int stage,
                                     uint32_t task)
{
    bool listed = !pn_makespan_claim_at_stages(&v->claim) && !pn_makespan_claim_resplits(&v->claim);
    return listed ? listed_time(v, job, stage, task) : v->job[job].stage[stage].length;
}

/* ---- the start ---- */

static void set_marks(const pn_makespan_verifier *v, size_t job, int stage, uint32_t count)
{
    uint32_t *mark = v->mark + v->job[job].stage[stage].first_mark;
    uint32_t task = 0;
    for (uint32_t i = 0; i < count * MARK_EVERY; i++) {
        task += stretch_at(&v->claim, job, stage, i).count;
        if ((i + 1) % MARK_EVERY == 0)
            mark[i / MARK_EVERY] = task;
    }
}

/* Prepares a stage; `used`: what the stages before it have taken. */
static void prepare_stage(pn_makespan_verifier *v, size_t job, int stage, needs *used)
{
    const pn_makespan_claim *claim = &v->claim;
    pn_makespan_logged *t = &v->job[job].stage[stage];
    uint64_t slots = slots_of_pool(claim, v->job[job].pool, stage);
    uint32_t marks = marks_of(claim, &pn_makespan_claimed(claim, job)->stage[stage]);
    facts f;
    int status = read_facts(claim, job, stage, &f);
    PN_ASSERT(status == PN_OK); /* it was measured before */
    (void)status;
    uint64_t tasks = tasks_run(claim, &f, slots);
    if (pn_makespan_claim_at_stages(claim)) {
        t->length = stage_time(v, job, stage, &f, slots);
        tasks = stage == PN_MAKESPAN_MAP || t->length > 0; /* MK13 */
    } else if (pn_makespan_claim_resplits(claim)) {
        t->length = fine(v, f.work, claim->resplit * slots);
    }
    t->tasks = t->left = (uint32_t)tasks;
    t->cap = (uint32_t)f.requested;
    t->first_bit = (size_t)used->tasks;
    t->first_mark = (size_t)used->marks;
    set_marks(v, job, stage, marks);
    used->tasks += tasks;
    used->marks += marks;
}

/* Deals out nodes and jobs. */
static int prepare_pools(pn_makespan_verifier *v)
{
    const pn_makespan_claim *claim = &v->claim;
    uint32_t first[2] = {0, 0};
    for (size_t i = 0; i < claim->job_count; i++)
        v->job[i].pool = UINT32_MAX;
    for (uint32_t p = 0; p < pools_of(claim); p++) {
        for (int stage = 0; stage < 2; stage++) {
            uint32_t slots = pn_makespan_claim_at_stages(claim) ? 1
                                                                : slots_of_pool(claim, p, stage);
            v->pool[p].first_slot[stage] = first[stage];
            v->pool[p].slots[stage] = slots;
            first[stage] += slots;
        }
        for (size_t i = 0; i < jobs_of_pool(claim, p); i++) {
            pn_makespan_logged_job *t = &v->job[job_of_pool(claim, p, i)];
            if (t->pool != UINT32_MAX)
                return PN_ERR_ARGUMENT;
            t->pool = p;
        }
    }
    return PN_OK;
}

int pn_makespan_verifier_init(pn_makespan_verifier **verifier, void *block, size_t size,
                              const pn_makespan_claim *claim)
{
    needs n;
    needs used = {0, 0, 0};
    if (!verifier || !block)
        return PN_ERR_ARGUMENT;
    int status = makespan_verify_claim_measure(claim, &n);
    if (status != PN_OK)
        return status;
    status = pn_block_fits(block, size, makespan_verify_claim_carve(claim, &n, NULL));
    if (status != PN_OK)
        return status;
    pn_makespan_verifier *v = block;
    *v = (pn_makespan_verifier){.fault = ""};
    PN_TAKE(&v->claim, claim, pn_makespan_claim, pool_count);
    makespan_verify_claim_carve(claim, &n, v);
    status = prepare_pools(v);
    if (status != PN_OK)
        return status;
    for (size_t i = 0; i < claim->job_count; i++)
        for (int stage = 0; stage < 2; stage++)
            prepare_stage(v, i, stage, &used);
    *verifier = v;
    return PN_OK;
}
