/* What all models use: version, limits, status codes, the mixing function behind every
 * digest, random streams, deterministic log/exp/pow, variates and streaming statistics.
 *
 * Blocks are independent; each is for one thread at a time, and no call on a block may interrupt
 * another one on the same block (docs/embedding.md, "Threads and interrupts").
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 944/968 (see docs/embedding.md). */
#ifndef PN_BASE_H
#define PN_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* ---- version and limits ---------------------------------------------------------------------- */

#define PN_VERSION "0.8.0"

/* Returns the version of the linked library, such as "0.8.0", to compare with PN_VERSION. */
const char *pn_version(void);

/* Largest time, size or sum of sizes the kernel accepts: what a double holds exactly. */
#define PN_INTEGER_MAX ((uint64_t)1 << 53)

/* Blocks handed to an _init function are aligned to this many bytes (what malloc and
 * _Alignas(max_align_t) give). */
#define PN_BLOCK_ALIGN ((size_t)8)

/* ---- status codes ---------------------------------------------------------------------------- */

/* Zero: done. Positive: a result. Negative: refused, and the state is the one before the call. The
 * values never change between versions. */
enum pn_status {
    PN_OK = 0,
    PN_DONE = 1,          /* nothing is left to do */
    PN_PAUSED = 2,        /* as much was done as the call allows, more is left */
    PN_ERR_ARGUMENT = -1, /* a null pointer or a value out of its documented range */
    /* a field of the configuration is out of range; the model's _check names it */
    PN_ERR_CONFIG = -2,
    PN_ERR_SIZE = -3,  /* the block is smaller than the model's _size says */
    PN_ERR_ALIGN = -4, /* the block is not aligned to PN_BLOCK_ALIGN */
    /* a table is full: overload, or a capacity of the configuration was too small */
    PN_ERR_FULL = -5,
    PN_ERR_LATE = -6,  /* the arrival lies in the past of the simulation */
    PN_ERR_ORDER = -7, /* arrivals must not decrease */
    /* the job has no work, more than PN_INTEGER_MAX of it, or an attribute that is not finite */
    PN_ERR_JOB = -8,
    PN_ERR_BUSY = -9, /* called from inside a hook that may not do this */
    /* no policy, another one than before, or one that needs more memory than this block has */
    PN_ERR_POLICY = -10,
    PN_ERR_MODE = -11,       /* the policy is not defined in this mode */
    PN_ERR_INFEASIBLE = -12, /* the policy asked for more than the model allows */
    PN_ERR_OVERFLOW = -13,   /* a time or total would pass PN_INTEGER_MAX */
    PN_ERR_BLOCK = -14,      /* these bytes are not a block of this model and version */
    PN_ERR_REJECTED = -15,   /* the checker found a decision log that breaks a rule */
    PN_ERR_STOPPED = -16,    /* the caller's stop hook ended a long computation */
    /* a block of this model whose contents contradict themselves; the model's _validate says so */
    PN_ERR_DAMAGED = -17,
    PN_ERR_STALE = -18, /* the attempt that is meant does not run, or no longer */
    PN_ERR_SEAL = -19,  /* block or seal were changed after they were sealed */
    /* sealed by a library of another format, or on a machine with another ABI */
    PN_ERR_VERSION = -20,
    /* From pn_selftest alone. Rounding is not to nearest, ties to even. */
    PN_ERR_ROUNDING = -21,
    PN_ERR_SUBNORMAL = -22, /* subnormal numbers become zero */
    /* a * b + c is rounded once, or doubles have excess precision */
    PN_ERR_CONTRACTED = -23,
    PN_ERR_ARITHMETIC = -24 /* known results come out otherwise */
};

/* Returns the name of a status, such as "PN_ERR_FULL"; "PN_ERR_UNKNOWN" for any other value. Never
 * null. */
const char *pn_status_name(int status);

/* ---- the self-test --------------------------------------------------------------------------- */

/* Checks that this build computes correctly on this machine, in the mode of the calling thread:
 * each operation on doubles is rounded by itself, to nearest, and subnormal numbers are kept; log,
 * exp, pow and sqrt have known bits; draws, statistics and fractions have known digests. Call it
 * once, before anything else, and again after anything that may change the mode, such as libraries
 * that set subnormal numbers to zero. Returns PN_OK, PN_ERR_ROUNDING, PN_ERR_SUBNORMAL,
 * PN_ERR_CONTRACTED or PN_ERR_ARITHMETIC, in this order of checks. Some microseconds, about 1 KB of
 * stack. */
