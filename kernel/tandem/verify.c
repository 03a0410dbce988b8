/* The checker. It shares no code with the engine: it sums up, job by job, what the rates of a log
 * amount to and holds every entry against the workload. A job costs something when its rates change
 * only; what concerns a station is judged when the log reaches a later time, so that entries of
 * one time may have any order.
 *
 * Tolerance. A log's times are rounded: at 10^9 units of time one ulp is 1.2e-7, and so much work
 * may seem too much or too little each time that a job's rates change. Amounts are therefore
 * compared with a slack of 2^-40 of the job's size and of what a station does in 2^-40 of the time
 * since the start; what a map under way has generated is known within that slack of its map work.
 * It is room for 2^13 roundings of half an ulp, all to the same side, or for 2^7 events that the
 * engine took together because they were 64 ulp apart; sums made here are compensated and add
 * nothing to them. Times (arrivals, how long a station idles) are compared within 2^-40 of the
 * time.
 *
 * The slack hides no rule broken for long, but work that fits into it is not weighed: at time 10^9
 * and speed 1, amounts below 0.0009. For such jobs too it stays exact that rates keep to the
 * capacities and to where there is work at all, that a job is served up to its finish and never
 * after it, and that no station idles while a job waits that it serves later. */
#include "pn_tandem.h"

#include "base/arena.h"
#include "base/config.h"

#define SLACK  0x1p-40
#define LATEST 0x1p512 /* of times; products with sizes and speeds stay ordinary numbers */

/* A sum of many numbers as exact as two doubles make it (Neumaier). */
typedef struct total {
    double sum, rest;
} total;

/* What the log has told of one job. */
typedef struct tandem_logged {
    total mapped, shuffled; /* work until `since` */
    double since;
    double map_rate, shuffle_rate; /* from then on */
    uint64_t arrived_in;           /* number of the instant of its arrival */
    uint64_t unserved_from;        /* number of the instant since which it is not served at all */
    size_t place;                  /* in the list of those served */
    uint8_t begun;                 /* mapped before */
    uint8_t shuffling;             /* shuffled before */
    uint8_t backlogged;            /* not served though it has backlog, for certain */
    uint8_t finished;
} tandem_logged;

struct pn_tandem_verifier {
    pn_tandem_claim claim;
    tandem_logged *job;
    size_t *served; /* jobs with a rate, in no order */
    size_t served_count;
    size_t arrived, finished, backlogged;
    double time;      /* of the instant at hand */
    uint64_t instant; /* its number, from 1; arrivals make one as entries do */
    uint64_t entries; /* in it */
    uint64_t fold, digest;
    double map_sum, shuffle_sum; /* of all rates, when last an entry changed one */
    /* number of the last instant after which the station was not fully used */
    uint64_t map_idled, shuffle_idled;
    double map_idled_at, shuffle_idled_at; /* its time */
    /* some job that is served could use more of the shuffle station */
    bool shuffle_short;
    total area, response_times; /* of unfinished jobs too, up to where the run was stopped */
    double last_finish;
    bool stopped; /* the log says that the run was stopped */
    const char *fault;
    double fault_time;
    uint64_t fault_id;
};

/* ---- the claim ---- */

static bool in_range(double value)
{
    return value == 0 || (value >= PN_TANDEM_LEAST && value <= PN_TANDEM_MOST);
}

PN_CLAIMED(tandem, attributes)

static bool tandem_claim_valid(const pn_tandem_claim *claim)
{
    return claim && PN_GIVEN(claim, pn_tandem_claim, job_count) && claim->speed >= 0x1p-64 &&
           claim->speed <= 0x1p64 && claim->traditional <= 1 && claim->work_conserving <= 1 &&
           (claim->job_count == 0 ||
            (claim->jobs && PN_GIVEN(claim->jobs, pn_tandem_job, attributes)));
}

/* Checks the jobs: what submit would refuse is no workload to hold a log against. */
static int tandem_check_jobs(const pn_tandem_claim *claim)
{
    for (size_t i = 0; i < claim->job_count; i++) {
        const pn_tandem_job *job = pn_tandem_claimed(claim, i);
        if (!in_range(job->arrival) || !in_range(job->map) || !in_range(job->shuffle))
            return PN_ERR_JOB;
        if (i > 0 && job->arrival < pn_tandem_claimed(claim, i - 1)->arrival)
            return PN_ERR_ORDER;
    }
    return PN_OK;
}

