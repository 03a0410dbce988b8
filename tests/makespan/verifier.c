/* The checker of the makespan model's logs: it has a word for every rule, it works out by itself
 * how long everything takes, it accepts what every policy does, and damaged logs it does not, even
 * with the digest that goes with the damage. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "makespan/support/workload.h"
#include "support/sweep.h"

/* ---- logs by hand ---- */

#define ENTRY(s, e, i, k, t, l)                                                    \
    {                                                                              \
        .start = (s), .end = (e), .id = (i), .kind = (k), .task = (t), .slot = (l) \
    }
#define MAP(start, end, id, task, slot) ENTRY(start, end, id, PN_MAKESPAN_START_MAP, task, slot)
#define REDUCE(start, end, id, task, slot) \
    ENTRY(start, end, id, PN_MAKESPAN_START_REDUCE, task, slot)
#define FINISH(time, id) ENTRY(time, time, id, PN_MAKESPAN_FINISH, 0, 0)

static const pn_makespan_job modest[] = {
    {.stage = {{LISTED({3, 2}, {2, 1}), .requested = 1}, {LISTED({4, 1})}}},
    {.stage = {{LISTED({2, 1})}, {LISTED({1, 2})}}},
};
/* Maps only; reduces only; a time alone; maps of no length. */
static const pn_makespan_job odd[] = {
    {.stage = {{LISTED({2, 1})}, {.has_time = 1}}},
    {.stage = {{.stretch_count = 0}, {LISTED({3, 1})}}},
    {.stage = {{.has_time = 1, .time = 4}, {.stretch_count = 0}}},
    {.stage = {{LISTED({0, 2})}, {LISTED({1, 1})}}},
};
/* Times beside tasks. */
static const pn_makespan_job stale[] = {
    {.stage = {{LISTED({3, 1}), .has_time = 1, .time = 7},
               {LISTED({4, 1}), .has_time = 1, .time = 0}}},
};
static const pn_makespan_pool halves[] = {{1, 1, (const uint64_t[]){2}},
                                          {1, 1, (const uint64_t[]){1}}};

enum { ENTRIES = 16 };

typedef struct sample {
    pn_makespan_claim claim;
    pn_makespan_decision entry[ENTRIES]; /* up to the first without a kind */
} sample;

#define AT_TASKS(maps, reduces) \
    .map_slots = (maps), .reduce_slots = (reduces), .level = PN_MAKESPAN_TASKS
#define AT_STAGES(maps, reduces) \
    .map_slots = (maps), .reduce_slots = (reduces), .level = PN_MAKESPAN_STAGES
#define JOBS_OF(list) .jobs = (list), .job_count = sizeof(list) / sizeof((list)[0])
#define USUAL                                                                   \
    .stage_time = PN_MAKESPAN_WAVES_REQUESTED, .share = PN_MAKESPAN_CONSERVING, \
    .cap = PN_MAKESPAN_CAP_NONE, .ticks = 1

static const sample tasks = {{AT_TASKS(2, 1), USUAL, JOBS_OF(makespan_pair)},
                             {MAP(0, 3, 1, 0, 0), MAP(0, 3, 1, 1, 1), MAP(3, 5, 1, 2, 0),
                              MAP(3, 5, 2, 0, 1), REDUCE(5, 9, 1, 0, 0), FINISH(9, 1),
                              REDUCE(9, 10, 2, 0, 0), REDUCE(10, 11, 2, 1, 0), FINISH(11, 2)}};
static const sample odd_tasks = {{AT_TASKS(2, 1), USUAL, JOBS_OF(odd), .base_map_slots = 3},
                                 {MAP(0, 2, 1, 0, 0), MAP(0, 4, 3, 0, 1), REDUCE(0, 3, 2, 0, 0),
                                  FINISH(2, 1), MAP(2, 6, 3, 1, 0), FINISH(3, 2),
                                  MAP(4, 8, 3, 2, 1), MAP(6, 6, 4, 0, 0), MAP(6, 6, 4, 1, 0),
                                  REDUCE(6, 7, 4, 0, 0), FINISH(7, 4), FINISH(8, 3)}};
static const sample pool_tasks = {
    {AT_TASKS(4, 2), USUAL, JOBS_OF(makespan_pair), .pools = halves, .pool_count = 2},
    {MAP(0, 3, 1, 0, 2), MAP(0, 3, 1, 1, 3), MAP(0, 2, 2, 0, 0), REDUCE(2, 3, 2, 0, 0),
     MAP(3, 5, 1, 2, 2), REDUCE(3, 4, 2, 1, 0), FINISH(4, 2), REDUCE(5, 9, 1, 0, 1), FINISH(9, 1)}};
static const sample capped_tasks = {{AT_TASKS(2, 1), .stage_time = PN_MAKESPAN_FLUID,
                                     .share = PN_MAKESPAN_CONSERVING,
                                     .cap = PN_MAKESPAN_CAP_REQUESTED, .ticks = 1, JOBS_OF(modest)},
                                    {MAP(0, 3, 1, 0, 0), MAP(0, 2, 2, 0, 1), REDUCE(2, 3, 2, 0, 0),
                                     MAP(3, 6, 1, 1, 0), REDUCE(3, 4, 2, 1, 0), FINISH(4, 2),
                                     MAP(6, 8, 1, 2, 0), REDUCE(8, 12, 1, 0, 0), FINISH(12, 1)}};
static const sample exclusive_tasks = {
    {AT_TASKS(2, 2), .stage_time = PN_MAKESPAN_FLUID, .share = PN_MAKESPAN_EXCLUSIVE,
     .cap = PN_MAKESPAN_CAP_NONE, .ticks = 1, JOBS_OF(makespan_pair)},
    {MAP(0, 3, 1, 0, 0), MAP(0, 3, 1, 1, 1), MAP(3, 5, 1, 2, 0), MAP(5, 7, 2, 0, 0),
     REDUCE(5, 9, 1, 0, 0), REDUCE(9, 10, 2, 0, 0), REDUCE(9, 10, 2, 1, 1), FINISH(9, 1),
     FINISH(10, 2)}};