int pn_selftest(void);

/* ---- the mixing function --------------------------------------------------------------------- */

/* One step of mix (CL8): mix(x1..xk) starts at PN_MIX_START and folds x1, then x2, … Digests are
 * built of it. */
#define PN_MIX_START ((uint64_t)0x9E3779B97F4A7C15u)

static inline uint64_t pn_mix(uint64_t hash, uint64_t value)
{
    hash ^= value;
    hash *= (uint64_t)0xBF58476D1CE4E5B9u;
    hash ^= hash >> 27;
    hash *= (uint64_t)0x94D049BB133111EBu;
    hash ^= hash >> 31;
    return hash;
}

/* Does the same as a function, for languages that cannot compile a header. */
uint64_t pn_mix_step(uint64_t hash, uint64_t value);

/* ---- structs that grow ----------------------------------------------------------------------- */

/* A later version may append fields to structs whose first member is `struct_size`, so a host and a
 * library of different versions work together.
 *
 * Configurations: pn_<model>_defaults sets the size that the host's header gives the struct.
 *
 * Structs that a host fills in (jobs, hooks, policies, claims): struct_size is sizeof the struct,
 * or 0 for the fields of version 0.8.0, even if this header has more. Fields beyond the end of a
 * shorter struct count as 0. A longer struct is accepted if the fields that the library does not
 * know are 0, and refused otherwise, as an argument out of its range. In an array all structs have
 * the size of the first.
 *
 * Structs that a library fills in: those that a host requests (totals, levels, groups, records) are
 * filled as far as both know them, and with 0 after that; those that hooks receive belong to the
 * library. struct_size is the number of bytes that the library knows, and PN_HAS tells whether a
 * field is among them. A host copies at most that many bytes of a hook's struct.
 *
 * All other structs keep their layout, and functions keep their names and arguments. New
 * information goes into a new struct or a new call. */
#define PN_HAS(pointer, field)                                                    \
    ((size_t)((const char *)(&(pointer)->field + 1) - (const char *)(pointer)) <= \
     (pointer)->struct_size)

/* ---- exact numbers --------------------------------------------------------------------------- */

/* A fraction, num / den with den >= 1 (0 where a value may be missing: there is none). Sums and
 * products are in lowest terms; what is given need not be. Intermediates have 128 bits; a result
 * that does not fit is PN_ERR_OVERFLOW, and nothing is written. O(64). */
typedef struct pn_exact {
    int64_t num, den;
} pn_exact;

/* Brings a fraction to lowest terms; PN_ERR_ARGUMENT when den is 0. Any sign of den. */
int pn_exact_make(pn_exact *value, int64_t num, int64_t den);
int pn_exact_add(pn_exact *sum, pn_exact a, pn_exact b);
int pn_exact_subtract(pn_exact *difference, pn_exact a, pn_exact b);
int pn_exact_multiply(pn_exact *product, pn_exact a, pn_exact b);
int pn_exact_divide(pn_exact *quotient, pn_exact a, pn_exact b); /* PN_ERR_ARGUMENT by 0 */
int pn_exact_compare(pn_exact a, pn_exact b);                    /* -1, 0, 1; never overflows */
double pn_exact_double(pn_exact value);                          /* the nearest one, ties to even */

/* ---- integers of 128 bits
 * --------------------------------------------------------------------- */

/* high * 2^64 + low: sums that 64 bits may not hold. */
typedef struct pn_wide {
    uint64_t high, low;
} pn_wide;

/* ---- parameters of policies ------------------------------------------------------------------ */

#define PN_PARAMS_MAX 32 /* of a policy of any model */

/* A parameter's values are finite numbers; integers are exact up to 2^53.
 *
 * In every model two policies are the same when they have the same name, the same values of their
 * parameters, and tables of the same shape: what a block depends on, such as orders and memory. A
 * simulation accepts only the policy that it is bound to; another one is PN_ERR_POLICY. */
typedef struct pn_param {
    const char *name;
    double value, low, high; /* default and range; an infinite limit is none */
    /* of a choice, such as "false" and "true": the names of the values 0, 1, …, ended by a null; of
     * a number: null */
    const char *const *names;
    uint8_t integer; /* 1: a whole number */
    const char *doc;
} pn_param;

/* ---- settings of models ---------------------------------------------------------------------- */

