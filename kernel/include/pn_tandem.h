/* The tandem model: two stations, map and shuffle, each with the same capacity; a job's shuffle
 * overlaps its map, but the fraction shuffled never exceeds the fraction mapped. The model is
 * fluid, with exact event times. The measure is response time: finish - arrival.
 *
 * Source: Lin, Zhang, Wierman, Tan, "Joint Optimization of Overlapping Phases in MapReduce" (2013).
 * The exact semantics are the numbered rules TA1-TA24 cited here and in the code;
 * docs/models/tandem.md states them.
 *
 * Of a job, X is the map work left, Y the shuffle work left, and B the backlog: shuffle work that
 * its maps have generated and that is not shuffled yet. Mapping at rate p generates at rate g = p *
 * shuffle / map; with `overlap` off nothing is generated until the last map work is done, and then
 * all of it at once (TA2-TA4).
 *
 * Nothing changes between two instants: arrivals, the end of some X or B, and the wake-ups a policy
 * asks for. At each instant the jobs arrive, then the complete ones leave, then the rates are set
 * anew (TA6). Events within 64 ulp of each other are one instant (TA21).
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 2232/2232, _submit 136/104, _run
 * 1544/2208, _validate 5176/6440, any other 2224/2232 (see docs/embedding.md). */
#ifndef PN_TANDEM_H
#define PN_TANDEM_H

#include "pn_model.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* one simulation: it lives at the start of the caller's block */
typedef struct pn_tandem pn_tandem;
typedef struct pn_tandem_policy pn_tandem_policy; /* see pn_tandem_policy.h */

/* Least and largest time or size except 0: products and quotients of two of them are normal
 * doubles. */
#define PN_TANDEM_LEAST 8.636168555094445e-78 /* 2^-256 */
#define PN_TANDEM_MOST  1.157920892373162e77  /* 2^256 */

/* A time that never comes. */
#define PN_TANDEM_NEVER 1.7976931348623157e308

/* ---- configuration --------------------------------------------------------------------------- */

enum pn_tandem_bounds {
    PN_TANDEM_BOUNDS_NONE = 0, /* no bound, at no cost */
    PN_TANDEM_BOUNDS_FAST = 1, /* the paper's, section 5.1: SRPT at each station alone (TA19) */
    PN_TANDEM_BOUNDS_TIGHT = 2 /* also the integral of the largest of six counts (TA20) */
};

/* Get it from pn_tandem_defaults(), then set what differs. */
typedef struct pn_tandem_config {
    size_t struct_size; /* set by pn_tandem_defaults: what this host knows of the struct */
    /* capacity c of each station, units of work per unit of time; 2^-64..2^64; default 1 */
    double speed;
    /* 1 = no overlap: a job's shuffle starts when its map is done (TA4); default 0 */
    uint32_t traditional;
    uint32_t jobs_max; /* jobs submitted and not yet finished; 1..2^28; no default */
    /* 1 = pn_tandem_job.arrival is the gap to the previous arrival (TA23); default 0: absolute
     * times */
    uint32_t gaps;
    uint32_t groups_max; /* statistics are also kept for job groups 0..groups_max-1; 0 = none */
    uint32_t bounds;     /* enum pn_tandem_bounds; default PN_TANDEM_BOUNDS_NONE */
    /* 1 = keep response times and slowdowns (90 KB per group and once over all); default 0 */
    uint32_t statistics;
    /* mean slowdown by size: so many buckets of equal width, and one for all larger jobs; 0 =
     * none */
    uint32_t buckets_max;
    double bucket_width; /* in units of max(map, shuffle); > 0 when buckets_max > 0 */
    /* 1 = pn_tandem_digest stays 0; saves O(jobs served) an instant; default 0 */
    uint32_t no_digest;
    /* 1 = jobs may carry estimates that differ from the truth; default 0: estimates are ignored */
    uint32_t estimates;
    /* 1 = jobs carry ranks, for pn_tandem_priority and its like; default 0: they are ignored */
    uint32_t ranks;
    uint32_t replica; /* of the experiment; default 0 */
    /* of the policy's own random numbers; with the replica it names their stream */
    uint64_t seed;
    /* Warm-up: jobs with an id up to this or an arrival before this are left out of the statistics,
     * and of nothing else */
    uint64_t warmup_jobs;
    double warmup_time;
    /* the block has memory for this policy only; null (default) = any built-in one. Not kept. */
    const pn_tandem_policy *policy;
    /* of each job, 0..PN_ATTRIBUTES_MAX; default 0: none, at no cost */
    uint64_t attributes;
} pn_tandem_config;