/* Thirds of a tick: 8 of map work as three tasks. A cap has no say here. */
static const sample split_tasks = {
    {AT_TASKS(3, 1), .stage_time = PN_MAKESPAN_FLUID, .share = PN_MAKESPAN_CONSERVING,
     .cap = PN_MAKESPAN_CAP_REQUESTED, .resplit = 1, .ticks = 3, JOBS_OF(modest)},
    {MAP(0, 8, 1, 0, 0), MAP(0, 8, 1, 1, 1), MAP(0, 8, 1, 2, 2), MAP(8, 10, 2, 0, 0),
     MAP(8, 10, 2, 1, 1), MAP(8, 10, 2, 2, 2), REDUCE(8, 20, 1, 0, 0), FINISH(20, 1),
     REDUCE(20, 26, 2, 0, 0), FINISH(26, 2)}};
static const sample stages = {{AT_STAGES(2, 1), USUAL, JOBS_OF(makespan_pair), .resplit = 5},
                              {MAP(0, 5, 1, 0, 0), MAP(5, 7, 2, 0, 0), REDUCE(5, 9, 1, 0, 0),
                               FINISH(9, 1), REDUCE(9, 11, 2, 0, 0), FINISH(11, 2)}};
static const sample odd_stages = {{AT_STAGES(2, 1), USUAL, JOBS_OF(odd)},
                                  {MAP(0, 2, 1, 0, 0), FINISH(2, 1), MAP(2, 2, 2, 0, 0),
                                   REDUCE(2, 5, 2, 0, 0), MAP(2, 6, 3, 0, 0), FINISH(5, 2),
                                   FINISH(6, 3), MAP(6, 6, 4, 0, 0), REDUCE(6, 7, 4, 0, 0),
                                   FINISH(7, 4)}};
static const sample pool_stages = {
    {AT_STAGES(4, 2), USUAL, JOBS_OF(makespan_pair), .nodes = 2, .pools = halves, .pool_count = 2},
    {MAP(0, 2, 2, 0, 0), MAP(0, 5, 1, 0, 1), REDUCE(2, 4, 2, 0, 0), FINISH(4, 2),
     REDUCE(5, 9, 1, 0, 1), FINISH(9, 1)}};
static const sample fluid_stages = {
    {AT_STAGES(3, 1), .stage_time = PN_MAKESPAN_FLUID, .share = PN_MAKESPAN_CONSERVING,
     .cap = PN_MAKESPAN_CAP_NONE, .ticks = 3, JOBS_OF(makespan_pair)},
    {MAP(0, 8, 1, 0, 0), MAP(8, 10, 2, 0, 0), REDUCE(8, 20, 1, 0, 0), FINISH(20, 1),
     REDUCE(20, 26, 2, 0, 0), FINISH(26, 2)}};
static const sample stale_stages = {{AT_STAGES(3, 1), .stage_time = PN_MAKESPAN_GIVEN,
                                     .share = PN_MAKESPAN_CONSERVING, .cap = PN_MAKESPAN_CAP_NONE,
                                     .ticks = 2, JOBS_OF(stale)},
                                    {MAP(0, 14, 1, 0, 0), FINISH(14, 1)}};

static const sample *const samples[] = {
    &tasks,  &odd_tasks,  &pool_tasks,  &capped_tasks, &exclusive_tasks, &split_tasks,
    &stages, &odd_stages, &pool_stages, &fluid_stages, &stale_stages};

static void add_entries(makespan_log *log, const pn_makespan_decision *entry, size_t count)
{
    for (size_t i = 0; i < count && entry[i].kind != 0; i++)
        makespan_log_add(log, &entry[i]);
}

static makespan_verdict judge_as_it_is(const makespan_log *log, const pn_makespan_claim *claim)
{
    return makespan_judge(log, claim, makespan_log_end(log), makespan_log_digest(log));
}

static void logs_by_hand_are_accepted(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        makespan_log log = {NULL, 0, 0};
        add_entries(&log, samples[i]->entry, ENTRIES);
        makespan_verdict v = judge_as_it_is(&log, &samples[i]->claim);
        if (v.status != PN_OK)
            fail_msg("sample %zu: \"%s\" at %llu of job %llu", i, v.fault,
                     (unsigned long long)v.time, (unsigned long long)v.id);
        makespan_log_free(&log);
    }
}

#define NO_JOB       "no such job"
#define NO_KIND      "no such kind of entry"
#define BACK_IN_TIME "entries must be in order of start"
#define TOO_FAR      "no time is so late"
#define NO_TASK      "no such task"
#define AGAIN        "the task starts twice"
#define NO_SLOT      "no such slot"
#define OTHER_POOL   "the slot belongs to another pool"
#define NO_TICKS     "what takes so long is no whole number of ticks"
#define OTHER_TIME   "it takes another time than it should"
#define MAPS_FIRST   "a reduce starts before the job's maps have ended"
#define TAKEN        "the slot is taken"
#define ABOVE_CAP    "more tasks at once than the job requests slots"
#define ONE_BY_ONE   "the stage begins before another job's is complete"
#define OTHER_ORDER  "reduces come in another order than maps"
#define LATE_STAGE   "the stage starts later than it can"
#define BARE         "a finish has no length, task or slot"
#define TWICE        "the job finishes twice"
#define TOO_SOON     "the job finishes before its work is done"
#define TOO_LATE     "the job finishes after its work is done"
#define NOT_FINISHED "the job does not finish"
#define OTHER_END    "the end is not the last finish"
#define OTHER_DIGEST "the digest does not match the entries"

/* A log with some entries taken out and others put in. */
typedef struct mutant {
    const sample *of;
    size_t at, removed;
    const char *fault;
    uint64_t time, id;
    pn_makespan_decision entry[3];
} mutant;