/* What scenario files know of a setting. */
typedef struct pn_rule {
    const char *name; /* there, such as "max_kills_per_task" */
    /* of a choice, such as "false" and "true": the names of the values 0, 1, …, ended by a null; of
     * a number: null. A first name "default" means that the policy has a value of its own. */
    const char *const *names;
    const char *automatic; /* the name of UINT64_MAX where that is in range; or null */
    /* the default in words, where that is 0 and files cannot say 0; or null */
    const char *absent;
    const char *source; /* numbers of the model's rules in docs/models, "CL19b" */
    const char *doc;    /* one line */
    /* position among the rules that scenario files list as "params", from 1, in which they are
     * shown, logged and hashed; 0: the file has the setting itself, such as "machines" */
    uint16_t rank;
    /* 1: the front end's hash of a scenario with the default is that of one without the rule */
    uint8_t later;
} pn_rule;

/* A whole number of a model's configuration: its place, its range and its default.
 * pn_MODEL_setting_at returns one after the other, and null at the end. pn_MODEL_check compares a
 * configuration with these rows. Fields that depend on each other (nodes, queues, policies) have no
 * row. */
typedef struct pn_setting {
    /* the member's name, a colon and its range: "max_kills: 0..4294967295"; what pn_MODEL_check
     * returns */
    const char *range;
    const pn_rule *rule; /* null: scenario files do not have it, or PN_NO_RULES left it out */
    uint32_t low, value; /* least value; default, and below `low` there is none */
    uint64_t high;       /* largest value */
    uint16_t offset;     /* of the member in its configuration, in bytes */
    uint8_t size;        /* of the member: 4 (uint32_t) or 8 (uint64_t) */
    uint8_t automatic;   /* 1: UINT64_MAX is in range, too */
} pn_setting;

/* ---- attributes of jobs ---------------------------------------------------------------------- */

/* Numbers that jobs carry for policies, such as a weight or a priority: finite doubles, as many of
 * each job as config.attributes says. They are stored with the job in the block and handed back to
 * policies and with the finished job; the models themselves do not look at them, and digests do not
 * depend on them. What the first, second, … of them means is agreed between host and policy. */
#define PN_ATTRIBUTES_MAX 8 /* of a job of any model */

/* ---- keys of orders -------------------------------------------------------------------------- */

/* What an order sorts by; ties go by job id, smaller first. */
typedef struct pn_key {
    /* ascending, word[0] first. Arrives as {0, id}: leaving word[1] alone costs no further look at
     * ties. */
    uint64_t word[2];
} pn_key;

/* Returns the order-preserving image of a double that is not NaN; 0 and -0 are equal. */
static inline uint64_t pn_key_double(double value)
{
    union {
        double value;
        uint64_t bits;
    } image;
    image.value = value + 0.0; /* -0 becomes 0 */
    return image.bits >> 63 ? ~image.bits : image.bits | (uint64_t)1 << 63;
}

/* Does the same as a function, for languages that cannot compile a header. */
uint64_t pn_key_of_double(double value);

/* How a part of a key lies in its words. */
enum pn_key_form {
    PN_KEY_ORDER = 0,    /* no number: the place in the order says all, as by arrival */
    PN_KEY_NONE = 1,     /* no order: `name` says why the policy has none */
    PN_KEY_WHOLE = 2,    /* bits - base, in 1/unit */
    PN_KEY_FALLING = 3,  /* base - bits, in 1/unit: the largest goes first */
    PN_KEY_WIDE = 4,     /* so many bits of word[0], and word[1] below them, in 1/unit */
    PN_KEY_SIGNED = 5,   /* both words, two's complement with its sign bit flipped */
    PN_KEY_REAL = 6,     /* pn_key_double; of 63 bits: of a double >= 0, without the top bit */
    PN_KEY_SHARE = 7,    /* pn_slotted_share_key */
    PN_KEY_PRIORITY = 8, /* base - bits: the job's priority, ahead of all other parts */
    PN_KEY_RANK = 9      /* not in the words: the rank of pn_ranked */
};

/* What a part of a policy's keys is, for people: explanations, help and the tables of the docs are
 * made of it, and no decision. A policy has an array of them, ended by one that is all 0: first the
 * numbers, the one that decides ahead of those that break its ties. */
typedef struct pn_key_part {
    const char *name; /* what it is, with its unit, "remaining work, machine slots"; may be null */
    /* of a part that is no number, such as "is in its maps": what to say of the values 0, 1, …,
     * ended by a null; "" is nothing */
    const char *const *names;
    /* the digits of the orders (kinds of slots, stages) whose keys have the part, "02"; null: all.
     * Where jobs may wait in several of these, those of the first go first. */
    const char *orders;
    double unit;   /* 0 counts as 1 */
    uint64_t base; /* see enum pn_key_form */
    uint8_t form;  /* enum pn_key_form */
    /* where in the key: word[word] >> shift, of which so many bits; 0 = all */
    uint8_t word, shift, bits;
    uint8_t alone;  /* 1: where there is something to say of the value, no number is shown */
    uint8_t choice; /* 1 + the value of the policy's first parameter that it needs; 0 = any */
} pn_key_part;

