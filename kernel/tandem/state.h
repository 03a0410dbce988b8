/* What a tandem simulation holds in its block, and the view of it that lives on the stack during a
 * call.
 *
 * The block starts with struct pn_tandem; everything else is found by offsets stored there. Links
 * between jobs are place + 1, 0 is none.
 *
 * Two engines set and advance rates. The general one keeps a list of the jobs being served, each
 * with its rates (rates.c): one or two of them under priorities. When both stations share,
 * everybody is served all the time, and a second engine keeps virtual times instead (share.c).
 *
 * Time is base + offset (TA23): whenever the system empties, the offset goes into the base and
 * starts again at 0, so that differences of times stay exact however long a run is. */
#ifndef PN_TANDEM_STATE_H
#define PN_TANDEM_STATE_H

#include "base/attributes.h"
#include "base/binding.h"
#include "base/heap.h"
#include "pn_tandem.h"

/* How a job shuffles while everybody shares. */
enum pn_tandem_class {
    PN_TANDEM_ENTRY_NONE = 0,
    PN_TANDEM_ENTRY_FLOWING = 1, /* B = 0, shuffled as fast as it is generated */
    PN_TANDEM_ENTRY_GROWING = 2, /* mapped, and B > 0 or about to be */
    PN_TANDEM_ENTRY_DRAINING = 3 /* B > 0, nothing is generated */
};

/* A sum without rounding errors that matter: its unevaluated error goes along. */
typedef struct pn_tandem_sum {
    double high, low;
} pn_tandem_sum;

/* A job. In the sharing engine X and B stand still at their values of some earlier instant, see
 * share.c. */
typedef struct pn_tandem_entry {
    PN_WORD_ALIGN uint64_t id;
    double map_left;     /* X */
    double backlog;      /* B */
    double shuffle_left; /* Y */
    /* g of one unit of map rate: shuffle / map, 0 without overlap or map work */
    double ratio;
    double arrival; /* offset */
    /* the same since the start of the simulation; before its arrival as it was submitted */
    double arrived;
    double map, shuffle;           /* sizes */
    double mapped;                 /* when X became 0, since the start */
    double map_rate, shuffle_rate; /* of the sharing engine, as last folded into the digest */
    uint64_t tag;
    uint32_t places[PN_TANDEM_ORDERS_MAX]; /* where the heaps of the policy's orders hold it */
    uint32_t served;                       /* its entry in the list of jobs being served, + 1 */
    uint32_t backlog_place;                /* in the list of jobs with B > 0, + 1 */
    uint32_t next;                         /* in the list of future jobs, or of free places */
    uint32_t group;
    uint32_t rank[2];
    uint8_t accepted; /* bits: the orders that take it as a member */
    uint8_t active;   /* arrived and not complete */
    uint8_t class;    /* enum pn_tandem_class */
    /* which line it stands in (enum of PN_TANDEM_LINES), or 1: waits for a share of the map
     * station */
    uint8_t line;
    uint32_t unused;
} pn_tandem_entry;

PN_WHOLE_WORDS(pn_tandem_entry, id);

enum {
    PN_TANDEM_ENTRY_WORDS = sizeof(pn_tandem_entry) / sizeof(uint64_t),
    PN_TANDEM_ENTRY_PLACES = sizeof(pn_tandem_entry) / sizeof(uint32_t)
};

/* What only the sharing engine keeps of a job. */
typedef struct pn_tandem_shared {
    /* The complement of the id: ties in sets that give out their last member first. */
    PN_WORD_ALIGN uint64_t last;
    pn_tandem_sum joined;  /* V when X was map_left */
    pn_tandem_sum drained; /* W when B was backlog, while it drains */
    pn_tandem_sum grown;   /* V when B was backlog, while it grows */
    uint32_t places[3];    /* where the heaps of the sharing engine hold it */
    uint32_t unused;
} pn_tandem_shared;

PN_WHOLE_WORDS(pn_tandem_shared, last);

/* What a policy is told instead of the truth. */
typedef struct pn_tandem_misjudgement {
    double map, shuffle;
} pn_tandem_misjudgement;

/* A job being served. */
typedef struct pn_tandem_served {
    double map_rate, shuffle_rate;
    double generation; /* g */
    double growth;     /* of B, exactly 0 when what is generated is shuffled at once */
    uint32_t job;
    uint32_t unused;
} pn_tandem_served;

