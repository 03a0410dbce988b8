/* The tandem model: two stations, map and shuffle, each with the same capacity; a job's shuffle
 * overlaps its map, but the fraction shuffled never exceeds the fraction mapped. A fluid model with
 * exact event times; what counts is response time: finish
 * - arrival.
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
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 2216/2216, _submit 136/104, _run
 * 1528/2184, _validate 5144/6392, any other 2208/2216 (see docs/embedding.md). */
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
/* what a policy sees of it, valid during the call only */
typedef struct pn_tandem_view pn_tandem_view;
typedef struct pn_tandem_policy pn_tandem_policy; /* a scheduler: see "Writing a policy" below */

/* Times and sizes are 0 or within these, so that every product and quotient of two of them is an
 * ordinary double. */
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

/* Get it from pn_tandem_defaults(), then set what differs. Every table has a limit; memory grows
 * with these and with nothing else. A library accepts the shorter structs of older hosts; those of
 * newer hosts while what it does not know in them is 0. */
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

/* The defaults, into the struct of `size` bytes that the host's header knew: so a host and a
 * library of other versions agree. */
void pn_tandem_defaults_into(pn_tandem_config *config, size_t size);

static inline pn_tandem_config pn_tandem_defaults(void)
{
    pn_tandem_config config;
    pn_tandem_defaults_into(&config, sizeof config);
    return config;
}

/* The name of the first field that is out of range, with its range, as a constant text
 * ("jobs_max: 1..268435456"); null when all is well. */
const char *pn_tandem_check(const pn_tandem_config *config);

/* Returns the setting with this index, from 0; null behind the last one. */
const pn_setting *pn_tandem_setting_at(size_t index);

/* Returns the table of these functions, see pn_model.h. */
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

/* Functions come with each call, so that the block holds data only. Zero what is not needed. Hooks
 * may query the simulation and submit jobs; any other call on the same simulation returns
 * PN_ERR_BUSY. */
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

/* As pn_slotted_size, pn_slotted_init, pn_slotted_block_size and pn_slotted_open: sizing runs the
 * code that carves; the block is data without pointers, its copy continues with the same decisions
 * and digest. */
size_t pn_tandem_size(const pn_tandem_config *config);
int pn_tandem_init(pn_tandem **sim, void *block, size_t size, const pn_tandem_config *config);
size_t pn_tandem_block_size(const pn_tandem *sim);
int pn_tandem_open(pn_tandem **sim, void *block, size_t size);

/* As pn_slotted_validate: whether a block from outside may be worked with. PN_OK, what
 * pn_tandem_open says, or PN_ERR_DAMAGED. Instants beyond any time that a run of sound numbers
 * reaches are refused as they come, with PN_ERR_OVERFLOW. */
int pn_tandem_validate(const void *block, size_t size);
/* as pn_slotted_configured */
int pn_tandem_configured(const pn_tandem *sim, const pn_tandem_config *config);

/* Hands over a job; *id (may be null) receives its number. Arrivals must not decrease, and must not
 * lie before the last instant or the last time that pn_tandem_run was given. Returns PN_OK,
 * PN_ERR_ARGUMENT (null, group), PN_ERR_ORDER, PN_ERR_LATE, PN_ERR_JOB (a time, size or estimate
 * that is negative, NaN or out of range), PN_ERR_OVERFLOW or PN_ERR_FULL. O(1). */
int pn_tandem_submit(pn_tandem *sim, const pn_tandem_job *job, uint64_t *id);

/* Executes the next instant, for a host that has submitted all jobs that arrive up to then. Returns
 * PN_OK, PN_DONE when no job is left, PN_ERR_ARGUMENT, PN_ERR_BUSY, PN_ERR_POLICY,
 * PN_ERR_INFEASIBLE (what the policy gave; or jobs are present, nobody is served and nothing is to
 * come), PN_ERR_OVERFLOW (the next instant lies beyond 2^512), or what a function of the policy
 * returned. After an error of the policy nothing further can be executed: every later step returns
 * it too; totals and statistics can still be asked for. */
int pn_tandem_step(pn_tandem *sim, const pn_tandem_hooks *hooks);

