/* The checker of the tandem model's logs: it has a word for every rule, it accepts what every
 * policy does, and damaged logs it does not, even with the digest that goes with the damage. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "support/sweep.h"
#include "tandem/support/workload.h"

/* ---- logs by hand ---- */

#define RATES(t, i, p, q)                                                                     \
    {                                                                                         \
        .time = (t), .id = (i), .map_rate = (p), .shuffle_rate = (q), .kind = PN_TANDEM_RATES \
    }
#define FINISH(t, i)                                     \
    {                                                    \
        .time = (t), .id = (i), .kind = PN_TANDEM_FINISH \
    }

enum { ENTRIES = 8 };

typedef struct sample {
    pn_tandem_job job[3];
    size_t count;
} sample;

static const sample usual = {
    {{.arrival = 0, .map = 2, .shuffle = 2}, {.arrival = 1, .map = 1, .shuffle = 2}}, 2};
static const sample odd = {{{.arrival = 0, .shuffle = 1}, {.arrival = 1, .map = 1}, {.arrival = 3}},
                           3};
static const sample mixed = {
    {{.arrival = 0, .map = 2, .shuffle = 1}, {.arrival = 1, .map = 2, .shuffle = 4}}, 2};

enum kind { OVERLAP, KEEN, TRADITIONAL, KEEN_TRADITIONAL };

typedef struct example {
    const sample *jobs;
    enum kind kind; /* keen: it promises that no station idles */
    const char *fault;
    double time;
    uint64_t id;
    pn_tandem_decision entry[ENTRIES]; /* up to the first without a kind */
} example;

#define TOO_MUCH_MAPPED   "more is mapped than the job has"
#define TOO_MUCH_SHUFFLED "more is shuffled than the job's maps have generated"
#define MAP_FULL          "more map work at once than the station can do"
#define SHUFFLE_FULL      "more shuffle work at once than the station can do"
#define MAP_IDLES         "the map station idles while a job could use it"
#define MAP_IDLED         "the map station idles while the job waits for it"
#define SHUFFLE_IDLES     "the shuffle station idles while a job could use it"
#define SHUFFLE_IDLED     "the shuffle station idles while the job waits for it"
#define MAP_FIRST         "without overlap the shuffle follows the map"
#define TOO_SOON          "the job finishes before its work is done"
#define TOO_LATE          "the job finishes after its work is done"
#define NOT_HERE          "the job has not arrived"
#define NO_RATE           "a rate must be a number from 0 on"
#define NOTHING           "an entry that changes nothing"
#define BACK_IN_TIME      "entries must be in order of time"
#define NO_JOB            "no such job"
#define NO_KIND           "no such kind of entry"

#define IN_ORDER RATES(0, 1, 1, 1), FINISH(2, 1), RATES(2, 2, 1, 1), RATES(3, 2, 0, 1), FINISH(4, 2)
#define ONE_BY_ONE \
    RATES(0, 1, 1, 0), RATES(2, 1, 0, 1), RATES(2, 2, 1, 0), RATES(3, 2, 0, 0), FINISH(4, 1)
#define SHORTER(by) (1.0 - (by))