static inline void pn_tandem_sum_add(pn_tandem_sum *sum, double term)
{
    double total = sum->high + term;
    double back = total - sum->high;
    sum->low += (sum->high - (total - back)) + (term - back);
    sum->high = total;
}

static inline double pn_tandem_sum_value(const pn_tandem_sum *sum)
{
    return sum->high + sum->low;
}

/* Returns how far a sum has come since it was `from`. */
static inline double pn_tandem_sum_since(const pn_tandem_sum *sum, const pn_tandem_sum *from)
{
    return (sum->high - from->high) + (sum->low - from->low);
}

/* One SRPT queue of the lower bounds. */
typedef struct pn_tandem_column_state {
    pn_heap_state heap;
    size_t entries; /* offset */
} pn_tandem_column_state;

enum { PN_TANDEM_COLUMNS = 7, PN_TANDEM_COLUMNS_FAST = 2 };

typedef struct pn_tandem_bound_state {
    pn_tandem_column_state columns[PN_TANDEM_COLUMNS];
    uint32_t column_count;
    uint32_t unused;
    double time; /* offset up to which all is counted */
    /* area under the number of jobs at each station alone, in this period (TA19) */
    pn_tandem_sum period[2];
    pn_tandem_sum fast;  /* the sum of the larger of the two, over all earlier periods */
    pn_tandem_sum tight; /* area under the largest of the counts (TA20) */
} pn_tandem_bound_state;

/* The sharing engine. */
typedef struct pn_tandem_share_state {
    uint32_t limit; /* jobs that share the map station at once; UINT32_MAX = all */
    uint32_t rigid; /* 1: shares of the shuffle station are not passed on */
    uint32_t unused;
    pn_tandem_sum map_time;     /* V: what every job in the share has been mapped so far */
    pn_tandem_sum shuffle_time; /* W: what every job with B > 0 has been shuffled so far */
    double map_rate;            /* of each in the share */
    double level;               /* shuffle rate of each with B > 0 */
    pn_tandem_sum flowing;      /* the sum of ratios of the flowing jobs */
} pn_tandem_share_state;

/* The engine of priorities: rates of the two jobs it serves. */
typedef struct pn_tandem_first_state {
    /* the first of the map order; the first with backlog when it is another job and served */
    uint32_t mapped, drained;
    double map_rate; /* of `mapped`: the speed, or 0 when there is none */
    double flow;     /* shuffle rate of `mapped` */
    double growth;   /* of its B, exactly 0 when what is generated is shuffled at once */
    double drain;    /* shuffle rate of the other */
} pn_tandem_first_state;

enum pn_tandem_engine {
    PN_TANDEM_ENGINE_LIST,
    PN_TANDEM_ENGINE_FIRST,
    PN_TANDEM_ENGINE_LINES,
    PN_TANDEM_ENGINE_SHARE,
    PN_TANDEM_ENGINES
};

/* Sets of jobs that belong to the engine, not to the policy. */
enum { PN_TANDEM_SETS = 5 };
enum {
    PN_TANDEM_LINE_GENERATING,
    PN_TANDEM_LINE_BOTH,
    PN_TANDEM_LINE_BACKLOG,
    PN_TANDEM_LINE_MAPLESS,
    PN_TANDEM_LINES
};
enum {
    PN_TANDEM_SET_MAPPING,
    PN_TANDEM_SET_FLOWING,
    PN_TANDEM_SET_GROWING,
    PN_TANDEM_SET_DRAINING,
    PN_TANDEM_SET_LAST
};

_Static_assert((int)PN_TANDEM_LINES <= (int)PN_TANDEM_SETS, "a set for each line");

/* Keys that the kernel knows, to compute them without calling the policy. */
enum pn_tandem_key_kind {
    PN_TANDEM_KEY_OTHER,
    PN_TANDEM_KEY_ID,
    PN_TANDEM_KEY_LONGEST,
    PN_TANDEM_KEY_MAP,
    PN_TANDEM_KEY_SUM
};

struct pn_tandem {
    pn_block_head head;
    pn_tandem_config config; /* as configured, without pointers */
    uint64_t engines;        /* bits of enum pn_tandem_engine: those that it has tables for */