/* Executes at most `instants` of the instants before `until`, but for those that an arrival at
 * `until` would coincide with: the next job may arrive at `until`. With PN_TANDEM_ARRIVAL instead
 * of a time: those before the arrival of the last job submitted, so that a feeder submits some
 * jobs, runs, submits more, whatever the arrivals are; the schedule does not depend on how many at
 * a time. With PN_TANDEM_FOREVER: all. PN_OK when `until` is reached, PN_PAUSED when `instants`
 * were executed, PN_DONE when no job is left. Errors as pn_tandem_step. */
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

void pn_tandem_totals_into(const pn_tandem *sim, pn_tandem_totals *to, size_t size);
static inline void pn_tandem_totals_get(const pn_tandem *sim, pn_tandem_totals *to)
{
    pn_tandem_totals_into(sim, to, sizeof *to);
}

/* What is in use at once, from the last instant to the next: the values of a timeline, see
 * pn_timeline.h. */
typedef struct pn_tandem_levels {
    size_t struct_size;  /* bytes that the library knows of it: PN_HAS */
    double time;         /* of the last instant; 0 before the first */
    double jobs;         /* arrived and not finished */
    double queue;        /* of these, jobs that neither station serves */
    double map, shuffle; /* rate of each station: at most the speed */
} pn_tandem_levels;

/* O(1); O(jobs that are served) under policies that give rates one by one (`act`, and shares of one
 * station). */
void pn_tandem_levels_into(const pn_tandem *sim, pn_tandem_levels *to, size_t size);
static inline void pn_tandem_levels_get(const pn_tandem *sim, pn_tandem_levels *to)
{
    pn_tandem_levels_into(sim, to, sizeof *to);
}

/* Folds per time with any decision or finish: h = mix(h, time, D), D = sum over them of mix(time,
 * kind, id, map_rate, shuffle_rate), doubles by their bits. Equal schedules give equal digests. */
uint64_t pn_tandem_digest(const pn_tandem *sim);

/* Statistics of a group, or of all jobs with PN_ALL_GROUPS; null when they are not kept. Valid
 * until the next call. */
const pn_stats *pn_tandem_response_times(const pn_tandem *sim, uint32_t group);
/* of jobs that have one */
const pn_stats *pn_tandem_slowdowns(const pn_tandem *sim, uint32_t group);

/* Batch means of the response times in order of (finish, id); null when no statistics are kept.
 * Valid as long as the block. */
const pn_batches *pn_tandem_batches(const pn_tandem *sim);

/* Slowdowns of the jobs with index * bucket_width <= max(map, shuffle) < (index + 1) *
 * bucket_width; index = buckets_max: of all larger ones. Null when index > buckets_max or none are
 * kept. */
typedef struct pn_tandem_bucket {
    uint64_t count;
    double sum, squares; /* of the slowdowns, and of their squares */
} pn_tandem_bucket;
const pn_tandem_bucket *pn_tandem_slowdown_bucket(const pn_tandem *sim, uint32_t index);

/* Name of the bound policy, "" before the first step. */
const char *pn_tandem_policy_name(const pn_tandem *sim);

/* The jobs that the bound policy ranks now, by order `order` of its table: puts the first `most` of
 * them, first to last, into ranked[most], and returns how many there are. With most = 0 `ranked`
 * may be null. Keys are as of the last instant; jobs that are served stand among the others, but
 * while both stations share: then only those that wait for a share of the map station do. 0 where
 * there is no such order, and where no station serves by it. O(jobs log most); not in a hook. */
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

/* The built-in policies by index from 0, all or those that PN_TANDEM_POLICIES names; null behind
 * the last. */
const pn_tandem_policy *pn_tandem_policy_at(size_t index);

/* By name, in which - and _ are one letter; null when there is none. O(policies). */
const pn_tandem_policy *pn_tandem_policy_find(const char *name);

/* ---- writing a policy ------------------------------------------------------------------------ */

/* A policy is a constant table. It says for each station how the station serves, in one of two
 * ways:
 *   service  map and shuffle each name an order and a way of serving by it; the kernel sets all
 *            rates;
 *   act      code that sets rates at each instant with the calls below.
 *
 * An order is a set of jobs that the kernel keeps sorted by (key, id). Jobs that wait cost nothing:
 * a key is computed again only as declared. */
enum pn_tandem_changes {
    /* the key depends on the job's own state: again at the end of each interval in which it is
     * served */
    PN_TANDEM_WHEN_SERVED = 0,
    /* the key never changes: computed when the job joins the order for the first time */
    PN_TANDEM_ON_ARRIVAL = 1,
    /* the keys of all members change: all again at every instant, O(members) */
    PN_TANDEM_AT_INSTANTS = 2
};