static const mutant mutants[] = {
    {&tasks, 0, 1, NO_JOB, 0, 0, {MAP(0, 3, 0, 0, 0)}},
    {&tasks, 0, 1, NO_JOB, 0, 3, {MAP(0, 3, 3, 0, 0)}},
    {&tasks, 0, 1, NO_JOB, 0, UINT64_MAX, {FINISH(0, UINT64_MAX)}},
    {&tasks, 0, 1, NO_KIND, 0, 1, {ENTRY(0, 3, 1, 4, 0, 0)}},
    {&tasks, 0, 1, NO_KIND, 0, 1, {ENTRY(0, 3, 1, UINT32_MAX, 0, 0)}},
    {&tasks, 3, 1, BACK_IN_TIME, 2, 2, {MAP(2, 4, 2, 0, 1)}},
    {&tasks, 8, 1, BACK_IN_TIME, 9, 2, {FINISH(9, 2)}},
    {&tasks, 8, 1, TOO_FAR, PN_MAKESPAN_MOST + 1, 2, {FINISH(PN_MAKESPAN_MOST + 1, 2)}},
    {&tasks, 0, 1, TOO_FAR, 0, 1, {MAP(0, PN_MAKESPAN_MOST + 1, 1, 0, 0)}},
    {&tasks, 0, 1, NO_TASK, 0, 1, {MAP(0, 3, 1, 3, 0)}},
    {&tasks, 0, 1, NO_TASK, 0, 1, {MAP(0, 3, 1, UINT32_MAX, 0)}},
    {&odd_tasks, 1, 0, NO_TASK, 0, 1, {REDUCE(0, 0, 1, 0, 0)}},
    {&odd_tasks, 0, 0, NO_TASK, 0, 2, {MAP(0, 0, 2, 0, 0)}},
    {&odd_tasks, 7, 0, NO_TASK, 4, 3, {MAP(4, 8, 3, 3, 1)}},
    {&split_tasks, 3, 0, NO_TASK, 0, 1, {MAP(0, 8, 1, 3, 0)}},
    {&stages, 1, 0, NO_TASK, 5, 1, {MAP(5, 10, 1, 1, 0)}},
    {&odd_stages, 1, 0, NO_TASK, 2, 1, {REDUCE(2, 2, 1, 0, 0)}},
    {&tasks, 1, 1, AGAIN, 0, 1, {MAP(0, 3, 1, 0, 1)}},
    {&tasks, 8, 0, AGAIN, 11, 2, {REDUCE(11, 12, 2, 0, 0)}},
    {&odd_tasks, 8, 1, AGAIN, 6, 4, {MAP(6, 6, 4, 0, 0)}},
    {&stages, 1, 0, AGAIN, 5, 1, {MAP(5, 10, 1, 0, 0)}},
    {&tasks, 0, 1, NO_SLOT, 0, 1, {MAP(0, 3, 1, 0, 2)}},
    {&tasks, 4, 1, NO_SLOT, 5, 1, {REDUCE(5, 9, 1, 0, 1)}},
    {&stages, 0, 1, NO_SLOT, 0, 1, {MAP(0, 5, 1, 0, 1)}},
    {&pool_stages, 0, 1, NO_SLOT, 0, 2, {MAP(0, 2, 2, 0, 2)}},
    {&pool_tasks, 0, 1, OTHER_POOL, 0, 1, {MAP(0, 3, 1, 0, 1)}},
    {&pool_tasks, 2, 1, OTHER_POOL, 0, 2, {MAP(0, 2, 2, 0, 2)}},
    {&pool_tasks, 7, 1, OTHER_POOL, 5, 1, {REDUCE(5, 9, 1, 0, 0)}},
    {&pool_stages, 1, 1, OTHER_POOL, 0, 1, {MAP(0, 5, 1, 0, 0)}},
    {&tasks, 0, 1, OTHER_TIME, 0, 1, {MAP(0, 2, 1, 0, 0)}},
    {&tasks, 2, 1, OTHER_TIME, 3, 1, {MAP(3, 6, 1, 2, 0)}},
    {&tasks, 2, 1, OTHER_TIME, 3, 1, {MAP(3, 1, 1, 2, 0)}},
    {&split_tasks, 0, 1, OTHER_TIME, 0, 1, {MAP(0, 9, 1, 0, 0)}},
    {&stages, 0, 1, OTHER_TIME, 0, 1, {MAP(0, 4, 1, 0, 0)}},
    {&odd_stages, 2, 1, OTHER_TIME, 2, 2, {MAP(2, 3, 2, 0, 0)}},
    {&stale_stages, 0, 1, OTHER_TIME, 0, 1, {MAP(0, 6, 1, 0, 0)}},
    {&tasks, 4, 1, MAPS_FIRST, 4, 1, {REDUCE(4, 8, 1, 0, 0)}},
    {&tasks, 2, 0, MAPS_FIRST, 3, 1, {REDUCE(3, 7, 1, 0, 0)}},
    {&odd_tasks, 8, 1, MAPS_FIRST, 6, 4, {REDUCE(6, 7, 4, 0, 0)}},
    {&stages, 1, 0, MAPS_FIRST, 4, 1, {REDUCE(4, 8, 1, 0, 0)}},
    {&odd_stages, 2, 1, MAPS_FIRST, 2, 2, {{.kind = 0}}},
    {&tasks, 1, 1, TAKEN, 0, 1, {MAP(0, 3, 1, 1, 0)}},
    {&tasks, 2, 1, TAKEN, 2, 1, {MAP(2, 4, 1, 2, 0)}},
    {&tasks, 6, 1, TAKEN, 9, 2, {REDUCE(9, 10, 2, 0, 0), REDUCE(9, 10, 2, 1, 0)}},
    {&stages, 1, 1, TAKEN, 4, 2, {MAP(4, 6, 2, 0, 0)}},
    {&stages, 3, 2, TAKEN, 8, 2, {REDUCE(8, 10, 2, 0, 0)}},
    {&capped_tasks, 1, 1, ABOVE_CAP, 0, 1, {MAP(0, 3, 1, 1, 1)}},
    {&capped_tasks, 3, 0, ABOVE_CAP, 2, 1, {MAP(2, 5, 1, 1, 1)}},
    {&exclusive_tasks, 3, 1, ONE_BY_ONE, 3, 2, {MAP(3, 5, 2, 0, 1)}},
    {&exclusive_tasks, 2, 1, ONE_BY_ONE, 3, 2, {MAP(3, 5, 2, 0, 0)}},
    {&exclusive_tasks, 5, 1, ONE_BY_ONE, 7, 2, {REDUCE(7, 8, 2, 0, 1)}},
    {&exclusive_tasks,
     4,
     1,
     OTHER_ORDER,
     8,
     1,
     {REDUCE(7, 8, 2, 0, 0), REDUCE(7, 8, 2, 1, 1), REDUCE(8, 12, 1, 0, 0)}},
    {&stages, 2, 1, OTHER_ORDER, 9, 1, {REDUCE(7, 9, 2, 0, 0), REDUCE(9, 13, 1, 0, 0)}},
    {&stages, 0, 1, LATE_STAGE, 1, 1, {MAP(1, 6, 1, 0, 0)}},
    {&stages, 1, 1, LATE_STAGE, 6, 2, {MAP(6, 8, 2, 0, 0)}},
    {&stages, 2, 1, LATE_STAGE, 6, 1, {REDUCE(6, 10, 1, 0, 0)}},
    {&stages, 4, 1, LATE_STAGE, 10, 2, {REDUCE(10, 12, 2, 0, 0)}},
    {&tasks, 5, 1, BARE, 9, 1, {ENTRY(9, 10, 1, PN_MAKESPAN_FINISH, 0, 0)}},
    {&tasks, 5, 1, BARE, 9, 1, {ENTRY(9, 8, 1, PN_MAKESPAN_FINISH, 0, 0)}},
    {&tasks, 5, 1, BARE, 9, 1, {ENTRY(9, 9, 1, PN_MAKESPAN_FINISH, 1, 0)}},
    {&tasks, 5, 1, BARE, 9, 1, {ENTRY(9, 9, 1, PN_MAKESPAN_FINISH, 0, 1)}},
    {&tasks, 6, 0, TWICE, 9, 1, {FINISH(9, 1)}},
    {&tasks, 9, 0, TWICE, 12, 1, {FINISH(12, 1)}},
    {&tasks, 5, 1, TOO_SOON, 8, 1, {FINISH(8, 1)}},
    {&tasks, 4, 0, TOO_SOON, 5, 1, {FINISH(5, 1)}},
    {&tasks, 7, 1, TOO_SOON, 11, 2, {{.kind = 0}}},
    {&tasks, 0, 0, TOO_SOON, 0, 2, {FINISH(0, 2)}},
    {&stages, 3, 1, TOO_SOON, 5, 1, {FINISH(5, 1)}},
    {&odd_stages, 1, 1, TOO_SOON, 1, 1, {FINISH(1, 1)}},
    {&tasks, 8, 1, TOO_LATE, 12, 2, {FINISH(12, 2)}},
    {&odd_tasks, 3, 1, TOO_LATE, 2 + 1, 1, {MAP(2, 6, 3, 1, 0), FINISH(3, 1)}},
    {&tasks, 8, 1, NOT_FINISHED, 10, 2, {{.kind = 0}}},
    {&tasks, 0, 9, NOT_FINISHED, 0, 1, {{.kind = 0}}},
    {&stages, 3, 1, NOT_FINISHED, 11, 1, {{.kind = 0}}},
};

