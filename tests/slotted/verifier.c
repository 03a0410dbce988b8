/* The checker of decision logs: it accepts what every policy does and nothing else. Logs are
 * damaged at random, one field at a time, once with the digest they had and once with the digest
 * that goes with the damage, so that the structure alone must give it away. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "slotted/support/workload.h"
#include "support/sweep.h"

enum { ENTRIES_MAX = 4000, JOBS = 40, MACHINES = 7, DAMAGES = 40 };

typedef struct decision_log {
    size_t count;
    pn_slotted_decision entry[ENTRIES_MAX];
} decision_log;

/* ---- writing a log ---- */

static void note_decision(void *user, const pn_slotted_decision *decision)
{
    decision_log *log = user;
    assert_in_range(log->count, 0, ENTRIES_MAX - 1);
    log->entry[log->count++] = *decision;
}

static void note_finish(void *user, const pn_slotted_finish *finish)
{
    note_decision(user, &(pn_slotted_decision){
                            .slot = finish->finish, .id = finish->id, .kind = PN_SLOTTED_FINISH});
}

static uint64_t write_log(decision_log *log, const slotted_workload *work,
                          const pn_slotted_policy *policy, uint32_t reduce)
{
    pn_slotted_config config = slotted_config(work, MACHINES, reduce);
    pn_slotted_hooks hooks = {.policy = policy, NULL, note_finish, note_decision, log};
    config.stretches_max = JOBS * SLOTTED_WORKLOAD_TASKS;
    config.estimates = 1;
    log->count = 0;
    return slotted_digest(work, &config, &hooks, NULL);
}

/* ---- reading it ---- */

typedef struct verdict {
    int status;
    const char *fault;
    uint64_t slot, id;
} verdict;

static verdict judge(const decision_log *log, const pn_slotted_claim *claim, uint64_t end,
                     uint64_t digest)
{
    size_t size = pn_slotted_verifier_size(claim);
    void *block = workload_room(size);
    pn_slotted_verifier *verifier;
    verdict v;
    assert_int_equal(pn_slotted_verifier_init(&verifier, block, size, claim), PN_OK);
    v.status = PN_OK;
    for (size_t i = 0; i < log->count; i++) {
        int status = pn_slotted_verifier_feed(verifier, &log->entry[i]);
        assert_true(v.status == PN_OK || status == PN_ERR_REJECTED); /* it stays rejected */
        v.status = status;
    }
    int status = pn_slotted_verifier_end(verifier, end, digest);
    assert_true(v.status == PN_OK || status == PN_ERR_REJECTED);
    v.status = status;
    v.fault = pn_slotted_verifier_fault(verifier, &v.slot, &v.id);
    assert_int_equal(v.fault[0] == '\0', v.status == PN_OK);
    free(block);
    return v;
}

/* ---- damage ---- */

static void by_slot(decision_log *log)
{
    for (size_t i = 1; i < log->count; i++) {
        pn_slotted_decision moved = log->entry[i];
        size_t k = i;
        /* Finishes stay behind the entries of their slot. */
        for (; k > 0; k--) {
            const pn_slotted_decision *left = &log->entry[k - 1];
            if (left->slot < moved.slot ||
                (left->slot == moved.slot &&
                 (left->kind != PN_SLOTTED_FINISH || moved.kind == PN_SLOTTED_FINISH)))
                break;
            log->entry[k] = *left;
        }
        log->entry[k] = moved;
    }
}

enum damage { SLOT, ID, KIND, AMOUNT, FIRST_TASK, DROPPED, DUPLICATED, ADDED_FINISH, DAMAGE_KINDS };

static const char *const damage_names[] = {
    "slot",        "id", "kind", "amount", "first_task", "entry dropped", "entry duplicated",
    "finish added"};