/* Fill in the defaults, check a configuration, list its settings, and return the table of these
 * functions: see pn_model.h. */
void pn_tandem_defaults_into(pn_tandem_config *config, size_t size);
static inline pn_tandem_config pn_tandem_defaults(void)
{
    pn_tandem_config config;
    pn_tandem_defaults_into(&config, sizeof config);
    return config;
}
const char *pn_tandem_check(const pn_tandem_config *config);
const pn_setting *pn_tandem_setting_at(size_t index);
const pn_model *pn_tandem_model(void);

/* ---- jobs ------------------------------------------------------------------------------------ */

#define PN_TANDEM_ESTIMATE_ZERO \
    (-1.0) /* an estimate of 0: a plain 0 in an estimate field means "equal to the truth" */

typedef struct pn_tandem_job {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* >= 0, as its config says: a time that does not decrease from job to job, or the gap between
     * them */
    double arrival;
    double map;     /* x, units of work; 0 = mapped at its arrival */
    double shuffle; /* y; 0 = complete when mapped; both 0 = complete at its arrival (TA5) */
    uint64_t tag;   /* the host's own word, handed back in on_finish */
    uint32_t group; /* < groups_max, or 0 */
    /* with config.ranks: its place in line at map and shuffle, smaller first, ties by id */
    uint32_t rank[2];
    double estimate_map;     /* what policies see instead of map; 0 = the truth */
    double estimate_shuffle; /* what policies see instead of shuffle; 0 = the truth */
    /* config.attributes of them, finite; read during the call only; null = zeros */
    const double *attributes;
} pn_tandem_job;

/* Reported once per job, in order of (finish, id). Times since the start of the simulation. */
typedef struct pn_tandem_finish {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    uint64_t id;        /* 1, 2, … in order of submission */
    uint64_t tag;
    double arrival;
    double map_finish; /* its arrival for a job without map work */
    double finish;
    /* finish - arrival, of unrounded times: exact where the others are rounded (TA23) */
    double response_time;
    /* response_time * speed / max(map, shuffle); 0 when both are 0: it has none (TA24) */
    double slowdown;
    double map, shuffle; /* the true sizes */
    uint32_t group;
    /* config.attributes of them, for the length of the call; null where there are none */
    const double *attributes;
} pn_tandem_finish;

/* Kinds of net decision, and their class in the digest. */
enum pn_tandem_kind {
    /* the job is served at these rates from this instant on; logged when either changes */
    PN_TANDEM_RATES = 1,
    PN_TANDEM_FINISH = 2 /* the job is complete; rates are 0 */
};

typedef struct pn_tandem_decision {
    size_t struct_size; /* bytes that the library knows of it: PN_HAS */
    double time;        /* of the instant, since the start */
    uint64_t id;
    double map_rate, shuffle_rate; /* >= 0, units of work per unit of time */
    uint32_t kind;                 /* PN_TANDEM_RATES; PN_TANDEM_FINISH in logs */
} pn_tandem_decision;

/* Functions that a host passes to each call, see pn_model.h. Hooks may query the simulation and
 * submit jobs. */