/* A job where an order of the policy has it: what pn_slotted_ranking and its counterparts fill in.
 * One goes before another by rank, then by the words of its key, then by queue, the smaller one
 * first, then by priority, the larger one first, then by id. */
typedef struct pn_ranked {
    uint64_t id;
    pn_key key;     /* as the policy computed it last; what it means, the policy knows */
    uint32_t rank;  /* 0 where the key alone decides */
    uint32_t queue; /* 0 where the policy orders jobs, not queues */
    /* where it orders queues: of the job, DG32; else 0: its key knows it */
    int32_t priority;
    uint32_t unused;
} pn_ranked;

/* Jobs are named by their place in the table during a policy's call; this names none. */
#define PN_NO_JOB UINT32_MAX

/* ---- random streams -------------------------------------------------------------------------- */

/* Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011): a counter-based generator, so that the stream
 * of replica k of an experiment is the same wherever and in whatever order it runs. Copyable by
 * value. Draw at most once per full expression: C leaves the order open. */
typedef struct pn_stream {
    uint32_t key[2];     /* the seed */
    uint32_t counter[4]; /* block index (two words), replica, purpose */
    uint32_t block[4];   /* words of the current block */
    uint32_t used;       /* words already taken of it, 0..4 */
} pn_stream;

/* Starts a stream. Any seed, replica and purpose are legal; different triples give independent
 * streams. */
void pn_stream_init(pn_stream *stream, uint64_t seed, uint32_t replica, uint32_t purpose);

/* Computes the bare block function, for checks against the published known answers. */
void pn_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]);

uint32_t pn_random32(pn_stream *stream);
uint64_t pn_random64(pn_stream *stream); /* first word drawn is the low half */

/* ---- log, exp, pow --------------------------------------------------------------------------- */

/* Compute functions bit-equal on every compiler and machine with IEEE doubles, in the default
 * rounding. Errors measured, in units of the last place: log, exp and pow below 0.6; a subnormal
 * result of exp or pow below 0.8. Every NaN returned has the same bits. log: log(0) = -inf (either
 * zero), log(x < 0) = NaN, log(inf) = inf, log(NaN) = NaN, log(1) = +0; subnormals as any other.
 * exp: exp(-inf) = 0, exp(inf) = inf, exp(NaN) = NaN, exp(0) = 1; overflow gives inf, underflow
 * rounds by subnormals to 0. pow: x >= 0 or y an integer; else NaN. pow(x, 0) = 1 and pow(1, y) = 1
 * for every x, y (NaN too); otherwise NaN in, NaN out; pow(0, y) = 0 for y > 0, inf for y < 0 (odd
 * integer y keeps the zero's sign); infinities as C11 F.10.4.4. sqrt: correctly rounded; sqrt(x <
 * 0) = NaN, sqrt(-0) = -0. */
double pn_log(double x);
double pn_exp(double x);
double pn_pow(double x, double y);
double pn_sqrt(double x);

/* ---- variates -------------------------------------------------------------------------------- */

/* Each takes its draws from the stream in a fixed order; parameters out of range, infinite or NaN
 * are misuse (assert). */

/* Draws from the open interval (0, 1) a multiple of 2^-53; one 64-bit draw. */
double pn_uniform01(pn_stream *stream);
/* Draws an integer in low..high inclusive, without bias; low <= high. One 64-bit draw, which is
 * rejected and repeated with a probability below (high - low + 1) / 2^64, and never above 1/2. */
uint64_t pn_uniform(pn_stream *stream, uint64_t low, uint64_t high);
/* Draws an exponential variate; mean >= 0; one 64-bit draw, as all below that do not say
 * otherwise. */
double pn_exponential(pn_stream *stream, double mean);
/* Draws a Poisson variate; 0 <= mean <= 1e6; by inversion of pieces of mean below 16: 1 +
 * floor(mean / 16) draws. */