static void every_rule_has_its_word(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; i++) {
        const mutant *m = &mutants[i];
        makespan_log log = {NULL, 0, 0};
        add_entries(&log, m->of->entry, m->at);
        add_entries(&log, m->entry, 3);
        add_entries(&log, m->of->entry + m->at + m->removed, ENTRIES - m->at - m->removed);
        makespan_verdict v = judge_as_it_is(&log, &m->of->claim);
        if (strcmp(v.fault, m->fault) != 0 || v.time != m->time || v.id != m->id)
            fail_msg("mutant %zu: \"%s\" at %llu of job %llu instead of \"%s\" at %llu of job %llu",
                     i, v.fault, (unsigned long long)v.time, (unsigned long long)v.id, m->fault,
                     (unsigned long long)m->time, (unsigned long long)m->id);
        makespan_log_free(&log);
    }
}

/* ---- one change of every kind ---- */

/* A log that goes with a claim. */
typedef struct story {
    makespan_log log;
    const pn_makespan_claim *claim;
    uint64_t digest, end;
} story;

static const sweep_field entry_fields[] = {
    SWEEP(pn_makespan_decision, start), SWEEP(pn_makespan_decision, end),
    SWEEP(pn_makespan_decision, id),    SWEEP(pn_makespan_decision, kind),
    SWEEP(pn_makespan_decision, task),  SWEEP(pn_makespan_decision, slot)};

/* Any change is seen by the digest, and without it in what the log says. The digest does not show
 * which of the tasks runs in which slot, nor the order of entries of one time. */
static void judge_entry(void *user, const sweep_change *change)
{
    story *it = user;
    uint64_t fits = makespan_log_digest(&it->log);
    if (fits == it->digest)
        return;
    if (makespan_judge(&it->log, it->claim, it->end, it->digest).status == PN_OK)
        fail_msg("%s: not seen by the digest", change->text);
    if (judge_as_it_is(&it->log, it->claim).status == PN_OK)
        fail_msg("%s: not seen in what the log says", change->text);
}

static void every_change_of_a_log_is_found(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        story it = {.claim = &samples[i]->claim};
        add_entries(&it.log, samples[i]->entry, ENTRIES);
        it.digest = makespan_log_digest(&it.log);
        it.end = makespan_log_end(&it.log);
        makespan_log_add(&it.log, &samples[i]->entry[0]); /* room for one more */
        it.log.count--;
        sweep_entries(&(sweep_log){it.log.entry, &it.log.count, sizeof it.log.entry[0],
                                   entry_fields, sizeof entry_fields / sizeof entry_fields[0],
                                   judge_entry, &it});
        assert_int_equal(judge_as_it_is(&it.log, it.claim).status, PN_OK);
        makespan_log_free(&it.log);
    }
}

static void check_end(const pn_makespan_claim *claim, const makespan_log *log, uint64_t end,
                      uint64_t digest, const char *fault)
{
    makespan_verdict v = makespan_judge(log, claim, end, digest);
    assert_string_equal(v.fault, fault);
    assert_true(v.id == 0 && v.time == (*fault == '\0' ? 0 : end));
}