typedef struct pn_tandem_hooks {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* required; the first step binds it, later ones bring the same, see pn_param */
    const pn_tandem_policy *policy;
    /* policy->param_count values in the policy's order; null = its defaults */
    const double *params;
    /* once per finished job, by (finish, id); its place is free again */
    void (*on_finish)(void *user, const pn_tandem_finish *finish);
    /* once per net decision, by (time, job); costs a sort of the instant's decisions, of a share
     * O(jobs served) an instant */
    void (*on_decision)(void *user, const pn_tandem_decision *decision);
    void *user;
} pn_tandem_hooks;

/* ---- life ------------------------------------------------------------------------------------ */

/* Return the size of a block, lay one out, and open a copy: see pn_model.h. */
size_t pn_tandem_size(const pn_tandem_config *config);
int pn_tandem_init(pn_tandem **sim, void *block, size_t size, const pn_tandem_config *config);
size_t pn_tandem_block_size(const pn_tandem *sim);
int pn_tandem_open(pn_tandem **sim, void *block, size_t size);

/* Validates a block from outside, see pn_model.h. Instants beyond any time that a run of
 * sound numbers reaches are refused when they come, with PN_ERR_OVERFLOW. O(size). */
int pn_tandem_validate(const void *block, size_t size);

/* Returns 1 if the block was made for this configuration, see pn_model.h. O(policies). */
int pn_tandem_configured(const pn_tandem *sim, const pn_tandem_config *config);

/* Submits a job; *id (may be null) receives its number. Arrivals must not decrease (PN_ERR_ORDER),
 * and must not lie before the last instant or before the last time that was passed to pn_tandem_run
 * (PN_ERR_LATE). Returns PN_OK, PN_ERR_ARGUMENT (null, group), PN_ERR_JOB (a time, size or estimate
 * that is negative, NaN or out of range), PN_ERR_OVERFLOW (an arrival above PN_TANDEM_MOST, or
 * PN_INTEGER_MAX jobs were submitted) or PN_ERR_FULL. O(1). */
int pn_tandem_submit(pn_tandem *sim, const pn_tandem_job *job, uint64_t *id);

/* Executes the next instant; the host has submitted all jobs that arrive up to it. Returns PN_OK,
 * PN_DONE if no job is left, PN_ERR_ARGUMENT, PN_ERR_BUSY, PN_ERR_POLICY, PN_ERR_INFEASIBLE (rates
 * of the policy; or jobs are present, none is served and no event is to come), PN_ERR_OVERFLOW (the
 * next instant is later than 2^512), or what a function of the policy returned. After an error of
 * the policy every later step returns the same error; totals and statistics can still be read. */
int pn_tandem_step(pn_tandem *sim, const pn_tandem_hooks *hooks);

/* Executes at most `instants` of the instants before `until`, without those that an arrival at
 * `until` would coincide with: the next job may arrive at `until`. PN_TANDEM_ARRIVAL in place of a
 * time means the arrival of the last submitted job, so a host can submit some jobs, run, and submit
 * more; the schedule does not depend on the number of jobs per portion. PN_TANDEM_FOREVER means no
 * limit. Returns PN_OK if `until` is reached, PN_PAUSED after `instants` instants, PN_DONE if no
 * job is left, and errors as pn_tandem_step. */
#define PN_TANDEM_FOREVER (-1.0)
#define PN_TANDEM_ARRIVAL (-2.0)
int pn_tandem_run(pn_tandem *sim, const pn_tandem_hooks *hooks, double until, uint64_t instants);

/* ---- queries, all O(1) ----------------------------------------------------------------------- */