static const example examples[] = {
    {&usual, KEEN, NULL, 0, 0, {IN_ORDER}},
    {&usual, KEEN_TRADITIONAL, NULL, 0, 0, {ONE_BY_ONE, RATES(4, 2, 0, 1), FINISH(6, 2)}},
    {&odd,
     KEEN,
     NULL,
     0,
     0,
     {RATES(0, 1, 0, 1), FINISH(1, 1), RATES(1, 2, 1, 0), FINISH(2, 2), FINISH(3, 3)}},
    {&odd,
     KEEN_TRADITIONAL,
     NULL,
     0,
     0,
     {RATES(0, 1, 0, 1), FINISH(1, 1), RATES(1, 2, 1, 0), FINISH(2, 2), FINISH(3, 3)}},
    /* in any order within a time, and times within rounding */
    {&usual,
     KEEN,
     NULL,
     0,
     0,
     {RATES(0, 1, 1, 1), RATES(2, 2, 1, 1), FINISH(2, 1), RATES(3, 2, -0.0, 1), FINISH(4, 2)}},
    {&usual,
     OVERLAP,
     NULL,
     0,
     0,
     {RATES(0, 1, 0.5, 0.5), RATES(SHORTER(0x1p-42), 2, 0.5, 0.5), RATES(3, 2, 0, 0.5),
      FINISH(4, 1), RATES(4, 2, 0, 1), FINISH(4.5, 2)}},
    {&usual,
     KEEN,
     NULL,
     0,
     0,
     {RATES(0, 1, 1, 1), FINISH(2 + 0x1p-41, 1), RATES(2 + 0x1p-41, 2, 1, 1), RATES(3, 2, 0, 1),
      FINISH(4 - 0x1p-41, 2)}},
    /* who did not promise may idle */
    {&usual,
     OVERLAP,
     NULL,
     0,
     0,
     {RATES(1, 1, 0.5, 0.5), FINISH(5, 1), RATES(7, 2, 1, 0), RATES(8, 2, 0, 1), FINISH(10, 2)}},
    {&usual,
     TRADITIONAL,
     NULL,
     0,
     0,
     {RATES(1, 1, 1, 0), RATES(3, 1, 0, 1), FINISH(5, 1), RATES(5, 2, 1, 0), RATES(6, 2, 0, 1),
      FINISH(8, 2)}},

    {&usual, OVERLAP, MAP_FULL, 0, 1, {RATES(0, 1, 1.5, 1)}},
    {&usual, OVERLAP, MAP_FULL, 1, 0, {RATES(0, 1, 1, 1), RATES(1, 2, 0.5, 0), FINISH(2, 1)}},
    {&usual, OVERLAP, SHUFFLE_FULL, 0, 1, {RATES(0, 1, 1, 1.5)}},
    {&usual,
     OVERLAP,
     SHUFFLE_FULL,
     1,
     0,
     {RATES(0, 1, 0.5, 0.5), RATES(1, 2, 0.5, 1), FINISH(4, 1)}},
    {&usual, OVERLAP, TOO_MUCH_MAPPED, 3, 1, {RATES(0, 1, 1, 1), RATES(3, 1, 0, 1)}},
    {&odd, OVERLAP, TOO_MUCH_MAPPED, 0, 1, {RATES(0, 1, 0.5, 1)}},
    {&usual, OVERLAP, TOO_MUCH_SHUFFLED, 0, 1, {RATES(0, 1, 0.5, 1)}},
    {&usual, OVERLAP, TOO_MUCH_SHUFFLED, 0, 1, {RATES(0, 1, 0, 1)}},
    {&usual,
     OVERLAP,
     TOO_MUCH_SHUFFLED,
     3,
     1,
     {RATES(0, 1, 1, 0), RATES(1, 1, 0, 1), RATES(3, 1, 1, 1)}},
    {&odd, OVERLAP, TOO_MUCH_SHUFFLED, 1, 2, {RATES(0, 1, 0, 1), FINISH(1, 1), RATES(1, 2, 1, 1)}},
    {&odd, TRADITIONAL, TOO_MUCH_SHUFFLED, 2, 1, {RATES(0, 1, 0, 1), FINISH(2, 1)}},
    {&usual, TRADITIONAL, MAP_FIRST, 0, 1, {RATES(0, 1, 1, 1)}},
    {&usual, TRADITIONAL, MAP_FIRST, 1, 1, {RATES(0, 1, 1, 0), RATES(1, 1, 0, 1)}},
    {&usual,
     TRADITIONAL,
     MAP_FIRST,
     3,
     1,
     {RATES(0, 1, 1, 0), RATES(2, 1, 0, 1), RATES(3, 1, 1, 0)}},

    {&usual, OVERLAP, NOT_HERE, 0.5, 2, {RATES(0.5, 2, 1, 1)}},
    {&usual,
     OVERLAP,
     NOT_HERE,
     SHORTER(0x1p-38),
     2,
     {RATES(0, 1, 1, 1), RATES(SHORTER(0x1p-38), 2, 0, 1)}},
    {&odd, OVERLAP, NOT_HERE, 2, 3, {FINISH(2, 3)}},
    {&usual, OVERLAP, TOO_SOON, 1.5, 1, {RATES(0, 1, 1, 1), FINISH(1.5, 1)}},
    {&usual, OVERLAP, TOO_SOON, 2, 1, {RATES(0, 1, 1, 0.5), FINISH(2, 1)}},
    {&usual, TRADITIONAL, TOO_SOON, 2, 1, {RATES(0, 1, 1, 0), FINISH(2, 1)}},
    {&usual, OVERLAP, TOO_LATE, 3, 1, {RATES(0, 1, 1, 1), RATES(2, 1, 0, 0), FINISH(3, 1)}},
    {&odd,
     OVERLAP,
     TOO_LATE,
     4,
     3,
     {RATES(0, 1, 0, 1), FINISH(1, 1), RATES(1, 2, 1, 0), FINISH(2, 2), FINISH(4, 3)}},
    {&usual,
     OVERLAP,
     "the job finishes twice",
     2,
     1,
     {RATES(0, 1, 1, 1), FINISH(2, 1), FINISH(2, 1)}},
    {&usual,
     OVERLAP,
     "the job is served after its finish",
     3,
     1,
     {RATES(0, 1, 1, 1), FINISH(2, 1), RATES(3, 1, 1, 1)}},
    {&usual,
     OVERLAP,
     "the job is served after its finish",
     2,
     1,
     {RATES(0, 1, 1, 1), FINISH(2, 1), RATES(2, 1, 0, 0)}},
    {&usual,
     OVERLAP,
     "a finish has no rates",
     2,
     1,
     {RATES(0, 1, 1, 1), {.time = 2, .id = 1, .shuffle_rate = 1, .kind = PN_TANDEM_FINISH}}},
    {&usual, OVERLAP, NOTHING, 0, 1, {RATES(0, 1, 0, 0)}},
    {&usual, OVERLAP, NOTHING, 1, 1, {RATES(0, 1, 1, 1), RATES(1, 1, 1, 1)}},
    {&usual, OVERLAP, NO_RATE, 0, 1, {RATES(0, 1, -0.5, 0)}},
    {&usual, OVERLAP, NO_RATE, 0, 1, {RATES(0, 1, 1, INFINITY)}},
    {&usual, OVERLAP, NO_RATE, 0, 1, {RATES(0, 1, NAN, 0)}},
    {&usual, OVERLAP, MAP_FULL, 0, 1, {RATES(0, 1, DBL_MAX, 0)}},
    {&usual, OVERLAP, BACK_IN_TIME, 1, 1, {RATES(2, 1, 1, 1), RATES(1, 1, 0, 1)}},
    {&usual, OVERLAP, BACK_IN_TIME, -1, 1, {RATES(-1, 1, 1, 1)}},
    {&usual, OVERLAP, BACK_IN_TIME, DBL_MAX, 1, {RATES(DBL_MAX, 1, 1, 1)}},
    {&usual, OVERLAP, NO_JOB, 0, 0, {RATES(0, 0, 1, 1)}},
    {&usual, OVERLAP, NO_JOB, 0, 3, {RATES(0, 3, 1, 1)}},
    {&usual, OVERLAP, NO_KIND, 0, 1, {{.time = 0, .id = 1, .map_rate = 1, .kind = 3}}},

    {&usual, KEEN, MAP_IDLED, 0, 1, {RATES(0.5, 1, 1, 1)}},
    {&usual, KEEN, MAP_IDLED, 1, 1, {RATES(0, 1, 1, 1), RATES(1, 1, 0, 0), RATES(1.5, 1, 1, 1)}},
    {&usual, KEEN, MAP_IDLED, 2, 2, {RATES(0, 1, 1, 1), FINISH(2, 1), RATES(2.25, 2, 1, 1)}},
    {&usual, KEEN, MAP_IDLES, 0, 0, {RATES(0, 1, 0.5, 0.5), FINISH(4, 1)}},
    {&usual, KEEN, SHUFFLE_IDLES, 0, 0, {RATES(0, 1, 1, 0.5), FINISH(4, 1)}},
    {&odd, KEEN, SHUFFLE_IDLES, 0, 0, {RATES(0.5, 1, 0, 1)}},
    {&odd, KEEN_TRADITIONAL, SHUFFLE_IDLES, 0, 0, {RATES(0, 1, 0, 0.5), FINISH(2, 1)}},
    /* backlog built before that waits, or does not fall, while others are shuffled as they are
       mapped */
    {&mixed,
     KEEN,
     SHUFFLE_IDLES,
     2,
     0,
     {RATES(0, 1, 1, 0.5), RATES(1, 1, 0, 0), RATES(1, 2, 1, 1), RATES(2, 2, 0, 0),
      RATES(2, 1, 1, 0.5), FINISH(3, 1)}},
    {&mixed,
     KEEN,
     SHUFFLE_IDLES,
     2,
     0,
     {RATES(0, 1, 1, 0.5), RATES(1, 1, 0, 0), RATES(1, 2, 1, 1), RATES(2, 2, 0.25, 0.5),
      RATES(2, 1, 0.75, 0.375), FINISH(3, 1)}},
    {&usual,
     KEEN_TRADITIONAL,
     SHUFFLE_IDLED,
     2,
     1,
     {RATES(0, 1, 1, 0), RATES(2, 1, 0, 0), RATES(2, 2, 1, 0), RATES(3, 1, 0, 1)}},

    {&usual,
     KEEN_TRADITIONAL,
     SHUFFLE_IDLES,
     3,
     0,
     {RATES(0, 1, 1, 0), RATES(2, 1, 0, 1), RATES(2, 2, 1, 0), RATES(3, 1, 0, 0), RATES(3, 2, 0, 0),
      RATES(4, 1, 0, 1)}},

    {&usual, OVERLAP, "the job does not finish", 2, 2, {RATES(0, 1, 1, 1), FINISH(2, 1)}},
    {&odd, OVERLAP, "the job does not finish", 0, 1, {RATES(0, 1, 0, 1)}},
};