enum pn_tandem_members {
    PN_TANDEM_MAPPING = 1, /* jobs with X > 0 */
    PN_TANDEM_BACKLOG = 2, /* jobs with B > 0 */
    PN_TANDEM_PRESENT = 4  /* all jobs arrived and not complete; excludes the other two */
};

/* Ways of serving. c is the capacity, g a job's generation rate. */
enum pn_tandem_way {
    /* Map: all of c to the first job of the order (TA7). Shuffle: the order is walked with what is
     * left of c; a job with B > 0 takes all that is left, one with B = 0 at most g (TA8). */
    PN_TANDEM_FIRST = 0,
    /* Shuffle only, order of PN_TANDEM_PRESENT: the first job alone is served, at c, or at most g
       when B = 0 (TA14). */
    PN_TANDEM_STRICT = 1,
    /* Map: equal shares among the first `limit` jobs of the order, whose keys never change. Shuffle
     * (needs no order): equal shares of c among all jobs with B > 0 or g > 0, where a job with B =
     * 0 takes at most g and what it leaves goes to the others: water-filling (TA11, TA12). */
    PN_TANDEM_SHARE = 2,
    /* Shuffle only: as PN_TANDEM_SHARE, but what a job leaves is lost (TA12). */
    PN_TANDEM_RIGID = 3
};

typedef struct pn_tandem_service {
    uint8_t way; /* enum pn_tandem_way */
    /* index into orders; a map order holds PN_TANDEM_MAPPING, a shuffle order of PN_TANDEM_FIRST
     * holds PN_TANDEM_BACKLOG */
    uint8_t order;
    uint32_t limit; /* of a map share; 0 = no limit */
} pn_tandem_service;

/* Jobs are named by their place in the table during a policy's call, none by PN_NO_JOB. Nothing may
 * be decided by the place: pn_tandem_id is the job's own. */
#define PN_TANDEM_ORDERS_MAX 6

typedef struct pn_tandem_order {
    /* doubles go in by pn_key_double; null: by id */
    void (*key)(const pn_tandem_view *view, uint32_t job, pn_key *key);
    /* whether the job belongs here at all, asked once, at its arrival; null: every job does, as in
     * every order of a service */
    int (*member)(const pn_tandem_view *view, uint32_t job);
    uint8_t changes; /* enum pn_tandem_changes */
    uint8_t members; /* enum pn_tandem_members, one of them */
} pn_tandem_order;

/* Whether the policy promises that no station idles while it could work: the map station while some
 * X > 0, the shuffle station while some B > 0 or below the sum of all g. The checker holds it to
 * that. */
enum pn_tandem_promise {
    PN_TANDEM_NO_PROMISE = 0,
    PN_TANDEM_WORK_CONSERVING = 1,
    PN_TANDEM_WORK_CONSERVING_BY_DEFAULT = 2 /* with the default parameters */
};

struct pn_tandem_policy {
    size_t struct_size;             /* sizeof the struct, or 0: see pn_base.h */
    const char *name;               /* at most 31 bytes */
    const char *summary;            /* one line */
    const char *source;             /* paper section or rule */
    uint8_t work_conserving;        /* enum pn_tandem_promise */
    uint8_t order_count;            /* 0..PN_TANDEM_ORDERS_MAX */
    uint8_t param_count;            /* 0..PN_PARAMS_MAX */
    pn_tandem_service map, shuffle; /* ignored when act is given */
    pn_tandem_order orders[PN_TANDEM_ORDERS_MAX];
    pn_param params[PN_PARAMS_MAX];
    /* The policy's own memory in the block, zero at first: so many bytes, and so many more for each
     * place of the job table (jobs_max of them, one after the other). */
    size_t state_bytes, state_bytes_per_job;
    /* sets the rates of an instant with the calls below, all being 0 at first; PN_OK, or an error
     * that ends the run. Asked when a job is present. */
    int (*act)(pn_tandem_view *view);
    /* After the rates are set: in what time from now they shall be set anew, though nothing may
     * happen; 0 or PN_TANDEM_NEVER = not before something does. Within 2^16 ulp of the present time
     * it counts as 64 ulp at least, and in a row of such each as twice the one before: something
     * has to change. */
    double (*wake)(const pn_tandem_view *view);