/* Damages one entry; false when this kind of damage does not apply to it. */
static bool damage(decision_log *log, pn_stream *stream, enum damage kind, size_t at)
{
    pn_slotted_decision *e = &log->entry[at];
    switch (kind) {
    case SLOT:
        e->slot = workload_other(stream, e->slot, e->slot > 4 ? e->slot - 4 : 0, e->slot + 4);
        break;
    case ID:
        e->id = workload_other(stream, e->id, 0, JOBS + 1);
        break;
    case KIND:
        e->kind = (uint32_t)workload_other(stream, e->kind, 0, PN_SLOTTED_FINISH + 1);
        break;
    case AMOUNT:
        e->amount = workload_other(stream, e->amount, 0, 2 * e->amount + 1);
        break;
    case FIRST_TASK:
        e->first_task = (uint32_t)workload_other(stream, e->first_task, 0, SLOTTED_WORKLOAD_TASKS);
        return e->kind == PN_SLOTTED_START;
    case DROPPED:
        memmove(e, e + 1, (--log->count - at) * sizeof *e);
        break;
    case DUPLICATED:
        memmove(e + 1, e, (log->count++ - at) * sizeof *e);
        e->slot -= pn_uniform(stream, 0, 1);
        break;
    default:
        log->entry[log->count++] = (pn_slotted_decision){
            .slot = e->slot, .id = pn_uniform(stream, 1, JOBS), .kind = PN_SLOTTED_FINISH};
        break;
    }
    return true;
}

static void check_damages(const decision_log *log, const pn_slotted_claim *claim, uint64_t digest,
                          pn_stream *stream, uint64_t seed)
{
    static decision_log damaged;
    for (int i = 0; i < DAMAGES; i++) {
        enum damage kind = (enum damage)(i % DAMAGE_KINDS);
        size_t at = pn_uniform(stream, 0, log->count - 1);
        damaged = *log;
        if (!damage(&damaged, stream, kind, at))
            continue;
        by_slot(&damaged);
        verdict as_it_was = judge(&damaged, claim, slotted_log_end(log->entry, log->count), digest);
        verdict made_to_fit = judge(&damaged, claim, slotted_log_end(damaged.entry, damaged.count),
                                    slotted_log_digest(damaged.entry, damaged.count));
        /* Only a promise never to idle fixes the slot of every entry. */
        bool fixed = kind != SLOT || log->entry[at].kind == PN_SLOTTED_FINISH ||
                     (claim->work_conserving && !claim->relaxed);
        if (as_it_was.status == PN_ERR_REJECTED &&
            (!fixed || made_to_fit.status == PN_ERR_REJECTED))
            continue;
        fail_msg("seed %llu: damage %d (%s of entry %zu) was not seen%s", (unsigned long long)seed,
                 i, damage_names[kind], at, as_it_was.status == PN_OK ? "" : " by structure alone");
    }
}

static void check_ends(const decision_log *log, const pn_slotted_claim *claim, uint64_t digest,
                       pn_stream *stream)
{
    assert_int_equal(judge(log, claim, slotted_log_end(log->entry, log->count) + 1, digest).status,
                     PN_ERR_REJECTED);
    assert_int_equal(judge(log, claim, slotted_log_end(log->entry, log->count) - 1, digest).status,
                     PN_ERR_REJECTED);
    assert_int_equal(judge(log, claim, 0, digest).status, PN_ERR_REJECTED);
    assert_int_equal(judge(log, claim, slotted_log_end(log->entry, log->count),
                           digest ^ (uint64_t)1 << pn_uniform(stream, 0, 63))
                         .status,
                     PN_ERR_REJECTED);
}

static void logs_are_accepted_and_damaged_ones_are_not(void **unused)
{
    static decision_log log;
    (void)unused;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        pn_stream stream;
        pn_stream_init(&stream, seed, 0, 8);
        slotted_workload work = slotted_new(
            JOBS, seed,
            (slotted_shape){.rate = 0.3, .maps = 6, .reduces = 12, .tasks = 6, .estimates = 1});
        for (size_t i = 0; pn_slotted_policy_at(i); i++) {
            const pn_slotted_policy *policy = pn_slotted_policy_at(i);
            for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
                if (!(reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive))
                    continue;
                uint64_t digest = write_log(&log, &work, policy, reduce);
                pn_slotted_claim claim = {.machines = MACHINES,
                                          reduce,
                                          policy->relaxed,
                                          policy->work_conserving,
                                          work.jobs,
                                          work.count};
                verdict v = judge(&log, &claim, slotted_log_end(log.entry, log.count), digest);
                if (v.status != PN_OK)
                    fail_msg("seed %llu, %s: %s", (unsigned long long)seed, policy->name, v.fault);
                assert_int_equal(slotted_log_digest(log.entry, log.count), digest);
                check_damages(&log, &claim, digest, &stream, seed);
                check_ends(&log, &claim, digest, &stream);
            }
        }
        slotted_free(&work);
    }
}