static pn_tandem_claim claim_of(const sample *jobs, enum kind kind)
{
    return (pn_tandem_claim){.speed = 1,
                             kind == TRADITIONAL || kind == KEEN_TRADITIONAL,
                             kind == KEEN || kind == KEEN_TRADITIONAL,
                             jobs->job,
                             jobs->count};
}

static void add_entries(tandem_log *log, const example *x)
{
    for (size_t i = 0; i < ENTRIES && x->entry[i].kind != 0; i++)
        tandem_log_add(log, &x->entry[i]);
}

static void check_examples(const example *x, size_t count)
{
    for (size_t i = 0; i < count; i++, x++) {
        pn_tandem_claim claim = claim_of(x->jobs, x->kind);
        tandem_log log = {NULL, 0, 0};
        add_entries(&log, x);
        tandem_verdict v = tandem_judge(&log, &claim, tandem_log_end(&log),
                                        tandem_log_digest(&log));
        if (strcmp(v.fault, x->fault ? x->fault : "") != 0 || v.time != x->time || v.id != x->id)
            fail_msg(
                "example %zu: \"%s\" at %.17g of job %llu instead of \"%s\" at %.17g of job %llu",
                i, v.fault, v.time, (unsigned long long)v.id, x->fault ? x->fault : "", x->time,
                (unsigned long long)x->id);
        if (!x->fault)
            assert_true(v.total == v.area); /* nothing is rounded here */
        tandem_log_free(&log);
    }
}

static void every_rule_has_its_word(void **unused)
{
    (void)unused;
    check_examples(examples, sizeof examples / sizeof examples[0]);
}

/* ---- what is seen at the end only ---- */

static void check_end(const pn_tandem_claim *claim, const tandem_log *log, double end,
                      uint64_t digest, const char *fault)
{
    tandem_verdict v = tandem_judge(log, claim, end, digest);
    assert_string_equal(v.fault, fault);
    assert_true(v.id == 0 && tandem_bits(v.time) == (*fault == '\0' ? 0 : tandem_bits(end)));
}