    /* Hooks, each may be null. */
    /* once, before anything else; may change the services */
    int (*init)(pn_tandem_view *view);
    /* the job is about to join the orders, in order of id */
    int (*arrive)(pn_tandem_view *view, uint32_t job);
    /* it is complete and has left the orders; by id */
    void (*finish)(pn_tandem_view *view, uint32_t job);
    /* What its keys are, for people; null: it does not say. Of a library's policies to be read
     * behind PN_HAS. */
    const pn_key_part *keys;
};

/* What a policy may ask, O(1) each. Sizes and what is left of them are seen with estimates in place
 * of the truth: left = max(0, estimate - work done). Membership, B and rates are the truth. */
double pn_tandem_time(const pn_tandem_view *view);  /* since the start */
double pn_tandem_speed(const pn_tandem_view *view); /* c */
int pn_tandem_overlap(const pn_tandem_view *view);
uint32_t pn_tandem_jobs_max(const pn_tandem_view *view);  /* places are 0..jobs_max-1 */
uint32_t pn_tandem_in_system(const pn_tandem_view *view); /* jobs arrived and not complete */
/* 1: any number; a job stands there, arrived, not complete */
int pn_tandem_active(const pn_tandem_view *view, uint32_t job);
double pn_tandem_param_value(const pn_tandem_view *view, uint32_t index); /* of policy->params */
/* the policy's own bytes, aligned to 8 */
void *pn_tandem_state(const pn_tandem_view *view);
/* the policy's random numbers, in the block */
pn_stream *pn_tandem_stream(const pn_tandem_view *view);
/* the table that came with the call */
const pn_tandem_policy *pn_tandem_policy_of(const pn_tandem_view *view);
void *pn_tandem_user(const pn_tandem_view *view); /* hooks->user */
uint64_t pn_tandem_id(const pn_tandem_view *view, uint32_t job);
double pn_tandem_arrival(const pn_tandem_view *view, uint32_t job);
uint32_t pn_tandem_group(const pn_tandem_view *view, uint32_t job);
uint32_t pn_tandem_attribute_count(const pn_tandem_view *view); /* config.attributes */
/* index < pn_tandem_attribute_count */
double pn_tandem_attribute(const pn_tandem_view *view, uint32_t job, uint32_t index);
/* time since its arrival, exact where times are rounded */
double pn_tandem_age(const pn_tandem_view *view, uint32_t job);
double pn_tandem_map_size(const pn_tandem_view *view, uint32_t job);     /* x as seen */
double pn_tandem_shuffle_size(const pn_tandem_view *view, uint32_t job); /* y as seen */
double pn_tandem_map_left(const pn_tandem_view *view, uint32_t job);     /* X as seen */
/* Y as seen; without overlap y until mapped (TA4) */
double pn_tandem_shuffle_left(const pn_tandem_view *view, uint32_t job);
double pn_tandem_longest_left(const pn_tandem_view *view, uint32_t job); /* L = max(X, Y) as seen */
double pn_tandem_backlog(const pn_tandem_view *view, uint32_t job);      /* B */
/* the sum of B over all jobs */
double pn_tandem_backlog_total(const pn_tandem_view *view);
int pn_tandem_mapping(const pn_tandem_view *view, uint32_t job); /* X > 0, in truth */
/* 0 map, 1 shuffle; 0 without ranks */
uint32_t pn_tandem_rank(const pn_tandem_view *view, uint32_t job, uint32_t station);
/* Rates as set so far in act, and in wake; 0 elsewhere. */
double pn_tandem_map_rate(const pn_tandem_view *view, uint32_t job);
double pn_tandem_shuffle_rate(const pn_tandem_view *view, uint32_t job);
double pn_tandem_generation_rate(const pn_tandem_view *view, uint32_t job); /* g */

/* Keys that many policies share; by id is null. The kernel computes them faster than others. */
void pn_tandem_key_longest(const pn_tandem_view *view, uint32_t job, pn_key *key); /* L */
void pn_tandem_key_map(const pn_tandem_view *view, uint32_t job, pn_key *key);     /* X, then Y */
void pn_tandem_key_sum(const pn_tandem_view *view, uint32_t job, pn_key *key);     /* X + Y */
/* Y, then jobs with B > 0, then X */
void pn_tandem_key_shuffle(const pn_tandem_view *view, uint32_t job, pn_key *key);