/* A log that starts one slot late breaks only the promise not to idle, and nothing if there is
 * none. */
static void idling_is_held_against_those_who_promised(void **unused)
{
    static decision_log log;
    (void)unused;
    slotted_workload work = slotted_new(
        JOBS, 3, (slotted_shape){.rate = 0.3, .maps = 6, .reduces = 12, .tasks = 6});
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        pn_slotted_claim claim = {.machines = MACHINES, reduce, 0, 1, work.jobs, work.count};
        write_log(&log, &work, pn_slotted_fifo(), reduce);
        for (size_t i = 0; i < log.count; i++)
            log.entry[i].slot += 1;
        verdict v = judge(&log, &claim, slotted_log_end(log.entry, log.count),
                          slotted_log_digest(log.entry, log.count));
        assert_int_equal(v.status, PN_ERR_REJECTED);
        assert_string_equal(v.fault, "a machine idles while a job offers work");
        claim.work_conserving = 0;
        assert_int_equal(judge(&log, &claim, slotted_log_end(log.entry, log.count),
                               slotted_log_digest(log.entry, log.count))
                             .status,
                         PN_OK);
    }
    slotted_free(&work);
}

/* ---- one change of every kind ---- */

/* A log that goes with a claim. */
typedef struct story {
    decision_log *log;
    pn_slotted_claim claim;
    uint64_t digest, end;
} story;

static const sweep_field entry_fields[] = {
    SWEEP(pn_slotted_decision, slot), SWEEP(pn_slotted_decision, id),
    SWEEP(pn_slotted_decision, amount), SWEEP(pn_slotted_decision, kind),
    SWEEP(pn_slotted_decision, first_task)};

/* Any change is seen by the digest, and without it in what the log says, but for the slots of what
 * may wait. Work of one slot may have another order, which the digest does not show either. */
static void judge_entry(void *user, const sweep_change *change)
{
    story *it = user;
    uint64_t fits = slotted_log_digest(it->log->entry, it->log->count);
    bool free = change->field && change->field->offset == offsetof(pn_slotted_decision, slot) &&
                !(it->claim.work_conserving && !it->claim.relaxed);
    bool first = change->field &&
                 change->field->offset == offsetof(pn_slotted_decision, first_task);
    if (first ? it->log->entry[change->at].kind != PN_SLOTTED_START : fits == it->digest)
        return;
    if (judge(it->log, &it->claim, it->end, it->digest).status == PN_OK)
        fail_msg("%s: not seen by the digest", change->text);
    if (judge(it->log, &it->claim, slotted_log_end(it->log->entry, it->log->count), fits).status ==
            PN_OK &&
        !free)
        fail_msg("%s: not seen in what the log says", change->text);
}

static verdict judge_stopped(const story *it, size_t count, uint64_t until)
{
    pn_slotted_verifier *verifier;
    size_t size = pn_slotted_verifier_size(&it->claim), from = 0;
    void *block = workload_room(size);
    verdict v = {.status = pn_slotted_verifier_init(&verifier, block, size, &it->claim)};
    decision_log *log = workload_room(sizeof *log);
    log->count = count;
    memcpy(log->entry, it->log->entry, count * sizeof log->entry[0]);
    for (; from < count && v.status == PN_OK; from++)
        v.status = pn_slotted_verifier_feed(verifier, &log->entry[from]);
    if (v.status == PN_OK)
        v.status = pn_slotted_verifier_stop(verifier, until);
    if (v.status == PN_OK)
        v.status = pn_slotted_verifier_end(verifier, slotted_log_end(log->entry, log->count),
                                           slotted_log_digest(log->entry, log->count));
    v.fault = pn_slotted_verifier_fault(verifier, &v.slot, &v.id);
    if (v.status != PN_OK)
        assert_int_equal(pn_slotted_verifier_stop(verifier, until), PN_ERR_REJECTED);
    free(log);
    free(block);
    return v;
}

/* Whenever a run is stopped, its log up to then is right; and not without its last entry, where
 * nothing may wait. */