static void the_end_and_the_digest_must_fit(void **unused)
{
    pn_tandem_claim claim = claim_of(&usual, KEEN);
    tandem_log log = {NULL, 0, 0};
    (void)unused;
    add_entries(&log, &examples[0]);
    uint64_t digest = tandem_log_digest(&log);
    check_end(&claim, &log, 4, digest, "");
    check_end(&claim, &log, 4 + 0x1p-50, digest, "the end is not the last finish");
    check_end(&claim, &log, 2, digest, "the end is not the last finish");
    check_end(&claim, &log, NAN, digest, "the end is not the last finish");
    for (int bit = 0; bit < 64; bit++)
        check_end(&claim, &log, 4, digest ^ (uint64_t)1 << bit,
                  "the digest does not match the entries");
    tandem_verdict v = tandem_judge(&log, &claim, 4, digest);
    assert_true(v.total == 5 && v.area == 5);

    claim.job_count = 0;
    log.count = 0;
    check_end(&claim, &log, 0, 0, "");
    check_end(&claim, &log, 0, 1, "the digest does not match the entries");
    tandem_log_free(&log);
}

/* The workload changes under the checker: a job counts from another time than the one that it
 * arrived at. */
static void the_area_is_the_sum_of_response_times(void **unused)
{
    sample jobs = usual;
    pn_tandem_claim claim = claim_of(&jobs, KEEN);
    size_t size = pn_tandem_verifier_size(&claim);
    void *block = workload_room(size);
    tandem_log log = {NULL, 0, 0};
    pn_tandem_verifier *verifier;
    double time, area;
    (void)unused;
    add_entries(&log, &examples[0]);
    for (int changed = 0; changed <= 1; changed++) {
        assert_int_equal(pn_tandem_verifier_init(&verifier, block, size, &claim), PN_OK);
        for (size_t i = 0; i < log.count; i++) {
            assert_int_equal(pn_tandem_verifier_feed(verifier, &log.entry[i]), PN_OK);
            if (changed && log.entry[i].time == 2)
                jobs.job[1].arrival = 1.25;
        }
        assert_int_equal(pn_tandem_verifier_end(verifier, 4, tandem_log_digest(&log)),
                         changed ? PN_ERR_REJECTED : PN_OK);
        assert_string_equal(
            pn_tandem_verifier_fault(verifier, &time, NULL),
            changed ? "the area under the number of jobs is not the sum of response times" : "");
        assert_true(pn_tandem_verifier_total(verifier, &area) == (changed ? 4.75 : 5) && area == 5);
    }
    tandem_log_free(&log);
    free(block);
}

/* ---- rounding ---- */

/* At 2^30 the slack is 2^-10: jobs of 2^-20 fit into it, and amounts tell nothing. What has to be
 * exact must still be so. */
static void what_fits_into_the_slack_is_still_watched(void **unused)
{
    const double start = 0x1p30, size = 0x1p-20, step = 0x1p-8;
    const sample tiny = {
        {{.arrival = start, .map = size, .shuffle = size}, {.arrival = start + step, .map = size}},
        2};
    const example cases[] = {
        {&tiny,
         KEEN,
         NULL,
         0,
         0,
         {RATES(start, 1, 1, 1), FINISH(start + size, 1), RATES(start + step, 2, 1, 0),
          FINISH(start + step + size, 2)}},
        {&tiny, KEEN, MAP_IDLED, start, 1, {RATES(start + step, 1, 1, 1)}},
        {&tiny, KEEN, MAP_IDLES, start, 0, {RATES(start, 1, 0.5, 0.5), FINISH(start + step, 1)}},
        {&tiny, KEEN, SHUFFLE_IDLES, start, 0, {RATES(start, 1, 1, 0.5), FINISH(start + step, 1)}},
        {&tiny,
         KEEN,
         SHUFFLE_IDLED,
         start + size,
         1,
         {RATES(start, 1, 1, 1), RATES(start + size, 1, 0, 0), RATES(start + step, 1, 0, 1)}},
        {&tiny, OVERLAP, MAP_FULL, start, 1, {RATES(start, 1, 1 + 0x1p-30, 1)}},
        {&tiny, OVERLAP, TOO_MUCH_SHUFFLED, start, 1, {RATES(start, 1, 0.5, 0.5 + 0x1p-30)}},
        {&tiny, OVERLAP, TOO_MUCH_SHUFFLED, start + step, 2, {RATES(start + step, 2, 1, 1)}},
        {&tiny,
         OVERLAP,
         TOO_MUCH_MAPPED,
         start + step,
         1,
         {RATES(start, 1, 1, 1), FINISH(start + step, 1)}},
        {&tiny,
         OVERLAP,
         TOO_LATE,
         start + step,
         1,
         {RATES(start, 1, 1, 1), RATES(start + size, 1, 0, 0), FINISH(start + step, 1)}},
        {&tiny, OVERLAP, NOT_HERE, start, 2, {RATES(start, 2, 1, 0)}},
    };
    (void)unused;
    check_examples(cases, sizeof cases / sizeof cases[0]);
}