uint64_t pn_poisson(pn_stream *stream, double mean);
/* Draws a normal variate; sd >= 0; inverse CDF (Wichura AS241). */
double pn_normal(pn_stream *stream, double mean, double sd);
/* Draws a log-normal variate; mean > 0 and sd >= 0 of the variate itself, not of its logarithm; sd
 * / mean <= PN_LOGNORMAL_RATIO_MOST, whose square does not overflow (TA22). */
#define PN_LOGNORMAL_RATIO_MOST 1e150
double pn_lognormal(pn_stream *stream, double mean, double sd);
/* P(X > x) = (scale / x)^shape for x >= scale; both > 0. Infinite where a double cannot hold it:
 * possible for shape < 0.06. */
double pn_pareto(pn_stream *stream, double shape, double scale);
/* Draws an index i < count with probability proportional to its weight. cumulative[i] = sum of
 * weights 0..i, the last one > 0. Draws as pn_uniform; O(log count). */
uint32_t pn_empirical(pn_stream *stream, const uint64_t *cumulative, uint32_t count);

/* Returns the standard normal quantile, 0 <= p <= 1 (0 and 1 give infinities), relative error below
 * 1e-15 (AS241, PPND16). */
double pn_normal_quantile(double p);

/* ---- streaming statistics -------------------------------------------------------------------- */

/* Count, mean, variance, extremes and quantiles of a stream of non-negative numbers in fixed
 * memory. Quantiles come from a histogram with 64 equal cells per octave between 2^first_octave and
 * 2^(first_octave + octaves): any quantile is within 1 % (really 1/128) of the sample of that rank
 * while samples stay in that range; smaller ones (0 too) count in the first cell, larger in the
 * last, and results are clamped to [min, max]. Samples declared `integer` come back exactly below
 * 128, given first_octave <= -1 (so that the first cell holds no integer but 0) and first_octave +
 * octaves >= 7.
 * */
#define PN_STATS_CELLS_PER_OCTAVE 64

typedef struct pn_stats {
    uint64_t count;
    double mean;
    double squares;       /* sum of squared distances from the mean (Welford) */
    double min, max;      /* exact; 0 while count is 0 */
    int32_t first_octave; /* -1022..1022 */
    uint32_t octaves;     /* 1..1024 */
    uint32_t integer;     /* 1: every sample is an integer */
    uint32_t unused;
    /* the cells follow: uint64_t[octaves * PN_STATS_CELLS_PER_OCTAVE] */
} pn_stats;

/* Returns the bytes of a pn_stats with its cells; 0 for an octave range that is not legal, or ends
 * above 2^1024. */
size_t pn_stats_size(int first_octave, unsigned octaves);
/* Lays out statistics; `stats` points to pn_stats_size bytes, aligned to 8. */
void pn_stats_init(pn_stats *stats, int first_octave, unsigned octaves, int integer);
/* O(1). A sample that is negative, infinite or NaN, or not an integer though declared one, is
 * misuse (assert). */
void pn_stats_add(pn_stats *stats, double sample);
/* Adds what `other` has seen; both have the same octaves and integer flag. */
void pn_stats_merge(pn_stats *stats, const pn_stats *other);
/* Returns the sample variance (divisor count - 1); 0 with fewer than two samples. */
double pn_stats_variance(const pn_stats *stats);
/* Returns the smallest sample v with at least ceil(q * count) samples <= v (q * count rounded to a
 * double), within 1 %: the middle of v's cell, rounded down for integers; exactly min and max for
 * the first and last rank. 0 <= q <= 1; 0 when empty. O(cells). */
double pn_stats_quantile(const pn_stats *stats, double q);

/* Names all jobs where a job group is asked for. */
#define PN_ALL_GROUPS UINT32_MAX

/* Means of batches of consecutive samples, for the confidence interval of a mean whose samples
 * depend on their neighbours. Fixed memory: when PN_BATCHES_MAX batches are full, neighbours are
 * merged in pairs and later batches are twice as long. */
#define PN_BATCHES_MAX 64

typedef struct pn_batches {
    uint64_t size;   /* samples of a full batch, a power of two */
    uint64_t filled; /* samples in the batch at hand, < size */
    double sum;      /* of these */
    /* full batches, < PN_BATCHES_MAX; after the first merging at least half of that */
    uint32_t count;
    uint32_t unused;
    double mean[PN_BATCHES_MAX]; /* of the full batches, in order */
} pn_batches;

void pn_batches_init(pn_batches *batches);
/* Checks whether batches from outside may be added to: PN_OK, or PN_ERR_DAMAGED. */
int pn_batches_validate(const pn_batches *batches);
/* O(1) on average. */
void pn_batches_add(pn_batches *batches, double sample);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