    /* the bound policy */
    pn_binding binding;
    uint32_t initialised; /* its init hook has been called */
    int32_t failure;      /* it gave up, or a step failed, with this status */
    pn_stream stream;
    pn_tandem_service services[2];
    uint8_t used[PN_TANDEM_ORDERS_MAX]; /* 1: the kernel keeps this order */
    uint8_t unused_bytes[2];
    pn_heap_state orders[PN_TANDEM_ORDERS_MAX];
    size_t order_entries[PN_TANDEM_ORDERS_MAX];
    /* offset and bytes of what a policy needs for itself */
    size_t policy_memory, policy_memory_size;
    size_t policy_state;
    uint32_t engine; /* enum pn_tandem_engine */
    uint32_t unused_engine;
    pn_tandem_first_state first;
    pn_tandem_share_state share;
    pn_heap_state sets[PN_TANDEM_SETS];
    size_t set_entries[PN_TANDEM_SETS];

    /* tables, as offsets */
    size_t jobs, shared, misjudged, served, was_served, backlogs, done, scratch, stats, slowdowns,
        batches, buckets;
    size_t stats_stride, slowdowns_stride;
    pn_heap_state scratch_heap;
    pn_tandem_bound_state bound;

    uint32_t free_job;  /* + 1 */
    uint32_t jobs_used; /* places ever used */
    uint32_t jobs_held, jobs_held_max;
    uint32_t future_first, future_last; /* jobs submitted and not arrived, + 1 */
    uint32_t in_system, in_system_max;
    uint32_t served_count, backlog_count, done_count;
    uint32_t short_wakes; /* in a row, up to now */

    pn_tandem_sum base;         /* since the start of the simulation */
    double rounded;             /* what offsets are rounded beside, see pn_tandem_coincidence */
    double now;                 /* offset of the last instant */
    double next_arrival;        /* offset of the first future job */
    double wake;                /* offset of the wake-up asked for; PN_TANDEM_NEVER = none */
    double time;                /* of the last instant, since the start */
    double promised;            /* no job arrives before this, since the start */
    pn_tandem_sum last_arrival; /* of the last job submitted, since the start */
    /* offset of the last job that arrived; negative when the system has emptied since */
    double last_arrived;
    double map_used, shuffle_used; /* sums of the rates, but under priorities */
    double first_arrival, last_finish;
    uint64_t submitted, finished, instants, decisions;
    pn_tandem_sum response_time;   /* of the finished jobs */
    double map_busy, shuffle_busy; /* work done so far */
    /* the sum of the offsets at which the jobs in the system arrived */
    double present_arrivals;
    double backlog_total;
    uint64_t backlog_summed; /* the instant of which backlog_total is, + 1 */
    double fold_time;
    uint64_t fold, digest;
    uint64_t fold_start; /* fold_time mixed alone, where each decision starts */
};

struct pn_tandem_view {
    pn_tandem *sim;
    const pn_tandem_hooks *hooks;
    const pn_tandem_policy *policy;
    pn_tandem_entry *jobs;
    pn_tandem_shared *shared;          /* of the jobs; only of the sharing engine */
    pn_tandem_misjudgement *misjudged; /* null without estimates */
    pn_tandem_served *served;
    uint32_t *was_served, *backlogs, *done;
    pn_heap heaps[PN_TANDEM_ORDERS_MAX];
    pn_heap scratch;
    pn_heap mapping, flowing, growing, draining, last; /* of the sharing engine */
    pn_heap lines[PN_TANDEM_LINES];                    /* of the engine of lines */
    /* the job that arrives, or that was mapped and joins the shuffle order, while the policy's
     * functions are called for it; else null */
    const pn_tandem_entry *joining;
    /* the orders kept, by their members; those whose keys change when served or at instants */
    uint8_t order_count[5], order_list[5][PN_TANDEM_ORDERS_MAX];
    uint8_t renewed_count, renewed[PN_TANDEM_ORDERS_MAX];
    uint8_t kinds[PN_TANDEM_ORDERS_MAX];       /* enum pn_tandem_key_kind */
    uint8_t served_keys[PN_TANDEM_ORDERS_MAX]; /* 1: the key changes when the job is served */
    uint8_t map_order, shuffle_order;          /* of the services */
    uint8_t same_keys;                         /* 1: … which sort by the same key */
    uint8_t selective;                         /* 1: some order has a `member` */
    /* 1: the engine of priorities has set other rates than before */
    uint8_t changed;
    uint8_t renews;    /* 1: some order's keys change at instants */
    uint8_t deciding;  /* 1: act may give */
    uint8_t rated;     /* 1: rates can be asked for */
    uint8_t starting;  /* 1: in init */
    uint8_t recording; /* 1: rate changes are folded or reported */
    uint32_t was_count;
    uint32_t was_mapped, was_drained; /* of the engine of priorities before the instant */
};

