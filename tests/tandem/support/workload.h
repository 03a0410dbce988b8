/* What tests of the tandem model share: generated workloads, simulations in blocks of exactly the
 * size asked for, logs, and the checker's verdict on them. */
#ifndef TANDEM_WORKLOAD_H
#define TANDEM_WORKLOAD_H

#include "support/workload.h"

typedef struct tandem_workload {
    size_t count;
    pn_tandem_job *jobs;
} tandem_workload;

/* Sizes are exponential, arrivals Poisson. */
typedef struct tandem_shape {
    double rate;         /* jobs per unit of time */
    double map, shuffle; /* means */
    /* times and sizes are rounded up to multiples of 1 / grain, so that there are ties; 0 = not
     * rounded */
    uint32_t grain;
    uint32_t odd;       /* 1: every fifth job has no map work, no shuffle work, or neither */
    uint32_t estimates; /* 1: two of three jobs are misjudged */
    uint32_t groups;    /* jobs belong to groups 0..groups-1 by turns */
} tandem_shape;

static inline double tandem_rounded(double value, uint32_t grain)
{
    return grain == 0 ? value : (double)(1 + (uint64_t)(value * grain)) / grain;
}

static inline double tandem_estimate(pn_stream *stream, double truth)
{
    uint64_t kind = pn_uniform(stream, 0, 5);
    double factor = pn_lognormal(stream, 1, 1);
    return kind < 2 || truth == 0 ? 0 : kind == 2 ? PN_TANDEM_ESTIMATE_ZERO : truth * factor;
}

static inline tandem_workload tandem_new(size_t count, uint64_t seed, tandem_shape shape)
{
    tandem_workload made = {count, workload_room(count * sizeof *made.jobs)};
    pn_stream stream;
    double arrival = 0;
    pn_stream_init(&stream, seed, 0, 8);
    for (size_t i = 0; i < count; i++) {
        arrival += pn_exponential(&stream, 1 / shape.rate);
        double map = pn_exponential(&stream, shape.map);
        double shuffle = pn_exponential(&stream, shape.shuffle);
        uint64_t without = shape.odd ? pn_uniform(&stream, 0, 14) : 3;
        made.jobs[i] = (pn_tandem_job){.arrival = tandem_rounded(arrival, shape.grain), .tag = i};
        if (without != 0 && without != 2)
            made.jobs[i].map = tandem_rounded(map, shape.grain);
        if (without != 1 && without != 2)
            made.jobs[i].shuffle = tandem_rounded(shuffle, shape.grain);
        if (shape.groups > 0)
            made.jobs[i].group = (uint32_t)(i % shape.groups);
        made.jobs[i].rank[0] = pn_random32(&stream) % 8;
        made.jobs[i].rank[1] = pn_random32(&stream) % 8;
        if (shape.estimates) {
            made.jobs[i].estimate_map = tandem_estimate(&stream, made.jobs[i].map);
            made.jobs[i].estimate_shuffle = tandem_estimate(&stream, made.jobs[i].shuffle);
        }
    }
    return made;
}

static inline void tandem_free(tandem_workload *work)
{
    free(work->jobs);
    *work = (tandem_workload){0, NULL};
}

/* A configuration with room for all jobs at once. */
static inline pn_tandem_config tandem_config(const tandem_workload *work, uint32_t traditional)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = (uint32_t)work->count;
    config.traditional = traditional;
    config.ranks = 1;
    return config;
}

/* In a block of exactly the size that was asked for, so that a sanitizer sees a byte too many. Free
 * it as any pointer. */
static inline pn_tandem *tandem_sim(const pn_tandem_config *config)
{
    size_t size = pn_tandem_size(config);
    pn_tandem *sim = NULL;
    void *block = workload_room(size);
    int status = pn_tandem_init(&sim, block, size, config);
    if (status != PN_OK) {
        fprintf(stderr, "pn_tandem_init: %s\n", pn_status_name(status));
        abort();
    }
    return sim;
}

/* Hands over jobs from..to-1; PN_OK or the first refusal. */
static inline int tandem_submit(pn_tandem *sim, const tandem_workload *work, size_t from, size_t to)
{
    int status = PN_OK;
    for (size_t i = from; i < to && status == PN_OK; i++)
        status = pn_tandem_submit(sim, &work->jobs[i], NULL);
    return status;
}