static void the_end_and_the_digest_must_fit(void **unused)
{
    pn_makespan_claim claim = tasks.claim;
    makespan_log log = {NULL, 0, 0};
    (void)unused;
    add_entries(&log, tasks.entry, ENTRIES);
    uint64_t digest = makespan_log_digest(&log);
    check_end(&claim, &log, 11, digest, "");
    check_end(&claim, &log, 12, digest, OTHER_END);
    check_end(&claim, &log, 0, digest, OTHER_END);
    for (int bit = 0; bit < 64; bit++)
        check_end(&claim, &log, 11, digest ^ (uint64_t)1 << bit, OTHER_DIGEST);
    claim.job_count = 0;
    log.count = 0;
    check_end(&claim, &log, 0, 0, "");
    check_end(&claim, &log, 0, 1, OTHER_DIGEST);
    makespan_log_free(&log);
}

/* Slots are alike, and not part of the digest; nor is what order the entries of a time have. */
static void slots_and_the_order_within_a_time_are_free(void **unused)
{
    makespan_log log = {NULL, 0, 0};
    (void)unused;
    add_entries(&log, tasks.entry, ENTRIES);
    uint64_t digest = makespan_log_digest(&log);
    log.entry[0].slot = 1;
    log.entry[1].slot = 0;
    pn_makespan_decision moved = log.entry[5]; /* a finish after the start at its time */
    log.entry[5] = log.entry[6];
    log.entry[6] = moved;
    check_end(&tasks.claim, &log, 11, digest, "");
    makespan_log_free(&log);
}

/* ---- durations ---- */

static const pn_makespan_claim usual = {
    .map_slots = 1, .reduce_slots = 1, .level = PN_MAKESPAN_TASKS, USUAL};

/* The only map entry of a single job. */
static const char *judge_stage(const pn_makespan_claim *claim, uint64_t length)
{
    makespan_log log = {NULL, 0, 0};
    makespan_log_add(&log, &(pn_makespan_decision)MAP(0, length, 1, 0, 0));
    makespan_log_add(&log, &(pn_makespan_decision)FINISH(length, 1));
    const char *fault = judge_as_it_is(&log, claim).fault;
    makespan_log_free(&log);
    return fault;
}

static void check_stage(const pn_makespan_claim *claim, uint64_t length)
{
    assert_string_equal(judge_stage(claim, length), "");
    assert_string_equal(judge_stage(claim, length + 1), OTHER_TIME);
    if (length > 0)
        assert_string_equal(judge_stage(claim, length - 1), OTHER_TIME);
}

static uint64_t simulated_waves(const pn_makespan_stage_of_job *stage, uint32_t slots)
{
    uint64_t at[64] = {0};
    uint64_t end = 0;
    for (uint32_t i = 0; i < stage->stretch_count; i++)
        for (uint32_t k = 0; k < stage->stretches[i].count; k++) {
            uint32_t first = 0;
            for (uint32_t s = 1; s < slots; s++)
                if (at[s] < at[first])
                    first = s;
            at[first] += stage->stretches[i].duration;
            end = at[first] > end ? at[first] : end;
        }
    return end;
}

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    return b == 0 ? a : divisor_of(b, a % b);
}

/* work / parts, in the coarsest ticks that will do, in a multiple of these, and in others. */
static void check_fraction(pn_makespan_claim claim, uint64_t work, uint64_t parts)
{
    uint64_t least = parts / divisor_of(work, parts);
    claim.ticks = least;
    check_stage(&claim, work * least / parts);
    claim.ticks = 5 * least;
    check_stage(&claim, work * claim.ticks / parts);
    claim.ticks = 2 * least + 1;
    if (least > 1)
        assert_string_equal(judge_stage(&claim, work * claim.ticks / parts), NO_TICKS);
}

static void stages_last_as_long_as_the_rules_say(void **unused)
{
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 5, 0, 0);
    for (int i = 0; i < 1000; i++) {
        pn_makespan_stretch stretches[5];
        pn_makespan_job job = {.stage = {{.stretches = stretches}}};
        pn_makespan_stage_of_job *maps = &job.stage[0];
        pn_makespan_claim claim = usual;
        uint64_t work = 0;
        uint32_t count = 0;
        maps->stretch_count = (uint32_t)pn_uniform(&stream, 1, 5);
        maps->requested = (uint32_t)pn_uniform(&stream, 0, 12);
        maps->has_time = pn_uniform(&stream, 0, 1) == 1;
        maps->time = pn_uniform(&stream, 0, 50);
        for (uint32_t k = 0; k < maps->stretch_count; k++) {
            stretches[k].duration = pn_uniform(&stream, k > 0 ? 0 : 1,
                                               pn_uniform(&stream, 0, 3) == 0 ? 200 : 9);
            stretches[k].count = (uint32_t)pn_uniform(&stream, 1, 60);
            work += stretches[k].duration * stretches[k].count;
            count += stretches[k].count;
        }
        claim.level = PN_MAKESPAN_STAGES;
        claim.map_slots = (uint32_t)pn_uniform(&stream, 1, 40);
        claim.jobs = &job;
        claim.job_count = 1;
        uint32_t asked = maps->requested > 0 ? maps->requested : count;
        uint32_t width = asked < claim.map_slots ? asked : claim.map_slots;
        check_stage(&claim, simulated_waves(maps, width));
        claim.stage_time = PN_MAKESPAN_GIVEN;
        check_stage(&claim, maps->has_time ? maps->time : simulated_waves(maps, width));
        claim.stage_time = PN_MAKESPAN_WAVES;
        check_stage(&claim, simulated_waves(maps, claim.map_slots));
        claim.stage_time = PN_MAKESPAN_CAPPED;
        check_fraction(claim, work, width);
        claim.stage_time = PN_MAKESPAN_FLUID;
        check_fraction(claim, work, claim.map_slots);
    }
}