/* Returns what the sharing engine keeps of the job; the block has a table for it. */
static inline pn_tandem_shared *pn_tandem_shared_of(const pn_tandem_view *view,
                                                    const pn_tandem_entry *job)
{
    return &view->shared[job - view->jobs];
}

/* Returns whether the block has tables for an engine. */
static inline bool pn_tandem_has(const pn_tandem *sim, uint32_t engine)
{
    return sim->engines >> engine & 1;
}

/* Returns what jobs carry for policies: right before the memory of the policy. */
static inline pn_attributes pn_tandem_attributes_of(const pn_tandem *sim)
{
    return pn_attributes_before(sim, sim->policy_memory, sim->config.jobs_max,
                                sim->config.attributes);
}

enum { PN_TANDEM_MAP_STATION = 0, PN_TANDEM_SHUFFLE_STATION = 1 };

/* Returns 64 units in the last place of a time. */
static inline double pn_tandem_tolerance(double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    uint64_t exponent = bits >> 52 & 0x7FF;
    bits = exponent > 46 ? (exponent - 46) << 52 : 0;
    memcpy(&time, &bits, sizeof bits);
    return time;
}

/* Returns, by TA21, how far apart two events may be to be one instant. Of arrivals given as gaps
 * offsets are all there is; absolute ones were rounded by the host, to an ulp of the
 * time since the start. */
static inline double pn_tandem_coincidence(const pn_tandem *sim, double offset)
{
    return pn_tandem_tolerance(sim->rounded + offset);
}