static size_t tandem_verify_carve(const pn_tandem_claim *claim, pn_tandem_verifier *v)
{
    pn_arena arena = {0, false};
    pn_arena_take(&arena, 1, sizeof(pn_tandem_verifier));
    size_t job = pn_arena_take(&arena, claim->job_count, sizeof(tandem_logged));
    size_t served = pn_arena_take(&arena, claim->job_count, sizeof(size_t));
    if (v) {
        v->job = pn_at(v, job);
        v->served = pn_at(v, served);
    }
    return pn_arena_size(&arena, 0);
}

size_t pn_tandem_verifier_size(const pn_tandem_claim *claim)
{
    return tandem_claim_valid(claim) ? tandem_verify_carve(claim, NULL) : 0;
}

static int tandem_reject(pn_tandem_verifier *v, const char *fault, double time, uint64_t id)
{
    v->fault = fault;
    v->fault_time = time;
    v->fault_id = id;
    return PN_ERR_REJECTED;
}

/* ---- amounts ---- */

static double tandem_magnitude(double value)
{
    return value < 0 ? -value : value;
}

static void tandem_add(total *t, double value)
{
    double sum = t->sum + value;
    t->rest += tandem_magnitude(t->sum) >= tandem_magnitude(value) ? (t->sum - sum) + value
                                                                   : (value - sum) + t->sum;
    t->sum = sum;
}

static double value_of(const total *t)
{
    return t->sum + t->rest;
}

static double slack(const pn_tandem_verifier *v, double size, double time)
{
    return SLACK * size + v->claim.speed * (SLACK * time);
}

static double at_most(double value, double most)
{
    return value < most ? value : most;
}

static double generation_rate(const pn_tandem_verifier *v, const pn_tandem_job *job,
                              double map_rate)
{
    return map_rate == 0 || job->map == 0 || v->claim.traditional
               ? 0
               : map_rate * (job->shuffle / job->map);
}

/* Returns the most shuffle work that so much mapped can have generated, given that it is known
 * within the slack. */
static double generated_at_most(const pn_tandem_verifier *v, const pn_tandem_job *job,
                                double mapped, double time)
{
    double most = mapped + slack(v, job->map, time);
    if (v->claim.traditional)
        return most >= job->map ? job->shuffle : 0;
    return most >= job->map ? job->shuffle : job->shuffle * (most / job->map);
}

/* Returns whether the job has backlog, beyond doubt. Without overlap amounts cannot tell for
 * certain that a map is done. */
static bool backlog_certain(const pn_tandem_verifier *v, size_t index, double time)
{
    const pn_tandem_job *job = pn_tandem_claimed(&v->claim, index);
    const tandem_logged *t = &v->job[index];
    double mapped = value_of(&t->mapped) + t->map_rate * (time - t->since);
    double shuffled = value_of(&t->shuffled) + t->shuffle_rate * (time - t->since);
    double least = mapped - slack(v, job->map, time);
    double fraction = job->map == 0          ? 1
                      : v->claim.traditional ? t->shuffling
                      : least > 0            ? at_most(least / job->map, 1)
                                             : 0;
    return job->shuffle * fraction - shuffled > slack(v, job->shuffle, time);
}

/* Counts jobs that are not served though they have backlog: it stays the same as long as they are
 * not. */
static void note_backlog(pn_tandem_verifier *v, size_t index)
{
    tandem_logged *t = &v->job[index];
    bool backlogged = t->map_rate == 0 && t->shuffle_rate == 0 &&
                      backlog_certain(v, index, v->time);
    v->backlogged += (size_t)backlogged - t->backlogged;
    t->backlogged = backlogged;
}

/* ---- time ---- */

static void tandem_verify_arrive(pn_tandem_verifier *v)
{
    size_t index = v->arrived++;
    v->job[index].arrived_in = v->job[index].unserved_from = v->instant;
    v->job[index].since = v->time;
    note_backlog(v, index);
}