static void check_stops(const story *it)
{
    for (uint64_t until = 0; until <= it->end + 1; until++) {
        size_t count = 0;
        while (count < it->log->count && it->log->entry[count].slot <= until)
            count++;
        verdict v = judge_stopped(it, count, until);
        assert_string_equal(v.fault, until > 0 ? "" : "the run continues after it was stopped");
        if (count == 0 || until == 0)
            continue;
        if (it->log->entry[count - 1].kind == PN_SLOTTED_FINISH || it->claim.work_conserving)
            assert_int_equal(judge_stopped(it, count - 1, until).status, PN_ERR_REJECTED);
        if (it->log->entry[count - 1].slot == until)
            assert_string_equal(judge_stopped(it, count, until - 1).fault,
                                "the run continues after it was stopped");
    }
    assert_string_equal(judge_stopped(it, 0, PN_INTEGER_MAX + 1).fault,
                        "the run continues after it was stopped");
}

static void every_change_of_a_log_is_found(void **unused)
{
    static decision_log log;
    (void)unused;
    slotted_workload work = slotted_new(
        12, 4, (slotted_shape){.rate = 0.5, .maps = 4, .reduces = 8, .tasks = 4, .estimates = 1});
    for (size_t i = 0; pn_slotted_policy_at(i); i++) {
        const pn_slotted_policy *policy = pn_slotted_policy_at(i);
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            if (!(reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive))
                continue;
            story it = {.log = &log, .digest = write_log(&log, &work, policy, reduce)};
            it.claim = (pn_slotted_claim){.machines = MACHINES,
                                          .reduce = reduce,
                                          .relaxed = policy->relaxed,
                                          .work_conserving = policy->work_conserving,
                                          .jobs = work.jobs,
                                          .job_count = work.count};
            it.end = slotted_log_end(log.entry, log.count);
            sweep_entries(&(sweep_log){log.entry, &log.count, sizeof log.entry[0], entry_fields,
                                       sizeof entry_fields / sizeof entry_fields[0], judge_entry,
                                       &it});
            assert_int_equal(judge(&log, &it.claim, it.end, it.digest).status, PN_OK);
            check_stops(&it);
        }
    }
    slotted_free(&work);
}

/* A run of a policy that does not promise to be busy always is; and idling is not held against the
 * relaxed, whatever they promise. */
static void the_relaxed_may_idle(void **unused)
{
    static decision_log log;
    static const uint64_t units[] = {3};
    static const pn_slotted_job job = {
        .arrival = 1, .maps = 4, .reduces = units, .reduce_count = 1};
    (void)unused;
    for (uint32_t relaxed = 0; relaxed < 2; relaxed++) {
        pn_slotted_claim claim = {.machines = 4,
                                  .reduce = PN_SLOTTED_PREEMPTIVE,
                                  .relaxed = relaxed,
                                  .work_conserving = 1,
                                  .jobs = &job,
                                  .job_count = 1};
        log = (decision_log){.count = 4,
                             .entry = {{.slot = 1, .id = 1, .amount = 2, .kind = PN_SLOTTED_MAP},
                                       {.slot = 4, .id = 1, .amount = 2, .kind = PN_SLOTTED_MAP},
                                       {.slot = 9, .id = 1, .amount = 3, .kind = PN_SLOTTED_REDUCE},
                                       {.slot = 9, .id = 1, .kind = PN_SLOTTED_FINISH}}};
        assert_string_equal(judge(&log, &claim, 9, slotted_log_digest(log.entry, log.count)).fault,
                            relaxed ? "" : "a machine idles while a job offers work");
        log.count = 1; /* what idles in the last slot */
        assert_string_equal(judge(&log, &claim, 0, slotted_log_digest(log.entry, log.count)).fault,
                            relaxed ? "the job does not finish"
                                    : "a machine idles while a job offers work");
    }
}

/* ---- claims ---- */

static const uint64_t tasks[] = {2, 0, 1};
static const pn_slotted_job two_jobs[] = {
    {.arrival = 1, .maps = 2, .reduces = tasks, .reduce_count = 3}, {.arrival = 2, .maps = 1}};

static int taken(const pn_slotted_claim *claim)
{
    size_t size = pn_slotted_verifier_size(claim);
    void *block = workload_room(size > 0 ? size : 8);
    pn_slotted_verifier *verifier;
    int status = pn_slotted_verifier_init(&verifier, block, size, claim);
    free(block);
    return status;
}