/* Returns max(0, value) without a branch, which could not be predicted where this is used. */
static inline double pn_tandem_positive(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= (bits >> 63) - 1;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double pn_tandem_offset(const pn_tandem *sim, double time)
{
    return (time - sim->base.high) - sim->base.low;
}

static inline bool pn_tandem_generates(const pn_tandem_served *entry)
{
    return entry->generation > 0.0;
}

/* Marks the job as complete at this instant. */
static inline void pn_tandem_done(pn_tandem_view *view, uint32_t job)
{
    view->done[view->sim->done_count++] = job;
}

/* Reads a host's configuration over the defaults. Returns what is wrong with it, or null. */
const char *pn_tandem_read_config(pn_tandem_config *own, const pn_tandem_config *given);
/* Copies to zeros what a block keeps: no pointers, no padding, and what the kernel chooses where 0
 * is given. */
void pn_tandem_keep_config(pn_tandem_config *stored, const pn_tandem_config *config);
/* Returns true for 0 and for amounts in range; false for NaN. */
bool pn_tandem_amount_sane(double amount);

/* life.c: the layout of a block with so many bytes for a policy; its size, 0 when that does
 * not fit a size_t */
size_t pn_tandem_carve(const pn_tandem_config *config, uint64_t engines, size_t room_size,
                       pn_tandem *sim);
/* Returns the engines that may run the policy, as bits: all if there is none, or if its init may
 * change its services. */
uint64_t pn_tandem_engines_of(const pn_tandem_policy *policy);
/* Returns whether both stations serve their first jobs. */
bool pn_tandem_firsts(const pn_tandem_policy *policy, const pn_tandem_service services[2]);
extern const char pn_tandem_magic[8];
/* Response times from 2^-64 to 2^64 fall into cells of their own; slowdowns are at least 1, but for
 * rounding. */
enum {
    PN_TANDEM_RESPONSE_OCTAVE = -64,
    PN_TANDEM_RESPONSE_OCTAVES = 128,
    PN_TANDEM_SLOWDOWN_OCTAVE = -1,
    PN_TANDEM_SLOWDOWN_OCTAVES = 41
};

/* No run of sound numbers comes near this time: what would pass it is an overflow. */
#define PN_TANDEM_LAST 0x1p512

/* view.c */
void pn_tandem_view_build(pn_tandem_view *view, pn_tandem *sim, const pn_tandem_hooks *hooks);
uint8_t pn_tandem_kind_of(const pn_tandem_order *order);
void pn_tandem_rates_of(const pn_tandem_view *view, uint32_t job, double rates[2]);

/* orders.c: what a policy needs in the block, and the membership of its orders */
size_t pn_tandem_room(const pn_tandem_policy *policy, const pn_tandem_config *config,
                      pn_tandem *sim, size_t offset);
bool pn_tandem_policy_sane(const pn_tandem_policy *policy);
bool pn_tandem_service_sane(const pn_tandem_policy *policy, uint32_t station,
                            pn_tandem_service service);
void pn_tandem_orders_use(pn_tandem *sim, const pn_tandem_policy *policy);
pn_key pn_tandem_key_of(const pn_tandem_view *view, uint32_t order, uint32_t job);
void pn_tandem_accept(pn_tandem_view *view, uint32_t job);
void pn_tandem_enter(pn_tandem_view *view, uint32_t members, uint32_t job);
void pn_tandem_leave(pn_tandem_view *view, uint32_t members, uint32_t job);
void pn_tandem_rekey(pn_tandem_view *view, uint32_t job);
void pn_tandem_renew(pn_tandem_view *view);

/* Fills in a key the kernel knows; word[1] is the id already. */
static inline void pn_tandem_known_key(const pn_tandem_entry *job, enum pn_tandem_key_kind kind,
                                       uint64_t word[2])
{
    double map = job->map_left;
    double shuffle = job->shuffle_left;
    if (kind == PN_TANDEM_KEY_LONGEST) {
        word[0] = pn_key_double(map > shuffle ? map : shuffle);
    } else if (kind == PN_TANDEM_KEY_SUM) {
        word[0] = pn_key_double(map + shuffle);
    } else if (kind == PN_TANDEM_KEY_MAP) {
        word[0] = pn_key_double(map);
        word[1] = pn_key_double(shuffle);
    } else {
        word[0] = job->id;
    }
}

/* Computes the key of a job in an order. */
static inline void pn_tandem_words(const pn_tandem_view *view, uint32_t order, uint32_t place,
                                   uint64_t word[2])
{
    const pn_tandem_entry *job = &view->jobs[place];
    word[1] = job->id;
    if (view->kinds[order] != PN_TANDEM_KEY_OTHER) {
        pn_tandem_known_key(job, view->kinds[order], word);
    } else {
        pn_key key = pn_tandem_key_of(view, order, place);
        memcpy(word, key.word, sizeof key.word);
    }
}

/* rates.c: the general engine */
double pn_tandem_next_end(const pn_tandem_view *view);
void pn_tandem_advance(pn_tandem_view *view, double span, double tolerance);
int pn_tandem_set_rates(pn_tandem_view *view);
void pn_tandem_backlog_list(pn_tandem_view *view, uint32_t job, bool wanted);

/* share.c: the sharing engine */
bool pn_tandem_shares(const pn_tandem_policy *policy, const pn_tandem_service services[2]);
void pn_tandem_share_start(pn_tandem *sim);
void pn_tandem_share_restart(pn_tandem *sim);
double pn_tandem_share_next_end(const pn_tandem_view *view);
void pn_tandem_share_advance(pn_tandem_view *view, double span, double tolerance);
void pn_tandem_share_enter(pn_tandem_view *view, uint32_t job);
void pn_tandem_share_set_rates(pn_tandem_view *view);
double pn_tandem_share_map_left(const pn_tandem_view *view, const pn_tandem_entry *job);
double pn_tandem_share_backlog(const pn_tandem_view *view, const pn_tandem_entry *job);
void pn_tandem_share_rates(const pn_tandem_view *view, const pn_tandem_entry *job, double rates[2]);

/* record.c: completions, statistics, the digest */
void pn_tandem_finish_all(pn_tandem_view *view);
void pn_tandem_record(pn_tandem_view *view);

/* bound.c */
void pn_tandem_bound_carve(pn_tandem_bound_state *bound, pn_arena *arena,
                           const pn_tandem_config *config);
void pn_tandem_bound_admit(pn_tandem *sim, const pn_tandem_entry *job);
void pn_tandem_bound_restart(pn_tandem *sim);
void pn_tandem_bound_get(const pn_tandem *sim, double *fast, double *tight);

#endif