/* Zeros count as zeros in the digest, whatever their sign. */
static void minus_zero_is_zero(void **unused)
{
    pn_tandem_claim claim = claim_of(&usual, TRADITIONAL);
    tandem_log log = {NULL, 0, 0};
    (void)unused;
    add_entries(&log, &(example){.entry = {ONE_BY_ONE, RATES(4, 2, 0, 1), FINISH(6, 2)}});
    uint64_t digest = tandem_log_digest(&log);
    log.entry[0].time = log.entry[0].shuffle_rate = log.entry[3].map_rate = log.entry[4].map_rate =
        -0.0;
    assert_string_equal(tandem_judge(&log, &claim, 6, digest).fault, "");
    tandem_log_free(&log);
}

/* ---- logs of all policies, and damaged ones ---- */

enum { JOBS = 40, DAMAGES = 36 };

static const tandem_shape shapes[] = {
    {.rate = 0.7, .map = 1, .shuffle = 1},
    {.rate = 0.6, .map = 0.5, .shuffle = 1.5, .odd = 1, .estimates = 1},
    {.rate = 0.6, .map = 1.5, .shuffle = 1, .grain = 2, .odd = 1}, /* many ties */
};

static bool promises(const pn_tandem_policy *policy)
{
    return policy->work_conserving != PN_TANDEM_NO_PROMISE;
}

static uint64_t write_log(tandem_log *log, const tandem_workload *work,
                          const pn_tandem_policy *policy, const pn_tandem_config *config,
                          pn_tandem_totals *totals)
{
    pn_tandem_hooks hooks = {.policy = policy, NULL, tandem_log_finish, tandem_log_decision, log};
    log->count = 0;
    return tandem_digest(work, config, &hooks, totals);
}

/* Stable, so that entries of one time stay in their order. */
static void sort_by_time(tandem_log *log)
{
    for (size_t i = 1; i < log->count; i++) {
        pn_tandem_decision moved = log->entry[i];
        size_t k = i;
        for (; k > 0 && log->entry[k - 1].time > moved.time; k--)
            log->entry[k] = log->entry[k - 1];
        log->entry[k] = moved;
    }
}

enum damage {
    LATER,
    SOONER,
    OTHER_ID,
    OTHER_KIND,
    MAP_RATE,
    SHUFFLE_RATE,
    DROPPED,
    DUPLICATED,
    ADDED_FINISH,
    DAMAGE_KINDS
};

static const char *const damage_names[] = {"later",   "sooner",     "id",
                                           "kind",    "map rate",   "shuffle rate",
                                           "dropped", "duplicated", "finish added"};

static void damage(tandem_log *log, pn_stream *stream, enum damage kind, size_t at)
{
    pn_tandem_decision *e = &log->entry[at];
    double some = 0.01 + pn_uniform01(stream);
    pn_tandem_decision added = {
        .time = e->time, .id = pn_uniform(stream, 1, JOBS), .kind = PN_TANDEM_FINISH};
    switch (kind) {
    case LATER:
        e->time += some;
        break;
    case SOONER:
        e->time -= some;
        break;
    case OTHER_ID:
        e->id = workload_other(stream, e->id, 0, JOBS + 1);
        break;
    case OTHER_KIND:
        e->kind = (uint32_t)workload_other(stream, e->kind, 0, PN_TANDEM_FINISH + 1);
        break;
    case MAP_RATE:
        e->map_rate = some < 0.5 && e->map_rate > 0
                          ? 0
                          : e->map_rate + (some < 0.8 ? 1 : -1) * some / 64;
        break;
    case SHUFFLE_RATE:
        e->shuffle_rate = some < 0.5 && e->shuffle_rate > 0
                              ? 0
                              : e->shuffle_rate + (some < 0.8 ? 1 : -1) * some / 64;
        break;
    case DROPPED:
        memmove(e, e + 1, (--log->count - at) * sizeof *e);
        break;
    case DUPLICATED:
        added = *e;
        tandem_log_add(log, &added);
        break;
    default:
        tandem_log_add(log, &added);
        break;
    }
    sort_by_time(log);
}

/* Shares may add up to all of a station but for rounding: an entry that changes rates by no more
 * says nothing. */
static bool says_something(const tandem_log *log, size_t at)
{
    const pn_tandem_decision *e = &log->entry[at];
    pn_tandem_decision before = {.map_rate = 0, .shuffle_rate = 0};
    for (size_t i = 0; i < at; i++)
        if (log->entry[i].id == e->id)
            before = log->entry[i];
    return e->kind == PN_TANDEM_FINISH || fabs(e->map_rate - before.map_rate) > 0x1p-40 ||
           fabs(e->shuffle_rate - before.shuffle_rate) > 0x1p-40;
}

static void check_damages(const tandem_log *log, const pn_tandem_claim *claim, uint64_t digest,
                          pn_stream *stream, const char *name)
{
    tandem_log damaged = {NULL, 0, 0};
    for (int i = 0; i < DAMAGES; i++) {
        enum damage kind = (enum damage)(i % DAMAGE_KINDS);
        size_t at = pn_uniform(stream, 0, log->count - 1);
        if (!says_something(log, at))
            continue;
        damaged.count = 0;
        for (size_t k = 0; k < log->count; k++)
            tandem_log_add(&damaged, &log->entry[k]);
        damage(&damaged, stream, kind, at);
        tandem_verdict as_it_was = tandem_judge(&damaged, claim, tandem_log_end(log), digest);
        tandem_verdict made_to_fit = tandem_judge(&damaged, claim, tandem_log_end(&damaged),
                                                  tandem_log_digest(&damaged));
        if (as_it_was.status == PN_ERR_REJECTED && made_to_fit.status == PN_ERR_REJECTED)
            continue;
        fail_msg("%s: damage %d (%s of entry %zu) was not seen%s", name, i, damage_names[kind], at,
                 as_it_was.status == PN_OK ? "" : " by structure alone");
    }
    tandem_log_free(&damaged);
}