/* Adds up what the jobs served demand of the stations; it stays the same until an entry changes a
 * rate: backlog that is certain to be there while less than all of a station is used has been found
 * here before. */
static void sum_rates(pn_tandem_verifier *v)
{
    double speed = v->claim.speed;
    total map = {0, 0};
    total shuffle = {0, 0};
    for (size_t i = 0; i < v->served_count; i++) {
        tandem_add(&map, v->job[v->served[i]].map_rate);
        tandem_add(&shuffle, v->job[v->served[i]].shuffle_rate);
    }
    v->map_sum = value_of(&map);
    v->shuffle_sum = value_of(&shuffle);
    v->shuffle_short = false;
    if (!v->claim.work_conserving || v->shuffle_sum >= speed - SLACK * speed)
        return;
    for (size_t i = 0; i < v->served_count && !v->shuffle_short; i++) {
        const tandem_logged *t = &v->job[v->served[i]];
        double generated = generation_rate(v, pn_tandem_claimed(&v->claim, v->served[i]),
                                           t->map_rate);
        /* Below its generation rate backlog grows, above it backlog is used up: both mean that
         * there is some. */
        v->shuffle_short = tandem_magnitude(t->shuffle_rate - generated) > SLACK * generated ||
                           backlog_certain(v, v->served[i], v->time);
    }
}

/* Judges how the stations are used from this instant to the next one; idling of no length to speak
 * of is none. */
static int judge_stations(pn_tandem_verifier *v, double next)
{
    double speed = v->claim.speed;
    if (v->entries > 0)
        sum_rates(v);
    if (v->map_sum > speed + SLACK * speed)
        return tandem_reject(v, "more map work at once than the station can do", v->time, 0);
    if (v->shuffle_sum > speed + SLACK * speed)
        return tandem_reject(v, "more shuffle work at once than the station can do", v->time, 0);
    if (!v->claim.work_conserving || next - v->time <= SLACK * next)
        return PN_OK;
    if (v->map_sum < speed - SLACK * speed) {
        if (v->map_sum > 0) /* who is mapped has work for all of the station */
            return tandem_reject(v, "the map station idles while a job could use it", v->time, 0);
        v->map_idled = v->instant;
        v->map_idled_at = v->time;
    }
    if (v->shuffle_sum < speed - SLACK * speed) {
        if (v->shuffle_short || v->backlogged > 0)
            return tandem_reject(v, "the shuffle station idles while a job could use it", v->time,
                                 0);
        v->shuffle_idled = v->instant;
        v->shuffle_idled_at = v->time;
    }
    return PN_OK;
}

static uint64_t tandem_verify_bits_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Judges the instant at hand now that all its entries are known, and leaves it. */
static int tandem_close_instant(pn_tandem_verifier *v, double next)
{
    int status = judge_stations(v, next);
    if (status != PN_OK)
        return status;
    if (v->entries > 0)
        v->digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, v->digest), tandem_verify_bits_of(v->time)),
                           v->fold);
    v->entries = 0;
    v->fold = 0;
    tandem_add(&v->area, (double)(v->arrived - v->finished) * (next - v->time));
    return PN_OK;
}

/* Goes on to `time`, by way of the arrivals before it. */
static int tandem_go_to(pn_tandem_verifier *v, double time)
{
    while (v->time < time) {
        bool arrival = v->arrived < v->claim.job_count &&
                       pn_tandem_claimed(&v->claim, v->arrived)->arrival < time;
        double next = arrival ? pn_tandem_claimed(&v->claim, v->arrived)->arrival : time;
        int status = tandem_close_instant(v, next);
        if (status != PN_OK)
            return status;
        v->time = next;
        v->instant++;
        while (v->arrived < v->claim.job_count &&
               pn_tandem_claimed(&v->claim, v->arrived)->arrival <= next)
            tandem_verify_arrive(v);
    }
    return PN_OK;
}

/* Takes an arrival that may be early: arrivals too may be rounded: a job may be served a trifle
 * before the time that the workload says. */