/* Claims are taken and refused as the engine takes and refuses jobs and configurations. */
static void judge_claim(void *user, const sweep_change *change)
{
    const pn_slotted_claim *claim = user;
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = claim->machines;
    config.reduce = claim->reduce;
    config.jobs_max = 4;
    config.stretches_max = 16;
    int expected = pn_slotted_check(&config) || claim->jobs == NULL ? PN_ERR_ARGUMENT : PN_OK;
    if (expected == PN_OK && pn_slotted_size(&config) < (1 << 24)) {
        pn_slotted *sim = slotted_sim(&config);
        for (size_t i = 0; i < claim->job_count && expected == PN_OK; i++)
            expected = pn_slotted_submit(sim, &claim->jobs[i], NULL);
        free(sim);
    }
    int status = taken(claim);
    if ((status == PN_OK) != (expected == PN_OK))
        fail_msg("%s: %s instead of %s", change->text, pn_status_name(status),
                 pn_status_name(expected));
}

static const sweep_field claim_fields[] = {SWEEP(pn_slotted_claim, machines),
                                           SWEEP(pn_slotted_claim, reduce),
                                           SWEEP_POINTS(pn_slotted_claim, jobs)};
static const sweep_field job_fields[] = {SWEEP(pn_slotted_job, arrival),
                                         SWEEP(pn_slotted_job, maps),
                                         SWEEP_POINTS(pn_slotted_job, reduces)};
static const sweep_field units_fields[] = {{"units", 0, sizeof(uint64_t), SWEEP_WHOLE}};

static void claims_are_taken_or_not(void **unused)
{
    uint64_t units[] = {2, 0, 3};
    pn_slotted_job jobs[] = {{.arrival = 2, .maps = 2, .reduces = units, .reduce_count = 3},
                             {.arrival = 4, .maps = 0, .reduces = units, .reduce_count = 1},
                             {.arrival = 4, .maps = 1}};
    pn_slotted_claim claim = {.machines = 2, .jobs = jobs, .job_count = 3};
    (void)unused;
    assert_int_equal(taken(&claim), PN_OK);
    sweep_record(&claim, 0, claim_fields, sizeof claim_fields / sizeof claim_fields[0], judge_claim,
                 &claim);
    for (size_t i = 0; i < 3; i++) {
        sweep_record(&jobs[i], i, job_fields, sizeof job_fields / sizeof job_fields[0], judge_claim,
                     &claim);
        sweep_record(&units[i], i, units_fields, 1, judge_claim, &claim);
    }
    jobs[1].reduce_count = 0;
    assert_int_equal(taken(&claim), PN_ERR_JOB);
    jobs[1].reduce_count = (size_t)UINT32_MAX + 1;
    assert_int_equal(taken(&claim), PN_ERR_JOB);
    claim.struct_size = 1;
    assert_int_equal(taken(&claim), PN_ERR_ARGUMENT);
    claim = (pn_slotted_claim){.machines = 2, .jobs = jobs, .job_count = 1};
    jobs[0].struct_size = 1;
    assert_int_equal(taken(&claim), PN_ERR_ARGUMENT);
    claim = (pn_slotted_claim){.machines = 2};
    assert_int_equal(taken(&claim), PN_OK);
    claim = (pn_slotted_claim){.machines = 2, .jobs = two_jobs, .job_count = SIZE_MAX / 4};
    assert_int_equal(taken(&claim), PN_ERR_CONFIG);
}

/* ---- one rule each ---- */

enum mode { PINNED, DIVISIBLE, RELAXED };

typedef struct example {
    enum mode mode;
    const char *fault; /* null: none */
    uint64_t slot, id;
    pn_slotted_decision entry[8];
} example;

#define MAP(slot, id, amount)                  \
    {                                          \
        0, slot, id, amount, PN_SLOTTED_MAP, 0 \
    }
#define REDUCE(slot, id, amount)                  \
    {                                             \
        0, slot, id, amount, PN_SLOTTED_REDUCE, 0 \
    }
#define START(slot, id, amount, first)               \
    {                                                \
        0, slot, id, amount, PN_SLOTTED_START, first \
    }
#define FINISH(slot, id)                     \
    {                                        \
        0, slot, id, 0, PN_SLOTTED_FINISH, 0 \
    }

/* Slots 1 and 2 as they should be in the first mode. */
#define BEGIN MAP(1, 1, 2), START(2, 1, 1, 1), MAP(2, 2, 1)

#define TOO_MANY     "more machines in use than there are"
#define TOO_EARLY    "reduces before the slot after the last map"
#define NOT_THE_LAST "the finish is not in the slot of the job's last unit"