typedef struct pn_tandem_totals {
    size_t struct_size;         /* bytes that the library knows of it: PN_HAS */
    double time;                /* of the last instant; 0 before the first */
    uint64_t submitted;         /* jobs */
    uint64_t finished;          /* jobs */
    double total_response_time; /* of the finished jobs; compensated summation */
    /* 0 before the first; their difference is the makespan (TA24) */
    double first_arrival, last_finish;
    /* TA19 and TA20 of the jobs that have arrived; final once PN_DONE; 0 when not asked for.
     * Compensated summation. Both ignore `traditional` and are valid with it and without. */
    double lower_bound, lower_bound_tight;
    /* time average of the number of jobs present, from the first arrival to the last instant; 0
     * before any time has passed */
    double mean_in_system;
    double map_busy, shuffle_busy; /* work done at each station, units */
    uint64_t instants;             /* executed */
    /* rate changes, finishes not counted; 0 with no_digest and without on_decision */
    uint64_t decisions;
    uint64_t heap_moves;    /* levels climbed or sunk in the ordered sets of the policy */
    uint32_t in_system;     /* jobs arrived and not finished */
    uint32_t in_system_max; /* the most so far */
    uint32_t jobs_held;     /* places of the job table in use */
    uint32_t jobs_held_max; /* the most so far */
} pn_tandem_totals;

/* Write the totals, see pn_model.h. */
void pn_tandem_totals_into(const pn_tandem *sim, pn_tandem_totals *to, size_t size);
static inline void pn_tandem_totals_get(const pn_tandem *sim, pn_tandem_totals *to)
{
    pn_tandem_totals_into(sim, to, sizeof *to);
}

/* What is in use from the last instant to the next: the values of a timeline, see pn_timeline.h. */
typedef struct pn_tandem_levels {
    size_t struct_size;  /* bytes that the library knows of it: PN_HAS */
    double time;         /* of the last instant; 0 before the first */
    double jobs;         /* arrived and not finished */
    double queue;        /* of these, jobs that neither station serves */
    double map, shuffle; /* rate of each station: at most the speed */
} pn_tandem_levels;

/* Write the levels. O(1); O(jobs that are served) under policies that set each rate by themselves
 * (`act`) or share one station. */
void pn_tandem_levels_into(const pn_tandem *sim, pn_tandem_levels *to, size_t size);
static inline void pn_tandem_levels_get(const pn_tandem *sim, pn_tandem_levels *to)
{
    pn_tandem_levels_into(sim, to, sizeof *to);
}

/* Returns the digest, which folds each time with a decision or finish: h = mix(h, time, D), where D
 * is the sum over them of mix(time, kind, id, map_rate, shuffle_rate), doubles by their bits. */
uint64_t pn_tandem_digest(const pn_tandem *sim);

/* Return the response times and the slowdowns (of jobs that have one) of a group, or of all jobs
 * with PN_ALL_GROUPS; null without config.statistics. Valid until the next call. */
const pn_stats *pn_tandem_response_times(const pn_tandem *sim, uint32_t group);
const pn_stats *pn_tandem_slowdowns(const pn_tandem *sim, uint32_t group);

/* Returns batch means of the response times in order of (finish, id); null without
 * config.statistics. Valid as long as the block. */
const pn_batches *pn_tandem_batches(const pn_tandem *sim);

/* Slowdowns of the jobs with index * bucket_width <= max(map, shuffle) < (index + 1) *
 * bucket_width; with index = buckets_max, of all larger jobs. */
typedef struct pn_tandem_bucket {
    uint64_t count;
    double sum, squares; /* of the slowdowns, and of their squares */
} pn_tandem_bucket;
/* Returns the bucket with this index; null if index > buckets_max or buckets_max is 0. */
const pn_tandem_bucket *pn_tandem_slowdown_bucket(const pn_tandem *sim, uint32_t index);

/* Returns the name of the bound policy; "" before the first step. */
const char *pn_tandem_policy_name(const pn_tandem *sim);

/* Ranks the jobs by the order with index `order` of the bound policy. Writes the first `most` of
 * them, first to last, into ranked[most], which may be null if `most` is 0, and returns their
 * number. Keys are those of the last instant. Jobs in service are included, except while both
 * stations share: then only jobs that wait for a share of the map station are ranked. 0 if there is
 * no such order, or no station serves by it. Must not be called in a hook. O(jobs log most). */