static int arrive_early(pn_tandem_verifier *v, const pn_tandem_decision *d)
{
    while (v->arrived < d->id) {
        double early = pn_tandem_claimed(&v->claim, v->arrived)->arrival - v->time;
        if (early > SLACK * v->time)
            return tandem_reject(v, "the job has not arrived", d->time, d->id);
        tandem_add(&v->area, -early); /* it counts from its arrival on */
        tandem_verify_arrive(v);
    }
    return PN_OK;
}

/* ---- entries ---- */

/* Settles what was done at the rates so far. */
static int tandem_settle(pn_tandem_verifier *v, const pn_tandem_decision *d, tandem_logged *t)
{
    const pn_tandem_job *job = pn_tandem_claimed(&v->claim, d->id - 1);
    tandem_add(&t->mapped, t->map_rate * (v->time - t->since));
    tandem_add(&t->shuffled, t->shuffle_rate * (v->time - t->since));
    t->since = v->time;
    double mapped = value_of(&t->mapped);
    if (mapped > job->map + slack(v, job->map, v->time))
        return tandem_reject(v, "more is mapped than the job has", d->time, d->id);
    if (value_of(&t->shuffled) >
        generated_at_most(v, job, mapped, v->time) + slack(v, job->shuffle, v->time))
        return tandem_reject(v, "more is shuffled than the job's maps have generated", d->time,
                             d->id);
    return PN_OK;
}

/* Checks what no slack is needed for. */
static int check_rates(pn_tandem_verifier *v, const pn_tandem_decision *d, const tandem_logged *t)
{
    const pn_tandem_job *job = pn_tandem_claimed(&v->claim, d->id - 1);
    double generated = generation_rate(v, job, d->map_rate);
    bool only_generated = job->map > 0 && !v->claim.traditional && !t->begun;
    if (d->map_rate > 0 && job->map == 0)
        return tandem_reject(v, "more is mapped than the job has", d->time, d->id);
    if (d->shuffle_rate > 0 &&
        (job->shuffle == 0 || (only_generated && d->shuffle_rate > generated + SLACK * generated)))
        return tandem_reject(v, "more is shuffled than the job's maps have generated", d->time,
                             d->id);
    bool mapped = value_of(&t->mapped) + slack(v, job->map, v->time) >= job->map;
    bool early = d->map_rate > 0 ? d->shuffle_rate > 0 || t->shuffling
                                 : d->shuffle_rate > 0 && !mapped;
    if (v->claim.traditional && early)
        return tandem_reject(v, "without overlap the shuffle follows the map", d->time, d->id);
    return PN_OK;
}

/* Checks that a job mapped now has had map work ever since its arrival; who is shuffled now faster
 * than it generates has had backlog ever since it was last served. */
static int check_waiting(pn_tandem_verifier *v, const pn_tandem_decision *d, const tandem_logged *t)
{
    if (d->map_rate > 0 && t->map_rate == 0 && v->map_idled >= t->arrived_in)
        return tandem_reject(v, "the map station idles while the job waits for it", v->map_idled_at,
                             d->id);
    double generated = generation_rate(v, pn_tandem_claimed(&v->claim, d->id - 1), d->map_rate);
    if (t->map_rate == 0 && t->shuffle_rate == 0 &&
        d->shuffle_rate > generated + SLACK * generated && v->shuffle_idled >= t->unserved_from)
        return tandem_reject(v, "the shuffle station idles while the job waits for it",
                             v->shuffle_idled_at, d->id);
    return PN_OK;
}

static void tandem_verify_set_rates(pn_tandem_verifier *v, const pn_tandem_decision *d,
                                    tandem_logged *t)
{
    bool before = t->map_rate > 0 || t->shuffle_rate > 0;
    bool after = d->map_rate > 0 || d->shuffle_rate > 0;
    if (after && !before) {
        t->place = v->served_count;
        v->served[v->served_count++] = (size_t)d->id - 1;
    } else if (before && !after) {
        size_t moved = v->served[--v->served_count];
        v->served[t->place] = moved;
        v->job[moved].place = t->place;
        t->unserved_from = v->instant;
    }
    t->map_rate = d->map_rate;
    t->shuffle_rate = d->shuffle_rate;
    t->begun |= d->map_rate > 0;
    t->shuffling |= d->shuffle_rate > 0;
    note_backlog(v, (size_t)d->id - 1);
}