/* Two machines, job 1: two maps, tasks of 2 and 1 units; job 2: one map, a slot later. */
static const example examples[] = {
    {PINNED, NULL, 0, 0, {BEGIN, FINISH(2, 2), START(3, 1, 1, 2), FINISH(3, 1)}},
    {DIVISIBLE,
     NULL,
     0,
     0,
     {MAP(1, 1, 2), REDUCE(2, 1, 2), REDUCE(3, 1, 1), MAP(3, 2, 1), FINISH(3, 1), FINISH(3, 2)}},
    {RELAXED,
     NULL,
     0,
     0,
     {MAP(1, 1, 2), REDUCE(2, 1, 1), MAP(2, 2, 1), FINISH(2, 2), REDUCE(3, 1, 2), FINISH(3, 1)}},
    {PINNED,
     TOO_MANY,
     2,
     2,
     {MAP(1, 1, 2), START(2, 1, 2, 1), MAP(2, 2, 1), FINISH(2, 2), FINISH(3, 1)}},
    {PINNED,
     TOO_MANY,
     3,
     2,
     {MAP(1, 1, 2), START(2, 1, 1, 1), START(3, 1, 1, 2), MAP(3, 2, 1), FINISH(3, 1)}},
    {DIVISIBLE, TOO_MANY, 2, 2, {MAP(1, 1, 2), REDUCE(2, 1, 2), MAP(2, 2, 1), REDUCE(3, 1, 1)}},
    {PINNED, TOO_EARLY, 1, 1, {MAP(1, 1, 1), START(1, 1, 1, 1), MAP(2, 1, 1)}},
    {PINNED, TOO_EARLY, 2, 1, {MAP(1, 1, 1), MAP(2, 1, 1), START(2, 1, 1, 1)}},
    {DIVISIBLE, TOO_EARLY, 2, 1, {MAP(1, 1, 1), MAP(2, 1, 1), REDUCE(2, 1, 1)}},
    {PINNED,
     "tasks must start in order, each once",
     3,
     1,
     {BEGIN, FINISH(2, 2), START(3, 1, 1, 1)}},
    {PINNED,
     "tasks must start in order, each once",
     2,
     1,
     {MAP(1, 1, 2), START(2, 1, 1, 2), MAP(2, 2, 1), FINISH(2, 2)}},
    {PINNED,
     "more tasks started than the job has left",
     4,
     1,
     {MAP(1, 1, 2), START(2, 1, 2, 1), MAP(3, 2, 1), FINISH(3, 1), FINISH(3, 2),
      START(4, 1, 1, 3)}},
    {PINNED, "two entries of one kind for one job in one slot", 1, 1, {MAP(1, 1, 1), MAP(1, 1, 1)}},
    {PINNED, "more map units than the job has left", 2, 1, {MAP(1, 1, 2), MAP(2, 1, 1)}},
    {DIVISIBLE,
     "more reduce units than the job has left",
     4,
     1,
     {MAP(1, 1, 2), REDUCE(2, 1, 2), MAP(3, 2, 1), FINISH(3, 2), REDUCE(4, 1, 2)}},
    {PINNED, NOT_THE_LAST, 3, 1, {BEGIN, FINISH(2, 2), FINISH(3, 1)}},
    {PINNED, NOT_THE_LAST, 3, 2, {BEGIN, START(3, 1, 1, 2), FINISH(3, 1), FINISH(3, 2)}},
    {PINNED, NOT_THE_LAST, 2, 1, {MAP(1, 1, 2), START(2, 1, 2, 1), FINISH(2, 1)}},
    {PINNED, "the job does not finish", 3, 2, {BEGIN, START(3, 1, 1, 2), FINISH(3, 1)}},
    {PINNED, "the job does not finish", 2, 1, {BEGIN, FINISH(2, 2)}},
    {PINNED, "the job finishes twice", 2, 2, {BEGIN, FINISH(2, 2), FINISH(2, 2)}},
    {PINNED, "the job has not arrived", 1, 2, {MAP(1, 2, 1), MAP(1, 1, 1), FINISH(1, 2)}},
    {PINNED, "a divisible reduce in non-preemptive mode", 2, 1, {MAP(1, 1, 2), REDUCE(2, 1, 2)}},
    {DIVISIBLE, "a task start in preemptive mode", 2, 1, {MAP(1, 1, 2), START(2, 1, 2, 1)}},
    {PINNED, "no such job", 1, 3, {MAP(1, 3, 1)}},
    {PINNED, "no such kind of entry", 1, 1, {{0, 1, 1, 1, 5, 0}}},
    {PINNED, "an entry without amount", 1, 1, {MAP(1, 1, 0)}},
    {PINNED, "entries must be in order of slot", 1, 1, {MAP(2, 2, 1), FINISH(2, 2), MAP(1, 1, 1)}},
    {PINNED,
     "entries must be in order of slot",
     PN_INTEGER_MAX + 1,
     1,
     {MAP(PN_INTEGER_MAX + 1, 1, 1)}},
    {PINNED, "more map units than the job has left", 1, 1, {MAP(1, 1, UINT64_MAX)}},
};