/* Durations that the fine ticks cannot tell, and the largest there are. */
static void the_range_of_durations(void **unused)
{
    pn_makespan_stretch stretch = {(uint64_t)1 << 60, 1};
    pn_makespan_job job = {.stage = {{.stretches = &stretch, .stretch_count = 1}}};
    pn_makespan_claim claim = usual;
    (void)unused;
    claim.jobs = &job;
    claim.job_count = 1;
    for (uint32_t level = 0; level <= PN_MAKESPAN_TASKS; level++) {
        claim.level = level;
        claim.ticks = 4;
        assert_string_equal(judge_stage(&claim, PN_MAKESPAN_MOST), "");
        claim.ticks = 5;
        assert_string_equal(judge_stage(&claim, PN_MAKESPAN_MOST), NO_TICKS);
        claim.ticks = PN_MAKESPAN_MOST;
        assert_string_equal(judge_stage(&claim, 0), NO_TICKS);
    }
    claim.level = PN_MAKESPAN_TASKS;
    claim.resplit = 3;
    claim.ticks = 2;
    assert_string_equal(judge_stage(&claim, 1), NO_TICKS);
}

/* More stretches than are gone through for one task, started in any order. */
static void any_task_of_a_long_list_is_found(void **unused)
{
    enum { STRETCHES = 333 };
    static pn_makespan_stretch stretches[STRETCHES];
    pn_makespan_job job = {.stage = {{.stretches = stretches, .stretch_count = STRETCHES}}};
    pn_makespan_claim claim = usual;
    makespan_log log = {NULL, 0, 0};
    pn_stream stream;
    uint32_t slot = 0;
    (void)unused;
    pn_stream_init(&stream, 6, 0, 0);
    for (uint32_t i = 0; i < STRETCHES; i++) {
        stretches[i] = (pn_makespan_stretch){1 + i * i % 97,
                                             1 + (uint32_t)pn_uniform(&stream, 0, 3)};
        for (uint32_t k = 0; k < stretches[i].count; k++, slot++) {
            makespan_log_add(&log,
                             &(pn_makespan_decision)MAP(0, stretches[i].duration, 1, slot, slot));
            size_t other = pn_uniform(&stream, 0, slot);
            pn_makespan_decision moved = log.entry[other];
            log.entry[other] = log.entry[slot];
            log.entry[slot] = moved;
        }
    }
    claim.map_slots = slot;
    claim.jobs = &job;
    claim.job_count = 1;
    makespan_log_add(&log, &(pn_makespan_decision)FINISH(97, 1));
    assert_string_equal(judge_as_it_is(&log, &claim).fault, "");
    for (uint32_t i = 0; i < slot; i++) {
        log.entry[i].end++;
        assert_string_equal(judge_as_it_is(&log, &claim).fault, OTHER_TIME);
        log.entry[i].end--;
    }
    makespan_log_free(&log);
}

/* ---- logs of all policies, and damaged ones ---- */

enum { JOBS = 8, DAMAGES = 60 };

static const makespan_shape shapes[] = {{.tasks = 3, .longest = 9},
                                        {.tasks = 2, .longest = 4, .odd = 1}};

enum damage {
    LATER,
    SOONER,
    LONGER,
    OTHER_ID,
    OTHER_KIND,
    OTHER_TASK,
    DROPPED,
    DUPLICATED,
    ADDED_FINISH,
    DAMAGE_KINDS
};

static const char *const damage_names[] = {"later", "sooner",  "longer",     "id",          "kind",
                                           "task",  "dropped", "duplicated", "finish added"};

/* Stable, so that entries of one time stay in their order. */
static void sort_by_start(makespan_log *log)
{
    for (size_t i = 1; i < log->count; i++) {
        pn_makespan_decision moved = log->entry[i];
        size_t k = i;
        for (; k > 0 && log->entry[k - 1].start > moved.start; k--)
            log->entry[k] = log->entry[k - 1];
        log->entry[k] = moved;
    }
}

/* False when this kind of damage does none to this entry. */
static bool damage(makespan_log *log, pn_stream *stream, enum damage kind, size_t at)
{
    pn_makespan_decision *e = &log->entry[at];
    uint64_t some = pn_uniform(stream, 1, 9);
    pn_makespan_decision added = FINISH(e->start, pn_uniform(stream, 1, JOBS));
    switch (kind) {
    case LATER:
        e->start += some;
        e->end += some;
        break;
    case SOONER:
        if (e->start < some)
            return false;
        e->start -= some;
        e->end -= some;
        break;
    case LONGER:
        e->end += some;
        break;
    case OTHER_ID:
        e->id = workload_other(stream, e->id, 0, JOBS + 1);
        break;
    case OTHER_KIND:
        e->kind = (uint32_t)workload_other(stream, e->kind, 0, PN_MAKESPAN_FINISH + 1);
        break;
    case OTHER_TASK:
        e->task = (uint32_t)workload_other(stream, e->task, 0, 9);
        break;
    case DROPPED:
        memmove(e, e + 1, (--log->count - at) * sizeof *e);
        break;
    case DUPLICATED:
        added = *e;
        makespan_log_add(log, &added);
        break;
    default:
        makespan_log_add(log, &added);
        break;
    }
    sort_by_start(log);
    return true;
}

/* A task may start at another time, where all rules are kept: then the digest is another one. */
static bool digest_alone_tells(const pn_makespan_claim *claim, const pn_makespan_decision *e,
                               enum damage kind)
{
    return claim->level == PN_MAKESPAN_TASKS && e->kind != PN_MAKESPAN_FINISH &&
           (kind == LATER || kind == SOONER);
}

static void check_damages(const makespan_log *log, const pn_makespan_claim *claim, uint64_t digest,
                          pn_stream *stream, const char *name)
{
    makespan_log damaged = {NULL, 0, 0};
    for (int i = 0; i < DAMAGES; i++) {
        enum damage kind = (enum damage)(i % DAMAGE_KINDS);
        size_t at = pn_uniform(stream, 0, log->count - 1);
        damaged.count = 0;
        add_entries(&damaged, log->entry, log->count);
        if (!damage(&damaged, stream, kind, at))
            continue;
        makespan_verdict as_it_was = makespan_judge(&damaged, claim, makespan_log_end(log), digest);
        makespan_verdict made_to_fit = judge_as_it_is(&damaged, claim);
        if (as_it_was.status == PN_OK ||
            (made_to_fit.status == PN_OK && !digest_alone_tells(claim, &log->entry[at], kind)))
            fail_msg("%s: damage %d (%s of entry %zu) was not seen%s", name, i, damage_names[kind],
                     at, as_it_was.status == PN_OK ? "" : " by structure alone");
    }
    makespan_log_free(&damaged);
}