static int feed_rates(pn_tandem_verifier *v, const pn_tandem_decision *d, tandem_logged *t)
{
    double most = v->claim.speed + SLACK * v->claim.speed;
    if (t->finished)
        return tandem_reject(v, "the job is served after its finish", d->time, d->id);
    if (d->map_rate > most)
        return tandem_reject(v, "more map work at once than the station can do", d->time, d->id);
    if (d->shuffle_rate > most)
        return tandem_reject(v, "more shuffle work at once than the station can do", d->time,
                             d->id);
    if (d->map_rate == t->map_rate && d->shuffle_rate == t->shuffle_rate)
        return tandem_reject(v, "an entry that changes nothing", d->time, d->id);
    int status = tandem_settle(v, d, t);
    if (status == PN_OK)
        status = check_rates(v, d, t);
    if (status == PN_OK && v->claim.work_conserving)
        status = check_waiting(v, d, t);
    if (status == PN_OK)
        tandem_verify_set_rates(v, d, t);
    return status;
}

static int tandem_feed_finish(pn_tandem_verifier *v, const pn_tandem_decision *d, tandem_logged *t)
{
    const pn_tandem_job *job = pn_tandem_claimed(&v->claim, d->id - 1);
    bool empty = job->map == 0 && job->shuffle == 0;
    if (t->finished)
        return tandem_reject(v, "the job finishes twice", d->time, d->id);
    if (d->map_rate != 0 || d->shuffle_rate != 0)
        return tandem_reject(v, "a finish has no rates", d->time, d->id);
    int status = tandem_settle(v, d, t);
    if (status != PN_OK)
        return status;
    if (value_of(&t->mapped) + slack(v, job->map, v->time) < job->map ||
        value_of(&t->shuffled) + slack(v, job->shuffle, v->time) < job->shuffle)
        return tandem_reject(v, "the job finishes before its work is done", d->time, d->id);
    /* The last that happens to a job with work is work. */
    if (empty ? v->time - job->arrival > SLACK * v->time : t->map_rate == 0 && t->shuffle_rate == 0)
        return tandem_reject(v, "the job finishes after its work is done", d->time, d->id);
    t->finished = 1;
    tandem_verify_set_rates(v, d, t);
    v->finished++;
    v->last_finish = v->time;
    tandem_add(&v->response_times, v->time - job->arrival);
    return PN_OK;
}

/* ---- the calls ---- */

int pn_tandem_verifier_init(pn_tandem_verifier **verifier, void *block, size_t size,
                            const pn_tandem_claim *claim)
{
    if (!verifier || !block || !tandem_claim_valid(claim))
        return PN_ERR_ARGUMENT;
    int status = pn_block_fits(block, size, tandem_verify_carve(claim, NULL));
    if (status == PN_OK)
        status = tandem_check_jobs(claim);
    if (status != PN_OK)
        return status;
    pn_tandem_verifier *v = block;
    *v = (pn_tandem_verifier){.instant = 1, .fault = ""};
    PN_TAKE(&v->claim, claim, pn_tandem_claim, job_count);
    tandem_verify_carve(claim, v);
    for (size_t i = 0; i < claim->job_count; i++)
        v->job[i] = (tandem_logged){.since = 0};
    while (v->arrived < claim->job_count && pn_tandem_claimed(claim, v->arrived)->arrival == 0)
        tandem_verify_arrive(v);
    *verifier = v;
    return PN_OK;
}

static bool rate_valid(double rate)
{
    return rate >= 0 && rate <= PN_TANDEM_NEVER;
}