static void every_rule_has_its_word(void **unused)
{
    static decision_log log;
    (void)unused;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const example *x = &examples[i];
        uint32_t reduce = x->mode == PINNED ? PN_SLOTTED_NONPREEMPTIVE : PN_SLOTTED_PREEMPTIVE;
        pn_slotted_claim claim = {.machines = 2, reduce, x->mode == RELAXED, 0, two_jobs, 2};
        log.count = 0;
        while (log.count < 8 && x->entry[log.count].slot != 0) {
            log.entry[log.count] = x->entry[log.count];
            log.count++;
        }
        verdict v = judge(&log, &claim, slotted_log_end(log.entry, log.count),
                          slotted_log_digest(log.entry, log.count));
        assert_string_equal(v.fault, x->fault ? x->fault : "");
        assert_int_equal(v.slot, x->slot);
        assert_int_equal(v.id, x->id);
    }
}

static void misuse_is_refused(void **unused)
{
    pn_slotted_claim claim = {.machines = 2, 0, 0, 0, two_jobs, 2};
    size_t size = pn_slotted_verifier_size(&claim);
    unsigned char *block = workload_room(size + 8);
    pn_slotted_verifier *verifier = NULL;
    (void)unused;
    assert_int_equal(pn_slotted_verifier_size(NULL), 0);
    assert_int_equal(pn_slotted_verifier_size(
                         &(pn_slotted_claim){.machines = 0, .jobs = two_jobs, .job_count = 2}),
                     0);
    assert_int_equal(pn_slotted_verifier_size(&(pn_slotted_claim){
                         .machines = ((uint32_t)1 << 24) + 1, 0, 0, 0, two_jobs, 2}),
                     0);
    assert_int_equal(
        pn_slotted_verifier_size(&(pn_slotted_claim){.machines = 1, 2, 0, 0, two_jobs, 2}), 0);
    assert_int_equal(pn_slotted_verifier_size(&(pn_slotted_claim){.machines = 1, 0, 0, 0, NULL, 2}),
                     0);
    assert_int_equal(pn_slotted_verifier_size(
                         &(pn_slotted_claim){.machines = 1, 0, 0, 0, two_jobs, SIZE_MAX / 4}),
                     0);
    assert_int_equal(pn_slotted_verifier_init(NULL, block, size, &claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_verifier_init(&verifier, NULL, size, &claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_verifier_init(&verifier, block, size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_verifier_init(&verifier, block, size - 1, &claim), PN_ERR_SIZE);
    assert_int_equal(pn_slotted_verifier_init(&verifier, block + 1, size, &claim), PN_ERR_ALIGN);
    assert_null(verifier);
    assert_int_equal(pn_slotted_verifier_init(&verifier, block, size, &claim), PN_OK);
    assert_int_equal(pn_slotted_verifier_feed(NULL, &examples[0].entry[0]), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_verifier_feed(verifier, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_verifier_stop(NULL, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_slotted_verifier_end(NULL, 0, 0), PN_ERR_ARGUMENT);
    assert_int_equal(
        pn_slotted_verifier_feed(verifier, &(pn_slotted_decision){.struct_size = 1, .id = 1}),
        PN_ERR_ARGUMENT);
    assert_string_equal(pn_slotted_verifier_fault(verifier, NULL, NULL), "");
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_are_accepted_and_damaged_ones_are_not),
        cmocka_unit_test(every_change_of_a_log_is_found),
        cmocka_unit_test(the_relaxed_may_idle),
        cmocka_unit_test(claims_are_taken_or_not),
        cmocka_unit_test(idling_is_held_against_those_who_promised),
        cmocka_unit_test(every_rule_has_its_word),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