/* What else is on the slot meanwhile: another task, or one of no length, for which the order of
 * entries decides. */
enum neighbour { NOBODY, SOMEBODY, UNCLEAR };

static enum neighbour on_the_slot(const makespan_log *log, size_t at)
{
    const pn_makespan_decision *moved = &log->entry[at];
    enum neighbour found = NOBODY;
    for (size_t i = 0; i < log->count; i++) {
        const pn_makespan_decision *e = &log->entry[i];
        if (i == at || e->kind != moved->kind || e->slot != moved->slot)
            continue;
        if (e->start < moved->end && moved->start < e->end)
            return SOMEBODY;
        if (e->start == e->end && e->start == moved->start)
            found = UNCLEAR;
    }
    return found;
}

/* Tasks may run on any slot that is free so long. */
static void check_slots(const makespan_log *log, const pn_makespan_claim *claim, uint64_t digest,
                        pn_stream *stream)
{
    for (int i = 0; i < DAMAGES; i++) {
        size_t at = pn_uniform(stream, 0, log->count - 1);
        pn_makespan_decision *e = &log->entry[at];
        uint32_t was = e->slot,
                 slots = e->kind == PN_MAKESPAN_START_MAP ? claim->map_slots : claim->reduce_slots;
        if (e->kind == PN_MAKESPAN_FINISH || e->start == e->end || claim->pools)
            continue;
        e->slot = (uint32_t)workload_other(stream, was, 0, slots);
        enum neighbour found = on_the_slot(log, at);
        bool expected = claim->level == PN_MAKESPAN_TASKS && e->slot < slots && found == NOBODY;
        makespan_verdict v = makespan_judge(log, claim, makespan_log_end(log), digest);
        if (found != UNCLEAR && v.status != (expected ? PN_OK : PN_ERR_REJECTED))
            fail_msg("slot %u of entry %zu: %s", e->slot, at, v.fault);
        e->slot = was;
    }
}

static void check_policy(const pn_makespan_policy *policy, const makespan_batch *batch,
                         const makespan_rules *o, pn_stream *stream)
{
    pn_makespan_config config = makespan_config(batch, *o, 4, 6);
    makespan_log log = {NULL, 0, 0};
    pn_makespan_hooks hooks = {.policy = policy,
                               .on_finish = makespan_log_finish,
                               .on_decision = makespan_log_decision,
                               .user = &log};
    config.base_map_slots = 3;
    pn_makespan *sim = makespan_done(batch, &config, &hooks);
    makespan_claim made = makespan_claim_of(sim, &config, batch);
    uint64_t digest = pn_makespan_digest(sim);
    makespan_verdict v = makespan_judge(&log, &made.claim, makespan_totals(sim).makespan, digest);
    if (v.status != PN_OK)
        fail_msg("%s: %s at %llu of job %llu", policy->name, v.fault, (unsigned long long)v.time,
                 (unsigned long long)v.id);
    assert_true(makespan_log_digest(&log) == digest);
    check_damages(&log, &made.claim, digest, stream, policy->name);
    check_slots(&log, &made.claim, digest, stream);
    makespan_claim_free(&made);
    makespan_log_free(&log);
    free(sim);
}

static void logs_are_accepted_and_damaged_ones_are_not(void **unused)
{
    (void)unused;
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        pn_stream stream;
        pn_stream_init(&stream, shape, 0, 9);
        for (size_t o = 0; o < MAKESPAN_OPTIONS; o++) {
            makespan_batch batch = makespan_new(JOBS, 60 + shape + 7 * o, shapes[shape]);
            for (size_t i = 0; pn_makespan_policy_at(i); i++)
                if (makespan_decides(pn_makespan_policy_at(i), makespan_options[o].level))
                    check_policy(pn_makespan_policy_at(i), &batch, &makespan_options[o], &stream);
            makespan_free(&batch);
        }
    }
}

/* ---- misuse ---- */