uint32_t pn_tandem_ranking(const pn_tandem *sim, uint32_t order, pn_ranked *ranked, uint32_t most);

/* ---- built-in policies ----------------------------------------------------------------------- */

const pn_tandem_policy *pn_tandem_fcfs(void);
const pn_tandem_policy *pn_tandem_ps(void);
const pn_tandem_policy *pn_tandem_klps(void);
const pn_tandem_policy *pn_tandem_klps_rigid(void);
const pn_tandem_policy *pn_tandem_fcfs_ps(void);
const pn_tandem_policy *pn_tandem_maxsrpt(void);
const pn_tandem_policy *pn_tandem_splitsrpt(void);
const pn_tandem_policy *pn_tandem_srptmap(void);
const pn_tandem_policy *pn_tandem_srptsum(void);
const pn_tandem_policy *pn_tandem_srptshuffle(void);
const pn_tandem_policy *pn_tandem_johnson(void);
const pn_tandem_policy *pn_tandem_priority(void);
const pn_tandem_policy *pn_tandem_bsrpt(void);
const pn_tandem_policy *pn_tandem_xmax(void);

/* Return a built-in policy by its index or its name, see pn_model.h. */
const pn_tandem_policy *pn_tandem_policy_at(size_t index);
const pn_tandem_policy *pn_tandem_policy_find(const char *name);

/* ---- the checker ----------------------------------------------------------------------------- */

/* Verifies that a decision log keeps the rules of the model, see pn_model.h: capacity of both
 * stations, nothing before arrival, only work that is there is mapped and shuffled (overlap:
 * fraction shuffled <= fraction mapped; without: nothing shuffled before the map is done), every
 * unit done, finishes where they belong, no station idle where that is promised, the area under the
 * number of jobs present = the sum of response times, and the digest. Amounts are compared within
 * rounding: 2^-40 of the job's size, and what the stations do in 2^-40 of the time. */
typedef struct pn_tandem_verifier pn_tandem_verifier;

typedef struct pn_tandem_claim {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    double speed;
    uint32_t traditional;
    uint32_t work_conserving; /* 1: hold the log to it */
    /* absolute arrivals that do not decrease, job i has id i + 1; must outlive the verifier */
    const pn_tandem_job *jobs;
    size_t job_count;
} pn_tandem_claim;

/* Return the size of a verifier, lay one out, and feed it the entries in order of time. Feeding
 * takes O(jobs being served). */
size_t pn_tandem_verifier_size(const pn_tandem_claim *claim);
int pn_tandem_verifier_init(pn_tandem_verifier **verifier, void *block, size_t size,
                            const pn_tandem_claim *claim);
int pn_tandem_verifier_feed(pn_tandem_verifier *verifier, const pn_tandem_decision *decision);
/* Says, after the last entry, that the run was stopped before this time: jobs may be unfinished if
 * they have work left. */
int pn_tandem_verifier_stop(pn_tandem_verifier *verifier, double until);
/* Compares the end, after the last entry: every job is complete unless the run was stopped, the
 * last finish is `end`, and the digest is that of the log. */
int pn_tandem_verifier_end(pn_tandem_verifier *verifier, double end, uint64_t digest);
/* Returns why the log was rejected, with the time and the job. */
const char *pn_tandem_verifier_fault(const pn_tandem_verifier *verifier, double *time,
                                     uint64_t *id);
/* Returns the sum of the response times in the log; *area receives the area under the number of
 * jobs present. Valid after pn_tandem_verifier_end has returned PN_OK. */
double pn_tandem_verifier_total(const pn_tandem_verifier *verifier, double *area);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* Hosts with policies of their own need no further line. */
#include "pn_tandem_policy.h"

#endif