int pn_tandem_verifier_feed(pn_tandem_verifier *v, const pn_tandem_decision *d)
{
    if (!v || !d || !PN_GIVEN(d, pn_tandem_decision, kind))
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (d->id < 1 || d->id > v->claim.job_count)
        return tandem_reject(v, "no such job", d->time, d->id);
    if (d->kind != PN_TANDEM_RATES && d->kind != PN_TANDEM_FINISH)
        return tandem_reject(v, "no such kind of entry", d->time, d->id);
    if (!(d->time >= v->time && d->time <= LATEST))
        return tandem_reject(v, "entries must be in order of time", d->time, d->id);
    if (!rate_valid(d->map_rate) || !rate_valid(d->shuffle_rate))
        return tandem_reject(v, "a rate must be a number from 0 on", d->time, d->id);
    int status = tandem_go_to(v, d->time);
    if (status == PN_OK)
        status = arrive_early(v, d);
    if (status != PN_OK)
        return status;
    tandem_logged *t = &v->job[d->id - 1];
    uint64_t entry = pn_mix(pn_mix(pn_mix(PN_MIX_START, tandem_verify_bits_of(d->time)), d->kind),
                            d->id);
    v->fold += pn_mix(pn_mix(entry, tandem_verify_bits_of(d->map_rate)),
                      tandem_verify_bits_of(d->shuffle_rate));
    v->entries++;
    return d->kind == PN_TANDEM_FINISH ? tandem_feed_finish(v, d, t) : feed_rates(v, d, t);
}

/* Settles what unfinished jobs have had, which must be theirs to have, as for jobs that finish. */
static int settle_unfinished(pn_tandem_verifier *v)
{
    for (size_t i = 0; i < v->arrived; i++) {
        tandem_logged *t = &v->job[i];
        pn_tandem_decision at = {.time = v->time, .id = i + 1};
        int status = t->finished ? PN_OK : tandem_settle(v, &at, t);
        if (status != PN_OK)
            return status;
        if (!t->finished)
            tandem_add(&v->response_times, v->time - pn_tandem_claimed(&v->claim, i)->arrival);
    }
    return PN_OK;
}

int pn_tandem_verifier_stop(pn_tandem_verifier *v, double until)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    if (!(until > v->time && until <= LATEST))
        return tandem_reject(v, "the run continues after it was stopped", v->time, 0);
    v->stopped = true;
    int status = tandem_go_to(v, until);
    return status == PN_OK ? settle_unfinished(v) : status;
}

/* Returns whether the job may be unfinished, as work of it was left when the run was stopped. */
static bool tandem_was_stopped(const pn_tandem_verifier *v, size_t index)
{
    const pn_tandem_job *job = pn_tandem_claimed(&v->claim, index);
    const tandem_logged *t = &v->job[index];
    if (!v->stopped)
        return false;
    if (index >= v->arrived || job->arrival >= v->time)
        return true;
    /* Who is served at the very end may finish there. */
    return t->map_rate > 0 || t->shuffle_rate > 0 ||
           value_of(&t->mapped) + slack(v, job->map, v->time) < job->map ||
           value_of(&t->shuffled) + slack(v, job->shuffle, v->time) < job->shuffle;
}

int pn_tandem_verifier_end(pn_tandem_verifier *v, double end, uint64_t digest)
{
    if (!v)
        return PN_ERR_ARGUMENT;
    if (v->fault[0] != '\0')
        return PN_ERR_REJECTED;
    int status = tandem_close_instant(v, v->time);
    if (status != PN_OK)
        return status;
    for (size_t i = 0; i < v->claim.job_count; i++)
        if (!v->job[i].finished && !tandem_was_stopped(v, i))
            return tandem_reject(v, "the job does not finish", v->time, i + 1);
    if (end != v->last_finish)
        return tandem_reject(v, "the end is not the last finish", end, 0);
    if (digest != v->digest)
        return tandem_reject(v, "the digest does not match the entries", end, 0);
    double sum = value_of(&v->response_times);
    if (tandem_magnitude(value_of(&v->area) - sum) > SLACK * tandem_magnitude(sum))
        return tandem_reject(
            v, "the area under the number of jobs is not the sum of response times", end, 0);
    return PN_OK;
}

const char *pn_tandem_verifier_fault(const pn_tandem_verifier *v, double *time, uint64_t *id)
{
    if (time)
        *time = v->fault_time;
    if (id)
        *id = v->fault_id;
    return v->fault;
}

double pn_tandem_verifier_total(const pn_tandem_verifier *v, double *area)
{
    if (area)
        *area = value_of(&v->area);
    return value_of(&v->response_times);
}