static void misuse_is_refused(void **unused)
{
    pn_makespan_claim claim = pool_tasks.claim;
    size_t size = pn_makespan_verifier_size(&claim);
    unsigned char *block = workload_room(size + 8);
    pn_makespan_verifier *verifier = NULL;
    (void)unused;
    assert_int_equal(pn_makespan_verifier_init(NULL, block, size, &claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_verifier_init(&verifier, NULL, size, &claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_verifier_init(&verifier, block, size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_verifier_init(&verifier, block, size - 1, &claim), PN_ERR_SIZE);
    assert_int_equal(pn_makespan_verifier_init(&verifier, block + 1, size, &claim), PN_ERR_ALIGN);
    assert_null(verifier);
    assert_int_equal(pn_makespan_verifier_init(&verifier, block, size, &claim), PN_OK);
    assert_int_equal(pn_makespan_verifier_feed(NULL, &tasks.entry[0]), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_verifier_feed(verifier, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_makespan_verifier_end(NULL, 0, 0), PN_ERR_ARGUMENT);
    assert_int_equal(
        pn_makespan_verifier_feed(verifier, &(pn_makespan_decision){.struct_size = 1, .id = 1}),
        PN_ERR_ARGUMENT);
    assert_string_equal(pn_makespan_verifier_fault(verifier, NULL, NULL), "");
    free(block);
}

static void check_no_claim(const pn_makespan_claim *claim, int expected)
{
    static uint64_t room[4096];
    pn_makespan_verifier *verifier = NULL;
    assert_int_equal(pn_makespan_verifier_size(claim), 0);
    assert_int_equal(pn_makespan_verifier_init(&verifier, room, sizeof room, claim), expected);
    assert_null(verifier);
}

static void a_claim_has_its_ranges(void **unused)
{
    (void)unused;
    assert_int_equal(pn_makespan_verifier_size(NULL), 0);
#define WRONG(field, value)                         \
    do {                                            \
        pn_makespan_claim claim = pool_tasks.claim; \
        claim.field = value;                        \
        check_no_claim(&claim, PN_ERR_ARGUMENT);    \
    } while (0)
    WRONG(struct_size, 1);
    WRONG(jobs, &(pn_makespan_job){.struct_size = 1});
    WRONG(map_slots, 0);
    WRONG(map_slots, ((uint32_t)1 << 24) + 1);
    WRONG(reduce_slots, 0);
    WRONG(reduce_slots, UINT32_MAX);
    WRONG(base_map_slots, ((uint32_t)1 << 24) + 1);
    WRONG(base_reduce_slots, UINT32_MAX);
    WRONG(nodes, 3);
    WRONG(nodes, 4); /* divides but one of them */
    WRONG(nodes, UINT32_MAX);
    WRONG(level, 2);
    WRONG(stage_time, 0);
    WRONG(stage_time, 6);
    WRONG(share, 0);
    WRONG(share, 3);
    WRONG(cap, 0);
    WRONG(cap, 3);
    WRONG(resplit, ((uint32_t)1 << 16) + 1);
    WRONG(ticks, 0);
    WRONG(ticks, PN_MAKESPAN_MOST + 1);
    WRONG(jobs, NULL);
    WRONG(job_count, 1); /* not those of the pools */
    WRONG(job_count, SIZE_MAX / 4);
    WRONG(pool_count, 0);
    WRONG(pool_count, 1);
#undef WRONG
}

static void check_pools(const pn_makespan_pool *pools, size_t count, bool sized)
{
    uint64_t room[128];
    pn_makespan_claim claim = pool_tasks.claim;
    pn_makespan_verifier *verifier = NULL;
    claim.pools = pools;
    claim.pool_count = count;
    assert_int_equal(pn_makespan_verifier_size(&claim) > 0, sized);
    assert_int_equal(pn_makespan_verifier_init(&verifier, room, sizeof room, &claim),
                     PN_ERR_ARGUMENT);
}

static void pools_hold_every_job_once(void **unused)
{
    static const uint64_t ids[] = {2, 1, 2, 3, 0};
    (void)unused;
    check_pools((const pn_makespan_pool[]){{2, 1, ids}}, 1, false);
    check_pools((const pn_makespan_pool[]){{3, 2, ids}}, 1, false);
    check_pools((const pn_makespan_pool[]){{1, 1, ids}, {2, 1, ids + 1}}, 2, false);
    check_pools((const pn_makespan_pool[]){{1, 1, ids}, {1, 2, ids + 1}}, 2, false);
    check_pools((const pn_makespan_pool[]){{2, 2, ids}, {0, 0, NULL}}, 2, false);
    check_pools((const pn_makespan_pool[]){{1, 1, ids}, {1, 1, NULL}}, 2, false);
    check_pools((const pn_makespan_pool[]){{1, 1, ids}, {1, 1, ids + 3}}, 2, false);
    check_pools((const pn_makespan_pool[]){{1, 1, ids}, {1, 1, ids + 4}}, 2, false);
    const pn_makespan_pool idle[] = {{1, 2, ids}, {1, 0, NULL}};
    pn_makespan_claim claim = pool_tasks.claim;
    claim.pools = idle;
    assert_true(pn_makespan_verifier_size(&claim) > 0);
    /* twice the same */
    check_pools((const pn_makespan_pool[]){{1, 1, ids}, {1, 1, ids + 2}}, 2, true);
}

static void no_batch_is_no_claim(void **unused)
{
    const uint64_t most = PN_MAKESPAN_MOST;
    const struct {
        int expected;
        pn_makespan_job job;
    } cases[] = {
        {PN_ERR_ARGUMENT, {.stage = {{.stretch_count = 1}}}},
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 1}, {1, 0})}}}},
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 1}), .empty = 1}}}},
        {PN_ERR_ARGUMENT, {.stage = {{.empty = 2}, {LISTED({1, 1})}}}},
        {PN_ERR_ARGUMENT, {.stage = {{LISTED({1, 1}), .has_time = 2}}}},
        {PN_ERR_JOB, {.tag = 0}},
        {PN_ERR_JOB, {.stage = {{.has_time = 1, .time = 5, .empty = 1}}}},
        {PN_ERR_JOB, {.stage = {{LISTED({0, 5})}, {LISTED({0, 5})}}}},
        {PN_ERR_JOB, {.stage = {{.has_time = 1}, {.time = 5}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({most + 1, 1})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({most / 2, 1}, {most / 2, 2})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({most / 2, 3})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({1, UINT32_MAX}, {1, 1})}}}},
        {PN_ERR_OVERFLOW, {.stage = {{LISTED({1, 1}), .has_time = 1, .time = most + 1}}}},
        {PN_ERR_OVERFLOW, {.stage = {{.has_time = 1, .time = most / 2, .requested = 3}}}},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pn_makespan_claim claim = usual;
        claim.jobs = &cases[i].job;
        claim.job_count = 1;
        check_no_claim(&claim, cases[i].expected);
    }
    /* as many tasks as an index can name */
    pn_makespan_claim claim = stages.claim;
    claim.level = PN_MAKESPAN_TASKS;
    claim.map_slots = 1 << 20;
    claim.resplit = 4096;
    check_no_claim(&claim, PN_ERR_OVERFLOW);
    claim.resplit = 4095;
    assert_in_range(pn_makespan_verifier_size(&claim), (size_t)1 << 29, (size_t)1 << 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_by_hand_are_accepted),
        cmocka_unit_test(every_rule_has_its_word),
        cmocka_unit_test(every_change_of_a_log_is_found),
        cmocka_unit_test(the_end_and_the_digest_must_fit),
        cmocka_unit_test(slots_and_the_order_within_a_time_are_free),
        cmocka_unit_test(stages_last_as_long_as_the_rules_say),
        cmocka_unit_test(the_range_of_durations),
        cmocka_unit_test(any_task_of_a_long_list_is_found),
        cmocka_unit_test(logs_are_accepted_and_damaged_ones_are_not),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(a_claim_has_its_ranges),
        cmocka_unit_test(pools_hold_every_job_once),
        cmocka_unit_test(no_batch_is_no_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