/* `stream`: of the damages; null = none. */
static void check_policy(const pn_tandem_policy *policy, const tandem_workload *work,
                         const pn_tandem_config *config, pn_stream *stream)
{
    pn_tandem_claim claim = {
        .speed = config->speed, config->traditional, promises(policy), work->jobs, work->count};
    tandem_log log = {NULL, 0, 0};
    pn_tandem_totals totals;
    uint64_t digest = write_log(&log, work, policy, config, &totals);
    tandem_verdict v = tandem_judge(&log, &claim, tandem_log_end(&log), digest);
    if (v.status != PN_OK)
        fail_msg("%s: %s at %.17g of job %llu", policy->name, v.fault, v.time,
                 (unsigned long long)v.id);
    assert_true(tandem_log_digest(&log) == digest);
    assert_true(totals.last_finish == tandem_log_end(&log));
    /* times are rounded, and taken together (TA21) */
    double rounding = 1e-12 * v.total + JOBS * 0x1p-45 * totals.last_finish;
    assert_true(fabs(v.total - totals.total_response_time) <= rounding);
    assert_true(fabs(v.area - totals.mean_in_system *
                                  (totals.last_finish - totals.first_arrival)) <= rounding);
    if (stream)
        check_damages(&log, &claim, digest, stream, policy->name);
    tandem_log_free(&log);
}

static void logs_are_accepted_and_damaged_ones_are_not(void **unused)
{
    (void)unused;
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        pn_stream stream;
        tandem_workload work = tandem_new(JOBS, 60 + shape, shapes[shape]);
        pn_stream_init(&stream, shape, 0, 9);
        for (uint32_t traditional = 0; traditional <= 1; traditional++) {
            pn_tandem_config config = tandem_config(&work, traditional);
            config.estimates = shapes[shape].estimates;
            config.speed = shape == 1 ? 1.25 : 1;
            for (size_t i = 0; pn_tandem_policy_at(i); i++)
                check_policy(pn_tandem_policy_at(i), &work, &config, &stream);
        }
        tandem_free(&work);
    }
}

/* ---- one change of every kind ---- */

/* A log that goes with a claim. */
typedef struct story {
    tandem_log log, kept; /* changed, and as it was */
    pn_tandem_claim claim;
    uint64_t digest;
    double end;
} story;

static const sweep_field entry_fields[] = {
    SWEEP_REALS(pn_tandem_decision, time), SWEEP(pn_tandem_decision, id),
    SWEEP_REALS(pn_tandem_decision, map_rate), SWEEP_REALS(pn_tandem_decision, shuffle_rate),
    SWEEP(pn_tandem_decision, kind)};

/* Returns whether it is no more than rounding. */
static bool is_rounding(const story *it, const sweep_change *change)
{
    if (!says_something(&it->kept, change->at))
        return true;
    if (!change->field || change->field->kind != SWEEP_REAL)
        return false;
    double now = sweep_get(&it->log.entry[change->at], change->field).real,
           before = sweep_get(&it->kept.entry[change->at], change->field).real;
    return fabs(now - before) <= 0x1p-38;
}

/* Any change is seen by the digest, and without it in what the log says, unless it is as small as
 * rounding. Entries of one time may have another order, which the digest does not show either. */
static void judge_entry(void *user, const sweep_change *change)
{
    story *it = user;
    uint64_t fits = tandem_log_digest(&it->log);
    if (fits == it->digest || is_rounding(it, change))
        return;
    if (tandem_judge(&it->log, &it->claim, it->end, it->digest).status == PN_OK)
        fail_msg("%s: not seen by the digest", change->text);
    if (tandem_judge(&it->log, &it->claim, tandem_log_end(&it->log), fits).status == PN_OK)
        fail_msg("%s: not seen in what the log says", change->text);
}

static tandem_verdict judge_stopped(const story *it, size_t count, double until)
{
    pn_tandem_verifier *verifier;
    size_t size = pn_tandem_verifier_size(&it->claim);
    void *block = workload_room(size);
    tandem_log log = it->log;
    tandem_verdict v = {.status = pn_tandem_verifier_init(&verifier, block, size, &it->claim)};
    log.count = count;
    for (size_t i = 0; i < count && v.status == PN_OK; i++)
        v.status = pn_tandem_verifier_feed(verifier, &log.entry[i]);
    if (v.status == PN_OK)
        v.status = pn_tandem_verifier_stop(verifier, until);
    if (v.status == PN_OK)
        v.status = pn_tandem_verifier_end(verifier, tandem_log_end(&log), tandem_log_digest(&log));
    v.fault = pn_tandem_verifier_fault(verifier, &v.time, &v.id);
    if (v.status != PN_OK)
        assert_int_equal(pn_tandem_verifier_stop(verifier, until), PN_ERR_REJECTED);
    free(block);
    return v;
}

/* Whenever a run is stopped, its log up to then is right; and not without its last entry, where no
 * station may idle, or if it is a finish. */