/* The first job of an order, PN_NO_JOB when it is empty; whether a job stands in it. O(1). Orders
 * can be asked for in act and wake; while both stations share, an order of PN_TANDEM_MAPPING holds
 * the jobs that wait for a share. */
uint32_t pn_tandem_first(const pn_tandem_view *view, uint32_t order);
int pn_tandem_member(const pn_tandem_view *view, uint32_t order, uint32_t job);
/* The next member after `job` in the order, PN_NO_JOB after the last: O(members). A loop over k of
 * n jobs costs O(k n). */
uint32_t pn_tandem_next(const pn_tandem_view *view, uint32_t order, uint32_t job);

/* In init only: how a station serves (0 map, 1 shuffle), instead of what the table says. PN_OK or
 * PN_ERR_ARGUMENT. */
int pn_tandem_serve(pn_tandem_view *view, uint32_t station, pn_tandem_service service);

/* In act only: adds to the job's rate. PN_OK, or PN_ERR_INFEASIBLE: negative or not finite, more
 * than is left of the station's capacity (but for 64 ulp of it), a job with X = 0, or a job with B
 * = 0 above its g (set map rates first). O(1). */
int pn_tandem_give_map(pn_tandem_view *view, uint32_t job, double rate);
int pn_tandem_give_shuffle(pn_tandem_view *view, uint32_t job, double rate);
/* What is left of each station's capacity. */
double pn_tandem_map_idle(const pn_tandem_view *view);
double pn_tandem_shuffle_idle(const pn_tandem_view *view);

/* In act only: serves by an order as PN_TANDEM_FIRST does, with at most `capacity` and what is left
 * of the station's. A map order holds PN_TANDEM_MAPPING, a shuffle order PN_TANDEM_BACKLOG; of jobs
 * that generate without backlog those count that the order's `member` accepts. *left (may be null)
 * receives what of `capacity` was not used. O(1), a shuffle O(d log d) for d jobs that are mapped.
 * PN_OK, PN_ERR_INFEASIBLE, or what a key gave up with. */
int pn_tandem_fill_map(pn_tandem_view *view, uint32_t order, double capacity, double *left);
int pn_tandem_fill_shuffle(pn_tandem_view *view, uint32_t order, double capacity, double *left);

/* For functions of the policy that cannot return an error: this step and every later one return
 * `status` (< 0). */
void pn_tandem_fail(const pn_tandem_view *view, int status);

/* ---- the checker ----------------------------------------------------------------------------- */

/* Replays a decision log against the workload, sharing no code with the engine, and verifies:
 * capacity of both stations, nothing before arrival, only work that is there is mapped and shuffled
 * (overlap: fraction shuffled <= fraction mapped; without: nothing shuffled before the map is
 * done), every unit done, finishes where they belong, no station idle where that is promised, the
 * area under the number of jobs present = the sum of response times, and the digest. Amounts are
 * compared within rounding: 2^-40 of the job's size, and what the stations do in 2^-40 of the
 * time. */
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

size_t pn_tandem_verifier_size(const pn_tandem_claim *claim); /* 0 when invalid */
int pn_tandem_verifier_init(pn_tandem_verifier **verifier, void *block, size_t size,
                            const pn_tandem_claim *claim);
/* Entries in order of time; PN_OK or PN_ERR_REJECTED (the verifier then stays rejected). O(jobs
 * being served). */
int pn_tandem_verifier_feed(pn_tandem_verifier *verifier, const pn_tandem_decision *decision);
/* After the last entry, before the end: the run was stopped before this time, so jobs may be
 * unfinished, but only with work left. PN_OK or PN_ERR_REJECTED. */
int pn_tandem_verifier_stop(pn_tandem_verifier *verifier, double until);
/* After the last entry: every job must be complete unless the run was stopped, the last finish must
 * be `end`, and the digest must be the log's. */
int pn_tandem_verifier_end(pn_tandem_verifier *verifier, double end, uint64_t digest);
/* Why a log was rejected, as a constant text, with time and job (0 when none); "" while all is
 * well. */
const char *pn_tandem_verifier_fault(const pn_tandem_verifier *verifier, double *time,
                                     uint64_t *id);
/* The sum of the response times by the log, and the area under the number of jobs present; after a
 * successful end. */
double pn_tandem_verifier_total(const pn_tandem_verifier *verifier, double *area);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