/* All jobs at once, to the end; the digest, and the totals if asked for. */
static inline uint64_t tandem_digest(const tandem_workload *work, const pn_tandem_config *config,
                                     const pn_tandem_hooks *hooks, pn_tandem_totals *totals)
{
    pn_tandem *sim = tandem_sim(config);
    int status = tandem_submit(sim, work, 0, work->count);
    if (status == PN_OK)
        status = pn_tandem_run(sim, hooks, PN_TANDEM_FOREVER, UINT64_MAX);
    if (status != PN_DONE) {
        fprintf(stderr, "run with %s: %s\n", hooks->policy->name, pn_status_name(status));
        abort();
    }
    uint64_t digest = pn_tandem_digest(sim);
    if (totals)
        pn_tandem_totals_get(sim, totals);
    free(sim);
    return digest;
}

/* ---- keys that tests use ---- */

static inline void tandem_by_map(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_map_left(view, job));
    key->word[1] = pn_key_double(pn_tandem_shuffle_left(view, job));
}

static inline void tandem_by_longest(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_longest_left(view, job));
}

/* ---- logs ---- */

typedef struct tandem_log {
    pn_tandem_decision *entry;
    size_t count, room;
} tandem_log;

static inline void tandem_log_add(tandem_log *log, const pn_tandem_decision *decision)
{
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 64;
        log->entry = realloc(log->entry, log->room * sizeof *log->entry);
        if (!log->entry)
            abort();
    }
    log->entry[log->count++] = *decision;
}

static inline void tandem_log_free(tandem_log *log)
{
    free(log->entry);
    *log = (tandem_log){NULL, 0, 0};
}

/* Hooks with `user` = a tandem_log. */
static inline void tandem_log_decision(void *user, const pn_tandem_decision *decision)
{
    tandem_log_add(user, decision);
}

static inline void tandem_log_finish(void *user, const pn_tandem_finish *finish)
{
    tandem_log_add(user, &(pn_tandem_decision){
                             .time = finish->finish, .id = finish->id, .kind = PN_TANDEM_FINISH});
}

static inline uint64_t tandem_bits(double value)
{
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The digest as the header defines it. */
static inline uint64_t tandem_log_digest(const tandem_log *log)
{
    uint64_t digest = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < log->count; i++) {
        const pn_tandem_decision *e = &log->entry[i];
        uint64_t rates = pn_mix(pn_mix(pn_mix(PN_MIX_START, tandem_bits(e->time)), e->kind), e->id);
        sum += pn_mix(pn_mix(rates, tandem_bits(e->map_rate)), tandem_bits(e->shuffle_rate));
        if (i + 1 == log->count || log->entry[i + 1].time != e->time) {
            digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), tandem_bits(e->time)), sum);
            sum = 0;
        }
    }
    return digest;
}

static inline double tandem_log_end(const tandem_log *log)
{
    double end = 0;
    for (size_t i = 0; i < log->count; i++)
        if (log->entry[i].kind == PN_TANDEM_FINISH)
            end = log->entry[i].time;
    return end;
}

/* ---- the checker's verdict ---- */

typedef struct tandem_verdict {
    int status;
    const char *fault;
    double time;
    uint64_t id;
    double total, area; /* of an accepted log */
} tandem_verdict;

/* What is wrong with the checker itself ends the program: it stays rejected once it has rejected,
 * and has a word for it. */
static inline tandem_verdict tandem_judge(const tandem_log *log, const pn_tandem_claim *claim,
                                          double end, uint64_t digest)
{
    size_t size = pn_tandem_verifier_size(claim);
    void *block = workload_room(size);
    pn_tandem_verifier *verifier;
    tandem_verdict v = {.status = pn_tandem_verifier_init(&verifier, block, size, claim)};
    if (v.status != PN_OK)
        abort();
    for (size_t i = 0; i < log->count; i++) {
        int status = pn_tandem_verifier_feed(verifier, &log->entry[i]);
        if (v.status != PN_OK && status != PN_ERR_REJECTED)
            abort();
        v.status = status;
    }
    int status = pn_tandem_verifier_end(verifier, end, digest);
    if (v.status != PN_OK && status != PN_ERR_REJECTED)
        abort();
    v.status = status;
    v.fault = pn_tandem_verifier_fault(verifier, &v.time, &v.id);
    if ((v.fault[0] == '\0') != (v.status == PN_OK))
        abort();
    v.total = pn_tandem_verifier_total(verifier, &v.area);
    free(block);
    return v;
}

#endif