static void check_stops(const story *it)
{
    for (size_t at = 0; at < it->log.count; at++) {
        double until = it->log.entry[at].time, before = at == 0 ? 0 : it->log.entry[at - 1].time;
        if (until == before)
            continue;
        assert_string_equal(judge_stopped(it, at, until).fault, "");
        assert_string_equal(judge_stopped(it, at, (before + until) / 2).fault, "");
        assert_string_equal(judge_stopped(it, at, before).fault,
                            "the run continues after it was stopped");
        if (at > 0 && it->log.entry[at - 1].kind == PN_TANDEM_FINISH)
            assert_int_equal(judge_stopped(it, at - 1, until).status, PN_ERR_REJECTED);
    }
    const double wrong[] = {0, -1, NAN, INFINITY, 0x1p513};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_string_equal(judge_stopped(it, 0, wrong[i]).fault,
                            "the run continues after it was stopped");
}

/* Who has work left when a run is stopped, or is served up to then, need not finish. */
static void done_jobs_finish_in_stopped_runs_too(void **unused)
{
    static const struct {
        example log;
        double until;
    } cases[] = {
        {{&usual, OVERLAP, NULL, 0, 0, {RATES(0, 1, 1, 1)}}, 2},
        {{&odd, OVERLAP, NULL, 0, 0, {RATES(0, 1, 0, 1)}}, 1},
        {{&odd, OVERLAP, NULL, 0, 0, {RATES(0, 1, 0, 1), FINISH(1, 1), RATES(1, 2, 1, 0)}}, 2},
        {{&odd,
          OVERLAP,
          NULL,
          0,
          0,
          {RATES(0, 1, 0, 1), FINISH(1, 1), RATES(1, 2, 0.5, 0), RATES(2, 2, 0, 0)}},
         3},
        {{&usual, TRADITIONAL, NULL, 0, 0, {RATES(0, 1, 1, 0), RATES(2, 1, 0, 0)}}, 3},
        {{&usual, OVERLAP, "the job does not finish", 3, 1, {RATES(0, 1, 1, 1), RATES(2, 1, 0, 0)}},
         3},
        {{&odd, OVERLAP, "the job does not finish", 4, 3, {RATES(0, 1, 0, 1), FINISH(1, 1)}}, 4},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const example *x = &cases[i].log;
        story it = {.claim = claim_of(x->jobs, x->kind)};
        add_entries(&it.log, x);
        tandem_verdict v = judge_stopped(&it, it.log.count, cases[i].until);
        assert_string_equal(v.fault, x->fault ? x->fault : "");
        assert_true(!x->fault || (v.time == x->time && v.id == x->id));
        tandem_log_free(&it.log);
    }
}

static void every_change_of_a_log_is_found(void **unused)
{
    (void)unused;
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        tandem_workload work = tandem_new(8, 70 + shape, shapes[shape]);
        for (uint32_t traditional = 0; traditional <= 1; traditional++) {
            pn_tandem_config config = tandem_config(&work, traditional);
            config.estimates = shapes[shape].estimates;
            for (size_t i = 0; pn_tandem_policy_at(i); i++) {
                const pn_tandem_policy *policy = pn_tandem_policy_at(i);
                story it = {.claim = {.speed = config.speed,
                                      .traditional = traditional,
                                      .work_conserving = promises(policy),
                                      .jobs = work.jobs,
                                      .job_count = work.count}};
                pn_tandem_totals totals;
                it.digest = write_log(&it.log, &work, policy, &config, &totals);
                it.end = tandem_log_end(&it.log);
                for (size_t k = 0; k < it.log.count; k++)
                    tandem_log_add(&it.kept, &it.log.entry[k]);
                tandem_log_add(&it.log, &it.log.entry[0]); /* room for one more */
                it.log.count--;
                sweep_entries(
                    &(sweep_log){it.log.entry, &it.log.count, sizeof it.log.entry[0], entry_fields,
                                 sizeof entry_fields / sizeof entry_fields[0], judge_entry, &it});
                check_stops(&it);
                tandem_log_free(&it.log);
                tandem_log_free(&it.kept);
            }
        }
        tandem_free(&work);
    }
}

/* Sizes of all orders of magnitude, so that an ulp of one job is a whole other job; and the same
 * far from the start. */
static void unlike_jobs_and_late_ones_are_accepted(void **unused)
{
    static const double starts[] = {0, 1.7e9, 0x1p60};
    (void)unused;
    for (uint64_t seed = 64; seed < 70; seed++)
        for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
            pn_stream stream;
            tandem_workload work = tandem_new(JOBS, seed, shapes[0]);
            pn_stream_init(&stream, seed, 0, 9);
            for (size_t i = 0; i < work.count; i++) {
                work.jobs[i].arrival = starts[k] + 100 * work.jobs[i].arrival;
                work.jobs[i].map = pn_pow(2, 40 * pn_uniform01(&stream) - 20);
                work.jobs[i].shuffle = pn_pow(2, 40 * pn_uniform01(&stream) - 20);
            }
            for (uint32_t traditional = 0; traditional <= 1; traditional++) {
                pn_tandem_config config = tandem_config(&work, traditional);
                for (size_t i = 0; pn_tandem_policy_at(i); i++)
                    check_policy(pn_tandem_policy_at(i), &work, &config, NULL);
            }
            tandem_free(&work);
        }
}

/* ---- misuse ---- */

static void misuse_is_refused(void **unused)
{
    pn_tandem_claim claim = claim_of(&usual, KEEN);
    size_t size = pn_tandem_verifier_size(&claim);
    unsigned char *block = workload_room(size + 8);
    pn_tandem_verifier *verifier = NULL;
    (void)unused;
    assert_int_equal(pn_tandem_verifier_size(NULL), 0);
    const double speeds[] = {0, -1, 0x1p-65, 0x1p65, INFINITY, NAN};
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        claim.speed = speeds[i];
        assert_int_equal(pn_tandem_verifier_size(&claim), 0);
        assert_int_equal(pn_tandem_verifier_init(&verifier, block, size, &claim), PN_ERR_ARGUMENT);
    }
    assert_int_equal(pn_tandem_verifier_size(&(pn_tandem_claim){.speed = 1, 2, 0, usual.job, 2}),
                     0);
    assert_int_equal(pn_tandem_verifier_size(&(pn_tandem_claim){.speed = 1, 0, 2, usual.job, 2}),
                     0);
    assert_int_equal(pn_tandem_verifier_size(&(pn_tandem_claim){.speed = 1, 0, 0, NULL, 2}), 0);
    assert_int_equal(
        pn_tandem_verifier_size(&(pn_tandem_claim){.speed = 1, 0, 0, usual.job, SIZE_MAX / 4}), 0);
    assert_int_equal(pn_tandem_verifier_size(&(pn_tandem_claim){
                         .speed = 1, 0, 0, usual.job, SIZE_MAX / sizeof(double)}),
                     0);
    assert_int_equal(
        pn_tandem_verifier_init(&verifier, block, size,
                                &(pn_tandem_claim){.speed = 1, 0, 0, usual.job, SIZE_MAX / 4}),
        PN_ERR_CONFIG);
    assert_int_equal(pn_tandem_verifier_size(&(pn_tandem_claim){.struct_size = 1, .speed = 1}), 0);
    assert_int_equal(
        pn_tandem_verifier_size(&(pn_tandem_claim){
            .speed = 1, .jobs = &(pn_tandem_job){.struct_size = 1, .map = 1}, .job_count = 1}),
        0);
    claim.speed = 1;
    assert_int_equal(pn_tandem_verifier_init(NULL, block, size, &claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_verifier_init(&verifier, NULL, size, &claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_verifier_init(&verifier, block, size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_verifier_init(&verifier, block, size - 1, &claim), PN_ERR_SIZE);
    assert_int_equal(pn_tandem_verifier_init(&verifier, block + 1, size, &claim), PN_ERR_ALIGN);
    assert_null(verifier);
    assert_int_equal(pn_tandem_verifier_init(&verifier, block, size, &claim), PN_OK);
    assert_int_equal(pn_tandem_verifier_feed(NULL, &examples[0].entry[0]), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_verifier_feed(verifier, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_verifier_stop(NULL, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_verifier_end(NULL, 0, 0), PN_ERR_ARGUMENT);
    assert_int_equal(
        pn_tandem_verifier_feed(verifier, &(pn_tandem_decision){.struct_size = 1, .id = 1}),
        PN_ERR_ARGUMENT);
    assert_string_equal(pn_tandem_verifier_fault(verifier, NULL, NULL), "");
    assert_true(pn_tandem_verifier_total(verifier, NULL) == 0);
    free(block);
}

/* Times and sizes that submit would refuse. */
static void no_workload_is_no_claim(void **unused)
{
    const double wrong[] = {-1, -0x1p-256, NAN, INFINITY, 1e300, 0x1p257, 0x1p-257, 5e-324};
    const double right[] = {0, -0.0, 0x1p-256, 1, 0x1p256};
    uint64_t room[128];
    pn_tandem_verifier *verifier = NULL;
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        for (int field = 0; field < 3; field++) {
            pn_tandem_job job = {.arrival = field == 0 ? wrong[i] : 0,
                                 .map = field == 1 ? wrong[i] : 0};
            job.shuffle = field == 2 ? wrong[i] : 1;
            pn_tandem_claim claim = {.speed = 1, 0, 0, &job, 1};
            assert_int_equal(pn_tandem_verifier_init(&verifier, room, sizeof room, &claim),
                             PN_ERR_JOB);
        }
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        pn_tandem_job job = {.arrival = right[i], .map = right[i], .shuffle = right[i]};
        pn_tandem_claim claim = {.speed = 1, 0, 0, &job, 1};
        assert_int_equal(pn_tandem_verifier_init(&verifier, room, sizeof room, &claim), PN_OK);
    }
    pn_tandem_job falling[] = {{.arrival = 1, .map = 1}, {.arrival = 0.5, .map = 1}};
    pn_tandem_claim claim = {.speed = 1, 0, 0, falling, 2};
    assert_int_equal(pn_tandem_verifier_init(&verifier, room, sizeof room, &claim), PN_ERR_ORDER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_has_its_word),
        cmocka_unit_test(the_end_and_the_digest_must_fit),
        cmocka_unit_test(the_area_is_the_sum_of_response_times),
        cmocka_unit_test(what_fits_into_the_slack_is_still_watched),
        cmocka_unit_test(minus_zero_is_zero),
        cmocka_unit_test(logs_are_accepted_and_damaged_ones_are_not),
        cmocka_unit_test(every_change_of_a_log_is_found),
        cmocka_unit_test(done_jobs_finish_in_stopped_runs_too),
        cmocka_unit_test(unlike_jobs_and_late_ones_are_accepted),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(no_workload_is_no_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
